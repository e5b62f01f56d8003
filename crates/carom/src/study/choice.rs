//! How much does the choice of a law matter for the numbers of a mechanism?
//!
//! A run of the model says how its surfaces meet (`met`): how fast, with what masses, how deep. The same model is then run with one law after the other in place of its own, and the quantities asked for
//! (`quantity`) are set side by side. A second run of every law with a tighter tolerance says which differences are no more than the error of the computation, and a third with masses that are a per mille larger which of them
//! any change would make: where a motion is chaotic the law is not to blame.

mod met;
mod quantity;
mod renumber;
mod words;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::contact::{Calibration, Law};
use crate::mechanics::{Body, Follows};
use crate::model::{Analysis, Model};
use crate::study::advise::Judged;
use crate::study::many;
use crate::study::verify::{self, Underway};
use crate::system::{Frame, Observer, Outcome, Progress, Status, System, Warning};

pub use met::{Met, definition, elements, meetings};
pub use quantity::{Misread, Quantity};
pub use renumber::{Renumbered, own_law, renumber, restitution_error, same_law};
pub use verify::{Listener, Step};
pub use words::{met as met_in_words, sentences};

use quantity::Taking;

/// Differences below this part of a quantity are called none.
const LITTLE: f64 = 1e-2;
/// A difference counts if it is so many times the error of the computation.
const CLEAR: f64 = 5.0;
/// The second run of a law has a tolerance so many times as tight.
const TIGHTER: f64 = 0.1;
/// In the third run all masses are larger by this part, which is less than anybody knows them to.
const HEAVIER: f64 = 1e-3;

/// A law to be tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is called in the table.
    pub name: String,
    /// The law with its numbers; `None`: that of the model, whatever it is.
    pub law: Option<Law>,
    /// The approach speed that slower touches count as, m/s; `None`: that of the model.
    pub floor: Option<f64>,
    /// The largest error of restitution of a free impact with it, over the speeds asked for: returned less asked for. None where nobody computed it.
    pub restitution_error: Option<f64>,
}

impl From<&Judged> for Candidate {
    fn from(judged: &Judged) -> Self {
        let name = match judged.calibration {
            Calibration::Exact if judged.published_error.is_some() => {
                format!("{} (exact)", judged.card.id)
            }
            _ => judged.card.id.into(),
        };
        Self {
            name,
            law: Some(judged.law.clone()),
            floor: None,
            restitution_error: Some(judged.error),
        }
    }
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The name of the candidate.
    pub name: String,
    /// How it ended.
    pub status: Status,
    /// Why, if it did not come to its end.
    pub reason: Option<String>,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
    /// What was noticed in the run.
    pub warnings: Vec<Warning>,
    /// Contacts that began, of all elements.
    pub contacts: usize,
    /// One a quantity, SI; NaN where there is none, and of a run that did not come to its end.
    pub values: Vec<f64>,
    /// One a quantity: how far it is from that of a second run with a tighter tolerance, over the larger of the two; NaN where one of both has none.
    pub errors: Vec<f64>,
    /// One a quantity: how far it is from that of a third run with masses larger by a per mille, over the larger of the two; NaN where one of both has none.
    pub swings: Vec<f64>,
    /// Why that run did not come to its end, if it did not.
    pub no_error: Option<String>,
    /// The error of restitution of the candidate.
    pub restitution_error: Option<f64>,
}

/// Whether the law matters for a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matters {
    /// Not at all: less than one per cent lies between all laws.
    No,
    /// It does, and the computation is good enough to say so.
    Yes,
    /// The laws differ no more than two computations with one law do, or one law with masses that are hardly larger: the number hangs on more than the law.
    Unclear,
    /// There are not two numbers to compare.
    Unknown,
}

impl Matters {
    /// As it stands in results.
    pub fn name(self) -> &'static str {
        match self {
            Matters::No => "no",
            Matters::Yes => "yes",
            Matters::Unclear => "unclear",
            Matters::Unknown => "unknown",
        }
    }
}

