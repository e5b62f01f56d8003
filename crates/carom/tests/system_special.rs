//! What do analyses say where a mechanism stands in a special position, or friction, stops and loose ends have a say?

mod built;

use std::path::PathBuf;

use carom::model::file::{Source, read};
use carom::system::{Outcome, Stability, Status};

use built::Samples;

#[track_caller]
fn run(text: &str, overrides: &[(&str, &str)]) -> (Outcome, Samples) {
    let source = Source {
        name: "a.toml".into(),
        text: text.into(),
        folder: PathBuf::new(),
    };
    let overrides: Vec<(String, String)> = overrides
        .iter()
        .map(|(path, value)| ((*path).into(), (*value).into()))
        .collect();
    let parsed = match read(&source, &overrides) {
        Ok(parsed) => parsed,
        Err(faults) => panic!("{}", faults[0]),
    };
    let (outcome, samples, _) = built::run_system(&parsed.model);
    (outcome, samples)
}

fn warned(outcome: &Outcome, code: &str) -> bool {
    outcome.warnings.iter().any(|w| w.code == code)
}

#[track_caller]
fn near(found: f64, known: f64, tolerance: f64) {
    assert!((found - known).abs() <= tolerance, "{found}, known {known}");
}

/// A rod of 1 m with its ends in two slots, whose middle a link keeps on the circle on which it is anyway.
const TRAMMEL: &str = r#"
format = 1
[simulation]
end = 0.3
output_step = 0.1
channels = ["r.angle", "joint.A.force_y", "joint.B.force_x", "joint.L.force_x"]
[body.r]
mass = 1
inertia = "1 kg m^2/12"
position = [0.5, 0]
angular_velocity = -2
velocity = [0, 1]
points = { A = [0.5, 0], B = [-0.5, 0] }
[joint.A]
type = "pin-slot"
between = ["ground", "r.A"]
direction = 0
[joint.B]
type = "pin-slot"
between = ["ground", "r.B"]
direction = "90 deg"
[joint.L]
type = "link"
between = ["ground", "r"]
length = 0.5
"#;

#[test]
fn a_joint_that_shares_anywhere_but_at_the_start_shows_no_reaction() {
    // Along the slot the link and the slot across it say the same, and A has no part in it: there, and nowhere else.
    let (outcome, samples) = run(TRAMMEL, &[]);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (t, values) in &samples {
        assert!(values[0].is_finite());
        assert!(values[1..].iter().all(|x| x.is_nan()), "{t}: {values:?}");
    }
    let warning = outcome
        .warnings
        .iter()
        .find(|w| w.code == "redundant-constraint");
    let warning = warning.expect("there is one");
    assert!(warning.message.contains("joint.A, joint.B"), "{warning:?}");
}

/// A parallelogram: two cranks of 1 m that stand up, and a coupler of 1 m on top.
const PARALLELOGRAM: &str = r#"
format = 1
[simulation]
end = "1 s"
gravity = [0, 0]
output_step = "1 ms"
channels = ["a.angle", "joint.O.force_x", "joint.A.force_x", "joint.D.force_x"]
[ground]
points = { D = [1, 0] }
[body.a]
mass = 1
inertia = 0.1
position = [0, 0.5]
angle = "90 deg"
angular_velocity = -3
velocity = [1.5, 0]
points = { O = [-0.5, 0], A = [0.5, 0] }
[body.c]
mass = 1
inertia = 0.1
position = [0.5, 1]
velocity = [3, 0]
points = { A = [-0.5, 0], B = [0.5, 0] }
[body.b]
mass = 1
inertia = 0.1
position = [1, 0.5]
angle = "90 deg"
angular_velocity = -3
velocity = [1.5, 0]
points = { O = [-0.5, 0], A = [0.5, 0] }
[joint.O]
type = "revolute"
between = ["ground", "a.O"]
[joint.A]
type = "revolute"
between = ["a.A", "c.A"]
[joint.B]
type = "revolute"
between = ["b.A", "c.B"]
[joint.D]
type = "revolute"
between = ["ground.D", "b.O"]
"#;

