//! Friction in an ideal joint: with which force does it resist its travel, under the reaction it carries?
//!
//! The pin of a revolute joint of radius r slides in its bearing at v = r ω under the normal force N, the magnitude of the joint's reaction: the moment is r F(v, N), F being a law of friction.
//!
//! A slider of length L is taken to rest on its guide with two pads, at both ends, half of L before and behind its point. A force P across the guide and a moment M about the point press them with
//! P/2 + M/L and P/2 − M/L, whichever side of the guide each is on; the sum of both magnitudes is N = max(|P|, 2 |M|/L) (statics). Without a length the moment does not press: N = |P|.

use crate::friction;
use crate::friction::Family;
use crate::friction::Law;
use crate::math;
use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::joint::Joint;
use crate::mechanics::limit::Travel;
use crate::mechanics::measure::Measure;

const ELEMENT: &str = "friction of a joint";

/// Friction of a revolute or translational joint. It remembers nothing: what a law has to remember is one [`Grip`](crate::mechanics::Grip) and the law's own variable, which whoever runs it owns.
#[derive(Clone, Debug)]
pub struct JointFriction {
    places: [Place; 2],
    travel: Travel,
    law: Law,
    /// m a unit of travel: the radius of a pin, 1 for a guide.
    arm: f64,
    /// The length of the slider, m; infinite: its moment does not press.
    length: f64,
}

impl JointFriction {
    /// In a revolute joint whose pin has this radius, m.
    pub fn revolute(joint: &Joint, radius: f64, law: Law) -> Result<Self, Fault> {
        positive(ELEMENT, "radius of the pin", radius, "m")?;
        Self::made(
            joint,
            Travel::Turn,
            "a revolute joint",
            radius,
            f64::INFINITY,
            law,
        )
    }

    /// In a translational joint whose slider has this length, m; `None`: only the force across the guide presses, not the moment.
    pub fn translational(joint: &Joint, length: Option<f64>, law: Law) -> Result<Self, Fault> {
        if let Some(length) = length {
            positive(ELEMENT, "length of the slider", length, "m")?;
        }
        let length = length.unwrap_or(f64::INFINITY);
        Self::made(
            joint,
            Travel::Along,
            "a translational joint",
            1.0,
            length,
            law,
        )
    }

    fn made(
        joint: &Joint,
        travel: Travel,
        allowed: &'static str,
        arm: f64,
        length: f64,
        law: Law,
    ) -> Result<Self, Fault> {
        if Travel::of(joint) != Some(travel) {
            return Err(Fault::WrongJoint {
                element: ELEMENT,
                allowed,
            });
        }
        let reason = match law.card().family {
            Family::Regularised | Family::Dry | Family::Bristle => None,
            Family::Rolling => Some("is a law of rolling"),
        };
        if let Some(reason) = reason {
            return Err(Fault::Law {
                element: ELEMENT,
                law: law.card().id,
                reason,
                instead: friction::cards()
                    .filter(|card| card.family != Family::Rolling)
                    .map(|card| card.id)
                    .collect(),
            });
        }
        Ok(Self {
            places: joint.places(),
            travel,
            law,
            arm,
            length,
        })
    }

    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The two bodies; `None` is the ground.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    /// The normal force, N, from the joint's own multipliers: those of a revolute joint are the force in ground axes, those of a guide the force across it and the moment about the slider's point.
    #[inline]
    pub fn normal(&self, lambda: &[f64]) -> f64 {
        let &[one, two] = lambda else {
            return f64::NAN;
        };
        match self.travel {
            Travel::Turn => math::sqrt(one * one + two * two),
            Travel::Along => {
                let (across, couple) = (one.abs(), 2.0 * two.abs() / self.length);
                if couple > across { couple } else { across }
            }
        }
    }

    /// How the normal force changes with each of the joint's own multipliers; of one of its sides where it has a kink.
    #[inline]
    pub fn normal_slope(&self, lambda: &[f64]) -> [f64; 2] {
        let &[one, two] = lambda else {
            return [f64::NAN; 2];
        };
        match self.travel {
            Travel::Turn => {
                let whole = math::sqrt(one * one + two * two);
                if whole > 0.0 {
                    [one / whole, two / whole]
                } else {
                    [0.0; 2]
                }
            }
            Travel::Along => {
                if 2.0 * two.abs() / self.length > one.abs() {
                    [0.0, (2.0 / self.length).copysign(two)]
                } else {
                    [1.0_f64.copysign(one), 0.0]
                }
            }
        }
    }

    /// How the surfaces slide on each other: the distance (m) that the one has moved over the other, the pin's circumference over its bearing or the slider along its guide.
    #[inline]
    pub fn slide(&self, poses: &[Pose]) -> Measure {
        self.travel.measure(&self.places, poses).times(self.arm)
    }

    /// The moment (N m) of a pin, or the force (N) of a slider, that a force (N) along the sliding is.
    #[inline]
    pub fn effort(&self, force: f64) -> f64 {
        self.arm * force
    }
}
