//! What does an editor need to know to complete and check a model file?
//!
//! A JSON schema of draft 2020-12, made from the same description by which files are read. Where `type` chooses among kinds of elements, the keys of the chosen kind follow by `if` and `then`.

use crate::card::Range;
use crate::model::file::laws::OWN;
use crate::model::file::tables::{Key, Kind, Laws, Need, OneOf, ROOT, Sheet, Takes};
use crate::model::file::words::describe;

/// The JSON schema of model files.
pub fn schema() -> String {
    schema_of("Carom model file", &ROOT)
}

/// The JSON schema of files of another kind.
pub(crate) fn schema_of(title: &str, tables: &Sheet) -> String {
    let mut root = sheet(tables);
    root.put_first("title", title);
    root.put_first("$schema", "https://json-schema.org/draft/2020-12/schema");
    let mut text = String::new();
    root.0.write(0, &mut text);
    text.push('\n');
    text
}

/// A JSON value.
enum Json {
    Text(String),
    Number(f64),
    Flag(bool),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Json::Text(text)
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Self {
        Json::Number(number)
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Json::Flag(flag)
    }
}

impl From<Vec<Json>> for Json {
    fn from(list: Vec<Json>) -> Self {
        Json::List(list)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        object.0
    }
}

/// An object under construction.
struct Object(Json);

impl Object {
    fn new() -> Self {
        Object(Json::Object(Vec::new()))
    }

    fn of(key: &str, value: impl Into<Json>) -> Self {
        Object::new().with(key, value)
    }

    fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        if let Json::Object(entries) = &mut self.0 {
            entries.push((key.into(), value.into()));
        }
        self
    }

    /// The ids of laws as the only words of `law`.
    fn with_law(mut self, ids: &[&str]) -> Self {
        if let Json::Object(entries) = &mut self.0
            && let Some((_, Json::Object(properties))) =
                entries.iter_mut().find(|(key, _)| key == "properties")
            && let Some((_, Json::Object(law))) =
                properties.iter_mut().find(|(key, _)| key == "law")
        {
            law.push(("enum".into(), words(ids)));
        }
        self
    }

    fn put_first(&mut self, key: &str, value: impl Into<Json>) {
        if let Json::Object(entries) = &mut self.0 {
            entries.insert(0, (key.into(), value.into()));
        }
    }
}

impl Json {
    fn write(&self, depth: usize, text: &mut String) {
        let indent = |depth: usize| "  ".repeat(depth);
        match self {
            Json::Text(value) => quote(value, text),
            Json::Number(number) => text.push_str(&number.to_string()),
            Json::Flag(flag) => text.push_str(&flag.to_string()),
            Json::List(list) if list.iter().all(Json::is_small) => {
                text.push('[');
                for (i, value) in list.iter().enumerate() {
                    if i > 0 {
                        text.push_str(", ");
                    }
                    value.write(depth, text);
                }
                text.push(']');
            }
            Json::List(list) => {
                text.push('[');
                for (i, value) in list.iter().enumerate() {
                    text.push_str(if i > 0 { ",\n" } else { "\n" });
                    text.push_str(&indent(depth + 1));
                    value.write(depth + 1, text);
                }
                text.push('\n');
                text.push_str(&indent(depth));
                text.push(']');
            }
            Json::Object(entries) if entries.is_empty() => text.push_str("{}"),
            Json::Object(entries) => {
                text.push('{');
                for (i, (key, value)) in entries.iter().enumerate() {
                    text.push_str(if i > 0 { ",\n" } else { "\n" });
                    text.push_str(&indent(depth + 1));
                    quote(key, text);
                    text.push_str(": ");
                    value.write(depth + 1, text);
                }
                text.push('\n');
                text.push_str(&indent(depth));
                text.push('}');
            }
        }
    }

    fn is_small(&self) -> bool {
        !matches!(self, Json::List(_) | Json::Object(_))
    }
}

fn quote(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
}

fn words(names: &[&str]) -> Json {
    names
        .iter()
        .map(|name| Json::from(*name))
        .collect::<Vec<Json>>()
        .into()
}

/// A table: its keys, and which of them must be there.
fn sheet(sheet: &Sheet) -> Object {
    let object = Object::of("type", "object");
    if let (Some(laws), true) = (law_of(sheet.keys), sheet.kinds.is_empty()) {
        return law(sheet, laws);
    }
    if sheet.kinds.is_empty() {
        return closed(object, None, sheet, &[], &[]);
    }
    let names: Vec<&str> = sheet.kinds.iter().map(|kind| kind.name).collect();
    let choice = Object::of("type", Object::of("enum", words(&names)));
    let cases: Vec<Json> = sheet
        .kinds
        .iter()
        .map(|kind| {
            let chosen = Object::of(
                "properties",
                Object::of("type", Object::of("const", kind.name)),
            )
            .with("required", words(&["type"]));
            let then = closed(Object::new(), Some(kind), sheet, kind.keys, kind.one_of);
            Object::of("if", chosen).with("then", then).into()
        })
        .collect();
    object
        .with("properties", choice)
        .with("required", words(&["type"]))
        .with("allOf", cases)
}

