//! How many digits of a model's numbers are to be believed?
//!
//! The model is run as it stands, with tighter and tighter tolerances, and with a second method, all sampled at the same times (`runs`). What all of them agree on is to be believed, digit by digit (`digits`, `contacts`). What rests in all of them, or may be struck for an instant, may have been stepped over by all of them, and is run once more in short steps, as tight as the tightest (`still`). Then its start is moved by a hair: how fast the motions part says beyond which time nothing can be computed, whatever the method (`horizon`). Runs that share neither instants nor formulas with the others count as far as they came (`independent`). `gather` makes all these runs. `words` says it to people, `json` to programs.

mod contacts;
mod digits;
pub(super) mod extremes;
mod gather;
mod horizon;
mod independent;
#[cfg(feature = "files")]
mod json;
mod runs;
mod still;
mod words;

use std::fmt;
use std::ops::ControlFlow;

use crate::model::{Account, Analysis, Channel, ContactMethod, Model};
use crate::results::section;
use crate::system::{System, Trouble, Warning};

pub use contacts::{Contact, Contacts};
pub use digits::{Number, Verdict};
pub use horizon::{Growth, Horizon, Reach};
pub use independent::Independent;
#[cfg(feature = "files")]
pub use json::json;
pub use runs::{Ran, Role};
pub use still::Still;
pub use words::{sentences, trust, warning};

use gather::Gathered;
use runs::{Run, Traced};

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Runs that are done, …
    pub done: usize,
    /// … of so many.
    pub of: usize,
    /// Where a run is that is on its way: of `verify` the first one, until it is done, since all others wait for it.
    pub underway: Option<Underway>,
}

impl Step {
    /// So many are done, of so many.
    pub fn counted(done: usize, of: usize) -> Self {
        Self {
            done,
            of,
            underway: None,
        }
    }
}

/// A run on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Underway {
    /// Where it began, s.
    pub start: f64,
    /// The time it has reached, s.
    pub t: f64,
    /// Where it will end, s.
    pub end: f64,
    /// Its last step, s, if its steps have become so short that the end is out of sight; `verify` alone looks for that.
    pub creeps: Option<f64>,
}

/// Who hears how far the work is, from several threads: after every run and now and then on the way. `Break` ends it.
pub type Listener<'a> = &'a (dyn Fn(Step) -> ControlFlow<()> + Sync);

/// Why nothing can be said.
#[derive(Clone, Debug)]
pub enum Refused {
    /// It cannot be put together.
    Model(Vec<Trouble>),
    /// It is not a motion that is integrated.
    Analysis(Analysis),
    /// The run itself, as asked for, did not come to its end: the reason.
    Failed(String),
    /// The listener ended it.
    Stopped,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Model(troubles) => {
                let said: Vec<&str> = troubles.iter().map(|t| t.message.as_str()).collect();
                f.write_str(&said.join("; "))
            }
            Refused::Analysis(analysis) => write!(
                f,
                "verify is about motions that are integrated, and the analysis is `{}`, which takes no steps: its numbers are exact but for rounding. Hint: simulation.analysis = \"dynamic\"",
                analysis.name()
            ),
            Refused::Failed(reason) => write!(f, "the run itself failed: {reason}"),
            Refused::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl std::error::Error for Refused {}

/// What the runs of a model say about its numbers.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What the model is called.
    pub title: String,
    /// Its relative tolerance, as asked for.
    pub rtol: f64,
    /// From where to where, s.
    pub time: [f64; 2],
    /// The period of its first driver that has one, s.
    pub period: Option<f64>,
    /// The runs: first as asked for, then ever tighter, then the second method, then those whose start was moved.
    pub runs: Vec<Ran>,
    /// The energies at the end and the channels: at the end, their extremes, and over the whole time.
    pub numbers: Vec<Number>,
    /// The contacts.
    pub contacts: Contacts,
    /// What may have been stepped over.
    pub still: Still,
    /// How far the comparison reaches, where no other run came to the end.
    pub reach: Option<Reach>,
    /// What runs say that share neither instants nor formulas with the others.
    pub independent: Vec<Independent>,
    /// For how long the motion can be computed at all.
    pub horizon: Horizon,
    /// What the energies lack at the end, as a part of the largest that any of them ever was, for the run as asked for.
    pub residual: f64,
    /// What the run as asked for warned of.
    pub warnings: Vec<Warning>,
    /// Whether the listener ended it: it rests on the runs that were done by then.
    pub stopped: bool,
}

impl Verified {
    /// Whether the motion can be computed to its end: if not, since when it cannot, s.
    pub fn lost(&self) -> Option<f64> {
        self.horizon.lost(self.time[1])
    }
}

/// How far energies and joints are off is no number of the motion.
const OFF: [Channel; 3] = [
    Channel::Energy(Account::Residual),
    Channel::Violation,
    Channel::ViolationRate,
];

/// The channels that are, with their columns.
fn judged(channels: &[Channel]) -> impl Iterator<Item = (usize, &Channel)> {
    let all = channels.iter().enumerate();
    all.filter(|(_, channel)| !OFF.contains(channel))
}

/// How much is done to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Four tighter runs, a second method, three starts; one run in short steps where something may have been stepped over.
    #[default]
    Usual,
    /// Two tighter runs, a second method, one start; short steps as usual.
    Quick,
}

/// The same model with another relative tolerance. Where it is tighter, absolute tolerances are tightened by the same factor: they would bound the digits otherwise.
pub fn at(model: &Model, rtol: f64) -> Model {
    let mut model = model.clone();
    if rtol < model.solver.rtol {
        model.solver = runs::tightened(&model.solver, rtol / model.solver.rtol);
    }
    model.solver.rtol = rtol;
    model
}

