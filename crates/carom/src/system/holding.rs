//! Which forces keep surfaces from sliding on each other?
//!
//! Surfaces that hold must not be accelerated along each other: d · a + β = 0, d being the speed of sliding by all velocities and β what is left of its rate without accelerations. With the response r_k of the
//! mechanism to a unit force along each d_k, the holding forces H solve A H = −(d · a₀ + β), A_kj = d_k · r_j.
//!
//! Where several surfaces hold the same body the same way (a box that stands on two corners), A has no inverse and only the sum of the forces is known. Of all that would do, those are taken that are in the
//! proportion of what each can bear: they let go together. With w_k the limits this is the least Σ H_k²/w_k: with B = √w A √w = L Lᵀ by a Cholesky factorisation that ends where nothing is left, G = √w⁻¹ H is
//! L (LᵀL)⁻² Lᵀ times the right-hand side (the pseudo-inverse of B).

use super::saddle::Saddle;
use super::structure::Fault;

/// A direction of which no more than this part is left beside those taken before is none of its own. Two corners of a box that stands a little askew differ in height by so little that to hold both would hold its
/// turning too, by forces without measure: what differs by less than a thousandth of an arm is one direction.
const RANK: f64 = 1e-6;
/// How often the solution is improved.
const PASSES: usize = 2;
/// What cannot bear anything counts as this part of what bears most.
const LEAST: f64 = 1e-6;

/// What a force moves less than this, as a part of what it would move if no joint held the bodies, it cannot move: at a dead point, or where drivers say how everything moves.
const FIXED: f64 = 1e-9;

/// One direction in which surfaces hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Whoever asked for it: a number of its own.
    pub who: usize,
    /// The two bodies, as in [`crate::mechanics`]: `None` is the ground.
    pub bodies: [Option<usize>; 2],
    /// The speed of sliding by (x, y, φ) of either body.
    pub by: [[f64; 3]; 2],
    /// The rate of that speed if no body were accelerated, m/s².
    pub bias: f64,
    /// What it can bear, N: where a force could be shared between several, in this proportion.
    pub limit: f64,
}

impl Held {
    /// The sum of `by` times a vector of all coordinates.
    #[inline]
    pub fn along(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (body, by) in self.bodies.into_iter().zip(self.by) {
            if let Some(own) = body.and_then(|b| x.as_chunks::<3>().0.get(b)) {
                sum += own.iter().zip(by).map(|(x, by)| x * by).sum::<f64>();
            }
        }
        sum
    }

    /// The sum of the squares of `by` over the masses (kg, kg, kg m² of every body), 1/kg: how much a force along it does to bodies that nothing else holds.
    pub fn along_inverse(&self, masses: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (body, by) in self.bodies.into_iter().zip(self.by) {
            if let Some(own) = body.and_then(|b| masses.as_chunks::<3>().0.get(b)) {
                sum += own.iter().zip(by).map(|(m, by)| by * by / m).sum::<f64>();
            }
        }
        sum
    }

    /// What a unit of force along it would move along it if no joint held the bodies, 1/kg.
    pub fn free(&self, saddle: &Saddle) -> f64 {
        let mut free = 0.0;
        for (body, by) in self.bodies.into_iter().zip(self.by) {
            if let Some(own) = body.and_then(|b| saddle.inverse_masses().get(b)) {
                free += own.iter().zip(by).map(|(w, by)| w * by * by).sum::<f64>();
            }
        }
        free
    }

    /// Whether a unit of force along it moves anything along it, given the accelerations of all bodies under it.
    pub fn moves(&self, response: &[f64], saddle: &Saddle) -> bool {
        self.along(response) > FIXED * self.free(saddle)
    }

    /// Adds `by` times a force to a vector of all coordinates.
    #[inline]
    pub fn push(&self, force: f64, x: &mut [f64]) {
        for (body, by) in self.bodies.into_iter().zip(self.by) {
            if let Some(own) = body.and_then(|b| x.as_chunks_mut::<3>().0.get_mut(b)) {
                for (x, by) in own.iter_mut().zip(by) {
                    *x += force * by;
                }
            }
        }
    }
}

/// All that holds at an instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Holding {
    held: Vec<Held>,
    /// Of each: the accelerations of all bodies under a unit force, and what it adds to the multipliers.
    responses: Vec<f64>,
    /// √w A √w = L Lᵀ, row by row; and L, of which only the first columns count.
    matrix: Vec<f64>,
    factor: Vec<f64>,
    rank: usize,
    /// LᵀL, as its Cholesky factor.
    square: Vec<f64>,
    /// What is left of the matrix's diagonal; directions taken; numbers on the way.
    diagonal: Vec<f64>,
    order: Vec<usize>,
    middle: Vec<f64>,
    /// √w.
    shares: Vec<f64>,
    /// Whether a force in this direction moves anything: nothing can hold where it does not.
    moves: Vec<bool>,
    right: Vec<f64>,
    left: Vec<f64>,
    /// N, of each.
    forces: Vec<f64>,
    /// Of the last correction.
    last: Vec<f64>,
    unit: Vec<f64>,
    still: Vec<f64>,
    /// Coordinates and rows.
    size: [usize; 2],
}

