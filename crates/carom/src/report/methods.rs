//! What does a person see of one model that was run by several methods of contact: what each made of it, and how far apart they are?

use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::card::short;
use crate::model::ContactMethod;
use crate::model::units::pretty;
use crate::report::figure::{self, Asked};
use crate::report::page::advice::advice;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::report::{capital, escaped};
use crate::results::apart::{self, AGREES, Apart, Ranged};
use crate::results::base64;
use crate::results::trajectory::Column;
use crate::results::{REPORT, TRAJECTORY};

const STYLE: &str = include_str!("page/page.css");
const OWN_STYLE: &str = include_str!("methods/methods.css");
const SCRIPT: &str = include_str!("methods/methods.js");
/// Digits of what is told.
const DIGITS: usize = 6;
/// Impacts told one by one, and instants in a row.
const IMPACTS: usize = 5;
const INSTANTS: usize = 3;
/// Panels of the picture, at most.
const PANELS: usize = 8;
/// Contacts that are marked at most: more would be a wall of lines.
const MARKS: usize = 40;
/// A run of which more than this part of all energy that was turned over is missing is none.
const WRECKED: f64 = 0.25;
/// What cannot be drawn on a logarithmic axis: below this part two runs are the same.
const LEAST: f64 = 1e-9;

/// What became of one method.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Which.
    pub method: ContactMethod,
    /// Its results; `None` if nothing was written.
    pub folder: Option<PathBuf>,
    /// Its summary, or why the model was refused.
    pub ended: Result<Value, Vec<String>>,
}

impl Ran {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn summary(&self) -> Option<&Value> {
        self.ended.as_ref().ok()
    }

    fn contacts(&self) -> &[Value] {
        let contacts = self.summary().and_then(|s| s.get("contacts")?.as_array());
        contacts.map_or(&[], Vec::as_slice)
    }

    fn number(&self, path: &str) -> Option<f64> {
        self.summary()?.pointer(path)?.as_f64()
    }

    fn heat(&self) -> Option<f64> {
        let parts = self.summary()?.pointer("/energy/dissipated")?.as_object()?;
        Some(parts.values().filter_map(Value::as_f64).sum())
    }

    fn status(&self) -> &str {
        match self.summary() {
            Some(summary) => summary["status"].as_str().unwrap_or_default(),
            None => "refused",
        }
    }

    /// Why it is not complete, in words; empty if it is.
    fn why(&self) -> String {
        match &self.ended {
            Ok(summary) => summary["reason"].as_str().unwrap_or_default().into(),
            Err(errors) => errors.join("; "),
        }
    }

    /// Whether it ran to its end, or to where somebody stopped it, and its energy is no wreck.
    fn is_sound(&self) -> bool {
        matches!(self.status(), "completed" | "stopped") && self.wrecked().is_none()
    }

    /// What of its energy is unaccounted for, J, where that is a good part of all that was turned over.
    fn wrecked(&self) -> Option<f64> {
        let residual = self.summary()?.pointer("/energy/residual")?;
        // What is no finite number is written as null.
        let residual = residual.as_f64().unwrap_or(f64::INFINITY).abs();
        let of = |key: &str| self.number(&format!("/energy/{key}")).unwrap_or(0.0).abs();
        let turned = self.heat().unwrap_or(0.0) + of("driver_work") + of("load_work");
        let told = self.summary()?["warnings"].as_array()?.iter();
        let mut told = told.filter_map(|w| w["code"].as_str());
        let missing = residual > WRECKED * (turned + of("kinetic"));
        (missing && told.any(|code| code == "energy-residual")).then_some(residual)
    }

    /// Where and why it did not come to its end: `at 0.5 s: why`.
    fn broke(&self) -> Option<String> {
        let at = self.number("/time/end").map_or_else(dash, seconds);
        match self.status() {
            "completed" | "refused" => None,
            "stopped" => Some(format!("{at}, where it was stopped")),
            _ => Some(format!("{at}, where it failed: {}", self.why())),
        }
    }

    fn table(&self) -> Option<io::Result<BufReader<File>>> {
        let folder = self.folder.as_deref().filter(|_| self.ended.is_ok())?;
        Some(File::open(folder.join(TRAJECTORY)).map(BufReader::new))
    }
}

