//! Which laws have no damper of their own?

use crate::card::{Citation, Need, Parameter, Range, Role};

use super::card::{Card, Family, RestitutionError, Separation, Tension};
use super::form::{Damper, Elastic, Form};

/// K of N/m^n with the exponent of the law.
pub(super) const STIFFNESS: Parameter = Parameter {
    name: "stiffness",
    symbol: "K",
    unit: "N/m^n",
    role: Role::Stiffness,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "from geometry and material: `carom stiffness`",
};

/// n = 3/2 unless given.
pub(super) const EXPONENT: Parameter = Parameter {
    name: "exponent",
    symbol: "n",
    unit: "",
    role: Role::Exponent,
    need: Need::Default(1.5),
    range: Range::closed(1.0, 3.0),
    about: "3/2 for circular and elliptic contacts (Hertz), 1 for flat ones",
};

/// What the cards of this family share.
const ELASTIC: Card = Card {
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
    notes: "",
    erratum: "",
    law: |given| {
        Ok(Form {
            elastic: Elastic::power(given.get("stiffness"), given.get("exponent")),
            damper: Damper::None,
        })
    },
};

/// The table.
pub(super) const CARDS: &[Card] = &[Card {
    id: "hertz",
    citation: Citation {
        authors: "Hertz",
        year: 1882,
        title: "Ueber die Berührung fester elastischer Körper",
        journal: "J. reine angew. Math. 92, 156",
        equation: "Corral et al. 2021, eq. 5.2; Machado et al. 2012, eq. 17",
    },
    formula: "F = K δ^n",
    parameters: &[STIFFNESS, EXPONENT],
    validity: "elastic, frictionless, contact radius small against the bodies, slow against the waves in them",
    notes: "The elastic reference of every other law: use it where nothing is lost, or to see what damping does. It returns all energy; a real impact never does.",
    ..ELASTIC
}];
