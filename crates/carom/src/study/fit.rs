//! Which numbers of which laws fit what was measured, and how surely?
//!
//! [`read`] takes a table of measured points; [`fit`] puts laws to it, each with its unknown parameters: bounded least squares from several starts, robust against outliers, with 95 % intervals, correlations, words on what
//! cannot be known, and a ranking by the corrected criterion of Akaike. Where only what comes back of a speed was measured (bounces, pairs of speeds), plain curves of restitution over speed are fitted beside the laws.
//!
//! Where the motion of a whole mechanism was recorded, [`read_record`] takes the table and [`fit_motion`] puts a model to it, with those of its numbers free that are named.
//!
//! ```
//! use carom::card::Values;
//! use carom::contact;
//! use carom::study::fit::{self, Setup};
//!
//! let data = fit::read("ball.csv", "height [m]\n1.0\n0.641\n0.409\n0.263\n0.168\n", None).expect("a sound table");
//! let laws = [(contact::find("flores").expect("known"), Values::new())];
//! let result = fit::fit(&data, &laws, &Setup::default());
//! let constant = result.fits.iter().find(|f| f.id == "e-constant").expect("always there");
//! assert!((constant.parameters[0].value - 0.8).abs() < 0.005);
//! assert!(!result.fits.iter().any(|f| f.id == "flores" && f.unknowable.is_empty()));    // stiffness and mass
//! ```

mod data;
mod edges;
mod forward;
mod judge;
mod least;
mod motion;
mod notes;
mod open;
mod paste;
mod path;
mod record;
#[cfg(feature = "plot")]
mod show;
mod unknowns;

pub use data::{APPROACH, Data, Kind, REBOUND, RESTITUTION, agrees, heading, read, rounding};
pub use motion::{CLOCK, Found, Free, Misfit, Moved, Subject, fit_motion, fit_motion_with};
pub use record::{Record, Series, read_record};
#[cfg(feature = "plot")]
pub use show::{chart, motion_chart, restitution_chart};

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::card::{Fault, Need, Range, Role, Values, rounded};
use crate::contact::{Calibration, Card, Law};
use crate::math;
use crate::model::units::{Dimension, pretty};

use super::many;
use forward::Forward;
use least::Residuals;
use unknowns::Unknown;

/// Of two curves those whose corrected criteria are within this are not to be told apart (Burnham and Anderson 2002); of more see [`Outcome::margin`].
pub const ALIKE: f64 = 2.0;

/// Of forces: a law that explains less than this of their variation does not describe them.
const FAIR: f64 = 0.5;
/// Of speeds, heights and instants: so much of them may be missed, by the root of the mean square, before nothing is said to describe them.
const MISSED: f64 = 0.3;

/// From how many starts it is looked which numbers change anything.
const LOOKED: usize = 6;
/// In so many steps all that the bounds of a number allow is walked through.
const WAY: usize = 24;

/// An interval is told to be wider if it is so many times as wide.
const WIDER: f64 = 1.05;

/// How noise grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// The same at every point: forces and instants, unless said otherwise.
    Absolute,
    /// In proportion to what is measured (of at least a hundredth of the largest): heights and speeds, unless said otherwise or they themselves tell that it is not so.
    Relative,
}

/// What residuals cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Huber's function: an outlier pulls no harder than a point at 1.345 scales.
    Huber,
    /// Squares: the best there is if the noise is normal and nothing went wrong.
    Squares,
}

/// What is known beside the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Effective mass, kg; sought if it is not known.
    pub mass: Option<f64>,
    /// Approach speed, m/s; sought, where it matters, if it is not known.
    pub speed: Option<f64>,
    /// Where touch stands in the table ([`Kind::start`]): its instant on the clock of a record of force, s, or the zero of an indentation, m. With a model: what the clock of the record shows when it is 0 s in the model, s.
    pub start: f64,
    /// Acceleration of free fall between bounces, m/s².
    pub gravity: f64,
    /// How noise grows; by the kind of the data if not said.
    pub noise: Option<Noise>,
    /// What residuals cost.
    pub loss: Loss,
    /// From how many starts each law is sought.
    pub starts: usize,
    /// Parameters with a default that are to be sought as well, `start`, where the kind of the data has one, and `offset`, N: what a record of force shows where nothing touches.
    pub free: Vec<String>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            mass: None,
            speed: None,
            start: 0.0,
            gravity: 9.81,
            noise: None,
            loss: Loss::Huber,
            starts: 8,
            free: Vec::new(),
        }
    }
}

impl Setup {
    /// Whether this number is to be sought though it has a default.
    pub fn frees(&self, name: &str) -> bool {
        self.free.iter().any(|free| free == name)
    }

    /// How noise grows in these data, before they are looked at: see [`Outcome::noise`].
    pub fn noise_of(&self, data: &Data) -> Noise {
        let usual = match data.kind {
            Kind::Heights | Kind::Speeds => Noise::Relative,
            _ => Noise::Absolute,
        };
        self.noise.unwrap_or(usual)
    }

    /// The same of data of this kind whose clock begins `clock` later, s.
    fn since(&self, kind: Kind, clock: f64) -> Self {
        let mut since = self.clone();
        if kind == Kind::TimeForce {
            since.start -= clock;
        }
        since
    }

