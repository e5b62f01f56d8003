//! What can be wrong with the numbers given for an element?

use std::fmt;

use crate::geometry;

/// What is wrong with an element.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A value is outside its range, or not a finite number.
    OutOfRange {
        /// The kind of element.
        element: &'static str,
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
    /// Both ends are on the same body, or both on the ground.
    SameBody {
        /// The kind of element.
        element: &'static str,
        /// The body; `None` is the ground.
        body: Option<usize>,
    },
    /// A table has too few points, or not as many values as places.
    Points {
        /// The kind of table.
        element: &'static str,
        /// How many places there are.
        places: usize,
        /// How many values there are.
        values: usize,
        /// How many there must be at least.
        least: usize,
    },
    /// The places of a table do not rise.
    NotRising {
        /// The kind of table.
        element: &'static str,
        /// The point, counted from 0.
        index: usize,
        /// Its place.
        value: f64,
        /// The place before it.
        before: f64,
    },
    /// Only some joints can have it.
    WrongJoint {
        /// The kind of element.
        element: &'static str,
        /// Which can.
        allowed: &'static str,
    },
    /// A law of the catalogue that does not do here.
    Law {
        /// The kind of element.
        element: &'static str,
        /// The law.
        law: &'static str,
        /// What keeps it from doing, after its name.
        reason: &'static str,
        /// Laws that do.
        instead: Vec<&'static str>,
    },
    /// A damper would push the way it moves.
    Drives {
        /// The kind of element.
        element: &'static str,
        /// The force, or moment.
        force: f64,
        /// Its SI unit.
        force_unit: &'static str,
        /// The rate at which it has it.
        rate: f64,
        /// Its SI unit.
        rate_unit: &'static str,
    },
    /// A shape, or a pair of shapes.
    Shape(geometry::Fault),
    /// A closed curve does not end where it begins.
    NotClosed {
        /// The kind of table.
        element: &'static str,
        /// The first value.
        first: f64,
        /// The last value.
        last: f64,
    },
}

impl From<geometry::Fault> for Fault {
    fn from(fault: geometry::Fault) -> Self {
        Fault::Shape(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange {
                element,
                name,
                value,
                unit,
                allowed,
                hint,
            } => {
                let unit = if unit.is_empty() {
                    String::new()
                } else {
                    format!(" {unit}")
                };
                write!(f, "{element}: {name} is {value}{unit}; allowed: {allowed}")?;
                if hint.is_empty() {
                    Ok(())
                } else {
                    write!(f, " ({hint})")
                }
            }
            Fault::Shape(fault) => write!(f, "{fault}"),
            Fault::SameBody { element, body } => {
                match body {
                    Some(i) => write!(f, "{element}: both ends are on body {i}")?,
                    None => write!(f, "{element}: both ends are on the ground")?,
                }
                write!(f, "; it holds nothing (put one end on another body)")
            }
            Fault::Points {
                element,
                places,
                values,
                least,
            } => write!(
                f,
                "{element}: {places} places and {values} values; allowed: as many of one as of the other, at least {least}"
            ),
            Fault::NotRising {
                element,
                index,
                value,
                before,
            } => write!(
                f,
                "{element}: place {index} is {value}, after {before}; allowed: finite numbers that rise"
            ),
            Fault::WrongJoint { element, allowed } => {
                write!(f, "{element}: only {allowed} can have this")
            }
            Fault::Law {
                element,
                law,
                reason,
                instead,
            } => write!(
                f,
                "{element}: `{law}` {reason}; allowed: {}",
                instead.join(", ")
            ),
            Fault::Drives {
                element,
                force,
                force_unit,
                rate,
                rate_unit,
            } => write!(
                f,
                "{element}: the damping force is {force} {force_unit} at {rate} {rate_unit}; allowed: finite, and of the rate's sign (damping takes energy, it never brings any)"
            ),
            Fault::NotClosed {
                element,
                first,
                last,
            } => write!(
                f,
                "{element}: a periodic table begins with {first} and ends with {last}; allowed: the same value"
            ),
        }
    }
}

impl std::error::Error for Fault {}

/// A fault if `value` is not finite, or `sound` says no.
pub(crate) fn check(
    element: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
    sound: bool,
    allowed: &'static str,
) -> Result<(), Fault> {
    if value.is_finite() && sound {
        return Ok(());
    }
    Err(Fault::OutOfRange {
        element,
        name,
        value,
        unit,
        allowed,
        hint: "",
    })
}

/// A fault if the value is not above zero and finite.
pub(crate) fn positive(
    element: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<(), Fault> {
    check(element, name, value, unit, value > 0.0, "> 0")
}

/// A fault if the value is below zero or not finite.
pub(crate) fn not_negative(
    element: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<(), Fault> {
    check(element, name, value, unit, value >= 0.0, "≥ 0")
}

/// A fault if the value is not finite.
pub(crate) fn finite(
    element: &'static str,
    name: &'static str,
    value: f64,
    unit: &'static str,
) -> Result<(), Fault> {
    check(element, name, value, unit, true, "any finite number")
}
