//! How is the motion integrated: states, projection after every step, samples in between?

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::card::rounded;
use crate::math;
use crate::mechanics::pose_all;
use crate::model::{ContactMethod, Control};
use crate::solve::{
    Accepted, Action, Ended, Failure, Fired, Flow, Inside, Integrator, Output, Phase, Settings,
    Solver, Status as How,
};

use super::episode::Contacted;
use super::equations::Equations;
use super::frame::{Look, When};
use super::mechanism::System;
use super::note::Warning;
use super::reading::Energies;
use super::remarks;
use super::run::{Observer, Outcome, Phase as Part, Progress, Status};
use super::touches::{Changes, Step};
use super::trace;

/// What the integrator and the samples share; they take turns.
struct Shared<'a> {
    system: &'a mut System,
    observer: &'a mut dyn Observer,
    first: Energies,
    values: Vec<f64>,
    /// The state of a sample, put onto the constraints.
    sample: Vec<f64>,
    /// The time of the last sample, and how many there are.
    last: f64,
    count: usize,
    /// Works by the trapezoidal rule, for a method whose state has no room for them.
    summed: Option<Summed>,
    /// Room for frames, if somebody watches.
    look: Option<Look>,
    /// How many evaluations for frames could not tell all constraints apart: nobody's trouble.
    unseen: u64,
}

/// Works summed up step by step: of second order, as velocity Verlet is.
struct Summed {
    /// J.
    works: Vec<f64>,
    /// s, the last accepted step.
    t: f64,
    /// W, there.
    powers: Vec<f64>,
    /// W, at this one.
    now: Vec<f64>,
    /// A whole state: positions, velocities and these works.
    whole: Vec<f64>,
}

impl Summed {
    /// The works at a time after the last accepted step, for the last evaluation.
    fn at(&mut self, system: &System, t: f64, works: &mut [f64]) {
        system.powers(t, &mut self.now);
        let known = self.works.iter().zip(&self.powers).zip(&self.now);
        for (at, ((work, power), now)) in works.iter_mut().zip(known) {
            *at = work + 0.5 * (t - self.t) * (power + now);
        }
    }

    /// The same at an accepted step, from which on they are counted; functions of time are taken at `inside`, which is on the near side of a jump at `t`.
    fn step(&mut self, system: &System, inside: f64, t: f64) {
        system.powers(inside, &mut self.now);
        for ((work, power), now) in self.works.iter_mut().zip(&mut self.powers).zip(&self.now) {
            *work += 0.5 * (t - self.t) * (*power + now);
            *power = *now;
        }
        self.t = t;
    }
}

/// What part of the size and of the speed of the whole mechanism position and velocity of one of its bodies are measured by at least.
const PART: f64 = 0.3;

/// A contact that has given back so much of all that was turned over, beyond what it took, is told of.
const GAINED: f64 = 1e-3;

/// So many contacts more than are kept in the end may be known point by point on the way.
const TRACED: usize = 64;

/// The mechanism as the integrator sees it.
struct Motion<'a, 'b> {
    shared: &'b RefCell<Shared<'a>>,
    n: usize,
    projects: bool,
    /// The size of the energies at the start, J; none if tolerances for works were given.
    energy: Option<f64>,
    progress: Progress,
    /// Between which times functions of time are looked at, s: of a jump at an end of the part that is being integrated, only the side inside counts.
    inside: [f64; 2],
    /// The largest energy seen, J: what a residual is compared with.
    scale: f64,
    reason: Option<String>,
    stopped: bool,
    /// Contacts that are over.
    contacts: Vec<Contacted>,
    warnings: Vec<Warning>,
    /// Whether positions and velocities have tolerances of no one's choice; bodies that joints hang together count as one.
    scales: bool,
    mechanisms: Vec<Vec<usize>>,
    /// The last step before something touched, s: what a flight goes on with.
    flight: Option<f64>,
    /// When something last touched, turned or parted, and the step that was asked for to go on with, s.
    restarted: (f64, Option<f64>),
    /// What the first step of a contact is multiplied by: it begins like δ^(3/2), where the error of a step falls with a lower power of it than elsewhere.
    hurry: f64,
    /// The tolerances of the settings: rtol and atol of every component.
    base: Option<[Vec<f64>; 2]>,
    /// Steps and evaluations in flight and in contact.
    work: [[u64; 2]; 2],
    /// Whether the step under way was cut by an event.
    cut: bool,
}

