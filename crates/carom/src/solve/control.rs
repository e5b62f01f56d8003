//! How is the next step chosen?
//!
//! A proportional–integral controller on the largest error over the components (Hairer, Wanner 1996, section IV.2), and the estimate of a first step
//! (Hairer, Nørsett, Wanner 1993, section II.4). A trial that is not a finite number is a rejected step, and the next one is ten times shorter.

use super::method::{Attempt, Slope, Tolerance};
use crate::math;

/// What a step is multiplied by when a trial value was not finite.
pub(crate) const NOT_FINITE: f64 = 0.1;

/// The logarithm to base 2 of the smallest error the integral part takes notice of: about 1e-4.
const QUIET: f64 = -13.25;

/// One over the order that a first step shows where a force begins like δ^(3/2).
const AT_A_KINK: f64 = 1.0 / 3.0;

/// The largest error seen, in units of what is tolerated, and its component. Not-a-number wins over everything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Worst {
    pub error: f64,
    pub component: usize,
}

impl Worst {
    /// Takes note of the error of one component.
    #[inline]
    pub fn see(&mut self, component: usize, error: f64) {
        let error = error.abs();
        // Written so that a NaN is taken, and kept.
        if !(error <= self.error) && !self.error.is_nan() {
            *self = Self { error, component };
        }
    }
}

/// The step-size controller of a method of fixed order.
#[derive(Clone, Debug)]
pub(crate) struct Controller {
    /// The errors handed in are squares, or not: what turns their logarithms into those of the errors.
    root: f64,
    /// What the error of the first step of a phase is multiplied by: a kink fools the estimate of some methods.
    doubt: f64,
    /// Exponent of the error of this step.
    now: f64,
    /// Exponent of the error of the step before.
    before: f64,
    safety: f64,
    least: f64,
    most: f64,
    /// Logarithm to base 2 of the error of the last committed step, and of the attempt under judgement.
    last: f64,
    trial: f64,
    /// Step and error of the last attempt rejected from this point; no step: none was.
    failed_step: f64,
    failed_error: f64,
    /// Whether an attempt from this point was rejected: then the next step does not grow.
    rejected: bool,
    /// Whether this is the first step of a phase: the flow may have a kink at its start, as a contact force has.
    first: bool,
}

impl Controller {
    /// For error estimates that behave like h^order. `beta` is the weight of the integral part; a step changes by a factor between `least` and `most`.
    pub fn new(order: u32, beta: f64, safety: f64, least: f64, most: f64) -> Self {
        Self {
            root: 1.0,
            doubt: 1.0,
            now: 1.0 / f64::from(order) - 0.75 * beta,
            before: beta,
            safety,
            least,
            most,
            last: 0.0,
            trial: 0.0,
            failed_step: 0.0,
            failed_error: 0.0,
            rejected: false,
            first: true,
        }
    }

    /// The same for errors that are handed in squared: that saves the root on the way to the next step, which everything waits for.
    pub fn of_squares(self) -> Self {
        Self { root: 0.5, ..self }
    }

    /// The same with an error of first steps that counts this many times.
    pub fn doubting_first_steps(self, doubt: f64) -> Self {
        Self { doubt, ..self }
    }

    /// Forgets what it knows of earlier steps.
    pub fn forget(&mut self) {
        self.last = 0.0;
        self.rejected = false;
        self.failed_step = 0.0;
        self.first = true;
    }

    /// Judges an attempt with step `h`.
    #[inline]
    pub fn judge(&mut self, worst: Worst, h: f64) -> Attempt {
        let error = if self.first {
            self.doubt * worst.error
        } else {
            worst.error
        };
        let (accepted, factor) = if !error.is_finite() {
            self.rejected = true;
            (false, NOT_FINITE)
        } else {
            let log = self.root * math::rough_log2(error.max(1e-20));
            if error <= 1.0 {
                self.trial = log.max(QUIET);
                let most = if self.rejected { 1.0 } else { self.most };
                let factor =
                    self.safety * math::rough_exp2(self.before * self.last - self.now * log);
                (true, factor.clamp(self.least, most))
            } else {
                self.rejected = true;
                // Twice from the same point: trust the order that shows, which is lower where the flow is not smooth.
                let mut factor = self.safety * math::rough_exp2(-self.now * log);
                if self.first {
                    factor = factor.min(self.safety * math::rough_exp2(-AT_A_KINK * log));
                }
                if self.failed_step > h && self.failed_error > error {
                    let order = self.root * math::ln(self.failed_error / error)
                        / math::ln(self.failed_step / h);
                    let shown = 1.0 / order.clamp(1.0, 1.0 / self.now);
                    factor = factor.min(self.safety * math::rough_exp2(-shown * log));
                }
                self.failed_step = h;
                self.failed_error = error;
                (false, factor.clamp(self.least, 0.95))
            }
        };
        Attempt {
            accepted,
            reached: true,
            error: if self.root < 1.0 {
                math::sqrt(error)
            } else {
                error
            },
            worst: worst.component,
            next: h * factor,
        }
    }

    /// The attempt last judged is committed.
    #[inline]
    pub fn commit(&mut self) {
        self.last = self.trial;
        self.rejected = false;
        self.failed_step = 0.0;
        self.first = false;
    }
}

/// A first step from the size of the state, of its slope and of the slope's change, for a method of the given order; costs one evaluation. `limit` is the largest step.
/// The scratch slices have the size of the state.
pub(crate) fn first_step<S: Slope>(
    slope: &mut S,
    (s, y, f): (f64, &[f64], &[f64]),
    order: u32,
    tolerance: Tolerance<'_>,
    limit: f64,
    point: &mut [f64],
    slope_there: &mut [f64],
) -> f64 {
    let (mut size, mut speed) = (0.0_f64, 0.0_f64);
    for i in 0..y.len() {
        let unit = tolerance.scale(i, y[i], y[i]);
        size = size.max((y[i] / unit).abs());
        speed = speed.max((f[i] / unit).abs());
    }
    let guess = if size < 1e-5 || speed < 1e-5 {
        1e-6
    } else {
        0.01 * size / speed
    };
    let guess = guess.min(limit);
    for i in 0..y.len() {
        point[i] = y[i] + guess * f[i];
    }
    slope.eval(s + guess, point, slope_there);
    let mut bend = 0.0_f64;
    for i in 0..y.len() {
        let unit = tolerance.scale(i, y[i], y[i]);
        bend = bend.max(((slope_there[i] - f[i]) / unit).abs());
    }
    let steepest = speed.max(bend / guess);
    let step = if !steepest.is_finite() {
        guess * NOT_FINITE
    } else if steepest <= 1e-15 {
        (guess * 1e-3).max(1e-6)
    } else {
        math::powf(0.01 / steepest, 1.0 / f64::from(order))
    };
    step.min(100.0 * guess).min(limit)
}
