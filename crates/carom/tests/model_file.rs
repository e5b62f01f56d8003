//! Does a model file become the model it says, and is everything said that is wrong with one?

use std::path::PathBuf;

use carom::impulse::Hypothesis;
use carom::mechanics::Follows;
use carom::mechanics::*;
use carom::model::diagnostic::listing;
use carom::model::*;
use carom::solve::Integrator;
use carom::system::System;

/// A frame for elements: two bodies that stand apart, and a ground point.
const FRAME: &str = r#"
format = 1
[parameters]
r = "50 mm"
[simulation]
start = "1 s"
end = "3 s"
[ground]
points.O = ["-1 m", "20 cm"]
[body.one]
mass = "2 kg"
inertia = "300 kg cm^2"
position = ["r", 0]
angle = "30 deg"
points.A = ["10 mm", "r/2"]
[body.two]
mass = 1
inertia = 0.5
position = [1, 2]
angle = 1.5
velocity = ["1 m/s", "-36 km/h"]
angular_velocity = "60 rpm"
points.B = [0.1, 0.2]
"#;

fn parse(text: &str) -> Parsed {
    let parsed = read(&Source::new("test.toml", text), &[]);
    parsed.unwrap_or_else(|errors| panic!("{}", listing(&errors)))
}

/// The frame with more tables.
fn with(more: &str) -> Model {
    parse(&format!("{FRAME}{more}")).model
}

fn errors(text: &str) -> Vec<Diagnostic> {
    match read(&Source::new("test.toml", text), &[]) {
        Ok(_) => panic!("nothing was found wrong with\n{text}"),
        Err(errors) => errors,
    }
}

/// The paths of what is wrong with the frame and more tables.
fn paths(more: &str) -> Vec<String> {
    let errors = errors(&format!("{FRAME}{more}"));
    errors.into_iter().map(|error| error.path).collect()
}

fn poses(model: &Model) -> Vec<Pose> {
    let entries = model.bodies.iter();
    entries
        .map(|body| Pose::new(body.position, body.velocity))
        .collect()
}

/// Φ and its derivatives of the only joint, as the bodies stand.
fn rows(model: &Model) -> Vec<Row> {
    let mut rows = [Row::default(); 3];
    let count = model.joints[0]
        .joint
        .evaluate(0.0, &poses(model), &mut rows);
    rows[..count].to_vec()
}

fn assert_same_rows(model: &Model, joint: impl Into<Joint>) {
    let mut expected = [Row::default(); 3];
    let count = joint.into().evaluate(0.0, &poses(model), &mut expected);
    assert_eq!(rows(model), expected[..count]);
}

/// Generalised forces of the only load.
fn forces(load: &Load, model: &Model, t: f64) -> Vec<f64> {
    let mut forces = vec![0.0; 3 * model.bodies.len()];
    load.apply(t, &poses(model), &mut forces);
    forces
}

fn assert_same_forces(model: &Model, load: impl Into<Load>) {
    let found = forces(&model.loads[0].load, model, 1.7);
    let known = forces(&load.into(), model, 1.7);
    assert!(found.iter().any(|force| *force != 0.0));
    // Alike but for the order of products.
    for (found, known) in found.iter().zip(known) {
        assert!(
            (found - known).abs() <= 1e-14 * known.abs(),
            "{found} {known}"
        );
    }
}

fn one() -> Place {
    Place::on(0, [0.01, 0.025])
}

fn two() -> Place {
    Place::on(1, [0.1, 0.2])
}

/// A folder of its own for tables.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("writable");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("writable");
    }
    folder
}

fn read_in(folder: PathBuf, text: String) -> Result<Parsed, Vec<Diagnostic>> {
    let mut source = Source::new("test.toml", text);
    source.folder = folder;
    read(&source, &[])
}

#[test]
fn bodies_ground_and_simulation_are_read_in_si_units() {
    let model = with("");
    let [one, two] = &model.bodies[..] else {
        panic!("two bodies")
    };
    assert_eq!(
        (one.name.as_str(), one.body),
        ("one", Body::new(2.0, 0.03).unwrap())
    );
    assert_eq!(one.position, [0.05, 0.0, std::f64::consts::PI / 6.0]);
    assert_eq!(
        one.points,
        [Point {
            name: "A".into(),
            at: [0.01, 0.025]
        }]
    );
    assert_eq!(two.position, [1.0, 2.0, 1.5]);
    assert_eq!(two.velocity, [1.0, -10.0, std::f64::consts::TAU]);
    assert_eq!(
        model.ground,
        [Point {
            name: "O".into(),
            at: [-1.0, 0.2]
        }]
    );
    assert_eq!(model.gravity, [0.0, -9.81]);
    let simulation = &model.simulation;
    assert_eq!(
        (simulation.start, simulation.end, simulation.output_step),
        (1.0, 3.0, None)
    );
    assert_eq!(simulation.analysis, Analysis::Dynamic);
    // Small mechanisms are integrated by the method that turns implicit where it must.
    let solver = carom::solve::Settings {
        integrator: carom::solve::Integrator::Auto,
        ..Default::default()
    };
    assert_eq!((model.control, model.solver), (Control::Projection, solver));
}

#[test]
fn a_shape_gives_the_inertia_and_with_a_density_the_mass() {
    let body = |keys: &str| {
        let text = format!("format = 1\n[simulation]\nend = 1\n[body.b]\n{keys}\n");
        parse(&text).model.bodies[0].body
    };
    let rod = body("mass = 3\nshape = { type = \"rod\", length = \"1 m\" }");
    assert_eq!(rod, Body::rod(3.0, 1.0).unwrap());
    let disc =
        body("shape = { type = \"disc\", radius = 2 }\ndensity = 1000\nthickness = \"1 cm\"");
    assert!((disc.mass() - 1000.0 * std::f64::consts::PI * 4.0 * 0.01).abs() < 1e-12);
    assert_eq!(disc, Body::disc(disc.mass(), 2.0).unwrap());
    let plate = body(
        "shape = { type = \"rectangle\", width = 2, height = 3 }\ndensity = 10\nthickness = 0.5",
    );
    assert_eq!(plate, Body::rectangle(30.0, [2.0, 3.0]).unwrap());
    let bar = body("shape = { type = \"rod\", length = 2 }\ndensity = 10\narea = \"100 cm^2\"");
    assert_eq!(bar, Body::rod(0.2, 2.0).unwrap());
}

