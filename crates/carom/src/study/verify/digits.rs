//! On how many digits of a number do all runs agree, and how does it settle as the tolerance is tightened?

use std::f64::consts::TAU;

use crate::math;
use crate::model::{Account, Channel, ContactQuantity, Model};
use crate::system::Ledger;

use super::extremes::Extreme;
use super::horizon::Scales;
use super::runs::{Role, Run, Traced};

/// No number has more digits.
const MOST: u32 = 15;
/// What is less than its error is nothing, if the error is less than this part of what it might have been.
const NOTHING: f64 = 1e-3;
/// What is less than this part of others of its kind wherever one looks may be rounding: it is measured by those.
const ROUNDING: f64 = 1e-9;

/// What is less than this part of what it might have been is not told from rounding.
const DUST: f64 = 64.0 * f64::EPSILON;

/// A sample differs alone if its neighbours do by no more than this part of it, and by a jump if it does by no more than this many times what is between them.
const ALONE: f64 = 0.01;
const JUMP: f64 = 1.5;

/// How much of a number is to be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// So many digits.
    Digits(u32),
    /// It is smaller than its error, which itself is small: nothing, to so many digits of what it is elsewhere.
    Zero(u32),
    /// Nothing of it: it does not settle.
    NotAtAll,
}

impl Verdict {
    /// Of a value that may be wrong by `error`, where `size` is how large such a value is.
    pub fn of(value: f64, error: f64, size: f64) -> Verdict {
        // What is no number is not known, however well runs agree.
        if value.is_nan() || error.is_nan() {
            return Verdict::NotAtAll;
        }
        let of_itself = digits(value.abs(), error);
        let of_size = digits(size.abs(), error);
        let least = DUST * size.abs();
        match (of_itself, of_size) {
            (_, Some(n)) if value.abs() <= least && error <= least => Verdict::Zero(n),
            (Some(n), _) if n > 0 => Verdict::Digits(n),
            (_, Some(n)) if error <= NOTHING * size => Verdict::Zero(n),
            // A zero that no run disturbs.
            _ if value == 0.0 && error == 0.0 => Verdict::Zero(MOST),
            _ => Verdict::NotAtAll,
        }
    }

    /// The digits to be believed; none if it is not to be believed at all.
    pub fn digits(self) -> Option<u32> {
        match self {
            Verdict::Digits(n) | Verdict::Zero(n) => Some(n),
            Verdict::NotAtAll => None,
        }
    }

    /// In words.
    pub fn name(self) -> String {
        match self {
            Verdict::Digits(1) => "1 digit".into(),
            Verdict::Digits(n) => format!("{n} digits"),
            Verdict::Zero(n) => format!("zero to {n}"),
            Verdict::NotAtAll => "not at all".into(),
        }
    }
}

/// How large numbers of a kind are in this motion.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    known: Vec<(String, f64)>,
}

impl Sizes {
    pub fn new(model: &Model, channels: &[Channel], asked: &Run, scales: &Scales) -> Self {
        let span = model.simulation.end - model.simulation.start;
        let [_, _, speed, rate] = scales.sizes;
        let reach = scales.reach;
        let [gx, gy] = model.gravity;
        let gravity = math::sqrt(gx * gx + gy * gy);
        // What stands still could fall, or cross its reach within the run.
        let could = math::sqrt(gravity * reach).max(reach / span);
        let [speed, rate] = [speed.max(could), rate.max(could / reach)];
        let masses = model.bodies.iter().map(|b| b.body.mass());
        let mass = masses.filter(|m| m.is_finite()).fold(0.0, f64::max);
        let pull = gravity.max(speed * speed / reach);
        let energy = largest(&asked.ledger).max(mass * speed * speed);
        let known = [
            ("s", span),
            ("m", reach),
            ("rad", 1.0),
            ("m/s", speed),
            ("rad/s", rate),
            ("m/s^2", pull),
            ("rad/s^2", rate * rate),
            ("N", (energy / reach).max(mass * pull)),
            ("N m", energy),
            ("N s", mass * speed),
            ("N m s", mass * speed * reach),
            ("J", energy),
            ("W", energy / span),
            ("1", 1.0),
        ];
        let mut known: Vec<(String, f64)> = known.map(|(u, size)| (u.to_string(), size)).to_vec();
        for (channel, extremes) in channels.iter().zip(&asked.extremes) {
            let unit = channel.unit(model);
            let size = size(extremes);
            match known.iter_mut().find(|k| k.0 == unit) {
                Some(known) => known.1 = known.1.max(size),
                None => known.push((unit.to_string(), size)),
            }
        }
        Self { known }
    }

