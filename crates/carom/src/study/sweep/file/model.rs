//! How does the model of a study become what it runs, and does its first point stand?

use crate::card::nearest;
use crate::model::diagnostic::{Diagnostic, cut};
use crate::model::expression::Expression;
use crate::model::file::record::Record;
use crate::model::file::tree::{self, Node, Origin, Value};
use crate::model::file::{self as model_file, Source, Table};
use crate::model::units::Dimension;
use crate::system::System;

use super::outputs::{Measured, of_contacts};
use super::{Read, Reading, unit_of};
use crate::study::sweep::design::Design;
use crate::study::sweep::laboratory;
use crate::study::sweep::mechanism::{Mechanism, Misread, Refused, Section};
use crate::study::sweep::output::{Of, Output, Take};
use crate::study::sweep::work::typed;
use crate::study::sweep::{Held, Subject};

impl<'a> Reading<'_, 'a> {
    pub(super) fn mechanism(
        &mut self,
        about: &Record<'a>,
        name: &str,
        section: Option<Section>,
        held: &mut Held,
    ) -> Option<Mechanism> {
        let mut set = Vec::new();
        if let Some(node) = about.node("set") {
            let Some(table) = node.table() else {
                self.reader.wrong_type(
                    node,
                    "study.set",
                    "a table such as { \"simulation.end\" = \"1 s\" }",
                );
                return None;
            };
            self.flat(table, "", &mut set);
        }
        let source = match held.model.clone() {
            Some(source) => source,
            None => {
                let path = held.folder().join(name);
                let text = std::fs::read(&path).map_err(|error| error.to_string());
                let text = text.and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".into())
                });
                match text {
                    Ok(text) => Source {
                        name: path.display().to_string(),
                        text,
                        folder: path.parent().map(Into::into).unwrap_or_default(),
                    },
                    Err(why) => {
                        let at = about.place("model");
                        self.reader
                            .notes
                            .error(
                                &at,
                                "study.model",
                                format!("the model cannot be read: {why}"),
                            )
                            .value(name)
                            .hint(format!(
                                "its name is relative to this file: {}",
                                cut(&path.display().to_string())
                            ));
                        return None;
                    }
                }
            }
        };
        held.model = Some(source.clone());
        Some(Mechanism {
            source,
            tables: held.tables.clone(),
            set,
            section,
        })
    }

    /// Paths may be quoted, or be tables in tables.
    fn flat(&mut self, table: &tree::Table, path: &str, set: &mut Vec<(String, String)>) {
        for entry in &table.entries {
            let path = if path.is_empty() {
                entry.key.clone()
            } else {
                format!("{path}.{}", entry.key)
            };
            match &entry.node.value {
                Value::Table(inner) => self.flat(inner, &path, set),
                Value::Date => {
                    self.reader
                        .notes
                        .wrong(&entry.node, "study.set", "no key takes a date");
                }
                _ => set.push((path, toml_text(&entry.node))),
            }
        }
    }

    /// The first point is put together, not run: what is wrong with it is wrong with the study. The tables that its model refers to.
    pub(super) fn first_point(
        &mut self,
        subject: &Subject,
        design: &Design,
        read: &[Read<'a>],
        outputs: &mut [Output],
        records: &[(&'a str, Record<'a>)],
        expressions: &[Expression],
    ) -> Vec<Table> {
        let mut values = vec![0.0; read.len()];
        design.at(0, &mut values);
        let model = match subject {
            Subject::Model(model) => model,
            Subject::Impact(about) => {
                let words = read.iter().map(|r| r.levels.words()).collect();
                let mut row = vec![0.0; outputs.len()];
                let tried = laboratory::Bench::new(about, words, expressions)
                    .and_then(|mut bench| bench.run(&values, &mut row));
                // A point may fail; a parameter that is missing or unknown fails everywhere.
                if let Err(why) = tried
                    && (why.contains("is missing")
                        || why.contains("has no parameter")
                        || why.contains("must be one of"))
                {
                    let at = self
                        .root
                        .get("impact")
                        .map_or(Origin::File(0..0), |entry| entry.key_at.clone());
                    self.reader.notes.error(&at, "impact", why);
                }
                return Vec::new();
            }
        };
        let given = read.iter().zip(&values);
        let set: Vec<(String, String)> = given
            .map(|(r, v)| {
                (
                    r.varied.path.clone(),
                    typed(&r.varied, r.levels.words(), *v),
                )
            })
            .collect();
        let ready = match model.ready(&set, outputs) {
            Ok(ready) => ready,
            Err(Refused::Model(all)) => {
                for mut fault in all {
                    let of = fault
                        .file
                        .starts_with("--set ")
                        .then(|| read.iter().find(|r| fault.path.starts_with(&r.varied.path)))
                        .flatten();
                    match of.and_then(|r| r.node.map(|node| (r, node))) {
                        // Said of what is varied, at its place in the study.
                        Some((one, node)) => {
                            let note = self.reader.notes.error(
                                &node.at,
                                &one.record.path_of("path"),
                                fault.message,
                            );
                            note.value(fault.file.trim_start_matches("--set "));
                            note.allowed(fault.allowed)
                                .hint(fault.hint)
                                .nearest(&fault.nearest);
                        }
                        None => {
                            if fault.file.starts_with("--set ") {
                                fault.file = format!(
                                    "study.set {}",
                                    fault.file.trim_start_matches("--set ")
                                );
                            }
                            self.reader.notes.foreign(&Origin::File(0..0), fault);
                        }
                    }
                }
                return Vec::new();
            }
            Err(Refused::Study(all)) => {
                for Misread {
                    output,
                    key,
                    errors,
                } in all
                {
                    let name = output.and_then(|i| outputs.get(i)).map(|o| o.name.as_str());
                    let table = match name {
                        Some(name) => self
                            .root
                            .get("output")
                            .and_then(|e| e.node.table())
                            .and_then(|t| t.get(name)),
                        None => self.root.get("section"),
                    };
                    let entry = table.and_then(|e| e.node.table()).and_then(|t| t.get(key));
                    if let Some(entry) = entry {
                        let path = name.map_or_else(
                            || format!("section.{key}"),
                            |name| format!("output.{name}.{key}"),
                        );
                        self.blame(&entry.node, &path, &errors);
                    }
                }
                return Vec::new();
            }
        };
        let parsed = &ready.parsed;
        for (i, output) in outputs.iter_mut().enumerate() {
            let found = records.iter().find(|(name, _)| *name == output.name);
            let record = found.map(|r| &r.1);
            let is = match output.of {
                Of::Contacts(Some(quantity)) if output.take != Take::Count => {
                    of_contacts(&parsed.model, output.element.as_deref(), &quantity)
                }
                Of::Channels => {
                    let channels = parsed.model.simulation.channels.iter();
                    let mut channels = channels.filter(|c| c.name(&parsed.model) == output.text);
                    let expression = ready.expressions.get(i).and_then(Option::as_ref);
                    match channels.next() {
                        Some(channel) => Measured::in_unit(channel.unit(&parsed.model)),
                        None => expression.map_or_else(|| Measured::in_unit(""), Measured::by),
                    }
                }
                _ => Measured::in_unit(""),
            };
            self.measured_in(output, record, &is);
            if let Some(element) = &output.element {
                let contacts = parsed.model.contacts.iter().map(|entry| entry.element());
                let stops = parsed
                    .model
                    .limits
                    .iter()
                    .map(|entry| format!("joint.{}.limits", entry.name));
                let all: Vec<String> = contacts.chain(stops).collect();
                if let Some(record) = record.filter(|_| !all.contains(element)) {
                    let (at, path) = (record.place("element"), record.path_of("element"));
                    self.reader
                        .notes
                        .error(
                            &at,
                            &path,
                            format!(
                                "no element `{}` of the model touches anything",
                                cut(element)
                            ),
                        )
                        .value(element)
                        .allowed(all.iter().take(20).cloned().collect::<Vec<_>>().join(", "))
                        .nearest(&nearest(element, all.iter().map(String::as_str)));
                }
            }
        }
        if let Err(misfits) = System::assemble(&parsed.model) {
            for misfit in misfits {
                let element = misfit.element.as_deref().unwrap_or("");
                let fault = Diagnostic::at(
                    &parsed.spots,
                    &model.source,
                    element,
                    misfit.message,
                    misfit.hint,
                );
                self.reader.notes.foreign(&Origin::File(0..0), fault);
            }
        }
        parsed.tables.clone()
    }
}

