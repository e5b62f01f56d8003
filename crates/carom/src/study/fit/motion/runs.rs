//! Runs of a model with trial values, sampled at the instants of a record.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::model::Channel;
use crate::model::diagnostic::Diagnostic;
use crate::model::expression::Expression;
use crate::model::file::{Parsed, Table, read_with};
use crate::model::units::Dimension;
use crate::system::{Observer, Progress, Status, System};

use super::{CLOCK, Free, Misfit, Subject};
use crate::study::fit::least::{Bounds, Residuals};
use crate::study::fit::record::Record;
use crate::study::sweep::{Varied, express, in_one_line, named, typed};

/// Samples in a run, at most.
const MOST_SAMPLES: f64 = 2e5;

/// A run may take this many times the steps of the first one, and so many more, before it is given up.
pub(super) const PATIENCE: u64 = 50;
pub(super) const AT_LEAST: u64 = 20_000;

/// What one run gives.
pub(super) struct Course {
    /// One list a series.
    pub(super) sampled: Vec<Vec<f64>>,
    pub(super) contacts: usize,
    pub(super) steps: u64,
}

/// Who listens hears how much is done, and may end the search.
pub(super) struct Work<'a> {
    hear: &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
    done: AtomicUsize,
    of: usize,
    stopped: AtomicBool,
    /// What is known is being told: the few runs that this takes are not ended any more.
    telling: AtomicBool,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        of: usize,
        hear: &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
    ) -> Self {
        Self {
            hear,
            done: AtomicUsize::new(0),
            of,
            stopped: AtomicBool::new(false),
            telling: AtomicBool::new(false),
        }
    }

    /// From here on what is known is told, whatever is heard.
    pub(super) fn tell(&self) {
        self.telling.store(true, Ordering::Relaxed);
    }

    pub(super) fn one_more(&self) {
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

    pub(super) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Everything that a run needs.
pub(super) struct Runs<'a> {
    subject: &'a Subject,
    tables: Vec<Table>,
    varied: Vec<Varied>,
    pub(super) free: &'a [Free],
    pub(super) record: &'a Record,
    /// What the record's clock shows when the model's shows 0 s, unless that is sought.
    clock: f64,
    pub(super) start: f64,
    pub(super) step: f64,
    end: f64,
    pub(super) most_steps: u64,
    pub(super) work: &'a Work<'a>,
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

    pub(super) fn course(&self, u: &[f64]) -> Result<Course, String> {
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
    pub(super) fn clock(&self, u: &[f64]) -> f64 {
        let mut pairs = self.free.iter().zip(u);
        let sought = pairs.find(|(free, _)| free.is_clock());
        sought.map_or(self.clock, |(free, u)| free.value(*u))
    }

    /// At the instants of the record, series by series.
    pub(super) fn at_times(&self, course: &Course, u: &[f64]) -> Vec<Vec<f64>> {
        let clock = self.clock(u);
        let place = |t: &f64| (t - clock - self.start) / self.step;
        let one = |samples: &Vec<f64>| {
            let times = self.record.times.iter();
            times.map(|t| between(samples, place(t))).collect()
        };
        course.sampled.iter().map(one).collect()
    }

    /// SI units of the series.
    pub(super) fn series_units(&self, u: &[f64]) -> Vec<String> {
        let read = self.parsed(u).ok();
        let read = read.and_then(|parsed| find(&parsed, self.record).ok());
        let unit = |dimension: &Option<Dimension>| match dimension.map(|d| d.unit()) {
            Some(unit) if unit != "1" => unit,
            _ => String::new(),
        };
        let dimensions = read.unwrap_or_default().dimensions;
        dimensions.iter().map(unit).collect()
    }
}

/// The differences, in units of every series' own.
pub(super) struct Differences<'a> {
    pub(super) runs: &'a Runs<'a>,
    /// One a series.
    pub(super) units: Vec<f64>,
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

/// Everything that is wrong with what is asked, before anything runs.
pub(super) fn prepared<'a>(
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
    for u in [&middle(&bounds), &bounds.low, &bounds.high] {
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

/// The middle of the box.
pub(super) fn middle(bounds: &Bounds) -> Vec<f64> {
    let pairs = bounds.low.iter().zip(&bounds.high);
    pairs.map(|(low, high)| low + 0.5 * (high - low)).collect()
}

/// Within which bounds all is sought, as it is sought.
pub(super) fn all_bounds(free: &[Free]) -> Bounds {
    Bounds {
        low: free.iter().map(|one| one.bounds()[0]).collect(),
        high: free.iter().map(|one| one.bounds()[1]).collect(),
    }
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
}
