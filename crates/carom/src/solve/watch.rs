//! When does a guard change its sign?
//!
//! Every watched guard has a side: the sign it was last seen with, or none while it stands at zero. A step is searched in two passes. The first looks at the guards at a few points of
//! the cubic through the ends of the step, which costs no evaluation of the flow; only if a sign changes there, or a guard comes close to zero and turns, the second looks
//! at the method's own dense output, closes in on turning points and locates the first crossing. Crossings that coincide to the resolution of time are one event.
//!
//! After an event a guard stands at zero up to rounding. How large rounding is there is measured: by how much the guards change within a few units in the last place of
//! time before the event. A guard within that band takes the side towards which it departs, by its rate of change along the flow, and cannot fire before it has departed.

use super::clock::Clocked;
use super::flow::{Flow, Watch};
use super::method::Method;
use super::one_step::cubic_weights;
use super::roots;

/// Crossings closer than this, relative to the integration variable, are simultaneous.
const TOGETHER: f64 = 1e-14;
/// Where a guard that starts at zero is looked at first, as fractions of the step: as close to the start as rounding lets it be seen.
const PROBES: [f64; 12] = {
    let mut probes = [0.0; 12];
    let mut k = 0;
    while k < 12 {
        probes[k] = 1.0 / (1_u64 << (48 - 4 * k)) as f64;
        k += 1;
    }
    probes
};
/// What counts as zero for a guard that departs from zero with no rate, as a fraction of its values in the step.
const FLAT: f64 = 1e-12;
/// A turning point this close to zero, as a fraction of the guard's change around it, is looked at closely.
const CLOSE: f64 = 0.25;

/// The sides of all guards, and the points of the step at which they were seen.
pub(crate) struct Watcher {
    count: usize,
    /// +1, −1, or 0 for a guard that stands at zero.
    side: Vec<i8>,
    /// Up to which absolute value a guard counts as zero after an event.
    band: Vec<f64>,
    /// The watch of the phase before, to see which guards are new.
    watched: Vec<bool>,
    /// Fractions of the step, rising, and the guards there, row by row.
    theta: Vec<f64>,
    table: Vec<f64>,
    /// One guard along the step: fractions and values, with rows of its own where it turns.
    line: Vec<(f64, f64)>,
    /// Guards at the current point, where the step under way begins.
    now: Vec<f64>,
    /// Guards at the event found last, and what counts as zero after it.
    there: Vec<f64>,
    there_band: Vec<f64>,
    /// Where on the dense output that was, and how far apart two looks tell rounding, as fractions of the step; `None` if the event was not located.
    located: Option<[f64; 2]>,
    scratch: Vec<f64>,
    fired: Vec<(usize, bool)>,
    /// Where each guard first crosses in the step searched.
    place: Vec<f64>,
    /// The changes of each guard over the last two probes.
    trend: Vec<[f64; 2]>,
    y: Vec<f64>,
    samples: usize,
    /// The weights of the cubic at the samples.
    weights: Vec<[f64; 3]>,
    /// How many of the rows, from the second on, are probes near the start.
    probes: usize,
}

/// The sign of a guard.
#[inline]
fn sign(g: f64) -> i8 {
    i8::from(g > 0.0) - i8::from(g < 0.0)
}

/// Whether a guard watched like this fires when it comes to `side`.
#[inline]
fn fires(watch: Watch, to: i8) -> bool {
    match watch {
        Watch::Off => false,
        Watch::Any => true,
        Watch::Rising => to > 0,
        Watch::Falling => to < 0,
    }
}

impl Watcher {
    /// For `n` components and `count` guards, looking at `samples` points inside every step.
    pub fn new(n: usize, count: usize, samples: usize) -> Self {
        // Start, probes, samples, end.
        let rows = 2 + PROBES.len() + samples;
        Self {
            count,
            side: vec![0; count],
            band: vec![0.0; count],
            watched: vec![false; count],
            theta: Vec::with_capacity(rows),
            table: vec![0.0; rows * count],
            line: Vec::with_capacity(2 * rows),
            now: vec![0.0; count],
            there: vec![0.0; count],
            there_band: vec![0.0; count],
            located: None,
            scratch: vec![0.0; count],
            fired: Vec::with_capacity(count),
            place: vec![0.0; count],
            trend: vec![[0.0; 2]; count],
            y: vec![0.0; n],
            samples,
            weights: (1..=samples)
                .map(|k| cubic_weights(k as f64 / (samples + 1) as f64))
                .collect(),
            probes: 0,
        }
    }

