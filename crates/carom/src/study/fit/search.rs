//! Where is one law closest to the data, from many starts, and what does that tell of its numbers?
//!
//! Roughly from everywhere, then closely from the best, past outliers and past jumps of the force; then what is known there is judged.

use crate::card::{Fault, Need, Role, Values, rounded};
use crate::contact::{Calibration, Law};
use crate::math;
use crate::model::units::Dimension;

use super::curve::Candidate;
use super::data::Data;
use super::forward::{self, Forward};
use super::least::{self, Residuals};
use super::outcome::{Estimate, Fit, Product, Without, explained};
use super::unknowns::{self, Unknown};
use super::{Loss, Noise, Setup, edges, judge, open};

/// From how many starts it is looked which numbers change anything.
const LOOKED: usize = 6;
/// In so many steps all that the bounds of a number allow is walked through.
const WAY: usize = 24;

/// Curves are alike whose mean squared distance is this part of that of the noise; of those that are not, so many are looked at with the weights of outliers, if their sums are no more than this many times the least.
const SAME: f64 = 5e-3;
const CURVES: usize = 4;
const NEAR: f64 = 1.5;

/// A number changes nothing whose slope is below this at every point, in units of the data.
const SILENT: f64 = 1e-9;

/// By how many samples an instant of touch that was found is moved, to look from there.
const SHIFTS: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];

/// So many points are scanned for starts, and so many of them taken.
const SCAN: usize = 64;
const SCANNED: usize = 2;
/// The same once more, where a number that does something elsewhere is silent in the best curve.
const SCAN_MORE: usize = 512;
const SCANNED_MORE: usize = 8;

/// Steps of a search that tells starts apart, of one with squares for the answer, and of one with the weights of outliers: for the best curve and for the others.
const ROUGHLY: usize = 30;
const CLOSELY: usize = 100;
const OTHERS: usize = 60;

/// No noise is told to be less than this share of what is measured, and no outliers where it is no more than ten times that.
const LEAST_NOISE: f64 = 1e-9;

/// One law.
pub(super) fn one(
    candidate: Candidate,
    given: &Values,
    data: &Data,
    setup: &Setup,
) -> Result<Fit, Without> {
    one_from(candidate, given, data, setup, None, &|| true)
}

/// The same, sought from there alone, where it is known about where it is; it ends soon, with nothing or what is known by then, when it is not to go on.
pub(super) fn one_from(
    candidate: Candidate,
    given: &Values,
    data: &Data,
    setup: &Setup,
    known: Option<&Fit>,
    going: &dyn Fn() -> bool,
) -> Result<Fit, Without> {
    let mut search = Search::begin(candidate, given, data, setup, known, going)?;
    let ends = search.ends()?;
    let close = search.closely(&ends);
    let answer = search.answer(close)?;
    Ok(search.told(answer))
}

/// One law on its way to the data.
struct Search<'a> {
    candidate: Candidate,
    given: &'a Values,
    data: &'a Data,
    setup: &'a Setup,
    forward: Forward<'a>,
    /// Numbers that are not sought, by symbol and by name.
    names: Vec<(&'static str, f64)>,
    /// Where to begin, with all numbers that could be sought.
    starts: Vec<Vec<f64>>,
    /// The bounds of them all.
    all_bounds: least::Bounds,
    /// Which of them change nothing.
    dead: Vec<bool>,
    /// Which of them is held for a unit that the data leave open.
    open: Option<usize>,
    /// Which of them are not sought: both of these.
    still: Vec<bool>,
    /// The bounds of those that are sought.
    bounds: least::Bounds,
    /// From how many starts it was sought.
    tried: usize,
}

/// Where it is closest.
struct Close {
    found: least::Found,
    /// The scale of residuals that are no outliers; infinite with squares alone.
    scale: f64,
    /// From how many starts the same curve was found, and from how many it was sought.
    agreeing: [usize; 2],
}

/// What is known there.
struct Answer {
    close: Close,
    /// Within which bounds, of all that change anything.
    bounds: least::Bounds,
    judged: judge::Judged,
    /// The variance of a residual.
    variance: f64,
    /// How many combinations of numbers were there to be chosen.
    charged: usize,
}

