//! Do joints with friction hold, let go and slide as closed forms say?

mod built;

use core::f64::consts::FRAC_PI_2;
use core::f64::consts::PI;

use carom::card::Values;
use carom::friction;
use carom::mechanics::Moment;
use carom::mechanics::*;
use carom::model::*;
use carom::solve::Integrator;
use carom::system::*;

use built::{Samples, body, joint, run_system};

const G: f64 = 9.81;

fn law(id: &str, values: &[(&str, f64)]) -> friction::Law {
    let values = values
        .iter()
        .fold(Values::new(), |all, (name, value)| all.number(name, *value));
    friction::Law::new(friction::find(id).expect("known"), &values).expect("sound")
}

fn coulomb(coefficient: f64) -> friction::Law {
    law("coulomb", &[("coefficient", coefficient)])
}

fn rub(model: &mut Model, joint: usize, friction: Result<JointFriction, carom::mechanics::Fault>) {
    model.frictions.push(FrictionEntry {
        name: model.joints[joint].name.clone(),
        joint,
        friction: friction.expect("sound"),
    });
}

fn load(model: &mut Model, name: &str, load: impl Into<Load>) {
    model.loads.push(LoadEntry {
        name: name.into(),
        load: load.into(),
    });
}

/// A block of `mass` (kg) on a rail along x; its mass centre stands `height` (m) above the rail.
fn block(mass: f64, height: f64, speed: f64) -> Model {
    let mut model = Model::default();
    model.bodies.push(body(
        "block",
        Body::rectangle(mass, [0.2, 0.1]).expect("sound"),
        [0.0, height, 0.0],
        [speed, 0.0, 0.0],
    ));
    let rail = Translational::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, -height]));
    model.joints.push(joint("rail", rail.expect("sound")));
    model.gravity = [0.0, -G];
    model.solver.rtol = 1e-10;
    model
}

fn slides(model: &mut Model, length: Option<f64>, law: friction::Law) {
    let friction = JointFriction::translational(&model.joints[0].joint, length, law);
    rub(model, 0, friction);
}

/// A force along x on the mass centre of a body.
fn pull(model: &mut Model, on: usize, force: Function) {
    let place = Place::on(on, [0.0, 0.0]);
    let force = PointForce::new(place, Axes::Ground, [force, Function::ZERO]);
    load(model, "pull", force.expect("sound"));
}

fn ramp(speed: f64) -> Function {
    Function::Linear { start: 0.0, speed }
}

#[track_caller]
fn run(model: &Model) -> (Outcome, Samples) {
    let (outcome, samples, _) = run_system(model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    println!(
        "residual {:e}, {:?}",
        outcome.ledger.residual, outcome.statistics
    );
    (outcome, samples)
}

#[track_caller]
fn near(found: f64, known: f64, within: f64) {
    assert!(
        (found - known).abs() <= within,
        "{found} is not {known}, by {:e}",
        found - known
    );
}

#[test]
fn a_block_on_a_rail_holds_until_the_pull_is_as_large_as_friction_and_then_slides() {
    let (m, mu, c) = (2.0, 0.3, 4.0);
    for integrator in [
        Integrator::Dop853,
        Integrator::Tsit5,
        Integrator::Radau,
        Integrator::Auto,
    ] {
        let mut model = block(m, 0.0, 0.0);
        slides(&mut model, None, coulomb(mu));
        pull(&mut model, 0, ramp(c));
        model.solver.integrator = integrator;
        // c t = μ m g.
        let lets_go = mu * m * G / c;
        model.simulation.end = lets_go + 2.0;
        model.simulation.output_step = Some(0.01);
        model.simulation.channels = vec![
            Channel::Body(0, Motion::X),
            Channel::Body(0, Motion::Vx),
            Channel::JointFriction(0),
            Channel::Energy(Account::Residual),
        ];
        let (outcome, samples) = run(&model);
        for (t, values) in &samples {
            let on = (t - lets_go).max(0.0);
            near(values[0], c * on.powi(3) / (6.0 * m), 1e-9);
            near(values[1], c * on.powi(2) / (2.0 * m), 1e-9);
            // While it holds, friction is the pull's opposite; then it is the limit.
            near(values[2], -(c * t).min(mu * m * G), 1e-9);
            near(values[3], 0.0, 1e-9);
        }
        assert!(outcome.statistics.events <= 3, "{:?}", outcome.statistics);
    }
}

#[test]
fn a_pull_to_and_fro_moves_a_block_only_where_it_is_larger_than_friction() {
    // P = A sin ω t with A < μ m g never moves it; the run takes no more events than it takes to begin.
    let mut model = block(2.0, 0.0, 0.0);
    slides(&mut model, None, coulomb(0.3));
    let swing = |amplitude| Function::Harmonic {
        mean: 0.0,
        amplitude,
        omega: 7.0,
        phase: 0.0,
    };
    pull(&mut model, 0, swing(0.999 * 0.3 * 2.0 * G));
    model.simulation.end = 20.0;
    let (outcome, _) = run(&model);
    assert_eq!(outcome.positions[0], 0.0);
    assert_eq!(outcome.ledger.dissipated[0].1, 0.0);
    // With A = 2 μ m g it lets go where sin ω t = 1/2, and slides until the impulse is used up; friction does not bring in energy, and the ledger closes.
    model.loads.clear();
    pull(&mut model, 0, swing(2.0 * 0.3 * 2.0 * G));
    model.simulation.output_step = Some(1e-3);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Vx),
        Channel::Energy(Account::Dissipated),
        Channel::Energy(Account::Residual),
    ];
    let (outcome, samples) = run(&model);
    let first = samples.iter().find(|(_, values)| values[0] != 0.0);
    let first = first.expect("it moves").0;
    near(first, PI / 6.0 / 7.0, 1e-3);
    for pair in samples.windows(2) {
        assert!(pair[1].1[1] >= pair[0].1[1] - 1e-10);
    }
    near(outcome.ledger.residual, 0.0, 1e-8);
}

