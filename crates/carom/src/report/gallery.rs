//! How does a page look on which figures of papers stand beside what is said of them?
//!
//! One HTML text with everything in it: it opens without a network, in light and dark, and prints. What it says is handed in as words; it judges and computes nothing.

use std::fmt::Write;

use crate::report::{capital, escaped};
use crate::results::base64;

const STYLE: &str = include_str!("gallery/style.css");
const SCRIPT: &str = include_str!("gallery/script.js");

/// All that stands on the page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// In this order.
    pub papers: Vec<Paper>,
}

/// A paper and its figures.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    /// Family names.
    pub authors: String,
    /// Of publication.
    pub year: u16,
    /// Its title.
    pub title: String,
    /// Journal, volume, page.
    pub journal: String,
    /// Its figures.
    pub entries: Vec<Entry>,
}

/// A figure.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// As the command line names it.
    pub id: String,
    /// As the paper does: `Fig. 7`.
    pub figure: String,
    /// What it shows.
    pub shows: String,
    /// What the paper gives.
    pub inputs: String,
    /// What it does not give; may be empty.
    pub assumed: String,
    /// The model file that was run; may be empty.
    pub model: String,
    /// Misprints that touch it.
    pub errata: Vec<Erratum>,
    /// Its pictures.
    pub pictures: Vec<Picture>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// What is said of it.
    pub claims: Vec<Claim>,
}

/// A picture, which lies beside the page too.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The names of its files without their ending.
    pub stem: String,
    /// A sentence below it; may be empty.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

/// A misprint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Erratum {
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub place: String,
    /// What is wrong, and what that changes.
    pub words: String,
}

/// A claim and what came of it.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// What is claimed.
    pub claim: String,
    /// How it was judged.
    pub judged_by: String,
    /// Whether it holds.
    pub holds: bool,
    /// Names and values of the numbers found.
    pub numbers: Vec<(String, String)>,
    /// Those of them that stand in the table of all claims.
    pub telling: Vec<(String, String)>,
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it is about.
    pub title: String,
    /// The names of the columns; the first one holds words, the others numbers.
    pub head: Vec<String>,
    /// The rows; one with a single cell is a heading.
    pub rows: Vec<Vec<String>>,
}

impl Page {
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.papers.iter().flat_map(|paper| &paper.entries)
    }

    fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.entries().flat_map(|entry| &entry.claims)
    }
}

