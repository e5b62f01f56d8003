//! How far is a measured point of indentation and force from the loop of an impact?
//!
//! Both columns are measured, and nobody noted the instant: it is a number of every point's own. It is taken where the loop is nearest, with distances in units of each column's noise (orthogonal distance regression, Boggs, Byrd and
//! Schnabel 1987), so that one residual a point is left and the freedom is points less parameters.

use crate::impact::{Impact, Sample};
use crate::math;

use super::forward::History;
use super::least;

/// The noise of the indentation over that of the force, each as a share of the largest: no column counts as quieter than a fifth of the other. Within these bounds the ratio moves little of what is found, and a column without noise does not rule alone.
const RATIOS: [f64; 2] = [0.2, 5.0];
/// Rows closer to the deepest point than so many times the noise of the indentation are not compared: the loop turns there within its noise, and its nearest point would draw it outward. As shares of the deepest, at least and at most.
const TIP: f64 = 4.0;
const TIPS: [f64; 2] = [0.05, 0.4];
/// A number that stands out from both its neighbours by so many times the noise, and by this share of the largest, has gone wrong: its row is not compared, since a point far from the loop would turn it.
const ODD: f64 = 8.0;
const LEAST_ODD: f64 = 0.1;

/// Where a loop is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// The distance, in units of the force's size, positive where the point lies above the loop.
    pub off: f64,
    /// The force there, N.
    pub force: f64,
}

/// One way of a loop, in or back, as a chain of points whose indentation does not fall: m and N.
#[derive(Clone, Debug)]
pub(super) struct Way(Vec<[f64; 2]>);

impl Way {
    /// The way in and the way back, with the free flight before and after; `reach` is far beyond all points, in m and N. With a `tip`, a share of the deepest, each is left half of that before the deepest point and goes straight on: what
    /// the loop does there is not to matter. Without one each goes straight up or down from the deepest point, as the loop itself does there.
    pub fn both(impact: &Impact, reach: [f64; 2], tip: Option<f64>) -> [Self; 2] {
        let history = History::new(impact);
        let deepest = impact.deepest.delta;
        let end = deepest * (1.0 - 0.5 * tip.unwrap_or(0.0));
        let way = |samples: &mut dyn Iterator<Item = &Sample>, top: f64, on: f64| {
            let mut points = vec![[-reach[0], 0.0]];
            let mut last = f64::NEG_INFINITY;
            for sample in samples {
                if sample.delta > end {
                    break;
                }
                let delta = sample.delta.max(last);
                if last == f64::NEG_INFINITY {
                    // Some forces begin or end with a jump.
                    points.push([delta, 0.0]);
                }
                last = delta;
                points.push([delta, sample.force()]);
            }
            match (tip, points.as_slice()) {
                (Some(_), [.., a, b]) if b[0] > a[0] => {
                    let slope = (b[1] - a[1]) / (b[0] - a[0]);
                    points.push([b[0] + reach[0], b[1] + slope * reach[0]]);
                }
                _ => points.extend([[deepest, top], [deepest, top + on]]),
            }
            Self(points)
        };
        let [going_in, back] = history.ways();
        let [top_in, top_back] = history.tops();
        [
            way(&mut going_in.iter(), top_in, -reach[1]),
            way(&mut back.iter().rev(), top_back, reach[1]),
        ]
    }

    /// The points, to draw.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.0
    }

    /// The nearest point; `size` is what one unit of indentation and force is.
    pub fn nearest(&self, point: [f64; 2], size: [f64; 2], ratio: f64) -> Option<Foot> {
        let unit = [ratio * size[0], size[1]];
        let mut best: Option<(f64, Foot)> = None;
        // Whether the chain can still be nearer where its indentation is this.
        let hopeless = |delta: f64, best: &Option<(f64, Foot)>| {
            let away = (delta - point[0]) / unit[0];
            best.is_some_and(|(least, _)| away * away > least)
        };
        let at = self.0.partition_point(|q| q[0] <= point[0]);
        let look = |pair: &[[f64; 2]], best: &mut Option<(f64, Foot)>| {
            let [Some(from), Some(to)] = [pair.first(), pair.get(1)] else {
                return;
            };
            let d = [0, 1].map(|k| (to[k] - from[k]) / unit[k]);
            let p = [0, 1].map(|k| (point[k] - from[k]) / unit[k]);
            let square = d[0] * d[0] + d[1] * d[1];
            if !(square > 0.0) {
                return;
            }
            let s = ((d[0] * p[0] + d[1] * p[1]) / square).clamp(0.0, 1.0);
            let gap = [0, 1].map(|k| p[k] - s * d[k]);
            let distance = gap[0] * gap[0] + gap[1] * gap[1];
            if best.is_some_and(|(least, _)| least <= distance) {
                return;
            }
            let above = d[0] * gap[1] - d[1] * gap[0];
            let foot = Foot {
                off: math::sqrt(distance).copysign(above),
                force: from[1] + s * (to[1] - from[1]),
            };
            *best = Some((distance, foot));
        };
        for pair in self.0.get(at.saturating_sub(1)..)?.windows(2) {
            if pair
                .first()
                .is_some_and(|from| hopeless(from[0].max(point[0]), &best))
            {
                break;
            }
            look(pair, &mut best);
        }
        for pair in self.0.get(..at)?.windows(2).rev() {
            if pair.get(1).is_some_and(|to| hopeless(to[0], &best)) {
                break;
            }
            look(pair, &mut best);
        }
        best.map(|(_, foot)| foot)
    }
}

