//! How does a stiff flow take a step? With the three-stage Radau IIA method of order 5.
//!
//! After Hairer and Wanner, Solving Ordinary Differential Equations II (2nd ed. 1996), section IV.8: the stages are collocation points, their equations are solved by
//! simplified Newton iterations that a change of variables splits into one real and one complex system, the iterations start from the last step's polynomial, and the
//! error is that of an embedded formula of order 3, filtered. The method is L-stable: what decays faster than the step can see is gone after it.
//!
//! The estimate is taken at its word. Their code RADAU5 allows 0.1·rtol^(2/3) where rtol is asked for, which saves up to half the work where the step is of order 5. But where a
//! stiff force makes one component follow another the step is of order 3 to 4, and that room would become many tolerances; the tests bound the error by 12 of them.

#![allow(clippy::excessive_precision)] // the constants stand as they were published

use super::jacobian::Jacobian;
use super::linear::{Complex, Lu};
use super::method::{Attempt, Ends, Method, Slope, Tolerance, Work};
use crate::math;

const SQRT_6: f64 = 2.449_489_742_783_178_1;

/// The collocation points (table IV.5.6).
const C: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// The real eigenvalue of A⁻¹ and the complex pair α ± iβ (section IV.8, after 8.9).
const GAMMA: f64 = 3.637_834_252_744_495_7;
const ALPHA: f64 = 2.681_082_873_627_752_1;
const BETA: f64 = 3.050_430_199_247_410_6;

/// T with T⁻¹ A⁻¹ T = [γ 0 0; 0 α −β; 0 β α], and its inverse (section IV.8, the numbers of their code RADAU5).
const T: [[f64; 3]; 3] = [
    [
        0.091_232_394_870_892_942_792,
        -0.141_255_295_020_954_208_43,
        -0.030_029_194_105_147_424_492,
    ],
    [
        0.241_717_932_707_107_018_96,
        0.204_129_352_293_799_931_99,
        0.382_942_112_757_261_937_79,
    ],
    [0.966_048_182_615_092_936_19, 1.0, 0.0],
];
const TI: [[f64; 3]; 3] = [
    [
        4.325_579_890_063_155_351_0,
        0.339_199_251_815_809_869_54,
        0.541_770_539_935_874_871_19,
    ],
    [
        -4.178_718_591_551_904_727_3,
        -0.327_682_820_761_062_387_08,
        0.476_623_554_500_550_451_96,
    ],
    [
        -0.502_872_634_945_786_875_95,
        2.571_926_949_855_605_429_2,
        -0.596_039_204_828_224_924_97,
    ],
];

/// Weights of the stages in the error estimate (8.18 to 8.19, times γ).
const E: [f64; 3] = [
    (-13.0 - 7.0 * SQRT_6) / 3.0,
    (-13.0 + 7.0 * SQRT_6) / 3.0,
    -1.0 / 3.0,
];

/// From the stage increments to the coefficients of θ, θ², θ³ of the polynomial through them: column j belongs to stage j.
const P: [[f64; 3]; 3] = [
    [
        (13.0 + 7.0 * SQRT_6) / 3.0,
        (13.0 - 7.0 * SQRT_6) / 3.0,
        1.0 / 3.0,
    ],
    [
        (-23.0 - 22.0 * SQRT_6) / 3.0,
        (-23.0 + 22.0 * SQRT_6) / 3.0,
        -8.0 / 3.0,
    ],
    [
        (10.0 + 15.0 * SQRT_6) / 3.0,
        (10.0 - 15.0 * SQRT_6) / 3.0,
        10.0 / 3.0,
    ],
];

/// At most so many Newton iterations; a step that needs more is better taken shorter.
const ITERATIONS: u32 = 7;
/// Corrections below this fraction of the algebraic error asked for are taken for rounding.
const ROUNDING: f64 = 0.1;
/// Below this rate of convergence, or after so few iterations, the Jacobian is kept for the next step. The first is for Jacobians of few evaluations, the second for those
/// of many: on van der Pol's and Robertson's equations the two cost the same at about twenty.
const KEEP_RATE: [f64; 2] = [1e-3, 0.1];
const MANY: usize = 20;
const KEEP_ITERATIONS: u32 = 2;
/// How fast the longest step that Newton iterations may be asked for recovers after they failed: without this every step would be tried at twice its length first.
const RAISE: f64 = 1.1;
const SAFETY: f64 = 0.9;
/// A step is never made longer than eight times or shorter than a fifth at once.
const LONGEST: f64 = 8.0;
const SHORTEST: f64 = 0.2;
/// A step that would grow by less than this stays as it is, and so does its factorisation.
const HYSTERESIS: f64 = 1.2;

