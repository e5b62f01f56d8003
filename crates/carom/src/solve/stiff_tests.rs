//! Do the implicit methods keep what they promise?

#![allow(clippy::excessive_precision)] // reference values stand as they were published

use super::bdf::Bdf;
use super::method::{Method, Slope, Tolerance};
use super::radau::Radau;
use crate::math;

/// A slope made of a function, which counts.
struct Made<F> {
    f: F,
    depends: fn(usize, usize) -> bool,
    evaluations: u64,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Slope for Made<F> {
    fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]) {
        self.evaluations += 1;
        (self.f)(s, y, dyds);
    }
    fn depends(&self, row: usize, column: usize) -> bool {
        (self.depends)(row, column)
    }
}

fn made<F: FnMut(f64, &[f64], &mut [f64])>(f: F) -> Made<F> {
    Made {
        f,
        depends: |_, _| true,
        evaluations: 0,
    }
}

#[derive(Debug)]
struct Outcome {
    y: Vec<f64>,
    evaluations: u64,
}

fn drive<M: Method, F: FnMut(f64, &[f64], &mut [f64])>(
    mut method: M,
    mut slope: Made<F>,
    y: &[f64],
    (start, end): (f64, f64),
    first: f64,
    tolerance: Tolerance<'_>,
) -> Outcome {
    let (mut s, mut h) = (start, first);
    let mut attempts = 0;
    method.begin(&mut slope, s, y);
    while s < end {
        let last = s + 1.0001 * h >= end;
        if last {
            h = end - s;
        }
        let attempt = method.attempt(&mut slope, h, tolerance);
        if attempt.accepted {
            method.commit();
            s = if last { end } else { s + h };
        }
        h = attempt.next;
        assert!(h > 1e-15 * s, "the step vanished at {s}: {attempt:?}");
        attempts += 1;
        assert!(attempts < 1_000_000);
    }
    Outcome {
        y: method.ends().y1.to_vec(),
        evaluations: slope.evaluations,
    }
}

fn relative_error(y: &[f64], exact: &[f64]) -> f64 {
    y.iter()
        .zip(exact)
        .map(|(y, e)| ((y - e) / e).abs())
        .fold(0.0, f64::max)
}

/// A stiff problem with a known end.
struct Problem {
    name: &'static str,
    f: fn(f64, &[f64], &mut [f64]),
    depends: fn(usize, usize) -> bool,
    y: &'static [f64],
    span: (f64, f64),
    first: f64,
    end: &'static [f64],
    /// atol = rtol × this.
    typical: &'static [f64],
}

impl Problem {
    fn run<M: Method>(&self, method: M, rtol: f64) -> (Outcome, f64) {
        let rtols = vec![rtol; self.y.len()];
        let atols: Vec<f64> = self.typical.iter().map(|x| rtol * x).collect();
        let tolerance = Tolerance {
            rtol: &rtols,
            atol: &atols,
        };
        let slope = Made {
            f: self.f,
            depends: self.depends,
            evaluations: 0,
        };
        let outcome = drive(method, slope, self.y, self.span, self.first, tolerance);
        let error = relative_error(&outcome.y, self.end);
        (outcome, error)
    }
}

fn van_der_pol(epsilon: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
}

/// ε = 1e-3. The end by a Taylor series of order 30 in 30-digit arithmetic (local error 1e-20; 1e-24 gives the same 20 digits).
const VAN_DER_POL_3: Problem = Problem {
    name: "van der Pol 1e3",
    f: |_, y, f| van_der_pol(1e-3, y, f),
    depends: |_, _| true,
    y: &[2.0, 0.0],
    span: (0.0, 2.0),
    first: 1e-6,
    end: &[1.763_234_540_203_445_7, -0.835_688_681_677_677_4],
    typical: &[1.0, 1.0],
};