    /// What one unit of a residual is at each point, in the unit of the data.
    fn weights(&self, data: &Data) -> Vec<f64> {
        self.sizes(data, &data.y)
    }

    /// The same of one of the columns.
    fn sizes(&self, data: &Data, column: &[f64]) -> Vec<f64> {
        let largest = column.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        let whole = if largest > 0.0 { largest } else { 1.0 };
        match self.noise_of(data) {
            Noise::Absolute => vec![whole; column.len()],
            Noise::Relative => {
                // A point that has fallen far below its like must not count for more because of that.
                let usual = usual(data, column);
                let sized = column.iter().zip(&usual);
                sized
                    .map(|(y, usual)| y.abs().max(0.5 * usual).max(0.01 * whole))
                    .collect()
            }
        }
    }
}

/// What every value would be if it were like the others: of pairs of speeds the middle restitution times the approach, of a series the middle one of five neighbours.
fn usual(data: &Data, column: &[f64]) -> Vec<f64> {
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    match data.kind {
        Kind::Speeds => {
            let pairs = data.y.iter().zip(&data.x).filter(|(_, x)| **x > 0.0);
            let restitution = middle(pairs.map(|(y, x)| (y / x).abs()).collect());
            data.x.iter().map(|x| restitution * x.abs()).collect()
        }
        _ => {
            let around = |i: usize| {
                let range = i.saturating_sub(2)..(i + 3).min(column.len());
                let values = column.get(range).unwrap_or_default();
                middle(values.iter().map(|y| y.abs()).collect())
            };
            (0..column.len()).map(around).collect()
        }
    }
}

/// A plain curve of restitution over approach speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// The same at every speed.
    Constant,
    /// 1 − α v.
    Falling,
    /// 1 − c v^(1/5): the first term for viscoelastic spheres (Kuwabara and Kono 1987).
    FifthRoot,
    /// c v^(−b), at most 1: b = 1/4 for plastic spheres (Johnson 1985).
    Power,
}

impl Curve {
    /// All of them.
    pub const ALL: [Curve; 4] = [
        Curve::Constant,
        Curve::Falling,
        Curve::FifthRoot,
        Curve::Power,
    ];

    /// As it is named beside the laws.
    pub fn id(self) -> &'static str {
        match self {
            Curve::Constant => "e-constant",
            Curve::Falling => "e-falling",
            Curve::FifthRoot => "e-fifth-root",
            Curve::Power => "e-power",
        }
    }

    /// As it is written.
    pub fn formula(self) -> &'static str {
        match self {
            Curve::Constant => "e",
            Curve::Falling => "1 − alpha v",
            Curve::FifthRoot => "1 − factor v^(1/5)",
            Curve::Power => "at_1_m_s v^(−power), at most 1",
        }
    }

    fn unknowns(self) -> Vec<Unknown> {
        let within = |name, low, high| Unknown {
            log: false,
            range: Range::closed(low, high),
            ..Unknown::positive(name, "")
        };
        // A loss is small beside one, as a damper is.
        let loss = |name, unit| Unknown {
            role: Role::Damping,
            ..Unknown::positive(name, unit)
        };
        match self {
            Curve::Constant => vec![within("e", 0.0, 1.0)],
            Curve::Falling => vec![loss("alpha", "s/m")],
            Curve::FifthRoot => vec![loss("factor", "s^0.2/m^0.2")],
            Curve::Power => vec![Unknown::positive("at_1_m_s", ""), within("power", 0.0, 2.0)],
        }
    }

    fn at(self, p: &[f64], v: f64) -> f64 {
        let get = |i: usize| p.get(i).copied().unwrap_or(f64::NAN);
        match self {
            Curve::Constant => get(0),
            Curve::Falling => 1.0 - get(0) * v,
            Curve::FifthRoot => 1.0 - get(0) * math::powf(v, 0.2),
            Curve::Power => (get(0) * math::powf(v, -get(1))).min(1.0),
        }
        .max(1e-9)
    }
}

/// What is put to the data.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
    /// A law of the catalogue.
    Law(&'static Card),
    /// A plain curve of restitution.
    Curve(Curve),
}

impl Candidate {
    /// Its name.
    pub fn id(&self) -> &'static str {
        match self {
            Candidate::Law(card) => card.id,
            Candidate::Curve(curve) => curve.id(),
        }
    }
}

/// A number that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// As it is typed.
    pub name: &'static str,
    /// SI unit.
    pub unit: String,
    /// The number.
    pub value: f64,
    /// Its 95 % interval; `None` if these data do not tell it. Where heights or speeds do not tell how noise grows it holds that of either way.
    pub interval: Option<[f64; 2]>,
    /// Whether it sits at an end of its range.
    pub at_bound: bool,
}

