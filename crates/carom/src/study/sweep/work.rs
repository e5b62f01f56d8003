//! How are the points of a sweep computed, block by block?

use std::sync::atomic::{AtomicBool, Ordering};

use super::laboratory::Bench;
use super::{Study, Subject};

/// A part of a sweep that is computed by itself: block b belongs to part b mod `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { part: 0, of: 1 };

    /// Whether a block belongs to it.
    pub fn has(self, block: u64) -> bool {
        block % self.of.max(1) == self.part
    }
}

/// The points of one block, computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The first point.
    pub first: u64,
    /// How many points there are.
    pub rows: usize,
    /// One list a column of the outputs.
    pub columns: Vec<Vec<f64>>,
    /// Why a point has no results; empty where it has.
    pub failures: Vec<String>,
    /// What the runs of a model warned of: `code` or `code×3`, separated by blanks.
    pub warnings: Vec<String>,
}

/// Computes blocks, one after the other.
pub struct Worker<'a> {
    study: &'a Study,
    bench: Option<Bench<'a>>,
    values: Vec<f64>,
    /// Path and value of every parameter, as `--set` takes them.
    set: Vec<(String, String)>,
    row: Vec<f64>,
    block: Block,
}

impl<'a> Worker<'a> {
    /// For a study.
    pub fn new(study: &'a Study) -> Result<Self, String> {
        let words = || study.design.levels().iter().map(|levels| levels.words());
        let bench = match &study.subject {
            Subject::Impact(about) => {
                Some(Bench::new(about, words().collect(), &study.expressions)?)
            }
            Subject::Model(_) => None,
        };
        let path = |varied: &super::Varied| (varied.path.clone(), String::new());
        Ok(Self {
            study,
            bench,
            values: vec![0.0; study.varied.len()],
            set: study.varied.iter().map(path).collect(),
            row: vec![f64::NAN; study.width()],
            block: Block::default(),
        })
    }

    /// Computes a block; `None` if it was stopped. `point` is called after every point with whether it has results.
    pub fn block(
        &mut self,
        number: u64,
        stop: &AtomicBool,
        point: &dyn Fn(bool),
    ) -> Option<&Block> {
        let study = self.study;
        let first = number.saturating_mul(study.block);
        let end = first.saturating_add(study.block).min(study.points());
        self.block.first = first;
        self.block.rows = 0;
        self.block.columns.resize_with(self.row.len(), Vec::new);
        self.block.columns.iter_mut().for_each(Vec::clear);
        self.block.failures.clear();
        self.block.warnings.clear();
        for i in first..end {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut warnings = String::new();
            let failure = self.point(i, stop, &mut warnings)?;
            point(failure.is_empty());
            for (column, value) in self.block.columns.iter_mut().zip(&self.row) {
                column.push(*value);
            }
            self.block.failures.push(failure);
            if study.warns() {
                self.block.warnings.push(warnings);
            }
            self.block.rows += 1;
        }
        Some(&self.block)
    }

    /// Fills the row; why there is nothing in it, or an empty text; `None` if it was stopped.
    fn point(&mut self, point: u64, stop: &AtomicBool, warnings: &mut String) -> Option<String> {
        let study = self.study;
        study.design.at(point, &mut self.values);
        self.row.fill(f64::NAN);
        let done = match (&study.subject, &mut self.bench) {
            (Subject::Model(model), _) => {
                let levels = study.design.levels().iter();
                let given = study.varied.iter().zip(levels).zip(&self.values);
                for (set, ((varied, levels), value)) in self.set.iter_mut().zip(given) {
                    set.1 = typed(varied, levels.words(), *value);
                }
                model.run(&self.set, &study.outputs, stop, &mut self.row, warnings)?
            }
            (Subject::Impact(_), Some(bench)) => bench.run(&self.values, &mut self.row),
            (Subject::Impact(_), None) => Ok(()),
        };
        match done {
            Ok(()) => {
                let mut cells = self.row.iter_mut();
                for output in &study.outputs {
                    let own = cells.by_ref().take(output.width);
                    own.for_each(|cell| *cell /= output.si);
                }
                Some(String::new())
            }
            Err(why) => {
                self.row.fill(f64::NAN);
                Some(if why.is_empty() {
                    "no reason is known".into()
                } else {
                    why
                })
            }
        }
    }
}

/// A value as `--set` takes it.
pub(in crate::study) fn typed(
    varied: &super::Varied,
    words: Option<&[String]>,
    value: f64,
) -> String {
    if let Some(words) = words {
        return words.get(value as usize).cloned().unwrap_or_default();
    }
    // Debug is the shortest text that is read back to the last bit, and always one of a float.
    match varied.unit.as_str() {
        "" => format!("{value:?}"),
        unit => format!("{value:?} {unit}"),
    }
}
