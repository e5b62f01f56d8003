//! Where does a mechanism come to rest, is it stable there, and what do its joints carry?
//!
//! On the positions that close the joints the forces are the downhill slope of a potential, whether it is known or not. Steps go downhill: Newton's where the stiffness is positive, and
//! with the magnitudes of its eigenvalues where it is not, so that a start off an upper position runs away from it. A step is halved as long as the slope along it turns round, which
//! needs no potential and serves forces that have none. Drivers hold the position of the start.

use crate::math;
use crate::solve::Statistics;

use super::differences::slope;
use super::eigen;
use super::kinematic::{is_singular, singular_rest};
use super::mechanism::System;
use super::note::Warning;
use super::reading::Ledger;
use super::run::{Observer, Outcome, Progress, Status};
use super::saddle::Rank;
use super::tangent::{basis, close, expanded, extent, reduced};

/// What a small push does to a mechanism at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Drivers and joints hold it: it cannot move at all.
    Held,
    /// It comes back.
    Stable,
    /// It stays where it is pushed, in one way at least, and comes back in all others.
    Neutral,
    /// It goes away.
    Unstable,
}

/// A position of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// What a small push does. Judged by the stiffness alone: self-excited vibrations are for the analysis `modes`.
    pub stability: Stability,
    /// Eigenvalues of the stiffness against the masses, rad²/s², ascending: squares of angular frequencies where nothing damps.
    pub stiffnesses: Vec<f64>,
    /// Steps it took.
    pub steps: usize,
}

/// Steps at most.
const STEPS: usize = 300;
/// The first limit of a step: of the mechanism's size, or rad.
const REACH: f64 = 0.3;
/// A step as small as this is no step.
const STILL: f64 = 1e-13;

/// The stiffness at a position, with its errors.
pub(super) struct Stiffness {
    /// −∂(Zᵀ M a)/∂s, row by row, 1/s².
    pub matrix: Vec<f64>,
    /// How far an entry may be off.
    pub error: f64,
    /// By how much the slopes of two sides differ at most.
    pub kink: f64,
}

impl System {
    /// The accelerations that forces give to the mechanism at rest with its drivers held; reactions are in `lambda`. `None` if they are not finite.
    fn unbalanced(&mut self, q: &[f64]) -> Option<Vec<f64>> {
        let (t, still) = (self.start, vec![0.0; q.len()]);
        let equations = &mut self.equations;
        equations.rows(t, q, &still);
        equations.apply(t);
        // Drivers stand still: no rate, no acceleration of theirs.
        equations.rates.fill(0.0);
        equations.times.fill(0.0);
        equations.gamma.fill(0.0);
        let rank = equations.saddle.factor(&equations.jacobian);
        let solved = equations.saddle.solve(
            &equations.forces,
            &equations.gamma,
            &mut equations.accelerations,
            &mut equations.lambda,
        );
        let sound = matches!(rank, Ok(Rank::Full | Rank::Deficient(_))) && solved.is_ok();
        let a = &equations.accelerations;
        (sound && a.iter().all(|a| a.is_finite())).then(|| a.clone())
    }

    /// Where one gets from q by s along the free motions, joints closed.
    pub(super) fn displaced(&mut self, q: &[f64], z: &[Vec<f64>], s: &[f64]) -> Option<Vec<f64>> {
        let mut there = expanded(z, s, q.len());
        there.iter_mut().zip(q).for_each(|(x, q)| *x += q);
        close(&mut self.equations, self.start, &mut there).then_some(there)
    }

    /// The stiffness at q; `rough` by one difference a column, else extrapolated.
    fn stiffness(&mut self, q: &[f64], z: &[Vec<f64>], rough: bool) -> Option<Stiffness> {
        let f = z.len();
        let size = self.extent();
        let masses = self.equations.masses.clone();
        let zero = reduced(z, &masses, &self.unbalanced(q)?);
        let mut stiffness = Stiffness {
            matrix: vec![0.0; f * f],
            error: 0.0,
            kink: 0.0,
        };
        for column in 0..f {
            let unit = extent(&z[column], size);
            let mut s = vec![0.0; f];
            let mut force = |h: f64| {
                s[column] = h;
                let there = self.displaced(q, z, &s)?;
                let a = self.unbalanced(&there)?;
                Some(reduced(z, &masses, &a))
            };
            let slopes = if rough {
                let h = 1e-5 / unit;
                let (ahead, behind) = (force(h)?, force(-h)?);
                let pairs = ahead.iter().zip(&behind);
                pairs.map(|(a, b)| (a - b) / (2.0 * h)).collect()
            } else {
                let found = slope(0.01 / unit, &zero, &mut force)?;
                stiffness.error = stiffness.error.max(found.error);
                stiffness.kink = stiffness.kink.max(found.kink);
                found.slope
            };
            for (row, slope) in slopes.iter().enumerate() {
                stiffness.matrix[row * f + column] = -slope;
            }
        }
        Some(stiffness)
    }

