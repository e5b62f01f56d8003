//! Random sets of guards whose zeros are known: every crossing is found, once, in order and in its place, whatever the method and the actions. 4000 cases; with `CAROM_FULL=1`, 400 000.

use carom::solve::{Action, Fired, Flow, Integrator, Phase, Settings, Solver, Status, Watch};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A guard as a function of time, with its zeros.
#[derive(Clone, Debug)]
enum Guard {
    /// slope·(t − zero).
    Line { zero: f64, slope: f64 },
    /// bend·((t − middle)² − half²): two zeros, perhaps very close to each other.
    Pair { middle: f64, half: f64, bend: f64 },
    /// sin(rate·(t − zero)).
    Wave { zero: f64, rate: f64 },
}

impl Guard {
    fn at(&self, t: f64) -> f64 {
        match *self {
            Guard::Line { zero, slope } => slope * (t - zero),
            Guard::Pair { middle, half, bend } => bend * (t - middle - half) * (t - middle + half),
            Guard::Wave { zero, rate } => f64::sin(rate * (t - zero)),
        }
    }

    /// The crossings in (0, end), each with whether it rises.
    fn crossings(&self, end: f64) -> Vec<(f64, bool)> {
        let mut all = match *self {
            Guard::Line { zero, slope } => vec![(zero, slope > 0.0)],
            Guard::Pair { middle, half, bend } => {
                vec![(middle - half, bend < 0.0), (middle + half, bend > 0.0)]
            }
            Guard::Wave { zero, rate } => {
                let half = std::f64::consts::PI / rate;
                let first = (-zero / half).ceil() as i64;
                (first..)
                    .map(|k| (zero + k as f64 * half, k.rem_euclid(2) == 0))
                    .take_while(|&(t, _)| t < end)
                    .collect()
            }
        };
        all.retain(|&(t, _)| t > 0.0 && t < end);
        all
    }
}

#[derive(Clone, Debug)]
struct Case {
    guards: Vec<(Guard, Watch, Action)>,
    integrator: Integrator,
    tolerance: f64,
}

struct Scene<'a> {
    case: &'a Case,
    seen: Vec<(f64, usize, bool)>,
}

impl Flow for Scene<'_> {
    /// The clock, and a circle that makes the method choose its steps.
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = 1.0;
        dydt[1] = 3.0 * y[2];
        dydt[2] = -3.0 * y[1];
    }
    fn guard_count(&self) -> usize {
        self.case.guards.len()
    }
    fn guards(&mut self, t: f64, _y: &[f64], g: &mut [f64]) {
        for (g, (guard, ..)) in g.iter_mut().zip(&self.case.guards) {
            *g = guard.at(t);
        }
    }
    fn event(&mut self, t: f64, _y: &mut [f64], fired: &Fired<'_>) -> Action {
        let mut action = Action::Continue;
        for (i, rose) in fired.iter() {
            self.seen.push((t, i, rose));
            // The strongest wish of all that fired together.
            let rank = |action| match action {
                Action::Continue => 0,
                Action::Resume => 1,
                _ => 2,
            };
            if rank(self.case.guards[i].2) > rank(action) {
                action = self.case.guards[i].2;
            }
        }
        action
    }
    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        for (watch, guard) in phase.watch.iter_mut().zip(&self.case.guards) {
            *watch = guard.1;
        }
    }
}

const END: f64 = 4.0;

fn guard() -> impl Strategy<Value = Guard> {
    let place = 0.001..END - 0.001;
    let factor = prop_oneof![Just(1.0), Just(-1.0), 1e-6..1e6_f64, -1e6..-1e-6_f64];
    prop_oneof![
        (place.clone(), factor.clone()).prop_map(|(zero, slope)| Guard::Line { zero, slope }),
        (place.clone(), -7.0..0.0_f64, factor).prop_map(|(middle, log, bend)| Guard::Pair {
            middle,
            half: f64::powf(10.0, log),
            bend
        }),
        (0.0..1.0_f64, 0.5..6.0_f64).prop_map(|(zero, rate)| Guard::Wave { zero, rate }),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let watch = prop_oneof![Just(Watch::Any), Just(Watch::Rising), Just(Watch::Falling)];
    let action = prop_oneof![
        Just(Action::Continue),
        Just(Action::Resume),
        Just(Action::Restart { first_step: None })
    ];
    let integrator = prop_oneof![
        Just(Integrator::Auto),
        Just(Integrator::Dop853),
        Just(Integrator::Tsit5),
        Just(Integrator::Adams),
        Just(Integrator::Radau),
        Just(Integrator::Bdf)
    ];
    (
        prop::collection::vec((guard(), watch, action), 1..6),
        integrator,
        -10.0..-4.0_f64,
    )
        .prop_map(|(guards, integrator, log)| Case {
            guards,
            integrator,
            tolerance: f64::powf(10.0, log),
        })
}

#[test]
fn every_crossing_of_random_guards_is_found_once_in_order_and_in_its_place() {
    let cases = if std::env::var_os("CAROM_FULL").is_some() {
        400_000
    } else {
        4_000
    };
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    // The same cases every time.
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let outcome = runner.run(&case(), |case| {
        let mut solver = Solver::new(Settings {
            integrator: case.integrator,
            rtol: case.tolerance,
            atol: case.tolerance,
            // Waves of rate 6 have a half period of 0.52: the points looked at in a step lie closer together, so that no two crossings of one wave hide between them.
            max_step: 1.0,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut scene = Scene {
            case: &case,
            seen: Vec::new(),
        };
        let mut y = [0.0, 0.0, 1.0];
        let ended = solver.run(&mut scene, 0.0, END, &mut y);
        prop_assert_eq!(&ended.status, &Status::Completed);
        let seen = scene.seen;
        prop_assert!(
            seen.windows(2).all(|pair| pair[0].0 <= pair[1].0),
            "out of order: {:?}",
            seen
        );
        for (i, (guard, watch, _)) in case.guards.iter().enumerate() {
            let expected: Vec<_> = guard
                .crossings(END)
                .into_iter()
                .filter(|&(_, rises)| match watch {
                    Watch::Rising => rises,
                    Watch::Falling => !rises,
                    _ => true,
                })
                .collect();
            let found: Vec<_> = seen.iter().filter(|event| event.1 == i).collect();
            prop_assert_eq!(
                found.len(),
                expected.len(),
                "guard {}: found {:?}, expected {:?}",
                i,
                found,
                expected
            );
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert_eq!(found.2, expected.1);
                // Rounding of the guard itself, where two zeros lie close together.
                let flat = if let Guard::Pair { half, .. } = guard {
                    1e-15 / half
                } else {
                    0.0
                };
                prop_assert!(
                    (found.0 - expected.0).abs() < 1e-13 + flat,
                    "guard {}: {} for {}",
                    i,
                    found.0,
                    expected.0
                );
            }
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
