//! How is advice told: why the leader leads, what to beware of, and what to paste into a model file?

use std::fmt;

use crate::contact::stiffness::WIDE;
use crate::contact::{Calibration, Family};
use crate::math;
use crate::model::units::pretty;

use super::case::takes;
use super::spring::CLOSE_FIT_DEGREES;
use super::{Advice, Caution, Judged, Numbers, Origin, Reason};

/// The power of the speed that 1 - e of viscoelastic bodies goes with at first (Kuwabara, Kono 1987), and how far another may be off to be called the same.
const VISCOELASTIC: (f64, f64) = (0.2, 0.05);
/// A law whose restitution is further off than this does not return what is asked for.
const OFF: f64 = 0.005;

impl Caution {
    /// A short name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Surface(warning) | Self::Waves { warning } => warning.code(),
            Self::Impossible { .. } => "impossible-depth",
            Self::Lossless { .. } => "lossless",
            Self::Stiffness { .. } => "stiffness",
            Self::Yields { .. } => "yield",
            Self::ElasticLoading { .. } => "elastic-loading",
            Self::Bending { .. } => "tooth-bending",
            Self::Deep { .. } | Self::Sunk { .. } => "allowed-depth",
            Self::Pressed { .. } => "load",
            Self::Rests { .. } => "rest-depth",
            Self::RestYields { .. } => "rest-yield",
            Self::Beyond { .. } => "not-measured",
            Self::Hollow { .. } => "hollow",
            Self::Wide { .. } => "wide-clearance",
            Self::JointOrLine { .. } => "joint-or-line",
            Self::Time { .. } => "contact-time",
            Self::CloseCall { .. } => "close-call",
            Self::Damped { .. } => "damper-force",
            Self::Flow { .. } => "flow",
            Self::Strength { .. } => "strength",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Surface(warning) => warning.hint().into(),
            Self::Waves { .. } => {
                "waves begin to take energy as well, and a plastic law is not for bodies of which no yield strength is known: prefer a measured restitution".into()
            }
            Self::Deep { factor, speed, .. } => {
                let stiffer = match factor.is_finite() {
                    true => format!(
                        "no choice of a law mends that: it takes a contact {} times as stiff (other materials, larger radii)",
                        pretty(three(*factor, f64::ceil), "", 3)
                    ),
                    false => "no choice of a law mends that, and no stiffness alone: the dent is deeper by itself. It takes harder materials or larger radii".into(),
                };
                match *speed > 0.0 {
                    true => format!(
                        "{stiffer}, or an approach below {}",
                        pretty(three(*speed, f64::floor), "m/s", 3)
                    ),
                    false => format!("{stiffer}; no approach that can be judged is slow enough"),
                }
            }
            Self::Impossible { .. } => {
                "is the speed, the mass or the modulus in another unit? Else the bodies break or flatten, and depth, force and duration mean nothing".into()
            }
            Self::Stiffness { follows: true, .. } => {
                "laws that take a stiffness are tried with it, as they stand in the file; one of these surfaces would be given under `stiffness`".into()
            }
            Self::Stiffness { .. } => {
                "is its unit N/m^n, and are materials, radii and length those of these bodies? What was given is taken, also for the load at which they yield".into()
            }
            Self::Yields { .. } => {
                "take a plastic law, or a restitution measured at this speed".into()
            }
            Self::ElasticLoading { .. } => {
                "take depth, force and duration as bounds; a stiffness from a measured depth or duration is better. Between round bodies of known materials and radii, without a stiffness of your own, the loading yields".into()
            }
            Self::Bending { .. } => {
                "give the stiffness of the whole pair of teeth, from a standard, a computation or a measurement".into()
            }
            Self::Sunk { factor, .. } => {
                format!("a contact with {} times the force at that depth would stay within it", pretty(*factor, "", 3))
            }
            Self::Rests { .. } => {
                "where what rests matters, take a law with the curve of the surfaces, or a stiffness for this load; where impacts do, keep it".into()
            }
            Self::RestYields { .. } => {
                "take it as a bound; a measured depth is better".into()
            }
            Self::Lossless { below, .. } => format!(
                "ask about approaches below {} by themselves: there a law that is told a restitution may lead; a measured one would tell at all",
                pretty(*below, "m/s", 3)
            ),
            Self::Pressed { .. } => {
                "take restitution, force and duration from a run of the whole model".into()
            }
            Self::Beyond { .. } => "measure there too, or ask about the speeds that were measured".into(),
            Self::Hollow { .. } => {
                "a stiffness that was measured or computed for these shapes is better than one of radii"
                    .into()
            }
            Self::Wide { .. } => {
                "where the axes are parallel it touches along a line: give its length".into()
            }
            Self::JointOrLine { .. } => {
                "take force, depth and duration as known within that factor; a stiffness that was measured or computed for these bodies is better than any of the three".into()
            }
            Self::Time { factor, .. } => {
                format!("a contact {} times as stiff would last as long as was said: is the mass the effective one, are the radii those of the surfaces?", pretty(*factor, "", 3))
            }
            Self::CloseCall { .. } => {
                "take force and depth as known within that; a measured force, depth or duration would decide".into()
            }
            Self::Damped { .. } => {
                "the spring says little of such an impact: take the force from a measurement, or as known to its order".into()
            }
            Self::Flow { .. } => "take the numbers as a rough guide at most".into(),
            Self::Strength { .. } => {
                "the yield strength is that of another state of the material (hardened?), or the restitution is too high: give young:poisson:density:yield as the material".into()
            }
        }
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Surface(warning) | Self::Waves { warning } => warning.fmt(f),
            Self::Deep { depth, allowed, .. } => write!(
                f,
                "the indentation of {} at the fastest approach is deeper than the allowed {}",
                pretty(*depth, "m", 4),
                pretty(*allowed, "m", 4)
            ),
            Self::Impossible {
                depth,
                radius,
                load,
            } => write!(
                f,
                "the indentation of {} {} is deeper than the smaller body's radius of {}: there is no such contact",
                pretty(*depth, "m", 4),
                match load {
                    Some(load) => format!("at rest, under {},", pretty(*load, "N", 4)),
                    None => "at the fastest approach".into(),
                },
                pretty(*radius, "m", 4)
            ),
            Self::Lossless {
                law,
                below,
                yields,
                pressure_ratio,
                fastest,
            } => {
                write!(
                    f,
                    "{law} loses nothing below {}: of what is lost inside the material it knows nothing",
                    pretty(*below, "m/s", 3)
                )?;
                match (yields, pressure_ratio) {
                    (Some(yields), Some(ratio)) => write!(
                        f,
                        ", and its one contact pressure is the {ratio:.2} Y of the fastest approach, {}, though yield begins at {} with 1.6 Y",
                        pretty(*fastest, "m/s", 4),
                        pretty(*yields, "m/s", 3)
                    ),
                    _ => Ok(()),
                }
            }
            Self::Stiffness {
                follows,
                given: (k, n),
                own: (own, power),
                factor,
                speed,
            } => write!(
                f,
                "the stiffness {}, {k:.3e} N/m^{n}, is not that of these materials and shapes, {own:.3e} N/m^{power}: without loss an impact at {} has {} times their force",
                match follows {
                    true => "of the model file, which makes that of spheres of materials and radii",
                    false => "given",
                },
                pretty(*speed, "m/s", 4),
                pretty(*factor, "", 3)
            ),
            Self::Yields { begins, speed } => write!(
                f,
                "the weaker material yields from an approach of {} on, and the fastest is {} (peak pressure of 1.6 Y at a point, 1.79 Y along lines and in joints, Johnson 1985, section 6.1; between flat faces the stress of the plane wave)",
                pretty(*begins, "m/s", 3),
                pretty(*speed, "m/s", 3)
            ),
            Self::ElasticLoading { law, begins, speed } => write!(
                f,
                "{law} loads like elastic surfaces here, but they yield from {} on, and the fastest approach is {}: in truth the contact is deeper, its force smaller and its duration longer",
                pretty(*begins, "m/s", 3),
                pretty(*speed, "m/s", 3)
            ),
            Self::Bending { contact } => write!(
                f,
                "the stiffness is that of the contact alone, {} N/(mm µm) for the width, but teeth bend, and that is softer by far: a pair of steel ones has about 14 N/(mm µm) in all (ISO 6336-1)",
                pretty(contact * 1e-9, "", 3)
            ),
            Self::Sunk {
                depth,
                allowed,
                load,
                ..
            } => write!(
                f,
                "at rest {} presses the bodies {} into each other, deeper than the allowed {}",
                pretty(*load, "N", 4),
                pretty(*depth, "m", 4),
                pretty(*allowed, "m", 4)
            ),
            Self::Rests {
                law,
                load,
                own,
                depth,
                speed,
            } => write!(
                f,
                "{law} has the stiffness of an impact at {}: under {} at rest it is {} deep, and the surfaces are {}",
                pretty(*speed, "m/s", 4),
                pretty(*load, "N", 4),
                pretty(*own, "m", 4),
                pretty(*depth, "m", 4)
            ),
            Self::RestYields { load, begins } => write!(
                f,
                "{} at rest is more than the {} at which these surfaces begin to yield: the depth at rest is that of elastic ones, and in truth it is larger",
                pretty(*load, "N", 4),
                pretty(*begins, "N", 3)
            ),
            Self::Pressed { load, part } => write!(
                f,
                "{} presses the bodies together and does {} the work that the speed of the impact does: laws are judged without it",
                pretty(*load, "N", 4),
                match *part < 1.0 {
                    true => format!("{:.0} % of", 100.0 * part),
                    false => format!("{} times", pretty(*part, "", 3)),
                }
            ),
            Self::Beyond { asked, measured } => {
                let range = |[low, high]: &[f64; 2]| match low == high {
                    true => pretty(*low, "m/s", 4),
                    false => format!("{} to {}", pretty(*low, "m/s", 4), pretty(*high, "m/s", 4)),
                };
                write!(
                    f,
                    "speeds of {} are asked for, but the restitution was measured at {}: beyond that it is taken to stay as it is at the end",
                    range(asked),
                    range(measured)
                )
            }
            Self::Hollow { angle } => write!(
                f,
                "one outline lies in the hollow of the other over {:.0}° to each side: Hertz's form begins to fail at {CLOSE_FIT_DEGREES:.0}°, and no law of the catalogue is for outlines of unknown length",
                angle.to_degrees()
            ),
            Self::Wide { width } => write!(
                f,
                "the clearance is {} times the radius of the journal: laws for journals in bearings take it to be small (at most {WIDE} is the bound set here), so that they are set back, and the others are not measured by them",
                pretty(*width, "", 3)
            ),
            Self::JointOrLine {
                width,
                speed,
                joint,
                line,
                sized,
            } => write!(
                f,
                "the clearance is {} times the radius of the journal. Up to {WIDE}, a bound set here, it counts as a joint, beyond as a line, and the forms for both disagree: without loss an impact at {} has {} by that for joints (Liu et al. 2005), {} by that for lines (Yang, Sun 1985), and {} by Hertz's line with the size of the bodies in it (Johnson 1985, section 5.6)",
                pretty(*width, "", 3),
                pretty(*speed, "m/s", 4),
                pretty(*joint, "N", 3),
                pretty(*line, "N", 3),
                pretty(*sized, "N", 3)
            ),
            Self::Time {
                duration, given, ..
            } => write!(
                f,
                "the impact lasts {}, but {} was given",
                pretty(*duration, "s", 4),
                pretty(*given, "s", 4)
            ),
            Self::CloseCall {
                law,
                behind,
                forces: [force, leads],
                depths: [depth, down_to],
            } => write!(
                f,
                "{law} costs {behind:.4} more only, no more than a restitution is known by, and its largest force is {} in place of {}, its depth {} in place of {}",
                pretty(*force, "N", 4),
                pretty(*leads, "N", 4),
                pretty(*depth, "m", 4),
                pretty(*down_to, "m", 4)
            ),
            Self::Damped {
                force,
                elastic,
                returned,
                others,
            } => {
                write!(
                    f,
                    "with {returned:.3} coming back the damper makes the force: {}, where the spring alone would have {}. That hangs on the law, and with a damper in proportion to the spring it grows without bound as the restitution goes to 0",
                    pretty(*force, "N", 4),
                    pretty(*elastic, "N", 4)
                )?;
                match others {
                    Some([least, most]) => write!(
                        f,
                        "; of the laws that return as much {} has the least, {}, and {} the largest, {}",
                        least.0,
                        pretty(least.1, "N", 4),
                        most.0,
                        pretty(most.1, "N", 4)
                    ),
                    None => Ok(()),
                }
            }
            Self::Flow { number } => write!(
                f,
                "Johnson's number is {number:.2} (ρv²/Y of a solid body): beyond shallow indentation, where no law of the catalogue holds (Johnson 1985, section 11.5)"
            ),
            Self::Strength {
                asked,
                predicted,
                speed,
                pressure_ratio,
                needed,
            } => write!(
                f,
                "a restitution of {asked:.3} at {} does not go with this yield strength: Thornton's law returns {predicted:.3} with a contact pressure of {pressure_ratio:.2} Y (Thornton 1997; about 2.8 Y where all is plastic, Tabor 1951), and would need {needed:.2} Y to return so much",
                pretty(*speed, "m/s", 4)
            ),
        }
    }
}

