//! What is there to beware of in a contact, in words and with a hint?
//!
//! A remark holds numbers; the sentences are made when somebody reads them. Every contact has its own, and a run has one warning for each element and kind, with how often and the worst.

use std::collections::BTreeMap;

use crate::card::short;
use crate::contact;
use crate::contact::stiffness;
use crate::contact::{Calibration, Card, RestitutionError, Separation, Surfaces};
use crate::friction;
use crate::model::ContactEntry;
use crate::model::units::pretty;

use super::episode::Contacted;
use super::note::Warning;

/// Restitution got less restitution asked for, in magnitude, above which it is said.
const DIFFERS: f64 = 0.02;
/// The same of a law's own formula, where no other force acts, above which what was asked for is outside the range the law is made for: the bound set here.
const OUTSIDE: f64 = 0.1;
/// A difference in restitution below this is that of an integration at ordinary tolerances, and has no cause in the mechanism.
const UNSEEN: f64 = 1e-7;
/// Where one cause of a difference is known, a rest below this has no further one worth naming.
const SAME: f64 = 5e-5;
/// Of the deepest indentation for which the law has a force.
const NEAR: f64 = 0.8;
/// How many times the deepest indentation surfaces must creep, while friction could have held them, for it to be said.
const CREPT: f64 = 10.0;
/// Of the smallest radius, or of a third of the smallest extent where nothing is round: an indentation above this is no longer small, and above the second nothing that laws of contact are made for.
const DEEP: f64 = 0.1;
const ABSURD: f64 = 0.5;
/// How many times the speed up to which a law is meant is far beyond it.
const FAR: f64 = 100.0;
/// A restitution that a law misses by more than this was never within its reach.
const MISSED: f64 = 0.25;
/// Of the largest force, and of the deepest indentation: below this it is rounding.
const NOTHING: f64 = 1e-6;

/// Something to beware of in one contact.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Remark {
    /// The materials and radii speak against it.
    Surfaces(stiffness::Warning),
    /// It was slower than the least approach speed that the law is given.
    SlowTouch {
        /// Approach speed, m/s (or rad/s).
        speed: f64,
        /// What the law was given.
        floor: f64,
        /// `m` or `rad`.
        unit: &'static str,
    },
    /// Another restitution was got than asked for.
    Restitution(Returned),
    /// The law's own formula misses the restitution asked for by far.
    OutsideRange {
        /// The law.
        law: &'static str,
        /// Restitution asked for.
        requested: f64,
        /// What the formula returns where no other force acts.
        free: f64,
    },
    /// The force pulled the surfaces together.
    Pulled {
        /// The law.
        law: &'static str,
        /// How hard, N (or N m); above zero.
        pull: f64,
        /// The largest push, N (or N m).
        peak: f64,
        /// `m` or `rad`.
        unit: &'static str,
    },
    /// The contact ended where its force would have begun to pull.
    Clamped {
        /// The law.
        law: &'static str,
        /// The indentation that was left, m (or rad).
        left: f64,
        /// The deepest.
        deepest: f64,
        /// `m` or `rad`.
        unit: &'static str,
    },
    /// It was nearly as deep as the law has a force for.
    NearLimit {
        /// The law.
        law: &'static str,
        /// The deepest indentation, m (or rad).
        deepest: f64,
        /// The deepest with a force.
        limit: f64,
        /// `m` or `rad`.
        unit: &'static str,
    },
    /// It was deep against the size of the surfaces.
    Deep {
        /// The deepest indentation, m.
        deepest: f64,
        /// The smallest radius of the two surfaces, or their least extent, m.
        size: f64,
        /// Whether it is a radius.
        round: bool,
    },
    /// Friction let surfaces creep that it could have held.
    Crept {
        /// The law of friction.
        friction: &'static str,
        /// How far they moved, m.
        drift: f64,
        /// In which time, s.
        rest: f64,
    },
}

/// The restitution asked for and the one got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Returned {
    /// The law.
    pub law: &'static str,
    /// How its damper follows from the restitution.
    pub calibration: Calibration,
    /// Asked for.
    pub requested: f64,
    /// Got: separation speed over approach speed.
    pub got: f64,
    /// What the law returns where no other force acts, if there is a formula.
    pub free: Option<f64>,
    /// How often the indentation turned back.
    pub turns: u32,
    /// How long the contact was, s.
    pub duration: f64,
    /// Whether the surfaces do not yield: then no formula of the law was asked.
    pub at_once: bool,
}

/// A restitution: four digits behind the point at most, and more where they are needed to tell it from another.
fn digits(e: f64) -> String {
    let text = format!("{e:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

fn card(law: &str) -> Option<&'static Card> {
    contact::find(law).ok()
}

/// Whether a law holds by a spring with less force where it slips, so that it may slip on slowly under a load that it could hold.
fn hunts(friction: &str) -> bool {
    friction == "reset-integrator"
}

fn force_unit(unit: &str) -> &'static str {
    if unit == "rad" { "N m" } else { "N" }
}

