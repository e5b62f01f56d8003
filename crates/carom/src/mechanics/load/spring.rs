//! Spring, damper and actuator: with which force do two points pull at each other along their line?
//!
//! T = k (l − l₀) + c dl/dt + f, positive where it pulls (Nikravesh 1988). In place of k (l − l₀) there may be any function of the length, in place of c dl/dt any of the rate.
//! A rotational spring is the same thing with an angle for its length: only their constructors differ.

use crate::mechanics::characteristic::{Characteristic, Damping};
use crate::mechanics::fault::{Fault, not_negative};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::function::Function;
use crate::mechanics::input::Input;
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::{Outside, pull, stretch};
use crate::mechanics::measure::Measure;

const ELEMENT: &str = "spring";

/// Spring, damper and actuator side by side, over the distance of two points or, where it turns, over the angle of two directions.
#[derive(Clone, Debug)]
pub struct Pull<const TURNS: bool> {
    pub(crate) places: [Place; 2],
    elastic: Characteristic,
    damping: Damping,
    actuator: Input,
}

/// Between two points, along the line that joins them.
pub type Spring = Pull<false>;

impl Spring {
    /// Stiffness in N/m, damping in N s/m (or a force in N as a function of the rate in m/s), free length in m, actuator force in N, positive where it pulls.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: f64,
        damping: impl Into<Damping>,
        free_length: f64,
        actuator: impl Into<Input>,
    ) -> Result<Self, Fault> {
        let elastic = Characteristic::linear(ELEMENT, (stiffness, "N/m"), free_length)?;
        not_negative(ELEMENT, "free length", free_length, "m")?;
        Self::made(first, second, elastic, damping.into(), actuator.into())
    }

    /// With a force (N, positive where it pulls) as a function of the length (m). The energy stored at a length is the integral of that function from the length `from` (m), which is best taken
    /// where there is no force: then the energy is never negative in a spring that pulls when longer.
    pub fn with_force(
        first: Place,
        second: Place,
        force: Function,
        from: f64,
        damping: impl Into<Damping>,
        actuator: impl Into<Input>,
    ) -> Result<Self, Fault> {
        let elastic = Characteristic::curve(ELEMENT, force, from, ["m", "N"])?;
        Self::made(first, second, elastic, damping.into(), actuator.into())
    }
}

impl<const TURNS: bool> Pull<TURNS> {
    pub(super) fn made(
        first: Place,
        second: Place,
        elastic: Characteristic,
        damping: Damping,
        actuator: Input,
    ) -> Result<Self, Fault> {
        let (element, units) = if TURNS {
            ("rotational spring", ["N m s/rad", "N m", "rad/s"])
        } else {
            (ELEMENT, ["N s/m", "N", "m/s"])
        };
        Ok(Self {
            places: two_bodies(element, first, second)?,
            elastic,
            damping: damping.checked(element, units)?,
            actuator,
        })
    }

    #[inline]
    fn length(&self, poses: &[Pose]) -> Measure {
        if TURNS {
            let [one, two] = &self.places;
            Measure::turn(&one.spot(poses), &two.spot(poses))
        } else {
            stretch(&self.places, poses)
        }
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    pub(crate) fn wastes(&self) -> bool {
        self.damping.is_any()
    }

    pub(crate) fn brings(&self) -> bool {
        !self.actuator.is_zero()
    }

    pub(crate) fn outside(&self, poses: &[Pose]) -> [Option<Outside>; 2] {
        let [long, fast, unit, rate_unit] = if TURNS {
            ["angle", "rate", "rad", "rad/s"]
        } else {
            ["length", "rate", "m", "m/s"]
        };
        let l = self.length(poses);
        let both = [
            (long, l.value, self.elastic.domain(), unit),
            (fast, l.rate, self.damping.domain(), rate_unit),
        ];
        both.map(|(what, value, known, unit)| {
            let outside = Outside {
                what,
                value,
                known,
                unit,
            };
            (value < known[0] || value > known[1]).then_some(outside)
        })
    }

    pub(crate) fn could_pulse(&self) -> bool {
        self.brings() || self.elastic.could_pulse() || self.damping.could_pulse()
    }

    #[inline]
    fn tension(&self, t: f64, poses: &[Pose], l: &Measure) -> f64 {
        self.elastic.force(l.value) + self.damping.force(l.rate) + self.actuator.value(t, poses)
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let l = self.length(poses);
        pull(forces, &self.places, &l, self.tension(t, poses, &l));
    }

    pub(crate) fn reading(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let l = self.length(poses);
        [self.tension(t, poses, &l), l.value]
    }

    pub(crate) fn potential(&self, poses: &[Pose]) -> f64 {
        self.elastic.stored(self.length(poses).value)
    }

    #[inline]
    pub(crate) fn rates(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let rate = self.length(poses).rate;
        [
            self.damping.force(rate) * rate,
            -self.actuator.value(t, poses) * rate,
        ]
    }
}
