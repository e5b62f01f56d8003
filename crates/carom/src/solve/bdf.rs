//! How does a stiff flow take a step, remembering many? With backward differentiation of order 1 to 5.
//!
//! In the quasi-constant step form of Shampine and Reichelt, The MATLAB ODE Suite (SIAM J. Sci. Comput. 18, 1997), section 2: the history is a table of backward differences
//! at equal spacing, recomputed when the step changes; the numerical differentiation formulas (NDF) trade a little stability at orders 1 to 4 for a smaller error.
//! Order and step stay for order + 1 steps before either is reconsidered.

use super::jacobian::Jacobian;
use super::linear::Lu;
use super::method::{Attempt, Ends, Method, Slope, Tolerance, Work};
use crate::math;

const HIGHEST: usize = 5;
/// Rows of the table: differences 0 to 5, and two more for the order above.
const ROWS: usize = HIGHEST + 3;

/// κ of the NDF (Shampine and Reichelt, table 1; Klopfenstein 1971). At order 5 plain BDF is kept.
const KAPPA: [f64; HIGHEST + 1] = [0.0, -0.1850, -1.0 / 9.0, -0.0823, -0.0415, 0.0];

/// γ_k = Σ_{j ≤ k} 1/j.
const GAMMA: [f64; HIGHEST + 1] = [0.0, 1.0, 3.0 / 2.0, 11.0 / 6.0, 25.0 / 12.0, 137.0 / 60.0];

const ITERATIONS: u32 = 4;
/// Corrections below this fraction of the algebraic error asked for are taken for rounding.
const ROUNDING: f64 = 0.1;
const SAFETY: f64 = 0.9;
const LONGEST: f64 = 10.0;
const SHORTEST: f64 = 0.2;
/// A step that would grow by less than this stays as it is, and so does its factorisation.
const HYSTERESIS: f64 = 1.2;
/// Beyond this stretch the differences are extrapolated noise: better to start again at order 1.
const STRETCH: f64 = 20.0;

/// α_k = (1 − κ_k) γ_k.
fn alpha(order: usize) -> f64 {
    (1.0 - KAPPA[order]) * GAMMA[order]
}

/// The factor of the (k+1)-th difference in the error of order k (equation 5).
fn error_constant(order: usize) -> f64 {
    KAPPA[order] * GAMMA[order] + 1.0 / (order as f64 + 1.0)
}

/// Π_{i < l} (x + i)/(i + 1): the weight of the l-th backward difference at x steps from the newest point.
fn weight(l: usize, x: f64) -> f64 {
    (0..l).fold(1.0, |w, i| w * (x + i as f64) / (i as f64 + 1.0))
}

/// Replaces the differences 0 to `order` in `table` by those of the same polynomial at the points `from`, `from` − `ratio`, `from` − 2·`ratio` …, in old steps from the newest point.
fn respace(table: &mut [Vec<f64>; ROWS], order: usize, from: f64, ratio: f64) {
    // j-th difference of the l-th weight; nothing for l < j, whose degree is too low.
    let mut change = [[0.0; HIGHEST + 1]; HIGHEST + 1];
    for (j, row) in change.iter_mut().enumerate().take(order + 1) {
        for (l, entry) in row.iter_mut().enumerate().take(order + 1).skip(j) {
            let mut binomial = 1.0;
            for m in 0..=j {
                *entry += binomial * weight(l, from - m as f64 * ratio);
                binomial *= -((j - m) as f64) / (m as f64 + 1.0);
            }
        }
    }
    for i in 0..table[0].len() {
        // Row j needs only rows l ≥ j: in place, from the top.
        for j in 0..=order {
            let mut sum = 0.0;
            for l in j..=order {
                sum += change[j][l] * table[l][i];
            }
            table[j][i] = sum;
        }
    }
}

/// How a Newton iteration ended.
enum Newton {
    Converged,
    Slow { error: f64, worst: usize },
    NotFinite { worst: usize },
}

