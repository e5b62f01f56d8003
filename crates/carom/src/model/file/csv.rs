//! Which numbers stand in a table of commas, and where is it wrong?
//!
//! The first line names the columns, `name [unit]`, the unit left out for SI; every other line has one number a column. Blank lines and lines that begin with `#` are passed over.

use std::path::PathBuf;

use crate::card::nearest;
use crate::model::diagnostic::{Diagnostic, Lines, Severity, cut};
use crate::model::units::{self, Dimension};

/// A table that has been read, and the text it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub path: PathBuf,
    pub text: String,
}

/// A column that is asked for.
pub(crate) type Asked = (&'static str, Dimension);

/// What the lines of a table must be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Whether the first column rises.
    pub rising: bool,
    /// So many lines at least, and why.
    pub least: (usize, &'static str),
}

impl Rule {
    /// A smooth curve over the first column.
    pub const CURVE: Rule = Rule {
        rising: true,
        least: (4, "a smooth curve is laid through the points"),
    };
    /// Straight lines over the first column.
    pub const LINES: Rule = Rule {
        rising: true,
        least: (2, "straight lines join the points"),
    };
    /// Points in any order, whose number is asked for elsewhere.
    pub const POINTS: Rule = Rule {
        rising: false,
        least: (1, "there is nothing to join"),
    };
}

/// The columns asked for, in that order; or what is wrong. `name` is the file as messages show it.
pub(crate) fn parse(
    name: &str,
    text: &str,
    asked: &[Asked],
    rule: Rule,
) -> Result<Vec<Vec<f64>>, Vec<Diagnostic>> {
    let mut sheet = Sheet {
        name,
        lines: Lines::new(text),
        faults: Vec::new(),
    };
    let mut rows = text
        .split('\n')
        .scan(0, |offset, line| {
            let start = *offset;
            *offset += line.len() + 1;
            Some((start, line))
        })
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let Some((start, head)) = rows.next() else {
        sheet
            .fault(0, 0, "the table is empty")
            .hint(columns_hint(asked));
        return Err(sheet.faults);
    };
    let Some(order) = sheet.head(start, head, asked) else {
        return Err(sheet.faults);
    };
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); asked.len()];
    let mut rising: Option<f64> = None;
    for (start, line) in rows {
        // One fault of a kind repeats itself a thousand times: the first few say enough.
        if sheet.faults.len() >= 5 {
            break;
        }
        let cells: Vec<(usize, &str)> = cells(start, line);
        if cells.len() != order.len() {
            let message = format!(
                "{} cells, but the table has {} columns",
                cells.len(),
                order.len()
            );
            sheet
                .fault(start, line.trim_end().len(), message)
                .hint("cells are separated by commas");
            continue;
        }
        for ((at, cell), (column, unit)) in cells.into_iter().zip(&order) {
            let Some((name, dimension)) = asked.get(*column) else {
                continue;
            };
            let Some(value) = number(cell, unit, *dimension) else {
                sheet
                    .fault(at, cell.len(), format!("`{}` is not a number", cut(cell)))
                    .allowed("a finite decimal number; units stand in the head");
                continue;
            };
            if *column == 0 && rule.rising {
                if let Some(before) = rising.filter(|before| !(value > *before)) {
                    let message = format!("`{name}` is {value}, after {before}");
                    sheet
                        .fault(at, cell.len(), message)
                        .allowed("the first column rises from line to line");
                }
                rising = Some(value);
            }
            if let Some(column) = columns.get_mut(*column) {
                column.push(value);
            }
        }
    }
    let rows = columns.first().map_or(0, Vec::len);
    let (least, why) = rule.least;
    if sheet.faults.is_empty() && rows < least {
        sheet
            .fault(
                start,
                head.trim_end().len(),
                format!("the table has {rows} rows"),
            )
            .allowed(format!("at least {least}: {why}"));
    }
    if sheet.faults.is_empty() {
        Ok(columns)
    } else {
        Err(sheet.faults)
    }
}

/// The cells of a line with where they begin, trimmed.
fn cells(start: usize, line: &str) -> Vec<(usize, &str)> {
    let mut at = start;
    let split = line.split(',').map(|cell| {
        let begin = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + 1;
        let cell = cell.trim();
        // Spreadsheets put quotes around what they please.
        match cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')) {
            Some(inside) => (
                begin + 1 + (inside.len() - inside.trim_start().len()),
                inside.trim(),
            ),
            None => (begin, cell),
        }
    });
    split.collect()
}

