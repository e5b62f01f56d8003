//! What is the area under a function of one variable?
//!
//! Closed forms where there are any; else the five-point rule of Gauss on panels that are halved until both halves agree with the whole. Nothing here allocates; what is not a number stays so.

use crate::math;
use crate::mechanics::function::Function;

/// Nodes and weights of the five-point rule on −1…1, exact for polynomials to the ninth degree: 0, ±⅓√(5 ∓ 2√(10/7)) with 128/225, (322 ± 13√70)/900.
const RULE: [(f64, f64); 3] = [
    (0.0, 128.0 / 225.0),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];
/// How often panels may be halved in all: a function that asks for more is not integrated any better.
const SPLITS: usize = 4000;
/// How often one panel may be halved: to 1e-12 of its width.
const DEPTH: u32 = 40;

impl Function {
    /// The integral from a to b: exact for all but [`Function::Other`], which is integrated to about 1e-12 of ∫|f|, corners included. At most some 10⁵ evaluations, mostly less than a hundred:
    /// for output, not for an integrator's loop.
    pub fn integral(&self, a: f64, b: f64) -> f64 {
        match self {
            Function::Constant(value) => value * (b - a),
            Function::Linear { start, speed } => (b - a) * (start + 0.5 * speed * (a + b)),
            Function::Polynomial(terms) => {
                let upto = |x: f64| {
                    let terms = terms.iter().enumerate().rev();
                    let sum = terms.fold(0.0, |sum, (k, term)| sum * x + term / (k as f64 + 1.0));
                    sum * x
                };
                upto(b) - upto(a)
            }
            Function::Harmonic {
                mean,
                amplitude,
                omega,
                phase,
            } => {
                // cos α − cos β = 2 sin((β − α)/2) sin((α + β)/2): no cancellation where b is near a or ω is small.
                let half = 0.5 * omega * (b - a);
                let middle = 0.5 * omega * (a + b) + phase;
                let width = if half == 0.0 {
                    1.0
                } else {
                    math::sin(half) / half
                };
                (b - a) * (mean + amplitude * width * math::sin(middle))
            }
            Function::Spline(spline) => spline.area(b) - spline.area(a),
            Function::Other(function) => numeric(&|x| function(x)[0], a, b),
        }
    }
}

