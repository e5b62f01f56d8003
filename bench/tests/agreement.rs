//! Do Carom and two independent solvers see the same events?
//!
//! Every problem is integrated by Carom, `ivp` (both with Dormand–Prince 8(5,3)) and `diffsol` (Tsitouras 5(4)) at rtol 1e-11; the events must come at the same times, the ends must be the
//! same, and both must be what the closed form says where there is one. Each tolerance says where it comes from.

#[path = "../solvers/mod.rs"]
mod solvers;

use carom::solve::Integrator;
use carom_bench::impact::{Ball, Impact};
use carom_bench::restitution::{Bounce, Table, WallPendulum};
use carom_bench::slider_crank::SliderCrank;
use carom_bench::switching::Thermostat;
use carom_bench::{Hybrid, Problem};
use solvers::{Outcome, Span, carom_solver, run_carom, run_diffsol, run_ivp};

const RTOL: f64 = 1e-11;
const ATOL: f64 = 1e-13;

/// What one solver saw.
struct Seen {
    who: &'static str,
    times: Vec<f64>,
    end: Vec<f64>,
}

/// Runs the three; `times` reads the event times off the problem and the time of the end.
fn three<P: Problem + Hybrid>(
    make: impl Fn() -> P,
    times: impl Fn(&P, f64) -> Vec<f64>,
) -> [Seen; 3] {
    #[allow(clippy::type_complexity)]
    let run = |who: &'static str,
               solve: &dyn Fn(&mut P, Span, &mut [f64]) -> Result<Outcome, String>| {
        let mut problem = make();
        let span = Span {
            end: problem.end(),
            rtol: RTOL,
            atol: ATOL,
        };
        let mut y = problem.start();
        let outcome = solve(&mut problem, span, &mut y)
            .unwrap_or_else(|error| panic!("{who} on {}: {error}", problem.name()));
        Seen {
            who,
            times: times(&problem, outcome.t),
            end: y,
        }
    };
    [
        run("carom", &|problem, span, y| {
            run_carom(
                &mut carom_solver(problem, Integrator::Dop853, span)?,
                problem,
                span,
                y,
            )
        }),
        run("ivp", &|problem, span, y| {
            run_ivp(problem, ivp::prelude::Method::DOP853, span, y)
        }),
        run("diffsol", &|problem, span, y| run_diffsol(problem, span, y)),
    ]
}

fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs())
        .fold(
            0.0,
            |largest: f64, d| if d.is_nan() { f64::NAN } else { largest.max(d) },
        )
}

/// Every two of the three agree: as many events, their times within `time`, the components of the end each within its own of `end`.
fn agree(seen: &[Seen; 3], time: f64, end: &[f64]) {
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let (a, b) = (&seen[a], &seen[b]);
        let apart = largest(&a.times, &b.times);
        println!(
            "{} and {}: {} and {} events, times {apart:e} apart, ends {:?} and {:?}",
            a.who,
            b.who,
            a.times.len(),
            b.times.len(),
            a.end,
            b.end
        );
        assert_eq!(
            a.times.len(),
            b.times.len(),
            "{} and {} count the events differently",
            a.who,
            b.who
        );
        assert!(
            apart <= time,
            "{} and {}: event times {apart:e} apart",
            a.who,
            b.who
        );
        for i in 0..end.len() {
            let apart = (a.end[i] - b.end[i]).abs();
            assert!(
                apart <= end[i],
                "{} and {}: component {i} of the end {apart:e} apart",
                a.who,
                b.who
            );
        }
    }
}

/// Carom agrees with what is known: event times within `time`, the end within `end`.
fn known(carom: &Seen, times: &[f64], time: f64, y: &[f64], end: f64) {
    let (late, off) = (largest(&carom.times, times), largest(&carom.end, y));
    println!(
        "{}: times {late:e} and end {off:e} from what is known",
        carom.who
    );
    assert_eq!(
        carom.times.len(),
        times.len(),
        "{} events where there are {}",
        carom.times.len(),
        times.len()
    );
    assert!(late <= time, "event times {late:e} from what is known");
    assert!(
        off <= end,
        "end {off:e} from what is known: {:?} {y:?}",
        carom.end
    );
}

fn reference<P: Problem>(problem: &P) -> Vec<f64> {
    problem
        .reference(problem.end())
        .unwrap_or_else(|| panic!("{} has no reference at its end", problem.name()))
}

/// A contact of 1.6e-4 s at 0.3 m/s followed to 1e-11 of its depth and speed in some 30 … 130 steps: 1e-9 of each. `ivp` promises its events to 2e-12 s only.
#[test]
fn one_impact_ends_at_the_same_time_with_the_same_speed() {
    let seen = three(Impact::default, |_, t| vec![t]);
    agree(&seen, 2e-12, &[1e-9 * Impact::DEEPEST, 1e-9 * 0.3]);
    known(
        &seen[0],
        &[Impact::SEPARATION],
        1e-9 * Impact::SEPARATION,
        &[0.0, Impact::default().exit_speed()],
        1e-9 * 0.3,
    );
}

/// Every contact returns its speed to about 1e-10 of it; over forty of them the flights that follow, nine seconds in all, are late by 40 · 1e-10 · 9 s at most if all errors lean the same way.
/// At the end the ball rests; K δ^(3/2) = m g says how deep.
#[test]
fn a_ball_that_comes_to_rest_touches_as_often_and_when_others_say() {
    let seen = three(Ball::default, |ball, _| ball.touches.clone());
    agree(&seen, 4e-8, &[1e-10, 1e-9]);
    assert_eq!(seen[0].times.len(), Ball::TOUCHES);
    // Carom's contacts are right to 4e-11 here (the impact above): 40 · 4e-11 · 9 s.
    known(
        &Seen {
            who: "carom",
            times: vec![seen[0].times[39]],
            end: seen[0].end.clone(),
        },
        &[Ball::FORTIETH],
        1.4e-8,
        &[Ball::default().resting_height(), 0.0],
        1e-12,
    );
}

