//! Where does a run begin?
//!
//! The start is checked, the buffers are made or found, and the loop of `drive` is set going with the method chosen.

use super::adams::Adams;
use super::bdf::Bdf;
use super::clock::Clocked;
use super::dop853::Dop853;
use super::drive::{Crowd, Drive};
use super::fixed::{Fixed, Rk4, Verlet};
use super::flow::{Clock, Flow, Phase, Watch};
use super::outcome::{Ended, Failure, Invalid, Statistics, Status};
use super::output::{Cursor, Output};
use super::radau::Radau;
use super::settings::{Integrator, Settings};
use super::switching::Switching;
use super::tsit5::Tsit5;
use super::watch::Watcher;

/// Integrates flows. Buffers are kept from run to run, for as long as the number of components and of guards stays the same.
pub struct Solver {
    settings: Settings,
    rooms: Option<Rooms>,
}

/// All buffers of a run.
struct Rooms {
    n: usize,
    guards: usize,
    engine: Engine,
    phase: Phase,
    watcher: Watcher,
    y: Vec<f64>,
    copy: Vec<f64>,
    scratch: Vec<f64>,
    /// For each guard, when it last cut a step, falling and rising.
    last_cut: Vec<[f64; 2]>,
}

/// The stepping methods.
enum Engine {
    Auto(Box<Switching>),
    Dop853(Dop853),
    Tsit5(Tsit5),
    Adams(Adams),
    Radau(Radau),
    Bdf(Bdf),
    Rk4(Fixed<Rk4>),
    Verlet(Fixed<Verlet>),
}

impl Engine {
    fn new(integrator: Integrator, n: usize) -> Self {
        match integrator {
            Integrator::Auto => Engine::Auto(Box::new(Switching::new(n))),
            Integrator::Dop853 => Engine::Dop853(Dop853::new(n)),
            Integrator::Tsit5 => Engine::Tsit5(Tsit5::new(n)),
            Integrator::Adams => Engine::Adams(Adams::new(n)),
            Integrator::Radau => Engine::Radau(Radau::new(n)),
            Integrator::Bdf => Engine::Bdf(Bdf::new(n)),
            Integrator::Rk4 { .. } => Engine::Rk4(Fixed::new(n)),
            Integrator::Verlet { .. } => Engine::Verlet(Fixed::new(n)),
        }
    }
}