#[test]
fn a_mass_on_a_spring_loses_the_same_amplitude_in_every_half_swing_and_stops_where_it_must() {
    // m x″ = −k x ∓ μ m g: half a swing is a cosine about ±d, d = μ m g/k, and takes π √(m/k); the amplitude falls by 2 d each, until it is within d.
    let (m, mu, k, start) = (2.0, 0.2, 200.0, 0.23);
    let d = mu * m * G / k;
    let half = PI * (m / k).sqrt();
    for integrator in [Integrator::Dop853, Integrator::Radau] {
        let mut model = block(m, 0.0, 0.0);
        model.bodies[0].position[0] = start;
        slides(&mut model, None, coulomb(mu));
        let (far, here) = (Place::ground([-1.0, 0.0]), Place::on(0, [0.0, 0.0]));
        let spring = Spring::new(far, here, k, 0.0, 1.0, Function::ZERO);
        load(&mut model, "spring", spring.expect("sound"));
        model.solver.integrator = integrator;
        model.simulation.end = 20.0;
        model.simulation.output_step = Some(0.01);
        model.simulation.channels = vec![
            Channel::Body(0, Motion::X),
            Channel::Body(0, Motion::Vx),
            Channel::JointFriction(0),
        ];
        let known = |t: f64| {
            let (mut side, mut amplitude, mut t) = (1.0, start, t);
            while amplitude > d {
                if t < half {
                    let c = (t * (k / m).sqrt()).cos();
                    return side * (d + (amplitude - d) * c);
                }
                (side, amplitude, t) = (-side, amplitude - 2.0 * d, t - half);
            }
            side * amplitude
        };
        let (outcome, samples) = run(&model);
        for (t, values) in &samples {
            near(values[0], known(*t), 1e-8);
        }
        // d = 19.62 mm: 230 − 6 · 39.24 = −5.4 mm after six half swings, within d.
        let (t, last) = samples.last().expect("sampled");
        near(last[0], known(*t), 1e-9);
        assert!(last[0].abs() < d);
        assert!(last[1].abs() < 1e-15, "{}", last[1]);
        // There it is held by the spring's opposite.
        near(last[2], k * last[0], 1e-6);
        near(outcome.ledger.residual, 0.0, 1e-8);
        let heat = 0.5 * k * (start * start - last[0] * last[0]);
        near(outcome.ledger.dissipated[0].1, heat, 1e-8);
    }
}

