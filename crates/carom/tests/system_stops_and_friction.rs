//! Do joints run into their stops, and resist by friction, as closed forms say?

mod built;

use carom::card::Values;
use carom::contact;
use carom::friction;
use carom::impact;
use carom::mechanics::*;
use carom::model::*;
use carom::system::*;

use built::{body, joint};

fn contact_law(id: &str, values: Values) -> contact::Law {
    let card = contact::find(id).expect("known");
    contact::Law::new(card, &values, None, contact::Calibration::Published).expect("sound")
}

/// Friction that is full above a tenth of a millimetre a second.
fn rubs(coefficient: f64, full: f64) -> friction::Law {
    let values = Values::new()
        .number("coefficient", coefficient)
        .number("v0", 0.1 * full)
        .number("v1", full);
    friction::Law::new(friction::find("ambrosio").expect("known"), &values).expect("sound")
}

fn limit(model: &mut Model, joint: usize, ends: [f64; 2], law: contact::Law) {
    let entry = &model.joints[joint];
    model.limits.push(LimitEntry {
        name: entry.name.clone(),
        joint,
        limit: Limit::new(&entry.joint, ends, law).expect("sound"),
    });
}

fn rub(model: &mut Model, joint: usize, friction: JointFriction) {
    model.frictions.push(FrictionEntry {
        name: model.joints[joint].name.clone(),
        joint,
        friction,
    });
}

fn run(model: &Model) -> (System, Outcome) {
    let mut system = System::assemble(model).expect("goes together");
    let outcome = system.run(&mut ());
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    (system, outcome)
}

/// A rod of 1 m and 3 kg that turns about its end at the origin.
fn rod(angle: f64, omega: f64) -> Model {
    let (sin, cos) = angle.sin_cos();
    let mut model = Model::default();
    model.bodies.push(body(
        "rod",
        Body::rod(3.0, 1.0).expect("sound"),
        [0.5 * cos, 0.5 * sin, angle],
        [-0.5 * omega * sin, 0.5 * omega * cos, omega],
    ));
    let pin = Revolute::new(Place::ground([0.0, 0.0]), Place::on(0, [-0.5, 0.0]));
    model.joints.push(joint("pin", pin.expect("sound")));
    model.solver.rtol = 1e-10;
    model
}

#[test]
fn a_bar_returns_from_its_stop_what_a_free_impact_with_its_inertia_about_the_pin_returns() {
    let stiff = Values::new().number("stiffness", 2e6);
    let inertia = 3.0 / 3.0;
    for (id, values) in [
        ("hertz", stiff.clone()),
        ("flores", stiff.clone().number("restitution", 0.7)),
        ("kelvin-voigt", stiff.clone().number("damping", 200.0)),
        (
            "kelvin-voigt-switched",
            stiff.clone().number("unloading_factor", 0.5),
        ),
        (
            "lankarani-nikravesh-plastic",
            stiff.clone().number("restitution", 0.5),
        ),
    ] {
        let law = contact_law(id, values);
        let free = impact::simulate(&law, 2.0, inertia, &impact::Accuracy::default());
        let free = free.expect("returns");
        let mut model = rod(0.5, -2.0);
        limit(&mut model, 0, [0.1, f64::INFINITY], law);
        model.simulation.end = 0.4;
        let (_, outcome) = run(&model);
        let [stop] = &outcome.contacts[..] else {
            panic!("{id}: {:?}", outcome.contacts);
        };
        let e = stop.episode.separation / stop.episode.approach;
        println!(
            "{id}: {e} {} residual {:e}",
            free.restitution, outcome.ledger.residual
        );
        assert_eq!(
            (stop.side, stop.element.as_str()),
            (Some("lower"), "joint.pin.limits")
        );
        assert!((stop.episode.start - 0.2).abs() < 1e-9, "{id}");
        assert!((stop.episode.mass - inertia).abs() < 1e-12, "{id}");
        assert!((stop.episode.approach - 2.0).abs() < 1e-9, "{id}");
        assert!(
            (e - free.restitution).abs() < 2e-7,
            "{id}: {e} {}",
            free.restitution
        );
        let duration = stop.episode.end - stop.episode.start;
        assert!((duration / free.duration() - 1.0).abs() < 1e-6, "{id}");
        assert!((outcome.velocities[2] - 2.0 * e).abs() < 1e-6, "{id}");
        // What is missing of 2 J has become heat at the stop.
        let lost = 0.5 * inertia * 4.0 * (1.0 - e * e);
        let heat = &outcome.ledger.dissipated[0];
        assert_eq!(heat.0, "joint.pin.limits");
        assert!((heat.1 - lost).abs() < 1e-6, "{id}: {} {lost}", heat.1);
        assert!(outcome.ledger.residual.abs() < 1e-7, "{id}");
        assert!(outcome.ledger.elastic.abs() < 1e-12, "{id}");
    }
}

