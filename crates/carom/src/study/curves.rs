//! Which curves show what a contact law does?
//!
//! Every curve is a list of points, each with a number or the reason why there is none. Restitutions are taken from a closed form where there is one ([`impact::restitution`]), else
//! from a simulated free impact.
//!
//! ```
//! use carom::contact;
//! use carom::study::{Inputs, restitution_curve};
//!
//! let card = contact::find("lankarani-nikravesh")?;
//! let curve = restitution_curve(card, &Inputs::plausible(card), &[0.5]);
//! let returned = curve[0].1.clone()?;
//! assert!((returned - 0.725_241_114).abs() < 1e-9);      // for 0.5
//! # Ok::<(), carom::impact::Failed>(())
//! ```

use crate::card::Fault;
use crate::card::Need;
use crate::card::Parameter;
use crate::card::Range;
use crate::card::Role;
use crate::card::Values;
use crate::contact::closed;
use crate::contact::{Calibration, Card, Damper, Law};
use crate::impact;
use crate::impact::{Accuracy, Failed, Lab};
use crate::math;

/// Points of a curve: the abscissa, and the number there or why there is none.
pub type Curve = Vec<(f64, Result<f64, Failed>)>;

/// Fine enough for any picture: an impact takes some hundred evaluations.
const ACCURACY: Accuracy = Accuracy {
    rtol: 1e-10,
    samples: 0,
};

/// What a curve is drawn for: values of the law's parameters (without the restitution), and one impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// Parameters other than the restitution, SI units.
    pub values: Values,
    /// Effective mass, kg.
    pub mass: f64,
    /// Approach speed, m/s.
    pub speed: f64,
}

impl Inputs {
    /// The mass of the example of Machado et al. (2012), kg.
    pub const MASS: f64 = 0.046;
    /// Its speed, m/s.
    pub const SPEED: f64 = 0.3;
    /// Its stiffness, N/m^1.5.
    pub const STIFFNESS: f64 = 5.5e9;

    /// Inputs with which a curve can be drawn when nobody gave any: the two spheres of Machado et al. (2012), K = 5.5e9 N/m^1.5, m = 0.046 kg, v0 = 0.3 m/s. Where the force grows with
    /// another power of the indentation, the stiffness is the one that is indented as deep (three digits). Other numbers that a law asks for are chosen by their name and
    /// unit, in keeping with that K: E = 4.125e10 Pa, R = 10 mm. Good for the shape of a curve, not for a design.
    pub fn plausible(card: &Card) -> Self {
        let mut values = Values::new();
        for p in card.parameters {
            let needed = match p.need {
                Need::Required => !matches!(p.role, Role::Restitution | Role::Damping),
                _ => false,
            };
            if let (true, Some(value)) = (needed, plausible(p, card)) {
                values.set_number(p.name, value);
            }
        }
        Self {
            values,
            mass: Self::MASS,
            speed: Self::SPEED,
        }
    }

    /// The law with these inputs, asked for this restitution.
    fn law(&self, card: &'static Card, e: f64) -> Result<Law, Failed> {
        let values = self.values.clone().number("restitution", e);
        Law::new(card, &values, None, Calibration::Published).map_err(first)
    }
}

/// The first fault: one is enough to say why a point is missing.
fn first(faults: Vec<Fault>) -> Failed {
    let none = Fault::NoCalibration {
        law: "",
        reason: "nobody said why".into(),
    };
    Failed::Input(faults.into_iter().next().unwrap_or(none))
}

