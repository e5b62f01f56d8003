//! How long does each solver take for an impact and for a bouncing ball?

#[path = "../solvers/mod.rs"]
mod solvers;

use carom_bench::impact::{Ball, Impact};
use divan::Bencher;
use solvers::contenders::{ALL, Contender, Match, Runner};

fn main() {
    divan::main();
}

fn time<P: Match>(bencher: Bencher<'_, '_>, contender: Contender) {
    match Runner::<P>::new(contender) {
        Ok(mut runner) => bencher.bench_local(|| runner.run()),
        Err(error) => eprintln!("{contender}: {error}"),
    }
}

/// One Hunt–Crossley contact, 157 µs, rtol 1e-8.
#[divan::bench(args = ALL)]
fn impact(bencher: Bencher<'_, '_>, contender: Contender) {
    time::<Impact>(bencher, contender);
}

/// Ten seconds of a bouncing ball, fifty contacts, rtol 1e-8.
#[divan::bench(args = ALL)]
fn ball(bencher: Bencher<'_, '_>, contender: Contender) {
    time::<Ball>(bencher, contender);
}
