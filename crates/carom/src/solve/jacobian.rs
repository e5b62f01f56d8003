//! How does the slope change with the state?
//!
//! By forward differences. Columns that share no row are moved together (Curtis, Powell and Reid 1974), so that a banded system costs as many evaluations as its band is
//! wide, whatever its length.

use super::method::{Slope, Tolerance};
use crate::math;

/// The least increment, as a part of the error tolerated: less is not felt.
const FELT: f64 = 0.01;

/// A trial value of the slope was not finite, on either side of the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotFinite;

/// The matrix ∂(slope)/∂(state) and what is needed to find it.
pub(crate) struct Jacobian {
    n: usize,
    /// Row by row.
    values: Vec<f64>,
    /// Where `values` may differ from zero.
    pattern: Vec<bool>,
    /// The group in which each column is moved.
    colour: Vec<usize>,
    /// How many groups; zero until the pattern was asked for.
    colours: usize,
    moved: Vec<f64>,
    slope: Vec<f64>,
    increment: Vec<f64>,
    radius: f64,
    evaluations: u64,
}

impl Jacobian {
    /// Buffers for `n` components.
    pub fn new(n: usize) -> Self {
        Jacobian {
            n,
            values: vec![0.0; n * n],
            pattern: vec![false; n * n],
            colour: vec![usize::MAX; n],
            colours: 0,
            moved: vec![0.0; n],
            slope: vec![0.0; n],
            increment: vec![0.0; n],
            radius: 0.0,
            evaluations: 0,
        }
    }

    /// The matrix, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many times the matrix was evaluated.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// How many evaluations of the slope the matrix costs; zero before the first.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// The next flow may have another pattern: it is asked anew.
    pub fn forget_pattern(&mut self) {
        self.colours = 0;
        self.values.fill(0.0);
    }

    /// An estimate of the largest modulus of an eigenvalue. See [`Jacobian::find_radius`].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Puts every column into the first group none of whose columns shares a row with it.
    fn colour_columns<S: Slope>(&mut self, slope: &S) {
        let n = self.n;
        for row in 0..n {
            for column in 0..n {
                self.pattern[row * n + column] = slope.depends(row, column);
            }
        }
        self.colour.fill(usize::MAX);
        self.colours = 0;
        let mut left = n;
        while left > 0 {
            // `slope` serves as the list of rows taken by this group.
            self.slope.fill(0.0);
            for column in 0..n {
                if self.colour[column] != usize::MAX
                    || (0..n).any(|row| self.pattern[row * n + column] && self.slope[row] != 0.0)
                {
                    continue;
                }
                for row in 0..n {
                    if self.pattern[row * n + column] {
                        self.slope[row] = 1.0;
                    }
                }
                self.colour[column] = self.colours;
                left -= 1;
            }
            self.colours += 1;
        }
    }

    /// Evaluates the matrix at (s, y), where the slope is `f`, for steps of about `h`. Costs one evaluation per colour; a second one where the first left the domain.
    pub fn update<S: Slope>(
        &mut self,
        slope: &mut S,
        s: f64,
        y: &[f64],
        f: &[f64],
        h: f64,
        tolerance: Tolerance<'_>,
    ) -> Result<(), NotFinite> {
        let n = self.n;
        if self.colours == 0 {
            self.colour_columns(slope);
        }
        self.evaluations += 1;
        self.choose_increments(y, f, h, tolerance);
        for colour in 0..self.colours {
            let mut finite = false;
            for side in [1.0, -1.0] {
                for j in 0..n {
                    self.moved[j] = y[j];
                    if self.colour[j] == colour {
                        self.moved[j] += side * self.increment[j];
                    }
                }
                slope.eval(s, &self.moved, &mut self.slope);
                finite = self.slope.iter().all(|x| x.is_finite());
                if finite {
                    break;
                }
            }
            if !finite {
                return Err(NotFinite);
            }
            for j in 0..n {
                if self.colour[j] != colour {
                    continue;
                }
                // The increment that was really made, after rounding.
                let made = self.moved[j] - y[j];
                for i in 0..n {
                    if self.pattern[i * n + j] {
                        self.values[i * n + j] = (self.slope[i] - f[i]) / made;
                    }
                }
            }
        }
        if !self.values.iter().all(|x| x.is_finite()) {
            return Err(NotFinite);
        }
        self.find_radius();
        Ok(())
    }

