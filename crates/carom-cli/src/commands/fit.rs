//! Which numbers of which laws fit what was measured?

mod motion;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use carom::card::{Parameter, Range, Role, Values};
use carom::contact::Card;
use carom::model::units::{self, Dimension, pretty};
use carom::study::fit::{
    self, Candidate, Data, Estimate, Fit, Kind, Loss, Noise, Outcome, Product, Setup,
};
use carom::study::verify::Step;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::counting::Counting;
use super::inputs::selection;
use super::read::quantity;
use super::run::stop_on_signals;
use super::text::wrap;
use super::{File, Output, pairs, pictures, print, print_json, table};
use crate::trouble::Trouble;

/// Bytes of a table, at most.
const LARGEST: u64 = 50_000_000;

/// The arguments of `carom fit`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom fit studies/ball-bounces.csv --laws flores,kuwabara-kono,thornton\n\nMore:\n  carom fit studies/steel-ball-force.csv --laws hysteresis,hertz-damper --mass \"46 g\" --speed \"0.3 m/s\" --param exponent=1.5\n  carom fit press.csv --laws hertz,liu --free start --json\n  carom fit pairs.csv --laws all --mass 0.05 --out DIR\n  carom fit studies/pendulum-swings.csv --model models/pendulum.toml --free \"parameters.L=0.3..3 m\" --free \"parameters.release=10..120 deg\"\n\nThe table has commas and a first line that names columns and units:\n  time [ms],force [N]                          the force of one impact\n  indentation [um],force [N] (and rate [m/s])  a loop, or a slow test\n  height [m]                                   successive bounces, the drop first\n  time [s]                                     instants at which a bouncing body strikes\n  bounce,height [m]                            the same with their numbers, if some were missed\n  approach speed [m/s],rebound speed [m/s]     pairs\n  time [s],slider.x [mm],contact.stop.force [N]  with --model: any channels of the model, or expressions of them\n\nSought are all parameters that a law must be given, and its exponent; --param fixes one. Intervals are 95 %. Laws within 2 of the best in corrected AIC are not to be told apart, and within more where many curves are tried.\n`--out DIR` writes report.html, fit.json, parameters.csv, and the pictures fit (data, best curves, residuals) and restitution.\nCtrl-C ends it, and what is known by then is told. Exit codes: 0 done (also if some laws could not be fitted), 1 none could or it was stopped, 2 the input is wrong."
)]
pub struct Arguments {
    /// The table of measured points (CSV)
    #[arg(value_name = "DATA")]
    data: PathBuf,

    /// `all`, a family (elastic, linear, hysteresis, hertz-damper, plastic, state-or-volume), ids, or a list of these
    #[arg(short, long, value_name = "LAWS", required_unless_present = "model")]
    laws: Option<String>,

    /// A model whose motion was recorded: the table has `time` and channels of it; --free names what is sought
    #[arg(
        long,
        value_name = "MODEL",
        conflicts_with_all = ["laws", "kind", "mass", "speed", "gravity", "param", "noise"]
    )]
    model: Option<PathBuf>,

    /// With --model: takes the place of what the model says
    #[arg(long, value_name = "PATH=VALUE", requires = "model")]
    set: Vec<String>,

    /// What was measured, where the columns could mean several things
    #[arg(long, value_enum)]
    kind: Option<KindWord>,

    /// Effective mass; sought if it is not given
    #[arg(short = 'm', long, value_name = "M", allow_hyphen_values = true)]
    mass: Option<String>,

    /// Approach speed; sought, where it matters, if it is not given
    #[arg(short = 'v', long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<String>,

    /// Acceleration of free fall between bounces
    #[arg(
        long,
        value_name = "G",
        default_value = "9.81 m/s^2",
        allow_hyphen_values = true
    )]
    gravity: String,

    /// Where touch stands in the table: its instant on the clock of a record of force, or what the indentation shows there; 0 unless given. With --model: what the record's clock shows when it is 0 s in the model
    #[arg(long, value_name = "AT", allow_hyphen_values = true)]
    start: Option<String>,

    /// A parameter (or choice) that is known, for the laws that have it: --param exponent=1.5
    #[arg(
        short = 'p',
        long,
        value_name = "NAME=VALUE",
        allow_hyphen_values = true
    )]
    param: Vec<String>,

    /// A parameter with a default that is to be sought as well; `start` for the instant of touch of a record of force, or for the zero of an indentation; `offset` for what the force shows where nothing touches. With --model: PATH=LOW..HIGH, as in "force.spring.stiffness=100..10000 N/m", or "start=-0.1..0 s"
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    free: Vec<String>,

    /// How noise grows; unless given, relative for heights and speeds if they do not tell otherwise, absolute for forces and instants
    #[arg(long, value_enum)]
    noise: Option<NoiseWord>,

    /// What residuals cost
    #[arg(long, value_enum, default_value = "huber")]
    loss: LossWord,

    /// From how many starts each law is sought, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 8)]
    starts: usize,

    /// Shows no progress
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, ValueEnum)]
enum KindWord {
    /// The force of one impact over time
    TimeForce,
    /// Force over indentation
    ForceIndentation,
    /// Heights of successive bounces
    Heights,
    /// Instants of successive bounces
    Times,
    /// Pairs of approach and rebound speed
    Speeds,
}

