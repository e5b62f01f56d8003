//! Do bodies without compliance strike, rest, slide and part as closed forms say?

mod built;

use built::files::{Ran, model};
use carom::model::{Source, read};
use carom::system::{Contacted, Status, System};

fn near(what: &str, found: f64, known: f64, off: f64) {
    let error = found - known;
    assert!(error.abs() <= off, "{what}: {found} {known} {error:e}");
}

/// A model file with contacts without compliance.
fn rigid(name: &str, overrides: &[(&str, &str)]) -> Ran {
    let mut all = vec![("method.contact", "piecewise")];
    all.extend(overrides);
    completed(Ran::of(&model(name, &all)))
}

/// A text with [method] contact = "piecewise".
fn text(text: &str) -> Ran {
    let text = format!("format = 1\n[method]\ncontact = \"piecewise\"\n{text}");
    let parsed = read(&Source::new("test.toml", &text), &[]);
    let parsed = parsed.unwrap_or_else(|errors| panic!("{errors:?}"));
    completed(Ran::of(&parsed.model))
}

#[track_caller]
fn completed(ran: Ran) -> Ran {
    let outcome = &ran.outcome;
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    ran
}

fn approach(contacted: &Contacted) -> f64 {
    contacted.episode.approach
}

/// A ball of 1 kg falls by 1 m onto the floor and gives nothing back: it lies there from √(2/g) on. Its blow and its weight are told apart.
#[test]
fn a_ball_that_gives_nothing_back_lies_at_once() {
    let ran = text(
        "[simulation]\nend = 1\ngravity = [0, -10]\nchannels = [\"ball.y\", \"ball.vy\"]\n[ground]\nshapes.floor = { type = \"half-plane\" }\n[body.ball]\nmass = 1\ninertia = 0.004\nposition = [0, 1.1]\nshapes.rim = { type = \"circle\", radius = 0.1 }\n[contact.floor]\nbetween = [\"ground.floor\", \"ball.rim\"]\nlaw = \"flores\"\nstiffness = 1e6\nrestitution = 0\n",
    );
    let [one] = &ran.outcome.contacts[..] else {
        panic!("one contact: {:?}", ran.outcome.contacts);
    };
    let lands = 0.2_f64.sqrt();
    near("lands", one.episode.start, lands, 1e-9);
    near("blow", one.blow_impulse(), 20.0_f64.sqrt(), 1e-8);
    near("weight", one.course.pressed, 10.0 * (1.0 - lands), 1e-8);
    near("height", ran.last("ball.y"), 0.1, 1e-12);
    near("speed", ran.last("ball.vy"), 0.0, 1e-12);
    assert!(!one.over);
}

/// Fifty-five boxes touch at more points than are solved for: that is known before a run.
#[test]
fn a_crowd_is_refused_before_the_run() {
    let troubles = System::assemble(&model("pyramid.toml", &[("method.contact", "piecewise")]));
    let troubles = troubles.expect_err("refused");
    assert_eq!(troubles[0].code, "piecewise-crowd");
    assert!(troubles[0].hint.contains("time-stepping"));
}

/// Only blows at an instant have a ratio of impulses: elsewhere it is passed over, and that is said with its line.
#[test]
fn a_ratio_of_impulses_that_nobody_asks_for_is_told() {
    let text = "format = 1\n[simulation]\nend = 1\n[ground]\nshapes.floor = { type = \"half-plane\" }\n[body.ball]\nmass = 1\ninertia = 0.004\nposition = [0, 1]\nshapes.rim = { type = \"circle\", radius = 0.1 }\n[contact.floor]\nbetween = [\"ground.floor\", \"ball.rim\"]\nlaw = \"flores\"\nstiffness = 1e6\nrestitution = 0.5\nimpulse_ratio = 0.2\n";
    for (method, passed_over) in [
        ("compliant", true),
        ("piecewise", false),
        ("time-stepping", true),
    ] {
        let overrides = [("method.contact".to_string(), method.to_string())];
        let parsed = read(&Source::new("test.toml", text), &overrides).expect("sound");
        let told = parsed.warnings.iter();
        let told: Vec<_> = told.filter(|w| w.path.ends_with("impulse_ratio")).collect();
        assert_eq!(told.len(), usize::from(passed_over), "{method}: {told:?}");
        assert!(told.iter().all(|w| w.line == 16), "{told:?}");
    }
}

