//! How do grains move, with the mechanism that carries their walls, at a fixed step?
//!
//! Every group of grains is a [`World`] of its own. The mechanism beside them goes by the same rule, velocity Verlet with velocities foreseen for the forces: its positions first, then the grains, which see where
//! their walls have gone, then its accelerations with what the grains do to it. A mechanism without freedom is moved by its drivers: projection puts it where they want it, and their moments and works are found
//! with the grains' forces on it.

use crate::card::short;
use crate::grains;
use crate::grains::{Energies as Stock, Grain, Meet, Rules, Wall, Who, World};
use crate::mechanics::{Pose, Terms};
use crate::model::{Account, Analysis, Channel, Control, GroupEntry, GroupQuantity, Model, Motion};
use crate::solve::{Integrator, Statistics};

use super::crowd::{Crowd, GrainTouch, Grouped, History, Settling, Snapshot};
use super::mechanism::System;
use super::note::{Trouble, Warning};
use super::reading::{Energies, Ledger};
use super::run::{Observer, Outcome, Progress, Status};
use super::saddle::Rank;

/// Fewer steps than this in a contact, and where it ends is a matter of chance.
const FEWEST: f64 = 20.0;
/// So many steps in the shortest contact are recommended.
const STEPS: f64 = 50.0;
/// A start so deep inside each other, in parts of the radius, was not meant.
const DEEP: f64 = 1e-2;
/// More than this part of what was turned over may not be missing in the balance: the error falls with the square of the step, and a fiftieth of a contact keeps it well below.
const MISSING: f64 = 1e-3;

/// A group of grains under way.
struct Heap {
    /// Its place among the groups of the model.
    entry: usize,
    name: String,
    world: World,
    masses: Vec<f64>,
    first: Stock,
    /// At the last look.
    now: Stock,
    meets: Vec<Meet>,
    positions: Vec<[f64; 3]>,
    velocities: Vec<[f64; 3]>,
    radii: Vec<f64>,
    settling: Settling,
    history: History,
    max_overlap: f64,
    max_force: f64,
    pairs: usize,
}

impl Heap {
    /// The group as it stands at the start; `poses` are those of the bodies that carry walls.
    fn new(
        model: &Model,
        entry: usize,
        settings: &grains::Settings,
        poses: &[Pose],
    ) -> Result<Heap, Vec<Trouble>> {
        let Some((group, members)) = model.groups.get(entry).and_then(|g| Some((g, g.grains()?)))
        else {
            return Err(Vec::new());
        };
        let grains: Vec<Grain> = members
            .iter()
            .map(|grain| Grain {
                position: grain.position,
                velocity: grain.velocity,
                radius: grain.radius,
                mass: grain.mass,
                inertia: grain.inertia,
            })
            .collect();
        let (walls, rules) = (walls(model, group), rules(group, &group.terms));
        let world = World::new(&grains, walls, rules, settings, poses)
            .map_err(|fault| vec![trouble(model, group, &fault)])?;
        let first = world.energies();
        let mut heap = Heap {
            entry,
            name: group.name.clone(),
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
            world,
        };
        heap.look(settings.start);
        Ok(heap)
    }

    /// Takes note of how the grains stand, at a sample.
    fn look(&mut self, t: f64) {
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
        self.settling.look(t, self.now.kinetic);
        self.history.offer(t, self.now.kinetic);
    }

    /// Takes note of what does not last until the next sample.
    fn glance(&mut self) {
        let statistics = self.world.statistics();
        self.max_overlap = self.max_overlap.max(statistics.overlap);
        self.pairs = self.pairs.max(statistics.pairs);
    }

    fn heats(&self) -> [f64; 3] {
        [
            self.now.heat_normal - self.first.heat_normal,
            self.now.heat_friction - self.first.heat_friction,
            self.now.heat_rolling - self.first.heat_rolling,
        ]
    }