#[derive(Clone, Copy, ValueEnum)]
enum NoiseWord {
    /// The same at every point
    Absolute,
    /// In proportion to what is measured
    Relative,
}

#[derive(Clone, Copy, ValueEnum)]
enum LossWord {
    /// Squares that turn into straight lines: robust against outliers
    Huber,
    /// Squares
    Squares,
}

/// Everything that was asked for, read.
struct Asked {
    data: Data,
    laws: Vec<(&'static Card, Values)>,
    setup: Setup,
    title: String,
}

/// Fits and tells.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    // Whoever stops it gets what is known by then, once.
    let mut said = false;
    let done = carry_out(arguments, &mut said);
    if let Err(trouble) = &done
        && arguments.output.json
        && !said
        && !matches!(trouble, Trouble::Output(_))
    {
        print_json(&json!({ "status": "failed", "errors": super::errors_json(trouble) }))?;
    }
    done
}

fn carry_out(arguments: &Arguments, said: &mut bool) -> Result<(), Trouble> {
    if let Some(model) = &arguments.model {
        return motion::run(arguments, model, said);
    }
    let asked = read(arguments)?;
    may_be_written(arguments)?;
    let stop = stop_on_signals();
    let counting = Counting::new("fitting", arguments.quiet, &stop).counting("laws");
    let outcome = fit::fit_with(&asked.data, &asked.laws, &asked.setup, &|done, of| {
        counting.hear(Step::counted(done, of))
    });
    drop(counting);
    if outcome.fits.is_empty() && outcome.stopped {
        let why = "it was stopped before any law was fitted";
        return Err(Trouble::Failed(why.into()));
    }
    if outcome.fits.is_empty() {
        let why = outcome.without.iter().flat_map(|w| w.why.iter().cloned());
        let mut said: Vec<String> = why.collect();
        if outcome.without.iter().all(|w| w.wrong_input) {
            return Err(Trouble::Input(said));
        }
        said.push(format!(
            "none of the {} laws could be fitted",
            outcome.without.len()
        ));
        return Err(Trouble::Failed(said.join("\nerror: ")));
    }
    let mut value = json_of(&asked, &outcome);
    if let (true, Some(all)) = (outcome.stopped, value.as_object_mut()) {
        all.insert("status".into(), "stopped".into());
    }
    let files = || files(&asked, &outcome, &value);
    tell(arguments, said, &value, || text(&asked, &outcome), files)?;
    match outcome.stopped {
        true => Err(Trouble::Failed(
            "it was stopped: what is said rests on the laws that were fitted by then".into(),
        )),
        false => Ok(()),
    }
}

/// Writes the files that were asked for and says what was found: that is not lost where files cannot be written.
fn tell(
    arguments: &Arguments,
    said: &mut bool,
    value: &Value,
    text: impl Fn() -> String,
    files: impl Fn() -> Result<Vec<File>, Trouble>,
) -> Result<(), Trouble> {
    let write = |dir: &PathBuf| {
        let files = files()?;
        super::write_files(dir, &files, arguments.output.force)?;
        Ok(written(dir, &files))
    };
    let wrote = arguments.output.out.as_ref().map(write).transpose();
    let last = wrote.as_ref().ok().and_then(Option::as_deref);
    if arguments.output.json {
        last.iter().for_each(|last| super::note(last));
        *said = true;
        print_json(value)?;
    } else {
        let last = last.map_or_else(String::new, |last| format!("\n{last}\n"));
        print(&format!("{}{last}", text()))?;
    }
    wrote.map(drop)
}