impl Returned {
    /// Of a contact that is over, was asked for a restitution and was not too slow to have one.
    pub fn of(contacted: &Contacted) -> Option<Self> {
        let episode = &contacted.episode;
        // A touch that counts as faster than it was returns no restitution that anybody asked for: it has none.
        let (requested, got) = (contacted.requested?, contacted.newton()?);
        Some(Self {
            law: contacted.law,
            calibration: contacted.begun.calibration,
            requested,
            got,
            free: contacted.begun.free,
            turns: contacted.course.turns,
            duration: episode.end - episode.start,
            at_once: contacted.is_rigid(),
        })
    }

    /// Got less asked for.
    pub fn difference(&self) -> f64 {
        self.got - self.requested
    }

    /// Whether a restitution means nothing to the law.
    fn ignored(&self) -> bool {
        let takes_none = |card: &Card| card.restitution().is_none();
        let published = self.calibration == Calibration::Published && !self.at_once;
        published && card(self.law).is_some_and(takes_none)
    }

    /// Whether the law's own formula is a cause: then its calibration would mend it.
    fn misses(&self) -> bool {
        self.calibration == Calibration::Published
            && !self.at_once
            && self
                .free
                .is_some_and(|free| (free - self.requested).abs() > SAME)
    }

    /// `asked for 0.7, got 0.796`.
    pub fn numbers(&self) -> String {
        let (mut requested, mut got) = (digits(self.requested), digits(self.got));
        if requested == got && self.difference().abs() > UNSEEN {
            requested = short(self.requested);
            got = format!("{got} {:+.1e}", self.got - rounded(&got));
        }
        format!("asked for {requested}, got {got}")
    }

    /// Why they differ; empty if they do not.
    pub fn why(&self) -> String {
        if self.difference().abs() <= UNSEEN {
            return String::new();
        }
        if self.at_once {
            return "it is asked of every blow by itself, in energies, impulses or speeds as [method] says, and this is the ratio of the speeds before the first and after the last: friction, other points that are struck at the same instant, and weight meanwhile make it another".into();
        }
        let law = self.law;
        let mut causes = Vec::new();
        let mut expected = self.free;
        if self.ignored() {
            causes.push(format!("{law} takes no restitution, so that none was used"));
        } else if self.calibration == Calibration::Exact {
            expected = Some(self.requested);
        } else if let Some(free) = self.free {
            if self.misses() {
                causes.push(format!(
                    "by its published formula {law} returns {} where no other force acts",
                    digits(free)
                ));
            }
        } else {
            match card(law).map(|card| card.restitution_error) {
                Some(RestitutionError::Worst { error, at }) => causes.push(format!(
                    "the published formula of {law} misses what is asked for, by {error:+.2} at most (at {at:.2})"
                )),
                Some(RestitutionError::Depends(words)) => {
                    causes.push(format!("what {law} returns depends on more: {words}"));
                }
                Some(RestitutionError::Exact) => expected = Some(self.requested),
                _ => {}
            }
        }
        let rest = expected.map(|expected| self.got - expected);
        let small = if causes.is_empty() { 0.0 } else { SAME };
        if rest.is_some_and(|rest| rest.abs() > small) || causes.is_empty() {
            let mut cause = match self.turns {
                0 | 1 => format!(
                    "weight, joints and other forces acted on the bodies during the {} of contact",
                    pretty(self.duration, "s", 3)
                ),
                n => format!(
                    "the surfaces were pressed together {n} times in the {} before they parted",
                    pretty(self.duration, "s", 3)
                ),
            };
            if let (Some(rest), false) = (rest, causes.is_empty()) {
                cause = format!("{cause} ({rest:+.4})");
            }
            causes.push(cause);
        }
        causes.join("; ")
    }

    /// What can be done about it.
    pub fn hint(&self) -> String {
        if self.at_once {
            return "with contact = \"piecewise\", `restitution = \"newton\"` in [method] is a ratio of speeds, and may gain energy with friction; time stepping takes no other".into();
        }
        let calibrates = card(self.law).is_some_and(Card::can_calibrate);
        let can = self.calibration == Calibration::Published && calibrates;
        let known = self.misses() || self.free.is_none();
        if self.ignored() && !can {
            return "choose a law that takes a restitution, such as flores".into();
        }
        if can && (known || self.ignored()) {
            return format!(
                "calibration = \"exact\" gives {} where no other force acts",
                digits(self.requested)
            );
        }
        "a stiffer contact is shorter and leaves other forces less time; the laws are made for impacts in which nothing else acts".into()
    }
}