    /// A channel of the whole group, as it was at the last look.
    fn quantity(&self, quantity: GroupQuantity) -> f64 {
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
    fn grain(&self, grain: usize, motion: Motion) -> f64 {
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
    fn long_step(&self, step: f64) -> Option<Warning> {
        let shortest = self.world.statistics().shortest_contact;
        (shortest < FEWEST * step).then(|| Warning {
            code: "long-step",
            element: Some("solver.step".into()),
            time: None,
            message: format!(
                "the shortest contact of group.{} takes about {} s, and that is {:.1} steps of {} s: with fewer than {FEWEST} where it ends, and what it gives back, is a matter of chance",
                self.name,
                short(shortest),
                shortest / step,
                short(step)
            ),
            hint: format!("step = {} s is a {STEPS}th of it", short(shortest / STEPS)),
        })
    }

    /// What is left at the end.
    fn told(self) -> Grouped {
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

/// What happens where a grain of a group touches something on these terms.
fn rules(group: &GroupEntry, terms: &Terms) -> Rules {
    let mut rules = Rules::new(terms.follows.clone()).with_slowest(terms.slowest);
    if let Some(friction) = &group.friction {
        rules = rules.with_friction(friction.clone());
    }
    if let Some(rolling) = &group.rolling {
        rules = rules.with_rolling(rolling.law.clone(), rolling.radius.is_none());
    }
    rules
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
            rules: rules(group, &wall.terms),
        })
    });
    walls.collect()
}

/// A wall as it is named in files: `ground.floor`, `drum.skin`.
fn wall_name(model: &Model, group: &GroupEntry, wall: usize) -> String {
    let named = || {
        let wall = group.walls.get(wall)?;
        let (body, shapes) = match wall.body {
            Some(body) => {
                let entry = model.bodies.get(body)?;
                (entry.name.as_str(), &entry.shapes)
            }
            None => ("ground", &model.ground_shapes),
        };
        Some(format!("{body}.{}", shapes.get(wall.shape)?.name))
    };
    named().unwrap_or_else(|| format!("wall {}", wall + 1))
}

/// What is wrong with a group, with the names of the model.
fn trouble(model: &Model, group: &GroupEntry, fault: &grains::Fault) -> Trouble {
    let (element, message, hint) = match fault {
        grains::Fault::Law { law, reason, hint } => {
            let of = |of: Option<&crate::friction::Law>| of.is_some_and(|l| l.card().id == *law);
            let key = if of(group.friction.as_ref()) {
                ".friction"
            } else if of(group.rolling.as_ref().map(|r| &r.law)) {
                ".rolling"
            } else {
                ""
            };
            let element = format!("{}{key}", group.element());
            (element, format!("`{law}` {reason}"), (*hint).to_string())
        }
        grains::Fault::Shape { wall, grain, fault } => (
            group.element(),
            format!(
                "{} cannot touch {}.{}: {fault}",
                wall_name(model, group, *wall),
                group.name,
                grain + 1
            ),
            "leave it out of `touches`".into(),
        ),
        grains::Fault::Start(trouble) => {
            let (message, hint) = stuck(model, group, trouble);
            (group.element(), message, hint)
        }
        other => (group.element(), other.to_string(), String::new()),
    };
    Trouble {
        code: "grains",
        element: Some(element),
        message,
        hint,
    }
}

