//! Which forces act on the bodies that no joint asks for, and where does their energy stay?

pub mod bushing;
pub mod force;
pub mod ligament;
pub mod moment;
pub mod rotational_spring;
pub mod spring;

use crate::math;
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::measure::Measure;

/// What a load does to the energy at one instant. The power of its forces is `outside` − `dissipated` − the rate of `potential`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Powers {
    /// What it stores, J: in height or in a spring.
    pub potential: f64,
    /// What it turns into heat, W; never below zero.
    pub dissipated: f64,
    /// What it brings in from outside, W: forces of time and motion, actuators.
    pub outside: f64,
}

/// A force element.
#[derive(Clone, Debug)]
pub enum Load {
    /// A force at a point.
    PointForce(force::PointForce),
    /// A moment on a body.
    Moment(moment::Moment),
    /// Spring, damper and actuator between two points.
    Spring(spring::Spring),
    /// Spring, damper and actuator between two directions.
    RotationalSpring(rotational_spring::RotationalSpring),
    /// A band that only pulls.
    Ligament(ligament::Ligament),
    /// Rubber between two bodies.
    Bushing(bushing::Bushing),
}

/// What a load is beyond its table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// `length`, `angle` or `rate`.
    pub what: &'static str,
    /// What it is.
    pub value: f64,
    /// From where to where the table knows it.
    pub known: [f64; 2],
    /// Of all these: m, rad, m/s or rad/s.
    pub unit: &'static str,
}

impl Outside {
    /// How far it is beyond, as a part of the table's width.
    pub fn by(&self) -> f64 {
        let [low, high] = self.known;
        (self.value - high).max(low - self.value) / (high - low)
    }
}

/// Calls the same method of whatever load it is.
macro_rules! each {
    ($load:expr, $name:ident => $call:expr) => {
        match $load {
            Load::PointForce($name) => $call,
            Load::Moment($name) => $call,
            Load::Spring($name) => $call,
            Load::RotationalSpring($name) => $call,
            Load::Ligament($name) => $call,
            Load::Bushing($name) => $call,
        }
    };
}

/// A load of its kind becomes a [`Load`].
macro_rules! from {
    ($($module:ident::$kind:ident),*) => {
        $(impl From<$module::$kind> for Load {
            fn from(load: $module::$kind) -> Self {
                Load::$kind(load)
            }
        })*
    };
}
from!(
    force::PointForce,
    moment::Moment,
    spring::Spring,
    rotational_spring::RotationalSpring,
    ligament::Ligament,
    bushing::Bushing
);

