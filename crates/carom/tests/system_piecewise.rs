//! Do bodies without compliance strike, rest, slide and part as closed forms say?

mod built;

use built::files::{Ran, model};
use carom::model::{Source, read};
use carom::system::{Contacted, Status};

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
            "[simulation]\nend = 1\ngravity = [{}, {}]\noutput_step = 0.1\nchannels = [\"block.x\", \"block.vx\", \"block.y\", \"block.angle\", \"energy.residual\", \"contact.floor.force\", \"contact.floor.friction\"]\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.block]\nmass = 2\ninertia = 0.01\nposition = [0, 0.05]\nshapes.box = {{ type = \"rectangle\", width = 0.2, height = 0.1 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"block.box\"]\nlaw = \"flores\"\nstiffness = 1e9\nexponent = 1.5\nrestitution = 0.5\n{}",
            g[0],
            g[1],
            if mu > 0.0 {
                format!("friction = {{ law = \"coulomb\", coefficient = {mu} }}\n")
            } else {
                String::new()
            }
        ));
        let known = (9.81 * (sin - mu * cos)).max(0.0);
        println!("{:?}", ran.samples);
        println!(
            "{degrees} {mu}: {:?}",
            ran.outcome
                .contacts
                .iter()
                .map(|c| (c.episode, c.slot, c.over))
                .collect::<Vec<_>>()
        );
        near("speed", ran.last("block.vx"), known, 1e-9);
        near("way", ran.last("block.x"), 0.5 * known, 1e-9);
        near("height", ran.last("block.y"), 0.05, 1e-12);
        near("angle", ran.last("block.angle"), 0.0, 1e-12);
        near("residual", ran.last("energy.residual"), 0.0, 1e-9);
    }
}

/// A disc that is thrown without turning slips for v0/(3 μ g) and then rolls at 2/3 v0.
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
    let crank = ran.last("crank.angle");
    println!("{crank} {} {}", one.episode.mass, ran.last("slider.vx"));
}