/// What ended the motion of grains, with the names of the model, and what may help.
fn stuck(model: &Model, group: &GroupEntry, trouble: &grains::Trouble) -> (String, String) {
    let name = |grain: usize| format!("{}.{}", group.name, grain + 1);
    let other = |who: &Who| match who {
        Who::Grain(grain) => name(*grain),
        Who::Wall(wall) => wall_name(model, group, *wall),
    };
    match trouble {
        grains::Trouble::Begin {
            time,
            grain,
            other: who,
            reason,
        } => (
            format!(
                "at t = {} s the contact of {} with {} cannot begin: {reason}",
                short(*time),
                name(*grain),
                other(who)
            ),
            "another law, or other numbers for it".into(),
        ),
        grains::Trouble::Deep {
            time,
            grain,
            other: who,
            overlap,
            allowed,
        } => (
            format!(
                "at t = {} s {} and {} are {} m deep in each other, and more than {} m cannot be meant",
                short(*time),
                name(*grain),
                other(who),
                short(*overlap),
                short(*allowed)
            ),
            "a start without overlap, a stiffer law, or a shorter step".into(),
        ),
        grains::Trouble::Fast {
            time,
            grain,
            speed,
            step,
            allowed,
        } => (
            format!(
                "at t = {} s {} moves at {} m/s, by {} m in a step of {} s, and more than {} m could take it through a wall",
                short(*time),
                name(*grain),
                short(*speed),
                short(speed * step),
                short(*step),
                short(*allowed)
            ),
            format!("step = {} s", short(allowed / speed)),
        ),
        grains::Trouble::NotFinite { time, grain } => (
            format!(
                "at t = {} s the motion of {} is no finite number any more",
                short(*time),
                name(*grain)
            ),
            "a shorter step".into(),
        ),
        other => (other.to_string(), String::new()),
    }
}

/// How many steps, and how long each is, s: a whole number of them fills the time, and none is longer than was asked for but for rounding.
fn plan(span: f64, step: f64) -> (u64, f64) {
    let ratio = span / step;
    let count = (ratio * (1.0 - 1e-9)).ceil().max(1.0);
    (count as u64, span / count)
}

/// The mechanism beside the grains.
struct Carrying {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    foreseen: Vec<f64>,
    works: Vec<f64>,
    powers: Vec<f64>,
    before: Vec<f64>,
    projects: bool,
}

/// A run with grains on its way.
struct Pouring {
    heaps: Vec<Heap>,
    carrying: Carrying,
    first: Energies,
    scale: f64,
    values: Vec<f64>,
    /// The state of the mechanism as channels are read from it.
    y: Vec<f64>,
    last: f64,
}

impl System {
    /// Whether the groups of grains can be moved, and what is to be said of them beforehand.
    pub(super) fn check_grains(&mut self) -> Result<(), Vec<Trouble>> {
        let model = &self.model;
        let Some(group) = model.of_grains().next() else {
            return Ok(());
        };
        let wrong = |element: String, message: String, hint: &str| Trouble {
            code: "grains",
            element: Some(element),
            message,
            hint: hint.into(),
        };
        let mut troubles = Vec::new();
        if model.simulation.analysis != Analysis::Dynamic {
            troubles.push(wrong(
                "simulation.analysis".into(),
                format!(
                    "grains have no {} analysis: they only move",
                    model.simulation.analysis.name()
                ),
                "analysis = \"dynamic\"; or leave the group out",
            ));
        }
        if !matches!(model.solver.integrator, Integrator::Verlet { .. }) {
            troubles.push(wrong(
                group.element(),
                "grains that are no bodies move with a fixed step".into(),
                "integrator = \"verlet\" and step",
            ));
        }
        let contacts = model.contacts.iter().map(|entry| entry.element());
        let stops = model
            .limits
            .iter()
            .map(|entry| format!("joint.{}", entry.name));
        if let Some(element) = contacts.chain(stops).next() {
            troubles.push(wrong(
                element,
                "contacts and stops between bodies are not followed beside grains".into(),
                "let the grains touch the body (`touches` of the group); up to 64 grains are bodies themselves with every other integrator, and all contacts go together then",
            ));
        }
        if !troubles.is_empty() {
            return Err(troubles);
        }
        let Integrator::Verlet { step } = model.solver.integrator else {
            return Ok(());
        };
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.rows(self.start, &q, &v);
        let mut warnings = Vec::new();
        for heap in self.heaps(step, 1)? {
            let radius = |i: usize| heap.radii.get(i).copied().unwrap_or(f64::NAN);
            let deep = heap
                .meets
                .iter()
                .filter(|m| m.overlap > DEEP * radius(m.grain));
            let deepest = deep.clone().max_by(|a, b| a.overlap.total_cmp(&b.overlap));
            if let Some(deepest) = deepest {
                warnings.push(Warning {
                    code: "starts-overlapping",
                    element: Some(format!("group.{}", heap.name)),
                    time: None,
                    message: format!(
                        "{} contacts start inside each other, {}.{} by {} m at a radius of {} m: they are thrown apart by what is stored there",
                        deep.count(),
                        heap.name,
                        deepest.grain + 1,
                        short(deepest.overlap),
                        short(radius(deepest.grain))
                    ),
                    hint: "a region that keeps a radius away from walls".into(),
                });
            }
        }
        if self.model.output_step() < step {
            warnings.push(Warning {
                code: "output-step",
                element: Some("simulation.output_step".into()),
                time: None,
                message: format!(
                    "`output_step` is {} s, and the step {} s: there is one sample a step and no more",
                    short(self.model.output_step()),
                    short(step)
                ),
                hint: "a longer output_step; between steps nothing is known of grains".into(),
            });
        }
        self.warnings.extend(warnings);
        Ok(())
    }

