//! Do the models that people start from give what is known of them?

use std::f64::consts::{PI, TAU};
use std::fs;
use std::path::Path;

use carom::model::file::{self, Source};
use carom::system::{Observer, Status, System};

/// The samples of a run with the names of its columns.
struct Run {
    names: Vec<String>,
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
    degrees: usize,
}

struct Kept(Vec<f64>, Vec<Vec<f64>>);

impl Observer for Kept {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.0.push(t);
        self.1.push(values.to_vec());
    }
}

impl Run {
    /// Runs a model of the folder with some values set.
    fn of(name: &str, set: &[(&str, &str)]) -> Run {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let text = fs::read_to_string(folder.join(name)).expect("it is there");
        let source = Source {
            name: name.into(),
            text,
            folder,
        };
        let set: Vec<(String, String)> = set
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect();
        let parsed = match file::read(&source, &set) {
            Ok(parsed) => parsed,
            Err(wrong) => panic!("{}", file_errors(&wrong)),
        };
        let mut system = System::assemble(&parsed.model).expect("it can be put together");
        let names = system
            .channels()
            .iter()
            .map(|c| c.name(&parsed.model))
            .collect();
        let mut kept = Kept(Vec::new(), Vec::new());
        let outcome = system.run(&mut kept);
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        Run {
            names,
            times: kept.0,
            rows: kept.1,
            degrees: system.degrees_of_freedom(),
        }
    }

    /// Runs a model to this time, where its last sample is.
    fn until(name: &str, end: &str) -> Run {
        Run::of(
            name,
            &[("simulation.end", end), ("simulation.output_step", end)],
        )
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let column = self.names.iter().position(|n| n == name);
        let column = column.unwrap_or_else(|| panic!("no column {name}"));
        self.rows.iter().map(|row| row[column]).collect()
    }

    fn last(&self, name: &str) -> f64 {
        *self.column(name).last().expect("a sample")
    }
}

fn file_errors(wrong: &[carom::model::Diagnostic]) -> String {
    carom::model::diagnostic::listing(wrong)
}

