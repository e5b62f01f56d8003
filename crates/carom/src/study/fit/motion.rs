//! Which numbers of a model fit a record of its motion, and how surely?
//!
//! The model is run with trial values in place of those of its file, sampled at the instants of the record, and the differences are made least within bounds, as for the laws. Every run is a whole simulation: the best of many
//! points spread evenly over the bounds are the starts. Impacts make the differences rough (one bounce more or less, a moment earlier), so that a search may end beside the best: from how many starts the same answer came is told.

mod runs;
mod search;

use std::ops::ControlFlow;

use crate::math;
use crate::model::diagnostic::Diagnostic;
use crate::model::file::Source;

use super::Setup;
use super::notes::unlike_noise;
use super::outcome::{FAIR, Product};
use super::record::Record;
use runs::Work;
use search::known;

/// A model, before anything is sought.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The model file.
    pub source: Source,
    /// Values given in place of those of the file, as `--set` takes them.
    pub set: Vec<(String, String)>,
}

/// The name of the number that says where the clock of the model begins on that of the record: what the record shows when it is 0 s in the model.
pub const CLOCK: &str = "start";

/// A number of a model that is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// What is set, as `--set` names it; or [`CLOCK`], in s.
    pub path: String,
    /// SI unit; empty for a pure number and for one that was given without a unit.
    pub unit: String,
    /// The least that it may be.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Free {
    /// Whether its logarithm is sought: bounds that are far apart and above zero, but of no instant, whose zero means nothing.
    fn in_logarithms(&self) -> bool {
        !self.is_clock() && self.low > 0.0 && self.high >= 3.0 * self.low
    }

    fn is_clock(&self) -> bool {
        self.path == CLOCK
    }

    fn value(&self, u: f64) -> f64 {
        if self.in_logarithms() {
            math::exp(u)
        } else {
            self.low + u * (self.high - self.low)
        }
        .max(self.low)
        .min(self.high)
    }

    fn bounds(&self) -> [f64; 2] {
        if self.in_logarithms() {
            [math::ln(self.low), math::ln(self.high)]
        } else {
            [0.0, 1.0]
        }
    }
}

/// A number that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// As `--set` names it.
    pub path: String,
    /// SI unit; may be empty.
    pub unit: String,
    /// The number.
    pub value: f64,
    /// Its 95 % interval; `None` if this record does not tell it.
    pub interval: Option<[f64; 2]>,
    /// Whether it is hardly known: its interval is wider than a factor of seven either way, or than the bounds.
    pub vague: bool,
    /// Whether it sits at an end of its bounds.
    pub at_bound: bool,
    /// Whether starts agree on it: the search came to rest, another start found the same answer, and none that fits as well has another value of it. An interval says nothing of answers elsewhere.
    pub sure: bool,
}

/// How a number is known.
const KNOWN: &str = "known";
const HARDLY: &str = "hardly known";
const UNSURE: &str = "not surely known";
const AT_BOUND: &str = "held at its bound and not known";
const LOST: &str = "not known";

