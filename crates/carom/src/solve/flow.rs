//! What does the integrator know of the world it integrates?
//!
//! A [`Flow`] is a system of ordinary differential equations with guards: functions whose change of sign is an event. The integrator calls it in one fixed order:
//! `phase` at the start and after every event that cut the step; `rhs` and `guards` at trial points, which must leave no trace; `passed` with every stretch of an accepted step, before the event or
//! the `accept` at its end; `accept` at the end of every accepted step and after an event's action that cut one; `event` at every event. Memory moves in `accept` and `event` only.

use std::borrow::Cow;

/// A system of ordinary differential equations dy/dt = f(t, y) with guards.
pub trait Flow {
    /// Writes f(t, y). Called at trial points too: it must not remember anything.
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]);

    /// How many guards there are. Fixed for one run.
    fn guard_count(&self) -> usize {
        0
    }

    /// Writes the value of every guard. Only signs decide; a watched change of sign is an event. A guard that touches zero and turns back has not changed its sign, nor has one that is
    /// exactly zero at the end of the span. A guard that starts at zero can fire only after it has left it. A guard that is off may hold any number.
    fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
        let _ = (t, y, g);
    }

    /// What happens at an event. `y` may be changed if the answer is [`Action::Restart`] or [`Action::Stop`]. A guard that the action itself carries across zero does not fire.
    fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        let _ = (t, y, fired);
        Action::Continue
    }

    /// Called at the end of every accepted step, and after the action of every event that cut one, in order of time; not at the start. Says whether it changed `y` (a projection onto
    /// constraints, say) or anything else that `rhs` or `guards` read.
    fn accept(&mut self, t: f64, y: &mut [f64]) -> Accepted {
        let _ = (t, y);
        Accepted::Unchanged
    }

    /// The stretch from where it was last called (or from the start, or from the last event that cut) to (`t`, `y`) has been passed, with the memory as it still is: notes can be taken.
    /// Called first without `inside` where that would cost; the answer `true` asks for a second call with it, which writes the state at any time of the stretch.
    fn passed(&mut self, t: f64, y: &[f64], inside: Option<Inside<'_>>) -> bool {
        let _ = (t, y, inside);
        false
    }

    /// What holds from here to the next cut: which guards watch, how closely each component is followed, the integration variable. Called at the start and after every
    /// event answered with [`Action::Resume`] or [`Action::Restart`]; the phase comes in as the last one left it (at the start: as the settings say, every guard watching both ways).
    fn phase(&mut self, t: f64, y: &[f64], phase: &mut Phase) {
        let _ = (t, y, phase);
    }

    /// How far the next step from (`t`, `y`) may go at most, in the unit of time: over a longer one a guard could come back before anybody looks. Infinite if nothing is known.
    fn longest_step(&self, t: f64, y: &[f64]) -> f64 {
        let _ = (t, y);
        f64::INFINITY
    }

    /// Whether the run goes on. Asked before every attempt of a step and inside a long search for events, before anything of the step stands: `false` ends the run where the last step ended. Once `false`, always `false`.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// A step to (`t`, `y`) is good and is going to be searched for events: guards that follow something may look there for what to follow, so that what came into being within the step is found in it. The step
    /// may still be cut, so that nothing else may change.
    fn ahead(&mut self, t: f64, y: &[f64]) {
        let _ = (t, y);
    }

    /// Whether component `row` of the right-hand side may depend on component `column` of the state. Implicit methods colour their Jacobian by it; `true` everywhere is always right.
    fn depends(&self, row: usize, column: usize) -> bool {
        let _ = (row, column);
        true
    }

    /// The name of a component, for messages.
    fn component_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Owned(format!("y[{i}]"))
    }

    /// The kind of a component ("position", "velocity", …): tolerances are given per kind.
    fn component_kind(&self, i: usize) -> &'static str {
        let _ = i;
        "state"
    }

    /// Whether a guard may well cut some steps one after the other within rounding, as one does that stands for several things which vanish together. Any other that does is taken to keep time from going on.
    fn repeats(&self, _guard: usize) -> bool {
        false
    }

    /// The name of a guard, for messages.
    fn guard_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Owned(format!("guard {i}"))
    }
}

/// Writes the state at a time inside a stretch that was passed.
pub type Inside<'a> = &'a dyn Fn(f64, &mut [f64]);

/// Whether [`Flow::accept`] changed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The state, and all that the right-hand side and the guards read, is as it was.
    Unchanged,
    /// The state was moved by an amount of the order of the tolerance, or memory that the right-hand side or the guards read was: step size and history are kept, slope and guards
    /// are evaluated anew.
    Moved,
    /// Nothing was moved, and the run ends here: someone asked for that, or it makes no sense to go on.
    Stop,
}

/// What the integrator does after an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Nothing about the flow changed (a note was taken, say): the step under way goes on. The state must not be changed.
    Continue,
    /// The right-hand side changed gently (a kink), the state not at all: cut the step here, keep step size, order and history.
    Resume,
    /// The state or the right-hand side jumped: cut here and start afresh.
    Restart {
        /// The first step to try, in the unit of time; `None`: estimated from the slope.
        first_step: Option<f64>,
    },
    /// End the run here.
    Stop,
}

/// Which way through zero a guard is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Not at all.
    Off,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both ways.
    Any,
}

/// What holds between two cuts of the integration.
#[derive(Clone, Debug)]
pub struct Phase {
    /// How each guard is watched.
    pub watch: Vec<Watch>,
    /// Relative tolerance of each component.
    pub rtol: Vec<f64>,
    /// Absolute tolerance of each component, in the component's unit.
    pub atol: Vec<f64>,
    /// Largest step, in the unit of time.
    pub max_step: f64,
    /// The integration variable.
    pub clock: Clock,
}

/// The integration variable s of a phase that began at time t0: t = t0 + s^q.
///
/// A force that starts like δ^(3/2) has a solution that is smooth in √(t − t0) but not in t: with q = 2 a high-order method keeps its order at the start of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Time itself.
    Time,
    /// s = (t − t0)^(1/2).
    SquareRoot,
    /// s = (t − t0)^(1/4).
    FourthRoot,
}

/// The guards that fired together: all whose zeros coincide to the resolution of time.
#[derive(Clone, Copy, Debug)]
pub struct Fired<'a> {
    pub(crate) guards: &'a [(usize, bool)],
}

impl Fired<'_> {
    /// Whether guard `i` is among them.
    pub fn contains(&self, i: usize) -> bool {
        self.guards.iter().any(|&(guard, _)| guard == i)
    }

    /// The guards in rising order, each with `true` if it rose through zero and `false` if it fell.
    pub fn iter(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.guards.iter().copied()
    }

    /// How many there are; never zero.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.guards.len()
    }
}
