//! What could all runs have stepped over, and which channels are zero in every one?
//!
//! A method whose step is chosen by its errors takes long steps where nothing happens, and a pulse between two evaluations is nothing to it: the same nothing in every run, whatever the tolerance.

use crate::mechanics::Function;
use crate::model::{Channel, Model};
use crate::system::{Ledger, Status};

use super::digits::Sizes;
use super::runs::{Role, Run};
use super::{Number, Verdict};

/// What is less than this part of its kind may be rounding that has grown.
const ROUNDING: f64 = 1e-9;
/// The run in short steps has an error of its own: only what differs by so many times what the other runs do, and by so many tolerances, was stepped over.
const FACTOR: f64 = 10.0;

/// What may have been stepped over.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    /// The channels that are zero, but for rounding, all the time in every run.
    pub channels: Vec<String>,
    /// What is otherwise in short steps, by more than the other runs are apart: all of these have stepped over something.
    pub missed: Vec<String>,
    /// What lasts less than this may have been stepped over by every run, s: the longest step of the run with the shortest ones.
    pub pulse: f64,
    /// Whether forces or drivers of the model may last for an instant only.
    pub pulses: bool,
    /// From when on the run in short steps is a per mille of the motion from the run as asked for, s, if something was missed.
    pub since: Option<f64>,
}

impl Still {
    /// Of these columns and what is nothing there.
    pub(super) fn of(
        model: &Model,
        channels: &[Channel],
        still: &[(usize, f64)],
        runs: &[Run],
        pulses: bool,
    ) -> Self {
        let ended = || {
            let same_start = runs.iter().filter(|run| run.ran.role != Role::Moved);
            same_start.filter(|run| run.ran.status == Status::Completed)
        };
        let zero = |(column, least): (usize, f64)| ended().all(|run| run.is_still(column, least));
        let chosen = still.iter().filter(|one| zero(**one));
        let named = chosen.filter_map(|one| channels.get(one.0));
        Self {
            channels: named.map(|channel| channel.name(model)).collect(),
            missed: Vec::new(),
            pulses,
            since: None,
            pulse: ended().fold(f64::INFINITY, |least, run| least.min(run.ran.longest)),
        }
    }
}

/// Whether a force or a driver may last for an instant only.
pub(super) fn could_pulse(model: &Model) -> bool {
    let mut rows = model.drivers.iter().flat_map(|driver| &driver.rows);
    model.loads.iter().any(|entry| entry.load.brings())
        || rows.any(|row| matches!(row.function(), Function::Spline(_) | Function::Other(_)))
}

/// Whether drivers did no work, or something that can make heat made none.
pub(super) fn has_still_account(model: &Model, ledger: &Ledger) -> bool {
    !model.drivers.is_empty() && ledger.driver_work == 0.0
        || ledger.dissipated.iter().any(|(_, heat)| *heat == 0.0)
}

/// The numbers of the run as asked for beside those of the run in short steps.
pub(super) struct Seen<'a> {
    /// Compared with that run alone, …
    pub alone: &'a [Number],
    /// … and with all runs.
    pub with: &'a [Number],
    pub sizes: &'a Sizes,
    /// Of the run as asked for.
    pub rtol: f64,
    /// Of the run in short steps.
    pub steps: u64,
}

impl Seen<'_> {
    /// What differs by more than the other runs allow gets the larger error. What differs by much is not believed, and its names are told: something was stepped over.
    pub fn compare(&self, numbers: &mut Vec<Number>) -> Vec<String> {
        let all = || self.with.iter().zip(self.differences(numbers));
        let mut missed: Vec<String> = Vec::new();
        // Extremes lie between samples, where runs look at different instants: alone they say something only of what rests.
        let says = |n: &Number| matches!(n.what, "end" | "over time") || n.value == 0.0;
        for (number, [_, far]) in all().filter(|(n, _)| says(n)) {
            if far && !missed.contains(&number.name) {
                missed.push(number.name.clone());
            }
        }
        let any = !missed.is_empty();
        let judged: Vec<Number> = all()
            .filter(|(number, [more, far])| *more && (says(number) || any && *far))
            .map(|(number, [_, far])| {
                let mut number = number.clone();
                if far {
                    number.verdict = Verdict::NotAtAll;
                    number.best = number.best.map(|(value, _)| (value, Verdict::NotAtAll));
                }
                number
            })
            .collect();
        for number in judged {
            let same = |n: &&mut Number| n.name == number.name && n.what == number.what;
            match numbers.iter_mut().find(same) {
                Some(known) => *known = number,
                None => numbers.push(number),
            }
        }
        missed
    }

    /// Of every number: whether it differs by more than the other runs allow, and whether by much.
    fn differences(&self, numbers: &[Number]) -> Vec<[bool; 2]> {
        let one = |number: &Number| {
            let same = |n: &&Number| n.name == number.name && n.what == number.what;
            let difference = self.alone.iter().find(same).map_or(0.0, |n| n.error);
            // Accounts at the end share their errors, and so do the numbers of a channel.
            let account = |n: &Number| n.what == "end" && n.name.starts_with("energy.");
            let kin = |n: &&Number| n.name == number.name || account(n) && account(number);
            let claimed = numbers
                .iter()
                .filter(kin)
                .fold(0.0, |e: f64, n| e.max(n.error));
            let own = self.with.iter().filter(|n| n.name == number.name);
            let own = own.map(|n| n.value.abs()).filter(|x| x.is_finite());
            let size = self.sizes.of(own.fold(0.0, f64::max), &number.unit);
            let rounding = 16.0 * f64::EPSILON * self.steps as f64 * size;
            let more = difference > FACTOR * claimed + rounding;
            let much = (FACTOR * self.rtol).max(ROUNDING) * size;
            [more, more && difference > much]
        };
        self.with.iter().map(one).collect()
    }
}
