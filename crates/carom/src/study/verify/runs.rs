//! Which runs is a number compared over, and what is kept of each?

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::card::rounded;
use crate::model::{Account, Channel, ContactMethod, GroupQuantity, Model, Motion};
use crate::solve::{Integrator, Settings};
use crate::system::{Contacted, Frame, Ledger, Observer, Progress, Status, System, Warning};

use super::extremes::{Extreme, Extremes, Nature};
use super::horizon::{self, Nudge};
use super::{Listener, Step, Underway};

/// So many times the tolerance is divided by ten, and not below this: less the methods refuse.
const TIGHTER: u32 = 4;
const TIGHTEST: f64 = 1e-14;
/// The second method is given a tolerance so many times as tight.
const SECOND: f64 = 100.0;
/// A fixed step is halved so often.
const HALVINGS: u32 = 3;
/// The golden section: a step so many times as long fits into no halving and is in no small ratio to any. No digit of the shortest steps is lost by it, since those before are twice as long.
const GOLDEN: f64 = 1.618_033_988_749_895;
/// Samples of a run that are compared at most; they are a part of those asked for, where these are more.
const SAMPLES: f64 = 2000.0;
/// A run is looked at so often at least, however few samples are asked for.
const INSTANTS: f64 = 1000.0;
/// A run that takes more than so many times the work of the run as asked for is cut off.
const BUDGET: u64 = 10;
/// Evaluations of the right-hand side that a step of another method is worth, its linear algebra included.
const ADAMS: u64 = 3;
const IMPLICIT: u64 = 30;
const EXPLICIT: u64 = 12;
/// A motion is stiff where one of so many steps needs a new Jacobian matrix.
const STIFF: u64 = 10;
/// Work of so many steps is never too much.
const LEAST: u64 = 1000;
/// A run that looks for what the others may have stepped over takes so many steps at least: no more than any run may.
const LOOKED: u64 = BUDGET * LEAST;
/// A run that comes no further than this part of the time has got nowhere.
const AT_ONCE: f64 = 0.01;
/// Why a start cannot be moved.
const DRIVEN: &str = "drivers move all there is";
/// Why a run that nobody wanted any longer did not come to its end.
const STOPPED: &str = "it was stopped";
/// Steps that are a smaller part of the time than this, so many one after the other, do not lead to its end.
const SHORT: f64 = 1e-7;
const CREEPS: u64 = 100;
/// Steps between two questions whether to go on.
const LOOKS: u64 = 64;

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As the model asks.
    Asked,
    /// The same method with a tighter tolerance, or a shorter step.
    Tighter,
    /// The same method with fixed steps that are no part of those of the others: what keeps step with all of them does not with these.
    Odd,
    /// Another method.
    Second,
    /// Short steps, as tight as the tightest: it sees what the others may have stepped over.
    Short,
    /// Its start moved by a hair.
    Moved,
}

impl Role {
    /// As it stands in results.
    pub fn name(self) -> &'static str {
        match self {
            Role::Asked => "as asked",
            Role::Tighter => "tighter",
            Role::Odd => "odd step",
            Role::Second => "second method",
            Role::Short => "short steps",
            Role::Moved => "start moved",
        }
    }
}

/// What is told of one run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What it was for.
    pub role: Role,
    /// The method, as it is typed in a model file.
    pub method: &'static str,
    /// Its relative tolerance; of a method with a fixed step it says nothing.
    pub rtol: f64,
    /// Of a method with a fixed step: that, s.
    pub step: Option<f64>,
    /// How it ended.
    pub status: Status,
    /// Why, if it did not come to its end.
    pub reason: Option<String>,
    /// Contacts that began.
    pub contacts: usize,
    /// Steps accepted.
    pub steps: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// The longest step, s: what lasts less may have been stepped over.
    pub longest: f64,
    /// How far it came, s.
    pub until: f64,
    /// What the energies lack at the end, J.
    pub residual: f64,
}