/// Whatever a fit writes, of whichever kind: the files of one must not stand beside those of another.
const FILES: [&str; 10] = [
    "report.html",
    "fit.json",
    "parameters.csv",
    "fitted.csv",
    "fit.svg",
    "fit.png",
    "fit.csv",
    "restitution.svg",
    "restitution.png",
    "restitution.csv",
];

/// Whether the folder that was asked for may be written into.
fn may_be_written(arguments: &Arguments) -> Result<(), Trouble> {
    match &arguments.output.out {
        Some(dir) => super::may_write(dir, FILES, arguments.output.force),
        None => Ok(()),
    }
}

/// What was written into a folder, and what stands there of another fit.
fn written(dir: &Path, files: &[File]) -> String {
    let of_this = |name: &str| files.iter().any(|file| file.name == name);
    let is_old = |name: &&str| !of_this(name) && dir.join(name).exists();
    let old: Vec<&str> = FILES.into_iter().filter(is_old).collect();
    let left = match old.as_slice() {
        [] => String::new(),
        [one] => format!("; {one} there is of an earlier fit and has no part in this"),
        several => format!(
            "; {} there are of an earlier fit and have no part in this",
            several.join(", ")
        ),
    };
    format!("{}{left}", super::written(dir, files))
}

/// Reads options and data; everything that is wrong with the options at once, then all that is wrong with the data.
fn read(arguments: &Arguments) -> Result<Asked, Trouble> {
    let mut said: Vec<String> = Vec::new();
    let mut setup = Setup {
        noise: arguments.noise.map(|noise| match noise {
            NoiseWord::Absolute => Noise::Absolute,
            NoiseWord::Relative => Noise::Relative,
        }),
        loss: match arguments.loss {
            LossWord::Huber => Loss::Huber,
            LossWord::Squares => Loss::Squares,
        },
        starts: arguments.starts,
        free: arguments
            .free
            .iter()
            .map(|f| f.trim().replace('-', "_"))
            .collect(),
        ..Setup::default()
    };
    let acceleration = Dimension::new(1.0, 0.0, -2.0, 0.0);
    let mut number = |text: &str, name: &str, kind: Dimension, range: Range| {
        let value = match quantity(text, kind) {
            Ok(value) if range.contains(value) => return Some(value),
            Ok(value) => format!("{name} = {value} [{}], but must be {range}", kind.unit()),
            Err(e) => format!("--{name}: {e}"),
        };
        said.push(value);
        None
    };
    if let Some(text) = &arguments.mass {
        setup.mass = number(text, "mass", Dimension::MASS, Range::POSITIVE);
    }
    if let Some(text) = &arguments.speed {
        setup.speed = number(text, "speed", Dimension::SPEED, Range::POSITIVE);
    }
    if let Some(g) = number(&arguments.gravity, "gravity", acceleration, Range::POSITIVE) {
        setup.gravity = g;
    }
    if !(1..=1000).contains(&arguments.starts) {
        said.push(format!(
            "starts = {}, but must be 1 to 1000",
            arguments.starts
        ));
    }
    let cards = match selection(arguments.laws.as_deref().unwrap_or_default()) {
        Ok(cards) => cards,
        Err(more) => {
            said.extend(more);
            Vec::new()
        }
    };
    // Where a law is misspelt a parameter may be its: it must be one of any law.
    let asked_for: Vec<&Card> = match cards.is_empty() {
        true => carom::contact::cards().collect(),
        false => cards.clone(),
    };
    let whose = match cards.is_empty() {
        true => "no law",
        false => "none of the laws asked for",
    };
    let takes = |card: &Card, name: &str| {
        name == "separation"
            || card.parameters.iter().any(|p| p.name == name)
            || card.choices.iter().any(|c| c.name == name)
    };
    for name in &setup.free {
        let of_table = ["start", "offset"].contains(&name.as_str());
        if !of_table && !asked_for.iter().any(|c| takes(c, name)) {
            said.push(format!(
                "--free: {whose} has a parameter `{name}`. Hint: `carom laws ID` lists them; `start` is the instant of touch, or the zero of an indentation, `offset` the zero of a force"
            ));
        }
    }
    if setup.frees("start") && arguments.start.is_some() {
        said.push("give --start or --free start, not both".into());
    }
    let mut params: Vec<(String, String)> = Vec::new();
    for text in &arguments.param {
        let Some((name, value)) = text.split_once('=') else {
            said.push(format!(
                "--param: `{text}` must be name=value, such as exponent=1.5"
            ));
            continue;
        };
        let (name, value) = (name.trim().replace('-', "_"), value.trim().to_string());
        if params.iter().any(|p| p.0 == name) {
            said.push(format!("--param: `{name}` is given twice"));
        } else if !asked_for.iter().any(|c| takes(c, &name)) {
            said.push(format!(
                "--param: {whose} has a parameter `{name}`. Hint: `carom laws ID` lists them"
            ));
        } else if setup.free.contains(&name) {
            said.push(format!("give --param {name} or --free {name}, not both"));
        } else {
            params.push((name, value));
        }
    }
    let laws: Vec<(&'static Card, Values)> = cards
        .iter()
        .map(|card| (*card, values(card, &params, &mut said)))
        .collect();
    said.dedup();
    let path = &arguments.data;
    let shown = path.display().to_string();
    let text = table_text(path)
        .map_err(|e| said.push(e))
        .unwrap_or_default();
    if !said.is_empty() {
        return Err(Trouble::Input(said));
    }
    let kind = arguments.kind.map(|kind| match kind {
        KindWord::TimeForce => Kind::TimeForce,
        KindWord::ForceIndentation => Kind::ForceIndentation,
        KindWord::Heights => Kind::Heights,
        KindWord::Times => Kind::Times,
        KindWord::Speeds => Kind::Speeds,
    });
    let data = fit::read(&shown, &text, kind).map_err(Trouble::Model)?;
    setup.start = start(arguments, &setup, data.kind).map_err(|e| Trouble::Input(vec![e]))?;
    if setup.frees("offset") && data.kind.is_restitution() {
        return Err(Trouble::Input(vec![format!(
            "--free offset: data of the kind {} have no offset: no force stands in them. Hint: it is what the force of time-force or force-indentation shows where nothing touches",
            data.kind
        )]));
    }
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    Ok(Asked {
        data,
        laws,
        setup,
        title: name.unwrap_or(shown),
    })
}

/// Where touch stands in the table, SI units: what it measures is known when the table is.
fn start(arguments: &Arguments, setup: &Setup, kind: Kind) -> Result<f64, String> {
    match (kind.start(), &arguments.start) {
        (Some(dimension), Some(text)) => start_of(text, dimension),
        (None, given) if given.is_some() || setup.frees("start") => {
            let option = if given.is_some() {
                "--start"
            } else {
                "--free start"
            };
            let why = match kind {
                Kind::Times => "their first strike is sought as `first_time` anyway",
                Kind::Heights => "their first height is sought as `first_height` anyway",
                _ => "no instant and no indentation stands in them",
            };
            Err(format!(
                "{option}: data of the kind {kind} have no start: {why}. Hint: it is the instant of touch of time-force, or the zero of the indentation of force-indentation"
            ))
        }
        _ => Ok(0.0),
    }
}

/// What was typed behind `--start`, SI units.
fn start_of(text: &str, dimension: Dimension) -> Result<f64, String> {
    match quantity(text, dimension) {
        Ok(value) if Range::ANY.contains(value) => Ok(value),
        Ok(value) => Err(format!(
            "start = {value} [{}], but must be {}",
            dimension.unit(),
            Range::ANY
        )),
        Err(e) => Err(format!("--start: {e}")),
    }
}

/// What stands in a table.
fn table_text(path: &Path) -> Result<String, String> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(format!("{shown} is not a regular file")),
        Ok(about) if about.len() > LARGEST => Err(format!(
            "{shown} has {} bytes, but a table may have {LARGEST} at most. Hint: thin the record",
            about.len()
        )),
        Ok(_) => {
            let bytes = fs::read(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
            super::utf8(bytes).map_err(|line| {
                format!("{shown}: line {line} is not text in UTF-8. Hint: save the table as CSV in UTF-8")
            })
        }
        Err(e) => Err(format!("cannot read {shown}: {e}")),
    }
}

