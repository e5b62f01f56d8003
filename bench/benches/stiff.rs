//! What do the implicit methods cost on stiff problems, at what error?
//!
//! Counted work, so that the table is the same on every machine of a kind. It shows what each method is for: Radau where stiff modes ring, backward differentiation where they
//! only decay and a factorisation is dear.

use carom::solve::{Integrator, Settings, Solver, Status};
use carom_bench::Problem;
use carom_bench::stiff::{ProtheroRobinson, Ringing, Robertson, TwoRates, VanDerPol};

fn main() {
    println!(
        "{:<22}{:<8}{:>7}{:>10}{:>12}{:>8}{:>11}{:>16}",
        "", "method", "rtol", "error", "evaluations", "steps", "jacobians", "factorisations"
    );
    rows("van der Pol, mu 1e3", VanDerPol { mu: 1e3 });
    rows("Robertson to 40", Robertson);
    rows("two rates", TwoRates);
    rows("Prothero-Robinson", ProtheroRobinson::default());
    rows("ringing", Ringing);
}

/// One row a method and tolerance.
fn rows<P: Problem>(title: &str, mut problem: P) {
    let mut title = title;
    for rtol in [1e-5, 1e-7, 1e-9] {
        for (name, integrator) in [
            ("radau", Integrator::Radau),
            ("bdf", Integrator::Bdf),
            ("auto", Integrator::Auto),
        ] {
            let settings = Settings {
                integrator,
                rtol,
                // Robertson's second species is of the order of 1e-5.
                atol: 1e-4 * rtol,
                ..Settings::default()
            };
            let Ok(mut solver) = Solver::new(settings) else {
                continue;
            };
            problem.reset();
            let mut y = problem.start();
            let end = problem.end();
            let ended = solver.run(&mut problem, 0.0, end, &mut y);
            if let Status::Failed(failure) = &ended.status {
                println!("{title:<22}{name:<8}{rtol:>7.0e}  failed: {failure}");
                continue;
            }
            let error = problem.reference(end).map_or(f64::NAN, |exact| {
                y.iter()
                    .zip(exact)
                    .fold(0.0, |most, (y, e)| f64::max(most, (y - e).abs()))
            });
            let work = ended.statistics;
            println!(
                "{title:<22}{name:<8}{rtol:>7.0e}{error:>10.1e}{:>12}{:>8}{:>11}{:>16}",
                work.rhs_evaluations, work.steps_accepted, work.jacobians, work.factorisations
            );
            title = "";
        }
    }
}
