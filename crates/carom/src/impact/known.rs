//! What does a formula say of this impact, before anything is integrated?

use crate::contact::{Damper, Elastic, Touch, closed};
use crate::math;

/// What is known in closed form of a free impact; `None` where there is no formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// Separation speed over approach speed.
    pub restitution: Option<f64>,
    /// The deepest indentation, m.
    pub deepest: Option<f64>,
    /// The peak force, N.
    pub peak_force: Option<f64>,
    /// Duration, s.
    pub duration: Option<f64>,
}

/// The closed forms for a contact on a power of the indentation; empty for others.
pub fn known(touch: &Touch) -> Known {
    let mut known = Known::default();
    let (v0, mass) = (touch.v0(), touch.mass());
    let (k, n) = match *touch.elastic() {
        Elastic::Power { k, n } => (k, n.value()),
        #[allow(unreachable_patterns)]
        _ => return known,
    };
    let zeta = |c: f64| c / math::sqrt(2.0 * (n + 1.0) * k * mass);
    let oscillator = |p: f64| p == 0.5 * (n - 1.0);
    match *touch.damper() {
        Damper::None => {
            let depth = closed::deepest(k, n, mass, v0, 0.0);
            known = Known {
                restitution: Some(1.0),
                deepest: Some(depth),
                peak_force: Some(k * math::powf(depth, n)),
                duration: Some(closed::elastic_duration(k, n, mass, v0)),
            };
        }
        Damper::Factor { per_speed } => {
            let h = per_speed * v0;
            known.restitution = Some(closed::restitution(h));
            known.deepest = Some(closed::deepest(k, n, mass, v0, h));
            known.peak_force = Some(closed::peak(k, n, mass, v0, h).0);
        }
        Damper::Power { c, p } if oscillator(p.value()) => {
            known.restitution = Some(closed::oscillator_restitution(zeta(c), touch.separation()));
        }
        Damper::Approach { c, p } if oscillator(p.value()) => {
            known.restitution = Some(closed::approach_restitution(zeta(c)));
        }
        Damper::Parting { factor } => {
            known.restitution = Some(math::sqrt(factor));
            known.deepest = Some(closed::deepest(k, n, mass, v0, 0.0));
        }
        _ => {}
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Values;
    use crate::contact::{self, Calibration, Law};
    use crate::impact::{self, Accuracy};

    #[test]
    fn the_simulated_impact_agrees_with_what_is_known() {
        for (id, e, n) in [
            ("hertz", 0.7, 1.5),
            ("hertz", 0.7, 1.1),
            ("flores", 0.7, 1.5),
            ("gharib-hurmuzlu", 0.2, 2.0),
        ] {
            let values = Values::new()
                .number("stiffness", 5.5e9)
                .number("exponent", n);
            let e = contact::Restitution::Number(e);
            let card = contact::find(id).expect("known");
            let law = Law::new(card, &values, Some(e), Calibration::Published).expect("sound");
            let known = known(&law.touch(0.3, 0.046).expect("sound"));
            let run = impact::simulate(&law, 0.3, 0.046, &Accuracy::default()).expect("runs");
            for (formula, found) in [
                (known.restitution, run.restitution),
                (known.deepest, run.deepest.delta),
                (known.peak_force, run.peak.force),
                (known.duration, run.duration()),
            ] {
                let Some(formula) = formula else { continue };
                assert!(
                    (formula / found - 1.0).abs() < 1e-10,
                    "{id}: {formula} {found}"
                );
            }
            assert!(known.restitution.is_some() && known.deepest.is_some());
        }
    }
}
