//! Which joints hold and which slide, as the guards and the search for holding forces see it?

use crate::friction::Sliding;
use crate::mechanics::{Found, Grip, Pose};
use crate::solve::Watch;
use crate::system::run::HeldJoint;
use crate::system::touches::Gripping;

use super::{Rub, Rubbing};

/// A joint that is at rest only because others hold, or are driven, has left it at this speed, m/s.
const LEAVES: f64 = 1e-9;
/// A normal force that is next to none, as a part of the forces that matter.
const NOTHING: f64 = 1e-6;
/// An acceleration that is none, as a part of those it is the sum of.
const BALANCED: f64 = 1e-6;

impl Rubbing {
    /// How many joints have a grip.
    pub fn grip_count(&self) -> usize {
        self.gripping.len()
    }

    /// The element that one of them belongs to.
    pub fn grip_element(&self, k: usize) -> String {
        let rub = self.gripping.get(k).and_then(|&i| self.rubs.get(i));
        rub.map_or_else(String::new, |rub| rub.name.clone())
    }

    /// Whether any joint holds.
    #[inline]
    pub fn holds(&self) -> bool {
        self.rubs.iter().any(|rub| rub.grip.holds())
    }

    /// Whether guards need an evaluation of all forces.
    #[inline]
    pub fn asks(&self) -> bool {
        let asks = |i: &usize| self.rubs[*i].grip.asks() || self.rubs[*i].grip == Grip::Bends;
        self.gripping.iter().any(asks)
    }

    /// Whether guards need to know how fast normal forces grow.
    #[inline]
    pub fn slips(&self) -> bool {
        self.rubs
            .iter()
            .any(|rub| matches!(rub.grip, Grip::Slips(_)))
    }

    /// Whether any law has a variable of its own.
    pub fn has_states(&self) -> bool {
        self.rubs.iter().any(|rub| rub.has_state())
    }

    /// The name of any joint whose law has a variable of its own.
    pub fn with_own(&self) -> Option<&str> {
        let rub = self.rubs.iter().find(|rub| rub.has_state())?;
        Some(&rub.name)
    }

