//! Which surfaces hold and which slide from here on?
//!
//! At an event the state of one pair changes, and with it the forces on all others: what stops may set others free. So it is tried: all that may hold is held, the forces are found, the one that is farthest
//! beyond its limit is let go, and what would then slide backwards is held again, until everything agrees.

use crate::mechanics::Grip;
use crate::mechanics::pose_all;

use super::equations::Equations;
use super::holding::Held;
use super::touches::Gripping;

/// How far beyond its limit a force must be to be let go, in its own size.
const BEYOND: f64 = 1e-9;
/// A force that is not told from rounding, as a part of all forces on the bodies; a speed likewise.
const ROUNDING: f64 = 1e-12;
/// The same where nobody looked: what is let go there is told from rounding by a long way.
const FAR: f64 = 1.0 + 1e-6;
/// A speed that nobody tells from rest, however slow all others are, m/s.
const QUIET: f64 = 1e-11;
/// How much slower than it moves a spring may outrun its limit before it is told from rounding.
const BACK: f64 = 1e-3;
/// How often one pair may change its mind at one instant.
const CHANGES: u32 = 3;

impl Equations {
    /// How many pairs of surfaces have a grip: those of contacts, then those of joints.
    fn grip_count(&self) -> usize {
        self.touches.grip_count() + self.rubbing.grip_count()
    }