/// A cell in SI units.
fn number(cell: &str, unit: &str, dimension: Dimension) -> Option<f64> {
    let plain: f64 = cell.parse().ok()?;
    let value = if unit.is_empty() {
        plain
    } else {
        units::parse(&format!("{cell} {unit}"), dimension).ok()?
    };
    (plain.is_finite() && value.is_finite()).then_some(value)
}

/// `time` is `t`.
fn column_name(head: &str) -> &str {
    match head {
        "time" | "Time" | "T" => "t",
        other => other,
    }
}

fn columns_hint(asked: &[Asked]) -> String {
    let heads: Vec<String> = asked
        .iter()
        .map(|(name, dimension)| match dimension.unit().as_str() {
            "1" => (*name).into(),
            unit => format!("{name} [{unit}]"),
        })
        .collect();
    format!("its first line names the columns: {}", heads.join(", "))
}

struct Sheet<'a> {
    name: &'a str,
    lines: Lines<'a>,
    faults: Vec<Diagnostic>,
}

impl Sheet<'_> {
    fn fault(
        &mut self,
        start: usize,
        length: usize,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let mut fault = Diagnostic::new(Severity::Error, message);
        fault.file = self.name.into();
        self.lines.point(&mut fault, start..start + length);
        self.faults.push_mut(fault)
    }

    /// Which asked column stands at each place, and its unit.
    fn head(&mut self, start: usize, head: &str, asked: &[Asked]) -> Option<Vec<(usize, String)>> {
        let mut order = Vec::new();
        let all = cells(start, head.trim_start_matches('\u{feff}'));
        // Whether every column but `value` is there by its name, and one more.
        let has = |name: &str| {
            let mut names = all.iter().map(|(_, cell)| cell.split('[').next());
            names.any(|head| head.map(str::trim).map(column_name) == Some(name))
        };
        let others = asked
            .iter()
            .all(|(name, _)| has(name) != (*name == "value"));
        let free = all.len() == asked.len() && others;
        if all.len() == 1 && head.contains(';') {
            self.fault(
                start,
                head.trim_end().len(),
                "the columns are separated by semicolons",
            )
            .hint("separate them by commas, and write decimals with a point");
            return None;
        }
        if all.iter().all(|(_, cell)| cell.parse::<f64>().is_ok()) {
            self.fault(
                start,
                head.trim_end().len(),
                "the first line must name the columns, but it has numbers",
            )
            .hint(columns_hint(asked));
            return None;
        }
        for (at, cell) in all {
            let (name, unit) = match cell.split_once('[') {
                Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(']')),
                None => (cell, Some("")),
            };
            let name = column_name(name);
            let Some(unit) = unit.map(str::trim) else {
                self.fault(
                    at,
                    cell.len(),
                    format!("`{}` has no closing bracket", cut(cell)),
                )
                .hint(columns_hint(asked));
                continue;
            };
            // A column that is asked for as `value` may be called by what it is, if no other column could be meant.
            let named = asked.iter().position(|(known, _)| *known == name);
            let value = asked.iter().position(|(known, _)| *known == "value");
            let Some(column) = named.or(value.filter(|_| free)) else {
                self.fault(
                    at,
                    cell.len(),
                    format!("there is no column `{}` in such a table", cut(name)),
                )
                .hint(format!("{}; leave others out", columns_hint(asked)))
                .nearest(&nearest(name, asked.iter().map(|(known, _)| *known)));
                continue;
            };
            if order.iter().any(|(known, _)| *known == column) {
                self.fault(
                    at,
                    cell.len(),
                    format!("the column `{}` is there twice", cut(name)),
                );
                continue;
            }
            if let Some((_, dimension)) = asked.get(column)
                && !unit.is_empty()
                && let Err(error) = units::parse(&format!("1 {unit}"), *dimension)
            {
                let message = error.to_string();
                let (message, hint) = message.split_once(". Hint: ").unwrap_or((&message, ""));
                self.fault(at, cell.len(), message).hint(hint);
            }
            order.push((column, unit.to_string()));
        }
        for (column, (name, _)) in asked.iter().enumerate() {
            let there = order.iter().any(|(known, _)| *known == column);
            if !there && self.faults.is_empty() {
                self.fault(
                    start,
                    head.trim_end().len(),
                    format!("the column `{name}` is missing"),
                )
                .hint(columns_hint(asked));
            }
        }
        self.faults.is_empty().then_some(order)
    }
}