/// ε = 1e-6. The end from the Test Set for Initial Value Problem Solvers (Mazzia and Magherini 2008), problem VDPOL.
const VAN_DER_POL_6: Problem = Problem {
    name: "van der Pol 1e6",
    f: |_, y, f| van_der_pol(1e-6, y, f),
    depends: |_, _| true,
    y: &[2.0, 0.0],
    span: (0.0, 2.0),
    first: 1e-8,
    end: &[1.706_167_732_170_483, -0.892_809_701_024_797_5],
    typical: &[1.0, 1.0],
};

/// Robertson's reaction to 1e11. The end from the same test set, problem ROBER.
const ROBERTSON: Problem = Problem {
    name: "Robertson",
    f: |_, y, f| {
        f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        f[2] = 3e7 * y[1] * y[1];
        f[1] = -f[0] - f[2];
    },
    depends: |_, _| true,
    y: &[1.0, 0.0, 0.0],
    span: (0.0, 1e11),
    first: 1e-6,
    end: &[
        0.208_334_014_970_125_5e-7,
        0.833_336_077_033_471_3e-13,
        0.999_999_979_166_505_0,
    ],
    // As the test set runs it: absolute tolerances far below the smallest value.
    typical: &[1e-8, 1e-14, 1e-8],
};

/// Two decays, 1e6 apart, mixed: y = (2 e^-t − e^-Mt, −e^-t + e^-Mt), M = 1e6.
const LINEAR: Problem = Problem {
    name: "linear 1e6",
    f: |_, y, f| {
        const M: f64 = 1e6;
        f[0] = (M - 2.0) * y[0] + (2.0 * M - 2.0) * y[1];
        f[1] = (1.0 - M) * y[0] + (1.0 - 2.0 * M) * y[1];
    },
    depends: |_, _| true,
    y: &[1.0, 0.0],
    span: (0.0, 1.0),
    first: 1e-8,
    end: &[0.735_758_882_342_884_6, -0.367_879_441_171_442_3],
    typical: &[1.0, 1.0],
};

/// Prothero and Robinson 1974: y' = −1e6 (y − cos t) − sin t, from y = cos 0: the solution is cos t.
const PROTHERO_ROBINSON: Problem = Problem {
    name: "Prothero-Robinson 1e6",
    f: |t, y, f| f[0] = -1e6 * (y[0] - math::cos(t)) - math::sin(t),
    depends: |_, _| true,
    y: &[1.0],
    span: (0.0, 10.0),
    first: 1e-3,
    end: &[-0.839_071_529_076_452_5],
    typical: &[1.0],
};

/// A mass of 1 kg on a rod of 1 m that is a spring of 1e8 N/m and a damper of 1e2 N s/m (0.005 of critical), let go level: a slow swing, and beside it
/// eigenvalues −50 ± 1e4 i, as in a mechanism with stiff joints. The end by the explicit method DOP853 of SciPy 1.17 at rtol = atol = 1e-13 (1e-12 agrees to 6e-12).
const STIFF_PENDULUM: Problem = Problem {
    name: "stiff pendulum",
    f: |_, u, f| {
        let r = math::sqrt(u[0] * u[0] + u[1] * u[1]);
        let rate = (u[0] * u[2] + u[1] * u[3]) / r;
        let force = 1e8 * (r - 1.0) + 1e2 * rate;
        f[0] = u[2];
        f[1] = u[3];
        f[2] = -force * u[0] / r;
        f[3] = -force * u[1] / r - 9.81;
    },
    depends: |i, j| i > 1 || j == i + 2,
    y: &[1.0, 0.0, 0.0, 0.0],
    span: (0.0, 2.0),
    first: 1e-6,
    end: &[
        0.793_565_561_263_702_8,
        -0.608_485_051_691_541_1,
        2.102_442_386_391_383,
        2.741_935_360_120_249,
    ],
    typical: &[1.0, 1.0, 1.0, 1.0],
};