/// Parabolas are followed exactly; what is left is the location: 2e-12 s for `ivp`, which the rebounds add up (Σ e^k = 5 times at most).
#[test]
fn a_ball_with_restitution_rebounds_when_the_geometric_series_says() {
    let seen = three(Bounce::default, |ball, _| ball.touches.clone());
    agree(&seen, 1e-11, &[1e-11, 1e-10]);
    let ball = Bounce::default();
    let times: Vec<f64> = (1..=9).map(|k| ball.touch(k)).collect();
    known(&seen[0], &times, 1e-12, &reference(&ball), 1e-11);
}

/// Parabolas again; a late touch meets a table that has moved on, and the error of one rebound grows by up to 1.4 a rebound: 2e-12 · 1.4¹⁴ = 2e-10 at worst.
#[test]
fn a_ball_on_a_shaking_table_rebounds_where_sixty_digits_say() {
    let seen = three(Table::default, |table, _| table.touches.clone());
    agree(&seen, 2e-10, &[1e-9, 1e-9]);
    let times: Vec<f64> = Table::REBOUNDS.iter().map(|rebound| rebound.0).collect();
    known(
        &seen[0],
        &times,
        1e-11,
        &reference(&Table::default()),
        1e-10,
    );
}

/// Ten seconds at 1e-11 a step in some 200 … 1300 steps, and rates up to 5 rad/s: 1e-9 if the errors of steps add up, less if they do not.
#[test]
fn a_pendulum_strikes_a_wall_when_elliptic_integrals_say() {
    let seen = three(WallPendulum::default, |pendulum, _| {
        pendulum.touches.clone()
    });
    agree(&seen, 1e-9, &[1e-9, 5e-9]);
    let pendulum = WallPendulum::default();
    let times: Vec<f64> = (1..=seen[0].times.len())
        .map(|k| pendulum.strike(k).0)
        .collect();
    known(&seen[0], &times, 2e-10, &reference(&pendulum), 1e-9);
}

/// A temperature of 20 degrees followed to 2e-10 and changing by 0.9 … 1.6 degrees a second: each switch is off by up to 2e-10 s, and nothing corrects the clock afterwards; thirty-two of them.
#[test]
fn a_thermostat_switches_when_logarithms_say() {
    let seen = three(Thermostat::default, |room, _| room.switches.clone());
    agree(&seen, 6.4e-9, &[1e-8]);
    let room = Thermostat::default();
    let times: Vec<f64> = (1..=32).map(|k| room.switch(k)).collect();
    known(&seen[0], &times, 6.4e-9, &reference(&room), 1e-8);
}

/// Touch 1 comes after 43 ms of free motion at 1e-11 a step; the contact then multiplies what is off. The speeds of the literature's set-up are known to ten digits, the angle at the end is
/// most sensitive: 20 ms at a rate that is off by 1e-6.
#[test]
fn a_slider_crank_strikes_a_block_twice_and_throws_it_as_fast() {
    let seen = three(SliderCrank::default, |mechanism, _| {
        mechanism
            .contacts
            .iter()
            .flat_map(|contact| [contact.start, contact.end])
            .collect()
    });
    agree(&seen, 1e-10, &[2e-8, 1e-9, 1e-6, 1e-7]);
    assert_eq!(seen[0].times.len(), 4);
    assert!(
        (seen[0].times[0] - SliderCrank::FIRST_TOUCH).abs() < 1e-9,
        "first touch at {}",
        seen[0].times[0]
    );
    assert!(
        (seen[0].times[2] - SliderCrank::SECOND_TOUCH).abs() < 1e-11,
        "second touch at {}",
        seen[0].times[2]
    );
    assert!(
        (seen[0].end[3] - SliderCrank::AFTER_SECOND).abs() < 2e-8,
        "block at {} m/s",
        seen[0].end[3]
    );
}

/// The deepest points and the largest forces, found by guards that only take a note.
#[test]
fn guards_that_take_notes_find_the_peaks_of_a_contact() {
    let mut mechanism = SliderCrank::default();
    mechanism.watch_peaks = true;
    let span = Span {
        end: mechanism.end(),
        rtol: RTOL,
        atol: ATOL,
    };
    let mut y = mechanism.start();
    let outcome = carom_solver(&mechanism, Integrator::Dop853, span)
        .and_then(|mut solver| run_carom(&mut solver, &mut mechanism, span, &mut y));
    assert!(outcome.is_ok(), "{outcome:?}");
    for (contact, (deepest, force)) in mechanism.contacts.iter().zip(
        SliderCrank::DEEPEST
            .into_iter()
            .zip(SliderCrank::PEAK_FORCE),
    ) {
        // The published set-up's numbers have nine digits.
        assert!((contact.deepest - deepest).abs() < 1e-12, "{contact:?}");
        assert!((contact.peak_force - force).abs() < 1e-3, "{contact:?}");
    }
    assert!((mechanism.contacts[0].slider_before - SliderCrank::FIRST_SLIDER_SPEED).abs() < 1e-6);
    assert!((mechanism.contacts[0].slider_after - SliderCrank::AFTER_FIRST[0]).abs() < 2e-8);
    assert!((mechanism.contacts[0].block_after - SliderCrank::AFTER_FIRST[1]).abs() < 2e-8);
}
