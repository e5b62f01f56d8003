//! How is a table of speeds and restitutions read?
//!
//! Its first line names the columns and their units in any order, `e;v_in [mm/s]`; without names the first column is the speed in m/s and the second the restitution. What could be meant in two ways is refused, never guessed.

use std::fs;

use carom::card::{Range, nearest, rounded};
use carom::model::units::{self, Dimension};
use carom::study::fit::{APPROACH, REBOUND, RESTITUTION, agrees, heading, rounding};

use super::read::{not_finite, quantity};

/// Bytes of a table, at most.
const LARGEST: u64 = 10_000_000;
/// Faults that are told one by one.
const MOST_FAULTS: usize = 20;
/// How a first line looks.
const HEAD: &str = "a first line names the columns, such as `v_in [m/s],e` or `approach speed [mm/s];rebound speed [mm/s]`";

/// What a table must be like.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The option that asks for it, for messages.
    pub option: &'static str,
    /// Whether it is a function: speeds from 0 on, rising, two of them at least. Else they are pairs in any order.
    pub function: bool,
}

/// Measured pairs of speed (m/s) and restitution, in any order.
pub fn pairs(path: &str) -> Result<Vec<(f64, f64)>, Vec<String>> {
    let rule = Rule {
        option: "--measured",
        function: false,
    };
    table(path, rule)
}

/// Speeds (m/s) and restitutions of a file; everything that is wrong at once.
pub fn table(path: &str, rule: Rule) -> Result<Vec<(f64, f64)>, Vec<String>> {
    let option = rule.option;
    let about = fs::metadata(path).map_err(|e| {
        vec![format!(
            "{option}: cannot read {path}: {e}. Hint: a table of two columns, speed and restitution"
        )]
    })?;
    if !about.is_file() {
        return Err(vec![format!(
            "{option}: {path} is not a regular file. Hint: name the table in it"
        )]);
    }
    if about.len() > LARGEST {
        return Err(vec![format!(
            "{option}: {path} has {} bytes, but a table may have {LARGEST} at most",
            about.len()
        )]);
    }
    let bytes = fs::read(path).map_err(|e| vec![format!("{option}: cannot read {path}: {e}")])?;
    let text = super::utf8(bytes).map_err(|line| {
        vec![format!(
            "{option}: {path}: line {line} is not text in UTF-8. Hint: save it as CSV in UTF-8"
        )]
    })?;
    let mut sheet = Sheet {
        path,
        rule,
        said: Vec::new(),
        more: 0,
        marks: [None; 2],
    };
    let points = sheet.points(&text);
    if sheet.more > 0 {
        sheet
            .said
            .push(format!("{path}: {} more faults like these", sheet.more));
    }
    match sheet.said.is_empty() {
        true => Ok(points),
        false => Err(sheet.said),
    }
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Speed,
    Rebound,
    Restitution,
}

/// Columns by their names.
const COLUMNS: [(Column, &[&str]); 3] = [
    (Column::Speed, APPROACH),
    (Column::Rebound, REBOUND),
    (Column::Restitution, RESTITUTION),
];

impl Column {
    fn dimension(self) -> Dimension {
        match self {
            Column::Speed | Column::Rebound => Dimension::SPEED,
            Column::Restitution => Dimension::NONE,
        }
    }
}

/// Where the speed stands, and what the restitution follows from, each with the unit in the head.
struct Head {
    speed: (usize, String),
    other: (usize, String, Column),
    /// A rebound speed beside the restitution, which must agree with it.
    beside: Option<(usize, String)>,
    /// Columns in all.
    width: usize,
}

struct Sheet<'a> {
    path: &'a str,
    rule: Rule,
    said: Vec<String>,
    more: usize,
    /// The first line with a decimal point, and with a decimal comma.
    marks: [Option<usize>; 2],
}

