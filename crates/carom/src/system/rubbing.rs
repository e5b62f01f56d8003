//! How large is the friction in joints, which follows from their reactions, which follow from it?
//!
//! Multipliers are linear in forces: with λ₀ the multipliers without friction and λ_k what a unit of friction in joint k adds to them, the normal forces are a fixed point of N_i = |λ₀ + Σ F_k(N_k) λ_k|_i,
//! F_k being a law of friction. One solution of the equations of motion a joint that slides finds all that is needed; the rest is over a handful of numbers.
//!
//! Plain iteration finds the fixed point where rubbing changes the normal forces less than itself. Where it changes them more, there may be several, or none: the one that is meant is that to which
//! friction grows from nothing, N = |λ₀ + s Σ F_k(N_k) λ_k| followed from s = 0 to 1 by Newton's method. What that way does not reach is jammed.
//!
//! A joint whose law holds is one more direction in which nothing is accelerated (`holding`): λ₀ and every λ_k are those of the mechanism that is held so.

use crate::friction::{Law, Sliding};
use crate::mechanics::{Grip, JointFriction, Pose};
use crate::model::Model;

use super::holding::{Held, Holding};
use super::saddle::Saddle;
use super::structure::Fault;

mod grips;

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
/// The change of a normal force from which the slope of a law is taken, in the size of the forces.
const NUDGE: f64 = 1e-7;
/// An acceleration that rounding may make of forces, as a part of what they would do alone.
const NOISE: f64 = 1e-10;

/// The friction of all joints.
#[derive(Clone, Debug)]
pub(super) struct Rubbing {
    rubs: Vec<Rub>,
    /// The joint that each belongs to.
    pub joints: Vec<usize>,
    /// Those whose grip changes.
    gripping: Vec<usize>,
    /// How many numbers they have in the state.
    extras: usize,
    /// Of the joint whose friction could not be found, if its bristles damp: what they damp with at its speed, and what presses it without friction, N.
    damps: Option<[f64; 2]>,
    /// N, of the last evaluation.
    normals: Vec<f64>,
    next: Vec<f64>,
    /// Newton's matrix, row by row, and what is tried.
    matrix: Vec<f64>,
    tried: Vec<f64>,
    /// N, the friction under the normal forces that are tried.
    forces: Vec<f64>,
    /// λ₀, then every λ_k: of all rows.
    parts: Vec<f64>,
    unit: Vec<f64>,
    still: Vec<f64>,
    accelerations: Vec<f64>,
    /// Normal forces and own variables of an evaluation that is set aside.
    aside: Vec<[f64; 2]>,
}

/// One joint with friction.
#[derive(Clone, Debug)]
struct Rub {
    friction: JointFriction,
    /// `joint.pin.friction`.
    name: String,
    /// Where its number stands in the state, behind those of contacts: the law's own variable (m), or what stopping a slow slide at once turned into heat (J).
    extra: Option<usize>,
    grip: Grip,
    /// The law's own variable, m.
    state: f64,
    /// Whether it is at rest because others hold, so that its own speed says nothing.
    idle: bool,
    /// Of the last evaluation: the direction of sliding, how far the surfaces have slid (m), their speed, the friction on the second body along it (N), the rate of the own variable and of the normal force (N/s).
    along: Held,
    value: f64,
    speed: f64,
    force: f64,
    state_rate: f64,
    normal_rate: f64,
    /// Whether a force along the sliding moves anything, and what rounding may make of its acceleration, m/s².
    moves: bool,
    noise: f64,
    /// By how much the force that holds was beyond its limit when it was found to agree with it, N, and as much again.
    slack: f64,
    kept: Kept,
}

/// What is told of a joint whose friction holds.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    /// s.
    time: f64,
    /// m: how far the surfaces moved at most while they held.
    drift: f64,
    /// m: where they began to hold.
    from: f64,
    /// s: up to when this is so.
    t: f64,
}

impl Rub {
    #[inline]
    fn law(&self) -> &Law {
        self.friction.law()
    }

    #[inline]
    fn sliding(&self, normal: f64) -> Sliding {
        Sliding {
            speed: self.speed,
            normal,
            state: self.state,
        }
    }

