//! Which laws did a run follow, with which numbers, and what stands on their cards?

use serde_json::{Map, Value, json};

use crate::card::{Citation, Parameter};
use crate::contact;
use crate::friction;
use crate::mechanics::{Follows, Terms};
use crate::model::Model;

/// Elements that are named beside a law, at most.
const ELEMENTS: usize = 12;

/// The laws of contact and friction of a model, each once for every set of numbers, in the order in which they are met; with the elements that follow them.
pub fn laws(model: &Model) -> Vec<Value> {
    let mut found: Vec<(Value, Vec<String>)> = Vec::new();
    let mut add = |card: Value, element: String| {
        match found.iter_mut().find(|(known, _)| *known == card) {
            Some((_, elements)) => elements.push(element),
            None => found.push((card, vec![element])),
        };
    };
    for entry in &model.limits {
        let element = format!("joint.{}.limits", entry.name);
        add(of_terms(entry.limit.terms()), element);
    }
    for entry in &model.contacts {
        let element = entry.element();
        if let Some(law) = entry.contact.friction() {
            add(of_friction(law), element.clone());
        }
        if let Some(law) = entry.contact.rolling() {
            add(of_friction(law), element.clone());
        }
        add(of_terms(entry.contact.terms()), element);
    }
    for entry in &model.frictions {
        let element = format!("joint.{}.friction", entry.name);
        add(of_friction(entry.friction.law()), element);
    }
    for group in model.of_grains() {
        add(of_terms(&group.terms), group.element());
        for wall in &group.walls {
            add(
                of_terms(&wall.terms),
                format!("{} and walls", group.element()),
            );
        }
        let rolling = group.rolling.as_ref().map(|rolling| &rolling.law);
        for law in group.friction.iter().chain(rolling) {
            add(of_friction(law), group.element());
        }
    }
    let named = found.into_iter().map(|(mut card, mut elements)| {
        elements.dedup();
        let more = elements.len().saturating_sub(ELEMENTS);
        elements.truncate(ELEMENTS);
        if more > 0 {
            elements.push(format!("and {more} more"));
        }
        if let Some(card) = card.as_object_mut() {
            card.insert("used_by".into(), json!(elements));
        }
        card
    });
    named.collect()
}

fn of_terms(terms: &Terms) -> Value {
    let card = terms.follows.card();
    let (mut parameters, own) = match &terms.follows {
        Follows::Law(law) => {
            let numbers = law.values().numbers().map(|(p, x)| (p.name, x));
            let words = law.values().words();
            (given(card.parameters, numbers, words), law.as_own())
        }
        Follows::Curved(curved) => (
            given(
                card.parameters,
                curved.values.numbers(),
                curved.values.words(),
            ),
            None,
        ),
    };
    if let Some(e) = terms.follows.requested(1.0) {
        let one = json!({ "value": e, "unit": "" });
        parameters.entry("restitution").or_insert(one);
    }
    let calibration = match terms.follows.calibration() {
        contact::Calibration::Published => "published",
        contact::Calibration::Exact => "exact",
    };
    parameters.insert("calibration".into(), calibration.into());
    let derived = matches!(terms.follows, Follows::Curved(_));
    json!({
        "id": card.id,
        "kind": "contact",
        "citation": citation(&card.citation),
        "formula": own.map_or(card.formula, |own| own.text()),
        "parameters": parameters,
        // Numbers that follow from materials and radii at each touch.
        "derived": derived,
        "validity": card.validity,
        "notes": card.notes,
        "erratum": card.erratum,
        "restitution_error": card.restitution_error.to_string(),
    })
}

fn of_friction(law: &friction::Law) -> Value {
    let card = law.card();
    let numbers = law.values().numbers().map(|(p, x)| (p.name, x));
    json!({
        "id": card.id,
        "kind": "friction",
        "citation": citation(&card.citation),
        "formula": law.formula(),
        "parameters": given(card.parameters, numbers, law.values().words()),
        "derived": false,
        "validity": card.validity,
        "notes": card.notes,
        "erratum": card.erratum.unwrap_or_default(),
        "restitution_error": null,
    })
}

/// What was given, with units.
fn given<'a>(
    parameters: &[Parameter],
    numbers: impl Iterator<Item = (&'a str, f64)>,
    words: impl Iterator<Item = (&'a str, &'a str)>,
) -> Map<String, Value> {
    let unit = |name: &str| {
        let known = parameters.iter().find(|p| p.name == name);
        known.map_or("", |p| p.unit)
    };
    let numbers = numbers.map(|(name, x)| {
        let value = json!({ "value": x, "unit": unit(name) });
        (name.to_string(), value)
    });
    let words = words.map(|(name, word)| (name.to_string(), json!(word)));
    numbers.chain(words).collect()
}

fn citation(cite: &Citation) -> String {
    let mut text = cite.authors.to_string();
    if cite.year > 0 {
        text += &format!(" ({})", cite.year);
    }
    for part in [cite.title, cite.journal, cite.equation] {
        if !part.is_empty() {
            text += &format!(". {part}");
        }
    }
    text
}