#[test]
fn settings_are_read() {
    let model = with(
        "[solver]\nintegrator = \"radau\"\nrtol = 1e-6\natol = { angle = \"1 mrad\", angular_velocity = 0.5 }\nfirst_step = \"1 us\"\nmax_step = \"1 ms\"\nmax_steps = 1e6\n\
         [constraints]\ncontrol = \"baumgarte\"\nalpha = 5\nbeta = \"7 1/s\"\n",
    );
    let solver = &model.solver;
    assert_eq!(
        (solver.integrator, solver.rtol, solver.atol),
        (Integrator::Radau, 1e-6, 1e-10)
    );
    let kinds: Vec<(&str, f64, f64)> = solver
        .kinds
        .iter()
        .map(|k| (k.kind.as_str(), k.rtol, k.atol))
        .collect();
    assert_eq!(
        kinds,
        [("angle", 1e-6, 1e-3), ("angular velocity", 1e-6, 0.5)]
    );
    assert_eq!(
        (solver.first_step, solver.max_step, solver.max_steps),
        (Some(1e-6), 1e-3, 1_000_000)
    );
    assert_eq!(
        model.control,
        Control::Baumgarte {
            alpha: 5.0,
            beta: 7.0
        }
    );
    let fixed = with("[solver]\nintegrator = \"rk4\"\nstep = \"1 ms\"\natol = 1e-4\n").solver;
    assert_eq!(
        (fixed.integrator, fixed.atol),
        (Integrator::Rk4 { step: 1e-3 }, 1e-4)
    );
}

#[test]
fn every_joint_is_the_element_it_names() {
    let joint = |keys: &str| {
        with(&format!(
            "[joint.j]\nbetween = [\"one.A\", \"two.B\"]\n{keys}\n"
        ))
    };
    let deg = std::f64::consts::PI / 180.0;
    let held = deg * 30.0 + 0.25 - 1.5;
    assert_same_rows(
        &joint("type = \"revolute\""),
        Revolute::new(one(), two()).unwrap(),
    );
    assert_same_rows(
        &joint("type = \"pin-slot\"\ndirection = 0.25"),
        PinSlot::new(one().facing(0.25), two()).unwrap(),
    );
    let guide = joint("type = \"translational\"\ndirection = 0.25");
    let same = Translational::new(one().facing(0.25), two().facing(held)).unwrap();
    for (found, known) in rows(&guide).iter().zip({
        let mut rows = [Row::default(); 3];
        Joint::from(same).evaluate(0.0, &poses(&guide), &mut rows);
        rows
    }) {
        assert!((found.value - known.value).abs() < 1e-15 && found.by == known.by);
    }
    // The angle that it has is the angle it keeps.
    assert!(rows(&guide)[1].value.abs() < 1e-15);
    // A weld is closed as the bodies stand, wherever they stand.
    let weld = joint("type = \"rigid\"");
    assert!(rows(&weld).iter().all(|row| row.value.abs() < 1e-15));
    assert_eq!(weld.joints[0].joint.places()[1], two());
    assert_same_rows(
        &joint("type = \"link\"\nlength = \"2 m\""),
        Link::new(one(), two(), 2.0).unwrap(),
    );
    let link = joint("type = \"link\"");
    assert!(
        rows(&link)[0].value.abs() < 1e-15,
        "a link without a length fits as it stands"
    );
    let gear = joint("type = \"gear\"\nradii = [\"r\", \"-2 m\"]\noffset = 0.3");
    assert_same_rows(&gear, Gear::new(one(), two(), [0.05, -2.0], 0.3).unwrap());
    assert!(!gear.joints[0].meshes && joint("type = \"gear\"\nradii = [1, 2]").joints[0].meshes);
    let rack = joint("type = \"rack\"\nradius = 0.4\ndirection = \"90 deg\"");
    assert!(rack.joints[0].meshes);
    assert_same_rows(
        &rack,
        Rack::new(one().facing(90.0 * deg), two(), 0.4, 0.0).unwrap(),
    );
    let curve = Curve::Graph(Function::Polynomial(vec![0.5, 0.0, 2.0]));
    let found = joint("type = \"point-on-curve\"\ncurve = \"0.5 m + 2 m^-1 * x^2\"");
    let known = PointOnCurve::new(one(), two(), curve).unwrap();
    let mut expected = [Row::default(); 3];
    Joint::from(known).evaluate(0.0, &poses(&found), &mut expected);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * (1.0 + b.abs());
    assert!(
        near(rows(&found)[0].value, expected[0].value)
            && near(rows(&found)[0].gamma, expected[0].gamma)
    );
    let polar = joint("type = \"point-on-curve\"\npolar = \"1 + 0.1*cos(2*theta)\"");
    assert!(
        matches!(&polar.joints[0].joint, Joint::PointOnCurve(joint) if matches!(joint.curve(), Curve::Polar(f) if f.value(0.0) == 1.1))
    );
}

