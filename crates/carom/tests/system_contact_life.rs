//! What becomes of a contact between its touch and its separation, however it begins, and what is said about it?

mod built;

use std::f64::consts::PI;

use built::contacts::{ambrosio, ball, law, meets, with};
use built::{body, run_system};
use carom::card::Values;
use carom::contact::{self, Calibration, Law, closed};
use carom::geometry::Shape;
use carom::mechanics::{Axes, Body, Function, Place, PointForce};
use carom::model::{LoadEntry, Model};
use carom::system::{Contacted, Outcome, Status};

#[track_caller]
fn near(what: &str, found: f64, known: f64, part: f64) {
    assert!(
        (found - known).abs() <= part * known.abs(),
        "{what}: {found:.12e}, not {known:.12e}: off by {:.2e}",
        found / known - 1.0
    );
}

#[track_caller]
fn completed(outcome: &Outcome) {
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
}

/// Balls of 0.05 m on a line, at places (m) with speeds (m/s) and masses (kg); neighbours can touch. No gravity.
fn row(balls: &[[f64; 3]], law: &Law, end: f64) -> Model {
    let mut model = Model::default();
    let round = || Shape::circle([0.0; 2], 0.05).expect("sound");
    for (i, [x, v, m]) in balls.iter().enumerate() {
        let solid = Body::new(*m, 1e-3).expect("sound");
        let name = format!("ball{i}");
        model
            .bodies
            .push(body(&name, solid, [*x, 0.0, 0.0], [*v, 0.0, 0.0]));
        if i > 0 {
            let pair = [Some(i - 1), Some(i)];
            let name = format!("touch{i}");
            model
                .contacts
                .push(meets(&name, pair, [round(), round()], law.clone()));
        }
    }
    model.simulation.end = end;
    model.solver.rtol = 1e-11;
    model
}

/// One impact of two free balls, 0.3 kg at 2 m/s and 0.7 kg at −1 m/s; effective mass 0.21 kg, 3 m/s.
fn meeting(law: &Law) -> (Outcome, Contacted) {
    let (outcome, _, _) = run_system(&row(&[[0.0, 2.0, 0.3], [0.11, -1.0, 0.7]], law, 0.02));
    completed(&outcome);
    assert_eq!(outcome.contacts.len(), 1, "{:?}", outcome.contacts);
    let one = outcome.contacts[0].clone();
    (outcome, one)
}

/// e, the impulses m v and m e v, the works, and what is lost: closed forms of K δ^n (1 + h v/v0) (see `contact::closed`) and of conservation.
#[test]
fn a_free_impact_has_the_numbers_of_its_closed_form() {
    let (mass, speed, k, e) = (0.21, 3.0, 1e9, 0.6);
    let h = 1.6 * (1.0 - e) / e;
    let out = closed::restitution(h);
    let (outcome, one) = meeting(&law("flores", k, Some(e)));
    near("time", one.episode.start, 0.01 / 3.0, 1e-12);
    near("mass", one.episode.mass, mass, 1e-13);
    near("newton", one.newton().expect("over"), out, 1e-9);
    near("poisson", one.poisson().expect("over"), out, 1e-8);
    near("stronge", one.stronge().expect("over"), out, 1e-8);
    let [compression, restitution] = one.course.impulse;
    near("compression", compression, mass * speed, 1e-8);
    near("restitution", restitution, mass * speed * out, 1e-8);
    let brought = 0.5 * mass * speed * speed;
    let lost = brought * (1.0 - out * out);
    near("loss", one.normal_heat(), lost, 1e-9);
    near("taken", one.course.work[0], brought, 1e-8);
    near("returned", one.course.work[1], brought * out * out, 1e-8);
    near(
        "stored",
        one.course.stored,
        brought * closed::stored_share(h),
        1e-8,
    );
    near(
        "loss of compression",
        one.course.heat[0],
        brought * (1.0 - closed::stored_share(h)),
        1e-8,
    );
    near(
        "deepest",
        one.course.deepest[0],
        closed::deepest(k, 1.5, mass, speed, h),
        1e-9,
    );
    near(
        "peak",
        one.course.peak[0],
        closed::peak(k, 1.5, mass, speed, h).0,
        1e-9,
    );
    assert_eq!(one.course.turns, 1);
    assert_eq!(one.course.least, 0.0);
    assert_eq!(one.impact_type().as_deref(), Some("central, direct"));
    // Momentum, and the speeds of both.
    let common = (0.3 * 2.0 - 0.7) / 1.0;
    near(
        "first",
        outcome.velocities[0],
        common - 0.7 * out * 3.0,
        1e-9,
    );
    near(
        "second",
        outcome.velocities[3],
        common + 0.3 * out * 3.0,
        1e-9,
    );
    assert!(outcome.ledger.residual.abs() < 1e-9 * brought);
    // An elastic one loses nothing and lasts as long as Hertz's.
    let (_, one) = meeting(&law("hertz", k, None));
    near("newton", one.newton().expect("over"), 1.0, 1e-10);
    near(
        "duration",
        one.episode.end - one.episode.start,
        closed::elastic_duration(k, 1.5, mass, speed),
        1e-9,
    );
    assert!(one.normal_heat().abs() < 1e-12 * brought);
}

