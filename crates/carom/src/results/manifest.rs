//! What does it take to run a model again and get the same bytes?
//!
//! `manifest.json` holds the program's version, the model's text and the texts of its tables, the values given in place of those in the file, and the SHA-256 of every file of the run.
//! Nothing in it depends on the machine, the directory or the day. Of `summary.json` the line of `wall_seconds` does not count; `grep -v wall_seconds summary.json | sha256sum` gives the
//! number of the manifest.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::results::SUMMARY;

/// The format of the manifest.
const FORMAT: u64 = 1;

/// Values given in place of those in the file: paths and values as they were typed, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides(pub Vec<(String, String)>);

impl Overrides {
    /// Pairs of path and value: a path may be given twice.
    pub fn json(&self) -> Value {
        let pairs = self.0.iter();
        pairs.map(|(path, value)| json!([path, value])).collect()
    }
}

/// A text with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name without a directory for the model, the path as the model has it for a table.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// All that is needed to repeat a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The version of the program that ran it.
    pub version: String,
    /// The model.
    pub model: Named,
    /// Its tables.
    pub tables: Vec<Named>,
    /// Values given in place of those in the file.
    pub overrides: Overrides,
    /// What was chosen, for people.
    pub settings: Value,
    /// Whether a picture was drawn.
    pub report: bool,
    /// Whether it was run again with tighter tolerances, to see how many digits are to be believed.
    pub verify: bool,
    /// If somebody stopped the run: after how many calls of the observer, which come once a step.
    pub stopped_after: Option<u64>,
    /// The files in the order of comparison, with their SHA-256.
    pub files: Vec<(String, String)>,
}

/// What is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// In words.
    pub message: String,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// As it stands in the file.
    pub fn text(&self) -> String {
        let named = |of: &Named| json!({ "name": of.name, "sha256": sha256(of.text.as_bytes()), "text": of.text });
        let files: Map<String, Value> = self
            .files
            .iter()
            .map(|(name, hash)| (name.clone(), Value::from(hash.as_str())))
            .collect();
        let value = json!({
            "format": FORMAT,
            "program": "carom",
            "version": self.version,
            "model": named(&self.model),
            "tables": self.tables.iter().map(named).collect::<Vec<_>>(),
            "overrides": self.overrides.json(),
            "settings": self.settings,
            "report": self.report,
            "verify": self.verify,
            "stopped_after": self.stopped_after,
            "files": files,
        });
        format!("{value:#}\n")
    }

    /// Reads a manifest and checks that its texts are the ones it was written with.
    pub fn parse(text: &str) -> Result<Manifest, ManifestError> {
        let wrong = |message: String| ManifestError { message };
        let value: Value =
            serde_json::from_str(text).map_err(|e| wrong(format!("it is not JSON: {e}")))?;
        let lacks = |key: &str| wrong(format!("it has no `{key}`, or one of a wrong kind"));
        if value.get("program").and_then(Value::as_str) != Some("carom") {
            return Err(wrong("it is not a manifest of carom".into()));
        }
        match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => {}
            Some(other) => {
                return Err(wrong(format!(
                    "its format is {other}, and this program knows {FORMAT}"
                )));
            }
            None => return Err(lacks("format")),
        }
        let named = |of: &Value, key: &str| -> Result<Named, ManifestError> {
            let text_of = |name: &str| of.get(name).and_then(Value::as_str);
            let (Some(name), Some(hash), Some(text)) =
                (text_of("name"), text_of("sha256"), text_of("text"))
            else {
                return Err(lacks(key));
            };
            let is = sha256(text.as_bytes());
            if is != hash {
                return Err(wrong(format!(
                    "the text of {name} in it was changed: its SHA-256 is {is}, and should be {hash}"
                )));
            }
            Ok(Named {
                name: name.into(),
                text: text.into(),
            })
        };
        let list = |key: &str| value.get(key).and_then(Value::as_array);
        let tables = list("tables").ok_or_else(|| lacks("tables"))?;
        let overrides = list("overrides").ok_or_else(|| lacks("overrides"))?;
        let pair = |entry: &Value| {
            let word = |i: usize| entry.get(i).and_then(Value::as_str).map(String::from);
            Some((word(0)?, word(1)?))
        };
        let files = value.get("files").and_then(Value::as_object);
        let files = files.ok_or_else(|| lacks("files"))?.iter();
        Ok(Manifest {
            version: value
                .get("version")
                .and_then(Value::as_str)
                .ok_or_else(|| lacks("version"))?
                .into(),
            model: named(value.get("model").unwrap_or(&Value::Null), "model")?,
            tables: tables
                .iter()
                .map(|table| named(table, "tables"))
                .collect::<Result<_, _>>()?,
            overrides: Overrides(
                overrides
                    .iter()
                    .map(pair)
                    .collect::<Option<_>>()
                    .ok_or_else(|| lacks("overrides"))?,
            ),
            settings: value.get("settings").cloned().unwrap_or(Value::Null),
            report: value
                .get("report")
                .and_then(Value::as_bool)
                .ok_or_else(|| lacks("report"))?,
            // Manifests of before there was such a thing do not speak of it.
            verify: value.get("verify").and_then(Value::as_bool) == Some(true),
            stopped_after: value.get("stopped_after").and_then(Value::as_u64),
            files: files
                .map(|(name, hash)| Some((name.clone(), hash.as_str()?.to_string())))
                .collect::<Option<_>>()
                .ok_or_else(|| lacks("files"))?,
        })
    }
}

