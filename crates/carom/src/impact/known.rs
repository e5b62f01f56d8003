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

/// The closed forms for a free impact; empty where there is none.
pub fn known(touch: &Touch) -> Known {
    let mut known = Known {
        restitution: restitution(touch),
        ..Known::default()
    };
    let (v0, mass) = (touch.v0(), touch.mass());
    match *touch.damper() {
        Damper::None => known.deepest = Some(touch.elastic_depth()),
        Damper::Parting { .. } => known.deepest = Some(touch.elastic_depth()),
        _ => {}
    }
    let Elastic::Power { k, n } = *touch.elastic() else {
        return known;
    };
    let n = n.value();
    match *touch.damper() {
        Damper::None => {
            known.peak_force = Some(touch.elastic().loading(touch.elastic_depth()));
            known.duration = Some(closed::elastic_duration(k, n, mass, v0));
        }
        Damper::Factor { per_speed } => {
            let h = per_speed * v0;
            known.deepest = Some(closed::deepest(k, n, mass, v0, h));
            known.peak_force = Some(closed::peak(k, n, mass, v0, h).0);
        }
        _ => {}
    }
    known
}

/// The restitution that a contact returns if no other force acts, where a formula gives it: for a factor on any elastic force, for what a change of variable turns into a linear
/// oscillator, for the switched and for some of the permanent laws. `None` too for an oscillator that creeps back for ever.
pub fn restitution(touch: &Touch) -> Option<f64> {
    if let Elastic::Plastic(_) = touch.elastic() {
        return touch.coefficient().map(math::sqrt);
    }
    match *touch.damper() {
        Damper::None => Some(1.0),
        // Both ways take the same work from the elastic force, whatever its curve.
        Damper::Factor { per_speed } => Some(closed::restitution(per_speed * touch.v0())),
        Damper::Parting { factor } => Some(math::sqrt(factor)),
        Damper::Power { .. } => damping_ratio(touch)
            .map(|zeta| closed::oscillator_restitution(zeta, touch.separation()))
            .filter(|e| *e > 0.0),
        Damper::Approach { .. } => damping_ratio(touch).map(closed::approach_restitution),
        _ => None,
    }
}

/// ζ = c/√(2(n+1) K m) of K δ^n + c δ^((n−1)/2) v; `None` for other shapes.
pub(super) fn damping_ratio(touch: &Touch) -> Option<f64> {
    match (touch.elastic(), touch.damper()) {
        (Elastic::Power { k, n }, Damper::Power { c, p } | Damper::Approach { c, p })
            if p.value() == 0.5 * (n.value() - 1.0) =>
        {
            Some(c / math::sqrt(2.0 * (n.value() + 1.0) * k * touch.mass()))
        }
        _ => None,
    }
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