impl Motion<'_, '_> {
    /// Goes on behind a break. Where a driver's speed jumps the bodies are struck: what they gain is the driver's work.
    fn cross(&mut self, t: f64, y: &mut [f64]) {
        let mut shared = self.shared.borrow_mut();
        let Shared { system, summed, .. } = &mut *shared;
        let (q, rest) = y.split_at_mut(self.n);
        let (v, works) = rest.split_at_mut(self.n);
        if self.projects && !system.model.drivers.is_empty() {
            let before = system.equations.kinetic(v);
            // What cannot be projected is told by the next step.
            let _ = system.equations.project(t, q, v);
            let gained = system.equations.kinetic(v) - before;
            let works = match summed {
                Some(summed) => &mut summed.works[..],
                None => &mut *works,
            };
            if let Some(work) = works.first_mut() {
                *work += gained;
            }
        }
        // Forces may jump here, and with them what holds.
        let extras = extras(system, works, summed);
        system.equations.settle(t, q, v, extras, &|_| false, true);
        if let Some(summed) = summed {
            let _ = system.equations.evaluate(t, q, v);
            summed.step(system, t, t);
        }
    }

    /// Positions and velocities are followed as closely as the size and the speed of the whole mechanism ask for: one that passes through zero, as a slider's speed does at its ends, is not followed to the
    /// last digit there.
    fn measure(&self, masses: &[f64], y: &[f64], rtol: &[f64], atol: &mut [f64]) {
        let (q, v) = (
            y[..self.n].as_chunks::<3>().0,
            y[self.n..2 * self.n].as_chunks::<3>().0,
        );
        let masses = masses.as_chunks::<3>().0;
        for mechanism in &self.mechanisms {
            let (mut energy, mut mass, mut middle) = (0.0, 0.0, [0.0; 2]);
            for &body in mechanism {
                let ([m, _, inertia], [vx, vy, omega]) = (masses[body], v[body]);
                energy += m * (vx * vx + vy * vy) + inertia * omega * omega;
                mass += m;
                middle = [middle[0] + m * q[body][0], middle[1] + m * q[body][1]];
            }
            let (speed, middle) = (math::sqrt(energy / mass), middle.map(|x| x / mass));
            let size = mechanism.iter().fold(0.0_f64, |size, &body| {
                let [x, y] = [q[body][0] - middle[0], q[body][1] - middle[1]];
                let inertia = masses[body][2] / masses[body][0];
                size.max(math::sqrt(x * x + y * y + inertia))
            });
            for &body in mechanism {
                let turning = speed * math::sqrt(masses[body][0] / masses[body][2]);
                let sizes = [[size, size, 1.0], [speed, speed, turning]];
                for (first, sizes) in [0, self.n].into_iter().zip(sizes) {
                    for (k, size) in sizes.into_iter().enumerate() {
                        let i = first + 3 * body + k;
                        if size.is_finite() {
                            atol[i] = atol[i].max(PART * rtol[i] * size);
                        }
                    }
                }
            }
        }
    }

    /// Notes what happened at stops and contacts; whether it can go on.
    fn note(&mut self, changes: Changes) -> bool {
        for (element, slot, start) in &changes.resumed {
            let same = |c: &Contacted| {
                c.element == *element && c.slot == *slot && c.episode.start == *start
            };
            if let Some(last) = self.contacts.iter().rposition(same) {
                self.contacts.remove(last);
            }
        }
        if !changes.ended.is_empty() {
            self.contacts.extend(changes.ended);
            trace::keep_some(&mut self.contacts, TRACED);
        }
        let (undecided, rigid) = {
            let equations = &mut self.shared.borrow_mut().system.equations;
            let undecided = std::mem::take(&mut equations.undecided);
            (undecided, equations.touches.is_rigid())
        };
        let undecided = undecided.into_iter().map(|who| undecided_grip(who, rigid));
        for warning in changes.warnings.into_iter().chain(undecided) {
            let known = |w: &Warning| w.code == warning.code && w.element == warning.element;
            if !self.warnings.iter().any(known) {
                self.warnings.push(warning);
            }
        }
        if changes.failed.is_some() {
            self.reason = changes.failed;
            return false;
        }
        true
    }
}

