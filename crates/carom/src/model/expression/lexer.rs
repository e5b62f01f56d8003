//! Which words does an expression consist of, and where does a number's unit end?
//!
//! A unit begins right behind its number and goes on by blanks (`10 N m`), by `/`, `·` and `^` without blanks (`10 N/m^1.5`), and by a `/` between blanks where what follows is a unit
//! and not a name (`10 m / s`). A `*` ends it, and so does a sign.

use std::ops::Range;

use super::{ExpressionError, MOST, Scope};
use crate::model::units::{self, Dimension};

/// What a word is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// A number with or without unit; `None` if its unit cannot be read, which has been said.
    Number(Option<Literal>),
    /// A name, of whatever.
    Name(String),
    /// `+ - * / ^ ( ) ,`
    Sign(char),
    /// The end of the text.
    End,
}

/// A number as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Literal {
    /// In SI units.
    pub value: f64,
    /// Of the unit; `None` without one.
    pub dimension: Option<Dimension>,
}

/// A word and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub word: Word,
    pub span: Range<usize>,
}

/// All words, and what is wrong with units on the way; `doubtful` is the place of a unit that is a name as well, `hour` that of an hour that is.
pub(super) struct Words {
    pub tokens: Vec<Token>,
    pub faults: Vec<ExpressionError>,
    pub doubtful: Option<(Range<usize>, String)>,
    pub hour: Option<Range<usize>>,
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '°' || c == '%'
}

fn in_name(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_'
}

fn is_raised(c: char) -> bool {
    matches!(c, '⁻' | '⁰' | '¹' | '²' | '³') || ('⁴'..='⁹').contains(&c)
}

struct Lexer<'a> {
    text: &'a str,
    scope: &'a dyn Scope,
    doubtful: Option<(Range<usize>, String)>,
    hour: Option<Range<usize>>,
}

/// The words of a text; the first sign that cannot be read ends it.
pub(super) fn words(text: &str, scope: &dyn Scope) -> Result<Words, ExpressionError> {
    let mut lexer = Lexer {
        text,
        scope,
        doubtful: None,
        hour: None,
    };
    let mut tokens = Vec::new();
    let mut faults = Vec::new();
    let mut at = 0;
    loop {
        at = lexer.blanks(at);
        let Some(c) = lexer.peek(at) else {
            break;
        };
        let (word, end) = match c {
            '0'..='9' => lexer.number(at, &mut faults),
            '.' if lexer.digit(at + 1) => lexer.number(at, &mut faults),
            c if c.is_alphabetic() || c == '_' => lexer.name(at)?,
            '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => (Word::Sign(c), at + 1),
            '−' => (Word::Sign('-'), at + c.len_utf8()),
            '×' | '·' | '⋅' => (Word::Sign('*'), at + c.len_utf8()),
            c => {
                let hint = match c {
                    '²' | '³' => "a power is written x^2",
                    '°' | '%' => "a unit stands behind its number, as in `90 deg`",
                    '<' | '>' | '=' => {
                        "step(x) is 0 below 0 and 1 from there on; min and max compare"
                    }
                    _ => {
                        "an expression is made of numbers with units, names, + - * / ^ ( ) and functions"
                    }
                };
                return Err(ExpressionError::new(
                    at..at + c.len_utf8(),
                    format!("`{}` cannot be read", units::shown(&c.to_string())),
                    hint,
                ));
            }
        };
        tokens.push(Token {
            word,
            span: at..end,
        });
        at = end;
    }
    let end = text.trim_end().len();
    tokens.push(Token {
        word: Word::End,
        span: end..end,
    });
    Ok(Words {
        tokens,
        faults,
        doubtful: lexer.doubtful,
        hour: lexer.hour,
    })
}

