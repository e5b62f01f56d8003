//! Which grains touch each other and their walls in a step, and what is told of them?
//!
//! Grains are free bodies with diagonal masses behind those of the model. Who is near whom is looked up in a list that is made anew when something has moved by half its margin: a sweep along the longer side of the
//! heap, in an order that depends on nothing but the grains.

use crate::geometry::{Frame, Near, Outline, Pair, Shape, Track};
use crate::impulse::Side;
use crate::math;
use crate::mechanics::{Pose, Terms};
use crate::model::{GroupEntry, GroupQuantity, Model, Motion};
use crate::system::crowd::{GrainTouch, Grouped, History, Settling};
use crate::system::reading::Ledger;
use crate::system::saddle::Saddle;

use super::problem::{Pace, Party, Problem, Touch, Who, hairs, sticks};
use super::surface::coefficients;

/// How far apart grains count as near, in parts of the mean radius.
const MARGIN: f64 = 0.5;

/// An outline that grains may touch.
struct Wall {
    shape: Shape,
    carrier: Option<usize>,
    terms: Terms,
    /// A circle around it in the axes of its carrier, m; `None` if it has no end.
    around: Option<([f64; 2], f64)>,
}

/// Two grains that are near each other.
#[derive(Clone, Copy, Debug)]
struct Both {
    one: u32,
    two: u32,
    touch: Touch,
}

/// A grain and a wall that are near each other.
struct Beside {
    grain: u32,
    wall: u32,
    pair: Pair,
    tracks: Vec<Track>,
    touches: Vec<Touch>,
}

/// A group of grains.
pub(super) struct Group {
    pub entry: usize,
    name: String,
    /// Its place among all that moves.
    pub first: usize,
    pub radii: Vec<f64>,
    pub masses: Vec<[f64; 3]>,
    terms: Terms,
    coefficients: [f64; 2],
    walls: Vec<Wall>,
    near: Vec<Both>,
    beside: Vec<Beside>,
    margin: f64,
    /// An upper bound of how far anything has moved since the list was made, m.
    moved: f64,
    /// Order of the sweep, and spare room.
    order: Vec<u32>,
    spare: Vec<Both>,
    rebuilds: u64,
    most: usize,
    /// What became heat, along the normals and by friction, J.
    pub heats: [f64; 2],
    deepest: f64,
    hardest: f64,
    settling: Settling,
    history: History,
    /// Kinetic and gravitational energy at the start and at the last look, J.
    pub first_energies: [f64; 2],
    pub energies: [f64; 2],
}

fn wall(model: &Model, body: Option<usize>, shape: usize, terms: &Terms) -> Option<Wall> {
    let shapes = match body {
        Some(body) => &model.bodies.get(body)?.shapes,
        None => &model.ground_shapes,
    };
    let shape = shapes.get(shape)?.shape.clone();
    let around = match &shape.outline {
        Outline::Plane { .. } | Outline::Bore { .. } => None,
        _ => {
            let points = shape.outline(256);
            let middle =
                points
                    .iter()
                    .fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[l, h], p| {
                        [
                            [l[0].min(p[0]), l[1].min(p[1])],
                            [h[0].max(p[0]), h[1].max(p[1])],
                        ]
                    });
            let middle = [
                0.5 * (middle[0][0] + middle[1][0]),
                0.5 * (middle[0][1] + middle[1][1]),
            ];
            let far = points
                .iter()
                .map(|p| length([p[0] - middle[0], p[1] - middle[1]]));
            Some((middle, 1.02 * far.fold(0.0, f64::max)))
        }
    };
    Some(Wall {
        shape,
        carrier: body,
        terms: terms.clone(),
        around,
    })
}

fn length([x, y]: [f64; 2]) -> f64 {
    math::sqrt(x * x + y * y)
}

fn frame(pose: &Pose) -> Frame {
    Frame {
        at: pose.position,
        cos: pose.cos,
        sin: pose.sin,
    }
}

