//! How are millions of points of a curve thinned to what can be seen of it, while they come in?
//!
//! A point is left out as long as one straight line from the last point that was kept passes every point since within a tolerance: of all slopes that do, the interval is known, and shrinks with every point (Bristol
//! 1990, swinging door). Only points that came in are kept. The tolerance is a part of the range seen so far; where there are too many points all the same, it is doubled and those that are kept are thinned again.
//! Where that would spoil the curve, as of something that chatters all the time, the lowest and the highest point of every stretch of time are kept. Memory stays bounded, whatever comes.

/// How far a line may pass from a point that is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slack {
    /// This part of the column's own range.
    Part(f64),
    /// This part of the largest range of all columns that share it.
    Shared(f64),
    /// The same, and this much at most.
    Within(f64, f64),
    /// So much.
    Fixed(f64),
}

/// A curve of one or more columns over time, with something carried along with every point.
#[derive(Clone, Debug)]
pub struct Thin<P = ()> {
    slack: Vec<Slack>,
    most: usize,
    /// What the tolerance is multiplied by.
    coarse: f64,
    kept: Kept<P>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// Slopes that a line may have.
    least: Vec<f64>,
    steepest: Vec<f64>,
    /// The last point; not kept yet.
    last: Option<(f64, Vec<f64>, P)>,
    /// Room for the next.
    spare: Vec<f64>,
    /// The value before the last one, of a curve of one column.
    before: f64,
    /// The lowest and the highest point, of a curve of one column.
    lowest: Option<(f64, f64, P)>,
    highest: Option<(f64, f64, P)>,
}

/// Points that are kept: `rows` has the columns of every point beside each other.
#[derive(Clone, Debug)]
pub struct Kept<P = ()> {
    /// Times, s, in order; twice the same at a jump.
    pub t: Vec<f64>,
    /// Values, point by point.
    pub rows: Vec<f64>,
    /// What was carried along.
    pub carried: Vec<P>,
}

/// What turns back by less than so many tolerances is no peak.
const PEAK: f64 = 4.0;
/// Beyond this multiple of the tolerance a curve would no longer be itself: its outline is kept.
const HOPELESS: f64 = 64.0;

impl<P: Clone> Thin<P> {
    /// One slack a column; `most` points at most.
    pub fn new(slack: Vec<Slack>, most: usize) -> Self {
        let width = slack.len();
        Self {
            most: most.max(16),
            coarse: 1.0,
            kept: Kept {
                t: Vec::new(),
                rows: Vec::new(),
                carried: Vec::new(),
            },
            low: vec![f64::INFINITY; width],
            high: vec![f64::NEG_INFINITY; width],
            least: vec![f64::NEG_INFINITY; width],
            steepest: vec![f64::INFINITY; width],
            last: None,
            spare: vec![0.0; width],
            before: f64::NAN,
            lowest: None,
            highest: None,
            slack,
        }
    }

    /// The time of the last point that came in, s.
    pub fn reached(&self) -> Option<f64> {
        let last = self.last.as_ref().map(|last| last.0);
        last.or_else(|| self.kept.t.last().copied())
    }

    /// How many points there are so far.
    pub fn len(&self) -> usize {
        self.kept.t.len() + usize::from(self.last.is_some())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// From now on so many points at most.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.max(16);
    }

    /// By how much the tolerance had to be multiplied to keep within bounds.
    pub fn coarseness(&self) -> f64 {
        self.coarse
    }

    /// One point more, at a time not before the last: an earlier one is left out. `keep` keeps it whatever its neighbours say.
    pub fn push(&mut self, t: f64, row: &[f64], keep: bool, carried: P) {
        if !t.is_finite() || row.len() != self.slack.len() {
            return;
        }
        if self.reached().is_some_and(|reached| t < reached) {
            return;
        }
        for ((low, high), x) in self.low.iter_mut().zip(&mut self.high).zip(row) {
            if x.is_finite() {
                *low = low.min(*x);
                *high = high.max(*x);
            }
        }
        if let [x] = *row {
            if x.is_finite() && self.lowest.as_ref().is_none_or(|lowest| x < lowest.1) {
                self.lowest = Some((t, x, carried.clone()));
            }
            if x.is_finite() && self.highest.as_ref().is_none_or(|highest| x > highest.1) {
                self.highest = Some((t, x, carried.clone()));
            }
        }
        self.add(t, row, keep, carried);
        if self.kept.t.len() > 2 * self.most {
            self.shrink();
        }
    }

