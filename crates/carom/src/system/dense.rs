//! How is the constrained system solved where its rows depend on each other?
//!
//! By a QR factorisation with column pivoting of K = M^(-1/2) Jᵀ, whose columns are the constraint rows: it sees a dependence at the size of the rows, where the Schur
//! complement KᵀK sees only its square. Accelerations follow from independent rows; the multipliers are those of least Euclidean norm among all that give them.
//! It costs the cube of the number of rows, and is for the few evaluations that need it.

use crate::math;

/// More rows than this are not factored densely.
pub(crate) const MOST_ROWS: usize = 300;

/// A pivoted QR factorisation and its buffers.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    /// The bodies that rows touch; each has three coordinates here.
    touched: Vec<usize>,
    /// For each row its bodies as places in `touched`; the ground is its length.
    ends: Vec<[usize; 2]>,
    /// √(1/m) of each coordinate.
    root: Vec<f64>,
    /// K, column by column; then Householder vectors on and below the diagonal, R above it.
    k: Vec<f64>,
    /// R's diagonal.
    diagonal: Vec<f64>,
    /// Norms of the columns as they were.
    norms: Vec<f64>,
    /// What is left of the squared norms.
    left: Vec<f64>,
    /// The row of each column; those beyond the rank depend on those before.
    rows: Vec<usize>,
    rank: usize,
    /// (R₁₁ R₁₂)ᵀ and its factorisation, if rows depend.
    t: Vec<f64>,
    t_diagonal: Vec<f64>,
    work: Vec<f64>,
    short: Vec<f64>,
}

impl Dense {
    /// Buffers for rows between these bodies, of `bodies` with the ground behind them.
    pub fn new(bodies: usize, row_bodies: &[[usize; 2]]) -> Dense {
        let mut touched: Vec<usize> = row_bodies
            .iter()
            .flatten()
            .copied()
            .filter(|&b| b < bodies)
            .collect();
        touched.sort_unstable();
        touched.dedup();
        let ends = row_bodies
            .iter()
            .map(|ends| ends.map(|body| touched.binary_search(&body).unwrap_or(touched.len())))
            .collect();
        let (n, m) = (3 * touched.len(), row_bodies.len());
        Dense {
            touched,
            ends,
            root: vec![0.0; n],
            k: vec![0.0; n * m],
            diagonal: vec![0.0; m],
            norms: vec![0.0; m],
            left: vec![0.0; m],
            rows: Vec::with_capacity(m),
            rank: 0,
            t: vec![0.0; m * m],
            t_diagonal: vec![0.0; m],
            work: vec![0.0; n],
            short: vec![0.0; m],
        }
    }

    /// Factors the rows for which `active` holds; a row whose part outside the span of the rows taken before is below `tolerance` of it depends on them.
    /// Returns the rank.
    ///
    /// Of the columns whose rest is at least half the largest the earliest is taken: where two say the same, the later is the one too many.
    pub fn factor(
        &mut self,
        jacobian: &[[f64; 6]],
        inverse_masses: &[[f64; 3]],
        active: impl Fn(usize) -> bool,
        tolerance: f64,
    ) -> usize {
        let n = self.root.len();
        for (place, &body) in self.touched.iter().enumerate() {
            for c in 0..3 {
                self.root[3 * place + c] = math::sqrt(inverse_masses[body][c]);
            }
        }
        self.rows.clear();
        self.rows
            .extend((0..self.ends.len()).filter(|&row| active(row)));
        let m = self.rows.len();
        self.k[..n * m].fill(0.0);
        for (column, &row) in self.rows.iter().enumerate() {
            let k = &mut self.k[n * column..n * (column + 1)];
            for (side, &place) in self.ends[row].iter().enumerate() {
                if 3 * place < n {
                    for c in 3 * place..3 * place + 3 {
                        k[c] = jacobian[row][3 * side + c - 3 * place] * self.root[c];
                    }
                }
            }
            let square = dot(k, k);
            self.left[column] = square;
            self.norms[column] = square;
        }
        self.rank = 0;
        for j in 0..m.min(n) {
            // What is left of each column, relative to the whole of it; a row of zeros has nothing left.
            let rest = |i: usize| {
                let share = self.left[i] / self.norms[i];
                if share > 0.0 { share } else { 0.0 }
            };
            let largest = (j..m).map(rest).fold(0.0, f64::max);
            if !(largest > tolerance * tolerance) {
                break;
            }
            let Some(pivot) = (j..m).find(|&i| rest(i) >= 0.25 * largest) else {
                break;
            };
            if pivot != j {
                let (before, after) = self.k.split_at_mut(n * pivot);
                before[n * j..n * (j + 1)].swap_with_slice(&mut after[..n]);
                self.rows.swap(j, pivot);
                self.left.swap(j, pivot);
                self.norms.swap(j, pivot);
            }
            let (before, after) = self.k.split_at_mut(n * (j + 1));
            let vector = &mut before[n * j + j..];
            self.diagonal[j] = reflector(vector);
            for (i, column) in after[..n * (m - j - 1)].chunks_exact_mut(n).enumerate() {
                reflect(vector, &mut column[j..]);
                let rest = &column[j + 1..];
                self.left[j + 1 + i] = dot(rest, rest);
            }
            self.rank = j + 1;
        }
        if self.rank < m {
            self.factor_wide();
        }
        self.rank
    }

