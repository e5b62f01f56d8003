//! When does a driver begin anew, and where is the mechanism each time?
//!
//! The points of a Poincaré section: position and velocity once a period of the driver.

use crate::mechanics::{Driven, Function};
use crate::model::{DriverEntry, Simulation};
use std::f64::consts::TAU;

/// Places at which a function of time is looked at to find its period.
const LOOKS: u32 = 4000;
/// A function that comes back to within this part of its range has a period.
const SAME: f64 = 1e-6;
/// Points of a section at most, and pairs of channels.
const MOST: usize = 4000;

/// The period of a driver, s, if it has one: of a motor at constant speed one turn.
pub fn period(entry: &DriverEntry, over: &Simulation) -> Option<f64> {
    let mut periods = entry.rows.iter().map(|row| {
        let turns = row.driven() == Driven::Turn;
        of_function(row.function(), turns, [over.start, over.end])
    });
    let first = periods.next()??;
    // Both rows of a point that follows a path come back together, or not at all.
    let same = |other: Option<f64>| other.is_some_and(|p| (p - first).abs() < 1e-6 * first);
    periods.all(same).then_some(first)
}

fn of_function(function: &Function, turns: bool, [start, end]: [f64; 2]) -> Option<f64> {
    let found = match function {
        Function::Constant(_) => None,
        Function::Linear { speed, .. } => turns.then(|| TAU / speed.abs()),
        Function::Harmonic { omega, .. } => Some(TAU / omega.abs()),
        Function::Spline(spline) if spline.is_periodic() => {
            let [from, to] = spline.domain();
            Some(to - from)
        }
        _ => seen(function, turns, start, end),
    };
    found.filter(|period| period.is_finite() && *period > 0.0 && *period <= end - start)
}

/// The period of a function that is only known by its values: from one rise through its middle to the next.
fn seen(function: &Function, turns: bool, start: f64, end: f64) -> Option<f64> {
    let at = |i: u32| start + (end - start) * f64::from(i) / f64::from(LOOKS);
    let value = |t: f64| function.value(t);
    let [_, first, _] = function.at(start);
    if turns && (0..=LOOKS).all(|i| (function.at(at(i))[1] - first).abs() <= 1e-9 * first.abs()) {
        return Some(TAU / first.abs());
    }
    let values = || (0..=LOOKS).map(|i| value(at(i)));
    if !values().all(f64::is_finite) {
        return None;
    }
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let middle = 0.5 * (low + high);
    if !(high > low) {
        return None;
    }
    let rises = |i: &u32| value(at(*i)) < middle && value(at(i + 1)) >= middle;
    let crossings = (0..LOOKS).filter(rises).map(|i| {
        let (mut a, mut b) = (at(i), at(i + 1));
        for _ in 0..60 {
            let m = 0.5 * (a + b);
            if value(m) < middle { a = m } else { b = m }
        }
        b
    });
    let crossings: Vec<f64> = crossings.take(9).collect();
    let from = *crossings.first()?;
    // A function may rise through its middle more than once in a period.
    crossings.iter().skip(1).map(|to| to - from).find(|period| {
        let mut looks = (0..=LOOKS).map(at).take_while(|t| t + period <= end);
        looks.all(|t| (value(t + period) - value(t)).abs() <= SAME * (high - low))
    })
}

/// The points of a section, as frames go by.
#[derive(Clone, Debug)]
pub struct Section {
    /// s.
    pub period: f64,
    /// The next instant, s, and its number from the start.
    next: f64,
    number: u64,
    start: f64,
    /// Places of position and velocity among the channels.
    pub pairs: Vec<[usize; 2]>,
    last: Option<(f64, Vec<[f64; 2]>)>,
    /// Positions and velocities, instant by instant, pair by pair.
    pub points: Vec<[f64; 2]>,
}

