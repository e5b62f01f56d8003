//! How long is a step where nobody says, and on which instants do steps fall?
//!
//! A step is short beside everything that can be known before: how long it takes to cross what may be touched, or a play, how fast things turn, and how fast the forces change along the way. Steps then fall on the
//! instants of the output, so that samples stand where they stand with every other method.

use crate::geometry::Outline;
use crate::math;
use crate::mechanics::Travel;
use crate::model::LimitEntry;
use crate::system::assembly;
use crate::system::mechanism::System;
use crate::system::note::Warning;

/// No step goes farther than this part of what is touched or of a play.
const CROSSED: f64 = 0.05;
/// No step turns anything, or goes through a vibration, by more, rad.
const TURNED: f64 = 0.01;
/// A shape that is smaller than this part of the mechanism stands for a point.
const POINT: f64 = 1e-2;
/// No step goes farther than this part of what could be passed through.
const SEEN: f64 = 0.2;
/// A step that was asked for, so many times as long as one that would be chosen, is warned of.
const ABSURD: f64 = 50.0;
/// No more steps than this are taken by default.
const MOST: f64 = 1e6;
/// Relative rounding that is no reason for another step.
const FITS: f64 = 1e-9;
/// At how many instants drivers are asked how fast they are.
const LOOKS: u32 = 64;
/// No step lets dampers take more than this part of a speed: steps that are much longer make it grow.
const DAMPED: f64 = 0.1;
/// Dampers that would take more than this part of a speed in a step that was asked for are warned of.
const UNSTABLE: f64 = 1.0;
/// The golden section: its multiples, without their whole parts, are spread evenly and never come back.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// How often the fastest vibration is sharpened.
const SHARPENED: usize = 12;

/// What is moved a little, to see how forces answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    Positions,
    Velocities,
}

/// On which instants the steps fall: as many equal ones between two samples as are needed, and a last piece where the end of the run is no sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    start: f64,
    end: f64,
    /// Between samples, s, with so many steps.
    every: f64,
    per: u64,
    whole: u64,
    /// Steps in the last piece, and its length, s.
    rest: u64,
    left: f64,
    /// Whether steps are of uneven lengths between samples.
    uneven: bool,
}

impl Schedule {
    /// For a run with samples `every` so often, by steps no longer than asked, s. Where a step is longer than the time between samples there is one at every step.
    pub fn new(start: f64, end: f64, every: f64, asked: f64) -> Self {
        let span = (end - start).max(0.0);
        let every = if every < asked * (1.0 - FITS) {
            span / pieces(span, asked)
        } else {
            every.min(span)
        };
        let whole = (span / every * (1.0 + FITS)).floor();
        let whole = if every > 0.0 && whole.is_finite() {
            whole
        } else {
            0.0
        };
        let left = span - whole * every;
        let left = if left > FITS * every { left } else { 0.0 };
        Self {
            start,
            end,
            every,
            per: pieces(every, asked) as u64,
            whole: whole as u64,
            rest: if left > 0.0 {
                pieces(left, asked) as u64
            } else {
                0
            },
            left,
            uneven: false,
        }
    }

    /// The same with steps of uneven lengths between samples, so that no force of time can keep step with them.
    pub fn unevenly(self, uneven: bool) -> Self {
        Self { uneven, ..self }
    }

    /// How far the end of so many steps is moved, in steps: by a quarter at most, and never twice alike (the golden section).
    fn moved(&self, steps: u64, part: u64) -> f64 {
        match self.uneven && part > 0 {
            true => 0.5 * (steps as f64 * GOLDEN).fract() - 0.25,
            false => 0.0,
        }
    }

    /// How many steps there are.
    pub fn count(&self) -> u64 {
        self.whole
            .saturating_mul(self.per)
            .saturating_add(self.rest)
    }

    /// The length of most steps, s.
    pub fn usual(&self) -> f64 {
        match self.whole {
            0 if self.rest > 0 => self.left / self.rest as f64,
            _ => self.every / self.per as f64,
        }
    }

    /// The length of the step that begins at the end of so many, s.
    pub fn length(&self, steps: u64) -> f64 {
        if self.uneven {
            self.time(steps + 1) - self.time(steps)
        } else if steps < self.whole.saturating_mul(self.per) {
            self.every / self.per as f64
        } else if self.rest > 0 {
            self.left / self.rest as f64
        } else {
            self.usual()
        }
    }

