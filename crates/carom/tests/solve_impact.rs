//! What an impact costs and how exact it is: one Hunt–Crossley contact, a ball that bounces for ten seconds, and a slider-crank that hits a block. The numbers to reach come from
//! quadratures and closed forms (see the problems' pages); the evaluations are counted, so that lost efficiency fails like a bug.

use carom::solve::{Clock, Integrator, Settings, Solver, Status, Touch};
use carom_bench::impact::{Ball, Impact};
use carom_bench::slider_crank::SliderCrank;
use carom_bench::{Hybrid, Problem};

fn settings(integrator: Integrator) -> Settings {
    Settings {
        integrator,
        rtol: 1e-8,
        atol: 1e-8,
        ..Settings::default()
    }
}

/// Evaluations, relative error of the exit speed and of the contact time, with a first step of this many times the one suggested.
fn impact(integrator: Integrator, clock: Clock, first: f64) -> (u64, f64, f64) {
    let mut problem = Impact::default();
    problem.clock = clock;
    let mut y = problem.start();
    let end = problem.end();
    let settings = Settings {
        first_step: problem.first_step().map(|step| first * step),
        ..settings(integrator)
    };
    let ended = Solver::new(settings)
        .expect("sound")
        .run(&mut problem, 0.0, end, &mut y);
    assert_eq!(ended.status, Status::Stopped);
    (
        ended.statistics.rhs_evaluations,
        y[1].abs() / 0.23039993672354284 - 1.0,
        ended.t / 1.5680661889269e-4 - 1.0,
    )
}

#[test]
fn an_impact_costs_what_it_should_and_returns_the_right_speed() {
    for (integrator, most) in [
        (Integrator::Dop853, 300),
        (Integrator::Adams, 200),
        (Integrator::Tsit5, 330),
    ] {
        let (evaluations, speed, time) = impact(integrator, Clock::Time, 1.0);
        println!(
            "{integrator:?}: {evaluations} evaluations, exit speed {speed:+.1e}, contact time {time:+.1e}"
        );
        assert!(
            speed.abs() < 1e-7,
            "{integrator:?}: exit speed off by {speed:e}"
        );
        assert!(
            time.abs() < 1e-7,
            "{integrator:?}: contact time off by {time:e}"
        );
        assert!(
            evaluations <= most,
            "{integrator:?}: {evaluations} evaluations"
        );
    }
}

#[test]
fn the_root_of_time_as_variable_makes_an_impact_exact_whatever_the_first_step() {
    // In time the force starts like t^(3/2), and the first step makes most of the error; in the root of time it is smooth.
    let worst = |clock| {
        let runs = [8.0, 4.0, 2.0, 1.0, 0.5].map(|first| impact(Integrator::Dop853, clock, first));
        let most = runs.iter().map(|run| run.0).max().unwrap_or(0);
        let speed = runs.iter().fold(0.0_f64, |most, run| most.max(run.1.abs()));
        let time = runs.iter().fold(0.0_f64, |most, run| most.max(run.2.abs()));
        println!(
            "{clock:?}: at most {most} evaluations, exit speed {speed:.1e}, contact time {time:.1e}"
        );
        (most, speed, time)
    };
    let (plain, rooted) = (worst(Clock::Time), worst(Clock::SquareRoot));
    assert!(rooted.0 <= 300 && plain.0 <= 300);
    assert!(
        rooted.2 < 0.2 * plain.2,
        "contact time: {:e} against {:e}",
        rooted.2,
        plain.2
    );
}

