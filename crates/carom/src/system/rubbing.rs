//! How large is the friction in joints, which follows from their reactions, which follow from it?
//!
//! A law that is a function of speed is proportional to the normal force, and multipliers are linear in forces: with λ₀ the multipliers without friction and λ_k what a unit of normal force in joint k
//! adds to them, the normal forces are a fixed point of N_i = |λ₀ + Σ N_k λ_k|_i. One solution of the equations of motion a joint with friction finds all that is needed; the rest is over a
//! handful of numbers.
//!
//! Plain iteration finds the fixed point where rubbing changes the normal forces less than itself. Where it changes them more, there may be several, or none: the one that is meant is that to which
//! friction grows from nothing, N = |λ₀ + s Σ N_k λ_k| followed from s = 0 to 1 by Newton's method. What that way does not reach is jammed.

use crate::mechanics::{JointFriction, Pose};
use crate::model::Model;

use super::saddle::Saddle;
use super::structure::Fault;

/// How closely the normal forces are found, in their own size.
const SOLVED: f64 = 1e-14;
const ITERATIONS: usize = 1000;
/// After so many iterations they must have come closer, by a tenth at least.
const PATIENCE: usize = 50;
/// Newton steps at a share of the friction.
const STEPS: usize = 20;
/// The smallest growth of that share.
const LEAST: f64 = 1e-5;
/// How far normal forces may move in one growth, in their own size: farther may be another solution.
const FAR: f64 = 0.3;

/// The friction of all joints.
#[derive(Clone, Debug)]
pub(super) struct Rubbing {
    frictions: Vec<JointFriction>,
    /// The joint that each belongs to.
    pub joints: Vec<usize>,
    /// N, of the last evaluation.
    normals: Vec<f64>,
    next: Vec<f64>,
    /// Newton's matrix, row by row, and what is tried.
    matrix: Vec<f64>,
    tried: Vec<f64>,
    /// λ₀, then every λ_k: of all rows.
    parts: Vec<f64>,
    unit: Vec<f64>,
    still: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Rubbing {
    pub fn new(model: &Model, rows: usize) -> Self {
        let entries = &model.frictions;
        let (count, n) = (entries.len(), 3 * model.bodies.len());
        Self {
            frictions: entries.iter().map(|e| e.friction.clone()).collect(),
            joints: entries.iter().map(|e| e.joint).collect(),
            normals: vec![0.0; count],
            next: vec![0.0; count],
            matrix: vec![0.0; count * count],
            tried: vec![0.0; count],
            parts: vec![0.0; rows * (count + 1)],
            unit: vec![0.0; n],
            still: vec![0.0; rows],
            accelerations: vec![0.0; n],
        }
    }

    pub fn is_empty(&self) -> bool {
        self.frictions.is_empty()
    }

    /// Adds the friction to the forces, given the multipliers without it; the saddle is factored. Answers the joint whose friction cannot be found, if there is one: what is pressed the more the
    /// harder it rubs is jammed.
    pub fn apply(
        &mut self,
        poses: &[Pose],
        saddle: &mut Saddle,
        lambda: &[f64],
        forces: &mut [f64],
    ) -> Result<Option<usize>, Fault> {
        let rows = lambda.len();
        let (still, of_each) = self.parts.split_at_mut(rows);
        still.copy_from_slice(lambda);
        for (friction, part) in self.frictions.iter().zip(of_each.chunks_exact_mut(rows)) {
            self.unit.fill(0.0);
            friction.apply(poses, 1.0, &mut self.unit);
            // γ = 0: only what the friction adds.
            saddle.solve(&self.unit, &self.still, &mut self.accelerations, part)?;
        }
        if !(self.iterated(saddle, rows) || self.followed(saddle, rows)) {
            let worst = (0..self.normals.len())
                .max_by(|&i, &j| self.normals[i].total_cmp(&self.normals[j]))
                .and_then(|i| self.joints.get(i));
            return Ok(worst.copied());
        }
        for (friction, normal) in self.frictions.iter().zip(&self.normals) {
            friction.apply(poses, *normal, forces);
        }
        Ok(None)
    }

    /// A joint's own multipliers under a share of the friction that these normal forces give.
    #[inline]
    fn own(&self, saddle: &Saddle, rows: usize, i: usize, normals: &[f64], share: f64) -> [f64; 2] {
        let range = saddle.structure().rows_of(self.joints[i]);
        let (still, of_each) = self.parts.split_at(rows);
        let mut own = [0.0; 2];
        for (own, row) in own.iter_mut().zip(range) {
            let parts = of_each.chunks_exact(rows).zip(normals);
            let added = parts.map(|(part, normal)| normal * part[row]).sum::<f64>();
            *own = still[row] + share * added;
        }
        own
    }

    /// Iterates from nothing; whether the normal forces are found.
    fn iterated(&mut self, saddle: &Saddle, rows: usize) -> bool {
        self.normals.fill(0.0);
        let mut before = f64::INFINITY;
        for iteration in 1..=ITERATIONS {
            let mut size = 0.0_f64;
            let mut change = 0.0_f64;
            for i in 0..self.normals.len() {
                let own = self.own(saddle, rows, i, &self.normals, 1.0);
                let normal = self.frictions[i].normal(&own);
                change = change.max((normal - self.normals[i]).abs());
                size = size.max(normal);
                self.next[i] = normal;
            }
            self.normals.copy_from_slice(&self.next);
            // What is not a number is left to whoever looks at the accelerations.
            if !(change > SOLVED * size) {
                return true;
            }
            if iteration % PATIENCE == 0 || !(change < f64::MAX) {
                if !(change < 0.9 * before) {
                    // Where they stand still to rounding, but no closer, is good enough as well.
                    return change <= 1e-10 * size;
                }
                before = change;
            }
        }
        false
    }

    /// Lets friction grow from nothing to all of it; whether the normal forces can follow.
    #[cold]
    fn followed(&mut self, saddle: &Saddle, rows: usize) -> bool {
        for i in 0..self.normals.len() {
            let own = self.own(saddle, rows, i, &self.normals, 0.0);
            self.normals[i] = self.frictions[i].normal(&own);
        }
        let (mut share, mut growth) = (0.0_f64, 0.125);
        while share < 1.0 {
            let next = (share + growth).min(1.0);
            if self.solved(saddle, rows, next) {
                self.normals.copy_from_slice(&self.tried);
                share = next;
                growth *= 2.0;
            } else {
                growth *= 0.5;
                if growth < LEAST {
                    return false;
                }
            }
        }
        true
    }

    /// Newton's method at a share of the friction, from the normal forces so far to `tried`; whether it ends nearby, on the same way.
    fn solved(&mut self, saddle: &Saddle, rows: usize, share: f64) -> bool {
        let n = self.normals.len();
        self.tried.copy_from_slice(&self.normals);
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let (mut open, mut size) = (0.0_f64, 0.0_f64);
            for i in 0..n {
                let own = self.own(saddle, rows, i, &self.tried, share);
                let normal = self.frictions[i].normal(&own);
                let slope = self.frictions[i].normal_slope(&own);
                self.next[i] = normal - self.tried[i];
                open = open.max(self.next[i].abs());
                size = size.max(normal);
                let range = saddle.structure().rows_of(self.joints[i]);
                for k in 0..n {
                    let part = &self.parts[rows * (k + 1)..rows * (k + 2)];
                    let by = slope.iter().zip(range.clone());
                    let by: f64 = by.map(|(slope, row)| slope * part[row]).sum();
                    self.matrix[i * n + k] = f64::from(u8::from(i == k)) - share * by;
                }
            }
            // A way that turns back passes through a determinant of zero: beyond, it is another solution.
            let Some(determinant) = eliminate(&mut self.matrix, &mut self.next) else {
                return false;
            };
            let done = open <= SOLVED * size || open <= 1e-11 * size && open >= 0.5 * last;
            if done {
                let moved = self.tried.iter().zip(&self.normals);
                let moved = moved.fold(0.0_f64, |m, (new, old)| m.max((new - old).abs()));
                let before = self.normals.iter().fold(0.0_f64, |m, n| m.max(*n));
                return determinant > 0.0 && moved <= FAR * size.max(before);
            }
            last = open;
            for (tried, step) in self.tried.iter_mut().zip(&self.next) {
                *tried += step;
            }
        }
        false
    }

