//! How does the text of a model file become a model, and what is said of one that cannot?
//!
//! A file is TOML: every element a named table (`[body.rod]`, `[joint.pin]`, …). `tables` is the one description of all keys, from which reading, complaints and [`schema`] follow; `tree` keeps where
//! everything stands; `reader` reads by the description; `parameters` finds the order in which they can be computed; one file a kind of table makes the elements. Every mistake is found in
//! one go, with its line, the rule and a hint; what only follows from another mistake is left out.
//!
//! ```
//! use carom::model::file::{Source, read};
//!
//! let text = r#"
//! format = 1
//! [simulation]
//! end = "2 s"
//! [body.rod]
//! mass = "3 kg"
//! shape = { type = "rod", length = "1 m" }
//! position = ["50 cm", 0]
//! points.A = ["-50 cm", 0]
//! [joint.pin]
//! type = "revolute"
//! between = ["ground", "rod.A"]
//! "#;
//! let parsed = read(&Source::new("pendulum.toml", text), &[]).map_err(|mut all| all.remove(0))?;
//! assert_eq!(parsed.model.bodies[0].body.inertia(), 0.25);
//!
//! let heavy = [("body.rod.mass".to_string(), "-3 kg".to_string())];
//! let errors = read(&Source::new("pendulum.toml", text), &heavy).unwrap_err();
//! assert_eq!(errors[0].message, "`mass` must be above 0");
//! # Ok::<(), carom::model::diagnostic::Diagnostic>(())
//! ```

mod bodies;
mod contacts;
mod csv;
mod drivers;
mod follows;
mod forces;
mod formula;
mod groups;
mod joints;
mod laws;
mod materials;
pub(crate) mod notes;
mod outlines;
pub(crate) mod overrides;
mod own;
mod parameters;
mod placing;
mod play;
mod probe;
pub(crate) mod reader;
pub(crate) mod record;
mod reference;
mod schema;
mod scope;
mod settings;
mod standing;
pub(crate) mod tables;
pub(crate) mod tree;
pub(crate) mod words;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::card::nearest;
use crate::model::diagnostic::{Diagnostic, Severity, Spots, cut};
use crate::model::expression::Symbol;
use crate::model::group::GroupEntry;
use crate::model::mechanism::{Analysis, ContactEntry, Model};
use crate::solve::Integrator;

use contacts::Taken;
use csv::Columns;
use notes::Notes;
use reader::Reader;
use record::Record;
use scope::{Parameter, Parameters};
use tables::{ROOT, Sheet, Takes};
use tree::{Entry, Node, Origin, Syntax};
use words::join;

pub use reference::reference;
pub use schema::schema;
pub(crate) use schema::schema_of;
pub use standing::{Standing, standing};

/// A text and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The file as messages name it.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// The folder that names of tables are relative to.
    pub folder: PathBuf,
}

impl Source {
    /// A text that refers to tables of the working folder, if to any.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            folder: PathBuf::new(),
        }
    }
}

/// A table that a model refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// As the model file names it.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
}

/// A parameter, computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterValue {
    /// Its name.
    pub name: String,
    /// Its value in SI units.
    pub value: f64,
    /// Its SI unit; empty for a pure number and for one that was given without a unit.
    pub unit: String,
}

/// A model that was read, and all that it was read from.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The model.
    pub model: Model,
    /// Its parameters, in the order of the file.
    pub parameters: Vec<ParameterValue>,
    /// What is allowed, but worth a look.
    pub warnings: Vec<Diagnostic>,
    /// Where every element stands.
    pub spots: Spots,
    /// The text of the file.
    pub text: String,
    /// The values given beside it.
    pub overrides: Vec<(String, String)>,
    /// The tables that it refers to, in the order in which they were read.
    pub tables: Vec<Table>,
}

/// Reads a model file; `overrides` are pairs of a dotted path and a value (TOML, or a plain text) that take the place of what the file says. Either a model, or everything that is wrong.
pub fn read(source: &Source, overrides: &[(String, String)]) -> Result<Parsed, Vec<Diagnostic>> {
    read_with(source, overrides, &[])
}

