//! Does a model file become the groups that it says: bodies that may all touch each other, and grains that are made?

mod built;

use built::files::Ran;
use carom::mechanics::Follows;
use carom::model::diagnostic::listing;
use carom::model::*;

const FRAME: &str = r#"
format = 1
[simulation]
end = "0.2 s"
output_step = "2 ms"
[ground]
shapes.floor = { type = "half-plane", material = "steel" }
shapes.left = { type = "half-plane", normal = "0 deg", material = "glass" }
shapes.right = { type = "half-plane", point = ["0.2 m", 0], normal = "180 deg", material = "glass" }
"#;

/// Three balls that fall on each other.
const BALLS: &str = r#"
[body.a]
mass = "1 kg"
inertia = "1e-3 kg m^2"
position = ["60 mm", "51 mm"]
shapes.rim = { type = "circle", radius = "50 mm", material = "steel" }
[body.b]
mass = "2 kg"
inertia = "2e-3 kg m^2"
position = ["120 mm", "140 mm"]
shapes.rim = { type = "circle", radius = "40 mm", material = "steel" }
[body.c]
mass = "1 kg"
inertia = "1e-3 kg m^2"
position = ["70 mm", "220 mm"]
velocity = [0, "-1 m/s"]
shapes.rim = { type = "circle", radius = "30 mm", material = "steel" }
"#;

const LAW: &str = r#"
law = "flores"
stiffness = "1e7 N/m^1.5"
restitution = 0.6
friction = { law = "tanh", coefficient = 0.3, transition_speed = "10 mm/s" }
"#;

const GRAINS: &str = r#"
[group.grains]
count = 30
radius = ["4 mm", "6 mm"]
density = "2500 kg/m^3"
thickness = "10 mm"
region = [[0, 0], ["0.2 m", "0.4 m"]]
velocity = ["0.1 m/s", "-0.2 m/s"]
angular_velocity = "3 rad/s"
"#;

const VERLET: &str = r#"
[solver]
integrator = "verlet"
step = "10 us"
"#;

fn try_read(text: &str, overrides: &[(&str, &str)]) -> Result<Parsed, String> {
    let overrides: Vec<(String, String)> = overrides
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    read(&Source::new("test.toml", text), &overrides).map_err(|errors| listing(&errors))
}

#[track_caller]
fn model(parts: &[&str], overrides: &[(&str, &str)]) -> Model {
    match try_read(&parts.concat(), overrides) {
        Ok(parsed) => parsed.model,
        Err(said) => panic!("{said}"),
    }
}

#[test]
fn a_group_of_bodies_moves_as_with_every_contact_written_out() {
    let group = format!("{FRAME}{BALLS}[group.all]\nbodies = [\"a\", \"b\", \"c\"]\n{LAW}");
    let mut by_hand = format!("{FRAME}{BALLS}");
    // In the order in which the group has them.
    for (one, other) in [("a", "b"), ("a", "c"), ("b", "c")] {
        by_hand += &format!("[contact.{one}{other}]\nbetween = [\"{one}\", \"{other}\"]\n{LAW}");
    }
    for wall in ["floor", "left", "right"] {
        for body in ["a", "b", "c"] {
            by_hand += &format!(
                "[contact.{body}-{wall}]\nbetween = [\"{body}\", \"ground.{wall}\"]\n{LAW}"
            );
        }
    }
    let motion = [(
        "simulation.channels",
        r#"["a.x", "a.y", "a.omega", "b.x", "b.vy", "c.x", "c.y", "energy.dissipated"]"#,
    )];
    let group = model(&[&group], &motion);
    assert_eq!(group.contacts.len(), 12);
    assert_eq!(group.groups[0].contacts, 0..12);
    assert_eq!(group.groups[0].members, Members::Bodies(vec![0, 1, 2]));
    assert_eq!(group.contacts[1].element(), "group.all.a+c");
    assert_eq!(group.contacts[11].element(), "group.all.c+ground.right");
    let (one, other) = (Ran::of(&group), Ran::of(&model(&[&by_hand], &motion)));
    assert_eq!(one.samples, other.samples);
    assert!(one.outcome.contacts.len() > 5, "nothing happened");
    // One account for all touches of the group, which is the sum of those written out.
    let ledger = &one.outcome.ledger;
    let names: Vec<&str> = ledger.dissipated.iter().map(|d| d.0.as_str()).collect();
    assert_eq!(names, ["group.all", "group.all.friction"]);
    let sum = |dissipated: &[(String, f64)]| dissipated.iter().map(|d| d.1).sum::<f64>();
    let apart = sum(&ledger.dissipated) - sum(&other.outcome.ledger.dissipated);
    assert!(apart.abs() < 1e-12 * sum(&ledger.dissipated), "{apart:e}");
}

