//! Translational joint: which rows let a body slide along a line and keep it from turning?
//!
//! Φ₁ = n_a · (r_b − r_a), with n_a across the first place's direction; Φ₂ = θ_b − θ_a, the angle of the second place's direction from the first's, whole turns left out
//! (Nikravesh 1988 takes the sine of that angle, which is zero at 180° as well).

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A guide: the second point stays on the line through the first, and both directions stay parallel.
#[derive(Clone, Debug)]
pub struct Translational {
    pub(crate) places: [Place; 2],
}

impl Translational {
    /// The first place is the guide's line, the second a point with the direction that is held along it.
    pub fn new(guide: Place, slider: Place) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("translational joint", guide, slider)?,
        })
    }

    #[inline]
    pub(crate) fn rows(&self, a: &Spot, b: &Spot) -> [Row; 2] {
        [
            Measure::across(a, b).into(),
            Measure::turn(a, b).unwound().into(),
        ]
    }
}
