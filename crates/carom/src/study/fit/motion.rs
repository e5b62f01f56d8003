//! Which numbers of a model fit a record of its motion, and how surely?
//!
//! The model is run with trial values in place of those of its file, sampled at the instants of the record, and the differences are made least within bounds, as for the laws. Every run is a whole simulation: the best of many
//! points spread evenly over the bounds are the starts. Impacts make the differences rough (one bounce more or less, a moment earlier), so that a search may end beside the best: from how many starts the same answer came is told.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::card::rounded;
use crate::math;
use crate::model::Channel;
use crate::model::diagnostic::Diagnostic;
use crate::model::expression::Expression;
use crate::model::file::{Parsed, Source, Table, read_with};
use crate::model::units::Dimension;
use crate::system::{Observer, Progress, Status, System};

use super::judge::{self, Sought};
use super::least::{self, Bounds, Residuals};
use super::notes::unlike_noise;
use super::record::Record;
use super::{FAIR, Loss, Product, Setup};
use crate::study::many;
use crate::study::sweep::{Varied, express, in_one_line, named, typed};

/// A model, before anything is sought.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The model file.
    pub source: Source,
    /// Values given in place of those of the file, as `--set` takes them.
    pub set: Vec<(String, String)>,
}

/// The name of the number that says where the clock of the model begins on that of the record: what the record shows when it is 0 s in the model.
pub const CLOCK: &str = "start";

/// A number of a model that is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// What is set, as `--set` names it; or [`CLOCK`], in s.
    pub path: String,
    /// SI unit; empty for a pure number and for one that was given without a unit.
    pub unit: String,
    /// The least that it may be.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Free {
    /// Whether its logarithm is sought: bounds that are far apart and above zero, but of no instant, whose zero means nothing.
    fn in_logarithms(&self) -> bool {
        !self.is_clock() && self.low > 0.0 && self.high >= 3.0 * self.low
    }

    fn is_clock(&self) -> bool {
        self.path == CLOCK
    }

    fn value(&self, u: f64) -> f64 {
        if self.in_logarithms() {
            math::exp(u)
        } else {
            self.low + u * (self.high - self.low)
        }
        .max(self.low)
        .min(self.high)
    }

    fn bounds(&self) -> [f64; 2] {
        if self.in_logarithms() {
            [math::ln(self.low), math::ln(self.high)]
        } else {
            [0.0, 1.0]
        }
    }
}

/// A number that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// As `--set` names it.
    pub path: String,
    /// SI unit; may be empty.
    pub unit: String,
    /// The number.
    pub value: f64,
    /// Its 95 % interval; `None` if this record does not tell it.
    pub interval: Option<[f64; 2]>,
    /// Whether it is hardly known: its interval is wider than a factor of seven either way, or than the bounds.
    pub vague: bool,
    /// Whether it sits at an end of its bounds.
    pub at_bound: bool,
    /// Whether starts agree on it: the search came to rest, another start found the same answer, and none that fits as well has another value of it. An interval says nothing of answers elsewhere.
    pub sure: bool,
}

/// How a number is known.
const KNOWN: &str = "known";
const HARDLY: &str = "hardly known";
const UNSURE: &str = "not surely known";
const AT_BOUND: &str = "held at its bound and not known";
const LOST: &str = "not known";

