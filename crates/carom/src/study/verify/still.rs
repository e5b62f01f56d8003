//! What could all runs have stepped over, and which channels are zero in every one?
//!
//! A method whose step is chosen by its errors takes long steps where nothing happens, and a pulse between two evaluations is nothing to it: the same nothing in every run, whatever the tolerance.

use crate::model::{Channel, Model};
use crate::system::{Ledger, Status};

use super::digits::Sizes;
use super::runs::{Role, Run};
use super::{Number, Verdict};

/// What is less than this part of its kind may be rounding that has grown.
const ROUNDING: f64 = 1e-9;
/// The run in short steps, and the nearest of the others, have errors of their own: only what differs by so many times what the nearest of the other runs does, and by so many tolerances, was stepped over.
const FACTOR: f64 = 10.0;
/// Where runs agree at every sample, but an extreme is otherwise by this part of its size, something short was stepped over between them.
const PEAK: f64 = 0.1;

/// What may have been stepped over.
#[derive(Clone, Debug, PartialEq)]
pub struct Still {
    /// The channels that are zero, but for rounding, all the time in every run.
    pub channels: Vec<String>,
    /// What is otherwise in short steps, by more than the nearest of the other runs is away: that one has stepped over something too.
    pub missed: Vec<String>,
    /// Where nothing was missed: what another run has stepped over that the run as asked for has seen, as the run in short steps has.
    pub passed: Vec<String>,
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
            passed: Vec::new(),
            pulses,
            since: None,
            pulse: ended().fold(f64::INFINITY, |least, run| least.min(run.ran.longest)),
        }
    }
}

/// Whether a force or a driver may last for an instant only.
pub(super) fn could_pulse(model: &Model) -> bool {
    let mut rows = model.drivers.iter().flat_map(|driver| &driver.rows);
    model.loads.iter().any(|entry| entry.load.could_pulse())
        || rows.any(|row| row.function().could_pulse())
}

/// Whether drivers did no work, or something that can make heat made none.
pub(super) fn has_still_account(model: &Model, ledger: &Ledger) -> bool {
    !model.drivers.is_empty() && ledger.driver_work == 0.0
        || ledger.dissipated.iter().any(|(_, heat)| *heat == 0.0)
}

/// The same numbers, with the error that the nearest of these comparisons finds: one run that met what the others have stepped over is no reason to doubt that they have.
pub(super) fn nearest(numbers: &[Number], each: &[Vec<Number>]) -> Vec<Number> {
    let near = |number: &Number| {
        let mut near = number.clone();
        let errors = each.iter().map(|alone| own(number, alone));
        near.error = errors.fold(near.error, f64::min);
        near
    };
    numbers.iter().map(near).collect()
}

/// The numbers of the run as asked for beside those of the run in short steps.
pub(super) struct Seen<'a> {
    /// The numbers of that run itself.
    pub short: &'a [Number],
    /// Compared with that run alone, …
    pub alone: &'a [Number],
    /// … with the nearest of the others, …
    pub near: &'a [Number],
    /// … with each of the others that have the same start, …
    pub each: &'a [Vec<Number>],
    /// … and with all runs.
    pub with: &'a [Number],
    /// Whether forces or drivers of the model may last for an instant only.
    pub pulses: bool,
    pub sizes: &'a Sizes,
    /// Of the run as asked for.
    pub rtol: f64,
    /// Of the run in short steps.
    pub steps: u64,
    /// What the energies of the run in short steps miss, J: what was stepped over may be missing from an account as well.
    pub residual: f64,
}

