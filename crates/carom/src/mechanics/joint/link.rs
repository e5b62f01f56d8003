//! Rigid link: which row keeps two points at a distance?
//!
//! Φ = (|r_b − r_a|² − l²)/(2 l): as d − l where the link is closed, but smooth even where the points coincide (a first guess may put them there). λ is the link's tension, N.

use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A massless rod with a pin at both ends.
#[derive(Clone, Debug)]
pub struct Link {
    pub(crate) places: [Place; 2],
    length: f64,
}

impl Link {
    /// Between two points, of this length in m.
    pub fn new(first: Place, second: Place, length: f64) -> Result<Self, Fault> {
        positive("link", "length", length, "m")?;
        Ok(Self {
            places: two_bodies("link", first, second)?,
            length,
        })
    }

    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    #[inline]
    pub(crate) fn row(&self, a: &Spot, b: &Spot) -> Row {
        Measure::beyond(a, b, self.length).into()
    }
}
