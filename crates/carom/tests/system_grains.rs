//! Do the grains of a model file move as bodies do, and does the mechanism beside them feel it?
//!
//! Closed forms: the impulse of weights over a time, momentum and energy of two bodies that hit each other; and the same file once more with the accurate engine.

mod built;

use built::files::Ran;
use built::run_system;
use carom::card::Values;
use carom::contact::{self, Calibration, Law};
use carom::impact::{self, Accuracy};
use carom::model::Model;
use carom::model::file::{self, Source};
use carom::system::{Grouped, Observer, Snapshot, Status, System, Warning};

/// A model from its text.
#[track_caller]
fn read(text: &str) -> Model {
    let source = Source {
        name: "model.toml".into(),
        text: text.into(),
        folder: Default::default(),
    };
    match file::read(&source, &[]) {
        Ok(parsed) => parsed.model,
        Err(faults) => panic!("{}", faults[0]),
    }
}

/// A ball of 1 kg that falls by about 0.9 m on a floor.
fn falling(solver: &str, law: &str) -> Model {
    read(&format!(
        r#"
        format = 1
        [simulation]
        end = "0.8 s"
        gravity = [0, -9.81]
        output_step = "0.1 s"
        channels = ["ball.1.x", "ball.1.y", "ball.1.vy", "energy.residual", "energy.kinetic"]
        [solver]
        {solver}
        [ground]
        shapes.floor = {{ type = "half-plane" }}
        [group.ball]
        count = 1
        radius = "0.1 m"
        mass = "1 kg"
        region = [["-0.2 m", "0.85 m"], ["0.2 m", "1.15 m"]]
        {law}
        "#
    ))
}

/// Positions and velocities at the end differ from those of the accurate engine by less each time the step is halved, like its square: in a contact that begins like δ^(3/2) nothing is lost at its ends.
#[test]
fn one_grain_on_a_floor_bounces_as_the_accurate_engine_says_within_the_square_of_the_step() {
    for law in [
        "law = \"hertz\"\nstiffness = \"1e6 N/m^1.5\"",
        "law = \"flores\"\nstiffness = \"1e6 N/m^1.5\"\nrestitution = 0.8",
    ] {
        let exact = Ran::of(&falling("rtol = 1e-12", law));
        assert_eq!(exact.outcome.contacts.len(), 1, "{law}");
        let errors: Vec<f64> = [200.0, 50.0]
            .iter()
            .map(|step| {
                let solver = format!("integrator = \"verlet\"\nstep = \"{step} us\"");
                let ran = Ran::of(&falling(&solver, law));
                assert_eq!(ran.outcome.status, Status::Completed);
                let group = &ran.outcome.groups[0];
                assert_eq!((group.name.as_str(), group.radii.len()), ("ball", 1));
                (ran.last("ball.1.y") - exact.last("ball.1.y")).abs()
            })
            .collect();
        println!("{law}: {errors:?}");
        // A contact takes 9.6 ms, 48 steps of the first run.
        assert!(errors[0] < 1e-3, "{errors:?}");
        assert!(errors[1] < errors[0] / 10.0, "{errors:?}");
    }
}

