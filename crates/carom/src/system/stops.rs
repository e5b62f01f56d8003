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
    courses: Vec<[Course; 2]>,
    direction: Vec<f64>,
}

/// One contact of a joint with one of its stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The joint, such as `joint.pin`.
    pub element: String,
    /// Whether it is the stop at the upper end of the travel.
    pub upper: bool,
    /// When and how fast. Of a contact that is not over, the end is the time reached.
    pub episode: Episode,
    /// The law of the stop.
    pub law: &'static str,
    /// The restitution asked for at the speed of approach, if the law takes one.
    pub requested: Option<f64>,
    /// What is travelled: `rad` or `m`. Depths, speeds, masses and forces are those of an angle or of a length.
    pub unit: &'static str,
    /// How deep and how hard.
    pub course: Course,
}

/// How deep and how hard a contact has been.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// The deepest indentation, m (or rad), and when, s.
    pub deepest: [f64; 2],
    /// The largest force, N (or N m), and when, s.
    pub peak: [f64; 2],
    /// The least force, N (or N m): negative where the law pulls.
    pub least: f64,
    /// The integral of the force over time, N s (or N m s).
    pub impulse: f64,
    /// Where it was last seen: time, gap and its rate.
    last: [f64; 3],
}

impl Course {
    /// Looks between two accepted steps.
    const PARTS: usize = 8;

    fn begun(t: f64, at: &Apart) -> Self {
        Self {
            deepest: [0.0, t],
            peak: [0.0, t],
            least: 0.0,
            impulse: 0.0,
            last: [t, at.gap, at.rate],
        }
    }

    /// Goes on to the time `t`. In between, the gap is the cubic through both ends with their rates.
    fn go(&mut self, memory: &Contacting, t: f64, at: &Apart) {
        let [from, gap, rate] = self.last;
        let h = t - from;
        if !(h > 0.0) {
            return;
        }
        self.last = [t, at.gap, at.rate];
        let mut depths = [0.0; Self::PARTS + 1];
        let mut forces = [0.0; Self::PARTS + 1];
        let jump = at.gap - gap;
        let (bend, twist) = (
            3.0 * jump - h * (2.0 * rate + at.rate),
            h * (rate + at.rate) - 2.0 * jump,
        );
        for (k, (depth, force)) in depths.iter_mut().zip(&mut forces).enumerate() {
            let s = k as f64 / Self::PARTS as f64;
            let here = if k == Self::PARTS {
                *at
            } else {
                Apart {
                    gap: gap + s * (h * rate + s * (bend + s * twist)),
                    rate: rate + s * (2.0 * bend + 3.0 * s * twist) / h,
                    own: at.own,
                }
            };
            *depth = memory.indentation(&here)[0];
            *force = memory.force(from + s * h, &here).total();
            // Simpson's rule.
            let weight = match k {
                0 | Self::PARTS => 1.0,
                _ if k % 2 == 1 => 4.0,
                _ => 2.0,
            };
            self.impulse += weight * h / (3.0 * Self::PARTS as f64) * *force;
            self.least = self.least.min(*force);
        }
        for (values, most) in [(depths, &mut self.deepest), (forces, &mut self.peak)] {
            let (value, s) = highest(&values);
            if value > most[0] {
                *most = [value, from + s * h];
            }
        }
    }
}

/// The highest of values at equal distances, on the parabola through it and its neighbours, and where it is between 0 and 1.
fn highest(values: &[f64]) -> (f64, f64) {
    let parts = values.len().saturating_sub(1).max(1) as f64;
    let first = values.first().copied().unwrap_or(0.0);
    let mut best = (first, 0.0);
    for (k, value) in values.iter().enumerate() {
        if *value > best.0 {
            best = (*value, k as f64 / parts);
        }
    }
    for (k, three) in values.windows(3).enumerate() {
        let [a, b, c] = *three else { continue };
        let bend = a - 2.0 * b + c;
        if b >= a && b >= c && bend < 0.0 {
            let aside = 0.5 * (a - c) / bend;
            let value = b - 0.25 * (a - c) * aside;
            if value > best.0 {
                best = (value, (k as f64 + 1.0 + aside) / parts);
            }
        }
    }
    best
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
    /// Contacts that are over.
    pub ended: Vec<Stop>,
    /// Touches that were too slow to be taken as they were: joint and whether it is the upper end.
    pub slow: Vec<(String, bool)>,
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
            courses: vec![[Course::default(); 2]; entries.len()],
            direction: vec![0.0; 3 * model.bodies.len()],
        }
    }

    /// Apart, all of them, as if nothing had ever touched.
    pub fn reset(&mut self) {
        self.memory.fill([Contacting::OPEN; 2]);
        self.at_start.fill(0.0);
        self.courses.fill([Course::default(); 2]);
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

    /// The contacts under way, at the time and with the poses of the last accepted step.
    pub fn under_way(&self, t: f64, poses: &[Pose]) -> Vec<Stop> {
        let mut found = Vec::new();
        let all = self.limits.iter().zip(&self.names);
        for ((limit, name), (memory, courses)) in all.zip(self.memory.iter().zip(&self.courses)) {
            let sides = limit.gaps(poses).into_iter().zip(memory).zip(courses);
            for (((gap, memory), course), upper) in sides.zip([false, true]) {
                if let Some(episode) = memory.so_far(t, &Apart::from(&gap)) {
                    found.push(stop(limit, name, upper, episode, *course));
                }
            }
        }
        found
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
        let memories = self.memory.iter_mut().zip(&mut self.courses);
        for (i, (limit, (memory, courses))) in self.limits.iter().zip(memories).enumerate() {
            let sides = limit.gaps(poses).into_iter().zip(memory).zip(courses);
            for (((gap, memory), course), upper) in sides.zip([false, true]) {
                let at = Apart::from(&gap);
                if !at.gap.is_finite() {
                    continue;
                }
                if memory.touch().is_some() {
                    course.go(memory, t, &at);
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
                        *course = Course::begun(t, &at);
                        if slow {
                            changes.slow.push((name.into(), upper));
                        }
                    }
                    Ok(Happening::Turned { first_step }) => restart(Some(first_step)),
                    Ok(Happening::Ended(episode)) => {
                        restart(None);
                        let ended = stop(limit, name, upper, episode, *course);
                        changes.ended.push(ended);
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

fn stop(limit: &Limit, name: &str, upper: bool, episode: Episode, course: Course) -> Stop {
    let terms = limit.terms();
    let counted = episode.approach.max(terms.slowest);
    Stop {
        element: name.into(),
        upper,
        episode,
        law: terms.law.card().id,
        requested: terms.law.requested(counted).ok().flatten(),
        unit: limit.travel().unit(),
        course,
    }
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
