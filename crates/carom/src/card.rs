//! What can be written about any law, of contact or of friction: its source, its parameters, and what is wrong with values given for them?
//!
//! The cards themselves stand in the rooms `contact` and `friction`; this is the paper they are written on.

use std::fmt;

/// Where a law comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Family names, in the order of the paper.
    pub authors: &'static str,
    /// Year of publication; 0 if it never was.
    pub year: u16,
    /// Title of the paper or book.
    pub title: &'static str,
    /// Journal, volume and first page, or publisher.
    pub journal: &'static str,
    /// The equation it was taken from, in the paper that was read (a review, mostly).
    pub equation: &'static str,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            authors,
            year,
            title,
            journal,
            equation,
        } = self;
        // An abbreviated journal ends with its own full stop.
        let journal = journal.trim_end_matches('.');
        write!(f, "{authors}")?;
        if *year != 0 {
            write!(f, " ({year})")?;
        }
        write!(f, ". {title}. {journal}. [{equation}]")
    }
}

/// What a number means to the law, so that the program knows where to take it from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Stiffness of the elastic part.
    Stiffness,
    /// Exponent of the indentation in the elastic part.
    Exponent,
    /// The coefficient of restitution asked for.
    Restitution,
    /// A coefficient of the damper: not needed where the damper is calibrated to a restitution.
    Damping,
    /// Anything else: geometry, material, a shape parameter.
    Other,
}

/// Whether a parameter must be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// Always.
    Required,
    /// This value is taken if none is given.
    Default(f64),
    /// Needed unless all of these are given; not to be given together with any of them.
    Unless(&'static [&'static str]),
    /// Only with some choices; the law says so where it is missing.
    Sometimes,
}

/// The values a parameter may have. Infinite ends are open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Whether the lower end itself is allowed.
    pub low_allowed: bool,
    /// Upper end.
    pub high: f64,
    /// Whether the upper end itself is allowed.
    pub high_allowed: bool,
}

impl Range {
    /// Any finite number.
    pub const ANY: Range = Range::open(f64::NEG_INFINITY, f64::INFINITY);
    /// Above zero.
    pub const POSITIVE: Range = Range::open(0.0, f64::INFINITY);
    /// Zero or above.
    pub const NOT_NEGATIVE: Range = Range {
        low: 0.0,
        low_allowed: true,
        high: f64::INFINITY,
        high_allowed: false,
    };
    /// 0 ≤ x ≤ 1.
    pub const UNIT: Range = Range::closed(0.0, 1.0);
    /// 0 < x ≤ 1.
    pub const UNIT_ABOVE_ZERO: Range = Range {
        low: 0.0,
        low_allowed: false,
        high: 1.0,
        high_allowed: true,
    };

    /// Both ends allowed.
    pub const fn closed(low: f64, high: f64) -> Range {
        Range {
            low,
            low_allowed: true,
            high,
            high_allowed: true,
        }
    }

    /// Neither end allowed.
    pub const fn open(low: f64, high: f64) -> Range {
        Range {
            low,
            low_allowed: false,
            high,
            high_allowed: false,
        }
    }

    /// What a value must be that does not lie inside: finite too, where that is what it is not.
    pub fn asked_of(&self, x: f64) -> String {
        let one_end = self.low.is_finite() != self.high.is_finite();
        match one_end && !x.is_finite() {
            true => format!("{self} and finite"),
            false => self.to_string(),
        }
    }

    /// Whether a finite value lies inside.
    pub fn contains(&self, x: f64) -> bool {
        x.is_finite()
            && (x > self.low || self.low_allowed && x == self.low)
            && (x < self.high || self.high_allowed && x == self.high)
    }
}

/// A number as it is typed: with an exponent where the zeros would be too many to count.
pub fn short(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

/// A number that was computed, as it is typed, with six digits: more say nothing to people.
pub fn rounded(x: f64) -> String {
    short(format!("{x:.5e}").parse().unwrap_or(x))
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (short(self.low), short(self.high));
        let sign = |allowed| if allowed { "≤" } else { "<" };
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, false) => write!(f, "any finite number"),
            (true, false) => {
                let sign = if self.low_allowed { "≥" } else { ">" };
                write!(f, "{sign} {low}")
            }
            (false, true) => write!(f, "{} {high}", sign(self.high_allowed)),
            (true, true) => write!(
                f,
                "{low} {} x {} {high}",
                sign(self.low_allowed),
                sign(self.high_allowed),
            ),
        }
    }
}