/// A value for a parameter that must be given; `None` where its unit does not tell.
fn plausible(p: &Parameter, card: &Card) -> Option<f64> {
    let value = match (p.role, p.name, p.unit) {
        // The cap of a sphere of 10 mm: V is about π R δ².
        (_, "volume_stiffness", _) => three_digits(stiffness(2.0) / (core::f64::consts::PI * 0.01)),
        (Role::Stiffness, _, _) => stiffness(card.exponent(&Values::new())?),
        // What must stand in some proportion to the rest: a journal smaller than its bearing, metals that yield within the impact.
        (_, "journal_radius", _) => 9.5e-3,
        (_, "clearance", _) => 0.5e-3,
        (_, "yield_indentation", _) => 1e-6,
        (_, "limiting_pressure" | "yield_strength_1" | "yield_strength_2", _) => 1e9,
        (_, "poisson", _) => 0.3,
        (_, _, "Pa") => 4.125e10,
        (_, _, "m") => 0.01,
        (_, _, "m^2" | "m²") => 1e-4,
        (_, _, "Pa s") => 1e5,
        // Much faster than the impact, which lasts some 150 µs.
        (_, _, "1/s") => 1e6,
        (_, _, "") => 1.0,
        _ => return None,
    };
    Some(inside(value, &p.range))
}

/// The stiffness with which a force K δ^n is indented as deep as the two spheres, to three digits.
fn stiffness(n: f64) -> f64 {
    let (k, m, v) = (Inputs::STIFFNESS, Inputs::MASS, Inputs::SPEED);
    let depth = closed::deepest(k, 1.5, m, v, 0.0);
    let exact = 0.5 * (n + 1.0) * m * v * v / math::powf(depth, n + 1.0);
    three_digits(exact)
}

