//! What do the letters after a number mean: products, quotients and powers of units?
//!
//! Read from left to right: factors side by side (blank, `*`, `·`), divided (`/`), with powers (`^2`, `^1.5`, `^(3/2)`, `²`, `m3`). A product after a quotient,
//! as in `kg/m s`, is read both ways by people and therefore refused.

use std::fmt;

use super::decimal::Decimal;
use super::dimension::Dimension;
use super::known;
use super::{QuantityError, nearest};
use crate::math;

/// What is wrong with the text of a unit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Malformed {
    /// A sign where none can be.
    Unexpected(char),
    /// The text ends where a unit or an exponent must follow.
    Unfinished,
    /// A parenthesis is not closed.
    Unclosed,
    /// More parentheses inside each other than anyone needs.
    TooDeep,
    /// A factor follows a quotient without parentheses.
    Ambiguous,
    /// A letter in an exponent that stands for no number here.
    UnknownName(String),
    /// An exponent is not a number, or beyond ±64.
    Exponent(f64),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(',') => {
                write!(f, "`,` cannot be read. Hint: the decimal sign is a point")
            }
            Self::Unexpected(c) if c.is_ascii_digit() => write!(
                f,
                "a second number, `{c}…`, stands where a unit is expected. Hint: digits are written without blanks, and a broken exponent as ^(3/2)"
            ),
            Self::Unexpected(c) => write!(
                f,
                "`{}` cannot be read in a unit. Hint: units look like `N s/m`, `kg/m^3` or `N/m^1.5`",
                c.escape_debug()
            ),
            Self::Unfinished => write!(
                f,
                "the unit breaks off. Hint: a unit or an exponent must follow"
            ),
            Self::Unclosed => write!(f, "a parenthesis is not closed. Hint: add `)`"),
            Self::TooDeep => write!(
                f,
                "too many parentheses inside each other. Hint: 16 are read"
            ),
            Self::Ambiguous => write!(
                f,
                "a factor follows a quotient, which can be read in two ways. Hint: write kg/(m s) or kg s/m"
            ),
            Self::UnknownName(name) => write!(
                f,
                "the exponent `{}` stands for no number here. Hint: write the number, as in N/m^1.5",
                super::shown(name)
            ),
            Self::Exponent(x) => write!(
                f,
                "the exponent is {x}. Hint: exponents between -64 and 64 are read"
            ),
        }
    }
}

/// What stopped the reading; the whole text is added by [`Fault::about`].
pub(super) enum Fault {
    Unknown(String),
    Malformed(Malformed),
}

impl From<Malformed> for Fault {
    fn from(why: Malformed) -> Self {
        Fault::Malformed(why)
    }
}

impl Fault {
    pub fn about(self, text: &str) -> QuantityError {
        let text = text.to_string();
        match self {
            Fault::Unknown(unit) => QuantityError::UnknownUnit {
                nearest: nearest(&unit),
                text,
                unit,
            },
            Fault::Malformed(why) => QuantityError::Malformed { text, why },
        }
    }
}

/// How many SI units a unit is: `up / down · 10^tens · π^turns · loose`.
pub(super) struct Scale {
    up: u128,
    down: u128,
    tens: f64,
    turns: f64,
    /// What could not be kept exact.
    loose: f64,
}

impl Scale {
    pub const ONE: Scale = Scale {
        up: 1,
        down: 1,
        tens: 0.0,
        turns: 0.0,
        loose: 1.0,
    };

    /// Multiplies by a power of a known unit.
    fn take(&mut self, unit: &known::Unit, prefix: i32, power: f64) {
        self.tens += f64::from(unit.tens + prefix) * power;
        self.turns += f64::from(unit.turns) * power;
        self.multiply(unit.numerator, power);
        self.multiply(unit.denominator, -power);
    }

    fn multiply(&mut self, number: u64, power: f64) {
        if number == 1 || power == 0.0 {
            return;
        }
        let side = if power > 0.0 {
            &mut self.up
        } else {
            &mut self.down
        };
        // Exponents are held within ±64 before they come here.
        let exact = (power.fract() == 0.0)
            .then(|| u128::from(number).checked_pow(power.abs() as u32))
            .flatten()
            .and_then(|factor| side.checked_mul(factor));
        match exact {
            Some(product) => *side = product,
            None => self.loose *= math::powf(number as f64, power),
        }
    }