    /// √ε times the largest of: the component, what it moves in a step, the error tolerated in it (Brenan, Campbell and Petzold 1996, section 5.3); and never so little that
    /// rounding of the slope, seen over a step, shows by more than a thousandth of the tolerance (Brown, Byrne and Hindmarsh 1989), nor less than a hundredth of the error tolerated (if
    /// that is small beside the largest component): where forces cancel, as at rest, the slope does not tell how large its parts are, and an angle of zero moved by √ε of its tolerance
    /// moves no corner at all. The sign is that of the motion, so that
    /// the difference is taken where the step will go.
    fn choose_increments(&mut self, y: &[f64], f: &[f64], h: f64, tolerance: Tolerance<'_>) {
        let root = math::sqrt(f64::EPSILON);
        let mut fastest = 0.0_f64;
        let mut largest = 0.0_f64;
        for i in 0..self.n {
            let tolerated = tolerance.scale(i, y[i], y[i]);
            if tolerated > 0.0 && f[i].is_finite() {
                fastest = fastest.max(f[i].abs() / tolerated);
            }
            largest = largest.max(y[i].abs());
        }
        let noise = 1e3 * f64::EPSILON * h * fastest;
        for i in 0..self.n {
            let tolerated = tolerance.scale(i, y[i], y[i]);
            let typical = y[i].abs().max((h * f[i]).abs()).max(tolerated);
            let mut increment = (root * typical)
                .max((FELT * tolerated).min(root * largest))
                .max(noise * tolerated);
            if !(increment > f64::MIN_POSITIVE && increment.is_finite()) {
                // Zero, at rest, and asked to be exact: nothing but its neighbours tells a size.
                increment = root * if largest > 0.0 { largest } else { 1.0 };
            }
            let forward = if f[i] != 0.0 { f[i] } else { y[i] };
            self.increment[i] = if forward < 0.0 { -increment } else { increment };
        }
    }

