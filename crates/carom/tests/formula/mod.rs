//! What does the formula on a card say, in numbers?
//!
//! Equations `left = right` are separated by `;`. There are numbers, names (letters of any script, digits, primes, combining marks: δ, v0, σ1, ξ̄), the operators `+ - * / ^`,
//! brackets, comparisons, `and`, `or` and a few functions. Two things side by side are multiplied: `K δ^n`, `3(1 - cr)`, `(a)(b)`; that multiplication is as strong as `*` and `/`,
//! from left to right, so that `h v/v0` is (h v)/v0 and `a/2 b` is (a/2) b. `^` is taken from right to left and binds tighter than a minus before it.
//!
//! An equation `name = …` whose name is not known yet defines it, in any order; every other equation is checked.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is wrong, and where: the formula with a mark below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    text: String,
    at: usize,
    what: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at letter {}:\n  {}\n  {}^",
            self.what,
            self.at + 1,
            self.text,
            " ".repeat(self.at)
        )
    }
}

/// Names with their values.
pub type Names = BTreeMap<String, f64>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Sign(char),
    End,
}

#[derive(Clone, Debug)]
enum Node {
    Number(f64),
    Name(String, usize),
    Negative(Box<Node>),
    Two(char, Box<Node>, Box<Node>),
    Call(&'static str, Vec<Node>, usize),
}

/// Name and number of arguments; 0: two or more.
const FUNCTIONS: &[(&str, usize)] = &[
    ("ln", 1),
    ("exp", 1),
    ("sqrt", 1),
    ("abs", 1),
    ("sgn", 1),
    ("sin", 1),
    ("cos", 1),
    ("tanh", 1),
    ("atan", 1),
    ("arctan", 1),
    ("arccos", 1),
    ("arccosh", 1),
    ("max", 0),
    ("min", 0),
    ("if", 3),
    ("B", 2),
    // Lambert's function: the branch through zero, and the one below.
    ("W", 1),
    ("W0", 1),
    ("Wm1", 1),
];

fn in_name(c: char) -> bool {
    // Primes, the combining marks of ξ̄ and δ̇, and subscript figures belong to a name.
    c.is_alphanumeric() && !"²³".contains(c)
        || "_'′″".contains(c)
        || ('\u{300}'..='\u{36f}').contains(&c)
        || ('₀'..='₉').contains(&c)
}

struct Reader<'a> {
    text: &'a str,
    letters: Vec<char>,
    at: usize,
    token: Token,
    start: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Result<Self, Wrong> {
        let mut reader = Self {
            text,
            letters: text.chars().collect(),
            at: 0,
            token: Token::End,
            start: 0,
        };
        reader.advance()?;
        Ok(reader)
    }

    fn wrong(&self, at: usize, what: impl Into<String>) -> Wrong {
        Wrong {
            text: self.text.into(),
            at,
            what: what.into(),
        }
    }

    fn letter(&self, ahead: usize) -> char {
        self.letters.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn advance(&mut self) -> Result<(), Wrong> {
        while self.letter(0).is_whitespace() {
            self.at += 1;
        }
        self.start = self.at;
        let c = self.letter(0);
        self.token = if self.at >= self.letters.len() {
            Token::End
        } else if c.is_ascii_digit() || c == '.' && self.letter(1).is_ascii_digit() {
            while self.letter(0).is_ascii_digit() || self.letter(0) == '.' {
                self.at += 1;
            }
            // 1e-3, but 2e is two times e.
            if "eE".contains(self.letter(0)) {
                let sign = usize::from("+-".contains(self.letter(1)));
                if self.letter(1 + sign).is_ascii_digit() {
                    self.at += 1 + sign;
                    while self.letter(0).is_ascii_digit() {
                        self.at += 1;
                    }
                }
            }
            let digits: String = self.letters[self.start..self.at].iter().collect();
            match digits.parse() {
                Ok(number) => Token::Number(number),
                Err(_) => return Err(self.wrong(self.start, format!("`{digits}` is no number"))),
            }
        } else if in_name(c) {
            while in_name(self.letter(0)) {
                self.at += 1;
            }
            Token::Name(self.letters[self.start..self.at].iter().collect())
        } else {
            self.at += 1;
            let equal = self.letter(0) == '=';
            Token::Sign(match c {
                '<' | '>' if equal => {
                    self.at += 1;
                    if c == '<' { '≤' } else { '≥' }
                }
                '−' => '-',
                '·' | '×' => '*',
                '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' | ';' | '=' | '<' | '>' | '≤'
                | '≥' | '²' | '³' | '√' => c,
                _ => return Err(self.wrong(self.start, format!("`{c}` is not understood"))),
            })
        };
        Ok(())
    }

    fn is(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Name(name) if name == word)
    }

