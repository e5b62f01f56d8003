//! Events under torture: nothing missed, nothing doubled, no hang. Every flow here has a solution that can be written down, so that every event has a known time.

use carom::solve::{
    Accepted, Action, Clock, Failure, Fired, Flow, Integrator, Output, Phase, Settings, Solver,
    Status, Touch, Watch, Zeno,
};

type Guards<'a> = dyn Fn(f64, &[f64], &mut [f64]) + 'a;
type Act<'a> = dyn FnMut(f64, &mut [f64], &Fired<'_>, &mut Vec<Watch>) -> Action + 'a;

/// The state is one clock and whatever the guards make of it. One type for all tests: the methods are compiled for it once.
struct Guarded<'a> {
    count: usize,
    guards: Box<Guards<'a>>,
    act: Box<Act<'a>>,
    watch: Vec<Watch>,
    seen: Vec<(f64, Vec<(usize, bool)>)>,
}

impl<'a> Guarded<'a> {
    fn new(
        watch: &[Watch],
        guards: impl Fn(f64, &[f64], &mut [f64]) + 'a,
        act: impl FnMut(f64, &mut [f64], &Fired<'_>, &mut Vec<Watch>) -> Action + 'a,
    ) -> Self {
        Self {
            count: watch.len(),
            guards: Box::new(guards),
            act: Box::new(act),
            watch: watch.to_vec(),
            seen: Vec::new(),
        }
    }

    /// Which guard fired when, one entry a guard.
    fn times_of(&self, guard: usize) -> Vec<f64> {
        self.seen
            .iter()
            .filter(|(_, fired)| fired.iter().any(|&(i, _)| i == guard))
            .map(|&(t, _)| t)
            .collect()
    }
}

impl Flow for Guarded<'_> {
    /// y0 = t, y1 and y2 turn on a circle once in 2π.
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = 1.0;
        dydt[1] = y[2];
        dydt[2] = -y[1];
    }
    fn guard_count(&self) -> usize {
        self.count
    }
    fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
        (self.guards)(t, y, g);
    }
    fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
        self.seen.push((t, fired.iter().collect()));
        (self.act)(t, y, fired, &mut self.watch)
    }
    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch.copy_from_slice(&self.watch);
    }
}

/// y0 = t, y1 = sin t, y2 = cos t.
const START: [f64; 3] = [0.0, 0.0, 1.0];
const ALL: [Action; 3] = [
    Action::Continue,
    Action::Resume,
    Action::Restart { first_step: None },
];
const METHODS: [Integrator; 3] = [Integrator::Dop853, Integrator::Tsit5, Integrator::Adams];

fn solver(integrator: Integrator) -> Solver {
    Solver::new(Settings {
        integrator,
        rtol: 1e-10,
        atol: 1e-10,
        ..Settings::default()
    })
    .expect("sound settings")
}

#[test]
fn a_guard_that_is_zero_at_the_start_fires_only_when_it_comes_back() {
    // sin t leaves zero upwards at t = 0, −sin t downwards; both come back at π, 2π, …
    for method in METHODS {
        for action in ALL {
            for sign in [1.0, -1.0] {
                let mut flow = Guarded::new(
                    &[Watch::Any],
                    |_, y, g| g[0] = sign * y[1],
                    |_, _, _, _| action,
                );
                let mut y = START;
                let ended = solver(method).run(&mut flow, 0.0, 10.0, &mut y);
                assert_eq!(ended.status, Status::Completed);
                let times = flow.times_of(0);
                assert_eq!(times.len(), 3, "{method:?} {action:?} {sign}: {times:?}");
                for (k, t) in times.iter().enumerate() {
                    let exact = (k + 1) as f64 * std::f64::consts::PI;
                    assert!((t - exact).abs() < 1e-8, "{t} {exact}");
                }
            }
        }
    }
}