#[test]
fn stops_and_friction_of_joints_are_read_with_the_parameters_of_their_laws() {
    let model = with(
        "[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"one.A\"]\n\
         limits = { lower = \"-20 deg\", upper = 0.5, law = \"hunt-crossley\", stiffness = \"3 kN m/rad\", restitution = 0.8, approach_speed_floor = \"1 rpm\" }\n\
         friction = { law = \"ambrosio\", coefficient = 0.2, v0 = \"1 mm/s\", v1 = \"1 cm/s\", radius = \"5 mm\" }\n\
         [joint.guide]\ntype = \"translational\"\nbetween = [\"ground.O\", \"two.B\"]\n\
         limits = { upper = \"30 cm\", stiffness = \"2e6 N/m^1.5\", exponent = 1.5, restitution = 0.5, calibration = \"exact\" }\n",
    );
    let [pin, guide] = &model.limits[..] else {
        panic!("two joints with stops")
    };
    assert_eq!((pin.name.as_str(), pin.joint, guide.joint), ("pin", 0, 1));
    assert_eq!(
        pin.limit.ends(),
        [-20.0 * std::f64::consts::PI / 180.0, 0.5]
    );
    let Follows::Law(law) = &pin.limit.terms().follows else {
        panic!("a law")
    };
    assert_eq!(
        (
            law.card().id,
            law.values().get("stiffness"),
            law.values().get("exponent")
        ),
        ("hunt-crossley", 3000.0, 1.0)
    );
    assert_eq!(pin.limit.terms().slowest, std::f64::consts::TAU / 60.0);
    assert_eq!(guide.limit.ends(), [f64::NEG_INFINITY, 0.3]);
    let Follows::Law(law) = &guide.limit.terms().follows else {
        panic!("a law")
    };
    assert_eq!(
        (law.card().id, law.values().get("exponent")),
        ("flores", 1.5)
    );
    assert_eq!(law.calibration(), carom::contact::Calibration::Exact);
    let [friction] = &model.frictions[..] else {
        panic!("one joint with friction")
    };
    assert_eq!(friction.friction.law().card().id, "ambrosio");
    assert_eq!(
        paths(
            "[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"one.A\"]\nlimits = { lower = 0, stiffness = \"1 N/m\", restitution = 2, dampng = 3 }\n"
        ),
        [
            "joint.pin.limits.stiffness",
            "joint.pin.limits.restitution",
            "joint.pin.limits.dampng"
        ]
    );
}

#[test]
fn every_driver_follows_the_function_it_names() {
    let driver = |keys: &str| {
        let joints = "[joint.pin]\ntype = \"revolute\"\nbetween = [\"one.A\", \"two.B\"]\n[joint.guide]\ntype = \"translational\"\nbetween = [\"ground.O\", \"one\"]\n";
        let model = with(&format!("{joints}[driver.d]\n{keys}\n"));
        let rows = model.drivers[0].rows.clone();
        (rows, poses(&model))
    };
    let deg = std::f64::consts::PI / 180.0;
    // By its joint: the angle begins as the bodies stand, at the start of time.
    let (rows, _) = driver("joint = \"pin\"\nspeed = \"30 rpm\"");
    let speed = std::f64::consts::PI;
    assert_eq!((rows.len(), rows[0].driven()), (1, Driven::Turn));
    let [value, slope, _] = rows[0].function().at(1.0);
    assert!((value - (1.5 - 30.0 * deg)).abs() < 1e-15 && (slope - speed).abs() < 1e-15);
    let (rows, _) = driver("joint = \"guide\"\nspeed = 2\nstart = \"10 cm\"");
    assert_eq!(
        (rows[0].driven(), rows[0].function().at(1.5)),
        (Driven::Along, [1.1, 2.0, 0.0])
    );
    // By a coordinate.
    let (rows, _) = driver("coordinate = \"one.angle\"\nposition = \"2 rad * sin(3 rad/s * t)\"");
    let [value, slope, bend] = rows[0].function().at(1.2);
    let (sin, cos) = 3.6_f64.sin_cos();
    assert!(
        (value - 2.0 * sin).abs() < 1e-14
            && (slope - 6.0 * cos).abs() < 1e-14
            && (bend + 18.0 * sin).abs() < 1e-13
    );
    let (rows, poses) = driver("coordinate = \"two.B.y\"\nspeed = 0");
    let spot = two().spot(&poses);
    assert!((rows[0].function().value(2.0) - spot.position[1]).abs() < 1e-15);
    // By a point, both ways.
    let (rows, _) = driver("point = \"two.B\"\nposition = [\"t/2\", 3]");
    assert_eq!(
        (
            rows.len(),
            rows[0].function().value(3.0),
            rows[1].function().value(3.0)
        ),
        (2, 1.5, 3.0)
    );
    // By a distance.
    let (rows, poses) = driver("distance = [\"one\", \"two\"]\nspeed = \"1 mm/s\"");
    let apart = Measure::distance(
        &Place::on(0, [0.0; 2]).spot(&poses),
        &Place::on(1, [0.0; 2]).spot(&poses),
    )
    .value;
    assert!(
        (rows[0].function().value(1.0) - apart).abs() < 1e-15
            && rows[0].driven() == Driven::Distance
    );
}

