//! How does Dormand–Prince 8(5,3) step?
//!
//! Twelve stages of order 8, error estimated by a fifth- and a third-order formula together, dense output of order 7 for three more evaluations
//! (Hairer, Nørsett, Wanner 1993, sections II.5 and II.6). The slope at the far end is the first stage of the next step.

mod coefficients;

use super::control::{Controller, Worst};
use super::method::{Attempt, Ends, Method, Slope, Tolerance};
use super::one_step::{OneStep, linear};
use crate::math;
use coefficients::*;

/// The stepper.
pub(crate) struct Dop853 {
    at: OneStep,
    controller: Controller,
    stages: Stages<Vec<f64>>,
    /// Stages 14 to 16 and the point at which they are evaluated, for the dense output.
    extra: [Vec<f64>; 3],
    point: Vec<f64>,
    /// Rows of the dense output.
    rows: [Vec<f64>; 7],
    dense_ready: bool,
}

impl Dop853 {
    /// A stepper for `n` components.
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            at: OneStep::new(n),
            controller: Controller::new(8, 0.02, 0.9, 1.0 / 3.0, 6.0).of_squares(),
            stages: Stages {
                k: std::array::from_fn(|_| zeros()),
                point: zeros(),
            },
            extra: std::array::from_fn(|_| zeros()),
            point: zeros(),
            rows: std::array::from_fn(|_| zeros()),
            dense_ready: false,
        }
    }

    /// h·|λ| along the direction of the last two stages (Hairer, Wanner 1996, section IV.2). The method is stable up to about 6.1. After an accepted attempt.
    pub fn stiffness(&self) -> f64 {
        let (mut above, mut below) = (0.0, 0.0);
        let (k12, point) = (&self.stages.k[10], &self.stages.point);
        for i in 0..point.len() {
            above += (self.at.f1[i] - k12[i]) * (self.at.f1[i] - k12[i]);
            below += (self.at.y1[i] - point[i]) * (self.at.y1[i] - point[i]);
        }
        if below > 0.0 {
            self.at.h * math::sqrt(above / below)
        } else {
            0.0
        }
    }

    /// The stages of a small flow, in registers rather than in memory: an impact has two components, and a third of its time would go into moving them about.
    #[inline(always)]
    fn small<const N: usize, S: Slope>(
        &mut self,
        slope: &mut S,
        tolerance: Tolerance<'_>,
    ) -> Worst {
        let mut stages = Stages {
            k: [[0.0; N]; 11],
            point: [0.0; N],
        };
        let (mut y0, mut f0, mut y1) = ([0.0; N], [0.0; N], [0.0; N]);
        y0.copy_from_slice(&self.at.y0);
        f0.copy_from_slice(&self.at.f0);
        let near = (self.at.s, &y0[..], &f0[..]);
        let worst = stages.compute(slope, near, self.at.h, &mut y1, tolerance);
        for (kept, k) in self.stages.k.iter_mut().zip(&stages.k) {
            kept.copy_from_slice(k);
        }
        self.stages.point.copy_from_slice(&stages.point);
        self.at.y1.copy_from_slice(&y1);
        worst
    }
}

/// The stages of a step.
struct Stages<B> {
    /// Stages 2 to 12; stages 1 and 13 are the slopes at the ends.
    k: [B; 11],
    /// The point of stage 12, kept for the stiffness estimate.
    point: B,
}