#[test]
fn a_parallelogram_that_comes_to_rest_flat_shows_no_reactions() {
    // It is pulled along the ground: it lies down, and how much each crank pulls is not determined.
    let pulled = [
        ("simulation.analysis", "\"static\""),
        ("simulation.gravity", "[9.81, 0]"),
    ];
    let (outcome, samples) = run(PARALLELOGRAM, &pulled);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let values = &samples[0].1;
    near(values[0], 0.0, 1e-9);
    assert!(values[1..].iter().all(|x| x.is_nan()), "{values:?}");
    assert!(warned(&outcome, "singular-position"));
    // The same for the modes about that position.
    let (outcome, samples) = run(
        PARALLELOGRAM,
        &[
            ("simulation.analysis", "\"modes\""),
            ("simulation.gravity", "[9.81, 0]"),
            ("body.a.angle", "0"),
            ("body.a.position", "[0.5, 0]"),
            ("body.b.angle", "0"),
            ("body.b.position", "[1.5, 0]"),
            ("body.c.position", "[1.5, 0]"),
            ("body.a.angular_velocity", "0"),
            ("body.b.angular_velocity", "0"),
            ("body.a.velocity", "[0, 0]"),
            ("body.b.velocity", "[0, 0]"),
            ("body.c.velocity", "[0, 0]"),
        ],
    );
    let values = &samples[0].1;
    assert!(values[1..].iter().all(|x| x.is_nan()), "{values:?}");
    assert!(warned(&outcome, "singular-position"));
    // Pulled across the ground it stands up straight, where every crank carries half.
    let (outcome, samples) = run(
        PARALLELOGRAM,
        &[
            ("simulation.analysis", "\"static\""),
            ("simulation.gravity", "[0, 9.81]"),
        ],
    );
    assert!(!warned(&outcome, "singular-position"));
    assert!(samples[0].1.iter().all(|x| x.is_finite()));
}

#[test]
fn the_friction_of_a_flat_parallelogram_jams_it_at_its_known_angle() {
    // Half of the moment μ r N of the pin goes over the coupler to the other crank, whose arm is L sin θ: N = μ r N/(2 L sin θ) once that is all there is, and nothing moves below sin θ = μ r/(2 L).
    let (mu, r, l) = (0.1, 0.05, 1.0);
    let text = PARALLELOGRAM.replace(
        "between = [\"ground\", \"a.O\"]",
        "between = [\"ground\", \"a.O\"]\nfriction = { law = \"threlfall\", coefficient = 0.1, radius = 0.05, transition_speed = \"1 mm/s\" }",
    );
    let (outcome, _) = run(&text, &[]);
    assert_eq!(outcome.status, Status::Failed);
    let reason = outcome.reason.expect("said");
    assert!(
        reason.contains("joint.O") && reason.contains("jams"),
        "{reason}"
    );
    near(outcome.positions[2].sin(), mu * r / (2.0 * l), 1e-6);
    assert!(outcome.ledger.residual.abs() < 1e-8);
}

/// A block of 2 kg whose mass centre is 0.5 m above the short guide at which it is pulled.
const HIGH_BLOCK: &str = r#"
format = 1
[simulation]
end = 0.5
output_step = 0.05
channels = ["s.ax", "joint.g.moment"]
[body.s]
mass = 2
inertia = 0.05
position = [0, 0.5]
velocity = [1, 0]
points = { P = [0, -0.5] }
[joint.g]
type = "translational"
between = ["ground", "s.P"]
friction = { law = "tanh", coefficient = 0.3, transition_speed = 0.01, length = 0.1 }
[force.f]
type = "point"
at = "s.P"
force = ["100 N", "0 N"]
"#;

#[test]
fn a_block_that_friction_relieves_does_not_jam() {
    // Pads at both ends bear N = 2 h (P − μ N)/L: N = 250 N, though a newton more takes three away. a = (P − μ N)/m.
    let (outcome, samples) = run(HIGH_BLOCK, &[]);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (_, values) in &samples {
        near(values[0], 12.5, 1e-10);
        near(values[1].abs(), 250.0 * 0.1 / 2.0, 1e-10);
    }
    // Pushed the other way it rubs against what pulls: N = 2 h (P + μ N)/L has no solution above zero.
    let (outcome, _) = run(HIGH_BLOCK, &[("body.s.velocity", "[-1, 0]")]);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.reason.expect("said").contains("jams"));
}

