//! What does a run of steps show on its way, and tell at its end?

use crate::card::rounded;
use crate::model::Channel;
use crate::solve::Statistics;
use crate::system::crowd::Snapshot;
use crate::system::frame::{Balance, Frame, When};
use crate::system::mechanism::System;
use crate::system::note::Warning;
use crate::system::reading::Ledger;
use crate::system::run::{Observer, Outcome, Phase, Progress, Status};
use crate::system::scene::balance;

use super::Stepping;
use super::grains::Group;

/// More than this part of what was turned over may not be missing in the balance: the scheme is of first order.
const MISSING: f64 = 2e-2;
/// Nor more than this part of the heat, unless it is less than the second part of all that was turned over.
const DOUBTED: f64 = 0.1;
const SMALL: f64 = 1e-3;

impl Stepping {
    /// Reads all channels at the end of a step.
    fn read(&mut self, system: &mut System, t: f64) -> Ledger {
        let bodies = self.problem.bodies();
        let (q, v) = (
            self.q[..bodies].as_flattened(),
            self.v[..bodies].as_flattened(),
        );
        let n = q.len();
        for (at, part) in [(0, q), (n, v), (2 * n, &self.works)] {
            if let Some(place) = self.y.get_mut(at..at + part.len()) {
                place.copy_from_slice(part);
            }
        }
        let extras = system.extras_at();
        if let Some(extras) = self.y.get_mut(extras..) {
            self.sites.tell_heats(system, extras);
        }
        let mut ledger = system.ledger(t, &self.y, self.first);
        if self.look.is_some() || system.asks_for_forces() {
            // Accelerations and reactions with the mean forces of the last step's contacts.
            let outside = system.equations.outside.iter_mut();
            for (outside, impulse) in outside.zip(&self.together) {
                *outside = impulse / self.h;
            }
            // A state that cannot be evaluated is told by the next step.
            let _ = system.equations.evaluate(t, q, v);
            system.equations.outside.fill(0.0);
        }
        system.read(t, &self.y, self.first, &mut self.values);
        for group in &self.groups {
            group.tell(&mut ledger);
        }
        for (channel, value) in system.channels.iter().zip(&mut self.values) {
            let group = |entry: usize| self.groups.iter().find(|group| group.entry == entry);
            let found = match *channel {
                Channel::Contact(contact, quantity) => {
                    let poses = &system.equations.poses;
                    self.sites.channel(&system.model, contact, quantity, poses)
                }
                Channel::Group(entry, quantity) => {
                    group(entry).map(|group| group.quantity(quantity, &self.q))
                }
                Channel::Grain(entry, grain, motion) => {
                    group(entry).map(|group| group.grain(grain, motion, &self.q, &self.v))
                }
                Channel::Energy(account) if !self.groups.is_empty() => {
                    Some(balance(&ledger, account))
                }
                _ => None,
            };
            *value = found.unwrap_or(*value);
        }
        ledger
    }

    /// Hands a sample to the observer.
    pub(super) fn sample(&mut self, system: &mut System, t: f64, observer: &mut dyn Observer) {
        let gravity = system.model.gravity;
        for group in &mut self.groups {
            group.look(t, &self.q, &self.v, gravity);
        }
        let ledger = self.read(system, t);
        self.scale = self.scale.max(ledger.kinetic);
        observer.sample(t, &self.values);
        self.frame(system, t, When::Sample, &ledger, observer);
        if self.look.is_some() {
            self.each_group(|grains| observer.grains(t, &grains));
        }
        self.last = t;
    }

    /// Hands a frame between samples to the observer, if somebody watches.
    pub(super) fn show(
        &mut self,
        system: &mut System,
        t: f64,
        moment: When,
        observer: &mut dyn Observer,
    ) {
        if self.look.is_none() {
            return;
        }
        let gravity = system.model.gravity;
        for group in &mut self.groups {
            group.weigh(&self.q, &self.v, gravity);
        }
        let ledger = self.read(system, t);
        self.frame(system, t, moment, &ledger, observer);
    }

    fn frame(
        &mut self,
        system: &mut System,
        t: f64,
        moment: When,
        ledger: &Ledger,
        observer: &mut dyn Observer,
    ) {
        let Some(look) = &mut self.look else { return };
        look.of_grains.clear();
        for group in &self.groups {
            let [normal, friction] = group.heats;
            look.of_grains.extend([normal, friction, 0.0]);
        }
        self.sites.arrows(&system.equations.poses, &mut self.arrows);
        let step = if self.last.is_finite() { self.h } else { 0.0 };
        let (y, values) = (&self.y, &self.values);
        let frame = look.frame(system, [t, step], moment, y, self.first, values);
        let touching: usize = self.groups.iter().map(Group::touching).sum();
        observer.frame(&Frame {
            balance: Balance {
                kinetic: ledger.kinetic,
                gravitational: ledger.gravitational,
                elastic: ledger.elastic,
                residual: ledger.residual,
                ..frame.balance
            },
            arrows: &self.arrows,
            touching: touching + self.sites.touching(),
            ..frame
        });
    }

