//! How does the Adams predictor–corrector of variable order and step take one step?
//!
//! The method of Shampine and Gordon, "Computer Solution of Ordinary Differential Equations" (Freeman, 1975), their routines STEP and INTRP: Adams–Bashforth of order k predicts,
//! Adams–Moulton of order k + 1 corrects (that is their local extrapolation), and the slope is evaluated after each: two evaluations for an accepted step, one for a refused one.
//! The past is kept as modified divided differences of the slope, so that any step may follow any other:
//!
//! - ψ_i, the distance back over the last i steps (after the trial step: including it);
//! - φ_1 = f, φ_{i+1} = ψ_1 ⋯ ψ_i f[s_n, …, s_{n-i}]: on equal steps, the backward differences;
//! - φ*_i = β_i φ_i with β_{i+1} = β_i ψ_i(new)/ψ_i(old): the same, scaled for the trial step;
//! - after a step, φ_1 = f(new) and φ_{i+1}(new) = φ_i(new) − φ*_i.
//!
//! What differs from the book:
//! - the norm is the maximum over the components;
//! - a trial leaves no trace, so a refused step lowers no order;
//! - a step may grow by any factor from `GROWTH` to 2, and the order may rise after unequal steps too, for the differences know the spacing: fewer evaluations on impacts and on Kepler orbits;
//! - the weights of the differences are integrals of products of positive factors, found by Gauss's rule instead of repeated integration by parts: as exact, and no term waits for another;
//! - the corrector may move the predicted value by a few tolerances only (`TRUST`): where a solution is not smooth the book's estimate is far too hopeful at high orders.

use super::method::{Attempt, Ends, Method, Slope, Tolerance};
use crate::math;

/// The highest order of the predictor.
const TOP: usize = 12;
/// Differences kept: up to φ_{k+2}, from which the error at order k + 1 is judged.
const ROWS: usize = TOP + 2;
type Row = [f64; ROWS];
/// Below this order the short loops do.
const FEW: usize = 8;

/// |γ*_i|, i = 0 …: the coefficients of the Adams–Moulton formulas in backward differences (Shampine and Gordon 1975; a test checks them against their recursion).
const GAMMA_STAR: [f64; TOP + 1] = [
    1.0,
    1.0 / 2.0,
    1.0 / 12.0,
    1.0 / 24.0,
    19.0 / 720.0,
    3.0 / 160.0,
    863.0 / 60480.0,
    275.0 / 24192.0,
    33953.0 / 3628800.0,
    8183.0 / 1036800.0,
    3250433.0 / 479001600.0,
    4671.0 / 788480.0,
    13695779093.0 / 2615348736000.0,
];

/// 1, 2, 3, …
const STEPS: Row = {
    let mut steps = [0.0; ROWS];
    let mut i = 0;
    while i < ROWS {
        steps[i] = (i + 1) as f64;
        i += 1;
    }
    steps
};

/// The error a step aims at, in units of what is tolerated (as in STEP).
const AIM: f64 = 0.5;

/// The part of the corrector's move that counts as error at least. The estimate of Shampine and Gordon is the first of the neglected terms γ*_i φ_i. If the φ_i hardly fall with
/// i, as beside the end of a contact, where the force goes like (T − t)^(3/2), the terms neglected sum up to the whole move, at high orders many times the first one.
const TRUST: f64 = 0.2;

/// A step grows only by more than this: a small gain is not worth the uneven spacing.
const GROWTH: f64 = 1.1;

/// A cut that leaves less than this part of the step takes the place of the last point instead of following it: two points very close to each other would make
/// differences of noise.
const SLIVER: f64 = 0.1;

