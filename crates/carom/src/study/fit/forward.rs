//! What would have been measured if a law held with these numbers?

use crate::card::Values;
use crate::contact::{Calibration, Card, Law, State};
use crate::impact;
use crate::impact::{Impact, Lab, Sample};
use crate::math;

use super::Candidate;
use super::Setup;
use super::data::{Data, MOST_POINTS};
use super::kind::Kind;
use super::least::{Found, Residuals};
use super::path::{Foot, Reading, Way};
use super::unknowns::{Scales, Unknown};

/// Fine enough that differences of curves tell their slopes.
const RTOL: f64 = 1e-10;
/// Steps of an impact at most: thirty times the usual number. Numbers with which one takes longer are not those of anything that was measured, and a search must get past them.
const STEPS: u64 = 2_000;
/// Intervals of a simulated history: between its points a cubic is right to 1e-8.
const SAMPLES: usize = 120;
/// Intervals of a loop: between its points a straight line is right to 1e-5.
const LOOP_SAMPLES: usize = 480;

/// A law, or a curve of restitution, put to the measurement.
pub(super) struct Forward<'a> {
    candidate: Candidate,
    given: &'a Values,
    data: &'a Data,
    setup: &'a Setup,
    /// Whether to go on: there are no residuals any more if not.
    going: &'a dyn Fn() -> bool,
    lab: Lab,
    /// All that is sought: of the law first, then of the experiment.
    pub unknowns: Vec<Unknown>,
    /// Whether each is varied, and its value (as it is sought) if it is not.
    pub held: Vec<Option<f64>>,
    of_law: usize,
    /// What one unit of a residual is, for each point.
    weights: Vec<f64>,
    /// How the points are put to a loop, where they are that of an impact.
    pub reading: Option<Reading>,
    full: Vec<f64>,
    values: Vec<f64>,
    predicted: Vec<f64>,
}

/// The numbers of one trial.
struct Trial {
    law: Option<Law>,
    mass: f64,
    speed: f64,
}

impl<'a> Forward<'a> {
    /// `None` if there is no laboratory.
    pub fn new(
        candidate: Candidate,
        given: &'a Values,
        law_unknowns: Vec<Unknown>,
        data: &'a Data,
        setup: &'a Setup,
        going: &'a dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut unknowns = law_unknowns;
        let of_law = unknowns.len();
        let law = matches!(candidate, Candidate::Law(_));
        if law && setup.mass.is_none() {
            unknowns.push(Unknown::positive("mass", "kg"));
        }
        if data.kind == Kind::TimeForce && setup.speed.is_none() {
            unknowns.push(Unknown::positive("speed", "m/s"));
        }
        match data.kind {
            Kind::TimeForce if setup.frees("start") => {
                let [first, last] = loud(data, ground(data, setup));
                let size = (0.1 * (last - first)).max(1e-12);
                unknowns.push(Unknown::around("start", "s", first - size, size));
            }
            Kind::ForceIndentation if setup.frees("start") => {
                let [zero, size] = likely_zero(data);
                unknowns.push(Unknown::around("start", "m", zero, size));
            }
            Kind::Heights => unknowns.push(Unknown::positive("first_height", "m")),
            Kind::Times => {
                let first = data.y.first().copied().unwrap_or(0.0);
                let flight = data.y.get(1).map_or(1.0, |second| second - first);
                unknowns.push(Unknown::around("first_time", "s", first, flight));
                unknowns.push(Unknown::positive("first_speed", "m/s"));
            }
            _ => {}
        }
        if setup.frees("offset") && !data.kind.is_restitution() {
            let peak = data.y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
            let size = 0.1 * if peak > 0.0 { peak } else { 1.0 };
            unknowns.push(Unknown::around("offset", "N", ground(data, setup), size));
        }
        let n = data.y.len();
        Some(Self {
            candidate,
            given,
            data,
            setup,
            going,
            lab: Lab::within(RTOL, STEPS).ok()?,
            held: vec![None; unknowns.len()],
            full: vec![0.0; unknowns.len()],
            values: vec![0.0; unknowns.len()],
            unknowns,
            of_law,
            weights: setup.weights(data),
            reading: is_loop(data, setup).then(|| {
                let zero = about_zero(data, setup);
                let x: Vec<f64> = data.x.iter().map(|x| x - zero).collect();
                let sizes = [&x, &data.y].map(|column| setup.sizes(data, column));
                Reading::new([&x, &data.y], sizes)
            }),
            predicted: vec![0.0; n],
        })
    }