impl Ran {
    /// Whether its start could not be moved since drivers move all there is.
    pub(super) fn is_driven(&self) -> bool {
        self.reason.as_deref() == Some(DRIVEN)
    }
}

/// A run with all that is compared.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub ran: Ran,
    pub table: Table,
    /// The least and the largest of every channel asked for.
    pub extremes: Vec<[Extreme; 2]>,
    /// See [`Extremes::shaken`].
    pub shaken: Vec<[f64; 2]>,
    pub contacts: Vec<Contacted>,
    pub ledger: Ledger,
    /// What the run warned of.
    pub warnings: Vec<Warning>,
    /// Whether it took implicit steps often.
    pub stiff: bool,
    /// Whether it failed before it got anywhere.
    pub fell_at_once: bool,
}

impl Run {
    /// How much a channel changes within the rounding of the time: at the end, and at the sample where that is most.
    pub fn shaken(&self, column: usize) -> [f64; 2] {
        self.shaken.get(column).copied().unwrap_or_default()
    }

    /// Whether something touches at this time already.
    pub fn touches_at(&self, start: f64) -> bool {
        let mut contacts = self.contacts.iter();
        contacts.any(|contact| contact.episode.start <= start)
    }

    /// Whether a channel that was asked for is no more than this wherever one looks.
    pub fn is_still(&self, column: usize, least: f64) -> bool {
        let found = self.extremes.get(column);
        found.is_some_and(|sides| sides.iter().all(|side| side.value.abs() <= least))
    }
}

/// The samples of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// s.
    pub t: Vec<f64>,
    /// Sample by sample.
    pub values: Vec<f64>,
    /// Numbers a sample.
    pub width: usize,
}

impl Table {
    /// One column over time.
    pub fn column(&self, i: usize) -> impl DoubleEndedIterator<Item = f64> + '_ {
        let rows = self.values.chunks_exact(self.width.max(1));
        rows.map(move |row| row.get(i).copied().unwrap_or(f64::NAN))
    }
}

/// The name of the method that takes steps of time without compliance.
pub(super) const STEPPING: &str = "time-stepping";

/// The model with what is sampled for the comparison.
#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub model: Model,
    /// How many channels were asked for, with the accounts of energy that were not; behind them stand x, y, angle, vx, vy, omega of every body.
    pub asked: usize,
    /// A sample stands in the results if so many lie between it and the last one that does, and is compared if so many do.
    pub fine: usize,
    pub every: usize,
}

impl Traced {
    /// Of a model whose step is chosen, if it takes steps.
    pub fn new(model: &Model, channels: &[Channel]) -> Self {
        let mut model = model.clone();
        let states = (0..model.bodies.len()).flat_map(|body| {
            use Motion::*;
            [X, Y, Angle, Vx, Vy, Omega].map(|motion| Channel::Body(body, motion))
        });
        let accounts = Account::ALL.map(|(_, account)| Channel::Energy(account));
        let accounts = accounts
            .iter()
            .filter(|account| !channels.contains(account));
        let looked: Vec<Channel> = channels.iter().chain(accounts).copied().collect();
        let asked = looked.len();
        model.simulation.channels = looked.into_iter().chain(states).collect();
        let span = model.simulation.end - model.simulation.start;
        let mut step = model.output_step();
        // Steps must not change with what is sampled, nor samples with how often steps are halved.
        let stepping = model.method.contact == ContactMethod::TimeStepping;
        let of_time = model.method.step.filter(|_| stepping);
        // Where steps are longer than the time between samples, there is one at every step.
        step = of_time.map_or(step, |of_time| step.max(of_time));
        let parts = of_time.map(|of_time| (step / of_time).round());
        let every = (span / (step * SAMPLES)).ceil().max(1.0);
        let mut fine = (INSTANTS * step / span).ceil().clamp(1.0, INSTANTS);
        if let Some(parts) = parts {
            while fine > 1.0 && parts % fine != 0.0 {
                fine -= 1.0;
            }
        }
        model.simulation.output_step = Some(step / fine);
        model.simulation.snapshot_step = None;
        Self {
            model,
            asked,
            fine: fine as usize,
            every: every as usize,
        }
    }

