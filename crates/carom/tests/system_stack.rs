//! Does what is stacked stand still: no jitter, no creep, no energy from nowhere?

mod built;

use built::files::{Ran, model};
use carom::model::channel::{Account, Channel, Motion};

const G: f64 = 9.81;

/// The model of ten boxes with all that is asked about here: of every box x, y, angle, then the kinetic energy.
fn stacked(overrides: &[(&str, &str)]) -> Ran {
    let mut model = model("box-stack.toml", overrides);
    let motions = [Motion::X, Motion::Y, Motion::Angle];
    let boxes = (0..10).flat_map(|i| motions.map(|motion| Channel::Body(i, motion)));
    model.simulation.channels = boxes.collect();
    let energy = Channel::Energy(Account::Kinetic);
    model.simulation.channels.push(energy);
    let clock = std::time::Instant::now();
    let ran = Ran::of(&model);
    println!(
        "{overrides:?}: {:.1} s, {:?}",
        clock.elapsed().as_secs_f64(),
        ran.outcome.statistics
    );
    ran
}

/// Each contact carries the boxes above it on two corners: K δ^(3/2) = N/2.
fn heights(stiffness: f64) -> [f64; 10] {
    let mut y = 0.0;
    std::array::from_fn(|i| {
        let carried = 0.5 * G * (10 - i) as f64;
        y -= (carried / stiffness).powf(2.0 / 3.0);
        0.05 + 0.1 * i as f64 + y
    })
}

#[track_caller]
fn stands(ran: &Ran, from: f64, aside: f64) {
    // What the boxes fall: the i-th by i millimetres.
    let fallen = 55e-3 * G;
    let kinetic = ran.column("energy.kinetic");
    for (sample, kinetic) in ran.samples.iter().zip(kinetic) {
        assert!(
            sample.0 < from || kinetic < 1e-12 * fallen,
            "{kinetic:e} J at {} s",
            sample.0
        );
    }
    for (i, y) in heights(1e8).into_iter().enumerate() {
        let name = |what: &str| format!("box{}.{what}", i + 1);
        let [found, x, angle] = ["y", "x", "angle"].map(|what| ran.last(&name(what)));
        assert!((found - y).abs() < 1e-9, "{i}: {found} m, not {y} m");
        assert!(x.abs() < aside, "{i}: {x:e} m aside");
        assert!(angle.abs() < 1e-7, "{i}: {angle:e} rad");
    }
    let residual = ran.outcome.ledger.residual;
    assert!(residual.abs() < 1e-8 * fallen, "{residual:e} J");
    let codes: Vec<&str> = ran.outcome.warnings.iter().map(|w| w.code).collect();
    let known = ["restitution-differs", "slow-touch", "tension"];
    assert!(codes.iter().all(|code| known.contains(code)), "{codes:?}");
}

#[test]
fn ten_boxes_that_land_on_each_other_stand_for_ten_seconds() {
    stands(&stacked(&[]), 1.0, 1e-10);
}

/// Set down without a gap: touches that begin at no speed are damped so strongly that they creep down to their rest.
#[test]
fn ten_boxes_set_down_on_each_other_stand_too() {
    stands(
        &stacked(&[("parameters.gap", "0 mm"), ("simulation.end", "4 s")]),
        2.5,
        1e-10,
    );
}

#[test]
fn ten_sharp_boxes_stand_as_well() {
    stands(
        &stacked(&[("parameters.rounding", "0 mm"), ("simulation.end", "2 s")]),
        1.0,
        1e-10,
    );
}
