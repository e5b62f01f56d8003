//! What should a person know before trusting a run, in plain words, the worst first, and what is there to do?

use serde_json::{Value, json};

use crate::report::sentence;

/// What a warning means to somebody who has never met it: its code, whether it is grave, a warning or a note, in plain words what is the matter, and the first thing to do.
const WORDS: [(&str, Level, &str, &str); 55] = [
    (
        "validity-speed",
        Level::Warning,
        "The bodies hit faster than this law of contact is made for",
        "Lower the speed, or use a restitution that was measured at this speed",
    ),
    (
        "restitution-range",
        Level::Warning,
        "The law of contact cannot return the restitution asked for",
        "Choose a law made for this restitution, or calibrate it",
    ),
    (
        "indentation-deep",
        Level::Warning,
        "The bodies are pressed deep into each other, and the law of contact takes the indentation to be small",
        "Check the stiffness first: its value, its unit and its exponent",
    ),
    (
        "large-contact",
        Level::Warning,
        "The contact is large against the bodies, and the theory behind the stiffness takes it to be small",
        "Check stiffness, materials and radii",
    ),
    (
        "energy-residual",
        Level::Grave,
        "The energy does not balance",
        "Do not use the numbers before this is mended",
    ),
    (
        "contact-gains-energy",
        Level::Grave,
        "A contact gave back more energy than it took",
        "Set it beside what was turned over",
    ),
    (
        "impact-gains-energy",
        Level::Grave,
        "A blow gained energy, which no contact can",
        "Let restitution be one of energies (Stronge), in [method]",
    ),
    (
        "no-solution",
        Level::Warning,
        "Friction left no force that keeps the surfaces apart",
        "Lower the coefficient of friction, or see what compliant contact does there",
    ),
    (
        "several-solutions",
        Level::Warning,
        "Friction left more than one answer, and one of them was taken",
        "Lower the coefficient of friction, or see what compliant contact does there",
    ),
    (
        "grip-undecided",
        Level::Warning,
        "Whether surfaces hold or slide could not be decided",
        "Lower the coefficient of friction, or take a law that is smooth in the speed",
    ),
    (
        "beyond-horizon",
        Level::Grave,
        "The motion is chaotic: a part of the run is not to be believed",
        "Use only what was before the horizon",
    ),
    (
        "stepped-over",
        Level::Grave,
        "Something short was stepped over: what it does is not in the numbers",
        "Limit the step",
    ),
    (
        "check-disagrees",
        Level::Grave,
        "An independent check disagrees: what it disagrees about is not to be believed",
        "Take a method that chooses its steps, or a much shorter step",
    ),
    (
        "not-settled",
        Level::Warning,
        "Some numbers change with the tolerance",
        "Look at the table of digits, and tighten the tolerance",
    ),
    (
        "late-touch",
        Level::Warning,
        "A touch was noticed late: the bodies were inside each other already",
        "Shorten the step",
    ),
    (
        "contact-jumped",
        Level::Warning,
        "The gap of a contact jumped while it was pressed: its shapes have no common depth there",
        "Round the corners more, or make the contact stiffer",
    ),
    (
        "yield",
        Level::Warning,
        "The material would have yielded, and an elastic law does not know that",
        "Take a law that yields",
    ),
    (
        "tension",
        Level::Warning,
        "The contact pulled the bodies together, which dry surfaces do not do",
        "Choose where the contact ends, or another law",
    ),
    (
        "restitution-differs",
        Level::Warning,
        "The bodies parted with another restitution than asked for",
        "Decide whether it matters to you",
    ),
    (
        "limit-near",
        Level::Warning,
        "The contact came close to the end of what its law can do",
        "Keep away from the limit",
    ),
    (
        "creep",
        Level::Warning,
        "Surfaces that friction could have held crept",
        "Choose a law of friction that holds",
    ),
    (
        "contact-lost",
        Level::Warning,
        "A point of contact slid over an edge and was lost",
        "Look at the film there",
    ),
    (
        "starts-overlapping",
        Level::Grave,
        "Bodies stand inside each other at the start",
        "Move them apart",
    ),
    (
        "beyond-stop",
        Level::Warning,
        "A joint starts beyond its stop",
        "Change the start or the stop",
    ),
    (
        "passed-stop",
        Level::Warning,
        "A joint went through its stop, which this analysis does not feel",
        "Take the dynamic analysis",
    ),
    (
        "singular-position",
        Level::Warning,
        "The mechanism passed a position from which it can go on in two ways",
        "Compare with a run at tighter tolerance",
    ),
    (
        "singular-start",
        Level::Warning,
        "The mechanism starts in a position from which it can go in two ways",
        "Start a little beside it",
    ),
    (
        "redundant-constraint",
        Level::Note,
        "Joints hold the same motion twice: their forces are not unique",
        "Leave one of them out if you need its force",
    ),
    (
        "friction-not-unique",
        Level::Note,
        "How friction is shared between joints is not unique",
        "Look at sums, not at single forces",
    ),
    (
        "normal-not-unique",
        Level::Note,
        "How a load is shared between joints is not unique",
        "Look at sums, not at single forces",
    ),
    (
        "velocity-changed",
        Level::Note,
        "Velocities at the start were changed to fit the joints",
        "Check the velocities given",
    ),
    (
        "inconsistent-velocities",
        Level::Warning,
        "Velocities at the start do not fit the joints",
        "Check the velocities given",
    ),
    (
        "slow-touch",
        Level::Note,
        "A touch was slower than its law can divide by",
        "Nothing, unless the contact matters",
    ),
    (
        "tension-clamped",
        Level::Note,
        "The contact ended where it would have begun to pull",
        "Nothing, if that is how you want it",
    ),
    (
        "conformal",
        Level::Note,
        "The surfaces fit each other closely, and the stiffness is that of a small contact",
        "Take a law for cylindrical joints if the depth matters",
    ),
    (
        "friction-as-coulomb",
        Level::Note,
        "Of this law of friction only its coefficients are used",
        "Nothing, unless the law was chosen for how it depends on speed: then use compliant contact",
    ),
    (
        "left-out",
        Level::Note,
        "Something that the model asks for is left out by this method",
        "Use compliant contact if it matters",
    ),
    (
        "restitution-not-used",
        Level::Note,
        "The law of contact takes no restitution: the one given is not used",
        "Choose a law that takes one, or leave it out",
    ),
    (
        "bristles-unbent",
        Level::Note,
        "Friction with bristles or springs gives no force in this analysis",
        "Take the dynamic analysis, or a law that depends on the speed alone",
    ),
    (
        "validity-speed-unknown",
        Level::Note,
        "Whether the bodies hit too fast for the law is not known",
        "Give the density",
    ),
    (
        "short-steps",
        Level::Warning,
        "The steps became very short",
        "Look at what is stiff",
    ),
    (
        "hasty-step",
        Level::Warning,
        "The fixed step is long for these contacts",
        "Shorten the step",
    ),
    (
        "long-step",
        Level::Warning,
        "The fixed step is long for these contacts",
        "Shorten the step",
    ),
    (
        "step-too-long",
        Level::Warning,
        "The fixed step is long for this motion",
        "Shorten the step",
    ),
    (
        "step-unstable",
        Level::Grave,
        "The fixed step is too long for dampers, whose speeds may grow",
        "Shorten the step",
    ),
    (
        "overlaps-lifted",
        Level::Warning,
        "Bodies that had sunk into each other in a step were lifted, by much of the energy that was turned over",
        "Shorten the step",
    ),
    (
        "joints-open",
        Level::Warning,
        "Joints have drifted open, and nothing puts them back",
        "Let control be projection, in [constraints]",
    ),
    (
        "sweeps-ended",
        Level::Warning,
        "The contacts of some steps were not brought to agree",
        "Allow more sweeps, or shorten the step",
    ),
    (
        "pivots-failed",
        Level::Warning,
        "Some steps were solved in another way than asked for",
        "Choose the solver `cone`",
    ),
    (
        "many-contacts",
        Level::Note,
        "Steps with many contacts were solved in another way than asked for",
        "Choose the solver `cone`",
    ),
    (
        "output-step",
        Level::Note,
        "Samples were asked for more often than there are steps",
        "Ask for fewer samples, or shorten the step",
    ),
    (
        "snapshot-step",
        Level::Note,
        "Snapshots were asked for more often than there are steps",
        "Ask for fewer snapshots, or shorten the step",
    ),
    (
        "unstable-rest",
        Level::Warning,
        "The position of rest is unstable",
        "Look for another one",
    ),
    (
        "neutral-rest",
        Level::Note,
        "Something can move freely at the position of rest: where it stands means nothing",
        "Hold it by a joint, a spring or a driver, if it matters where it is",
    ),
    (
        "not-in-balance",
        Level::Warning,
        "The vibrations are those of an instant, not of a position of rest",
        "Find a position of rest first, and start there",
    ),
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Grave,
    Warning,
    Note,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Grave => "grave",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// One piece of advice.
struct Advice<'a> {
    level: Level,
    code: &'a str,
    headline: String,
    what: String,
    elements: Vec<&'a str>,
    time: Option<f64>,
    count: usize,
}