    /// The numbers that were found, in SI units, for all unknowns.
    pub fn values(&mut self, u: &[f64]) -> &[f64] {
        let mut free = u.iter();
        for (slot, held) in self.full.iter_mut().zip(&self.held) {
            *slot = match held {
                Some(value) => *value,
                None => free.next().copied().unwrap_or(f64::NAN),
            };
        }
        for ((value, u), unknown) in self.values.iter_mut().zip(&self.full).zip(&self.unknowns) {
            *value = unknown.value(*u);
        }
        &self.values
    }

    /// One number of the experiment, by its name.
    fn number(&self, name: &str) -> Option<f64> {
        let mut pairs = self.unknowns.iter().zip(&self.values);
        pairs.find(|(u, _)| u.name == name).map(|(_, value)| *value)
    }

    /// Where touch stands on the axis of the data: s of a record of force, m of an indentation.
    fn start(&self) -> f64 {
        self.number("start").unwrap_or(self.setup.start)
    }

    /// What the force shows where nothing touches, N.
    fn offset(&self) -> f64 {
        self.number("offset").unwrap_or(0.0)
    }

    fn trial(&self) -> Option<Trial> {
        let law = match self.candidate {
            Candidate::Law(card) => {
                let mut values = self.given.clone();
                for (unknown, value) in self.unknowns.iter().zip(&self.values).take(self.of_law) {
                    values.set_number(unknown.name, *value);
                }
                Some(Law::new(card, &values, None, Calibration::Published).ok()?)
            }
            Candidate::Curve(_) => None,
        };
        Some(Trial {
            law,
            mass: self.number("mass").or(self.setup.mass).unwrap_or(1.0),
            speed: self.number("speed").or(self.setup.speed).unwrap_or(1.0),
        })
    }

    /// The restitution at an approach speed in m/s.
    fn restitution(&mut self, trial: &Trial, v: f64) -> Option<f64> {
        let e = match (&trial.law, self.candidate) {
            (Some(law), Candidate::Law(card)) => {
                let touch = law.touch(v, trial.mass).ok()?;
                match impact::restitution(&touch) {
                    Some(e) => e,
                    None => self.lab.free(card.id, &touch).ok()?.restitution,
                }
            }
            (_, Candidate::Curve(curve)) => curve.at(&self.values, v),
            _ => return None,
        };
        e.is_finite().then_some(e)
    }

    /// What would be measured at the points of the data.
    pub fn predict(&mut self, u: &[f64], out: &mut [f64]) -> bool {
        self.values(u);
        let Some(trial) = self.trial() else {
            return false;
        };
        let done = match self.data.kind {
            Kind::TimeForce => self.force_over_time(&trial, &self.data.x, out),
            Kind::ForceIndentation if self.reading.is_some() => {
                let feet = self.feet(&trial, true);
                let offset = self.offset();
                let forces = feet.iter().flatten().map(|foot| foot.force + offset);
                out.iter_mut().zip(forces).for_each(|(out, y)| *out = y);
                feet.is_some()
            }
            Kind::ForceIndentation => self.force_over_indentation(&trial, out),
            Kind::Heights | Kind::Times => self.bounces(&trial, out),
            Kind::Speeds => {
                let data = self.data;
                data.x.iter().zip(out.iter_mut()).all(|(v, out)| {
                    let e = self.restitution(&trial, *v);
                    *out = v * e.unwrap_or(f64::NAN);
                    e.is_some()
                })
            }
        };
        done && out.iter().all(|y| y.is_finite())
    }

    fn impact(&mut self, trial: &Trial, samples: usize) -> Option<Impact> {
        let law = trial.law.as_ref()?;
        let touch = impact::begin(law, trial.speed, trial.mass).ok()?;
        self.lab.simulate(law, touch, samples).ok()
    }