    fn add(&mut self, t: f64, row: &[f64], keep: bool, carried: P) {
        let finite = |row: &[f64]| row.iter().all(|x| x.is_finite());
        let (here, jumps) = match self.reached() {
            None => {
                self.emit(t, row, carried);
                return;
            }
            Some(reached) => (finite(row), t <= reached),
        };
        let anchored = self.anchor().is_some_and(finite);
        if jumps && !keep && self.is_near(row) {
            // The same once more.
            return;
        }
        if keep || jumps || !here || !anchored {
            // Of numbers that are none the first and the last are enough.
            if here || anchored || self.last.is_none() {
                self.flush();
            }
            if here || anchored {
                self.emit(t, row, carried);
            } else {
                self.hold(t, row, carried);
            }
            return;
        }
        let (fits, turned) = (self.fits(t, row), self.turns(row));
        if !fits || turned {
            self.flush();
        }
        self.narrow(t, row);
        self.hold(t, row, carried);
    }

    /// The columns of the last point that is kept.
    fn anchor(&self) -> Option<&[f64]> {
        let width = self.slack.len();
        let from = self.kept.rows.len().checked_sub(width)?;
        self.kept.rows.get(from..)
    }

    /// Whether a point is no other than the last one, to the tolerance.
    fn is_near(&self, row: &[f64]) -> bool {
        let shared = self.shared();
        let last = match &self.last {
            Some((_, last, _)) => Some(last.as_slice()),
            None => self.anchor(),
        };
        let mut both = row.iter().zip(last.unwrap_or_default()).enumerate();
        let near = |(i, (x, last)): (usize, (&f64, &f64))| {
            (x - last).abs() <= self.tolerance(i, shared) || x.is_nan() && last.is_nan()
        };
        both.all(near)
    }

    /// Whether a line from the last point that is kept to this one passes all since near enough.
    fn fits(&self, t: f64, row: &[f64]) -> bool {
        let (Some(anchor), Some(start)) = (self.anchor(), self.kept.t.last()) else {
            return false;
        };
        let h = t - start;
        let bounds = self.least.iter().zip(&self.steepest);
        let mut slopes = row.iter().zip(anchor).map(|(x, from)| (x - from) / h);
        bounds
            .zip(&mut slopes)
            .all(|((least, most), slope)| slope >= *least && slope <= *most)
    }

    /// Whether the last point is a peak worth keeping, of a curve of one column.
    fn turns(&self, row: &[f64]) -> bool {
        let (&[now], Some((_, last, _)), Some(&[anchor])) =
            (row, self.last.as_ref(), self.anchor())
        else {
            return false;
        };
        let Some(&last) = last.first() else {
            return false;
        };
        let back = (last - self.before) * (now - last) < 0.0;
        back && (last - anchor).abs() > PEAK * self.tolerance(0, self.shared())
    }

    /// Takes a point into account that may be left out.
    fn narrow(&mut self, t: f64, row: &[f64]) {
        let Some(start) = self.kept.t.last().copied() else {
            return;
        };
        let h = t - start;
        let shared = self.shared();
        for (i, x) in row.iter().enumerate() {
            let tolerance = self.tolerance(i, shared);
            let from = self.kept.rows.len() - self.slack.len() + i;
            let Some(from) = self.kept.rows.get(from).copied() else {
                continue;
            };
            if let (Some(least), Some(most)) = (self.least.get_mut(i), self.steepest.get_mut(i)) {
                *least = least.max((x - tolerance - from) / h);
                *most = most.min((x + tolerance - from) / h);
            }
        }
    }

