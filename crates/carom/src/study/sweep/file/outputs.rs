//! What is taken from every point of a study, and what does it measure?

use crate::card::nearest;
use crate::mechanics::Travel;
use crate::model::Model;
use crate::model::diagnostic::cut;
use crate::model::expression::{Derived, Expression};
use crate::model::file::record::Record;
use crate::model::file::tree::Origin;
use crate::model::units::{self, Dimension};

use super::{Reading, unit_of};
use crate::study::sweep::mechanism::Section;
use crate::study::sweep::output::{Of, OfRun, Output, QUANTITIES, Quantity, Take};

/// More columns than anybody looks at.
const WIDEST: u64 = 10_000;

impl<'a> Reading<'_, 'a> {
    pub(super) fn section(&mut self, record: &Record<'a>) -> Option<Section> {
        let count = record.whole("count")?;
        if count > WIDEST {
            let at = record.place("count");
            self.reader
                .notes
                .error(
                    &at,
                    "section.count",
                    format!("{count} samples are too many"),
                )
                .allowed(format!("≤ {WIDEST}"));
            return None;
        }
        Some(Section {
            period: self.time_text(record, "period")?,
            skip: record.whole("skip").unwrap_or(0),
            count,
        })
    }

    /// A time as a text: a number, or an expression that is read with the model.
    fn time_text(&mut self, record: &Record<'a>, key: &str) -> Option<String> {
        let node = record.node(key)?;
        match (node.text(), node.number()) {
            (Some(text), _) => Some(text.into()),
            (None, Some(x)) => Some(format!("{x:?}")),
            _ => {
                let path = record.path_of(key);
                self.reader.wrong_type(
                    node,
                    &path,
                    "a time: a number, or a text such as \"12 ms\" or \"tau/omega\"",
                );
                None
            }
        }
    }

    pub(super) fn outputs(
        &mut self,
        output: &[(&'a str, Record<'a>)],
        is_model: bool,
        section: Option<&Section>,
    ) -> Vec<Output> {
        let mut all = Vec::new();
        for (name, record) in output {
            let Some(text) = record.text("of") else {
                continue;
            };
            let path = record.path_of("of");
            let take = record.word("take").and_then(Take::of);
            let of = match (is_model, text.trim()) {
                (false, _) => Of::Impact,
                (true, "contacts") => Of::Contacts(None),
                (true, text) => match text.split_once('.') {
                    Some(("contacts", quantity)) => {
                        let found = QUANTITIES.into_iter().find(|known| known.name == quantity);
                        if found.is_none() {
                            let names = || QUANTITIES.iter().map(|known| known.name);
                            let at = record.place("of");
                            self.reader
                                .notes
                                .error(&at, &path, format!("contacts have no `{}`", cut(quantity)))
                                .value(text)
                                .allowed(names().collect::<Vec<_>>().join(", "))
                                .nearest(&nearest(quantity, names()));
                            continue;
                        }
                        Of::Contacts(found)
                    }
                    Some(("run", quantity)) => {
                        let Some(found) = OfRun::ALL.iter().find(|known| known.0 == quantity)
                        else {
                            let names: Vec<&str> = OfRun::ALL.iter().map(|known| known.0).collect();
                            let at = record.place("of");
                            self.reader
                                .notes
                                .error(&at, &path, format!("a run has no `{}`", cut(quantity)))
                                .value(text)
                                .allowed(names.join(", "))
                                .nearest(&nearest(quantity, names.iter().copied()));
                            continue;
                        };
                        Of::Run(found.1)
                    }
                    _ => Of::Channels,
                },
            };
            let (allowed, unless): (&[Take], Option<Take>) = match of {
                Of::Impact | Of::Run(_) => (&[], Some(Take::Last)),
                Of::Contacts(None) => (&[Take::Count], Some(Take::Count)),
                Of::Contacts(Some(_)) => (&Take::OF_CONTACTS, None),
                Of::Channels => (&Take::OF_CHANNELS, None),
            };
            let words = |all: &[Take]| {
                let of = |take: &Take| {
                    Take::WORDS
                        .iter()
                        .find(|word| Take::of(word) == Some(*take))
                        .copied()
                        .unwrap_or("")
                };
                all.iter().map(of).collect::<Vec<_>>().join(", ")
            };
            let path = record.path_of("take");
            let take = match (take, unless) {
                (Some(take), _) if allowed.contains(&take) => take,
                (Some(_), _) => {
                    let at = record.place("take");
                    let note = self.reader.notes.error(
                        &at,
                        &path,
                        format!("this does not go with `{}`", cut(text)),
                    );
                    if allowed.is_empty() {
                        note.hint("there is one number only: leave `take` out");
                    } else {
                        note.allowed(words(allowed));
                    }
                    continue;
                }
                (None, Some(take)) => take,
                (None, None) if record.given("take") => continue,
                (None, None) => {
                    let at = record.at.clone();
                    self.reader
                        .notes
                        .error(
                            &at,
                            &path,
                            "`take` is missing: which number of all those of a run",
                        )
                        .allowed(words(allowed));
                    continue;
                }
            };
            let width = match (take, section) {
                (Take::Samples, Some(section)) => section.count,
                (Take::Samples, None) => {
                    let at = record.place("take");
                    let given = self.root.get("section").is_some();
                    if !given {
                        self.reader
                            .notes
                            .error(
                                &at,
                                &path,
                                "samples need a table [section] that says when they are taken",
                            )
                            .hint("such as period = \"tau/omega\", skip = 20, count = 50");
                    }
                    continue;
                }
                _ => 1,
            };
            for (key, fine) in [
                ("element", matches!(of, Of::Contacts(_))),
                (
                    "from",
                    matches!(of, Of::Contacts(_) | Of::Channels) && take != Take::Samples,
                ),
            ] {
                if record.given(key) && !fine {
                    let (at, path) = (record.place(key), record.path_of(key));
                    self.reader.notes.error(
                        &at,
                        &path,
                        format!("`{key}` does not go with this output"),
                    );
                }
            }
            let from = match record.given("from") {
                true => match self.time_text(record, "from") {
                    Some(text) => Some(text),
                    None => continue,
                },
                false => None,
            };
            let unit = record.text("unit").unwrap_or("").trim();
            let unit = if unit == "1" { "" } else { unit };
            let si = match (unit, record.node("unit")) {
                ("", _) | (_, None) => 1.0,
                (unit, Some(node)) => match units::parse_any(&format!("1 {unit}")) {
                    Ok((si, _)) => si,
                    Err(error) => {
                        self.misread(node, &record.path_of("unit"), &error);
                        continue;
                    }
                },
            };
            all.push(Output {
                name: (*name).into(),
                text: text.trim().into(),
                of,
                take,
                element: record.text("element").map(Into::into),
                from,
                unit: unit.into(),
                si,
                title: record.text("title").unwrap_or("").into(),
                width: usize::try_from(width).unwrap_or(1),
            });
        }
        let width: usize = all.iter().map(|output| output.width).sum();
        if width as u64 > WIDEST {
            let at = self
                .root
                .get("output")
                .map_or(Origin::File(0..0), |entry| entry.key_at.clone());
            self.reader
                .notes
                .error(&at, "output", format!("{width} columns are too many"))
                .allowed(format!("≤ {WIDEST}"));
        }
        all
    }

    /// Gives an output its SI unit, unless another one was asked for: that must be of the same kind.
    pub(super) fn measured_in(
        &mut self,
        output: &mut Output,
        record: Option<&Record<'a>>,
        is: &Measured,
    ) {
        let asked = record.and_then(|record| record.text("unit"));
        if asked.is_none_or(|unit| unit.trim().is_empty()) {
            output.unit.clone_from(&is.unit);
            return;
        }
        let (Ok(given), Some(record)) = (Dimension::of(&output.unit, &[]), record) else {
            return;
        };
        let Some(measures) = is.dimension else {
            if !is.why.is_empty() && !output.unit.is_empty() {
                let words = format!(
                    "what `{}` measures cannot be derived ({}): that it is {given} is taken on trust",
                    cut(&output.text),
                    is.why
                );
                let (at, path) = (record.place("unit"), record.path_of("unit"));
                let note = self.reader.notes.warning(&at, &path, words);
                note.value(&output.unit)
                    .hint("write the units of all numbers in it, or give parameters theirs");
            }
            return;
        };
        let alike = |a: Dimension, b: Dimension| a.without_angle().fits(b.without_angle());
        if given.fits(measures) || is.computed && alike(given, measures) {
            return;
        }
        let (at, path) = (record.place("unit"), record.path_of("unit"));
        let unit = asked.unwrap_or_default();
        let words = format!(
            "`{}` is a unit of {given}, but `{}` is {measures}",
            cut(unit),
            cut(&output.text)
        );
        let hint = match is.unit.as_str() {
            "" => "leave it out; words for axes stand in `title`".to_string(),
            unit => format!("leave it out for {unit}, or name another unit of {measures}"),
        };
        let note = self.reader.notes.error(&at, &path, words);
        note.value(unit).hint(hint);
    }
}