fn upright(q: &[f64; 3]) -> Frame {
    Frame {
        at: [q[0], q[1]],
        cos: 1.0,
        sin: 0.0,
    }
}

impl Group {
    /// A group of the model whose grains stand from place `first` on; with their positions and velocities at the start.
    pub fn new(
        model: &Model,
        entry: usize,
        group: &GroupEntry,
        first: usize,
        q: &mut Vec<[f64; 3]>,
        v: &mut Vec<[f64; 3]>,
    ) -> Option<Self> {
        let grains = group.grains()?;
        q.extend(grains.iter().map(|grain| grain.position));
        v.extend(grains.iter().map(|grain| grain.velocity));
        let radii: Vec<f64> = grains.iter().map(|grain| grain.radius).collect();
        let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
        let walls = group.walls.iter();
        Some(Self {
            entry,
            name: group.name.clone(),
            first,
            masses: grains.iter().map(|g| [g.mass, g.mass, g.inertia]).collect(),
            terms: group.terms.clone(),
            coefficients: coefficients(group.friction.as_ref()),
            walls: walls
                .filter_map(|w| wall(model, w.body, w.shape, &w.terms))
                .collect(),
            near: Vec::new(),
            beside: Vec::new(),
            margin: MARGIN * mean,
            moved: f64::INFINITY,
            order: (0..radii.len() as u32).collect(),
            spare: Vec::new(),
            rebuilds: 0,
            most: 0,
            heats: [0.0; 2],
            deepest: 0.0,
            hardest: 0.0,
            settling: Settling::default(),
            history: History::default(),
            first_energies: [0.0; 2],
            energies: [0.0; 2],
            radii,
        })
    }

    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// A step of this length (s) was done: how far may anything have moved? `bodies` are the poses of the model's.
    pub fn moves(&mut self, h: f64, v: &[[f64; 3]], bodies: &[Pose]) {
        let own = v
            .get(self.first..self.first + self.len())
            .unwrap_or_default();
        let most = own.iter().map(|v| v[0] * v[0] + v[1] * v[1]);
        let mut fastest = math::sqrt(most.fold(0.0, f64::max));
        for wall in &self.walls {
            if let Some(pose) = wall.carrier.and_then(|body| bodies.get(body)) {
                // A wall without an end may sweep anywhere: the list is made in every step while it turns.
                let reach = match wall.around {
                    Some((middle, radius)) => length(middle) + radius,
                    None if pose.omega == 0.0 => 0.0,
                    None => f64::INFINITY,
                };
                let turns = if pose.omega == 0.0 {
                    0.0
                } else {
                    reach * pose.omega.abs()
                };
                fastest = fastest.max(length(pose.velocity) + turns);
            }
        }
        self.moved += h * fastest;
    }