    fn range(&self, i: usize) -> f64 {
        match (self.low.get(i), self.high.get(i)) {
            (Some(low), Some(high)) if high > low => high - low,
            _ => 0.0,
        }
    }

    /// The largest range of the columns that share it.
    fn shared(&self) -> f64 {
        let columns = self.slack.iter().enumerate();
        let shares =
            columns.filter(|(_, slack)| matches!(slack, Slack::Shared(_) | Slack::Within(..)));
        shares.map(|(i, _)| self.range(i)).fold(0.0, f64::max)
    }

    fn tolerance(&self, i: usize, shared: f64) -> f64 {
        let slack = match self.slack.get(i) {
            Some(Slack::Part(part)) => part * self.range(i),
            Some(Slack::Shared(part)) => part * shared,
            Some(Slack::Within(part, most)) => (part * shared).min(*most),
            Some(Slack::Fixed(slack)) => *slack,
            None => 0.0,
        };
        self.coarse * slack
    }

    /// Keeps a point for good.
    fn emit(&mut self, t: f64, row: &[f64], carried: P) {
        self.kept.t.push(t);
        self.kept.rows.extend_from_slice(row);
        self.kept.carried.push(carried);
        self.least.fill(f64::NEG_INFINITY);
        self.steepest.fill(f64::INFINITY);
        self.before = row.first().copied().unwrap_or(f64::NAN);
    }

    /// Keeps the last point, if it waits to be kept.
    fn flush(&mut self) {
        if let Some((t, row, carried)) = self.last.take() {
            self.emit(t, &row, carried);
            self.spare = row;
        }
    }

    /// Makes a point the last one, to be kept or not.
    fn hold(&mut self, t: f64, row: &[f64], carried: P) {
        let mut place = match self.last.take() {
            Some((_, place, _)) => {
                self.before = place.first().copied().unwrap_or(f64::NAN);
                place
            }
            None => std::mem::take(&mut self.spare),
        };
        place.clear();
        place.extend_from_slice(row);
        self.last = Some((t, place, carried));
    }

    /// Makes room: the tolerance doubles each time, as long as it may.
    fn shrink(&mut self) {
        while self.kept.t.len() > self.most {
            if self.coarse < HOPELESS {
                self.coarse *= 2.0;
                self.again();
            } else {
                self.outline();
                return;
            }
        }
    }

    /// Thins what is kept once more.
    fn again(&mut self) {
        let width = self.slack.len().max(1);
        let kept = std::mem::replace(
            &mut self.kept,
            Kept {
                t: Vec::new(),
                rows: Vec::new(),
                carried: Vec::new(),
            },
        );
        let last = self.last.take();
        let rows = kept.rows.chunks_exact(width);
        for ((t, row), carried) in kept.t.iter().zip(rows).zip(kept.carried) {
            self.add(*t, row, false, carried);
        }
        self.flush();
        if let Some((t, row, carried)) = last {
            self.add(t, &row, false, carried);
        }
    }