/// The number that a text stands for.
fn rounded(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

impl Remark {
    /// All that there is to say about a contact whose surfaces are known, or not.
    pub fn all(contacted: &Contacted, surfaces: Option<&Surfaces>) -> Vec<Remark> {
        let Contacted {
            episode,
            begun,
            course,
            law,
            unit,
            ..
        } = contacted;
        let mut found = Vec::new();
        if episode.slow {
            found.push(Remark::SlowTouch {
                speed: episode.approach.max(0.0),
                floor: episode.counted,
                unit,
            });
        }
        if let Some(surfaces) = surfaces
            && let Some(card) = card(law)
        {
            let judged = |surfaces: &Surfaces| {
                let depth = Some(course.deepest[0]);
                surfaces.warnings(&[card], episode.mass, episode.approach, depth)
            };
            let warnings = match (surfaces.radii, contacted.place) {
                (None, Some(place)) if surfaces.materials.is_some() => {
                    let mut surfaces = surfaces.clone();
                    surfaces.radii = Some(place.curvatures.map(|c| 1.0 / c));
                    judged(&surfaces)
                }
                _ => judged(surfaces),
            };
            found.extend(warnings.into_iter().map(Remark::Surfaces));
        }
        if begun.calibration == Calibration::Published
            && let (Some(requested), Some(free)) = (contacted.requested, begun.free)
            && (free - requested).abs() > OUTSIDE
            && card(law).is_some_and(|card| card.restitution().is_some())
        {
            found.push(Remark::OutsideRange {
                law,
                requested,
                free,
            });
        }
        if let Some(returned) = Returned::of(contacted)
            && returned.difference().abs() > DIFFERS
        {
            found.push(Remark::Restitution(returned));
        }
        let (deepest, peak) = (course.deepest[0], course.peak[0]);
        if course.least < -NOTHING * peak.abs() {
            found.push(Remark::Pulled {
                law,
                pull: -course.least,
                peak,
                unit,
            });
        } else if contacted.over
            && begun.separation == Separation::ZeroForce
            && episode.left > NOTHING * deepest
        {
            found.push(Remark::Clamped {
                law,
                left: episode.left,
                deepest,
                unit,
            });
        }
        if begun.limit.is_finite() && deepest > NEAR * begun.limit {
            found.push(Remark::NearLimit {
                law,
                deepest,
                limit: begun.limit,
                unit,
            });
        }
        let large = |remark: &Remark| {
            matches!(
                remark,
                Remark::Surfaces(stiffness::Warning::LargeContact { .. })
            )
        };
        if let Some((size, round)) = contacted.size()
            && deepest > DEEP * if round { size } else { size / 3.0 }
            && (deepest > ABSURD * size || !found.iter().any(large))
        {
            found.push(Remark::Deep {
                deepest,
                size,
                round,
            });
        }
        if let Some(friction) = contacted.friction
            && friction::find(friction).is_ok_and(|card| !card.holds_at_rest || hunts(card.id))
            && course.drift.abs() > CREPT * deepest
        {
            found.push(Remark::Crept {
                friction,
                drift: course.drift.abs(),
                rest: course.rest,
            });
        }
        found
    }

    /// A short name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Remark::Surfaces(warning) => warning.code(),
            Remark::SlowTouch { .. } => "slow-touch",
            Remark::Restitution(_) => "restitution-differs",
            Remark::OutsideRange { .. } => "restitution-range",
            Remark::Pulled { .. } => "tension",
            Remark::Clamped { .. } => "tension-clamped",
            Remark::Crept { .. } => "creep",
            Remark::NearLimit { .. } => "limit-near",
            Remark::Deep { .. } => "indentation-deep",
        }
    }

    /// Whether what was computed should not be used as it stands.
    pub fn is_grave(&self) -> bool {
        match self {
            Remark::Surfaces(warning) => match warning {
                stiffness::Warning::Speed { speed, limit } => *speed > FAR * limit,
                stiffness::Warning::LargeContact {
                    contact_radius,
                    radius,
                } => contact_radius > radius,
                _ => false,
            },
            Remark::OutsideRange {
                requested, free, ..
            } => (free - requested).abs() > MISSED,
            Remark::Deep { deepest, size, .. } => *deepest > ABSURD * size,
            _ => false,
        }
    }

    /// What is the matter.
    pub fn message(&self) -> String {
        match self {
            Remark::Surfaces(warning) => warning.to_string(),
            Remark::SlowTouch { speed, floor, unit } => format!(
                "touched at {speed:.3e} {unit}/s, slower than its approach_speed_floor of {floor:.3e} {unit}/s: the law was given that floor"
            ),
            Remark::Restitution(returned) => {
                format!("restitution: {}: {}", returned.numbers(), returned.why())
            }
            Remark::OutsideRange {
                law,
                requested,
                free,
            } => {
                let mut text = format!(
                    "a restitution of {} is outside the range of {law}, whose own formula returns {} there",
                    digits(*requested),
                    digits(*free)
                );
                if let Some(card) = card(law) {
                    text += &format!(" (its card: {})", card.validity);
                }
                text
            }
            Remark::Pulled {
                law,
                pull,
                peak,
                unit,
            } => {
                let newton = force_unit(unit);
                format!(
                    "{law} pulled the surfaces together, by up to {} after a push of {}; the pull was kept, and is part of what came back",
                    pretty(*pull, newton, 4),
                    pretty(*peak, newton, 4)
                )
            }
            Remark::Crept {
                friction,
                drift,
                rest,
            } => format!(
                "for {} friction could have held the surfaces, but {friction} {}: they crept by {}, at {} on average",
                pretty(*rest, "s", 3),
                if hunts(friction) {
                    "lets go at its lower coefficient and slips slowly on"
                } else {
                    "has no force at rest"
                },
                pretty(*drift, "m", 3),
                pretty(drift / rest, "m/s", 3),
            ),
            Remark::Deep {
                deepest,
                size,
                round,
            } => format!(
                "the surfaces were pressed {} into each other, {:.0} % of {}, {}",
                pretty(*deepest, "m", 4),
                100.0 * deepest / size,
                if *round {
                    "the smaller radius"
                } else {
                    "the smaller body's extent"
                },
                pretty(*size, "m", 4)
            ),
            Remark::Clamped {
                law,
                left,
                deepest,
                unit,
            } => format!(
                "the contact ended where the force of {law} would have begun to pull, with {} of {} still indented",
                pretty(*left, unit, 4),
                pretty(*deepest, unit, 4)
            ),
            Remark::NearLimit {
                law,
                deepest,
                limit,
                unit,
            } => format!(
                "it was {} deep, {:.0} % of the {} up to which {law} has a force",
                pretty(*deepest, unit, 4),
                100.0 * deepest / limit,
                pretty(*limit, unit, 4)
            ),
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> String {
        match self {
            Remark::Surfaces(warning) => warning.hint().into(),
            Remark::SlowTouch { .. } => "a law that divides by the approach speed has no limit at zero: a lower floor makes such a contact creep longer; hunt-crossley with a damping of its own, or an elastic law, needs none".into(),
            Remark::Restitution(returned) => returned.hint(),
            Remark::OutsideRange { law, requested, .. } => {
                let family = card(law).map(|card| card.family);
                let exact = contact::cards().filter(|card| {
                    Some(card.family) == family
                        && card.restitution_error == RestitutionError::Exact
                        && card.restitution().is_some_and(|p| p.range.contains(*requested))
                });
                let exact: Vec<&str> = exact.map(|card| card.id).take(3).collect();
                let calibrates = card(law).is_some_and(Card::can_calibrate);
                match (exact.is_empty(), calibrates) {
                    (false, true) => format!(
                        "calibration = \"exact\", or a law that is exact over the whole range: {}",
                        exact.join(", ")
                    ),
                    (false, false) => format!(
                        "a law that is exact over the whole range: {}",
                        exact.join(", ")
                    ),
                    (true, true) => "calibration = \"exact\"".into(),
                    (true, false) => "a law for the whole range, such as flores".into(),
                }
            }
            Remark::Pulled { law, .. } => {
                let ends = card(law).is_some_and(|card| card.separations.contains(&Separation::ZeroForce));
                if ends {
                    "separation = \"zero-force\" ends the contact where it would begin to pull; it then returns more".into()
                } else {
                    "dry surfaces do not pull: jankowski is damped only while the indentation grows and never does, and poursina-nikravesh and kelvin-voigt part where their force is zero".into()
                }
            }
            Remark::Crept { friction, .. } if hunts(friction) => {
                "with static_coefficient = kinetic_coefficient it holds; so do tangential-spring, coulomb and karnopp".into()
            }
            Remark::Crept { .. } => {
                "coulomb and karnopp hold by the force that takes, tangential-spring by a spring; or a smaller transition speed, at the price of smaller steps".into()
            }
            Remark::Deep { .. } => {
                "laws of contact are made for indentations that are small against the bodies: look for a stiffness that is too low (a wrong unit, an exponent of 1.5 with the stiffness of a linear spring), a mass or a speed that is too large".into()
            }
            Remark::Clamped { law, .. } => {
                let keeps = card(law).is_some_and(|card| card.separations.contains(&Separation::ZeroIndentation));
                let keeps = if keeps {
                    "; separation = \"zero-indentation\" keeps the pull, and returns less"
                } else {
                    ""
                };
                format!("this is how the law is meant, and it changes the restitution{keeps}")
            }
            Remark::NearLimit { .. } => "beyond that the run fails: a larger clearance, a stiffer surface or a slower approach keeps it in range; hertz has no such limit".into(),
        }
    }

    /// By what remarks of one kind are compared: the largest is the worst.
    fn size(&self) -> f64 {
        match self {
            Remark::Surfaces(warning) => match warning {
                stiffness::Warning::Speed { speed, .. } => *speed,
                stiffness::Warning::Yield {
                    onset, indentation, ..
                } => indentation / onset.indentation,
                stiffness::Warning::LargeContact {
                    contact_radius,
                    radius,
                } => contact_radius / radius,
                stiffness::Warning::Conformal { ratio } => *ratio,
                _ => 0.0,
            },
            Remark::SlowTouch { speed, floor, .. } => floor - speed,
            Remark::Restitution(returned) => returned.difference().abs(),
            Remark::OutsideRange {
                requested, free, ..
            } => (free - requested).abs(),
            Remark::Pulled { pull, .. } => *pull,
            Remark::Clamped { left, .. } => *left,
            Remark::Crept { drift, .. } => *drift,
            Remark::NearLimit { deepest, limit, .. } => deepest / limit,
            Remark::Deep { deepest, size, .. } => deepest / size,
        }
    }
}

/// Remarks of one kind on one element.
struct Tally<'a> {
    element: &'a str,
    count: usize,
    worst: &'a Remark,
    at: f64,
}