/// Rounded, so that what is printed is what was used.
fn three_digits(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The value, or the middle of the range if it is outside.
fn inside(value: f64, range: &Range) -> f64 {
    let middle = 0.5 * (range.low + range.high);
    if range.contains(value) || !range.contains(middle) {
        value
    } else {
        middle
    }
}

/// What a law returns in a free impact.
fn returned(law: &Law, speed: f64, mass: f64) -> Result<f64, Failed> {
    let touch = impact::begin(law, speed, mass)?;
    match impact::restitution(&touch) {
        Some(e) => Ok(e),
        None => Ok(impact::simulate(law, speed, mass, &ACCURACY)?.restitution),
    }
}

/// Whether a law listens to the restitution it is asked for when nothing else is chosen. The elastic laws of cylinders do so only with a damper.
pub fn has_restitution_curve(card: &Card) -> bool {
    let parameter = card.restitution();
    parameter.is_some_and(|p| !matches!(p.need, Need::Sometimes))
}

/// The restitution that a law returns over the one it is asked for, with its published coefficient.
pub fn restitution_curve(card: &'static Card, inputs: &Inputs, points: &[f64]) -> Curve {
    let at = |e: f64| returned(&inputs.law(card, e)?, inputs.speed, inputs.mass);
    points.iter().map(|&e| (e, at(e))).collect()
}

/// The hysteresis factor h of F = F_el (1 + h v/v0) over the restitution asked for; `None` if no point has a force of that kind.
pub fn hysteresis_curve(card: &'static Card, inputs: &Inputs, points: &[f64]) -> Option<Curve> {
    let mut any = false;
    let mut at = |e: f64| {
        let touch = inputs.law(card, e)?.touch(inputs.speed, inputs.mass)?;
        match *touch.damper() {
            Damper::Factor { per_speed } => {
                any = true;
                Ok(per_speed * touch.v0())
            }
            _ => Ok(f64::NAN),
        }
    };
    let curve = points.iter().map(|&e| (e, at(e))).collect();
    any.then_some(curve)
}

/// The restitution that a law returns over the approach speed (m/s), on an effective mass (kg). A calibrated law keeps the coefficient that is right at the speed `at` (m/s): calibrated
/// anew at every speed it would return the same everywhere.
pub fn speed_curve(law: &Law, mass: f64, at: f64, speeds: &[f64]) -> Curve {
    if law.calibration() == Calibration::Published {
        return speeds
            .iter()
            .map(|&v| (v, returned(law, v, mass)))
            .collect();
    }
    let coefficient = impact::begin(law, at, mass).map(|touch| touch.coefficient());
    let frozen = |v: f64| -> Result<f64, Failed> {
        let mut touch = law.touch(v, mass)?;
        if let Some(coefficient) = coefficient.clone()? {
            touch.set_coefficient(coefficient);
        }
        Ok(Lab::new(ACCURACY.rtol)?
            .free(law.card().id, &touch)?
            .restitution)
    };
    speeds.iter().map(|&v| (v, frozen(v))).collect()
}

/// The elastic part of the force (N) over the indentation (m) while loading for the first time, in a touch at this speed (m/s) of this effective mass (kg): what is left
/// where no damper acts. Of most laws it is the same at any speed and mass.
pub fn static_curve(law: &Law, speed: f64, mass: f64, depths: &[f64]) -> Curve {
    let touch = law.touch(speed, mass);
    let at = |depth: f64| {
        let touch = touch
            .as_ref()
            .map_err(|fault| Failed::Input(fault.clone()))?;
        let limit = touch.limit();
        if depth >= 0.0 && depth <= limit {
            return Ok(touch.elastic().loading(depth));
        }
        Err(Failed::Input(Fault::OutOfRange {
            law: law.card().id,
            name: "indentation".into(),
            value: depth,
            unit: "m",
            allowed: Range {
                low_allowed: true,
                high_allowed: true,
                ..Range::open(0.0, limit)
            }
            .to_string(),
            hint: String::new(),
        }))
    };
    depths.iter().map(|&depth| (depth, at(depth))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact;
    use crate::contact::Restitution;

    fn with_restitution() -> impl Iterator<Item = &'static Card> {
        contact::cards().filter(|card| has_restitution_curve(card))
    }

    #[test]
    fn every_law_that_takes_a_restitution_has_a_curve_without_any_input() {
        let mut count = 0;
        for card in with_restitution() {
            let inputs = Inputs::plausible(card);
            for (e, out) in restitution_curve(card, &inputs, &[0.3, 0.6, 0.9]) {
                let out = out.unwrap_or_else(|why| panic!("{} at {e}: {why}", card.id));
                assert!((0.0..=1.0).contains(&out), "{} at {e}: {out}", card.id);
                count += 1;
            }
        }
        assert!(count > 50, "{count}");
    }

    #[test]
    fn every_law_has_a_static_force_without_any_input() {
        for card in contact::cards() {
            let mut inputs = Inputs::plausible(card);
            // A damper does nothing at rest; where one must be given, any will do.
            for p in card.parameters {
                let damper = matches!(p.role, Role::Damping | Role::Restitution);
                if damper && p.need == Need::Required || p.name == "damping" {
                    let value = inside(1e-6, &p.range);
                    inputs.values.set_number(p.name, value);
                }
            }
            let calibration = Calibration::Published;
            let law = Law::new(
                card,
                &inputs.values,
                Some(Restitution::Number(0.5)),
                calibration,
            )
            .unwrap_or_else(|faults| panic!("{faults:?}"));
            let depths = [1e-6, 1e-5];
            let curve = static_curve(&law, inputs.speed, inputs.mass, &depths);
            let forces: Vec<f64> = curve
                .into_iter()
                .map(|(_, force)| force.unwrap_or_else(|why| panic!("{why}")))
                .collect();
            assert!(forces[0] > 0.0 && forces[1] > forces[0], "{}", card.id);
        }
    }

    #[test]
    fn a_calibrated_damper_keeps_its_coefficient_over_the_speed() {
        // √δ v beside δ^(3/2): by scaling 1 − e grows like v^(1/5) while it is small (Kuwabara and Kono 1987; Ramírez et al. 1999).
        let card = contact::find("kuwabara-kono").expect("known");
        let values = Values::new().number("stiffness", 5.5e9);
        let e = Some(Restitution::Number(0.999));
        let law = Law::new(card, &values, e, Calibration::Exact).expect("sound");
        let lost: Vec<f64> = speed_curve(&law, 0.046, 0.3, &[0.3, 0.3 * 32.0])
            .into_iter()
            .map(|(_, e)| 1.0 - e.expect("it ends"))
            .collect();
        assert!((lost[0] - 1e-3).abs() < 1e-9, "{lost:?}");
        assert!((lost[1] / lost[0] / 2.0 - 1.0).abs() < 2e-3, "{lost:?}");
    }

    #[test]
    fn closed_restitutions_are_what_the_simulation_returns() {
        let mut count = 0;
        for card in with_restitution() {
            let inputs = Inputs::plausible(card);
            for e in [0.25, 0.7, 0.95] {
                let law = inputs.law(card, e).expect("in range");
                let touch = impact::begin(&law, inputs.speed, inputs.mass).expect("begins");
                let Some(closed) = impact::restitution(&touch) else {
                    continue;
                };
                let accuracy = Accuracy::default();
                let simulated = impact::simulate(&law, inputs.speed, inputs.mass, &accuracy)
                    .expect("an impact")
                    .restitution;
                // rtol 1e-12 of speed and depth, a hundred steps.
                assert!((closed - simulated).abs() < 1e-9, "{} at {e}", card.id);
                count += 1;
            }
        }
        assert!(count > 40, "{count}");
    }

    #[test]
    fn what_is_out_of_range_is_said_and_not_drawn() {
        let card = contact::find("flores").expect("there");
        let curve = restitution_curve(card, &Inputs::plausible(card), &[0.0, 0.5, 1.0, f64::NAN]);
        let fine: Vec<bool> = curve.iter().map(|point| point.1.is_ok()).collect();
        assert_eq!(fine, [false, true, true, false]);
        let why = curve[0].1.clone().expect_err("divides by it").to_string();
        assert!(why.contains("restitution = 0"), "{why}");
    }

    #[test]
    fn the_hysteresis_factor_is_that_of_the_formula() {
        let card = contact::find("flores").expect("there");
        let inputs = Inputs::plausible(card);
        let curve = hysteresis_curve(card, &inputs, &[0.4]).expect("the family has it");
        // 8(1 − 0.4)/(5 · 0.4) by hand.
        let h = curve[0].1.clone().expect("in range");
        assert!((h - 2.4).abs() < 1e-14, "{h}");
        let hertz = contact::find("hertz").expect("there");
        assert!(hysteresis_curve(hertz, &Inputs::plausible(hertz), &[0.4]).is_none());
    }

    #[test]
    fn speed_changes_nothing_for_the_hysteresis_family_and_static_force_is_hertz() {
        let card = contact::find("hunt-crossley").expect("there");
        let inputs = Inputs::plausible(card);
        let law = inputs.law(card, 0.7).expect("in range");
        for (v, e) in speed_curve(&law, 0.046, 0.3, &[0.01, 0.3, 10.0]) {
            // Value of a free impact, published to ten digits.
            let e = e.expect("an impact");
            assert!((e - 0.767_999_789_1).abs() < 1e-9, "{v}: {e}");
        }
        let curve = static_curve(&law, 0.3, 0.046, &[0.0, 1e-4, -1.0]);
        assert_eq!(curve[0].1, Ok(0.0));
        // 5.5e9 · (1e-4)^1.5 = 5500 N.
        let force = curve[1].1.clone().expect("in contact");
        assert!((force - 5500.0).abs() < 1e-9, "{force}");
        assert!(curve[2].1.is_err());
    }

    #[test]
    fn a_plausible_stiffness_is_indented_as_deep_as_the_two_spheres() {
        assert_eq!(stiffness(1.5), 5.5e9);
        // m v²/δ² with the depth 15.46746229 µm of the two spheres.
        let linear = 0.046 * 0.09 / (15.467_462_29e-6_f64 * 15.467_462_29e-6);
        assert!((stiffness(1.0) / linear - 1.0).abs() < 5e-3);
    }
}
