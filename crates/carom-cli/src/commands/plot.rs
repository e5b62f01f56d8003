//! What does `carom plot` do: draw chosen channels of results, for print or in the terminal?

use std::path::PathBuf;

use carom::report::figure::{self, Asked, Curve, Mark};
use carom::report::plot::{Axis, Chart, Panel, Stack};
use carom::report::terminal::Frame;
use carom::results::trajectory::Column;
use clap::Args;
use serde_json::{Value, json};

use super::results::{Results, ending, free, instant, write};
use super::{note, print, print_json, table};
use crate::trouble::Trouble;

/// Panels and lines of a figure for which nobody named channels, at most.
const MOST: (usize, usize) = (6, 8);
/// Drawings in the terminal at most.
const MOST_DRAWINGS: usize = 8;
/// Loops of one contact at most: more can no longer be told apart.
const MOST_LOOPS: usize = 12;
/// A page of a journal, mm.
const PAGE: f64 = 180.0;

/// The arguments of `carom plot`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom plot turns --channel slider.x --channel slider.vx --out fig.svg\n\nMore:\n  carom plot turns --list\n  carom plot turns --channel slider.vx --against slider.x --out portrait.png --width 90\n  carom plot published exact --channel contact.impact.force --from \"2 ms\" --to \"3 ms\" --out laws.svg\n  carom plot turns --contact 1 --out loop.svg\n\n\
                  A channel is named whole (slider.x), by its beginning (slider means all of slider.…) or with * for any letters (*.x). Several folders are drawn over each other.\n\
                  Without --out the curves are drawn in the terminal.\n\
                  Exit codes: 0 done, 1 the work failed, 2 the input is wrong."
)]
pub struct Arguments {
    /// Folders of results, as `carom run --out DIR` writes them
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,

    /// A channel to draw; may be repeated. All of them unless given
    #[arg(short, long, value_name = "NAME")]
    channel: Vec<String>,

    /// Draws the channels over this one in place of the time
    #[arg(long, value_name = "NAME")]
    against: Option<String>,

    /// Draws force over indentation of a contact: its number, counted from 1 as in contacts.csv, or the name of its element
    #[arg(long, value_name = "N", conflicts_with_all = ["channel", "against", "list"])]
    contact: Option<String>,

    /// From this time on, such as "2 ms"
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,

    /// Up to this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,

    /// Writes the figure to this file: .svg or .png (300 dots an inch)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// What stands above the figure; the title of the model unless given, nothing if empty
    #[arg(long)]
    title: Option<String>,

    /// Width on paper, mm (180 unless given: a whole page; a column has about 90)
    #[arg(long, value_name = "MM", requires = "out", value_parser = width)]
    width: Option<f64>,

    /// Height on paper, mm; as the panels need it unless given
    #[arg(long, value_name = "MM", requires = "out", value_parser = height)]
    height: Option<f64>,

    /// Does not mark where contacts begin
    #[arg(long)]
    no_marks: bool,

    /// Overwrites a file that is there already
    #[arg(long, requires = "out")]
    force: bool,

    /// Names the channels there are, and draws nothing
    #[arg(long, conflicts_with = "out")]
    list: bool,

    /// Prints one JSON value in place of the text: the channels with --list, the curves otherwise
    #[arg(long)]
    json: bool,
}

fn width(text: &str) -> Result<f64, String> {
    millimetres(text, 60.0)
}

fn height(text: &str) -> Result<f64, String> {
    millimetres(text, 30.0)
}

/// A length on paper: a number of millimetres, also with the unit behind.
fn millimetres(text: &str, least: f64) -> Result<f64, String> {
    let number = text.trim().trim_end_matches("mm").trim_end();
    match number.parse::<f64>() {
        Ok(mm) if (least..=1000.0).contains(&mm) => Ok(mm),
        Ok(mm) => Err(format!("{mm} mm, but must be {least} to 1000 mm")),
        Err(_) => Err("must be a number of millimetres".into()),
    }
}

