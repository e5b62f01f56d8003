//! Every method is of the order it claims, on problems whose solutions are known: the step is halved and the error must fall accordingly. Adams with a frozen order and the
//! implicit methods' inner parts are measured beside their code.

use carom::solve::{Integrator, Output, Settings, Solver, Status};
use carom_bench::Problem;
use carom_bench::smooth::{Arenstorf, Breathing, Forced, Kepler, Oscillator, Pendulum};
use carom_bench::stiff::{Robertson, VanDerPol};

/// Largest error over the components at the end, and over all of `between`, with a constant step.
fn errors<P: Problem>(
    problem: &mut P,
    integrator: Integrator,
    end: f64,
    steps: usize,
) -> (f64, f64) {
    let h = end / steps as f64;
    let settings = Settings {
        // So loose that no step is ever rejected or chosen by the error.
        rtol: 0.1,
        atol: 1e9,
        first_step: Some(h),
        max_step: h,
        integrator: match integrator {
            Integrator::Rk4 { .. } => Integrator::Rk4 { step: h },
            Integrator::Verlet { .. } => Integrator::Verlet { step: h },
            other => other,
        },
        ..Settings::default()
    };
    let mut solver = Solver::new(settings).expect("sound settings");
    let between: Vec<f64> = (0..steps).map(|k| (k as f64 + 0.37) * h).collect();
    let mut y = problem.start();
    let mut inside = 0.0_f64;
    let references: Vec<_> = between
        .iter()
        .map(|&t| problem.reference(t).expect("a closed form"))
        .collect();
    let mut k = 0;
    let ended = solver.run_with(problem, 0.0, end, &mut y, Output::At(&between), |_, y| {
        inside = inside.max(distance(y, &references[k]));
        k += 1;
    });
    assert_eq!(ended.status, Status::Completed);
    assert_eq!(
        ended.statistics.steps_accepted as usize, steps,
        "the step is not constant"
    );
    (
        distance(&y, &problem.reference(end).expect("a closed form")),
        inside,
    )
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// The order seen between the coarsest and the finest step.
fn order(coarse: f64, fine: f64, ratio: f64) -> f64 {
    (coarse / fine).ln() / ratio.ln()
}

#[test]
fn fixed_order_methods_and_their_dense_output_are_of_their_order() {
    // (method, order at the end of steps, order between them, coarsest number of steps). Between steps a method of order p with a
    // weaker dense output of order q shows min(p, q + 1): its error within one step is of order q + 1.
    let methods = [
        (Integrator::Dop853, 8.0, 8.0, 32),
        (Integrator::Tsit5, 5.0, 5.0, 160),
        (Integrator::Rk4 { step: 0.0 }, 4.0, 4.0, 320),
        (Integrator::Verlet { step: 0.0 }, 2.0, 2.0, 400),
    ];
    for (method, at_end, between, steps) in methods {
        let mut measured = Vec::new();
        let mut measure = |name: &str, coarse: (f64, f64), fine: (f64, f64)| {
            let seen = (order(coarse.0, fine.0, 2.0), order(coarse.1, fine.1, 2.0));
            assert!(
                (seen.0 - at_end).abs() < 0.3,
                "{method:?} on {name}: order {:.2} from {:e} and {:e}",
                seen.0,
                coarse.0,
                fine.0
            );
            assert!(
                (seen.1 - between).abs() < 0.3,
                "{method:?} on {name}: dense order {:.2} from {:e} and {:e}",
                seen.1,
                coarse.1,
                fine.1
            );
            measured.push(seen);
        };
        let mut kepler = Kepler { eccentricity: 0.1 };
        measure(
            "Kepler",
            errors(&mut kepler, method, 6.0, steps),
            errors(&mut kepler, method, 6.0, 2 * steps),
        );
        let mut forced = Forced::default();
        measure(
            "forced oscillator",
            errors(&mut forced, method, 7.0, steps),
            errors(&mut forced, method, 7.0, 2 * steps),
        );
        println!("{method:?}: {measured:.2?}");
    }
}

/// The dense output alone: one step from the exact solution, looked at inside. The error within a step is one order higher than the order of the interpolant.
#[test]
fn dense_output_within_one_step_is_of_its_order() {
    for (method, interpolant, h) in [
        (Integrator::Dop853, 7.0, 0.6),
        (Integrator::Tsit5, 4.0, 0.3),
        (Integrator::Rk4 { step: 0.0 }, 3.0, 0.2),
    ] {
        let mut problem = Pendulum {
            omega: 1.3,
            amplitude: 2.0,
        };
        let coarse = errors(&mut problem, method, h, 1).1;
        let fine = errors(&mut problem, method, h / 2.0, 1).1;
        let seen = order(coarse, fine, 2.0) - 1.0;
        assert!(
            (seen - interpolant).abs() < 0.3,
            "{method:?}: {seen:.2} from {coarse:e} and {fine:e}"
        );
    }
}

/// Error at the end with error control.
fn controlled<P: Problem>(
    problem: &mut P,
    integrator: Integrator,
    rtol: f64,
    end: f64,
) -> (f64, u64) {
    let mut solver = Solver::new(Settings {
        integrator,
        rtol,
        atol: rtol,
        ..Settings::default()
    })
    .expect("sound settings");
    let mut y = problem.start();
    let ended = solver.run(problem, 0.0, end, &mut y);
    assert_eq!(ended.status, Status::Completed, "{integrator:?} {rtol}");
    (
        distance(&y, &problem.reference(end).expect("a reference")),
        ended.statistics.rhs_evaluations,
    )
}

#[test]
fn error_follows_tolerance() {
    // Slope of log error over log tolerance between 1e-5 and 1e-10, by least squares over six tolerances.
    for method in [
        Integrator::Dop853,
        Integrator::Tsit5,
        Integrator::Adams,
        Integrator::Auto,
        Integrator::Radau,
        Integrator::Bdf,
    ] {
        let tolerances = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
        let mut points = Vec::new();
        for rtol in tolerances {
            // The mean of logarithms over four problems: one alone has lucky signs.
            let errors = [
                controlled(&mut Kepler { eccentricity: 0.3 }, method, rtol, 20.0).0,
                controlled(
                    &mut Pendulum {
                        omega: 1.3,
                        amplitude: 2.0,
                    },
                    method,
                    rtol,
                    20.0,
                )
                .0,
                controlled(&mut Forced::default(), method, rtol, 20.0).0,
                controlled(&mut Breathing, method, rtol, 20.0).0,
            ];
            let mean = errors.iter().map(|e| e.ln()).sum::<f64>() / errors.len() as f64;
            points.push((rtol.ln(), mean));
        }
        let n = points.len() as f64;
        let (mx, my) = (
            points.iter().map(|p| p.0).sum::<f64>() / n,
            points.iter().map(|p| p.1).sum::<f64>() / n,
        );
        let slope = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f64>()
            / points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>();
        assert!((0.8..1.2).contains(&slope), "{method:?}: slope {slope:.2}");
        println!("{method:?}: slope {slope:.3}");
    }
}

#[test]
fn the_arenstorf_orbit_closes() {
    // The orbit is so unstable that an error grows by about 1e3 to 1e4 on the way (Hairer, Nørsett, Wanner 1993, section II.0).
    for (method, rtol, bound) in [
        (Integrator::Dop853, 1e-11, 1e-6),
        (Integrator::Tsit5, 1e-11, 1e-6),
        (Integrator::Adams, 1e-11, 1e-5),
        (Integrator::Auto, 1e-11, 1e-6),
    ] {
        let (error, evaluations) = controlled(&mut Arenstorf, method, rtol, Arenstorf::PERIOD);
        println!("{method:?}: error {error:.1e}, {evaluations} evaluations");
        assert!(error < bound, "{method:?}: {error:e}");
    }
}

#[test]
fn every_method_follows_the_pendulum_of_elliptic_functions() {
    for method in [
        Integrator::Auto,
        Integrator::Dop853,
        Integrator::Tsit5,
        Integrator::Adams,
        Integrator::Radau,
        Integrator::Bdf,
    ] {
        for amplitude in [0.1, 1.0, 2.0, 3.0] {
            let (error, _) = controlled(
                &mut Pendulum {
                    omega: 1.3,
                    amplitude,
                },
                method,
                1e-9,
                20.0,
            );
            // Close to the upright position an error grows like e^(ωt) for a while.
            assert!(
                error < 1e-6 * amplitude.powi(4).max(1.0),
                "{method:?} at {amplitude}: {error:e}"
            );
        }
    }
}

#[test]
fn stiff_problems_are_solved_by_the_implicit_methods_and_by_switching() {
    for method in [Integrator::Radau, Integrator::Bdf, Integrator::Auto] {
        let rtol = 1e-7;
        let mut van_der_pol = VanDerPol::default();
        let end = van_der_pol.end();
        let (error, evaluations) = controlled(&mut van_der_pol, method, rtol, end);
        println!("{method:?} van der Pol: error {error:.1e}, {evaluations} evaluations");
        // Between two jumps an error decays; at a jump it becomes one of time, of which x makes little there.
        assert!(error < 1e-4, "{method:?} van der Pol: {error:e}");
        let mut solver = Solver::new(Settings {
            integrator: method,
            rtol,
            atol: 1e-14,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut y = Robertson.start();
        let ended = solver.run(&mut Robertson, 0.0, Robertson::LATE, &mut y);
        assert_eq!(ended.status, Status::Completed, "{method:?}");
        let reference = Robertson.reference(Robertson::LATE).expect("published");
        // The second species is 8e-14 there, and the absolute tolerance 1e-14.
        for i in 0..3 {
            assert!(
                (y[i] / reference[i] - 1.0).abs() < 1e-3,
                "{method:?} Robertson: {y:?}"
            );
        }
        assert!(ended.statistics.jacobians > 0 && ended.statistics.factorisations > 0);
    }
}

#[test]
fn switching_costs_no_more_than_the_better_method_by_far() {
    // On a stiff problem automatic switching is close to Radau, on a smooth one it is the explicit method itself.
    let evaluations = |method| {
        let mut problem = VanDerPol { mu: 1e3 };
        let end = problem.end();
        controlled(&mut problem, method, 1e-6, end).1
    };
    let (auto, radau, explicit) = (
        evaluations(Integrator::Auto),
        evaluations(Integrator::Radau),
        evaluations(Integrator::Dop853),
    );
    println!("van der Pol, mu = 1e3: auto {auto}, Radau {radau}, Dormand–Prince {explicit}");
    assert!(
        auto < 2 * radau && auto < explicit / 5,
        "auto {auto}, Radau {radau}, explicit {explicit}"
    );
    let smooth = |method| controlled(&mut Oscillator::default(), method, 1e-8, 20.0);
    assert_eq!(smooth(Integrator::Auto), smooth(Integrator::Dop853));
}