const PROBLEMS: [&Problem; 6] = [
    &STIFF_PENDULUM,
    &VAN_DER_POL_3,
    &VAN_DER_POL_6,
    &ROBERTSON,
    &LINEAR,
    &PROTHERO_ROBINSON,
];

/// Takes `steps` equal steps whatever the error, and shows every one of them to `see`.
fn fixed<M: Method, F: FnMut(f64, &[f64], &mut [f64])>(
    method: &mut M,
    f: F,
    y: &[f64],
    (start, end): (f64, f64),
    steps: u32,
    mut see: impl FnMut(&M),
) {
    let loose = Tolerance {
        rtol: &[1.0; 4][..y.len()],
        atol: &[1e3; 4][..y.len()],
    };
    let mut slope = made(f);
    let h = (end - start) / f64::from(steps);
    method.begin(&mut slope, start, y);
    for _ in 0..steps {
        let attempt = method.attempt(&mut slope, h, loose);
        assert!(attempt.accepted, "{attempt:?}");
        method.prepare_dense(&mut slope);
        see(method);
        method.commit();
    }
}

/// A pendulum-like system with a known solution: y = (sin t², cos t²) with f = 2t (y2, −y1) + its own square, which vanishes.
fn swirl(t: f64, y: &[f64], f: &mut [f64]) {
    let off = y[0] * y[0] + y[1] * y[1] - 1.0;
    f[0] = 2.0 * t * y[1] + off * y[0];
    f[1] = -2.0 * t * y[0] - off * y[1];
}

fn precise_radau(n: usize) -> Radau {
    let mut method = Radau::new(n);
    method.algebraic = 1e-17;
    method
}

#[test]
fn radau_is_of_order_5_and_its_dense_output_errs_like_the_fourth_power_of_the_step() {
    // Theory: h⁵ at the ends of the steps; within them the collocation polynomial (degree and stage order 3) is off by O(h⁴).
    let errors = |steps: u32| {
        let mut within = 0.0_f64;
        let mut method = precise_radau(2);
        fixed(&mut method, swirl, &[0.0, 1.0], (0.0, 2.0), steps, |m| {
            let (s0, h) = (m.ends().s0, m.ends().h);
            for k in 1..10 {
                let theta = f64::from(k) / 10.0;
                let mut y = [0.0; 2];
                m.dense(theta, &mut y);
                let t = s0 + theta * h;
                within = within.max((y[0] - math::sin(t * t)).abs());
            }
        });
        let end = (method.ends().y1[0] - math::sin(4.0)).abs();
        (end, within)
    };
    let ((end_1, within_1), (end_2, within_2)) = (errors(40), errors(80));
    let at_end = (end_1 / end_2).log2();
    let inside = (within_1 / within_2).log2();
    assert!((at_end - 5.0).abs() < 0.3, "order {at_end}");
    assert!((inside - 4.0).abs() < 0.3, "dense {inside}");
}

#[test]
fn radau_keeps_its_tolerance_on_stiff_problems() {
    for problem in PROBLEMS {
        for rtol in [1e-5, 1e-7, 1e-9] {
            let (outcome, error) = problem.run(Radau::new(problem.y.len()), rtol);
            // A thousand steps may each leave an algebraic error of 0.01 tolerances, all in one direction.
            assert!(
                error < 12.0 * rtol,
                "{} at {rtol}: {error} {outcome:?}",
                problem.name
            );
        }
    }
}

#[test]
fn bdf_keeps_within_a_hundred_tolerances_on_stiff_problems() {
    // All but the pendulum, whose undamped oscillation is what BDF cannot do.
    for problem in &PROBLEMS[1..] {
        for rtol in [1e-5, 1e-7, 1e-9] {
            let (outcome, error) = problem.run(Bdf::new(problem.y.len()), rtol);
            assert!(
                error < 100.0 * rtol,
                "{} at {rtol}: {error} {outcome:?}",
                problem.name
            );
        }
    }
}

