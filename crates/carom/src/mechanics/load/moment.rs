//! Moment: what does a moment of time do to a body, and to the one it leans on?

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::Pose;
use crate::mechanics::function::Function;
use crate::mechanics::load::{Powers, push};

/// A moment from outside, N m, on one body and its opposite on another (or the ground).
#[derive(Clone, Debug)]
pub struct Moment {
    on: Option<usize>,
    against: Option<usize>,
    moment: Function,
}

impl Moment {
    /// The moment (N m) as a function of time (s), counter-clockwise on one body, its opposite on the other; `None` is the ground.
    pub fn new(on: Option<usize>, against: Option<usize>, moment: Function) -> Result<Self, Fault> {
        if on == against {
            return Err(Fault::SameBody {
                element: "moment",
                body: on,
            });
        }
        Ok(Self {
            on,
            against,
            moment,
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        [self.on, self.against]
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, _poses: &[Pose], forces: &mut [f64]) {
        let moment = self.moment.value(t);
        push(forces, self.on, moment, [0.0, 0.0, 1.0]);
        push(forces, self.against, -moment, [0.0, 0.0, 1.0]);
    }

    pub(crate) fn powers(&self, t: f64, poses: &[Pose]) -> Powers {
        let omega = Pose::of(self.on, poses).omega - Pose::of(self.against, poses).omega;
        Powers {
            outside: self.moment.value(t) * omega,
            ..Powers::default()
        }
    }
}
