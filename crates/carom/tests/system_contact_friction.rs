//! Do contacts with friction stick, slide, roll and let go as the closed forms say?

mod built;

use built::files::Ran;
use carom::model::Model;
use carom::model::file::{Source, read};

/// A disc or a block on level ground under gravity, pressed from the start on: its weight is carried by K δ^1.5.
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
[parameters]
K = "1e8 N/m^1.5"
[body.disc]
mass = "2 kg"
inertia = "0.01 kg m^2"
position = [0, "0.1 m - 3.3772e-5 m"]
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

/// A disc that is thrown without turning slips for v0/(3 μ g) and rolls at 2/3 v0 from then on.
#[test]
fn a_disc_that_slips_comes_to_roll_at_two_thirds_of_its_speed() {
    let rest = "0.1 m - 1.962e-5 m";
    let ran = Ran::of(&model(DISC, &[("0.1 m - 3.3772e-5 m", rest)]));
    let (v, omega) = (ran.last("disc.vx"), ran.last("disc.omega"));
    println!("{v} {omega} {:?}", ran.outcome.statistics);
    for w in &ran.outcome.warnings {
        println!("{w:?}");
    }
    for c in &ran.outcome.contacts {
        println!(
            "{:?} slide {} rest {} drift {} heat {}",
            c.episode, c.course.slide, c.course.rest, c.course.drift, c.course.rub_heat
        );
    }
    assert!((v - 2.0).abs() < 1e-8, "{v}");
    assert!((omega + 20.0).abs() < 1e-7, "{omega}");
    assert!(ran.last("energy.residual").abs() < 1e-7);
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
        "law = \"reset-integrator\", static_coefficient = 0.4, kinetic_coefficient = 0.38, stiffness = \"1e6 N/m\", damping = \"1000 N s/m\"",
        "law = \"dahl\", coefficient = 0.4, stiffness = \"1e6 N/m\"",
        "law = \"lugre\", static_coefficient = 0.4, kinetic_coefficient = 0.38, stribeck_speed = \"1 mm/s\", stiffness = \"1e6 N/m\", damping = \"1000 N s/m\"",
    ] {
        let swaps = [("law = \"coulomb\", coefficient = 0.4", law)];
        let start = std::time::Instant::now();
        let ran = Ran::of(&model(INCLINE, &swaps));
        let x = ran.column("box.x");
        println!(
            "{law}: {:?}\n  x at 1 s {:e}, at 50 s {:e}, at 100 s {:e} v {:e} friction {} residual {:e} {} evals {:?}",
            start.elapsed(),
            x[10],
            x[500],
            ran.last("box.x"),
            ran.last("box.vx"),
            ran.last("contact.floor.friction"),
            ran.last("energy.residual"),
            ran.outcome.statistics.rhs_evaluations,
            ran.outcome.statistics
        );
        for w in &ran.outcome.warnings {
            println!("  {} {}", w.code, w.message);
        }
    }
}