    /// What is no more than this is nothing, in this unit.
    pub fn dust(&self, unit: &str) -> f64 {
        DUST * self.of(0.0, unit)
    }

    /// What is no more than this is not told from rounding, in this unit, where numbers are `size` at their largest: they may be differences of larger ones of their kind.
    fn rounding(&self, size: f64, unit: &str) -> f64 {
        let all = self.known.iter().find(|k| k.0 == unit);
        DUST * all.map_or(size, |k| size.max(k.1))
    }

    /// What a number of this unit is measured by that is `own` at its largest.
    pub fn of(&self, own: f64, unit: &str) -> f64 {
        let all = self.known.iter().find(|k| k.0 == unit);
        let all = all.map_or(0.0, |k| k.1);
        if own > ROUNDING * all { own } else { all }
    }
}

/// How a number is measured.
#[derive(Clone, Copy, Debug)]
struct Measure {
    /// How large such a number is.
    size: f64,
    /// What is no more than this is not told from rounding.
    rounding: f64,
    /// No error is less: rounding that all runs share, of the number and of the time it is taken at.
    floor: f64,
}

impl Measure {
    /// Of a number that changes by so much within the rounding of its time.
    fn shaken(self, shaken: f64) -> Self {
        Self {
            floor: self.floor + shaken,
            ..self
        }
    }

    fn verdict(&self, value: f64, error: f64) -> Verdict {
        let dust = value.abs() <= self.rounding && error <= self.rounding;
        match digits(self.size.abs(), error) {
            Some(n) if dust => Verdict::Zero(n),
            _ => Verdict::of(value, error, self.size),
        }
    }
}

/// The largest magnitude.
fn size(extremes: &[Extreme; 2]) -> f64 {
    let all = extremes.iter().map(|e| e.value.abs());
    all.filter(|x| x.is_finite()).fold(0.0, f64::max)
}

/// The digits of a value that an error leaves.
fn digits(value: f64, error: f64) -> Option<u32> {
    if !(value > 0.0 && value.is_finite() && error.is_finite()) {
        return None;
    }
    let part = (error / value).max(f64::EPSILON);
    let n = (-math::log10(part)).floor().max(0.0);
    Some((n as u32).min(MOST))
}

/// A number of the results, with what is to be believed of it.
#[derive(Clone, Debug)]
pub struct Number {
    /// `slider.x`, `energy.kinetic`, `energy.dissipated.joint.pin`.
    pub name: String,
    /// SI.
    pub unit: String,
    /// `end`, `least`, `largest`, or `over time`, where the value is the largest magnitude of any sample and the error that of the worst one.
    pub what: &'static str,
    /// In the run as asked for; extremes are those of the motion, not of its samples.
    pub value: f64,
    /// How far the other runs are from it at most, and what may be missed between the instants that were looked at; no less than the rounding that all runs share.
    pub error: f64,
    /// Of an extreme: that of the samples.
    pub sampled: Option<f64>,
    /// What is no more than this is not told from rounding.
    pub rounding: f64,
    /// What is to be believed of the value.
    pub verdict: Verdict,
    /// Of a channel that is zero all the time in every run, which may all have stepped over a pulse: see [`super::Still`].
    pub still: bool,
    /// In the tightest run, and what is to be believed of that: no less than of the run as asked for.
    pub best: Option<(f64, Verdict)>,
    /// From each tolerance to the next tighter one.
    pub differences: Vec<f64>,
    /// The power of the tolerance (or of the fixed step) with which the differences fall, as seen; none where they are rounding, or too few.
    pub order: Option<f64>,
    measure: Measure,
    /// The error of the best.
    left: f64,
    /// Of an extreme: when it is reached in the run as asked for, s.
    at: f64,
}

impl Number {
    /// What a part of it is a part of: itself, or, of what is nothing, what it might have been.
    pub(super) fn scale(&self) -> f64 {
        match self.verdict {
            Verdict::Digits(_) => self.value.abs(),
            Verdict::Zero(_) | Verdict::NotAtAll => self.measure.size.max(self.value.abs()),
        }
    }

