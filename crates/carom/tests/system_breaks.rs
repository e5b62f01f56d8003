//! Does the integrator see jumps, corners and short pulses of functions of time, and start afresh there?

mod built;

use carom::model::file::{Parsed, Source, read};
use carom::system::{Outcome, Status};

/// A rotor of 0.05 kg m² on a pin, with a moment; `more` goes on in the table of its moment and behind.
fn rotor(moment: &str, solver: &str, control: &str, more: &str) -> Parsed {
    let text = format!(
        r#"
format = 1
[simulation]
end = "1 s"
output_step = "30 ms"
gravity = [0, 0]
channels = ["rotor.angle", "rotor.omega"]
[solver]
{solver}
[constraints]
control = "{control}"
[body.rotor]
mass = 2
inertia = 0.05
[joint.pin]
type = "revolute"
between = ["ground", "rotor"]
[force.motor]
type = "moment"
on = "rotor"
moment = "{moment}"
{more}
"#
    );
    match read(&Source::new("rotor.toml", text), &[]) {
        Ok(parsed) => parsed,
        Err(errors) => panic!("{errors:?}"),
    }
}

fn run(parsed: &Parsed) -> (Outcome, built::Samples) {
    let (outcome, samples, _) = built::run_system(&parsed.model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    (outcome, samples)
}

const PULSE: &str = "5 N m*(step(t - 0.5 s) - step(t - 0.501 s))";

#[test]
fn a_short_pulse_gives_its_whole_momentum_whatever_the_method() {
    for integrator in ["auto", "dop853", "tsit5", "adams", "radau", "bdf"] {
        for control in ["projection", "none"] {
            let mut solver = format!("integrator = \"{integrator}\"\nrtol = 1e-10");
            if integrator == "bdf" {
                // It begins with first order, and nobody looks after works unless told to.
                solver += "\natol = { energy = 1e-13 }";
            }
            let parsed = rotor(PULSE, &solver, control, "");
            assert_eq!(parsed.model.breaks, [0.5, 0.501]);
            let (outcome, _) = run(&parsed);
            // 5 N m · 1 ms / 0.05 kg m², and half of 0.05 kg m² (0.1 rad/s)².
            let [omega, kinetic] = [outcome.velocities[2], outcome.ledger.kinetic];
            assert!((omega - 0.1).abs() < 1e-9, "{integrator} {control} {omega}");
            assert!((kinetic - 2.5e-4).abs() < 1e-11, "{integrator} {control}");
            // 0.1 rad/s · (1 − 0.5005) s.
            let angle = outcome.positions[2];
            assert!(
                (angle - 0.04995).abs() < 1e-9,
                "{integrator} {control} {angle}"
            );
            let residual = outcome.ledger.residual;
            assert!(
                residual.abs() < 1e-10,
                "{integrator} {control} {residual:e}"
            );
        }
    }
}

#[test]
fn a_fixed_step_lands_on_the_jumps_too() {
    for integrator in ["rk4", "verlet"] {
        let solver = format!("integrator = \"{integrator}\"\nstep = \"7 ms\"");
        let (outcome, _) = run(&rotor(PULSE, &solver, "projection", ""));
        assert!((outcome.velocities[2] - 0.1).abs() < 1e-12, "{integrator}");
        let residual = outcome.ledger.residual;
        assert!(residual.abs() < 1e-15, "{integrator} {residual:e}");
    }
}

#[test]
fn a_square_wave_and_a_rectified_sine_have_their_closed_form() {
    // Over 1 s a wave of 50 Hz has 50 whole periods; it ends at rest, having swung between 0 and 0.01 s · 1 N m / 0.05 kg m² all the time: 0.1 rad/s · 1 s in the mean.
    let square = "1 N m*sign(sin(2*pi*50 Hz*t))";
    let (outcome, samples) = run(&rotor(square, "rtol = 1e-10", "projection", ""));
    assert!(outcome.velocities[2].abs() < 1e-9);
    assert!((outcome.positions[2] - 0.1).abs() < 1e-9);
    for (t, values) in &samples {
        // A triangle of 20 ms.
        let phase = (t / 0.02).fract();
        let triangle = 0.2
            * if phase < 0.5 {
                2.0 * phase
            } else {
                2.0 - 2.0 * phase
            };
        assert!((values[1] - triangle).abs() < 1e-9, "{t} {values:?}");
    }
    // ∫₀¹ |sin 2π5t| dt = 2/π.
    let rectified = "1 N m*abs(sin(2*pi*5 Hz*t))";
    let parsed = rotor(rectified, "rtol = 1e-10", "projection", "");
    let inner = parsed
        .model
        .breaks
        .iter()
        .filter(|t| **t > 1e-9 && **t < 1.0 - 1e-9);
    assert_eq!(inner.count(), 9);
    let (outcome, _) = run(&parsed);
    let omega = 20.0 * 2.0 / core::f64::consts::PI;
    assert!((outcome.velocities[2] - omega).abs() < 1e-9);
}

#[test]
fn a_short_smooth_peak_is_not_stepped_over() {
    // ∫ exp(−(t − 0.5)²/(2 σ²)) dt = σ √(2π): 0.1 rad/s after 5 N m of σ = 0.4 ms.
    let sigma = 0.005 / (5.0 * core::f64::consts::TAU.sqrt());
    let peak = format!("5 N m*exp(-0.5*((t - 0.5123 s)/({sigma} s))^2)");
    for integrator in ["dop853", "tsit5", "adams", "radau"] {
        let solver = format!("integrator = \"{integrator}\"\nrtol = 1e-10");
        let parsed = rotor(&peak, &solver, "projection", "");
        assert_eq!(parsed.model.breaks.len(), 2);
        let (outcome, _) = run(&parsed);
        let omega = outcome.velocities[2];
        assert!((omega - 0.1).abs() < 1e-8, "{integrator} {omega}");
    }
    // What bends everywhere has no peaks.
    for periods in [1, 3, 10, 14, 15, 16, 20, 30, 64, 100, 300, 900, 1000, 1999] {
        for wave in ["sin", "cos"] {
            let smooth = format!("1 N m*{wave}(2*pi*{periods} Hz*t)");
            let parsed = rotor(&smooth, "", "projection", "");
            assert_eq!(parsed.model.breaks, [0.0; 0], "{smooth}");
        }
    }
}

#[test]
fn a_jump_that_is_known_costs_no_rejected_steps() {
    let parsed = rotor(
        "1 N m*(1 + step(t - 0.4321 s))*cos(3*t/(1 s))",
        "rtol = 1e-9",
        "projection",
        "",
    );
    let (known, with) = run(&parsed);
    let mut blind = parsed;
    blind.model.breaks.clear();
    let (searched, without) = run(&blind);
    let costs = [known, searched].map(|outcome| outcome.statistics);
    println!("{costs:?}");
    assert!(costs[0].steps_rejected + 5 < costs[1].steps_rejected);
    assert!(costs[0].rhs_evaluations < costs[1].rhs_evaluations);
    let times = |samples: &[(f64, Vec<f64>)]| samples.iter().map(|s| s.0).collect::<Vec<_>>();
    assert_eq!(times(&with), times(&without));
}

#[test]
fn samples_are_where_they_were_however_many_breaks_there_are() {
    let mut parsed = rotor("1 N m*cos(3*t/(1 s))", "", "projection", "");
    assert!(parsed.model.breaks.is_empty());
    let (_, plain) = run(&parsed);
    // On samples, between them, at the ends, twice, beyond, next to each other and in no order.
    let near = 0.3_f64;
    parsed.model.breaks = vec![
        0.9,
        0.03,
        0.06,
        0.045,
        0.0,
        1.0,
        2.0,
        -1.0,
        near,
        near,
        near.next_up(),
        near.next_down(),
        f64::NAN,
        f64::MIN_POSITIVE,
        1.0_f64.next_down(),
        0.99,
        0.97,
        0.971,
        f64::INFINITY,
    ];
    let (_, broken) = run(&parsed);
    assert_eq!(plain.len(), 35);
    assert_eq!(plain.len(), broken.len());
    for (a, b) in plain.iter().zip(&broken) {
        assert_eq!(a.0, b.0);
        assert!((a.1[1] - b.1[1]).abs() < 1e-7, "{a:?} {b:?}");
    }
}

#[test]
fn too_many_jumps_are_told_and_not_followed() {
    let parsed = rotor("1e-9 N m*sign(sin(2*pi*500 kHz*t))", "", "projection", "");
    assert!(parsed.model.breaks.is_empty());
    let [warning] = &parsed.warnings[..] else {
        panic!("{:?}", parsed.warnings)
    };
    assert!(
        warning.message.contains("more than 10 000 times"),
        "{warning:?}"
    );
    assert!(warning.hint.contains("max_step"));
}

#[test]
fn jumps_are_found_beside_states_of_the_motion() {
    let parsed = rotor(
        "-1 N m s*rotor.omega*step(t - 0.25 s) + 1 N m*step(rotor.angle)",
        "rtol = 1e-10",
        "projection",
        "",
    );
    assert_eq!(parsed.model.breaks, [0.25]);
    let (outcome, _) = run(&parsed);
    // 20 rad/s² up to 0.25 s; then ω′ = 20 (1 − ω), from 5 rad/s on.
    let omega = 1.0 + 4.0 * (-20.0_f64 * 0.75).exp();
    assert!((outcome.velocities[2] - omega).abs() < 1e-8);
}

#[test]
fn a_driver_whose_speed_jumps_strikes_and_its_work_is_booked() {
    // A triangle of 0.5 s: the speed jumps from 2 to −2 rad/s and back, the energy is the same before and after.
    // From rest, the pin is at the driver's speed from assembly on.
    for (position, end) in [
        ("1 rad*abs(2*t/(1 s) - 1)", 2.0),
        ("1 rad*max(0, 4*t/(1 s) - 2)", 4.0),
        ("1 rad*smoothstep(t, 0.2 s, 0.7 s)", 0.0),
    ] {
        let more = format!("[driver.crank]\njoint = \"pin\"\nposition = \"{position}\"\n");
        for solver in ["rtol = 1e-10", "integrator = \"verlet\"\nstep = \"1 ms\""] {
            let (outcome, _) = run(&rotor(
                "0.3 N m*cos(5*t/(1 s))",
                solver,
                "projection",
                &more,
            ));
            assert!((outcome.velocities[2] - end).abs() < 1e-9, "{position}");
            let residual = outcome.ledger.residual;
            let limit = if solver.contains("verlet") {
                1e-6
            } else {
                1e-10
            };
            assert!(residual.abs() < limit, "{position} {solver} {residual:e}");
            assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
        }
    }
}
