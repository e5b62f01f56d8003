//! How does a run go from its start to its end?
//!
//! One loop: try a step, search it for events, hand over output, commit, let the flow move its memory. The loop allocates nothing.

use super::clock::Clocked;
use super::control;
use super::flow::{Accepted, Action, Clock, Fired, Flow, Phase};
use super::method::{Method, Slope, Tolerance};
use super::outcome::{Ended, Failure, Statistics, Status};
use super::output::Cursor;
use super::settings::{Integrator, Settings, Touch};
use super::watch::Watcher;

/// A guard that cuts a step again and again in the same direction within this many units in the last place of time does not let time go on.
const COINCIDENT: f64 = 32768.0;
/// How often one may that is known to ([`Flow::repeats`]).
const PATIENCE: u64 = 40;

/// Events since a time.
pub(crate) struct Crowd {
    pub since: f64,
    pub events: u64,
    /// How many cuts came within rounding of the one before.
    pub close: u64,
}

/// A run under way.
pub(crate) struct Drive<'a, F, M, K> {
    pub settings: &'a Settings,
    pub flow: Clocked<'a, F>,
    pub method: &'a mut M,
    pub phase: &'a mut Phase,
    pub watcher: &'a mut Watcher,
    /// The state at the current point.
    pub y: &'a mut Vec<f64>,
    pub copy: &'a mut Vec<f64>,
    pub scratch: &'a mut Vec<f64>,
    pub cursor: Cursor<'a>,
    pub sink: K,
    pub span: (f64, f64),
    pub t: f64,
    pub s: f64,
    pub s_end: f64,
    /// Where an event was foreseen when it spoilt a step; infinite: nowhere.
    pub ahead: f64,
    /// The component with the largest error in the last attempt, and that error.
    pub worst: (usize, f64),
    pub statistics: Statistics,
    pub crowd: Crowd,
    pub last_cut: &'a mut [[f64; 2]],
}

/// What comes after an event.
enum Next {
    /// The step goes on.
    GoOn,
    /// The step was cut; this is the first step of what follows (`None`: keep the one there is).
    Cut(Option<f64>),
    /// The run ends.
    End,
}