    /// The growth of a vector under repeated multiplication, as a geometric mean over eight products after four that are not counted. The mean over an even number sees through the
    /// swing between position and velocity of an oscillator, whose norm bound K/m is the square of its frequency. Good to a few per cent when one eigenvalue (or
    /// pair) leads; within a small factor otherwise: enough to tell a stiff problem from one that is not.
    fn find_radius(&mut self) {
        const SKIPPED: u32 = 4;
        const COUNTED: u32 = 8;
        let n = self.n;
        // Uneven, so as not to be orthogonal to a leading vector by symmetry.
        for (i, x) in self.moved.iter_mut().enumerate() {
            *x = 1.0 + (i as f64 * 0.618_033_988_749_895).fract();
        }
        let mut growth = 0.0;
        self.radius = 0.0;
        for product in 0..SKIPPED + COUNTED {
            let mut size = 0.0_f64;
            for i in 0..n {
                let row = &self.values[i * n..(i + 1) * n];
                let sum: f64 = row.iter().zip(&self.moved).map(|(a, x)| a * x).sum();
                self.slope[i] = sum;
                size = size.max(sum.abs());
            }
            if !(size > 0.0 && size.is_finite()) {
                return;
            }
            for (x, &image) in self.moved.iter_mut().zip(&self.slope) {
                *x = image / size;
            }
            if product >= SKIPPED {
                growth += math::ln(size);
            }
        }
        self.radius = math::exp(growth / f64::from(COUNTED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slope made of a function and a pattern, which counts.
    struct Made<F, P> {
        f: F,
        pattern: P,
        evaluations: usize,
    }

    impl<F: FnMut(f64, &[f64], &mut [f64]), P: Fn(usize, usize) -> bool> Slope for Made<F, P> {
        fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]) {
            self.evaluations += 1;
            (self.f)(s, y, dyds);
        }
        fn depends(&self, row: usize, column: usize) -> bool {
            (self.pattern)(row, column)
        }
    }

    fn tolerance(n: usize) -> (Vec<f64>, Vec<f64>) {
        (vec![1e-8; n], vec![1e-8; n])
    }

    #[test]
    fn a_tridiagonal_system_costs_three_evaluations_and_is_right() {
        const N: usize = 50;
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| {
                for i in 0..N {
                    let left = if i > 0 { y[i - 1] } else { 0.0 };
                    let right = if i + 1 < N { y[i + 1] } else { 0.0 };
                    f[i] = left - 2.0 * y[i] * y[i] + 3.0 * right;
                }
            },
            pattern: |i: usize, j: usize| i.abs_diff(j) <= 1,
            evaluations: 0,
        };
        let (rtol, atol) = tolerance(N);
        let y: Vec<f64> = (0..N).map(|i| 1.0 + i as f64).collect();
        let mut f = vec![0.0; N];
        slope.eval(0.0, &y, &mut f);
        let mut jacobian = Jacobian::new(N);
        for visit in 1..=2 {
            slope.evaluations = 0;
            let tolerance = Tolerance {
                rtol: &rtol,
                atol: &atol,
            };
            let done = jacobian.update(&mut slope, 0.0, &y, &f, 1e-3, tolerance);
            assert_eq!(done, Ok(()));
            assert_eq!(slope.evaluations, 3);
            assert_eq!(jacobian.evaluations(), visit);
        }
        for i in 0..N {
            for j in 0..N {
                let exact = match (i, j) {
                    _ if i == j => -4.0 * y[i],
                    _ if i == j + 1 => 1.0,
                    _ if j == i + 1 => 3.0,
                    _ => 0.0,
                };
                let error = (jacobian.values()[i * N + j] - exact).abs();
                assert!(error < 1e-5 * (1.0 + exact.abs()), "({i}, {j}): {error}");
            }
        }
    }

