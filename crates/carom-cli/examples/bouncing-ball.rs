//! What does the integrator do with a ball that bounces for ten seconds?
//!
//! A ball of 1 kg is released with its lowest point 1 m above a floor. In contact the force is that of Hunt and Crossley (1975), F = K δⁿ + χ δⁿ δ̇, with
//! χ = 3/2 (1 − cr) K / v₀ and the approach speed v₀ taken anew at every touch. Each touch and each separation is located and the integration starts afresh there.
//! The dissipated energy is integrated along, so that the ledger of energies can be checked against what the ball had at the start.
//!
//! Usage: `cargo run --release --example bouncing-ball [-- FOLDER]`. Writes `bouncing-ball.svg` and `bouncing-ball.png`.

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use carom::math::{powf, sqrt};
use carom::report::plot::{Axis, Chart, Panel, Stack};
use carom::solve::{
    Accepted, Action, Clock, Fired, Flow, Integrator, Output, Phase, Settings, Solver, Status,
    Watch,
};

const MASS: f64 = 1.0; // kg
const STIFFNESS: f64 = 1.4e8; // N/m^1.5
const EXPONENT: f64 = 1.5;
const RESTITUTION: f64 = 0.9;
const GRAVITY: f64 = 9.81; // m/s²
const HEIGHT: f64 = 1.0; // m
const END: f64 = 10.0; // s
const RTOL: f64 = 1e-8;

/// The state is (gap, velocity upwards, energy dissipated so far); the only guard is the gap.
#[derive(Default)]
struct Ball {
    /// The approach speed of the contact under way.
    contact: Option<f64>,
    /// When each touch happened, and how fast the ball was.
    touches: Vec<(f64, f64)>,
    /// Every accepted point, for the pictures.
    path: Vec<(f64, [f64; 3])>,
}

impl Flow for Ball {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let (elastic, damping) = match self.contact {
            Some(v0) => forces(y[0], y[1], v0),
            None => (0.0, 0.0),
        };
        dydt[0] = y[1];
        dydt[1] = (elastic + damping) / MASS - GRAVITY;
        // The damping force times the rate of indentation, −y[1].
        dydt[2] = -damping * y[1];
    }

    fn guard_count(&self) -> usize {
        1
    }

    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }

    fn event(&mut self, t: f64, y: &mut [f64], _fired: &Fired<'_>) -> Action {
        // The gap is zero here by definition; what is left of it is rounding.
        y[0] = 0.0;
        if self.contact.take().is_some() {
            return Action::Restart { first_step: None };
        }
        let v0 = -y[1];
        self.contact = Some(v0);
        self.touches.push((t, v0));
        Action::Restart {
            first_step: Some(contact_time(v0) / 100.0),
        }
    }

    fn accept(&mut self, t: f64, y: &mut [f64]) -> Accepted {
        self.path.push((t, [y[0], y[1], y[2]]));
        Accepted::Unchanged
    }

    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        // In contact the scales are those of the indentation, not of the height, and they alone set the tolerance.
        let (length, speed) = match self.contact {
            Some(v0) => (hertz_depth(v0), v0),
            None => (HEIGHT, sqrt(2.0 * GRAVITY * HEIGHT)),
        };
        phase.atol[0] = RTOL * length;
        phase.atol[1] = RTOL * speed;
        phase.atol[2] = RTOL * 0.5 * MASS * speed * speed;
        match self.contact {
            Some(_) => {
                phase.watch[0] = Watch::Rising;
                phase.rtol.fill(0.0);
                phase.clock = Clock::SquareRoot;
            }
            None => {
                phase.watch[0] = Watch::Falling;
                phase.rtol.fill(RTOL);
                phase.clock = Clock::Time;
            }
        }
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(["gap", "velocity", "dissipated energy"][i.min(2)])
    }
}

/// The elastic and the damping part of the contact force.
fn forces(gap: f64, velocity: f64, v0: f64) -> (f64, f64) {
    let elastic = STIFFNESS * powf((-gap).max(0.0), EXPONENT);
    (
        elastic,
        -elastic * 1.5 * (1.0 - RESTITUTION) * velocity / v0,
    )
}

/// The deepest indentation of an elastic impact: m v₀²/2 = 2/5 K δ^(5/2) (Hertz 1881).
fn hertz_depth(v0: f64) -> f64 {
    powf(5.0 * MASS * v0 * v0 / (4.0 * STIFFNESS), 0.4)
}

/// How long an elastic impact lasts: 2.943 δ/v₀ (Hertz 1881).
fn contact_time(v0: f64) -> f64 {
    2.943 * hertz_depth(v0) / v0
}

/// Kinetic, gravitational, elastic and dissipated energy.
fn energies(y: &[f64; 3]) -> [f64; 4] {
    let elastic = STIFFNESS * powf((-y[0]).max(0.0), EXPONENT + 1.0) / (EXPONENT + 1.0);
    [
        0.5 * MASS * y[1] * y[1],
        MASS * GRAVITY * y[0],
        elastic,
        y[2],
    ]
}