#[test]
fn every_force_is_the_element_it_names() {
    let force = |keys: &str| with(&format!("[force.f]\n{keys}\n"));
    let wave = || Function::Harmonic {
        mean: 0.0,
        amplitude: 3.0,
        omega: 2.0,
        phase: 0.0,
    };
    assert_same_forces(
        &force(
            "type = \"point\"\nat = \"two.B\"\nforce = [\"3 N * sin(2 rad/s * t)\", \"-0.5 kN\"]\naxes = \"body\"",
        ),
        PointForce::new(two(), Axes::Place, [wave(), Function::Constant(-500.0)]).unwrap(),
    );
    assert_same_forces(
        &force("type = \"moment\"\non = \"one\"\nreaction_on = \"two\"\nmoment = \"3*sin(2*t)\""),
        Moment::new(Some(0), Some(1), wave()).unwrap(),
    );
    // Of the motion: 2 N s/m against vx = 1 m/s, and the angle of the other body.
    assert_same_forces(
        &force(
            "type = \"point\"\nat = \"two\"\nforce = [\"-2 N s/m * two.vx\", \"4 N * one.angle\"]",
        ),
        PointForce::new(
            Place::on(1, [0.0; 2]),
            Axes::Ground,
            [-2.0, 4.0 * std::f64::consts::PI / 6.0],
        )
        .unwrap(),
    );
    let between = "between = [\"one.A\", \"two.B\"]\n";
    assert_same_forces(
        &force(&format!(
            "type = \"spring\"\n{between}stiffness = \"2 N/mm\"\nlength = \"10 cm\"\ndamping = 7\nactuator = \"3*sin(2*t)\""
        )),
        Spring::new(one(), two(), 2000.0, 7.0, 0.1, wave()).unwrap(),
    );
    let model = force(&format!(
        "type = \"spring\"\n{between}stiffness = 5\ndamping = 1"
    ));
    let Some([tension, _]) = model.loads[0].load.reading(
        0.0,
        &poses(&model)
            .iter()
            .map(|p| Pose {
                velocity: [0.0; 2],
                omega: 0.0,
                ..*p
            })
            .collect::<Vec<_>>(),
    ) else {
        panic!("a spring reads")
    };
    assert!(tension.abs() < 1e-14, "slack as it stands: {tension}");
    assert_same_forces(
        &force(&format!(
            "type = \"spring\"\n{between}force = \"100 N/m^2 * length^2\""
        )),
        Spring::with_force(
            one(),
            two(),
            Function::Polynomial(vec![0.0, 0.0, 100.0]),
            0.0,
            0.0,
            0.0,
        )
        .unwrap(),
    );
    assert_same_forces(
        &force(&format!(
            "type = \"rotational-spring\"\n{between}stiffness = \"2 N m/rad\"\nangle = \"10 deg\"\ndamping = 0.5"
        )),
        RotationalSpring::new(
            one(),
            two(),
            2.0,
            0.5,
            10.0 * std::f64::consts::PI / 180.0,
            0.0,
        )
        .unwrap(),
    );
    assert_same_forces(
        &force(&format!(
            "type = \"ligament\"\n{between}stiffness = \"35 MN/m^2\"\nlength = 1\ntoe = \"1 mm\""
        )),
        Ligament::new(one(), two(), 35e6, 1.0, Some(1e-3)).unwrap(),
    );
    assert_same_forces(
        &force(&format!(
            "type = \"bushing\"\n{between}stiffness = [1e3, \"2 kN/m\", 5]\ndamping = [1, 2, 3]"
        )),
        Bushing::new(one(), two(), [1e3, 2e3, 5.0], [1.0, 2.0, 3.0]).unwrap(),
    );
}

#[test]
fn parameters_stand_in_any_order_and_circles_are_told_once() {
    let text = "format = 1\n[simulation]\nend = \"T\"\n[parameters]\nT = \"2*half\"\nhalf = \"q/2\"\nq = \"3 s\"\nm = 4\n[body.b]\nmass = \"m\"\ninertia = 1\n";
    let model = parse(text).model;
    assert_eq!(
        (model.simulation.end, model.bodies[0].body.mass()),
        (3.0, 4.0)
    );
    let circle = "format = 1\n[simulation]\nend = \"a\"\n[parameters]\nb = \"c\"\na = \"b\"\nc = \"a + 1\"\nhangs = \"a\"\n[body.b]\nmass = \"hangs\"\ninertia = 1\n";
    let found = errors(circle);
    assert_eq!(found.len(), 1, "{}", listing(&found));
    assert_eq!((found[0].path.as_str(), found[0].line), ("parameters.b", 5));
    assert!(found[0].hint.contains("b → c → a → b"), "{}", found[0].hint);
}

#[test]
fn values_given_beside_the_file_take_the_place_of_those_in_it() {
    let set = |pairs: &[(&str, &str)]| {
        let pairs: Vec<(String, String)> = pairs
            .iter()
            .map(|(a, b)| (a.to_string(), b.to_string()))
            .collect();
        read(&Source::new("test.toml", FRAME), &pairs)
    };
    let model = set(&[
        ("parameters.r", "10 cm"),
        ("simulation.end", "4"),
        ("body.one.points.A", "[1, \"r\"]"),
        ("body.two.mass", "\"3 kg\""),
        ("solver.rtol", "1e-5"),
        ("solver.atol.angle", "1e-3"),
        ("simulation.channels", "[\"two.B.vx\"]"),
    ])
    .unwrap_or_else(|errors| panic!("{}", listing(&errors)))
    .model;
    assert_eq!(
        (model.bodies[0].position[0], model.simulation.end),
        (0.1, 4.0)
    );
    assert_eq!(
        (model.bodies[0].points[0].at, model.bodies[1].body.mass()),
        ([1.0, 0.1], 3.0)
    );
    assert_eq!(
        (model.solver.rtol, model.solver.kinds[0].atol),
        (1e-5, 1e-3)
    );
    assert_eq!(
        model.simulation.channels,
        [Channel::Point(1, 0, Motion::Vx)]
    );
    let wrong = set(&[
        ("body.oen.mass", "3"),
        ("body.one.mass", "-3 kg"),
        ("body.one.mas", "3"),
    ])
    .expect_err("three");
    let told: Vec<(&str, &str)> = wrong
        .iter()
        .map(|e| (e.file.as_str(), e.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "--set body.oen.mass=3",
                "there is no table `body.oen` in the file"
            ),
            ("--set body.one.mass=-3 kg", "`mass` must be above 0"),
            ("--set body.one.mas=3", "`body.one` takes no key `mas`"),
        ]
    );
    assert_eq!(
        (wrong[0].nearest.join(" "), wrong[0].line),
        ("body.one".into(), 0)
    );
    assert_eq!(wrong[2].nearest, ["mass"]);
    // A list has no keys.
    let wrong = set(&[("body.one.position.x", "3")]).expect_err("a list");
    assert_eq!(wrong.len(), 1);
    assert_eq!(wrong[0].message, "`body.one.position` is no table");
    let allowed = &wrong[0].allowed;
    assert!(allowed.contains("a list is set as a whole"), "{allowed}");
}

