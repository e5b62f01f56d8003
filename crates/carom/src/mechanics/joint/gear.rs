//! Gear: which row makes two wheels roll on each other?
//!
//! Φ = R_a (θ_a − ψ) + R_b (θ_b − ψ) − s, with ψ the bearing of the second centre from the first (after Nikravesh 1988): the carrier is the line of centres, so that a planetary gear needs no third body.
//! Whole turns of ψ are left out: s is known up to 2π (R_a + R_b). λ (R_a + R_b)/d is the force between the teeth, N; it acts at the pitch circles and along them, with no pressure angle.

use crate::mechanics::fault::{Fault, check};
use crate::mechanics::frame::{Place, Pose, Spot};
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::{Measure, unwound};

/// Two wheels about two centres, which other joints hold at their distance. A ring is a wheel of negative radius.
#[derive(Clone, Debug)]
pub struct Gear {
    pub(crate) places: [Place; 2],
    radii: [f64; 2],
    offset: f64,
}

impl Gear {
    /// About two centres with pitch radii in m (negative for a ring, within which the other runs); `offset` in m is how far the pitch circles are shifted ([`Gear::meshed`] takes it from a pose).
    pub fn new(first: Place, second: Place, radii: [f64; 2], offset: f64) -> Result<Self, Fault> {
        let names = ["radius of the first wheel", "radius of the second wheel"];
        for (radius, name) in radii.iter().zip(names) {
            let allowed = "any finite number but 0";
            check("gear", name, *radius, "m", *radius != 0.0, allowed)?;
        }
        let sum = radii[0] + radii[1];
        let allowed = "any finite number but 0: the centres stand apart";
        check("gear", "sum of the radii", sum, "m", sum != 0.0, allowed)?;
        check("gear", "offset", offset, "m", true, "any finite number")?;
        Ok(Self {
            places: two_bodies("gear", first, second)?,
            radii,
            offset,
        })
    }

    /// The pitch radii, m; negative for a ring.
    pub fn radii(&self) -> [f64; 2] {
        self.radii
    }

    /// The same gear, its teeth in mesh as the bodies stand.
    pub fn meshed(self, poses: &[Pose]) -> Self {
        let [a, b] = self.places.map(|place| place.spot(poses));
        let offset = self.offset + self.row(&a, &b).value;
        Self { offset, ..self }
    }

    #[inline]
    pub(crate) fn row(&self, a: &Spot, b: &Spot) -> Row {
        let [ra, rb] = self.radii;
        let mut roll = Measure::bearing(a, b).times(-(ra + rb));
        roll.value += ra * a.angle + rb * b.angle - self.offset;
        roll.rate += ra * a.omega + rb * b.omega;
        roll.by[0][2] += ra;
        roll.by[1][2] += rb;
        roll.value = unwound(roll.value, core::f64::consts::TAU * (ra + rb).abs());
        roll.into()
    }
}