/// A floor that a driver lifts at a constant speed v does the work v ∫F dt, and the impulse is m (v_end − v_start + g T) whatever the contact does in between; the floor itself takes M g v T.
#[test]
fn a_driver_that_lifts_grains_does_the_work_of_their_weight_and_of_what_they_gain() {
    let model = read(
        r#"
        format = 1
        [simulation]
        end = "1.5 s"
        gravity = [0, -9.81]
        channels = ["energy.driver_work", "energy.residual", "group.grains.kinetic", "driver.lift.force", "grains.2.vy"]
        [solver]
        integrator = "verlet"
        step = "50 us"
        [body.floor]
        mass = "3 kg"
        inertia = "1 kg m^2"
        position = [0, 0]
        shapes.top = { type = "half-plane" }
        [joint.guide]
        type = "translational"
        between = ["ground", "floor"]
        direction = "90 deg"
        [driver.lift]
        joint = "guide"
        speed = "0.3 m/s"
        [group.grains]
        count = 2
        radius = "20 mm"
        mass = "0.5 kg"
        region = [["-0.3 m", "0.1 m"], ["0.3 m", "0.2 m"]]
        touches = ["floor"]
        law = "flores"
        stiffness = "1e6 N/m^1.5"
        restitution = 0.3
        "#,
    );
    let ran = Ran::of(&model);
    let outcome = &ran.outcome;
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(outcome.warnings, []);
    let (v, t, g, floor, grain) = (0.3, 1.5, 9.81, 3.0, 0.5);
    let group = &outcome.groups[0];
    let gained: f64 = group.velocities.iter().map(|u| u[1]).sum();
    let work = v * (grain * (gained + 2.0 * g * t) + floor * g * t);
    // The two ride on the floor in the end.
    for velocity in &group.velocities {
        assert!((velocity[1] - v).abs() < 1e-9, "{velocity:?}");
    }
    let found = outcome.ledger.driver_work;
    println!("{found} {work}: {:e}", found / work - 1.0);
    assert!((found / work - 1.0).abs() < 1e-11, "{found} {work}");
    assert_eq!(ran.last("energy.driver_work"), found);
    // The driver carries all weights: 4 kg.
    assert!((ran.last("driver.lift.force") / (4.0 * g) - 1.0).abs() < 1e-6);
    let residual = outcome.ledger.residual;
    assert!(residual.abs() < 1e-4 * work, "{residual}");
    let heat: f64 = outcome.ledger.dissipated.iter().map(|d| d.1).sum();
    assert!(heat > 0.5, "they fell by 8 cm and more: {heat}");
}

/// Heights of two bodies that hit each other without loss: velocities follow from momentum and energy, (m1 − m2)/(m1 + m2) and 2 m1/(m1 + m2).
#[test]
fn a_free_body_is_thrown_by_a_grain_with_its_momentum_and_energy() {
    let model = |step: f64| {
        read(&format!(
            r#"
            format = 1
            [simulation]
            end = "0.2 s"
            gravity = [0, 0]
            channels = ["plate.vx", "shot.1.vx", "energy.residual"]
            [solver]
            integrator = "verlet"
            step = "{step} us"
            [body.plate]
            mass = "3 kg"
            inertia = "1 kg m^2"
            position = ["0.2 m", 0]
            shapes.face = {{ type = "half-plane", point = [0, 0], normal = [-1, 0] }}
            [group.shot]
            count = 1
            radius = "20 mm"
            mass = "1 kg"
            region = [["0.1 m", "-21 mm"], ["0.15 m", "21 mm"]]
            velocity = ["2 m/s", 0]
            touches = ["plate"]
            law = "hertz"
            stiffness = "1e6 N/m^1.5"
            "#
        ))
    };
    let mut errors = Vec::new();
    for step in [100.0, 25.0] {
        let ran = Ran::of(&model(step));
        let outcome = &ran.outcome;
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        let [plate, shot] = [ran.last("plate.vx"), ran.last("shot.1.vx")];
        // Momentum is kept whatever the step; the grain does not hit the middle, and the plate turns.
        assert!((3.0 * plate + shot - 2.0).abs() < 1e-12);
        errors.push(outcome.ledger.residual.abs());
        let turning = outcome.velocities[2];
        let energy = 0.5 * (3.0 * plate * plate + shot * shot + turning * turning);
        println!("{plate} {shot} {turning}: {energy}");
        assert!((energy / 2.0 - 1.0).abs() < 1e-3);
        // A blow at the arm y has the effective mass 1/(1/1 + 1/3 + y²/1).
        let y = outcome.groups[0].positions[0][1];
        let effective = 1.0 / (1.0 + 1.0 / 3.0 + y * y);
        let impulse = 2.0 * effective * 2.0;
        assert!((plate / (impulse / 3.0) - 1.0).abs() < 1e-3, "{plate}");
    }
    assert!(errors[1] < errors[0] / 10.0, "{errors:?}");
}

