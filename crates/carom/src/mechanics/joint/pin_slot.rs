//! Pin in a slot: which row keeps a point on a straight line of another body?
//!
//! Φ = n_a · (r_b − r_a), with n_a across the slot. The slot has no ends. λ is the force across the slot on the slot's body, N.

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// The second point stays on the line through the first place, along its direction; both bodies may turn.
#[derive(Clone, Debug)]
pub struct PinSlot {
    pub(crate) places: [Place; 2],
}

impl PinSlot {
    /// The first place is the slot with its direction, the second the pin.
    pub fn new(slot: Place, pin: Place) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("pin in a slot", slot, pin)?,
        })
    }

    #[inline]
    pub(crate) fn row(&self, a: &Spot, b: &Spot) -> Row {
        Measure::across(a, b).into()
    }
}