/// Backward differentiation of variable order.
pub(crate) struct Bdf {
    n: usize,
    // The current point: its differences at spacing `spacing`, order, and for how many steps both have stood.
    s: f64,
    f: Vec<f64>,
    table: [Vec<f64>; ROWS],
    spacing: f64,
    order: usize,
    steady: usize,

    // The last attempt.
    s0: f64,
    h: f64,
    y0: Vec<f64>,
    f0: Vec<f64>,
    y1: Vec<f64>,
    f1: Vec<f64>,
    trial: [Vec<f64>; ROWS],
    trial_order: usize,
    trial_steady: usize,
    next_order: usize,

    // Linear algebra.
    jacobian: Jacobian,
    known: bool,
    fresh: bool,
    lu: Lu<f64>,
    /// The 1/c for which the matrix is factored; zero: none.
    factored: f64,
    factorisations: u64,

    // Room to work.
    psi: Vec<f64>,
    correction: Vec<f64>,
    scale: Vec<f64>,
    slope: Vec<f64>,
    rhs: Vec<f64>,

    /// The algebraic error left by the Newton iterations, in units of what is tolerated.
    pub(super) algebraic: f64,
    /// The highest order used.
    pub(super) highest: usize,
}

fn rows(n: usize) -> [Vec<f64>; ROWS] {
    std::array::from_fn(|_| vec![0.0; n])
}

impl Bdf {
    /// A method for `n` components, with all its buffers.
    pub fn new(n: usize) -> Self {
        Bdf {
            n,
            s: 0.0,
            f: vec![0.0; n],
            table: rows(n),
            spacing: 1.0,
            order: 1,
            steady: 0,
            s0: 0.0,
            h: 0.0,
            y0: vec![0.0; n],
            f0: vec![0.0; n],
            y1: vec![0.0; n],
            f1: vec![0.0; n],
            trial: rows(n),
            trial_order: 1,
            trial_steady: 0,
            next_order: 1,
            jacobian: Jacobian::new(n),
            known: false,
            fresh: false,
            lu: Lu::new(n),
            factored: 0.0,
            factorisations: 0,
            psi: vec![0.0; n],
            correction: vec![0.0; n],
            scale: vec![0.0; n],
            slope: vec![0.0; n],
            rhs: vec![0.0; n],
            algebraic: 0.03,
            highest: HIGHEST,
        }
    }

