//! What was measured: which columns does a table have, and what is wrong with it?
//!
//! A table of commas (or semicolons, or tabs, and then decimals may have commas). Its first line names the columns with their units, `time [ms],force [N]`; a unit that is left out is SI. Blank lines and lines that begin with `#` are passed over.

use std::fmt;

use crate::card::{nearest, rounded};
use crate::model::diagnostic::{Diagnostic, Lines, Severity, cut};
use crate::model::units::{self, Dimension};

const FORCE: Dimension = Dimension::new(1.0, 1.0, -2.0, 0.0);
/// Faults that are told one by one; one of a kind repeats itself a thousand times.
const MOST_FAULTS: usize = 20;
/// Columns that are named where they are not those that were asked for.
const MOST_NAMED: usize = 8;
/// Points of a table, at most.
pub(super) const MOST_POINTS: usize = 100_000;

/// Of a force that pulls, and pushes less than this share of it anywhere, the sign is turned round.
const TURNED: f64 = 0.1;

/// What kind of measurement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The force of one impact over time.
    TimeForce,
    /// The force over the indentation, with its rate or without.
    ForceIndentation,
    /// The heights of successive bounces, the first the one it was dropped from.
    Heights,
    /// The instants at which a bouncing body strikes.
    Times,
    /// Pairs of approach and rebound speed.
    Speeds,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [
        Kind::TimeForce,
        Kind::ForceIndentation,
        Kind::Heights,
        Kind::Times,
        Kind::Speeds,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Kind::TimeForce => "time-force",
            Kind::ForceIndentation => "force-indentation",
            Kind::Heights => "heights",
            Kind::Times => "times",
            Kind::Speeds => "speeds",
        }
    }

    /// The columns that it needs.
    fn needs(self) -> &'static [Column] {
        match self {
            Kind::TimeForce => &[Column::Time, Column::Force],
            Kind::ForceIndentation => &[Column::Indentation, Column::Force],
            Kind::Heights => &[Column::Height],
            Kind::Times => &[Column::Time],
            Kind::Speeds => &[Column::Approach, Column::Rebound],
        }
    }

    /// Points with which the least that could be sought is found: restitution, what a series begins with, and the noise.
    fn least(self) -> usize {
        match self {
            Kind::TimeForce | Kind::ForceIndentation | Kind::Speeds => 3,
            Kind::Heights => 4,
            Kind::Times => 5,
        }
    }

    /// What stands on the horizontal axis, with its unit.
    pub fn abscissa(self) -> (&'static str, &'static str) {
        match self {
            Kind::TimeForce => ("time", "s"),
            Kind::ForceIndentation => ("indentation", "m"),
            Kind::Heights | Kind::Times => ("bounce", ""),
            Kind::Speeds => ("approach speed", "m/s"),
        }
    }

    /// What is compared, with its unit.
    pub fn ordinate(self) -> (&'static str, &'static str) {
        match self {
            Kind::TimeForce | Kind::ForceIndentation => ("force", "N"),
            Kind::Heights => ("height", "m"),
            Kind::Times => ("time", "s"),
            Kind::Speeds => ("rebound speed", "m/s"),
        }
    }

    /// What `start` measures: the instant of touch on the clock of a record of force, or what an indentation shows at touch; `None` where there is no such number.
    pub fn start(self) -> Option<Dimension> {
        match self {
            Kind::TimeForce => Some(Dimension::TIME),
            Kind::ForceIndentation => Some(Dimension::LENGTH),
            Kind::Heights | Kind::Times | Kind::Speeds => None,
        }
    }

    /// Whether only what comes back of a speed is seen.
    pub fn is_restitution(self) -> bool {
        matches!(self, Kind::Heights | Kind::Times | Kind::Speeds)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time,
    Force,
    Indentation,
    Rate,
    Height,
    Approach,
    Rebound,
    Restitution,
    Bounce,
}

/// How many kinds of columns there are.
const KNOWN: usize = 9;