    /// Makes the list anew if something may have come near.
    pub fn look_around(&mut self, q: &[[f64; 3]], poses: &[Pose]) {
        if self.moved <= 0.25 * self.margin {
            return;
        }
        self.moved = 0.0;
        self.rebuilds += 1;
        let Some(q) = q.get(self.first..self.first + self.radii.len()) else {
            return;
        };
        let [mut low, mut high] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for q in q {
            for k in 0..2 {
                low[k] = low[k].min(q[k]);
                high[k] = high[k].max(q[k]);
            }
        }
        let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
        let start = |i: u32| {
            let i = i as usize;
            let at = q.get(i).map_or(f64::NAN, |q| q[axis]);
            at - self.radii.get(i).copied().unwrap_or(0.0)
        };
        self.order
            .sort_unstable_by(|&a, &b| start(a).total_cmp(&start(b)).then(a.cmp(&b)));
        self.spare.clear();
        for (place, &i) in self.order.iter().enumerate() {
            let (Some(a), Some(&r)) = (q.get(i as usize), self.radii.get(i as usize)) else {
                continue;
            };
            let end = a[axis] + r + self.margin;
            for &j in self.order.iter().skip(place + 1) {
                let (Some(b), Some(&s)) = (q.get(j as usize), self.radii.get(j as usize)) else {
                    continue;
                };
                if b[axis] - s > end {
                    break;
                }
                let reach = r + s + self.margin;
                let d = [b[0] - a[0], b[1] - a[1]];
                if d[0] * d[0] + d[1] * d[1] <= reach * reach {
                    self.spare.push(Both {
                        one: i.min(j),
                        two: i.max(j),
                        touch: Touch::default(),
                    });
                }
            }
        }
        self.spare.sort_unstable_by_key(|both| (both.one, both.two));
        // What touched is remembered: both lists are in order.
        let mut old = self.near.iter().peekable();
        for both in &mut self.spare {
            let key = (both.one, both.two);
            while old.next_if(|o| (o.one, o.two) < key).is_some() {}
            if let Some(known) = old.next_if(|o| (o.one, o.two) == key) {
                both.touch = known.touch;
            }
        }
        std::mem::swap(&mut self.near, &mut self.spare);
        self.look_at_walls_of(q.len(), q, poses);
        self.most = self.most.max(self.near.len() + self.beside.len());
    }

    fn look_at_walls_of(&mut self, count: usize, q: &[[f64; 3]], poses: &[Pose]) {
        let mut known = std::mem::take(&mut self.beside).into_iter().peekable();
        for (w, wall) in self.walls.iter().enumerate() {
            let place = frame(&Pose::of(wall.carrier, poses));
            for i in 0..count {
                let key = (w as u32, i as u32);
                while known.next_if(|b| (b.wall, b.grain) < key).is_some() {}
                let old = known.next_if(|b| (b.wall, b.grain) == key);
                let (Some(at), Some(&radius)) = (q.get(i), self.radii.get(i)) else {
                    continue;
                };
                if let Some((middle, reach)) = wall.around {
                    let p = place.point(middle);
                    if length([at[0] - p[0], at[1] - p[1]]) > reach + radius + self.margin {
                        continue;
                    }
                }
                let mut beside = match old {
                    Some(old) => old,
                    None => {
                        let disc = Shape::circle([0.0; 2], radius);
                        let pair = disc.and_then(|disc| Pair::new(wall.shape.clone(), disc));
                        let Ok(pair) = pair else { continue };
                        let slots = pair.slots();
                        Beside {
                            grain: i as u32,
                            wall: w as u32,
                            pair,
                            tracks: vec![Track::default(); slots],
                            touches: vec![Touch::default(); slots],
                        }
                    }
                };
                if beside.is_near(&place, at, self.margin) {
                    self.beside.push(beside);
                }
            }
        }
    }

    /// Looks for points of contact with walls anew, at the start of a step.
    pub fn seek(&mut self, q: &[[f64; 3]], poses: &[Pose]) {
        for beside in &mut self.beside {
            let Some(wall) = self.walls.get(beside.wall as usize) else {
                continue;
            };
            let Some(at) = q.get(self.first + beside.grain as usize) else {
                continue;
            };
            for (track, touch) in beside.tracks.iter_mut().zip(&beside.touches) {
                track.held = touch.met;
            }
            let place = frame(&Pose::of(wall.carrier, poses));
            beside.pair.seek([&place, &upright(at)], &mut beside.tracks);
        }
    }

