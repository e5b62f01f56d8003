//! What do the stops of joints do to a mechanism, and what do they remember?
//!
//! The elements never change; beside each stand two memories, of its lower and of its upper end, which move at events and accepted steps only.

use crate::mechanics::{Apart, Contacting, Episode, Happening, Limit, Measure, Pose};
use crate::model::Model;
use crate::solve::Watch;

/// The guards of one element: of its lower, then of its upper end.
const GUARDS: usize = 2 * Contacting::GUARDS;

/// All stops of a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    limits: Vec<Limit>,
    /// `joint.pin`, the joint that each belongs to.
    names: Vec<String>,
    memory: Vec<[Contacting; 2]>,
    /// What each had lost when the run began, J: a start deep in a stop of a plastic law finds it dented already.
    at_start: Vec<f64>,
    direction: Vec<f64>,
}

/// One contact of a joint with one of its stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The joint, such as `joint.pin`.
    pub element: String,
    /// Whether it is the stop at the upper end of the travel.
    pub upper: bool,
    /// When and how fast.
    pub episode: Episode,
}

/// What changed at an event or at an accepted step.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Whether the step under way is to be cut.
    pub cut: bool,
    /// Whether to start afresh.
    pub restart: bool,
    /// The least step that is asked for to do so, s.
    pub first_step: Option<f64>,
    pub ended: Option<Stop>,
    /// A touch that was too slow to be taken as it was: joint and whether it is the upper end.
    pub slow: Option<(String, bool)>,
    /// Why it cannot go on.
    pub failed: Option<String>,
}

impl Stops {
    pub fn new(model: &Model) -> Self {
        let entries = &model.limits;
        Self {
            limits: entries.iter().map(|entry| entry.limit.clone()).collect(),
            names: entries
                .iter()
                .map(|e| format!("joint.{}", e.name))
                .collect(),
            memory: vec![[Contacting::OPEN; 2]; entries.len()],
            at_start: vec![0.0; entries.len()],
            direction: vec![0.0; 3 * model.bodies.len()],
        }
    }

    /// Apart, all of them, as if nothing had ever touched.
    pub fn reset(&mut self) {
        self.memory.fill([Contacting::OPEN; 2]);
        self.at_start.fill(0.0);
    }

    pub fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    /// Every gap with its memory.
    #[inline]
    fn sides(&self, poses: &[Pose]) -> impl Iterator<Item = (&Limit, Measure, &Contacting)> {
        let all = self.limits.iter().zip(&self.memory);
        all.flat_map(|(limit, memory)| {
            let gaps = limit.gaps(poses).into_iter().zip(memory);
            gaps.map(move |(gap, memory)| (limit, gap, memory))
        })
    }

    /// Adds their forces.
    #[inline]
    pub fn apply(&self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        for (limit, gap, memory) in self.sides(poses) {
            if memory.touch().is_some() {
                let force = memory.force(t, &Apart::from(&gap)).total();
                limit.push(&gap, force, forces);
            }
        }
    }

    /// What is stored in all of them, J.
    pub fn stored(&self, poses: &[Pose]) -> f64 {
        let of = |(_, gap, memory): (&Limit, Measure, &Contacting)| memory.stored(&(&gap).into());
        self.sides(poses).map(of).sum()
    }

    /// What each has turned into heat since the start beside the power of its dampers, J.
    pub fn lost(&self, poses: &[Pose]) -> impl Iterator<Item = f64> {
        let all = self.limits.iter().zip(&self.memory).zip(&self.at_start);
        all.map(|((limit, memory), at_start)| lost(limit, memory, poses) - at_start)
    }

    /// The power of the dampers of one, W.
    #[inline]
    pub fn power(&self, i: usize, t: f64, poses: &[Pose]) -> f64 {
        let (Some(limit), Some(memory)) = (self.limits.get(i), self.memory.get(i)) else {
            return 0.0;
        };
        let sides = limit.gaps(poses).into_iter().zip(memory);
        sides
            .map(|(gap, memory)| -memory.force(t, &Apart::from(&gap)).dissipative * gap.rate)
            .sum()
    }

    pub fn guard_count(&self) -> usize {
        GUARDS * self.limits.len()
    }

    #[inline]
    pub fn guards(&self, t: f64, poses: &[Pose], g: &mut [f64]) {
        let places = g.as_chunks_mut::<{ Contacting::GUARDS }>().0;
        for ((_, gap, memory), g) in self.sides(poses).zip(places) {
            memory.guards(t, &(&gap).into(), g);
        }
    }

    /// How the guards are watched: an end without a stop not at all.
    pub fn watch(&self, watch: &mut [Watch]) {
        let ends = self.limits.iter().flat_map(Limit::ends);
        for (end, watch) in ends.zip(watch.as_chunks_mut::<{ Contacting::GUARDS }>().0) {
            *watch = if end.is_finite() {
                Contacting::WATCH
            } else {
                [Watch::Off; Contacting::GUARDS]
            };
        }
    }

    pub fn guard_name(&self, guard: usize) -> String {
        let what = ["touch", "separation", "turn", "corner", "limit of the law"];
        let name = self.names.get(guard / GUARDS).map_or("?", String::as_str);
        let side = side_name(guard % GUARDS >= Contacting::GUARDS);
        format!("{name}, {side} stop: {}", what[guard % Contacting::GUARDS])
    }