/// What a column of approach speeds may be called; underlines, hyphens and blanks are the same.
pub const APPROACH: &[&str] = &[
    "approach speed",
    "approach velocity",
    "approach",
    "impact speed",
    "impact velocity",
    "speed",
    "velocity",
    "v",
    "v0",
    "v in",
    "vin",
    "v impact",
];
/// The same of rebound speeds.
pub const REBOUND: &[&str] = &[
    "rebound speed",
    "rebound velocity",
    "rebound",
    "separation speed",
    "separation velocity",
    "v1",
    "v out",
    "vout",
    "v rebound",
];
/// The same of coefficients of restitution.
pub const RESTITUTION: &[&str] = &[
    "restitution",
    "e",
    "cr",
    "cor",
    "coefficient of restitution",
    "restitution coefficient",
];

/// Columns by their names.
const COLUMNS: [(Column, Dimension, &[&str]); KNOWN] = [
    (Column::Time, Dimension::TIME, &["time", "t"]),
    (Column::Force, FORCE, &["force", "f", "contact force"]),
    (
        Column::Indentation,
        Dimension::LENGTH,
        &[
            "indentation",
            "depth",
            "delta",
            "penetration",
            "displacement",
        ],
    ),
    (
        Column::Rate,
        Dimension::SPEED,
        &["rate", "indentation rate", "velocity", "speed", "v"],
    ),
    (
        Column::Height,
        Dimension::LENGTH,
        &["height", "h", "bounce height"],
    ),
    (Column::Approach, Dimension::SPEED, APPROACH),
    (Column::Rebound, Dimension::SPEED, REBOUND),
    (Column::Restitution, Dimension::NONE, RESTITUTION),
    (
        Column::Bounce,
        Dimension::NONE,
        &["bounce", "bounce number", "strike", "number", "n"],
    ),
];

/// Measured points, SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// What they are.
    pub kind: Kind,
    /// Time, indentation, approach speed, or the number of the bounce: numbers that are passed over were missed.
    pub x: Vec<f64>,
    /// Force, height, instant, or rebound speed.
    pub y: Vec<f64>,
    /// The rate of indentation, m/s, where it was measured.
    pub rate: Option<Vec<f64>>,
    /// Instants beside a rate, s, where there are any: they tell whether the rate is that of the indentation.
    pub instants: Option<Vec<f64>>,
    /// Columns that are not used.
    pub unused: Vec<String>,
}

impl Data {
    /// What the clock shows at the first instant, s; 0 where there are no instants.
    pub(super) fn clock(&self) -> f64 {
        let instants = match self.kind {
            Kind::TimeForce => &self.x,
            Kind::Times => &self.y,
            _ => return 0.0,
        };
        instants.first().copied().unwrap_or(0.0)
    }

    /// The same with a clock that begins `clock` later, s.
    pub(super) fn since(&self, clock: f64) -> Self {
        let mut since = self.clone();
        let instants = match self.kind {
            Kind::TimeForce => &mut since.x,
            Kind::Times => &mut since.y,
            _ => return since,
        };
        instants.iter_mut().for_each(|t| *t -= clock);
        since
    }

    /// So many values of a series that follow each other without a bounce missing between them.
    pub(super) fn following(&self, count: usize) -> impl Iterator<Item = &[f64]> {
        let numbers = self.x.windows(count);
        let whole = move |x: &[f64]| match x {
            [first, .., last] => last - first < count as f64 - 0.5,
            _ => false,
        };
        let all = self.y.windows(count).zip(numbers);
        all.filter(move |(_, x)| whole(x)).map(|(y, _)| y)
    }
}

/// Reads a table; `name` is the file as messages show it. Without a kind the columns tell it. Everything that is wrong is told at once.
pub fn read(name: &str, text: &str, kind: Option<Kind>) -> Result<Data, Vec<Diagnostic>> {
    let mut sheet = Sheet::new(name, text);
    let data = sheet.table(text, kind);
    sheet.done(data)
}

/// A table that is read, with what is wrong with it.
pub(super) struct Sheet<'a> {
    name: &'a str,
    lines: Lines<'a>,
    faults: Vec<Diagnostic>,
    more: usize,
    /// The first cell with a decimal point and the first with a decimal comma, with where they begin.
    marks: [Option<(usize, String)>; 2],
}

