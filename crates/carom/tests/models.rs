//! Do the model files that people start from give what is known of them?

mod built;

use std::fs;

use built::files::{Ran, folder, model};
use carom::model::Channel;
use carom::solve::{Flow, Output, Settings, Solver};
use carom_bench::elliptic;

#[test]
fn every_model_runs_and_its_energy_balances() {
    let mut seen = 0;
    for entry in fs::read_dir(folder()).expect("the folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if !name.ends_with(".toml") {
            continue;
        }
        seen += 1;
        // Many bodies for a long time: a part of it, unless all is asked for.
        let part: &[(&str, &str)] = match (std::env::var("CAROM_FULL").is_ok(), &*name) {
            (false, "hopper.toml") => &[("simulation.end", "0.05")],
            (false, "pyramid.toml") => &[("simulation.end", "1")],
            _ => &[],
        };
        let mut model = model(&name, part);
        let energy = Channel::parse("energy.kinetic", &model).expect("every model has it");
        model.simulation.channels.push(energy);
        let ran = Ran::of(&model);
        // What belongs to the laws, their range and the speeds of the papers is said in the models.
        let known = [
            "singular-position",
            "restitution-differs",
            "tension",
            "tension-clamped",
            "slow-touch",
            "validity-speed",
            "validity-speed-unknown",
            "yield",
            "large-contact",
            "conformal",
        ];
        assert!(
            ran.outcome.warnings.iter().all(|w| known.contains(&w.code)),
            "{name}: {:?}",
            ran.outcome.warnings
        );
        let ledger = &ran.outcome.ledger;
        let scale =
            ran.largest("energy.kinetic") + ledger.driver_work.abs() + ledger.load_work.abs();
        // Some seventy fixed steps a contact know energies to about 1e-3, twice as many four times better (seen: 9.4e-4 in the box, 3.3e-4 in the drum, 7.3e-5 there with 5 us).
        let part = match model.of_grains().next() {
            Some(_) => 2e-3,
            None => 1e-6,
        };
        // Of what stands still only the rounding of its height is left.
        let rounding = 1e2 * f64::EPSILON * ledger.gravitational.abs();
        assert!(
            ledger.residual.abs() < part * scale + rounding,
            "{name}: {:e} of {scale:e}",
            ledger.residual
        );
    }
    assert!(seen >= 16, "{seen} models");
}

#[test]
fn the_pendulum_follows_the_elliptic_functions() {
    // From rest at φ₀: φ = 2 asin(k sn(K + ωt)), k = sin(φ₀/2), ω² = 3g/2L for a uniform rod of 1 m.
    let ran = Ran::of(&model("pendulum.toml", &[("solver.rtol", "1e-12")]));
    assert_eq!(ran.degrees, 1);
    let omega = (1.5 * 9.81_f64).sqrt();
    let k = 30_f64.to_radians().sin();
    let quarter = elliptic::complete(k * k);
    for (sample, angle) in ran.samples.iter().zip(ran.column("rod.angle")) {
        let known = 2.0 * (k * elliptic::jacobi(quarter + omega * sample.0, k * k).0).asin();
        let off = angle + core::f64::consts::FRAC_PI_2 - known;
        assert!(off.abs() < 1e-9, "t = {}: {off:e}", sample.0);
    }
    // The period that the file's comment prints.
    let period = 4.0 * quarter / omega;
    assert!((period - 1.757815).abs() < 5e-7, "{period}");
}

#[test]
fn the_double_pendulum_keeps_its_energy_for_a_hundred_seconds() {
    let ran = Ran::of(&model("double-pendulum.toml", &[]));
    // Let go level: at most m g (L/2 + 3L/2) below.
    let turned_over = 9.81 * 2.0;
    assert_eq!(ran.samples.last().expect("samples").0, 100.0);
    assert!(
        ran.largest("energy.residual") / turned_over < 1e-8,
        "{:e}",
        ran.largest("energy.residual")
    );
    assert!(ran.largest("constraints.violation") < 1e-14);
}

/// The extreme of equally spaced samples next to the largest of `y`: where (in steps from the first) and how large, by the parabola of fourth order through five points.
fn extreme(y: &[f64]) -> (f64, f64) {
    let i = (2..y.len() - 2)
        .max_by(|&i, &j| y[i].total_cmp(&y[j]))
        .expect("samples");
    let [a, b, c, d, e] = [y[i - 2], y[i - 1], y[i], y[i + 1], y[i + 2]];
    // Newton's iteration on the derivative of the interpolating polynomial.
    let c1 = (a - 8.0 * b + 8.0 * d - e) / 12.0;
    let c2 = (-a + 16.0 * b - 30.0 * c + 16.0 * d - e) / 24.0;
    let c3 = (-a + 2.0 * b - 2.0 * d + e) / 12.0;
    let c4 = (a - 4.0 * b + 6.0 * c - 4.0 * d + e) / 24.0;
    let mut x = 0.0;
    for _ in 0..20 {
        let slope = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * 4.0 * c4));
        let bend = 2.0 * c2 + x * (6.0 * c3 + x * 12.0 * c4);
        x -= slope / bend;
    }
    (i as f64 + x, c + x * (c1 + x * (c2 + x * (c3 + x * c4))))
}

