//! Which impulses (or forces) do contacts that act on each other have in one phase?
//!
//! In the plane the friction cone has two edges, so Coulomb's law is a linear complementarity problem without any loss (Stewart and Trinkle 1996; Anitescu and Potra 1997): for every contact p_n ≥ 0 beside u_n ≥ 0, impulses
//! β₊, β₋ ≥ 0 along and against t beside λ ± u_t ≥ 0, and λ ≥ 0 beside μ p_n − β₊ − β₋ ≥ 0. Its matrix is copositive and Lemke's method finds an answer for all rates that a mechanism can have.
//!
//! W of a set has no inverse as a rule, and then only sums of impulses are known. Of all answers the least is taken: W + ε C in the place of W, and then again from the answer (the method of the proximal point), until what ε
//! leaves is nothing.

use super::Stuck;
use super::lcp::Tableau;
use crate::math::sqrt;

/// Two contacts act on each other if W between them is more than this part of their own.
const APART: f64 = 1e-12;
/// ε: small enough for a few repetitions, large enough for a clear split; and a larger one, for what was too close to call.
const SOFT: [f64; 2] = [1e-4, 1e-2];
/// How often the problem is solved again from its answer.
const AGAIN: usize = 30;
/// What may be left of ε in the rates, as a part of the largest.
const LEFT: f64 = 1e-13;
/// A direction of which no more than this part is left beside those before it is none of its own.
const RANK: f64 = 1e-8;
/// How many sweeps at most.
const SWEEPS: usize = 20_000;
/// What the last sweep may still move, as a part of the rates.
const LAST: f64 = 1e-13;

/// Numbers the groups of contacts that act on each other through W, each by its first contact.
pub(super) fn groups(matrix: &[f64], n: usize, group: &mut Vec<usize>) {
    let width = 2 * n;
    let coupled = |i: usize, j: usize| {
        (0..2).any(|a| {
            (0..2).any(|b| {
                let (r, s) = (2 * i + a, 2 * j + b);
                let own = matrix[r * width + r].max(0.0) * matrix[s * width + s].max(0.0);
                matrix[r * width + s].abs() > APART * sqrt(own)
            })
        })
    };
    group.clear();
    group.extend(0..n);
    // Labels are few and sets are small: the lower label goes through until nothing changes.
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..n {
            for j in i + 1..n {
                if group[i] != group[j] && coupled(i, j) {
                    let least = group[i].min(group[j]);
                    (group[i], group[j]) = (least, least);
                    changed = true;
                }
            }
        }
    }
}

/// The numbers of one group of contacts that act on each other, and the linear complementarity problem made of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Cluster {
    /// W of the group.
    pub(super) matrix: Vec<f64>,
    /// C: the weights of the least answer.
    weights: Vec<f64>,
    /// Rates at the start of the phase.
    pub(super) rates: Vec<f64>,
    /// What is added to u_n in its condition.
    pub(super) shift: Vec<f64>,
    /// The least normal impulses.
    pub(super) lower: Vec<f64>,
    /// Coulomb's coefficients.
    pub(super) friction: Vec<f64>,
    /// The sense of contacts that are known to slide; 0 for those that may do as they like. (Only closed contacts have this: in a strike everything may change.)
    pub(super) sense: Vec<f64>,
    /// The impulses found.
    pub(super) impulses: Vec<f64>,
    last: Vec<f64>,
    problem: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    factor: Vec<f64>,
}

impl Cluster {
    /// Takes the rows and columns of some contacts out of the whole matrix.
    pub(super) fn take(&mut self, matrix: &[f64], rates: &[f64], members: &[usize]) {
        let (whole, m) = (rates.len(), members.len());
        self.matrix.clear();
        self.rates.clear();
        for i in members {
            for a in 0..2 {
                for j in members {
                    for b in 0..2 {
                        self.matrix.push(matrix[(2 * i + a) * whole + 2 * j + b]);
                    }
                }
                self.rates.push(rates[2 * i + a]);
            }
        }
        // The same weight for all that are of about one size, so that what shares a load shares it evenly.
        let most = (0..2 * m).fold(0.0, |most: f64, i| most.max(self.matrix[i * 2 * m + i]));
        self.weights.clear();
        for i in 0..2 * m {
            let own = self.matrix[i * 2 * m + i];
            self.weights.push(if own > 0.0 {
                most.min(1000.0 * own)
            } else {
                most
            });
        }
        for (numbers, length) in [
            (&mut self.shift, m),
            (&mut self.lower, m),
            (&mut self.friction, m),
            (&mut self.sense, m),
            (&mut self.impulses, 2 * m),
        ] {
            numbers.clear();
            numbers.resize(length, 0.0);
        }
    }