    /// Puts all that touch into the problem of a step that begins with these velocities; positions are those in its middle.
    pub fn gather(
        &mut self,
        group: usize,
        q: &[[f64; 3]],
        poses: &[Pose],
        pace: &Pace<'_>,
        saddle: &mut Saddle,
        problem: &mut Problem,
        all: &mut Vec<[Side; 2]>,
    ) -> Result<(), String> {
        let (first, rubs) = (self.first, self.coefficients != [0.0; 2]);
        for (k, both) in self.near.iter_mut().enumerate() {
            let [one, two] = [both.one as usize, both.two as usize];
            let Some(seen) = apart(q, first, &self.radii, one, two) else {
                continue;
            };
            if !both.touch.joins(seen.gap, seen.size, &seen.sides, pace) {
                continue;
            }
            let [hair, _] = hairs(seen.size);
            let who = Who::Grains(group, k);
            let place = problem.push(who, seen.sides, rubs, hair, saddle, pace.before);
            let place = place.map_err(|fault| fault.to_string())?;
            all.push(seen.sides);
            let party = Party {
                gap: seen.gap,
                place,
                hair,
                fastest: pace.fastest(&seen.sides),
                driven: pace.driven(&seen.sides),
                moving: 0.0,
                bends: 0.0,
                terms: &self.terms,
                curvatures: [one, two].map(|i| self.radii.get(i).map_or(0.0, |r| 1.0 / r)),
                coefficients: self.coefficients,
            };
            both.touch.meet(&party, problem, pace)?;
        }
        for (k, beside) in self.beside.iter_mut().enumerate() {
            let Some(wall) = self.walls.get(beside.wall as usize) else {
                continue;
            };
            let grain = first + beside.grain as usize;
            let (Some(at), Some(&radius)) = (q.get(grain), self.radii.get(beside.grain as usize))
            else {
                continue;
            };
            let pose = Pose::of(wall.carrier, poses);
            let frames = [frame(&pose), upright(at)];
            let frames = [&frames[0], &frames[1]];
            let [hair, _] = hairs(radius);
            let slots = beside.tracks.iter().zip(&mut beside.touches).enumerate();
            for (slot, (track, touch)) in slots {
                let near = beside.pair.near(slot, frames, track);
                let Some(near) = near else {
                    *touch = Touch::default();
                    continue;
                };
                let sides = on_wall(&near, &pose, wall.carrier, grain, at);
                if !touch.joins(near.gap, radius, &sides, pace) {
                    continue;
                }
                let who = Who::Wall(group, k, slot);
                let place = problem.push(who, sides, rubs, hair, saddle, pace.before);
                let place = place.map_err(|fault| fault.to_string())?;
                all.push(sides);
                let party = Party {
                    gap: near.gap,
                    place,
                    hair,
                    fastest: pace.fastest(&sides),
                    driven: pace.driven(&sides),
                    moving: 0.0,
                    bends: 0.0,
                    terms: &wall.terms,
                    curvatures: near.curvatures,
                    coefficients: self.coefficients,
                };
                touch.meet(&party, problem, pace)?;
            }
        }
        Ok(())
    }

    /// Puts all whose gaps are at most `reach` (m) into the problem of pushing them apart, with their gaps.
    pub fn crowd(
        &self,
        group: usize,
        reach: f64,
        (q, poses): (&[[f64; 3]], &[Pose]),
        velocities: &[[f64; 3]],
        saddle: &mut Saddle,
        problem: &mut Problem,
        gaps: &mut Vec<f64>,
    ) -> Result<(), String> {
        for (k, both) in self.near.iter().enumerate() {
            let [one, two] = [both.one as usize, both.two as usize];
            let seen = apart(q, self.first, &self.radii, one, two);
            let Some(seen) = seen.filter(|seen| seen.gap <= reach) else {
                continue;
            };
            let [hair, _] = hairs(seen.size);
            let who = Who::Grains(group, k);
            let place = problem.push(who, seen.sides, false, hair, saddle, velocities);
            place.map_err(|fault| fault.to_string())?;
            gaps.push(seen.gap);
        }
        for (k, beside) in self.beside.iter().enumerate() {
            let Some(wall) = self.walls.get(beside.wall as usize) else {
                continue;
            };
            let grain = self.first + beside.grain as usize;
            let (Some(at), Some(&radius)) = (q.get(grain), self.radii.get(beside.grain as usize))
            else {
                continue;
            };
            let pose = Pose::of(wall.carrier, poses);
            let frames = [frame(&pose), upright(at)];
            let frames = [&frames[0], &frames[1]];
            let [hair, _] = hairs(radius);
            for (slot, track) in beside.tracks.iter().enumerate() {
                let near = beside.pair.near(slot, frames, track);
                let Some(near) = near.filter(|near| near.gap <= reach) else {
                    continue;
                };
                let sides = on_wall(&near, &pose, wall.carrier, grain, at);
                let who = Who::Wall(group, k, slot);
                let place = problem.push(who, sides, false, hair, saddle, velocities);
                place.map_err(|fault| fault.to_string())?;
                gaps.push(near.gap);
            }
        }
        Ok(())
    }

