//! What does a joint ask of the two places it joins, and with which forces does it get it?
//!
//! Every joint is rows of Φ(q, t) = 0 between two places, the first and the second. Each row comes with all that position, velocity and acceleration analysis need
//! (Nikravesh 1988; Machado et al. 2012, eq. 1–2).

pub mod curve;
pub mod driver;
pub mod gear;
pub mod link;
pub mod pin_slot;
pub mod rack;
pub mod revolute;
pub mod rigid;
pub mod translational;

use crate::mechanics::fault::{Fault, finite};
use crate::mechanics::frame::{Place, Pose, dot, turned};
use crate::mechanics::measure::Measure;

/// One row of a joint's constraints, at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Φ, m or rad: zero where the joint is closed.
    pub value: f64,
    /// Φ_q: by (x, y, φ) of the first and of the second body. The ground's are given too (they serve its reaction); the Jacobian leaves them out.
    pub by: [[f64; 3]; 2],
    /// Φ_t at held coordinates: zero but for drivers.
    pub time: f64,
    /// dΦ/dt = Φ_q v + Φ_t: zero where the velocities obey the joint.
    pub rate: f64,
    /// γ = −(Φ_q v)_q v − 2 Φ_qt v − Φ_tt, so that Φ_q a = γ.
    pub gamma: f64,
}

impl From<Measure> for Row {
    #[inline]
    fn from(m: Measure) -> Self {
        Self {
            value: m.value,
            by: m.by,
            time: 0.0,
            rate: m.rate,
            gamma: -m.second,
        }
    }
}

/// What a joint does to one of its bodies, at the joint's place on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force in ground axes, N.
    pub force: [f64; 2],
    /// Moment about the place, N m.
    pub moment: f64,
}

/// A joint between two places, drivers included.
#[derive(Clone, Debug)]
pub enum Joint {
    /// Two points coincide.
    Revolute(revolute::Revolute),
    /// A body slides along a line of another and does not turn in it.
    Translational(translational::Translational),
    /// Two bodies move as one.
    Rigid(rigid::Rigid),
    /// A point stays on a line of another body.
    PinSlot(pin_slot::PinSlot),
    /// Two points keep their distance.
    Link(link::Link),
    /// Two wheels roll on each other.
    Gear(gear::Gear),
    /// A wheel rolls along a line.
    Rack(rack::Rack),
    /// A point stays on a curve of another body.
    PointOnCurve(curve::PointOnCurve),
    /// An angle, a coordinate or a distance follows a function of time.
    Driver(driver::Driver),
}

/// Calls the same method of whatever joint it is.
macro_rules! each {
    ($joint:expr, $name:ident => $call:expr) => {
        match $joint {
            Joint::Revolute($name) => $call,
            Joint::Translational($name) => $call,
            Joint::Rigid($name) => $call,
            Joint::PinSlot($name) => $call,
            Joint::Link($name) => $call,
            Joint::Gear($name) => $call,
            Joint::Rack($name) => $call,
            Joint::PointOnCurve($name) => $call,
            Joint::Driver($name) => $call,
        }
    };
}

/// A joint of its kind becomes a [`Joint`].
macro_rules! from {
    ($($module:ident::$kind:ident),*) => {
        $(impl From<$module::$kind> for Joint {
            fn from(joint: $module::$kind) -> Self {
                Joint::$kind(joint)
            }
        })*
    };
}
from!(
    revolute::Revolute,
    translational::Translational,
    rigid::Rigid,
    pin_slot::PinSlot,
    link::Link,
    gear::Gear,
    rack::Rack,
    curve::PointOnCurve,
    driver::Driver
);

