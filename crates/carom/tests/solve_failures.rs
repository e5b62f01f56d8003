//! A run that cannot go on says where, by how much, which component and what to do, and keeps what it has. Nothing panics, nothing hangs, nothing is clamped in silence.

use carom::solve::{
    Action, Failure, Fired, Flow, Integrator, KindTolerance, Output, Settings, Solver, Status,
    Touch, Zeno,
};
use std::borrow::Cow;

/// y′ = y²: infinite at t = 1.
struct BlowUp;

impl Flow for BlowUp {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[0] * y[0];
        dydt[1] = 0.0;
    }
    fn component_name(&self, i: usize) -> Cow<'static, str> {
        ["pressure", "volume"][i].into()
    }
    fn component_kind(&self, i: usize) -> &'static str {
        ["pressure", "volume"][i]
    }
}

const ADAPTIVE: [Integrator; 6] = [
    Integrator::Auto,
    Integrator::Dop853,
    Integrator::Tsit5,
    Integrator::Adams,
    Integrator::Radau,
    Integrator::Bdf,
];

fn solver(settings: Settings) -> Solver {
    Solver::new(settings).expect("sound settings")
}

#[test]
fn a_solution_that_ends_is_followed_to_its_end_and_explained() {
    for integrator in ADAPTIVE {
        let mut handed = Vec::new();
        let mut y = [1.0, 0.0];
        let settings = Settings {
            integrator,
            max_steps: 100_000,
            ..Settings::default()
        };
        let ended =
            solver(settings).run_with(&mut BlowUp, 0.0, 2.0, &mut y, Output::Every(0.3), |t, y| {
                handed.push((t, y[0]))
            });
        let failure = ended
            .status
            .failure()
            .unwrap_or_else(|| panic!("{integrator:?}: {:?}", ended.status));
        let text = failure.to_string();
        assert!(
            matches!(
                failure,
                Failure::StepTooSmall { .. }
                    | Failure::NotFinite { .. }
                    | Failure::TooManySteps { .. }
            ),
            "{integrator:?}: {text}"
        );
        assert!(
            text.contains("pressure") && text.contains("Hint") && text.contains("t = "),
            "{integrator:?}: {text}"
        );
        assert!(
            (ended.t - 1.0).abs() < 1e-2,
            "{integrator:?} came to {}: {text}",
            ended.t
        );
        assert!(
            y[0] > 90.0 && y[0].is_finite(),
            "{integrator:?}: the state reached is handed back, {y:?}"
        );
        // 1/(1 − t) at 0, 0.3, 0.6, 0.9.
        assert_eq!(handed.len(), 4, "{integrator:?}: {handed:?}");
        for (t, value) in handed {
            assert!(
                (value * (1.0 - t) - 1.0).abs() < 1e-4,
                "{integrator:?} at {t}: {value}"
            );
        }
    }
}

#[test]
fn a_smallest_step_is_an_error_that_names_both_numbers() {
    let mut y = [1.0, 0.0];
    let ended = solver(Settings {
        min_step: 1e-3,
        ..Settings::default()
    })
    .run(&mut BlowUp, 0.0, 2.0, &mut y);
    let Status::Failed(Failure::StepTooSmall {
        t,
        step,
        smallest,
        component,
        error,
    }) = &ended.status
    else {
        panic!("{:?}", ended.status)
    };
    assert!(
        *t > 0.5
            && *t < 1.0
            && *step < 1e-3
            && *smallest == 1e-3
            && component == "pressure"
            && error.is_finite()
    );
    let text = ended
        .status
        .failure()
        .map(ToString::to_string)
        .unwrap_or_default();
    assert!(
        text.contains("1e-3") && text.contains("tolerance"),
        "{text}"
    );
}

#[test]
fn a_largest_number_of_steps_is_an_error_and_counts_rejected_ones() {
    let mut y = [1.0, 0.0];
    let ended = solver(Settings {
        max_steps: 7,
        ..Settings::default()
    })
    .run(&mut BlowUp, 0.0, 2.0, &mut y);
    assert!(
        matches!(
            ended.status,
            Status::Failed(Failure::TooManySteps { steps: 7, .. })
        ),
        "{:?}",
        ended.status
    );
    assert_eq!(
        ended.statistics.steps_accepted + ended.statistics.steps_rejected,
        7
    );
    assert!(ended.t > 0.0 && y[0] > 1.0);
}

/// A slope that is not a number beyond y = 1, where the true solution never goes: y′ = 1 − y, written with a root.
struct Brink;