/// A rod of 1 m and 3 kg that hangs from its end at the origin, `angle` (rad) from the vertical.
fn rod(angle: f64) -> Model {
    let turned = angle - FRAC_PI_2;
    let (sin, cos) = turned.sin_cos();
    let mut model = Model::default();
    model.bodies.push(body(
        "rod",
        Body::rod(3.0, 1.0).expect("sound"),
        [0.5 * cos, 0.5 * sin, turned],
        [0.0; 3],
    ));
    let pin = Revolute::new(Place::ground([0.0, 0.0]), Place::on(0, [-0.5, 0.0]));
    model.joints.push(joint("pin", pin.expect("sound")));
    model.gravity = [0.0, -G];
    model.solver.rtol = 1e-10;
    model
}

#[test]
fn a_pendulum_with_dry_friction_in_its_pin_comes_to_rest_at_an_angle_and_stays_there() {
    // Small angles, N = m g: half a swing is a cosine about ±d, d = μ r/l with l from the pin to the mass centre; 20 → 14 → 8 → 2 mrad, within d = 3 mrad.
    let (mu, r, l, start) = (0.3, 0.005, 0.5, 0.02);
    let d = mu * r / l;
    let mut model = rod(start);
    let friction = JointFriction::revolute(&model.joints[0].joint, r, coulomb(mu));
    rub(&mut model, 0, friction);
    let half = PI * (1.0_f64 / (3.0 * G * l)).sqrt();
    model.simulation.end = 100.0;
    model.simulation.output_step = Some(half);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Body(0, Motion::Omega),
        Channel::JointFriction(0),
    ];
    let (outcome, samples) = run(&model);
    let angle = |k: usize| samples[k].1[0] + FRAC_PI_2;
    for (k, known) in [
        (1, -(start - 2.0 * d)),
        (2, start - 4.0 * d),
        (3, -(start - 6.0 * d)),
    ] {
        // N differs from m g by θ² and by what turns fast, some 4e-4 of it at most.
        near(angle(k), known, 5e-6);
    }
    let rest = samples[4].1[0];
    for (_, values) in &samples[4..] {
        // Weight and reaction cancel to rounding, some 1e-16 of g, and at rest a step takes tens of seconds: between steps the mass centre is off by that much, and closing the pin makes an angle of it.
        near(values[0], rest, 1e-13);
        assert!(values[1].abs() < 1e-13);
        // It is held by the weight's opposite.
        near(values[2], 3.0 * G * l * (rest + FRAC_PI_2).sin(), 1e-12);
    }
    near(outcome.ledger.residual, 0.0, 1e-9);
    // It says so itself: held from the end of the third half swing on.
    let [held] = &outcome.held[..] else {
        panic!("{:?}", outcome.held);
    };
    assert_eq!(held.joint, "joint.pin.friction");
    near(held.stick_time, 100.0 - 3.0 * half, 1e-3);
    assert!(held.drift < 1e-16, "{held:?}");
    assert!(
        outcome.statistics.steps_accepted < 1000,
        "{:?}",
        outcome.statistics
    );
}

#[test]
fn a_wheel_with_karnopps_law_in_its_pin_lets_go_at_the_static_limit_and_slides_at_the_kinetic_one()
{
    let (m, r, mu_s, mu_d, band, c) = (5.0, 0.02, 0.5, 0.3, 1e-4, 0.3);
    let disc = Body::disc(m, 0.1).expect("sound");
    let mut model = Model::default();
    model.bodies.push(body("disc", disc, [0.0; 3], [0.0; 3]));
    let pin = Revolute::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.0]));
    model.joints.push(joint("pin", pin.expect("sound")));
    model.gravity = [0.0, -G];
    model.solver.rtol = 1e-10;
    let karnopp = law(
        "karnopp",
        &[
            ("static_coefficient", mu_s),
            ("kinetic_coefficient", mu_d),
            ("dead_band", band),
        ],
    );
    let friction = JointFriction::revolute(&model.joints[0].joint, r, karnopp);
    rub(&mut model, 0, friction);
    let moment = Moment::new(Some(0), None, ramp(c));
    load(&mut model, "motor", moment.expect("sound"));
    // Held until c t = μs r m g; at this limit until r ω is out of the band, c (t − t0)²/(2 I) = band/r; then against μd r m g.
    let t0 = mu_s * r * m * G / c;
    let t1 = t0 + (2.0 * disc.inertia() * band / (r * c)).sqrt();
    let end = t1 + 1.0;
    let omega = band / r
        + (0.5 * c * (end * end - t1 * t1) - mu_d * r * m * G * (end - t1)) / disc.inertia();
    model.simulation.end = end;
    let (outcome, _) = run(&model);
    near(outcome.velocities[2], omega, 1e-8);
    near(outcome.ledger.residual, 0.0, 1e-8);

    // Without a motor it runs down at the kinetic limit, and what is left of its speed in the band is taken out at once, and booked.
    model.loads.clear();
    model.bodies[0].velocity[2] = 10.0;
    model.simulation.end = 20.0;
    let (outcome, _) = run(&model);
    assert!(outcome.velocities[2].abs() < 1e-15);
    let all = 0.5 * disc.inertia() * 100.0;
    near(outcome.ledger.dissipated[0].1, all, 1e-9 * all);
    // ω falls by μd r m g/I a second, until r ω = band.
    let slows = mu_d * r * m * G / disc.inertia();
    let turned = (100.0 - (band / r).powi(2)) / (2.0 * slows);
    near(outcome.positions[2], turned, 1e-8);
}

