//! How does a mechanism move whose every freedom is driven, and which forces does that take?
//!
//! Positions from Φ(q, t) = 0 by Newton's method, predicted by q + v h + a h²/2 and the last step's change of a; velocities from Φ_q v = −Φ_t and accelerations from Φ_q a = γ (Nikravesh 1988). Nothing is integrated, so nothing
//! drifts. Inverse dynamics solves for the multipliers as well, and sums up the works of drivers and loads by Gauss's rule of three points over every output step, which is halved until
//! both halves say the same as the whole.

use crate::card::rounded;
use crate::math;
use crate::model::{Account, Analysis, Channel};
use crate::solve::Statistics;

use super::assembly::cannot_close;
use super::closing;
use super::dense::Dense;
use super::equations::Equations;
use super::frame::{Look, When};
use super::mechanism::System;
use super::note::{Trouble, Warning};
use super::reading::Ledger;
use super::run::{Observer, Outcome, Progress, Status};
use super::saddle::Rank;
use super::tangent::{basis, close, extent, missed};

/// A corrected position farther from the predicted one than this (of the mechanism's size, or rad) may be another way to assemble the mechanism: the step is halved.
const FAR: f64 = 0.05;
/// Less of a row than this outside the span of the others counts as nothing: a position is known to the root of rounding there, and no better.
const NEAR: f64 = 1e-5;
/// The smallest part of an output step that is tried.
const LEAST: f64 = 1e-9;

/// How closely works are found, as a part of what was turned over so far.
const WORKS: f64 = 1e-9;
/// How often an output step is halved for them.
const HALVINGS: u32 = 12;

/// A motion under way.
#[derive(Clone, Debug)]
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    /// How fast the accelerations change, from the last step: good enough to predict with.
    jerk: Vec<f64>,
    /// Whether this position is singular.
    singular: bool,
}

/// Works on the way, J.
struct Sums {
    works: Vec<f64>,
    /// What was turned over: powers by their magnitude, and the largest kinetic energy.
    turned: f64,
}

/// Where and why the motion ends.
enum Stuck {
    /// No position was found on the way to this time.
    Position { wanted: f64 },
    /// The forces could not be found here; the joint whose friction is to blame, if it is.
    Forces { joint: Option<usize> },
}

impl System {
    /// What is missing for a motion that drivers alone prescribe.
    pub(super) fn check_driven(&mut self) -> Result<(), Trouble> {
        let degrees = self.degrees_of_freedom();
        let analysis = self.model.simulation.analysis;
        if degrees == 0 || !matches!(analysis, Analysis::Kinematic | Analysis::InverseDynamics) {
            return Ok(());
        }
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.rows(self.start, &q, &v);
        let free = basis(&self.equations);
        let who = self.who_moves(&q, &free);
        let (are, drivers) = if degrees == 1 {
            ("1 degree of freedom is", "one more driver")
        } else {
            ("degrees of freedom are", "more drivers")
        };
        let are = if degrees == 1 {
            are.into()
        } else {
            format!("{degrees} {are}")
        };
        Err(Trouble {
            code: "not-driven",
            element: Some("simulation.analysis".into()),
            message: format!(
                "{} analysis needs a driver for every degree of freedom, but {are} free: {who} can still move",
                analysis.name()
            ),
            hint: format!(
                "add {drivers}, or ask for analysis = \"dynamic\", which finds the motion from the forces"
            ),
        })
    }

    /// The motion that the drivers prescribe, with the forces it takes if `forces`.
    pub(super) fn follow(&mut self, observer: &mut dyn Observer, forces: bool) -> Outcome {
        let control = self.uncontrolled();
        let outcome = self.follow_uncontrolled(observer, forces);
        self.equations.control = control;
        outcome
    }

