//! How do several laws answer one and the same impact?

use crate::card::{Fault, Role, Values};
use crate::contact::{Calibration, Card, Law, Restitution};
use crate::impact::{self, Accuracy, Failed, Impact};

/// The impact that every law is put to.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Approach speed, m/s.
    pub speed: f64,
    /// Effective mass, kg.
    pub mass: f64,
    /// The restitution asked for, if one is.
    pub restitution: Option<Restitution>,
    /// How dampers follow from it. A law that cannot be calibrated runs as it is.
    pub calibration: Calibration,
    /// How closely impacts are followed.
    pub accuracy: Accuracy,
}

/// A law that gave a result.
#[derive(Clone, Debug)]
pub struct Row {
    /// The law.
    pub card: &'static Card,
    /// The law with its values, as it ran.
    pub law: Law,
    /// The values it was given.
    pub values: Values,
    /// How its damper was found.
    pub calibration: Calibration,
    /// Whether the restitution asked for had any part in it.
    pub takes_restitution: bool,
    /// The result.
    pub impact: Impact,
}

/// A law that gave none.
#[derive(Clone, Debug)]
pub struct Without {
    /// The law.
    pub card: &'static Card,
    /// Why, in one or several ways.
    pub why: Vec<Failed>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Results, in the order of the laws.
    pub rows: Vec<Row>,
    /// Laws that lack an input.
    pub missing: Vec<Without>,
    /// Laws that refuse an input, or whose impact has no result.
    pub failed: Vec<Without>,
    /// Groups of laws that do the same thing to nine digits.
    pub coincident: Vec<Vec<&'static str>>,
}

