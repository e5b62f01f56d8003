//! What can be chosen about an integration?

use super::outcome::Invalid;

/// Everything that can be chosen. Times are in the flow's unit of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The stepping method.
    pub integrator: Integrator,
    /// Relative tolerance of every component that has none of its own; 1e-14 to 0.1.
    pub rtol: f64,
    /// Absolute tolerance of every component that has none of its own, in the component's unit; not negative.
    pub atol: f64,
    /// Tolerances of all components of a kind, in place of the general ones.
    pub kinds: Vec<KindTolerance>,
    /// The first step to try; `None`: estimated.
    pub first_step: Option<f64>,
    /// The largest step.
    pub max_step: f64,
    /// The smallest step, below the largest; zero: the resolution of time. A step chosen for other reasons than the error is never shorter.
    pub min_step: f64,
    /// The largest number of steps, accepted and rejected ones together.
    pub max_steps: u64,
    /// How the instant of an event is found.
    pub touch: Touch,
    /// At how many points inside a step the guards are looked at, 0 to 100, so that two crossings in one step do not hide each other.
    pub guard_samples: usize,
    /// When events are too many in too short a time.
    pub zeno: Zeno,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            integrator: Integrator::Dop853,
            rtol: 1e-8,
            atol: 1e-10,
            kinds: Vec::new(),
            first_step: None,
            max_step: f64::INFINITY,
            min_step: 0.0,
            max_steps: 100_000_000,
            touch: Touch::Located,
            guard_samples: 3,
            zeno: Zeno::default(),
        }
    }
}

/// The tolerances of all components of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct KindTolerance {
    /// The kind, as [`Flow::component_kind`](super::Flow::component_kind) names it.
    pub kind: String,
    /// Relative tolerance; zero, or 1e-14 to 0.1.
    pub rtol: f64,
    /// Absolute tolerance, in the components' unit.
    pub atol: f64,
}

/// A stepping method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// Dormand–Prince 8(5,3), and Radau IIA-5 for as long as the flow is seen to be stiff. A stiff mode that rings with little damping is not seen: that takes [`Integrator::Radau`].
    Auto,
    /// Dormand–Prince 8(5,3): explicit, dense output of order 7. The default.
    Dop853,
    /// Tsitouras 5(4): explicit, cheaper for loose tolerances.
    Tsit5,
    /// Adams predictor–corrector of variable order 1–12 and variable step: fewest evaluations on smooth flows, dearer to start anew after an event.
    Adams,
    /// Radau IIA of order 5: implicit, for stiff phases.
    Radau,
    /// Backward differentiation of variable order 1–5: implicit; cheaper than Radau for large stiff flows that do not ring, poor where they do. It starts anew with a straight line after
    /// an event, so that motions smaller than the tolerance are lost there.
    Bdf,
    /// Classical Runge–Kutta of order 4 with a fixed step; events are seen at the ends of steps.
    Rk4 {
        /// The step, in the unit of time; a first step and a largest step of the settings do not apply.
        step: f64,
    },
    /// Velocity Verlet with a fixed step, for states of positions and then as many velocities; events are seen at the ends of steps.
    Verlet {
        /// The step, in the unit of time; a first step and a largest step of the settings do not apply.
        step: f64,
    },
}

/// How the instant of an event is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// By a root on the dense output.
    Located,
    /// A step whose end is beyond zero by more than the tolerance, in the guards' unit, is rejected and halved until it is not (Flores et al. 2006, section 5); the event is at the end of the step.
    PenetrationTolerance(f64),
    /// At the end of the step in which the sign changed, however far beyond.
    SignChange,
}

/// When events are too many in too short a time.
///
/// Whatever these numbers, a guard that cuts a step twice in the same direction within 32768 units in the last place of time ends the run too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zeno {
    /// More than this many events, at least 2, …
    pub events: u64,
    /// … within this time; `None`: one thousand-millionth of the span.
    pub within: Option<f64>,
}

impl Default for Zeno {
    fn default() -> Self {
        Self {
            events: 1000,
            within: None,
        }
    }
}

impl Settings {
    /// Everything that is wrong with the settings.
    pub fn faults(&self) -> Vec<Invalid> {
        let mut faults = Vec::new();
        let mut check = |fine: bool, name: &str, value: f64, allowed: &str| {
            if !fine {
                faults.push(Invalid::new(name, value, allowed));
            }
        };
        let rtol = |r: f64| (1e-14..=0.1).contains(&r);
        let atol = |a: f64| a >= 0.0 && a.is_finite();
        check(rtol(self.rtol), "rtol", self.rtol, "between 1e-14 and 0.1");
        check(atol(self.atol), "atol", self.atol, "a number, not negative");
        for kind in &self.kinds {
            let name = &kind.kind;
            check(
                kind.rtol == 0.0 || rtol(kind.rtol),
                &format!("rtol of {name}"),
                kind.rtol,
                "zero, or between 1e-14 and 0.1",
            );
            check(
                atol(kind.atol),
                &format!("atol of {name}"),
                kind.atol,
                "a number, not negative",
            );
            check(
                kind.rtol > 0.0 || kind.atol > 0.0,
                &format!("atol of {name}"),
                kind.atol,
                "positive where rtol is zero",
            );
        }
        if let Some(first) = self.first_step {
            check(
                first > 0.0 && first.is_finite(),
                "first_step",
                first,
                "a positive number",
            );
        }
        check(self.max_step > 0.0, "max_step", self.max_step, "positive");
        check(
            self.min_step >= 0.0 && self.min_step < self.max_step,
            "min_step",
            self.min_step,
            "not negative and below max_step",
        );
        check(
            self.max_steps > 0,
            "max_steps",
            self.max_steps as f64,
            "positive",
        );
        check(
            self.guard_samples <= 100,
            "guard_samples",
            self.guard_samples as f64,
            "at most 100",
        );
        check(
            self.zeno.events > 1,
            "zeno.events",
            self.zeno.events as f64,
            "at least 2",
        );
        if let Some(within) = self.zeno.within {
            check(
                within >= 0.0 && within.is_finite(),
                "zeno.within",
                within,
                "a number, not negative",
            );
        }
        if let Touch::PenetrationTolerance(tolerance) = self.touch {
            check(
                tolerance > 0.0 && tolerance.is_finite(),
                "penetration tolerance",
                tolerance,
                "a positive number",
            );
        }
        if let Integrator::Rk4 { step } | Integrator::Verlet { step } = self.integrator {
            check(
                step > 0.0 && step.is_finite(),
                "step",
                step,
                "a positive number",
            );
        }
        faults
    }
}