    fn follow_uncontrolled(&mut self, observer: &mut dyn Observer, forces: bool) -> Outcome {
        let (start, end) = (self.start, self.model.simulation.end);
        let n = self.q.len();
        let mut y = self.state();
        let mut state = State {
            t: start,
            q: self.q.clone(),
            v: self.v.clone(),
            a: vec![0.0; n],
            jerk: vec![0.0; n],
            singular: false,
        };
        let _ = self.settle(&mut state);
        let first = self.energies(start, &state.q, &state.v);
        let step = self.model.output_step();
        let mut warnings = self.warnings.clone();
        let mut statistics = Statistics::default();
        let mut values = vec![0.0; self.channels.len()];
        let mut sums = Sums {
            works: vec![0.0; y.len() - 2 * n],
            turned: first[0],
        };
        let mut scale = first[0];
        warnings.extend(if forces {
            self.unbent()
        } else {
            self.asked_for_forces()
        });
        let mut look = observer.watches().then(|| Look::new(self));
        let mut singular: Option<(f64, usize)> = None;
        let (mut status, mut reason) = (Status::Completed, None);
        if !(step > 0.0 && end >= start) {
            status = Status::Failed;
            reason = Some(format!(
                "the output step is {step} s and time runs from {start} s to {end} s; allowed: an output step above 0 and an end not before the start"
            ));
        }
        let rounding = 4.0 * f64::EPSILON * start.abs().max(end.abs());
        let mut count = 0_u64;
        while status == Status::Completed {
            // The same times as those of an integration.
            let due = start + count as f64 * step;
            // The end is a sample too, whether or not it is a multiple.
            let due = if due > end - rounding { end } else { due };
            if count > 0 && state.t >= end {
                break;
            }
            let begin = state.t;
            let reached = if forces && count > 0 {
                self.advance_with_works(&mut state, due, &mut sums, &mut statistics)
            } else {
                self.advance(&mut state, due, &mut statistics)
            };
            if let Err(stuck) = reached {
                status = Status::Failed;
                reason = Some(self.why_stuck(&state, &stuck));
                break;
            }
            if state.singular {
                let so_far = singular.map_or((state.t, 0), |s| s);
                singular = Some((so_far.0, so_far.1 + 1));
            }
            if let Err(stuck) = self.put(&state, forces) {
                status = Status::Failed;
                reason = Some(self.why_stuck(&state, &stuck));
                break;
            }
            if state.singular {
                self.equations.lambda.fill(f64::NAN);
            }
            if !warnings.iter().any(|w| w.code == "passed-stop") {
                warnings.extend(self.passed_stop(state.t));
            }
            y[..n].copy_from_slice(&state.q);
            y[n..2 * n].copy_from_slice(&state.v);
            y[2 * n..].copy_from_slice(&sums.works);
            scale = scale.max(self.equations.kinetic(&state.v));
            self.read(state.t, &y, first, &mut values);
            if !forces {
                let all = self.channels.iter().zip(&mut values);
                let balances = all.filter(|(channel, _)| is_of_works(channel));
                balances.for_each(|(_, value)| *value = f64::NAN);
            }
            observer.sample(state.t, &values);
            if let Some(look) = &mut look {
                let times = [state.t, state.t - begin];
                let frame = look.frame(self, times, When::Sample, &y, first, &values);
                observer.frame(&frame);
            }
            let progress = Progress {
                t: state.t,
                start,
                end,
                step: state.t - begin,
                steps: statistics.steps_accepted,
                events: 0,
                crowd: None,
            };
            if observer.progress(&progress).is_break() {
                status = Status::Stopped;
                reason = Some(format!("ended by the user at t = {} s", rounded(state.t)));
            }
            count += 1;
        }
        if let Some((time, times)) = singular {
            warnings.push(Warning {
                code: "singular-position",
                element: None,
                time: Some(time),
                message: format!(
                    "at {times} output times the mechanism stands in a singular position, where the drivers alone do not determine how it goes on: it is continued as it came, and its reactions there, which are not unique, are left out"
                ),
                hint: "a second driver or gear that leads it over the dead point; or another output step, if only these instants matter".into(),
            });
        }
        y[..n].copy_from_slice(&state.q);
        y[n..2 * n].copy_from_slice(&state.v);
        let mut outcome = self.outcome(status, reason, state.t, &y, first, statistics, warnings);
        if !forces {
            // Without forces there are no works, and nothing to balance.
            let [kinetic, gravitational, elastic] = self.energies(state.t, &state.q, &state.v);
            outcome.ledger = Ledger {
                kinetic,
                gravitational,
                elastic,
                ..Ledger::default()
            };
        } else {
            let hint = "a smaller output step: works are summed up over it";
            let warning = outcome.ledger.imbalance(state.t, scale, 1e-5, hint);
            outcome.warnings.extend(warning);
        }
        outcome
    }