/// All methods of one model beside each other.
#[derive(Clone, Debug)]
pub struct Methods {
    title: String,
    model: String,
    runs: Vec<Ran>,
    /// The one that the others are measured by: piecewise, if it is there and sound; else the first that is.
    reference: Option<usize>,
    ranges: Vec<Ranged>,
    /// How far the others are from it, in their order.
    apart: Vec<(usize, Apart)>,
}

impl Methods {
    /// Reads what the runs have left. `title` is what the model is called, `model` its file.
    pub fn of(title: &str, model: &str, runs: Vec<Ran>) -> io::Result<Self> {
        let with_table = |r: &Ran| r.table().is_some();
        let piecewise = |r: &Ran| r.method == ContactMethod::Piecewise;
        let first =
            |good: &dyn Fn(&Ran) -> bool| runs.iter().position(|r| with_table(r) && good(r));
        let reference = first(&|r| piecewise(r) && r.is_sound())
            .or_else(|| first(&Ran::is_sound))
            .or_else(|| first(&piecewise))
            .or_else(|| first(&|_| true));
        let mut methods = Self {
            title: title.into(),
            model: model.into(),
            reference,
            ranges: Vec::new(),
            apart: Vec::new(),
            runs,
        };
        let Some(known) = reference.and_then(|i| methods.runs.get(i)) else {
            return Ok(methods);
        };
        // The channels are those of the one that the others are measured by. A run that broke says nothing of how far they go.
        let others = methods.runs.iter().enumerate();
        let others = others.filter(|(i, run)| Some(*i) != reference && run.is_sound());
        let tables = std::iter::once(known).chain(others.map(|o| o.1));
        let tables = tables.filter_map(Ran::table);
        methods.ranges = apart::ranges(tables.collect::<io::Result<Vec<_>>>()?)?;
        for (i, run) in methods.runs.iter().enumerate() {
            if Some(i) == reference {
                continue;
            }
            if let (Some(known), Some(other)) = (known.table(), run.table()) {
                let found = apart::apart(&methods.ranges, known?, other?)?;
                methods.apart.push((i, found));
            }
        }
        Ok(methods)
    }

