//! How is a table read by its description, and what is said of what does not fit?

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::card::{Range, nearest, short};
use crate::mechanics::{Function, Input, Place, Pose};
use crate::model::diagnostic::cut;
use crate::model::expression::{Expression, ExpressionError};
use crate::model::file::csv::Columns;
use crate::model::file::laws::Read;
use crate::model::file::notes::Notes;
use crate::model::file::probe;
use crate::model::file::scope::{Names, Parameters, State, World};
use crate::model::file::tables::{Key, Kind, Laws, Need, Of, ROOT, Sheet, Takes};
use crate::model::file::tree::{Entry, Node, Origin, Table, Value};
use crate::model::units::{self, Dimension};

/// A place as it was named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub place: Place,
    /// Whether it is known where it stands at the start.
    pub sound: bool,
}

/// What was read for a key.
#[derive(Clone, Debug)]
pub(crate) enum Got<'a> {
    Text(&'a str),
    Word(&'static str),
    Flag(bool),
    Whole(u64),
    Number(f64),
    Numbers(Vec<f64>),
    Function(Function),
    Input(Input),
    Inputs([Input; 2]),
    Site(Site),
    Sites([Site; 2]),
    Body(Option<usize>),
    Record(Record<'a>),
    /// A law, with the keys that are not the law's.
    Law(Record<'a>, Read),
    /// Read later, by whoever knows more.
    Raw,
}

/// A table that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Record<'a> {
    /// Its path, such as `joint.pin`.
    pub path: String,
    /// Its name in the file.
    pub at: Origin,
    /// The word of its `type`, if it has one.
    pub kind: &'static str,
    /// Whether anything in it was complained about.
    pub bad: bool,
    entries: BTreeMap<&'static str, (&'a Entry, Option<Got<'a>>)>,
}

impl<'a> Record<'a> {
    /// Whether the key is there, sound or not.
    pub fn given(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The key's value in the file.
    pub fn node(&self, key: &str) -> Option<&'a Node> {
        self.entries.get(key).map(|(entry, _)| &entry.node)
    }

    /// Where to point at a key: its value, or the table's name if it is not there.
    pub fn place(&self, key: &str) -> Origin {
        match self.entries.get(key) {
            Some((entry, _)) => entry.node.at.clone(),
            None => self.at.clone(),
        }
    }

    /// The path of a key.
    pub fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }

    fn got(&self, key: &str) -> Option<&Got<'a>> {
        self.entries.get(key)?.1.as_ref()
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        match self.got(key)? {
            Got::Number(x) => Some(*x),
            _ => None,
        }
    }

    pub fn numbers<const N: usize>(&self, key: &str) -> Option<[f64; N]> {
        match self.got(key)? {
            Got::Numbers(list) => list.as_slice().try_into().ok(),
            _ => None,
        }
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        match self.got(key)? {
            Got::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn word(&self, key: &str) -> Option<&'static str> {
        match self.got(key)? {
            Got::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn flag(&self, key: &str) -> bool {
        matches!(self.got(key), Some(Got::Flag(true)))
    }

    pub fn whole(&self, key: &str) -> Option<u64> {
        match self.got(key)? {
            Got::Whole(n) => Some(*n),
            _ => None,
        }
    }

    pub fn function(&self, key: &str) -> Option<Function> {
        match self.got(key)? {
            Got::Function(function) => Some(function.clone()),
            _ => None,
        }
    }

    pub fn input(&self, key: &str) -> Option<Input> {
        match self.got(key)? {
            Got::Input(input) => Some(input.clone()),
            _ => None,
        }
    }

    pub fn inputs(&self, key: &str) -> Option<[Input; 2]> {
        match self.got(key)? {
            Got::Inputs(inputs) => Some(inputs.clone()),
            _ => None,
        }
    }

    pub fn site(&self, key: &str) -> Option<Site> {
        match self.got(key)? {
            Got::Site(site) => Some(*site),
            _ => None,
        }
    }

    pub fn sites(&self, key: &str) -> Option<[Site; 2]> {
        match self.got(key)? {
            Got::Sites(sites) => Some(*sites),
            _ => None,
        }
    }

    pub fn body(&self, key: &str) -> Option<Option<usize>> {
        match self.got(key)? {
            Got::Body(body) => Some(*body),
            _ => None,
        }
    }

    pub fn law(&self, key: &str) -> Option<(&Record<'a>, &Read)> {
        match self.got(key)? {
            Got::Law(record, law) => Some((record, law)),
            _ => None,
        }
    }

    pub fn record(&self, key: &str) -> Option<&Record<'a>> {
        match self.got(key)? {
            Got::Record(record) => Some(record),
            _ => None,
        }
    }
}

/// Everything that reading a value may need.
pub(crate) struct Reader<'a> {
    pub notes: Notes<'a>,
    /// Names of tables are relative to it.
    pub folder: PathBuf,
    pub parameters: Parameters,
    pub world: World,
    /// Start and end, s, once they are known and sound.
    pub times: Option<[f64; 2]>,
    /// Where functions of time jump or have a corner, s, function after function.
    pub breaks: Vec<f64>,
    /// The tables read so far.
    pub columns: Vec<Columns>,
}

/// A line of documentation as it stands in a hint.
fn inside_a_sentence(doc: &str) -> String {
    let doc = doc.strip_suffix('.').unwrap_or(doc);
    let mut letters = doc.chars();
    // `Young's modulus`, `B of the file`: a name keeps its capital, the beginning of a sentence does not.
    match (letters.next(), doc.chars().nth(1)) {
        (Some(first), Some(second)) if second.is_lowercase() && !doc.starts_with("Young") => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => doc.into(),
    }
}

/// What may be meant by a key of other programs, if it is one of these names.
pub(crate) fn key_meant(typed: &str, names: &[&'static str]) -> Option<&'static str> {
    let known = [
        ("mu", "coefficient"),
        ("friction_coefficient", "coefficient"),
        ("velocity", "speed"),
        ("omega", "speed"),
        ("rpm", "speed"),
        ("ratio", "radii"),
        ("teeth", "radii"),
        ("body1", "between"),
        ("body2", "between"),
        ("body_a", "between"),
        ("body_b", "between"),
        ("bodies", "between"),
        ("k", "stiffness"),
        ("min", "lower"),
        ("max", "upper"),
    ];
    let found = known.iter().find(|(word, _)| *word == typed)?.1;
    names.iter().copied().find(|name| *name == found)
}

/// What may be meant by a word of other programs.
fn synonym(word: &str) -> Option<&'static str> {
    let known = [
        ("hinge", "revolute"),
        ("pin", "revolute"),
        ("pivot", "revolute"),
        ("rotational", "revolute"),
        ("prismatic", "translational"),
        ("slider", "translational"),
        ("sliding", "translational"),
        ("fixed", "rigid"),
        ("weld", "rigid"),
        ("slot", "pin-slot"),
        ("rack-and-pinion", "rack"),
        ("rack-pinion", "rack"),
        ("gears", "gear"),
        ("distance", "link"),
        ("bar", "rod"),
        ("beam", "rod"),
        ("circle", "disc"),
        ("cylinder", "disc"),
        ("box", "rectangle"),
        ("square", "rectangle"),
        ("damper", "spring"),
        ("spring-damper", "spring"),
        ("torsion-spring", "rotational-spring"),
        ("torsional-spring", "rotational-spring"),
        ("torque", "moment"),
        ("rk45", "tsit5"),
        ("dopri5", "tsit5"),
        ("rk8", "dop853"),
        ("dopri8", "dop853"),
        ("lsoda", "auto"),
        ("stabilised", "baumgarte"),
        ("stabilized", "baumgarte"),
        ("equilibrium", "static"),
        ("eigen", "modes"),
        ("modal", "modes"),
        ("dynamics", "dynamic"),
        ("kinematics", "kinematic"),
        ("transient", "dynamic"),
    ];
    let word = word.to_lowercase();
    let found = known.iter().find(|(other, _)| *other == word);
    found.map(|(_, ours)| *ours)
}

impl<'a> Reader<'a> {
    /// Reads a table by its sheet. `at` is where its name stands.
    pub fn sheet(
        &mut self,
        table: &'a Table,
        at: &Origin,
        path: &str,
        sheet: &'static Sheet,
    ) -> Record<'a> {
        self.part(table, at, path, sheet, &|_| true)
    }

    /// The same for those entries that belong to it.
    pub fn part(
        &mut self,
        table: &'a Table,
        at: &Origin,
        path: &str,
        sheet: &'static Sheet,
        belongs: &dyn Fn(&Entry) -> bool,
    ) -> Record<'a> {
        let mut record = Record {
            path: path.into(),
            at: at.clone(),
            kind: "",
            bad: false,
            entries: BTreeMap::new(),
        };
        let kind = if sheet.kinds.is_empty() {
            None
        } else {
            match self.kind(table, at, path, sheet.kinds) {
                Some(kind) => {
                    record.kind = kind.name;
                    Some(kind)
                }
                None => {
                    // Which keys belong here is not known: only those of every kind are looked at.
                    record.bad = true;
                    None
                }
            }
        };
        let own = kind.map_or(&[] as &[Key], |kind| kind.keys);
        let keys = || sheet.keys.iter().chain(own);
        for entry in table.entries.iter().filter(|entry| belongs(entry)) {
            if entry.key == "type" && !sheet.kinds.is_empty() {
                continue;
            }
            match keys().find(|key| key.name == entry.key) {
                Some(key) => {
                    let got = self.value(&entry.node, &join(path, key.name), key);
                    record.bad |= got.is_none();
                    record.entries.insert(key.name, (entry, got));
                }
                None if kind.is_none() && !sheet.kinds.is_empty() => {}
                None => {
                    let names: Vec<&str> = keys().map(|key| key.name).collect();
                    self.unknown_key(entry, path, &names, sheet, record.kind);
                    record.bad = true;
                }
            }
        }
        for key in keys() {
            if key.need == Need::Required && !record.given(key.name) {
                self.missing(at, path, key);
                record.bad = true;
            }
        }
        let groups = sheet.one_of.iter();
        for group in groups.chain(kind.map_or(&[] as &[_], |kind| kind.one_of)) {
            let given: Vec<&str> = group
                .keys
                .iter()
                .copied()
                .filter(|key| record.given(key))
                .collect();
            let choices = format!("`{}`", group.keys.join("`, `"));
            if given.is_empty() && group.required {
                self.notes
                    .error(at, path, format!("one of {choices} is missing"))
                    .allowed(format!("exactly one of {choices}"));
                record.bad = true;
            } else if let [_, second, ..] = given.as_slice() {
                let (place, path) = (record.place(second), record.path_of(second));
                let how = if group.required {
                    "exactly one"
                } else {
                    "at most one"
                };
                self.notes
                    .error(
                        &place,
                        &path,
                        format!(
                            "`{}` stand together, but one of them is enough",
                            given.join("` and `")
                        ),
                    )
                    .allowed(format!("{how} of {choices}"))
                    .hint("remove all but one");
                record.bad = true;
            }
        }
        record
    }

    /// The word of `type`, read before anything else.
    fn kind(
        &mut self,
        table: &Table,
        at: &Origin,
        path: &str,
        kinds: &'static [Kind],
    ) -> Option<&'static Kind> {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        let Some(entry) = table.get("type") else {
            self.notes
                .error(at, &join(path, "type"), "`type` is missing")
                .allowed(names.join(", "));
            return None;
        };
        let path = join(path, "type");
        let word = self.word(&entry.node, &path, &names)?;
        kinds.iter().find(|kind| kind.name == word)
    }

    /// One of some words.
    pub fn word<'w>(&mut self, node: &Node, path: &str, words: &[&'w str]) -> Option<&'w str> {
        let Some(text) = node.text() else {
            self.wrong_type(node, path, "one of the words below")
                .allowed(words.join(", "));
            return None;
        };
        let found = words.iter().find(|word| **word == text);
        if found.is_none() {
            let name = last(path);
            self.notes
                .wrong(
                    node,
                    path,
                    format!("`{}` is no {name} that is known", cut(text)),
                )
                .allowed(words.join(", "))
                .nearest(&match synonym(text).filter(|word| words.contains(word)) {
                    Some(word) => vec![word],
                    None => nearest(text, words.iter().copied()),
                });
        }
        found.copied()
    }

    /// A table that does not exist.
    pub fn unknown_root(&mut self, entry: &Entry) {
        let names: Vec<&str> = ROOT.keys.iter().map(|key| key.name).collect();
        self.unknown_key(entry, "", &names, &ROOT, "");
    }

    fn unknown_key(
        &mut self,
        entry: &Entry,
        path: &str,
        names: &[&'static str],
        sheet: &Sheet,
        kind: &str,
    ) {
        if self.notes.full() {
            self.notes.error(&entry.key_at, "", "");
            return;
        }
        let typed = entry.key.as_str();
        let mut close = match key_meant(typed, names) {
            Some(name) => vec![name],
            None => nearest(typed, names.iter().copied()),
        };
        // `bodies` for `body`, `forces` for `force`.
        let single = typed.strip_suffix("ies").map(|stem| format!("{stem}y"));
        close.extend(
            names
                .iter()
                .copied()
                .filter(|name| Some(*name) == single.as_deref()),
        );
        let elsewhere: Vec<&str> = sheet
            .kinds
            .iter()
            .filter(|kind| kind.keys.iter().any(|key| key.name == typed))
            .map(|kind| kind.name)
            .collect();
        let what = if path.is_empty() {
            format!("there is no key or table `{}`", cut(typed))
        } else if kind.is_empty() {
            format!("`{path}` takes no key `{}`", cut(typed))
        } else {
            format!("`{path}`, of type {kind}, takes no key `{}`", cut(typed))
        };
        let found = self.notes.error(&entry.key_at, &join(path, typed), what);
        if names.is_empty() {
            found.allowed("no keys");
        } else {
            found.allowed(names.join(", "));
        }
        found.nearest(&close);
        if !elsewhere.is_empty() {
            found.hint(format!("it is a key of type {}", elsewhere.join(", ")));
        }
    }

    fn missing(&mut self, at: &Origin, path: &str, key: &Key) {
        self.notes
            .error(
                at,
                &join(path, key.name),
                format!("`{}` is missing", key.name),
            )
            .allowed(describe(key))
            .hint(inside_a_sentence(key.doc));
    }

    /// A value of another TOML type than the key takes.
    fn wrong_type(
        &mut self,
        node: &Node,
        path: &str,
        wanted: &str,
    ) -> &mut crate::model::diagnostic::Diagnostic {
        let message = format!("`{}` must be {wanted}, not {}", last(path), node.kind());
        self.notes.wrong(node, path, message)
    }

    /// The value of a key, or `None` after a complaint.
    fn value(&mut self, node: &'a Node, path: &str, key: &Key) -> Option<Got<'a>> {
        match key.takes {
            Takes::Text => match node.text() {
                Some(text) => Some(Got::Text(text)),
                None => {
                    self.wrong_type(node, path, "a text");
                    None
                }
            },
            Takes::Word(words) => self.word(node, path, words).map(Got::Word),
            Takes::Flag => match node.value {
                Value::Flag(flag) => Some(Got::Flag(flag)),
                _ => {
                    self.wrong_type(node, path, "true or false");
                    None
                }
            },
            Takes::Whole(least) => self.whole(node, path, least).map(Got::Whole),
            Takes::Quantity(dimension, range) => {
                self.number(node, path, dimension, range).map(Got::Number)
            }
            Takes::Quantities(dimensions, range) => {
                self.list(node, path, dimensions, range).map(Got::Numbers)
            }
            Takes::Function(Of::Motion, dimension) => {
                self.input(node, path, dimension).map(Got::Input)
            }
            Takes::Function(of, dimension) => {
                self.function(node, path, of, dimension).map(Got::Function)
            }
            Takes::Functions(_, dimension) => {
                let [x, y] = self.pair(node, path, "two functions, [x, y]")?;
                let both = [
                    self.input(x, path, dimension),
                    self.input(y, path, dimension),
                ];
                match both {
                    [Some(x), Some(y)] => Some(Got::Inputs([x, y])),
                    _ => None,
                }
            }
            Takes::Drive | Takes::DriveConstant => Some(Got::Raw),
            Takes::Place => self.site(node, path).map(Got::Site),
            Takes::Places => {
                let [first, second] =
                    self.pair(node, path, "two places, [\"first\", \"second\"]")?;
                match [self.site(first, path), self.site(second, path)] {
                    [Some(first), Some(second)] => Some(Got::Sites([first, second])),
                    _ => None,
                }
            }
            Takes::Body => self.body(node, path).map(Got::Body),
            Takes::Joint | Takes::Coordinate | Takes::File => match node.text() {
                Some(text) => Some(Got::Text(text)),
                None => {
                    self.wrong_type(node, path, "a text");
                    None
                }
            },
            Takes::Channels => {
                let list = node
                    .list()
                    .filter(|list| list.iter().all(|one| one.text().is_some()));
                if list.is_none() {
                    self.wrong_type(node, path, "a list of names, such as [\"slider.x\"]");
                }
                list.map(|_| Got::Raw)
            }
            Takes::Points | Takes::Parameters | Takes::Named(_) => match node.table() {
                Some(_) => Some(Got::Raw),
                None => {
                    self.wrong_type(node, path, "a table");
                    None
                }
            },
            Takes::Table(sheet) => self.inner(node, path, sheet),
            Takes::NumberOr(dimension, range, sheet) => match node.value {
                Value::Table(_) => self.inner(node, path, sheet),
                _ => self.number(node, path, dimension, range).map(Got::Number),
            },
            Takes::Law(sheet, laws) => self.law(node, path, sheet, laws),
            Takes::Later => {
                self.later(&node.at, path);
                None
            }
        }
    }

    /// A name that is known but not to be had yet.
    pub fn later(&mut self, at: &Origin, path: &str) {
        self.notes
            .error(
                at,
                path,
                format!(
                    "`{}` is known, but not yet to be had in this version",
                    last(path)
                ),
            )
            .hint("remove it; it comes with a later version");
    }

    fn inner(&mut self, node: &'a Node, path: &str, sheet: &'static Sheet) -> Option<Got<'a>> {
        let Some(table) = node.table() else {
            let wrong = self.wrong_type(node, path, "a table");
            if last(path) == "shape" {
                wrong.hint("write it as { type = \"rod\", length = \"0.5 m\" }");
            }
            return None;
        };
        let record = self.sheet(table, &node.at, path, sheet);
        (!record.bad).then_some(Got::Record(record))
    }

    fn whole(&mut self, node: &Node, path: &str, least: u64) -> Option<u64> {
        let found = match node.value {
            Value::Whole(n) => u64::try_from(n).ok(),
            // 1e6 is a float in TOML; people write it all the same.
            Value::Number(x) if (0.0..=1e15).contains(&x) && x.floor() == x => Some(x as u64),
            Value::Number(_) => {
                let message = format!("`{}` must be a whole number", last(path));
                self.notes
                    .wrong(node, path, message)
                    .allowed(format!("≥ {least}"));
                return None;
            }
            _ => {
                self.wrong_type(node, path, "a whole number");
                return None;
            }
        };
        match found {
            Some(n) if n >= least => Some(n),
            _ => {
                self.notes
                    .wrong(node, path, format!("`{}` is too small", last(path)))
                    .allowed(format!("≥ {least}"));
                None
            }
        }
    }

    /// Two values of a list.
    pub fn pair(&mut self, node: &'a Node, path: &str, wanted: &str) -> Option<[&'a Node; 2]> {
        match node.list() {
            Some([first, second]) => Some([first, second]),
            Some(list) => {
                let message = format!(
                    "`{}` must be a list of {wanted}, not of {}",
                    last(path),
                    list.len()
                );
                self.notes.wrong(node, path, message);
                None
            }
            None => {
                self.wrong_type(node, path, &format!("a list of {wanted}"));
                None
            }
        }
    }

    /// A list of quantities.
    pub fn list(
        &mut self,
        node: &Node,
        path: &str,
        dimensions: &[Dimension],
        range: Range,
    ) -> Option<Vec<f64>> {
        let list = match node.list() {
            Some(list) if list.len() == dimensions.len() => list,
            Some(list) => {
                let message = format!(
                    "`{}` must be a list of {}, not of {}",
                    last(path),
                    dimensions.len(),
                    list.len()
                );
                self.notes
                    .wrong(node, path, message)
                    .allowed(units_of(dimensions));
                return None;
            }
            None => {
                self.wrong_type(node, path, &format!("a list of {}", dimensions.len()))
                    .allowed(units_of(dimensions));
                return None;
            }
        };
        let each = list.iter().zip(dimensions);
        let numbers: Vec<Option<f64>> = each
            .map(|(node, dimension)| self.number(node, path, *dimension, range))
            .collect();
        numbers.into_iter().collect()
    }

    /// A quantity.
    pub fn number(
        &mut self,
        node: &Node,
        path: &str,
        dimension: Dimension,
        range: Range,
    ) -> Option<f64> {
        let value = match (&node.value, node.number()) {
            (_, Some(x)) => x,
            (Value::Text(text), _) => self.evaluate(node, text, path, dimension)?,
            _ => {
                let unit = dimension.unit();
                let wanted = if unit == "1" {
                    "a number".into()
                } else {
                    format!("{dimension}: a number, or a text such as \"2.5 {unit}\"")
                };
                self.wrong_type(node, path, &wanted);
                return None;
            }
        };
        let name = last(path);
        let unit = match dimension.unit() {
            unit if unit == "1" => String::new(),
            unit => format!(" {unit}"),
        };
        let wrong = if !value.is_finite() {
            format!("`{name}` must be a finite number")
        } else if range.contains(value) {
            return Some(value);
        } else {
            format!("`{name}` must be {}", rule(range))
        };
        let shown = match &node.value {
            // What an expression comes to is part of what is wrong.
            Value::Text(text) if units::parse(text, dimension).is_err() => {
                format!("{} = {value}{unit}", cut(text))
            }
            _ => node.shown(),
        };
        self.notes
            .wrong(node, path, wrong)
            .value(shown)
            .allowed(bounds(range, unit.trim_start()));
        None
    }

    /// The value of a text without variables.
    fn evaluate(
        &mut self,
        node: &Node,
        text: &str,
        path: &str,
        dimension: Dimension,
    ) -> Option<f64> {
        let names = Names::new(&self.parameters);
        let parsed = Expression::parse(text, &names);
        let spoiled = names.spoiled.get();
        match parsed {
            _ if spoiled => None,
            Ok(expression) => match expression.fits(dimension) {
                Ok(()) => expression.constant(),
                Err(error) => {
                    self.blame(node, path, &[error]);
                    None
                }
            },
            Err(errors) => {
                self.blame(node, path, &errors);
                None
            }
        }
    }

    /// Complains about every fault of an expression.
    pub fn blame(&mut self, node: &Node, path: &str, errors: &[ExpressionError]) {
        for error in errors {
            let word = node.text().and_then(|text| text.get(error.span.clone()));
            let hint = match word {
                Some("t") if error.message.contains("not known") => {
                    "this key takes a constant: no function of t can stand here".into()
                }
                _ => error.hint.clone(),
            };
            self.notes
                .inside(node, path, error.span.clone(), error.message.clone())
                .hint(hint);
        }
    }

    /// A function of one variable.
    pub fn function(
        &mut self,
        node: &Node,
        path: &str,
        of: Of,
        dimension: Dimension,
    ) -> Option<Function> {
        match self.formula(node, path, of, dimension)? {
            Input::Time(function) => Some(function),
            // The states are not in the scope of any other function.
            Input::Motion(_) => None,
        }
    }

    /// A function of time and of the motion.
    pub fn input(&mut self, node: &Node, path: &str, dimension: Dimension) -> Option<Input> {
        self.formula(node, path, Of::Motion, dimension)
    }

    fn formula(&mut self, node: &Node, path: &str, of: Of, dimension: Dimension) -> Option<Input> {
        /// More states in one function than anyone needs; they stand on the stack.
        const MOST: usize = 31;
        let Some(text) = node.text() else {
            let number = self.number(node, path, dimension, Range::ANY)?;
            return Some(number.into());
        };
        let mut names = Names::new(&self.parameters);
        names.of = Some(of);
        names.world = (of == Of::Motion).then_some(&self.world);
        let parsed = Expression::parse(text, &names);
        let (spoiled, states) = (names.spoiled.get(), names.states.into_inner());
        let expression = match parsed {
            _ if spoiled => return None,
            Ok(expression) => expression,
            Err(errors) => {
                self.blame(node, path, &errors);
                return None;
            }
        };
        if let Err(error) = expression.fits(dimension) {
            self.blame(node, path, &[error]);
            return None;
        }
        if let Some(value) = expression.constant() {
            if !value.is_finite() {
                let message = format!("`{}` must be a finite number", last(path));
                self.notes
                    .wrong(node, path, message)
                    .value(format!("{} = {value}", cut(text)));
                return None;
            }
            return Some(value.into());
        }
        let breaks = self
            .times
            .filter(|_| matches!(of, Of::Time | Of::Motion))
            .map(|[start, end]| expression.breaks(start, end));
        if states.is_empty() {
            let function = Function::Other(std::sync::Arc::new(move |x| expression.jet(x)));
            if matches!(of, Of::Time | Of::Motion) {
                self.probe(node, path, &function, of == Of::Time)?;
            }
            self.note_breaks(node, path, breaks, Some(&function));
            return Some(function.into());
        }
        if states.len() > MOST {
            let message = format!("this function uses {} states of the motion", states.len());
            self.notes
                .wrong(node, path, message)
                .allowed(format!("at most {MOST}"));
            return None;
        }
        let input = Input::motion(move |t, poses| motion_value(&expression, &states, t, poses));
        self.probe_motion(node, path, &input);
        self.note_breaks(node, path, breaks, None);
        Some(input)
    }

    /// Keeps where a function of time jumps or has a corner, and where a short peak begins and ends.
    fn note_breaks(
        &mut self,
        node: &Node,
        path: &str,
        breaks: Option<Option<Vec<f64>>>,
        function: Option<&Function>,
    ) {
        let (Some(breaks), Some([start, end])) = (breaks, self.times) else {
            return;
        };
        let Some(breaks) = breaks else {
            let message = format!(
                "`{}` jumps or has a corner more than 10 000 times: the integrator is not told when, and may step over some",
                last(path)
            );
            self.notes
                .warning(&node.at, path, message)
                .value(node.shown())
                .hint("a `max_step` below the time from one to the next, or a shorter simulation");
            return;
        };
        if let Some(function) = function {
            let peaks = probe::peaks(&|t| function.value(t), start, end, &breaks);
            self.breaks.extend(peaks);
        }
        self.breaks.extend(breaks);
    }

    /// A function of time must be a number at all times; where something is driven by it, so must its derivatives.
    pub fn probe(
        &mut self,
        node: &Node,
        path: &str,
        function: &Function,
        drives: bool,
    ) -> Option<()> {
        let Some([start, end]) = self.times else {
            return Some(());
        };
        let at = |t: f64| {
            let [value, first, second] = function.at(t);
            if drives {
                [value, first, second]
            } else {
                [value, 0.0, 0.0]
            }
        };
        let Some(found) = probe::pole(&at, start, end) else {
            return Some(());
        };
        let derivatives = if drives {
            ", with two finite derivatives,"
        } else {
            ""
        };
        let what = if found.derivatives {
            "has no finite derivatives"
        } else {
            "is not a finite number"
        };
        let t = probe::rounded(found.at);
        let message = format!("`{}` {what} at t = {t} s", last(path));
        self.notes
            .wrong(node, path, message)
            .allowed(format!(
                "a finite number{derivatives} from t = {start} s to {end} s"
            ))
            .hint("look for a division by zero, or a root or logarithm of a negative number there");
        None
    }

    /// A function of the motion can only be looked at where the motion is known: at the start, as the file has it. Assembly may still move it, so this is a warning.
    fn probe_motion(&mut self, node: &Node, path: &str, input: &Input) {
        let start = self.times.map_or(0.0, |times| times[0]);
        if input.value(start, &self.world.poses).is_finite() {
            return;
        }
        let message = format!(
            "`{}` is not a finite number as the bodies stand at the start",
            last(path)
        );
        self.notes
            .warning(&node.at, path, message)
            .value(node.shown())
            .hint("look for a division by a velocity that is zero");
    }

    /// A place.
    pub fn site(&mut self, node: &Node, path: &str) -> Option<Site> {
        let Some(text) = node.text() else {
            self.wrong_type(
                node,
                path,
                "a place: \"ground\", \"ground.point\", \"body\" or \"body.point\"",
            );
            return None;
        };
        let (body, point) = match text.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (text, None),
        };
        let index = self.body_named(node, path, body)?;
        let standing = match index {
            Some(index) => self.world.bodies.get(index)?,
            None => &self.world.ground,
        };
        let Some(point) = point else {
            let place = Place::new(index, [0.0; 2], 0.0);
            return Some(Site {
                place,
                sound: standing.sound,
            });
        };
        if let Some(known) = standing.points.get(point) {
            let sound = known.sound && standing.sound;
            let place = Place::new(index, known.at, 0.0);
            return Some(Site { place, sound });
        }
        let close: Vec<String> = nearest(point, standing.points.keys().map(String::as_str))
            .iter()
            .map(|point| format!("{body}.{point}"))
            .collect();
        let points: Vec<&str> = standing
            .points
            .keys()
            .map(String::as_str)
            .take(20)
            .collect();
        let allowed = if points.is_empty() {
            format!("`{body}` has no points: only \"{body}\" itself")
        } else {
            format!("its points are {}", points.join(", "))
        };
        self.notes
            .wrong(
                node,
                path,
                format!("`{body}` has no point `{}`", cut(point)),
            )
            .allowed(allowed)
            .hint(if point.contains('.') {
                "a place is \"body\" or \"body.point\", and nothing more".to_string()
            } else {
                format!(
                    "points are written `points.{} = [x, y]` in the table of `{body}`",
                    cut(point)
                )
            })
            .nearest(&close);
        None
    }

    fn body(&mut self, node: &Node, path: &str) -> Option<Option<usize>> {
        match node.text() {
            Some(text) => self.body_named(node, path, text),
            None => {
                self.wrong_type(node, path, "the name of a body");
                None
            }
        }
    }

    /// The body of this name; `None` inside is the ground.
    pub fn body_named(&mut self, node: &Node, path: &str, name: &str) -> Option<Option<usize>> {
        if name == "ground" {
            return Some(None);
        }
        if let Some(index) = self.world.by_name.get(name) {
            return Some(Some(*index));
        }
        let names = self.world.by_name.keys().map(String::as_str);
        let close = nearest(name, names.clone().chain(["ground"]));
        let few: Vec<&str> = names.take(20).chain(["ground"]).collect();
        let close: Vec<String> = close.iter().map(|name| name.to_string()).collect();
        let few = few.join(", ");
        self.notes
            .wrong(node, path, format!("there is no body `{}`", cut(name)))
            .allowed(few)
            .nearest(&close);
        None
    }

    /// Both places on one body: nothing is left to hold.
    pub fn apart(&mut self, record: &Record<'_>, key: &str, what: &str) -> Option<[Site; 2]> {
        let sites = record.sites(key)?;
        let [first, second] = sites.map(|site| site.place.body());
        if first != second {
            return Some(sites);
        }
        let name = match first.and_then(|index| self.world.bodies.get(index)) {
            Some(body) => format!("`{}`", body.name),
            None => "the ground".into(),
        };
        let path = record.path_of(key);
        let found = self.notes.error(
            &record.place(key),
            &path,
            format!("both ends of this {what} are on {name}"),
        );
        found.allowed("places on two bodies, or on a body and the ground");
        if let Some(node) = record.node(key) {
            found.value(node.shown());
        }
        None
    }
}

