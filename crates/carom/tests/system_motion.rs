//! Do mechanisms that are put together and set going move as is known in closed form?

mod built;

use carom::mechanics::*;
use carom::model::*;
use carom::solve::{Flow, Output, Settings, Solver};
use carom::system::{Status, System};
use carom_bench::elliptic;

use built::{Kept, body, joint, pin, run_system as run};

fn settings(rtol: f64) -> Settings {
    Settings {
        rtol,
        atol: 1e-2 * rtol,
        ..Settings::default()
    }
}

fn slider_crank(turns: f64, control: Control, rtol: f64) -> Model {
    let (r, l) = (0.05, 0.12);
    let omega = 5000.0 * core::f64::consts::TAU / 60.0;
    let make = |m, j| Body::new(m, j).expect("sound");
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![
            body("crank", make(0.30, 1e-5), [0.5 * r, 0.0, 0.0], [0.0; 3]),
            body("rod", make(0.21, 2.5e-4), [r + 0.5 * l, 0.0, 0.0], [0.0; 3]),
            body("slider", make(0.14, 1e-4), [r + l, 0.0, 0.0], [0.0; 3]),
        ],
        joints: vec![
            pin(
                "main",
                Place::ground([0.0; 2]),
                Place::on(0, [-0.5 * r, 0.0]),
            ),
            pin(
                "big",
                Place::on(0, [0.5 * r, 0.0]),
                Place::on(1, [-0.5 * l, 0.0]),
            ),
            pin(
                "small",
                Place::on(1, [0.5 * l, 0.0]),
                Place::on(2, [0.0, 0.0]),
            ),
            joint(
                "guide",
                Translational::new(Place::ground([0.0; 2]), Place::on(2, [0.0; 2])).expect("sound"),
            ),
        ],
        drivers: vec![DriverEntry {
            name: "motor".into(),
            rows: vec![
                Driver::new(
                    Place::ground([0.0; 2]),
                    Place::on(0, [0.0; 2]),
                    Driven::Turn,
                    Function::Linear {
                        start: 0.0,
                        speed: omega,
                    },
                )
                .expect("sound"),
            ],
        }],
        simulation: Simulation {
            end: turns * core::f64::consts::TAU / omega,
            channels: vec![
                Channel::Driver(0, 0),
                Channel::Violation,
                Channel::Energy(Account::Residual),
            ],
            ..Simulation::default()
        },
        solver: settings(rtol),
        control,
        ..Model::default()
    }
}

/// A rod that hangs from the origin, at an angle from the vertical.
fn pendulum(length: f64, angle: f64, rtol: f64) -> Model {
    let (s, c) = angle.sin_cos();
    let half = 0.5 * length;
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![body(
            "rod",
            Body::rod(2.0, length).expect("sound"),
            [half * s, -half * c, angle],
            [0.0; 3],
        )],
        joints: vec![pin(
            "pin",
            Place::ground([0.0; 2]),
            Place::on(0, [0.0, half]),
        )],
        simulation: Simulation {
            end: 10.0,
            output_step: Some(0.01),
            channels: vec![
                Channel::Body(0, Motion::Angle),
                Channel::Energy(Account::Residual),
                Channel::Violation,
            ],
            ..Simulation::default()
        },
        solver: settings(rtol),
        ..Model::default()
    }
}

/// The largest of a column over all samples.
fn largest(samples: &[(f64, Vec<f64>)], column: usize) -> f64 {
    samples
        .iter()
        .fold(0.0, |m: f64, s| m.max(s.1[column].abs()))
}

#[test]
fn a_pendulum_follows_the_elliptic_functions() {
    // φ(t) = 2 asin(k cd(ωt)), k = sin(φ₀/2), ω² = 3g/2L for a rod: φ = 2 asin(k sn(K + ωt)).
    let (length, angle) = (0.8_f64, 2.0_f64);
    let (outcome, samples, system) = run(&pendulum(length, angle, 1e-12));
    assert_eq!(outcome.status, Status::Completed);
    assert_eq!(system.degrees_of_freedom(), 1);
    let omega = (1.5 * 9.81 / length).sqrt();
    let k = (0.5 * angle).sin();
    let quarter = elliptic::complete(k * k);
    assert_eq!(samples.len(), 1001);
    for (t, values) in &samples {
        let known = 2.0 * (k * elliptic::jacobi(quarter + omega * t, k * k).0).asin();
        assert!(
            (values[0] - known).abs() < 1e-9,
            "t = {t}: {} known {known}",
            values[0]
        );
    }
    assert!(largest(&samples, 1) < 1e-9 && largest(&samples, 2) < 1e-15);
}

