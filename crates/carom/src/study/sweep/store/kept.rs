//! What pins a sweep to its directory: which study is it, and is it still the same?

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::StoreError;
use crate::model::file::{Source, Table};
use crate::results::manifest::sha256;
use crate::study::sweep::laboratory::Laboratory;
use crate::study::sweep::picture::of_fit;
use crate::study::sweep::{Held, Study, Subject};

const FORMAT: u64 = 3;

/// What decides about results, as a text: everything but titles, pictures and fits.
fn key(study: &Study) -> String {
    let mut text = format!(
        "carom {}\nblock {}\n{:?}\n{:?}\n",
        env!("CARGO_PKG_VERSION"),
        study.block,
        study.design,
        study.varied
    );
    for o in &study.outputs {
        text += &format!(
            "{:?} {:?} {:?} {:?} {:?} {} {:?}\n",
            o.name, o.text, o.take, o.element, o.from, o.width, o.unit
        );
    }
    match &study.subject {
        Subject::Model(model) => {
            text += &format!(
                "{:?}\n{:?}\n{}\n",
                model.set, model.section, model.source.text
            );
            for table in &model.tables {
                text += &format!("{}\n{}\n", table.path.display(), table.text);
            }
        }
        Subject::Impact(about) => {
            let Laboratory {
                law,
                speed,
                mass,
                restitution,
                exact,
                rtol,
                values,
                targets,
            } = about.as_ref();
            text += &format!(
                "{law:?} {speed:?} {mass:?} {restitution:?} {exact} {rtol:?} {values:?} {targets:?}\n"
            );
        }
    }
    text
}

impl Study {
    /// The SHA-256 of all that decides about results: not of titles, pictures and fits.
    pub fn hash(&self) -> String {
        sha256(key(self).as_bytes())
    }
}

/// What `sweep.json` holds.
pub(super) struct Kept {
    pub version: String,
    pub hash: String,
    points: u64,
    columns: Vec<String>,
    /// The names of all pictures that were asked for here.
    pub pictures: Vec<String>,
    pub held: Held,
    model_hash: String,
}

impl Kept {
    pub fn of(study: &Study) -> Self {
        let model = study.held.model.as_ref();
        let fits = study.fits.iter().map(|fit| of_fit(&fit.name));
        let pictures = study.pictures.iter().map(|p| p.name.clone());
        let mut pictures: Vec<String> = pictures.chain(fits).collect();
        pictures.sort();
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            hash: study.hash(),
            points: study.points(),
            columns: study.columns().into_iter().map(|c| c.0).collect(),
            pictures,
            held: study.held.clone(),
            model_hash: model.map_or_else(String::new, |m| sha256(m.text.as_bytes())),
        }
    }

    pub fn text(&self) -> String {
        // Where files stood on one machine means nothing on another.
        let name = |source: &Source| {
            let name = Path::new(&source.name).file_name();
            name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let source = |source: &Source| json!({ "name": name(source), "text": source.text });
        let held = &self.held;
        let pairs: Vec<Value> = held
            .overrides
            .iter()
            .map(|(path, value)| json!([path, value]))
            .collect();
        let tables = held
            .tables
            .iter()
            .map(|t| json!({ "path": t.path.display().to_string(), "text": t.text }));
        let value = json!({
            "format": FORMAT,
            "program": "carom",
            "version": self.version,
            "hash": self.hash,
            "points": self.points,
            "columns": self.columns,
            "pictures": self.pictures,
            "study": source(&held.study),
            "set": pairs,
            "model": held.model.as_ref().map(source),
            "model_sha256": self.model_hash,
            "tables": tables.collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    /// The pictures of the sweep of whatever version that this file pins; nothing if it pins none.
    pub fn drawn(path: &Path) -> Option<Vec<String>> {
        let value: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        let is = value.get("program")?.as_str()? == "carom" && value.get("study")?.is_object();
        let all = value.get("pictures").and_then(Value::as_array);
        let names = all.into_iter().flatten().filter_map(Value::as_str);
        is.then(|| names.map(String::from).collect())
    }

    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let wrong = |why: String| StoreError::Unreadable {
            path: path.into(),
            why,
        };
        let text = fs::read_to_string(path).map_err(|e| {
            wrong(format!(
                "cannot be read: {e}. Hint: a directory that `carom sweep --out` wrote"
            ))
        })?;
        let value: Value =
            serde_json::from_str(&text).map_err(|e| wrong(format!("it is not JSON: {e}")))?;
        let word =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(String::from);
        let lacks = |key: &str| wrong(format!("it has no `{key}`, or one of a wrong kind"));
        match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => {}
            Some(format) => {
                return Err(wrong(format!(
                    "its format is {format}, and this version reads {FORMAT}. Hint: another directory, or --force to begin afresh"
                )));
            }
            None => return Err(lacks("format")),
        }
        let source = |value: &Value| Some(Source::new(word(value, "name")?, word(value, "text")?));
        let study = value
            .get("study")
            .and_then(source)
            .ok_or_else(|| lacks("study"))?;
        let list = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let pair = |pair: &Value| {
            let at = |i: usize| pair.get(i).and_then(Value::as_str).map(String::from);
            Some((at(0)?, at(1)?))
        };
        let table = |value: &Value| {
            Some(Table {
                path: word(value, "path")?.into(),
                text: word(value, "text")?,
            })
        };
        Ok(Self {
            version: word(&value, "version").ok_or_else(|| lacks("version"))?,
            hash: word(&value, "hash").ok_or_else(|| lacks("hash"))?,
            points: value.get("points").and_then(Value::as_u64).unwrap_or(0),
            columns: list("columns")
                .iter()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            pictures: list("pictures")
                .iter()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            model_hash: word(&value, "model_sha256").unwrap_or_default(),
            held: Held {
                study,
                overrides: list("set").iter().filter_map(pair).collect(),
                model: value.get("model").and_then(source),
                tables: list("tables").iter().filter_map(table).collect(),
            },
        })
    }

    /// What is not as it was.
    pub fn difference(&self, study: &Study) -> String {
        let now = Kept::of(study);
        if self.model_hash != now.model_hash {
            let named = now.held.model.as_ref().map(|model| model.name.as_str());
            return changed("the model file", named.unwrap_or_default());
        }
        let read = |kept: &Kept, path: &Path| {
            let mut tables = kept.held.tables.iter();
            tables.find(|t| t.path == path).map(|t| t.text.clone())
        };
        let both = self.held.tables.iter().chain(&now.held.tables);
        for table in both {
            if read(self, &table.path) != read(&now, &table.path) {
                return changed("a table of the model", &table.path.display().to_string());
            }
        }
        if self.columns != now.columns {
            let names = |columns: &[String]| {
                columns
                    .iter()
                    .take(8)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            return format!(
                "it has the columns {}, and the study now {}",
                names(&self.columns),
                names(&now.columns)
            );
        }
        if self.points != now.points {
            return format!(
                "it has {} points, and the study now {}",
                self.points, now.points
            );
        }
        if self.held.overrides != now.held.overrides {
            return "other values are set in the study (--set) than when it was begun".into();
        }
        changed("the study file", &now.held.study.name)
    }
}

/// That a file is not as it was.
fn changed(what: &str, name: &str) -> String {
    format!("{what} has changed since it was begun ({name}); with that as it was, it goes on")
}