/// Poursina and Nikravesh 2020, section 6, angles from the vertical, e = 0.3: instants and rates after each impact computed apart, in minimal coordinates, with the impulses of the frozen configuration.
#[test]
fn two_pendulums_strike_three_times_as_computed_apart() {
    let ran = rigid("two-pendulums.toml", &[]);
    let known = [
        (1.142445818, [-0.0757203, -0.9705827]),
        (3.763188760, [0.0463274, -0.1703052]),
        (6.694251411, [0.1645477, 0.0018561]),
    ];
    assert_eq!(ran.outcome.contacts.len(), 3);
    for (contacted, (t, _)) in ran.outcome.contacts.iter().zip(known) {
        near("instant", contacted.episode.start, t, 1e-6);
        near("restitution", contacted.newton().expect("one"), 0.3, 1e-12);
    }
    // The rates just behind each impact: runs that end there.
    for (t, rates) in known {
        let end = format!("{}", t + 2e-9);
        let ran = rigid("two-pendulums.toml", &[("simulation.end", &end)]);
        for (channel, rate) in ["rod1.omega", "rod2.omega"].into_iter().zip(rates) {
            near(channel, ran.last(channel), rate, 1e-6);
        }
    }
    assert!(ran.outcome.ledger.residual.abs() < 1e-9);
}

/// Dropped from h with restitution e a ball is at rest after √(2h/g) (1 + e)/(1 − e).
#[test]
fn a_ball_comes_to_rest_when_zeno_says() {
    for (e, end) in [(0.5, 3.0), (0.8, 6.0), (0.95, 20.0)] {
        let ran = text(&format!(
            "[simulation]\nend = {end}\ngravity = [0, -9.81]\noutput_step = 0.01\nchannels = [\"ball.y\", \"ball.vy\", \"contact.floor.force\", \"energy.residual\", \"energy.dissipated\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.ball]\nmass = 2\ninertia = 0.01\nposition = [0, 1.1]\nshapes.rim = {{ type = \"circle\", radius = 0.1 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"ball.rim\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = {e}\n"
        ));
        let contacts = &ran.outcome.contacts;
        let last = contacts.last().expect("it lies there");
        assert!(!last.over);
        let rest = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        // What is left out is flights lower than rounding, of 1.5e-7 s and less.
        near("at rest", last.episode.start, rest, 1.5e-7 / (1.0 - e));
        // Every impact on the way returns what was asked for.
        for contact in &contacts[..contacts.len() - 1] {
            near("restitution", contact.newton().expect("one"), e, 1e-9);
        }
        near("height", ran.last("ball.y"), 0.1, 1e-12);
        near("speed", ran.last("ball.vy"), 0.0, 1e-15);
        near("weight", ran.last("contact.floor.force"), 2.0 * 9.81, 1e-9);
        near("heat", ran.last("energy.dissipated"), 2.0 * 9.81, 1e-8);
        near("residual", ran.last("energy.residual"), 0.0, 1e-8);
        println!(
            "e = {e}: at rest at {} s, {} impacts, Zeno {rest} s",
            last.episode.start,
            contacts.len() - 1
        );
    }
}

/// g (sin α − μ cos α) t, or nothing.
#[test]
fn a_block_on_a_slope_sticks_or_slides() {
    for (degrees, mu) in [(20.0_f64, 0.4), (25.0, 0.4), (40.0, 0.4), (30.0, 0.0)] {
        let angle = degrees.to_radians();
        let (sin, cos) = angle.sin_cos();
        let g = [9.81 * sin, -9.81 * cos];
        let ran = text(&format!(
            "[simulation]\nend = 1\ngravity = [{}, {}]\noutput_step = 0.1\nchannels = [\"block.x\", \"block.vx\", \"block.y\", \"block.angle\", \"energy.residual\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.block]\nmass = 2\ninertia = 0.01\nposition = [0, 0.05]\nshapes.box = {{ type = \"rectangle\", width = 0.2, height = 0.1 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"block.box\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0.5\n{}",
            g[0],
            g[1],
            if mu > 0.0 {
                format!("friction = {{ law = \"coulomb\", coefficient = {mu} }}\n")
            } else {
                String::new()
            }
        ));
        let known = (9.81 * (sin - mu * cos)).max(0.0);
        near("speed", ran.last("block.vx"), known, 1e-9);
        near("way", ran.last("block.x"), 0.5 * known, 1e-9);
        near("height", ran.last("block.y"), 0.05, 1e-12);
        near("angle", ran.last("block.angle"), 0.0, 1e-12);
        near("residual", ran.last("energy.residual"), 0.0, 1e-9);
    }
}

