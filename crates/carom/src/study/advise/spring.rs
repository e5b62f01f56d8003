//! Which spring are these surfaces: how stiff, and how close does a journal fit its bearing?

use crate::card::Fault;
use crate::card::Range;
use crate::contact::closed;
use crate::contact::stiffness::{self, WIDE};
use crate::math;
use crate::model::units::pretty;
use crate::study::Inputs;

use super::case::gap;
use super::{Gap, Geometry, Known, Shape};

/// The power that goes with a stiffness of which nothing is known: that of balls.
pub(super) const ASSUMED_POWER: f64 = 1.5;

/// What the stiffness follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// It was given, or it is that of the surfaces.
    Surfaces,
    /// How long a contact lasts.
    Time,
    /// How deep it may go.
    Depth,
    /// Nothing: it is assumed.
    Nothing,
}

/// K and n: given, from shapes and materials, from a contact time (at the middle speed) or a depth (at the fastest), or assumed.
pub(super) fn spring(
    known: &Known,
    geometry: Geometry,
    mass: f64,
    [slowest, fastest]: [f64; 2],
    assumed: &mut Vec<Gap>,
    missing: &mut Vec<Gap>,
) -> Result<((f64, f64), Follows), Vec<Fault>> {
    if let Some(spring) = known.stiffness {
        return Ok((spring, Follows::Surfaces));
    }
    let speed = math::sqrt(slowest * fastest);
    if let Some(spring) = of_surfaces(known, geometry, mass, speed)? {
        return Ok((spring, Follows::Surfaces));
    }
    let n = usual_exponent(geometry);
    if let Some(time) = known.contact_time {
        let k = of_time(time, n, mass, speed);
        if Range::POSITIVE.contains(k) {
            assumed.push(gap(
                "stiffness",
                format!("K = {k:.4e} N/m^{n} follows from the contact time, as that of an elastic impact of this mass and speed"),
            ));
            return Ok(((k, n), Follows::Time));
        }
        return Err(no_stiffness("contact time", time, "s"));
    }
    if let Some(depth) = known.allowed_depth {
        // What lies there at rest must not sink deeper either.
        let bears = known.load.unwrap_or(0.0) / math::powf(depth, n);
        let k = of_depth(depth, n, mass, fastest).max(bears);
        if Range::POSITIVE.contains(k) {
            assumed.push(gap(
                "stiffness",
                format!("K = {k:.4e} N/m^{n} keeps the allowed depth at this mass and {fastest} m/s, the fastest approach, without any damping"),
            ));
            return Ok(((k, n), Follows::Depth));
        }
        return Err(no_stiffness("allowed depth", depth, "m"));
    }
    let k = Inputs::STIFFNESS;
    let (k, at) = if n == ASSUMED_POWER {
        (k, String::new())
    } else {
        let depth = closed::deepest(k, ASSUMED_POWER, mass, speed, 0.0);
        let at = format!(" at {}", pretty(speed, "m/s", 4));
        (k * 2.0 / 2.5 * math::sqrt(depth), at)
    };
    let (what, why) = lacking(known, geometry);
    missing.push(gap(
        what,
        format!("{why}; until then depth, force and duration are for K = {k:.3e} N/m^{n}, which is as deep as two steel-like balls{at} and says nothing of this contact"),
    ));
    Ok(((k, n), Follows::Nothing))
}

/// That no stiffness that is a number follows from this at the mass and the speeds.
fn no_stiffness(name: &str, value: f64, unit: &'static str) -> Vec<Fault> {
    vec![Fault::OutOfRange {
        law: "advise",
        name: name.into(),
        value,
        unit,
        allowed: "one from which a finite stiffness follows at this mass and speed".into(),
        hint: String::new(),
    }]
}

/// The power of the indentation that the force goes with, unless it is known otherwise.
pub(super) fn usual_exponent(geometry: Geometry) -> f64 {
    match geometry {
        Geometry::Line | Geometry::Flat => 1.0,
        _ => 1.5,
    }
}

