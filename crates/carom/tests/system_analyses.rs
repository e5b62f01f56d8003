//! Do kinematics, inverse dynamics, rest and small vibrations of mechanisms agree with their closed forms, and are impossible ones told?

mod built;

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::ControlFlow;

use carom::card::Values;
use carom::contact;
use carom::friction;
use carom::mechanics::*;
use carom::model::*;
use carom::system::{Observer, Outcome, Progress, Stability, Status, System, Trouble};

use built::{joint, pin};

fn run(model: &Model) -> (Outcome, built::Samples) {
    let (outcome, samples, _) = built::run_system(model);
    (outcome, samples)
}

fn refused(model: &Model) -> Trouble {
    System::assemble(model)
        .expect_err("it cannot be put together")
        .remove(0)
}

#[track_caller]
fn near(found: f64, known: f64, tolerance: f64) {
    assert!(
        (found - known).abs() <= tolerance * (1.0 + known.abs()),
        "{found}, known {known}"
    );
}

fn body(name: &str, body: Body, position: [f64; 3]) -> BodyEntry {
    built::body(name, body, position, [0.0; 3])
}

fn guide(name: &str, a: Place, b: Place) -> JointEntry {
    joint(name, Translational::new(a, b).expect("sound"))
}

fn driver(name: &str, a: Place, b: Place, driven: Driven, function: Function) -> DriverEntry {
    DriverEntry {
        name: name.into(),
        rows: vec![Driver::new(a, b, driven, function).expect("sound")],
    }
}

fn load(name: &str, load: impl Into<Load>) -> LoadEntry {
    LoadEntry {
        name: name.into(),
        load: load.into(),
    }
}

fn spring(name: &str, a: Place, b: Place, k: f64, c: f64, length: f64) -> LoadEntry {
    load(
        name,
        Spring::new(a, b, k, c, length, Function::ZERO).expect("sound"),
    )
}

fn asks(analysis: Analysis, end: f64, step: f64, channels: Vec<Channel>) -> Simulation {
    Simulation {
        analysis,
        end,
        output_step: Some(step),
        channels,
        ..Simulation::default()
    }
}

/// A rod of this length whose one end stands at `from`, at this angle: its mass centre and angle.
fn rod_at(from: [f64; 2], length: f64, angle: f64) -> [f64; 3] {
    let half = 0.5 * length;
    [
        from[0] + half * angle.cos(),
        from[1] + half * angle.sin(),
        angle,
    ]
}

fn rod(m: f64, l: f64) -> Body {
    Body::rod(m, l).expect("sound")
}

fn ground(x: f64, y: f64) -> Place {
    Place::ground([x, y])
}

/// The slider-crank of Flores et al. (2006, section 6), the crank at `theta` at time theta/omega.
fn slider_crank(analysis: Analysis, theta: f64) -> Model {
    let (r, l) = (0.05_f64, 0.12_f64);
    let omega = 5000.0 * TAU / 60.0;
    let make = |m, j| Body::new(m, j).expect("sound");
    let rod_angle = -(r * theta.sin() / l).asin();
    let elbow = [r * theta.cos(), r * theta.sin()];
    let start = theta / omega;
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![
            body("crank", make(0.30, 1e-5), rod_at([0.0; 2], r, theta)),
            body("rod", make(0.21, 2.5e-4), rod_at(elbow, l, rod_angle)),
            body(
                "slider",
                make(0.14, 1e-4),
                [elbow[0] + l * rod_angle.cos(), 0.0, 0.0],
            ),
        ],
        joints: vec![
            pin("main", ground(0.0, 0.0), Place::on(0, [-0.5 * r, 0.0])),
            pin(
                "big",
                Place::on(0, [0.5 * r, 0.0]),
                Place::on(1, [-0.5 * l, 0.0]),
            ),
            pin(
                "small",
                Place::on(1, [0.5 * l, 0.0]),
                Place::on(2, [0.0; 2]),
            ),
            guide("guide", ground(0.0, 0.0), Place::on(2, [0.0; 2])),
        ],
        drivers: vec![driver(
            "motor",
            ground(0.0, 0.0),
            Place::on(0, [0.0; 2]),
            Driven::Turn,
            Function::Linear {
                start: 0.0,
                speed: omega,
            },
        )],
        simulation: Simulation {
            start,
            end: start + TAU / omega,
            ..asks(analysis, 0.0, TAU / omega / 720.0, Vec::new())
        },
        ..Model::default()
    }
}

#[test]
fn a_slider_crank_follows_its_closed_form_over_a_turn() {
    let (r, l) = (0.05_f64, 0.12_f64);
    let omega = 5000.0 * TAU / 60.0;
    let mut model = slider_crank(Analysis::Kinematic, 0.0);
    model.simulation.channels = [Motion::X, Motion::Vx, Motion::Ax]
        .map(|m| Channel::Body(2, m))
        .into_iter()
        .chain([Motion::Angle, Motion::Omega, Motion::Alpha].map(|m| Channel::Body(1, m)))
        .chain([Channel::Body(0, Motion::Angle), Channel::Violation])
        .collect();
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(samples.len(), 721);
    for (t, values) in &samples {
        let (s, c) = (omega * t).sin_cos();
        // sin β = −r sin θ/l, differentiated twice.
        let cos_b = (1.0 - (r * s / l).powi(2)).sqrt();
        let rate = -omega * r * c / (l * cos_b);
        let second = (omega * omega * r * s / l - rate * rate * r * s / l) / cos_b;
        near(values[0], r * c + l * cos_b, 1e-12);
        near(values[1], -omega * r * s + rate * r * s, 1e-10);
        let known = -omega * omega * r * c - l * (rate * rate * cos_b - second * r * s / l);
        near(values[2], known, 1e-10);
        near(values[3], -(r * s / l).asin(), 1e-12);
        near(values[4], rate, 1e-10);
        near(values[5], second, 1e-10);
        near(values[6], omega * t, 1e-12);
        assert!(values[7] < 1e-15);
    }
    // One Newton solution an output time: nothing was halved.
    assert_eq!(outcome.statistics.steps_rejected, 0);
}

#[test]
fn a_kinematic_analysis_shows_no_forces_unless_asked_and_takes_any_step() {
    let mut model = slider_crank(Analysis::Kinematic, 0.0);
    let heads: Vec<String> = System::assemble(&model)
        .expect("sound")
        .channels()
        .iter()
        .map(|channel| channel.name(&model))
        .collect();
    assert!(heads.contains(&"slider.ax".to_string()));
    assert!(
        !heads
            .iter()
            .any(|h| h.starts_with("energy") || h.contains("force"))
    );
    // A third of a turn at a time: smaller steps are taken in between, on the same branch.
    model.simulation.output_step = Some(TAU / (5000.0 * TAU / 60.0) / 3.0);
    model.simulation.channels = vec![
        Channel::Body(2, Motion::X),
        Channel::Joint(0, Effort::ForceX),
    ];
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(samples.len(), 4);
    let (r, l) = (0.05_f64, 0.12_f64);
    for (k, (_, values)) in samples.iter().enumerate() {
        let (s, c) = (TAU * k as f64 / 3.0).sin_cos();
        near(values[0], r * c + (l * l - r * r * s * s).sqrt(), 1e-12);
        assert!(values[1].is_nan());
    }
}