    fn name(&self, i: usize) -> &'static str {
        self.runs.get(i).map_or("", Ran::name)
    }

    /// Who tracks whom and by how much, in sentences; the nearest first.
    pub fn words(&self) -> Vec<String> {
        let Some(reference) = self.reference.map(|i| self.name(i)) else {
            return Vec::new();
        };
        let part = |a: &Apart| a.part().unwrap_or(f64::INFINITY);
        let mut ranked: Vec<&(usize, Apart)> = self.apart.iter().collect();
        ranked.sort_by(|a, b| part(&a.1).total_cmp(&part(&b.1)));
        let mut words = Vec::new();
        let sound = |(i, _): &&&(usize, Apart)| self.runs.get(*i).is_some_and(Ran::is_sound);
        let to_the_end: Vec<&&(usize, Apart)> = ranked.iter().filter(sound).collect();
        if let [(nearest, _), _, ..] = to_the_end.as_slice() {
            words.push(format!("{} tracks {reference} best.", self.name(*nearest)));
        }
        if let Some(broke) = self.reference.and_then(|i| self.runs.get(i)?.broke()) {
            words.push(format!(
                "No run came to its end: the others are compared with {reference} until {broke}."
            ));
        }
        for (i, found) in ranked {
            let name = self.name(*i);
            let (Some(off), true) = (found.part(), found.samples > 0) else {
                words.push(format!(
                    "{name} and {reference} have nothing in common that could be compared."
                ));
                continue;
            };
            let run = self.runs.get(*i);
            if let Some(broke) = run.and_then(Ran::broke) {
                words.push(format!(
                    "{name} is compared with {reference} until {broke}."
                ));
            } else if let Some(missing) = run.and_then(Ran::wrecked) {
                words.push(format!(
                    "{name} came to its end with {} that nobody accounts for: it is not to be believed, and what follows is how far off it is.",
                    told(missing, "J", 3)
                ));
            }
            let until = match found.first() {
                None => {
                    format!(
                        "agrees with {reference} to 1 % of every channel's range to {}",
                        match run.and_then(Ran::broke) {
                            Some(_) => seconds(found.end),
                            None => "the end".into(),
                        }
                    )
                }
                Some((channel, t)) => format!(
                    "agrees with {reference} to 1 % of every channel's range until {}, when {} parts first",
                    seconds(t),
                    channel.of.column.name
                ),
            };
            let worst = found.channels.iter().filter(|c| c.of.judged);
            let worst = worst.max_by(|a, b| {
                let size = |c: &apart::Difference| c.largest.0 / c.of.range;
                size(a).total_cmp(&size(b))
            });
            let worst = worst.map_or_else(String::new, |c| {
                format!(
                    "; furthest apart in {}, by {} ({} of its range) at {}",
                    c.of.column.name,
                    told(c.largest.0, &c.of.column.unit, 3),
                    percent(c.largest.0 / c.of.range),
                    seconds(c.largest.1)
                )
            });
            words.push(format!(
                "{name} {until}. Over all {} samples and channels the root mean square is {} of their ranges{worst}.",
                found.samples,
                percent(off)
            ));
        }
        for run in self.runs.iter().filter(|run| run.wrecked().is_none()) {
            let (heat, residual) = (run.heat(), run.number("/energy/residual"));
            if let (Some(heat), Some(residual)) = (heat, residual)
                && residual.abs() > AGREES * heat
                && heat > 0.0
            {
                words.push(format!(
                    "The energy of {} does not balance: {} are unaccounted for beside {} of heat.",
                    run.name(),
                    told(residual.abs(), "J", 3),
                    told(heat, "J", 3)
                ));
            }
        }
        words
    }

    /// Method, how it ended and what it took: heads and rows.
    pub fn rows(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let head = vec![
            "method",
            "ended",
            "impacts",
            "first at",
            "heat",
            "residual",
            "steps",
            "evaluations",
            "wall time",
        ];
        let row = |run: &Ran| {
            let or = |value: Option<f64>, unit: &str, digits: usize| {
                value.map_or_else(dash, |v| told(v, unit, digits))
            };
            let whole = |path: &str| run.number(path).map_or_else(dash, |n| n.to_string());
            let instants = run.contacts().iter().take(INSTANTS);
            let instants: Vec<String> = instants
                .filter_map(|c| c["start"].as_f64())
                .map(seconds)
                .collect();
            let ran = run.ended.is_ok();
            vec![
                run.name().to_string(),
                run.status().to_string(),
                if ran {
                    run.contacts().len().to_string()
                } else {
                    dash()
                },
                if instants.is_empty() {
                    dash()
                } else {
                    instants.join(", ")
                },
                or(run.heat(), "J", DIGITS),
                or(run.number("/energy/residual"), "J", 2),
                whole("/statistics/steps_accepted"),
                whole("/statistics/rhs_evaluations"),
                or(run.number("/statistics/wall_seconds"), "s", 3),
            ]
        };
        (head, self.runs.iter().map(row).collect())
    }

    /// The first impacts, method by method.
    fn impacts(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for i in 0..IMPACTS {
            for run in &self.runs {
                let Some(c) = run.contacts().get(i) else {
                    continue;
                };
                let turns = c["unit"].as_str() == Some("rad");
                let (speed, impulse) = if turns {
                    ("rad/s", "N m s")
                } else {
                    ("m/s", "N s")
                };
                let of = |path: &str, unit: &str| {
                    c.pointer(path)
                        .and_then(Value::as_f64)
                        .map_or_else(dash, |v| told(v, unit, DIGITS))
                };
                let heat = |key: &str| c["dissipated_energy"][key].as_f64().unwrap_or(0.0);
                rows.push(vec![
                    (i + 1).to_string(),
                    run.name().into(),
                    c["contact"].as_str().unwrap_or_default().into(),
                    c["start"]
                        .as_f64()
                        .map_or_else(dash, |t| format!("{t:.9} s")),
                    of("/approach_speed", speed),
                    of("/separation_speed", speed),
                    of("/restitution/requested", ""),
                    of("/restitution/newton", ""),
                    match c["blow_impulse"].as_f64() {
                        Some(blow) => told(blow, impulse, DIGITS),
                        None => of("/impulse", impulse),
                    },
                    of("/peak_force", if turns { "N m" } else { "N" }),
                    told(heat("normal") + heat("friction"), "J", 4),
                ]);
            }
        }
        rows
    }

    /// How far channels are apart.
    fn channels(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (k, of) in self.ranges.iter().enumerate() {
            for (i, found) in &self.apart {
                let same = |c: &&apart::Difference| c.of.column == of.column;
                // Channels of one file stand in one order.
                let here = found.channels.get(k).filter(same);
                let Some(c) = here.or_else(|| found.channels.iter().find(same)) else {
                    continue;
                };
                let unit = &c.of.column.unit;
                let part = |x: f64| {
                    if c.of.judged {
                        percent(x / c.of.range)
                    } else {
                        dash()
                    }
                };
                rows.push(vec![
                    c.of.column.name.clone(),
                    self.name(*i).into(),
                    told(c.rms, unit, 3),
                    part(c.rms),
                    told(c.largest.0, unit, 3),
                    part(c.largest.0),
                    if c.largest.0 > 0.0 {
                        seconds(c.largest.1)
                    } else {
                        dash()
                    },
                    match c.parts {
                        _ if !c.of.judged => "not judged".into(),
                        Some(t) => seconds(t),
                        None => "the end".into(),
                    },
                ]);
            }
        }
        rows
    }

    /// For programs: numbers in SI units.
    pub fn json(&self) -> Value {
        let runs = self.runs.iter().map(|run| {
            let contacts = run.contacts().iter().take(INSTANTS.max(IMPACTS));
            let impacts = contacts.map(|c| {
                json!({
                    "contact": c["contact"], "start": c["start"], "approach_speed": c["approach_speed"], "separation_speed": c["separation_speed"],
                    "requested": c["restitution"]["requested"], "newton": c["restitution"]["newton"], "impulse": c["impulse"], "blow_impulse": c["blow_impulse"],
                })
            });
            let of = |path: &str| run.summary().and_then(|s| s.pointer(path)).cloned();
            json!({
                "method": run.name(),
                "status": run.status(),
                "reason": Some(run.why()).filter(|why| !why.is_empty()),
                "folder": run.folder.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy()),
                "impacts": run.ended.is_ok().then_some(run.contacts().len()),
                "first_impacts": impacts.collect::<Vec<Value>>(),
                "dissipated": run.heat(),
                "residual": of("/energy/residual"),
                "statistics": of("/statistics"),
            })
        });
        let differences = self.apart.iter().map(|(i, found)| {
            let channels = found.channels.iter().map(|c| {
                json!({
                    "channel": c.of.column.name, "unit": c.of.column.unit, "judged": c.of.judged, "range": c.of.range, "rms": c.rms,
                    "largest": c.largest.0, "largest_time": c.largest.1, "parts": c.parts,
                })
            });
            json!({
                "method": self.name(*i),
                "samples": found.samples,
                "until": found.end,
                "sound": self.runs.get(*i).is_some_and(Ran::is_sound),
                "rms_of_range": found.part(),
                "parts": found.first().map(|f| f.1),
                "parts_first": found.first().map(|f| f.0.of.column.name.as_str()),
                "channels": channels.collect::<Vec<Value>>(),
            })
        });
        json!({
            "title": self.title,
            "reference": self.reference.map(|i| self.name(i)),
            "agrees": AGREES,
            "methods": runs.collect::<Vec<Value>>(),
            "differences": differences.collect::<Vec<Value>>(),
            "words": self.words(),
        })
    }

    /// The channels of all methods over each other, the one they are measured by broad and grey, its impacts marked; below, how far the others are from it. `None` where nothing can be drawn.
    pub fn picture(&self) -> io::Result<Option<String>> {
        let Some(reference) = self.reference.and_then(|i| self.runs.get(i)) else {
            return Ok(None);
        };
        let mut chosen: Vec<&Column> = self
            .ranges
            .iter()
            .filter(|r| r.judged)
            .map(|r| &r.column)
            .collect();
        let others = self
            .ranges
            .iter()
            .filter(|r| !r.judged && r.range > 0.0 && r.column.name != "energy.residual");
        chosen.extend(others.map(|r| &r.column));
        let left_out = chosen.len().saturating_sub(PANELS);
        chosen.truncate(PANELS);
        let mut curves: Vec<Vec<figure::Curve>> = Vec::new();
        for run in &self.runs {
            let Some(table) = run.table() else {
                curves.push(Vec::new());
                continue;
            };
            let heads = crate::results::trajectory::Reader::new(table?)?
                .columns()
                .to_vec();
            let place = |c: &&Column| heads.iter().position(|h| h == *c);
            let asked = Asked {
                columns: chosen.iter().filter_map(place).collect(),
                over: 0,
                span: (f64::NEG_INFINITY, f64::INFINITY),
            };
            let Some(table) = run.table() else { continue };
            curves.push(figure::curves(run.name(), table?, &asked)?);
        }
        let mut marks: Vec<(f64, f64)> = reference
            .contacts()
            .iter()
            .filter_map(|c| {
                Some((
                    c["start"].as_f64()?,
                    c["impulse"].as_f64().unwrap_or(0.0).abs(),
                ))
            })
            .collect();
        let count = marks.len();
        marks.sort_by(|a, b| b.1.total_cmp(&a.1));
        marks.truncate(MARKS);
        let marked = match count > MARKS {
            true => format!(
                "the {MARKS} hardest of {count} impacts ({})",
                reference.name()
            ),
            false => format!("impact ({})", reference.name()),
        };
        let drawable =
            |points: &[(f64, f64)]| points.iter().filter(|p| p.1.is_finite()).count() > 1;
        let mut stack = Stack::new(Axis::new("time", "s"));
        let mut empty = true;
        for column in chosen {
            let mut panel =
                Panel::new(Axis::new(column.name.as_str(), column.unit.as_str())).height(170.0);
            let mut lines = 0;
            // What the others are measured by lies behind them.
            let known = |run: &&figure::Curve| run.run == reference.name();
            let of = || {
                curves
                    .iter()
                    .flatten()
                    .filter(|c| c.column == *column && drawable(&c.points))
            };
            for curve in of().filter(known) {
                lines += 1;
                panel = panel.reference(curve.run.as_str(), curve.points.iter().copied());
            }
            let sound = |name: &str| self.runs.iter().any(|r| r.name() == name && r.is_sound());
            let [low, high] = of().filter(|c| sound(&c.run)).fold(WIDE, spread);
            for curve in of().filter(|c| !known(c)) {
                lines += 1;
                // Where a run breaks it may go anywhere: what lies far beyond the others would hide them.
                let near = |y: f64| y >= low - (high - low) && y <= high + (high - low);
                let kept = |p: &(f64, f64)| sound(&curve.run) || !(high > low) || near(p.1);
                let points = curve.points.iter().copied().filter(kept);
                panel = panel.line(curve.run.as_str(), points);
            }
            if lines == 0 {
                continue;
            }
            if !marks.is_empty() {
                panel = panel.verticals(marked.as_str(), marks.iter().map(|m| m.0));
            }
            empty = false;
            stack = stack.panel(panel);
        }
        if empty {
            return Ok(None);
        }
        let courses: Vec<(&str, Vec<(f64, f64)>)> = self
            .apart
            .iter()
            .map(|(i, found)| {
                let points = found.course.iter().copied().filter(|p| p.1 > LEAST);
                (self.name(*i), points.collect::<Vec<_>>())
            })
            .filter(|(_, points)| points.len() > 1)
            .collect();
        if !courses.is_empty() {
            let axis = Axis::new(
                format!(
                    "largest distance from {}, part of a range",
                    reference.name()
                ),
                "",
            );
            let mut panel = Panel::new(axis.logarithmic()).height(190.0);
            let ends = self
                .apart
                .iter()
                .flat_map(|a| [a.1.course.first(), a.1.course.last()])
                .flatten();
            panel = panel.reference("1 %", ends.map(|p| (p.0, AGREES)));
            for (name, points) in courses {
                panel = panel.line(name, points);
            }
            stack = stack.panel(panel);
        }
        let mut title = self.title.clone();
        if left_out > 0 {
            title += &format!(": {left_out} channels more in the tables");
        }
        Chart::new(title)
            .stack(stack)
            .svg()
            .map(Some)
            .map_err(io::Error::other)
    }

    /// The page: `methods.html`.
    pub fn page(&self, picture: Option<&str>) -> String {
        let mut s = String::new();
        let names: Vec<&str> = self.runs.iter().map(Ran::name).collect();
        // Writing into a text cannot fail.
        let _ = write!(
            s,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<title>{0}: methods</title>\n<style>\n{STYLE}\n{OWN_STYLE}</style>\n</head>\n<body>\n\
             <header class=\"head box\"><div class=\"head-words\"><p class=\"brand\"><svg viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\"><circle cx=\"5\" cy=\"10\" r=\"4.5\" fill=\"#0072B2\"/><circle cx=\"12\" cy=\"5\" r=\"3\" fill=\"#D55E00\"/></svg> Carom {1}</p>\
             <h1>{0}</h1><p class=\"lead\">{2} · one model, several methods of contact: {3}</p></div><button type=\"button\" class=\"quiet\" id=\"theme\" aria-label=\"Switch between light and dark\" hidden></button></header>\n",
            escaped(&self.title),
            env!("CARGO_PKG_VERSION"),
            escaped(&self.model),
            names.join(", ")
        );
        self.notices(&mut s);
        s.push_str("<main>\n");
        let words = self.words();
        if let [first, rest @ ..] = words.as_slice() {
            let _ = write!(
                s,
                "<section><h2>Who tracks whom</h2><div class=\"card verdict\"><p><b>{}</b></p>",
                escaped(&capital(first))
            );
            for word in rest {
                let _ = write!(s, "<p>{}</p>", escaped(&capital(word)));
            }
            s.push_str("<p class=\"soft\">Compared at all instants that both tables have. A channel agrees while it differs by no more than 1 % of how far it goes; one sample alone, which may have fallen between the same blow in both runs, does not count. Forces, accelerations and indentations are not judged: a blow that takes no time has none.</p></div></section>\n");
        }
        if let Some(picture) = picture {
            let _ = writeln!(
                s,
                "<section><h2>Over each other</h2><div class=\"card sheet\"><img alt=\"The channels of all methods over time\" src=\"data:image/svg+xml;base64,{}\"></div></section>",
                base64::text(picture.as_bytes())
            );
        }
        let (head, rows) = self.rows();
        let link = |row: &[String]| {
            let run = self
                .runs
                .iter()
                .find(|r| row.first().is_some_and(|c| c == r.name()))?;
            let folder = run.folder.as_deref()?;
            let there = run.ended.is_ok() && folder.join(REPORT).exists();
            let folder = folder.file_name()?.to_string_lossy().into_owned();
            there.then(|| format!("{folder}/{REPORT}"))
        };
        section(
            &mut s,
            "What each made of it",
            "A method's name leads to its own report.",
            &head,
            &rows,
            &[0, 1, 3],
            &link,
        );
        let head = [
            "impact",
            "method",
            "contact",
            "at",
            "approach",
            "parting",
            "e asked",
            "e got",
            "impulse",
            "peak force",
            "energy lost",
        ];
        let none = |_: &[String]| None;
        section(
            &mut s,
            "The first impacts",
            "In the order of each run. What is got is the ratio of speeds (Newton's). A blow at an instant has an impulse and no force; with compliance the impulse is that of the whole contact, with whatever else pressed the surfaces while it lasted.",
            &head,
            &self.impacts(),
            &[0, 1, 2],
            &none,
        );
        let head = [
            "channel",
            "method",
            "root mean square",
            "of its range",
            "largest",
            "of its range",
            "at",
            "agrees to 1 % until",
        ];
        let reference = self.reference.map_or("", |i| self.name(i));
        section(
            &mut s,
            "Channel by channel",
            &format!("Distances from {reference}."),
            &head,
            &self.channels(),
            &[0, 1],
            &none,
        );
        let _ = write!(
            s,
            "</main>\n<footer class=\"box\">Written by Carom {}: <code>carom run {} --contact-method {} --out DIR</code>. This file holds everything it shows; it needs no network.</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
            escaped(&self.model),
            names.join(",")
        );
        s
    }

    /// What did not run to its end, and what is grave, stands at the top.
    fn notices(&self, s: &mut String) {
        let mut found: Vec<(String, String)> = Vec::new();
        for run in &self.runs {
            let name = run.name();
            match run.status() {
                "completed" => {}
                "refused" => found.push((format!("{name} refuses this model"), run.why())),
                "stopped" => found.push((format!("{name} was stopped"), run.why())),
                _ => {
                    let at = run.number("/time/end").map_or_else(dash, seconds);
                    found.push((format!("{name} failed at {at}"), run.why()));
                }
            }
            let advice = run.summary().map(advice).unwrap_or_default();
            for grave in advice.iter().filter(|one| one["level"] == "grave") {
                let headline = grave["headline"].as_str().unwrap_or_default();
                let more = format!(
                    "Its report says more ({}).",
                    grave["code"].as_str().unwrap_or_default()
                );
                found.push((format!("{name}: {headline}"), more));
            }
        }
        if found.is_empty() {
            return;
        }
        s.push_str("<div id=\"advice\" class=\"box\">");
        for (headline, words) in found {
            let _ = write!(
                s,
                "<div class=\"notice grave\"><span class=\"mark\" aria-hidden=\"true\">✕</span><div><p class=\"headline\">{}</p><p>{}</p></div></div>",
                escaped(&headline),
                escaped(&words)
            );
        }
        s.push_str("</div>\n");
    }
}