/// What a law is given of the parameters that are known.
fn values(card: &'static Card, params: &[(String, String)], said: &mut Vec<String>) -> Values {
    let mut values = Values::new();
    let mut exponents: Vec<(&str, f64)> = Vec::new();
    let of = |name: &str| card.parameters.iter().find(|p| p.name == name);
    for pure in [true, false] {
        for (name, text) in params {
            let Some(p): Option<&Parameter> = of(name) else {
                let word = name == "separation" || card.choices.iter().any(|c| c.name == name);
                if pure && word {
                    values.set_word(name, text);
                }
                continue;
            };
            if p.unit.is_empty() != pure {
                continue;
            }
            let value = match Dimension::of(p.unit, &exponents) {
                Ok(dimension) => quantity(text, dimension),
                // An exponent in the unit is sought itself.
                Err(_) => units::parse_any(text)
                    .map(|v| v.0)
                    .map_err(|e| e.to_string()),
            };
            match value {
                Ok(value) => {
                    values.set_number(p.name, value);
                    if pure {
                        exponents.push((p.symbol, value));
                    }
                }
                Err(e) => said.push(format!("--param {name}: {}: {e}", card.id)),
            }
        }
        if pure {
            for p in card.parameters.iter().filter(|p| p.role != Role::Exponent) {
                if let carom::card::Need::Default(value) = p.need
                    && p.unit.is_empty()
                    && values.get(p.name).is_none()
                {
                    exponents.push((p.symbol, value));
                }
            }
        }
    }
    values
}

