//! Does a motion in steps of fixed length, with contacts that do not yield, do what theory says of it?

mod built;

use built::files::{Ran, model};
use carom::model::channel::{Channel, Motion};

#[test]
fn stack() {
    for over in [
        vec![("method.step", "2 ms")],
        vec![("method.step", "2 ms"), ("parameters.rounding", "0 mm")],
        vec![("method.step", "2 ms"), ("parameters.gap", "0 mm")],
        vec![("method.step", "0.5 ms")],
    ] {
        let mut o = vec![
            ("method.contact", "time-stepping"),
            ("simulation.end", "1 s"),
        ];
        o.extend(over.clone());
        let mut m = model("box-stack.toml", &o);
        let motions = [Motion::X, Motion::Y, Motion::Angle];
        m.simulation.channels = [0, 1, 4, 9]
            .into_iter()
            .flat_map(|i| motions.map(|motion| Channel::Body(i, motion)))
            .collect();
        let clock = std::time::Instant::now();
        let ran = Ran::of(&m);
        println!(
            "{over:?} {:?} {:?} {:?}",
            ran.outcome.status,
            ran.outcome.reason,
            clock.elapsed()
        );
        println!(
            "{:?}\n{:?}",
            ran.outcome.ledger.residual, ran.outcome.warnings
        );
        for (t, v) in ran.samples.iter().step_by(10) {
            println!(
                "{t:.3} {}",
                v.iter().map(|x| format!("{x:.3e} ")).collect::<String>()
            );
        }
        for c in ran.outcome.contacts.iter().take(0) {
            println!(
                " {} {} {:.5} {:.5} a {:.4} s {:.4} p {:.4} r {:.4}",
                c.element,
                c.slot,
                c.episode.start,
                c.episode.end,
                c.episode.approach,
                c.episode.separation,
                c.course.impulse[0] + c.course.impulse[1],
                c.course.rub_impulse
            );
        }
        println!("{:?} {}", ran.outcome.work, ran.outcome.contacts.len());
    }
}