    fn touch(&mut self, who: Who) -> Option<&mut Touch> {
        match who {
            Who::Grains(_, k) => self.near.get_mut(k).map(|both| &mut both.touch),
            Who::Wall(_, k, slot) => self.beside.get_mut(k)?.touches.get_mut(slot),
            Who::Site(_) => None,
        }
    }

    /// Takes note of what a step did to a contact.
    pub fn note(
        &mut self,
        who: Who,
        before: [f64; 2],
        after: [f64; 2],
        impulse: [f64; 2],
        [friction, step, scale]: [f64; 3],
    ) {
        for (k, heat) in self.heats.iter_mut().enumerate() {
            *heat -= 0.5 * impulse[k] * (before[k] + after[k]);
        }
        self.hardest = self.hardest.max(impulse[0] / step);
        if let Some(touch) = self.touch(who) {
            touch.impulse = impulse;
            touch.sticks = sticks(impulse, friction, after[1], scale);
        }
    }

    /// The gap of a contact as all stand, m.
    pub fn gap(&mut self, who: Who, q: &[[f64; 3]], poses: &[Pose]) -> Option<f64> {
        let gap = match who {
            Who::Grains(_, k) => {
                let both = self.near.get(k)?;
                let [one, two] = [both.one as usize, both.two as usize];
                apart(q, self.first, &self.radii, one, two)?.gap
            }
            Who::Wall(_, k, slot) => {
                let beside = self.beside.get(k)?;
                let wall = self.walls.get(beside.wall as usize)?;
                let place = frame(&Pose::of(wall.carrier, poses));
                let disc = upright(q.get(self.first + beside.grain as usize)?);
                let track = beside.tracks.get(slot)?;
                beside.pair.near(slot, [&place, &disc], track)?.gap
            }
            Who::Site(_) => return None,
        };
        self.deepest = self.deepest.max(-gap);
        Some(gap)
    }

    /// Takes note of energies, at a sample.
    pub fn look(&mut self, t: f64, q: &[[f64; 3]], v: &[[f64; 3]], gravity: [f64; 2]) {
        self.weigh(q, v, gravity);
        let [kinetic, _] = self.energies;
        self.settling.look(t, kinetic);
        self.history.offer(t, kinetic);
    }

    /// The energies of motion and height as the grains are.
    pub fn weigh(&mut self, q: &[[f64; 3]], v: &[[f64; 3]], gravity: [f64; 2]) {
        let [mut kinetic, mut height] = [0.0; 2];
        let own = self.first..self.first + self.len();
        let (q, v) = (
            q.get(own.clone()).unwrap_or_default(),
            v.get(own).unwrap_or_default(),
        );
        for ((m, q), v) in self.masses.iter().zip(q).zip(v) {
            kinetic += 0.5 * (m[0] * (v[0] * v[0] + v[1] * v[1]) + m[2] * v[2] * v[2]);
            height -= m[0] * (gravity[0] * q[0] + gravity[1] * q[1]);
        }
        self.energies = [kinetic, height];
    }