    /// The groups of grains at the start, for the poses of the last evaluation.
    fn heaps(&self, step: f64, threads: usize) -> Result<Vec<Heap>, Vec<Trouble>> {
        let settings = grains::Settings {
            step,
            gravity: self.model.gravity,
            start: self.start,
            threads,
            ..grains::Settings::default()
        };
        let mut heaps = Vec::new();
        let mut troubles = Vec::new();
        for (entry, group) in self.model.groups.iter().enumerate() {
            if group.grains().is_none() {
                continue;
            }
            match Heap::new(&self.model, entry, &settings, &self.equations.poses) {
                Ok(heap) => heaps.push(heap),
                Err(found) => troubles.extend(found),
            }
        }
        if troubles.is_empty() {
            Ok(heaps)
        } else {
            Err(troubles)
        }
    }

    /// The motion of grains, and of the mechanism that carries walls, from the start to the end of the simulation.
    pub(super) fn pour(&mut self, observer: &mut dyn Observer) -> Outcome {
        let (start, end) = (self.start, self.model.simulation.end);
        let mut warnings = self.warnings.clone();
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.forget();
        self.equations.rows(start, &q, &v);
        let first = self.energies(start, &q, &v);
        let asked = match self.model.solver.integrator {
            Integrator::Verlet { step } => step,
            _ => f64::NAN,
        };
        let (count, step) = plan(end - start, asked);
        let most = self.model.solver.max_steps;
        let refused = if !(end >= start && asked > 0.0) {
            Some(format!(
                "the step is {asked} s and time runs from {start} s to {end} s; allowed: a step above 0 and an end not before the start"
            ))
        } else if count > most {
            Some(format!(
                "{count} steps of {} s are needed, and `max_steps` allows {most}",
                short(step)
            ))
        } else {
            None
        };
        let count = if end > start { count } else { 0 };
        let step = if step > 0.0 { step } else { asked };
        let heaps = match refused {
            Some(reason) => Err(reason),
            None => self.heaps(step, self.threads).map_err(|troubles| {
                let words = troubles.iter().map(|trouble| trouble.message.clone());
                words.collect::<Vec<String>>().join("; ")
            }),
        };
        let heaps = match heaps {
            Ok(heaps) => heaps,
            Err(reason) => {
                let (y, failed) = (self.state(), Status::Failed);
                let none = Statistics::default();
                return self.outcome(failed, Some(reason), start, &y, first, none, warnings);
            }
        };
        let n = q.len();
        let mut pouring = Pouring {
            carrying: Carrying {
                a: vec![0.0; n],
                foreseen: v.clone(),
                works: vec![0.0; self.works.count()],
                powers: vec![0.0; self.works.count()],
                before: vec![0.0; self.works.count()],
                projects: self.model.control == Control::Projection
                    && !self.equations.values.is_empty(),
                q,
                v,
            },
            heaps,
            first,
            scale: 0.0,
            values: vec![0.0; self.channels.len()],
            y: self.state(),
            last: f64::NEG_INFINITY,
        };
        let grains = pouring.heaps.iter().map(|heap| heap.world.len()).sum();
        let mut progress = Progress {
            t: start,
            start,
            end,
            step,
            steps: 0,
            events: 0,
            crowd: Some(Crowd {
                grains,
                contacts: 0,
            }),
        };
        let (mut status, mut reason) = (Status::Completed, None);
        if n > 0 {
            self.equations.outside = vec![0.0; n];
            reason = self.begin_carrying(start, &mut pouring).err();
        }
        let due = |number: u64, every: f64| (number as f64 * every / step).round() as u64;
        let every = self.model.output_step();
        let snapshot_step = self.model.simulation.snapshot_step;
        let (mut samples, mut snapshots) = (0, 0);
        while reason.is_none() {
            let (t, steps) = (progress.t, progress.steps);
            if steps == count || due(samples, every) <= steps {
                pouring.sample(self, t, observer);
                progress.crowd = Some(Crowd {
                    grains,
                    contacts: pouring.heaps.iter().map(|heap| heap.meets.len()).sum(),
                });
                // Where samples are asked for more often than there are steps, those in between fall out.
                while due(samples, every) <= steps {
                    samples += 1;
                }
            }
            if let Some(every) = snapshot_step
                && (due(snapshots, every) <= steps || steps == count)
            {
                pouring.snapshot(t, observer);
                while due(snapshots, every) <= steps {
                    snapshots += 1;
                }
            }
            if steps == count {
                break;
            }
            // From the count, so that nothing adds up.
            let next = match steps + 1 == count {
                true => end,
                false => start + (steps + 1) as f64 * step,
            };
            reason = pouring.step(self, t, next, step).err();
            if reason.is_some() {
                break;
            }
            progress.t = next;
            progress.steps += 1;
            if observer.progress(&progress).is_break() {
                status = Status::Stopped;
                reason = Some(format!("ended by the user at t = {} s", short(next)));
            }
        }
        if reason.is_some() && status != Status::Stopped {
            status = Status::Failed;
        }
        // Where it ends is a sample too.
        if progress.t > pouring.last {
            pouring.sample(self, progress.t, observer);
            if snapshot_step.is_some() {
                pouring.snapshot(progress.t, observer);
            }
        }
        warnings.extend(pouring.heaps.iter().filter_map(|heap| heap.long_step(step)));
        let statistics = Statistics {
            rhs_evaluations: progress.steps,
            steps_accepted: progress.steps,
            events: pouring
                .heaps
                .iter()
                .map(|h| h.world.statistics().begun)
                .sum(),
            ..Statistics::default()
        };
        self.poured(pouring, status, reason, progress.t, statistics, warnings)
    }