    /// The rate (2i or 2i + 1) after the impulses.
    pub(super) fn after(&self, row: usize) -> f64 {
        let width = self.rates.len();
        let mut sum = self.rates[row];
        for j in 0..width {
            sum += self.matrix[row * width + j] * self.impulses[j];
        }
        sum
    }

    /// Whether W restricted to some directions has no inverse.
    pub(super) fn redundant(&mut self, counts: impl Fn(usize) -> bool) -> bool {
        let width = self.rates.len();
        self.factor.clear();
        self.factor.extend_from_slice(&self.matrix);
        let f = &mut self.factor;
        // Cholesky's factorisation in place, row by row, until a pivot has nothing left.
        for i in 0..width {
            if !counts(i) {
                continue;
            }
            let own = f[i * width + i];
            for j in 0..i {
                if !counts(j) {
                    continue;
                }
                let mut sum = f[i * width + j];
                for k in 0..j {
                    if counts(k) {
                        sum -= f[i * width + k] * f[j * width + k];
                    }
                }
                f[i * width + j] = sum / f[j * width + j];
            }
            let mut left = own;
            for k in 0..i {
                if counts(k) {
                    left -= f[i * width + k] * f[i * width + k];
                }
            }
            if !(left > RANK * own) {
                return true;
            }
            f[i * width + i] = sqrt(left);
        }
        false
    }

    /// Finds the impulses of one phase: the least, where only sums are known.
    pub(super) fn phase(&mut self, tableau: &mut Tableau) -> Result<(), Stuck> {
        let friction = &self.friction;
        let rough =
            |i: usize| i.is_multiple_of(2) || friction.get(i / 2).is_some_and(|mu| *mu > 0.0);
        let mut directions = std::mem::take(&mut self.last);
        directions.clear();
        directions.extend((0..self.rates.len()).map(|i| f64::from(u8::from(rough(i)))));
        let redundant = self.redundant(|i| directions.get(i).is_some_and(|d| *d > 0.0));
        self.last = directions;
        if !redundant {
            return self.once(tableau, 0.0).or_else(|stuck| self.swept(stuck));
        }
        let width = self.rates.len();
        let size = self.rates.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        for soft in SOFT {
            self.last.clear();
            self.last.resize(width, 0.0);
            for _ in 0..AGAIN {
                if self.once(tableau, soft).is_err() {
                    break;
                }
                let mut left: f64 = 0.0;
                for i in 0..width {
                    let moved = self.impulses[i] - self.last[i];
                    left = left.max((soft * self.weights[i] * moved).abs());
                }
                self.last.copy_from_slice(&self.impulses);
                if left <= LEFT * size {
                    return Ok(());
                }
            }
        }
        self.once(tableau, 0.0).or_else(|stuck| self.swept(stuck))
    }

    /// The last resort: sweeps, if they come to an end.
    fn swept(&mut self, stuck: Stuck) -> Result<(), Stuck> {
        if self.sweep(&[]) <= LAST {
            Ok(())
        } else {
            Err(stuck)
        }
    }

    /// Finds least normal impulses for which every contact does the work that is wanted of it along the straight path of the phase; those that want none may not enter.
    ///
    /// Without friction the works x_i (2 u_i + (W x)_i)/2 = w_i are where ½ x·W x + 2 u·x − Σ 2 w_i ln x_i is least: one place, for that is convex, and one contact after the other comes to it. Friction goes along, within its
    /// cone.
    pub(super) fn meet(&mut self, wanted: &[f64]) {
        self.sweep(wanted);
        for (k, wanted) in wanted.iter().enumerate() {
            self.lower[k] = if *wanted > 0.0 {
                self.impulses[2 * k]
            } else {
                0.0
            };
        }
    }