const BOX: &str = r#"
    format = 1
    [simulation]
    end = "60 ms"
    gravity = [0, -9.81]
    snapshot_step = "20 ms"
    channels = ["group.grains.kinetic", "group.grains.contacts", "group.grains.top", "group.grains.overlap", "group.grains.centre_x", "group.grains.centre_y", "grains.17.x", "energy.residual"]
    [solver]
    integrator = "verlet"
    step = "10 us"
    [ground]
    shapes.floor = { type = "half-plane" }
    shapes.left = { type = "half-plane", normal = [1, 0] }
    shapes.right = { type = "half-plane", point = ["0.1 m", 0], normal = [-1, 0] }
    [group.grains]
    count = 60
    radius = ["4 mm", "6 mm"]
    density = "2500 kg/m^3"
    profile = "sphere"
    region = [["1 mm", "1 mm"], ["99 mm", "0.12 m"]]
    velocity = ["0.3 m/s", "-1 m/s"]
    law = "tsuji"
    stiffness = "1e6 N/m^1.5"
    restitution = 0.5
    friction = { law = "tangential-spring", coefficient = 0.4, stiffness = "1e4 N/m" }
"#;

/// Everything that is told.
#[derive(Default)]
struct All {
    bits: Vec<u64>,
    snapshots: Vec<f64>,
    calls: u64,
    stop: Option<u64>,
}

