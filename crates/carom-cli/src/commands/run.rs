//! What does `carom run` do: run a model, show how far it is, and write down what came of it?

mod contacts;
mod curve;
mod methods;

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom::card::{nearest, rounded};
use carom::mechanics::Pose;
use carom::model::diagnostic::{Diagnostic, listing};
use carom::model::file::{self, Source, Table};
use carom::model::units::pretty;
use carom::model::{Analysis, ContactMethod, Model};
use carom::report::contacts as contacts_picture;
use carom::report::grains as grains_picture;
use carom::report::page;
use carom::report::run as picture;
use carom::results::folder::{Folder, FolderError};
use carom::results::manifest::{self, Manifest, Named, Overrides, sha256};
use carom::results::recording::{Draw, Recorded, Recording};
use carom::results::summary::{self, About};
use carom::system::{
    Frame, Observer, Outcome, Progress, Snapshot, Stability, Status, System, Warning,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::model::{self, Loaded};
use super::{errors_json, note, pairs, print, print_json, table, verify};
use crate::trouble::Trouble;
use curve::Curve;

/// Significant digits in what is printed.
const DIGITS: usize = 7;
/// From one picture of the progress bar to the next.
const REDRAW: Duration = Duration::from_millis(100);
/// Where a model file says how contacts are computed.
const METHOD: &str = "method.contact";
/// The parts of the progress bar.
const PARTS: u64 = 10_000;

/// The arguments of `carom run`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom run pendulum.toml --out swing\n\nMore:\n  carom run pendulum.toml --out high --set parameters.release=\"175 deg\" --set simulation.end=\"5 s\"\n  carom run slider-crank.toml --json\n  carom run pendulum.toml --out swing --verify\n  carom run --repeat swing/manifest.json --out again\n  carom run two-pendulums.toml --contact-method compliant,piecewise --out rods\n\n\
                  `--out DIR` writes trajectory.csv (it grows while the run goes on), trajectory.parquet, trajectory.svg, summary.json, contacts.csv, contacts.svg (where bodies touched), film.json, report.html (the run as one page for the browser) and manifest.json; of groups of grains also grains.csv, grains.svg and, every simulation.snapshot_step, snapshots.csv and snapshots.parquet. Without it nothing is written.\n\
                  Several methods of contact run one after the other into DIR/compliant, DIR/piecewise, …; DIR/methods.html, methods.svg and methods.json set them beside each other: the channels drawn over each other, the impacts, the work, and in words which tracks piecewise and by how much. A method that refuses the model is told, and the others go on.\n\
                  Ctrl-C ends the run after the step it is at and writes what there is; a second one ends it at once.\n\
                  Exit codes: 0 done, 1 the run failed or was stopped, or a repetition differs; 2 the input is wrong, or all methods refuse it."
)]
pub struct Arguments {
    /// The model file
    #[arg(
        value_name = "MODEL",
        required_unless_present = "repeat",
        conflicts_with = "repeat"
    )]
    model: Option<PathBuf>,

    /// Sets a value in place of the one in the file, such as parameters.r="60 mm"; may be repeated
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "repeat")]
    set: Vec<String>,

    /// How contacts are computed, in place of method.contact in the file: compliant (forces by the laws), piecewise (impulses at located instants), time-stepping (impulses over fixed steps); several, with commas between, are set beside each other
    #[arg(
        long,
        value_name = "METHOD",
        value_delimiter = ',',
        value_parser = contact_method,
        conflicts_with = "repeat"
    )]
    contact_method: Vec<ContactMethod>,

    /// Writes the results into this directory; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replaces what an earlier run left in a directory that is not empty; other files in it stay
    #[arg(long, requires = "out")]
    force: bool,

    /// Writes no report, no film and no picture
    #[arg(long, conflicts_with = "repeat")]
    no_report: bool,

    /// Runs what the manifest of an earlier run holds, needs nothing else but --out, and says whether every byte is the same
    #[arg(long, value_name = "MANIFEST", requires = "out")]
    repeat: Option<PathBuf>,

    /// Runs the model again with tighter tolerances and with another method, and says in the report and in the summary how many digits are to be believed
    #[arg(long, conflicts_with = "repeat")]
    verify: bool,

    /// On how many cores grains are moved; unless given all there are, if there are thousands of grains. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Shows no progress and prints no table; warnings and errors are still said
    #[arg(short, long)]
    quiet: bool,

    /// Prints the summary as one JSON value (SI units, full precision) in place of the table
    #[arg(long)]
    json: bool,
}