/// A four-bar with crank a, coupler b, rocker c and ground d; the crank turns by a function of time.
fn four_bar([a, b, c, d]: [f64; 4], theta: Function, end: f64) -> Model {
    let start = theta.value(0.0);
    let [third, fourth] = four_bar_angles([a, b, c, d], start);
    let elbow = [a * start.cos(), a * start.sin()];
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![
            body("crank", rod(1.0, a), rod_at([0.0; 2], a, start)),
            body("coupler", rod(2.0, b), rod_at(elbow, b, third)),
            body("rocker", rod(1.5, c), rod_at([d, 0.0], c, fourth)),
        ],
        joints: vec![
            pin("A", ground(0.0, 0.0), Place::on(0, [-0.5 * a, 0.0])),
            pin(
                "B",
                Place::on(0, [0.5 * a, 0.0]),
                Place::on(1, [-0.5 * b, 0.0]),
            ),
            pin(
                "C",
                Place::on(1, [0.5 * b, 0.0]),
                Place::on(2, [0.5 * c, 0.0]),
            ),
            pin("D", ground(d, 0.0), Place::on(2, [-0.5 * c, 0.0])),
        ],
        drivers: vec![driver(
            "motor",
            ground(0.0, 0.0),
            Place::on(0, [0.0; 2]),
            Driven::Turn,
            theta,
        )],
        simulation: asks(Analysis::Kinematic, end, end / 360.0, Vec::new()),
        ..Model::default()
    }
}

/// Coupler and rocker angle of the open four-bar: the triangle over the diagonal from crank tip to rocker foot.
fn four_bar_angles([a, b, c, d]: [f64; 4], theta: f64) -> [f64; 2] {
    let p = [a * theta.cos(), a * theta.sin()];
    let way = [d - p[0], -p[1]];
    let f = way[0].hypot(way[1]);
    let base = way[1].atan2(way[0]);
    let at_p = ((b * b + f * f - c * c) / (2.0 * b * f)).acos();
    let tip = [
        p[0] + b * (base + at_p).cos(),
        p[1] + b * (base + at_p).sin(),
    ];
    [base + at_p, tip[1].atan2(tip[0] - d)]
}

#[test]
fn a_four_bar_follows_its_closed_form_over_a_turn() {
    let lengths = [1.0, 2.5, 2.0, 2.2];
    let [a, b, c, _] = lengths;
    let omega = 3.0;
    let turn = Function::Linear {
        start: 0.4,
        speed: omega,
    };
    let mut model = four_bar(lengths, turn, TAU / omega);
    model.simulation.channels = [1, 2]
        .into_iter()
        .flat_map(|i| [Motion::Angle, Motion::Omega, Motion::Alpha].map(|m| Channel::Body(i, m)))
        .collect();
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (t, values) in samples {
        let two = 0.4 + omega * t;
        let [three, four] = four_bar_angles(lengths, two);
        near(values[0], three, 1e-12);
        near((values[3] - four).sin(), 0.0, 1e-12);
        // a ω₂ e(θ₂) + b ω₃ e(θ₃) = c ω₄ e(θ₄), taken across one link at a time, and once more.
        let w3 = a * omega * (four - two).sin() / (b * (three - four).sin());
        let w4 = a * omega * (two - three).sin() / (c * (four - three).sin());
        near(values[1], w3, 1e-11);
        near(values[4], w4, 1e-11);
        let along = |x: f64| {
            -a * omega * omega * (two - x).cos() - b * w3 * w3 * (three - x).cos()
                + c * w4 * w4 * (four - x).cos()
        };
        // Along the rocker only the coupler's angular acceleration enters, and the other way round.
        near(values[2], along(four) / (b * (three - four).sin()), 1e-11);
        near(values[5], -along(three) / (c * (four - three).sin()), 1e-11);
    }
}

#[test]
fn the_motor_of_the_slider_crank_needs_its_known_extreme_moments() {
    // Greatest and least moment over a turn and the crank angles where they stand: the closed form of the driven mechanism, evaluated to nine digits.
    for (degrees, known) in [(34.969_183_f64, 138.624_160), (325.021_766, -138.419_179)] {
        let mut model = slider_crank(Analysis::InverseDynamics, degrees.to_radians());
        model.simulation.channels = vec![
            Channel::Driver(0, 0),
            Channel::Energy(Account::Residual),
            Channel::Energy(Account::DriverWork),
        ];
        let (outcome, samples) = run(&model);
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        assert!(
            (samples[0].1[0] - known).abs() < 1e-6,
            "{}",
            samples[0].1[0]
        );
        let sign = known.signum();
        for (_, values) in &samples {
            assert!(sign * values[0] <= sign * known + 1e-6);
            // The works are summed up by quadrature: a check of the moments, kept by a turnover of 100 J.
            assert!(values[1].abs() < 1e-8, "{}", values[1]);
        }
        // Over a whole turn the motor's work returns to nothing.
        let last = samples.last().expect("there are samples");
        assert!(last.1[2].abs() < 1e-8, "{}", last.1[2]);
        assert!((last.1[0] - known).abs() < 1e-6);
    }
}

#[test]
fn freedoms_that_nothing_drives_are_counted_and_named() {
    let mut model = slider_crank(Analysis::Kinematic, 0.3);
    model.drivers.clear();
    let trouble = refused(&model);
    assert_eq!(trouble.code, "not-driven");
    for part in [
        "1 degree",
        "crank",
        "rod",
        "slider",
        "joint.main",
        "joint.guide",
    ] {
        assert!(trouble.message.contains(part), "{trouble}");
    }
    // A second rod that hangs free: the driven part is not named.
    let mut model = slider_crank(Analysis::InverseDynamics, 0.3);
    model
        .bodies
        .push(body("bob", rod(1.0, 1.0), [3.0, -0.5, -FRAC_PI_2]));
    model
        .joints
        .push(pin("hook", ground(3.0, 0.0), Place::on(3, [-0.5, 0.0])));
    model
        .bodies
        .push(body("loose", rod(1.0, 1.0), [5.0, 0.0, 0.0]));
    let trouble = refused(&model);
    for part in ["4 degrees", "bob, loose", "joint.hook"] {
        assert!(trouble.message.contains(part), "{trouble}");
    }
    assert!(!trouble.message.contains("crank"), "{trouble}");
    // What is not asked for needs no drivers.
    model.simulation.analysis = Analysis::Dynamic;
    assert!(System::assemble(&model).is_ok());
}