    /// The number in SI units; `None` if it leaves the range of a double.
    pub fn times(&self, number: &Decimal) -> Option<f64> {
        if number.is_zero() {
            return Some(0.0);
        }
        // Sums of broken exponents may carry dust.
        let near = self.tens.round();
        let shift = if (self.tens - near).abs() < 1e-9 {
            near
        } else {
            self.tens.floor()
        };
        let mut factor = self.loose;
        let rest = self.tens - shift;
        if rest > 1e-9 {
            factor *= math::powf(10.0, rest);
        }
        // A float-to-integer cast saturates: beyond every exponent, and found out below.
        let exponent = number.exponent.saturating_add(shift as i64);
        let digits = number.digits.trim_start_matches('0');
        let product = digits
            .parse::<u128>()
            .ok()
            .and_then(|d| d.checked_mul(self.up));
        let text = match product {
            Some(product) => format!("{product}e{exponent}"),
            None => {
                factor *= self.up as f64;
                format!("{digits}e{exponent}")
            }
        };
        let mut value = text.parse::<f64>().ok()? / self.down as f64 * factor;
        if self.turns != 0.0 {
            value *= math::powf(std::f64::consts::PI, self.turns);
        }
        let value = if number.negative { -value } else { value };
        (value.is_finite() && value != 0.0).then_some(value)
    }
}

/// The scale and the dimension of a unit; `names` are letters that may stand in exponents.
pub(super) fn read(text: &str, names: &[(&str, f64)]) -> Result<(Scale, Dimension), Fault> {
    let mut reader = Reader {
        rest: text,
        names,
        factors: Vec::new(),
    };
    reader.product(0)?;
    if let Some(c) = reader.peek() {
        return Err(Malformed::Unexpected(c).into());
    }
    let (mut scale, mut dimension) = (Scale::ONE, Dimension::NONE);
    for factor in &reader.factors {
        let power = checked(factor.power)?;
        scale.take(factor.unit, factor.prefix, power);
        dimension = dimension.times(factor.unit.dimension, power);
    }
    Ok((scale, dimension))
}

/// A unit with its prefix, raised to a power.
struct Factor {
    unit: &'static known::Unit,
    prefix: i32,
    power: f64,
}

const DEEPEST: usize = 16;
const LARGEST: f64 = 64.0;

struct Reader<'a> {
    rest: &'a str,
    names: &'a [(&'a str, f64)],
    factors: Vec<Factor>,
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '°' || c == '%'
}

/// The value of a raised digit.
fn raised(c: char) -> Option<u8> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    RAISED.iter().position(|r| *r == c).map(|i| i as u8)
}

impl<'a> Reader<'a> {
    /// The next character, blanks skipped.
    fn peek(&self) -> Option<char> {
        self.rest.trim_start().chars().next()
    }

