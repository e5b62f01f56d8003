//! How is a table joined into a smooth curve?
//!
//! The cubic spline: a cubic between neighbours, with continuous second derivative (de Boor 1978, chapter IV). A driver's acceleration is then continuous, as a mechanism asks of it.

use crate::math;
use crate::mechanics::fault::{Fault, finite};

/// What a spline does at its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends {
    /// The first two pieces are one cubic, and the last two: cubics are met exactly. Needs four points.
    NotAKnot,
    /// No curvature at the ends.
    Natural,
    /// These slopes at the ends.
    Clamped([f64; 2]),
    /// It closes on itself: the last value is the first, and it goes round for ever. Needs four points.
    Periodic,
}

/// A cubic spline through given points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    /// Places, rising.
    x: Vec<f64>,
    /// Value and second derivative at each place.
    y: Vec<[f64; 2]>,
    periodic: bool,
}

impl Spline {
    /// Through (x, y): x must rise.
    pub fn new(x: &[f64], y: &[f64], ends: Ends) -> Result<Self, Fault> {
        const ELEMENT: &str = "table";
        let least = match ends {
            Ends::NotAKnot | Ends::Periodic => 4,
            Ends::Natural | Ends::Clamped(_) => 2,
        };
        if x.len() != y.len() || x.len() < least {
            return Err(Fault::Points {
                element: ELEMENT,
                places: x.len(),
                values: y.len(),
                least,
            });
        }
        for i in 0..x.len() {
            finite(ELEMENT, "value", y[i], "")?;
            let before = if i == 0 { f64::NEG_INFINITY } else { x[i - 1] };
            if !(x[i].is_finite() && x[i] > before) {
                return Err(Fault::NotRising {
                    element: ELEMENT,
                    index: i,
                    value: x[i],
                    before,
                });
            }
        }
        if let Ends::Clamped(slopes) = ends {
            for slope in slopes {
                finite(ELEMENT, "slope at an end", slope, "")?;
            }
        }
        let last = x.len() - 1;
        if ends == Ends::Periodic && y[0] != y[last] {
            return Err(Fault::NotClosed {
                element: ELEMENT,
                first: y[0],
                last: y[last],
            });
        }
        let m = bends(x, y, ends);
        Ok(Self {
            x: x.to_vec(),
            y: y.iter().zip(m).map(|(y, m)| [*y, m]).collect(),
            periodic: ends == Ends::Periodic,
        })
    }

    /// Value, first and second derivative. Beyond its ends the last piece goes on.
    #[inline]
    pub fn at(&self, x: f64) -> [f64; 3] {
        let mut x = x;
        if self.periodic {
            let [low, high] = self.domain();
            let period = high - low;
            x -= period * ((x - low) / period).floor();
        }
        let after = self.x.partition_point(|knot| *knot <= x);
        let i = after.clamp(1, self.x.len().saturating_sub(1).max(1));
        let (Some(&[x0, x1]), Some(&[[y0, m0], [y1, m1]])) = (
            self.x.get(i - 1..=i).and_then(|pair| pair.first_chunk()),
            self.y.get(i - 1..=i).and_then(|pair| pair.first_chunk()),
        ) else {
            // Two points at least are promised by the constructor.
            return [f64::NAN; 3];
        };
        let h = x1 - x0;
        let s = x - x0;
        let slope = (y1 - y0) / h - h * (2.0 * m0 + m1) / 6.0;
        let third = (m1 - m0) / h;
        [
            y0 + s * (slope + s * (0.5 * m0 + s * third / 6.0)),
            slope + s * (m0 + 0.5 * s * third),
            m0 + s * third,
        ]
    }

    /// The integral from the first place to x; beyond the ends the last piece goes on.
    pub(crate) fn area(&self, x: f64) -> f64 {
        let [low, high] = self.domain();
        let (mut x, mut rounds) = (x, 0.0);
        if self.periodic {
            rounds = ((x - low) / (high - low)).floor();
            x -= (high - low) * rounds;
        }
        let pieces = self.x.len().saturating_sub(1);
        let (mut upto, mut whole) = (0.0, 0.0);
        for (i, (places, values)) in self.x.windows(2).zip(self.y.windows(2)).enumerate() {
            let (&[x0, x1], &[[y0, m0], [y1, m1]]) = (places, values) else {
                continue;
            };
            let h = x1 - x0;
            let slope = (y1 - y0) / h - h * (2.0 * m0 + m1) / 6.0;
            let third = (m1 - m0) / h;
            let to = |s: f64| s * (y0 + s * (slope / 2.0 + s * (m0 / 6.0 + s * third / 24.0)));
            whole += to(h);
            // The first piece goes on to the left, the last to the right.
            if x > x0 || i == 0 || x.is_nan() {
                let s = if i + 1 == pieces {
                    x - x0
                } else {
                    (x - x0).min(h)
                };
                upto += to(s);
            }
        }
        upto + rounds * whole
    }

    /// From the first place to the last: one period, if it is periodic.
    pub fn domain(&self) -> [f64; 2] {
        [
            self.x.first().copied().unwrap_or(f64::NAN),
            self.x.last().copied().unwrap_or(f64::NAN),
        ]
    }