    /// The guards that fired at the event found last.
    pub fn fired(&self) -> &[(usize, bool)] {
        &self.fired
    }

    /// Takes the sides at the start of a run.
    pub fn start<F: Flow>(&mut self, flow: &mut F, t: f64, y: &[f64], watch: &[Watch]) {
        if self.count == 0 {
            return;
        }
        flow.guards(t, y, &mut self.now);
        for i in 0..self.count {
            self.side[i] = sign(self.now[i]);
            self.band[i] = 0.0;
            self.watched[i] = watch[i] != Watch::Off;
        }
        self.fired.clear();
    }

    /// The first guard that is not a number at the current point, if a watched one is not.
    pub fn not_a_number(&self, watch: &[Watch]) -> Option<usize> {
        (0..self.count).find(|&i| watch[i] != Watch::Off && self.now[i].is_nan())
    }

    /// Where the action of an event left the state `left` and the flow then moved it to `y` (by a projection), a guard that this carries counts as zero as far as it was carried.
    pub fn carried<F: Flow>(&mut self, flow: &mut F, t: f64, left: &[f64], y: &[f64]) {
        if self.count == 0 || left == y {
            return;
        }
        flow.guards(t, left, &mut self.scratch);
        flow.guards(t, y, &mut self.now);
        for i in 0..self.count {
            let moved = 2.0 * (self.now[i] - self.scratch[i]).abs();
            if moved > self.there_band[i] {
                self.there_band[i] = moved;
            }
        }
    }

    /// Takes the sides anew after an event that cut the step, from the state `y` its action left.
    pub fn after_cut<F: Flow>(&mut self, flow: &mut F, t: f64, y: &[f64], watch: &[Watch]) {
        if self.count == 0 {
            return;
        }
        flow.guards(t, y, &mut self.now);
        self.band.copy_from_slice(&self.there_band);
        for i in 0..self.count {
            let on = watch[i] != Watch::Off;
            let near = self.now[i].abs() <= self.band[i];
            let fresh = (on && !self.watched[i]) || self.fired.iter().any(|&(k, _)| k == i);
            if !near {
                self.side[i] = sign(self.now[i]);
            } else if fresh {
                self.side[i] = 0;
            }
            // A guard that did not fire and is within rounding of zero keeps its side: its own crossing is still to come.
            self.watched[i] = on;
        }
        self.fired.clear();
    }

    /// Takes the guards anew after the state or what the guards read was moved by the flow at an accepted point.
    pub fn after_move<F: Flow>(&mut self, flow: &mut F, t: f64, y: &[f64]) {
        if self.count > 0 {
            flow.guards(t, y, &mut self.now);
        }
    }

    /// Whether guards stand on the wrong side at the current point already (after a move or a cut): they fire there.
    pub fn at_once(&mut self, watch: &[Watch]) -> bool {
        self.fired.clear();
        self.located = None;
        self.there_band.fill(0.0);
        for i in 0..self.count {
            let here = sign(self.now[i]);
            if self.side[i] != 0 && here == -self.side[i] {
                if fires(watch[i], here) {
                    self.fired.push((i, here > 0));
                }
                self.side[i] = here;
            }
        }
        !self.fired.is_empty()
    }

    /// The step ends with no further event: its far end is the current point.
    pub fn pass(&mut self) {
        if self.theta.is_empty() {
            return;
        }
        let rows = self.theta.len();
        for i in 0..self.count {
            self.now[i] = self.table[(rows - 1) * self.count + i];
            let end = sign(self.now[i]);
            if self.side[i] != 0 && end != 0 {
                self.side[i] = end;
            } else if let (_, Some(side)) = self.walk(i, Watch::Off) {
                self.side[i] = side;
            }
        }
        self.theta.clear();
    }