/// What an attempt learned that the next step wants to know.
#[derive(Clone, Copy)]
struct Memory {
    /// Step and error of the last step, for the predictive controller; no step yet: h = 0.
    h: f64,
    error: f64,
    /// rate/(1 − rate) of its Newton iterations: how much is left of the last increment.
    remainder: f64,
    /// Whether its Newton iterations were so slow that the Jacobian should be evaluated anew.
    stale: bool,
}

const NO_MEMORY: Memory = Memory {
    h: 0.0,
    error: 0.0,
    remainder: 1.0,
    stale: true,
};

/// How a Newton iteration ended.
enum Newton {
    Converged {
        iterations: u32,
        rate: f64,
        remainder: f64,
    },
    /// Too slow, or diverging: the step times `factor` may do better.
    Slow {
        factor: f64,
        error: f64,
        worst: usize,
    },
    NotFinite {
        worst: usize,
    },
}

/// The Radau IIA method of order 5.
pub(crate) struct Radau {
    n: usize,
    // The current point.
    s: f64,
    y: Vec<f64>,
    f: Vec<f64>,
    memory: Memory,
    /// The longest step from here that was refused for its error; zero: none.
    refused: f64,
    /// Newton iterations failed not long ago on steps longer than this. Every step taken raises it: by a tenth, then by a tenth more each time.
    ceiling: f64,
    raise: f64,
    /// The last step's polynomial (coefficients of θ, θ², θ³), its length, and where on it the current point lies.
    past: [Vec<f64>; 3],
    past_h: f64,
    past_theta: f64,

    // The last attempt.
    s0: f64,
    h: f64,
    y0: Vec<f64>,
    f0: Vec<f64>,
    y1: Vec<f64>,
    f1: Vec<f64>,
    polynomial: [Vec<f64>; 3],
    learned: Memory,

    // Linear algebra.
    jacobian: Jacobian,
    /// Whether there is a Jacobian since `begin`, and whether it is of the current point.
    known: bool,
    fresh: bool,
    real: Lu<f64>,
    complex: Lu<Complex>,
    /// The step for which the matrices are factored; zero: none.
    factored: f64,
    factorisations: u64,

    // Room to work.
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    stage_f: [Vec<f64>; 3],
    point: Vec<f64>,
    scale: Vec<f64>,
    rhs: Vec<f64>,
    rhs_complex: Vec<Complex>,

    /// The algebraic error left by the Newton iterations, in units of what is tolerated.
    pub(super) algebraic: f64,
}

fn three(n: usize) -> [Vec<f64>; 3] {
    [vec![0.0; n], vec![0.0; n], vec![0.0; n]]
}

impl Radau {
    /// A method for `n` components, with all its buffers.
    pub fn new(n: usize) -> Self {
        Radau {
            n,
            s: 0.0,
            y: vec![0.0; n],
            f: vec![0.0; n],
            memory: NO_MEMORY,
            refused: 0.0,
            ceiling: f64::INFINITY,
            raise: RAISE,
            past: three(n),
            past_h: 0.0,
            past_theta: 1.0,
            s0: 0.0,
            h: 0.0,
            y0: vec![0.0; n],
            f0: vec![0.0; n],
            y1: vec![0.0; n],
            f1: vec![0.0; n],
            polynomial: three(n),
            learned: NO_MEMORY,
            jacobian: Jacobian::new(n),
            known: false,
            fresh: false,
            real: Lu::new(n),
            complex: Lu::new(n),
            factored: 0.0,
            factorisations: 0,
            z: three(n),
            w: three(n),
            stage_f: three(n),
            point: vec![0.0; n],
            scale: vec![0.0; n],
            rhs: vec![0.0; n],
            rhs_complex: vec![Complex { re: 0.0, im: 0.0 }; n],
            algebraic: 0.01,
        }
    }

