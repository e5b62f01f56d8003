//! How is a free impact put to the integrator when only the restitution is asked for?
//!
//! For F = K δ^n (1 + h v/v0) + c δ^p v the motion in the root of the indentation, δ = x^q (see `motion`), is x′ = v, v′ = −q (K x^a (1 + h v/v0) + c x^b v)/m with a = qn + q − 1 and
//! b = qp + q − 1. With q = 2/(n + 1) the elastic energy is a parabola and a = 1: the spring is linear whatever n, no power is left, and half the steps are enough. That serves
//! dampers that are a factor of the elastic force, and those of linear oscillators in disguise (b = 0). For the others q is the whole number of `motion`, which makes a and b whole for the usual
//! exponents. Time itself is not asked for here: with q < 1 it would be singular at touch.

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
            Self::Whole(0) => 1.0,
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
    /// Whether the spring is linear, and the damper a factor of it or linear too.
    foreseen: bool,
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
            // The elastic force times the rate is a factor of it.
            Damper::Power { c, p } if p == n => (c / k, 0.0, 0.0),
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
        let (depth, _) = scales(touch);
        let odd = c != 0.0;
        // The exponents of x: of the spring, of the damper, and of the elastic force over δ^p.
        let whole = match p {
            _ if c == 0.0 => Some([1, 0, 0]),
            p if p == 0.5 * (n.value() - 1.0) => Some([1, 0, 1]),
            _ => None,
        };
        let energetic = whole.is_some();
        let (q, extent, [a, b, force]) = match whole {
            Some(powers) => {
                let q = 2.0 / (n.value() + 1.0);
                (q, math::powf(depth, 1.0 / q), powers.map(Power::Whole))
            }
            None => {
                let whole = root(touch);
                let q = f64::from(whole);
                let powers = [
                    Power::new(q * n.value() + q - 1.0, odd),
                    Power::new(q * p + q - 1.0, odd),
                    Power::new(q * (n.value() - p), false),
                ];
                (q, extent(depth, whole), powers)
            }
        };
        let span = 2.943 * extent / touch.v0();
        Some(Self {
            elastic: -q * k / touch.mass(),
            a,
            per_speed,
            damping: -q * c / touch.mass(),
            b,
            force,
            by_force,
            scale: [extent, touch.v0()],
            span,
            patience: 1e5 * span,
            // The steps of a linear oscillator are the longest of all, and the end is a matter of the acceleration.
            rtol: if c != 0.0 && energetic {
                0.5 * rtol
            } else {
                rtol
            },
            foreseen: energetic,
        })
    }

    pub fn start(&self) -> [f64; 2] {
        [0.0, self.scale[1]]
    }

    /// A step that is rarely too long: of 10^5 impacts with restitutions of 0.05 to 1 the second was longer.
    pub fn first_step(&self) -> f64 {
        0.95 * self.span * math::powf(self.rtol, 0.125)
    }

    /// A σ by which every contact that ends has ended.
    pub fn patience(&self) -> f64 {
        self.patience
    }
}

impl Flow for Quick {
    #[inline(always)]
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

    /// The last step ends just behind the end of the contact: there the dense output is as good as the step, and far inside a long one it is not. What ends it (the indentation, or the force where that counts) comes
    /// back like a sine, in tan⁻¹(u)/u of what its slope says, with u = ω times that; a little later where a damper holds it up.
    #[inline]
    fn longest_step(&self, _sigma: f64, y: &[f64]) -> f64 {
        let (x, v) = (y[0], y[1]);
        if !self.foreseen || v >= 0.0 {
            return f64::INFINITY;
        }
        let left = if self.by_force {
            let slope = self.elastic * x + self.damping * v;
            -slope / (self.elastic * v + self.damping * slope)
        } else {
            -x / v
        };
        let square = -self.elastic * (1.0 + self.per_speed * v) * left * left;
        let share = 1.0 + 0.28 * square + 0.5 * self.damping * left;
        if left > 0.0 && square < 1.0 && share > 0.3 {
            1.03 * left / share
        } else {
            f64::INFINITY
        }
    }

    fn component_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(["the indentation", "the rate of indentation"][i.min(1)])
    }

    fn guard_name(&self, i: usize) -> Cow<'static, str> {
        Cow::Borrowed(["the indentation", "the separation"][i.min(1)])
    }
}

#[cfg(test)]
mod tests {
    use crate::card::Values;
    use crate::contact::{self, Calibration, Law, Restitution};
    use crate::impact::{Lab, begin, known};

    #[test]
    fn the_quick_way_returns_what_formulas_say_and_costs_no_more_than_it_did() {
        // Mean evaluations over twenty restitutions at rtol 1e-9; with the whole root of `motion` they were 350 for flores with the exponent 3/2.
        for (id, n, most) in [
            ("flores", 1.5, 220.0),
            ("flores", 1.1, 220.0),
            ("flores", 2.0, 220.0),
            ("hunt-crossley", 1.5, 175.0),
            ("hertz", 1.5, 105.0),
            ("tsuji", 1.5, 170.0),
        ] {
            let card = contact::find(id).expect("known");
            let mut lab = Lab::new(1e-9).expect("sound");
            let mut evaluations = 0;
            for i in 1..=20 {
                let e = Restitution::Number(0.05 * f64::from(i));
                let mut values = Values::new().number("stiffness", 3e9);
                if id != "tsuji" {
                    values.set_number("exponent", n);
                }
                let law = Law::new(card, &values, Some(e.clone()), Calibration::Published);
                let touch = begin(&law.expect("sound"), 0.3, 0.046).expect("begins");
                let free = lab.free(id, &touch).expect("ends");
                let formula = known(&touch).restitution.expect("there is one");
                let off = (free.restitution - formula).abs();
                assert!(off < 6e-10, "{id}, n = {n}, {e:?}: off by {off:e}");
                evaluations += free.evaluations;
            }
            let mean = evaluations as f64 / 20.0;
            assert!(mean <= most, "{id}, n = {n}: {mean} evaluations");
        }
    }
}