/// Nothing yet: the least value above the largest.
const WIDE: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// The least and the largest value of a curve and of what was seen before.
fn spread(ends: [f64; 2], curve: &figure::Curve) -> [f64; 2] {
    let values = curve.points.iter().map(|p| p.1).filter(|y| y.is_finite());
    values.fold(ends, |[low, high], y| [low.min(y), high.max(y)])
}

fn section(
    s: &mut String,
    title: &str,
    hint: &str,
    head: &[&str],
    rows: &[Vec<String>],
    left: &[usize],
    link: &dyn Fn(&[String]) -> Option<String>,
) {
    if rows.is_empty() {
        return;
    }
    let class = |i: usize| {
        if left.contains(&i) {
            ""
        } else {
            " class=\"number\""
        }
    };
    let _ = write!(
        s,
        "<section><h2>{title}</h2><p class=\"hint\">{}</p><div class=\"table-box\"><div class=\"scroller\"><table><thead><tr>",
        escaped(hint)
    );
    for (i, name) in head.iter().enumerate() {
        let _ = write!(s, "<th scope=\"col\"{}>{}</th>", class(i), escaped(name));
    }
    s.push_str("</tr></thead><tbody>\n");
    let mut before = "";
    for row in rows {
        s.push_str("<tr>");
        let group = row.first().map_or("", String::as_str);
        for (i, cell) in row.iter().enumerate() {
            let cell = match (i, link(row)) {
                // The same group is named once.
                (0, _) if group == before => String::new(),
                (0, Some(to)) => format!("<a href=\"{}\">{}</a>", escaped(&to), escaped(cell)),
                _ => escaped(cell),
            };
            let _ = write!(s, "<td{}>{cell}</td>", class(i));
        }
        before = group;
        s.push_str("</tr>\n");
    }
    s.push_str("</tbody></table></div></div></section>\n");
}

fn dash() -> String {
    "–".into()
}

fn told(value: f64, unit: &str, digits: usize) -> String {
    match value.is_finite() {
        true => pretty(value, unit, digits),
        false => dash(),
    }
}

fn seconds(t: f64) -> String {
    told(t, "s", 7)
}

fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    match percent {
        _ if !percent.is_finite() => dash(),
        0.0 => "0 %".into(),
        p if p.abs() < 1e-4 => format!("{p:.1e} %"),
        p => format!("{} %", short(format!("{p:.1e}").parse().unwrap_or(p))),
    }
}