/// The same with tables at hand: what stands in `tables` is not looked for on the disk.
pub fn read_with(
    source: &Source,
    overrides: &[(String, String)],
    tables: &[Table],
) -> Result<Parsed, Vec<Diagnostic>> {
    let (root, notes) = open(source, overrides, &ROOT)?;
    let mut spots = Spots::default();
    note_spots(&root, "", &notes, &mut spots);
    let mut reader = Reader::new(notes, source.folder.clone());
    reader.columns = tables
        .iter()
        .map(|table| Columns {
            path: table.path.clone(),
            text: table.text.clone(),
        })
        .collect();
    let model = reader.model(&root);
    let errors = reader.notes.take(Severity::Error);
    if !errors.is_empty() {
        return Err(errors);
    }
    let table = |columns: Columns| Table {
        path: columns.path,
        text: columns.text,
    };
    Ok(Parsed {
        model,
        parameters: computed(&root, &reader.parameters),
        warnings: reader.notes.take(Severity::Warning),
        spots,
        text: source.text.clone(),
        overrides: overrides.to_vec(),
        tables: reader.columns.into_iter().map(table).collect(),
    })
}

/// The tree of a text with everything set that is given beside it, and where complaints gather; or the faults of its syntax. `sheet` says what stands at its top.
pub(crate) fn open<'a>(
    source: &'a Source,
    overrides: &'a [(String, String)],
    sheet: &'static Sheet,
) -> Result<(tree::Table, Notes<'a>), Vec<Diagnostic>> {
    let mut notes = Notes::new(source, overrides);
    let mut root = match tree::parse(&source.text) {
        Ok(root) => root,
        Err(faults) => {
            blame_syntax(&mut notes, &source.text, &faults);
            return Err(notes.take(Severity::Error));
        }
    };
    overrides::apply(&mut root, sheet, overrides, &mut notes);
    Ok((root, notes))
}

/// The parameters that could be computed, in the order of the file.
fn computed(root: &tree::Table, parameters: &Parameters) -> Vec<ParameterValue> {
    let table = root.get("parameters").and_then(|entry| entry.node.table());
    let entries = table.map_or(&[][..], |table| &table.entries);
    entries
        .iter()
        .filter_map(|entry| {
            let (value, dimension) = match *parameters.get(&entry.key)? {
                Parameter::Known(Symbol::Constant { value, dimension }) => (value, dimension),
                Parameter::Known(Symbol::Computed { value, dimension }) => (value, Some(dimension)),
                Parameter::Known(Symbol::Variable { .. }) | Parameter::Bad => return None,
            };
            Some(ParameterValue {
                name: entry.key.clone(),
                value,
                unit: dimension.map_or_else(String::new, |dimension| dimension.unit()),
            })
        })
        .collect()
}