    /// The stop that lies farthest inside its joint's travel, whether it is felt or not: joint, whether it is the upper end, depth and its unit.
    pub fn passed(&self, poses: &[Pose]) -> Option<(&str, bool, f64, &'static str)> {
        let all = self.limits.iter().zip(&self.names);
        let sides = all.flat_map(|(limit, name)| {
            let gaps = limit.gaps(poses).into_iter().zip([false, true]);
            gaps.map(move |(gap, upper)| (name.as_str(), upper, -gap.value, limit.travel().unit()))
        });
        let passed = sides.filter(|side| side.2 > 0.0 && side.2.is_finite());
        passed.max_by(|a, b| a.2.total_cmp(&b.2))
    }

    /// The depth of every contact under way, m or rad, with its element.
    pub fn depths(&self) -> impl Iterator<Item = (&Limit, f64)> {
        let all = self.limits.iter().zip(&self.memory);
        all.flat_map(|(limit, memory)| {
            let depths = memory.iter().filter_map(Contacting::depth);
            depths.map(move |depth| (limit, depth))
        })
    }

    /// Moves the memory for the poses given. `effective` answers the effective mass (kg, or kg m²) along a direction of all coordinates.
    pub fn move_memory(
        &mut self,
        t: f64,
        poses: &[Pose],
        effective: &mut dyn FnMut(&[f64]) -> f64,
        step: Step<'_>,
    ) -> Changes {
        let mut changes = Changes::default();
        for (i, (limit, memory)) in self.limits.iter().zip(&mut self.memory).enumerate() {
            let sides = limit.gaps(poses).into_iter().zip(memory).zip([false, true]);
            for ((gap, memory), upper) in sides {
                let at = Apart::from(&gap);
                if !at.gap.is_finite() {
                    continue;
                }
                let direction = &mut self.direction;
                let mass = || {
                    limit.direction(&gap, direction);
                    effective(direction)
                };
                let terms = limit.terms();
                let happening = match step {
                    Step::Start(accelerations) => {
                        let mut second = gap.second;
                        for (body, by) in limit.bodies().into_iter().zip(gap.by) {
                            let own = body.and_then(|b| accelerations.as_chunks::<3>().0.get(b));
                            let own = own.into_iter().flatten().zip(by);
                            second += own.map(|(a, by)| a * by).sum::<f64>();
                        }
                        memory.start(terms, t, &at, second, mass)
                    }
                    Step::Accept => memory.accept(terms, t, &at, mass),
                    Step::Event(fired) => {
                        let first = GUARDS * i + Contacting::GUARDS * usize::from(upper);
                        let mut own = [false; Contacting::GUARDS];
                        for (k, own) in own.iter_mut().enumerate() {
                            *own = fired(first + k);
                        }
                        if own == [false; Contacting::GUARDS] {
                            continue;
                        }
                        memory.event(terms, t, &at, own, mass)
                    }
                };
                let name = self.names.get(i).map_or("?", String::as_str);
                let mut restart = |first_step: Option<f64>| {
                    changes.cut = true;
                    changes.restart = true;
                    changes.first_step = match (changes.first_step, first_step) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    };
                };
                match happening {
                    Ok(Happening::Nothing) => {}
                    Ok(Happening::Kink) => changes.cut = true,
                    Ok(Happening::Began { first_step, slow }) => {
                        restart(Some(first_step));
                        if slow {
                            changes.slow = Some((name.into(), upper));
                        }
                    }
                    Ok(Happening::Turned { first_step }) => restart(Some(first_step)),
                    Ok(Happening::Ended(episode)) => {
                        restart(None);
                        changes.ended = Some(Stop {
                            element: name.into(),
                            upper,
                            episode,
                        });
                    }
                    Ok(Happening::Beyond(depth)) => {
                        changes.failed = Some(format!(
                            "{name} is {depth} {} deep in its {} stop at t = {t} s, and the law has no force beyond",
                            limit.travel().unit(),
                            side_name(upper)
                        ));
                    }
                    Err(failed) => {
                        changes.failed = Some(format!(
                            "{name} touches its {} stop at t = {t} s, but no contact can begin there: {failed}. A joint that a driver moves cannot be stopped",
                            side_name(upper)
                        ));
                    }
                }
            }
        }
        if matches!(step, Step::Start(_)) {
            let all = self.limits.iter().zip(&self.memory);
            for ((limit, memory), at_start) in all.zip(&mut self.at_start) {
                *at_start = lost(limit, memory, poses);
            }
        }
        changes
    }
}

/// What both ends of one have lost in all, J.
fn lost(limit: &Limit, memory: &[Contacting; 2], poses: &[Pose]) -> f64 {
    let sides = limit.gaps(poses).into_iter().zip(memory);
    sides.map(|(gap, memory)| memory.lost(&(&gap).into())).sum()
}

/// Why memory moves.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// A run begins, with these accelerations where nothing touches yet.
    Start(&'a [f64]),
    /// A step is done.
    Accept,
    /// Guards fired: those that this says.
    Event(&'a dyn Fn(usize) -> bool),
}

pub(super) fn side_name(upper: bool) -> &'static str {
    if upper { "upper" } else { "lower" }
}