/// Two rods in a row, let go level with the first pin: chaotic.
fn double_pendulum(end: f64, rtol: f64) -> Model {
    let rod = Body::rod(1.0, 1.0).expect("sound");
    Model {
        gravity: [0.0, -9.81],
        bodies: vec![
            body("upper", rod, [0.5, 0.0, 0.0], [0.0; 3]),
            body("lower", rod, [1.5, 0.0, 0.0], [0.0; 3]),
        ],
        joints: vec![
            pin(
                "shoulder",
                Place::ground([0.0; 2]),
                Place::on(0, [-0.5, 0.0]),
            ),
            pin("elbow", Place::on(0, [0.5, 0.0]), Place::on(1, [-0.5, 0.0])),
        ],
        simulation: Simulation {
            end,
            output_step: Some(0.1),
            channels: vec![Channel::Energy(Account::Residual), Channel::Violation],
            ..Simulation::default()
        },
        solver: settings(rtol),
        ..Model::default()
    }
}

#[test]
fn a_double_pendulum_keeps_its_energy_for_a_hundred_seconds() {
    // Its energy is zero throughout; what is turned over is m g 1.5 m + m g 0.5 m at most. A residual of rtol a step would be seen.
    let turned_over = 9.81 * (0.5 + 1.5) * 2.0;
    for (rtol, limit) in [(1e-8, 3e-6), (1e-10, 3e-8), (1e-12, 3e-10)] {
        let (outcome, samples, system) = run(&double_pendulum(100.0, rtol));
        assert_eq!(outcome.status, Status::Completed);
        assert_eq!(system.degrees_of_freedom(), 2);
        let drift = largest(&samples, 0) / turned_over;
        assert!(drift < limit, "rtol {rtol}: {drift:e}");
        assert!(largest(&samples, 1) < 1e-14);
    }
}

#[test]
fn the_joints_of_a_driven_slider_crank_stay_closed_for_a_thousand_turns() {
    let (outcome, samples, system) = run(&slider_crank(1000.0, Control::Projection, 1e-6));
    assert_eq!(outcome.status, Status::Completed);
    assert_eq!(system.degrees_of_freedom(), 0);
    assert!(largest(&samples, 1) <= 1e-13, "{:e}", largest(&samples, 1));
    // The motor's moment is a function of the angle alone: after whole turns it is what it was at the start.
    let (first, last) = (samples[0].1[0], samples[500].1[0]);
    assert!((first - last).abs() < 1e-7 * 138.6, "{first} {last}");
}

#[test]
fn without_control_joints_drift_apart_with_the_square_of_time_and_baumgarte_bounds_it() {
    // Accelerations that are right to the tolerance leave Φ̈ = error: Φ grows with t² (and Baumgarte's terms make it decay).
    let violation = |turns: f64, control: Control| {
        let (outcome, samples, _) = run(&slider_crank(turns, control, 1e-7));
        assert_eq!(outcome.status, Status::Completed);
        largest(&samples, 1)
    };
    let free: Vec<f64> = [10.0, 100.0, 1000.0]
        .map(|turns| violation(turns, Control::None))
        .to_vec();
    let exponent = (free[2] / free[0]).log10() / 2.0;
    assert!((exponent - 2.0).abs() <= 0.3, "{free:?}: {exponent}");
    let control = Control::Baumgarte {
        alpha: 50.0,
        beta: 50.0,
    };
    let held: Vec<f64> = [10.0, 100.0, 1000.0]
        .map(|turns| violation(turns, control))
        .to_vec();
    assert!(held[2] < 2.0 * held[0] && held[2] < 1e-6, "{held:?}");
}

#[test]
fn a_run_without_control_warns_that_the_energy_does_not_balance() {
    // A thousand turns without control: joints open by a millimetre.
    let (outcome, _, _) = run(&slider_crank(1000.0, Control::None, 1e-4));
    assert!(
        outcome.warnings.iter().any(|w| w.code == "energy-residual"),
        "{:?}",
        outcome.ledger
    );
}

