//! For how long can a motion be computed at all: how fast do motions part that start a hair from each other?
//!
//! The largest Lyapunov exponent over the time of the run (Benettin, Galgani, Giorgilli and Strelcyn 1980), by least squares through the logarithm of the distance for as long as it is small. The starts are moved by their
//! velocities, put onto the joints; distances are measured in the size of the motion.

use crate::math;
use crate::system::{Fault, Status, System};

use super::digits::line;
use super::runs::{Role, Run, Table, Traced};

/// In so many directions.
pub(super) const DIRECTIONS: usize = 3;
/// By this part of the speed, or by so many tolerances of the method if that is more.
const HAIR: f64 = 1e-10;
const ABOVE: f64 = 1e3;
/// A distance of this part of the motion is no longer small.
const PER_MILLE: f64 = 1e-3;
/// Motions have parted where they stay that far apart for so many samples, not only while a contact is late.
const STAYS: usize = 5;
/// A distance that has grown less than so many e-folds may have grown in any way.
const GROWN: f64 = 3.5;

/// How a hair grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// Nothing could be said: nothing is free to move, or those runs failed.
    Unknown,
    /// Not like an exponential function of time.
    Slow,
    /// Like one: the exponent, 1/s.
    Exponential(f64),
}

/// For how long the motion can be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// How a hair grows.
    pub growth: Growth,
    /// How many times as large the hair was in the end, or where it was no longer small.
    pub factor: f64,
    /// When that was, s.
    pub until: f64,
    /// When an error of the size of the tolerance has become a per mille of the motion, and as large as the motion, s: from the exponent, also beyond the end of the run.
    pub reached: Option<[f64; 2]>,
    /// When the run as asked for and one of the others have parted by a per mille of the motion, s, if they have.
    pub parted: Option<f64>,
}

impl Horizon {
    /// Since when the motion is not to be believed, if that is before the `end` of the run, s.
    pub fn lost(&self, end: f64) -> Option<f64> {
        let reached = self.reached.map(|[per_mille, _]| per_mille);
        let first = reached.into_iter().chain(self.parted).reduce(f64::min);
        first.filter(|t| *t < end)
    }
}

/// What distances are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scales {
    /// m, rad, m/s, rad/s: how far and how fast things moved.
    pub sizes: [f64; 4],
}

/// Which size goes with x, y, angle, vx, vy, omega.
const KINDS: [usize; 6] = [0, 0, 1, 2, 2, 3];

impl Scales {
    pub fn of(table: &Table, traced: &Traced) -> Self {
        let mut sizes = [0.0_f64; 4];
        for column in traced.asked..table.width {
            let kind = kind(column - traced.asked);
            let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
            for value in table.column(column) {
                low = low.min(value);
                high = high.max(value);
            }
            // How far from where it was, and how fast.
            let size = if kind < 2 {
                high - low
            } else {
                low.abs().max(high.abs())
            };
            if let Some(known) = sizes.get_mut(kind).filter(|_| size.is_finite()) {
                *known = known.max(size);
            }
        }
        // A wheel that has turned a thousand times is not known a thousand times less well.
        sizes[1] = sizes[1].min(1.0);
        Self { sizes }
    }

    fn size(&self, column: usize) -> f64 {
        self.sizes.get(kind(column)).copied().unwrap_or(0.0)
    }

    /// How far two motions are apart at each sample that both have.
    fn distances(&self, a: &Table, b: &Table, traced: &Traced) -> Vec<f64> {
        let width = a.width.max(1);
        let rows = a.values.chunks_exact(width);
        let rows = rows.zip(b.values.chunks_exact(b.width.max(1)));
        rows.map(|(a, b)| {
            let states = a.iter().zip(b).skip(traced.asked).enumerate();
            states.fold(0.0, |d: f64, (i, (a, b))| {
                let size = self.size(i);
                match size > 0.0 {
                    true => d.max((a - b).abs() / size),
                    false => d,
                }
            })
        })
        .collect()
    }
}

fn kind(column: usize) -> usize {
    KINDS.get(column % KINDS.len()).copied().unwrap_or(0)
}

/// Moves the start of a system by a hair in one of several directions.
pub(super) fn nudge(
    system: &mut System,
    direction: usize,
    scales: &Scales,
    rtol: f64,
) -> Result<(), Fault> {
    let hair = HAIR.max(ABOVE * rtol).min(0.1 * PER_MILLE);
    let (_, _, v) = system.start();
    let mut v = v.to_vec();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(direction as u64 + 1);
    for (i, v) in v.iter_mut().enumerate() {
        // Between −1 and 1, always the same numbers (Steele, Lea and Flood 2014: SplitMix).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let part = (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        let size = if i % 3 == 2 {
            scales.sizes[3]
        } else {
            scales.sizes[2]
        };
        *v += hair * part * size;
    }
    system.start_with(&v)
}

