//! How does the text of a study file become a study, and what is said of one that cannot?
//!
//! The machinery is that of model files: `tables` describes the keys, and every mistake is found in one go, with its line, the rule and a hint.

mod axes;
mod drawings;
mod impact;
mod model;
mod outputs;

use crate::card::nearest;
use crate::model::diagnostic::{Diagnostic, Severity, cut};
use crate::model::expression::{ExpressionError, is_constant};
use crate::model::file as model_file;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::tree::{self, Node, Origin, Value};
use crate::model::units::{self, Dimension, QuantityError};

use super::design::{Design, Kind, Levels};
use super::mechanism::Mechanism;
use super::picture::OF_FIT;
use super::tables::{DESIGN, FIT, OUTPUT, PICTURE, ROOT, SECTION, STUDY, VARY};
use super::{Held, Shown, Study, Subject, Varied, Wrong};

#[cfg(feature = "files")]
pub(super) use drawings::Plain;
use model::plain_numbers;

/// So many parts a sweep has, unless a part would have more points than this.
const PARTS: u64 = 1000;
const LARGEST: u64 = 65_536;
/// Impacts are so quick that their parts are larger: so many points, or fewer where there would not be this many parts to share.
const IMPACTS: u64 = 8192;
const SHARED: u64 = 32;
/// More points than anybody can wait for, and more files than a folder should hold.
const MOST_POINTS: u64 = 100_000_000_000;
const MOST_PARTS: u64 = 10_000_000;
/// Columns that every table of results has, and one more that those of models have.
const OWN: [&str; 2] = ["point", "failure"];
const OF_MODELS: &str = "warnings";
/// When the run of a model ends.
const END: &str = "simulation.end";

/// Reads a study file and, if it names one, its model; either a study, or everything that is wrong. What `held` has already is not looked for on the disk.
pub fn read(held: Held) -> Result<Study, Wrong> {
    read_held(held).map_err(in_the_study)
}

/// Says what a study must have before something can be set in it.
fn in_the_study(mut all: Wrong) -> Wrong {
    let given = |fault: &&mut Diagnostic| fault.file.starts_with("--set ");
    for fault in all.iter_mut().filter(given) {
        let table = fault.path.split('.').next().unwrap_or_default();
        // Such tables can be, but there is none yet.
        if fault.nearest.iter().any(|name| name == table) {
            fault.hint = format!(
                "the study file must have a table [{table}.…] before `--set` can change or add one"
            );
            fault.nearest.clear();
        }
    }
    all
}

fn read_held(mut held: Held) -> Result<Study, Wrong> {
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
        half: Vec::new(),
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
    /// Parameters whose path could be read, but not their values.
    half: Vec<Half<'a>>,
}

/// What was read of a varied parameter whose values could not be.
struct Half<'a> {
    path: &'a str,
    node: &'a Node,
    /// Where its path stands, such as `vary.play.path`.
    key: String,
}