impl Holding {
    /// For so many coordinates and rows of joints.
    pub fn new(coordinates: usize, rows: usize) -> Self {
        Self {
            unit: vec![0.0; coordinates],
            still: vec![0.0; rows],
            size: [coordinates, rows],
            ..Self::default()
        }
    }

    /// Lets go of everything.
    #[inline]
    pub fn clear(&mut self) {
        self.held.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Holds in one direction more.
    pub fn hold(&mut self, held: Held) {
        self.held.push(held);
    }

    /// All that holds, with the force of each, N.
    pub fn forces(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.held.iter().zip(self.forces.iter().copied())
    }

    /// Finds the responses of the mechanism; the saddle is factored.
    pub fn prepare(&mut self, saddle: &mut Saddle) -> Result<(), Fault> {
        let [n, m] = self.size;
        let count = self.held.len();
        let one = n + m;
        for buffer in [&mut self.factor, &mut self.matrix, &mut self.square] {
            buffer.resize(count * count, 0.0);
        }
        self.order.clear();
        self.order.extend(0..count);
        for buffer in [
            &mut self.shares,
            &mut self.right,
            &mut self.left,
            &mut self.forces,
            &mut self.last,
            &mut self.diagonal,
            &mut self.middle,
        ] {
            buffer.resize(count, 0.0);
        }
        self.forces.fill(0.0);
        self.responses.resize(count * one, 0.0);
        for (held, response) in self.held.iter().zip(self.responses.chunks_exact_mut(one)) {
            self.unit.fill(0.0);
            held.push(1.0, &mut self.unit);
            let (accelerations, lambda) = response.split_at_mut(n);
            saddle.solve(&self.unit, &self.still, accelerations, lambda)?;
        }
        let most = self.held.iter().fold(0.0_f64, |most, h| most.max(h.limit));
        for (share, held) in self.shares.iter_mut().zip(&self.held) {
            let limit = if most > 0.0 {
                (held.limit / most).max(LEAST)
            } else {
                1.0
            };
            *share = crate::math::sqrt(limit);
        }
        self.moves.clear();
        for (held, response) in self.held.iter().zip(self.responses.chunks_exact(one)) {
            self.moves.push(held.moves(&response[..n], saddle));
        }
        for (k, held) in self.held.iter().enumerate() {
            for (j, response) in self.responses.chunks_exact(one).enumerate() {
                let a = held.along(&response[..n]) * self.shares[k] * self.shares[j];
                let moves = self.moves[k] && self.moves[j];
                self.matrix[k * count + j] = if moves { a } else { 0.0 };
            }
        }
        self.decompose();
        Ok(())
    }

    /// L Lᵀ, that of which most is left first; then LᵀL. What is left of a direction is measured by itself: a thin pin moves little, and is no less a direction of its own for that.
    fn decompose(&mut self) {
        let n = self.held.len();
        for k in 0..n {
            self.diagonal[k] = self.matrix[k * n + k];
        }
        self.rank = 0;
        for c in 0..n {
            let left = |k: &usize| {
                let whole = self.matrix[k * n + k];
                if whole > 0.0 {
                    self.diagonal[*k] / whole
                } else {
                    0.0
                }
            };
            let next =
                (c..n).max_by(|i, j| left(&self.order[*i]).total_cmp(&left(&self.order[*j])));
            let Some(next) = next else { break };
            self.order.swap(c, next);
            let pivot = self.order[c];
            if !(self.diagonal[pivot] > RANK * self.matrix[pivot * n + pivot]) {
                break;
            }
            let root = crate::math::sqrt(self.diagonal[pivot]);
            self.factor[pivot * n + c] = root;
            for &i in &self.order[c + 1..] {
                let mut x = self.matrix[i * n + pivot];
                for k in 0..c {
                    x -= self.factor[i * n + k] * self.factor[pivot * n + k];
                }
                let x = x / root;
                self.factor[i * n + c] = x;
                self.diagonal[i] -= x * x;
            }
            // What was taken before has nothing in this column.
            for &i in &self.order[..c] {
                self.factor[i * n + c] = 0.0;
            }
            self.rank += 1;
        }
        let r = self.rank;
        for a in 0..r {
            for b in 0..=a {
                let terms = (0..n).map(|i| self.factor[i * n + a] * self.factor[i * n + b]);
                self.square[a * n + b] = terms.sum();
            }
        }
        cholesky(&mut self.square, n, r);
    }

    /// Brings accelerations (of all bodies, with their multipliers) to where nothing that holds is accelerated along its surfaces; `moving`: whether what the motion itself does to the sliding counts, which is left out
    /// for what only adds to an acceleration. What that takes is told by [`Holding::impulses`].
    pub fn correct(&mut self, accelerations: &mut [f64], lambda: &mut [f64], moving: bool) {
        for (right, held) in self.right.iter_mut().zip(&self.held) {
            let bias = if moving { held.bias } else { 0.0 };
            *right = -(held.along(accelerations) + bias);
        }
        self.solve();
        self.add(accelerations, lambda);
    }

    /// The same for velocities: afterwards nothing that holds slides. What that takes is told by [`Holding::impulses`].
    pub fn stop(&mut self, velocities: &mut [f64]) {
        for (right, held) in self.right.iter_mut().zip(&self.held) {
            *right = -held.along(velocities);
        }
        self.solve();
        self.add(velocities, &mut []);
    }

    /// Whether the same two bodies are held in another direction too.
    pub fn is_beside(&self, along: &Held) -> bool {
        let mut others = self.held.iter();
        others.any(|held| held.bodies == along.bodies && held.by != along.by)
    }

    /// All that holds, with what the last correction took of each: N, or N s.
    pub fn impulses(&self) -> impl Iterator<Item = (&Held, f64)> {
        self.held.iter().zip(self.last.iter().copied())
    }

    /// Whether a force in the direction that one asked for moves anything.
    pub fn moves(&self, who: usize) -> bool {
        let mut each = self.held.iter().zip(&self.moves);
        each.any(|(held, moves)| held.who == who && *moves)
    }

    /// Takes the forces of the last correction, times a factor, as acting.
    pub fn take(&mut self, factor: f64) {
        for (force, last) in self.forces.iter_mut().zip(&self.last) {
            *force += factor * last;
        }
    }

    /// From `right` to `last`: H = √w G, with √w A √w G = √w right.
    fn solve(&mut self) {
        let n = self.held.len();
        for (right, share) in self.right.iter_mut().zip(&self.shares) {
            *right *= share;
        }
        self.last.fill(0.0);
        for _ in 0..PASSES {
            for k in 0..n {
                let row = &self.matrix[k * n..(k + 1) * n];
                let done: f64 = row.iter().zip(&self.last).map(|(a, g)| a * g).sum();
                self.left[k] = self.right[k] - done;
            }
            let middle = &mut self.middle[..self.rank];
            for (c, middle) in middle.iter_mut().enumerate() {
                let terms = (0..n).map(|i| self.factor[i * n + c] * self.left[i]);
                *middle = terms.sum();
            }
            substitute(&self.square, n, middle);
            substitute(&self.square, n, middle);
            for (i, last) in self.last.iter_mut().enumerate() {
                let terms = middle.iter().enumerate();
                *last += terms.map(|(c, x)| self.factor[i * n + c] * x).sum::<f64>();
            }
        }
        for (last, share) in self.last.iter_mut().zip(&self.shares) {
            *last *= share;
        }
    }

    fn add(&self, accelerations: &mut [f64], lambda: &mut [f64]) {
        let [n, m] = self.size;
        let responses = self.responses.chunks_exact(n + m);
        for (response, force) in responses.zip(&self.last) {
            let (a, l) = response.split_at(n);
            for (x, r) in accelerations.iter_mut().zip(a) {
                *x += force * r;
            }
            for (x, r) in lambda.iter_mut().zip(l) {
                *x += force * r;
            }
        }
    }
}

/// Replaces the lower half of the first `r` rows of a matrix with `n` columns by its Cholesky factor.
fn cholesky(a: &mut [f64], n: usize, r: usize) {
    for c in 0..r {
        for i in c..r {
            let mut x = a[i * n + c];
            for k in 0..c {
                x -= a[i * n + k] * a[c * n + k];
            }
            a[i * n + c] = if i == c {
                crate::math::sqrt(x)
            } else {
                x / a[c * n + c]
            };
        }
    }
}

/// Replaces b by the solution.
fn substitute(factor: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..b.len() {
        for k in 0..i {
            b[i] -= factor[i * n + k] * b[k];
        }
        b[i] /= factor[i * n + i];
    }
    for i in (0..b.len()).rev() {
        for k in i + 1..b.len() {
            b[i] -= factor[k * n + i] * b[k];
        }
        b[i] /= factor[i * n + i];
    }
}
