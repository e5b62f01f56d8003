//! scratch
use carom::card::Values;
use carom::contact::{self, Calibration, Law, State};
use carom::impact::{Lab, begin};
use std::hint::black_box;
use std::time::Instant;
fn main() {
    let card = contact::find("hunt-crossley").unwrap();
    let values = Values::new()
        .number("stiffness", 5.5e9)
        .number("restitution", 0.7);
    let law = Law::new(card, &values, None, Calibration::Published).unwrap();
    let touch = begin(&law, 0.3, 0.046).unwrap();
    for rtol in [1e-8, 1e-10, 1e-12] {
        let mut lab = Lab::new(rtol).unwrap();
        let f = lab.free("hc", &touch).unwrap();
        let mut best = f64::MAX;
        for _ in 0..50 {
            let t = Instant::now();
            for _ in 0..200 {
                black_box(lab.free("hc", black_box(&touch)).unwrap());
            }
            best = best.min(t.elapsed().as_secs_f64() / 200.0);
        }
        println!(
            "rtol {rtol:e}: e err {:.2e} dur err {:.2e} evals {} {:.2} us",
            f.restitution - 0.76799978907847613,
            f.duration / 1.568_066_188_926_714_7e-4 - 1.0,
            f.evaluations,
            best * 1e6
        );
    }
    let t = Instant::now();
    let n = 10_000_000;
    let mut s = 0.0;
    for i in 0..n {
        s += black_box(&touch)
            .force(&State::new(1e-5 + 1e-13 * i as f64, 0.1))
            .total();
    }
    println!(
        "force {:.2} ns {s}",
        t.elapsed().as_secs_f64() / n as f64 * 1e9
    );
    let t = Instant::now();
    let mut s = 0.0;
    for i in 0..n {
        s += contact::closed::restitution(black_box(0.1 + 1e-7 * i as f64));
    }
    println!(
        "restitution {:.2} ns {s}",
        t.elapsed().as_secs_f64() / n as f64 * 1e9
    );
}
