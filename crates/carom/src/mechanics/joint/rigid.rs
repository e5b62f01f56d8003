//! Rigid joint: which rows make two bodies move as one?
//!
//! The two rows of a revolute joint, and θ_b − θ_a = 0 with whole turns left out.

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A weld: points and directions of both places coincide.
#[derive(Clone, Debug)]
pub struct Rigid {
    pub(crate) places: [Place; 2],
}

impl Rigid {
    /// Between two places.
    pub fn new(first: Place, second: Place) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("rigid joint", first, second)?,
        })
    }

    #[inline]
    pub(crate) fn rows(&self, a: &Spot, b: &Spot) -> [Row; 3] {
        [
            Measure::fixed(a, b, [1.0, 0.0]).into(),
            Measure::fixed(a, b, [0.0, 1.0]).into(),
            Measure::turn(a, b).unwound().into(),
        ]
    }
}