/// Puts remarks on all contacts, and answers one warning for each element and kind of remark.
pub(super) fn note(contacts: &mut [Contacted], entries: &[ContactEntry]) -> Vec<Warning> {
    for contacted in contacts.iter_mut() {
        let entry = contacted.entry.and_then(|i| entries.get(i));
        contacted.remarks = Remark::all(contacted, entry.map(|entry| &entry.surfaces));
    }
    gathered(contacts)
}

fn gathered(contacts: &[Contacted]) -> Vec<Warning> {
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut tallies: Vec<Tally<'_>> = Vec::new();
    for contacted in contacts {
        let element = contacted.element.as_str();
        *totals.entry(element).or_default() += 1;
        let at = contacted.episode.start;
        for remark in &contacted.remarks {
            let next = tallies.len();
            let place = *places.entry((element, remark.code())).or_insert(next);
            match tallies.get_mut(place) {
                Some(tally) => {
                    tally.count += 1;
                    if remark.size() > tally.worst.size() {
                        (tally.worst, tally.at) = (remark, at);
                    }
                }
                None => tallies.push(Tally {
                    element,
                    count: 1,
                    worst: remark,
                    at,
                }),
            }
        }
    }
    let warning = |tally: &Tally<'_>| {
        let total = totals.get(tally.element).copied().unwrap_or(tally.count);
        let message = tally.worst.message();
        Warning {
            code: tally.worst.code(),
            element: Some(tally.element.into()),
            time: Some(tally.at),
            message: match (tally.count, total) {
                (_, 1) => message,
                (1, _) => format!(
                    "in one of {total} contacts, at t = {}: {message}",
                    pretty(tally.at, "s", 5)
                ),
                (count, _) => {
                    let of = if count == total {
                        format!("all {total}")
                    } else {
                        format!("{count} of {total}")
                    };
                    format!(
                        "in {of} contacts, the worst at t = {}: {message}",
                        pretty(tally.at, "s", 5)
                    )
                }
            },
            hint: tally.worst.hint(),
        }
    };
    tallies.iter().map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::materials;
    use crate::mechanics::Episode;
    use crate::system::course::Course;
    use crate::system::episode::{Place, Terms};

    /// A contact of 1 ms that came in with 2 m/s and went as asked for, with nothing to remark.
    fn quiet() -> Contacted {
        let mut course = Course::default();
        course.deepest = [1e-6, 5e-4];
        course.peak = [1000.0, 5e-4];
        course.turns = 1;
        Contacted {
            element: "contact.floor".into(),
            entry: Some(0),
            side: None,
            slot: 0,
            episode: Episode {
                start: 0.25,
                end: 0.251,
                approach: 2.0,
                separation: 1.4,
                mass: 0.1,
                slow: false,
                counted: 2.0,
                left: 0.0,
            },
            over: true,
            law: "lankarani-nikravesh",
            friction: None,
            requested: Some(0.7),
            unit: "m",
            place: Some(Place {
                point: [0.0; 2],
                normal: [0.0, 1.0],
                slip: 0.0,
                curvatures: [0.0, 20.0],
                extent: 0.1,
                central: true,
            }),
            begun: Terms::default(),
            course,
            samples: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn codes(contacted: &Contacted, surfaces: Option<&Surfaces>) -> Vec<&'static str> {
        let remarks = Remark::all(contacted, surfaces);
        for remark in &remarks {
            assert!(!remark.message().is_empty() && !remark.hint().is_empty());
        }
        remarks.iter().map(Remark::code).collect()
    }

    #[test]
    fn an_indentation_that_is_no_longer_small_is_told_and_one_of_half_the_radius_is_grave() {
        // The radius is 50 mm.
        let mut contacted = quiet();
        for (deepest, said, grave) in [
            (4.9e-3, false, false),
            (6e-3, true, false),
            (26e-3, true, true),
        ] {
            contacted.course.deepest[0] = deepest;
            let remarks = Remark::all(&contacted, None);
            assert_eq!(remarks.len(), usize::from(said), "{deepest}");
            assert_eq!(remarks.iter().any(Remark::is_grave), grave, "{deepest}");
            assert!(remarks.iter().all(|r| r.code() == "indentation-deep"));
        }
        let words = Remark::all(&contacted, None)[0].message();
        assert_eq!(
            words,
            "the surfaces were pressed 26 mm into each other, 52 % of the smaller radius, 50 mm"
        );
        // Two flat faces have no radius: their extent counts. A tip that stands for a point has neither.
        if let Some(place) = &mut contacted.place {
            place.curvatures = [0.0; 2];
        }
        assert_eq!(codes(&contacted, None), ["indentation-deep"]);
        if let Some(place) = &mut contacted.place {
            (place.curvatures, place.extent) = ([0.0, 1e6], f64::INFINITY);
        }
        assert!(codes(&contacted, None).is_empty());
    }

    #[test]
    fn of_many_contacts_the_first_the_hardest_and_the_longest_are_kept_point_by_point() {
        let mut contacts: Vec<Contacted> = (0..200)
            .map(|i| {
                let mut one = quiet();
                one.samples = vec![crate::system::trace::Sample::default(); 3];
                // The hardest are number 100 to 119, the longest 150 to 169.
                one.course.peak[0] = if (100..120).contains(&i) { 5e3 } else { 1e3 };
                one.episode.end = if (150..170).contains(&i) { 0.3 } else { 0.251 };
                one
            })
            .collect();
        crate::system::trace::keep_some(&mut contacts, 200);
        assert!(
            contacts.iter().all(|c| !c.samples.is_empty()),
            "not yet too many"
        );
        crate::system::trace::keep_some(&mut contacts, 0);
        for (i, contacted) in contacts.iter().enumerate() {
            let kept = i < 20 || (100..120).contains(&i) || (150..170).contains(&i);
            assert_eq!(!contacted.samples.is_empty(), kept, "{i}");
        }
    }

    #[test]
    fn a_contact_as_it_should_be_has_no_remark() {
        assert!(codes(&quiet(), None).is_empty());
        assert!(codes(&quiet(), Some(&Surfaces::default())).is_empty());
    }

    #[test]
    fn a_restitution_that_the_law_itself_misses_is_told_with_what_it_returns_and_what_mends_it() {
        let mut contacted = quiet();
        // ln((1+h)/(1−h e)) = h (1+e) with h = 3(1−0.7²)/4 = 0.3825 has e = 0.796 (see `contact::closed`).
        let free = crate::contact::closed::restitution(0.3825);
        contacted.begun.free = Some(free);
        contacted.episode.separation = 2.0 * free;
        let remarks = Remark::all(&contacted, None);
        let [Remark::Restitution(returned)] = &remarks[..] else {
            panic!("{remarks:?}");
        };
        assert_eq!(returned.numbers(), "asked for 0.7, got 0.796");
        let why = returned.why();
        assert!(why.contains("lankarani-nikravesh returns 0.796 "), "{why}");
        assert!(!why.contains("other forces acted"), "{why}");
        assert_eq!(
            returned.hint(),
            "calibration = \"exact\" gives 0.7 where no other force acts"
        );
        // Where other forces have their part in it, both are said.
        contacted.episode.separation = 2.0 * (free - 0.03);
        let both = Returned::of(&contacted).expect("it is over").why();
        assert!(
            both.contains("published formula") && both.contains("(-0.0300)"),
            "{both}"
        );
    }

    #[test]
    fn with_an_exact_calibration_the_rest_is_due_to_what_else_acted() {
        let mut contacted = quiet();
        contacted.begun.calibration = Calibration::Exact;
        contacted.begun.free = Some(0.7);
        contacted.episode.separation = 2.0 * 0.7013;
        assert!(codes(&contacted, None).is_empty());
        let returned = Returned::of(&contacted).expect("it is over");
        assert_eq!(returned.numbers(), "asked for 0.7, got 0.7013");
        assert!(returned.why().contains("during the 1 ms of contact"));
        // So little that four digits do not show it.
        contacted.episode.separation = 2.0 * (0.7 + 3e-6);
        let returned = Returned::of(&contacted).expect("it is over");
        assert_eq!(returned.numbers(), "asked for 0.7, got 0.7 +3.0e-6");
        contacted.episode.separation = 1.4;
        let returned = Returned::of(&contacted).expect("it is over");
        assert_eq!(returned.why(), "");
        // Pressed together again before they parted.
        contacted.course.turns = 3;
        contacted.episode.separation = 1.0;
        assert_eq!(codes(&contacted, None), ["restitution-differs"]);
        let why = Returned::of(&contacted).expect("it is over").why();
        assert!(why.contains("pressed together 3 times"), "{why}");
    }

    #[test]
    fn a_law_that_takes_no_restitution_says_that_it_used_none() {
        let mut contacted = quiet();
        contacted.law = "hertz";
        contacted.begun.free = Some(1.0);
        contacted.episode.separation = 2.0;
        let returned = Returned::of(&contacted).expect("it is over");
        assert!(returned.why().starts_with("hertz takes no restitution"));
        assert!(!returned.why().contains("acted"), "{}", returned.why());
        assert!(returned.hint().contains("a law that takes a restitution"));
        assert_eq!(codes(&contacted, None), ["restitution-differs"]);
    }

    #[test]
    fn a_law_far_outside_its_range_names_laws_that_cover_it() {
        let mut contacted = quiet();
        contacted.requested = Some(0.2);
        contacted.begun.free = Some(crate::contact::closed::restitution(0.72));
        contacted.over = false;
        let remarks = Remark::all(&contacted, None);
        let [outside] = &remarks[..] else {
            panic!("{remarks:?}");
        };
        assert_eq!(outside.code(), "restitution-range");
        assert!(
            outside.message().contains("cr near 1"),
            "{}",
            outside.message()
        );
        let hint = outside.hint();
        let named = hint.split(": ").nth(1).expect("laws are named");
        for id in named.split(", ") {
            let card = contact::find(id).expect("known");
            assert_eq!(card.restitution_error, RestitutionError::Exact);
        }
        // Solved for, it is inside.
        contacted.begun.calibration = Calibration::Exact;
        assert!(codes(&contacted, None).is_empty());
    }

    #[test]
    fn a_touch_below_the_floor_is_marked_and_has_no_restitution_to_compare() {
        let mut contacted = quiet();
        contacted.episode.approach = 1e-4;
        contacted.episode.counted = 1e-3;
        contacted.episode.slow = true;
        assert_eq!(codes(&contacted, None), ["slow-touch"]);
        assert_eq!(Returned::of(&contacted), None);
    }

    #[test]
    fn tension_kept_and_tension_clamped_are_told_apart() {
        let mut contacted = quiet();
        contacted.law = "kelvin-voigt";
        contacted.requested = None;
        contacted.course.least = -12.0;
        let remarks = Remark::all(&contacted, None);
        assert_eq!(remarks[0].code(), "tension");
        assert!(
            remarks[0]
                .message()
                .contains("by up to 12 N after a push of 1 kN")
        );
        contacted.course.least = 0.0;
        contacted.begun.separation = Separation::ZeroForce;
        contacted.episode.left = 2e-7;
        let remarks = Remark::all(&contacted, None);
        assert_eq!(remarks[0].code(), "tension-clamped");
        assert!(remarks[0].message().contains("200 nm of 1 µm"));
        contacted.course.least = -1e-5;
        contacted.episode.left = 1e-14;
        assert!(codes(&contacted, None).is_empty(), "this is rounding");
    }

    #[test]
    fn against_tension_no_law_is_advised_that_pulls_or_is_the_one_at_fault() {
        for card in contact::cards() {
            if card.separations.contains(&Separation::ZeroForce) {
                continue;
            }
            let mut contacted = quiet();
            contacted.law = card.id;
            contacted.requested = None;
            contacted.course.least = -12.0;
            let hint = Remark::all(&contacted, None)[0].hint();
            let words = hint.split([' ', ',', ':']);
            let named: Vec<_> = words.filter_map(|word| contact::find(word).ok()).collect();
            assert_eq!(named.len(), 3, "{hint}");
            for advised in named {
                // A law that is damped while parting and parts at zero indentation pulls where the surfaces are drawn apart fast enough, whatever happens in a free impact.
                let parts = advised.separations.first() == Some(&Separation::ZeroForce);
                let cannot = advised.formula.contains("if(v > 0, ");
                assert!(parts || cannot, "{}: {hint}", advised.id);
                assert!(advised.id != card.id || cannot, "{hint}");
            }
        }
    }

    #[test]
    fn a_contact_that_was_no_impact_has_no_restitution_and_none_is_said_to_differ() {
        let mut contacted = quiet();
        contacted.course.impulse = [2.0, 1.0];
        contacted.course.work = [4.0, 1.0];
        contacted.episode.separation = 1.0;
        let all = |c: &Contacted| [c.newton(), c.poisson(), c.stronge()];
        assert_eq!(all(&contacted), [Some(0.5); 3]);
        assert_eq!(codes(&contacted, None), ["restitution-differs"]);
        // Inside each other at the start, or moving apart.
        for approach in [0.0, -0.0, -0.3] {
            let mut contacted = contacted.clone();
            contacted.episode.approach = approach;
            contacted.episode.counted = approach;
            assert_eq!(all(&contacted), [None; 3], "{approach}");
            assert!(codes(&contacted, None).is_empty(), "{approach}");
        }
        // So slow that the law was given another speed: the impulses and works were those of the motion.
        let mut slow = contacted.clone();
        slow.episode.slow = true;
        assert_eq!(all(&slow), [None, Some(0.5), Some(0.5)]);
        slow.episode.slow = false;
        slow.episode.counted = 2.1;
        assert_eq!(slow.newton(), None);
        // Over an edge while still going in, with a force that pulled more than it pushed.
        contacted.episode.separation = -0.1;
        contacted.course.impulse[1] = -0.5;
        contacted.course.work[1] = -0.5;
        assert_eq!(all(&contacted), [None; 3]);
        assert!(codes(&contacted, None).is_empty());
    }

    /// Whether a stop returns 0.5 + 4e-9 is up to the tolerance of the integration, and weight has no part in it.
    #[test]
    fn the_error_of_an_integration_is_not_laid_to_other_forces() {
        let mut contacted = quiet();
        contacted.begun.calibration = Calibration::Exact;
        contacted.episode.separation = 2.0 * (0.7 + 4.1e-9);
        let returned = Returned::of(&contacted).expect("it is over");
        assert_eq!(returned.numbers(), "asked for 0.7, got 0.7");
        assert_eq!(returned.why(), "");
    }

    #[test]
    fn a_law_that_lets_surfaces_creep_is_told_with_how_far_and_how_fast() {
        let mut contacted = quiet();
        contacted.course.rest = 5.0;
        contacted.course.drift = -0.045;
        contacted.friction = Some("coulomb");
        assert!(codes(&contacted, None).is_empty(), "this one holds");
        contacted.friction = Some("ambrosio");
        assert_eq!(codes(&contacted, None), ["creep"]);
        let remarks = Remark::all(&contacted, None);
        let message = remarks[0].message();
        assert!(
            message.contains("45 mm") && message.contains("9 mm/s"),
            "{message}"
        );
        assert!(remarks[0].hint().contains("tangential-spring"));
        // It has a force at rest, and lets go all the same.
        contacted.friction = Some("reset-integrator");
        let remarks = Remark::all(&contacted, None);
        assert!(remarks[0].message().contains("lower coefficient"));
        assert!(remarks[0].hint().contains("static_coefficient"));
    }

    #[test]
    fn the_end_of_a_law_is_told_before_it_is_reached() {
        let mut contacted = quiet();
        contacted.begun.limit = 1.2e-6;
        assert_eq!(codes(&contacted, None), ["limit-near"]);
        assert!(Remark::all(&contacted, None)[0].message().contains("83 %"));
        contacted.begun.limit = 1.3e-6;
        assert!(codes(&contacted, None).is_empty());
    }

    #[test]
    fn what_the_surfaces_say_follows_from_the_curvatures_at_the_touch() {
        let steel = materials::find("steel").expect("known").clone();
        let mut surfaces = Surfaces {
            materials: Some([steel.clone(), steel]),
            radii: None,
            length: None,
        };
        let mut contacted = quiet();
        // 1e-5 √(E/ρ) of steel is about 0.05 m/s (Flores et al. 2006, after eq. 9).
        assert_eq!(codes(&contacted, Some(&surfaces)), ["validity-speed"]);
        contacted.episode.approach = 0.04;
        contacted.episode.counted = 0.04;
        contacted.episode.separation = 0.7 * 0.04;
        assert!(codes(&contacted, Some(&surfaces)).is_empty());
        // A twentieth of the radius of 50 mm: √(Rδ) = 11 mm.
        contacted.course.deepest[0] = 2.5e-3;
        let found = codes(&contacted, Some(&surfaces));
        assert!(found.contains(&"large-contact"), "{found:?}");
        // Where they are the same everywhere, those count.
        surfaces.radii = Some([f64::INFINITY, 50.0]);
        let found = codes(&contacted, Some(&surfaces));
        assert!(!found.contains(&"large-contact"), "{found:?}");
    }

    #[test]
    fn an_element_has_one_warning_of_a_kind_with_how_often_and_the_worst() {
        let mut contacts: Vec<Contacted> = (0..5)
            .map(|k| {
                let mut contacted = quiet();
                contacted.episode.start = f64::from(k);
                contacted.episode.end = contacted.episode.start + 1e-3;
                // 0.70, 0.75, 0.80, 0.85, 0.90.
                contacted.episode.separation = 1.4 + 0.1 * f64::from(k);
                contacted.begun.free = Some(0.7);
                contacted
            })
            .collect();
        let mut other = quiet();
        other.element = "joint.pin.limits".into();
        other.entry = None;
        other.course.least = -1.0;
        contacts.insert(2, other);
        let warnings = note(&mut contacts, &[]);
        let [floor, pin] = &warnings[..] else {
            panic!("{warnings:?}");
        };
        assert_eq!(floor.code, "restitution-differs");
        assert_eq!(floor.element.as_deref(), Some("contact.floor"));
        assert_eq!(floor.time, Some(4.0));
        let begins =
            "in 4 of 5 contacts, the worst at t = 4 s: restitution: asked for 0.7, got 0.9";
        assert!(floor.message.starts_with(begins), "{}", floor.message);
        assert_eq!(pin.code, "tension");
        assert!(pin.message.starts_with("lankarani-nikravesh pulled"));
        assert_eq!(contacts[2].remarks.len(), 1);
    }
}