/// A function of motion at one instant; nothing allocates.
fn motion_value(expression: &Expression, states: &[State], t: f64, poses: &[Pose]) -> f64 {
    let mut variables = [0.0; 32];
    let mut slots = variables.iter_mut();
    if let Some(slot) = slots.next() {
        *slot = t;
    }
    for (slot, state) in slots.zip(states) {
        *slot = state.value(poses);
    }
    let count = states.len() + 1;
    expression.value(variables.get(..count).unwrap_or(&variables))
}

/// A path and one more key.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.into()
    } else {
        format!("{path}.{}", cut(key))
    }
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// A range in words: `above 0`.
fn rule(range: Range) -> String {
    let (low, high) = (short(range.low), short(range.high));
    match (range.low.is_finite(), range.high.is_finite()) {
        (true, true) => format!("between {low} and {high}"),
        (true, false) if range.low_allowed => format!("{low} or above"),
        (true, false) => format!("above {low}"),
        (false, true) if range.high_allowed => format!("{high} or below"),
        (false, true) => format!("below {high}"),
        (false, false) => "a finite number".into(),
    }
}

/// A range in signs: `> 0 kg`.
fn bounds(range: Range, unit: &str) -> String {
    let sign = |allowed| if allowed { "≤" } else { "<" };
    let text = match (range.low.is_finite(), range.high.is_finite()) {
        (false, false) => return "any finite number".into(),
        (true, false) => {
            let sign = if range.low_allowed { "≥" } else { ">" };
            format!("{sign} {}", short(range.low))
        }
        (false, true) => format!("{} {}", sign(range.high_allowed), short(range.high)),
        (true, true) => format!(
            "{} {} x {} {}",
            short(range.low),
            sign(range.low_allowed),
            sign(range.high_allowed),
            short(range.high)
        ),
    };
    format!("{text} {unit}").trim_end().into()
}

