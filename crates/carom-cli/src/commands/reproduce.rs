//! What does `carom reproduce` do: compute figures of the papers again and check what is said about them?

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use carom::study::reproduce::{Claim, Figure, Reproduction, figure, figures, gallery, reproduce};
use clap::Args;
use serde_json::{Value, json};

use super::{File, note, write_files};
use crate::trouble::Trouble;

/// The page with all figures.
const PAGE: &str = "index.html";

/// The command line.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom reproduce --list\n\nMore:\n  carom reproduce s1-fig5 s0-fig7 --out figures\n  carom reproduce --all --out figures --json\n\n\
                  Open figures/index.html in a browser: every figure with what the paper says about it, and whether that holds.\n\
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
    /// Where to write index.html, and ID.svg, ID.png and ID.csv of every figure; without it only the claims are checked
    #[arg(long, value_name = "DIR", conflicts_with = "list")]
    out: Option<PathBuf>,
    /// Overwrites files that are there already
    #[arg(long, requires = "out")]
    force: bool,
    /// Says nothing on the way
    #[arg(long, conflicts_with = "list")]
    quiet: bool,
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
        let names = chosen.iter().flat_map(|figure| names(figure.id));
        let names: Vec<String> = names.chain([PAGE.into()]).collect();
        super::may_write(folder, names.iter().map(String::as_str), arguments.force)?;
    }
    let begun = Instant::now();
    let (count, finished) = (chosen.len(), AtomicUsize::new(0));
    let all = reproduce(&chosen, |figure, result| {
        let done = finish(figure, result, arguments);
        let nth = 1 + finished.fetch_add(1, Ordering::Relaxed);
        if !arguments.quiet {
            let seconds = begun.elapsed().as_secs_f64();
            note(&format!("[{nth}/{count}] {} ({seconds:.1} s)", figure.id));
        }
        done
    });
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Ok(one) => done.push(one),
            Err(why) => failed.push(why),
        }
    }
    let text = if arguments.json {
        pretty(&Value::Array(done.iter().map(Done::json).collect()))
    } else {
        done.iter().map(Done::told).collect()
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    if let Some(folder) = arguments.out.as_ref().filter(|_| !done.is_empty()) {
        let figures: Vec<(&'static Figure, &Reproduction)> = done
            .iter()
            .map(|done| (done.figure, &done.result))
            .collect();
        let page = gallery(&figures).map_err(|error| Trouble::Failed(error.to_string()))?;
        write_files(folder, &[File::new(PAGE, page)], arguments.force)?;
        if !arguments.quiet {
            note(&format!("open {}", folder.join(PAGE).display()));
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Trouble::Failed(failed.join("; "))),
    }
}

/// A figure that was computed.
struct Done {
    figure: &'static Figure,
    result: Reproduction,
    files: Vec<PathBuf>,
}

/// Writes what came of a figure; or says why nothing did.
fn finish(
    figure: &'static Figure,
    result: Result<Reproduction, carom::study::reproduce::Trouble>,
    arguments: &Arguments,
) -> Result<Done, String> {
    let named = |why: String| format!("{}: {why}", figure.id);
    let result = result.map_err(|error| named(error.to_string()))?;
    let files = match &arguments.out {
        Some(folder) => write(figure, &result, folder, arguments.force).map_err(named)?,
        None => Vec::new(),
    };
    Ok(Done {
        figure,
        result,
        files,
    })
}

/// The files of a picture.
fn names(stem: &str) -> [String; 3] {
    ["svg", "png", "csv"].map(|ending| format!("{stem}.{ending}"))
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

/// Pictures and numbers; the names of the files.
fn write(
    figure: &Figure,
    result: &Reproduction,
    folder: &Path,
    force: bool,
) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for picture in &result.pictures {
        let [svg, png, csv] = names(&picture.stem(figure.id));
        let failed = |error: &dyn std::fmt::Display| error.to_string();
        files.push(File::new(svg, picture.svg().map_err(|e| failed(&e))?));
        files.push(File::new(png, picture.png().map_err(|e| failed(&e))?));
        files.push(File::new(csv, picture.csv()));
    }
    write_files(folder, &files, force).map_err(|trouble| match trouble {
        Trouble::Input(messages) => messages.join("; "),
        Trouble::Failed(message) => message,
        other => format!("{other:?}"),
    })?;
    Ok(files.iter().map(|file| folder.join(&file.name)).collect())
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

impl Done {
    /// What was found, in words.
    fn told(&self) -> String {
        let Self {
            figure,
            result,
            files,
        } = self;
        let p = &figure.paper;
        let mut text = format!(
            "{}: {} {}, {}: {}\n",
            figure.id, p.authors, p.year, p.equation, figure.shows
        );
        text += &format!("  inputs   {}\n", figure.inputs);
        if !figure.assumed.is_empty() {
            text += &format!("  assumed  {}\n", figure.assumed);
        }
        if !figure.model.is_empty() {
            text += &format!("  model    models/{}\n", figure.model);
        }
        for erratum in figure.errata {
            text += &format!(
                "  erratum  {}, {}: {}\n",
                erratum.number, erratum.place, erratum.words
            );
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

    fn json(&self) -> Value {
        let mut value = described(self.figure);
        value["claims"] = self.result.claims.iter().map(claim_as_json).collect();
        value["files"] = self
            .files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        value
    }
}

fn described(figure: &Figure) -> Value {
    let p = &figure.paper;
    let errata: Vec<Value> = figure
        .errata
        .iter()
        .map(|e| json!({"number": e.number, "place": e.place, "words": e.words}))
        .collect();
    json!({
        "id": figure.id,
        "paper": {"authors": p.authors, "year": p.year, "title": p.title, "journal": p.journal, "figure": p.equation},
        "shows": figure.shows,
        "inputs": figure.inputs,
        "assumed": figure.assumed,
        "model": figure.model,
        "errata": errata,
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
