//! How many digits of a model's numbers are to be believed?
//!
//! The model is run as it stands, with tighter and tighter tolerances, and with a second method, all sampled at the same times (`runs`). What all of them agree on is to be believed, digit by digit (`digits`,
//! `contacts`). What rests in all of them, or may be struck for an instant, may have been stepped over by all of them, and is run once more in short steps, as tight as the tightest (`still`). Then its start is moved by a hair: how fast the motions part says beyond which time nothing can be computed, whatever the method (`horizon`). `words` says it to people, `json` to programs.

mod contacts;
mod digits;
pub(super) mod extremes;
mod horizon;
#[cfg(feature = "files")]
mod json;
mod runs;
mod still;
mod words;

use std::fmt;
use std::ops::ControlFlow;

use crate::model::{Account, Analysis, Channel, ContactMethod, Model};
use crate::results::section;
use crate::study::many;
use crate::system::{Status, System, Trouble, Warning};

pub use contacts::{Contact, Contacts};
pub use digits::{Number, Verdict};
pub use horizon::{Growth, Horizon, Reach};
#[cfg(feature = "files")]
pub use json::json;
pub use runs::{Ran, Role};
pub use still::Still;
pub use words::{sentences, warning};

use runs::{Plan, Traced};

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Runs that are done, …
    pub done: usize,
    /// … of so many.
    pub of: usize,
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
    /// For how long the motion can be computed at all.
    pub horizon: Horizon,
    /// What the energies lack at the end, as a part of the largest of them, for the run as asked for.
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