    /// A warning if friction has bristles or a spring, of which this analysis does not know how far they are bent.
    pub(super) fn unbent(&self) -> Option<Warning> {
        let element = self.equations.rubbing.with_own()?;
        Some(Warning {
            code: "bristles-unbent",
            element: Some(element.into()),
            time: None,
            message: "its friction has bristles or a spring, and how far they are bent follows from a motion that this analysis does not integrate: they are taken as not bent, and give no force".into(),
            hint: "analysis = \"dynamic\" follows them; here a law that is a function of the speed alone (ambrosio, tanh) gives a force".into(),
        })
    }

    /// A warning if channels were asked for by name that a motion without forces has no numbers for.
    fn asked_for_forces(&self) -> Option<Warning> {
        let asked = self.model.simulation.channels.iter().filter(|channel| {
            is_of_works(channel)
                || matches!(
                    channel,
                    Channel::Joint(..)
                        | Channel::JointFriction(_)
                        | Channel::Driver(..)
                        | Channel::DriverPower(_)
                )
                || matches!(channel, Channel::Contact(_, quantity) if quantity.is_force())
        });
        let names: Vec<String> = asked.map(|channel| channel.name(&self.model)).collect();
        let first = names.first()?;
        let more = match names.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(Warning {
            code: "no-forces",
            element: Some("simulation.channels".into()),
            time: None,
            message: format!(
                "a kinematic analysis finds no forces and no works: {first}{more} stay without numbers (NaN)"
            ),
            hint: "analysis = \"inverse-dynamics\" finds them for the same motion".into(),
        })
    }

    /// Leaves the state as the last evaluation, for channels to be read.
    fn put(&mut self, state: &State, forces: bool) -> Result<(), Stuck> {
        let equations = &mut self.equations;
        if forces {
            equations.jammed = None;
            let rank = equations.evaluate(state.t, &state.q, &state.v);
            if !matches!(rank, Ok(Rank::Full | Rank::Deficient(_))) {
                let joint = equations.jammed.map(|jammed| jammed.0);
                return Err(Stuck::Forces { joint });
            }
        } else {
            equations.rows(state.t, &state.q, &state.v);
            equations.lambda.fill(f64::NAN);
            equations.rubbing.unknown();
        }
        equations.accelerations.copy_from_slice(&state.a);
        Ok(())
    }

    /// Positions, velocities and accelerations at the time of the state, from those predicted there. False if the joints cannot be closed nearby.
    fn settle(&mut self, state: &mut State) -> bool {
        let equations = &mut self.equations;
        let mut change = vec![0.0; state.q.len()];
        if !close(equations, state.t, &mut state.q) {
            return false;
        }
        equations.rows(state.t, &state.q, &state.v);
        let Some(singular) = is_singular(equations) else {
            return false;
        };
        state.singular = singular;
        // So near to a singular position rounding of the position would decide about velocities: only what rows say clearly counts there.
        let mut clear = state.singular.then(|| {
            let saddle = &equations.saddle;
            let structure = saddle.structure();
            let mut dense = Dense::new(structure.bodies(), &structure.row_bodies);
            let active = |row: usize| !saddle.is_redundant(row);
            let masses = saddle.inverse_masses();
            let _ = dense.factor(&equations.jacobian, masses, active, NEAR);
            dense
        });
        let mut least_change = |equations: &mut Equations, open: &[f64], change: &mut [f64]| {
            let Some(dense) = &mut clear else {
                return equations.saddle.project(open, change).is_ok();
            };
            let gamma: Vec<f64> = open.iter().map(|x| -x).collect();
            let mut motion = vec![[0.0; 3]; change.len() / 3 + 1];
            let mut lambda = vec![0.0; gamma.len()];
            dense.solve(
                equations.saddle.inverse_masses(),
                &mut motion,
                &gamma,
                &mut lambda,
            );
            let bodies = change.as_chunks_mut::<3>().0.iter_mut();
            bodies
                .zip(&motion)
                .for_each(|(change, motion)| *change = *motion);
            true
        };
        // The least change from what was predicted: all there is where the drivers determine it, and a straight way on through a singular position where they do not.
        for _ in 0..2 {
            let rates = equations.rates.clone();
            if !least_change(equations, &rates, &mut change) {
                return false;
            }
            state.v.iter_mut().zip(&change).for_each(|(v, c)| *v += c);
            equations.rows(state.t, &state.q, &state.v);
        }
        for _ in 0..2 {
            let open = missed(equations, &state.a, &equations.gamma);
            if !least_change(equations, &open, &mut change) {
                return false;
            }
            state.a.iter_mut().zip(&change).for_each(|(a, c)| *a += c);
        }
        let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        finite(&state.v) && finite(&state.a)
    }

