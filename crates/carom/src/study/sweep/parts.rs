//! How do the results of a sweep come onto the disk as Parquet, and back?
//!
//! A table has the column `point`, one a varied parameter, one a number of the outputs, and `failure`: why a point has no results, empty where it has. Numbers are SI, but for outputs that were asked for in another unit; the key-value metadata `units`
//! is a JSON object of name and unit, and `sum` a check of all outputs and texts: a table in which a bit has turned is refused. A part says under `part` of which sweep it is and with which point it begins: one of another study, model or seed, or of another place, is refused too. The same rows give the same bytes, in whatever portions they are handed
//! over.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::reader::ColumnReader;
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{ColumnPath, Type};
use serde_json::{Map, Value};

use super::Study;

/// Numbers in a group of rows, all columns together: 8 MB of them; and rows, at most.
const CELLS: usize = 1 << 20;
const ROWS: usize = 1 << 16;
/// The key of the metadata that has the check.
const SUM: &str = "sum";
/// The key of the metadata that says of which sweep a part is; the joined table has none.
const PART: &str = "part";

/// A check of numbers and texts, in their order: no single word of 64 bits can change without it.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    const NONE: Sum = Sum(0xcbf2_9ce4_8422_2325);

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(29);
    }

    fn numbers(&mut self, all: &[f64]) {
        all.iter().for_each(|x| self.word(x.to_bits()));
    }

    fn text(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn shown(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Some rows of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// The first point.
    pub first: u64,
    /// How many there are.
    pub rows: usize,
    /// One list a varied parameter; of words the place of the word.
    pub varied: Vec<Vec<f64>>,
    /// One list a column of the outputs.
    pub outputs: Vec<Vec<f64>>,
    /// Why a point has no results; empty where it has.
    pub failures: Vec<String>,
    /// What its run warned of, `code` or `code×3`, separated by blanks; nothing at all in studies of free impacts.
    pub warnings: Vec<String>,
}

/// Writes rows.
pub(super) struct Writer<'a, W: Write + Send> {
    study: &'a Study,
    writer: SerializedFileWriter<W>,
    group: usize,
    first: u64,
    outputs: Vec<Vec<f64>>,
    failures: Vec<ByteArray>,
    warnings: Vec<ByteArray>,
    empty: ByteArray,
    sum: Sum,
}

/// The sweep with this hash, from this point on.
fn mark(hash: &str, first: u64) -> String {
    format!("{hash} {first}")
}

impl<'a, W: Write + Send> Writer<'a, W> {
    /// The joined table.
    pub fn whole(study: &'a Study, out: W) -> io::Result<Self> {
        Self::new(study, out, 0, None)
    }

    /// A part of the sweep with this hash, from this point on.
    pub fn part(study: &'a Study, out: W, hash: &str, first: u64) -> io::Result<Self> {
        Self::new(study, out, first, Some(mark(hash, first)))
    }