fn main() -> ExitCode {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    match run(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bouncing-ball: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;

    // Where the picture wants points: every 10 ms, and 400 over the first contact, whose beginning is known from free fall.
    let first_speed = sqrt(2.0 * GRAVITY * HEIGHT);
    let first_touch = first_speed / GRAVITY;
    let window = 1.1 * contact_time(first_speed);
    let mut times: Vec<f64> = (0..=1000).map(|i| END * f64::from(i) / 1000.0).collect();
    times.extend((0..=400).map(|i| first_touch + window * f64::from(i) / 400.0));
    times.sort_by(f64::total_cmp);

    let mut ball = Ball::default();
    let mut y = [HEIGHT, 0.0, 0.0];
    let mut samples: Vec<(f64, [f64; 3])> = Vec::new();
    let mut solver = Solver::new(Settings {
        integrator: Integrator::Dop853,
        rtol: RTOL,
        ..Settings::default()
    })
    .map_err(|faults| {
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        said.join("; ")
    })?;
    let end = solver.run_with(&mut ball, 0.0, END, &mut y, Output::At(&times), |t, y| {
        samples.push((t, [y[0], y[1], y[2]]));
    });
    if let Status::Failed(failure) = end.status {
        return Err(failure.into());
    }

    let start: f64 = energies(&[HEIGHT, 0.0, 0.0]).iter().sum();
    let residual = start - energies(&y).iter().sum::<f64>();
    let statistics = end.statistics;
    println!("touches                {}", ball.touches.len());
    if let Some((t, v0)) = ball.touches.get(39) {
        println!("40th touch             {t:.8} s, at {v0:.4} m/s");
    }
    if let Some((t, v0)) = ball.touches.last() {
        println!("last touch             {t:.8} s, at {v0:.4} m/s");
    }
    let rests = if ball.contact.is_some() {
        "in contact"
    } else {
        "in flight"
    };
    println!(
        "after {END} s             {rests}, indentation {:.3} µm",
        -y[0] * 1e6
    );
    println!("energy residual        {residual:.1e} J of {start:.2} J");
    println!("evaluations            {}", statistics.rhs_evaluations);
    println!(
        "steps                  {} accepted, {} rejected",
        statistics.steps_accepted, statistics.steps_rejected
    );

    let chart = draw(&ball, samples, start, first_touch + window);
    for (name, written) in [
        (
            "bouncing-ball.svg",
            chart.write_svg(folder.join("bouncing-ball.svg")),
        ),
        (
            "bouncing-ball.png",
            chart.write_png(folder.join("bouncing-ball.png")),
        ),
    ] {
        written?;
        println!("picture                {}", folder.join(name).display());
    }
    Ok(())
}

fn draw(ball: &Ball, samples: Vec<(f64, [f64; 3])>, start: f64, first_end: f64) -> Chart {
    // The first contact, from the moment of touch until the gap opens again.
    let (touch, v0) = ball.touches.first().copied().unwrap_or((f64::NAN, 1.0));
    let first: Vec<[f64; 3]> = samples
        .iter()
        .filter(|(t, y)| *t >= touch && *t < first_end && y[0] <= 0.0)
        .map(|(_, y)| *y)
        .collect();
    let whole = first.iter().map(|y| {
        let (elastic, damping) = forces(y[0], y[1], v0);
        (-y[0], elastic + damping)
    });
    // The elastic part comes back on its own way: one half of it is enough.
    let elastic = first
        .iter()
        .filter(|y| y[1] <= 0.0)
        .map(|y| (-y[0], forces(y[0], y[1], v0).0));

    // Requested points make the flights smooth; accepted steps show what happens inside the contacts.
    let mut path = samples.clone();
    path.extend(&ball.path);
    path.sort_by(|a, b| a.0.total_cmp(&b.0));
    let energy = |i: usize| path.iter().map(move |(t, y)| (*t, energies(y)[i]));

    Chart::new("A bouncing ball: Hunt–Crossley contact, restitution 0.9")
        .stack(
            Stack::new(Axis::new("time", "s"))
                .panel(
                    Panel::new(Axis::new("height", "m"))
                        .line("lowest point", path.iter().map(|(t, y)| (*t, y[0])))
                        .points("touch", ball.touches.iter().map(|(t, _)| (*t, 0.0))),
                )
                .panel(
                    Panel::new(Axis::new("energy", "J"))
                        .line("kinetic", energy(0))
                        .line("gravitational", energy(1))
                        .line("elastic", energy(2))
                        .line("dissipated", energy(3)),
                )
                .panel(
                    Panel::new(Axis::new("energy residual", "J")).line(
                        "start − sum of all",
                        path.iter()
                            .map(|(t, y)| (*t, start - energies(y).iter().sum::<f64>())),
                    ),
                ),
        )
        .stack(
            Stack::new(Axis::new("indentation during the first contact", "m")).panel(
                Panel::new(Axis::new("force", "N"))
                    .line("contact force", whole)
                    .line("elastic part", elastic),
            ),
        )
}