/// The cells of a line with where they begin, without blanks and quotes.
pub(super) fn cells(start: usize, line: &str, separator: char) -> Vec<(usize, &str)> {
    let mut at = start;
    line.split(separator)
        .map(|cell| {
            let begin = at + (cell.len() - cell.trim_start().len());
            at += cell.len() + separator.len_utf8();
            (begin, cell.trim().trim_matches('"').trim())
        })
        .collect()
}

/// The name of a column as names are compared, and the unit in brackets of either kind behind it.
pub fn heading(cell: &str) -> (String, &str) {
    let (title, unit) = match cell.split_once(['[', '(']) {
        Some((title, rest)) => (title, rest.trim_end_matches([']', ')']).trim()),
        None => (cell, ""),
    };
    let title = title.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = title.split_whitespace().collect();
    // A pure number has no unit, however that is written.
    let unit = if matches!(unit, "-" | "–" | "1") {
        ""
    } else {
        unit
    };
    (words.join(" "), unit)
}

/// Which column a name means. A speed beside an indentation is its rate, else that of an approach.
fn column_of(title: &str, indented: bool) -> Option<(Column, Dimension)> {
    let other = if indented {
        Column::Approach
    } else {
        Column::Rate
    };
    let all = COLUMNS.iter().filter(|c| c.2.contains(&title));
    let fits = all
        .clone()
        .find(|c| c.0 != other)
        .or(all.into_iter().next());
    fits.map(|c| (c.0, c.1))
}

/// Lines that are neither blank nor remarks, with where they begin; without the mark of byte order that some programs put first.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const MARK: char = '\u{feff}';
    let begin = if text.starts_with(MARK) {
        MARK.len_utf8()
    } else {
        0
    };
    text.get(begin..)
        .unwrap_or_default()
        .split('\n')
        .scan(begin, |offset, line| {
            let start = *offset;
            *offset += line.len() + 1;
            Some((start, line))
        })
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// What stands between the cells of a line.
pub(super) fn separator(head: &str) -> char {
    let all = [';', '\t', ','];
    all.into_iter().find(|c| head.contains(*c)).unwrap_or(',')
}

/// A number as it stands in a cell; with a decimal comma, where cells are not separated by commas.
fn decimal(cell: &str, separator: char) -> String {
    match separator != ',' && cell.matches(',').count() == 1 && !cell.contains('.') {
        true => cell.replace(',', "."),
        false => cell.into(),
    }
}

/// What helps where the cells of a line are not those of the head.
pub(super) const CELLS: &str = "one cell a column; decimals with a point, or with a comma where columns are separated by semicolons or tabs";

/// A quantity as it was written, with half a unit of its last digit in place of its number: what rounding may have done to it. Of a whole number no more than a hundredth of it.
pub fn rounding(text: &str) -> String {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    // The exponent is part of the number.
    let after = rest.strip_prefix(['e', 'E']).unwrap_or("");
    let digits = after.len()
        - after
            .trim_start_matches(|c: char| c.is_ascii_digit() || "+-".contains(c))
            .len();
    let (exponent, unit) = after.split_at(digits);
    let (exponent, unit) = match exponent.parse::<i32>() {
        Ok(exponent) => (exponent, unit),
        Err(_) => (0, rest),
    };
    let half = match number.split_once('.') {
        Some((_, decimals)) => format!(
            "0.5e{}",
            exponent - i32::try_from(decimals.len()).unwrap_or(0)
        ),
        None => {
            let most = number.parse::<f64>().map_or(0.5, |x| 0.01 * x.abs());
            format!("{}e{exponent}", most.min(0.5))
        }
    };
    format!("{half}{unit}")
}

/// Whether a restitution is the rebound speed over the approach speed, as far as rounding lets anybody tell; each with its rounding, SI units.
pub fn agrees(approach: [f64; 2], rebound: [f64; 2], restitution: [f64; 2]) -> bool {
    let ([v, dv], [out, d_out], [e, de]) = (approach, rebound, restitution);
    // A little for the roundings of this comparison itself.
    let room = d_out + de * (v.abs() + dv) + e.abs() * dv + 1e-9 * out.abs();
    (e * v - out).abs() <= room
}