#[test]
fn a_guide_written_twice_runs_warns_and_shows_no_reaction_of_its_own() {
    let plain = slider_crank(1.0, Control::Projection, 1e-8);
    let mut doubled = plain.clone();
    doubled.joints.push(joint(
        "second",
        Translational::new(Place::ground([0.3, 0.0]), Place::on(2, [0.01, 0.0])).expect("sound"),
    ));
    doubled.simulation.channels = vec![
        Channel::Driver(0, 0),
        Channel::Joint(3, Effort::ForceY),
        Channel::Joint(4, Effort::ForceY),
        Channel::Joint(0, Effort::ForceX),
    ];
    let (outcome, samples, system) = run(&doubled);
    let (_, known, _) = run(&plain);
    assert_eq!(outcome.status, Status::Completed);
    assert_eq!(system.degrees_of_freedom(), 0);
    let warning = &system.warnings()[0];
    assert_eq!(
        (warning.code, warning.element.as_deref()),
        ("redundant-constraint", Some("joint.second"))
    );
    assert!(warning.message.contains("joint.guide"), "{warning}");
    for (sample, known) in samples.iter().zip(&known) {
        // The motor does not mind; how two guides share their force is nobody's to say.
        assert!(
            (sample.1[0] - known.1[0]).abs() < 1e-5,
            "{} {}",
            sample.1[0],
            known.1[0]
        );
        assert!(sample.1[1].is_nan() && sample.1[2].is_nan() && sample.1[3].is_finite());
    }
    // Asked for nothing, it shows what is unique.
    doubled.simulation.channels.clear();
    let system = System::assemble(&doubled).expect("sound");
    assert!(
        system
            .channels()
            .contains(&Channel::Joint(0, Effort::ForceX))
    );
    assert!(
        !system
            .channels()
            .contains(&Channel::Joint(3, Effort::ForceY))
    );
}

/// The motion of the one-degree pendulum that N four-bars in a row are: inertia ((N + 1)/3 + N) m L², gravity moment ((N + 1)/2 + N) m g L; the angle from the upright.
struct Equivalent(f64);

impl Flow for Equivalent {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = self.0 * y[0].sin();
    }
}

fn n_four_bar(n: usize, rtol: f64) -> Model {
    let rod = Body::rod(1.0, 1.0).expect("sound");
    let up = core::f64::consts::FRAC_PI_2;
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for i in 0..=n {
        let x = i as f64;
        let mut crank = body("crank", rod, [x, 0.5, up], [0.5, 0.0, -1.0]);
        crank.points.push(Point {
            name: "B".into(),
            at: [0.5, 0.0],
        });
        bodies.push(crank);
        joints.push(pin(
            "foot",
            Place::ground([x, 0.0]),
            Place::on(i, [-0.5, 0.0]),
        ));
    }
    for i in 0..n {
        bodies.push(body(
            "coupler",
            rod,
            [i as f64 + 0.5, 1.0, 0.0],
            [1.0, 0.0, 0.0],
        ));
        let c = n + 1 + i;
        joints.push(pin(
            "left",
            Place::on(i, [0.5, 0.0]),
            Place::on(c, [-0.5, 0.0]),
        ));
        joints.push(pin(
            "right",
            Place::on(i + 1, [0.5, 0.0]),
            Place::on(c, [0.5, 0.0]),
        ));
    }
    Model {
        gravity: [0.0, -9.81],
        bodies,
        joints,
        simulation: Simulation {
            end: 20.0,
            output_step: Some(0.1),
            channels: vec![
                Channel::Point(0, 0, Motion::X),
                Channel::Point(0, 0, Motion::Y),
                Channel::Violation,
                Channel::Energy(Account::Residual),
            ],
            ..Simulation::default()
        },
        solver: settings(rtol),
        ..Model::default()
    }
}