/// How far the laws lie apart in one quantity.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The quantity.
    pub quantity: Quantity,
    /// The least value, SI, and the number of the candidate that has it.
    pub least: (f64, usize),
    /// The largest.
    pub largest: (f64, usize),
    /// Their difference over the larger of their magnitudes.
    pub part: f64,
    /// How far a law is from itself, computed with a tighter tolerance, as such a part: the largest of all laws that have a value; NaN where such a run failed.
    pub error: f64,
    /// How far a law is from itself with masses larger by a per mille, likewise; NaN where no law is known to.
    pub swing: f64,
    /// What follows.
    pub matters: Matters,
}

/// All laws tried on one element of a mechanism.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Whose law was exchanged: `contact.impact`, `joint.pin`, `joint.arm.limits`, `group.stack`.
    pub definition: String,
    /// The runs, in the order of the candidates.
    pub tried: Vec<Tried>,
    /// One a quantity.
    pub spreads: Vec<Spread>,
    /// Whether the listener ended it: what had run by then is told.
    pub stopped: bool,
}

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not a motion that is integrated.
    Analysis(Analysis),
    /// Its contacts are those of grains.
    Grains,
    /// It cannot be put together, or its first run failed: the reason.
    Failed(String),
    /// The listener ended it.
    Stopped,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Analysis(analysis) => write!(
                f,
                "the analysis is `{}`, in which nothing meets anything. Hint: simulation.analysis = \"dynamic\"",
                analysis.name()
            ),
            Refused::Grains => f.write_str(
                "its contacts are those of grains, which are too many to try laws on. Hint: give what is known of one pair, such as --material glass,glass --radii \"2 mm,2 mm\" --speed \"0.5 m/s\" --for many",
            ),
            Refused::Failed(reason) => write!(f, "the run failed: {reason}"),
            Refused::Stopped => f.write_str("it was stopped"),
        }
    }
}

impl std::error::Error for Refused {}

/// Whether the laws of such a model can be exchanged.
fn suits(model: &Model) -> Result<(), Refused> {
    if model.simulation.analysis != Analysis::Dynamic {
        return Err(Refused::Analysis(model.simulation.analysis));
    }
    match model.of_grains().next() {
        Some(_) => Err(Refused::Grains),
        None => Ok(()),
    }
}

/// Runs the model as it stands.
pub fn as_it_stands(model: &Model, listener: Listener<'_>) -> Result<Outcome, Refused> {
    suits(model)?;
    let work = Work::new(model, 1, listener);
    let outcome = work.run(model, &[]).map_err(Refused::Failed)?.0;
    match outcome.status {
        Status::Completed => Ok(outcome),
        Status::Stopped => Err(Refused::Stopped),
        Status::Failed => Err(Refused::Failed(outcome.reason.unwrap_or_default())),
    }
}

/// Runs the model with every one of these laws in place of that of one element, and sets the quantities side by side. A listener that ends it gets what is known by then.
pub fn choose(
    model: &Model,
    at: &str,
    candidates: &[Candidate],
    quantities: &[Quantity],
    listener: Listener<'_>,
) -> Result<Choice, Refused> {
    suits(model)?;
    let mut models: Vec<Model> = candidates
        .iter()
        .map(|candidate| with_law(model, at, candidate))
        .collect();
    // What all laws do first, and then how far it can be believed: who stops it early has the more of it.
    let tight: Vec<Model> = models
        .iter()
        .map(|model| verify::at(model, (TIGHTER * model.solver.rtol).max(1e-13)))
        .collect();
    let heavy: Vec<Model> = models.iter().map(heavier).collect();
    models.extend(tight);
    models.extend(heavy);
    let work = Work::new(model, models.len(), listener);
    // None of one that was stopped before it began.
    let mut ran = many::each(&models, |model| {
        let stopped = work.stopped.load(Ordering::Relaxed);
        (!stopped).then(|| work.run(model, quantities))
    });
    let stopped = work.stopped.load(Ordering::Relaxed);
    let heavy = ran.split_off((2 * candidates.len()).min(ran.len()));
    let again = ran.split_off(candidates.len().min(ran.len()));
    let tried: Vec<Tried> = candidates
        .iter()
        .zip(ran.into_iter().zip(again.into_iter().zip(heavy)))
        .map(|(candidate, (ran, others))| tried(candidate, ran, others, quantities.len()))
        .collect();
    let spreads = quantities
        .iter()
        .enumerate()
        .map(|(i, quantity)| spread(quantity, i, &tried))
        .collect();
    Ok(Choice {
        definition: at.into(),
        tried,
        spreads,
        stopped,
    })
}