    /// A position of rest near the start.
    pub(super) fn rest(&mut self, observer: &mut dyn Observer) -> Outcome {
        let control = self.uncontrolled();
        let outcome = self.find_rest(observer);
        self.equations.control = control;
        outcome
    }

    fn find_rest(&mut self, observer: &mut dyn Observer) -> Outcome {
        let (t, n) = (self.start, self.q.len());
        let mut warnings = self.warnings.clone();
        let mut q = self.q.clone();
        let mut statistics = Statistics::default();
        let found = self.descend(&mut q, observer, &mut statistics);
        let found = found.and_then(|steps| {
            let steps = steps.ok_or(Status::Stopped);
            match steps {
                Ok(steps) => self.judge(&q, steps, &mut warnings).map(Some),
                Err(_) => Ok(None),
            }
        });
        let (status, reason, rest) = match found {
            Ok(Some(rest)) => (Status::Completed, None, Some(rest)),
            Ok(None) => (Status::Stopped, Some("ended by the user".into()), None),
            Err(reason) => (Status::Failed, Some(reason), None),
        };
        let mut y = self.state();
        y[..n].copy_from_slice(&q);
        y[n..].fill(0.0);
        let _ = self.unbalanced(&q);
        let singular = is_singular(&mut self.equations) == Some(true);
        if singular && status == Status::Completed {
            self.equations.lambda.fill(f64::NAN);
            warnings.push(singular_rest(t));
        }
        let energies = self.energies(t, &q, &y[n..2 * n]);
        warnings.extend(self.passed_stop(t));
        if let Some(entry) = self.model.frictions.first() {
            warnings.push(Warning {
                code: "friction-at-rest",
                element: Some(format!("joint.{}", entry.name)),
                time: Some(t),
                message: "friction is left out at rest: this is where forces balance without it, and friction may hold the mechanism elsewhere too".into(),
                hint: String::new(),
            });
        }
        if status == Status::Completed {
            // At rest, to the last digit.
            self.equations.accelerations.fill(0.0);
            let mut values = vec![0.0; self.channels.len()];
            self.read(t, &y, energies, &mut values);
            observer.sample(t, &values);
            self.show_once(t, &y, energies, &values, observer);
        }
        let mut outcome = self.outcome(status, reason, t, &y, energies, statistics, warnings);
        outcome.ledger = Ledger {
            gravitational: energies[1],
            elastic: energies[2],
            ..Ledger::default()
        };
        outcome.rest = rest;
        outcome
    }

