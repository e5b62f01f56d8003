//! How do grains move, with the mechanism that carries their walls, at a fixed step?
//!
//! Every group of grains is a [`World`] of its own. The mechanism beside them goes by the same rule, velocity Verlet with velocities foreseen for the forces: its positions first, then the grains, which see where
//! their walls have gone, then its accelerations with what the grains do to it. A mechanism without freedom is moved by its drivers: projection puts it where they want it, and their moments and works are found
//! with the grains' forces on it.

use crate::card::rounded;
use crate::grains::Energies as Stock;
use crate::model::{Account, Channel, Control};
use crate::solve::{Integrator, Statistics};

use super::crowd::{Crowd, Snapshot};
use super::frame::{Balance, Frame, Look, When};
use super::mechanism::System;
use super::note::Warning;
use super::reading::{Energies, Ledger};
use super::run::{Observer, Outcome, Progress, Status, no_steps};

mod carrying;
mod check;
mod heap;
mod words;

use carrying::{Carrying, press};
use heap::Heap;
use words::stuck;

/// More than this part of what was turned over may not be missing in the balance: the error falls with the square of the step, and a fiftieth of a contact keeps it well below.
const MISSING: f64 = 1e-3;
/// A part of a number of steps that is rounding.
const FITS: f64 = 1e-9;

/// How many steps, and how long each is, s: a whole number of them fills the time, and none is longer than was asked for but for rounding; the step is the very one that was asked for where that does.
pub(super) fn plan(span: f64, step: f64) -> (u64, f64) {
    let ratio = span / step;
    let count = (ratio * (1.0 - FITS)).ceil().max(1.0);
    let fits = (ratio - count).abs() <= FITS * count;
    (count as u64, if fits { step } else { span / count })
}

/// A run with grains on its way.
struct Pouring {
    heaps: Vec<Heap>,
    carrying: Carrying,
    first: Energies,
    scale: f64,
    values: Vec<f64>,
    /// The state of the mechanism as channels are read from it.
    y: Vec<f64>,
    last: f64,
    /// s.
    step: f64,
    /// Room for frames, if somebody watches.
    look: Option<Look>,
}

impl System {
    /// The motion of grains, and of the mechanism that carries walls, from the start to the end of the simulation.
    pub(super) fn pour(&mut self, observer: &mut dyn Observer) -> Outcome {
        let (start, end) = (self.start, self.model.simulation.end);
        let mut warnings = self.warnings.clone();
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.forget();
        self.equations.rows(start, &q, &v);
        let first = self.energies(start, &q, &v);
        let asked = match self.model.solver.integrator {
            Integrator::Verlet { step } => step,
            _ => f64::NAN,
        };
        let (count, step) = plan(end - start, asked);
        let most = self.model.solver.max_steps;
        let refused = no_steps(asked, [start, end], count, most);
        let count = if end > start { count } else { 0 };
        let step = if step > 0.0 { step } else { asked };
        let heaps = match refused {
            Some(reason) => Err(reason),
            None => self.heaps(step, self.threads).map_err(|troubles| {
                let words = troubles.iter().map(|trouble| trouble.message.clone());
                words.collect::<Vec<String>>().join("; ")
            }),
        };
        let heaps = match heaps {
            Ok(heaps) => heaps,
            Err(reason) => {
                let (y, failed) = (self.state(), Status::Failed);
                let none = Statistics::default();
                return self.outcome(failed, Some(reason), start, &y, first, none, warnings);
            }
        };
        let n = q.len();
        let mut pouring = Pouring {
            carrying: Carrying {
                a: vec![0.0; n],
                foreseen: v.clone(),
                works: vec![0.0; self.works.count()],
                powers: vec![0.0; self.works.count()],
                before: vec![0.0; self.works.count()],
                direction: vec![0.0; n],
                projects: self.model.control == Control::Projection
                    && !self.equations.values.is_empty(),
                q,
                v,
            },
            heaps,
            first,
            scale: 0.0,
            values: vec![0.0; self.channels.len()],
            y: self.state(),
            last: f64::NEG_INFINITY,
            step,
            look: observer.watches().then(|| Look::new(self)),
        };
        let grains = pouring.heaps.iter().map(|heap| heap.world.len()).sum();
        let mut progress = Progress {
            t: start,
            start,
            end,
            step,
            steps: 0,
            events: 0,
            crowd: Some(Crowd {
                grains,
                contacts: 0,
            }),
        };
        let (mut status, mut reason) = (Status::Completed, None);
        if n > 0 {
            self.equations.outside = vec![0.0; n];
            reason = self
                .begin_carrying(start, &pouring.heaps, &mut pouring.carrying)
                .err();
        }
        let due = |number: u64, every: f64| (number as f64 * every / step).round() as u64;
        let every = self.model.output_step();
        let snapshot_step = self.model.simulation.snapshot_step;
        let (mut samples, mut snapshots) = (0, 0);
        while reason.is_none() {
            let (t, steps) = (progress.t, progress.steps);
            if steps == count || due(samples, every) <= steps {
                pouring.sample(self, t, observer);
                progress.crowd = Some(Crowd {
                    grains,
                    contacts: pouring.heaps.iter().map(|heap| heap.meets.len()).sum(),
                });
                // Where samples are asked for more often than there are steps, those in between fall out.
                while due(samples, every) <= steps {
                    samples += 1;
                }
            }
            if let Some(every) = snapshot_step
                && (due(snapshots, every) <= steps || steps == count)
            {
                pouring.snapshot(t, observer);
                while due(snapshots, every) <= steps {
                    snapshots += 1;
                }
            }
            if steps == count {
                break;
            }
            // From the count, so that nothing adds up.
            let next = match steps + 1 == count {
                true => end,
                false => start + (steps + 1) as f64 * step,
            };
            reason = pouring.step(self, t, next, step).err();
            if reason.is_some() {
                break;
            }
            progress.t = next;
            progress.steps += 1;
            if observer.progress(&progress).is_break() {
                status = Status::Stopped;
                reason = Some(format!("ended by the user at t = {} s", rounded(next)));
            }
        }
        if reason.is_some() && status != Status::Stopped {
            status = Status::Failed;
        }
        // Where it ends is a sample too.
        if progress.t > pouring.last {
            pouring.sample(self, progress.t, observer);
            if snapshot_step.is_some() {
                pouring.snapshot(progress.t, observer);
            }
        }
        warnings.extend(pouring.heaps.iter().flat_map(|heap| heap.long_steps(step)));
        let statistics = Statistics {
            rhs_evaluations: progress.steps,
            steps_accepted: progress.steps,
            events: pouring
                .heaps
                .iter()
                .map(|h| h.world.statistics().begun)
                .sum(),
            ..Statistics::default()
        };
        self.poured(pouring, status, reason, progress.t, statistics, warnings)
    }

