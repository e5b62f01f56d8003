//! Point force: what does a force from outside do at a point of a body?

use crate::mechanics::fault::Fault;
use crate::mechanics::frame::{Place, Pose, Spot, dot};
use crate::mechanics::input::Input;
use crate::mechanics::load::push;

/// In which axes a force is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// The ground's: the force keeps its direction.
    Ground,
    /// The place's own, along its direction and across: the force turns with the body.
    Place,
}

/// A force from outside, N.
#[derive(Clone, Debug)]
pub struct PointForce {
    pub(crate) place: Place,
    axes: Axes,
    components: [Input; 2],
}

impl PointForce {
    /// At a point of a body; two components in N, from time (s) and the motion.
    pub fn new(place: Place, axes: Axes, components: [impl Into<Input>; 2]) -> Result<Self, Fault> {
        if place.body().is_none() {
            return Err(Fault::SameBody {
                element: "point force",
                body: None,
            });
        }
        Ok(Self {
            place,
            axes,
            components: components.map(Into::into),
        })
    }

    pub(crate) fn bodies(&self) -> [Option<usize>; 2] {
        [self.place.body(), None]
    }

    /// The force in ground axes, N.
    #[inline]
    fn force(&self, t: f64, poses: &[Pose], spot: &Spot) -> [f64; 2] {
        let [x, y] = &self.components;
        let (x, y) = (x.value(t, poses), y.value(t, poses));
        match self.axes {
            Axes::Ground => [x, y],
            Axes::Place => {
                let (u, n) = (spot.along, spot.across());
                [x * u[0] + y * n[0], x * u[1] + y * n[1]]
            }
        }
    }

    #[inline]
    pub(crate) fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        let spot = self.place.spot(poses);
        let force = self.force(t, poses, &spot);
        push(forces, self.place.body(), 1.0, spot.by(force));
    }

    #[inline]
    pub(crate) fn rates(&self, t: f64, poses: &[Pose]) -> [f64; 2] {
        let spot = self.place.spot(poses);
        [0.0, dot(self.force(t, poses, &spot), spot.velocity)]
    }
}