impl<B: AsMut<[f64]>> Stages<B> {
    /// Computes the stages of a step `h` from the near end (s, y0, slope there), writes the far end, and gives the square of its largest error.
    #[inline(always)]
    fn compute<S: Slope>(
        &mut self,
        slope: &mut S,
        (s, y0, k01): (f64, &[f64], &[f64]),
        h: f64,
        y1: &mut [f64],
        tolerance: Tolerance<'_>,
    ) -> Worst {
        let n = y1.len();
        let (y0, k01) = (&y0[..n], &k01[..n]);
        let stage = &mut self.point.as_mut()[..n];
        let [k02, k03, k04, k05, k06, k07, k08, k09, k10, k11, k12] =
            self.k.each_mut().map(|k| &mut k.as_mut()[..n]);
        linear!(n, stage = y0 + h * [A02_01 k01]);
        slope.eval(s + C02 * h, stage, k02);
        linear!(n, stage = y0 + h * [A03_01 k01; A03_02 k02]);
        slope.eval(s + C03 * h, stage, k03);
        linear!(n, stage = y0 + h * [A04_01 k01; A04_03 k03]);
        slope.eval(s + C04 * h, stage, k04);
        linear!(n, stage = y0 + h * [A05_01 k01, A05_03 k03; A05_04 k04]);
        slope.eval(s + C05 * h, stage, k05);
        linear!(n, stage = y0 + h * [A06_01 k01, A06_04 k04; A06_05 k05]);
        slope.eval(s + C06 * h, stage, k06);
        linear!(n, stage = y0 + h * [A07_01 k01, A07_04 k04, A07_05 k05; A07_06 k06]);
        slope.eval(s + C07 * h, stage, k07);
        linear!(n, stage = y0 + h * [A08_01 k01, A08_04 k04, A08_05 k05, A08_06 k06; A08_07 k07]);
        slope.eval(s + C08 * h, stage, k08);
        linear!(n, stage = y0 + h * [A09_01 k01, A09_04 k04, A09_05 k05, A09_06 k06, A09_07 k07; A09_08 k08]);
        slope.eval(s + C09 * h, stage, k09);
        linear!(n, stage = y0 + h * [A10_01 k01, A10_04 k04, A10_05 k05, A10_06 k06, A10_07 k07, A10_08 k08; A10_09 k09]);
        slope.eval(s + C10 * h, stage, k10);
        linear!(n, stage = y0 + h * [A11_01 k01, A11_04 k04, A11_05 k05, A11_06 k06, A11_07 k07, A11_08 k08, A11_09 k09; A11_10 k10]);
        slope.eval(s + C11 * h, stage, k11);
        linear!(n, stage = y0 + h * [A12_01 k01, A12_04 k04, A12_05 k05, A12_06 k06, A12_07 k07, A12_08 k08, A12_09 k09, A12_10 k10; A12_11 k11]);
        slope.eval(s + h, stage, k12);
        linear!(n, y1 = y0 + h * [B01 k01, B06 k06, B07 k07, B08 k08, B09 k09, B10 k10, B11 k11; B12 k12]);

        let mut worst = Worst::default();
        for i in 0..n {
            // The point of stage 12 is the far end but for its last digits, and known earlier.
            let unit = h / tolerance.scale(i, y0[i], stage[i]);
            let e5 = unit
                * linear!(i, [E5_01 k01, E5_06 k06, E5_07 k07, E5_08 k08, E5_09 k09, E5_10 k10, E5_11 k11, E5_12 k12]);
            let e3 = unit
                * linear!(i, [E3_01 k01, E3_06 k06, E3_07 k07, E3_08 k08, E3_09 k09, E3_10 k10, E3_11 k11, E3_12 k12]);
            // Both estimates together behave like one of order 8, e5²/√(e5² + e3²/100); where they vanish, so does the error.
            let (square, both) = (e5 * e5, e5 * e5 + 0.01 * e3 * e3);
            worst.see(
                i,
                if both == 0.0 {
                    0.0
                } else {
                    square * square / both
                },
            );
        }
        worst
    }
}

impl Method for Dop853 {
    const LIGHT: bool = true;

    fn first_order(&self) -> u32 {
        8
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.at.begin(slope, s, y);
        self.controller.forget();
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        self.dense_ready = false;
        self.at.h = h;
        let worst = match self.at.y0.len() {
            1 => self.small::<1, S>(slope, tolerance),
            2 => self.small::<2, S>(slope, tolerance),
            3 => self.small::<3, S>(slope, tolerance),
            4 => self.small::<4, S>(slope, tolerance),
            _ => {
                let at = &mut self.at;
                let near = (at.s, &at.y0[..], &at.f0[..]);
                self.stages.compute(slope, near, h, &mut at.y1, tolerance)
            }
        };
        let attempt = self.controller.judge(worst, h);
        if attempt.accepted {
            slope.eval(self.at.s + h, &self.at.y1, &mut self.at.f1);
            if let Some(component) = self.at.f1.iter().position(|f| !f.is_finite()) {
                let error = f64::NAN;
                return self.controller.judge(Worst { error, component }, h);
            }
        }
        attempt
    }

