//! How are contacts computed: as forces that follow from the indentation, as impulses at an instant, or step by step?

use crate::impulse::{Hypothesis, Order};

/// How contacts are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactMethod {
    /// By forces that follow from the indentation.
    #[default]
    Compliant,
    /// By impulses at located instants, and constraints while bodies stay together.
    Piecewise,
    /// By impulses over steps of fixed length.
    TimeStepping,
}

impl ContactMethod {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Compliant, Self::Piecewise, Self::TimeStepping];

    /// As it stands in files, results and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compliant => "compliant",
            Self::Piecewise => "piecewise",
            Self::TimeStepping => "time-stepping",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// How the problem of one step is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepSolver {
    /// Contact by contact, again and again, on the cone of friction.
    #[default]
    Cone,
    /// All at once as a linear complementarity problem, by pivots.
    Lcp,
}

/// How contacts are computed, and with which settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Which way.
    pub contact: ContactMethod,
    /// What restitution means where bodies strike each other at an instant.
    pub hypothesis: Hypothesis,
    /// How bodies that strike each other at the same instant follow each other.
    pub order: Order,
    /// The step of time stepping, s; `None` is a thousandth of the time of the run, or its output step if that is shorter.
    pub step: Option<f64>,
    /// Where between its ends a step takes forces: 0.5 is the middle, 1 the end.
    pub theta: f64,
    /// How the problem of a step is solved.
    pub solver: StepSolver,
    /// The most sweeps over all contacts of a step.
    pub iterations: u64,
    /// When sweeps end: what they change of a speed, as a part of the largest one.
    pub tolerance: f64,
}

impl Default for Method {
    fn default() -> Self {
        Self {
            contact: ContactMethod::Compliant,
            hypothesis: Hypothesis::Stronge,
            order: Order::Together,
            step: None,
            theta: 0.5,
            solver: StepSolver::Cone,
            iterations: 1000,
            tolerance: 1e-10,
        }
    }
}
