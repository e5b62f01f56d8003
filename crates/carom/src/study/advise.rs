//! Which law suits a contact, with which numbers, and why?
//!
//! From what a person knows of a contact, [`Known`], every law of the catalogue that can be set up is run in the impact laboratory at the speeds asked for. What speaks against it is
//! counted in one currency, the error of restitution that it would be worth: named [`Part`]s, each with what was computed, and the [`Reason`] behind it with its source. What is not
//! known is assumed and said, with what it would change.
//!
//! ```
//! use carom::contact::{Family, Restitution, Surfaces, materials};
//! use carom::study::advise::{Known, advise};
//!
//! let steel = materials::find("steel")?.clone();
//! let known = Known {
//!     surfaces: Surfaces { materials: Some([steel.clone(), steel]), radii: Some([0.01, 0.01]), length: None },
//!     speeds: Some([0.3, 0.3]),                           // m/s
//!     restitution: Some(Restitution::Number(0.8)),
//!     ..Known::default()
//! };
//! let advice = advise(&known).map_err(|mut faults| faults.remove(0))?;
//! assert_eq!(advice.family, Family::Hysteresis);
//! assert!(advice.leader().is_some_and(|law| law.error.abs() < 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod case;
mod decide;
mod judge;
mod measured;
mod numbers;
mod onset;
mod paste;
mod reason;
mod regime;
mod rest;
mod spring;
mod trial;
mod within;
mod words;

use crate::card::Fault;
use crate::card::Values;
use crate::contact::stiffness::Warning;
use crate::contact::{Calibration, Card, Family, Law, Restitution, Surfaces};
use crate::impact::{Failed, Impact};

pub(in crate::study) use paste::{BETWEEN, CONTACT, typed, written_out};
pub use paste::{Floor, MISSED, Paste, block};
pub use reason::Reason;
pub use regime::Regime;

/// What a person knows of a contact. Whatever is left out is assumed, and said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Materials, signed radii (m) and length of the contact (m). A journal in its bearing has one negative radius.
    pub surfaces: Surfaces,
    /// What kind of surfaces meet, where radii do not tell.
    pub shape: Shape,
    /// A stiffness in N/m^n and its exponent n, where it is known already: depth, force and duration follow from it.
    pub stiffness: Option<(f64, f64)>,
    /// Whether that stiffness is no more than what materials and radii make of it, as in a model file that gives none: then laws with a form of their own, which have no place for it, may lead.
    pub stiffness_follows: bool,
    /// Effective mass, kg.
    pub mass: Option<f64>,
    /// The slowest and the fastest approach, m/s.
    pub speeds: Option<[f64; 2]>,
    /// The restitution wanted: a number or a function of the approach speed.
    pub restitution: Option<Restitution>,
    /// Whether nobody wants that restitution: it is what came back in the run of a model whose law is asked for none.
    pub restitution_returned: bool,
    /// Pairs of approach speed (m/s) and restitution that were measured.
    pub measured: Vec<(f64, f64)>,
    /// The deepest indentation that is allowed, m.
    pub allowed_depth: Option<f64>,
    /// How long a contact lasts, s.
    pub contact_time: Option<f64>,
    /// The force that presses bodies at rest together, such as a weight, N.
    pub load: Option<f64>,
    /// What the law is for.
    pub purpose: Purpose,
}

/// What kind of surfaces meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// What the radii say: round, or a journal in its bearing; with a length a line, also in a hollow that is too wide for a joint.
    #[default]
    Radii,
    /// Teeth of spur gears, as wide as the length.
    Gear,
    /// Flat faces: the stiffness is that of a linear spring.
    Flat,
    /// Outlines of a model: as the radii say, but one in the hollow of another is a journal in its bearing only where a length is known.
    Outlines,
}

/// What a law is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Impacts, one after the other.
    #[default]
    Impact,
    /// Bodies that come to rest on each other and stay.
    Rest,
    /// Many bodies with one fixed step.
    Many,
}

impl Purpose {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::Rest => "rest",
            Self::Many => "many",
        }
    }
}

/// Who says the restitution that laws are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was given.
    Given,
    /// It was measured.
    Measured,
    /// It came back in the run of a model.
    Run,
    /// Nobody: it was assumed.
    Assumed,
}

impl Origin {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Measured => "measured",
            Self::Run => "run",
            Self::Assumed => "assumed",
        }
    }

    /// As it stands behind the restitution.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Run => "that came back in the run",
            other => other.name(),
        }
    }
}