/// A disc that is thrown without turning slips for v0/(3 μ g) and then rolls at 2/3 v0.
/// A box of 2 kg on two corners, pushed by a force that grows by 1 N/s: it begins to slide where that is μ m g, at 9.81 s for μ = 0.5, whoever of the two bears how much until then; from there on x = (t − 9.81)³/12.
#[test]
fn a_box_on_two_corners_slides_when_both_together_cannot_hold_it() {
    let box_pushed = |integrator: &str| {
        completed(text(&format!(
            r#"
[simulation]
end = "20 s"
gravity = [0, -9.81]
output_step = "1 s"
channels = ["box.x"]
[solver]
integrator = "{integrator}"
[ground]
shapes.floor = {{ type = "half-plane" }}
[body.box]
mass = 2
inertia = 0.05
position = [0, 0.1]
shapes.s = {{ type = "rectangle", width = 0.6, height = 0.2 }}
[force.push]
type = "point"
at = "box"
force = ["1 N/s*t", "0 N"]
[contact.floor]
between = ["ground.floor", "box.s"]
stiffness = "1e8 N/m^1.5"
restitution = 0.5
friction = {{ law = "coulomb", coefficient = 0.5 }}
"#
        )))
    };
    for integrator in ["auto", "tsit5", "radau"] {
        let ran = box_pushed(integrator);
        let known = (20.0_f64 - 9.81).powi(3) / 12.0;
        near(integrator, ran.outcome.positions[0], known, 1e-8 * known);
        assert!(
            ran.outcome.warnings.is_empty(),
            "{:?}",
            ran.outcome.warnings
        );
    }
}

/// A rod on a pivot strikes a wall; with tan 30° < μ its tip sticks there, and one degree of freedom has none left: no impulse returns it. The blow takes all its energy, m l²/3 ω²/2, and its impulse is finite.
#[test]
fn a_pendulum_that_friction_wedges_stays_and_is_told_of() {
    let ran = completed(text(
        r#"
[simulation]
end = "0.4 s"
gravity = [0, 0]
[ground]
shapes.wall = { type = "half-plane", normal = "180 deg", point = ["1 m*cos(29.965 deg)", 0] }
[body.rod]
mass = 1
shape = { type = "rod", length = 1 }
position = ["0.5 m*cos(29.965 deg+0.3 rad)", "-0.5 m*sin(29.965 deg+0.3 rad)"]
angle = "-29.965 deg-0.3 rad"
angular_velocity = "1.0344 rad/s"
points = { a = [-0.5, 0] }
shapes.tip = { type = "circle", radius = "1e-6 m", center = [0.5, 0] }
[joint]
p1 = { type = "revolute", between = ["ground", "rod.a"] }
[contact.wall]
between = ["ground.wall", "rod.tip"]
law = "flores"
stiffness = "1e8 N/m^1.5"
restitution = 0.5
friction = { law = "coulomb", coefficient = 1.944 }
"#,
    ));
    let outcome = &ran.outcome;
    assert!(
        outcome.warnings.iter().any(|w| w.code == "jammed"),
        "{:?}",
        outcome.warnings
    );
    assert!(!outcome.warnings.iter().any(|w| w.code == "energy-residual"));
    // What the wall gives: the spin ends by its moment about the pivot, P (1 sin − μ-part …); at most ω I over the arm of the normal alone.
    let spin = 1.0344 / 3.0;
    let impulse: f64 = outcome.contacts[0].course.impulse.iter().sum();
    assert!(
        impulse > 0.0 && impulse < spin / 29.965_f64.to_radians().sin(),
        "{impulse}"
    );
    assert!(outcome.velocities[2].abs() < 1e-9);
    let lost: f64 = outcome.ledger.dissipated.iter().map(|d| d.1).sum();
    near("lost", lost, 0.5 * 1.0344_f64.powi(2) / 3.0, 1e-9);
}

