//! How does a prescribed number follow from time (or from another number), with two derivatives?

use std::fmt;
use std::sync::Arc;

use crate::math;
use crate::mechanics::spline::Spline;

/// Where all but tables are known.
pub(crate) const EVERYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A function of one variable with its first and second derivative. Drivers and curves need both; forces only the value.
#[derive(Clone)]
pub enum Function {
    /// The same number always.
    Constant(f64),
    /// `start` + `speed` x: a motor at constant speed.
    Linear {
        /// Value at x = 0.
        start: f64,
        /// Slope.
        speed: f64,
    },
    /// c0 + c1 x + c2 x² + …
    Polynomial(Vec<f64>),
    /// `mean` + `amplitude` sin(`omega` x + `phase`).
    Harmonic {
        /// The value it swings about.
        mean: f64,
        /// How far it swings.
        amplitude: f64,
        /// Angular frequency, rad per unit of x.
        omega: f64,
        /// Phase, rad.
        phase: f64,
    },
    /// A table, joined by a curve with continuous second derivative.
    Spline(Spline),
    /// Anything else: value, first and second derivative at x. It must not allocate, and must give the same answer every time.
    Other(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

impl Function {
    /// Zero always.
    pub const ZERO: Function = Function::Constant(0.0);

    /// Value, first and second derivative.
    #[inline]
    pub fn at(&self, x: f64) -> [f64; 3] {
        match self {
            Function::Constant(value) => [*value, 0.0, 0.0],
            Function::Linear { start, speed } => [start + speed * x, *speed, 0.0],
            Function::Polynomial(terms) => {
                // Horner's scheme, differentiated twice.
                let [value, first, half] = terms.iter().rev().fold([0.0; 3], |[f, d, h], term| {
                    [f * x + term, d * x + f, h * x + d]
                });
                [value, first, 2.0 * half]
            }
            Function::Harmonic {
                mean,
                amplitude,
                omega,
                phase,
            } => {
                let (sin, cos) = math::sin_cos(omega * x + phase);
                let swing = amplitude * sin;
                [
                    mean + swing,
                    amplitude * omega * cos,
                    -omega * omega * swing,
                ]
            }
            Function::Spline(spline) => spline.at(x),
            Function::Other(function) => function(x),
        }
    }

    /// The value alone.
    #[inline]
    pub fn value(&self, x: f64) -> f64 {
        self.at(x)[0]
    }

    /// Whether it may differ from its neighbourhood on a short stretch only, so that a long step can miss it: a table or a formula of any kind.
    pub fn could_pulse(&self) -> bool {
        matches!(self, Function::Spline(_) | Function::Other(_))
    }

    /// Where it is known: beyond, a table goes on with its last piece, and the caller should say so.
    pub fn domain(&self) -> [f64; 2] {
        match self {
            Function::Spline(spline) if !spline.is_periodic() => spline.domain(),
            _ => EVERYWHERE,
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Constant(value) => write!(f, "Constant({value})"),
            Function::Linear { start, speed } => write!(f, "Linear({start} + {speed} x)"),
            Function::Polynomial(terms) => write!(f, "Polynomial({terms:?})"),
            Function::Harmonic {
                mean,
                amplitude,
                omega,
                phase,
            } => write!(f, "Harmonic({mean} + {amplitude} sin({omega} x + {phase}))"),
            Function::Spline(spline) => spline.fmt(f),
            Function::Other(_) => write!(f, "Other"),
        }
    }
}

impl From<f64> for Function {
    fn from(value: f64) -> Self {
        Function::Constant(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_its_derivatives() {
        let cubic = Function::Polynomial(vec![1.0, -2.0, 0.5, 3.0]);
        // 1 − 2·2 + 0.5·4 + 3·8, −2 + 2 + 9·4, 1 + 18·2.
        assert_eq!(cubic.at(2.0), [23.0, 36.0, 37.0]);
        assert_eq!(Function::Polynomial(Vec::new()).at(2.0), [0.0; 3]);
        let line = Function::Linear {
            start: 1.0,
            speed: 5.0,
        };
        assert_eq!(line.at(2.0), [11.0, 5.0, 0.0]);
        let swing = Function::Harmonic {
            mean: 1.0,
            amplitude: 2.0,
            omega: 3.0,
            phase: 0.4,
        };
        let other = Function::Other(Arc::new(|x: f64| {
            let a = 3.0 * x + 0.4;
            [1.0 + 2.0 * a.sin(), 6.0 * a.cos(), -18.0 * a.sin()]
        }));
        for k in 0..20 {
            let x = 0.1 * f64::from(k);
            for (a, b) in swing.at(x).iter().zip(other.at(x)) {
                assert!((a - b).abs() < 1e-14);
            }
        }
    }
}
