//! What stands on the card of a contact law?

use std::fmt;

use crate::card::{Checked, Choice, Citation, Fault, Parameter, Role};

use super::form::Form;
use super::law::Touch;

/// Everything that is known of a law, in one place. Commands, tables, tests and schemas are made from the list of cards.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// As it is typed: lower case, words joined by hyphens.
    pub id: &'static str,
    /// Other names by which it is found.
    pub aliases: &'static [&'static str],
    /// The shape of the force.
    pub family: Family,
    /// The group of Corral et al. (2021), Table 1: 0 no damping by restitution, 1 experimental, 2 exact equation, 3 simple assumption, 4 relation between indentation and its
    /// rate, 5 alternative.
    pub group: u8,
    /// Where it comes from.
    pub citation: Citation,
    /// Equations, separated by `;`, in the symbols of the parameters; a test evaluates them.
    pub formula: &'static str,
    /// The numbers it takes.
    pub parameters: &'static [Parameter],
    /// The words it takes, besides `separation`.
    pub choices: &'static [Choice],
    /// What must be remembered from touch to separation, in words.
    pub memory: &'static str,
    /// When the bodies part; where there are two, the first is the default and `separation` chooses.
    pub separations: &'static [Separation],
    /// What happens to tension.
    pub tension: Tension,
    /// Where it is valid.
    pub validity: &'static str,
    /// How far the restitution returned is from the one asked for.
    pub restitution_error: RestitutionError,
    /// The coefficient that the calibration `exact` solves for; empty if there is none.
    pub calibrates: &'static str,
    /// That coefficient, in its own terms and unit, from the one in the force.
    pub own_terms: OwnTerms,
    /// When to use it, and when not.
    pub notes: &'static str,
    /// What is printed wrongly where it was published, and why; empty if nothing is.
    pub erratum: &'static str,
    /// Makes the force from checked parameters at a touch.
    pub law: Build,
}

/// A card on which nothing stands yet; a check refuses one that is left so. Laws without damper, memory and tension need to say no more of them.
pub(super) const EMPTY: Card = Card {
    id: "",
    aliases: &[],
    family: Family::Elastic,
    group: 0,
    citation: Citation {
        authors: "",
        year: 0,
        title: "",
        journal: "",
        equation: "",
    },
    formula: "",
    parameters: &[],
    choices: &[],
    memory: "none",
    separations: &[Separation::ZeroIndentation],
    tension: Tension::Never,
    validity: "",
    restitution_error: RestitutionError::TakesNone,
    calibrates: "",
    own_terms: |c, _, _| c,
    notes: "",
    erratum: "",
    law: |given| Err(given.out_of_range("law", f64::NAN, "", "written on its card", "")),
};

/// Turns the coefficient in a force (h/v0, c, the share of the work that comes back) into the one that the card names.
pub type OwnTerms = fn(f64, &Given, &Touch) -> f64;

/// Makes the force of a law from what it is given at touch.
pub type Build = fn(&Given) -> Result<Form, Fault>;

impl Card {
    /// The parameter that is the restitution asked for, if the law takes one.
    pub fn restitution(&self) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.role == Role::Restitution)
    }

    /// Whether the calibration `exact` can be asked of it.
    pub fn can_calibrate(&self) -> bool {
        !self.calibrates.is_empty()
    }
}

impl PartialEq for Card {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// What a law is given at touch.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The law.
    pub id: &'static str,
    /// The checked parameters.
    pub values: &'a Checked,
    /// The restitution asked for at this speed; NaN if none was.
    pub restitution: f64,
    /// Approach speed, m/s, above zero.
    pub v0: f64,
    /// Effective mass, kg, above zero.
    pub mass: f64,
}

impl Given<'_> {
    /// A parameter by name; NaN if it was not given and has no default.
    #[inline]
    pub fn get(&self, name: &str) -> f64 {
        self.values.get(name)
    }

    /// A choice by name.
    #[inline]
    pub fn word(&self, name: &str) -> &'static str {
        self.values.word(name)
    }

    /// A fault about a parameter of this law.
    pub fn out_of_range(
        &self,
        name: &str,
        value: f64,
        unit: &'static str,
        allowed: impl Into<String>,
        hint: impl Into<String>,
    ) -> Fault {
        Fault::OutOfRange {
            law: self.id,
            name: name.into(),
            value,
            unit,
            allowed: allowed.into(),
            hint: hint.into(),
        }
    }
}

/// The shape of a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// No damper of its own.
    Elastic,
    /// Linear spring, linear damper.
    Linear,
    /// K δ^n (1 + h v/v0).
    Hysteresis,
    /// Hertz's spring with another damper.
    HertzDamper,
    /// Permanent indentation.
    Plastic,
    /// A variable of its own, or the volume of the overlap.
    StateOrVolume,
    /// Written by the user; none of the catalogue.
    Own,
}

impl Family {
    /// All of the catalogue.
    pub const ALL: [Family; 6] = [
        Family::Elastic,
        Family::Linear,
        Family::Hysteresis,
        Family::HertzDamper,
        Family::Plastic,
        Family::StateOrVolume,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Family::Elastic => "elastic",
            Family::Linear => "linear",
            Family::Hysteresis => "hysteresis",
            Family::HertzDamper => "hertz-damper",
            Family::Plastic => "plastic",
            Family::StateOrVolume => "state-or-volume",
            Family::Own => "own",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// When the bodies part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separation {
    /// When the indentation is back at zero.
    ZeroIndentation,
    /// When the force is back at zero, with some indentation left.
    ZeroForce,
    /// When the indentation is back at the permanent one.
    PermanentIndentation,
}

impl Separation {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Separation::ZeroIndentation => "zero-indentation",
            Separation::ZeroForce => "zero-force",
            Separation::PermanentIndentation => "permanent-indentation",
        }
    }
}

/// What happens to tension, a force that pulls the bodies together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tension {
    /// The force cannot pull in a free impact.
    Never,
    /// The contact ends where the force would begin to pull (with `separation = zero-indentation` it pulls until the indentation is zero).
    EndsContact,
    /// The force pulls just before the indentation is zero, and is kept (with `separation = zero-force` the contact ends before).
    Kept,
    /// The formula itself cuts it off.
    CutOff,
}

impl Tension {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Tension::Never => "never",
            Tension::EndsContact => "ends-contact",
            Tension::Kept => "kept",
            Tension::CutOff => "cut-off",
        }
    }
}

/// How far the restitution returned is from the one asked for, with the law's own coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestitutionError {
    /// It takes none.
    TakesNone,
    /// No error but rounding, over the whole range of the parameter.
    Exact,
    /// The largest error over the range of the parameter from 0.01 to 1.
    Worst {
        /// Returned less asked for.
        error: f64,
        /// The restitution asked for where it is.
        at: f64,
    },
    /// It depends on more than the restitution asked for: in words.
    Depends(&'static str),
}

impl fmt::Display for RestitutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TakesNone => write!(f, "takes no restitution"),
            Self::Exact => write!(f, "exact"),
            Self::Worst { error, at } => write!(f, "at most {error:+.4} (at {at:.2})"),
            Self::Depends(words) => write!(f, "{words}"),
        }
    }
}
