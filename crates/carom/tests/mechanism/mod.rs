//! A small mechanism solved with dense matrices, to test elements with: not how Carom solves one.
#![allow(dead_code)]

use carom::mechanics::{Body, Joint, Load, Pose, Row, pose_all};

/// Numbers that look random and are the same in every run (Knuth's 64-bit congruential generator).
pub struct Dice(pub u64);

impl Dice {
    /// Between −1 and 1.
    pub fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Several.
    pub fn rolls<const N: usize>(&mut self) -> [f64; N] {
        [(); N].map(|()| self.roll())
    }
}

/// Poses of all bodies.
pub fn poses(q: &[f64], v: &[f64]) -> Vec<Pose> {
    let mut poses = vec![Pose::GROUND; q.len() / 3];
    pose_all(q, v, &mut poses);
    poses
}

/// The rows of one joint.
pub fn rows(joint: &Joint, t: f64, q: &[f64], v: &[f64]) -> Vec<Row> {
    let mut rows = [Row::default(); 3];
    let count = joint.evaluate(t, &poses(q, v), &mut rows);
    rows[..count].to_vec()
}

/// Solves a x = b by elimination with pivots.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .expect("there are rows");
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}

/// Bodies, joints and loads.
pub struct Mechanism {
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub loads: Vec<Load>,
}

impl Mechanism {
    /// All rows, each with the joint it belongs to.
    pub fn rows(&self, t: f64, q: &[f64], v: &[f64]) -> Vec<(usize, Row)> {
        let all = self.joints.iter().enumerate();
        all.flat_map(|(i, joint)| rows(joint, t, q, v).into_iter().map(move |row| (i, row)))
            .collect()
    }

    /// The Jacobian.
    pub fn jacobian(&self, rows: &[(usize, Row)]) -> Vec<Vec<f64>> {
        rows.iter()
            .map(|(joint, row)| {
                let mut line = vec![0.0; 3 * self.bodies.len()];
                for (body, by) in self.joints[*joint].bodies().iter().zip(row.by) {
                    if let Some(body) = body {
                        line[3 * body..3 * body + 3].copy_from_slice(&by);
                    }
                }
                line
            })
            .collect()
    }

    /// Velocities that the joints demand of a mechanism without freedom: Φ_q v = −Φ_t.
    pub fn velocities(&self, t: f64, q: &[f64]) -> Vec<f64> {
        let rows = self.rows(t, q, &vec![0.0; q.len()]);
        let b = rows.iter().map(|(_, row)| -row.time).collect();
        solve(self.jacobian(&rows), b)
    }

    /// Accelerations and multipliers, the latter one list a joint (Machado et al. 2012, eq. 4).
    pub fn accelerations(&self, t: f64, q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let rows = self.rows(t, q, v);
        let jacobian = self.jacobian(&rows);
        let (n, m) = (q.len(), rows.len());
        let mut a = vec![vec![0.0; n + m]; n + m];
        let mut b = vec![0.0; n + m];
        for (i, body) in self.bodies.iter().enumerate() {
            for (k, mass) in body.diagonal().into_iter().enumerate() {
                a[3 * i + k][3 * i + k] = mass;
            }
        }
        for load in &self.loads {
            load.apply(t, &poses(q, v), &mut b[..n]);
        }
        for (i, line) in jacobian.iter().enumerate() {
            for (j, x) in line.iter().enumerate() {
                a[n + i][j] = *x;
                a[j][n + i] = *x;
            }
            b[n + i] = rows[i].1.gamma;
        }
        let x = solve(a, b);
        let mut lambda = vec![Vec::new(); self.joints.len()];
        for (i, (joint, _)) in rows.iter().enumerate() {
            lambda[*joint].push(x[n + i]);
        }
        (x[..n].to_vec(), lambda)
    }
}
