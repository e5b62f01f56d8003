//! How is a model file run for a figure?

use crate::model::Channel;
use crate::model::file::{Source, read};
use crate::system::{Contacted, Observer, Outcome, Status, System};

use super::Trouble;

/// A file of `models`: its name and its text.
pub(super) type File = (&'static str, &'static str);

pub(super) const BOUNCING_BALL: File = (
    "bouncing-ball.toml",
    include_str!("../../../../../models/bouncing-ball.toml"),
);
pub(super) const BALL_ON_TABLE: File = (
    "ball-on-table.toml",
    include_str!("../../../../../models/ball-on-table.toml"),
);
pub(super) const SLIDER_CRANK_BLOCK: File = (
    "slider-crank-block.toml",
    include_str!("../../../../../models/slider-crank-block.toml"),
);
pub(super) const KNEE: File = ("knee.toml", include_str!("../../../../../models/knee.toml"));
pub(super) const IMPACT_TYPES: File = (
    "impact-types.toml",
    include_str!("../../../../../models/impact-types.toml"),
);

/// A run: its channels over time, and what else it leaves.
pub(super) struct Motion {
    channels: Vec<String>,
    samples: Samples,
    /// In how many ways it can move.
    pub degrees: usize,
    /// Contacts, energies, warnings.
    pub outcome: Outcome,
}

/// Times, and one column of values a channel.
struct Samples {
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Observer for Samples {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.times.push(t);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(*value);
        }
    }
}

impl Motion {
    /// Runs a model file with some of its values changed, as `--set path=value` does.
    pub fn of(file: File, changes: &[(&str, &str)]) -> Result<Self, Trouble> {
        let source = Source::new(file.0, file.1);
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(path, value)| (path.to_string(), value.to_string()))
            .collect();
        let parsed = read(&source, &changes).map_err(|faults| refused(&faults))?;
        let mut system = System::assemble(&parsed.model).map_err(|faults| refused(&faults))?;
        let name = |channel: &Channel| channel.name(&parsed.model);
        let channels: Vec<String> = system.channels().iter().map(name).collect();
        let mut samples = Samples {
            times: Vec::new(),
            columns: vec![Vec::new(); channels.len()],
        };
        let degrees = system.degrees_of_freedom();
        let outcome = system.run(&mut samples);
        match outcome.status {
            Status::Completed => Ok(Self {
                channels,
                samples,
                degrees,
                outcome,
            }),
            _ => {
                let why = outcome.reason.as_deref().unwrap_or("no reason given");
                Err(Trouble::Refused(format!("{}: {why}", file.0)))
            }
        }
    }

    /// The values of a channel.
    pub fn column(&self, channel: &str) -> Result<&[f64], Trouble> {
        let found = self.channels.iter().position(|name| name == channel);
        found
            .and_then(|i| self.samples.columns.get(i))
            .map(Vec::as_slice)
            .ok_or_else(|| Trouble::Refused(format!("the run has no channel `{channel}`")))
    }

    /// A channel over time.
    pub fn curve(&self, channel: &str) -> Result<Vec<(f64, f64)>, Trouble> {
        let values = self.column(channel)?.iter().copied();
        Ok(self.samples.times.iter().copied().zip(values).collect())
    }

    /// One channel over another.
    pub fn against(&self, x: &str, y: &str) -> Result<Vec<(f64, f64)>, Trouble> {
        let values = self.column(y)?.iter().copied();
        Ok(self.column(x)?.iter().copied().zip(values).collect())
    }

    /// All contacts.
    pub fn contacts(&self) -> &[Contacted] {
        &self.outcome.contacts
    }
}

/// At most about twice so many points of a curve: of every stretch the lowest and the highest, so that peaks stay what they are.
pub(super) fn thinned(curve: &[(f64, f64)], stretches: usize) -> Vec<(f64, f64)> {
    let length = curve.len().div_ceil(stretches.max(1)).max(1);
    if length < 3 {
        return curve.to_vec();
    }
    let mut kept = Vec::new();
    for stretch in curve.chunks(length) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let low = stretch.iter().min_by(by_value);
        let high = stretch.iter().max_by(by_value);
        if let (Some(low), Some(high)) = (low, high) {
            let (first, last) = if low.0 <= high.0 {
                (low, high)
            } else {
                (high, low)
            };
            kept.push(*first);
            if first.0 < last.0 {
                kept.push(*last);
            }
        }
    }
    kept
}

fn refused<T: std::fmt::Display>(faults: &[T]) -> Trouble {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Trouble::Refused(faults.join("; "))
}