/// The rule on one panel: ∫f and ∫|f|.
fn panel(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> [f64; 2] {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut sum = [0.0; 2];
    for (node, weight) in RULE {
        for sign in [-1.0, 1.0] {
            let value = f(middle + sign * node * half);
            // The middle comes twice.
            let weight = if node == 0.0 { 0.5 * weight } else { weight };
            sum[0] += weight * value;
            sum[1] += weight * value.abs();
        }
    }
    [sum[0] * half, sum[1] * half.abs()]
}

fn numeric(f: &dyn Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    const PANELS: u32 = 8;
    let place = |k: u32| a + (b - a) * f64::from(k) / f64::from(PANELS);
    let size: f64 = (0..PANELS)
        .map(|k| panel(f, place(k), place(k + 1))[1])
        .sum();
    let mut bounds = Bounds { left: SPLITS, size };
    (0..PANELS)
        .map(|k| {
            let (a, b) = (place(k), place(k + 1));
            let whole = panel(f, a, b)[0];
            refined(f, [a, b], whole, DEPTH, &mut bounds)
        })
        .sum()
}

/// How far panels are halved.
struct Bounds {
    /// How often they may be halved still.
    left: usize,
    /// ∫|f| as far as it is known: a narrow peak shows only once panels are small, and what was seen of it before is no measure of it.
    size: f64,
}

/// A panel halved until both halves agree with the whole; a NaN is never refined.
fn refined(
    f: &dyn Fn(f64) -> f64,
    [a, b]: [f64; 2],
    whole: f64,
    depth: u32,
    bounds: &mut Bounds,
) -> f64 {
    let middle = 0.5 * (a + b);
    let ([one, left], [two, right]) = (panel(f, a, middle), panel(f, middle, b));
    bounds.size = bounds.size.max(left + right);
    let worse = (one + two - whole).abs() > 1e-13 * bounds.size;
    if !worse || depth == 0 || bounds.left == 0 {
        return one + two;
    }
    bounds.left -= 1;
    refined(f, [a, middle], one, depth - 1, bounds)
        + refined(f, [middle, b], two, depth - 1, bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanics::spline::{Ends, Spline};
    use std::sync::Arc;

    fn other(f: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Function {
        Function::Other(Arc::new(move |x| [f(x), 0.0, 0.0]))
    }

    #[test]
    fn every_kind_of_function_has_the_area_under_it() {
        let table = [0.3, -0.2, 0.7, 0.1, 0.5, 0.3];
        let x = [-1.0, -0.3, 0.2, 0.9, 1.1, 2.0];
        let spline = |ends| Function::Spline(Spline::new(&x, &table, ends).expect("sound"));
        let all = [
            Function::Constant(2.5),
            Function::Linear {
                start: 1.0,
                speed: -3.0,
            },
            Function::Polynomial(vec![1.0, -2.0, 0.5, 3.0]),
            Function::Harmonic {
                mean: 0.2,
                amplitude: 1.5,
                omega: 2.0,
                phase: 0.3,
            },
            Function::Harmonic {
                mean: 0.2,
                amplitude: 1.5,
                omega: 0.0,
                phase: 0.3,
            },
            spline(Ends::NotAKnot),
            spline(Ends::Periodic),
        ];
        // A sum of many trapezia as the judge, within the table, beyond both of its ends, and backwards.
        for (k, f) in all.iter().enumerate() {
            for [a, b] in [[-0.7, 1.6], [-4.5, 5.25], [1.9, -2.0]] {
                let n = 200_000;
                let h = (b - a) / f64::from(n);
                let inner: f64 = (1..n).map(|i| f.value(a + h * f64::from(i))).sum();
                let judge = h * (inner + 0.5 * (f.value(a) + f.value(b)));
                let found = f.integral(a, b);
                // The rule's own error is h²/12 times the change of slope.
                let slope = (f.at(b)[1] - f.at(a)[1]).abs() + 50.0;
                assert!(
                    (found - judge).abs() < h * h * slope,
                    "{k} {a} {b}: {found} {judge}"
                );
            }
        }
    }

    #[test]
    fn functions_without_a_closed_form_are_integrated_over_corners_as_well() {
        let e = other(f64::exp).integral(-1.0, 3.0);
        assert!((e - (3.0_f64.exp() - (-1.0_f64).exp())).abs() < 1e-12 * e);
        // A spring with play: nothing up to 0.37, then 5 (x − 0.37).
        let play = other(|x: f64| (5.0 * (x - 0.37)).max(0.0)).integral(0.0, 1.0);
        assert!((play - 2.5 * 0.63 * 0.63).abs() < 1e-12, "{play}");
        let step = other(|x: f64| if x > 0.1 { 2.0 } else { -1.0 }).integral(-1.0, 1.0);
        assert!((step - (1.8 - 1.1)).abs() < 1e-11, "{step}");
        assert!(other(f64::exp).integral(0.0, f64::NAN).is_nan());
        assert!(other(|_| f64::NAN).integral(0.0, 1.0).is_nan());
        assert_eq!(other(f64::exp).integral(2.0, 2.0), 0.0);
        // A bell a millimetre wide, of which the first panels see 1e-74 and less: its area is w √π, wherever beyond it the way ends.
        for end in [4.13, 4.135, 4.14] {
            let bell = |x: f64| 100.0 * (-((x - 4.1234) / 1e-3).powi(2)).exp();
            let area = other(bell).integral(0.0, end);
            let exact = 0.1 * std::f64::consts::PI.sqrt();
            assert!((area - exact).abs() < 1e-10 * exact, "{end}: {area}");
        }
        // Nowhere smooth: an answer all the same, and soon.
        let noise = other(|x: f64| (1e9 * x).sin()).integral(0.0, 1.0);
        assert!(noise.abs() < 1.0);
    }
}