/// A run with its values, or why there is none; `None` of one that was stopped before it began.
type Ran = Option<Result<(Outcome, Vec<f64>), String>>;

/// What became of a candidate, from its run, that with the tighter tolerance and that with larger masses.
fn tried(candidate: &Candidate, ran: Ran, (again, heavy): (Ran, Ran), quantities: usize) -> Tried {
    let none = || vec![f64::NAN; quantities];
    let (closer, no_error) = match again {
        Some(Ok((outcome, values))) if outcome.status == Status::Completed => (values, None),
        Some(Ok((outcome, _))) if outcome.status == Status::Failed => (none(), outcome.reason),
        Some(Err(reason)) => (none(), Some(reason)),
        _ => (none(), None),
    };
    let heavier = match heavy {
        Some(Ok((outcome, values))) if outcome.status == Status::Completed => values,
        _ => none(),
    };
    let mut tried = Tried {
        name: candidate.name.clone(),
        status: Status::Stopped,
        reason: None,
        evaluations: 0,
        warnings: Vec::new(),
        contacts: 0,
        values: none(),
        errors: none(),
        swings: none(),
        no_error,
        restitution_error: candidate.restitution_error,
    };
    match ran {
        Some(Ok((outcome, values))) => {
            tried.status = outcome.status;
            tried.evaluations = outcome.statistics.rhs_evaluations;
            tried.contacts = outcome.contacts.len();
            if outcome.status == Status::Completed {
                let from = |others: &[f64]| {
                    let both = values.iter().zip(others);
                    both.map(|(a, b)| part(*a, *b)).collect()
                };
                tried.errors = from(&closer);
                tried.swings = from(&heavier);
                tried.values = values;
            }
            tried.reason = outcome.reason;
            tried.warnings = outcome.warnings;
        }
        Some(Err(reason)) => {
            tried.status = Status::Failed;
            tried.reason = Some(reason);
        }
        None => {}
    }
    tried
}

/// A difference over the larger of the two magnitudes. Of a quantity that is zero both times nothing is left.
fn part(a: f64, b: f64) -> f64 {
    match (a - b).abs() {
        0.0 => 0.0,
        difference => difference / a.abs().max(b.abs()),
    }
}

/// The model with this law in place of that of one element.
fn with_law(model: &Model, at: &str, candidate: &Candidate) -> Model {
    let mut model = model.clone();
    let Some(law) = &candidate.law else {
        return model;
    };
    for entry in &mut model.contacts {
        if definition(&entry.element()) == at {
            let contact = entry.contact.clone();
            entry.contact = contact.with_law(Follows::Law(law.clone()));
            // A floor that is out of range leaves the model's own.
            if let Some(floor) = candidate.floor
                && let Ok(contact) = entry.contact.clone().with_slowest(floor)
            {
                entry.contact = contact;
            }
        }
    }
    for entry in &mut model.limits {
        if format!("joint.{}.limits", entry.name) == at {
            entry.limit = entry.limit.clone().with_law(law.clone());
            if let Some(floor) = candidate.floor
                && let Ok(limit) = entry.limit.clone().with_slowest(floor)
            {
                entry.limit = limit;
            }
        }
    }
    model
}

/// The model with masses that are a per mille larger.
fn heavier(model: &Model) -> Model {
    let mut model = model.clone();
    for entry in &mut model.bodies {
        let [mass, inertia] =
            [entry.body.mass(), entry.body.inertia()].map(|m| (1.0 + HEAVIER) * m);
        // One that is out of range stays as it is.
        if let Ok(body) = Body::new(mass, inertia) {
            entry.body = body;
        }
    }
    model
}

/// What all runs share while they go on.
struct Work<'a> {
    listener: Listener<'a>,
    done: AtomicUsize,
    of: usize,
    stopped: AtomicBool,
    /// So many steps are taken before the listener is asked: few where a step takes long.
    every: u64,
}

/// A run is looked at so often at least, however few samples are asked for.
const INSTANTS: f64 = 1000.0;
/// Steps between two questions to the listener, at most, and how often a run asks itself within them: one search for an event among many contacts takes long.
const STEPS: usize = 64;
const ASKED: u64 = 8;