/// A law that could not be fitted, and why.
fn without(candidate: Candidate, why: String) -> Without {
    Without {
        id: candidate.id(),
        why: vec![why],
        wrong_input: false,
    }
}

impl<'a> Search<'a> {
    /// Decides what is sought and from where.
    fn begin(
        candidate: Candidate,
        given: &'a Values,
        data: &'a Data,
        setup: &'a Setup,
        known: Option<&Fit>,
        going: &'a dyn Fn() -> bool,
    ) -> Result<Self, Without> {
        let law_unknowns = match candidate {
            Candidate::Law(card) => unknowns::unknowns(card, given, &setup.free),
            Candidate::Curve(curve) => curve.unknowns(),
        };
        let names = not_sought(candidate, given, &law_unknowns);
        let Some(mut forward) = Forward::new(candidate, given, law_unknowns, data, setup, going)
        else {
            return Err(without(candidate, "the laboratory cannot be set up".into()));
        };
        let all_bounds = bounds(&forward, &names);
        let scales = forward.scales();
        let mut starts: Vec<Vec<f64>> = (0..setup.starts.max(1))
            .map(|i| unknowns::start(i, &forward.unknowns, &scales, &names))
            .collect();
        if let Some(first) = starts.first() {
            fits(candidate, given, &forward.unknowns, first, data, setup)?;
        }
        for start in &mut starts {
            begin_with_the_data(start, &forward.unknowns, data, setup);
        }
        let dead = without_effect(&mut forward, &starts, &all_bounds);
        if let Some(known) = known {
            let found = forward.unknowns.iter().zip(&known.parameters);
            starts = vec![found.map(|(unknown, p)| unknown.scaled(p.value)).collect()];
        }
        // What goes with a unit that the data leave open is known by itself; the rest is sought.
        let open = open::held(data.kind, &mut forward, &starts, &dead, &names);
        let still: Vec<bool> = (0..dead.len())
            .map(|j| dead[j] || open == Some(j))
            .collect();
        let bounds = least::Bounds {
            low: picked(&all_bounds.low, &still),
            high: picked(&all_bounds.high, &still),
        };
        let first = starts.first().cloned().unwrap_or_default();
        for ((held, still), u) in forward.held.iter_mut().zip(&still).zip(&first) {
            *held = still.then_some(*u);
        }
        let search = Self {
            tried: starts.len(),
            candidate,
            given,
            data,
            setup,
            forward,
            names,
            starts,
            all_bounds,
            dead,
            open,
            still,
            bounds,
        };
        match search.few() {
            Some(why) => Err(without(candidate, why)),
            None => Ok(search),
        }
    }

    /// Why there are too few points for what is sought, if so.
    fn few(&self) -> Option<String> {
        let (n, p) = (self.forward.count(), self.bounds.low.len());
        if n > p + 1 {
            return None;
        }
        let (which, hint) = match self.data.y.len() {
            all if all > n => (
                format!(
                    " of {all} that are neither at the tip of the loop nor far from the rows beside them,"
                ),
                "rows in the order of time, ",
            ),
            _ => (String::new(), ""),
        };
        Some(format!(
            "{}: {n} points{which} for {p} unknowns and the noise. Hint: {hint}more points, or fewer unknowns (--param)",
            self.candidate.id()
        ))
    }

    /// A search with squares from there.
    fn from(&mut self, start: &[f64], steps: usize, rest: f64) -> Option<least::Found> {
        let Self {
            forward, bounds, ..
        } = self;
        least::search(forward, bounds, start, f64::INFINITY, (steps, rest))
    }

    /// The best of some points spread evenly over all that the bounds allow, the experiment's own numbers taken from the data.
    fn scanned(&mut self, indices: std::ops::RangeInclusive<usize>, most: usize) -> Vec<Vec<f64>> {
        let mut scan: Vec<least::Found> = indices
            .filter_map(|index| {
                let point = unknowns::within(index, &self.bounds);
                let mut full = picked_back(&point, &self.forward.held);
                begin_with_the_data(&mut full, &self.forward.unknowns, self.data, self.setup);
                let point = picked(&full, &self.still);
                self.from(&point, 0, least::ROUGH)
            })
            .collect();
        scan.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        scan.into_iter().take(most).map(|found| found.u).collect()
    }