    /// It is no better known than to this error, nor its best than to the other.
    pub(super) fn doubt(&mut self, [error, left]: [f64; 2]) {
        self.error = self.error.max(error);
        if self.verdict != Verdict::NotAtAll {
            self.verdict = self.measure.verdict(self.value, self.error);
        }
        self.left = self.left.max(left).min(self.error);
        if let Some((value, verdict)) = &mut self.best
            && *verdict != Verdict::NotAtAll
        {
            *verdict = self.measure.verdict(*value, self.left);
        }
    }

    /// It is off by this much somewhere, and nobody knows what that becomes: nothing of it is believed.
    pub(super) fn refuse(&mut self, error: f64) {
        self.doubt([error; 2]);
        self.verdict = Verdict::NotAtAll;
        self.best = self.best.map(|(value, _)| (value, Verdict::NotAtAll));
    }

    /// So many digits of its value are worth showing: one more than is believed, which is a guess. Of what is nothing, or not known, two say how large it is.
    pub fn shown(&self) -> usize {
        match self.verdict {
            Verdict::Digits(n) => (n as usize + 1).clamp(2, MOST as usize),
            Verdict::Zero(_) | Verdict::NotAtAll => 2,
        }
    }

    /// The value that is worth showing: zero, where it is no more than rounding.
    pub fn told(&self) -> f64 {
        let dust = self.value.abs() <= self.rounding;
        match self.verdict {
            Verdict::Zero(_) if dust => 0.0,
            _ => self.value,
        }
    }

    /// What is to be believed of it, in words.
    pub fn believed(&self) -> String {
        match self.still {
            true => "zero in every run".into(),
            false if self.told() == 0.0 && self.error <= self.rounding => "zero to rounding".into(),
            false => self.verdict.name(),
        }
    }
}

/// What is said of one number that every run has.
fn number(
    name: &str,
    unit: &str,
    what: &'static str,
    [asked, others]: [&[(&Run, f64)]; 2],
    measure: Measure,
    apart: impl Fn(f64, f64) -> f64,
    doubt: impl Fn(&Run) -> f64,
) -> Option<Number> {
    let &(first, value) = asked.first()?;
    let all = || others.iter();
    // What is not a number in any run is no number of the results.
    if !value.is_finite() && all().all(|o| !o.1.is_finite()) {
        return None;
    }
    let far = |a: f64, b: f64| match apart(a, b).abs() {
        d if d.is_nan() => f64::INFINITY,
        d => d,
    };
    // How far it is from the others, and they from the truth.
    let missed = all().fold(doubt(first), |least, o| least.min(doubt(o.0)));
    let tighter: Vec<(&Run, f64)> = std::iter::once((first, value))
        .chain(all().copied().filter(|o| o.0.ran.role == Role::Tighter))
        .collect();
    let pairs = || tighter.windows(2).filter_map(|pair| pair.as_array::<2>());
    let differences: Vec<f64> = pairs().map(|[a, b]| far(a.1, b.1)).collect();
    let missed = measure.floor + missed + unsettled(all().map(|o| o.0), &differences);
    let error = match others.is_empty() {
        // One run says nothing about itself.
        true => f64::INFINITY,
        false => missed + all().fold(0.0, |e: f64, o| e.max(far(value, o.1))),
    };
    let (best, left) = match tighter.split_last() {
        Some(((_, best), [.., before])) => {
            let rest = all().filter(|o| o.0.ran.role != Role::Tighter);
            let own = rest.fold(far(*best, before.1), |e, o| e.max(far(*best, o.1)));
            let left = error.min(own + missed);
            (Some((*best, measure.verdict(*best, left))), left)
        }
        _ => (None, f64::INFINITY),
    };
    let fineness = |run: &Run| math::ln(run.ran.step.unwrap_or(run.ran.rtol));
    let points = pairs().zip(&differences).filter_map(|([a, _], d)| {
        let above = *d > 32.0 * f64::EPSILON * measure.size.max(value.abs()) && d.is_finite();
        above.then(|| (fineness(a.0), math::ln(*d)))
    });
    let points: Vec<(f64, f64)> = points.collect();
    Some(Number {
        name: name.into(),
        unit: unit.into(),
        what,
        value,
        error,
        sampled: None,
        rounding: measure.rounding,
        verdict: measure.verdict(value, error),
        still: false,
        best,
        order: line(&points).map(|line| line.slope),
        differences,
        measure,
        left,
        at: f64::NAN,
    })
}