/// The page as HTML.
pub fn page(page: &Page) -> String {
    let mut s = String::with_capacity(1 << 20);
    // Writing into a text cannot fail.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Carom: the papers, computed again</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    contents(&mut s, page);
    s.push_str("<main>\n");
    head(&mut s, page);
    verdicts(&mut s, page);
    for (i, paper) in page.papers.iter().enumerate() {
        let _ = write!(
            s,
            "<section class=\"paper\" id=\"paper-{i}\">\n<header><p class=\"authors\">{} {}</p><h2>{}</h2><p class=\"journal\">{}</p></header>\n",
            escaped(&paper.authors),
            paper.year,
            escaped(&paper.title),
            escaped(&paper.journal)
        );
        for entry in &paper.entries {
            figure(&mut s, entry);
        }
        s.push_str("</section>\n");
    }
    errata(&mut s, page);
    let _ = write!(
        s,
        "<footer>Made by <code>carom reproduce --out DIR</code>, version {}. The numbers of every picture lie beside it as CSV.</footer>\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    s
}

/// The list at the side.
fn contents(s: &mut String, page: &Page) {
    s.push_str("<nav aria-label=\"figures\">\n<a class=\"brand\" href=\"#top\">Carom</a>\n");
    for (i, paper) in page.papers.iter().enumerate() {
        let _ = write!(
            s,
            "<a class=\"of\" href=\"#paper-{i}\">{} {}</a>\n<ul>\n",
            escaped(&first_author(&paper.authors)),
            paper.year
        );
        for entry in &paper.entries {
            let _ = write!(
                s,
                "<li><a href=\"#{0}\">{1}</a><span class=\"dots\" aria-hidden=\"true\">",
                escaped(&entry.id),
                escaped(&entry.figure)
            );
            for claim in &entry.claims {
                let _ = write!(s, "<i class=\"{}\"></i>", class(claim));
            }
            s.push_str("</span></li>\n");
        }
        s.push_str("</ul>\n");
    }
    s.push_str("<a class=\"of\" href=\"#errata\">Errata</a>\n</nav>\n");
}

fn head(s: &mut String, page: &Page) {
    let (all, hold) = (
        page.claims().count(),
        page.claims().filter(|c| c.holds).count(),
    );
    let part = 100.0 * hold as f64 / all.max(1) as f64;
    let _ = write!(
        s,
        "<header id=\"top\">\n<p class=\"brand\">Carom</p>\n<h1>The papers, computed again</h1>\n<p class=\"lead\">Figures of {} papers on contact and impact in multibody dynamics, computed afresh. Each stands with what the paper says about it, whether that holds, and by which number; with what had to be assumed where the paper is silent; and with the misprints that touch it. A claim that does not hold is a finding, not a failure.</p>\n\
         <div class=\"counts\"><div><b>{}</b> figures</div><div><b>{all}</b> claims checked</div><div class=\"yes\"><b>{hold}</b> hold</div><div class=\"no\"><b>{}</b> do not hold</div></div>\n<div class=\"bar\" role=\"img\" aria-label=\"{hold} of {all} claims hold\"><i style=\"width:{part:.2}%\"></i></div>\n</header>\n",
        page.papers.len(),
        page.entries().count(),
        all - hold
    );
}

/// The table of all claims.
fn verdicts(s: &mut String, page: &Page) {
    s.push_str(
        "<section id=\"claims\">\n<h2>Every claim</h2>\n<div class=\"filter\" role=\"group\" aria-label=\"which claims\" hidden>\
         <button type=\"button\" data-show=\"all\" aria-pressed=\"true\">all</button><button type=\"button\" data-show=\"yes\" aria-pressed=\"false\">those that hold</button><button type=\"button\" data-show=\"no\" aria-pressed=\"false\">those that do not</button></div>\n\
         <table class=\"claims\">\n<thead><tr><th>figure</th><th>what the paper says</th><th>verdict</th><th>found</th></tr></thead>\n",
    );
    for (i, paper) in page.papers.iter().enumerate() {
        let claims = || paper.entries.iter().flat_map(|e| &e.claims);
        let _ = write!(
            s,
            "<tbody>\n<tr class=\"of\"><th colspan=\"4\"><a href=\"#paper-{i}\">{} {}</a> <span>{} of {} hold</span></th></tr>\n",
            escaped(&paper.authors),
            paper.year,
            claims().filter(|c| c.holds).count(),
            claims().count()
        );
        for entry in &paper.entries {
            for claim in &entry.claims {
                let _ = write!(
                    s,
                    "<tr class=\"{}\"><td><a href=\"#{}\">{}</a></td><td>{}</td><td>{}</td><td>",
                    class(claim),
                    escaped(&entry.id),
                    escaped(&entry.figure),
                    escaped(&claim.claim),
                    verdict(claim)
                );
                numbers(s, claim.telling.iter());
                s.push_str("</td></tr>\n");
            }
        }
        s.push_str("</tbody>\n");
    }
    s.push_str("</table>\n</section>\n");
}

fn figure(s: &mut String, entry: &Entry) {
    let _ = write!(
        s,
        "<article id=\"{0}\">\n<h3><span>{1}</span> {2}</h3>\n",
        escaped(&entry.id),
        escaped(&entry.figure),
        escaped(&capital(&entry.shows))
    );
    for picture in &entry.pictures {
        let stem = escaped(&picture.stem);
        let _ = write!(
            s,
            "<figure><div class=\"card\"><img alt=\"{}\" src=\"data:image/svg+xml;base64,",
            escaped(&entry.shows)
        );
        s.push_str(&base64::text(picture.svg.as_bytes()));
        let _ = write!(s, "\"{}></div><figcaption>", size(&picture.svg));
        if !picture.caption.is_empty() {
            let _ = write!(s, "{} ", escaped(&picture.caption));
        }
        let _ = writeln!(
            s,
            "<span class=\"files\"><a href=\"{stem}.svg\">SVG</a> <a href=\"{stem}.png\">PNG</a> <a href=\"{stem}.csv\">CSV</a></span></figcaption></figure>"
        );
    }
    for each in &entry.tables {
        table(s, each);
    }
    s.push_str("<dl class=\"facts\">\n");
    let mut fact = |name: &str, words: &str| {
        if !words.is_empty() {
            let _ = writeln!(s, "<div><dt>{name}</dt><dd>{words}</dd></div>");
        }
    };
    fact("Inputs", &escaped(&entry.inputs));
    fact("Assumed", &escaped(&entry.assumed));
    let mut words = String::new();
    for erratum in &entry.errata {
        let _ = write!(
            words,
            "<p><a href=\"#erratum-{0}\">{0}</a> {1}: {2}</p>",
            escaped(&erratum.number),
            escaped(&erratum.place),
            escaped(&erratum.words)
        );
    }
    fact(
        if entry.errata.len() == 1 {
            "Erratum"
        } else {
            "Errata"
        },
        &words,
    );
    let mut again = format!(
        "<code>carom reproduce {} --out DIR</code>",
        escaped(&entry.id)
    );
    if !entry.model.is_empty() {
        let _ = write!(
            again,
            ", which runs <code>models/{}</code>",
            escaped(&entry.model)
        );
    }
    fact("Again", &again);
    s.push_str("</dl>\n<ul class=\"said\">\n");
    for claim in &entry.claims {
        let _ = write!(
            s,
            "<li class=\"{}\">{}<div><p class=\"claim\">{}</p><p class=\"judged\">judged by: {}</p>",
            class(claim),
            verdict(claim),
            escaped(&capital(&claim.claim)),
            escaped(&claim.judged_by)
        );
        if !claim.numbers.is_empty() {
            s.push_str("<p class=\"numbers\">");
            numbers(s, claim.numbers.iter());
            s.push_str("</p>");
        }
        s.push_str("</div></li>\n");
    }
    s.push_str("</ul>\n</article>\n");
}

fn table(s: &mut String, table: &Table) {
    let _ = write!(
        s,
        "<div class=\"wide\"><table class=\"numbers\"><caption>{}</caption><thead><tr>",
        escaped(&table.title)
    );
    for name in &table.head {
        let _ = write!(s, "<th>{}</th>", escaped(name));
    }
    s.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        match row.as_slice() {
            [only] => {
                let _ = writeln!(
                    s,
                    "<tr class=\"of\"><th colspan=\"{}\">{}</th></tr>",
                    table.head.len(),
                    escaped(only)
                );
            }
            cells => {
                s.push_str("<tr>");
                for cell in cells {
                    let _ = write!(s, "<td>{}</td>", escaped(cell));
                }
                s.push_str("</tr>\n");
            }
        }
    }
    s.push_str("</tbody></table></div>\n");
}