impl Found {
    /// How it is known, in words.
    fn known(&self) -> &'static str {
        match self.interval {
            None => LOST,
            Some(_) if self.at_bound => AT_BOUND,
            Some(_) if self.vague => HARDLY,
            Some(_) if !self.sure => UNSURE,
            Some(_) => KNOWN,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The numbers, in the order in which they were named.
    pub numbers: Vec<Found>,
    /// Their correlations; NaN where one is not known.
    pub correlation: Vec<Vec<f64>>,
    /// What cannot be known from this record, in words.
    pub unknowable: Vec<String>,
    /// What is known of numbers that are not known by themselves.
    pub products: Vec<Product>,
    /// Largest over smallest singular value of the sensitivities, each of length one.
    pub condition: f64,
    /// How many independent combinations are known.
    pub rank: usize,
    /// Measured numbers less what is known.
    pub freedom: usize,
    /// SI unit of every series; may be empty.
    pub units: Vec<String>,
    /// The standard deviation of the noise of every series, in its unit.
    pub noise: Vec<f64>,
    /// The best motion at the instants of the record, series by series.
    pub fitted: Vec<Vec<f64>>,
    /// Measured less fitted, in units of the noise; NaN where nothing was measured.
    pub residuals: Vec<Vec<f64>>,
    /// How much of the variation of every series about its mean the motion explains, 1 at best. Outliers do not count.
    pub explained: Vec<f64>,
    /// The best motion as it was sampled, series by series.
    pub smooth: Vec<Vec<(f64, f64)>>,
    /// From how many starts the same answer was found, and from how many it was sought.
    pub agreeing: [usize; 2],
    /// Whether the search came to rest.
    pub settled: bool,
    /// How often anything touches in the best run.
    pub contacts: usize,
    /// What should be known of all this.
    pub notes: Vec<String>,
    /// Whether it was ended before the search was.
    pub stopped: bool,
}

impl Moved {
    /// Series of which the motion explains less than half, by their channels.
    pub fn missed<'a>(&self, record: &'a Record) -> Vec<&'a str> {
        let pairs = record.series.iter().zip(&self.explained);
        pairs
            .filter(|(_, explained)| !(**explained >= FAIR))
            .map(|(series, _)| series.channel.as_str())
            .collect()
    }

    /// How well the model fits and what of its numbers is known, in sentences.
    pub fn verdict(&self, record: &Record) -> Vec<String> {
        let shares: Vec<String> = record
            .series
            .iter()
            .zip(&self.explained)
            .map(|(series, share)| {
                let percent = (1000.0 * share.clamp(0.0, 1.0)).floor() / 10.0;
                format!("{percent} % of the variation of `{}`", series.channel)
            })
            .collect();
        let missed = self.missed(record);
        let how = match missed.is_empty() {
            true if self.to_noise() => "The model follows the record to its noise",
            true => "The model follows the record, but not to its noise",
            false => "The model does not describe the record",
        };
        let mut said = vec![format!("{how}: it explains {}.", shares.join(", "))];
        let names = |how: &str| -> Vec<String> {
            let all = self.numbers.iter().filter(|one| one.known() == how);
            all.map(|one| format!("`{}`", one.path)).collect()
        };
        let groups: Vec<(&str, Vec<String>)> = [KNOWN, UNSURE, HARDLY, AT_BOUND, LOST]
            .map(|how| (how, names(how)))
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .collect();
        said.push(match groups.as_slice() {
            [(how, names)] => match (names.as_slice(), *how) {
                ([one], how) => format!("{one} is {how} from it."),
                (_, KNOWN) => "All numbers that were sought are known from it.".into(),
                (_, LOST) => "None of the numbers that were sought is known from it alone.".into(),
                (_, how) => format!("All numbers that were sought are {how} from it."),
            },
            several => {
                let parts = several.iter();
                let parts: Vec<String> = parts
                    .map(|(how, names)| format!("{how}: {}", names.join(", ")))
                    .collect();
                format!("Of the numbers that were sought {}.", parts.join("; "))
            }
        });
        if self.numbers.iter().any(|one| one.known() == UNSURE) {
            let [same, all] = self.agreeing;
            said.push(format!(
                "{same} of {all} starts found this answer, and an interval says nothing of others."
            ));
        }
        said
    }

    /// Whether what is left over looks like noise.
    fn to_noise(&self) -> bool {
        let all = self.residuals.iter();
        all.map(|r| known(r)).all(|r| unlike_noise(&r).is_none())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Misfit {
    /// The model cannot be read with values that are allowed.
    Model(Vec<Diagnostic>),
    /// The record, the model and what is sought do not go together.
    Input(Vec<String>),
    /// It was sought in vain.
    Failed(String),
}

/// Puts a model to a record of its motion, with these numbers free. Of the setup `loss` and `starts` count, and `start`, s: what the record's clock shows when it is 0 s in the model.
pub fn fit_motion(
    subject: &Subject,
    record: &Record,
    free: &[Free],
    setup: &Setup,
) -> Result<Moved, Misfit> {
    let go_on = |_, _| ControlFlow::Continue(());
    fit_motion_with(subject, record, free, setup, &go_on)
}

/// The same; `hear` is told now and then how many points and searches are done, of how many, and says whether to go on: if not, what is known by then is told, or that nothing is.
pub fn fit_motion_with(
    subject: &Subject,
    record: &Record,
    free: &[Free],
    setup: &Setup,
    hear: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Result<Moved, Misfit> {
    let of = search::wanted(free, setup) + setup.starts.max(1) + 1;
    search::search(subject, record, free, setup, &Work::new(of, hear))
}
