//! What does every part of an expression measure, which of them are constant, and does it all fit together?
//!
//! One walk along the list of parts. A part with something wrong in it has neither dimension nor value, and nothing more is said about what it is a part of.

use std::ops::Range;

use super::function::{Function, Number, Rule};
use super::lexer::Literal;
use super::parser::{Node, Part};
use super::{ExpressionError, MOST, Scope, Symbol};
use crate::card::nearest;
use crate::model::units::{self, Dimension, shown};

/// What a part measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// The number 0 without a unit, which fits beside everything.
    Zero,
    /// A quantity.
    Of(Dimension),
}

/// What is known of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    /// `None` if something is wrong with it, which has been said.
    pub measure: Option<Measure>,
    /// Its value, if no variable occurs in it.
    pub constant: Option<f64>,
    /// The variable it is.
    pub variable: Option<usize>,
}

/// The sizes that exponents of quantities may have, as for units.
const LARGEST: f64 = 64.0;

pub(super) struct Check<'a> {
    pub text: &'a str,
    pub nodes: &'a [Node],
    pub scope: &'a dyn Scope,
    /// A quantity with a unit that is a name as well, and what to say of it.
    doubt: Option<(Range<usize>, String)>,
    /// Whether dimensions are compared at all.
    pub strict: bool,
    pub symbols: Vec<Option<Symbol>>,
    pub findings: Vec<Finding>,
    pub faults: Vec<ExpressionError>,
}

/// In arithmetic a radian counts as 1.
pub(super) fn alike(a: Dimension, b: Dimension) -> bool {
    a.without_angle().fits(b.without_angle())
}

/// A computed dimension as a person would name it: the radian is left out where that gives it a name.
pub(super) fn named(dimension: Dimension) -> Dimension {
    if dimension.to_string().starts_with("a quantity [") {
        dimension.without_angle()
    } else {
        dimension
    }
}

impl<'a> Check<'a> {
    /// Looks up all names, then walks along the list.
    pub fn new(
        text: &'a str,
        nodes: &'a [Node],
        scope: &'a dyn Scope,
        doubt: Option<(Range<usize>, String)>,
    ) -> Self {
        let mut check = Check {
            text,
            nodes,
            scope,
            doubt,
            strict: false,
            symbols: Vec::with_capacity(nodes.len()),
            findings: Vec::with_capacity(nodes.len()),
            faults: Vec::new(),
        };
        let mut unknown: Vec<&str> = Vec::new();
        for node in nodes {
            let symbol = match &node.part {
                Part::Name(name) => {
                    let found = super::constant(name)
                        .map(|value| Symbol::Constant {
                            value,
                            dimension: None,
                        })
                        .or_else(|| scope.look_up(name));
                    if found.is_none() && !unknown.contains(&name.as_str()) && unknown.len() < MOST
                    {
                        unknown.push(name);
                        check.faults.push(check.unknown_name(name, &node.span));
                    }
                    found
                }
                _ => None,
            };
            check.strict |= match (&node.part, symbol) {
                (Part::Number(Some(literal)), _) => literal.dimension.is_some(),
                (
                    _,
                    Some(
                        Symbol::Constant {
                            dimension: Some(d), ..
                        }
                        | Symbol::Computed { dimension: d, .. },
                    ),
                ) => !d.fits(Dimension::NONE),
                _ => false,
            };
            check.symbols.push(symbol);
        }
        for place in 0..nodes.len() {
            let finding = check.part(place);
            check.findings.push(finding);
        }
        check
    }

