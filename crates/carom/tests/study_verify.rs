//! Does `verify` say how many digits are to be believed, and mean it?

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use carom::model::Model;
use carom::model::file::{self, Source};
use carom::study::verify::{
    Growth, Refused, Role, Step, Verdict, Verified, at, sentences, verify, warning,
};
use carom::system::Status;

fn model(name: &str, set: &[(&str, &str)]) -> Model {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = fs::read_to_string(folder.join(name)).expect("a model");
    let source = Source {
        name: name.into(),
        text,
        folder,
    };
    let set: Vec<(String, String)> = set
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    match file::read(&source, &set) {
        Ok(parsed) => parsed.model,
        Err(wrong) => panic!("{wrong:?}"),
    }
}

fn verified(name: &str, set: &[(&str, &str)]) -> Verified {
    of_model(&model(name, set))
}

fn of_model(model: &Model) -> Verified {
    let of = verify(model, &|_| ControlFlow::Continue(())).expect("it is verified");
    println!("{}", sentences(&of).join("\n"));
    for run in &of.runs {
        println!("{run:?}");
    }
    for n in &of.numbers {
        println!(
            "{} {} {:e} ± {:.1e}: {} best {:?} order {:?}",
            n.name,
            n.what,
            n.value,
            n.error,
            n.verdict.name(),
            n.best,
            n.order
        );
    }
    println!("{:?}", of.horizon);
    of
}

/// How far the rod of `models/pendulum.toml` is from hanging down, t after its release: sin(θ/2) = k cd(ω t, k), with k = sin 30° and ω² = 3 g / (2 L); the elliptic functions by the
/// arithmetic-geometric mean (Abramowitz and Stegun 1964, section 16.4).
fn pendulum(t: f64) -> f64 {
    let k = 0.5_f64;
    let u = (1.5 * 9.81_f64).sqrt() * t;
    let (mut a, mut b, mut c) = (vec![1.0_f64], (1.0 - k * k).sqrt(), vec![k]);
    while c.last().is_some_and(|c| c.abs() > 1e-17) {
        let last = a[a.len() - 1];
        c.push((last - b) / 2.0);
        a.push((last + b) / 2.0);
        b = (last * b).sqrt();
        if a.len() > 8 {
            break;
        }
    }
    let n = a.len() - 1;
    let mut phi = f64::from(1_u32 << n) * a[n] * u;
    let mut before = phi;
    for i in (1..=n).rev() {
        before = phi;
        phi = (phi + (c[i] / a[i] * phi.sin()).asin()) / 2.0;
    }
    let cn = phi.cos();
    let dn = cn / (before - phi).cos();
    2.0 * (k * cn / dn).asin()
}

#[test]
fn of_the_pendulum_twelve_digits_are_believed_and_they_are_right() {
    let of = of_model(&at(&model("pendulum.toml", &[]), 1e-13));
    assert!(of.runs.iter().any(|run| run.role == Role::Second));
    for number in &of.numbers {
        let digits = number.verdict.digits().unwrap_or(0);
        assert!(digits >= 12, "{} {}: {digits}", number.name, number.what);
    }
    // At the release it is 60° from hanging down.
    assert!((pendulum(0.0) - std::f64::consts::FRAC_PI_3).abs() < 1e-15);
    let end = of
        .numbers
        .iter()
        .find(|n| n.name == "rod.angle" && n.what == "end")
        .expect("the angle at the end");
    let exact = pendulum(10.0) - std::f64::consts::FRAC_PI_2;
    assert!(
        (end.value - exact).abs() < 1e-12 * exact.abs(),
        "{:e} {exact:e}",
        end.value
    );
    assert_eq!(of.lost(), None);
    assert_eq!(of.horizon.growth, Growth::Slow);
    assert!(warning(&of).is_none());
}

#[test]
fn an_error_is_never_larger_than_what_is_said_of_it() {
    // As it stands in the file, and looser.
    for rtol in ["1e-6", "1e-8", "1e-10"] {
        let of = verified(
            "pendulum.toml",
            &[
                ("solver.rtol", rtol),
                ("simulation.channels", "[\"rod.angle\"]"),
            ],
        );
        let end = of
            .numbers
            .iter()
            .find(|n| n.name == "rod.angle" && n.what == "end");
        let end = end.expect("the angle at the end");
        let exact = pendulum(10.0) - std::f64::consts::FRAC_PI_2;
        let real = (end.value - exact).abs();
        // The tightest run is wrong too, but by orders of magnitude less.
        assert!(
            real <= 1.01 * end.error + 1e-13,
            "{rtol}: {real:e} {:e}",
            end.error
        );
        assert!(
            end.error <= 20.0 * real + 1e-13,
            "{rtol}: {real:e} {:e}",
            end.error
        );
        let (best, _) = end.best.expect("tighter runs");
        assert!((best - exact).abs() <= 0.1 * real + 1e-13, "{rtol}");
        // The differences fall about in proportion to the tolerance.
        let order = end.order.expect("differences above rounding");
        assert!((0.5..1.5).contains(&order), "{rtol}: {order}");
    }
}