    /// One of them, for the last evaluation; `None` while it does not touch.
    fn gripping(&self, k: usize, t: f64) -> Option<Gripping<'_>> {
        match k.checked_sub(self.touches.grip_count()) {
            Some(joint) => self.rubbing.gripping(joint),
            None => self
                .touches
                .gripping(k, t, &self.poses, &self.accelerations),
        }
    }

    fn set_grip(&mut self, k: usize, grip: Grip, state: f64, extras: &mut [f64]) {
        match k.checked_sub(self.touches.grip_count()) {
            Some(joint) => {
                let joints = extras.get_mut(self.touches.extras()..);
                self.rubbing
                    .set_grip(joint, grip, state, joints.unwrap_or_default());
            }
            None => self.touches.set_grip(k, grip, state, extras),
        }
    }

    /// Whether there is anything that may hold, or bend, in contacts or in joints.
    pub fn can_hold(&self) -> bool {
        self.grip_count() > 0 || self.rubbing.has_states()
    }

    /// After an accepted step that was evaluated: what is longer than friction can stretch has slipped. Whether anything moved.
    pub fn accept_rubbing(&mut self, extras: &mut [f64]) -> bool {
        let joints = extras.get_mut(self.touches.extras()..);
        self.rubbing.accept(joints.unwrap_or_default())
    }

    pub fn guard_count(&self) -> usize {
        self.touches.guard_count() + Grip::GUARDS * self.rubbing.grip_count()
    }

    pub fn guard_name(&self, guard: usize) -> String {
        match guard.checked_sub(self.touches.guard_count()) {
            Some(joint) => self.rubbing.guard_name(joint),
            None => self.touches.guard_name(guard),
        }
    }

    /// The guards of contacts, then of joints, at a time (s), and the time for functions of it.
    pub fn guards(&mut self, [t, inside]: [f64; 2], q: &[f64], v: &[f64], g: &mut [f64]) {
        pose_all(q, v, &mut self.poses);
        if self.touches.asks() || self.rubbing.asks() || !self.touches.together().is_empty() {
            // What cannot be evaluated is found by the step itself.
            let _ = self.evaluate_rates(inside, q, v);
        } else {
            self.rubbing.look(&self.poses);
        }
        let (contacts, joints) = g.split_at_mut(self.touches.guard_count().min(g.len()));
        self.touches
            .guards(t, &self.poses, &self.accelerations, contacts);
        self.rubbing.guards(joints);
    }

    /// Whether a number of contacts or joints in the state feeds back into forces.
    pub fn feeds_back(&self, extra: usize) -> bool {
        match extra.checked_sub(self.touches.extras()) {
            Some(joint) => self.rubbing.feeds_back(joint),
            None => self.touches.feeds_back(extra),
        }
    }

    /// The name of such a number, for messages.
    pub fn extra_name(&self, extra: usize) -> String {
        match extra.checked_sub(self.touches.extras()) {
            Some(joint) => self.rubbing.extra_name(joint),
            None => self.touches.extra_name(extra),
        }
    }

    /// The way in which a joint that should hold goes nevertheless, because friction in it moves nothing.
    fn driven(&self, k: usize) -> Option<f64> {
        let joint = k.checked_sub(self.touches.grip_count())?;
        self.rubbing.driven(joint, &self.accelerations)
    }

    /// Whether anything holds.
    pub fn holds(&self) -> bool {
        self.touches.holds() || self.rubbing.holds()
    }

    /// Settles all grips; `fired` says which of their guards did, counted from the first guard of the first; `anew`: whether forces may have jumped, so that all are looked at though none fired. Answers whether
    /// anything changed. Velocities of what holds are brought to zero; `extras` are the numbers of contacts and joints in the state.
    pub fn settle(
        &mut self,
        t: f64,
        q: &[f64],
        v: &mut [f64],
        extras: &mut [f64],
        fired: &dyn Fn(usize) -> bool,
        anew: bool,
    ) -> bool {
        let count = self.grip_count();
        if count == 0 {
            return false;
        }
        // The laws' own variables as they are here: the search for the event looked elsewhere last.
        self.take(extras);
        // What cannot be evaluated is told by the integrator, at the next step.
        let _ = self.evaluate_rates(t, q, v);
        let mut changes = vec![0_u32; count];
        let mut changed = false;
        for k in 0..count {
            let Some(one) = self.gripping(k, t) else {
                self.set_grip(k, Grip::Plain, 0.0, extras);
                continue;
            };
            let still = self.still(&one.along);
            let guards = [fired(Grip::GUARDS * k), fired(Grip::GUARDS * k + 1)];
            let next = match one.grip {
                Grip::Plain => Grip::begun(one.law, &one.at, &one.found, still),
                Grip::Holds if let Some(sign) = self.driven(k) => Grip::Slides(sign),
                grip => match self.strayed(&one).filter(|_| !self.is_idle(k)) {
                    Some(back) => back,
                    None => grip.event(one.law, &one.at, &one.found, guards),
                },
            };
            if next != one.grip {
                let state = one.grip.handed(next, one.law, &one.at, &one.found);
                self.set_grip(k, next, state, extras);
                changed = true;
                changes[k] += 1;
            }
        }
        if !changed && !anew {
            return false;
        }
        let _ = self.evaluate(t, q, v);
        let slid: Vec<bool> = (0..count)
            .map(|k| changes[k] == 0 && !self.is_idle(k) && self.slides(k, t).is_some())
            .collect();
        if self.stop(v, Some(extras)) {
            // What was brought to rest by that holds too, if it can: it would have stopped a moment later.
            let _ = self.evaluate(t, q, v);
            for k in 0..count {
                if slid[k] && self.slides(k, t) == Some(false) {
                    let state = self.gripping(k, t).map_or(0.0, |one| one.at.state);
                    self.set_grip(k, Grip::Holds, state, extras);
                    changes[k] += 1;
                }
            }
        }
        for _ in 0..(CHANGES as usize + 1) * count {
            let _ = self.evaluate(t, q, v);
            let joints = extras.get_mut(self.touches.extras()..);
            self.rubbing.fit(joints.unwrap_or_default());
            let Some((k, grip)) = self.disagrees(t, &changes) else {
                break;
            };
            changes[k] += 1;
            changed = true;
            let state = self.gripping(k, t).map_or(0.0, |one| one.at.state);
            self.set_grip(k, grip, state, extras);
        }
        self.rubbing.rest(&self.accelerations);
        // What changed its mind too often is left as it is, and told.
        if changes.iter().any(|changes| *changes > CHANGES)
            && let Some((k, _)) = self.disagrees(t, &vec![0; count])
        {
            self.undecided.push((self.grip_element(k), t));
        }
        changed
    }

    /// The element that a pair of surfaces belongs to.
    fn grip_element(&self, k: usize) -> String {
        match k.checked_sub(self.touches.grip_count()) {
            Some(joint) => self.rubbing.grip_element(joint),
            None => self.touches.grip_element(k),
        }
    }

    /// Brings the speeds of all that holds to zero, for the last evaluation; what that takes is booked, if there is where to.
    pub fn stop(&mut self, v: &mut [f64], extras: Option<&mut [f64]>) -> bool {
        if self.holding.is_empty() {
            return false;
        }
        let before = self.kinetic(v);
        let mut heat = before;
        self.holding.stop(v);
        heat -= self.kinetic(v);
        if let Some(extras) = extras {
            let most = self
                .holding
                .impulses()
                .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .map(|(held, _)| held.who);
            for (held, impulse) in self.holding.impulses() {
                let own = if Some(held.who) == most { heat } else { 0.0 };
                match held.who.checked_sub(self.touches.site_count()) {
                    Some(joint) => {
                        let joints = extras.get_mut(self.touches.extras()..);
                        self.rubbing.stopped(joint, own, joints.unwrap_or_default());
                    }
                    None => self.touches.stopped(held.who, impulse, own, extras),
                }
            }
        }
        true
    }

    /// Whether any surfaces are not as they are taken to be at an accepted step: where they begin to slide their speed is zero, and rounding may hide that it stops again. Evaluates everything if anything
    /// holds, or has bristles in a joint.
    pub fn strays(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        if self.rubbing.slips() {
            let _ = self.evaluate_rates(t, q, v);
        } else if self.holds() || self.rubbing.has_states() || self.touches.asks() {
            let _ = self.evaluate(t, q, v);
        } else if !self.rubbing.is_empty() {
            pose_all(q, v, &mut self.poses);
            self.rubbing.look(&self.poses);
        }
        (0..self.grip_count()).any(|k| {
            let one = self.gripping(k, t).filter(|_| !self.is_idle(k));
            one.is_some_and(|one| self.strayed(&one).is_some())
        })
    }

    /// Of dry surfaces that are taken to slide: whether they do.
    fn slides(&self, k: usize, t: f64) -> Option<bool> {
        let one = self.gripping(k, t)?;
        one.grip.sliding()?;
        Some(one.at.speed.abs() > self.still(&one.along))
    }

    /// Whether a joint is at rest because others hold.
    fn is_idle(&self, k: usize) -> bool {
        let joint = k.checked_sub(self.touches.grip_count());
        joint.is_some_and(|joint| self.rubbing.is_idle(joint))
    }

    /// The pair that disagrees most with the forces found, and what it should be.
    fn disagrees(&self, t: f64, changes: &[u32]) -> Option<(usize, Grip)> {
        let mut worst: Option<(usize, Grip, f64)> = None;
        for (k, changes) in changes.iter().enumerate() {
            let Some(one) = self.gripping(k, t) else {
                continue;
            };
            if *changes > CHANGES {
                continue;
            }
            let small = self.small(&one);
            match one.grip {
                Grip::Holds if let Some(sign) = self.driven(k) => {
                    return Some((k, Grip::Slides(sign)));
                }
                Grip::Holds => {
                    let (hold, most) = (one.found.hold.abs(), one.law.most(one.at.normal));
                    if hold > most * (1.0 + BEYOND) + small {
                        let beyond = hold / most.max(f64::MIN_POSITIVE);
                        if worst.is_none_or(|(_, _, other)| beyond > other) {
                            let grip = Grip::released(one.law, one.found.hold);
                            worst = Some((k, grip, beyond));
                        }
                    }
                }
                // What has just let go and would go back does not go at all.
                Grip::Slides(sign) | Grip::Breaks(sign)
                    if one.at.speed.abs() <= self.still(&one.along) =>
                {
                    let rate = one.along.along(&self.accelerations) + one.along.bias;
                    let effect = one.along.along_inverse(&self.masses);
                    if sign * rate < -small * effect && worst.is_none() {
                        worst = Some((k, Grip::Holds, 0.0));
                    }
                }
                _ => {}
            }
        }
        worst.map(|(k, grip, _)| (k, grip))
    }

    /// What surfaces are whose guard went through zero unseen.
    fn strayed(&self, one: &Gripping<'_>) -> Option<Grip> {
        let mut still = self.still(&one.along);
        if self.holding.is_beside(&one.along) {
            // Another point of the same bodies holds: where they rock on both, this one moves by as much as the two are not one direction.
            still += self.rocking(&one.along);
        }
        match one.grip {
            // Where it began to slide its speed was zero.
            Grip::Slides(sign) => {
                let still = still.max(one.law.band());
                (sign * one.at.speed < -still).then_some(Grip::Holds)
            }
            Grip::Breaks(sign) => (sign * one.at.speed < -still).then_some(Grip::Holds),
            Grip::Holds => {
                let (hold, most) = (one.found.hold, one.law.most(one.at.normal));
                let beyond = hold.abs() > FAR * most + 1e3 * self.small(one);
                beyond.then(|| Grip::released(one.law, hold))
            }
            Grip::Bends => {
                let longest = one.law.sprung()?.longest(one.at.normal);
                let state = one.at.state;
                let beyond = state.abs() > longest * (1.0 + 10.0 * BEYOND);
                beyond.then(|| Grip::slipped(one.law, &one.at, &one.found))
            }
            // Where forces jump a spring may be at its limit while the surfaces go back already, or the limit outruns them: it bends.
            Grip::Slips(_) => {
                let mut g = [0.0; Grip::GUARDS];
                one.grip.guards(one.law, &one.at, &one.found, &mut g);
                (g[0] < -still - BACK * one.at.speed.abs()).then_some(Grip::Bends)
            }
            // Bristles whose own time is vanishing, wherever that began.
            Grip::Yields => {
                let mut g = [0.0; Grip::GUARDS];
                one.grip.guards(one.law, &one.at, &one.found, &mut g);
                (g[0] < -BACK).then(|| Grip::Trails(one.at.speed.signum()))
            }
            Grip::Plain | Grip::Trails(_) => None,
        }
    }

    /// A speed that is not told from rest, m/s.
    fn still(&self, along: &Held) -> f64 {
        let mut fastest = 0.0_f64;
        for (body, by) in along.bodies.iter().zip(along.by) {
            if let Some(pose) = body.and_then(|b| self.poses.get(b)) {
                let [x, y] = pose.velocity;
                fastest = fastest.max(x.abs()).max(y.abs());
                fastest = fastest.max((pose.omega * by[2]).abs());
            }
        }
        (ROUNDING * fastest).max(QUIET)
    }

    /// How fast a point moves that is held in nearly its own direction, by the turning of its bodies, m/s.
    fn rocking(&self, along: &Held) -> f64 {
        let mut turns = 0.0_f64;
        for (body, by) in along.bodies.iter().zip(along.by) {
            if let Some(pose) = body.and_then(|b| self.poses.get(b)) {
                turns = turns.max((pose.omega * by[2]).abs());
            }
        }
        // Directions are one if what is left of the second is less than a thousandth of an arm (`holding`).
        1e-3 * turns
    }

    /// A force that is not told from none, N.
    fn small(&self, one: &Gripping<'_>) -> f64 {
        let of = |body: &usize| {
            let own = self.forces.as_chunks::<3>().0.get(*body);
            let weight = self.weights.as_chunks::<3>().0.get(*body);
            let sum = |[x, y, _]: &[f64; 3]| x.abs() + y.abs();
            own.map_or(0.0, sum) + weight.map_or(0.0, sum)
        };
        let pull: f64 = one.along.bodies.iter().flatten().map(of).sum();
        ROUNDING * (pull + one.at.normal)
    }
}
