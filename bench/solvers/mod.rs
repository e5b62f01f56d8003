//! How is a problem with events run by Carom and by its peers?
//!
//! The peers run phase by phase: they integrate with their own location of events until one fires, the problem makes its jump, and they start again from there with the first step the problem
//! suggests: the same physics, tolerances and restarts that Carom gets.

// Each target that includes this file uses its own part of it.
#![allow(dead_code)]

pub mod contenders;

use std::cell::{Cell, RefCell};

use carom::solve::{Action, Flow, Integrator, Settings, Solver, Status, Watch};
use carom_bench::Hybrid;

/// What came of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// The time reached.
    pub t: f64,
    /// Evaluations of the slope.
    pub evaluations: u64,
    /// Accepted steps.
    pub steps: u64,
}

/// Where a run begins and ends, and how closely it is followed.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The end.
    pub end: f64,
    /// Relative tolerance.
    pub rtol: f64,
    /// Absolute tolerance of phases that have none of their own.
    pub atol: f64,
}

/// A solver of Carom's for the problem.
pub fn carom_solver<H: Hybrid>(
    problem: &H,
    integrator: Integrator,
    span: Span,
) -> Result<Solver, String> {
    let settings = Settings {
        integrator,
        rtol: span.rtol,
        atol: span.atol,
        first_step: problem.first_step(),
        ..Settings::default()
    };
    Solver::new(settings).map_err(|error| format!("{error:?}"))
}

/// Runs the problem with Carom.
pub fn run_carom<H: Hybrid + Flow>(
    solver: &mut Solver,
    problem: &mut H,
    span: Span,
    y: &mut [f64],
) -> Result<Outcome, String> {
    let ended = solver.run(problem, 0.0, span.end, y);
    match ended.status {
        Status::Completed | Status::Stopped => Ok(Outcome {
            t: ended.t,
            evaluations: ended.statistics.rhs_evaluations,
            steps: ended.statistics.steps_accepted,
        }),
        Status::Failed(failure) => Err(format!("{failure:?}")),
    }
}

fn absolute<H: Hybrid>(problem: &H, span: Span) -> Vec<f64> {
    (0..problem.size())
        .map(|i| problem.absolute(span.rtol, i).unwrap_or(span.atol))
        .collect()
}

/// Writes the guards; those that are off hold still at one.
fn watched_guards<H: Hybrid>(problem: &H, t: f64, y: &[f64], g: &mut [f64]) {
    problem.guard_values(t, y, g);
    for (i, value) in g.iter_mut().enumerate() {
        if problem.watched(i) == Watch::Off {
            *value = 1.0;
        }
    }
}

struct System<'a, H>(&'a H);

impl<H: Hybrid> ivp::prelude::FirstOrderSystem for System<'_, H> {
    fn derivative(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.0.slope(t, y, dydt);
    }
    fn events(&self, t: f64, y: &[f64], out: &mut [f64]) {
        watched_guards(self.0, t, y, out);
    }
    fn n_events(&self) -> usize {
        self.0.guard_total()
    }
    fn event_config(&self, i: usize) -> ivp::prelude::EventConfig {
        let mut config = ivp::prelude::EventConfig::new();
        config.terminal();
        match self.0.watched(i) {
            Watch::Rising => config.positive(),
            Watch::Falling => config.negative(),
            Watch::Off | Watch::Any => config.all(),
        }
        config
    }
}

/// Runs the problem with `ivp`. Its events are located by Brent's method on the dense output, to 2e-12 in time.
pub fn run_ivp<H: Hybrid>(
    problem: &mut H,
    method: ivp::prelude::Method,
    span: Span,
    y: &mut [f64],
) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let mut first_step = problem.first_step();
    let last = [span.end];
    loop {
        let system = System(&*problem);
        let mut builder = ivp::prelude::Ivp::first_order(&system, outcome.t, span.end, y)
            .method(method)
            .rtol(span.rtol)
            .atol(absolute(problem, span))
            // One output at the end: nothing is stored on the way.
            .t_eval(last.to_vec());
        if let Some(h) = first_step {
            builder = builder.first_step(h.min(span.end - outcome.t));
        }
        let solution = builder.solve().map_err(|error| format!("{error:?}"))?;
        outcome.evaluations += solution.nfev as u64;
        outcome.steps += solution.naccpt as u64;
        let fired = (0..solution.t_events.len()).find(|&i| !solution.t_events[i].is_empty());
        let Some(guard) = fired else {
            let end = solution
                .y
                .last()
                .ok_or_else(|| format!("no end: {:?} at {}", solution.status, outcome.t))?;
            y.copy_from_slice(end);
            outcome.t = span.end;
            return Ok(outcome);
        };
        outcome.t = solution.t_events[guard][0];
        y.copy_from_slice(&solution.y_events[guard][0]);
        match problem.jump(outcome.t, y, guard) {
            Action::Stop => return Ok(outcome),
            Action::Restart { first_step: h } => first_step = h,
            Action::Continue | Action::Resume => first_step = None,
        }
    }
}

