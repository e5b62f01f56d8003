//! How deep does a load press bodies into each other that lie at rest?
//!
//! A law that has one K and one n for an impact has them at the depth of that impact, and a weight is a thousand times less. So the depth at rest is that of the surfaces themselves: of the spring that was given, else of Liu's
//! form for joints, else of Hertz's curve, which goes over into a straight line where round bodies yield (Thornton 1997). What the law itself makes of the load stands beside it.

use crate::contact::{Plastic, weaker};
use crate::math;
use crate::study::static_curve;

use super::case::Case;
use super::onset::Onset;
use super::regime::{pressure_at, work_at};
use super::spring::joint_depth_under;
use super::{AtRest, Geometry, Judged};

/// What this load (N) does at rest, with this law; nothing where no depth bears it.
pub(super) fn at_rest(case: &Case, law: &Judged, load: f64) -> Option<AtRest> {
    let depth = depth(case, load);
    depth.is_finite().then(|| AtRest {
        load,
        depth,
        of_law: of_law(case, law, load),
        stiffer: case
            .known
            .allowed_depth
            .map(|d| load / force(case, load, d)),
        yields_at: yields_at(case).filter(|begins| load > *begins),
    })
}

/// Depth of the surfaces under a load (N), m.
fn depth(case: &Case, load: f64) -> f64 {
    let (k, n) = case.spring;
    match (loading(case, load), case.joint) {
        (Some(curve), _) if load > curve.yield_force => {
            curve.yield_at + (load - curve.yield_force) / curve.slope
        }
        (Some(curve), _) => math::powf(load / curve.k, 1.0 / curve.n.value()),
        (None, Some(joint)) => joint_depth_under(joint, load),
        (None, None) => math::powf(load / k, 1.0 / n),
    }
}

/// Force (N) at a depth (m) of the surfaces that this load (N) lies on.
fn force(case: &Case, load: f64, depth: f64) -> f64 {
    let (k, n) = case.spring;
    match (loading(case, load), case.joint) {
        (Some(curve), _) => curve.loading(depth),
        (None, Some(joint)) => crate::contact::stiffness::joint_force(joint, depth),
        (None, None) => k * math::powf(depth, n),
    }
}

/// How round bodies load that yield under this load (N) or at the speeds asked for: with the pressure of the harder of the two, since what an impact has pressed flat bears a weight without yielding again.
fn loading(case: &Case, load: f64) -> Option<Plastic> {
    let of_impact = case.yielding;
    match (of_impact, of_load(case, load)) {
        (Some(impact), Some(load)) if load.yield_force > impact.yield_force => Some(load),
        (None, load) => load,
        (impact, _) => impact,
    }
}

/// How round bodies load that yield under this load (N); none where they do not, or are not round, and where the stiffness is not theirs.
fn of_load(case: &Case, load: f64) -> Option<Plastic> {
    let meeting = case.meeting();
    let [a, b] = case.known.surfaces.materials.as_ref()?;
    let (strength, _) = weaker([a, b])?;
    // Of 1 kg: only the works count, and they are those of any mass.
    let onset: Onset = meeting.onset(1.0, 1.0)?;
    let (modulus, radius) = onset.point.filter(|_| meeting.given.is_none())?;
    let curve = |work: f64| Plastic::spheres(modulus, radius, pressure_at(&onset, work) * strength);
    let bears = |work: f64| {
        let curve = curve(work);
        curve.loading(curve.depth(work)) >= load
    };
    let first = work_at(onset.begins);
    if bears(first) {
        return None;
    }
    let (mut low, mut high) = (first, 2.0 * first);
    while !bears(high) {
        if !high.is_finite() {
            return None;
        }
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match bears(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(curve(high))
}

/// The load (N) at which surfaces begin to yield of which no loading is known that does: lines, and joints of known length.
fn yields_at(case: &Case) -> Option<f64> {
    let of_a_line = matches!(
        (case.geometry, case.joint),
        (Geometry::Line, _) | (Geometry::Loose | Geometry::Conformal, Some(_))
    );
    let onset = case.known.surfaces.onset_along_a_line();
    onset.filter(|_| of_a_line).map(|(onset, _)| onset.load)
}

/// How deep a force (N) presses the elastic part of a law, m, by halving; nothing where it has none that bears it.
fn of_law(case: &Case, law: &Judged, load: f64) -> Option<f64> {
    let speed = case.middle().0;
    let bears = |depth: f64| {
        let force = static_curve(&law.law, speed, case.mass, &[depth]);
        let force = force.into_iter().next().and_then(|(_, force)| force.ok());
        force.map(|force| force >= load)
    };
    let mut high = law.impact.deepest.delta.max(f64::MIN_POSITIVE);
    for _ in 0..1000 {
        if bears(high)? {
            break;
        }
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match bears(middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    bears(high)?.then_some(high)
}
