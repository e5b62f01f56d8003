//! Which motions do the joints leave free at a position, and where does one get by following them?
//!
//! The free motions are the null space of the Jacobian J. Its basis Z is orthonormal in the masses' norm, ZᵀMZ = 1: reduced coordinates s have kinetic energy ṡ²/2, and stiffnesses in
//! them are squares of angular frequencies. For analyses, not for loops: the cube of the size, and it allocates.

use crate::math;
use crate::mechanics::{Joint, Measure, pose_all};
use crate::model::Control;

use super::dense::{dot, reflect, reflector};
use super::equations::{Equations, largest};
use super::mechanism::System;
use super::note::Warning;
use super::saddle::Rank;

/// Of a row in its own norm: less than this outside the span of others is nothing.
const DEPENDS: f64 = 1e-9;

/// An M-orthonormal basis of the motions that the rows of the last evaluation leave free; one vector a degree of freedom, three numbers a body (per √kg: m, m, rad).
pub(super) fn basis(equations: &Equations) -> Vec<Vec<f64>> {
    let n = equations.masses.len();
    let root: Vec<f64> = equations.masses.iter().map(|m| math::sqrt(*m)).collect();
    let ends = &equations.saddle.structure().row_bodies;
    // The columns of M^(-1/2) Jᵀ, each of unit length.
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for (row, line) in equations.jacobian.iter().enumerate() {
        let mut column = vec![0.0; n];
        for (c, x) in line.iter().enumerate() {
            let at = 3 * ends[row][c / 3] + c % 3;
            if at < n {
                column[at] = x / root[at];
            }
        }
        let length = math::sqrt(dot(&column, &column));
        if length > 0.0 && !equations.saddle.is_redundant(row) {
            column.iter_mut().for_each(|x| *x /= length);
            columns.push(column);
        }
    }
    // Householder's reflections with pivoting by what is left of a column.
    let mut vectors: Vec<Vec<f64>> = Vec::new();
    while vectors.len() < n && !columns.is_empty() {
        let k = vectors.len();
        let left = |column: &Vec<f64>| dot(&column[k..], &column[k..]);
        let best = (0..columns.len())
            .max_by(|&i, &j| left(&columns[i]).total_cmp(&left(&columns[j])))
            .unwrap_or(0);
        if !(left(&columns[best]) > DEPENDS * DEPENDS) {
            break;
        }
        let column = columns.swap_remove(best);
        let mut vector = column[k..].to_vec();
        let _ = reflector(&mut vector);
        for column in &mut columns {
            reflect(&vector, &mut column[k..]);
        }
        vectors.push(vector);
    }
    (vectors.len()..n)
        .map(|free| {
            let mut z = vec![0.0; n];
            z[free] = 1.0;
            for (k, vector) in vectors.iter().enumerate().rev() {
                reflect(vector, &mut z[k..]);
            }
            z.iter_mut().zip(&root).for_each(|(z, root)| *z /= root);
            z
        })
        .collect()
}

/// Zᵀ M x.
pub(super) fn reduced(basis: &[Vec<f64>], masses: &[f64], x: &[f64]) -> Vec<f64> {
    let heavy: Vec<f64> = masses.iter().zip(x).map(|(m, x)| m * x).collect();
    basis.iter().map(|z| dot(z, &heavy)).collect()
}

/// Z s.
pub(super) fn expanded(basis: &[Vec<f64>], s: &[f64], n: usize) -> Vec<f64> {
    let mut x = vec![0.0; n];
    for (z, s) in basis.iter().zip(s) {
        x.iter_mut().zip(z).for_each(|(x, z)| *x += s * z);
    }
    x
}

/// How far a change of coordinates goes: the larger of the way over the size of the mechanism, and the angle in radians.
pub(super) fn extent(change: &[f64], size: f64) -> f64 {
    let parts = change.iter().enumerate();
    parts.fold(0.0, |most: f64, (i, x)| {
        let x = if i % 3 == 2 { x.abs() } else { x.abs() / size };
        if x.is_nan() {
            f64::INFINITY
        } else {
            most.max(x)
        }
    })
}

/// Closes the joints at time `t` (s) by Newton steps of least change; false where they do not lead to a closed position nearby.
pub(super) fn close(equations: &mut Equations, t: f64, q: &mut [f64]) -> bool {
    let v = vec![0.0; q.len()];
    let mut change = vec![0.0; q.len()];
    let most = largest(q).max(1e-3);
    let (enough, rounding) = (1e-11 * most, 1e-15 * most);
    equations.rows(t, q, &v);
    let mut left = largest(&equations.values);
    for _ in 0..15 {
        if !(left > rounding) {
            break;
        }
        let values = equations.values.clone();
        if !matches!(
            equations.saddle.factor(&equations.jacobian),
            Ok(Rank::Full | Rank::Deficient(_))
        ) || equations.saddle.project(&values, &mut change).is_err()
        {
            return false;
        }
        let before = q.to_vec();
        q.iter_mut()
            .zip(&change)
            .for_each(|(q, change)| *q += change);
        equations.rows(t, q, &v);
        let now = largest(&equations.values);
        if left <= enough && !(now < left) {
            // As close as rounding lets it be.
            q.copy_from_slice(&before);
            equations.rows(t, q, &v);
            break;
        }
        if !(now < 1e3 * most) {
            return false;
        }
        left = now;
    }
    left <= enough
}