    /// Of every stretch of time, all of them as long, the points that are lowest and highest in the last column, and one that is no number if there is any: three fifths of what is allowed.
    fn outline(&mut self) {
        let (Some(from), Some(to)) = (self.kept.t.first().copied(), self.kept.t.last().copied())
        else {
            return;
        };
        let width = self.slack.len().max(1);
        let stretches = (self.most / 5).max(1);
        let stretch = |t: f64| ((t - from) / (to - from) * stretches as f64) as usize;
        let last = |i: usize| {
            self.kept
                .rows
                .get(i * width + width - 1)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let mut stays = vec![false; self.kept.t.len()];
        let mut begin = 0;
        while begin < stays.len() {
            let own = self.kept.t.get(begin).map_or(0, |t| stretch(*t));
            let rest = self.kept.t.get(begin..).unwrap_or_default();
            let count = rest
                .iter()
                .take_while(|t| stretch(**t) == own)
                .count()
                .max(1);
            let (mut low, mut high, mut none) = (None, None, None);
            for i in begin..begin + count {
                let x = last(i);
                if x.is_nan() {
                    none = none.or(Some(i));
                    continue;
                }
                if low.is_none_or(|low| x < last(low)) {
                    low = Some(i);
                }
                if high.is_none_or(|high| x > last(high)) {
                    high = Some(i);
                }
            }
            for i in [low, high, none].into_iter().flatten() {
                if let Some(stays) = stays.get_mut(i) {
                    *stays = true;
                }
            }
            begin += count;
        }
        let rows = self.kept.rows.chunks_exact(width).zip(&stays);
        let rows = rows.filter(|(_, stays)| **stays).flat_map(|(row, _)| row);
        self.kept.rows = rows.copied().collect();
        let mut at = stays.iter();
        self.kept
            .t
            .retain(|_| at.next().is_some_and(|stays| *stays));
        let mut at = stays.iter();
        self.kept
            .carried
            .retain(|_| at.next().is_some_and(|stays| *stays));
    }

    /// All that is left: `most` points at most, the first, the last and of a curve of one column the lowest and the highest among them.
    pub fn finish(mut self) -> Kept<P> {
        self.flush();
        self.most = self.most.saturating_sub(3).max(8);
        self.again();
        self.shrink();
        self.flush();
        let Self {
            mut kept,
            lowest,
            highest,
            ..
        } = self;
        for (t, x, carried) in [lowest, highest].into_iter().flatten() {
            let at = kept.t.partition_point(|known| *known < t);
            let same = kept.t.iter().zip(&kept.rows).skip(at);
            let known = same
                .take_while(|(known, _)| **known == t)
                .any(|(_, known)| *known == x);
            if !known {
                kept.t.insert(at, t);
                kept.rows.insert(at, x);
                kept.carried.insert(at, carried);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The curve through points that are kept, at a time.
    fn at(kept: &Kept, t: f64) -> f64 {
        let i = kept.t.partition_point(|known| *known < t);
        let (after, before) = (i.min(kept.t.len() - 1), i.saturating_sub(1));
        if kept.t[after] == t || after == before {
            return kept.rows[after];
        }
        let s = (t - kept.t[before]) / (kept.t[after] - kept.t[before]);
        kept.rows[before] + s * (kept.rows[after] - kept.rows[before])
    }

    /// A swing with a peak of a thousandth of its time, which is ten times as high.
    fn curve(t: f64) -> f64 {
        let from = (t - 0.6181) / 1e-3;
        (20.0 * t).sin() + 10.0 * (-from * from).exp()
    }

    fn thinned(count: u32, most: usize) -> (Kept, f64) {
        let mut thin = Thin::new(vec![Slack::Part(1.0 / 16_000.0)], most);
        for i in 0..=count {
            let t = f64::from(i) / f64::from(count);
            thin.push(t, &[curve(t)], false, ());
        }
        let coarse = thin.coarseness();
        (thin.finish(), coarse)
    }

    #[test]
    fn no_point_is_farther_from_the_thinned_curve_than_a_four_thousandth_of_its_range() {
        let count = 100_000;
        let (kept, coarse) = thinned(count, 6000);
        assert_eq!(coarse, 1.0);
        let range = 11.98;
        for i in 0..=count {
            let t = f64::from(i) / f64::from(count);
            let off = (at(&kept, t) - curve(t)).abs();
            assert!(off <= range / 4000.0, "{off} at {t}");
        }
        // A sine needs h²/8 ≤ tolerance: a few hundred points, and the peak some more.
        assert!(kept.t.len() < 1000, "{}", kept.t.len());
    }

    #[test]
    fn the_first_the_last_the_lowest_and_the_highest_point_are_kept_as_they_came() {
        let count = 100_000;
        let (kept, _) = thinned(count, 300);
        let all = (0..=count).map(|i| curve(f64::from(i) / f64::from(count)));
        let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        let fold = |pick: fn(f64, f64) -> f64| kept.rows.iter().copied().reduce(pick);
        assert_eq!(fold(f64::min), Some(low));
        assert_eq!(fold(f64::max), Some(high));
        assert_eq!((kept.t[0], kept.rows[0]), (0.0, curve(0.0)));
        assert_eq!(kept.t.last(), Some(&1.0));
        assert!(kept.t.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn whatever_comes_there_are_no_more_points_than_allowed_and_no_more_memory_than_twice_that() {
        // Noise of a linear congruential generator (Knuth 1981): nothing can be left out of it.
        let mut seed = 1_u64;
        let mut noise = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut thin = Thin::new(vec![Slack::Part(1e-4)], 500);
        let mut gaps = Thin::new(vec![Slack::Part(1e-4)], 500);
        for i in 0..200_000 {
            thin.push(f64::from(i), &[noise()], false, ());
            let value = if i % 3 == 0 { f64::NAN } else { noise() };
            gaps.push(f64::from(i), &[value], i % 7 == 0, ());
            assert!(thin.len() <= 1001 && gaps.len() <= 1001);
        }
        let (kept, gaps) = (thin.finish(), gaps.finish());
        assert!(
            kept.t.len() <= 500 && kept.t.len() > 100,
            "{}",
            kept.t.len()
        );
        assert!(gaps.t.len() <= 500, "{}", gaps.t.len());
        // Its outline is still there, from the beginning to the end.
        for tenth in 0..10 {
            let own = |t: f64| (t / 2e4).floor() == f64::from(tenth);
            let points = kept.t.iter().zip(&kept.rows).filter(|(t, _)| own(**t));
            let [low, high] = points.fold([1.0_f64, 0.0], |[l, h], (_, x)| [l.min(*x), h.max(*x)]);
            assert!(low < 0.01 && high > 0.99, "{tenth}: {low} to {high}");
        }
    }

    #[test]
    fn a_jump_has_two_points_at_one_time_and_no_jump_has_one() {
        let mut thin = Thin::new(vec![Slack::Part(1e-3)], 100);
        for (t, x) in [(0.0, 0.0), (1.0, 1.0), (1.0, 1.0), (1.0, 5.0), (2.0, 6.0)] {
            thin.push(t, &[x], false, ());
        }
        // An earlier one is left out.
        thin.push(0.5, &[9.0], false, ());
        let kept = thin.finish();
        assert_eq!(kept.t, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(kept.rows, [0.0, 1.0, 5.0, 6.0]);
    }

    #[test]
    fn a_gap_stays_a_gap_with_its_two_ends() {
        let mut thin = Thin::new(vec![Slack::Part(1e-3)], 100);
        for i in 0..30 {
            let value = if (10..20).contains(&i) { f64::NAN } else { 1.0 };
            thin.push(f64::from(i), &[value], false, ());
        }
        let kept = thin.finish();
        assert_eq!(kept.t, [0.0, 9.0, 10.0, 19.0, 20.0, 29.0]);
        assert!(kept.rows[2].is_nan() && kept.rows[3].is_nan());
        assert_eq!(kept.rows[4], 1.0);
    }

    #[test]
    fn columns_are_thinned_together_and_what_is_carried_along_stays_with_its_point() {
        let slack = vec![
            Slack::Shared(1e-3),
            Slack::Within(1e-3, 1e-5),
            Slack::Fixed(0.1),
        ];
        let mut thin = Thin::new(slack, 5000);
        for i in 0..=1000 {
            let t = f64::from(i) * 1e-3;
            let row = [100.0 * t, 1e-2 * (20.0 * t).sin(), 0.0];
            thin.push(t, &row, i == 345, i);
        }
        let kept = thin.finish();
        assert!(kept.carried.contains(&345));
        // A sine of 1e-2 with 20 rad/s within 1e-5: h = √(8·1e-5/(1e-2·400)) = 4.5e-3, 220 stretches; a range of 100 would allow one.
        assert!((180..400).contains(&kept.t.len()), "{}", kept.t.len());
        for ((t, row), i) in kept.t.iter().zip(kept.rows.chunks(3)).zip(&kept.carried) {
            assert_eq!(*t, f64::from(*i) * 1e-3);
            assert_eq!(row[0], 100.0 * t);
        }
    }
}