/// A number with its unit and interval.
fn estimate(p: &Estimate) -> [String; 3] {
    shown(p.value, p.interval, p.at_bound, |x, digits| {
        in_si(x, &p.unit, digits)
    })
}

fn in_si(x: f64, unit: &str, digits: usize) -> String {
    // A stiffness with a broken power, or a second a metre, is read best as it is typed.
    if unit.contains('^') || unit.is_empty() || unit.starts_with("s/") {
        let digits = if (1e-3..1e5).contains(&x.abs()) {
            format!("{x:.5}")
        } else {
            format!("{x:.4e}")
        };
        format!("{digits} {unit}").trim().to_string()
    } else {
        match x.abs() < 1e3 || digits <= FEW {
            true => pretty(x, unit, digits),
            // All digits of a clock, up to those that were measured.
            false => {
                let whole = x.abs().log10().floor() as usize + 1;
                format!("{x:.0$} {unit}", digits.saturating_sub(whole))
            }
        }
    }
}

/// Digits of a number that was found, unless its interval is narrower.
const FEW: usize = 5;

/// How many digits show the ends of an interval two digits apart: more than a few of an instant on a clock that began long ago.
fn digits(interval: Option<[f64; 2]>) -> usize {
    let Some([low, high]) = interval else {
        return FEW;
    };
    let needed = (low.abs().max(high.abs()) / (high - low)).log10().ceil() + 2.0;
    match needed > FEW as f64 {
        true => needed.min(17.0) as usize,
        false => FEW,
    }
}

/// A number, its interval and whether it sits at a bound, each number as `show` writes it.
fn shown(
    value: f64,
    interval: Option<[f64; 2]>,
    at_bound: bool,
    show: impl Fn(f64, usize) -> String,
) -> [String; 3] {
    let digits = digits(interval);
    let show = |x: f64| show(x, digits);
    let interval = match interval {
        Some([low, high]) => format!("{} … {}", show(low), show(high)),
        None => "not known from these data".into(),
    };
    let mark = if at_bound { "at its bound" } else { "" };
    [show(value), interval, mark.into()]
}

fn noise_text(asked: &Asked, growth: Noise, fit: &Fit) -> String {
    let one = |noise: f64, unit: &str| match growth {
        Noise::Relative => format!("{:.2} %", 100.0 * noise),
        Noise::Absolute => pretty(noise, unit, 3),
    };
    let kind = asked.data.kind;
    let noise = one(fit.noise, kind.ordinate().1);
    match fit.depth_noise {
        Some(depth) => format!("{noise}, {}", one(depth, kind.abscissa().1)),
        None => noise,
    }
}