    fn poured(
        &mut self,
        pouring: Pouring,
        status: Status,
        reason: Option<String>,
        t: f64,
        statistics: Statistics,
        warnings: Vec<Warning>,
    ) -> Outcome {
        let Pouring {
            heaps,
            first,
            scale,
            y,
            ..
        } = pouring;
        let mut outcome = self.outcome(status, reason, t, &y, first, statistics, warnings);
        outcome.ledger = together(outcome.ledger, &heaps);
        let hint = "a shorter step: the error falls with its square";
        let warning = outcome.ledger.imbalance(t, scale, MISSING, hint);
        outcome.warnings.extend(warning);
        outcome.groups = heaps.into_iter().map(Heap::told).collect();
        self.equations.outside = Vec::new();
        outcome
    }

    /// The accelerations of the mechanism at the start.
    fn begin_carrying(&mut self, t: f64, pouring: &mut Pouring) -> Result<(), String> {
        let Pouring {
            heaps, carrying, ..
        } = pouring;
        press(&mut self.equations.outside, heaps);
        let (q, v) = (&carrying.q, &carrying.v);
        self.forces_at(t, q, v)?;
        carrying.a.copy_from_slice(&self.equations.accelerations);
        self.works.powers(t, &self.equations, &mut carrying.powers);
        Ok(())
    }