impl<'a> Sheet<'a> {
    pub(super) fn new(name: &'a str, text: &'a str) -> Self {
        Self {
            name,
            lines: Lines::new(text),
            faults: Vec::new(),
            more: 0,
            marks: [None, None],
        }
    }

    /// A number of the table, with a decimal point; how it was written is noted.
    pub(super) fn decimal(&mut self, at: usize, cell: &str, separator: char) -> String {
        let both = cell.contains('.') && cell.contains(',');
        for (mark, seen) in ['.', ','].into_iter().zip(&mut self.marks) {
            if cell.contains(mark) && !both && seen.is_none() {
                *seen = Some((at, cell.into()));
            }
        }
        decimal(cell, separator)
    }

    /// Complains if some decimals have a point and others a comma.
    pub(super) fn mixed(&mut self) {
        if let [Some((_, point)), Some((at, comma))] = self.marks.clone() {
            let message = format!(
                "`{}` has a decimal comma, and `{}` a decimal point",
                cut(&comma),
                cut(&point)
            );
            let hint = "write all decimals of a table the same way".into();
            self.fault(at, comma.len(), message, "", hint);
        }
    }

    /// What was read, or everything that is wrong.
    pub(super) fn done<T>(mut self, read: Option<T>) -> Result<T, Vec<Diagnostic>> {
        let more = self.more;
        if more > 0
            && let Some(last) = self.faults.last_mut()
        {
            last.hint = format!("{} (and {more} more faults like these)", last.hint)
                .trim()
                .into();
        }
        match read {
            Some(read) if self.faults.is_empty() => Ok(read),
            _ => Err(self.faults),
        }
    }

    /// Whether nothing is wrong so far.
    pub(super) fn sound(&self) -> bool {
        self.faults.is_empty()
    }

    pub(super) fn fault(
        &mut self,
        at: usize,
        length: usize,
        message: String,
        allowed: &str,
        hint: String,
    ) {
        if self.faults.len() >= MOST_FAULTS {
            self.more += 1;
            return;
        }
        let mut fault = Diagnostic::new(Severity::Error, message);
        fault.file = self.name.into();
        fault.allowed(allowed).hint(hint);
        self.lines.point(&mut fault, at..at + length);
        self.faults.push(fault);
    }

