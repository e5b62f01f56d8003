//! How large is the friction in joints, which follows from their reactions, which follow from it?
//!
//! A law that is a function of speed is proportional to the normal force, and multipliers are linear in forces: with λ₀ the multipliers without friction and λ_k what a unit of normal force in joint k
//! adds to them, the normal forces are a fixed point of N_i = |λ₀ + Σ N_k λ_k|_i. One solution of the equations of motion a joint with friction finds all that is needed; the iteration itself is over a
//! handful of numbers.

use crate::mechanics::{JointFriction, Pose};
use crate::model::Model;

use super::saddle::Saddle;
use super::structure::Fault;

/// How closely the normal forces are found, in their own size.
const SOLVED: f64 = 1e-14;
const ITERATIONS: usize = 1000;

/// The friction of all joints.
#[derive(Clone, Debug)]
pub(super) struct Rubbing {
    frictions: Vec<JointFriction>,
    /// The joint that each belongs to.
    pub joints: Vec<usize>,
    /// N, of the last evaluation.
    normals: Vec<f64>,
    next: Vec<f64>,
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
        self.normals.fill(0.0);
        let mut change = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let mut size = 0.0_f64;
            change = 0.0;
            for (i, (friction, &joint)) in self.frictions.iter().zip(&self.joints).enumerate() {
                let range = saddle.structure().rows_of(joint);
                let mut own = [0.0; 3];
                let own = &mut own[..range.len().min(3)];
                for (own, row) in own.iter_mut().zip(range) {
                    *own = still.get(row).copied().unwrap_or(f64::NAN);
                    let parts = of_each.chunks_exact(rows).zip(&self.normals);
                    *own += parts.map(|(part, normal)| normal * part[row]).sum::<f64>();
                }
                let normal = friction.normal(own);
                change = f64::max(change, (normal - self.normals[i]).abs());
                size = size.max(normal);
                self.next[i] = normal;
            }
            self.normals.copy_from_slice(&self.next);
            // What is not a number is left to whoever looks at the accelerations.
            if !(change > SOLVED * size) {
                for (friction, normal) in self.frictions.iter().zip(&self.normals) {
                    friction.apply(poses, *normal, forces);
                }
                return Ok(None);
            }
        }
        // Where the normal forces stand still to rounding, but no closer, is good enough as well.
        let size = self.normals.iter().fold(0.0_f64, |m, n| m.max(*n));
        if change <= 1e-10 * size {
            for (friction, normal) in self.frictions.iter().zip(&self.normals) {
                friction.apply(poses, *normal, forces);
            }
            return Ok(None);
        }
        let worst = (0..self.normals.len())
            .max_by(|&i, &j| self.normals[i].total_cmp(&self.normals[j]))
            .and_then(|i| self.joints.get(i));
        Ok(worst.copied())
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
