//! For how long can a motion be computed at all: how fast do motions part that start a hair from each other?
//!
//! The largest Lyapunov exponent over the time of the run (Benettin, Galgani, Giorgilli and Strelcyn 1980), by least squares through the logarithm of the distance for as long as it is small. The starts are moved by their
//! velocities, put onto the joints; distances are measured in the size of the motion.

use crate::math;
use crate::system::{Fault, Status, System};

use super::digits::line;
use super::runs::{Role, Run, Table, Traced};

/// In so many directions; one where it has to be quick.
pub(super) const DIRECTIONS: usize = 3;
/// Where a start cannot be moved in one direction, so many others are tried, there and back.
const OTHERS: usize = 3;
/// What turns by less than this part of what its way would turn it by, or the other way round, counts as if it did.
const SLIGHT: f64 = 1e-3;
/// What moves by less than this part of its reach, or by so many tolerances of it, does not move: it may be rounding, or an error of the method, that has grown.
const STILL: f64 = 1e-6;
const ERRORS: f64 = 1e5;
/// By this part of the speed, or by so many tolerances of the method if that is more.
const HAIR: f64 = 1e-10;
const ABOVE: f64 = 1e3;
/// A distance of this part of the motion is no longer small.
const PER_MILLE: f64 = 1e-3;
/// Motions have parted where they stay that far apart for so many samples, not only while a contact is late.
const STAYS: usize = 5;
/// A distance that has grown less than so many e-folds may have grown in any way.
const GROWN: f64 = 3.5;
/// What grows like an exponential function does so all the time: of so many rises over equal times the two highest leave this part of it, and so many e-folds, to the others. One blow or two do not.
const RISES: usize = 8;
const LEFT: f64 = 0.3;
const FOLDS: f64 = 2.0;
/// Motions that have come back so often and part all the same are chaotic.
pub(super) const RETURNS: usize = 4;
/// What grows less than this is a hair still.
const TAME: f64 = 1e3;
/// How a hair grows is known if it stayed small over this part of the run at least, or grew like an exponential function.
const FOLLOWED: f64 = 0.4;
/// The run as asked for may be this many e-folds more exact than its tolerance. If it and the others are still together after that, errors do not grow as they seemed to.
const BETTER: f64 = 5.0;
/// A speed that turns round counts if it was this part of the fastest both times.
const TURNS: f64 = 0.05;

/// How a hair grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth {
    /// Nothing can be said: those runs failed, or they were near each other for too short a time.
    Unknown,
    /// Not like an exponential function of time, or drivers move all there is.
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
    /// How often anything touched or turned round until then: motions that come back again and again and part all the same are chaotic.
    pub returns: usize,
    /// When an error of the size of the tolerance has become a per mille of the motion, and as large as the motion, s: from the exponent, also beyond the end of the run.
    pub reached: Option<[f64; 2]>,
    /// When the run as asked for and one of the others have parted by a per mille of the motion, s, if they have.
    pub parted: Option<f64>,
}

impl Horizon {
    /// One moved start says little: what is kept is growth that the other runs show too, or a hair that is still one at the `end` of the run, s, where nothing touches: another start might lift what this one presses.
    pub(super) fn keep_what_is_clear(&mut self, end: f64, touches: bool) {
        let clear = match self.growth {
            Growth::Unknown => true,
            Growth::Exponential(_) => self.parted.is_some(),
            Growth::Slow => !touches && self.until >= end && self.factor < math::exp(GROWN),
        };
        if !clear {
            self.growth = Growth::Unknown;
            self.reached = None;
        }
    }

    /// Whether a hair stays one to the `end` of the run, s: then what parts runs is the error of the method, not the motion.
    pub fn is_tame(&self, end: f64) -> bool {
        self.growth == Growth::Slow && self.until >= end && self.factor < TAME
    }

    /// Since when the motion is not to be believed, if that is before the `end` of the run, s.
    pub fn lost(&self, end: f64) -> Option<f64> {
        let reached = self.reached.map(|[per_mille, _]| per_mille);
        let parted = self.parted.filter(|_| !self.is_tame(end));
        let first = reached.into_iter().chain(parted).reduce(f64::min);
        first.filter(|t| *t < end)
    }
}