    fn table(&mut self, text: &str, kind: Option<Kind>) -> Option<Data> {
        let heads = "the first line names the columns: `time [ms],force [N]`, `indentation [um],force [N]` (and `rate [m/s]`), `height [m]`, `time [s]` of bounces, or `approach speed [m/s],rebound speed [m/s]`";
        let mut rows = lines(text);
        let Some((start, head)) = rows.next() else {
            self.fault(0, 0, "the table is empty".into(), "", heads.into());
            return None;
        };
        let separator = separator(head);
        let whole = head.trim_end().len();
        let named = cells(start, head, separator);
        if named
            .iter()
            .all(|(_, cell)| decimal(cell, separator).parse::<f64>().is_ok())
        {
            let message = "the first line has numbers, but must name the columns".into();
            self.fault(start, whole, message, "", heads.into());
            return None;
        }
        let mut columns: Vec<Option<(Column, Dimension, String)>> = Vec::new();
        let mut unused = Vec::new();
        let depth = |cell: &str| {
            let known = column_of(&heading(cell).0, true);
            known.is_some_and(|(column, _)| column == Column::Indentation)
        };
        let indented = named.iter().any(|(_, cell)| depth(cell));
        for (at, cell) in &named {
            let (title, unit) = heading(cell);
            let Some((column, dimension)) = column_of(&title, indented) else {
                unused.push(cell.to_string());
                columns.push(None);
                continue;
            };
            if columns.iter().flatten().any(|c| c.0 == column) {
                let message = format!("the column `{}` is there twice", cut(cell));
                self.fault(*at, cell.len(), message, "", "leave one out".into());
            }
            let mut unit = unit;
            if !unit.is_empty()
                && let Err(error) = units::parse(&format!("1 {unit}"), dimension)
            {
                // Told once: the numbers below are read without it.
                unit = "";
                let said = error.to_string();
                let (message, hint) = said.split_once(". Hint: ").unwrap_or((&said, ""));
                self.fault(*at, cell.len(), message.into(), "", hint.into());
            }
            columns.push(Some((column, dimension, unit.into())));
        }
        let has = |column: Column| columns.iter().flatten().any(|c| c.0 == column);
        let fits = |kind: &Kind| {
            let rebound = kind == &Kind::Speeds && has(Column::Restitution);
            let needs = kind.needs().iter();
            needs
                .copied()
                .all(|c| has(c) || c == Column::Rebound && rebound)
        };
        let asked = kind;
        let kind = match kind {
            Some(kind) if fits(&kind) => Some(kind),
            Some(_) => None,
            None => Kind::ALL.into_iter().find(fits),
        };
        let Some(kind) = kind else {
            let all = COLUMNS.iter().flat_map(|c| c.2.iter().copied());
            let titles: Vec<String> = unused.iter().map(|cell| heading(cell).0).collect();
            let near: Vec<&str> = titles
                .iter()
                .flat_map(|title| nearest(title, all.clone()))
                .collect();
            let near = match near.as_slice() {
                [] => String::new(),
                names => format!(" (nearest names: {})", names.join(", ")),
            };
            let (message, hint) = match asked {
                Some(asked) => {
                    let lacks = |c: &Column| !has(*c);
                    let lacks = asked.needs().iter().filter(|c| lacks(c));
                    let lacks: Vec<String> = lacks.map(|c| format!("`{}`", c.name())).collect();
                    let found = named.iter().take(MOST_NAMED);
                    let mut found: Vec<String> =
                        found.map(|(_, cell)| format!("`{}`", cut(cell))).collect();
                    if let Some(more) = named.len().checked_sub(MOST_NAMED).filter(|n| *n > 0) {
                        found.push(format!("{more} more"));
                    }
                    let message = format!(
                        "`{asked}` needs {}, and the columns are {}",
                        lacks.join(" and "),
                        found.join(", ")
                    );
                    let kinds = Kind::ALL.into_iter().filter(fits);
                    let kinds: Vec<String> = kinds.map(|kind| format!("`{kind}`")).collect();
                    let hint = match kinds.as_slice() {
                        [] => format!("{heads}{near}"),
                        kinds => format!("they fit --kind {}{near}", kinds.join(" or ")),
                    };
                    (message, hint)
                }
                None => (
                    "these columns are no measurement that is known".to_string(),
                    format!("{heads}{near}"),
                ),
            };
            self.fault(start, whole, message, "", hint);
            return None;
        };
        let series = matches!(kind, Kind::Heights | Kind::Times);
        let rated = kind == Kind::ForceIndentation && has(Column::Rate);
        let uses = |column: Column| {
            kind.needs().contains(&column)
                || rated && [Column::Rate, Column::Time].contains(&column)
                || kind == Kind::Speeds && column == Column::Restitution
                || series && column == Column::Bounce
        };
        // Heights beside instants may be those along a track.
        let mut instants: Vec<f64> = Vec::new();
        let mut data = Data {
            kind,
            x: Vec::new(),
            y: Vec::new(),
            rate: rated.then(Vec::new),
            instants: (rated && has(Column::Time)).then(Vec::new),
            unused: Vec::new(),
        };
        for ((_, cell), column) in named.iter().zip(&columns) {
            if !column.as_ref().is_some_and(|c| uses(c.0)) {
                data.unused.push(cell.to_string());
            }
        }
        let mut last: [Option<f64>; 2] = [None; 2];
        for (start, line) in rows {
            let row = cells(start, line, separator);
            if row.len() != columns.len() {
                let message = format!(
                    "{} cells, but the table has {} columns",
                    row.len(),
                    columns.len()
                );
                self.fault(start, line.trim_end().len(), message, "", CELLS.into());
                continue;
            }
            let mut found: [Option<f64>; KNOWN] = [None; KNOWN];
            let mut halves: [f64; KNOWN] = [0.0; KNOWN];
            let mut spot = (start, 0);
            for ((at, cell), column) in row.iter().zip(&columns) {
                let Some((column, dimension, unit)) = column else {
                    continue;
                };
                // A restitution beside the rebound speed is only compared with it.
                let beside = *column == Column::Restitution && has(Column::Rebound);
                if kind == Kind::Heights && *column == Column::Time {
                    let cell = decimal(cell, separator);
                    instants.extend(number(&cell, unit, *dimension));
                }
                if !uses(*column) || beside && cell.is_empty() {
                    continue;
                }
                if beside {
                    spot = (*at, cell.len());
                }
                let cell = &self.decimal(*at, cell, separator);
                let value = number(cell, unit, *dimension);
                let value = match value {
                    Some(value) if allowed(*column, value) => value,
                    Some(_) => {
                        let message = format!("{} = {}{}", column.name(), cut(cell), unit_of(unit));
                        let hint = "take the line out if the measurement failed there".into();
                        self.fault(*at, cell.len(), message, column.allowed(), hint);
                        continue;
                    }
                    None => {
                        let message = format!("`{}` is not a number", cut(cell));
                        let hint = "units stand in the first line; take the line out if nothing was measured there".into();
                        self.fault(*at, cell.len(), message, "a finite decimal number", hint);
                        continue;
                    }
                };
                let rising = match column {
                    Column::Time => last.first_mut().zip(Some(("time", " s"))),
                    Column::Bounce => last.last_mut().zip(Some(("bounce", ""))),
                    _ => None,
                };
                if let Some((last, (name, unit))) = rising {
                    if let Some(before) = last.filter(|before| !(value > *before)) {
                        let message = format!("{name} = {value}{unit}, after {before}{unit}");
                        let hint = match value == before {
                            true => {
                                format!("keep one line for each {name}, or give it more digits")
                            }
                            false => format!("sort the lines by {name}"),
                        };
                        let allowed = format!("{name} rises from line to line");
                        self.fault(*at, cell.len(), message, &allowed, hint);
                    }
                    *last = Some(value);
                }
                if let Some(slot) = found.get_mut(*column as usize) {
                    *slot = Some(value);
                }
                if let Some(slot) = halves.get_mut(*column as usize) {
                    *slot = number(&rounding(cell), unit, *dimension).unwrap_or(0.0);
                }
            }
            let at = |column: Column| found.get(column as usize).copied().flatten();
            let with = |column: Column| {
                let half = halves.get(column as usize).copied().unwrap_or(0.0);
                at(column).map(|value| [value, half])
            };
            if let (Some(v), Some(out), Some(e)) = (
                with(Column::Approach),
                with(Column::Rebound),
                with(Column::Restitution),
            ) && !agrees(v, out, e)
            {
                let message = format!(
                    "restitution = {}, but {} m/s of {} m/s is {}",
                    e[0],
                    out[0],
                    v[0],
                    rounded(out[0] / v[0])
                );
                let hint =
                    "one of the three is wrong; leave the column out that is not to be used".into();
                self.fault(
                    spot.0,
                    spot.1,
                    message,
                    "rebound speed over approach speed, but for rounding",
                    hint,
                );
            }
            let number = at(Column::Bounce).unwrap_or(data.y.len() as f64);
            let point = match kind {
                Kind::TimeForce => at(Column::Time).zip(at(Column::Force)),
                Kind::ForceIndentation => at(Column::Indentation).zip(at(Column::Force)),
                Kind::Heights => at(Column::Height).map(|h| (number, h)),
                Kind::Times => at(Column::Time).map(|t| (number, t)),
                Kind::Speeds => at(Column::Approach).and_then(|v| {
                    let e = at(Column::Restitution).map(|e| e * v);
                    at(Column::Rebound).or(e).map(|out| (v, out))
                }),
            };
            if let Some((x, y)) = point {
                data.x.push(x);
                data.y.push(y);
            }
            if let (Some(rates), Some(rate)) = (&mut data.rate, at(Column::Rate)) {
                rates.push(rate);
            }
            if let (Some(instants), Some(t)) = (&mut data.instants, at(Column::Time)) {
                instants.push(t);
            }
        }
        self.mixed();
        let count = data.y.len();
        let forces = matches!(kind, Kind::TimeForce | Kind::ForceIndentation);
        if self.faults.is_empty() && forces && count > 0 && data.y.iter().all(|y| *y == 0.0) {
            let message = "the force is 0 N at every point".into();
            let hint = "no law of contact shows in it: is it the right column, and the right part of the record?".into();
            self.fault(
                start,
                whole,
                message,
                "a force that is somewhere not 0",
                hint,
            );
        }
        let [least, most] = [f64::min, f64::max].map(|f| data.y.iter().copied().fold(0.0, f));
        if self.faults.is_empty() && forces && most < TURNED * -least {
            let message = format!(
                "the force is negative: {} N to {} N",
                rounded(least),
                rounded(most)
            );
            let hint = "the sign looks turned round: multiply the column by -1".into();
            self.fault(
                start,
                whole,
                message,
                "compression is positive, as what pushes bodies apart",
                hint,
            );
        }
        if asked.is_none()
            && self.faults.is_empty()
            && let Some(message) = track(&data.y, &instants)
        {
            let hint = "a track is fitted with a model: `time [s],ball.y [m]`, with the channel of the model as its name, and --model MODEL --free PATH=LOW..HIGH; of bounces keep one row each, its highest point; --kind heights takes every row for a bounce".into();
            self.fault(start, whole, message, "", hint);
        }
        let least = kind.least();
        if self.faults.is_empty() && !(least..=MOST_POINTS).contains(&count) {
            let message = format!("the table has {count} points");
            let hint =
                "a curve needs more points than unknowns; thin a record that is longer".into();
            let allowed = format!("{least} to {MOST_POINTS} of {kind}");
            self.fault(start, whole, message, &allowed, hint);
        }
        Some(data)
    }
}

