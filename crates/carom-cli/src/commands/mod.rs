//! What do the commands share: printing, writing files, warnings, tables?

pub mod advise;
pub mod animate;
pub mod check;
pub mod compare;
mod counting;
pub mod fit;
mod html;
pub mod impact;
mod inputs;
pub mod laws;
pub mod materials;
mod measured;
pub mod model;
pub mod new;
mod pictures;
pub mod plot;
mod read;
pub mod reproduce;
mod results;
pub mod run;
pub mod schema;
pub mod stiffness;
pub mod sweep;
mod text;
pub mod verify;
pub mod view;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use carom::contact::stiffness::Warning as StiffnessWarning;
use carom::model::diagnostic::{Diagnostic, Severity};
use clap::Args;
use serde_json::{Value, json};

use crate::trouble::Trouble;

/// Significant digits in what is printed for people.
const DIGITS: usize = 7;

/// Where results go.
#[derive(Args)]
pub struct Output {
    /// Writes tables and pictures into this directory; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Overwrites files that are there already
    #[arg(long, requires = "out")]
    pub force: bool,

    /// Prints one JSON value (SI units, full precision) in place of the text
    #[arg(long)]
    pub json: bool,
}

/// A file that is to be written.
pub struct File {
    /// Name without a directory.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl File {
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
        }
    }
}

/// Whether files of these names may be written into a directory.
pub fn may_write<'a>(
    dir: &Path,
    names: impl IntoIterator<Item = &'a str>,
    force: bool,
) -> Result<(), Trouble> {
    if dir.exists() && !dir.is_dir() {
        return Err(Trouble::input(format!(
            "--out: {} is a file. Hint: name a directory",
            dir.display()
        )));
    }
    let above = dir.ancestors().skip(1).find(|above| above.exists());
    if let Some(file) = above.filter(|above| !above.is_dir()) {
        return Err(Trouble::input(format!(
            "--out: {} cannot be made: {} is a file. Hint: name another directory",
            dir.display(),
            file.display()
        )));
    }
    if !force {
        let there: Vec<String> = names
            .into_iter()
            .map(|name| dir.join(name))
            .filter(|path| path.exists())
            .map(|path| {
                format!(
                    "{} is there already. Hint: another directory, or --force to overwrite",
                    path.display()
                )
            })
            .collect();
        if !there.is_empty() {
            return Err(Trouble::Input(there));
        }
    }
    Ok(())
}

/// Bytes as text, or the first line that is not text in UTF-8.
pub fn utf8(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(good);
        1 + before.filter(|byte| **byte == b'\n').count()
    })
}

/// Writes files into a directory; without `force` none that is there is touched, and then none is written at all.
pub fn write_files(dir: &Path, files: &[File], force: bool) -> Result<(), Trouble> {
    may_write(dir, files.iter().map(|file| file.name.as_str()), force)?;
    let failed = |path: &Path, error: io::Error| {
        Trouble::Failed(format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(dir).map_err(|e| failed(dir, e))?;
    for file in files {
        let path = dir.join(&file.name);
        fs::write(&path, &file.bytes).map_err(|e| failed(&path, e))?;
    }
    Ok(())
}

/// One line that says what was written.
pub fn written(dir: &Path, files: &[File]) -> String {
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    format!("written to {}: {}", dir.display(), names.join(", "))
}

/// Prints a text to standard output.
pub fn print(text: &str) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints one JSON value to standard output.
pub fn print_json(value: &Value) -> Result<(), Trouble> {
    print(&format!("{value:#}\n"))
}

/// What went wrong, for programs: what is said of every fault, with its place where it has one.
pub fn print_failed(trouble: &Trouble) -> Result<(), Trouble> {
    print_json(&json!({ "status": "failed", "errors": errors_json(trouble) }))
}

/// What went wrong, as it stands in JSON.
pub fn errors_json(trouble: &Trouble) -> Vec<Value> {
    let plain = |text: &String| {
        let (message, hint) = text.split_once(". Hint: ").unwrap_or((text, ""));
        let mut fault = Diagnostic::new(Severity::Error, message);
        fault.hint = hint.into();
        check::diagnostic_json(&fault)
    };
    match trouble {
        Trouble::Model(wrong) => wrong.iter().map(check::diagnostic_json).collect(),
        Trouble::Input(messages) => messages.iter().map(plain).collect(),
        Trouble::Failed(message) => vec![plain(message)],
        Trouble::Output(error) => vec![plain(&format!("cannot write the output: {error}"))],
    }
}

/// Something that stands in the results and on standard error.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub code: &'static str,
    /// The law it is about; none for what is true of the case, whatever the law.
    pub element: Option<&'static str>,
    pub message: String,
    pub hint: String,
}

impl Warning {
    pub fn json(&self) -> Value {
        json!({
            "code": self.code,
            "element": self.element,
            "time": null,
            "message": self.message,
            "hint": self.hint,
        })
    }
}

impl From<&StiffnessWarning> for Warning {
    fn from(warning: &StiffnessWarning) -> Self {
        Self {
            code: warning.code(),
            element: None,
            message: warning.to_string(),
            hint: warning.hint().into(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning: {}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, ". Hint: {}", self.hint)?;
        }
        Ok(())
    }
}

/// Warnings go to standard error, whatever goes to standard output.
pub fn warn(warnings: &[Warning]) {
    for warning in warnings {
        note(&warning.to_string());
    }
}

/// A line for standard error.
pub fn note(line: &str) {
    // Nothing is left to try when standard error itself cannot be written.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Columns aligned: the first to the left, the others to the right unless `left` says otherwise.
pub fn table(head: &[&str], rows: &[Vec<String>], left: &[usize]) -> String {
    let width = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = head.iter().map(|h| width(h)).collect();
    for row in rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(width(cell));
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (i, (cell, w)) in cells.zip(&widths).enumerate() {
            let pad = " ".repeat(w - width(cell));
            if i > 0 {
                text.push_str("  ");
            }
            if i == 0 || left.contains(&i) {
                text.push_str(cell);
                text.push_str(&pad);
            } else {
                text.push_str(&pad);
                text.push_str(cell);
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    };
    let mut text = line(&mut head.iter().copied());
    for row in rows {
        text.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    text
}

/// Lines of a name and what is said of it, the names padded to one width.
pub fn pairs(rows: &[(&str, String)]) -> String {
    let widest = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    rows.iter()
        .map(|(name, value)| {
            let pad = " ".repeat(widest - name.chars().count());
            format!("  {name}{pad}  {value}\n")
        })
        .collect()
}