    /// Positions at the end of the step, and velocities foreseen there.
    fn carry(&mut self, t: f64, next: f64, h: f64, carrying: &mut Carrying) -> Result<(), String> {
        let Carrying {
            q,
            v,
            a,
            foreseen,
            works,
            projects,
            ..
        } = carrying;
        for (((q, v), a), foreseen) in q.iter_mut().zip(&*v).zip(&*a).zip(&mut *foreseen) {
            *q += h * (v + 0.5 * h * a);
            *foreseen = v + h * a;
        }
        if *projects {
            let before = self.equations.kinetic(foreseen);
            self.project_onto(next, q, foreseen)?;
            if self.model.breaks.iter().any(|at| *at > t && *at <= next) {
                // Where a driver's speed jumps the bodies are struck: what they gain is the driver's work.
                let gained = self.equations.kinetic(foreseen) - before;
                if let Some(work) = works.first_mut() {
                    *work += gained;
                }
                // The blow is over: the step goes on from the speed after it.
                for ((v, foreseen), a) in v.iter_mut().zip(&*foreseen).zip(&*a) {
                    *v = foreseen - h * a;
                }
            }
        } else {
            self.equations.rows(next, q, foreseen);
        }
        Ok(())
    }

    /// Accelerations and velocities at the end of the step, with what the grains do.
    fn finish_carrying(
        &mut self,
        next: f64,
        h: f64,
        carrying: &mut Carrying,
    ) -> Result<(), String> {
        let Carrying {
            q,
            v,
            a,
            foreseen,
            works,
            powers,
            before,
            projects,
        } = carrying;
        self.forces_at(next, q, foreseen)?;
        std::mem::swap(before, powers);
        self.works.powers(next, &self.equations, powers);
        for ((work, before), now) in works.iter_mut().zip(&*before).zip(&*powers) {
            *work += 0.5 * h * (before + now);
        }
        for ((v, a), now) in v.iter_mut().zip(&mut *a).zip(&self.equations.accelerations) {
            *v += 0.5 * h * (*a + now);
            *a = *now;
        }
        if *projects {
            self.project_onto(next, q, v)?;
        }
        if q.iter().chain(&*v).all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(format!(
            "at t = {next} s the motion of a body is no finite number any more; a shorter step may help"
        ))
    }

    /// Accelerations and multipliers with what the grains do.
    fn forces_at(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), String> {
        match self.equations.evaluate(t, q, v) {
            Ok(Rank::NotFinite) => Err(format!("the forces at t = {} s are not finite", short(t))),
            Ok(_) => Ok(()),
            Err(fault) => Err(format!("at t = {} s: {fault}", short(t))),
        }
    }

    fn project_onto(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<(), String> {
        let size = super::assembly::size(q);
        match self.equations.project(t, q, v) {
            Ok(left) if left <= 1e-6 * size => Ok(()),
            Ok(left) => Err(format!(
                "the joints cannot be kept closed: one is open by {left:.3e} m or rad at t = {} s. The mechanism may be locked, or a driver asks for a position that it cannot reach",
                short(t)
            )),
            Err(fault) => Err(format!("at t = {} s: {fault}", short(t))),
        }
    }
}

impl Pouring {
    fn step(&mut self, system: &mut System, t: f64, next: f64, h: f64) -> Result<(), String> {
        let moves = !self.carrying.q.is_empty();
        if moves {
            system.carry(t, next, h, &mut self.carrying)?;
        }
        for heap in &mut self.heaps {
            let stepped = heap.world.step(&system.equations.poses);
            if let Err(trouble) = stepped {
                let group = system.model.groups.get(heap.entry);
                let said = group.map(|group| stuck(&system.model, group, &trouble));
                let (message, hint) = said.unwrap_or_else(|| (trouble.to_string(), String::new()));
                return Err(match hint.is_empty() {
                    true => message,
                    false => format!("{message}. Hint: {hint}"),
                });
            }
            heap.glance();
        }
        if moves {
            press(&mut system.equations.outside, &self.heaps);
            system.finish_carrying(next, h, &mut self.carrying)?;
        }
        Ok(())
    }