    /// Goes on to a later time, in as many steps as it takes.
    fn advance(
        &mut self,
        state: &mut State,
        to: f64,
        statistics: &mut Statistics,
    ) -> Result<(), Stuck> {
        let span = to - state.t;
        let mut step = span;
        while state.t < to {
            let last = state.t + step >= to - LEAST * span;
            let mut next = state.clone();
            next.t = if last { to } else { state.t + step };
            let h = next.t - state.t;
            for i in 0..next.q.len() {
                let (v, a, jerk) = (state.v[i], state.a[i], state.jerk[i]);
                next.q[i] += h * (v + 0.5 * h * (a + h / 3.0 * jerk));
                next.v[i] += h * (a + 0.5 * h * jerk);
                next.a[i] += h * jerk;
            }
            next.singular = false;
            let predicted = next.q.clone();
            statistics.rhs_evaluations += 1;
            let closed = self.settle(&mut next);
            let size = self.extent();
            let change: Vec<f64> = next.q.iter().zip(&predicted).map(|(q, p)| q - p).collect();
            // A singular position takes over what was predicted: from near by.
            let near = !next.singular || h <= span / 16.0;
            if closed && near && extent(&change, size) <= FAR {
                statistics.steps_accepted += 1;
                for i in 0..next.q.len() {
                    next.jerk[i] = (next.a[i] - state.a[i]) / h;
                }
                *state = next;
                step *= 2.0;
            } else {
                statistics.steps_rejected += 1;
                step = 0.5 * h;
                if !(step > LEAST * span) || state.t + step <= state.t {
                    return Err(Stuck::Position { wanted: to });
                }
            }
        }
        Ok(())
    }

    /// The same, with the works on the way.
    fn advance_with_works(
        &mut self,
        state: &mut State,
        to: f64,
        sums: &mut Sums,
        statistics: &mut Statistics,
    ) -> Result<(), Stuck> {
        sums.turned = sums.turned.max(self.equations.kinetic(&state.v));
        let whole = self.gauss(&mut state.clone(), to, statistics)?;
        self.halved(state, to, &whole, HALVINGS, sums, statistics)
    }

    /// Goes on in two halves, and in halves of these where they do not agree with the whole.
    fn halved(
        &mut self,
        state: &mut State,
        to: f64,
        whole: &Sums,
        halvings: u32,
        sums: &mut Sums,
        statistics: &mut Statistics,
    ) -> Result<(), Stuck> {
        let middle = 0.5 * (state.t + to);
        let mut ahead = state.clone();
        let left = self.gauss(&mut ahead, middle, statistics)?;
        let right = self.gauss(&mut ahead, to, statistics)?;
        let scale = sums.turned + whole.turned.max(left.turned + right.turned);
        let halves = left.works.iter().zip(&right.works);
        let apart = halves.zip(&whole.works);
        let apart = apart.fold(0.0_f64, |most, ((left, right), whole)| {
            most.max((left + right - whole).abs())
        });
        if halvings == 0 || !(apart > WORKS * scale) {
            for half in [left, right] {
                sums.turned += half.turned;
                let works = sums.works.iter_mut().zip(half.works);
                works.for_each(|(sum, work)| *sum += work);
            }
            *state = ahead;
            return Ok(());
        }
        self.halved(state, middle, &left, halvings - 1, sums, statistics)?;
        self.halved(state, to, &right, halvings - 1, sums, statistics)
    }