    fn commit(&mut self) {
        self.controller.commit();
        self.at.commit();
    }

    fn here(&self) -> &[f64] {
        &self.at.f0
    }

    fn ends(&self) -> Ends<'_> {
        self.at.ends()
    }

    fn prepare_dense<S: Slope>(&mut self, slope: &mut S) {
        if std::mem::replace(&mut self.dense_ready, true) {
            return;
        }
        let n = self.point.len();
        let (s, h) = (self.at.s, self.at.h);
        let [_, _, _, _, k06, k07, k08, k09, k10, k11, k12] = &self.stages.k;
        let [k14, k15, k16] = &mut self.extra;
        let (y0, y1, k01, k13) = (&self.at.y0, &self.at.y1, &self.at.f0, &self.at.f1);
        let point = &mut self.point;
        linear!(n, point = y0 + h * [A14_01 k01, A14_07 k07, A14_08 k08, A14_09 k09, A14_10 k10, A14_11 k11, A14_12 k12; A14_13 k13]);
        slope.eval(s + C14 * h, point, k14);
        linear!(n, point = y0 + h * [A15_01 k01, A15_06 k06, A15_07 k07, A15_08 k08, A15_11 k11, A15_12 k12, A15_13 k13; A15_14 k14]);
        slope.eval(s + C15 * h, point, k15);
        linear!(n, point = y0 + h * [A16_01 k01, A16_06 k06, A16_07 k07, A16_08 k08, A16_09 k09, A16_13 k13, A16_14 k14; A16_15 k15]);
        slope.eval(s + C16 * h, point, k16);
        let [r1, r2, r3, r4, r5, r6, r7] = &mut self.rows;
        for i in 0..n {
            let change = y1[i] - y0[i];
            r1[i] = change;
            r2[i] = h * k01[i] - change;
            r3[i] = 2.0 * change - h * (k01[i] + k13[i]);
            r4[i] = h
                * linear!(i, [D4_01 k01, D4_06 k06, D4_07 k07, D4_08 k08, D4_09 k09, D4_10 k10, D4_11 k11, D4_12 k12, D4_13 k13, D4_14 k14, D4_15 k15, D4_16 k16]);
            r5[i] = h
                * linear!(i, [D5_01 k01, D5_06 k06, D5_07 k07, D5_08 k08, D5_09 k09, D5_10 k10, D5_11 k11, D5_12 k12, D5_13 k13, D5_14 k14, D5_15 k15, D5_16 k16]);
            r6[i] = h
                * linear!(i, [D6_01 k01, D6_06 k06, D6_07 k07, D6_08 k08, D6_09 k09, D6_10 k10, D6_11 k11, D6_12 k12, D6_13 k13, D6_14 k14, D6_15 k15, D6_16 k16]);
            r7[i] = h
                * linear!(i, [D7_01 k01, D7_06 k06, D7_07 k07, D7_08 k08, D7_09 k09, D7_10 k10, D7_11 k11, D7_12 k12, D7_13 k13, D7_14 k14, D7_15 k15, D7_16 k16]);
        }
    }

    fn dense(&self, theta: f64, y: &mut [f64]) {
        if theta == 1.0 {
            y.copy_from_slice(&self.at.y1);
            return;
        }
        let [r1, r2, r3, r4, r5, r6, r7] = &self.rows;
        let (x, z) = (theta, 1.0 - theta);
        for i in 0..y.len() {
            y[i] = self.at.y0[i]
                + x * (r1[i]
                    + z * (r2[i]
                        + x * (r3[i] + z * (r4[i] + x * (r5[i] + z * (r6[i] + x * r7[i]))))));
        }
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], _: Tolerance<'_>) {
        self.controller.commit();
        self.at.cut(slope, theta, y);
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.at.moved(slope, y);
    }
}
