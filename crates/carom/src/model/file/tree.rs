//! How does a text become a tree of tables and values, each of which knows where it stands?

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::card::short;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// These bytes of the file.
    File(Range<usize>),
    /// The n-th value given beside the file.
    Override(usize),
}

/// What was written.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    /// A whole number, and whether it fits into a float exactly does not matter here.
    Whole(i64),
    Flag(bool),
    /// A date or a time: no key takes one.
    Date,
    List(Vec<Node>),
    Table(Table),
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub at: Origin,
}

/// A key of a table with its place, and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_at: Origin,
    pub node: Node,
}

/// A table, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.key == key)
    }
}

impl Node {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(x) => Some(x),
            Value::Whole(n) => Some(n as f64),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a text",
            Value::Number(_) => "a number",
            Value::Whole(_) => "a whole number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date or time",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// As it was given, for messages.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::Text(text) => text.clone(),
            Value::Number(x) => short(*x),
            Value::Whole(n) => n.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Date => "a date".into(),
            // Enough for a message, which cuts it anyway.
            Value::List(list) => {
                let few: Vec<String> = list.iter().take(8).map(Node::shown).collect();
                format!("[{}]", few.join(", "))
            }
            Value::Table(_) => "{…}".into(),
        }
    }
}

/// A syntax fault: what and where.
pub(crate) struct Syntax {
    pub message: String,
    pub span: Range<usize>,
}

/// Keys such as `a.b.c` may have at most this many parts: a tree that is deeper cannot even be thrown away safely.
const DEEPEST: usize = 32;

/// The tree of a text, or every syntax fault that could be found.
pub(crate) fn parse(text: &str) -> Result<Table, Vec<Syntax>> {
    /// Beyond this size only the first fault is looked for.
    const LARGE: usize = 1 << 20;
    if let Some(at) = too_deep(text) {
        return Err(vec![Syntax {
            message: format!("a key has more than {DEEPEST} parts"),
            span: at..at + 1,
        }]);
    }
    let error = match DeTable::parse(text) {
        Ok(table) => return Ok(convert(table.get_ref(), &Origin::File)),
        Err(error) => error,
    };
    let errors = if text.len() > LARGE {
        vec![error]
    } else {
        DeTable::parse_recoverable(text).1
    };
    let faults = errors.iter().map(|error| Syntax {
        message: error.message().into(),
        span: error.span().unwrap_or(0..0),
    });
    Err(faults.collect())
}

/// The value of a text given beside the file: TOML if it is, else the text itself.
pub(crate) fn parse_override(text: &str, index: usize) -> Node {
    let at = Origin::Override(index);
    let plain = |value| Node {
        value,
        at: at.clone(),
    };
    if too_deep(text).is_some() {
        return plain(Value::Text(text.into()));
    }
    match DeValue::parse(text) {
        Ok(value) => convert_value(&value, &|_| at.clone()),
        Err(_) => plain(Value::Text(text.into())),
    }
}

/// Where a dotted key has too many parts: parts (bare or quoted) with nothing but a dot and blanks between.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut parts, mut in_part, mut after_dot) = (0, false, false);
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' | b'\'' => {
                // The marks of a text of several lines are passed over, and its lines looked at like any other.
                let tripled = bytes.get(i..i + 3) == Some(&[byte; 3]);
                i = if tripled {
                    i + 2
                } else {
                    behind_quote(bytes, i)
                };
                parts = if after_dot { parts + 1 } else { 1 };
                (in_part, after_dot) = (false, false);
            }
            b'.' => (in_part, after_dot) = (false, true),
            b' ' | b'\t' => in_part = false,
            _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' => {
                if !in_part {
                    parts = if after_dot { parts + 1 } else { 1 };
                }
                (in_part, after_dot) = (true, false);
            }
            _ => (parts, in_part, after_dot) = (0, false, false),
        }
        if parts > DEEPEST {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Where the quote ends that begins at `i`: at its mark, or at the end of the line.
fn behind_quote(bytes: &[u8], i: usize) -> usize {
    let Some(&open) = bytes.get(i) else { return i };
    let mut end = i + 1;
    while let Some(&byte) = bytes.get(end) {
        if byte == open || byte == b'\n' {
            break;
        }
        let escaped = open == b'"' && byte == b'\\';
        end += if escaped { 2 } else { 1 };
    }
    end
}

fn convert(table: &DeTable<'_>, origin: &dyn Fn(Range<usize>) -> Origin) -> Table {
    let mut entries: Vec<(usize, Entry)> = table
        .iter()
        .map(|(key, value)| {
            let entry = Entry {
                key: key.get_ref().to_string(),
                key_at: origin(key.span()),
                node: convert_value(value, origin),
            };
            (key.span().start, entry)
        })
        .collect();
    // The reader of TOML sorts by name; a model has the order of its file.
    entries.sort_by_key(|(start, _)| *start);
    Table {
        entries: entries.into_iter().map(|(_, entry)| entry).collect(),
    }
}

fn convert_value(value: &Spanned<DeValue<'_>>, origin: &dyn Fn(Range<usize>) -> Origin) -> Node {
    let at = origin(value.span());
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(n) => Value::Whole(n),
                // Too long for 64 bits, but still a number.
                Err(_) => Value::Number(number.as_str().parse().unwrap_or(f64::INFINITY)),
            }
        }
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(list) => Value::List(
            list.iter()
                .map(|node| convert_value(node, origin))
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(convert(table, origin)),
    };
    Node { value, at }
}