    /// Whether a number that is sought changes nothing there, though it does elsewhere.
    fn is_silent(&mut self, end: &least::Found) -> bool {
        let Self {
            forward, bounds, ..
        } = self;
        let columns = least::jacobian(forward, bounds, end);
        let silent = |column: &Vec<f64>| column.iter().all(|slope| slope.abs() < SILENT);
        columns.is_none_or(|columns| columns.iter().any(silent))
    }

    /// Where rough searches end, the best first; there is at least one.
    fn ends(&mut self) -> Result<Vec<least::Found>, Without> {
        let mut from: Vec<Vec<f64>> = self
            .starts
            .iter()
            .map(|start| picked(start, &self.still))
            .collect();
        // A law may do nothing at all where numbers of its size usually lie, such as yield: the last starts are the best of all that the bounds allow.
        if let Some(kept) = from.len().checked_sub(SCANNED).filter(|kept| *kept > 0) {
            from.truncate(kept);
            from.extend(self.scanned(1..=SCAN, SCANNED));
        }
        let mut ends: Vec<least::Found> = from
            .iter()
            .filter_map(|start| self.from(start, ROUGHLY, least::ROUGH))
            .collect();
        ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        // Where yield, say, does not begin all starts agree, and that tells nothing: it is looked for elsewhere.
        let many = self.starts.len() > SCANNED;
        if many && ends.first().is_some_and(|best| self.is_silent(best)) {
            for start in self.scanned(SCAN + 1..=SCAN + SCAN_MORE, SCANNED_MORE) {
                ends.extend(self.from(&start, ROUGHLY, least::ROUGH));
                self.tried += 1;
            }
            ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        }
        self.past_jumps(&mut ends);
        if ends.is_empty() {
            let why = format!(
                "{}: no curve from any of {} starts. Hint: fix some parameters with --param",
                self.candidate.id(),
                self.starts.len()
            );
            return Err(without(self.candidate, why));
        }
        Ok(ends)
    }

    /// A force that jumps at touch holds a search between two samples: it is looked beyond them too.
    fn past_jumps(&mut self, ends: &mut [least::Found]) {
        let sought = self.forward.unknowns.iter().zip(&self.still);
        let sought = sought.filter(|(_, still)| !**still).map(|(u, _)| u);
        let steps: Vec<Option<f64>> = sought
            .map(|u| {
                let step = edges::step(self.data).filter(|_| u.name == "start");
                step.map(|s| s / u.about[1])
            })
            .collect();
        for (j, step) in steps.iter().enumerate() {
            let (Some(step), Some(best)) = (step, ends.first_mut()) else {
                continue;
            };
            let shifted = SHIFTS.map(|by| {
                let mut u = best.u.clone();
                u[j] += by * step;
                self.from(&u, ROUGHLY, least::ROUGH)
            });
            let least = shifted.into_iter().flatten();
            if let Some(least) = least.min_by(|a, b| a.cost.total_cmp(&b.cost))
                && least.cost < best.cost
            {
                *best = least;
            }
        }
    }

