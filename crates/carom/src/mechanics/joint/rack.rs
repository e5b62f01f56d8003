//! Rack: which row makes a wheel roll along a line?
//!
//! Φ = u_a · (r_b − r_a) + R (θ_b − θ_a) − s: with the wheel's centre at R across the rack, which another joint holds there, the teeth have one velocity. λ is the force between the teeth, N.

use crate::mechanics::fault::{Fault, check, finite};
use crate::mechanics::frame::{Place, Pose, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A wheel that rolls along the direction of the first place; it runs on the left of that direction, on the right if its radius is negative.
#[derive(Clone, Debug)]
pub struct Rack {
    pub(crate) places: [Place; 2],
    radius: f64,
    offset: f64,
}

impl Rack {
    /// The first place is the rack's line, the second the wheel's centre; pitch radius and offset along the rack in m ([`Rack::meshed`] takes the offset from a pose).
    pub fn new(rack: Place, wheel: Place, radius: f64, offset: f64) -> Result<Self, Fault> {
        let allowed = "any finite number but 0";
        check("rack", "radius", radius, "m", radius != 0.0, allowed)?;
        finite("rack", "offset", offset, "m")?;
        Ok(Self {
            places: two_bodies("rack", rack, wheel)?,
            radius,
            offset,
        })
    }

    /// The pitch radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The same rack, its teeth in mesh as the bodies stand.
    pub fn meshed(self, poses: &[Pose]) -> Self {
        let [a, b] = self.places.map(|place| place.spot(poses));
        let offset = self.offset + self.row(&a, &b).value;
        Self { offset, ..self }
    }

    #[inline]
    pub(crate) fn row(&self, a: &Spot, b: &Spot) -> Row {
        let mut roll = Measure::along(a, b).plus(Measure::turn(a, b).times(self.radius));
        roll.value -= self.offset;
        roll.into()
    }
}
