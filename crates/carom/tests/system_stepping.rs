//! Does a motion in steps of fixed length, with contacts that do not yield, do what theory says of it?

mod built;

use built::files::{Ran, folder, model};
use carom::model::Model;
use carom::model::channel::{Channel, Motion};
use carom::model::file::{Source, read};
use carom::system::{Frame, Observer, Status, System};

const STEPPED: (&str, &str) = ("method.contact", "time-stepping");

/// A model from a text.
fn text(text: &str) -> Model {
    let source = Source {
        name: "test.toml".into(),
        text: text.into(),
        folder: folder(),
    };
    match read(&source, &[]) {
        Ok(parsed) => parsed.model,
        Err(faults) => panic!("{}", faults[0]),
    }
}

/// A ball of 1 kg and 0.1 m that starts 1 m above the floor, with this restitution and these lines of `[method]`.
fn ball(e: f64, end: f64, method: &str) -> Model {
    text(&format!(
        r#"
format = 1
[simulation]
end = "{end} s"
gravity = [0, -10]
channels = ["ball.y", "ball.vy", "energy.residual"]
[method]
contact = "time-stepping"
{method}
[ground.shapes.floor]
type = "half-plane"
[body.ball]
mass = "1 kg"
inertia = "0.005 kg m^2"
position = [0, "1.1 m"]
shapes.rim = {{ type = "circle", radius = "0.1 m" }}
[contact.bounce]
between = ["ground.floor", "ball"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = {e}
"#
    ))
}

/// Height of the ball's lowest point after a fall from 1 m, m: impacts at t1 = √(2/g), then after 2 e^k t1.
fn bounced(e: f64, t: f64) -> f64 {
    let (g, first) = (10.0_f64, (2.0_f64 / 10.0).sqrt());
    let (mut start, mut v) = (first, g * first);
    if t < first {
        return 1.0 - 0.5 * g * t * t;
    }
    loop {
        v *= e;
        let flight = 2.0 * v / g;
        if t < start + flight {
            let s = t - start;
            return v * s - 0.5 * g * s * s;
        }
        start += flight;
    }
}

/// The root of the mean square of errors over steps near `h`: where a step meets an impact is a matter of chance, and the chances must be averaged out.
fn mean(h: f64, error: impl Fn(f64) -> f64) -> f64 {
    let steps = (0..12).map(|k| h * (1.0 + 0.021 * f64::from(k)));
    let squares: f64 = steps.map(|h| error(h).powi(2)).sum();
    (squares / 12.0).sqrt()
}

/// The order between the first and the last of these steps.
fn order(steps: [f64; 3], error: impl Fn(f64) -> f64) -> f64 {
    let errors = steps.map(|h| mean(h, &error));
    println!("{steps:?} s: {errors:?}");
    assert!(errors[0] > errors[2]);
    (errors[0] / errors[2]).log2() / (steps[0] / steps[2]).log2()
}

#[test]
fn a_bouncing_ball_converges_with_the_first_power_of_the_step() {
    // In the third flight; the closed form is a chain of parabolas.
    let (e, t) = (0.8, 1.9);
    let found = order([4e-3, 1e-3, 2.5e-4], |h| {
        let ran = Ran::of(&ball(e, t, &format!("step = \"{h} s\"")));
        ran.last("ball.y") - 0.1 - bounced(e, t)
    });
    assert!((found - 1.0).abs() < 0.15, "{found}");
}

#[test]
fn a_fall_without_a_touch_is_exact_and_rest_comes_after_zeno() {
    // Half a second of free fall would end below the floor; 0.4 s do not.
    let ran = Ran::of(&ball(0.5, 0.4, "step = \"10 ms\""));
    assert!((ran.last("ball.y") - 1.1 + 5.0 * 0.16).abs() < 1e-13);
    assert!((ran.last("ball.vy") + 4.0).abs() < 1e-13);
    // t1 (1 + 2 (e + e² + …)) = 3 t1 = 1.3416 s, and then it lies still.
    let ran = Ran::of(&ball(0.5, 2.0, "step = \"1 ms\""));
    assert!((ran.last("ball.y") - 0.1).abs() < 1e-9);
    assert!(ran.last("ball.vy").abs() < 1e-12);
    let contacts = &ran.outcome.contacts;
    let last = contacts.last().expect("contacts");
    assert!(
        !last.over && (last.episode.start - 1.3416).abs() < 0.02,
        "{last:?}"
    );
    let first = &contacts[0];
    assert!((first.newton().expect("an impact") - 0.5).abs() < 1e-12);
    // m (1 + e) v, with v = √20 m/s at the touch, met to within a step.
    let impulse: f64 = first.course.impulse.iter().sum();
    assert!((impulse - 1.5 * 20.0_f64.sqrt()).abs() < 0.02, "{impulse}");
    assert!(first.course.peak[0].is_nan() && first.course.deepest[0].is_nan());
}

#[test]
fn what_impulses_and_gravity_do_to_the_energy_is_accounted_for_exactly() {
    // Elastic impacts are never pushed apart: with θ = ½ nothing but rounding is left.
    let ran = Ran::of(&ball(1.0, 3.0, "step = \"3 ms\""));
    assert!(
        ran.largest("energy.residual") < 1e-11,
        "{:?}",
        ran.outcome.ledger
    );
    let [(name, heat)] = &ran.outcome.ledger.dissipated[..] else {
        panic!("one account");
    };
    assert!(
        name == "contact.bounce" && heat.abs() < 1e-11,
        "{name} {heat}"
    );
    // With θ = 1 the scheme itself takes energy, and the residual says so.
    let ran = Ran::of(&ball(1.0, 0.4, "step = \"3 ms\"\ntheta = 1.0"));
    assert!(ran.last("energy.residual").abs() > 1e-3);
}

/// S3's pendulums by the piecewise method: times (s) and rates after (rad/s), from the frozen-configuration impulse at each located touch.
const STRUCK: [(f64, [f64; 2]); 3] = [
    (1.142445818, [-0.0757203, -0.9705827]),
    (3.763188760, [0.0463274, -0.1703052]),
    (6.694251411, [0.1645477, 0.0018561]),
];

#[test]
fn two_pendulums_converge_to_the_piecewise_solution_with_the_first_power_of_the_step() {
    let run = |h: f64| {
        let (step, end) = (format!("{h} s"), "7 s");
        let mut model = model(
            "two-pendulums.toml",
            &[
                STEPPED,
                ("method.step", &step),
                ("simulation.output_step", &step),
                ("simulation.end", end),
            ],
        );
        let motion = [0, 1].map(|rod| Channel::Body(rod, Motion::Omega));
        model.simulation.channels = motion.to_vec();
        Ran::of(&model)
    };
    for (i, (t, rates)) in STRUCK.into_iter().enumerate() {
        let when = order([4e-3, 1e-3, 2.5e-4], |h| {
            let ran = run(h);
            assert_eq!(ran.outcome.contacts.len(), 3);
            ran.outcome.contacts[i].episode.start - t
        });
        let how = order([4e-3, 1e-3, 2.5e-4], |h| {
            let ran = run(h);
            let end = ran.outcome.contacts[i].episode.end;
            let after = ran.samples.iter().find(|s| s.0 >= end - 0.1 * h);
            let after = &after.expect("a sample").1;
            (after[0] - rates[0]).hypot(after[1] - rates[1])
        });
        println!("impact {}: orders {when:.3} and {how:.3}", i + 1);
        assert!((when - 1.0).abs() < 0.2 && (how - 1.0).abs() < 0.2);
    }
}

/// A block of 1 kg on a floor, with gravity turned by an angle, as on an incline.
fn incline(angle: f64, friction: &str, solver: &str) -> Ran {
    let (sin, cos) = angle.to_radians().sin_cos();
    Ran::of(&text(&format!(
        r#"
format = 1
[simulation]
end = "1 s"
gravity = [{}, {}]
channels = ["block.x", "block.vx", "block.y", "block.angle", "contact.floor.force", "contact.floor.friction", "energy.residual"]
[method]
contact = "time-stepping"
step = "5 ms"
solver = "{solver}"
[ground.shapes.floor]
type = "half-plane"
[body.block]
mass = "1 kg"
shape = {{ type = "rectangle", width = "0.2 m", height = "0.1 m" }}
position = [0, "0.05 m"]
shapes.outline = {{ type = "rectangle", width = "0.2 m", height = "0.1 m" }}
[contact.floor]
between = ["ground.floor", "block"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.3
friction = {friction}
"#,
        9.81 * sin,
        -9.81 * cos,
    )))
}

#[test]
fn a_block_on_an_incline_sticks_up_to_its_angle_and_slides_beyond_it() {
    let coulomb = r#"{ law = "coulomb", coefficient = 0.5 }"#;
    for solver in ["cone", "lcp"] {
        // tan⁻¹ 0.5 = 26.565°.
        let held = incline(26.5, coulomb, solver);
        assert!(
            held.largest("block.x") < 1e-10,
            "{:e}",
            held.largest("block.x")
        );
        let slides = incline(26.7, coulomb, solver);
        let (sin, cos) = 26.7_f64.to_radians().sin_cos();
        let a = 9.81 * (sin - 0.5 * cos);
        // From the first step on: the impulses are those of Coulomb, exactly.
        assert!((slides.last("block.vx") - a).abs() < 1e-9);
        assert!((slides.last("block.x") - 0.5 * a).abs() < 1e-9);
        let force = slides.last("contact.floor.force");
        assert!((force - 9.81 * cos).abs() < 1e-9, "{force}");
        // On the second body along the slip, which points to −x here.
        assert!((slides.last("contact.floor.friction") - 0.5 * force).abs() < 1e-9);
        for ran in [&held, &slides] {
            assert!(ran.largest("block.angle") < 1e-12);
            assert!(ran.largest("energy.residual") < 1e-11);
        }
    }
}

#[test]
fn what_rests_is_held_by_the_static_coefficient_and_what_slides_is_braked_by_the_kinetic_one() {
    let two = r#"{ law = "karnopp", static_coefficient = 0.6, kinetic_coefficient = 0.4, dead_band = "1 um/s" }"#;
    // tan 29° = 0.554 is between them: it stays where it is. tan 32° = 0.625 is beyond both.
    let (sin, cos) = 32.0_f64.to_radians().sin_cos();
    for solver in ["cone", "lcp"] {
        assert!(incline(29.0, two, solver).largest("block.x") < 1e-10);
        let speed = incline(32.0, two, solver).last("block.vx");
        // The first step of 5 ms begins at rest, and is braked by the static one.
        let lost = 0.005 * 9.81 * cos * (0.6 - 0.4);
        let wanted = 9.81 * (sin - 0.4 * cos) - lost;
        assert!((speed - wanted).abs() < 1e-9, "{solver}: {speed} {wanted}");
    }
}

/// m dv/dt = m g − c v from rest: v = (m g/c)(1 − exp(−c t/m)), and with c/m = 5000 1/s the way after 0.2 s is (m g/c)(t − m/c). Steps that are long beside m/c would make the speed grow.
#[test]
fn a_strong_damper_is_followed_by_default_and_told_of_where_steps_are_long() {
    let ran = |method: &str| {
        Ran::of(&text(&format!(
            r#"
format = 1
[simulation]
end = "0.2 s"
gravity = [0, -10]
channels = ["ball.y", "ball.vy"]
[method]
contact = "time-stepping"
{method}
[ground.points]
top = [0, "2 m"]
[ground.shapes.floor]
type = "half-plane"
[body.ball]
mass = "1 kg"
inertia = "0.005 kg m^2"
position = [0, "1 m"]
shapes.rim = {{ type = "circle", radius = "0.1 m" }}
[force.damper]
type = "spring"
between = ["ground.top", "ball"]
damping = "5000 N s/m"
[contact.bounce]
between = ["ground.floor", "ball"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.5
"#
        )))
    };
    let speed = 10.0 / 5000.0;
    let chosen = ran("");
    assert!(
        chosen.outcome.warnings.is_empty(),
        "{:?}",
        chosen.outcome.warnings
    );
    assert!((chosen.last("ball.vy") + speed).abs() < 1e-12);
    let fallen = 1.0 - chosen.last("ball.y");
    assert!(
        (fallen - speed * (0.2 - 1.0 / 5000.0)).abs() < 1e-8,
        "{fallen:e}"
    );
    // h c/m = 1.5; from 2 on the speed grows with every step.
    let long = ran("step = \"0.3 ms\"");
    let codes: Vec<_> = long.outcome.warnings.iter().map(|w| w.code).collect();
    assert!(codes.contains(&"step-unstable"), "{codes:?}");
}

/// 200 N on 0.1 kg over 0.98 m: it arrives at √(2 a s) = 62.6 m/s, in the default step too short to pass the wall of 20 mm.
#[test]
fn what_forces_drive_does_not_pass_through_a_thin_wall() {
    let ran = Ran::of(&text(
        r#"
format = 1
[simulation]
end = "0.1 s"
gravity = [0, 0]
channels = ["ball.x"]
[method]
contact = "time-stepping"
[ground.shapes.wall]
type = "rectangle"
width = "20 mm"
height = "1 m"
center = ["1 m", 0]
[body.ball]
mass = "0.1 kg"
inertia = "1e-5 kg m^2"
shapes.rim = { type = "circle", radius = "10 mm" }
[force.push]
type = "point"
at = "ball"
force = ["200 N", 0]
[contact.hit]
between = ["ground.wall", "ball"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = 0.5
"#,
    ));
    assert!(
        ran.outcome.warnings.is_empty(),
        "{:?}",
        ran.outcome.warnings
    );
    let hits = &ran.outcome.contacts;
    let speed = hits[0].episode.approach;
    assert!((speed / 62.61 - 1.0).abs() < 2e-2, "{speed}");
    assert!(ran.last("ball.x") <= 0.98 + 1e-9);
}

/// Thirty boxes, each half as heavy again as the one below: 1 kg to 1.3e5 kg. Sweeps from box to box need as many turns as heavy is to light; all at once they stand, and the floor bears their weight.
#[test]
fn heavy_boxes_stand_on_light_ones() {
    let mut file = String::from(
        r#"
format = 1
[simulation]
end = "20 ms"
gravity = [0, -10]
channels = ["contact.c0.force", "b29.y"]
[method]
contact = "time-stepping"
step = "1 ms"
[ground.shapes.floor]
type = "half-plane"
"#,
    );
    let mut weight = 0.0;
    for i in 0..30 {
        let mass = 1.5_f64.powi(i);
        weight += 10.0 * mass;
        let below = match i {
            0 => "ground.floor".into(),
            _ => format!("b{}", i - 1),
        };
        file += &format!(
            r#"
[body.b{i}]
mass = "{mass} kg"
shape = {{ type = "rectangle", width = "200 mm", height = "100 mm" }}
position = [0, "{} mm"]
shapes.out = {{ type = "rectangle", width = "200 mm", height = "100 mm" }}
[contact.c{i}]
between = ["{below}", "b{i}"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = 0.5
friction = {{ law = "coulomb", coefficient = 0.5 }}
"#,
            50 + 100 * i
        );
    }
    let ran = Ran::of(&text(&file));
    assert_eq!(ran.outcome.status, Status::Completed);
    let bears = ran.last("contact.c0.force");
    let warnings = &ran.outcome.warnings;
    assert!(
        (bears / weight - 1.0).abs() < 1e-9,
        "{bears} {weight} {warnings:?}"
    );
    let sunk = 2.95 - ran.last("b29.y");
    assert!(sunk.abs() < 1e-8, "{sunk:e}");
}

#[test]
fn a_box_at_rest_does_not_creep() {
    let model = model(
        "box-stack.toml",
        &[
            STEPPED,
            ("method.step", "5 ms"),
            ("parameters.gap", "0 mm"),
            ("simulation.end", "10 s"),
        ],
    );
    let ran = Ran::of(&model);
    for (i, [x, y, angle]) in ran.outcome.positions.as_chunks::<3>().0.iter().enumerate() {
        let height = 0.05 + 0.1 * i as f64;
        assert!(x.abs() < 1e-9 && (y - height).abs() < 1e-9 && angle.abs() < 1e-9);
    }
    assert!(
        ran.outcome.warnings.is_empty(),
        "{:?}",
        ran.outcome.warnings
    );
    // Each of the two corners of the lowest box carries five of the ten boxes.
    let force = ran.last("contact.floor.force");
    assert!((force - 10.0 * 9.81).abs() < 1e-6, "{force}");
}

/// Two balls, one above the other by a gap of 1 mm, fall by half a metre onto the floor; nothing is lost. Blow after blow: the lower one comes back with v, meets the upper one at 2 v, which leaves with
/// v (3 M − m)/(M + m) (conservation of momentum and energy).
#[test]
fn a_blow_goes_on_to_whoever_is_near_within_the_same_step() {
    let (heavy, light) = (1.0, 0.1);
    let ran = Ran::of(&text(
        r#"
format = 1
[simulation]
end = "0.33 s"
gravity = [0, -9.81]
channels = ["b.vy", "energy.dissipated"]
[method]
contact = "time-stepping"
step = "0.5 ms"
[ground.shapes.floor]
type = "half-plane"
[body.a]
mass = "1 kg"
inertia = "0.001 kg m^2"
position = [0, "0.55 m"]
shapes.s = { type = "circle", radius = "50 mm" }
[body.b]
mass = "0.1 kg"
inertia = "0.001 kg m^2"
position = [0, "0.631 m"]
shapes.s = { type = "circle", radius = "30 mm" }
[contact.f]
between = ["ground.floor", "a"]
law = "flores"
stiffness = 1e8
restitution = 1
[contact.ab]
between = ["a", "b"]
law = "flores"
stiffness = 1e8
restitution = 1
"#,
    ));
    let v = (2.0 * 9.81 * 0.5_f64).sqrt();
    let leaves = v * (3.0 * heavy - light) / (heavy + light);
    let flown = 0.33 - v / 9.81;
    let found = ran.last("b.vy");
    // What a step of 0.5 ms and a millimetre may be off.
    assert!((found - (leaves - 9.81 * flown)).abs() < 0.02, "{found}");
    let lost = ran.last("energy.dissipated");
    assert!(lost.abs() < 1e-3 * 0.5 * heavy * v * v, "{lost}");
}

/// Discs in a box that give back all they take keep their energy, however many are near each other within a step (2 mm of 1.7 mm steps at 1 m/s).
#[test]
fn discs_in_a_box_that_lose_nothing_keep_their_energy() {
    let mut text_of = String::from(
        r#"
format = 1
[simulation]
end = "2 s"
gravity = [0, 0]
channels = ["energy.kinetic"]
[method]
contact = "time-stepping"
step = "1 ms"
[ground.shapes]
floor = { type = "half-plane" }
left = { type = "half-plane", point = [0, 0], normal = "0 deg" }
right = { type = "half-plane", point = [1, 0], normal = "180 deg" }
top = { type = "half-plane", point = [0, 1], normal = "-90 deg" }
"#,
    );
    let mut names = Vec::new();
    for i in 0..25 {
        let (x, y) = (f64::from(i % 5), f64::from(i / 5));
        let [vx, vy] = [(7.0 * x + 3.0 * y).sin(), (5.0 * x - 4.0 * y).cos()];
        text_of += &format!(
            "[body.b{i}]\nmass = 1\ninertia = 0.01\nposition = [{}, {}]\nvelocity = [{vx}, {vy}]\nshapes.rim = {{ type = \"circle\", radius = \"80 mm\" }}\n",
            0.1 + 0.2 * x,
            0.1 + 0.2 * y
        );
        names.push(format!("\"b{i}\""));
    }
    text_of += &format!(
        "[group.all]\nbodies = [{}]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 1\n",
        names.join(", ")
    );
    for name in &names {
        text_of += &format!(
            "[contact.{0}]\nbetween = [\"ground\", {name}]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 1\n",
            name.trim_matches('"')
        );
    }
    let ran = Ran::of(&text(&text_of));
    assert!(ran.outcome.contacts.len() > 100);
    let first = ran.column("energy.kinetic")[0];
    let last = ran.last("energy.kinetic");
    eprintln!("{first} {last}");
    assert!((last / first - 1.0).abs() < 0.02, "{first} {last}");
}

#[test]
fn momentum_is_kept_to_rounding_where_discs_strike_each_other_and_rub() {
    let mut text_of = String::from(
        r#"
format = 1
[simulation]
end = "2 s"
gravity = [0, 0]
[method]
contact = "time-stepping"
step = "2 ms"
"#,
    );
    let mut names = Vec::new();
    for i in 0..9 {
        let (x, y) = (f64::from(i % 3), f64::from(i / 3));
        let [vx, vy] = [0.7 * (1.0 - x) + 0.11 * y, 0.5 * (1.0 - y) - 0.13 * x];
        text_of += &format!(
            "[body.b{i}]\nmass = \"{} kg\"\ninertia = \"0.02 kg m^2\"\nposition = [{x}, {y}]\nvelocity = [{vx}, {vy}]\nangular_velocity = {}\nshapes.rim = {{ type = \"circle\", radius = \"0.3 m\" }}\n",
            1.0 + 0.2 * x,
            0.5 * x - y
        );
        names.push(format!("\"b{i}\""));
    }
    text_of += &format!(
        "[group.all]\nbodies = [{}]\nlaw = \"flores\"\nstiffness = \"1e6 N/m^1.5\"\nrestitution = 0.6\nfriction = {{ law = \"coulomb\", coefficient = 0.3 }}\n",
        names.join(", ")
    );
    let model = text(&text_of);
    let system = System::assemble(&model).expect("assembled");
    let (_, q, v) = system.start();
    let momenta = |q: &[f64], v: &[f64]| {
        let mut sums = [0.0; 3];
        let bodies = q.as_chunks::<3>().0.iter().zip(v.as_chunks::<3>().0);
        for (i, (q, v)) in bodies.enumerate() {
            let m = 1.0 + 0.2 * (i % 3) as f64;
            sums[0] += m * v[0];
            sums[1] += m * v[1];
            sums[2] += m * (q[0] * v[1] - q[1] * v[0]) + 0.02 * v[2];
        }
        sums
    };
    let before = momenta(q, v);
    let ran = Ran::of(&model);
    assert!(
        ran.outcome.contacts.len() > 5,
        "{}",
        ran.outcome.contacts.len()
    );
    let after = momenta(&ran.outcome.positions, &ran.outcome.velocities);
    for (k, (before, after)) in before.into_iter().zip(after).enumerate() {
        // Impulses act midway between overlapping surfaces, on one line: the moment of momentum is kept but for the time between middle and end of a step.
        let allowed = if k < 2 { 1e-13 } else { 2e-3 };
        assert!((before - after).abs() < allowed, "{k}: {before} {after}");
    }
}

#[test]
fn pivots_and_sweeps_find_the_same_motion() {
    // A die that is thrown, a block and a slider-crank, three boxes that land on each other.
    let cases: [(&str, &[(&str, &str)]); 3] = [
        ("thrown-die.toml", &[("simulation.end", "0.4 s")]),
        ("slider-crank-block.toml", &[]),
        (
            "box-stack.toml",
            // Later, rounding alone decides in which step corners that stand in line close.
            &[("simulation.end", "30 ms"), ("method.step", "1 ms")],
        ),
    ];
    for (name, more) in cases {
        let run = |solver: &str| {
            let mut overrides = vec![
                STEPPED,
                ("method.solver", solver),
                ("method.tolerance", "1e-13"),
                ("method.iterations", "100000"),
            ];
            overrides.extend_from_slice(more);
            Ran::of(&model(name, &overrides)).outcome
        };
        let (cone, lcp) = (run("cone"), run("lcp"));
        assert!(!cone.contacts.is_empty());
        let pairs = cone.positions.iter().zip(&lcp.positions);
        let speeds = cone.velocities.iter().zip(&lcp.velocities);
        let off = pairs.chain(speeds).map(|(a, b)| (a - b).abs());
        let off = off.fold(0.0, f64::max);
        println!("{name}: {off:e}");
        assert!(off < 1e-8, "{name}: {off:e}");
    }
}

#[test]
fn a_pendulum_that_runs_into_its_stop_comes_back_with_the_restitution() {
    // A rod of 1 m and 3 kg falls from the horizontal; its stop is where it hangs down.
    let model = text(
        r#"
format = 1
[simulation]
end = "1 s"
gravity = [0, -9.81]
output_step = "1 ms"
channels = ["rod.omega", "rod.angle", "constraints.violation", "joint.pin.force_y", "energy.residual"]
[method]
contact = "time-stepping"
step = "0.1 ms"
[body.rod]
mass = "3 kg"
shape = { type = "rod", length = "1 m" }
position = ["0.5 m", 0]
points = { pin = ["-0.5 m", 0] }
[joint.pin]
type = "revolute"
between = ["ground", "rod.pin"]
limits = { lower = "-90 deg", law = "flores", exponent = 1, stiffness = "1e5 N m/rad", restitution = 0.4 }
"#,
    );
    let ran = Ran::of(&model);
    let contact = &ran.outcome.contacts[0];
    // ω = √(3 g/L), and the moment of inertia about the pin is m L²/3.
    let omega = (3.0 * 9.81_f64).sqrt();
    assert!((contact.episode.approach - omega).abs() < 1e-3);
    assert!((contact.newton().expect("an impact") - 0.4).abs() < 1e-9);
    assert!(
        (contact.episode.mass - 1.0).abs() < 1e-6,
        "{}",
        contact.episode.mass
    );
    assert_eq!((contact.side, contact.unit), (Some("lower"), "rad"));
    let heat: f64 = ran.outcome.contacts.iter().map(|c| c.normal_heat()).sum();
    let ledger = &ran.outcome.ledger;
    assert!((ledger.dissipated[0].1 - heat).abs() < 1e-12);
    assert!((contact.normal_heat() - 0.5 * omega * omega * (1.0 - 0.16)).abs() < 1e-2);
    assert!(ran.largest("constraints.violation") < 1e-12);
    assert!(ledger.residual.abs() < 1e-3, "{ledger:?}");
}

#[test]
fn drivers_are_kept_exactly_and_bring_in_what_contacts_take() {
    let model = model(
        "trip-hammer.toml",
        &[
            STEPPED,
            ("method.step", "0.5 ms"),
            ("simulation.end", "2 s"),
        ],
    );
    let mut system = System::assemble(&model).expect("assembled");
    let outcome = system.run(&mut ());
    assert_eq!(outcome.status, Status::Completed);
    assert!(outcome.contacts.len() > 5);
    let left = system.project(
        outcome.t,
        &mut outcome.positions.clone(),
        &mut outcome.velocities.clone(),
    );
    assert!(left.expect("closed") < 1e-12);
    // Drivers lift the hammer: what they bring in and what became heat balance to a percent.
    let ledger = &outcome.ledger;
    let heat: f64 = ledger.dissipated.iter().map(|d| d.1).sum();
    assert!(heat > 1.0 && ledger.driver_work > 1.0, "{ledger:?}");
    assert!(ledger.residual.abs() < 1e-2 * heat, "{ledger:?}");
}

#[test]
fn a_pyramid_of_55_boxes_stands_for_20_seconds() {
    let mut model = model("pyramid.toml", &[]);
    let motions = [Motion::X, Motion::Y, Motion::Angle];
    let boxes = (0..55).flat_map(|i| motions.map(|motion| Channel::Body(i, motion)));
    model.simulation.channels = boxes.collect();
    let ran = Ran::of(&model);
    let first = &ran.samples[0].1;
    for (t, now) in &ran.samples {
        for (first, now) in first.iter().zip(now) {
            assert!((first - now).abs() < 1e-9, "{t} s: from {first} to {now}");
        }
    }
    assert!((ran.outcome.t - 20.0).abs() < 1e-12);
    assert!(
        ran.outcome.warnings.is_empty(),
        "{:?}",
        ran.outcome.warnings
    );
    // It is held up: impulses over the last step carry the weight of all boxes where they stand on the floor.
    let floor = ran
        .outcome
        .contacts
        .iter()
        .filter(|c| c.element.contains("floor"));
    let impulse: f64 = floor.map(|c| c.impulse()).sum();
    let weight = 55.0 * 9.81 * 20.0;
    assert!(
        (impulse - weight).abs() < 1e-6 * weight,
        "{impulse} {weight}"
    );
}

#[test]
fn two_thousand_discs_run_through_a_hopper() {
    let model = model("hopper.toml", &[("simulation.end", "0.4 s")]);
    let ran = Ran::of(&model);
    let group = &ran.outcome.groups[0];
    assert_eq!(group.positions.len(), 2000);
    // It has landed in the funnel: thousands of touches, no disc beyond the walls, no deep overlap.
    assert!(group.touches.len() > 1000, "{}", group.touches.len());
    // Two that meet at 4 m/s overlap by 1 mm before that is seen, more where they are pushed from behind: always less than half a radius.
    assert!(group.max_overlap < 4.5e-3, "{}", group.max_overlap);
    for ([x, y, _], r) in group.positions.iter().zip(&group.radii) {
        assert!(*y > r - 1e-3, "{y}");
        // The sides slope by 60° from an outlet of 0.12 m at 0.5 m.
        let half = 0.06 + (y - 0.5) / 3.0_f64.sqrt();
        assert!(*y < 0.5 || x.abs() < half, "{x} {y}");
    }
}

#[test]
fn grains_and_bodies_strike_each_other_both_ways() {
    // A disc falls onto a free plate on the floor of a space without friction: the plate is a body, the disc a grain.
    let model = text(
        r#"
format = 1
[simulation]
end = "0.5 s"
gravity = [0, 0]
channels = ["plate.vy", "discs.1.vy"]
[method]
contact = "time-stepping"
step = "1 ms"
[body.plate]
mass = "3 kg"
inertia = "1 kg m^2"
position = [0, 0]
shapes.top = { type = "rectangle", width = "2 m", height = "0.1 m" }
[group.discs]
count = 1
radius = "0.1 m"
mass = "1 kg"
velocity = [0, "-2 m/s"]
region = [["-0.11 m", "0.4 m"], ["0.11 m", "0.62 m"]]
touches = ["plate"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.5
"#,
    );
    let ran = Ran::of(&model);
    let [plate, disc] = ["plate.vy", "discs.1.vy"].map(|name| ran.last(name));
    // (1 + e) m v/(M + m)·… : the common speed is −0.5 m/s, the parting speed 1 m/s, less what the plate turns (the disc may land beside its middle).
    assert!((3.0 * plate + disc + 2.0).abs() < 1e-13, "{plate} {disc}");
    assert!(
        (disc - plate - 1.0).abs() < 0.05 && plate < -0.5,
        "{plate} {disc}"
    );
}

/// Balls of unequal masses in a row, all but touching: every blow is one of two balls, and a light one between heavy ones goes to and fro. The closed form is that of one blow after the other; a row that was held together while it
/// was struck gained up to five times its energy.
#[test]
fn rows_of_unequal_balls_pass_blows_on_one_after_the_other() {
    let e = 0.9;
    for masses in [[1.0, 0.2, 1.0], [1.05, 0.26, 1.63], [1.0, 3.0, 0.5]] {
        let mut file = String::from(
            "format = 1\n[simulation]\nend = \"0.05 s\"\ngravity = [0, 0]\n[method]\ncontact = \"time-stepping\"\n",
        );
        for (i, (m, x)) in masses.iter().zip([-0.0305, 0.0, 0.0200001]).enumerate() {
            let v = if i == 0 { 1.0 } else { 0.0 };
            file += &format!(
                "[body.b{i}]\nmass = {m}\ninertia = 4e-5\nposition = [{x}, 0]\nvelocity = [{v}, 0]\nshapes.s = {{ type = \"circle\", radius = 0.01 }}\n"
            );
        }
        file += &format!(
            "[group.g]\nbodies = [\"b0\", \"b1\", \"b2\"]\nlaw = \"flores\"\nstiffness = 1e9\nrestitution = {e}\n"
        );
        let ran = Ran::of(&text(&file));
        let mut v = [1.0, 0.0, 0.0];
        while let Some(i) = (0..2).find(|i| v[*i] > v[i + 1] + 1e-12) {
            let (m, n) = (masses[i], masses[i + 1]);
            let p = (1.0 + e) * (v[i] - v[i + 1]) * m * n / (m + n);
            v[i] -= p / m;
            v[i + 1] += p / n;
        }
        for (i, v) in v.iter().enumerate() {
            let found = ran.outcome.velocities[3 * i];
            assert!((found - v).abs() < 1e-9, "{masses:?}: {i} {found} {v}");
        }
    }
}

/// Three discs in a shaft hardly wider than they are: friction wedges them, and no impulses give back what restitution asks for. Such sets once grew to 415 m/s from 0.09 m/s. They have no more than they fell with.
#[test]
fn discs_wedged_in_a_shaft_gain_nothing() {
    for (friction, restitution) in [("1", "0.9"), ("0.6", "0.5"), ("1", "0.1"), ("0.4", "0.9")] {
        for seed in ["1", "2", "3", "4"] {
            let set = [
                STEPPED,
                ("group.grains.count", "3"),
                ("parameters.width", "16 mm"),
                ("parameters.height", "80 mm"),
                ("simulation.end", "0.5 s"),
                ("group.grains.seed", seed),
                ("group.grains.restitution", restitution),
                ("group.grains.friction.coefficient", friction),
            ];
            let ran = Ran::of(&model("grains-in-a-box.toml", &set));
            let at = format!("{friction} {restitution} {seed}");
            let first = &ran.outcome.ledger;
            let heat: f64 = first.dissipated.iter().map(|d| d.1).sum();
            let began = heat + first.gravitational + first.kinetic;
            assert!(ran.largest("energy.kinetic") < began, "{at}: {began}");
            assert!(
                first.kinetic < 1e-3 * began && heat > 0.0,
                "{at}: {first:?}"
            );
            assert!(first.residual.abs() < 1e-3 * began, "{at}: {first:?}");
        }
    }
}

/// Discs that strike each other and their walls all the time come to rest, and lie as high as those of a law do: by the mean of three heaps, since one that fell otherwise may be some per cent higher. With CAROM_FULL=1 the model as
/// it stands.
#[test]
fn heaps_of_grains_come_to_rest_as_high_as_with_a_law() {
    let small = [
        ("group.grains.count", "60"),
        ("parameters.width", "90 mm"),
        ("parameters.height", "240 mm"),
        ("simulation.end", "0.7 s"),
    ];
    let full = std::env::var("CAROM_FULL").is_ok();
    let set = if full { &[][..] } else { &small[..] };
    let mut heights = [0.0; 2];
    for seed in ["1", "2", "3"] {
        for (height, method) in heights.iter_mut().zip(["compliant", STEPPED.1]) {
            let more = [("group.grains.seed", seed), (STEPPED.0, method)];
            let all: Vec<_> = set.iter().copied().chain(more).collect();
            let outcome = Ran::of(&model("grains-in-a-box.toml", &all)).outcome;
            let ledger = &outcome.ledger;
            println!("{method}: {:?} {ledger:?}", outcome.work);
            *height += ledger.gravitational;
            let heat: f64 = ledger.dissipated.iter().map(|d| d.1).sum();
            assert!(ledger.kinetic < 1e-6 * heat, "{method}: {ledger:?}");
            assert!(ledger.residual.abs() < 1e-3 * heat, "{method}: {ledger:?}");
        }
    }
    let ratio = heights[1] / heights[0];
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

#[test]
fn every_model_is_stepped_through_soundly_or_says_why() {
    // A tenth of every run, the whole with CAROM_FULL=1.
    let full = std::env::var("CAROM_FULL").is_ok();
    let mut ran = 0;
    let entries = std::fs::read_dir(folder()).expect("the folder of models");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.to_string_lossy().to_string())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    for name in names {
        let source = Source {
            text: std::fs::read_to_string(folder().join(&name)).expect("it can be read"),
            name: name.clone(),
            folder: folder(),
        };
        let overrides = [(STEPPED.0.to_string(), STEPPED.1.to_string())];
        let mut model = match read(&source, &overrides) {
            Ok(parsed) => parsed.model,
            Err(errors) => {
                assert!(errors.iter().all(|e| !e.hint.is_empty()), "{name}");
                println!("{name}: {}", errors[0].message);
                continue;
            }
        };
        let grains: usize = model.of_grains().map(|group| group.count()).sum();
        let simulation = &mut model.simulation;
        let part = if grains > 0 { 0.02 } else { 0.1 };
        if !full {
            let every = simulation.output_step;
            simulation.end = simulation.start + part * (simulation.end - simulation.start);
            simulation.output_step = every.map(|every| every.min(simulation.end));
        }
        let mut system = match System::assemble(&model) {
            Ok(system) => system,
            Err(troubles) => {
                assert!(troubles.iter().all(|t| !t.hint.is_empty()), "{name}");
                println!("{name}: {}", troubles[0]);
                continue;
            }
        };
        let step = system.model().method.step.expect("a step is chosen");
        let outcome = system.run(&mut ());
        assert_eq!(
            outcome.status,
            Status::Completed,
            "{name}: {:?}",
            outcome.reason
        );
        let ledger = &outcome.ledger;
        println!(
            "{name}: steps of {step:.3e} s, residual {:.3e} J",
            ledger.residual
        );
        let told = outcome
            .warnings
            .iter()
            .find(|w| w.code == "energy-residual");
        assert!(told.is_none(), "{name}: {told:?}");
        ran += 1;
    }
    assert!(ran >= 25, "{ran}");
}

#[test]
fn a_stack_stands_though_it_falls_by_half_its_gaps_in_a_step() {
    // Ten boxes let go a millimetre above each other bring in 9.81 m/s² × 1 kg × 55 mm. Boxes that are let into each other and lifted out again feed the heap: steps of 10 ms once gained 40 times as much, and it fell apart.
    // Gaps that forces alone close within two steps are part of the heap from the start, so that nothing has to be lifted.
    for step in ["10 ms", "5 ms", "1 ms"] {
        let model = model(
            "box-stack.toml",
            &[STEPPED, ("method.step", step), ("simulation.end", "1 s")],
        );
        let ran = Ran::of(&model);
        for (i, [x, y, angle]) in ran.outcome.positions.as_chunks::<3>().0.iter().enumerate() {
            let height = 0.05 + 0.1 * i as f64;
            assert!(
                x.abs() < 2e-3 && (y - height).abs() < 1e-6 && angle.abs() < 1e-6,
                "{step}: {i} at {x} {y} {angle}"
            );
        }
        let ledger = &ran.outcome.ledger;
        let brought = 9.81 * 0.055;
        // What is lifted is taken off the heat, which so is all that was brought in.
        let heat: f64 = ledger.dissipated.iter().map(|d| d.1).sum();
        assert!(
            (heat - brought).abs() < 1e-3 * brought,
            "{step}: {ledger:?}"
        );
        assert!(ledger.residual.abs() < 1e-3 * brought, "{step}: {ledger:?}");
        assert!(ledger.kinetic < 1e-12, "{step}: {ledger:?}");
        let told = ran.outcome.warnings.iter();
        let mut told = told.filter(|w| w.code == "overlaps-lifted");
        assert!(told.next().is_none(), "{step}");
    }
}

/// A ball of 1 kg that stands 5 mm deep in the ground is lifted out of it: 9.81 m/s² × 5 mm, which no speed feels, and which is told.
#[test]
fn what_overlaps_at_the_start_is_lifted_without_a_speed_and_told() {
    let ran = Ran::of(&text(
        r#"
format = 1
[simulation]
end = "0.1 s"
channels = ["ball.y", "ball.vy"]
[method]
contact = "time-stepping"
[ground.shapes]
floor = { type = "half-plane" }
[body.ball]
mass = "1 kg"
inertia = "0.004 kg m^2"
position = [0, "95 mm"]
shapes.rim = { type = "circle", radius = "100 mm" }
[contact.floor]
between = ["ground", "ball"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.4
"#,
    ));
    assert!((ran.last("ball.y") - 0.1).abs() < 1e-6);
    assert!(ran.largest("ball.vy") < 1e-9);
    let mut told = ran.outcome.warnings.iter();
    let told = told.find(|w| w.code == "overlaps-lifted");
    let told = told.expect("it is told");
    assert!(told.message.contains("0.0490"), "{}", told.message);
}

#[test]
fn samples_stand_where_other_methods_have_them() {
    // A step that fits neither the samples nor the run: it is made a little shorter.
    let mut model = ball(0.5, 0.25, "step = \"7 ms\"");
    model.simulation.output_step = Some(0.02);
    let stepped = Ran::of(&model);
    let step = System::assemble(&model)
        .expect("assembled")
        .model()
        .method
        .step;
    assert!((step.expect("a step") - 0.02 / 3.0).abs() < 1e-15);
    model.method.contact = carom::model::ContactMethod::Piecewise;
    let located = Ran::of(&model);
    let times = |ran: &Ran| ran.samples.iter().map(|s| s.0).collect::<Vec<f64>>();
    assert_eq!(times(&stepped), times(&located));
}

#[test]
fn a_body_that_a_driver_pushes_into_the_ground_is_told_of() {
    let model = text(
        r#"
format = 1
[simulation]
end = "1 s"
[method]
contact = "time-stepping"
[ground.shapes.floor]
type = "half-plane"
[body.lift]
mass = "1 kg"
inertia = "0.01 kg m^2"
position = [0, "0.3 m"]
shapes.out = { type = "circle", radius = "0.1 m" }
[joint.guide]
type = "translational"
between = ["ground", "lift"]
direction = "90 deg"
[driver.down]
joint = "guide"
position = "0.3 m - 0.5 m/s*t"
[contact.floor]
between = ["ground.floor", "lift"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.3
"#,
    );
    let mut system = System::assemble(&model).expect("assembled");
    let outcome = system.run(&mut ());
    let reason = outcome.reason.expect("a reason");
    assert!(reason.contains("contact.floor: it closes at"), "{reason}");
    // It is there after 0.2 m at 0.5 m/s.
    assert!((outcome.t - 0.4).abs() < 5e-3, "{}", outcome.t);
}

/// A rod at 50°, no gravity, e = 0.9 and μ = 0.5: its kinetic energy after the blow is more than before (Kane's puzzle), and that is told, with the number that the ledger has.
#[test]
fn what_newton_s_restitution_gains_is_told() {
    let model = text(
        r#"
format = 1
[simulation]
end = "0.2 s"
gravity = [0, 0]
[method]
contact = "time-stepping"
[ground.shapes.floor]
type = "half-plane"
[body.rod]
mass = "1 kg"
shape = { type = "rod", length = "1 m" }
position = [0, "0.5 m*sin(50 deg) + 0.1 m"]
angle = "50 deg"
velocity = ["0.9 m/s", "-1 m/s"]
shapes.tip = { type = "circle", radius = "1e-6 m", center = ["-0.5 m", 0] }
[contact.floor]
between = ["ground.floor", "rod.tip"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.9
friction = { law = "coulomb", coefficient = 0.5 }
"#,
    );
    let mut system = System::assemble(&model).expect("assembled");
    let outcome = system.run(&mut ());
    let heat: f64 = outcome.ledger.dissipated.iter().map(|d| d.1).sum();
    let told = outcome
        .warnings
        .iter()
        .find(|w| w.code == "impact-gains-energy");
    assert!(heat < 0.0, "{heat}");
    let told = told.expect("it is told");
    assert_eq!(told.element.as_deref(), Some("contact.floor"));
    // One blow in one step: the number told is the one in the ledger, to the digits told.
    let words = told.message.split_whitespace();
    let number = words.filter_map(|word| word.parse::<f64>().ok()).next();
    let number = number.expect("a number");
    assert!((number + heat).abs() < 1e-3 * number, "{number} {heat}");
}

/// A ball without friction in a bore: a pendulum of R − r = 0.9 m, let go at 60°. Its period is 2π √(l/g)/agm(1, cos 30°).
fn cup(end: f64, method: &str) -> Ran {
    Ran::of(&text(&format!(
        r#"
format = 1
[simulation]
end = "{end} s"
gravity = [0, -9.81]
channels = ["ball.x", "ball.y", "energy.kinetic", "energy.gravitational", "energy.residual", "contact.cup.gap"]
[method]
contact = "time-stepping"
{method}
[ground.shapes.cup]
type = "bore"
radius = "1 m"
[body.ball]
mass = "1 kg"
inertia = "0.004 kg m^2"
position = ["0.9 m*sin(60 deg)", "-0.9 m*cos(60 deg)"]
shapes.rim = {{ type = "circle", radius = "0.1 m" }}
[contact.cup]
between = ["ground.cup", "ball"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.5
"#
    )))
}

#[test]
fn a_ball_slides_in_a_cup_as_a_pendulum_swings() {
    let (mut a, mut b) = (1.0_f64, 30.0_f64.to_radians().cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = std::f64::consts::TAU * (0.9_f64 / 9.81).sqrt() / a;
    // Half a period later it is at rest on the other side. What it swings with is m g l (1 − cos 60°) = 4.41 J.
    let swing = 0.5 * 9.81 * 0.9;
    let errors = [0.02, 0.01].map(|h| {
        let ran = cup(0.5 * period, &format!("step = \"{h} s\""));
        ran.last("ball.x") + 0.9 * 60.0_f64.to_radians().sin()
    });
    println!("{errors:?}");
    // Of second order, as nothing strikes: near the turning point the error is even smaller.
    assert!(errors[0].abs() < 1e-2 && errors[1].abs() < 0.35 * errors[0].abs());
    // Three periods with the step that is chosen, and with a coarse one: no heat, nothing lifted, nothing told.
    for method in ["", "step = \"10 ms\""] {
        let ran = cup(3.0 * period, method);
        let heat: f64 = ran.outcome.ledger.dissipated.iter().map(|d| d.1).sum();
        assert!(heat.abs() < 1e-3 * swing, "{method}: {heat}");
        assert!(ran.largest("energy.residual") < 2e-3 * swing, "{method}");
        let highest = ran.samples.iter().map(|s| s.1[1]);
        let highest = highest.skip(ran.samples.len() / 2).fold(-1.0, f64::max);
        assert!((highest + 0.45).abs() < 1e-2, "{method}: {highest}");
        assert!(
            ran.outcome.warnings.is_empty(),
            "{:?}",
            ran.outcome.warnings
        );
    }
}

/// A slab that a driver brings down onto a block on the floor at 0.5 m/s: from 0.3 m to the block's 0.1 m takes 0.4 s, and then nothing can give way.
#[test]
fn a_block_that_a_driver_squeezes_is_told_of_where_it_cannot_give_way() {
    // Impulses that grew until rounding ate them once threw the disc out with 36 J.
    let block = r#"{ type = "rectangle", width = "0.2 m", height = "0.1 m" }"#;
    let disc = r#"{ type = "circle", radius = "0.05 m" }"#;
    for (solver, outline) in [
        ("cone", block),
        ("lcp", block),
        ("cone", disc),
        ("lcp", disc),
    ] {
        for restitution in ["0.3", "0"] {
            let model = text(&format!(
                r#"
format = 1
[simulation]
end = "1 s"
gravity = [0, -9.81]
[method]
contact = "time-stepping"
solver = "{solver}"
[ground.shapes.floor]
type = "half-plane"
[body.block]
mass = "1 kg"
shape = {{ type = "rectangle", width = "0.2 m", height = "0.1 m" }}
position = [0, "0.05 m"]
shapes.outline = {outline}
[body.slab]
mass = "5 kg"
shape = {{ type = "rectangle", width = "0.4 m", height = "0.05 m" }}
position = [0, "0.325 m"]
shapes.outline = {{ type = "rectangle", width = "0.4 m", height = "0.05 m" }}
[joint.guide]
type = "translational"
between = ["ground", "slab"]
direction = "90 deg"
[driver.down]
joint = "guide"
position = "0.325 m - 0.5 m/s*t"
[contact.floor]
between = ["ground.floor", "block"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = {restitution}
[contact.press]
between = ["slab", "block"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = {restitution}
"#
            ));
            let outcome = System::assemble(&model).expect("assembled").run(&mut ());
            assert_eq!(outcome.status, Status::Failed, "{solver} {restitution}");
            let reason = outcome.reason.expect("a reason");
            assert!(reason.contains("contact."), "{reason}");
            assert!(reason.contains("give way"), "{reason}");
            let t = outcome.t;
            assert!((t - 0.4).abs() < 0.02, "{solver} {restitution}: {t}");
            // Up to there nothing has been thrown about.
            let [x, y, angle] = outcome.positions.as_chunks::<3>().0[0];
            assert!(x.abs() < 1e-3 && (y - 0.05).abs() < 2e-3 && angle.abs() < 1e-2);
        }
    }
}

/// A pellet of 1 mm at 100 m/s against a foil of 1 mm: it is felt over 1 mm, and comes back with e = 0.5.
fn pellet(method: &str) -> Ran {
    Ran::of(&text(&format!(
        r#"
format = 1
[simulation]
end = "10 ms"
gravity = [0, 0]
channels = ["pellet.vx"]
[method]
contact = "time-stepping"
{method}
[body.foil]
mass = "1 kg"
inertia = "0.1 kg m^2"
position = ["0.5 m", 0]
shapes.out = {{ type = "rectangle", width = "1 mm", height = "1 m" }}
[body.pellet]
mass = "1 g"
inertia = "1e-9 kg m^2"
position = ["-3 mm", 0]
velocity = ["100 m/s", 0]
shapes.out = {{ type = "circle", radius = "0.5 mm" }}
[contact.hit]
between = ["foil", "pellet"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = 0.5
"#
    )))
}

#[test]
fn what_is_tiny_and_fast_does_not_pass_through_what_is_thin() {
    // (m − e M)/(m + M) of 100 m/s, with M = 1 kg.
    let back = 100.0 * (1e-3 - 0.5) / (1e-3 + 1.0);
    let chosen = pellet("");
    assert!((chosen.last("pellet.vx") - back).abs() < 1e-9);
    let long = |ran: &Ran| {
        let mut told = ran.outcome.warnings.iter();
        told.find(|w| w.code == "long-step").cloned()
    };
    assert!(long(&chosen).is_none());
    // Steps of 0.1 ms are 10 mm long: their middles stand 7 mm before the foil and 1 mm behind it. It passes, and is told of by its name, with a step by which it does not.
    let passed = pellet("step = \"0.1 ms\"");
    assert_eq!(passed.last("pellet.vx"), 100.0);
    let told = long(&passed).expect("it is told");
    assert_eq!(told.element.as_deref(), Some("contact.hit"));
    assert!(told.message.contains("`pellet`"), "{}", told.message);
    let step = told.hint.split('"').nth(1).expect("a step");
    let seen = pellet(&format!("step = \"{step}\""));
    assert!((seen.last("pellet.vx") - back).abs() < 1e-9, "{step}");
    assert!(long(&seen).is_none());
}

/// A ball of 3.51 mm falls between two bars of 2 mm that stand 11 mm apart: their normals rise by acos(5.5/5.51) = 3.5°, far below the 26.6° of friction, and no impulses can throw it out again. It jams, and lies there.
#[test]
fn what_falls_into_a_wedge_that_friction_jams_stays_there() {
    for solver in ["cone", "lcp"] {
        let ran = Ran::of(&text(&format!(
            r#"
format = 1
[simulation]
end = "0.1 s"
channels = ["ball.y", "ball.vy", "energy.residual"]
[method]
contact = "time-stepping"
solver = "{solver}"
[ground.shapes]
left = {{ type = "circle", center = ["-5.5 mm", 0], radius = "2 mm" }}
right = {{ type = "circle", center = ["5.5 mm", 0], radius = "2 mm" }}
[body.ball]
mass = "1 g"
inertia = "5e-9 kg m^2"
position = ["0.01 mm", "10 mm"]
shapes.rim = {{ type = "circle", radius = "3.51 mm" }}
[contact.bars]
between = ["ground", "ball"]
law = "flores"
stiffness = "1e6 N/m^1.5"
restitution = 0.4
friction = {{ law = "coulomb", coefficient = 0.5 }}
"#
        )));
        assert!(ran.last("ball.vy").abs() < 1e-9, "{solver}");
        let height = (5.51_f64.powi(2) - 5.5_f64.powi(2)).sqrt() * 1e-3;
        let lies = ran.last("ball.y");
        assert!(
            (lies - height).abs() < 2e-4,
            "{solver}: {lies:e} {height:e}"
        );
        assert!(ran.largest("energy.residual") < 1e-9, "{solver}");
    }
}

/// Poisson's and Stronge's ratios are of blows at an instant: time stepping says, with the line, that it takes Newton's.
#[test]
fn another_restitution_than_newton_s_is_told_to_be_passed_over() {
    let file = "format = 1\n[simulation]\nend = 1\n[method]\ncontact = \"time-stepping\"\nrestitution = \"WORD\"\n[body.ball]\nmass = 1\ninertia = 0.004\n";
    for (word, told) in [("newton", 0), ("poisson", 1), ("stronge", 1)] {
        let source = Source::new("test.toml", file.replace("WORD", word));
        let parsed = read(&source, &[]).expect("sound");
        let lines: Vec<_> = parsed.warnings.iter().map(|w| w.line).collect();
        assert_eq!(lines, vec![6; told], "{word}");
    }
}

/// Laws that divide by the restitution take none of 0; without compliance their formula is not asked, and the ball lies where it falls.
#[test]
fn a_ball_that_gives_nothing_back_lies_at_once() {
    let ran = Ran::of(&ball(0.0, 1.0, "step = \"1 ms\""));
    assert!(ran.last("ball.vy").abs() < 1e-12);
    assert_eq!(ran.outcome.contacts.len(), 1);
    let one = &ran.outcome.contacts[0];
    // √(2 · 10 · 1) m/s · 1 kg in the blow, to within a step; then its weight until the end.
    let speed = 20.0_f64.sqrt();
    assert!((one.blow_impulse() - speed).abs() < 0.02, "{one:?}");
    let lay = 10.0 * (1.0 - one.episode.start);
    assert!((one.course.pressed - lay).abs() < 0.03, "{one:?}");
    // With compliance the law's own damper is asked for, and there is none.
    let source = Source {
        name: "test.toml".into(),
        text: "format = 1\n[simulation]\nend = 1\n[ground.shapes.floor]\ntype = \"half-plane\"\n[body.ball]\nmass = 1\ninertia = 0.005\nposition = [0, 1]\nshapes.rim = { type = \"circle\", radius = 0.1 }\n[contact.bounce]\nbetween = [\"ground.floor\", \"ball\"]\nlaw = \"flores\"\nstiffness = 1e6\nrestitution = 0\n".into(),
        folder: folder(),
    };
    let faults = read(&source, &[]).expect_err("refused");
    assert!(
        faults[0].to_string().contains("restitution"),
        "{}",
        faults[0]
    );
}

#[test]
fn joints_that_nothing_puts_back_are_told_of() {
    let run = |control: &str| {
        let model = model(
            "double-pendulum.toml",
            &[
                STEPPED,
                ("method.step", "10 ms"),
                ("constraints.control", control),
                ("simulation.end", "2 s"),
            ],
        );
        Ran::of(&model).outcome.warnings
    };
    let told = run("none");
    let told = told.iter().find(|w| w.code == "joints-open");
    assert!(told.is_some_and(|w| w.hint.contains("control = \"projection\"")));
    assert!(run("projection").iter().all(|w| w.code != "joints-open"));
}

/// All samples, and whether somebody watches.
struct Watcher {
    samples: Vec<(f64, Vec<f64>)>,
    watches: bool,
    frames: usize,
    arrows: usize,
}

impl Observer for Watcher {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.samples.push((t, values.to_vec()));
    }

    fn watches(&self) -> bool {
        self.watches
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        self.frames += 1;
        self.arrows = self.arrows.max(frame.arrows.len());
    }
}

#[test]
fn a_run_is_the_same_whether_or_not_it_is_watched() {
    let model = model("door-latch.toml", &[STEPPED, ("method.step", "1 ms")]);
    let run = |watches: bool| {
        let mut watcher = Watcher {
            samples: Vec::new(),
            watches,
            frames: 0,
            arrows: 0,
        };
        let mut system = System::assemble(&model).expect("assembled");
        let outcome = system.run(&mut watcher);
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        (watcher, outcome)
    };
    let ((plain, one), (watched, two)) = (run(false), run(true));
    assert_eq!(plain.samples, watched.samples);
    assert_eq!(one.velocities, two.velocities);
    // What there is none of is no number, and equals nothing.
    assert_eq!(format!("{:?}", one.contacts), format!("{:?}", two.contacts));
    assert!(plain.frames == 0 && watched.frames as u64 == two.statistics.steps_accepted + 1);
    assert!(watched.arrows > 0);
}

#[test]
fn what_cannot_be_stepped_through_is_said_before() {
    let refused = |name: &str, overrides: &[(&str, &str)]| {
        let mut all = vec![STEPPED];
        all.extend_from_slice(overrides);
        let troubles = System::assemble(&model(name, &all)).expect_err("refused");
        assert_eq!(troubles[0].code, "time-stepping");
        troubles[0].to_string()
    };
    let words = refused("pendulum.toml", &[("simulation.analysis", "static")]);
    assert!(words.contains("the analysis `static` is none"), "{words}");
}
