//! Which eigenvalues and eigenvectors has a real matrix?
//!
//! General matrices: balanced by powers of two (Parlett and Reinsch 1969), brought to Hessenberg form by reflections, then to the real Schur form by QR steps with two shifts at once
//! (Francis 1961); vectors by back substitution. Real eigenvalues come out real and the others in exact pairs. Symmetric matrices: by Jacobi's rotations (1846), which keep small
//! eigenvalues and the angles between vectors. Both take the cube of the size and allocate: they are for analyses, not for loops.

use super::dense::{dot, reflector};
use crate::math;

/// An eigenvalue with its vector.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    /// Real and imaginary part; of a conjugate pair the one with the positive imaginary part comes first.
    pub value: [f64; 2],
    /// Real and imaginary part of each entry; of unit length.
    pub vector: Vec<[f64; 2]>,
}

/// The eigenvalues and vectors of the n × n matrix `a`, row by row, as the Schur form orders them. `None` where an entry is not finite or the steps do not end.
pub(crate) fn general(a: &[f64], n: usize) -> Option<Vec<Pair>> {
    if a.len() != n * n || a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut t = Square {
        n,
        x: a.to_vec(),
        z: identity(n),
    };
    let scale = t.balance();
    t.hessenberg();
    t.schur()?;
    let norm = t.x.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let mut pairs = Vec::with_capacity(n);
    let mut k = 0;
    while k < n {
        if k + 1 < n && t.at(k + 1, k) != 0.0 {
            let [a, b, c, d] = t.block(k);
            let half = 0.5 * (a - d);
            let im = math::sqrt((-(half * half + b * c)).max(0.0));
            let value = [0.5 * (a + d), im];
            let vector = t.vector(k, value, norm, &scale);
            let conjugate = vector.iter().map(|[re, im]| [*re, -im]).collect();
            pairs.push(Pair { value, vector });
            pairs.push(Pair {
                value: [value[0], -im],
                vector: conjugate,
            });
            k += 2;
        } else {
            let value = [t.at(k, k), 0.0];
            let vector = t.vector(k, value, norm, &scale);
            pairs.push(Pair { value, vector });
            k += 1;
        }
    }
    Some(pairs)
}

/// The eigenvalues of a symmetric matrix, ascending, and its orthonormal vectors; only the symmetric part of `a` counts. `None` where an entry is not finite.
pub(crate) fn symmetric(a: &[f64], n: usize) -> Option<Vec<(f64, Vec<f64>)>> {
    if a.len() != n * n || a.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let mut s = a.to_vec();
    for i in 0..n {
        for j in 0..n {
            s[i * n + j] = 0.5 * a[i * n + j] + 0.5 * a[j * n + i];
        }
    }
    // Row i of `v` is the i-th vector.
    let mut v = identity(n);
    for _ in 0..60 {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let (pp, qq, pq) = (s[p * n + p], s[q * n + q], s[p * n + q]);
                // Small beside both diagonal entries: then it moves no digit of either.
                if pq.abs() <= f64::EPSILON * math::sqrt(pp.abs()) * math::sqrt(qq.abs()) * 0.1
                    || pq.abs() < f64::MIN_POSITIVE
                {
                    s[p * n + q] = 0.0;
                    s[q * n + p] = 0.0;
                    continue;
                }
                turned = true;
                let theta = 0.5 * (qq - pp) / pq;
                let root = theta.abs() + math::sqrt(1.0 + theta * theta);
                let tan = if theta < 0.0 { -1.0 / root } else { 1.0 / root };
                let cos = 1.0 / math::sqrt(1.0 + tan * tan);
                let sin = tan * cos;
                for k in 0..n {
                    let (x, y) = (s[k * n + p], s[k * n + q]);
                    s[k * n + p] = cos * x - sin * y;
                    s[k * n + q] = sin * x + cos * y;
                }
                for k in 0..n {
                    let (x, y) = (s[p * n + k], s[q * n + k]);
                    s[p * n + k] = cos * x - sin * y;
                    s[q * n + k] = sin * x + cos * y;
                    let (x, y) = (v[p * n + k], v[q * n + k]);
                    v[p * n + k] = cos * x - sin * y;
                    v[q * n + k] = sin * x + cos * y;
                }
                s[p * n + q] = 0.0;
                s[q * n + p] = 0.0;
            }
        }
        if !turned {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> = (0..n)
        .map(|i| (s[i * n + i], v[i * n..(i + 1) * n].to_vec()))
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(pairs)
}