fn near(found: f64, known: f64, tolerance: f64, what: &str) {
    let error = (found - known).abs();
    assert!(
        error <= tolerance,
        "{what}: {found}, known {known}, error {error:e}"
    );
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The complete elliptic integral of the first kind by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

#[test]
fn the_pendulum_is_back_after_the_time_in_its_comment() {
    let period = 4.0 * (2.0 / (3.0 * 9.81_f64)).sqrt() * elliptic((PI / 6.0).sin());
    near(period, 1.757_815, 1e-6, "the comment");
    // A quarter of a swing on it is fastest: there the angle tells time best.
    for swings in [1.25, 5.25] {
        let end = (swings * period).to_string();
        let run = Run::until("pendulum.toml", &end);
        near(run.last("rod.angle"), -PI / 2.0, 1e-9, "angle");
        // 1/2 J ω² = m g (L/2) (1 − cos 60°) about the pin: ω² = 3 g/(2 L).
        near(
            run.last("rod.omega").abs(),
            (1.5 * 9.81_f64).sqrt(),
            1e-9,
            "omega",
        );
    }
}

#[test]
fn the_double_pendulum_keeps_its_energy() {
    let run = Run::of("double-pendulum.toml", &[]);
    assert_eq!(run.degrees, 2);
    // From level to hanging it could turn 20 J into motion and back.
    let residual = largest(&run.column("energy.residual"));
    assert!(residual < 1e-7, "{residual:e} J");
    assert!(largest(&run.column("constraints.violation")) < 1e-13);
}

#[test]
fn the_slider_crank_needs_the_moments_in_its_comment_and_moves_by_its_closed_form() {
    for (degrees, moment) in [(34.969_183, 138.624_160), (325.021_766, -138.419_179)] {
        // Angle over speed is a time.
        let end = format!("{degrees} deg/(5000 rpm)");
        let run = Run::until("slider-crank.toml", &end);
        near(run.last("driver.motor.moment"), moment, 1e-6, "moment");
    }
    let run = Run::of("slider-crank.toml", &[]);
    assert_eq!(run.rows.len(), 2401);
    let (angles, places) = (run.column("crank.angle"), run.column("slider.x"));
    let moments = run.column("driver.motor.moment");
    for ((&theta, &x), t) in angles.iter().zip(&places).zip(&run.times) {
        near(theta, 5000.0 / 60.0 * TAU * t, 1e-10, "crank");
        let (s, c) = theta.sin_cos();
        let known = 0.05 * c + (0.12_f64 * 0.12 - 0.05 * 0.05 * s * s).sqrt();
        near(x, known, 1e-10, "slider");
    }
    assert!(
        moments
            .iter()
            .all(|m| (-138.419_180..138.624_161).contains(m))
    );
}

#[test]
fn the_four_bar_moves_by_its_closed_form() {
    let run = Run::of("four-bar.toml", &[]);
    let (a, b, c, d) = (0.1, 0.25, 0.3, 0.3_f64);
    let columns = ["crank.angle", "coupler.angle", "rocker.angle"].map(|n| run.column(n));
    for (i, t) in run.times.iter().enumerate() {
        let theta = PI / 3.0 + TAU * t;
        near(columns[0][i], theta, 1e-10, "crank");
        // Two circles meet in the coupler's end B: radius b about the crank's end, c about D; the upper point.
        let [ax, ay] = [a * theta.cos(), a * theta.sin()];
        let [dx, dy] = [d - ax, -ay];
        let far = dx.hypot(dy);
        let along = (b * b - c * c + far * far) / (2.0 * far);
        let across = (b * b - along * along).sqrt();
        let [bx, by] = [
            ax + (along * dx - across * dy) / far,
            ay + (along * dy + across * dx) / far,
        ];
        near(columns[1][i], (by - ay).atan2(bx - ax), 1e-10, "coupler");
        near(columns[2][i], by.atan2(bx - d), 1e-10, "rocker");
    }
}

#[test]
fn andrews_squeezer_ends_where_it_is_published() {
    // Test Set for IVP Solvers, Andrews' squeezing mechanism, reference solution at t = 0.03 s.
    let run = Run::of("andrews-squeezer.toml", &[]);
    let [k1, k2, k3, k4, k5, k6, k7] =
        ["K1", "K2", "K3", "K4", "K5", "K6", "K7"].map(|k| run.last(&format!("{k}.angle")));
    near(k1, 15.810_771_196_299, 1e-7, "beta");
    near(k2 - k1, -15.756_371_059_843, 1e-7, "Theta");
    near(k3, 0.040_822_240_130_731, 1e-7, "gamma");
    near(k4 - k5, -0.534_730_116_322_694_8, 1e-7, "Phi");
    near(k5, 0.524_409_965_880_530_4, 1e-7, "delta");
    near(k6 - k7, 0.534_730_116_322_694_8, 1e-7, "Omega");
    near(k7, 1.048_080_741_042_263, 1e-7, "epsilon");
}

#[test]
fn forty_four_bars_move_as_one_pendulum() {
    let run = Run::of("n-four-bar.toml", &[]);
    assert_eq!(run.degrees, 1);
    // ((N + 1)/3 + N) φ̈ = ((N + 1)/2 + N) g sin φ, φ from straight up; by the classical Runge–Kutta method with steps far shorter than it needs.
    let n = 40.0;
    let factor = ((n + 1.0) / 2.0 + n) * 9.81 / ((n + 1.0) / 3.0 + n);
    let rate = |[phi, omega]: [f64; 2]| [omega, factor * phi.sin()];
    let (mut y, steps) = ([0.0_f64, 1.0], 200);
    let h = 0.01 / f64::from(steps);
    let (xs, ys) = (run.column("crank0.B.x"), run.column("crank0.B.y"));
    assert_eq!(xs.len(), 2001);
    for (i, (&x, &height)) in xs.iter().zip(&ys).enumerate() {
        near(run.times[i], 0.01 * i as f64, 1e-12, "time");
        near(x, y[0].sin(), 1e-6, "B0 in x");
        near(height, y[0].cos(), 1e-6, "B0 in y");
        for _ in 0..steps {
            let add = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
            let k1 = rate(y);
            let k2 = rate(add(k1, 0.5 * h));
            let k3 = rate(add(k2, 0.5 * h));
            let k4 = rate(add(k3, h));
            for j in 0..2 {
                y[j] += h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
            }
        }
    }
    // Kinetic and potential energy go up to some 1200 J.
    let most = largest(&run.column("energy.kinetic"));
    let residual = largest(&run.column("energy.residual"));
    assert!(residual < 1e-6 * most, "{residual:e} of {most} J");
}

#[test]
fn the_ball_bounces_as_its_law_says() {
    let run = Run::of("bouncing-ball.toml", &[]);
    assert_eq!(run.degrees, 3);
    // Speed after over before for 1 + h δ̇/v (Marhefka and Orin 1999): ln((1 + h)/(1 − h e)) = h (1 + e), here h = 0.3; the weight takes part for 4 ms, which is seen in the third digit.
    let (v, h): (f64, f64) = (
        (2.0 * 9.81 * 0.9_f64).sqrt(),
        0.0714 * (2.0 * 9.81 * 0.9_f64).sqrt(),
    );
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let e = 0.5 * (low + high);
        let above = ((1.0 + h) / (1.0 - h * e)).ln() > h * (1.0 + e);
        *(if above { &mut high } else { &mut low }) = e;
    }
    // Until the second touch, at about 1.15 s.
    let speeds = run.column("ball.vy");
    let first = run.times.iter().zip(&speeds).filter(|(t, _)| **t < 1.0);
    let fastest = first.fold(0.0, |m: f64, (_, v)| m.max(*v));
    near(fastest / v, low, 0.01, "restitution");
    assert!(largest(&run.column("energy.residual")) < 1e-6);
}
