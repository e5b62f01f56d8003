//! When does a run change between the explicit and the implicit method?
//!
//! It starts with Dormand–Prince 8(5,3). When stability and not accuracy has bounded the step for a while, shown by h·|λ| along the solution (Hairer, Wanner 1996,
//! section IV.2), it goes over to Radau IIA-5; when the implicit steps have become so short that the explicit method would be stable at them, it goes back.

use super::dop853::Dop853;
use super::method::{Attempt, Ends, Method, Slope, Tolerance, Work};
use super::radau::Radau;

/// The explicit method is at its limit of stability from about here on.
const STIFF: f64 = 6.1;
/// … and is far enough from it below this.
const EASY: f64 = 2.0;
/// So many steps at the limit mean stiffness,
const STIFF_STEPS: u32 = 15;
/// and so many that are not, in a row, mean that it was chance.
const CALM_STEPS: u32 = 6;

/// Dormand–Prince 8(5,3) and Radau IIA-5 in turns.
pub(crate) struct Switching {
    explicit: Dop853,
    implicit: Radau,
    stiff: bool,
    /// Steps at the limit, and steps in a row that were not.
    count: u32,
    calm: u32,
    /// The last attempt's h·|λ|.
    limit: f64,
    /// Change over at the next attempt.
    change: bool,
    /// The current point.
    s: f64,
    y: Vec<f64>,
}

impl Switching {
    /// Both methods for `n` components.
    pub fn new(n: usize) -> Self {
        Self {
            explicit: Dop853::new(n),
            implicit: Radau::new(n),
            stiff: false,
            count: 0,
            calm: 0,
            limit: 0.0,
            change: false,
            s: 0.0,
            y: vec![0.0; n],
        }
    }

    fn note(&mut self) {
        let telling = if self.stiff {
            self.limit < EASY
        } else {
            self.limit > STIFF
        };
        if telling {
            self.count += 1;
            self.calm = 0;
        } else {
            self.calm += 1;
            if self.calm >= CALM_STEPS {
                self.count = 0;
            }
        }
        self.change = self.count >= STIFF_STEPS;
    }
}

/// Hands a call to the method at work.
macro_rules! at_work {
    ($self:ident, $method:ident => $call:expr) => {
        if $self.stiff {
            let $method = &$self.implicit;
            $call
        } else {
            let $method = &$self.explicit;
            $call
        }
    };
    (mut $self:ident, $method:ident => $call:expr) => {
        if $self.stiff {
            let $method = &mut $self.implicit;
            $call
        } else {
            let $method = &mut $self.explicit;
            $call
        }
    };
}

impl Method for Switching {
    fn first_order(&self) -> u32 {
        at_work!(self, method => method.first_order())
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.stiff = false;
        (self.count, self.calm, self.change) = (0, 0, false);
        self.s = s;
        self.y.copy_from_slice(y);
        self.explicit.begin(slope, s, y);
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        if self.change {
            self.stiff = !self.stiff;
            (self.count, self.calm, self.change) = (0, 0, false);
            at_work!(mut self, method => method.begin(slope, self.s, &self.y));
        }
        at_work!(mut self, method => method.attempt(slope, h, tolerance))
    }

    fn commit(&mut self) {
        self.limit = at_work!(self, method => method.stiffness());
        self.note();
        let ends = at_work!(self, method => method.ends());
        self.s = ends.s0 + ends.h;
        self.y.copy_from_slice(ends.y1);
        at_work!(mut self, method => method.commit());
    }

    fn reset(&mut self) {
        self.implicit.reset();
    }

    fn here(&self) -> &[f64] {
        at_work!(self, method => method.here())
    }

    fn ends(&self) -> Ends<'_> {
        at_work!(self, method => method.ends())
    }

    fn prepare_dense<S: Slope>(&mut self, slope: &mut S) {
        at_work!(mut self, method => method.prepare_dense(slope));
    }

    fn dense(&self, theta: f64, y: &mut [f64]) {
        at_work!(self, method => method.dense(theta, y));
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], tolerance: Tolerance<'_>) {
        let ends = at_work!(self, method => method.ends());
        self.s = ends.s0 + theta * ends.h;
        self.y.copy_from_slice(y);
        at_work!(mut self, method => method.cut(slope, theta, y, tolerance));
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.y.copy_from_slice(y);
        at_work!(mut self, method => method.moved(slope, y));
    }

    fn work(&self) -> Work {
        self.implicit.work()
    }
}