/// A number with so many decimals, or a dash where there is none.
fn measured(x: f64, decimals: usize) -> String {
    match x.is_finite() {
        true => format!("{x:.decimals$}"),
        false => "–".into(),
    }
}

/// The ranking as rows.
fn ranking(asked: &Asked, outcome: &Outcome) -> Vec<Vec<String>> {
    let row = |fit: &Fit| {
        let known = fit.parameters.iter().filter(|p| p.interval.is_some());
        let numbers: Vec<String> = known
            .map(|p| format!("{} {}", p.name, estimate(p)[0]))
            .collect();
        vec![
            fit.id.into(),
            measured(fit.delta, 2),
            measured(fit.weight, 3),
            noise_text(asked, outcome.noise, fit),
            fit.rank.to_string(),
            numbers.join(", "),
        ]
    };
    outcome.fits.iter().map(row).collect()
}

/// How far behind the best a curve must be, and why.
fn margin(outcome: &Outcome) -> String {
    let within = outcome.margin();
    match outcome.curves() {
        0..=2 => format!("{within:.0} in corrected AIC"),
        curves => format!(
            "{within:.1} in corrected AIC, as chance may put the best of {curves} curves ahead"
        ),
    }
}

/// What the ranking means, in sentences.
fn verdict(data: &Data, outcome: &Outcome) -> Vec<String> {
    let mut said: Vec<String> = outcome.misfit(data).into_iter().collect();
    let too_few = outcome.too_few(data);
    let alike = outcome.alike();
    let fits = if said.is_empty() {
        "fits best"
    } else {
        "is ranked first"
    };
    match (outcome.fits.as_slice(), alike.as_slice()) {
        ([one], _) => said.push(format!("{} is the only one that was fitted.", one.id)),
        _ if too_few.is_some() => said.extend(too_few),
        (_, []) => {}
        (_, [one]) => said.push(format!(
            "{one} {fits}; all others are behind by more than {}.",
            margin(outcome)
        )),
        (_, several) => said.push(format!(
            "Not to be told apart by these data (within {}): {}.",
            margin(outcome),
            several.join(", ")
        )),
    }
    said.extend(outcome.closeness(data));
    if let Some(best) = outcome.fits.first()
        && !best.same_curve.is_empty()
    {
        said.push(format!(
            "The very same curve as {}, only with other numbers: {}.",
            best.id,
            best.same_curve.join(", ")
        ));
    }
    said
}

fn text(asked: &Asked, outcome: &Outcome) -> String {
    let mut text = format!(
        "{}: {}, {} points\n\n",
        asked.title,
        asked.data.kind,
        asked.data.y.len()
    );
    let mut rows = ranking(asked, outcome);
    let more = rows.len().saturating_sub(20);
    rows.truncate(20);
    let head = ["law", "ΔAICc", "weight", "noise", "known", "numbers"];
    text.push_str(&table(&head, &rows, &[5]));
    if more > 0 {
        text.push_str(&format!("… and {more} more (--json or --out has all)\n"));
    }
    text.push('\n');
    for sentence in verdict(&asked.data, outcome) {
        push_wrapped(&mut text, &sentence);
    }
    // One of each curve, and the law that can be pasted.
    let pasted = outcome.model_file(&asked.data);
    let mut shown: Vec<&Fit> = Vec::new();
    for fit in &outcome.fits {
        let leads = pasted.as_ref().is_some_and(|(law, _)| law.id == fit.id);
        let other = !shown.iter().any(|s| s.same_curve.contains(&fit.id));
        if shown.len() < 3 && other || leads {
            shown.push(fit);
        }
    }
    for fit in shown {
        let how = match fit.candidate {
            Candidate::Curve(curve) => format!(": restitution {}", curve.formula()),
            Candidate::Law(_) => String::new(),
        };
        text.push_str(&format!("\n{}{how}\n", fit.id));
        let lines: Vec<(&str, String)> = fit
            .parameters
            .iter()
            .map(|p| (p.name, line(p.interval.is_some(), estimate(p))))
            .collect();
        text.push_str(&pairs(&lines));
        for line in strong(&names(fit), &fit.correlation)
            .into_iter()
            .chain(fit.unknowable.iter().cloned())
            .chain(doubt(fit.settled, fit.agreeing))
        {
            push_wrapped(&mut text, &format!("  {line}"));
        }
    }
    if let Some((law, table)) = pasted {
        text.push_str(&format!("\n{}\n\n{table}", above(outcome, law)));
    }
    if !outcome.without.is_empty() {
        text.push_str("\nnot fitted:\n");
        for without in &outcome.without {
            push_wrapped(&mut text, &format!("  {}", without.words()));
        }
    }
    if !outcome.notes.is_empty() {
        text.push('\n');
        for note in &outcome.notes {
            push_wrapped(&mut text, &format!("note: {note}"));
        }
    }
    text
}