#[test]
fn a_bar_that_falls_on_an_elastic_stop_comes_back_to_where_it_fell_from() {
    let mut model = rod(0.8, 0.0);
    model.gravity = [0.0, -9.81];
    limit(
        &mut model,
        0,
        [-0.3, 2.0],
        contact_law("hertz", Values::new().number("stiffness", 1e7)),
    );
    model.simulation.end = 3.0;
    model.simulation.output_step = Some(1e-3);
    model.simulation.channels = vec![
        Channel::Body(0, Motion::Angle),
        Channel::Energy(Account::Residual),
        Channel::Energy(Account::Elastic),
    ];
    struct Most([f64; 3], f64);
    impl Observer for Most {
        fn sample(&mut self, t: f64, values: &[f64]) {
            for (most, value) in self.0.iter_mut().zip(values) {
                *most = most.max(value.abs());
            }
            // After the first return, about where it started.
            if t > 0.4 {
                self.1 = self.1.max(values[0]);
            }
        }
    }
    let mut most = Most([0.0; 3], -9.0);
    let mut system = System::assemble(&model).expect("goes together");
    let outcome = system.run(&mut most);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let bounces = outcome.contacts.len();
    println!(
        "{bounces} bounces, back at {}, residual {:e}, {:?}",
        most.1, most.0[1], outcome.statistics
    );
    assert!(bounces >= 3, "{bounces}");
    assert!((most.1 - 0.8).abs() < 1e-5, "{}", most.1);
    assert!(most.0[1] < 1e-6, "{}", most.0[1]);
    for stop in &outcome.contacts {
        // ½ I ω² = m g (l/2) (sin 0.8 + sin 0.3) with I = 1 kg m².
        let omega = (2.0 * 3.0 * 9.81 * 0.5 * (0.8_f64.sin() + 0.3_f64.sin())).sqrt();
        assert!((stop.episode.approach - omega).abs() < 1e-6, "{stop:?}");
        assert!((stop.episode.separation - omega).abs() < 1e-6, "{stop:?}");
    }
}

/// A block of 2 kg on a guide through the origin, falling by `slope` (rad); its mass centre stands `height` (m) above its point on the guide.
fn block(slope: f64, speed: f64, height: f64) -> Model {
    let mut model = Model::default();
    let (sin, cos) = (-slope).sin_cos();
    model.bodies.push(body(
        "block",
        Body::rectangle(2.0, [0.2, 0.1]).expect("sound"),
        [-sin * height, cos * height, -slope],
        [speed * cos, speed * sin, 0.0],
    ));
    let guide = Place::ground([0.0, 0.0]).facing(-slope);
    let slides = Translational::new(guide, Place::on(0, [0.0, -height]));
    model.joints.push(joint("guide", slides.expect("sound")));
    model.solver.rtol = 1e-10;
    model
}

