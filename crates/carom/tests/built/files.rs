//! The model files of the folder `models`, and what became of them.

use std::fs;
use std::path::{Path, PathBuf};

use carom::model::Model;
use carom::model::file::{Source, read};
use carom::system::{Outcome, Status};

use super::run_system;

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// A model of the folder, with overrides as the command line takes them.
pub fn model(name: &str, overrides: &[(&str, &str)]) -> Model {
    let path = folder().join(name);
    let source = Source {
        name: name.into(),
        text: fs::read_to_string(&path).expect("the model is there"),
        folder: folder(),
    };
    let overrides: Vec<(String, String)> = overrides
        .iter()
        .map(|(path, value)| ((*path).into(), (*value).into()))
        .collect();
    match read(&source, &overrides) {
        Ok(parsed) => parsed.model,
        Err(faults) => panic!("{name}: {}", faults[0]),
    }
}

/// Runs it to the end; every column by its channel's name.
pub struct Ran {
    pub outcome: Outcome,
    pub names: Vec<String>,
    pub samples: Vec<(f64, Vec<f64>)>,
    pub degrees: usize,
}

impl Ran {
    pub fn of(model: &Model) -> Ran {
        let (outcome, samples, system) = run_system(model);
        assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
        let names = system.channels().iter().map(|c| c.name(model)).collect();
        Ran {
            outcome,
            names,
            samples,
            degrees: system.degrees_of_freedom(),
        }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.names.iter().position(|n| n == name);
        let at = at.unwrap_or_else(|| panic!("no {name} in {:?}", self.names));
        self.samples.iter().map(|s| s.1[at]).collect()
    }

    pub fn last(&self, name: &str) -> f64 {
        *self.column(name).last().expect("samples")
    }

    pub fn largest(&self, name: &str) -> f64 {
        self.column(name).iter().fold(0.0, |m, x| m.max(x.abs()))
    }
}
