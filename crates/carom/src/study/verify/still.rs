//! Which channels are zero in every run, and what could all runs have stepped over?
//!
//! A method whose step is chosen by its errors takes long steps where nothing happens, and a pulse between two evaluations is nothing to it: the same nothing in every run, whatever the tolerance.

use crate::model::{Channel, Model};
use crate::system::Status;

use super::Number;
use super::runs::{Role, Run};

/// What is zero to so many digits may be rounding.
const ROUNDING: u32 = 9;

/// The channels that are zero, but for rounding, all the time in the run as asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    /// Those that are so in every run.
    pub channels: Vec<String>,
    /// Those that are not zero in short steps, though they are in every other run: all of these have stepped over something.
    pub missed: Vec<String>,
    /// What lasts less than this may have been stepped over by every run, s: the longest step of the run with the shortest ones.
    pub pulse: f64,
}

impl Still {
    /// Of these columns and what is nothing there.
    pub(super) fn of(
        model: &Model,
        channels: &[Channel],
        still: &[(usize, f64)],
        runs: &[Run],
    ) -> Self {
        let ended = || {
            let same_start = runs.iter().filter(|run| run.ran.role != Role::Moved);
            same_start.filter(|run| run.ran.status == Status::Completed)
        };
        let zero = |short: bool, (column, least): (usize, f64)| {
            let mut all = ended().filter(|run| (run.ran.role == Role::Short) == short);
            all.all(|run| run.is_still(column, least))
        };
        let named = |in_short: bool| {
            let chosen = still.iter().copied();
            let chosen = chosen.filter(|one| zero(false, *one) && zero(true, *one) == in_short);
            let channels = chosen.filter_map(|one| channels.get(one.0));
            channels.map(|channel| channel.name(model)).collect()
        };
        Self {
            channels: named(true),
            missed: named(false),
            pulse: ended().fold(f64::INFINITY, |least, run| least.min(run.ran.longest)),
        }
    }

    /// Takes rounding out of what was missed.
    pub(super) fn sift(&mut self, numbers: &[Number]) {
        let rounding = |n: &Number| n.verdict.digits().is_some_and(|digits| digits >= ROUNDING);
        let moves = |name: &String| numbers.iter().any(|n| n.name == *name && !rounding(n));
        self.missed.retain(moves);
    }
}
