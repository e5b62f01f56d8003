//! At which speed does the weaker body begin to yield, and from which on is all of it plastic?
//!
//! For every way of meeting the same two questions: when does the peak pressure reach what a body can bear, and when is the pressure that of full plasticity over an area so large that the elastic part no
//! longer matters? Both are energies, so that the mass counts: a heavy body with a small nose yields earlier than a ball.

use std::f64::consts::PI;

use crate::contact::Surfaces;
use crate::contact::materials::Material;
use crate::contact::stiffness;
use crate::math;

use super::Geometry;
use super::spring::{angle, joint_force, joint_work};

/// Peak pressure over yield strength at which yield begins along a line, by von Mises (Johnson 1985, section 6.1: 3.1 k, k = Y/√3).
const LINE_YIELD: f64 = 1.79;
/// Mean pressure over yield strength in full plasticity (Johnson 1985, section 6.3: about 3; Tabor 1951: 2.8).
pub(super) const FULL_PRESSURE: f64 = 2.8;
/// E* a/(Y R) from which on indentation is fully plastic (Johnson 1985, section 6.3).
const FULL_STRAIN: f64 = 30.0;
/// Full plasticity needs this many times the speed of yield at least: the mean pressure of one and the same area must double, from π/4 · 1.79 Y to 2.8 Y.
const LEAST_RATIO: f64 = 2.0;

/// What is known of yield at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Onset {
    /// The approach at which yield begins, m/s.
    pub begins: f64,
    /// The approach from which on indentation is fully plastic, m/s.
    pub full: f64,
    /// What a solid body has as ρ v²/Y, from the mass: energy over strength and the volume that the radii span. None where the contact is as large as the body.
    pub number: Option<f64>,
    /// E* (Pa) and effective radius (m) where bodies touch at a point.
    pub point: Option<(f64, f64)>,
}

/// How the surfaces meet, and how stiff they are.
pub(super) struct Meeting<'a> {
    pub surfaces: &'a Surfaces,
    pub geometry: Geometry,
    /// K in N/m^n and n of the surfaces.
    pub spring: (f64, f64),
    /// π E* L/(2√2) in N/m and the clearance in m, of a joint whose length is known.
    pub joint: Option<(f64, f64)>,
}

