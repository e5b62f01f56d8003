//! Which z ≥ 0 makes w = M z + q ≥ 0 with w · z = 0?
//!
//! Lemke's method on a tableau of w − M z − d z₀ = q: z₀ is driven in with the most negative row and the complement of whatever leaves comes in next, until z₀ leaves. Ties are broken lexicographically by the rows
//! of the inverse of the basis, which stand in the columns of w; so the path cannot come back (Cottle, Pang and Stone 1992). Where z₀ could leave, it does. M is scaled to D M D first, so that a gram and a tonne are
//! both of size one, and the answer is taken anew from its basis by an LU factorisation of M: what the pivots lost on the way is regained.

use super::Stuck;
use crate::math::sqrt;

/// An entry of a column below this part of the largest cannot be a pivot.
const PIVOT: f64 = 1e-11;
/// A pivot below this part of the largest is looked at again in a tableau made anew.
const WEAK: f64 = 1e-8;
/// Quotients that differ by less than this are tied.
const TIE: f64 = 1e-12;
/// The largest error that is still an answer, as a part of the largest term.
const ANSWER: f64 = 1e-9;
/// How many covering vectors d are tried before the problem is given up.
const TRIALS: usize = 6;

/// The tableau, and what else the method needs room for.
#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    /// Rows of: n columns of w, n of z, z₀, right-hand side.
    cells: Vec<f64>,
    /// The variable in each row: w_i is i, z_i is n + i, z₀ is 2n.
    basis: Vec<usize>,
    /// D.
    scale: Vec<f64>,
    /// The entering column.
    column: Vec<f64>,
    /// Rows that tie.
    tied: Vec<usize>,
    /// z at the end of the path, and taken anew.
    ends: [Vec<f64>; 2],
    /// The part of M that the basis uses, factored, and which rows it has.
    factors: Vec<f64>,
    active: Vec<usize>,
    right: Vec<f64>,
}

impl Tableau {
    /// See [`super::lemke`].
    pub(super) fn solve(
        &mut self,
        matrix: &[f64],
        vector: &[f64],
        solution: &mut [f64],
    ) -> Result<(), Stuck> {
        let n = vector.len();
        if matrix.len() != n * n || solution.len() != n {
            return Err(Stuck::Sizes);
        }
        if !matrix.iter().chain(vector).all(|x| x.is_finite()) {
            return Err(Stuck::NotFinite);
        }
        if vector.iter().all(|q| *q >= 0.0) {
            solution.fill(0.0);
            return Ok(());
        }
        self.weigh(matrix, n);
        // The whole problem is linear in q: it is of size one from here on.
        let size = (0..n).fold(0.0, |most: f64, i| {
            most.max((vector[i] * self.scale[i]).abs())
        });
        if !(size > 0.0 && size.is_finite()) {
            return Err(Stuck::NotFinite);
        }
        let mut why = Stuck::Ray;
        for trial in 0..TRIALS {
            match self
                .follow(matrix, vector, size, trial)
                .and_then(|()| self.settle(matrix, vector, size))
            {
                Ok(which) => {
                    for i in 0..n {
                        solution[i] = self.ends[which][i] * self.scale[i] * size;
                    }
                    return if solution.iter().all(|z| z.is_finite()) {
                        Ok(())
                    } else {
                        Err(Stuck::NotFinite)
                    };
                }
                // What the first trial says is the plainest.
                Err(stuck) if trial == 0 => why = stuck,
                Err(_) => {}
            }
        }
        Err(why)
    }

    /// D: one over the root of the diagonal, or what brings the largest entry of a row without one to one.
    fn weigh(&mut self, matrix: &[f64], n: usize) {
        self.scale.clear();
        self.scale.resize(n, 0.0);
        let most = (0..n).fold(0.0, |most: f64, i| most.max(matrix[i * n + i].abs()));
        for i in 0..n {
            let own = matrix[i * n + i].abs();
            if own > 1e-14 * most {
                self.scale[i] = 1.0 / sqrt(own);
            }
        }
        for i in 0..n {
            if self.scale[i] > 0.0 {
                continue;
            }
            let mut size: f64 = 0.0;
            for j in 0..n {
                // A neighbour without a scale of its own counts as one.
                let beside = if self.scale[j] > 0.0 {
                    self.scale[j]
                } else {
                    1.0
                };
                size = size
                    .max(matrix[i * n + j].abs() * beside)
                    .max(matrix[j * n + i].abs() * beside);
            }
            self.scale[i] = if size > 0.0 { 1.0 / size } else { 1.0 };
        }
    }

