//! What does a contact remember whose law is more than a power of the indentation and a damper?

use crate::contact::{Force, Separation, State, Touch};

/// A contact of any law of the catalogue, followed by fixed steps. What must be an event elsewhere happens here at the step that finds it.
#[derive(Clone, Debug)]
pub(super) struct Lasting {
    touch: Touch,
    since: f64,
    /// The law's own variable, and its rate at the last step.
    own: f64,
    own_rate: f64,
    /// The rate of the indentation at the last step, m/s.
    rate: f64,
    /// Parted before the indentation was gone: in the dent that is left it may go on.
    parted: bool,
    /// What was left in the surfaces when they parted, and has become heat, J.
    lost: f64,
}

impl Lasting {
    pub fn new(touch: Touch, time: f64) -> Self {
        Self {
            touch,
            since: time,
            own: 0.0,
            own_rate: 0.0,
            rate: 0.0,
            parted: false,
            lost: 0.0,
        }
    }

    fn state(&self, time: f64, delta: f64, rate: f64) -> State {
        State {
            delta,
            rate,
            time: time - self.since,
            own: self.own,
        }
    }

    /// The force at the end of a step `h` (s), at a positive indentation.
    pub fn advance(&mut self, time: f64, h: f64, delta: f64, rate: f64) -> Force {
        // What has parted does not relax: it waits in its dent.
        if self.touch.has_own() && !self.parted {
            self.relax(time, h, delta, rate);
        }
        let before = self.rate;
        self.rate = rate;
        let s = self.state(time, delta, rate);
        if self.parted {
            if !(self.touch.separation_guard(&s) > 0.0) {
                return Force::default();
            }
            self.parted = false;
            self.lost -= self.touch.elastic_work(delta);
        }
        if self.touch.switch_guard(&s).is_some_and(|guard| guard < 0.0) {
            // The top of the parabola through both steps.
            let top = if before > 0.0 && rate < 0.0 {
                delta + 0.5 * h * rate * rate / (before - rate)
            } else {
                delta
            };
            let turn = State { delta: top, ..s };
            self.touch.switch(&turn);
        }
        let ends = self.touch.separation() != Separation::ZeroIndentation
            && !(self.touch.separation_guard(&s) > 0.0);
        if ends && rate <= 0.0 {
            self.parted = true;
            self.lost += self.touch.elastic_work(delta);
            return Force::default();
        }
        self.touch.force(&s)
    }

    /// The law's own variable over one step by the trapezoidal rule, solved by secants: it may relax in less than a step.
    fn relax(&mut self, time: f64, h: f64, delta: f64, rate: f64) {
        let s = self.state(time, delta, rate);
        let slope = |own: f64| self.touch.own_rate(&State { own, ..s });
        let half = 0.5 * h;
        let base = self.own + half * self.own_rate;
        let miss = |own: f64| own - base - half * slope(own);
        let (mut x, mut at) = (self.own, miss(self.own));
        let mut next = base + half * slope(self.own);
        for _ in 0..8 {
            let there = miss(next);
            let (dx, dy) = (next - x, there - at);
            (x, at) = (next, there);
            if !(dy != 0.0 && dy.is_finite()) || at == 0.0 {
                break;
            }
            next = x - at * dx / dy;
        }
        self.own_rate = slope(x);
        self.own = x;
    }

    /// The force as it was left.
    pub fn force(&self, time: f64, delta: f64, rate: f64) -> Force {
        if self.parted {
            return Force::default();
        }
        self.touch.force(&self.state(time, delta, rate))
    }

    /// The largest indentation for which the law has a force, m.
    pub fn limit(&self) -> f64 {
        self.touch.limit()
    }

    /// What is stored, J.
    pub fn stored(&self, delta: f64) -> f64 {
        if self.parted {
            0.0
        } else {
            self.touch.stored(delta.max(0.0))
        }
    }

    /// What has become heat beside the power of the damper, J.
    pub fn lost(&self, delta: f64) -> f64 {
        if self.parted {
            return self.lost;
        }
        let delta = delta.max(0.0);
        self.lost + self.touch.elastic_work(delta) - self.touch.stored(delta)
    }
}
