//! What happens when a mechanism is set going, who hears of it, and how did it end?

use std::ops::ControlFlow;

use crate::card::short;
use crate::model::{Analysis, ContactMethod};
use crate::solve::Statistics;

use super::beyond::Beyond;
use super::crowd::{Crowd, Grouped, Snapshot};
use super::episode::Contacted;
use super::equilibrium::Rest;
use super::frame::Frame;
use super::linearise::Mode;
use super::mechanism::System;
use super::note::Warning;
use super::reading::Ledger;

/// Who hears of a run while it goes on.
pub trait Observer {
    /// The values of [`System::channels`] at time `t` (s), in their order and in order of time.
    fn sample(&mut self, t: f64, values: &[f64]);

    /// All grains of a group at time `t` (s): at the start and every `snapshot_step`, if the model asks for that, in order of time.
    fn snapshot(&mut self, t: f64, grains: &Snapshot<'_>) {
        let _ = (t, grains);
    }

    /// Whether [`Observer::frame`] is of any use: frames cost an evaluation each. Asked once, before the run begins.
    fn watches(&self) -> bool {
        false
    }

    /// The mechanism at every sample, at every accepted step and on both sides of every event, in order of time; `moment` says why. Only if somebody [watches](Observer::watches).
    fn frame(&mut self, frame: &Frame<'_>) {
        let _ = frame;
    }

    /// All grains of a group at every sample, likewise.
    fn grains(&mut self, t: f64, grains: &Snapshot<'_>) {
        let _ = (t, grains);
    }

    /// Whether the run goes on. Asked far more often than [`Observer::progress`], also inside a step that is integrated, before anything of it stands: one that is searched for events among many contacts may take
    /// many seconds. `false` ends the run where the last step ended, cleanly.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Called after every accepted step; `Break` ends the run there, cleanly.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }
}

/// Nobody listens.
impl Observer for () {
    fn sample(&mut self, _t: f64, _values: &[f64]) {}
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time reached, s.
    pub t: f64,
    /// Where it began, s.
    pub start: f64,
    /// Where it will end, s.
    pub end: f64,
    /// The last step, s.
    pub step: f64,
    /// Steps so far.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
    /// Of a run with grains: how many there are, and how many touch.
    pub crowd: Option<Crowd>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did what was asked.
    Completed,
    /// Its observer ended it.
    Stopped,
    /// It could not go on.
    Failed,
}

impl Status {
    /// As it stands in results.
    pub fn name(self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Stopped => "stopped",
            Status::Failed => "failed",
        }
    }
}

/// What a part of a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase {
    /// What went on: `flight`, where nothing touched, `contact`, or `steps` where it is all one.
    pub name: &'static str,
    /// Steps accepted.
    pub steps: u64,
    /// Evaluations of the right-hand side.
    pub evaluations: u64,
}

/// What became of a joint whose friction can hold it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldJoint {
    /// `joint.pin.friction`.
    pub joint: String,
    /// The law's id.
    pub law: &'static str,
    /// For how long it held, s.
    pub stick_time: f64,
    /// How far its surfaces moved on each other at most while it held, m.
    pub drift: f64,
}

/// What is left of a run besides its samples.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Why, if it was not completed.
    pub reason: Option<String>,
    /// The time reached, s.
    pub t: f64,
    /// What it cost.
    pub statistics: Statistics,
    /// Where the work went.
    pub work: Vec<Phase>,
    /// The energies at the end.
    pub ledger: Ledger,
    /// What was noticed, at assembly and on the way.
    pub warnings: Vec<Warning>,
    /// All contacts, of stops too, in order of their touches; those that are not over at the end among them.
    pub contacts: Vec<Contacted>,
    /// The groups of grains, in the order of the model.
    pub groups: Vec<Grouped>,
    /// Joints whose friction can hold them: for how long it did, and how far they moved meanwhile.
    pub held: Vec<HeldJoint>,
    /// Positions at the end, three numbers a body (m, m, rad).
    pub positions: Vec<f64>,
    /// Velocities at the end (m/s, m/s, rad/s).
    pub velocities: Vec<f64>,
    /// Of the analysis `modes`: how it vibrates, slowest first.
    pub modes: Vec<Mode>,
    /// Of the analysis `static`: how it rests.
    pub rest: Option<Rest>,
}

/// Why steps of this length (s) cannot be taken from `start` to `end` (s), so many of them where `most` are allowed.
pub(super) fn no_steps(
    asked: f64,
    [start, end]: [f64; 2],
    count: u64,
    most: u64,
) -> Option<String> {
    if !(end >= start && asked > 0.0) {
        return Some(format!(
            "the step is {asked} s and time runs from {start} s to {end} s; allowed: a step above 0 and an end not before the start"
        ));
    }
    (count > most).then(|| {
        format!(
            "{:.4e} steps of {} s are needed, and `max_steps` allows {most}; a longer step, or a larger max_steps",
            (end - start) / asked,
            short(asked)
        )
    })
}

impl System {
    /// Does what the model's simulation asks for. A run that fails hands over what it has, with the time and the reason.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Outcome {
        self.beyond = Beyond::none(self.equations.loads.len());
        let mut outcome = self.analyse(observer);
        outcome
            .warnings
            .extend(self.beyond.warnings(&self.model.loads));
        outcome
    }

    fn analyse(&mut self, observer: &mut dyn Observer) -> Outcome {
        match self.model.simulation.analysis {
            Analysis::Dynamic if self.model.method.contact == ContactMethod::TimeStepping => {
                self.step_through(observer)
            }
            Analysis::Dynamic if self.model.of_grains().next().is_some() => self.pour(observer),
            Analysis::Dynamic => self.integrate(observer),
            Analysis::Kinematic => self.follow(observer, false),
            Analysis::InverseDynamics => self.follow(observer, true),
            Analysis::Static => self.rest(observer),
            Analysis::Modes => self.vibrate(observer),
        }
    }
}