/// Gauss–Legendre nodes and weights on [0, 1] (Abramowitz and Stegun 1964, table 25.4; a test checks what they integrate): exact for polynomials of degree 7 and 15.
const FOUR: [(f64, f64); 4] = [
    (0.069431844202973712388, 0.17392742256872692869),
    (0.33000947820757186760, 0.32607257743127307131),
    (0.66999052179242813240, 0.32607257743127307131),
    (0.93056815579702628761, 0.17392742256872692869),
];
const EIGHT: [(f64, f64); 8] = [
    (0.019855071751231884158, 0.050614268145188129576),
    (0.10166676129318663020, 0.11119051722668723527),
    (0.23723379504183550709, 0.15685332293894364367),
    (0.40828267875217509753, 0.18134189168918099148),
    (0.59171732124782490247, 0.18134189168918099148),
    (0.76276620495816449291, 0.15685332293894364367),
    (0.89833323870681336980, 0.11119051722668723527),
    (0.98014492824876811584, 0.050614268145188129576),
];

/// AIM / factor^p for p = 0 …: the estimated error, growing with the power p of the step, that asks for just this factor. Comparing with it tells on which side of the factor the root
/// is, without taking the root.
const fn asks_for(factor: f64) -> [f64; TOP + 2] {
    let mut estimates = [AIM; TOP + 2];
    let mut p = 1;
    while p < TOP + 2 {
        estimates[p] = estimates[p - 1] / factor;
        p += 1;
    }
    estimates
}

/// The factor for the next step after an accepted one with an estimated error that grows with the power `p` of the step: `GROWTH` to 2, 0.9 to 0.5, or 1.
#[inline]
fn change(estimate: f64, p: usize, may_grow: bool) -> f64 {
    const HALF: [f64; TOP + 2] = asks_for(0.5);
    const LESS: [f64; TOP + 2] = asks_for(0.9);
    const MORE: [f64; TOP + 2] = asks_for(GROWTH);
    const TWICE: [f64; TOP + 2] = asks_for(2.0);
    if estimate <= AIM && (estimate > MORE[p] || !may_grow) {
        1.0
    } else if estimate <= TWICE[p] {
        2.0
    } else if estimate > AIM && estimate < LESS[p] {
        0.9
    } else if estimate > HALF[p] {
        0.5
    } else {
        math::powf(AIM / estimate, 1.0 / p as f64)
    }
}

/// How far back the points of the past are: ψ_1, ψ_2, …, and 1/ψ_i.
#[derive(Clone, Copy)]
struct Spacing {
    psi: Row,
    inverse: Row,
}

impl Spacing {
    const NONE: Spacing = Spacing {
        psi: [1.0; ROWS],
        inverse: [1.0; ROWS],
    };
}

/// What is kept of one component: its differences, and of the last attempt φ*_2 + … + φ*_k and one over the error tolerated. Together, because they are used together.
#[derive(Clone, Copy)]
struct Component {
    phi: Row,
    tail: f64,
    unit: f64,
}

// Both loops are of fixed length, for what follows the used differences has no weight: at these few rows a loop that ends elsewhere at every step costs more than it saves.
impl Component {
    /// The differences weighted in two ways.
    #[inline]
    fn sums<const WIDTH: usize>(&self, pairs: &[[f64; 2]; ROWS]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for i in 1..WIDTH {
            sums[0] += pairs[i][0] * self.phi[i];
            sums[1] += pairs[i][1] * self.phi[i];
        }
        sums
    }

    /// Moves the differences one step on, to where the slope is `f`.
    #[inline]
    fn advance<const WIDTH: usize>(&mut self, beta: &Row, f: f64) {
        let mut new = f;
        for i in 0..WIDTH {
            let star = beta[i] * self.phi[i];
            self.phi[i] = new;
            new -= star;
        }
    }
}

/// A distance less than this part of the step taken back has too few digits left to keep what is behind it.
const BLURRED: f64 = 1e-9;

/// The Adams predictor–corrector.
pub(crate) struct Adams {
    /// Raises the order to this and no further.
    top: usize,
    /// Never lowers the order, raises it at every step until `top`.
    frozen: bool,

    // The current point and its past.
    s: f64,
    order: usize,
    /// How many differences of `phi` are known.
    known: usize,
    /// Still in the opening, where order and step rise together.
    opening: bool,
    /// The step that was proposed when this point was reached; 0 if none was.
    proposed: f64,
    /// ψ as seen from here.
    past: Box<Spacing>,
    components: Vec<Component>,