/// A number that a law takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// As it is typed: lower case, words joined by `_`.
    pub name: &'static str,
    /// As it stands in the formula.
    pub symbol: &'static str,
    /// SI unit; empty for a pure number. `n`, `γ` … in it are other parameters of the law.
    pub unit: &'static str,
    /// What it means to the law.
    pub role: Role,
    /// Whether it must be given.
    pub need: Need,
    /// What it may be.
    pub range: Range,
    /// One line for the person who has to find it.
    pub about: &'static str,
}

/// A word that a law takes: which of several published or possible forms is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As it is typed.
    pub name: &'static str,
    /// The words with what each means; the first is the default.
    pub words: &'static [(&'static str, &'static str)],
}

/// Numbers and words given for a law, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    numbers: Vec<(String, f64)>,
    words: Vec<(String, String)>,
}

impl Values {
    /// Nothing given yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a number in SI units; the last one given for a name holds.
    pub fn number(mut self, name: &str, value: f64) -> Self {
        self.set_number(name, value);
        self
    }

    /// Gives a word; the last one given for a name holds.
    pub fn word(mut self, name: &str, value: &str) -> Self {
        self.set_word(name, value);
        self
    }

    /// As [`Values::number`].
    pub fn set_number(&mut self, name: &str, value: f64) {
        match self.numbers.iter_mut().find(|(n, _)| n == name) {
            Some(slot) => slot.1 = value,
            None => self.numbers.push((name.into(), value)),
        }
    }

    /// As [`Values::word`].
    pub fn set_word(&mut self, name: &str, value: &str) {
        match self.words.iter_mut().find(|(n, _)| n == name) {
            Some(slot) => slot.1 = value.into(),
            None => self.words.push((name.into(), value.into())),
        }
    }