/// Every misprint once, with the figures it touches.
fn errata(s: &mut String, page: &Page) {
    let mut all: Vec<(&Erratum, Vec<&Entry>)> = Vec::new();
    for entry in page.entries() {
        for erratum in &entry.errata {
            match all.iter_mut().find(|known| known.0 == erratum) {
                Some(known) => known.1.push(entry),
                None => all.push((erratum, vec![entry])),
            }
        }
    }
    // A2 before A10.
    all.sort_by_key(|(erratum, _)| {
        let (letter, number) = erratum.number.split_at_checked(1).unwrap_or(("", ""));
        (letter.to_string(), number.parse().unwrap_or(0_u32))
    });
    s.push_str("<section id=\"errata\">\n<h2>Errata met on this page</h2>\n");
    if all.is_empty() {
        s.push_str("<p>None.</p>\n");
    } else {
        s.push_str("<p>A: what changes numbers. B: sentences that the numbers contradict. T: values of tables. The catalogue of laws (<code>carom laws</code>) says on every card what is printed wrongly of it.</p>\n<dl>\n");
    }
    for (erratum, entries) in &all {
        let _ = write!(
            s,
            "<div id=\"erratum-{0}\"><dt>{0}</dt><dd>{1}: {2} <span class=\"touches\">",
            escaped(&erratum.number),
            escaped(&erratum.place),
            escaped(&erratum.words)
        );
        for entry in entries {
            let _ = write!(s, "<a href=\"#{0}\">{0}</a> ", escaped(&entry.id));
        }
        s.push_str("</span></dd></div>\n");
    }
    if !all.is_empty() {
        s.push_str("</dl>\n");
    }
    s.push_str("</section>\n");
}