#[test]
fn tables_become_splines_and_are_kept() {
    let rows: String = (0..=20)
        .map(|i| format!("{}, {}\n", 100 * (i + 10), 3 * i * i))
        .collect();
    let path: String = (0..=20)
        .map(|i| format!("{}, {i}, -{i}\n", 1.0 + 0.1 * i as f64))
        .collect();
    let folder = folder(
        "tables",
        &[
            ("turn.csv", &format!("t [ms], value [deg]\n{rows}")),
            ("path.csv", &format!("# a path\nt, x [mm], y\n\n{path}")),
            (
                "spring.csv",
                "length [mm], force [kN]\n0, -1\n1000, 0\n2000, 1\n3000, 2\n",
            ),
        ],
    );
    let text = format!(
        "{FRAME}[driver.turn]\ncoordinate = \"one.angle\"\ntable = \"turn.csv\"\n[driver.path]\npoint = \"two.B\"\ntable = \"path.csv\"\n\
         [force.s]\ntype = \"spring\"\nbetween = [\"one.A\", \"two.B\"]\ntable = \"spring.csv\"\n"
    );
    let parsed = read_in(folder, text).unwrap_or_else(|errors| panic!("{}", listing(&errors)));
    let turn = parsed.model.drivers[0].rows[0].function();
    // 3 deg i² with i = (t − 1 s)/0.1 s: a parabola, which a spline meets.
    assert!((turn.value(2.25) - 3.0 * 12.5 * 12.5 * std::f64::consts::PI / 180.0).abs() < 1e-12);
    let rows = &parsed.model.drivers[1].rows;
    assert!(
        (rows[0].function().value(1.55) - 0.0055).abs() < 1e-15
            && (rows[1].function().value(1.55) + 5.5).abs() < 1e-12
    );
    assert_same_forces(
        &parsed.model,
        Spring::new(one(), two(), 1000.0, 0.0, 1.0, 0.0).unwrap(),
    );
    let names: Vec<_> = parsed
        .tables
        .iter()
        .map(|table| table.path.display().to_string())
        .collect();
    assert_eq!(names, ["turn.csv", "path.csv", "spring.csv"]);
    assert!(parsed.tables[2].text.starts_with("length [mm]"));
}

#[test]
fn a_table_whose_smooth_curve_leaves_it_is_warned_of() {
    let spring = |name: &str, rows: &str| {
        let folder = folder(name, &[("s.csv", &format!("length, force\n{rows}"))]);
        let text = format!(
            "{FRAME}[force.s]\ntype = \"spring\"\nbetween = [\"one.A\", \"two.B\"]\ntable = \"s.csv\"\n"
        );
        let parsed = read_in(folder, text).unwrap_or_else(|errors| panic!("{}", listing(&errors)));
        let told = parsed.warnings.iter().map(|w| (w.line, w.message.clone()));
        told.collect::<Vec<_>>()
    };
    // A peak 7 mm wide in 15 m: the curve through it goes to kilonewtons where the table has 100 N at most.
    let told = spring(
        "swinging_table",
        "0, 0\n4.12, 0\n4.1234, 100\n4.127, 0\n15, 0\n",
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, 27);
    assert!(
        told[0].1.contains("swings beyond its values by"),
        "{told:?}"
    );
    // A spring with play: beside its corner the curve swings by a few per cent.
    let rows: String = (0..=20)
        .map(|i| {
            format!(
                "{}, {}\n",
                0.1 * f64::from(i),
                5.0 * f64::from((i - 10).max(0))
            )
        })
        .collect();
    assert_eq!(spring("table_with_play", &rows), []);
}

#[test]
fn who_leaves_the_table_of_a_spring_is_told_when_and_how_far() {
    // 1 kg at 3 m/s from where a spring of 100 N/m is slack: it comes 0.3 m far, from 1 m to 1.3 m and to 0.7 m, at ω = 10 rad/s. The straight table is right beyond its ends, which nobody can know.
    let warned = |rows: &str, name: &str| {
        let text = "format = 1\n[simulation]\nend = 1\ngravity = [0, 0]\n[body.b]\nmass = 1\ninertia = 1\nposition = [1, 0]\nvelocity = [3, 0]\n\
            [force.s]\ntype = \"spring\"\nbetween = [\"ground\", \"b\"]\ntable = \"s.csv\"\n";
        let name = format!("left_table_{name}");
        let parsed = read_in(folder(&name, &[("s.csv", rows)]), text.into());
        let model = parsed
            .unwrap_or_else(|errors| panic!("{}", listing(&errors)))
            .model;
        let mut system = System::assemble(&model).expect("sound");
        let outcome = system.run(&mut ());
        let warnings = outcome.warnings.into_iter();
        warnings
            .filter(|w| w.code == "beyond-table")
            .collect::<Vec<_>>()
    };
    let told = |last: &str| {
        let rows = format!("length, force\n0.5, -50\n0.8, -20\n1, 0\n{last}\n");
        warned(&rows, &last.len().to_string())
    };
    let told_early = told("1.2, 20");
    assert_eq!(told_early.len(), 1, "{told_early:?}");
    let warning = &told_early[0];
    assert_eq!(warning.element.as_deref(), Some("force.s"));
    // 3/10 sin 10 t = 0.2: at the next of a thousand samples.
    let passes = (0.2_f64 / 0.3).asin() / 10.0;
    assert!(
        warning
            .time
            .is_some_and(|t| t >= passes && t < passes + 1.1e-3),
        "{warning:?}"
    );
    assert!(
        warning.message.contains("ends at 0.5 and 1.2 m"),
        "{warning}"
    );
    assert!(
        warning.message.contains("its length comes to 1.3 m")
            || warning.message.contains("1.29999"),
        "{warning}"
    );
    assert_eq!(told("1.31, 31.0"), []);
    // Both ends of 0.8 m and 1.2 m are passed, by 0.1 m each.
    let narrow = warned(
        "length, force\n0.8, -20\n0.9, -10\n1, 0\n1.2, 20\n",
        "narrow",
    );
    assert_eq!(narrow.len(), 1, "{narrow:?}");
    let told = &narrow[0].message;
    assert!(
        told.contains("its length comes to 0.7000")
            && told
                .replace("1.29999", "1.3")
                .contains(" and 1.3 m at the farthest on either side"),
        "{told}"
    );
    assert!(
        narrow[0].hint.contains("at both ends"),
        "{}",
        narrow[0].hint
    );
}

