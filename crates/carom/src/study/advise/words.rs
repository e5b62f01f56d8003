//! How is advice told: why the leader leads, what to beware of, and what to paste into a model file?

use std::fmt;

use crate::contact::Calibration;
use crate::model::units::pretty;

use super::spring::CLOSE_FIT_DEGREES;
use super::{Advice, Caution, Reason};

impl Caution {
    /// A short name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Surface(warning) => warning.code(),
            Self::Deep { .. } | Self::Sunk { .. } => "allowed-depth",
            Self::Pressed { .. } => "load",
            Self::Beyond { .. } => "not-measured",
            Self::Hollow { .. } => "hollow",
            Self::Time { .. } => "contact-time",
            Self::Flow { .. } => "flow",
            Self::Strength { .. } => "strength",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Surface(warning) => warning.hint().into(),
            Self::Deep { factor, .. } | Self::Sunk { factor, .. } => {
                format!("a contact {factor:.2} times as stiff would stay within it")
            }
            Self::Pressed { .. } => {
                "take restitution, force and duration from a run of the whole model".into()
            }
            Self::Beyond { .. } => "measure there too, or ask about the speeds that were measured".into(),
            Self::Hollow { .. } => {
                "a stiffness that was measured or computed for these shapes is better than one of radii"
                    .into()
            }
            Self::Time { factor, .. } => {
                format!("a contact {factor:.3} times as stiff would last as long as was said: is the mass the effective one, are the radii those of the surfaces?")
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
            Self::Surface(warning) => warning.fmt(f),
            Self::Deep { depth, allowed, .. } => write!(
                f,
                "the indentation of {} at the fastest approach is deeper than the allowed {}",
                pretty(*depth, "m", 4),
                pretty(*allowed, "m", 4)
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
            Self::Pressed { load, part } => write!(
                f,
                "{} presses the bodies together and does {} the work that the speed of the impact does: laws are judged without it",
                pretty(*load, "N", 4),
                match *part < 1.0 {
                    true => format!("{:.0} % of", 100.0 * part),
                    false => format!("{part:.1} times"),
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
                "one outline lies in the hollow of the other over {:.0}° to each side: Hertz's form fails from {CLOSE_FIT_DEGREES:.0}° on, and no law of the catalogue is for outlines of unknown length",
                angle.to_degrees()
            ),
            Self::Time {
                duration, given, ..
            } => write!(
                f,
                "the impact lasts {}, but {} was given",
                pretty(*duration, "s", 4),
                pretty(*given, "s", 4)
            ),
            Self::Flow { number } => write!(
                f,
                "ρv²/Y is {number:.2}: beyond shallow indentation, where no law of the catalogue holds (Johnson 1985, section 11.5)"
            ),
            Self::Strength {
                asked,
                predicted,
                speed,
            } => write!(
                f,
                "a restitution of {asked:.3} at {} does not go with this yield strength: Thornton's law returns {predicted:.3} (Thornton 1997)",
                pretty(*speed, "m/s", 4)
            ),
        }
    }
}

impl Advice {
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
        said.push(match (leader.calibration, leader.published_error, leader.exact_error) {
            (Calibration::Exact, Some(own), Some(exact)) => format!(
                "Take calibration = \"exact\": its own formula would return {own:+.4} from what is asked for, solved for the error is {:.0e}.",
                exact.abs()
            ),
            (Calibration::Exact, ..) => "Its damping has no formula: calibration = \"exact\" solves for it.".into(),
            (Calibration::Published, Some(own), _) if own.abs() > 1e-6 => {
                format!("Its own formula returns the restitution asked for within {:.4}.", own.abs())
            }
            (Calibration::Published, ..) => "Its own formula returns exactly the restitution asked for.".into(),
        });
        said.join(" ")
    }

    /// What decided, with the numbers of this case.
    fn about_reason(&self) -> String {
        let regime = &self.regime;
        let speed = |v: f64| pretty(v, "m/s", 3);
        let fact = match self.reason {
            Reason::Yielding => match (regime.name(), regime.yield_speed, regime.number) {
                ("plastic" | "flows", Some(v), Some(n)) => Some(format!(
                    "The approach of {} is {:.3e} times the speed at which it begins to yield, and ρv²/Y is {n:.1e}: dents take the energy.",
                    speed(regime.speed),
                    regime.speed / v
                )),
                ("plastic" | "flows", ..) => Some("Dents take the energy at this speed.".into()),
                ("elastic", Some(v), _) => Some(format!(
                    "It would begin to yield at {}: at {} the loss is inside the material.",
                    speed(v),
                    speed(regime.speed)
                )),
                ("yields", Some(v), Some(n)) => Some(format!(
                    "Yield begins at {}, but ρv²/Y is only {n:.1e}: at {} dents are shallow, and most of the loss is inside the material.",
                    speed(v),
                    speed(regime.speed)
                )),
                _ => None,
            },
            Reason::Conformal => {
                let close = self
                    .ranked
                    .iter()
                    .flat_map(|j| &j.parts)
                    .find(|p| p.reason == Reason::Conformal && p.computed >= 1.0);
                close.map(|p| {
                    format!(
                        "The journal lies in its bearing over {:.0}° to each side: Hertz fails.",
                        p.computed * CLOSE_FIT_DEGREES
                    )
                })
            }
            Reason::Clearance => {
                let hertz = self
                    .law("hertz")
                    .and_then(|j| j.parts.iter().find(|p| p.reason == Reason::Clearance));
                Some(match hertz {
                    Some(p) => format!(
                        "The joint is loose; of Hertz's form for spheres, {}.",
                        p.said
                    ),
                    None => "The clearance is so large that Hertz's form holds within 25 %.".into(),
                })
            }
            Reason::Restitution => {
                let asked: Vec<f64> = self.asked.iter().map(|a| a.1).collect();
                let low = asked.iter().copied().fold(f64::INFINITY, f64::min);
                let high = asked.iter().copied().fold(0.0, f64::max);
                let range = if high - low > 1e-9 {
                    format!("{low:.3} to {high:.3}")
                } else {
                    format!("{low:.3}")
                };
                Some(format!("A restitution of {range} must come back."))
            }
            _ => None,
        };
        match fact {
            Some(fact) => format!("{fact} {} [{}]", self.reason.about(), self.reason.source()),
            None => format!("{} [{}]", self.reason.about(), self.reason.source()),
        }
    }
}

/// A signed error: with an exponent where four digits would show nothing.
pub(super) fn signed(error: f64) -> String {
    if error.abs() < 5e-5 {
        format!("{error:+.0e}")
    } else {
        format!("{error:+.4}")
    }
}
