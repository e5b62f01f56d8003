//! How does a table become a law of contact or of friction?
//!
//! Which keys such a table takes beside its own follows from the card of the law it names: the catalogue is the one description of them.

use crate::card;
use crate::card::{Choice, Need, Parameter, Range, Role, Values, nearest};
use crate::contact;
use crate::contact::Calibration;
use crate::friction;
use crate::friction::Family;
use crate::model::diagnostic::cut;
use crate::model::file::reader::Reader;
use crate::model::file::record::{Got, Record};
use crate::model::file::tables::{Laws, Sheet};
use crate::model::file::tree::{Entry, Node, Origin};
use crate::model::file::words::{join, key_meant};
use crate::model::method::ContactMethod;
use crate::model::units::Dimension;

/// The name of a law that the file itself brings.
pub(crate) const OWN: &str = "own";

/// What reading needs to know of a law.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub id: &'static str,
    pub aliases: &'static [&'static str],
    pub parameters: &'static [Parameter],
    pub choices: &'static [Choice],
    /// The words of `separation`, if there is a choice.
    pub separations: [&'static str; 2],
}

/// A law that has been read.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    Contact(contact::Law),
    Friction(friction::Law),
}

impl Laws {
    /// The laws that can be named.
    pub fn all(self) -> Vec<Taken> {
        match self {
            Laws::Friction | Laws::Rolling => friction::cards()
                .filter(|card| self == Laws::Friction || card.family == Family::Rolling)
                .map(|card| Taken {
                    id: card.id,
                    aliases: card.aliases,
                    parameters: card.parameters,
                    choices: card.choices,
                    separations: [""; 2],
                })
                .collect(),
            Laws::Turn | Laws::Along | Laws::Contact => contact::cards()
                .map(|card| Taken {
                    id: card.id,
                    aliases: card.aliases,
                    parameters: card.parameters,
                    choices: card.choices,
                    separations: match card.separations {
                        [first, second, ..] => [first.name(), second.name()],
                        _ => [""; 2],
                    },
                })
                .collect(),
        }
    }

    /// Whether any of these laws takes a number or a word of this name.
    pub fn any_takes(self, name: &str) -> bool {
        name == "separation"
            || self.all().iter().any(|law| {
                law.parameters.iter().any(|p| p.name == name)
                    || law.choices.iter().any(|choice| choice.name == name)
            })
    }

    /// What a parameter measures. `names` are the values of symbols in exponents.
    pub fn dimension(self, unit: &str, names: &[(&str, f64)]) -> Option<Dimension> {
        let dimension = Dimension::of(unit, names).ok()?;
        Some(if self == Laws::Turn {
            turned(dimension)
        } else {
            dimension
        })
    }
}

/// Of a stop that turns: every force is a moment there, and every length an angle.
fn turned(dimension: Dimension) -> Dimension {
    let forces = dimension.mass;
    let lengths = dimension.length - forces;
    Dimension {
        length: 2.0 * forces,
        angle: dimension.angle + lengths,
        ..dimension
    }
}

/// The same of a unit in words: `N/m^n` is `N m/rad^n`.
fn turned_unit(unit: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    // A blank at the end closes the last word.
    for c in unit.chars().chain([' ']) {
        if c.is_alphabetic() {
            word.push(c);
            continue;
        }
        text.push_str(match word.as_str() {
            "N" => "N m",
            "m" => "rad",
            "kg" => "kg m^2",
            other => other,
        });
        word.clear();
        text.push(c);
    }
    text.trim_end().into()
}

/// What is asked of the entries that may stand on a card.
#[derive(Clone, Copy)]
pub(crate) struct OnCard<'c> {
    pub law: &'c Taken,
    pub laws: Laws,
    /// The keys that the table takes beside those of the card.
    pub beside: &'c [&'static str],
    /// Whether the law was chosen beside the file.
    pub changed: bool,
}

/// Whether a value was given beside the file.
pub(crate) fn is_override(entry: &Entry) -> bool {
    matches!(entry.node.at, Origin::Override(_))
}