    fn poured(
        &mut self,
        pouring: Pouring,
        status: Status,
        reason: Option<String>,
        t: f64,
        statistics: Statistics,
        warnings: Vec<Warning>,
    ) -> Outcome {
        let Pouring {
            heaps,
            first,
            scale,
            y,
            ..
        } = pouring;
        let mut outcome = self.outcome(status, reason, t, &y, first, statistics, warnings);
        outcome.ledger = together(outcome.ledger, &heaps);
        let hint = "a shorter step: the error falls with its square";
        let warning = outcome.ledger.imbalance(t, scale, MISSING, hint);
        outcome.warnings.extend(warning);
        outcome.groups = heaps.into_iter().map(Heap::told).collect();
        self.equations.outside = Vec::new();
        outcome
    }
}

impl Pouring {
    fn step(&mut self, system: &mut System, t: f64, next: f64, h: f64) -> Result<(), String> {
        let moves = !self.carrying.q.is_empty();
        if moves {
            system.tell_yields(&mut self.heaps, &mut self.carrying);
            system.carry(t, next, h, &mut self.carrying)?;
        }
        for heap in &mut self.heaps {
            let stepped = heap.world.step(&system.equations.poses);
            if let Err(trouble) = stepped {
                let group = system.model.groups.get(heap.entry);
                let said = group.map(|group| stuck(&system.model, group, &trouble));
                let (message, hint) = said.unwrap_or_else(|| (trouble.to_string(), String::new()));
                return Err(match hint.is_empty() {
                    true => message,
                    false => format!("{message}. Hint: {hint}"),
                });
            }
            heap.glance();
        }
        if moves {
            press(&mut system.equations.outside, &self.heaps);
            system.finish_carrying(next, h, &mut self.carrying)?;
        }
        Ok(())
    }