    /// Hands a sample to the observer.
    fn sample(&mut self, system: &mut System, t: f64, observer: &mut dyn Observer) {
        let Carrying { q, v, works, .. } = &self.carrying;
        let n = q.len();
        let parts = [(0, q), (n, v), (2 * n, works)];
        for (at, part) in parts {
            if let Some(place) = self.y.get_mut(at..at + part.len()) {
                place.copy_from_slice(part);
            }
        }
        for heap in &mut self.heaps {
            heap.look(t);
        }
        let kinetic: f64 = self.heaps.iter().map(|heap| heap.now.kinetic).sum();
        self.scale = self.scale.max(kinetic + system.equations.kinetic(v));
        if n > 0 && system.asks_for_forces() {
            // A state that cannot be evaluated is told by the next step.
            let _ = system.equations.evaluate(t, q, v);
        }
        let ledger = together(system.ledger(t, &self.y, self.first), &self.heaps);
        system.read(t, &self.y, self.first, &mut self.values);
        for (channel, value) in system.channels.iter().zip(&mut self.values) {
            let heap = |entry: usize| self.heaps.iter().find(|heap| heap.entry == entry);
            match *channel {
                Channel::Group(entry, quantity) => {
                    if let Some(heap) = heap(entry) {
                        *value = heap.quantity(quantity);
                    }
                }
                Channel::Grain(entry, grain, motion) => {
                    *value = heap(entry).map_or(f64::NAN, |heap| heap.grain(grain, motion));
                }
                Channel::Energy(account) => *value = balance(&ledger, account),
                _ => {}
            }
        }
        observer.sample(t, &self.values);
        self.last = t;
    }

    /// Hands over where all grains are.
    fn snapshot(&mut self, t: f64, observer: &mut dyn Observer) {
        for (group, heap) in self.heaps.iter_mut().enumerate() {
            let places = heap.positions.iter_mut().zip(&mut heap.velocities);
            for ((position, velocity), grain) in places.zip(heap.world.grains()) {
                *position = grain.position;
                *velocity = grain.velocity;
            }
            let grains = Snapshot {
                group,
                positions: &heap.positions,
                velocities: &heap.velocities,
                radii: &heap.radii,
            };
            observer.snapshot(t, &grains);
        }
    }
}

/// What the grains do to the bodies, N, N, N m each.
fn press(outside: &mut [f64], heaps: &[Heap]) {
    for (body, force) in outside.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        *force = [0.0; 3];
        for heap in heaps {
            let on = heap.world.on_carrier(body);
            force.iter_mut().zip(on).for_each(|(sum, on)| *sum += on);
        }
    }
}

/// The ledger of the mechanism with that of the grains: what passes between them is in neither.
fn together(mut ledger: Ledger, heaps: &[Heap]) -> Ledger {
    let stock = |e: &Stock| e.kinetic + e.gravitational + e.indentation + e.bristles;
    for heap in heaps {
        let now = &heap.now;
        ledger.kinetic += now.kinetic;
        ledger.gravitational += now.gravitational;
        ledger.elastic += now.indentation + now.bristles;
        let heats = heap.heats();
        ledger.residual += stock(now) - stock(&heap.first) + heats.iter().sum::<f64>();
        let parts = ["", ".friction", ".rolling"];
        for (part, heat) in parts.into_iter().zip(heats) {
            if part.is_empty() || heat != 0.0 {
                let name = format!("group.{}{part}", heap.name);
                ledger.dissipated.push((name, heat));
            }
        }
    }
    ledger
}

/// One account of a ledger, J.
fn balance(ledger: &Ledger, account: Account) -> f64 {
    match account {
        Account::Kinetic => ledger.kinetic,
        Account::Gravitational => ledger.gravitational,
        Account::Elastic => ledger.elastic,
        Account::DriverWork => ledger.driver_work,
        Account::LoadWork => ledger.load_work,
        Account::Dissipated => ledger.dissipated.iter().map(|(_, heat)| heat).sum(),
        Account::Residual => ledger.residual,
    }
}
