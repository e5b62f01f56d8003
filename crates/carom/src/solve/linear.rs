//! How are the dense linear systems of the implicit methods solved?
//!
//! By LU factorisation with partial pivoting, written once for real and complex entries, in buffers that are allocated when the solver is made. A matrix that cannot be
//! factored is said to be so by type; no infinity leaves this file in silence.

/// What a matrix is made of: real or complex numbers.
pub(crate) trait Entry: Copy {
    /// The number zero.
    const ZERO: Self;
    /// The real number `x`.
    fn real(x: f64) -> Self;
    /// A size to choose pivots by: zero only for zero.
    fn size(self) -> f64;
    /// self + other.
    fn plus(self, other: Self) -> Self;
    /// self − a·b.
    fn minus_product(self, a: Self, b: Self) -> Self;
    /// self·other.
    fn times(self, other: Self) -> Self;
    /// 1/self.
    fn inverse(self) -> Self;
}

impl Entry for f64 {
    const ZERO: f64 = 0.0;

    #[inline]
    fn real(x: f64) -> f64 {
        x
    }

    #[inline]
    fn size(self) -> f64 {
        self.abs()
    }

    #[inline]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline]
    fn minus_product(self, a: f64, b: f64) -> f64 {
        self - a * b
    }

    #[inline]
    fn times(self, other: f64) -> f64 {
        self * other
    }