fn unit_of(unit: &str) -> String {
    match unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}

impl Column {
    fn name(self) -> &'static str {
        COLUMNS
            .iter()
            .find(|c| c.0 == self)
            .and_then(|c| c.2.first())
            .copied()
            .unwrap_or_default()
    }

    fn allowed(self) -> &'static str {
        match self {
            Column::Height | Column::Approach => "> 0",
            Column::Rebound => "≥ 0, a speed without a sign",
            Column::Restitution => "≥ 0",
            Column::Bounce => "a whole number of at most 1e5",
            _ => "any finite number",
        }
    }
}

/// Whether a measurement can be this number.
fn allowed(column: Column, value: f64) -> bool {
    match column {
        Column::Height | Column::Approach => value > 0.0,
        Column::Rebound | Column::Restitution => value >= 0.0,
        Column::Bounce => value.fract() == 0.0 && (0.0..=MOST_POINTS as f64).contains(&value),
        _ => true,
    }
}

/// Why heights (m) at these instants (s) are those along a track, not those of successive bounces, if that is so: many of them rise, or they follow each other faster than a body falls from there and comes back.
fn track(heights: &[f64], instants: &[f64]) -> Option<String> {
    const GRAVITY: f64 = 9.81;
    let count = heights.len().checked_sub(1).filter(|count| *count >= 5)?;
    if instants.len() != heights.len() {
        return None;
    }
    let rise = heights.windows(2).filter(|h| h[1] > h[0]).count();
    let flight = |h: &[f64]| {
        h.iter()
            .map(|h| crate::math::sqrt(2.0 * h / GRAVITY))
            .sum::<f64>()
    };
    let steps = heights.windows(2).zip(instants.windows(2));
    let quick = steps.filter(|(h, t)| t[1] - t[0] < 0.5 * flight(h)).count();
    (5 * rise > count || 4 * quick > 3 * count).then(|| format!(
        "these look like heights along a track, not like those of successive bounces: {rise} of {count} are higher than the one before, and {quick} follow it in less than half the time of a bounce"
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_tell_what_was_measured_and_in_which_units() {
        for (text, kind, x, y) in [
            (
                "time [ms],force [kN]\n0,0\n1,2\n2,1\n",
                Kind::TimeForce,
                1e-3,
                2e3,
            ),
            (
                "# a comment\nIndentation [um];Force [N]\n0;0\n10;5\n20;7\n",
                Kind::ForceIndentation,
                1e-5,
                5.0,
            ),
            (
                "bounce,height [cm]\n0,100\n1,64\n2,40\n3,26\n",
                Kind::Heights,
                1.0,
                0.64,
            ),
            ("time [s]\n0.4\n1.1\n1.5\n1.8\n2\n", Kind::Times, 1.0, 1.1),
            (
                "approach_speed [m/s],rebound speed [m/s]\n1,0.5\n2,0.9\n3,1\n",
                Kind::Speeds,
                2.0,
                0.9,
            ),
            ("v0,e\n1,0.5\n2,0.4\n3,0.3\n", Kind::Speeds, 2.0, 0.8),
            ("v,COR\n1,0.5\n2,0.4\n3,0.3\n", Kind::Speeds, 2.0, 0.8),
            (
                "speed (mm/s),e (-)\n1,0.5\n2e3,0.4\n3e3,0.3\n",
                Kind::Speeds,
                2.0,
                0.8,
            ),
            (
                "approach speed (m/s);rebound speed (m/s)\n1;0,5\n2;0,9\n3;1\n",
                Kind::Speeds,
                2.0,
                0.9,
            ),
            (
                "displacement (mm),velocity (m/s),force (N)\n0,1,0\n1,1,3\n2,0,4\n",
                Kind::ForceIndentation,
                1e-3,
                3.0,
            ),
        ] {
            let data = read("a.csv", text, None).expect(text);
            assert_eq!((data.kind, data.x[1], data.y[1]), (kind, x, y), "{text}");
        }
    }

    #[test]
    fn decimal_commas_are_read_where_commas_separate_nothing() {
        for text in [
            "v in [m/s];v out [m/s]\n1,5;0,75\n2,5;1\n3;1\n",
            "v in [m/s]\tv out [m/s]\n1,5\t0,75\n2,5\t1\n3\t1\n",
        ] {
            let data = read("a.csv", text, None).expect(text);
            assert_eq!((data.x[0], data.y[0], data.x[1]), (1.5, 0.75, 2.5));
        }
        let both = "v in;v out\n1,5;0.75\n2,5;1\n3;1\n";
        let faults = read("a.csv", both, None).expect_err("both marks");
        assert_eq!((faults.len(), faults[0].line), (1, 2), "{faults:?}");
    }

    #[test]
    fn rounding_is_half_of_the_last_digit_that_is_written() {
        for (text, half) in [
            ("0.73", "0.5e-2"),
            ("1.50e3 mm/s", "0.5e1 mm/s"),
            ("-2.0", "0.5e-1"),
            ("1300", "0.5e0"),
            ("3", "0.03e0"),
            ("0", "0e0"),
            ("5 m", "0.05e0 m"),
        ] {
            assert_eq!(rounding(text), half);
        }
        // 0.664 of 1.00 is 0.66 to two digits, not 0.65.
        let (v, out) = ([1.0, 0.005], [0.664, 0.0005]);
        assert!(agrees(v, out, [0.66, 0.005]));
        assert!(!agrees(v, out, [0.64, 0.005]));
    }

    #[test]
    fn every_fault_of_a_table_is_told_at_once_with_its_line() {
        let text = "time [ms],force [N]\n0,0\n1,abc\n2\n1.5,3\n1.2,nan\n";
        let faults = read("a.csv", text, None).expect_err("four faults");
        let lines: Vec<usize> = faults.iter().map(|f| f.line).collect();
        assert_eq!(lines, [3, 4, 6, 6], "{faults:?}");
        let faults = read("b.csv", "height [N]\n1\n-2\n", None)
            .expect_err("a wrong unit, a negative height");
        assert_eq!(faults.len(), 2, "{faults:?}");
        let faults = read("c.csv", "tame,farce\n1,2\n", None).expect_err("no such columns");
        assert!(faults[0].hint.contains("force"), "{faults:?}");
    }
}
