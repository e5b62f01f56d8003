//! Stops of a joint: where does its travel end, and with which force?
//!
//! At each end of its travel a joint runs into a stop with the force of a contact law. The indentation is an angle (rad) or a distance along (m), so that the law's stiffness is N m/rad^n or N/m^n, its
//! speed rad/s or m/s, and the effective mass at touch a moment of inertia (kg m²) or a mass (kg).

use crate::contact::Law;
use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, Pose};
use crate::mechanics::joint::Joint;
use crate::mechanics::load::pull;
use crate::mechanics::measure::Measure;
use crate::mechanics::touching::{Follows, Terms};

const ELEMENT: &str = "limits";
/// What a joint's travel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// The angle of the second place's direction from the first's, rad; whole turns count.
    Turn,
    /// How far the second point is along the first place's direction, m.
    Along,
}

impl Travel {
    /// The travel of a revolute or translational joint; `None` of all others.
    pub fn of(joint: &Joint) -> Option<Travel> {
        match joint {
            Joint::Revolute(_) => Some(Travel::Turn),
            Joint::Translational(_) => Some(Travel::Along),
            _ => None,
        }
    }

    /// The SI unit of the travel.
    pub fn unit(self) -> &'static str {
        match self {
            Travel::Turn => "rad",
            Travel::Along => "m",
        }
    }

    /// The travel between two places.
    #[inline]
    pub(crate) fn measure(self, places: &[Place; 2], poses: &[Pose]) -> Measure {
        let [one, two] = places;
        let (a, b) = (one.spot(poses), two.spot(poses));
        match self {
            Travel::Turn => Measure::turn(&a, &b),
            Travel::Along => Measure::along(&a, &b),
        }
    }
}

/// A stop at each end of a joint's travel. What it remembers is one [`Contacting`](crate::mechanics::Contacting) a side, the lower first, which whoever runs it owns.
#[derive(Clone, Debug)]
pub struct Limit {
    places: [Place; 2],
    travel: Travel,
    ends: [f64; 2],
    terms: Terms,
}

impl Limit {
    /// A touch slower than this (m/s, or rad/s) counts as this fast, unless told otherwise.
    pub const SLOWEST: f64 = 1e-5;

    /// Of a revolute or translational joint: the lower and the upper end of its travel (rad or m; an end that is infinite has no stop), and the law of both stops.
    pub fn new(joint: &Joint, [lower, upper]: [f64; 2], law: Law) -> Result<Self, Fault> {
        let Some(travel) = Travel::of(joint) else {
            return Err(Fault::WrongJoint {
                element: ELEMENT,
                allowed: "a revolute or a translational joint",
            });
        };
        let unit = travel.unit();
        let out = |name, value, allowed| Fault::OutOfRange {
            element: ELEMENT,
            name,
            value,
            unit,
            allowed,
            hint: "an angle counts whole turns, from where both directions are the same",
        };
        if !(lower < f64::INFINITY) {
            return Err(out("lower end", lower, "a number, or minus infinity"));
        }
        if !(upper > lower) {
            return Err(out("upper end", upper, "more than the lower end"));
        }
        Ok(Self {
            places: joint.places(),
            travel,
            ends: [lower, upper],
            terms: Terms {
                follows: Follows::Law(law),
                slowest: Self::SLOWEST,
            },
        })
    }

    /// The same with another law of both stops.
    pub fn with_law(mut self, law: Law) -> Self {
        self.terms.follows = Follows::Law(law);
        self
    }

    /// The same with another least approach speed (m/s, or rad/s): a slower touch counts as this fast. Without more it is 1e-5.
    pub fn with_slowest(mut self, speed: f64) -> Result<Self, Fault> {
        positive(ELEMENT, "least approach speed", speed, "m/s or rad/s")?;
        self.terms.slowest = speed;
        Ok(self)
    }

    /// The two bodies; `None` is the ground.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.places.map(|place| place.body())
    }

    /// What its travel is.
    pub fn travel(&self) -> Travel {
        self.travel
    }

    /// The ends of its travel, rad or m.
    pub fn ends(&self) -> [f64; 2] {
        self.ends
    }

    /// The law, and what goes with it.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The gap at the lower and at the upper end, rad or m: how far the travel can go on. Infinite where there is no stop.
    #[inline]
    pub fn gaps(&self, poses: &[Pose]) -> [Measure; 2] {
        let travel = self.travel.measure(&self.places, poses);
        let (mut lower, mut upper) = (travel, travel.times(-1.0));
        lower.value -= self.ends[0];
        upper.value += self.ends[1];
        [lower, upper]
    }

    /// Adds a force (N, or N m) that opens a gap to the forces of both bodies.
    #[inline]
    pub fn push(&self, gap: &Measure, force: f64, forces: &mut [f64]) {
        pull(forces, &self.places, gap, -force);
    }

    /// The direction of a gap in all coordinates, for the effective mass: `direction` is filled with ∂gap/∂q.
    pub fn direction(&self, gap: &Measure, direction: &mut [f64]) {
        direction.fill(0.0);
        self.push(gap, 1.0, direction);
    }
}