    /// Where a channel stands.
    pub fn column(&self, name: &str) -> Option<usize> {
        let mut all = self.model.simulation.channels.iter();
        all.position(|channel| channel.name(&self.model) == name)
    }
}

/// What a run is done with.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub role: Role,
    pub solver: Settings,
    /// Of time stepping: the step, s.
    pub step: Option<f64>,
}

impl Plan {
    /// So many steps this run may take, where the run as asked for took the work of that.
    pub fn budget(&self, asked: &Run, own: Integrator) -> u64 {
        let ran = &asked.ran;
        if self.role == Role::Short {
            return LOOKED + BUDGET * ran.steps.max(LEAST);
        }
        // Half the step is twice the steps, whatever they cost.
        if self.step.is_some() || name(self.solver.integrator).1.is_some() {
            return u64::MAX;
        }
        if self.solver.integrator == own {
            return BUDGET * ran.steps.max(LEAST);
        }
        let worth = match self.solver.integrator {
            Integrator::Adams => ADAMS,
            Integrator::Radau | Integrator::Bdf => IMPLICIT,
            _ => EXPLICIT,
        };
        BUDGET * ran.evaluations.max(LEAST * EXPLICIT) / worth
    }
}

/// The runs with the model's own method: as asked for first, then ever tighter ones.
pub(super) fn plans(model: &Model) -> Vec<Plan> {
    let solver = &model.solver;
    let mut plans = vec![Plan {
        role: Role::Asked,
        solver: solver.clone(),
        step: model.method.step,
    }];
    let stepping = model.method.contact == ContactMethod::TimeStepping;
    let fixed = match solver.integrator {
        Integrator::Rk4 { step } | Integrator::Verlet { step } => Some(step),
        _ => None,
    };
    if stepping || fixed.is_some() {
        for halving in 1..=HALVINGS {
            let part = 1.0 / f64::from(1_u32 << halving);
            let mut solver = solver.clone();
            match &mut solver.integrator {
                Integrator::Rk4 { step } | Integrator::Verlet { step } => *step *= part,
                _ => {}
            }
            plans.push(Plan {
                role: Role::Tighter,
                solver,
                step: model.method.step.map(|step| part * step),
            });
        }
    } else {
        let mut rtol = solver.rtol;
        for _ in 0..TIGHTER {
            // A tenth of a tolerance at the edge may fall below it by rounding.
            rtol = if rtol < 10.5 * TIGHTEST && rtol > TIGHTEST {
                TIGHTEST
            } else {
                rtol / 10.0
            };
            if rtol < TIGHTEST {
                break;
            }
            plans.push(Plan {
                role: Role::Tighter,
                solver: tightened(solver, rtol / solver.rtol),
                step: None,
            });
        }
    }
    plans
}

/// The run in fixed steps that are no part of those of the others, by the plan with the shortest: all halvings see a force of time at the same instants of its period if one does.
pub(super) fn odd(traced: &Traced, shortest: &Plan) -> Option<Plan> {
    let model = &traced.model;
    let mut plan = Plan {
        role: Role::Odd,
        ..shortest.clone()
    };
    if model.method.contact == ContactMethod::TimeStepping {
        // Its steps become uneven where they are taken.
        plan.step = Some(GOLDEN * plan.step?);
        return Some(plan);
    }
    let (Integrator::Rk4 { step } | Integrator::Verlet { step }) = &mut plan.solver.integrator
    else {
        return None;
    };
    *step *= GOLDEN;
    if model.of_grains().next().is_some() {
        // Their samples stand at the ends of steps: an odd number of these fills the time between two.
        let every = model.output_step();
        let parts = (every / *step).floor().clamp(1.0, 1e15) as u64 | 1;
        *step = every / parts as f64;
    }
    Some(plan)
}

