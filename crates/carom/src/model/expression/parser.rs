//! What is done to what, and in which order?
//!
//! The tree is kept as a list in which every part stands behind its own parts: whatever is done with it later is one walk along the list, and no text can make it recurse.
//! From loose to tight: `+ -`, `* /`, signs, `^` (from the right, so that `-2^2` is −4 and `2^3^2` is 2^9).

use std::ops::Range;

use super::function::Function;
use super::lexer::{Literal, Token, Word};
use super::{ExpressionError, MOST};
use crate::card::nearest;
use crate::model::units::shown;

/// Parentheses, signs and powers inside each other.
pub(super) const DEEPEST: usize = 64;

/// A part of an expression; numbers are places in the list, always before its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// A number with or without unit; `None` if it could not be read.
    Number(Option<Literal>),
    /// A name that stands for a number.
    Name(String),
    Negative(usize),
    Binary(char, usize, usize),
    /// A function of its arguments; `None` if it could not be called, which has been said.
    Call(Option<Function>, Vec<usize>),
}

/// A part and its place in the text, parentheses included.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub part: Part,
    pub span: Range<usize>,
}

/// The sentence for what is too deep, whoever finds it.
pub(super) fn too_deep(span: Range<usize>) -> ExpressionError {
    ExpressionError::new(
        span,
        "the expression is too deep: too many parts inside each other",
        format!(
            "{DEEPEST} parentheses, signs or powers inside each other are read, and {} numbers that wait for each other; give a part of it a name of its own",
            super::program::STACK
        ),
    )
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    pub nodes: Vec<Node>,
    pub faults: Vec<ExpressionError>,
}

type Place = Result<usize, ExpressionError>;

