//! Revolute joint: which rows keep two points together?
//!
//! Φ = r_b − r_a, in ground axes (Nikravesh 1988). λ is the force on the first body, N.

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A pin: the point of one body stays at the point of the other; both may turn.
#[derive(Clone, Debug)]
pub struct Revolute {
    pub(crate) places: [Place; 2],
}

impl Revolute {
    /// Between two points.
    pub fn new(first: Place, second: Place) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("revolute joint", first, second)?,
        })
    }

    #[inline]
    pub(crate) fn rows(&self, a: &Spot, b: &Spot) -> [Row; 2] {
        [
            Measure::fixed(a, b, [1.0, 0.0]).into(),
            Measure::fixed(a, b, [0.0, 1.0]).into(),
        ]
    }
}