/// Crank (0.1 m), rod (0.3 m) and slider along x, all joints rubbing by the same law; the crank stands at `angle`.
fn slider_crank(angle: f64, of: &friction::Law) -> Model {
    let (a, b, radius) = (0.1_f64, 0.3_f64, 0.01);
    let (sin, cos) = angle.sin_cos();
    let tilt = -(a * sin / b).asin();
    let slider = a * cos + b * tilt.cos();
    let mut model = Model::default();
    let rod = |mass, length| Body::rod(mass, length).expect("sound");
    model.bodies.push(body(
        "crank",
        rod(0.5, a),
        [0.5 * a * cos, 0.5 * a * sin, angle],
        [0.0; 3],
    ));
    model.bodies.push(body(
        "rod",
        rod(0.8, b),
        [
            a * cos + 0.5 * b * tilt.cos(),
            a * sin + 0.5 * b * tilt.sin(),
            tilt,
        ],
        [0.0; 3],
    ));
    let block = Body::rectangle(1.2, [0.1, 0.05]).expect("sound");
    model
        .bodies
        .push(body("slider", block, [slider, 0.0, 0.0], [0.0; 3]));
    let pin = |a, b| Revolute::new(a, b).expect("sound");
    let ground = Place::ground([0.0, 0.0]);
    model
        .joints
        .push(joint("main", pin(ground, Place::on(0, [-0.5 * a, 0.0]))));
    model.joints.push(joint(
        "knee",
        pin(Place::on(0, [0.5 * a, 0.0]), Place::on(1, [-0.5 * b, 0.0])),
    ));
    model.joints.push(joint(
        "wrist",
        pin(Place::on(1, [0.5 * b, 0.0]), Place::on(2, [0.0, 0.0])),
    ));
    let guide = Translational::new(ground, Place::on(2, [0.0, 0.0])).expect("sound");
    model.joints.push(joint("guide", guide));
    for pin in 0..3 {
        let friction = JointFriction::revolute(&model.joints[pin].joint, radius, of.clone());
        rub(&mut model, pin, friction);
    }
    let friction = JointFriction::translational(&model.joints[3].joint, Some(0.1), of.clone());
    rub(&mut model, 3, friction);
    model.gravity = [0.0, -G];
    model.solver.rtol = 1e-9;
    model
}

/// The moment (N m) on the crank that bears the weights: d/dθ of (m_crank + m_rod) g (a/2) sin θ.
fn balance(angle: f64) -> f64 {
    1.3 * G * 0.05 * angle.cos()
}

fn motor(model: &mut Model, turns: Function) {
    let driver = Driver::new(
        Place::ground([0.0, 0.0]),
        Place::on(0, [-0.05, 0.0]),
        Driven::Turn,
        turns,
    );
    model.drivers.push(DriverEntry {
        name: "motor".into(),
        rows: vec![driver.expect("sound")],
    });
}

