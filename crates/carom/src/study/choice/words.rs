//! How is it said how much a law matters?

use crate::contact::Restitution;
use crate::model::units::pretty;
use crate::system::{Status, Warning};

use super::{CLEAR, Choice, Matters, Met, Spread};

/// A restitution that is missed by more than this is told.
const MISSED: f64 = 0.01;
/// Digits of what is told.
const DIGITS: usize = 4;

/// A part in per cent, or as a factor where that says more.
fn part(of: &Spread) -> String {
    let (low, high) = (of.least.0, of.largest.0);
    if low > 0.0 && high > 2.0 * low {
        format!("a factor of {:.2}", high / low)
    } else if low >= 0.0 || high <= 0.0 {
        format!("{:.2} %", 100.0 * of.part)
    } else {
        "even its sign".into()
    }
}

/// How surfaces met, in a sentence or two.
pub fn met(met: &Met) -> String {
    let number = |x: f64, unit: &str| pretty(x, unit, DIGITS);
    let [least, middle, largest] = met.speeds.map(|speed| number(speed, "m/s"));
    let how = match met.contacts {
        1 => format!(
            "once with {}: at {largest}, {}",
            met.law,
            number(met.mass, "kg")
        ),
        n => format!(
            "{n} times with {}: at {least} to {largest} (half of their energy above {middle}), {} at the fastest",
            met.law,
            number(met.mass, "kg")
        ),
    };
    let mut text = format!(
        "{} met {how}, down to {}, with up to {}.",
        met.definition,
        number(met.deepest, "m"),
        number(met.peak, "N"),
    );
    match (&met.restitution, met.returned) {
        (None, Some(e)) => {
            text += &format!(
                " Its law is asked for no restitution: laws are compared at {e}, which is what came back in this run."
            );
        }
        (Some(Restitution::Number(asked)), Some(back)) if (asked - back).abs() > MISSED => {
            text += &format!(
                " A restitution of {back} came back in this run, though its law is asked for {asked}: laws are compared at what was asked for (`--restitution {back}`: at what came back)."
            );
        }
        _ => {}
    }
    if met.is_pressed() {
        text += &format!(
            " What presses them meanwhile does {:.1} times the work of their approaches, so that the approach speed says little: laws are ranked as for bodies that lie on each other (`--for impact`: as for free impacts).",
            met.pressed
        );
    }
    match met.resting {
        0 => {}
        1 => {
            text += &format!(
                " At the end it is at rest, pressed with {}.",
                number(met.load, "N")
            );
        }
        n => {
            text += &format!(
                " At the end {n} contacts are at rest, pressed with up to {}.",
                number(met.load, "N")
            );
        }
    }
    text
}