/// All keys of a table, and no others.
fn closed(
    object: Object,
    kind: Option<&Kind>,
    sheet: &Sheet,
    keys: &[Key],
    one_of: &[OneOf],
) -> Object {
    let mut properties = Object::new();
    if let Some(kind) = kind {
        let word = Object::of("const", kind.name).with("description", kind.doc);
        properties = properties.with("type", word);
    }
    let all = || sheet.keys.iter().chain(keys);
    for key in all() {
        properties = properties.with(key.name, property(key));
    }
    if let Some(laws) = law_of(keys) {
        for (name, about) in of_any_law(laws) {
            if all().all(|key| key.name != name) {
                properties = properties.with(name, number().with("description", about));
            }
        }
    }
    let needed = all().filter(|key| key.need == Need::Required);
    let needed: Vec<&str> = needed.map(|key| key.name).collect();
    let mut object = object.with("properties", properties);
    if !needed.is_empty() {
        object = object.with("required", words(&needed));
    }
    object = object.with("additionalProperties", false);
    let groups: Vec<Json> = sheet.one_of.iter().chain(one_of).map(group).collect();
    if groups.is_empty() {
        object
    } else {
        object.with("allOf", groups)
    }
}

/// The laws that a table names, if it names one.
fn law_of(keys: &[Key]) -> Option<Laws> {
    keys.iter().find_map(|key| match key.takes {
        Takes::LawName(laws) => Some(laws),
        _ => None,
    })
}

/// Every parameter and choice of any of these laws, each once.
fn of_any_law(laws: Laws) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let mut add = |name: &'static str, about: String| {
        if found.iter().all(|known| known.0 != name) {
            found.push((name, about));
        }
    };
    for law in laws.all() {
        for p in law.parameters {
            add(p.name, p.about.into());
        }
        for choice in law.choices {
            add(choice.name, "a choice of the law".into());
        }
    }
    add("separation", "when the bodies part".into());
    found
}

/// Exactly one of some keys, or at most one.
fn group(group: &OneOf) -> Json {
    if group.required {
        let each = group
            .keys
            .iter()
            .map(|key| Object::of("required", words(&[key])).into());
        return Object::of("oneOf", each.collect::<Vec<Json>>()).into();
    }
    let mut pairs = Vec::new();
    for (i, first) in group.keys.iter().enumerate() {
        for second in group.keys.iter().skip(i + 1) {
            pairs.push(Object::of("required", words(&[first, second])).into());
        }
    }
    Object::of("not", Object::of("anyOf", pairs)).into()
}

/// One key, with all that a person should read of it.
fn property(key: &Key) -> Object {
    let mut description = format!("{} Takes {}.", key.doc, describe(key));
    if let Need::Default(default) = key.need {
        description.push_str(&format!(" Default: {default}."));
    }
    let mut taken = match (key.name, key.takes) {
        ("format", _) => Object::of("const", 1.0),
        _ => takes(key.takes),
    };
    taken.put_first("description", description);
    taken
}

/// A number, or a text that means one.
fn number() -> Object {
    Object::of("type", words(&["number", "string"]))
}

fn bounded(range: Range) -> Object {
    let mut object = number();
    if range.low.is_finite() {
        let key = if range.low_allowed {
            "minimum"
        } else {
            "exclusiveMinimum"
        };
        object = object.with(key, range.low);
    }
    if range.high.is_finite() {
        let key = if range.high_allowed {
            "maximum"
        } else {
            "exclusiveMaximum"
        };
        object = object.with(key, range.high);
    }
    object
}

/// A list of exactly these.
fn list(items: Vec<Object>) -> Object {
    let count = items.len() as f64;
    let items: Vec<Json> = items.into_iter().map(Json::from).collect();
    Object::of("type", "array")
        .with("prefixItems", items)
        .with("minItems", count)
        .with("maxItems", count)
}

/// Names of one's own choice.
fn named(pattern: &str, value: Object) -> Object {
    Object::of("type", "object")
        .with("patternProperties", Object::of(pattern, value))
        .with("additionalProperties", false)
}

/// A point by its name, or by its coordinates.
fn spot() -> Object {
    let name = Object::of("type", "string");
    let either: Vec<Json> = vec![name.into(), list(vec![number(), number()]).into()];
    Object::of("anyOf", either)
}

const NAME: &str = "^[A-Za-z][A-Za-z0-9_-]*$";
const PARAMETER: &str = "^[A-Za-z][A-Za-z0-9_]*$";

