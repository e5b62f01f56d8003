//! Which mechanisms have motions that are known, or that time can be taken on?
//!
//! The slider-crank of Flores et al. (2006, section 6) with ideal joints and a motor of constant speed, with its closed form; and a chain of pinned rods.

use carom::math;
use carom::mechanics::{
    Body, Driven, Driver, Fault, Function, Joint, Place, Revolute, Translational,
};
use carom::model::{BodyEntry, DriverEntry, JointEntry, Model, Simulation};

/// Acceleration of gravity, m/s², against y.
pub const GRAVITY: f64 = 9.81;

/// A model that cannot be made says why.
pub type Made = Result<Model, Vec<Fault>>;

pub(crate) fn body(
    name: impl Into<String>,
    body: Body,
    position: [f64; 3],
    velocity: [f64; 3],
) -> BodyEntry {
    BodyEntry {
        name: name.into(),
        body,
        position,
        velocity,
        points: Vec::new(),
        shapes: Vec::new(),
    }
}

pub(crate) fn joint(name: impl Into<String>, joint: impl Into<Joint>) -> JointEntry {
    JointEntry {
        name: name.into(),
        joint: joint.into(),
        meshes: false,
    }
}

/// The slider-crank, its crank turned at a constant speed from 0 on: no degree of freedom is left.
#[derive(Clone, Copy, Debug)]
pub struct DrivenSliderCrank {
    /// Crank and rod length, m.
    pub lengths: [f64; 2],
    /// Of crank, rod and slider, kg.
    pub masses: [f64; 3],
    /// Of crank, rod and slider about their mass centres, kg m². The slider's does not matter: it never turns.
    pub inertias: [f64; 3],
    /// Speed of the motor, rad/s.
    pub omega: f64,
}

impl Default for DrivenSliderCrank {
    /// At 5000 turns a minute.
    fn default() -> Self {
        Self {
            lengths: [0.05, 0.12],
            masses: [0.30, 0.21, 0.14],
            inertias: [1e-5, 2.5e-4, 1e-4],
            omega: 5000.0 * core::f64::consts::TAU / 60.0,
        }
    }
}

/// The rod at a crank angle, primes being derivatives by that angle.
struct Rod {
    sin: f64,
    cos: f64,
    first: f64,
    second: f64,
}

impl DrivenSliderCrank {
    /// The mechanism over this many turns; everything else as a model has it without being asked.
    pub fn model(&self, turns: f64) -> Made {
        let [r, l] = self.lengths;
        let start = self.positions(0.0);
        let moving = self.velocities(0.0);
        let three = |all: &[f64; 9], i: usize| [all[3 * i], all[3 * i + 1], all[3 * i + 2]];
        let mut bodies = Vec::new();
        for (i, name) in ["crank", "rod", "slider"].into_iter().enumerate() {
            let inert = Body::new(self.masses[i], self.inertias[i])?;
            bodies.push(body(name, inert, three(&start, i), three(&moving, i)));
        }
        let one = |fault: Fault| vec![fault];
        let pin = |a, b| Revolute::new(a, b).map_err(one);
        let origin = Place::ground([0.0, 0.0]);
        let guide = Translational::new(origin, Place::on(2, [0.0, 0.0])).map_err(one)?;
        let turning = Function::Linear {
            start: 0.0,
            speed: self.omega,
        };
        let motor = Driver::new(origin, Place::on(0, [0.0, 0.0]), Driven::Turn, turning);
        Ok(Model {
            title: "slider-crank".into(),
            gravity: [0.0, -GRAVITY],
            bodies,
            joints: vec![
                joint("bearing", pin(origin, Place::on(0, [-0.5 * r, 0.0]))?),
                joint(
                    "crank-pin",
                    pin(Place::on(0, [0.5 * r, 0.0]), Place::on(1, [-0.5 * l, 0.0]))?,
                ),
                joint(
                    "slider-pin",
                    pin(Place::on(1, [0.5 * l, 0.0]), Place::on(2, [0.0, 0.0]))?,
                ),
                joint("guide", guide),
            ],
            drivers: vec![DriverEntry {
                name: "motor".into(),
                rows: vec![motor.map_err(one)?],
            }],
            simulation: Simulation {
                end: turns * core::f64::consts::TAU / self.omega,
                ..Simulation::default()
            },
            ..Model::default()
        })
    }

    fn rod(&self, theta: f64) -> Rod {
        let [r, l] = self.lengths;
        let (s, c) = math::sin_cos(theta);
        let sin = -r * s / l;
        let cos = math::sqrt(1.0 - sin * sin);
        let first = -r * c / (l * cos);
        let second = (r * s + l * sin * first * first) / (l * cos);
        Rod {
            sin,
            cos,
            first,
            second,
        }
    }

    /// Mass centres and angles of crank, rod and slider at time `t` (s): m, m, rad each.
    pub fn positions(&self, t: f64) -> [f64; 9] {
        let [r, l] = self.lengths;
        let theta = self.omega * t;
        let (s, c) = math::sin_cos(theta);
        let rod = self.rod(theta);
        [
            0.5 * r * c,
            0.5 * r * s,
            theta,
            r * c + 0.5 * l * rod.cos,
            r * s + 0.5 * l * rod.sin,
            math::asin(rod.sin),
            r * c + l * rod.cos,
            0.0,
            0.0,
        ]
    }

