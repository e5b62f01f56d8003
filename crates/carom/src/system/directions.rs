//! What does a mechanism answer to pushes along several directions at once?
//!
//! A push along a direction accelerates all bodies that joints hang together; how much it does along the other directions is the matrix that contacts without compliance share their forces and impulses by
//! (Delassus 1917).

use crate::math;

use super::holding::Held;
use super::saddle::Saddle;
use super::structure::Fault;

/// Directions with the answers to them.
#[derive(Clone, Debug, Default)]
pub(super) struct Directions {
    along: Vec<Held>,
    /// Of each direction: accelerations of all bodies under a unit force, and what it adds to the multipliers.
    responses: Vec<f64>,
    multipliers: Vec<f64>,
    /// What a unit force along one does along another, row by row, 1/kg.
    matrix: Vec<f64>,
    force: Vec<f64>,
    none: Vec<f64>,
    coordinates: usize,
    rows: usize,
}

impl Directions {
    pub fn new(coordinates: usize, rows: usize) -> Self {
        Self {
            force: vec![0.0; coordinates],
            none: vec![0.0; rows],
            coordinates,
            rows,
            ..Self::default()
        }
    }

    pub fn clear(&mut self) {
        self.along.clear();
    }

    pub fn push(&mut self, along: Held) {
        self.along.push(along);
    }

    pub fn along(&self) -> &[Held] {
        &self.along
    }

    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// Finds all answers with the last factorisation.
    pub fn prepare(&mut self, saddle: &mut Saddle) -> Result<(), Fault> {
        let (k, n, m) = (self.along.len(), self.coordinates, self.rows);
        self.responses.resize(k * n, 0.0);
        self.multipliers.resize(k * m, 0.0);
        self.matrix.resize(k * k, 0.0);
        for (i, along) in self.along.iter().enumerate() {
            self.force.fill(0.0);
            along.push(1.0, &mut self.force);
            saddle.solve(
                &self.force,
                &self.none,
                &mut self.responses[i * n..(i + 1) * n],
                &mut self.multipliers[i * m..(i + 1) * m],
            )?;
        }
        for i in 0..k {
            for j in 0..=i {
                // Both are the same but for rounding.
                let one = self.along[i].along(&self.responses[j * n..(j + 1) * n]);
                let two = self.along[j].along(&self.responses[i * n..(i + 1) * n]);
                let middle = 0.5 * (one + two);
                self.matrix[i * k + j] = middle;
                self.matrix[j * k + i] = middle;
            }
        }
        Ok(())
    }

    /// Adds what these pushes do to all coordinates.
    pub fn act(&self, pushes: &[f64], x: &mut [f64]) {
        add(&self.responses, self.coordinates, pushes, x);
    }

    /// The same of the multipliers.
    pub fn react(&self, pushes: &[f64], lambda: &mut [f64]) {
        add(&self.multipliers, self.rows, pushes, lambda);
    }
}

fn add(rows: &[f64], length: usize, factors: &[f64], x: &mut [f64]) {
    if length == 0 {
        return;
    }
    for (row, factor) in rows.chunks_exact(length).zip(factors) {
        if *factor != 0.0 {
            for (x, row) in x.iter_mut().zip(row) {
                *x += factor * row;
            }
        }
    }
}

/// Square systems that may lack rank: where only sums are known, shares are as equal as they can be.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    scale: Vec<f64>,
    factor: Vec<f64>,
    pivots: Vec<usize>,
    rest: Vec<f64>,
    step: Vec<f64>,
}

/// What is added to the diagonal, as a part of it; what that takes away is given back in a few rounds (Tikhonov, iterated).
const SOFT: f64 = 1e-10;
const ROUNDS: usize = 4;
/// A negative diagonal that is less than this part of the largest number is rounding.
const DRIVEN: f64 = 1e-9;