#[test]
fn the_slider_crank_needs_its_known_extreme_moments() {
    // Closed form of the driven mechanism: +138.624160 N m at 34.969183° and −138.419179 N m at 325.021766°; the second turn of two.
    for analysis in ["dynamic", "inverse-dynamics"] {
        let ran = Ran::of(&model(
            "slider-crank.toml",
            &[
                ("simulation.analysis", analysis),
                ("simulation.output_step", "5 us"),
            ],
        ));
        assert_eq!(ran.degrees, 0);
        let moment = ran.column("driver.motor.moment");
        let degrees_a_sample = 360.0 * 5e-6 / 0.012;
        let second = moment.len() / 2;
        for (sign, value, angle) in [
            (1.0, 138.624_160, 34.969_183),
            (-1.0, -138.419_179, 325.021_766),
        ] {
            let turn: Vec<f64> = moment[second..].iter().map(|m| sign * m).collect();
            let (at, found) = extreme(&turn);
            assert!(
                (sign * found - value).abs() < 1e-6,
                "{analysis}: {}",
                sign * found
            );
            assert!(
                (at * degrees_a_sample - angle).abs() < 1e-6,
                "{analysis}: {}",
                at * degrees_a_sample
            );
        }
    }
}

#[test]
fn the_slider_crank_moves_by_its_closed_form() {
    let (r, l) = (0.05_f64, 0.12_f64);
    let omega = 5000.0 * core::f64::consts::TAU / 60.0;
    for analysis in ["kinematic", "dynamic"] {
        let channels = "[\"slider.x\", \"slider.vx\", \"slider.ax\", \"rod.angle\", \"rod.omega\", \"rod.alpha\"]";
        let ran = Ran::of(&model(
            "slider-crank.toml",
            &[
                ("simulation.analysis", analysis),
                ("simulation.channels", channels),
            ],
        ));
        for (t, values) in &ran.samples {
            let (s, c) = (omega * t).sin_cos();
            let (sin_b, cos_b) = (r * s / l, (1.0 - (r * s / l).powi(2)).sqrt());
            let speed = -omega * r * c / (l * cos_b);
            let turning = (omega * omega - speed * speed) * sin_b / cos_b;
            let known = [
                r * c + l * cos_b,
                -omega * r * s - omega * r * c * sin_b / cos_b,
                -omega * omega * r * c - l * (speed * speed * cos_b - turning * sin_b),
                -sin_b.asin(),
                speed,
                turning,
            ];
            for (found, known) in values.iter().zip(known) {
                let scale = 1.0 + known.abs();
                assert!(
                    (found - known).abs() < 1e-10 * scale,
                    "{analysis}, t = {t}: {found} {known}"
                );
            }
        }
    }
}

#[test]
fn the_four_bar_moves_by_its_closed_form() {
    let (a, b, c, d) = (0.1_f64, 0.25_f64, 0.3_f64, 0.3_f64);
    let ran = Ran::of(&model(
        "four-bar.toml",
        &[("simulation.analysis", "kinematic")],
    ));
    assert_eq!(ran.degrees, 0);
    let (crank, coupler) = (ran.column("crank.angle"), ran.column("coupler.angle"));
    let (rocker, omega) = (ran.column("rocker.angle"), ran.column("rocker.omega"));
    for (i, sample) in ran.samples.iter().enumerate() {
        let theta = 60_f64.to_radians() + core::f64::consts::TAU * sample.0;
        assert!((crank[i] - theta).abs() < 1e-10);
        // The triangle A D B: A is the crank's end, D the rocker's pivot.
        let (ax, ay) = (a * theta.cos(), a * theta.sin());
        let (dx, dy) = (d - ax, -ay);
        let f = dx.hypot(dy);
        let at_d = ((c * c + f * f - b * b) / (2.0 * c * f)).acos();
        // Measured in 0…2π, so that the branch of the arc tangent is not met.
        let rocker_angle = (-dy).atan2(-dx).rem_euclid(core::f64::consts::TAU) - at_d;
        let (bx, by) = (d + c * rocker_angle.cos(), c * rocker_angle.sin());
        let coupler_angle = (by - ay).atan2(bx - ax);
        assert!(
            (rocker[i] - rocker_angle).abs() < 1e-10,
            "t = {}: {} {rocker_angle}",
            sample.0,
            rocker[i]
        );
        assert!((coupler[i] - coupler_angle).abs() < 1e-10);
        // Speeds: the coupler's length does not change.
        let u = [(bx - ax) / b, (by - ay) / b];
        let w = core::f64::consts::TAU;
        let speed_a = [-w * ay, w * ax];
        let across = [-c * rocker_angle.sin(), c * rocker_angle.cos()];
        let known = (u[0] * speed_a[0] + u[1] * speed_a[1]) / (u[0] * across[0] + u[1] * across[1]);
        assert!((omega[i] - known).abs() < 1e-10 * (1.0 + known.abs()));
    }
}