impl Flow for Motion<'_, '_> {
    #[inline]
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let t = t.max(self.inside[0]).min(self.inside[1]);
        let system = &mut self.shared.borrow_mut().system;
        self.work[usize::from(!system.equations.touches.is_free())][1] += 1;
        system.right_hand_side(t, y, dydt);
    }

    fn accept(&mut self, t: f64, y: &mut [f64]) -> Accepted {
        let mut shared = self.shared.borrow_mut();
        let Shared { system, summed, .. } = &mut *shared;
        let (q, rest) = y.split_at_mut(self.n);
        let (v, rest) = rest.split_at_mut(self.n);
        let mut accepted = Accepted::Unchanged;
        system.equations.jammed = None;
        let before = t.max(self.inside[0]).min(self.inside[1]);
        if self.projects {
            match system.equations.project(before, q, v) {
                Ok(left) if left <= 1e-6 * super::assembly::size(q) => {
                    accepted = Accepted::Moved;
                    // A fault here is found again, and told, by the next evaluation.
                    let _ = system.equations.remember(before, q, v);
                }
                Ok(left) => {
                    let worst = worst_row(&system.equations.values);
                    let tie = system.equations.saddle.structure().tie_of(worst);
                    let name = tie.and_then(|tie| system.names.get(tie));
                    let turns = system.equations.turning.get(worst).copied();
                    let unit = if turns == Some(true) { "rad" } else { "m" };
                    self.reason = Some(format!(
                        "{} cannot be kept closed: it is open by {left:.3e} {unit} at t = {t:.6e} s. The mechanism may be locked, or a driver asks for a position that it cannot reach",
                        name.map_or("a joint", String::as_str)
                    ));
                    return Accepted::Stop;
                }
                Err(fault) => {
                    self.reason = Some(format!("at t = {} s: {fault}", rounded(t)));
                    return Accepted::Stop;
                }
            }
        }
        let kinetic = system.equations.kinetic(v);
        if !(kinetic + system.equations.gravitational(q)).is_finite() {
            self.reason = Some(format!(
                "at t = {} s the energy is too large to compute with. Check positions, velocities and masses: one of them is many orders of magnitude off",
                rounded(t)
            ));
            return Accepted::Stop;
        }
        self.scale = self.scale.max(kinetic);
        let mut changes = Changes::default();
        if system.equations.touches.is_rigid() {
            let at = [t, before];
            match stay_together(system, at, q, v, rest, self.cut) {
                Ok((moved, found)) => {
                    changes = found;
                    if moved || changes.cut {
                        accepted = Accepted::Moved;
                    }
                }
                Err(fault) => {
                    self.reason = Some(format!("at t = {} s: {fault}", rounded(t)));
                    return Accepted::Stop;
                }
            }
        } else if !system.equations.touches.is_empty() {
            let followed = summed.is_none();
            let extras = extras(system, rest, summed);
            let equations = &mut system.equations;
            changes = equations.move_touches(t, q, v, extras, Step::Accept(followed));
            let touches = &mut equations.touches;
            if touches.accept_bristles(t, &equations.poses, extras) || changes.cut {
                accepted = Accepted::Moved;
            }
        }
        if system.equations.can_hold() {
            let extras = extras(system, rest, summed);
            let equations = &mut system.equations;
            equations.take(extras);
            if equations.strays(before, q, v) || changes.cut {
                equations.settle(before, q, v, extras, &|_| false, true);
                accepted = Accepted::Moved;
            } else if equations.accept_rubbing(extras) {
                accepted = Accepted::Moved;
            }
            if equations.stop(v, None) {
                accepted = Accepted::Moved;
            }
        }
        self.progress.step = t - self.progress.t;
        if self.progress.step > 0.0 {
            system.equations.pace = 1e-3 * self.progress.step;
        }
        if let Some(summed) = summed {
            // A state that cannot be evaluated is told by the integrator.
            let _ = system.equations.evaluate(before, q, v);
            summed.step(system, before, t);
        }
        self.progress.t = t;
        self.progress.steps += 1;
        let progress = self.progress;
        self.work[usize::from(!system.equations.touches.is_free())][0] += 1;
        let moment = match std::mem::take(&mut self.cut) {
            true => When::After,
            false => When::Step,
        };
        if shared.look.is_some() {
            shared.show(moment, [t, before], y, progress.step);
        }
        let observer = &mut shared.observer;
        if observer.progress(&progress) == ControlFlow::Break(()) {
            self.stopped = true;
            return Accepted::Stop;
        }
        drop(shared);
        if self.note(changes) {
            accepted
        } else {
            Accepted::Stop
        }
    }

    fn goes_on(&mut self) -> bool {
        self.stopped |= !self.shared.borrow_mut().observer.goes_on();
        !self.stopped
    }

    fn guard_count(&self) -> usize {
        self.shared.borrow().system.equations.guard_count()
    }

    fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
        let mut shared = self.shared.borrow_mut();
        let extras = shared.system.extras_at();
        let equations = &mut shared.system.equations;
        let (q, v) = (&y[..self.n], &y[self.n..2 * self.n]);
        if let Some(extras) = y.get(extras..) {
            equations.take(extras);
        }
        let inside = t.max(self.inside[0]).min(self.inside[1]);
        equations.guards([t, inside], q, v, g);
    }

    fn passed(&mut self, t: f64, y: &[f64], inside: Option<Inside<'_>>) -> bool {
        let mut shared = self.shared.borrow_mut();
        let Shared { system, summed, .. } = &mut *shared;
        let (n, extras) = (self.n, system.extras_at());
        let Equations {
            touches,
            rubbing,
            poses,
            ..
        } = &mut system.equations;
        if !rubbing.is_empty() {
            pose_all(&y[..n], &y[n..2 * n], poses);
            rubbing.keep(t, poses);
        }
        let Some(summed) = summed else {
            return touches.passed(t, y, n, extras, inside);
        };
        // What is summed up beside the state is not interpolated.
        let Summed { works, whole, .. } = summed;
        whole[..2 * n].copy_from_slice(y);
        whole[2 * n..].copy_from_slice(works);
        let part = inside.map(|inside| {
            |t: f64, state: &mut [f64]| {
                let (moving, rest) = state.split_at_mut(2 * n);
                inside(t, moving);
                rest.copy_from_slice(works);
            }
        });
        let inside = part.as_ref().map(|part| part as Inside<'_>);
        touches.passed(t, whole, n, extras, inside)
    }

    fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        if self.shared.borrow().look.is_some() {
            let inside = t.max(self.inside[0]).min(self.inside[1]);
            let step = self.progress.step;
            let mut shared = self.shared.borrow_mut();
            shared.show(When::Before, [t, inside], y, step);
        }
        let (q, rest) = y.split_at_mut(self.n);
        let (v, rest) = rest.split_at_mut(self.n);
        self.progress.events += 1;
        let fired = |guard: usize| fired.contains(guard);
        let was_free = self.shared.borrow().system.equations.touches.is_free();
        let changes = {
            let mut shared = self.shared.borrow_mut();
            let Shared { system, summed, .. } = &mut *shared;
            let inside = t.max(self.inside[0]).min(self.inside[1]);
            if system.equations.touches.is_rigid() {
                let (work, extras) = of_strikes(system, rest);
                let equations = &mut system.equations;
                // What was missed is told after the event.
                let _ = equations.follow_together([t, inside], q, v, extras);
                equations.forget();
                equations.strike([t, inside], q, v, work, extras, &fired)
            } else {
                let extras = extras(system, rest, summed);
                let equations = &mut system.equations;
                let mut changes = equations.move_touches(t, q, v, extras, Step::Event(&fired));
                let first = equations.touches.first_grip();
                let grips = |guard: usize| fired(first + guard);
                if equations.settle(inside, q, v, extras, &grips, changes.restart) {
                    changes.regrip();
                }
                if changes.restart {
                    // Multipliers jump with the forces of a contact: no line leads on from the last ones.
                    equations.forget();
                }
                changes
            }
        };
        if was_free && changes.restart && self.progress.step > 0.0 {
            self.flight = Some(self.progress.step);
        }
        let action = match &changes {
            Changes {
                restart: true,
                free: true,
                ..
            } => Action::Restart {
                first_step: self.flight,
            },
            // Sliding that stops or begins does not change how fast things happen. But if no step was done since something touched, the last one was that of the flight.
            Changes {
                regripped: true, ..
            } => Action::Restart {
                first_step: if changes.first_step.is_some() {
                    changes.first_step
                } else if self.progress.t > self.restarted.0 {
                    Some(self.progress.step).filter(|step| *step > 0.0)
                } else {
                    self.restarted.1
                },
            },
            Changes { restart: true, .. } => Action::Restart {
                first_step: changes.first_step.map(|step| self.hurry * step),
            },
            Changes { cut: true, .. } => Action::Resume,
            _ => Action::Continue,
        };
        self.cut = action != Action::Continue;
        if let (true, false, Action::Restart { first_step }) =
            (changes.restart, changes.regripped, &action)
        {
            self.restarted = (t, *first_step);
        }
        if self.note(changes) {
            action
        } else {
            Action::Stop
        }
    }

    fn guard_name(&self, i: usize) -> Cow<'static, str> {
        self.shared.borrow().system.equations.guard_name(i).into()
    }

    fn repeats(&self, guard: usize) -> bool {
        // Friction may change several times at one instant.
        let shared = self.shared.borrow();
        let touches = &shared.system.equations.touches;
        guard >= touches.first_grip() || touches.repeats(guard)
    }

    fn phase(&mut self, _t: f64, y: &[f64], phase: &mut Phase) {
        let shared = self.shared.borrow();
        let system = &*shared.system;
        let [rtol, atol] = self
            .base
            .get_or_insert_with(|| [phase.rtol.clone(), phase.atol.clone()]);
        phase.rtol.copy_from_slice(rtol);
        phase.atol.copy_from_slice(atol);
        let extras = system.extras_at().min(y.len());
        // Works are followed as closely as the energies they belong to, unless tolerances for them were given.
        if let Some(energy) = self.energy {
            for i in 2 * self.n..extras {
                phase.atol[i] = phase.atol[i].max(phase.rtol[i] * energy);
            }
        }
        if self.scales {
            self.measure(&system.equations.masses, y, &phase.rtol, &mut phase.atol);
        }
        let Equations {
            touches, rubbing, ..
        } = &system.equations;
        let (contacts, joints) = phase.watch.split_at_mut(touches.guard_count());
        touches.watch(contacts);
        rubbing.watch(joints);
        if y.len() > 2 * self.n {
            let (rtol, atol) = (&mut phase.rtol, &mut phase.atol);
            if !touches.is_empty() {
                touches.tolerances(y, extras, self.energy, rtol, atol);
            }
            let first = extras + touches.extras();
            if let (Some(rtol), Some(atol)) = (rtol.get(first..), atol.get_mut(first..)) {
                // Forces that matter: the energies over the size of the mechanism.
                let size = super::assembly::size(&y[..self.n]);
                let force = self.energy.map_or(0.0, |energy| energy / size);
                rubbing.tolerances(force, rtol, atol);
            }
        }
    }

    fn longest_step(&self, _t: f64, y: &[f64]) -> f64 {
        let mut shared = self.shared.borrow_mut();
        let equations = &mut shared.system.equations;
        if !equations.touches.can_pass() {
            return f64::INFINITY;
        }
        let (q, v) = (&y[..self.n], &y[self.n..2 * self.n]);
        equations
            .touches
            .longest_step(q, v, &equations.accelerations)
    }

    fn ahead(&mut self, _t: f64, y: &[f64]) {
        let mut shared = self.shared.borrow_mut();
        let touches = &mut shared.system.equations.touches;
        if touches.can_pass() {
            let (q, v) = (&y[..self.n], &y[self.n..2 * self.n]);
            touches.look_ahead(q, v);
        }
    }

    fn depends(&self, row: usize, column: usize) -> bool {
        // Nothing follows from works; a position changes with its own velocity alone.
        if column >= 2 * self.n {
            let shared = self.shared.borrow();
            let extra = column.checked_sub(shared.system.extras_at());
            let equations = &shared.system.equations;
            return row >= self.n && extra.is_some_and(|extra| equations.feeds_back(extra));
        }
        row >= self.n || column == row + self.n
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        let shared = self.shared.borrow();
        let system = &*shared.system;
        if let Some(extra) = i.checked_sub(system.extras_at()) {
            return system.equations.extra_name(extra).into();
        }
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

/// Surfaces of which it could not be decided whether they hold or slide.
fn undecided_grip((element, t): (String, f64), rigid: bool) -> Warning {
    Warning {
        code: "grip-undecided",
        element: Some(element),
        time: Some(t),
        message: format!(
            "whether the surfaces hold or slide could not be decided: each answer contradicts the forces that follow from it. {}",
            match rigid {
                true => "They were held for some moments, even where that took more friction than the coefficient allows",
                false => "They were left as they last were, until the next change",
            }
        ),
        hint: "friction that presses the harder the harder it rubs has no answer, or several: a smaller coefficient, or a law that is smooth in the speed (ambrosio, tanh) has one".into(),
    }
}

/// Why a run ended in which changes crowd together, in words for whoever made the model.
fn crowding(t: f64, guards: &str, events: u64, within: f64) -> String {
    let rubs = guards.contains("friction") || guards.contains("grip");
    let (what, hint) = if rubs {
        (
            "its friction changes between holding and sliding to and fro",
            "try a law of friction that is smooth in the speed (ambrosio, tanh), or one with a spring and damping (tangential-spring with a damping); a lower rtol can help where two points of one body are nearly at their limits",
        )
    } else {
        (
            "its contact begins, turns or ends over and over",
            "try a law that dissipates (a restitution below 1), a larger approach_speed_floor, or another integrator; surfaces that lie on each other without weight are best joined",
        )
    };
    format!(
        "{guards}: at t = {} s {what}, {events} times within {within:.1e} s, so that time does not go on. Hint: {hint}",
        rounded(t)
    )
}

/// The numbers of stops and contacts, from what stands behind positions and velocities in the state, or is summed up beside it.
fn extras<'a>(
    system: &System,
    rest: &'a mut [f64],
    summed: &'a mut Option<Summed>,
) -> &'a mut [f64] {
    let all = match summed {
        Some(summed) => &mut summed.works[..],
        None => rest,
    };
    all.get_mut(system.works.count()..).unwrap_or_default()
}