#[test]
fn the_numbers_of_a_group_are_those_of_its_bodies() {
    let group = format!("{FRAME}{BALLS}[group.all]\nbodies = [\"a\", \"b\", \"c\"]\n{LAW}");
    let asked = [(
        "simulation.channels",
        r#"["group.all.kinetic", "energy.kinetic", "group.all.top", "group.all.centre_x", "group.all.centre_y",
            "group.all.contacts", "group.all.overlap", "a.x", "a.y", "b.x", "b.y", "c.x", "c.y", "group.all.a+b.indentation"]"#,
    )];
    let ran = Ran::of(&model(&[&group], &asked));
    let column = |name: &str| ran.column(name);
    for i in 0..ran.samples.len() {
        let at = |name: &str| column(name)[i];
        assert!((at("group.all.kinetic") - at("energy.kinetic")).abs() < 1e-12);
        let top = (at("a.y") + 0.05)
            .max(at("b.y") + 0.04)
            .max(at("c.y") + 0.03);
        assert!((at("group.all.top") - top).abs() < 1e-12);
        for (k, name) in ["x", "y"].iter().enumerate() {
            let of = |body: &str| at(&format!("{body}.{name}"));
            let centre = (of("a") + 2.0 * of("b") + of("c")) / 4.0;
            let told = at(["group.all.centre_x", "group.all.centre_y"][k]);
            assert!((told - centre).abs() < 1e-12);
        }
        assert!(at("group.all.overlap") >= at("group.all.a+b.indentation"));
        assert_eq!(
            at("group.all.overlap") > 0.0,
            at("group.all.contacts") > 0.0
        );
    }
    assert!(column("group.all.contacts").iter().any(|n| *n > 0.0));
}

#[test]
fn grains_are_made_as_they_are_described() {
    let model = model(&[FRAME, VERLET, GRAINS, LAW], &[]);
    let group = &model.groups[0];
    let grains = group.grains().expect("with verlet they are no bodies");
    assert!(model.bodies.is_empty() && model.contacts.is_empty());
    assert_eq!(grains.len(), 30);
    for (i, grain) in grains.iter().enumerate() {
        assert!((4e-3..=6e-3).contains(&grain.radius));
        // ρ π r² t and m r²/2.
        let mass = 2500.0 * core::f64::consts::PI * grain.radius.powi(2) * 0.01;
        assert!((grain.mass / mass - 1.0).abs() < 1e-14);
        assert!((grain.inertia / (0.5 * mass * grain.radius.powi(2)) - 1.0).abs() < 1e-14);
        assert_eq!(grain.velocity, [0.1, -0.2, 3.0]);
        let [x, y, angle] = grain.position;
        assert!(x > grain.radius && x < 0.2 - grain.radius);
        assert!(y > grain.radius && y < 0.4 - grain.radius);
        assert_eq!(angle, 0.0);
        for other in &grains[..i] {
            let [u, v, _] = other.position;
            assert!((x - u).hypot(y - v) > grain.radius + other.radius);
        }
    }
    // Every shape of the ground, in its order.
    let walls: Vec<(Option<usize>, usize)> =
        group.walls.iter().map(|w| (w.body, w.shape)).collect();
    assert_eq!(walls, [(None, 0), (None, 1), (None, 2)]);
    // From the bottom up.
    assert!(grains[0].position[1] < grains[29].position[1]);
    let spheres = r#"
[group.grains]
count = 2
radius = "10 mm"
profile = "sphere"
density = "1000 kg/m^3"
region = [["0.2 m", "0.4 m"], [0, 0]]
touches = []
"#;
    let model = crate::model(&[FRAME, VERLET, spheres, LAW], &[]);
    let [one, other] = model.groups[0].grains().expect("grains") else {
        panic!("two");
    };
    // 4/3 π r³ ρ and 2/5 m r².
    let mass = 4.0 / 3.0 * core::f64::consts::PI * 1e-3;
    assert!((one.mass / mass - 1.0).abs() < 1e-14 && one.mass == other.mass);
    assert!((one.inertia / (0.4 * mass * 1e-4) - 1.0).abs() < 1e-14);
    assert!(model.groups[0].walls.is_empty());
}

