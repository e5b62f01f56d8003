//! Which discs does time pass for, in Carom and in LAMMPS?
//!
//! A box into which discs fall, and a cloud of discs that fly together and apart. Both are stated in plain numbers, so that every program starts from the same ones, and energy and momentum are
//! computed here from positions and velocities, so that every program is judged by the same sums.

use carom::card::Values;
use carom::contact::{self, Calibration, Surfaces, materials::Material};
use carom::friction;
use carom::geometry::Shape;
use carom::grains::{Grain, Rules, Settings, Wall, World};
use carom::mechanics::{Curved, Follows};

/// Acceleration of free fall, m/s².
pub const GRAVITY: f64 = 9.81;

/// What the discs are made of and how they touch; SI.
#[derive(Clone, Copy, Debug)]
pub struct Matter {
    /// E* of a pair, also of a disc and a wall, Pa: Hertz's K is 4/3 E* √R.
    pub modulus: f64,
    /// α of Tsuji, Tanaka and Ishida (1992).
    pub damping: f64,
    /// Coulomb's.
    pub friction: f64,
    /// Of the tangential spring, N/m.
    pub tangential: f64,
    /// Of the damper beside it, N s/m.
    pub rubbing: f64,
}

impl Matter {
    /// What [`Self::soft`] asks of LAMMPS as a restitution, and what its formula makes of it.
    pub const ASKED: f64 = 0.5;

    /// Soft grains: at 1 m/s they touch for a millisecond and are pressed by three hundredths of their diameter.
    pub fn soft() -> Self {
        // The polynomial that LAMMPS documents for `damping tsuji` (there after Thornton et al. 2013), at 0.5: two free discs then part with 0.616 of their speed.
        let e = Self::ASKED;
        let polynomial = [1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218];
        let damping = polynomial.iter().rev().fold(0.0, |sum, c| sum * e + c);
        Self {
            modulus: 1e7,
            damping,
            friction: 0.5,
            tangential: 5e3,
            rubbing: 0.7,
        }
    }

    /// The same without any loss: neither damper nor friction.
    pub fn elastic() -> Self {
        Self {
            damping: 0.0,
            friction: 0.0,
            tangential: 0.0,
            rubbing: 0.0,
            ..Self::soft()
        }
    }

    /// 4/3 E*, Pa.
    pub fn hertz(&self) -> f64 {
        4.0 / 3.0 * self.modulus
    }

    /// K of two radii, N/m^1.5; a wall has an infinite one.
    pub fn stiffness(&self, radii: [f64; 2]) -> f64 {
        self.hertz() * (1.0 / radii[0] + 1.0 / radii[1]).recip().sqrt()
    }
}

/// A disc; its inertia is m r²/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// m.
    pub radius: f64,
    /// kg.
    pub mass: f64,
}

impl Disc {
    /// Of glass and 10 mm thick.
    fn of(radius: f64) -> Self {
        let mass = 2500.0 * std::f64::consts::PI * radius * radius * 0.01;
        Self { radius, mass }
    }

    /// kg m².
    pub fn inertia(&self) -> f64 {
        0.5 * self.mass * self.radius * self.radius
    }
}

/// Where a disc is and how it moves: x, y (m), their rates (m/s), the angle's rate (rad/s).
pub type Moving = [f64; 5];

/// Discs, where they start and what surrounds them.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What there is.
    pub discs: Vec<Disc>,
    /// How it starts.
    pub start: Vec<Moving>,
    /// Width and height that the start takes, m. With walls: one at x = 0, one at x = width, the floor at y = 0; no lid.
    pub size: [f64; 2],
    /// Walls and weight, or neither.
    pub boxed: bool,
    /// How they touch.
    pub matter: Matter,
    /// Of time, s: a fiftieth of a touch at 1 m/s.
    pub step: f64,
}

/// Between the centres of two places of the lattice, m: the largest discs just miss each other.
const PITCH: f64 = 12.2e-3;

/// Marsaglia's xorshift (2003), between −1 and 1.
struct Random(u64);

