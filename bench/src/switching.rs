//! Which problem with hysteresis has known switching times?

use carom::solve::{Action, Clock, Watch};

use crate::hybrid::{Base, flow_of_hybrid};
use crate::{Hybrid, Problem};

/// A room with a thermostat: T′ = (goal − T)/τ, the goal warm while the heater is on and cold while it is off; it goes off at `high` and on at `low`; y = \[T\].
///
/// Two guards: 0 watches `high`, rising, while the heater is on; 1 watches `low`, falling, while it is off.
#[derive(Clone, Debug)]
pub struct Thermostat {
    /// The temperature outside, to which the room cools.
    pub cold: f64,
    /// The temperature the heater would reach.
    pub warm: f64,
    /// The time constant τ, s.
    pub tau: f64,
    /// The heater goes on here.
    pub low: f64,
    /// The heater goes off here.
    pub high: f64,
    /// The temperature at the start, below `high`, with the heater on.
    pub initial: f64,
    /// The times of switching so far.
    pub switches: Vec<f64>,
    on: bool,
    base: Base,
}

impl Thermostat {
    /// Whether the heater is on.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// The time of switch `k` (from 1): odd ones go off, even ones go on.
    pub fn switch(&self, k: usize) -> f64 {
        let heat = |from: f64| self.tau * ((self.warm - from) / (self.warm - self.high)).ln();
        let cool = self.tau * ((self.high - self.cold) / (self.low - self.cold)).ln();
        if k == 0 {
            return 0.0;
        }
        heat(self.initial) + (k / 2) as f64 * cool + ((k - 1) / 2) as f64 * heat(self.low)
    }

    fn clock(&self) -> Clock {
        Clock::Time
    }
}

impl Default for Thermostat {
    fn default() -> Self {
        Thermostat {
            cold: 5.0,
            warm: 30.0,
            tau: 10.0,
            low: 19.0,
            high: 21.0,
            initial: 12.0,
            switches: Vec::with_capacity(256),
            on: true,
            base: Base::default(),
        }
    }
}

impl Hybrid for Thermostat {
    fn size(&self) -> usize {
        1
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let goal = if self.on { self.warm } else { self.cold };
        dydt[0] = (goal - y[0]) / self.tau;
    }
    fn guard_total(&self) -> usize {
        2
    }
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0] - self.high;
        g[1] = y[0] - self.low;
    }
    fn watched(&self, i: usize) -> Watch {
        match (i, self.on) {
            (0, true) => Watch::Rising,
            (1, false) => Watch::Falling,
            _ => Watch::Off,
        }
    }
    fn jump(&mut self, t: f64, _y: &mut [f64], i: usize) -> Action {
        self.on = i == 1;
        self.switches.push(t);
        Action::Restart {
            first_step: Some(0.05 * self.tau),
        }
    }
}

flow_of_hybrid!(Thermostat, ["temperature"] : ["temperature"], ["too warm", "too cold"]);

impl Problem for Thermostat {
    fn name(&self) -> &'static str {
        "thermostat"
    }
    fn start(&self) -> Vec<f64> {
        vec![self.initial]
    }
    fn end(&self) -> f64 {
        60.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let mut k = 0;
        while k < 100_000 && self.switch(k + 1) <= t {
            k += 1;
        }
        let (goal, from) = match k {
            0 => (self.warm, self.initial),
            _ if k % 2 == 1 => (self.cold, self.high),
            _ => (self.warm, self.low),
        };
        Some(vec![
            goal + (from - goal) * (-(t - self.switch(k)) / self.tau).exp(),
        ])
    }
    fn reset(&mut self) {
        self.switches.clear();
        self.on = true;
        self.base = Base::default();
    }
}