    /// Closely from the best of the ends.
    fn closely(&mut self, ends: &[least::Found]) -> Close {
        let best = &ends[0];
        // The same curve, not only one that is as near: outliers may lift two minima to the same height.
        let noise = least::median_scale(&best.r);
        let alike = |a: &least::Found, b: &least::Found| {
            let apart = a.r.iter().zip(&b.r).map(|(a, b)| (a - b) * (a - b));
            apart.sum::<f64>() <= (SAME * noise * noise + 1e-18) * a.r.len() as f64
        };
        let same = ends.iter().filter(|end| alike(end, best)).count();
        let agreeing = [same, self.tried];
        let (found, scale) = match self.setup.loss {
            Loss::Squares => {
                let end = self.from(&best.u, CLOSELY, least::CLOSE);
                (end.unwrap_or_else(|| best.clone()), f64::INFINITY)
            }
            Loss::Huber => {
                // Outliers may have led the squares astray: the next best curves are looked at too.
                let mut robust = self.robustly(best, CLOSELY);
                let mut looked: Vec<&least::Found> = vec![best];
                for other in ends {
                    let first = looked.len() == 1;
                    let near = first || other.cost <= NEAR * best.cost;
                    let new = looked.iter().all(|end| !alike(end, other));
                    if new && near && looked.len() < CURVES {
                        looked.push(other);
                        let second = self.robustly(other, OTHERS);
                        // With the scale of one of them: a sample beside a jump that is missed altogether counts for all it is.
                        let scale = second.1.min(robust.1);
                        if least::cost(&second.0.r, scale) < least::cost(&robust.0.r, scale) {
                            robust = second;
                        }
                    }
                }
                robust
            }
        };
        Close {
            found,
            scale,
            agreeing,
        }
    }

    /// With the weights of outliers from there, and the scale of the rest.
    fn robustly(&mut self, from: &least::Found, steps: usize) -> (least::Found, f64) {
        let Self {
            forward, bounds, ..
        } = self;
        let columns = least::jacobian(forward, bounds, from);
        let known = columns.map_or(bounds.low.len(), |columns| judge::rank(&columns));
        least::robust(forward, bounds, from.clone(), known, LEAST_NOISE, steps)
    }

    /// What is known where it is closest.
    fn answer(&mut self, mut close: Close) -> Result<Answer, Without> {
        let Some(columns) = least::jacobian(&mut self.forward, &self.bounds, &close.found) else {
            let why = format!(
                "{}: the curve ends beside the best one found. Hint: fix some parameters with --param",
                self.candidate.id()
            );
            return Err(without(self.candidate, why));
        };
        let variance = least::variance(&close.found.r, close.scale, judge::rank(&columns));
        let noise = math::sqrt(variance);
        let mut columns = edges::blunted(&mut self.forward, &close.found.u, columns, noise);
        let could = self.could();
        let mut bounds = self.bounds.clone();
        if let Some(open) = self.open {
            self.with_open(open, &mut close.found, &mut columns);
            bounds = least::Bounds {
                low: picked(&self.all_bounds.low, &self.dead),
                high: picked(&self.all_bounds.high, &self.dead),
            };
        }
        let live = self.forward.unknowns.iter().zip(&self.dead);
        let sought: Vec<judge::Sought<'_>> = live
            .filter(|(_, dead)| !**dead)
            .map(|(unknown, _)| judge::Sought {
                name: unknown.name,
                log: unknown.log,
            })
            .collect();
        let judged = judge::judge(&columns, variance, &sought);
        // Nothing is told by a law whose numbers all fall silent where it fits best.
        let silent = usize::from(!self.forward.unknowns.is_empty());
        Ok(Answer {
            charged: judged.rank.max(could).max(silent),
            close,
            bounds,
            judged,
            variance,
        })
    }

    /// Numbers that fall silent where a law fits best were there to be chosen all the same: how many combinations of them are known near some start.
    fn could(&mut self) -> usize {
        let mut could = 0;
        for i in 0..self.starts.len().min(3) {
            let start = picked(&self.starts[i], &self.still);
            let there = self.from(&start, 0, least::ROUGH);
            let Self {
                forward, bounds, ..
            } = self;
            let columns = there.and_then(|there| least::jacobian(forward, bounds, &there));
            could = could.max(columns.map_or(0, |columns| judge::rank(&columns)));
        }
        could
    }