#[test]
fn a_block_between_two_stops_loses_its_speed_by_the_same_factor_at_each() {
    // The restitution of a hysteresis law depends neither on speed nor on mass.
    let values = Values::new()
        .number("stiffness", 1e7)
        .number("restitution", 0.8);
    let law = contact_law("flores", values);
    let e = impact::simulate(&law, 1.0, 2.0, &impact::Accuracy::default())
        .expect("returns")
        .restitution;
    let mut model = block(0.0, 1.5, 0.0);
    limit(&mut model, 0, [-0.2, 0.3], law);
    model.simulation.end = 2.0;
    let (_, outcome) = run(&model);
    let mut speed = 1.5;
    for (k, stop) in outcome.contacts.iter().enumerate() {
        assert_eq!(stop.side == Some("upper"), k % 2 == 0);
        assert!((stop.episode.mass - 2.0).abs() < 1e-12);
        assert!(
            (stop.episode.approach - speed).abs() < 1e-6 * speed,
            "{k}: {stop:?}"
        );
        speed *= e;
    }
    println!(
        "{} stops, e = {e}, residual {:e}",
        outcome.contacts.len(),
        outcome.ledger.residual
    );
    assert_eq!(outcome.contacts.len(), 4);
    assert!(outcome.ledger.residual.abs() < 1e-7);
}

#[test]
fn two_rods_that_float_stop_each_other_with_half_the_inertia_of_one() {
    // In line, a couple between them turns each about its own centre: the relative angle has the inertia I/2.
    let mut model = Model::default();
    let rod = || Body::rod(2.0, 1.0).expect("sound");
    model
        .bodies
        .push(body("left", rod(), [-0.5, 0.0, 0.0], [0.0, 0.5, 1.0]));
    model
        .bodies
        .push(body("right", rod(), [0.5, 0.0, 0.0], [0.0, 0.5, -1.0]));
    let pin = Revolute::new(Place::on(0, [0.5, 0.0]), Place::on(1, [-0.5, 0.0]));
    model.joints.push(joint("pin", pin.expect("sound")));
    model.solver.rtol = 1e-10;
    let law = contact_law("hooke", Values::new().number("stiffness", 1e8));
    limit(&mut model, 0, [-1e-4, 1.0], law);
    model.simulation.end = 1e-3;
    let (_, outcome) = run(&model);
    let stop = &outcome.contacts[0];
    assert!(
        (stop.episode.mass - 2.0 / 12.0 / 2.0).abs() < 1e-6,
        "{stop:?}"
    );
    // Half a period of the oscillator I/2 on K: π √(I/(2 K)).
    let half = core::f64::consts::PI * (2.0 / 24.0 / 1e8_f64).sqrt();
    let duration = stop.episode.end - stop.episode.start;
    assert!((duration / half - 1.0).abs() < 1e-5, "{duration} {half}");
}

#[test]
fn a_joint_that_rests_on_its_stop_stays_there_and_one_that_leaves_it_is_let_go() {
    for (force, stays) in [(-9.81, true), (9.81, false)] {
        let mut model = block(core::f64::consts::FRAC_PI_2, 0.0, 0.0);
        // The guide points down: the weight runs into the upper end, or away from it.
        model.gravity = [0.0, force];
        let values = Values::new()
            .number("stiffness", 1e5)
            .number("damping", 200.0);
        limit(
            &mut model,
            0,
            [-10.0, 0.0],
            contact_law("kelvin-voigt", values),
        );
        model.simulation.end = 0.5;
        let (_, outcome) = run(&model);
        let y = outcome.positions[1];
        if stays {
            // m g/K, with what is left of the swing: exp(−c t/(2 m)) = e⁻²⁵.
            assert!((y + 2.0 * 9.81 / 1e5).abs() < 1e-8, "{y}");
            assert!(matches!(&outcome.contacts[..], [stop] if !stop.over));
        } else {
            assert!((y - 0.5 * 9.81 * 0.25).abs() < 1e-8, "{y}");
        }
        assert!(outcome.ledger.residual.abs() < 1e-7, "{:?}", outcome.ledger);
    }
}