/// Draws channels of results.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let all = Results::open_all(&arguments.folders)?;
    if arguments.list {
        return list(&all, arguments.json);
    }
    let mut wrong = Vec::new();
    let mut kind = "svg";
    if let Some(out) = &arguments.out {
        match ending(out, &["svg", "png"]).and_then(|e| free(out, arguments.force).map(|()| e)) {
            Ok(ending) => kind = ending,
            Err(said) => wrong.push(said),
        }
    }
    let mut time = |option, text: &Option<String>, unless: f64| {
        instant(option, text.as_deref()).map_or_else(
            |said| {
                wrong.push(said);
                unless
            },
            |t| t.unwrap_or(unless),
        )
    };
    let span = (
        time("--from", &arguments.from, f64::NEG_INFINITY),
        time("--to", &arguments.to, f64::INFINITY),
    );
    if span.0 >= span.1 {
        wrong.push(format!(
            "--from = {} s, but must be before --to = {} s",
            span.0, span.1
        ));
    }
    let drawn = match &arguments.contact {
        Some(contact) => loops(&all, contact),
        None => channels(arguments, &all, span),
    };
    let drawn = match drawn {
        Ok(drawn) if wrong.is_empty() => drawn,
        Ok(_) => return Err(Trouble::Input(wrong)),
        Err(Trouble::Input(more)) => {
            wrong.extend(more);
            return Err(Trouble::Input(wrong));
        }
        Err(trouble) => return Err(trouble),
    };
    let Some(out) = &arguments.out else {
        if arguments.json {
            return print_json(&drawn.json());
        }
        return print(&drawn.drawings());
    };
    let title = match (&arguments.title, all.as_slice()) {
        (Some(title), _) => title.clone(),
        (None, [one]) => one.title()?,
        (None, _) => String::new(),
    };
    let chart = drawn.chart(&title);
    let chart = chart.paper(arguments.width.unwrap_or(PAGE), arguments.height);
    let bytes = match kind {
        "png" => chart.png(),
        _ => chart.svg().map(String::into_bytes),
    };
    let bytes = bytes.map_err(|error| Trouble::Failed(format!("{}: {error}", out.display())))?;
    write(out, &bytes)?;
    if arguments.json {
        return print_json(&drawn.json());
    }
    print(&format!(
        "written to {}: {} curves\n",
        out.display(),
        drawn.curves.len()
    ))
}

/// What is drawn: curves over one axis.
struct Drawn {
    over: Column,
    curves: Vec<Curve>,
    marks: Vec<Mark>,
}

impl Drawn {
    fn chart(&self, title: &str) -> Chart {
        if self.over.name != INDENTATION {
            return figure::chart(title, &self.over, &self.curves, &self.marks);
        }
        let unit = self.curves.first().map_or("N", |c| c.column.unit.as_str());
        let what = if unit == "N" { "force" } else { "moment" };
        let mut panel = Panel::new(Axis::new(what, unit)).height(420.0);
        for curve in &self.curves {
            let points = curve.points.iter().copied();
            panel = panel.line(curve.run.as_str(), points);
        }
        let axis = Axis::new("indentation", self.over.unit.as_str());
        Chart::new(title).stack(Stack::new(axis).panel(panel.covering([0.0])))
    }

    /// The curves in letters.
    fn drawings(&self) -> String {
        let mut text = String::new();
        for curve in self.curves.iter().take(MOST_DRAWINGS) {
            let name = match (curve.run.as_str(), curve.column.name.as_str()) {
                ("", name) | (name, "") => name.to_string(),
                (run, name) => format!("{run}: {name}"),
            };
            let range = |of: fn(&(f64, f64)) -> f64| {
                let finite = curve
                    .points
                    .iter()
                    .filter(|p| p.0.is_finite() && p.1.is_finite());
                let ends = finite.map(of).map(|v| (v, v));
                ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            };
            let (Some(x), Some(y)) = (range(|p| p.0), range(|p| p.1)) else {
                text += &format!("{name}: no number to draw\n\n");
                continue;
            };
            let room = |(low, high): (f64, f64)| match high > low {
                true => (low, high),
                false => (
                    low - 0.5 * low.abs().max(1.0),
                    high + 0.5 * high.abs().max(1.0),
                ),
            };
            let frame = Frame {
                width: 78,
                height: 10,
                x: room(x),
                y: room(y),
                x_label: &self.over.head(),
                y_label: &format!("{name} [{}]", curve.column.unit),
                diagonal: false,
            };
            for line in frame.draw(&curve.points) {
                text += &format!("{line}\n");
            }
            text.push('\n');
        }
        let more = self.curves.len().saturating_sub(MOST_DRAWINGS);
        if more > 0 {
            text += &format!("{more} curves more: --channel chooses, --out draws them all\n");
        }
        text
    }

    fn json(&self) -> Value {
        let curves = self.curves.iter().map(|curve| {
            let of = |k: fn(&(f64, f64)) -> f64| curve.points.iter().map(k).collect::<Vec<f64>>();
            json!({
                "run": curve.run,
                "channel": curve.column.name,
                "unit": curve.column.unit,
                "x": of(|p| p.0),
                "y": of(|p| p.1),
            })
        });
        json!({
            "over": { "channel": self.over.name, "unit": self.over.unit },
            "curves": curves.collect::<Vec<_>>(),
        })
    }
}