    /// One of those that have a grip, for the last evaluation.
    pub fn gripping(&self, k: usize) -> Option<Gripping<'_>> {
        let &i = self.gripping.get(k)?;
        let rub = self.rubs.get(i)?;
        Some(Gripping {
            grip: rub.grip,
            law: rub.law(),
            at: rub.sliding(*self.normals.get(i)?),
            found: Found {
                hold: rub.force,
                normal_rate: rub.normal_rate,
                ..Found::default()
            },
            along: rub.along,
        })
    }

    /// The state of one from now on, and its law's own variable; `extras` are the numbers of joints in the state.
    pub fn set_grip(&mut self, k: usize, grip: Grip, state: f64, extras: &mut [f64]) {
        if let Some(rub) = self.gripping.get(k).and_then(|&i| self.rubs.get_mut(i)) {
            if grip.holds() && !rub.grip.holds() {
                rub.kept.from = rub.value;
            }
            (rub.grip, rub.idle) = (grip, false);
            rub.set_state(state, extras);
        }
    }

    /// Whether one is at rest because others hold.
    pub fn is_idle(&self, k: usize) -> bool {
        let rub = self.gripping.get(k).and_then(|&i| self.rubs.get(i));
        rub.is_some_and(|rub| rub.idle)
    }

    /// Finds what is at rest only because others hold; everything is settled, and these are the accelerations.
    pub fn rest(&mut self, accelerations: &[f64]) {
        for (rub, normal) in self.rubs.iter_mut().zip(&self.normals) {
            rub.slack = 2.0 * (rub.force.abs() - rub.law().most(*normal)).max(0.0);
            rub.idle = rub.grip.sliding().is_some()
                && !rub.moves
                && rub.speed.abs() <= LEAVES
                && !rub.departs(accelerations);
        }
    }

    /// The way in which a joint that should hold goes nevertheless, because friction in it moves nothing: drivers say how it moves, or it is at a dead point that all others pass.
    pub fn driven(&self, k: usize, accelerations: &[f64]) -> Option<f64> {
        let rub = self.gripping.get(k).and_then(|&i| self.rubs.get(i))?;
        if !rub.grip.holds() || rub.moves {
            return None;
        }
        if rub.speed.abs() > LEAVES.max(rub.law().band()) {
            return Some(rub.speed.signum());
        }
        let rate = rub.along.along(accelerations) + rub.along.bias;
        rub.departs(accelerations).then_some(rate.signum())
    }

    /// Books what stopping a slow slide at once took, J.
    pub fn stopped(&self, i: usize, heat: f64, extras: &mut [f64]) {
        let Some(rub) = self.rubs.get(i).filter(|rub| !rub.has_state()) else {
            return;
        };
        if let Some(own) = rub.extra.and_then(|extra| extras.get_mut(extra)) {
            *own += heat;
        }
    }

    /// After an accepted step, for an evaluation of it: what is longer than friction can stretch has slipped. Whether anything moved.
    pub fn accept(&mut self, extras: &mut [f64]) -> bool {
        let mut moved = false;
        for (rub, normal) in self.rubs.iter_mut().zip(&self.normals) {
            if !rub.has_state() {
                continue;
            }
            let state = rub.grip.accepted(rub.law(), &rub.sliding(*normal));
            if state != rub.state {
                rub.set_state(state, extras);
                moved = true;
            }
        }
        moved
    }

    /// The guards, two a joint that has a grip, for the last evaluation.
    #[inline]
    pub fn guards(&self, g: &mut [f64]) {
        let places = g.as_chunks_mut::<{ Grip::GUARDS }>().0;
        for (k, (&i, g)) in self.gripping.iter().zip(places).enumerate() {
            *g = [1.0; Grip::GUARDS];
            let rub = &self.rubs[i];
            let leaves = LEAVES - rub.speed.abs();
            if rub.idle {
                g[0] = leaves;
            } else if let Some(one) = self.gripping(k) {
                one.grip.guards(one.law, &one.at, &one.found, g);
                if rub.grip.holds() {
                    g[0] += rub.slack;
                    if !rub.moves {
                        g[1] = leaves;
                    }
                }
            }
        }
    }

    pub fn watch(&self, watch: &mut [Watch]) {
        let places = watch.as_chunks_mut::<{ Grip::GUARDS }>().0;
        places.iter_mut().for_each(|watch| *watch = Grip::WATCH);
    }

    pub fn guard_name(&self, guard: usize) -> String {
        let rub = self.gripping.get(guard / Grip::GUARDS);
        let rub = rub.and_then(|&i| self.rubs.get(i));
        rub.map_or_else(String::new, |rub| format!("{}: grip", rub.name))
    }

    /// Whether a number in the state feeds back into forces.
    pub fn feeds_back(&self, extra: usize) -> bool {
        let own = |rub: &&Rub| rub.extra == Some(extra);
        self.rubs
            .iter()
            .find(own)
            .is_some_and(|rub| rub.has_state())
    }

    /// The name of a number in the state, for messages.
    pub fn extra_name(&self, extra: usize) -> String {
        let rub = self.rubs.iter().find(|rub| rub.extra == Some(extra));
        rub.map_or_else(String::new, |rub| match rub.has_state() {
            true => format!("own variable of {}", rub.name),
            false => format!("heat of stopping of {}", rub.name),
        })
    }

    /// How closely the laws' own variables are followed: as a part of what they can be at most, under what presses or a small part of `force` (N), the size of the forces: where next to nothing presses they need not be known to the last digit of
    /// nothing. The tolerances are those of the numbers of joints.
    pub fn tolerances(&self, force: f64, rtol: &[f64], atol: &mut [f64]) {
        for (rub, normal) in self.rubs.iter().zip(&self.normals) {
            let Some(extra) = rub.extra.filter(|_| rub.has_state()) else {
                continue;
            };
            let longest = rub.law().accept_state(&Sliding {
                state: f64::INFINITY,
                ..rub.sliding(normal.max(NOTHING * force))
            });
            if let (Some(rtol), Some(atol)) = (rtol.get(extra), atol.get_mut(extra))
                && longest > 0.0
                && longest.is_finite()
            {
                *atol = rtol * longest;
            }
        }
    }

    /// Sets an evaluation aside, and moves the laws' own variables on by a time, s.
    pub fn ahead(&mut self, time: f64) {
        let all = self.rubs.iter_mut().zip(&self.normals);
        for ((rub, normal), aside) in all.zip(&mut self.aside) {
            *aside = [*normal, rub.state];
            rub.state += time * rub.state_rate;
        }
    }

    /// How fast normal forces grow, from an evaluation a time (s) after the one that was set aside.
    pub fn back(&mut self, time: f64) {
        let all = self.rubs.iter_mut().zip(&self.normals);
        for ((rub, normal), aside) in all.zip(&self.aside) {
            rub.normal_rate = (normal - aside[0]) / time;
            rub.state = aside[1];
        }
    }

    /// Notes for how long joints held, and how far they moved meanwhile: a stretch ends at `t` (s) with these poses, and with the grips that were.
    pub fn keep(&mut self, t: f64, poses: &[Pose]) {
        for rub in &mut self.rubs {
            if rub.grip.holds() {
                let moved = rub.friction.slide(poses).value - rub.kept.from;
                rub.kept.drift = rub.kept.drift.max(moved.abs());
                rub.kept.time += (t - rub.kept.t).max(0.0);
            }
            rub.kept.t = t;
        }
    }

    /// What is told of every joint whose law is dry.
    pub fn kept(&self) -> impl Iterator<Item = HeldJoint> {
        let dry = self.rubs.iter().filter(|rub| rub.law().dry().is_some());
        dry.map(|rub| HeldJoint {
            joint: rub.name.clone(),
            law: rub.law().card().id,
            stick_time: rub.kept.time,
            drift: rub.kept.drift,
        })
    }

    /// Springs that bend to no more than friction can stretch them, after the forces have jumped; for the last evaluation.
    pub fn fit(&mut self, extras: &mut [f64]) {
        for (rub, normal) in self.rubs.iter_mut().zip(&self.normals) {
            if rub.grip == Grip::Bends {
                let state = rub.law().accept_state(&rub.sliding(*normal));
                rub.set_state(state, extras);
            }
        }
    }

    /// Nothing is known of the forces.
    pub fn unknown(&mut self) {
        self.rubs.iter_mut().for_each(|rub| rub.force = f64::NAN);
    }
}

impl Rub {
    fn set_state(&mut self, state: f64, extras: &mut [f64]) {
        if !self.has_state() {
            return;
        }
        self.state = state;
        if let Some(own) = self.extra.and_then(|extra| extras.get_mut(extra)) {
            *own = state;
        }
    }

    /// Whether its sliding is accelerated.
    fn departs(&self, accelerations: &[f64]) -> bool {
        let rate = self.along.along(accelerations) + self.along.bias;
        let mut sizes = self.along.bias.abs();
        for (body, by) in self.along.bodies.into_iter().zip(self.along.by) {
            let own = body.and_then(|b| accelerations.as_chunks::<3>().0.get(b));
            let own = own.into_iter().flatten().zip(by);
            sizes += own.map(|(a, by)| (a * by).abs()).sum::<f64>();
        }
        rate.abs() > BALANCED * sizes + self.noise
    }
}
