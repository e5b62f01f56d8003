//! How do commands get hold of a model: the file, what is set beside it, what is wrong with it?

use std::fs;
use std::path::{Path, PathBuf};

use carom::model::diagnostic::{Diagnostic, listing};
use carom::model::file::{self, Parsed, Source};
use carom::system::{System, Trouble as Misfit, Warning};
use clap::Args;

use crate::trouble::Trouble;

/// Which model, and what is changed in it.
#[derive(Args)]
pub struct ModelArguments {
    /// The model file
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Sets a value in place of the one in the file, such as parameters.r="60 mm"; may be repeated
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

/// A model that was read, with its text.
pub struct Loaded {
    pub source: Source,
    pub parsed: Parsed,
}

/// Reads the model, with everything set.
pub fn load(arguments: &ModelArguments) -> Result<Loaded, Trouble> {
    let overrides = overrides(&arguments.set)?;
    let source = source(&arguments.model)?;
    match file::read(&source, &overrides) {
        Ok(parsed) => Ok(Loaded { source, parsed }),
        Err(wrong) => Err(Trouble::Model(wrong)),
    }
}

/// The pairs of path and value; every one that is not a pair at once.
pub fn overrides(set: &[String]) -> Result<Vec<(String, String)>, Trouble> {
    let mut pairs = Vec::new();
    let mut wrong = Vec::new();
    for given in set {
        match given.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() => {
                pairs.push((path.trim().to_string(), value.to_string()));
            }
            _ => wrong.push(format!(
                "--set {given}: this is not PATH=VALUE. Hint: such as --set parameters.r=\"60 mm\""
            )),
        }
    }
    if wrong.is_empty() {
        Ok(pairs)
    } else {
        Err(Trouble::Input(wrong))
    }
}

/// The text of a file.
pub fn source(path: &Path) -> Result<Source, Trouble> {
    read_source(path, "model", || {
        "`carom new pendulum` writes a model to start from".into()
    })
}

/// A study file, the same way; where there is none, those beside it are named.
pub fn study(path: &Path) -> Result<Source, Trouble> {
    read_source(path, "study", || {
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let mut found = studies(folder);
        found.extend(studies(Path::new("studies")));
        found.sort();
        found.dedup();
        match found.as_slice() {
            [] => "a study file has [vary.NAME] and [output.NAME]; `carom sweep --help` says more"
                .into(),
            few => format!(
                "studies here: {}",
                few.iter().take(12).cloned().collect::<Vec<_>>().join(", ")
            ),
        }
    })
}

/// The study files of a folder.
fn studies(folder: &Path) -> Vec<String> {
    /// Longer files are no studies.
    const LONGEST: u64 = 1_000_000;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let files = files.filter(|file| file.extension().is_some_and(|end| end == "toml"));
    let short = files.filter(|file| {
        fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() < LONGEST)
    });
    let is_study =
        |file: &PathBuf| fs::read_to_string(file).is_ok_and(|text| text.contains("\n[vary."));
    let shown = |file: PathBuf| {
        let file = file
            .strip_prefix(".")
            .map(Path::to_path_buf)
            .unwrap_or(file);
        file.display().to_string()
    };
    short.filter(is_study).map(shown).collect()
}

/// A file of text; what to do if there is none is said by `hint`.
fn read_source(path: &Path, what: &str, hint: impl Fn() -> String) -> Result<Source, Trouble> {
    let name = path.display().to_string();
    let wrong = |what: String| Trouble::input(format!("{name}: {what}"));
    let bytes = fs::read(path).map_err(|error| match path.is_dir() {
        true => wrong(format!(
            "this is a directory. Hint: name the {what} file in it"
        )),
        false => wrong(format!("cannot be read: {error}. Hint: {}", hint())),
    })?;
    let text = super::utf8(bytes).map_err(|line| {
        wrong(format!(
            "line {line} is not text in UTF-8. Hint: save it as UTF-8, or name a {what} file"
        ))
    })?;
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    Ok(Source { name, text, folder })
}

impl Loaded {
    /// Puts the model together.
    pub fn assemble(&self) -> Result<System, Trouble> {
        System::assemble(&self.parsed.model)
            .map_err(|misfits| Trouble::Model(misfits.iter().map(|m| self.misfit(m)).collect()))
    }

    /// What assembly complains of, with its place in the file.
    fn misfit(&self, misfit: &Misfit) -> Diagnostic {
        self.at(misfit.element.as_deref(), &misfit.message, &misfit.hint)
    }

    /// What assembly warns of, with its place in the file.
    pub fn warning(&self, warning: &Warning) -> Diagnostic {
        let element = warning.element.as_deref();
        self.at(element, &warning.message, &warning.hint)
            .as_warning()
    }

    fn at(&self, element: Option<&str>, message: &str, hint: &str) -> Diagnostic {
        Diagnostic::at(
            &self.parsed.spots,
            &self.source,
            element.unwrap_or(""),
            message,
            hint,
        )
    }
}

/// Several diagnostics as one text, with how many there are where they are many.
pub fn told(diagnostics: &[Diagnostic]) -> String {
    let mut text = listing(diagnostics);
    text.push('\n');
    if diagnostics.len() > 1 {
        text.push_str(&format!("\n{} errors\n", diagnostics.len()));
    }
    text
}
