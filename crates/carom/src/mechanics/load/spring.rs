//! Spring, damper and actuator: with which force do two points pull at each other along their line?
//!
//! T = k (l − l₀) + c dl/dt + f(t), positive where it pulls (Nikravesh 1988).

use crate::mechanics::fault::{Fault, finite, not_negative};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::function::Function;
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::{Powers, pull, stretch};
use crate::mechanics::measure::Measure;

/// Between two points, along the line that joins them.
#[derive(Clone, Debug)]
pub struct Spring {
    places: [Place; 2],
    stiffness: f64,
    damping: f64,
    free_length: f64,
    actuator: Function,
}

impl Spring {
    /// Stiffness in N/m, damping in N s/m, free length in m, actuator force in N as a function of time (s), positive where it pulls.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: f64,
        damping: f64,
        free_length: f64,
        actuator: Function,
    ) -> Result<Self, Fault> {
        finite("spring", "stiffness", stiffness, "N/m")?;
        not_negative("spring", "damping", damping, "N s/m")?;
        not_negative("spring", "free length", free_length, "m")?;
        Ok(Self {
            places: two_bodies("spring", first, second)?,
            stiffness,
            damping,
            free_length,
            actuator,
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    pub(crate) fn wastes(&self) -> bool {
        self.damping > 0.0
    }

    pub(crate) fn brings(&self) -> bool {
        !matches!(self.actuator, Function::Constant(0.0))
    }

    #[inline]
    fn tension(&self, t: f64, l: &Measure) -> f64 {
        self.stiffness * (l.value - self.free_length)
            + self.damping * l.rate
            + self.actuator.value(t)
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let l = stretch(&self.places, poses);
        pull(forces, &self.places, &l, self.tension(t, &l));
    }

    pub(crate) fn reading(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let l = stretch(&self.places, poses);
        [self.tension(t, &l), l.value]
    }

    pub(crate) fn powers(&self, t: f64, poses: &[Pose]) -> Powers {
        let l = stretch(&self.places, poses);
        let longer = l.value - self.free_length;
        Powers {
            potential: 0.5 * self.stiffness * longer * longer,
            dissipated: self.damping * l.rate * l.rate,
            outside: -self.actuator.value(t) * l.rate,
        }
    }
}