#[test]
fn a_driven_joint_cannot_be_stopped_and_the_run_says_so() {
    let mut model = rod(0.5, -2.0);
    let law = contact_law("hertz", Values::new().number("stiffness", 1e6));
    limit(&mut model, 0, [0.1, 1.0], law);
    let turns = Function::Linear {
        start: 0.5,
        speed: -2.0,
    };
    let motor = Driver::new(
        Place::ground([0.0, 0.0]),
        Place::on(0, [-0.5, 0.0]),
        Driven::Turn,
        turns,
    );
    model.drivers.push(DriverEntry {
        name: "motor".into(),
        rows: vec![motor.expect("sound")],
    });
    model.simulation.end = 1.0;
    let outcome = System::assemble(&model)
        .expect("goes together")
        .run(&mut ());
    assert_eq!(outcome.status, Status::Failed);
    let reason = outcome.reason.expect("said");
    assert!(
        reason.contains("joint.pin.limits, lower stop touches at t = 0.2")
            && reason.contains("drivers"),
        "{reason}"
    );
}

#[test]
fn a_flywheel_runs_down_by_the_moment_of_its_pin() {
    // The disc's centre is the pin: N is its weight, the moment μ r m g, the angular speed falls on a straight line.
    let (mu, r, m, g) = (0.2, 0.02, 5.0, 9.81);
    let disc = Body::disc(m, 0.1).expect("sound");
    let mut model = Model::default();
    model
        .bodies
        .push(body("disc", disc, [0.0; 3], [0.0, 0.0, 40.0]));
    let pin = Revolute::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.0]));
    model.joints.push(joint("pin", pin.expect("sound")));
    model.gravity = [0.0, -g];
    let friction = JointFriction::revolute(&model.joints[0].joint, r, rubs(mu, 1e-4));
    rub(&mut model, 0, friction.expect("sound"));
    model.simulation.end = 3.0;
    let (_, outcome) = run(&model);
    let omega = 40.0 - mu * r * m * g / disc.inertia() * 3.0;
    assert!(
        (outcome.velocities[2] - omega).abs() < 1e-8,
        "{}",
        outcome.velocities[2]
    );
    let heat = &outcome.ledger.dissipated[0];
    assert_eq!(heat.0, "joint.pin.friction");
    let lost = 0.5 * disc.inertia() * (40.0 * 40.0 - omega * omega);
    assert!((heat.1 - lost).abs() < 1e-7, "{} {lost}", heat.1);
    assert!(outcome.ledger.residual.abs() < 1e-7);
}

#[test]
fn the_friction_of_a_swinging_rod_solves_for_its_own_reaction() {
    // About the pin I α = −m g l sin θ − μ r N; along the rod N_r = m (l ω² + g cos θ), across it N_t = m (l α + g sin θ), N² = N_r² + N_t²: a quadratic equation for α.
    let (mu, r, m, g, l, inertia) = (0.6, 0.3, 3.0, 9.81, 0.5, 1.0);
    for (theta, omega) in [(0.4, 3.0), (-1.2, 0.7), (2.0, 5.0)] {
        let mut model = rod(theta - core::f64::consts::FRAC_PI_2, omega);
        model.gravity = [0.0, -g];
        let friction = JointFriction::revolute(&model.joints[0].joint, r, rubs(mu, 1e-4));
        rub(&mut model, 0, friction.expect("sound"));
        let mut system = System::assemble(&model).expect("goes together");
        let (t, q, v) = system.start();
        let (q, v) = (q.to_vec(), v.to_vec());
        let _ = system.evaluate(t, &q, &v).expect("solves");
        let alpha = system.accelerations()[2];
        let radial = m * (l * omega * omega + g * theta.cos());
        let across = m * (l * alpha + g * theta.sin());
        let normal = (radial * radial + across * across).sqrt();
        let balance = inertia * alpha + m * g * l * theta.sin() + mu * r * normal;
        assert!(balance.abs() < 1e-11 * normal, "{theta}: {balance}");
        // It matters: the friction moment is a good part of all.
        assert!(mu * r * normal > 0.1 * m * g * l);
    }
}