impl Solver {
    /// A solver with these settings, or everything that is wrong with them.
    pub fn new(settings: Settings) -> Result<Self, Vec<Invalid>> {
        let faults = settings.faults();
        if faults.is_empty() {
            Ok(Self {
                settings,
                rooms: None,
            })
        } else {
            Err(faults)
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the first step to try in the runs to come; `None`: estimated.
    pub fn set_first_step(&mut self, first_step: Option<f64>) -> Result<(), Invalid> {
        match first_step {
            Some(step) if !(step > 0.0 && step.is_finite()) => {
                Err(Invalid::new("first_step", step, "a positive number"))
            }
            _ => {
                self.settings.first_step = first_step;
                Ok(())
            }
        }
    }

    /// Integrates `flow` from `start` to `end`; `y` is the state at the start, and afterwards the state at the time reached.
    pub fn run<F: Flow>(&mut self, flow: &mut F, start: f64, end: f64, y: &mut [f64]) -> Ended {
        self.run_with(flow, start, end, y, Output::None, |_, _| {})
    }

    /// The same, handing the state at the times of `output` to `sink`, in order of time.
    pub fn run_with<F: Flow>(
        &mut self,
        flow: &mut F,
        start: f64,
        end: f64,
        y: &mut [f64],
        output: Output<'_>,
        sink: impl FnMut(f64, &[f64]),
    ) -> Ended {
        self.run_on(flow, [start, end], y, output, sink, Statistics::default())
    }

    /// The same as one part of a longer run that has cost `before` so far: the cost goes on from there, and so does the number of steps allowed.
    pub fn run_on<F: Flow>(
        &mut self,
        flow: &mut F,
        [start, end]: [f64; 2],
        y: &mut [f64],
        output: Output<'_>,
        sink: impl FnMut(f64, &[f64]),
        before: Statistics,
    ) -> Ended {
        let nothing_done = |invalid: Invalid| Ended {
            status: Status::Failed(Failure::Invalid(invalid)),
            t: start,
            statistics: before,
        };
        let cursor = match Cursor::new(output, start, end) {
            Ok(cursor) => cursor,
            Err(invalid) => return nothing_done(invalid),
        };
        if let Err(invalid) = check_start(flow, &self.settings, start, end, y) {
            return nothing_done(invalid);
        }
        let (n, guards) = (y.len(), flow.guard_count());
        let settings = &self.settings;
        if self
            .rooms
            .as_ref()
            .is_some_and(|rooms| rooms.n != n || rooms.guards != guards)
        {
            self.rooms = None;
        }
        let rooms = self
            .rooms
            .get_or_insert_with(|| Rooms::new(settings, n, guards));
        rooms.reset(settings, flow);
        let Rooms {
            engine,
            phase,
            watcher,
            y: state,
            copy,
            scratch,
            last_cut,
            ..
        } = rooms;
        state.copy_from_slice(y);
        macro_rules! drive {
            ($method:expr) => {
                Drive {
                    settings,
                    flow: Clocked {
                        flow,
                        clock: Clock::Time,
                        origin: start,
                        evaluations: before.rhs_evaluations + before.output_evaluations,
                    },
                    method: $method,
                    phase,
                    watcher,
                    y: state,
                    copy,
                    scratch,
                    cursor,
                    sink,
                    span: (start, end),
                    t: start,
                    s: start,
                    s_end: end,
                    ahead: f64::INFINITY,
                    worst: (0, 0.0),
                    statistics: before,
                    crowd: Crowd {
                        since: start,
                        events: 0,
                        close: 0,
                    },
                    last_cut,
                }
                .run()
            };
        }
        let ended = match engine {
            Engine::Auto(method) => drive!(&mut **method),
            Engine::Dop853(method) => drive!(method),
            Engine::Tsit5(method) => drive!(method),
            Engine::Adams(method) => drive!(method),
            Engine::Radau(method) => drive!(method),
            Engine::Bdf(method) => drive!(method),
            Engine::Rk4(method) => drive!(method),
            Engine::Verlet(method) => drive!(method),
        };
        y.copy_from_slice(state);
        ended
    }
}

/// Refuses a start that makes no sense.
fn check_start<F: Flow>(
    flow: &F,
    settings: &Settings,
    start: f64,
    end: f64,
    y: &[f64],
) -> Result<(), Invalid> {
    if !start.is_finite() {
        return Err(Invalid::new("start", start, "a finite number"));
    }
    if !(end.is_finite() && end >= start) {
        return Err(Invalid::new(
            "end",
            end,
            format!("a finite number, not before the start, {start}"),
        ));
    }
    if y.is_empty() {
        return Err(Invalid::new("number of components", 0, "at least 1"));
    }
    if let Some(i) = y.iter().position(|v| !v.is_finite()) {
        return Err(Invalid::new(
            format!("start of {}", flow.component_name(i)),
            y[i],
            "a finite number",
        ));
    }
    if matches!(settings.integrator, Integrator::Verlet { .. }) && y.len() % 2 == 1 {
        return Err(Invalid::new(
            "number of components",
            y.len(),
            "even for velocity Verlet: positions, then as many velocities",
        ));
    }
    for kind in &settings.kinds {
        if !(0..y.len()).any(|i| flow.component_kind(i) == kind.kind) {
            let mut known: Vec<_> = (0..y.len()).map(|i| flow.component_kind(i)).collect();
            known.sort_unstable();
            known.dedup();
            return Err(Invalid::new(
                "kind of a tolerance",
                &kind.kind,
                format!("one of {}", known.join(", ")),
            ));
        }
    }
    Ok(())
}

impl Rooms {
    fn new(settings: &Settings, n: usize, guards: usize) -> Self {
        Self {
            n,
            guards,
            engine: Engine::new(settings.integrator, n),
            phase: Phase {
                watch: vec![Watch::Any; guards],
                rtol: vec![0.0; n],
                atol: vec![0.0; n],
                max_step: f64::INFINITY,
                clock: Clock::Time,
            },
            watcher: Watcher::new(n, guards, settings.guard_samples),
            y: vec![0.0; n],
            copy: vec![0.0; n],
            scratch: vec![0.0; 2 * n],
            last_cut: vec![[f64::NEG_INFINITY; 2]; guards],
        }
    }

    /// Everything as the settings say.
    fn reset<F: Flow>(&mut self, settings: &Settings, flow: &F) {
        self.phase.watch.fill(Watch::Any);
        self.phase.max_step = settings.max_step;
        self.phase.clock = Clock::Time;
        self.last_cut.fill([f64::NEG_INFINITY; 2]);
        for i in 0..self.n {
            let own = (!settings.kinds.is_empty())
                .then(|| flow.component_kind(i))
                .and_then(|kind| settings.kinds.iter().find(|k| k.kind == kind));
            (self.phase.rtol[i], self.phase.atol[i]) = match own {
                Some(kind) => (kind.rtol, kind.atol),
                None => (settings.rtol, settings.atol),
            };
        }
    }
}