    /// Sets up the table of the trial: the history at the spacing of the step.
    fn spread(&mut self) {
        self.trial_order = self.order;
        self.trial_steady = self.steady;
        for (trial, row) in self.trial.iter_mut().zip(&self.table) {
            trial.copy_from_slice(row);
        }
        if self.h == self.spacing {
            return;
        }
        self.trial_steady = 0;
        if self.h > STRETCH * self.spacing && self.order > 1 {
            self.trial_order = 1;
            for i in 0..self.n {
                self.trial[1][i] = self.h * self.f[i];
            }
        } else {
            let ratio = self.h / self.spacing;
            respace(&mut self.trial, self.order, 0.0, ratio);
        }
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
            // The slope kept is inferred from the formula: a difference quotient needs the true one.
            let (s, h) = (self.s, self.h);
            slope.eval(s, &self.table[0], &mut self.slope);
            self.jacobian
                .update(slope, s, &self.table[0], &self.slope, h, tolerance)
                .map_err(|_| self.no(f64::NAN, 0, 0.1))?;
            self.known = true;
            self.fresh = true;
        }
        let shift = alpha(self.trial_order) / self.h;
        if self.factored != shift {
            self.factored = 0.0;
            self.factorisations += 1;
            self.lu
                .factor_shifted(shift, self.jacobian.values())
                .map_err(|_| self.no(f64::INFINITY, 0, 0.5))?;
            self.factored = shift;
        }
        Ok(())
    }

    /// Solves f(y) − (ψ + d)·α/h = 0 with y = prediction + d (Shampine and Reichelt, equations 3 and 4).
    fn iterate<S: Slope>(&mut self, slope: &mut S) -> Newton {
        let shift = alpha(self.trial_order) / self.h;
        let s = self.s0 + self.h;
        self.correction.fill(0.0);
        let mut last = 0.0;
        for iteration in 1..=ITERATIONS {
            slope.eval(s, &self.y1, &mut self.slope);
            for i in 0..self.n {
                self.rhs[i] = self.slope[i] - shift * (self.psi[i] + self.correction[i]);
            }
            self.lu.solve(&mut self.rhs);
            let mut size = 0.0_f64;
            let mut worst = 0;
            for i in 0..self.n {
                let relative = self.rhs[i].abs() / self.scale[i];
                // NaN is the worst of all: nothing is greater.
                if relative > size || relative.is_nan() {
                    (size, worst) = (relative, i);
                }
            }
            if !size.is_finite() {
                return Newton::NotFinite { worst };
            }
            let mut rate = f64::NAN;
            if iteration > 1 {
                rate = size / last;
                let left = f64::from(ITERATIONS - iteration);
                let expected = math::powf(rate, left) * rate / (1.0 - rate) * size;
                // Rounding does not shrink: where it is all that is left, the rate means nothing.
                let rounding = size <= ROUNDING * self.algebraic;
                if !rounding && (rate >= 1.0 || expected > self.algebraic) {
                    return Newton::Slow {
                        error: (expected / self.algebraic).abs().max(2.0),
                        worst,
                    };
                }
            }
            for i in 0..self.n {
                self.correction[i] += self.rhs[i];
                self.y1[i] += self.rhs[i];
            }
            let small =
                size <= ROUNDING * self.algebraic || rate / (1.0 - rate) * size <= self.algebraic;
            if size == 0.0 || (iteration > 1 && small) {
                return Newton::Converged;
            }
            last = size;
        }
        Newton::Slow {
            error: 2.0,
            worst: 0,
        }
    }

    /// The largest of the differences in `row` of the trial table, times `constant`, in units of what is tolerated.
    fn measure(&self, row: &[f64], constant: f64, tolerance: Tolerance<'_>) -> (f64, usize) {
        let mut error = 0.0_f64;
        let mut worst = 0;
        for i in 0..self.n {
            let estimate = (constant * row[i]).abs();
            let relative = if estimate == 0.0 {
                0.0
            } else {
                estimate / tolerance.scale(i, self.y0[i], self.y1[i])
            };
            if relative > error || relative.is_nan() {
                (error, worst) = (relative, i);
            }
        }
        (error, worst)
    }

    /// The order of the next step and how much longer it may be: whichever of the neighbours promises most.
    fn reconsider(&mut self, error: f64, tolerance: Tolerance<'_>) -> f64 {
        let k = self.trial_order;
        let promise =
            |error: f64, order: usize| math::powf(error.max(1e-10), -1.0 / (order as f64 + 1.0));
        let mut best = (k, promise(error, k));
        if k > 1 {
            let (lower, _) = self.measure(&self.trial[k], error_constant(k - 1), tolerance);
            let promised = promise(lower, k - 1);
            if promised > best.1 {
                best = (k - 1, promised);
            }
        }
        if k < self.highest {
            let (higher, _) = self.measure(&self.trial[k + 2], error_constant(k + 1), tolerance);
            let promised = promise(higher, k + 1);
            if promised > best.1 {
                best = (k + 1, promised);
            }
        }
        self.next_order = best.0;
        (SAFETY * best.1).min(LONGEST)
    }
}