    #[inline]
    fn inverse(self) -> f64 {
        1.0 / self
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Entry for Complex {
    const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

    #[inline]
    fn real(x: f64) -> Complex {
        Complex { re: x, im: 0.0 }
    }

    #[inline]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    #[inline]
    fn plus(self, other: Complex) -> Complex {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }

    #[inline]
    fn minus_product(self, a: Complex, b: Complex) -> Complex {
        Complex {
            re: self.re - (a.re * b.re - a.im * b.im),
            im: self.im - (a.re * b.im + a.im * b.re),
        }
    }

    #[inline]
    fn times(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// Divided through by the size first, so that a large number has an inverse too.
    #[inline]
    fn inverse(self) -> Complex {
        let size = self.size();
        let (re, im) = (self.re / size, self.im / size);
        let square = re * re + im * im;
        Complex {
            re: re / square / size,
            im: -im / square / size,
        }
    }
}

/// The matrix has no inverse in floating-point numbers: a pivot was zero, too small to divide by, or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Singular;

/// An LU factorisation and its buffers.
///
/// Unknowns on which nothing depends (integrals that are taken beside a motion: their columns of J are zero) are left out of the factorisation: they follow from the others.
pub(crate) struct Lu<E> {
    n: usize,
    /// The unknowns that take part, and those that only follow.
    active: Vec<usize>,
    passive: Vec<usize>,
    /// Of those that take part, row by row: the multipliers below the diagonal, the inverse pivots on it, the upper triangle above it.
    a: Vec<E>,
    /// Row by row, how those that only follow depend on those that take part.
    follows: Vec<f64>,
    /// 1/shift.
    inverse: E,
    /// The row exchanged with row `k` in the elimination of column `k`.
    swapped: Vec<usize>,
    /// The right-hand side of those that take part.
    b: Vec<E>,
}

impl<E: Entry> Lu<E> {
    /// Buffers for `n` unknowns.
    pub fn new(n: usize) -> Self {
        Lu {
            n,
            active: Vec::with_capacity(n),
            passive: Vec::with_capacity(n),
            a: vec![E::ZERO; n * n],
            follows: Vec::with_capacity(n * n / 2),
            inverse: E::ZERO,
            swapped: vec![0; n],
            b: vec![E::ZERO; n],
        }
    }

    /// Factors shift·I − J, with J given row by row.
    pub fn factor_shifted(&mut self, shift: E, jacobian: &[f64]) -> Result<(), Singular> {
        let n = self.n;
        self.active.clear();
        self.passive.clear();
        let used = &mut self.swapped;
        used.fill(0);
        for row in jacobian.chunks_exact(n.max(1)) {
            for (used, j) in used.iter_mut().zip(row) {
                // Not a number is not zero either.
                *used |= usize::from(*j != 0.0);
            }
        }
        for (k, used) in used.iter().enumerate() {
            if *used != 0 {
                self.active.push(k);
            } else {
                self.passive.push(k);
            }
        }
        let m = self.active.len();
        for (i, &row) in self.active.iter().enumerate() {
            for (k, &column) in self.active.iter().enumerate() {
                self.a[i * m + k] = E::real(-jacobian[row * n + column]);
            }
            let diagonal = &mut self.a[i * m + i];
            *diagonal = diagonal.plus(shift);
        }
        self.follows.clear();
        for &row in &self.passive {
            for &column in &self.active {
                let j = jacobian[row * n + column];
                if !j.is_finite() {
                    return Err(Singular);
                }
                self.follows.push(j);
            }
        }
        self.inverse = shift.inverse();
        if !self.passive.is_empty() && !self.inverse.size().is_finite() {
            return Err(Singular);
        }
        self.factor()
    }

    fn factor(&mut self) -> Result<(), Singular> {
        let n = self.active.len();
        for k in 0..n {
            let mut pivot = k;
            let mut largest = self.a[k * n + k].size();
            for i in k + 1..n {
                let size = self.a[i * n + k].size();
                if size > largest || size.is_nan() {
                    (pivot, largest) = (i, size);
                }
            }
            let inverse = self.a[pivot * n + k].inverse();
            // The second test also catches pivots so small that their inverse overflows.
            if !(largest > 0.0 && largest.is_finite() && inverse.size().is_finite()) {
                return Err(Singular);
            }
            self.swapped[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    self.a.swap(k * n + j, pivot * n + j);
                }
            }
            self.a[k * n + k] = inverse;
            let (above, below) = self.a[..n * n].split_at_mut((k + 1) * n);
            let pivot_row = &above[k * n + k + 1..];
            for row in below.chunks_exact_mut(n) {
                // Rows that do not take part are many in a sparse matrix.
                if row[k].size() == 0.0 {
                    continue;
                }
                let multiplier = row[k].times(inverse);
                row[k] = multiplier;
                for (entry, &upper) in row[k + 1..].iter_mut().zip(pivot_row) {
                    *entry = entry.minus_product(multiplier, upper);
                }
            }
        }
        Ok(())
    }

    /// Replaces `b` by the solution x of A x = b. After a successful factorisation.
    pub fn solve(&mut self, b: &mut [E]) {
        let n = self.active.len();
        let x = &mut self.b[..n];
        for (x, &row) in x.iter_mut().zip(&self.active) {
            *x = b[row];
        }
        for k in 0..n {
            x.swap(k, self.swapped[k]);
        }
        for i in 1..n {
            let mut sum = x[i];
            for (j, &multiplier) in self.a[i * n..i * n + i].iter().enumerate() {
                sum = sum.minus_product(multiplier, x[j]);
            }
            x[i] = sum;
        }
        for i in (0..n).rev() {
            let mut sum = x[i];
            for j in i + 1..n {
                sum = sum.minus_product(self.a[i * n + j], x[j]);
            }
            x[i] = sum.times(self.a[i * n + i]);
        }
        for (x, &row) in x.iter().zip(&self.active) {
            b[row] = *x;
        }
        for (k, &row) in self.passive.iter().enumerate() {
            let mut sum = b[row];
            for (x, &j) in x.iter().zip(&self.follows[k * n..(k + 1) * n]) {
                sum = sum.minus_product(E::real(-j), *x);
            }
            b[row] = sum.times(self.inverse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible sequence in (−1, 1), from the linear congruence of Knuth's MMIX.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    #[test]
    fn real_systems_are_solved_to_rounding() {
        let mut next = numbers();
        for n in [1, 2, 3, 7, 20] {
            let j: Vec<f64> = (0..n * n).map(|_| next()).collect();
            let x: Vec<f64> = (0..n).map(|_| next()).collect();
            let shift = 0.3;
            let mut b: Vec<f64> = (0..n)
                .map(|i| shift * x[i] - (0..n).map(|k| j[i * n + k] * x[k]).sum::<f64>())
                .collect();
            let mut lu = Lu::new(n);
            assert_eq!(lu.factor_shifted(shift, &j), Ok(()));
            lu.solve(&mut b);
            for i in 0..n {
                assert!((b[i] - x[i]).abs() < 1e-12, "n = {n}: {} {}", b[i], x[i]);
            }
        }
    }

    #[test]
    fn complex_systems_are_solved_to_rounding() {
        let mut next = numbers();
        for n in [1, 2, 5, 20] {
            let j: Vec<f64> = (0..n * n).map(|_| next()).collect();
            let x: Vec<Complex> = (0..n)
                .map(|_| Complex {
                    re: next(),
                    im: next(),
                })
                .collect();
            let shift = Complex { re: 0.4, im: -0.7 };
            let mut b: Vec<Complex> = (0..n)
                .map(|i| {
                    let mut sum = shift.times(x[i]);
                    for k in 0..n {
                        sum = sum.minus_product(Complex::real(j[i * n + k]), x[k]);
                    }
                    sum
                })
                .collect();
            let mut lu = Lu::new(n);
            assert_eq!(lu.factor_shifted(shift, &j), Ok(()));
            lu.solve(&mut b);
            for i in 0..n {
                assert!(b[i].minus_product(Complex::real(1.0), x[i]).size() < 1e-12);
            }
        }
    }

    #[test]
    fn a_zero_on_the_diagonal_is_no_hindrance() {
        let mut lu = Lu::new(2);
        assert_eq!(lu.factor_shifted(0.0, &[0.0, -1.0, -2.0, 0.0]), Ok(()));
        let mut b = [3.0, 8.0];
        lu.solve(&mut b);
        assert_eq!(b, [4.0, 3.0]);
    }

    #[test]
    fn a_singular_matrix_is_said_to_be_singular() {
        let mut real = Lu::new(2);
        assert_eq!(
            real.factor_shifted(0.0, &[1.0, 2.0, 2.0, 4.0]),
            Err(Singular)
        );
        assert_eq!(
            real.factor_shifted(1.0, &[1.0, 0.0, 0.0, 5.0]),
            Err(Singular)
        );
        assert_eq!(
            real.factor_shifted(1.0, &[f64::NAN, 0.0, 0.0, 5.0]),
            Err(Singular)
        );
        assert_eq!(
            real.factor_shifted(1.0, &[1.0, 0.0, f64::NAN, 5.0]),
            Err(Singular)
        );
        assert_eq!(
            real.factor_shifted(1.0, &[f64::INFINITY, 0.0, 0.0, 5.0]),
            Err(Singular)
        );
        // A pivot whose inverse overflows.
        assert_eq!(
            real.factor_shifted(0.0, &[1e-310, 0.0, 0.0, 1.0]),
            Err(Singular)
        );
        let mut complex = Lu::<Complex>::new(2);
        let zero = Complex::ZERO;
        assert_eq!(
            complex.factor_shifted(zero, &[1.0, 2.0, 2.0, 4.0]),
            Err(Singular)
        );
        // λ = i is an eigenvalue of a rotation.
        let i = Complex { re: 0.0, im: 1.0 };
        assert_eq!(
            complex.factor_shifted(i, &[0.0, -1.0, 1.0, 0.0]),
            Err(Singular)
        );
    }

    #[test]
    fn a_large_complex_number_has_an_inverse() {
        let z = Complex {
            re: 1e200,
            im: -1e200,
        };
        let product = z.times(z.inverse());
        assert!((product.re - 1.0).abs() < 1e-15 && product.im.abs() < 1e-15);
    }
}
