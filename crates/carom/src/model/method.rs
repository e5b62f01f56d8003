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
    /// The longest step of time stepping, s; steps are made to fall on the samples. `None`: it is chosen when the mechanism is assembled, and stands in its model from then on.
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

impl Method {
    /// What restitution means, as it stands in files and results.
    pub fn restitution_name(&self) -> &'static str {
        // Time stepping knows speeds only.
        match self.hypothesis {
            _ if self.contact == ContactMethod::TimeStepping => "newton",
            Hypothesis::Newton => "newton",
            Hypothesis::Poisson => "poisson",
            Hypothesis::Stronge => "stronge",
        }
    }

    /// How blows at one instant follow each other, as it stands in files and results.
    pub fn order_name(&self) -> &'static str {
        match self.order {
            Order::Together => "together",
            Order::InTurns => "in-turns",
        }
    }

    /// How the problem of a step is solved, as it stands in files and results.
    pub fn solver_name(&self) -> &'static str {
        match self.solver {
            StepSolver::Cone => "cone",
            StepSolver::Lcp => "lcp",
        }
    }

    /// In one line for people: the way, and what was chosen with it.
    pub fn words(&self) -> String {
        let restitution = match self.restitution_name() {
            "newton" => "restitution of speeds (Newton)",
            "poisson" => "restitution of impulses (Poisson)",
            _ => "restitution of energies (Stronge)",
        };
        match self.contact {
            ContactMethod::Compliant => "compliant: forces that follow from the indentation".into(),
            ContactMethod::Piecewise => format!(
                "piecewise: impulses at located instants; {restitution}; blows at one instant {}",
                match self.order {
                    Order::Together => "together",
                    Order::InTurns => "in turns",
                }
            ),
            ContactMethod::TimeStepping => format!(
                "time-stepping: impulses over steps of {}; {restitution}; solver {}",
                match self.step {
                    Some(step) => format!("{step:.3e} s"),
                    None => "fixed length".into(),
                },
                self.solver_name()
            ),
        }
    }
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