/// Runs the problem with `diffsol`: Tsitouras 5(4), its only explicit method and its best here. Its events are located by the Illinois method on the dense output, to 100 units in the last place of time.
pub fn run_diffsol<H: Hybrid>(
    problem: &mut H,
    span: Span,
    y: &mut [f64],
) -> Result<Outcome, String> {
    use diffsol::{OdeBuilder, OdeSolverMethod, OdeSolverState, OdeSolverStopReason, Vector};
    type M = diffsol::NalgebraMat<f64>;
    let fail = |error: diffsol::error::DiffsolError| format!("{error}");

    let mut outcome = Outcome::default();
    let evaluations = Cell::new(0);
    // The time of the last jump: its guard is exactly zero there, which `diffsol` takes as "no side yet"; the rounding of the located root would be a change of sign.
    let jumped = Cell::new((f64::NAN, 0));
    let (size, guards) = (problem.size(), problem.guard_total());
    let atol = absolute(problem, span);
    let first_step = problem.first_step();
    let shared = RefCell::new(problem);
    let start = y.to_vec();

    let mut builder = OdeBuilder::<M>::new().rtol(span.rtol).atol(atol);
    if let Some(h) = first_step {
        builder = builder.h0(h);
    }
    let mut equations = builder
        .rhs(|y: &[f64], _p: &[f64], t: f64, dydt: &mut [f64]| {
            evaluations.set(evaluations.get() + 1);
            shared.borrow().slope(t, y, dydt);
        })
        .init(
            |_p: &[f64], _t: f64, y: &mut [f64]| y.copy_from_slice(&start),
            size,
        )
        .root(
            |y: &[f64], _p: &[f64], t: f64, g: &mut [f64]| {
                watched_guards(&**shared.borrow(), t, y, g);
                let (at, guard) = jumped.get();
                if t == at {
                    g[guard] = 0.0;
                }
            },
            guards,
        )
        .build()
        .map_err(fail)?;
    let mut state = equations
        .rk_state(&diffsol::Tableau::tsit45())
        .map_err(fail)?;
    if let Some(h) = first_step {
        *state.as_mut().h = h;
    }
    loop {
        let mut solver = equations.tsit45_solver(state).map_err(fail)?;
        solver.set_stop_time(span.end).map_err(fail)?;
        let fired = loop {
            match solver.step().map_err(fail)? {
                OdeSolverStopReason::InternalTimestep => outcome.steps += 1,
                OdeSolverStopReason::TstopReached => break None,
                OdeSolverStopReason::RootFound(t, guard) => break Some((t, guard)),
            }
        };
        outcome.steps += 1;
        outcome.evaluations = evaluations.get();
        let Some((t, guard)) = fired else {
            outcome.t = span.end;
            y.copy_from_slice(solver.state().y.batch_as_slice(0));
            return Ok(outcome);
        };
        solver.state_mut_back(t).map_err(fail)?;
        state = solver.into_state();
        outcome.t = t;
        y.copy_from_slice(state.as_ref().y.batch_as_slice(0));
        let action = shared.borrow_mut().jump(t, y, guard);
        let first_step = match action {
            Action::Stop => return Ok(outcome),
            Action::Restart { first_step } => first_step,
            Action::Continue | Action::Resume => None,
        };
        jumped.set((t, guard));
        for (i, atol) in absolute(&**shared.borrow(), span).into_iter().enumerate() {
            equations.atol.set_index(i, atol);
        }
        let view = state.as_mut();
        view.y.batch_as_mut_slice(0).copy_from_slice(y);
        evaluations.set(evaluations.get() + 1);
        shared.borrow().slope(t, y, view.dy.batch_as_mut_slice(0));
        if let Some(h) = first_step {
            *view.h = h;
        }
    }
}