    /// Where the curve is farthest beyond the least and the largest value of its table, and how far it is there, as a part of their difference (infinite where all values are one): beside steep pieces a smooth curve swings. None where it
    /// stays between them.
    pub fn overshoot(&self) -> Option<(f64, f64)> {
        let values = || self.y.iter().map(|y| y[0]);
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        let mut worst: Option<(f64, f64)> = None;
        for (places, bends) in self.x.windows(2).zip(self.y.windows(2)) {
            let (&[x0, x1], &[[_, m0], [_, m1]]) = (places, bends) else {
                continue;
            };
            // The slope of a piece is a parabola: p + m₀ s + ½ (m₁ − m₀)/h s².
            let [_, p, _] = self.at(x0);
            let third = (m1 - m0) / (x1 - x0);
            let root = math::sqrt((m0 * m0 - 2.0 * third * p).max(0.0));
            let q = -(m0 + root.copysign(m0));
            let turns = [q / third, 2.0 * p / q].map(|s| x0 + s);
            for x in turns.into_iter().filter(|x| *x > x0 && *x < x1) {
                let y = self.at(x)[0];
                let beyond = (y - high).max(low - y) / (high - low);
                if beyond > worst.map_or(0.0, |(_, most)| most) {
                    worst = Some((x, beyond));
                }
            }
        }
        worst
    }

    /// Whether it goes round for ever.
    pub fn is_periodic(&self) -> bool {
        self.periodic
    }
}

/// The second derivatives at the knots. Called with sound tables only: as many y as x, enough of them, x rising.
fn bends(x: &[f64], y: &[f64], ends: Ends) -> Vec<f64> {
    let n = x.len();
    let last = n - 1;
    let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let slope: Vec<f64> = (0..last).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
    // Rows of the tridiagonal system: below, on, above the diagonal, right-hand side.
    let mut rows = vec![[0.0, 1.0, 0.0, 0.0]; n];
    for i in 1..last {
        rows[i] = [
            h[i - 1],
            2.0 * (h[i - 1] + h[i]),
            h[i],
            6.0 * (slope[i] - slope[i - 1]),
        ];
    }
    match ends {
        Ends::Natural => solve(&rows),
        Ends::Clamped([first, end]) => {
            rows[0] = [0.0, 2.0 * h[0], h[0], 6.0 * (slope[0] - first)];
            rows[last] = [
                h[last - 1],
                2.0 * h[last - 1],
                0.0,
                6.0 * (end - slope[last - 1]),
            ];
            solve(&rows)
        }
        Ends::NotAKnot => {
            // The end's bend follows from its two neighbours, m0 = m1 + (m1 − m2) h0/h1; put into their rows, the system stays tridiagonal.
            let (a, b) = (h[0] / h[1], h[last - 1] / h[last - 2]);
            rows[1][1] += h[0] * (1.0 + a);
            rows[1][2] -= h[0] * a;
            rows[last - 1][1] += h[last - 1] * (1.0 + b);
            rows[last - 1][0] -= h[last - 1] * b;
            let mut m = vec![0.0];
            m.extend(solve(&rows[1..last]));
            m[0] = m[1] + (m[1] - m[2]) * a;
            m.push(m[last - 1] + (m[last - 1] - m[last - 2]) * b);
            m
        }
        Ends::Periodic => {
            // The corner of the cyclic system as a correction of rank one (Sherman and Morrison 1950).
            let around = h[last - 1];
            rows[0] = [
                0.0,
                2.0 * (around + h[0]),
                h[0],
                6.0 * (slope[0] - slope[last - 1]),
            ];
            rows.truncate(last);
            let corner = -rows[0][1];
            rows[0][1] -= corner;
            rows[last - 1][1] -= around * around / corner;
            let base = solve(&rows);
            for (i, row) in rows.iter_mut().enumerate() {
                row[3] = if i == 0 {
                    corner
                } else if i == last - 1 {
                    around
                } else {
                    0.0
                };
            }
            let push = solve(&rows);
            let part = |m: &[f64]| m[0] + around / corner * m[last - 1];
            let factor = part(&base) / (1.0 + part(&push));
            let mut m: Vec<f64> = base
                .iter()
                .zip(&push)
                .map(|(b, p)| b - factor * p)
                .collect();
            m.push(m[0]);
            m
        }
    }
}