impl Found {
    /// How it is known, in words.
    fn known(&self) -> &'static str {
        match self.interval {
            None => LOST,
            Some(_) if self.at_bound => AT_BOUND,
            Some(_) if self.vague => HARDLY,
            Some(_) if !self.sure => UNSURE,
            Some(_) => KNOWN,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The numbers, in the order in which they were named.
    pub numbers: Vec<Found>,
    /// Their correlations; NaN where one is not known.
    pub correlation: Vec<Vec<f64>>,
    /// What cannot be known from this record, in words.
    pub unknowable: Vec<String>,
    /// What is known of numbers that are not known by themselves.
    pub products: Vec<Product>,
    /// Largest over smallest singular value of the sensitivities, each of length one.
    pub condition: f64,
    /// How many independent combinations are known.
    pub rank: usize,
    /// Measured numbers less what is known.
    pub freedom: usize,
    /// SI unit of every series; may be empty.
    pub units: Vec<String>,
    /// The standard deviation of the noise of every series, in its unit.
    pub noise: Vec<f64>,
    /// The best motion at the instants of the record, series by series.
    pub fitted: Vec<Vec<f64>>,
    /// Measured less fitted, in units of the noise; NaN where nothing was measured.
    pub residuals: Vec<Vec<f64>>,
    /// How much of the variation of every series about its mean the motion explains, 1 at best. Outliers do not count.
    pub explained: Vec<f64>,
    /// The best motion as it was sampled, series by series.
    pub smooth: Vec<Vec<(f64, f64)>>,
    /// From how many starts the same answer was found, and from how many it was sought.
    pub agreeing: [usize; 2],
    /// Whether the search came to rest.
    pub settled: bool,
    /// How often anything touches in the best run.
    pub contacts: usize,
    /// What should be known of all this.
    pub notes: Vec<String>,
    /// Whether it was ended before the search was.
    pub stopped: bool,
}

impl Moved {
    /// Series of which the motion explains less than half, by their channels.
    pub fn missed<'a>(&self, record: &'a Record) -> Vec<&'a str> {
        let pairs = record.series.iter().zip(&self.explained);
        pairs
            .filter(|(_, explained)| !(**explained >= FAIR))
            .map(|(series, _)| series.channel.as_str())
            .collect()
    }

    /// How well the model fits and what of its numbers is known, in sentences.
    pub fn verdict(&self, record: &Record) -> Vec<String> {
        let shares: Vec<String> = record
            .series
            .iter()
            .zip(&self.explained)
            .map(|(series, share)| {
                let percent = (1000.0 * share.clamp(0.0, 1.0)).floor() / 10.0;
                format!("{percent} % of the variation of `{}`", series.channel)
            })
            .collect();
        let missed = self.missed(record);
        let how = match missed.is_empty() {
            true if self.to_noise() => "The model follows the record to its noise",
            true => "The model follows the record, but not to its noise",
            false => "The model does not describe the record",
        };
        let mut said = vec![format!("{how}: it explains {}.", shares.join(", "))];
        let names = |how: &str| -> Vec<String> {
            let all = self.numbers.iter().filter(|one| one.known() == how);
            all.map(|one| format!("`{}`", one.path)).collect()
        };
        let groups: Vec<(&str, Vec<String>)> = [KNOWN, UNSURE, HARDLY, AT_BOUND, LOST]
            .map(|how| (how, names(how)))
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .collect();
        said.push(match groups.as_slice() {
            [(how, names)] => match (names.as_slice(), *how) {
                ([one], how) => format!("{one} is {how} from it."),
                (_, KNOWN) => "All numbers that were sought are known from it.".into(),
                (_, LOST) => "None of the numbers that were sought is known from it alone.".into(),
                (_, how) => format!("All numbers that were sought are {how} from it."),
            },
            several => {
                let parts = several.iter();
                let parts: Vec<String> = parts
                    .map(|(how, names)| format!("{how}: {}", names.join(", ")))
                    .collect();
                format!("Of the numbers that were sought {}.", parts.join("; "))
            }
        });
        if self.numbers.iter().any(|one| one.known() == UNSURE) {
            let [same, all] = self.agreeing;
            said.push(format!(
                "{same} of {all} starts found this answer, and an interval says nothing of others."
            ));
        }
        said
    }

    /// Whether what is left over looks like noise.
    fn to_noise(&self) -> bool {
        let all = self.residuals.iter();
        all.map(|r| known(r)).all(|r| unlike_noise(&r).is_none())
    }
}

/// Those that were measured.
fn known(y: &[f64]) -> Vec<f64> {
    y.iter().copied().filter(|y| y.is_finite()).collect()
}