impl Flow for Brink {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let root = (1.0 - y[0]).sqrt();
        dydt[0] = root * root;
    }
}

#[test]
fn a_trial_that_is_not_a_number_is_a_rejected_step() {
    for integrator in ADAPTIVE {
        let mut y = [0.0];
        // The first step overshoots by far.
        let ended = solver(Settings {
            integrator,
            first_step: Some(50.0),
            ..Settings::default()
        })
        .run(&mut Brink, 0.0, 3.0, &mut y);
        assert_eq!(ended.status, Status::Completed, "{integrator:?}");
        assert!(
            (y[0] - (1.0 - (-3.0_f64).exp())).abs() < 1e-6,
            "{integrator:?}: {y:?}"
        );
        assert!(ended.statistics.steps_rejected > 0);
    }
}

#[test]
fn a_slope_that_is_not_a_number_at_the_start_is_an_error_at_once() {
    for integrator in ADAPTIVE {
        let mut y = [2.0];
        let ended = solver(Settings {
            integrator,
            ..Settings::default()
        })
        .run(&mut Brink, 0.0, 3.0, &mut y);
        assert!(
            matches!(ended.status, Status::Failed(Failure::NotFinite { .. })),
            "{integrator:?}: {:?}",
            ended.status
        );
        assert_eq!(ended.t, 0.0);
    }
}

#[test]
fn a_fixed_step_that_blows_up_is_an_error_not_a_number_in_the_results() {
    struct Spring;
    impl Flow for Spring {
        fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
            dydt[0] = y[1];
            dydt[1] = -1e8 * y[0] * y[0] * y[0];
        }
    }
    for integrator in [
        Integrator::Rk4 { step: 0.1 },
        Integrator::Verlet { step: 0.1 },
    ] {
        let mut y = [1.0, 0.0];
        let ended = solver(Settings {
            integrator,
            ..Settings::default()
        })
        .run(&mut Spring, 0.0, 10.0, &mut y);
        assert!(
            matches!(ended.status, Status::Failed(Failure::NotFinite { .. })),
            "{integrator:?}: {:?}",
            ended.status
        );
        assert!(y.iter().all(|v| v.is_finite()), "{y:?}");
    }
}

#[test]
fn settings_out_of_range_are_refused_all_at_once_with_both_numbers() {
    let wrong = Settings {
        rtol: 2.0,
        atol: -1.0,
        kinds: vec![KindTolerance {
            kind: "angle".into(),
            rtol: 0.0,
            atol: 0.0,
        }],
        first_step: Some(f64::NAN),
        max_step: 0.0,
        min_step: -1.0,
        max_steps: 0,
        touch: Touch::PenetrationTolerance(0.0),
        guard_samples: 1000,
        zeno: Zeno {
            events: 0,
            within: Some(f64::INFINITY),
        },
        integrator: Integrator::Rk4 { step: -1.0 },
    };
    let faults: Vec<String> = match Solver::new(wrong) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    };
    for name in [
        "rtol",
        "atol",
        "atol of angle",
        "first_step",
        "max_step",
        "min_step",
        "max_steps",
        "penetration tolerance",
        "guard_samples",
        "zeno.events",
        "zeno.within",
        "step",
    ] {
        assert!(
            faults
                .iter()
                .any(|fault| fault.starts_with(&format!("{name} is "))),
            "{name}: {faults:#?}"
        );
    }
    assert!(
        faults[0].contains("rtol is 2, but must be between 1e-14 and 0.1"),
        "{}",
        faults[0]
    );
}

#[test]
fn a_start_that_makes_no_sense_is_refused() {
    let mut solver = solver(Settings::default());
    let mut refused =
        |start: f64, end: f64, y: &mut [f64]| match solver.run(&mut BlowUp, start, end, y).status {
            Status::Failed(Failure::Invalid(invalid)) => invalid.to_string(),
            other => panic!("{other:?}"),
        };
    assert!(refused(0.0, -1.0, &mut [1.0, 0.0]).starts_with("end is -1"));
    assert!(refused(0.0, f64::NAN, &mut [1.0, 0.0]).starts_with("end is NaN"));
    assert!(refused(f64::INFINITY, 1.0, &mut [1.0, 0.0]).starts_with("start is inf"));
    assert!(refused(0.0, 1.0, &mut [f64::NAN, 0.0]).starts_with("start of pressure is NaN"));
    assert!(refused(0.0, 1.0, &mut []).contains("at least 1"));
}