impl Sheet<'_> {
    /// `line` counts from 1.
    fn fault(&mut self, line: usize, message: &str) {
        match self.said.len() < MOST_FAULTS {
            true => self
                .said
                .push(format!("{}, line {line}: {message}", self.path)),
            false => self.more += 1,
        }
    }

    fn points(&mut self, text: &str) -> Vec<(f64, f64)> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .peekable();
        let Some(&(first, line)) = lines.peek() else {
            self.said
                .push(format!("{}: the table is empty. Hint: {HEAD}", self.path));
            return Vec::new();
        };
        let separator = separator(line);
        let cells = split(line, separator);
        let named = !cells.iter().any(|cell| is_number(cell));
        let head = match named {
            true => {
                lines.next();
                self.head(first, &cells)
            }
            false => self.unnamed(first, &cells),
        };
        let Some(head) = head else {
            return Vec::new();
        };
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (number, line) in lines {
            let Some((v, e)) = self.row(number, &split(line, separator), &head) else {
                continue;
            };
            if let Some((last, _)) = points.last().filter(|last| !(v > last.0))
                && self.rule.function
            {
                let message = format!(
                    "speed = {v} [m/s], but must be above the one before it, {last}. Hint: sort the lines by speed"
                );
                self.fault(number, &message);
            }
            points.push((v, e));
        }
        if let [Some(point), Some(comma)] = self.marks {
            self.fault(
                point.max(comma),
                &format!("decimal points (line {point}) and decimal commas (line {comma}) in one table. Hint: write all decimals the same way"),
            );
        }
        let least = if self.rule.function { 2 } else { 1 };
        if self.said.is_empty() && points.len() < least {
            self.said.push(format!(
                "{}: {} points, but {least} or more are needed. Hint: one line a point below the names",
                self.path,
                points.len()
            ));
        }
        points
    }

    /// The first line names the columns.
    fn head(&mut self, line: usize, cells: &[&str]) -> Option<Head> {
        let mut found: Vec<(usize, Column, String)> = Vec::new();
        let mut unknown = Vec::new();
        for (i, cell) in cells.iter().enumerate() {
            let (title, unit) = heading(cell);
            let known = COLUMNS.iter().find(|c| c.1.contains(&title.as_str()));
            let Some((column, _)) = known else {
                unknown.push(title);
                continue;
            };
            if found.iter().any(|f| f.1 == *column) {
                let message = format!(
                    "the column `{cell}` is there twice. Hint: leave one out, or give it another name"
                );
                self.fault(line, &message);
            }
            if !unit.is_empty()
                && let Err(e) = units::parse(&format!("1 {unit}"), column.dimension())
            {
                self.fault(line, &format!("column `{cell}`: {e}"));
            }
            found.push((i, *column, unit.into()));
        }
        let of = |column: Column| found.iter().find(|f| f.1 == column);
        let other = of(Column::Restitution).or_else(|| of(Column::Rebound));
        let (Some(speed), Some(other)) = (of(Column::Speed), other) else {
            let lacks = match (of(Column::Speed), other) {
                (Some(_), _) => "no restitution and no rebound speed",
                (_, Some(_)) => "no approach speed",
                _ => "neither a speed nor a restitution",
            };
            let all = COLUMNS.iter().flat_map(|c| c.1.iter().copied());
            let near: Vec<&str> = unknown
                .iter()
                .flat_map(|title| nearest(title, all.clone()))
                .collect();
            let near = match near.is_empty() {
                true => String::new(),
                false => format!(" (nearest names: {})", near.join(", ")),
            };
            let message = format!(
                "the columns {} have {lacks}. Hint: {HEAD}; columns are separated by commas, semicolons or tabs{near}",
                cells
                    .iter()
                    .map(|cell| format!("`{cell}`"))
                    .collect::<Vec<_>>()
                    .join(", "),
            );
            self.fault(line, &message);
            return None;
        };
        let beside = of(Column::Rebound).filter(|rebound| rebound.0 != other.0);
        self.said.is_empty().then(|| Head {
            beside: beside.map(|rebound| (rebound.0, rebound.2.clone())),
            speed: (speed.0, speed.2.clone()),
            other: (other.0, other.2.clone(), other.1),
            width: cells.len(),
        })
    }

    /// The first line has numbers: speed and restitution, if there are just two.
    fn unnamed(&mut self, line: usize, cells: &[&str]) -> Option<Head> {
        if cells.len() != 2 {
            let message = format!(
                "{} columns without names, but two are expected: speed and restitution. Hint: {HEAD}; columns are separated by commas, semicolons or tabs, and with decimal commas not by commas",
                cells.len()
            );
            self.fault(line, &message);
            return None;
        }
        Some(Head {
            speed: (0, String::new()),
            other: (1, String::new(), Column::Restitution),
            beside: None,
            width: 2,
        })
    }

    fn row(&mut self, line: usize, cells: &[&str], head: &Head) -> Option<(f64, f64)> {
        if cells.len() != head.width {
            let message = format!(
                "{} cells, but the table has {} columns. Hint: one cell a column; with decimal commas columns are separated by semicolons or tabs",
                cells.len(),
                head.width
            );
            self.fault(line, &message);
            return None;
        }
        let (at, unit, column) = &head.other;
        let speed = self.number(line, cells.get(head.speed.0)?, &head.speed.1, Column::Speed);
        let other = self.number(line, cells.get(*at)?, unit, *column);
        let (v, other) = (speed?, other?);
        let slowest = match self.rule.function {
            true => Range::NOT_NEGATIVE,
            false => Range::POSITIVE,
        };
        if !slowest.contains(v) {
            self.fault(line, &format!("speed = {v} [m/s], but must be {slowest}. Hint: speeds have no sign; take the line out if nothing was measured there"));
        }
        let e = match column {
            Column::Rebound => other / v,
            _ => other,
        };
        if !Range::UNIT.contains(e) {
            let said = match column {
                Column::Rebound => format!(
                    "rebound speed = {other} [m/s] of {v} [m/s]: restitution = {e}, but must be {}. Hint: nothing comes back faster than it came, and speeds have no sign",
                    Range::UNIT
                ),
                _ => format!(
                    "restitution = {e}, but must be {}. Hint: are the columns the other way round? {HEAD}",
                    Range::UNIT
                ),
            };
            self.fault(line, &said);
        }
        if let Some((at, unit)) = &head.beside {
            let cell = cells.get(*at).copied().unwrap_or_default();
            if !cell.is_empty() {
                let out = self.number(line, cell, unit, Column::Rebound)?;
                let half = |place: usize, unit: &str, column: Column| {
                    let cell = cells.get(place).copied().unwrap_or_default();
                    let text = with_unit(&rounding(&with_point(cell)), unit);
                    quantity(&text, column.dimension()).unwrap_or(0.0)
                };
                let approach = [v, half(head.speed.0, &head.speed.1, Column::Speed)];
                let rebound = [out, half(*at, unit, Column::Rebound)];
                let restitution = [e, half(head.other.0, &head.other.1, Column::Restitution)];
                if !agrees(approach, rebound, restitution) {
                    let message = format!(
                        "restitution = {e}, but {out} m/s of {v} m/s is {}. Hint: one of the three is wrong; leave the column out that is not to be used",
                        rounded(out / v)
                    );
                    self.fault(line, &message);
                }
            }
        }
        Some((v, e))
    }

    /// A cell in SI units; its own unit comes before that of the head.
    fn number(&mut self, line: usize, cell: &str, unit: &str, column: Column) -> Option<f64> {
        let point = with_point(cell);
        for (mark, seen) in ['.', ','].into_iter().zip(&mut self.marks) {
            if cell.contains(mark) && seen.is_none() {
                *seen = Some(line);
            }
        }
        quantity(&with_unit(&point, unit), column.dimension())
            .map_err(|e| self.fault(line, &e))
            .ok()
    }
}

/// A number with the unit of the head, unless it has one of its own.
fn with_unit(point: &str, unit: &str) -> String {
    match units::parse(point, Dimension::NONE).is_ok() && !unit.is_empty() {
        true => format!("{point} {unit}"),
        false => point.into(),
    }
}

/// What stands between the cells of a line.
fn separator(line: &str) -> char {
    let edge = |cell: &str| cell.trim().starts_with(',') || cell.trim().ends_with(',');
    if line.contains(';') {
        ';'
    } else if line.contains('\t') && !line.split('\t').any(edge) {
        '\t'
    } else {
        ','
    }
}

fn split(line: &str, separator: char) -> Vec<&str> {
    line.split(separator)
        .map(|cell| cell.trim().trim_matches('"').trim())
        .collect()
}

/// With a decimal point in place of a decimal comma.
fn with_point(cell: &str) -> String {
    match cell.matches(',').count() {
        1 => cell.replace(',', "."),
        _ => cell.into(),
    }
}

fn is_number(cell: &str) -> bool {
    units::parse_any(&with_point(cell)).is_ok() || not_finite(cell).is_some()
}