/// The run with a second method, if there is one; `stiff` is whether the first took implicit steps.
pub(super) fn other(model: &Model, stiff: bool) -> Option<Plan> {
    let stepping = model.method.contact == ContactMethod::TimeStepping;
    if stepping || model.of_grains().next().is_some() {
        return None;
    }
    let solver = &model.solver;
    let integrator = second(solver.integrator, stiff);
    // What is left of an iteration bounds an implicit method before rounding does.
    let least = match integrator {
        Integrator::Radau => 1e2 * TIGHTEST,
        _ => TIGHTEST,
    };
    let part = (1.0 / SECOND).max(least / solver.rtol).min(1.0);
    Some(Plan {
        role: Role::Second,
        solver: Settings {
            integrator,
            first_step: None,
            ..tightened(solver, part)
        },
        step: None,
    })
}

/// The run in short steps, with the tolerances of another: it judges all the others, and must be no less exact than they are. Of a method with a fixed step there is none: its steps are halved anyhow.
pub(super) fn short(model: &Model, solver: &Settings) -> Option<Plan> {
    let fixed = name(model.solver.integrator).1.is_some()
        || model.method.contact == ContactMethod::TimeStepping
        || model.of_grains().next().is_some();
    let span = model.simulation.end - model.simulation.start;
    let most = span / LOOKED as f64;
    (!fixed && most < model.solver.max_step).then(|| Plan {
        role: Role::Short,
        solver: Settings {
            max_step: most,
            first_step: solver.first_step.map(|step| step.min(most)),
            max_steps: solver.max_steps.saturating_add(LOOKED),
            ..solver.clone()
        },
        step: None,
    })
}

/// All tolerances this many times as large.
pub(super) fn tightened(solver: &Settings, part: f64) -> Settings {
    let mut tight = solver.clone();
    let scaled = |rtol: f64| match rtol {
        rtol if rtol > 0.0 => (part * rtol).max(TIGHTEST),
        rtol => rtol,
    };
    tight.rtol = scaled(tight.rtol);
    tight.atol *= part;
    for kind in &mut tight.kinds {
        kind.rtol = scaled(kind.rtol);
        kind.atol *= part;
    }
    tight
}

/// Another method that fits where the first does: one that shares no formula with it.
fn second(first: Integrator, stiff: bool) -> Integrator {
    match first {
        Integrator::Auto if stiff => Integrator::Radau,
        Integrator::Auto | Integrator::Dop853 | Integrator::Tsit5 => Integrator::Adams,
        Integrator::Adams | Integrator::Rk4 { .. } | Integrator::Verlet { .. } => {
            Integrator::Dop853
        }
        Integrator::Bdf => Integrator::Radau,
        Integrator::Radau => Integrator::Auto,
    }
}

fn name(integrator: Integrator) -> (&'static str, Option<f64>) {
    match integrator {
        Integrator::Auto => ("auto", None),
        Integrator::Dop853 => ("dop853", None),
        Integrator::Tsit5 => ("tsit5", None),
        Integrator::Adams => ("adams", None),
        Integrator::Radau => ("radau", None),
        Integrator::Bdf => ("bdf", None),
        Integrator::Rk4 { step } => ("rk4", Some(step)),
        Integrator::Verlet { step } => ("verlet", Some(step)),
    }
}

/// What all runs share while they go on.
pub(super) struct Work<'a> {
    traced: &'a Traced,
    listener: Listener<'a>,
    done: AtomicUsize,
    of: AtomicUsize,
    stopped: AtomicBool,
}