/// What stands above the table for a model file.
fn above(outcome: &Outcome, law: &Fit) -> String {
    match outcome.is_alike(law) {
        true => format!("For a model file ({})", law.id),
        false => format!(
            "For a model file ({}, which is behind by {:.1} in corrected AIC)",
            law.id, law.delta
        ),
    }
}

/// A number that was found, in one line.
fn line(known: bool, [value, interval, mark]: [String; 3]) -> String {
    match (known, mark.as_str()) {
        (false, _) => interval,
        (_, "") => format!("{value}   95 %: {interval}"),
        _ => format!("{value}   95 %: {interval}   {mark}"),
    }
}

fn push_wrapped(text: &mut String, line: &str) {
    let indent = line.len() - line.trim_start().len();
    for part in wrap(line.trim_start(), 98 - indent) {
        text.push_str(&" ".repeat(indent));
        text.push_str(&part);
        text.push('\n');
    }
}

/// Pairs of parameters that are strongly correlated, in words.
fn strong(names: &[&str], correlation: &[Vec<f64>]) -> Vec<String> {
    let mut said = Vec::new();
    for (i, row) in correlation.iter().enumerate() {
        for (j, r) in row.iter().enumerate().skip(i + 1) {
            if r.abs() > 0.95
                && let (Some(a), Some(b)) = (names.get(i), names.get(j))
            {
                said.push(format!(
                    "{a} and {b} are known mostly together: correlation {r:.4}"
                ));
            }
        }
    }
    said
}

/// Why a better curve may have been missed, if that is so.
fn doubt(settled: bool, [same, all]: [usize; 2]) -> Option<String> {
    let why = match (settled, same < 2 && all > 1) {
        (false, _) => "the search did not come to rest",
        (_, true) => "a better curve may have been missed",
        _ => return None,
    };
    Some(format!(
        "found from {same} of {all} starts: {why}. Hint: --starts {}",
        4 * all
    ))
}

/// The names of what was sought.
fn names(fit: &Fit) -> Vec<&str> {
    fit.parameters.iter().map(|p| p.name).collect()
}

/// A number, or null.
fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

fn finites(all: &[f64]) -> Vec<Value> {
    all.iter().map(|x| finite(*x)).collect()
}

/// Products of powers that alone are known.
fn products_json(products: &[Product]) -> Vec<Value> {
    let one = |product: &Product| {
        let powers: serde_json::Map<String, Value> = product
            .powers
            .iter()
            .map(|(name, power)| (name.clone(), finite(*power)))
            .collect();
        json!({
            "product": product.formula(),
            "powers": powers,
            "unit": product.unit,
            "value": finite(product.value),
            "interval": product.interval.map(finite),
        })
    };
    products.iter().map(one).collect()
}