#[test]
fn the_error_of_bdf_is_proportional_to_the_tolerance() {
    for problem in [&VAN_DER_POL_3, &VAN_DER_POL_6, &ROBERTSON] {
        // Slope of log error over log tolerance by least squares.
        let points: Vec<(f64, f64)> = (4..=10)
            .map(|e| {
                let rtol = math::powf(10.0, -f64::from(e));
                let (_, error) = problem.run(Bdf::new(problem.y.len()), rtol);
                (math::ln(rtol), math::ln(error))
            })
            .collect();
        let n = points.len() as f64;
        let (x, y) = points
            .iter()
            .fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
        let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
        let below: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
        let slope = above / below;
        assert!((0.8..1.2).contains(&slope), "{}: {slope}", problem.name);
    }
}

/// The numbers as they were found, with a tenth to spare: lost efficiency fails like a bug.
#[test]
fn the_work_on_stiff_problems_does_not_grow() {
    let at = 1e-6;
    for (problem, radau, bdf) in [
        (&STIFF_PENDULUM, 13211, 104_470),
        (&VAN_DER_POL_3, 4327, 2234),
        (&VAN_DER_POL_6, 7495, 4112),
        (&ROBERTSON, 4670, 2090),
        (&LINEAR, 259, 218),
        (&PROTHERO_ROBINSON, 32, 203),
    ] {
        let found = problem.run(Radau::new(problem.y.len()), at).0.evaluations;
        assert!(
            found as f64 <= 1.1 * f64::from(radau),
            "{} radau {found}",
            problem.name
        );
        let found = problem.run(Bdf::new(problem.y.len()), at).0.evaluations;
        assert!(
            found as f64 <= 1.1 * f64::from(bdf),
            "{} bdf {found}",
            problem.name
        );
    }
}

#[test]
fn what_decays_faster_than_the_step_is_gone_after_one_step_of_radau() {
    let mut slope = made(|_, y: &[f64], f: &mut [f64]| f[0] = -1e8 * y[0]);
    let tolerance = Tolerance {
        rtol: &[1e-3],
        atol: &[1e-3],
    };
    let mut method = Radau::new(1);
    method.begin(&mut slope, 0.0, &[1.0]);
    method.attempt(&mut slope, 1.0, tolerance);
    // The stability function of Radau IIA-5 goes like −3/z for large z.
    let found = method.ends().y1[0];
    assert!((found / 3e-8 - 1.0).abs() < 1e-3, "{found}");
}

#[test]
fn bdf_steps_over_a_decay_once_it_is_below_the_tolerance() {
    let tolerance = Tolerance {
        rtol: &[1e-3],
        atol: &[1e-3],
    };
    let f = |_: f64, y: &[f64], f: &mut [f64]| f[0] = -1e8 * y[0];
    let outcome = drive(Bdf::new(1), made(f), &[1.0], (0.0, 1.0), 1e-10, tolerance);
    assert!(outcome.y[0].abs() < 1e-3, "{outcome:?}");
    // An explicit method would need 1e8.
    assert!(outcome.evaluations < 300, "{outcome:?}");
}

#[test]
fn a_transient_is_stepped_over_after_one_refusal() {
    // y' = −1e8 (y − cos t), from y = 2: the estimate sees the distance to the slow manifold at any h ≫ 1e-8; the second filter does not.
    let mut slope = made(|t, y: &[f64], f: &mut [f64]| f[0] = -1e8 * (y[0] - math::cos(t)));
    let tolerance = Tolerance {
        rtol: &[1e-6],
        atol: &[1e-6],
    };
    let mut method = Radau::new(1);
    method.begin(&mut slope, 0.0, &[2.0]);
    let first = method.attempt(&mut slope, 0.1, tolerance);
    assert!(!first.accepted);
    let second = method.attempt(&mut slope, first.next, tolerance);
    assert!(second.accepted && second.next <= first.next, "{second:?}");
    let error = method.ends().y1[0] - math::cos(first.next);
    assert!(error.abs() < tolerance.scale(0, 2.0, 1.0), "{error}");
}