#[test]
fn a_rocker_driven_beyond_its_reach_ends_where_it_locks() {
    // The crank of a double rocker: with 1.0 + 2.2 > 1.2 + 1.5 it stops where coupler and rocker stand in line: cos θ = (a² + d² − (b + c)²)/(2 a d).
    let lengths = [1.0_f64, 1.2, 1.5, 2.2];
    let [a, b, c, d] = lengths;
    let limit = ((a * a + d * d - (b + c) * (b + c)) / (2.0 * a * d)).acos();
    let turn = Function::Linear {
        start: 0.9,
        speed: 1.0,
    };
    let mut model = four_bar(lengths, turn, 3.0);
    model.simulation.channels = vec![Channel::Body(0, Motion::Angle)];
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Failed);
    let t = limit - 0.9;
    assert!((outcome.t - t).abs() < 1e-6, "{} {t}", outcome.t);
    let reason = outcome.reason.expect("there is one");
    assert!(
        reason.contains("open by") && reason.contains("t = "),
        "{reason}"
    );
    // What was found before is kept.
    let last = samples.last().expect("there are samples");
    assert!(last.0 <= t && last.0 > t - 2.0 * 3.0 / 360.0);
    near(last.1[0], 0.9 + last.0, 1e-12);
}

#[test]
fn a_parallelogram_is_led_straight_through_its_flat_positions() {
    // Crank and rocker of 1 m, coupler and ground of 2 m: flat at 0 and π, where it could fold over. The rocker's angle stays that of the crank.
    let omega = 2.0;
    let turn = Function::Linear {
        start: 0.5,
        speed: omega,
    };
    let mut model = four_bar([1.0, 2.0, 1.0, 2.0], turn, TAU / omega);
    // Both flat positions are output times.
    model.simulation.output_step = Some((PI - 0.5) / omega / 100.0);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Body(2, Motion::Angle),
        Channel::Body(2, Motion::Omega),
        Channel::Body(2, Motion::Alpha),
    ];
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (_, values) in &samples {
        near(values[1], values[0], 1e-7);
        near(values[2], omega, 1e-7);
        near(values[3], 0.0, 1e-4);
    }
    // That this is a choice is said.
    let warning = outcome
        .warnings
        .iter()
        .find(|w| w.code == "singular-position");
    near(
        warning.and_then(|w| w.time).expect("a time"),
        (PI - 0.5) / omega,
        1e-12,
    );
}

#[test]
fn a_point_is_led_along_a_circle_by_the_forces_it_takes() {
    // A point of a body led along a circle, its angle held: positions, velocities and accelerations of the circle.
    let lead = |phase: f64, direction: f64| {
        Driver::new(
            ground(0.0, 0.0).facing(direction),
            Place::on(0, [0.3, 0.0]),
            Driven::Along,
            Function::Harmonic {
                mean: 0.1,
                amplitude: 0.2,
                omega: 4.0,
                phase,
            },
        )
        .expect("sound")
    };
    let model = Model {
        bodies: vec![body("pen", rod(1.0, 1.0), [0.0, 0.1, 0.0])],
        drivers: vec![
            DriverEntry {
                name: "path".into(),
                rows: vec![lead(FRAC_PI_2, 0.0), lead(0.0, FRAC_PI_2)],
            },
            driver(
                "hold",
                ground(0.0, 0.0),
                Place::on(0, [0.0; 2]),
                Driven::Turn,
                0.0.into(),
            ),
        ],
        simulation: asks(
            Analysis::InverseDynamics,
            2.0,
            0.01,
            vec![
                Channel::Body(0, Motion::X),
                Channel::Body(0, Motion::Ay),
                Channel::Driver(0, 0),
                Channel::Driver(0, 1),
                Channel::Driver(1, 0),
            ],
        ),
        ..Model::default()
    };
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (t, values) in samples {
        let (s, c) = (4.0 * t).sin_cos();
        near(values[0], 0.1 + 0.2 * c - 0.3, 1e-13);
        near(values[1], -3.2 * s, 1e-12);
        // Forces m a at the point 0.3 m beside the mass centre; the held angle takes the moment.
        near(values[2], -3.2 * c, 1e-12);
        near(values[3], -3.2 * s, 1e-12);
        near(values[4], 0.3 * 3.2 * s, 1e-12);
    }
}

#[test]
fn an_observer_ends_a_kinematic_run() {
    struct Three(usize);
    impl Observer for Three {
        fn sample(&mut self, _t: f64, _values: &[f64]) {
            self.0 += 1;
        }
        fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
            if self.0 == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
    let mut system = System::assemble(&slider_crank(Analysis::Kinematic, 0.0)).expect("sound");
    let mut three = Three(0);
    let outcome = system.run(&mut three);
    assert_eq!((outcome.status, three.0), (Status::Stopped, 3));
}

/// Modes of a model about its start.
fn modes(mut model: Model) -> Outcome {
    model.simulation.analysis = Analysis::Modes;
    let (outcome, _) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    outcome
}

fn pendulum(m: f64, l: f64, angle: f64) -> Model {
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![body("rod", rod(m, l), rod_at([0.0; 2], l, angle))],
        joints: vec![pin("pin", ground(0.0, 0.0), Place::on(0, [-0.5 * l, 0.0]))],
        ..Model::default()
    }
}

#[test]
fn a_pendulum_swings_at_its_frequency_and_falls_at_its_rate() {
    let (l, g) = (0.8_f64, 9.81);
    let omega = (1.5 * g / l).sqrt();
    let down = modes(pendulum(3.0, l, -FRAC_PI_2));
    assert_eq!(down.modes.len(), 1);
    let mode = &down.modes[0];
    near(mode.eigenvalue[1], omega, 1e-11);
    near(mode.frequency, omega / TAU, 1e-11);
    assert_eq!((mode.eigenvalue[0], mode.damping_ratio), (0.0, 0.0));
    // The rod turns by 1 while its centre goes sideways by half its length.
    near(mode.shape[0][2][0].abs(), 1.0, 1e-12);
    near(
        (mode.shape[0][0][0] / mode.shape[0][2][0]).abs(),
        0.5 * l,
        1e-12,
    );
    assert!(mode.shape[0][1][0].abs() < 1e-12);
    assert!(down.warnings.is_empty(), "{:?}", down.warnings);
    // Upright: it goes away, or comes back, by e to the same power.
    let up = modes(pendulum(3.0, l, FRAC_PI_2));
    let values: Vec<[f64; 2]> = up.modes.iter().map(|mode| mode.eigenvalue).collect();
    assert_eq!(values.len(), 2);
    near(values[0][0], -omega, 1e-11);
    near(values[1][0], omega, 1e-11);
    assert_eq!(up.modes[1].damping_ratio, -1.0);
    // Aside: not in balance, and said so.
    let aside = modes(pendulum(3.0, l, -1.0));
    let warning = &aside.warnings[0];
    assert_eq!(warning.code, "not-in-balance");
    assert_eq!(warning.element.as_deref(), Some("body.rod"));
}

