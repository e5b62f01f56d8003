//! What comes of a model, or of one free impact, when its parameters are varied?
//!
//! A study file ([`read`]) says what is run (a model, or the laboratory of one impact), what is varied (`vary`), how points are spread (`design`), what is taken from each (`output`) and what is drawn
//! of it all. Every point follows from its number alone (`design`), so that points can be computed in any order, by any number of threads and on several machines: the results are the same bytes.
//! `work` does them in blocks, each of which becomes a file as soon as it is done (`parts`); a sweep that was killed goes on where it was (`store`), and at the end all parts are joined.
//! `pictures`, `page` and `fit` show what was found.

#[cfg(feature = "files")]
mod csv;
mod design;
mod file;
#[cfg(feature = "files")]
mod fit;
mod laboratory;
mod mechanism;
mod normal;
mod output;
#[cfg(all(feature = "plot", feature = "files"))]
mod page;
#[cfg(feature = "files")]
mod parts;
mod picture;
#[cfg(all(feature = "plot", feature = "files"))]
mod pictures;
#[cfg(feature = "files")]
mod store;
mod tables;
#[cfg(feature = "files")]
mod tally;
mod work;

use std::path::PathBuf;

use crate::model::diagnostic::Diagnostic;
use crate::model::expression::Expression;
use crate::model::file::schema_of;
use crate::model::file::{Source, Table};
use crate::model::units::pretty;

#[cfg(feature = "files")]
pub use csv::write_csv;
pub use design::{Design, Kind, Levels};
pub use file::read;
#[cfg(feature = "files")]
pub use fit::{Fitted, Row, Unfit, fitted};
pub use laboratory::Laboratory;
pub use mechanism::{Mechanism, Section};
pub(super) use mechanism::{express, in_one_line, named};
pub(super) use output::Gathered;
pub use output::{Of, OfRun, Output, QUANTITIES, Quantity, Take};
#[cfg(all(feature = "plot", feature = "files"))]
pub use page::page;
#[cfg(feature = "files")]
pub use parts::{Cells, Results};
pub use picture::{Fit, Picture, Shape};
#[cfg(all(feature = "plot", feature = "files"))]
pub use pictures::{Drawn, draw};
#[cfg(feature = "files")]
pub use store::{Beginning, RESULTS, RESULTS_CSV, Store, StoreError, merge};
#[cfg(feature = "files")]
pub use tally::Tally;
pub(super) use work::typed;
pub use work::{Block, Shard, Worker};

/// The JSON schema of study files, for editors: from the description by which they are read.
pub fn schema() -> String {
    schema_of("Carom study file", &tables::ROOT)
}

/// A parameter that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Varied {
    /// Its name, and the head of its column.
    pub name: String,
    /// What is set, as `--set` names it.
    pub path: String,
    /// Its SI unit; empty for a pure number and for one that was given without a unit.
    pub unit: String,
}

/// The unit in which people see a parameter: the first in its table, if there is one. Tables of results have SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its name; may be empty.
    pub unit: String,
    /// What one of it is in SI.
    pub one: f64,
}

/// What is run at every point.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A model.
    Model(Box<Mechanism>),
    /// One free impact.
    Impact(Box<Laboratory>),
}

/// A study, read and checked.
#[derive(Clone, Debug)]
pub struct Study {
    /// What is studied, in a few words.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// Anything else.
    pub notes: String,
    /// What is run.
    pub subject: Subject,
    /// What is varied.
    pub varied: Vec<Varied>,
    /// In which unit each of them is shown.
    pub shown: Vec<Shown>,
    /// The values of what is varied at every point.
    pub design: Design,
    /// What is taken from every point.
    pub outputs: Vec<Output>,
    /// What is drawn.
    pub pictures: Vec<Picture>,
    /// What is fitted.
    pub fits: Vec<Fit>,
    /// Points in a part that is written at once.
    pub block: u64,
    /// Of impacts: one an output.
    expressions: Vec<Expression>,
    /// All that it was read from.
    pub held: Held,
    /// What is not wrong with it, but should be known.
    pub warnings: Vec<Diagnostic>,
}

/// All that a study was read from: enough to read it again elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The study file.
    pub study: Source,
    /// Values given in place of those in the study file.
    pub overrides: Vec<(String, String)>,
    /// The model file, if there is one.
    pub model: Option<Source>,
    /// The tables of the model.
    pub tables: Vec<Table>,
}

impl Held {
    /// A study file, nothing else read yet.
    pub fn new(study: Source, overrides: Vec<(String, String)>) -> Self {
        Self {
            study,
            overrides,
            model: None,
            tables: Vec::new(),
        }
    }

    fn folder(&self) -> PathBuf {
        self.study.folder.clone()
    }
}

impl Shown {
    /// A value in a few digits, with its unit.
    pub fn brief(&self, x: f64, digits: usize) -> String {
        if self.one == 1.0 {
            return pretty(x, &self.unit, digits);
        }
        let x = pretty(x / self.one, "", digits);
        format!("{x} {}", self.unit)
    }
}

impl Study {
    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.design.points()
    }

    /// Whether its runs can warn: free impacts do not.
    pub fn warns(&self) -> bool {
        matches!(self.subject, Subject::Model(_))
    }

    /// How many blocks they are done in.
    pub fn blocks(&self) -> u64 {
        self.points().div_ceil(self.block.max(1))
    }

    /// How many columns the outputs have.
    pub fn width(&self) -> usize {
        self.outputs.iter().map(|output| output.width).sum()
    }

    /// The columns: heads and units, of what is varied and then of the outputs.
    pub fn columns(&self) -> Vec<(String, String)> {
        let varied = self.varied.iter().map(|v| (v.name.clone(), v.unit.clone()));
        let outputs = self.outputs.iter().flat_map(|output| {
            (1..=output.width).map(move |k| {
                let name = match output.take {
                    Take::Samples => format!("{}.{k}", output.name),
                    _ => output.name.clone(),
                };
                (name, output.unit.clone())
            })
        });
        varied.chain(outputs).collect()
    }

    /// The place of a varied parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.varied.iter().position(|varied| varied.name == name)
    }

    /// An output, and the first of its columns among those of all outputs.
    pub fn output(&self, name: &str) -> Option<(usize, &Output)> {
        let mut place = 0;
        for output in &self.outputs {
            if output.name == name {
                return Some((place, output));
            }
            place += output.width;
        }
        None
    }
}

/// What is wrong with a study, all at once.
pub type Wrong = Vec<Diagnostic>;