impl Joint {
    /// What kind it is, as a model file types it.
    pub fn kind(&self) -> &'static str {
        match self {
            Joint::Revolute(_) => "revolute",
            Joint::Translational(_) => "translational",
            Joint::Rigid(_) => "rigid",
            Joint::PinSlot(_) => "pin-slot",
            Joint::Link(_) => "link",
            Joint::Gear(_) => "gear",
            Joint::Rack(_) => "rack",
            Joint::PointOnCurve(_) => "point-on-curve",
            Joint::Driver(_) => "driver",
        }
    }

    /// How many rows it has: 1, 2 or 3.
    pub fn count(&self) -> usize {
        match self {
            Joint::Rigid(_) => 3,
            Joint::Revolute(_) | Joint::Translational(_) => 2,
            _ => 1,
        }
    }

    /// The two places.
    pub fn places(&self) -> [Place; 2] {
        each!(self, joint => joint.places)
    }

    /// The two bodies; `None` is the ground.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.places().map(|place| place.body())
    }

    /// The rows at time `t` (s), written to the front of `rows`; answers how many.
    pub fn evaluate(&self, t: f64, poses: &[Pose], rows: &mut [Row; 3]) -> usize {
        let mut places = rows.iter_mut();
        self.each_row(t, poses, |row| {
            if let Some(place) = places.next() {
                *place = row;
            }
        });
        self.count()
    }

    /// Hands over the rows at time `t` (s), one by one. A row goes from where it is computed to where it is wanted without a stay in memory, which took longer than all the arithmetic;
    /// and each kind asks for its own two spots, so that nothing of them is computed in vain.
    #[inline(always)]
    pub(crate) fn each_row(&self, t: f64, poses: &[Pose], mut put: impl FnMut(Row)) {
        let spots = |[one, two]: &[Place; 2]| (one.spot(poses), two.spot(poses));
        /// Rows of a kind, by name.
        macro_rules! put {
            ($joint:ident.$rows:ident($($t:ident)?) => $pattern:pat, $($row:ident),+) => {{
                let (a, b) = spots(&$joint.places);
                let $pattern = $joint.$rows($($t,)? &a, &b);
                $(put($row);)+
            }};
        }
        match self {
            Joint::Revolute(joint) => put!(joint.rows() => [x, y], x, y),
            Joint::Translational(joint) => put!(joint.rows() => [x, y], x, y),
            Joint::Rigid(joint) => put!(joint.rows() => [x, y, z], x, y, z),
            Joint::PinSlot(joint) => put!(joint.row() => x, x),
            Joint::Link(joint) => put!(joint.row() => x, x),
            Joint::Gear(joint) => put!(joint.row() => x, x),
            Joint::Rack(joint) => put!(joint.row() => x, x),
            Joint::PointOnCurve(joint) => put!(joint.row() => x, x),
            Joint::Driver(joint) => put!(joint.row(t) => x, x),
        }
    }

    /// What the joint does to the first and to the second body, from its rows and multipliers: −Φ_qᵀ λ (Machado et al. 2012, eq. 5), the moment moved from the mass centre to the place.
    /// The ground's is what the ground feels.
    pub fn reactions(&self, poses: &[Pose], rows: &[Row], lambda: &[f64]) -> [Reaction; 2] {
        [0, 1].map(|side| self.reaction(side, poses, rows, lambda))
    }

    /// What it does to the first (0) or the second (1) body.
    pub(crate) fn reaction(
        &self,
        side: usize,
        poses: &[Pose],
        rows: &[Row],
        lambda: &[f64],
    ) -> Reaction {
        let mut reaction = Reaction::default();
        let side = side.min(1);
        for (row, lambda) in rows.iter().zip(lambda).take(self.count()) {
            let [x, y, phi] = row.by[side].map(|by| -lambda * by);
            reaction.force[0] += x;
            reaction.force[1] += y;
            reaction.moment += phi;
        }
        let place = each!(self, joint => &joint.places[side]);
        let arm = Pose::of(place.body(), poses).rotate(place.at());
        reaction.moment -= dot(turned(arm), reaction.force);
        reaction
    }

    /// Which of `force_x`, `force_y` and `moment` (each about the place) the joint can carry.
    pub fn carries(&self) -> &'static [&'static str] {
        match self {
            Joint::Revolute(_) | Joint::Link(_) => &["force_x", "force_y"],
            Joint::Driver(driver) => driver.carries(),
            _ => &["force_x", "force_y", "moment"],
        }
    }
}

/// Both places, if they are on two bodies.
pub(crate) fn two_bodies(
    element: &'static str,
    first: Place,
    second: Place,
) -> Result<[Place; 2], Fault> {
    for place in [first, second] {
        let [x, y] = place.at();
        finite(element, "x of a point", x, "m")?;
        finite(element, "y of a point", y, "m")?;
        finite(element, "angle of a direction", place.angle(), "rad")?;
    }
    if first.body() == second.body() {
        return Err(Fault::SameBody {
            element,
            body: first.body(),
        });
    }
    Ok([first, second])
}