impl<'a> Work<'a> {
    fn new(model: &Model, of: usize, listener: Listener<'a>) -> Self {
        Self {
            listener,
            done: AtomicUsize::new(0),
            of,
            stopped: AtomicBool::new(false),
            every: (STEPS / model.contacts.len().max(1)).max(1) as u64,
        }
    }

    fn goes_on(&self, underway: Option<Underway>) -> ControlFlow<()> {
        let step = Step {
            done: self.done.load(Ordering::Relaxed),
            of: self.of,
            underway,
        };
        if self.stopped.load(Ordering::Relaxed) || (self.listener)(step) == ControlFlow::Break(()) {
            self.stopped.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn run(&self, model: &Model, quantities: &[Quantity]) -> Result<(Outcome, Vec<f64>), String> {
        let mut model = model.clone();
        let span = model.simulation.end - model.simulation.start;
        let (channels, mut taking) = Taking::of(quantities, self);
        model.simulation.channels = channels;
        let step = model.output_step();
        let fine = (INSTANTS * step / span).ceil().clamp(1.0, INSTANTS);
        model.simulation.output_step = Some(step / fine);
        let assembled = System::assemble(&model);
        let mut system = assembled.map_err(|troubles| {
            let said: Vec<String> = troubles.into_iter().map(|t| t.message).collect();
            said.join("; ")
        })?;
        system.set_threads(1);
        let outcome = system.run(&mut taking);
        let values = taking.values(&outcome);
        self.done.fetch_add(1, Ordering::Relaxed);
        let _ = self.goes_on(None);
        Ok((outcome, values))
    }
}

impl Observer for Taking<'_, Work<'_>> {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.note(t, values);
    }

    fn watches(&self) -> bool {
        self.looks()
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.look(frame);
    }

    fn goes_on(&mut self) -> bool {
        self.asked += 1;
        match self.asked.is_multiple_of(ASKED) {
            true => self.heard.goes_on(self.underway).is_continue(),
            // Another run may have heard it.
            false => !self.heard.stopped.load(Ordering::Relaxed),
        }
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.underway = Some(Underway {
            start: progress.start,
            t: progress.t,
            end: progress.end,
            creeps: None,
        });
        match progress.steps.is_multiple_of(self.heard.every) {
            true => self.heard.goes_on(self.underway),
            false => ControlFlow::Continue(()),
        }
    }
}

fn spread(quantity: &Quantity, i: usize, tried: &[Tried]) -> Spread {
    let value = |tried: &Tried| tried.values.get(i).copied().unwrap_or(f64::NAN);
    let mut least = (f64::INFINITY, 0);
    let mut largest = (f64::NEG_INFINITY, 0);
    let mut count = 0;
    let mut error: Option<f64> = None;
    for (k, tried) in tried.iter().enumerate() {
        let value = value(tried);
        if !value.is_finite() {
            continue;
        }
        count += 1;
        let own = tried.errors.get(i).copied().unwrap_or(f64::NAN);
        error = Some(match error {
            // One that is not known leaves nothing known of all.
            Some(others) if others.is_nan() || own.is_nan() => f64::NAN,
            Some(others) => others.max(own),
            None => own,
        });
        if value < least.0 {
            least = (value, k);
        }
        if value > largest.0 {
            largest = (value, k);
        }
    }
    let apart = part(largest.0, least.0);
    let error = error.unwrap_or(f64::NAN);
    let with = tried.iter().filter(|tried| value(tried).is_finite());
    let swings = with.filter_map(|tried| tried.swings.get(i).copied());
    // Of NaN and a number this is the number.
    let swing = swings.fold(f64::NAN, f64::max);
    let matters = if count < 2 {
        Matters::Unknown
    } else if apart < LITTLE {
        Matters::No
    } else if apart > CLEAR * error && !(apart <= CLEAR * swing) {
        Matters::Yes
    } else {
        Matters::Unclear
    };
    Spread {
        quantity: quantity.clone(),
        least,
        largest,
        part: if count < 2 { f64::NAN } else { apart },
        error,
        swing,
        matters,
    }
}
