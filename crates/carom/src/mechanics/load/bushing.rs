//! Bushing: with which forces does rubber hold two places together?
//!
//! Along, across and turn are the offsets of the second place as seen from the first; each has a spring and a damper of its own. Forces are the gradients of one potential, so that turning the first body,
//! which carries the axes, is paid for as well.

use crate::mechanics::fault::{Fault, not_negative};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::joint::two_bodies;
use crate::mechanics::load::pull;
use crate::mechanics::measure::Measure;

/// Rubber between two places.
#[derive(Clone, Debug)]
pub struct Bushing {
    pub(crate) places: [Place; 2],
    stiffness: [f64; 3],
    damping: [f64; 3],
}

impl Bushing {
    /// Stiffness along and across the first place's direction (N/m) and in rotation (N m/rad), and damping likewise (N s/m, N s/m, N m s/rad). At rest where both places coincide.
    pub fn new(
        first: Place,
        second: Place,
        stiffness: [f64; 3],
        damping: [f64; 3],
    ) -> Result<Self, Fault> {
        let names = [
            ("stiffness along", "N/m", "damping along", "N s/m"),
            ("stiffness across", "N/m", "damping across", "N s/m"),
            (
                "stiffness in rotation",
                "N m/rad",
                "damping in rotation",
                "N m s/rad",
            ),
        ];
        for ((k, c), (k_name, k_unit, c_name, c_unit)) in stiffness.iter().zip(damping).zip(names) {
            not_negative("bushing", k_name, *k, k_unit)?;
            not_negative("bushing", c_name, c, c_unit)?;
        }
        Ok(Self {
            places: two_bodies("bushing", first, second)?,
            stiffness,
            damping,
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    pub(crate) fn wastes(&self) -> bool {
        self.damping.iter().any(|c| *c > 0.0)
    }

    #[inline]
    fn offsets(&self, poses: &[Pose]) -> [Measure; 3] {
        let [one, two] = &self.places;
        let (a, b) = (one.spot(poses), two.spot(poses));
        [
            Measure::along(&a, &b),
            Measure::across(&a, &b),
            Measure::turn(&a, &b),
        ]
    }

    #[inline]
    pub(crate) fn apply(&self, _t: f64, poses: &[Pose], forces: &mut [f64]) {
        let springs = self.stiffness.iter().zip(self.damping);
        for (offset, (k, c)) in self.offsets(poses).iter().zip(springs) {
            pull(
                forces,
                &self.places,
                offset,
                k * offset.value + c * offset.rate,
            );
        }
    }

    pub(crate) fn potential(&self, poses: &[Pose]) -> f64 {
        let offsets = self.offsets(poses).into_iter().zip(self.stiffness);
        offsets.map(|(m, k)| 0.5 * k * m.value * m.value).sum()
    }

    #[inline]
    pub(crate) fn rates(&self, poses: &[Pose]) -> [f64; 2] {
        let offsets = self.offsets(poses).into_iter().zip(self.damping);
        [offsets.map(|(m, c)| c * m.rate * m.rate).sum(), 0.0]
    }
}
