//! How does a force from outside follow from time and from the motion?

use std::fmt;
use std::sync::Arc;

use crate::mechanics::frame::Pose;
use crate::mechanics::function::Function;

/// A function of time (s) and of the poses of all bodies.
type Motion = dyn Fn(f64, &[Pose]) -> f64 + Send + Sync;

/// A number that follows from time (s) and from where the bodies are and how they move.
#[derive(Clone)]
pub enum Input {
    /// From time alone.
    Time(Function),
    /// From time and the poses of all bodies. It must not allocate, and must give the same answer every time.
    Motion(Arc<Motion>),
}

impl Input {
    /// Zero always.
    pub const ZERO: Input = Input::Time(Function::ZERO);

    /// A number that follows from time (s) and the poses.
    pub fn motion(function: impl Fn(f64, &[Pose]) -> f64 + Send + Sync + 'static) -> Self {
        Input::Motion(Arc::new(function))
    }

    /// Its value at time `t` (s).
    #[inline]
    pub fn value(&self, t: f64, poses: &[Pose]) -> f64 {
        match self {
            Input::Time(function) => function.value(t),
            Input::Motion(function) => function(t, poses),
        }
    }

    /// Whether it is known to be zero always.
    pub fn is_zero(&self) -> bool {
        matches!(self, Input::Time(Function::Constant(0.0)))
    }

    /// From when to when it is known, s ([`Function::domain`]).
    pub fn domain(&self) -> [f64; 2] {
        match self {
            Input::Time(function) => function.domain(),
            Input::Motion(_) => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Time(function) => function.fmt(f),
            Input::Motion(_) => write!(f, "Motion"),
        }
    }
}

impl From<Function> for Input {
    fn from(function: Function) -> Self {
        Input::Time(function)
    }
}

impl From<f64> for Input {
    fn from(value: f64) -> Self {
        Input::Time(Function::Constant(value))
    }
}