/// Solves a tridiagonal system whose diagonal outweighs the rest, so that no row need be exchanged.
fn solve(rows: &[[f64; 4]]) -> Vec<f64> {
    let mut rows = rows.to_vec();
    for i in 1..rows.len() {
        let factor = rows[i][0] / rows[i - 1][1];
        rows[i][1] -= factor * rows[i - 1][2];
        rows[i][3] -= factor * rows[i - 1][3];
    }
    let mut m = vec![0.0; rows.len()];
    let mut next = 0.0;
    for (m, row) in m.iter_mut().zip(&rows).rev() {
        next = (row[3] - row[2] * next) / row[1];
        *m = next;
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 6] = [-1.0, -0.3, 0.2, 0.9, 1.1, 2.0];

    #[test]
    fn a_cubic_is_met_exactly() {
        let f = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x + 0.25 * x * x * x;
        let d = |x: f64| -2.0 + x + 0.75 * x * x;
        let y = X.map(f);
        for ends in [Ends::NotAKnot, Ends::Clamped([d(-1.0), d(2.0)])] {
            let spline = Spline::new(&X, &y, ends).expect("sound");
            for k in 0..=40 {
                // A little beyond both ends too: the last piece goes on.
                let x = -1.2 + 0.085 * f64::from(k);
                let known = [f(x), d(x), 1.0 + 1.5 * x];
                for (a, b) in spline.at(x).iter().zip(known) {
                    assert!((a - b).abs() < 1e-13, "{ends:?} {x}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn how_far_a_curve_swings_beyond_its_table_is_found() {
        let peak = [0.0, 0.0, 1.0, 0.0, 0.0];
        let far = Spline::new(&[0.0, 4.12, 4.1234, 4.127, 15.0], &peak, Ends::NotAKnot);
        let near = Spline::new(&[0.0, 1.0, 1.1, 1.2, 2.0], &peak, Ends::Natural);
        for spline in [far, near].map(|s| s.expect("sound")) {
            // Ten thousand places of every piece as the judge.
            let pieces = spline.x.windows(2).flat_map(|w| {
                let h = (w[1] - w[0]) / 1e4;
                (0..10_000).map(move |k| w[0] + h * f64::from(k))
            });
            let seen = pieces.map(|x| spline.at(x)[0]);
            let seen = seen.fold(0.0, |m: f64, y| m.max(y - 1.0).max(-y));
            let (x, beyond) = spline.overshoot().expect("it swings");
            let there = spline.at(x)[0];
            assert_eq!(beyond, (there - 1.0).max(-there));
            assert!(
                beyond > 0.1 && (beyond - seen).abs() < 1e-6 * seen,
                "{beyond} {seen}"
            );
        }
        // A cubic that rises, and a constant, stay within.
        for y in [X.map(|x| x * x * x), [2.0; 6]] {
            let spline = Spline::new(&X, &y, Ends::NotAKnot).expect("sound");
            assert!(spline.overshoot().is_none_or(|(_, beyond)| beyond < 1e-14));
        }
    }

    #[test]
    fn every_kind_is_smooth_to_the_second_derivative_and_meets_its_points() {
        let y = [0.3, -0.2, 0.7, 0.1, 0.5, 0.3];
        for ends in [
            Ends::NotAKnot,
            Ends::Natural,
            Ends::Clamped([1.0, -2.0]),
            Ends::Periodic,
        ] {
            let spline = Spline::new(&X, &y, ends).expect("sound");
            for (x, y) in X.iter().zip(y) {
                assert!((spline.at(*x)[0] - y).abs() < 1e-14);
                if *x == -1.0 || *x == 2.0 {
                    continue;
                }
                let (left, right) = (spline.at(x - 1e-9), spline.at(x + 1e-9));
                for k in 0..3 {
                    assert!((left[k] - right[k]).abs() < 1e-6, "{ends:?} {x} {k}");
                }
            }
            let [first, end] = [spline.at(-1.0), spline.at(2.0 - 1e-12)];
            match ends {
                Ends::Natural => assert!(first[2].abs() + end[2].abs() < 1e-9),
                Ends::Clamped(s) => assert!((first[1] - s[0]).abs() + (end[1] - s[1]).abs() < 1e-9),
                Ends::Periodic => {
                    for k in 0..3 {
                        assert!((first[k] - end[k]).abs() < 1e-9, "{k}: {first:?} {end:?}");
                        let (here, round) = (spline.at(0.4), spline.at(0.4 - 9.0));
                        assert!((here[k] - round[k]).abs() < 1e-12);
                    }
                }
                Ends::NotAKnot => {}
            }
        }
    }

    #[test]
    fn unsound_tables_are_refused() {
        let refused = |x: &[f64], y: &[f64], ends| Spline::new(x, y, ends).expect_err("unsound");
        assert!(matches!(
            refused(&X, &X[1..], Ends::Natural),
            Fault::Points {
                places: 6,
                values: 5,
                ..
            }
        ));
        assert!(matches!(
            refused(&[], &[], Ends::Natural),
            Fault::Points { .. }
        ));
        assert!(matches!(
            refused(&[0.0, 1.0, 1.0], &[0.0; 3], Ends::Natural),
            Fault::NotRising { index: 2, .. }
        ));
        assert!(matches!(
            refused(&X, &X, Ends::Periodic),
            Fault::NotClosed { .. }
        ));
        assert!(Spline::new(&[0.0, f64::NAN], &[0.0; 2], Ends::Natural).is_err());
        assert!(Spline::new(&[0.0, 1.0], &[0.0, f64::INFINITY], Ends::Natural).is_err());
        assert!(Spline::new(&[0.0, 1.0], &[0.0; 2], Ends::Clamped([0.0, f64::NAN])).is_err());
    }
}