    /// The number given for a name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.numbers.iter().find(|(n, _)| n == name).map(|v| v.1)
    }

    /// The word given for a name.
    pub fn get_word(&self, name: &str) -> Option<&str> {
        self.words
            .iter()
            .find(|(n, _)| n == name)
            .map(|v| v.1.as_str())
    }

    /// All numbers, in the order in which they were first given.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, f64)> + '_ {
        self.numbers
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
    }

    /// All words, in the order in which they were first given.
    pub fn words(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
        self.words
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// What is wrong with the values given for a law. All faults of a law are found at once.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// There is no such law.
    UnknownLaw {
        /// What was typed.
        id: String,
        /// The nearest ids, best first.
        nearest: Vec<&'static str>,
    },
    /// A parameter that must be given was not.
    Missing {
        /// The law.
        law: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its unit.
        unit: &'static str,
        /// What it is.
        about: &'static str,
        /// What may be given in its place.
        instead: &'static [&'static str],
    },
    /// The law has no such parameter.
    UnknownParameter {
        /// The law.
        law: &'static str,
        /// What was given.
        name: String,
        /// All that the law takes.
        takes: Vec<&'static str>,
    },
    /// A value is outside its range, or not a finite number.
    OutOfRange {
        /// The law, or what else the value belongs to.
        law: &'static str,
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// What is allowed.
        allowed: String,
        /// What to do about it; may be empty.
        hint: String,
    },
    /// A word is none of those the law knows.
    UnknownWord {
        /// The law.
        law: &'static str,
        /// The choice.
        name: String,
        /// What was given.
        value: String,
        /// The words there are.
        words: Vec<&'static str>,
    },
    /// Two parameters of which only one may be given.
    Conflict {
        /// The law.
        law: &'static str,
        /// The one.
        name: &'static str,
        /// The other.
        other: &'static str,
    },
    /// The law cannot be calibrated to a restitution.
    NoCalibration {
        /// The law.
        law: &'static str,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |unit: &str| {
            if unit.is_empty() {
                String::new()
            } else {
                format!(" [{unit}]")
            }
        };
        match self {
            Fault::UnknownLaw { id, nearest } => {
                write!(f, "there is no law `{id}`")?;
                match nearest.as_slice() {
                    [] => Ok(()),
                    names => write!(f, "; nearest: {}", names.join(", ")),
                }?;
                write!(f, ". Hint: `carom laws` lists them all")
            }
            Fault::Missing {
                law,
                name,
                unit,
                about,
                instead,
            } => {
                write!(f, "{law}: `{name}`{} is missing: {about}", with(unit))?;
                match instead {
                    [] => Ok(()),
                    names => write!(f, " (or give {})", names.join(" and ")),
                }
            }
            Fault::UnknownParameter { law, name, takes } => write!(
                f,
                "{law} has no parameter `{name}`; it takes {}",
                if takes.is_empty() {
                    "none".into()
                } else {
                    takes.join(", ")
                }
            ),
            Fault::OutOfRange {
                law,
                name,
                value,
                unit,
                allowed,
                hint,
            } => {
                let value = written(*value);
                write!(
                    f,
                    "{law}: {name} = {value}{}, but must be {allowed}",
                    with(unit)
                )?;
                if hint.is_empty() {
                    Ok(())
                } else {
                    write!(f, ". Hint: {hint}")
                }
            }
            Fault::UnknownWord {
                law,
                name,
                value,
                words,
            } => write!(
                f,
                "{law}: {name} = `{value}`, but must be one of {}",
                words.join(", ")
            ),
            Fault::Conflict { law, name, other } => {
                write!(f, "{law}: give `{name}` or `{other}`, not both")
            }
            Fault::NoCalibration { law, reason } => {
                write!(f, "{law} cannot be calibrated: {reason}")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// A number as people write it: with an exponent where there would be many zeros.
pub(crate) fn written(value: f64) -> String {
    if value != 0.0 && value.is_finite() && !(1e-4..1e7).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// Values checked against the parameters and choices of one law: every number finite and in range, none missing, none too many.
#[derive(Clone, Debug)]
pub struct Checked {
    parameters: &'static [Parameter],
    numbers: Vec<f64>,
    choices: &'static [Choice],
    words: Vec<&'static str>,
}

impl PartialEq for Checked {
    /// A number that was not given (NaN inside) is equal to one that was not given.
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        self.parameters == other.parameters
            && self.numbers.len() == other.numbers.len()
            && self.numbers.iter().zip(&other.numbers).all(same)
            && self.choices == other.choices
            && self.words == other.words
    }
}

impl Checked {
    /// Checks values; all faults at once. `free` are roles that need not be given.
    pub fn new(
        law: &'static str,
        parameters: &'static [Parameter],
        choices: &'static [Choice],
        values: &Values,
        free: &[Role],
    ) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let takes = || {
            parameters
                .iter()
                .map(|p| p.name)
                .chain(choices.iter().map(|c| c.name))
                .collect()
        };
        for (name, _) in values.numbers() {
            if !parameters.iter().any(|p| p.name == name) {
                faults.push(Fault::UnknownParameter {
                    law,
                    name: name.into(),
                    takes: takes(),
                });
            }
        }
        for (name, _) in values.words() {
            if !choices.iter().any(|c| c.name == name) {
                faults.push(Fault::UnknownParameter {
                    law,
                    name: name.into(),
                    takes: takes(),
                });
            }
        }
        let mut numbers = Vec::with_capacity(parameters.len());
        for p in parameters {
            let given = values.get(p.name);
            if let Some(value) = given
                && !p.range.contains(value)
            {
                faults.push(Fault::OutOfRange {
                    law,
                    name: p.name.into(),
                    value,
                    unit: p.unit,
                    allowed: if value.is_finite() {
                        p.range.to_string()
                    } else {
                        format!("a finite number, {}", p.range)
                    },
                    hint: p.about.into(),
                });
            }
            let mut missing = |instead| {
                if given.is_none() && !free.contains(&p.role) {
                    faults.push(Fault::Missing {
                        law,
                        name: p.name,
                        unit: p.unit,
                        about: p.about,
                        instead,
                    });
                }
            };
            match p.need {
                Need::Required => missing(&[]),
                Need::Default(_) | Need::Sometimes => {}
                Need::Unless(others) => {
                    if !others.iter().all(|other| values.get(other).is_some()) {
                        missing(others);
                    }
                    // Said once, by the first of the two.
                    if given.is_some()
                        && let Some(other) = others.iter().find(|o| values.get(o).is_some())
                        && parameters.iter().position(|q| q.name == *other)
                            > parameters.iter().position(|q| q.name == p.name)
                    {
                        faults.push(Fault::Conflict {
                            law,
                            name: p.name,
                            other,
                        });
                    }
                }
            }
            let default = match p.need {
                Need::Default(value) => value,
                _ => f64::NAN,
            };
            numbers.push(given.unwrap_or(default));
        }
        let mut words = Vec::with_capacity(choices.len());
        for choice in choices {
            let given = values.get_word(choice.name);
            let found = match given {
                None => choice.words.first(),
                Some(word) => choice.words.iter().find(|w| w.0 == word),
            };
            match found {
                Some(word) => words.push(word.0),
                None => faults.push(Fault::UnknownWord {
                    law,
                    name: choice.name.into(),
                    value: given.unwrap_or("").into(),
                    words: choice.words.iter().map(|w| w.0).collect(),
                }),
            }
        }
        if faults.is_empty() {
            Ok(Self {
                parameters,
                numbers,
                choices,
                words,
            })
        } else {
            Err(faults)
        }
    }

    /// A number by name; NaN if it was neither given nor has a default, or if the law has no such parameter.
    #[inline]
    pub fn get(&self, name: &str) -> f64 {
        self.parameters
            .iter()
            .position(|p| p.name == name)
            .map_or(f64::NAN, |i| self.numbers[i])
    }

    /// The word of a choice; empty if the law has no such choice.
    #[inline]
    pub fn word(&self, name: &str) -> &'static str {
        self.choices
            .iter()
            .position(|c| c.name == name)
            .map_or("", |i| self.words[i])
    }

    /// All numbers that have a value, with their parameters.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static Parameter, f64)> + '_ {
        self.parameters
            .iter()
            .zip(self.numbers.iter().copied())
            .filter(|(_, value)| !value.is_nan())
    }

    /// All choices with their words.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        self.choices
            .iter()
            .zip(&self.words)
            .map(|(choice, word)| (choice.name, *word))
    }
}

