//! At which speed does the weaker body begin to yield, and from which on is all of it plastic?
//!
//! For every way of meeting the same two questions: when does the peak pressure reach what a body can bear, and when is the pressure that of full plasticity over an area so large that the elastic part no
//! longer matters? Both are energies, so that the mass counts: a heavy body with a small nose yields earlier than a ball.

use std::f64::consts::PI;

use crate::contact::closed;
use crate::contact::materials::Material;
use crate::contact::stiffness::{self, YieldOnset};
use crate::contact::{Surfaces, weaker};
use crate::math;

use super::Geometry;

/// Mean pressure over yield strength in full plasticity: about 2.8 in Tabor 1951, about 3 in Johnson 1985, section 6.3.
pub(super) const FULL_PRESSURE: f64 = 2.8;
/// E* a/(Y R) from which on indentation is fully plastic: about that in Johnson 1985, section 6.3.
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
    /// π E* L/(2√2) in N/m and the clearance in m, of a joint whose length is known.
    pub joint: Option<(f64, f64)>,
    /// K in N/m^n and n that were given: the surfaces say which load they bear, this spring says what work that takes.
    pub given: Option<(f64, f64)>,
}

impl Meeting<'_> {
    /// E* (Pa) and effective radius (m).
    pub fn round(&self) -> Option<(f64, f64)> {
        let [a, b] = self.surfaces.materials.as_ref()?;
        let radius = stiffness::effective_radius(self.surfaces.radii?).ok()?;
        let modulus = stiffness::effective_modulus([a, b]);
        radius.is_finite().then_some((modulus, radius))
    }

    /// Radius of the journal in m, than which no contact is wider; infinite without one.
    fn journal(&self) -> f64 {
        let radii = self.surfaces.radii.filter(|_| self.joint.is_some());
        radii.map_or(f64::INFINITY, |[a, b]| a.max(b))
    }

    /// The work up to a load (N), J: that of the spring given, else the surfaces' own.
    fn work(&self, load: f64, own: f64) -> f64 {
        self.given.map_or(own, |(k, n)| {
            load * math::powf(load / k, 1.0 / n) / (n + 1.0)
        })
    }

    /// The approach (m/s) at which round bodies of this E* (Pa), effective radius (m) and effective mass (kg) reach a pressure (Pa) in the middle of their contact.
    pub fn speed_at(&self, (modulus, radius): (f64, f64), pressure: f64, mass: f64) -> f64 {
        if self.given.is_none() {
            return closed::thornton_yield_speed(modulus, radius, pressure, mass);
        }
        // π³R²p³/(6E*²) of Hertz.
        let load = math::powi(PI * pressure, 3) / 6.0 * math::powi(radius / modulus, 2);
        math::sqrt(2.0 * self.work(load, f64::NAN) / mass)
    }

    /// When these bodies of this effective mass (kg) yield, and their number at this speed (m/s). None where shape, size or strength is not known.
    pub fn onset(&self, mass: f64, speed: f64) -> Option<Onset> {
        let [a, b] = self.surfaces.materials.as_ref()?;
        let (strength, material) = weaker([a, b])?;
        let modulus = stiffness::effective_modulus([a, b]);
        let radius = || self.round().map(|(_, radius)| radius);
        let square = mass * speed * speed;
        match (self.geometry, self.joint) {
            (Geometry::Point | Geometry::Hollow, _) | (Geometry::Loose, None) => {
                Some(self.point(modulus, radius()?, strength, mass, square))
            }
            (Geometry::Line, _) | (Geometry::Loose | Geometry::Conformal, Some(_)) => {
                let (first, _) = self.surfaces.onset_along_a_line()?;
                let line = Line {
                    modulus,
                    radius: radius()?,
                    length: self.surfaces.length?,
                    strength,
                };
                let close = self.geometry == Geometry::Conformal;
                let widest = self.journal();
                Some(Onset {
                    // A body that fits closely has no volume of its own.
                    number: (!close).then(|| line.number(square)),
                    point: None,
                    ..self.speeds(&first, line.full_work(widest), mass)
                })
            }
            (Geometry::Flat, _) => flat([a, b], strength, material, speed),
            _ => None,
        }
    }

    /// Where yield begins and where it is full, from that work (J) of the surfaces. On a spring that was given both speeds keep their ratio.
    fn speeds(&self, first: &YieldOnset, full: f64, mass: f64) -> Onset {
        let own = first.speed(mass);
        let full = math::sqrt(2.0 * full / mass).max(LEAST_RATIO * own);
        let begins = math::sqrt(2.0 * self.work(first.load, first.energy) / mass);
        Onset {
            begins,
            full: full * (begins / own),
            number: None,
            point: None,
        }
    }

    /// Round bodies: Hertz up to 1.6 Y in the middle of the contact (Johnson 1985, section 11.5).
    fn point(&self, modulus: f64, radius: f64, strength: f64, mass: f64, square: f64) -> Onset {
        let first = stiffness::yield_onset(modulus, radius, strength);
        // The work of a constant pressure p over π a² with δ = a²/(2R): π p a⁴/(4R).
        let a = FULL_STRAIN * strength * radius / modulus;
        let work = 0.25 * PI * FULL_PRESSURE * strength * math::powi(a, 4) / radius;
        Onset {
            // m = (4/3) π R³ ρ of a ball gives ρ v²/Y.
            number: Some(0.75 * square / (PI * strength * math::powi(radius, 3))),
            point: Some((modulus, radius)),
            ..self.speeds(&first, work, mass)
        }
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
    /// The work of full plasticity up to E* a/(Y R) = 30, or up to the largest half width a (m): p 2 a L over δ = a²/(2R) is 2 p L a³/(3R), J.
    fn full_work(&self, widest: f64) -> f64 {
        let a = (FULL_STRAIN * self.strength * self.radius / self.modulus).min(widest);
        2.0 / 3.0 * FULL_PRESSURE * self.strength * self.length * math::powi(a, 3) / self.radius
    }

    /// m = π R² L ρ of a solid cylinder gives ρ v²/Y.
    fn number(&self, square: f64) -> f64 {
        square / (PI * self.radius * self.radius * self.length * self.strength)
    }
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