impl Numbers {
    /// What comes back over the speeds with a law that takes that from the strength of the material.
    pub fn course(&self) -> String {
        let [slowest, fastest] = self.speeds;
        let at = |e: f64, speed: f64| format!("{e:.3} at {}", pretty(speed, "m/s", 4));
        match (self.lossless_below, self.returned_over) {
            _ if slowest == fastest => at(self.returned, self.speed),
            (Some(speed), [_, last]) => format!(
                "it loses nothing below {}, and returns {}",
                pretty(speed, "m/s", 3),
                at(last, fastest)
            ),
            (None, [first, last]) => format!("{}, {}", at(first, slowest), at(last, fastest)),
        }
    }
}

impl Advice {
    /// What to do, in three sentences: which law, what it does, and what to read before it is used.
    pub fn verdict(&self) -> String {
        let Some(leader) = self.leader() else {
            return String::new();
        };
        let mut said = vec![format!("Use {}: {}.", leader.card.id, self.in_short())];
        if let Some(numbers) = &self.numbers {
            said.push(format!(
                "At {} it goes {} deep, with up to {}, and lasts {}.",
                pretty(numbers.speed, "m/s", 3),
                pretty(numbers.depth, "m", 3),
                pretty(numbers.peak_force, "N", 3),
                pretty(numbers.duration, "s", 3)
            ));
        }
        let mut codes: Vec<&str> = Vec::new();
        for caution in &self.cautions {
            if !codes.contains(&caution.code()) {
                codes.push(caution.code());
            }
        }
        if !codes.is_empty() {
            said.push(format!(
                "Be careful of what stands under Beware: {}.",
                codes.join(", ")
            ));
        }
        said.join(" ")
    }

