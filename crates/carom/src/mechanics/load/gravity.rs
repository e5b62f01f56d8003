//! Gravity: what does a body weigh?

use crate::mechanics::fault::{Fault, finite, positive};
use crate::mechanics::frame::Pose;
use crate::mechanics::load::push;

/// The weight m g at the mass centre; its potential is −m g · r, zero at the origin.
#[derive(Clone, Debug)]
pub struct Gravity {
    body: usize,
    weight: [f64; 2],
}

impl Gravity {
    /// Of a body with this mass (kg) in a field (m/s²), mostly (0, −9.81).
    pub fn new(body: usize, mass: f64, field: [f64; 2]) -> Result<Self, Fault> {
        positive("gravity", "mass", mass, "kg")?;
        for (g, name) in field.iter().zip(["field in x", "field in y"]) {
            finite("gravity", name, *g, "m/s²")?;
        }
        Ok(Self {
            body,
            weight: field.map(|g| mass * g),
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        [Some(self.body), None]
    }

    #[inline]
    pub(crate) fn apply(&self, _t: f64, _poses: &[Pose], forces: &mut [f64]) {
        let [x, y] = self.weight;
        push(forces, Some(self.body), 1.0, [x, y, 0.0]);
    }

    pub(crate) fn potential(&self, poses: &[Pose]) -> f64 {
        let [x, y] = Pose::of(Some(self.body), poses).position;
        -(self.weight[0] * x + self.weight[1] * y)
    }
}
