//! What does the page of a fit say?

use carom::report::sentence;
use carom::study::fit::{Fit, Outcome, Without};

use super::{Asked, above, doubt, estimate, names, ranking, strong, verdict};
use crate::commands::html::{self, escaped, figures, paragraphs, table};

/// Laws whose numbers are shown without a click.
const OPEN: usize = 6;

fn section(fit: &Fit) -> String {
    let rows: Vec<(&str, bool, [String; 3])> = fit
        .parameters
        .iter()
        .map(|p| (p.name, p.interval.is_some(), estimate(p)))
        .collect();
    numbers(&rows)
        + &paragraphs(strong(&names(fit), &fit.correlation))
        + &beware(fit.unknowable.iter().cloned())
        + &beware(doubt(fit.settled, fit.agreeing))
        + &correlations(&rows, &fit.correlation)
}

/// What was found: name, whether it is known, value with interval and mark.
pub fn numbers(rows: &[(&str, bool, [String; 3])]) -> String {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, known, [value, interval, mark])| {
            let value = if *known { value.as_str() } else { "–" };
            vec![
                name.to_string(),
                value.into(),
                interval.clone(),
                mark.clone(),
            ]
        })
        .collect();
    table(&["parameter", "value", "95 % interval", ""], &rows)
}

/// Remarks as whole sentences, one below the other.
pub fn sentences(remarks: &[String]) -> String {
    paragraphs(remarks.iter().map(|remark| sentence(remark)))
}

/// What cannot be known, or may be wrong.
pub fn beware(lines: impl IntoIterator<Item = String>) -> String {
    paragraphs(lines.into_iter().map(|line| format!("Beware: {line}.")))
}

/// The correlations of what is known; nothing if that is one number.
pub fn correlations(rows: &[(&str, bool, [String; 3])], all: &[Vec<f64>]) -> String {
    let known: Vec<usize> = (0..rows.len())
        .filter(|i| rows.get(*i).is_some_and(|row| row.1))
        .collect();
    if known.len() < 2 {
        return String::new();
    }
    let name = |i: &usize| rows.get(*i).map_or("", |row| row.0);
    let head: Vec<&str> = std::iter::once("correlation")
        .chain(known.iter().map(name))
        .collect();
    let entry = |i: usize, j: usize| all.get(i).and_then(|r| r.get(j)).copied();
    let rows: Vec<Vec<String>> = known
        .iter()
        .map(|i| {
            let numbers = known
                .iter()
                .map(|j| format!("{:.4}", entry(*i, *j).unwrap_or(f64::NAN)));
            std::iter::once(name(i).to_string())
                .chain(numbers)
                .collect()
        })
        .collect();
    table(&head, &rows)
}

/// What the page of a fit of laws says.
pub fn page(asked: &Asked, outcome: &Outcome, pictures: &[String]) -> String {
    let title = format!("Fit: {}", asked.title);
    let mut text = String::new();
    text.push_str(&format!(
        "<p>{}, {} points.</p>\n",
        asked.data.kind,
        asked.data.y.len()
    ));
    text.push_str(&paragraphs(verdict(&asked.data, outcome)));
    text.push_str(&sentences(&outcome.notes));
    text.push_str(&figures(pictures));
    text.push_str("<h2>Ranking</h2>\n");
    let head = ["law", "ΔAICc", "weight", "noise", "known", "numbers"];
    text.push_str(&table(&head, &ranking(asked, outcome)));
    text.push_str("<p>Known: how many independent numbers the data tell. Intervals are 95 %, from the sensitivities in scaled parameters and Student's t; they hold if the law does.</p>\n");
    // The best are open, the others folded.
    for (i, fit) in outcome.fits.iter().enumerate() {
        let (name, within) = (escaped(fit.id), section(fit));
        text.push_str(&match i < OPEN {
            true => format!("<h2>{name}</h2>\n{within}"),
            false => format!("<details>\n<summary>{name}</summary>\n{within}</details>\n"),
        });
        if i + 1 == OPEN && outcome.fits.len() > OPEN {
            text.push_str("<h2>All others</h2>\n");
        }
    }
    if let Some((law, table)) = outcome.model_file(&asked.data) {
        text.push_str(&format!(
            "<h2>{}</h2>\n<pre>{}</pre>\n",
            escaped(&above(outcome, law)),
            escaped(&table)
        ));
    }
    if !outcome.without.is_empty() {
        text.push_str("<h2>Not fitted</h2>\n");
        let lines = outcome.without.iter().map(Without::words);
        text.push_str(&paragraphs(lines));
    }
    html::page(&title, &text)
}