impl<'a> Reader<'a> {
    /// The whole model; what could not be read has been complained about and is left out.
    fn model(&mut self, root: &'a tree::Table) -> Model {
        self.format(root);
        self.unknown_tables(root);
        if let Some(table) = root.get("parameters").and_then(|entry| entry.node.table()) {
            self.read_parameters(table);
        }
        let mut model = Model::default();
        if let Some(about) = self.single(root, "model") {
            let text = |key| about.text(key).unwrap_or("").to_string();
            (model.title, model.source, model.notes) =
                (text("title"), text("source"), text("notes"));
        }
        let simulation = self.single(root, "simulation");
        (model.simulation, model.gravity) = self.read_simulation(simulation.as_ref());
        // A table that was misspelt has been complained about already.
        let misspelt = |name: &str| {
            let near = |entry: &Entry| !nearest(&entry.key, [name].into_iter()).is_empty();
            root.entries.iter().any(near)
        };
        if simulation.is_none() && !misspelt("simulation") {
            let origin = root.get("format").map(|entry| entry.key_at.clone());
            self.no_end(origin.unwrap_or(Origin::File(0..0)));
        }
        let analysis = model.simulation.analysis;
        let groups = root.get("group").and_then(|entry| entry.node.table());
        let groups = groups.map_or(&[][..], |table| &table.entries);
        self.world.groups = groups.iter().map(|entry| entry.key.clone()).collect();
        let solver = self.single(root, "solver");
        model.solver = self.read_solver(solver.as_ref());
        let chosen = solver.as_ref().is_some_and(|s| s.given("integrator"));
        let materials = self.several(root, "material");
        self.read_materials(&materials);
        let method = self.single(root, "method");
        model.method = self.read_method(method.as_ref());
        self.method = model.method.contact;
        let constraints = self.single(root, "constraints");
        model.control = self.read_constraints(constraints.as_ref());
        let ground = self.single(root, "ground");
        (model.ground, model.ground_shapes) = self.read_ground(ground.as_ref());
        let bodies = self.several(root, "body");
        model.bodies = self.read_bodies(&bodies, analysis);
        let empty = |entry: &Entry| entry.node.table().is_some_and(|t| t.entries.is_empty());
        let none = root.get("body").map_or(!misspelt("body"), empty);
        if bodies.is_empty() && none && root.get("group").is_none() {
            let origin = root.get("format").map(|entry| entry.key_at.clone());
            self.notes
                .error(
                    &origin.unwrap_or(Origin::File(0..0)),
                    "body",
                    "there is no body in this model",
                )
                .hint("a body is a table such as [body.rod] with mass, inertia and position");
        }
        let joints = self.several(root, "joint");
        self.read_joints(&joints, &mut model);
        let drivers = self.several(root, "driver");
        model.drivers = self.read_drivers(&drivers, &model.joints, &joints);
        let forces = self.several(root, "force");
        model.loads = self.read_forces(&forces);
        let contacts = self.several(root, "contact");
        let mut taken = Taken::new();
        let touching = self.read_contacts(&contacts, &mut taken);
        model.contacts.extend(touching);
        let groups = self.several(root, "group");
        self.read_groups(&groups, &mut model, &mut taken);
        if let Some(solver) = &solver {
            self.judge_step(solver, &model);
        }
        if !chosen {
            // The implicit half of it keeps room for the square of the number of states.
            model.solver.integrator = match model.bodies.len() {
                0..=50 => Integrator::Auto,
                _ => Integrator::Dop853,
            };
        }
        self.unused_materials();
        model.breaks = std::mem::take(&mut self.breaks);
        model.breaks.sort_by(f64::total_cmp);
        model.breaks.dedup();
        let lost = lost(
            &model,
            &[
                ("joint", &joints),
                ("driver", &drivers),
                ("force", &forces),
                ("contact", &contacts),
                ("group", &groups),
            ],
        );
        model.simulation.channels = self.read_channels(simulation.as_ref(), &model, &lost);
        // Whatever could not be made has been complained about; if not, this is the last place to say so.
        if let (Some(name), false) = (lost.first(), self.notes.failed()) {
            let spot = name.split_once('.').and_then(|(kind, name)| {
                let table = root.get(kind)?.node.table()?;
                table.get(name).map(|entry| entry.key_at.clone())
            });
            self.notes.error(
                &spot.unwrap_or(Origin::File(0..0)),
                name,
                "this element could not be read",
            );
        }
        let driven = matches!(analysis, Analysis::Kinematic | Analysis::InverseDynamics);
        if driven && drivers.is_empty() {
            let at = simulation
                .as_ref()
                .map_or(Origin::File(0..0), |record| record.place("analysis"));
            self.notes
                .error(&at, "simulation.analysis", format!("the analysis `{}` needs drivers, and there are none", analysis.name()))
                .hint("add a [driver.name] for every degree of freedom, or ask for a dynamic analysis");
        }
        model
    }