/// How much of the variation about the mean is explained; outliers, more than four times the noise off, do not count.
fn explained(y: &[f64], fitted: &[f64], residuals: &[f64]) -> f64 {
    let all = y.iter().zip(fitted).zip(residuals);
    let pairs: Vec<(f64, f64)> = all
        .filter(|(_, left)| left.abs() <= 4.0)
        .map(|((y, fitted), _)| (*y, *fitted))
        .collect();
    let mean = pairs.iter().map(|p| p.0).sum::<f64>() / pairs.len().max(1) as f64;
    let left: f64 = pairs.iter().map(|(y, f)| (y - f) * (y - f)).sum();
    let whole: f64 = pairs.iter().map(|(y, _)| (y - mean) * (y - mean)).sum();
    match (left, whole) {
        (0.0, _) => 1.0,
        (left, whole) if whole > 0.0 => 1.0 - left / whole,
        _ => 0.0,
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Misfit {
    /// The model cannot be read with values that are allowed.
    Model(Vec<Diagnostic>),
    /// The record, the model and what is sought do not go together.
    Input(Vec<String>),
    /// It was sought in vain.
    Failed(String),
}

/// Samples in a run, at most.
const MOST_SAMPLES: f64 = 2e5;
/// Points that are looked at before searching, for each number that is sought; and at most.
const LOOKED: usize = 40;
const MOST_LOOKED: usize = 240;
/// A run may take this many times the steps of the first one, and so many more, before it is given up.
const PATIENCE: u64 = 50;
const AT_LEAST: u64 = 20_000;

/// What one run gives.
struct Course {
    /// One list a series.
    sampled: Vec<Vec<f64>>,
    contacts: usize,
    steps: u64,
}

/// Who listens hears how much is done, and may end the search.
struct Work<'a> {
    hear: &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
    done: AtomicUsize,
    of: usize,
    stopped: AtomicBool,
    /// What is known is being told: the few runs that this takes are not ended any more.
    telling: AtomicBool,
}

impl Work<'_> {
    fn one_more(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn going(&self) -> bool {
        if self.telling.load(Ordering::Relaxed) {
            return true;
        }
        if (self.hear)(self.done.load(Ordering::Relaxed), self.of).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.stopped()
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Everything that a run needs.
struct Runs<'a> {
    subject: &'a Subject,
    tables: Vec<Table>,
    varied: Vec<Varied>,
    free: &'a [Free],
    record: &'a Record,
    /// What the record's clock shows when the model's shows 0 s, unless that is sought.
    clock: f64,
    start: f64,
    step: f64,
    end: f64,
    most_steps: u64,
    work: &'a Work<'a>,
}

/// Collects samples.
struct Listener<'a> {
    work: &'a Work<'a>,
    expressions: &'a [Expression],
    variables: Vec<f64>,
    sampled: Vec<Vec<f64>>,
    most_steps: u64,
}

impl Observer for Listener<'_> {
    fn sample(&mut self, t: f64, values: &[f64]) {
        let Some((first, rest)) = self.variables.split_first_mut() else {
            return;
        };
        *first = t;
        for (to, from) in rest.iter_mut().zip(values) {
            *to = *from;
        }
        for (sampled, expression) in self.sampled.iter_mut().zip(self.expressions) {
            sampled.push(expression.value(&self.variables));
        }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        match progress.steps > self.most_steps || !self.work.going() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The series of a record as a model knows them.
#[derive(Default)]
struct Read {
    expressions: Vec<Expression>,
    channels: Vec<Channel>,
    /// What each measures, where that is known.
    dimensions: Vec<Option<Dimension>>,
}

/// Finds the series of a record in a model; all that is wrong with them in words.
fn find(parsed: &Parsed, record: &Record) -> Result<Read, Vec<String>> {
    let all = named(parsed);
    let (mut found, mut said) = (Read::default(), Vec::new());
    for series in &record.series {
        let words = |error: &dyn std::fmt::Display| format!("column `{}`: {error}", series.channel);
        let expression = match express(parsed, &all, &series.channel, &mut found.channels) {
            Ok(expression) => expression,
            Err(errors) => {
                said.extend(errors.iter().map(|error| words(error)));
                continue;
            }
        };
        // A channel by itself has its own unit; of what is computed the column says it, where the expression does not.
        let own = all.iter().find(|known| known.0 == series.channel);
        let own = own.and_then(|known| Dimension::of(known.1.unit(&parsed.model), &[]).ok());
        match (own.or(expression.dimension()), series.dimension) {
            (Some(is), Some(given)) if !is.fits(given) => {
                said.push(words(&format!("it is {is}, but the table has {given}")));
            }
            (is, given) => found.dimensions.push(is.or(given)),
        }
        found.expressions.push(expression);
    }
    match said.is_empty() {
        true => Ok(found),
        false => Err(said),
    }
}

/// The step at which a run is sampled so that every instant of the record is hit, or, if they `shift` against each other, is well between samples.
fn sampling(times: &[f64], start: f64, shift: bool) -> f64 {
    let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let least = gaps.fold(f64::INFINITY, f64::min);
    let (one, last) = match (times.first(), times.last()) {
        (Some(one), Some(last)) => (*one, *last),
        _ => return f64::NAN,
    };
    let even = (last - one) / ((last - one) / least).round().max(1.0);
    let hits = |t: &f64| {
        let steps = (t - start) / even;
        (steps - steps.round()).abs() < 1e-3
    };
    let step = if !shift && times.iter().all(hits) {
        even
    } else {
        0.25 * least
    };
    step.max((last - start) / MOST_SAMPLES)
}

/// The value at a place, counted in samples: a cubic through the four around it.
fn between(samples: &[f64], place: f64) -> f64 {
    let nearest = place.round();
    let at = |i: usize| samples.get(i).copied().unwrap_or(f64::NAN);
    if (place - nearest).abs() < 1e-3 && nearest >= 0.0 {
        return at(nearest as usize);
    }
    if samples.len() < 4 {
        let i = (place.floor().max(0.0) as usize).min(samples.len().saturating_sub(2));
        return at(i) + (at(i + 1) - at(i)) * (place - i as f64);
    }
    let i = (place.floor() - 1.0).max(0.0) as usize;
    let i = i.min(samples.len() - 4);
    let x = place - i as f64;
    let (a, b, c, d) = (x, x - 1.0, x - 2.0, x - 3.0);
    -at(i) * b * c * d / 6.0 + at(i + 1) * a * c * d / 2.0 - at(i + 2) * a * b * d / 2.0
        + at(i + 3) * a * b * c / 6.0
}

impl Runs<'_> {
    /// The model with these values, read.
    fn parsed(&self, u: &[f64]) -> Result<Parsed, Vec<Diagnostic>> {
        let mut overrides = self.subject.set.clone();
        let set = self.varied.iter().zip(self.free).zip(u);
        for ((varied, free), u) in set.filter(|((_, free), _)| !free.is_clock()) {
            overrides.push((varied.path.clone(), typed(varied, None, free.value(*u))));
        }
        overrides.push(("simulation.end".into(), format!("{:?}", self.end)));
        overrides.push(("simulation.output_step".into(), format!("{:?}", self.step)));
        read_with(&self.subject.source, &overrides, &self.tables)
    }

    fn course(&self, u: &[f64]) -> Result<Course, String> {
        let mut parsed = self.parsed(u).map_err(|all| in_one_line(&all))?;
        let read = find(&parsed, self.record).map_err(|all| all.join("; "))?;
        parsed.model.simulation.channels = read.channels;
        let mut system = System::assemble(&parsed.model).map_err(|misfits| {
            let words: Vec<String> = misfits.iter().map(|m| m.message.clone()).collect();
            words.join("; ")
        })?;
        // Other starts are on the other processors.
        system.set_threads(1);
        let mut listener = Listener {
            expressions: &read.expressions,
            variables: vec![0.0; 1 + parsed.model.simulation.channels.len()],
            sampled: vec![Vec::new(); read.expressions.len()],
            most_steps: self.most_steps,
            work: self.work,
        };
        let outcome = system.run(&mut listener);
        match outcome.status {
            Status::Completed => Ok(Course {
                sampled: listener.sampled,
                contacts: outcome.contacts.len(),
                steps: outcome.statistics.steps_accepted,
            }),
            Status::Stopped if self.work.stopped() => Err("it was stopped".into()),
            Status::Stopped => Err("the run takes far too many steps".into()),
            Status::Failed => Err(outcome
                .reason
                .unwrap_or_else(|| "no reason is known".into())),
        }
    }

    /// What the record's clock shows when the model's shows 0 s.
    fn clock(&self, u: &[f64]) -> f64 {
        let mut pairs = self.free.iter().zip(u);
        let sought = pairs.find(|(free, _)| free.is_clock());
        sought.map_or(self.clock, |(free, u)| free.value(*u))
    }

    /// At the instants of the record, series by series.
    fn at_times(&self, course: &Course, u: &[f64]) -> Vec<Vec<f64>> {
        let clock = self.clock(u);
        let place = |t: &f64| (t - clock - self.start) / self.step;
        let one = |samples: &Vec<f64>| {
            let times = self.record.times.iter();
            times.map(|t| between(samples, place(t))).collect()
        };
        course.sampled.iter().map(one).collect()
    }
}

/// The differences, in units of every series' own.
struct Differences<'a> {
    runs: &'a Runs<'a>,
    /// One a series.
    units: Vec<f64>,
}

