//! What is known of a group of grains under way?

use crate::grains;
use crate::grains::{Caution, Energies as Stock, Meet, Wall, Who, World};
use crate::mechanics::Pose;
use crate::model::units::pretty;
use crate::model::{GroupEntry, GroupQuantity, Model, Motion};
use crate::system::crowd::{GrainTouch, Grouped, History, Settling};
use crate::system::note::{Trouble, Warning};

use super::words::trouble;

/// Fewer steps than this in a contact, and where it ends is a matter of chance.
const FEWEST: f64 = 20.0;
/// So many steps in the shortest contact are recommended.
const STEPS: f64 = 50.0;

/// A group of grains under way.
pub(in crate::system) struct Heap {
    /// Its place among the groups of the model.
    pub entry: usize,
    pub name: String,
    pub world: World,
    /// The bodies that carry its walls.
    pub carriers: Vec<usize>,
    pub masses: Vec<f64>,
    pub first: Stock,
    /// At the last look.
    pub now: Stock,
    pub meets: Vec<Meet>,
    pub positions: Vec<[f64; 3]>,
    pub velocities: Vec<[f64; 3]>,
    pub radii: Vec<f64>,
    pub settling: Settling,
    pub history: History,
    pub max_overlap: f64,
    pub max_force: f64,
    pub pairs: usize,
    /// What the world warned of at a look, one of a kind, with the time of the first.
    warned: Vec<(f64, Caution, String)>,
}

impl Heap {
    /// The group as it stands at the start; `poses` are those of the bodies that carry walls.
    pub fn new(
        model: &Model,
        entry: usize,
        settings: &grains::Settings,
        poses: &[Pose],
    ) -> Result<Heap, Vec<Trouble>> {
        let Some((group, members)) = model.groups.get(entry).and_then(|g| Some((g, g.grains()?)))
        else {
            return Err(Vec::new());
        };
        let grains = members.to_vec();
        let mut carriers: Vec<usize> = group.walls.iter().filter_map(|wall| wall.body).collect();
        carriers.sort_unstable();
        carriers.dedup();
        let (walls, rules) = (walls(model, group), group.rules(&group.terms));
        let world = World::new(&grains, walls, rules, settings, poses)
            .map_err(|fault| vec![trouble(model, group, &fault)])?;
        let first = world.energies();
        let mut heap = Heap {
            entry,
            name: group.name.clone(),
            carriers,
            masses: grains.iter().map(|grain| grain.mass).collect(),
            first,
            now: first,
            meets: Vec::new(),
            positions: grains.iter().map(|grain| grain.position).collect(),
            velocities: grains.iter().map(|grain| grain.velocity).collect(),
            radii: grains.iter().map(|grain| grain.radius).collect(),
            settling: Settling::default(),
            history: History::default(),
            max_overlap: 0.0,
            max_force: 0.0,
            pairs: 0,
            warned: Vec::new(),
            world,
        };
        heap.look(settings.start);
        Ok(heap)
    }

    /// Takes note of how the grains stand, at a sample.
    pub fn look(&mut self, t: f64) {
        self.now = self.world.energies();
        self.meets = self.world.touching();
        for meet in &self.meets {
            self.max_overlap = self.max_overlap.max(meet.overlap);
            self.max_force = self.max_force.max(meet.force);
        }
        let places = self.positions.iter_mut().zip(&mut self.velocities);
        for ((position, velocity), grain) in places.zip(self.world.grains()) {
            *position = grain.position;
            *velocity = grain.velocity;
        }
        for (kind, words) in self.world.cautions() {
            let known = self.warned.iter_mut().find(|w| w.1 == kind);
            match (kind, known) {
                // Told at the end, with what may help.
                (Caution::Brief, _) => {}
                // A count: the last one is of the whole run.
                (Caution::Limited, Some(known)) => known.2 = words,
                (_, Some(_)) => {}
                (_, None) => self.warned.push((t, kind, words)),
            }
        }
        self.settling.look(t, self.now.kinetic);
        self.history.offer(t, self.now.kinetic);
    }

    /// Takes note of what does not last until the next sample.
    pub fn glance(&mut self) {
        let statistics = self.world.statistics();
        self.max_overlap = self.max_overlap.max(statistics.overlap);
        self.pairs = self.pairs.max(statistics.pairs);
    }

    pub fn heats(&self) -> [f64; 3] {
        [
            self.now.heat_normal - self.first.heat_normal,
            self.now.heat_friction - self.first.heat_friction,
            self.now.heat_rolling - self.first.heat_rolling,
        ]
    }