/// So many tighter runs where it has to be quick.
const QUICK: usize = 2;

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
    let mut plans = runs::plans(system.model());
    let directions = match effort {
        Effort::Usual => horizon::DIRECTIONS,
        Effort::Quick => {
            plans.truncate(1 + QUICK);
            1
        }
    };
    let grains = model.of_grains().next().is_some();
    let ahead = if grains { 0 } else { directions };
    let seconds = usize::from(runs::other(model, false).is_some());
    let work = runs::Work::new(&traced, listener, plans.len() + seconds + ahead);
    // The run itself comes first: it says whether the motion is stiff, and how much work is too much.
    let Some(asked) = plans.first().map(|plan| work.run(plan, u64::MAX)) else {
        return Err(Refused::Failed(String::new()));
    };
    match asked.ran.status {
        Status::Completed => {}
        _ if work.is_stopped() => return Err(Refused::Stopped),
        _ => return Err(Refused::Failed(asked.ran.reason.unwrap_or_default())),
    }
    plans.extend(runs::other(model, asked.stiff));
    let own = model.solver.integrator;
    // What rests is stepped over in long steps, and whatever is short with it.
    let is_off = |column: &usize| channels.get(*column).is_none_or(|c| OFF.contains(c));
    let scales = horizon::Scales::of(&asked.table, &traced);
    let sizes = digits::Sizes::new(model, &channels, &asked, &scales);
    let dust = |channel: &Channel| sizes.dust(channel.unit(model));
    let named = channels.iter().map(dust).enumerate();
    let still: Vec<(usize, f64)> = named
        .filter(|(column, least)| !is_off(column) && asked.is_still(*column, *least))
        .collect();
    let pulses = still::could_pulse(model);
    let looks = pulses || !still.is_empty() || still::has_still_account(model, &asked.ledger);
    let looks = looks && runs::short(model, &model.solver).is_some();
    if looks {
        work.one_more();
    }
    let rest = plans.get(1..).unwrap_or_default();
    let others = many::each(rest, |plan| work.run(plan, plan.budget(&asked, own)));
    let start = model.simulation.start;
    let touches = asked.contacts.iter().any(|c| c.episode.start <= start);
    let mut ran = vec![asked];
    ran.extend(others);
    // The start is moved, and what was stepped over is looked for, where the errors of the method are smallest.
    let tightest = ran
        .iter()
        .rposition(|r| {
            matches!(r.ran.role, Role::Asked | Role::Tighter) && r.ran.status == Status::Completed
        })
        .unwrap_or(0);
    // In short steps once, and moved in each direction.
    let later: Vec<Option<usize>> = looks
        .then_some(None)
        .into_iter()
        .chain((0..ahead).map(Some))
        .collect();
    let later: Vec<runs::Run> = match (plans.get(tightest), ran.first()) {
        (Some(plan), Some(asked)) => {
            let moved = Plan {
                role: Role::Moved,
                ..plan.clone()
            };
            // What its twin was allowed is not denied to it for a step.
            let budget = moved.budget(asked, own).saturating_mul(2);
            let all = many::each(&later, |one| match one {
                Some(direction) => {
                    let ways = horizon::Nudge::ways(*direction, touches, &scales);
                    work.run_moved(&moved, budget, &ways)
                }
                None => {
                    let short = runs::short(model, &plan.solver)?;
                    Some(work.run(&short, short.budget(asked, own)))
                }
            });
            all.into_iter().flatten().collect()
        }
        _ => Vec::new(),
    };
    let (short, nudged): (Vec<runs::Run>, Vec<runs::Run>) = later
        .into_iter()
        .partition(|run| run.ran.role == Role::Short);
    ran.extend(short);
    let others = ran.iter().skip(1);
    let done = others.filter(|r| r.ran.status == Status::Completed).count();
    if work.is_stopped() && done == 0 {
        return Err(Refused::Stopped);
    }
    let time = [model.simulation.start, model.simulation.end];
    let mut horizon =
        horizon::horizon(&ran, tightest, &nudged, &traced, &scales, model.solver.rtol);
    if effort == Effort::Quick {
        let touches = ran.first().is_some_and(|run| !run.contacts.is_empty());
        horizon.keep_what_is_clear(time[1], touches);
    }
    if nudged.iter().any(|run| run.ran.is_driven()) {
        // Nothing is free to part.
        horizon.growth = Growth::Slow;
    }
    let lost = horizon.lost(time[1]);
    let periods = model.drivers.iter();
    let period = periods
        .filter_map(|driver| section::period(driver, &model.simulation))
        .next();
    ran.extend(nudged);
    let chaotic = lost.is_some() && matches!(horizon.growth, Growth::Exponential(_));
    let counts = |run: &runs::Run| match run.ran.role {
        // Where motions part, those that were moved are as good as any.
        Role::Moved => lost.is_some(),
        // It looks for what the others have not seen: below it counts where it has.
        Role::Short => chaotic,
        _ => true,
    };
    let ended = || {
        ran.iter()
            .skip(1)
            .filter(|r| r.ran.status == Status::Completed)
    };
    let mut others: Vec<&runs::Run> = ended().filter(|run| counts(run)).collect();
    if others.is_empty() {
        // Better than nothing.
        others.extend(ended().filter(|run| run.ran.role == Role::Short));
    }
    let mut still = Still::of(model, &channels, &still, &ran, pulses);
    let reach = match others.is_empty() {
        true => Some(horizon::reach(&ran, &traced, &scales)),
        false => None,
    };
    let told = |asked: &runs::Run, others: &[&runs::Run]| {
        let mut numbers = digits::energies(asked, others, &traced);
        let named = channels.iter().enumerate();
        for (column, channel) in named.filter(|(column, _)| !is_off(column)) {
            let mut found = digits::channel(model, *channel, column, asked, others, &sizes);
            // Energies at the end are there already.
            found.retain(|n| !still::is_account(n));
            numbers.extend(found);
        }
        numbers
    };
    let short = ended().find(|run| run.ran.role == Role::Short);
    let short = short.filter(|_| others.iter().all(|run| run.ran.role != Role::Short));
    let (mut numbers, contacts, residual) = match ran.first() {
        Some(asked) => {
            let mut numbers = told(asked, &others);
            if let Some(short) = short {
                let alone = told(asked, &[short]);
                let same_start = others.iter().filter(|run| run.ran.role != Role::Moved);
                let each: Vec<Vec<Number>> = same_start.map(|run| told(asked, &[run])).collect();
                others.push(short);
                let seen = still::Seen {
                    short: &told(short, &[asked]),
                    alone: &alone,
                    near: &still::nearest(&numbers, &each),
                    each: &each,
                    pulses,
                    with: &told(asked, &others),
                    sizes: &sizes,
                    rtol: model.solver.rtol,
                    steps: short.ran.steps,
                    residual: short.ledger.residual,
                };
                still.missed = seen.compare(&mut numbers);
                if still.missed.is_empty() {
                    others.pop();
                    still.missed = seen.between(&mut numbers);
                    still.passed = match still.missed.is_empty() {
                        true => seen.passed(&numbers),
                        false => Vec::new(),
                    };
                } else {
                    still.since = horizon::since(asked, short, &traced, &scales);
                }
            }
            let known = contacts::Known {
                time,
                period,
                lost,
                sure: horizon.growth != Growth::Unknown,
                moved: contacts::counts(ended().filter(|run| run.ran.role == Role::Moved)),
                rigid: model.method.contact == ContactMethod::Piecewise,
                states: traced.asked,
            };
            if let Some(lost) = lost {
                digits::beyond(&mut numbers, lost, &traced, asked, &others);
            }
            let contacts = contacts::compare(asked, &others, &known, &sizes);
            (numbers, contacts, digits::imbalance(&asked.ledger, &sizes))
        }
        None => (Vec::new(), Contacts::default(), f64::NAN),
    };
    for number in &mut numbers {
        number.still = still.channels.contains(&number.name);
    }
    let stopped = work.is_stopped();
    Ok(Verified {
        title: model.title.clone(),
        rtol: model.solver.rtol,
        time,
        period,
        warnings: ran
            .first_mut()
            .map_or_else(Vec::new, |asked| std::mem::take(&mut asked.warnings)),
        runs: ran.into_iter().map(|r| r.ran).collect(),
        numbers,
        contacts,
        still,
        reach,
        horizon,
        residual,
        stopped,
    })
}