#[test]
fn a_span_of_no_length_gives_the_start_back() {
    let mut y = [1.0, 2.0];
    let mut handed = Vec::new();
    let ended = solver(Settings::default()).run_with(
        &mut BlowUp,
        3.0,
        3.0,
        &mut y,
        Output::Every(1.0),
        |t, y| handed.push((t, y.to_vec())),
    );
    assert_eq!((ended.status, ended.t), (Status::Completed, 3.0));
    assert_eq!(y, [1.0, 2.0]);
    assert_eq!(handed, [(3.0, vec![1.0, 2.0])]);
}

#[test]
fn a_tolerance_for_a_kind_that_does_not_occur_is_refused_with_the_kinds_there_are() {
    let settings = Settings {
        kinds: vec![KindTolerance {
            kind: "angel".into(),
            rtol: 1e-6,
            atol: 1e-6,
        }],
        ..Settings::default()
    };
    let ended = solver(settings).run(&mut BlowUp, 0.0, 0.5, &mut [1.0, 0.0]);
    let text = ended
        .status
        .failure()
        .map(ToString::to_string)
        .unwrap_or_default();
    assert!(
        text.contains("angel") && text.contains("pressure, volume"),
        "{text}"
    );
}

#[test]
fn verlet_refuses_an_odd_number_of_components() {
    let ended = solver(Settings {
        integrator: Integrator::Verlet { step: 0.1 },
        ..Settings::default()
    })
    .run(&mut Brink, 0.0, 1.0, &mut [0.0]);
    assert!(matches!(ended.status, Status::Failed(Failure::Invalid(_))));
}

#[test]
fn output_times_out_of_order_are_refused() {
    for times in [[0.5, 0.1], [0.1, f64::NAN]] {
        let ended = solver(Settings::default()).run_with(
            &mut BlowUp,
            0.0,
            0.5,
            &mut [1.0, 0.0],
            Output::At(&times),
            |_, _| {},
        );
        assert!(
            matches!(ended.status, Status::Failed(Failure::Invalid(_))),
            "{:?}",
            ended.status
        );
    }
    let ended = solver(Settings::default()).run_with(
        &mut BlowUp,
        0.0,
        0.5,
        &mut [1.0, 0.0],
        Output::Every(0.0),
        |_, _| {},
    );
    assert!(
        matches!(ended.status, Status::Failed(Failure::Invalid(_))),
        "{:?}",
        ended.status
    );
}

/// Two coupled oscillators of very different size: a metre and a micrometre.
struct TwoSizes {
    first_step: Option<f64>,
}

impl Flow for TwoSizes {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -y[0];
        dydt[2] = y[3];
        dydt[3] = -100.0 * y[2];
    }
    fn component_kind(&self, i: usize) -> &'static str {
        ["position", "velocity", "indentation", "indentation rate"][i]
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, t: f64, _y: &[f64], g: &mut [f64]) {
        g[0] = t - 1.0;
    }
    fn event(&mut self, _t: f64, _y: &mut [f64], _fired: &Fired<'_>) -> Action {
        Action::Restart {
            first_step: self.first_step,
        }
    }
}

#[test]
fn a_tolerance_per_kind_makes_the_small_component_exact() {
    let run = |kinds: Vec<KindTolerance>| {
        let mut y = [1.0, 0.0, 1e-6, 0.0];
        let settings = Settings {
            rtol: 1e-6,
            atol: 1e-6,
            kinds,
            ..Settings::default()
        };
        let ended = solver(settings).run(&mut TwoSizes { first_step: None }, 0.0, 20.0, &mut y);
        assert_eq!(ended.status, Status::Completed);
        (y[2] / 1e-6 - (200.0_f64).cos()).abs()
    };
    let coarse = run(Vec::new());
    let fine = run(vec![
        KindTolerance {
            kind: "indentation".into(),
            rtol: 0.0,
            atol: 1e-12,
        },
        KindTolerance {
            kind: "indentation rate".into(),
            rtol: 0.0,
            atol: 1e-11,
        },
    ]);
    assert!(
        coarse > 1e-2,
        "the general tolerance is as large as the indentation: {coarse:e}"
    );
    assert!(
        fine < 1e-4,
        "its own tolerance is a millionth of it: {fine:e}"
    );
}

#[test]
fn a_first_step_that_makes_no_sense_is_refused() {
    for first in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut y = [1.0, 0.0, 1e-6, 0.0];
        let ended = solver(Settings::default()).run(
            &mut TwoSizes {
                first_step: Some(first),
            },
            0.0,
            2.0,
            &mut y,
        );
        assert!(
            matches!(ended.status, Status::Failed(Failure::Protocol { .. })),
            "{first}: {:?}",
            ended.status
        );
    }
}

