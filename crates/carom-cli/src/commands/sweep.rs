//! What does `carom sweep` do: compute a study point by point, on all processors, and go on where it was stopped?

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carom::card::short;
use carom::model::units::pretty;
use carom::study::sweep::{
    self, Beginning, Fitted, Held, RESULTS, RESULTS_CSV, Shard, Store, StoreError, Study, Subject,
    Tally,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::counting::duration;
use super::run::{stop_on_signals, tell};
use super::{errors_json, model, note, pairs, print, print_json, table};
use crate::trouble::Trouble;

/// Significant digits in what is printed.
const DIGITS: usize = 6;
/// From one picture of the progress bar to the next; from one line to the next where nobody looks at a terminal.
const REDRAW: Duration = Duration::from_millis(200);
const LINE: Duration = Duration::from_secs(30);
/// The files that are written when all points are done.
const SUMMARY: &str = "summary.json";
const FITS: &str = "fits.csv";
const PAGE: &str = "index.html";

/// The command line.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom sweep studies/bouncing-ball.toml --out bounces\n\nMore:\n  carom sweep studies/impacts.toml --out impacts --set design.count=1e5 --csv\n  carom sweep study.toml --shard 1/3 --out part1          the same study on three machines …\n  carom sweep --merge part1 part2 part3 --out whole        … and joined\n\n\
                  A study file says what is run (study.model, or [impact]: one free impact), what is varied ([vary.NAME]), how points are spread ([design]: grid, list, random, halton, sobol), what is taken from every run \
                  ([output.NAME]) and what is drawn ([picture.NAME]). The files in studies/ show how.\n\
                  DIR/parts grows while the sweep goes on; the same command again goes on where it was stopped or killed. At the end there are results.parquet, the pictures, summary.json and index.html. \
                  The results are the same bytes whatever the number of threads, parts and interruptions. Points that fail are in the table with their reason.\n\
                  Exit codes: 0 done (also if points failed), 1 the sweep was stopped or could not be written, 2 the input is wrong."
)]
pub struct Arguments {
    /// The study file
    #[arg(
        value_name = "STUDY",
        required_unless_present = "merge",
        conflicts_with = "merge"
    )]
    study: Option<PathBuf>,

    /// Joins what these directories hold of one study
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,

    /// Sets a value in place of the one in the study file, such as vary.speed.count=5; may be repeated
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "merge")]
    set: Vec<String>,

    /// Where the sweep is kept
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Computes one of N disjoint parts, such as 2/8
    #[arg(long, value_name = "I/N", conflicts_with = "merge", value_parser = shard)]
    shard: Option<Shard>,

    /// On how many cores; unless given all there are. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Writes the results as comma-separated values too
    #[arg(long)]
    csv: bool,

    /// Draws no pictures
    #[arg(long)]
    no_pictures: bool,

    /// Throws away what is in the directory of an earlier sweep, and only that, and begins afresh
    #[arg(long)]
    force: bool,

    /// Shows no progress and prints no table
    #[arg(short, long)]
    quiet: bool,

    /// Prints one JSON value (full precision, with units) in place of the table
    #[arg(long)]
    json: bool,
}

/// `2/8`.
fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || "this is not I/N with 1 ≤ I ≤ N, such as 2/8".to_string();
    let (part, of) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
    let (part, of) = (number(part)?, number(of)?);
    match part.checked_sub(1) {
        Some(part) if part < of => Ok(Shard { part, of }),
        _ => Err(wrong()),
    }
}

/// Runs the command. With `--json` whatever happens is one JSON value.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let ended = match arguments.merge.is_empty() {
        true => compute(arguments),
        false => merge(arguments),
    };
    if let Err(trouble) = &ended
        && arguments.json
    {
        print_json(&json!({ "status": "failed", "errors": errors_json(trouble) }))?;
    }
    ended
}

fn refused(error: StoreError) -> Trouble {
    match error {
        StoreError::Study(wrong) => Trouble::Model(wrong),
        error if error.is_input() => Trouble::input(error),
        error => Trouble::Failed(error.to_string()),
    }
}

fn merge(arguments: &Arguments) -> Result<(), Trouble> {
    let begun = Instant::now();
    let (study, store) =
        sweep::merge(&arguments.merge, &arguments.out, arguments.force).map_err(refused)?;
    finish(arguments, &study, &store, 0, begun)
}

