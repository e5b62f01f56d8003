//! Which parameters do several laws of friction share?

use crate::card::Need;
use crate::card::Parameter;
use crate::card::Range;
use crate::card::Role;

/// A parameter that must be given.
pub(super) const fn required(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    range: Range,
    about: &'static str,
) -> Parameter {
    Parameter {
        name,
        symbol,
        unit,
        // Friction takes nothing from the contact but its normal force.
        role: Role::Other,
        need: Need::Required,
        range,
        about,
    }
}

/// A parameter that has this value unless another is given.
pub(super) const fn optional(value: f64, parameter: Parameter) -> Parameter {
    Parameter {
        need: Need::Default(value),
        ..parameter
    }
}

/// The coefficient of friction.
pub(super) const COEFFICIENT: Parameter = required(
    "coefficient",
    "μ",
    "",
    Range::NOT_NEGATIVE,
    "coefficient of friction: tangential over normal force in sliding",
);

/// The static coefficient.
pub(super) const STATIC: Parameter = required(
    "static_coefficient",
    "μs",
    "",
    Range::NOT_NEGATIVE,
    "static coefficient of friction: the tangential over the normal force at which sliding begins; not below kinetic_coefficient",
);

/// The kinetic coefficient.
pub(super) const KINETIC: Parameter = required(
    "kinetic_coefficient",
    "μd",
    "",
    Range::NOT_NEGATIVE,
    "kinetic coefficient of friction: tangential over normal force in steady, fast sliding",
);

/// The kinetic coefficient, where it is divided by.
pub(super) const KINETIC_ABOVE_ZERO: Parameter = Parameter {
    range: Range::POSITIVE,
    ..KINETIC
};

/// The speed over which a regularised law rises.
pub(super) const TRANSITION: Parameter = required(
    "transition_speed",
    "vt",
    "m/s",
    Range::POSITIVE,
    "speed over which friction rises from nothing; well below the speeds of interest, and as large as the creep allows",
);

/// The speed over which friction falls.
pub(super) const STRIBECK: Parameter = required(
    "stribeck_speed",
    "vs",
    "m/s",
    Range::POSITIVE,
    "speed over which friction falls from static to kinetic",
);

/// The viscous part of laws that are functions of speed.
pub(super) const VISCOUS: Parameter = optional(
    0.0,
    required(
        "viscous",
        "μv",
        "s/m",
        Range::NOT_NEGATIVE,
        "growth of the coefficient of friction with speed",
    ),
);

/// What laws without a state remember.
pub(super) const NO_MEMORY: &str = "none";