    fn expect(&mut self, sign: char) -> Result<(), Wrong> {
        if !self.is(sign) {
            return Err(self.wrong(self.start, format!("`{sign}` expected")));
        }
        self.advance()
    }

    fn condition(&mut self) -> Result<Node, Wrong> {
        let mut left = self.all_of()?;
        while self.is_word("or") {
            self.advance()?;
            left = Node::Two('|', left.into(), self.all_of()?.into());
        }
        Ok(left)
    }

    fn all_of(&mut self) -> Result<Node, Wrong> {
        let mut left = self.comparison()?;
        while self.is_word("and") {
            self.advance()?;
            left = Node::Two('&', left.into(), self.comparison()?.into());
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Node, Wrong> {
        let left = self.sum()?;
        if let Token::Sign(sign @ ('<' | '>' | '≤' | '≥' | '=')) = self.token {
            self.advance()?;
            return Ok(Node::Two(sign, left.into(), self.sum()?.into()));
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Node, Wrong> {
        let mut left = self.product()?;
        while let Token::Sign(sign @ ('+' | '-')) = self.token {
            self.advance()?;
            left = Node::Two(sign, left.into(), self.product()?.into());
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, Wrong> {
        let mut left = self.signed()?;
        loop {
            match &self.token {
                Token::Sign(sign @ ('*' | '/')) => {
                    let sign = *sign;
                    self.advance()?;
                    left = Node::Two(sign, left.into(), self.signed()?.into());
                }
                Token::Number(_) | Token::Sign('(' | '√') => {
                    left = Node::Two('*', left.into(), self.power()?.into());
                }
                Token::Name(name) if name != "and" && name != "or" => {
                    left = Node::Two('*', left.into(), self.power()?.into());
                }
                _ => return Ok(left),
            }
        }
    }

    fn signed(&mut self) -> Result<Node, Wrong> {
        if self.is('-') {
            self.advance()?;
            return Ok(Node::Negative(self.signed()?.into()));
        }
        self.power()
    }

    fn power(&mut self) -> Result<Node, Wrong> {
        let mut base = self.atom()?;
        while let Token::Sign(sign @ ('²' | '³')) = self.token {
            self.advance()?;
            let p = if sign == '²' { 2.0 } else { 3.0 };
            base = Node::Two('^', base.into(), Node::Number(p).into());
        }
        if self.is('^') {
            self.advance()?;
            return Ok(Node::Two('^', base.into(), self.signed()?.into()));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Node, Wrong> {
        let at = self.start;
        match self.token.clone() {
            Token::Number(x) => {
                self.advance()?;
                Ok(Node::Number(x))
            }
            Token::Sign('√') => {
                self.advance()?;
                Ok(Node::Call("sqrt", vec![self.atom()?], at))
            }
            Token::Sign('(') => {
                self.advance()?;
                let inside = self.condition()?;
                self.expect(')')?;
                Ok(inside)
            }
            Token::Name(name) => {
                self.advance()?;
                let function = FUNCTIONS.iter().find(|f| f.0 == name);
                let Some(&(function, count)) = function.filter(|_| self.is('(')) else {
                    return Ok(Node::Name(name, at));
                };
                self.advance()?;
                let mut arguments = vec![self.condition()?];
                while self.is(',') {
                    self.advance()?;
                    arguments.push(self.condition()?);
                }
                self.expect(')')?;
                let fits = if count == 0 {
                    arguments.len() >= 2
                } else {
                    arguments.len() == count
                };
                if !fits {
                    let found = arguments.len();
                    return Err(self.wrong(at, format!("`{function}` with {found} arguments")));
                }
                Ok(Node::Call(function, arguments, at))
            }
            Token::End => Err(self.wrong(at, "the formula ends too early")),
            Token::Sign(sign) => Err(self.wrong(at, format!("`{sign}` stands in the wrong place"))),
        }
    }
}

/// A value, and the size of the terms it was made from: rounding of one part in 10^16 in each of them moves it by about that part of the size.
#[derive(Clone, Copy, Debug)]
struct Sized {
    value: f64,
    size: f64,
}

impl Node {
    fn names(&self, found: &mut BTreeSet<String>) {
        match self {
            Node::Number(_) => {}
            Node::Name(name, _) => {
                found.insert(name.clone());
            }
            Node::Negative(inside) => inside.names(found),
            Node::Two(_, left, right) => {
                left.names(found);
                right.names(found);
            }
            Node::Call(_, arguments, _) => arguments.iter().for_each(|a| a.names(found)),
        }
    }

    fn value(&self, names: &Names) -> Result<Sized, (usize, String)> {
        let plain = |value: f64| Sized {
            value,
            size: value.abs(),
        };
        // The size of f(x): the value, and what a change of x by its size does to it.
        let through = |value: f64, change: f64| Sized {
            value,
            size: value.abs().max(change.abs()),
        };
        Ok(match self {
            Node::Number(x) => plain(*x),
            Node::Name(name, at) => match names.get(name) {
                Some(x) => plain(*x),
                None if name == "π" => plain(std::f64::consts::PI),
                None => return Err((*at, format!("`{name}` has no value"))),
            },
            Node::Negative(inside) => {
                let x = inside.value(names)?;
                Sized {
                    value: -x.value,
                    ..x
                }
            }
            Node::Two(sign, left, right) => {
                let a = left.value(names)?;
                if *sign == '&' && a.value == 0.0 || *sign == '|' && a.value != 0.0 {
                    return Ok(plain(f64::from(a.value != 0.0)));
                }
                let b = right.value(names)?;
                let truth = |yes: bool| plain(f64::from(yes));
                match sign {
                    '+' => Sized {
                        value: a.value + b.value,
                        size: a.size + b.size,
                    },
                    '-' => Sized {
                        value: a.value - b.value,
                        size: a.size + b.size,
                    },
                    '*' => Sized {
                        value: a.value * b.value,
                        size: (a.size * b.value).abs().max((a.value * b.size).abs()),
                    },
                    '/' => {
                        let value = a.value / b.value;
                        Sized {
                            value,
                            size: (a.size / b.value)
                                .abs()
                                .max((value * b.size / b.value).abs()),
                        }
                    }
                    '^' => {
                        let value = a.value.powf(b.value);
                        let by_base = value * b.value * a.size / a.value;
                        let by_power = value * a.value.abs().ln() * b.size;
                        through(
                            value,
                            if a.value == 0.0 {
                                0.0
                            } else {
                                by_base.abs().max(by_power.abs())
                            },
                        )
                    }
                    '<' => truth(a.value < b.value),
                    '>' => truth(a.value > b.value),
                    '≤' => truth(a.value <= b.value),
                    '≥' => truth(a.value >= b.value),
                    '=' => truth(a.value == b.value),
                    '&' | '|' => truth(b.value != 0.0),
                    _ => unreachable!("no such operator"),
                }
            }
            Node::Call("if", arguments, _) => {
                let taken = if arguments[0].value(names)?.value != 0.0 {
                    1
                } else {
                    2
                };
                arguments[taken].value(names)?
            }
            Node::Call(function @ ("max" | "min"), arguments, _) => {
                let mut best = arguments[0].value(names)?;
                for other in &arguments[1..] {
                    let other = other.value(names)?;
                    if (other.value > best.value) == (*function == "max") {
                        best = other;
                    }
                }
                best
            }
            Node::Call("B", arguments, _) => {
                let (a, b) = (arguments[0].value(names)?, arguments[1].value(names)?);
                plain(beta(a.value, b.value))
            }
            Node::Call(function, arguments, at) => {
                let x = arguments[0].value(names)?;
                let (v, s) = (x.value, x.size);
                match *function {
                    "ln" => through(v.ln(), s / v),
                    "exp" => through(v.exp(), v.exp() * s),
                    "sqrt" => through(v.sqrt(), if v == 0.0 { 0.0 } else { 0.5 * s / v.sqrt() }),
                    "abs" => Sized {
                        value: v.abs(),
                        size: s,
                    },
                    "sgn" => plain(if v == 0.0 { 0.0 } else { v.signum() }),
                    "sin" => through(v.sin(), s),
                    "cos" => through(v.cos(), s),
                    "tanh" => through(v.tanh(), s),
                    "atan" | "arctan" => through(v.atan(), s),
                    "arccos" => through(v.acos(), s / (1.0 - v * v).sqrt()),
                    "arccosh" => through(v.acosh(), s / (v * v - 1.0).sqrt()),
                    "W" | "W0" => through(lambert(v, false), 0.0),
                    "Wm1" => through(lambert(v, true), 0.0),
                    other => return Err((*at, format!("`{other}` is not known"))),
                }
            }
        })
    }
}

/// ∫ x^(a−1) (1−x)^(b−1) over 0…1 by the tanh-sinh rule: independent of the library's own.
fn beta(a: f64, b: f64) -> f64 {
    let step = 1.0 / 64.0;
    let mut sum = 0.0;
    for k in -640_i32..=640 {
        let t = f64::from(k) * step;
        let u = std::f64::consts::FRAC_PI_2 * t.sinh();
        // x = 1/(1+e^−2u), 1−x = 1/(1+e^2u): neither loses its digits.
        let (x, y) = (
            1.0 / (1.0 + (-2.0 * u).exp()),
            1.0 / (1.0 + (2.0 * u).exp()),
        );
        // dx = 2 x (1−x) du
        let weight = std::f64::consts::PI * t.cosh();
        if x > 0.0 && y > 0.0 {
            sum += (a * x.ln() + b * y.ln()).exp() * weight;
        }
    }
    sum * step
}

/// The w with w e^w = x; below −1 if `lower`.
fn lambert(x: f64, lower: bool) -> f64 {
    let f = |w: f64| w * w.exp() - x;
    let (mut low, mut high) = if lower { (-1.0, -745.0) } else { (-1.0, 1.0) };
    if !lower {
        while f(high) < 0.0 {
            high *= 2.0;
        }
    }
    // f falls from the upper branch's start; both are brackets with f(low) ≤ 0 ≤ f(high).
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// One equation.
#[derive(Clone, Debug)]
struct Equation {
    left: Node,
    right: Node,
    at: usize,
}

/// A formula that was read.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    equations: Vec<Equation>,
}

/// A single expression, such as the text of a unit.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    node: Node,
}

impl Expression {
    /// Reads it.
    pub fn read(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text)?;
        let node = reader.sum()?;
        if reader.token != Token::End {
            return Err(reader.wrong(reader.start, "an operator or the end expected"));
        }
        Ok(Self {
            text: text.into(),
            node,
        })
    }

    /// Its value.
    pub fn value(&self, names: &Names) -> Result<f64, Wrong> {
        let found = self.node.value(names);
        found.map(|x| x.value).map_err(|(at, what)| Wrong {
            text: self.text.clone(),
            at,
            what,
        })
    }

    /// The names in it.
    pub fn names(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.node.names(&mut found);
        found
    }
}

impl Formula {
    /// Reads equations.
    pub fn read(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text)?;
        let mut equations = Vec::new();
        loop {
            let at = reader.start;
            let left = reader.sum()?;
            reader.expect('=')?;
            let right = reader.sum()?;
            equations.push(Equation { left, right, at });
            if reader.token == Token::End {
                break;
            }
            reader.expect(';')?;
        }
        Ok(Self {
            text: text.into(),
            equations,
        })
    }

    /// All names in it.
    pub fn names(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for equation in &self.equations {
            equation.left.names(&mut found);
            equation.right.names(&mut found);
        }
        found
    }

    fn wrong(&self, at: usize, what: String) -> Wrong {
        Wrong {
            text: self.text.clone(),
            at,
            what,
        }
    }

    /// Defines what is not known and checks the rest to this part of the size of the terms. `absent` are parameters that were not given: an equation that needs one, or what only such an
    /// equation defines, is left out. Returns the names with all that was defined, and the names in the equations that were checked.
    pub fn check(
        &self,
        known: &Names,
        absent: &[&str],
        tolerance: f64,
    ) -> Result<(Names, BTreeSet<String>), Wrong> {
        let mut names = known.clone();
        let mut open: Vec<&Equation> = self.equations.iter().collect();
        let unknown = |equation: &Equation, names: &Names| -> Vec<String> {
            let mut all = BTreeSet::new();
            equation.left.names(&mut all);
            equation.right.names(&mut all);
            all.retain(|name| !names.contains_key(name) && name != "π");
            all.into_iter().collect()
        };
        let mut checked = BTreeSet::new();
        loop {
            let before = open.len();
            let mut later = Vec::new();
            for equation in open {
                let missing = unknown(equation, &names);
                let defines = match &equation.left {
                    Node::Name(name, _) => {
                        missing == [name.clone()] && {
                            let mut right = BTreeSet::new();
                            equation.right.names(&mut right);
                            !right.contains(name)
                        }
                    }
                    _ => false,
                };
                let value = |node: &Node| {
                    node.value(&names)
                        .map_err(|(at, what)| self.wrong(at, what))
                };
                if missing.is_empty() {
                    let (left, right) = (value(&equation.left)?, value(&equation.right)?);
                    let size = left.size.max(right.size);
                    let apart = (left.value - right.value).abs();
                    if !(apart <= tolerance * size) {
                        return Err(self.wrong(
                            equation.at,
                            format!(
                                "left {:e}, right {:e}: {:.1e} of the size of the terms apart, with {names:?},",
                                left.value,
                                right.value,
                                apart / size
                            ),
                        ));
                    }
                    equation.left.names(&mut checked);
                    equation.right.names(&mut checked);
                } else if defines {
                    let right = value(&equation.right)?;
                    names.insert(missing[0].clone(), right.value);
                } else {
                    later.push(equation);
                }
            }
            open = later;
            if open.len() == before {
                break;
            }
        }
        // What cannot be known because a parameter was not given.
        let mut without: BTreeSet<String> = absent.iter().map(|name| (*name).into()).collect();
        loop {
            let before = open.len();
            open.retain(|equation| {
                let missing = unknown(equation, &names);
                let excused = missing.iter().any(|name| without.contains(name));
                if excused && let Node::Name(name, _) = &equation.left {
                    without.insert(name.clone());
                }
                !excused
            });
            if open.len() == before {
                break;
            }
        }
        match open.first() {
            None => Ok((names, checked)),
            Some(equation) => Err(self.wrong(
                equation.at,
                format!("no value for {}", unknown(equation, &names).join(", ")),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(&str, f64)]) -> Names {
        pairs.iter().map(|(n, x)| ((*n).into(), *x)).collect()
    }

    fn value(text: &str) -> f64 {
        let known = names(&[
            ("a", 2.0),
            ("b", 3.0),
            ("δ", 4.0),
            ("ξ̄", 5.0),
            ("v0", 7.0),
            ("D′", 11.0),
        ]);
        match Expression::read(text).and_then(|e| e.value(&known)) {
            Ok(x) => x,
            Err(wrong) => panic!("{wrong}"),
        }
    }

    #[test]
    fn expressions_have_the_values_of_school_algebra() {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("3(1 - a)", -3.0),
            ("(a)(b)", 6.0),
            ("a b/v0", 6.0 / 7.0),
            ("a/2 b", 3.0),
            ("a/(2 b)", 1.0 / 3.0),
            ("-a^2", -4.0),
            ("2^3^2", 512.0),
            ("a^-1", 0.5),
            ("δ^(1/2) ξ̄", 10.0),
            ("2 D′", 22.0),
            ("√(a + 2) b", 6.0),
            ("δ²", 16.0),
            ("1e-3 a", 2e-3),
            ("-2 -a", -4.0),
            ("if(a < b and b <= 3, 1, 2)", 1.0),
            ("if(a > b or b = 4, 1, 2)", 2.0),
            ("if(a >= b, ln(0 - 1), 5)", 5.0),
            ("max(a, b, 1) - min(a, b)", 1.0),
            ("sgn(-a) abs(-b)^2", -9.0),
            ("ln(exp(a)) + sqrt(4)", 4.0),
            ("arccos(1/2)", std::f64::consts::FRAC_PI_3),
            ("arccosh(1)", 0.0),
            ("π", std::f64::consts::PI),
        ] {
            assert!(
                (value(text) - expected).abs() < 1e-12,
                "{text}: {}",
                value(text)
            );
        }
    }

    #[test]
    fn special_functions_have_known_values() {
        // B(1/2, 1/2) = π, B(2, 3) = 1/12, ½B(5/4, 3/2) = 0.249719767075440; W(e) = 1, W₋₁(−2 e^−2) = −2.
        assert!((value("B(1/2, 1/2)") - std::f64::consts::PI).abs() < 1e-12);
        assert!((value("B(2, 3)") - 1.0 / 12.0).abs() < 1e-14);
        assert!((value("B(5/4, 3/2)/2") - 0.249719767075440).abs() < 1e-14);
        assert!((value("W(exp(1))") - 1.0).abs() < 1e-14);
        assert!((value("Wm1(-2 exp(-2))") + 2.0).abs() < 1e-12);
    }

    #[test]
    fn equations_define_in_any_order_and_check_the_rest() {
        let formula = Formula::read("F = K x^2; K = a b; a = 2").unwrap();
        let known = names(&[("x", 3.0), ("b", 5.0), ("F", 90.0)]);
        let (found, checked) = formula.check(&known, &[], 1e-12).unwrap();
        assert!(found["K"] == 10.0 && checked.contains("F") && !checked.contains("a"));
        let known = names(&[("x", 3.0), ("b", 5.0), ("F", 90.0001)]);
        assert!(formula.check(&known, &[], 1e-9).is_err());
        // Rounding is judged by the terms, not by what is left of them.
        let formula = Formula::read("y = 1e9 + x - 1e9").unwrap();
        let known = names(&[("x", 1e-3), ("y", 1.0000000001e-3)]);
        assert!(formula.check(&known, &[], 1e-9).is_ok());
        assert!(
            formula
                .check(&names(&[("x", 1e-3), ("y", 5.0)]), &[], 1e-9)
                .is_err()
        );
        // Never equal to what is not a number.
        let formula = Formula::read("y = ln(x)").unwrap();
        let known = names(&[("x", -1.0), ("y", 1.0)]);
        assert!(formula.check(&known, &[], 1e-9).is_err());
    }

    #[test]
    fn equations_of_what_was_not_given_are_left_out_and_others_are_not() {
        let formula = Formula::read("F = α x; α = 2 L; L = ln(cr)").unwrap();
        let known = names(&[("x", 3.0), ("α", 5.0), ("F", 15.0)]);
        let checked = formula.check(&known, &["cr"], 1e-12).unwrap().1;
        assert!(checked.contains("F") && !checked.contains("cr"));
        let wrong = formula.check(&known, &[], 1e-12).unwrap_err();
        assert!(wrong.to_string().contains("no value for"), "{wrong}");
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_stands() {
        for (text, at, what) in [
            ("F = K (δ", 9, "`)` expected"),
            ("F = K δ^", 9, "ends too early"),
            ("F = K ? δ", 7, "`?` is not understood"),
            ("F", 2, "`=` expected"),
            ("F = max(1)", 5, "`max` with 1 arguments"),
            ("F = 1.2.3", 5, "`1.2.3` is no number"),
        ] {
            let said = Formula::read(text).unwrap_err().to_string();
            assert!(
                said.contains(what) && said.contains(&format!("letter {at}:")),
                "{text}: {said}"
            );
        }
        let said = Expression::read("2 zz")
            .unwrap()
            .value(&Names::new())
            .unwrap_err();
        assert!(
            said.to_string().contains("`zz` has no value at letter 3"),
            "{said}"
        );
    }
}