fn identity(n: usize) -> Vec<f64> {
    let mut x = vec![0.0; n * n];
    for i in 0..n {
        x[i * n + i] = 1.0;
    }
    x
}

/// A matrix under way to its Schur form T = Zᵀ A Z.
struct Square {
    n: usize,
    x: Vec<f64>,
    z: Vec<f64>,
}

impl Square {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.x[i * self.n + j]
    }

    /// The 2 × 2 block on the diagonal at k.
    fn block(&self, k: usize) -> [f64; 4] {
        [
            self.at(k, k),
            self.at(k, k + 1),
            self.at(k + 1, k),
            self.at(k + 1, k + 1),
        ]
    }

    /// Makes rows and columns alike in size; answers the factors of the columns, powers of two.
    fn balance(&mut self) -> Vec<f64> {
        let n = self.n;
        let mut scale = vec![1.0; n];
        for _ in 0..100 {
            let mut done = true;
            for i in 0..n {
                let others = || (0..n).filter(|&j| j != i);
                let column: f64 = others().map(|j| self.at(j, i).abs()).sum();
                let row: f64 = others().map(|j| self.at(i, j).abs()).sum();
                if !(column > 0.0 && row > 0.0) {
                    continue;
                }
                let (mut factor, mut c, mut r) = (1.0, column, row);
                while c < 0.5 * r && factor < 1e100 {
                    (factor, c, r) = (2.0 * factor, 2.0 * c, 0.5 * r);
                }
                while c >= 2.0 * r && factor > 1e-100 {
                    (factor, c, r) = (0.5 * factor, 0.5 * c, 2.0 * r);
                }
                if c + r < 0.95 * (column + row) {
                    done = false;
                    scale[i] *= factor;
                    for j in 0..n {
                        self.x[j * n + i] *= factor;
                    }
                    for j in 0..n {
                        self.x[i * n + j] /= factor;
                    }
                }
            }
            if done {
                break;
            }
        }
        scale
    }

    /// Applies the reflection by the unit vector `u`, whose first entry belongs to row and column `k`, from both sides: to columns `from`… of the rows, and to rows …`to` of the columns.
    fn reflect(&mut self, u: &[f64], k: usize, from: usize, to: usize) {
        let n = self.n;
        for j in from..n {
            let sum: f64 = u
                .iter()
                .enumerate()
                .map(|(i, u)| u * self.x[(k + i) * n + j])
                .sum();
            for (i, u) in u.iter().enumerate() {
                self.x[(k + i) * n + j] -= 2.0 * sum * u;
            }
        }
        for (matrix, rows) in [(&mut self.x, to), (&mut self.z, n)] {
            for row in matrix.chunks_exact_mut(n).take(rows) {
                let row = &mut row[k..k + u.len()];
                let twice = 2.0 * dot(u, row);
                for (x, u) in row.iter_mut().zip(u) {
                    *x -= twice * u;
                }
            }
        }
    }

    /// Zero below the first subdiagonal.
    fn hessenberg(&mut self) {
        let n = self.n;
        for k in 1..n.saturating_sub(1) {
            let mut u: Vec<f64> = (k..n).map(|i| self.at(i, k - 1)).collect();
            if u[1..].iter().all(|x| *x == 0.0) {
                continue;
            }
            let image = reflector(&mut u);
            self.reflect(&u, k, k, n);
            self.x[k * n + k - 1] = image;
            for i in k + 1..n {
                self.x[i * n + k - 1] = 0.0;
            }
        }
    }

    /// To blocks of one (real eigenvalues) and two (pairs) on the diagonal.
    fn schur(&mut self) -> Option<()> {
        let n = self.n;
        let norm = self.x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        // One past the last row still at work, and how often it was.
        let (mut end, mut tries) = (n, 0);
        while end > 0 {
            let last = end - 1;
            let mut first = last;
            while first > 0 {
                let beside = self.at(first - 1, first - 1).abs() + self.at(first, first).abs();
                let beside = if beside == 0.0 { norm } else { beside };
                if self.at(first, first - 1).abs() <= f64::EPSILON * beside {
                    self.x[first * n + first - 1] = 0.0;
                    break;
                }
                first -= 1;
            }
            if first == last {
                (end, tries) = (last, 0);
                continue;
            }
            if first + 1 == last {
                self.split(first);
                (end, tries) = (first, 0);
                continue;
            }
            tries += 1;
            if tries > 60 {
                return None;
            }
            let [a, b, c, d] = self.block(last - 1);
            let (mut trace, mut determinant) = (a + d, a * d - b * c);
            if tries % 10 == 0 {
                // Shifts off the path, where the usual ones go round in circles (Martin, Peters and Wilkinson 1970).
                let s = self.at(last, last - 1).abs() + self.at(last - 1, last - 2).abs();
                (trace, determinant) = (1.5 * s + 2.0 * d, s * s + 1.5 * s * d + d * d);
            }
            self.sweep(first, last, trace, determinant);
        }
        Some(())
    }

    /// A QR step with the two shifts of this sum and product on rows `first`…`last`.
    fn sweep(&mut self, first: usize, last: usize, trace: f64, determinant: f64) {
        let n = self.n;
        let [a, b, c, d] = self.block(first);
        let mut column = [
            a * (a - trace) + b * c + determinant,
            c * (a + d - trace),
            c * self.at(first + 2, first + 1),
        ];
        for k in first..last {
            let size = 3.min(last + 1 - k);
            let Some(u) = column.get_mut(..size) else {
                return;
            };
            let largest = u.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if largest > 0.0 {
                u.iter_mut().for_each(|x| *x /= largest);
                let _ = reflector(u);
                let u = u.to_vec();
                self.reflect(&u, k, k.saturating_sub(1).max(first), (k + 4).min(last + 1));
            }
            if k > first {
                for i in k + 1..k + size {
                    self.x[i * n + k - 1] = 0.0;
                }
            }
            column = [0.0; 3];
            for (i, x) in column.iter_mut().enumerate() {
                if k + 1 + i <= last {
                    *x = self.at(k + 1 + i, k);
                }
            }
        }
    }

    /// Makes the block at k triangular if its eigenvalues are real.
    fn split(&mut self, k: usize) {
        let n = self.n;
        let [a, b, c, d] = self.block(k);
        let half = 0.5 * (a - d);
        let square = half * half + b * c;
        if square < 0.0 {
            return;
        }
        let root = math::sqrt(square);
        let z = if half < 0.0 { half - root } else { half + root };
        // (z, c) is the vector of the eigenvalue d + z; it becomes the first axis.
        let length = math::sqrt(z * z + c * c);
        if !(length > 0.0) {
            return;
        }
        let (cos, sin) = (z / length, c / length);
        for j in k..n {
            let (x, y) = (self.at(k, j), self.at(k + 1, j));
            self.x[k * n + j] = cos * x + sin * y;
            self.x[(k + 1) * n + j] = cos * y - sin * x;
        }
        for (matrix, rows) in [(&mut self.x, k + 2), (&mut self.z, n)] {
            for row in matrix.chunks_exact_mut(n).take(rows) {
                let (x, y) = (row[k], row[k + 1]);
                row[k] = cos * x + sin * y;
                row[k + 1] = cos * y - sin * x;
            }
        }
        self.x[(k + 1) * n + k] = 0.0;
    }

    /// The vector of the eigenvalue of the block at k, in the coordinates before balancing.
    fn vector(&self, k: usize, value: [f64; 2], norm: f64, scale: &[f64]) -> Vec<[f64; 2]> {
        let n = self.n;
        let mut y = vec![[0.0; 2]; n];
        let mut i = k;
        if value[1] == 0.0 {
            y[k] = [1.0, 0.0];
        } else {
            let [a, b, c, d] = self.block(k);
            [y[k], y[k + 1]] = if b.abs() > c.abs() {
                [[b, 0.0], [value[0] - a, value[1]]]
            } else {
                [[value[0] - d, value[1]], [c, 0.0]]
            };
        }
        let least = f64::EPSILON * norm;
        let less = |x: f64| [x - value[0], -value[1]];
        while i > 0 {
            i -= 1;
            let sum = |i: usize| {
                let terms = (i + 1..n).map(|j| y[j].map(|y| -self.at(i, j) * y));
                terms.fold([0.0; 2], plus)
            };
            if i > 0 && self.at(i, i - 1) != 0.0 {
                let [a, b, c, d] = self.block(i - 1);
                // The sum of the upper row must not take what stands in the lower one yet: it is still zero.
                let (upper, lower) = (sum(i - 1), sum(i));
                let (a, d) = (less(a), less(d));
                let determinant = plus(times(a, d), [-b * c, 0.0]);
                let determinant = away(determinant, least * least.max(b.abs()));
                let above = plus(times(d, upper), lower.map(|x| -b * x));
                let below = plus(times(a, lower), upper.map(|x| -c * x));
                y[i - 1] = over(above, determinant);
                y[i] = over(below, determinant);
                i -= 1;
            } else {
                y[i] = over(sum(i), away(less(self.at(i, i)), least));
            }
            let size = y[i][0].abs() + y[i][1].abs();
            if size > 1e100 {
                y.iter_mut().for_each(|y| *y = y.map(|y| y / size));
            }
        }
        let top = (k + 2).min(n);
        let mut x: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                let row = &self.z[i * n..(i + 1) * n];
                let terms = row.iter().zip(&y).take(top);
                let sum = terms.fold([0.0; 2], |sum, (z, y)| plus(sum, y.map(|y| z * y)));
                sum.map(|x| x * scale[i])
            })
            .collect();
        unit(&mut x);
        x
    }
}