fn compute(arguments: &Arguments) -> Result<(), Trouble> {
    let path = arguments.study.as_deref().unwrap_or(Path::new(""));
    let source = model::study(path)?;
    let held = Held::new(source, model::overrides(&arguments.set)?);
    let study = sweep::read(held).map_err(Trouble::Model)?;
    tell(&study.warnings);
    let (store, beginning) =
        Store::open(&arguments.out, &study, arguments.force).map_err(refused)?;
    if let Some(remark) = store.remark() {
        note(&format!("warning: {remark}"));
    }
    let begun = Instant::now();
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let todo = match beginning {
        Beginning::Complete => Vec::new(),
        _ => store.missing(&study, shard),
    };
    let ours = (0..study.blocks()).filter(|block| shard.has(*block));
    let count = |blocks: &mut dyn Iterator<Item = u64>| -> u64 {
        let of = |block: u64| {
            study.block.min(
                study
                    .points()
                    .saturating_sub(block.saturating_mul(study.block)),
            )
        };
        blocks.map(of).sum()
    };
    let (all, left) = (
        count(&mut ours.into_iter()),
        count(&mut todo.iter().copied()),
    );
    if !arguments.quiet {
        note(&match beginning {
            Beginning::Fresh if left == study.points() => plural(left, "point"),
            Beginning::Fresh => format!("{}, {left} of them here", plural(study.points(), "point")),
            Beginning::Resumed => format!("going on: {} of {all} points are there", all - left),
            Beginning::Complete => "all points are there already".into(),
        });
    }
    let stop = stop_on_signals();
    let progress = Progress::new(all, all - left, arguments.quiet);
    let threads = arguments.threads.map(usize::from);
    let done = store.compute(&study, &todo, threads, &stop, &|fine| progress.point(fine));
    progress.clear();
    if !done.map_err(refused)? {
        return Err(Trouble::Failed(format!(
            "the sweep was stopped; what is done is in {}. Hint: the same command goes on from there",
            arguments.out.display()
        )));
    }
    if beginning != Beginning::Complete {
        let missing = match arguments.shard {
            Some(_) => store.missing(&study, Shard::WHOLE).len() as u64,
            None => 0,
        };
        if missing > 0 {
            return partly(arguments, &study, missing, left, begun);
        }
        store
            .join(&study, arguments.shard.is_none())
            .map_err(refused)?;
    }
    finish(arguments, &study, &store, left, begun)?;
    if beginning == Beginning::Complete && arguments.shard.is_none() {
        // Of one that was killed when all was joined.
        store.leave_parts();
    }
    Ok(())
}

