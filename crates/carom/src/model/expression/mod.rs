//! Which number does a text such as `r/2 + 3 mm` or `A*sin(omega*t)` stand for?
//!
//! An expression has numbers with units, names, `+ - * / ^ ( )`, the constants `pi` and `tau`, and functions: sin, cos, tan, asin, acos, atan, atan2(y, x), sinh, cosh, tanh, exp, ln, log10, sqrt,
//! cbrt, abs, sign, floor, min, max, step(x) (0 below 0, 1 from 0 on) and smoothstep(x, x0, x1) (from 0 at x0 to 1 at x1, by 3 s² − 2 s³).
//!
//! Dimensions. Without any unit and without any name of a dimensional constant, everything is a plain SI number and nothing is checked. With one, everything is: sums need one kind, sin and exp
//! an angle or a pure number, exponents of quantities must be constant, and the whole must fit what it is given for. A plain 0 fits beside everything.
//!
//! The radian. A single quantity (`50 Hz`), or the name of one, is taken at its word: it is no angular speed. In arithmetic a radian counts as 1: `v/r` is an angular speed, and so is
//! `2*pi*50 Hz`. A constant that was computed so ([`Symbol::Computed`]) stays so under its name.
//!
//! Units and names. Behind a number stand units: `10 N/m` has the unit even if there is a name `m`. With blanks, `10 N / m`, the name goes first. `10/m` and `10*m` mean the name.
//! Names may have a `-` inside if the scope knows them so; where a difference of two names could be meant too, the text is refused.

mod breaks;
mod check;
mod derive;
mod function;
mod lexer;
mod parser;
mod program;

use std::fmt;
use std::ops::Range;

use check::{Check, Measure, alike, named};
use derive::Derivation;
use function::Jet;
use parser::{Node, Parser, Part};
use program::Instruction;

pub use derive::Derived;

use crate::model::units::{Dimension, QuantityError, shown};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbol {
    /// A constant given as a number or a quantity.
    Constant {
        /// In SI units.
        value: f64,
        /// What it measures; `None` for a plain number.
        dimension: Option<Dimension>,
    },
    /// A constant that was computed from others: a radian in its dimension counts as 1.
    Computed {
        /// In SI units.
        value: f64,
        /// What it measures, but for powers of a radian.
        dimension: Dimension,
    },
    /// A number that changes.
    Variable {
        /// Its place in the list handed to [`Expression::value`].
        index: usize,
        /// What it measures.
        dimension: Dimension,
    },
}

/// The names that an expression may use.
pub trait Scope {
    /// What a name stands for. Names may have dots: `slider.vx`.
    fn look_up(&self, name: &str) -> Option<Symbol>;
    /// All names, for suggestions.
    fn names(&self) -> Vec<String>;
    /// Why a name that means something elsewhere cannot stand here; `None` if it means nothing anywhere.
    fn why_not(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
    /// What a variable measures that has this dimension; `None` if it is read as a plain number and nobody knows.
    fn meant(&self, name: &str, dimension: Dimension) -> Option<Dimension> {
        let _ = name;
        Some(dimension)
    }
}

/// What is wrong with a part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The part: bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl ExpressionError {
    fn new(span: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        ExpressionError {
            span,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// From a sentence that ends with a hint.
    fn split(span: Range<usize>, sentence: &str) -> Self {
        match sentence.split_once(". Hint: ") {
            Some((message, hint)) => Self::new(span, message, hint),
            None => Self::new(span, sentence, ""),
        }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if self.hint.is_empty() {
            Ok(())
        } else {
            write!(f, ". Hint: {}", self.hint)
        }
    }
}

impl std::error::Error for ExpressionError {}

/// At most this many mistakes of one sort are told of one expression.
const MOST: usize = 20;

/// The constants that every expression knows.
fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "tau" => Some(std::f64::consts::TAU),
        _ => None,
    }
}

/// Whether expressions know this name before they ask anybody.
pub(crate) fn is_constant(name: &str) -> bool {
    constant(name).is_some()
}

/// How closely the radian is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Plain SI: fits everything.
    Plain,
    /// One quantity, taken at its word.
    Single(Dimension),
    /// Arithmetic: a radian counts as 1.
    Computed(Dimension),
}

/// A text that has been read, checked and made ready to be computed.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    kind: Kind,
    constant: Option<f64>,
    /// Places of the variables that occur, rising.
    variables: Vec<usize>,
    program: Box<[Instruction]>,
    derived: Derived,
    /// What to say of a unit that is a name as well.
    doubt: Option<String>,
}