    /// The friction under this normal force, N; nothing where the mechanism must find it.
    #[inline]
    fn force_under(&self, normal: f64) -> f64 {
        self.grip.force(self.law(), &self.sliding(normal))
    }

    /// How it grows with the normal force.
    #[inline]
    fn slope(&self, normal: f64, size: f64) -> f64 {
        if !self.law().has_state() {
            // These are proportional to it.
            return self.force_under(1.0);
        }
        let nudge = NUDGE * size;
        (self.force_under(normal + nudge) - self.force_under(normal)) / nudge
    }

    fn has_state(&self) -> bool {
        self.law().has_state()
    }
}

impl Rubbing {
    pub fn new(model: &Model, rows: usize) -> Self {
        let (count, n) = (model.frictions.len(), 3 * model.bodies.len());
        let mut extras = 0;
        let rubs = model.frictions.iter().map(|entry| {
            let law = entry.friction.law();
            let numbered = law.has_state() || law.dry().is_some();
            let extra = numbered.then_some(extras);
            extras += usize::from(numbered);
            Rub {
                friction: entry.friction.clone(),
                name: format!("joint.{}.friction", entry.name),
                extra,
                grip: Grip::Plain,
                state: 0.0,
                idle: false,
                along: Held::default(),
                value: 0.0,
                speed: 0.0,
                force: 0.0,
                state_rate: 0.0,
                normal_rate: 0.0,
                moves: true,
                noise: 0.0,
                slack: 0.0,
                kept: Kept::default(),
            }
        });
        let rubs: Vec<Rub> = rubs.collect();
        Self {
            joints: model.frictions.iter().map(|e| e.joint).collect(),
            gripping: (0..count)
                .filter(|&i| Grip::is_needed(rubs[i].law()))
                .collect(),
            extras,
            damps: None,
            normals: vec![0.0; count],
            next: vec![0.0; count],
            matrix: vec![0.0; count * count],
            tried: vec![0.0; count],
            forces: vec![0.0; count],
            parts: vec![0.0; rows * (count + 1)],
            unit: vec![0.0; n],
            still: vec![0.0; rows],
            accelerations: vec![0.0; n],
            aside: vec![[0.0; 2]; count],
            rubs,
        }
    }

    /// As if nothing had ever rubbed before a time, s.
    pub fn reset(&mut self, t: f64) {
        for rub in &mut self.rubs {
            (rub.grip, rub.state, rub.idle) = (Grip::Plain, 0.0, false);
            rub.kept = Kept {
                t,
                ..Kept::default()
            };
        }
    }

    /// Why friction in a joint could not be found, if its bristles damp: what they damp with, and what presses it without friction, N.
    pub fn damps(&self) -> Option<[f64; 2]> {
        self.damps
    }

    pub fn is_empty(&self) -> bool {
        self.rubs.is_empty()
    }

    /// How many numbers they have in the state.
    pub fn extras(&self) -> usize {
        self.extras
    }

    /// Takes the laws' own variables from the numbers in the state.
    #[inline]
    pub fn take(&mut self, extras: &[f64]) {
        for rub in &mut self.rubs {
            if rub.has_state()
                && let Some(state) = rub.extra.and_then(|extra| extras.get(extra))
            {
                rub.state = *state;
            }
        }
    }

    /// The slopes of the numbers in the state, for the last evaluation.
    #[inline]
    pub fn slopes(&self, slopes: &mut [f64]) {
        for rub in &self.rubs {
            if let Some(slope) = rub.extra.and_then(|extra| slopes.get_mut(extra)) {
                *slope = rub.state_rate;
            }
        }
    }

    /// How the surfaces slide.
    #[inline]
    pub fn look(&mut self, poses: &[Pose]) {
        for rub in &mut self.rubs {
            let slide = rub.friction.slide(poses);
            rub.speed = slide.rate;
            rub.value = slide.value;
            rub.along = Held {
                who: 0,
                bodies: rub.friction.bodies(),
                by: slide.by,
                bias: slide.second,
                limit: 0.0,
            };
        }
    }

