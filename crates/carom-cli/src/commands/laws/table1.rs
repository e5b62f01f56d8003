//! How does Table 1 of Corral et al. (2021) look when it is printed from the cards?

use super::super::text;
use super::entry::{Entry, Kind};
use super::list::cell;

/// The paper as citations name it, and what they add where a law stands in its text but not in the table.
const PAPER: &str = "Corral et al. 2021";
const NOT_THERE: &str = "not in its Table 1";

/// The headings of the groups.
const GROUPS: [&str; 6] = [
    "Group 0: no damping by restitution",
    "Group 1: models based on experimental tests",
    "Group 2: models with an exact equation for the hysteresis factor",
    "Group 3: models with a simple assumption that gives an explicit hysteresis factor",
    "Group 4: models that relate the indentation and its rate",
    "Group 5: alternative approaches",
];

/// What a citation says of the paper, if the law stands in its table.
fn mention(entry: &Entry) -> Option<&'static str> {
    let parts = entry.citation.equation.split("; ");
    parts
        .filter(|part| part.starts_with(PAPER) && !part.contains(NOT_THERE))
        .last()
}

/// The number behind the point of the last equation `5.…` that is named.
fn last_equation(mention: &str) -> Option<u32> {
    let numbers = mention.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    let chapter = numbers.filter_map(|n| n.strip_prefix("5."));
    chapter.filter_map(|n| n.parse().ok()).next_back()
}

/// The laws of the table by group, in the order of the paper, which is that of its equations: one without a number follows the one before it in the catalogue.
pub fn rows(entries: &[Entry]) -> Vec<Vec<Entry>> {
    (0..GROUPS.len())
        .map(|group| {
            let mut before = 0;
            let mut found: Vec<(u32, Entry)> = Vec::new();
            for entry in entries {
                if entry.kind != Kind::Contact || usize::from(entry.group) != group {
                    continue;
                }
                if let Some(mention) = mention(entry) {
                    before = last_equation(mention).unwrap_or(before);
                    found.push((before, *entry));
                }
            }
            found.sort_by_key(|row| row.0);
            found.into_iter().map(|row| row.1).collect()
        })
        .collect()
}

const MODEL: &str = "contact model";
const LAW: &str = "constitutive law";
const FACTOR: &str = "hysteresis factor or damping coefficient";

/// For people.
pub fn terminal(entries: &[Entry]) -> String {
    let widths = [25, 33, text::WIDTH - 25 - 33 - 4];
    let row = |cells: [&str; 3]| {
        let cells: Vec<(String, usize)> =
            cells.iter().map(ToString::to_string).zip(widths).collect();
        text::row(&cells)
    };
    let mut lines = vec![format!("{PAPER}, Table 1, from the cards"), String::new()];
    lines.extend(row([MODEL, LAW, FACTOR]));
    for (group, title) in rows(entries).iter().zip(GROUPS) {
        lines.extend([String::new(), title.to_string(), "─".repeat(text::WIDTH)]);
        for entry in group {
            let (law, factor) = entry.split();
            let factor = factor.join("; ");
            let model = format!("{} ({})", entry.source(), entry.id);
            lines.extend(row([&model, law, &factor]));
        }
    }
    lines.join("\n") + "\n"
}

/// As a Markdown table.
pub fn markdown(entries: &[Entry]) -> String {
    let mut out = format!("| id | {MODEL} | {LAW} | {FACTOR} |\n|---|---|---|---|\n");
    for (group, title) in rows(entries).iter().zip(GROUPS) {
        out.push_str(&format!("| **{title}** | | | |\n"));
        for entry in group {
            let (law, factor) = entry.split();
            let factor = factor.join("; ");
            let factor = match factor.as_str() {
                "" => String::new(),
                text => format!("`{}`", cell(text)),
            };
            let source = cell(&entry.source());
            out.push_str(&format!(
                "| `{}` | {source} | `{}` | {factor} |\n",
                entry.id,
                cell(law)
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_equation_is_read_from_a_citation() {
        for (text, number) in [
            ("Corral et al. 2021, eq. 5.9-5.12", Some(12)),
            ("Corral et al. 2021, eq. 5.36, 5.49-5.50", Some(50)),
            ("Corral et al. 2021, Table 1", None),
        ] {
            assert_eq!(last_equation(text), number, "{text}");
        }
    }
}