impl Method for Bdf {
    fn first_order(&self) -> u32 {
        2
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.s = s;
        self.table[0].copy_from_slice(y);
        slope.eval(s, y, &mut self.f);
        // A straight line is the same at every spacing.
        self.table[1].copy_from_slice(&self.f);
        self.spacing = 1.0;
        self.order = 1;
        self.steady = 0;
        self.known = false;
        self.fresh = false;
        self.factored = 0.0;
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        self.s0 = self.s;
        self.h = h;
        self.y0.copy_from_slice(&self.table[0]);
        self.f0.copy_from_slice(&self.f);
        self.spread();
        let k = self.trial_order;

        let mut anew = !self.known;
        loop {
            if let Err(no) = self.prepare(slope, anew, tolerance) {
                return no;
            }
            for i in 0..self.n {
                let mut predicted = self.trial[0][i];
                let mut psi = 0.0;
                for j in 1..=k {
                    predicted += self.trial[j][i];
                    psi += GAMMA[j] * self.trial[j][i];
                }
                self.y1[i] = predicted;
                self.psi[i] = psi / alpha(k);
                let from = self.y0[i];
                // Rounding of the state, some 10 ε, is the least the iterations can reach.
                let floor = 10.0 * f64::EPSILON / self.algebraic * from.abs().max(predicted.abs());
                self.scale[i] = tolerance
                    .scale(i, from, predicted)
                    .max(floor)
                    .max(f64::MIN_POSITIVE);
            }
            match self.iterate(slope) {
                Newton::Converged => break,
                Newton::NotFinite { worst } => return self.no(f64::NAN, worst, 0.1),
                Newton::Slow { error, worst } => {
                    if self.fresh {
                        return self.no(error, worst, 0.5);
                    }
                    anew = true;
                }
            }
        }

        let (error, worst) = self.measure(&self.correction, error_constant(k), tolerance);
        if !error.is_finite() || !self.y1.iter().all(|x| x.is_finite()) {
            return self.no(f64::NAN, worst, 0.1);
        }
        if error >= 1.0 {
            let factor = SAFETY * math::powf(error, -1.0 / (k as f64 + 1.0));
            return self.no(error, worst, factor.max(SHORTEST));
        }

        // The formula itself says the slope: f(y1) = (ψ + d)·α/h up to the algebraic error. On a stiff flow that is nearer to the solution's slope than f at a
        // state known to the tolerance only; and it is free.
        let shift = alpha(k) / h;
        for i in 0..self.n {
            self.f1[i] = shift * (self.psi[i] + self.correction[i]);
            self.trial[k + 2][i] = self.correction[i] - self.trial[k + 1][i];
            self.trial[k + 1][i] = self.correction[i];
            for j in (0..=k).rev() {
                self.trial[j][i] += self.trial[j + 1][i];
            }
            // The same to rounding; this is the number handed out.
            self.trial[0][i] = self.y1[i];
        }
        self.trial_steady += 1;
        self.next_order = k;
        let mut growth = 1.0;
        if self.trial_steady > k {
            growth = self.reconsider(error, tolerance);
            if self.next_order == k && (SAFETY..=HYSTERESIS).contains(&growth) {
                growth = 1.0;
            }
        }
        Attempt {
            accepted: true,
            reached: true,
            error,
            worst,
            next: growth * h,
        }
    }