    /// Moves q downhill until forces balance; how many steps it took, `None` if the observer ended it, or why there is no end.
    fn descend(
        &mut self,
        q: &mut Vec<f64>,
        observer: &mut dyn Observer,
        statistics: &mut Statistics,
    ) -> Result<Option<usize>, String> {
        let begin = q.clone();
        let masses = self.equations.masses.clone();
        let heaviest = masses.iter().fold(0.0_f64, |m, x| m.max(*x));
        let mut reach = REACH;
        let mut last = f64::INFINITY;
        let not_finite =
            || "the forces cannot be computed: a number is not finite at the start".to_string();
        let mut a = self.unbalanced(q).ok_or_else(not_finite)?;
        let first_size = self.extent();
        for step in 0..STEPS {
            let progress = Progress {
                t: self.start,
                start: self.start,
                end: self.start,
                step: 0.0,
                steps: step as u64,
                events: 0,
                crowd: None,
            };
            if observer.progress(&progress).is_break() {
                return Ok(None);
            }
            let z = basis(&self.equations);
            let f = z.len();
            if f == 0 {
                return Ok(Some(step));
            }
            let size = self.extent();
            let force = reduced(&z, &masses, &a);
            let k = self.stiffness(q, &z, true).ok_or_else(|| {
                "the stiffness cannot be computed: joints do not stay closed beside this position, or a force is not finite"
                    .to_string()
            })?;
            statistics.jacobians += 1;
            statistics.rhs_evaluations += 2 * f as u64;
            // Rounding of the forces is no force: what nothing holds must not drift with it.
            let rounding = 1e-13 * self.equations.hardest(self.start, size) * math::sqrt(heaviest);
            let d = downhill(&k.matrix, &force, rounding).ok_or_else(not_finite)?;
            let whole = extent(&expanded(&z, &d, q.len()), size);
            // As near as rounding lets it come.
            if whole <= STILL || whole <= 1e-9 && whole >= 0.5 * last {
                return Ok(Some(step));
            }
            last = whole;
            // Angles are held below a radian however far the rest may go: beyond the next hill is another valley.
            let turn = d_turn(&z, &d, q.len());
            let limit = (reach / whole).min(0.5 / turn).min(1.0);
            let slope_along =
                |force: &[f64]| -> f64 { force.iter().zip(&d).map(|(f, d)| f * d).sum() };
            let before = slope_along(&force);
            let mut part = limit;
            let accepted = loop {
                let s: Vec<f64> = d.iter().map(|d| part * d).collect();
                let there = self.displaced(q, &z, &s);
                let there = there.and_then(|there| Some((self.unbalanced(&there)?, there)));
                statistics.rhs_evaluations += 1;
                if let Some((a, there)) = there {
                    let after = slope_along(&reduced(&z, &masses, &a));
                    if after >= -0.5 * before {
                        break Some((a, there, after));
                    }
                }
                statistics.steps_rejected += 1;
                part *= 0.5;
                if part < 1e-12 * limit {
                    break None;
                }
            };
            let Some((next, there, after)) = accepted else {
                if whole <= 1e-9 {
                    return Ok(Some(step));
                }
                return Err(format!(
                    "no balance was found: after {step} steps the forces still drive {}, but turn round within a step of {:.1e}",
                    self.who_moves(q, &[expanded(&z, &d, q.len())]),
                    part * whole
                ));
            };
            statistics.steps_accepted += 1;
            if part == limit && after > 0.5 * before && limit < 1.0 {
                reach *= 2.0;
            } else if part < limit {
                reach = (2.0 * part * whole).clamp(1e-3, reach);
            }
            *q = there;
            a = next;
            let mut gone: Vec<f64> = q.iter().zip(&begin).map(|(q, b)| q - b).collect();
            let far = extent(&gone, first_size);
            if far > 1e4 {
                // Only what has gone far, not what was moved on the way.
                for (i, x) in gone.iter_mut().enumerate() {
                    let size = if i % 3 == 2 { 1.0 } else { first_size };
                    if x.abs() < 0.01 * far * size {
                        *x = 0.0;
                    }
                }
                return Err(format!(
                    "there is no balance: nothing holds {}; it moves away without end",
                    self.who_moves(q, &[gone])
                ));
            }
        }
        let gone: Vec<f64> = q.iter().zip(&begin).map(|(q, b)| q - b).collect();
        Err(format!(
            "no balance was found in {STEPS} steps; still moving: {}",
            self.who_moves(q, &[gone])
        ))
    }

    /// The warning of motions that meet no resistance: who, and whether it turns or shifts.
    fn neutral(&self, q: &[f64], free: &[Vec<f64>]) -> Warning {
        let size = self.extent();
        let (mut turns, mut shifts) = (false, false);
        for motion in free {
            let least = 1e-6 * extent(motion, size);
            for [x, y, turn] in motion.as_chunks::<3>().0 {
                turns |= turn.abs() > least;
                shifts |= x.abs().max(y.abs()) > least * size;
            }
        }
        let how = match (turns, shifts) {
            (true, true) => "turn and shift",
            (true, false) => "turn",
            _ => "shift",
        };
        let ways = match free.len() {
            1 => "1 way".into(),
            more => format!("{more} ways"),
        };
        Warning {
            code: "neutral-rest",
            element: None,
            time: Some(self.start),
            message: format!(
                "the position of rest is not determined: {} can {how} freely, without any resistance, in {ways}. It is left about where it started; all other motions are at rest",
                self.who_moves(q, free)
            ),
            hint: "a joint, a spring or a driver that holds it, if its position matters".into(),
        }
    }