    /// Why the leader leads, in a few words.
    fn in_short(&self) -> &'static str {
        match (self.reason, self.regime.name()) {
            (Reason::Yielding | Reason::WaveSpeed, _) if self.family == Family::Plastic => {
                "the surfaces yield, and it leaves a dent"
            }
            (Reason::Yielding, "elastic") => "nothing yields, and it leaves no dent",
            (Reason::Yielding, _) => {
                "a dent takes a part of the loss, but less speaks against it than against laws with one"
            }
            (Reason::WaveSpeed, _) => {
                "it is made for losses inside the material, and least speaks against it"
            }
            (Reason::Conformal, _) => {
                "the journal lies closely in its bearing, and least speaks against it"
            }
            (Reason::Clearance, _) => "its force is that of this joint",
            (Reason::LineContact, _) => "its force is that of a contact along a line",
            (Reason::Memory, _) => "nothing must be remembered of a contact",
            (Reason::Rest, _) => "its damper is fit for bodies that come to rest",
            (Reason::Trend, _) => "its loss follows the speed with one constant",
            (Reason::Restitution, _) if self.origin == Origin::Assumed => {
                "least speaks against it at the restitutions that are assumed"
            }
            (Reason::Restitution, _) if self.leader().is_some_and(|l| l.error.abs() > OFF) => {
                "it comes close to what is asked for, and least else speaks against it"
            }
            (Reason::Restitution, _) => {
                "it returns what is asked for, and least else speaks against it"
            }
            _ => "least speaks against it",
        }
    }

    /// Why the leader leads: one paragraph.
    pub fn why(&self) -> String {
        let Some(leader) = self.leader() else {
            return String::new();
        };
        let mut said = vec![self.about_reason()];
        if let Some(id) = self.otherwise {
            said.push(format!("If that did not count, {id} would lead."));
        }
        let rival = self
            .ranked
            .iter()
            .find(|j| j.card.family != leader.card.family);
        if let Some(rival) = rival {
            let against = rival
                .behind
                .and_then(|r| rival.parts.iter().find(|p| p.reason == r));
            if let Some(part) = against {
                said.push(format!(
                    "The nearest law of another family is {} ({}): {}.",
                    rival.card.id, rival.card.family, part.said
                ));
            }
        }
        let what = self.aim();
        let told =
            leader.card.restitution().is_some() || leader.values.get_word("damper").is_some();
        said.push(match (leader.calibration, leader.published_error, leader.exact_error) {
            _ if leader.predicts => format!(
                "It is told no restitution, and what comes back follows from the strength of the material: {}.",
                self.numbers.as_ref().map_or(String::new(), Numbers::course)
            ),
            (Calibration::Exact, Some(own), Some(exact)) => format!(
                "Take calibration = \"exact\": its own formula would return {own:+.4} from {what}, solved for the error is {:.0e}.",
                exact.abs()
            ),
            _ if leader.keeps() => self.kept(leader),
            (Calibration::Exact, ..) => "Its damping has no formula: calibration = \"exact\" solves for it.".into(),
            (Calibration::Published, Some(own), _) if own.abs() > 1e-6 => {
                let own = match own.abs() {
                    own if own < 5e-5 => format!("{own:.0e}"),
                    own => format!("{own:.4}"),
                };
                let whose = if told { "Its own formula returns" } else { "It is told no restitution, and returns" };
                format!("{whose} {what} within {own}.")
            }
            (Calibration::Published, ..) if told => format!("Its own formula returns {what} exactly."),
            (Calibration::Published, ..) => format!("It is told no restitution, and returns {what} exactly."),
        });
        said.join(" ")
    }

    /// How a coefficient without a formula was found, of a law that keeps it.
    fn kept(&self, leader: &Judged) -> String {
        let place = self.numbers.as_ref().map_or(String::new(), |n| {
            format!(
                " {} at {}",
                pretty(n.restitution, "", 4),
                pretty(n.speed, "m/s", 4)
            )
        });
        format!(
            "Its damping has no formula: {} is solved for, so that it returns{place}, and kept at every speed.",
            leader.card.calibrates
        )
    }

    /// The restitution that laws are measured by: who says it.
    fn aim(&self) -> String {
        match self.missing.iter().any(|gap| gap.what == "restitution") {
            true => "the restitutions that it is judged at".into(),
            false => format!("the restitution {}", self.origin.words()),
        }
    }

    /// Half of the angle over which a journal lies in its bearing, in degrees, where it counts as conformal.
    fn lies_over(&self) -> Option<f64> {
        self.ranked
            .iter()
            .flat_map(|j| &j.parts)
            .find(|p| p.reason == Reason::Conformal && p.said.contains("lies in its bearing"))
            .map(|p| p.computed * CLOSE_FIT_DEGREES)
    }

    /// Clearance over the radius of the journal, where it is too wide for a joint.
    fn wide(&self) -> Option<f64> {
        self.cautions.iter().find_map(|caution| match caution {
            Caution::Wide { width } => Some(*width),
            _ => None,
        })
    }

    /// What sets the force of a loose joint.
    fn about_loose(&self) -> String {
        if let Some(width) = self.wide() {
            return format!(
                "The clearance is {} times the radius of the journal: that is no joint for which a cylinder's law is made.",
                pretty(width, "", 3)
            );
        }
        match self.missing.iter().any(|gap| gap.what == "length") {
            true => "The joint is loose, and without its length the force is that of spheres with the same radii.".into(),
            false => "The joint is loose: the force goes with the power of the indentation that it has between round bodies, and its stiffness, unless it is given, with the length of the contact.".into(),
        }
    }

    /// What the leader makes of a loss that is a dent in part.
    fn stands_for(&self) -> &'static str {
        let damped = |leader: &Judged| leader.values.get_word("damper").is_some();
        match (self.family, self.leader().is_some_and(damped)) {
            (Family::Plastic, _) => {
                "This law leaves the dent; of what else is lost inside it knows nothing."
            }
            (Family::Elastic, false) => "This law loses nothing and leaves no dent.",
            _ => "The damper of this law stands for both kinds of loss; it leaves no dent.",
        }
    }

    /// That the restitution given leaves dents less than the yield strength says, if it does.
    fn against_dents(&self) -> Option<String> {
        self.cautions.iter().find_map(|caution| match caution {
            Caution::Strength { asked, .. } => Some(format!(
                "The restitution {} contradicts the yield strength: by it no more than {:.2} % of the energy is lost.",
                self.origin.words(),
                100.0 * (1.0 - asked * asked)
            )),
            _ => None,
        })
    }

    /// What is behind the reason that decided, in plain words.
    pub fn about(&self) -> &'static str {
        match self.wide() {
            Some(_) if self.reason == Reason::Conformal => {
                "Hertz takes the contact to be small against the radii, laws for cylinders with clearance take the clearance to be."
            }
            _ if self.reason == Reason::Trend && !self.is_viscoelastic() => {
                "A law that follows the speed by itself needs one constant for all speeds, where others need a table."
            }
            _ => self.reason.about(),
        }
    }

    /// Who says so.
    pub fn source(&self) -> &'static str {
        match self.reason == Reason::Trend && !self.is_viscoelastic() {
            true => "computed here, in the impact laboratory",
            false => self.reason.source(),
        }
    }

    /// Whether what the leader loses grows with the speed as in viscoelastic bodies.
    fn is_viscoelastic(&self) -> bool {
        let power = self.numbers.as_ref().and_then(|n| n.loss_power);
        power.is_some_and(|power| (power - VISCOELASTIC.0).abs() < VISCOELASTIC.1)
    }

    /// What decided, with the numbers of this case.
    fn about_reason(&self) -> String {
        let regime = &self.regime;
        let speed = |v: f64| pretty(v, "m/s", 3);
        let fact = match self.reason {
            Reason::Yielding => match (regime.name(), regime.yield_speed, regime.number) {
                ("plastic" | "flows", Some(v), Some(n)) => Some(format!(
                    "The approach of {} is {} times the {} at which it begins to yield, and Johnson's number is {n:.1e} (full plasticity from 1e-3 on): dents take the energy.",
                    speed(regime.speed),
                    pretty(regime.speed / v, "", 3),
                    speed(v)
                )),
                ("plastic" | "flows", ..) => Some("Dents take the energy at this speed.".into()),
                ("elastic", Some(v), _) => Some(format!(
                    "It would begin to yield at {}: at {} the loss is inside the material.",
                    speed(v),
                    speed(regime.speed)
                )),
                ("elastic", None, _) => Some(
                    "At no speed below that of elastic waves would it begin to yield: the loss is inside the material."
                        .into(),
                ),
                ("yields", Some(v), _) => Some(format!(
                    "It yields from {} on: at {} a part of the loss is a dent, but not all of it: {}. {}",
                    speed(v),
                    speed(regime.speed),
                    regime.short_of_plastic(),
                    self.stands_for()
                )),
                _ => None,
            },
            Reason::WaveSpeed => regime.wave_limit.map(|limit| {
                let ratio = regime.speed / limit;
                if ratio > 1.0 {
                    format!(
                        "The approach of {} is {} times 1e-5 √(E/ρ) = {}: faster than internal damping alone is meant for.",
                        speed(regime.speed),
                        pretty(ratio, "", 3),
                        speed(limit)
                    )
                } else {
                    let begun = match regime.yield_speed.filter(|_| regime.yields()) {
                        Some(v) => format!("; yield begins at {}, but dents are shallow", speed(v)),
                        None => String::new(),
                    };
                    format!(
                        "The approach of {} is below 1e-5 √(E/ρ) = {}, so that internal damping is the prime loss{begun}.",
                        speed(regime.speed),
                        speed(limit)
                    )
                }
            }),
            Reason::Conformal => self.lies_over().map(|degrees| {
                let close = format!("The journal lies in its bearing over {degrees:.0}° to each side: Hertz fails");
                let of_spheres = |j: &&Judged| !takes(j.card, &["clearance", "bearing_radius"]);
                match self.leader().filter(of_spheres) {
                    Some(leader) if self.wide().is_some() => format!(
                        "The clearance is {} times the radius of the journal, too wide for a joint, and yet the journal sinks in so deep that it lies in its bearing over {degrees:.0}° to each side. No law of the catalogue is made for that, and {} is the best of what there is.",
                        pretty(self.wide().unwrap_or(f64::NAN), "", 3),
                        leader.card.id
                    ),
                    Some(leader) => format!(
                        "{close}. No law for close fits can be set up from what is known, and {} is the best of what is left.",
                        leader.card.id
                    ),
                    None => format!("{close}."),
                }
            }),
            Reason::Clearance => Some(match self.lies_over() {
                Some(degrees) => format!(
                    "The journal lies in its bearing over {degrees:.0}° to each side, not so far that Hertz's form must be given up."
                ),
                None => self.about_loose(),
            }),
            Reason::Trend => self.numbers.as_ref().and_then(|numbers| {
                let [slowest, fastest] = numbers.speeds;
                Some(format!(
                    "With one constant {} loses more the faster it is: from {} to {} its 1 - e goes like v^{}.",
                    self.leader()?.card.id,
                    pretty(slowest, "m/s", 4),
                    pretty(fastest, "m/s", 4),
                    pretty(numbers.loss_power?, "", 2)
                ))
            }),
            Reason::Restitution => {
                // What was measured is told from the curve that laws are told and tables have, not from the few impacts that laws are put to.
                let ends = self.numbers.as_ref().map(|n| n.speeds);
                let within = |v: f64| ends.is_some_and(|[slow, fast]| (slow..=fast).contains(&v));
                let curve = self.measured.iter().filter(|p| within(p.0));
                let asked = self.asked.iter().chain(curve).map(|a| a.1);
                let (low, high) = asked.fold((f64::INFINITY, 0.0_f64), |(low, high), e| {
                    (low.min(e), high.max(e))
                });
                let range = if high - low > 1e-9 {
                    format!("{low:.3} to {high:.3}")
                } else {
                    format!("{low:.3}")
                };
                Some(match self.origin {
                    Origin::Assumed => format!("No restitution is given: laws are judged at {range}."),
                    Origin::Run => format!("Nobody asks for a restitution: laws are judged at the {range} that came back in the run."),
                    _ => format!("A restitution of {range} must come back."),
                })
            }
            _ => None,
        };
        let against = match self.reason {
            Reason::Yielding => self.against_dents(),
            _ => None,
        };
        let about = format!("{} [{}]", self.about(), self.source());
        let said: Vec<String> = fact.into_iter().chain(against).chain([about]).collect();
        said.join(" ")
    }
}

/// A positive number with three digits, the last one up or down.
fn three(x: f64, whole: fn(f64) -> f64) -> f64 {
    let unit = math::powf(10.0, (math::ln(x) / std::f64::consts::LN_10).floor() - 2.0);
    // What has three digits already keeps them, whatever the rounding.
    let near = (x / unit).round();
    let same = (x / unit - near).abs() < 1e-6;
    unit * if same { near } else { whole(x / unit) }
}

/// A signed error: with an exponent where four digits would show nothing.
pub(super) fn signed(error: f64) -> String {
    if error.abs() < 5e-5 {
        format!("{error:+.0e}")
    } else {
        format!("{error:+.4}")
    }
}