#[test]
fn free_bodies_return_what_was_asked_for_to_nine_digits() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for card in contact::cards().filter(|card| card.can_calibrate()) {
        let Some(n) = card.exponent(&Values::new()) else {
            continue;
        };
        for e in [0.3, 0.5, 0.8, 0.95] {
            // About as stiff as 1e9 N/m^1.5 at 0.1 mm.
            let stiffness = 1e9 * 1e-4_f64.powf(1.5 - n);
            let values = Values::new()
                .number("stiffness", stiffness)
                .number("restitution", e);
            let Ok(law) = Law::new(card, &values, None, Calibration::Exact) else {
                continue;
            };
            let model = row(&[[0.0, 2.0, 0.3], [0.11, -1.0, 0.7]], &law, 0.02);
            let (outcome, _, _) = run_system(&model);
            let found = outcome.contacts.first().and_then(Contacted::newton);
            tried += 1;
            if !found.is_some_and(|found| (found - e).abs() <= 1e-9) {
                wrong.push(format!("{} {e}: {found:?} {:?}", card.id, outcome.reason));
            }
        }
    }
    println!("{tried} tried");
    assert!(tried > 80, "{tried}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// F = K δ + c v with c² < K m still falls where the indentation is back at zero: there it is −c v_out. With c² > K m it falls from the touch on: the peak is c v0.
#[test]
fn a_linear_damper_pulls_at_the_end_and_is_hardest_at_the_touch() {
    let (mass, speed, k): (f64, f64, f64) = (0.21, 3.0, 1e7);
    let e = 0.4;
    let (_, one) = meeting(&law("anagnostopoulos", k, Some(e)));
    let zeta = -f64::ln(e) / (PI * PI + f64::ln(e).powi(2)).sqrt();
    near("newton", one.newton().expect("over"), e, 1e-8);
    let c = 2.0 * zeta * (k * mass).sqrt();
    near("least", one.course.least, -c * e * speed, 1e-7);
    let c = 1.5 * (k * mass).sqrt();
    let (_, one) = meeting(&with("kelvin-voigt", &[("stiffness", k), ("damping", c)]));
    near("peak", one.course.peak[0], c * speed, 1e-9);
    assert_eq!(one.course.peak[1], one.episode.start);
    let known = closed::oscillator_restitution(0.75, contact::Separation::ZeroForce);
    near("newton", one.newton().expect("over"), known, 1e-8);
    assert!(one.episode.left > 0.0);
}

/// Coulomb's law while the slip is fast: the impulse of friction is μ times the normal one, against the slip.
#[test]
fn friction_takes_its_part_of_the_impulse() {
    let mu = 0.1;
    let mut model = ball(law("flores", 1.4e8, Some(0.7)), 1.0, 0.0, 0.5);
    model.solver.rtol = 1e-10;
    model.bodies[0].velocity[0] = 5.0;
    let floor = model.contacts.remove(0);
    let contact = floor.contact.clone().with_friction(ambrosio(mu));
    model.contacts.push(carom::model::ContactEntry {
        contact: contact.expect("sound"),
        ..floor
    });
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let one = &outcome.contacts[0];
    let normal: f64 = one.course.impulse.iter().sum();
    near("friction", one.course.rub_impulse.abs(), mu * normal, 1e-8);
    near("speed", outcome.velocities[0], 5.0 - mu * normal, 1e-8);
    // The moment of that impulse about the centre, clockwise: I = 0.1 kg m², the arm is 0.1 m less half of the indentation.
    near(
        "spin",
        outcome.velocities[2],
        -mu * normal * 0.1 / 0.1,
        1e-2,
    );
    assert!(outcome.velocities[2] > -mu * normal);
    near("slip", one.place.expect("one").slip.abs(), 5.0, 1e-9);
    assert_eq!(one.impact_type().as_deref(), Some("central, oblique"));
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);
    // What slid was turned into heat: the slip falls in proportion to the impulse, by (1/m + r²/I) per N s.
    let falls = mu * normal * (1.0 + 0.1 * 0.1 / 0.1);
    near(
        "heat",
        one.course.rub_heat,
        mu * normal * (5.0 - 0.5 * falls),
        1e-3,
    );
}

