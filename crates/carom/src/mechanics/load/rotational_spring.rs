//! Rotational spring and damper: with which moment do two directions turn towards each other?
//!
//! M = k (θ − θ₀) + c dθ/dt + m(t), with θ the angle of the second place's direction from the first's; M turns the second body clockwise, the first the other way (Nikravesh 1988).

use crate::mechanics::fault::{Fault, finite, not_negative};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::function::Function;
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::{Powers, pull};
use crate::mechanics::measure::Measure;

/// Between two directions. Whole turns count: a spring can be wound up.
#[derive(Clone, Debug)]
pub struct RotationalSpring {
    places: [Place; 2],
    stiffness: f64,
    damping: f64,
    free_angle: f64,
    actuator: Function,
}

impl RotationalSpring {
    /// Stiffness in N m/rad, damping in N m s/rad, free angle in rad, actuator moment in N m as a function of time (s), positive where it lessens the angle.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: f64,
        damping: f64,
        free_angle: f64,
        actuator: Function,
    ) -> Result<Self, Fault> {
        finite("rotational spring", "stiffness", stiffness, "N m/rad")?;
        not_negative("rotational spring", "damping", damping, "N m s/rad")?;
        finite("rotational spring", "free angle", free_angle, "rad")?;
        Ok(Self {
            places: two_bodies("rotational spring", first, second)?,
            stiffness,
            damping,
            free_angle,
            actuator,
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    #[inline]
    fn turn(&self, poses: &[Pose]) -> Measure {
        let [one, two] = &self.places;
        let (a, b) = (one.spot(poses), two.spot(poses));
        Measure::turn(&a, &b)
    }

    pub(crate) fn wastes(&self) -> bool {
        self.damping > 0.0
    }

    pub(crate) fn brings(&self) -> bool {
        !matches!(self.actuator, Function::Constant(0.0))
    }

    #[inline]
    fn moment(&self, t: f64, turn: &Measure) -> f64 {
        self.stiffness * (turn.value - self.free_angle)
            + self.damping * turn.rate
            + self.actuator.value(t)
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let turn = self.turn(poses);
        pull(forces, &self.places, &turn, self.moment(t, &turn));
    }

    pub(crate) fn reading(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let turn = self.turn(poses);
        [self.moment(t, &turn), turn.value]
    }

    pub(crate) fn powers(&self, t: f64, poses: &[Pose]) -> Powers {
        let turn = self.turn(poses);
        let wound = turn.value - self.free_angle;
        Powers {
            potential: 0.5 * self.stiffness * wound * wound,
            dissipated: self.damping * turn.rate * turn.rate,
            outside: -self.actuator.value(t) * turn.rate,
        }
    }
}
