//! How does the text of a study file become a study, and what is said of one that cannot?
//!
//! The machinery is that of model files: `tables` describes the keys, and every mistake is found in one go, with its line, the rule and a hint.

use crate::card::{Values, nearest, short};
use crate::contact;
use crate::mechanics::Travel;
use crate::model::Model;
use crate::model::diagnostic::{Diagnostic, Severity, cut};
use crate::model::expression::{Derived, Expression, ExpressionError};
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tree::{self, Entry, Node, Origin, Value};
use crate::model::file::words::join;
use crate::model::file::{self as model_file, Source, Table};
use crate::model::units::{self, Dimension, QuantityError};
use crate::system::System;

use super::design::{Design, Kind, Levels};
use super::laboratory::{self, Laboratory, Target};
use super::mechanism::{Mechanism, Misread, Refused, Section, fitting};
use super::output::{Of, OfRun, Output, QUANTITIES, Quantity, Take};
use super::picture::{Fit, Picture, Shape};
use super::tables::{self, DESIGN, FIT, IMPACT, OUTPUT, PICTURE, ROOT, SECTION, STUDY, VARY};
use super::work::typed;
use super::{Held, Study, Subject, Varied, Wrong};

/// More columns than anybody looks at.
const WIDEST: u64 = 10_000;
/// Points in a block of impacts, at least and at most; so many parts of a sweep otherwise.
const IMPACTS: (u64, u64) = (8192, 65_536);
const PARTS: u64 = 1000;
/// More points than anybody can wait for, and more files than a folder should hold.
const MOST_POINTS: u64 = 100_000_000_000;
const MOST_PARTS: u64 = 10_000_000;
/// Columns that every table of results has.
const OWN: [&str; 2] = ["point", "failure"];

/// Reads a study file and, if it names one, its model; either a study, or everything that is wrong. What `held` has already is not looked for on the disk.
pub fn read(mut held: Held) -> Result<Study, Wrong> {
    let (study, overrides) = (held.study.clone(), held.overrides.clone());
    let (root, notes) = model_file::open(&study, &overrides, &ROOT)?;
    let mut reader = Reader::new(notes, held.folder());
    if let (None, None, Some(entry)) =
        (root.get("vary"), root.get("output"), root.get("simulation"))
    {
        // One word for a dozen.
        reader
            .notes
            .error(
                &entry.key_at,
                "simulation",
                "this is a model, not a study of one",
            )
            .hint("`carom run` runs it; a study names it (study.model) and says what is varied");
        return Err(reader.notes.take(Severity::Error));
    }
    let read = Reading {
        reader: &mut reader,
        root: &root,
        broken: Vec::new(),
    }
    .study(&mut held);
    let errors = reader.notes.take(Severity::Error);
    match read {
        Some(mut study) if errors.is_empty() => {
            study.held = held;
            study.warnings = reader.notes.take(Severity::Warning);
            Ok(study)
        }
        _ if !errors.is_empty() => Err(errors),
        // Whatever could not be made has been complained about; if not, this is the last place to say so.
        _ => Err(vec![Diagnostic::new(
            Severity::Error,
            "this study could not be read",
        )]),
    }
}

struct Reading<'r, 'a> {
    reader: &'r mut Reader<'a>,
    root: &'a tree::Table,
    /// Names of parameters and outputs that could not be read: what else is said of them would follow from that.
    broken: Vec<&'a str>,
}

/// What was read of a varied parameter.
struct Read<'a> {
    varied: Varied,
    levels: Levels,
    /// By its unit.
    dimension: Option<Dimension>,
    /// Of a plain number of an impact: what it measures by what it sets, if that is known.
    meant: Option<Dimension>,
    node: Option<&'a Node>,
    record: Record<'a>,
}

impl Read<'_> {
    /// Of an impact: its key; empty if it is nothing that an impact has.
    fn key(&self) -> &str {
        self.varied.path.strip_prefix("impact.").unwrap_or("")
    }
}