impl Residuals for Differences<'_> {
    fn count(&self) -> usize {
        self.runs.record.count()
    }

    fn at(&mut self, u: &[f64], r: &mut [f64]) -> bool {
        if !self.runs.work.going() {
            return false;
        }
        let Ok(course) = self.runs.course(u) else {
            return false;
        };
        let fitted = self.runs.at_times(&course, u);
        let mut slots = r.iter_mut();
        for ((series, fitted), unit) in self.runs.record.series.iter().zip(&fitted).zip(&self.units)
        {
            for (y, f) in series.y.iter().zip(fitted) {
                if y.is_nan() {
                    continue;
                }
                let (true, Some(slot)) = (f.is_finite(), slots.next()) else {
                    return false;
                };
                *slot = (f - y) / unit;
            }
        }
        slots.next().is_none()
    }
}

/// Points spread evenly over the box, the middle first (an additive recurrence with the generalised golden ratio).
fn spread(nth: usize, bounds: &Bounds) -> Vec<f64> {
    let d = bounds.low.len() as f64;
    let mut golden = 2.0;
    for _ in 0..60 {
        golden = math::powf(1.0 + golden, 1.0 / (d + 1.0));
    }
    let pairs = bounds.low.iter().zip(&bounds.high).enumerate();
    pairs
        .map(|(j, (low, high))| {
            let along = 0.5 + nth as f64 * math::powf(golden, -(j as f64 + 1.0));
            low + (along - along.floor()) * (high - low)
        })
        .collect()
}