#[test]
fn the_friction_of_a_driven_slider_crank_changes_its_sign_at_the_dead_points_and_the_ledger_closes()
{
    let omega = 10.0;
    let mut model = slider_crank(1.0, &coulomb(0.2));
    motor(
        &mut model,
        Function::Linear {
            start: 1.0,
            speed: omega,
        },
    );
    model.simulation.end = 2.0;
    model.simulation.output_step = Some(1e-3);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Body(2, Motion::Vx),
        Channel::JointFriction(3),
        Channel::JointFriction(0),
        Channel::JointFriction(1),
        Channel::Body(0, Motion::Omega),
        Channel::Body(1, Motion::Omega),
        Channel::Energy(Account::Residual),
        Channel::Joint(3, Effort::ForceY),
        Channel::Joint(3, Effort::Moment),
    ];
    let (outcome, samples) = run(&model);
    let mut flips = 0;
    for pair in samples.windows(2) {
        let (before, now) = (&pair[0].1, &pair[1].1);
        if before[2] * now[2] < 0.0 {
            flips += 1;
            // At a dead point the crank's angle is a multiple of π.
            let turns = |angle: f64| (angle / PI).floor();
            assert_ne!(turns(before[0]), turns(now[0]));
        }
    }
    for (t, values) in &samples {
        assert!(values[2] * values[1] <= 0.0, "{t}: {values:?}");
        assert!(values[3] < 0.0);
        // Of the crank's end: the rod turns against the crank.
        assert!(
            values[4] * (values[6] - values[5]) <= 0.0,
            "{t}: {values:?}"
        );
        near(values[7], 0.0, 1e-7);
        // The guide rubs by what presses its pads.
        let normal = values[8].abs().max(2.0 * values[9].abs() / 0.1);
        near(values[2].abs(), 0.2 * normal, 1e-9 * normal);
    }
    // 20 rad are some six half turns.
    assert_eq!(flips, 6);
    assert!(outcome.ledger.dissipated.iter().all(|d| d.1 > 0.0));
    assert_eq!(outcome.ledger.dissipated.len(), 4);
}

#[test]
fn a_driven_slider_crank_that_starts_from_rest_and_stops_rubs_while_it_moves() {
    // The crank goes to and fro: 1 + 0.3 (1 − cos 2 t). Nothing but the driver can move it, so that nothing can hold it either.
    let mut model = slider_crank(1.0, &coulomb(0.2));
    motor(
        &mut model,
        Function::Harmonic {
            mean: 1.3,
            amplitude: -0.3,
            omega: 2.0,
            phase: FRAC_PI_2,
        },
    );
    model.simulation.end = 5.0;
    model.simulation.output_step = Some(1e-2);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Omega),
        Channel::JointFriction(0),
        Channel::Joint(0, Effort::ForceX),
        Channel::Joint(0, Effort::ForceY),
        Channel::Energy(Account::Residual),
    ];
    let (_, samples) = run(&model);
    for (_, values) in &samples[1..] {
        if values[0].abs() > 1e-3 {
            let normal = values[2].hypot(values[3]);
            near(
                values[1],
                -values[0].signum() * 0.2 * 0.01 * normal,
                1e-10 * normal,
            );
        }
        near(values[4], 0.0, 1e-8);
    }
}

#[test]
fn a_slider_crank_that_turns_freely_passes_its_dead_points_and_comes_to_rest() {
    let mut model = slider_crank(2.2, &coulomb(0.25));
    model.bodies[0].velocity[2] = -40.0;
    model.simulation.end = 10.0;
    model.simulation.output_step = Some(1e-3);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Body(0, Motion::Omega),
        Channel::Energy(Account::Dissipated),
        Channel::Energy(Account::Residual),
    ];
    let (_, samples) = run(&model);
    let (_, last) = samples.last().expect("sampled");
    let moved = samples.iter().rev().find(|(_, v)| v[1].abs() > 1e-12);
    println!("{last:?}, last moved at {:?}", moved.map(|m| m.0));
    assert!(last[1].abs() < 1e-12, "{last:?}");
    assert!(last[0] < -PI);
    for pair in samples.windows(2) {
        assert!(pair[1].1[2] >= pair[0].1[2] - 1e-9, "{pair:?}");
        near(pair[1].1[3], 0.0, 1e-6);
    }
}

