//! Does a run of a mechanism allocate only before it starts and after it ends?

use carom::mechanics::{Function, Place, Spring};
use carom::model::{Control, LoadEntry, Model};
use carom::solve::Integrator;
use carom::system::{Frame, Observer, Status, System};
use carom_bench::mechanisms::{Chain, DrivenSliderCrank};

/// Counts samples, or frames, and keeps none.
struct Count {
    samples: u64,
    frames: u64,
    watches: bool,
}

impl Observer for Count {
    fn sample(&mut self, _t: f64, _values: &[f64]) {
        self.samples += 1;
    }

    fn watches(&self) -> bool {
        self.watches
    }

    fn frame(&mut self, _frame: &Frame<'_>) {
        self.frames += 1;
    }
}

/// Allocations, accepted steps and samples of a run.
fn counted(model: &Model) -> [u64; 3] {
    let ([allocations, steps, samples], frames) = watched(model, false);
    assert_eq!(frames, 0, "nobody watches");
    [allocations, steps, samples]
}

/// The same of one that may be watched, and its frames.
fn watched(model: &Model, watches: bool) -> ([u64; 3], u64) {
    let mut system = System::assemble(model).expect("a sound model");
    let mut count = Count {
        samples: 0,
        frames: 0,
        watches,
    };
    let mut outcome = None;
    let counted = allocation_counter::measure(|| outcome = Some(system.run(&mut count)));
    let outcome = outcome.expect("it ran");
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let counts = [
        counted.count_total,
        outcome.statistics.steps_accepted,
        count.samples,
    ];
    (counts, count.frames)
}

/// A driven slider-crank, and a chain with a damped spring at its end.
fn models() -> [Model; 2] {
    let slider_crank = DrivenSliderCrank::default().model(10.0).expect("sound");
    let mut chain = Chain { links: 4 }.model().expect("sound");
    let (ground, end) = (Place::ground([1.0, -3.0]), Place::on(3, [0.5, 0.0]));
    let spring = Spring::new(ground, end, 50.0, 2.0, 0.5, Function::ZERO).expect("sound");
    chain.loads.push(LoadEntry {
        name: "tether".into(),
        load: spring.into(),
    });
    [slider_crank, chain]
}

#[test]
fn a_run_allocates_as_often_however_many_steps_and_samples_it_has() {
    for model in models() {
        for integrator in [
            Integrator::Auto,
            Integrator::Dop853,
            Integrator::Adams,
            Integrator::Radau,
            Integrator::Verlet { step: 2e-5 },
        ] {
            for control in [
                Control::Projection,
                Control::Baumgarte {
                    alpha: 50.0,
                    beta: 50.0,
                },
            ] {
                let mut short = model.clone();
                short.control = control;
                short.solver.integrator = integrator;
                // Verlet does not read it; it is only to keep its runs from ending with a warning, whose words would be counted.
                let verlet = matches!(integrator, Integrator::Verlet { .. });
                short.solver.rtol = if verlet { 1e-3 } else { 1e-6 };
                short.simulation.end = 0.1 * model.simulation.end;
                short.simulation.output_step = Some(short.simulation.end / 20.0);
                let mut long = short.clone();
                long.simulation.end = model.simulation.end;
                let [allocations, steps, samples] = counted(&short);
                let [again, more_steps, more_samples] = counted(&long);
                let what = format!("{}, {integrator:?}, {control:?}", model.title);
                assert!(allocations > 0, "{what}: the counter does not count");
                assert!(
                    more_steps > 3 * steps && more_samples > 5 * samples,
                    "{what}: {steps} and {more_steps} steps, {samples} and {more_samples} samples"
                );
                assert_eq!(again, allocations, "{what}: {more_steps} steps");
            }
        }
    }
}

#[test]
fn a_run_that_is_watched_allocates_as_often_however_many_frames_it_has() {
    for mut model in models() {
        let end = model.simulation.end;
        model.simulation.output_step = Some(end / 200.0);
        for integrator in [Integrator::Dop853, Integrator::Radau] {
            model.solver.integrator = integrator;
            let [few, many] = [0.1, 1.0].map(|part| {
                model.simulation.end = part * end;
                watched(&model, true)
            });
            assert_eq!(few.0[0], many.0[0], "{integrator:?} {few:?} {many:?}");
            // Every sample and every step.
            for ([_, steps, samples], frames) in [few, many] {
                assert_eq!(frames, steps + samples, "{integrator:?}");
            }
        }
        model.simulation.end = end;
    }
}

#[test]
fn an_evaluation_and_a_projection_allocate_nothing() {
    for model in models() {
        let mut system = System::assemble(&model).expect("a sound model");
        let state = system.state();
        let mut slope = state.clone();
        let (t, q, v) = system.start();
        let (mut q, mut v) = (q.to_vec(), v.to_vec());
        q[1] += 1e-4;
        v[0] += 1e-3;
        let mut left = f64::NAN;
        let counted = allocation_counter::measure(|| {
            system.right_hand_side(t, &state, &mut slope);
            left = system.project(t, &mut q, &mut v).unwrap_or(f64::NAN);
        });
        assert!(left < 1e-14, "{}: {left:e}", model.title);
        assert!(slope.iter().all(|x| x.is_finite()));
        assert_eq!(counted.count_total, 0, "{}", model.title);
    }
}

#[test]
fn a_run_allocates_as_often_however_many_breaks_it_has() {
    for mut model in models() {
        let end = model.simulation.end;
        for integrator in [Integrator::Auto, Integrator::Adams, Integrator::Radau] {
            model.solver.integrator = integrator;
            let [few, many] = [2_u32, 50].map(|breaks| {
                let of = |i: u32| end * f64::from(i) / f64::from(breaks + 1);
                model.breaks = (1..=breaks).map(of).collect();
                counted(&model)
            });
            assert_eq!(few[0], many[0], "{integrator:?} {few:?} {many:?}");
            assert_eq!(few[2], many[2], "{integrator:?} {few:?} {many:?}");
        }
    }
}
