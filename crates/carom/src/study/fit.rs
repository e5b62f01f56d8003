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

mod curve;
mod data;
mod edges;
mod forward;
mod judge;
mod kind;
mod least;
mod motion;
mod notes;
mod open;
mod outcome;
mod paste;
mod path;
mod rank;
mod record;
mod search;
mod sheet;
#[cfg(feature = "plot")]
mod show;
mod unknowns;

pub use curve::{Candidate, Curve};
pub use data::{Data, agrees, read};
pub use kind::{APPROACH, Kind, REBOUND, RESTITUTION};
pub use motion::{CLOCK, Found, Free, Misfit, Moved, Subject, fit_motion, fit_motion_with};
pub use outcome::{ALIKE, Estimate, Fit, Outcome, Product, Without};
pub use record::{Record, Series, read_record};
pub use sheet::{heading, rounding};
#[cfg(feature = "plot")]
pub use show::{chart, motion_chart, restitution_chart};

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::card::Values;
use crate::contact::Card;

use super::many;

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
        let begin = |setup, known| search::one_from(*candidate, given, data, setup, known, &going);
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
    rank::rank(&mut outcome.fits, setup, data);
    outcome.notes = notes::notes(data, setup, clock, asked, &outcome.fits);
    outcome.notes.extend(growing.words(data, wider));
    for fit in &mut outcome.fits {
        fit.put_back(data.kind, clock);
    }
    outcome
}
