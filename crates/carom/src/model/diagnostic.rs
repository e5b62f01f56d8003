//! What is wrong with a text, where, and what would be right?
//!
//! A [`Diagnostic`] is complete in itself: it carries the line it talks about, so that it can be shown without the file at hand.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::model::file::Source;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// It can, but look.
    Warning,
}

impl Severity {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One thing that is wrong, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as it was named; `--set path=value` for a value given on the command line.
    pub file: String,
    /// The line, counted from 1; 0 where there is none.
    pub line: usize,
    /// The column, counted from 1 in characters; 0 where there is none.
    pub column: usize,
    /// The dotted path of the element or key, such as `body.rod.mass`; may be empty.
    pub path: String,
    /// The value as it was given; long ones are cut; may be empty.
    pub value: String,
    /// What is wrong.
    pub message: String,
    /// What is allowed; may be empty.
    pub allowed: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// Names that may have been meant, best first.
    pub nearest: Vec<String>,
    /// The line of the file, control characters blanked and long ones cut.
    pub excerpt: String,
    /// Where in `excerpt` the value stands, in characters: from, and how many.
    pub underline: (usize, usize),
}

impl Diagnostic {
    /// Without a place.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            file: String::new(),
            line: 0,
            column: 0,
            path: String::new(),
            value: String::new(),
            message: message.into(),
            allowed: String::new(),
            hint: String::new(),
            nearest: Vec::new(),
            excerpt: String::new(),
            underline: (0, 0),
        }
    }

    /// About an element of a file that has been read: what assembly or a run finds out later. `element` is a path such as `joint.pin`; where it is not found, its parents are looked for.
    pub fn at(
        spots: &Spots,
        source: &Source,
        element: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let mut found = Self::new(Severity::Error, message);
        found.file.clone_from(&source.name);
        found.path = element.into();
        found.hint = hint.into();
        if let Some(spot) = spots.find(element) {
            Lines::new(&source.text).point(&mut found, spot.start..spot.end);
        }
        found
    }

    /// The same as a warning.
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    pub(crate) fn value(&mut self, value: impl AsRef<str>) -> &mut Self {
        self.value = cut(value.as_ref());
        self
    }

    pub(crate) fn allowed(&mut self, allowed: impl Into<String>) -> &mut Self {
        self.allowed = allowed.into();
        self
    }

    pub(crate) fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = hint.into();
        self
    }

    pub(crate) fn nearest<S: AsRef<str>>(&mut self, names: &[S]) -> &mut Self {
        self.nearest = names
            .iter()
            .take(5)
            .map(|name| cut(name.as_ref()))
            .collect();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.name(), self.message)?;
        let number = if self.line > 0 {
            self.line.to_string()
        } else {
            String::new()
        };
        let margin = " ".repeat(number.len().max(1));
        if !self.file.is_empty() {
            write!(f, "\n{margin}--> {}", self.file)?;
            if self.line > 0 {
                write!(f, ":{}:{}", self.line, self.column)?;
            }
            if !self.path.is_empty() {
                write!(f, "  ({})", self.path)?;
            }
        } else if !self.path.is_empty() {
            write!(f, "\n{margin}--> ({})", self.path)?;
        }
        if self.line > 0 {
            let (from, width) = self.underline;
            write!(f, "\n{margin} |\n{number} | {}", self.excerpt)?;
            write!(
                f,
                "\n{margin} | {}{}",
                " ".repeat(from),
                "^".repeat(width.max(1))
            )?;
            if !self.value.is_empty() {
                write!(f, " {}", self.value)?;
            }
        } else if !self.value.is_empty() {
            write!(f, "\n{margin} = given: {}", self.value)?;
        }
        if !self.allowed.is_empty() {
            write!(f, "\n{margin} = allowed: {}", self.allowed)?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n{margin} = hint: {}", self.hint)?;
        }
        if !self.nearest.is_empty() {
            write!(
                f,
                "\n{margin} = did you mean `{}`?",
                self.nearest.join("`, `")
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// All of them as one text, a blank line between two; after the first 50 only how many are left.
pub fn listing(diagnostics: &[Diagnostic]) -> String {
    const MOST: usize = 50;
    let mut shown: Vec<String> = diagnostics
        .iter()
        .take(MOST)
        .map(Diagnostic::to_string)
        .collect();
    if diagnostics.len() > MOST {
        shown.push(format!("… and {} more", diagnostics.len() - MOST));
    }
    shown.join("\n\n")
}

/// Where an element stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// The first byte of its name.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
}

/// Where every element of a file stands.
#[derive(Clone, Debug, Default)]
pub struct Spots {
    by_path: BTreeMap<String, Spot>,
}

impl Spots {
    /// The place of an element or key, such as `joint.pin`, or of the nearest table that holds it.
    pub fn find(&self, path: &str) -> Option<Spot> {
        let mut path = path;
        loop {
            if let Some(spot) = self.by_path.get(path) {
                return Some(*spot);
            }
            path = path.rsplit_once('.')?.0;
        }
    }

    pub(crate) fn insert(&mut self, path: String, span: &Range<usize>, lines: &Lines<'_>) {
        let (line, column) = lines.place(span.start);
        let spot = Spot {
            line,
            column,
            start: span.start,
            end: span.end,
        };
        self.by_path.insert(path, spot);
    }
}

/// A text with its lines found once.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect();
        Self { text, starts }
    }

    /// The line and column of a byte, both from 1; a column counts characters.
    pub fn place(&self, at: usize) -> (usize, usize) {
        let at = self.inside(at);
        let line = self.starts.partition_point(|start| *start <= at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..at).unwrap_or("");
        (line, before.chars().count() + 1)
    }

    /// The line of the table's head, `[…]`, that a byte stands under or in; 0 if there is none.
    pub fn header(&self, at: usize) -> usize {
        let (line, _) = self.place(at);
        let is_head = |line: usize| {
            let start = self.starts.get(line - 1).copied().unwrap_or(0);
            let text = self.text.get(start..).unwrap_or("");
            text.trim_start_matches([' ', '\t']).starts_with('[')
        };
        (1..=line).rev().find(|line| is_head(*line)).unwrap_or(0)
    }

    /// The nearest place at or before a byte that is not inside a character.
    fn inside(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..=at)
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(0)
    }

    /// Gives a diagnostic its place, its line and its underline.
    pub fn point(&self, diagnostic: &mut Diagnostic, span: Range<usize>) {
        /// How much of a long line is shown, and how much of that before the value.
        const SHOWN: usize = 120;
        const BEFORE: usize = 40;
        let (from, to) = (
            self.inside(span.start),
            self.inside(span.end.max(span.start)),
        );
        let (line, column) = self.place(from);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        let whole = self.text.get(start..end).unwrap_or("").trim_end();
        let to = to.min(start + whole.len()).max(from);
        let width = self.text.get(from..to).unwrap_or("").chars().count();
        let skipped = if column > SHOWN - BEFORE {
            column - BEFORE
        } else {
            0
        };
        let mut excerpt: String = if skipped > 0 {
            "…".into()
        } else {
            String::new()
        };
        let visible = whole.chars().skip(skipped + usize::from(skipped > 0));
        excerpt.extend(
            visible
                .take(SHOWN)
                .map(|c| if c.is_control() { ' ' } else { c }),
        );
        let length = excerpt.chars().count();
        if whole.chars().count() > skipped + length {
            excerpt.push('…');
        }
        let indent = column - 1 - skipped;
        diagnostic.line = line;
        diagnostic.column = column;
        diagnostic.excerpt = excerpt;
        diagnostic.underline = (indent, width.min(length.saturating_sub(indent)).max(1));
    }
}

/// A text as it stands in a message: long ones are cut, control characters blanked.
pub(crate) fn cut(text: &str) -> String {
    const MOST: usize = 60;
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    let mut shown: String = text.chars().take(MOST).map(blank).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
