//! What can be wrong with a shape, or with two shapes together?

use std::fmt;

/// What is wrong with a shape or a pair.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A value is outside its range, or not a finite number.
    OutOfRange {
        /// The kind of shape.
        shape: &'static str,
        /// The number.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its SI unit; empty for a pure number.
        unit: &'static str,
        /// What is allowed.
        allowed: &'static str,
        /// What to do about it; may be empty.
        hint: &'static str,
    },
    /// Too few points, or coefficients.
    TooFew {
        /// The kind of shape.
        shape: &'static str,
        /// Of what.
        name: &'static str,
        /// How many there are.
        count: usize,
        /// How many there must be at least.
        least: usize,
    },
    /// Two neighbouring points stand at the same place.
    SamePlace {
        /// The kind of shape.
        shape: &'static str,
        /// The second of them, counted from 0.
        index: usize,
        /// Where they stand, m.
        place: [f64; 2],
    },
    /// An outline that cannot be used as it is.
    Outline {
        /// The kind of shape.
        shape: &'static str,
        /// The point of the outline where it is seen, counted from 0.
        index: usize,
        /// What is wrong, as the end of a sentence.
        reason: &'static str,
        /// What to do about it.
        hint: &'static str,
    },
    /// Two shapes that cannot touch, or whose touch means nothing.
    Pair {
        /// The kinds of the two shapes.
        kinds: [&'static str; 2],
        /// What is wrong, as a sentence.
        reason: &'static str,
        /// What to do about it.
        hint: &'static str,
    },
    /// A round shape that does not fit into its bore.
    TooLarge {
        /// The radius of what stands inside, m.
        inside: f64,
        /// The radius of the bore, m.
        bore: f64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange {
                shape,
                name,
                value,
                unit,
                allowed,
                hint,
            } => {
                let space = if unit.is_empty() { "" } else { " " };
                write!(
                    f,
                    "{shape}: {name} is {value}{space}{unit}; allowed: {allowed}"
                )?;
                if hint.is_empty() {
                    Ok(())
                } else {
                    write!(f, " ({hint})")
                }
            }
            Fault::TooFew {
                shape,
                name,
                count,
                least,
            } => write!(f, "{shape}: {count} {name}; allowed: at least {least}"),
            Fault::SamePlace {
                shape,
                index,
                place: [x, y],
            } => write!(
                f,
                "{shape}: point {index} stands at ({x} m, {y} m), where the point before it stands; allowed: neighbours apart from each other (leave one out)"
            ),
            Fault::Outline {
                shape,
                index,
                reason,
                hint,
            } => write!(f, "{shape}: at point {index} {reason} ({hint})"),
            Fault::Pair {
                kinds: [first, second],
                reason,
                hint,
            } => write!(f, "{first} and {second}: {reason} ({hint})"),
            Fault::TooLarge { inside, bore } => write!(
                f,
                "what stands inside has radius {inside} m, the bore {bore} m; allowed: smaller than the bore (were the two radii exchanged?)"
            ),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault if `value` is not finite, or not `sound`.
pub(crate) fn check(
    shape: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
    sound: bool,
    allowed: &'static str,
    hint: &'static str,
) -> Result<(), Fault> {
    if value.is_finite() && sound {
        return Ok(());
    }
    Err(Fault::OutOfRange {
        shape,
        name,
        value,
        unit,
        allowed,
        hint,
    })
}

/// A fault if a length is not above zero and finite.
pub(crate) fn positive(shape: &'static str, name: &'static str, value: f64) -> Result<(), Fault> {
    check(shape, name, value, "m", value > 0.0, "> 0", "")
}

/// A fault if a length is below zero or not finite.
pub(crate) fn not_negative(
    shape: &'static str,
    name: &'static str,
    value: f64,
) -> Result<(), Fault> {
    check(shape, name, value, "m", value >= 0.0, "≥ 0", "")
}

/// A fault if one of two coordinates is not finite.
pub(crate) fn place(shape: &'static str, name: &'static str, p: [f64; 2]) -> Result<(), Fault> {
    for value in p {
        check(shape, name, value, "m", true, "any finite number", "")?;
    }
    Ok(())
}

/// A fault if an angle is not finite.
pub(crate) fn angle(shape: &'static str, name: &'static str, value: f64) -> Result<(), Fault> {
    check(shape, name, value, "rad", true, "any finite number", "")
}
