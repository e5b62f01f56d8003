//! The integration loop allocates nothing: a run that is ten times longer, with ten times the steps and events, makes exactly as many allocations, and a solver used again makes none.

use carom::solve::{
    Action, Fired, Flow, Integrator, Output, Phase, Settings, Solver, Status, Watch,
};

/// An oscillator whose slope changes side at every zero of its position, with two more guards that come and go.
struct Busy {
    events: u64,
}

impl Flow for Busy {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -y[0] * if y[0] > 0.0 { 4.0 } else { 1.0 };
    }
    fn guard_count(&self) -> usize {
        3
    }
    fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
        g[1] = y[1];
        g[2] = y[0] - 0.999_999;
    }
    fn event(&mut self, _t: f64, _y: &mut [f64], fired: &Fired<'_>) -> Action {
        self.events += 1;
        if fired.contains(0) {
            Action::Restart { first_step: None }
        } else if fired.contains(1) {
            Action::Resume
        } else {
            Action::Continue
        }
    }
    fn phase(&mut self, _t: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch[2] = if self.events.is_multiple_of(3) {
            Watch::Rising
        } else {
            Watch::Any
        };
    }
}

#[test]
fn the_integration_loop_allocates_nothing() {
    for integrator in [
        Integrator::Auto,
        Integrator::Dop853,
        Integrator::Tsit5,
        Integrator::Adams,
        Integrator::Radau,
        Integrator::Bdf,
        Integrator::Rk4 { step: 0.01 },
        Integrator::Verlet { step: 0.01 },
    ] {
        let mut solver = Solver::new(Settings {
            integrator,
            rtol: 1e-6,
            ..Settings::default()
        })
        .expect("sound settings");
        let mut run = |end: f64| {
            let mut flow = Busy { events: 0 };
            let mut y = [0.0, 1.0];
            let mut handed = 0;
            let mut completed = false;
            let counted = allocation_counter::measure(|| {
                let ended =
                    solver.run_with(&mut flow, 0.0, end, &mut y, Output::Every(0.1), |_, _| {
                        handed += 1
                    });
                completed = ended.status == Status::Completed;
            });
            assert!(
                completed && flow.events > 5 && handed > 50,
                "{integrator:?}: {} events",
                flow.events
            );
            counted.count_total
        };
        let first = run(10.0);
        assert!(
            first > 0,
            "{integrator:?}: the first run makes the buffers, so the counter works"
        );
        assert_eq!(run(10.0), 0, "{integrator:?}: a second run");
        assert_eq!(run(200.0), 0, "{integrator:?}: a run twenty times as long");
    }
}
