//! What does `carom reproduce` do: compute figures of the papers again and check what is said about them?

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom::study::reproduce::{Claim, Figure, Reproduction, figure, figures};
use clap::Args;
use serde_json::{Value, json};

use crate::trouble::Trouble;

/// The command line.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom reproduce --list\n\nMore:\n  carom reproduce s1-fig5 s0-fig7 --out figures\n  carom reproduce --all --out figures --json\n\n\
                  A claim that does not hold is a finding, and the exit code stays 0; it is 1 if a figure cannot be computed or written."
)]
pub struct Arguments {
    /// The figures to compute, as --list names them
    #[arg(value_name = "ID", required_unless_present_any = ["all", "list"], conflicts_with_all = ["all", "list"])]
    ids: Vec<String>,
    /// All figures
    #[arg(long, conflicts_with = "list")]
    all: bool,
    /// What figures there are, and what they show
    #[arg(long)]
    list: bool,
    /// Where to write ID.svg, ID.png and ID.csv; without it only the claims are checked
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    out: Option<PathBuf>,
    /// Overwrites files that are there already
    #[arg(long, requires = "out")]
    force: bool,
    /// One JSON value on standard output
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let chosen = chosen(&arguments.ids)?;
    let mut out = io::stdout().lock();
    if arguments.list {
        let text = if arguments.json {
            let all: Vec<Value> = chosen.iter().map(|f| described(f)).collect();
            pretty(&Value::Array(all))
        } else {
            list(&chosen)
        };
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    if let Some(folder) = &arguments.out {
        let names: Vec<String> = chosen
            .iter()
            .flat_map(|figure| {
                ["svg", "png", "csv"].map(|ending| format!("{}.{ending}", figure.id))
            })
            .collect();
        super::may_write(folder, names.iter().map(String::as_str), arguments.force)?;
        fs::create_dir_all(folder).map_err(|error| {
            Trouble::Failed(format!("cannot make {}: {error}", folder.display()))
        })?;
    }
    let mut done = Vec::new();
    for figure in chosen {
        let failed =
            |error: &dyn std::fmt::Display| Trouble::Failed(format!("{}: {error}", figure.id));
        let result = figure.reproduce().map_err(|error| failed(&error))?;
        let files = match &arguments.out {
            Some(folder) => write(figure, &result, folder).map_err(|error| failed(&error))?,
            None => Vec::new(),
        };
        if arguments.json {
            let mut value = described(figure);
            value["claims"] = result.claims.iter().map(claim_as_json).collect();
            value["files"] = files
                .iter()
                .map(|file| file.display().to_string())
                .collect();
            done.push(value);
        } else {
            out.write_all(told(figure, &result, &files).as_bytes())?;
        }
    }
    if arguments.json {
        out.write_all(pretty(&Value::Array(done)).as_bytes())?;
    }
    Ok(out.flush()?)
}

/// The figures of these ids, or all if there is none; every unknown id at once.
fn chosen(ids: &[String]) -> Result<Vec<&'static Figure>, Trouble> {
    if ids.is_empty() {
        return Ok(figures().collect());
    }
    let mut chosen = Vec::new();
    let mut unknown = Vec::new();
    for id in ids {
        match figure(id) {
            Ok(figure) => chosen.push(figure),
            Err(nearest) => {
                let hint = match nearest.first() {
                    Some(_) => format!("nearest: {}", nearest.join(", ")),
                    None => "`carom reproduce --list` names all".into(),
                };
                unknown.push(format!("there is no figure `{id}`; {hint}"));
            }
        }
    }
    if unknown.is_empty() {
        Ok(chosen)
    } else {
        Err(Trouble::Input(unknown))
    }
}

/// Picture and numbers; the names of the files.
fn write(figure: &Figure, result: &Reproduction, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let named = |ending: &str| folder.join(format!("{}.{ending}", figure.id));
    let (svg, png, csv) = (named("svg"), named("png"), named("csv"));
    result
        .chart
        .write_svg(&svg)
        .map_err(|error| error.to_string())?;
    result
        .chart
        .write_png(&png)
        .map_err(|error| error.to_string())?;
    fs::write(&csv, result.chart.csv())
        .map_err(|error| format!("cannot write {}: {error}", csv.display()))?;
    Ok(vec![svg, png, csv])
}

/// One line a figure.
fn list(figures: &[&Figure]) -> String {
    let mut text = String::new();
    let mut paper = "";
    for figure in figures {
        if figure.paper.title != paper {
            paper = figure.paper.title;
            let p = &figure.paper;
            text += &format!(
                "{}{} {}. {}. {}\n",
                if text.is_empty() { "" } else { "\n" },
                p.authors,
                p.year,
                p.title,
                p.journal
            );
        }
        text += &format!(
            "  {:9} {:8} {}\n",
            figure.id, figure.paper.equation, figure.shows
        );
    }
    text
}

/// What was found, in words.
fn told(figure: &Figure, result: &Reproduction, files: &[PathBuf]) -> String {
    let p = &figure.paper;
    let mut text = format!(
        "{}: {} {}, {}: {}\n",
        figure.id, p.authors, p.year, p.equation, figure.shows
    );
    text += &format!("  inputs   {}\n", figure.inputs);
    if !figure.assumed.is_empty() {
        text += &format!("  assumed  {}\n", figure.assumed);
    }
    for claim in &result.claims {
        let verdict = if claim.holds {
            "holds"
        } else {
            "DOES NOT HOLD"
        };
        text += &format!(
            "  - {}: {verdict}\n      judged by {}\n",
            claim.claim, claim.judged_by
        );
        let numbers: Vec<String> = claim.found.iter().map(ToString::to_string).collect();
        if !numbers.is_empty() {
            text += &format!("      {}\n", numbers.join("; "));
        }
    }
    for file in files {
        text += &format!("  wrote {}\n", file.display());
    }
    text.push('\n');
    text
}

fn described(figure: &Figure) -> Value {
    let p = &figure.paper;
    json!({
        "id": figure.id,
        "paper": {"authors": p.authors, "year": p.year, "title": p.title, "journal": p.journal, "figure": p.equation},
        "shows": figure.shows,
        "inputs": figure.inputs,
        "assumed": figure.assumed,
    })
}

fn claim_as_json(claim: &Claim) -> Value {
    let found: Vec<Value> = claim
        .found
        .iter()
        .map(|n| json!({"name": n.name, "value": n.value, "unit": n.unit}))
        .collect();
    json!({"claim": claim.claim, "judged_by": claim.judged_by, "holds": claim.holds, "found": found})
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