#[test]
fn output_changes_neither_steps_nor_result_and_repeats_bit_for_bit() {
    for integrator in ADAPTIVE.into_iter().chain([
        Integrator::Rk4 { step: 0.013 },
        Integrator::Verlet { step: 0.013 },
    ]) {
        let run = |output: Output<'_>| {
            let mut y = [1.0, 0.0, 1e-6, 0.0];
            let mut count = 0;
            let mut solver = solver(Settings {
                integrator,
                ..Settings::default()
            });
            let mut ended = solver.run_with(
                &mut TwoSizes { first_step: None },
                0.0,
                5.0,
                &mut y,
                output,
                |_, _| count += 1,
            );
            ended.statistics.output_evaluations = 0;
            (y.map(f64::to_bits), ended, count)
        };
        let plain = run(Output::None);
        let often = run(Output::Every(0.001));
        let steps = run(Output::Steps);
        assert_eq!((plain.0, &plain.1), (often.0, &often.1), "{integrator:?}");
        assert_eq!((plain.0, &plain.1), (steps.0, &steps.1), "{integrator:?}");
        assert_eq!(often.2, 5001);
        assert_eq!(run(Output::None), plain, "{integrator:?} repeats");
        // The start, every accepted point, and once more where the event cut the step.
        assert_eq!(
            steps.2 as u64,
            1 + plain.1.statistics.steps_accepted + plain.1.statistics.events,
            "{integrator:?}"
        );
    }
}

#[test]
fn a_solver_used_again_gives_the_same_as_a_new_one() {
    for integrator in ADAPTIVE {
        let mut reused = solver(Settings {
            integrator,
            ..Settings::default()
        });
        let mut results = Vec::new();
        for _ in 0..3 {
            let mut y = [1.0, 0.0, 1e-6, 0.0];
            let ended = reused.run(&mut TwoSizes { first_step: None }, 0.0, 5.0, &mut y);
            results.push((y.map(f64::to_bits), ended));
            // Another size and a failure in between.
            reused.run(&mut BlowUp, 0.0, 2.0, &mut [1.0, 0.0]);
        }
        assert_eq!(results[0], results[1], "{integrator:?}");
        assert_eq!(results[0], results[2], "{integrator:?}");
        let mut again = solver(Settings {
            integrator,
            ..Settings::default()
        });
        let mut y = [1.0, 0.0, 1e-6, 0.0];
        again.run(&mut TwoSizes { first_step: None }, 0.0, 5.0, &mut y);
        let mut y = [1.0, 0.0, 1e-6, 0.0];
        let ended = again.run(&mut TwoSizes { first_step: None }, 0.0, 5.0, &mut y);
        assert_eq!(results[0], (y.map(f64::to_bits), ended), "{integrator:?}");
    }
}

#[test]
fn every_multiple_of_the_output_step_is_handed_over_the_last_one_too() {
    let mut y = [1.0, 0.0];
    let mut solver = solver(Settings::default());
    for (start, step, count) in [
        (0.0, 0.00021, 5140),
        (1199.9, 0.1, 7),
        (0.0, 0.1, 3),
        (-5.0, 1e-4, 100_000),
    ] {
        let end = start + f64::from(count) * step;
        let mut handed = 0;
        let ended = solver.run_with(
            &mut Still,
            start,
            end,
            &mut y,
            Output::Every(step),
            |_, _| handed += 1,
        );
        assert_eq!(
            (ended.status, handed),
            (Status::Completed, count + 1),
            "{start} {step}"
        );
    }
}

/// Nothing moves.
struct Still;

impl Flow for Still {
    fn rhs(&mut self, _t: f64, _y: &[f64], dydt: &mut [f64]) {
        dydt.fill(0.0);
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, t: f64, _y: &[f64], g: &mut [f64]) {
        g[0] = t - 0.4003;
    }
    fn event(&mut self, _t: f64, _y: &mut [f64], _fired: &Fired<'_>) -> Action {
        Action::Restart { first_step: None }
    }
}

#[test]
fn output_at_the_end_is_handed_over_though_an_event_lies_within_rounding_of_it() {
    for units in 0..40 {
        let end = f64::from_bits(0.4003_f64.to_bits() + units);
        let mut handed = Vec::new();
        let ended = solver(Settings::default()).run_with(
            &mut Still,
            0.0,
            end,
            &mut [1.0],
            Output::At(&[end]),
            |t, _| handed.push(t),
        );
        assert_eq!(
            (ended.status, handed),
            (Status::Completed, vec![end]),
            "{units} units behind the event"
        );
    }
}