/// `[m, m]`.
fn units_of(dimensions: &[Dimension]) -> String {
    let units: Vec<String> = dimensions
        .iter()
        .map(|dimension| dimension.unit())
        .collect();
    format!("[{}]", units.join(", "))
}

/// What a key takes, in words; for complaints and for the schema.
pub(crate) fn describe(key: &Key) -> String {
    let bounded = |dimension: Dimension, range: Range| {
        if range == Range::ANY {
            dimension.to_string()
        } else {
            format!("{dimension}, {}", bounds(range, ""))
        }
    };
    match key.takes {
        Takes::Text => "a text".into(),
        Takes::Word(words) => words.join(", "),
        Takes::Flag => "true or false".into(),
        Takes::Whole(least) => format!("a whole number, ≥ {least}"),
        Takes::Quantity(dimension, range) => bounded(dimension, range),
        Takes::Quantities(dimensions, _) => format!("a list {}", units_of(dimensions)),
        Takes::Function(of, dimension) => format!("{dimension}, a number or a {}", of.words()),
        Takes::Functions(of, dimension) => format!(
            "a list of two, each {dimension}: a number or a {}",
            of.words()
        ),
        Takes::Drive => "a number or a function of t; for a point, a list of two".into(),
        Takes::DriveConstant => "a quantity; for a point, a list of two".into(),
        Takes::Place => "a place: \"ground\", \"ground.point\", \"body\" or \"body.point\"".into(),
        Takes::Places => "two places, such as [\"ground\", \"rod.A\"]".into(),
        Takes::Body => "the name of a body".into(),
        Takes::Joint => "the name of a joint".into(),
        Takes::Coordinate => {
            "\"body.x\", \"body.y\", \"body.angle\", \"body.point.x\" or \"body.point.y\"".into()
        }
        Takes::File => "the name of a CSV file, relative to this file".into(),
        Takes::Channels => "a list of channel names".into(),
        Takes::Points => "named points, name = [x, y] in m".into(),
        Takes::Parameters => "named numbers, quantities or expressions".into(),
        Takes::Table(_) => "a table".into(),
        Takes::NumberOr(..) => "a number or a table".into(),
        Takes::Named(_) => "named tables".into(),
        Takes::Law(_, Laws::Friction) => "a table with a law of friction and its parameters".into(),
        Takes::Law(..) => "a table with a law of contact and its parameters".into(),
        Takes::Later => "comes with a later version".into(),
    }
}
