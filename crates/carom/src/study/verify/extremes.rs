//! How small and how large does a channel get on the way, between samples too?
//!
//! The extreme of samples is not that of the motion: all runs share the times of the samples, and so all of them miss the same peaks. Here every accepted step and both sides of every event count as well, and between
//! them a polynomial through the neighbours. How far one of lower degree is from it says how much is to be believed.

use crate::model::Channel;
use crate::system::When;

/// Instants through which a polynomial goes at most.
const NODES: usize = 11;
const MIDDLE: usize = NODES / 2;
/// Instants nearer to each other than this part of what was between the last two would only magnify rounding.
const CROWDED: f64 = 0.2;
/// A peak between instants counts if those around it are expected by all the others to this part of their differences: across a kink a polynomial swings, to where the channel never is.
const SMOOTH: f64 = 0.02;
/// Places at which a polynomial is looked at between two neighbours, and how often what is around the best of them is narrowed.
const PLACES: usize = 12;
const NARROWED: usize = 40;

/// One extreme of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::study) struct Extreme {
    /// Over the whole motion; not finite if the channel never was.
    pub value: f64,
    /// How much further it may go between the instants that were looked at.
    pub doubt: f64,
    /// Over the samples only.
    pub sampled: f64,
    /// When it is reached first, s.
    pub at: f64,
    /// How much the channel changes there within the rounding of that time.
    pub shaken: f64,
}

/// What is known of a channel between instants.
#[derive(Clone, Copy, Debug)]
pub(in crate::study) struct Nature {
    /// Whether it has other values there than at the instants.
    smooth: bool,
    /// Whether it goes on in steps of time, with impacts somewhere within a step: what it would have reached by then stands at no instant.
    stepped: bool,
    /// It is never less than this; a polynomial may be.
    least: f64,
}

impl Nature {
    /// Of a channel that is smooth between instants, or goes on in steps of time, or neither.
    pub fn of(channel: &Channel, smooth: bool, stepped: bool) -> Self {
        let least = match channel.is_never_negative() {
            true => 0.0,
            false => f64::NEG_INFINITY,
        };
        Self {
            smooth,
            stepped,
            least,
        }
    }
}

/// The least and the largest of one channel; both are followed as the largest, the least of it turned over.
#[derive(Clone, Copy, Debug)]
struct Best {
    value: f64,
    /// With its doubt.
    reach: f64,
    sampled: f64,
    at: f64,
    shaken: f64,
}

impl Best {
    const NONE: Best = Best {
        value: f64::NEG_INFINITY,
        reach: f64::NEG_INFINITY,
        sampled: f64::NEG_INFINITY,
        at: f64::NAN,
        shaken: 0.0,
    };

    /// A value at a time, and how much the channel changes within the rounding of that.
    fn take(&mut self, value: f64, doubt: f64, [at, shaken]: [f64; 2]) {
        if value.is_finite() {
            if value > self.value {
                (self.value, self.at, self.shaken) = (value, at, shaken);
            }
            self.reach = self.reach.max(value + doubt);
        }
    }
}

/// The extremes of all channels, as a run goes on.
#[derive(Clone, Debug)]
pub(in crate::study) struct Extremes {
    /// Of every channel.
    natures: Vec<Nature>,
    width: usize,
    /// The last instants since an event, s.
    times: [f64; NODES],
    count: usize,
    /// How many of them, from the first, have been looked around.
    looked: usize,
    /// The channels there, instant by instant.
    rows: Vec<f64>,
    best: Vec<[Best; 2]>,
    /// The last two instants, s, however near each other, and the channels there, …
    last: [(f64, Vec<f64>); 2],
    /// … how much each changes within the rounding of its time, …
    shaken: Vec<f64>,
    /// … and where that is most of all samples.
    worst: Vec<f64>,
}

impl Extremes {
    /// Of channels of this nature.
    pub fn new(natures: Vec<Nature>) -> Self {
        let width = natures.len();
        Self {
            natures,
            width,
            times: [0.0; NODES],
            count: 0,
            looked: 0,
            rows: vec![0.0; NODES * width],
            best: vec![[Best::NONE; 2]; width],
            last: std::array::from_fn(|_| (f64::NAN, vec![f64::NAN; width])),
            shaken: vec![0.0; width],
            worst: vec![0.0; width],
        }
    }

    /// How much every channel changes within the rounding of the time: at the end, and at the sample where that is most. No run is more exact than that, whatever its tolerance: what depends on time is computed from the same rounded
    /// time in all of them.
    pub fn shaken(&self) -> Vec<[f64; 2]> {
        let both = self.shaken.iter().zip(&self.worst);
        both.map(|(end, worst)| [*end, *worst]).collect()
    }