    fn unknown_name(&self, name: &str, span: &Range<usize>) -> ExpressionError {
        let names = self.scope.names();
        let all = || names.iter().map(String::as_str).chain(["pi", "tau"]);
        let near = nearest(name, all());
        let hint = if Function::find(name).is_some() {
            format!("it is a function: write `{name}(…)`")
        } else if name == "h" {
            "it is the unit of an hour, behind a number, as in `1 h`; a step or a height needs a name in [parameters]".into()
        } else if units::is_unit(name) {
            format!(
                "it is a unit: write it behind a number, as in `1 {name}`; units go on by blanks, as in `N m`"
            )
        } else if !near.is_empty() {
            format!("did you mean {}?", near.join(", "))
        } else {
            let some: Vec<&str> = all().take(8).collect();
            let more = if names.len() + 2 > some.len() {
                ", …"
            } else {
                ""
            };
            format!("names known here: {}{more}", some.join(", "))
        };
        if let Some(why) = self.scope.why_not(name) {
            let message = format!("`{}` cannot stand here", shown(name));
            return ExpressionError::new(span.clone(), message, why);
        }
        ExpressionError::new(
            span.clone(),
            format!("the name `{}` is not known", shown(name)),
            hint,
        )
    }

    fn slice(&self, span: &Range<usize>) -> String {
        shown(self.text.get(span.clone()).unwrap_or(""))
    }

    fn span(&self, place: usize) -> Range<usize> {
        self.nodes.get(place).map_or(0..0, |n| n.span.clone())
    }

    fn shown(&self, place: usize) -> String {
        self.slice(&self.span(place))
    }

    fn say(&mut self, span: Range<usize>, message: String, hint: impl Into<String>) {
        if self.faults.len() < MOST {
            self.faults.push(ExpressionError::new(span, message, hint));
        }
    }

    /// The same for a dimension that does not fit: a unit that may have been meant as a name is the likeliest cause.
    fn say_misfit(&mut self, span: Range<usize>, message: String, hint: impl Into<String>) {
        let hint = match &self.doubt {
            Some((of, said)) if span.start <= of.start && of.end <= span.end => said.clone(),
            _ => hint.into(),
        };
        self.say(span, message, hint);
    }

    fn finding(&self, place: usize) -> Finding {
        self.findings.get(place).copied().unwrap_or(Finding {
            measure: None,
            constant: None,
            variable: None,
        })
    }

    fn part(&mut self, place: usize) -> Finding {
        let mut finding = Finding {
            measure: None,
            constant: None,
            variable: None,
        };
        let nodes = self.nodes;
        let Some(node) = nodes.get(place) else {
            return finding;
        };
        match &node.part {
            Part::Number(None) => {}
            Part::Number(Some(Literal { value, dimension })) => {
                finding.constant = Some(*value);
                finding.measure = Some(match dimension {
                    None if *value == 0.0 => Measure::Zero,
                    given => Measure::Of(given.unwrap_or(Dimension::NONE)),
                });
            }
            Part::Name(_) => match self.symbols.get(place).copied().flatten() {
                Some(Symbol::Variable { index, dimension }) => {
                    finding.variable = Some(index);
                    finding.measure = Some(Measure::Of(dimension));
                }
                Some(Symbol::Constant { value, dimension }) => {
                    finding.constant = Some(value);
                    finding.measure = Some(Measure::Of(dimension.unwrap_or(Dimension::NONE)));
                }
                Some(Symbol::Computed { value, dimension }) => {
                    finding.constant = Some(value);
                    finding.measure = Some(Measure::Of(dimension));
                }
                None => {}
            },
            Part::Negative(inside) => {
                let inside = self.finding(*inside);
                finding.measure = inside.measure;
                finding.constant = inside.constant.map(Number::negate);
            }
            Part::Binary(sign, left, right) => {
                let (a, b) = (self.finding(*left), self.finding(*right));
                finding.constant = a
                    .constant
                    .zip(b.constant)
                    .map(|(a, b)| super::program::binary(*sign, a, b));
                if let (Some(a), Some(b)) = (a.measure, b.measure) {
                    finding.measure = self.binary(*sign, (*left, a), (*right, b), &node.span);
                }
            }
            Part::Call(None, _) => {}
            Part::Call(Some(function), arguments) => {
                let given: Vec<Finding> = arguments.iter().map(|a| self.finding(*a)).collect();
                let values: Option<Vec<f64>> = given.iter().map(|g| g.constant).collect();
                finding.constant = values.map(|v| super::program::call(*function, &v));
                let measures: Option<Vec<Measure>> = given.iter().map(|g| g.measure).collect();
                if let Some(measures) = measures {
                    finding.measure = self.call(*function, arguments, &measures, &node.span);
                }
            }
        }
        self.finite(node, place, &mut finding);
        finding
    }

