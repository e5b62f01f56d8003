//! From approximate positions, where do the joints close, or which cannot, and by how much?
//!
//! Newton steps of least change (in the masses' norm) with a line search; where these get stuck, steps of Levenberg and Marquardt, which also find how near a joint can come that cannot be closed.

use crate::math;

use super::assembly::size;
use super::equations::{Equations, largest};
use super::saddle::Rank;

/// A row that stays open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    pub row: usize,
    /// m or rad.
    pub value: f64,
    /// Whether it is an angle.
    pub turns: bool,
}

/// The largest system whose steps are solved densely.
const DENSE: usize = 150;

/// Moves `q` so that all joints close at time `t`; or the rows that stay open.
pub(crate) fn close(equations: &mut Equations, t: f64, q: &mut [f64]) -> Result<(), Vec<Gap>> {
    let given = q.to_vec();
    let enough = 1e-12 * size(q);
    if newton(equations, t, q, enough) {
        return Ok(());
    }
    let rows = equations.values.len();
    let mut best = (f64::INFINITY, given.clone());
    if rows <= DENSE {
        // From where it was given, then from beside it: a start on the wrong side of a dead point may be stuck.
        for attempt in 0..6_u32 {
            q.copy_from_slice(&given);
            for (i, q) in q.iter_mut().enumerate().filter(|(i, _)| i % 3 == 2) {
                let x = f64::from(attempt) * (i as f64 + 1.0) * 0.618_033_988_749_895;
                *q += 0.6 * (x - x.floor() - if attempt == 0 { 0.0 } else { 0.5 });
            }
            let weights = vec![1.0; rows];
            damped(equations, t, q, &weights);
            if newton(equations, t, q, enough) {
                return Ok(());
            }
            let left = norm(&equations.values);
            if left < 0.999 * best.0 {
                best = (left, q.to_vec());
            }
        }
        q.copy_from_slice(&best.1);
        single_out(equations, t, q);
    } else {
        q.copy_from_slice(&given);
    }
    equations.rows(t, q, &vec![0.0; q.len()]);
    // Joints that say the same twice, and not quite the same, are open by little: then the least is told.
    let most = largest(&equations.values);
    let hardly = (1e-6 * size(q)).min(0.5 * most);
    let open = |(row, value): (usize, &f64)| {
        let close = value.abs() <= hardly;
        (!close && value.is_finite()).then(|| Gap {
            row,
            value: *value,
            turns: equations.turning[row],
        })
    };
    Err(equations
        .values
        .iter()
        .enumerate()
        .filter_map(open)
        .collect())
}

fn norm(x: &[f64]) -> f64 {
    math::sqrt(x.iter().map(|x| x * x).sum())
}

/// Newton steps, each halved until the violation falls; whether they arrive.
fn newton(equations: &mut Equations, t: f64, q: &mut [f64], enough: f64) -> bool {
    let v = vec![0.0; q.len()];
    let mut change = vec![0.0; q.len()];
    let mut trial = q.to_vec();
    equations.rows(t, q, &v);
    for _ in 0..60 {
        let left = norm(&equations.values);
        if left <= 1e-3 * enough || left == 0.0 {
            return true;
        }
        let jacobian = equations.jacobian.clone();
        let values = equations.values.clone();
        if !matches!(
            equations.saddle.factor(&jacobian),
            Ok(Rank::Full | Rank::Deficient(_))
        ) || equations.saddle.project(&values, &mut change).is_err()
        {
            return left <= enough;
        }
        // No part is thrown farther than the mechanism is large, or turned by more than half a radian.
        let reach = size(q);
        let farthest = change.iter().enumerate().fold(0.0, |m: f64, (i, x)| {
            m.max(x.abs() / if i % 3 == 2 { 0.5 } else { reach })
        });
        let mut step = if farthest > 1.0 { 1.0 / farthest } else { 1.0 };
        loop {
            for ((trial, q), change) in trial.iter_mut().zip(&*q).zip(&change) {
                *trial = q + step * change;
            }
            equations.rows(t, &trial, &v);
            if norm(&equations.values) < left {
                q.copy_from_slice(&trial);
                break;
            }
            step *= 0.5;
            if step < 1e-4 {
                equations.rows(t, q, &v);
                return left <= enough;
            }
        }
    }
    norm(&equations.values) <= enough
}