    /// Looks from this instant back to the last two.
    fn look_back(&mut self, t: f64, moment: When, values: &[f64]) {
        let [before, last] = &mut self.last;
        if t > last.0 || !last.0.is_finite() {
            let columns = values.iter().zip(&last.1).zip(&before.1);
            let columns = columns.zip(&self.natures).zip(&mut self.best);
            for (((((x, a), b), nature), best), shaken) in columns.zip(&mut self.shaken) {
                let rate = ((x - a) / (t - last.0)).abs();
                *shaken = match rate * f64::EPSILON * t.abs() {
                    shaken if shaken.is_finite() => shaken,
                    _ => 0.0,
                };
                // Beside a jump it may have gone on for a step; what has no such neighbour is where it began or ended.
                let [after, before] = [(x - a).abs(), (a - b).abs()];
                if nature.stepped && after.is_finite() && before.is_finite() {
                    let step = after.min(before);
                    best[0].take(-a, step, [last.0, *shaken]);
                    best[1].take(*a, step, [last.0, *shaken]);
                }
            }
            self.last.rotate_left(1);
        } else if moment != When::After {
            return;
        }
        let [_, last] = &mut self.last;
        last.0 = t;
        for (known, x) in last.1.iter_mut().zip(values) {
            *known = *x;
        }
    }

    /// A sample that stands in the results.
    pub fn sample(&mut self, values: &[f64]) {
        for (best, x) in self.best.iter_mut().zip(values) {
            if x.is_finite() {
                best[0].sampled = best[0].sampled.max(-x);
                best[1].sampled = best[1].sampled.max(*x);
            }
        }
    }

    /// An instant.
    pub fn instant(&mut self, t: f64, moment: When, values: &[f64]) {
        self.look_back(t, moment, values);
        let columns = self.best.iter_mut().zip(values).zip(&self.shaken);
        for ((best, x), shaken) in columns {
            best[0].take(-x, 0.0, [t, *shaken]);
            best[1].take(*x, 0.0, [t, *shaken]);
        }
        if moment == When::Sample {
            for (worst, shaken) in self.worst.iter_mut().zip(&self.shaken) {
                *worst = worst.max(*shaken);
            }
        }
        if !self.natures.iter().any(|nature| nature.smooth) {
            return;
        }
        if moment == When::After {
            self.rest();
        }
        if let [.., last] = self.known() {
            let before = match self.known() {
                [.., a, b] => b - a,
                _ => 0.0,
            };
            if !(t - last > CROWDED * before) {
                return;
            }
        }
        if self.count == NODES {
            self.times.rotate_left(1);
            self.rows.rotate_left(self.width);
            self.count -= 1;
            self.looked = self.looked.saturating_sub(1);
        }
        let at = self.count * self.width;
        let row = self.rows.get_mut(at..at + self.width);
        if let (Some(time), Some(row)) = (self.times.get_mut(self.count), row) {
            *time = t;
            for (x, value) in row.iter_mut().zip(values) {
                *x = *value;
            }
            self.count += 1;
        }
        if self.count == NODES {
            self.look(MIDDLE + 1);
        }
    }

    fn known(&self) -> &[f64] {
        self.times.get(..self.count).unwrap_or_default()
    }

    /// Looks around what is left; nothing of it has to do with what comes.
    fn rest(&mut self) {
        self.look(self.count);
        self.count = 0;
        self.looked = 0;
    }

    /// Looks around every instant up to this one.
    fn look(&mut self, end: usize) {
        let last = self.count.saturating_sub(1);
        for i in self.looked..end {
            let columns = self.best.iter_mut().zip(&self.natures).enumerate();
            for (column, (best, _)) in columns.filter(|(_, (_, nature))| nature.smooth) {
                let mut x = [0.0; NODES];
                let from = self.rows.iter().skip(column).step_by(self.width.max(1));
                for (x, value) in x.iter_mut().zip(from) {
                    *x = *value;
                }
                for (best, sign) in best.iter_mut().zip([-1.0, 1.0]) {
                    let mut x = x;
                    x.iter_mut().for_each(|x| *x *= sign);
                    let nodes = Nodes {
                        t: &self.times,
                        x: &x,
                    };
                    nodes.around(i, last, best);
                }
            }
        }
        self.looked = self.looked.max(end);
    }