    /// Hands a sample to the observer.
    fn sample(&mut self, system: &mut System, t: f64, observer: &mut dyn Observer) {
        let Carrying { q, v, works, .. } = &self.carrying;
        let n = q.len();
        let parts = [(0, q), (n, v), (2 * n, works)];
        for (at, part) in parts {
            if let Some(place) = self.y.get_mut(at..at + part.len()) {
                place.copy_from_slice(part);
            }
        }
        for heap in &mut self.heaps {
            heap.look(t);
        }
        let kinetic: f64 = self.heaps.iter().map(|heap| heap.now.kinetic).sum();
        self.scale = self.scale.max(kinetic + system.equations.kinetic(v));
        if n > 0 && system.asks_for_forces() {
            // A state that cannot be evaluated is told by the next step.
            let _ = system.equations.evaluate(t, q, v);
        }
        let ledger = together(system.ledger(t, &self.y, self.first), &self.heaps);
        system.read(t, &self.y, self.first, &mut self.values);
        for (channel, value) in system.channels.iter().zip(&mut self.values) {
            let heap = |entry: usize| self.heaps.iter().find(|heap| heap.entry == entry);
            match *channel {
                Channel::Group(entry, quantity) => {
                    if let Some(heap) = heap(entry) {
                        *value = heap.quantity(quantity);
                    }
                }
                Channel::Grain(entry, grain, motion) => {
                    *value = heap(entry).map_or(f64::NAN, |heap| heap.grain(grain, motion));
                }
                Channel::Energy(account) => *value = balance(&ledger, account),
                _ => {}
            }
        }
        observer.sample(t, &self.values);
        if let Some(look) = &mut self.look {
            look.of_grains.clear();
            for heap in &self.heaps {
                look.of_grains.extend(heap.heats());
            }
            let (y, values, first) = (&self.y, &self.values, self.first);
            let frame = look.frame(system, [t, self.step], When::Sample, y, first, values);
            observer.frame(&Frame {
                balance: Balance {
                    kinetic: ledger.kinetic,
                    gravitational: ledger.gravitational,
                    elastic: ledger.elastic,
                    residual: ledger.residual,
                    ..frame.balance
                },
                touching: self.heaps.iter().map(|heap| heap.meets.len()).sum(),
                ..frame
            });
            self.each_group(|grains| observer.grains(t, &grains));
        }
        self.last = t;
    }

    /// Hands over where all grains are.
    fn snapshot(&mut self, t: f64, observer: &mut dyn Observer) {
        self.each_group(|grains| observer.snapshot(t, &grains));
    }

    fn each_group(&mut self, mut put: impl FnMut(Snapshot<'_>)) {
        for (group, heap) in self.heaps.iter_mut().enumerate() {
            let places = heap.positions.iter_mut().zip(&mut heap.velocities);
            for ((position, velocity), grain) in places.zip(heap.world.grains()) {
                *position = grain.position;
                *velocity = grain.velocity;
            }
            put(Snapshot {
                group,
                positions: &heap.positions,
                velocities: &heap.velocities,
                radii: &heap.radii,
            });
        }
    }
}

/// The ledger of the mechanism with that of the grains: what passes between them is in neither.
fn together(mut ledger: Ledger, heaps: &[Heap]) -> Ledger {
    let stock = |e: &Stock| e.kinetic + e.gravitational + e.indentation + e.bristles;
    for heap in heaps {
        let now = &heap.now;
        ledger.kinetic += now.kinetic;
        ledger.gravitational += now.gravitational;
        ledger.elastic += now.indentation + now.bristles;
        let heats = heap.heats();
        ledger.residual += stock(now) - stock(&heap.first) + heats.iter().sum::<f64>();
        let parts = ["", ".friction", ".rolling"];
        for (part, heat) in parts.into_iter().zip(heats) {
            if part.is_empty() || heat != 0.0 {
                let name = format!("group.{}{part}", heap.name);
                ledger.dissipated.push((name, heat));
            }
        }
    }
    ledger
}

/// One account of a ledger, J.
pub(super) fn balance(ledger: &Ledger, account: Account) -> f64 {
    match account {
        Account::Kinetic => ledger.kinetic,
        Account::Gravitational => ledger.gravitational,
        Account::Elastic => ledger.elastic,
        Account::DriverWork => ledger.driver_work,
        Account::LoadWork => ledger.load_work,
        Account::Dissipated => ledger.dissipated.iter().map(|(_, heat)| heat).sum(),
        Account::Residual => ledger.residual,
    }
}

#[cfg(test)]
mod tests {
    use super::plan;

    #[test]
    fn a_step_that_fits_stays_and_one_that_does_not_becomes_shorter() {
        assert_eq!(plan(0.06, 1e-5), (6000, 1e-5));
        assert_eq!(plan(1.0, 0.3), (4, 0.25));
        assert_eq!(plan(1.0, 2.0), (1, 1.0));
    }
}