/// Runs a model again and again and says how many digits of its numbers are to be believed.
pub fn verify(model: &Model, listener: Listener<'_>) -> Result<Verified, Refused> {
    verify_with(model, Effort::Usual, listener)
}

/// The same, with more or less effort. What was known when the listener ended it is told if it is more than one run.
pub fn verify_with(
    model: &Model,
    effort: Effort,
    listener: Listener<'_>,
) -> Result<Verified, Refused> {
    if model.simulation.analysis != Analysis::Dynamic {
        return Err(Refused::Analysis(model.simulation.analysis));
    }
    let system = System::assemble(model).map_err(Refused::Model)?;
    let channels = system.channels().to_vec();
    // With the step that was chosen, where nobody asked for one.
    let traced = Traced::new(system.model(), &channels);
    let gathered = gather::gather(&system, model, &traced, effort, listener)?;
    let time = [model.simulation.start, model.simulation.end];
    let horizon = gathered.horizon(&traced, model, effort);
    let lost = horizon.lost(time[1]);
    let mut drivers = model.drivers.iter();
    let period = drivers.find_map(|driver| section::period(driver, &model.simulation));
    let Some(asked) = gathered.ran.first() else {
        return Err(Refused::Failed(String::new()));
    };
    let mut still = gathered.still(model, &channels);
    let mut others = gathered.others(&horizon, lost);
    let reach = others
        .is_empty()
        .then(|| horizon::reach(&gathered.ran, &traced, &gathered.scales));
    let comparison = Comparison {
        model,
        channels: &channels,
        traced: &traced,
        gathered: &gathered,
    };
    let mut numbers = comparison.numbers(asked, &mut others, &mut still);
    if let Some(lost) = lost {
        digits::beyond(&mut numbers, lost, &traced, asked, &others);
    }
    for number in &mut numbers {
        number.still = still.channels.contains(&number.name);
    }
    let stretch = independent::Stretch {
        traced: &traced,
        sizes: &gathered.sizes,
        scales: &gathered.scales,
        lost,
    };
    let independent = stretch.judge(&gathered.ran, &mut numbers);
    // Those that ended are among the others.
    let parted = independent.iter().filter(|one| !one.ended);
    let parted = parted.filter_map(|one| one.since).reduce(f64::min);
    let known = contacts::Known {
        time,
        period,
        lost: lost.into_iter().chain(parted).reduce(f64::min),
        sure: horizon.growth != Growth::Unknown,
        moved: contacts::counts(gathered.ended().filter(|run| run.ran.role == Role::Moved)),
        rigid: model.method.contact == ContactMethod::Piecewise,
        states: traced.asked,
    };
    Ok(Verified {
        title: model.title.clone(),
        rtol: model.solver.rtol,
        time,
        period,
        numbers,
        contacts: contacts::compare(asked, &others, &known, &gathered.sizes),
        still,
        reach,
        independent,
        horizon,
        residual: digits::imbalance(asked, &traced, &gathered.sizes),
        warnings: asked.warnings.clone(),
        stopped: gathered.stopped,
        runs: gathered.ran.into_iter().map(|run| run.ran).collect(),
    })
}

/// What the runs are compared in.
struct Comparison<'a> {
    model: &'a Model,
    channels: &'a [Channel],
    traced: &'a Traced,
    gathered: &'a Gathered,
}

impl<'a> Comparison<'a> {
    /// All numbers of this run, as sure as these others leave them.
    fn told(&self, asked: &Run, others: &[&Run]) -> Vec<Number> {
        let mut numbers = digits::energies(asked, others, self.traced);
        for (column, channel) in judged(self.channels) {
            let sizes = &self.gathered.sizes;
            let mut found = digits::channel(self.model, *channel, column, asked, others, sizes);
            // Energies at the end are there already.
            found.retain(|number| !still::is_account(number));
            numbers.extend(found);
        }
        numbers
    }

    /// All numbers of the run as asked for, compared with the one in short steps too; it joins the others where these have stepped over something.
    fn numbers(&self, asked: &Run, others: &mut Vec<&'a Run>, still: &mut Still) -> Vec<Number> {
        let mut numbers = self.told(asked, others);
        let counts = others.iter().any(|run| run.ran.role == Role::Short);
        let short = self.gathered.short().filter(|_| !counts);
        let Some(short) = short else {
            return numbers;
        };
        let alone = self.told(asked, &[short]);
        let same_start = others.iter().filter(|run| run.ran.role != Role::Moved);
        let each: Vec<Vec<Number>> = same_start.map(|run| self.told(asked, &[run])).collect();
        others.push(short);
        let seen = still::Seen {
            short: &self.told(short, &[asked]),
            alone: &alone,
            near: &still::nearest(&numbers, &each),
            each: &each,
            pulses: self.gathered.pulses,
            with: &self.told(asked, others),
            sizes: &self.gathered.sizes,
            rtol: self.model.solver.rtol,
            steps: short.ran.steps,
            residual: short.ledger.residual,
        };
        still.missed = seen.compare(&mut numbers);
        if !still.missed.is_empty() {
            still.since = horizon::since(asked, short, self.traced, &self.gathered.scales);
            return numbers;
        }
        others.pop();
        still.missed = seen.between(&mut numbers);
        if still.missed.is_empty() {
            still.passed = seen.passed(&numbers);
        }
        numbers
    }
}