/// The part of a run that a flight must last to be one: shorter ones end in rest.
const BRIEF: f64 = 1e-9;

/// The part of a run that a step may always take, however short the flights.
const PAUSE: f64 = 1e-5;

/// The work of drivers (J) and the numbers of contacts, in what stands behind positions and velocities in a state.
fn of_strikes<'a>(system: &System, rest: &'a mut [f64]) -> (Option<&'a mut f64>, &'a mut [f64]) {
    let (works, extras) = rest.split_at_mut(system.works.count().min(rest.len()));
    let drives = !system.model.drivers.is_empty();
    (works.first_mut().filter(|_| drives), extras)
}

/// After a step: bodies that are together are put onto each other, and looked at anew where that no longer holds, unless that was `decided` just now. Whether anything was moved, and what changed.
fn stay_together(
    system: &mut System,
    at: [f64; 2],
    q: &mut [f64],
    v: &mut [f64],
    rest: &mut [f64],
    decided: bool,
) -> Result<(bool, Changes), crate::system::Fault> {
    let (work, extras) = of_strikes(system, rest);
    let equations = &mut system.equations;
    let mut changes = Changes::default();
    equations.rows(at[1], q, v);
    let Equations { touches, poses, .. } = equations;
    touches.look_around(at[0], poses, &mut changes);
    let moved = equations.keep_together(at[1], q, v)?;
    let anew = match equations.follow_together(at, q, v, extras) {
        Ok(anew) => anew,
        Err(reason) => {
            changes.failed = Some(reason);
            false
        }
    };
    if anew && !decided {
        let found = equations.strike(at, q, v, work, extras, &|_| false);
        changes.cut |= found.cut;
        changes.ended.extend(found.ended);
        changes.warnings.extend(found.warnings);
        changes.failed = changes.failed.or(found.failed);
    }
    Ok((moved, changes))
}

