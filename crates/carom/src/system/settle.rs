//! Which surfaces hold and which slide from here on?
//!
//! At an event the state of one pair changes, and with it the forces on all others: what stops may set others free. So it is tried: all that may hold is held, the forces are found, the one that is farthest
//! beyond its limit is let go, and what would then slide backwards is held again, until everything agrees.

use crate::mechanics::Grip;

use super::equations::Equations;

/// How far beyond its limit a force must be to be let go, in its own size.
const BEYOND: f64 = 1e-9;
/// A force that is not told from rounding, as a part of all forces on the bodies; a speed likewise.
const ROUNDING: f64 = 1e-12;
/// How often one pair may change its mind at one instant.
const CHANGES: u32 = 3;

impl Equations {
    /// Settles all grips; `fired` says which of their guards did, counted from the first guard of the first. Answers whether anything changed. Velocities of what holds are brought to zero; `extras` are the numbers of
    /// contacts in the state.
    pub fn settle(
        &mut self,
        t: f64,
        q: &[f64],
        v: &mut [f64],
        extras: &mut [f64],
        fired: &dyn Fn(usize) -> bool,
    ) -> bool {
        let count = self.touches.grip_count();
        if count == 0 {
            return false;
        }
        // What cannot be evaluated is told by the integrator, at the next step.
        let _ = self.evaluate(t, q, v);
        let mut changes = vec![0_u32; count];
        let mut changed = false;
        for k in 0..count {
            let view = self
                .touches
                .gripping(k, t, &self.poses, &self.accelerations);
            let Some(one) = view else {
                self.touches.set_grip(k, Grip::Plain, 0.0, extras);
                continue;
            };
            let still = self.still(&one.along.bodies);
            let guards = [fired(Grip::GUARDS * k), fired(Grip::GUARDS * k + 1)];
            let next = match one.grip {
                Grip::Plain => Grip::begun(one.law, &one.at, one.found.normal_rate, still),
                // It went through zero unseen: where it began to slide its speed was zero.
                Grip::Slides(sign) if sign * one.at.speed < -still => Grip::Holds,
                Grip::Breaks(sign) if sign * one.at.speed < -still => Grip::Holds,
                grip => grip.event(one.law, &one.at, &one.found, guards),
            };
            if next != one.grip {
                let state = one.grip.state(one.law, &one.at);
                self.touches.set_grip(k, next, state, extras);
                changed = true;
                changes[k] += 1;
            }
        }
        if !changed {
            return false;
        }
        self.stop(t, q, v, Some(extras));
        for _ in 0..(CHANGES as usize + 1) * count {
            let _ = self.evaluate(t, q, v);
            let Some((k, grip)) = self.disagrees(t, &changes) else {
                break;
            };
            changes[k] += 1;
            let state = self
                .touches
                .gripping(k, t, &self.poses, &self.accelerations)
                .map_or(0.0, |one| one.at.state);
            self.touches.set_grip(k, grip, state, extras);
        }
        true
    }

    /// Brings the speeds of all that holds to zero; what that takes is booked, if there is where to.
    pub fn stop(&mut self, t: f64, q: &[f64], v: &mut [f64], extras: Option<&mut [f64]>) -> bool {
        let _ = self.evaluate(t, q, v);
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
                self.touches.stopped(held.who, impulse, own, extras);
            }
        }
        true
    }

    /// Whether any dry surfaces slide the other way than they are taken to: where they begin to slide their speed is zero, and rounding may hide that it stops again.
    pub fn strays(&self, t: f64) -> bool {
        (0..self.touches.grip_count()).any(|k| {
            let one = self
                .touches
                .gripping(k, t, &self.poses, &self.accelerations);
            one.is_some_and(|one| {
                let back = one.grip.sliding().map(|sign| sign * one.at.speed);
                back.is_some_and(|speed| speed < -self.still(&one.along.bodies))
            })
        })
    }

    /// The pair that disagrees most with the forces found, and what it should be.
    fn disagrees(&self, t: f64, changes: &[u32]) -> Option<(usize, Grip)> {
        let mut worst: Option<(usize, Grip, f64)> = None;
        for (k, changes) in changes.iter().enumerate() {
            let Some(one) = self
                .touches
                .gripping(k, t, &self.poses, &self.accelerations)
            else {
                continue;
            };
            if *changes > CHANGES {
                continue;
            }
            let small = ROUNDING * self.pull(&one.along.bodies);
            match one.grip {
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
                    if one.at.speed.abs() <= self.still(&one.along.bodies) =>
                {
                    let rate = one.along.along(&self.accelerations) + one.along.bias;
                    let effect = one.along.along_inverse(&self.masses);
                    if *changes > 0 && sign * rate < -small * effect && worst.is_none() {
                        worst = Some((k, Grip::Holds, 0.0));
                    }
                }
                _ => {}
            }
        }
        worst.map(|(k, grip, _)| (k, grip))
    }

    /// A speed that is not told from rest, m/s.
    fn still(&self, bodies: &[Option<usize>; 2]) -> f64 {
        let speeds = bodies.iter().flatten().filter_map(|&b| self.poses.get(b));
        let fastest = speeds.fold(0.0_f64, |most, pose| {
            let [x, y] = pose.velocity;
            most.max(x.abs()).max(y.abs())
        });
        ROUNDING * fastest
    }

    /// The size of the forces on two bodies, N.
    fn pull(&self, bodies: &[Option<usize>; 2]) -> f64 {
        let of = |body: &usize| {
            let own = self.forces.as_chunks::<3>().0.get(*body);
            let weight = self.weights.as_chunks::<3>().0.get(*body);
            let sum = |[x, y, _]: &[f64; 3]| x.abs() + y.abs();
            own.map_or(0.0, sum) + weight.map_or(0.0, sum)
        };
        bodies.iter().flatten().map(of).sum()
    }
}