    /// `format = 1`.
    fn format(&mut self, root: &tree::Table) {
        let Some(entry) = root.get("format") else {
            self.notes
                .error(&Origin::File(0..0), "format", "`format` is missing")
                .allowed("format = 1")
                .hint("write `format = 1` at the top of the file");
            return;
        };
        match entry.node.value {
            tree::Value::Whole(1) => {}
            tree::Value::Whole(_) => {
                self.notes
                    .wrong(&entry.node, "format", "this version reads format 1 only")
                    .allowed("format = 1")
                    .hint("a newer format needs a newer version of carom");
            }
            _ => {
                let message = format!("`format` must be a whole number, not {}", entry.node.kind());
                self.notes
                    .wrong(&entry.node, "format", message)
                    .allowed("format = 1");
            }
        }
    }

    /// Tables that do not exist, and values in the place of tables.
    fn unknown_tables(&mut self, root: &tree::Table) {
        for entry in &root.entries {
            match ROOT.keys.iter().find(|key| key.name == entry.key) {
                None => self.unknown_root(entry),
                Some(key) => match key.takes {
                    Takes::Table(_) | Takes::Named(_) | Takes::Parameters
                        if entry.node.table().is_none() =>
                    {
                        let wanted =
                            format!("`{}` must be a table, not {}", key.name, entry.node.kind());
                        let brackets = if matches!(key.takes, Takes::Named(_)) {
                            ".name"
                        } else {
                            ""
                        };
                        self.notes
                            .wrong(&entry.node, key.name, wanted)
                            .hint(format!(
                                "write [{}{brackets}], and its keys below",
                                key.name
                            ));
                    }
                    _ => {}
                },
            }
        }
    }

    /// A table that is there at most once.
    fn single(&mut self, root: &'a tree::Table, name: &'static str) -> Option<Record<'a>> {
        let entry = root.get(name)?;
        let table = entry.node.table()?;
        let sheet = sheet_of(name)?;
        Some(self.sheet(table, &entry.key_at, name, sheet))
    }

    /// Named tables.
    fn several(&mut self, root: &'a tree::Table, name: &'static str) -> Vec<(&'a str, Record<'a>)> {
        match sheet_of(name) {
            Some(sheet) => {
                let table = root.get(name).and_then(|entry| entry.node.table());
                self.named(table, name, sheet, "an element")
            }
            None => Vec::new(),
        }
    }

    /// The columns of a table of another file, which is kept.
    fn table(
        &mut self,
        node: &Node,
        path: &str,
        asked: &[csv::Asked],
        rule: csv::Rule,
    ) -> Option<Vec<Vec<f64>>> {
        /// Larger than any table that a spline should go through.
        const LARGEST: u64 = 64 << 20;
        let name = node.text()?;
        let file = self.folder.join(name);
        if !self.columns.iter().any(|known| known.path == *name) {
            let size = std::fs::metadata(&file).map(|data| data.len());
            let text = match size {
                Ok(size) if size > LARGEST => Err("it is larger than 64 MB".to_string()),
                _ => std::fs::read(&file)
                    .map_err(|error| match error.kind() {
                        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
                        _ => format!("it cannot be read ({error})"),
                    })
                    .and_then(|bytes| {
                        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())
                    }),
            };
            match text {
                Ok(text) => self.columns.push(Columns {
                    path: name.into(),
                    text,
                }),
                Err(why) => {
                    self.notes
                        .wrong(node, path, format!("the table `{}`: {why}", cut(name)))
                        .hint(format!(
                            "names of tables are relative to the model file: {}",
                            cut(&file.display().to_string())
                        ));
                    return None;
                }
            }
        }
        let columns = self.columns.iter().find(|known| known.path == *name)?;
        match csv::parse(name, &columns.text, asked, rule) {
            Ok(columns) => Some(columns),
            Err(faults) => {
                for mut fault in faults {
                    fault.path = path.into();
                    self.notes.foreign(&node.at, fault);
                }
                None
            }
        }
    }
}