#[test]
fn a_row_of_four_bars_goes_through_its_singular_positions_as_one_pendulum() {
    // All links in line twice a turn: every parallelogram could fold there. 20 s, about 35 such positions.
    for (n, limit) in [(1, 1e-7), (4, 1e-7), (40, 1e-6)] {
        let (outcome, samples, system) = run(&n_four_bar(n, 1e-9));
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        assert_eq!(system.degrees_of_freedom(), 1);
        let n = n as f64;
        let inertia = (n + 1.0) / 3.0 + n;
        let moment = ((n + 1.0) / 2.0 + n) * 9.81;
        let mut known = Vec::new();
        let mut solver = Solver::new(settings(1e-13)).expect("sound");
        let mut y = [0.0, 1.0];
        let mut flow = Equivalent(moment / inertia);
        let ended = solver.run_with(&mut flow, 0.0, 20.0, &mut y, Output::Every(0.1), |_, y| {
            known.push([y[0].sin(), y[0].cos()]);
        });
        assert_eq!(ended.status, carom::solve::Status::Completed);
        for (sample, known) in samples.iter().zip(&known) {
            let off = (sample.1[0] - known[0])
                .abs()
                .max((sample.1[1] - known[1]).abs());
            assert!(off < limit, "N = {n}, t = {}: {off:e}", sample.0);
        }
        // Energy from the upright to the lowest position.
        assert!(largest(&samples, 3) < 1e-6 * 2.0 * moment);
    }
}

#[test]
fn positions_that_are_roughly_right_are_closed_and_say_the_same() {
    let exact = slider_crank(1.0, Control::Projection, 1e-8);
    let mut rough = exact.clone();
    for (i, entry) in rough.bodies.iter_mut().enumerate() {
        let off = 0.004 * (1.0 + i as f64);
        entry.position = [entry.position[0] - off, off, 0.05 * (i as f64)];
    }
    let (a, b) = (
        System::assemble(&exact).expect("sound"),
        System::assemble(&rough).expect("sound"),
    );
    for (a, b) in a.start().1.iter().zip(b.start().1) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
    // The rod's and the slider's speeds at the extended dead point: −ω r/l and 0.
    let v = b.start().2;
    let omega = 5000.0 * core::f64::consts::TAU / 60.0;
    assert!((v[5] + omega * 0.05 / 0.12).abs() < 1e-9 && v[6].abs() < 1e-9);
}

#[test]
fn a_loop_that_cannot_be_closed_names_its_joint_and_the_gap() {
    let mut model = slider_crank(1.0, Control::Projection, 1e-8);
    // A guide at a height that crank and rod together do not reach: 0.05 + 0.12 = 0.17 m, and the motor holds the crank level.
    model.joints[3] = joint(
        "guide",
        Translational::new(Place::ground([0.0, 0.2]), Place::on(2, [0.0; 2])).expect("sound"),
    );
    let troubles = System::assemble(&model).expect_err("it cannot be closed");
    let text = troubles[0].to_string();
    assert_eq!(troubles[0].code, "cannot-close");
    // The rod stands upright on the crank's end: 0.2 − 0.12 m are missing.
    assert!(text.contains("0.08000"), "{text}");
}

#[test]
fn drivers_that_contradict_each_other_are_refused() {
    let mut model = slider_crank(1.0, Control::Projection, 1e-8);
    let second = Driver::new(
        Place::ground([0.0; 2]),
        Place::on(0, [0.0; 2]),
        Driven::Turn,
        Function::Linear {
            start: 0.0,
            speed: 1.0,
        },
    );
    model.drivers.push(DriverEntry {
        name: "brake".into(),
        rows: vec![second.expect("sound")],
    });
    let troubles = System::assemble(&model).expect_err("they disagree");
    let text: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    assert!(
        troubles.iter().all(|t| t.code == "inconsistent-velocities"),
        "{text:?}"
    );
    assert!(text.iter().any(|t| t.contains("driver.brake")), "{text:?}");
}