    #[test]
    fn a_full_pattern_costs_an_evaluation_a_column() {
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| f.copy_from_slice(y),
            pattern: |_, _| true,
            evaluations: 0,
        };
        let (rtol, atol) = tolerance(7);
        let tolerance = Tolerance {
            rtol: &rtol,
            atol: &atol,
        };
        let y = [1.0; 7];
        let mut jacobian = Jacobian::new(7);
        assert_eq!(
            jacobian.update(&mut slope, 0.0, &y, &y, 0.1, tolerance),
            Ok(())
        );
        assert_eq!(slope.evaluations, 7);
    }

    /// Robertson's reaction: rates from 0.04 to 3e7, components from 1 to 1e-5. The Jacobian by hand.
    #[test]
    fn badly_scaled_components_keep_six_digits() {
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| {
                f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
                f[2] = 3e7 * y[1] * y[1];
                f[1] = -f[0] - f[2];
            },
            pattern: |_, _| true,
            evaluations: 0,
        };
        for y in [[1.0, 3.6e-5, 1e-3], [0.7, 9e-6, 0.3], [1.0, 0.0, 0.0]] {
            let mut f = [0.0; 3];
            slope.eval(0.0, &y, &mut f);
            let tolerance = Tolerance {
                rtol: &[1e-8; 3],
                atol: &[1e-10, 1e-14, 1e-10],
            };
            let mut jacobian = Jacobian::new(3);
            assert_eq!(
                jacobian.update(&mut slope, 0.0, &y, &f, 1e-3, tolerance),
                Ok(())
            );
            let (a, b, c) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
            let exact = [-0.04, a, b, 0.04, -a - c, -b, 0.0, c, 0.0];
            for (k, (&found, exact)) in jacobian.values().iter().zip(exact).enumerate() {
                // Where a column's other entries are large, its small ones carry their rounding.
                let column = [k % 3, k % 3 + 3, k % 3 + 6].map(|m: usize| match m {
                    0 | 3 => 0.04,
                    1 => a,
                    4 => a + c,
                    7 => c,
                    _ => b,
                });
                let size = column.into_iter().fold(0.0, f64::max);
                // At rest with y = 0 the quadratic term of the difference itself is left: 3e7·increment.
                let allowed = 1e-6 * size + 3e7 * 2e-8 * 4e-5;
                assert!((found - exact).abs() <= allowed, "{k}: {found} {exact}");
            }
        }
    }

    #[test]
    fn at_the_edge_of_the_domain_the_difference_is_taken_on_the_other_side() {
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| f[0] = math::sqrt(1.0 - y[0]) + 2.0 * y[0],
            pattern: |_, _| true,
            evaluations: 0,
        };
        let tolerance = Tolerance {
            rtol: &[1e-6],
            atol: &[1e-6],
        };
        let y = [1.0 - 1e-10];
        let mut f = [0.0];
        slope.eval(0.0, &y, &mut f);
        let mut jacobian = Jacobian::new(1);
        assert_eq!(
            jacobian.update(&mut slope, 0.0, &y, &f, 0.1, tolerance),
            Ok(())
        );
        assert!(jacobian.values()[0] < 0.0);
        let mut nowhere = Made {
            f: |_, _: &[f64], f: &mut [f64]| f[0] = f64::NAN,
            pattern: |_, _| true,
            evaluations: 0,
        };
        assert_eq!(
            jacobian.update(&mut nowhere, 0.0, &y, &f, 0.1, tolerance),
            Err(NotFinite)
        );
    }

    #[test]
    fn the_radius_of_an_oscillator_is_its_frequency() {
        // x'' = −(K/m) x, K/m = 1e8: eigenvalues ±1e4 i, largest row sum 1e8.
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| {
                f[0] = y[1];
                f[1] = -1e8 * y[0];
            },
            pattern: |_, _| true,
            evaluations: 0,
        };
        let tolerance = Tolerance {
            rtol: &[1e-6; 2],
            atol: &[1e-10, 1e-6],
        };
        let y = [1e-4, 1.0];
        let mut f = [0.0; 2];
        slope.eval(0.0, &y, &mut f);
        let mut jacobian = Jacobian::new(2);
        assert_eq!(
            jacobian.update(&mut slope, 0.0, &y, &f, 1e-5, tolerance),
            Ok(())
        );
        assert!((jacobian.radius() / 1e4 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn the_radius_of_a_diffusion_is_its_fastest_decay_within_a_tenth() {
        // Second difference on 20 points: eigenvalues −4 sin²(kπ/42), the largest 3.978.
        const N: usize = 20;
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| {
                for i in 0..N {
                    let left = if i > 0 { y[i - 1] } else { 0.0 };
                    let right = if i + 1 < N { y[i + 1] } else { 0.0 };
                    f[i] = left - 2.0 * y[i] + right;
                }
            },
            pattern: |i: usize, j: usize| i.abs_diff(j) <= 1,
            evaluations: 0,
        };
        let (rtol, atol) = tolerance(N);
        let tolerance = Tolerance {
            rtol: &rtol,
            atol: &atol,
        };
        let y = [1.0; N];
        let mut f = [0.0; N];
        slope.eval(0.0, &y, &mut f);
        let mut jacobian = Jacobian::new(N);
        assert_eq!(
            jacobian.update(&mut slope, 0.0, &y, &f, 1e-2, tolerance),
            Ok(())
        );
        assert!((jacobian.radius() / 3.978 - 1.0).abs() < 0.1);
    }

    #[test]
    fn free_flight_has_radius_zero() {
        let mut slope = Made {
            f: |_, y: &[f64], f: &mut [f64]| {
                f[0] = y[1];
                f[1] = -9.81;
            },
            pattern: |i: usize, j: usize| i == 0 && j == 1,
            evaluations: 0,
        };
        let tolerance = Tolerance {
            rtol: &[1e-6; 2],
            atol: &[1e-10, 1e-6],
        };
        let mut jacobian = Jacobian::new(2);
        let done = jacobian.update(&mut slope, 0.0, &[1.0, 0.0], &[0.0, -9.81], 1e-2, tolerance);
        assert_eq!(done, Ok(()));
        assert_eq!(jacobian.radius(), 0.0);
    }
}
