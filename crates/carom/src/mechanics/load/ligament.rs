//! Ligament: with which force does a band pull that is slack below its free length?
//!
//! T = k (l − l₀)² for l > l₀, else 0 (Machado et al. 2012, eq. 49). Eq. 49 has no end to its quadratic toe; where one is given, the band goes on from there with the slope it has,
//! T = k e_t (2 e − e_t) for an elongation e above e_t, as ligaments do.

use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::{pull, stretch};

/// Between two points, along the line that joins them. It never pushes and wastes nothing.
#[derive(Clone, Debug)]
pub struct Ligament {
    pub(crate) places: [Place; 2],
    stiffness: f64,
    free_length: f64,
    toe: f64,
}

impl Ligament {
    /// Stiffness in N/m², free length in m; `toe` is the elongation in m above which the force grows linearly, never if it is `None`.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: f64,
        free_length: f64,
        toe: Option<f64>,
    ) -> Result<Self, Fault> {
        positive("ligament", "stiffness", stiffness, "N/m²")?;
        positive("ligament", "free length", free_length, "m")?;
        if let Some(toe) = toe {
            positive("ligament", "toe", toe, "m")?;
        }
        Ok(Self {
            places: two_bodies("ligament", first, second)?,
            stiffness,
            free_length,
            toe: toe.unwrap_or(f64::INFINITY),
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    /// Force (N) and stored energy (J) at a length (m).
    #[inline]
    pub fn tension(&self, length: f64) -> [f64; 2] {
        let e = length - self.free_length;
        let (k, toe) = (self.stiffness, self.toe);
        if e <= 0.0 {
            [0.0, 0.0]
        } else if e <= toe {
            [k * e * e, k * e * e * e / 3.0]
        } else {
            // A NaN comes here too, and stays one.
            [
                k * toe * (2.0 * e - toe),
                k * toe * (e * (e - toe) + toe * toe / 3.0),
            ]
        }
    }

    #[inline]
    pub(crate) fn apply(&self, _t: f64, poses: &[Pose], forces: &mut [f64]) {
        let l = stretch(&self.places, poses);
        pull(forces, &self.places, &l, self.tension(l.value)[0]);
    }

    pub(crate) fn reading(&self, poses: &[Pose]) -> [f64; 2] {
        let l = stretch(&self.places, poses).value;
        [self.tension(l)[0], l]
    }

    pub(crate) fn potential(&self, poses: &[Pose]) -> f64 {
        self.tension(stretch(&self.places, poses).value)[1]
    }
}