    /// The two ways of the loop of an impact, with its tip or without.
    fn ways(&mut self, trial: &Trial, with_tip: bool) -> Option<[Way; 2]> {
        let impact = self.impact(trial, LOOP_SAMPLES)?;
        let far =
            |list: &[f64], of: f64| 10.0 * list.iter().fold(of.abs(), |m: f64, x| m.max(x.abs()));
        let reach = [
            far(&self.data.x, impact.deepest.delta),
            far(&self.data.y, impact.peak.force),
        ];
        let tip = self.reading.as_ref().map(|reading| reading.tip);
        let ways = Way::both(&impact, reach, tip.filter(|_| !with_tip));
        let sound = ways.iter().flat_map(Way::points).flatten();
        sound.into_iter().all(|x| x.is_finite()).then_some(ways)
    }

    /// Where each way is nearest to a point.
    fn foot(&self, ways: &[Way; 2], i: usize, way: usize) -> Option<Foot> {
        let reading = self.reading.as_ref()?;
        let point = [
            *self.data.x.get(i)? - self.start(),
            *self.data.y.get(i)? - self.offset(),
        ];
        let size = [*reading.sizes.get(i)?, *self.weights.get(i)?];
        ways.get(way)?.nearest(point, size, reading.ratio)
    }

    /// Where the loop is nearest to each point: to those that are compared, or to all, also at the tip.
    fn feet(&mut self, trial: &Trial, all: bool) -> Option<Vec<Foot>> {
        let ways = self.ways(trial, all)?;
        let reading = self.reading.as_ref()?;
        let foot = |i: usize| self.foot(&ways, i, usize::from(i >= reading.back));
        match all {
            true => (0..self.data.x.len()).map(foot).collect(),
            false => reading.rows.iter().copied().map(foot).collect(),
        }
    }

    /// Fitted less measured, in units of what is measured, at every point: also at those that are not compared.
    pub fn left_over(&mut self, found: &Found) -> Vec<f64> {
        let Some(n) = self.reading.as_ref().map(|_| self.data.x.len()) else {
            return found.r.clone();
        };
        self.values(&found.u);
        let feet = self.trial().and_then(|trial| self.feet(&trial, true));
        feet.map_or(vec![f64::NAN; n], |feet| {
            feet.iter().map(|foot| -foot.off).collect()
        })
    }

