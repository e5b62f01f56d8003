//! What is a model file made of, so that parts of it can be made, taken out and written down?

use std::fmt::{self, Write};

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Whole(i64),
    Flag(bool),
    Text(String),
    List(Vec<Value>),
    Table(Vec<(String, Value)>),
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Number(x)
    }
}

impl From<bool> for Value {
    fn from(x: bool) -> Self {
        Value::Flag(x)
    }
}

impl From<&str> for Value {
    fn from(x: &str) -> Self {
        Value::Text(x.into())
    }
}

impl From<String> for Value {
    fn from(x: String) -> Self {
        Value::Text(x)
    }
}

impl<T: Into<Value> + Copy, const N: usize> From<[T; N]> for Value {
    fn from(list: [T; N]) -> Self {
        Value::List(list.iter().map(|x| (*x).into()).collect())
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        Value::List(list.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(x) => write!(f, "{x:?}"),
            Value::Whole(x) => write!(f, "{x}"),
            Value::Flag(x) => write!(f, "{x}"),
            Value::Text(x) => write!(f, "\"{x}\""),
            Value::List(list) => {
                f.write_char('[')?;
                for (i, x) in list.iter().enumerate() {
                    write!(f, "{}{x}", if i > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
            Value::Table(keys) => {
                f.write_str("{ ")?;
                for (i, (key, x)) in keys.iter().enumerate() {
                    write!(f, "{}{key} = {x}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// A table with its head, such as `body.a`; the one without a head is the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub head: String,
    pub keys: Vec<(String, Value)>,
}

impl Table {
    pub fn new(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            keys: Vec::new(),
        }
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.set(key, value);
        self
    }

    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.keys.push((key.into(), value.into()));
    }

    /// The name behind the dot of the head.
    pub fn name(&self) -> &str {
        self.head.split_once('.').map_or("", |(_, name)| name)
    }
}

/// A model file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tree {
    pub tables: Vec<Table>,
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, table) in self.tables.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            if !table.head.is_empty() {
                writeln!(f, "[{}]", table.head)?;
            }
            for (key, value) in &table.keys {
                writeln!(f, "{key} = {value}")?;
            }
        }
        Ok(())
    }
}

/// Whether a value names an element: `"a"`, `"a.rim"`, `"a.x"`.
pub fn mentions(value: &Value, name: &str) -> bool {
    match value {
        Value::Text(text) => {
            text == name || text.strip_prefix(name).is_some_and(|t| t.starts_with('.'))
        }
        Value::List(list) => list.iter().any(|x| mentions(x, name)),
        Value::Table(keys) => keys.iter().any(|(_, x)| mentions(x, name)),
        _ => false,
    }
}
