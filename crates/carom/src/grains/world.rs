//! How does a heap of grains go one step further, and what is known of it?

use crate::grains::block::{Block, Body, Course, Incoming, Powers};
use crate::grains::neighbours::{BroadPhase, Order};
use crate::grains::pairs;
use crate::grains::pairs::{CALM, Context};
use crate::grains::rules::{Kept, Prepared, Rub};
use crate::grains::threads::Hands;
use crate::grains::walls;
use crate::grains::walls::Standing;
use crate::grains::{Fault, Grain, Rules, Trouble, Wall, Who};
use crate::impact;
use crate::math;
use crate::mechanics::Pose;

/// How the world is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The step, s.
    pub step: f64,
    /// The acceleration of free fall, m/s².
    pub gravity: [f64; 2],
    /// The time at the start, s.
    pub start: f64,
    /// How many threads; 0: as many as the machine has. The result does not depend on it. Without the feature `threads` there is one.
    pub threads: usize,
    /// How near grains are found.
    pub broad_phase: BroadPhase,
    /// How far apart grains count as near, as a part of the mean radius; the list of neighbours is made anew when one has moved by half of it.
    pub skin: f64,
}

impl Default for Settings {
    /// Free fall of 9.80665 m/s² along −y, one thread. The step has no default: it is not a number until it is given.
    fn default() -> Self {
        Self {
            step: f64::NAN,
            gravity: [0.0, -9.80665],
            start: 0.0,
            threads: 1,
            broad_phase: BroadPhase::Auto,
            skin: 0.25,
        }
    }
}

/// Where the energy is, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Of weight; zero at the origin.
    pub gravitational: f64,
    /// In indentations.
    pub indentation: f64,
    /// In springs and bristles of friction.
    pub bristles: f64,
    /// Become heat along the normals.
    pub heat_normal: f64,
    /// Become heat by friction.
    pub heat_friction: f64,
    /// Become heat by rolling.
    pub heat_rolling: f64,
    /// Brought in by walls that are moved.
    pub wall_work: f64,
}

impl Energies {
    /// What stays the same: all that is here and all that became heat, less what was brought in.
    pub fn balance(&self) -> f64 {
        self.kinetic
            + self.gravitational
            + self.indentation
            + self.bristles
            + self.heat_normal
            + self.heat_friction
            + self.heat_rolling
            - self.wall_work
    }
}

/// A contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meet {
    /// The grain, by its number.
    pub grain: usize,
    /// What it touches; of two grains the one with the higher number.
    pub other: Who,
    /// Where, midway between the surfaces, m.
    pub point: [f64; 2],
    /// The unit vector from the grain to the other.
    pub normal: [f64; 2],
    /// How deep, m.
    pub overlap: f64,
    /// The force that pushes both apart, N.
    pub force: f64,
    /// The friction on the other, 90° counter-clockwise from the normal, N.
    pub friction: f64,
}

/// What the engine did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps.
    pub steps: u64,
    /// How often the list of neighbours was made.
    pub rebuilds: u64,
    /// Pairs in it.
    pub pairs: usize,
    /// Contacts now.
    pub contacts: usize,
    /// Contacts that have begun so far.
    pub begun: u64,
    /// How often, counted over contacts and steps, a damper or a steep law of friction was limited to what the step can follow.
    pub limited: u64,
    /// The deepest overlap of two grains now, m.
    pub overlap: f64,
    /// The shortest time that a contact was foreseen to take when it began, s; infinite before the first.
    pub shortest_contact: f64,
    /// Memory held, bytes.
    pub bytes: usize,
}

/// Contacts are followed by at least so many steps; with fewer there is a warning.
const FEWEST: f64 = 20.0;
/// The same for contacts that last: π/20 rad a step.
const SWING: f64 = 0.157;
/// The deepest overlap that is allowed, in parts of the smaller radius.
const DEEPEST: f64 = 0.5;
/// The longest way in one step, in parts of the smallest radius.
const WAY: f64 = 0.25;

/// What kind of doubt there is about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caution {
    /// The shortest contact has few steps.
    Brief,
    /// A contact swings too far in a step.
    Swinging,
    /// Dampers or steep laws of friction were limited.
    Limited,
}