#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    // Two equal uniform rods: (M − the stiffness/ω²) singular with M = m l² [[4/3, 1/2], [1/2, 1/3]], K = m g l [[3/2, 0], [0, 1/2]]: ω² = (3 ± 6/√7) g/l.
    let (l, g) = (0.7, 9.81);
    let mut model = pendulum(2.0, l, -FRAC_PI_2);
    model.bodies.push(body(
        "second",
        rod(2.0, l),
        rod_at([0.0, -l], l, -FRAC_PI_2),
    ));
    model.joints.push(pin(
        "elbow",
        Place::on(0, [0.5 * l, 0.0]),
        Place::on(1, [-0.5 * l, 0.0]),
    ));
    let found = modes(model);
    assert_eq!(found.modes.len(), 2);
    for (mode, sign) in found.modes.iter().zip([-1.0, 1.0]) {
        let omega = ((3.0 + sign * 6.0 / 7.0_f64.sqrt()) * g / l).sqrt();
        near(mode.eigenvalue[1], omega, 1e-11);
        // In step in the slow mode, against each other in the fast one.
        let product = mode.shape[0][2][0] * mode.shape[1][2][0];
        assert_eq!(product.signum(), -sign);
    }
}

/// Masses on the x axis between two walls, springs of these stiffnesses and dampings between them.
fn masses(m: &[f64], springs: &[(f64, f64)]) -> Model {
    let mut model = Model::default();
    for (i, m) in m.iter().enumerate() {
        let x = i as f64 + 1.0;
        let name = format!("m{i}");
        model.bodies.push(body(
            &name,
            Body::new(*m, 1.0).expect("sound"),
            [x, 0.0, 0.0],
        ));
        model
            .joints
            .push(guide(&name, ground(0.0, 0.0), Place::on(i, [0.0; 2])));
    }
    for (i, (k, c)) in springs.iter().enumerate() {
        let place = |x: usize| {
            if x == 0 || x > m.len() {
                ground(x as f64, 0.0)
            } else {
                Place::on(x - 1, [0.0; 2])
            }
        };
        model.loads.push(spring(
            &format!("s{i}"),
            place(i),
            place(i + 1),
            *k,
            *c,
            1.0,
        ));
    }
    model
}

#[test]
fn two_masses_on_three_springs_have_their_frequencies_and_shapes() {
    // Equal masses and walls' springs k, coupling kc: ω² = k/m in step and (k + 2 kc)/m against each other.
    let (m, k, kc) = (2.0, 300.0, 70.0);
    let found = modes(masses(&[m, m], &[(k, 0.0), (kc, 0.0), (k, 0.0)]));
    assert_eq!(found.modes.len(), 2);
    near(found.modes[0].eigenvalue[1], (k / m).sqrt(), 1e-11);
    near(
        found.modes[1].eigenvalue[1],
        ((k + 2.0 * kc) / m).sqrt(),
        1e-11,
    );
    for (mode, sign) in found.modes.iter().zip([1.0, -1.0]) {
        near(mode.shape[0][0][0], 1.0, 1e-9);
        near(mode.shape[1][0][0], sign, 1e-9);
    }
    // Stiff beside soft, nine powers of ten apart.
    let found = modes(masses(&[1.0, 1.0], &[(1.0, 0.0), (0.0, 0.0), (1e9, 0.0)]));
    near(found.modes[0].eigenvalue[1], 1.0, 1e-6);
    near(found.modes[1].eigenvalue[1] / 1e9_f64.sqrt(), 1.0, 1e-10);
}

#[test]
fn damped_oscillators_have_their_eigenvalues_below_at_and_above_critical() {
    let (m, k) = (2.0, 50.0);
    for c in [0.3, 4.0, 19.0] {
        let found = modes(masses(&[m], &[(k, c)]));
        assert_eq!(found.modes.len(), 1);
        let mode = &found.modes[0];
        near(mode.eigenvalue[0], -0.5 * c / m, 1e-11);
        near(
            mode.eigenvalue[1],
            (k / m - 0.25 * c * c / m / m).sqrt(),
            1e-11,
        );
        near(mode.natural_frequency, (k / m).sqrt() / TAU, 1e-11);
        near(mode.damping_ratio, 0.5 * c / (k * m).sqrt(), 1e-11);
    }
    // Above critical: two real ones.
    let c = 50.0_f64;
    let found = modes(masses(&[m], &[(k, c)]));
    assert_eq!(found.modes.len(), 2);
    let root = (c * c - 4.0 * k * m).sqrt();
    near(found.modes[0].eigenvalue[0], (-c + root) / (2.0 * m), 1e-11);
    near(found.modes[1].eigenvalue[0], (-c - root) / (2.0 * m), 1e-11);
    assert!(
        found
            .modes
            .iter()
            .all(|m| m.eigenvalue[1] == 0.0 && m.damping_ratio == 1.0)
    );
    // At critical the pair meets: a double root is known to the root of the precision.
    let found = modes(masses(&[m], &[(k, 20.0)]));
    for mode in &found.modes {
        near(mode.eigenvalue[0], -5.0, 1e-5);
        assert!(mode.eigenvalue[1].abs() < 1e-4);
    }
}

#[test]
fn a_motion_that_nothing_drives_back_has_the_frequency_zero() {
    // Two masses and a spring between them, free to run away: 0 and √(2k/m).
    let found = modes(masses(&[2.0, 2.0], &[(0.0, 0.0), (80.0, 0.0), (0.0, 0.0)]));
    assert_eq!(found.modes.len(), 2);
    assert_eq!(found.modes[0].eigenvalue, [0.0, 0.0]);
    near(found.modes[1].eigenvalue[1], 80.0_f64.sqrt(), 1e-11);
    // With a damper between them: zero twice, and a damped pair.
    let found = modes(masses(&[2.0, 2.0], &[(0.0, 0.0), (80.0, 3.0), (0.0, 0.0)]));
    let zeros = found
        .modes
        .iter()
        .filter(|m| m.eigenvalue == [0.0; 2])
        .count();
    assert_eq!((zeros, found.modes.len()), (2, 3));
    near(found.modes[2].eigenvalue[0], -1.5, 1e-9);
    // A disc on a stiff ball of bushings, and one lone mass: nothing at all.
    let lone = modes(Model {
        bodies: vec![body("lone", rod(1.0, 1.0), [0.0; 3])],
        ..Model::default()
    });
    assert!(lone.modes.iter().all(|m| m.eigenvalue == [0.0; 2]));
    assert_eq!(lone.modes.len(), 3);
}

