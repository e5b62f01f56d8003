//! Does `verify` say how many digits are to be believed, and mean it?

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use carom::model::Model;
use carom::model::file::{self, Source};
use carom::study::verify::{
    Effort, Growth, Number, Refused, Role, Step, Verdict, Verified, at, sentences, verify,
    verify_with, warning,
};
use carom::system::Status;

fn model(name: &str, set: &[(&str, &str)]) -> Model {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = fs::read_to_string(folder.join(name)).expect("a model");
    read(name, text, folder, set)
}

/// A model that stands here.
fn of_text(text: &str, set: &[(&str, &str)]) -> Verified {
    of_model(&read("here", text.into(), PathBuf::new(), set))
}

fn read(name: &str, text: String, folder: PathBuf, set: &[(&str, &str)]) -> Model {
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
    assert!(sentences(&of)[0].starts_with("Trust nothing after "));
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
    // The force of the pin is nothing between impacts, where runs look at different instants: nothing was stepped over.
    assert!(of.still.missed.is_empty(), "{:?}", of.still.missed);
    assert!(warning(&of).is_none());
}

#[test]
fn who_listens_hears_of_every_run_and_can_end_them() {
    let model = model("pendulum.toml", &[("simulation.end", "1 s")]);
    let most = std::sync::Mutex::new(Step::counted(0, 0));
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

fn number<'a>(of: &'a Verified, name: &str, what: &str) -> &'a Number {
    let found = of.numbers.iter().find(|n| n.name == name && n.what == what);
    found.expect("such a number")
}

/// Whether the digits that are said to be right are.
fn is_right(number: &Number, exact: f64) {
    let digits = number.verdict.digits().expect("some digits");
    let error = (number.value - exact).abs();
    assert!(
        error <= 1.01 * 0.1_f64.powi(digits as i32) * number.value.abs()
            && error <= 1.01 * number.error + 1e-14,
        "{} {}: {:e} and {exact:e}, {digits} digits, ± {:e}",
        number.name,
        number.what,
        number.value,
        number.error
    );
}

#[test]
fn the_fastest_fall_of_a_ball_is_right_to_the_digits_said_however_few_samples_there_are() {
    // It falls 0.9 m until it touches, and never so far again.
    let exact = -(2.0 * 9.81_f64 * 0.9).sqrt();
    for step in ["10 ms", "73 ms", "0.4 s"] {
        let of = verified(
            "bouncing-ball.toml",
            &[
                ("simulation.output_step", step),
                ("simulation.channels", "[\"ball.vy\"]"),
            ],
        );
        let least = number(&of, "ball.vy", "least");
        // In contact its weight goes on pulling until the contact bears it: faster by a hair. Rounding may hide that: the stages of Dop853 add up speeds with weights of 96 in all (Hairer, Nørsett and Wanner 1993),
        // which leaves 1e-15 m in the height, as much in the time of the touch, and some 1e-14 m/s in the speed there.
        assert!(
            least.value <= exact * (1.0 - 1e-14) && least.value > 1.00001 * exact,
            "{:e}",
            least.value
        );
        // That hair lies between two instants of the run as asked for, and its error covers it.
        let (best, _) = least.best.expect("tighter runs");
        assert!(best <= exact && least.value - 1.01 * least.error <= best);
        assert!(
            matches!(least.verdict, Verdict::Digits(5..)),
            "{step}: {:?}",
            least.verdict
        );
        // No sample meets the touch.
        let sampled = least.sampled.expect("samples");
        assert!(sampled > exact + 1e-4, "{step}: {sampled}");
    }
}

#[test]
fn the_peaks_of_a_spring_are_right_to_the_digits_said_however_few_samples_there_are() {
    // 1 kg on 100 N/m, let go 0.1 m from rest without weight: ± 0.1 cos(10 t), sampled once to nine times a period.
    let text = "format = 1\n[simulation]\nend = \"3 s\"\ngravity = [0, 0]\nchannels = [\"b.x\", \"b.vx\", \"force.k.force\"]\n\
        [ground]\npoints.wall = [-1, 0]\n[body.b]\nmass = 1\ninertia = 1\nposition = [0.1, 0]\n\
        [force.k]\ntype = \"spring\"\nbetween = [\"ground.wall\", \"b\"]\nstiffness = 100\nlength = 1\n";
    for step in ["0.61 s", "0.23 s", "0.07 s"] {
        for rtol in ["1e-4", "1e-9"] {
            let of = of_text(
                text,
                &[("simulation.output_step", step), ("solver.rtol", rtol)],
            );
            for (name, size) in [("b.x", 0.1), ("b.vx", 1.0), ("force.k.force", 10.0)] {
                is_right(number(&of, name, "least"), -size);
                is_right(number(&of, name, "largest"), size);
            }
            let fast = number(&of, "b.vx", "largest");
            if rtol == "1e-9" {
                assert!(
                    matches!(fast.verdict, Verdict::Digits(6..)),
                    "{:?}",
                    fast.verdict
                );
            }
            assert!(
                fast.sampled.is_some_and(|x| x < 0.9999 * fast.value),
                "{step}"
            );
        }
    }
}

#[test]
fn of_the_tightest_run_no_less_is_believed_than_of_the_run_as_asked_for() {
    for name in [
        "impact-damper.toml",
        "cam-follower.toml",
        "bouncing-ball.toml",
    ] {
        let of = verified(name, &[]);
        for n in &of.numbers {
            let (_, best) = n.best.expect("tighter runs");
            assert!(
                best.digits() >= n.verdict.digits(),
                "{name}: {} {}: {:?} and {best:?}",
                n.name,
                n.what,
                n.verdict
            );
        }
        // An extreme is known as well as the motion, also beside kinks and where contacts cut it off.
        let vague = |n: &&Number| matches!(n.verdict, Verdict::NotAtAll | Verdict::Digits(..2));
        let vague: Vec<&Number> = of.numbers.iter().filter(vague).collect();
        assert!(vague.is_empty(), "{name}: {vague:?}");
        assert!(warning(&of).is_none(), "{name}");
    }
}

