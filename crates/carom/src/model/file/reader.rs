//! How is a table read by its description, and what is said of what does not fit?

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::card::{Range, nearest};
use crate::math;
use crate::mechanics::Place;
use crate::model::diagnostic::cut;
use crate::model::expression::{Expression, ExpressionError};
use crate::model::file::csv::Columns;
use crate::model::file::notes::Notes;
use crate::model::file::record::{Got, Record, Site};
use crate::model::file::scope::{Names, Parameters, World};
use crate::model::file::tables::{JOINT, Key, Kind, Laws, Need, Of, ROOT, Sheet, Takes};
use crate::model::file::tree::{Entry, Node, Origin, Table, Value};
use crate::model::file::words::{
    bounds, describe, inside_a_sentence, join, key_meant, last, rule, synonym, units_of,
};
use crate::model::method::ContactMethod;
use crate::model::units::{self, Dimension};

/// Everything that reading a value may need.
pub(crate) struct Reader<'a> {
    pub notes: Notes<'a>,
    /// Names of tables are relative to it.
    pub folder: PathBuf,
    pub parameters: Parameters,
    pub world: World,
    /// How contacts are computed, once that has been read.
    pub method: ContactMethod,
    /// Start and end, s, once they are known and sound.
    pub times: Option<[f64; 2]>,
    /// Where functions of time jump or have a corner, s, function after function.
    pub breaks: Vec<f64>,
    /// The tables read so far.
    pub columns: Vec<Columns>,
    /// Joints whose `clearance` is given and is 0.
    pub ideal: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Nothing read yet; names of tables are relative to `folder`.
    pub fn new(notes: Notes<'a>, folder: PathBuf) -> Self {
        Self {
            notes,
            folder,
            parameters: Parameters::new(),
            world: World::default(),
            method: ContactMethod::default(),
            times: None,
            breaks: Vec::new(),
            columns: Vec::new(),
            ideal: Vec::new(),
        }
    }

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
            rest: Vec::new(),
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
        let names_law = keys().any(|key| matches!(key.takes, Takes::LawName(_)));
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
                None if names_law => record.rest.push(entry),
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
            let name = match path {
                "method.contact" => "method of contact",
                path => last(path),
            };
            self.notes
                .wrong(
                    node,
                    path,
                    format!("`{}` is no {name} that is known", cut(text)),
                )
                .allowed(words.join(", "))
                .nearest(&match synonym(text, words) {
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

    /// A key that neither a joint nor any law has.
    pub fn unknown_of_joint(&mut self, entry: &Entry, record: &Record<'_>) {
        let own = JOINT.kinds.iter().filter(|kind| kind.name == record.kind);
        let own = own.flat_map(|kind| kind.keys);
        let names: Vec<&str> = JOINT.keys.iter().chain(own).map(|key| key.name).collect();
        let laws = Laws::Contact.all();
        let of_laws = laws.iter().flat_map(|law| law.parameters);
        let all = names.iter().copied().chain(of_laws.map(|p| p.name));
        let mut close = nearest(&entry.key, all);
        close.dedup();
        let (path, key, kind) = (&record.path, cut(&entry.key), record.kind);
        let message = format!("`{path}`, of type {kind}, takes no key `{key}`");
        self.notes
            .error(&entry.key_at, &join(path, &entry.key), message)
            .allowed(format!("{}, and the keys of the law", names.join(", ")))
            .nearest(&close);
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
    pub fn wrong_type(
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
            Takes::Drive
            | Takes::DriveConstant
            | Takes::Spot
            | Takes::Spots(_)
            | Takes::Outlines
            | Takes::OutlineList
            | Takes::Bodies
            | Takes::Materials
            | Takes::Restitution
            | Takes::Any(_) => Some(Got::Raw),
            Takes::Direction => self.direction(node, path),
            Takes::Spread(dimension) => self.spread(node, path, dimension).map(Got::Numbers),
            Takes::Region => self.region(node, path).map(Got::Numbers),
            Takes::Coefficients => self.coefficients(node, path),
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
            Takes::Joint
            | Takes::Coordinate
            | Takes::File
            | Takes::Material
            | Takes::OwnForce
            | Takes::LawName(_) => match node.text() {
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
        }
    }

    /// An angle, or two numbers along the direction: a unit vector.
    fn direction(&mut self, node: &'a Node, path: &str) -> Option<Got<'a>> {
        let Some(list) = node.list() else {
            let angle = self.number(node, path, Dimension::ANGLE, Range::ANY)?;
            let (sin, cos) = math::sin_cos(angle);
            // A right angle is meant to be one.
            let clean = |x: f64| if x.abs() < 1e-15 { 0.0 } else { x };
            return Some(Got::Numbers(vec![clean(cos), clean(sin)]));
        };
        if list.len() != 2 {
            let message = format!(
                "`{}` must be an angle or a list of two numbers, not of {}",
                last(path),
                list.len()
            );
            self.notes.wrong(node, path, message);
            return None;
        }
        let none = Dimension::NONE;
        let along = self.list(node, path, &[none, none], Range::ANY)?;
        let [x, y] = along.try_into().ok()?;
        let size = math::sqrt(x * x + y * y);
        if !(size > 0.0 && size.is_finite()) {
            self.notes
                .wrong(node, path, format!("`{}` has no direction", last(path)))
                .allowed("an angle, or [x, y] with one of them not 0");
            return None;
        }
        Some(Got::Numbers(vec![x / size, y / size]))
    }

    /// c0 in m, c1 a pure number, c2 in 1/m …
    fn coefficients(&mut self, node: &'a Node, path: &str) -> Option<Got<'a>> {
        let count = match node.list() {
            Some(list) if !list.is_empty() => list.len(),
            Some(_) => {
                self.notes
                    .wrong(node, path, format!("`{}` is an empty list", last(path)))
                    .allowed("at least one coefficient");
                return None;
            }
            None => {
                self.wrong_type(node, path, "a list of coefficients, [c0, c1, c2, …]");
                return None;
            }
        };
        let kinds = (0..count).map(|k| Dimension::new(1.0 - k as f64, 0.0, 0.0, 0.0));
        let kinds: Vec<Dimension> = kinds.collect();
        self.list(node, path, &kinds, Range::ANY).map(Got::Numbers)
    }

    /// A quantity above 0, or two between which it is drawn: the least and the largest.
    fn spread(&mut self, node: &Node, path: &str, dimension: Dimension) -> Option<Vec<f64>> {
        if node.list().is_none() {
            let value = self.number(node, path, dimension, Range::POSITIVE)?;
            return Some(vec![value, value]);
        }
        let both = self.list(node, path, &[dimension, dimension], Range::POSITIVE)?;
        if let [low, high] = both.as_slice()
            && low > high
        {
            let message = format!("`{}` must name the smaller one first", last(path));
            self.notes
                .wrong(node, path, message)
                .allowed("[least, largest]");
            return None;
        }
        Some(both)
    }

    /// The least x and y, and the largest, of a rectangle between two corners.
    fn region(&mut self, node: &'a Node, path: &str) -> Option<Vec<f64>> {
        let [one, other] = self.pair(node, path, "two corners, [[x, y], [x, y]]")?;
        let length = [Dimension::LENGTH; 2];
        let one = self.list(one, path, &length, Range::ANY);
        let other = self.list(other, path, &length, Range::ANY);
        let (one, other) = (one?, other?);
        let both = || one.iter().zip(&other);
        let low = both().map(|(a, b)| a.min(*b));
        Some(low.chain(both().map(|(a, b)| a.max(*b))).collect())
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
        let group = self.world.groups.iter().any(|group| group == name);
        self.notes
            .wrong(node, path, format!("there is no body `{}`", cut(name)))
            .allowed(few)
            .hint(if group {
                "it is a group: what its members may touch stands in its own table, in `touches`"
            } else {
                ""
            })
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