#[test]
fn what_is_set_beside_the_file_makes_other_grains() {
    let text = [FRAME, VERLET, GRAINS, LAW];
    let positions = |overrides: &[(&str, &str)]| {
        let model = model(&text, overrides);
        let grains = model.groups[0].grains().expect("grains").to_vec();
        grains.iter().map(|g| g.position).collect::<Vec<_>>()
    };
    assert_eq!(positions(&[("group.grains.count", "500")]).len(), 500);
    assert_eq!(positions(&[]), positions(&[("group.grains.seed", "1")]));
    assert_ne!(positions(&[]), positions(&[("group.grains.seed", "2")]));
    let many = [
        ("group.grains.count", "2000"),
        ("group.grains.region", r#"[[0, 0], ["0.2 m", "2 m"]]"#),
        ("group.grains.friction.coefficient", "0.5"),
        (
            "group.grains.rolling",
            r#"{ coefficient = 0.01, transition_speed = "1 rad/s" }"#,
        ),
    ];
    assert_eq!(positions(&many).len(), 2000);
    let said = try_read(&text.concat(), &[("group.grain.count", "3")]).expect_err("no such group");
    assert!(said.contains("group.grains"), "{said}");
}

#[test]
fn few_grains_are_bodies_under_every_other_integrator() {
    let asked = [(
        "simulation.channels",
        r#"["group.grains.top", "grains.17.x", "grains.30.ay"]"#,
    )];
    let loose = model(&[FRAME, VERLET, GRAINS, LAW], &[]);
    let bodies = model(&[FRAME, GRAINS, LAW], &asked);
    let grains = loose.groups[0].grains().expect("grains");
    assert_eq!(bodies.bodies.len(), 30);
    assert_eq!(bodies.contacts.len(), 30 * 29 / 2 + 3 * 30);
    assert_eq!(bodies.bodies[16].name, "grains.17");
    for (grain, body) in grains.iter().zip(&bodies.bodies) {
        assert_eq!(body.position, grain.position);
        assert_eq!(body.velocity, grain.velocity);
        assert_eq!(
            body.body.diagonal(),
            [grain.mass, grain.mass, grain.inertia]
        );
        assert_eq!(
            body.shapes[0].shape.as_circle(),
            Some(([0.0; 2], grain.radius))
        );
    }
    let elements: Vec<String> = bodies.contacts.iter().map(ContactEntry::element).collect();
    assert_eq!(elements[0], "group.grains.1+2");
    assert!(elements.contains(&"group.grains.30+ground.left".to_string()));
    assert_eq!(bodies.simulation.channels[1], Channel::Body(16, Motion::X));
    let too_many = try_read(
        &[FRAME, GRAINS, LAW].concat(),
        &[("group.grains.count", "65")],
    );
    assert!(too_many.expect_err("65").contains("verlet"));
}

#[test]
fn a_few_grains_fall_and_their_energy_balances() {
    let model = model(
        &[FRAME, GRAINS, LAW],
        &[
            ("group.grains.count", "5"),
            ("group.grains.region", r#"[[0, 0], ["30 mm", "40 mm"]]"#),
        ],
    );
    let ran = Ran::of(&model);
    let ledger = &ran.outcome.ledger;
    let turned_over = ran.largest("energy.kinetic");
    assert!(
        ledger.residual.abs() < 1e-6 * turned_over,
        "{:e}",
        ledger.residual
    );
    let names: Vec<&str> = ledger.dissipated.iter().map(|d| d.0.as_str()).collect();
    assert_eq!(names, ["group.grains", "group.grains.friction"]);
    assert!(
        ran.outcome
            .contacts
            .iter()
            .any(|e| e.element.starts_with("group.grains."))
    );
}

#[test]
fn channels_of_groups_and_grains_have_names_and_units() {
    let model = model(&[FRAME, VERLET, GRAINS, LAW], &[]);
    let heads: Vec<String> = Channel::usual(&model)
        .iter()
        .map(|c| c.head(&model))
        .collect();
    let groups: Vec<&str> = heads
        .iter()
        .filter(|h| h.starts_with("group"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        groups,
        [
            "group.grains.kinetic [J]",
            "group.grains.contacts [1]",
            "group.grains.top [m]",
            "group.grains.overlap [m]",
            "group.grains.centre_x [m]",
            "group.grains.centre_y [m]",
        ]
    );
    for (name, unit) in [
        ("grains.17.x", "m"),
        ("grains.1.omega", "rad/s"),
        ("grains.30.vy", "m/s"),
    ] {
        let channel = Channel::parse(name, &model).expect("it is there");
        assert_eq!(
            (channel.name(&model).as_str(), channel.unit(&model)),
            (name, unit)
        );
    }
    for none in [
        "grains.0.x",
        "grains.31.x",
        "grains.017.x",
        "grains.3.ax",
        "grains.x",
        "sand.3.x",
    ] {
        assert!(Channel::parse(none, &model).is_err(), "{none}");
    }
}

#[test]
fn the_stiffness_follows_from_what_grains_and_walls_are_made_of() {
    let stiffness = |follows: &Follows| match follows {
        Follows::Law(law) => law.values().get("stiffness"),
        Follows::Curved(_) => panic!("all radii are the same"),
    };
    let text = r#"
[group.grains]
count = 10
radius = "5 mm"
mass = "1 g"
material = "glass"
region = [[0, 0], ["0.2 m", "0.2 m"]]
restitution = 0.5
"#;
    let model = model(&[FRAME, VERLET, text], &[]);
    let group = &model.groups[0];
    let glass = carom::contact::materials::find("glass").expect("it is listed");
    let steel = carom::contact::materials::find("steel").expect("it is listed");
    let sigma = |m: &carom::contact::materials::Material| (1.0 - m.poisson * m.poisson) / m.young;
    // Hertz: 4/3 √R/(σ₁ + σ₂), R = r/2 of two equal spheres, r on a plane.
    let known = |r: f64, other| 4.0 / 3.0 * f64::sqrt(r) / (sigma(glass) + sigma(other));
    for (follows, known) in [
        (&group.terms.follows, known(2.5e-3, glass)),
        (&group.walls[0].terms.follows, known(5e-3, steel)),
        (&group.walls[1].terms.follows, known(5e-3, glass)),
    ] {
        let found = stiffness(follows);
        assert!((found / known - 1.0).abs() < 1e-12, "{found} {known}");
    }
    // Of different radii they are found where two touch.
    let spread = crate::model(
        &[FRAME, VERLET, text],
        &[("group.grains.radius", r#"["4 mm", "5 mm"]"#)],
    );
    assert!(matches!(spread.groups[0].terms.follows, Follows::Curved(_)));
}

#[test]
fn rolling_takes_its_radius_from_the_touch_unless_it_is_given() {
    let rolling = |more: &str| {
        let text = format!(
            "[group.grains]\ncount = 3\nradius = \"5 mm\"\nmass = \"1 g\"\nregion = [[0, 0], [\"0.1 m\", \"0.1 m\"]]\n{LAW}rolling = {{ coefficient = 0.02, transition_speed = \"1 rad/s\"{more} }}\n"
        );
        model(&[FRAME, &text], &[])
    };
    let by_touch = rolling("");
    let law = by_touch.groups[0].rolling.as_ref().expect("it is there");
    assert_eq!((law.radius, law.law.values().get("radius")), (None, 1.0));
    assert!(
        by_touch
            .contacts
            .iter()
            .all(|entry| entry.contact.rolling().is_some())
    );
    let given = rolling(", radius = \"2 mm\", curve = \"linear\"");
    let law = given.groups[0].rolling.as_ref().expect("it is there");
    assert_eq!(
        (law.radius, law.law.values().get("radius")),
        (Some(2e-3), 2e-3)
    );
}

#[test]
fn outlines_that_are_in_a_group_and_in_a_contact_are_spoken_of_once() {
    let text = format!(
        "{FRAME}{BALLS}[contact.ab]\nbetween = [\"a.rim\", \"b.rim\"]\n{LAW}[group.all]\nbodies = [\"a\", \"b\", \"c\"]\n{LAW}"
    );
    let parsed = try_read(&text, &[]).expect("a warning is no error");
    let twice: Vec<&str> = parsed.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        twice,
        ["`a.rim` and `b.rim` are in `contact.ab` as well: both push"]
    );
}