#[test]
fn andrews_squeezer_ends_where_it_is_published_to_end() {
    // Test Set for IVP Solvers, Andrews' squeezing mechanism, reference solution at t = 0.03 s.
    let angles = "[\"K1.angle\", \"K2.angle\", \"K3.angle\", \"K4.angle\", \"K5.angle\", \"K6.angle\", \"K7.angle\", \"K1.omega\", \"K2.omega\", \"K3.omega\", \"K4.omega\", \"K5.omega\", \"K6.omega\", \"K7.omega\"]";
    let ran = Ran::of(&model(
        "andrews-squeezer.toml",
        &[("simulation.channels", angles), ("solver.rtol", "1e-12")],
    ));
    assert_eq!(ran.degrees, 1);
    let q = |i: usize| ran.last(&format!("K{i}.angle"));
    let w = |i: usize| ran.last(&format!("K{i}.omega"));
    let found = [
        (q(1), 0.158_107_711_962_990_4e2),
        (q(2) - q(1), -0.157_563_710_598_429_8e2),
        (q(3), 0.408_222_401_307_310_1e-1),
        (q(4) - q(5), -0.534_730_116_322_694_8),
        (q(5), 0.524_409_965_880_530_4),
        (q(6) - q(7), 0.534_730_116_322_694_8),
        (q(7), 0.104_808_074_104_226_3e1),
        (w(1), 0.113_992_030_215_120_8e4),
        (w(2) - w(1), -0.142_437_929_499_411_1e4),
        (w(3), 0.110_329_122_193_713_4e2),
        (w(4) - w(5), 0.192_933_746_442_138_5e2),
        (w(5), 0.573_569_928_479_080_8),
        (w(6) - w(7), -0.192_933_746_442_138_5e2),
        (w(7), 0.323_179_165_802_695_5),
    ];
    for (i, (found, known)) in found.into_iter().enumerate() {
        assert!(
            (found - known).abs() < 1e-7 * (1.0 + known.abs()),
            "{i}: {found} {known}"
        );
    }
}

/// The one-degree pendulum that N four-bars in a row are; the angle from the upright.
struct Equivalent(f64);

impl Flow for Equivalent {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = self.0 * y[0].sin();
    }
}

#[test]
fn forty_four_bars_go_through_their_singular_positions_as_one_pendulum() {
    // Inertia ((N + 1)/3 + N) m L², moment of gravity ((N + 1)/2 + N) m g L: a Flow of one degree at 1e-13.
    let ran = Ran::of(&model("n-four-bar.toml", &[]));
    assert_eq!(ran.degrees, 1);
    let moment = (41.0 / 2.0 + 40.0) * 9.81;
    let mut flow = Equivalent(moment / (41.0 / 3.0 + 40.0));
    let settings = Settings {
        rtol: 1e-13,
        atol: 1e-15,
        ..Settings::default()
    };
    let mut known = Vec::new();
    let mut y = [0.0, 1.0];
    let mut solver = Solver::new(settings).expect("sound");
    let ended = solver.run_with(&mut flow, 0.0, 20.0, &mut y, Output::Every(0.01), |_, y| {
        known.push([y[0].sin(), y[0].cos()]);
    });
    assert_eq!(ended.status, carom::solve::Status::Completed);
    assert_eq!(known.len(), ran.samples.len());
    let (x, y) = (ran.column("crank0.B.x"), ran.column("crank0.B.y"));
    for (i, known) in known.iter().enumerate() {
        let off = (x[i] - known[0]).abs().max((y[i] - known[1]).abs());
        assert!(off < 1e-6, "t = {}: {off:e}", ran.samples[i].0);
    }
    // Between upright and hanging.
    assert!(ran.largest("energy.residual") < 1e-6 * 2.0 * moment);
}