#[test]
fn rounding_is_no_motion() {
    // The balls hang straight and do not turn but for rounding; all runs have the same contacts.
    let of = verified("ball-on-table.toml", &[]);
    assert_eq!(of.lost(), None);
    assert!(
        of.contacts.counted && of.contacts.count == 37,
        "{:?}",
        of.contacts.range
    );
    let of = verified(
        "ball-on-table.toml",
        &[("simulation.channels", "[\"ball.angle\", \"ball.vy\"]")],
    );
    for what in ["end", "least", "largest", "over time"] {
        let verdict = number(&of, "ball.angle", what).verdict;
        assert!(
            matches!(verdict, Verdict::Zero(10..)),
            "{what}: {verdict:?}"
        );
    }
    // A rod that hangs down does not move but for errors of the method, at any tolerance.
    for rtol in ["1e-5", "1e-8", "1e-10", "1e-13"] {
        let of = verified(
            "pendulum.toml",
            &[("parameters.release", "0 deg"), ("solver.rtol", rtol)],
        );
        assert_eq!(of.lost(), None, "{rtol}");
        assert!(!of.numbers.iter().any(|n| n.verdict == Verdict::NotAtAll));
        assert!(warning(&of).is_none(), "{rtol}");
    }
    // A rod that stands on its head does not move but for rounding either, though that grows.
    let of = verified(
        "pendulum.toml",
        &[("parameters.release", "180 deg"), ("simulation.end", "3 s")],
    );
    assert_eq!(of.lost(), None);
    let not = of.numbers.iter().filter(|n| n.verdict == Verdict::NotAtAll);
    assert_eq!(not.count(), 0);
    // Small angles from the top grow with sqrt(3 g / (2 L)).
    let exact = (1.5 * 9.81_f64).sqrt();
    assert!(
        matches!(of.horizon.growth, Growth::Exponential(rate) if (rate / exact - 1.0).abs() < 0.2),
        "{:?}",
        of.horizon
    );
}

#[test]
fn one_bounce_is_no_chaos_at_any_tolerance() {
    // A bullet meets a peg of 1 mm: what it is beside the middle is thrown away a thousand times as far, once.
    let text = "format = 1\n[simulation]\nend = \"2 s\"\ngravity = [0, 0]\noutput_step = \"10 ms\"\nchannels = [\"b.y\", \"b.vy\"]\n\
        [ground]\nshapes.peg = { type = \"circle\", radius = \"1 mm\", center = [\"1 m\", 0] }\n\
        [body.b]\nmass = 1\ninertia = 1\nposition = [0, 0]\nvelocity = [1, 0]\nshapes.s = { type = \"circle\", radius = \"1 mm\" }\n\
        [contact.hit]\nbetween = [\"ground.peg\", \"b.s\"]\nlaw = \"flores\"\nstiffness = 1e9\nrestitution = 0.7\n";
    for rtol in ["1e-4", "1e-5", "1e-6", "1e-8"] {
        let of = of_text(text, &[("solver.rtol", rtol)]);
        assert_eq!(of.horizon.growth, Growth::Slow, "{rtol}");
        assert_eq!(of.lost(), None, "{rtol}");
        assert!(of.contacts.counted && of.contacts.count == 1, "{rtol}");
        assert!(!sentences(&of).join(" ").contains("chaotic"), "{rtol}");
    }
}

#[test]
fn what_rests_is_zero_in_every_run() {
    let text = "format = 1\n[simulation]\nend = \"1 s\"\ngravity = [0, 0]\nchannels = [\"b.x\", \"constraints.violation\"]\n[body.b]\nmass = 1\ninertia = 1\nposition = [0, 0]\n";
    let of = of_text(text, &[]);
    assert!(
        of.numbers
            .iter()
            .all(|n| matches!(n.verdict, Verdict::Zero(_)))
    );
    // How far joints are open is no number of the motion.
    assert!(of.numbers.iter().all(|n| n.name != "constraints.violation"));
    let said = sentences(&of).join(" ");
    assert!(said.contains("All numbers are zero"), "{said}");
    assert!(said.contains("can be computed to its end"), "{said}");
}

#[test]
fn a_bolt_that_stands_on_its_stop_is_not_thrown_from_it_and_no_run_costs_more_than_ten() {
    let model = model("door-latch.toml", &[("simulation.end", "0.12 s")]);
    let of = verify_with(&model, Effort::Quick, &|_| ControlFlow::Continue(()));
    let of = of.expect("it is verified");
    println!("{}", sentences(&of).join("\n"));
    let asked = of.runs[0].evaluations.max(12_000);
    for run in &of.runs {
        println!("{run:?}");
        assert!(run.evaluations <= 12 * asked, "{run:?}");
        if run.role == Role::Moved {
            assert_eq!(run.status, Status::Completed, "{run:?}");
        }
    }
    // As asked, two tighter, a second method, one moved.
    assert_eq!(of.runs.len(), 5);
    assert!(of.horizon.factor.is_finite() && of.horizon.until > 0.0);
}