#[test]
fn without_losses_the_impacts_of_the_loose_pin_cannot_be_counted_over_two_turns() {
    let of = verified("slider-crank-clearance.toml", &[("joint.pin.law", "hertz")]);
    assert!(!of.contacts.counted);
    assert!(
        of.contacts.range[0] < of.contacts.range[1],
        "{:?}",
        of.contacts.range
    );
    let lost = of.lost().expect("a horizon");
    // Runs at 1e-9 and tighter part between half a turn and one and a half (a turn takes 12 ms).
    assert!((0.006..0.018).contains(&lost), "{lost}");
    assert!(
        matches!(of.horizon.growth, Growth::Exponential(exponent) if (300.0..5000.0).contains(&exponent)),
        "{:?}",
        of.horizon
    );
    let some = of.contacts.settled;
    assert!((10..60).contains(&some), "{some}");
    let later = of.contacts.list.iter().skip_while(|c| c.settled);
    assert!(later.count() > 10);
    // What the motor prescribes is known all the same.
    let crank = of
        .numbers
        .iter()
        .find(|n| n.name == "crank.angle" && n.what == "end");
    assert!(matches!(
        crank.expect("a crank").verdict,
        Verdict::Digits(12..)
    ));
    let not = of.numbers.iter().filter(|n| n.verdict == Verdict::NotAtAll);
    assert!(not.count() > 0);
    let said = sentences(&of).join(" ");
    assert!(
        said.contains("chaotic") && said.contains("horizon"),
        "{said}"
    );
    assert!(said.contains("that number is not to be believed"), "{said}");
    assert!(warning(&of).is_some_and(|w| w.code == "beyond-horizon"));
}

#[test]
fn with_the_losses_of_lankarani_and_nikravesh_twenty_impacts_are_right_to_a_millionth_of_a_turn() {
    let of = verified("slider-crank-clearance.toml", &[]);
    assert_eq!(of.rtol, 1e-9);
    assert!((of.period.expect("a turn") - 0.012).abs() < 1e-12);
    assert!(
        of.contacts.counted && of.contacts.count >= 20,
        "{:?}",
        of.contacts.range
    );
    assert_eq!(of.contacts.settled, of.contacts.count);
    let turns = of.contacts.late_turns.expect("of a turn");
    assert!(turns < 1e-6 && turns > 0.0, "{turns:e}");
    assert_eq!(of.lost(), None);
    // Where the first impact is, is known from the model's text: whatever the law.
    let first = &of.contacts.list[0].numbers[0];
    assert!(
        (first.2 - 0.227_284_880_1e-3).abs() < 1e-13,
        "{:e}",
        first.2
    );
    assert!(of.runs.iter().all(|run| run.status == Status::Completed));
}

#[test]
fn who_listens_hears_of_every_run_and_can_end_them() {
    let model = model("pendulum.toml", &[("simulation.end", "1 s")]);
    let most = std::sync::Mutex::new(Step { done: 0, of: 0 });
    let listener = |step: Step| {
        let mut most = most.lock().expect("nobody fails");
        if step.done >= most.done {
            *most = step;
        }
        ControlFlow::Continue(())
    };
    assert!(verify(&model, &listener).is_ok());
    let most = *most.lock().expect("nobody fails");
    assert_eq!(most.done, most.of);
    let stopped = verify(&model, &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(Refused::Stopped)));
}

#[test]
fn what_takes_no_steps_is_refused_and_the_reason_is_said() {
    let model = model("pendulum.toml", &[("simulation.analysis", "static")]);
    let refused = verify(&model, &|_| ControlFlow::Continue(()));
    assert!(matches!(&refused, Err(Refused::Analysis(_))));
    let said = refused.map(|_| ()).expect_err("it is refused").to_string();
    assert!(said.contains("static"), "{said}");
}

#[test]
fn the_answers_are_the_same_every_time() {
    let model = model("slider-crank-clearance.toml", &[("simulation.end", "4 ms")]);
    let one = || verify(&model, &|_| ControlFlow::Continue(())).expect("it is verified");
    assert_eq!(format!("{:?}", one()), format!("{:?}", one()));
}

#[test]
fn a_fixed_step_is_halved_and_its_order_is_seen() {
    // Velocity Verlet is of second order.
    let of = verified(
        "pendulum.toml",
        &[
            ("solver.integrator", "verlet"),
            ("solver.step", "1 ms"),
            ("simulation.end", "2 s"),
        ],
    );
    let angle = of
        .numbers
        .iter()
        .find(|n| n.name == "rod.angle" && n.what == "over time");
    let order = angle.expect("the angle").order.expect("an order");
    assert!((order - 2.0).abs() < 0.1, "{order}");
    assert!(
        of.runs
            .iter()
            .any(|run| run.role == Role::Second && run.method == "dop853")
    );
}
