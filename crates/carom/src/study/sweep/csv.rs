//! How do the results of a sweep become comma-separated values?

use std::io::{self, Write};

use super::Study;
use super::parts::Results;
use crate::results::number;

/// A text as one cell of comma-separated values.
pub(super) fn quoted(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!(
            "\"{}\"",
            text.replace('"', "\"\"").replace(['\n', '\r'], " ")
        ),
        false => text.to_string(),
    }
}

/// Writes a table of results as comma-separated values: heads `name [unit]`, one line a point.
pub fn write_csv(study: &Study, results: &Results<'_>, out: &mut dyn Write) -> io::Result<()> {
    let heads = study
        .columns()
        .into_iter()
        .map(|(name, unit)| match unit.is_empty() {
            true => name,
            false => format!("{name} [{unit}]"),
        });
    let heads: Vec<String> = std::iter::once("point".into())
        .chain(heads)
        .chain(["failure".into()])
        .chain(study.warns().then(|| "warnings".into()))
        .collect();
    writeln!(out, "{}", heads.join(","))?;
    let words: Vec<Option<&[String]>> = study
        .design
        .levels()
        .iter()
        .map(|levels| levels.words())
        .collect();
    let mut line = Vec::new();
    results.each(|cells| {
        for row in 0..cells.rows {
            line.clear();
            write!(line, "{}", cells.first + row as u64)?;
            for (column, words) in cells.varied.iter().zip(&words) {
                let value = column.get(row).copied().unwrap_or(f64::NAN);
                line.push(b',');
                match words {
                    Some(words) => line.extend(
                        quoted(words.get(value as usize).map_or("", String::as_str)).bytes(),
                    ),
                    None => number::write(&mut line, value)?,
                }
            }
            for column in &cells.outputs {
                line.push(b',');
                number::write(&mut line, column.get(row).copied().unwrap_or(f64::NAN))?;
            }
            line.push(b',');
            line.extend(quoted(cells.failures.get(row).map_or("", String::as_str)).bytes());
            if let Some(warnings) = cells.warnings.get(row) {
                line.push(b',');
                line.extend(warnings.bytes());
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    })
}