/// How fast motions part, and when.
pub(super) fn horizon(
    runs: &[Run],
    tightest: usize,
    moved: &[Run],
    traced: &Traced,
    scales: &Scales,
    rtol: f64,
) -> Horizon {
    let mut horizon = Horizon {
        growth: Growth::Unknown,
        factor: f64::NAN,
        until: f64::NAN,
        reached: None,
        parted: None,
    };
    if let Some((asked, others)) = runs.split_first() {
        let ended = others.iter().filter(|r| r.ran.status == Status::Completed);
        let times = ended.filter_map(|run| {
            let distances = scales.distances(&asked.table, &run.table, traced);
            let at = parted(&distances)?;
            asked.table.t.get(at).copied()
        });
        horizon.parted = times.reduce(f64::min);
    }
    let Some(base) = runs.get(tightest) else {
        return horizon;
    };
    let ways: Vec<Vec<f64>> = moved
        .iter()
        .filter(|run| run.ran.role == Role::Moved && run.ran.status == Status::Completed)
        .map(|run| scales.distances(&base.table, &run.table, traced))
        .filter(|way| way.first().is_some_and(|d| *d > 0.0))
        .collect();
    let (Some(&start), false) = (base.table.t.first(), ways.is_empty()) else {
        return horizon;
    };
    // As far as the first of them stays small.
    let small = ways
        .iter()
        .map(|way| parted(way).unwrap_or(way.len()))
        .min()
        .unwrap_or(0);
    let mean = |k: usize| {
        let logs = ways.iter().filter_map(|way| way.get(k));
        let logs = logs.filter(|d| **d > 0.0).map(|d| math::ln(*d));
        let (sum, n) = logs.fold((0.0, 0.0), |(s, n), l| (s + l, n + 1.0));
        (n > 0.0).then(|| sum / n)
    };
    let points: Vec<(f64, f64)> = (0..small)
        .filter_map(|k| Some((base.table.t.get(k)? - start, mean(k)?)))
        .collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return horizon;
    };
    // Spikes, while one contact is late, say less than what they stand in.
    let tail = points.iter().rev().take(1 + points.len() / 50);
    let tail: Vec<f64> = tail.map(|p| p.1).collect();
    let end = tail.iter().sum::<f64>() / tail.len() as f64;
    horizon.factor = math::exp(end - first.1);
    horizon.until = start + last.0;
    horizon.growth = Growth::Slow;
    let power: Vec<(f64, f64)> = points
        .iter()
        .filter(|p| p.0 > 0.0)
        .map(|p| (math::ln(p.0), p.1))
        .collect();
    let over_time: Vec<(f64, f64)> = points.iter().copied().filter(|p| p.0 > 0.0).collect();
    let (Some(fit), Some(other)) = (line(&over_time), line(&power)) else {
        return horizon;
    };
    let parts = small < ways.iter().map(Vec::len).min().unwrap_or(0);
    if fit.slope * last.0 >= GROWN && (parts || fit.left < other.left) {
        horizon.growth = Growth::Exponential(fit.slope);
        let at = |size: f64| {
            start + ((math::ln(size / rtol) + first.1 - fit.value) / fit.slope).max(0.0)
        };
        horizon.reached = Some([at(PER_MILLE), at(1.0)]);
    }
    horizon
}

/// From which sample on two motions are no longer near each other.
fn parted(distances: &[f64]) -> Option<usize> {
    let away = |d: &f64| !(*d < PER_MILLE);
    let mut windows = distances.windows(STAYS.min(distances.len().max(1)));
    windows.position(|window| window.iter().all(away))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_have_parted_where_they_stay_apart() {
        let near = [1e-9, 1e-2, 1e-9, 1e-9, 1e-9, 1e-9];
        assert_eq!(parted(&near), None);
        let far = [1e-9, 1e-2, 1e-9, 2e-3, 2e-3, 5e-3, 1e-2, 0.1, 1.0];
        assert_eq!(parted(&far), Some(3));
        assert_eq!(parted(&[]), None);
    }

    #[test]
    fn the_motion_is_lost_at_the_earlier_of_both_times_if_it_is_before_the_end() {
        let horizon = |reached: Option<[f64; 2]>, parted| Horizon {
            growth: Growth::Slow,
            factor: 1.0,
            until: 1.0,
            reached,
            parted,
        };
        assert_eq!(horizon(Some([0.5, 0.9]), Some(0.7)).lost(1.0), Some(0.5));
        assert_eq!(horizon(Some([1.5, 2.9]), Some(0.7)).lost(1.0), Some(0.7));
        assert_eq!(horizon(Some([1.5, 2.9]), None).lost(1.0), None);
    }
}