impl Lexer<'_> {
    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or("")
    }

    fn peek(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    fn digit(&self, at: usize) -> bool {
        self.peek(at).is_some_and(|c| c.is_ascii_digit())
    }

    fn slice(&self, span: Range<usize>) -> &str {
        self.text.get(span).unwrap_or("")
    }

    /// The end of a run.
    fn run(&self, at: usize, is: impl Fn(char) -> bool) -> usize {
        let rest = self.rest(at);
        at + rest.find(|c| !is(c)).unwrap_or(rest.len())
    }

    fn blanks(&self, at: usize) -> usize {
        self.run(at, char::is_whitespace)
    }

    fn digits(&self, at: usize) -> usize {
        self.run(at, |c| c.is_ascii_digit())
    }

    /// A power of ten behind `e` or `×10^`, or the same place if there is none.
    fn power_of_ten(&self, at: usize) -> usize {
        let signed = |from: usize| {
            let first = match self.peek(from) {
                Some(c @ ('+' | '-' | '−')) => from + c.len_utf8(),
                _ => from,
            };
            self.digit(first).then(|| self.digits(first))
        };
        let found = match self.peek(at) {
            Some('e' | 'E') => signed(at + 1),
            _ => {
                let sign = self.blanks(at);
                match self.peek(sign) {
                    Some(c @ ('×' | '·')) => {
                        let ten = self.blanks(sign + c.len_utf8());
                        self.rest(ten)
                            .starts_with("10^")
                            .then(|| signed(ten + 3))
                            .flatten()
                    }
                    _ => None,
                }
            }
        };
        found.unwrap_or(at)
    }

    fn number(&mut self, at: usize, faults: &mut Vec<ExpressionError>) -> (Word, usize) {
        let mut end = self.digits(at);
        if self.peek(end) == Some('.') {
            end = self.digits(end + 1);
        }
        end = self.power_of_ten(end);
        let end = self.unit(at, end).unwrap_or(end);
        if faults.len() >= MOST {
            return (Word::Number(None), end);
        }
        let literal = match units::parse_any(self.slice(at..end)) {
            Ok((value, dimension)) => Some(Literal { value, dimension }),
            Err(e) => {
                faults.push(ExpressionError::split(at..end, &e.to_string()));
                None
            }
        };
        (Word::Number(literal), end)
    }

    /// The end of the unit behind a number that begins and ends here, if there is one.
    fn unit(&mut self, start: usize, number: usize) -> Option<usize> {
        let mut at = self.blanks(number);
        let (mut doubtful, mut hour) = (None, false);
        let inverse = at > number && self.rest(at).starts_with("1/");
        if inverse {
            // `50 1/s`
            at += 1;
        } else {
            match self.factor(at) {
                Some(end) => {
                    doubtful = self.doubt(at);
                    // `2 h`; what goes by `km/h` is a speed.
                    hour = doubtful.as_deref() == Some("h");
                    at = end;
                }
                None => return self.unknown_unit(at),
            }
        }
        let first = at;
        loop {
            match self.further(at) {
                Some((from, end)) => {
                    doubtful = doubtful.or_else(|| self.doubt(from));
                    at = end;
                }
                // What follows by blanks is a unit as well, or nothing that could stand here.
                None => {
                    let next = self.blanks(at);
                    match (next > at).then(|| self.unknown_unit(next)).flatten() {
                        Some(end) => at = end,
                        None => break,
                    }
                }
            }
        }
        if inverse && at == first {
            // `3 1/x` is a missing sign, not a unit.
            return None;
        }
        if self.doubtful.is_none() {
            self.doubtful = doubtful.map(|name| (start..at, name));
        }
        if hour && self.hour.is_none() {
            self.hour = Some(start..at);
        }
        Some(at)
    }

    /// The next factor of a unit behind one that ends here: where it begins and ends.
    fn further(&self, at: usize) -> Option<(usize, usize)> {
        let next = self.blanks(at);
        let spaced = next > at;
        match self.peek(next)? {
            '/' => {
                let from = self.blanks(next + 1);
                let spaced = spaced || from > next + 1;
                let end = self.group(from, spaced).or_else(|| self.factor(from))?;
                let named = spaced && self.name_at(from).is_some_and(|n| self.known(n));
                (!named).then_some((from, end))
            }
            c @ ('·' | '⋅') if !spaced => {
                let from = next + c.len_utf8();
                self.factor(from).map(|end| (from, end))
            }
            _ if spaced => self.factor(next).map(|end| (next, end)),
            _ => None,
        }
    }

    /// Units in parentheses behind a `/`, and nothing else: `(m s)`. Between blanks, names go first.
    fn group(&self, at: usize, spaced: bool) -> Option<usize> {
        if self.peek(at)? != '(' {
            return None;
        }
        let mut at = self.blanks(at + 1);
        loop {
            if spaced && self.name_at(at).is_some_and(|n| self.known(n)) {
                return None;
            }
            at = self.blanks(self.factor(at)?);
            match self.peek(at)? {
                ')' => return Some(self.exponent(at + 1)),
                c @ ('/' | '·' | '⋅') => at = self.blanks(at + c.len_utf8()),
                _ => {}
            }
        }
    }

    /// One known unit with its exponent.
    fn factor(&self, at: usize) -> Option<usize> {
        let end = self.run(at, is_letter);
        if !units::is_unit(self.slice(at..end)) || self.goes_on(end) {
            return None;
        }
        Some(self.exponent(end))
    }

    /// Whether a word of letters is only the beginning of a name, or calls a function.
    fn goes_on(&self, end: usize) -> bool {
        let digits = self.digits(end);
        let next = self.peek(digits);
        match next {
            Some('_') => true,
            Some('.') => self.peek(digits + 1).is_some_and(char::is_alphabetic),
            Some('(') => true,
            Some(c) => digits > end && is_letter(c),
            None => false,
        }
    }

    /// The end of an exponent that may stand here: `2`, `²`, `^2`, `^-1.5`, `^(3/2)`.
    fn exponent(&self, at: usize) -> usize {
        let raised = self.run(at, is_raised);
        if raised > at {
            return raised;
        }
        if self.digit(at) {
            return self.digits(at);
        }
        if self.peek(at) != Some('^') {
            return at;
        }
        let mut from = at + 1;
        match self.peek(from) {
            Some('(') => {
                let end = self.run(from + 1, |c| {
                    c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '/' | '*' | ' ')
                });
                return match self.peek(end) {
                    Some(')') => end + 1,
                    _ => at,
                };
            }
            Some(c @ ('+' | '-' | '−')) => from += c.len_utf8(),
            _ => {}
        }
        let end = self.run(from, |c| c.is_ascii_digit() || c == '.');
        if end > from { end } else { at }
    }

    /// The end of a word that stands where only a unit can, if it is neither a name nor a function: the units will say what they miss.
    fn unknown_unit(&self, at: usize) -> Option<usize> {
        let end = self.run(at, is_letter);
        let name = self.name_at(at)?;
        let other = self.goes_on(end) || self.known(name) || units::is_unit(name);
        (!other).then(|| self.exponent(end))
    }

    /// The name that stands here, dots and all.
    fn name_at(&self, at: usize) -> Option<&str> {
        if !self.peek(at).is_some_and(|c| is_letter(c) || c == '_') {
            return None;
        }
        let first = self.run(at, |c| in_name(c) || is_letter(c));
        Some(self.slice(at..self.dotted(first)))
    }

    /// Goes on over `.name` from the end of a name.
    fn dotted(&self, mut end: usize) -> usize {
        while self.peek(end) == Some('.')
            && self
                .peek(end + 1)
                .is_some_and(|c| c.is_alphabetic() || c == '_')
        {
            end = self.run(end + 1, in_name);
        }
        end
    }

    fn known(&self, name: &str) -> bool {
        super::constant(name).is_some() || self.scope.look_up(name).is_some()
    }

    /// The unit that begins here, if it is a name as well.
    fn doubt(&self, at: usize) -> Option<String> {
        let at = if self.peek(at) == Some('(') {
            self.blanks(at + 1)
        } else {
            at
        };
        self.name_at(at)
            .filter(|name| self.known(name))
            .map(str::to_string)
    }

    /// A name. Names may have a `-` inside: the longest that is known is taken, unless the parts are names too.
    fn name(&self, at: usize) -> Result<(Word, usize), ExpressionError> {
        let short = self.dotted(self.run(at, in_name));
        let mut ends = vec![short];
        let mut end = short;
        while self.peek(end) == Some('-') && self.peek(end + 1).is_some_and(in_name) {
            end = self.dotted(self.run(end + 1, in_name));
            ends.push(end);
            // No name has more parts than that.
            if ends.len() > 16 {
                break;
            }
        }
        let mut taken = short;
        for end in ends.into_iter().skip(1).rev() {
            let name = self.slice(at..end);
            if !self.known(name) {
                continue;
            }
            let number = |part: &str| part.chars().all(|c| c.is_ascii_digit());
            if name.split('-').all(|part| number(part) || self.known(part)) {
                return Err(ExpressionError::new(
                    at..end,
                    format!("`{name}` is a name, and a difference of names as well"),
                    format!(
                        "for the difference write `{}`; for the name, give one of them another",
                        name.replace('-', " - ")
                    ),
                ));
            }
            taken = end;
            break;
        }
        Ok((Word::Name(self.slice(at..taken).to_string()), taken))
    }
}