/// How far the runs can be compared, where none of the others came to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// How far the furthest of them came, s.
    pub until: f64,
    /// How far it is from the run as asked for up to there at most, as a part of the motion; not a number if they share no sample.
    pub apart: f64,
}

/// What distances are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scales {
    /// m, rad, m/s, rad/s: how far and how fast things moved.
    pub sizes: [f64; 4],
    /// m: how far from the origin anything was, or how large the largest body is.
    pub reach: f64,
}

/// Which size goes with x, y, angle, vx, vy, omega.
const KINDS: [usize; 6] = [0, 0, 1, 2, 2, 3];

impl Scales {
    pub fn of(table: &Table, traced: &Traced) -> Self {
        let mut sizes = [0.0_f64; 4];
        let mut reach = 0.0_f64;
        for column in traced.asked..table.width {
            let kind = kind(column - traced.asked);
            let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
            for value in table.column(column) {
                low = low.min(value);
                high = high.max(value);
            }
            let far = low.abs().max(high.abs());
            // How far from where it was, and how fast.
            let size = if kind < 2 { high - low } else { far };
            if let Some(known) = sizes.get_mut(kind).filter(|_| size.is_finite()) {
                *known = known.max(size);
            }
            if kind == 0 && far.is_finite() {
                reach = reach.max(far);
            }
        }
        let bodies = traced.model.bodies.iter().map(|entry| &entry.body);
        let arms = bodies.map(|body| math::sqrt(body.inertia() / body.mass()));
        let arm = arms.filter(|arm| arm.is_finite()).fold(0.0, f64::max);
        let reach = match reach.max(arm) {
            reach if reach > 0.0 => reach,
            _ => 1.0,
        };
        let arm = if arm > 0.0 { arm } else { reach };
        let span = traced.model.simulation.end - traced.model.simulation.start;
        let [mut way, mut angle, mut speed, mut rate] = sizes;
        // A turn moves what is an arm away: what hardly turns, or only turns, is measured by a part of that.
        // A wheel that has turned a thousand times is not known a thousand times less well.
        angle = angle.min(1.0);
        let still = STILL.max(ERRORS * traced.model.solver.rtol).min(0.1) * reach;
        way = way.max(SLIGHT * arm * angle).max(still);
        angle = angle.max(SLIGHT * way / arm).max(still / arm).min(1.0);
        // What stands still would swing about its rest, if it does anything.
        let [gx, gy] = traced.model.gravity;
        let pace = math::sqrt(math::sqrt(gx * gx + gy * gy) / reach).max(1.0 / span);
        speed = speed.max(SLIGHT * arm * rate).max(still * pace);
        rate = rate.max(SLIGHT * speed / arm).max(still / arm * pace);
        Self {
            sizes: [way, angle, speed, rate],
            reach,
        }
    }

    fn size(&self, column: usize) -> f64 {
        self.sizes.get(kind(column)).copied().unwrap_or(0.0)
    }