/// Many discs, a few walls, and the time.
pub struct World {
    bodies: Vec<Body>,
    courses: Vec<Course>,
    /// The number as given of every place, and the place of every number.
    ids: Vec<u32>,
    places: Vec<u32>,
    /// Where grains were when the list was made, m.
    reference: Vec<[f64; 2]>,
    blocks: Vec<Block>,
    letters: Vec<Vec<[f64; 3]>>,
    size: usize,
    between: Prepared,
    walls: Vec<Standing>,
    carriers: Vec<Pose>,
    mobilities: Vec<[[f64; 3]; 3]>,
    /// The carriers when the list was made, and how far the farthest grain was from each then, m.
    anchored: Vec<(Pose, f64)>,
    gravity: [f64; 2],
    h: f64,
    start: f64,
    steps: u64,
    rebuilds: u64,
    skin: f64,
    cells: bool,
    /// An upper bound of how far any grain has moved since the list was made, m.
    moved: f64,
    smallest: f64,
    largest: f64,
    order: Order,
    spare: Spare,
    hands: Hands,
    trouble: Option<Trouble>,
}

/// Room for making the list.
#[derive(Default)]
struct Spare {
    bodies: Vec<Body>,
    courses: Vec<Course>,
    ids: Vec<u32>,
    places: Vec<u32>,
    blocks: Vec<Block>,
}