/// J x − right, row by row, for the rows of the last evaluation.
pub(super) fn missed(equations: &Equations, x: &[f64], right: &[f64]) -> Vec<f64> {
    let ends = &equations.saddle.structure().row_bodies;
    let rows = equations.jacobian.iter().zip(ends).zip(right);
    rows.map(|((line, ends), right)| {
        let terms = line.iter().enumerate().map(|(c, by)| {
            let at = 3 * ends[c / 3] + c % 3;
            x.get(at).map_or(0.0, |x| by * x)
        });
        terms.sum::<f64>() - right
    })
    .collect()
}

impl Equations {
    /// The largest acceleration that a weight or a load alone would give to a body, m/s² (angles times `size`), for the poses of the last evaluation.
    pub(super) fn hardest(&self, t: f64, size: f64) -> f64 {
        let most = |forces: &[f64]| {
            let parts = forces.iter().zip(&self.masses).enumerate();
            parts.fold(0.0, |most: f64, (i, (force, mass))| {
                let scale = if i % 3 == 2 { size } else { 1.0 };
                most.max(scale * force.abs() / mass)
            })
        };
        let loads = self.loads.iter().map(|load| {
            let mut forces = vec![0.0; self.masses.len()];
            load.apply(t, &self.poses, &mut forces);
            most(&forces)
        });
        loads.fold(most(&self.weights), f64::max)
    }
}

impl System {
    /// How large the mechanism is, m: across all its mass centres and places of joints and loads as they stand in the last evaluation.
    pub(super) fn extent(&self) -> f64 {
        let poses = &self.equations.poses;
        let centres = poses.iter().map(|pose| pose.position);
        let joints = self.equations.joints.iter().flat_map(|joint| {
            let places = joint.places();
            places.map(|place| place.spot(poses).position)
        });
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for at in centres.chain(joints) {
            for k in 0..2 {
                low[k] = low[k].min(at[k]);
                high[k] = high[k].max(at[k]);
            }
        }
        let lengths = self.equations.loads.iter().filter(|load| !load.turns());
        let lengths = lengths.filter_map(|load| load.reading(self.start, poses));
        let longest = lengths.fold(0.0, |m: f64, reading| m.max(reading[1]));
        let across = (high[0] - low[0]).max(high[1] - low[1]).max(longest);
        // A lone body at its own place has no size that could be seen.
        if across > 1e-9 && across.is_finite() {
            across
        } else {
            1.0
        }
    }

    /// Before an analysis that does not integrate: nothing is left of a run before, and joints are closed without Baumgarte's terms, which would only enlarge rounding errors.
    /// Answers how they were controlled, to be given back afterwards.
    pub(super) fn uncontrolled(&mut self) -> Control {
        self.equations.forget();
        self.equations.touches.reset();
        std::mem::replace(&mut self.equations.control, Control::None)
    }

    /// Stops and contacts need a motion to be felt in. A warning if one is passed in the last evaluation, where this analysis does without.
    pub(super) fn passed_stop(&mut self, t: f64) -> Option<Warning> {
        let equations = &mut self.equations;
        let (site, depth, unit) = equations.touches.passed_by(&equations.poses)?;
        let name = site.split(',').next().unwrap_or_default();
        Some(Warning {
            code: "passed-stop",
            element: Some(name.into()),
            time: Some(t),
            message: format!(
                "{site} is passed by {depth:.3e} {unit}, which is not felt: stops and contacts take part in dynamic analysis only"
            ),
            hint: "analysis = \"dynamic\" with some damping leads to rest against it".into(),
        })
    }

    /// The bodies that move in any of these motions, and the joints that turn or slide in them, by name, for a message.
    pub(super) fn who_moves(&self, q: &[f64], motions: &[Vec<f64>]) -> String {
        let size = self.extent();
        let mut poses = self.equations.poses.clone();
        let mut bodies = vec![false; poses.len()];
        let mut joints = vec![false; self.model.joints.len()];
        for motion in motions {
            let most = extent(motion, size);
            let moves = |x: f64| x.abs() > 1e-6 * most;
            for (body, [x, y, turn]) in bodies.iter_mut().zip(motion.as_chunks::<3>().0) {
                *body |= moves(x / size) || moves(y / size) || moves(*turn);
            }
            pose_all(q, motion, &mut poses);
            for (moving, entry) in joints.iter_mut().zip(&self.model.joints) {
                let [one, two] = entry.joint.places();
                let (a, b) = (one.spot(&poses), two.spot(&poses));
                *moving |= match entry.joint {
                    Joint::Revolute(_) => moves(Measure::turn(&a, &b).rate),
                    Joint::Translational(_) => moves(Measure::along(&a, &b).rate / size),
                    _ => false,
                };
            }
        }
        let bodies = bodies.iter().zip(&self.model.bodies);
        let bodies = list(bodies.filter(|b| *b.0).map(|b| b.1.name.clone()));
        let joints = joints.iter().zip(&self.model.joints);
        let joints = list(
            joints
                .filter(|j| *j.0)
                .map(|j| format!("joint.{}", j.1.name)),
        );
        match (bodies.is_empty(), joints.is_empty()) {
            (_, true) => bodies,
            (true, false) => joints,
            _ => format!("{bodies} ({joints})"),
        }
    }
}

/// Names with commas; not more than eight of them.
fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let shown = names.get(..8).unwrap_or(&names).join(", ");
    match names.len().saturating_sub(8) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