#[test]
fn a_direction_is_kept_to_even_when_the_guard_starts_at_zero_and_goes_that_way() {
    for action in ALL {
        // sin t rises from zero at the start: that is no event; it falls at π and rises at 2π.
        for (watch, expected) in [(Watch::Rising, vec![2.0]), (Watch::Falling, vec![1.0, 3.0])] {
            let mut flow = Guarded::new(&[watch], |_, y, g| g[0] = y[1], |_, _, _, _| action);
            let mut y = START;
            solver(Integrator::Dop853).run(&mut flow, 0.0, 10.0, &mut y);
            let turns: Vec<_> = flow
                .times_of(0)
                .iter()
                .map(|t| (t / std::f64::consts::PI).round())
                .collect();
            assert_eq!(turns, expected, "{watch:?} {action:?}");
        }
    }
}

#[test]
fn a_root_is_located_to_the_last_bits_of_time() {
    // The clock is integrated exactly, so that the error is that of the location alone.
    for method in METHODS {
        for root in [0.1, 1.0, 7.3, 99.9] {
            let mut flow = Guarded::new(
                &[Watch::Any],
                |_, y, g| g[0] = (y[0] - root) * (1.0 + y[0] * y[0]),
                |_, _, _, _| Action::Stop,
            );
            let mut y = START;
            let ended = solver(method).run(&mut flow, 0.0, 100.0, &mut y);
            assert_eq!(ended.status, Status::Stopped);
            assert!(
                (ended.t / root - 1.0).abs() < 1e-14,
                "{method:?}: {} {root}",
                ended.t
            );
            assert!(
                y[0] >= root * (1.0 - 1e-15),
                "the state is the one after the crossing"
            );
        }
    }
}

#[test]
fn two_guards_a_picosecond_apart_fire_one_after_the_other() {
    for method in METHODS {
        for action in ALL {
            for swapped in [false, true] {
                let (a, b) = if swapped { (1, 0) } else { (0, 1) };
                let mut flow = Guarded::new(
                    &[Watch::Any; 2],
                    |_, y, g| {
                        g[a] = y[0] - 1.0;
                        g[b] = y[0] - (1.0 + 1e-12);
                    },
                    |_, _, _, _| action,
                );
                let mut y = START;
                let ended = solver(method).run(&mut flow, 0.0, 3.0, &mut y);
                assert_eq!(ended.status, Status::Completed);
                let order: Vec<_> = flow.seen.iter().map(|(_, fired)| fired.clone()).collect();
                assert_eq!(
                    order,
                    [vec![(a, true)], vec![(b, true)]],
                    "{method:?} {action:?}"
                );
                let gap = flow.seen[1].0 - flow.seen[0].0;
                assert!((gap - 1e-12).abs() < 2e-15, "{gap}");
            }
        }
    }
}

#[test]
fn three_guards_exactly_together_are_one_event() {
    for method in METHODS {
        for action in ALL {
            let mut flow = Guarded::new(
                &[Watch::Any; 4],
                |t, y, g| {
                    g[0] = y[0] - 2.0;
                    g[1] = 3.0 * (2.0 - y[0]);
                    g[2] = t * t - 4.0;
                    g[3] = y[0] - 2.5;
                },
                |_, _, _, _| action,
            );
            let mut y = START;
            solver(method).run(&mut flow, 0.0, 3.0, &mut y);
            assert_eq!(flow.seen.len(), 2, "{method:?} {action:?}: {:?}", flow.seen);
            assert_eq!(flow.seen[0].1, [(0, true), (1, false), (2, true)]);
            assert_eq!(flow.seen[1].1, [(3, true)]);
        }
    }
}

#[test]
fn a_guard_that_touches_zero_without_crossing_does_not_fire() {
    for method in METHODS {
        // Exactly zero at t = 1, and never negative.
        let mut flow = Guarded::new(
            &[Watch::Any; 2],
            |t, _, g| {
                g[0] = (t - 1.0) * (t - 1.0);
                g[1] = (t - 1.0).abs();
            },
            |_, _, _, _| Action::Continue,
        );
        let mut y = START;
        let ended = solver(method).run(&mut flow, 0.0, 3.0, &mut y);
        assert_eq!(ended.status, Status::Completed);
        assert!(flow.seen.is_empty(), "{method:?}: {:?}", flow.seen);
    }
}