/// A product of powers of numbers, of which it alone is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The numbers, as they are typed, with the power of each.
    pub powers: Vec<(String, f64)>,
    /// SI unit; empty for a pure number, and where a number was given without a unit.
    pub unit: String,
    /// The product.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Product {
    /// Those that are known; `t` is Student's, `number` tells name, value and unit of a number that was sought.
    fn all<'a>(
        powers: &[judge::Powers],
        t: f64,
        number: impl Fn(usize) -> Option<(&'a str, f64, Option<Dimension>)>,
    ) -> Vec<Self> {
        let one = |powers: &judge::Powers| {
            let (mut named, mut logarithm) = (Vec::new(), 0.0);
            let mut unit = Some(Dimension::NONE);
            for (j, power) in &powers.parts {
                let (name, value, of) = number(*j)?;
                named.push((name.to_string(), *power));
                logarithm += power * math::ln(value);
                unit = unit.zip(of).map(|(unit, of)| unit.times(of, *power));
            }
            let far = t * powers.error;
            let tidy = |x: f64| (x * 1e4).round() / 1e4;
            let unit = unit
                .map(|d| Dimension::new(tidy(d.length), tidy(d.mass), tidy(d.time), tidy(d.angle)));
            Some(Self {
                powers: named,
                unit: unit
                    .map(Dimension::unit)
                    .filter(|u| u != "1")
                    .unwrap_or_default(),
                value: math::exp(logarithm),
                interval: [logarithm - far, logarithm + far].map(math::exp),
            })
        };
        powers.iter().filter_map(one).collect()
    }

    /// As it is written: powers of names.
    pub fn formula(&self) -> String {
        judge::product(&self.powers)
    }

    fn words(&self) -> String {
        let [value, low, high] =
            [self.value, self.interval[0], self.interval[1]].map(|x| pretty(x, &self.unit, 5));
        format!(
            "only {} is known: {value} (95 %: {low} to {high})",
            self.formula()
        )
    }
}

/// A law that was fitted.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Its name.
    pub id: &'static str,
    /// The law or the curve.
    pub candidate: Candidate,
    /// What it was given, by name: those that were not sought.
    pub given: Values,
    /// What was sought, and found.
    pub parameters: Vec<Estimate>,
    /// Correlations of the parameters, in their order; NaN where one is not known.
    pub correlation: Vec<Vec<f64>>,
    /// What cannot be known from these data, in words.
    pub unknowable: Vec<String>,
    /// What is known of numbers that are not known by themselves.
    pub products: Vec<Product>,
    /// Largest over smallest singular value of the sensitivities, each of length one.
    pub condition: f64,
    /// How many independent combinations of the parameters are known.
    pub rank: usize,
    /// How many numbers it is charged with in the ranking: combinations that could be known with these data, also where the best curve lies at an end (no damping, say) at which one of them fades.
    pub charged: usize,
    /// Points less what is known.
    pub freedom: usize,
    /// The standard deviation of the noise: in the unit of the data, or as a share of the value where noise is relative.
    pub noise: f64,
    /// The same of the indentation, in m or as a share, where points are put to the loop of an impact: both columns are noisy then.
    pub depth_noise: Option<f64>,
    /// Corrected criterion of Akaike; only differences mean something.
    pub aicc: f64,
    /// How far it is from the best.
    pub delta: f64,
    /// The weight of evidence among all that were fitted.
    pub weight: f64,
    /// The curve at the points of the data; of a loop its force where it is nearest to them.
    pub fitted: Vec<f64>,
    /// How much of the data it explains, 1 at best: one less the squares of what is left over, over those of forces about their mean, or of all that was measured of heights, speeds and flights. Outliers
    /// do not count.
    pub explained: f64,
    /// Measured less fitted, in units of the noise.
    pub residuals: Vec<f64>,
    /// Points that are more than four times the noise off.
    pub outliers: Vec<usize>,
    /// A curve to draw.
    pub smooth: Vec<(f64, f64)>,
    /// Restitution over approach speed (m/s), where it is what was measured.
    pub restitution: Vec<(f64, f64)>,
    /// From how many starts the same answer was found, and from how many it was sought.
    pub agreeing: [usize; 2],
    /// Whether the search came to rest.
    pub settled: bool,
    /// Laws with the very same curve: only their numbers differ.
    pub same_curve: Vec<&'static str>,
    /// Fitted less measured, in units of what is measured, at the points that are compared.
    left: Vec<f64>,
    /// The logarithm of the determinant of JᵀJ, of directions that are known.
    information: f64,
}

/// The least interval that holds both.
fn hull(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}

impl Fit {
    /// Makes intervals wide enough for what the same law says with noise that grows otherwise. Whether one of them is clearly wider now.
    fn widen(&mut self, other: &Fit) -> bool {
        let mut wider = false;
        let mut both = |own: &mut [f64; 2], other: [f64; 2]| {
            let before = own[1] - own[0];
            *own = hull(*own, other);
            wider |= own[1] - own[0] > WIDER * before;
        };
        for own in &mut self.parameters {
            let named = other.parameters.iter().find(|p| p.name == own.name);
            if let (Some(own), Some(other)) = (&mut own.interval, named.and_then(|p| p.interval)) {
                both(own, other);
            }
        }
        for (own, words) in self.products.iter_mut().zip(&mut self.unknowable) {
            // What is known of products stands first.
            if let Some(other) = other.products.iter().find(|p| p.powers == own.powers) {
                both(&mut own.interval, other.interval);
                *words = own.words();
            }
        }
        wider
    }

    /// Tells instants on the clock of the data, from those since `clock`, s.
    fn put_back(&mut self, kind: Kind, clock: f64) {
        let instants = self.parameters.iter_mut().filter(|p| match kind {
            Kind::TimeForce => p.name == "start",
            Kind::Times => p.name == "first_time",
            _ => false,
        });
        for p in instants {
            p.value += clock;
            let ends = p.interval.iter_mut().flatten();
            ends.for_each(|end| *end += clock);
        }
        match kind {
            Kind::TimeForce => self.smooth.iter_mut().for_each(|p| p.0 += clock),
            Kind::Times => {
                self.fitted.iter_mut().for_each(|y| *y += clock);
                self.smooth.iter_mut().for_each(|p| p.1 += clock);
            }
            _ => {}
        }
    }
}