#[test]
fn a_pendulum_with_pin_friction_loses_the_same_angle_in_every_swing() {
    // I θ″ = −m g l θ ∓ M with M = μ r m g: each half swing is a cosine about ±M/(m g l) = ±μ r/l, so that the amplitude falls by 4 μ r/l in every full swing (small angles, N = m g).
    let (mu, r, l) = (0.1, 0.01, 0.5);
    let start = 0.05;
    let mut model = rod(start - core::f64::consts::FRAC_PI_2, 0.0);
    model.gravity = [0.0, -9.81];
    let friction = JointFriction::revolute(&model.joints[0].joint, r, rubs(mu, 1e-7));
    rub(&mut model, 0, friction.expect("sound"));
    let period = core::f64::consts::TAU * (1.0_f64 / (3.0 * 9.81 * l)).sqrt();
    model.solver.rtol = 1e-8;
    model.simulation.end = 4.6 * period;
    model.simulation.output_step = Some(period / 400.0);
    model.simulation.channels = vec![Channel::Body(0, Motion::Angle)];
    struct Peaks(Vec<f64>);
    impl Observer for Peaks {
        fn sample(&mut self, _t: f64, values: &[f64]) {
            self.0.push(values[0] + core::f64::consts::FRAC_PI_2);
        }
    }
    let mut seen = Peaks(Vec::new());
    let mut system = System::assemble(&model).expect("goes together");
    let outcome = system.run(&mut seen);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let peaks: Vec<f64> = seen
        .0
        .windows(3)
        .filter(|w| w[1] > w[0] && w[1] >= w[2])
        .map(|w| w[1])
        .collect();
    println!(
        "{peaks:?}, residual {:e}, {:?}",
        outcome.ledger.residual, outcome.statistics
    );
    assert_eq!(peaks.len(), 4);
    for (k, peak) in peaks.iter().enumerate() {
        let lost = 4.0 * mu * r / l * (k + 1) as f64;
        // N differs from m g by θ², the peak from the nearest sample by as little.
        assert!(
            (start - peak - lost).abs() < 3e-3 * lost,
            "{k}: {} {lost}",
            start - peak
        );
    }
    assert!(outcome.ledger.residual.abs() < 1e-7);
}

#[test]
fn a_block_slides_down_its_guide_as_coulomb_says_and_jams_where_it_is_too_high_for_its_length() {
    let (slope, g, mu, length) = (0.5_f64, 9.81, 0.3, 0.2);
    // The friction at the guide pulls below the mass centre: pads at both ends bear it as long as 2 h μ/L < 1. Until then they bear the weight between them, whatever the height.
    for (height, slides) in [(0.0, true), (0.3, true), (0.34, false)] {
        let mut model = block(slope, 1.0, height);
        model.gravity = [0.0, -g];
        let guide = &model.joints[0].joint;
        let friction = JointFriction::translational(guide, Some(length), rubs(mu, 1e-3));
        rub(&mut model, 0, friction.expect("sound"));
        model.simulation.end = 1.5;
        let outcome = System::assemble(&model)
            .expect("goes together")
            .run(&mut ());
        if !slides {
            assert_eq!(outcome.status, Status::Failed);
            let reason = outcome.reason.expect("said");
            assert!(
                reason.contains("joint.guide") && reason.contains("jams"),
                "{reason}"
            );
            assert!(outcome.positions.iter().all(|x| x.is_finite()));
            continue;
        }
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        let speed = 1.0 + 1.5 * g * (slope.sin() - mu * slope.cos());
        let found = outcome.velocities[0] / slope.cos();
        assert!((found - speed).abs() < 1e-8, "{height}: {found} {speed}");
        let way = 1.5 * 0.5 * (1.0 + speed);
        let heat = mu * 2.0 * g * slope.cos() * way;
        assert!((outcome.ledger.dissipated[0].1 - heat).abs() < 1e-6);
        assert!(outcome.ledger.residual.abs() < 1e-7);
    }
}

