//! Do the implicit methods keep what they promise?

use super::bdf::Bdf;
use super::method::{Attempt, Method, Slope, Tolerance, Work};
use super::radau::Radau;
use crate::math;

/// A slope made of a function, which counts.
struct Made<F> {
    f: F,
    evaluations: u64,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Slope for Made<F> {
    fn eval(&mut self, s: f64, y: &[f64], dyds: &mut [f64]) {
        self.evaluations += 1;
        (self.f)(s, y, dyds);
    }
    fn depends(&self, _row: usize, _column: usize) -> bool {
        true
    }
}

fn made<F: FnMut(f64, &[f64], &mut [f64])>(f: F) -> Made<F> {
    Made { f, evaluations: 0 }
}

#[derive(Debug)]
struct Outcome {
    y: Vec<f64>,
    evaluations: u64,
    accepted: u64,
    rejected: u64,
    work: Work,
}

fn drive<M: Method, F: FnMut(f64, &[f64], &mut [f64])>(
    mut method: M,
    f: F,
    y: &[f64],
    (start, end): (f64, f64),
    first: f64,
    tolerance: Tolerance<'_>,
) -> Outcome {
    let mut slope = made(f);
    let (mut s, mut h) = (start, first);
    let (mut accepted, mut rejected) = (0, 0);
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
            accepted += 1;
        } else {
            rejected += 1;
        }
        h = attempt.next;
        assert!(h > 1e-15 * s, "the step vanished at {s}: {attempt:?}");
        assert!(accepted + rejected < 1_000_000);
    }
    Outcome {
        y: method.ends().y1.to_vec(),
        evaluations: slope.evaluations,
        accepted,
        rejected,
        work: method.work(),
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
        let outcome = drive(method, self.f, self.y, self.span, self.first, tolerance);
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
    y: &[1.0],
    span: (0.0, 10.0),
    first: 1e-3,
    end: &[-0.839_071_529_076_452_5],
    typical: &[1.0],
};

const PROBLEMS: [&Problem; 5] = [
    &VAN_DER_POL_3,
    &VAN_DER_POL_6,
    &ROBERTSON,
    &LINEAR,
    &PROTHERO_ROBINSON,
];

#[test]
#[ignore = "prints a table"]
fn work_against_error() {
    for problem in PROBLEMS {
        println!("{}", problem.name);
        for exponent in [4, 5, 6, 7, 8, 9, 10, 11] {
            let rtol = math::powf(10.0, -f64::from(exponent));
            for implicit in ["radau", "bdf"] {
                let (o, error) = if implicit == "radau" {
                    problem.run(Radau::new(problem.y.len()), rtol)
                } else {
                    problem.run(Bdf::new(problem.y.len()), rtol)
                };
                println!(
                    "  rtol 1e-{exponent:<2} {implicit:5} error {error:8.1e} evaluations {:6} steps {:5} + {:4} jacobians {:4} factorisations {:4}",
                    o.evaluations, o.accepted, o.rejected, o.work.jacobians, o.work.factorisations
                );
            }
        }
    }
}
