//! What was read of a table, key by key?

use std::collections::BTreeMap;

use crate::mechanics::{Function, Input, Place};
use crate::model::file::laws::Read;
use crate::model::file::tree::{Entry, Node, Origin};
use crate::model::file::words::join;

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
    pub entries: BTreeMap<&'static str, (&'a Entry, Option<Got<'a>>)>,
    /// Of a table that names a law: what may be parameters and choices of that law.
    pub rest: Vec<&'a Entry>,
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

    /// A list of any length.
    pub fn list(&self, key: &str) -> Option<&[f64]> {
        match self.got(key)? {
            Got::Numbers(list) => Some(list),
            _ => None,
        }
    }

    /// The key as it stands in the file: its name, its place and its value.
    pub fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.entries.get(key).map(|(entry, _)| *entry)
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