#[test]
fn a_wrong_table_is_told_with_its_own_file_and_line() {
    let folder = folder(
        "wrong_tables",
        &[
            ("back.csv", "t, value\n0, 1\n2, 1\n1, 1\n3, x\n4, nan\n5\n"),
            ("short.csv", "t, value\n0, 1\n1, 1\n2, 1\n2.5, 1\n"),
            ("head.csv", "date, value [m]\n0, 1\n"),
            ("few.csv", "t, value\n0, 1\n4, 1\n"),
        ],
    );
    let drivers: String = ["back", "short", "head", "few", "none"]
        .iter()
        .map(|name| {
            format!("[driver.{name}]\ncoordinate = \"one.angle\"\ntable = \"{name}.csv\"\n")
        })
        .collect();
    let found = read_in(folder, format!("{FRAME}{drivers}")).expect_err("all wrong");
    let told: Vec<(&str, usize, &str)> = found
        .iter()
        .map(|e| (e.file.as_str(), e.line, e.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("back.csv", 4, "`t` is 1, after 2"),
            ("back.csv", 5, "`x` is not a number"),
            ("back.csv", 6, "`nan` is not a number"),
            ("back.csv", 7, "1 cells, but the table has 2 columns"),
            (
                "test.toml",
                29,
                "the table runs from t = 0 to 2.5 s, the simulation from 1 to 3 s"
            ),
            ("head.csv", 1, "there is no column `date` in such a table"),
            (
                "head.csv",
                1,
                "`1 m` is a length [m], but an angle [rad] is expected"
            ),
            ("few.csv", 1, "the table has 2 rows"),
            (
                "test.toml",
                38,
                "the table `none.csv`: there is no such file"
            ),
        ]
    );
}

#[test]
fn everything_wrong_is_told_at_once_in_the_order_of_the_file() {
    let found = errors(
        "format = 1\n[simulation]\nend = \"-1 s\"\n[body.rod]\nmass = \"-3 kg\"\ninertia = nan\npoints.A = [0, 1]\n[body.ground]\nmass = 1\ninertia = 1\n\
         [joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod.B\"]\nlenght = 3\n[joint.self]\ntype = \"revolute\"\nbetween = [\"rod\", \"rod.A\"]\n\
         [joint.odd]\ntype = \"revolut\"\nanything = 3\n[driver.d]\njoint = \"pin\"\nspeed = 3\n[driver.e]\njoint = \"pn\"\nspeed = 3\n[contact.c]\n[bodys.x]\n",
    );
    let told: Vec<(usize, &str)> = found.iter().map(|e| (e.line, e.path.as_str())).collect();
    assert_eq!(
        told,
        [
            (3, "simulation.end"),
            (5, "body.rod.mass"),
            (6, "body.rod.inertia"),
            (8, "body.ground"),
            (13, "joint.pin.between"),
            (14, "joint.pin.lenght"),
            (17, "joint.self.between"),
            (18, "joint.odd.between"),
            (19, "joint.odd.type"),
            (25, "driver.e.joint"),
            (27, "contact.c.between"),
            (27, "contact.c.restitution"),
            (28, "bodys"),
        ]
    );
}

#[test]
fn an_error_shows_its_line_its_value_the_rule_and_what_was_meant() {
    let found = errors(
        "format = 1\n[simulation]\nend = 1\n[body.rod]\nmass = \"-3 kg\"\ninertia = 1\n\n\n\nanglee = 3\n",
    );
    let shown: Vec<String> = found.iter().map(Diagnostic::to_string).collect();
    assert_eq!(
        shown[0],
        "error: `mass` must be above 0\n --> test.toml:5:8  (body.rod.mass)\n  |\n5 | mass = \"-3 kg\"\n  |        ^^^^^^^ -3 kg\n  = allowed: > 0 kg"
    );
    assert!(shown[1].starts_with("error: `body.rod` takes no key `anglee`\n  --> test.toml:10:1  (body.rod.anglee)\n   |\n10 | anglee = 3\n   | ^^^^^^\n"));
    assert!(shown[1].ends_with("\n   = did you mean `angle`?"));
}

#[test]
fn a_function_without_a_value_is_told_with_its_time() {
    for (function, t) in [
        ("1/(t - 2.3)", 2.3),
        ("1/(t - 2.3)^2", 2.3),
        ("sqrt(t - 1.5)", 1.0),
        ("tan(t)", std::f64::consts::FRAC_PI_2),
    ] {
        let found = errors(&format!(
            "{FRAME}[driver.d]\ncoordinate = \"one.x\"\nposition = \"{function}\"\n"
        ));
        assert_eq!(found.len(), 1);
        let told = found[0]
            .message
            .strip_prefix("`position` is not a finite number at t = ");
        let told: f64 = told
            .and_then(|t| t.strip_suffix(" s"))
            .and_then(|t| t.parse().ok())
            .expect("names the time");
        assert!((told - t).abs() < 1e-5 * t, "{function}: {told}");
    }
    // Fast, large, jumping or steep is not wrong.
    for function in [
        "1e9*sin(300*t)",
        "step(t - 2)*1e6",
        "1/(t - 0.9)",
        "exp(20*t)",
        // Zero at every point of a grid of hundredths.
        "0.01*sin(2*pi*100*t)",
        "cos(pi*100*t)^2",
        "max(0, 1 - abs(t - 2.001)*1e4)",
        "abs(t - 2)",
        "sign(t - 2)",
    ] {
        with(&format!(
            "[driver.d]\ncoordinate = \"one.x\"\nposition = \"{function}\"\n"
        ));
    }
    assert_eq!(
        paths("[driver.d]\ndistance = [\"one\", \"two\"]\nposition = \"2 - t\"\n"),
        ["driver.d.position"]
    );
}