/// The weaker of two materials and its yield strength, Pa.
pub(super) fn weaker([a, b]: [&Material; 2]) -> Option<(f64, &Material)> {
    [a, b]
        .into_iter()
        .filter_map(|m| Some((m.yield_strength?, m)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

impl Meeting<'_> {
    /// When these bodies of this effective mass (kg) yield, and their number at this speed (m/s). None where shape, size or strength is not known.
    pub fn onset(&self, mass: f64, speed: f64) -> Option<Onset> {
        let [a, b] = self.surfaces.materials.as_ref()?;
        let (strength, material) = weaker([a, b])?;
        let modulus = stiffness::effective_modulus([a, b]);
        let radius = || {
            let radii = self.surfaces.radii?;
            stiffness::effective_radius(radii)
                .ok()
                .filter(|r| r.is_finite())
        };
        let square = mass * speed * speed;
        match (self.geometry, self.joint, self.surfaces.length) {
            (Geometry::Point | Geometry::Hollow, ..) | (Geometry::Loose, None, _) => {
                Some(point(modulus, radius()?, strength, mass, square))
            }
            (Geometry::Line, _, Some(length)) => {
                let line = Line {
                    modulus,
                    radius: radius()?,
                    length,
                    strength,
                };
                Some(line.onset(mass, square, self.spring))
            }
            (Geometry::Loose | Geometry::Conformal, Some(joint), Some(length)) => {
                let line = Line {
                    modulus,
                    radius: radius()?,
                    length,
                    strength,
                };
                let [ra, rb] = self.surfaces.radii?;
                let close = self.geometry == Geometry::Conformal;
                Some(line.in_joint(mass, square, joint, ra.max(rb), close))
            }
            (Geometry::Flat, ..) => flat([a, b], strength, material, speed),
            _ => None,
        }
    }
}

/// Round bodies: Hertz up to 1.6 Y in the middle of the contact (Johnson 1985, section 11.5).
fn point(modulus: f64, radius: f64, strength: f64, mass: f64, square: f64) -> Onset {
    let begins = stiffness::yield_onset(modulus, radius, strength).speed(mass);
    // The work of a constant pressure p over π a² with δ = a²/(2R): π p a⁴/(4R).
    let a = FULL_STRAIN * strength * radius / modulus;
    let work = 0.25 * PI * FULL_PRESSURE * strength * math::powi(a, 4) / radius;
    Onset {
        begins,
        full: (math::sqrt(2.0 * work / mass)).max(LEAST_RATIO * begins),
        // m = (4/3) π R³ ρ of a ball gives ρ v²/Y.
        number: Some(0.75 * square / (PI * strength * math::powi(radius, 3))),
        point: Some((modulus, radius)),
    }
}

/// Bodies that touch along a line: E* and Y in Pa, effective radius and length in m.
struct Line {
    modulus: f64,
    radius: f64,
    length: f64,
    strength: f64,
}

impl Line {
    /// Force at which the peak pressure √(F' E*/(π R)) reaches 1.79 Y, N.
    fn yield_force(&self) -> f64 {
        let pressure = LINE_YIELD * self.strength;
        PI * self.radius * pressure * pressure / self.modulus * self.length
    }

    /// The work of full plasticity up to E* a/(Y R) = 30, or up to the largest half width a (m): p 2 a L over δ = a²/(2R) is 2 p L a³/(3R), J.
    fn full_work(&self, widest: f64) -> f64 {
        let a = (FULL_STRAIN * self.strength * self.radius / self.modulus).min(widest);
        2.0 / 3.0 * FULL_PRESSURE * self.strength * self.length * math::powi(a, 3) / self.radius
    }

    /// m = π R² L ρ of a solid cylinder gives ρ v²/Y.
    fn number(&self, square: f64) -> f64 {
        square / (PI * self.radius * self.radius * self.length * self.strength)
    }

    fn onset(&self, mass: f64, square: f64, (k, n): (f64, f64)) -> Onset {
        let force = self.yield_force();
        let depth = math::powf(force / k, 1.0 / n);
        let begins = math::sqrt(2.0 * force * depth / ((n + 1.0) * mass));
        let full = math::sqrt(2.0 * self.full_work(f64::INFINITY) / mass);
        Onset {
            begins,
            full: full.max(LEAST_RATIO * begins),
            number: Some(self.number(square)),
            point: None,
        }
    }

    /// A journal in its bearing. The peak pressure is the larger of Hertz's along a line and the one of the same force over the arc on which they lie.
    fn in_joint(
        &self,
        mass: f64,
        square: f64,
        joint: (f64, f64),
        journal: f64,
        close: bool,
    ) -> Onset {
        let peak = |depth: f64| {
            let load = joint_force(joint, depth) / self.length;
            let line = math::sqrt(load * self.modulus / (PI * self.radius));
            // Half an ellipse of pressure over the projected arc, F' = π a p/2 as in Hertz's line.
            let half_width = journal * math::sin(angle(joint.1, depth));
            line.max(2.0 * load / (PI * half_width))
        };
        let bears = LINE_YIELD * self.strength;
        // Hertz's pressure alone reaches it at this force, so that yield is not deeper.
        let mut high = joint_depth_of_force(joint, self.yield_force());
        let mut low = 0.0;
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if peak(middle) < bears {
                low = middle;
            } else {
                high = middle;
            }
        }
        let begins = math::sqrt(2.0 * joint_work(joint, high) / mass);
        let full = math::sqrt(2.0 * self.full_work(journal) / mass);
        Onset {
            begins,
            full: full.max(LEAST_RATIO * begins),
            number: (!close).then(|| self.number(square)),
            point: None,
        }
    }
}

/// The indentation at which a joint has this force (N), m. By halving: the force grows with the depth.
fn joint_depth_of_force(joint: (f64, f64), force: f64) -> f64 {
    // Less force than k δ, and more than half of it once δ is as large as the clearance.
    let (mut low, mut high) = (force / joint.0, 2.0 * force / joint.0 + joint.1);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if joint_force(joint, middle) < force {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Flat faces: the stress of the plane wave that starts at touch, v Z₁Z₂/(Z₁ + Z₂) with Z = ρ√(E/ρ).
fn flat(materials: [&Material; 2], strength: f64, weaker: &Material, speed: f64) -> Option<Onset> {
    let [a, b] = materials.map(|m| Some(m.density? * m.wave_speed()?));
    let (a, b) = (a?, b?);
    let begins = strength * (a + b) / (a * b);
    Some(Onset {
        begins,
        full: FULL_PRESSURE * begins,
        number: weaker.density.map(|rho| rho * speed * speed / strength),
        point: None,
    })
}