    /// Only the far end counts: the guards that have crossed there, and by how much the one that went furthest is beyond zero. For the strategies that do not locate.
    pub fn look_at_end<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        watch: &[Watch],
    ) -> Option<f64> {
        self.fired.clear();
        self.theta.clear();
        if self.count == 0 {
            return None;
        }
        self.depart(flow, method, watch);
        let ends = method.ends();
        let t1 = flow.time(ends.s0 + ends.h);
        let (first, last) = self.table.split_at_mut(self.count);
        first.copy_from_slice(&self.now);
        flow.flow.guards(t1, ends.y1, &mut last[..self.count]);
        self.theta.extend([0.0, 1.0]);
        let mut beyond = 0.0_f64;
        for i in 0..self.count {
            if let (Some(row), Some(side)) = self.walk(i, watch[i]) {
                debug_assert_eq!(row, 1);
                self.fired.push((i, side > 0));
                beyond = beyond.max(self.table[self.count + i].abs());
            }
        }
        if self.fired.is_empty() {
            return None;
        }
        // Rounding is no matter here: whoever fired is beyond zero by a step's worth.
        self.located = None;
        self.there_band.fill(0.0);
        Some(beyond)
    }

    /// Searches the step just accepted for its first event; gives its place as a fraction of the step.
    pub fn search<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &mut M,
        watch: &[Watch],
    ) -> Option<f64> {
        self.fired.clear();
        self.theta.clear();
        if self.count == 0 || watch.iter().all(|&w| w == Watch::Off) {
            return None;
        }
        let at_zero = self.depart(flow, method, watch);
        let pieces = self.samples + 1;
        self.theta.push(0.0);
        if at_zero {
            let before_samples = |&theta: &f64| theta < 0.5 / pieces as f64;
            self.theta.extend(PROBES.into_iter().filter(before_samples));
        }
        self.probes = self.theta.len() - 1;
        for k in 1..=pieces {
            self.theta.push(k as f64 / pieces as f64);
        }
        let last = self.theta.len() - 1;
        self.table[..self.count].copy_from_slice(&self.now);
        let ends = method.ends();
        for row in 1..=last {
            let theta = self.theta[row];
            let t = flow.time(ends.s0 + theta * ends.h);
            let guards = &mut self.table[row * self.count..(row + 1) * self.count];
            if row < last {
                let weights = if row > self.probes {
                    self.weights[row - self.probes - 1]
                } else {
                    cubic_weights(theta)
                };
                ends.cubic(weights, &mut self.y);
                flow.flow.guards(t, &self.y, guards);
            } else {
                flow.flow.guards(t, ends.y1, guards);
            }
        }
        if at_zero {
            for i in 0..self.count {
                let values = (0..=last).map(|row| self.table[row * self.count + i].abs());
                let range = values.fold(0.0, f64::max);
                self.band[i] = self.band[i].max(FLAT * range);
            }
        }
        let suspicious = (0..self.count).any(|i| {
            watch[i] != Watch::Off
                && (self.walk(i, watch[i]).0.is_some() || self.turns_near_zero(i, 1).is_some())
        });
        if !suspicious {
            return None;
        }
        method.prepare_dense(flow);
        for row in 1..self.theta.len() - 1 {
            self.look(flow, method, self.theta[row]);
            self.table[row * self.count..(row + 1) * self.count].copy_from_slice(&self.scratch);
        }
        self.first_event(flow, method, watch, true)
    }

    /// Gives guards at zero the side towards which the slope at the start of the step carries them; says whether a watched one has no rate and is still at zero.
    fn depart<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        watch: &[Watch],
    ) -> bool {
        let undecided =
            |side: &[i8]| (0..watch.len()).any(|i| side[i] == 0 && watch[i] != Watch::Off);
        if !undecided(&self.side) {
            return false;
        }
        let ends = method.ends();
        self.trend.fill([0.0; 2]);
        for theta in PROBES {
            // Straight on: a small bounce may be over long before the step is, but its rate tells.
            for k in 0..self.y.len() {
                self.y[k] = ends.y0[k] + theta * ends.h * ends.f0[k];
            }
            let t = flow.time(ends.s0 + theta * ends.h);
            flow.flow.guards(t, &self.y, &mut self.scratch);
            for i in 0..self.count {
                if self.side[i] != 0 {
                    continue;
                }
                // Sixteen times as far must change the guard far more, twice in a row: rounding does not do that. A guard that never shows such growth jumps, or is flat: the farthest probe tells.
                let change = self.scratch[i] - self.now[i];
                let [before, last] = self.trend[i];
                let grows = |a: f64, b: f64| b / a > 8.0;
                let farthest = theta == PROBES[PROBES.len() - 1] && change.abs() > self.band[i];
                if grows(before, last) && grows(last, change) || farthest {
                    self.side[i] = sign(change);
                }
                self.trend[i] = [last, change];
            }
            if !undecided(&self.side) {
                return false;
            }
        }
        true
    }

    /// After a rejected attempt: if a guard has crossed at its far end, where about, as a fraction of the step. The kink in the flow that often sits there may be what spoilt the step.
    pub fn aim<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        watch: &[Watch],
    ) -> Option<f64> {
        let ends = method.ends();
        if self.count == 0 || ends.y1.iter().any(|y| !y.is_finite()) {
            return None;
        }
        let mut first = None;
        let t1 = flow.time(ends.s0 + ends.h);
        flow.flow.guards(t1, ends.y1, &mut self.scratch);
        for i in 0..self.count {
            let to = sign(self.scratch[i]);
            if !flow.flow.goes_on() {
                return None;
            }
            if self.side[i] == 0 || to != -self.side[i] || !fires(watch[i], to) {
                continue;
            }
            let side = f64::from(self.side[i]);
            let at_ends = (side * self.now[i]).max(0.0);
            let place = roots::crossing((0.0, at_ends), (1.0, side * self.scratch[i]), 1e-3, |x| {
                // The parabola with the slope at the near end.
                for k in 0..self.y.len() {
                    let start = ends.h * ends.f0[k];
                    self.y[k] = ends.y0[k] + x * (start + x * (ends.y1[k] - ends.y0[k] - start));
                }
                flow.flow
                    .guards(flow.time(ends.s0 + x * ends.h), &self.y, &mut self.place);
                side * self.place[i]
            });
            first = Some(first.map_or(place, |p: f64| p.min(place)));
        }
        first
    }

    /// After an event that let the step go on: the next event of the same step.
    pub fn search_on<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &mut M,
        watch: &[Watch],
        from: f64,
    ) -> Option<f64> {
        if self.theta.is_empty() {
            return None;
        }
        self.look(flow, method, from);
        for i in 0..self.count {
            let here = sign(self.scratch[i]);
            if let Some(&(_, rose)) = self.fired.iter().find(|&&(k, _)| k == i) {
                self.side[i] = if rose { 1 } else { -1 };
            } else if here != 0 {
                self.side[i] = here;
            }
        }
        self.fired.clear();
        if from >= 1.0 {
            return None;
        }
        // What is left of the step is looked at as finely as the whole of it was.
        let pieces = self.samples + 1;
        self.theta.clear();
        for k in 0..=pieces {
            let theta = if k == pieces {
                1.0
            } else {
                from + (1.0 - from) * k as f64 / pieces as f64
            };
            self.theta.push(theta);
            self.look(flow, method, theta);
            self.table[k * self.count..(k + 1) * self.count].copy_from_slice(&self.scratch);
        }
        self.probes = 0;
        self.first_event(flow, method, watch, false)
    }

    /// The guards on the dense output, into `scratch`.
    fn look<F: Flow, M: Method>(&mut self, flow: &mut Clocked<'_, F>, method: &M, theta: f64) {
        let ends = method.ends();
        method.dense(theta, &mut self.y);
        let t = flow.time(ends.s0 + theta * ends.h);
        flow.flow.guards(t, &self.y, &mut self.scratch);
    }

    /// Goes through the rows with guard `i`: the row at which it first crosses in a watched direction, and the side it is on there, or at the end if it never does (`None`: still at zero).
    fn walk(&self, i: usize, watch: Watch) -> (Option<usize>, Option<i8>) {
        let values = (1..self.theta.len()).map(|row| self.table[row * self.count + i]);
        first_crossing(self.side[i], self.band[i], watch, values)
    }

    /// The first event on the dense output, which fills the rows. Only of a `whole` step, of which nothing stands yet, the search may be broken off.
    fn first_event<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        watch: &[Watch],
        whole: bool,
    ) -> Option<f64> {
        let (width, together) = {
            let ends = method.ends();
            let s1 = ends.s0.abs().max((ends.s0 + ends.h).abs());
            (4.0 * f64::EPSILON * s1 / ends.h, TOGETHER * s1 / ends.h)
        };
        let mut first = f64::INFINITY;
        for i in 0..self.count {
            self.place[i] = f64::INFINITY;
            if watch[i] == Watch::Off {
                continue;
            }
            // Among many guards this takes longer than anybody waits.
            if whole && !flow.flow.goes_on() {
                self.fired.clear();
                return None;
            }
            self.trace(flow, method, i);
            let values = self.line[1..].iter().map(|&(_, g)| g);
            let (Some(row), Some(to)) =
                first_crossing(self.side[i], self.band[i], watch[i], values)
            else {
                continue;
            };
            let side = -f64::from(to);
            let (left, right) = (self.line[row - 1], self.line[row]);
            if left.0 > first + together {
                continue;
            }
            // A guard that departed from zero within rounding may stand a little beyond it at the left end.
            let mut left = (left.0, (side * left.1).max(0.0));
            let mut right = (right.0, side * right.1);
            // Where it starts at zero its start is no crossing: that lies behind some point on its own side.
            if left.1 <= self.band[i] {
                let (start, mut theta) = (left.0, right.0);
                for _ in 0..50 {
                    theta = start + 0.5 * (theta - start);
                    self.look(flow, method, theta);
                    let here = side * self.scratch[i];
                    if here > self.band[i] {
                        left = (theta, here);
                        break;
                    }
                    if here < 0.0 {
                        right = (theta, here);
                    }
                }
            }
            let place = roots::crossing(left, right, width, |theta| {
                self.look(flow, method, theta);
                side * self.scratch[i]
            });
            self.place[i] = place;
            first = first.min(place);
            self.fired.push((i, to > 0));
        }
        if self.fired.is_empty() {
            return None;
        }
        let limit = first + together;
        self.fired.retain(|&(i, _)| self.place[i] <= limit);
        // All of them have crossed at the last one's place.
        let first = self
            .fired
            .iter()
            .fold(first, |last, &(i, _)| last.max(self.place[i]));
        self.measure_rounding(flow, method, first, width);
        // Whoever has crossed at that point as well belongs to the same event.
        for i in 0..self.count {
            let here = sign(self.there[i]);
            let crossed = self.side[i] != 0 && here == -self.side[i] && fires(watch[i], here);
            if crossed && !self.fired.iter().any(|&(k, _)| k == i) {
                self.fired.push((i, here > 0));
            }
        }
        self.fired.sort_unstable();
        Some(first)
    }

    /// Lays guard `i` out along the step, with a point more wherever it dips through zero between two rows and back.
    fn trace<F: Flow, M: Method>(&mut self, flow: &mut Clocked<'_, F>, method: &M, i: usize) {
        self.line.clear();
        for row in 0..self.theta.len() {
            self.line
                .push((self.theta[row], self.table[row * self.count + i]));
        }
        let mut from = 1;
        while let Some(row) = self.turns_near_zero(i, from) {
            let side = f64::from(sign(self.table[row * self.count + i]));
            let before = if row == self.probes + 1 { 0 } else { row - 1 };
            let (left, middle, right) = (self.theta[before], self.theta[row], self.theta[row + 1]);
            let at_middle = side * self.table[row * self.count + i];
            let found = roots::dip(left, (middle, at_middle), right, |theta| {
                self.look(flow, method, theta);
                side * self.scratch[i]
            });
            from = row + 1;
            if let Some(theta) = found {
                self.look(flow, method, theta);
                let at = self.line.partition_point(|point| point.0 < theta);
                self.line.insert(at, (theta, self.scratch[i]));
            }
            if from + 1 >= self.theta.len() {
                break;
            }
        }
    }

    /// A row from `from` on around which guard `i` turns back close to zero without having crossed it, as far as three points can tell.
    fn turns_near_zero(&self, i: usize, from: usize) -> Option<usize> {
        let at = |row: usize| (self.theta[row], self.table[row * self.count + i]);
        for row in from.max(self.probes + 1)..self.theta.len() - 1 {
            // The probes lie too close together to tell a curvature.
            let before = if row == self.probes + 1 { 0 } else { row - 1 };
            let ((ta, ga), (tb, gb), (tc, gc)) = (at(before), at(row), at(row + 1));
            let side = sign(gb);
            if side == 0 || sign(ga) == -side || sign(gc) == -side {
                continue;
            }
            // Most rows are done with here: equally spaced as they are, they show without a division that there is no turn towards zero.
            let (double_bend, climb) = (ga - 2.0 * gb + gc, gc - ga);
            let no_turn =
                f64::from(side) * double_bend <= 0.0 || climb.abs() >= 2.0 * double_bend.abs();
            if no_turn {
                continue;
            }
            // A guard on its way from zero has no turn there.
            if before == 0 && ga.abs() <= self.band[i] {
                continue;
            }
            let slope_left = (gb - ga) / (tb - ta);
            let slope_right = (gc - gb) / (tc - tb);
            let bend = (slope_right - slope_left) / (tc - ta);
            // The guard turns towards zero only where side·g has a minimum.
            if f64::from(side) * bend <= 0.0 {
                continue;
            }
            let turn = 0.5 * (ta + tb) - 0.5 * slope_left / bend;
            if !(turn > ta && turn < tc) {
                continue;
            }
            let lowest = ga + (turn - ta) * slope_left + bend * (turn - ta) * (turn - tb);
            let range = ga.abs().max(gb.abs()).max(gc.abs());
            if f64::from(side) * lowest <= CLOSE * range {
                return Some(row);
            }
        }
        None
    }

    /// Leaves the guards at `theta` in `there`, and in `there_band` what counts as zero after it.
    fn measure_rounding<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        theta: f64,
        width: f64,
    ) {
        self.measure_band(flow, method, theta, width);
        self.look(flow, method, theta);
        self.there.copy_from_slice(&self.scratch);
        self.located = Some([theta, width]);
    }

    /// How much the guards change within a few last places before the event: a jump at the event itself is no rounding.
    fn measure_band<F: Flow, M: Method>(
        &mut self,
        flow: &mut Clocked<'_, F>,
        method: &M,
        theta: f64,
        width: f64,
    ) {
        self.there_band.fill(0.0);
        self.look(flow, method, (theta - 2.0 * width).max(0.0));
        self.there.copy_from_slice(&self.scratch);
        for back in [4.0, 6.0] {
            self.look(flow, method, (theta - back * width).max(0.0));
            for i in 0..self.count {
                let change = (self.there[i] - self.scratch[i]).abs();
                self.there_band[i] = self.there_band[i].max(1.5 * change);
            }
        }
    }

    /// After an event's action: a guard that was a force and is a length now has another rounding. While the dense output is still that of the step in which the event was found.
    pub fn renew<F: Flow, M: Method>(&mut self, flow: &mut Clocked<'_, F>, method: &M) {
        if let Some([theta, width]) = self.located {
            self.measure_band(flow, method, theta, width);
        }
    }
}

/// Goes through the values of a guard after the start: the number of the first, counted from 1, at which it crosses in a watched direction, and the side it is on there, or at the end if
/// it never does (`None`: still at zero).
fn first_crossing(
    mut side: i8,
    band: f64,
    watch: Watch,
    values: impl Iterator<Item = f64>,
) -> (Option<usize>, Option<i8>) {
    for (row, g) in values.enumerate() {
        if side == 0 {
            if g.abs() > band {
                side = sign(g);
            }
        } else if sign(g) == -side {
            side = -side;
            if fires(watch, side) {
                return (Some(row + 1), Some(side));
            }
        }
    }
    (None, (side != 0).then_some(side))
}