impl World {
    /// Grains at the start, walls, what happens where grains touch each other, and the poses of the carriers.
    pub fn new(
        grains: &[Grain],
        walls: Vec<Wall>,
        between: Rules,
        settings: &Settings,
        carriers: &[Pose],
    ) -> Result<Self, Fault> {
        const MOST: usize = 1 << 30;
        if grains.len() > MOST {
            return Err(Fault::TooMany {
                count: grains.len(),
                most: MOST,
            });
        }
        let setting = |name, value: f64, unit, allowed: &str, hint| Fault::OutOfRange {
            of: "settings".into(),
            name,
            value,
            unit,
            allowed: allowed.into(),
            hint,
        };
        let Settings { step, gravity, .. } = *settings;
        if !(step > 0.0 && step.is_finite()) {
            let hint = "a fiftieth of the time of a contact is a good step: `suggested_step`";
            return Err(setting("step", step, "s", "> 0", hint));
        }
        for value in gravity {
            if !value.is_finite() {
                return Err(setting("gravity", value, "m/s²", "finite", ""));
            }
        }
        if !settings.start.is_finite() {
            return Err(setting("start", settings.start, "s", "finite", ""));
        }
        if !(0.01..=4.0).contains(&settings.skin) {
            return Err(setting("skin", settings.skin, "", "0.01 to 4", ""));
        }
        for (i, grain) in grains.iter().enumerate() {
            grain.check(i)?;
        }
        let mut standing = Vec::with_capacity(walls.len());
        let largest_grain = grains
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.radius.total_cmp(&b.1.radius));
        for (w, wall) in walls.iter().enumerate() {
            if let Some(carrier) = wall.carrier.filter(|&c| c >= carriers.len()) {
                return Err(Fault::Carrier {
                    wall: w,
                    carrier,
                    count: carriers.len(),
                });
            }
            let wall = Standing::new(w, wall)?;
            if let Some((i, grain)) = largest_grain {
                wall.takes(w, i, grain.radius)?;
            }
            standing.push(wall);
        }
        let count = grains.len();
        let radii = || grains.iter().map(|g| g.radius);
        let smallest = radii().fold(f64::INFINITY, f64::min);
        let largest = radii().fold(0.0, f64::max);
        let mean = radii().sum::<f64>() / count.max(1) as f64;
        // Blocks must not depend on the number of threads.
        let size = (count / 16).clamp(64, 1024);
        let blocks = count.div_ceil(size);
        let mut world = Self {
            bodies: grains.iter().map(body).collect(),
            courses: grains
                .iter()
                .map(|g| Course {
                    ax: 0.0,
                    ay: 0.0,
                    alpha: 0.0,
                    angle: g.position[2],
                })
                .collect(),
            ids: (0..count as u32).collect(),
            places: (0..count as u32).collect(),
            reference: vec![[0.0; 2]; count],
            blocks: fresh(blocks, carriers.len()),
            letters: vec![Vec::new(); blocks],
            size,
            between: Prepared::new(0, &between)?,
            walls: standing,
            carriers: carriers.to_vec(),
            mobilities: vec![[[0.0; 3]; 3]; carriers.len()],
            anchored: vec![(Pose::GROUND, 0.0); carriers.len()],
            gravity,
            h: step,
            start: settings.start,
            steps: 0,
            rebuilds: 0,
            skin: settings.skin * mean,
            cells: match settings.broad_phase {
                BroadPhase::Cells => true,
                BroadPhase::Sweep => false,
                BroadPhase::Auto => largest <= 8.0 * mean,
            },
            moved: 0.0,
            smallest,
            largest,
            order: Order::default(),
            spare: Spare {
                blocks: fresh(blocks, carriers.len()),
                ..Spare::default()
            },
            hands: Hands::new(settings.threads)?,
            trouble: None,
        };
        let hands = world.hands.clone();
        match hands.among(|| world.begin()) {
            Some(trouble) => Err(Fault::Start(Box::new(trouble))),
            None => Ok(world),
        }
    }

    /// The first look: who touches already, and the accelerations.
    fn begin(&mut self) -> Option<Trouble> {
        self.rebuild();
        self.forces(true);
        let h = self.h;
        for block in &mut self.blocks {
            let latest = block.latest;
            block.sums.add(&latest, 0.5 * h);
        }
        self.finish(true);
        self.look(0.0)
    }

    /// One step further; `carriers` are the poses at its end. After trouble the world stays where it is.
    pub fn step(&mut self, carriers: &[Pose]) -> Result<(), Trouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        if carriers.len() != self.carriers.len() {
            return Err(Trouble::Carriers {
                needed: self.carriers.len(),
                given: carriers.len(),
            });
        }
        self.carriers.copy_from_slice(carriers);
        let hands = self.hands.clone();
        hands.among(|| self.advance())
    }

    fn advance(&mut self) -> Result<(), Trouble> {
        let fastest = self.drift();
        self.steps += 1;
        self.moved += self.h * fastest;
        if !(self.moved <= 0.5 * self.skin) || self.walls_moved() {
            self.catch_up();
        }
        self.forces(false);
        let h = self.h;
        for block in &mut self.blocks {
            let latest = block.latest;
            block.sums.add(&latest, h);
        }
        self.finish(false);
        match self.look(fastest) {
            Some(trouble) => {
                self.trouble = Some(trouble.clone());
                Err(trouble)
            }
            None => Ok(()),
        }
    }

    /// Positions at the end of the step, velocities foreseen for there; the largest speed in between, m/s.
    fn drift(&mut self) -> f64 {
        let h = self.h;
        self.hands.blocks(
            self.size,
            &mut self.bodies,
            &mut self.courses,
            &mut self.blocks,
            |bodies, courses, block| {
                let mut most = 0.0_f64;
                let mut sum = 0.0;
                for (b, c) in bodies.iter_mut().zip(courses) {
                    let (vx, vy) = (b.vx + 0.5 * h * c.ax, b.vy + 0.5 * h * c.ay);
                    b.x += h * vx;
                    b.y += h * vy;
                    c.angle += h * (b.omega + 0.5 * h * c.alpha);
                    b.vx += h * c.ax;
                    b.vy += h * c.ay;
                    b.omega += h * c.alpha;
                    let square = vx * vx + vy * vy;
                    sum += square + b.omega * b.omega;
                    most = most.max(square);
                }
                block.speeds = [sum, most];
            },
        );
        let most = self.blocks.iter().fold(0.0_f64, |m, b| m.max(b.speeds[1]));
        math::sqrt(most)
    }

    /// Accelerations, and the velocities with them.
    fn finish(&mut self, first: bool) {
        let half = if first { 0.0 } else { 0.5 * self.h };
        let [gx, gy] = self.gravity;
        let letters = &self.letters;
        self.hands.blocks(
            self.size,
            &mut self.bodies,
            &mut self.courses,
            &mut self.blocks,
            |bodies, courses, block| {
                for incoming in &block.inbox {
                    let letter = letters
                        .get(incoming.block as usize)
                        .and_then(|l| l.get(incoming.letter as usize));
                    if let (Some(letter), Some(force)) =
                        (letter, block.forces.get_mut(incoming.local as usize))
                    {
                        force[0] += letter[0];
                        force[1] += letter[1];
                        force[2] += letter[2];
                    }
                }
                for ((b, c), f) in bodies.iter_mut().zip(courses).zip(&block.forces) {
                    let ax = f[0] * b.inverse_mass + gx;
                    let ay = f[1] * b.inverse_mass + gy;
                    let alpha = f[2] * b.inverse_inertia;
                    b.vx += half * (ax - c.ax);
                    b.vy += half * (ay - c.ay);
                    b.omega += half * (alpha - c.alpha);
                    (c.ax, c.ay, c.alpha) = (ax, ay, alpha);
                }
            },
        );
    }

    fn forces(&mut self, first: bool) {
        let context = Context {
            bodies: &self.bodies,
            ids: &self.ids,
            time: self.start + self.steps as f64 * self.h,
            h: self.h,
            mobilities: &self.mobilities,
            first,
        };
        let (between, standing, carriers) = (&self.between, &self.walls, &self.carriers);
        self.hands
            .two(&mut self.blocks, &mut self.letters, |block, letters| {
                pairs::forces(block, letters, between, &context);
                walls::forces(block, standing, carriers, &context);
            });
    }

    /// What must not be, if there is something.
    fn look(&mut self, fastest: f64) -> Option<Trouble> {
        let time = self.time();
        let found = self.blocks.iter_mut().find_map(|b| b.trouble.take());
        if found.is_some() {
            return found;
        }
        let sum: f64 = self.blocks.iter().map(|b| b.speeds[0]).sum();
        if !sum.is_finite() {
            let grain = self
                .bodies
                .iter()
                .position(|b| !(b.vx.is_finite() && b.vy.is_finite() && b.omega.is_finite()));
            return Some(Trouble::NotFinite {
                time,
                grain: self.id(grain.unwrap_or(0)),
            });
        }
        let allowed = WAY * self.smallest;
        if fastest * self.h > allowed {
            let speed = |b: &Body| b.vx * b.vx + b.vy * b.vy;
            let grain = (0..self.bodies.len())
                .max_by(|&a, &b| speed(&self.bodies[a]).total_cmp(&speed(&self.bodies[b])));
            return Some(Trouble::Fast {
                time,
                grain: self.id(grain.unwrap_or(0)),
                speed: fastest,
                step: self.h,
                allowed,
            });
        }
        let deepest = self.blocks.iter().fold(0.0_f64, |m, b| m.max(b.deepest));
        if deepest > DEEPEST * self.smallest {
            return self.deep(time);
        }
        None
    }

    #[cold]
    fn deep(&self, time: f64) -> Option<Trouble> {
        for meet in self.touching() {
            let (Who::Grain(other), Some(one)) = (meet.other, self.body(meet.grain)) else {
                continue;
            };
            let allowed = DEEPEST * one.radius.min(self.body(other)?.radius);
            if meet.overlap > allowed {
                return Some(Trouble::Deep {
                    time,
                    grain: meet.grain,
                    other: meet.other,
                    overlap: meet.overlap,
                    allowed,
                });
            }
        }
        None
    }

    /// Whether a carrier may have brought a wall nearer than the list allows.
    fn walls_moved(&self) -> bool {
        self.carriers
            .iter()
            .zip(&self.anchored)
            .any(|(now, (then, reach))| {
                let dx = now.position[0] - then.position[0];
                let dy = now.position[1] - then.position[1];
                let turn = (now.angle - then.angle).abs();
                !(math::sqrt(dx * dx + dy * dy) + reach * turn <= 0.5 * self.skin)
            })
    }

    /// Looks how far grains have really moved, and makes the list anew if it is too far.
    #[cold]
    fn catch_up(&mut self) {
        let mut most = 0.0_f64;
        for (b, r) in self.bodies.iter().zip(&self.reference) {
            let (dx, dy) = (b.x - r[0], b.y - r[1]);
            most = most.max(dx * dx + dy * dy);
        }
        self.moved = math::sqrt(most);
        if !(self.moved <= 0.45 * self.skin) || self.walls_moved() {
            self.rebuild();
        }
    }

    /// Puts the grains into the order of their cells and makes the list of neighbours; contacts keep their memory.
    #[cold]
    fn rebuild(&mut self) {
        self.rebuilds += 1;
        self.moved = 0.0;
        let skin = self.skin;
        let size = self.size;
        self.order
            .sort(&self.bodies, &self.ids, self.largest, skin, self.cells);
        let spare = &mut self.spare;
        spare.bodies.clear();
        spare.courses.clear();
        spare.ids.clear();
        for place in self.order.places() {
            let all = (
                self.bodies.get(place),
                self.courses.get(place),
                self.ids.get(place),
            );
            if let (Some(b), Some(c), Some(i)) = all {
                spare.bodies.push(*b);
                spare.courses.push(*c);
                spare.ids.push(*i);
            }
        }
        std::mem::swap(&mut self.bodies, &mut spare.bodies);
        std::mem::swap(&mut self.courses, &mut spare.courses);
        std::mem::swap(&mut self.ids, &mut spare.ids);
        spare.places.clear();
        spare.places.extend_from_slice(&self.places);
        for (place, &id) in self.ids.iter().enumerate() {
            if let Some(entry) = self.places.get_mut(id as usize) {
                *entry = place as u32;
            }
        }
        for (r, b) in self.reference.iter_mut().zip(&self.bodies) {
            *r = [b.x, b.y];
        }
        for ((anchor, reach), pose) in self.anchored.iter_mut().zip(&self.carriers) {
            *anchor = *pose;
            let far = self.bodies.iter().fold(0.0_f64, |far, b| {
                let (dx, dy) = (b.x - pose.position[0], b.y - pose.position[1]);
                far.max(dx * dx + dy * dy)
            });
            *reach = math::sqrt(far) + self.largest + skin;
        }
        std::mem::swap(&mut self.blocks, &mut spare.blocks);
        let bristle = self.between.has_bristle();
        for (number, (block, letters)) in self.blocks.iter_mut().zip(&mut self.letters).enumerate()
        {
            let base = number * size;
            let count = size.min(self.bodies.len().saturating_sub(base));
            if let Some(old) = spare.blocks.get(number) {
                block.inherit(old);
            }
            block.clear(base, count);
            let mut away = 0;
            for local in 0..count {
                let one = base + local;
                let was = |place: usize| {
                    let id = self.ids.get(place).copied().unwrap_or(0);
                    spare.places.get(id as usize).copied().unwrap_or(0)
                };
                let before = was(one);
                block.starts.push(block.pairs.len() as u32);
                let old = &mut spare.blocks;
                let (bodies, order) = (&self.bodies, &mut self.order);
                order.near(one, bodies, skin, |other| {
                    away += usize::from(other as usize >= base + count);
                    let after = was(other as usize);
                    let (low, high) = (before.min(after), before.max(after));
                    block.adopt(other, old.get_mut(low as usize / size), low, high, bristle);
                });
                let Some(body) = self.bodies.get(one) else {
                    continue;
                };
                for (w, wall) in self.walls.iter().enumerate() {
                    let key = (local as u32, w as u32);
                    let found = walls::beside(
                        wall,
                        key,
                        body,
                        &self.carriers,
                        skin,
                        &mut block.lost,
                        || {
                            let from = old.get_mut(before as usize / size)?;
                            from.release(before, w as u32)
                        },
                    );
                    block.walls.extend(found);
                }
            }
            block.starts.push(block.pairs.len() as u32);
            letters.clear();
            letters.resize(away, [0.0; 3]);
        }
        // Grains that left the list take what their contacts had lost with them.
        for (block, old) in self.blocks.iter_mut().zip(&mut spare.blocks) {
            block.lost += old.leave();
        }
        self.address();
    }

    /// Says every block which letters of others are for its grains.
    fn address(&mut self) {
        for block in &mut self.blocks {
            block.inbox.clear();
        }
        for from in 0..self.blocks.len() {
            let mut letter = 0;
            let end = self.blocks.get(from).map_or(0, |b| b.base + b.count);
            let count = self.blocks.get(from).map_or(0, |b| b.pairs.len());
            for k in 0..count {
                let other = self
                    .blocks
                    .get(from)
                    .and_then(|b| b.pairs.get(k))
                    .map_or(0, |p| p.other as usize);
                if other < end {
                    continue;
                }
                if let Some(to) = self.blocks.get_mut(other / self.size) {
                    to.inbox.push(Incoming {
                        block: from as u32,
                        letter,
                        local: (other - to.base) as u32,
                    });
                }
                letter += 1;
            }
        }
    }

    fn id(&self, place: usize) -> usize {
        self.ids.get(place).map_or(0, |&id| id as usize)
    }

    fn body(&self, id: usize) -> Option<&Body> {
        self.bodies.get(*self.places.get(id)? as usize)
    }

    /// The time, s.
    pub fn time(&self) -> f64 {
        self.start + self.steps as f64 * self.h
    }

    /// How many grains there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.hands.count()
    }

    /// A grain, by its number.
    pub fn grain(&self, id: usize) -> Option<Grain> {
        let place = *self.places.get(id)? as usize;
        let (b, c) = (self.bodies.get(place)?, self.courses.get(place)?);
        Some(Grain {
            position: [b.x, b.y, c.angle],
            velocity: [b.vx, b.vy, b.omega],
            radius: b.radius,
            mass: 1.0 / b.inverse_mass,
            inertia: 1.0 / b.inverse_inertia,
        })
    }

    /// All grains, by their numbers.
    pub fn grains(&self) -> impl Iterator<Item = Grain> {
        (0..self.len()).filter_map(|id| self.grain(id))
    }

    /// How many contacts there are.
    pub fn contacts(&self) -> usize {
        self.blocks.iter().map(|b| b.contacts).sum()
    }

    /// All contacts, by grain and other.
    pub fn touching(&self) -> Vec<Meet> {
        let mut all = Vec::with_capacity(self.contacts());
        self.each(|meet, _, _| all.push(meet));
        all.sort_by_key(|meet| (meet.grain, meet.other));
        all
    }

    /// Every contact, in the order of the blocks, with what is stored (J: along the normal, in friction) and what was lost beside all powers (J).
    fn each(&self, mut tell: impl FnMut(Meet, [f64; 2], f64)) {
        let (time, h) = (self.time(), self.h);
        for block in &self.blocks {
            for local in 0..block.count {
                let place = block.base + local;
                for pair in block.row(local) {
                    let both = (self.bodies.get(place), self.bodies.get(pair.other as usize));
                    if let ((Some(one), Some(two)), true) = (both, pair.held != 0) {
                        self.tell(
                            block,
                            pair,
                            [one, two],
                            [place, pair.other as usize],
                            &mut tell,
                        );
                    }
                }
            }
            for beside in &block.walls {
                let place = block.base + beside.local as usize;
                let wall = self.walls.get(beside.wall as usize);
                if let (Some(wall), Some(body)) = (wall, self.bodies.get(place)) {
                    let grain = self.id(place);
                    let yields = &self.mobilities;
                    walls::told(
                        beside,
                        wall,
                        body,
                        &self.carriers,
                        (time, h),
                        yields,
                        |told| {
                            let meet = Meet {
                                grain,
                                other: Who::Wall(beside.wall as usize),
                                point: told.point,
                                normal: [-told.normal[0], -told.normal[1]],
                                overlap: told.overlap,
                                force: told.push,
                                friction: told.friction,
                            };
                            tell(meet, told.stored, told.lost);
                        },
                    );
                }
            }
        }
    }

    fn tell(
        &self,
        block: &Block,
        pair: &crate::grains::block::Pair,
        [one, two]: [&Body; 2],
        places: [usize; 2],
        tell: &mut impl FnMut(Meet, [f64; 2], f64),
    ) {
        let rules = &self.between;
        let (dx, dy) = (two.x - one.x, two.y - one.y);
        let distance = math::sqrt(dx * dx + dy * dy);
        let (nx, ny) = (dx / distance, dy / distance);
        let delta = one.radius + two.radius - distance;
        let (ux, uy) = (two.vx - one.vx, two.vy - one.vy);
        let rate = -(ux * nx + uy * ny);
        let arm = 0.5 * (distance + one.radius - two.radius);
        let slip = uy * nx - ux * ny - two.omega * (distance - arm) - one.omega * arm;
        let (push, elastic, lost) = match (rules.quick, block.memory(pair.held)) {
            (Some(quick), _) => {
                let [elastic, mut dissipative] = quick.force(pair.law, delta, rate);
                let light = one.inverse_mass + two.inverse_mass;
                pairs::calmed(&mut dissipative, -rate, self.h * light);
                let push = (elastic + dissipative).max(rules.floor);
                (push, quick.stored(pair.law[0], delta), 0.0)
            }
            (None, Some(memory)) => (
                memory.force(self.time(), delta, rate).total(),
                memory.stored(delta),
                memory.lost(delta),
            ),
            (None, None) => return,
        };
        let (z, friction) = walls::held(&rules.rub, self.h, slip, push, pair.ahead);
        let [a, b] = places.map(|place| self.id(place));
        let sign = if a < b { 1.0 } else { -1.0 };
        let meet = Meet {
            grain: a.min(b),
            other: Who::Grain(a.max(b)),
            point: [one.x + arm * nx, one.y + arm * ny],
            normal: [sign * nx, sign * ny],
            overlap: delta,
            force: push,
            friction,
        };
        tell(meet, [elastic, pairs::stored(&rules.rub, z)], lost);
    }

    /// Where the energy is.
    pub fn energies(&self) -> Energies {
        let mut all = Energies::default();
        for b in &self.bodies {
            let (mass, inertia) = (1.0 / b.inverse_mass, 1.0 / b.inverse_inertia);
            all.kinetic +=
                0.5 * mass * (b.vx * b.vx + b.vy * b.vy) + 0.5 * inertia * b.omega * b.omega;
            all.gravitational -= mass * (self.gravity[0] * b.x + self.gravity[1] * b.y);
        }
        self.each(|_, [normal, friction], lost| {
            all.indentation += normal;
            all.bristles += friction;
            all.heat_normal += lost;
        });
        let mut sums = Powers::default();
        for block in &self.blocks {
            sums.add(&block.sums, 1.0);
            // By the trapezoidal rule the last step counts half.
            sums.add(&block.latest, -0.5 * self.h);
            all.heat_normal += block.lost;
        }
        all.heat_normal += sums.normal;
        all.heat_friction = sums.friction - all.bristles;
        all.heat_rolling = sums.rolling;
        all.wall_work = sums.walls;
        all
    }

    /// Says how a carrier yields: the acceleration (m/s², m/s², rad/s²) of its mass centre and angle for each unit of force (N, N) and moment (N m) on it, with all that its joints hold. Walls count with it in the mass
    /// of a contact from the next step on; before they are told, and on the ground, they do not yield.
    pub fn yields(&mut self, carrier: usize, mobility: [[f64; 3]; 3]) {
        if let Some(known) = self.mobilities.get_mut(carrier) {
            *known = mobility;
        }
    }

    /// The force of all grains on a carrier, N, and their moment about its mass centre, N m.
    pub fn on_carrier(&self, carrier: usize) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for block in &self.blocks {
            if let Some(force) = block.carriers.get(carrier) {
                for k in 0..3 {
                    sum[k] += force[k];
                }
            }
        }
        sum
    }

    /// What the engine did so far.
    pub fn statistics(&self) -> Statistics {
        let sum = |count: fn(&Block) -> usize| self.blocks.iter().map(count).sum();
        Statistics {
            steps: self.steps,
            rebuilds: self.rebuilds,
            pairs: sum(|b| b.pairs.len()),
            contacts: self.contacts(),
            begun: self.blocks.iter().map(|b| b.begun).sum(),
            limited: self.blocks.iter().map(|b| b.limited).sum(),
            overlap: self.blocks.iter().fold(0.0, |m, b| m.max(b.deepest)),
            shortest_contact: self
                .blocks
                .iter()
                .fold(f64::INFINITY, |m, b| m.min(b.shortest)),
            bytes: self.bytes(),
        }
    }

    /// What the run should not be trusted in, in words.
    pub fn warnings(&self) -> Vec<String> {
        let cautions = self.cautions();
        cautions.into_iter().map(|(_, words)| words).collect()
    }

    /// What the run should not be trusted in, one of a kind.
    pub fn cautions(&self) -> Vec<(Caution, String)> {
        let mut all = Vec::new();
        let shortest = self.statistics().shortest_contact;
        if shortest < FEWEST * self.h {
            all.push((Caution::Brief, format!(
                "the shortest contact takes {shortest:.3e} s, {:.1} steps of {:.3e} s; with fewer than {FEWEST} its end is a matter of chance: take a step of {:.3e} s",
                shortest / self.h,
                self.h,
                shortest / 50.0
            )));
        }
        let swing = self.haste();
        if swing > SWING {
            all.push((Caution::Swinging, format!(
                "the stiffest contact now swings by {swing:.2} rad in a step of {:.3e} s; above {SWING} its motion is not followed: take a step of {:.3e} s",
                self.h,
                self.h * 0.5 * SWING / swing
            )));
        }
        let limited = self.statistics().limited;
        if limited > 0 {
            all.push((Caution::Limited, format!(
                "{limited} times in {} steps a damper, or a law of friction that is steep around rest, would have taken more than {CALM} of a speed in one step of {:.3e} s, and was limited to that: take a shorter step, a faster `slowest` approach, or a law whose damper does not depend on the approach",
                self.steps, self.h
            )));
        }
        all
    }

    /// How far the stiffest contact of two grains swings in a step, rad: along the normal, or in the spring of friction. Laws that are not quick are left out.
    fn haste(&self) -> f64 {
        let mut most = 0.0_f64;
        let Some(quick) = self.between.quick else {
            return most;
        };
        for block in &self.blocks {
            for local in 0..block.count {
                let one = self.bodies.get(block.base + local);
                for pair in block.row(local).iter().filter(|pair| pair.held != 0) {
                    let (Some(one), Some(two)) = (one, self.bodies.get(pair.other as usize)) else {
                        continue;
                    };
                    let (dx, dy) = (two.x - one.x, two.y - one.y);
                    let delta = one.radius + two.radius - math::sqrt(dx * dx + dy * dy);
                    if !(delta > 0.0) {
                        continue;
                    }
                    let light = one.inverse_mass + two.inverse_mass;
                    let mut stiffness = quick.slope(pair.law, delta) * light;
                    if let Rub::Spring(spring) = &self.between.rub {
                        let turns = one.radius * one.radius * one.inverse_inertia
                            + two.radius * two.radius * two.inverse_inertia;
                        stiffness = stiffness.max(spring.stiffness * (light + turns));
                    }
                    most = most.max(self.h * math::sqrt(stiffness));
                }
            }
        }
        most
    }

    fn bytes(&self) -> usize {
        fn of<T>(v: &Vec<T>) -> usize {
            v.capacity() * size_of::<T>()
        }
        let spare = &self.spare;
        let blocks = self.blocks.iter().chain(&spare.blocks);
        of(&self.bodies)
            + of(&spare.bodies)
            + of(&self.courses)
            + of(&spare.courses)
            + of(&self.ids)
            + of(&spare.ids)
            + of(&self.places)
            + of(&spare.places)
            + of(&self.reference)
            + self.order.bytes()
            + self.letters.iter().map(of).sum::<usize>()
            + blocks.map(Block::bytes).sum::<usize>()
    }
}

