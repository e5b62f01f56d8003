//! What does the page of a fit say?

use carom::study::fit::{Fit, Outcome};

use super::{Asked, estimate, ranking, strong, verdict};

/// A text as it may stand between tags.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |cells: &mut dyn Iterator<Item = &str>, tag: &str| {
        let all: String = cells
            .map(|c| format!("<{tag}>{}</{tag}>", escaped(c)))
            .collect();
        format!("<tr>{all}</tr>\n")
    };
    let mut text = String::from("<div class=wide><table>\n");
    text.push_str(&cells(&mut head.iter().copied(), "th"));
    for row in rows {
        text.push_str(&cells(&mut row.iter().map(String::as_str), "td"));
    }
    text.push_str("</table></div>\n");
    text
}

fn paragraphs(lines: impl IntoIterator<Item = String>) -> String {
    lines
        .into_iter()
        .map(|line| format!("<p>{}</p>\n", escaped(&line)))
        .collect()
}

fn section(fit: &Fit) -> String {
    let mut text = format!("<h2>{}</h2>\n", escaped(fit.id));
    let rows: Vec<Vec<String>> = fit
        .parameters
        .iter()
        .map(|p| {
            let [value, interval, mark] = estimate(p);
            let value = if p.interval.is_some() {
                value
            } else {
                "–".into()
            };
            vec![p.name.to_string(), value, interval, mark]
        })
        .collect();
    text.push_str(&table(&["parameter", "value", "95 % interval", ""], &rows));
    text.push_str(&paragraphs(strong(fit)));
    let warned = fit.unknowable.iter().map(|line| format!("Beware: {line}."));
    text.push_str(&paragraphs(warned));
    let known: Vec<usize> = (0..fit.parameters.len())
        .filter(|i| fit.parameters.get(*i).is_some_and(|p| p.interval.is_some()))
        .collect();
    if known.len() > 1 {
        let name = |i: &usize| fit.parameters.get(*i).map_or("", |p| p.name);
        let head: Vec<&str> = std::iter::once("correlation")
            .chain(known.iter().map(name))
            .collect();
        let entry = |i: usize, j: usize| fit.correlation.get(i).and_then(|r| r.get(j)).copied();
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
        text.push_str(&table(&head, &rows));
    }
    text
}

/// One page that needs no network and no other file.
pub fn page(asked: &Asked, outcome: &Outcome, pictures: &[String]) -> String {
    let title = format!("Fit: {}", asked.title);
    let mut text = format!(
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n<title>{0}</title>\n<style>\nbody {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }}\nsvg {{ max-width: 100%; height: auto }}\n.wide {{ overflow-x: auto }}\ntable {{ border-collapse: collapse; margin: 1rem 0 }}\nth, td {{ text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #d5d9de; vertical-align: top }}\nth {{ font-weight: 600 }}\n</style>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    text.push_str(&format!(
        "<p>{}, {} points.</p>\n",
        asked.data.kind,
        asked.data.y.len()
    ));
    text.push_str(&paragraphs(verdict(outcome)));
    text.push_str(&paragraphs(outcome.notes.iter().cloned()));
    for picture in pictures {
        text.push_str(&format!("<figure>{picture}</figure>\n"));
    }
    text.push_str("<h2>Ranking</h2>\n");
    let head = ["law", "ΔAICc", "weight", "noise", "known", "numbers"];
    text.push_str(&table(&head, &ranking(asked, outcome)));
    text.push_str("<p>Known: how many independent numbers the data tell. Intervals are 95 %, from the sensitivities in scaled parameters and Student's t; they hold if the law does.</p>\n");
    for fit in outcome.fits.iter().take(6) {
        text.push_str(&section(fit));
    }
    if !outcome.without.is_empty() {
        text.push_str("<h2>Not fitted</h2>\n");
        let lines = outcome
            .without
            .iter()
            .map(|w| format!("{}: {}", w.id, w.why.join("; ")));
        text.push_str(&paragraphs(lines));
    }
    text.push_str("</html>\n");
    text
}