    // The last attempt.
    h: f64,
    s0: f64,
    y0: Vec<f64>,
    f0: Vec<f64>,
    y1: Vec<f64>,
    f1: Vec<f64>,
    /// The order it was made with, and the one to go on with.
    tried: usize,
    next_order: usize,
    next_opening: bool,
    next_proposed: f64,
    /// How many differences it uses, φ*_i = β_i φ_i of them, and σ_i = 1·h ⋯ (i−1)·h / (ψ_1 ⋯ ψ_{i-1}).
    used: usize,
    beta: Row,
    sigma: Row,
    /// ψ as seen from its end.
    ahead: Box<Spacing>,
    /// Whether the far end has become the current point; buffers and history follow at the next attempt only, so that `ends` and `dense` stay valid.
    committed: bool,

    // Dense output of it.
    dense_ready: bool,
    tip: Vec<f64>,
    gap: Vec<f64>,
}

impl Adams {
    /// The method for `n` components, orders 1–12.
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Adams {
            top: TOP,
            frozen: false,
            s: 0.0,
            order: 1,
            known: 1,
            opening: true,
            proposed: 0.0,
            past: Box::new(Spacing::NONE),
            components: vec![
                Component {
                    phi: [0.0; ROWS],
                    tail: 0.0,
                    unit: 0.0,
                };
                n
            ],
            h: 0.0,
            s0: 0.0,
            y0: zeros(),
            f0: zeros(),
            y1: zeros(),
            f1: zeros(),
            tried: 1,
            next_order: 1,
            next_opening: true,
            next_proposed: 0.0,
            used: 1,
            beta: [1.0; ROWS],
            sigma: [1.0; ROWS],
            ahead: Box::new(Spacing::NONE),
            committed: false,
            dense_ready: false,
            tip: zeros(),
            gap: zeros(),
        }
    }

    /// The same with one order of the predictor, 1–12: it rises by one at every step until it is `order`, and stays. For measuring what each order does; the corrector's order,
    /// and so the order of the result, is one higher.
    #[cfg(test)]
    pub fn frozen(n: usize, order: usize) -> Self {
        Adams {
            top: order.clamp(1, TOP),
            frozen: true,
            ..Adams::new(n)
        }
    }

    /// Makes buffers and history those of the current point: what `ends` and `dense` said of the last step is gone.
    #[inline]
    fn settle(&mut self) {
        if self.committed {
            self.advance();
            std::mem::swap(&mut self.y0, &mut self.y1);
            std::mem::swap(&mut self.f0, &mut self.f1);
            self.committed = false;
        }
        self.dense_ready = false;
    }

    /// Looks at the spacing for a step `h` at order `order`: ψ, β, σ.
    #[inline]
    fn aim(&mut self, h: f64, order: usize) {
        self.s0 = self.s;
        self.h = h;
        self.tried = order;
        self.used = self.known.min(order + 1);
        let (past, ahead) = (&*self.past, &mut *self.ahead);
        let (mut behind, mut beta, mut sigma) = (0.0, 1.0, 1.0);
        // Nothing behind what is used: loops of a fixed length may run on.
        self.beta = [0.0; ROWS];
        for i in 0..self.used.min(ROWS - 1) {
            let psi = h + behind;
            let inverse = 1.0 / psi;
            ahead.psi[i] = psi;
            ahead.inverse[i] = inverse;
            self.beta[i] = beta;
            beta *= psi * past.inverse[i];
            sigma *= STEPS[i] * (h * inverse);
            self.sigma[i + 1] = sigma;
            behind = past.psi[i];
        }
    }

    /// The weights g_1 … g_{k+1} of φ* in the integral of the slope over the first `theta` of the step, divided by theta·h.
    #[inline]
    fn weights(&self, theta: f64) -> Row {
        if self.tried < FEW {
            self.integrals(theta, &FOUR)
        } else {
            self.integrals(theta, &EIGHT)
        }
    }

    /// g_{j+1} is the integral of (x h + ψ_0)/ψ_1 ⋯ (x h + ψ_{j-1})/ψ_j over x, where the numerators count from the near end, the denominators from the far one (Shampine and Gordon 1975 integrate by parts
    /// again and again; Gauss's rule is as exact, for all factors are positive, and its nodes need not wait for each other).
    #[inline]
    fn integrals<const N: usize>(&self, theta: f64, rule: &[(f64, f64); N]) -> Row {
        let reach = theta * self.h;
        let mut g = [1.0; ROWS];
        let mut product = rule.map(|(_, weight)| weight);
        let mut behind = 0.0;
        for j in 0..self.tried.min(TOP) {
            let inverse = self.ahead.inverse[j];
            let (slope, start) = (reach * inverse, behind * inverse);
            let mut sum = [0.0; 2];
            for m in 0..N {
                product[m] *= start + slope * rule[m].0;
                sum[m % 2] += product[m];
            }
            g[j + 1] = sum[0] + sum[1];
            behind = self.past.psi[j];
        }
        g
    }

    /// Moves the differences and the spacing to the far end of the step last aimed at, where the slope is `f1`.
    #[inline]
    fn advance(&mut self) {
        let used = self.used;
        for (part, f) in self.components.iter_mut().zip(&self.f1) {
            if used < FEW {
                part.advance::<FEW>(&self.beta, *f);
            } else {
                part.advance::<ROWS>(&self.beta, *f);
            }
        }
        std::mem::swap(&mut self.past, &mut self.ahead);
        self.known = used + 1;
        self.s = self.s0 + self.h;
    }

    /// Takes the last step back out of the history: the same recursions, backwards.
    fn retreat(&mut self) {
        let seen = self.past.psi;
        let last = seen[0];
        let mut known = self.known - 1;
        let mut beta = [1.0; ROWS];
        for i in 0..known.saturating_sub(1) {
            let psi = seen[i + 1] - last;
            if !(psi > BLURRED * last) {
                known = i + 1;
                break;
            }
            self.past.psi[i] = psi;
            self.past.inverse[i] = 1.0 / psi;
            beta[i + 1] = beta[i] * (seen[i] / psi);
        }
        for Component { phi, .. } in &mut self.components {
            for i in 0..known {
                phi[i] = (phi[i] - phi[i + 1]) / beta[i];
            }
        }
        self.s -= last;
        self.known = known;
    }
}