impl<'a> Work<'a> {
    pub fn new(traced: &'a Traced, listener: Listener<'a>, of: usize) -> Self {
        Self {
            traced,
            listener,
            done: AtomicUsize::new(0),
            of: AtomicUsize::new(of),
            stopped: AtomicBool::new(false),
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// There is one run more to do.
    pub fn one_more(&self) {
        self.of.fetch_add(1, Ordering::Relaxed);
    }

    fn goes_on(&self, run: Option<Underway>) -> ControlFlow<()> {
        let done = self.done.load(Ordering::Relaxed);
        let of = self.of.load(Ordering::Relaxed);
        let underway = run.filter(|_| done == 0);
        let step = Step { done, of, underway };
        if self.is_stopped() || (self.listener)(step) == ControlFlow::Break(()) {
            self.stopped.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Does one run of at most so many steps.
    pub fn run(&self, plan: &Plan, budget: u64) -> Run {
        let run = self.once(plan, budget, None);
        self.done.fetch_add(1, Ordering::Relaxed);
        let _ = self.goes_on(None);
        run
    }

    /// Does one run whose start is moved, in another way if it falls at once: a body that stands on a stop must not be thrown from it by a hair.
    pub fn run_moved(&self, plan: &Plan, budget: u64, ways: &[Nudge<'_>]) -> Option<Run> {
        let mut last = None;
        for nudge in ways {
            let run = self.once(plan, budget, Some(nudge));
            let again = run.fell_at_once && !self.is_stopped();
            last = Some(run);
            if !again {
                break;
            }
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        let _ = self.goes_on(None);
        last
    }

    fn once(&self, plan: &Plan, budget: u64, moved: Option<&Nudge<'_>>) -> Run {
        let mut model = self.traced.model.clone();
        model.solver = plan.solver.clone();
        model.method.step = plan.step;
        let (method, fixed) = name(plan.solver.integrator);
        let stepping = model.method.contact == ContactMethod::TimeStepping;
        let mut run = Run {
            ran: Ran {
                role: plan.role,
                method: if stepping { STEPPING } else { method },
                rtol: plan.solver.rtol,
                step: if stepping { plan.step } else { fixed },
                status: Status::Failed,
                reason: None,
                contacts: 0,
                steps: 0,
                evaluations: 0,
                longest: f64::INFINITY,
                until: f64::NAN,
                residual: f64::NAN,
            },
            table: Table::default(),
            extremes: Vec::new(),
            shaken: Vec::new(),
            contacts: Vec::new(),
            ledger: Ledger::default(),
            warnings: Vec::new(),
            stiff: false,
            fell_at_once: false,
        };
        if self.is_stopped() {
            run.ran.status = Status::Stopped;
            run.ran.reason = Some(STOPPED.into());
            return run;
        }
        let assembled = System::assemble(&model).map_err(|troubles| {
            let said: Vec<String> = troubles.into_iter().map(|t| t.message).collect();
            said.join("; ")
        });
        let started = assembled.and_then(|mut system| {
            if let Some(nudge) = moved {
                let moved = horizon::nudge(&mut system, nudge, plan.solver.rtol)
                    .map_err(|fault| fault.to_string())?;
                if !moved {
                    return Err(DRIVEN.into());
                }
            }
            Ok(system)
        });
        match started {
            Ok(mut system) => {
                let asked = system.channels().iter().take(self.traced.asked);
                let natures = asked
                    .map(|channel| Nature::of(channel, !stepping && !jumps(channel), stepping))
                    .collect();
                let mut kept = Kept {
                    work: self,
                    table: Table {
                        width: system.channels().len(),
                        ..Table::default()
                    },
                    extremes: Extremes::new(natures),
                    seen: 0,
                    last: Vec::with_capacity(1 + system.channels().len()),
                    budget,
                    cut: false,
                    short: 0,
                    reached: model.simulation.start,
                    longest: 0.0,
                };
                if plan.role == Role::Odd {
                    system.set_uneven_steps();
                }
                let outcome = system.run(&mut kept);
                let [start, end] = [model.simulation.start, model.simulation.end];
                let cut = kept.cut && outcome.status == Status::Stopped;
                run.ran.longest = kept.longest;
                run.ran.until = outcome.t;
                run.shaken = kept.extremes.shaken();
                run.extremes = kept.finish(&mut run.table);
                run.ran.status = outcome.status;
                run.ran.reason = match outcome.status {
                    Status::Stopped if cut => Some(format!(
                        "it was cut off at t = {} s: it took more than {BUDGET} times the work of the run as asked for",
                        rounded(outcome.t)
                    )),
                    Status::Stopped => Some(STOPPED.into()),
                    _ => outcome.reason,
                };
                run.ran.contacts = outcome.contacts.len();
                run.warnings = outcome.warnings;
                run.ran.steps = outcome.statistics.steps_accepted;
                run.ran.evaluations = outcome.statistics.rhs_evaluations;
                run.ran.residual = outcome.ledger.residual;
                run.stiff = STIFF * outcome.statistics.jacobians > run.ran.steps;
                run.fell_at_once =
                    outcome.status == Status::Failed && outcome.t - start < AT_ONCE * (end - start);
                run.contacts = outcome.contacts;
                run.ledger = outcome.ledger;
            }
            Err(why) => {
                run.ran.reason = Some(why);
                run.fell_at_once = true;
            }
        }
        run
    }
}

/// Whether a channel jumps from step to step: how many pairs touch, and how deep the deepest is, who else it may be.
fn jumps(channel: &Channel) -> bool {
    use GroupQuantity::{Contacts, Overlap};
    matches!(channel, Channel::Group(_, Contacts | Overlap))
}

/// Keeps the samples that are compared, and the extremes of all there is.
struct Kept<'a, 'b> {
    work: &'a Work<'b>,
    table: Table,
    extremes: Extremes,
    /// Samples so far.
    seen: usize,
    /// The last sample that is not in the table: its time and its values.
    last: Vec<f64>,
    /// Steps at most, …
    budget: u64,
    /// … and whether they were used up.
    cut: bool,
    /// Short steps one after the other.
    short: u64,
    /// Where the last step ended, s, and how long the longest was, s.
    reached: f64,
    longest: f64,
}

impl Kept<'_, '_> {
    fn keep(&mut self, t: f64, values: &[f64]) {
        self.table.t.push(t);
        self.table.values.extend_from_slice(values);
    }

    /// The last sample is that of the end.
    fn finish(mut self, table: &mut Table) -> Vec<[Extreme; 2]> {
        let last = std::mem::take(&mut self.last);
        if let Some((t, values)) = last.split_first() {
            self.extremes.sample(values);
            self.keep(*t, values);
        }
        *table = self.table;
        self.extremes.finish()
    }
}

impl Observer for Kept<'_, '_> {
    fn sample(&mut self, t: f64, values: &[f64]) {
        let Traced { fine, every, .. } = *self.work.traced;
        let told = self.seen.is_multiple_of(fine);
        if told {
            self.extremes.sample(values);
        }
        self.last.clear();
        if told && (self.seen / fine).is_multiple_of(every) {
            self.keep(t, values);
        } else {
            self.last.push(t);
            self.last.extend_from_slice(values);
        }
        self.seen += 1;
    }

    fn watches(&self) -> bool {
        true
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.extremes.instant(frame.t, frame.moment, frame.values);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.longest = self.longest.max(progress.t - self.reached);
        self.reached = progress.t;
        let span = progress.end - progress.start;
        // Grains go by a fixed step, which somebody chose.
        let short = progress.crowd.is_none() && progress.step < SHORT * span;
        self.short = if short { self.short + 1 } else { 0 };
        if progress.steps > self.budget {
            self.cut = true;
            return ControlFlow::Break(());
        }
        if progress.steps.is_multiple_of(LOOKS) {
            return self.work.goes_on(Some(Underway {
                start: progress.start,
                t: progress.t,
                end: progress.end,
                creeps: (self.short >= CREEPS).then_some(progress.step),
            }));
        }
        ControlFlow::Continue(())
    }
}