    /// Adds its energies to a ledger.
    pub fn tell(&self, ledger: &mut Ledger) {
        let [kinetic, height] = self.energies;
        ledger.kinetic += kinetic;
        ledger.gravitational += height;
        let gained = kinetic + height - self.first_energies.iter().sum::<f64>();
        ledger.residual += gained + self.heats.iter().sum::<f64>();
        for (part, heat) in ["", ".friction"].into_iter().zip(self.heats) {
            if part.is_empty() || heat != 0.0 {
                let name = format!("group.{}{part}", self.name);
                ledger.dissipated.push((name, heat));
            }
        }
    }

    /// How many touches got an impulse in the last step.
    pub fn touching(&self) -> usize {
        let pressed = |touch: &Touch| touch.impulse[0] > 0.0;
        let near = self.near.iter().filter(|both| pressed(&both.touch));
        let walls = self.beside.iter().flat_map(|beside| &beside.touches);
        near.count() + walls.filter(|touch| pressed(touch)).count()
    }

    /// A channel of the whole group.
    pub fn quantity(&self, quantity: GroupQuantity, q: &[[f64; 3]]) -> f64 {
        let own = q
            .get(self.first..self.first + self.len())
            .unwrap_or_default();
        let centre = |k: usize| {
            let sums = own
                .iter()
                .zip(&self.masses)
                .fold([0.0; 2], |[m, s], (q, mass)| {
                    [m + mass[0], s + mass[0] * q[k]]
                });
            sums[1] / sums[0]
        };
        match quantity {
            GroupQuantity::Kinetic => self.energies[0],
            GroupQuantity::Contacts => self.touching() as f64,
            GroupQuantity::Overlap => {
                let gaps = self.near.iter().filter_map(|both| {
                    let [one, two] = [both.one as usize, both.two as usize];
                    Some(apart(q, self.first, &self.radii, one, two)?.gap)
                });
                gaps.fold(0.0, |deep, gap| deep.max(-gap))
            }
            GroupQuantity::Top => {
                let tops = own.iter().zip(&self.radii).map(|(q, r)| q[1] + r);
                tops.fold(f64::NEG_INFINITY, f64::max)
            }
            GroupQuantity::CentreX => centre(0),
            GroupQuantity::CentreY => centre(1),
        }
    }

    /// A channel of one grain.
    pub fn grain(&self, grain: usize, motion: Motion, q: &[[f64; 3]], v: &[[f64; 3]]) -> f64 {
        let at = Some(self.first + grain).filter(|_| grain < self.len());
        let find = |all: &[[f64; 3]], k: usize| {
            let found = at.and_then(|at| all.get(at));
            found.map_or(f64::NAN, |all| all[k])
        };
        match motion {
            Motion::X => find(q, 0),
            Motion::Y => find(q, 1),
            Motion::Angle => find(q, 2),
            Motion::Vx => find(v, 0),
            Motion::Vy => find(v, 1),
            Motion::Omega => find(v, 2),
            Motion::Ax | Motion::Ay | Motion::Alpha => f64::NAN,
        }
    }

