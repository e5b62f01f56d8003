//! Does a model file become the outlines, contacts and joints with play that it says?

use std::path::PathBuf;

use carom::contact::{Calibration, Restitution};
use carom::geometry::{Shape, Side};
use carom::mechanics::{Contact, Follows, Place};
use carom::model::diagnostic::listing;
use carom::model::*;

/// A ball above a floor, and a box.
const FRAME: &str = r#"
format = 1
[parameters]
r = "50 mm"
K = "1.4e8 N/m^1.5"
[simulation]
end = "1 s"
[material.cheese]
young = "2 GPa"
poisson = 0.4
yield = "10 MPa"
[ground]
points.O = ["1 m", 0]
shapes.floor = { type = "half-plane", material = "steel" }
shapes.wall = { type = "half-plane", point = "O", normal = "180 deg", material = "steel" }
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
position = [0, "1 m"]
points.A = ["10 mm", "r/2"]
shapes.rim = { type = "circle", radius = "r", material = "cheese" }
[body.box]
mass = "2 kg"
inertia = "0.1 kg m^2"
position = ["0.5 m", "0.3 m"]
points.B = ["0.1 m", 0]
shapes.hull = { type = "rectangle", width = "0.2 m", height = "0.1 m" }
"#;

fn parse_with(more: &str, overrides: &[(&str, &str)]) -> Parsed {
    let text = format!("{FRAME}{more}");
    let overrides: Vec<(String, String)> = overrides
        .iter()
        .map(|(path, value)| (path.to_string(), value.to_string()))
        .collect();
    let parsed = read(&source(&text), &overrides);
    parsed.unwrap_or_else(|errors| panic!("{}", listing(&errors)))
}

fn source(text: &str) -> Source {
    Source {
        name: "test.toml".into(),
        text: text.into(),
        folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wrong"),
    }
}

fn with(more: &str) -> Model {
    parse_with(more, &[]).model
}

fn errors(more: &str) -> Vec<Diagnostic> {
    match read(&source(&format!("{FRAME}{more}")), &[]) {
        Ok(_) => panic!("nothing was found wrong with\n{more}"),
        Err(errors) => errors,
    }
}

fn warnings(parsed: &Parsed) -> Vec<(&str, &str)> {
    let all = parsed.warnings.iter();
    let told = all.filter(|w| !w.message.contains("nothing is made of"));
    told.map(|w| (w.path.as_str(), w.message.as_str()))
        .collect()
}

fn law(contact: &Contact) -> &carom::contact::Law {
    match &contact.terms().follows {
        Follows::Law(law) => law,
        Follows::Curved(curved) => panic!("known only at the touch: {curved:?}"),
    }
}

/// The only outline of a body that is added to the frame.
fn shape(text: &str) -> Shape {
    let body = format!(
        "[body.thing]\nmass = 1\ninertia = 1\npoints.C = [0.3, 0.4]\npoints.D = [\"1 m\", 0]\nshapes.s = {text}\n"
    );
    with(&body).bodies[2].shapes[0].shape.clone()
}