/// What a number of the contacts of a model, or of one of its elements, measures: not known where some turn and others do not.
pub(super) fn of_contacts(model: &Model, element: Option<&str>, quantity: &Quantity) -> Measured {
    let (mut turn, mut along) = (false, false);
    let stops = model.limits.iter();
    let stops = stops.filter(|l| element.is_none_or(|e| e == format!("joint.{}.limits", l.name)));
    for stop in stops {
        match stop.limit.travel() {
            Travel::Turn => turn = true,
            Travel::Along => along = true,
        }
    }
    let mut contacts = model.contacts.iter();
    along |= contacts.any(|c| element.is_none_or(|e| e == c.element()));
    match (turn, along) {
        (true, true) if quantity.unit != quantity.turning => {
            Measured::unknown("some stops turn and others do not; `element` picks one".into())
        }
        (true, false) => Measured::in_unit(quantity.turning),
        _ => Measured::in_unit(quantity.unit),
    }
}

/// What an output measures.
pub(super) struct Measured {
    /// Its SI unit; empty if it is a pure number, or not known.
    unit: String,
    /// None if it is not known.
    dimension: Option<Dimension>,
    /// By arithmetic, in which radians come and go.
    computed: bool,
    /// Why it is not known.
    why: String,
}

impl Measured {
    pub(super) fn in_unit(unit: &str) -> Self {
        let unit = if unit == "1" { "" } else { unit };
        Self {
            unit: unit.into(),
            dimension: Dimension::of(unit, &[]).ok(),
            computed: false,
            why: String::new(),
        }
    }

    pub(super) fn unknown(why: String) -> Self {
        Self {
            unit: String::new(),
            dimension: None,
            computed: true,
            why,
        }
    }

    pub(super) fn by(expression: &Expression) -> Self {
        let dimension = match expression.derived() {
            Derived::Known(dimension) => *dimension,
            Derived::Unknown(why) => return Self::unknown(why.clone()),
            // A number that stands there is of the kind that is asked for.
            Derived::Plain | Derived::Misfit(_) => return Self::unknown(String::new()),
        };
        // An angle that was divided may be turns.
        let turns = expression.dimension().is_none() && dimension.fits(Dimension::ANGLE);
        Self {
            unit: match turns {
                true => String::new(),
                false => unit_of(dimension),
            },
            dimension: Some(dimension),
            computed: true,
            why: String::new(),
        }
    }
}