/// So many of something.
fn plural(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// A part of a sweep is done, and others are not.
fn partly(
    arguments: &Arguments,
    study: &Study,
    missing: u64,
    computed: u64,
    begun: Instant,
) -> Result<(), Trouble> {
    let blocks = study.blocks();
    if arguments.json {
        return print_json(&json!({
            "status": "partial",
            "points": study.points(),
            "computed": computed,
            "parts": blocks - missing,
            "parts_of": blocks,
            "wall_seconds": begun.elapsed().as_secs_f64(),
        }));
    }
    if arguments.quiet {
        return Ok(());
    }
    print(&format!(
        "{} of {blocks} parts are in {}; when all are there: carom sweep --merge {} … --out DIR\n",
        blocks - missing,
        arguments.out.display(),
        arguments.out.display()
    ))
}

/// Everything is there: tables, fits, pictures, the page.
fn finish(
    arguments: &Arguments,
    study: &Study,
    store: &Store,
    computed: u64,
    begun: Instant,
) -> Result<(), Trouble> {
    let wall = begun.elapsed().as_secs_f64();
    let failed = |error: io::Error| refused(store.unreadable(error));
    let results = store.open_results(study).map_err(refused)?;
    let tally = Tally::of(study, &results).map_err(failed)?;
    let mut files = vec![RESULTS.to_string()];
    if arguments.csv {
        store
            .stream(RESULTS_CSV, |out| sweep::write_csv(study, &results, out))
            .map_err(refused)?;
        files.push(RESULTS_CSV.into());
    }
    let fits = sweep::fitted(study, &results).map_err(failed)?;
    if !fits.is_empty() {
        store
            .put(FITS, Fitted::csv(&fits).as_bytes())
            .map_err(refused)?;
        files.push(FITS.into());
    }
    let mut pictures = Vec::new();
    if !arguments.no_pictures {
        pictures = sweep::draw(study, &results, &fits).map_err(failed)?;
        for drawn in &pictures {
            let Ok((svg, png)) = &drawn.picture else {
                continue;
            };
            for (ending, bytes) in [("svg", svg.as_bytes()), ("png", png.as_slice())] {
                let name = format!("{}.{ending}", drawn.name);
                store.put(&name, bytes).map_err(refused)?;
                files.push(name);
            }
        }
    }
    let summary = summary(study, &tally, &fits);
    store
        .put(SUMMARY, format!("{summary:#}\n").as_bytes())
        .map_err(refused)?;
    files.push(SUMMARY.into());
    if !arguments.no_pictures {
        let page = sweep::page(study, &tally, &pictures, &fits);
        store.put(PAGE, page.as_bytes()).map_err(refused)?;
        files.push(PAGE.into());
    }
    for (none, words) in tally.without_numbers(study) {
        match none {
            true => note(&format!("warning: {words}")),
            false if !arguments.quiet => note(&format!("note: {words}")),
            false => {}
        }
    }
    for fitted in &fits {
        for (words, hint) in fitted.without() {
            let name = &fitted.fit.name;
            note(&format!("warning: fit `{name}`: {words}. Hint: {hint}"));
        }
    }
    for drawn in &pictures {
        if let Err(why) = &drawn.picture {
            note(&format!(
                "warning: the picture `{}` could not be drawn: {why}",
                drawn.name
            ));
        } else if !arguments.quiet {
            if !drawn.left_out.is_empty() {
                note(&format!(
                    "note: the picture `{}` shows {}, evenly chosen; all are in the table. Hint: `at` in [picture.{}] picks others",
                    drawn.name, drawn.left_out, drawn.name
                ));
            }
            if !drawn.moved.is_empty() {
                note(&format!(
                    "note: the picture `{}` is drawn at {}",
                    drawn.name, drawn.moved
                ));
            }
            if !drawn.beyond.is_empty() {
                note(&format!(
                    "note: the picture `{}` is drawn without {}; all are in the table",
                    drawn.name, drawn.beyond
                ));
            }
        }
    }
    if arguments.json {
        let mut value = summary;
        value["computed"] = computed.into();
        value["wall_seconds"] = wall.into();
        value["files"] = files.into();
        return print_json(&value);
    }
    if arguments.quiet {
        return Ok(());
    }
    let mut text = told(study, &tally, &fits, computed, wall);
    text += &format!(
        "\nwritten to {}: {}\n",
        store.dir().display(),
        files.join(", ")
    );
    print(&text)
}

/// What was found, for programs.
fn summary(study: &Study, tally: &Tally, fits: &[Fitted]) -> Value {
    let number = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let outputs = study
        .outputs
        .iter()
        .zip(tally.outputs.iter().zip(&tally.missing))
        .map(|(output, ([low, mean, high, count], missing))| {
            json!({
                "name": output.name,
                "of": output.text,
                "unit": output.unit,
                "numbers": *count as u64,
                "points_without": missing,
                "min": number(*low),
                "mean": number(*mean),
                "max": number(*high),
            })
        });
    let varied = study
        .varied
        .iter()
        .map(|v| json!({ "name": v.name, "path": v.path, "unit": v.unit }));
    let failures = tally.reasons.iter().zip(&tally.examples);
    let failures = failures.map(
        |((reason, count), point)| json!({ "reason": reason, "points": count, "first": point }),
    );
    let warnings = tally.warnings.iter();
    let warnings =
        warnings.map(|(code, points, all)| json!({ "code": code, "points": points, "count": all }));
    json!({
        "status": "completed",
        "title": study.title,
        "version": env!("CARGO_PKG_VERSION"),
        "hash": study.hash(),
        // What the command line put in the place of what stands in the study file.
        "set": study.held.overrides,
        "design": study.design.kind().name(),
        "points": tally.points,
        "failed": tally.failed,
        "varied": varied.collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
        "warnings": warnings.collect::<Vec<_>>(),
        "fits": fits.iter().map(Fitted::json).collect::<Vec<_>>(),
    })
}

/// What was found, for people.
fn told(study: &Study, tally: &Tally, fits: &[Fitted], computed: u64, wall: f64) -> String {
    let title = if study.title.is_empty() {
        "sweep"
    } else {
        &study.title
    };
    let what = match &study.subject {
        Subject::Model(_) => "runs",
        Subject::Impact(_) => "impacts",
    };
    let mut rows: Vec<(&str, String)> = study
        .held
        .overrides
        .iter()
        .map(|(path, value)| ("set", format!("{path} = {value}")))
        .collect();
    rows.extend([
        (
            "design",
            format!(
                "{}, {}",
                study.design.kind().name(),
                plural(tally.points, "point")
            ),
        ),
        ("failed", tally.failed.to_string()),
    ]);
    if computed > 0 && wall > 0.0 {
        let rate = computed as f64 / wall;
        let rate = if rate < 1000.0 {
            format!("{rate:.1}")
        } else {
            format!("{rate:.0}")
        };
        rows.push((
            "computed",
            format!(
                "{computed} {what} in {}: {rate} a second",
                pretty(wall, "s", 4)
            ),
        ));
    }
    let mut text = format!("{title}: completed\n{}", pairs(&rows));
    let with = |x: f64, unit: &str| match unit {
        "" => format!("{:.*e}", DIGITS - 1, x)
            .parse::<f64>()
            .map_or_else(|_| x.to_string(), short),
        unit => pretty(x, unit, DIGITS),
    };
    let rows: Vec<Vec<String>> = study
        .outputs
        .iter()
        .zip(&tally.outputs)
        .map(|(output, [low, mean, high, count])| {
            let unit = output.unit.as_str();
            vec![
                format!("  {}", output.name),
                with(*low, unit),
                with(*mean, unit),
                with(*high, unit),
                format!("{count}"),
            ]
        })
        .collect();
    text += "\n";
    text += &table(
        &["  output", "least", "mean", "largest", "numbers"],
        &rows,
        &[],
    );
    for ((reason, count), point) in tally.reasons.iter().zip(&tally.examples).take(5) {
        text += &format!("\n{count} failed, the first at point {point}: {reason}\n");
    }
    if !tally.warnings.is_empty() {
        text += "\nruns warned (which, stands in the table; `carom run` says more of one)\n";
        let word = |(code, points, all): &(String, u64, u64)| {
            vec![format!("  {code}"), points.to_string(), all.to_string()]
        };
        let rows: Vec<Vec<String>> = tally.warnings.iter().map(word).collect();
        text += &table(&["  warning", "points", "in all"], &rows, &[]);
    }
    for fit in fits {
        text += &format!("\n{}", fit.told());
    }
    text
}

/// How far it is: a bar in a terminal, a line now and then elsewhere.
struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    all: u64,
    there: u64,
    done: AtomicU64,
    failed: AtomicU64,
    begun: Instant,
    shown: Mutex<Instant>,
}