/// Hertz's spring gives back 2/5 K δ^(5/2), gravity takes m g δ.
#[test]
fn a_ball_that_starts_inside_leaves_with_what_is_stored() {
    let (k, depth) = (1.4e8_f64, 1e-3_f64);
    let mut model = ball(law("hertz", k, None), 0.1 - depth, 0.0, 0.05);
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let one = &outcome.contacts[0];
    assert_eq!(one.episode.start, 0.0);
    assert!(one.over);
    let leaves = (2.0 * (0.4 * k * depth.powf(2.5) - 9.81 * depth)).sqrt();
    near("speed", one.episode.separation, leaves, 1e-8);
    near("deepest", one.course.deepest[0], depth, 1e-9);
    assert_eq!(one.newton(), None);
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);
}

/// At touch when the run begins: set down, thrown down, thrown up.
#[test]
fn a_ball_that_starts_at_touch_goes_where_it_is_going() {
    let touching = |speed: f64, end: f64| {
        let mut model = ball(law("flores", 1.4e8, Some(0.5)), 0.1, speed, end);
        model.solver.rtol = 1e-9;
        let (outcome, samples, _) = run_system(&model);
        completed(&outcome);
        (outcome, samples)
    };
    let (outcome, _) = touching(0.0, 2.0);
    let [one] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    assert!(!one.over && one.episode.start == 0.0 && one.episode.approach == 0.0);
    assert!(outcome.warnings.iter().any(|w| w.code == "slow-touch"));
    let rest = (9.81 / 1.4e8_f64).powf(2.0 / 3.0);
    near("rest", 0.1 - outcome.positions[1], rest, 1e-4);
    let (outcome, _) = touching(-1.0, 0.01);
    assert_eq!(outcome.contacts[0].episode.start, 0.0);
    assert_eq!(outcome.contacts[0].episode.approach, 1.0);
    // What Flores' formula returns for 0.5 is 0.459, and that is told.
    let codes: Vec<_> = outcome.warnings.iter().map(|w| w.code).collect();
    assert!(outcome.contacts[0].over && codes == ["restitution-differs"]);
    let (outcome, _) = touching(1.0, 0.22);
    near("back", outcome.contacts[0].episode.start, 2.0 / 9.81, 1e-9);
    near("speed", outcome.contacts[0].episode.approach, 1.0, 1e-9);
    assert_eq!(outcome.contacts.len(), 1);
}

/// Without inertia K δ^(3/2) (1 + h v/v0) = m g: the time to 99 % is (h δ/v0) ∫ x^(3/2)/(1 − x^(3/2)) dx, 62 ms with the floor of 1 mm/s; in proportion to 1/floor.
#[test]
fn a_ball_set_down_creeps_as_long_as_the_floor_of_its_approach_speed_says() {
    let rest = (9.81 / 1.4e8_f64).powf(2.0 / 3.0);
    let steps = 200_000;
    let inside = |x: f64| x.powf(1.5) / (1.0 - x.powf(1.5));
    let width = 0.99 / f64::from(steps);
    let integral: f64 = (0..steps)
        .map(|i| width * inside((f64::from(i) + 0.5) * width))
        .sum();
    for (floor, known) in [(1e-3, 62e-3), (1e-4, 0.63)] {
        let creep = 1.6 * rest / floor * integral;
        near("closed form", creep, known, 0.02);
        let mut model = ball(law("flores", 1.4e8, Some(0.5)), 0.1, 0.0, 1.5 * creep);
        let entry = model.contacts.remove(0);
        let contact = entry.contact.clone().with_slowest(floor).expect("sound");
        model
            .contacts
            .push(carom::model::ContactEntry { contact, ..entry });
        model.simulation.output_step = Some(1e-3 * creep);
        let (outcome, samples, _) = run_system(&model);
        completed(&outcome);
        println!("{floor}: {creep} {:?}", outcome.statistics);
        let there = samples.iter().find(|(_, s)| 0.1 - s[1] >= 0.99 * rest);
        near("creep", there.expect("it gets there").0, creep, 0.02);
        let warning = outcome.warnings.iter().find(|w| w.code == "slow-touch");
        let warning = warning.expect("it is said");
        assert_eq!(warning.element.as_deref(), Some("contact.floor"));
        assert!(
            warning.message.contains("approach_speed_floor"),
            "{warning}"
        );
    }
}

