//! How do the integration variable and time go together?

use super::flow::{Clock, Flow};
use super::method::Slope;
use crate::math;

/// A flow seen through its integration variable: s is time itself, or a root of the time since the phase began. Counts evaluations.
pub(crate) struct Clocked<'a, F> {
    pub flow: &'a mut F,
    pub clock: Clock,
    /// The time at which the phase began.
    pub origin: f64,
    pub evaluations: u64,
}

impl Clock {
    /// The integration variable at time t of a phase that began at `origin`; zero before.
    pub(crate) fn variable(self, origin: f64, t: f64) -> f64 {
        match self {
            Clock::Time => t,
            Clock::SquareRoot => math::sqrt((t - origin).max(0.0)),
            Clock::FourthRoot => math::sqrt(math::sqrt((t - origin).max(0.0))),
        }
    }
}

impl<F: Flow> Clocked<'_, F> {
    /// The time at s.
    #[inline]
    pub fn time(&self, s: f64) -> f64 {
        match self.clock {
            Clock::Time => s,
            Clock::SquareRoot => self.origin + s * s,
            Clock::FourthRoot => self.origin + (s * s) * (s * s),
        }
    }

    /// The integration variable at time t, not before the origin.
    pub fn variable(&self, t: f64) -> f64 {
        self.clock.variable(self.origin, t)
    }

    /// The step in s from `s` on that takes the time `dt`.
    pub fn step(&self, s: f64, dt: f64) -> f64 {
        match self.clock {
            Clock::Time => dt,
            _ => self.variable(self.time(s) + dt) - s,
        }
    }
}

impl<F: Flow> Slope for Clocked<'_, F> {
    #[inline(always)]
    fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]) {
        self.evaluations += 1;
        self.flow.rhs(self.time(s), y, dyds);
        let rate = match self.clock {
            Clock::Time => return,
            Clock::SquareRoot => 2.0 * s,
            Clock::FourthRoot => 4.0 * s * s * s,
        };
        for d in dyds {
            *d *= rate;
        }
    }

    fn depends(&self, row: usize, column: usize) -> bool {
        self.flow.depends(row, column)
    }
}