/// The largest of some scaled values. They are numbers, perhaps infinite: who takes them has made sure that the states are finite.
#[derive(Clone, Copy)]
struct Largest {
    value: f64,
    at: usize,
}

impl Largest {
    const NONE: Largest = Largest { value: 0.0, at: 0 };

    #[inline]
    fn take(&mut self, at: usize, value: f64, unit: f64) {
        // A component that has no error needs no tolerance: 0 · ∞ is not larger.
        let ratio = (value * unit).abs();
        if ratio > self.value {
            *self = Largest { value: ratio, at };
        }
    }
}

impl Method for Adams {
    fn first_order(&self) -> u32 {
        2
    }

    fn begin<S: Slope>(&mut self, slope: &mut S, s: f64, y: &[f64]) {
        self.committed = false;
        self.dense_ready = false;
        self.s = s;
        self.s0 = s;
        self.h = 0.0;
        self.y0.copy_from_slice(y);
        slope.eval(s, y, &mut self.f0);
        for (Component { phi, .. }, f) in self.components.iter_mut().zip(&self.f0) {
            // The others have no weight yet, but a run that failed may have left what is no number.
            *phi = [0.0; ROWS];
            phi[0] = *f;
        }
        self.known = 1;
        self.order = 1;
        self.opening = true;
        self.proposed = 0.0;
    }