    /// Follows the path to its end; the basis is then without z₀.
    fn follow(
        &mut self,
        matrix: &[f64],
        vector: &[f64],
        size: f64,
        trial: usize,
    ) -> Result<(), Stuck> {
        let n = vector.len();
        let (artificial, width) = (2 * n, 2 * n + 2);
        // Other covering vectors take other paths.
        let cover = move |i: usize| {
            let golden = (i * trial) as f64 * 0.618_033_988_749_894_9;
            1.0 + golden - golden.floor()
        };
        self.basis.clear();
        self.basis.extend(0..n);
        self.fill(matrix, vector, size, cover);
        // The first row to go is the lexicographic least of (q, e_i)/d: of equal ones the last.
        let mut first = 0;
        let mut least = f64::INFINITY;
        for i in 0..n {
            let quotient = self.cells[i * width + width - 1] / cover(i);
            if quotient <= least {
                (least, first) = (quotient, i);
            }
        }
        if !(least < 0.0) {
            // The scaled vector has lost its negative entries: nothing is to be done.
            return Ok(());
        }
        let mut entering = self.exchange(first, artificial, n);
        let limit = 50 + 20 * n;
        let mut fresh = 0;
        for pivots in 0..limit {
            let found = self.leaving(entering, n);
            // Before anything is decided on what may be rounding, the tableau is made anew from its basis.
            let weak = found.is_none_or(|row| self.column[row] < WEAK * self.largest());
            let found = if weak && pivots > fresh {
                fresh = pivots;
                if !self.renew(matrix, vector, size, cover) {
                    return Err(Stuck::Ray);
                }
                self.leaving(entering, n)
            } else {
                found
            };
            let Some(row) = found else {
                return Err(Stuck::Ray);
            };
            let left = self.exchange(row, entering, n);
            if !self.cells[row * width + width - 1].is_finite() {
                return Err(Stuck::NotFinite);
            }
            if left == artificial {
                return Ok(());
            }
            entering = left;
            // `exchange` names the complement of what left.
        }
        Err(Stuck::Pivots(limit))
    }