/// The indentation beside a Runge–Kutta integration of its own, with steps of 1 µs.
#[test]
fn a_ball_under_a_pulsating_force_is_compressed_anew_without_separation() {
    let (k, e, v0) = (1.4e8_f64, 0.5, 0.5);
    let h = 1.6 * (1.0 - e) / e;
    let (press, swing, omega) = (1000.0, 600.0, 2.0 * PI * 300.0);
    let start = ((press + 9.81) / k).powf(2.0 / 3.0);
    let mut model = ball(law("flores", k, Some(e)), 0.1 - start, 0.0, 0.02);
    let entry = model.contacts.remove(0);
    let contact = entry.contact.clone().with_slowest(v0).expect("sound");
    model
        .contacts
        .push(carom::model::ContactEntry { contact, ..entry });
    let pulse = Function::Harmonic {
        mean: -press,
        amplitude: -swing,
        omega,
        phase: 0.0,
    };
    let force = PointForce::new(
        Place::on(0, [0.0; 2]),
        Axes::Ground,
        [Function::Constant(0.0), pulse],
    );
    model.loads = vec![LoadEntry {
        name: "pulse".into(),
        load: force.expect("sound").into(),
    }];
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let [one] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    assert!(!one.over);
    // Six periods of 1/300 s.
    assert!((5..=7).contains(&one.course.turns), "{}", one.course.turns);
    let slope = |t: f64, [d, v]: [f64; 2]| {
        let elastic = k * f64::powf(d, 1.5);
        [
            v,
            9.81 + press + swing * (omega * t).sin() - elastic * (1.0 + h * v / v0),
        ]
    };
    let (mut y, mut deepest, dt) = ([start, 0.0], 0.0_f64, 1e-6);
    for i in 0..20_000 {
        let t = f64::from(i) * dt;
        let on = |k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        let a = slope(t, y);
        let b = slope(t + 0.5 * dt, on(a, 0.5 * dt));
        let c = slope(t + 0.5 * dt, on(b, 0.5 * dt));
        let d = slope(t + dt, on(c, dt));
        y = [0, 1].map(|j| y[j] + dt / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]));
        deepest = deepest.max(y[0]);
    }
    near("indentation", 0.1 - outcome.positions[1], y[0], 1e-6);
    near("speed", -outcome.velocities[1], y[1], 1e-5);
    near("deepest", one.course.deepest[0], deepest, 1e-6);
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);
}

/// By symmetry the middle ball stays, and each of the others meets a wall: e follows from h alone.
#[test]
fn two_balls_strike_a_third_from_both_sides_at_once() {
    let e = 0.7;
    let balls = [[-0.11, 2.0, 0.3], [0.0, 0.0, 0.5], [0.11, -2.0, 0.3]];
    let (outcome, _, _) = run_system(&row(&balls, &law("flores", 1e9, Some(e)), 0.01));
    completed(&outcome);
    let [one, two] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    assert_eq!(one.episode.start, two.episode.start);
    near("start", one.episode.start, 0.005, 1e-12);
    let out = closed::restitution(1.6 * (1.0 - e) / e);
    near("left", outcome.velocities[0], -2.0 * out, 1e-8);
    near("right", outcome.velocities[6], 2.0 * out, 1e-8);
    assert!(outcome.velocities[3].abs() < 1e-12);
    near("end", one.episode.end, two.episode.end, 1e-12);
    assert!(
        outcome.ledger.residual.abs() < 1e-9,
        "{}",
        outcome.ledger.residual
    );
}

