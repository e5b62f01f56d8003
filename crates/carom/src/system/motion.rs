//! How is the motion integrated: states, projection after every step, samples in between?

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::model::Control;
use crate::solve::{Accepted, Flow, Integrator, Output, Phase, Solver, Status as Ended};

use super::mechanism::System;
use super::note::Warning;
use super::reading::Energies;
use super::run::{Observer, Outcome, Progress, Status};

/// Works follow the motion and are not followed themselves: their error never asks for a shorter step.
const FREE: f64 = 1e300;

/// What the integrator and the samples share; they take turns.
struct Shared<'a> {
    system: &'a mut System,
    observer: &'a mut dyn Observer,
    first: Energies,
    values: Vec<f64>,
    /// The state of a sample, put onto the constraints.
    sample: Vec<f64>,
    /// Works by the trapezoidal rule, for a method whose state has no room for them.
    summed: Option<Summed>,
}

/// Works summed up step by step: of second order, as velocity Verlet is.
struct Summed {
    /// J.
    works: Vec<f64>,
    /// W, at the last accepted step.
    powers: Vec<f64>,
    /// W, at this one.
    now: Vec<f64>,
}

impl Summed {
    fn step(&mut self, system: &System, t: f64, dt: f64) {
        system.works.powers(t, &system.equations, &mut self.now);
        for ((work, power), now) in self.works.iter_mut().zip(&mut self.powers).zip(&self.now) {
            *work += 0.5 * dt * (*power + now);
            *power = *now;
        }
    }
}

/// The mechanism as the integrator sees it.
struct Motion<'a, 'b> {
    shared: &'b RefCell<Shared<'a>>,
    n: usize,
    projects: bool,
    progress: Progress,
    /// The largest energy seen, J: what a residual is compared with.
    scale: f64,
    reason: Option<String>,
    stopped: bool,
}

impl Flow for Motion<'_, '_> {
    #[inline]
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.shared.borrow_mut().system.right_hand_side(t, y, dydt);
    }

    fn accept(&mut self, t: f64, y: &mut [f64]) -> Accepted {
        let mut shared = self.shared.borrow_mut();
        let Shared {
            system,
            observer,
            summed,
            ..
        } = &mut *shared;
        let (q, rest) = y.split_at_mut(self.n);
        let (v, _) = rest.split_at_mut(self.n);
        let mut accepted = Accepted::Unchanged;
        if self.projects {
            match system.equations.project(t, q, v) {
                Ok(left) if left <= 1e-6 * super::assembly::size(q) => accepted = Accepted::Moved,
                Ok(left) => {
                    let worst = worst_row(&system.equations.values);
                    let tie = system.equations.saddle.structure().tie_of(worst);
                    let name = tie.and_then(|tie| system.names.get(tie));
                    self.reason = Some(format!(
                        "{} cannot be kept closed: it is open by {left:.3e} at t = {t} s. The mechanism may be locked, or a driver asks for a position that it cannot reach",
                        name.map_or("a joint", String::as_str)
                    ));
                    return Accepted::Stop;
                }
                Err(fault) => {
                    self.reason = Some(format!("at t = {t} s: {fault}"));
                    return Accepted::Stop;
                }
            }
        }
        self.scale = self.scale.max(system.equations.kinetic(v));
        self.progress.step = t - self.progress.t;
        if let Some(summed) = summed {
            // A state that cannot be evaluated is told by the integrator.
            let _ = system.equations.evaluate(t, q, v);
            summed.step(system, t, self.progress.step);
        }
        self.progress.t = t;
        self.progress.steps += 1;
        let progress = self.progress;
        if observer.progress(&progress) == ControlFlow::Break(()) {
            self.stopped = true;
            return Accepted::Stop;
        }
        accepted
    }

    fn phase(&mut self, _t: f64, y: &[f64], phase: &mut Phase) {
        for i in 2 * self.n..y.len() {
            phase.atol[i] = FREE;
        }
    }

    fn depends(&self, row: usize, column: usize) -> bool {
        // Nothing follows from works; a position changes with its own velocity alone.
        column < 2 * self.n && (row >= self.n || column == row + self.n)
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        let shared = self.shared.borrow();
        let system = &*shared.system;
        if i >= 2 * self.n {
            return system.works.name(&system.model, i - 2 * self.n).into();
        }
        let names = ["x", "y", "angle", "vx", "vy", "omega"];
        let (half, i) = (i / self.n, i % self.n);
        let body = system.model.bodies.get(i / 3).map_or("?", |b| &b.name);
        format!("{body}.{}", names[3 * half + i % 3]).into()
    }

    fn component_kind(&self, i: usize) -> &'static str {
        match (i / self.n, i % 3) {
            (0, 2) => "angle",
            (0, _) => "position",
            (1, 2) => "angular velocity",
            (1, _) => "velocity",
            _ => "energy",
        }
    }
}

fn worst_row(values: &[f64]) -> usize {
    let larger = |i: &usize, j: &usize| values[*i].abs().total_cmp(&values[*j].abs());
    (0..values.len()).max_by(larger).unwrap_or(0)
}