impl<F: Flow, M: Method, K: FnMut(f64, &[f64])> Drive<'_, F, M, K> {
    /// Goes to the end.
    pub fn run(mut self) -> Ended {
        let before = self.method.work();
        self.method.reset();
        let status = match self.steps() {
            Ok(status) => status,
            Err(failure) => Status::Failed(failure),
        };
        let work = self.method.work();
        Ended {
            status,
            t: self.t,
            statistics: Statistics {
                rhs_evaluations: self.flow.evaluations - self.statistics.output_evaluations,
                jacobians: self.statistics.jacobians + work.jacobians - before.jacobians,
                factorisations: self.statistics.factorisations + work.factorisations
                    - before.factorisations,
                ..self.statistics
            },
        }
    }

    /// The loop.
    fn steps(&mut self) -> Result<Status, Failure> {
        if self.cursor.steps() {
            (self.sink)(self.t, self.y);
        }
        self.emit_here();
        self.open_phase()?;
        self.watcher
            .start(self.flow.flow, self.t, self.y, &self.phase.watch);
        self.check_guards()?;
        self.begin()?;
        let mut h = self.first_step(self.settings.first_step)?;
        let (mut again, mut rejected) = (false, false);
        loop {
            if self.arrived() {
                self.t = self.span.1;
                self.emit_here();
                return Ok(Status::Completed);
            }
            if !self.flow.flow.goes_on() {
                return Ok(Status::Stopped);
            }
            let (step, last) = self.bounded(h, rejected)?;
            rejected = false;
            let attempt = self
                .method
                .attempt(&mut self.flow, step, tolerance(self.phase));
            self.worst = (attempt.worst, attempt.error);
            if !attempt.accepted {
                self.statistics.steps_rejected += 1;
                if M::FIXED {
                    return Err(self.not_finite(attempt.worst, "after a fixed step "));
                }
                h = attempt.next;
                rejected = true;
                if attempt.reached && self.settings.touch == Touch::Located {
                    let place = self
                        .watcher
                        .aim(&mut self.flow, self.method, &self.phase.watch);
                    if let Some(place) = place {
                        self.ahead = self.s + place * step;
                    }
                }
                continue;
            }
            {
                let ends = self.method.ends();
                let t1 = self.flow.time(ends.s0 + ends.h);
                self.flow.flow.ahead(t1, ends.y1);
            }
            let mut event = if M::FIXED || self.settings.touch != Touch::Located {
                let beyond =
                    self.watcher
                        .look_at_end(&mut self.flow, self.method, &self.phase.watch);
                if let (Touch::PenetrationTolerance(tolerance), Some(beyond)) =
                    (self.settings.touch, beyond)
                    && beyond > tolerance
                    && !M::FIXED
                    // A guard that jumps is beyond zero however short the step.
                    && step > 16.0 * self.least()
                {
                    self.statistics.steps_rejected += 1;
                    h = 0.5 * step;
                    continue;
                }
                beyond.map(|_| 1.0)
            } else {
                self.watcher
                    .search(&mut self.flow, self.method, &self.phase.watch)
            };
            // Its search may have been broken off: nothing of it stands.
            if !self.flow.flow.goes_on() {
                return Ok(Status::Stopped);
            }
            if let (true, Some(theta)) = (M::WEAK_DENSE && !again, event)
                && theta < 0.9
            {
                again = true;
                self.statistics.steps_rejected += 1;
                self.ahead = self.s + theta * step;
                h = step;
                continue;
            }
            again &= event.is_none() && self.ahead > self.s;
            self.statistics.steps_accepted += 1;
            h = if M::LIGHT && step < 0.9 * h && attempt.next > step {
                attempt.next.max(h)
            } else {
                attempt.next
            };
            let mut cut = false;
            while let Some(theta) = event {
                match self.handle(Some(theta))? {
                    Next::GoOn => {
                        event = self.watcher.search_on(
                            &mut self.flow,
                            self.method,
                            &self.phase.watch,
                            theta,
                        )
                    }
                    Next::Cut(first) => {
                        h = first.unwrap_or(h);
                        cut = true;
                        break;
                    }
                    Next::End => return Ok(Status::Stopped),
                }
            }
            if !cut && self.pass_step(last)? == Accepted::Stop {
                return Ok(Status::Stopped);
            }
            // Guards that a projection has left on the wrong side fire where they stand.
            while self.watcher.at_once(&self.phase.watch) {
                match self.handle(None)? {
                    Next::GoOn => {}
                    Next::Cut(first) => h = first.unwrap_or(h),
                    Next::End => return Ok(Status::Stopped),
                }
            }
        }
    }

    /// Whether the end of the span is reached, to the resolution of time.
    fn arrived(&self) -> bool {
        self.t >= self.span.1 || self.s_end - self.s <= 2.0 * f64::EPSILON * self.s_end.abs()
    }

    /// Hands over what is asked for up to the current point itself.
    fn emit_here(&mut self) {
        while let Some(t) = self.cursor.due(self.t) {
            (self.sink)(t, self.y);
            self.cursor.advance();
        }
    }

    /// Asks the flow what holds from here on.
    fn open_phase(&mut self) -> Result<(), Failure> {
        self.flow.flow.phase(self.t, self.y, self.phase);
        let phase = &self.phase;
        let sizes = (phase.watch.len(), phase.rtol.len(), phase.atol.len());
        let n = self.y.len();
        if sizes != (self.last_cut.len(), n, n) {
            return Err(
                self.protocol("changed the number of guards or components of its phase".into())
            );
        }
        let sound = |r: f64, a: f64| r >= 0.0 && a >= 0.0 && r + a > 0.0 && (r + a).is_finite();
        if let Some(i) = (0..n).find(|&i| !sound(phase.rtol[i], phase.atol[i])) {
            let name = self.flow.flow.component_name(i);
            let (r, a) = (phase.rtol[i], phase.atol[i]);
            return Err(self.protocol(format!("set the tolerances of {name} to rtol = {r}, atol = {a}; they must be numbers, not negative, not both zero")));
        }
        if M::FIXED && phase.clock != Clock::Time {
            return Err(self.protocol("asked for another integration variable than time, which a fixed step does not have".into()));
        }
        if !(phase.max_step > 0.0) {
            let max_step = phase.max_step;
            return Err(self.protocol(format!(
                "set the largest step to {max_step}; it must be positive"
            )));
        }
        Ok(())
    }

    /// Starts the method at the current point, with the phase's integration variable.
    fn begin(&mut self) -> Result<(), Failure> {
        self.flow.clock = self.phase.clock;
        self.flow.origin = self.t;
        self.s = self.flow.variable(self.t);
        self.s_end = self.flow.variable(self.span.1);
        self.ahead = f64::INFINITY;
        self.method.begin(&mut self.flow, self.s, self.y);
        self.check_slope()
    }

    /// The slope at the current point must be finite.
    fn check_slope(&self) -> Result<(), Failure> {
        match self.method.here().iter().position(|f| !f.is_finite()) {
            Some(i) => Err(self.not_finite(i, "the slope of ")),
            None => Ok(()),
        }
    }

    /// The watched guards at the current point must be numbers.
    fn check_guards(&self) -> Result<(), Failure> {
        match self.watcher.not_a_number(&self.phase.watch) {
            Some(i) => Err(Failure::NotFinite {
                t: self.t,
                what: self.flow.flow.guard_name(i).into_owned(),
            }),
            None => Ok(()),
        }
    }

    /// The first step of a phase, in the integration variable: the one suggested (in time), or an estimate.
    fn first_step(&mut self, suggested: Option<f64>) -> Result<f64, Failure> {
        if let Integrator::Rk4 { step } | Integrator::Verlet { step } = self.settings.integrator {
            return Ok(step);
        }
        let room = self.span.1 - self.t;
        let limit = self.phase.max_step.min(room);
        if limit <= 0.0 {
            return Ok(0.0);
        }
        let dt = match suggested {
            Some(step) if step > 0.0 && step.is_finite() => step.min(limit),
            Some(step) => {
                return Err(self.protocol(format!(
                    "suggested a first step of {step}; it must be a positive number"
                )));
            }
            None => {
                // Estimated in time, where the slope at the start means something whatever the integration variable.
                let clock = std::mem::replace(&mut self.flow.clock, Clock::Time);
                if clock == Clock::Time {
                    self.copy.copy_from_slice(self.method.here());
                } else {
                    self.flow.eval(self.t, self.y, self.copy);
                }
                let order = self.method.first_order();
                let here = (self.t, &self.y[..], &self.copy[..]);
                // The far slope may overwrite the near one only after it was read: two buffers.
                let (point, there) = self.scratch.split_at_mut(self.y.len());
                let dt = control::first_step(
                    &mut self.flow,
                    here,
                    order,
                    tolerance(self.phase),
                    limit,
                    point,
                    there,
                );
                self.flow.clock = clock;
                dt
            }
        };
        Ok(self.flow.step(self.s, dt))
    }

    /// The shortest step there may be from here, in the integration variable: the resolution of time, or the settings' own.
    fn least(&self) -> f64 {
        let resolution = (4.0 * f64::EPSILON * self.s.abs()).max(f64::MIN_POSITIVE);
        if self.settings.min_step > 0.0 {
            resolution.max(self.flow.step(self.s, self.settings.min_step))
        } else {
            resolution
        }
    }

    /// The step `h` within all bounds, and whether it leads to the end of the span. Only the error may ask for less than the shortest step, and is refused: `rejected` says that it does.
    fn bounded(&self, h: f64, rejected: bool) -> Result<(f64, bool), Failure> {
        if self.statistics.steps_accepted + self.statistics.steps_rejected
            >= self.settings.max_steps
        {
            return Err(Failure::TooManySteps {
                t: self.t,
                step: self.flow.time(self.s + h) - self.t,
                steps: self.settings.max_steps,
                component: self.flow.flow.component_name(self.worst.0).into_owned(),
            });
        }
        let mut step = h;
        if !M::FIXED {
            let least = self.least();
            if rejected && !(step > least) {
                return Err(Failure::StepTooSmall {
                    t: self.t,
                    step: self.flow.time(self.s + step) - self.t,
                    smallest: if self.flow.clock == Clock::Time {
                        least
                    } else {
                        self.flow.time(self.s + least) - self.t
                    },
                    component: self.flow.flow.component_name(self.worst.0).into_owned(),
                    error: self.worst.1,
                });
            }
            let most = self.flow.flow.longest_step(self.t, self.y);
            let most = self.phase.max_step.min(most);
            if most.is_finite() {
                step = step.min(self.flow.step(self.s, most));
            }
            // Where an event lies ahead that has spoilt a step already, land just behind it, or well before it.
            let ahead = self.ahead - self.s;
            if ahead > 0.0 && step > ahead {
                step = if ahead < 0.3 * step { 1.05 } else { 0.85 } * ahead;
            }
            step = representable(self.s, step.max(least));
        }
        // A little longer rather than a sliver at the end; a fixed step gives way to rounding only.
        let room = self.s_end - self.s;
        let stretch = if M::FIXED { 1.0 + 1e-9 } else { 1.01 };
        Ok(if step * stretch >= room {
            (room, true)
        } else {
            (step, false)
        })
    }

    /// Hands over output up to `limit` from the step under way.
    fn emit(&mut self, limit: f64) {
        while let Some(t) = self.cursor.due(limit) {
            let before = self.flow.evaluations;
            self.method.prepare_dense(&mut self.flow);
            self.statistics.output_evaluations += self.flow.evaluations - before;
            let (s0, h) = {
                let ends = self.method.ends();
                (ends.s0, ends.h)
            };
            let theta = ((self.flow.variable(t) - s0) / h).clamp(0.0, 1.0);
            self.method.dense(theta, self.copy);
            (self.sink)(t, self.copy);
            self.cursor.advance();
        }
    }

    /// Lets the flow look inside the step under way up to time `t`, with the state `y` there.
    fn show(&mut self, t: f64) {
        self.method.prepare_dense(&mut self.flow);
        let (s0, h) = {
            let ends = self.method.ends();
            (ends.s0, ends.h)
        };
        let (clock, origin) = (self.flow.clock, self.flow.origin);
        let method = &*self.method;
        let inside = |t: f64, y: &mut [f64]| {
            let theta = ((clock.variable(origin, t) - s0) / h).clamp(0.0, 1.0);
            method.dense(theta, y);
        };
        self.flow.flow.passed(t, self.y, Some(&inside));
    }

    /// The whole step stands: its far end is the current point.
    fn pass_step(&mut self, last: bool) -> Result<Accepted, Failure> {
        let (s1, t1) = {
            let ends = self.method.ends();
            self.y.copy_from_slice(ends.y1);
            if last {
                (self.s_end, self.span.1)
            } else {
                let s1 = ends.s0 + ends.h;
                (s1, self.flow.time(s1))
            }
        };
        self.emit(t1);
        if self.flow.flow.passed(t1, self.y, None) {
            self.show(t1);
        }
        self.watcher.pass();
        self.method.commit();
        (self.s, self.t) = (s1, t1);
        self.check_guards()?;
        let accepted = self.flow.flow.accept(self.t, self.y);
        if accepted == Accepted::Moved {
            self.method.moved(&mut self.flow, self.y);
            self.check_slope()?;
            self.watcher.after_move(self.flow.flow, self.t, self.y);
            self.check_guards()?;
        }
        if self.cursor.steps() {
            (self.sink)(self.t, self.y);
        }
        Ok(accepted)
    }

    /// Lets the flow act on an event at the fraction `theta` of the step under way, or at the current point.
    fn handle(&mut self, theta: Option<f64>) -> Result<Next, Failure> {
        let (s, t) = match theta {
            None => {
                self.copy.copy_from_slice(self.y);
                (self.s, self.t)
            }
            Some(theta) => {
                let (s, h) = {
                    let ends = self.method.ends();
                    (ends.s0, ends.h)
                };
                let s = s + theta * h;
                let t = self.flow.time(s).min(self.span.1);
                self.emit(t);
                if theta < 1.0 {
                    self.method.dense(theta, self.copy);
                } else {
                    self.copy.copy_from_slice(self.method.ends().y1);
                }
                // Where an event was found inside, the dense output is there already.
                if theta < 1.0 || self.flow.flow.passed(t, self.copy, None) {
                    std::mem::swap(self.y, self.copy);
                    self.show(t);
                    std::mem::swap(self.y, self.copy);
                }
                (s, t)
            }
        };
        self.statistics.events += 1;
        self.check_crowding(t)?;
        let closest = self.since_last_cut(t);
        let before = &mut self.scratch[..self.copy.len()];
        before.copy_from_slice(self.copy);
        let fired = Fired {
            guards: self.watcher.fired(),
        };
        let action = self.flow.flow.event(t, self.copy, &fired);
        if matches!(action, Action::Continue | Action::Resume) && before != &self.copy[..] {
            self.t = t;
            self.y.copy_from_slice(before);
            return Err(self.protocol(
                "changed the state at an event, which only Restart and Stop allow".into(),
            ));
        }
        if action == Action::Continue {
            return Ok(Next::GoOn);
        }
        // A guard that fires again within rounding of the last time is noise, as long as nothing is cut for it.
        if closest < COINCIDENT * f64::EPSILON * t.abs() {
            self.crowd.close += 1;
            let near = COINCIDENT * f64::EPSILON * t.abs();
            let mut fired = self.watcher.fired().iter();
            let patient = fired.all(|&(i, rose)| {
                t - self.last_cut[i][usize::from(rose)] >= near || self.flow.flow.repeats(i)
            });
            if !patient || self.crowd.close > PATIENCE {
                self.copy.copy_from_slice(&self.scratch[..self.y.len()]);
                return Err(self.crowded(t, self.crowd.close.max(1) + 1, closest));
            }
        } else {
            self.crowd.close = 0;
        }
        for &(i, rose) in self.watcher.fired() {
            self.last_cut[i][usize::from(rose)] = t;
        }
        (self.s, self.t) = (s, t);
        if self.cursor.steps() {
            (self.sink)(t, before);
        }
        self.y.copy_from_slice(self.copy);
        let accepted = self.flow.flow.accept(t, self.y);
        if theta.is_some() {
            self.watcher.renew(&mut self.flow, self.method);
        }
        self.watcher.carried(self.flow.flow, t, self.copy, self.y);
        if self.cursor.steps() {
            (self.sink)(t, self.y);
        }
        if action == Action::Stop || accepted == Accepted::Stop {
            return Ok(Next::End);
        }
        self.open_phase()?;
        let next = if let Action::Restart { first_step } = action {
            self.begin()?;
            Next::Cut(Some(self.first_step(first_step)?))
        } else {
            if self.phase.clock != self.flow.clock {
                return Err(self.protocol("changed the integration variable at an event answered with Resume; that takes Restart".into()));
            }
            match theta {
                Some(theta) => {
                    self.method
                        .cut(&mut self.flow, theta, self.y, tolerance(self.phase))
                }
                None => self.method.moved(&mut self.flow, self.y),
            }
            self.check_slope()?;
            self.ahead = f64::INFINITY;
            Next::Cut(None)
        };
        self.watcher
            .after_cut(self.flow.flow, t, self.y, &self.phase.watch);
        self.check_guards()?;
        Ok(next)
    }

    /// How long ago any of the guards that fire now has last cut a step in the same direction.
    fn since_last_cut(&self, t: f64) -> f64 {
        let fired = self.watcher.fired().iter();
        fired
            .map(|&(i, rose)| t - self.last_cut[i][usize::from(rose)])
            .fold(f64::INFINITY, f64::min)
    }

    /// Ends the run when events crowd together faster than time goes on.
    fn check_crowding(&mut self, t: f64) -> Result<(), Failure> {
        let (start, end) = self.span;
        let within = self.settings.zeno.within.unwrap_or(1e-9 * (end - start));
        if t - self.crowd.since > within {
            self.crowd = Crowd {
                since: t,
                events: 0,
                close: self.crowd.close,
            };
        }
        self.crowd.events += 1;
        if self.crowd.events > self.settings.zeno.events {
            return Err(self.crowded(t, self.crowd.events, t - self.crowd.since));
        }
        Ok(())
    }

    /// The run ends at the event under way.
    fn crowded(&mut self, t: f64, events: u64, within: f64) -> Failure {
        let names: Vec<_> = self
            .watcher
            .fired()
            .iter()
            .map(|&(i, _)| self.flow.flow.guard_name(i))
            .collect();
        self.t = t;
        self.y.copy_from_slice(self.copy);
        Failure::Zeno {
            t,
            guards: names.join(", "),
            events,
            within,
        }
    }

    fn not_finite(&self, component: usize, what: &str) -> Failure {
        Failure::NotFinite {
            t: self.t,
            what: format!("{what}{}", self.flow.flow.component_name(component)),
        }
    }

    fn protocol(&self, what: String) -> Failure {
        Failure::Protocol { t: self.t, what }
    }
}

/// The step next to `h` that leads from `s` to a number exactly: otherwise time and state would drift apart by rounding, step by step.
#[inline]
fn representable(s: f64, h: f64) -> f64 {
    // One and a half times the power of two below the far end: adding and taking it away rounds to the far end's last place.
    let power = f64::from_bits((s + h).to_bits() & 0x7ff0_0000_0000_0000);
    let rounded = (h + 1.5 * power) - 1.5 * power;
    if rounded > 0.0 { rounded } else { h }
}

/// The tolerance of a phase.
fn tolerance(phase: &Phase) -> Tolerance<'_> {
    Tolerance {
        rtol: &phase.rtol,
        atol: &phase.atol,
    }
}