/// How two surfaces meet, as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// Round bodies that touch at a point.
    Point,
    /// Cylinders or teeth that touch along a line.
    Line,
    /// Flat faces.
    Flat,
    /// A journal in its bearing with so much clearance that the force goes with the power of Hertz's form.
    Loose,
    /// A journal that fits its bearing so closely that it does not.
    Conformal,
    /// An outline in the hollow of another: no joint, and nothing is known of a length.
    Hollow,
    /// Nobody said.
    Unknown,
}

impl Geometry {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Flat => "flat",
            Self::Loose => "loose-joint",
            Self::Conformal => "conformal",
            Self::Hollow => "hollow",
            Self::Unknown => "unknown",
        }
    }
}

/// One thing that speaks against a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub reason: Reason,
    /// What was computed: a restitution, a ratio, a count; [`Part::said`] says which.
    pub computed: f64,
    /// How much it counts, as the error of restitution it would be worth; 0 or more.
    pub cost: f64,
    /// What was found, in plain words.
    pub said: String,
}

/// A law that could be judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The law.
    pub card: &'static Card,
    /// The law with its values, as advised.
    pub law: Law,
    /// The values it was given, without the restitution; with the coefficient that was solved for at the middle speed, where the law keeps one at every speed.
    pub values: Values,
    /// How its damper was found. Where a coefficient was solved for once and is kept, the law has it as a number ([`Judged::keeps`]).
    pub calibration: Calibration,
    /// The largest error of restitution over the speeds asked for, as advised: returned less asked for.
    pub error: f64,
    /// The same with the law's own formula, where it has one.
    pub published_error: Option<f64>,
    /// The same with the damper solved for, where it can be.
    pub exact_error: Option<f64>,
    /// What speaks against it, the worst first.
    pub parts: Vec<Part>,
    /// The sum of all parts; the least leads.
    pub cost: f64,
    /// Whether what comes back is its own, from the strength of round bodies, where nobody gave a restitution: then its error does not count.
    pub predicts: bool,
    /// The approach (m/s) at which its stiffness is that of the surfaces, where it is at one only and several were asked for.
    pub stiffness_at: Option<f64>,
    /// Whether its damper follows the approach speed: it grows without bound as bodies meet more slowly.
    pub by_speed: bool,
    /// Why it is behind the leader: where it loses most against it. `None` for the leader.
    pub behind: Option<Reason>,
    /// The impact at the middle speed, with its history.
    pub impact: Impact,
}

impl Judged {
    /// Whether it has the coefficient that was solved for at the middle speed as a number, and keeps it at every speed; else one that is solved for is so at every touch.
    pub fn keeps(&self) -> bool {
        self.calibration == Calibration::Exact && self.law.calibration() == Calibration::Published
    }
}

/// A law that could not be set up or run.
#[derive(Clone, Debug)]
pub struct Aside {
    /// The law.
    pub card: &'static Card,
    /// Why.
    pub why: Vec<Failed>,
}

/// The numbers for the leader, at the middle speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// Approach speed, m/s.
    pub speed: f64,
    /// The slowest and the fastest approach, m/s: the speed above is between them.
    pub speeds: [f64; 2],
    /// Effective mass, kg.
    pub mass: f64,
    /// The restitution asked for at that speed.
    pub restitution: f64,
    /// Whether nobody gave it.
    pub assumed: bool,
    /// The restitution that comes back with the leader.
    pub returned: f64,
    /// The same at the slowest and at the fastest approach; NaN where that cannot be computed.
    pub returned_over: [f64; 2],
    /// The approach (m/s) below which the leader loses nothing, where that is between the slowest and the fastest.
    pub lossless_below: Option<f64>,
    /// The power of the speed that 1 - e of the leader goes with over the speeds, computed; none of one speed, and where nothing is lost or all is.
    pub loss_power: Option<f64>,
    /// Deepest indentation (m) and largest force (N) at the fastest approach, over a range of speeds with a leader that takes its restitution from the strength of the material.
    pub at_fastest: Option<(f64, f64)>,
    /// Stiffness K in N/m^n: what the law takes, or that of its own curve where it takes none, see [`Numbers::local_at`].
    pub stiffness: Option<f64>,
    /// Its exponent n.
    pub exponent: Option<f64>,
    /// Where the law has a curve of its own in place of K δ^n: the indentation (m) at which K and n touch it, half of the deepest.
    pub local_at: Option<f64>,
    /// The coefficient of the damper, by the name on the card, with its unit.
    pub damping: Option<(&'static str, String, f64)>,
    /// h = χ v0/K, for a damper that is a factor of the elastic force.
    pub hysteresis_factor: Option<f64>,
    /// Deepest indentation, m.
    pub depth: f64,
    /// Largest force, N.
    pub peak_force: f64,
    /// How long it lasts, s.
    pub duration: f64,
    /// An output step that shows the impact, s: a fiftieth of the shortest contact at any of the speeds, or less where the force is within one per cent of its largest for a shorter time. Samples so close miss that by no more.
    pub output_step: f64,
    /// What presses the bodies together at rest, and how deep.
    pub at_rest: Option<AtRest>,
}