fn contact_method(text: &str) -> Result<ContactMethod, String> {
    let names = ContactMethod::ALL.map(ContactMethod::name);
    ContactMethod::named(text.trim()).ok_or_else(|| {
        match nearest(text.trim(), names.into_iter()).first() {
            Some(near) => format!(
                "must be one of {}. Hint: nearest is {near}",
                names.join(", ")
            ),
            None => format!("must be one of {}", names.join(", ")),
        }
    })
}

/// Runs a model. With `--json` whatever happens is one JSON value: the summary, or what was wrong.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut said = false;
    let ended = carry_out(arguments, &mut said);
    if let Err(trouble) = &ended
        && arguments.json
        && !said
    {
        print_json(&json!({ "status": "failed", "errors": errors_json(trouble) }))?;
    }
    ended
}

/// Runs a model; `said` is whether the summary went to standard output.
fn carry_out(arguments: &Arguments, said: &mut bool) -> Result<(), Trouble> {
    let mut methods = Vec::new();
    for method in &arguments.contact_method {
        // Twice the same is once.
        if !methods.contains(method) {
            methods.push(*method);
        }
    }
    let mut asked = Asked::new(arguments)?;
    let given = |path: &str| asked.overrides.iter().any(|pair| pair.0 == path);
    if !methods.is_empty() && given(METHOD) {
        return Err(Trouble::input(format!(
            "give --contact-method or --set {METHOD}=…, not both"
        )));
    }
    if let Some(out) = &arguments.out {
        Folder::allows(out, arguments.force).map_err(refused)?;
    }
    match methods.as_slice() {
        [] => {}
        [one] => asked.take(*one),
        several => return methods::run(arguments, &asked, several, said),
    }
    let ran = one(arguments, &asked, arguments.out.as_deref(), &|| {
        stop_on_signals()
    })?;
    if arguments.json {
        *said = true;
        print_json(&ran.summary)?;
    } else if !arguments.quiet {
        print(&ran.told)?;
    }
    if let (Some(repeated), Some(out)) = (&asked.repeated, &arguments.out) {
        return compare(repeated, out, arguments);
    }
    match ran.trouble(arguments.out.as_deref()) {
        None => Ok(()),
        Some(trouble) => Err(Trouble::Failed(trouble)),
    }
}

/// A run that has ended, however it did.
struct Ran {
    summary: Value,
    /// The table for people.
    told: String,
    title: String,
    status: Status,
    /// When it ended, s.
    t: f64,
    reason: Option<String>,
}

impl Ran {
    /// Why it is not complete, if it is not.
    fn trouble(&self, out: Option<&Path>) -> Option<String> {
        let here = match out {
            Some(out) => format!("; what there is was written to {}", out.display()),
            None => String::new(),
        };
        let reason = self.reason.as_deref().unwrap_or("no reason is known");
        match self.status {
            Status::Completed => None,
            Status::Stopped => Some(format!("the run was stopped: {reason}{here}")),
            Status::Failed => Some(format!(
                "the run failed at t = {} s: {reason}{here}",
                rounded(self.t)
            )),
        }
    }
}