/// K and n that follow from materials and shapes, at this speed (m/s), whatever was given. Of a joint whose length is known it is the power 3/2, which Liu's form has while the indentation is small against the
/// clearance, as deep as that form.
pub(super) fn of_surfaces(
    known: &Known,
    geometry: Geometry,
    mass: f64,
    speed: f64,
) -> Result<Option<(f64, f64)>, Vec<Fault>> {
    let surfaces = &known.surfaces;
    let Some([a, b]) = &surfaces.materials else {
        return Ok(None);
    };
    let of = |found: stiffness::Stiffness| Some((found.stiffness, found.exponent));
    match (geometry, surfaces.length, surfaces.radii) {
        (Geometry::Line, Some(length), _) => Ok(of(stiffness::gear(length, [a, b])?)),
        (
            Geometry::Point | Geometry::Loose | Geometry::Conformal | Geometry::Hollow,
            _,
            Some(radii),
        ) => {
            if let Some((k, c)) = joint(known) {
                let depth = joint_depth(k, c, mass, speed);
                return Ok(Some((of_depth(depth, 1.5, mass, speed), 1.5)));
            }
            Ok(of(stiffness::sphere_sphere(radii, [a, b])?))
        }
        _ => Ok(None),
    }
}

/// What is lacking for a stiffness, and what would give it.
fn lacking(known: &Known, geometry: Geometry) -> (&'static str, &'static str) {
    let surfaces = &known.surfaces;
    match (geometry, &surfaces.materials, surfaces.radii) {
        (Geometry::Flat, ..) => (
            "stiffness",
            "the stiffness of flat faces is that of the bodies behind them, E A/l for a bar, and follows neither from materials nor from radii: give the stiffness in N/m, a contact time or an allowed depth",
        ),
        (Geometry::Line, None, _) => (
            "materials",
            "along a line the stiffness follows from materials and length: give the materials, a stiffness in N/m, a contact time or an allowed depth",
        ),
        (Geometry::Line, Some(_), _) => (
            "length",
            "along a line the stiffness follows from the length of the contact: give the length, a stiffness in N/m, a contact time or an allowed depth",
        ),
        (_, None, Some(_)) => (
            "materials",
            "the stiffness follows from materials and radii: give the materials, a stiffness, a contact time or an allowed depth",
        ),
        (_, Some(_), None) => (
            "radii",
            "the stiffness follows from materials and radii: give the radii, a stiffness, a contact time or an allowed depth",
        ),
        _ => (
            "stiffness",
            "nothing is known of the stiffness: give materials and radii, a stiffness, a contact time or an allowed depth",
        ),
    }
}

/// K whose elastic impact lasts so long (s).
fn of_time(time: f64, n: f64, mass: f64, speed: f64) -> f64 {
    // The duration goes with K^(−1/(n+1)).
    let unit = closed::elastic_duration(1.0, n, mass, speed);
    math::powf(unit / time, n + 1.0)
}

/// K whose elastic impact goes so deep (m): ½ m v² = K δ^(n+1)/(n+1).
fn of_depth(depth: f64, n: f64, mass: f64, speed: f64) -> f64 {
    0.5 * (n + 1.0) * mass * speed * speed / math::powf(depth, n + 1.0)
}

/// Radii of the bearing and of the journal in it, m, where radii say what the shapes are.
fn bearing(known: &Known) -> Option<(f64, f64)> {
    let [a, b] = known.surfaces.radii?;
    let (bearing, journal) = (-a.min(b), a.max(b));
    let shaped = matches!(known.shape, Shape::Radii | Shape::Outlines);
    (shaped && bearing.is_finite() && bearing > journal && journal > 0.0)
        .then_some((bearing, journal))
}

/// π E* L/(2√2) in N/m and the clearance in m, of a journal in its bearing whose length and materials are known, however wide the clearance is.
fn cylinders(known: &Known) -> Option<(f64, f64)> {
    let [a, b] = known.surfaces.materials.as_ref()?;
    let length = known.surfaces.length?;
    let (bearing, journal) = bearing(known)?;
    let modulus = stiffness::effective_modulus([a, b]);
    Some((
        stiffness::joint_stiffness(modulus, length),
        bearing - journal,
    ))
}

/// The same where the clearance is that of a joint.
pub(super) fn joint(known: &Known) -> Option<(f64, f64)> {
    cylinders(known).filter(|_| width(known).is_some_and(|width| width <= WIDE))
}

