//! How much faster is Carom than its peers, at what number of evaluations and what error?
//!
//! The contenders take turns, so that whatever else the machine does falls on all alike; the median of each is printed.

#[path = "../solvers/mod.rs"]
mod solvers;

use std::hint::black_box;
use std::time::Instant;

use carom::solve::Integrator;
use carom_bench::impact::{Ball, Impact};
use ivp::prelude::Method;
use solvers::contenders::{ALL, Contender, Match, Runner};

/// The speed-up over `ivp`'s DOP853 that Carom's must show.
const CLAIM: f64 = 1.8;

fn main() {
    println!(
        "rtol 1e-8; atol 1e-10 in flight, 1e-8 of the Hertz depth and of the touch speed in contact; median of alternating runs\n"
    );
    let impact = table::<Impact>(
        "impact: one Hunt-Crossley contact, m = 0.046 kg, K = 5.5e9, 0.3 m/s, e = 0.7",
        401,
        40,
    );
    let ball = table::<Ball>(
        "ball: ten seconds, fifty contacts, m = 1 kg, K = 1.4e8, e = 0.9",
        101,
        1,
    );
    for (name, ratio) in [("impact", impact), ("ball", ball)] {
        let verdict = if ratio >= CLAIM {
            "holds"
        } else {
            "DOES NOT HOLD"
        };
        println!(
            "carom dop853 at least {CLAIM} times as fast as ivp dop853 on the {name}: {verdict} ({ratio:.2})"
        );
    }
}

/// Times all contenders and prints their table; returns how much faster Carom's DOP853 is than that of `ivp`.
fn table<P: Match>(title: &str, rounds: usize, repeat: u32) -> f64 {
    let mut runners = Vec::new();
    for contender in ALL {
        match Runner::<P>::new(contender) {
            Ok(runner) => runners.push((contender, runner, Vec::with_capacity(rounds))),
            Err(error) => println!("{contender}: {error}"),
        }
    }
    // The first rounds warm the caches and are not counted.
    let warm = rounds / 10;
    for round in 0..rounds + warm {
        for (_, runner, times) in &mut runners {
            let start = Instant::now();
            for _ in 0..repeat {
                let _ = black_box(runner.run());
            }
            if round >= warm {
                times.push(start.elapsed().as_secs_f64() / f64::from(repeat));
            }
        }
    }
    let mut rows = Vec::new();
    for (contender, runner, times) in &mut runners {
        times.sort_by(f64::total_cmp);
        rows.push((
            *contender,
            times[times.len() / 2],
            runner
                .run()
                .map(|outcome| (outcome, runner.problem.errors(&outcome, &runner.y))),
        ));
    }
    let median = |wanted: Contender| {
        rows.iter()
            .find(|row| row.0 == wanted)
            .map_or(f64::NAN, |row| row.1)
    };
    let base = median(Contender::Ivp(Method::DOP853));

    println!("{title}");
    println!(
        "{:<26}{:>10}{:>12}{:>9}{:>7}{:>9}   relative errors",
        "", "time, us", "times as", "evalu-", "steps", "ns per"
    );
    println!(
        "{:<26}{:>10}{:>12}{:>9}{:>7}{:>9}",
        "", "", "fast as ivp", "ations", "", "eval."
    );
    for (contender, time, result) in &rows {
        match result {
            Ok((outcome, errors)) => {
                let evaluations = outcome.evaluations;
                let errors: Vec<String> = errors
                    .iter()
                    .map(|(name, error)| format!("{name} {error:.1e}"))
                    .collect();
                println!(
                    "{contender:<26}{:>10.2}{:>12.2}{evaluations:>9}{:>7}{:>9.1}   {}",
                    1e6 * time,
                    base / time,
                    outcome.steps,
                    1e9 * time / evaluations as f64,
                    errors.join(", ")
                );
            }
            Err(error) => println!("{contender:<26} failed: {error}"),
        }
    }
    println!();
    base / median(Contender::Carom(Integrator::Dop853))
}