#[test]
fn every_outline_is_the_one_that_the_file_says() {
    let half = core::f64::consts::FRAC_PI_2;
    let cases: Vec<(&str, Shape)> = vec![
        (
            r#"{ type = "circle", radius = "10 mm" }"#,
            Shape::circle([0.0; 2], 0.01).unwrap(),
        ),
        (
            r#"{ type = "circle", center = "C", radius = "r/2" }"#,
            Shape::circle([0.3, 0.4], 0.025).unwrap(),
        ),
        (
            r#"{ type = "bore", center = "thing.C", radius = 0.02 }"#,
            Shape::bore([0.3, 0.4], 0.02).unwrap(),
        ),
        (
            r#"{ type = "arc", center = ["1 cm", 0], radius = 0.02, from = 0, to = "90 deg", concave = true }"#,
            Shape::arc([0.01, 0.0], 0.02, 0.0, half, true).unwrap(),
        ),
        (
            r#"{ type = "half-plane" }"#,
            Shape::half_plane([0.0; 2], [0.0, 1.0]).unwrap(),
        ),
        (
            r#"{ type = "half-plane", point = "D", normal = "90 deg" }"#,
            Shape::half_plane([1.0, 0.0], [0.0, 1.0]).unwrap(),
        ),
        (
            r#"{ type = "half-plane", point = "D", normal = [3, -4] }"#,
            Shape::half_plane([1.0, 0.0], [0.6, -0.8]).unwrap(),
        ),
        (
            r#"{ type = "segment", from = "C", to = [1, 2] }"#,
            Shape::segment([[0.3, 0.4], [1.0, 2.0]], 0.0).unwrap(),
        ),
        (
            r#"{ type = "segment", from = "C", to = "D", radius = "5 mm" }"#,
            Shape::segment([[0.3, 0.4], [1.0, 0.0]], 0.005).unwrap(),
        ),
        (
            r#"{ type = "ellipse", semi_axes = ["20 mm", "10 mm"], angle = 0.5 }"#,
            Shape::ellipse([0.0; 2], [0.02, 0.01], 0.5, 2.0).unwrap(),
        ),
        (
            r#"{ type = "ellipse", center = "C", semi_axes = [2, 1], exponent = 4 }"#,
            Shape::ellipse([0.3, 0.4], [2.0, 1.0], 0.0, 4.0).unwrap(),
        ),
        (
            r#"{ type = "polygon", corners = [[0, 0], "D", "C"], rounding = "1 mm" }"#,
            Shape::polygon(vec![[0.0; 2], [1.0, 0.0], [0.3, 0.4]], 0.001).unwrap(),
        ),
        (
            r#"{ type = "rectangle", width = 2, height = 1, center = [1, 1], rounding = 0.1 }"#,
            Shape::polygon(vec![[0.0, 0.5], [2.0, 0.5], [2.0, 1.5], [0.0, 1.5]], 0.1).unwrap(),
        ),
        (
            r#"{ type = "curve", points = [[1, 0], [0, 1], [-1, 0], [0, -1]] }"#,
            Shape::curve(
                vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]],
                false,
            )
            .unwrap(),
        ),
        (
            r#"{ type = "polynomial", coefficients = ["1 mm", 0.5, "2 1/m"], interval = ["-1 cm", "1 cm"], place = "C", angle = 1, solid = "above" }"#,
            Shape::polynomial(
                vec![0.001, 0.5, 2.0],
                [-0.01, 0.01],
                [0.3, 0.4],
                1.0,
                Side::Above,
            )
            .unwrap(),
        ),
        (
            r#"{ type = "polyline", points = [[0, 0], [1, 0.1], "D"] }"#,
            Shape::polyline(vec![[0.0; 2], [1.0, 0.1], [1.0, 0.0]], Side::Below).unwrap(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn an_outline_may_stand_in_a_table_and_its_points_need_not_rise() {
    let table = Shape::polyline(vec![[0.0, 1.0], [0.1, 0.5], [0.05, 0.2]], Side::Above).unwrap();
    let text = r#"{ type = "polyline", table = "tables/outline.csv", solid = "above" }"#;
    assert_eq!(shape(text), table);
}

#[test]
fn outlines_of_bodies_and_of_the_ground_keep_name_material_and_length() {
    let model = with(
        r#"
[body.pin]
mass = 1
inertia = 1
shapes.journal = { type = "circle", radius = 0.01, material = "bronze", length = "20 mm" }
"#,
    );
    let names: Vec<&str> = model
        .ground_shapes
        .iter()
        .map(|s| s.name.as_str())
        .collect();
    assert_eq!(names, ["floor", "wall"]);
    let journal = &model.bodies[2].shapes[0];
    assert_eq!(
        (journal.name.as_str(), journal.length),
        ("journal", Some(0.02))
    );
    assert_eq!(
        journal.material.as_ref().map(|m| m.id.as_ref()),
        Some("bronze")
    );
    let cheese = model.bodies[0].shapes[0]
        .material
        .as_ref()
        .expect("it has one");
    assert_eq!((cheese.young, cheese.yield_strength), (2e9, Some(1e7)));
    assert_eq!(model.bodies[1].shapes[0].material, None);
}

#[test]
fn a_contact_with_a_stiffness_of_its_own_follows_its_law() {
    let model = with(
        r#"
[contact.bounce]
between = ["ball.rim", "ground.floor"]
law = "hunt-crossley"
stiffness = "K"
restitution = 0.7
approach_speed_floor = "1 cm/s"
friction = { law = "ambrosio", coefficient = 0.03, v0 = "1 mm/s", v1 = "10 mm/s" }
"#,
    );
    let [entry] = model.contacts.as_slice() else {
        panic!("{}", model.contacts.len())
    };
    assert_eq!(entry.element(), "contact.bounce");
    assert_eq!(entry.contact.bodies(), [Some(0), None]);
    assert_eq!(entry.contact.slots(), 1);
    assert_eq!(entry.contact.terms().slowest, 0.01);
    let law = law(&entry.contact);
    assert_eq!(law.card().id, "hunt-crossley");
    assert_eq!(law.values().get("stiffness"), 1.4e8);
    assert_eq!(law.values().get("exponent"), 1.5);
    assert_eq!(law.requested(1.0), Ok(Some(0.7)));
    let friction = entry.contact.friction().expect("it rubs");
    assert_eq!(friction.card().id, "ambrosio");
    let shapes = entry.contact.pairs()[0].shapes();
    assert_eq!(
        [shapes[0].kind(), shapes[1].kind()],
        ["circle", "half-plane"]
    );
    // Radii are those of the outlines, the plane's infinite.
    assert_eq!(entry.surfaces.radii, Some([0.05, f64::INFINITY]));
}

#[test]
fn a_stiffness_that_is_not_given_follows_from_materials_and_radii() {
    let model = with(
        r#"
[contact.bounce]
between = ["ball.rim", "ground.floor"]
restitution = 0.5
"#,
    );
    let contact = &model.contacts[0].contact;
    // 4/3 E* sqrt(R), 1/E* = (1 − 0.4²)/2e9 + (1 − 0.3²)/207e9.
    let modulus = 1.0 / ((1.0 - 0.16) / 2e9 + (1.0 - 0.09) / 207e9);
    let expected = 4.0 / 3.0 * modulus * 0.05_f64.sqrt();
    let law = law(contact);
    assert_eq!(law.card().id, "flores");
    assert!((law.values().get("stiffness") / expected - 1.0).abs() < 1e-12);
    assert_eq!(contact.terms().slowest, Contact::SLOWEST);
}

#[test]
fn where_radii_change_along_the_outline_the_law_waits_for_the_touch() {
    let model = with(
        r#"
[body.egg]
mass = 1
inertia = 1
shapes.shell = { type = "ellipse", semi_axes = [0.02, 0.01], material = "steel" }
[contact.roll]
between = ["egg.shell", "ground.floor"]
restitution = 0.5
calibration = "exact"
[contact.known]
between = ["egg.shell", "ground.wall"]
stiffness = "K"
restitution = 0.5
"#,
    );
    let Follows::Curved(curved) = &model.contacts[0].contact.terms().follows else {
        panic!("the radii cannot be known yet")
    };
    assert_eq!(curved.card.id, "flores");
    assert_eq!(curved.restitution, Some(Restitution::Number(0.5)));
    assert_eq!(curved.calibration, Calibration::Exact);
    assert!(curved.surfaces.materials.is_some() && curved.surfaces.radii.is_none());
    assert_eq!(curved.values.get("stiffness"), None);
    assert_eq!(
        law(&model.contacts[1].contact).values().get("stiffness"),
        1.4e8
    );
}

#[test]
fn a_body_stands_for_all_its_outlines() {
    let model = with(
        r#"
[contact.all]
between = ["ball", "ground"]
stiffness = "K"
restitution = 0.5
[contact.boxes]
between = ["ball", "box"]
stiffness = "K"
restitution = 0.5
"#,
    );
    assert_eq!(model.contacts[0].contact.pairs().len(), 2);
    assert_eq!(
        model.contacts[0].surfaces.radii,
        Some([0.05, f64::INFINITY])
    );
    assert_eq!(model.contacts[1].contact.bodies(), [Some(0), Some(1)]);
    assert_eq!(model.contacts[1].contact.pairs().len(), 1);
}

#[test]
fn a_restitution_may_be_a_function_a_table_or_wangs() {
    let asked = |text: &str, v: f64| {
        let model = with(&format!(
            "[contact.c]\nbetween = [\"ball.rim\", \"ground.floor\"]\nstiffness = \"K\"\nrestitution = {text}\n"
        ));
        law(&model.contacts[0].contact)
            .requested(v)
            .expect("in range")
            .expect("asked for")
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
    near(asked("0.7", 3.0), 0.7);
    near(asked("\"1 - 0.02*v\"", 3.0), 0.94);
    near(asked("\"1 - 0.02 s/m*v\"", 3.0), 0.94);
    near(asked("\"min(1, 0.9*(v/(1 m/s))^-0.25)\"", 16.0), 0.45);
    near(asked("\"7/10\"", 1.0), 0.7);
    // Between 0.9 at 0 and 0.5 at 4 m/s.
    near(asked("{ table = \"tables/restitution.csv\" }", 1.0), 0.8);
    // Yield stresses 370 and 10 MPa: K* = 370/(370 − 10), e = 1 − 0.26 K* v^(1/3).
    near(asked("\"wang\"", 1.0), 1.0 - 0.26 * 370.0 / 360.0);
}

#[test]
fn a_law_of_ones_own_is_a_law() {
    let model = with(
        r#"
[contact.c]
between = ["ball.rim", "ground.floor"]
law = "own"
force = "K*delta^1.5*(1 + 8*(1 - e)/(5*e)*rate/v0)"
restitution = 0.5
"#,
    );
    let own = law(&model.contacts[0].contact);
    let flores = with(
        r#"
[contact.c]
between = ["ball.rim", "ground.floor"]
stiffness = "K"
restitution = 0.5
"#,
    );
    let state = carom::contact::State::new(1e-4, 0.3);
    let force = |law: &carom::contact::Law| law.touch(0.5, 1.0).expect("it touches").force(&state);
    let (mine, theirs) = (force(own), force(law(&flores.contacts[0].contact)));
    assert!((mine.total() / theirs.total() - 1.0).abs() < 1e-12);
    assert!((mine.elastic / theirs.elastic - 1.0).abs() < 1e-12);
    assert_eq!(own.card().id, "own");
}

const PIN: &str = r#"
[body.rod]
mass = 1
inertia = 1
points.A = [0.1, 0]
[joint.pin]
type = "revolute"
between = ["rod.A", "box.B"]
clearance = "0.5 mm"
journal_radius = "9.5 mm"
length = "15 mm"
material = "steel"
law = "lankarani-nikravesh"
restitution = 0.9
"#;

#[test]
fn a_revolute_joint_with_play_is_a_journal_in_a_bearing() {
    let model = with(PIN);
    assert!(model.joints.is_empty());
    let entry = &model.contacts[0];
    assert_eq!(entry.element(), "joint.pin");
    let places = entry.joint.expect("a joint");
    assert_eq!(places, [Place::on(2, [0.1, 0.0]), Place::on(1, [0.1, 0.0])]);
    assert_eq!(entry.contact.bodies(), [Some(2), Some(1)]);
    assert_eq!(entry.contact.play(), Some(0.5e-3));
    let [journal, bearing] = entry.contact.pairs()[0].shapes();
    assert_eq!(*journal, Shape::circle([0.1, 0.0], 9.5e-3).unwrap());
    assert_eq!(*bearing, Shape::bore([0.1, 0.0], 10e-3).unwrap());
    // Flores et al. 2006, with signed radii.
    let stiffness = law(&entry.contact).values().get("stiffness");
    assert!((stiffness / 6.6101984e10 - 1.0).abs() < 1e-7, "{stiffness}");
}

#[test]
fn laws_of_cylinders_take_radii_clearance_and_length_from_the_joint() {
    for id in ["dubowsky-freudenstein", "goldsmith", "esdu-78035", "liu"] {
        let parsed = parse_with(PIN, &[("joint.pin.law", id)]);
        let law = law(&parsed.model.contacts[0].contact);
        assert_eq!(law.card().id, id);
        let takes = |name: &str| law.card().parameters.iter().any(|p| p.name == name);
        for (name, value) in [
            ("journal_radius", 9.5e-3),
            ("bearing_radius", 10e-3),
            ("clearance", 0.5e-3),
            ("length", 15e-3),
        ] {
            if takes(name) {
                let given = law.values().get(name);
                assert!((given - value).abs() < 1e-15, "{id}: {name} = {given}");
            }
        }
        // They are elastic unless a damper is chosen: the restitution of the file is passed over, and that is said.
        assert_eq!(warnings(&parsed)[0].0, "joint.pin.restitution", "{id}");
        let damped = [("joint.pin.law", id), ("joint.pin.damper", "flores")];
        let parsed = parse_with(PIN, &damped);
        assert!(
            warnings(&parsed).is_empty(),
            "{id}: {:?}",
            warnings(&parsed)
        );
    }
}

#[test]
fn a_clearance_of_zero_is_the_ideal_joint() {
    let parsed = parse_with(PIN, &[("joint.pin.clearance", "0")]);
    assert!(parsed.model.contacts.is_empty());
    assert_eq!(parsed.model.joints[0].name, "pin");
    let [(path, message)] = warnings(&parsed)[..] else {
        panic!("{:?}", warnings(&parsed))
    };
    assert_eq!(path, "joint.pin.clearance");
    for key in ["journal_radius", "length", "material", "law", "restitution"] {
        assert!(message.contains(&format!("`{key}`")), "{message}");
    }
    // Friction stays, about the journal.
    let rubbing = [
        ("joint.pin.clearance", "0"),
        (
            "joint.pin.friction",
            "{ law = \"ambrosio\", coefficient = 0.1, v0 = 0.001, v1 = 0.01 }",
        ),
    ];
    let parsed = parse_with(PIN, &rubbing);
    assert_eq!(parsed.model.frictions.len(), 1);
}

#[test]
fn channels_of_play_are_left_out_of_a_joint_made_ideal_and_unknown_elsewhere() {
    let channels = (
        "simulation.channels",
        "[\"joint.pin.eccentricity\", \"joint.pin.force_x\"]",
    );
    let parsed = parse_with(PIN, &[("joint.pin.clearance", "0"), channels]);
    assert_eq!(parsed.model.simulation.channels.len(), 1);
    let all = warnings(&parsed);
    let left = all.iter().find(|w| w.0 == "simulation.channels");
    let (_, message) = left.expect("said");
    assert!(message.contains("`joint.pin.eccentricity`"), "{message}");
    let parsed = parse_with(PIN, &[channels]);
    assert_eq!(parsed.model.simulation.channels.len(), 2);
}

#[test]
fn sliders_and_pins_with_play_stand_between_walls() {
    let model = with(
        r#"
[joint.guide]
type = "translational"
between = ["ground.O", "box"]
direction = "90 deg"
clearance = "1 mm"
length = "80 mm"
height = "40 mm"
corner_radius = "2 mm"
stiffness = "K"
restitution = 0.5
[joint.slot]
type = "pin-slot"
between = ["box.B", "ball"]
clearance = "1 mm"
pin_radius = "5 mm"
material = "steel"
restitution = 0.5
friction = { law = "ambrosio", coefficient = 0.1, v0 = 0.001, v1 = 0.01 }
"#,
    );
    let [guide, slot] = model.contacts.as_slice() else {
        panic!("{}", model.contacts.len())
    };
    assert_eq!(guide.contact.pairs().len(), 2);
    assert_eq!(guide.joint.map(|places| places[0].at()), Some([1.0, 0.0]));
    let kinds = guide.contact.pairs()[0].shapes().map(Shape::kind);
    assert_eq!(kinds, ["half-plane", "polygon"]);
    assert_eq!(slot.contact.bodies(), [Some(1), Some(0)]);
    assert_eq!(slot.surfaces.radii, Some([f64::INFINITY, 5e-3]));
    assert!(slot.contact.friction().is_some());
}

#[test]
fn another_law_given_beside_the_file_passes_over_what_was_for_the_old_one() {
    let written = r#"
[contact.impact]
between = ["ball.rim", "ground.floor"]
law = "jankowski"
stiffness = "K"
damping_ratio = 0.3
separation = "zero-force"
restitution = 0.7
"#;
    let card = carom::contact::find("tsuji").expect("in the catalogue");
    assert!(
        card.parameters.iter().any(|p| p.name == "alpha"),
        "the test needs a key of one law only"
    );
    let written = written
        .replace("jankowski", "tsuji")
        .replace("damping_ratio", "alpha");
    let parsed = parse_with(
        &written,
        &[
            ("contact.impact.law", "flores"),
            ("contact.impact.restitution", "0.5"),
        ],
    );
    let law_now = law(&parsed.model.contacts[0].contact);
    assert_eq!(law_now.card().id, "flores");
    assert_eq!(law_now.requested(1.0), Ok(Some(0.5)));
    let passed: Vec<&str> = warnings(&parsed).iter().map(|w| w.0).collect();
    assert_eq!(
        passed,
        ["contact.impact.alpha", "contact.impact.separation"]
    );
    // An elastic law has no use for the restitution, and says so.
    let parsed = parse_with(&written, &[("contact.impact.law", "hertz")]);
    let passed: Vec<&str> = warnings(&parsed).iter().map(|w| w.0).collect();
    assert!(passed.contains(&"contact.impact.restitution"), "{passed:?}");
    // What is given beside the file must fit.
    let text = format!("{FRAME}{written}");
    let wrong = [
        ("contact.impact.law".to_string(), "hertz".to_string()),
        ("contact.impact.alpha".to_string(), "0.3".to_string()),
    ];
    let errors = read(&source(&text), &wrong).unwrap_err();
    assert_eq!(errors[0].path, "contact.impact.alpha");
    // And what was never a key of any law is still a slip of the pen.
    let slip = text.replace("alpha", "alhpa");
    assert!(read(&source(&slip), &wrong[..1]).is_err());
}

#[test]
fn contacts_and_joints_with_play_have_channels() {
    let text = PIN.replace(
        "[joint.pin]",
        "[contact.floor]\nbetween = [\"ball\", \"ground.floor\"]\nrestitution = 0.5\n[joint.pin]",
    );
    let model = with(&text);
    let names: Vec<String> = Channel::all(&model)
        .iter()
        .map(|c| c.head(&model))
        .collect();
    for name in [
        "contact.floor.gap [m]",
        "contact.floor.indentation [m]",
        "contact.floor.indentation_rate [m/s]",
        "contact.floor.force [N]",
        "contact.floor.friction [N]",
        "joint.pin.force_x [N]",
        "joint.pin.force_y [N]",
        "joint.pin.moment [N m]",
        "joint.pin.eccentricity [m]",
        "joint.pin.eccentricity_angle [rad]",
        "joint.pin.gap [m]",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    assert!(
        !names
            .iter()
            .any(|name| name.starts_with("contact.floor.eccentricity"))
    );
    let usual: Vec<String> = Channel::usual(&model)
        .iter()
        .map(|c| c.name(&model))
        .collect();
    assert!(usual.contains(&"contact.floor.force".into()));
    assert!(
        !usual.contains(&"contact.floor.friction".into()),
        "nothing rubs"
    );
    let none = Channel::parse("contact.flor.gap", &model).unwrap_err();
    assert_eq!(none.nearest[0], "contact.floor.gap");
}

#[test]
fn a_material_is_unused_only_where_nothing_is_made_of_it() {
    let unused = |more: &str| {
        let parsed = parse_with(more, &[]);
        let all = parsed.warnings.into_iter();
        all.filter(|w| w.message.contains("nothing is made of"))
            .map(|w| w.path)
            .collect::<Vec<_>>()
    };
    assert!(unused("").is_empty(), "the ball is of cheese");
    let gold = "[material.gold]\nyoung = \"78 GPa\"\npoisson = 0.4\n";
    assert_eq!(unused(gold), ["material.gold"]);
}

#[test]
fn everything_wrong_is_told_at_once() {
    let told = errors(
        r#"
[contact.a]
between = ["ball.rmi", "ground.floor"]
law = "florse"
[contact.b]
between = ["ball.rim", "ball"]
restitution = 2
calibration = "perfect"
friction = { law = "ambrosio", coefficient = -1 }
[joint.c]
type = "revolute"
between = ["ball", "box"]
clearance = "1 mm"
limits = { lower = 0, stiffness = 1 }
"#,
    );
    let paths: Vec<&str> = told.iter().map(|error| error.path.as_str()).collect();
    for path in [
        "contact.a.between",
        "contact.a.law",
        "contact.b.between",
        "contact.b.restitution",
        "contact.b.calibration",
        "contact.b.friction.coefficient",
        "joint.c.limits",
        "joint.c.journal_radius",
    ] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
    assert_eq!(told[0].nearest, ["ball.rim"]);
}
