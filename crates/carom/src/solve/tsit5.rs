//! How does Tsitouras 5(4) step?
//!
//! Seven stages of order 5, the last being the first of the next step, with a fourth-order error estimate and a dense output of order 4 that costs nothing
//! (Tsitouras 2011, Comput. Math. Appl. 62, 770; the coefficients are the paper's).

use super::control::{Controller, Worst};
use super::method::{Attempt, Ends, Method, Slope, Tolerance};
use super::one_step::{OneStep, linear};

const C2: f64 = 0.161;
const C3: f64 = 0.327;
const C4: f64 = 0.9;
const C5: f64 = 0.980_025_540_904_509_7;
const A21: f64 = 0.161;
const A31: f64 = -0.008_480_655_492_356_989;
const A32: f64 = 0.335_480_655_492_357;
const A41: f64 = 2.897_153_057_105_493_5;
const A42: f64 = -6.359_448_489_975_075;
const A43: f64 = 4.362_295_432_869_581_5;
const A51: f64 = 5.325_864_828_439_257;
const A52: f64 = -11.748_883_564_062_828;
const A53: f64 = 7.495_539_342_889_837;
const A54: f64 = -0.092_495_066_361_755_25;
const A61: f64 = 5.861_455_442_946_42;
const A62: f64 = -12.920_969_317_847_11;
const A63: f64 = 8.159_367_898_576_159;
const A64: f64 = -0.071_584_973_281_400_99;
const A65: f64 = -0.028_269_050_394_068_383;
const B1: f64 = 0.096_460_766_818_065_23;
const B2: f64 = 0.01;
const B3: f64 = 0.479_889_650_414_499_57;
const B4: f64 = 1.379_008_574_103_741_9;
const B5: f64 = -3.290_069_515_436_081;
const B6: f64 = 2.324_710_524_099_774;
// The weights less those of the fourth-order formula.
const E1: f64 = 0.001_780_011_052_225_777;
const E2: f64 = 0.000_816_434_459_656_746_9;
const E3: f64 = -0.007_880_878_010_261_996;
const E4: f64 = 0.144_711_007_173_262_9;
const E5: f64 = -0.582_357_165_452_555_2;
const E6: f64 = 0.458_082_105_929_186_97;
const E7: f64 = -0.015_151_515_151_515_152;

/// The stepper.
pub(crate) struct Tsit5 {
    at: OneStep,
    controller: Controller,
    /// Stages 2 to 6; stages 1 and 7 are the slopes at the ends.
    k: [Vec<f64>; 5],
    stage: Vec<f64>,
}

impl Tsit5 {
    /// A stepper for `n` components.
    pub fn new(n: usize) -> Self {
        Self {
            at: OneStep::new(n),
            controller: Controller::new(5, 0.04, 0.9, 0.2, 10.0).doubting_first_steps(10.0),
            k: std::array::from_fn(|_| vec![0.0; n]),
            stage: vec![0.0; n],
        }
    }
}

impl Method for Tsit5 {
    const WEAK_DENSE: bool = true;
    const LIGHT: bool = true;

    fn first_order(&self) -> u32 {
        5
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.at.begin(slope, s, y);
        self.controller.forget();
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        self.at.h = h;
        let n = self.stage.len();
        let s = self.at.s;
        let [k2, k3, k4, k5, k6] = &mut self.k;
        let (y0, k1) = (&self.at.y0[..n], &self.at.f0[..n]);
        let (y1, k7) = (&mut self.at.y1[..n], &mut self.at.f1[..n]);
        let stage = &mut self.stage[..n];
        let (k2, k3, k4) = (&mut k2[..n], &mut k3[..n], &mut k4[..n]);
        let (k5, k6) = (&mut k5[..n], &mut k6[..n]);
        linear!(n, stage = y0 + h * [A21 k1]);
        slope.eval(s + C2 * h, stage, k2);
        linear!(n, stage = y0 + h * [A31 k1; A32 k2]);
        slope.eval(s + C3 * h, stage, k3);
        linear!(n, stage = y0 + h * [A41 k1, A42 k2; A43 k3]);
        slope.eval(s + C4 * h, stage, k4);
        linear!(n, stage = y0 + h * [A51 k1, A52 k2, A53 k3; A54 k4]);
        slope.eval(s + C5 * h, stage, k5);
        linear!(n, stage = y0 + h * [A61 k1, A62 k2, A63 k3, A64 k4; A65 k5]);
        slope.eval(s + h, stage, k6);
        linear!(n, y1 = y0 + h * [B1 k1, B2 k2, B3 k3, B4 k4, B5 k5; B6 k6]);
        slope.eval(s + h, y1, k7);

        let mut worst = Worst::default();
        for i in 0..n {
            let unit = h / tolerance.scale(i, y0[i], y1[i]);
            let error = linear!(i, [E1 k1, E2 k2, E3 k3, E4 k4, E5 k5, E6 k6, E7 k7]);
            worst.see(i, unit * error);
        }
        self.controller.judge(worst, h)
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

    fn prepare_dense<S: Slope>(&mut self, _: &mut S) {}

    fn dense(&self, theta: f64, y: &mut [f64]) {
        if theta == 1.0 {
            y.copy_from_slice(&self.at.y1);
            return;
        }
        let x = theta;
        let xx = self.at.h * x * x;
        let b1 = -1.053_088_497_729_021_6
            * self.at.h
            * x
            * (x - 1.329_989_018_975_141_2)
            * (x * x - 1.436_402_854_171_635_1 * x + 0.713_981_691_707_420_9);
        let b2 = 0.1017 * xx * (x * x - 2.196_656_833_824_975_4 * x + 1.294_985_250_737_463_1);
        let b3 = 2.490_627_285_651_252_8
            * xx
            * (x * x - 2.385_356_454_720_616_6 * x + 1.578_034_682_080_924_9);
        let b4 = -16.548_102_889_244_902
            * (x - 1.217_129_272_955_332_4)
            * (x - 0.616_204_060_378_000_9)
            * xx;
        let b5 = 47.379_521_962_819_28
            * (x - 1.203_071_208_372_362_6)
            * (x - 0.658_047_292_653_547_4)
            * xx;
        let b6 = -34.870_657_861_496_61 * (x - 1.2) * (x - 2.0 / 3.0) * xx;
        let b7 = 2.5 * (x - 1.0) * (x - 0.6) * xx;
        let [k2, k3, k4, k5, k6] = &self.k;
        let (k1, k7) = (&self.at.f0, &self.at.f1);
        for i in 0..y.len() {
            y[i] = self.at.y0[i] + linear!(i, [b1 k1, b2 k2, b3 k3, b4 k4, b5 k5, b6 k6, b7 k7]);
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
