//! How do the two pendulums of Poursina and Nikravesh (2020) move if every impact is over at once?
//!
//! The piecewise method: nothing moves in an impact, and the speed of the touching points along the normal is turned round, times the restitution, by the impulse that takes.

use crate::math;
use crate::solve::{
    Action, Fired, Flow, Integrator, Output, Phase, Settings, Solver, Status, Watch,
};

use super::Trouble;

const GRAVITY: f64 = 9.81;
/// From pivot to pivot, m.
const APART: f64 = 2.0;
const MASSES: [f64; 2] = [1.0, 0.2];
const LENGTHS: [f64; 2] = [6.0, 4.0];

/// An impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blow {
    /// When, s.
    pub time: f64,
    /// Approach speed, m/s.
    pub approach: f64,
}

/// The motion and its impacts.
pub(super) struct Run {
    /// Time; the two angles from the downward vertical, rad, and their rates.
    pub states: Vec<(f64, [f64; 4])>,
    /// In order of time.
    pub blows: Vec<Blow>,
}

/// Two rods on pivots; the tip of the second strikes the left side of the first.
struct Rods {
    restitution: f64,
    blows: Vec<Blow>,
}

fn four(y: &[f64]) -> [f64; 4] {
    let mut state = [0.0; 4];
    for (to, from) in state.iter_mut().zip(y) {
        *to = *from;
    }
    state
}

/// Of a thin rod about its end, kg m².
fn inertias() -> [f64; 2] {
    let [one, two] = LENGTHS;
    [MASSES[0] * one * one / 3.0, MASSES[1] * two * two / 3.0]
}

/// The tip of rod 2, m.
fn tip(y: [f64; 4]) -> [f64; 2] {
    let length = LENGTHS[1];
    [length * math::sin(y[1]) - APART, -length * math::cos(y[1])]
}

/// The arms of the contact force about the two pivots, m: along rod 1 to the tip of rod 2, and of rod 2 across it.
fn arms(y: [f64; 4]) -> [f64; 2] {
    let [x, height] = tip(y);
    [
        x * math::sin(y[0]) - height * math::cos(y[0]),
        LENGTHS[1] * math::cos(y[0] - y[1]),
    ]
}

impl Flow for Rods {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let y = four(y);
        // A thin rod about its end: 3/2 g/L.
        let swing = |i: usize| -1.5 * GRAVITY / LENGTHS[i] * math::sin(y[i]);
        for (to, rate) in dydt.iter_mut().zip([y[2], y[3], swing(0), swing(1)]) {
            *to = rate;
        }
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        let y = four(y);
        let [x, height] = tip(y);
        for indentation in g {
            *indentation = x * math::cos(y[0]) + height * math::sin(y[0]);
        }
    }

    fn event(&mut self, t: f64, y: &mut [f64], _fired: &Fired<'_>) -> Action {
        let state = four(y);
        let ([one, two], [first, second]) = (arms(state), inertias());
        let approach = two * state[3] - one * state[2];
        let mass = 1.0 / (one * one / first + two * two / second);
        let impulse = (1.0 + self.restitution) * mass * approach;
        self.blows.push(Blow { time: t, approach });
        let changes = [0.0, 0.0, impulse * one / first, -impulse * two / second];
        for (value, change) in y.iter_mut().zip(changes) {
            *value += change;
        }
        Action::Restart { first_step: None }
    }

    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        for watch in phase.watch.iter_mut() {
            *watch = Watch::Rising;
        }
    }
}

/// Follows the rods from rest at two angles (rad) to the end time (s), with so many states.
pub(super) fn follow(
    release: [f64; 2],
    restitution: f64,
    end: f64,
    states: u32,
) -> Result<Run, Trouble> {
    let mut solver = Solver::new(Settings {
        integrator: Integrator::Dop853,
        rtol: 1e-11,
        atol: 1e-13,
        ..Settings::default()
    })?;
    let mut rods = Rods {
        restitution,
        blows: Vec::new(),
    };
    let mut y = [release[0], release[1], 0.0, 0.0];
    let mut kept = Vec::new();
    let ended = solver.run_with(
        &mut rods,
        0.0,
        end,
        &mut y,
        Output::Every(end / f64::from(states)),
        |t, y| kept.push((t, four(y))),
    );
    match ended.status {
        Status::Failed(failure) => Err(Trouble::Motion(failure)),
        _ => Ok(Run {
            states: kept,
            blows: rods.blows,
        }),
    }
}