    /// Makes the number that was held for an open unit one of the others, with the column of slopes that follows from theirs.
    fn with_open(&mut self, open: usize, found: &mut least::Found, columns: &mut Vec<Vec<f64>>) {
        let full = picked_back(&found.u, &self.forward.held);
        let along = open::direction(self.data.kind, &self.forward.unknowns, &full, &self.names);
        let along = along.unwrap_or_default();
        let by = along.get(open).copied().unwrap_or(f64::NAN);
        let mut column = vec![0.0; columns.first().map_or(0, Vec::len)];
        for (other, d) in columns.iter().zip(picked(&along, &self.still)) {
            let sum = column.iter_mut().zip(other);
            sum.for_each(|(sum, slope)| *sum -= d / by * slope);
        }
        let before = self.dead.iter().take(open);
        columns.insert(before.filter(|dead| !**dead).count(), column);
        found.u = picked(&full, &self.dead);
        if let Some(held) = self.forward.held.get_mut(open) {
            *held = None;
        }
    }

    /// The answer as it is told.
    fn told(mut self, answer: Answer) -> Fit {
        let Answer {
            close:
                Close {
                    found,
                    scale,
                    agreeing,
                },
            bounds,
            judged,
            variance,
            charged,
        } = answer;
        let freedom = self.forward.count().saturating_sub(judged.rank).max(1);
        let t = judge::student95(freedom);
        let noise = match self.setup.loss {
            Loss::Squares => math::sqrt(variance),
            Loss::Huber => scale,
        };
        let parameters = self.estimates(&found, &bounds, &judged, t);
        let live: Vec<&Estimate> = parameters
            .iter()
            .zip(&self.dead)
            .filter_map(|(estimate, dead)| (!dead).then_some(estimate))
            .collect();
        let number = |j: usize| {
            let one = live.get(j)?;
            let unit = Dimension::of(&one.unit, &[]).ok();
            Some((one.name, one.value, unit))
        };
        let products = Product::all(&judged.powers, t, number);
        let mut unknowable: Vec<String> = products.iter().map(Product::words).collect();
        let correlation = self.correlation(&judged);
        unknowable.extend(judged.words);
        unknowable.extend(self.silent());
        let mut fitted = vec![0.0; self.data.y.len()];
        self.forward.predict(&found.u, &mut fitted);
        let whole = self.setup.weights(self.data);
        let left_over = self.forward.left_over(&found);
        let residuals: Vec<f64> = left_over
            .iter()
            .map(|r| -r / if noise > 0.0 { noise } else { 1.0 })
            .collect();
        let outliers = match noise > 10.0 * LEAST_NOISE {
            true => (0..residuals.len())
                .filter(|i| residuals[*i].abs() > 4.0)
                .collect(),
            false => Vec::new(),
        };
        let absolute = self.setup.noise_of(self.data) == Noise::Absolute;
        let unit = match absolute {
            true => whole.first().copied().unwrap_or(1.0),
            false => 1.0,
        };
        let depth_noise = self.forward.reading.as_ref().map(|reading| {
            let size = reading.sizes.first().copied().unwrap_or(1.0);
            noise * reading.ratio * if absolute { size } else { 1.0 }
        });
        Fit {
            explained: explained(self.data, &whole, &left_over, &outliers),
            id: self.candidate.id(),
            candidate: self.candidate,
            given: self.given.clone(),
            parameters,
            correlation,
            unknowable,
            products,
            condition: judged.condition,
            rank: judged.rank,
            charged,
            freedom,
            noise: noise * unit,
            aicc: f64::NAN,
            delta: f64::NAN,
            weight: 0.0,
            fitted,
            residuals,
            outliers,
            smooth: self.forward.smooth(&found.u),
            restitution: match self.data.kind.is_restitution() {
                true => self.forward.restitution_curve(&found.u),
                false => Vec::new(),
            },
            agreeing,
            settled: found.settled,
            same_curve: Vec::new(),
            depth_noise,
            left: found.r,
            information: judged.information,
        }
    }