    /// Names all directions in which joints hold, numbered from `first` on; what each can bear is guessed from these multipliers.
    #[inline]
    pub fn hold(&mut self, first: usize, saddle: &Saddle, lambda: &[f64], holding: &mut Holding) {
        for (i, rub) in self.rubs.iter_mut().enumerate() {
            if !rub.grip.holds() {
                continue;
            }
            let own = lambda.get(saddle.structure().rows_of(self.joints[i]));
            let normal = own.map_or(0.0, |own| rub.friction.normal(own));
            rub.along.who = first + i;
            rub.along.limit = rub.law().most(normal);
            holding.hold(rub.along);
        }
    }

    /// A joint that holds took this force, N.
    #[inline]
    pub fn held(&mut self, i: usize, force: f64) {
        if let Some(rub) = self.rubs.get_mut(i) {
            rub.force = force;
        }
    }

    /// Whether any joint slides.
    #[inline]
    pub fn slides(&self) -> bool {
        self.rubs.iter().any(|rub| !rub.grip.holds())
    }

    /// Adds the friction of all that slides to the forces, given the multipliers without it, with everything held that holds; the saddle is factored. Answers the joint whose friction cannot be found, if
    /// there is one: what is pressed the more the harder it rubs is jammed.
    pub fn apply(
        &mut self,
        saddle: &mut Saddle,
        holding: &mut Holding,
        lambda: &[f64],
        forces: &mut [f64],
    ) -> Result<Option<usize>, Fault> {
        let rows = lambda.len();
        let (still, of_each) = self.parts.split_at_mut(rows);
        still.copy_from_slice(lambda);
        for (rub, part) in self.rubs.iter_mut().zip(of_each.chunks_exact_mut(rows)) {
            if rub.grip.holds() {
                continue;
            }
            self.unit.fill(0.0);
            rub.along.push(1.0, &mut self.unit);
            // γ = 0: only what the friction adds.
            saddle.solve(&self.unit, &self.still, &mut self.accelerations, part)?;
            if !holding.is_empty() {
                holding.correct(&mut self.accelerations, part, false);
            }
            rub.moves = rub.along.moves(&self.accelerations, saddle);
        }
        if !(self.iterated(saddle, rows) || self.followed(saddle, rows)) {
            let worst = (0..self.normals.len())
                .max_by(|&i, &j| self.normals[i].total_cmp(&self.normals[j]));
            self.damps = worst.and_then(|i| {
                let rub = &self.rubs[i];
                let pressed = rub.friction.normal(&self.own(saddle, rows, i, 0.0));
                let damps = rub.law().damping()? * rub.speed.abs();
                (damps > pressed).then_some([damps, pressed])
            });
            return Ok(worst.and_then(|i| self.joints.get(i)).copied());
        }
        for (rub, normal) in self.rubs.iter_mut().zip(&self.normals) {
            if !rub.grip.holds() {
                rub.force = rub.force_under(*normal);
                rub.along.push(rub.force, forces);
            }
        }
        Ok(None)
    }

    /// Everything acts: what holds is pressed by these multipliers, and the laws' own variables move.
    #[inline]
    pub fn found(&mut self, saddle: &Saddle, holding: &Holding, lambda: &[f64]) {
        for (i, rub) in self.rubs.iter_mut().enumerate() {
            if rub.grip.holds() {
                let own = lambda.get(saddle.structure().rows_of(self.joints[i]));
                self.normals[i] = own.map_or(f64::NAN, |own| rub.friction.normal(own));
                rub.moves = holding.moves(rub.along.who);
            }
            let pressed = self.normals[i] + rub.force.abs();
            rub.noise = NOISE * pressed * rub.along.free(saddle);
            rub.state_rate = if rub.has_state() {
                rub.grip
                    .state_rate(rub.law(), &rub.sliding(self.normals[i]))
            } else {
                0.0
            };
        }
    }

    /// The friction under a set of normal forces; nothing of what holds.
    #[inline]
    fn under(rubs: &[Rub], normals: &[f64], forces: &mut [f64]) {
        for ((rub, normal), force) in rubs.iter().zip(normals).zip(forces) {
            *force = rub.force_under(*normal);
        }
    }

