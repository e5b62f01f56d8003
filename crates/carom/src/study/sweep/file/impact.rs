//! How does the table of one free impact become what a study runs?

use crate::card::{Fault, Values, nearest};
use crate::contact;
use crate::model::diagnostic::cut;
use crate::model::expression::Expression;
use crate::model::file::record::Record;
use crate::model::file::tree::{Entry, Node, Origin};
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
        let law = record.text("law").unwrap_or("");
        let card = match contact::find(law) {
            Ok(card) => Some(card),
            Err(_) if record.text("law").is_none() => None,
            Err(fault) => {
                self.no_law(&record.place("law"), &record.path_of("law"), law, &fault);
                None
            }
        };
        // The laws that may act, and their numbers that stay as they are.
        let laws = read.iter().filter(|one| one.key() == "law");
        let laws = laws.filter_map(|one| one.levels.words()).flatten();
        let laws: Vec<Option<&contact::Card>> = laws.map(|law| contact::find(law).ok()).collect();
        let law_unread = self.half.iter().any(|half| half.path == "impact.law");
        // None are known unless all are.
        let mut cards: Vec<&contact::Card> = laws
            .iter()
            .copied()
            .collect::<Option<_>>()
            .unwrap_or_default();
        if laws.is_empty() && !law_unread {
            cards.extend(card);
        }
        let own_names = names_of(&cards);
        let mut values = Values::new();
        for entry in table.entries.iter().filter(|entry| !own(entry)) {
            let path = join("impact", &entry.key);
            let name = entry.key.as_str();
            match own_names.iter().find(|known| known.0 == name) {
                Some(_) => {}
                None => {
                    let words = match cards.as_slice() {
                        [one] => format!("`{}` is nothing that `{}` has", cut(name), one.id),
                        _ => format!("`{}` is nothing that an impact has", cut(name)),
                    };
                    let keys = tables::names(&IMPACT);
                    let all: Vec<&str> = keys.chain(own_names.iter().map(|n| n.0)).collect();
                    let note = self.reader.notes.error(&entry.key_at, &path, words);
                    note.value(name)
                        .nearest(&nearest(name, all.iter().copied()));
                    // Of all laws there are more than anybody reads.
                    if !cards.is_empty() {
                        note.allowed(all.join(", "));
                    }
                    continue;
                }
            }
            let is_choice = own_names.contains(&(name, true));
            match entry.node.text() {
                Some(word) if is_choice => values.set_word(&entry.key, word),
                _ => {
                    if let Some((value, _)) = self.quantity(&entry.node, &path) {
                        values.set_number(&entry.key, value);
                    }
                }
            }
        }
        let is_varied = |name: &str| read.iter().any(|one| one.key() == name);
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
                key if !own_names.iter().any(|known| known.0 == key) => {
                    if let Some(node) = one.node {
                        let path = one.record.path_of("path");
                        self.no_target(node, &path, &one.varied.path, &cards);
                    }
                    continue;
                }
                key if own_names.contains(&(key, true)) => Target::Word(key.into()),
                key => Target::Number(key.into()),
            };
            let wants_words = matches!(target, Target::Law | Target::Calibration | Target::Word(_));
            if wants_words != words.is_some() {
                let keys = ["values", "from", "mean"];
                let key = keys.into_iter().find(|key| one.record.given(key));
                let key = key.unwrap_or("path");
                let (at, place) = (one.record.place(key), one.record.path_of(key));
                let words = if wants_words {
                    format!("`{path}` takes words")
                } else {
                    format!("`{path}` takes numbers")
                };
                self.reader.notes.error(&at, &place, words);
                continue;
            }
            if target == Target::Law {
                let list = one.record.node("values").and_then(Node::list);
                for (word, node) in words.into_iter().flatten().zip(list.into_iter().flatten()) {
                    if let Err(fault) = contact::find(word) {
                        let path = one.record.path_of("values");
                        self.no_law(&node.at, &path, word, &fault);
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
        for half in std::mem::take(&mut self.half) {
            let key = half.path.strip_prefix("impact.").unwrap_or("");
            let own = tables::names(&IMPACT).any(|name| name == key && name != "rtol");
            if !own && !own_names.iter().any(|known| known.0 == key) {
                self.no_target(half.node, &half.key, half.path, &cards);
            }
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

    /// Says that there is no such law.
    fn no_law(&mut self, at: &Origin, path: &str, law: &str, fault: &Fault) {
        let words = fault.to_string();
        let (message, hint) = words.split_once(". Hint: ").unwrap_or((&words, ""));
        let note = self.reader.notes.error(at, path, message);
        note.value(law).hint(hint);
    }

    /// Says that a path names nothing that can be varied.
    fn no_target(&mut self, node: &Node, key: &str, path: &str, cards: &[&contact::Card]) {
        let names = tables::names(&IMPACT).filter(|name| *name != "rtol");
        let own = names_of(cards);
        let all = names.chain(own.iter().map(|known| known.0));
        let all: Vec<String> = all.map(|name| format!("impact.{name}")).collect();
        let typed = match path.starts_with("impact.") {
            true => path.to_string(),
            false => format!("impact.{path}"),
        };
        let words = format!("`{}` is nothing that an impact has", cut(path));
        let note = self.reader.notes.wrong(node, key, words);
        note.nearest(&nearest(&typed, all.iter().map(String::as_str)));
        if !cards.is_empty() {
            note.allowed(all.join(", "));
        }
    }

    pub(super) fn impact_outputs(
        &mut self,
        outputs: &mut [Output],
        records: &[(&'a str, Record<'a>)],
        read: &[Read<'a>],
    ) -> Vec<Expression> {
        let mut varied: Vec<(String, Option<Dimension>)> = read
            .iter()
            .map(|one| {
                let dimension = one.dimension.unwrap_or(Dimension::NONE);
                (
                    one.varied.name.clone(),
                    one.levels.words().is_none().then_some(dimension),
                )
            })
            .collect();
        // Of one that could not be read nothing is known but its name.
        let vary = self.root.get("vary").and_then(|entry| entry.node.table());
        let broken = self.broken.iter();
        let broken = broken.filter(|name| vary.is_some_and(|vary| vary.get(name).is_some()));
        let broken: Vec<String> = broken.map(ToString::to_string).collect();
        let unread = broken.iter().cloned();
        varied.extend(unread.map(|name| (name, Some(Dimension::NONE))));
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
                // What it measures is not known of one that could not be read: kinds may fit or not.
                Err(_)
                    if broken
                        .iter()
                        .any(|name| output.text.contains(name.as_str()))
                        && Expression::parse(&output.text, &names).is_ok() => {}
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

/// The numbers and words that these laws have, of all laws if none is known; true of what takes words.
fn names_of(cards: &[&contact::Card]) -> Vec<(&'static str, bool)> {
    let mut all = vec![("separation", true)];
    let mut add = |card: &contact::Card| {
        let numbers = card.parameters.iter().map(|p| (p.name, false));
        let words = card.choices.iter().map(|choice| (choice.name, true));
        for one in numbers.chain(words) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    };
    match cards {
        [] => contact::cards().for_each(&mut add),
        cards => cards.iter().copied().for_each(&mut add),
    }
    all
}