    /// The time at the end of so many steps, s: from the count, so that nothing adds up.
    pub fn time(&self, steps: u64) -> f64 {
        if steps >= self.count() {
            return self.end;
        }
        let (number, part) = (steps / self.per.max(1), steps % self.per.max(1));
        if number < self.whole {
            let part = part as f64 + self.moved(steps, part);
            let within = part * self.every / self.per as f64;
            return self.start + number as f64 * self.every + within;
        }
        let part = steps - self.whole * self.per;
        let part = part as f64 + self.moved(steps, part);
        let within = part * self.left / self.rest.max(1) as f64;
        self.start + self.whole as f64 * self.every + within
    }

    /// Whether a sample stands at the end of so many steps.
    pub fn samples(&self, steps: u64) -> bool {
        let whole = self.whole.saturating_mul(self.per);
        steps >= self.count() || (steps <= whole && steps.is_multiple_of(self.per.max(1)))
    }
}

/// How far a joint slides from stop to stop, m; nothing of one that turns, or that has one stop only.
pub(super) fn travel(entry: &LimitEntry) -> Option<f64> {
    let [lower, upper] = entry.limit.ends();
    let way = upper - lower;
    (entry.limit.travel() == Travel::Along && way.is_finite()).then_some(way)
}

/// How far two points are from each other, m (or two velocities, m/s).
pub(super) fn distance([a, b]: [f64; 2], [x, y]: [f64; 2]) -> f64 {
    math::sqrt((a - x) * (a - x) + (b - y) * (b - y))
}

/// Into how many equal steps no longer than asked a time falls.
fn pieces(time: f64, asked: f64) -> f64 {
    let count = (time / asked * (1.0 - FITS)).ceil();
    if count.is_finite() {
        count.max(1.0)
    } else {
        f64::MAX
    }
}

impl System {
    /// Chooses the step where the model does not say it.
    pub(super) fn choose_step(&mut self) {
        let (start, end) = (self.start, self.model.simulation.end);
        let (span, every) = (end - start, self.model.output_step());
        if !(span > 0.0 && every > 0.0) {
            return;
        }
        let asked = match self.model.method.step {
            Some(asked) => {
                self.long_steps(asked, span, every);
                asked
            }
            None => {
                let longest = (1e-3 * span).min(every);
                let wanted = self.shortest_time(longest);
                let least = span / MOST;
                if wanted < least && least < longest {
                    self.warnings.push(Warning {
                        code: "step-too-long",
                        element: Some("method.step".into()),
                        time: None,
                        message: format!(
                            "steps of {wanted:.3e} s would do this motion justice, and a million steps of {least:.3e} s are taken"
                        ),
                        hint: format!("a shorter run, or step = \"{wanted:.1e} s\""),
                    });
                }
                wanted.max(least.min(longest))
            }
        };
        if asked > 0.0 {
            let chosen = Schedule::new(start, end, every, asked).usual();
            self.model.method.step = Some(chosen);
        }
    }

    /// Warns of a step that was asked for and is far longer than the motion asks for, or than the time between samples.
    fn long_steps(&mut self, asked: f64, span: f64, every: f64) {
        let wanted = self.shortest_time((1e-3 * span).min(every));
        if asked > ABSURD * wanted {
            self.warnings.push(Warning {
                code: "step-too-long",
                element: Some("method.step".into()),
                time: None,
                message: format!(
                    "steps of {wanted:.1e} s would do this motion justice, and {asked:.1e} s are asked for"
                ),
                hint: format!("step = \"{wanted:.1e} s\", or leave it out"),
            });
        }
        let (q, v) = (self.q.clone(), self.v.clone());
        let rate = self.fastest_answer(&q, &v, Moved::Velocities);
        if asked * rate > UNSTABLE {
            self.warnings.push(Warning {
                code: "step-unstable",
                element: Some("method.step".into()),
                time: None,
                message: format!(
                    "dampers or friction in joints slow something down at {rate:.1e} 1/s, which steps of {asked:.1e} s cannot follow: its speed may grow instead of falling"
                ),
                hint: format!("step = \"{:.1e} s\", or leave it out", DAMPED / rate),
            });
        }
        if asked > every * (1.0 + FITS) {
            self.warnings.push(Warning {
                code: "fewer-samples",
                element: Some("method.step".into()),
                time: None,
                message: format!(
                    "a step of {asked:.3e} s is longer than the {every:.3e} s from one sample to the next: there is a sample a step"
                ),
                hint: "a shorter step, or a longer output_step".into(),
            });
        }
    }

