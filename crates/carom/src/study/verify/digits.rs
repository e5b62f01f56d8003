//! On how many digits of a number do all runs agree, and how does it settle as the tolerance is tightened?

use std::f64::consts::TAU;

use crate::math;
use crate::model::{Channel, ContactQuantity, Model};
use crate::system::Ledger;

use super::runs::{Role, Run};

/// No number has more digits.
const MOST: u32 = 15;
/// What is less than its error is nothing, if the error is less than this part of what it might have been.
const NOTHING: f64 = 1e-3;

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
        let of_itself = digits(value.abs(), error);
        let of_size = digits(size.abs(), error);
        match (of_itself, of_size) {
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
    /// `end`, `least`, `largest`, or `over time`, where the value is the largest magnitude and the error that at the worst instant.
    pub what: &'static str,
    /// In the run as asked for.
    pub value: f64,
    /// How far the other runs are from it at most.
    pub error: f64,
    /// What is to be believed of the value.
    pub verdict: Verdict,
    /// In the tightest run, and what is to be believed of that.
    pub best: Option<(f64, Verdict)>,
    /// From each tolerance to the next tighter one.
    pub differences: Vec<f64>,
    /// The power of the tolerance (or of the fixed step) with which the differences fall, as seen; none where they are rounding, or too few.
    pub order: Option<f64>,
}