impl Load {
    /// The bodies it acts on; `None` is the ground.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        each!(self, load => load.bodies())
    }

    /// Where it acts on its bodies; none for a moment, which acts on whole bodies.
    pub fn places(&self) -> [Option<Place>; 2] {
        let both = |places: &[Place; 2]| places.map(Some);
        match self {
            Load::PointForce(force) => [Some(force.place), None],
            Load::Moment(_) => [None, None],
            Load::Spring(spring) => both(&spring.places),
            Load::RotationalSpring(spring) => both(&spring.places),
            Load::Ligament(ligament) => both(&ligament.places),
            Load::Bushing(bushing) => both(&bushing.places),
        }
    }

    /// Adds its generalised forces (N, N, N m a body) at time `t` (s) to `forces`; what acts on the ground is dropped.
    #[inline]
    pub fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        each!(self, load => load.apply(t, poses, forces));
    }

    /// Whether it has a length or an angle and a tension of its own.
    pub fn has_length(&self) -> bool {
        matches!(
            self,
            Load::Spring(_) | Load::RotationalSpring(_) | Load::Ligament(_)
        )
    }

    /// Whether its length is an angle and its tension a moment.
    pub fn turns(&self) -> bool {
        matches!(self, Load::RotationalSpring(_))
    }

    /// Its tension (N, or N m) and its length (m, or rad) at time `t` (s), if it has them.
    pub fn reading(&self, t: f64, poses: &[Pose]) -> Option<[f64; 2]> {
        match self {
            Load::Spring(spring) => Some(spring.reading(t, poses)),
            Load::RotationalSpring(spring) => Some(spring.reading(t, poses)),
            Load::Ligament(ligament) => Some(ligament.reading(poses)),
            _ => None,
        }
    }

    /// Whether it ever turns energy into heat.
    pub fn wastes(&self) -> bool {
        match self {
            Load::Spring(spring) => spring.wastes(),
            Load::RotationalSpring(spring) => spring.wastes(),
            Load::Bushing(bushing) => bushing.wastes(),
            _ => false,
        }
    }

    /// Whether it ever brings in energy from outside.
    pub fn brings(&self) -> bool {
        match self {
            Load::PointForce(_) | Load::Moment(_) => true,
            Load::Spring(spring) => spring.brings(),
            Load::RotationalSpring(spring) => spring.brings(),
            _ => false,
        }
    }

    /// How its length or its angle, and the rate of that, is beyond what its table knows, if it is.
    pub fn outside(&self, poses: &[Pose]) -> [Option<Outside>; 2] {
        match self {
            Load::Spring(spring) => spring.outside(poses),
            Load::RotationalSpring(spring) => spring.outside(poses),
            _ => [None; 2],
        }
    }

    /// Whether it may act for an instant only: what comes from outside, and the spring whose force is a table or a formula.
    pub fn could_pulse(&self) -> bool {
        match self {
            Load::Spring(spring) => spring.could_pulse(),
            Load::RotationalSpring(spring) => spring.could_pulse(),
            _ => self.brings(),
        }
    }

    /// What it does to the energy at time `t` (s).
    pub fn powers(&self, t: f64, poses: &[Pose]) -> Powers {
        let [dissipated, outside] = self.rates(t, poses);
        Powers {
            potential: self.potential(poses),
            dissipated,
            outside,
        }
    }

    /// What it stores, J. Of a spring with a force of its own this may be an integration: meant for output, not for the loop.
    pub fn potential(&self, poses: &[Pose]) -> f64 {
        match self {
            Load::Spring(spring) => spring.potential(poses),
            Load::RotationalSpring(spring) => spring.potential(poses),
            Load::Ligament(ligament) => ligament.potential(poses),
            Load::Bushing(bushing) => bushing.potential(poses),
            Load::PointForce(_) | Load::Moment(_) => 0.0,
        }
    }

    /// What it turns into heat and what it brings in from outside at time `t` (s), W: the two parts of [`Load::powers`] that a run adds up as it goes.
    #[inline]
    pub fn rates(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        match self {
            Load::PointForce(force) => force.rates(t, poses),
            Load::Moment(moment) => moment.rates(t, poses),
            Load::Spring(spring) => spring.rates(t, poses),
            Load::RotationalSpring(spring) => spring.rates(t, poses),
            Load::Bushing(bushing) => bushing.rates(poses),
            Load::Ligament(_) => [0.0; 2],
        }
    }
}

/// Adds `factor` times a generalised force to those of a body.
#[inline]
pub(crate) fn push(forces: &mut [f64], body: Option<usize>, factor: f64, force: [f64; 3]) {
    let Some(body) = body else { return };
    if let Some(slot) = forces.as_chunks_mut::<3>().0.get_mut(body) {
        for (slot, force) in slot.iter_mut().zip(force) {
            *slot += factor * force;
        }
    }
}

/// Adds a force that pulls the measure down to both bodies.
#[inline]
pub(crate) fn pull(forces: &mut [f64], places: &[Place; 2], measure: &Measure, tension: f64) {
    for (place, by) in places.iter().zip(measure.by) {
        push(forces, place.body(), -tension, by);
    }
}

/// The distance of two points as springs see it: where the points coincide the spring points the way they part, or nowhere if they do not move.
#[inline]
pub(crate) fn stretch(places: &[Place; 2], poses: &[Pose]) -> Measure {
    let [one, two] = places;
    let (a, b) = (one.spot(poses), two.spot(poses));
    let measure = Measure::distance(&a, &b);
    if measure.value == 0.0 {
        let w = [b.velocity[0] - a.velocity[0], b.velocity[1] - a.velocity[1]];
        let speed = math::sqrt(w[0] * w[0] + w[1] * w[1]);
        let u = if speed > 0.0 {
            w.map(|w| w / speed)
        } else {
            [0.0; 2]
        };
        return Measure::fixed(&a, &b, u);
    }
    measure
}