/// A disc that a motor turns at omega about the origin; pinned to it at radius r a rod of length l that hangs outwards.
fn governor(omega: f64, r: f64, l: f64, angle: f64) -> Model {
    let hub = [r * angle.cos(), r * angle.sin()];
    Model {
        bodies: vec![
            body(
                "disc",
                Body::disc(1.0, r).expect("sound"),
                [0.0, 0.0, angle],
            ),
            body("arm", rod(0.5, l), rod_at(hub, l, angle)),
        ],
        joints: vec![
            pin("axle", ground(0.0, 0.0), Place::on(0, [0.0; 2])),
            pin(
                "hinge",
                Place::on(0, [r, 0.0]),
                Place::on(1, [-0.5 * l, 0.0]),
            ),
        ],
        drivers: vec![driver(
            "motor",
            ground(0.0, 0.0),
            Place::on(0, [0.0; 2]),
            Driven::Turn,
            Function::Linear {
                start: angle,
                speed: omega,
            },
        )],
        ..Model::default()
    }
}

#[test]
fn a_spinning_pendulum_swings_at_the_frequency_that_the_spin_gives_it() {
    // A uniform rod hinged at radius r of a disc at ω, seen from the disc: ω₀ = ω √(3 r/(2 l)), whatever the disc's angle.
    for (omega, r, l, angle) in [(10.0, 0.3, 0.2, 0.0), (7.0, 0.1, 0.5, 1.1)] {
        let mut model = governor(omega, r, l, angle);
        // The arm runs with the disc; assembly only makes the disc and the hinge consistent.
        let far = r + 0.5 * l;
        let (s, c) = f64::sin_cos(angle);
        model.bodies[1].velocity = [-omega * far * s, omega * far * c, omega];
        let found = modes(model);
        assert_eq!(found.modes.len(), 1);
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        near(
            found.modes[0].eigenvalue[1],
            omega * (1.5 * r / l).sqrt(),
            1e-10,
        );
    }
}

#[test]
fn a_bead_in_a_turning_slot_softens_with_the_speed() {
    // A bead on a spring (k, free length at r0) in a radial slot: at rest relative to the disc at r = k r0/(k − m ω²), it swings at √(k/m − ω²), and beyond √(k/m) it flies out.
    let (m, k, r0, omega) = (0.4, 90.0, 0.2, 11.0_f64);
    let r = k * r0 / (k - m * omega * omega);
    for angle in [0.0_f64, 0.8] {
        let (s, c) = angle.sin_cos();
        let mut bead = body(
            "bead",
            Body::new(m, 0.01).expect("sound"),
            [r * c, r * s, angle],
        );
        bead.velocity = [-omega * r * s, omega * r * c, omega];
        let model = Model {
            bodies: vec![
                body(
                    "disc",
                    Body::disc(1.0, 1.0).expect("sound"),
                    [0.0, 0.0, angle],
                ),
                bead,
            ],
            joints: vec![
                pin("axle", ground(0.0, 0.0), Place::on(0, [0.0; 2])),
                guide("slot", Place::on(0, [0.0; 2]), Place::on(1, [0.0; 2])),
            ],
            drivers: governor(omega, 1.0, 1.0, angle).drivers,
            loads: vec![spring(
                "spring",
                Place::on(0, [0.0; 2]),
                Place::on(1, [0.0; 2]),
                k,
                0.0,
                r0,
            )],
            ..Model::default()
        };
        let found = modes(model);
        assert!(found.warnings.is_empty(), "{:?}", found.warnings);
        near(
            found.modes[0].eigenvalue[1],
            (k / m - omega * omega).sqrt(),
            1e-10,
        );
    }
}

#[test]
fn the_matrix_of_a_linearisation_is_handed_out() {
    let (m, k, c) = (2.0, 50.0, 4.0);
    let mut system = System::assemble(&masses(&[m], &[(k, c)])).expect("sound");
    let found = system.linearise().expect("it is there");
    assert_eq!(found.degrees, 1);
    for (found, known) in found.matrix.iter().zip([0.0, 1.0, -k / m, -c / m]) {
        near(*found, known, 1e-11);
    }
    near(found.basis[0][0].abs(), 1.0 / m.sqrt(), 1e-14);
}

/// Rest of a model near its start.
fn rest(mut model: Model) -> (Outcome, Vec<(f64, Vec<f64>)>) {
    model.simulation.analysis = Analysis::Static;
    run(&model)
}