#[test]
fn who_stops_it_hears_what_is_known_by_then() {
    let model = model("pendulum.toml", &[("simulation.end", "1 s")]);
    let of = verify(&model, &|step| match step.done >= 4 {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    let of = of.expect("some runs are done");
    assert!(of.stopped);
    assert!(of.runs.iter().any(|run| run.status == Status::Stopped));
    assert!(!of.numbers.is_empty());
    let said = sentences(&of).join(" ");
    assert!(said.contains("It was stopped when"), "{said}");
}

/// A body at rest that is struck once, while another passes a magnet at 1 m/s: a bell of 50 µs. Where a function of time has a peak is known beforehand; of one of the motion it is not.
const STRUCK: &str = "format = 1\n[simulation]\nend = \"1 s\"\ngravity = [0, 0]\nchannels = [\"b.x\", \"b.vx\"]\n[body.b]\nmass = 1\ninertia = 1\nposition = [0, 0]\n\
    [body.a]\nmass = 1\ninertia = 1\nposition = [0, 1]\nvelocity = [1, 0]\n\
    [force.blow]\ntype = \"point\"\nat = \"b\"\nforce = [\"1 kN * exp(-((a.x - where)/width)^2)\", 0]\n[parameters]\nwidth = \"50 um\"\nwhere = \"0.4317 m\"\n";

#[test]
fn a_pulse_that_every_tolerance_steps_over_is_found_in_short_steps_and_the_zeros_are_not_believed()
{
    // The impulse is the area under the bell, 1 kN · 50 µs · √π.
    let exact = 1e3 * 50e-6 * std::f64::consts::PI.sqrt();
    // At some of these places an evaluation meets the foot of the bell, where the force is 1e-120 or 1e-306 N.
    for place in ["0.4317 m", "0.2217 m", "0.7317 m", "0.8517 m"] {
        let set = ("parameters.where", place);
        let of = of_text(STRUCK, &[set]);
        // All runs but one are blind to it.
        let blind = of.runs.iter().filter(|run| run.role != Role::Short);
        assert!(blind.filter(|run| run.longest > 0.01).count() > 3);
        let end = number(&of, "b.vx", "end");
        assert!(end.value.abs() < 1e-100);
        assert!((end.error - exact).abs() < 1e-3 * exact, "{:e}", end.error);
        assert_eq!(end.verdict, Verdict::NotAtAll);
        for name in ["b.x", "b.vx", "energy.load_work"] {
            assert!(of.still.missed.iter().any(|n| n == name), "{place}: {name}");
        }
        assert!(of.still.channels.is_empty());
        let said = sentences(&of).join(" ");
        assert!(said.contains("has stepped over something short"), "{said}");
        let warning = warning(&of).expect("a warning");
        assert_eq!(warning.code, "stepped-over");
        // With the step of the hint nothing is stepped over, and its numbers are right.
        let step = warning.hint.trim_start_matches("solver.max_step = ");
        let step = step.trim_matches('"');
        let of = of_text(STRUCK, &[set, ("solver.max_step", step)]);
        is_right(number(&of, "b.vx", "end"), exact);
    }
}

/// A projectile at 3 m/s gets 1 kN · 50 µs · √π more, which every tolerance steps over.
const PULSE: &str = "format = 1\n[simulation]\nend = \"2 s\"\noutput_step = \"10 ms\"\nchannels = [\"b.y\", \"b.vx\"]\n\
    [body.b]\nmass = 1\ninertia = 0.1\nposition = [0, 0]\nvelocity = [3, 7]\n\
    [force.p]\ntype = \"point\"\nat = \"b\"\nforce = [\"1 kN * exp(-((t - 1.2345 s)/width)^2)\", 0]\n[parameters]\nwidth = \"50 us\"\n";

#[test]
fn a_pulse_on_a_body_that_moves_already_is_found_in_short_steps_too() {
    let more = 1e3 * 50e-6 * std::f64::consts::PI.sqrt();
    let of = of_text(PULSE, &[]);
    let end = number(&of, "b.vx", "end");
    assert_eq!(end.value, 3.0);
    assert!((end.error - more).abs() < 1e-3 * more, "{:e}", end.error);
    assert_eq!(end.verdict, Verdict::NotAtAll);
    assert!(of.still.missed.iter().any(|name| name == "b.vx"));
    // What the pulse does not reach is believed as before.
    assert!(matches!(
        number(&of, "b.y", "end").verdict,
        Verdict::Digits(9..)
    ));
    let warning = warning(&of).expect("a warning");
    assert_eq!(warning.code, "stepped-over");
    assert!(warning.time.is_some_and(|t| (1.23..1.26).contains(&t)));
    let said = sentences(&of).join(" ");
    assert!(!said.contains("There is no horizon"), "{said}");
    // Where nothing is found it is said how short a pulse would have been missed.
    let of = of_text(PULSE, &[("parameters.width", "1 ns")]);
    assert!(of.still.missed.is_empty() && of.still.pulses);
    let said = sentences(&of).join(" ");
    assert!(said.contains("shorter than 200 µs may not"), "{said}");
}

#[test]
fn of_what_was_stepped_over_no_number_that_it_changes_is_believed() {
    // The struck body moves already, at 0.5 m/s: afterwards it has the area under the bell more.
    let more = 1e3 * 50e-6 * std::f64::consts::PI.sqrt();
    let moving = STRUCK.replace(
        "position = [0, 0]\n",
        "position = [0, 0]\nvelocity = [0.5, 0]\n",
    );
    for (place, width) in [
        ("0.4317 m", "50 um"),
        ("0.2217 m", "50 um"),
        ("0.7317 m", "100 um"),
        ("0.8517 m", "100 um"),
    ] {
        let set = [("parameters.where", place), ("parameters.width", width)];
        let of = of_text(&moving, &set);
        assert!(warning(&of).is_some_and(|w| w.code == "stepped-over"));
        let more = if width == "50 um" { more } else { 2.0 * more };
        for (what, exact) in [("end", 0.5 + more), ("largest", 0.5 + more)] {
            let fast = number(&of, "b.vx", what);
            assert_eq!(fast.verdict, Verdict::NotAtAll, "{place} {what}");
            assert!((fast.value + fast.error - exact).abs() < 1e-3 * more);
        }
        // What it had at the start, and what was not struck, is known as well as before.
        is_right(number(&of, "b.vx", "least"), 0.5);
        let said = sentences(&of).join(" ");
        assert!(!said.contains("hangs on a hair"), "{said}");
        assert!(!said.contains("can be computed to its end"), "{said}");
    }
}

#[test]
fn a_pulse_is_found_where_it_has_to_be_quick_too() {
    let more = 1e3 * 50e-6 * std::f64::consts::PI.sqrt();
    let model = read("here", PULSE.into(), PathBuf::new(), &[]);
    let of = verify_with(&model, Effort::Quick, &|_| ControlFlow::Continue(()));
    let of = of.expect("it is verified");
    let end = number(&of, "b.vx", "end");
    assert_eq!(end.verdict, Verdict::NotAtAll);
    assert!((end.error - more).abs() < 1e-3 * more, "{:e}", end.error);
    assert!(warning(&of).is_some_and(|w| w.code == "stepped-over"));
}

#[test]
fn a_spring_that_acts_over_a_millimetre_is_found_in_short_steps() {
    // At 1 m/s past a bell that takes F w √π = 0.177 J of half a joule: v² = 1 − 2 F w √π.
    let text = "format = 1\n[simulation]\nend = \"10 s\"\ngravity = [0, 0]\noutput_step = \"100 ms\"\nchannels = [\"b.x\", \"b.vx\"]\n\
        [body.b]\nmass = 1\ninertia = 0.1\nposition = [0, 0]\nvelocity = [1, 0]\n[ground]\npoints.O = [-1, 0]\n\
        [force.push]\ntype = \"spring\"\nbetween = [\"ground.O\", \"b\"]\nforce = \"100*exp(-((length-4.1234)/1e-3)^2)\"\n";
    let of = of_text(text, &[]);
    let taken = 100.0 * 1e-3 * std::f64::consts::PI.sqrt();
    let lost = 1.0 - (1.0 - 2.0 * taken).sqrt();
    let end = number(&of, "b.vx", "end");
    assert_eq!(end.value, 1.0);
    assert!((end.error - lost).abs() < 1e-6, "{:e} {lost}", end.error);
    // What it stores is missing from the accounts of every run, as the energies of the run in short steps say.
    for name in ["b.vx", "b.x", "energy.kinetic", "energy.elastic"] {
        assert_eq!(
            number(&of, name, "end").verdict,
            Verdict::NotAtAll,
            "{name}"
        );
    }
    let stored = number(&of, "energy.elastic", "end");
    assert!((stored.error - taken).abs() < 1e-6, "{:e}", stored.error);
    assert!(warning(&of).is_some_and(|w| w.code == "stepped-over"));
}

/// A slide that a driver moves to and fro, with a bell of 10 mm and 0.7 ms at `at` (s): between samples, where a run sees it or passes it.
fn rung(base: &str, high: &str, at: &str) -> String {
    format!(
        "format = 1\n[simulation]\nend = \"10 s\"\ngravity = [0, 0]\noutput_step = \"10 ms\"\nchannels = [\"s.x\", \"s.vx\"]\n[body.s]\nmass = 1\ninertia = 1\nposition = [0, 0]\n\
         [joint.g]\ntype = \"translational\"\nbetween = [\"ground\", \"s\"]\n[driver.d]\njoint = \"g\"\nposition = \"{base} + {high} * exp(-((t - {at})/0.7 ms)^2)\"\n"
    )
}

#[test]
fn of_a_bell_of_a_driver_that_steps_pass_over_the_cause_is_named() {
    // Its steepest place: √(2/e) of the height over the width.
    let steep = |high: f64| high * (2.0 / std::f64::consts::E).sqrt() / 0.7e-3;
    let sine = "100 mm * sin(2*pi*t/1 s)";
    for (base, high, at, rtol) in [
        // The run as asked for passes it, and the tighter ones do not.
        (sine, "10 mm", "4.4317 s", "1e-8"),
        (sine, "10 mm", "3.2517 s", "1e-6"),
        // The second method alone passes it.
        (sine, "10 mm", "3.2517 s", "1e-8"),
        // All of them see no more than its foot.
        ("0.1 m/s * t", "1 mm", "5.2317 s", "1e-8"),
    ] {
        let text = rung(base, high, at);
        let set = ("solver.rtol", rtol);
        let of = of_text(&text, &[set]);
        let fast = number(&of, "s.vx", "largest");
        assert_eq!(fast.verdict, Verdict::NotAtAll, "{at} {rtol}");
        let told = of.still.missed.iter().chain(&of.still.passed);
        assert!(
            told.into_iter().any(|name| name == "s.vx"),
            "{:?}",
            of.still
        );
        // At the samples, which the bell does not reach, all is known.
        is_right(
            number(&of, "s.vx", "end"),
            if base == sine {
                0.2 * std::f64::consts::PI
            } else {
                0.1
            },
        );
        let warning = warning(&of).expect("a warning");
        assert_eq!(warning.code, "stepped-over", "{at} {rtol}");
        let step = warning.hint.trim_start_matches("solver.max_step = ");
        let of = of_text(&text, &[set, ("solver.max_step", step.trim_matches('"'))]);
        let fast = number(&of, "s.vx", "largest");
        assert!(matches!(fast.verdict, Verdict::Digits(2..)), "{fast:?}");
        let most = steep(if high == "1 mm" { 1e-3 } else { 1e-2 });
        assert!((fast.value / most - 1.0).abs() < 0.1, "{fast:?} {most}");
    }
}

#[test]
fn extremes_that_are_rounding_are_told_as_zero() {
    // A slide that is driven by 10 mm pulls at a body a metre away: between the bells it is where it was but for rounding.
    let text = rung("0 mm", "10 mm", "0.4317 s")
        + "[body.m]\nmass = 1\ninertia = 1\nposition = [1, 0]\n[force.k]\ntype = \"spring\"\nbetween = [\"s\", \"m\"]\nstiffness = 100\nlength = 1\n";
    let of = of_text(&text, &[("simulation.end", "1 s")]);
    for what in ["end", "least"] {
        let dust = number(&of, "s.x", what);
        assert!(dust.value.abs() < 1e-14, "{dust:?}");
        assert!(matches!(dust.verdict, Verdict::Zero(_)), "{dust:?}");
        assert_eq!(
            (dust.told(), dust.believed().as_str()),
            (0.0, "zero to rounding")
        );
    }
    let largest = number(&of, "s.x", "largest");
    assert_eq!(largest.told(), largest.value);
    assert!(
        matches!(largest.verdict, Verdict::Digits(9..)),
        "{largest:?}"
    );
}

#[test]
fn no_energy_of_motion_is_less_than_nothing() {
    // Between its few steps in a contact a polynomial goes below zero, which the motion does not.
    let of = verify_with(&model("bouncing-ball.toml", &[]), Effort::Quick, &|_| {
        ControlFlow::Continue(())
    });
    let of = of.expect("it is verified");
    let least = number(&of, "energy.kinetic", "least");
    assert_eq!(least.value, 0.0);
    assert!(least.error > 0.0 && least.shown() == 2, "{least:?}");
}

#[test]
fn samples_of_time_stepping_are_compared_whatever_the_step() {
    // The step of half a millisecond does not divide the time between instants that are compared; 3 ms do not divide the output step, and 15 ms are longer.
    for step in ["0.5 ms", "3 ms", "15 ms"] {
        let set = [
            ("group.discs.count", "40"),
            ("simulation.end", "0.1 s"),
            ("method.step", step),
        ];
        let of = verified("hopper.toml", &set);
        let over = of.numbers.iter().filter(|n| n.what == "over time");
        let mut count = 0;
        for number in over {
            assert!(number.error.is_finite(), "{step}: {number:?}");
            count += 1;
        }
        assert!(count > 4);
        // The discs fall freely: ½ g t² = 49.05 mm from where they were.
        let high = number(&of, "group.discs.centre_y", "over time").value;
        let low = number(&of, "group.discs.centre_y", "end").value;
        assert!((high - low - 0.049_05).abs() < 1e-9, "{step}");
    }
}

/// A ball without compliance that falls from h m above its floor with g = 10 m/s², given back e of its speed each time: height (m) and velocity (m/s) at `end` (s).
fn bounced(h: f64, e: f64, end: f64) -> [f64; 2] {
    let g = 10.0;
    let (mut v, mut next, mut last) = ((2.0 * g * h).sqrt(), (2.0 * h / g).sqrt(), 0.0);
    while next <= end {
        v *= e;
        last = next;
        next += 2.0 * v / g;
    }
    let s = end - last;
    [v * s - 0.5 * g * s * s, v - g * s]
}

fn dropped(method: &str, h: f64, e: f64, end: f64) -> String {
    format!(
        "format = 1\n[simulation]\nend = {end}\ngravity = [0, -10]\noutput_step = \"10 ms\"\nchannels = [\"ball.y\", \"ball.vy\"]\n\
         [ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.ball]\nmass = 1\ninertia = 0.1\nposition = [0, {}]\nshapes.skin = {{ type = \"circle\", radius = 0.1 }}\n\
         [contact.floor]\nbetween = [\"ground.floor\", \"ball.skin\"]\nrestitution = {e}\nstiffness = 1e8\n[method]\ncontact = \"{method}\"\n",
        h + 0.1
    )
}

#[test]
fn steps_of_time_are_as_far_off_as_is_said_and_so_is_the_shortest() {
    for h in [4.13, 3.377, 2.71, 6.02] {
        for (e, end) in [(0.8, 2.2), (0.8, 3.07), (0.93, 2.2), (0.93, 3.07)] {
            let of = of_text(&dropped("time-stepping", h, e, end), &[]);
            let [y, vy] = bounced(h, e, end);
            for (name, exact) in [("ball.y", 0.1 + y), ("ball.vy", vy)] {
                let number = number(&of, name, "end");
                let off = (number.value - exact).abs();
                assert!(
                    off <= number.error,
                    "{h} {e} {end} {name}: {off:e} {number:?}"
                );
                let (best, verdict) = number.best.expect("shorter steps");
                if let Verdict::Digits(digits) = verdict {
                    let part = (best - exact).abs() / exact.abs();
                    let most = 10_f64.powi(-(digits as i32));
                    assert!(part <= most, "{h} {e} {end} {name}: {part:e} {number:?}");
                }
            }
        }
    }
}

#[test]
fn a_jump_that_falls_on_a_sample_is_not_stepped_over() {
    // From 5 m with all its speed given back: it is on the floor at 1, 3, 5 … s, where samples are.
    let of = of_text(&dropped("piecewise", 5.0, 1.0, 20.5), &[]);
    assert!(of.still.missed.is_empty(), "{:?}", of.still);
    let over = number(&of, "ball.vy", "over time");
    assert!(matches!(over.verdict, Verdict::Digits(9..)), "{over:?}");
    assert!(of.contacts.counted && of.contacts.count == 10);
}

#[test]
fn a_method_that_is_off_is_no_motion_that_parts() {
    // An oscillator of 5 rad/s in steps of 0.4 rad: rk4 is late by a per mille before the end, and would be as late in any other motion.
    let text = "format = 1\n[simulation]\nend = 10\ngravity = [0, 0]\nchannels = [\"m.x\"]\n[body.m]\nmass = 1\ninertia = 1\nposition = [1.5, 0]\n\
        [force.s]\ntype = \"spring\"\nbetween = [\"ground\", \"m\"]\nstiffness = 25\nlength = 1\n[solver]\nintegrator = \"rk4\"\nstep = \"80 ms\"\n";
    let of = of_text(text, &[]);
    assert!(
        of.horizon.parted.is_some() && of.lost().is_none(),
        "{:?}",
        of.horizon
    );
    let said = sentences(&of).join(" ");
    assert!(said.contains("That is the error of the method"), "{said}");
    assert!(!said.contains("many possible motions"), "{said}");
    let end = number(&of, "m.x", "end");
    let exact = 1.0 + 0.5 * 50_f64.cos();
    // The error is the distance to the second method, which is right to 1e-10 itself.
    assert!(
        ((end.value - exact).abs() - end.error).abs() < 1e-8,
        "{end:?}"
    );
    assert!(matches!(end.verdict, Verdict::Digits(1..)), "{end:?}");
}

#[test]
fn what_the_run_warns_of_is_told() {
    // Steps that are far too long for a fall from a metre.
    let of = of_text(
        &dropped("time-stepping", 1.0, 0.5, 1.0),
        &[("method.step", "0.2 s")],
    );
    let codes: Vec<&str> = of.warnings.iter().map(|w| w.code).collect();
    assert!(codes.contains(&"step-too-long"), "{codes:?}");
}

#[test]
fn a_gap_is_never_larger_than_half_the_room_between_the_walls() {
    // The ball has 10 mm between two walls: the nearer is 5 mm away at most, where the gap has a kink.
    let of = verified(
        "impact-damper.toml",
        &[("simulation.channels", "[\"contact.walls.gap\"]")],
    );
    for what in ["largest", "over time"] {
        let gap = number(&of, "contact.walls.gap", what);
        assert!(gap.value <= 5.000_001e-3, "{what}: {:e}", gap.value);
    }
    let largest = number(&of, "contact.walls.gap", "largest");
    assert!(largest.value + largest.error >= 4.999e-3, "{largest:?}");
}

#[test]
fn of_one_start_that_was_moved_no_horizon_is_claimed_unless_it_is_clear() {
    // The usual effort finds no chaos here; one start alone looked like it.
    let quick = |name: &str, set: &[(&str, &str)]| {
        let of = verify_with(&model(name, set), Effort::Quick, &|_| {
            ControlFlow::Continue(())
        });
        let of = of.expect("it is verified");
        println!("{}\n{:?}", sentences(&of).join("\n"), of.horizon);
        of
    };
    for name in ["impact-damper.toml", "slider-crank-clearance.toml"] {
        let of = quick(name, &[]);
        assert_eq!(of.horizon.growth, Growth::Unknown, "{name}");
        assert_eq!(of.lost(), None, "{name}");
        let said = sentences(&of).join(" ");
        assert!(said.contains("The horizon is not known"), "{said}");
        assert!(!said.contains("There is no horizon"), "{said}");
    }
    // Here the other runs part as well.
    let of = quick("slider-crank-clearance.toml", &[("joint.pin.law", "hertz")]);
    assert!(of.lost().is_some());
    // And here the hair stays one.
    let of = quick("pendulum.toml", &[]);
    assert_eq!(of.horizon.growth, Growth::Slow);
}

#[test]
fn where_a_hair_parts_motions_at_once_its_growth_is_not_known() {
    // One of the moved starts lifts the follower off the cam.
    let of = verified("cam-follower.toml", &[]);
    assert_eq!(of.horizon.growth, Growth::Unknown);
    let said = sentences(&of).join(" ");
    assert!(said.contains("The horizon is not known"), "{said}");
    assert!(!said.contains("that number is to be believed"), "{said}");
}

#[test]
fn where_it_is_not_known_what_a_hair_does_a_number_of_contacts_is_not_claimed() {
    let of = verify_with(&model("cam-follower.toml", &[]), Effort::Quick, &|_| {
        ControlFlow::Continue(())
    });
    let of = of.expect("it is verified");
    assert_eq!(of.horizon.growth, Growth::Unknown);
    assert!(of.contacts.agreed && !of.contacts.counted);
    let said = sentences(&of).join(" ");
    assert!(!said.contains("There is no horizon"), "{said}");
    assert!(
        said.contains("Whether a hair changes that number is not known"),
        "{said}"
    );
    assert!(warning(&of).is_none());
}

#[test]
fn bounces_without_end_are_not_counted() {
    // Without compliance a ball that keeps 0.8 of its speed bounces for ever, in a finite time; the last bounces that are told are where the program stops to follow them.
    let text = "format = 1\n[simulation]\nend = \"6 s\"\nchannels = [\"ball.y\"]\n[ground]\nshapes.floor = { type = \"half-plane\" }\n\
        [body.ball]\nmass = 1\ninertia = 0.1\nposition = [0, 1.1]\nshapes.skin = { type = \"circle\", radius = \"0.1 m\" }\n\
        [contact.floor]\nbetween = [\"ground.floor\", \"ball.skin\"]\nlaw = \"flores\"\nstiffness = 1.4e8\nrestitution = 0.8\n[method]\ncontact = \"piecewise\"\n";
    let of = of_text(text, &[]);
    assert_eq!(of.contacts.endless, ["contact.floor"]);
    assert!(of.contacts.agreed && !of.contacts.counted);
    let said = sentences(&of).join(" ");
    assert!(said.contains("where they are cut off"), "{said}");
    // After three of them nothing is cut off yet.
    let of = of_text(text, &[("simulation.end", "2 s")]);
    assert!(of.contacts.counted && of.contacts.endless.is_empty());
}

#[test]
fn of_what_is_zero_in_every_run_is_said_how_short_a_pulse_would_have_been_missed() {
    // A bell of 1 nm is too short for every run.
    let of = of_text(STRUCK, &[("parameters.width", "1 nm")]);
    assert_eq!(of.still.channels, ["b.x", "b.vx"]);
    let short = of.runs.iter().find(|run| run.role == Role::Short);
    let longest = short.expect("a run in short steps").longest;
    assert!(
        longest <= 1.001e-4 && of.still.pulse == longest,
        "{longest:e}"
    );
    let mut of_b = of.numbers.iter().filter(|n| n.name.starts_with("b."));
    assert!(of_b.all(|n| n.still && n.believed() == "zero in every run"));
    let said = sentences(&of).join(" ");
    assert!(
        said.contains(
            "Zero in every run: b.x, b.vx. A pulse shorter than 100 µs would not have been seen."
        ),
        "{said}"
    );
    assert!(!said.contains("that is to be believed"), "{said}");
    // Where it has to be quick the same is promised.
    let model = read(
        "here",
        STRUCK.into(),
        PathBuf::new(),
        &[("parameters.width", "1 nm")],
    );
    let quick = verify_with(&model, Effort::Quick, &|_| ControlFlow::Continue(()));
    let quick = quick.expect("it is verified");
    assert_eq!(quick.still.pulse, longest);
    // What moves needs no such run.
    let of = verified(
        "pendulum.toml",
        &[("simulation.channels", "[\"rod.angle\"]")],
    );
    assert!(of.still.channels.is_empty());
    assert!(of.runs.iter().all(|run| run.role != Role::Short));
}

#[test]
fn where_no_other_run_comes_to_its_end_nothing_is_believed_and_it_is_said_how_far_they_came() {
    let set = [("simulation.channels", "[\"rod.angle\"]")];
    // The run as asked for takes less, and everything tighter takes more.
    let of = verified("pendulum.toml", &[set[0], ("solver.max_steps", "300")]);
    let reach = of.reach.expect("it is cut short");
    assert!((0.5..10.0).contains(&reach.until), "{reach:?}");
    assert!(reach.apart < 1e-4, "{reach:?}");
    for number in &of.numbers {
        assert_eq!(
            number.verdict,
            Verdict::NotAtAll,
            "{} {}",
            number.name,
            number.what
        );
    }
    let said = sentences(&of).join(" ");
    assert!(said.contains("the comparison reaches only to"), "{said}");
    assert!(!said.contains("can be computed to its end"), "{said}");
    // The moved ones came to theirs; nobody else did.
    assert!(
        said.contains("No other run from the same start came to its end"),
        "{said}"
    );
    assert!(!said.contains("rests on the others"), "{said}");
    // Accounts in which nothing ever stood are no numbers to be doubted.
    let empty = ["elastic", "driver_work", "load_work", "dissipated"];
    for name in empty.map(|account| format!("energy.{account}")) {
        assert!(of.numbers.iter().all(|n| n.name != name), "{name}");
    }
    assert!(warning(&of).is_some_and(|w| w.message.contains("reaches only to")));
}

#[test]
fn of_contacts_that_do_not_yield_no_force_is_told() {
    for method in ["piecewise", "time-stepping"] {
        let of = of_text(&dropped(method, 1.0, 0.5, 0.7), &[]);
        let contact = of.contacts.list.first().expect("a contact");
        assert!(contact.settled, "{method}");
        for name in ["peak_force", "max_indentation"] {
            assert!(contact.numbers.iter().all(|n| n.0 != name), "{method}");
        }
        assert!(contact.numbers.iter().all(|n| n.2.is_finite()), "{method}");
    }
    #[cfg(feature = "files")]
    {
        let of = of_text(&dropped("piecewise", 1.0, 0.5, 0.7), &[]);
        let value = carom::study::verify::json(&of);
        let contact = &value["contacts"]["list"][0];
        assert!(contact["peak_force"].is_null(), "{contact}");
        assert!(contact["start"]["digits"].is_u64(), "{contact}");
    }
}

#[test]
fn a_method_that_is_less_exact_in_short_steps_does_not_say_that_something_was_stepped_over() {
    // Their blows come without a pulse that anybody could step over.
    for (name, rtol, end) in [
        ("carom-shot.toml", "1e-9", None),
        ("hammer-drill.toml", "1e-9", Some("30 ms")),
    ] {
        let mut set = vec![("solver.rtol", rtol)];
        set.extend(end.map(|end| ("simulation.end", end)));
        let of = verify_with(&model(name, &set), Effort::Quick, &|_| {
            ControlFlow::Continue(())
        });
        let of = of.expect("it is verified");
        let short = of.runs.iter().find(|run| run.role == Role::Short);
        let short = short.expect("a run in short steps");
        assert_eq!(short.status, Status::Completed, "{name}: {short:?}");
        // It is no looser than any that it judges.
        let tightest = of.runs.iter().filter(|run| run.role == Role::Tighter);
        assert!(tightest.clone().all(|run| run.rtol >= short.rtol), "{name}");
        assert!(of.still.missed.is_empty(), "{name}: {:?}", of.still);
        assert!(of.still.passed.is_empty(), "{name}: {:?}", of.still);
        assert!(warning(&of).is_none_or(|w| w.code != "stepped-over"));
    }
}

#[test]
fn speeds_beside_an_impact_are_known_no_better_than_to_a_step_of_time() {
    // The first impact falls into the first eighth of a step, where all halved steps begin at the same instant.
    let text = dropped("time-stepping", 0.9, 0.9, 2.9)
        .replace("gravity = [0, -10]", "gravity = [0, -9.81]")
        .replace("\"ball.vy\"]", "\"ball.vy\", \"energy.kinetic\"]")
        .replace("output_step = \"10 ms\"\n", "");
    let of = of_text(&text, &[("method.step", "1 ms")]);
    let speed = (2.0 * 9.81_f64 * 0.9).sqrt();
    for (name, what, exact) in [
        ("ball.vy", "least", -speed),
        ("ball.vy", "largest", 0.9 * speed),
        ("energy.kinetic", "largest", 9.81 * 0.9),
    ] {
        let number = number(&of, name, what);
        is_right(number, exact);
        // That is where all runs agree and are wrong all the same.
        assert!((number.value / exact - 1.0).abs() > 1e-5, "{number:?}");
        assert!(matches!(number.verdict, Verdict::Digits(2..)), "{number:?}");
    }
    let first = of.contacts.list.first().expect("a contact");
    for (name, exact) in [
        ("approach_speed", speed),
        ("separation_speed", 0.9 * speed),
        ("impulse", 1.9 * speed),
    ] {
        let found = first.numbers.iter().find(|n| n.0 == name);
        let (.., value, error, verdict) = *found.expect("such a number");
        assert!(
            (value - exact).abs() <= error,
            "{name}: {value:e} {error:e}"
        );
        assert!(error < 0.02 * exact, "{name}: {error:e}");
        let digits = verdict.digits().expect("some digits");
        assert!((1..5).contains(&digits), "{name}: {digits}");
    }
}

#[test]
fn beyond_the_horizon_nothing_is_believed_because_runs_happen_to_meet() {
    // From beside its top it falls and comes back to the top, later in one run and sooner in another; at 20 s all are near it.
    let of = verified(
        "pendulum.toml",
        &[
            ("parameters.release", "179.999999999 deg"),
            ("simulation.end", "20 s"),
        ],
    );
    let lost = of.lost().expect("a horizon");
    assert!((2.0..8.0).contains(&lost), "{lost}");
    for name in [
        "rod.angle",
        "rod.omega",
        "energy.kinetic",
        "energy.gravitational",
    ] {
        let end = number(&of, name, "end");
        assert_eq!(end.verdict, Verdict::NotAtAll, "{end:?}");
    }
    // What lies before it is known: where it starts from, and that it did not move.
    is_right(number(&of, "energy.gravitational", "largest"), 9.81);
    assert!(matches!(
        number(&of, "energy.kinetic", "least").verdict,
        Verdict::Zero(9..)
    ));
}

#[test]
fn what_all_runs_compute_from_the_same_rounded_time_is_known_no_better_than_that_time() {
    let w = 314.159265_f64;
    let text = format!(
        "format = 1\n[simulation]\nend = 1\ngravity = [0, 0]\noutput_step = 1e-3\nchannels = [\"b.ax\"]\n[solver]\nrtol = 1e-8\n\
         [body.b]\nmass = 2\ninertia = 1\nposition = [0, 0]\n[joint.g]\ntype = \"translational\"\nbetween = [\"ground\", \"b\"]\n\
         [force.f]\ntype = \"point\"\nat = \"b\"\nforce = [\"2*{w}^2*sin({w}*t)\", 0]\n"
    );
    let of = of_text(&text, &[]);
    // w is 100 π but for 3.6e-7: sin w = −sin(100 π − w) is a difference of which w, rounded, leaves 8 digits.
    let left = 100.0 * std::f64::consts::PI - w;
    let end = number(&of, "b.ax", "end");
    assert!((end.value / (w * w * -left.sin()) - 1.0).abs() < 1e-6);
    assert!(matches!(end.verdict, Verdict::Digits(5..=8)), "{end:?}");
    // At its peak nothing hangs on the time.
    let largest = number(&of, "b.ax", "largest");
    is_right(largest, w * w);
}

#[test]
fn an_extreme_that_is_nothing_is_not_announced() {
    // A spring that swings through its natural length between samples: there it stores nothing.
    let text = "format = 1\n[simulation]\nend = \"3 s\"\ngravity = [0, 0]\nchannels = [\"m.x\", \"energy.elastic\"]\n[body.m]\nmass = 1\ninertia = 1\nposition = [1.5, 0]\n\
        [ground]\npoints.a = [-10, 0]\n[force.s]\ntype = \"spring\"\nbetween = [\"ground.a\", \"m\"]\nstiffness = 100\nlength = 10\ndamping = 0.4\n";
    let of = of_text(text, &[]);
    let least = number(&of, "energy.elastic", "least");
    assert!(matches!(least.verdict, Verdict::Zero(_)), "{least:?}");
    assert!(least.sampled.is_some_and(|x| x > 2.0 * least.value.abs()));
    let said = sentences(&of).join(" ");
    assert!(!said.contains("energy.elastic (least)"), "{said}");
}

#[test]
fn what_the_energies_lack_is_measured_by_the_largest_that_they_ever_were() {
    // A driver takes a body one metre on, from rest to rest: at the end no account holds anything but rounding.
    let text = "format = 1\n[simulation]\nend = 1\ngravity = [0, 0]\noutput_step = 1e-2\nchannels = [\"b.x\"]\n\
         [body.b]\nmass = 2\ninertia = 1\nposition = [0, 0]\n[joint.g]\ntype = \"translational\"\nbetween = [\"ground\", \"b\"]\n\
         [driver.d]\njoint = \"g\"\nposition = \"(1 - cos(pi*t))/2\"\n";
    let of = of_text(text, &[]);
    let end = number(&of, "energy.kinetic", "end");
    assert!(end.value.abs() < 1e-12, "{end:?}");
    assert!(of.residual < 1e-9, "{:e}", of.residual);
}

/// A kilogramme that is free, pushed by 100 N and by as much again to and fro at a frequency that keeps step with a step and all its halvings: after t s it has 100 t m/s, and every one of these runs says 200 t.
fn in_step(solver: &str, hertz: &str, end: &str) -> String {
    format!(
        "format = 1\n[simulation]\nend = \"{end}\"\ngravity = [0, 0]\noutput_step = \"1 ms\"\nchannels = [\"ball.x\", \"ball.vx\"]\n{solver}\n\
         [body.ball]\nmass = 1\ninertia = 1\n[force.f]\ntype = \"point\"\nat = \"ball\"\nforce = [\"100*(1 + cos(2*pi*{hertz}*t))\", 0]\n"
    )
}

#[test]
fn a_force_that_keeps_step_with_every_halving_is_found_by_an_odd_step_and_by_a_second_method_that_was_cut_off()
 {
    for (solver, hertz, second) in [
        (
            "[solver]\nintegrator = \"rk4\"\nstep = \"1 ms\"",
            "16000",
            true,
        ),
        (
            "[solver]\nintegrator = \"verlet\"\nstep = \"1 ms\"",
            "8000",
            true,
        ),
        (
            "[method]\ncontact = \"time-stepping\"\nstep = \"1 ms\"",
            "16000",
            false,
        ),
    ] {
        let of = of_text(&in_step(solver, hertz, "4 s"), &[]);
        let end = number(&of, "ball.vx", "end");
        assert!((end.value - 800.0).abs() < 1.0, "{end:?}");
        // Of what is twice as large as it should be nothing is believed, nor of what follows from it.
        for number in of.numbers.iter().filter(|n| n.value.abs() > 1.0) {
            assert_eq!(number.verdict, Verdict::NotAtAll, "{number:?}");
            let best = number.best.map(|best| best.1);
            assert_eq!(best, Some(Verdict::NotAtAll), "{number:?}");
        }
        let odd = of.independent.iter().find(|one| one.role == Role::Odd);
        let odd = odd.expect("a run in an odd step");
        assert!(
            odd.ended && odd.parted.contains(&"ball.vx".into()),
            "{odd:?}"
        );
        let other = of.independent.iter().find(|one| one.role == Role::Second);
        assert_eq!(other.is_some(), second);
        if let Some(other) = other {
            assert!(!other.ended && other.until < 1.0, "{other:?}");
            let names = ["ball.x", "ball.vx", "energy.kinetic", "energy.load_work"];
            assert_eq!(other.parted, names, "{other:?}");
        }
        let said = sentences(&of);
        assert!(
            said[0].contains("an independent check disagrees"),
            "{said:?}"
        );
        assert!(warning(&of).is_some_and(|w| w.code == "check-disagrees"));
    }
}

#[test]
fn what_a_cut_off_second_method_bears_out_is_believed_no_further_than_that_stretch_shows() {
    // A push that rings by less than a thousandth, faster than any step, and so often that the second method is cut off.
    let solver = "[solver]\nintegrator = \"rk4\"\nstep = \"1 ms\"";
    let text = in_step(solver, "16618.03", "4 s").replace("cos(", "0.0003*cos(");
    let of = of_text(&text, &[]);
    let other = of.independent.iter().find(|one| one.role == Role::Second);
    let other = other.expect("a second method");
    assert!(!other.ended && other.parted.is_empty(), "{other:?}");
    assert!(other.apart > 1e-8, "{other:?}");
    let said = sentences(&of);
    assert!(said[0].contains("did not finish"), "{said:?}");
    let limit = |s: &String| s.contains("more digits than that stretch");
    assert!(said.iter().any(limit), "{said:?}");
    let end = number(&of, "ball.vx", "end");
    let digits = end.verdict.digits().expect("it is believed");
    // What rings adds less than a micrometre a second.
    assert!((end.value - 400.0).abs() <= end.error + 1e-6, "{end:?}");
    assert!(
        f64::from(digits) <= 1.0 - other.apart.log10(),
        "{digits} {other:?}"
    );
}

#[test]
fn where_independent_checks_agree_it_is_said_in_one_line_how_many_digits_to_trust() {
    let of = of_model(&at(&model("pendulum.toml", &[]), 1e-13));
    let first = sentences(&of).remove(0);
    assert!(
        first.starts_with("Trust 12 digits to the end (10 s)")
            || first.starts_with("Trust 13 digits"),
        "{first}"
    );
    assert!(of.independent.is_empty(), "{:?}", of.independent);
    let set = [("solver.integrator", "rk4"), ("solver.step", "1 ms")];
    let of = verified("pendulum.toml", &set);
    assert!(
        of.independent.iter().all(|one| one.parted.is_empty()),
        "{:?}",
        of.independent
    );
    let odd = of.runs.iter().find(|run| run.role == Role::Odd);
    assert!(odd.is_some_and(|run| run.status == Status::Completed));
}

#[test]
fn until_the_first_run_is_done_who_listens_hears_where_it_is() {
    // A push that turns round with every step: it never comes to its end.
    let text = "format = 1\n[simulation]\nend = 10\ngravity = [0, 0]\n[body.ball]\nmass = 1\ninertia = 1\nposition = [1, 0]\n\
        [force.f]\ntype = \"point\"\nat = \"ball\"\nforce = [\"-sign(ball.vx)*0.3 - ball.x\", 0]\n";
    let model = read("here", text.into(), PathBuf::new(), &[]);
    let last = std::sync::Mutex::new(None);
    let heard = std::sync::atomic::AtomicUsize::new(0);
    let stopped = verify(&model, &|step| {
        assert_eq!(step.done, 0);
        *last.lock().expect("nobody fails") = step.underway;
        match heard.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 200 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    assert!(matches!(stopped, Err(Refused::Stopped)));
    let first = last
        .lock()
        .expect("nobody fails")
        .expect("it was on its way");
    assert!(first.creeps.is_some_and(|step| step < 1e-6), "{first:?}");
    assert!(
        first.t > 0.0 && first.t < first.end && first.end == 10.0,
        "{first:?}"
    );
}