/// The channels there are.
fn list(all: &[Results], json: bool) -> Result<(), Trouble> {
    if json {
        let folders = all.iter().map(|results| {
            let channels = results.columns.iter();
            let channels = channels.map(|c| json!({ "name": c.name, "unit": c.unit }));
            json!({ "folder": results.path.display().to_string(), "channels": channels.collect::<Vec<_>>() })
        });
        return print_json(&Value::Array(folders.collect()));
    }
    let mut text = String::new();
    for results in all {
        if all.len() > 1 {
            text += &format!("{}\n", results.path.display());
        }
        let rows = results.columns.iter();
        let rows: Vec<Vec<String>> = rows.map(|c| vec![c.name.clone(), c.unit.clone()]).collect();
        text += &table(&["channel", "unit"], &rows, &[1]);
    }
    print(&text)
}

/// The curves of the channels asked for, of all folders.
fn channels(arguments: &Arguments, all: &[Results], span: (f64, f64)) -> Result<Drawn, Trouble> {
    let every = [String::from("*")];
    let names = match arguments.channel.is_empty() {
        true => &every[..],
        false => &arguments.channel,
    };
    let mut wrong = Vec::new();
    let mut asked = Vec::new();
    let mut over = Column {
        name: "t".into(),
        unit: "s".into(),
    };
    for results in all {
        let mut told = |said: String| {
            let said = match all.len() {
                1 => said,
                _ => format!("{}: {said}", results.path.display()),
            };
            wrong.push(said);
        };
        let columns = figure::pick(names, &results.columns).unwrap_or_else(|missing| {
            missing.iter().for_each(|m| told(m.to_string()));
            Vec::new()
        });
        let mut x = 0;
        if let Some(name) = &arguments.against {
            match figure::pick(std::slice::from_ref(name), &results.columns).as_deref() {
                Ok([one]) => x = *one,
                Ok(many) => {
                    let names = many.iter().filter_map(|i| results.columns.get(*i));
                    let names: Vec<&str> = names.map(|c| c.name.as_str()).collect();
                    told(format!(
                        "--against {name} means several channels: {}. Hint: name one",
                        names.join(", ")
                    ));
                }
                Err(missing) => missing.iter().for_each(|m| told(format!("--against: {m}"))),
            }
            if let Some(column) = results.columns.get(x) {
                over = column.clone();
            }
        }
        asked.push(Asked {
            columns: columns.into_iter().filter(|i| *i != x).collect(),
            over: x,
            span,
        });
    }
    if !wrong.is_empty() {
        wrong.dedup();
        return Err(Trouble::Input(wrong));
    }
    if arguments.channel.is_empty()
        && let ([results], [asked]) = (all, asked.as_mut_slice())
    {
        shortened(results, asked);
    }
    let mut curves = Vec::new();
    for (results, asked) in all.iter().zip(&asked) {
        let run = if all.len() > 1 {
            results.name.as_str()
        } else {
            ""
        };
        let read = figure::curves(run, results.table()?, asked);
        let failed = |error| Trouble::Failed(format!("{}: {error}", results.path.display()));
        curves.extend(read.map_err(failed)?);
    }
    let bare = |c: &Curve| !c.points.iter().any(|p| p.0.is_finite() && p.1.is_finite());
    for curve in curves.iter().filter(|c| bare(c)) {
        note(&format!(
            "warning: `{}` has no number to draw here and is left out",
            curve.column.name
        ));
    }
    curves.retain(|c| !bare(c));
    if curves.is_empty() {
        return Err(Trouble::input(
            "there is nothing to draw: no number between these times. Hint: --list names the channels, summary.json says how far the run went",
        ));
    }
    let marks = match (all, arguments.no_marks) {
        ([one], false) => marks(&one.summary()?),
        _ => Vec::new(),
    };
    Ok(Drawn {
        over,
        curves,
        marks,
    })
}

/// Where nobody chose, not more than can be told apart; what is left out is said.
fn shortened(results: &Results, asked: &mut Asked) {
    let mut units: Vec<(&str, usize)> = Vec::new();
    let before = asked.columns.len();
    asked.columns.retain(|i| {
        let unit = results.columns.get(*i).map_or("", |c| c.unit.as_str());
        let full = units.len() >= MOST.0;
        match units.iter_mut().find(|u| u.0 == unit) {
            Some((_, count)) => {
                *count += 1;
                *count <= MOST.1
            }
            None if !full => {
                units.push((unit, 1));
                true
            }
            None => false,
        }
    });
    let left = before - asked.columns.len();
    if left > 0 {
        note(&format!("{left} channels are left out: --channel chooses"));
    }
}