#[test]
fn a_spring_scale_shows_the_weight() {
    let (m, g, k) = (3.0, 9.81, 400.0);
    let model = Model {
        gravity: [0.0, -g],
        bodies: vec![body(
            "load",
            Body::new(m, 0.1).expect("sound"),
            [0.0, -0.2, 0.0],
        )],
        joints: vec![guide(
            "rail",
            ground(0.0, 0.0).facing(FRAC_PI_2),
            Place::on(0, [0.0; 2]).facing(FRAC_PI_2),
        )],
        loads: vec![spring(
            "spring",
            ground(0.0, 0.0),
            Place::on(0, [0.0; 2]),
            k,
            5.0,
            0.2,
        )],
        simulation: asks(
            Analysis::Static,
            0.0,
            1.0,
            vec![
                Channel::Body(0, Motion::Y),
                Channel::Load(0),
                Channel::Body(0, Motion::Vy),
                Channel::Energy(Account::Elastic),
            ],
        ),
        ..Model::default()
    };
    let (outcome, samples) = rest(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let found = outcome.rest.expect("it rests");
    assert_eq!(found.stability, Stability::Stable);
    near(found.stiffnesses[0], k / m, 1e-10);
    assert_eq!(samples.len(), 1);
    let values = &samples[0].1;
    near(values[0], -0.2 - m * g / k, 1e-13);
    near(values[1], m * g, 1e-12);
    assert_eq!(values[2], 0.0);
    near(values[3], 0.5 * (m * g) * (m * g) / k, 1e-12);
}

#[test]
fn a_chain_of_links_hangs_as_the_masses_pull_it() {
    // Eight equal uniform links between two hooks at one height: symmetric, the horizontal force H the same in every pin, and the vertical force there the weight of the links below it.
    // A link's slope: tan = (V_left + V_right)/(2H) for a uniform link.
    let (count, l, m, g, span) = (8, 0.25, 0.6, 9.81, 1.4);
    let mut model = Model {
        gravity: [0.0, -g],
        ..Model::default()
    };
    // Given as an arch turned over: a rough V.
    let slope = f64::acos(span / (f64::from(count) * l));
    let mut at = [0.0, 0.0];
    for i in 0..count as usize {
        let angle = if i < 4 { -slope } else { slope };
        model
            .bodies
            .push(body(&format!("link{i}"), rod(m, l), rod_at(at, l, angle)));
        at = [at[0] + l * angle.cos(), at[1] + l * angle.sin()];
        let left = if i == 0 {
            ground(0.0, 0.0)
        } else {
            Place::on(i - 1, [0.5 * l, 0.0])
        };
        model
            .joints
            .push(pin(&format!("pin{i}"), left, Place::on(i, [-0.5 * l, 0.0])));
    }
    model.joints.push(pin(
        "hook",
        Place::on(count as usize - 1, [0.5 * l, 0.0]),
        ground(span, 0.0),
    ));
    model.simulation.channels = (0..count as usize)
        .flat_map(|i| {
            [
                Channel::Joint(i, Effort::ForceX),
                Channel::Joint(i, Effort::ForceY),
                Channel::Body(i, Motion::Angle),
            ]
        })
        .collect();
    let (outcome, samples) = rest(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
    let values = &samples[0].1;
    let h = -values[0];
    assert!(h > 0.0);
    let mut across = 0.0;
    for i in 0..count as usize {
        // Carried at the left pin of link i: the weight of the links between it and the middle.
        let v = (4.0 - i as f64) * m * g;
        near(values[3 * i], -h, 1e-10);
        near(values[3 * i + 1], v, 1e-10);
        let angle = -((v - 0.5 * m * g) / h).atan();
        near(values[3 * i + 2], angle, 1e-10);
        across += l * angle.cos();
    }
    near(across, span, 1e-11);
}

/// A uniform rod upright on a pin with a rotational spring.
fn inverted(k: f64, tilt: f64) -> Model {
    let (m, l) = (2.0, 1.5);
    let mut model = pendulum(m, l, FRAC_PI_2 + tilt);
    model.loads.push(load(
        "spring",
        RotationalSpring::new(
            ground(0.0, 0.0).facing(FRAC_PI_2),
            Place::on(0, [-0.5 * l, 0.0]),
            k,
            0.0,
            0.0,
            Function::ZERO,
        )
        .expect("sound"),
    ));
    model
}

#[test]
fn an_inverted_pendulum_stands_above_its_buckling_stiffness_and_falls_below() {
    // m g l/2 = k is the border; the reduced stiffness is (k − m g l/2)/(m l²/3).
    let (m, l, g) = (2.0, 1.5, 9.81);
    let border = 0.5 * m * g * l;
    let inertia = m * l * l / 3.0;
    for (factor, stability) in [(1.2, Stability::Stable), (0.8, Stability::Unstable)] {
        let (outcome, _) = rest(inverted(factor * border, 0.0));
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        let found = outcome.rest.expect("it rests");
        assert_eq!(found.stability, stability);
        near(
            found.stiffnesses[0],
            (factor - 1.0) * border / inertia,
            1e-9,
        );
        let codes: Vec<&str> = outcome.warnings.iter().map(|w| w.code).collect();
        let known: &[&str] = if factor > 1.0 {
            &[]
        } else {
            &["unstable-rest"]
        };
        assert_eq!(codes, known);
    }
    // Off the upright position it goes to the buckled one: k φ = (m g l/2) sin φ.
    let (outcome, _) = rest(inverted(0.8 * border, 1e-3));
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
    let phi = outcome.positions[2] - FRAC_PI_2;
    near(0.8 * phi, phi.sin(), 1e-12);
    assert!(phi > 1.0 && phi < 1.3, "{phi}");
    // And with a stronger spring back up.
    let (outcome, _) = rest(inverted(1.2 * border, 0.5));
    assert!((outcome.positions[2] - FRAC_PI_2).abs() < 1e-12);
    // Exactly at the border the stiffness is nothing, and a finite push shows that sin φ < φ holds it.
    let (outcome, _) = rest(inverted(border, 0.0));
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
}

#[test]
fn a_pendulum_without_spring_goes_to_its_lower_position_from_almost_anywhere() {
    for tilt in [1e-6, -0.3, 2.0, -3.0] {
        let (outcome, _) = rest(pendulum(1.0, 0.8, FRAC_PI_2 + tilt));
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
        near(outcome.positions[1], -0.4, 1e-12);
    }
}

/// A flat frame of two springs under a load: feet at ±b, the tip (a mass point held upright) guided along y.
fn truss(tip: f64, force: f64) -> Model {
    let (b, h, k) = (1.0_f64, 0.3_f64, 5000.0);
    let length = b.hypot(h);
    let place = Place::on(0, [0.0; 2]);
    Model {
        bodies: vec![body(
            "tip",
            Body::new(1.0, 1.0).expect("sound"),
            [0.0, tip, 0.0],
        )],
        joints: vec![guide(
            "rail",
            ground(0.0, 0.0).facing(FRAC_PI_2),
            place.facing(FRAC_PI_2),
        )],
        loads: vec![
            spring("left", ground(-b, 0.0), place, k, 0.0, length),
            spring("right", ground(b, 0.0), place, k, 0.0, length),
            load(
                "load",
                PointForce::new(place, Axes::Ground, [0.0, -force]).expect("sound"),
            ),
        ],
        ..Model::default()
    }
}

#[test]
fn a_flat_truss_snaps_through_beyond_its_limit_load() {
    // F(y) = 2 k (L₀ − √(b² + y²)) y/√(b² + y²) upwards on the tip; the limit load is its maximum, at y² = (b² L₀)^(2/3) − b².
    let (b, h, k) = (1.0_f64, 0.3_f64, 5000.0);
    let l0 = b.hypot(h);
    let up = |y: f64| 2.0 * k * (l0 - b.hypot(y)) * y / b.hypot(y);
    let at = ((b * b * l0).powf(2.0 / 3.0) - b * b).sqrt();
    let limit = up(at);
    // Below the limit on the upper branch, stable.
    let (outcome, _) = rest(truss(h, 0.95 * limit));
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
    let y = outcome.positions[1];
    near(up(y), 0.95 * limit, 1e-9);
    assert!(y > at && y < h, "{y}");
    // Beyond it the truss has snapped through, to y < −h.
    let (outcome, _) = rest(truss(h, 1.05 * limit));
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Stable);
    let y = outcome.positions[1];
    near(up(y), 1.05 * limit, 1e-9);
    assert!(y < -h, "{y}");
    // Without a load and started flat: the forces balance there, but it does not stay.
    let (outcome, _) = rest(truss(0.0, 0.0));
    assert_eq!(
        outcome.rest.expect("it rests").stability,
        Stability::Unstable
    );
}

#[test]
fn drivers_hold_their_position_at_rest_and_say_with_which_moment() {
    // A motor holds a rod level: half the weight times the length; that it would turn does not matter.
    let (m, l, g) = (3.0, 0.8, 9.81);
    let mut model = pendulum(m, l, 0.0);
    model.drivers.push(driver(
        "motor",
        ground(0.0, 0.0),
        Place::on(0, [0.0; 2]),
        Driven::Turn,
        Function::Polynomial(vec![0.0, 30.0, 500.0]),
    ));
    model.simulation.channels = vec![
        Channel::Driver(0, 0),
        Channel::DriverPower(0),
        Channel::Joint(0, Effort::ForceY),
        Channel::Body(0, Motion::Omega),
    ];
    let (outcome, samples) = rest(model);
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Held);
    near(samples[0].1[0], 0.5 * m * g * l, 1e-13);
    assert_eq!(samples[0].1[1], 0.0);
    near(samples[0].1[2], m * g, 1e-13);
    assert_eq!(samples[0].1[3], 0.0);
}