    /// What was measured.
    pub fn data(&self) -> &'a Data {
        self.data
    }

    /// On the clock of a record of force: the instants of touch and end, s.
    pub fn instants(&mut self, u: &[f64]) -> Option<[f64; 2]> {
        self.values(u);
        let trial = self.trial()?;
        let impact = self.impact(&trial, 1)?;
        let start = self.start();
        Some([start, start + impact.end.time])
    }

    /// The contact force at instants on the clock of a record, as a share of the largest of the record.
    pub fn forces(&mut self, u: &[f64], times: &[f64]) -> Option<Vec<f64>> {
        self.values(u);
        let trial = self.trial()?;
        let mut out = vec![0.0; times.len()];
        let done = self.force_over_time(&trial, times, &mut out);
        let (offset, size) = (self.offset(), *self.weights.first()?);
        done.then(|| out.iter().map(|force| (force - offset) / size).collect())
    }

    fn force_over_time(&mut self, trial: &Trial, times: &[f64], out: &mut [f64]) -> bool {
        let Some(impact) = self.impact(trial, SAMPLES) else {
            return false;
        };
        let (start, offset) = (self.start(), self.offset());
        let history = History::new(&impact);
        for (t, out) in times.iter().zip(out) {
            let t = t - start;
            *out = if t < 0.0 || t > impact.end.time {
                offset
            } else {
                offset + history.force(t)
            };
        }
        true
    }

    fn force_over_indentation(&mut self, trial: &Trial, out: &mut [f64]) -> bool {
        let data = self.data;
        let Some(law) = &trial.law else { return false };
        let (deepest, zero, offset) = (deepest(&data.x), self.start(), self.offset());
        let fastest = |rates: &Vec<f64>| rates.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let speed = self.setup.speed.or(data.rate.as_ref().map(fastest));
        let speed = speed.filter(|v| *v > 0.0).unwrap_or(1.0);
        let Ok(mut touch) = law.touch(speed, trial.mass) else {
            return false;
        };
        for (i, (x, out)) in data.x.iter().zip(out).enumerate() {
            let delta = x - zero;
            if i == deepest + 1 && touch.switch_guard(&State::new(0.0, speed)).is_some() {
                let at = data.x.get(deepest).copied().unwrap_or_default();
                touch.switch(&State::new(at - zero, 0.0));
            }
            if delta > touch.limit() {
                return false;
            }
            let rate = data.rate.as_ref().and_then(|r| r.get(i)).copied();
            let state = State::new(delta, rate.unwrap_or(0.0));
            let gone = delta <= 0.0 || i > deepest && delta <= touch.residual();
            *out = if gone {
                offset
            } else {
                offset + touch.force(&state).total()
            };
        }
        true
    }

    fn bounces(&mut self, trial: &Trial, out: &mut [f64]) -> bool {
        let g = self.setup.gravity;
        let heights = self.data.kind == Kind::Heights;
        let mut v = match heights {
            true => math::sqrt(2.0 * g * self.number("first_height").unwrap_or(f64::NAN)),
            false => self.number("first_speed").unwrap_or(f64::NAN),
        };
        let mut t = self.number("first_time").unwrap_or(0.0);
        let data = self.data;
        let mut at = data.x.first().copied().unwrap_or(0.0);
        for (number, out) in data.x.iter().zip(out) {
            // Rows need not have all bounces; but no row is further on than a table may be long.
            if number - at > MOST_POINTS as f64 {
                return false;
            }
            while at < *number {
                at += 1.0;
                // In the air between two strikes.
                t += 2.0 * v / g;
                match self.restitution(trial, v) {
                    Some(e) => v *= e,
                    None => return false,
                }
            }
            *out = if heights { 0.5 * v * v / g } else { t };
        }
        true
    }

    /// A curve to draw: through the whole range of the data, closer than its points.
    pub fn smooth(&mut self, u: &[f64]) -> Vec<(f64, f64)> {
        self.values(u);
        let Some(trial) = self.trial() else {
            return Vec::new();
        };
        match self.data.kind {
            Kind::TimeForce => {
                let ends = [self.data.x.first(), self.data.x.last()];
                let [Some(from), Some(to)] = ends.map(|e| e.copied()) else {
                    return Vec::new();
                };
                let at: Vec<f64> = (0..=400)
                    .map(|i| from + (to - from) * f64::from(i) / 400.0)
                    .collect();
                let mut out = vec![0.0; at.len()];
                match self.force_over_time(&trial, &at, &mut out) {
                    true => at.into_iter().zip(out).collect(),
                    false => Vec::new(),
                }
            }
            Kind::ForceIndentation if self.reading.is_some() => {
                let Some(ways) = self.ways(&trial, true) else {
                    return Vec::new();
                };
                let (zero, offset) = (self.start(), self.offset());
                // Without the flight before and after, and what goes on at the deepest point.
                let within = |way: &Way| {
                    let points = way.points();
                    let ends = 1..points.len().saturating_sub(1);
                    let inner = points.get(ends).unwrap_or_default();
                    inner.iter().map(|p| (p[0] + zero, p[1] + offset)).collect()
                };
                let [mut points, mut back]: [Vec<(f64, f64)>; 2] =
                    [within(&ways[0]), within(&ways[1])];
                back.reverse();
                points.append(&mut back);
                points
            }
            _ => {
                let mut out = std::mem::take(&mut self.predicted);
                let ok = self.predict(u, &mut out);
                let points = self.data.x.iter().copied().zip(out.iter().copied());
                let mut points: Vec<(f64, f64)> = points.collect();
                self.predicted = out;
                if self.data.kind == Kind::Speeds {
                    points.sort_by(|a, b| a.0.total_cmp(&b.0));
                }
                if ok { points } else { Vec::new() }
            }
        }
    }

    /// The restitution over the approach speeds of the data, where it is all that is seen.
    pub fn restitution_curve(&mut self, u: &[f64]) -> Vec<(f64, f64)> {
        self.values(u);
        let Some(trial) = self.trial() else {
            return Vec::new();
        };
        let [low, high] = self.data.speeds(self.setup.gravity);
        if !(low > 0.0 && high >= low) {
            return Vec::new();
        }
        (0..=40)
            .filter_map(|i| {
                let v = low + (high - low) * f64::from(i) / 40.0;
                self.restitution(&trial, v).map(|e| (v, e))
            })
            .collect()
    }

    /// The size of the measurement.
    pub fn scales(&self) -> Scales {
        let data = self.data;
        let force = data.y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        let setup = self.setup;
        match data.kind {
            Kind::TimeForce => {
                let [first, last] = loud(data, ground(data, setup));
                let time = 1.15 * (last - first).max(1e-12);
                let impulse = 0.6 * force * time;
                let speed = match (setup.speed, setup.mass) {
                    (Some(speed), _) => speed,
                    (None, Some(mass)) => impulse / (1.6 * mass),
                    _ => 1.0,
                };
                Scales {
                    force,
                    length: speed * time / 2.943,
                    time: time / 2.943,
                }
            }
            Kind::ForceIndentation => {
                let zero = about_zero(data, setup);
                let length = data.x.iter().fold(0.0_f64, |m, x| m.max(x - zero));
                let length = length.max(1e-12);
                let fastest = |rates: &Vec<f64>| rates.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                let speed = setup.speed.or(data.rate.as_ref().map(fastest));
                let speed = speed.filter(|v| *v > 0.0).unwrap_or(1.0);
                Scales {
                    force,
                    length,
                    time: length / speed,
                }
            }
            _ => {
                let [_, v] = data.speeds(setup.gravity);
                let length = 1e-4 * v;
                let mass = setup.mass.unwrap_or(1.0);
                Scales {
                    force: mass * v * v / length,
                    length,
                    time: length / v,
                }
            }
        }
    }
}

