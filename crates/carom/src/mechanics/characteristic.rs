//! Which force belongs to the length of a spring and to its rate, and what does it store and waste?
//!
//! The same for lengths (m, N) and for angles (rad, N m).

use crate::math;
use crate::mechanics::fault::{Fault, finite, not_negative};
use crate::mechanics::function::{EVERYWHERE, Function};

/// The part of a spring that gives back what it takes.
#[derive(Clone, Debug)]
pub(crate) enum Characteristic {
    /// k (x − x₀).
    Linear { stiffness: f64, free: f64 },
    /// f(x); what is stored counts from x₀.
    Curve { force: Function, from: f64 },
}

impl Characteristic {
    /// A straight one, checked.
    pub fn linear(
        element: &'static str,
        stiffness: (f64, &'static str),
        free: f64,
    ) -> Result<Self, Fault> {
        let (stiffness, unit) = stiffness;
        finite(element, "stiffness", stiffness, unit)?;
        Ok(Self::Linear { stiffness, free })
    }

    /// A curve, checked: it must be a number where its energy counts from.
    pub fn curve(
        element: &'static str,
        force: Function,
        from: f64,
        [unit, force_unit]: [&'static str; 2],
    ) -> Result<Self, Fault> {
        finite(element, "where the stored energy counts from", from, unit)?;
        let there = force.value(from);
        finite(
            element,
            "the force where the stored energy counts from",
            there,
            force_unit,
        )?;
        Ok(Self::Curve { force, from })
    }

    /// The force at x.
    #[inline]
    pub fn force(&self, x: f64) -> f64 {
        match self {
            Self::Linear { stiffness, free } => stiffness * (x - free),
            Self::Curve { force, .. } => force.value(x),
        }
    }

    /// The energy stored at x, J. Of a curve that is no table this is an integration: not for the loop.
    pub fn stored(&self, x: f64) -> f64 {
        match self {
            Self::Linear { stiffness, free } => 0.5 * stiffness * (x - free) * (x - free),
            Self::Curve { force, from } => force.integral(*from, x),
        }
    }

    /// See [`Function::domain`].
    pub fn domain(&self) -> [f64; 2] {
        match self {
            Self::Linear { .. } => EVERYWHERE,
            Self::Curve { force, .. } => force.domain(),
        }
    }

    /// See [`Function::could_pulse`].
    pub fn could_pulse(&self) -> bool {
        matches!(self, Self::Curve { force, .. } if force.could_pulse())
    }
}

/// The part of a spring that turns energy into heat.
#[derive(Clone, Debug)]
pub enum Damping {
    /// c times the rate: c in N s/m, or N m s/rad.
    Linear(f64),
    /// A force (N, or N m) as a function of the rate (m/s, or rad/s), never against its sign.
    Curve(Function),
}

impl From<f64> for Damping {
    fn from(coefficient: f64) -> Self {
        Damping::Linear(coefficient)
    }
}

impl From<Function> for Damping {
    fn from(force: Function) -> Self {
        Damping::Curve(force)
    }
}

impl Damping {
    /// Refuses what would drive: a negative coefficient, or a curve that somewhere on probes from 1e-9 to 1e4 of the rate (within a table) has the force against the rate's sign.
    pub(crate) fn checked(
        self,
        element: &'static str,
        [unit, force_unit, rate_unit]: [&'static str; 3],
    ) -> Result<Self, Fault> {
        match &self {
            Damping::Linear(coefficient) => not_negative(element, "damping", *coefficient, unit)?,
            Damping::Curve(curve) => {
                let [low, high] = curve.domain();
                let ends = [low, high].into_iter().filter(|end| end.is_finite());
                // Four probes an octave, both ways.
                let probes = (0..172).flat_map(|k: i32| {
                    let octave = 1e-9 * math::powi(2.0, k / 4);
                    let rate = octave * (1.0 + 0.25 * f64::from(k % 4));
                    [rate, -rate]
                });
                let inside = probes.filter(|rate| *rate >= low && *rate <= high);
                for rate in inside.chain(ends) {
                    let force = curve.value(rate);
                    // A NaN is refused as well.
                    if !(force * rate >= 0.0 && force.is_finite()) {
                        return Err(Fault::Drives {
                            element,
                            force,
                            force_unit,
                            rate,
                            rate_unit,
                        });
                    }
                }
            }
        }
        Ok(self)
    }

    /// The force at a rate, against it.
    #[inline]
    pub(crate) fn force(&self, rate: f64) -> f64 {
        match self {
            Damping::Linear(coefficient) => coefficient * rate,
            Damping::Curve(curve) => curve.value(rate),
        }
    }

    /// Whether there is any.
    pub(crate) fn is_any(&self) -> bool {
        match self {
            Damping::Linear(coefficient) => *coefficient > 0.0,
            Damping::Curve(curve) => !matches!(curve, Function::Constant(0.0)),
        }
    }

    /// See [`Function::domain`].
    pub(crate) fn domain(&self) -> [f64; 2] {
        match self {
            Damping::Linear(_) => EVERYWHERE,
            Damping::Curve(curve) => curve.domain(),
        }
    }

    /// See [`Function::could_pulse`].
    pub(crate) fn could_pulse(&self) -> bool {
        matches!(self, Damping::Curve(curve) if curve.could_pulse())
    }
}
