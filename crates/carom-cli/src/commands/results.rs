//! What do the commands that look at results share: finding them, and writing one file?

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use carom::model::units::Dimension;
use carom::results::trajectory::{Column, Reader};
use carom::results::{SUMMARY, TRAJECTORY};
use serde_json::Value;

use super::read::quantity;
use crate::trouble::Trouble;

/// The folder of a run that is there.
pub struct Results {
    pub path: PathBuf,
    /// What it is called where there are several.
    pub name: String,
    pub columns: Vec<Column>,
}

impl Results {
    /// Looks into a folder; `None` with what is said of it if it holds no run.
    pub fn open(path: &Path) -> Result<Self, String> {
        let here = path.display();
        let hint = "Hint: `carom run MODEL --out DIR` writes one";
        if !path.exists() {
            return Err(format!("{here} is not there. {hint}"));
        }
        if !path.is_dir() {
            return Err(format!("{here} is no folder of results. {hint}"));
        }
        let table = path.join(TRAJECTORY);
        let file = File::open(&table).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => match Self::runs_in(path).as_slice() {
                [] => format!("{here} holds no results: there is no {TRAJECTORY}. {hint}"),
                [first, ..] => format!(
                    "{here} holds several runs, each in a folder of its own. Hint: take one of them, such as {}",
                    first.display()
                ),
            },
            _ => format!("cannot read {}: {error}", table.display()),
        })?;
        let reader = Reader::new(BufReader::new(file));
        let reader = reader.map_err(|error| format!("{}: {error}", table.display()))?;
        let name = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let name = name
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        Ok(Self {
            path: path.into(),
            name: name.unwrap_or_else(|| path.display().to_string()),
            columns: reader.columns().to_vec(),
        })
    }

    /// The runs in the folder of a run by several methods.
    fn runs_in(path: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut runs: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|run| run.join(TRAJECTORY).is_file())
            .collect();
        runs.sort();
        runs
    }

    /// Looks into several folders, and into the runs of those that hold several; everything that is wrong is said at once.
    pub fn open_all(paths: &[PathBuf]) -> Result<Vec<Self>, Trouble> {
        let mut all = Vec::new();
        let mut wrong = Vec::new();
        let mut folders = Vec::new();
        for path in paths {
            match Self::runs_in(path) {
                runs if !runs.is_empty() && !path.join(TRAJECTORY).exists() => folders.extend(runs),
                _ => folders.push(path.clone()),
            }
        }
        for path in &folders {
            match Self::open(path) {
                Ok(results) => all.push(results),
                Err(said) => wrong.push(said),
            }
        }
        if !wrong.is_empty() {
            return Err(Trouble::Input(wrong));
        }
        // Folders of one name are told apart by their whole paths.
        for i in 0..all.len() {
            let twice = all.iter().filter(|r| r.name == all[i].name).count() > 1;
            if twice {
                all[i].name = all[i].path.display().to_string();
            }
        }
        Ok(all)
    }

    /// The table.
    pub fn table(&self) -> Result<BufReader<File>, Trouble> {
        let path = self.path.join(TRAJECTORY);
        let failed = |error| Trouble::Failed(format!("cannot read {}: {error}", path.display()));
        File::open(&path).map(BufReader::new).map_err(failed)
    }

    /// The summary; null if there is none.
    pub fn summary(&self) -> Result<Value, Trouble> {
        let path = self.path.join(SUMMARY);
        let failed = |error: &dyn std::fmt::Display| {
            Trouble::Failed(format!("cannot read {}: {error}", path.display()))
        };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| failed(&error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Value::Null),
            Err(error) => Err(failed(&error)),
        }
    }

    /// What the model is called.
    pub fn title(&self) -> Result<String, Trouble> {
        let summary = self.summary()?;
        let title = summary["model"]["title"].as_str().unwrap_or_default();
        Ok(match title {
            "" => self.name.clone(),
            title => title.into(),
        })
    }
}

/// An instant given on the command line, s.
pub fn instant(option: &str, text: Option<&str>) -> Result<Option<f64>, String> {
    let read = |text| match quantity(text, Dimension::TIME) {
        Ok(t) if t.is_finite() => Ok(t),
        Ok(t) => Err(format!("{option} = {t} s, but must be a finite time")),
        Err(error) => Err(format!("{option}: {error}")),
    };
    text.map(read).transpose()
}

/// Which of the endings a file may have it has.
pub fn ending<'a>(path: &Path, endings: &[&'a str]) -> Result<&'a str, String> {
    let given = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let found = endings.iter().find(|e| Some(**e) == given.as_deref());
    found.copied().ok_or_else(|| {
        format!(
            "--out {}: the ending says what is written, and must be .{}",
            path.display(),
            endings.join(" or .")
        )
    })
}

/// Whether a file may be written.
pub fn free(path: &Path, force: bool) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!(
            "--out {} is a folder. Hint: name a file",
            path.display()
        ));
    }
    if path.exists() && !force {
        return Err(format!(
            "--out {} is there already. Hint: another name, or --force to overwrite",
            path.display()
        ));
    }
    Ok(())
}

/// Writes a file that is there when it is complete, or not at all; the folder it goes into is made if need be.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let mut part = path.as_os_str().to_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = || -> io::Result<()> {
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            fs::create_dir_all(folder)?;
        }
        fs::write(&part, bytes)?;
        fs::rename(&part, path)
    };
    written().map_err(|error| {
        // What is left of it is of no use; if it cannot be removed either, the error says enough.
        let _ = fs::remove_file(&part);
        Trouble::Failed(format!("cannot write {}: {error}", path.display()))
    })
}