    /// How stiff the flow is for this step: h·|λ| of the last attempt's step and the eigenvalue of largest modulus of the last Jacobian, as estimated by a few products
    /// with it. An explicit method of order p is stable up to about 3 (order 5) to 6 (order 8); well below that it would do the same step for less.
    pub fn stiffness(&self) -> f64 {
        self.h * self.jacobian.radius()
    }

    /// Starting values: the last step's polynomial, carried on (8.5).
    fn predict(&mut self) {
        for stage in 0..3 {
            if self.past_h > 0.0 {
                let from = self.past_theta;
                let to = from + C[stage] * self.h / self.past_h;
                let powers = [
                    to - from,
                    (to - from) * (to + from),
                    (to - from) * (to * to + to * from + from * from),
                ];
                for i in 0..self.n {
                    self.z[stage][i] = powers[0] * self.past[0][i]
                        + powers[1] * self.past[1][i]
                        + powers[2] * self.past[2][i];
                }
            } else {
                self.z[stage].fill(0.0);
            }
        }
        for i in 0..self.n {
            for stage in 0..3 {
                self.w[stage][i] = TI[stage][0] * self.z[0][i]
                    + TI[stage][1] * self.z[1][i]
                    + TI[stage][2] * self.z[2][i];
            }
        }
    }

    /// Solves for the stages (8.10 to 8.13).
    fn iterate<S: Slope>(&mut self, slope: &mut S) -> Newton {
        let n = self.n;
        let (gamma, alpha, beta) = (GAMMA / self.h, ALPHA / self.h, BETA / self.h);
        let mut remainder = math::powf(self.memory.remainder.max(f64::EPSILON), 0.8);
        let mut last = 0.0;
        let mut last_ratio = 0.0;
        let mut rate = 0.0;
        for iteration in 1..=ITERATIONS {
            for stage in 0..3 {
                for i in 0..n {
                    self.point[i] = self.y0[i] + self.z[stage][i];
                }
                let s = self.s0 + C[stage] * self.h;
                slope.eval(s, &self.point, &mut self.stage_f[stage]);
            }
            for i in 0..n {
                let f = [self.stage_f[0][i], self.stage_f[1][i], self.stage_f[2][i]];
                let mixed = |row: &[f64; 3]| row[0] * f[0] + row[1] * f[1] + row[2] * f[2];
                let (w2, w3) = (self.w[1][i], self.w[2][i]);
                self.rhs[i] = mixed(&TI[0]) - gamma * self.w[0][i];
                self.rhs_complex[i] = Complex {
                    re: mixed(&TI[1]) - (alpha * w2 - beta * w3),
                    im: mixed(&TI[2]) - (beta * w2 + alpha * w3),
                };
            }
            self.real.solve(&mut self.rhs);
            self.complex.solve(&mut self.rhs_complex);

            let mut size = 0.0_f64;
            let mut worst = 0;
            for i in 0..n {
                let dw = [self.rhs[i], self.rhs_complex[i].re, self.rhs_complex[i].im];
                for stage in 0..3 {
                    self.w[stage][i] += dw[stage];
                }
                for stage in 0..3 {
                    let row = &T[stage];
                    let dz = row[0] * dw[0] + row[1] * dw[1] + row[2] * dw[2];
                    self.z[stage][i] =
                        row[0] * self.w[0][i] + row[1] * self.w[1][i] + row[2] * self.w[2][i];
                    let relative = dz.abs() / self.scale[i];
                    // NaN is the worst of all: nothing is greater.
                    if relative > size || relative.is_nan() {
                        (size, worst) = (relative, i);
                    }
                }
            }
            if !size.is_finite() {
                return Newton::NotFinite { worst };
            }
            if iteration > 1 {
                let ratio: f64 = size / last;
                rate = if iteration == 2 {
                    ratio
                } else {
                    math::sqrt(ratio * last_ratio)
                };
                last_ratio = ratio;
                if rate >= 0.99 && size <= ROUNDING * self.algebraic {
                    // Rounding is all that is left, and rounding does not shrink.
                    return Newton::Converged {
                        iterations: iteration,
                        rate: 0.0,
                        remainder,
                    };
                }
                if rate >= 0.99 {
                    return Newton::Slow {
                        factor: 0.5,
                        error: (size / self.algebraic).max(2.0),
                        worst,
                    };
                }
                remainder = rate / (1.0 - rate);
                let left = ITERATIONS - iteration;
                let expected =
                    remainder * size * math::powf(rate, f64::from(left)) / self.algebraic;
                if expected >= 1.0 && remainder * size > self.algebraic {
                    // Not to be had in the iterations left: the rate is about proportional to h (after 8.14).
                    let shrink =
                        math::powf(expected.clamp(1e-4, 20.0), -1.0 / (4.0 + f64::from(left)));
                    return Newton::Slow {
                        factor: 0.8 * shrink,
                        error: expected.max(1.0 + f64::EPSILON),
                        worst,
                    };
                }
            }
            if remainder * size <= self.algebraic || size == 0.0 {
                return Newton::Converged {
                    iterations: iteration,
                    rate,
                    remainder,
                };
            }
            last = size;
        }
        Newton::Slow {
            factor: 0.5,
            error: 2.0,
            worst: 0,
        }
    }