/// How a record of a loop is read, from its points alone: the same for all laws.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The noise of the indentation over that of the force, each in units of its size.
    pub ratio: f64,
    /// The first row on the way back.
    pub back: usize,
    /// How deep the tip of the loop is, as a share of the deepest.
    pub tip: f64,
    /// The rows that are compared: all but those at the tip and those that have gone wrong.
    pub rows: Vec<usize>,
    /// What one unit of the indentation is at every point, m.
    pub sizes: Vec<f64>,
}

impl Reading {
    /// Of indentations and forces, each with its sizes.
    pub fn new([x, y]: [&[f64]; 2], [deep, loud]: [Vec<f64>; 2]) -> Self {
        // The middle of a twentieth of all rows: neither an outlier nor noise is the deepest point.
        let half = (x.len() / 40).max(2);
        let middle = |i: usize| {
            let range = i.saturating_sub(half)..(i + half + 1).min(x.len());
            let mut near = x.get(range).unwrap_or_default().to_vec();
            near.sort_by(f64::total_cmp);
            near.get(near.len() / 2).copied().unwrap_or(0.0)
        };
        let smooth: Vec<f64> = (0..x.len()).map(middle).collect();
        let deepest = smooth.iter().copied().fold(0.0, f64::max);
        let [quiet, noisy] = [rough(x, &deep), rough(y, &loud)];
        let ratio = match quiet == noisy {
            true => 1.0,
            false => (quiet / noisy).clamp(RATIOS[0], RATIOS[1]),
        };
        // An outlier makes the size larger than the deepest point is.
        let size = match deepest > 0.0 {
            true => deep.iter().copied().fold(0.0, f64::max) / deepest,
            false => 1.0,
        };
        let tip = (TIP * quiet * size).clamp(TIPS[0], TIPS[1]);
        let within = |x: &f64| *x >= (1.0 - tip) * deepest;
        let first = smooth.iter().position(within).unwrap_or(0);
        let last = smooth.iter().rposition(within).unwrap_or(0);
        Self {
            ratio,
            // Anywhere at the tip, whose rows are not compared.
            back: (first + last) / 2 + 1,
            tip,
            rows: (0..x.len())
                .filter(|i| !(first..=last).contains(i))
                .filter(|i| !odd(x, &deep, quiet, *i) && !odd(y, &loud, noisy, *i))
                .collect(),
            sizes: deep,
        }
    }
}

/// Whether a number stands out from both its neighbours, by more than the noise of the column, in units of its size, explains.
fn odd(column: &[f64], sizes: &[f64], noise: f64, i: usize) -> bool {
    let near = column.get(i.saturating_sub(1)..i + 2).unwrap_or_default();
    let ([a, b, c], Some(size)) = (near, sizes.get(i)) else {
        return false;
    };
    let nearer = (b - a.max(*c)).max(a.min(*c) - b);
    nearer > (ODD * noise).max(LEAST_ODD) * size
}

/// The noise of a column in units of its size: from third differences of its rows, which leave little of a smooth course; of normal noise their variance is twenty times its own.
pub(super) fn rough(column: &[f64], sizes: &[f64]) -> f64 {
    let third = |(w, size): (&[f64], &f64)| match w {
        [a, b, c, d] => (d - a - 3.0 * (c - b)) / size,
        _ => 0.0,
    };
    let all: Vec<f64> = column.windows(4).zip(sizes).map(third).collect();
    least::median_scale(&all) / math::sqrt(20.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_taken_in_units_of_the_noise_and_its_side_is_told() {
        // Flight, a corner at touch, and a straight rise.
        let way = Way(vec![[-10.0, 0.0], [0.0, 0.0], [10.0, 10.0]]);
        let off = |point, ratio| way.nearest(point, [1.0, 1.0], ratio).map(|foot| foot.off);
        let near = |found: Option<f64>, off: f64| found.is_some_and(|x| (x - off).abs() < 1e-12);
        let root = core::f64::consts::SQRT_2;
        assert!(near(off([5.0, 6.0], 1.0), 1.0 / root));
        assert!(near(off([6.0, 5.0], 1.0), -1.0 / root));
        assert!(near(off([-3.0, 2.0], 1.0), 2.0));
        // y = x in units of 1/2 and 1 has the slope 1/2: one above it is 1/√(1 + 1/4) off.
        assert!(near(off([5.0, 6.0], 0.5), 1.0 / 1.25_f64.sqrt()));
    }

    #[test]
    fn third_differences_tell_the_noise_of_a_smooth_course() {
        // A parabola has none; ±1 in turns has third differences of 8 each time, over √20 and the middle of a normal noise.
        let parabola: Vec<f64> = (0..50).map(|i| f64::from(i * i)).collect();
        assert_eq!(rough(&parabola, &[1.0; 50]), 0.0);
        let turns: Vec<f64> = (0..50).map(|i| f64::from(1 - 2 * (i % 2))).collect();
        let expected = 1.482_6 * 8.0 / 20.0_f64.sqrt();
        assert!((rough(&turns, &[1.0; 50]) - expected).abs() < 1e-12);
    }

    #[test]
    fn rows_at_the_tip_are_left_out_and_those_behind_it_are_on_the_way_back() {
        let x: Vec<f64> = (0..101)
            .map(|i| math::sin(core::f64::consts::PI * f64::from(i) / 100.0))
            .collect();
        let sizes = || vec![1.0; x.len()];
        let reading = Reading::new([&x, &x], [sizes(), sizes()]);
        assert_eq!((reading.back, reading.ratio), (51, 1.0));
        // The sine is above 0.95 from 71.8° on.
        let kept = |i: &usize| *i < 40 || *i > 60;
        assert!(reading.rows.iter().all(kept) && reading.rows.len() == 80);
    }
}