impl Progress {
    fn new(all: u64, there: u64, quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            match ProgressStyle::with_template("[{bar:12}] {wide_msg}") {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        });
        let now = Instant::now();
        Self {
            bar,
            quiet,
            all,
            there,
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            begun: now,
            shown: Mutex::new(now),
        }
    }

    fn point(&self, fine: bool) {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        if !fine {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        // The clock is asked now and then: there may be millions of points a second.
        if self.quiet || (!done.is_multiple_of(64) && self.all > 100_000) {
            return;
        }
        let wait = if self.bar.is_some() { REDRAW } else { LINE };
        // Whoever is too late to show it need not.
        let Ok(mut shown) = self.shown.try_lock() else {
            return;
        };
        if shown.elapsed() < wait {
            return;
        }
        *shown = Instant::now();
        let words = self.says(done);
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.there + done);
                bar.set_message(words);
            }
            None => note(&words),
        }
    }

    fn says(&self, done: u64) -> String {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let left = self.all.saturating_sub(self.there + done) as f64 * elapsed / done as f64;
        let left = duration(left);
        let failed = match self.failed.load(Ordering::Relaxed) {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let rate = done as f64 / elapsed.max(1e-9);
        format!(
            "{} of {} points{failed}, {rate:.1} a second, {left} left",
            self.there + done,
            self.all
        )
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