/// A table that names a law: for each law its own parameters and choices.
fn law(sheet: &Sheet, laws: Laws) -> Object {
    let all = laws.all();
    let ids: Vec<&str> = all
        .iter()
        .flat_map(|law| law.aliases.iter().copied().chain([law.id]))
        .collect();
    let mut common = Object::new();
    for key in sheet.keys {
        common = common.with(key.name, property(key));
    }
    let cases: Vec<Json> = all
        .iter()
        .map(|law| {
            let names: Vec<&str> = law.aliases.iter().copied().chain([law.id]).collect();
            let chosen = Object::of(
                "properties",
                Object::of("law", Object::of("enum", words(&names))),
            )
            .with("required", words(&["law"]));
            let mut properties = Object::new();
            for key in sheet.keys {
                properties = properties.with(key.name, true);
            }
            for p in law
                .parameters
                .iter()
                .filter(|p| sheet.keys.iter().all(|key| key.name != p.name))
            {
                let unit = if p.unit.is_empty() {
                    String::new()
                } else {
                    format!(" [{}]", p.unit)
                };
                let mut number = bounded(p.range);
                number.put_first("description", format!("{}{unit}", p.about));
                properties = properties.with(p.name, number);
            }
            let there = law.parameters.iter().any(|p| p.name == "restitution")
                || sheet.keys.iter().any(|key| key.name == "restitution");
            if !there && !matches!(laws, Laws::Friction | Laws::Rolling) {
                properties = properties.with("restitution", bounded(Range::UNIT));
            }
            for choice in law.choices {
                let names: Vec<&str> = choice.words.iter().map(|(word, _)| *word).collect();
                properties = properties.with(choice.name, Object::of("enum", words(&names)));
            }
            if !law.separations[0].is_empty() {
                properties =
                    properties.with("separation", Object::of("enum", words(&law.separations)));
            }
            let then = Object::of("properties", properties).with("additionalProperties", false);
            Object::of("if", chosen).with("then", then).into()
        })
        .collect();
    let required: Vec<&str> = sheet
        .keys
        .iter()
        .filter(|key| key.need == Need::Required)
        .map(|key| key.name)
        .collect();
    let mut object = Object::of("type", "object").with("properties", common);
    if !required.is_empty() {
        object = object.with("required", words(&required));
    }
    let object = object.with("allOf", cases);
    match law_of(sheet.keys) {
        Some(_) => object,
        None => object.with_law(&ids),
    }
}

fn takes(takes: Takes) -> Object {
    let text = || Object::of("type", "string");
    match takes {
        Takes::Text
        | Takes::Place
        | Takes::Body
        | Takes::Joint
        | Takes::Coordinate
        | Takes::Material
        | Takes::OwnForce
        | Takes::File => text(),
        Takes::Any(words) => Object::of("description", words),
        Takes::LawName(laws) => {
            let all = laws.all();
            let ids = all
                .iter()
                .flat_map(|law| law.aliases.iter().copied().chain([law.id]));
            let ids: Vec<&str> = ids.chain([OWN]).collect();
            Object::of("enum", words(&ids))
        }
        Takes::Word(names) => Object::of("enum", words(names)),
        Takes::Flag => Object::of("type", "boolean"),
        Takes::Whole(least) => Object::of("type", "integer").with("minimum", least as f64),
        Takes::Quantity(_, range) => bounded(range),
        Takes::Quantities(dimensions, range) => {
            list(dimensions.iter().map(|_| bounded(range)).collect())
        }
        Takes::Function(..) => number(),
        Takes::Functions(..) => list(vec![number(), number()]),
        Takes::Drive | Takes::DriveConstant => {
            let either: Vec<Json> = vec![number().into(), list(vec![number(), number()]).into()];
            Object::of("anyOf", either)
        }
        Takes::Places | Takes::Outlines | Takes::Materials => list(vec![text(), text()]),
        Takes::Spot => spot(),
        Takes::Spots(least) => Object::of("type", "array")
            .with("items", spot())
            .with("minItems", least as f64),
        Takes::Direction => {
            let either: Vec<Json> = vec![number().into(), list(vec![number(), number()]).into()];
            Object::of("anyOf", either)
        }
        Takes::Coefficients => Object::of("type", "array")
            .with("items", number())
            .with("minItems", 1.0),
        Takes::Restitution => {
            let table = Object::of("type", "object")
                .with("properties", Object::of("table", text()))
                .with("required", words(&["table"]))
                .with("additionalProperties", false);
            let either: Vec<Json> = vec![bounded(Range::UNIT).into(), table.into()];
            Object::of("anyOf", either)
        }
        Takes::Channels => Object::of("type", "array").with("items", text()),
        Takes::OutlineList => Object::of("type", "array").with("items", text()),
        Takes::Bodies => Object::of("type", "array")
            .with("items", text())
            .with("minItems", 2.0),
        Takes::Spread(_) => {
            let one = || bounded(Range::POSITIVE);
            let either: Vec<Json> = vec![one().into(), list(vec![one(), one()]).into()];
            Object::of("anyOf", either)
        }
        Takes::Region => {
            let corner = || list(vec![number(), number()]);
            list(vec![corner(), corner()])
        }
        Takes::Points => named(NAME, list(vec![number(), number()])),
        Takes::Parameters => named(PARAMETER, number()),
        Takes::Table(inner) => sheet(inner),
        Takes::NumberOr(_, range, inner) => {
            let either: Vec<Json> = vec![bounded(range).into(), sheet(inner).into()];
            Object::of("anyOf", either)
        }
        Takes::Named(inner) => named(NAME, sheet(inner)),
        Takes::Law(inner, laws) => law(inner, laws),
    }
}