/// Elastic force (N) that an energy (J) brings between a journal and its bearing whose length and materials are known, by three forms: Liu's for joints, the line's, and the line's with the size of the bodies in it
/// (Johnson 1985, section 5.6).
pub(super) fn forms(known: &Known, energy: f64) -> Option<[f64; 3]> {
    let joint = cylinders(known)?;
    let surfaces = &known.surfaces;
    let [a, b] = surfaces.materials.as_ref()?;
    let length = surfaces.length?;
    let line = stiffness::gear(length, [a, b]).ok()?.stiffness;
    let sized = stiffness::line_compression([a, b], surfaces.radii?, length)?;
    let depth = joint_depth(joint.0, joint.1, 2.0 * energy, 1.0);
    Some([
        stiffness::joint_force(joint, depth),
        math::sqrt(2.0 * energy * line),
        sized.force(sized.depth(energy)),
    ])
}

/// The half angle, in rad, over which a journal lies in its bearing (cos ε = c/(c + δ), Liu et al. 2005) from which on a contact counts as conformal: 30°, the bound set here.
pub(super) const CLOSE_FIT_DEGREES: f64 = 30.0;
/// Times that angle, 45°: there the forms for spheres and for cylinders no longer stand beside each other. The angle is that of the overlap; Hertz's own half width, √(Rδ) and not √(2Rδ), spans 30° then.
pub(super) const CLOSELY: f64 = 1.5;
pub(super) const CLOSE_FIT: f64 = CLOSE_FIT_DEGREES * std::f64::consts::PI / 180.0;

/// Clearance over the radius of the journal; none where there is neither.
pub(super) fn width(known: &Known) -> Option<f64> {
    bearing(known).map(|(bearing, journal)| (bearing - journal) / journal)
}

/// The half angle over which a journal lies in its bearing at this approach (m/s), over the one from which on it counts as conformal.
pub(super) fn closeness(
    known: &Known,
    spring: (f64, f64),
    joint: Option<(f64, f64)>,
    mass: f64,
    speed: f64,
) -> Option<f64> {
    let clearance = match (joint, known.surfaces.radii) {
        (Some((_, c)), _) => c,
        (None, Some([a, b])) => (a + b).abs(),
        _ => return None,
    };
    let depth = match joint {
        Some((k, c)) => joint_depth(k, c, mass, speed),
        None => closed::deepest(spring.0, spring.1, mass, speed, 0.0),
    };
    Some(stiffness::joint_angle(clearance, depth) / CLOSE_FIT)
}

/// What lacks where the length of a joint is not given. Whether Hertz's form fails is decided by the angle alone, here as in the ranking, whose reason tells it.
pub(super) fn without_length(closeness: Option<f64>, wide: bool) -> &'static str {
    match closeness {
        _ if wide => {
            "the length of the contact is not given: the clearance is too wide for a joint, and with a length this would be judged as a contact along a line"
        }
        Some(x) if x >= CLOSELY => {
            "the length of the joint is not given: without it no law for so close a fit (liu) can be set up, and until then every law here has a force that is rough at best"
        }
        _ => {
            "the length of the joint is not given: a law for cylinders with clearance (liu) cannot be set up; with it, it would be judged beside the others"
        }
    }
}

/// Elastic depth in a joint, m: where its work is ½ m v².
pub(super) fn joint_depth(k: f64, c: f64, mass: f64, speed: f64) -> f64 {
    let energy = 0.5 * mass * speed * speed;
    // Less force than k δ, so deeper than that spring.
    let least = math::sqrt(2.0 * energy / k);
    rising(|depth| stiffness::joint_work((k, c), depth), energy, least)
}

/// Elastic depth in a joint, m, under this load (N).
pub(super) fn joint_depth_under(joint: (f64, f64), load: f64) -> f64 {
    rising(
        |depth| stiffness::joint_force(joint, depth),
        load,
        load / joint.0,
    )
}

/// Where what rises with the depth is this much, m, by halving; `least` is a depth that is less.
fn rising(of: impl Fn(f64) -> f64, much: f64, least: f64) -> f64 {
    let mut low = least;
    let mut high = low;
    for _ in 0..200 {
        if of(high) >= much || !high.is_finite() {
            break;
        }
        low = high;
        high *= 2.0;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if of(middle) < much {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
