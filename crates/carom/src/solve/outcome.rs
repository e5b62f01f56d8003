//! How did a run end, and what did it cost?

use std::fmt;

use crate::card::rounded;

/// How a run ended. Whatever was computed before the end has been handed over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Completed, stopped or failed.
    pub status: Status,
    /// The time reached. The state handed to the run is the one at this time.
    pub t: f64,
    /// What it cost.
    pub statistics: Statistics,
}

/// Completed, stopped or failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The end of the span was reached.
    Completed,
    /// An event's action answered [`Action::Stop`](super::Action::Stop).
    Stopped,
    /// Why the run could not go on.
    Failed(Failure),
}

impl Status {
    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Status::Failed(failure) => Some(failure),
            _ => None,
        }
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Evaluations of the right-hand side: all steps, rejected ones too, Jacobians and event location.
    pub rhs_evaluations: u64,
    /// Evaluations spent only on output the caller asked for.
    pub output_evaluations: u64,
    /// Steps accepted, whole or cut by an event.
    pub steps_accepted: u64,
    /// Steps rejected.
    pub steps_rejected: u64,
    /// Jacobian matrices evaluated.
    pub jacobians: u64,
    /// Matrices factorised.
    pub factorisations: u64,
    /// Instants at which guards fired.
    pub events: u64,
}

/// Why a run could not go on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The settings, the span or the start make no sense; nothing was integrated.
    Invalid(Invalid),
    /// The tolerance asks for a step too short for the resolution of time or for the smallest step allowed.
    StepTooSmall {
        /// Time reached.
        t: f64,
        /// The step that would have been next.
        step: f64,
        /// The smallest step allowed there.
        smallest: f64,
        /// The component that asks for it.
        component: String,
        /// Its error in units of what is tolerated; not finite if the trial was not.
        error: f64,
    },
    /// The largest number of steps was used up.
    TooManySteps {
        /// Time reached.
        t: f64,
        /// The last step.
        step: f64,
        /// The number of steps allowed.
        steps: u64,
        /// The component with the largest error in the last step.
        component: String,
    },
    /// The right-hand side or a guard is not a finite number at an accepted point, or a fixed step led to one that is not.
    NotFinite {
        /// Time.
        t: f64,
        /// What is not finite.
        what: String,
    },
    /// Events crowd together faster than time goes on.
    Zeno {
        /// Time reached.
        t: f64,
        /// The guards that fired last.
        guards: String,
        /// How many events there were …
        events: u64,
        /// … in this time.
        within: f64,
    },
    /// The flow broke the rules of the [`Flow`](super::Flow) trait.
    Protocol {
        /// Time.
        t: f64,
        /// What it did.
        what: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Invalid(invalid) => invalid.fmt(f),
            Failure::StepTooSmall {
                t,
                step,
                smallest,
                component,
                error,
            } => {
                write!(
                    f,
                    "at t = {} the step would have to be {step:.3e}, below the smallest allowed, {smallest:e}; ",
                    rounded(*t)
                )?;
                if error.is_finite() {
                    write!(f, "{component} has {error:.3} times the error tolerated. ")?;
                    write!(
                        f,
                        "Hint: loosen the tolerance of {component}, or look for a jump in its right-hand side that no guard watches"
                    )
                } else {
                    write!(
                        f,
                        "{component} is not a finite number in every trial step. Hint: look for a division by zero, or a power of a negative number, just after this time"
                    )
                }
            }
            Failure::TooManySteps {
                t,
                step,
                steps,
                component,
            } => write!(
                f,
                "{steps} steps were taken up to t = {}, the last of {step:.3e}; {component} decides their size. \
                 Hint: allow more steps, loosen its tolerance, or, if it is stiff (the steps stay short while nothing moves), use an implicit method",
                rounded(*t)
            ),
            Failure::NotFinite { t, what } => write!(
                f,
                "at t = {} {what} is not a finite number. Hint: check the start and the parameters; with a fixed step, try a shorter one",
                rounded(*t)
            ),
            Failure::Zeno {
                t,
                guards,
                events,
                within,
            } => write!(
                f,
                "{events} events within {within:.3e} at t = {} ({guards}): they crowd together and time does not go on. \
                 Hint: let the event's action bring the parts to rest below a least speed, or switch the guard off",
                rounded(*t)
            ),
            Failure::Protocol { t, what } => write!(f, "at t = {} the flow {what}", rounded(*t)),
        }
    }
}

impl std::error::Error for Failure {}

/// A setting that makes no sense: its name, its value and what is allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    /// The name of the setting.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl Invalid {
    pub(crate) fn new(
        name: impl Into<String>,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is {}, but must be {}",
            self.name, self.value, self.allowed
        )
    }
}

impl std::error::Error for Invalid {}