/// What is said of one number that every run has.
fn number(
    name: &str,
    unit: &str,
    what: &'static str,
    [asked, others]: [&[(&Run, f64)]; 2],
    size: f64,
    apart: impl Fn(f64, f64) -> f64,
) -> Option<Number> {
    let &(first, value) = asked.first()?;
    let all = || others.iter();
    // What is not a number in any run is no number of the results.
    if value.is_nan() && all().all(|o| o.1.is_nan()) {
        return None;
    }
    let far = |a: f64, b: f64| match apart(a, b).abs() {
        d if d.is_nan() => f64::INFINITY,
        d => d,
    };
    let error = all().fold(0.0, |e: f64, o| e.max(far(value, o.1)));
    let tighter: Vec<(&Run, f64)> = std::iter::once((first, value))
        .chain(all().copied().filter(|o| o.0.ran.role == Role::Tighter))
        .collect();
    let pairs = || tighter.windows(2).filter_map(|pair| pair.as_array::<2>());
    let differences: Vec<f64> = pairs().map(|[a, b]| far(a.1, b.1)).collect();
    let best = match tighter.split_last() {
        Some(((_, best), [.., before])) => {
            let rest = all().filter(|o| o.0.ran.role != Role::Tighter);
            let error = rest.fold(far(*best, before.1), |e, o| e.max(far(*best, o.1)));
            Some((*best, Verdict::of(*best, error, size)))
        }
        _ => None,
    };
    let fineness = |run: &Run| math::ln(run.ran.step.unwrap_or(run.ran.rtol));
    let points = pairs().zip(&differences).filter_map(|([a, _], d)| {
        let above = *d > 32.0 * f64::EPSILON * size.max(value.abs()) && d.is_finite();
        above.then(|| (fineness(a.0), math::ln(*d)))
    });
    let points: Vec<(f64, f64)> = points.collect();
    Some(Number {
        name: name.into(),
        unit: unit.into(),
        what,
        value,
        error,
        verdict: Verdict::of(value, error, size),
        best,
        order: line(&points).map(|line| line.slope),
        differences,
    })
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

/// A channel at the end, at its least and largest, and over time.
pub(super) fn channel(
    model: &Model,
    channel: Channel,
    column: usize,
    asked: &Run,
    others: &[&Run],
) -> Vec<Number> {
    let (name, unit) = (channel.name(model), channel.unit(model));
    // A direction that has gone once round is the same.
    let turns = matches!(
        channel,
        Channel::Contact(_, ContactQuantity::EccentricityAngle)
    );
    let apart = |a: f64, b: f64| match turns {
        true => (a - b) - TAU * ((a - b) / TAU).round(),
        false => a - b,
    };
    let size = asked.table.column(column).filter(|x| x.is_finite());
    let size = size.fold(0.0, |s: f64, x| s.max(x.abs()));
    let finite = |run: &Run, start: f64, better: fn(f64, f64) -> f64| {
        let values = run.table.column(column).filter(|x| x.is_finite());
        values.fold(start, better)
    };
    let end = |run: &Run| run.table.column(column).next_back().unwrap_or(f64::NAN);
    let least = |run: &Run| finite(run, f64::INFINITY, f64::min);
    let largest = |run: &Run| finite(run, f64::NEG_INFINITY, f64::max);
    type Take<'a> = &'a dyn Fn(&Run) -> f64;
    let wanted: [(&'static str, Take<'_>); 3] =
        [("end", &end), ("least", &least), ("largest", &largest)];
    let mut numbers: Vec<Number> = wanted
        .into_iter()
        .filter_map(|(what, take)| {
            let first = [(asked, take(asked))];
            let rest: Vec<(&Run, f64)> = others.iter().map(|run| (*run, take(run))).collect();
            number(&name, unit, what, [&first, &rest], size, apart)
        })
        .collect();
    // Over time every run is as far from the first as at its worst instant.
    let worst = |a: &Run, b: &Run| {
        let both = a.table.column(column).zip(b.table.column(column));
        let far = both.map(|(a, b)| match apart(a, b).abs() {
            _ if a.is_nan() && b.is_nan() => 0.0,
            d if d.is_nan() => f64::INFINITY,
            d => d,
        });
        let far = far.fold(0.0, f64::max);
        match a.table.t.len() == b.table.t.len() {
            true => far,
            false => f64::INFINITY,
        }
    };
    let error = others.iter().fold(0.0, |e: f64, b| e.max(worst(asked, b)));
    let tighter = others.iter().filter(|run| run.ran.role == Role::Tighter);
    let ladder: Vec<&Run> = std::iter::once(asked).chain(tighter.copied()).collect();
    let pairs = || ladder.windows(2).filter_map(|pair| pair.as_array::<2>());
    let differences: Vec<f64> = pairs().map(|[a, b]| worst(a, b)).collect();
    let fineness = |run: &Run| math::ln(run.ran.step.unwrap_or(run.ran.rtol));
    let points: Vec<(f64, f64)> = pairs()
        .zip(&differences)
        .filter(|(_, d)| **d > 32.0 * f64::EPSILON * size && d.is_finite())
        .map(|([a, _], d)| (fineness(a), math::ln(*d)))
        .collect();
    let best = match ladder.split_last() {
        Some((best, [.., before])) => {
            let rest = others.iter().filter(|run| run.ran.role != Role::Tighter);
            let error = rest.fold(worst(best, before), |e, run| e.max(worst(best, run)));
            Some((size, Verdict::of(size, error, size)))
        }
        _ => None,
    };
    numbers.push(Number {
        name,
        unit: unit.into(),
        what: "over time",
        value: size,
        error,
        verdict: Verdict::of(size, error, size),
        best,
        order: line(&points).map(|line| line.slope),
        differences,
    });
    numbers
}

/// The energies at the end.
pub(super) fn energies(asked: &Run, others: &[&Run]) -> Vec<Number> {
    let size = largest(&asked.ledger);
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
        let name = format!("energy.{name}");
        number(&name, "J", "end", [&first, &rest], size, |a, b| a - b)
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
    // An account in which nothing ever stood says nothing.
    numbers.retain(|n| n.value != 0.0 || n.error != 0.0);
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

/// What the energies lack, as a part of the largest account.
pub(super) fn imbalance(l: &Ledger) -> f64 {
    match largest(l) {
        size if size > 0.0 => l.residual.abs() / size,
        _ => l.residual.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