    /// Sweeps over the directions, each taking what its own condition asks for while the others stand, from the least impulses on; how much the last sweep still moved, as a part of the rates. A contact wants a work, or, if that is 0
    /// or missing, to stay out of the other.
    fn sweep(&mut self, wanted: &[f64]) -> f64 {
        let m = self.friction.len();
        let width = 2 * m;
        let size = self.rates.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        self.impulses.fill(0.0);
        for k in 0..m {
            self.impulses[2 * k] = self.lower[k];
        }
        // The rates under the impulses so far.
        let mut now = std::mem::take(&mut self.last);
        now.clear();
        now.extend((0..width).map(|row| self.after(row)));
        let mut moved = f64::INFINITY;
        for _ in 0..SWEEPS {
            moved = 0.0;
            for row in 0..width {
                let own = self.matrix[row * width + row];
                if !(own > 0.0) {
                    continue;
                }
                let (k, x) = (row / 2, self.impulses[row]);
                let wanted = wanted.get(k).copied().unwrap_or(0.0);
                let others = now[row] - own * x;
                let next = if row % 2 == 1 {
                    let bound = self.friction[k] * self.impulses[row - 1];
                    if self.sense[k] != 0.0 {
                        -self.sense[k] * bound
                    } else {
                        (-others / own).clamp(-bound, bound)
                    }
                } else if wanted > 0.0 {
                    let (b, c) = (self.rates[row] + others, 2.0 * wanted);
                    let root = sqrt(b * b + 4.0 * own * c);
                    // Of the two ways to write the root the one without cancellation.
                    if b > 0.0 {
                        2.0 * c / (b + root)
                    } else {
                        (root - b) / (2.0 * own)
                    }
                } else {
                    (-(others + self.shift[k]) / own).max(self.lower[k])
                };
                let change = next - x;
                if !change.is_finite() {
                    self.last = now;
                    return f64::INFINITY;
                }
                if change != 0.0 {
                    self.impulses[row] = next;
                    moved = moved.max((own * change).abs());
                    for (rate, w) in now.iter_mut().zip(self.matrix[row..].iter().step_by(width)) {
                        *rate += w * change;
                    }
                }
            }
            if moved <= 1e-15 * size {
                break;
            }
        }
        self.last = now;
        moved / size
    }

    /// Solves the phase with W + soft · C, from the last impulses.
    fn once(&mut self, tableau: &mut Tableau, soft: f64) -> Result<(), Stuck> {
        let m = self.friction.len();
        let width = 2 * m;
        let free = |i: &usize| self.friction[*i] > 0.0 && self.sense[*i] == 0.0;
        let rough = (0..m).filter(free).count();
        let n = m + 3 * rough;
        self.problem.clear();
        self.problem.resize(n * n, 0.0);
        self.vector.clear();
        self.vector.resize(n, 0.0);
        self.solution.clear();
        self.solution.resize(n, 0.0);
        let w = |i: usize, j: usize| {
            let own = if i == j { soft * self.weights[i] } else { 0.0 };
            self.matrix[i * width + j] + own
        };
        // What one unit of the normal impulse j does to a direction: with its friction, if its sense is known.
        let pushed = |row: usize, j: usize| {
            w(row, 2 * j) - self.friction[j] * self.sense[j] * w(row, 2 * j + 1)
        };
        let rate = |row: usize| {
            let mut sum = self.rates[row];
            for j in 0..m {
                sum += pushed(row, j) * self.lower[j];
            }
            if soft > 0.0 {
                sum -= soft * self.weights[row] * self.last[row];
            }
            sum
        };
        for i in 0..m {
            self.vector[i] = rate(2 * i) + self.shift[i];
            for j in 0..m {
                self.problem[i * n + j] = pushed(2 * i, j);
            }
            for (k, j) in (0..m).filter(free).enumerate() {
                let one = w(2 * i, 2 * j + 1);
                self.problem[i * n + m + 3 * k] = one;
                self.problem[i * n + m + 3 * k + 1] = -one;
            }
        }
        for (k, i) in (0..m).filter(free).enumerate() {
            let row = m + 3 * k;
            let slip = rate(2 * i + 1);
            self.vector[row] = slip;
            self.vector[row + 1] = -slip;
            self.vector[row + 2] = self.friction[i] * self.lower[i];
            for j in 0..m {
                let one = pushed(2 * i + 1, j);
                self.problem[row * n + j] = one;
                self.problem[(row + 1) * n + j] = -one;
            }
            for (l, j) in (0..m).filter(free).enumerate() {
                let one = w(2 * i + 1, 2 * j + 1);
                let column = m + 3 * l;
                self.problem[row * n + column] = one;
                self.problem[row * n + column + 1] = -one;
                self.problem[(row + 1) * n + column] = -one;
                self.problem[(row + 1) * n + column + 1] = one;
            }
            self.problem[row * n + row + 2] = 1.0;
            self.problem[(row + 1) * n + row + 2] = 1.0;
            self.problem[(row + 2) * n + i] = self.friction[i];
            self.problem[(row + 2) * n + row] = -1.0;
            self.problem[(row + 2) * n + row + 1] = -1.0;
        }
        tableau.solve(&self.problem, &self.vector, &mut self.solution)?;
        let mut k = 0;
        for i in 0..m {
            let normal = self.lower[i] + self.solution[i];
            self.impulses[2 * i] = normal;
            self.impulses[2 * i + 1] = if self.friction[i] > 0.0 && self.sense[i] == 0.0 {
                k += 1;
                let along = self.solution[m + 3 * k - 3] - self.solution[m + 3 * k - 2];
                // Within the cone to the last digit.
                let bound = self.friction[i] * normal;
                along.clamp(-bound, bound)
            } else {
                -self.friction[i] * self.sense[i] * normal
            };
        }
        Ok(())
    }
}