#[test]
fn a_motion_without_resistance_is_named_and_one_without_end_too() {
    // A sledge on a level rail beside a pendulum: it may stand anywhere.
    let mut model = pendulum(1.0, 1.0, -1.2);
    model
        .bodies
        .push(body("sledge", rod(1.0, 0.3), [2.0, 0.0, 0.0]));
    model
        .joints
        .push(guide("rail", ground(2.0, 0.0), Place::on(1, [0.0; 2])));
    let (outcome, samples) = rest(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(
        outcome.rest.expect("it rests").stability,
        Stability::Neutral
    );
    let message = &outcome.warnings[0].message;
    assert!(
        message.contains("sledge (joint.rail) can shift freely"),
        "{message}"
    );
    assert!(!message.contains("rod"), "{message}");
    assert_eq!(samples.len(), 1);
    near(outcome.positions[2], -FRAC_PI_2, 1e-10);
    near(outcome.positions[3], 2.0, 1e-12);
    // On a slope it runs away.
    let mut model = pendulum(1.0, 1.0, -1.2);
    model
        .bodies
        .push(body("sledge", rod(1.0, 0.3), [2.0, 0.0, -0.5]));
    model.joints.push(guide(
        "rail",
        ground(2.0, 0.0).facing(-0.5),
        Place::on(1, [0.0; 2]),
    ));
    let (outcome, _) = rest(model);
    assert_eq!(outcome.status, Status::Failed);
    let reason = outcome.reason.expect("there is one");
    assert!(
        reason.contains("nothing holds sledge (joint.rail);"),
        "{reason}"
    );
    // A ball on a spring about a point, without weight: at its length, but anywhere around.
    let model = Model {
        bodies: vec![body("ball", rod(1.0, 0.1), [0.6, 0.5, 0.0])],
        loads: vec![
            spring("s", ground(0.1, 0.0), Place::on(0, [0.0; 2]), 1e4, 0.0, 0.7),
            load(
                "upright",
                RotationalSpring::new(
                    ground(0.0, 0.0),
                    Place::on(0, [0.0; 2]),
                    1.0,
                    0.0,
                    0.0,
                    Function::ZERO,
                )
                .expect("sound"),
            ),
        ],
        ..Model::default()
    };
    let (outcome, _) = rest(model.clone());
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let message = &outcome.warnings[0].message;
    assert!(
        message.contains("ball can shift freely") && message.contains("in 1 way"),
        "{message}"
    );
    let [x, y] = [outcome.positions[0] - 0.1, outcome.positions[1]];
    near(x * x + y * y, 0.49, 1e-12);
    // A weight on the same spring hangs below, and there its modes are in balance: pendulum and spring.
    let mut model = model;
    model.gravity = [0.0, -9.81];
    let (outcome, _) = rest(model.clone());
    near(outcome.positions[1], -0.7 - 9.81 / 1e4, 1e-12);
    model.bodies[0].position = [outcome.positions[0], outcome.positions[1], 0.0];
    let found = modes(model);
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    near(
        found.modes[0].eigenvalue[1],
        (9.81_f64 / (0.7 + 9.81 / 1e4)).sqrt(),
        1e-10,
    );
    near(found.modes[2].eigenvalue[1], 100.0, 1e-10);
    // A wheel that a constant moment turns for ever.
    let mut model = pendulum(1.0, 1.0, -1.2);
    model.gravity = [0.0; 2];
    model
        .loads
        .push(load("m", Moment::new(Some(0), None, 3.0).expect("sound")));
    let (outcome, _) = rest(model);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.reason.expect("there is one").contains("rod"));
}

