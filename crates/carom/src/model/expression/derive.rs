//! What does an expression of plain numbers and variables measure, where nobody has written a unit?
//!
//! A variable has a kind, though plain numbers beside it are not asked for theirs: in a sum a number is taken for one of the kind of the others, as a factor for a pure number. A constant that was given without a
//! unit may stand for any quantity, and so may what is made of it by multiplying.

use std::ops::Range;

use super::check::{Finding, alike, named};
use super::function::{Function, Rule};
use super::parser::{Node, Part};
use super::{ExpressionError, Scope, Symbol};
use crate::model::units::{Dimension, shown};

/// What is known of the kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Derived {
    /// A number that may be of any kind: no variable and no name occurs.
    Plain,
    /// A quantity of this kind, but for powers of a radian.
    Known(Dimension),
    /// It cannot be derived: why.
    Unknown(String),
    /// Parts of different kinds are added or compared.
    Misfit(ExpressionError),
}

/// Walks along the list of parts.
pub(super) struct Derivation<'a> {
    pub text: &'a str,
    pub nodes: &'a [Node],
    pub symbols: &'a [Option<Symbol>],
    pub findings: &'a [Finding],
    pub scope: &'a dyn Scope,
}

impl Derivation<'_> {
    pub fn whole(&self) -> Derived {
        let mut all: Vec<Derived> = Vec::with_capacity(self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate() {
            let found = self.part(place, node, &all);
            if let Derived::Misfit(_) = found {
                return found;
            }
            all.push(found);
        }
        match all.pop() {
            Some(Derived::Known(dimension)) => Derived::Known(named(dimension)),
            Some(other) => other,
            None => Derived::Plain,
        }
    }

    fn shown(&self, place: usize) -> String {
        let span = self.nodes.get(place).map_or(0..0, |node| node.span.clone());
        shown(self.text.get(span).unwrap_or(""))
    }

    fn part(&self, place: usize, node: &Node, all: &[Derived]) -> Derived {
        let of = |place: usize| all.get(place).cloned().unwrap_or(Derived::Plain);
        match &node.part {
            Part::Number(literal) => match literal.and_then(|literal| literal.dimension) {
                Some(dimension) => Derived::Known(dimension),
                None => Derived::Plain,
            },
            Part::Name(name) => self.name(place, name),
            Part::Negative(inside) => of(*inside),
            Part::Binary(sign, left, right) => {
                let (a, b) = (of(*left), of(*right));
                match sign {
                    '+' => self.common(&[(*left, a), (*right, b)], "added", &node.span),
                    '-' => self.common(&[(*left, a), (*right, b)], "subtracted", &node.span),
                    '^' => self.power((*left, a), (*right, b)),
                    '/' => product(a, b, -1.0),
                    _ => product(a, b, 1.0),
                }
            }
            Part::Call(function, arguments) => match function {
                Some(function) => {
                    let parts = arguments.iter().map(|place| (*place, of(*place)));
                    self.call(*function, &parts.collect::<Vec<_>>(), &node.span)
                }
                None => Derived::Plain,
            },
        }
    }

    fn name(&self, place: usize, name: &str) -> Derived {
        let nobody = || Derived::Unknown(format!("`{}` has no unit", shown(name)));
        match self.symbols.get(place).copied().flatten() {
            _ if super::constant(name).is_some() => Derived::Plain,
            Some(Symbol::Variable { dimension, .. }) => self
                .scope
                .meant(name, dimension)
                .map_or_else(nobody, Derived::Known),
            Some(Symbol::Constant { dimension, .. }) => {
                dimension.map_or_else(nobody, Derived::Known)
            }
            Some(Symbol::Computed { dimension, .. }) => Derived::Known(dimension),
            None => Derived::Plain,
        }
    }

    /// One kind for parts that are added or compared; `doing` ends the sentence.
    fn common(&self, parts: &[(usize, Derived)], doing: &str, span: &Range<usize>) -> Derived {
        let mut kind: Option<(usize, Dimension)> = None;
        let mut unknown = None;
        for (place, part) in parts {
            match part {
                Derived::Known(dimension) => match kind {
                    Some((first, before)) if !alike(before, *dimension) => {
                        return Derived::Misfit(ExpressionError::new(
                            span.clone(),
                            format!(
                                "`{}` is {}, but `{}` is {}: they cannot be {doing}",
                                self.shown(first),
                                named(before),
                                self.shown(*place),
                                named(*dimension)
                            ),
                            "both must be of one kind; check units and factors",
                        ));
                    }
                    Some(_) => {}
                    None => kind = Some((*place, *dimension)),
                },
                Derived::Unknown(_) => unknown = unknown.or(Some(part)),
                _ => {}
            }
        }
        match (kind, unknown) {
            (Some((_, dimension)), _) => Derived::Known(dimension),
            (None, Some(unknown)) => unknown.clone(),
            (None, None) => Derived::Plain,
        }
    }

    fn power(&self, (base, a): (usize, Derived), (exponent, b): (usize, Derived)) -> Derived {
        if let Derived::Known(kind) = b
            && !alike(kind, Dimension::NONE)
        {
            let span = self.nodes.get(exponent).map_or(0..0, |n| n.span.clone());
            return Derived::Misfit(ExpressionError::new(
                span,
                format!(
                    "the exponent `{}` is {}, but a pure number is expected",
                    self.shown(exponent),
                    named(kind)
                ),
                "divide it by a quantity of its kind",
            ));
        }
        match a {
            Derived::Known(kind) if alike(kind, Dimension::NONE) => Derived::Known(Dimension::NONE),
            Derived::Known(kind) => {
                let constant = self.findings.get(exponent).and_then(|f| f.constant);
                match (b, constant) {
                    (Derived::Plain, Some(p)) => Derived::Known(Dimension::NONE.times(kind, p)),
                    // A name may stand for another number elsewhere.
                    _ => Derived::Unknown(format!(
                        "`{}` is {}, and its exponent `{}` is not written as a number",
                        self.shown(base),
                        named(kind),
                        self.shown(exponent)
                    )),
                }
            }
            other => other,
        }
    }

    fn call(&self, function: Function, parts: &[(usize, Derived)], span: &Range<usize>) -> Derived {
        let (name, _, _, rule, _) = function.entry();
        let Some((place, first)) = parts.first() else {
            return Derived::Plain;
        };
        let result = match rule {
            Rule::ToAngle | Rule::Direction => Dimension::ANGLE,
            _ => Dimension::NONE,
        };
        match rule {
            Rule::Pure | Rule::ToAngle => match first {
                Derived::Known(kind) if !alike(*kind, Dimension::NONE) => {
                    Derived::Unknown(format!(
                        "{name} is taken of `{}`, which is {}",
                        self.shown(*place),
                        named(*kind)
                    ))
                }
                _ => Derived::Known(result),
            },
            Rule::Root(power) => match first {
                Derived::Known(kind) => Derived::Known(Dimension::NONE.times(*kind, power)),
                other => other.clone(),
            },
            Rule::Keep => self.common(parts, "compared", span),
            Rule::Drop | Rule::Direction => match self.common(parts, "compared", span) {
                misfit @ Derived::Misfit(_) => misfit,
                _ => Derived::Known(result),
            },
        }
    }
}

/// A product, or a quotient if the power is −1: a plain number is a pure one there.
fn product(a: Derived, b: Derived, power: f64) -> Derived {
    match (a, b) {
        (unknown @ Derived::Unknown(_), _) | (_, unknown @ Derived::Unknown(_)) => unknown,
        (Derived::Plain, Derived::Plain) => Derived::Plain,
        (a, b) => {
            let kind = |part: Derived| match part {
                Derived::Known(kind) => kind,
                _ => Dimension::NONE,
            };
            Derived::Known(kind(a).times(kind(b), power))
        }
    }
}