impl Random {
    fn draw(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

impl Scene {
    /// Touches slower than this count as this fast, m/s.
    pub const SLOWEST: f64 = 0.1;

    /// Discs of 4 to 6 mm radius on a square lattice, shaken within its meshes, let go from rest; so many of them one above the other.
    pub fn falling(number: usize, rows: usize, matter: Matter) -> Self {
        let columns = number.div_ceil(rows.max(1));
        let mut random = Random(88_172_645_463_325_252);
        let mut scene = Self {
            discs: Vec::with_capacity(number),
            start: Vec::with_capacity(number),
            size: [columns as f64 * PITCH, rows as f64 * PITCH],
            boxed: true,
            matter,
            step: 2e-5,
        };
        for i in 0..number {
            let disc = Disc::of(5e-3 + 1e-3 * random.draw());
            let play = 0.5 * PITCH - disc.radius - 1e-6;
            let place = |k: usize, shift: f64| (k as f64 + 0.5) * PITCH + play * shift;
            let x = place(i % columns, random.draw());
            let y = place(i / columns, random.draw());
            scene.discs.push(disc);
            scene.start.push([x, y, 0.0, 0.0, 0.0]);
        }
        scene
    }

    /// The same lattice without walls or weight: all fly towards its middle, each a little its own way and spinning.
    pub fn cloud(number: usize, matter: Matter) -> Self {
        let rows = (number as f64).sqrt().ceil() as usize;
        let mut scene = Self::falling(number, rows, matter);
        scene.boxed = false;
        let [w, h] = scene.size;
        let mut random = Random(1_442_695_040_888_963_407);
        for [x, y, vx, vy, spin] in &mut scene.start {
            *vx = 5.0 * (0.5 * w - *x) + 0.5 * random.draw();
            *vy = 5.0 * (0.5 * h - *y) + 0.5 * random.draw();
            *spin = 20.0 * random.draw();
        }
        scene
    }

    /// The same discs, from this state on, in Carom: with this law of contact (`tsuji`, `hertz`, or one that takes a restitution) and friction by a tangential spring. Of the settings, step and weight are the scene's.
    pub fn world(&self, from: &[Moving], law: &str, settings: &Settings) -> Result<World, String> {
        let rules = self.rules(law)?;
        let grains: Vec<Grain> = self
            .discs
            .iter()
            .zip(from)
            .map(|(disc, &[x, y, vx, vy, spin])| {
                Grain::disc([x, y, 0.0], [vx, vy, spin], disc.radius, disc.mass)
            })
            .collect();
        let mut walls = Vec::new();
        if self.boxed {
            let [w, _] = self.size;
            for (point, normal) in [
                ([0.0, 0.0], [0.0, 1.0]),
                ([0.0, 0.0], [1.0, 0.0]),
                ([w, 0.0], [-1.0, 0.0]),
            ] {
                walls.push(Wall {
                    shape: Shape::half_plane(point, normal).map_err(said)?,
                    carrier: None,
                    rules: rules.clone(),
                });
            }
        }
        let settings = Settings {
            step: self.step,
            gravity: [0.0, if self.boxed { -GRAVITY } else { 0.0 }],
            ..*settings
        };
        World::new(&grains, walls, rules, &settings, &[]).map_err(said)
    }

    fn rules(&self, law: &str) -> Result<Rules, String> {
        let matter = &self.matter;
        let card = contact::find(law).map_err(said)?;
        let values = match law {
            "hertz" => Values::new(),
            "tsuji" => Values::new().number("alpha", matter.damping),
            _ => Values::new().number("restitution", Matter::ASKED),
        };
        // Two equal materials: E* = E/(2(1 − ν²)).
        let poisson = 0.3;
        let young = 2.0 * (1.0 - poisson * poisson) * matter.modulus;
        let material = Material::given("soft", young, poisson, None, None).map_err(said)?;
        let follows = Follows::Curved(Box::new(Curved {
            card,
            values,
            restitution: None,
            calibration: Calibration::Published,
            surfaces: Surfaces {
                materials: Some([material.clone(), material]),
                ..Surfaces::default()
            },
        }));
        // Where the damper is measured by the speed of approach, a slow touch that others then press hard is damped faster than a step can follow; the world limits what is left of that, and tells.
        let rules = Rules::new(follows).with_slowest(Self::SLOWEST);
        if matter.friction == 0.0 {
            return Ok(rules);
        }
        let card = friction::find("tangential-spring").map_err(said)?;
        let values = Values::new()
            .number("coefficient", matter.friction)
            .number("stiffness", matter.tangential)
            .number("damping", matter.rubbing);
        Ok(rules.with_friction(friction::Law::new(card, &values).map_err(said)?))
    }

    /// Kinetic energy, J.
    pub fn kinetic(&self, state: &[Moving]) -> f64 {
        let each = self.discs.iter().zip(state);
        each.map(|(disc, [_, _, vx, vy, spin])| {
            0.5 * (disc.mass * (vx * vx + vy * vy) + disc.inertia() * spin * spin)
        })
        .sum()
    }

    /// Kinetic energy, energy of height and of Hertz's contacts, J: what an elastic scene keeps.
    pub fn energy(&self, state: &[Moving]) -> f64 {
        let mut sum = self.kinetic(state);
        self.touching(state, |radii, depth| {
            sum += 0.4 * self.matter.stiffness(radii) * depth * depth * depth.sqrt();
        });
        if self.boxed {
            let each = self.discs.iter().zip(state);
            sum += each.map(|(d, at)| d.mass * GRAVITY * at[1]).sum::<f64>();
        }
        sum
    }

    /// Momentum along x and y and about the origin (kg m/s, kg m²/s), and the same with every part counted positive: what the first three are large or small against.
    pub fn momentum(&self, state: &[Moving]) -> [[f64; 3]; 2] {
        let mut sums = [[0.0; 3]; 2];
        for (disc, &[x, y, vx, vy, spin]) in self.discs.iter().zip(state) {
            let (m, own) = (disc.mass, disc.inertia() * spin);
            let about = m * (x * vy - y * vx);
            for (i, [part, size]) in [
                [m * vx, (m * vx).abs()],
                [m * vy, (m * vy).abs()],
                [about + own, about.abs() + own.abs()],
            ]
            .into_iter()
            .enumerate()
            {
                sums[0][i] += part;
                sums[1][i] += size;
            }
        }
        sums
    }

    /// How much of the momentum (the largest of three parts) was lost between two states.
    pub fn momentum_error(&self, from: &[Moving], to: &[Moving]) -> f64 {
        let ([before, sizes], [after, _]) = (self.momentum(from), self.momentum(to));
        let off = |i: usize| (after[i] - before[i]).abs() / sizes[i];
        off(0).max(off(1)).max(off(2))
    }

    /// Height of the common centre of mass, m.
    pub fn centre(&self, state: &[Moving]) -> f64 {
        let each = || self.discs.iter().zip(state);
        let moment: f64 = each().map(|(disc, at)| disc.mass * at[1]).sum();
        moment / each().map(|(disc, _)| disc.mass).sum::<f64>()
    }

    /// Touches of two discs and of a disc and a wall.
    pub fn touches(&self, state: &[Moving]) -> usize {
        let mut count = 0;
        self.touching(state, |_, _| count += 1);
        count
    }

    /// Radii and depth of every touch. Discs are looked through from left to right: slow and sure.
    fn touching(&self, state: &[Moving], mut tell: impl FnMut([f64; 2], f64)) {
        let mut order: Vec<(Moving, f64)> = state
            .iter()
            .copied()
            .zip(self.discs.iter().map(|disc| disc.radius))
            .collect();
        order.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        let widest = order.iter().fold(0.0, |widest: f64, (_, r)| widest.max(*r));
        for (i, (at, r)) in order.iter().enumerate() {
            let near = order.iter().skip(i + 1);
            for (other, q) in near.take_while(|(other, _)| other[0] - at[0] < r + widest) {
                let depth = r + q - (other[0] - at[0]).hypot(other[1] - at[1]);
                if depth > 0.0 {
                    tell([*r, *q], depth);
                }
            }
            if self.boxed {
                for gap in [at[0], self.size[0] - at[0], at[1]] {
                    if r - gap > 0.0 {
                        tell([*r, f64::INFINITY], r - gap);
                    }
                }
            }
        }
    }
}

/// Where the grains of a world are now.
pub fn state(world: &World) -> Vec<Moving> {
    let each = world.grains();
    each.map(|grain| {
        let ([x, y, _], [vx, vy, spin]) = (grain.position, grain.velocity);
        [x, y, vx, vy, spin]
    })
    .collect()
}

fn said(fault: impl std::fmt::Debug) -> String {
    format!("{fault:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_touches_at_the_start() {
        for scene in [
            Scene::falling(1000, 32, Matter::soft()),
            Scene::cloud(1000, Matter::soft()),
        ] {
            assert_eq!(scene.discs.len(), 1000);
            assert_eq!(scene.touches(&scene.start), 0);
            for (disc, at) in scene.discs.iter().zip(&scene.start) {
                assert!((4e-3..=6e-3).contains(&disc.radius), "{disc:?}");
                assert!(at[0] > disc.radius && at[0] < scene.size[0] - disc.radius);
                assert!(at[1] > disc.radius);
            }
        }
    }

    /// Two discs of 4 and 6 mm, 0.1 mm into each other, the lower one as deep in the floor: Hertz's energy is 8/15 E* √R δ^(5/2), with R = 2.4 mm and 4 mm.
    #[test]
    fn energy_is_that_of_hertz_height_and_speed() {
        let mut scene = Scene::falling(2, 2, Matter::elastic());
        scene.discs = vec![Disc::of(4e-3), Disc::of(6e-3)];
        let state = [
            [0.006, 3.9e-3, 0.0, 0.0, 0.0],
            [0.006, 13.8e-3, 0.3, 0.4, 2.0],
        ];
        let m = [1.2566370614359172e-3, 2.827433388230814e-3];
        let height = 9.81 * (m[0] * 3.9e-3 + m[1] * 13.8e-3);
        let moving = 0.5 * m[1] * 0.25 + 0.5 * (0.5 * m[1] * 36e-6) * 4.0;
        let pressed = 8.0 / 15.0 * 1e7 * 1e-10 * (2.4e-3_f64.sqrt() + 4e-3_f64.sqrt());
        // Wide enough: the larger disc just does not touch the wall at x = 0.
        scene.size[0] = 0.02;
        assert_eq!(scene.touches(&state), 2);
        let expected = height + moving + pressed;
        let off = scene.energy(&state) / expected - 1.0;
        // The depths are differences of millimetres: 1e-16 · 14 mm/0.1 mm · 2.5.
        assert!(off.abs() < 1e-13, "{off:e}");
        assert!((scene.centre(&state) - height / 9.81 / (m[0] + m[1])).abs() < 1e-16);
    }

    /// Discs of 4 and 6 mm meet at 1 m/s. Tsuji's damper with ζ = α/√5 returns exp(−π ζ/√(1 − ζ²)) of it; LAMMPS (29 Sep 2021, `granular`, steps of 1e-7 s) returned 0.6160725.
    #[test]
    fn two_discs_part_as_fast_as_in_lammps_and_in_closed_form() -> Result<(), String> {
        let mut scene = Scene::cloud(2, Matter::soft());
        scene.discs = vec![Disc::of(4e-3), Disc::of(6e-3)];
        scene.step = 1e-6;
        let start = [
            [-4.0001e-3, 0.0, 0.5, 0.0, 0.0],
            [6.0001e-3, 0.0, -0.5, 0.0, 0.0],
        ];
        let mut world = scene.world(&start, "tsuji", &Settings::default())?;
        for _ in 0..4000 {
            world.step(&[]).map_err(said)?;
        }
        let end = state(&world);
        let apart = end[1][2] - end[0][2];
        let zeta = scene.matter.damping / 5.0_f64.sqrt();
        let known = (-std::f64::consts::PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
        // A contact of a millisecond in a thousand steps; the damper begins as δ^(1/4), so that the error falls as the step to the power 1.25: 1e-3^1.25 = 2e-4 at worst.
        assert!((apart - known).abs() < 2e-4, "{apart} and {known}");
        assert!((apart - 0.6160725).abs() < 2e-4, "{apart}");
        Ok(())
    }
}