impl Expression {
    /// Bytes of text that are read.
    pub const LONGEST: usize = 10_000;

    /// Reads a text; all that is wrong with it at once, in the order of the text, or the first thing that keeps it from being read at all.
    pub fn parse(text: &str, scope: &dyn Scope) -> Result<Expression, Vec<ExpressionError>> {
        if text.len() > Self::LONGEST {
            return Err(vec![ExpressionError::new(
                0..text.len(),
                format!("the expression has {} bytes", text.len()),
                format!(
                    "{} are read; give parts of it names of their own",
                    Self::LONGEST
                ),
            )]);
        }
        let words = lexer::words(text, scope).map_err(|e| vec![e])?;
        let mut parser = Parser::new(text, &words.tokens);
        if let Err(e) = parser.whole() {
            return Err(vec![e]);
        }
        let (nodes, mut faults) = (parser.nodes, parser.faults);
        // Nobody means an hour where `h` is a name, and nothing would show it.
        if let Some(span) = words.hour {
            faults.push(ExpressionError::new(
                span.clone(),
                format!(
                    "`h` in `{}` is an hour, and a name as well",
                    shown(text.get(span).unwrap_or("").trim())
                ),
                "write `* h` or ` / h` with blanks for the name, and hours in s or min",
            ));
        }
        let doubt = words
            .doubtful
            .map(|(span, name)| (span.clone(), doubt(text, span, &name)));
        let Check {
            findings,
            strict,
            symbols,
            faults: told,
            ..
        } = Check::new(text, &nodes, scope, doubt.clone());
        let mut all: Vec<ExpressionError> =
            words.faults.into_iter().chain(faults).chain(told).collect();
        if all.is_empty() {
            let whole = findings.last().copied();
            let single = single(&nodes);
            let kind = match (whole.and_then(|w| w.measure), single) {
                (None | Some(Measure::Zero), _) => Kind::Plain,
                (Some(Measure::Of(_)), Some(place)) => match nodes.get(place).map(|n| &n.part) {
                    Some(Part::Number(Some(literal))) => {
                        literal.dimension.map_or(Kind::Plain, Kind::Single)
                    }
                    _ => match symbols.get(place).copied().flatten() {
                        Some(Symbol::Constant {
                            dimension: Some(d), ..
                        }) => Kind::Single(d),
                        Some(Symbol::Computed { dimension, .. }) => Kind::Computed(dimension),
                        _ => Kind::Plain,
                    },
                },
                (Some(Measure::Of(d)), None) if strict => Kind::Computed(named(d)),
                _ => Kind::Plain,
            };
            let mut variables: Vec<usize> = findings.iter().filter_map(|f| f.variable).collect();
            variables.sort_unstable();
            variables.dedup();
            let derivation = Derivation {
                text,
                nodes: &nodes,
                symbols: &symbols,
                findings: &findings,
                scope,
            };
            let derived = match kind {
                Kind::Plain => derivation.whole(),
                Kind::Single(dimension) | Kind::Computed(dimension) => Derived::Known(dimension),
            };
            if let Some(program) = program::compile(&nodes, &findings) {
                return Ok(Expression {
                    text: text.into(),
                    kind,
                    constant: whole.and_then(|w| w.constant),
                    variables,
                    program,
                    derived,
                    doubt: doubt.map(|d| d.1),
                });
            }
            all.push(parser::too_deep(
                nodes.last().map_or(0..0, |n| n.span.clone()),
            ));
        }
        all.sort_by_key(|e| (e.span.start, e.span.end));
        Err(all)
    }
    /// What it measures; `None` for a plain number. Of arithmetic, but for powers of a radian.
    pub fn dimension(&self) -> Option<Dimension> {
        match self.kind {
            Kind::Plain => None,
            Kind::Single(dimension) | Kind::Computed(dimension) => Some(dimension),
        }
    }

    /// What it measures, also where no unit is written: by the kinds of its variables.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// Whether it can be given for a quantity of this kind. The error is about the whole text.
    pub fn fits(&self, expected: Dimension) -> Result<(), ExpressionError> {
        let text = self.text.trim();
        let start = self.text.len() - self.text.trim_start().len();
        let span = start..start + text.len();
        match self.kind {
            Kind::Plain => Ok(()),
            Kind::Single(given) if given.fits(expected) => Ok(()),
            Kind::Computed(given) if alike(given, expected) => Ok(()),
            Kind::Single(given) => {
                let text = text.into();
                let e = QuantityError::WrongDimension {
                    text,
                    given,
                    expected,
                };
                let mut e = ExpressionError::split(span, &e.to_string());
                if let Some(doubt) = &self.doubt {
                    e.hint.clone_from(doubt);
                }
                Err(e)
            }
            Kind::Computed(given) => Err(ExpressionError::new(
                span,
                format!("`{}` is {given}, but {expected} is expected", shown(text)),
                self.doubt.clone().unwrap_or_else(|| {
                    "check units and factors, or write plain SI numbers throughout".into()
                }),
            )),
        }
    }