    /// A channel of the whole group, as it was at the last look.
    pub fn quantity(&self, quantity: GroupQuantity) -> f64 {
        let centre = |k: usize| {
            let mut mass = 0.0;
            let mut moment = 0.0;
            for (position, m) in self.positions.iter().zip(&self.masses) {
                mass += m;
                moment += m * position.get(k).copied().unwrap_or(f64::NAN);
            }
            moment / mass
        };
        match quantity {
            GroupQuantity::Kinetic => self.now.kinetic,
            GroupQuantity::Contacts => self.meets.len() as f64,
            GroupQuantity::Overlap => self.meets.iter().map(|m| m.overlap).fold(0.0, f64::max),
            GroupQuantity::Top => {
                let tops = self.positions.iter().zip(&self.radii);
                tops.map(|([_, y, _], r)| y + r)
                    .fold(f64::NEG_INFINITY, f64::max)
            }
            GroupQuantity::CentreX => centre(0),
            GroupQuantity::CentreY => centre(1),
        }
    }

    /// A channel of one grain, as it was at the last look.
    pub fn grain(&self, grain: usize, motion: Motion) -> f64 {
        let (Some([x, y, angle]), Some([vx, vy, omega])) =
            (self.positions.get(grain), self.velocities.get(grain))
        else {
            return f64::NAN;
        };
        match motion {
            Motion::X => *x,
            Motion::Y => *y,
            Motion::Angle => *angle,
            Motion::Vx => *vx,
            Motion::Vy => *vy,
            Motion::Omega => *omega,
            // There is no channel of their accelerations.
            Motion::Ax | Motion::Ay | Motion::Alpha => f64::NAN,
        }
    }

    /// What is said of the step, if it is too long for what happened.
    pub fn long_steps(&self, step: f64) -> impl Iterator<Item = Warning> {
        let warned = self.warned.iter().map(|(t, _, words)| {
            let (message, hint) = words.split_once(": take ").unwrap_or((words, ""));
            Warning {
                code: "hasty-step",
                element: Some(format!("group.{}", self.name)),
                time: Some(*t),
                message: message.into(),
                hint: match hint {
                    "" => String::new(),
                    hint => format!("take {hint}"),
                },
            }
        });
        self.long_step(step).into_iter().chain(warned)
    }

    fn long_step(&self, step: f64) -> Option<Warning> {
        let shortest = self.world.statistics().shortest_contact;
        (shortest < FEWEST * step).then(|| Warning {
            code: "long-step",
            element: Some("solver.step".into()),
            time: None,
            message: format!(
                "the shortest contact of group.{} takes about {}, and that is {:.1} steps of {}: with fewer than {FEWEST} where it ends, and what it gives back, is a matter of chance",
                self.name,
                pretty(shortest, "s", 3),
                shortest / step,
                pretty(step, "s", 3)
            ),
            hint: format!(
                "step = \"{}\" is a {STEPS}th of it",
                pretty(shortest / STEPS, "s", 2)
            ),
        })
    }

    /// What is left at the end.
    pub fn told(self) -> Grouped {
        let statistics = self.world.statistics();
        let touches = self.meets.iter().map(|meet| GrainTouch {
            grain: meet.grain,
            other: match meet.other {
                Who::Grain(other) => Some(other),
                Who::Wall(_) => None,
            },
            point: meet.point,
            force: meet.force,
            friction: meet.friction,
        });
        Grouped {
            touches: touches.collect(),
            name: self.name,
            positions: self.positions,
            velocities: self.velocities,
            radii: self.radii,
            kinetic: self.now.kinetic,
            kinetic_peak: self.settling.peak,
            settled: self.settling.since(),
            max_overlap: self.max_overlap,
            max_force: self.max_force,
            history: self.history.into_points(),
            rebuilds: statistics.rebuilds,
            pairs: self.pairs as u64,
            contact_time: Some(statistics.shortest_contact).filter(|time| time.is_finite()),
        }
    }
}

/// The walls of a group, in its order; carriers are the bodies of the model.
fn walls(model: &Model, group: &GroupEntry) -> Vec<Wall> {
    let walls = group.walls.iter().filter_map(|wall| {
        let shapes = match wall.body {
            Some(body) => &model.bodies.get(body)?.shapes,
            None => &model.ground_shapes,
        };
        Some(Wall {
            shape: shapes.get(wall.shape)?.shape.clone(),
            carrier: wall.body,
            rules: group.rules(&wall.terms),
        })
    });
    walls.collect()
}