    fn attempt<S: Slope>(&mut self, slope: &mut S, h: f64, tolerance: Tolerance<'_>) -> Attempt {
        self.settle();
        let k = self.order;
        self.aim(h, k);
        let g = self.weights(1.0);
        let refused = |at: usize| Attempt {
            accepted: false,
            reached: false,
            error: f64::INFINITY,
            worst: at,
            next: 0.1 * h,
        };

        // Slices of one length: the loops check no bounds.
        let n = self.components.len();
        let components = &mut self.components[..];
        let (y0, y1, f1) = (&self.y0[..n], &mut self.y1[..n], &mut self.f1[..n]);
        let (beta, sigma) = (&self.beta, &self.sigma);

        // Predict; evaluate.
        let mut pairs: [[f64; 2]; ROWS] = std::array::from_fn(|i| [g[i] * beta[i], beta[i]]);
        (pairs[0], pairs[k]) = ([0.0; 2], [0.0; 2]);
        for (l, part) in components.iter_mut().enumerate() {
            // φ* weighted and φ*, summed side by side; the large first one last.
            let sums = if k < FEW {
                part.sums::<FEW>(&pairs)
            } else {
                part.sums::<ROWS>(&pairs)
            };
            part.tail = sums[1];
            y1[l] = y0[l] + h * (sums[0] + part.phi[0]);
            if !y1[l].is_finite() {
                return refused(l);
            }
            // What the corrector changes is no matter here, and the division need not wait for the slope.
            part.unit = 1.0 / tolerance.scale(l, y0[l], y1[l]);
        }
        slope.eval(self.s0 + h, y1, f1);

        // Correct, and estimate the error at orders k, k − 1, k − 2 (as in STEP).
        let mut top = Largest::NONE;
        let mut low = Largest::NONE;
        let mut lower = Largest::NONE;
        for (l, part) in components.iter_mut().enumerate() {
            // φ_{k+1}, φ_k, φ_{k-1} at the far end, as predicted.
            let at_k = (f1[l] - part.phi[0]) - part.tail;
            let at_low = at_k + beta[k - 1] * part.phi[k - 1];
            y1[l] += h * g[k] * at_k;
            if !y1[l].is_finite() {
                return refused(l);
            }
            top.take(l, h * at_k, part.unit);
            low.take(l, h * at_low, part.unit);
            if k > 2 {
                let at_lower = at_low + beta[k - 2] * part.phi[k - 2];
                lower.take(l, h * at_lower, part.unit);
            }
        }
        let doubt = TRUST * g[k] * top.value;
        let error = (top.value * (g[k] - g[k - 1]).abs()).max(doubt);
        let at_k = top.value * sigma[k] * GAMMA_STAR[k];
        let at_low = if k > 1 {
            low.value * sigma[k - 1] * GAMMA_STAR[k - 1]
        } else {
            f64::INFINITY
        };
        let at_lower = if k > 2 {
            lower.value * sigma[k - 2] * GAMMA_STAR[k - 2]
        } else {
            0.0
        };
        if error > 1.0 {
            if !error.is_finite() {
                return refused(top.at);
            }
            let factor = math::powf(AIM / error, 1.0 / (k + 1) as f64);
            return Attempt {
                accepted: false,
                reached: true,
                error,
                worst: top.at,
                next: h * factor.clamp(0.1, 0.5),
            };
        }

        // Evaluate again; choose order and step to go on with.
        slope.eval(self.s0 + h, y1, f1);
        if let Some(l) = f1.iter().position(|f| !f.is_finite()) {
            return refused(l);
        }
        // Shorter than proposed: this step follows a refusal, or the driver had to end it early (then often by much).
        let shortened = h < 0.999 * self.proposed && h > 0.01 * self.proposed;
        let should_lower = match k {
            1 => false,
            2 => at_low <= 0.5 * at_k,
            _ => at_low.max(at_lower) <= at_k,
        };
        let mut order = k;
        let mut estimate = at_k;
        let mut opening = self.opening && !should_lower && !shortened && k < self.top;
        if self.frozen {
            order = (k + 1).min(self.top);
        } else if opening {
            order = k + 1;
            estimate = 0.0;
        } else if should_lower {
            order = k - 1;
            estimate = at_low;
        } else if k < self.top && self.known > k {
            let mut high = Largest::NONE;
            for (l, part) in components.iter().enumerate() {
                let at_k = (f1[l] - part.phi[0]) - part.tail;
                high.take(l, h * (at_k - beta[k] * part.phi[k]), part.unit);
            }
            let at_high = high.value * sigma[k + 1] * GAMMA_STAR[k + 1];
            if k > 1 && at_low <= at_k.min(at_high) {
                order = k - 1;
                estimate = at_low;
            } else if at_high < if k > 1 { at_k } else { 0.5 * at_k } {
                order = k + 1;
                estimate = at_high;
            }
        }
        if order == self.top {
            opening = false;
        }
        self.next_order = order;
        self.next_opening = opening;
        let next = if opening {
            2.0 * h
        } else {
            h * change(estimate.max(doubt), order + 1, !shortened)
        };
        self.next_proposed = next;
        Attempt {
            accepted: true,
            reached: true,
            error,
            worst: top.at,
            next,
        }
    }