/// Runs what is asked for once, and writes it down. `stop` is made when the model is sound: before, Ctrl-C simply ends the program.
fn one(
    arguments: &Arguments,
    asked: &Asked,
    out: Option<&Path>,
    stop: &dyn Fn() -> Arc<AtomicBool>,
) -> Result<Ran, Trouble> {
    let loaded = asked.loaded()?;
    let mut system = loaded.assemble()?;
    let stop = stop();

    let mut noticed = loaded.parsed.warnings.clone();
    let assembled = system.warnings().len();
    noticed.extend(system.warnings().iter().map(|w| loaded.warning(w)));
    tell(&noticed);
    let read = &loaded.parsed.warnings;
    let read: Vec<Warning> = read.iter().map(as_warning).collect();

    let manifest = asked.manifest(&loaded);
    let hash = sha256(manifest.model.text.as_bytes());
    let overrides = manifest.overrides.clone();
    let draws = manifest.report;
    let verifies = manifest.verify;
    let recording = match out {
        Some(out) => {
            let folder = Folder::open(out, arguments.force).map_err(refused)?;
            let recording = Recording::begin(folder, &system, manifest, read.clone());
            Some(recording.map_err(refused)?)
        }
        None => None,
    };
    let looks = !arguments.quiet && !arguments.json && io::stdout().is_terminal();
    let mut watch = Watch {
        recording,
        bar: Bar::new(arguments.quiet),
        stop,
        creeping: Creeping::default(),
        curve: Curve::of(&system, looks),
    };
    // None is as many as there are.
    system.set_threads(usize::from(arguments.threads.unwrap_or(0)));
    let clock = Instant::now();
    let mut outcome = system.run(&mut watch);
    let wall = clock.elapsed().as_secs_f64();
    watch.bar.clear();
    watch.creeping.tell(&mut outcome);
    let verified = match verifies && outcome.status == Status::Completed {
        true => verify::of(&loaded.parsed.model, arguments.quiet, &watch.stop)?,
        false => None,
    };
    if verifies && outcome.status != Status::Completed {
        note("note: nothing is verified (--verify), since the run did not come to its end");
    }
    if let Some(verified) = &verified {
        outcome.warnings.extend(verify::warning(verified));
        if let Some(recording) = &mut watch.recording {
            recording.add("verified", verify::json(verified));
        }
    }

    let late: Vec<Diagnostic> = outcome
        .warnings
        .iter()
        .skip(assembled)
        .map(|w| loaded.warning(w))
        .collect();
    tell(&late);
    let title = title(&loaded);
    let drawn = |path: &Path, rows: u64| draw(&title, path, rows);
    let drawn_contacts = |outcome: &Outcome| draw_contacts(&title, outcome);
    let drawn_grains = |outcome: &Outcome| draw_grains(&title, system.model(), outcome);
    let recorded = match watch.recording {
        Some(recording) => {
            let draw = Draw {
                table: &drawn,
                contacts: &drawn_contacts,
                grains: &drawn_grains,
                page: &page::report,
            };
            recording
                .finish(&system, &outcome, wall, draws.then_some(draw))
                .map_err(refused)?
        }
        None => {
            let about = About {
                hash: &hash,
                overrides: &overrides,
                warnings: &read,
            };
            let mut summary = summary::ended(&system, &about, &outcome, wall);
            if let (Some(all), Some(verified)) = (summary.as_object_mut(), &verified) {
                all.insert("verified".into(), verify::json(verified));
            }
            Recorded {
                summary,
                files: Vec::new(),
            }
        }
    };
    let written = match out {
        Some(out) => format!(
            "written to {}: {}",
            out.display(),
            recorded.files.join(", ")
        ),
        None => "nothing is written; --out DIR writes a report, the table and a summary".into(),
    };
    let told = told(&title, &system, &outcome, wall);
    let curve = watch.curve.map_or_else(String::new, Curve::told);
    let believed = verified.as_ref().map_or_else(String::new, verify::brief);
    Ok(Ran {
        summary: recorded.summary,
        told: format!("{told}{curve}{believed}\n{written}\n"),
        title,
        status: outcome.status,
        t: outcome.t,
        reason: outcome.reason,
    })
}

/// What is to be run: a file, or what a manifest holds.
#[derive(Clone)]
struct Asked {
    source: Source,
    overrides: Vec<(String, String)>,
    /// What a manifest holds in place of the files that the model refers to.
    tables: Vec<Table>,
    report: bool,
    verify: bool,
    repeated: Option<Repeated>,
}

/// A run that is done once more.
#[derive(Clone)]
struct Repeated {
    manifest: Manifest,
    /// Where its files may still be.
    folder: PathBuf,
}