    /// The filtered error estimate (8.19, or 8.20 after a refusal), and the component it is worst in.
    fn estimate<S: Slope>(&mut self, slope: &mut S, tolerance: Tolerance<'_>) -> (f64, usize) {
        let first = self.filtered_error(tolerance, false);
        if first.0 < 1.0 || !first.0.is_finite() || self.refused <= self.h {
            return first;
        }
        // Away from the slow manifold of a stiff flow the first filter sees the distance to it, however short the step; the second does not. It is blind to much
        // else, so it is asked only when a longer step from here was refused already: then the step is as short as the first one wants it.
        for i in 0..self.n {
            self.point[i] = self.y0[i] + self.rhs[i];
        }
        slope.eval(self.s0, &self.point, &mut self.f1);
        let second = self.filtered_error(tolerance, true);
        if second.0.is_finite() { second } else { first }
    }

    fn filtered_error(&mut self, tolerance: Tolerance<'_>, again: bool) -> (f64, usize) {
        let slope = if again { &self.f1 } else { &self.f0 };
        for i in 0..self.n {
            let stages = E[0] * self.z[0][i] + E[1] * self.z[1][i] + E[2] * self.z[2][i];
            self.rhs[i] = slope[i] + stages / self.h;
        }
        self.real.solve(&mut self.rhs);
        let mut error = 0.0_f64;
        let mut worst = 0;
        for i in 0..self.n {
            let scale = tolerance.scale(i, self.y0[i], self.y1[i]);
            // No tolerance and no error: nothing to say.
            let relative = if self.rhs[i] == 0.0 {
                0.0
            } else {
                self.rhs[i].abs() / scale
            };
            if relative > error || relative.is_nan() {
                (error, worst) = (relative, i);
            }
        }
        (error, worst)
    }

    /// How much longer the next step may be (8.21), held back by what the last two errors tell (8.23; Gustafsson 1994).
    fn growth(&self, error: f64, iterations: u32) -> f64 {
        let most = f64::from(2 * ITERATIONS);
        let safety = SAFETY * (most + 1.0) / (most + f64::from(iterations));
        let root = math::powf(error, 0.25);
        let mut growth = (safety / root).clamp(SHORTEST, LONGEST);
        if error < 1.0 && self.memory.h > 0.0 {
            let predicted = SAFETY * self.h / self.memory.h
                * math::powf(self.memory.error / (error * error), 0.25);
            growth = growth.min(predicted.clamp(SHORTEST, LONGEST));
        }
        growth
    }

    fn no(&self, error: f64, worst: usize, factor: f64) -> Attempt {
        Attempt {
            accepted: false,
            reached: false,
            error,
            worst,
            next: factor * self.h,
        }
    }