#[test]
fn a_ball_bounces_fifty_times_in_ten_seconds_and_stays() {
    for (integrator, clock) in [
        (Integrator::Dop853, Clock::Time),
        (Integrator::Dop853, Clock::SquareRoot),
        (Integrator::Tsit5, Clock::Time),
        (Integrator::Adams, Clock::Time),
        (Integrator::Auto, Clock::Time),
    ] {
        let mut ball = Ball::default();
        ball.contact_clock = clock;
        let mut y = ball.start();
        let end = ball.end();
        let ended = Solver::new(settings(integrator))
            .expect("sound")
            .run(&mut ball, 0.0, end, &mut y);
        assert_eq!(ended.status, Status::Completed);
        let fortieth = ball.touches[39] / 9.24596180 - 1.0;
        println!(
            "{integrator:?} {clock:?}: {} touches, 40th {fortieth:+.1e}, {:?}",
            ball.touches.len(),
            ended.statistics
        );
        assert_eq!(ball.touches.len(), 50);
        assert!(ball.in_contact(), "the last touch is permanent");
        assert!(
            (y[0] / ball.resting_height() - 1.0).abs() < 1e-3,
            "{} at the end",
            y[0]
        );
        assert!(
            fortieth.abs() < 1e-6,
            "{integrator:?}: 40th touch off by {fortieth:e}"
        );
        assert!(
            ended.statistics.rhs_evaluations <= 20_000,
            "{integrator:?}: {:?}",
            ended.statistics
        );
    }
}

/// Runs the slider-crank and gives the error of the block's speed after the first contact and the evaluations.
fn slider_crank(touch: Touch, integrator: Integrator, rtol: f64) -> (f64, u64) {
    let mut mechanism = SliderCrank::lankarani_nikravesh(0.7);
    mechanism.unlatched = touch != Touch::Located;
    let mut y = mechanism.start();
    // Between the two contacts the block moves freely.
    let ended = Solver::new(Settings {
        touch,
        rtol,
        atol: rtol,
        ..settings(integrator)
    })
    .expect("sound")
    .run(&mut mechanism, 0.0, 0.06, &mut y);
    assert_eq!(ended.status, Status::Completed, "{touch:?}");
    (
        (y[3] - SliderCrank::AFTER_FIRST[1]).abs(),
        ended.statistics.rhs_evaluations,
    )
}

#[test]
fn a_root_on_dense_output_is_cheapest_and_exact_and_halving_is_better_than_none() {
    // One tolerance alone may have a lucky sign: the geometric mean of the errors and the sum of the evaluations over nine of them.
    let over_all = |touch| {
        let (mut logarithms, mut evaluations) = (0.0, 0);
        for k in 0..9 {
            let run = slider_crank(
                touch,
                Integrator::Tsit5,
                1e-5 / f64::powf(10.0, 0.5 * f64::from(k)),
            );
            logarithms += run.0.ln() / 9.0;
            evaluations += run.1;
        }
        (f64::exp(logarithms), evaluations)
    };
    let none = over_all(Touch::SignChange);
    let halving = over_all(Touch::PenetrationTolerance(1e-6));
    let fine = over_all(Touch::PenetrationTolerance(1e-9));
    let located = over_all(Touch::Located);
    for (name, (error, evaluations)) in [
        ("none", none),
        ("halving to 1e-6 m", halving),
        ("halving to 1e-9 m", fine),
        ("located", located),
    ] {
        println!("{name}: mean error {error:.1e} m/s, {evaluations} evaluations");
    }
    assert!(
        located.1 < none.1 && none.1 < halving.1 && halving.1 < fine.1,
        "the root costs least, fine halving most"
    );
    assert!(
        located.0 < halving.0 && fine.0 < halving.0 && halving.0 < none.0,
        "the root and fine halving are the most exact, no location the least"
    );
}

#[test]
fn the_slider_crank_hits_its_block_twice_as_it_should() {
    // Machado et al. 2012, section 6, with the law of Lankarani and Nikravesh; the numbers were found by two independent formulations.
    for (rtol, most, tolerance) in [(1e-6, 900, 1e-4), (1e-9, 2000, 1e-7)] {
        let mut mechanism = SliderCrank::lankarani_nikravesh(0.7);
        let mut y = mechanism.start();
        let ended = Solver::new(Settings {
            rtol,
            atol: rtol,
            ..Settings::default()
        })
        .expect("sound")
        .run(&mut mechanism, 0.0, 0.1, &mut y);
        assert_eq!(ended.status, Status::Completed);
        let error = y[3] - SliderCrank::AFTER_SECOND;
        println!(
            "rtol {rtol:e}: {} evaluations, block speed off by {error:e}",
            ended.statistics.rhs_evaluations
        );
        assert!(error.abs() < tolerance, "{error:e}");
        assert!(
            ended.statistics.rhs_evaluations <= most,
            "{:?}",
            ended.statistics
        );
    }
}