    fn commit(&mut self) {
        self.s = self.s0 + self.h;
        self.f.copy_from_slice(&self.f1);
        for (row, trial) in self.table.iter_mut().zip(&self.trial) {
            row.copy_from_slice(trial);
        }
        self.spacing = self.h;
        self.steady = if self.next_order == self.trial_order {
            self.trial_steady
        } else {
            0
        };
        self.order = self.next_order;
        self.fresh = false;
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

    /// The polynomial through the last k + 1 points: its error is O(h^(k+1)).
    fn dense(&self, theta: f64, y: &mut [f64]) {
        if theta <= 0.0 {
            y.copy_from_slice(&self.y0);
            return;
        }
        let x = theta - 1.0;
        y.copy_from_slice(&self.y1);
        let mut w = 1.0;
        for j in 1..=self.trial_order {
            w *= (x + j as f64 - 1.0) / j as f64;
            for i in 0..self.n {
                y[i] += w * self.trial[j][i];
            }
        }
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], _tolerance: Tolerance<'_>) {
        self.s = self.s0 + theta * self.h;
        for (row, trial) in self.table.iter_mut().zip(&self.trial) {
            row.copy_from_slice(trial);
        }
        respace(&mut self.table, self.trial_order, theta - 1.0, 1.0);
        self.table[0].copy_from_slice(y);
        self.spacing = self.h;
        self.order = self.trial_order;
        self.steady = 0;
        self.fresh = false;
        slope.eval(self.s, y, &mut self.f);
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.table[0].copy_from_slice(y);
        slope.eval(self.s, y, &mut self.f);
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

    /// y' = −2 t y²: y = 1/(1 + t²).
    struct Bell;

    impl Slope for Bell {
        fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]) {
            dyds[0] = -2.0 * s * y[0] * y[0];
        }
        fn depends(&self, _row: usize, _column: usize) -> bool {
            true
        }
    }

    fn bell(t: f64) -> f64 {
        1.0 / (1.0 + t * t)
    }

    /// The largest error up to t = 1.5 of `steps` steps of order `order` from t = 0.5, started from exact values.
    fn error(order: usize, steps: u32) -> f64 {
        let h = 1.0 / f64::from(steps);
        let mut method = Bdf::new(1);
        method.algebraic = 1e-13;
        let mut s = 0.5;
        method.begin(&mut Bell, s, &[bell(s)]);
        method.spacing = h;
        method.order = order;
        // Differences of exact values.
        let mut values: Vec<f64> = (0..=order).map(|m| bell(s - m as f64 * h)).collect();
        for j in 0..=order {
            method.table[j][0] = values[0];
            for m in 0..values.len() - 1 {
                values[m] -= values[m + 1];
            }
            values.pop();
        }
        let loose = Tolerance {
            rtol: &[1.0],
            atol: &[1.0],
        };
        let mut worst = 0.0_f64;
        for _ in 0..steps {
            method.steady = 0; // the order is never reconsidered
            assert!(method.attempt(&mut Bell, h, loose).accepted);
            method.commit();
            assert_eq!(method.order, order);
            s += h;
            worst = worst.max((method.ends().y1[0] - bell(s)).abs());
        }
        worst
    }

    #[test]
    fn every_order_is_observed() {
        for (order, steps) in [(1, 400), (2, 200), (3, 100), (4, 80), (5, 60)] {
            let observed = (error(order, steps) / error(order, 2 * steps)).log2();
            assert!(
                (observed - order as f64).abs() < 0.3,
                "order {order}: {observed}"
            );
        }
    }

    #[test]
    fn respacing_keeps_the_polynomial() {
        // p(x) = 1 + x − 2x² + x³/2 at x = 0, −1, … and at new spacings and places.
        let p = |x: f64| 1.0 + x - 2.0 * x * x + 0.5 * x * x * x;
        let differences = |from: f64, step: f64| -> [f64; 4] {
            let v: [f64; 4] = std::array::from_fn(|m| p(from - m as f64 * step));
            [
                v[0],
                v[0] - v[1],
                v[0] - 2.0 * v[1] + v[2],
                v[0] - 3.0 * v[1] + 3.0 * v[2] - v[3],
            ]
        };
        for (from, ratio) in [(0.0, 1.0), (0.0, 0.3), (0.0, 4.0), (-0.7, 1.0), (0.2, 2.5)] {
            let mut table = rows(1);
            for (row, value) in table.iter_mut().zip(differences(0.0, 1.0)) {
                row[0] = value;
            }
            respace(&mut table, 3, from, ratio);
            for (row, exact) in table.iter().zip(differences(from, ratio)) {
                let size = 1.0 + exact.abs();
                assert!((row[0] - exact).abs() < 1e-13 * size, "{} {exact}", row[0]);
            }
        }
    }
}