    /// The longest step that is short beside everything that is known of the motion, s; at most `longest`.
    fn shortest_time(&mut self, longest: f64) -> f64 {
        let (start, end) = (self.start, self.model.simulation.end);
        let (q, v) = (self.q.clone(), self.v.clone());
        let grains = || self.model.groups.iter().filter_map(|group| group.grains());
        let places = grains().flatten().flat_map(|grain| &grain.position[..2]);
        let size = places.fold(assembly::size(&q), |m, x| m.max(x.abs()));
        // What stands on the ground, and is not without end.
        let ground = self.model.ground_shapes.iter().map(|entry| &entry.shape);
        let ground = ground.filter(|shape| !matches!(shape.outline, Outline::Plane { .. }));
        let outlines = ground.flat_map(|shape| shape.outline(16));
        let size = outlines.flatten().fold(size, |m, x| m.max(x.abs()));
        // What moves at the start, and what falls, or is pushed, through the whole of the mechanism.
        let [gx, gy] = self.model.gravity;
        let g = math::sqrt(gx * gx + gy * gy);
        let hangs = !self.model.joints.is_empty();
        let (mut fastest, mut turning) = (0.0_f64, 0.0_f64);
        for (entry, &[vx, vy, omega]) in self.model.bodies.iter().zip(v.as_chunks::<3>().0) {
            let outlines = entry
                .shapes
                .iter()
                .flat_map(|shape| shape.shape.outline(16));
            let points = entry.points.iter().map(|point| point.at);
            let far = points.chain(outlines).map(|[x, y]| x * x + y * y);
            let arm = math::sqrt(far.filter(|far| far.is_finite()).fold(0.0, f64::max));
            fastest = fastest.max(math::sqrt(vx * vx + vy * vy) + omega.abs() * arm.min(size));
            turning = turning.max(omega.abs());
            if hangs {
                // A pendulum that falls over.
                let arm = if arm > 0.0 {
                    arm.max(POINT * size)
                } else {
                    size
                };
                turning = turning.max(math::sqrt(2.0 * g / arm));
            }
        }
        for grain in grains().flatten() {
            let [vx, vy, _] = grain.velocity;
            fastest = fastest.max(math::sqrt(vx * vx + vy * vy));
        }
        // The hardest push, m/s², and the speed that all of them give one after the other, m/s.
        let (mut hardest, mut gained) = (g, 0.0);
        for k in 0..LOOKS {
            let t = start + (end - start) * f64::from(k) / f64::from(LOOKS);
            // A state that cannot be evaluated is told by the first step.
            if self.equations.evaluate(t, &q, &v).is_ok() {
                let all = self.equations.accelerations.as_chunks::<3>().0.iter();
                let now = all.fold(g, |m, [x, y, _]| m.max(math::sqrt(x * x + y * y)));
                hardest = hardest.max(now);
                gained += now * (end - start) / f64::from(LOOKS);
            }
            for (rate, turns) in self.equations.times.iter().zip(&self.equations.turning) {
                match turns {
                    true => turning = turning.max(rate.abs()),
                    false => fastest = fastest.max(rate.abs()),
                }
            }
        }
        let fastest = fastest + math::sqrt(2.0 * hardest * size).min(gained);
        let contacts = self.model.contacts.iter().map(|entry| {
            let contact = &entry.contact;
            // What could be passed through must not be, however thin it is.
            let thin = SEEN / CROSSED * contact.thickness();
            let size = contact.size().max(POINT * size);
            contact.play().unwrap_or(size.min(thin))
        });
        // Where one surface runs round inside the other its way bends.
        let hollows = self.model.contacts.iter().filter_map(|entry| {
            let contact = &entry.contact;
            let radius = contact.rounds();
            (contact.play().is_none()).then_some(radius)
        });
        let sharpest = hollows.fold(f64::INFINITY, f64::min);
        let radii = grains().flatten().map(|grain| 2.0 * grain.radius);
        let stops = self.model.limits.iter().filter_map(travel);
        let thinnest = contacts.chain(radii).chain(stops);
        let thinnest = thinnest.fold(f64::INFINITY, f64::min);
        let turns = self.model.limits.iter().filter_map(|entry| {
            let [lower, upper] = entry.limit.ends();
            (entry.limit.travel() == Travel::Turn).then_some(upper - lower)
        });
        let narrowest = turns.fold(f64::INFINITY, f64::min);
        let vibration = math::sqrt(self.fastest_answer(&q, &v, Moved::Positions));
        let damping = self.fastest_answer(&q, &v, Moved::Velocities);
        self.equations.rows(start, &q, &v);
        let limits = [
            CROSSED * thinnest / fastest,
            CROSSED * narrowest / turning,
            TURNED * sharpest / fastest,
            TURNED / turning,
            TURNED / vibration,
            DAMPED / damping,
        ];
        let limits = limits.into_iter().filter(|limit| *limit > 0.0);
        limits.fold(longest, f64::min)
    }