#[test]
fn every_integrator_runs_a_mechanism() {
    use carom::solve::Integrator::*;
    for (integrator, limit) in [
        (Auto, 1e-6),
        (Dop853, 1e-6),
        (Tsit5, 1e-6),
        (Adams, 1e-6),
        (Radau, 1e-6),
        (Bdf, 1e-4),
        (Rk4 { step: 1e-3 }, 1e-6),
        (Verlet { step: 1e-4 }, 1e-5),
    ] {
        let mut model = pendulum(0.8, 2.0, 1e-9);
        model.solver.integrator = integrator;
        model.simulation.end = 1.0;
        let (outcome, samples, _) = run(&model);
        assert_eq!(
            outcome.status,
            Status::Completed,
            "{integrator:?}: {:?}",
            outcome.reason
        );
        let omega = (1.5 * 9.81 / 0.8_f64).sqrt();
        let k = 1.0_f64.sin();
        let known = 2.0 * (k * elliptic::jacobi(elliptic::complete(k * k) + omega, k * k).0).asin();
        let off = (samples.last().expect("samples").1[0] - known).abs();
        assert!(off < limit, "{integrator:?}: {off:e}");
        assert!(
            outcome.ledger.residual.abs() < 10.0 * limit,
            "{integrator:?}: {:e}",
            outcome.ledger.residual
        );
    }
}

#[test]
fn springs_dampers_and_forces_balance_in_the_ledger() {
    // A mass on a spring with a damper, pulled by a force that swings: everything the ledger knows.
    let mass = Body::disc(1.5, 0.1).expect("sound");
    let at = Place::on(0, [0.0; 2]);
    let swing = Function::Harmonic {
        mean: 1.0,
        amplitude: 20.0,
        omega: 7.0,
        phase: 0.3,
    };
    let load = |name: &str, load: Load| LoadEntry {
        name: name.into(),
        load,
    };
    let model = Model {
        gravity: [0.0, -9.81],
        bodies: vec![body("mass", mass, [0.3, 0.1, 0.0], [0.0; 3])],
        loads: vec![
            load(
                "spring",
                Spring::new(Place::ground([0.0; 2]), at, 200.0, 3.0, 0.2, Function::ZERO)
                    .expect("sound")
                    .into(),
            ),
            load(
                "pull",
                PointForce::new(at, Axes::Ground, [swing, Function::ZERO])
                    .expect("sound")
                    .into(),
            ),
        ],
        simulation: Simulation {
            end: 5.0,
            ..Simulation::default()
        },
        solver: settings(1e-10),
        ..Model::default()
    };
    let (outcome, _, system) = run(&model);
    assert_eq!(system.degrees_of_freedom(), 3);
    let ledger = outcome.ledger;
    assert_eq!(ledger.dissipated.len(), 1);
    let (name, heat) = &ledger.dissipated[0];
    assert_eq!(name, "force.spring");
    assert!(*heat > 1.0 && ledger.load_work > 1.0);
    assert!(ledger.residual.abs() < 1e-8, "{:e}", ledger.residual);
}

#[test]
fn the_end_is_a_sample_whether_or_not_it_is_a_multiple_of_the_output_step() {
    for analysis in [Analysis::Dynamic, Analysis::Kinematic] {
        let mut model = slider_crank(1.0, Control::Projection, 1e-8);
        model.simulation.analysis = analysis;
        model.simulation.channels = vec![Channel::Body(0, Motion::Angle)];
        let end = model.simulation.end;
        for (step, count) in [(end / 3.5, 5), (end / 4.0, 5), (2.0 * end, 2), (end, 2)] {
            model.simulation.output_step = Some(step);
            let (_, samples, _) = run(&model);
            assert_eq!(samples.len(), count, "{analysis:?}, {step}");
            let (t, values) = samples.last().expect("samples");
            assert_eq!(*t, end);
            assert!((values[0] - core::f64::consts::TAU).abs() < 1e-12);
        }
    }
}

#[test]
fn a_system_runs_twice_to_the_same_numbers() {
    // Nothing of one run is left for the next: neither multipliers remembered beside singular positions nor factorisations.
    let model = n_four_bar(2, 1e-8);
    let mut system = System::assemble(&model).expect("sound");
    let (mut first, mut second) = (Kept::default(), Kept::default());
    let (a, b) = (system.run(&mut first), system.run(&mut second));
    assert_eq!(first.0, second.0);
    assert_eq!(
        (a.statistics, a.ledger, a.warnings),
        (b.statistics, b.ledger, b.warnings)
    );
}

