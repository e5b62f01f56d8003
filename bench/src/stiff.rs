//! Which stiff problems have a solution that is known?

use carom::math;
use carom::solve::Flow;

use crate::Problem;

/// van der Pol's oscillator in the slow time: x′ = v, v′ = μ² ((1 − x²) v − x) from (2, 0); y = [x, v].
///
/// The problem VDPOL of Hairer and Wanner 1996, IV.10, has μ² = 1e6.
#[derive(Clone, Debug)]
pub struct VanDerPol {
    /// The parameter μ.
    pub mu: f64,
}

impl Default for VanDerPol {
    fn default() -> Self {
        VanDerPol { mu: 1e3 }
    }
}

impl VanDerPol {
    /// The smallest zero of the Airy function Ai(−a).
    const AIRY: f64 = 2.338107410459767;

    /// Where the slow branch that began at x = 2 is after the time `s`: ln x − x²/2 = ln 2 − 2 + s, by Newton's method.
    fn slow(s: f64) -> Vec<f64> {
        let right = std::f64::consts::LN_2 - 2.0 + s;
        let mut x: f64 = 2.0;
        for _ in 0..60 {
            let step = (x.ln() - 0.5 * x * x - right) / (1.0 / x - x);
            x = (x - step).max(1.0 + 1e-12);
            if step.abs() < 1e-16 {
                break;
            }
        }
        vec![x, x / (1.0 - x * x)]
    }
}

impl Flow for VanDerPol {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = self.mu * self.mu * ((1.0 - y[0] * y[0]) * y[1] - y[0]);
    }
    fn depends(&self, row: usize, column: usize) -> bool {
        row == 1 || column == 1
    }
}

impl Problem for VanDerPol {
    fn name(&self) -> &'static str {
        "van der Pol"
    }
    fn start(&self) -> Vec<f64> {
        vec![2.0, 0.0]
    }
    fn end(&self) -> f64 {
        2.0
    }
    /// Known at t = 2, after two jumps, and for μ ≥ 1e6 on the first slow branch too.
    ///
    /// μ = 1e3: Mazzia and Magherini 2008, test set for IVP solvers, problem VDPOL. An implicit Runge–Kutta method of order 5 at rtol 3e-14 gives 1.70616773217041 and −0.89280970102487:
    /// the published digits hold to about 1e-13.
    /// μ ≥ 1e6: singular perturbation. Each passage of the fold comes late by a·μ^(−4/3) and lands a/3·μ^(−4/3) beyond −2 (Dorodnitsyn 1947; a is the first zero of Ai), so at t = 2 the clock of
    /// the slow branch is late by 3a·μ^(−4/3); what is left out is of the order of ln μ / μ², 1e-11. At μ = 1e3 the same formula gives 1.7061726, 5e-6 from the published value: that order.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let branch = 1.5 - std::f64::consts::LN_2;
        if self.mu == 1e3 && t == 2.0 {
            Some(vec![1.706167732170483, -0.8928097010247975])
        } else if self.mu >= 1e6 && t == 2.0 {
            Some(Self::slow(
                t - 2.0 * branch - 3.0 * Self::AIRY * self.mu.powf(-4.0 / 3.0),
            ))
        } else if self.mu >= 1e6 && t > 1e-6 && t < 0.75 {
            Some(Self::slow(t))
        } else {
            None
        }
    }
}

/// Robertson's reactions; y = [A, B, C].
#[derive(Clone, Debug, Default)]
pub struct Robertson;

impl Flow for Robertson {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let (slow, back, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
        dydt[0] = back - slow;
        dydt[1] = slow - back - fast;
        dydt[2] = fast;
    }
    fn depends(&self, row: usize, column: usize) -> bool {
        row != 2 || column == 1
    }
}

impl Robertson {
    /// The very late time of the test set, s.
    pub const LATE: f64 = 1e11;
}

impl Problem for Robertson {
    fn name(&self) -> &'static str {
        "Robertson"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0, 0.0, 0.0]
    }
    fn end(&self) -> f64 {
        40.0
    }
    /// Known at t = 40: an implicit Runge–Kutta method of order 5 (SciPy 1.17 Radau, exact Jacobian) at rtol 1e-11, 1e-12 and 3e-14, which agree to 2e-15; and at t = 1e11:
    /// Mazzia and Magherini 2008, test set for IVP solvers, problem ROBER, with which the same method agrees to 2e-11.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        if t == 40.0 {
            Some(vec![
                0.715827068719405,
                9.18553476455777e-6,
                0.28416374574583,
            ])
        } else if t == Self::LATE {
            Some(vec![
                2.083340149701255e-8,
                8.333360770334713e-14,
                0.999999979166505,
            ])
        } else {
            None
        }
    }
}

/// Prothero and Robinson's test, y′ = λ (y − cos t) − sin t from 1: the solution is cos t whatever λ is.
#[derive(Clone, Debug)]
pub struct ProtheroRobinson {
    /// The stiffness λ < 0, 1/s.
    pub lambda: f64,
}

impl Default for ProtheroRobinson {
    fn default() -> Self {
        ProtheroRobinson { lambda: -1e6 }
    }
}

impl Flow for ProtheroRobinson {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = self.lambda * (y[0] - carom::math::cos(t)) - carom::math::sin(t);
    }
}

impl Problem for ProtheroRobinson {
    fn name(&self) -> &'static str {
        "Prothero-Robinson"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0]
    }
    fn end(&self) -> f64 {
        10.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        Some(vec![t.cos()])
    }
}

/// A linear system with the rates −1 and −1000 from (1, 0): y₁ = 2e^(−t) − e^(−1000t), y₂ = −e^(−t) + e^(−1000t).
#[derive(Clone, Debug, Default)]
pub struct TwoRates;

impl Flow for TwoRates {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = 998.0 * y[0] + 1998.0 * y[1];
        dydt[1] = -999.0 * y[0] - 1999.0 * y[1];
    }
}

impl Problem for TwoRates {
    fn name(&self) -> &'static str {
        "two rates"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0, 0.0]
    }
    fn end(&self) -> f64 {
        2.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let (slow, fast) = ((-t).exp(), (-1000.0 * t).exp());
        Some(vec![2.0 * slow - fast, fast - slow])
    }
}

/// A stiff mode that rings, −50 ± 10⁴ i, on a slow motion: x″ + 100 x′ + 10⁸ x = (10⁸ − 1) cos t − 100 sin t from x = 1, x′ = 0; x = cos t. Off its solution it swings 10⁴ times a
/// second, like a stiff spring with little damping.
#[derive(Clone, Debug, Default)]
pub struct Ringing;

impl Flow for Ringing {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = 1e8 * (math::cos(t) - y[0]) - 100.0 * (y[1] + math::sin(t)) - math::cos(t);
    }
}

impl Problem for Ringing {
    fn name(&self) -> &'static str {
        "ringing"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0, 0.0]
    }
    fn end(&self) -> f64 {
        2.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        Some(vec![t.cos(), -t.sin()])
    }
}