fn fit_json(outcome: &Outcome, fit: &Fit) -> Value {
    let parameters: Vec<Value> = fit
        .parameters
        .iter()
        .map(|p| {
            json!({
                "name": p.name,
                "unit": p.unit,
                "value": finite(p.value),
                "interval": p.interval.map(|i| i.map(finite)),
                "identified": p.interval.is_some(),
                "at_bound": p.at_bound,
            })
        })
        .collect();
    let matrix: Vec<Vec<Value>> = fit.correlation.iter().map(|row| finites(row)).collect();
    let given: serde_json::Map<String, Value> = fit
        .given
        .numbers()
        .map(|(name, value)| (name.to_string(), finite(value)))
        .collect();
    json!({
        "law": fit.id,
        "kind": match fit.candidate { Candidate::Law(_) => "law", Candidate::Curve(_) => "curve" },
        "given": given,
        "parameters": parameters,
        "correlation": matrix,
        "unidentifiable": fit.unknowable,
        "products": products_json(&fit.products),
        "model_file": fit.model_file(),
        "condition": finite(fit.condition),
        "rank": fit.rank,
        "degrees_of_freedom": fit.freedom,
        "noise": finite(fit.noise),
        "indentation_noise": fit.depth_noise.map(finite),
        "explained": finite(fit.explained),
        "aicc": finite(fit.aicc),
        "delta_aicc": finite(fit.delta),
        "weight": finite(fit.weight),
        "indistinguishable": outcome.is_alike(fit),
        "same_curve": fit.same_curve,
        "outliers": fit.outliers.iter().map(|i| i + 1).collect::<Vec<_>>(),
        "starts": { "agreeing": fit.agreeing[0], "tried": fit.agreeing[1] },
        "settled": fit.settled,
        "fitted": finites(&fit.fitted),
        "residuals": finites(&fit.residuals),
        "restitution": fit.restitution.iter().map(|(v, e)| [finite(*v), finite(*e)]).collect::<Vec<_>>(),
    })
}

fn json_of(asked: &Asked, outcome: &Outcome) -> Value {
    let setup = &asked.setup;
    json!({
        "data": {
            "name": asked.title,
            "kind": asked.data.kind.name(),
            "points": asked.data.y.len(),
            "x": asked.data.x,
            "y": asked.data.y,
        },
        "settings": {
            "mass": setup.mass,
            "speed": setup.speed,
            "gravity": setup.gravity,
            "start": setup.start,
            "noise": match outcome.noise { Noise::Absolute => "absolute", Noise::Relative => "relative" },
            "loss": match setup.loss { Loss::Huber => "huber", Loss::Squares => "squares" },
            "starts": setup.starts,
        },
        "describes": outcome.misfit(&asked.data).is_none(),
        "verdict": verdict(&asked.data, outcome),
        "best": outcome.best(&asked.data).map(|f| f.id),
        "indistinguishable": outcome.alike(),
        "curves": outcome.curves(),
        "margin_aicc": outcome.margin(),
        "fits": outcome.fits.iter().map(|fit| fit_json(outcome, fit)).collect::<Vec<_>>(),
        "without": outcome.without.iter().map(|w| json!({ "law": w.id, "why": w.why })).collect::<Vec<_>>(),
        "notes": outcome.notes,
    })
}

fn files(asked: &Asked, outcome: &Outcome, value: &Value) -> Result<Vec<File>, Trouble> {
    let mut files = Vec::new();
    let mut drawn = Vec::new();
    let title = format!("{}: data and the best laws", asked.title);
    if let Some(chart) = fit::chart(&title, &asked.data, outcome) {
        drawn.extend(chart.svg().ok());
        files.extend(pictures::curves("fit", &chart)?);
    }
    let title = format!("{}: restitution over approach speed", asked.title);
    let gravity = asked.setup.gravity;
    if let Some(chart) = fit::restitution_chart(&title, &asked.data, outcome, gravity) {
        drawn.extend(chart.svg().ok());
        files.extend(pictures::curves("restitution", &chart)?);
    }
    let mut csv = String::from("law,delta_aicc,weight,parameter,unit,value,low,high\n");
    for fit in &outcome.fits {
        for p in &fit.parameters {
            let [low, high] = match p.interval {
                Some(ends) => ends.map(|x| format!("{x:e}")),
                None => [String::new(), String::new()],
            };
            let [delta, weight] = [fit.delta, fit.weight].map(|x| match x.is_finite() {
                true => format!("{x:e}"),
                false => String::new(),
            });
            csv.push_str(&format!(
                "{},{delta},{weight},{},{},{:e},{low},{high}\n",
                fit.id, p.name, p.unit, p.value
            ));
        }
    }
    files.push(File::new("parameters.csv", csv));
    files.push(File::new("fit.json", format!("{value:#}\n")));
    files.insert(
        0,
        File::new("report.html", report::page(asked, outcome, &drawn)),
    );
    Ok(files)
}