/// The bodies that joints hang together, mechanism by mechanism.
pub(super) fn mechanisms(bodies: usize, rows: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..bodies).collect();
    let find = |leader: &[usize], mut i: usize| {
        while leader[i] != i {
            i = leader[i];
        }
        i
    };
    for &[a, b] in rows {
        if a < bodies && b < bodies {
            let (a, b) = (find(&leader, a), find(&leader, b));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups = vec![Vec::new(); bodies];
    for body in 0..bodies {
        groups[find(&leader, body)].push(body);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn worst_row(values: &[f64]) -> usize {
    let larger = |i: &usize, j: &usize| values[*i].abs().total_cmp(&values[*j].abs());
    (0..values.len()).max_by(larger).unwrap_or(0)
}

impl Shared<'_> {
    /// Hands a sample to the observer. Between steps the joints are open by the error of the interpolation: they are closed first.
    fn emit(&mut self, t: f64, y: &[f64], projects: bool) {
        self.sample[..y.len()].copy_from_slice(y);
        let n = self.system.q.len();
        let (q, rest) = self.sample.split_at_mut(n);
        let (v, works) = rest.split_at_mut(n);
        if projects {
            // What cannot be projected is shown as it is: the next step will say so.
            let _ = self.system.equations.project(t, q, v);
        }
        let extras = self.system.extras_at() - 2 * n;
        if let Some(extras) = works.get(extras..) {
            self.system.equations.take(extras);
        }
        let bends = self.system.equations.rubbing.has_states();
        if self.system.asks_for_forces() || bends || self.summed.is_some() {
            let _ = self.system.equations.evaluate(t, q, v);
        } else {
            self.system.equations.rows(t, q, v);
        }
        if let Some(summed) = &mut self.summed {
            summed.at(self.system, t, works);
        }
        self.system
            .read(t, &self.sample, self.first, &mut self.values);
        self.observer.sample(t, &self.values);
        if self.look.is_some() {
            // What a sample does to the mechanism has been done: a look beside it changes nothing.
            self.see(When::Sample, t, t, 0.0);
        }
        self.last = t;
        self.count += 1;
    }

    /// Hands a frame to the observer: of a state of the integrator at a time, and the time at which functions of time are looked at there.
    fn show(&mut self, moment: When, [t, inside]: [f64; 2], y: &[f64], step: f64) {
        let length = y.len().min(self.sample.len());
        if let (Some(to), Some(from)) = (self.sample.get_mut(..length), y.get(..length)) {
            to.copy_from_slice(from);
        }
        if let (Some(summed), Some(works)) = (&self.summed, self.sample.get_mut(length..)) {
            works.copy_from_slice(&summed.works);
        }
        self.see(moment, t, inside, step);
    }

    /// The frame of `sample`.
    fn see(&mut self, moment: When, t: f64, inside: f64, step: f64) {
        let Shared {
            system,
            observer,
            values,
            sample,
            look: Some(look),
            first,
            ..
        } = self
        else {
            return;
        };
        let n = system.q.len();
        let before = system.equations.saddle.statistics().singular;
        look.keep(&mut system.equations);
        if let Some(extras) = sample.get(system.extras_at()..) {
            system.equations.take(extras);
        }
        // What cannot be evaluated is told by the integrator.
        let jammed = system.equations.jammed;
        let _ = system
            .equations
            .evaluate(inside, &sample[..n], &sample[n..2 * n]);
        system.equations.jammed = jammed;
        system.read(inside, sample, *first, values);
        let frame = look.frame(system, [t, step], moment, sample, *first, values);
        observer.frame(&frame);
        look.put_back(&mut system.equations);
        self.unseen += self.system.equations.saddle.statistics().singular - before;
    }
}

/// A part of a run between breaks.
struct Stretch {
    end: f64,
    /// Between which times functions of time are looked at.
    inside: [f64; 2],
}

/// The parts of a run from `start` to `end`. Breaks that are one but for rounding are one.
fn stretches(start: f64, end: f64, breaks: &[f64]) -> Vec<Stretch> {
    let close = 16.0 * f64::EPSILON * start.abs().max(end.abs());
    let mut breaks: Vec<f64> = breaks.to_vec();
    breaks.retain(|t| *t > start && *t <= end);
    breaks.sort_unstable_by(f64::total_cmp);
    let mut parts = Vec::with_capacity(breaks.len() + 1);
    parts.push(Stretch {
        end,
        inside: [f64::NEG_INFINITY, f64::INFINITY],
    });
    let mut from = start;
    for t in breaks {
        let Some(part) = parts.last_mut() else { break };
        if t - from <= close {
            part.inside[0] = t;
            continue;
        }
        part.inside[1] = t.next_down();
        if end - t <= close {
            break;
        }
        part.end = t;
        from = t;
        parts.push(Stretch {
            end,
            inside: [t, f64::INFINITY],
        });
    }
    parts
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
                t: start,
                powers: works.clone(),
                now: works.clone(),
                whole: sample.clone(),
                works,
            }
        });
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.forget();
        self.equations.touches.reset();
        self.equations.rubbing.reset(start);
        self.equations.rows(start, &q, &v);
        let mut at_start = Changes::default();
        let mut placed = None;
        if self.equations.can_hold() {
            self.equations.pace = 1e-9 * (end - start);
            let at = self.extras_at();
            let (_, rest) = y.split_at_mut(n);
            let (v, rest) = rest.split_at_mut(n);
            let extras = rest.get_mut(at - 2 * n..).unwrap_or_default();
            self.equations
                .settle(start, &q, v, extras, &|_| false, true);
        }
        if self.equations.touches.is_rigid() {
            self.equations.striking.brief = BRIEF * (end - start);
            self.equations.touches.set_pause(PAUSE * (end - start));
            let (q, rest) = y.split_at_mut(n);
            let (v, rest) = rest.split_at_mut(n);
            at_start = self.equations.begin_together(start, q, v);
            // Bodies that were put side by side begin there: energies count from it.
            placed = Some(q.to_vec());
            let (work, extras) = of_strikes(self, rest);
            let equations = &mut self.equations;
            let struck = equations.strike([start; 2], q, v, work, extras, &|_| false);
            at_start.failed = at_start.failed.or(struck.failed);
            at_start.ended.extend(struck.ended);
            at_start.warnings.extend(struck.warnings);
        } else if !self.equations.touches.is_empty() {
            // What cannot be evaluated is told by the integrator.
            let _ = self.equations.evaluate(start, &q, &v);
            let accelerations = self.equations.accelerations.clone();
            let hair = 1e-14 * super::assembly::size(&q);
            let step = Step::Start(&accelerations, hair);
            let at = self.extras_at();
            let extras = y.get_mut(at..).unwrap_or_default();
            at_start = self.equations.move_touches(start, &q, &v, extras, step);
            let (_, rest) = y.split_at_mut(n);
            let (v, rest) = rest.split_at_mut(n);
            let extras = rest.get_mut(at - 2 * n..).unwrap_or_default();
            self.equations
                .settle(start, &q, v, extras, &|_| false, true);
        }
        self.equations.jammed = None;
        if let Some(placed) = placed {
            self.q = placed;
        }
        let q = self.q.clone();
        self.equations.rows(start, &q, &v);
        let first = self.energies(start, &q, &v);
        let weight: f64 = self.equations.weights.iter().map(|w| w.abs()).sum();
        let energy = first[0] + first[2].abs() + weight * super::assembly::size(&q);
        let mut warnings = self.warnings.clone();
        if let Some(reason) = at_start.failed {
            return self.outcome(
                Status::Failed,
                Some(reason),
                start,
                &sample,
                first,
                Default::default(),
                warnings,
            );
        }
        let singular_before = self.equations.saddle.statistics().singular;
        let values = vec![0.0; self.channels.len()];
        let parts = stretches(start, end, &self.model.breaks);
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
        let look = observer.watches().then(|| Look::new(self));
        let mut shared = Shared {
            system: self,
            observer,
            first,
            values,
            sample,
            last: f64::NEG_INFINITY,
            count: 0,
            summed,
            look,
            unseen: 0,
        };
        if let Some(summed) = &mut shared.summed {
            let _ = shared.system.equations.evaluate(start, &q, &v);
            summed.step(shared.system, start, start);
        }
        let structure = shared.system.equations.saddle.structure();
        let mechanisms = mechanisms(n / 3, &structure.row_bodies);
        let shared = RefCell::new(shared);
        let mut motion = Motion {
            shared: &shared,
            n,
            projects,
            energy: settings
                .kinds
                .iter()
                .all(|kind| kind.kind != "energy")
                .then_some(energy),
            progress: Progress {
                t: start,
                start,
                end,
                step: 0.0,
                steps: 0,
                events: 0,
                crowd: None,
            },
            inside: [f64::NEG_INFINITY, f64::INFINITY],
            scale: first[0],
            reason: None,
            stopped: false,
            contacts: Vec::new(),
            warnings: Vec::new(),
            scales: settings.kinds.is_empty() && settings.atol == Settings::default().atol,
            mechanisms,
            flight: None,
            restarted: (f64::NEG_INFINITY, None),
            hurry: math::powf(settings.rtol / 1e-6, 1.0 / 3.5).min(1.0),
            base: None,
            work: [[0; 2]; 2],
            cut: false,
        };
        motion.note(at_start);
        let mut ended = Ended {
            status: How::Completed,
            t: start,
            statistics: Default::default(),
        };
        for (i, part) in parts.iter().enumerate() {
            motion.inside = part.inside;
            if i > 0 {
                motion.cross(part.inside[0], &mut y);
            }
            let output = Output::Part {
                origin: start,
                end,
                step,
                first: shared.borrow().count,
            };
            let sink = |t: f64, y: &[f64]| shared.borrow_mut().emit(t, y, projects);
            let span = [ended.t, part.end];
            ended = solver.run_on(&mut motion, span, &mut y, output, sink, ended.statistics);
            if ended.status != How::Completed {
                break;
            }
        }
        // Where it ends is a sample too, whether or not it is a multiple of the output step.
        if ended.t > shared.borrow().last && y.iter().all(|y| y.is_finite()) {
            shared.borrow_mut().emit(ended.t, &y, projects);
        }
        let Motion {
            reason,
            stopped,
            scale,
            mut contacts,
            warnings: noted,
            work,
            ..
        } = motion;
        warnings.extend(noted);
        let Shared {
            system,
            summed,
            unseen,
            ..
        } = shared.into_inner();
        y.extend(summed.into_iter().flat_map(|summed| summed.works));
        let (status, reason) = match ended.status {
            How::Completed => (Status::Completed, None),
            How::Stopped if stopped => (
                Status::Stopped,
                Some(format!("ended by the user at t = {} s", rounded(ended.t))),
            ),
            How::Stopped => (Status::Failed, reason.or(Some("an event ended it".into()))),
            How::Failed(failure) => (
                Status::Failed,
                Some(match system.equations.jammed {
                    // The integrator only saw that there was nothing finite.
                    Some((joint, when)) => {
                        let name = system.names.get(joint).map_or("a joint", String::as_str);
                        let cause = match system.equations.rubbing.damps() {
                            Some([damps, pressed]) => format!(
                                "its bristles can damp with {damps:.3e} N, which does not vanish with the normal force, and without friction it is pressed with {pressed:.3e} N only: friction alone would press it. Leave `damping` out there, or take a law whose friction vanishes with what presses (ambrosio, tanh)"
                            ),
                            None => "the harder it rubs the harder it is pressed, so that it jams. A smaller coefficient of friction, or a longer slider, would let it move".into(),
                        };
                        format!(
                            "the friction in {name} cannot be found near t = {} s: {cause} ({failure})",
                            rounded(when)
                        )
                    }
                    None => match &failure {
                        Failure::Zeno {
                            t,
                            guards,
                            events,
                            within,
                        } => crowding(*t, guards, *events, *within),
                        _ => failure.to_string(),
                    },
                }),
            ),
        };
        let singular = system.equations.saddle.statistics().singular - singular_before - unseen;
        if singular > 0 {
            warnings.push(Warning {
                code: "singular-position",
                element: None,
                time: None,
                message: format!("the mechanism came so near to a singular position that {singular} evaluations could not tell all constraints apart; reactions are not exact there"),
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
        let equations = &mut system.equations;
        pose_all(
            &outcome.positions,
            &outcome.velocities,
            &mut equations.poses,
        );
        contacts.extend(equations.touches.under_way(outcome.t, &equations.poses));
        contacts.sort_by(|a, b| a.episode.start.total_cmp(&b.episode.start));
        trace::keep_some(&mut contacts, 0);
        // What laws are to be trusted in is nothing to bodies that have no compliance.
        if !system.equations.touches.is_rigid() {
            let noticed = remarks::note(&mut contacts, &system.model.contacts);
            outcome.warnings.extend(noticed);
        }
        outcome.contacts = contacts;
        let names = ["flight", "contact"].into_iter().zip(work);
        let parts = names.map(|(name, [steps, evaluations])| Part {
            name,
            steps,
            evaluations,
        });
        outcome.work = parts.filter(|part| part.evaluations > 0).collect();
        outcome.held = system.equations.rubbing.kept().collect();
        let part = (1e2 * settings.rtol).max(1e-5);
        let hint = "a smaller rtol; with constraint control `none` or `baumgarte` also the joints that drift apart";
        let warning = outcome.ledger.imbalance(outcome.t, scale, part, hint);
        outcome.warnings.extend(warning);
        let words = match system.model.method.contact {
            ContactMethod::Piecewise => [
                "restitution, or friction at several points at once, asked for more than the blows brought",
                "`restitution = \"stronge\"` in [method], or `simultaneous = \"in-turns\"`",
            ],
            _ => [
                "its law takes heat back where the bodies are pressed anew before they part",
                "a law that is meant for contacts that rest; its card says so (`carom laws`)",
            ],
        };
        let gains = outcome.ledger.gains(outcome.t, scale, GAINED, words);
        outcome.warnings.extend(gains);
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
            work: vec![Part {
                name: "steps",
                steps: statistics.steps_accepted,
                evaluations: statistics.rhs_evaluations,
            }],
            statistics,
            ledger: self.ledger(t, y, first),
            warnings,
            contacts: Vec::new(),
            groups: Vec::new(),
            held: Vec::new(),
            positions: y[..n].to_vec(),
            velocities: y[n..2 * n].to_vec(),
            modes: Vec::new(),
            rest: None,
        }
    }
}