impl Asked {
    fn new(arguments: &Arguments) -> Result<Self, Trouble> {
        match (&arguments.repeat, &arguments.model) {
            (Some(path), _) => Self::again(path, arguments.out.as_deref()),
            (None, Some(path)) => Ok(Self {
                overrides: model::overrides(&arguments.set)?,
                source: model::source(path)?,
                tables: Vec::new(),
                report: !arguments.no_report,
                verify: arguments.verify,
                repeated: None,
            }),
            (None, None) => Err(Trouble::input("name a model file, or --repeat a manifest")),
        }
    }

    /// With this way to compute contacts, as `--set` would say it: the manifest repeats it.
    fn take(&mut self, method: ContactMethod) {
        let pair = (METHOD.to_string(), method.name().to_string());
        self.overrides.push(pair);
    }

    fn again(path: &Path, out: Option<&Path>) -> Result<Self, Trouble> {
        let said = |what: String| Trouble::input(format!("--repeat {}: {what}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| {
            let path = path.join(carom::results::MANIFEST);
            said(match path.exists() {
                true => format!("this is a directory. Hint: --repeat {}", path.display()),
                false => format!(
                    "cannot be read: {error}. Hint: a run with --out DIR writes DIR/manifest.json"
                ),
            })
        })?;
        let manifest = Manifest::parse(&text).map_err(|error| said(error.to_string()))?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let same = |out: &Path| match (out.canonicalize(), folder.canonicalize()) {
            (Ok(out), Ok(folder)) => out == folder,
            _ => false,
        };
        if out.is_some_and(same) {
            return Err(said(
                "--out is the directory of the manifest: the first run would be lost. Hint: another directory".into(),
            ));
        }
        if manifest.version != env!("CARGO_PKG_VERSION") {
            note(&format!(
                "warning: the run was made by version {}, this is version {}: small differences are to be expected",
                manifest.version,
                env!("CARGO_PKG_VERSION")
            ));
        }
        let held = |table: &Named| Table {
            path: table.name.clone().into(),
            text: table.text.clone(),
        };
        let tables = manifest.tables.iter().map(held).collect();
        Ok(Self {
            source: Source {
                name: manifest.model.name.clone(),
                text: manifest.model.text.clone(),
                folder: PathBuf::new(),
            },
            overrides: manifest.overrides.0.clone(),
            tables,
            report: manifest.report,
            verify: manifest.verify,
            repeated: Some(Repeated { manifest, folder }),
        })
    }

    /// Reads the model; tables come from the manifest, if there is one.
    fn loaded(&self) -> Result<Loaded, Trouble> {
        let source = self.source.clone();
        let parsed = file::read_with(&source, &self.overrides, &self.tables);
        match parsed {
            Ok(parsed) => Ok(Loaded { source, parsed }),
            Err(wrong) => Err(Trouble::Model(wrong)),
        }
    }

    /// What the manifest of this run says before it has begun.
    fn manifest(&self, loaded: &Loaded) -> Manifest {
        let name = Path::new(&self.source.name).file_name();
        let tables = loaded.parsed.tables.iter().map(|table| Named {
            name: table.path.display().to_string(),
            text: table.text.clone(),
        });
        Manifest {
            version: env!("CARGO_PKG_VERSION").into(),
            model: Named {
                name: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                text: self.source.text.clone(),
            },
            tables: tables.collect(),
            overrides: Overrides(self.overrides.clone()),
            settings: Default::default(),
            report: self.report,
            verify: self.verify,
            stopped_after: self
                .repeated
                .as_ref()
                .and_then(|r| r.manifest.stopped_after),
            files: Vec::new(),
        }
    }
}

/// Says whether a repetition has the bytes of the first run.
fn compare(repeated: &Repeated, out: &Path, arguments: &Arguments) -> Result<(), Trouble> {
    let found = manifest::compare(&repeated.manifest, &repeated.folder, out);
    let found = found.map_err(|error| Trouble::Failed(format!("cannot compare: {error}")))?;
    match found {
        Some(difference) => Err(Trouble::Failed(format!(
            "the repetition is not the same: {difference}"
        ))),
        None => {
            let same = format!(
                "the same as before, byte for byte: {} files (but for wall_seconds in summary.json)",
                repeated.manifest.files.len()
            );
            match (arguments.json, arguments.quiet) {
                (true, _) => note(&same),
                (_, true) => {}
                _ => print(&format!("{same}\n"))?,
            }
            Ok(())
        }
    }
}

