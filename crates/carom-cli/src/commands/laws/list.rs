//! How are many laws listed?

use carom::contact::RestitutionError;

use super::super::text;
use super::entry::{Entry, Kind, Own};

/// The table for people: a line or two a law, one section a family.
pub fn terminal(entries: &[Entry]) -> String {
    let mut lines = Vec::new();
    let mut counts = Vec::new();
    for kind in Kind::ALL {
        let ours: Vec<&Entry> = entries.iter().filter(|e| e.kind == kind).collect();
        if ours.is_empty() {
            continue;
        }
        counts.push(format!("{} of {}", ours.len(), kind.name()));
        for family in families(&ours) {
            let members: Vec<&&Entry> = ours.iter().filter(|e| e.family == family).collect();
            lines.push(format!("{}: {family} ({})", kind.name(), members.len()));
            lines.extend(section(kind, &members));
            lines.push(String::new());
        }
    }
    if entries.iter().any(|e| e.kind == Kind::Contact) {
        lines.extend(text::wrap(
            "g: group of Corral et al. 2021, Table 1. error: the largest difference between the restitution returned and the one asked for (–: the law takes none).",
            text::WIDTH,
        ));
    }
    lines.push(format!(
        "{}: {}. One card: carom laws ID",
        number(entries.len()),
        counts.join(", ")
    ));
    lines.join("\n") + "\n"
}

fn number(count: usize) -> String {
    match count {
        1 => "1 law".into(),
        n => format!("{n} laws"),
    }
}

/// Families in the order of the catalogue.
pub fn families(entries: &[&Entry]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for entry in entries {
        if !names.contains(&entry.family) {
            names.push(entry.family);
        }
    }
    names
}

fn section(kind: Kind, members: &[&&Entry]) -> Vec<String> {
    let heading = match kind {
        Kind::Contact => ["id", "g", "source", "error", "in a line"].as_slice(),
        Kind::Friction => &["id", "source", "at rest", "in a line"],
    };
    let mut rows = vec![heading.iter().map(ToString::to_string).collect()];
    for entry in members {
        let mut row = vec![entry.id.to_string()];
        if kind == Kind::Contact {
            row.push(entry.group.to_string());
        }
        row.extend([entry.short_source(), entry.in_a_word()]);
        row.push(entry.one_line().to_string());
        rows.push(row);
    }
    // Two lines a law at most: the card has the rest.
    let fixed: usize = (0..heading.len() - 1)
        .map(|i| {
            let cells = rows.iter().filter_map(|row: &Vec<String>| row.get(i));
            2 + cells.map(|cell| text::columns(cell)).max().unwrap_or(0)
        })
        .sum();
    for row in &mut rows {
        if let Some(last) = row.last_mut() {
            *last = text::shorten(last, text::WIDTH.saturating_sub(2 + fixed), 2);
        }
    }
    text::table(&rows, 2)
}

/// The longest formula that is shown whole in the README.
const SHORT: usize = 90;

/// The table of the README.
pub fn markdown(entries: &[Entry]) -> String {
    let mut out = String::new();
    for kind in Kind::ALL {
        let ours: Vec<&Entry> = entries.iter().filter(|e| e.kind == kind).collect();
        if ours.is_empty() {
            continue;
        }
        let (title, third) = match kind {
            Kind::Contact => ("Contact", "restitution error"),
            Kind::Friction => ("Friction", "at rest"),
        };
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!(
            "### {title}: {}\n\n| id | formula | {third} | source |\n|---|---|---|---|\n",
            number(ours.len())
        ));
        for entry in ours {
            let error = match entry.own {
                Own::Contact(card) => match card.restitution_error {
                    RestitutionError::Worst { error, at } => format!("{error:+.4} at {at:.2}"),
                    _ => entry.in_a_word(),
                },
                Own::Friction(_) => entry.in_a_word(),
            };
            out.push_str(&format!(
                "| `{}` | `{}` | {} | {} |\n",
                entry.id,
                cell(&short(entry)),
                cell(&error),
                cell(&entry.source())
            ));
        }
    }
    out
}

/// The equation of the force, and as many of the others as fit.
fn short(entry: &Entry) -> String {
    let (force, others) = entry.split();
    let mut text = force.to_string();
    for equation in others {
        if text::columns(&text) + 2 + text::columns(equation) > SHORT {
            text.push_str("; …");
            break;
        }
        text.push_str("; ");
        text.push_str(equation);
    }
    text
}

/// A bar would end the cell.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