#[test]
fn what_only_follows_from_another_mistake_is_not_told() {
    // A bad parameter, and all that is made of it; a body without a sound mass, and all that names it; a joint that is not one, and its driver and channel.
    assert_eq!(
        paths(
            "[body.bad]\nmass = \"q\"\ninertia = 1\nposition = [\"q\", 0]\npoints.P = [\"q\", 0]\n[joint.j]\ntype = \"link\"\nbetween = [\"bad.P\", \"one\"]\n\
             [driver.d]\njoint = \"k\"\nspeed = \"q\"\n[joint.k]\ntype = \"revolute\"\nbetween = [\"nobody\", \"one\"]\n"
        ),
        [
            "body.bad.mass",
            "body.bad.position",
            "body.bad.points.P",
            "joint.k.between"
        ]
    );
    let text = format!("{FRAME}[joint.k]\ntype = \"revolute\"\nbetween = [\"nobody\", \"one\"]\n");
    let text = text.replace(
        "end = \"3 s\"",
        "end = \"3 s\"\nchannels = [\"joint.k.force_x\", \"one.z\"]",
    );
    let found: Vec<String> = errors(&text).into_iter().map(|e| e.message).collect();
    assert_eq!(
        found,
        ["there is no channel `one.z`", "there is no body `nobody`"]
    );
    let spoiled = FRAME.replace("r = \"50 mm\"", "r = \"50 mmm\"");
    let found = errors(&spoiled);
    assert_eq!(found.len(), 1, "{}", listing(&found));
}

#[test]
fn how_contacts_are_computed_is_read_with_all_its_settings() {
    let method = |text: &str| parse(&format!("{FRAME}[method]\n{text}")).model.method;
    assert_eq!(method("contact = \"compliant\"\n"), Method::default());
    // Settings of one method may stand in a file that is run with another.
    let all = "contact = \"time-stepping\"\nrestitution = \"newton\"\nstep = \"2 ms\"\ntheta = 1\nsolver = \"lcp\"\niterations = 7\ntolerance = 1e-6\n";
    let found = method(all);
    assert_eq!(
        (found.contact, found.hypothesis, found.solver),
        (
            ContactMethod::TimeStepping,
            Hypothesis::Newton,
            StepSolver::Lcp
        )
    );
    assert_eq!(
        (found.step, found.theta, found.iterations, found.tolerance),
        (Some(2e-3), 1.0, 7, 1e-6)
    );
    let found = errors(&format!(
        "{FRAME}[method]\ntheta = 0.3\nrestitution = \"hedrih\"\n"
    ));
    assert_eq!(found.len(), 2, "{}", listing(&found));
}

#[test]
fn a_material_that_nobody_uses_is_told() {
    let parsed = parse(&format!(
        "{FRAME}[material.steel]\nyoung = \"207 GPa\"\npoisson = 0.3\n"
    ));
    assert_eq!(parsed.warnings.len(), 1);
    assert_eq!(
        (
            parsed.warnings[0].severity,
            parsed.warnings[0].path.as_str()
        ),
        (Severity::Warning, "material.steel")
    );
}

#[test]
fn a_kinematic_analysis_needs_no_masses() {
    let text = "format = 1\n[simulation]\nanalysis = \"kinematic\"\nend = 1\n[body.b]\n[driver.d]\ncoordinate = \"b.x\"\nspeed = 1\n";
    assert_eq!(parse(text).warnings.len(), 1);
    let found = errors(&text.replace("kinematic", "dynamic"));
    assert_eq!((found.len(), found[0].path.as_str()), (1, "body.b.mass"));
    // Rest and vibration have no end.
    let modes = "format = 1\n[simulation]\nanalysis = \"modes\"\n[body.b]\nmass = 1\ninertia = 1\n";
    assert_eq!(parse(modes).model.simulation.analysis, Analysis::Modes);
}

#[test]
fn elements_are_found_again_later() {
    let text = format!("{FRAME}[joint.pin]\ntype = \"revolute\"\nbetween = [\"one\", \"two\"]\n");
    let parsed = parse(&text);
    let spot = parsed.spots.find("joint.pin").expect("known");
    assert_eq!(
        (spot.line, spot.column, &text[spot.start..spot.end]),
        (24, 8, "pin")
    );
    assert_eq!(
        parsed.spots.find("body.one.nothing").map(|spot| spot.line),
        Some(10)
    );
    let late = Diagnostic::at(
        &parsed.spots,
        &Source::new("test.toml", text),
        "joint.pin",
        "it does not close",
        "move a body",
    );
    assert!(
        late.to_string()
            .contains("24 | [joint.pin]\n   |        ^^^\n   = hint: move a body"),
        "{late}"
    );
}

#[test]
fn garbage_ends_soon_with_an_error() {
    let begun = std::time::Instant::now();
    let mut state = 1_u64;
    let noise: String = (0..10_000_000)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(b" \n\"'[]{}=.,#abc019-"[(state >> 33) as usize % 20 % 19])
        })
        .collect();
    let keys: String = (0..300_000).map(|i| format!("k{i} = {i}\n")).collect();
    let parameters: String = (0..30_000)
        .map(|i| format!("p{i} = \"p{}\"\n", i + 1))
        .collect();
    for text in [
        noise,
        "[".repeat(1_000_000),
        format!("x = {}", "{a=".repeat(300_000)),
        format!("{}b = 1", "a.".repeat(1_000_000)),
        format!("\"\\\"\".{}b = 1", "a.".repeat(1_000_000)),
        format!("format = 1\n{keys}"),
        format!("format = 1\n[body.rod]\n{keys}"),
        format!("format = 1\n[parameters]\n{parameters}p30000 = \"p0\""),
        format!("format = 1\n[body.b]\nmass = \"{}\"", "(".repeat(1_000_000)),
        String::new(),
        "\u{feff}\0\u{1}".into(),
    ] {
        let found = errors(&text);
        assert!(listing(&found).len() < 100_000 && found.len() <= 1001);
    }
    // Of which most is the building of the texts in an unoptimised test.
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn syntax_errors_are_told_kindly() {
    let messages = |text: &str| {
        errors(text)
            .into_iter()
            .map(|e| (e.line, e.message))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        messages("format = 1\n[body.rod]\nmass = 1\nmass = 2\n[body.rod]\n"),
        [
            (4, "`mass` is given twice in the same table".into()),
            (5, "`rod` is given twice in the same table".into())
        ]
    );
    assert_eq!(
        messages("format = 1\nend = 2 s\n"),
        [(2, "`2 s` is a text without quotes".into())]
    );
    assert_eq!(
        messages("a = [0, 1\n[body.rod]\nmass = 1\n"),
        [(2, "the list before this line is not closed".into())]
    );
}