    /// Goes on, with the works by Gauss's rule of three points.
    fn gauss(
        &mut self,
        state: &mut State,
        to: f64,
        statistics: &mut Statistics,
    ) -> Result<Sums, Stuck> {
        let (from, h) = (state.t, to - state.t);
        let root = math::sqrt(0.6);
        let mut powers = vec![0.0; self.works.count()];
        let mut sums = Sums {
            works: powers.clone(),
            turned: 0.0,
        };
        for (node, weight) in [(-root, 5.0 / 18.0), (0.0, 8.0 / 18.0), (root, 5.0 / 18.0)] {
            self.advance(state, from + 0.5 * h * (1.0 + node), statistics)?;
            self.put(state, true)?;
            self.works.powers(state.t, &self.equations, &mut powers);
            for (work, power) in sums.works.iter_mut().zip(&powers) {
                *work += weight * h * power;
                sums.turned += weight * h * power.abs();
            }
        }
        self.advance(state, to, statistics)?;
        Ok(sums)
    }

    /// Why it cannot go on from this state: which joint would have to open, and by how much.
    fn why_stuck(&mut self, state: &State, stuck: &Stuck) -> String {
        let t = rounded(state.t);
        let wanted = match *stuck {
            Stuck::Position { wanted } => wanted,
            Stuck::Forces { joint: Some(joint) } => {
                let name = self.names.get(joint).map_or("a joint", String::as_str);
                return format!(
                    "the friction in {name} cannot be found at t = {t} s: the harder it rubs the harder it is pressed, so that it jams"
                );
            }
            Stuck::Forces { joint: None } => {
                return format!("the forces at t = {t} s are not finite");
            }
        };
        let mut q = state.q.clone();
        let when = rounded(wanted);
        let mut reason = format!("the drivers cannot be followed beyond t = {t} s");
        if let Err(gaps) = closing::close(&mut self.equations, wanted, &mut q) {
            for trouble in cannot_close(&gaps, &self.equations, &self.names) {
                let element = trouble.element.unwrap_or_else(|| "positions".into());
                reason += &format!("; at t = {when} s: {element}: {}", trouble.message);
            }
        } else {
            reason += &format!(
                ", where the mechanism stands in a dead point: at t = {when} s there are positions that close all joints, but no motion leads to them from here"
            );
        }
        reason
    }
}

/// Whether the rows of the last evaluation stand in a singular position; `None` if something is not finite. The saddle is factored.
pub(super) fn is_singular(equations: &mut Equations) -> Option<bool> {
    let small = equations
        .saddle
        .small_pivots(&equations.jacobian, NEAR * NEAR)?;
    let _ = equations.saddle.factor(&equations.jacobian).ok()?;
    let left_out = |row: &usize| equations.saddle.is_redundant(*row);
    Some(!small.iter().all(left_out))
}

/// What is said where an analysis of one position finds it singular.
pub(super) fn singular_rest(t: f64) -> Warning {
    Warning {
        code: "singular-position",
        element: None,
        time: Some(t),
        message: "the mechanism stands in a singular position (links in line, a parallelogram laid flat): its reactions and the forces of its drivers are not unique there, and are left out".into(),
        hint: "a position a little beside it has unique reactions".into(),
    }
}

/// Whether a channel follows from works, which take forces.
fn is_of_works(channel: &Channel) -> bool {
    use Account::{Dissipated, DriverWork, LoadWork, Residual};
    matches!(
        channel,
        Channel::Energy(DriverWork | LoadWork | Dissipated | Residual)
    )
}