impl Seen<'_> {
    /// What differs by more than the nearest of the other runs allows gets the larger error. What differs by much is not believed, and its names are told: something was stepped over. From then on this run has seen more than any other,
    /// and counts for every number.
    pub fn compare(&self, numbers: &mut Vec<Number>) -> Vec<String> {
        let mut missed: Vec<String> = Vec::new();
        for number in self.with.iter().filter(|n| self.says(n)) {
            let [_, far] = self.differs(number, shared(number, self.near));
            if far && !missed.contains(&number.name) {
                missed.push(number.name.clone());
            }
        }
        let any = !missed.is_empty();
        let judge = |number: &Number| {
            let claimed = match any {
                true => own(number, self.near),
                false => shared(number, self.near),
            };
            let [more, far] = self.differs(number, claimed);
            let mut number = number.clone();
            let astray = any && is_account(&number) && self.is_much(&number, self.residual.abs());
            if astray {
                number.error = number.error.max(self.residual.abs());
            }
            if far || astray {
                number.verdict = Verdict::NotAtAll;
                number.best = number.best.map(|(value, _)| (value, Verdict::NotAtAll));
            }
            (any || more && self.says(&number)).then_some(number)
        };
        let judged: Vec<Number> = self.with.iter().filter_map(judge).collect();
        for number in judged {
            match numbers.iter_mut().find(|n| is_same(n, &number)) {
                Some(known) => *known = number,
                None => numbers.push(number),
            }
        }
        missed
    }

    /// Whether a number tells by itself that something was stepped over. Extremes lie between samples, where runs look at different instants: they say something only of what rests.
    fn says(&self, number: &Number) -> bool {
        let mut kin = self.with.iter().filter(|n| n.name == number.name);
        is_timed(number) || kin.all(|n| n.value == 0.0)
    }

    /// Extremes that go much further in short steps, though all runs agree at every sample, lie between samples where steps have passed them: they are not believed, and the names of their channels are told.
    pub fn between(&self, numbers: &mut [Number]) -> Vec<String> {
        let mut missed: Vec<String> = Vec::new();
        for number in numbers.iter_mut().filter(|n| self.peaks(n)) {
            number.error = number.error.max(own(number, self.alone));
            number.verdict = Verdict::NotAtAll;
            number.best = number.best.map(|(value, _)| (value, Verdict::NotAtAll));
            if !missed.contains(&number.name) {
                missed.push(number.name.clone());
            }
        }
        missed
    }

    /// Whether it is such an extreme.
    fn peaks(&self, number: &Number) -> bool {
        let short = self.short.iter().find(|n| is_same(n, number));
        let further = short.map_or(0.0, |short| match number.what {
            "least" => number.value - short.value,
            "largest" => short.value - number.value,
            _ => 0.0,
        });
        self.pulses && further > PEAK * self.size(number) && self.agree(number)
    }

    /// Whether all runs agree on the samples of the channel of a number.
    fn agree(&self, number: &Number) -> bool {
        let mut kin = self.with.iter().filter(|n| n.name == number.name);
        let over = kin.find(|n| n.what == "over time");
        over.is_some_and(|over| !self.is_much(number, over.error))
    }

    /// Of these numbers, which are not believed, the names of those on which the run as asked for agrees with that in short steps, while another run has stepped over something.
    pub fn passed(&self, numbers: &[Number]) -> Vec<String> {
        let mut passed: Vec<String> = Vec::new();
        let not = numbers.iter().filter(|n| n.verdict == Verdict::NotAtAll);
        for number in not.filter(|n| self.pulses && n.error.is_finite()) {
            let near = |numbers: &[Number]| FACTOR * own(number, numbers) <= number.error;
            let alone = |numbers: &Vec<Number>| 2.0 * own(number, numbers) >= number.error;
            let much = match is_timed(number) {
                true => self.is_much(number, number.error),
                false => number.error > PEAK * self.size(number) && self.agree(number),
            };
            let blind = near(self.alone) && near(self.near) && self.each.iter().any(alone);
            if much && blind && !passed.contains(&number.name) {
                passed.push(number.name.clone());
            }
        }
        passed
    }

    /// Whether a number differs by more than a run that is `claimed` away allows, and whether by much.
    fn differs(&self, number: &Number, claimed: f64) -> [bool; 2] {
        let difference = own(number, self.alone);
        let rounding = 16.0 * f64::EPSILON * self.steps as f64 * self.size(number);
        let more = difference > FACTOR * claimed + rounding;
        [more, more && self.is_much(number, difference)]
    }

    /// Whether a difference is more than the tolerances leave of a number.
    fn is_much(&self, number: &Number, difference: f64) -> bool {
        difference > (FACTOR * self.rtol).max(ROUNDING) * self.size(number)
    }

    /// What a number is measured by.
    fn size(&self, number: &Number) -> f64 {
        let values = self.with.iter().filter(|n| n.name == number.name);
        let values = values.map(|n| n.value.abs()).filter(|x| x.is_finite());
        self.sizes.of(values.fold(0.0, f64::max), &number.unit)
    }
}

/// Whether it is an energy at the end.
pub(super) fn is_account(number: &Number) -> bool {
    number.what == "end" && number.name.starts_with("energy.")
}

/// Whether all runs take it at the same times.
fn is_timed(number: &Number) -> bool {
    matches!(number.what, "end" | "over time")
}

fn is_same(a: &Number, b: &Number) -> bool {
    a.name == b.name && a.what == b.what
}

/// The error of the same number among these; none where it is not one of them.
fn own(number: &Number, numbers: &[Number]) -> f64 {
    let found = numbers.iter().find(|n| is_same(n, number));
    found.map_or(0.0, |n| n.error)
}

/// The largest error of its kin: accounts at the end share their errors, and so do the numbers of a channel. At one instant an error may be small by chance.
fn shared(number: &Number, numbers: &[Number]) -> f64 {
    let accounts = |n: &Number| is_account(n) && is_account(number);
    let kin = |n: &Number| n.name == number.name && is_timed(n) || accounts(n);
    let kin = numbers.iter().filter(|n| kin(n) || is_same(n, number));
    kin.fold(0.0, |e: f64, n| e.max(n.error))
}
