//! How does the table of one free impact become what a study runs?

use crate::card::{Values, nearest};
use crate::contact;
use crate::model::diagnostic::cut;
use crate::model::expression::Expression;
use crate::model::file::record::Record;
use crate::model::file::tree::Entry;
use crate::model::file::words::join;
use crate::model::units::{self, Dimension};

use super::outputs::Measured;
use super::{Read, Reading, unit_of};
use crate::study::sweep::laboratory::{self, Laboratory, Target};
use crate::study::sweep::mechanism::fitting;
use crate::study::sweep::output::Output;
use crate::study::sweep::tables::{self, IMPACT};

impl<'a> Reading<'_, 'a> {
    /// `whole` says that nothing that is varied is missing in `read` because it could not be read.
    pub(super) fn laboratory(
        &mut self,
        entry: &'a Entry,
        read: &mut [Read<'a>],
        whole: bool,
    ) -> Option<Laboratory> {
        let Some(table) = entry.node.table() else {
            self.reader.wrong_type(&entry.node, "impact", "a table");
            return None;
        };
        let own = |entry: &Entry| tables::names(&IMPACT).any(|name| name == entry.key);
        let record = self
            .reader
            .part(table, &entry.key_at, "impact", &IMPACT, &own);
        let law = record.text("law")?;
        let card = match contact::find(law) {
            Ok(card) => card,
            Err(fault) => {
                let (at, words) = (record.place("law"), fault.to_string());
                let (message, hint) = words.split_once(". Hint: ").unwrap_or((&words, ""));
                self.reader
                    .notes
                    .error(&at, "impact.law", message)
                    .value(law)
                    .hint(hint);
                return None;
            }
        };
        let mut values = Values::new();
        for entry in table.entries.iter().filter(|entry| !own(entry)) {
            let path = join("impact", &entry.key);
            let is_choice = entry.key == "separation"
                || card.choices.iter().any(|choice| choice.name == entry.key);
            match entry.node.text() {
                Some(word) if is_choice => values.set_word(&entry.key, word),
                _ => {
                    if let Some((value, _)) = self.quantity(&entry.node, &path) {
                        values.set_number(&entry.key, value);
                    }
                }
            }
        }
        // The laws that may act, and their numbers that stay as they are.
        let is_varied = |name: &str| read.iter().any(|one| one.key() == name);
        let laws = read.iter().filter(|one| one.key() == "law");
        let laws = laws.filter_map(|one| one.levels.words()).flatten();
        let mut cards: Vec<&contact::Card> =
            laws.filter_map(|law| contact::find(law).ok()).collect();
        if cards.is_empty() {
            cards.push(card);
        }
        let measures = |name: &str| laboratory::measures(&cards, &values, &is_varied, name);
        for entry in table.entries.iter().filter(|entry| !own(entry)) {
            if let Some(text) = entry.node.text()
                && let Some(should) = measures(&entry.key)
                && units::parse_any(text).is_ok()
                && let Err(error) = units::parse(text, should)
            {
                self.misread(&entry.node, &join("impact", &entry.key), &error);
            }
        }
        let measured: Vec<Option<Dimension>> = read.iter().map(|one| measures(one.key())).collect();
        for (one, should) in read.iter_mut().zip(measured) {
            match (one.dimension, should) {
                (Some(is), Some(should)) if !is.fits(should) => {
                    let key = ["values", "from", "mean"]
                        .into_iter()
                        .find(|key| one.record.given(key))
                        .unwrap_or("path");
                    let (at, path) = (one.record.place(key), one.record.path_of(key));
                    let words =
                        format!("this is {is}, but `{}` is {should}", cut(&one.varied.path));
                    let note = self.reader.notes.error(&at, &path, words);
                    note.hint(format!(
                        "give it in {}, or as a plain number, which is taken as SI",
                        should.unit()
                    ));
                }
                // Plain numbers are SI; in expressions they stay plain.
                (None, Some(should)) if one.levels.words().is_none() => {
                    one.meant = Some(should);
                    one.varied.unit = unit_of(should);
                }
                _ => {}
            }
        }
        let mut targets = Vec::new();
        for one in read.iter() {
            let words = one.levels.words();
            let path = one.varied.path.as_str();
            let target = match one.key() {
                "law" => Target::Law,
                "speed" => Target::Speed,
                "mass" => Target::Mass,
                "restitution" => Target::Restitution,
                "calibration" => Target::Calibration,
                "rtol" | "" => {
                    let names = tables::names(&IMPACT).filter(|name| *name != "rtol");
                    let law = card.parameters.iter().map(|parameter| parameter.name);
                    let all: Vec<String> = names
                        .chain(law)
                        .map(|name| format!("impact.{name}"))
                        .collect();
                    if let Some(node) = one.node {
                        self.reader
                            .notes
                            .wrong(
                                node,
                                &one.record.path_of("path"),
                                format!("`{}` is nothing that an impact has", cut(path)),
                            )
                            .allowed(all.join(", "))
                            .nearest(&nearest(
                                &format!("impact.{path}"),
                                all.iter().map(String::as_str),
                            ));
                    }
                    continue;
                }
                key if words.is_some() => Target::Word(key.into()),
                key => Target::Number(key.into()),
            };
            let wants_words = matches!(target, Target::Law | Target::Calibration | Target::Word(_));
            if wants_words != words.is_some() {
                let at = one.record.place("values");
                let words = if wants_words {
                    format!("`{path}` takes words")
                } else {
                    format!("`{path}` takes numbers")
                };
                self.reader
                    .notes
                    .error(&at, &one.record.path_of("values"), words);
                continue;
            }
            if target == Target::Law {
                for word in words.into_iter().flatten() {
                    if let Err(fault) = contact::find(word) {
                        let (at, words) = (one.record.place("values"), fault.to_string());
                        let (message, hint) = words.split_once(". Hint: ").unwrap_or((&words, ""));
                        self.reader
                            .notes
                            .error(&at, &one.record.path_of("values"), message)
                            .value(word)
                            .hint(hint);
                    }
                }
            }
            let name = one.varied.name.as_str();
            if laboratory::unit(name).is_some() && !(name == "mass" && target == Target::Mass) {
                let at = one.record.at.clone();
                self.reader
                    .notes
                    .error(&at, &one.record.path, format!("`{name}` is what the laboratory finds"))
                    .hint("call what is varied by another name, such as `e` for the restitution asked for");
            }
            targets.push(target);
        }
        for (key, target) in [("speed", Target::Speed), ("mass", Target::Mass)] {
            if whole && !record.given(key) && !targets.contains(&target) {
                let path = record.path_of(key);
                self.reader
                    .notes
                    .error(&entry.key_at, &path, format!("`{key}` is missing"))
                    .hint(format!("give impact.{key}, or vary it"));
            }
        }
        Some(Laboratory {
            law: law.into(),
            speed: record.number("speed"),
            mass: record.number("mass"),
            restitution: record.number("restitution"),
            exact: record.word("calibration") == Some("exact"),
            rtol: record.number("rtol").unwrap_or(1e-9),
            values,
            targets,
        })
    }

    pub(super) fn impact_outputs(
        &mut self,
        outputs: &mut [Output],
        records: &[(&'a str, Record<'a>)],
        read: &[Read<'a>],
    ) -> Vec<Expression> {
        let varied: Vec<(String, Option<Dimension>)> = read
            .iter()
            .map(|one| {
                let dimension = one.dimension.unwrap_or(Dimension::NONE);
                (
                    one.varied.name.clone(),
                    one.levels.words().is_none().then_some(dimension),
                )
            })
            .collect();
        let meant: Vec<Option<Dimension>> =
            read.iter().map(|one| one.dimension.or(one.meant)).collect();
        let names = laboratory::Names {
            varied: &varied,
            meant: &meant,
        };
        // Beside units what is varied without one is a pure number, whatever it sets.
        let unsure = |expression: &Expression| {
            let all = read.iter().enumerate();
            let mut plain = all.filter(|(i, one)| {
                one.dimension.is_none() && laboratory::uses_varied(expression, *i)
            });
            let varied = plain.next().map(|(_, one)| one.varied.name.as_str());
            let coefficient = laboratory::uses_coefficient(expression).then_some("coefficient");
            let name = varied
                .or(coefficient)
                .filter(|_| expression.dimension().is_some());
            name.map(|name| format!("`{name}` has no unit"))
        };
        let mut all = Vec::new();
        for output in outputs.iter_mut() {
            let found = records.iter().find(|(name, _)| *name == output.name);
            let record = found.map(|r| &r.1);
            match Expression::parse(&output.text, &names).and_then(fitting) {
                Ok(expression) => {
                    let varied = read.iter().find(|one| one.varied.name == output.text);
                    let is = match (laboratory::unit(&output.text), varied, unsure(&expression)) {
                        (None, Some(one), _) if !one.varied.unit.is_empty() => {
                            Measured::in_unit(&one.varied.unit)
                        }
                        (_, _, Some(why)) => Measured::unknown(why),
                        (Some(unit), ..) if !laboratory::uses_coefficient(&expression) => {
                            Measured::in_unit(unit)
                        }
                        _ => Measured::by(&expression),
                    };
                    self.measured_in(output, record, &is);
                    all.push(expression);
                }
                Err(errors) => {
                    if let Some(node) = record.and_then(|r| r.node("of")) {
                        self.blame(
                            node,
                            &join(&format!("output.{}", output.name), "of"),
                            &errors,
                        );
                    }
                }
            }
        }
        all
    }
}