/// Both corners carry half of the box: it does not turn, and e follows from h alone.
#[test]
fn a_box_lands_flat_on_two_corners_and_does_not_turn() {
    let e = 0.6;
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    let solid = Body::new(2.0, 0.02).expect("sound");
    model.bodies = vec![body("box", solid, [0.0, 0.5, 0.0], [0.0; 3])];
    let corners = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]];
    let outline = Shape::polygon(corners.to_vec(), 0.0).expect("sound");
    let floor = Shape::half_plane([0.0; 2], [0.0, 1.0]).expect("sound");
    let law = law("flores", 1e9, Some(e));
    model.contacts = vec![meets("floor", [None, Some(0)], [floor, outline], law)];
    model.simulation.end = 0.32;
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let [one, two] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    assert_eq!(one.episode.start, two.episode.start);
    assert_ne!(one.slot, two.slot);
    near(
        "touch",
        one.episode.start,
        (2.0 * 0.45 / 9.81_f64).sqrt(),
        1e-10,
    );
    // One corner alone: 1/(1/m + a²/I).
    near("mass", one.episode.mass, 1.0 / (0.5 + 0.01 / 0.02), 1e-12);
    let out = closed::restitution(1.6 * (1.0 - e) / e);
    assert!(
        (one.newton().expect("over") - out).abs() < 1e-3,
        "{:?}",
        one.newton()
    );
    assert!(
        outcome.velocities[2].abs() < 1e-9,
        "{:?}",
        outcome.velocities
    );
    assert!(outcome.positions[2].abs() < 1e-10);
    assert_eq!(one.impact_type().as_deref(), Some("eccentric, direct"));
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);
}

/// Parted at no force, a ball is still δ inside: it touches again where it has fallen back to zero, (v + √(v² − 2 g δ))/g later. In a permanent dent it touches at the bottom, 2 v/g later.
#[test]
fn a_dent_is_forgotten_once_the_gap_has_opened_whether_the_law_recovers_or_not() {
    let k = 1e6;
    let mut model = ball(
        with("kelvin-voigt", &[("stiffness", k), ("damping", 500.0)]),
        0.2,
        0.0,
        0.5,
    );
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let [one, two, ..] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    let (v, left) = (one.episode.separation, one.episode.left);
    assert!(left > 1e-5, "{left}");
    let flight = (v + (v * v - 2.0 * 9.81 * left).sqrt()) / 9.81;
    near("flight", two.episode.start - one.episode.end, flight, 1e-8);
    for (i, pair) in outcome.contacts.windows(2).enumerate() {
        assert!(pair[1].episode.start > pair[0].episode.end, "{i}");
    }
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);

    let e = 0.6;
    let mut model = ball(
        law("lankarani-nikravesh-plastic", 1.4e8, Some(e)),
        0.2,
        0.0,
        0.5,
    );
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    completed(&outcome);
    let [one, two, ..] = &outcome.contacts[..] else {
        panic!("{:?}", outcome.contacts);
    };
    near(
        "dent",
        one.episode.left,
        one.course.deepest[0] * (1.0 - e * e),
        1e-8,
    );
    let (v, left) = (one.episode.separation, one.episode.left);
    let speed = (v * v - 2.0 * 9.81 * left).sqrt();
    let flight = (v + speed) / 9.81;
    near("flight", two.episode.start - one.episode.end, flight, 1e-8);
    near("speed", two.episode.approach, speed, 1e-8);
    assert!(outcome.ledger.residual.abs() < 1e-8, "{:?}", outcome.ledger);
}

/// Where the weight is between the forces of loading and of unloading the ball turns back inside: a force that jumps at every turn was left in the wrong phase there, and threw it off with all its speed.
#[test]
fn a_ball_that_turns_back_on_a_switched_spring_is_not_thrown_off() {
    for e in [0.1_f64, 0.3, 0.5] {
        let switched = with(
            "kelvin-voigt-switched",
            &[("stiffness", 6e6), ("unloading_factor", e * e)],
        );
        let (outcome, _, _) = run_system(&ball(switched, 1.0, 0.0, 3.0));
        completed(&outcome);
        let (last, bounces) = outcome.contacts.split_last().expect("some");
        assert!(!last.over && last.course.turns > 1, "{e}: {last:?}");
        assert!(!bounces.is_empty());
        for one in bounces {
            assert!(one.newton().is_some_and(|found| found < e), "{e}: {one:?}");
        }
        assert!(outcome.ledger.residual.abs() < 1e-7, "{:?}", outcome.ledger);
    }
}

/// A step so long that the touch is seen late is not passed over in silence.
#[test]
fn a_touch_seen_late_is_a_warning() {
    let mut model = ball(law("hertz", 1.4e8, None), 1.0, 0.0, 0.5);
    model.solver.integrator = carom::solve::Integrator::Verlet { step: 3.3e-4 };
    let (outcome, _, _) = run_system(&model);
    let late = outcome.warnings.iter().find(|w| w.code == "late-touch");
    assert!(late.is_some(), "{:?}", outcome.warnings);
    model.solver.integrator = carom::solve::Integrator::Dop853;
    let (outcome, _, _) = run_system(&model);
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
}