impl Residuals for Forward<'_> {
    fn count(&self) -> usize {
        match &self.reading {
            Some(reading) => reading.rows.len(),
            None => self.data.y.len(),
        }
    }

    fn at(&mut self, u: &[f64], r: &mut [f64]) -> bool {
        if !(self.going)() {
            return false;
        }
        if self.reading.is_some() {
            self.values(u);
            let Some(feet) = self.trial().and_then(|trial| self.feet(&trial, false)) else {
                return false;
            };
            let off = feet.iter().map(|foot| -foot.off);
            r.iter_mut().zip(off).for_each(|(r, off)| *r = off);
            return r.iter().all(|r| r.is_finite());
        }
        let ok = self.predict(u, r);
        for ((r, y), w) in r.iter_mut().zip(&self.data.y).zip(&self.weights) {
            *r = (*r - y) / w;
        }
        ok
    }
}

impl Data {
    /// The least and the largest approach speed, m/s, of data that show only restitution.
    pub(super) fn speeds(&self, gravity: f64) -> [f64; 2] {
        let list: Vec<f64> = match self.kind {
            Kind::Heights => {
                let strikes = self.y.len().saturating_sub(1);
                let heights = self.y.iter().take(strikes);
                heights.map(|h| math::sqrt(2.0 * gravity * h)).collect()
            }
            Kind::Times => {
                let flights = self.following(2);
                flights.map(|w| 0.5 * gravity * (w[1] - w[0])).collect()
            }
            Kind::Speeds => self.x.clone(),
            _ => Vec::new(),
        };
        [
            list.iter().copied().fold(f64::INFINITY, f64::min),
            list.iter().copied().fold(0.0, f64::max),
        ]
    }
}

/// What a record of force shows where nothing touches, N, before anything is sought: nothing, or, if that is sought, the middle one of its first or of its last rows, whichever is less.
fn ground(data: &Data, setup: &Setup) -> f64 {
    if !setup.frees("offset") {
        return 0.0;
    }
    let rows = (data.y.len() / 20).max(3).min(data.y.len());
    let middle = |part: Option<&[f64]>| {
        let mut part = part.unwrap_or_default().to_vec();
        part.sort_by(f64::total_cmp);
        part.get(part.len() / 2).copied().unwrap_or(0.0)
    };
    let first = middle(data.y.get(..rows));
    let last = middle(data.y.get(data.y.len() - rows..));
    first.min(last)
}

/// So many loud samples in a row are no slips.
const LIKE: usize = 3;

/// From when to when a force is above what it shows where nothing touches, `ground` in N, by more than a tenth of its peak, s. Loud samples that are fewer than three in a row are slips.
pub(super) fn loud(data: &Data, ground: f64) -> [f64; 2] {
    let largest = data
        .y
        .iter()
        .fold(0.0_f64, |m, y| m.max((y - ground).abs()));
    let loud = |y: &f64| *y - ground > 0.1 * largest;
    // Of a short contact there may be no more than one.
    let last = data.y.len().saturating_sub(1);
    let ends = [LIKE, 1].map(|like| {
        let mut runs = data.y.windows(like).map(|run| run.iter().all(loud));
        let first = runs.position(|loud| loud)?;
        let after = runs.rposition(|loud| loud);
        Some([
            first,
            (after.map_or(first, |i| first + 1 + i) + like - 1).min(last),
        ])
    });
    let ends = ends.into_iter().flatten().next().unwrap_or_default();
    ends.map(|i| data.x.get(i).copied().unwrap_or(0.0))
}