    fn new(study: &'a Study, out: W, first: u64, part: Option<String>) -> io::Result<Self> {
        let required = |name: &str, physical: Physical, text: bool| {
            Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(text.then_some(LogicalType::String))
                .build()
                .map(Arc::new)
                .map_err(failed)
        };
        let mut fields = vec![required("point", Physical::INT64, false)?];
        let mut units = Map::new();
        let levels = study.design.levels();
        let columns = study.columns();
        for (i, (name, unit)) in columns.iter().enumerate() {
            let words = levels.get(i).is_some_and(|levels| levels.words().is_some());
            fields.push(match words {
                true => required(name, Physical::BYTE_ARRAY, true)?,
                false => required(name, Physical::DOUBLE, false)?,
            });
            units.insert(name.clone(), Value::from(unit.as_str()));
        }
        fields.push(required("failure", Physical::BYTE_ARRAY, true)?);
        if study.warns() {
            fields.push(required("warnings", Physical::BYTE_ARRAY, true)?);
        }
        let schema = Type::group_type_builder("sweep")
            .with_fields(fields)
            .build()
            .map_err(failed)?;
        let mut about = vec![KeyValue::new(
            "units".into(),
            Value::Object(units).to_string(),
        )];
        about.extend(part.map(|part| KeyValue::new(PART.into(), part)));
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(about))
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_column_dictionary_enabled(ColumnPath::from("failure"), true)
            .set_column_dictionary_enabled(ColumnPath::from("warnings"), true);
        for (varied, levels) in study.varied.iter().zip(levels) {
            // What repeats itself is written once.
            let repeats = !study.design.kind().draws() || levels.words().is_some();
            let path = ColumnPath::from(varied.name.as_str());
            properties = properties.set_column_dictionary_enabled(path, repeats);
        }
        let properties = Arc::new(properties.build());
        let width = 2 + columns.len();
        Ok(Self {
            study,
            writer: SerializedFileWriter::new(out, Arc::new(schema), properties).map_err(failed)?,
            group: (CELLS / width).clamp(1, ROWS),
            first,
            outputs: vec![Vec::new(); study.width()],
            failures: Vec::new(),
            warnings: Vec::new(),
            empty: ByteArray::from(""),
            sum: Sum::NONE,
        })
    }

    /// These rows, which follow upon those before.
    pub fn write(
        &mut self,
        outputs: &[Vec<f64>],
        failures: &[String],
        warnings: &[String],
    ) -> io::Result<()> {
        let empty = self.empty.clone();
        let bytes = |text: &String| match text.is_empty() {
            true => empty.clone(),
            false => ByteArray::from(text.as_str()),
        };
        let mut from = 0;
        while from < failures.len() {
            let to = failures.len().min(from + self.group - self.failures.len());
            for (column, new) in self.outputs.iter_mut().zip(outputs) {
                column.extend_from_slice(new.get(from..to).unwrap_or_default());
            }
            let texts = failures.get(from..to).unwrap_or_default();
            self.failures.extend(texts.iter().map(&bytes));
            let texts = warnings.get(from..to).unwrap_or_default();
            self.warnings.extend(texts.iter().map(&bytes));
            from = to;
            if self.failures.len() >= self.group {
                self.flush()?;
            }
        }
        Ok(())
    }

    pub fn close(mut self) -> io::Result<()> {
        if !self.failures.is_empty() {
            self.flush()?;
        }
        let sum = KeyValue::new(SUM.into(), self.sum.shown());
        self.writer.append_key_value_metadata(sum);
        self.writer.close().map_err(failed)?;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = self.failures.len();
        self.outputs.iter().for_each(|all| self.sum.numbers(all));
        for text in self.failures.iter().chain(&self.warnings) {
            self.sum.text(text.data());
        }
        let design = &self.study.design;
        let mut group = self.writer.next_row_group().map_err(failed)?;
        let points: Vec<i64> = (self.first..)
            .take(rows)
            .map(|point| point as i64)
            .collect();
        let varied = varied(self.study, self.first, rows);
        let mut column = 0;
        while let Some(mut place) = group.next_column().map_err(failed)? {
            let parameter = column_of(column, varied.len(), self.outputs.len());
            match parameter {
                Place::Point => place.typed::<Int64Type>().write_batch(&points, None, None),
                Place::Failure => {
                    place
                        .typed::<ByteArrayType>()
                        .write_batch(&self.failures, None, None)
                }
                Place::Warnings => {
                    place
                        .typed::<ByteArrayType>()
                        .write_batch(&self.warnings, None, None)
                }
                Place::Output(i) => {
                    let values = self.outputs.get(i).map_or(&[][..], Vec::as_slice);
                    place.typed::<DoubleType>().write_batch(values, None, None)
                }
                Place::Varied(i) => {
                    let values = varied.get(i).map_or(&[][..], Vec::as_slice);
                    match design.levels().get(i).and_then(|levels| levels.words()) {
                        Some(words) => {
                            let words: Vec<ByteArray> = words
                                .iter()
                                .map(|word| ByteArray::from(word.as_str()))
                                .collect();
                            let word = |place: &f64| {
                                words.get(*place as usize).unwrap_or(&self.empty).clone()
                            };
                            let texts: Vec<ByteArray> = values.iter().map(word).collect();
                            place
                                .typed::<ByteArrayType>()
                                .write_batch(&texts, None, None)
                        }
                        None => place.typed::<DoubleType>().write_batch(values, None, None),
                    }
                }
            }
            .map_err(failed)?;
            place.close().map_err(failed)?;
            column += 1;
        }
        group.close().map_err(failed)?;
        self.first += rows as u64;
        self.failures.clear();
        self.warnings.clear();
        self.outputs.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

enum Place {
    Point,
    Varied(usize),
    Output(usize),
    Failure,
    Warnings,
}

fn column_of(column: usize, varied: usize, outputs: usize) -> Place {
    match column {
        0 => Place::Point,
        i if i <= varied => Place::Varied(i - 1),
        i if i <= varied + outputs => Place::Output(i - 1 - varied),
        i if i == varied + outputs + 1 => Place::Failure,
        _ => Place::Warnings,
    }
}

/// The values of what is varied, one list a parameter: they follow from the number of the point.
fn varied(study: &Study, first: u64, rows: usize) -> Vec<Vec<f64>> {
    let width = study.varied.len();
    let mut columns = vec![Vec::with_capacity(rows); width];
    let mut values = vec![0.0; width];
    for point in (first..).take(rows) {
        study.design.at(point, &mut values);
        for (column, value) in columns.iter_mut().zip(&values) {
            column.push(*value);
        }
    }
    columns
}

/// A table of results.
pub struct Results<'a> {
    study: &'a Study,
    reader: SerializedFileReader<File>,
    first: u64,
    /// The check that was written with it.
    sum: String,
}