fn sheet_of(name: &str) -> Option<&'static Sheet> {
    match ROOT.keys.iter().find(|key| key.name == name)?.takes {
        Takes::Table(sheet) | Takes::Named(sheet) => Some(sheet),
        _ => None,
    }
}

/// Elements that have a table but could not be made, as `joint.pin`.
fn lost(model: &Model, tables: &[(&str, &[(&str, Record<'_>)])]) -> Vec<String> {
    let mut made: BTreeSet<String> = BTreeSet::new();
    let joints = model.joints.iter().map(|entry| &entry.name);
    made.extend(joints.map(|name| format!("joint.{name}")));
    let drivers = model.drivers.iter().map(|entry| &entry.name);
    made.extend(drivers.map(|name| format!("driver.{name}")));
    let loads = model.loads.iter().map(|entry| &entry.name);
    made.extend(loads.map(|name| format!("force.{name}")));
    made.extend(model.contacts.iter().map(ContactEntry::element));
    made.extend(model.groups.iter().map(GroupEntry::element));
    let all = tables.iter().flat_map(|(kind, records)| {
        let names = records.iter().map(|(name, _)| *name);
        names.map(move |name| format!("{kind}.{name}"))
    });
    all.filter(|element| !made.contains(element)).collect()
}

/// The place of every key of the file.
fn note_spots(table: &tree::Table, path: &str, notes: &Notes<'_>, spots: &mut Spots) {
    for Entry { key, key_at, node } in &table.entries {
        let path = join(path, key);
        if let Origin::File(span) = key_at {
            spots.insert(path.clone(), span, &notes.lines);
        }
        if let Some(inner) = node.table() {
            note_spots(inner, &path, notes, spots);
        }
    }
}

/// Says kindly what the reader of TOML says tersely; the first fault of a line only, and nothing behind a list that is not closed: everything there looks wrong.
fn blame_syntax(notes: &mut Notes<'_>, text: &str, faults: &[Syntax]) {
    let mut faults: Vec<&Syntax> = faults.iter().collect();
    faults.sort_by_key(|fault| fault.span.start);
    let mut before = 0;
    // What stands in a table that is there twice is there twice too: only its head is spoken of.
    let mut repeated: Option<usize> = None;
    // More of them are read by nobody.
    for fault in faults.into_iter().take(1000) {
        let (line, column) = notes.lines.place(fault.span.start);
        if line == before {
            continue;
        }
        before = line;
        let twice = fault.message.contains("duplicate key");
        let header = if twice {
            notes.lines.header(fault.span.start)
        } else {
            0
        };
        if twice && repeated == Some(header) {
            continue;
        }
        repeated = (twice && header == line).then_some(line).or(repeated);
        let at = Origin::File(fault.span.clone());
        let given = cut(text.get(fault.span.clone()).unwrap_or(""));
        if fault.message.contains("between array elements") && column == 1 {
            notes
                .error(&at, "", "the list before this line is not closed")
                .hint("close it with `]`");
            return;
        }
        let (message, hint) = kinder(&fault.message, &given);
        notes.error(&at, "", message).hint(hint);
    }
}

fn kinder(message: &str, given: &str) -> (String, String) {
    if message.contains("duplicate key") {
        return (
            format!("`{given}` is given twice in the same table"),
            "every name stands once: rename one of the two, or join them".into(),
        );
    }
    if message.contains("string values must be quoted") {
        return (
            format!("`{given}` is a text without quotes"),
            format!("write \"{}\"", given.trim_matches(['"', '\''])),
        );
    }
    if message.contains("key with no value") {
        return ("this key has no value".into(), "write key = value".into());
    }
    if message.contains("recurs") {
        return (
            "this is nested too deeply".into(),
            "a model needs three levels of tables".into(),
        );
    }
    (
        format!("this is not TOML: {message}"),
        "texts stand in quotes, lists in [ ], small tables in { }, every key on a line of its own"
            .into(),
    )
}
