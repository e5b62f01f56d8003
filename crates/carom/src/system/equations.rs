//! Which accelerations and multipliers follow from time, positions and velocities?
//!
//! M a + Φ_qᵀ λ = g, Φ_q a = γ (Machado et al. 2012, eq. 4), evaluated without allocation: poses first, then rows of joints and forces of loads, then the structured solution.

use crate::mechanics::{Joint, Load, Pose, Row, pose_all};
use crate::model::Control;

use super::saddle::{Rank, Saddle};
use super::structure::Fault;

/// The numbers of a mechanism at one instant, and the buffers to find them.
#[derive(Clone, Debug)]
pub(crate) struct Equations {
    /// kg, kg, kg m² of every body.
    pub masses: Vec<f64>,
    /// N, N, 0 of every body.
    pub weights: Vec<f64>,
    /// Joints, then the rows of drivers.
    pub joints: Vec<Joint>,
    pub loads: Vec<Load>,
    pub control: Control,
    pub saddle: Saddle,
    pub poses: Vec<Pose>,
    /// Of every row: Φ, m or rad.
    pub values: Vec<f64>,
    /// Of every row: dΦ/dt.
    pub rates: Vec<f64>,
    /// Of every row: Φ_t.
    pub times: Vec<f64>,
    /// Of every row: γ, with what Baumgarte adds.
    pub gamma: Vec<f64>,
    pub jacobian: Vec<[f64; 6]>,
    pub forces: Vec<f64>,
    pub accelerations: Vec<f64>,
    pub lambda: Vec<f64>,
    change: Vec<f64>,
}

impl Equations {
    pub fn new(
        masses: Vec<f64>,
        weights: Vec<f64>,
        joints: Vec<Joint>,
        loads: Vec<Load>,
        control: Control,
        saddle: Saddle,
    ) -> Self {
        let (n, m) = (masses.len(), saddle.structure().rows());
        Self {
            weights,
            joints,
            loads,
            control,
            saddle,
            poses: vec![Pose::GROUND; n / 3],
            values: vec![0.0; m],
            rates: vec![0.0; m],
            times: vec![0.0; m],
            gamma: vec![0.0; m],
            jacobian: vec![[0.0; 6]; m],
            forces: vec![0.0; n],
            accelerations: vec![0.0; n],
            lambda: vec![0.0; m],
            change: vec![0.0; n],
            masses,
        }
    }

    /// The rows of all joints as the bodies stand and move.
    #[inline]
    pub fn rows(&mut self, t: f64, q: &[f64], v: &[f64]) {
        pose_all(q, v, &mut self.poses);
        let mut rows = [Row::default(); 3];
        let mut at = 0;
        for joint in &self.joints {
            let count = joint.evaluate(t, &self.poses, &mut rows);
            for row in &rows[..count] {
                let [[a, b, c], [d, e, f]] = row.by;
                self.jacobian[at] = [a, b, c, d, e, f];
                self.values[at] = row.value;
                self.rates[at] = row.rate;
                self.times[at] = row.time;
                self.gamma[at] = row.gamma;
                at += 1;
            }
        }
    }

    /// The applied forces: weights and loads, for the poses of the last [`Equations::rows`].
    #[inline]
    pub fn apply(&mut self, t: f64) {
        self.forces.copy_from_slice(&self.weights);
        for load in &self.loads {
            load.apply(t, &self.poses, &mut self.forces);
        }
    }

    /// Everything at an instant: afterwards poses, rows, forces, accelerations and multipliers are there.
    #[inline]
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<Rank, Fault> {
        self.rows(t, q, v);
        self.apply(t);
        if let Control::Baumgarte { alpha, beta } = self.control {
            for (i, gamma) in self.gamma.iter_mut().enumerate() {
                *gamma -= 2.0 * alpha * self.rates[i] + beta * beta * self.values[i];
            }
        }
        let rank = self.saddle.factor(&self.jacobian)?;
        self.saddle.solve(
            &self.forces,
            &self.gamma,
            &mut self.accelerations,
            &mut self.lambda,
        )?;
        Ok(rank)
    }

    /// Puts positions and velocities onto the constraints with the least change in the masses' norm; a singular position, where that change would be large, is left as it is.
    /// Returns the largest violation of a position that is left.
    ///
    /// The factorisation at the start serves all steps but where positions were far off.
    pub fn project(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<f64, Fault> {
        self.rows(t, q, v);
        if self.values.is_empty() {
            return Ok(0.0);
        }
        let mut left = largest(&self.values);
        // Coordinates are sums of about their own size, and so are their rounding errors.
        let rounding = 2.0 * f64::EPSILON * q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        let size = 1e3 * left;
        if self.saddle.factor(&self.jacobian)? == Rank::NotFinite {
            return Ok(f64::NAN);
        }
        for pass in 0..6 {
            if left <= rounding {
                break;
            }
            if pass > 1 {
                let _ = self.saddle.factor(&self.jacobian)?;
            }
            self.saddle.project(&self.values, &mut self.change)?;
            if !(farthest(&self.change) <= size.max(rounding)) {
                return Ok(left);
            }
            add(q, &self.change);
            self.rows(t, q, v);
            let now = largest(&self.values);
            if !(now < left) {
                // As close as rounding lets it be, or not to be closed: one step back is no worse.
                if now > left {
                    for (q, change) in q.iter_mut().zip(&self.change) {
                        *q -= change;
                    }
                    self.rows(t, q, v);
                }
                break;
            }
            left = now;
        }
        self.saddle.project(&self.rates, &mut self.change)?;
        if largest(&self.change).is_finite() {
            add(v, &self.change);
        }
        Ok(left)
    }

    /// The kinetic energy, J.
    pub fn kinetic(&self, v: &[f64]) -> f64 {
        let terms = self.masses.iter().zip(v).map(|(m, v)| m * v * v);
        0.5 * terms.sum::<f64>()
    }

    /// The energy of height, J: zero at the origin.
    pub fn gravitational(&self, q: &[f64]) -> f64 {
        -self.weights.iter().zip(q).map(|(w, q)| w * q).sum::<f64>()
    }

    /// What the loads store, J, for the poses of the last evaluation.
    pub fn elastic(&self, t: f64) -> f64 {
        let stored = |load: &Load| load.powers(t, &self.poses).potential;
        self.loads.iter().map(stored).sum()
    }
}

/// The largest magnitude; NaN if there is one.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| {
        if x.is_nan() || m.is_nan() {
            f64::NAN
        } else {
            m.max(x.abs())
        }
    })
}

/// The farthest that a mass centre moves, m.
fn farthest(change: &[f64]) -> f64 {
    let moves = change.as_chunks::<3>().0.iter();
    let ends = moves.map(|[x, y, turn]| {
        if turn.is_finite() {
            x.abs().max(y.abs())
        } else {
            f64::NAN
        }
    });
    ends.fold(
        0.0,
        |m: f64, x| if x.is_nan() { f64::INFINITY } else { m.max(x) },
    )
}

fn add(x: &mut [f64], change: &[f64]) {
    for (x, change) in x.iter_mut().zip(change) {
        *x += change;
    }
}