    /// The least and the largest of every channel.
    pub fn finish(mut self) -> Vec<[Extreme; 2]> {
        self.rest();
        let one = |best: &Best, sign: f64| Extreme {
            value: sign * best.value,
            doubt: (best.reach - best.value).max(0.0),
            sampled: sign * best.sampled,
            at: best.at,
            shaken: best.shaken,
        };
        let all = self.best.iter().zip(&self.natures);
        let both = |([least, largest], nature): (&[Best; 2], &Nature)| {
            let [mut least, largest] = [one(least, -1.0), one(largest, 1.0)];
            if least.value < nature.least {
                // By so much the polynomial was wrong.
                least.doubt = least.doubt.max(nature.least - least.value);
                least.value = nature.least;
            }
            [least, largest]
        };
        all.map(both).collect()
    }
}

/// One channel at the last instants.
struct Nodes<'a> {
    t: &'a [f64; NODES],
    x: &'a [f64; NODES],
}

impl Nodes<'_> {
    /// Looks for a peak around instant `i`, with all instants up to `last`.
    fn around(&self, i: usize, last: usize, best: &mut Best) {
        let at = |k: usize| self.t.get(k).copied().zip(self.x.get(k).copied());
        let Some((t, x)) = at(i) else { return };
        let before = i.checked_sub(1).and_then(at);
        let after = Some(i + 1).filter(|k| *k <= last).and_then(at);
        let sides = || before.into_iter().chain(after);
        // Around a peak no neighbour is higher.
        if last < 2 || sides().any(|side| !(side.1 <= x)) {
            return;
        }
        // A polynomial rises over what it goes through by no more than it falls beside it, or it does not belong here.
        let most = sides().fold(0.0, |most: f64, side| most.max(x - side.1));
        if !(x + most > best.value) {
            return;
        }
        let [a, b] = [
            before.map_or(t, |side| side.0),
            after.map_or(t, |side| side.0),
        ];
        let whole = |s: f64| self.polynomial(0, last, s);
        let mut peak = (t, x);
        for k in 0..=PLACES {
            let s = a + (b - a) * k as f64 / PLACES as f64;
            let value = whole(s);
            if value > peak.1 {
                peak = (s, value);
            }
        }
        let mut reach = (b - a) / PLACES as f64;
        for _ in 0..NARROWED {
            for s in [peak.0 - reach, peak.0 + reach] {
                let s = s.clamp(a, b);
                let value = whole(s);
                if value > peak.1 {
                    peak = (s, value);
                }
            }
            reach *= 0.6;
        }
        // Without the two instants that are furthest away.
        let (low, high) = match (i, last.saturating_sub(i)) {
            (left, right) if right > 2 * left => (0, last - 2),
            (left, right) if left > 2 * right => (2, last),
            _ => (1, last - 1),
        };
        let lower = self.polynomial(low, high, peak.0);
        let (rise, off) = (peak.1 - x, (peak.1 - lower).abs());
        let bound = self.bound(i, last).min(most);
        // What stands at the edge would be expected from one side only.
        let near = i.saturating_sub(1).max(1)..=(i + 1).min(last - 1);
        let smooth = near
            .into_iter()
            .all(|k| self.surprise(k, last) <= SMOOTH * most);
        if smooth {
            // At a peak nothing changes.
            best.take(x + rise.clamp(0.0, bound), off.min(most), [peak.0, 0.0]);
            return;
        }
        // A kink, or too few instants: only what was seen is known to occur. The chords beside it tell how much more there may be; a polynomial would swing by far more.
        let doubt = match rise + off {
            _ if bound < most => bound,
            doubt if doubt.is_finite() => doubt.min(most),
            _ => most,
        };
        best.take(x, doubt, [t, 0.0]);
    }

    /// How far an instant is from where the polynomial through all the others expects it.
    fn surprise(&self, k: usize, last: usize) -> f64 {
        let (mut t, mut x) = (*self.t, *self.x);
        for values in [&mut t, &mut x] {
            if let Some(from) = values.get_mut(k..=last) {
                from.rotate_left(1);
            }
        }
        let others = Nodes { t: &t, x: &x };
        let place = self.t.get(k).zip(self.x.get(k));
        place.map_or(f64::INFINITY, |(s, x)| {
            (others.polynomial(0, last.saturating_sub(1), *s) - x).abs()
        })
    }

    /// How far what bends down around instant `i` can rise above it: up to where the chords beside it meet.
    fn bound(&self, i: usize, last: usize) -> f64 {
        let at = |k: Option<usize>| {
            let k = k.filter(|k| *k <= last)?;
            let place = self.t.get(k).copied().zip(self.x.get(k).copied());
            place.filter(|(_, x)| x.is_finite())
        };
        let Some((t, x)) = at(Some(i)) else {
            return f64::INFINITY;
        };
        // Times from instant `i` on, and heights above it.
        let side = |near: Option<usize>, far: Option<usize>, back: Option<usize>| {
            let Some(near) = at(near) else { return 0.0 };
            let width = (near.0 - t).abs();
            // The chord beyond, carried on to instant `i`: how high it is there, and how it falls from there.
            let beyond = at(far).map(|far| {
                let fall = (near.1 - far.1) / (far.0 - near.0).abs();
                (near.1 - x + fall * width, fall)
            });
            // The chord behind, which rises to instant `i`.
            let slope = at(back).map(|back| (x - back.1) / (t - back.0).abs());
            match (beyond, slope) {
                (Some((high, fall)), Some(slope)) if high >= 0.0 => {
                    let meet = (high / (slope + fall)).clamp(0.0, width);
                    (slope * meet).min(high)
                }
                // It bends up beyond the neighbour: the chord behind may go on, but not by more than the chord beyond misses instant `i`.
                (Some((high, _)), Some(slope)) => (slope * width).min(-high),
                (None, Some(slope)) => slope * width,
                // Where it is cut off and bends up, it is highest there.
                (Some((high, _)), None) => high.max(0.0),
                (None, None) => f64::INFINITY,
            }
        };
        let (before, after) = (i.checked_sub(1), Some(i + 1));
        let right = side(after, Some(i + 2), before);
        let left = side(before, i.checked_sub(2), after);
        right.max(left)
    }

    /// The polynomial through some of the instants, at a time (Neville's scheme).
    fn polynomial(&self, first: usize, last: usize, s: f64) -> f64 {
        let mut p = *self.x;
        for level in 1..=last.saturating_sub(first) {
            for i in first..=last - level {
                let ends = self.t.get(i).zip(self.t.get(i + level));
                let (Some((a, b)), Some(next)) = (ends, p.get(i + 1).copied()) else {
                    return f64::NAN;
                };
                if let Some(p) = p.get_mut(i) {
                    *p = ((b - s) * *p + (s - a) * next) / (b - a);
                }
            }
        }
        p.get(first).copied().unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(instants: impl Iterator<Item = (f64, When, f64)>) -> [Extreme; 2] {
        let mut extremes = Extremes::new(vec![Nature {
            smooth: true,
            stepped: false,
            least: f64::NEG_INFINITY,
        }]);
        for (t, moment, x) in instants {
            if moment == When::Sample {
                extremes.sample(&[x]);
            }
            extremes.instant(t, moment, &[x]);
        }
        extremes.finish()[0]
    }

    #[test]
    fn the_peaks_of_a_coarsely_sampled_wave_are_found_and_the_doubt_covers_what_is_missed() {
        // From 4 samples a period, which miss a third of a peak, to 60.
        for step in [1.5, 1.0, 0.7, 0.5, 0.3, 0.1] {
            let wave = (0..60).map(|k| (step * f64::from(k), When::Sample));
            let found = of(wave.map(|(t, moment)| (t, moment, 3.0 * (t + 0.2).sin())));
            for (extreme, exact) in found.into_iter().zip([-3.0, 3.0]) {
                let error = (extreme.value - exact).abs();
                assert!(
                    error <= 1.01 * extreme.doubt + 1e-14,
                    "{step}: {error:e} {:e}",
                    extreme.doubt
                );
                if step < 0.4 {
                    assert!(extreme.doubt < 1e-6, "{step}: {found:?}");
                    assert!((extreme.sampled - exact).abs() > 10.0 * error, "{step}");
                }
            }
        }
    }

    #[test]
    fn a_jump_is_an_edge_and_no_peak() {
        // Falls to −2 and is thrown back to 1, twice; no sample meets the jumps.
        let mut instants = Vec::new();
        for bounce in 0..2 {
            let start = 3.0 * f64::from(bounce);
            instants.push((start, When::After, 1.0));
            for k in 0..7 {
                let t = 0.2 + 0.4 * f64::from(k);
                instants.push((start + t, When::Sample, 1.0 - t));
            }
            instants.push((start + 3.0, When::Before, -2.0));
        }
        let [least, largest] = of(instants.into_iter());
        assert!((least.value + 2.0).abs() < 1e-14 && least.doubt < 1e-13);
        assert!((largest.value - 1.0).abs() < 1e-14 && largest.doubt < 1e-13);
        assert!(least.sampled > -1.7 && largest.sampled < 0.9);
    }

    #[test]
    fn a_kink_gives_no_value_that_never_occurs_and_the_doubt_covers_what_is_missed() {
        // The distance from the nearer of two walls 10 apart, at speeds whose instants miss the middle, where it is 5 and no more; and a speed that rises by 1 within one instant.
        for step in [0.37, 0.71, 1.3, 2.1] {
            let gap = |t: f64| 5.0 - (t.rem_euclid(10.0) - 5.0).abs();
            let times = (0..200).map(|k| 0.1 + step * f64::from(k));
            let [least, largest] = of(times.map(|t| (t, When::Sample, gap(t))));
            assert!(largest.value <= 5.0 && least.value >= 0.0, "{step}");
            assert!(
                largest.value + largest.doubt >= 5.0 - 1e-12,
                "{step}: {largest:?}"
            );
            assert!(least.value - least.doubt <= 1e-12, "{step}: {least:?}");
            // Straight lines meet where they meet, and no further.
            assert!(
                largest.value + largest.doubt <= 5.0 + 1e-9,
                "{step}: {largest:?}"
            );
            let ramp = |t: f64| 3.0 + (t - 20.0).clamp(0.0, 0.3) / 0.3;
            let times = (0..200).map(|k| 0.1 + step * f64::from(k));
            let [least, largest] = of(times.map(|t| (t, When::Sample, ramp(t))));
            assert_eq!((least.value, largest.value), (3.0, 4.0), "{step}");
            // What was flat before and is flat afterwards goes no further.
            assert!(least.doubt < 1e-12 && largest.doubt < 1e-12, "{step}");
        }
    }

    #[test]
    fn a_fall_that_is_cut_off_is_lowest_where_it_is_cut_off() {
        // Throws with ever less speed, seen at few instants: each ends at the height 0, and nothing is lower.
        let mut instants = Vec::new();
        let mut start = 0.0;
        for bounce in 0..12 {
            let speed = 4.0 * 0.7_f64.powi(bounce);
            let long = 2.0 * speed / 9.81;
            let parts = [7, 4, 3, 2][bounce as usize / 3];
            for k in 0..=parts {
                let t = long * f64::from(k) / f64::from(parts);
                let moment = match k {
                    0 => When::After,
                    k if k == parts => When::Before,
                    _ => When::Sample,
                };
                let height = speed * t - 0.5 * 9.81 * t * t;
                instants.push((start + t, moment, height));
            }
            start += long;
        }
        let [least, largest] = of(instants.into_iter());
        assert!(
            least.value.abs() < 1e-14 && least.doubt < 1e-14,
            "{least:?}"
        );
        let highest = 4.0 * 4.0 / 2.0 / 9.81;
        assert!((largest.value - highest).abs() < 1e-12, "{largest:?}");
    }

    #[test]
    fn of_what_goes_on_in_steps_an_extreme_beside_a_jump_is_known_no_better_than_to_a_step() {
        // Falls by 1 a step, and is thrown back somewhere within the one after the fourth.
        let mut extremes = Extremes::new(vec![Nature {
            smooth: false,
            stepped: true,
            least: f64::NEG_INFINITY,
        }]);
        for (k, x) in [0.0, -1.0, -2.0, -3.0, 2.5, 1.5].into_iter().enumerate() {
            extremes.instant(k as f64, When::Step, &[x]);
            // A sample at the same time is no other instant.
            extremes.instant(k as f64, When::Sample, &[x]);
        }
        let [least, largest] = extremes.finish()[0];
        assert_eq!((least.value, least.doubt, least.at), (-3.0, 1.0, 3.0));
        assert_eq!((largest.value, largest.doubt), (2.5, 1.0));
    }

    #[test]
    fn what_changes_fast_is_known_no_better_than_its_time() {
        let mut extremes = Extremes::new(vec![Nature {
            smooth: true,
            stepped: false,
            least: f64::NEG_INFINITY,
        }]);
        for k in 0..=10 {
            let t = 100.0 + f64::from(k);
            extremes.instant(t, When::Sample, &[1e6 * t]);
        }
        let shaken = 1e6 * 110.0 * f64::EPSILON;
        for found in extremes.shaken()[0] {
            assert!((found / shaken - 1.0).abs() < 1e-9, "{found:e}");
        }
        let [_, largest] = extremes.finish()[0];
        assert!((largest.shaken / shaken - 1.0).abs() < 1e-9 && largest.at == 110.0);
    }

    #[test]
    fn what_is_no_number_is_left_out() {
        let instants = [1.0, f64::NAN, 3.0, 2.0, f64::NAN];
        let instants = instants.into_iter().enumerate();
        let [least, largest] = of(instants.map(|(k, x)| (k as f64, When::Sample, x)));
        assert_eq!((least.value, largest.value), (1.0, 3.0));
        let [none, _] = of(std::iter::empty());
        assert!(!none.value.is_finite());
    }
}