    /// The numbers that were found, with their intervals; `t` is Student's.
    fn estimates(
        &mut self,
        found: &least::Found,
        bounds: &least::Bounds,
        judged: &judge::Judged,
        t: f64,
    ) -> Vec<Estimate> {
        let values = self.forward.values(&found.u).to_vec();
        let all = &self.forward.unknowns;
        let mut estimates = Vec::new();
        let mut place = 0;
        for ((unknown, dead), value) in all.iter().zip(&self.dead).zip(&values) {
            let mut estimate = Estimate {
                name: unknown.name,
                unit: unit(unknown, all, &values, &self.names),
                value: *value,
                interval: None,
                at_bound: false,
            };
            if !dead {
                let (u, low, high) = (found.u[place], bounds.low[place], bounds.high[place]);
                let near = 1e-6 * (high - low).min(1.0);
                estimate.at_bound = u - low < near || high - u < near;
                estimate.interval = judged.errors[place].map(|error| {
                    let low = (u - t * error).max(low);
                    let high = (u + t * error).min(high);
                    [unknown.value(low), unknown.value(high)]
                });
                place += 1;
            }
            estimates.push(estimate);
        }
        estimates
    }

    /// Correlations of all numbers, also of those that change nothing.
    fn correlation(&self, judged: &judge::Judged) -> Vec<Vec<f64>> {
        let mut live = 0..;
        let places: Vec<Option<usize>> = self
            .dead
            .iter()
            .map(|dead| if *dead { None } else { live.next() })
            .collect();
        let row = |i: &Option<usize>| {
            let entry = |j: &Option<usize>| match (i, j) {
                (Some(i), Some(j)) => judged.correlation[*i][*j],
                _ => f64::NAN,
            };
            places.iter().map(entry).collect()
        };
        places.iter().map(row).collect()
    }

    /// The numbers that change nothing, in words, if there are any.
    fn silent(&self) -> Option<String> {
        let pairs = self.forward.unknowns.iter().zip(&self.dead);
        let silent: Vec<String> = pairs
            .filter(|(_, dead)| **dead)
            .map(|(unknown, _)| format!("`{}`", unknown.name))
            .collect();
        (!silent.is_empty()).then(|| format!("these data say nothing of {}", silent.join(", ")))
    }
}

/// Numbers of a law that are not sought, given or by default, by symbol and by name.
fn not_sought(
    candidate: Candidate,
    given: &Values,
    law_unknowns: &[Unknown],
) -> Vec<(&'static str, f64)> {
    let Candidate::Law(card) = candidate else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for p in card.parameters {
        let default = match p.need {
            Need::Default(value) => Some(value),
            _ => None,
        };
        let sought = law_unknowns.iter().any(|u| u.name == p.name);
        if let (false, Some(value)) = (sought, given.get(p.name).or(default)) {
            names.push((p.symbol, value));
            names.push((p.name, value));
        }
    }
    names
}

/// Within which bounds all numbers are sought. Units with an exponent that is sought are sized with the usual one.
fn bounds(forward: &Forward<'_>, names: &[(&'static str, f64)]) -> least::Bounds {
    let mut usual = names.to_vec();
    for unknown in forward.unknowns.iter().filter(|unknown| !unknown.log) {
        let value = match unknown.role {
            Role::Exponent => 1.5,
            _ => 0.5 * (unknown.range.low + unknown.range.high),
        };
        usual.push((unknown.symbol, value));
        usual.push((unknown.name, value));
    }
    unknowns::bounds(&forward.unknowns, &forward.scales(), &usual)
}

/// What is wrong with the values given is told before anything is sought.
fn fits(
    candidate: Candidate,
    given: &Values,
    unknowns: &[Unknown],
    first: &[f64],
    data: &Data,
    setup: &Setup,
) -> Result<(), Without> {
    let Candidate::Law(card) = candidate else {
        return Ok(());
    };
    let mut values = given.clone();
    for (unknown, u) in unknowns.iter().zip(first) {
        if card.parameters.iter().any(|p| p.name == unknown.name) {
            values.set_number(unknown.name, unknown.value(*u));
        }
    }
    let law = Law::new(card, &values, None, Calibration::Published).map_err(|faults| Without {
        id: candidate.id(),
        why: faults.iter().map(Fault::to_string).collect(),
        wrong_input: true,
    })?;
    match forward::unfit(card, &law, data, setup) {
        Some(why) => Err(without(candidate, why)),
        None => Ok(()),
    }
}