/// A rod of 1 kg and 1 m on a pin at its end, led to and fro.
const LED: &str = r#"
format = 1
[simulation]
end = 4
output_step = 2
analysis = "inverse-dynamics"
channels = ["rod.angle", "energy.kinetic", "energy.driver_work", "energy.dissipated", "energy.load_work", "energy.residual"]
gravity = [0, -9.81]
[body.rod]
mass = 1
inertia = "1 kg m^2/12"
position = [0.5, 0]
points = { O = [-0.5, 0] }
[joint.pin]
type = "revolute"
between = ["ground", "rod.O"]
[driver.motor]
joint = "pin"
position = "3 rad*sin(2 rad/s*t)"
"#;

#[test]
fn the_works_of_a_led_motion_do_not_depend_on_the_output_step() {
    let begin = 0.5 / 3.0 * 36.0;
    for step in ["2", "0.7", "0.01"] {
        let (outcome, samples) = run(LED, &[("simulation.output_step", step)]);
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        assert!(!warned(&outcome, "energy-residual"));
        for (t, values) in &samples {
            let (theta, omega) = (3.0 * (2.0 * t).sin(), 6.0 * (2.0 * t).cos());
            let energy = 0.5 / 3.0 * omega * omega + 9.81 * 0.5 * theta.sin();
            near(values[2], energy - begin, 1e-7);
            near(values[5], 0.0, 1e-7);
        }
    }
}

#[test]
fn a_kinematic_analysis_has_no_works_and_says_so() {
    let (outcome, samples) = run(LED, &[("simulation.analysis", "\"kinematic\"")]);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (_, values) in &samples {
        assert!(values[..2].iter().all(|x| x.is_finite()));
        assert!(values[2..].iter().all(|x| x.is_nan()), "{values:?}");
    }
    let warning = outcome.warnings.iter().find(|w| w.code == "no-forces");
    let warning = warning.expect("it is said");
    assert!(warning.message.contains("energy.driver_work and 3 more"));
    // Who asks for motions alone hears nothing.
    let asked = [
        ("simulation.analysis", "\"kinematic\""),
        ("simulation.channels", "[\"rod.omega\", \"energy.kinetic\"]"),
    ];
    let (outcome, _) = run(LED, &asked);
    assert!(!warned(&outcome, "no-forces"));
}

#[test]
fn a_body_that_may_turn_freely_still_finds_its_rest() {
    let text = r#"
format = 1
[simulation]
end = 1
analysis = "static"
gravity = [0, -10]
channels = ["b.x", "b.y", "b.angle", "force.s.force"]
[ground]
points = { L = [-1, 0], R = [1, 0] }
[body.b]
mass = 2
inertia = 0.1
position = [0.1, -0.3]
angle = 0.4
[force.s]
type = "spring"
between = ["ground.L", "b"]
stiffness = 100
length = 0.5
[force.r]
type = "spring"
between = ["ground.R", "b"]
stiffness = 100
length = 0.5
"#;
    let (outcome, samples) = run(text, &[]);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let values = &samples[0].1;
    near(values[0], 0.0, 1e-12);
    near(values[2], 0.4, 1e-12);
    // Both springs together carry the weight.
    let length = (1.0 + values[1] * values[1]).sqrt();
    near(
        2.0 * 100.0 * (length - 0.5) * -values[1] / length,
        20.0,
        1e-9,
    );
    let rest = outcome.rest.as_ref().expect("it rests");
    assert_eq!(rest.stability, Stability::Neutral);
    assert_eq!(rest.stiffnesses[0], 0.0);
    let warning = outcome.warnings.iter().find(|w| w.code == "neutral-rest");
    let warning = warning.expect("it is said");
    assert!(warning.message.contains("b can turn freely"), "{warning:?}");
    // A moment turns it for ever: that is no rest.
    let text = format!("{text}[force.m]\ntype = \"moment\"\non = \"b\"\nmoment = \"1 N m\"\n");
    let (outcome, _) = run(&text, &[]);
    assert_eq!(outcome.status, Status::Failed);
}

#[test]
fn a_level_rod_has_no_stiffness_and_no_kink() {
    let text = LED.split("[driver.motor]").next().expect("there is one");
    let asked = [
        ("simulation.analysis", "\"modes\""),
        ("simulation.channels", "[\"rod.angle\"]"),
    ];
    let (outcome, _) = run(text, &asked);
    assert_eq!(outcome.modes[0].eigenvalue, [0.0, 0.0]);
    assert!(warned(&outcome, "not-in-balance"));
    assert!(!warned(&outcome, "not-smooth"), "{:?}", outcome.warnings);
}