    /// What a push does at a position of balance; a warning where a motion meets no resistance.
    fn judge(
        &mut self,
        q: &[f64],
        steps: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Rest, String> {
        let _ = self.unbalanced(q);
        let z = basis(&self.equations);
        let f = z.len();
        if f == 0 {
            return Ok(Rest {
                stability: Stability::Held,
                stiffnesses: Vec::new(),
                steps,
            });
        }
        let cannot = || "the stiffness at rest cannot be computed".to_string();
        let k = self.stiffness(q, &z, false).ok_or_else(cannot)?;
        let pairs = eigen::symmetric(&k.matrix, f).ok_or_else(cannot)?;
        let most = k.matrix.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let noise = 10.0 * k.error + 1e-12 * most;
        let stiff: Vec<(f64, Vec<f64>)> = pairs
            .iter()
            .filter(|pair| pair.0.abs() > noise)
            .cloned()
            .collect();
        let mut free: Vec<Vec<f64>> = Vec::new();
        let mut unstable: Vec<Vec<f64>> = Vec::new();
        let mut values: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        for ((value, s), listed) in pairs.iter().zip(&mut values) {
            let motion = expanded(&z, s, q.len());
            if *value < -noise {
                unstable.push(motion);
            } else if *value <= noise {
                // The stiffness does not decide: what does a finite push do?
                match self.pushed(q, &z, s, &stiff) {
                    Some(back) if back > 0.0 => {}
                    Some(back) if back < 0.0 => unstable.push(motion),
                    _ => {
                        *listed = 0.0;
                        free.push(motion);
                    }
                }
            }
        }
        if !free.is_empty() {
            warnings.push(self.neutral(q, &free));
        }
        let lopsided = (0..f * f).any(|i| {
            let apart = k.matrix[i] - k.matrix[i % f * f + i / f];
            apart.abs() > 1e-6 * most + noise
        });
        let stiffnesses: Vec<f64> = if lopsided {
            // Forces without potential: the symmetric part alone would not tell.
            let mut all = eigen::general(&k.matrix, f).ok_or_else(cannot)?;
            all.sort_by(|a, b| a.value[0].total_cmp(&b.value[0]));
            unstable = all
                .iter()
                .filter(|pair| pair.value[0] < -noise)
                .map(|pair| {
                    let s: Vec<f64> = pair.vector.iter().map(|x| x[0]).collect();
                    expanded(&z, &s, q.len())
                })
                .collect();
            all.iter().map(|pair| pair.value[0]).collect()
        } else {
            values
        };
        if k.kink > 1e-6 * most {
            warnings.push(not_smooth(self.start));
        }
        if unstable.is_empty() {
            return Ok(Rest {
                stability: if free.is_empty() {
                    Stability::Stable
                } else {
                    Stability::Neutral
                },
                stiffnesses,
                steps,
            });
        }
        warnings.push(Warning {
            code: "unstable-rest",
            element: None,
            time: Some(self.start),
            message: format!(
                "the forces balance, but the mechanism would not stay: a small push sets {} going in {} {}",
                self.who_moves(q, &unstable),
                unstable.len(),
                if unstable.len() == 1 { "way" } else { "ways" },
            ),
            hint: "start a little beside this position to find one that is stable".into(),
        });
        Ok(Rest {
            stability: Stability::Unstable,
            stiffnesses,
            steps,
        })
    }

    /// What a push of a hundredth along a motion meets, on the weaker side: above zero it is driven back, below zero on, and zero where it meets nothing. A valley may be curved: the other
    /// motions, with their stiffnesses, are let go to their own balance first.
    fn pushed(
        &mut self,
        q: &[f64],
        z: &[Vec<f64>],
        s: &[f64],
        others: &[(f64, Vec<f64>)],
    ) -> Option<f64> {
        let masses = self.equations.masses.clone();
        let size = self.extent();
        let unit = extent(&expanded(z, s, q.len()), size);
        let mut hardest = 0.0_f64;
        let mut weakest = f64::INFINITY;
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for h in [-0.01 / unit, 0.01 / unit] {
            let mut there: Vec<f64> = s.iter().map(|s| h * s).collect();
            let mut along = 0.0;
            for _ in 0..15 {
                let q = self.displaced(q, z, &there)?;
                let force = reduced(z, &masses, &self.unbalanced(&q)?);
                hardest = hardest.max(self.equations.hardest(self.start, size));
                along = dot(&force, s);
                for (stiffness, motion) in others {
                    let back = dot(&force, motion) / stiffness;
                    there
                        .iter_mut()
                        .zip(motion)
                        .for_each(|(s, m)| *s += back * m);
                }
            }
            weakest = weakest.min(-along * h.signum());
        }
        let heaviest = masses.iter().fold(0.0_f64, |m, x| m.max(*x));
        let most = others.iter().fold(0.0_f64, |m, other| m.max(other.0.abs()));
        // Rounding: of the forces themselves, and of stiff springs whose ends are known to the last digit only.
        let noise = 1e-12 * (hardest * math::sqrt(heaviest) + most / unit);
        Some(if weakest.abs() <= noise { 0.0 } else { weakest })
    }
}

/// The warning of forces that have no derivative.
pub(super) fn not_smooth(t: f64) -> Warning {
    Warning {
        code: "not-smooth",
        element: None,
        time: Some(t),
        message: "a force has a kink exactly at this position (a band that begins to pull, for example): the stiffness there is the mean of both sides".into(),
        hint: "start a little to the side that matters".into(),
    }
}

/// The farthest turn of a motion, rad.
fn d_turn(z: &[Vec<f64>], d: &[f64], n: usize) -> f64 {
    let motion = expanded(z, d, n);
    let turns = motion.as_chunks::<3>().0.iter();
    turns.fold(0.0, |m: f64, [_, _, turn]| m.max(turn.abs()))
}

/// A step downhill: Newton's if the stiffness is positive, with the magnitudes of its eigenvalues if not. Where nothing resists, forces below `rounding` are none.
fn downhill(k: &[f64], force: &[f64], rounding: f64) -> Option<Vec<f64>> {
    let f = force.len();
    let pairs = eigen::symmetric(k, f)?;
    let most = pairs.iter().fold(0.0_f64, |m, pair| m.max(pair.0.abs()));
    let least = (1e-8 * most).max(f64::MIN_POSITIVE);
    // Nor is what the others' forces have along a direction that is known as well as differences tell.
    let whole = force.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    let nothing = rounding + 1e-8 * whole;
    let mut d = vec![0.0; f];
    for (value, vector) in &pairs {
        let along: f64 = vector.iter().zip(force).map(|(v, f)| v * f).sum();
        if value.abs() <= least && along.abs() <= nothing {
            continue;
        }
        let part = along / value.abs().max(least);
        // Where nothing resists at all the force alone says where to, and the limit of a step how far.
        let part = part.clamp(-1e100, 1e100);
        d.iter_mut().zip(vector).for_each(|(d, v)| *d += part * v);
    }
    if pairs.first().is_some_and(|pair| pair.0 > 1e-6 * most)
        && let Some(newton) = solve(k, force)
    {
        // Forces without a potential have a stiffness that is not symmetric: Newton's own step then, if it goes downhill too.
        let down: f64 = newton.iter().zip(force).map(|(d, f)| d * f).sum();
        if down > 0.0 {
            return Some(newton);
        }
    }
    Some(d)
}

/// Solves K x = b by elimination with pivots; `None` if K has no inverse.
fn solve(k: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    let (mut k, mut x) = (k.to_vec(), b.to_vec());
    for c in 0..n {
        let pivot = (c..n).max_by(|&i, &j| k[i * n + c].abs().total_cmp(&k[j * n + c].abs()))?;
        if !(k[pivot * n + c].abs() > 0.0) {
            return None;
        }
        if pivot != c {
            for j in 0..n {
                k.swap(c * n + j, pivot * n + j);
            }
            x.swap(c, pivot);
        }
        for i in c + 1..n {
            let factor = k[i * n + c] / k[c * n + c];
            for j in c..n {
                k[i * n + j] -= factor * k[c * n + j];
            }
            x[i] -= factor * x[c];
        }
    }
    for c in (0..n).rev() {
        let sum: f64 = (c + 1..n).map(|j| k[c * n + j] * x[j]).sum();
        x[c] = (x[c] - sum) / k[c * n + c];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}