fn numbers<'a>(s: &mut String, numbers: impl Iterator<Item = &'a (String, String)>) {
    for (name, value) in numbers {
        let _ = write!(
            s,
            "<span class=\"number\">{} <b>{}</b></span> ",
            escaped(name),
            escaped(value)
        );
    }
}

fn class(claim: &Claim) -> &'static str {
    if claim.holds { "yes" } else { "no" }
}

fn verdict(claim: &Claim) -> &'static str {
    if claim.holds {
        "<span class=\"verdict\">holds</span>"
    } else {
        "<span class=\"verdict\">does not hold</span>"
    }
}

/// The first of several names, with what stands for the others.
fn first_author(authors: &str) -> String {
    match authors.split_once(", ") {
        Some((first, rest)) if rest.contains(", ") => format!("{first} et al."),
        Some((first, second)) => format!("{first}, {second}"),
        None => authors.into(),
    }
}

/// Width and height of a picture as attributes, so that the page does not jump while it loads.
fn size(svg: &str) -> String {
    let of = |name: &str| -> Option<f64> {
        let head = svg.split_once('>').map_or(svg, |parts| parts.0);
        let (_, rest) = head.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')?.0.trim_end_matches("px").parse().ok()
    };
    match (of("width"), of("height")) {
        (Some(width), Some(height)) => format!(" width=\"{width:.0}\" height=\"{height:.0}\""),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_tells_all_it_is_given_and_nothing_breaks_it() {
        let entry = Entry {
            id: "s9-fig1".into(),
            figure: "Fig. 1".into(),
            shows: "a <b> & \"c\"".into(),
            inputs: "m = 1 kg".into(),
            errata: vec![Erratum {
                number: "A1".into(),
                place: "eq. 1".into(),
                words: "x < y".into(),
            }],
            pictures: vec![Picture {
                stem: "s9-fig1".into(),
                caption: String::new(),
                svg: "<svg width=\"976\" height=\"400\"></svg>".into(),
            }],
            claims: vec![
                Claim {
                    claim: "it rises".into(),
                    judged_by: "eye".into(),
                    holds: true,
                    numbers: vec![("e".into(), "0.7".into())],
                    telling: vec![("e".into(), "0.7".into())],
                },
                Claim {
                    claim: "it falls".into(),
                    judged_by: "eye".into(),
                    ..Claim::default()
                },
            ],
            ..Entry::default()
        };
        let text = page(&Page {
            papers: vec![Paper {
                authors: "A, B, C".into(),
                year: 2000,
                title: "T".into(),
                journal: "J".into(),
                entries: vec![entry],
            }],
        });
        assert!(text.contains("a &lt;b&gt; &amp; &quot;c&quot;"));
        assert!(!text.contains("<b> & "));
        assert!(text.contains("<b>2</b> claims checked"));
        assert!(text.contains("width=\"976\" height=\"400\""));
        assert!(text.contains("A et al."));
        assert_eq!(text.matches("does not hold</span>").count(), 2);
        assert_eq!(text.matches("id=\"s9-fig1\"").count(), 1);
        for network in ["http://", "https://", "src=\"//"] {
            assert!(!text.contains(network), "{network}");
        }
    }
}