const END: Token = Token {
    word: Word::End,
    span: 0..0,
};

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        Parser {
            text,
            tokens,
            at: 0,
            depth: 0,
            nodes: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The whole text; the last part of the list is the whole expression.
    pub fn whole(&mut self) -> Result<(), ExpressionError> {
        if matches!(self.peek().word, Word::End) {
            return Err(ExpressionError::new(
                0..self.text.len(),
                "an expression is missing",
                "write a number, a number with its unit, or arithmetic such as `r/2 + 3 mm`",
            ));
        }
        let all = self.sum()?;
        let token = self.peek();
        match &token.word {
            Word::End => Ok(()),
            Word::Sign(')') => Err(ExpressionError::new(
                token.span.clone(),
                "`)` closes nothing",
                "leave it out, or open it with `(`",
            )),
            Word::Sign(',') => Err(ExpressionError::new(
                token.span.clone(),
                "`,` only stands between the arguments of a function",
                "the decimal sign is a point",
            )),
            _ => Err(self.missing_operator(all, token)),
        }
    }

    fn peek(&self) -> &'a Token {
        self.tokens.get(self.at).unwrap_or(&END)
    }

    fn is(&self, sign: char) -> bool {
        self.peek().word == Word::Sign(sign)
    }

    fn take(&mut self, sign: char) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn slice(&self, span: &Range<usize>) -> String {
        shown(self.text.get(span.clone()).unwrap_or(""))
    }

    fn span(&self, place: usize) -> Range<usize> {
        self.nodes.get(place).map_or(0..0, |node| node.span.clone())
    }

    fn push(&mut self, part: Part, span: Range<usize>) -> usize {
        self.nodes.push(Node { part, span });
        self.nodes.len() - 1
    }

    /// One level deeper, while `inside` is read.
    fn deeper(&mut self, inside: impl FnOnce(&mut Self) -> Place) -> Place {
        if self.depth >= DEEPEST {
            return Err(too_deep(self.peek().span.clone()));
        }
        self.depth += 1;
        let place = inside(self);
        self.depth -= 1;
        place
    }

    fn missing_operator(&self, left: usize, token: &Token) -> ExpressionError {
        // What stands right before the word is the last thing read.
        let before = match self.at.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(before) => before.span.clone(),
            None => self.span(left),
        };
        let next = self.slice(&token.span);
        let before = self.slice(&before);
        let hint = match token.word {
            Word::Number(_) => format!(
                "write `{before} * {next}` if a product is meant; digits are written without blanks"
            ),
            _ => format!("write `{before} * {next}` if a product is meant"),
        };
        ExpressionError::new(
            token.span.clone(),
            format!("an operator is missing between `{before}` and `{next}`"),
            hint,
        )
    }

    fn binary(&mut self, sign: char, left: usize, right: usize) -> usize {
        let span = self.span(left).start..self.span(right).end;
        self.push(Part::Binary(sign, left, right), span)
    }

    fn sum(&mut self) -> Place {
        let mut left = self.term()?;
        while let Word::Sign(sign @ ('+' | '-')) = self.peek().word {
            self.at += 1;
            let right = self.term()?;
            left = self.binary(sign, left, right);
        }
        Ok(left)
    }

    fn term(&mut self) -> Place {
        let mut left = self.signed()?;
        while let Word::Sign(sign @ ('*' | '/')) = self.peek().word {
            self.at += 1;
            if sign == '*' && self.is('*') {
                return Err(ExpressionError::new(
                    self.peek().span.clone(),
                    "`**` cannot be read",
                    "a power is written x^2",
                ));
            }
            let right = self.signed()?;
            left = self.binary(sign, left, right);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Place {
        let from = self.peek().span.start;
        if self.take('-') {
            let inside = self.deeper(Self::signed)?;
            let end = self.span(inside).end;
            return Ok(self.push(Part::Negative(inside), from..end));
        }
        if self.take('+') {
            let inside = self.deeper(Self::signed)?;
            if let Some(node) = self.nodes.get_mut(inside) {
                node.span.start = from;
            }
            return Ok(inside);
        }
        self.power()
    }

    fn power(&mut self) -> Place {
        let token = self.peek();
        let base = self.atom()?;
        if !self.is('^') {
            return Ok(base);
        }
        if let Word::Number(Some(Literal {
            dimension: Some(_), ..
        })) = token.word
        {
            return Err(ExpressionError::new(
                self.peek().span.clone(),
                "the power of a unit is a number, written without blanks",
                format!(
                    "write `m^2` for a unit, or `({})^…` for the whole quantity",
                    self.slice(&token.span)
                ),
            ));
        }
        self.at += 1;
        let exponent = self.deeper(Self::signed)?;
        Ok(self.binary('^', base, exponent))
    }

    fn atom(&mut self) -> Place {
        let token = self.peek();
        match &token.word {
            Word::Number(literal) => {
                self.at += 1;
                Ok(self.push(Part::Number(*literal), token.span.clone()))
            }
            Word::Name(name) => {
                self.at += 1;
                if self.is('(') {
                    return self.call(name, token);
                }
                Ok(self.push(Part::Name(name.clone()), token.span.clone()))
            }
            Word::Sign('(') => {
                self.at += 1;
                let inside = self.deeper(Self::sum)?;
                let end = self.close(token, inside)?;
                if let Some(node) = self.nodes.get_mut(inside) {
                    node.span = token.span.start..end;
                }
                Ok(inside)
            }
            Word::Sign(sign) => {
                let (message, hint) = match sign {
                    ')' => (
                        "`)` stands where a number, a name or `(` is expected".into(),
                        "",
                    ),
                    sign => (
                        format!("`{sign}` stands where a number, a name or `(` is expected"),
                        "something is missing before it",
                    ),
                };
                Err(ExpressionError::new(token.span.clone(), message, hint))
            }
            Word::End => {
                let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
                let span = last.map_or(0..0, |token| token.span.clone());
                Err(ExpressionError::new(
                    span.clone(),
                    format!("the expression breaks off after `{}`", self.slice(&span)),
                    "a number, a name or `(` must follow",
                ))
            }
        }
    }

    /// The `)` that belongs to an `(`; its end.
    fn close(&mut self, open: &Token, inside: usize) -> Place {
        let token = self.peek();
        if self.take(')') {
            return Ok(token.span.end);
        }
        match token.word {
            Word::End => Err(ExpressionError::new(
                open.span.clone(),
                "the parenthesis is not closed",
                "add `)`",
            )),
            Word::Sign(',') => Err(ExpressionError::new(
                token.span.clone(),
                "`,` only stands between the arguments of a function",
                "the decimal sign is a point",
            )),
            _ => Err(self.missing_operator(inside, token)),
        }
    }

    fn call(&mut self, name: &str, token: &Token) -> Place {
        let open = self.peek();
        self.at += 1;
        let mut arguments = Vec::new();
        let mut end = open.span.end;
        if self.is(')') {
            end = self.peek().span.end;
            self.at += 1;
        } else {
            loop {
                arguments.push(self.deeper(Self::sum)?);
                if !self.take(',') {
                    break;
                }
            }
            if let Some(last) = arguments.last() {
                end = self.close(open, *last)?;
            }
        }
        let span = token.span.start..end;
        let mut function = Function::find(name);
        match function {
            None if self.faults.len() >= MOST => {}
            None => self.faults.push(unknown_function(name, token)),
            Some(found) => {
                let (name, least, most, _, usage) = found.entry();
                let given = arguments.len();
                if given < least || given > most {
                    let takes = match (least, most) {
                        (1, 1) => "1 argument".into(),
                        (n, m) if n == m => format!("{n} arguments"),
                        (n, m) => format!("{n} to {m} arguments"),
                    };
                    self.faults.push(ExpressionError::new(
                        span.clone(),
                        format!("{name} takes {takes}, but has {given}"),
                        format!("write {usage}"),
                    ));
                    function = None;
                }
            }
        }
        Ok(self.push(Part::Call(function, arguments), span))
    }
}

fn unknown_function(name: &str, token: &Token) -> ExpressionError {
    let names = || Function::ALL.iter().map(|f| f.1);
    let hint = match (nearest(name, names()).as_slice(), name) {
        (_, "log") => "did you mean ln (base e) or log10?".into(),
        ([], _) => format!(
            "there are {}; a product is written with `*`",
            names().collect::<Vec<_>>().join(", ")
        ),
        (near, _) => format!("did you mean {}?", near.join(", ")),
    };
    ExpressionError::new(
        token.span.clone(),
        format!("there is no function `{}`", shown(name)),
        hint,
    )
}