    fn commit(&mut self) {
        if self.committed {
            return;
        }
        self.s = self.s0 + self.h;
        self.order = self.next_order.min(self.used + 1);
        self.opening = self.next_opening;
        self.proposed = self.next_proposed;
        self.committed = true;
    }

    fn here(&self) -> &[f64] {
        if self.committed { &self.f1 } else { &self.f0 }
    }

    fn ends(&self) -> Ends<'_> {
        Ends {
            s0: self.s0,
            h: self.h,
            y0: &self.y0,
            f0: &self.f0,
            y1: &self.y1,
            f1: &self.f1,
        }
    }

    fn prepare_dense<S: Slope>(&mut self, _slope: &mut S) {
        if self.dense_ready {
            return;
        }
        let k = self.tried;
        let g = self.weights(1.0);
        for (l, part) in self.components.iter().enumerate() {
            let mut sum = 0.0;
            for i in (0..k).rev() {
                sum += g[i] * (self.beta[i] * part.phi[i]);
            }
            self.tip[l] = (self.f1[l] - part.phi[0]) - part.tail;
            self.gap[l] = self.y1[l] - (self.y0[l] + self.h * (sum + g[k] * self.tip[l]));
        }
        self.dense_ready = true;
    }

    fn dense(&self, theta: f64, y: &mut [f64]) {
        if theta == 1.0 {
            y.copy_from_slice(&self.y1);
            return;
        }
        let k = self.tried;
        let mut g = self.weights(theta);
        for i in 0..k {
            g[i] *= self.beta[i];
        }
        let reach = theta * self.h;
        // The polynomial through the slopes at both ends and before misses y1 by what the last evaluation changed; a cubic that is flat at both ends makes up for it.
        let blend = theta * theta * (3.0 - 2.0 * theta);
        for (l, Component { phi, .. }) in self.components.iter().enumerate() {
            let mut sum = g[k] * self.tip[l];
            for i in (0..k).rev() {
                sum += g[i] * phi[i];
            }
            y[l] = self.y0[l] + (reach * sum + blend * self.gap[l]);
        }
    }

    fn cut<S: Slope>(&mut self, slope: &mut S, theta: f64, y: &[f64], _tolerance: Tolerance<'_>) {
        if self.committed {
            // Too late to cut: the driver never does this; the nearest sense of it is a move.
            return self.moved(slope, y);
        }
        let target = self.s0 + theta * self.h;
        let mut h = theta * self.h;
        if h <= 0.0 {
            return self.moved(slope, y);
        }
        self.settle();
        if theta < SLIVER && self.known > 1 {
            h += self.past.psi[0];
            self.retreat();
        }
        let order = self.order.min(self.known);
        self.aim(h, order);
        self.y0.copy_from_slice(y);
        slope.eval(target, y, &mut self.f1);
        self.advance();
        self.s = target;
        self.f0.copy_from_slice(&self.f1);
        self.proposed = 0.0;
    }

    fn moved<S: Slope>(&mut self, slope: &mut S, y: &[f64]) {
        self.settle();
        self.y0.copy_from_slice(y);
        slope.eval(self.s, y, &mut self.f0);
        // A divided difference is linear in its newest value, and the scaling makes the factor one.
        for (Component { phi, .. }, f) in self.components.iter_mut().zip(&self.f0) {
            let change = f - phi[0];
            for i in 0..self.known {
                phi[i] += change;
            }
            phi[0] = *f;
        }
    }
}

#[cfg(test)]
mod tests;