/// A law that could not be fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Without {
    /// Its name.
    pub id: &'static str,
    /// Why, in whole sentences.
    pub why: Vec<String>,
    /// Whether what it was given is wrong, so that no data could be fitted.
    pub wrong_input: bool,
}

impl Without {
    /// The law and why, with its name once.
    pub fn words(&self) -> String {
        let name = format!("{}: ", self.id);
        let why = self.why.iter();
        let why: Vec<&str> = why.map(|w| w.strip_prefix(&name).unwrap_or(w)).collect();
        format!("{name}{}", why.join("; "))
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The fits, best first.
    pub fits: Vec<Fit>,
    /// Laws without one.
    pub without: Vec<Without>,
    /// How noise was taken to grow: as it was asked for, or as the data tell.
    pub noise: Noise,
    /// What should be known of the data.
    pub notes: Vec<String>,
    /// Whether it was ended before all laws were fitted.
    pub stopped: bool,
}

impl Outcome {
    /// How many different curves were put to the data: laws with the very same one count once.
    pub fn curves(&self) -> usize {
        let mut counted: Vec<&Fit> = Vec::new();
        for fit in &self.fits {
            if !counted.iter().any(|c| c.same_curve.contains(&fit.id)) {
                counted.push(fit);
            }
        }
        counted.len()
    }

    /// How far behind the best, in the corrected criterion, a curve must be to be told from it. The chance that one wrong curve beats the right one by a factor of likelihood is at most the inverse of that factor (Royall 2000), and of
    /// several that one of them does is at most the sum: each of as many rivals needs a factor that is as many times larger, which is twice its logarithm here. For two curves it is [`ALIKE`].
    pub fn margin(&self) -> f64 {
        let rivals = self.curves().saturating_sub(1).max(1);
        ALIKE + 2.0 * math::ln(rivals as f64)
    }

    /// Whether a law is not to be told apart from the best.
    pub fn is_alike(&self, fit: &Fit) -> bool {
        fit.delta <= self.margin()
    }

    /// Those that are not to be told apart from the best, the best first.
    pub fn alike(&self) -> Vec<&'static str> {
        let margin = self.margin();
        let near = self.fits.iter().filter(|f| f.delta <= margin);
        near.map(|f| f.id).collect()
    }

    /// The law that is ranked first, with its table for a model file; `None` if there is none, or none describes the data.
    pub fn model_file(&self, data: &Data) -> Option<(&Fit, String)> {
        if self.misfit(data).is_some() {
            return None;
        }
        let mut tables = self.fits.iter().map(|fit| (fit, fit.model_file()));
        tables.find_map(|(fit, table)| Some((fit, table?)))
    }

    /// Why none of the laws describes the data, if that is so, in one sentence.
    pub fn misfit(&self, data: &Data) -> Option<String> {
        // Of those that are as close the one that is ranked first.
        let thousandths = |fit: &&Fit| (1000.0 * fit.explained).round();
        let ranked = self.fits.iter().rev();
        let best = ranked.max_by(|a, b| thousandths(a).total_cmp(&thousandths(b)))?;
        let (what, _) = data.kind.ordinate();
        let share = 100.0 * best.explained.clamp(0.0, 1.0);
        let describes = match data.kind.is_restitution() {
            true => best.explained >= 1.0 - MISSED * MISSED,
            false => best.explained >= FAIR,
        };
        let all = match self.fits.len() {
            1 => format!("{} does not describe the data", best.id),
            _ => "none of these laws describes the data".into(),
        };
        if describes {
            return None;
        }
        Some(match data.kind.is_restitution() {
            true => {
                let missed = 100.0 * math::sqrt(1.0 - best.explained);
                format!(
                    "The closest, {}, misses what was measured by {missed:.0} %: {all}.",
                    best.id
                )
            }
            false => format!(
                "The closest, {}, explains {share:.0} % of the variation of the {what}: {all}.",
                best.id
            ),
        })
    }
}

