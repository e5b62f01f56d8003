//! Rotational spring and damper: with which moment do two directions turn towards each other?
//!
//! M = k (θ − θ₀) + c dθ/dt + m, with θ the angle of the second place's direction from the first's; M turns the second body clockwise, the first the other way (Nikravesh 1988).
//! In place of k (θ − θ₀) there may be any function of the angle, in place of c dθ/dt any of the rate.

use crate::mechanics::characteristic::{Characteristic, Damping};
use crate::mechanics::fault::{Fault, finite};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::function::Function;
use crate::mechanics::input::Input;
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::pull;
use crate::mechanics::measure::Measure;

const ELEMENT: &str = "rotational spring";

/// Between two directions. Whole turns count: a spring can be wound up.
#[derive(Clone, Debug)]
pub struct RotationalSpring {
    places: [Place; 2],
    elastic: Characteristic,
    damping: Damping,
    actuator: Input,
}

impl RotationalSpring {
    /// Stiffness in N m/rad, damping in N m s/rad (or a moment in N m as a function of the rate in rad/s), free angle in rad, actuator moment in N m, positive where it lessens the angle.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: f64,
        damping: impl Into<Damping>,
        free_angle: f64,
        actuator: impl Into<Input>,
    ) -> Result<Self, Fault> {
        let elastic = Characteristic::linear(ELEMENT, (stiffness, "N m/rad"), free_angle)?;
        finite(ELEMENT, "free angle", free_angle, "rad")?;
        Self::made(first, second, elastic, damping.into(), actuator.into())
    }

    /// With a moment (N m, positive where it lessens the angle) as a function of the angle (rad). The energy stored at an angle is the integral of that function from the angle `from` (rad), which
    /// is best taken where there is no moment.
    pub fn with_moment(
        first: Place,
        second: Place,
        moment: Function,
        from: f64,
        damping: impl Into<Damping>,
        actuator: impl Into<Input>,
    ) -> Result<Self, Fault> {
        let elastic = Characteristic::curve(ELEMENT, moment, from, ["rad", "N m"])?;
        Self::made(first, second, elastic, damping.into(), actuator.into())
    }

    fn made(
        first: Place,
        second: Place,
        elastic: Characteristic,
        damping: Damping,
        actuator: Input,
    ) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies(ELEMENT, first, second)?,
            elastic,
            damping: damping.checked(ELEMENT, ["N m s/rad", "N m", "rad/s"])?,
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
        self.damping.is_any()
    }

    pub(crate) fn brings(&self) -> bool {
        !self.actuator.is_zero()
    }

    #[inline]
    fn moment(&self, t: f64, poses: &[Pose], turn: &Measure) -> f64 {
        self.elastic.force(turn.value)
            + self.damping.force(turn.rate)
            + self.actuator.value(t, poses)
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let turn = self.turn(poses);
        pull(forces, &self.places, &turn, self.moment(t, poses, &turn));
    }

    pub(crate) fn reading(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let turn = self.turn(poses);
        [self.moment(t, poses, &turn), turn.value]
    }

    pub(crate) fn potential(&self, poses: &[Pose]) -> f64 {
        self.elastic.stored(self.turn(poses).value)
    }

    #[inline]
    pub(crate) fn rates(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let rate = self.turn(poses).rate;
        [
            self.damping.force(rate) * rate,
            -self.actuator.value(t, poses) * rate,
        ]
    }
}