/// Everything that is wrong with what is asked, before anything runs.
fn prepared<'a>(
    subject: &'a Subject,
    record: &'a Record,
    free: &'a [Free],
    clock: f64,
    work: &'a Work<'a>,
) -> Result<Runs<'a>, Misfit> {
    let mut said = Vec::new();
    if free.is_empty() {
        said.push("nothing is sought: name at least one number with its bounds".to_string());
    }
    for (i, one) in free.iter().enumerate() {
        if !(one.low < one.high && (one.high - one.low).is_finite()) {
            said.push(format!(
                "{}: {} to {} are no bounds; the first must be below the second",
                one.path, one.low, one.high
            ));
        }
        if free.iter().take(i).any(|other| other.path == one.path) {
            said.push(format!("`{}` is sought twice", one.path));
        }
        if subject.set.iter().any(|set| set.0 == one.path) {
            said.push(format!("`{}` is both set and sought", one.path));
        }
    }
    if !said.is_empty() {
        return Err(Misfit::Input(said));
    }
    let varied = |one: &Free| Varied {
        name: one.path.clone(),
        path: one.path.clone(),
        unit: one.unit.clone(),
    };
    let mut runs = Runs {
        subject,
        tables: Vec::new(),
        varied: free.iter().map(varied).collect(),
        free,
        record,
        clock,
        start: 0.0,
        step: 1.0,
        end: 1.0,
        most_steps: u64::MAX,
        work,
    };
    // Read at the middle as the file says, to know its start and its tables; then at the ends, which must be allowed too.
    let plain = read_with(&subject.source, &subject.set, &[]).map_err(Misfit::Model)?;
    runs.tables = plain.tables;
    let simulation = &plain.model.simulation;
    runs.start = simulation.start;
    // The least and the most that the record's clock may show when the model's shows 0 s.
    let clocks = free.iter().find(|one| one.is_clock());
    let [early, late] = clocks.map_or([clock; 2], |one| [one.low, one.high]);
    let times: Vec<f64> = record.times.iter().map(|t| t - early).collect();
    runs.step = sampling(&times, simulation.start, clocks.is_some());
    let last = times.last().copied().unwrap_or(simulation.start);
    // A whole number of steps, and one more than the last instant needs.
    let steps = ((last - simulation.start) / runs.step + 1.0 - 1e-6).ceil();
    runs.end = simulation.start + steps.max(1.0) * runs.step;
    if let Some(first) = record.times.first()
        && *first - late < simulation.start
    {
        let on_clock = match late == 0.0 {
            true => String::new(),
            false => format!(" less {late} s for {CLOCK}"),
        };
        said.push(format!(
            "the record begins at {first} s{on_clock}, before the model does: {} s. Hint: leave out rows before that, or say with --{CLOCK} what the record shows when it is 0 s in the model",
            simulation.start
        ));
    }
    let bounds = all_bounds(free);
    for u in [&spread(0, &bounds), &bounds.low, &bounds.high] {
        let parsed = runs.parsed(u).map_err(Misfit::Model)?;
        if let Err(more) = find(&parsed, record) {
            said.extend(more);
            break;
        }
    }
    match said.is_empty() {
        true => Ok(runs),
        false => Err(Misfit::Input(said)),
    }
}

fn all_bounds(free: &[Free]) -> Bounds {
    Bounds {
        low: free.iter().map(|one| one.bounds()[0]).collect(),
        high: free.iter().map(|one| one.bounds()[1]).collect(),
    }
}