    /// A constant must be a number one can compute with.
    fn finite(&mut self, node: &Node, place: usize, finding: &mut Finding) {
        if finding.measure.is_none() || finding.constant.is_none_or(f64::is_finite) {
            return;
        }
        let value = finding.constant.unwrap_or(f64::NAN);
        let hint = match &node.part {
            Part::Binary('/', _, right) if self.finding(*right).constant == Some(0.0) => {
                "the divisor is 0".to_string()
            }
            _ if value.is_nan() => "it has no real value; check the sign of its parts".into(),
            _ => "it is too large to compute with; check the sizes of its parts".into(),
        };
        let message = format!("`{}` is not a finite number", self.shown(place));
        self.say(node.span.clone(), message, hint);
        // Nothing more about what it is a part of.
        finding.measure = None;
        finding.constant = None;
    }

    /// One measure for parts that are added or compared; `doing` ends the sentence.
    fn common(
        &mut self,
        parts: &[(usize, Measure)],
        doing: &str,
        span: &Range<usize>,
    ) -> Option<Measure> {
        let mut common: Option<(usize, Dimension)> = None;
        for (place, measure) in parts {
            let Measure::Of(dimension) = *measure else {
                continue;
            };
            common = match common {
                None => Some((*place, dimension)),
                Some((first, before)) if !self.strict || alike(before, dimension) => {
                    // `2 + 3 rad` is an angle.
                    let angle = before.fits(before.without_angle());
                    Some((first, if angle { dimension } else { before }))
                }
                Some((first, before)) => {
                    let message = format!(
                        "`{}` is {}, but `{}` is {}: they cannot be {doing}",
                        self.shown(first),
                        named(before),
                        self.shown(*place),
                        named(dimension)
                    );
                    let hint = self.power_meant(first, *place).unwrap_or_else(|| {
                        self.bring_together((first, before), (*place, dimension))
                    });
                    self.say_misfit(span.clone(), message, hint);
                    return None;
                }
            };
        }
        Some(common.map_or(Measure::Zero, |c| Measure::Of(c.1)))
    }

    /// `50 s-1`, which is a difference here.
    fn power_meant(&self, a: usize, b: usize) -> Option<String> {
        let (a, b) = (self.nodes.get(a)?, self.nodes.get(b)?);
        let number = |node: &Node| match node.part {
            Part::Number(Some(literal)) => Some(literal.dimension.is_some()),
            _ => None,
        };
        let tight = self.text.get(a.span.end..b.span.start)? == "-";
        (tight && number(a)? && !number(b)?).then(|| {
            format!(
                "a power is written `{}^-{}`; in a difference both need a unit",
                self.slice(&a.span),
                self.slice(&b.span)
            )
        })
    }

    /// What to do about two parts of different kinds.
    fn bring_together(&self, a: (usize, Dimension), b: (usize, Dimension)) -> String {
        let pure = |d: Dimension| d.without_angle().fits(Dimension::NONE);
        let (plain, other) = match (pure(a.1), pure(b.1)) {
            (true, _) => (a.0, b.1),
            (_, true) => (b.0, a.1),
            _ => return "both must be of one kind; check units and factors".into(),
        };
        let unit = named(other).unit();
        match self.nodes.get(plain).map(|n| &n.part) {
            Some(Part::Number(Some(Literal {
                dimension: None, ..
            }))) => format!(
                "beside quantities a number needs its unit: `{} {unit}`",
                self.shown(plain)
            ),
            Some(Part::Name(name)) if super::constant(name).is_none() => {
                let value = self.finding(plain).constant.unwrap_or(1.0);
                format!(
                    "beside quantities a number needs its unit: {} = \"{value} {unit}\"",
                    shown(name)
                )
            }
            _ => "both must be of one kind; check units and factors".into(),
        }
    }