    /// The value, if no variable occurs.
    pub fn constant(&self) -> Option<f64> {
        self.constant
    }

    /// What a name for this expression stands for, if no variable occurs in it.
    pub fn symbol(&self) -> Option<Symbol> {
        let value = self.constant?;
        Some(match self.kind {
            Kind::Plain => Symbol::Constant {
                value,
                dimension: None,
            },
            Kind::Single(dimension) => Symbol::Constant {
                value,
                dimension: Some(dimension),
            },
            Kind::Computed(dimension) => Symbol::Computed { value, dimension },
        })
    }

    /// Whether the variable with this place occurs.
    pub fn uses(&self, index: usize) -> bool {
        self.variables.binary_search(&index).is_ok()
    }

    /// The places of all variables that occur, rising.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// The value in SI units for these values of the variables; NaN where it is not defined, or if a variable is missing. Allocates nothing.
    ///
    /// ```
    /// use carom::model::expression::{Expression, Scope, Symbol};
    /// use carom::model::units::Dimension;
    /// struct Time;
    /// impl Scope for Time {
    ///     fn look_up(&self, name: &str) -> Option<Symbol> {
    ///         (name == "t").then_some(Symbol::Variable { index: 0, dimension: Dimension::TIME })
    ///     }
    ///     fn names(&self) -> Vec<String> {
    ///         vec!["t".into()]
    ///     }
    /// }
    /// let lift = Expression::parse("5 mm + 1 mm/s * t", &Time).map_err(|e| e[0].clone())?;
    /// lift.fits(Dimension::LENGTH)?;
    /// assert_eq!(lift.value(&[2.0]), 0.007);
    /// # Ok::<(), carom::model::expression::ExpressionError>(())
    /// ```
    pub fn value(&self, variables: &[f64]) -> f64 {
        program::run(&self.program, |index| {
            variables.get(index).copied().unwrap_or(f64::NAN)
        })
    }

    /// The value and the first and second derivative by the variable with place 0, for an expression of that one. Allocates nothing.
    ///
    /// At a corner a side is chosen: abs has the slope of positive arguments at 0; min and max that of the first of equal arguments; sign, floor and step have slope 0 everywhere, also where
    /// they jump; smoothstep has slope and curvature 0 at both ends.
    pub fn jet(&self, x: f64) -> [f64; 3] {
        program::run(&self.program, |index| match index {
            0 => Jet([x, 1.0, 0.0]),
            _ => Jet([f64::NAN; 3]),
        })
        .0
    }

    /// Where, after `start` and up to `end`, it jumps or has a corner as a function of the variable with place 0: where an argument of step, sign, abs, floor, min, max or smoothstep, if no other
    /// variable occurs in it, changes sides. Rising; each is the first number on the far side. `None` if there are more than 10 000.
    ///
    /// An argument is looked at some 2000 times at least. One that crosses and comes back in between is found if it turns only once.
    pub fn breaks(&self, start: f64, end: f64) -> Option<Vec<f64>> {
        breaks::find(&self.program, start, end)
    }

    /// The text as it was given, blanks at the ends left out.
    pub fn describe(&self) -> &str {
        self.text.trim()
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}

/// The part that is a single number or name, signs left aside, if the whole is one.
fn single(nodes: &[Node]) -> Option<usize> {
    let mut place = nodes.len().checked_sub(1)?;
    loop {
        match nodes.get(place)?.part {
            Part::Number(_) | Part::Name(_) => return Some(place),
            Part::Negative(inside) => place = inside,
            _ => return None,
        }
    }
}

/// What to say of a quantity whose unit is a name as well.
fn doubt(text: &str, span: Range<usize>, name: &str) -> String {
    format!(
        "`{name}` in `{}` is read as the unit; if the name is meant, write `* {name}` or ` / {name}` with blanks",
        shown(text.get(span).unwrap_or("").trim())
    )
}

#[cfg(test)]
mod tests;