impl<'a> Reading<'_, 'a> {
    fn study(&mut self, held: &mut Held) -> Option<Study> {
        let top = Origin::File(0..0);
        let root = self.reader.sheet(self.root, &top, "", &ROOT);
        if let Some(node) = root.node("format")
            && !matches!(node.value, Value::Whole(1))
        {
            self.reader
                .notes
                .wrong(node, "format", "this version reads format 1 only")
                .allowed("format = 1");
        }
        let about = self.single("study", &STUDY);
        let section = self.single("section", &SECTION);
        let design = self.single("design", &DESIGN);
        let vary = self.several("vary", &VARY);
        let output = self.several("output", &OUTPUT);
        let picture = self.several("picture", &PICTURE);
        let fit = self.several("fit", &FIT);
        for (name, empty) in [("vary", vary.is_empty()), ("output", output.is_empty())] {
            if root.given(name) && empty {
                let at = root.place(name);
                self.reader
                    .notes
                    .error(&at, name, format!("there is no table [{name}.…]"));
            }
        }
        let text = |key: &str| {
            about
                .as_ref()
                .and_then(|r| r.text(key))
                .unwrap_or("")
                .to_string()
        };
        let titles = (text("title"), text("source"), text("notes"));

        let kind = design.as_ref().and_then(|d| d.word("type"));
        let kind = kind.and_then(Kind::of).unwrap_or(Kind::Grid);
        let mut read = self.varied(vary, kind);
        self.note_broken("vary", |name| read.iter().any(|r| r.varied.name == name));
        let whole = self.broken.is_empty();
        let design = self.design(design.as_ref(), kind, &read, &root);

        let model = about
            .as_ref()
            .and_then(|r| r.text("model"))
            .map(String::from);
        let impact = self.root.get("impact");
        let both = model.is_some() && impact.is_some();
        if model.is_none() && impact.is_none() || both {
            let what = if both {
                "`study.model` and `impact` stand together"
            } else {
                "nothing is run"
            };
            let at = about.as_ref().map_or(top.clone(), |r| r.place("model"));
            self.reader
                .notes
                .error(&at, "study.model", what)
                .allowed("either study.model = \"file.toml\" or a table [impact]")
                .hint("a model file, relative to this file; or one free impact");
            return None;
        }
        let section = section.as_ref().and_then(|record| self.section(record));
        let is_model = model.is_some();
        let mut outputs = self.outputs(&output, is_model, section.as_ref());
        self.note_broken("output", |name| outputs.iter().any(|o| o.name == name));
        let subject = match impact {
            Some(entry) => {
                let laboratory = self.laboratory(entry, &mut read, whole);
                laboratory.map(|about| Subject::Impact(Box::new(about)))
            }
            None => {
                let (about, model) = (about.as_ref()?, model?);
                let mechanism = self.mechanism(about, &model, section, held);
                mechanism.map(|mechanism| {
                    plain_numbers(&mechanism, &mut read);
                    Subject::Model(Box::new(mechanism))
                })
            }
        };
        let named: Vec<&str> = read.iter().map(|r| r.varied.name.as_str()).collect();
        let all = read.iter().map(|r| (r.varied.name.as_str(), &r.record));
        for (name, record) in all.chain(output.iter().map(|(name, record)| (*name, record))) {
            if OWN.contains(&name) {
                let words = format!("`{name}` is a column of every table of results");
                self.reader
                    .notes
                    .error(&record.at, &record.path, words)
                    .hint("every column needs a name of its own");
            }
        }
        for (name, record) in &output {
            if named.contains(name) {
                let at = record.at.clone();
                self.reader
                    .notes
                    .error(
                        &at,
                        &record.path,
                        format!("`{name}` is a parameter that is varied, too"),
                    )
                    .hint("every column needs a name of its own");
            }
        }
        let pictures = self.pictures(&picture, &read, &outputs);
        let fits = self.fits(&fit, &read, &outputs);
        let mut expressions = Vec::new();
        // Expressions may name what is varied.
        if impact.is_some() && whole {
            expressions = self.impact_outputs(&mut outputs, &output, &read);
        }
        let mut subject = subject?;
        let design = design?;
        if self.reader.notes.failed() {
            return None;
        }
        let tables = self.first_point(
            &subject,
            &design,
            &read,
            &mut outputs,
            &output,
            &expressions,
        );
        if let Subject::Model(model) = &mut subject {
            // What was read once is not looked for on the disk at every point.
            model.tables.clone_from(&tables);
            held.tables = tables;
        }
        let impacts = matches!(subject, Subject::Impact(_));
        let block = about.as_ref().and_then(|r| r.whole("block"));
        let block = block.unwrap_or_else(|| match (impacts, design.points().div_ceil(PARTS)) {
            (true, share) => share.clamp(IMPACTS.0, IMPACTS.1),
            (false, share) => share.clamp(1, IMPACTS.1),
        });
        let (points, parts) = (design.points(), design.points().div_ceil(block.max(1)));
        if points > MOST_POINTS || parts > MOST_PARTS {
            let words = format!("{points} points in {parts} parts");
            let at = root.place("vary");
            self.reader
                .notes
                .error(&at, "vary", words)
                .allowed(format!("{MOST_POINTS} points and {MOST_PARTS} parts"))
                .hint("fewer levels, a design that draws points (random, sobol), or a larger study.block");
            return None;
        }
        Some(Study {
            title: titles.0,
            source: titles.1,
            notes: titles.2,
            subject,
            varied: read.into_iter().map(|r| r.varied).collect(),
            design,
            outputs,
            pictures,
            fits,
            block,
            expressions,
            held: Held::default(),
            warnings: Vec::new(),
        })
    }

    /// Notes which tables of this name could not be read.
    fn note_broken(&mut self, table: &str, fine: impl Fn(&str) -> bool) {
        let all = self.root.get(table).and_then(|entry| entry.node.table());
        let names = all.into_iter().flat_map(|table| &table.entries);
        let names = names.map(|entry| entry.key.as_str());
        self.broken.extend(names.filter(|name| !fine(name)));
    }

    fn single(
        &mut self,
        name: &'static str,
        sheet: &'static model_file::tables::Sheet,
    ) -> Option<Record<'a>> {
        let entry = self.root.get(name)?;
        let table = entry.node.table()?;
        // The sheet of the whole has read it once, and complained: this time it is only looked at.
        let mark = self.reader.notes.mark();
        let record = self.reader.sheet(table, &entry.key_at, name, sheet);
        self.reader.notes.forget_repeats(mark);
        Some(record)
    }

    fn several(
        &mut self,
        name: &'static str,
        sheet: &'static model_file::tables::Sheet,
    ) -> Vec<(&'a str, Record<'a>)> {
        let table = self.root.get(name).and_then(|entry| entry.node.table());
        self.reader.named(table, name, sheet, "a column or a file")
    }

    /// A number with what it measures; a complaint if it is none.
    fn quantity(&mut self, node: &Node, path: &str) -> Option<(f64, Option<Dimension>)> {
        if let Some(x) = node.number() {
            if x.is_finite() {
                return Some((x, None));
            }
            self.reader
                .notes
                .wrong(node, path, "this must be a finite number");
            return None;
        }
        let Some(text) = node.text() else {
            self.reader
                .wrong_type(node, path, "a number, or a text with a unit");
            return None;
        };
        match units::parse_any(text) {
            Ok(read) => Some(read),
            Err(error) => {
                self.misread(node, path, &error);
                None
            }
        }
    }

    /// Says what is wrong with a quantity.
    fn misread(&mut self, node: &Node, path: &str, error: &QuantityError) {
        let words = error.to_string();
        let (message, hint) = words.split_once(". Hint: ").unwrap_or((&words, ""));
        self.reader.notes.wrong(node, path, message).hint(hint);
    }

    fn varied(&mut self, vary: Vec<(&'a str, Record<'a>)>, kind: Kind) -> Vec<Read<'a>> {
        let mut all: Vec<Read<'a>> = Vec::new();
        for (name, record) in vary {
            // What was complained about already is not read once more.
            if record.bad {
                continue;
            }
            let Some((levels, dimension)) = self.levels(&record, kind) else {
                continue;
            };
            let Some(path) = record.text("path") else {
                continue;
            };
            if let Some(other) = all.iter().find(|other| other.varied.path == path) {
                let words = format!("`{path}` is varied by `{}` as well", other.varied.name);
                let (at, path) = (record.place("path"), record.path_of("path"));
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .value(path.clone());
            }
            all.push(Read {
                varied: Varied {
                    name: name.into(),
                    path: path.into(),
                    unit: dimension.map_or_else(String::new, unit_of),
                },
                levels,
                dimension,
                meant: None,
                node: record.node("path"),
                record,
            });
        }
        all
    }

    fn levels(&mut self, record: &Record<'a>, kind: Kind) -> Option<(Levels, Option<Dimension>)> {
        if let Some(node) = record.node("values") {
            for key in ["to", "count", "deviation", "spacing"] {
                if record.given(key) {
                    let (at, path) = (record.place(key), record.path_of(key));
                    self.reader
                        .notes
                        .error(&at, &path, format!("`{key}` does not go with `values`"))
                        .hint("remove one of them");
                }
            }
            return self.values(node, &record.path_of("values"));
        }
        let mut number = |key: &'static str| match record.node(key) {
            Some(node) => self.quantity(node, &record.path_of(key)),
            None => {
                let at = record.at.clone();
                self.reader
                    .notes
                    .error(&at, &record.path_of(key), format!("`{key}` is missing"))
                    .allowed("`values`; `from`, `to` and `count`; or `mean` and `deviation`");
                None
            }
        };
        let pair = if record.given("mean") {
            ["mean", "deviation"]
        } else {
            ["from", "to"]
        };
        let (one, other) = (number(pair[0]), number(pair[1]));
        let ((one, is), (other, are)) = (one?, other?);
        let dimension = match (is, are) {
            (Some(is), Some(are)) if is.fits(are) => Some(is),
            (None, None) => None,
            (Some(is), None) if other == 0.0 => Some(is),
            (None, Some(are)) if one == 0.0 => Some(are),
            _ => {
                let (at, path) = (record.place(pair[1]), record.path_of(pair[1]));
                let words = format!("`{}` and `{}` are of different kinds", pair[0], pair[1]);
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .hint("give both the same unit, or none");
                return None;
            }
        };
        if pair[0] == "mean" {
            if !kind.draws() {
                let at = record.place("mean");
                self.reader
                    .notes
                    .error(
                        &at,
                        &record.path_of("mean"),
                        format!("a distribution has no levels for a {}", kind.name()),
                    )
                    .allowed("design.type = \"random\", \"halton\" or \"sobol\"");
                return None;
            }
            if !(other > 0.0) {
                let (at, path) = (record.place("deviation"), record.path_of("deviation"));
                self.reader
                    .notes
                    .error(&at, &path, "`deviation` must be above 0")
                    .value(short(other));
                return None;
            }
            return Some((
                Levels::Normal {
                    mean: one,
                    deviation: other,
                },
                dimension,
            ));
        }
        let logarithmic = record.word("spacing") == Some("log");
        if logarithmic && !(one > 0.0 && other > 0.0) {
            let at = record.place(if one > 0.0 { "to" } else { "from" });
            self.reader
                .notes
                .error(
                    &at,
                    &record.path_of("spacing"),
                    "equal ratios need numbers above 0",
                )
                .hint("spacing = \"linear\"");
            return None;
        }
        let count = record.whole("count").unwrap_or(0);
        let (at, path) = (record.place("count"), record.path_of("count"));
        if !kind.draws() && count == 0 {
            if !record.given("count") {
                let words = format!(
                    "`count` is missing: a {} needs to know how many values there are",
                    kind.name()
                );
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .allowed("a whole number, ≥ 1");
            }
            return None;
        }
        if kind.draws() && record.given("count") {
            let words = format!(
                "how many points are drawn stands in [design]: with {} a parameter has no count",
                kind.name()
            );
            self.reader
                .notes
                .error(&at, &path, words)
                .hint("design.count = …");
            return None;
        }
        Some((
            Levels::Span {
                from: one,
                to: other,
                logarithmic,
                count,
            },
            dimension,
        ))
    }

    fn values(&mut self, node: &'a Node, path: &str) -> Option<(Levels, Option<Dimension>)> {
        let Some(list) = node.list().filter(|list| !list.is_empty()) else {
            self.reader
                .wrong_type(node, path, "a list with at least one value");
            return None;
        };
        // Words are what no quantity begins like.
        let is_word = |node: &Node| {
            node.text().is_some_and(|t| {
                !t.trim_start()
                    .starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            })
        };
        if list.iter().any(is_word) {
            let mut words = Vec::new();
            for one in list {
                match one.text().filter(|_| is_word(one)) {
                    Some(text) => words.push(text.to_string()),
                    None => {
                        self.reader
                            .notes
                            .wrong(one, path, "a list has either words or numbers");
                        return None;
                    }
                }
            }
            return Some((Levels::Words(words), None));
        }
        let read: Vec<Option<(f64, Option<Dimension>)>> =
            list.iter().map(|one| self.quantity(one, path)).collect();
        let read: Option<Vec<(f64, Option<Dimension>)>> = read.into_iter().collect();
        let read = read?;
        let dimension = read.iter().find_map(|r| r.1);
        for (one, (value, is)) in list.iter().zip(&read) {
            let same = match (is, dimension) {
                (Some(is), Some(dimension)) => is.fits(dimension),
                (None, Some(_)) => *value == 0.0,
                _ => true,
            };
            if !same {
                self.reader
                    .notes
                    .wrong(
                        one,
                        path,
                        "this is of another kind than the values before it",
                    )
                    .hint("give all the same unit, or none");
                return None;
            }
        }
        Some((
            Levels::Numbers(read.into_iter().map(|r| r.0).collect()),
            dimension,
        ))
    }

    fn design(
        &mut self,
        record: Option<&Record<'a>>,
        kind: Kind,
        read: &[Read<'a>],
        root: &Record<'a>,
    ) -> Option<Design> {
        let count = record.and_then(|r| r.whole("count"));
        let at = record.map_or_else(|| root.at.clone(), |r| r.place("count"));
        if kind.draws() && count.is_none() {
            if record.is_none_or(|r| !r.given("count")) {
                self.reader
                    .notes
                    .error(
                        &at,
                        "design.count",
                        "`count` is missing: how many points are drawn",
                    )
                    .allowed("a whole number, ≥ 1");
            }
            return None;
        }
        if !kind.draws() && count.is_some() {
            self.reader
                .notes
                .error(
                    &at,
                    "design.count",
                    format!("a {} has as many points as its parameters say", kind.name()),
                )
                .hint("remove it, or draw points: type = \"random\", \"halton\" or \"sobol\"");
            return None;
        }
        if kind == Kind::List {
            let most = read.iter().map(|r| r.levels.count()).max().unwrap_or(0);
            for one in read.iter().filter(|r| r.levels.count() != most) {
                let key = if one.record.given("values") {
                    "values"
                } else {
                    "count"
                };
                let (at, path) = (one.record.place(key), one.record.path_of(key));
                let words = format!(
                    "`{}` has {} values, and another one {most}",
                    one.varied.name,
                    one.levels.count()
                );
                self.reader
                    .notes
                    .error(&at, &path, words)
                    .hint("in a list all go in step; a grid takes every one with every other");
            }
        }
        let seed = record.and_then(|r| r.whole("seed")).unwrap_or(0);
        let levels = read.iter().map(|r| r.levels.clone()).collect();
        let design = Design::new(kind, seed, count.unwrap_or(0), levels);
        if design.is_none() {
            let at = record.map_or_else(|| root.place("vary"), |r| r.place("type"));
            let many = read.len() > kind.most();
            let words = if many {
                format!(
                    "{} varies {} parameters at most, not {}",
                    kind.name(),
                    kind.most(),
                    read.len()
                )
            } else {
                "there are more points than can be counted".to_string()
            };
            let note = self.reader.notes.error(&at, "design.type", words);
            if many {
                note.allowed("halton for up to 32, random for any number");
            }
        }
        design
    }

    fn section(&mut self, record: &Record<'a>) -> Option<Section> {
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

    fn outputs(
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
    fn measured_in(&mut self, output: &mut Output, record: Option<&Record<'a>>, is: &Measured) {
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

    /// Complains about a name that is neither, and says whether it is fine.
    fn known(&mut self, record: &Record<'a>, key: &str, names: &[String], what: &str) -> bool {
        let Some(name) = record.text(key).filter(|name| !self.broken.contains(name)) else {
            return false;
        };
        if names.iter().any(|known| known == name) {
            return true;
        }
        let (at, path) = (record.place(key), record.path_of(key));
        self.reader
            .notes
            .error(&at, &path, format!("`{}` is no {what}", cut(name)))
            .value(name)
            .allowed(names.join(", "))
            .nearest(&nearest(name, names.iter().map(String::as_str)));
        false
    }

    fn pictures(
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
    fn only(&mut self, record: &Record<'a>, read: &[Read<'a>]) -> Vec<(String, f64, String)> {
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
            let shown = format!("{key} = {}", node.shown());
            if let Some(words) = one.levels.words() {
                match words
                    .iter()
                    .position(|word| Some(word.as_str()) == node.text())
                {
                    Some(place) => all.push((key.clone(), place as f64, shown)),
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
                all.push((key.clone(), value, shown));
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

    fn fits(
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
                    if clash || unknown {
                        let words = if clash {
                            format!("`{name}` is a parameter already")
                        } else {
                            format!("`{name}` is not looked for")
                        };
                        self.reader.notes.error(key_at, &path, words);
                        fine = false;
                    }
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

    fn blame(&mut self, node: &Node, path: &str, errors: &[ExpressionError]) {
        for error in errors {
            self.reader
                .notes
                .inside(node, path, error.span.clone(), error.message.clone())
                .hint(error.hint.clone());
        }
    }

    /// `whole` says that nothing that is varied is missing in `read` because it could not be read.
    fn laboratory(
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

    fn impact_outputs(
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

    fn mechanism(
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
    fn first_point(
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
fn plain_numbers(mechanism: &Mechanism, read: &mut [Read<'_>]) {
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

/// What a number of the contacts of a model, or of one of its elements, measures: not known where some turn and others do not.
fn of_contacts(model: &Model, element: Option<&str>, quantity: &Quantity) -> Measured {
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
struct Measured {
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
    fn in_unit(unit: &str) -> Self {
        Self {
            unit: unit.into(),
            dimension: Dimension::of(unit, &[]).ok(),
            computed: false,
            why: String::new(),
        }
    }

    fn unknown(why: String) -> Self {
        Self {
            unit: String::new(),
            dimension: None,
            computed: true,
            why,
        }
    }

    fn by(expression: &Expression) -> Self {
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

/// The SI unit of a dimension; empty for a pure number.
fn unit_of(dimension: Dimension) -> String {
    match dimension.unit() {
        unit if unit == "1" => String::new(),
        unit => unit,
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

/// Numbers without units, by name.
pub(super) struct Plain<'a>(pub &'a [&'a str]);

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