/// Numbers of a model that are varied without a unit are SI: what they measure is known from the description of model files, of parameters from the model as it stands.
pub(super) fn plain_numbers(mechanism: &Mechanism, read: &mut [Read<'_>]) {
    let plain = |one: &&mut Read<'_>| one.dimension.is_none() && one.levels.words().is_none();
    let mut parsed = None;
    for one in read.iter_mut().filter(plain) {
        let path: Vec<&str> = one.varied.path.split('.').collect();
        let dimension = match path.as_slice() {
            ["parameters", name] => {
                let parsed = parsed.get_or_insert_with(|| {
                    model_file::read_with(&mechanism.source, &mechanism.set, &mechanism.tables)
                });
                let parameters = parsed.iter().flat_map(|parsed| &parsed.parameters);
                let mut own = parameters.filter(|p| p.name == *name && !p.unit.is_empty());
                own.next().and_then(|p| Dimension::of(&p.unit, &[]).ok())
            }
            path => model_file::tables::ROOT.measures(path),
        };
        one.varied.unit = dimension.map_or_else(String::new, unit_of);
    }
}

/// A value as it is typed.
fn toml_text(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        Value::Number(x) => format!("{x:?}"),
        Value::Whole(n) => n.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::List(list) => {
            let quoted = |node: &Node| match &node.value {
                Value::Text(text) => {
                    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
                }
                _ => toml_text(node),
            };
            format!(
                "[{}]",
                list.iter().map(quoted).collect::<Vec<_>>().join(", ")
            )
        }
        Value::Date | Value::Table(_) => String::new(),
    }
}