    fn binary(
        &mut self,
        sign: char,
        (left, a): (usize, Measure),
        (right, b): (usize, Measure),
        span: &Range<usize>,
    ) -> Option<Measure> {
        match (sign, a, b) {
            ('+' | '-', ..) => {
                let doing = if sign == '+' { "added" } else { "subtracted" };
                self.common(&[(left, a), (right, b)], doing, span)
            }
            ('^', ..) => self.power((left, a), (right, b)),
            (_, Measure::Of(a), Measure::Of(b)) => {
                let power = if sign == '/' { -1.0 } else { 1.0 };
                Some(Measure::Of(a.times(b, power)))
            }
            // 0 times anything, or divided by it, is 0 of any kind.
            _ => Some(Measure::Zero),
        }
    }

    fn power(
        &mut self,
        (base, a): (usize, Measure),
        (exponent, b): (usize, Measure),
    ) -> Option<Measure> {
        if !self.strict {
            return Some(Measure::Of(Dimension::NONE));
        }
        if let Measure::Of(b) = b
            && !alike(b, Dimension::NONE)
        {
            let message = format!(
                "the exponent `{}` is {}, but a pure number is expected",
                self.shown(exponent),
                named(b)
            );
            let hint = "a unit belongs to the number right before it; write a power of ten as 1e9, or set parentheses";
            self.say(self.span(exponent), message, hint);
            return None;
        }
        let dimension = match a {
            Measure::Zero => return Some(Measure::Zero),
            Measure::Of(a) if a.fits(Dimension::NONE) => return Some(Measure::Of(a)),
            Measure::Of(a) => a,
        };
        match self.finding(exponent).constant {
            Some(p) if p.abs() <= LARGEST => Some(Measure::Of(Dimension::NONE.times(dimension, p))),
            _ if alike(dimension, Dimension::NONE) => Some(Measure::Of(Dimension::NONE)),
            Some(p) => {
                let message = format!(
                    "the exponent of `{}`, which is {}, is {p}",
                    self.shown(base),
                    named(dimension)
                );
                self.say(
                    self.span(exponent),
                    message,
                    "exponents of quantities between -64 and 64 are read",
                );
                None
            }
            None => {
                let message = format!(
                    "`{}` is {}, and its exponent `{}` is not a constant",
                    self.shown(base),
                    named(dimension),
                    self.shown(exponent)
                );
                let hint = format!(
                    "only a pure number can have a variable exponent; divide by 1 {}",
                    named(dimension).unit()
                );
                self.say_misfit(self.span(exponent), message, hint);
                None
            }
        }
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[usize],
        measures: &[Measure],
        span: &Range<usize>,
    ) -> Option<Measure> {
        let (name, _, _, rule, _) = function.entry();
        let (first, measure) = (*arguments.first()?, *measures.first()?);
        let parts: Vec<(usize, Measure)> = arguments
            .iter()
            .copied()
            .zip(measures.iter().copied())
            .collect();
        match rule {
            Rule::Pure | Rule::ToAngle => {
                if let Measure::Of(d) = measure
                    && self.strict
                    && !alike(d, Dimension::NONE)
                {
                    let message = format!(
                        "the argument of {name}, `{}`, is {}, but an angle or a pure number is expected",
                        self.shown(first),
                        named(d)
                    );
                    let hint = if alike(d, Dimension::TIME) {
                        "multiply the time by a rate with its unit, such as `100 rad/s * t`".into()
                    } else {
                        format!(
                            "divide it by a quantity of its kind, such as 1 {}",
                            named(d).unit()
                        )
                    };
                    self.say_misfit(self.span(first), message, hint);
                    return None;
                }
                Some(Measure::Of(match rule {
                    Rule::ToAngle => Dimension::ANGLE,
                    _ => Dimension::NONE,
                }))
            }
            Rule::Root(power) => Some(match measure {
                Measure::Zero => Measure::Zero,
                Measure::Of(d) => Measure::Of(Dimension::NONE.times(d, power)),
            }),
            Rule::Keep => self.common(&parts, "compared", span),
            Rule::Drop | Rule::Direction => {
                self.common(&parts, "compared", span)?;
                Some(Measure::Of(match rule {
                    Rule::Direction => Dimension::ANGLE,
                    _ => Dimension::NONE,
                }))
            }
        }
    }
}