/// What was read of a varied parameter.
struct Read<'a> {
    varied: Varied,
    /// The unit that it was written in.
    written: Option<Shown>,
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

    /// The unit in which people see it: the one that was written, else that in SI.
    fn shown(&self) -> Shown {
        self.written.clone().unwrap_or_else(|| Shown {
            unit: self.varied.unit.clone(),
            one: 1.0,
        })
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

        let kind = match &design {
            Some(design) if design.given("type") => design.word("type").and_then(Kind::of),
            None if root.given("design") => None,
            _ => Some(Kind::Grid),
        };
        let mut read = self.varied(vary, kind);
        self.note_broken("vary", |name| read.iter().any(|r| r.varied.name == name));
        let whole = self.broken.is_empty();
        // Where it stands how many points are drawn.
        let count = design.as_ref().map(|record| record.place("count"));
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
        }
        // Without the one or the other nobody knows what can be asked for.
        let sure = model.is_some() != impact.is_some();
        let section = section.as_ref().and_then(|record| self.section(record));
        let is_model = model.is_some();
        let mut outputs = match sure {
            true => self.outputs(&output, is_model, section.as_ref()),
            false => Vec::new(),
        };
        self.note_broken("output", |name| outputs.iter().any(|o| o.name == name));
        let mut subject = None;
        if let Some(entry) = impact.filter(|_| sure) {
            let laboratory = self.laboratory(entry, &mut read, whole);
            subject = laboratory.map(|about| Subject::Impact(Box::new(about)));
        }
        if let (Some(about), Some(model), true) = (&about, &model, sure) {
            let mechanism = self.mechanism(about, model, section, held);
            if let Some(mechanism) = mechanism.as_ref().filter(|m| m.section.is_some()) {
                self.own_to_the_section(about, mechanism, &read);
            }
            subject = mechanism.map(|mechanism| {
                plain_numbers(&mechanism, &mut read);
                Subject::Model(Box::new(mechanism))
            });
        }
        self.names(&read, &output, &picture, &fit, is_model);
        let pictures = self.pictures(&picture, &read, &outputs);
        let fits = self.fits(&fit, &read, &outputs);
        let mut expressions = Vec::new();
        // Expressions may name what is varied.
        if impact.is_some() && sure {
            expressions = self.impact_outputs(&mut outputs, &output, &read);
        }
        match &mut subject {
            Some(Subject::Model(model)) => {
                let probed = design.clone().or_else(|| probe(&read));
                let tables = probed
                    .map(|design| self.first_point(model, &design, &read, &mut outputs, &output));
                // What was read once is not looked for on the disk at every point.
                held.tables = tables.unwrap_or_default();
                model.tables.clone_from(&held.tables);
            }
            Some(Subject::Impact(about)) => {
                if let (Some(design), false) = (&design, self.reader.notes.failed()) {
                    self.first_impact(about, design, &read, &expressions);
                }
            }
            None => {}
        }
        let (subject, design) = (subject?, design?);
        if self.reader.notes.failed() {
            return None;
        }
        let impacts = matches!(subject, Subject::Impact(_));
        let block = about.as_ref().and_then(|r| r.whole("block"));
        let least = match impacts {
            true => design.points().div_ceil(SHARED).clamp(1, IMPACTS),
            false => 1,
        };
        let share = design.points().div_ceil(PARTS);
        let block = block.unwrap_or(share.clamp(least, LARGEST));
        let (points, parts) = (design.points(), design.points().div_ceil(block.max(1)));
        if points > MOST_POINTS || parts > MOST_PARTS {
            let words = format!("{points} points in {parts} parts");
            let (at, path, hint) = match count.filter(|_| design.kind().draws()) {
                Some(at) => (at, "design.count", "fewer points, or a larger study.block"),
                None => (
                    root.place("vary"),
                    "vary",
                    "fewer levels, a design that draws points (random, sobol), or a larger study.block",
                ),
            };
            self.reader
                .notes
                .error(&at, path, words)
                .allowed(format!("{MOST_POINTS} points and {MOST_PARTS} parts"))
                .hint(hint);
            return None;
        }
        let shown = read.iter().map(Read::shown).collect();
        Some(Study {
            title: titles.0,
            source: titles.1,
            notes: titles.2,
            subject,
            varied: read.into_iter().map(|r| r.varied).collect(),
            shown,
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

    /// Sees to it that every name means one thing.
    fn names(
        &mut self,
        read: &[Read<'a>],
        output: &[(&'a str, Record<'a>)],
        picture: &[(&'a str, Record<'a>)],
        fit: &[(&'a str, Record<'a>)],
        is_model: bool,
    ) {
        let varied = read.iter().map(|r| (r.varied.name.as_str(), &r.record));
        let asked = output.iter().map(|(name, record)| (*name, record));
        for (name, record) in varied.clone().chain(asked.clone()) {
            if OWN.contains(&name) || is_model && name == OF_MODELS {
                let words = format!("`{name}` is a column of every table of results");
                self.clash(record, words, "every column needs a name of its own");
            }
        }
        // Expressions look for constants first.
        for (name, record) in varied.filter(|(name, _)| is_constant(name)) {
            let words = format!("`{name}` has a meaning of its own in expressions");
            self.clash(record, words, "give the parameter another name");
        }
        for (name, record) in asked {
            if read.iter().any(|one| one.varied.name == name) {
                let words = format!("`{name}` is a parameter that is varied, too");
                self.clash(record, words, "every column needs a name of its own");
            }
        }
        for (name, record) in picture {
            let drawn = |(fit, record): &&(&str, Record<'a>)| {
                name.strip_prefix(OF_FIT) == Some(*fit) && record.given("each")
            };
            if let Some((fit, _)) = fit.iter().find(drawn) {
                let words = format!("`{name}` is the name of the picture of [fit.{fit}], too");
                self.clash(record, words, "every picture needs a name of its own");
            }
        }
    }

    /// Where samples are taken once a period the run ends with the last of them: no other end would be heard.
    fn own_to_the_section(&mut self, about: &Record<'a>, mechanism: &Mechanism, read: &[Read<'a>]) {
        let mut places = Vec::new();
        let varied = read.iter().filter(|one| one.varied.path == END);
        places.extend(varied.map(|one| (one.record.place("path"), one.record.path_of("path"))));
        let is_set = mechanism.set.iter().any(|(path, _)| path == END);
        places.extend(is_set.then(|| (about.place("set"), about.path_of("set"))));
        for (at, path) in places {
            self.reader
                .notes
                .error(
                    &at,
                    &path,
                    format!("`{END}` follows from [section]: the run ends with its last sample"),
                )
                .hint("section.skip and section.count say how many periods there are; without [section] the model ends where it is told to");
        }
    }

    fn clash(&mut self, record: &Record<'a>, words: String, hint: &str) {
        let note = self.reader.notes.error(&record.at, &record.path, words);
        note.hint(hint);
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
        let record = self.reader.sheet(table, &entry.node.at, name, sheet);
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

    fn blame(&mut self, node: &Node, path: &str, errors: &[ExpressionError]) {
        for error in errors {
            self.reader
                .notes
                .inside(node, path, error.span.clone(), error.message.clone())
                .hint(error.hint.clone());
        }
    }
}

/// Points where no design could be read, to try whether any of them stands.
fn probe(read: &[Read<'_>]) -> Option<Design> {
    let levels = read.iter().map(|one| one.levels.clone()).collect();
    Design::new(Kind::Random, 0, 100, levels)
}

/// The SI unit of a dimension; empty for a pure number.
fn unit_of(dimension: Dimension) -> String {
    match dimension.unit() {
        unit if unit == "1" => String::new(),
        unit => unit,
    }
}