/// What a load does to bodies that lie at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtRest {
    /// The force that presses them together, N.
    pub load: f64,
    /// How deep it presses the surfaces, m: those of the stiffness given, else of Hertz's curve up to yield and the loading beyond, or of Liu's form in a joint of known length.
    pub depth: f64,
    /// How deep it presses the leading law, m, with the K and n that it was given for the impact; none where it has no elastic part that bears it.
    pub of_law: Option<f64>,
    /// The load over the force of these surfaces at the allowed depth, if one is.
    pub stiffer: Option<f64>,
    /// The load (N) at which surfaces yield of which no loading is known that does, where this one is larger.
    pub yields_at: Option<f64>,
}

/// Something that was not given.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What: `mass`, `speed`, `restitution`, `stiffness`, `materials`, `radii`, `length`, `yield strength`, `yield`, `density`, `contact pressure`, `restitution between speeds`, `restitution at one speed`, `restitution off the rest`.
    pub what: &'static str,
    /// What was taken in its place, and what would change if it were known, in plain words.
    pub said: String,
}

/// What the advice warns of, besides what the surfaces say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Caution {
    /// The surfaces, the speed, or what they make of each other.
    Surface(Warning),
    /// Faster than the laws are meant for, of bodies of which no yield strength is known: no dent takes what waves do not.
    Waves {
        /// What the surfaces say.
        warning: Warning,
    },
    /// The indentation is deeper than allowed.
    Deep {
        /// Deepest indentation at the fastest approach, m.
        depth: f64,
        /// What is allowed, m.
        allowed: f64,
        /// How much stiffer the contact would have to be; infinite where no stiffness is enough, because the dent alone is deeper.
        factor: f64,
        /// The approach that stays within it, m/s; 0 where none does that can be judged.
        speed: f64,
    },
    /// The indentation is deeper than the smaller body has radius: no such contact exists.
    Impossible {
        /// Deepest indentation, m: at the fastest approach, or at rest.
        depth: f64,
        /// The smaller radius of the two, m.
        radius: f64,
        /// What presses them so deep at rest, N; none: it is the approach.
        load: Option<f64>,
    },
    /// The leader takes its restitution from the strength of the material, and over a part of the speeds it loses nothing.
    Lossless {
        /// The law.
        law: &'static str,
        /// Below this approach, m/s.
        below: f64,
        /// The approach at which the surfaces begin to yield, m/s.
        yields: Option<f64>,
        /// Contact pressure over yield strength that the law was given.
        pressure_ratio: Option<f64>,
        /// The fastest approach, m/s, which that pressure is of.
        fastest: f64,
    },
    /// The stiffness is far from that of materials and shapes.
    Stiffness {
        /// Whether nobody gave it: it is what a model file makes of materials and radii.
        follows: bool,
        /// K in N/m^n and n, as given.
        given: (f64, f64),
        /// K in N/m^n and n of the surfaces.
        own: (f64, f64),
        /// Force with the one over that with the other, in an impact without loss.
        factor: f64,
        /// Its approach, m/s.
        speed: f64,
    },
    /// The weaker material yields, where bodies do not touch at a point or a stiffness was given: else the surfaces say so.
    Yields {
        /// The approach at which that begins, m/s.
        begins: f64,
        /// The fastest approach, m/s.
        speed: f64,
    },
    /// The surfaces yield, and of how they load then nothing is known: the law loads as if they were elastic.
    ElasticLoading {
        /// The law.
        law: &'static str,
        /// The approach at which yield begins, m/s.
        begins: f64,
        /// The fastest approach, m/s.
        speed: f64,
    },
    /// Teeth of gears bend, and that is softer than their contact.
    Bending {
        /// Stiffness of the contact for each metre of width, N/m².
        contact: f64,
    },
    /// What presses the bodies together at rest presses them deeper than allowed.
    Sunk {
        /// Indentation at rest, m.
        depth: f64,
        /// What is allowed, m.
        allowed: f64,
        /// What presses, N.
        load: f64,
        /// How many times the force at that depth the contact would have to have.
        factor: f64,
    },
    /// The leading law has the stiffness of the impact, and under what presses at rest it is much deeper or shallower than the surfaces are.
    Rests {
        /// The law.
        law: &'static str,
        /// What presses, N.
        load: f64,
        /// How deep that presses the law, m, …
        own: f64,
        /// … and the surfaces, m.
        depth: f64,
        /// The approach (m/s) that its stiffness is for.
        speed: f64,
    },
    /// What presses at rest is more than the load at which the surfaces yield, and how these load then is not known.
    RestYields {
        /// What presses, N.
        load: f64,
        /// Where yield begins, N.
        begins: f64,
    },
    /// What presses the bodies together does much of the work of the impact, which is judged without it.
    Pressed {
        /// What presses, N.
        load: f64,
        /// Its work down to the deepest point over the energy of the impact at the middle speed.
        part: f64,
    },
    /// Some of the speeds asked for were not measured.
    Beyond {
        /// The slowest and the fastest asked for, m/s.
        asked: [f64; 2],
        /// The slowest and the fastest measured, m/s.
        measured: [f64; 2],
    },
    /// An outline lies in the hollow of another so closely that Hertz's form fails.
    Hollow {
        /// The half angle over which it does, rad.
        angle: f64,
    },
    /// The clearance is no longer small against the journal: laws for journals in bearings do not hold, and no length says that it touches along a line.
    Wide {
        /// Clearance over the radius of the journal.
        width: f64,
    },
    /// The clearance is near the bound between a joint and a line, and what both make of it is far apart.
    JointOrLine {
        /// Clearance over the radius of the journal.
        width: f64,
        /// The middle speed, m/s, at which an impact without loss has the forces below.
        speed: f64,
        /// Of Liu's form for joints, N.
        joint: f64,
        /// Of the linear spring of a line, N.
        line: f64,
        /// Of a line with the size of the bodies in it (Johnson 1985, section 5.6), N.
        sized: f64,
    },
    /// The contact lasts longer or shorter than was said.
    Time {
        /// That of the leader at the middle speed, s.
        duration: f64,
        /// As given, s.
        given: f64,
        /// How much stiffer the contact would have to be.
        factor: f64,
    },
    /// Another law is as good as the leader, and its force or its depth is another.
    CloseCall {
        /// The law.
        law: &'static str,
        /// How much more it costs.
        behind: f64,
        /// Its largest force at the middle speed and that of the leader, N.
        forces: [f64; 2],
        /// Its deepest indentation at the middle speed and that of the leader, m.
        depths: [f64; 2],
    },
    /// So little comes back that the damper, not the spring, makes the force.
    Damped {
        /// The largest force at the middle speed, N.
        force: f64,
        /// That of the same impact without a damper, N.
        elastic: f64,
        /// What comes back.
        returned: f64,
        /// Of the laws that return as much, those with the least and with the largest force, and that, N. None if no other does.
        others: Option<[(&'static str, f64); 2]>,
    },
    /// Beyond shallow indentation, where no law of the catalogue holds.
    Flow {
        /// Johnson's number, [`Regime::number`].
        number: f64,
    },
    /// The restitution asked for and the strength of the material contradict each other.
    Strength {
        /// The restitution asked for.
        asked: f64,
        /// What Thornton's law returns for the yield strength given.
        predicted: f64,
        /// The speed, m/s.
        speed: f64,
        /// Contact pressure over yield strength that the law was given.
        pressure_ratio: f64,
        /// The one with which it would return what was asked for.
        needed: f64,
    },
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The leading family.
    pub family: Family,
    /// What decided for it.
    pub reason: Reason,
    /// Which law of another family would lead if that did not count, if one would.
    pub otherwise: Option<&'static str>,
    /// How the surfaces meet.
    pub geometry: Geometry,
    /// What happens to the material.
    pub regime: Regime,
    /// The impacts that every law was put to: approach speed (m/s) and restitution asked for.
    pub asked: Vec<(f64, f64)>,
    /// The restitution that laws are told.
    pub restitution: Restitution,
    /// Who says it.
    pub origin: Origin,
    /// Measured pairs as laws are told them: in order of speed (m/s), neighbours taken together where there are many. Empty if none were measured.
    pub measured: Vec<(f64, f64)>,
    /// All laws that could be judged, the best first.
    pub ranked: Vec<Judged>,
    /// Laws that could not.
    pub aside: Vec<Aside>,
    /// The numbers for the leader.
    pub numbers: Option<Numbers>,
    /// Whether the stiffness of laws that take one follows from the materials and the clearance of a joint, so that it holds for this clearance alone.
    pub of_this_clearance: bool,
    /// What was assumed, and with what.
    pub assumed: Vec<Gap>,
    /// What is missing and would change the answer.
    pub missing: Vec<Gap>,
    /// Where the leader or the case leaves what the laws are made for.
    pub cautions: Vec<Caution>,
}

impl Known {
    /// Who says the restitution.
    pub(crate) fn origin(&self) -> Origin {
        match &self.restitution {
            Some(_) if self.restitution_returned => Origin::Run,
            Some(_) => Origin::Given,
            None if self.measured.is_empty() => Origin::Assumed,
            None => Origin::Measured,
        }
    }

    /// After surfaces or shape were changed: a stiffness that followed from the old ones follows from these, as a model file would have it, or is none any more.
    pub fn follow_anew(&mut self) {
        if self.stiffness_follows {
            let round = matches!(self.shape, Shape::Radii | Shape::Outlines);
            let spheres = self.surfaces.spheres().ok().filter(|_| round);
            let anew = spheres.map(|found| (found.stiffness, found.exponent));
            // The same surfaces have the same stiffness, to the last digit.
            let same = |(k, _): (f64, f64)| {
                let old = self.stiffness.map_or(f64::NAN, |old| old.0);
                (k - old).abs() <= 1e-12 * old
            };
            if !anew.is_some_and(same) {
                self.stiffness = anew;
            }
            self.stiffness_follows = self.stiffness.is_some();
        }
    }

    /// The stiffness that depth, force and duration must follow from, N/m^n, and its exponent n: one that was given, not one that follows from the surfaces.
    pub(crate) fn given_stiffness(&self) -> Option<(f64, f64)> {
        self.stiffness.filter(|_| !self.stiffness_follows)
    }
}

impl Advice {
    /// The law that leads.
    pub fn leader(&self) -> Option<&Judged> {
        self.ranked.first()
    }

    /// A law by its id or alias.
    pub fn law(&self, id: &str) -> Option<&Judged> {
        let named = |j: &&Judged| j.card.id == id || j.card.aliases.contains(&id);
        self.ranked.iter().find(named)
    }

    /// Whether a law takes another damper for another approach speed: by its own formula, or because the restitution depends on it.
    pub fn by_speed(&self, judged: &Judged) -> bool {
        let told = judged.card.restitution().is_some();
        judged.by_speed || told && !matches!(self.restitution, Restitution::Number(_))
    }
}

/// How close a contact time that the stiffness follows from is met, and in how many rounds.
const TIME: (f64, usize) = (1e-6, 6);

/// Ranks the laws for what is known. Wrong numbers are refused, all at once; missing ones are assumed.
pub fn advise(known: &Known) -> Result<Advice, Vec<Fault>> {
    let faults = faults(known);
    if !faults.is_empty() {
        return Err(faults);
    }
    let (known, passed_over) = case::without_radii_of_faces(known);
    let (case, mut advice) = settled(&known)?;
    advice.assumed.extend(passed_over);
    advice.cautions.extend(within::deep(&case, &advice));
    Ok(advice)
}

/// The ranking, with the stiffness on which the leader lasts as long as was said.
fn settled(known: &Known) -> Result<(case::Case<'_>, Advice), Vec<Fault>> {
    let mut case = case::Case::of(known)?;
    let mut advice = ranked(&case)?;
    // The stiffness was that of an elastic impact: dampers make it last longer, and only a law that has run says by how much.
    for _ in 0..TIME.1 {
        let Some((leader, longer)) = case
            .off_time(&advice)
            .filter(|o| (o.1 - 1.0).abs() > TIME.0)
        else {
            break;
        };
        case.shorten(leader, longer);
        advice = ranked(&case)?;
    }
    Ok((case, advice))
}

/// What is wrong with what is known, all of it; empty if [`advise`] would take it.
pub fn faults(known: &Known) -> Vec<Fault> {
    case::faults(known)
}

fn ranked(case: &case::Case) -> Result<Advice, Vec<Fault>> {
    let (trials, aside) = trial::all(case);
    judge::judge(case, trials, aside)
}