impl Observer for All {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.bits.push(t.to_bits());
        self.bits.extend(values.iter().map(|v| v.to_bits()));
    }

    fn snapshot(&mut self, t: f64, grains: &Snapshot<'_>) {
        self.snapshots.push(t);
        let numbers = grains.positions.iter().chain(grains.velocities);
        self.bits.extend(numbers.flatten().map(|x| x.to_bits()));
    }

    fn progress(&mut self, progress: &carom::system::Progress) -> std::ops::ControlFlow<()> {
        self.calls += 1;
        assert_eq!(progress.steps, self.calls);
        assert_eq!(progress.crowd.map(|crowd| crowd.grains), Some(60));
        match self.stop {
            Some(stop) if stop == self.calls => std::ops::ControlFlow::Break(()),
            _ => std::ops::ControlFlow::Continue(()),
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    let mut model = read(BOX);
    // Threads that share a core take turns at every step: few steps will do.
    model.simulation.end = 5e-3;
    model.simulation.snapshot_step = Some(2e-3);
    let with = |threads: usize| {
        let mut system = System::assemble(&model).expect("it can be put together");
        system.set_threads(threads);
        let mut all = All::default();
        let outcome = system.run(&mut all);
        assert_eq!(outcome.status, Status::Completed);
        (all.bits, all.snapshots, outcome.groups, outcome.ledger)
    };
    let one = with(1);
    // At the start, twice on the way, and at the end.
    assert_eq!(one.1, [0.0, 0.002, 0.004, 0.005]);
    assert!(one.2[0].max_force > 0.0, "they touch");
    for threads in [2, 3, 0] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_run_that_is_stopped_hands_over_what_it_has() {
    let mut system = System::assemble(&read(BOX)).expect("it can be put together");
    let mut all = All {
        stop: Some(1234),
        ..All::default()
    };
    let outcome = system.run(&mut all);
    assert_eq!(outcome.status, Status::Stopped);
    assert!((outcome.t - 0.01234).abs() < 1e-12, "{}", outcome.t);
    assert_eq!(outcome.statistics.steps_accepted, 1234);
    assert_eq!(outcome.groups[0].positions.len(), 60);
    assert_eq!(all.snapshots.last(), Some(&outcome.t));
}

/// Channels of a group are what its grains say at the end.
#[test]
fn channels_of_a_group_agree_with_its_grains() {
    let ran = Ran::of(&read(BOX));
    let group: &Grouped = &ran.outcome.groups[0];
    let tops = group.positions.iter().zip(&group.radii);
    let top = tops.map(|(p, r)| p[1] + r).fold(f64::MIN, f64::max);
    assert_eq!(ran.last("group.grains.top"), top);
    assert_eq!(ran.last("group.grains.kinetic"), group.kinetic);
    assert_eq!(
        ran.last("group.grains.contacts"),
        group.touches.len() as f64
    );
    assert_eq!(ran.last("grains.17.x"), group.positions[16][0]);
    let volume = |r: &f64| r * r * r;
    let mass: f64 = group.radii.iter().map(volume).sum();
    for (k, name) in ["group.grains.centre_x", "group.grains.centre_y"]
        .iter()
        .enumerate()
    {
        let grains = group.positions.iter().zip(&group.radii);
        let moment: f64 = grains.map(|(p, r)| p[k] * volume(r)).sum();
        assert!((ran.last(name) / (moment / mass) - 1.0).abs() < 1e-12);
    }
    assert!(group.max_overlap >= ran.last("group.grains.overlap"));
    assert!(group.max_force >= group.force());
    // What was turned over is a tenth of a joule; a contact takes 40 steps and more.
    let residual = ran.outcome.ledger.residual;
    println!(
        "residual {residual:e}, kinetic at the start {}",
        group.history[0].1
    );
    assert!(residual.abs() < 1e-3 * group.kinetic_peak, "{residual}");
    assert_eq!(ran.outcome.warnings, []);
}

#[test]
fn a_step_that_is_too_long_is_told_with_both_numbers() {
    let model = read(&BOX.replace("step = \"10 us\"", "step = \"40 us\""));
    let (outcome, _, _) = run_system(&model);
    let told: Vec<&Warning> = outcome
        .warnings
        .iter()
        .filter(|w| w.code == "long-step")
        .collect();
    let [told] = told[..] else {
        panic!("{:?}", outcome.warnings);
    };
    let shortest = outcome.groups[0].contact_time.expect("there were contacts");
    assert!(shortest < 20.0 * 40e-6);
    for words in [
        "steps of 40 µs",
        "takes about",
        &format!("{:.1} steps", shortest / 40e-6),
    ] {
        assert!(told.message.contains(words), "`{words}` is not in\n{told}");
    }
    assert!(told.hint.starts_with("step = \""), "{told}");
}

#[test]
fn what_does_not_go_with_grains_is_refused_in_words() {
    let said = |model: &Model| -> String {
        let troubles = System::assemble(model).expect_err("it is refused");
        let words: Vec<String> = troubles.iter().map(ToString::to_string).collect();
        words.join("\n")
    };
    let mut model = read(BOX);
    model.solver.integrator = carom::solve::Integrator::Dop853;
    assert!(
        said(&model).contains("integrator = \"verlet\""),
        "{}",
        said(&model)
    );
    let mut model = read(BOX);
    model.simulation.analysis = carom::model::Analysis::Static;
    assert!(said(&model).contains("static analysis"), "{}", said(&model));
    // Friction in a joint beside grains.
    let wheel = |law: &str| {
        read(&format!(
            r#"
            {BOX}
            [body.wheel]
            mass = "1 kg"
            inertia = "0.1 kg m^2"
            [joint.pin]
            type = "revolute"
            between = ["ground", "wheel"]
            friction = {{ {law}, radius = "0.1 m" }}
            "#
        ))
    };
    for (law, part) in [
        ("law = \"coulomb\", coefficient = 0.9", "tanh"),
        (
            "law = \"dahl\", coefficient = 0.9, stiffness = 1e5",
            "another law",
        ),
    ] {
        let words = said(&wheel(law));
        assert!(
            words.contains("joint.pin.friction") && words.contains(part),
            "{words}"
        );
    }
    let speedy = wheel("law = \"tanh\", coefficient = 0.9, transition_speed = 1e-3");
    assert!(System::assemble(&speedy).is_ok());
    // Deeper in each other than a half of the radius.
    let mut model = read(BOX);
    if let carom::model::Members::Grains(grains) = &mut model.groups[0].members {
        grains[3].position[1] = 0.0;
    }
    let words = said(&model);
    for part in [
        "group.grains",
        "grains.4",
        "ground.floor",
        "deep in each other",
    ] {
        assert!(words.contains(part), "`{part}` is not in\n{words}");
    }
    // Less deep is a warning.
    let mut model = read(BOX);
    if let carom::model::Members::Grains(grains) = &mut model.groups[0].members {
        grains[3].position[1] = 0.9 * grains[3].radius;
    }
    let system = System::assemble(&model).expect("it can be put together");
    let told = system
        .warnings()
        .iter()
        .find(|w| w.code == "starts-overlapping");
    assert!(
        told.is_some_and(|w| w.message.contains("grains.4 by")),
        "{:?}",
        system.warnings()
    );
}

/// A body that carries a wall counts with what its joints leave of its mass: free, a blow through its centre has 1/m; on a pin at the arm r, r²/I, with the inertia about the pin. With the damper of `tsuji`, which is made for the
/// effective mass, what comes back is what a free impact of the law returns.
#[test]
fn a_damper_at_a_wall_that_yields_is_that_of_both_masses() {
    // So stiff that a body on a pin hardly turns before the blow is over.
    let run = |joint: &str, channel: &str| {
        let ran = Ran::of(&read(&format!(
            r#"
            format = 1
            [simulation]
            end = "17 ms"
            gravity = [0, 0]
            channels = ["p.vx", "p.omega", "g.1.vx"]
            [solver]
            integrator = "verlet"
            step = "0.1 us"
            [body.p]
            mass = "1 g"
            inertia = 1e-7
            position = ["30 mm", "5 mm"]
            shapes.face = {{ type = "half-plane", point = ["-5 mm", 0], normal = [-1, 0] }}
            points.top = [0, "20 mm"]
            [ground]
            points.top = ["30 mm", "25 mm"]
            {joint}
            [group.g]
            count = 1
            radius = "5 mm"
            mass = "10 g"
            region = [[0, "-0.1 mm"], ["10 mm", "10.1 mm"]]
            velocity = [1, 0]
            touches = ["p"]
            law = "tsuji"
            stiffness = 1e9
            restitution = 0.5
            "#
        )));
        assert_eq!(ran.outcome.status, Status::Completed);
        let y = ran.outcome.groups[0].positions[0][1];
        [ran.last("p.vx"), ran.last(channel), ran.last("g.1.vx"), y]
    };
    // What a free impact of this law returns, at any speed and mass: near the 0.5 that were asked for.
    let values = Values::new()
        .number("stiffness", 1e9)
        .number("restitution", 0.5);
    let card = contact::find("tsuji").expect("a law");
    let law = Law::new(card, &values, None, Calibration::Published).expect("sound");
    let free = impact::simulate(&law, 1.0, 1e-3, &Accuracy::default()).expect("returns");
    let known = free.restitution;
    // What the point that is struck moves along the blow, less the grain, is that part of the 1 m/s before. A blow beside the centre turns the body.
    let [body, turn, grain, y] = run("", "p.omega");
    let after = body - turn * (y - 5e-3) - grain;
    println!("{body} {turn} {grain} {y}");
    assert!((after - known).abs() < 2e-3, "{after} {known}");
    assert!((body + 10.0 * grain - 10.0).abs() < 1e-9, "momentum");
    let pin = "[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground.top\", \"p.top\"]";
    let [_, turn, grain, y] = run(pin, "p.omega");
    let after = turn * (25e-3 - y) - grain;
    println!("{turn} {grain} {y}");
    assert!((after - known).abs() < 2e-3, "{after} {known}");
}

/// The law of a touch is made from the radii and the materials of both: a rubber ceiling stays rubber after a steel floor was touched. The deepest indentation goes like v^(4/5) (Hertz), and a tenth of the speed is lost
/// at the floor.
#[test]
fn each_wall_keeps_its_own_material() {
    let overlap = |floor: &str, ceiling: &str| {
        let model = read(&format!(
            r#"
            format = 1
            [simulation]
            end = "250 ms"
            gravity = [0, 0]
            channels = ["group.g.overlap"]
            [solver]
            integrator = "verlet"
            step = "2 us"
            [ground.shapes]
            floor = {{ type = "half-plane", material = "{floor}" }}
            ceiling = {{ type = "half-plane", point = [0, "0.2 m"], normal = "-90 deg", material = "{ceiling}" }}
            [group.g]
            count = 1
            radius = ["4 mm", "5 mm"]
            density = "7800 kg/m^3"
            profile = "sphere"
            region = [[0, "0.010 m"], ["10 mm", "0.020 m"]]
            velocity = [0, -1]
            material = "steel"
            law = "tsuji"
            restitution = 0.9
            "#
        ));
        let ran = Ran::of(&model);
        assert_eq!(ran.outcome.status, Status::Completed);
        ran.outcome.groups[0].max_overlap
    };
    let (hard, soft) = (overlap("steel", "steel"), overlap("rubber", "rubber"));
    let (up, down) = (overlap("steel", "rubber"), overlap("rubber", "steel"));
    assert!(soft > 5.0 * hard, "{hard} {soft}");
    assert!((down / soft - 1.0).abs() < 1e-9, "{down} {soft}");
    let known = 0.9_f64.powf(0.8);
    assert!((up / soft - known).abs() < 0.02, "{up} {soft} {known}");
}