/// The warnings of a summary, one for every kind, the worst first. The order among equals is that of `WORDS`: what spoils most comes first.
pub fn advice(summary: &Value) -> Vec<Value> {
    let list = |key: &str| summary.get(key).and_then(Value::as_array);
    let contacts = list("contacts").map_or(&[][..], Vec::as_slice);
    let mut found: Vec<Advice<'_>> = Vec::new();
    for warning in list("warnings").map_or(&[][..], Vec::as_slice) {
        let text = |key: &str| warning.get(key).and_then(Value::as_str).unwrap_or_default();
        let (code, element) = (text("code"), text("element"));
        let own = contacts
            .iter()
            .filter(|contact| contact.get("contact").and_then(Value::as_str) == Some(element));
        let remarks = own.filter_map(|contact| {
            contact
                .get("warnings")?
                .as_array()?
                .iter()
                .find(|remark| remark.get("code").and_then(Value::as_str) == Some(code))
        });
        let (mut count, mut grave) = (0, false);
        for remark in remarks {
            count += 1;
            grave |= remark.get("grave") == Some(&Value::Bool(true));
        }
        let words = WORDS.iter().find(|words| words.0 == code);
        let level = match words {
            _ if grave => Level::Grave,
            Some(words) => words.1,
            None => Level::Warning,
        };
        let message = sentence(text("message"));
        let (headline, what) = match words {
            Some((_, _, headline, first)) => {
                let mut headline = headline.to_string();
                if grave && code == "validity-speed" {
                    headline = "The bodies hit hundreds of times faster than this law of contact is made for".into();
                }
                let (first, hint) = (sentence(first), sentence(text("hint")));
                // Not the same twice.
                let hint = if hint == first { "" } else { &hint };
                (headline, format!("{message} What to do: {first} {hint}"))
            }
            // A sentence of its own is plain enough.
            None => (
                message.trim_end_matches('.').to_string(),
                sentence(text("hint")),
            ),
        };
        let time = warning.get("time").and_then(Value::as_f64);
        let known = found
            .iter_mut()
            .find(|known| known.code == code && words.is_some());
        match known {
            Some(known) => {
                known.count += count.max(1);
                if !element.is_empty() {
                    known.elements.push(element);
                }
                if level < known.level {
                    (known.level, known.headline, known.what, known.time) =
                        (level, headline, what, time);
                }
            }
            None => found.push(Advice {
                level,
                code,
                headline,
                what: what.trim().into(),
                elements: if element.is_empty() {
                    Vec::new()
                } else {
                    vec![element]
                },
                time,
                count: count.max(1),
            }),
        }
    }
    let rank = |code: &str| {
        WORDS
            .iter()
            .position(|words| words.0 == code)
            .unwrap_or(WORDS.len())
    };
    found.sort_by_key(|advice| (advice.level, rank(advice.code)));
    let told = found.into_iter().map(|advice| {
        let element = match advice.elements.as_slice() {
            [] => Value::Null,
            [one] => json!(one),
            [one, two] => json!(format!("{one} and {two}")),
            [one, more @ ..] => json!(format!("{one} and {} more", more.len())),
        };
        json!({
            "level": advice.level.name(),
            "code": advice.code,
            "headline": advice.headline,
            "what_to_do": advice.what,
            "element": element,
            "time": advice.time,
            "count": advice.count,
        })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_comes_first_and_one_kind_is_said_once() {
        let warning = |code: &str, element: &str| json!({ "code": code, "element": element, "time": 0.5, "message": "it is so", "hint": "do it" });
        let contact = |element: &str, grave: bool| json!({ "contact": element, "warnings": [{ "code": "validity-speed", "grave": grave }] });
        let summary = json!({
            "warnings": [
                warning("slow-touch", "contact.a"),
                warning("restitution-differs", "contact.a"),
                warning("validity-speed", "contact.a"),
                warning("validity-speed", "contact.b"),
                { "code": "unheard-of", "element": null, "time": null, "message": "something", "hint": "" },
            ],
            "contacts": [contact("contact.a", false), contact("contact.b", true), contact("contact.b", false)],
        });
        let told = advice(&summary);
        let of = |key: &str| told.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
        assert_eq!(of("level"), ["grave", "warning", "warning", "note"]);
        assert_eq!(
            of("code"),
            [
                "validity-speed",
                "restitution-differs",
                "unheard-of",
                "slow-touch"
            ]
        );
        assert_eq!(told[0]["count"], 3);
        assert_eq!(told[0]["element"], "contact.a and contact.b");
        assert!(
            told[0]["headline"]
                .as_str()
                .is_some_and(|h| h.contains("hundreds of times"))
        );
        assert!(
            told[0]["what_to_do"]
                .as_str()
                .is_some_and(|w| w.starts_with("It is so. What to do: "))
        );
        assert_eq!(told[2]["headline"], "Something");
        assert_eq!(advice(&json!({})), Vec::<Value>::new());
    }
}