    /// The rows that depend on the others, ascending within the pivoting's order.
    pub fn dependent(&self) -> &[usize] {
        &self.rows[self.rank..]
    }

    /// (R₁₁ R₁₂)ᵀ = Z T: what finds multipliers of least norm.
    fn factor_wide(&mut self) {
        let (n, m, r) = (self.root.len(), self.rows.len(), self.rank);
        for i in 0..r {
            for c in 0..m {
                self.t[m * i + c] = match c.cmp(&i) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => self.diagonal[i],
                    std::cmp::Ordering::Greater => self.k[n * c + i],
                };
            }
        }
        for i in 0..r {
            let (before, after) = self.t.split_at_mut(m * (i + 1));
            let vector = &mut before[m * i + i..];
            self.t_diagonal[i] = reflector(vector);
            for column in after[..m * (r - i - 1)].chunks_exact_mut(m) {
                reflect(vector, &mut column[i..]);
            }
        }
    }

    /// Replaces the forces of all bodies by their accelerations and writes the multipliers of the rows that take part; others are set to zero.
    pub fn solve(
        &mut self,
        inverse_masses: &[[f64; 3]],
        motion: &mut [[f64; 3]],
        gamma: &[f64],
        lambda: &mut [f64],
    ) {
        let (n, m, r) = (self.root.len(), self.rows.len(), self.rank);
        for (place, &body) in self.touched.iter().enumerate() {
            for c in 0..3 {
                self.work[3 * place + c] = motion[body][c] * self.root[3 * place + c];
            }
        }
        for (a, w) in motion.iter_mut().zip(inverse_masses) {
            *a = [a[0] * w[0], a[1] * w[1], a[2] * w[2]];
        }
        for j in 0..r {
            reflect(&self.k[n * j + j..n * (j + 1)], &mut self.work[j..]);
        }
        // R₁₁ᵀ z = γ, the accelerations in the directions of the independent rows; what the forces alone would give there, less z, is held by the multipliers.
        for j in 0..r {
            let column = &self.k[n * j..n * j + j];
            let mut z = gamma[self.rows[j]];
            for i in 0..j {
                // Entries before j have been replaced by z.
                z -= column[i] * self.work[i];
            }
            let z = z / self.diagonal[j];
            self.short[j] = self.work[j] - z;
            self.work[j] = z;
        }
        for j in (0..r).rev() {
            reflect(&self.k[n * j + j..n * (j + 1)], &mut self.work[j..]);
        }
        for (place, &body) in self.touched.iter().enumerate() {
            for c in 0..3 {
                motion[body][c] = self.work[3 * place + c] * self.root[3 * place + c];
            }
        }
        self.short[r..m].fill(0.0);
        if r == m {
            for j in (0..m).rev() {
                let x = self.short[j] / self.diagonal[j];
                self.short[j] = x;
                for i in 0..j {
                    self.short[i] -= self.k[n * j + i] * x;
                }
            }
        } else {
            for j in 0..r {
                let mut x = self.short[j];
                for i in 0..j {
                    x -= self.t[m * j + i] * self.short[i];
                }
                self.short[j] = x / self.t_diagonal[j];
            }
            for j in (0..r).rev() {
                reflect(&self.t[m * j + j..m * (j + 1)], &mut self.short[j..m]);
            }
        }
        lambda.fill(0.0);
        for (&row, &x) in self.rows.iter().zip(&self.short) {
            lambda[row] = x;
        }
    }
}

/// Four sums side by side: a single one would wait for itself at every term.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for c in 0..4 {
            sums[c] += a[c] * b[c];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Makes `x` the unit vector of the reflection that leaves only its first entry, and returns that entry.
pub(crate) fn reflector(x: &mut [f64]) -> f64 {
    let norm = math::sqrt(dot(x, x));
    let Some(first) = x.first_mut() else {
        return 0.0;
    };
    let image = if *first > 0.0 { -norm } else { norm };
    *first -= image;
    let length = math::sqrt(dot(x, x));
    if length > 0.0 {
        x.iter_mut().for_each(|x| *x /= length);
    }
    image
}

/// Reflects `y` by the unit vector.
pub(crate) fn reflect(vector: &[f64], y: &mut [f64]) {
    let twice = 2.0 * dot(vector, y);
    for (y, v) in y.iter_mut().zip(vector) {
        *y -= twice * v;
    }
}
