//! How is a card written as JSON?

use carom::card::{Choice, Need, Parameter, Range, Role};
use carom::contact::RestitutionError;
use serde_json::{Value, json};

use super::entry::{Entry, Own};

/// One card.
pub fn card(entry: &Entry) -> Value {
    let cite = entry.citation;
    let mut value = json!({
        "id": entry.id,
        "aliases": entry.aliases,
        "kind": entry.kind.name(),
        "family": entry.family,
        "group": entry.group,
        "citation": {
            "authors": cite.authors,
            "year": cite.year,
            "title": cite.title,
            "journal": cite.journal,
            "equation": cite.equation,
        },
        "formula": entry.formula,
        "variants": entry.variants.iter().map(|(choice, word, formula)| json!({
            "choice": choice,
            "word": word,
            "formula": formula,
        })).collect::<Vec<_>>(),
        "parameters": entry.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "choices": entry.choices.iter().map(choice).collect::<Vec<_>>(),
        "memory": entry.memory,
    });
    let own = match entry.own {
        Own::Contact(card) => json!({
            "separation": card.separations.iter().map(|s| s.name()).collect::<Vec<_>>(),
            "tension": card.tension.name(),
            "holds_at_rest": null,
            "creep": null,
            "validity": entry.validity,
            "restitution_error": restitution_error(&card.restitution_error),
            "notes": entry.notes,
            "erratum": filled(entry.erratum),
            "calibrates": filled(card.calibrates),
        }),
        Own::Friction(card) => json!({
            "separation": null,
            "tension": null,
            "holds_at_rest": card.holds_at_rest,
            "creep": filled(card.creep),
            "validity": entry.validity,
            "restitution_error": null,
            "notes": entry.notes,
            "erratum": filled(entry.erratum),
            "calibrates": null,
        }),
    };
    if let (Value::Object(all), Value::Object(own)) = (&mut value, own) {
        all.extend(own);
    }
    value
}

/// Null in place of nothing.
fn filled(text: &str) -> Value {
    if text.is_empty() {
        Value::Null
    } else {
        text.into()
    }
}

fn parameter(p: &Parameter) -> Value {
    let role = match p.role {
        Role::Stiffness => "stiffness",
        Role::Exponent => "exponent",
        Role::Restitution => "restitution",
        Role::Damping => "damping",
        Role::Other => "other",
    };
    let (need, default, instead): (_, Option<f64>, &[&str]) = match p.need {
        Need::Required => ("required", None, &[]),
        Need::Default(value) => ("default", Some(value), &[]),
        Need::Unless(others) => ("unless", None, others),
        Need::Sometimes => ("sometimes", None, &[]),
    };
    json!({
        "name": p.name,
        "symbol": p.symbol,
        "unit": p.unit,
        "role": role,
        "need": need,
        "instead": instead,
        "default": default,
        "range": range(&p.range),
        "about": p.about,
    })
}

/// Open ends are null.
fn range(range: &Range) -> Value {
    let end = |x: f64| x.is_finite().then_some(x);
    json!({
        "low": end(range.low),
        "low_allowed": range.low_allowed,
        "high": end(range.high),
        "high_allowed": range.high_allowed,
        "text": range.to_string(),
    })
}

fn choice(choice: &Choice) -> Value {
    let word = |(word, about): &(&str, &str)| json!({ "word": word, "about": about });
    json!({
        "name": choice.name,
        "words": choice.words.iter().map(word).collect::<Vec<_>>(),
    })
}

fn restitution_error(error: &RestitutionError) -> Value {
    let (kind, largest, at) = match *error {
        RestitutionError::TakesNone => ("takes-none", None, None),
        RestitutionError::Exact => ("exact", Some(0.0), None),
        RestitutionError::Worst { error, at } => ("worst", Some(error), Some(at)),
        RestitutionError::Depends(_) => ("depends", None, None),
    };
    json!({ "kind": kind, "error": largest, "at": at, "text": error.to_string() })
}
