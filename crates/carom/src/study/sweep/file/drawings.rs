//! What is drawn and fitted of a study?

use crate::card::nearest;
use crate::model::diagnostic::cut;
use crate::model::expression::{Expression, is_constant};
use crate::model::file::record::Record;
use crate::model::file::tree::{Entry, Node};
use crate::model::file::words::join;
use crate::model::units::Dimension;

use super::{Read, Reading};
use crate::study::sweep::output::{Output, Take};
use crate::study::sweep::picture::{Fit, Picture, Shape};

impl<'a> Reading<'_, 'a> {
    pub(super) fn pictures(
        &mut self,
        picture: &[(&'a str, Record<'a>)],
        read: &[Read<'a>],
        outputs: &[Output],
    ) -> Vec<Picture> {
        let numbers: Vec<String> = read
            .iter()
            .filter(|r| r.levels.words().is_none())
            .map(|r| r.varied.name.clone())
            .collect();
        let parameters: Vec<String> = read.iter().map(|r| r.varied.name.clone()).collect();
        let named = |samples: bool| -> Vec<String> {
            let of = outputs
                .iter()
                .filter(|o| (o.take == Take::Samples) == samples);
            of.map(|o| o.name.clone()).collect()
        };
        let any: Vec<String> = outputs.iter().map(|o| o.name.clone()).collect();
        let mut all = Vec::new();
        for (name, record) in picture {
            let Some(shape) = record.word("type").and_then(Shape::of) else {
                continue;
            };
            let (x, y) = match shape {
                Shape::HeatMap => (
                    (numbers.clone(), "parameter of numbers"),
                    (numbers.clone(), "parameter of numbers"),
                ),
                Shape::Lines => (
                    (numbers.clone(), "parameter of numbers"),
                    (named(false), "output of one number"),
                ),
                Shape::Bifurcation => (
                    (numbers.clone(), "parameter of numbers"),
                    (any.clone(), "output"),
                ),
                Shape::Poincare => (
                    (named(true), "output with samples"),
                    (named(true), "output with samples"),
                ),
            };
            let mut fine = self.known(record, "x", &x.0, x.1) & self.known(record, "y", &y.0, y.1);
            match (shape == Shape::HeatMap, record.given("value")) {
                (true, true) => {
                    fine &= self.known(record, "value", &named(false), "output of one number")
                }
                (true, false) => {
                    let at = record.at.clone();
                    self.reader
                        .notes
                        .error(
                            &at,
                            &record.path_of("value"),
                            "`value` is missing: the output that gives the colours",
                        )
                        .allowed(named(false).join(", "));
                    fine = false;
                }
                (false, true) => {
                    let (at, path) = (record.place("value"), record.path_of("value"));
                    self.reader
                        .notes
                        .error(&at, &path, "only a heat map has a `value`");
                    fine = false;
                }
                (false, false) => {}
            }
            if record.given("each") {
                fine &= self.known(record, "each", &parameters, "parameter that is varied");
            }
            if !fine {
                continue;
            }
            let text = |key: &str| record.text(key).unwrap_or("").to_string();
            all.push(Picture {
                name: (*name).into(),
                shape,
                x: text("x"),
                y: text("y"),
                value: text("value"),
                each: record.text("each").map(Into::into),
                at: self.only(record, read),
                logarithmic: record.flag("log"),
                title: text("title"),
            });
        }
        all
    }

    /// The values of `at`.
    fn only(&mut self, record: &Record<'a>, read: &[Read<'a>]) -> Vec<(String, f64)> {
        let mut all = Vec::new();
        let Some(node) = record.node("at") else {
            return all;
        };
        let Some(table) = node.table() else {
            self.reader.wrong_type(
                node,
                &record.path_of("at"),
                "a table such as { play = \"0.5 mm\" }",
            );
            return all;
        };
        for Entry { key, key_at, node } in &table.entries {
            let path = join(&record.path_of("at"), key);
            if self.broken.contains(&key.as_str()) {
                continue;
            }
            let Some(one) = read.iter().find(|one| one.varied.name == *key) else {
                let names: Vec<&str> = read.iter().map(|one| one.varied.name.as_str()).collect();
                self.reader
                    .notes
                    .error(
                        key_at,
                        &path,
                        format!("`{}` is no parameter that is varied", cut(key)),
                    )
                    .allowed(names.join(", "))
                    .nearest(&nearest(key, names.iter().copied()));
                continue;
            };
            if let Some(words) = one.levels.words() {
                match words
                    .iter()
                    .position(|word| Some(word.as_str()) == node.text())
                {
                    Some(place) => all.push((key.clone(), place as f64)),
                    None => {
                        self.reader
                            .notes
                            .wrong(node, &path, "this is none of its words")
                            .allowed(words.join(", "));
                    }
                }
                continue;
            }
            let Some((value, is)) = self.quantity(node, &path) else {
                continue;
            };
            // A plain number is SI.
            let should = Dimension::of(&one.varied.unit, &[]);
            let same = match (is, should) {
                (Some(is), Ok(should)) => is.fits(should),
                _ => true,
            };
            if same {
                all.push((key.clone(), value));
            } else {
                self.reader
                    .notes
                    .wrong(node, &path, "this is of another kind than what is varied")
                    .hint(match one.varied.unit.as_str() {
                        "" => "give it without a unit".to_string(),
                        unit => format!("give it in {unit}"),
                    });
            }
        }
        all
    }

    pub(super) fn fits(
        &mut self,
        fit: &[(&'a str, Record<'a>)],
        read: &[Read<'a>],
        outputs: &[Output],
    ) -> Vec<Fit> {
        let numbers: Vec<String> = read
            .iter()
            .filter(|r| r.levels.words().is_none())
            .map(|r| r.varied.name.clone())
            .collect();
        let single: Vec<String> = outputs
            .iter()
            .filter(|o| o.take != Take::Samples)
            .map(|o| o.name.clone())
            .collect();
        let mut all = Vec::new();
        for (name, record) in fit {
            let mut fine = self.known(record, "of", &single, "output of one number");
            fine &= self.known(record, "over", &numbers, "parameter of numbers");
            if record.given("each") {
                fine &= self.known(record, "each", &numbers, "parameter of numbers");
            }
            let text = |key: &str| record.text(key).unwrap_or("").to_string();
            let mut one = Fit {
                name: (*name).into(),
                of: text("of"),
                over: text("over"),
                each: record.text("each").map(Into::into),
                formula: text("formula"),
                start: Vec::new(),
                compare: Vec::new(),
            };
            for key in ["start", "compare"] {
                let Some(node) = record.node(key) else {
                    continue;
                };
                let path = record.path_of(key);
                let Some(table) = node.table().filter(|t| !t.entries.is_empty()) else {
                    self.reader
                        .wrong_type(node, &path, "a table such as { a = 1, b = -0.3 }");
                    fine = false;
                    continue;
                };
                for Entry {
                    key: name,
                    node,
                    key_at,
                } in &table.entries
                {
                    let path = join(&path, name);
                    match (key, node.number(), node.text()) {
                        ("start", Some(x), _) if x.is_finite() => one.start.push((name.clone(), x)),
                        ("compare", _, Some(text)) => one.compare.push((name.clone(), text.into())),
                        ("compare", Some(x), _) => {
                            one.compare.push((name.clone(), format!("{x:?}")))
                        }
                        _ => {
                            self.reader
                                .notes
                                .wrong(node, &path, "this must be a finite number");
                            fine = false;
                        }
                    }
                    let clash = *name == one.over || Some(name) == one.each.as_ref();
                    let unknown = key == "compare" && !one.start.iter().any(|s| s.0 == *name);
                    let words = match name {
                        _ if clash => format!("`{name}` is a parameter already"),
                        _ if unknown => format!("`{name}` is not looked for"),
                        _ if is_constant(name) => {
                            format!("`{name}` has a meaning of its own in expressions")
                        }
                        _ => continue,
                    };
                    self.reader.notes.error(key_at, &path, words);
                    fine = false;
                }
            }
            fine &= self.formulas(record, &one);
            if fine && !one.start.is_empty() {
                all.push(one);
            }
        }
        all
    }

    /// Whether the formulas of a fit can be read.
    fn formulas(&mut self, record: &Record<'a>, fit: &Fit) -> bool {
        let mut fine = true;
        let mut names: Vec<&str> = fit.start.iter().map(|s| s.0.as_str()).collect();
        names.push(&fit.over);
        names.extend(fit.each.as_deref());
        if let Some(node) = record.node("formula")
            && let Some(text) = node.text()
            && let Err(errors) = Expression::parse(text, &Plain(&names))
        {
            self.blame(node, &record.path_of("formula"), &errors);
            fine = false;
        }
        let table = record.node("compare").and_then(Node::table);
        for entry in table.map_or(&[][..], |table| &table.entries) {
            let each: Vec<&str> = fit.each.as_deref().into_iter().collect();
            if let Some(text) = entry.node.text()
                && let Err(errors) = Expression::parse(text, &Plain(&each))
            {
                self.blame(
                    &entry.node,
                    &join(&record.path_of("compare"), &entry.key),
                    &errors,
                );
                fine = false;
            }
        }
        fine
    }
}

/// Numbers without units, by name.
pub(in crate::study::sweep) struct Plain<'a>(pub &'a [&'a str]);

impl crate::model::expression::Scope for Plain<'_> {
    fn look_up(&self, name: &str) -> Option<crate::model::expression::Symbol> {
        let index = self.0.iter().position(|known| *known == name)?;
        Some(crate::model::expression::Symbol::Variable {
            index,
            dimension: Dimension::NONE,
        })
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}
