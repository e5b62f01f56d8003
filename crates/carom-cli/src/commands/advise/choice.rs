//! What is printed of laws that were tried on a mechanism?

use carom::model::units::pretty;
use carom::study::choice::{self, Choice, Met, Tried};
use carom::system::Warning;
use serde_json::{Value, json};

use super::shown::signed;

/// Digits in the table.
const DIGITS: usize = 4;

/// What stands in the table.
pub const LEGEND: &str = "±: how far a law is from itself, computed with a tenth of the tolerance; `error`: the largest of these. `swing`: how far at most with masses a per mille larger. `apart`: what lies between the laws. `error of e`: what a free impact with the law returns less what was asked for; none where it is asked for none.";
/// Errors below this part are not shown beside a number.
const SMALL: f64 = 5e-5;

/// The head of a table of quantities over laws.
pub fn head(choice: &Choice) -> Vec<&str> {
    let mut head: Vec<&str> = vec!["quantity"];
    head.extend(choice.tried.iter().map(|tried| tried.name.as_str()));
    head.extend(["apart", "error", "swing", "matters"]);
    head
}

/// Its rows: quantities, what a free impact returns, and what every run cost.
pub fn rows(choice: &Choice) -> Vec<Vec<String>> {
    let percent = |part: f64| match part.is_finite() {
        true => format!("{:.2} %", 100.0 * part),
        false => "-".into(),
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (i, spread) in choice.spreads.iter().enumerate() {
        let number = |tried: &Tried| {
            let value = tried.values.get(i).copied().filter(|v| v.is_finite());
            let Some(value) = value else {
                return "-".into();
            };
            let number = pretty(value, spread.quantity.unit, DIGITS);
            match tried.errors.get(i) {
                Some(error) if *error > SMALL => format!("{number} ±{:.2} %", 100.0 * error),
                _ => number,
            }
        };
        let mut row = vec![spread.quantity.name.clone()];
        row.extend(choice.tried.iter().map(number));
        row.extend([spread.part, spread.error, spread.swing].map(percent));
        row.push(spread.matters.name().into());
        rows.push(row);
    }
    let off = |tried: &Tried| tried.restitution_error.map_or("-".into(), signed);
    let mut returned = vec!["error of e".into()];
    returned.extend(choice.tried.iter().map(off));
    returned.extend([const { String::new() }; 4]);
    rows.push(returned);
    let mut cost = vec!["evaluations".into()];
    cost.extend(
        choice
            .tried
            .iter()
            .map(|tried| tried.evaluations.to_string()),
    );
    cost.extend([const { String::new() }; 4]);
    rows.push(cost);
    rows
}

/// How one element met.
pub fn met_json(met: &Met) -> Value {
    json!({
        "element": met.definition,
        "law": met.law,
        "contacts": met.contacts,
        "lasting": met.lasting,
        "resting": met.resting,
        "load": met.load.is_finite().then_some(met.load),
        "approach_speed": { "least": met.speeds[0], "middle": met.speeds[1], "largest": met.speeds[2] },
        "effective_mass": met.mass,
        "peak_force": met.peak,
        "max_indentation": met.deepest,
        "returned_restitution": met.returned,
        "pressed": met.pressed.is_finite().then_some(met.pressed),
        "longest": met.longest.is_finite().then_some(met.longest),
        "clearance": met.play,
    })
}

fn warning_json(warning: &Warning) -> Value {
    json!({
        "code": warning.code,
        "element": warning.element,
        "time": warning.time,
        "message": warning.message,
        "hint": warning.hint,
    })
}

/// All laws tried.
pub fn json(choice: &Choice) -> Value {
    let number = |x: f64| x.is_finite().then_some(x);
    let name = |i: usize| choice.tried.get(i).map(|tried| tried.name.clone());
    let tried: Vec<Value> = choice
        .tried
        .iter()
        .map(|tried| {
            json!({
                "law": tried.name,
                "status": tried.status.name(),
                "reason": tried.reason,
                "rhs_evaluations": tried.evaluations,
                "contacts": tried.contacts,
                "warnings": tried.warnings.iter().map(warning_json).collect::<Vec<_>>(),
                "values": tried.values.iter().map(|v| number(*v)).collect::<Vec<_>>(),
                "errors": tried.errors.iter().map(|v| number(*v)).collect::<Vec<_>>(),
                "swings": tried.swings.iter().map(|v| number(*v)).collect::<Vec<_>>(),
                "no_error": tried.no_error,
                "restitution_error": tried.restitution_error.and_then(number),
            })
        })
        .collect();
    let spreads: Vec<Value> = choice
        .spreads
        .iter()
        .map(|spread| {
            let seen = spread.part.is_finite();
            json!({
                "quantity": spread.quantity.name,
                "unit": spread.quantity.unit,
                "least": number(spread.least.0),
                "least_with": seen.then(|| name(spread.least.1)),
                "largest": number(spread.largest.0),
                "largest_with": seen.then(|| name(spread.largest.1)),
                "apart": number(spread.part),
                "error": number(spread.error),
                "swing": number(spread.swing),
                "matters": spread.matters.name(),
            })
        })
        .collect();
    json!({
        "element": choice.definition,
        "laws": tried,
        "quantities": spreads,
        "stopped": choice.stopped,
        "says": choice::sentences(choice),
    })
}
