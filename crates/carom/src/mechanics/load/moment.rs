//! Moment: what does a moment from outside do to a body, and to the one it leans on?

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::Pose;
use crate::mechanics::input::Input;
use crate::mechanics::load::push;

/// A moment from outside, N m, on one body and its opposite on another (or the ground).
#[derive(Clone, Debug)]
pub struct Moment {
    on: Option<usize>,
    against: Option<usize>,
    moment: Input,
}

impl Moment {
    /// The moment (N m) from time (s) and the motion, counter-clockwise on one body, its opposite on the other; `None` is the ground.
    pub fn new(
        on: Option<usize>,
        against: Option<usize>,
        moment: impl Into<Input>,
    ) -> Result<Self, Fault> {
        if on == against {
            return Err(Fault::SameBody {
                element: "moment",
                body: on,
            });
        }
        Ok(Self {
            on,
            against,
            moment: moment.into(),
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        [self.on, self.against]
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let moment = self.moment.value(t, poses);
        push(forces, self.on, moment, [0.0, 0.0, 1.0]);
        push(forces, self.against, -moment, [0.0, 0.0, 1.0]);
    }

    #[inline]
    pub(crate) fn rates(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let omega = Pose::of(self.on, poses).omega - Pose::of(self.against, poses).omega;
        [0.0, self.moment.value(t, poses) * omega]
    }
}