/// Puts a model to a record of its motion, with these numbers free. Of the setup `loss` and `starts` count, and `start`, s: what the record's clock shows when it is 0 s in the model.
pub fn fit_motion(
    subject: &Subject,
    record: &Record,
    free: &[Free],
    setup: &Setup,
) -> Result<Moved, Misfit> {
    let go_on = |_, _| ControlFlow::Continue(());
    fit_motion_with(subject, record, free, setup, &go_on)
}

/// The same; `hear` is told now and then how many points and searches are done, of how many, and says whether to go on: if not, what is known by then is told, or that nothing is.
pub fn fit_motion_with(
    subject: &Subject,
    record: &Record,
    free: &[Free],
    setup: &Setup,
    hear: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Result<Moved, Misfit> {
    let (n, p) = (record.count(), free.len());
    // Looked at from everywhere, searched roughly from the best of those, and closely from the best of these.
    let wanted = (LOOKED * p).min(MOST_LOOKED).max(setup.starts);
    let work = Work {
        hear,
        done: AtomicUsize::new(0),
        of: wanted + setup.starts.max(1) + 1,
        stopped: AtomicBool::new(false),
        telling: AtomicBool::new(false),
    };
    let mut runs = prepared(subject, record, free, setup.start, &work)?;
    if n <= p + 1 {
        let words = format!("{n} measured numbers for {p} unknowns and the noise");
        return Err(Misfit::Input(vec![words]));
    }
    let bounds = all_bounds(free);
    let size = |y: &[f64]| {
        let known = || y.iter().copied().filter(|y| y.is_finite());
        let largest = known().fold(0.0_f64, |m, y| m.max(y.abs()));
        if largest > 0.0 { largest } else { 1.0 }
    };
    let sizes: Vec<f64> = record.series.iter().map(|s| size(&s.y)).collect();
    if let Ok(course) = runs.course(&spread(0, &bounds)) {
        runs.most_steps = AT_LEAST + PATIENCE * course.steps;
    }
    let runs = &runs;
    let differences = |units: &[f64]| Differences {
        runs,
        units: units.to_vec(),
    };
    let points: Vec<Vec<f64>> = (0..wanted).map(|i| spread(i, &bounds)).collect();
    let look = |u: &Vec<f64>| {
        let mut r = vec![0.0; n];
        let there = differences(&sizes).at(u, &mut r);
        work.one_more();
        // Those that are far off count by how many, not by how far.
        there.then(|| r.iter().map(|r| r.abs().min(1.0)).sum::<f64>())
    };
    let mut looked: Vec<(f64, Vec<f64>)> = many::each(&points, look)
        .into_iter()
        .zip(points.clone())
        .filter_map(|(cost, u)| Some((cost?, u)))
        .collect();
    looked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tried = looked.len();
    looked.truncate(setup.starts.max(1));
    let in_vain = || Misfit::Failed("it was stopped before anything was known".into());
    if work.stopped() {
        return Err(in_vain());
    }
    if looked.is_empty() {
        let why = runs.course(&spread(0, &bounds)).err();
        return Err(Misfit::Failed(format!(
            "no run from any of {wanted} points within the bounds: {}",
            why.unwrap_or_else(|| "its channels are no numbers".into())
        )));
    }
    let mut ends: Vec<least::Found> = many::each(&looked, |(_, u)| {
        let end = least::search(
            &mut differences(&sizes),
            &bounds,
            u,
            f64::INFINITY,
            (30, least::CLOSE),
        );
        work.one_more();
        end
    })
    .into_iter()
    .flatten()
    .collect();
    ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let Some(best) = ends.first() else {
        return Err(match work.stopped() {
            true => in_vain(),
            false => Misfit::Failed("no search came to an end".into()),
        });
    };
    let agree = |f: &&least::Found| f.cost <= best.cost * 1.001 + 1e-18 * n as f64;
    let agreeing = [ends.iter().filter(agree).count(), looked.len()];
    // Those that are no less likely than what an interval of 95 % holds: chi square of one degree.
    let as_well = |f: &&least::Found| n as f64 * math::ln(f.cost / best.cost) < 3.84;
    let rivals: Vec<Vec<f64>> = ends.iter().filter(as_well).map(|f| f.u.clone()).collect();
    // Series of different noise are weighed by it.
    let mut units = sizes.clone();
    let mut found = best.clone();
    if record.series.len() > 1 && !work.stopped() {
        let mut left = found.r.iter();
        for (series, unit) in record.series.iter().zip(&mut units) {
            let own: Vec<f64> = series
                .y
                .iter()
                .filter(|y| y.is_finite())
                .filter_map(|_| left.next().copied())
                .collect();
            *unit *= least::median_scale(&own).max(1e-9);
        }
        let mut weighed = differences(&units);
        if let Some(end) = least::search(
            &mut weighed,
            &bounds,
            &found.u,
            f64::INFINITY,
            (30, least::CLOSE),
        ) {
            found = end;
        }
    }
    let mut weighed = differences(&units);
    let mut scale = f64::INFINITY;
    match setup.loss {
        Loss::Squares => {
            if let Some(end) =
                least::search(&mut weighed, &bounds, &found.u, scale, (60, least::CLOSE))
            {
                found = end;
            }
        }
        Loss::Huber if work.stopped() => scale = least::median_scale(&found.r).max(1e-9),
        Loss::Huber => {
            let columns = least::jacobian(&mut weighed, &bounds, &found);
            let known = columns.map_or(p, |columns| judge::rank(&columns));
            (found, scale) = least::robust(&mut weighed, &bounds, found, known, 1e-9, 60);
        }
    }
    work.telling.store(true, Ordering::Relaxed);
    let stopped = work.stopped();
    let Some(columns) = least::jacobian(&mut weighed, &bounds, &found) else {
        return Err(Misfit::Failed(
            "there are no runs beside the best one found. Hint: closer bounds".into(),
        ));
    };
    let variance = least::variance(&found.r, scale, judge::rank(&columns));
    let sought: Vec<Sought<'_>> = free
        .iter()
        .map(|one| Sought {
            name: &one.path,
            log: one.in_logarithms(),
        })
        .collect();
    let judged = judge::judge(&columns, variance, &sought);
    let freedom = n.saturating_sub(judged.rank).max(1);
    let t = judge::student95(freedom);
    let noise = match setup.loss {
        Loss::Squares => math::sqrt(variance),
        Loss::Huber => scale,
    };
    let alone = stopped || !found.settled || agreeing[0] < 2 && agreeing[1] > 1;
    let mut torn = Vec::new();
    let numbers: Vec<Found> = free
        .iter()
        .zip(&found.u)
        .zip(judged.errors.iter().zip(&judged.vague))
        .enumerate()
        .map(|(j, ((one, u), (error, vague)))| {
            let [low, high] = one.bounds();
            // Searches stop a little beside: half an interval more is left to them. What outliers move when they lose their weight moves from all starts alike.
            let from = best.u.get(j).copied().unwrap_or(*u);
            let far = |other: &&f64| error.is_some_and(|e| (**other - from).abs() > 1.5 * t * e);
            let elsewhere = rivals.iter().filter_map(|rival| rival.get(j)).find(far);
            torn.extend(elsewhere.map(|other| (one.path.clone(), one.value(*other))));
            let near = 1e-6 * (high - low).min(1.0);
            Found {
                path: one.path.clone(),
                unit: one.unit.clone(),
                value: one.value(*u),
                interval: error.map(|error| [one.value(u - t * error), one.value(u + t * error)]),
                vague: *vague || error.is_some_and(|error| 2.0 * t * error > high - low),
                at_bound: u - low < near || high - u < near,
                sure: !alone && elsewhere.is_none(),
            }
        })
        .collect();
    let number = |j: usize| {
        let one = numbers.get(j)?;
        // One that was given without a unit may have any.
        let unit = Dimension::of(&one.unit, &[])
            .ok()
            .filter(|_| !one.unit.is_empty());
        Some((one.path.as_str(), one.value, unit))
    };
    let products = Product::all(&judged.powers, t, number);
    let mut unknowable: Vec<String> = products.iter().map(Product::words).collect();
    unknowable.extend(judged.words);
    let course = runs.course(&found.u).map_err(Misfit::Failed)?;
    let fitted = runs.at_times(&course, &found.u);
    let residuals: Vec<Vec<f64>> = record
        .series
        .iter()
        .zip(&fitted)
        .zip(&units)
        .map(|((series, fitted), unit)| {
            let one = if noise > 0.0 { noise * unit } else { *unit };
            let pairs = series.y.iter().zip(fitted);
            pairs.map(|(y, f)| (y - f) / one).collect()
        })
        .collect();
    let explained = record
        .series
        .iter()
        .zip(&fitted)
        .zip(&residuals)
        .map(|((series, fitted), residuals)| explained(&series.y, fitted, residuals))
        .collect();
    let clock = runs.clock(&found.u);
    let time = |k: usize| clock + runs.start + runs.step * k as f64;
    let smooth = course
        .sampled
        .iter()
        .map(|samples| {
            let every = samples.len().div_ceil(4000).max(1);
            let points = samples.iter().enumerate().step_by(every);
            points.map(|(k, y)| (time(k), *y)).collect()
        })
        .collect();
    let mut moved = Moved {
        numbers,
        correlation: judged.correlation,
        unknowable,
        products,
        condition: judged.condition,
        rank: judged.rank,
        freedom,
        units: series_units(runs, &found.u),
        noise: units.iter().map(|unit| noise * unit).collect(),
        fitted,
        residuals,
        explained,
        smooth,
        agreeing,
        settled: found.settled && !stopped,
        contacts: course.contacts,
        notes: Vec::new(),
        stopped,
    };
    moved.notes = notes(&moved, record, [wanted, tried]);
    moved.notes.extend(torn.iter().map(|(path, value)| {
        format!(
            "another start fits as well with `{path}` = {}: closer bounds, or more starts, may tell which it is",
            rounded(*value)
        )
    }));
    Ok(moved)
}

/// SI units of the series.
fn series_units(runs: &Runs<'_>, u: &[f64]) -> Vec<String> {
    let read = runs.parsed(u).ok();
    let read = read.and_then(|parsed| find(&parsed, runs.record).ok());
    let unit = |dimension: &Option<Dimension>| match dimension.map(|d| d.unit()) {
        Some(unit) if unit != "1" => unit,
        _ => String::new(),
    };
    let dimensions = read.unwrap_or_default().dimensions;
    dimensions.iter().map(unit).collect()
}

/// What should be known of the answer.
fn notes(moved: &Moved, record: &Record, [wanted, ran]: [usize; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    if ran < wanted {
        notes.push(format!(
            "{} of {wanted} points within the bounds could not be run: closer bounds may help",
            wanted - ran
        ));
    }
    if moved.contacts > 0 {
        let [same, all] = moved.agreeing;
        notes.push(format!(
            "{} contacts in the best run: impacts make the differences rough, so that a search may end beside the best ({same} of {all} starts agree), and intervals hold only as long as the order of impacts stays",
            moved.contacts
        ));
    }
    let bound: Vec<&str> = moved
        .numbers
        .iter()
        .filter(|one| one.at_bound && one.interval.is_some())
        .map(|one| one.path.as_str())
        .collect();
    if !bound.is_empty() {
        notes.push(format!(
            "at an end of its bounds: {}. Its interval means little; wider bounds may fit better",
            bound.join(", ")
        ));
    }
    for (series, residuals) in record.series.iter().zip(&moved.residuals) {
        let known = known(residuals);
        let off = known.iter().filter(|r| r.abs() > 4.0).count();
        if off > 0 {
            notes.push(format!(
                "{off} of {} numbers of `{}` are more than four times the noise off",
                known.len(),
                series.channel
            ));
        }
        if let Some(unlike) = unlike_noise(&known) {
            notes.push(format!(
                "the residuals of `{}` {unlike}: the model does not follow the record to its noise, so that intervals are too narrow",
                series.channel
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_hit_even_records_and_lie_closer_than_uneven_ones() {
        let even: Vec<f64> = (0..50).map(|i| 0.02 * f64::from(i)).collect();
        assert!((sampling(&even, 0.0, false) - 0.02).abs() < 1e-12);
        // The same record on a clock that began between two of its instants.
        assert!((sampling(&even, 0.013, false) - 0.005).abs() < 1e-12);
        // 0.05 divides all of it; 0.06 does not.
        assert!((sampling(&[0.0, 0.1, 0.25, 0.3], 0.0, false) - 0.05).abs() < 1e-12);
        assert!((sampling(&[0.0, 0.1, 0.24, 0.3], 0.0, false) - 0.015).abs() < 1e-12);
    }

    #[test]
    fn between_samples_a_cubic_is_exact() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x * x;
        let samples: Vec<f64> = (0..9).map(|i| cubic(f64::from(i))).collect();
        for x in [0.0, 0.3, 2.5, 4.0, 7.9] {
            assert!((between(&samples, x) - cubic(x)).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn points_of_a_search_begin_in_the_middle_and_fill_the_box() {
        let bounds = Bounds {
            low: vec![0.0, -1.0],
            high: vec![1.0, 1.0],
        };
        assert_eq!(spread(0, &bounds), [0.5, 0.0]);
        // In each of sixteen parts of the box at least one of forty points.
        let mut seen = [false; 16];
        for i in 0..40 {
            let u = spread(i, &bounds);
            seen[4 * (u[0] * 4.0) as usize + ((u[1] + 1.0) * 2.0) as usize] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
