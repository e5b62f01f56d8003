//! Rotational spring and damper: with which moment do two directions turn towards each other?
//!
//! M = k (θ − θ₀) + c dθ/dt + m, with θ the angle of the second place's direction from the first's; M turns the second body clockwise, the first the other way (Nikravesh 1988).
//! In place of k (θ − θ₀) there may be any function of the angle, in place of c dθ/dt any of the rate.

use crate::mechanics::characteristic::{Characteristic, Damping};
use crate::mechanics::fault::{Fault, finite};
use crate::mechanics::frame::Place;
use crate::mechanics::function::Function;
use crate::mechanics::input::Input;
use crate::mechanics::load::spring::Pull;

const ELEMENT: &str = "rotational spring";

/// Between two directions. Whole turns count: a spring can be wound up.
pub type RotationalSpring = Pull<true>;

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
}