    /// Writes the tableau of the basis of w alone.
    fn fill(&mut self, matrix: &[f64], vector: &[f64], size: f64, cover: impl Fn(usize) -> f64) {
        let n = vector.len();
        let width = 2 * n + 2;
        self.cells.clear();
        self.cells.resize(n * width, 0.0);
        for i in 0..n {
            let row = &mut self.cells[i * width..(i + 1) * width];
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -matrix[i * n + j] * self.scale[i] * self.scale[j];
            }
            row[2 * n] = -cover(i);
            row[width - 1] = vector[i] * self.scale[i] / size;
        }
    }

    /// Makes the tableau of the basis anew from the problem itself, with the best pivots; `false` if the basis turns out to be none.
    fn renew(
        &mut self,
        matrix: &[f64],
        vector: &[f64],
        size: f64,
        cover: impl Fn(usize) -> f64,
    ) -> bool {
        let n = vector.len();
        let width = 2 * n + 2;
        self.fill(matrix, vector, size, cover);
        // What is in the basis, and which rows have been given to it: those of w that stay have their own.
        std::mem::swap(&mut self.active, &mut self.basis);
        self.basis.clear();
        self.basis.resize(n, usize::MAX);
        for variable in &self.active {
            if *variable < n {
                self.basis[*variable] = *variable;
            }
        }
        for k in 0..n {
            let variable = self.active[k];
            if variable < n {
                continue;
            }
            let mut best = None;
            let mut most = 1e-13;
            for i in 0..n {
                let size = self.cells[i * width + variable].abs();
                if self.basis[i] == usize::MAX && size > most {
                    (best, most) = (Some(i), size);
                }
            }
            let Some(row) = best else {
                return false;
            };
            // A place that the complement of what leaves does not come from.
            self.basis[row] = 0;
            self.exchange(row, variable, n);
        }
        true
    }

    /// The largest entry of the entering column.
    fn largest(&self) -> f64 {
        self.column.iter().fold(0.0, |m: f64, d| m.max(d.abs()))
    }

    /// The row that leaves for a column: the lexicographic least quotient, but z₀ before all others.
    fn leaving(&mut self, entering: usize, n: usize) -> Option<usize> {
        let (artificial, width) = (2 * n, 2 * n + 2);
        self.column.clear();
        self.column
            .extend((0..n).map(|i| self.cells[i * width + entering]));
        let pivot = PIVOT * self.largest();
        let mut least = f64::INFINITY;
        for i in 0..n {
            if self.column[i] > pivot {
                least = least.min(self.cells[i * width + width - 1].max(0.0) / self.column[i]);
            }
        }
        if !least.is_finite() {
            return None;
        }
        self.tied.clear();
        for i in 0..n {
            let d = self.column[i];
            if d > pivot {
                let quotient = self.cells[i * width + width - 1].max(0.0) / d;
                if quotient <= least + TIE * least.max(1.0) {
                    if self.basis[i] == artificial {
                        return Some(i);
                    }
                    self.tied.push(i);
                }
            }
        }
        for k in 0..n {
            if self.tied.len() <= 1 {
                break;
            }
            let mut least = f64::INFINITY;
            for i in &self.tied {
                least = least.min(self.cells[i * width + k] / self.column[*i]);
            }
            let (cells, column) = (&self.cells, &self.column);
            self.tied.retain(|i| {
                cells[i * width + k] / column[*i] <= least + TIE * least.abs().max(1.0)
            });
        }
        self.tied.first().copied()
    }

    /// Brings a column into the basis for the one of `row`; answers the complement of what left, or z₀ itself if it was that.
    fn exchange(&mut self, row: usize, entering: usize, n: usize) -> usize {
        let width = 2 * n + 2;
        let inverse = 1.0 / self.cells[row * width + entering];
        for cell in &mut self.cells[row * width..(row + 1) * width] {
            *cell *= inverse;
        }
        let (above, rest) = self.cells.split_at_mut(row * width);
        let (own, below) = rest.split_at_mut(width);
        for other in above
            .chunks_exact_mut(width)
            .chain(below.chunks_exact_mut(width))
        {
            let factor = other[entering];
            if factor != 0.0 {
                for (cell, own) in other.iter_mut().zip(own.iter()) {
                    *cell -= factor * own;
                }
                // Exactly none is left.
                other[entering] = 0.0;
            }
        }
        let left = self.basis[row];
        self.basis[row] = entering;
        if left == 2 * n {
            left
        } else if left < n {
            left + n
        } else {
            left - n
        }
    }

    /// The better of the two answers: at the end of the path, and taken anew from its basis.
    fn settle(&mut self, matrix: &[f64], vector: &[f64], size: f64) -> Result<usize, Stuck> {
        let n = vector.len();
        let width = 2 * n + 2;
        for end in &mut self.ends {
            end.clear();
            end.resize(n, 0.0);
        }
        self.active.clear();
        for i in 0..n {
            let variable = self.basis[i];
            if variable >= n && variable < 2 * n {
                self.ends[0][variable - n] = self.cells[i * width + width - 1].max(0.0);
                self.active.push(variable - n);
            }
        }
        self.active.sort_unstable();
        let of_path = self.missed(matrix, vector, size, 0);
        let anew = if self.anew(matrix, vector, size) {
            self.missed(matrix, vector, size, 1)
        } else {
            f64::INFINITY
        };
        let (which, missed) = if anew <= of_path {
            (1, anew)
        } else {
            (0, of_path)
        };
        if missed <= ANSWER {
            Ok(which)
        } else if missed.is_finite() {
            Err(Stuck::Inexact(missed))
        } else {
            Err(Stuck::NotFinite)
        }
    }

    /// Solves M_AA z_A = −q_A for the active part of the basis; whether that was possible.
    fn anew(&mut self, matrix: &[f64], vector: &[f64], size: f64) -> bool {
        let (n, m) = (vector.len(), self.active.len());
        self.factors.clear();
        self.right.clear();
        for i in &self.active {
            for j in &self.active {
                self.factors
                    .push(matrix[i * n + j] * self.scale[*i] * self.scale[*j]);
            }
            self.right.push(-vector[*i] * self.scale[*i] / size);
        }
        if !eliminate(&mut self.factors, &mut self.right, m, 1e-14) {
            return false;
        }
        for (i, z) in self.active.iter().zip(&self.right) {
            self.ends[1][*i] = z.max(0.0);
        }
        true
    }

    /// How far an answer is from one: the largest of |min(z, w)|, as a part of the largest sum of terms.
    fn missed(&self, matrix: &[f64], vector: &[f64], size: f64, which: usize) -> f64 {
        let n = vector.len();
        let z = &self.ends[which];
        let (mut missed, mut largest): (f64, f64) = (0.0, 1.0);
        for i in 0..n {
            let mut w = vector[i] * self.scale[i] / size;
            let mut terms = w.abs();
            for j in 0..n {
                let term = matrix[i * n + j] * self.scale[i] * self.scale[j] * z[j];
                w += term;
                terms += term.abs();
            }
            missed = missed.max(w.min(z[i]).abs());
            largest = largest.max(terms);
            if !w.is_finite() {
                return f64::NAN;
            }
        }
        missed / largest
    }
}

/// Solves a dense system in place by elimination with partial pivoting, the right-hand side becoming the solution; `false` if a pivot is below the part `least` of the largest entry.
pub(super) fn eliminate(matrix: &mut [f64], right: &mut [f64], m: usize, least: f64) -> bool {
    let most = matrix.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for k in 0..m {
        let mut best = k;
        for i in k + 1..m {
            if matrix[i * m + k].abs() > matrix[best * m + k].abs() {
                best = i;
            }
        }
        let pivot = matrix[best * m + k];
        if !(pivot.abs() > least * most) {
            return false;
        }
        if best != k {
            for j in 0..m {
                matrix.swap(k * m + j, best * m + j);
            }
            right.swap(k, best);
        }
        for i in k + 1..m {
            let factor = matrix[i * m + k] / pivot;
            if factor != 0.0 {
                for j in k + 1..m {
                    matrix[i * m + j] -= factor * matrix[k * m + j];
                }
                right[i] -= factor * right[k];
            }
        }
    }
    for k in (0..m).rev() {
        let mut sum = right[k];
        for j in k + 1..m {
            sum -= matrix[k * m + j] * right[j];
        }
        right[k] = sum / matrix[k * m + k];
    }
    true
}
