//! Which numbers does every contact law of the catalogue take in one typical case, so that all of them can be tried and timed?
//!
//! The case is that of Machado et al. (2012), section 4: two spheres, m = 0.046 kg (effective), K = 5.5e9 N/m^1.5, 0.3 m/s, restitution 0.7. What a law wants besides is chosen so that
//! its impact is about as deep (10 µm) and as long (150 µs).

use carom::card::{Need, Role, Values};
use carom::contact::{Calibration, Card, Law, Restitution};

/// Effective mass, kg.
pub const MASS: f64 = 0.046;
/// Approach speed, m/s.
pub const SPEED: f64 = 0.3;
/// Restitution asked for.
pub const RESTITUTION: f64 = 0.7;

/// Values for all parameters that must be given, but for restitution and damping; `None` if a parameter is new here and has no number yet.
pub fn typical(card: &Card) -> Option<Values> {
    let mut values = Values::new();
    for parameter in card.parameters {
        let damper = matches!(parameter.role, Role::Damping | Role::Restitution);
        if parameter.need != Need::Required || damper {
            continue;
        }
        let number = match (parameter.name, parameter.unit) {
            ("stiffness", "N/m") => 2e7,
            ("stiffness", "N/m^1.08") => 5e7,
            ("stiffness", _) => 5.5e9,
            ("young" | "young_1" | "young_2", _) => 7e10,
            ("poisson", _) => 0.33,
            ("length", _) => 0.01,
            ("clearance", _) => 0.5e-3,
            ("bearing_radius", _) => 10e-3,
            ("journal_radius", _) => 9.5e-3,
            ("effective_modulus", _) => 4e10,
            ("effective_radius", _) => 0.01,
            ("radius_1" | "radius_2", _) => 0.02,
            ("yield_strength_1" | "yield_strength_2", _) => 2.4e8,
            ("limiting_pressure", _) => 1.5e9,
            ("yield_indentation", _) => 2e-6,
            ("gamma", "1/s") => 2e6,
            ("equilibrium_shear_modulus", _) => 2e10,
            ("decaying_shear_modulus", _) => 1e10,
            ("viscosity", _) => 1e5,
            ("volume_stiffness", _) => 1e14,
            ("case_coefficient", _) => 1.0,
            ("interference_area", _) => 1e-6,
            ("shape_length", _) => 5e-3,
            _ => return None,
        };
        values.set_number(parameter.name, number);
    }
    Some(values)
}

/// The law in the typical case: its own coefficient where it takes a restitution, the calibrated one where it can be calibrated, else as it is.
pub fn law(card: &'static Card) -> Option<Law> {
    let values = typical(card)?;
    let asked = Some(Restitution::Number(RESTITUTION));
    let published = Law::new(card, &values, asked.clone(), Calibration::Published);
    published
        .or_else(|_| Law::new(card, &values, asked, Calibration::Exact))
        .ok()
}