/// The caller's choice of a directory is input; a disk that is full is not.
fn refused(error: FolderError) -> Trouble {
    if error.is_input() {
        Trouble::input(format!("--out: {error}"))
    } else {
        Trouble::Failed(error.to_string())
    }
}

/// Set by the first Ctrl-C, SIGTERM or SIGHUP; the second ends the program.
pub fn stop_on_signals() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            // As a shell tells a program that Ctrl-C ended.
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        note(&format!(
            "warning: Ctrl-C will end the run at once: {error}"
        ));
    }
    stop
}

/// Warnings with their places go to standard error.
pub fn tell(warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        note(&format!("{}\n", listing(warnings)));
    }
}

/// What was noticed in the file, as it stands in the summary.
pub fn as_warning(diagnostic: &Diagnostic) -> Warning {
    let path = diagnostic.path.clone();
    Warning {
        code: "model-file",
        element: (!path.is_empty()).then_some(path),
        time: None,
        message: diagnostic.message.clone(),
        hint: diagnostic.hint.clone(),
    }
}

/// What the model is called: by its title, or by its file.
fn title(loaded: &Loaded) -> String {
    let title = &loaded.parsed.model.title;
    if !title.is_empty() {
        return title.clone();
    }
    let stem = Path::new(&loaded.source.name).file_stem();
    stem.map_or_else(
        || "model".into(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

fn draw(title: &str, path: &Path, rows: u64) -> io::Result<Option<String>> {
    let table = BufReader::new(File::open(path)?);
    match picture::chart(title, table, rows)? {
        Some(chart) => chart.svg().map(Some).map_err(io::Error::other),
        None => Ok(None),
    }
}

fn draw_contacts(title: &str, outcome: &Outcome) -> io::Result<Option<String>> {
    let chart = contacts_picture::chart(title, &outcome.contacts);
    let drawn = chart.map(|chart| chart.svg()).transpose();
    drawn.map_err(io::Error::other)
}

fn draw_grains(title: &str, model: &Model, outcome: &Outcome) -> io::Result<Option<String>> {
    let mut walls = Vec::new();
    for wall in model.of_grains().flat_map(|group| &group.walls) {
        let shapes = match wall.body {
            Some(body) => model.bodies.get(body).map(|entry| &entry.shapes),
            None => Some(&model.ground_shapes),
        };
        let bodies = outcome.positions.as_chunks::<3>().0;
        let pose = match wall.body {
            Some(body) => bodies.get(body).map(|q| Pose::new(*q, [0.0; 3])),
            None => Some(Pose::GROUND),
        };
        if let (Some(entry), Some(pose)) = (shapes.and_then(|s| s.get(wall.shape)), pose) {
            walls.push(grains_picture::Wall {
                shape: &entry.shape,
                pose,
            });
        }
    }
    grains_picture::picture(title, outcome.t, &outcome.groups, &walls).map_err(io::Error::other)
}

/// Hears of the run: writes it down, shows it, and ends it when it is told to.
struct Watch {
    recording: Option<Recording>,
    bar: Bar,
    stop: Arc<AtomicBool>,
    creeping: Creeping,
    curve: Option<Curve>,
}

/// What is said of steps that have become so short, s.
pub fn creeping(step: f64) -> String {
    format!(
        "the steps have become very short ({step:.1e} s): a stiff spring or damper wants integrator = \"auto\" or \"radau\"; a right-hand side that jumps back and forth never ends"
    )
}

/// Whether the steps have become so short that the end is out of sight.
#[derive(Default)]
struct Creeping {
    /// Short steps one after the other, and when the last began to be.
    count: u64,
    step: f64,
    said: Option<(f64, f64)>,
}

impl Creeping {
    /// Of the span of the simulation.
    const SHORT: f64 = 1e-7;
    /// So many short steps are not the start of something.
    const MANY: u64 = 100_000;
    /// Somebody who stops a run does so because it does not get on: fewer say enough then.
    const SOME: u64 = 100;

    fn see(&mut self, progress: &Progress) {
        let span = progress.end - progress.start;
        // Grains go by a fixed step, which somebody chose.
        if progress.crowd.is_some() || !(progress.step < Self::SHORT * span) {
            self.count = 0;
            return;
        }
        self.count += 1;
        self.step = progress.step;
        if self.count == Self::MANY && self.said.is_none() {
            self.said = Some((progress.t, progress.step));
            note(&format!("warning: {}", creeping(progress.step)));
        }
    }

    /// Adds to what is left of a run.
    fn tell(&self, outcome: &mut Outcome) {
        if outcome.status == Status::Stopped && self.count >= Self::SOME {
            let reason = outcome.reason.take().unwrap_or_default();
            outcome.reason = Some(format!("{reason}; {}", creeping(self.step)));
        } else if let Some((t, step)) = self.said {
            outcome.warnings.push(Warning {
                code: "short-steps",
                element: None,
                time: Some(t),
                message: creeping(step),
                hint: String::new(),
            });
        }
    }
}

impl Observer for Watch {
    fn sample(&mut self, t: f64, values: &[f64]) {
        if let Some(curve) = &mut self.curve {
            curve.see(t, values);
        }
        if let Some(recording) = &mut self.recording {
            recording.sample(t, values);
        }
    }

    fn snapshot(&mut self, t: f64, grains: &Snapshot<'_>) {
        if let Some(recording) = &mut self.recording {
            recording.snapshot(t, grains);
        }
    }

    fn watches(&self) -> bool {
        self.recording.as_ref().is_some_and(Recording::watches)
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if let Some(recording) = &mut self.recording {
            recording.frame(frame);
        }
    }

    fn grains(&mut self, t: f64, grains: &Snapshot<'_>) {
        if let Some(recording) = &mut self.recording {
            recording.grains(t, grains);
        }
    }

    fn goes_on(&mut self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if let Some(recording) = &mut self.recording {
            recording.progress(progress)?;
        }
        self.bar.show(progress);
        self.creeping.see(progress);
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// The progress bar; nothing where nobody looks.
struct Bar {
    bar: Option<ProgressBar>,
    began: Instant,
    shown: Instant,
}

impl Bar {
    fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(PARTS), target);
            match ProgressStyle::with_template("[{bar:12}] {wide_msg}") {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        });
        Self {
            bar,
            began: now,
            shown: now,
        }
    }

    fn show(&mut self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        if self.shown.elapsed() < REDRAW {
            return;
        }
        self.shown = Instant::now();
        let span = progress.end - progress.start;
        let part = ((progress.t - progress.start) / span).clamp(0.0, 1.0);
        // A span of zero gives no number, and no part.
        bar.set_position((part * PARTS as f64) as u64);
        bar.set_message(says(progress, part, self.began.elapsed()));
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Simulated time, steps, events, step size, time left.
fn says(progress: &Progress, part: f64, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() * (1.0 - part) / part;
    let left = match left {
        left if !(left < 360_000.0) => String::new(),
        left if left < 100.0 => format!(", {left:.0} s left"),
        left => format!(", {:.0} min left", left / 60.0),
    };
    if let Some(crowd) = progress.crowd {
        let work = (crowd.grains as f64 * progress.steps as f64).max(1.0);
        let cost = 1e6 * elapsed.as_secs_f64() / work;
        return format!(
            "{} of {}, {} steps of {}, {} contacts, {cost:.3} µs a body-step{left}",
            pretty(progress.t, "s", 4),
            pretty(progress.end, "s", 4),
            progress.steps,
            pretty(progress.step, "s", 2),
            crowd.contacts,
        );
    }
    format!(
        "{} of {}, {} steps of {}, {} events{left}",
        pretty(progress.t, "s", 4),
        pretty(progress.end, "s", 4),
        progress.steps,
        pretty(progress.step, "s", 2),
        progress.events,
    )
}

/// What became of the groups of grains, one line a group.
fn grains_told(outcome: &Outcome) -> String {
    if outcome.groups.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = outcome
        .groups
        .iter()
        .map(|group| {
            vec![
                format!("  {}", group.name),
                group.positions.len().to_string(),
                group.touches.len().to_string(),
                format!("{:.3}", group.coordination()),
                pretty(group.max_overlap, "m", 4),
                pretty(group.max_force, "N", 4),
                pretty(group.kinetic, "J", 4),
                group
                    .settled
                    .map_or_else(|| "no".into(), |t| format!("since {}", pretty(t, "s", 4))),
            ]
        })
        .collect();
    let head = [
        "  group",
        "grains",
        "contacts",
        "a grain",
        "deepest overlap",
        "largest force",
        "kinetic",
        "at rest",
    ];
    format!("\ngrains at the end\n{}", table(&head, &rows, &[]))
}

/// The table at the end.
fn told(title: &str, system: &System, outcome: &Outcome, wall: f64) -> String {
    let model = system.model();
    let asked = &model.simulation;
    let mut text = format!("{title}: {}\n", outcome.status.name());
    let seconds = |t: f64| pretty(t, "s", DIGITS);
    let s = &outcome.statistics;
    let mut rows = vec![("analysis", asked.analysis.name().to_string())];
    if !matches!(asked.analysis, Analysis::Static | Analysis::Modes) {
        let time = format!("{} of {}", seconds(outcome.t), seconds(asked.end));
        rows.push(("time", time));
    }
    let freedom = system.degrees_of_freedom();
    rows.push(("degrees of freedom", freedom.to_string()));
    if model.method.contact != ContactMethod::Compliant {
        rows.push(("contact method", model.method.words()));
    }
    rows.push((
        "steps",
        format!(
            "{} accepted, {} rejected, {} events",
            s.steps_accepted, s.steps_rejected, s.events
        ),
    ));
    rows.push(("evaluations", s.rhs_evaluations.to_string()));
    rows.push(("wall time", pretty(wall, "s", 3)));
    let grains: usize = outcome.groups.iter().map(|g| g.positions.len()).sum();
    if grains > 0 && s.steps_accepted > 0 {
        let cost = 1e6 * wall / (grains as f64 * s.steps_accepted as f64);
        rows.push(("cost", format!("{cost:.3} µs a body-step")));
    }
    if let Some(rest) = &outcome.rest {
        let word = match rest.stability {
            Stability::Held => "held: joints and drivers leave no freedom",
            Stability::Stable => "stable",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
        };
        rows.push(("rest", word.into()));
    }
    text += &pairs(&rows);
    if !outcome.modes.is_empty() {
        text += "\nmodes\n";
        let rows: Vec<Vec<String>> = outcome
            .modes
            .iter()
            .enumerate()
            .map(|(i, mode)| {
                let [re, im] = mode.eigenvalue;
                vec![
                    format!("  {}", i + 1),
                    pretty(mode.frequency, "Hz", DIGITS),
                    pretty(mode.natural_frequency, "Hz", DIGITS),
                    // Rounding below zero is no damping: without a sign.
                    format!("{:.4}", mode.damping_ratio).replace("-0.0000", "0.0000"),
                    format!(
                        "{re:.6e} {} {:.6e} i",
                        if im < 0.0 { "-" } else { "+" },
                        im.abs()
                    ),
                ]
            })
            .collect();
        let head = [
            "  mode",
            "frequency",
            "undamped",
            "damping ratio",
            "eigenvalue [1/s]",
        ];
        text += &table(&head, &rows, &[]);
    }
    text += &contacts::told(&outcome.contacts, model.method.contact);
    text += &grains_told(outcome);
    let l = &outcome.ledger;
    let joules = |e: f64| pretty(e, "J", DIGITS);
    let heat: f64 = l.dissipated.iter().map(|d| d.1).sum();
    let elements: Vec<(String, f64)> = l
        .dissipated
        .iter()
        .filter(|d| d.1 != 0.0)
        .map(|(element, heat)| (format!("  by {element}"), *heat))
        .collect();
    let mut rows = vec![
        ("kinetic", joules(l.kinetic)),
        ("gravitational", joules(l.gravitational)),
        ("elastic", joules(l.elastic)),
        ("work of drivers", joules(l.driver_work)),
        ("work of forces", joules(l.load_work)),
        ("dissipated", joules(heat)),
    ];
    rows.extend(
        elements
            .iter()
            .map(|(name, heat)| (name.as_str(), joules(*heat))),
    );
    rows.push(("residual", joules(l.residual)));
    text += "\nenergy at the end\n";
    text += &pairs(&rows);
    text
}
