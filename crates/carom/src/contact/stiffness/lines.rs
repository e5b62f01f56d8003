//! How do a journal and its bearing press on each other, and where do bodies begin to yield that touch along a line?

use std::f64::consts::{PI, SQRT_2};

use crate::contact::cylinder::Cylinder;
use crate::contact::materials::Material;
use crate::math;

use super::{YieldOnset, effective_modulus, effective_radius};

/// Peak pressure over yield strength at which yield begins along a line, by von Mises (Johnson 1985, section 6.1: 3.1 k, k = Y/√3).
pub const LINE_YIELD: f64 = 1.79;

/// Clearance over the radius of the journal up to which a form for journals in bearings is taken: such forms know the clearance and not the radii, so that both must be nearly the same. Beyond it
/// parallel cylinders touch along a line. The bound is set here.
pub const WIDE: f64 = 0.1;

/// π E* L/(2√2) in N/m, for [`joint_force`]: E* in Pa, length in m.
pub fn joint_stiffness(effective_modulus: f64, length: f64) -> f64 {
    PI / (2.0 * SQRT_2) * effective_modulus * length
}

/// Force of a journal on its bearing, k δ √(δ/(c + δ)) in N (Liu, Zhang, Yang 2005): k in N/m and the clearance in m, at an indentation in m.
pub fn joint_force((k, c): (f64, f64), depth: f64) -> f64 {
    k * depth * math::sqrt(depth / (c + depth))
}

/// The work of that force up to an indentation (m), J. By Simpson's rule in u with δ = u²: the force is smooth in u.
pub fn joint_work((k, c): (f64, f64), depth: f64) -> f64 {
    const PARTS: u32 = 64;
    let step = math::sqrt(depth) / f64::from(PARTS);
    let mut sum = 0.0;
    for i in 0..=PARTS {
        let u = step * f64::from(i);
        let d = u * u;
        let f = k * d * u / math::sqrt(c + d) * 2.0 * u;
        let weight = match i {
            0 | PARTS => 1.0,
            i if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        sum += weight * f;
    }
    sum * step / 3.0
}

/// Half of the angle over which a journal lies in its bearing, ε with cos ε = c/(c + δ), rad.
pub fn joint_angle(clearance: f64, depth: f64) -> f64 {
    math::acos(clearance / (clearance + depth))
}

/// How parallel cylinders (signed radii and length in m) press on each other by Hertz's pressure: each gives way by δ = (σF/πL)(2 ln(4R/a) − 1) between the contact, of half width a, and its own middle
/// (Johnson 1985, section 5.6). Of a hollow one that is the layer as thick as its radius. None where a body has no size of its own, as a plane, or the radii are not those of bodies that touch.
pub fn line_compression(
    materials: [&Material; 2],
    radii: [f64; 2],
    length: f64,
) -> Option<Cylinder> {
    let modulus = effective_modulus(materials);
    let radius = effective_radius(radii).ok()?;
    // With a² = 4FR/(πE*L) the sum is δ = F s (ln(C/F) − 1), and C/e² makes that the form at hand.
    let sizes = materials
        .iter()
        .zip(radii)
        .map(|(m, r)| 2.0 * m.sigma() * modulus * math::ln(4.0 * r.abs()))
        .sum::<f64>();
    let c = math::exp(sizes - 2.0) / (4.0 * radius) * PI * modulus * length;
    let curve = Cylinder::new(1.0 / (PI * modulus * length), c);
    curve.is_finite().then_some(curve)
}

/// Force at which the peak pressure √(F' E*/(π R)) along a line reaches p, N.
fn line_load(modulus: f64, radius: f64, length: f64, pressure: f64) -> f64 {
    PI * radius * pressure * pressure / modulus * length
}

/// Where bodies of this E* (Pa), effective radius (m), length of contact (m) and yield strength (Pa) begin to yield along a line: Hertz's pressure is 1.79 Y, and the spring is πE*L/2 (Yang, Sun 1985).
pub fn line_yield_onset(modulus: f64, radius: f64, length: f64, strength: f64) -> YieldOnset {
    let pressure = LINE_YIELD * strength;
    let load = line_load(modulus, radius, length, pressure);
    let indentation = load / (0.5 * PI * modulus * length);
    YieldOnset {
        ratio: LINE_YIELD,
        pressure,
        indentation,
        load,
        energy: 0.5 * load * indentation,
    }
}

/// The same of a journal in its bearing (radii in m). The peak pressure is the larger of Hertz's along a line and the one of the same force over the arc on which they lie.
pub fn joint_yield_onset(
    modulus: f64,
    [journal, bearing]: [f64; 2],
    length: f64,
    strength: f64,
) -> YieldOnset {
    let clearance = bearing - journal;
    let joint = (joint_stiffness(modulus, length), clearance);
    let radius = journal * bearing / clearance;
    let pressure = LINE_YIELD * strength;
    let peak = |depth: f64| {
        let load = joint_force(joint, depth) / length;
        let line = math::sqrt(load * modulus / (PI * radius));
        // Half an ellipse of pressure over the projected arc, F' = π a p/2 as in Hertz's line.
        let half_width = journal * math::sin(joint_angle(clearance, depth));
        line.max(2.0 * load / (PI * half_width))
    };
    // Hertz's pressure alone reaches it at this force, so that yield is not deeper: less force than k δ, and more than half of it once δ is as large as the clearance.
    let load = line_load(modulus, radius, length, pressure);
    let (mut low, mut high) = (0.0, 2.0 * load / joint.0 + clearance);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if peak(middle) < pressure {
            low = middle;
        } else {
            high = middle;
        }
    }
    YieldOnset {
        ratio: LINE_YIELD,
        pressure,
        indentation: high,
        load: joint_force(joint, high),
        energy: joint_work(joint, high),
    }
}
