//! Friction in an ideal joint: with which force does it resist its travel, under the reaction it carries?
//!
//! The pin of a revolute joint of radius r slides in its bearing at v = r ω under the normal force N, the magnitude of the joint's reaction: the moment is r F(v, N), F being a law of friction.
//!
//! A slider of length L is taken to rest on its guide with two pads, at both ends, half of L before and behind its point. A force P across the guide and a moment M about the point press them with
//! P/2 + M/L and P/2 − M/L, whichever side of the guide each is on; the sum of both magnitudes is N = max(|P|, 2 |M|/L) (statics). Without a length the moment does not press: N = |P|.

use crate::friction;
use crate::friction::Family;
use crate::friction::Law;
use crate::friction::Sliding;
use crate::friction::Tangential;
use crate::math;
use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::joint::Joint;
use crate::mechanics::limit::Travel;
use crate::mechanics::load::pull;

const ELEMENT: &str = "friction of a joint";

/// Friction of a revolute or translational joint, by a law that is a function of speed: such a law never holds a joint that is loaded, it lets it creep.
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
            Family::Regularised => None,
            Family::Rolling => Some("is a law of rolling"),
            Family::Dry => Some("sticks, and joints that stick come later"),
            Family::Bristle => Some("has a variable of its own, and joints that stick come later"),
        };
        if let Some(reason) = reason {
            return Err(Fault::Law {
                element: ELEMENT,
                law: law.card().id,
                reason,
                instead: friction::cards()
                    .filter(|card| card.family == Family::Regularised)
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

    /// The friction along the travel (N, or N m), against its rate, and the power that it turns into heat, W.
    #[inline]
    pub fn effort(&self, poses: &[Pose], normal: f64) -> [f64; 2] {
        let rate = self.travel.measure(&self.places, poses).rate;
        let force = self.tangential(self.arm * rate, normal);
        [self.arm * force, -force * self.arm * rate]
    }

    /// Adds the friction under this normal force (N) to the forces of both bodies.
    #[inline]
    pub fn apply(&self, poses: &[Pose], normal: f64, forces: &mut [f64]) {
        let travel = self.travel.measure(&self.places, poses);
        let force = self.arm * self.tangential(self.arm * travel.rate, normal);
        pull(forces, &self.places, &travel, -force);
    }

    #[inline]
    fn tangential(&self, speed: f64, normal: f64) -> f64 {
        let at = Sliding {
            speed,
            normal,
            state: 0.0,
        };
        match self.law.force(&at) {
            Tangential::Force(force) => force,
            // Refused by the constructors.
            Tangential::Stick { .. } => f64::NAN,
        }
    }
}