    /// What one turns into heat, W, at the last evaluation.
    #[inline]
    pub fn power(&self, i: usize, poses: &[Pose]) -> f64 {
        match (self.frictions.get(i), self.normals.get(i)) {
            (Some(friction), Some(normal)) => friction.effort(poses, *normal)[1],
            _ => 0.0,
        }
    }
}

/// Replaces b by the solution of A x = b, and A by nothing of use; the sign of A's determinant, `None` if there is no solution.
fn eliminate(a: &mut [f64], b: &mut [f64]) -> Option<f64> {
    let n = b.len();
    let mut determinant = 1.0;
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| a[i * n + c].abs().total_cmp(&a[j * n + c].abs()))?;
        if !(a[pivot * n + c].abs() > f64::EPSILON) {
            return None;
        }
        if pivot != c {
            for k in 0..n {
                a.swap(c * n + k, pivot * n + k);
            }
            b.swap(c, pivot);
            determinant = -determinant;
        }
        // Only the sign matters: no product that could overflow.
        determinant *= a[c * n + c].signum();
        for i in c + 1..n {
            let factor = a[i * n + c] / a[c * n + c];
            for k in c..n {
                a[i * n + k] -= factor * a[c * n + k];
            }
            b[i] -= factor * b[c];
        }
    }
    for c in (0..n).rev() {
        for k in c + 1..n {
            b[c] -= a[c * n + k] * b[k];
        }
        b[c] /= a[c * n + c];
    }
    Some(determinant)
}