    /// What is left at the end.
    pub fn told(self, q: &[[f64; 3]], v: &[[f64; 3]], step: f64) -> Grouped {
        let own = self.first..self.first + self.len();
        let mut touches = Vec::new();
        for both in self.near.iter().filter(|both| both.touch.impulse[0] > 0.0) {
            let [one, two] = [both.one as usize, both.two as usize];
            let (Some(a), Some(b)) = (q.get(self.first + one), q.get(self.first + two)) else {
                continue;
            };
            let part = |r: Option<&f64>| r.copied().unwrap_or(0.0);
            let (r, s) = (part(self.radii.get(one)), part(self.radii.get(two)));
            let share = r / (r + s);
            touches.push(GrainTouch {
                grain: one,
                other: Some(two),
                point: [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])],
                force: both.touch.impulse[0] / step,
                friction: both.touch.impulse[1] / step,
            });
        }
        for beside in &self.beside {
            let Some(wall) = self.walls.get(beside.wall as usize) else {
                continue;
            };
            let Some(at) = q.get(self.first + beside.grain as usize) else {
                continue;
            };
            for (slot, touch) in beside.touches.iter().enumerate() {
                if !(touch.impulse[0] > 0.0) {
                    continue;
                }
                // Walls of the ground stand where they stood; of others the point is where the grain is nearest.
                let place = frame(&Pose::GROUND);
                let near = beside
                    .tracks
                    .get(slot)
                    .and_then(|track| beside.pair.near(slot, [&place, &upright(at)], track));
                let point = near
                    .filter(|_| wall.carrier.is_none())
                    .map_or([at[0], at[1]], |near| near.points[0]);
                touches.push(GrainTouch {
                    grain: beside.grain as usize,
                    other: None,
                    point,
                    force: touch.impulse[0] / step,
                    friction: touch.impulse[1] / step,
                });
            }
        }
        Grouped {
            name: self.name,
            positions: q.get(own.clone()).unwrap_or_default().to_vec(),
            velocities: v.get(own).unwrap_or_default().to_vec(),
            radii: self.radii,
            touches,
            kinetic: self.energies[0],
            kinetic_peak: self.settling.peak,
            settled: self.settling.since(),
            max_overlap: self.deepest,
            max_force: self.hardest,
            history: self.history.into_points(),
            rebuilds: self.rebuilds,
            pairs: self.most as u64,
            contact_time: None,
        }
    }
}

impl Beside {
    fn is_near(&mut self, place: &Frame, at: &[f64; 3], margin: f64) -> bool {
        let disc = upright(at);
        self.pair.seek([place, &disc], &mut self.tracks);
        self.tracks.iter().enumerate().any(|(slot, track)| {
            let near = self.pair.near(slot, [place, &disc], track);
            near.is_some_and(|near| near.gap <= margin)
        })
    }
}

/// Two grains as they stand.
struct Seen {
    gap: f64,
    size: f64,
    sides: [Side; 2],
}

#[inline]
fn apart(q: &[[f64; 3]], first: usize, radii: &[f64], one: usize, two: usize) -> Option<Seen> {
    let (a, b) = (q.get(first + one)?, q.get(first + two)?);
    let (&r, &s) = (radii.get(one)?, radii.get(two)?);
    let d = [b[0] - a[0], b[1] - a[1]];
    let distance = length(d);
    // Centre in centre there is no normal.
    if !(distance > 0.0) {
        return None;
    }
    let [x, y] = [d[0] / distance, d[1] / distance];
    Some(Seen {
        gap: distance - r - s,
        size: r.min(s),
        sides: [
            Side {
                body: first + one,
                normal: [-x, -y, 0.0],
                slip: [y, -x, -r],
            },
            Side {
                body: first + two,
                normal: [x, y, 0.0],
                slip: [-y, x, -s],
            },
        ],
    })
}

/// The sides of a wall and of a grain at a point; the normal points to the grain.
fn on_wall(
    near: &Near,
    pose: &Pose,
    carrier: Option<usize>,
    grain: usize,
    at: &[f64; 3],
) -> [Side; 2] {
    let [x, y] = near.normal;
    let point = [
        0.5 * (near.points[0][0] + near.points[1][0]),
        0.5 * (near.points[0][1] + near.points[1][1]),
    ];
    let side = |body: usize, centre: [f64; 2], sign: f64| {
        let arm = [point[0] - centre[0], point[1] - centre[1]];
        Side {
            body,
            normal: [sign * x, sign * y, sign * (arm[0] * y - arm[1] * x)],
            slip: [-sign * y, sign * x, sign * (arm[0] * x + arm[1] * y)],
        }
    };
    let wall = match carrier {
        Some(body) => side(body, pose.position, -1.0),
        None => Side::STILL,
    };
    [wall, side(grain, [at[0], at[1]], 1.0)]
}
