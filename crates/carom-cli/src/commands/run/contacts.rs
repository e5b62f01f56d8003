//! How are the contacts of a run told in a terminal: how many, how hard, and which restitution came of the one asked for?

use carom::model::ContactMethod;
use carom::model::units::pretty;
use carom::system::{Contacted, Returned};

use super::super::table;

/// Significant digits: enough to tell contacts apart.
const DIGITS: usize = 4;
/// Contacts told one by one, at most; all are in contacts.csv.
const MOST: usize = 6;

/// The contacts of one element.
struct Element<'a> {
    name: &'a str,
    contacts: Vec<&'a Contacted>,
}

/// What is said of all contacts; nothing if there were none.
pub fn told(contacts: &[Contacted], method: ContactMethod) -> String {
    // A blow that takes no time has an impulse, and neither a force nor a depth.
    let rigid = method != ContactMethod::Compliant;
    if contacts.is_empty() {
        return String::new();
    }
    let mut elements: Vec<Element<'_>> = Vec::new();
    for contacted in contacts {
        match elements.iter_mut().find(|e| e.name == contacted.element) {
            Some(element) => element.contacts.push(contacted),
            None => elements.push(Element {
                name: &contacted.element,
                contacts: vec![contacted],
            }),
        }
    }
    let under_way = contacts.iter().filter(|c| !c.over).count();
    let count = match (contacts.len(), under_way) {
        (1, 0) => "1 contact".into(),
        (n, 0) => format!("{n} contacts"),
        (1, _) => "1 contact, not over at the end".into(),
        (n, under_way) => format!("{n} contacts, {under_way} of them not over at the end"),
    };
    let mut text = format!("\n{count}\n{}", one_by_one(contacts, rigid));
    if contacts.len() > MOST {
        text += &format!("  and {} more\n", contacts.len() - MOST);
    }
    if contacts.len() > MOST || elements.len() > 1 {
        text += &format!("\ncontacts by element\n{}", by_element(&elements, rigid));
    }
    let restitutions: String = elements.iter().filter_map(restitution).collect();
    if !restitutions.is_empty() {
        text += &format!("\nrestitution\n{restitutions}");
    }
    text
}

fn speed(contacted: &Contacted) -> &'static str {
    if contacted.unit == "rad" {
        "rad/s"
    } else {
        "m/s"
    }
}

fn force(contacted: &Contacted) -> &'static str {
    if contacted.unit == "rad" { "N m" } else { "N" }
}

fn impulse(contacted: &Contacted) -> f64 {
    contacted.impulse()
}

fn lost(contacted: &Contacted) -> f64 {
    contacted.normal_heat() + contacted.course.rub_heat
}

/// The first few.
fn one_by_one(contacts: &[Contacted], rigid: bool) -> String {
    let row = |contacted: &Contacted| {
        let episode = &contacted.episode;
        let over = |text: String| if contacted.over { text } else { "-".into() };
        let mut name = format!("  {}", contacted.element);
        if let Some(side) = contacted.side {
            name += &format!(" {side}");
        } else if contacted.slot > 0 {
            name += &format!(" point {}", contacted.slot + 1);
        }
        let mut row = vec![
            name,
            pretty(episode.start, "s", DIGITS + 1),
            over(pretty(episode.end - episode.start, "s", DIGITS)),
            pretty(episode.approach, speed(contacted), DIGITS),
            over(pretty(episode.separation, speed(contacted), DIGITS)),
            contacted.newton().map_or("-".into(), |e| format!("{e:.4}")),
        ];
        if rigid {
            let unit = format!("{} s", force(contacted));
            row.push(pretty(impulse(contacted), &unit, DIGITS));
        } else {
            row.push(pretty(contacted.course.deepest[0], contacted.unit, DIGITS));
            row.push(pretty(contacted.course.peak[0], force(contacted), DIGITS));
        }
        row.push(pretty(lost(contacted), "J", DIGITS));
        row
    };
    let rows: Vec<Vec<String>> = contacts.iter().take(MOST).map(row).collect();
    let head = [
        "  contact",
        "touch",
        "duration",
        "approach",
        "parting",
        "restitution",
    ];
    let head = [&head, how_hard(rigid), &["energy lost"]].concat();
    table(&head, &rows, &[])
}

/// What is told of how hard a contact was.
fn how_hard(rigid: bool) -> &'static [&'static str] {
    match rigid {
        true => &["impulse"],
        false => &["deepest", "largest force"],
    }
}

fn by_element(elements: &[Element<'_>], rigid: bool) -> String {
    let row = |element: &Element<'_>| {
        let contacts = &element.contacts;
        let most = |value: fn(&Contacted) -> f64| {
            contacts.iter().map(|c| value(c)).fold(f64::MIN, f64::max)
        };
        let first = contacts.first();
        let unit = |of: fn(&Contacted) -> &'static str| first.map_or("", |c| of(c));
        let mut row = vec![
            format!("  {}", element.name),
            first.map_or("", |c| c.law).to_string(),
            contacts.len().to_string(),
            pretty(most(|c| c.episode.approach), unit(speed), DIGITS),
        ];
        if rigid {
            let unit = format!("{} s", unit(force));
            row.push(pretty(most(impulse), &unit, DIGITS));
        } else {
            row.push(pretty(
                most(|c| c.course.deepest[0]),
                unit(|c| c.unit),
                DIGITS,
            ));
            row.push(pretty(most(|c| c.course.peak[0]), unit(force), DIGITS));
        }
        let all = contacts.iter().map(|c| lost(c)).sum();
        row.push(pretty(all, "J", DIGITS));
        row
    };
    let rows: Vec<Vec<String>> = elements.iter().map(row).collect();
    let hard: &[&str] = match rigid {
        true => &["largest impulse"],
        false => how_hard(false),
    };
    let head = ["  element", "law", "contacts", "fastest approach"];
    let head = [&head, hard, &["energy lost"]].concat();
    table(&head, &rows, &[1])
}

/// What was asked for, what was got, and why.
fn restitution(element: &Element<'_>) -> Option<String> {
    let returned: Vec<Returned> = element
        .contacts
        .iter()
        .filter_map(|c| Returned::of(c))
        .collect();
    let size = |r: &Returned| r.difference().abs();
    let worst = returned.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let mut text = format!("  {}: {}", element.name, worst.numbers());
    let range =
        |pick: fn(f64, f64) -> f64, from: f64| returned.iter().map(|r| r.got).fold(from, pick);
    let (low, high) = (range(f64::min, f64::MAX), range(f64::max, f64::MIN));
    if returned.len() > 1 {
        let all = if high - low < 1e-4 {
            format!("likewise in all {}", returned.len())
        } else {
            format!("the furthest of {}, {low:.4} to {high:.4}", returned.len())
        };
        text += &format!(" ({all})");
    }
    let why = worst.why();
    if !why.is_empty() {
        text += &format!(": {why}; {}", worst.hint());
    }
    Some(text + "\n")
}
