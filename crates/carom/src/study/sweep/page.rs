//! How does a sweep look in a browser?

use std::fmt::Write;

use crate::card::{rounded, short};
use crate::report::escaped;
use crate::results::number;

use super::fit::Fitted;
use super::pictures::Drawn;
use super::tally::Tally;
use super::{Kind, Levels, Shown, Study, Subject};

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 66rem; padding: 1.5rem; background: #fff; color: #1a1a1a; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .8rem 0; } .wide { overflow-x: auto; }
th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #ccc; } th:first-child, td:first-child { text-align: left; }
.words { text-align: left; } figure { margin: 1rem 0 2rem; } figure img { width: 100%; height: auto; background: #fff; }
figcaption { color: #555; white-space: pre-line; } pre { overflow-x: auto; padding: 1rem; background: #f4f4f4; font-size: .85rem; }
.failed { border-left: .3rem solid #D55E00; padding: .2rem 1rem; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e6e6e6; } pre { background: #22252a; } th, td { border-color: #444; } figcaption { color: #aaa; } }
@media print { body { max-width: none; } figure { break-inside: avoid; } }
";

/// The page: what was studied, what was found, and the pictures, which lie beside it.
pub fn page(study: &Study, tally: &Tally, pictures: &[Drawn], fits: &[Fitted]) -> String {
    let mut s = String::new();
    let title = if study.title.is_empty() {
        "A sweep"
    } else {
        &study.title
    };
    // Writing into a text cannot fail.
    let _ = write!(
        s,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(title)
    );
    for text in [&study.source, &study.notes] {
        if !text.is_empty() {
            let _ = writeln!(s, "<p>{}</p>", escaped(text));
        }
    }
    let what = match &study.subject {
        Subject::Model(_) if tally.points == 1 => "run of a model",
        Subject::Model(_) => "runs of a model",
        Subject::Impact(_) if tally.points == 1 => "free impact",
        Subject::Impact(_) => "free impacts",
    };
    let _ = writeln!(
        s,
        "<p>{} {what}, {}.</p>",
        tally.points,
        match study.design.kind() {
            Kind::Grid => "spread as a grid",
            Kind::List => "taken from a list",
            Kind::Random => "spread at random",
            Kind::Halton => "spread as a Halton sequence",
            Kind::Sobol => "spread as a Sobol sequence",
        }
    );
    if tally.failed > 0 {
        let _ = writeln!(
            s,
            "<div class=\"failed\"><p>{}.</p>\n<table>\n<tr><th>reason</th><th>points</th><th>the first</th></tr>",
            match tally.failed {
                1 => "One point failed; it is in the table with its reason".into(),
                n => format!("{n} points failed; they are in the table with their reasons"),
            }
        );
        for ((reason, count), point) in tally.reasons.iter().zip(&tally.examples).take(20) {
            let reason = if reason.is_empty() { "others" } else { reason };
            let _ = writeln!(
                s,
                "<tr><td class=\"words\">{}</td><td>{count}</td><td>{point}</td></tr>",
                escaped(reason)
            );
        }
        s.push_str("</table></div>\n");
    }
    if !tally.warnings.is_empty() {
        s.push_str("<div class=\"failed\"><p>Runs warned; which of them stands in the table.</p>\n<table>\n<tr><th>warning</th><th>points</th><th>in all</th></tr>\n");
        for (code, points, all) in &tally.warnings {
            let _ = writeln!(
                s,
                "<tr><td>{}</td><td>{points}</td><td>{all}</td></tr>",
                escaped(code)
            );
        }
        s.push_str("</table></div>\n");
    }
    for (_, words) in tally.without_numbers(study) {
        let _ = writeln!(s, "<div class=\"failed\"><p>{}.</p></div>", escaped(&words));
    }
    for drawn in pictures {
        let _ = writeln!(s, "<h2>{}</h2>", escaped(&drawn.title));
        match &drawn.picture {
            Ok(_) => {
                let _ = writeln!(
                    s,
                    "<figure><img src=\"{0}.svg\" alt=\"{1}\"><figcaption>{2} <a href=\"{0}.svg\">SVG</a> <a href=\"{0}.png\">PNG</a></figcaption></figure>",
                    escaped(&drawn.name),
                    escaped(&drawn.title),
                    escaped(&drawn.caption)
                );
            }
            Err(why) => {
                let _ = writeln!(s, "<p>It could not be drawn: {}</p>", escaped(why));
            }
        }
    }
    s.push_str("<h2>What was varied</h2>\n<div class=\"wide\"><table>\n<tr><th>name</th><th class=\"words\">what</th><th class=\"words\">values</th></tr>\n");
    let varied = study.varied.iter().zip(&study.shown);
    for ((varied, shown), levels) in varied.zip(study.design.levels()) {
        let _ = writeln!(
            s,
            "<tr><td>{}</td><td class=\"words\">{}</td><td class=\"words\">{}</td></tr>",
            escaped(&varied.name),
            escaped(&varied.path),
            escaped(&spread(levels, shown))
        );
    }
    s.push_str("</table></div>\n<h2>What was found</h2>\n<div class=\"wide\"><table>\n<tr><th>output</th><th class=\"words\">of</th><th>least</th><th>mean</th><th>largest</th><th class=\"words\">unit</th><th>numbers</th></tr>\n");
    for (output, [low, mean, high, count]) in study.outputs.iter().zip(&tally.outputs) {
        let brief = |x: &f64| {
            format!("{x:.5e}")
                .parse()
                .map_or_else(|_| number::text(*x), short)
        };
        let _ = writeln!(
            s,
            "<tr><td>{}</td><td class=\"words\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"words\">{}</td><td>{count}</td></tr>",
            escaped(&output.name),
            escaped(&output.text),
            brief(low),
            brief(mean),
            brief(high),
            escaped(&output.unit)
        );
    }
    s.push_str("</table></div>\n");
    for fitted in fits.iter().filter(|fitted| !fitted.draws()) {
        let _ = writeln!(
            s,
            "<h2>Fit {}</h2>\n<pre>{}</pre>",
            escaped(&fitted.fit.name),
            escaped(&fitted.told())
        );
    }
    let _ = writeln!(
        s,
        "<h2>The study</h2>\n{}<pre>{}</pre>\n</body>\n</html>",
        set(study),
        escaped(&study.held.study.text)
    );
    s
}

/// What the command line put in the place of what stands in the study file.
fn set(study: &Study) -> String {
    let overrides = &study.held.overrides;
    if overrides.is_empty() {
        return String::new();
    }
    let rows = overrides.iter().map(|(path, value)| {
        let (path, value) = (escaped(path), escaped(value));
        format!("<tr><td>{path}</td><td class=\"words\">{value}</td></tr>\n")
    });
    format!(
        "<p>The command line has set in place of what stands in it (<code>--set</code>):</p>\n<div class=\"wide\"><table>\n<tr><th>what</th><th class=\"words\">value</th></tr>\n{}</table></div>\n",
        rows.collect::<String>()
    )
}

/// What a parameter may be, in words.
fn spread(levels: &Levels, Shown { unit, one }: &Shown) -> String {
    let on = |x: &f64| rounded(x / one);
    let text = match levels {
        Levels::Span {
            from,
            to,
            logarithmic,
            count,
        } => {
            let how = if *logarithmic { ", equal ratios" } else { "" };
            let count = if *count > 0 {
                format!(", {count} values")
            } else {
                String::new()
            };
            format!("{} to {} {unit}{how}{count}", on(from), on(to))
        }
        Levels::Numbers(all) => {
            let few: Vec<String> = all.iter().take(12).map(on).collect();
            let more = if all.len() > 12 { ", …" } else { "" };
            format!("{}{more} {unit}", few.join(", "))
        }
        Levels::Words(words) => words.join(", "),
        Levels::Normal { mean, deviation } => {
            format!("normal, {} ± {} {unit}", on(mean), on(deviation))
        }
    };
    text.trim_end().into()
}