    /// Makes Jacobian and factorisation ready for the step; says by how much to shorten it if that cannot be.
    fn prepare<S: Slope>(
        &mut self,
        slope: &mut S,
        anew: bool,
        tolerance: Tolerance<'_>,
    ) -> Result<(), Attempt> {
        if anew && !self.fresh {
            self.factored = 0.0;
            self.known = false;
            let (s, h) = (self.s, self.h);
            self.jacobian
                .update(slope, s, &self.y, &self.f, h, tolerance)
                .map_err(|_| self.no(f64::NAN, 0, 0.1))?;
            self.known = true;
            self.fresh = true;
        }
        if self.factored != self.h {
            self.factored = 0.0;
            self.factorisations += 1;
            let h = self.h;
            let shift = Complex {
                re: ALPHA / h,
                im: BETA / h,
            };
            self.real
                .factor_shifted(GAMMA / h, self.jacobian.values())
                .and_then(|()| self.complex.factor_shifted(shift, self.jacobian.values()))
                .map_err(|_| self.no(f64::INFINITY, 0, 0.5))?;
            self.factored = h;
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.memory = NO_MEMORY;
        self.refused = 0.0;
        self.ceiling = f64::INFINITY;
        self.raise = RAISE;
        self.past_h = 0.0;
        self.known = false;
        self.fresh = false;
        self.factored = 0.0;
    }

    /// Keeps the polynomial of the last attempt, and what it learned, for the steps that follow from `theta` on it.
    fn remember(&mut self, theta: f64) {
        for (past, new) in self.past.iter_mut().zip(&self.polynomial) {
            past.copy_from_slice(new);
        }
        self.past_h = self.h;
        self.past_theta = theta;
        self.memory = self.learned;
        self.refused = 0.0;
        self.ceiling *= self.raise;
        self.raise *= RAISE;
        self.fresh = false;
    }
}

impl Method for Radau {
    fn first_order(&self) -> u32 {
        // That of the error estimate.
        3
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.forget();
        self.s = s;
        self.y.copy_from_slice(y);
        slope.eval(s, y, &mut self.f);
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        self.s0 = self.s;
        self.h = h;
        self.y0.copy_from_slice(&self.y);
        self.f0.copy_from_slice(&self.f);

        let mut anew = !self.known || self.memory.stale;
        let (iterations, rate, remainder) = loop {
            if let Err(no) = self.prepare(slope, anew, tolerance) {
                return no;
            }
            self.predict();
            for i in 0..self.n {
                let (from, to) = (self.y0[i], self.y0[i] + self.z[2][i]);
                // Rounding of the state, some 10 ε, is the least the iterations can reach.
                let floor = 10.0 * f64::EPSILON / self.algebraic * from.abs().max(to.abs());
                self.scale[i] = tolerance
                    .scale(i, from, to)
                    .max(floor)
                    .max(f64::MIN_POSITIVE);
            }
            match self.iterate(slope) {
                Newton::Converged {
                    iterations,
                    rate,
                    remainder,
                } => break (iterations, rate, remainder),
                Newton::NotFinite { worst } => return self.no(f64::NAN, worst, 0.1),
                Newton::Slow {
                    factor,
                    error,
                    worst,
                } => {
                    if self.fresh {
                        self.ceiling = factor * h;
                        self.raise = RAISE;
                        return self.no(error, worst, factor);
                    }
                    anew = true;
                }
            }
        };

        for i in 0..self.n {
            self.y1[i] = self.y0[i] + self.z[2][i];
            for power in 0..3 {
                let row = &P[power];
                self.polynomial[power][i] =
                    row[0] * self.z[0][i] + row[1] * self.z[1][i] + row[2] * self.z[2][i];
            }
        }
        let (error, worst) = self.estimate(slope, tolerance);
        if !error.is_finite() {
            return self.no(error, worst, 0.1);
        }
        let mut growth = self.growth(error, iterations);
        if self.refused > h {
            growth = growth.min(1.0);
        }
        if error >= 1.0 {
            self.refused = self.refused.max(h);
            return self.no(error, worst, growth);
        }
        // Evaluated, not inferred from the stages: the next error estimate leans on it, and a far end outside the domain must be seen now.
        slope.eval(self.s0 + h, &self.y1, &mut self.f1);
        if !self.f1.iter().chain(&self.y1).all(|x| x.is_finite()) {
            return self.no(f64::NAN, 0, 0.1);
        }
        let keep_rate = KEEP_RATE[usize::from(self.jacobian.colours() > MANY)];
        let stale = iterations > KEEP_ITERATIONS && rate > keep_rate;
        self.learned = Memory {
            h,
            error: error.max(1e-2),
            remainder,
            stale,
        };
        // A new Jacobian means a new factorisation: then there is nothing to be saved by keeping h.
        let keep = !stale && (1.0..=HYSTERESIS).contains(&growth);
        Attempt {
            accepted: true,
            reached: true,
            error,
            worst,
            next: if keep { h } else { growth * h }.min(self.ceiling),
        }
    }