/// Runs every law, each with values of its own, on one case.
///
/// A law that takes no restitution, and lacks a coefficient of its damper, is calibrated to the restitution asked for; elastic laws run as they are.
pub fn compare(laws: &[(&'static Card, Values)], case: &Case) -> Comparison {
    let mut result = Comparison::default();
    for (card, values) in laws {
        let takes = case
            .restitution
            .as_ref()
            .is_some_and(|r| heeds_restitution(card, values, r, case.speed, case.mass));
        let calibration = match case.calibration {
            Calibration::Exact if card.can_calibrate() => Calibration::Exact,
            Calibration::Exact => Calibration::Published,
            Calibration::Published
                if case.restitution.is_some()
                    && card.restitution().is_none()
                    && card.can_calibrate()
                    && lacks_damping(card, values) =>
            {
                Calibration::Exact
            }
            Calibration::Published => Calibration::Published,
        };
        let law = match Law::new(card, values, case.restitution.clone(), calibration) {
            Ok(law) => law,
            Err(faults) => {
                let lacks = faults.iter().any(|f| matches!(f, Fault::Missing { .. }));
                let list = if lacks {
                    &mut result.missing
                } else {
                    &mut result.failed
                };
                list.push(Without {
                    card,
                    why: faults.into_iter().map(Failed::Input).collect(),
                });
                continue;
            }
        };
        match impact::simulate(&law, case.speed, case.mass, &case.accuracy) {
            Ok(impact) => result.rows.push(Row {
                card,
                values: values.clone(),
                calibration: law.calibration(),
                takes_restitution: takes || law.calibration() == Calibration::Exact,
                law,
                impact,
            }),
            Err(failed) => result.failed.push(Without {
                card,
                why: vec![failed],
            }),
        }
    }
    result.coincident = coincident(&result.rows);
    result
}

/// Whether a coefficient of the damper is missing.
fn lacks_damping(card: &'static Card, values: &Values) -> bool {
    let damping = |name: &str| {
        card.parameters
            .iter()
            .any(|p| p.name == name && p.role == Role::Damping)
    };
    let missing = |fault: &Fault| matches!(fault, Fault::Missing { name, .. } if damping(name));
    match Law::new(card, values, None, Calibration::Published) {
        Ok(_) => false,
        Err(faults) => faults.iter().any(missing),
    }
}

/// Whether the force of a law, with its own formula, changes with the restitution asked for. A card may take one and heed it only with some choices.
pub fn heeds_restitution(
    card: &'static Card,
    values: &Values,
    restitution: &Restitution,
    speed: f64,
    mass: f64,
) -> bool {
    if card.restitution().is_none() {
        return false;
    }
    let touch = |restitution: Restitution| {
        Law::new(card, values, Some(restitution), Calibration::Published)
            .ok()
            .and_then(|law| law.touch(speed, mass).ok())
    };
    let other = match restitution.at(speed, card.id) {
        Ok(e) if e > 0.5 => 0.25,
        _ => 0.75,
    };
    match (
        touch(restitution.clone()),
        touch(Restitution::Number(other)),
    ) {
        (Some(one), Some(other)) => one != other,
        // It refuses one of the two: it has looked at it.
        _ => true,
    }
}

/// Groups of two and more rows that agree.
fn coincident(rows: &[Row]) -> Vec<Vec<&'static str>> {
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    let alike = |a: &Impact, b: &Impact| {
        same(a.restitution, b.restitution)
            && same(a.deepest.delta, b.deepest.delta)
            && same(a.peak.force, b.peak.force)
            && same(a.duration(), b.duration())
    };
    let mut groups: Vec<(&Impact, Vec<&'static str>)> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|g| alike(g.0, &row.impact)) {
            Some(group) => group.1.push(row.card.id),
            None => groups.push((&row.impact, vec![row.card.id])),
        }
    }
    groups
        .into_iter()
        .map(|g| g.1)
        .filter(|names| names.len() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact;

    /// Two spheres of Machado et al. (2012): K = 5.5e9 N/m^1.5, 46 g, 0.3 m/s.
    fn case(calibration: Calibration) -> Case {
        Case {
            speed: 0.3,
            mass: 0.046,
            restitution: Some(Restitution::Number(0.7)),
            calibration,
            accuracy: Accuracy::default(),
        }
    }

    fn laws(ids: &[&str]) -> Vec<(&'static Card, Values)> {
        ids.iter()
            .map(|id| {
                (
                    contact::find(id).expect("known"),
                    Values::new().number("stiffness", 5.5e9),
                )
            })
            .collect()
    }

    #[test]
    fn under_exact_calibration_the_hysteresis_family_coincides_and_says_so() {
        let ids = ["hertz", "hunt-crossley", "flores", "gonthier"];
        let exact = compare(&laws(&ids), &case(Calibration::Exact));
        assert_eq!(
            exact.coincident,
            [["hunt-crossley", "flores", "gonthier"].to_vec()]
        );
        for row in &exact.rows {
            let e = if row.card.id == "hertz" { 1.0 } else { 0.7 };
            assert!(
                (row.impact.restitution - e).abs() < 1e-10,
                "{}",
                row.card.id
            );
            assert_eq!(row.takes_restitution, row.card.id != "hertz");
        }
        let published = compare(&laws(&ids), &case(Calibration::Published));
        assert!(published.coincident.is_empty());
        assert_eq!(published.rows.len(), 4);
    }

    #[test]
    fn a_law_that_lacks_an_input_is_listed_with_all_that_is_missing() {
        let mut all = laws(&["wang", "wang"]);
        if let Some((_, values)) = all.first_mut() {
            values.set_number("yield_strength_1", 250e6);
            values.set_number("yield_strength_2", 250e6);
        }
        let result = compare(&all, &case(Calibration::Published));
        // It has a restitution of its own: 1 − 0.26·0.3^(1/3) = 0.826, of which h makes 0.837.
        assert_eq!(result.rows.len(), 1);
        assert!(!result.rows[0].takes_restitution);
        assert!((result.rows[0].impact.restitution - 0.7).abs() > 0.1);
        assert_eq!(result.missing.len(), 1);
        assert_eq!(result.missing[0].why.len(), 2);
    }

    #[test]
    fn a_law_whose_damping_is_not_given_is_calibrated_to_the_restitution() {
        for card in contact::cards() {
            let free = card.parameters.iter().all(|p| {
                p.role == Role::Damping
                    || p.role == Role::Stiffness
                    || matches!(p.need, crate::card::Need::Default(_))
            });
            let damped = card.parameters.iter().any(|p| p.role == Role::Damping);
            if !(free && damped && card.restitution().is_none() && card.can_calibrate()) {
                continue;
            }
            let values = Values::new().number("stiffness", 1e7);
            let result = compare(&[(card, values)], &case(Calibration::Published));
            assert_eq!(result.rows.len(), 1, "{}: {:?}", card.id, result.failed);
            let row = &result.rows[0];
            assert_eq!(row.calibration, Calibration::Exact, "{}", card.id);
            assert!((row.impact.restitution - 0.7).abs() < 1e-10, "{}", card.id);
        }
    }

    #[test]
    fn a_restitution_out_of_a_laws_range_fails_that_law_only() {
        let mut case = case(Calibration::Published);
        case.restitution = Some(Restitution::Number(0.0));
        let result = compare(&laws(&["hunt-crossley", "flores"]), &case);
        assert_eq!(result.rows.len(), 1);
        assert_eq!(result.failed.len(), 1);
        assert_eq!(result.failed[0].card.id, "flores");
    }
}