/// When contacts began, and how hard they were.
fn marks(summary: &Value) -> Vec<Mark> {
    let contacts = summary["contacts"].as_array().into_iter().flatten();
    contacts
        .filter_map(|c| {
            // A blow without compliance has an impulse, and no force.
            let force = c["peak_force"].as_f64().or(c["impulse"].as_f64());
            Some((c["start"].as_f64()?, force.unwrap_or(0.0)))
        })
        .collect()
}

/// What force–indentation loops are drawn over.
const INDENTATION: &str = "indentation";

/// The loops of one contact, or of all of an element.
fn loops(all: &[Results], asked: &str) -> Result<Drawn, Trouble> {
    let mut curves = Vec::new();
    let mut unit = "m";
    for results in all {
        let summary = results.summary()?;
        let empty = Vec::new();
        let contacts = summary["contacts"].as_array().unwrap_or(&empty);
        let kept = carom::report::loops::open(&results.path)
            .map_err(|error| Trouble::input(format!("{}: {error}", results.path.display())))?;
        let name = |i: usize| {
            let contact = contacts.get(i).and_then(|c| c["contact"].as_str());
            contact.unwrap_or_default()
        };
        let chosen: Vec<_> = match asked.parse::<usize>() {
            Ok(number) => {
                if !(1..=contacts.len()).contains(&number) {
                    return Err(Trouble::input(format!(
                        "--contact {number}: {} has {} contacts, counted from 1",
                        results.path.display(),
                        contacts.len()
                    )));
                }
                kept.iter().filter(|l| l.episode + 1 == number).collect()
            }
            Err(_) => {
                let meant = |full: &str| full == asked || full.ends_with(&format!(".{asked}"));
                if !(0..contacts.len()).any(|i| meant(name(i))) {
                    let mut names: Vec<&str> = (0..contacts.len()).map(name).collect();
                    names.sort_unstable();
                    names.dedup();
                    return Err(Trouble::input(format!(
                        "--contact {asked}: nothing of this name touched in {}. Hint: {}",
                        results.path.display(),
                        match names.is_empty() {
                            true => "nothing touched at all".into(),
                            false => format!("these did: {}", names.join(", ")),
                        }
                    )));
                }
                kept.iter()
                    .filter(|l| meant(name(l.episode)))
                    .take(MOST_LOOPS)
                    .collect()
            }
        };
        let method = summary.pointer("/settings/method/contact");
        let method = method.and_then(Value::as_str).unwrap_or("compliant");
        if chosen.is_empty() && method != "compliant" {
            return Err(Trouble::input(format!(
                "--contact {asked}: {} was run with {method} contact, where bodies strike at an instant: there is no force over indentation. Hint: contacts.csv has the impulses, --channel draws the motion",
                results.path.display()
            )));
        }
        if chosen.is_empty() {
            let numbers: Vec<String> = kept.iter().map(|l| (l.episode + 1).to_string()).collect();
            return Err(Trouble::input(format!(
                "--contact {asked}: its course was not kept in {}; a run keeps the first, the hardest and the longest. Hint: these are there: {}",
                results.path.display(),
                match numbers.is_empty() {
                    true => "none".into(),
                    false => numbers.join(", "),
                }
            )));
        }
        for kept in chosen {
            let contact = contacts.get(kept.episode).unwrap_or(&Value::Null);
            // Stops of joints that turn are pressed in by an angle.
            let turns = contact["unit"].as_str() == Some("rad");
            if turns {
                unit = "rad";
            }
            let start = contact["start"].as_f64().unwrap_or(f64::NAN);
            let mut said = format!(
                "{} {} at {}",
                kept.episode + 1,
                name(kept.episode),
                carom::model::units::pretty(start, "s", 5)
            );
            if all.len() > 1 {
                said = format!("{}: {said}", results.name);
            }
            curves.push(Curve {
                run: said,
                column: Column {
                    name: String::new(),
                    unit: if turns { "N m" } else { "N" }.into(),
                },
                points: kept.points.clone(),
            });
        }
    }
    Ok(Drawn {
        over: Column {
            name: INDENTATION.into(),
            unit: unit.into(),
        },
        curves,
        marks: Vec::new(),
    })
}