/// Steps of Levenberg and Marquardt towards the least weighted violation.
fn damped(equations: &mut Equations, t: f64, q: &mut [f64], weights: &[f64]) {
    let (n, m) = (q.len(), weights.len());
    let v = vec![0.0; n];
    let mut trial = q.to_vec();
    let mut mu = 1e-3;
    equations.rows(t, q, &v);
    let weighted =
        |values: &[f64]| -> Vec<f64> { values.iter().zip(weights).map(|(x, w)| x * w).collect() };
    let mut residual = weighted(&equations.values);
    let reach = size(q);
    for _ in 0..80 {
        let left = norm(&residual);
        if !(left > 0.0) || !left.is_finite() {
            return;
        }
        // (J W Jᵀ + μ) λ = Φ with W = 1 for positions and 1/reach² for angles: steps of about the same length in both.
        let dense = dense_rows(equations, weights, n, reach);
        let mut matrix = vec![0.0; m * m];
        let mut scale = 0.0_f64;
        for i in 0..m {
            for j in 0..=i {
                let sum: f64 = (0..n).map(|c| dense[i * n + c] * dense[j * n + c]).sum();
                matrix[i * m + j] = sum;
            }
            scale = scale.max(matrix[i * m + i]);
        }
        let mut moved = false;
        while mu < 1e12 {
            let mut lambda = residual.clone();
            if cholesky(&matrix, m, mu * scale, &mut lambda) {
                for (c, (trial, q)) in trial.iter_mut().zip(&*q).enumerate() {
                    let sum: f64 = (0..m).map(|i| dense[i * n + c] * lambda[i]).sum();
                    *trial = q - sum / if c % 3 == 2 { reach } else { 1.0 };
                }
                equations.rows(t, &trial, &v);
                let next = weighted(&equations.values);
                let now = norm(&next);
                if now < left {
                    q.copy_from_slice(&trial);
                    residual = next;
                    mu = (0.2 * mu).max(1e-14);
                    moved = now < (1.0 - 1e-9) * left;
                    break;
                }
            }
            mu *= 5.0;
        }
        if !moved {
            break;
        }
    }
    equations.rows(t, q, &v);
}

/// The Jacobian as a full matrix, rows weighted, columns of angles divided by the reach.
fn dense_rows(equations: &Equations, weights: &[f64], n: usize, reach: f64) -> Vec<f64> {
    let mut dense = vec![0.0; weights.len() * n];
    let bodies = &equations.saddle.structure().row_bodies;
    for (row, (line, w)) in equations.jacobian.iter().zip(weights).enumerate() {
        for (c, x) in line.iter().enumerate() {
            let column = 3 * bodies[row][c / 3] + c % 3;
            if column < n {
                dense[row * n + column] = w * x / if c % 3 == 2 { reach } else { 1.0 };
            }
        }
    }
    dense
}

/// Solves (A + shift) x = b for a matrix whose lower half is given; false if it is not positive.
fn cholesky(a: &[f64], m: usize, shift: f64, b: &mut [f64]) -> bool {
    let mut l = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..=i {
            let mut sum = a[i * m + j] + if i == j { shift } else { 0.0 };
            for k in 0..j {
                sum -= l[i * m + k] * l[j * m + k];
            }
            if i == j {
                if !(sum > 0.0) {
                    return false;
                }
                l[i * m + i] = math::sqrt(sum);
            } else {
                l[i * m + j] = sum / l[j * m + j];
            }
        }
    }
    for i in 0..m {
        let sum: f64 = (0..i).map(|k| l[i * m + k] * b[k]).sum();
        b[i] = (b[i] - sum) / l[i * m + i];
    }
    for i in (0..m).rev() {
        let sum: f64 = (i + 1..m).map(|k| l[k * m + i] * b[k]).sum();
        b[i] = (b[i] - sum) / l[i * m + i];
    }
    true
}

/// Where the joints of a loop share what cannot be closed, gives it all to the one that is open widest: a person wants to hear of one joint and the whole of its gap.
fn single_out(equations: &mut Equations, t: f64, q: &mut [f64]) {
    let structure = equations.saddle.structure();
    let widest = (0..equations.values.len()).max_by(|&i, &j| {
        equations.values[i]
            .abs()
            .total_cmp(&equations.values[j].abs())
    });
    let Some(tie) = widest.and_then(|row| structure.tie_of(row)) else {
        return;
    };
    let rows = structure.rows_of(tie);
    let mut weights = vec![1.0; equations.values.len()];
    let mut trial = q.to_vec();
    for weight in [0.1, 1e-2, 1e-3] {
        for row in rows.clone() {
            weights[row] = weight;
        }
        damped(equations, t, &mut trial, &weights);
    }
    if largest(&trial).is_finite() {
        q.copy_from_slice(&trial);
    }
}