#[test]
fn a_velocity_that_is_given_is_held_and_the_others_follow() {
    // The angular velocity of a pinned rod alone: its mass centre follows, ω L/2 across.
    let mut model = pendulum(0.8, 0.3, 1e-8);
    model.bodies[0].velocity = [0.0, 0.0, 4.0];
    let system = System::assemble(&model).expect("sound");
    let v = system.start().2;
    let (s, c) = 0.3_f64.sin_cos();
    for (found, known) in v.iter().zip([1.6 * c, 1.6 * s, 4.0]) {
        assert!((found - known).abs() < 1e-12, "{v:?}");
    }
    assert!(system.warnings().is_empty());
    // The second rod of two turns, and the first, of which nothing is said, rests.
    let mut model = double_pendulum(1.0, 1e-8);
    model.bodies[1].velocity = [0.0, 0.0, 2.0];
    let system = System::assemble(&model).expect("sound");
    let v = system.start().2;
    for (found, known) in v.iter().zip([0.0, 0.0, 0.0, 0.0, 1.0, 2.0]) {
        assert!((found - known).abs() < 1e-12, "{v:?}");
    }
}

#[test]
fn a_velocity_that_the_joints_do_not_allow_is_changed_with_a_warning() {
    let mut model = pendulum(0.8, 0.0, 1e-8);
    // Straight down, away from the pin.
    model.bodies[0].velocity = [0.0, -1.0, 0.0];
    let system = System::assemble(&model).expect("sound");
    assert!(system.start().2[1].abs() < 1e-12);
    let warning = &system.warnings()[0];
    assert_eq!(
        (warning.code, warning.element.as_deref()),
        ("velocity-changed", Some("body.rod"))
    );
    assert!(warning.message.contains("-1 m/s was given"), "{warning}");
}

/// A block that is driven to and fro along a guide, with a damper: (model, heat up to the end).
fn driven_to_and_fro() -> (Model, f64) {
    let (amplitude, omega, damping) = (0.1, 5.0, 3.0);
    let block = Place::on(0, [0.0; 2]);
    let swing = Function::Harmonic {
        mean: 1.0,
        amplitude,
        omega,
        phase: 0.0,
    };
    let end = core::f64::consts::TAU / omega;
    let model = Model {
        bodies: vec![body(
            "block",
            Body::new(1.0, 1.0).expect("sound"),
            [1.0, 0.0, 0.0],
            [0.0; 3],
        )],
        joints: vec![joint(
            "guide",
            Translational::new(Place::ground([0.0; 2]), block).expect("sound"),
        )],
        drivers: vec![DriverEntry {
            name: "motor".into(),
            rows: vec![
                Driver::new(Place::ground([0.0; 2]), block, Driven::Along, swing).expect("sound"),
            ],
        }],
        loads: vec![LoadEntry {
            name: "damper".into(),
            load: Spring::new(
                Place::ground([0.0; 2]),
                block,
                0.0,
                damping,
                1.0,
                Function::ZERO,
            )
            .expect("sound")
            .into(),
        }],
        simulation: Simulation {
            end,
            channels: vec![
                Channel::Energy(Account::Dissipated),
                Channel::Energy(Account::Residual),
            ],
            ..Simulation::default()
        },
        solver: settings(1e-8),
        ..Model::default()
    };
    // ∫ c (A ω cos ωt)² dt over a period.
    (
        model,
        damping * amplitude * amplitude * omega * core::f64::consts::PI,
    )
}

#[test]
fn works_are_as_exact_as_the_tolerance_asks_even_where_the_motion_is_known() {
    // The driver leaves no freedom: the motion costs nothing, and only the heat asks for steps.
    let (model, heat) = driven_to_and_fro();
    let (outcome, samples, _) = run(&model);
    assert_eq!(outcome.status, Status::Completed);
    let found = samples.last().expect("samples").1[0];
    assert!((found - heat).abs() < 1e-6 * heat, "{found} {heat}");
}

#[test]
fn works_under_verlet_belong_to_the_time_of_their_sample() {
    let (mut model, heat) = driven_to_and_fro();
    model.solver.integrator = carom::solve::Integrator::Verlet { step: 1e-3 };
    // Between steps as well as at them.
    model.simulation.output_step = Some(1.7e-3);
    let (_, samples, _) = run(&model);
    for (t, values) in &samples {
        let known = heat * (5.0 * t + 0.5 * (10.0 * t).sin()) / core::f64::consts::TAU;
        assert!(
            (values[0] - known).abs() < 1e-4 * heat,
            "t = {t}: {} {known}",
            values[0]
        );
    }
}