impl<'a> Reader<'a> {
    /// Reads a table that names a law: its own keys by the sheet, the others by the card.
    pub fn law(
        &mut self,
        node: &'a Node,
        path: &str,
        sheet: &'static Sheet,
        laws: Laws,
    ) -> Option<Got<'a>> {
        let Some(table) = node.table() else {
            self.notes
                .wrong(
                    node,
                    path,
                    format!("`{path}` must be a table, not {}", node.kind()),
                )
                .hint("write it as { law = \"…\", … }");
            return None;
        };
        let all = laws.all();
        let default = sheet
            .keys
            .iter()
            .find(|key| key.name == "law")
            .map(|key| key.need);
        let chosen = match (table.get("law"), default) {
            (Some(entry), _) => self.law_named(entry, path, &all),
            (None, Some(crate::model::file::tables::Need::Default(id))) => {
                all.iter().copied().find(|law| law.id == id)
            }
            _ => None,
        };
        let own = |entry: &Entry| sheet.keys.iter().any(|key| key.name == entry.key);
        let mut record = self.part(table, &node.at, path, sheet, &own);
        let law = chosen?;
        let rest: Vec<&Entry> = table.entries.iter().filter(|entry| !own(entry)).collect();
        let names: Vec<&'static str> = sheet.keys.iter().map(|key| key.name).collect();
        let on_card = OnCard {
            law: &law,
            laws,
            beside: &names,
            changed: table.get("law").is_some_and(is_override),
        };
        let (mut values, sound) = self.on_card(&on_card, &rest, path);
        record.bad |= !sound;
        if laws == Laws::Rolling {
            // Every moment of rolling is proportional to the radius: without one the law is made for 1 m.
            values.set_number("radius", record.number("radius").unwrap_or(1.0));
        }
        if record.bad {
            // What is missing is told beside what is wrong.
            let faults = match laws {
                Laws::Friction | Laws::Rolling => {
                    let card = friction::find(law.id).ok()?;
                    friction::Law::new(card, &values).err()
                }
                Laws::Turn | Laws::Along | Laws::Contact => {
                    let card = contact::find(law.id).ok()?;
                    contact::Law::new(card, &values, None, Calibration::Published).err()
                }
            };
            for fault in faults.unwrap_or_default() {
                if matches!(&fault, card::Fault::Missing { name, .. } if table.get(name).is_none())
                {
                    self.law_fault(&record, &fault, &rest, laws);
                }
            }
            return None;
        }
        let made = match laws {
            Laws::Friction | Laws::Rolling => {
                let card = friction::find(law.id).ok()?;
                friction::Law::new(card, &values).map(Read::Friction)
            }
            Laws::Turn | Laws::Along | Laws::Contact => {
                let exact = record.word("calibration") == Some("exact");
                let calibration = if exact {
                    Calibration::Exact
                } else {
                    Calibration::Published
                };
                let card = contact::find(law.id).ok()?;
                if let Some(entry) = table
                    .get("restitution")
                    .filter(|_| card.restitution().is_none())
                {
                    let path = join(path, "restitution");
                    if !exact && self.method == ContactMethod::Compliant {
                        self.notes
                            .error(&entry.key_at, &path, format!("`restitution` means nothing to `{}`", law.id))
                            .hint("the law has a damping of its own; with calibration = \"exact\" it is found from the restitution");
                        return None;
                    }
                    values.set_number(
                        "restitution",
                        self.number(&entry.node, &path, Dimension::NONE, Range::UNIT)?,
                    );
                }
                self.made(card, &values, None, calibration)
                    .map(Read::Contact)
            }
        };
        match made {
            Ok(law) => Some(Got::Law(record, law)),
            Err(faults) => {
                for fault in faults {
                    self.law_fault(&record, &fault, &rest, laws);
                }
                None
            }
        }
    }

    /// The numbers and the words on the card of a law, of these entries; and whether all could be read.
    pub fn on_card(&mut self, card: &OnCard<'_>, rest: &[&Entry], path: &str) -> (Values, bool) {
        let OnCard { law, laws, .. } = *card;
        let mut sound = true;
        let mut values = Values::new();
        let mut names: Vec<(&'static str, f64)> = Vec::new();
        // Pure numbers first: they may stand in the exponents of units.
        let (pure, others): (Vec<&Parameter>, Vec<&Parameter>) =
            law.parameters.iter().partition(|p| p.unit.is_empty());
        for parameter in pure.into_iter().chain(others) {
            let path = join(path, parameter.name);
            let given = rest.iter().find(|entry| entry.key == parameter.name);
            let dimension = laws.dimension(parameter.unit, &names);
            let value = match (given, dimension) {
                (Some(entry), Some(dimension)) => {
                    // Without compliance the law's own formula is not made of it.
                    let free = parameter.role == Role::Restitution
                        && self.method != ContactMethod::Compliant;
                    let range = if free { Range::UNIT } else { parameter.range };
                    let value = self.number(&entry.node, &path, dimension, range);
                    sound &= value.is_some();
                    value
                }
                (Some(_), None) => {
                    // Its unit hangs on a number that could not be read.
                    sound = false;
                    None
                }
                // A stop is linear unless it says otherwise; cards know spheres.
                (None, _)
                    if parameter.name == "exponent" && matches!(laws, Laws::Turn | Laws::Along) =>
                {
                    parameter.range.contains(1.0).then_some(1.0)
                }
                (None, _) => None,
            };
            let default = match parameter.need {
                Need::Default(value) => Some(value),
                _ => None,
            };
            if let Some(value) = value {
                values.set_number(parameter.name, value);
            }
            if let Some(value) = value.or(default) {
                names.push((parameter.symbol, value));
            }
        }
        for entry in rest {
            sound &= self.law_word(entry, path, card, &mut values);
        }
        (values, sound)
    }

    pub fn law_named(&mut self, entry: &Entry, path: &str, all: &[Taken]) -> Option<Taken> {
        // What is no text is complained about by the sheet.
        let id = entry.node.text()?;
        let found = all
            .iter()
            .find(|law| law.id == id || law.aliases.contains(&id));
        if found.is_none() && all.iter().all(|law| friction::find(law.id).is_ok()) {
            // A law of another kind.
            if let Ok(card) = friction::find(id) {
                let ids: Vec<&str> = all.iter().map(|law| law.id).collect();
                self.notes
                    .wrong(
                        &entry.node,
                        &join(path, "law"),
                        format!("`{}` is no law of rolling", card.id),
                    )
                    .allowed(ids.join(", "));
                return None;
            }
        }
        if found.is_none() {
            let names = all
                .iter()
                .flat_map(|law| law.aliases.iter().copied().chain([law.id]));
            self.notes
                .wrong(
                    &entry.node,
                    &join(path, "law"),
                    format!("there is no law `{}`", cut(id)),
                )
                .hint("`carom laws` lists them all")
                .nearest(&nearest(id, names));
        }
        found.copied()
    }

    /// A key that is no number of the law: one of its choices, or nothing it knows. Whether it could be read.
    fn law_word(
        &mut self,
        entry: &Entry,
        path: &str,
        card: &OnCard<'_>,
        values: &mut Values,
    ) -> bool {
        let OnCard { law, laws, .. } = *card;
        let name = entry.key.as_str();
        // The file was written for another law: what was for that one is passed over.
        let leftover = card.changed && !is_override(entry);
        if law
            .parameters
            .iter()
            .any(|parameter| parameter.name == name)
            || name == "restitution"
        {
            return true;
        }
        let choice = law.choices.iter().find(|choice| choice.name == name);
        let separates = name == "separation" && !law.separations[0].is_empty();
        if choice.is_some() || separates {
            let words: Vec<&str> = match choice {
                Some(choice) => choice.words.iter().map(|(word, _)| *word).collect(),
                None => law.separations.to_vec(),
            };
            let strange = entry.node.text().is_some_and(|word| !words.contains(&word));
            if leftover && strange {
                self.passed_over(entry, path, law.id);
                return true;
            }
            let word = self.word(&entry.node, &join(path, name), &words);
            if let Some(word) = word {
                values.set_word(name, word);
            }
            return word.is_some();
        }
        if leftover && laws.any_takes(name) {
            self.passed_over(entry, path, law.id);
            return true;
        }
        let beside = card.beside;
        let more = law.parameters.iter().map(|p| p.name);
        let names: Vec<&'static str> = beside
            .iter()
            .copied()
            .chain(more.filter(|name| !beside.contains(name)))
            .chain(law.choices.iter().map(|c| c.name))
            .collect();
        let close = match key_meant(name, &names) {
            Some(name) => vec![name],
            None => nearest(name, names.iter().copied()),
        };
        self.notes
            .error(
                &entry.key_at,
                &join(path, name),
                format!(
                    "`{path}`, with law {}, takes no key `{}`",
                    law.id,
                    cut(name)
                ),
            )
            .allowed(names.join(", "))
            .nearest(&close);
        false
    }

    /// A key of the file that means nothing to the law that was put in the place of its own.
    pub fn passed_over(&mut self, entry: &Entry, path: &str, law: &str) {
        self.notes
            .warning(
                &entry.key_at,
                &join(path, &entry.key),
                format!(
                    "`{}` means nothing to the law `{law}`, and is passed over",
                    cut(&entry.key)
                ),
            )
            .hint("the file was written for another law than the one given beside it");
    }

    pub fn law_fault(
        &mut self,
        record: &Record<'_>,
        fault: &card::Fault,
        rest: &[&Entry],
        laws: Laws,
    ) {
        let at = |name: &str| match rest.iter().find(|entry| entry.key == name) {
            Some(entry) => entry.node.at.clone(),
            None => record.place(name),
        };
        match fault {
            card::Fault::Missing {
                name, unit, about, ..
            } => {
                let unit = if unit.is_empty() {
                    String::new()
                } else if laws == Laws::Turn {
                    format!(" [{}]", turned_unit(unit))
                } else {
                    format!(" [{unit}]")
                };
                self.notes
                    .error(
                        &record.at,
                        &record.path_of(name),
                        format!("`{name}`{unit} is missing"),
                    )
                    .hint(*about);
            }
            card::Fault::OutOfRange {
                name,
                value,
                unit,
                allowed,
                hint,
                ..
            } => {
                self.notes
                    .error(
                        &at(name),
                        &record.path_of(name),
                        format!("`{name}` is out of range"),
                    )
                    .value(format!("{value} {unit}").trim_end())
                    .allowed(allowed.clone())
                    .hint(hint.clone());
            }
            other => {
                let text = other.to_string();
                let (message, hint) = text.split_once(". Hint: ").unwrap_or((&text, ""));
                self.notes
                    .error(&record.at, &record.path, message)
                    .hint(hint);
            }
        }
    }
}
