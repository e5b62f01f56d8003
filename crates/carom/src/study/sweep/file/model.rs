//! How does the model of a study become what it runs, and does its first point stand?

use crate::card::nearest;
use crate::model::Model;
use crate::model::diagnostic::{Diagnostic, cut};
use crate::model::expression::Expression;
use crate::model::file::record::Record;
use crate::model::file::tree::{self, Entry, Node, Origin, Value};
use crate::model::file::{self as model_file, Source, Table};
use crate::model::units::Dimension;
use crate::system::{System, Trouble};

use super::outputs::{Measured, of_contacts};
use super::{Read, Reading, unit_of};
use crate::study::sweep::Held;
use crate::study::sweep::design::Design;
use crate::study::sweep::laboratory::{self, Laboratory};
use crate::study::sweep::mechanism::{Mechanism, Misread, Ready, Section};
use crate::study::sweep::output::{Of, Output, Take};
use crate::study::sweep::work::typed;

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
            match node.table() {
                Some(table) => self.flat(table, "", &mut set),
                None => {
                    let wanted = "a table such as { \"simulation.end\" = \"1 s\" }";
                    self.reader.wrong_type(node, "study.set", wanted);
                }
            }
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

    /// Whether impacts can be computed: what is wrong with all of those that are tried is wrong with the study.
    pub(super) fn first_impact(
        &mut self,
        about: &Laboratory,
        design: &Design,
        read: &[Read<'a>],
        expressions: &[Expression],
    ) {
        let mut values = vec![0.0; read.len()];
        let words = read.iter().map(|r| r.levels.words()).collect();
        let mut row = vec![0.0; expressions.len()];
        let (mut tried, mut first) = (0, None::<String>);
        match laboratory::Bench::new(about, words, expressions) {
            Ok(mut bench) => {
                for point in probes(design.points()) {
                    design.at(point, &mut values);
                    tried += 1;
                    match bench.run(&values, &mut row) {
                        Ok(()) => {
                            self.deaf(&bench.deaf(&values));
                            return;
                        }
                        Err(why) => first = first.or(Some(why)),
                    }
                }
            }
            Err(why) => first = Some(why),
        }
        let at = self.root.get("impact");
        let at = at.map_or(Origin::File(0..0), |entry| entry.key_at.clone());
        if let Some(why) = first {
            let note = self.reader.notes.error(&at, "impact", why);
            note.hint(none_of(tried));
        }
    }

    /// Says which laws do not look at the restitution that is asked for.
    fn deaf(&mut self, laws: &[&str]) {
        if laws.is_empty() {
            return;
        }
        let vary = self.root.get("vary").and_then(|entry| entry.node.table());
        let entries = vary.into_iter().flat_map(|vary| &vary.entries);
        let is_it = |entry: &&Entry| {
            let path = entry.node.table().and_then(|table| table.get("path"));
            path.is_some_and(|path| path.node.text() == Some("impact.restitution"))
        };
        let varied = entries.filter(is_it);
        let mut varied = varied.map(|entry| (entry.key_at.clone(), format!("vary.{}", entry.key)));
        let impact = self.root.get("impact");
        let (at, place) = varied.next().unwrap_or_else(|| {
            let at = impact.map_or(Origin::File(0..0), |entry| entry.key_at.clone());
            (at, "impact.restitution".into())
        });
        let (does, words) = match laws {
            [one] => ("does", (*one).to_string()),
            all => ("do", all.join(", ")),
        };
        self.reader
            .notes
            .warning(&at, &place, format!("{words} {does} not use the restitution"))
            .hint("impact.calibration = \"exact\" solves for the damping that returns it, where the law has one; or a law with a damper, such as flores");
    }

    /// The first point that stands is put together, not run: what is wrong with those before it is told when they are computed, and what is wrong with all of them is wrong with the study. The tables that its
    /// model refers to.
    pub(super) fn first_point(
        &mut self,
        model: &Mechanism,
        design: &Design,
        read: &[Read<'a>],
        outputs: &mut [Output],
        records: &[(&'a str, Record<'a>)],
    ) -> Vec<Table> {
        let mut values = vec![0.0; read.len()];
        let (mut best, mut tried) = (None::<Tried>, 0);
        for point in probes(design.points()) {
            design.at(point, &mut values);
            tried += 1;
            let given = read.iter().zip(&values);
            let value = |(r, v): (&Read<'a>, &f64)| {
                let value = typed(&r.varied, r.levels.words(), *v);
                (r.varied.path.clone(), value)
            };
            let set: Vec<(String, String)> = given.map(value).collect();
            let one = put_together(model, &set, outputs);
            let done = one.stands() || one.misread.iter().any(|misread| misread.everywhere);
            // Of the one that came furthest most can be said.
            if best.as_ref().is_none_or(|b| b.reached() < one.reached()) {
                best = Some(one);
            }
            if done {
                break;
            }
        }
        let Some(mut best) = best else {
            return Vec::new();
        };
        if best.ready.is_none() {
            // What is asked for may be known to the model as it stands.
            let bare = Mechanism {
                set: Vec::new(),
                ..model.clone()
            };
            let asked = model
                .ready(&[], outputs)
                .or_else(|_| bare.ready(&[], outputs));
            if let Ok((ready, misread)) = asked {
                best.ready = Some(ready);
                best.misread = misread;
                best.misread.retain(|one| one.everywhere);
            }
        }
        self.unread_paths(model);
        self.refuse(best.faults, read, tried);
        self.misreads(best.misread, outputs);
        let Some(ready) = best.ready else {
            return Vec::new();
        };
        self.measured(&ready, outputs, records);
        self.remarks(ready.parsed.warnings);
        ready.parsed.tables
    }

    /// What the model warns of, once for all points: such as numbers that its laws do not look at.
    fn remarks(&mut self, all: Vec<Diagnostic>) {
        for mut said in all {
            if let Some(path) = said.file.strip_prefix(SET) {
                said.file = format!("as varied, {path}");
            }
            self.reader.notes.foreign(&Origin::File(0..0), said);
        }
    }

    /// Of parameters whose values could not be read: whether the model has them.
    fn unread_paths(&mut self, model: &Mechanism) {
        /// One of each kind that a key can take: what is said of all of them is not said of a value.
        const ANY: [&str; 4] = ["0", "true", "[]", "?"];
        for half in std::mem::take(&mut self.half) {
            let said = |value: &str| {
                let mut set = model.set.clone();
                set.push((half.path.to_string(), value.to_string()));
                let read = model_file::read_with(&model.source, &set, &model.tables);
                let all = read.err().unwrap_or_default().into_iter();
                let own = format!("--set {}=", half.path);
                all.filter(|fault| fault.file.starts_with(&own))
                    .collect::<Vec<_>>()
            };
            let [first, others @ ..] = ANY.map(said);
            let always = |fault: &Diagnostic| {
                let same = |other: &Diagnostic| other.message == fault.message;
                others.iter().all(|all| all.iter().any(same))
            };
            for fault in first.into_iter().filter(always) {
                let note = self
                    .reader
                    .notes
                    .error(&half.node.at, &half.key, fault.message);
                note.value(half.path)
                    .allowed(fault.allowed)
                    .hint(fault.hint)
                    .nearest(&fault.nearest);
            }
        }
    }

    /// Gives outputs their units, and looks for the elements that they name.
    fn measured(
        &mut self,
        ready: &Ready,
        outputs: &mut [Output],
        records: &[(&'a str, Record<'a>)],
    ) {
        let parsed = &ready.parsed;
        for (i, output) in outputs.iter_mut().enumerate() {
            let found = records.iter().find(|(name, _)| *name == output.name);
            let record = found.map(|r| &r.1);
            let is = match output.of {
                Of::Contacts(Some(quantity)) if output.take != Take::Count => {
                    of_contacts(&parsed.model, output.element.as_deref(), &quantity)
                }
                // What cannot be read has been complained about.
                Of::Channels if ready.expressions.get(i).is_none_or(Option::is_none) => continue,
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
            let Of::Contacts(_) = output.of else {
                continue;
            };
            let contacts = parsed.model.contacts.iter().map(|entry| entry.element());
            let stops = parsed.model.limits.iter();
            let stops = stops.map(|entry| format!("joint.{}.limits", entry.name));
            let all: Vec<String> = contacts.chain(stops).collect();
            if let Some(element) = &output.element {
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
            } else if let Some(record) = record {
                self.uncounted(&parsed.model, &output.text, record, all.is_empty());
            }
        }
    }

    /// Says that touches of grains are not among the contacts that an output is taken of; an error where nothing else touches.
    fn uncounted(&mut self, model: &Model, text: &str, record: &Record<'a>, alone: bool) {
        let mut groups = model.groups.iter();
        let Some(group) = groups.find(|group| group.grains().is_some()) else {
            return;
        };
        let (at, path) = (record.place("of"), record.path_of("of"));
        let words = format!(
            "the touches of the grains of `{}` are not told one by one: they are not among the contacts",
            cut(&group.name)
        );
        let note = match alone {
            true => self.reader.notes.error(&at, &path, words),
            false => self.reader.notes.warning(&at, &path, words),
        };
        note.value(text).hint(format!(
            "the channel `group.{}.contacts` says how many there are at an instant",
            group.name
        ));
    }

    /// Says why none of the points that were tried stands.
    fn refuse(&mut self, faults: Vec<Fault>, read: &[Read<'a>], tried: u64) {
        let none = none_of(tried);
        let with = |hint: String| match (hint.is_empty(), none.is_empty()) {
            (true, _) => none.clone(),
            (false, true) => hint,
            (false, false) => format!("{hint}; {none}"),
        };
        // Where what is varied could not all be read, the model lacks what it would have been given.
        let whole = self.broken.is_empty();
        for Fault { mut said, of } in faults {
            let follows = match of {
                Stage::Model => said.message.contains("missing") && !is_set(&said),
                Stage::Assembly => true,
            };
            if follows && !whole {
                continue;
            }
            said.hint = with(said.hint);
            let mut of = read.iter().filter(|_| is_set(&said));
            let of = of.find(|r| said.path.starts_with(&r.varied.path));
            match of.and_then(|r| r.node.map(|node| (r, node))) {
                // Said of what is varied, at its place in the study.
                Some((one, node)) => {
                    let path = one.record.path_of("path");
                    let note = self.reader.notes.error(&node.at, &path, said.message);
                    note.value(said.file.trim_start_matches(SET));
                    note.allowed(said.allowed)
                        .hint(said.hint)
                        .nearest(&said.nearest);
                }
                None => {
                    if is_set(&said) {
                        said.file = format!("study.set {}", said.file.trim_start_matches(SET));
                    }
                    self.reader.notes.foreign(&Origin::File(0..0), said);
                }
            }
        }
    }

    /// Says what the model does not know of what is asked for.
    fn misreads(&mut self, all: Vec<Misread>, outputs: &[Output]) {
        for one in all {
            let output = one.output.and_then(|i| outputs.get(i));
            let name = output.map(|o| o.name.as_str());
            let table = match name {
                Some(name) => {
                    let all = self.root.get("output").and_then(|e| e.node.table());
                    all.and_then(|t| t.get(name))
                }
                None => self.root.get("section"),
            };
            let table = table.and_then(|e| e.node.table());
            if let Some(entry) = table.and_then(|t| t.get(one.key)) {
                let path = match name {
                    Some(name) => format!("output.{name}.{}", one.key),
                    None => format!("section.{}", one.key),
                };
                self.blame(&entry.node, &path, &one.errors);
            }
        }
    }
}

/// How what is set names itself where it is said of.
const SET: &str = "--set ";

fn is_set(fault: &Diagnostic) -> bool {
    fault.file.starts_with(SET)
}

/// Where something is wrong with the model of a point.
enum Stage {
    /// As it is read.
    Model,
    /// It is read, but its parts do not go together.
    Assembly,
}

/// Why a point cannot be run.
struct Fault {
    said: Diagnostic,
    of: Stage,
}

/// What became of a point.
struct Tried {
    /// None if the model cannot be read.
    ready: Option<Ready>,
    faults: Vec<Fault>,
    misread: Vec<Misread>,
}

impl Tried {
    fn stands(&self) -> bool {
        self.reached() == 3
    }

    /// How far it came.
    fn reached(&self) -> u8 {
        match (&self.ready, self.misread.is_empty(), self.faults.is_empty()) {
            (None, ..) => 0,
            (_, false, _) => 1,
            (_, _, false) => 2,
            _ => 3,
        }
    }
}

/// The model of a point, read and assembled.
fn put_together(model: &Mechanism, set: &[(String, String)], outputs: &[Output]) -> Tried {
    let (ready, misread) = match model.ready(set, outputs) {
        Ok(ready) => ready,
        Err(all) => {
            let fault = |said| Fault {
                said,
                of: Stage::Model,
            };
            return Tried {
                ready: None,
                faults: all.into_iter().map(fault).collect(),
                misread: Vec::new(),
            };
        }
    };
    let parsed = &ready.parsed;
    let fault = |misfit: Trouble| {
        let element = misfit.element.as_deref().unwrap_or("");
        let said = Diagnostic::at(
            &parsed.spots,
            &model.source,
            element,
            misfit.message,
            misfit.hint,
        );
        Fault {
            said,
            of: Stage::Assembly,
        }
    };
    let misfits = System::assemble(&parsed.model).err().unwrap_or_default();
    let faults = misfits.into_iter().map(fault).collect();
    Tried {
        ready: Some(ready),
        faults,
        misread,
    }
}

/// That no point stands, if more than one was tried.
fn none_of(tried: u64) -> String {
    match tried {
        0 | 1 => String::new(),
        tried => format!("none of the {tried} points that were tried can be run"),
    }
}

/// The points that are tried until one stands: the first ones, and if there are more, some that are spread over all others, because the first may have a value in common.
fn probes(points: u64) -> impl Iterator<Item = u64> {
    /// So many of each.
    const MOST: u64 = 100;
    /// Multiples of the golden ratio's fraction lie evenly, and on no grid.
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let others = if points > MOST { MOST } else { 0 };
    let spread = move |i: u64| {
        let part = (i as f64 * GOLDEN).fract();
        ((part * points as f64) as u64).min(points - 1)
    };
    (0..points.clamp(1, MOST)).chain((1..=others).map(spread))
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
