//! How does one card read on a screen?

use carom::card::{Need, Parameter};
use carom::contact;
use carom::report::terminal::Frame;
use carom::study::{Inputs, has_restitution_curve, restitution_curve};

use super::super::text;
use super::entry::{Entry, Own, equations, separation, tension};

/// Columns of the curve.
const CURVE: usize = 60;
/// Points of the curve: one a dot.
const POINTS: usize = 111;

/// The whole card.
pub fn page(entry: &Entry) -> String {
    let cite = entry.citation;
    let mut lines = vec![entry.id.to_string(), "═".repeat(text::columns(entry.id))];
    lines.extend(text::wrap(
        &format!("{} ({}). {}", cite.authors, cite.year, cite.title),
        text::WIDTH,
    ));
    let group = match entry.own {
        Own::Contact(card) => format!(", group {} (sorted as by Corral et al. 2021)", card.group),
        Own::Friction(_) => String::new(),
    };
    let kind = format!(
        "law of {}, family {}{group}",
        entry.kind.name(),
        entry.family
    );
    let named = match entry.aliases {
        [] => kind,
        names => format!("{kind}; also called {}", names.join(", ")),
    };
    lines.extend(text::wrap(&named, text::WIDTH));

    heading(&mut lines, "Formula");
    lines.extend(formula(entry.formula));
    for (choice, word, text) in entry.variants {
        lines.push(format!("  with {choice} = {word}:"));
        lines.extend(formula(text));
    }
    lines.push(String::new());
    lines.extend(block("", &entry.legend()));

    if !entry.parameters.is_empty() {
        heading(&mut lines, "Parameters");
        let heads = ["name", "symbol", "unit", "default", "range", "about"];
        let mut rows = vec![heads.iter().map(ToString::to_string).collect()];
        rows.extend(entry.parameters.iter().map(parameter));
        lines.extend(text::table(&rows, 2));
    }
    if !entry.choices.is_empty() {
        heading(&mut lines, "Choices");
        for choice in entry.choices {
            let mut rows = Vec::new();
            for (i, (word, about)) in choice.words.iter().enumerate() {
                let default = if i == 0 { " (default)" } else { "" };
                let name = format!("{} = {word}{default}", choice.name);
                rows.push(vec![name, about.to_string()]);
            }
            lines.extend(text::table(&rows, 2));
        }
    }

    heading(&mut lines, "Behaviour");
    let mut facts: Vec<(&str, String)> = vec![("memory", entry.memory.into())];
    match entry.own {
        Own::Contact(card) => {
            facts.push(("separation", separation(card.separations)));
            facts.push(("tension", tension(card.tension).into()));
            facts.push(("validity", entry.validity.into()));
            facts.push(("restitution error", card.restitution_error.to_string()));
            if card.can_calibrate() {
                let what = format!(
                    "exact solves for {}, so that a free impact returns what was asked for",
                    card.calibrates
                );
                facts.push(("calibration", what));
            }
        }
        Own::Friction(card) => {
            let rest = match (card.holds_at_rest, card.creep) {
                (true, _) => "holds a load below its limit".into(),
                (false, "") => "holds no load: it creeps".into(),
                (false, creep) => {
                    format!("holds no load: under q times its limit it creeps at {creep}")
                }
            };
            facts.push(("at rest", rest));
            facts.push(("validity", entry.validity.into()));
        }
    }
    let rows: Vec<Vec<String>> = facts
        .into_iter()
        .map(|(name, what)| vec![name.into(), what])
        .collect();
    lines.extend(text::table(&rows, 2));

    if let Own::Contact(card) = entry.own
        && has_restitution_curve(card)
    {
        heading(
            &mut lines,
            "Restitution returned over restitution asked for",
        );
        lines.extend(curve(card));
    }
    for (title, what) in [
        ("When to use it", entry.notes),
        ("Printed wrongly", entry.erratum),
        ("Source", &cite.to_string()),
    ] {
        if !what.is_empty() {
            heading(&mut lines, title);
            lines.extend(block("", what));
        }
    }
    lines.join("\n") + "\n"
}

fn heading(lines: &mut Vec<String>, title: &str) {
    lines.extend([String::new(), title.into()]);
}

/// A paragraph, two spaces in.
fn block(first: &str, what: &str) -> Vec<String> {
    let wrapped = text::wrap(&format!("{first}{what}"), text::WIDTH - 2);
    wrapped.iter().map(|line| format!("  {line}")).collect()
}

/// One equation a line; long ones go on further in.
fn formula(formula: &'static str) -> Vec<String> {
    let mut lines = Vec::new();
    for equation in equations(formula) {
        for (i, part) in text::wrap(equation, text::WIDTH - 8).iter().enumerate() {
            lines.push(format!(
                "{}{part}",
                if i == 0 { "    " } else { "        " }
            ));
        }
    }
    lines
}

fn parameter(p: &Parameter) -> Vec<String> {
    let (default, about) = match p.need {
        Need::Required => ("required".into(), p.about.to_string()),
        Need::Default(value) => (value.to_string(), p.about.to_string()),
        Need::Unless(others) => (
            "required".into(),
            format!("{}; not with {}", p.about, others.join(", ")),
        ),
        Need::Sometimes => ("–".into(), p.about.to_string()),
    };
    vec![
        p.name.into(),
        p.symbol.into(),
        p.unit.into(),
        default,
        p.range.to_string(),
        about,
    ]
}

/// The drawing, a few numbers, and what they were computed with.
fn curve(card: &'static contact::Card) -> Vec<String> {
    let inputs = Inputs::plausible(card);
    let places: Vec<f64> = (0..POINTS)
        .map(|i| i as f64 / (POINTS - 1) as f64)
        .collect();
    let points: Vec<(f64, f64)> = restitution_curve(card, &inputs, &places)
        .into_iter()
        .map(|(e, out)| (e, out.unwrap_or(f64::NAN)))
        .collect();
    let frame = Frame {
        width: CURVE,
        height: 17,
        x: (0.0, 1.0),
        y: (0.0, 1.0),
        x_label: "asked for",
        y_label: "returned    (····: what was asked for)",
        diagonal: true,
    };
    let indented = |line: String| format!("  {line}");
    let mut lines: Vec<String> = frame.draw(&points).into_iter().map(indented).collect();
    let mut asked = vec!["asked for".to_string()];
    let mut returned = vec!["returned".to_string()];
    let mut why = None;
    for (e, out) in restitution_curve(card, &inputs, &[0.1, 0.3, 0.5, 0.7, 0.9, 1.0]) {
        asked.push(e.to_string());
        returned.push(match out {
            Ok(out) => format!("{out:.4}"),
            Err(reason) => {
                why.get_or_insert(format!("at {e}: {reason}"));
                "–".into()
            }
        });
    }
    lines.push(String::new());
    lines.extend(text::table(&[asked, returned], 2));
    if let Some(why) = why {
        lines.extend(block("", &why));
    }
    lines.push(String::new());
    let mut with: Vec<String> = Vec::new();
    for (name, value) in inputs.values.numbers() {
        let unit = card.parameters.iter().find(|p| p.name == name);
        let unit = unit.map_or("", |p| p.unit);
        with.push(
            format!("{name} = {} {unit}", scientific(value))
                .trim_end()
                .into(),
        );
    }
    with.push(format!("mass = {} kg", inputs.mass));
    with.push(format!("speed = {} m/s", inputs.speed));
    lines.extend(block(
        "With the law's own coefficient and, as far as they matter: ",
        &with.join(", "),
    ));
    lines
}

/// Short for any size.
fn scientific(value: f64) -> String {
    if (1e-3..1e5).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}