fn body(g: &Grain) -> Body {
    Body {
        x: g.position[0],
        y: g.position[1],
        vx: g.velocity[0],
        vy: g.velocity[1],
        omega: g.velocity[2],
        radius: g.radius,
        inverse_mass: 1.0 / g.mass,
        inverse_inertia: 1.0 / g.inertia,
    }
}

fn fresh(count: usize, carriers: usize) -> Vec<Block> {
    let one = || Block {
        carriers: vec![[0.0; 3]; carriers],
        shortest: f64::INFINITY,
        ..Block::default()
    };
    (0..count).map(|_| one()).collect()
}

/// A step that resolves the contacts of these grains that begin at this speed (m/s): a fiftieth of the shortest contact's time, s.
pub fn suggested_step(
    grains: &[Grain],
    walls: &[Wall],
    between: &Rules,
    speed: f64,
) -> Result<f64, Fault> {
    let lightest = grains.iter().min_by(|a, b| a.mass.total_cmp(&b.mass));
    let Some(grain) = lightest else {
        return Err(Fault::OutOfRange {
            of: "suggested step".into(),
            name: "number of grains",
            value: 0.0,
            unit: "",
            allowed: "at least one".into(),
            hint: "",
        });
    };
    let mut shortest = f64::INFINITY;
    let all = std::iter::once((between, 0.5, 1.0 / grain.radius))
        .chain(walls.iter().map(|wall| (&wall.rules, 1.0, 0.0)));
    for (rules, share, curvature) in all {
        let prepared = Prepared::new(0, rules)?;
        let touch = prepared.begin(
            speed,
            share * grain.mass,
            [1.0 / grain.radius, curvature],
            &mut Kept::default(),
        );
        let touch = touch.map_err(|failed| Fault::Law {
            law: rules.follows.card().id,
            reason: format!("cannot begin at {speed} m/s: {failed}"),
            hint: "the step is taken from the time of a contact at this speed",
        })?;
        shortest = shortest.min(impact::scales(&touch).1);
    }
    Ok(shortest / 50.0)
}
