//! How is a free impact put to the integrator when only the restitution is asked for?
//!
//! For F = K δ^n (1 + h v/v0) + c δ^p v the motion in the root of the indentation, δ = x^q (see `motion`), is x′ = v, v′ = −q (K x^a (1 + h v/v0) + c x^b v)/m with a = qn + q − 1 and
//! b = qp + q − 1. For the usual exponents these are whole numbers: no root, no general power is left.

use std::borrow::Cow;

use crate::contact::{Damper, Elastic, Separation, Touch};
use crate::math;
use crate::solve::{Action, Fired, Flow, Phase, Watch};

use super::motion::{extent, is_stiff, root, scales};

/// A power of x, continued beyond zero.
#[derive(Clone, Copy)]
enum Power {
    Whole(i32),
    /// |x|^a, with the sign of x if odd.
    General {
        a: f64,
        odd: bool,
    },
}

impl Power {
    fn new(a: f64, odd: bool) -> Self {
        // Exponents come from a handful of quarters: what is whole is exactly so.
        if a == a.round() && a.abs() < 32.0 {
            Self::Whole(a as i32)
        } else {
            Self::General { a, odd }
        }
    }

    #[inline]
    fn of(self, x: f64) -> f64 {
        match self {
            Self::Whole(1) => x,
            Self::Whole(2) => x * x,
            Self::Whole(4) => (x * x) * (x * x),
            Self::Whole(n) => math::powi(x, n),
            Self::General { a, odd } => {
                let power = math::powf(x.abs(), a);
                if odd && x < 0.0 { -power } else { power }
            }
        }
    }
}

/// The motion; y = [x, v].
pub(super) struct Quick {
    elastic: f64,
    a: Power,
    per_speed: f64,
    damping: f64,
    b: Power,
    /// Of x in the elastic force over δ^p.
    force: Power,
    by_force: bool,
    scale: [f64; 2],
    span: f64,
    patience: f64,
    rtol: f64,
}

impl Quick {
    /// `None` if the force has another shape.
    pub fn new(touch: &Touch, rtol: f64) -> Option<Self> {
        let Elastic::Power { k, n } = *touch.elastic() else {
            return None;
        };
        let (per_speed, c, p) = match *touch.damper() {
            Damper::None => (0.0, 0.0, 0.0),
            Damper::Factor { per_speed } => (per_speed, 0.0, 0.0),
            Damper::Power { c, p } => (0.0, c, p.value()),
            _ => return None,
        };
        if is_stiff(touch) {
            return None;
        }
        let by_force = match touch.separation() {
            Separation::ZeroIndentation => false,
            Separation::ZeroForce => c != 0.0 && p < n.value(),
            Separation::PermanentIndentation => return None,
        };
        let q = root(touch);
        let (depth, _) = scales(touch);
        let extent = extent(depth, q);
        let q = f64::from(q);
        let odd = c != 0.0;
        let span = 2.943 * extent / touch.v0();
        Some(Self {
            elastic: -q * k / touch.mass(),
            a: Power::new(q * n.value() + q - 1.0, odd),
            per_speed,
            damping: -q * c / touch.mass(),
            b: Power::new(q * p + q - 1.0, odd),
            force: Power::new(q * (n.value() - p), false),
            by_force,
            scale: [extent, touch.v0()],
            span,
            patience: 1e5 * span,
            rtol,
        })
    }

    pub fn start(&self) -> [f64; 2] {
        [0.0, self.scale[1]]
    }

    pub fn first_step(&self) -> f64 {
        self.span / 20.0
    }

    /// A σ by which every contact that ends has ended.
    pub fn patience(&self) -> f64 {
        self.patience
    }
}

impl Flow for Quick {
    #[inline]
    fn rhs(&mut self, _sigma: f64, y: &[f64], dydt: &mut [f64]) {
        let (x, v) = (y[0], y[1]);
        let mut slope = self.elastic * self.a.of(x) * (1.0 + self.per_speed * v);
        if self.damping != 0.0 {
            slope += self.damping * self.b.of(x) * v;
        }
        dydt[0] = v;
        dydt[1] = slope;
    }

    fn guard_count(&self) -> usize {
        1 + usize::from(self.by_force)
    }

    #[inline]
    fn guards(&mut self, _sigma: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
        if self.by_force {
            // Beyond zero only the damper is left, which pulls: the guard stays below zero and cannot be missed between two steps.
            let elastic = if y[0] > 0.0 {
                self.elastic * self.force.of(y[0])
            } else {
                0.0
            };
            g[1] = -(elastic + self.damping * y[1]);
        }
    }

    fn event(&mut self, _sigma: f64, _y: &mut [f64], _fired: &Fired<'_>) -> Action {
        Action::Stop
    }

    fn phase(&mut self, _sigma: f64, _y: &[f64], phase: &mut Phase) {
        phase.watch.fill(Watch::Falling);
        phase.atol[0] = self.rtol * self.scale[0];
        phase.atol[1] = self.rtol * self.scale[1];
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(["the indentation", "the rate of indentation"][i.min(1)])
    }

    fn guard_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(["the indentation", "the separation"][i.min(1)])
    }
}