    /// How far two motions are apart at each sample that both have.
    pub fn distances(&self, a: &Table, b: &Table, traced: &Traced) -> Vec<f64> {
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

/// How a start is moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nudge<'a> {
    scales: &'a Scales,
    way: Way,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    /// All velocities by this part of the hair: what does not move towards each other does not then.
    Faster(f64),
    /// Every velocity by itself: a seed, and there or back.
    Aside(u64, f64),
}

impl<'a> Nudge<'a> {
    /// The ways in one direction, the best first. What touches at the start must stay together.
    pub fn ways(direction: usize, touches: bool, scales: &'a Scales) -> Vec<Self> {
        let seed = direction as u64 + 1;
        let mut ways = vec![Way::Aside(seed, 1.0)];
        if touches {
            let part = [1.0, -1.0, 0.5].get(direction).copied().unwrap_or(1.0);
            ways.insert(0, Way::Faster(part));
        }
        for other in 0..=OTHERS {
            let seed = seed + (other * DIRECTIONS) as u64;
            if other > 0 {
                ways.push(Way::Aside(seed, 1.0));
            }
            ways.push(Way::Aside(seed, -1.0));
        }
        ways.into_iter().map(|way| Self { scales, way }).collect()
    }
}

/// Moves the start of a system by a hair; whether it did: nothing that stands still, or that drivers move, gets faster.
pub(super) fn nudge(system: &mut System, nudge: &Nudge<'_>, rtol: f64) -> Result<bool, Fault> {
    let hair = HAIR.max(ABOVE * rtol).min(0.1 * PER_MILLE);
    let (_, _, v) = system.start();
    let before = v.to_vec();
    let mut v = before.clone();
    let [_, _, speed, rate] = nudge.scales.sizes;
    let size = |i: usize| if i % 3 == 2 { rate } else { speed };
    match nudge.way {
        Way::Faster(part) => v.iter_mut().for_each(|v| *v *= 1.0 + hair * part),
        Way::Aside(seed, sign) => {
            let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed);
            for (i, v) in v.iter_mut().enumerate() {
                // Between −1 and 1, always the same numbers (Steele, Lea and Flood 2014: SplitMix).
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^= z >> 31;
                let part = (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
                *v += sign * hair * part * size(i);
            }
        }
    }
    system.start_with(&v)?;
    let (_, _, after) = system.start();
    let moved = after.iter().zip(&before).enumerate();
    let moved = moved.map(|(i, (a, b))| (a - b).abs() / size(i));
    Ok(moved.fold(0.0, f64::max) > 0.01 * hair)
}

/// How far the furthest of the others came, and how far apart they are until then.
pub(super) fn reach(runs: &[Run], traced: &Traced, scales: &Scales) -> Reach {
    let others = runs.iter().skip(1).filter(|r| r.ran.role != Role::Moved);
    let came = |run: &&Run| run.ran.until;
    let far = others.filter(|run| came(run).is_finite());
    let nowhere = Reach {
        until: traced.model.simulation.start,
        apart: f64::NAN,
    };
    let furthest = far.max_by(|a, b| came(a).total_cmp(&came(b)));
    let Some((furthest, asked)) = furthest.zip(runs.first()) else {
        return nowhere;
    };
    // The last sample of a run that broke off is its own.
    let shared = furthest.table.t.iter().zip(&asked.table.t);
    let shared = shared.take_while(|(a, b)| a == b).count();
    let distances = scales.distances(&asked.table, &furthest.table, traced);
    Reach {
        until: furthest.ran.until,
        apart: distances.into_iter().take(shared).fold(f64::NAN, f64::max),
    }
}

/// From when on two runs are a per mille of the motion apart, s.
pub(super) fn since(asked: &Run, run: &Run, traced: &Traced, scales: &Scales) -> Option<f64> {
    let distances = scales.distances(&asked.table, &run.table, traced);
    let at = parted(&distances)?;
    asked.table.t.get(at).copied()
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
        returns: 0,
        reached: None,
        parted: None,
    };
    if let Some((asked, others)) = runs.split_first() {
        // The run in short steps may part from all the others because it has seen more.
        let ended = others.iter().filter(|r| r.ran.role != Role::Short);
        let ended = ended.filter(|r| r.ran.status == Status::Completed);
        let times = ended.filter_map(|run| since(asked, run, traced, scales));
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
    let tail = tail.iter().sum::<f64>() / tail.len() as f64;
    horizon.factor = math::exp(tail - first.1);
    horizon.until = start + last.0;
    let end = traced.model.simulation.end;
    if last.0 >= FOLLOWED * (end - start) {
        horizon.growth = Growth::Slow;
    }
    let touched = base.contacts.iter().map(|c| c.episode.start);
    horizon.returns =
        touched.filter(|t| *t <= horizon.until).count() + turns(&base.table, small, traced, scales);
    let power: Vec<(f64, f64)> = points
        .iter()
        .filter(|p| p.0 > 0.0)
        .map(|p| (math::ln(p.0), p.1))
        .collect();
    let over_time: Vec<(f64, f64)> = points.iter().copied().filter(|p| p.0 > 0.0).collect();
    let (Some(fit), Some(other)) = (line(&over_time), line(&power)) else {
        return horizon;
    };
    // Blow upon blow is as good as the better fit, if it goes on until they part.
    let parts = small < ways.iter().map(Vec::len).min().unwrap_or(0);
    let blows = parts && horizon.returns >= RETURNS;
    let exponential = blows || fit.left < other.left;
    if exponential && fit.slope * last.0 >= GROWN && all_the_time(&points) {
        let at = |size: f64| {
            start + ((math::ln(size / rtol) + first.1 - fit.value) / fit.slope).max(0.0)
        };
        let reached = [at(PER_MILLE), at(1.0)];
        if horizon.parted.is_none() && reached[0] + BETTER / fit.slope < end {
            horizon.growth = Growth::Unknown;
        } else {
            horizon.growth = Growth::Exponential(fit.slope);
            horizon.reached = Some(reached);
        }
    }
    horizon
}

/// Whether logarithms rise all the time, not by a blow or two.
fn all_the_time(points: &[(f64, f64)]) -> bool {
    let piece = points.len().div_ceil(RISES + 1).max(1);
    let mean = |piece: &[(f64, f64)]| {
        let sum = piece.iter().map(|p| p.1).sum::<f64>();
        sum / piece.len() as f64
    };
    let levels: Vec<f64> = points.chunks(piece).map(mean).collect();
    let pairs = levels.windows(2).filter_map(|pair| pair.as_array::<2>());
    let mut rises: Vec<f64> = pairs.map(|[a, b]| b - a).collect();
    let whole: f64 = rises.iter().sum();
    rises.sort_unstable_by(|a, b| b.total_cmp(a));
    let others: f64 = rises.iter().skip(2).sum();
    others >= (LEFT * whole).max(FOLDS)
}

/// How often a speed turns round within the first samples.
fn turns(table: &Table, samples: usize, traced: &Traced, scales: &Scales) -> usize {
    let speeds = (traced.asked..table.width).filter(|c| kind(c - traced.asked) > 1);
    let counts = speeds.map(|column| {
        let least = TURNS * scales.size(column - traced.asked);
        let fast = table
            .column(column)
            .take(samples)
            .filter(|v| v.abs() > least);
        let (_, turns) = fast.fold((0.0_f64, 0), |(last, turns), v| {
            (v, turns + usize::from(last * v < 0.0))
        });
        turns
    });
    counts.max().unwrap_or(0)
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
    fn one_blow_or_two_are_no_exponential_growth() {
        let grown = |log: &dyn Fn(f64) -> f64| {
            let points: Vec<(f64, f64)> = (0..200)
                .map(|k| f64::from(k) / 200.0)
                .map(|t| (t, log(t)))
                .collect();
            all_the_time(&points)
        };
        assert!(grown(&|t| 10.0 * t));
        assert!(grown(&|t| (20.0 * t).floor() / 2.0));
        assert!(!grown(&|t| if t < 0.4 { 0.0 } else { 12.0 }));
        assert!(!grown(&|t| 6.0 * (3.0 * t).floor().min(2.0)));
        assert!(!grown(&|t| 1.5 * t));
        assert!(!all_the_time(&[]));
    }

    #[test]
    fn the_motion_is_lost_at_the_earlier_of_both_times_if_it_is_before_the_end() {
        let horizon = |reached: Option<[f64; 2]>, parted| Horizon {
            growth: Growth::Slow,
            factor: 1.0,
            until: 0.8,
            returns: 0,
            reached,
            parted,
        };
        assert_eq!(horizon(Some([0.5, 0.9]), Some(0.7)).lost(1.0), Some(0.5));
        assert_eq!(horizon(Some([1.5, 2.9]), Some(0.7)).lost(1.0), Some(0.7));
        assert_eq!(horizon(Some([1.5, 2.9]), None).lost(1.0), None);
        // Where a hair stays one to the end it is the method that is off.
        assert_eq!(horizon(None, Some(0.7)).lost(1.0), Some(0.7));
        assert_eq!(horizon(None, Some(0.7)).lost(0.8), None);
    }
}
