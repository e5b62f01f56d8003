//! Do contacts with friction stick, slide, roll and let go as the closed forms say?

mod built;

use built::files::Ran;
use carom::model::Model;
use carom::model::file::{Source, read};

/// A disc or a block on level ground under gravity, pressed from the start on: its weight is carried by an indentation of 19.62 μm.
const DISC: &str = r#"
format = 1
[simulation]
end = "2 s"
gravity = [0, -9.81]
output_step = "10 ms"
channels = ["disc.x", "disc.vx", "disc.omega", "contact.floor.friction", "energy.residual", "energy.dissipated"]
[solver]
integrator = "dop853"
rtol = 1e-9
[body.disc]
mass = "2 kg"
inertia = "0.01 kg m^2"
position = [0, "0.1 m - 1.962e-5 m"]
velocity = ["3 m/s", 0]
shapes.rim = { type = "circle", radius = "0.1 m" }
[ground]
shapes.floor = { type = "half-plane" }
[contact.floor]
between = ["ground.floor", "disc.rim"]
law = "kelvin-voigt"
stiffness = "1e6 N/m"
damping = "2000 N s/m"
friction = { law = "coulomb", coefficient = 0.2 }
"#;

fn model(text: &str, swaps: &[(&str, &str)]) -> Model {
    let mut text = text.to_string();
    for (from, to) in swaps {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let source = Source {
        name: "friction.toml".into(),
        text,
        folder: ".".into(),
    };
    match read(&source, &[]) {
        Ok(parsed) => parsed.model,
        Err(faults) => panic!("{}", faults[0]),
    }
}

/// A disc that is thrown without turning slips for v0/(μ g (1 + m r²/I)) and then rolls at v0/(1 + I/(m r²)): v0/(3 μ g) and 2/3 v0, but that friction acts half the indentation above the rim.
#[test]
fn a_disc_that_slips_comes_to_roll_at_two_thirds_of_its_speed() {
    let ran = Ran::of(&model(DISC, &[]));
    let arm = 0.1 - 0.5 * 1.962e-5;
    let ratio = 2.0 * arm * arm / 0.01;
    let known = 3.0 * ratio / (1.0 + ratio);
    let (v, omega) = (ran.last("disc.vx"), ran.last("disc.omega"));
    assert!((v - known).abs() < 1e-9, "{v} {known}");
    assert!((omega + known / arm).abs() < 1e-7, "{omega}");
    let until = 3.0 / (0.2 * 9.81 * (1.0 + ratio));
    let [contact] = &ran.outcome.contacts[..] else {
        panic!("{:?}", ran.outcome.contacts);
    };
    let rest = contact.course.rest;
    assert!((2.0 - rest - until).abs() < 1e-8, "{rest} {until}");
    // It slid by the mean of 3 m/s and nothing, and not at all afterwards.
    let slide = contact.course.slide;
    assert!((slide - 1.5 * until).abs() < 1e-7, "{slide}");
    assert!(contact.course.drift.abs() < 1e-12);
    assert!(ran.last("energy.residual").abs() < 1e-8);
    // What was lost is heat.
    let lost = 9.0 - known * known * (1.0 + 1.0 / ratio);
    let heat = contact.course.rub_heat;
    assert!((heat - lost).abs() < 1e-7, "{heat} {lost}");
}

const INCLINE: &str = r#"
format = 1
[simulation]
end = "100 s"
gravity = ["-9.81 m/s^2*sin(20 deg)", "-9.81 m/s^2*cos(20 deg)"]
output_step = "0.1 s"
channels = ["box.x", "box.vx", "box.y", "contact.floor.friction", "contact.floor.force", "energy.kinetic", "energy.residual"]
[solver]
rtol = 1e-8
[body.box]
mass = "2 kg"
inertia = "0.02 kg m^2"
position = [0, "0.1 m - 2.041e-5 m"]
shapes.skin = { type = "polygon", corners = [["-0.15 m", "-0.1 m"], ["0.15 m", "-0.1 m"], ["0.15 m", "0.1 m"], ["-0.15 m", "0.1 m"]] }
[ground]
shapes.floor = { type = "half-plane" }
[contact.floor]
between = ["ground.floor", "box.skin"]
law = "hunt-crossley"
stiffness = "1e8 N/m^1.5"
restitution = 0.3
friction = { law = "coulomb", coefficient = 0.4 }
"#;

#[test]
fn a_block_on_an_incline_holds_for_a_hundred_seconds() {
    for law in [
        "law = \"coulomb\", coefficient = 0.4",
        "law = \"rooney-deravi\", coefficient = 0.4, dead_band = \"1 mm/s\"",
        "law = \"karnopp\", static_coefficient = 0.4, kinetic_coefficient = 0.3, dead_band = \"1 mm/s\"",
        "law = \"modified-karnopp\", static_coefficient = 0.4, kinetic_coefficient = 0.3, dead_band = \"1 mm/s\", stribeck_speed = \"1 mm/s\"",
        "law = \"tangential-spring\", coefficient = 0.4, stiffness = \"1e6 N/m\", damping = \"1000 N s/m\"",
        "law = \"reset-integrator\", static_coefficient = 0.4, kinetic_coefficient = 0.4, stiffness = \"1e6 N/m\", damping = \"1000 N s/m\"",
        "law = \"dahl\", coefficient = 0.4, stiffness = \"1e6 N/m\"",
        "law = \"lugre\", static_coefficient = 0.4, kinetic_coefficient = 0.38, stribeck_speed = \"1 mm/s\", stiffness = \"1e6 N/m\", damping = \"1000 N s/m\"",
    ] {
        let swaps = [("law = \"coulomb\", coefficient = 0.4", law)];
        let ran = Ran::of(&model(INCLINE, &swaps));
        let x = ran.column("box.x");
        // The cards of both say so: they drift a little while the load shakes.
        let drifts = law.contains("dahl") || law.contains("lugre");
        // It tilts and shears a little until it stands. (Corners that carry less are at their limit; with two coefficients the force of the reset integrator jumps there, and hunts.)
        let crept = (x[1000] - x[500]).abs();
        assert!(
            crept < if drifts { 1e-7 } else { 1e-10 },
            "{law}: {crept:e}"
        );
        assert!(x[1000].abs() < 1e-4, "{law}");
        let friction = ran.last("contact.floor.friction");
        let pull = 2.0 * 9.81 * 20_f64.to_radians().sin();
        assert!((friction + pull).abs() < 1e-6, "{law}: {friction} {pull}");
        let residual = ran.last("energy.residual");

        assert!(residual.abs() < 1e-7, "{law}: {residual:e}");
        assert!(ran.last("energy.kinetic") < 1e-18, "{law}");
    }
}

/// Ambrósio's law has no force below v0: the block creeps at v0 + (v1 − v0) tan α/μ, 9.19 mm/s.
#[test]
fn a_block_on_an_incline_creeps_with_a_law_that_is_a_function_of_speed() {
    let law = "law = \"ambrosio\", coefficient = 0.4, v0 = \"1 mm/s\", v1 = \"10 mm/s\"";
    let swaps = [
        ("law = \"coulomb\", coefficient = 0.4", law),
        ("100 s", "5 s"),
    ];
    let ran = Ran::of(&model(INCLINE, &swaps));
    let creep = 1e-3 + 9e-3 * 20_f64.to_radians().tan() / 0.4;
    let v = ran.last("box.vx");
    assert!((v + creep).abs() < 1e-9, "{v} {creep}");
    let drift = ran.outcome.contacts[0].course.drift;
    assert!((drift.abs() / (5.0 * creep) - 1.0).abs() < 0.01, "{drift}");
}

/// A ball that lands while it slides: the bristles begin under no force at all, where they settle in no time. Its speed and spin after the bounce are those of a reference by 400 000 steps of the midpoint rule, in which the
/// bristles move by the exact solution of their own equation over a step, and are never bent farther than friction can.
#[test]
fn bristles_that_begin_under_no_force_bend_as_small_steps_say() {
    let (m, r, k, sigma, mu) = (1.0, 0.1, 1e7, 1e6, 0.4);
    let inertia = 0.5 * m * r * r;
    for damping in [0.0, 300.0] {
        let friction = if damping == 0.0 {
            format!("law = \"dahl\", coefficient = {mu}, stiffness = {sigma:e}")
        } else {
            format!(
                "law = \"lugre\", static_coefficient = {mu}, kinetic_coefficient = {mu}, stribeck_speed = 1e-3, stiffness = {sigma:e}, damping = {damping}"
            )
        };
        let text = format!(
            "format = 1\n[simulation]\nend = 0.01\ngravity = [0, 0]\nchannels = [\"b.vx\", \"b.omega\", \"b.vy\"]\n[solver]\nrtol = 1e-10\n[ground.shapes.floor]\ntype = \"half-plane\"\n[body.b]\nmass = {m}\n\
             inertia = {inertia}\nposition = [0, {r}]\nvelocity = [0.3, -0.2]\nshapes.o = {{ type = \"circle\", radius = {r} }}\n[contact.k]\nbetween = [\"ground.floor\", \"b\"]\nlaw = \"hertz\"\nstiffness = {k:e}\n\
             friction = {{ {friction} }}\n"
        );
        let ran = Ran::of(&model(&text, &[]));
        assert!(
            ran.outcome.statistics.steps_accepted < 1000,
            "{:?}",
            ran.outcome.statistics
        );
        // δ, its rate, the speed and the spin of the ball; the bristles beside.
        let mut y = [0.0, 0.2, 0.3, 0.0_f64];
        let mut z = 0.0_f64;
        let normal = |y: &[f64; 4]| k * y[0].max(0.0).powf(1.5);
        let arm = |y: &[f64; 4]| r - 0.5 * y[0];
        let slip = |y: &[f64; 4]| y[2] + y[3] * arm(y);
        let limit = |y: &[f64; 4]| mu * normal(y) / sigma;
        let bent = |y: &[f64; 4], z: f64, h: f64| {
            let (bend, v) = (limit(y), slip(y));
            if bend == 0.0 {
                return 0.0;
            }
            let (steady, z) = (bend * v.signum(), z.clamp(-bend, bend));
            steady + (z - steady) * (-v.abs() * h / bend).exp()
        };
        let slope = |y: &[f64; 4], z: f64| {
            let (n, v) = (normal(y), slip(y));
            let z = z.clamp(-limit(y), limit(y));
            let rate = if n > 0.0 {
                v - v.abs() * sigma * z / (mu * n)
            } else {
                0.0
            };
            let rub = if n > 0.0 {
                -(sigma * z + damping * rate)
            } else {
                0.0
            };
            [y[1], -n / m, rub / m, rub * arm(y) / inertia]
        };
        let add = |y: &[f64; 4], d: &[f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * d[i]);
        let duration = 2.943_28 * (1.25 * m / k).powf(0.4) * 0.2_f64.powf(-0.2);
        let h = duration / 4e5;
        while y[0] >= 0.0 {
            let half: [f64; 4] = add(&y, &slope(&y, z), 0.5 * h);
            let middle = bent(&half, z, 0.5 * h);
            y = add(&y, &slope(&half, middle), h);
            z = bent(&half, z, h);
        }
        println!("{:?} {:?}", [ran.last("b.vx"), ran.last("b.omega")], y);
        assert!((ran.last("b.vx") - y[2]).abs() < 2e-7, "{friction}");
        assert!((ran.last("b.omega") - y[3]).abs() < 4e-6, "{friction}");
        let residual = ran.outcome.ledger.residual;
        assert!(residual.abs() < 1e-7, "{friction}: {residual:e}");
    }
}

/// How far bristles are bent follows from the motion before: inverse dynamics does not know, and says so.
#[test]
fn bristles_that_an_analysis_does_not_know_are_said_to_be_unbent() {
    let text = "format = 1\n[simulation]\nanalysis = \"inverse-dynamics\"\nend = 0.1\n[body.crank]\nmass = 1\ninertia = 0.01\nposition = [0.1, 0]\npoints.O = [-0.1, 0]\n[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"crank.O\"]\n\
                friction = { law = \"dahl\", coefficient = 0.3, stiffness = 1e6, radius = \"5 mm\" }\n[driver.motor]\njoint = \"pin\"\nspeed = \"10 rad/s\"\n";
    let outcome = Ran::of(&model(text, &[])).outcome;
    let said = outcome
        .warnings
        .iter()
        .find(|w| w.code == "bristles-unbent");
    let said = said.expect("a warning");
    assert_eq!(said.element.as_deref(), Some("joint.pin.friction"));
}