#[test]
fn stops_and_friction_that_cannot_be_are_refused_with_what_can() {
    let pin = &rod(0.0, 0.0).joints[0].joint;
    let guide = &block(0.0, 0.0, 0.0).joints[0].joint;
    let hertz = || contact_law("hertz", Values::new().number("stiffness", 1e6));
    let weld: Joint = Rigid::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.0]))
        .expect("sound")
        .into();
    assert!(Limit::new(&weld, [0.0, 1.0], hertz()).is_err());
    assert!(Limit::new(pin, [1.0, 1.0], hertz()).is_err());
    assert!(Limit::new(pin, [f64::NAN, 1.0], hertz()).is_err());
    assert!(Limit::new(pin, [f64::NEG_INFINITY, f64::INFINITY], hertz()).is_ok());
    assert!(JointFriction::revolute(guide, 0.1, rubs(0.1, 1e-3)).is_err());
    assert!(JointFriction::revolute(pin, 0.0, rubs(0.1, 1e-3)).is_err());
    assert!(JointFriction::translational(guide, Some(-1.0), rubs(0.1, 1e-3)).is_err());
    let card = friction::find("rolling-resistance").expect("known");
    let values = card.parameters.iter();
    let values = values.fold(Values::new(), |all, p| all.number(p.name, 0.1));
    let rolls = friction::Law::new(card, &values).expect("sound");
    let refused = JointFriction::revolute(pin, 0.1, rolls).expect_err("rolls");
    let text = refused.to_string();
    assert!(
        text.contains("is a law of rolling") && text.contains("coulomb"),
        "{text}"
    );
}

#[test]
fn a_bar_that_bounces_on_its_stop_comes_to_rest_there_by_every_method() {
    use carom::solve::Integrator;
    for integrator in [
        Integrator::Dop853,
        Integrator::Tsit5,
        Integrator::Radau,
        Integrator::Bdf,
    ] {
        for (id, contacts) in [("flores", 4), ("hunt-crossley", 7), ("gonthier", 4)] {
            let mut model = rod(0.3, 0.0);
            model.gravity = [0.0, -9.81];
            let values = Values::new()
                .number("stiffness", 1e7)
                .number("restitution", 0.5);
            limit(&mut model, 0, [0.0, 1.0], contact_law(id, values));
            model.solver.integrator = integrator;
            model.solver.rtol = 1e-8;
            model.simulation.end = 3.0;
            let (_, outcome) = run(&model);
            // Where the moment of the weight is that of the stop: δ = (m g l/K)^(2/3).
            let depth = (3.0 * 9.81 * 0.5 / 1e7_f64).powf(2.0 / 3.0);
            let angle = outcome.positions[2];
            assert!(
                (angle / depth + 1.0).abs() < 1e-7,
                "{id} {integrator:?}: {angle}"
            );
            assert!(outcome.velocities[2].abs() < 1e-8, "{id} {integrator:?}");
            // The last, slowest contact never ends: every method counts the same ones before it.
            let over = outcome.contacts.iter().filter(|stop| stop.over).count();
            assert_eq!(over, contacts, "{id} {integrator:?}");
            let residual = outcome.ledger.residual;
            assert!(
                residual.abs() < 1e-6 * 3.0 * 9.81 * 0.5,
                "{id} {integrator:?}: {residual}"
            );
        }
    }
}

#[test]
fn a_right_hand_side_with_stops_and_friction_allocates_nothing() {
    let mut model = rod(-0.2, -2.0);
    model.gravity = [0.0, -9.81];
    let values = Values::new()
        .number("stiffness", 1e5)
        .number("restitution", 0.5);
    limit(&mut model, 0, [-0.2, 1.0], contact_law("flores", values));
    let friction = JointFriction::revolute(&model.joints[0].joint, 0.02, rubs(0.3, 1e-3));
    rub(&mut model, 0, friction.expect("sound"));
    model.simulation.end = 1e-3;
    let (mut system, outcome) = run(&model);
    // Still in the stop, which the force shows.
    assert!(matches!(&outcome.contacts[..], [stop] if !stop.over));
    let mut y = outcome.positions.clone();
    y.extend(&outcome.velocities);
    y.resize(system.state().len(), 0.0);
    let mut dydt = vec![0.0; y.len()];
    system.right_hand_side(1e-3, &y, &mut dydt);
    let made = allocation_counter::measure(|| system.right_hand_side(1e-3, &y, &mut dydt));
    assert_eq!(made.count_total, 0);
    // Gravity alone would give −14.4 rad/s²: the stop is at work.
    assert!(dydt[5] > 0.0, "{dydt:?}");
    // Heat of the stop and of the pin, both growing.
    assert!(dydt[6] > 0.0 && dydt[7] > 0.0, "{dydt:?}");
}
