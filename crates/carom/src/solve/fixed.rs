//! How do the fixed-step methods step?
//!
//! For many bodies, where every step serves many contacts at once and no instant is located. Neither estimates its error; the dense output is the cubic through both ends.

use super::method::{Attempt, Ends, Method, Slope, Tolerance};
use super::one_step::{OneStep, cubic_weights};

/// How a fixed-step method gets from one end of the step to the other.
pub(crate) trait Rule {
    /// Buffers for `n` components.
    fn new(n: usize) -> Self;
    /// Writes `y1` and `f1`.
    fn advance<S: Slope>(&mut self, slope: &mut S, at: &mut OneStep);
}

/// A fixed-step method with the given rule.
pub(crate) struct Fixed<R> {
    at: OneStep,
    rule: R,
}

impl<R: Rule> Fixed<R> {
    /// A stepper for `n` components.
    pub fn new(n: usize) -> Self {
        Self {
            at: OneStep::new(n),
            rule: R::new(n),
        }
    }
}

/// The classical Runge–Kutta method of order 4 (Kutta 1901).
pub(crate) struct Rk4 {
    k: [Vec<f64>; 3],
    stage: Vec<f64>,
}

impl Rule for Rk4 {
    fn new(n: usize) -> Self {
        Self {
            k: std::array::from_fn(|_| vec![0.0; n]),
            stage: vec![0.0; n],
        }
    }

    fn advance<S: Slope>(&mut self, slope: &mut S, at: &mut OneStep) {
        let n = self.stage.len();
        let (s, h) = (at.s, at.h);
        let [k2, k3, k4] = &mut self.k;
        let stage = &mut self.stage;
        for i in 0..n {
            stage[i] = at.y0[i] + 0.5 * h * at.f0[i];
        }
        slope.eval(s + 0.5 * h, stage, k2);
        for i in 0..n {
            stage[i] = at.y0[i] + 0.5 * h * k2[i];
        }
        slope.eval(s + 0.5 * h, stage, k3);
        for i in 0..n {
            stage[i] = at.y0[i] + h * k3[i];
        }
        slope.eval(s + h, stage, k4);
        for i in 0..n {
            at.y1[i] = at.y0[i] + h / 6.0 * (at.f0[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        slope.eval(s + h, &at.y1, &mut at.f1);
    }
}

/// Velocity Verlet for a state made of positions and then as many velocities, whose slope is velocities and then accelerations. One evaluation a step, order 2.
///
/// The acceleration at the far end is taken with the velocity predicted there, so that forces that depend on velocity keep the order too.
pub(crate) struct Verlet;

impl Rule for Verlet {
    fn new(_: usize) -> Self {
        Self
    }

    fn advance<S: Slope>(&mut self, slope: &mut S, at: &mut OneStep) {
        let half = at.y0.len() / 2;
        let h = at.h;
        for i in 0..half {
            let (v, a) = (at.y0[half + i], at.f0[half + i]);
            at.y1[i] = at.y0[i] + h * (v + 0.5 * h * a);
            at.y1[half + i] = v + h * a;
        }
        slope.eval(at.s + h, &at.y1, &mut at.f1);
        for i in 0..half {
            let (v, a0, a1) = (at.y0[half + i], at.f0[half + i], at.f1[half + i]);
            at.y1[half + i] = v + 0.5 * h * (a0 + a1);
            at.f1[i] = at.y1[half + i];
        }
    }
}

impl<R: Rule> Method for Fixed<R> {
    const FIXED: bool = true;

    fn first_order(&self) -> u32 {
        1
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.at.begin(slope, s, y);
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, _: Tolerance<'_>) -> Attempt {
        self.at.h = h;
        self.rule.advance(slope, &mut self.at);
        let broken = self.at.y1.iter().position(|y| !y.is_finite());
        Attempt {
            accepted: broken.is_none(),
            reached: true,
            error: if broken.is_some() { f64::NAN } else { 0.0 },
            worst: broken.unwrap_or(0),
            next: h,
        }
    }

    fn commit(&mut self) {
        self.at.commit();
    }

    fn here(&self) -> &[f64] {
        &self.at.f0
    }

    fn ends(&self) -> Ends<'_> {
        self.at.ends()
    }

    fn prepare_dense<S: Slope>(&mut self, _: &mut S) {}

    fn dense(&self, theta: f64, y: &mut [f64]) {
        self.at.ends().cubic(cubic_weights(theta), y);
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], _: Tolerance<'_>) {
        self.at.cut(slope, theta, y);
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.at.moved(slope, y);
    }
}