    /// Takes one character, blanks before it skipped, if it is this one.
    fn take(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A run of characters at exactly this place.
    fn run(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        run
    }

    /// Factors and quotients up to the end or a `)`.
    fn product(&mut self, depth: usize) -> Result<(), Fault> {
        let mut divided = false;
        let mut first = true;
        loop {
            match self.peek() {
                None | Some(')') if first => return Err(Malformed::Unfinished.into()),
                None | Some(')') => return Ok(()),
                Some('/') => {
                    self.take('/');
                    divided = true;
                    self.factor(-1.0, depth)?;
                }
                Some(c) => {
                    let sign = !first && (self.take('*') || self.take('·') || self.take('⋅'));
                    // What cannot begin a factor is not a second way of reading.
                    if divided && (sign || is_letter(c) || c == '(') {
                        return Err(Malformed::Ambiguous.into());
                    }
                    self.factor(1.0, depth)?;
                }
            }
            first = false;
        }
    }

    /// One unit, `1`, or a parenthesis, with its exponent; `power` is -1 behind a `/`.
    fn factor(&mut self, power: f64, depth: usize) -> Result<(), Fault> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            None => Err(Malformed::Unfinished.into()),
            Some('(') => {
                if depth >= DEEPEST {
                    return Err(Malformed::TooDeep.into());
                }
                self.take('(');
                let from = self.factors.len();
                self.product(depth + 1)?;
                if !self.take(')') {
                    return Err(Malformed::Unclosed.into());
                }
                let exponent = power * self.exponent()?;
                for factor in self.factors.iter_mut().skip(from) {
                    factor.power *= exponent;
                }
                Ok(())
            }
            Some('1') => {
                self.rest = self.rest.get(1..).unwrap_or("");
                match self.rest.chars().next() {
                    Some(c) if c.is_ascii_digit() || c == '.' => {
                        Err(Malformed::Unexpected('1').into())
                    }
                    _ => Ok(()),
                }
            }
            Some(c) if is_letter(c) => {
                let symbol = self.run(is_letter);
                let (unit, prefix) =
                    known::find(symbol).ok_or_else(|| Fault::Unknown(symbol.into()))?;
                let power = power * self.exponent()?;
                self.factors.push(Factor {
                    unit,
                    prefix,
                    power,
                });
                Ok(())
            }
            Some(c) => Err(Malformed::Unexpected(c).into()),
        }
    }

    /// The exponent behind a unit; 1 if there is none.
    fn exponent(&mut self) -> Result<f64, Fault> {
        let next = self.rest.chars().next();
        if next.is_some_and(|c| c == '⁻' || raised(c).is_some()) {
            let negative = self.take('⁻');
            let digits = self.run(|c| raised(c).is_some());
            if digits.is_empty() {
                return Err(Malformed::Unfinished.into());
            }
            let size = digits
                .chars()
                .filter_map(raised)
                .fold(0.0, |sum, d| 10.0 * sum + f64::from(d));
            return checked(if negative { -size } else { size });
        }
        // `m3` and `s-1`: a whole number right behind the letters.
        let bare = self.rest.strip_prefix('-').unwrap_or(self.rest);
        if bare.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        if self.rest.trim_start().starts_with("**") {
            self.take('*');
            self.take('*');
        } else if !self.take('^') {
            return Ok(1.0);
        }
        self.rest = self.rest.trim_start();
        let power = self.signed(0)?;
        checked(power)
    }

    /// A decimal without exponent of ten, at exactly this place.
    fn number(&mut self) -> Result<f64, Fault> {
        let negative = self.take('-');
        let digits = self.run(|c| c.is_ascii_digit() || c == '.');
        match digits.parse::<f64>() {
            Ok(size) => checked(if negative { -size } else { size }),
            Err(_) if digits.is_empty() => Err(match self.peek() {
                Some(c) => Malformed::Unexpected(c),
                None => Malformed::Unfinished,
            }
            .into()),
            Err(_) => Err(Malformed::Unexpected('.').into()),
        }
    }

    /// A number, a name or a parenthesis in an exponent, with its sign.
    fn signed(&mut self, depth: usize) -> Result<f64, Fault> {
        if self.take('-') || self.take('−') {
            return Ok(-self.atom(depth)?);
        }
        self.take('+');
        self.atom(depth)
    }

    fn atom(&mut self, depth: usize) -> Result<f64, Fault> {
        if depth > DEEPEST {
            return Err(Malformed::TooDeep.into());
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some('(') => {
                self.take('(');
                let value = self.sum(depth + 1)?;
                if self.take(')') {
                    Ok(value)
                } else {
                    Err(Malformed::Unclosed.into())
                }
            }
            Some(c) if c.is_alphabetic() => {
                let name = self.run(|c| c.is_alphanumeric() || c == '_');
                match self.names.iter().find(|n| n.0 == name) {
                    Some((_, value)) => Ok(*value),
                    None => Err(Malformed::UnknownName(name.into()).into()),
                }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) => Err(Malformed::Unexpected(c).into()),
            None => Err(Malformed::Unfinished.into()),
        }
    }

    /// Sums of products inside the parentheses of an exponent: `1+γ`, `3/2`, `(n-1)/2`.
    fn sum(&mut self, depth: usize) -> Result<f64, Fault> {
        let mut total = 0.0;
        let mut sign = 1.0;
        loop {
            let mut term = self.signed(depth)?;
            loop {
                if self.take('*') {
                    term *= self.signed(depth)?;
                } else if self.take('/') {
                    term /= self.signed(depth)?;
                } else {
                    break;
                }
            }
            total += sign * term;
            if self.take('+') {
                sign = 1.0;
            } else if self.take('-') || self.take('−') {
                sign = -1.0;
            } else {
                return checked(total);
            }
        }
    }
}

fn checked(power: f64) -> Result<f64, Fault> {
    if power.abs() <= LARGEST {
        Ok(power)
    } else {
        Err(Malformed::Exponent(power).into())
    }
}
