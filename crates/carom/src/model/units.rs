//! Which number, in SI units, does a text such as `9.5 mm` or `5.5e9 N/m^1.5` mean?
//!
//! A decimal is read once and rounded once: `9.5 mm` is the number nearest to 0.0095, not 9.5 times a rounded 0.001. That holds for every unit that is a whole
//! multiple of a power of ten (prefixes, inches, pounds, minutes); a quotient such as `km/h` or `psi` adds one rounding, an angle or a broken power two or three.
//!
//! An angle counts as a dimension of its own, so that `50 1/s` is not silently taken for 50 rad/s where 50 turns a second were meant.

mod decimal;
mod dimension;
mod expression;
mod known;
mod pretty;

use std::fmt;

pub use dimension::Dimension;
pub use expression::Malformed;
pub use pretty::pretty;

use crate::card::edits;

/// Why a text is not a quantity, or not the one that is expected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum QuantityError {
    /// Nothing was given.
    Empty,
    /// The text does not begin with a decimal number.
    NotANumber {
        /// What was given.
        text: String,
    },
    /// The number is finite, but too large or too small for a double.
    OutOfReach {
        /// What was given.
        text: String,
    },
    /// A unit is not known.
    UnknownUnit {
        /// What was given.
        text: String,
        /// The part that is not known.
        unit: String,
        /// The nearest known units, best first.
        nearest: Vec<String>,
    },
    /// The unit cannot be read.
    Malformed {
        /// What was given.
        text: String,
        /// What is wrong with it.
        why: Malformed,
    },
    /// The quantity is of another kind than the one expected.
    WrongDimension {
        /// What was given.
        text: String,
        /// What its unit measures.
        given: Dimension,
        /// What was expected.
        expected: Dimension,
    },
}

/// A text as it stands in a message: long ones are cut.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(
                f,
                "a quantity is missing. Hint: a number, or a number with its unit, such as `9.5 mm`"
            ),
            Self::NotANumber { text } => write!(
                f,
                "`{}` does not begin with a number. Hint: write it as `0.3 m/s` or `1e-3`",
                shown(text)
            ),
            Self::OutOfReach { text } => write!(
                f,
                "`{}` is too large or too small to compute with. Hint: sizes between 1e-307 and 1e308 in SI units can be used; check the exponent and the prefix",
                shown(text)
            ),
            Self::UnknownUnit {
                text,
                unit,
                nearest,
            } => {
                write!(
                    f,
                    "`{}`: the unit `{}` is not known",
                    shown(text),
                    shown(unit)
                )?;
                match nearest.as_slice() {
                    [] => write!(
                        f,
                        ". Hint: m, g, s, N, Pa, J, W, Hz, rad with prefixes, and in, ft, lb, lbf, psi, ksi, bar, t, min, h, deg, rev, rpm, %"
                    ),
                    names => write!(f, ". Hint: did you mean {}?", names.join(", ")),
                }
            }
            Self::Malformed { text, why } => write!(f, "`{}`: {why}", shown(text)),
            Self::WrongDimension {
                text,
                given,
                expected,
            } => {
                write!(
                    f,
                    "`{}` is {given}, but {expected} is expected",
                    shown(text)
                )?;
                if given.without_angle().fits(expected.without_angle()) {
                    write!(
                        f,
                        ". Hint: angles must be named here: 1 rev = 360 deg = 6.283 rad, and 1 rpm = 0.1047 rad/s"
                    )
                } else {
                    write!(
                        f,
                        ". Hint: give it in {}, or as a plain number, which is taken as SI",
                        expected.unit()
                    )
                }
            }
        }
    }
}

impl std::error::Error for QuantityError {}

/// The SI value of a text of the expected kind. A number without a unit is SI already.
pub fn parse(text: &str, expected: Dimension) -> Result<f64, QuantityError> {
    match parse_any(text)? {
        (_, Some(given)) if !given.fits(expected) => Err(QuantityError::WrongDimension {
            text: text.trim().into(),
            given,
            expected,
        }),
        (value, _) => Ok(value),
    }
}

/// The SI value of a text, and what its unit measures; `None` if it has no unit.
pub fn parse_any(text: &str) -> Result<(f64, Option<Dimension>), QuantityError> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(QuantityError::Empty);
    }
    let (number, rest) =
        decimal::Decimal::read(trimmed).ok_or_else(|| QuantityError::NotANumber {
            text: trimmed.into(),
        })?;
    let rest = rest.trim_start();
    let (unit, dimension) = if rest.is_empty() {
        (expression::Scale::ONE, None)
    } else {
        let (scale, dimension) = expression::read(rest, &[]).map_err(|e| e.about(trimmed))?;
        (scale, Some(dimension))
    };
    match unit.times(&number) {
        Some(value) => Ok((value, dimension)),
        None => Err(QuantityError::OutOfReach {
            text: trimmed.into(),
        }),
    }
}

/// The unit that stands behind the number of a text, and what one of it is in SI; `None` if there is none, or it cannot be read.
///
/// ```
/// use carom::model::units::behind;
/// assert_eq!(behind("0.02 mm"), Some(("mm".into(), 1e-3)));
/// assert_eq!(behind("3"), None);
/// ```
pub fn behind(text: &str) -> Option<(String, f64)> {
    let (_, unit) = decimal::Decimal::read(text.trim())?;
    let unit = unit.trim();
    let (one, dimension) = parse_any(&format!("1 {unit}")).ok()?;
    dimension.map(|_| (unit.into(), one))
}

impl Dimension {
    /// What a unit measures. `names` gives the values of letters in exponents, as in `N/m^n`; an empty text is a pure number.
    ///
    /// ```
    /// use carom::model::units::{Dimension, parse};
    /// let stiffness = Dimension::of("N/m^n", &[("n", 1.5)])?;
    /// assert_eq!(parse("5.5 GN/m^1.5", stiffness)?, 5.5e9);
    /// # Ok::<(), carom::model::units::QuantityError>(())
    /// ```
    pub fn of(unit: &str, names: &[(&str, f64)]) -> Result<Dimension, QuantityError> {
        let trimmed = unit.trim();
        if trimmed.is_empty() {
            return Ok(Dimension::NONE);
        }
        expression::read(trimmed, names)
            .map(|read| read.1)
            .map_err(|e| e.about(trimmed))
    }
}

/// Whether a word without exponent, such as `mm`, is a unit.
pub(super) fn is_unit(symbol: &str) -> bool {
    known::find(symbol).is_some()
}

/// Known units near to one that is not, best first: the same letters in another case, then one letter off.
fn nearest(typed: &str) -> Vec<String> {
    if typed.chars().count() > 16 {
        return Vec::new();
    }
    if let Some(symbol) = known::written_out(typed) {
        return vec![symbol.into()];
    }
    let lower = typed.to_lowercase();
    let mut found: Vec<(usize, usize, &str)> = known::everyday()
        .filter_map(|name| {
            let off = edits(&lower, &name.to_lowercase());
            // One letter off says nothing of a unit of one letter.
            let close = off == 0 || off == 1 && typed.chars().count().min(name.len()) >= 2;
            close.then_some((off, edits(typed, name), name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|f| f.2.into()).take(4).collect()
}

#[cfg(test)]
mod tests;