/// The SHA-256 of bytes, hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).as_slice())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of a file of a run; the wall time of the summary does not count.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    if path.file_name().is_some_and(|name| name == SUMMARY) {
        let text = fs::read_to_string(path)?;
        return Ok(sha256(timeless(&text).as_bytes()));
    }
    let mut hash = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = io::Read::read(&mut file, &mut buffer)?;
        if count == 0 {
            return Ok(hexadecimal(hash.finalize().as_slice()));
        }
        hash.update(buffer.get(..count).unwrap_or_default());
    }
}

/// A summary without the line that no two runs share.
fn timeless(summary: &str) -> String {
    let lines = summary.split_inclusive('\n');
    lines.filter(|line| !takes_time(line)).collect()
}

fn takes_time(line: &str) -> bool {
    line.contains("wall_seconds")
}

/// The first difference between a run and its repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file.
    pub file: String,
    /// The first line that differs, counted from 1, and what stands there before and now; `None` if it is not a file of lines or the first run's file is not at hand.
    pub line: Option<(usize, String, String)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differs", self.file)?;
        match &self.line {
            Some((line, before, now)) => write!(
                f,
                ", first in line {line}\n  before: {}\n  now:    {}",
                cut(before),
                cut(now)
            ),
            None => write!(
                f,
                "; which line is not known, because the first run's file is not beside its manifest as it was written"
            ),
        }
    }
}

/// As much of a line as fits under a message.
fn cut(line: &str) -> String {
    match line.char_indices().nth(90) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.into(),
    }
}

/// Sets the files of a repetition, `there`, beside the numbers of a manifest; `before` is the directory of the manifest, where the first run's files may still be.
pub fn compare(manifest: &Manifest, before: &Path, there: &Path) -> io::Result<Option<Difference>> {
    for (name, hash) in &manifest.files {
        let now = match sha256_of(&there.join(name)) {
            Ok(now) => now,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        if now == *hash {
            continue;
        }
        // The manifest may come from anywhere: only a plain name is looked up beside it.
        let plain = Path::new(name)
            .file_name()
            .is_some_and(|n| n == name.as_str());
        let old = before.join(name);
        let at_hand = plain && sha256_of(&old).is_ok_and(|old| old == *hash);
        let line = match (at_hand, fs::read(&old), fs::read(there.join(name))) {
            (true, Ok(old), Ok(new)) => first_line(&old, &new),
            _ => None,
        };
        let file = name.clone();
        return Ok(Some(Difference { file, line }));
    }
    Ok(None)
}

/// The first line in which two texts differ.
fn first_line(before: &[u8], now: &[u8]) -> Option<(usize, String, String)> {
    let before = std::str::from_utf8(before).ok()?.lines();
    let now = std::str::from_utf8(now).ok()?.lines();
    let count = before.clone().count().max(now.clone().count());
    let ended = "(the file has ended)";
    before
        .chain(std::iter::repeat(ended))
        .zip(now.chain(std::iter::repeat(ended)))
        .take(count)
        .enumerate()
        .find(|(_, (before, now))| before != now && !(takes_time(before) && takes_time(now)))
        .map(|(i, (before, now))| (i + 1, before.into(), now.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            version: "0.1.0".into(),
            model: Named {
                name: "pendulum.toml".into(),
                text: "format = 1\n".into(),
            },
            tables: vec![Named {
                name: "data/pull.csv".into(),
                text: "t, force\n0, 1\n".into(),
            }],
            overrides: Overrides(vec![("simulation.end".into(), "2 s".into())]),
            settings: json!({ "rtol": 1e-8 }),
            report: true,
            verify: true,
            stopped_after: Some(12),
            files: vec![("trajectory.csv".into(), sha256(b"t\n0\n"))],
        }
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let manifest = manifest();
        assert_eq!(Manifest::parse(&manifest.text()), Ok(manifest));
    }

    #[test]
    fn a_manifest_that_was_changed_is_refused() {
        let text = manifest().text();
        for (from, to, said) in [
            (
                "format = 1",
                "format = 2",
                "the text of pendulum.toml in it was changed",
            ),
            ("\"format\": 1", "\"format\": 9", "its format is 9"),
            ("\"files\"", "\"filed\"", "it has no `files`"),
            ("\"carom\"", "\"karom\"", "it is not a manifest of carom"),
            ("{", "", "it is not JSON"),
        ] {
            let error = Manifest::parse(&text.replacen(from, to, 1)).expect_err(to);
            assert!(error.message.starts_with(said), "{error}");
        }
    }

    #[test]
    fn hashes_are_those_everybody_knows() {
        // FIPS 180-4, the example of one block.
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn the_first_line_that_differs_is_named_and_wall_time_does_not_count() {
        let before = b"a\n\"wall_seconds\": 1\nb\n";
        let same = b"a\n\"wall_seconds\": 2\nb\n";
        assert_eq!(first_line(before, same), None);
        let other = b"a\n\"wall_seconds\": 2\nc\n";
        assert_eq!(first_line(before, other), Some((3, "b".into(), "c".into())));
        let longer = b"a\n\"wall_seconds\": 2\nb\nd\n";
        let found = first_line(before, longer).expect("it differs");
        assert_eq!((found.0, found.2.as_str()), (4, "d"));
    }
}