/// A circle passed at `rate` radians a second, with a slope of many harmonics when `rough`.
struct Circle {
    rate: f64,
    rough: bool,
}

impl Flow for Circle {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = self.rate * y[1];
        dydt[1] = -self.rate * y[0];
        if self.rough {
            dydt[0] = -1e3 * y[0] * y[0] * y[0] + (30.0 * y[0]).sin();
        }
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0] - 0.5;
    }
}

#[test]
fn time_and_state_do_not_drift_apart_late_in_time() {
    for integrator in ADAPTIVE {
        let rate = 1e4;
        let error = |start: f64| {
            let mut y = [0.0, 1.0];
            let end = start + 0.125;
            let ended = solver(Settings {
                integrator,
                rtol: 1e-8,
                atol: 1e-8,
                ..Settings::default()
            })
            .run(&mut Circle { rate, rough: false }, start, end, &mut y);
            assert_eq!(
                ended.status,
                Status::Completed,
                "{integrator:?} from {start}"
            );
            let angle: f64 = rate * (end - start);
            (y[0] - angle.sin()).abs().max((y[1] - angle.cos()).abs())
        };
        let (early, late) = (error(0.0), error(1e3));
        // A unit in the last place of 1000 s is 1.1e-13 s, 1.1e-9 of a turn; an event or two of it are unavoidable.
        assert!(
            late < 2.0 * early + 1e-8,
            "{integrator:?}: {early:e} from 0 s, {late:e} from 1000 s"
        );
    }
}

#[test]
fn a_smallest_step_is_no_reason_to_fail_where_the_error_is_small() {
    for integrator in ADAPTIVE {
        let mut y = [0.0, 1.0];
        let settings = Settings {
            integrator,
            min_step: 1e-4,
            rtol: 1e-6,
            atol: 1e-6,
            ..Settings::default()
        };
        let ended = solver(settings).run(
            &mut Circle {
                rate: 1.0,
                rough: false,
            },
            0.0,
            3.0,
            &mut y,
        );
        assert_eq!(ended.status, Status::Completed, "{integrator:?}");
    }
}

#[test]
fn an_impact_needs_no_suggested_first_step_wherever_it_begins() {
    use carom_bench::Problem;
    use carom_bench::impact::Impact;
    for integrator in ADAPTIVE {
        for start in [0.0, 1.0, 100.0] {
            let mut impact = Impact::default();
            let mut y = impact.start();
            let ended = solver(Settings {
                integrator,
                ..Settings::default()
            })
            .run(&mut impact, start, start + 1.0, &mut y);
            assert_eq!(ended.status, Status::Stopped, "{integrator:?} from {start}");
            assert!(
                (y[1] / impact.exit_speed() - 1.0).abs() < 1e-5,
                "{integrator:?} from {start}: {}",
                y[1]
            );
        }
    }
}

#[test]
fn nothing_of_an_earlier_run_of_the_same_size_shows_in_a_later_one() {
    for integrator in ADAPTIVE {
        let run = |solver: &mut Solver, rough: bool| {
            let mut y = [1.0, 0.3];
            let ended = solver.run(&mut Circle { rate: 2.0, rough }, 0.0, 1.0, &mut y);
            (y.map(f64::to_bits), ended)
        };
        let settings = Settings {
            integrator,
            first_step: Some(0.5),
            ..Settings::default()
        };
        let fresh = run(&mut solver(settings.clone()), true);
        let mut reused = solver(settings);
        run(&mut reused, false);
        assert_eq!(run(&mut reused, true), fresh, "{integrator:?}");
        assert_eq!(run(&mut reused, true), fresh, "{integrator:?}");
    }
}

#[test]
fn a_fixed_step_refuses_another_integration_variable_than_time() {
    struct Rooted;
    impl Flow for Rooted {
        fn rhs(&mut self, _t: f64, _y: &[f64], dydt: &mut [f64]) {
            dydt.fill(1.0);
        }
        fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut carom::solve::Phase) {
            phase.clock = carom::solve::Clock::SquareRoot;
        }
    }
    for integrator in [
        Integrator::Rk4 { step: 0.1 },
        Integrator::Verlet { step: 0.1 },
    ] {
        let ended = solver(Settings {
            integrator,
            ..Settings::default()
        })
        .run(&mut Rooted, 0.0, 1.0, &mut [0.0, 0.0]);
        assert!(
            matches!(ended.status, Status::Failed(Failure::Protocol { .. })),
            "{:?}",
            ended.status
        );
    }
}