    fn commit(&mut self) {
        self.s = self.s0 + self.h;
        self.y.copy_from_slice(&self.y1);
        self.f.copy_from_slice(&self.f1);
        self.remember(1.0);
    }

    fn reset(&mut self) {
        self.jacobian.forget_pattern();
    }

    fn here(&self) -> &[f64] {
        &self.f
    }

    fn ends(&self) -> Ends<'_> {
        Ends {
            s0: self.s0,
            h: self.h,
            y0: &self.y0,
            f0: &self.f0,
            y1: &self.y1,
            f1: &self.f1,
        }
    }

    fn prepare_dense<S: Slope>(&mut self, _slope: &mut S) {}

    /// The collocation polynomial: its error is O(h⁴) within the step. Written from the nearer end, so that it is exact at both.
    fn dense(&self, theta: f64, y: &mut [f64]) {
        let [a, b, c] = &self.polynomial;
        if theta <= 0.5 {
            for i in 0..self.n {
                y[i] = self.y0[i] + theta * (a[i] + theta * (b[i] + theta * c[i]));
            }
        } else {
            let back = theta - 1.0;
            let square = theta + 1.0;
            let cube = theta * theta + theta + 1.0;
            for i in 0..self.n {
                y[i] = self.y1[i] + back * (a[i] + square * b[i] + cube * c[i]);
            }
        }
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], _tolerance: Tolerance<'_>) {
        self.s = self.s0 + theta * self.h;
        self.y.copy_from_slice(y);
        slope.eval(self.s, y, &mut self.f);
        self.remember(theta);
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.y.copy_from_slice(y);
        slope.eval(self.s, y, &mut self.f);
        self.refused = 0.0;
        self.fresh = false;
    }

    fn work(&self) -> Work {
        Work {
            jacobians: self.jacobian.evaluations(),
            factorisations: self.factorisations,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A of Radau IIA (Hairer and Wanner 1996, table IV.5.6).
    const A: [[f64; 3]; 3] = [
        [
            (88.0 - 7.0 * SQRT_6) / 360.0,
            (296.0 - 169.0 * SQRT_6) / 1800.0,
            (-2.0 + 3.0 * SQRT_6) / 225.0,
        ],
        [
            (296.0 + 169.0 * SQRT_6) / 1800.0,
            (88.0 + 7.0 * SQRT_6) / 360.0,
            (-2.0 - 3.0 * SQRT_6) / 225.0,
        ],
        [(16.0 - SQRT_6) / 36.0, (16.0 + SQRT_6) / 36.0, 1.0 / 9.0],
    ];

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }

    #[test]
    fn the_transformation_splits_the_method_into_its_eigenvalues() {
        let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        close(&product(&T, &TI), &one);
        // A T Λ = T is the same as T⁻¹ A⁻¹ T = Λ.
        let split = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        close(&product(&A, &product(&T, &split)), &T);
    }

    #[test]
    fn the_polynomial_goes_through_the_stages_and_the_estimate_vanishes_on_cubics() {
        for power in 1..=3 {
            let z = C.map(|c| c.powi(power));
            for (k, row) in P.iter().enumerate() {
                let coefficient: f64 = row.iter().zip(z).map(|(p, z)| p * z).sum();
                let exact = if k as i32 + 1 == power { 1.0 } else { 0.0 };
                assert!((coefficient - exact).abs() < 1e-14);
            }
            // h f0 is 1 for θ, 0 for θ² and θ³.
            let slope = if power == 1 { 1.0 } else { 0.0 };
            let estimate: f64 = E.iter().zip(z).map(|(e, z)| e * z).sum::<f64>() + slope;
            assert!(estimate.abs() < 1e-14, "{power}: {estimate}");
        }
    }
}