#[test]
fn a_disc_slips_and_then_rolls() {
    let (v0, mu) = (3.0, 0.2);
    let ran = text(&format!(
        "[simulation]\nend = 1\ngravity = [0, -9.81]\noutput_step = 0.001\nchannels = [\"disc.vx\", \"disc.omega\", \"energy.residual\", \"contact.floor.friction\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.disc]\nmass = 2\ninertia = 0.01\nposition = [0, 0.1]\nvelocity = [{v0}, 0]\nshapes.rim = {{ type = \"circle\", radius = 0.1 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"disc.rim\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0.5\nfriction = {{ law = \"coulomb\", coefficient = {mu} }}\n"
    ));
    near("speed", ran.last("disc.vx"), 2.0 / 3.0 * v0, 1e-9);
    near(
        "turning",
        ran.last("disc.omega"),
        -2.0 / 3.0 * v0 / 0.1,
        1e-8,
    );
    near(
        "friction at the end",
        ran.last("contact.floor.friction"),
        0.0,
        1e-9,
    );
    near("residual", ran.last("energy.residual"), 0.0, 1e-9);
    let slid = &ran.outcome.contacts[0];
    near(
        "stuck for",
        slid.course.rest,
        1.0 - v0 / (3.0 * mu * 9.81),
        1e-9,
    );
}

/// A driven table y = A sin ωt under a ball leaves it where A ω² sin ωt = g.
#[test]
fn a_ball_is_thrown_by_a_table_where_the_table_falls_faster_than_it() {
    let ran = text(
        "[simulation]\nend = 0.06\ngravity = [0, -9.81]\noutput_step = 0.001\nchannels = [\"ball.y\", \"ball.vy\", \"energy.residual\", \"energy.driver_work\"]\n[body.table]\nmass = 1\ninertia = 1\nposition = [0, 0]\nshapes.top = { type = \"half-plane\" }\n[body.ball]\nmass = 2\ninertia = 0.01\nposition = [0, 0.1]\nvelocity = [0, 0.5]\nshapes.rim = { type = \"circle\", radius = 0.1 }\n[driver.up]\ncoordinate = \"table.y\"\nposition = \"0.01 m*sin(50*t/1 s)\"\n[driver.side]\ncoordinate = \"table.x\"\nposition = 0\n[driver.turn]\ncoordinate = \"table.angle\"\nposition = 0\n[contact.floor]\nbetween = [\"table.top\", \"ball.rim\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0.5\n",
    );
    let leaves = (9.81_f64 / (0.01 * 2500.0)).asin() / 50.0;
    let first = &ran.outcome.contacts[0];
    near("leaves", first.episode.end, leaves, 1e-9);
    let (t, v) = (0.06 - leaves, 0.5 * (50.0 * leaves).cos());
    near("speed", ran.last("ball.vy"), v - 9.81 * t, 1e-8);
    near("residual", ran.last("energy.residual"), 0.0, 1e-9);
}

/// Machado et al. 2012, section 6: the crank mechanism offers the block an effective mass that follows from its geometry, and the two part at the restitution asked for.
#[test]
fn slider_and_block_part_as_the_frozen_mechanism_says() {
    let ran = rigid(
        "slider-crank-block.toml",
        &[("simulation.end", "0.0434456")],
    );
    let one = &ran.outcome.contacts[0];
    near("instant", one.episode.start, 43.445490e-3, 5e-9);
    near("approach", approach(one), 10.761204 + 15.0, 5e-6);
    // Crank, rod and slider as one mass at the slider: their kinetic energy over the square of its speed. All of it follows from the crank's angle.
    let end = format!("{:e}", one.episode.start);
    let there = rigid("slider-crank-block.toml", &[("simulation.end", &end)]);
    let (r, l, theta) = (0.153_f64, 0.306_f64, there.last("crank.angle"));
    let (sin, cos) = theta.sin_cos();
    let beta = (r * sin / l).asin();
    let rod = -r * cos / (l * beta.cos());
    let slider = -r * sin - l * beta.sin() * -rod;
    // The middle of the rod, by the crank's angle.
    let (x, y) = (-r * sin - 0.5 * l * beta.sin() * -rod, 0.5 * r * cos);
    let crank = 7.4e-5 + 0.038 * (0.5 * r).powi(2);
    let turning = crank + 0.076 * (x * x + y * y) + 5.9e-5 * rod * rod + 0.038 * slider * slider;
    let mass = turning / (slider * slider);
    let (m, block) = (mass, 0.190);
    near(
        "effective mass",
        one.episode.mass,
        m * block / (m + block),
        1e-9,
    );
    // Both speeds after, with e = 0.7 and the momentum of that mass and the block.
    let (u, v) = (10.761204, -15.0);
    let impulse = (1.0 + 0.7) * (u - v) * m * block / (m + block);
    near(
        "impulse",
        one.course.impulse.iter().sum(),
        impulse,
        5e-6 * impulse,
    );
    let approach = approach(one);
    let impulse = (1.0 + 0.7) * approach * m * block / (m + block);
    let [before, after] = ends(one.episode.start);
    near("block", after[1] - before[1], impulse / block, 1e-9);
    near("slider", after[0] - before[0], -impulse / m, 1e-9);
}

/// The speeds of slider and block just before and just behind an impact, free of what happens between samples: both fly on as they were but for a few nanoseconds.
fn ends(t: f64) -> [[f64; 2]; 2] {
    let at = |end: f64| {
        let end = format!("{end:e}");
        let ran = rigid("slider-crank-block.toml", &[("simulation.end", &end)]);
        [ran.last("slider.vx"), ran.last("block.vx")]
    };
    [at(t - 1e-13), at(t + 1e-13)]
}

/// With compliance and calibration `exact` the block's speed comes nearer to that without as the contact becomes stiffer: what is left is what the mechanism does while it lasts, in proportion to its time, K^(−2/5).
#[test]
fn compliance_vanishes_with_the_power_of_its_time() {
    let speed = |overrides: &[(&str, &str)]| {
        let mut all = vec![("simulation.end", "0.05"), ("solver.rtol", "1e-11")];
        all.extend(overrides);
        let ran = completed(Ran::of(&model("slider-crank-block.toml", &all)));
        ran.last("block.vx")
    };
    let rigid = speed(&[("method.contact", "piecewise")]);
    let mut last: Option<f64> = None;
    for k in ["9.5e9", "9.5e11", "9.5e13", "9.5e15"] {
        let with = [
            ("contact.impact.calibration", "exact"),
            ("contact.impact.stiffness", k),
        ];
        let off = (speed(&with) - rigid).abs();
        if let Some(last) = last {
            let order = (last / off).log10() / 2.0;
            println!("K = {k}: off by {off:e} m/s, order {order}");
            near("order", order, 0.4, 0.02);
        }
        last = Some(off);
    }
}

/// A thin rod at 45° whose lower tip comes down at 1 m/s and slides at 0.5 m/s over a rough floor, μ = 0.8, e = 0.9: its slip ends on the way, and it sticks. Kane and Levinson (1985) showed that Newton's
/// restitution gains energy in such impacts, and Stronge (1990) that a ratio of works does not.
///
/// By Routh's process, with W_nn = W_tt = 2.5 and W_nt = 1.5 per kg: u_n rises by 2.5 + 0.8 · 1.5 = 3.7 with the impulse until the slip has ended, at 0.5/(1.5 + 0.8 · 2.5) = 1/7 N s, and by
/// 2.5 − 1.5²/2.5 = 1.6 from there on, where friction does no work.
#[test]
fn a_rod_on_a_rough_floor_gains_energy_by_newton_and_by_nobody_else() {
    let slides = 1.0 / 7.0;
    let turn: f64 = -1.0 + 3.7 * slides;
    let across = 0.5 * slides * (-1.0 + turn);
    let rubbed = 0.8 * 0.5 * slides * -0.5;
    // Up to a speed of parting u.
    let energy = |u: f64| across + rubbed + (u * u - turn * turn) / 3.2;
    let compression = slides - turn / 1.6;
    let work = across - turn * turn / 3.2;
    let parting = [
        ("newton", 0.9),
        ("poisson", 1.6 * 0.9 * compression),
        ("stronge", (-work * 0.81 * 3.2).sqrt()),
    ];
    assert!((energy(0.9) - 0.05).abs() < 1e-12);
    for (name, u) in parting {
        let energy = energy(u);
        println!("{name}: parts at {u} m/s, gains {energy} J");
        let h = 0.5 * 0.5_f64.sqrt();
        let ran = text(&format!(
            "restitution = \"{name}\"\n[simulation]\nend = 1e-9\ngravity = [0, 0]\noutput_step = 1e-9\nchannels = [\"rod.vx\", \"rod.vy\", \"energy.dissipated\", \"energy.residual\", \"energy.kinetic\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.rod]\nmass = 1\ninertia = {}\nposition = [0, {}]\nangle = \"45 deg\"\nvelocity = [0.5, -1]\nshapes.tip = {{ type = \"circle\", center = [-0.5, 0], radius = 1e-9 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"rod.tip\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0.9\nfriction = {{ law = \"coulomb\", coefficient = 0.8 }}\n",
            1.0 / 12.0,
            h + 1e-9
        ));
        let gained = ran.last("energy.kinetic") - 0.5 * (0.25 + 1.0);
        near(name, gained, energy, 1e-8);
        near("heat", ran.last("energy.dissipated"), -gained, 1e-12);
        let told = ran
            .outcome
            .warnings
            .iter()
            .any(|w| w.code == "impact-gains-energy");
        assert_eq!(told, name == "newton", "{:?}", ran.outcome.warnings);
    }
}

/// Every model with contacts runs without compliance, or says why it cannot.
#[test]
fn every_model_runs_without_compliance_or_says_why() {
    let mut ran = 0;
    for entry in std::fs::read_dir(built::files::folder()).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        if !name.ends_with(".toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let source = Source {
            folder: built::files::folder(),
            ..Source::new(&name, &text)
        };
        let overrides = [
            ("method.contact".to_string(), "piecewise".to_string()),
            ("solver.max_steps".to_string(), "300000".to_string()),
        ];
        let model = match read(&source, &overrides) {
            Ok(parsed) => parsed.model,
            Err(errors) => {
                // Thousands of grains are for time stepping, and the reader says so.
                assert!(
                    errors.iter().all(|e| !e.hint.is_empty()),
                    "{name}: {errors:?}"
                );
                continue;
            }
        };
        if model.contacts.is_empty()
            && model.limits.is_empty()
            && model.of_grains().next().is_none()
        {
            continue;
        }
        let refused = model.of_grains().next().is_some();
        match carom::system::System::assemble(&model) {
            Err(troubles) => assert!(
                (refused || troubles[0].code == "piecewise-crowd") && !troubles[0].hint.is_empty(),
                "{name}: {troubles:?}"
            ),
            Ok(mut system) => {
                let outcome = system.run(&mut ());
                if let Some(reason) = &outcome.reason
                    && reason.contains("method.contact = \"time-stepping\" is made for many")
                {
                    continue;
                }
                assert_eq!(
                    outcome.status,
                    Status::Completed,
                    "{name}: {:?}",
                    outcome.reason
                );
                let ledger = &outcome.ledger;
                let heat: f64 = ledger.dissipated.iter().map(|(_, heat)| heat.abs()).sum();
                let turned =
                    heat + ledger.kinetic + ledger.driver_work.abs() + ledger.load_work.abs();
                assert!(ledger.residual.abs() <= 1e-6 * turned, "{name}: {ledger:?}");
                for contact in &outcome.contacts {
                    assert!(
                        contact.course.least.is_nan() || contact.course.least >= 0.0,
                        "{name}: {contact:?}"
                    );
                }
                one_touching_is_one_contact(&name, &outcome.contacts);
                ran += 1;
            }
        }
    }
    assert!(ran >= 20, "{ran}");
}

/// Where a contact begins at the instant at which the one before ended, there was a blow between them: what only changes hands is one contact. Slower than 1 mm/s nothing counts as a blow.
fn one_touching_is_one_contact(name: &str, contacts: &[Contacted]) {
    for (i, one) in contacts.iter().enumerate() {
        let same = |c: &&Contacted| c.element == one.element && c.slot == one.slot;
        let Some(next) = contacts[i + 1..].iter().find(same) else {
            continue;
        };
        let apart = next.episode.start - one.episode.end;
        let blow = one.episode.separation.max(next.episode.approach);
        assert!(apart > 1e-9 || blow > 1e-3, "{name}: {one:?} {next:?}");
    }
}

/// Painlevé's rod (1895): thin, leaning at tan θ = 2, its lower tip sliding over a floor so rough that friction drives it into the floor. W_nn/|W_nt| is (1 + 3 cos² θ)/(3 sin θ cos θ) = 4/3 there. Without
/// turning the tip falls at g and no force holds it; turning at ω it is lifted by ω² sin θ/2 · l, and two answers are left.
#[test]
fn a_rod_that_no_force_keeps_from_the_floor_is_told_of_with_its_numbers() {
    let (sin, cos) = (0.8_f64.sqrt(), 0.2_f64.sqrt());
    for (omega, code) in [(0.0, "no-solution"), (6.0, "several-solutions")] {
        for (mu, painleve) in [(1.2, false), (2.0, true)] {
            // Sliding so that friction pushes the foot under the rod.
            let tip = -1.0;
            let (vx, vy) = (tip - omega * 0.5 * sin, omega * 0.5 * cos);
            let ran = text(&format!(
                "[simulation]\nend = 1e-4\ngravity = [0, -9.81]\noutput_step = 1e-4\nchannels = [\"energy.residual\", \"energy.dissipated\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.rod]\nmass = 1\ninertia = {}\nposition = [0, {}]\nangle = {}\nvelocity = [{vx}, {vy}]\nangular_velocity = {omega}\nshapes.tip = {{ type = \"circle\", center = [-0.5, 0], radius = 1e-9 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"rod.tip\"]\nlaw = \"lankarani-nikravesh\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0\nfriction = {{ law = \"coulomb\", coefficient = {mu} }}\n",
                1.0 / 12.0,
                0.5 * sin + 1e-9,
                sin.atan2(cos)
            ));
            let told = ran.outcome.warnings.iter().find(|w| w.code == code);
            assert_eq!(
                told.is_some(),
                painleve,
                "{omega} {mu}: {:?}",
                ran.outcome.warnings
            );
            if let Some(told) = told {
                assert_eq!(told.element.as_deref(), Some("contact.floor"));
                assert!(told.message.contains("1.33333"), "{}", told.message);
                println!("{}", told.message);
            }
            assert!(ran.last("energy.residual").abs() < 1e-9);
            assert!(ran.last("energy.dissipated") >= -1e-12);
        }
    }
}

/// A rod of 1 m and 1 kg in a corner, its foot sliding out on a floor with friction μ, its head held to a smooth wall.
fn ladder(degrees: f64, mu: [f64; 2], rest: &str, more: &str) -> Ran {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let rub = |mu: f64| match mu > 0.0 {
        true => format!("friction = {{ law = \"coulomb\", coefficient = {mu} }}\n"),
        false => String::new(),
    };
    text(&format!(
        "[simulation]\n{rest}channels = [\"rod.angle\", \"rod.omega\", \"contact.f.gap\", \"contact.f.force\", \"energy.residual\"]\n[ground]\nshapes.f = {{ type = \"half-plane\" }}\nshapes.w = {{ type = \"half-plane\", normal = \"0 deg\" }}\n[body.rod]\nmass = 1\ninertia = {}\nposition = [{}, {}]\nangle = {}\nvelocity = [{}, {}]\nangular_velocity = 1\npoints.top = [-0.5, 0]\nshapes.lo = {{ type = \"circle\", radius = 1e-6, center = [0.5, 0] }}\nshapes.hi = {{ type = \"circle\", radius = 1e-6, center = [-0.5, 0] }}\n{more}[contact.f]\nbetween = [\"ground.f\", \"rod.lo\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0.3\n{}[contact.w]\nbetween = [\"ground.w\", \"rod.hi\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0.3\n{}",
        1.0 / 12.0,
        0.5 * cos + 1e-6,
        0.5 * sin + 1e-6,
        -degrees.to_radians(),
        0.5 * sin,
        -0.5 * cos,
        rub(mu[0]),
        rub(mu[1]),
    ))
}

/// With μ = 1.4 and the rod at 60° a unit of force at the foot, with its friction, would drive the foot alone into the floor; the wall beside it leaves one answer all the same. With φ the angle above the floor, from
/// momentum and moment of momentum: φ̈ (1/3 − μ s c/2) = −g c/2 + μ s (g − s φ̇²/2), N = g + (c φ̈ − s φ̇²)/2.
#[test]
fn a_foot_that_its_friction_drives_down_is_borne_where_a_wall_leaves_one_answer() {
    let (g, mu) = (9.81, 1.4);
    let rest = "end = 0.003\noutput_step = 1e-4\n";
    let push = "[force.push]\ntype = \"point\"\nat = \"rod.top\"\nforce = [-50, 0]\n";
    let ran = ladder(60.0, [mu, 0.0], rest, push);
    let columns = ["rod.angle", "rod.omega", "contact.f.force"].map(|name| ran.column(name));
    let [angles, rates, forces] = &columns;
    for ((angle, rate), force) in angles.iter().zip(rates).zip(forces).skip(1) {
        let (s, c) = (-angle).sin_cos();
        let turn =
            (-0.5 * g * c + mu * s * (g - 0.5 * s * rate * rate)) / (1.0 / 3.0 - 0.5 * mu * s * c);
        near(
            "force",
            *force,
            g + 0.5 * (c * turn - s * rate * rate),
            1e-2,
        );
    }
    // It grows as the rod slows down: 83.1 N at the start.
    assert!(
        forces[1] > 83.0 && forces.last() > Some(&88.0),
        "{forces:?}"
    );
    assert!(ran.largest("contact.f.gap") < 1e-9);
    assert!(ran.largest("energy.residual") < 1e-8);
}

/// At 30° with friction of 1.6 at both ends no forces keep the ends out of floor and wall while they slide, though neither end is driven in by its own friction alone: both are struck, and the slip ends.
#[test]
fn a_ladder_that_friction_jams_at_both_ends_is_struck_and_stands() {
    let ran = ladder(30.0, [1.6, 1.6], "end = 0.1\n", "");
    let told = ran
        .outcome
        .warnings
        .iter()
        .find(|w| w.code == "no-solution");
    assert!(told.is_some_and(|w| w.message.contains("1.6")), "{told:?}");
    near("speed", ran.last("rod.omega"), 0.0, 1e-6);
    assert!(ran.largest("contact.f.gap") < 1e-9);
    let heat: f64 = ran.outcome.ledger.dissipated.iter().map(|d| d.1).sum();
    // ½ (1/3) ω² about the point where the rod turns.
    near("heat", heat, 1.0 / 6.0, 1e-3);
}

/// A box that strikes a wall with nothing that presses it there, and gives nothing back, stays where it is.
#[test]
fn a_box_that_gives_nothing_back_stays_at_a_wall_without_any_force() {
    let ran = text(
        "[simulation]\nend = 0.6\ngravity = [0, 0]\nchannels = [\"b.x\", \"b.vx\"]\n[ground]\nshapes.w = { type = \"half-plane\", normal = \"0 deg\" }\n[body.b]\nmass = 1\ninertia = 0.004\nposition = [0.3, 0.1]\nvelocity = [-1, 0]\nshapes.s = { type = \"rectangle\", width = 0.2, height = 0.2 }\n[contact.w]\nbetween = [\"ground.w\", \"b.s\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0\n",
    );
    near("place", ran.last("b.x"), 0.1, 1e-12);
    near("speed", ran.last("b.vx"), 0.0, 1e-12);
}