impl<'a> Results<'a> {
    /// The joined table of a study.
    pub fn open(study: &'a Study, path: &Path) -> io::Result<Self> {
        Self::read(study, path, 0, study.points(), None)
    }

    /// A part of the sweep with this hash: from this point on, so many. A file that is not that is refused.
    pub(super) fn part(
        study: &'a Study,
        path: &Path,
        hash: &str,
        first: u64,
        rows: u64,
    ) -> io::Result<Self> {
        Self::read(study, path, first, rows, Some(mark(hash, first)))
    }

    fn read(
        study: &'a Study,
        path: &Path,
        first: u64,
        rows: u64,
        part: Option<String>,
    ) -> io::Result<Self> {
        let reader = SerializedFileReader::new(File::open(path)?).map_err(failed)?;
        let about = reader.metadata().file_metadata();
        let columns = about.schema_descr().num_columns();
        let (is, should) = (about.num_rows(), rows as i64);
        let width = 2 + study.varied.len() + study.width() + usize::from(study.warns());
        if is != should || columns != width {
            let what =
                format!("{is} rows of {columns} columns, where {should} of {width} should be");
            return Err(damaged(&what));
        }
        let said = |key: &str| {
            let mut all = about.key_value_metadata().into_iter().flatten();
            all.find(|one| one.key == key)?.value.clone()
        };
        if part.is_some() && said(PART) != part {
            return Err(damaged(
                "it is a part of another study, model or seed, or of other points",
            ));
        }
        let sum = said(SUM);
        Ok(Self {
            study,
            first,
            sum: sum.ok_or_else(|| damaged("it has no check of its numbers"))?,
            reader,
        })
    }

    /// Reads all of it, and says whether it is as it was written.
    pub(super) fn check(&self) -> io::Result<()> {
        self.each(|_| Ok(()))
    }

    /// All rows, some at a time; at the end an error if they are not those that were written.
    pub fn each(&self, mut hear: impl FnMut(&Cells) -> io::Result<()>) -> io::Result<()> {
        let mut sum = Sum::NONE;
        let mut first = self.first;
        let (parameters, outputs) = (self.study.varied.len(), self.study.width());
        for i in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(i).map_err(failed)?;
            let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            let mut cells = Cells {
                first,
                rows,
                varied: varied(self.study, first, rows),
                outputs: Vec::with_capacity(outputs),
                failures: Vec::with_capacity(rows),
                warnings: Vec::new(),
            };
            let texts = 1 + usize::from(self.study.warns());
            for column in 1 + parameters..1 + parameters + outputs + texts {
                match group.get_column_reader(column).map_err(failed)? {
                    ColumnReader::DoubleColumnReader(mut reader) => {
                        let mut values = Vec::with_capacity(rows);
                        reader
                            .read_records(rows, None, None, &mut values)
                            .map_err(failed)?;
                        sum.numbers(&values);
                        cells.outputs.push(values);
                    }
                    ColumnReader::ByteArrayColumnReader(mut reader) => {
                        let mut values = Vec::with_capacity(rows);
                        reader
                            .read_records(rows, None, None, &mut values)
                            .map_err(failed)?;
                        values.iter().for_each(|text| sum.text(text.data()));
                        let text =
                            |bytes: &ByteArray| String::from_utf8_lossy(bytes.data()).into_owned();
                        let texts = values.iter().map(text);
                        match column == 1 + parameters + outputs {
                            true => cells.failures.extend(texts),
                            false => cells.warnings.extend(texts),
                        }
                    }
                    _ => return Err(damaged("a column of another kind")),
                }
            }
            let whole =
                cells.outputs.len() == outputs && cells.outputs.iter().all(|c| c.len() == rows);
            let told = cells.warnings.len() == (texts - 1) * rows;
            if !whole || !told || cells.failures.len() != rows {
                return Err(damaged("columns of different lengths"));
            }
            first += rows as u64;
            hear(&cells)?;
        }
        match sum.shown() == self.sum {
            true => Ok(()),
            false => Err(damaged("its numbers are not those that were written")),
        }
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error.to_string())
}