    /// Their velocities at time `t` (s): m/s, m/s, rad/s each.
    pub fn velocities(&self, t: f64) -> [f64; 9] {
        let ([r, l], w) = (self.lengths, self.omega);
        let (s, c) = math::sin_cos(w * t);
        let rod = self.rod(w * t);
        let (x, y) = (-l * rod.sin * rod.first, l * rod.cos * rod.first);
        [
            -0.5 * r * s * w,
            0.5 * r * c * w,
            w,
            (0.5 * x - r * s) * w,
            (0.5 * y + r * c) * w,
            rod.first * w,
            (x - r * s) * w,
            0.0,
            0.0,
        ]
    }

    /// The moment of the motor at time `t` (s), N m: what turns at a constant speed needs ½ I′ ω² and what lifts its weights, I(θ) being the inertia that the crank feels.
    pub fn moment(&self, t: f64) -> f64 {
        let ([r, l], w) = (self.lengths, self.omega);
        let (s, c) = math::sin_cos(w * t);
        let Rod {
            sin,
            cos,
            first,
            second,
        } = self.rod(w * t);
        let (x1, x2) = (-l * sin * first, -l * (cos * first * first + sin * second));
        // The rod's centre is half way between the pins in x, and at half the crank pin's height.
        let centre = (0.5 * x1 - r * s) * (0.5 * x2 - r * c) - 0.25 * r * r * s * c;
        let slider = (x1 - r * s) * (x2 - r * c);
        let [crank_mass, rod_mass, slider_mass] = self.masses;
        let half_rate =
            rod_mass * centre + self.inertias[1] * first * second + slider_mass * slider;
        half_rate * w * w + 0.5 * (crank_mass + rod_mass) * GRAVITY * r * c
    }
}

/// Where and how a chain hangs: one angle and rate a link.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// How many rods of 1 m and 1 kg.
    pub links: usize,
}

impl Chain {
    /// Pinned to the ground and to each other, started from [`Chain::state`] at zero.
    pub fn model(&self) -> Made {
        let (q, v) = self.state(0.0);
        let rod = Body::rod(1.0, 1.0)?;
        let mut bodies = Vec::new();
        let mut joints = Vec::new();
        let each = q.as_chunks::<3>().0.iter().zip(v.as_chunks::<3>().0);
        for (i, (q, v)) in each.enumerate() {
            bodies.push(body(format!("link-{i}"), rod, *q, *v));
            let above = match i.checked_sub(1) {
                Some(above) => Place::on(above, [0.5, 0.0]),
                None => Place::ground([0.0, 0.0]),
            };
            let pin = Revolute::new(above, Place::on(i, [-0.5, 0.0]));
            joints.push(joint(format!("pin-{i}"), pin.map_err(|fault| vec![fault])?));
        }
        Ok(Model {
            title: format!("chain of {}", self.links),
            gravity: [0.0, -GRAVITY],
            bodies,
            joints,
            simulation: Simulation {
                end: 1.0,
                ..Simulation::default()
            },
            ..Model::default()
        })
    }

    /// Positions and velocities that obey all pins: a wave of this phase (rad) runs down the chain.
    pub fn state(&self, phase: f64) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (Vec::new(), Vec::new());
        let (mut pin, mut moving) = ([0.0; 2], [0.0; 2]);
        for i in 0..self.links {
            let along = 0.37 * i as f64 + phase;
            let angle = 0.4 * math::sin(along) - core::f64::consts::FRAC_PI_2;
            let rate = math::cos(along);
            let (s, c) = math::sin_cos(angle);
            q.extend([pin[0] + 0.5 * c, pin[1] + 0.5 * s, angle]);
            v.extend([moving[0] - 0.5 * rate * s, moving[1] + 0.5 * rate * c, rate]);
            pin = [pin[0] + c, pin[1] + s];
            moving = [moving[0] - rate * s, moving[1] + rate * c];
        }
        (q, v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_moves_as_it_says() {
        let known = DrivenSliderCrank::default();
        let h = 1e-8;
        for k in 0..20 {
            let t = 1.3e-3 * f64::from(k);
            let (before, after) = (known.positions(t - h), known.positions(t + h));
            for (i, v) in known.velocities(t).iter().enumerate() {
                let rate = (after[i] - before[i]) / (2.0 * h);
                // Third derivatives of order 1e8, roundings of 1e-15.
                assert!((rate - v).abs() < 1e-5 * (1.0 + v.abs()), "{i}: {rate} {v}");
            }
        }
    }

    #[test]
    fn the_moment_has_its_known_extremes() {
        let known = DrivenSliderCrank::default();
        for (degrees, moment) in [(34.969_183, 138.624_160), (325.021_766, -138.419_179)] {
            let at = |degrees: f64| known.moment(f64::to_radians(degrees) / known.omega);
            assert!((at(degrees) - moment).abs() < 1e-6);
            assert!(
                at(degrees - 0.5).abs() < moment.abs() && at(degrees + 0.5).abs() < moment.abs()
            );
        }
    }
}
