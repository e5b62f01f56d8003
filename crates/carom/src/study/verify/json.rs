//! What is to be believed of a run, for programs?

use serde_json::{Value, json};

use super::contacts::NAMES;
use super::words::{sentences, trust};
use super::{Contact, Growth, Independent, Number, Ran, Verdict, Verified};

/// The object `verified` of `summary.json`; SI units.
pub fn json(of: &Verified) -> Value {
    let horizon = &of.horizon;
    let fixed = of.runs.first().and_then(|run| run.step);
    let growth = match horizon.growth {
        Growth::Unknown => "unknown",
        Growth::Slow => "slow",
        Growth::Exponential(_) => "exponential",
    };
    let exponent = match horizon.growth {
        Growth::Exponential(exponent) => Some(exponent),
        _ => None,
    };
    let contacts = &of.contacts;
    json!({
        // Of fixed steps a tolerance decides nothing.
        "rtol": fixed.is_none().then_some(of.rtol),
        "step": fixed,
        "period": of.period,
        "trust": trust(of),
        "words": sentences(of),
        "runs": of.runs.iter().map(run).collect::<Vec<_>>(),
        "horizon": {
            "growth": growth,
            "lyapunov_exponent": exponent,
            "factor": finite(horizon.factor),
            "until": finite(horizon.until),
            "returns": horizon.returns,
            "per_mille": horizon.reached.map(|r| r[0]),
            "whole": horizon.reached.map(|r| r[1]),
            "parted": horizon.parted,
            // Null where the motion can be computed to its end.
            "lost": of.lost(),
        },
        "still": {
            "channels": of.still.channels,
            "missed": of.still.missed,
            "passed": of.still.passed,
            "pulse": finite(of.still.pulse),
            "pulses": of.still.pulses,
            "since": of.still.since,
        },
        // Null where at least one other run came to the end.
        "reach": of.reach.map(|reach| json!({ "until": finite(reach.until), "apart": finite(reach.apart) })),
        // Runs that share neither instants nor formulas with the others.
        "independent": of.independent.iter().map(independent).collect::<Vec<_>>(),
        "energy_residual": finite(of.residual),
        "stopped": of.stopped,
        // Of the numbers that have any, and of how many nothing is to be believed.
        "least_digits": of.numbers.iter().filter(|n| !n.still).filter_map(|n| n.verdict.digits()).min(),
        "not_at_all": of.numbers.iter().filter(|n| n.verdict == Verdict::NotAtAll).count(),
        "numbers": of.numbers.iter().map(number).collect::<Vec<_>>(),
        "contacts": {
            "count": contacts.count,
            "trustworthy": contacts.counted,
            "agreed": contacts.agreed,
            "moved": contacts.moved,
            "endless": contacts.endless,
            "fewest": contacts.range[0],
            "most": contacts.range[1],
            "settled": contacts.settled,
            "start_error": contacts.late,
            "start_error_turns": contacts.late_turns,
            "list": contacts.list.iter().map(contact).collect::<Vec<_>>(),
        },
    })
}

/// JSON has no name for what is not finite.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn run(run: &Ran) -> Value {
    json!({
        "role": run.role.name(),
        "integrator": run.method,
        "rtol": run.step.is_none().then_some(run.rtol),
        "step": run.step,
        "status": run.status.name(),
        "reason": run.reason,
        "contacts": run.contacts,
        "steps_accepted": run.steps,
        "rhs_evaluations": run.evaluations,
        "longest_step": finite(run.longest),
        "until": finite(run.until),
        "energy_residual": finite(run.residual),
    })
}

fn independent(one: &Independent) -> Value {
    json!({
        "role": one.role.name(),
        "integrator": one.method,
        "ended": one.ended,
        "until": finite(one.until),
        "apart": finite(one.apart),
        "parted": one.parted,
        "since": one.since,
    })
}

/// Value, error, digits: null digits are "not at all".
fn believed(value: f64, error: f64, verdict: Verdict) -> Value {
    json!({
        "value": finite(value),
        "error": finite(error),
        "digits": verdict.digits(),
        "verdict": verdict.name(),
    })
}

fn number(number: &Number) -> Value {
    let mut value = json!({ "name": number.name, "unit": number.unit, "what": number.what });
    let rest = believed(number.value, number.error, number.verdict);
    let more = json!({
        "verdict": number.believed(),
        "still": number.still,
        // What is no more is not told from rounding.
        "rounding": finite(number.rounding),
        "sampled": number.sampled.and_then(finite),
        "best": number.best.map(|b| finite(b.0)),
        "best_digits": number.best.and_then(|b| b.1.digits()),
        "differences": number.differences.iter().map(|d| finite(*d)).collect::<Vec<_>>(),
        "order": number.order,
    });
    for part in [rest, more] {
        if let (Some(all), Value::Object(part)) = (value.as_object_mut(), part) {
            all.extend(part);
        }
    }
    value
}

fn contact(contact: &Contact) -> Value {
    let mut value = json!({
        "contact": contact.element,
        "trustworthy": contact.settled,
        "start_error_turns": contact.late_turns.and_then(finite),
    });
    if let Some(all) = value.as_object_mut() {
        // Null where there is no such number.
        all.extend(NAMES.map(|name| (name.to_string(), Value::Null)));
        for (name, unit, number, error, verdict) in &contact.numbers {
            let mut one = believed(*number, *error, *verdict);
            if let Some(one) = one.as_object_mut() {
                one.insert("unit".into(), (*unit).into());
            }
            all.insert((*name).into(), one);
        }
    }
    value
}