    pub(super) fn each_group(&self, mut put: impl FnMut(Snapshot<'_>)) {
        for (number, group) in self.groups.iter().enumerate() {
            let own = group.first..group.first + group.len();
            put(Snapshot {
                group: number,
                positions: self.q.get(own.clone()).unwrap_or_default(),
                velocities: self.v.get(own).unwrap_or_default(),
                radii: &group.radii,
            });
        }
    }

    pub(super) fn end(
        mut self,
        system: &mut System,
        status: Status,
        reason: Option<String>,
        progress: &Progress,
        warnings: Vec<Warning>,
    ) -> Outcome {
        let contacts = self.sites.told();
        let statistics = Statistics {
            rhs_evaluations: self.cost.evaluations,
            steps_accepted: progress.steps,
            events: self.sites.begun,
            ..Statistics::default()
        };
        let t = progress.t;
        let y = std::mem::take(&mut self.y);
        let mut outcome = system.outcome(status, reason, t, &y, self.first, statistics, warnings);
        for group in &self.groups {
            group.tell(&mut outcome.ledger);
        }
        outcome.contacts = contacts;
        outcome.work.push(Phase {
            name: "sweeps",
            steps: self.cost.sweeps,
            evaluations: self.cost.visits,
        });
        let ledger = &outcome.ledger;
        let hint = self.shorter(ledger, ledger.residual);
        let warning = ledger.imbalance(t, self.scale, MISSING, &hint);
        // Heat that is no larger than what is missing is not known, however much more went to and fro.
        let heat: f64 = ledger.dissipated.iter().map(|d| d.1.abs()).sum();
        let doubtful = ledger.residual.abs() > DOUBTED * heat;
        let small = ledger.imbalance(t, self.scale, SMALL, &hint);
        let lifted = self.lifted(ledger, t, heat);
        outcome
            .warnings
            .extend(warning.or(small.filter(|_| doubtful && heat > 0.0)));
        outcome.warnings.extend(lifted);
        let why = "Newton's restitution asks for a speed, whatever friction and the contacts that are struck beside it bring, and bodies that are pushed apart take heat back";
        let hint = "contact = \"piecewise\" with restitution = \"stronge\" takes restitution as a ratio of energies; where bodies were pushed apart, a shorter `step`";
        let ledger = &outcome.ledger;
        let gains = ledger.gains(t, self.scale, MISSING, [why, hint]);
        outcome.warnings.extend(gains);
        let (q, v, h) = (&self.q, &self.v, self.h);
        let groups = self.groups.into_iter();
        outcome.groups = groups.map(|group| group.told(q, v, h)).collect();
        outcome
    }

    /// A warning where pushing apart brought in much of what was turned over, or of the heat (J).
    fn lifted(&self, ledger: &Ledger, t: f64, heat: f64) -> Option<Warning> {
        let [brought, moved] = self.cost.lifted;
        let turned = ledger.throughput(self.scale);
        let much = moved > MISSING * turned;
        let doubtful = moved > DOUBTED * heat && moved > SMALL * turned;
        (much || doubtful).then(|| Warning {
            code: "overlaps-lifted",
            element: Some("method.step".into()),
            time: Some(t),
            message: format!(
                "bodies that overlapped at the end of steps were pushed apart, which brought in {} J, {:.1} % of the {} J that were turned over: they had fallen too far by that, and it is taken off the heat of their contacts",
                rounded(brought),
                100.0 * moved / turned,
                rounded(turned)
            ),
            hint: self.shorter(ledger, moved),
        })
    }

    /// What helps where so much energy (J) is wrong: by what step it would be less than what is warned of, as the error falls with the step.
    fn shorter(&self, ledger: &Ledger, wrong: f64) -> String {
        let part = 0.5 * MISSING * ledger.throughput(self.scale) / wrong.abs();
        let step = self.h * part.clamp(1e-3, 0.5);
        let mut hint = format!(
            "step = \"{step:.1e} s\" in [method]: impacts are met to within a step, and the error falls with it"
        );
        if self.theta > 0.5 {
            hint += "; theta = 0.5, with which smooth motion is of second order";
        }
        if self.unkept {
            hint += "; control = \"projection\" in [constraints] keeps joints closed";
        }
        hint
    }
}
