//! One free central impact by integrating the motion: from touch to separation, with the events that a contact asks for.

use carom::card::Values;
use carom::contact::{self, Calibration, Law, Separation, State, Touch};
use carom::solve::{Action, Clock, Fired, Flow, Phase, Settings, Solver, Status, Watch};

/// How an impact went. Each file of tests reads what it needs.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Speed after over speed before.
    pub restitution: f64,
    /// The deepest indentation, m (of laws with an event there).
    pub deepest: f64,
    /// The indentation at separation, m.
    pub left: f64,
    /// The force at separation, N.
    pub force: f64,
    /// Whether the bodies stayed together.
    pub stayed: bool,
}

struct Free {
    touch: Touch,
    stayed: bool,
}

impl Free {
    fn state(t: f64, y: &[f64]) -> State {
        State {
            delta: y[0],
            rate: y[1],
            time: t,
            own: y[2],
        }
    }
}

impl Flow for Free {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let state = Self::state(t, y);
        dydt[0] = y[1];
        dydt[1] = -self.touch.force(&state).total() / self.touch.mass();
        dydt[2] = self.touch.own_rate(&state);
    }
    fn guard_count(&self) -> usize {
        3
    }
    fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
        let state = Self::state(t, y);
        g[0] = self.touch.separation_guard(&state);
        g[1] = self.touch.switch_guard(&state).unwrap_or(1.0);
        g[2] = y[0];
    }
    fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        if !fired.contains(1) {
            return Action::Stop;
        }
        let state = Self::state(t, y);
        self.touch.switch(&state);
        if self.touch.separation_guard(&state) <= 0.0 {
            self.stayed = true;
            return Action::Stop;
        }
        Action::Restart { first_step: None }
    }
    fn phase(&mut self, t: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch.fill(Watch::Falling);
        let scales = [
            self.touch.elastic_depth(),
            self.touch.v0(),
            self.touch.own_scale(),
        ];
        for (atol, scale) in phase.atol.iter_mut().zip(scales) {
            *atol = 1e-13 * scale;
        }
        phase.clock = if t == 0.0 {
            Clock::SquareRoot
        } else {
            Clock::Time
        };
    }
}

/// A law from numbers; its contact ends at zero force where it can.
pub fn law(id: &str, values: &[(&str, f64)], calibration: Calibration) -> Law {
    let mut all = Values::new();
    for (name, value) in values {
        all.set_number(name, *value);
    }
    let card = contact::find(id).expect("known");
    if card.separations.contains(&Separation::ZeroForce) {
        all.set_word("separation", Separation::ZeroForce.name());
    }
    Law::new(card, &all, None, calibration).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Begins a contact of such a law.
pub fn touch(id: &str, values: &[(&str, f64)], v0: f64, mass: f64) -> Touch {
    law(id, values, Calibration::Published)
        .touch(v0, mass)
        .expect("in range")
}

/// Integrates the motion until the bodies part.
pub fn run(touch: Touch) -> Impact {
    let (v0, depth) = (touch.v0(), touch.elastic_depth());
    let settings = Settings {
        rtol: 1e-13,
        first_step: Some(1e-2 * depth / v0),
        max_steps: 100_000,
        ..Settings::default()
    };
    let mut free = Free {
        touch,
        stayed: false,
    };
    let mut y = [0.0, v0, 0.0];
    let ended = Solver::new(settings)
        .expect("sound")
        .run(&mut free, 0.0, 1e6 * depth / v0, &mut y);
    assert_eq!(ended.status, Status::Stopped, "the contact ends");
    Impact {
        restitution: -y[1] / v0,
        deepest: free.touch.memory().deepest,
        left: y[0],
        force: free.touch.force(&Free::state(ended.t, &y)).total(),
        stayed: free.stayed,
    }
}
