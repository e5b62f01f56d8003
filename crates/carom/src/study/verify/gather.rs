//! In which order are the runs made, and which of them count?

use crate::model::{Channel, Model};
use crate::study::many;
use crate::system::{Status, System};

use super::digits::Sizes;
use super::horizon::{self, Growth, Horizon, Nudge, Scales};
use super::runs::{self, Plan, Role, Run, Traced, Work};
use super::still::{self, Still};
use super::{Effort, Listener, Refused, judged};

/// So many tighter runs where it has to be quick.
const QUICK: usize = 2;

/// All runs of a model.
pub(super) struct Gathered {
    /// First as asked for, then all others from the same start, at the end those whose start was moved.
    pub ran: Vec<Run>,
    /// So many of these were moved.
    moved: usize,
    /// Where the run stands whose start was moved.
    tightest: usize,
    /// How large the motion is.
    pub scales: Scales,
    /// How large numbers of every kind are.
    pub sizes: Sizes,
    /// The columns that rest in the run as asked for, and what is nothing there.
    quiet: Vec<(usize, f64)>,
    /// Whether a force or a driver may last for an instant only.
    pub pulses: bool,
    /// Whether the listener ended it.
    pub stopped: bool,
}

/// Makes the runs: as asked for first, which says whether the motion is stiff and how much work is too much; then those that are compared with it; then, where the errors of the method are smallest, in short steps and from starts a hair away.
pub(super) fn gather(
    system: &System,
    model: &Model,
    traced: &Traced,
    effort: Effort,
    listener: Listener<'_>,
) -> Result<Gathered, Refused> {
    let channels = system.channels();
    // With the step that was chosen, where nobody asked for one.
    let mut plans = runs::plans(system.model());
    let mut directions = horizon::DIRECTIONS;
    if effort == Effort::Quick {
        plans.truncate(1 + QUICK);
        directions = 1;
    }
    let odd = plans.last().and_then(|plan| runs::odd(traced, plan));
    plans.extend(odd);
    if model.of_grains().next().is_some() {
        directions = 0;
    }
    let seconds = usize::from(runs::other(model, false).is_some());
    let work = Work::new(traced, listener, plans.len() + seconds + directions);
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
    let scales = Scales::of(&asked.table, traced);
    let sizes = Sizes::new(model, channels, &asked, &scales);
    // What rests is stepped over in long steps, and whatever is short with it.
    let quiet: Vec<(usize, f64)> = judged(channels)
        .map(|(column, channel)| (column, sizes.dust(channel.unit(model))))
        .filter(|(column, least)| asked.is_still(*column, *least))
        .collect();
    let pulses = still::could_pulse(model);
    let looks = pulses || !quiet.is_empty() || still::has_still_account(model, &asked.ledger);
    let looks = looks && runs::short(model, &model.solver).is_some();
    if looks {
        work.one_more();
    }
    let rest = plans.get(1..).unwrap_or_default();
    let others = many::each(rest, |plan| work.run(plan, plan.budget(&asked, own)));
    let touches = asked.touches_at(model.simulation.start);
    let mut ran = vec![asked];
    ran.extend(others);
    let is_tight = |run: &Run| {
        matches!(run.ran.role, Role::Asked | Role::Tighter) && run.ran.status == Status::Completed
    };
    let tightest = ran.iter().rposition(is_tight).unwrap_or(0);
    let mut moved = Vec::new();
    if let (Some(plan), Some(asked)) = (plans.get(tightest), ran.first()) {
        let twin = Plan {
            role: Role::Moved,
            ..plan.clone()
        };
        // What its twin was allowed is not denied to it for a step.
        let budget = twin.budget(asked, own).saturating_mul(2);
        // In short steps once, and moved in each direction.
        let short = looks.then_some(None).into_iter();
        let later: Vec<Option<usize>> = short.chain((0..directions).map(Some)).collect();
        let all = many::each(&later, |one| match one {
            Some(direction) => {
                let ways = Nudge::ways(*direction, touches, &scales);
                work.run_moved(&twin, budget, &ways)
            }
            None => {
                let short = runs::short(model, &plan.solver)?;
                Some(work.run(&short, short.budget(asked, own)))
            }
        });
        let all = all.into_iter().flatten();
        let (short, nudged): (Vec<Run>, Vec<Run>) =
            all.partition(|run| run.ran.role == Role::Short);
        ran.extend(short);
        moved = nudged;
    }
    let compared = ran.iter().skip(1);
    let done = compared
        .filter(|run| run.ran.status == Status::Completed)
        .count();
    if work.is_stopped() && done == 0 {
        return Err(Refused::Stopped);
    }
    let count = moved.len();
    ran.extend(moved);
    Ok(Gathered {
        ran,
        moved: count,
        tightest,
        scales,
        sizes,
        quiet,
        pulses,
        stopped: work.is_stopped(),
    })
}

impl Gathered {
    /// All but the run as asked for that came to their end.
    pub fn ended(&self) -> impl Iterator<Item = &Run> {
        let others = self.ran.iter().skip(1);
        others.filter(|run| run.ran.status == Status::Completed)
    }

    /// The run in short steps, if it came to its end.
    pub fn short(&self) -> Option<&Run> {
        self.ended().find(|run| run.ran.role == Role::Short)
    }

    /// For how long the motion can be computed.
    pub fn horizon(&self, traced: &Traced, model: &Model, effort: Effort) -> Horizon {
        let same = self.ran.len() - self.moved;
        let (ran, nudged) = self.ran.split_at(same);
        let rtol = model.solver.rtol;
        let mut horizon = horizon::horizon(ran, self.tightest, nudged, traced, &self.scales, rtol);
        if effort == Effort::Quick {
            let touches = ran.first().is_some_and(|run| !run.contacts.is_empty());
            horizon.keep_what_is_clear(model.simulation.end, touches);
        }
        if nudged.iter().any(|run| run.ran.is_driven()) {
            // Nothing is free to part.
            horizon.growth = Growth::Slow;
        }
        horizon
    }

    /// The runs that the one as asked for is compared with, if the motion is lost at this time.
    pub fn others(&self, horizon: &Horizon, lost: Option<f64>) -> Vec<&Run> {
        let chaotic = lost.is_some() && matches!(horizon.growth, Growth::Exponential(_));
        let counts = |run: &&Run| match run.ran.role {
            // Where motions part, those that were moved are as good as any.
            Role::Moved => lost.is_some(),
            // It looks for what the others have not seen, and counts where it has.
            Role::Short => chaotic,
            _ => true,
        };
        let others: Vec<&Run> = self.ended().filter(counts).collect();
        match others.is_empty() {
            // Better than nothing.
            true => self.short().into_iter().collect(),
            false => others,
        }
    }

    /// What rests in all runs.
    pub fn still(&self, model: &Model, channels: &[Channel]) -> Still {
        Still::of(model, channels, &self.quiet, &self.ran, self.pulses)
    }
}