/// What the run with the shortest of fixed steps is still off where no other method bears it out: as much as its step has made of any of the differences, if they only halve with it. By chance two runs in a row may be near each other.
fn unsettled<'a>(others: impl Iterator<Item = &'a Run>, differences: &[f64]) -> f64 {
    let mut alone = false;
    for run in others {
        match run.ran.role {
            Role::Second => return 0.0,
            Role::Tighter => alone = run.ran.step.is_some(),
            _ => {}
        }
    }
    let left = differences
        .iter()
        .fold(0.0, |left: f64, d| (left / 2.0).max(*d));
    if alone { left } else { 0.0 }
}

/// A straight line through points, and what is left of their squares, on average.
pub(super) struct Line {
    pub slope: f64,
    /// At zero.
    pub value: f64,
    pub left: f64,
}

/// The line of least squares; none through fewer than two places.
pub(super) fn line(points: &[(f64, f64)]) -> Option<Line> {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let xx = mean(&|p| (p.0 - x) * (p.0 - x));
    let xy = mean(&|p| (p.0 - x) * (p.1 - y));
    let slope = xy / xx;
    let value = y - slope * x;
    let off = |p: &(f64, f64)| p.1 - value - slope * p.0;
    let left = mean(&|p| off(p) * off(p));
    (points.len() > 1 && slope.is_finite()).then_some(Line { slope, value, left })
}

/// Whether it is a direction: once round it is the same.
fn turns(channel: Channel) -> bool {
    matches!(
        channel,
        Channel::Contact(_, ContactQuantity::EccentricityAngle)
    )
}

/// From one value of a channel to another.
pub(super) fn apart(channel: Channel, a: f64, b: f64) -> f64 {
    match turns(channel) {
        true => (a - b) - TAU * ((a - b) / TAU).round(),
        false => a - b,
    }
}

/// A channel at the end, at its least and largest, and over time.
pub(super) fn channel(
    model: &Model,
    channel: Channel,
    column: usize,
    asked: &Run,
    others: &[&Run],
    sizes: &Sizes,
) -> Vec<Number> {
    let (name, unit) = (channel.name(model), channel.unit(model));
    let turns = turns(channel);
    let apart = |a: f64, b: f64| apart(channel, a, b);
    let own = asked.extremes.get(column).map_or(0.0, size);
    let size = sizes.of(own, unit);
    let measure = Measure {
        size,
        rounding: sizes.rounding(size, unit),
        floor: f64::EPSILON * size,
    };
    let [last, worst] = asked.shaken(column);
    let end = |run: &Run| run.table.column(column).next_back().unwrap_or(f64::NAN);
    let extreme = |run: &Run, side: usize| -> Option<Extreme> {
        run.extremes.get(column)?.get(side).copied()
    };
    type Take<'a> = &'a dyn Fn(&Run) -> f64;
    let of = |what: &'static str, take: Take<'_>, doubt: Take<'_>, shaken: f64| {
        let first = [(asked, take(asked))];
        let rest: Vec<(&Run, f64)> = others.iter().map(|run| (*run, take(run))).collect();
        let measure = measure.shaken(shaken);
        number(&name, unit, what, [&first, &rest], measure, apart, doubt)
    };
    let ends = of("end", &end, &|_| 0.0, last);
    let mut numbers: Vec<Number> = ends.into_iter().collect();
    // Directions have no extremes.
    let sides = ["least", "largest"].into_iter().enumerate();
    for (side, what) in sides.filter(|_| !turns) {
        let value = |run: &Run| extreme(run, side).map_or(f64::NAN, |e| e.value);
        let doubt = |run: &Run| extreme(run, side).map_or(f64::INFINITY, |e| e.doubt);
        let own = extreme(asked, side);
        let shaken = own.map_or(0.0, |e| e.shaken);
        if let Some(mut found) = of(what, &value, &doubt, shaken) {
            let sampled = own.map(|e| e.sampled);
            found.sampled = sampled.filter(|x| x.is_finite());
            found.at = own.map_or(f64::NAN, |e| e.at);
            numbers.push(found);
        }
    }
    // The largest magnitude that stands in the results.
    let largest = |run: &Run| {
        let sampled = run.extremes.get(column).into_iter().flatten();
        let sampled = sampled.map(|side| side.sampled.abs());
        sampled.filter(|x| x.is_finite()).fold(0.0, f64::max)
    };
    let own = largest(asked);
    let measure = measure.shaken(worst);
    let ladder = ladder(asked, others);
    let pairs = || ladder.windows(2).filter_map(|pair| pair.as_array::<2>());
    let Worst {
        error,
        left,
        differences,
    } = worst_of(asked, others, column, measure.floor, apart);
    let fineness = |run: &Run| math::ln(run.ran.step.unwrap_or(run.ran.rtol));
    let points: Vec<(f64, f64)> = pairs()
        .zip(&differences)
        .filter(|(_, d)| **d > 32.0 * f64::EPSILON * size && d.is_finite())
        .map(|([a, _], d)| (fineness(a), math::ln(*d)))
        .collect();
    let best = match ladder.split_last() {
        Some((best, [_, ..])) => {
            let largest = largest(best);
            Some((largest, measure.verdict(largest, left)))
        }
        _ => None,
    };
    numbers.push(Number {
        name,
        unit: unit.into(),
        what: "over time",
        value: own,
        error,
        sampled: None,
        rounding: measure.rounding,
        verdict: measure.verdict(own, error),
        still: false,
        best,
        order: line(&points).map(|line| line.slope),
        differences,
        measure,
        left,
        at: f64::NAN,
    });
    numbers
}