/// Puts laws, each with what is known of it, to the data.
pub fn fit(data: &Data, laws: &[(&'static Card, Values)], setup: &Setup) -> Outcome {
    fit_with(data, laws, setup, &|_, _| ControlFlow::Continue(()))
}

/// The same; `hear` is told now and then how many laws and curves are done, of how many, and says whether to go on: if not, those that are not done are left out.
pub fn fit_with(
    data: &Data,
    laws: &[(&'static Card, Values)],
    setup: &Setup,
    hear: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Outcome {
    let asked = setup.noise;
    // A clock that began long ago must not take the digits of what is measured.
    let clock = data.clock();
    let data = &data.since(clock);
    let setup = &setup.since(data.kind, clock);
    let growing = notes::Growing::new(data, setup);
    let noise = growing.noise;
    let setup = &Setup {
        noise: Some(noise),
        ..setup.clone()
    };
    let other = growing.other().map(|noise| Setup {
        noise: Some(noise),
        ..setup.clone()
    });
    let none = Values::new();
    let mut pieces: Vec<(Candidate, &Values)> = laws
        .iter()
        .map(|(card, values)| (Candidate::Law(card), values))
        .collect();
    if data.kind.is_restitution() {
        pieces.extend(Curve::ALL.map(|curve| (Candidate::Curve(curve), &none)));
    }
    let count = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let ask = |done: usize| {
        if hear(done, pieces.len()).is_break() && done < pieces.len() {
            ended.store(true, Ordering::Relaxed);
        }
        !ended.load(Ordering::Relaxed)
    };
    let going = || ask(count.load(Ordering::Relaxed));
    let done = many::each(&pieces, |(candidate, given)| {
        let stopped = Without {
            id: candidate.id(),
            why: vec!["it was stopped before this one was fitted".into()],
            wrong_input: false,
        };
        if !going() {
            return Err(stopped);
        }
        let begin = |setup, known| one_from(*candidate, given, data, setup, known, &going);
        let mut result = begin(setup, None).map(|fit| (fit, false));
        if let (Ok((fit, widened)), Some(other)) = (&mut result, &other)
            && let Ok(other) = begin(other, Some(fit))
        {
            *widened = fit.widen(&other);
        }
        // Its searches may have been cut short.
        if !going() {
            return Err(stopped);
        }
        ask(1 + count.fetch_add(1, Ordering::Relaxed));
        result
    });
    let mut outcome = Outcome {
        fits: Vec::new(),
        without: Vec::new(),
        noise,
        notes: Vec::new(),
        stopped: ended.load(Ordering::Relaxed),
    };
    let mut wider = false;
    for result in done {
        match result {
            Ok((fit, widened)) => {
                outcome.fits.push(fit);
                wider |= widened;
            }
            Err(without) => outcome.without.push(without),
        }
    }
    rank(&mut outcome.fits, setup, data);
    outcome.notes = notes::notes(data, setup, clock, asked, &outcome.fits);
    outcome.notes.extend(growing.words(data, wider));
    for fit in &mut outcome.fits {
        fit.put_back(data.kind, clock);
    }
    outcome
}

/// One law.
fn one(candidate: Candidate, given: &Values, data: &Data, setup: &Setup) -> Result<Fit, Without> {
    one_from(candidate, given, data, setup, None, &|| true)
}

/// The same, sought from there alone, where it is known about where it is; it ends soon, with nothing or what is known by then, when it is not to go on.
fn one_from(
    candidate: Candidate,
    given: &Values,
    data: &Data,
    setup: &Setup,
    known: Option<&Fit>,
    going: &dyn Fn() -> bool,
) -> Result<Fit, Without> {
    let without = |why: Vec<String>| Without {
        id: candidate.id(),
        why,
        wrong_input: false,
    };
    let law_unknowns = match candidate {
        Candidate::Law(card) => unknowns::unknowns(card, given, &setup.free),
        Candidate::Curve(curve) => curve.unknowns(),
    };
    let mut names: Vec<(&'static str, f64)> = Vec::new();
    if let Candidate::Law(card) = candidate {
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
    }
    let Some(mut forward) = Forward::new(candidate, given, law_unknowns, data, setup, going) else {
        return Err(without(vec!["the laboratory cannot be set up".into()]));
    };
    let scales = forward.scales();
    // Units with an exponent that is sought are sized with the usual one.
    let mut usual = names.clone();
    for unknown in &forward.unknowns {
        if !unknown.log {
            let middle = 0.5 * (unknown.range.low + unknown.range.high);
            let value = match unknown.role {
                Role::Exponent => 1.5,
                _ => middle,
            };
            usual.push((unknown.symbol, value));
            usual.push((unknown.name, value));
        }
    }
    let all_bounds = unknowns::bounds(&forward.unknowns, &scales, &usual);
    let mut starts: Vec<Vec<f64>> = (0..setup.starts.max(1))
        .map(|i| unknowns::start(i, &forward.unknowns, &scales, &names))
        .collect();
    if let (Candidate::Law(card), Some(first)) = (candidate, starts.first()) {
        // What is wrong with the values given is told before anything is sought.
        let mut values = given.clone();
        for (unknown, u) in forward.unknowns.iter().zip(first) {
            if card.parameters.iter().any(|p| p.name == unknown.name) {
                values.set_number(unknown.name, unknown.value(*u));
            }
        }
        let law =
            Law::new(card, &values, None, Calibration::Published).map_err(|faults| Without {
                wrong_input: true,
                ..without(faults.iter().map(Fault::to_string).collect())
            })?;
        if let Some(why) = forward::unfit(card, &law, data, setup) {
            return Err(without(vec![why]));
        }
    }
    // The experiment's own numbers start from the data.
    for start in &mut starts {
        for (u, unknown) in start.iter_mut().zip(&forward.unknowns) {
            let first = data.y.first().copied().unwrap_or(1.0);
            let second = data.y.get(1).copied().unwrap_or(first);
            match unknown.name {
                "first_height" => *u = unknown.scaled(first),
                "first_speed" => *u = unknown.scaled(0.5 * setup.gravity * (second - first)),
                _ => {}
            }
        }
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
    let pick = |full: &[f64]| -> Vec<f64> { picked(full, &still) };
    let bounds = least::Bounds {
        low: pick(&all_bounds.low),
        high: pick(&all_bounds.high),
    };
    let first = starts.first().cloned().unwrap_or_default();
    for ((held, still), u) in forward.held.iter_mut().zip(&still).zip(&first) {
        *held = still.then_some(*u);
    }
    let (n, p) = (forward.count(), bounds.low.len());
    if n <= p + 1 {
        let (which, hint) = match data.y.len() {
            all if all > n => (
                format!(
                    " of {all} that are neither at the tip of the loop nor far from the rows beside them,"
                ),
                "rows in the order of time, ",
            ),
            _ => (String::new(), ""),
        };
        return Err(without(vec![format!(
            "{}: {n} points{which} for {p} unknowns and the noise. Hint: {hint}more points, or fewer unknowns (--param)",
            candidate.id()
        )]));
    }
    let mut from: Vec<Vec<f64>> = starts.iter().map(|start| pick(start)).collect();
    // A law may do nothing at all where numbers of its size usually lie, such as yield: the last starts are the best of all that the bounds allow.
    if let Some(kept) = from.len().checked_sub(SCANNED).filter(|kept| *kept > 0) {
        let mut scan: Vec<least::Found> = (1..=SCAN)
            .map(|index| unknowns::within(index, &bounds))
            .filter_map(|point| {
                least::search(
                    &mut forward,
                    &bounds,
                    &point,
                    f64::INFINITY,
                    (0, least::ROUGH),
                )
            })
            .collect();
        scan.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        from.truncate(kept);
        from.extend(scan.into_iter().take(SCANNED).map(|found| found.u));
    }
    // Roughly from everywhere, then closely from the best.
    let mut ends: Vec<least::Found> = from
        .iter()
        .filter_map(|start| {
            least::search(
                &mut forward,
                &bounds,
                start,
                f64::INFINITY,
                (30, least::ROUGH),
            )
        })
        .collect();
    ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    // A force that jumps at touch holds a search between two samples: it is looked beyond them too.
    let place = forward.unknowns.iter().zip(&still);
    let place = place.filter(|(_, still)| !**still).map(|(u, _)| u);
    let steps = place.map(|u| {
        edges::step(data)
            .filter(|_| u.name == "start")
            .map(|s| s / u.about[1])
    });
    let steps: Vec<Option<f64>> = steps.collect();
    for (j, step) in steps.iter().enumerate() {
        let (Some(step), Some(best)) = (step, ends.first()) else {
            continue;
        };
        let shifted = SHIFTS.map(|by| {
            let mut u = best.u.clone();
            u[j] += by * step;
            least::search(&mut forward, &bounds, &u, f64::INFINITY, (30, least::ROUGH))
        });
        let least = shifted.into_iter().flatten();
        if let Some(least) = least.min_by(|a, b| a.cost.total_cmp(&b.cost))
            && least.cost < best.cost
        {
            ends[0] = least;
        }
    }
    let Some(best) = ends.first() else {
        return Err(without(vec![format!(
            "{}: no curve from any of {} starts. Hint: fix some parameters with --param",
            candidate.id(),
            starts.len()
        )]));
    };
    // The same curve, not only one that is as near: outliers may lift two minima to the same height.
    let noise = least::median_scale(&best.r);
    let alike = |a: &least::Found, b: &least::Found| {
        let apart = a.r.iter().zip(&b.r).map(|(a, b)| (a - b) * (a - b));
        apart.sum::<f64>() <= (SAME * noise * noise + 1e-18) * n as f64
    };
    let same = |f: &&least::Found| alike(f, best);
    let agreeing = [ends.iter().filter(same).count(), starts.len()];
    let least_scale = 1e-9;
    let mut found = best.clone();
    let mut scale = f64::INFINITY;
    match setup.loss {
        Loss::Squares => {
            if let Some(end) =
                least::search(&mut forward, &bounds, &found.u, scale, (100, least::CLOSE))
            {
                found = end;
            }
        }
        Loss::Huber => {
            // Outliers may have led the squares astray: the next best curves are looked at too.
            let mut close = |from: least::Found, most: usize| {
                let columns = least::jacobian(&mut forward, &bounds, &from);
                let known = columns.map_or(p, |columns| judge::rank(&columns));
                least::robust(&mut forward, &bounds, from, known, least_scale, most)
            };
            let mut robust = close(found, 100);
            let mut looked: Vec<&least::Found> = vec![best];
            for other in &ends {
                let first = looked.len() == 1;
                let near = first || other.cost <= NEAR * best.cost;
                let new = looked.iter().all(|end| !alike(end, other));
                if new && near && looked.len() < CURVES {
                    looked.push(other);
                    let second = close(other.clone(), 60);
                    // With the scale of one of them: a sample beside a jump that is missed altogether counts for all it is.
                    let scale = second.1.min(robust.1);
                    if least::cost(&second.0.r, scale) < least::cost(&robust.0.r, scale) {
                        robust = second;
                    }
                }
            }
            (found, scale) = robust;
        }
    }
    let Some(mut columns) = least::jacobian(&mut forward, &bounds, &found) else {
        return Err(without(vec![format!(
            "{}: the curve ends beside the best one found. Hint: fix some parameters with --param",
            candidate.id()
        )]));
    };
    let variance = least::variance(&found.r, scale, judge::rank(&columns));
    columns = edges::blunted(&mut forward, &found.u, columns, math::sqrt(variance));
    // Numbers that fall silent where a law fits best were there to be chosen all the same.
    let mut could = 0;
    for start in starts.iter().take(3) {
        let there = least::search(
            &mut forward,
            &bounds,
            &pick(start),
            f64::INFINITY,
            (0, least::ROUGH),
        );
        let columns = there.and_then(|there| least::jacobian(&mut forward, &bounds, &there));
        could = could.max(columns.map_or(0, |columns| judge::rank(&columns)));
    }
    let mut bounds = bounds;
    if let Some(open) = open {
        // From here on the number that was held is one of the others.
        let full: Vec<f64> = picked_back(&found.u, &forward.held);
        let along = open::direction(data.kind, &forward.unknowns, &full, &names);
        let along = along.unwrap_or_default();
        let by = along.get(open).copied().unwrap_or(f64::NAN);
        let mut column = vec![0.0; columns.first().map_or(0, Vec::len)];
        for (other, d) in columns.iter().zip(pick(&along)) {
            let sum = column.iter_mut().zip(other);
            sum.for_each(|(sum, slope)| *sum -= d / by * slope);
        }
        let place = dead.iter().take(open).filter(|dead| !**dead).count();
        columns.insert(place, column);
        found.u = picked(&full, &dead);
        bounds = least::Bounds {
            low: picked(&all_bounds.low, &dead),
            high: picked(&all_bounds.high, &dead),
        };
        if let Some(held) = forward.held.get_mut(open) {
            *held = None;
        }
    }
    // Kept apart from what the curve is computed with.
    let unknowns = forward.unknowns.clone();
    let free: Vec<judge::Sought<'_>> = unknowns
        .iter()
        .zip(&dead)
        .filter(|(_, dead)| !**dead)
        .map(|(unknown, _)| judge::Sought {
            name: unknown.name,
            log: unknown.log,
        })
        .collect();
    let judged = judge::judge(&columns, variance, &free);
    // Nothing is told by a law whose numbers all fall silent where it fits best.
    let silent = usize::from(!unknowns.is_empty());
    let charged = judged.rank.max(could).max(silent);
    let freedom = n.saturating_sub(judged.rank).max(1);
    let t = judge::student95(freedom);
    let noise = match setup.loss {
        Loss::Squares => math::sqrt(variance),
        Loss::Huber => scale,
    };

    let values = forward.values(&found.u).to_vec();
    let mut parameters = Vec::new();
    let mut unknowable = Vec::new();
    let silent: Vec<String> = forward
        .unknowns
        .iter()
        .zip(&dead)
        .filter(|(_, dead)| **dead)
        .map(|(unknown, _)| format!("`{}`", unknown.name))
        .collect();
    let mut place = 0;
    let mut correlation_of: Vec<Option<usize>> = Vec::new();
    for ((unknown, dead), value) in forward.unknowns.iter().zip(&dead).zip(&values) {
        let mut estimate = Estimate {
            name: unknown.name,
            unit: unit(unknown, &forward.unknowns, &values, &names),
            value: *value,
            interval: None,
            at_bound: false,
        };
        if *dead {
            correlation_of.push(None);
        } else {
            let (u, low, high) = (found.u[place], bounds.low[place], bounds.high[place]);
            let near = 1e-6 * (high - low).min(1.0);
            estimate.at_bound = u - low < near || high - u < near;
            estimate.interval = judged.errors[place].map(|error| {
                let low = (u - t * error).max(low);
                let high = (u + t * error).min(high);
                [unknown.value(low), unknown.value(high)]
            });
            correlation_of.push(Some(place));
            place += 1;
        }
        parameters.push(estimate);
    }
    let live: Vec<&Estimate> = parameters
        .iter()
        .zip(&dead)
        .filter_map(|(estimate, dead)| (!dead).then_some(estimate))
        .collect();
    let number = |j: usize| {
        let one = live.get(j)?;
        let unit = Dimension::of(&one.unit, &[]).ok();
        Some((one.name, one.value, unit))
    };
    let products = Product::all(&judged.powers, t, number);
    unknowable.extend(products.iter().map(Product::words));
    unknowable.extend(judged.words);
    if !silent.is_empty() {
        unknowable.push(format!("these data say nothing of {}", silent.join(", ")));
    }
    let correlation = correlation_of
        .iter()
        .map(|i| {
            let entry = |j: &Option<usize>| match (i, j) {
                (Some(i), Some(j)) => judged.correlation[*i][*j],
                _ => f64::NAN,
            };
            correlation_of.iter().map(entry).collect()
        })
        .collect();
    let mut fitted = vec![0.0; data.y.len()];
    forward.predict(&found.u, &mut fitted);
    let whole = setup.weights(data);
    let left_over = forward.left_over(&found);
    let residuals: Vec<f64> = left_over
        .iter()
        .map(|r| -r / if noise > 0.0 { noise } else { 1.0 })
        .collect();
    let outliers = match noise > 10.0 * least_scale {
        true => (0..residuals.len())
            .filter(|i| residuals[*i].abs() > 4.0)
            .collect(),
        false => Vec::new(),
    };
    let absolute = setup.noise_of(data) == Noise::Absolute;
    let explained = explained(data, &whole, &left_over, &outliers);
    let depth_noise = forward.reading.as_ref().map(|reading| {
        let size = reading.sizes.first().copied().unwrap_or(1.0);
        noise * reading.ratio * if absolute { size } else { 1.0 }
    });
    Ok(Fit {
        explained,
        id: candidate.id(),
        candidate,
        given: given.clone(),
        parameters,
        correlation,
        unknowable,
        products,
        condition: judged.condition,
        rank: judged.rank,
        charged,
        freedom,
        noise: noise
            * if absolute {
                whole.first().copied().unwrap_or(1.0)
            } else {
                1.0
            },
        aicc: f64::NAN,
        delta: f64::NAN,
        weight: 0.0,
        fitted,
        residuals,
        outliers,
        smooth: forward.smooth(&found.u),
        restitution: match data.kind.is_restitution() {
            true => forward.restitution_curve(&found.u),
            false => Vec::new(),
        },
        agreeing,
        settled: found.settled,
        same_curve: Vec::new(),
        depth_noise,
        left: found.r,
        information: judged.information,
    })
}

/// How much of the data a curve explains: see [`Fit::explained`].
fn explained(data: &Data, weights: &[f64], left_over: &[f64], outliers: &[usize]) -> f64 {
    let kept = |i: &usize| !outliers.contains(i);
    let count = data.y.len();
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(f64::NAN);
    let mean = (0..count).filter(kept).map(|i| at(&data.y, i)).sum::<f64>()
        / (0..count).filter(kept).count().max(1) as f64;
    let last = count.saturating_sub(1).max(1) as f64;
    let (mut left, mut all) = (0.0, 0.0);
    for i in (0..count).filter(kept) {
        let (y, w) = (at(&data.y, i), at(weights, i));
        // Of instants: the mean flight.
        let size = match data.kind {
            Kind::TimeForce | Kind::ForceIndentation => y - mean,
            Kind::Times => (at(&data.y, count - 1) - at(&data.y, 0)) / last,
            Kind::Heights | Kind::Speeds => y,
        };
        let off = at(left_over, i);
        left += off * off;
        all += (size / w) * (size / w);
    }
    match (left, all) {
        (0.0, _) => 1.0,
        (left, all) if all > 0.0 => 1.0 - left / all,
        _ => 0.0,
    }
}

/// Curves are alike whose mean squared distance is this part of that of the noise; of those that are not, so many are looked at with the weights of outliers, if their sums are no more than this many times the least.
const SAME: f64 = 5e-3;
const CURVES: usize = 4;
const NEAR: f64 = 1.5;

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

/// By how many samples an instant of touch that was found is moved, to look from there.
const SHIFTS: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];

/// So many points are scanned for starts, and so many of them taken.
const SCAN: usize = 64;
const SCANNED: usize = 2;

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
    let mut text = unknown.unit.to_string();
    for (name, value) in names {
        // As the exponent itself is printed: both are pasted into one model file.
        let value = rounded(value);
        text = text.replace(&format!("^{name}"), &format!("^{value}"));
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

/// What the corrected criterion charges for so many numbers found from `n` points (Hurvich and Tsai 1989); the noise is one as well.
fn penalty(charged: usize, n: f64) -> f64 {
    let k = charged as f64 + 1.0;
    let few = if n > k + 1.0 {
        2.0 * k * (k + 1.0) / (n - k - 1.0)
    } else {
        f64::INFINITY
    };
    2.0 * k + few
}

/// The corrected criterion of Akaike of each. All laws are measured with the scale of the best, so that outliers count alike.
fn criteria(fits: &mut [Fit], setup: &Setup, data: &Data) {
    let unit = match setup.noise_of(data) {
        Noise::Relative => 1.0,
        Noise::Absolute => setup.weights(data).first().copied().unwrap_or(1.0),
    };
    let scale = match setup.loss {
        Loss::Squares => f64::INFINITY,
        Loss::Huber => fits
            .iter()
            .map(|f| f.noise / unit)
            .fold(f64::INFINITY, f64::min),
    };
    for fit in fits.iter_mut() {
        let n = fit.left.len() as f64;
        let sum = 2.0 * least::cost(&fit.left, scale);
        fit.aicc = n * math::ln((sum / n).max(1e-24)) + penalty(fit.charged, n);
    }
}

/// Ranks by the corrected criterion of Akaike.
fn rank(fits: &mut [Fit], setup: &Setup, data: &Data) {
    criteria(fits, setup, data);
    fits.sort_by(|a, b| a.aicc.total_cmp(&b.aicc).then(a.id.cmp(b.id)));
    let best = fits.first().map_or(0.0, |f| f.aicc);
    let mut sum = 0.0;
    for fit in fits.iter_mut() {
        fit.delta = if fit.aicc == best {
            0.0
        } else {
            fit.aicc - best
        };
        fit.weight = math::exp(-0.5 * fit.delta);
        sum += fit.weight;
    }
    for fit in fits.iter_mut() {
        fit.weight /= sum;
    }
    // The same curve, whatever its numbers are called.
    let weights = setup.weights(data);
    let alike = |a: &Fit, b: &Fit| {
        a.fitted
            .iter()
            .zip(&b.fitted)
            .zip(&weights)
            .all(|((x, y), w)| (x - y).abs() < 1e-4 * w)
    };
    for i in 0..fits.len() {
        let same: Vec<&'static str> = (0..fits.len())
            .filter(|j| *j != i && alike(&fits[i], &fits[*j]))
            .map(|j| fits[j].id)
            .collect();
        fits[i].same_curve = same;
    }
}