/// What follows from all runs, in plain words: what the law matters for, what it does not, and what nobody can say.
pub fn sentences(choice: &Choice) -> Vec<String> {
    let name = |i: usize| choice.tried.get(i).map_or("?", |tried| &tried.name);
    let of = |matters: Matters| {
        let mut all: Vec<&Spread> = choice
            .spreads
            .iter()
            .filter(|spread| spread.matters == matters)
            .collect();
        all.sort_by(|a, b| b.part.total_cmp(&a.part));
        all
    };
    let mut said = Vec::new();
    for spread in of(Matters::Yes) {
        let unit = spread.quantity.unit;
        said.push(format!(
            "The law matters for {}: {} lies between {} with {} and {} with {}.",
            spread.quantity.name,
            part(spread),
            pretty(spread.least.0, unit, DIGITS),
            name(spread.least.1),
            pretty(spread.largest.0, unit, DIGITS),
            name(spread.largest.1),
        ));
    }
    let names = |all: &[&Spread]| {
        let names: Vec<&str> = all.iter().map(|s| s.quantity.name.as_str()).collect();
        names.join(", ")
    };
    let little = of(Matters::No);
    if let Some(worst) = little.first() {
        said.push(format!(
            "It hardly matters for {}: no more than {:.2} % lies between all of them.",
            names(&little),
            (100.0 * worst.part).max(0.01)
        ));
    }
    let (rough, swinging): (Vec<&Spread>, Vec<&Spread>) = of(Matters::Unclear)
        .into_iter()
        .partition(|spread| !(spread.part > CLEAR * spread.error));
    if let Some(worst) = rough.first() {
        said.push(format!(
            "Of {} nobody can say: two runs with the same law and different tolerances differ as much as the laws do (by {:.2} %). `carom verify` says how far such a motion can be computed at all.",
            names(&rough),
            100.0 * worst.error
        ));
    }
    let told: Vec<String> = swinging
        .iter()
        .map(|spread| {
            let (name, swing) = (&spread.quantity.name, 100.0 * spread.swing);
            format!("{name} ({} between the laws; {swing:.1} %)", part(spread))
        })
        .collect();
    if !told.is_empty() {
        said.push(format!(
            "Whether the law matters nobody can say where masses that are a per mille larger change a number by a fifth of that or more with the same law: {}. Such a motion hangs on all that goes into it, and no single run tells what one of them does. `carom verify` says how fast small changes grow; `carom sweep` over a range shows what is usual.",
            told.join(", ")
        ));
    }
    let unknown = of(Matters::Unknown);
    if !unknown.is_empty() {
        said.push(format!(
            "There are no two numbers to compare for {}.",
            names(&unknown)
        ));
    }
    for tried in choice.tried.iter().filter(|t| t.status == Status::Failed) {
        let reason = tried.reason.as_deref().unwrap_or("no reason is known");
        said.push(format!(
            "With {} the run did not come to its end: {}.",
            tried.name,
            reason.trim_end_matches('.')
        ));
    }
    for tried in &choice.tried {
        if let Some(reason) = &tried.no_error {
            said.push(format!(
                "How far the numbers of {} can be computed is not known: its run with a tenth of the tolerance did not come to its end ({}).",
                tried.name,
                reason.trim_end_matches('.')
            ));
        }
    }
    if choice.stopped {
        let stopped = choice.tried.iter().filter(|t| t.status == Status::Stopped);
        let names: Vec<&str> = stopped.map(|tried| tried.name.as_str()).collect();
        said.push(match names.is_empty() {
            true => "It was stopped.".into(),
            false => format!("It was stopped before these had run: {}.", names.join(", ")),
        });
    }
    said.extend(warned(choice));
    said
}

/// What the runs warned of: every kind once, in the words about the element whose law is asked about, with the laws it was said with.
fn warned(choice: &Choice) -> Vec<String> {
    let mut codes: Vec<&str> = Vec::new();
    for warning in choice.tried.iter().flat_map(|tried| &tried.warnings) {
        if !codes.contains(&warning.code) {
            codes.push(warning.code);
        }
    }
    codes
        .into_iter()
        .map(|code| of_code(choice, code))
        .collect()
}

fn of_code(choice: &Choice, code: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut elements: Vec<&str> = Vec::new();
    let mut told: Option<(&str, &Warning)> = None;
    for tried in &choice.tried {
        for warning in tried.warnings.iter().filter(|w| w.code == code) {
            let element = warning.element.as_deref().unwrap_or_default();
            if !names.contains(&tried.name.as_str()) {
                names.push(&tried.name);
            }
            if !elements.contains(&element) {
                elements.push(element);
            }
            if told.is_none_or(|(_, told)| {
                element == choice.definition && told.element.as_deref() != Some(element)
            }) {
                told = Some((&tried.name, warning));
            }
        }
    }
    let with = match names.len() == choice.tried.len() && names.len() > 1 {
        true => "every law".into(),
        false => names.join(", "),
    };
    let others = match elements.len() {
        0 | 1 => String::new(),
        n => format!("; and of {} more", n - 1),
    };
    let (whose, message) =
        told.map_or(("", String::new()), |(name, told)| (name, told.to_string()));
    // What is told of one law is not true of the others, digit by digit.
    let whose = match names.len() {
        0 | 1 => String::new(),
        _ => format!("; here that with {whose}"),
    };
    format!(
        "Warning ({code}, with {with}{others}{whose}): {}.",
        message.trim_end_matches('.')
    )
}