#[test]
fn the_schema_is_json_and_lists_every_key() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).expect("valid JSON");
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["required"], serde_json::json!(["format"]));
    let table = |kind: &str| schema["properties"][kind].clone();
    let named = |kind: &str| table(kind)["patternProperties"]["^[A-Za-z][A-Za-z0-9_-]*$"].clone();
    for (kind, keys) in [
        (
            "simulation",
            "analysis start end gravity output_step channels",
        ),
        (
            "solver",
            "integrator rtol atol first_step max_step max_steps step",
        ),
        ("constraints", "control alpha beta"),
    ] {
        for key in keys.split(' ') {
            assert!(
                table(kind)["properties"][key]["description"].is_string(),
                "{kind}.{key}"
            );
        }
    }
    for key in
        "mass inertia shape density position angle velocity angular_velocity points".split(' ')
    {
        assert!(
            named("body")["properties"][key]["description"].is_string(),
            "body.{key}"
        );
    }
    let kinds = |kind: &str| {
        let cases = named(kind)["allOf"].as_array().expect("cases").clone();
        let keys = |case: &serde_json::Value| {
            let properties = case["then"]["properties"].as_object().expect("keys");
            properties.keys().cloned().collect::<Vec<String>>()
        };
        let kind = |case: &serde_json::Value| {
            case["if"]["properties"]["type"]["const"]
                .as_str()
                .expect("a type")
                .to_string()
        };
        cases
            .iter()
            .map(|case| (kind(case), keys(case)))
            .collect::<Vec<_>>()
    };
    let joints = kinds("joint");
    let types: Vec<&str> = joints.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(
        types.join("|"),
        "revolute|translational|rigid|pin-slot|link|gear|rack|point-on-curve"
    );
    assert!(
        joints
            .iter()
            .all(|(_, keys)| keys.contains(&"between".into()))
    );
    assert!(joints[5].1.contains(&"radii".into()) && !joints[0].1.contains(&"radii".into()));
    let forces: Vec<String> = kinds("force").into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(
        forces.join("|"),
        "point|moment|spring|rotational-spring|ligament|bushing"
    );
    let driver = named("driver");
    assert_eq!(driver["allOf"].as_array().map(Vec::len), Some(2));
}

/// Wheels of 0.1 m and 0.2 m at 0.31 m, and a wheel of 0.5 m on a line 0.6 m away.
const OFF: &str = r#"
format = 1

[simulation]
end = "0.1 s"

[body.sun]
mass = 1
inertia = 1
angular_velocity = 1

[body.planet]
mass = 1
inertia = 1
position = [0.31, 0]

[body.wheel]
mass = 1
inertia = 1
position = [0, 0.6]

[joint.one]
type = "revolute"
between = ["ground", "sun"]

[joint.two]
type = "revolute"
between = ["ground.P", "planet"]

[joint.three]
type = "translational"
between = ["ground.Q", "wheel"]

[joint.mesh]
type = "gear"
between = ["sun", "planet"]
radii = ["0.1 m", "0.2 m"]

[joint.line]
type = "rack"
between = ["wheel", "sun"]
radius = "-0.5 m"

[ground.points]
P = [0.31, 0]
Q = [0, 0.6]
"#;

#[test]
fn gears_whose_radii_do_not_fit_their_centres_are_warned_of_with_both_numbers() {
    let off = |text: &str| -> Vec<(String, String)> {
        let system = System::assemble(&parse(text).model).expect("sound");
        let warnings = system.warnings().iter();
        let off = warnings.filter(|warning| warning.code == "gear-centres");
        off.map(|w| (w.element.clone().unwrap_or_default(), w.message.clone()))
            .collect()
    };
    let found = off(OFF);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].0, "joint.mesh");
    assert!(found[0].1.contains("0.31 m apart"), "{found:?}");
    assert!(found[0].1.contains("touch at 0.3"), "{found:?}");
    assert_eq!(found[1].0, "joint.line");
    assert!(found[1].1.contains("-0.6 m"), "{found:?}");
    let fits = OFF.replace("0.31", "0.3").replace("-0.5 m", "-0.6 m");
    assert_eq!(off(&fits), []);
}

#[test]
fn a_loop_that_closes_without_its_driver_says_so() {
    let model = parse(
        "format = 1\n[simulation]\nend = 1\n[body.rod]\nmass = 1\ninertia = 1\nposition = [0.5, 0]\n\
         [joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod.A\"]\n\
         [body.rod.points]\nA = [-0.5, 0]\nB = [0.5, 0]\n\
         [driver.pull]\ncoordinate = \"rod.B.x\"\nposition = \"3 m\"\n",
    );
    let troubles = System::assemble(&model.model).expect_err("1 m is not 3 m");
    let message = &troubles[0].message;
    assert!(
        message.contains("It closes without driver.pull, which holds 3 m"),
        "{message}"
    );
}

#[test]
fn tables_of_spreadsheets_are_read_quotes_and_all() {
    let folder = folder(
        "quoted_table",
        &[(
            "quoted.csv",
            "\"time [s]\",\"angle [rad]\"\n\"0\",\"0\"\n1,1\n2,2\n3,3\n4,4\n",
        )],
    );
    let driver = "[driver.a]\ncoordinate = \"one.angle\"\ntable = \"quoted.csv\"\n";
    let parsed = read_in(folder, format!("{FRAME}{driver}")).expect("sound");
    assert_eq!(parsed.model.drivers.len(), 1);
}

#[test]
fn a_value_for_a_table_is_told_what_is_in_it() {
    let overrides = [("body.one".to_string(), "3".to_string())];
    let source = Source::new("test.toml", FRAME);
    let found = read(&source, &overrides).expect_err("a table");
    assert_eq!(
        found[0].message,
        "`body.one` is a table: it takes no value itself"
    );
    assert!(found[0].nearest.is_empty());
}