#[test]
fn a_slider_crank_at_rest_lets_go_at_the_moment_that_moves_it_against_friction_in_all_joints() {
    let c = 0.05;
    let mut model = slider_crank(2.2, &coulomb(0.25));
    let rising = Function::Linear {
        start: balance(2.2),
        speed: c,
    };
    let moment = Moment::new(Some(0), None, rising);
    load(&mut model, "motor", moment.expect("sound"));
    model.simulation.end = 20.0;
    model.simulation.output_step = Some(1e-2);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Energy(Account::Residual),
        Channel::Energy(Account::Dissipated),
    ];
    let (outcome, samples) = run(&model);
    let moves = samples.iter().position(|(_, v)| (v[0] - 2.2).abs() > 1e-6);
    let moves = moves.expect("it moves");
    assert!(
        samples[..moves]
            .iter()
            .any(|(t, v)| *t > 0.1 && (v[0] - 2.2).abs() < 1e-12)
    );
    assert!(samples[moves].1[0] > 2.2);
    // The same mechanism, creeping: with a law that is full at the smallest speed, the moment under which it is not accelerated.
    let full = law(
        "ambrosio",
        &[("coefficient", 0.25), ("v0", 1e-12), ("v1", 1e-11)],
    );
    let creeping = slider_crank(2.2, &full);
    let acceleration = |moment: f64| {
        let mut model = creeping.clone();
        let held = Moment::new(Some(0), None, Function::Constant(moment));
        load(&mut model, "motor", held.expect("sound"));
        model.bodies[0].velocity[2] = 1e-6;
        let mut system = System::assemble(&model).expect("goes together");
        let (t, q, v) = system.start();
        let (q, v) = (q.to_vec(), v.to_vec());
        let _ = system.evaluate(t, &q, &v).expect("solves");
        system.accelerations()[2]
    };
    let (mut low, mut high) = (balance(2.2), 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if acceleration(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let lets_go = (low - balance(2.2)) / c;
    let moved = samples[moves].0;
    println!("lets go at {low} N m, t = {lets_go} s; moved by 1e-6 rad at {moved} s");
    // From there on the angle grows like the cube of time: 1e-6 rad are there a hundredth of a second later.
    assert!(moved >= lets_go && moved <= lets_go + 0.02);
    let worst = samples.iter().fold(0.0_f64, |m, (_, v)| m.max(v[1].abs()));
    assert!(worst < 1e-7, "{worst:e}");
    assert!(outcome.ledger.dissipated.iter().all(|d| d.1 > 0.0));
}

#[test]
fn a_jammed_slider_holds_whatever_pulls_it_and_one_that_slides_into_its_jam_says_so() {
    // Pulled at height h above a guide of length L the pads press with 2 P h/L: with 2 μ h/L > 1 they hold any pull.
    let (mu, length) = (0.3, 0.2);
    for (height, holds) in [(0.32, false), (0.34, true)] {
        let mut model = block(2.0, height, 0.0);
        slides(&mut model, Some(length), coulomb(mu));
        pull(&mut model, 0, ramp(1e3));
        model.simulation.end = 1.0;
        if holds {
            let (outcome, _) = run(&model);
            near(outcome.positions[0], 0.0, 1e-15);
        } else {
            // Where it does not hold, it holds until the pull is what the weight's pads and those of the moment give together: P = μ max(m g, 2 P h/L), that is to μ m g.
            let (outcome, _) = run(&model);
            let on = 1.0 - mu * 2.0 * G / 1e3;
            near(outcome.positions[0], 1e3 * on.powi(3) / 12.0, 1e-8);
        }
    }
    let mut model = block(2.0, 0.34, 1.0);
    slides(&mut model, Some(length), coulomb(mu));
    model.simulation.end = 1.0;
    let mut system = System::assemble(&model).expect("goes together");
    let outcome = system.run(&mut ());
    assert_eq!(outcome.status, Status::Failed);
    let reason = outcome.reason.expect("said");
    assert!(
        reason.contains("joint.rail") && reason.contains("jams"),
        "{reason}"
    );
}

/// A block of 2 kg pulled slowly: what is seen of its friction, speed and residual.
fn pulled(of: friction::Law, rate: f64, end: f64) -> (Outcome, Samples) {
    let mut model = block(2.0, 0.0, 0.0);
    slides(&mut model, None, of);
    pull(&mut model, 0, ramp(rate));
    model.simulation.end = end;
    model.simulation.output_step = Some(end / 5000.0);
    model.solver.rtol = 1e-8;
    model.simulation.channels = vec![
        Channel::JointFriction(0),
        Channel::Body(0, Motion::X),
        Channel::Body(0, Motion::Vx),
        Channel::Energy(Account::Residual),
        Channel::Energy(Account::Elastic),
        Channel::Energy(Account::Dissipated),
    ];
    let (outcome, samples) = run(&model);
    for (t, values) in &samples {
        assert!(values[3].abs() < 1e-7, "{t}: {values:?}");
    }
    (outcome, samples)
}

#[test]
fn bristles_break_away_at_their_limits() {
    let (mu_s, mu_d, stiffness) = (0.4, 0.3, 1e5);
    let weight = 2.0 * G;
    let damping = 2.0 * (2.0_f64 * stiffness).sqrt();
    let spring = [("coefficient", mu_s), ("stiffness", stiffness)];
    let two = [
        ("static_coefficient", mu_s),
        ("kinetic_coefficient", mu_d),
        ("stiffness", stiffness),
        ("damping", damping),
    ];
    let mut lugre = two.to_vec();
    lugre.extend([("stribeck_speed", 0.05), ("viscous", 0.0)]);
    let mut damped = spring.to_vec();
    damped.push(("damping", damping));
    for (id, values, peak, last) in [
        ("tangential-spring", &damped[..], mu_s, mu_s),
        ("dahl", &spring[..], mu_s, mu_s),
        (
            "reset-integrator",
            &two[..],
            mu_s + damping * 4.0 / (stiffness * mu_s / mu_d) / weight,
            mu_d,
        ),
        ("lugre", &lugre[..], mu_s, mu_d),
    ] {
        let (outcome, samples) = pulled(law(id, values), 4.0, 3.0);
        let most = samples.iter().map(|s| -s.1[0]).fold(0.0, f64::max);
        let (_, end) = samples.last().expect("sampled");
        println!(
            "{id}: {} of the weight at most, {} at the end, x = {}",
            most / weight,
            -end[0] / weight,
            end[1]
        );
        // The damper of the reset integrator adds σ1 v, v being the rate of the load over the stiffness. LuGre breaks away a little before its limit where the load rises (Canudas de Wit et al. 1995, section on break-away).
        let within = if id == "lugre" { 0.03 } else { 1e-3 };
        near(most / weight, peak, within * peak);
        near(-end[0] / weight, last, 1e-4);
        assert!(end[1] > 0.01);
        // Before, it is a spring: half the limit bends it by P/k, with Dahl by more.
        let (t, half) = &samples[samples.len() / 3];
        let stiff = if id == "reset-integrator" {
            mu_s / mu_d * stiffness
        } else {
            stiffness
        };
        let bends = match id {
            // F = μ N (1 − e^(−k x/(μ N))).
            "dahl" | "lugre" => -(1.0 - 4.0 * t / (mu_s * weight)).ln() * mu_s * weight / stiff,
            _ => 4.0 * t / stiff,
        };
        near(half[1], bends, 2e-2 * bends);
        assert!(outcome.ledger.dissipated[0].1 > 0.0);
    }
}

#[test]
fn a_spring_in_a_rail_holds_a_load_for_good_and_gives_it_back() {
    let stiffness = 1e4;
    for (id, values, stiff) in [
        (
            "tangential-spring",
            vec![
                ("coefficient", 0.4),
                ("stiffness", stiffness),
                ("damping", 200.0),
            ],
            stiffness,
        ),
        (
            "reset-integrator",
            vec![
                ("static_coefficient", 0.4),
                ("kinetic_coefficient", 0.3),
                ("stiffness", stiffness),
                ("damping", 200.0),
            ],
            stiffness * 0.4 / 0.3,
        ),
    ] {
        let mut model = block(2.0, 0.0, 0.0);
        slides(&mut model, None, law(id, &values));
        pull(&mut model, 0, Function::Constant(5.0));
        model.simulation.end = 100.0;
        model.simulation.output_step = Some(50.0);
        model.simulation.channels = vec![
            Channel::Body(0, Motion::X),
            Channel::Energy(Account::Elastic),
        ];
        model.solver.integrator = Integrator::Auto;
        let (outcome, samples) = run(&model);
        let bends = 5.0 / stiff;
        near(samples[1].1[0], bends, 1e-9 * bends + 1e-10);
        near(samples[2].1[0], samples[1].1[0], 1e-10);
        near(samples[2].1[1], 0.5 * 5.0 * bends, 1e-6 * 5.0 * bends);
        near(outcome.ledger.residual, 0.0, 1e-9);
    }
}

#[test]
fn a_block_on_a_spring_of_friction_swings_about_where_it_holds_and_slips_at_each_end_alike() {
    // Pulled to and fro by more than it can bear: every cycle slips both ways, and the heat is the limit times the way slipped.
    let mut model = block(2.0, 0.0, 0.0);
    slides(
        &mut model,
        None,
        law(
            "tangential-spring",
            &[("coefficient", 0.2), ("stiffness", 1e4), ("damping", 50.0)],
        ),
    );
    pull(
        &mut model,
        0,
        Function::Harmonic {
            mean: 0.0,
            amplitude: 8.0,
            omega: 5.0,
            phase: 0.0,
        },
    );
    model.simulation.end = 10.0;
    model.simulation.output_step = Some(1e-3);
    model.simulation.channels = vec![
        Channel::JointFriction(0),
        Channel::Energy(Account::Dissipated),
        Channel::Energy(Account::Residual),
    ];
    let (_, samples) = run(&model);
    let limit = 0.2 * 2.0 * G;
    for pair in samples.windows(2) {
        assert!(pair[1].1[0].abs() <= limit * (1.0 + 1e-9));
        assert!(pair[1].1[1] >= pair[0].1[1] - 1e-9);
        near(pair[1].1[2], 0.0, 1e-7);
    }
    assert!(samples.iter().any(|s| s.1[0] > limit * (1.0 - 1e-9)));
    assert!(samples.iter().any(|s| s.1[0] < -limit * (1.0 - 1e-9)));
}

#[test]
fn every_law_but_that_of_rolling_runs_in_a_pin_and_in_a_rail_and_its_energies_balance() {
    for card in friction::cards() {
        let values = card.parameters.iter().fold(Values::new(), |all, p| {
            let value = match p.name {
                "static_coefficient" => 0.35,
                "stiffness" => 2e4,
                "damping" => 20.0,
                "v0" => 1e-3,
                "v1" => 1e-2,
                "dead_band" => 1e-4,
                name if name.contains("speed") => 1e-2,
                name if name.contains("coefficient") => 0.25,
                _ => 1.0,
            };
            all.number(p.name, value)
        });
        let made = friction::Law::new(card, &values).expect("sound");
        let mut model = rod(0.6);
        let friction = JointFriction::revolute(&model.joints[0].joint, 0.05, made.clone());
        if card.family == friction::Family::Rolling {
            let text = friction.expect_err("refused").to_string();
            assert!(
                text.contains("rolling") && text.contains("coulomb"),
                "{text}"
            );
            continue;
        }
        rub(&mut model, 0, friction);
        model.simulation.end = 4.0;
        model.solver.rtol = 1e-8;
        model.solver.integrator = Integrator::Auto;
        println!("{} in a pin", card.id);
        let (outcome, _) = run(&model);
        near(outcome.ledger.residual, 0.0, 1e-5);
        assert!(outcome.ledger.dissipated[0].1 > 0.1, "{}", card.id);

        let mut model = block(2.0, 0.05, 1.0);
        slides(&mut model, Some(0.2), made);
        let (far, here) = (Place::ground([-1.0, 0.0]), Place::on(0, [0.0, -0.05]));
        let spring = Spring::new(far, here, 100.0, 0.0, 1.0, Function::ZERO);
        load(&mut model, "spring", spring.expect("sound"));
        model.simulation.end = 3.0;
        model.solver.rtol = 1e-8;
        model.solver.integrator = Integrator::Auto;
        println!("{} in a rail", card.id);
        let (outcome, _) = run(&model);
        near(outcome.ledger.residual, 0.0, 1e-5);
        assert!(outcome.ledger.dissipated[0].1 > 0.5, "{}", card.id);
    }
}

#[test]
fn a_right_hand_side_with_joints_that_hold_allocates_nothing() {
    let mut model = slider_crank(2.2, &coulomb(0.25));
    let held = Moment::new(Some(0), None, Function::Constant(balance(2.2)));
    load(&mut model, "motor", held.expect("sound"));
    model.simulation.end = 1e-2;
    let (outcome, _, mut system) = run_system(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let mut y = outcome.positions.clone();
    y.extend(&outcome.velocities);
    y.resize(system.state().len(), 0.0);
    let mut dydt = vec![0.0; y.len()];
    system.right_hand_side(1e-2, &y, &mut dydt);
    let made = allocation_counter::measure(|| system.right_hand_side(1e-2, &y, &mut dydt));
    assert_eq!(made.count_total, 0);
    // It is held: nothing is accelerated.
    assert!(dydt.iter().all(|slope| slope.abs() < 1e-9), "{dydt:?}");
}