/// The names nearest to one that does not exist, best first: those within a third of their letters, or that begin with or contain what was typed.
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    // Longer than any name could be mistyped: not worth the table.
    if typed.is_empty() || typed.chars().count() > 64 {
        return Vec::new();
    }
    let typed = typed.to_lowercase();
    let mut found: Vec<(usize, &'a str)> = names
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let edits = edits(&typed, &lower);
            let close = edits <= (name.chars().count() / 3).max(1);
            let part = typed.chars().count() >= 3 && lower.contains(&typed);
            (close || part).then_some((if part { 0 } else { edits }, name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|f| f.1).take(5).collect()
}

/// How many letters must be inserted, deleted, replaced, or swapped with a neighbour (Damerau 1964, restricted).
pub fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_say_what_they_allow() {
        assert_eq!(Range::POSITIVE.to_string(), "> 0");
        assert_eq!(Range::UNIT_ABOVE_ZERO.to_string(), "0 < x ≤ 1");
        assert!(!Range::UNIT_ABOVE_ZERO.contains(0.0) && Range::UNIT_ABOVE_ZERO.contains(1.0));
        assert!(!Range::ANY.contains(f64::NAN) && !Range::POSITIVE.contains(f64::INFINITY));
    }

    #[test]
    fn values_of_which_one_was_not_given_are_equal_to_themselves() {
        // Not given is NaN inside, and a law with such a parameter was once unequal to its own copy.
        const OPTIONAL: &[Parameter] = &[Parameter {
            name: "mass",
            symbol: "m",
            unit: "kg",
            role: Role::Other,
            need: Need::Sometimes,
            range: Range::POSITIVE,
            about: "",
        }];
        let checked = |values: &Values| Checked::new("test", OPTIONAL, &[], values, &[]);
        let (none, one) = (Values::new(), Values::new().number("mass", 1.0));
        assert_eq!(checked(&none), checked(&none));
        assert_ne!(checked(&none), checked(&one));
    }

    #[test]
    fn edits_count_letters_and_a_swap_as_one() {
        // Counted by hand.
        assert_eq!(edits("run", "run"), 0);
        assert_eq!(edits("rnu", "run"), 1);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "new"), 3);
    }

    #[test]
    fn a_far_name_has_no_nearest_one() {
        let names = || ["hertz", "flores", "hunt-crossley"].into_iter();
        assert_eq!(nearest("florse", names()), ["flores"]);
        assert_eq!(nearest("crossley", names()), ["hunt-crossley"]);
        assert!(nearest("xyzzy", names()).is_empty());
        assert!(nearest(&"n".repeat(100_000), names()).is_empty());
    }
}