/// Makes a vector of unit length; a vector of zeros stays.
pub(crate) fn unit(x: &mut [[f64; 2]]) {
    let largest = x.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest > 0.0 && largest.is_finite() {
        x.iter_mut().for_each(|x| *x = x.map(|x| x / largest));
        let length = math::sqrt(x.iter().flatten().map(|x| x * x).sum());
        x.iter_mut().for_each(|x| *x = x.map(|x| x / length));
    }
}

fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// a/b, divided through first so that squares neither vanish nor overflow.
pub(crate) fn over(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let size = b[0].abs() + b[1].abs();
    let b = b.map(|x| x / size);
    let square = b[0] * b[0] + b[1] * b[1];
    times(a, [b[0], -b[1]]).map(|x| x / square / size)
}

/// A divisor that is not too small to divide by: an eigenvalue that meets another is taken as if it were beside it.
fn away(x: [f64; 2], least: f64) -> [f64; 2] {
    if x[0].abs() + x[1].abs() < least {
        [least, 0.0]
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible sequence in (−1, 1), from the linear congruence of Knuth's MMIX.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 5_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// The largest ‖A x − λ x‖ over all pairs, over ‖A‖ (Frobenius), with ‖x‖ = 1 checked.
    fn residual(a: &[f64], n: usize) -> f64 {
        let pairs = general(a, n).expect("the steps end");
        assert_eq!(pairs.len(), n);
        let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut worst = 0.0_f64;
        for Pair { value, vector } in &pairs {
            let length: f64 = vector.iter().flatten().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-12, "{length}");
            let mut sum = 0.0;
            for i in 0..n {
                let mut rest = times(*value, vector[i]).map(|x| -x);
                for j in 0..n {
                    rest = plus(rest, vector[j].map(|x| a[i * n + j] * x));
                }
                sum += rest[0] * rest[0] + rest[1] * rest[1];
            }
            worst = worst.max(sum.sqrt());
        }
        // The sum of the eigenvalues is the trace.
        let trace: f64 = (0..n).map(|i| a[i * n + i]).sum();
        let sum: f64 = pairs.iter().map(|pair| pair.value[0]).sum();
        assert!((sum - trace).abs() <= 1e-12 * size * n as f64);
        if size > 0.0 { worst / size } else { worst }
    }

    /// The matrix whose characteristic polynomial is xⁿ + c_{n−1} xⁿ⁻¹ + … + c₀.
    fn companion(c: &[f64]) -> Vec<f64> {
        let n = c.len();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + n - 1] = -c[i];
            if i > 0 {
                a[i * n + i - 1] = 1.0;
            }
        }
        a
    }

    fn values(a: &[f64], n: usize) -> Vec<[f64; 2]> {
        let mut values: Vec<[f64; 2]> = general(a, n)
            .expect("the steps end")
            .into_iter()
            .map(|pair| pair.value)
            .collect();
        values.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        values
    }

    #[test]
    fn random_matrices_have_their_pairs_to_rounding() {
        let mut next = numbers();
        for n in [1, 2, 3, 4, 5, 8, 13, 30, 60] {
            for _ in 0..if n < 10 { 200 } else { 5 } {
                let a: Vec<f64> = (0..n * n).map(|_| next()).collect();
                let worst = residual(&a, n);
                assert!(worst < 1e-13, "n = {n}: {worst}");
            }
        }
    }

    #[test]
    fn companion_matrices_have_the_roots_of_their_polynomials() {
        // (x − 1)(x − 2)(x − 3)(x − 4), and x⁴ − 1: a cyclic shift, on which unshifted QR steps stand still.
        for (c, known) in [
            (
                vec![24.0, -50.0, 35.0, -10.0],
                vec![[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]],
            ),
            (
                vec![-1.0, 0.0, 0.0, 0.0],
                vec![[-1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [1.0, 0.0]],
            ),
            // (x² + 2x + 5)(x − 0.5): −1 ± 2i.
            (
                vec![-2.5, 4.0, 1.5],
                vec![[-1.0, -2.0], [-1.0, 2.0], [0.5, 0.0]],
            ),
        ] {
            let a = companion(&c);
            let mut found = values(&a, c.len());
            // Real parts equal but for rounding sort as they come.
            found.sort_by(|a, b| {
                let key = |x: &[f64; 2]| ((1e6 * x[0]).round(), x[1]);
                key(a).partial_cmp(&key(b)).expect("finite")
            });
            for (found, known) in found.iter().zip(&known) {
                let far = (found[0] - known[0]).abs() + (found[1] - known[1]).abs();
                assert!(far < 1e-12, "{found:?} {known:?}");
            }
            assert!(residual(&a, c.len()) < 1e-14);
        }
    }

    #[test]
    fn defective_and_zero_matrices_are_taken_as_they_are() {
        for n in [1, 2, 3, 7, 40] {
            assert!(values(&vec![0.0; n * n], n).iter().all(|x| *x == [0.0; 2]));
            assert!(residual(&vec![0.0; n * n], n) == 0.0);
            // One Jordan block: n times the same eigenvalue, one vector.
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                a[i * n + i] = 3.0;
                if i > 0 {
                    a[(i - 1) * n + i] = 1.0;
                }
            }
            assert!(residual(&a, n) < 1e-15, "{}", residual(&a, n));
            assert!(values(&a, n).iter().all(|x| *x == [3.0, 0.0]));
        }
        // The same turned by a similarity: three times 2, found to the cube root of rounding and no better.
        let a = [1.0, 1.0, 0.0, 0.0, 2.0, 1.0, 1.0, 0.0, 3.0];
        assert!(residual(&a, 3) < 1e-14);
        // A free body: position and velocity, twice zero.
        assert_eq!(values(&[0.0, 1.0, 0.0, 0.0], 2), [[0.0; 2]; 2]);
    }

    #[test]
    fn an_oscillator_of_any_speed_has_its_exact_pair() {
        for omega in [1e-6, 1.0, 1e8] {
            let found = values(&[0.0, 1.0, -omega * omega, 0.0], 2);
            assert_eq!(found[0][0], 0.0);
            assert!((found[1][1] - omega).abs() < 1e-15 * omega);
            assert_eq!(found[0][1], -found[1][1]);
        }
        // Two of them, 1e5 apart, side by side: each keeps its digits.
        let mut a = vec![0.0; 16];
        a[2] = 1.0;
        a[4 + 3] = 1.0;
        a[8] = -1.0;
        a[12 + 1] = -1e10;
        let mut found = values(&a, 4);
        found.sort_by(|a, b| a[1].total_cmp(&b[1]));
        for (found, known) in found.iter().zip([-1e5, -1.0, 1.0, 1e5]) {
            assert!((found[1] - known).abs() < 1e-14 * f64::abs(known));
        }
    }

    #[test]
    fn equal_eigenvalues_of_independent_parts_have_independent_vectors() {
        // Two equal undamped oscillators: (s₁, s₂, u₁, u₂).
        let mut a = vec![0.0; 16];
        a[2] = 1.0;
        a[7] = 1.0;
        a[8] = -4.0;
        a[13] = -4.0;
        let pairs = general(&a, 4).expect("the steps end");
        let up: Vec<&Pair> = pairs.iter().filter(|p| p.value[1] > 0.0).collect();
        assert_eq!(up.len(), 2);
        let product = up[0].vector.iter().zip(&up[1].vector);
        let product = product.fold([0.0; 2], |sum, (a, b)| plus(sum, times([a[0], -a[1]], *b)));
        assert!(product[0].hypot(product[1]) < 0.9);
        assert!(residual(&a, 4) < 1e-15);
    }

    #[test]
    fn what_is_not_finite_has_no_eigenvalues() {
        assert_eq!(general(&[f64::NAN], 1), None);
        assert_eq!(general(&[1.0, f64::INFINITY, 0.0, 1.0], 2), None);
        assert_eq!(general(&[1.0], 2), None);
        assert_eq!(general(&[], 0), Some(Vec::new()));
        assert_eq!(symmetric(&[f64::NAN], 1), None);
    }

    #[test]
    fn symmetric_matrices_have_orthonormal_vectors_and_the_same_values() {
        let mut next = numbers();
        for n in [1, 2, 3, 10, 30] {
            let mut a: Vec<f64> = (0..n * n).map(|_| next()).collect();
            for i in 0..n {
                for j in 0..i {
                    a[i * n + j] = a[j * n + i];
                }
            }
            let pairs = symmetric(&a, n).expect("finite");
            let other = values(&a, n);
            for (i, (value, x)) in pairs.iter().enumerate() {
                assert!((value - other[i][0]).abs() < 1e-13 * n as f64);
                for k in 0..n {
                    let ax: f64 = (0..n).map(|j| a[k * n + j] * x[j]).sum();
                    assert!((ax - value * x[k]).abs() < 1e-13 * n as f64);
                }
                for (j, (_, y)) in pairs.iter().enumerate() {
                    let known = if i == j { 1.0 } else { 0.0 };
                    assert!((dot(x, y) - known).abs() < 1e-14 * n as f64);
                }
            }
        }
        // Stiff beside soft: the soft one keeps its digits.
        let pairs = symmetric(&[1e12, 1e12, 1e12, 1e12 + 1.0], 2).expect("finite");
        assert!((pairs[0].0 - 0.5).abs() < 1e-4, "{}", pairs[0].0);
    }
}