/// The experiment's own numbers start from the data.
fn begin_with_the_data(start: &mut [f64], unknowns: &[Unknown], data: &Data, setup: &Setup) {
    let first = data.y.first().copied().unwrap_or(1.0);
    let second = data.y.get(1).copied().unwrap_or(first);
    for (u, unknown) in start.iter_mut().zip(unknowns) {
        match unknown.name {
            "first_height" | "first_time" => *u = unknown.scaled(first),
            "first_speed" => *u = unknown.scaled(0.5 * setup.gravity * (second - first)),
            _ => {}
        }
    }
}

/// Of all numbers those that are not left out.
fn picked(full: &[f64], out: &[bool]) -> Vec<f64> {
    let pairs = full.iter().zip(out);
    pairs.filter(|(_, out)| !**out).map(|(x, _)| *x).collect()
}

/// All numbers, from those that are sought and those that are held.
fn picked_back(sought: &[f64], held: &[Option<f64>]) -> Vec<f64> {
    let mut sought = sought.iter();
    let one = |held: &Option<f64>| held.or_else(|| sought.next().copied());
    held.iter()
        .map(one)
        .map(|x| x.unwrap_or(f64::NAN))
        .collect()
}

/// The unit with the exponents that were found in it.
fn unit(
    unknown: &Unknown,
    all: &[Unknown],
    values: &[f64],
    names: &[(&'static str, f64)],
) -> String {
    if Dimension::of(unknown.unit, &[]).is_ok() {
        return unknown.unit.into();
    }
    let mut names: Vec<(&str, f64)> = names.to_vec();
    for (other, value) in all.iter().zip(values) {
        if other.unit.is_empty() {
            names.push((other.symbol, *value));
        }
    }
    let known = |name: &str| {
        let named = names.iter().find(|known| known.0 == name);
        named.map(|known| known.1).or_else(|| name.parse().ok())
    };
    let mut parts = unknown.unit.split('^');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = match part.find(')').filter(|_| part.starts_with('(')) {
            Some(end) => end + 1,
            None => part
                .find(|c: char| !c.is_alphanumeric() && c != '.' && c != '-')
                .unwrap_or(part.len()),
        };
        let (power, rest) = part.split_at(end);
        // Sums of exponents stand in brackets.
        let terms = power.trim_matches(['(', ')']).split('+');
        let sum = terms.map(|term| known(term.trim())).sum::<Option<f64>>();
        // As the exponent itself is printed: both are pasted into one model file.
        let power = sum.map_or_else(|| power.to_string(), rounded);
        text.push_str(&format!("^{power}{rest}"));
    }
    text
}

/// Which numbers change nothing at all, looked at from several starts with a large step: a law may be elastic from one of them.
fn without_effect(
    forward: &mut Forward<'_>,
    starts: &[Vec<f64>],
    bounds: &least::Bounds,
) -> Vec<bool> {
    let count = forward.unknowns.len();
    let mut dead = vec![true; count];
    let mut looked = 0;
    let n = forward.count();
    let (mut here, mut there) = (vec![0.0; n], vec![0.0; n]);
    for start in starts {
        if looked >= LOOKED {
            break;
        }
        if !forward.at(start, &mut here) {
            continue;
        }
        looked += 1;
        for j in 0..count {
            let width = bounds.high[j] - bounds.low[j];
            let near = [0.3, -0.3].map(|step| start[j] + step * width.min(1.0));
            // From the first all the way too: yield may begin decades from where a number of this kind usually is.
            let far = (1..WAY).map(|k| bounds.low[j] + k as f64 / WAY as f64 * width);
            let far = far.take(if looked == 1 { WAY } else { 0 });
            let mut moved = start.clone();
            for value in near.into_iter().chain(far) {
                if !dead[j] {
                    break;
                }
                moved[j] = value.max(bounds.low[j]).min(bounds.high[j]);
                let changed = forward.at(&moved, &mut there)
                    && here
                        .iter()
                        .zip(&there)
                        .any(|(a, b)| (a - b).abs() > 1e-7 * (1.0 + a.abs()));
                dead[j] = !changed;
            }
        }
    }
    if looked == 0 {
        vec![false; count]
    } else {
        dead
    }
}