impl Section {
    /// Of these pairs of channels; where there are more instants than can be shown, of the last ones.
    pub fn new(period: f64, [start, end]: [f64; 2], pairs: Vec<[usize; 2]>) -> Self {
        let count = ((end - start) / period).floor();
        let number = (count - MOST as f64).max(0.0) as u64;
        Self {
            period,
            next: start + number as f64 * period,
            number,
            start,
            last: None,
            points: Vec::new(),
            pairs,
        }
    }

    /// The mechanism at a time; between two of them a cubic goes through both with their velocities.
    pub fn see(&mut self, t: f64, values: &[f64]) {
        let value = |i: usize| values.get(i).copied().unwrap_or(f64::NAN);
        let (from, mut before) = match self.last.take() {
            Some(last) => last,
            None => (
                t,
                self.pairs
                    .iter()
                    .map(|[x, v]| [value(*x), value(*v)])
                    .collect(),
            ),
        };
        while self.next <= t && self.points.len() < (MOST + 1) * self.pairs.len().max(1) {
            let h = t - from;
            let s = if h > 0.0 { (self.next - from) / h } else { 1.0 };
            for ([x, v], [x0, v0]) in self.pairs.iter().zip(&before) {
                let (x1, v1) = (value(*x), value(*v));
                self.points.push(if h > 0.0 && s < 1.0 {
                    between(s, h, [*x0, *v0], [x1, v1])
                } else {
                    [x1, v1]
                });
            }
            self.number += 1;
            // From the count, so that nothing adds up.
            self.next = self.start + self.number as f64 * self.period;
        }
        for ([x, v], before) in self.pairs.iter().zip(&mut before) {
            *before = [value(*x), value(*v)];
        }
        self.last = Some((t, before));
    }
}

/// Position and velocity at a part of the way, on the cubic through both ends with their velocities.
fn between(s: f64, h: f64, [x0, v0]: [f64; 2], [x1, v1]: [f64; 2]) -> [f64; 2] {
    let rise = x1 - x0;
    let (a, b) = (h * (v0 + v1) - 2.0 * rise, 3.0 * rise - h * (2.0 * v0 + v1));
    let x = x0 + s * (h * v0 + s * (b + s * a));
    let v = v0 + s * (2.0 * b + 3.0 * s * a) / h;
    [x, v]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_period_is_found_where_there_is_one() {
        let span = [0.0, 2.0];
        let other = |f: fn(f64) -> f64| Function::Other(Arc::new(move |t| [f(t), f64::NAN, 0.0]));
        let motor = Function::Linear {
            start: 0.3,
            speed: -50.0,
        };
        let close = |found: Option<f64>, period: f64| {
            let found = found.expect("there is one");
            assert!((found - period).abs() < 1e-9 * period, "{found} {period}");
        };
        close(of_function(&motor, true, span), TAU / 50.0);
        assert_eq!(of_function(&motor, false, span), None);
        // Twice through its middle in each period of 1/5 s.
        let wave = other(|t| (TAU * 5.0 * t).sin() + 0.7 * (TAU * 10.0 * t).sin());
        close(of_function(&wave, false, span), 0.2);
        let dying = other(|t| (TAU * 5.0 * t).sin() * (-t).exp());
        assert_eq!(of_function(&dying, false, span), None);
        // Longer than the run.
        assert_eq!(of_function(&motor, true, [0.0, 0.1]), None);
    }

    #[test]
    fn the_section_of_a_swing_at_its_own_period_is_one_point() {
        // x = sin(2π t + 1): once a second it is where it was.
        let mut section = Section::new(1.0, [0.0, 10.0], vec![[0, 1]]);
        for i in 0..=777 {
            let t = 10.0 * f64::from(i) / 777.0;
            let a = TAU * t + 1.0;
            section.see(t, &[a.sin(), TAU * a.cos()]);
        }
        assert_eq!(section.points.len(), 11);
        for [x, v] in section.points {
            // The cubic is within (ω h)⁴/384 of the swing; its slope within a third power.
            assert!((x - 1.0_f64.sin()).abs() < 2e-7, "{x}");
            assert!((v - TAU * 1.0_f64.cos()).abs() < 2e-4, "{v}");
        }
    }
}