impl Shares {
    /// Solves A x = b, row by row, for the x of which rounding and dependence leave something to say. `a` is n × n; diagonals are not zero where a row means something: they are positive, but for surfaces that their own friction drives together. What only sums decide stays as
    /// near as it can to what `x` comes in with, and is shared in proportion to the weights beyond that, equally where they are equal.
    pub fn solve(&mut self, a: &[f64], b: &[f64], weights: &[f64], x: &mut [f64]) {
        let n = x.len();
        self.scale.clear();
        let largest = a.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        self.scale.extend((0..n).map(|i| {
            let diagonal = a[i * n + i];
            if diagonal > 0.0 || -diagonal > DRIVEN * largest {
                math::sqrt(weights[i] / diagonal.abs())
            } else {
                0.0
            }
        }));
        let scale = &self.scale;
        self.factor.clear();
        for i in 0..n {
            self.factor.extend((0..n).map(|j| {
                let soft = match (i == j, scale[i] == 0.0) {
                    (true, true) => 1.0,
                    (true, false) => SOFT.copysign(a[i * n + i]),
                    _ => 0.0,
                };
                scale[i] * a[i * n + j] * scale[j] + soft
            }));
        }
        self.eliminate(n);
        for _ in 0..ROUNDS {
            self.rest.clear();
            self.rest.extend((0..n).map(|i| {
                let done: f64 = (0..n).map(|j| a[i * n + j] * x[j]).sum();
                self.scale[i] * (b[i] - done)
            }));
            self.substitute(n);
            for ((x, step), scale) in x.iter_mut().zip(&self.step).zip(&self.scale) {
                *x += scale * step;
            }
        }
    }

    fn eliminate(&mut self, n: usize) {
        self.pivots.clear();
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if self.factor[i * n + k].abs() > self.factor[best * n + k].abs() {
                    best = i;
                }
            }
            self.pivots.push(best);
            if best != k {
                for j in 0..n {
                    self.factor.swap(k * n + j, best * n + j);
                }
            }
            let pivot = self.factor[k * n + k];
            if pivot == 0.0 {
                continue;
            }
            for i in k + 1..n {
                let factor = self.factor[i * n + k] / pivot;
                self.factor[i * n + k] = factor;
                if factor != 0.0 {
                    for j in k + 1..n {
                        self.factor[i * n + j] -= factor * self.factor[k * n + j];
                    }
                }
            }
        }
    }

    fn substitute(&mut self, n: usize) {
        self.step.clear();
        self.step.extend_from_slice(&self.rest);
        let step = &mut self.step;
        for k in 0..n {
            step.swap(k, self.pivots[k]);
        }
        for i in 0..n {
            for j in 0..i {
                step[i] -= self.factor[i * n + j] * step[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                step[i] -= self.factor[i * n + j] * step[j];
            }
            let pivot = self.factor[i * n + i];
            step[i] = if pivot == 0.0 { 0.0 } else { step[i] / pivot };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shares;

    /// A plank that lies on one post at one end and on two at the other, W = 3 N: 1.5 N for the one, and as much for the two together; and a system with full rank as ever.
    #[test]
    fn what_only_sums_decide_is_shared_equally() {
        // Heave and pitch of a plank of mass 1 and radius of gyration 1: a_ij = 1 + x_i x_j.
        let places = [-1.0, 1.0, 1.0];
        let a: Vec<f64> = places
            .iter()
            .flat_map(|x| places.iter().map(move |y| 1.0 + x * y))
            .collect();
        let mut x = [0.0; 3];
        Shares::default().solve(&a, &[3.0; 3], &[1.0; 3], &mut x);
        // What nothing decides is known as well as rounding is small against what makes it soft.
        let shared = 4.0 * f64::EPSILON / super::SOFT;
        for (x, known) in x.iter().zip([1.5, 0.75, 0.75]) {
            assert!((x - known).abs() < shared, "{x}");
        }
        // They bear what they bore, and share the rest.
        let mut x = [2.0, 0.0];
        Shares::default().solve(&[1.0; 4], &[3.0; 2], &[1.0; 2], &mut x);
        assert!(
            (x[0] - 2.5).abs() < shared && (x[1] - 0.5).abs() < shared,
            "{x:?}"
        );
        // Who can bear more bears more.
        let mut x = [0.0, 0.0];
        Shares::default().solve(&[1.0; 4], &[3.0; 2], &[1.0, 0.5], &mut x);
        assert!(
            (x[0] - 2.0).abs() < shared && (x[1] - 1.0).abs() < shared,
            "{x:?}"
        );
        let mut x = [0.0; 3];
        let a = [2.0, 1.0, -1.0, 1e-6, 3.0, 0.0, 5.0, 1.0, 4e3];
        let known = [1.0, -2.0, 3.0];
        let b: Vec<f64> = (0..3)
            .map(|i| (0..3).map(|j| a[3 * i + j] * known[j]).sum())
            .collect();
        Shares::default().solve(&a, &b, &[1.0, 0.3, 1.0], &mut x);
        for (x, known) in x.iter().zip(known) {
            assert!((x - known).abs() < 1e-12, "{x} {known}");
        }
    }
}