/// Where the zero of the indentation is likely to be, and how far it may be from there, m: the force grows about as fast as a power of the depth does, and less than a tenth of it is too quiet to be seen.
fn likely_zero(data: &Data) -> [f64; 2] {
    let largest = data.y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let pairs = data.x.iter().zip(&data.y);
    let loud = pairs.filter(|(_, y)| **y > 0.1 * largest).map(|(x, _)| *x);
    let [first, last] = loud.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
        [low.min(x), high.max(x)]
    });
    if !(first <= last) {
        return [0.0, 1e-12];
    }
    let size = (0.1 * (last - first)).max(1e-12);
    // A tenth of the force is there at 0.11, 0.22 and 0.32 of the depth, for the exponents 1, 3/2 and 2.
    [first - 2.0 * size, size]
}

/// The zero of the indentation, m, as far as it is known before anything is sought.
fn about_zero(data: &Data, setup: &Setup) -> f64 {
    match setup.frees("start") {
        true => likely_zero(data)[0],
        false => setup.start,
    }
}

/// Which point is the deepest.
fn deepest(x: &[f64]) -> usize {
    let largest = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    largest.map_or(0, |l| l.0)
}

/// A simulated history, in two parts: some forces jump at the deepest point.
pub(super) struct History<'a> {
    way_in: &'a [Sample],
    way_out: &'a [Sample],
    turn: f64,
}

/// The cubic through four points at `t`.
fn cubic(points: &[Sample], t: f64, of: impl Fn(&Sample) -> f64) -> f64 {
    let after = points.partition_point(|s| s.time <= t);
    let first = after.saturating_sub(2).min(points.len().saturating_sub(4));
    let stencil = points
        .get(first..points.len().min(first + 4))
        .unwrap_or(&[]);
    let mut sum = 0.0;
    for (i, a) in stencil.iter().enumerate() {
        let mut share = of(a);
        for (j, b) in stencil.iter().enumerate() {
            if i != j {
                share *= (t - b.time) / (a.time - b.time);
            }
        }
        sum += share;
    }
    sum
}

impl<'a> History<'a> {
    pub fn new(impact: &'a Impact) -> Self {
        let turn = impact.deepest.time;
        let cut = impact.history.partition_point(|s| s.time <= turn);
        let (way_in, way_out) = impact.history.split_at(cut);
        Self {
            way_in,
            way_out,
            turn,
        }
    }

    fn part(&self, t: f64) -> &[Sample] {
        match t <= self.turn || self.way_out.len() < 4 {
            true => self.way_in,
            false => self.way_out,
        }
    }

    fn force(&self, t: f64) -> f64 {
        cubic(self.part(t), t, Sample::force)
    }

    /// The way in and the way back.
    pub fn ways(&self) -> [&'a [Sample]; 2] {
        [self.way_in, self.way_out]
    }

    /// The force at the deepest point, N, at the end of the way in and at the beginning of the way back.
    pub fn tops(&self) -> [f64; 2] {
        let at = |part: &[Sample]| cubic(part, self.turn, Sample::force);
        [at(self.part(self.turn)), at(self.way_out)]
    }
}

/// Whether the points are those of the loop of an impact whose mass and speed are known.
pub(super) fn is_loop(data: &Data, setup: &Setup) -> bool {
    let known = setup.mass.is_some() && setup.speed.is_some();
    data.kind == Kind::ForceIndentation && data.rate.is_none() && known
}

/// Why a law has no curve for these data; `None` if it has one.
pub(super) fn unfit(card: &'static Card, law: &Law, data: &Data, setup: &Setup) -> Option<String> {
    if data.kind != Kind::ForceIndentation || is_loop(data, setup) {
        return None;
    }
    let touch = law.touch(1.0, 1.0).ok()?;
    if touch.has_own() || touch.reads_time() {
        return Some(format!(
            "{}: its force depends on the time since touch, which these data do not tell. Hint: columns time and force, or --mass and --speed of an impact",
            card.id
        ));
    }
    None
}