#[test]
fn a_slack_band_tightens_before_it_holds() {
    // A weight hung on a ligament of 0.5 m that is slack by 0.2 m at the start: F = k ε² with the reading of the ligament itself.
    let (m, g) = (4.0, 9.81);
    let place = Place::on(0, [0.0; 2]);
    let model = Model {
        gravity: [0.0, -g],
        bodies: vec![body(
            "load",
            Body::new(m, 0.1).expect("sound"),
            [0.0, -0.3, 0.0],
        )],
        joints: vec![guide(
            "rail",
            ground(0.0, 0.0).facing(FRAC_PI_2),
            place.facing(FRAC_PI_2),
        )],
        loads: vec![load(
            "band",
            Ligament::new(ground(0.0, 0.0), place, 35e6, 0.5, None).expect("sound"),
        )],
        ..Model::default()
    };
    let (outcome, _) = rest(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    // k (l − l₀)² = m g.
    near(
        -outcome.positions[1],
        0.5 + (m * g / 35e6_f64).sqrt(),
        1e-12,
    );
}

#[test]
fn a_follower_force_makes_zieglers_column_flutter_beyond_its_known_load() {
    // Two links of length l with springs k at both hinges, point masses 2m and m at their ends, and a force P along the second link: without damping it flutters beyond
    // P = (7/2 − √2) k/l (Ziegler 1952).
    let (m, l, k) = (0.5, 0.4, 20.0);
    let critical = (3.5 - 2.0_f64.sqrt()) * k / l;
    let point = |m| Body::new(m, 1e-12).expect("sound");
    let hinge = |name: &str, a, b| {
        load(
            name,
            RotationalSpring::new(a, b, k, 0.0, 0.0, Function::ZERO).expect("sound"),
        )
    };
    for (factor, grows) in [(0.5, false), (0.999, false), (1.001, true), (1.5, true)] {
        let first = [ground(0.0, 0.0), Place::on(0, [-l, 0.0])];
        let second = [Place::on(0, [0.0; 2]), Place::on(1, [-l, 0.0])];
        let model = Model {
            bodies: vec![
                body("lower", point(2.0 * m), [l, 0.0, 0.0]),
                body("upper", point(m), [2.0 * l, 0.0, 0.0]),
            ],
            joints: vec![
                pin("foot", first[0], first[1]),
                pin("knee", second[0], second[1]),
            ],
            loads: vec![
                hinge("foot", first[0], first[1]),
                hinge("knee", second[0], second[1]),
                load(
                    "push",
                    PointForce::new(
                        Place::on(1, [0.0; 2]),
                        Axes::Place,
                        [-factor * critical, 0.0],
                    )
                    .expect("sound"),
                ),
            ],
            ..Model::default()
        };
        let found = modes(model.clone());
        let growth = found.modes.iter().map(|m| m.eigenvalue[0]);
        let growth = growth.fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(growth > 1e-3, grows, "{factor}: {growth}");
        assert!(grows || growth < 1e-6, "{factor}: {growth}");
        assert_eq!(found.modes.len(), 2);
        // As a matter of rest it stands: its stiffness never vanishes.
        let (outcome, _) = rest(model);
        assert_eq!(outcome.rest.expect("it rests").steps, 0);
    }
}

#[test]
fn a_mechanism_comes_to_rest_where_it_does_when_it_is_damped() {
    // A four-bar under its weight with a spring and a damper across: the position of rest against a long damped motion.
    let turn = Function::Constant(1.2);
    let mut model = four_bar([1.0, 2.5, 2.0, 2.2], turn, 1.0);
    model.drivers.clear();
    model.loads.push(spring(
        "strut",
        ground(0.0, 0.0),
        Place::on(2, [0.0; 2]),
        150.0,
        60.0,
        1.6,
    ));
    model.simulation = asks(Analysis::Dynamic, 120.0, 10.0, vec![Channel::Violation]);
    let (moved, _) = run(&model);
    let (outcome, _) = rest(model.clone());
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (found, known) in outcome.positions.iter().zip(&moved.positions) {
        near(*found, *known, 1e-6);
    }
    // And its slowest eigenvalue says that 120 s were enough.
    for (body, q) in model
        .bodies
        .iter_mut()
        .zip(outcome.positions.as_chunks::<3>().0)
    {
        body.position = *q;
    }
    let found = modes(model);
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
    assert!(found.modes[0].eigenvalue[0] * 120.0 < -14.0);
}

#[test]
fn what_is_doubled_or_held_does_not_disturb_the_analyses() {
    // A second guide beside the first changes nothing but its reactions.
    let mut model = slider_crank(Analysis::InverseDynamics, 0.0);
    model
        .joints
        .push(guide("again", ground(0.0, 0.0), Place::on(2, [0.0; 2])));
    model.simulation.channels = vec![Channel::Driver(0, 0), Channel::Joint(3, Effort::ForceY)];
    let (outcome, doubled) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    model.joints.pop();
    // Baumgarte's terms have nothing to do where joints are closed.
    model.control = Control::Baumgarte {
        alpha: 1e4,
        beta: 1e4,
    };
    let (_, single) = run(&model);
    for (a, b) in doubled.iter().zip(&single) {
        near(a.1[0], b.1[0], 1e-11);
        assert!(a.1[1].is_nan() && b.1[1].is_finite());
    }
    // A mechanism that is driven throughout has no modes, and rests where it is held.
    assert!(modes(slider_crank(Analysis::Modes, 0.4)).modes.is_empty());
    let (outcome, _) = rest(slider_crank(Analysis::Static, 0.4));
    assert_eq!(outcome.rest.expect("it rests").stability, Stability::Held);
}

#[test]
fn numbers_that_are_none_end_an_analysis_with_a_reason() {
    let mut model = four_bar(
        [1.0, 2.5, 2.0, 2.2],
        Function::Other(std::sync::Arc::new(|t| {
            let x = if t < 0.5 { 0.4 + t } else { f64::NAN };
            [x, 1.0, 0.0]
        })),
        1.0,
    );
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.reason.expect("there is one").contains("not finite"));
    assert!(outcome.t < 0.5 && samples.len() > 100);
    // A time that runs backwards.
    model.simulation.end = -1.0;
    let (outcome, _) = run(&model);
    assert_eq!(outcome.status, Status::Failed);
    assert!(
        outcome
            .reason
            .expect("there is one")
            .contains("not before the start")
    );
    // Forces that are none beside the start.
    let mut model = pendulum(1.0, 1.0, -1.0);
    let push = PointForce::new(Place::on(0, [0.0; 2]), Axes::Ground, [f64::MAX, f64::MAX]);
    model.loads.push(load("push", push.expect("sound")));
    model.loads.push(model.loads[0].clone());
    for analysis in [Analysis::Static, Analysis::Modes] {
        model.simulation.analysis = analysis;
        // Refused at assembly or ended with a reason: never a number.
        if let Ok(mut system) = System::assemble(&model) {
            let outcome = system.run(&mut ());
            assert_eq!(outcome.status, Status::Failed);
            assert!(outcome.reason.is_some());
        }
    }
}

#[test]
fn friction_takes_its_moment_and_stops_that_are_passed_are_named() {
    // A rod turned at constant speed without weight: its pin carries m ω² l/2, and rubs with μ r of that.
    let (m, l, omega, mu, r) = (3.0, 0.8, 20.0, 0.15, 0.01);
    let mut model = pendulum(m, l, 0.0);
    model.gravity = [0.0; 2];
    let values = Values::new()
        .number("coefficient", mu)
        .number("v0", 1e-5)
        .number("v1", 1e-4);
    let law = friction::Law::new(friction::find("ambrosio").expect("known"), &values);
    let rubs = JointFriction::revolute(&model.joints[0].joint, r, law.expect("sound"));
    model.frictions.push(FrictionEntry {
        name: "pin".into(),
        joint: 0,
        friction: rubs.expect("sound"),
    });
    model.drivers = governor(omega, 1.0, 1.0, 0.0).drivers;
    model.simulation = asks(
        Analysis::InverseDynamics,
        1.0,
        0.05,
        vec![
            Channel::Driver(0, 0),
            Channel::Energy(Account::Dissipated),
            Channel::Energy(Account::Residual),
        ],
    );
    let moment = mu * r * 0.5 * m * omega * omega * l;
    let (outcome, samples) = run(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    for (t, values) in samples {
        near(values[0], moment, 1e-11);
        near(values[1], moment * omega * t, 1e-11);
        near(values[2], 0.0, 1e-10);
    }
    // At rest it is left out, and that is said.
    let (outcome, _) = rest(model.clone());
    assert!(
        outcome
            .warnings
            .iter()
            .any(|w| w.code == "friction-at-rest")
    );

    // A pendulum with a stop at −1 rad is driven beyond it, and hangs beyond it: the stop is not felt, and that is said.
    model.frictions.clear();
    model.gravity = [0.0, -9.81];
    let card = contact::find("hertz").expect("known");
    let values = Values::new().number("stiffness", 1e6);
    let law = contact::Law::new(card, &values, None, contact::Calibration::Published);
    let ends = [-1.0, f64::INFINITY];
    model.limits.push(LimitEntry {
        name: "pin".into(),
        joint: 0,
        limit: Limit::new(&model.joints[0].joint, ends, law.expect("sound")).expect("sound"),
    });
    let passed = |outcome: &Outcome| {
        let warning = outcome.warnings.iter().find(|w| w.code == "passed-stop");
        warning.and_then(|w| w.element.clone().zip(w.time))
    };
    assert_eq!(passed(&run(&model).0), None);
    model.drivers = governor(-omega, 1.0, 1.0, 0.0).drivers;
    let (element, time) = passed(&run(&model).0).expect("it is passed");
    assert_eq!(element, "joint.pin.limits");
    near(time, 0.05, 0.05);
    model.drivers.clear();
    let (outcome, _) = rest(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(
        passed(&outcome).expect("it is passed").0,
        "joint.pin.limits"
    );
}