/// The run as asked for, and ever tighter ones.
fn ladder<'a>(asked: &'a Run, others: &[&'a Run]) -> Vec<&'a Run> {
    let tighter = others.iter().filter(|run| run.ran.role == Role::Tighter);
    std::iter::once(asked).chain(tighter.copied()).collect()
}

/// How far runs are apart on one channel, each pair at its worst sample.
struct Worst {
    /// The run as asked for from any other, …
    error: f64,
    /// … the tightest from any that is not looser; not finite where there is none, …
    left: f64,
    /// … and from each tolerance to the next.
    differences: Vec<f64>,
}

fn worst_of(
    asked: &Run,
    others: &[&Run],
    column: usize,
    floor: f64,
    apart: impl Fn(f64, f64) -> f64,
) -> Worst {
    // Over time every run is as far from the first as at its worst instant.
    let worst = |a: &Run, b: &Run| {
        let both = a.table.column(column).zip(b.table.column(column));
        let far = both.map(|(a, b)| match apart(a, b).abs() {
            _ if a.is_nan() && b.is_nan() => 0.0,
            d if d.is_nan() => f64::INFINITY,
            d => d,
        });
        let far = without_jumps(far, a.table.column(column));
        match a.table.t.len() == b.table.t.len() {
            true => far,
            false => f64::INFINITY,
        }
    };
    let ladder = ladder(asked, others);
    let pairs = ladder.windows(2).filter_map(|pair| pair.as_array::<2>());
    let differences: Vec<f64> = pairs.map(|[a, b]| worst(a, b)).collect();
    let missed = floor + unsettled(others.iter().copied(), &differences);
    let error = match others.is_empty() {
        true => f64::INFINITY,
        false => missed + others.iter().fold(0.0, |e: f64, b| e.max(worst(asked, b))),
    };
    let left = match ladder.split_last() {
        Some((best, [.., before])) => {
            let rest = others.iter().filter(|run| run.ran.role != Role::Tighter);
            let left = rest.fold(worst(best, before), |e, run| e.max(worst(best, run)));
            error.min(missed + left)
        }
        _ => f64::INFINITY,
    };
    Worst {
        error,
        left,
        differences,
    }
}

/// Where the motion cannot be computed to its end, what lies beyond its horizon (s) is no better known than at the worst instant of all: runs from here and there may meet by chance at one. Of what a hair does not move (what drivers prescribe,
/// a constant of the motion, what is nothing) all runs agree at every instant. Of heats one by one nobody has looked at every instant.
pub(super) fn beyond(
    numbers: &mut [Number],
    lost: f64,
    traced: &Traced,
    asked: &Run,
    others: &[&Run],
) {
    let over = numbers.iter().filter(|n| n.what == "over time");
    let over: Vec<(String, [f64; 2])> = over.map(|n| (n.name.clone(), [n.error, n.left])).collect();
    let heat = Channel::Energy(Account::Dissipated).name(&traced.model);
    for number in numbers.iter_mut() {
        let past = match number.what {
            "end" => true,
            "least" | "largest" => !(number.at < lost),
            _ => false,
        };
        if !past || number.value.abs().max(number.error) <= number.rounding {
            continue;
        }
        let name = match asked.ledger.dissipated.len() {
            // The only heat is all heat.
            1 if number.name.starts_with(&heat) => &heat,
            _ => &number.name,
        };
        let known = over.iter().find(|known| known.0 == *name);
        let known = known.map(|known| known.1).or_else(|| {
            let column = traced.column(name)?;
            let worst = worst_of(asked, others, column, number.measure.floor, |a, b| a - b);
            Some([worst.error, worst.left])
        });
        number.doubt(known.unwrap_or([f64::INFINITY; 2]));
    }
}

/// The largest difference of samples, but for jumps that fall on one: that sample is before the jump in one run and after it in the other, and neither is wrong. Such a one stands alone between neighbours that agree, and is no larger than what
/// the channel (of one of the runs) changes by from one of them to the other.
fn without_jumps(differences: impl Iterator<Item = f64>, values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<(f64, f64)> = differences.zip(values).collect();
    let is_jump = |i: usize, difference: f64| {
        let before = i.checked_sub(1).and_then(|i| all.get(i));
        before.zip(all.get(i + 1)).is_some_and(|(a, b)| {
            let alone = a.0.max(b.0) <= ALONE * difference;
            alone && difference <= JUMP * (b.1 - a.1).abs()
        })
    };
    let counted = all.iter().enumerate();
    let counted = counted.filter(|(i, (d, _))| !is_jump(*i, *d));
    counted.fold(0.0, |worst: f64, (_, (d, _))| worst.max(*d))
}

/// The energies at the end.
pub(super) fn energies(asked: &Run, others: &[&Run], traced: &Traced) -> Vec<Number> {
    let size = largest(&asked.ledger);
    let measure = Measure {
        size,
        rounding: DUST * size,
        floor: f64::EPSILON * size,
    };
    let shaken = |name: &str| {
        let column = traced.column(name);
        column.map_or(0.0, |column| asked.shaken(column)[0])
    };
    let all = Channel::Energy(Account::Dissipated).name(&traced.model);
    let heat = |l: &Ledger| l.dissipated.iter().map(|d| d.1).sum::<f64>();
    type Take = fn(&Ledger) -> f64;
    let accounts: [(&str, Take); 5] = [
        ("kinetic", |l| l.kinetic),
        ("gravitational", |l| l.gravitational),
        ("elastic", |l| l.elastic),
        ("driver_work", |l| l.driver_work),
        ("load_work", |l| l.load_work),
    ];
    let one = |name: &str, take: &dyn Fn(&Ledger) -> f64| {
        let value = |run: &Run| take(&run.ledger);
        let first = [(asked, value(asked))];
        let rest: Vec<(&Run, f64)> = others.iter().map(|run| (*run, value(run))).collect();
        // An account in which nothing ever stood says nothing.
        if first.iter().chain(&rest).all(|(_, value)| *value == 0.0) {
            return None;
        }
        let name = format!("energy.{name}");
        // Each heat changes no faster than all of them.
        let named = if name.starts_with(&all) { &all } else { &name };
        number(
            &name,
            "J",
            "end",
            [&first, &rest],
            measure.shaken(shaken(named)),
            |a, b| a - b,
            |_| 0.0,
        )
    };
    let mut numbers: Vec<Number> = accounts
        .iter()
        .filter_map(|(name, take)| one(name, take))
        .collect();
    numbers.extend(one("dissipated", &heat));
    for (element, _) in &asked.ledger.dissipated {
        let of = |l: &Ledger| {
            let found = l.dissipated.iter().find(|d| d.0 == *element);
            found.map_or(f64::NAN, |d| d.1)
        };
        numbers.extend(one(&format!("dissipated.{element}"), &of));
    }
    numbers
}

/// The largest account, J.
fn largest(l: &Ledger) -> f64 {
    let accounts = [
        l.kinetic,
        l.gravitational,
        l.elastic,
        l.driver_work,
        l.load_work,
    ];
    let heats = l.dissipated.iter().map(|d| d.1);
    let all = accounts.into_iter().chain(heats);
    all.fold(0.0, |m: f64, e| m.max(e.abs()))
}

/// What the energies lack at the end, as a part of the largest that any account ever was; where there is nothing but rounding in any, of what there might have been.
pub(super) fn imbalance(asked: &Run, traced: &Traced, sizes: &Sizes) -> f64 {
    let accounts = Account::ALL
        .iter()
        .filter(|(_, account)| *account != Account::Residual);
    let ever = accounts
        .filter_map(|(_, account)| traced.column(&Channel::Energy(*account).name(&traced.model)))
        .filter_map(|column| asked.extremes.get(column))
        .fold(largest(&asked.ledger), |all, own| all.max(size(own)));
    match sizes.of(ever, "J") {
        size if size > 0.0 => asked.ledger.residual.abs() / size,
        _ => asked.ledger.residual.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_on_a_sample_is_no_difference_and_a_pulse_is() {
        let worst = |a: &[f64], b: &[f64]| {
            let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            without_jumps(differences, a.iter().copied())
        };
        // A ball that turns round on the third sample, before and after.
        let falls = [-9.8, -9.9, -10.0, 9.9, 9.8];
        let flies = [-9.8, -9.9, 10.0, 9.9, 9.8];
        assert_eq!(worst(&falls, &flies), 0.0);
        assert_eq!(worst(&flies, &falls), 0.0);
        // A pulse comes back to where it was; what goes on, or is at an end, is none either.
        assert_eq!(worst(&[0.0; 5], &[0.0, 0.0, 3.0, 0.0, 0.0]), 3.0);
        assert_eq!(worst(&[0.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 2.0, 2.0]), 1.0);
        assert_eq!(worst(&[0.0, 0.0, 1.0], &[0.0, 0.0, 2.0]), 1.0);
        assert_eq!(worst(&[], &[]), 0.0);
    }

    #[test]
    fn digits_are_counted_as_people_do() {
        assert_eq!(Verdict::of(1.0, 1e-12, 1.0), Verdict::Digits(12));
        assert_eq!(Verdict::of(-2.5e6, 3e2, 2.5e6), Verdict::Digits(3));
        assert_eq!(Verdict::of(1.0, 0.0, 1.0), Verdict::Digits(MOST));
        assert_eq!(Verdict::of(1.0, 0.9, 1.0), Verdict::NotAtAll);
        assert_eq!(Verdict::of(1e-9, 1e-8, 1.0), Verdict::Zero(8));
        assert_eq!(Verdict::of(0.0, 0.0, 0.0), Verdict::Zero(MOST));
        assert_eq!(Verdict::of(1.0, f64::INFINITY, 1.0), Verdict::NotAtAll);
        assert_eq!(Verdict::of(f64::NAN, 0.1, 1.0), Verdict::NotAtAll);
        // However well runs agree on what is no number.
        assert_eq!(Verdict::of(f64::NAN, 0.0, 1.0), Verdict::NotAtAll);
        assert_eq!(Verdict::of(0.0, f64::NAN, 1.0), Verdict::NotAtAll);
    }

    #[test]
    fn what_is_rounding_beside_its_kind_has_no_digits_though_all_runs_agree_on_it() {
        // A millimetre, of which all that is left is a difference of places a metre away.
        let measure = Measure {
            size: 1e-3,
            rounding: DUST,
            floor: 0.0,
        };
        let zero = measure.verdict(-3.6e-16, 1e-18);
        assert!(matches!(zero, Verdict::Zero(14..)), "{zero:?}");
        assert_eq!(measure.verdict(1e-3, 2e-15), Verdict::Digits(11));
        assert_eq!(measure.verdict(1e-13, 2e-15), Verdict::Digits(1));
        assert_eq!(measure.verdict(1e-15, 1e-3), Verdict::NotAtAll);
    }

    #[test]
    fn a_line_goes_through_its_points() {
        let points: Vec<(f64, f64)> = (0..5)
            .map(|i| (f64::from(i), 3.0 - 2.0 * f64::from(i)))
            .collect();
        let line = line(&points).expect("a line");
        assert!((line.slope + 2.0).abs() < 1e-14 && (line.value - 3.0).abs() < 1e-14);
        assert!(line.left < 1e-28);
        assert!(super::line(&points[..1]).is_none());
    }
}
