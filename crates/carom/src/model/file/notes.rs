//! Where do complaints about a file gather, and how do they get their place?

use std::ops::Range;

use crate::model::diagnostic::{Diagnostic, Lines, Severity};
use crate::model::file::Source;
use crate::model::file::tree::{Node, Origin};

/// More complaints than anyone reads are counted, not kept.
const MOST: usize = 1000;

/// Everything found so far.
pub(crate) struct Notes<'a> {
    source: &'a Source,
    overrides: &'a [(String, String)],
    pub lines: Lines<'a>,
    /// With where each belongs in the order: overrides last.
    found: Vec<(usize, Diagnostic)>,
    left_out: usize,
    spare: Diagnostic,
}

impl<'a> Notes<'a> {
    pub fn new(source: &'a Source, overrides: &'a [(String, String)]) -> Self {
        Self {
            source,
            overrides,
            lines: Lines::new(&source.text),
            found: Vec::new(),
            left_out: 0,
            spare: Diagnostic::new(Severity::Error, ""),
        }
    }

    /// An error at a place; the answer takes value, rule and hint.
    pub fn error(
        &mut self,
        at: &Origin,
        path: &str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.note(Severity::Error, at, path, message.into())
    }

    /// A warning at a place.
    pub fn warning(
        &mut self,
        at: &Origin,
        path: &str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.note(Severity::Warning, at, path, message.into())
    }

    /// An error about a value, which is shown.
    pub fn wrong(
        &mut self,
        node: &Node,
        path: &str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.error(&node.at, path, message).value(node.shown())
    }

    /// An error inside a text: `inner` are bytes of the text as it was understood, which stand in the file if nothing in it was escaped.
    pub fn inside(
        &mut self,
        node: &Node,
        path: &str,
        inner: Range<usize>,
        message: String,
    ) -> &mut Diagnostic {
        let mut at = node.at.clone();
        if let (Origin::File(span), Some(text)) = (&node.at, node.text()) {
            let whole = self.source.text.get(span.clone()).unwrap_or("");
            let offset = whole.find(text).filter(|_| !text.is_empty());
            if let Some(offset) = offset {
                let from = span.start + offset + inner.start.min(text.len());
                let to = span.start + offset + inner.end.min(text.len());
                if from < to {
                    at = Origin::File(from..to);
                }
            }
        }
        let part = node.text().and_then(|text| text.get(inner)).unwrap_or("");
        let part = if part.is_empty() {
            node.shown()
        } else {
            part.into()
        };
        self.error(&at, path, message).value(part)
    }

    /// An error in another file, complete in itself.
    pub fn foreign(&mut self, at: &Origin, diagnostic: Diagnostic) {
        let rank = self.rank(at);
        if self.found.len() < MOST {
            self.found.push((rank, diagnostic));
        } else {
            self.left_out += 1;
        }
    }

    fn rank(&self, at: &Origin) -> usize {
        match at {
            Origin::File(span) => span.start,
            Origin::Override(index) => self.source.text.len() + 1 + index,
        }
    }

    fn note(
        &mut self,
        severity: Severity,
        at: &Origin,
        path: &str,
        message: String,
    ) -> &mut Diagnostic {
        if self.found.len() >= MOST {
            self.left_out += usize::from(severity == Severity::Error);
            return &mut self.spare;
        }
        let mut diagnostic = Diagnostic::new(severity, message);
        diagnostic.path = path.into();
        match at {
            Origin::File(span) => {
                diagnostic.file.clone_from(&self.source.name);
                self.lines.point(&mut diagnostic, span.clone());
            }
            Origin::Override(index) => {
                let (path, value) = match self.overrides.get(*index) {
                    Some((path, value)) => (path.as_str(), value.as_str()),
                    None => ("", ""),
                };
                let shown = crate::model::diagnostic::cut(&format!("{path}={value}"));
                diagnostic.file = format!("--set {shown}");
            }
        }
        let rank = self.rank(at);
        self.found.push((rank, diagnostic));
        match self.found.last_mut() {
            Some((_, diagnostic)) => diagnostic,
            None => &mut self.spare,
        }
    }

    /// How many there are so far.
    pub fn mark(&self) -> usize {
        self.found.len()
    }

    /// Forgets what was said after the mark and had been said before it: of many that are alike one is spoken of.
    pub fn forget_repeats(&mut self, mark: usize) {
        let mark = mark.min(self.found.len());
        let new = self.found.split_off(mark);
        for note in new {
            if !self.found.contains(&note) {
                self.found.push(note);
            }
        }
    }

    /// Whether more would only be counted: then suggestions need not be looked for.
    pub fn full(&self) -> bool {
        self.found.len() >= MOST
    }

    /// Whether there is any error yet.
    pub fn failed(&self) -> bool {
        self.left_out > 0
            || self
                .found
                .iter()
                .any(|(_, d)| d.severity == Severity::Error)
    }

    /// All of one severity in the order of the file.
    pub fn take(&mut self, severity: Severity) -> Vec<Diagnostic> {
        self.found.sort_by_key(|(rank, _)| *rank);
        let of = self.found.iter().filter(|(_, d)| d.severity == severity);
        let mut all: Vec<Diagnostic> = of.map(|(_, diagnostic)| diagnostic.clone()).collect();
        if severity == Severity::Error && self.left_out > 0 {
            let mut last = Diagnostic::new(
                severity,
                format!("{} more errors are left out", self.left_out),
            );
            last.file.clone_from(&self.source.name);
            all.push(last);
        }
        all
    }
}