    /// How strongly forces and joints answer at most, about: to a small displacement with the square of a circular frequency, 1/s², to a small velocity with a rate, 1/s.
    fn fastest_answer(&mut self, q: &[f64], v: &[f64], moved: Moved) -> f64 {
        let start = self.start;
        let at = match moved {
            Moved::Positions => q,
            Moved::Velocities => v,
        };
        let speed = v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let hair = 1e-6
            * match moved {
                Moved::Positions => assembly::size(q),
                Moved::Velocities => speed.max(1e-3),
            };
        if self.equations.evaluate(start, q, v).is_err() {
            return 0.0;
        }
        let before = self.equations.accelerations.clone();
        // Some direction that is along nothing in particular.
        let mut along: Vec<f64> = (0..q.len())
            .map(|i| 1.0 + 0.37 * (i % 3) as f64 - 0.11 * (i % 7) as f64)
            .collect();
        let mut there = at.to_vec();
        let mut found = 0.0;
        for _ in 0..SHARPENED {
            let largest = along.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            if !(largest > 0.0 && largest.is_finite()) {
                return 0.0;
            }
            for ((there, at), along) in there.iter_mut().zip(at).zip(&mut along) {
                *along /= largest;
                *there = at + hair * *along;
            }
            let evaluated = match moved {
                Moved::Positions => self.equations.evaluate(start, &there, v),
                Moved::Velocities => self.equations.evaluate(start, q, &there),
            };
            if evaluated.is_err() {
                return found;
            }
            let pairs = self.equations.accelerations.iter().zip(&before);
            let mut answer = 0.0_f64;
            for (along, (after, before)) in along.iter_mut().zip(pairs) {
                *along = (after - before) / hair;
                answer = answer.max(along.abs());
            }
            if answer.is_finite() {
                found = answer;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(schedule: &Schedule) -> Vec<f64> {
        (0..=schedule.count()).map(|k| schedule.time(k)).collect()
    }

    #[test]
    fn steps_fall_on_every_sample_and_on_the_end() {
        // 0.3 s every 0.1 s by at most 0.04 s: three thirds each.
        let even = Schedule::new(1.0, 1.3, 0.1, 0.04);
        assert_eq!(
            (even.count(), even.samples(3), even.samples(4)),
            (9, true, false)
        );
        assert_eq!(even.time(3), 1.1);
        assert!((even.usual() - 0.1 / 3.0).abs() < 1e-15);
        // 0.25 s: two whole ones, and 0.05 s in two steps.
        let odd = Schedule::new(0.0, 0.25, 0.1, 0.04);
        let at = times(&odd);
        assert_eq!((odd.count(), at[6], at[8]), (8, 0.2, 0.25));
        assert!((at[7] - 0.225).abs() < 1e-15 && (odd.length(7) - 0.025).abs() < 1e-15);
        assert!(odd.samples(6) && !odd.samples(7) && odd.samples(8));
        // A step longer than the time between samples, and one longer than the run.
        let long = Schedule::new(0.0, 1.0, 0.01, 0.4);
        assert_eq!((long.count(), long.samples(1)), (3, true));
        let whole = Schedule::new(0.0, 1.0, 0.01, 5.0);
        assert_eq!(
            (whole.count(), whole.time(1), whole.length(0)),
            (1, 1.0, 1.0)
        );
        assert_eq!(Schedule::new(2.0, 2.0, 0.01, 0.1).count(), 0);
    }

    #[test]
    fn uneven_steps_fall_on_every_sample_too_and_no_instant_between_comes_back() {
        let even = Schedule::new(1.0, 1.25, 0.1, 0.019);
        let uneven = even.unevenly(true);
        let (a, b) = (times(&even), times(&uneven));
        assert_eq!(a.len(), b.len());
        let mut seen: Vec<f64> = Vec::new();
        for (k, (a, b)) in a.iter().zip(&b).enumerate() {
            let k = k as u64;
            assert_eq!(even.samples(k), uneven.samples(k));
            assert_eq!(a == b, even.samples(k), "{k}: {a} {b}");
            if k < uneven.count() {
                let h = uneven.length(k);
                assert!(h > 0.4 * even.usual() && h < 1.6 * even.usual(), "{k}: {h}");
            }
            // Where it stands between the instants of even steps, no other one does.
            let moved = (b - a) / even.usual();
            if !even.samples(k) {
                assert!(seen.iter().all(|known| (known - moved).abs() > 1e-3), "{k}");
                seen.push(moved);
            }
        }
    }

    #[test]
    fn no_number_of_steps_is_too_large_to_be_refused() {
        for (every, asked) in [
            (1e-300, 1e-300),
            (1.0, 1e-300),
            (1e-300, 1.0),
            (1.0, f64::MIN_POSITIVE),
        ] {
            let schedule = Schedule::new(0.0, 1e10, every, asked);
            assert!(schedule.count() > 0, "{schedule:?}");
        }
    }
}