impl Shared<'_> {
    /// Hands a sample to the observer. Between steps the joints are open by the error of the interpolation: they are closed first.
    fn emit(&mut self, t: f64, y: &[f64], projects: bool) {
        let (motion, works) = self.sample.split_at_mut(y.len());
        motion.copy_from_slice(y);
        if let Some(summed) = &self.summed {
            works.copy_from_slice(&summed.works);
        }
        let n = self.system.q.len();
        let (q, rest) = self.sample.split_at_mut(n);
        let (v, _) = rest.split_at_mut(n);
        if projects {
            // What cannot be projected is shown as it is: the next step will say so.
            let _ = self.system.equations.project(t, q, v);
        }
        if self.system.asks_for_forces() {
            let _ = self.system.equations.evaluate(t, q, v);
        } else {
            self.system.equations.rows(t, q, v);
        }
        self.system
            .read(t, &self.sample, self.first, &mut self.values);
        self.observer.sample(t, &self.values);
    }
}

impl System {
    /// The motion from the start to the end of the simulation.
    pub(super) fn integrate(&mut self, observer: &mut dyn Observer) -> Outcome {
        let (start, end) = (self.start, self.model.simulation.end);
        let settings = self.model.solver.clone();
        let projects =
            self.model.control == Control::Projection && !self.equations.values.is_empty();
        let step = self.model.output_step();
        let n = self.q.len();
        let sample = self.state();
        let mut y = sample.clone();
        let summed = matches!(settings.integrator, Integrator::Verlet { .. }).then(|| {
            let works = y.split_off(2 * n);
            Summed {
                powers: works.clone(),
                now: works.clone(),
                works,
            }
        });
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.rows(start, &q, &v);
        let first = self.energies(start, &q, &v);
        let mut warnings = self.warnings.clone();
        let singular_before = self.equations.saddle.statistics().singular;
        let values = vec![0.0; self.channels.len()];
        let mut solver = match Solver::new(settings.clone()) {
            Ok(solver) => solver,
            Err(faults) => {
                let reasons: Vec<String> = faults.iter().map(ToString::to_string).collect();
                return self.outcome(
                    Status::Failed,
                    Some(reasons.join("; ")),
                    start,
                    &sample,
                    first,
                    Default::default(),
                    warnings,
                );
            }
        };
        let mut shared = Shared {
            system: self,
            observer,
            first,
            values,
            sample,
            summed,
        };
        if let Some(summed) = &mut shared.summed {
            let _ = shared.system.equations.evaluate(start, &q, &v);
            summed.step(shared.system, start, 0.0);
        }
        let shared = RefCell::new(shared);
        let mut motion = Motion {
            shared: &shared,
            n,
            projects,
            progress: Progress {
                t: start,
                start,
                end,
                step: 0.0,
                steps: 0,
                events: 0,
            },
            scale: first[0],
            reason: None,
            stopped: false,
        };
        let ended = solver.run_with(
            &mut motion,
            start,
            end,
            &mut y,
            Output::Every(step),
            |t, y| {
                shared.borrow_mut().emit(t, y, projects);
            },
        );
        let Motion {
            reason,
            stopped,
            scale,
            ..
        } = motion;
        let Shared { system, summed, .. } = shared.into_inner();
        y.extend(summed.into_iter().flat_map(|summed| summed.works));
        let (status, reason) = match ended.status {
            Ended::Completed => (Status::Completed, None),
            Ended::Stopped if stopped => (
                Status::Stopped,
                Some(format!("ended by the user at t = {} s", ended.t)),
            ),
            Ended::Stopped => (Status::Failed, reason.or(Some("an event ended it".into()))),
            Ended::Failed(failure) => (Status::Failed, Some(failure.to_string())),
        };
        let singular = system.equations.saddle.statistics().singular - singular_before;
        if singular > 0 {
            warnings.push(Warning {
                code: "singular-position",
                element: None,
                time: None,
                message: format!("the mechanism came so near to a singular position that {singular} evaluations could not tell all constraints apart; reactions there are of least norm"),
                hint: "which way it goes on from a singular position is decided by its momentum; compare with a run at a smaller rtol".into(),
            });
        }
        let mut outcome = system.outcome(
            status,
            reason,
            ended.t,
            &y,
            first,
            ended.statistics,
            warnings,
        );
        let ledger = &outcome.ledger;
        let throughput = scale
            + ledger.driver_work.abs()
            + ledger.load_work.abs()
            + ledger.dissipated.iter().map(|d| d.1.abs()).sum::<f64>();
        let limit = (1e3 * settings.rtol).max(1e-5) * throughput;
        if !(ledger.residual.abs() <= limit) && throughput > 0.0 {
            outcome.warnings.push(Warning {
                code: "energy-residual",
                element: None,
                time: Some(outcome.t),
                message: format!("the energy does not balance: {:.3e} J are missing or too many, of {throughput:.3e} J that were turned over", ledger.residual),
                hint: "a smaller rtol; with constraint control `none` or `baumgarte` also the joints that drift apart".into(),
            });
        }
        outcome
    }

    pub(super) fn outcome(
        &mut self,
        status: Status,
        reason: Option<String>,
        t: f64,
        y: &[f64],
        first: Energies,
        statistics: crate::solve::Statistics,
        warnings: Vec<Warning>,
    ) -> Outcome {
        let n = self.q.len();
        Outcome {
            status,
            reason,
            t,
            statistics,
            ledger: self.ledger(t, y, first),
            warnings,
            positions: y[..n].to_vec(),
            velocities: y[n..2 * n].to_vec(),
            modes: Vec::new(),
            rest: None,
        }
    }
}