/// Drives two methods over van der Pol's equation, the second one with detours at every step: longer, shorter and refused trials.
fn detours<M: Method>(mut straight: M, mut winding: M) {
    let tolerance = Tolerance {
        rtol: &[1e-6; 2],
        atol: &[1e-6; 2],
    };
    let f = |_: f64, y: &[f64], f: &mut [f64]| van_der_pol(1e-3, y, f);
    let (mut a, mut b) = (made(f), made(f));
    let y = [2.0, 0.0];
    straight.begin(&mut a, 0.0, &y);
    winding.begin(&mut b, 0.0, &y);
    let mut h = 1e-5;
    let mut compared = 0;
    for _ in 0..60 {
        let attempt = straight.attempt(&mut a, h, tolerance);
        winding.attempt(&mut b, 3.0 * h, tolerance);
        winding.attempt(&mut b, 0.2 * h, tolerance);
        let again = winding.attempt(&mut b, h, tolerance);
        if !attempt.accepted {
            h = attempt.next;
            continue;
        }
        assert!(again.accepted, "{again:?}");
        let (left, right) = (straight.ends(), winding.ends());
        for i in 0..2 {
            let scale = tolerance.scale(i, left.y1[i], left.y0[i]);
            let apart = (left.y1[i] - right.y1[i]).abs() / scale;
            // Twice the algebraic error of one step, at most 0.03.
            assert!(apart < 0.06, "at {}: {apart}", left.s0);
        }
        compared += 1;
        straight.commit();
        // Continue from the very same point, so that differences do not add up.
        let there = straight.ends().y1.to_vec();
        winding.commit();
        winding.moved(&mut b, &there);
        straight.moved(&mut a, &there);
        h = attempt.next;
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn trials_that_were_not_taken_leave_no_mark_beyond_the_algebraic_error() {
    detours(Radau::new(2), Radau::new(2));
    detours(Bdf::new(2), Bdf::new(2));
}

#[test]
fn the_same_run_gives_the_same_bits() {
    for problem in PROBLEMS {
        let n = problem.y.len();
        let runs = [(); 2].map(|()| problem.run(Radau::new(n), 1e-6).0);
        assert_eq!(runs[0].y, runs[1].y);
        assert_eq!(runs[0].evaluations, runs[1].evaluations);
        let runs = [(); 2].map(|()| problem.run(Bdf::new(n), 1e-6).0);
        assert_eq!(runs[0].y, runs[1].y);
    }
}

fn refuses_nan<M: Method>(mut method: M) {
    // No slope below y = 0.5; y' = −1 leads there.
    let mut slope = made(|_, y: &[f64], f: &mut [f64]| {
        f[0] = if y[0] < 0.5 { f64::NAN } else { -1.0 };
    });
    let tolerance = Tolerance {
        rtol: &[1e-6],
        atol: &[1e-6],
    };
    method.begin(&mut slope, 0.0, &[1.0]);
    let attempt = method.attempt(&mut slope, 0.6, tolerance);
    assert!(!attempt.accepted && !attempt.error.is_finite());
    assert_eq!(attempt.next, 0.1 * 0.6);
    let attempt = method.attempt(&mut slope, attempt.next, tolerance);
    assert!(attempt.accepted, "{attempt:?}");
    assert!((method.ends().y1[0] - 0.94).abs() < 1e-12);
    // And no slope at all: refused, again and again, without a panic.
    let mut nowhere = made(|_, _: &[f64], f: &mut [f64]| f[0] = f64::INFINITY);
    method.begin(&mut nowhere, 0.0, &[1.0]);
    for _ in 0..3 {
        let attempt = method.attempt(&mut nowhere, 0.1, tolerance);
        assert!(!attempt.accepted);
        assert_eq!(attempt.next, 0.1 * 0.1);
    }
}

#[test]
fn a_slope_that_is_not_a_number_is_a_refused_step_ten_times_too_long() {
    refuses_nan(Radau::new(1));
    refuses_nan(Bdf::new(1));
}

fn refuses_singular<M: Method>(mut method: M, eigenvalue: f64) {
    // y' = λ y with λ h the eigenvalue of the formula: the Newton matrix is zero. λ is a power of two times the constant, so that the difference quotient is exact.
    let h = 0.25;
    let lambda = eigenvalue / h;
    let mut slope = made(move |_, y: &[f64], f: &mut [f64]| f[0] = lambda * y[0]);
    let tolerance = Tolerance {
        rtol: &[1e-3],
        atol: &[1e-3],
    };
    method.begin(&mut slope, 0.0, &[1.0]);
    let attempt = method.attempt(&mut slope, h, tolerance);
    assert!(!attempt.accepted, "{attempt:?}");
    assert!(attempt.next > 0.0 && attempt.next < h);
    let mut steps = 0;
    let mut next = attempt.next;
    while steps < 100 {
        let attempt = method.attempt(&mut slope, next, tolerance);
        next = attempt.next;
        steps += 1;
        if attempt.accepted {
            break;
        }
    }
    assert!(steps < 10, "{steps} refusals");
}

#[test]
fn a_singular_newton_matrix_is_a_refused_step() {
    refuses_singular(Radau::new(1), 3.637_834_252_744_495_7);
    refuses_singular(Bdf::new(1), 1.185);
}

fn dense_joins<M: Method>(mut method: M) {
    let tolerance = Tolerance {
        rtol: &[1e-6; 2],
        atol: &[1e-6; 2],
    };
    let mut slope = made(|_, y: &[f64], f: &mut [f64]| van_der_pol(1e-2, y, f));
    method.begin(&mut slope, 0.0, &[2.0, 0.0]);
    let mut h = 1e-4;
    let mut last = vec![2.0, 0.0];
    let mut y = [0.0; 2];
    for _ in 0..300 {
        let attempt = method.attempt(&mut slope, h, tolerance);
        h = attempt.next;
        if !attempt.accepted {
            continue;
        }
        method.prepare_dense(&mut slope);
        for after in [false, true] {
            if after {
                method.commit();
            }
            method.dense(0.0, &mut y);
            assert_eq!(y[..], last[..]);
            method.dense(1.0, &mut y);
            assert_eq!(&y[..], method.ends().y1);
            // And no jump just inside: what is left is the slope times 1e-9 of the step, and rounding.
            for (theta, end) in [(1e-9, method.ends().y0), (1.0 - 1e-9, method.ends().y1)] {
                method.dense(theta, &mut y);
                for i in 0..2 {
                    let travel = method.ends().y1[i] - method.ends().y0[i];
                    let allowed = 1e-8 * travel.abs() + 1e-12 * (1.0 + end[i].abs());
                    assert!((y[i] - end[i]).abs() < allowed);
                }
            }
        }
        last = method.ends().y1.to_vec();
    }
}

#[test]
fn dense_output_is_exact_at_both_ends_and_joins() {
    dense_joins(Radau::new(2));
    dense_joins(Bdf::new(2));
}

fn dense_accuracy<M: Method>(mut method: M) -> f64 {
    let tolerance = Tolerance {
        rtol: &[1e-6; 2],
        atol: &[1e-6; 2],
    };
    let mut slope = made(swirl);
    method.begin(&mut slope, 0.0, &[0.0, 1.0]);
    let (mut s, mut h) = (0.0, 1e-3);
    let mut worst = 0.0_f64;
    while s < 3.0 {
        let attempt = method.attempt(&mut slope, h, tolerance);
        if attempt.accepted {
            for k in 1..8 {
                let mut y = [0.0; 2];
                let theta = f64::from(k) / 8.0;
                method.dense(theta, &mut y);
                let t = s + theta * h;
                worst = worst.max((y[0] - math::sin(t * t)).abs());
            }
            method.commit();
            s += h;
        }
        h = attempt.next;
    }
    worst
}

#[test]
fn dense_output_is_as_good_as_the_steps() {
    let radau = dense_accuracy(Radau::new(2));
    let bdf = dense_accuracy(Bdf::new(2));
    // Twice the tolerance for Radau; a hundred steps' errors for BDF.
    assert!(radau < 4e-6, "{radau}");
    assert!(bdf < 1e-4, "{bdf}");
}

fn cut_and_moved<M: Method>(mut method: M, disturbed: bool) -> (f64, u32) {
    let tolerance = Tolerance {
        rtol: &[1e-8; 2],
        atol: &[1e-8; 2],
    };
    let mut slope = made(swirl);
    method.begin(&mut slope, 0.0, &[0.0, 1.0]);
    let (mut s, mut h) = (0.0, 1e-3);
    let mut attempts = 0;
    let mut accepted = 0;
    let mut error = 0.0_f64;
    while s < 3.0 {
        h = f64::min(h, 3.0 - s);
        let attempt = method.attempt(&mut slope, h, tolerance);
        attempts += 1;
        assert!(attempts < 5000);
        if attempt.accepted {
            accepted += 1;
            let (mut y, t) = ([0.0; 2], s + h);
            error = error
                .max((method.ends().y1[0] - math::sin(t * t)).abs())
                .max((method.ends().y1[1] - math::cos(t * t)).abs());
            if disturbed && accepted % 10 == 0 {
                method.prepare_dense(&mut slope);
                method.dense(0.4, &mut y);
                method.cut(&mut slope, 0.4, &y, tolerance);
                s += 0.4 * h;
            } else {
                method.commit();
                s += h;
                if disturbed && accepted % 3 == 0 {
                    // Projection onto the circle.
                    y.copy_from_slice(method.ends().y1);
                    let r = math::sqrt(y[0] * y[0] + y[1] * y[1]);
                    y = y.map(|x| x / r);
                    method.moved(&mut slope, &y);
                }
            }
        }
        h = attempt.next;
    }
    (error, attempts)
}

#[test]
fn cuts_and_projections_cost_neither_accuracy_nor_the_step() {
    let smooth = [
        cut_and_moved(Radau::new(2), false),
        cut_and_moved(Bdf::new(2), false),
    ];
    let disturbed = [
        cut_and_moved(Radau::new(2), true),
        cut_and_moved(Bdf::new(2), true),
    ];
    for ((error, attempts), (cut_error, cut_attempts)) in smooth.into_iter().zip(disturbed) {
        assert!(cut_error < 2.0 * error.max(1e-8), "{cut_error} {error}");
        // Six per cent of the way is taken twice; a restart at every cut would cost far more.
        assert!(
            cut_attempts < attempts + attempts / 4,
            "{cut_attempts} {attempts}"
        );
    }
}

#[test]
fn stiffness_is_large_where_an_explicit_method_would_be_lost_and_small_elsewhere() {
    let tolerance = Tolerance {
        rtol: &[1e-6; 2],
        atol: &[1e-6; 2],
    };
    for (epsilon, h, expected) in [(1e-6, 1e-3, 3e3), (1e-6, 1e-8, 3e-2), (1.0, 0.01, 0.03)] {
        // At y = (2, −2/3), on the slow manifold, the fast eigenvalue is about −3/ε.
        let mut slope = made(move |_, y: &[f64], f: &mut [f64]| van_der_pol(epsilon, y, f));
        let mut method = Radau::new(2);
        method.begin(&mut slope, 0.0, &[2.0, -2.0 / 3.0]);
        method.attempt(&mut slope, h, tolerance);
        let found = method.stiffness();
        assert!(found > 0.5 * expected && found < 2.0 * expected, "{found}");
    }
}
