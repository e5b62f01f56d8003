//! Point on a curve: which row keeps a point on a curved line of another body?
//!
//! With (ξ, η) the point as seen from the curve's place, Φ = η − f(ξ) for a graph, Φ = ρ − f(θ) in polar coordinates for a cam. The point along the curve is so eliminated: one row, no coordinate of its own.
//! A curve that is neither (it turns back on itself both ways) needs two joints or another element.

use crate::math;
use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Spot};
use crate::mechanics::function::Function;
use crate::mechanics::joint::{Row, two_bodies};
use crate::mechanics::measure::Measure;

/// A curve in the frame of a place, m.
#[derive(Clone, Debug)]
pub enum Curve {
    /// η = f(ξ).
    Graph(Function),
    /// ρ = f(θ), with θ in −π…π rad: f must have the period 2π. The origin is never on it.
    Polar(Function),
}

impl Curve {
    /// g(ξ, η), zero on the curve, with its gradient and its second derivatives by ξξ, ξη, ηη.
    #[inline]
    fn level(&self, xi: f64, eta: f64) -> (f64, [f64; 2], [f64; 3]) {
        match self {
            Curve::Graph(f) => {
                let [f, slope, bend] = f.at(xi);
                (eta - f, [-slope, 1.0], [-bend, 0.0, 0.0])
            }
            Curve::Polar(f) => {
                let rho = math::sqrt(xi * xi + eta * eta);
                let (c, s) = (xi / rho, eta / rho);
                let [f, slope, bend] = f.at(math::atan2(eta, xi));
                // ∇ρ = (c, s), ∇θ = (−s, c)/ρ; their second derivatives are (s², −cs, c²)/ρ and (2cs, s² − c², −2cs)/ρ².
                let turn = slope / rho;
                let (along, twist, curl) = (1.0 / rho, turn / rho, bend / (rho * rho));
                (
                    rho - f,
                    [c + turn * s, s - turn * c],
                    [
                        s * s * along - 2.0 * c * s * twist - s * s * curl,
                        -c * s * along - (s * s - c * c) * twist + c * s * curl,
                        c * c * along + 2.0 * c * s * twist - c * c * curl,
                    ],
                )
            }
        }
    }
}

/// The second point stays on a curve that the first place carries.
#[derive(Clone, Debug)]
pub struct PointOnCurve {
    pub(crate) places: [Place; 2],
    curve: Curve,
}

impl PointOnCurve {
    /// The first place is the origin and the ξ axis of the curve, the second the point.
    pub fn new(frame: Place, point: Place, curve: Curve) -> Result<Self, Fault> {
        Ok(Self {
            places: two_bodies("point on a curve", frame, point)?,
            curve,
        })
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    #[inline]
    pub(crate) fn row(&self, a: &Spot, b: &Spot) -> Row {
        let (xi, eta) = (Measure::along(a, b), Measure::across(a, b));
        let (value, slope, bend) = self.curve.level(xi.value, eta.value);
        let mut level = xi.times(slope[0]).plus(eta.times(slope[1]));
        level.value = value;
        level.second += bend[0] * xi.rate * xi.rate
            + 2.0 * bend[1] * xi.rate * eta.rate
            + bend[2] * eta.rate * eta.rate;
        level.into()
    }
}