#[test]
fn a_graze_inside_one_step_is_found_however_shallow() {
    // A parabola of the clock dips below zero by `depth`: two crossings √depth to either side of t = 1.3. The steps are of length about 1.
    for method in METHODS {
        for action in ALL {
            for depth in [1e-2, 1e-5, 1e-8, 1e-11] {
                for watch in [Watch::Any, Watch::Falling, Watch::Rising] {
                    let mut flow = Guarded::new(
                        &[watch],
                        |_, y, g| g[0] = (y[0] - 1.3) * (y[0] - 1.3) - depth,
                        |_, _, _, _| action,
                    );
                    let mut y = START;
                    solver(method).run(&mut flow, 0.0, 3.0, &mut y);
                    let half = f64::sqrt(depth);
                    let expected: Vec<f64> = match watch {
                        Watch::Falling => vec![1.3 - half],
                        Watch::Rising => vec![1.3 + half],
                        _ => vec![1.3 - half, 1.3 + half],
                    };
                    let times = flow.times_of(0);
                    assert_eq!(
                        times.len(),
                        expected.len(),
                        "{method:?} {action:?} {depth} {watch:?}: {times:?}"
                    );
                    for (t, exact) in times.iter().zip(expected) {
                        assert!((t - exact).abs() < 1e-15 / half + 1e-14, "{t} {exact}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_guard_switched_off_by_another_event_does_not_fire() {
    for action in [Action::Resume, Action::Restart { first_step: None }] {
        // Guard 1 would fire a moment after guard 0, in the same step; guard 2 switches it on again later.
        let mut flow = Guarded::new(
            &[Watch::Any; 3],
            |_, y, g| {
                g[0] = y[0] - 1.0;
                g[1] = (y[0] - 1.0001) * (y[0] - 2.5);
                g[2] = y[0] - 2.0;
            },
            |_, _, fired, watch| {
                if fired.contains(0) {
                    watch[1] = Watch::Off;
                }
                if fired.contains(2) {
                    watch[1] = Watch::Any;
                }
                action
            },
        );
        let mut y = START;
        solver(Integrator::Dop853).run(&mut flow, 0.0, 3.0, &mut y);
        let order: Vec<_> = flow.seen.iter().map(|(_, fired)| fired[0].0).collect();
        assert_eq!(order, [0, 2, 1], "{action:?}");
        assert!((flow.seen[2].0 - 2.5).abs() < 1e-13);
    }
}

#[test]
fn a_hundred_thousand_events_in_one_run_are_all_there() {
    // sin(100π t) changes sign 10^5 times in 1000 s.
    for (method, action) in [
        (Integrator::Dop853, Action::Continue),
        (Integrator::Dop853, Action::Restart { first_step: None }),
        (Integrator::Tsit5, Action::Resume),
    ] {
        let mut flow = Guarded::new(
            &[Watch::Any],
            |t, _, g| g[0] = f64::sin(100.0 * std::f64::consts::PI * t),
            |_, _, _, _| action,
        );
        let mut solver = Solver::new(Settings {
            integrator: method,
            max_step: 0.02,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut y = START;
        let ended = solver.run(&mut flow, 0.0, 1000.005, &mut y);
        assert_eq!(ended.status, Status::Completed);
        assert_eq!(flow.seen.len(), 100_000, "{method:?} {action:?}");
        for (k, (t, _)) in flow.seen.iter().enumerate() {
            let exact = (k + 1) as f64 / 100.0;
            assert!((t - exact).abs() < 1e-10, "event {k} at {t}");
        }
    }
}

/// A ball with instantaneous restitution: the k-th bounce of a ball dropped from 1 m has a closed form.
struct Bounces {
    restitution: f64,
    times: Vec<f64>,
}

const G: f64 = 9.81;

impl Flow for Bounces {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -G;
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }
    fn event(&mut self, t: f64, y: &mut [f64], _: &Fired<'_>) -> Action {
        self.times.push(t);
        y[1] *= -self.restitution;
        Action::Restart { first_step: None }
    }
    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch[0] = Watch::Falling;
    }
    fn guard_name(&self, _: usize) -> std::borrow::Cow<'static, str> {
        "height of the ball".into()
    }
}

#[test]
fn a_bouncing_ball_ends_with_an_explanation_and_never_falls_through_the_floor() {
    for restitution in [0.99, 0.9, 0.7, 0.5, 0.3, 0.1, 0.03, 0.01, 0.001] {
        let mut flow = Bounces {
            restitution,
            times: Vec::new(),
        };
        let mut y = [1.0, 0.0];
        let ended = solver(Integrator::Dop853).run(&mut flow, 0.0, 100.0, &mut y);
        let Status::Failed(failure @ Failure::Zeno { .. }) = &ended.status else {
            panic!("e = {restitution}: {:?} at {y:?}", ended.status);
        };
        let text = failure.to_string();
        assert!(
            text.contains("height of the ball") && text.contains("Hint"),
            "{text}"
        );
        // It comes to rest at t1 (1 + e)/(1 − e), t1 = √(2/g).
        let rest = f64::sqrt(2.0 / G) * (1.0 + restitution) / (1.0 - restitution);
        assert!((ended.t / rest - 1.0).abs() < 1e-8, "{} {rest}", ended.t);
        let first = f64::sqrt(2.0 / G);
        for (k, &t) in flow.times.iter().enumerate().take(20) {
            let e = restitution;
            let exact = first * (1.0 + 2.0 * e * (1.0 - e.powi(k as i32)) / (1.0 - e));
            // A height on the way down from 1 m is known to about 1e-16 m, and a rebound at e times the speed turns that into a time.
            let bound = f64::max(1e-12, 4e-15 / e);
            assert!(
                (t / exact - 1.0).abs() < bound,
                "e = {e}, bounce {k}: {t} {exact}"
            );
        }
    }
}

#[test]
fn too_many_events_in_a_short_time_end_the_run() {
    let mut flow = Guarded::new(
        &[Watch::Any],
        |_, y, g| g[0] = f64::sin(1e4 * y[0]),
        |_, _, _, _| Action::Continue,
    );
    let mut solver = Solver::new(Settings {
        max_step: 1e-4,
        zeno: Zeno {
            events: 50,
            within: Some(0.1),
        },
        ..Settings::default()
    })
    .expect("sound settings");
    let mut y = START;
    let ended = solver.run(&mut flow, 0.0, 1.0, &mut y);
    assert!(
        matches!(
            ended.status,
            Status::Failed(Failure::Zeno { events: 51, .. })
        ),
        "{:?}",
        ended.status
    );
    assert_eq!(flow.seen.len(), 50, "the last one is not acted on");
}

#[test]
fn an_event_loop_in_which_time_stands_still_ends() {
    // The action moves the state back across zero again and again.
    let mut flow = Guarded::new(
        &[Watch::Rising],
        |_, y, g| g[0] = y[1] - 0.5,
        |_, y, _, _| {
            y[1] = 0.5 - 1e-12;
            Action::Restart { first_step: None }
        },
    );
    let mut y = START;
    let ended = solver(Integrator::Dop853).run(&mut flow, 0.0, 10.0, &mut y);
    assert!(
        matches!(ended.status, Status::Failed(Failure::Zeno { .. })),
        "{:?}",
        ended.status
    );
}

/// A projection that throws the state across a guard at the end of a step.
struct Projected {
    seen: Vec<f64>,
    calls: usize,
}

impl Flow for Projected {
    fn rhs(&mut self, _t: f64, _y: &[f64], dydt: &mut [f64]) {
        dydt[0] = 1.0;
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0] - 1.0;
    }
    fn event(&mut self, t: f64, _y: &mut [f64], _: &Fired<'_>) -> Action {
        self.seen.push(t);
        Action::Continue
    }
    fn accept(&mut self, t: f64, y: &mut [f64]) -> Accepted {
        self.calls += 1;
        if y[0] > 0.95 && y[0] < 1.0 {
            y[0] = 1.0 + 1e-9;
            return Accepted::Moved;
        }
        let _ = t;
        Accepted::Unchanged
    }
}

#[test]
fn a_guard_crossed_by_a_projection_fires_at_that_point_and_once() {
    let mut flow = Projected {
        seen: Vec::new(),
        calls: 0,
    };
    let mut solver = Solver::new(Settings {
        max_step: 0.04,
        ..Settings::default()
    })
    .expect("sound settings");
    let mut y = [0.0];
    let ended = solver.run(&mut flow, 0.0, 2.0, &mut y);
    assert_eq!(ended.status, Status::Completed);
    assert_eq!(flow.seen.len(), 1, "{:?}", flow.seen);
    assert_eq!(flow.calls as u64, ended.statistics.steps_accepted);
}

#[test]
fn changing_the_state_without_a_restart_is_refused() {
    for action in [Action::Continue, Action::Resume] {
        let mut flow = Guarded::new(
            &[Watch::Any],
            |_, y, g| g[0] = y[0] - 1.0,
            move |_, y, _, _| {
                y[1] = 0.0;
                action
            },
        );
        let mut y = START;
        let ended = solver(Integrator::Dop853).run(&mut flow, 0.0, 3.0, &mut y);
        assert!(
            matches!(ended.status, Status::Failed(Failure::Protocol { .. })),
            "{:?}",
            ended.status
        );
        assert!((ended.t - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_guard_that_becomes_not_a_number_ends_the_run() {
    let mut flow = Guarded::new(
        &[Watch::Any],
        |_, y, g| g[0] = f64::sqrt(1.0 - y[0]) + 1.0,
        |_, _, _, _| Action::Continue,
    );
    let mut y = START;
    let ended = solver(Integrator::Dop853).run(&mut flow, 0.0, 3.0, &mut y);
    let Status::Failed(failure @ Failure::NotFinite { .. }) = ended.status else {
        panic!("{:?}", ended.status)
    };
    assert!(failure.to_string().contains("guard 0"));
}

#[test]
fn strategies_that_do_not_locate_fire_once_at_the_end_of_a_step() {
    for (touch, beyond) in [
        (Touch::SignChange, 0.1),
        (Touch::PenetrationTolerance(1e-6), 1e-6),
    ] {
        let mut flow = Guarded::new(
            &[Watch::Rising],
            |_, y, g| g[0] = y[0] - 1.0,
            |_, _, _, _| Action::Restart { first_step: None },
        );
        let mut solver = Solver::new(Settings {
            touch,
            max_step: 0.1,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut y = START;
        let ended = solver.run(&mut flow, 0.0, 3.05, &mut y);
        assert_eq!(ended.status, Status::Completed);
        assert_eq!(flow.seen.len(), 1);
        let late = flow.seen[0].0 - 1.0;
        assert!(late > 0.0 && late <= beyond, "{touch:?}: {late:e}");
    }
}

#[test]
fn a_root_clock_finds_the_same_events() {
    struct Rooted(Guarded<'static>, Clock);
    impl Flow for Rooted {
        fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
            self.0.rhs(t, y, dydt);
        }
        fn guard_count(&self) -> usize {
            1
        }
        fn guards(&mut self, t: f64, y: &[f64], g: &mut [f64]) {
            self.0.guards(t, y, g);
        }
        fn event(&mut self, t: f64, y: &mut [f64], fired: &Fired<'_>) -> Action {
            self.0.event(t, y, fired)
        }
        fn phase(&mut self, t: f64, y: &[f64], phase: &mut Phase) {
            self.0.phase(t, y, phase);
            phase.clock = self.1;
        }
    }
    for clock in [Clock::Time, Clock::SquareRoot, Clock::FourthRoot] {
        for method in METHODS {
            let mut flow = Rooted(
                Guarded::new(
                    &[Watch::Any],
                    |_, y, g| g[0] = y[1],
                    |_, _, _, _| Action::Restart { first_step: None },
                ),
                clock,
            );
            let mut y = START;
            let mut samples = Vec::new();
            let ended = solver(method).run_with(
                &mut flow,
                0.0,
                10.0,
                &mut y,
                Output::Every(0.5),
                |t, y| samples.push((t, y[1])),
            );
            assert_eq!(ended.status, Status::Completed);
            assert_eq!(ended.t, 10.0);
            assert_eq!(flow.0.seen.len(), 3, "{clock:?} {method:?}");
            assert_eq!(samples.len(), 21);
            for (t, value) in samples {
                assert!(
                    (value - t.sin()).abs() < 1e-7,
                    "{clock:?} {method:?} at {t}: {value}"
                );
            }
            assert!((y[1] - 10.0_f64.sin()).abs() < 1e-7);
        }
    }
}

#[test]
fn a_gentle_cut_keeps_step_and_order_and_a_note_costs_nothing_but_the_location() {
    // Thirty-one zeros of the sine: noted, cut gently, cut hard.
    for method in METHODS
        .into_iter()
        .chain([Integrator::Radau, Integrator::Bdf])
    {
        let run = |action| {
            let mut flow = Guarded::new(&[Watch::Any], |_, y, g| g[0] = y[1], |_, _, _, _| action);
            let mut y = START;
            let ended = solver(method).run(&mut flow, 0.0, 100.0, &mut y);
            assert_eq!(
                (ended.status, flow.seen.len()),
                (Status::Completed, 31),
                "{method:?} {action:?}"
            );
            assert!(
                (y[1] - 100.0_f64.sin()).abs() < 1e-6,
                "{method:?} {action:?}: {}",
                y[1]
            );
            ended.statistics.rhs_evaluations
        };
        let [noted, gentle, hard] = ALL.map(run);
        println!("{method:?}: noted {noted}, gentle {gentle}, hard {hard}");
        assert!(gentle < hard, "{method:?}: gentle {gentle}, hard {hard}");
        assert!(
            noted <= gentle,
            "{method:?}: noted {noted}, gentle {gentle}"
        );
    }
}

#[test]
fn a_guard_that_jumps_is_found_by_every_strategy() {
    for touch in [
        Touch::Located,
        Touch::PenetrationTolerance(1e-6),
        Touch::SignChange,
    ] {
        let mut flow = Guarded::new(
            &[Watch::Rising],
            |t, _, g| g[0] = if t < 1.25 { -1.0 } else { 1.0 },
            |_, _, _, _| Action::Restart { first_step: None },
        );
        let mut solver = Solver::new(Settings {
            touch,
            max_step: 0.1,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut y = START;
        let ended = solver.run(&mut flow, 0.0, 3.0, &mut y);
        assert_eq!(
            (ended.status, flow.seen.len()),
            (Status::Completed, 1),
            "{touch:?}"
        );
        let late = flow.seen[0].0 - 1.25;
        let most = if touch == Touch::SignChange {
            0.1
        } else {
            1e-13
        };
        assert!((0.0..=most).contains(&late), "{touch:?}: {late:e}");
    }
}

#[test]
fn a_hundred_guards_that_dip_in_one_step_all_fire_twice() {
    // The later dips are listed first, and the steps are long.
    for method in METHODS
        .into_iter()
        .chain([Integrator::Auto, Integrator::Radau, Integrator::Bdf])
    {
        for action in ALL {
            const COUNT: usize = 100;
            let mut flow = Guarded::new(
                &[Watch::Any; COUNT],
                |t, _, g| {
                    for (i, g) in g.iter_mut().enumerate() {
                        let middle = 2.9 - 0.028 * i as f64;
                        *g = (t - middle) * (t - middle) - 1e-8;
                    }
                },
                |_, _, _, _| action,
            );
            let mut y = START;
            let ended = solver(method).run(&mut flow, 0.0, 3.0, &mut y);
            assert_eq!(ended.status, Status::Completed);
            for i in 0..COUNT {
                assert_eq!(flow.times_of(i).len(), 2, "{method:?} {action:?} guard {i}");
            }
        }
    }
}

#[test]
fn guards_that_jump_again_and_again_fire_at_every_jump_and_every_zero() {
    for method in METHODS
        .into_iter()
        .chain([Integrator::Radau, Integrator::Bdf])
    {
        for action in ALL {
            // A square wave that jumps at 0.5, 1.0, … 4.5, and a saw that rises through zero at 0.5, 1.5, … and falls by a jump at 1, 2, …
            let mut flow = Guarded::new(
                &[Watch::Any; 2],
                |t, _, g| {
                    g[0] = if (2.0 * t).floor().rem_euclid(2.0) == 0.0 {
                        1.0
                    } else {
                        -1.0
                    };
                    g[1] = t - t.floor() - 0.5;
                },
                |_, _, _, _| action,
            );
            let mut solver = Solver::new(Settings {
                integrator: method,
                max_step: 0.2,
                ..Settings::default()
            })
            .expect("sound settings");
            let mut y = START;
            let ended = solver.run(&mut flow, 0.0, 4.75, &mut y);
            assert_eq!(ended.status, Status::Completed, "{method:?} {action:?}");
            for guard in 0..2 {
                let times = flow.times_of(guard);
                assert_eq!(
                    times.len(),
                    9,
                    "{method:?} {action:?} guard {guard}: {times:?}"
                );
                for (k, t) in times.iter().enumerate() {
                    assert!(
                        (t - 0.5 * (k + 1) as f64).abs() < 1e-13,
                        "{method:?} {action:?}: {times:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_guard_that_starts_a_phase_at_zero_is_not_lost_without_location() {
    for touch in [Touch::PenetrationTolerance(1e-9), Touch::SignChange] {
        let mut flow = Bounces {
            restitution: 0.8,
            times: Vec::new(),
        };
        let mut solver = Solver::new(Settings {
            touch,
            max_step: 1e-3,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut y = [1.0, 0.0];
        // Up to the tenth rebound or so, which are still far apart.
        solver.run(&mut flow, 0.0, 3.5, &mut y);
        assert_eq!(flow.times.len(), 9, "{touch:?}: {:?}", flow.times);
        assert!(y[0] > -1e-3, "{touch:?}: {y:?}");
    }
}

#[test]
fn notes_alone_are_no_crowd_however_late_it_is() {
    // At t = 1e9 s the resolution of time is 1e-7 s: a guard that comes back every 3 ms is still a guard.
    let mut flow = Guarded::new(
        &[Watch::Any],
        |t, _, g| g[0] = f64::sin(1e3 * (t - 1e9)),
        |_, _, _, _| Action::Continue,
    );
    let mut solver = Solver::new(Settings {
        max_step: 1e-3,
        ..Settings::default()
    })
    .expect("sound settings");
    let mut y = START;
    let ended = solver.run(&mut flow, 1e9, 1e9 + 0.1, &mut y);
    assert_eq!((ended.status, flow.seen.len()), (Status::Completed, 31));
}

#[test]
fn no_method_that_starts_exactly_lets_a_bouncing_ball_through_the_floor() {
    // Backward differentiation is left out: it starts anew with a straight line, on which a rebound smaller than the tolerance does not exist.
    for method in METHODS
        .into_iter()
        .chain([Integrator::Auto, Integrator::Radau])
    {
        for restitution in [0.9, 0.5, 0.3] {
            for rtol in [1e-6, 1e-8, 1e-10] {
                let mut flow = Bounces {
                    restitution,
                    times: Vec::new(),
                };
                let mut solver = Solver::new(Settings {
                    integrator: method,
                    rtol,
                    atol: rtol,
                    ..Settings::default()
                })
                .expect("sound settings");
                let mut y = [1.0, 0.0];
                let ended = solver.run(&mut flow, 0.0, 100.0, &mut y);
                assert!(
                    matches!(ended.status, Status::Failed(Failure::Zeno { .. })),
                    "{method:?} e = {restitution} rtol = {rtol}: {:?} at {y:?} after {}",
                    ended.status,
                    flow.times.len()
                );
            }
        }
    }
}

#[test]
fn a_guard_that_jumps_right_after_a_start_at_zero_does_not_halve_the_step_for_ever() {
    // At t = 0 the resolution of time is next to nothing, and the guard is beyond zero however short the step.
    let mut flow = Guarded::new(
        &[Watch::Rising],
        |t, _, g| g[0] = if t > 0.0 { 1.0 } else { -1.0 },
        |_, _, _, _| Action::Restart { first_step: None },
    );
    let mut solver = Solver::new(Settings {
        touch: Touch::PenetrationTolerance(1e-6),
        max_steps: 10_000,
        ..Settings::default()
    })
    .expect("sound settings");
    let mut y = START;
    let ended = solver.run(&mut flow, 0.0, 1.0, &mut y);
    assert_eq!((ended.status, flow.seen.len()), (Status::Completed, 1));
}

/// A ball under constant gravity; at a bounce its height is moved by a hair, as a projection onto constraints does, and the next step is far longer than the flight.
struct Hair {
    hair: f64,
    bounces: Vec<f64>,
    moved: bool,
}

impl Flow for Hair {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -10.0;
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }
    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch[0] = Watch::Falling;
    }
    fn event(&mut self, t: f64, y: &mut [f64], _fired: &Fired<'_>) -> Action {
        self.bounces.push(t);
        y[1] *= -0.5;
        self.moved = true;
        Action::Restart {
            first_step: Some(10.0),
        }
    }
    fn accept(&mut self, _t: f64, y: &mut [f64]) -> Accepted {
        if std::mem::take(&mut self.moved) {
            y[0] += self.hair;
            return Accepted::Moved;
        }
        Accepted::Unchanged
    }
}

#[test]
fn a_flight_much_shorter_than_the_step_ends_in_its_own_touch_wherever_a_projection_left_its_start()
{
    // Flights last 2 v/g, and v halves: from 5 m the touches are at 1, 2, 2.5, 2.75 … s.
    let mut known = vec![1.0];
    for k in 0..9 {
        known.push(known[k] + 0.5_f64.powi(k as i32));
    }
    for hair in [0.0, 1e-13, -1e-13, 1e-11, -1e-11] {
        let mut flow = Hair {
            hair,
            bounces: Vec::new(),
            moved: false,
        };
        let mut y = [5.0, 0.0];
        let ended = solver(Integrator::Dop853).run(&mut flow, 0.0, 2.9999, &mut y);
        assert_eq!(ended.status, Status::Completed);
        assert!(flow.bounces.len() >= 10, "{hair:e}: {:?}", flow.bounces);
        for (found, known) in flow.bounces.iter().zip(&known) {
            assert!((found - known).abs() < 1e-8, "{hair:e}: {found} {known}");
        }
    }
}

/// So many guards that all cross within one step, and somebody who gives up after some questions.
struct Impatient {
    asked: usize,
    gives_up_after: usize,
    looked: usize,
    looked_when_it_gave_up: Option<usize>,
    accepted: usize,
}

/// How many there are.
const CROWD: usize = 200;

impl Flow for Impatient {
    fn rhs(&mut self, _t: f64, _y: &[f64], dydt: &mut [f64]) {
        dydt[0] = 1.0;
    }
    fn guard_count(&self) -> usize {
        CROWD
    }
    fn guards(&mut self, t: f64, _y: &[f64], g: &mut [f64]) {
        self.looked += 1;
        for (i, g) in g.iter_mut().enumerate() {
            // Later and later ones come first, so that all are searched for.
            *g = 0.9 - 1e-3 * i as f64 - t - 0.1 * (7.0 * t).sin();
        }
    }
    fn accept(&mut self, _t: f64, _y: &mut [f64]) -> Accepted {
        self.accepted += 1;
        Accepted::Unchanged
    }
    fn goes_on(&mut self) -> bool {
        self.asked += 1;
        if self.asked > self.gives_up_after {
            self.looked_when_it_gave_up.get_or_insert(self.looked);
            return false;
        }
        true
    }
}

#[test]
fn a_search_among_many_guards_is_broken_off_where_the_last_step_ended() {
    let run = |gives_up_after: usize| {
        let mut flow = Impatient {
            asked: 0,
            gives_up_after,
            looked: 0,
            looked_when_it_gave_up: None,
            accepted: 0,
        };
        let mut solver = Solver::new(Settings {
            first_step: Some(1.0),
            ..Settings::default()
        })
        .expect("sound");
        let mut y = [0.0];
        let ended = solver.run(&mut flow, 0.0, 1.0, &mut y);
        (ended, y, flow)
    };
    let (ended, _, patient) = run(usize::MAX);
    assert_eq!(ended.status, Status::Completed);
    // One root takes some evaluations of all guards: the whole search takes hundreds of times that.
    assert!(patient.asked > CROWD && patient.looked > 10 * CROWD / 2);
    let (ended, y, flow) = run(20);
    assert_eq!(ended.status, Status::Stopped);
    assert_eq!((ended.t, y, flow.accepted), (0.0, [0.0], 0));
    assert_eq!(Some(flow.looked), flow.looked_when_it_gave_up);
    assert!(
        flow.looked < patient.looked / 4,
        "{} {}",
        flow.looked,
        patient.looked
    );
}