    /// A joint's own multipliers under a share of the friction.
    #[inline]
    fn own(&self, saddle: &Saddle, rows: usize, i: usize, share: f64) -> [f64; 2] {
        let range = saddle.structure().rows_of(self.joints[i]);
        let (still, of_each) = self.parts.split_at(rows);
        let mut own = [0.0; 2];
        for (own, row) in own.iter_mut().zip(range) {
            let mut added = 0.0;
            for ((part, force), rub) in of_each.chunks_exact(rows).zip(&self.forces).zip(&self.rubs)
            {
                if !rub.grip.holds() {
                    added += force * part[row];
                }
            }
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
            Self::under(&self.rubs, &self.normals, &mut self.forces);
            for i in 0..self.normals.len() {
                if self.rubs[i].grip.holds() {
                    self.next[i] = 0.0;
                    continue;
                }
                let own = self.own(saddle, rows, i, 1.0);
                let normal = self.rubs[i].friction.normal(&own);
                change = change.max((normal - self.normals[i]).abs());
                size = size.max(normal);
                self.next[i] = normal;
            }
            self.normals.copy_from_slice(&self.next);
            if size == f64::INFINITY {
                return false;
            }
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
        self.forces.fill(0.0);
        for i in 0..self.normals.len() {
            let own = self.own(saddle, rows, i, 0.0);
            self.normals[i] = self.rubs[i].friction.normal(&own);
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
            Self::under(&self.rubs, &self.tried, &mut self.forces);
            let pressed = self.tried.iter().fold(0.0_f64, |m, n| m.max(*n));
            for i in 0..n {
                for k in 0..n {
                    self.matrix[i * n + k] = f64::from(u8::from(i == k));
                }
                self.next[i] = 0.0;
                if self.rubs[i].grip.holds() {
                    continue;
                }
                let own = self.own(saddle, rows, i, share);
                let friction = &self.rubs[i].friction;
                let (normal, slope) = (friction.normal(&own), friction.normal_slope(&own));
                self.next[i] = normal - self.tried[i];
                open = open.max(self.next[i].abs());
                size = size.max(normal);
                let range = saddle.structure().rows_of(self.joints[i]);
                for (k, rub) in self.rubs.iter().enumerate() {
                    if rub.grip.holds() {
                        continue;
                    }
                    let part = &self.parts[rows * (k + 1)..rows * (k + 2)];
                    let by = slope.iter().zip(range.clone());
                    let by: f64 = by.map(|(slope, row)| slope * part[row]).sum();
                    let by = by * rub.slope(self.tried[k], pressed);
                    self.matrix[i * n + k] -= share * by;
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

    /// What one does against its sliding, W, at the last evaluation.
    #[inline]
    pub fn power(&self, i: usize) -> f64 {
        self.rubs.get(i).map_or(0.0, |rub| -rub.force * rub.speed)
    }

    /// The friction of one (N m of a pin, N of a slider) on its second body at the last evaluation, positive with its travel.
    pub fn effort(&self, i: usize) -> f64 {
        let effort = |rub: &Rub| rub.friction.effort(rub.force);
        self.rubs.get(i).map_or(0.0, effort)
    }

    /// What the bristles and springs of one store, J.
    fn stored_in(&self, i: usize) -> f64 {
        let rub = &self.rubs[i];
        if !rub.has_state() {
            return 0.0;
        }
        let at = rub.sliding(self.normals[i]);
        rub.law().stored(rub.grip.state(rub.law(), &at))
    }

    /// What the bristles and springs of all joints store, J.
    pub fn stored(&self) -> f64 {
        (0..self.rubs.len()).map(|i| self.stored_in(i)).sum()
    }

    /// What is not in the works of one, J, of what it turned into heat: what its bristles store of that work is none, and to stop at once takes some.
    pub fn heat_beside(&self, i: usize, extras: &[f64]) -> f64 {
        let Some(rub) = self.rubs.get(i) else {
            return 0.0;
        };
        let number = rub.extra.and_then(|extra| extras.get(extra));
        let stopped = number.filter(|_| !rub.has_state()).copied();
        stopped.unwrap_or(0.0) - self.stored_in(i)
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
