//! What was measured: which columns does a table have, and what is wrong with it?
//!
//! A table of commas (or semicolons, or tabs, and then decimals may have commas). Its first line names the columns with their units, `time [ms],force [N]`; a unit that is left out is SI. Blank lines and lines that begin with `#` are passed over.

use crate::card::{nearest, rounded};
use crate::model::diagnostic::{Diagnostic, cut};
use crate::model::units::{self, Dimension};

use super::kind::{COLUMNS, Column, KNOWN, Kind, column_of};
use super::sheet::{CELLS, Sheet, cells, decimal, heading, lines, rounding, separator};

/// Columns that are named where they are not those that were asked for.
const MOST_NAMED: usize = 8;
/// Points of a table, at most.
pub(super) const MOST_POINTS: usize = 100_000;

/// Of a force that pulls, and pushes less than this share of it anywhere, the sign is turned round.
const TURNED: f64 = 0.1;

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
    let data = table(&mut sheet, text, kind);
    sheet.done(data)
}

/// What a first line may look like.
const HEADS: &str = "the first line names the columns: `time [ms],force [N]`, `indentation [um],force [N]` (and `rate [m/s]`), `height [m]`, `time [s]` of bounces, or `approach speed [m/s],rebound speed [m/s]`";

fn table(sheet: &mut Sheet<'_>, text: &str, asked: Option<Kind>) -> Option<Data> {
    let mut rows = lines(text);
    let Some((start, line)) = rows.next() else {
        sheet.fault(0, 0, "the table is empty".into(), "", HEADS.into());
        return None;
    };
    let head = Head::read(sheet, start, line)?;
    let fits = |kind: &Kind| head.fits(*kind);
    let kind = match asked {
        Some(kind) => Some(kind).filter(fits),
        None => Kind::ALL.into_iter().find(fits),
    };
    let Some(kind) = kind else {
        let (message, hint) = head.no_kind(asked);
        sheet.fault(start, head.whole, message, "", hint);
        return None;
    };
    let mut reader = Reader::new(&head, kind);
    for (start, line) in rows {
        reader.row(sheet, start, line);
    }
    sheet.mixed();
    reader.judge(sheet, asked.is_none());
    Some(reader.data)
}

/// A column that means something.
struct Titled {
    column: Column,
    dimension: Dimension,
    /// Its unit as it is written; empty if it was left out.
    unit: String,
}

/// The first line of a table.
struct Head<'a> {
    start: usize,
    /// Its length without blanks at its end.
    whole: usize,
    separator: char,
    /// Its cells, with where they begin.
    named: Vec<(usize, &'a str)>,
    /// What each means, if anything.
    columns: Vec<Option<Titled>>,
}

impl<'a> Head<'a> {
    fn read(sheet: &mut Sheet<'_>, start: usize, line: &'a str) -> Option<Self> {
        let separator = separator(line);
        let mut head = Self {
            start,
            whole: line.trim_end().len(),
            separator,
            named: cells(start, line, separator),
            columns: Vec::new(),
        };
        let is_number = |cell: &str| decimal(cell, separator).parse::<f64>().is_ok();
        if head.named.iter().all(|(_, cell)| is_number(cell)) {
            let message = "the first line has numbers, but must name the columns".into();
            sheet.fault(start, head.whole, message, "", HEADS.into());
            return None;
        }
        let depth = |cell: &str| {
            let known = column_of(&heading(cell).0, true);
            known.is_some_and(|(column, _)| column == Column::Indentation)
        };
        let indented = head.named.iter().any(|(_, cell)| depth(cell));
        for (at, cell) in &head.named {
            let (title, mut unit) = heading(cell);
            let Some((column, dimension)) = column_of(&title, indented) else {
                head.columns.push(None);
                continue;
            };
            if head.has(column) {
                let message = format!("the column `{}` is there twice", cut(cell));
                sheet.fault(*at, cell.len(), message, "", "leave one out".into());
            }
            if !unit.is_empty()
                && let Err(error) = units::parse(&format!("1 {unit}"), dimension)
            {
                // Told once: the numbers below are read without it.
                unit = "";
                let said = error.to_string();
                let (message, hint) = said.split_once(". Hint: ").unwrap_or((&said, ""));
                sheet.fault(*at, cell.len(), message.into(), "", hint.into());
            }
            head.columns.push(Some(Titled {
                column,
                dimension,
                unit: unit.into(),
            }));
        }
        Some(head)
    }

    fn has(&self, column: Column) -> bool {
        self.columns.iter().flatten().any(|c| c.column == column)
    }

    /// Whether all is there that this kind needs.
    fn fits(&self, kind: Kind) -> bool {
        let rebound = kind == Kind::Speeds && self.has(Column::Restitution);
        let mut needs = kind.needs().iter();
        needs.all(|c| self.has(*c) || *c == Column::Rebound && rebound)
    }

    /// What is said, with a hint, where the columns are of no kind, or not of the one asked for.
    fn no_kind(&self, asked: Option<Kind>) -> (String, String) {
        let all = COLUMNS.iter().flat_map(|c| c.2.iter().copied());
        let unknown = self.named.iter().zip(&self.columns);
        let unknown = unknown.filter(|(_, column)| column.is_none());
        let titles: Vec<String> = unknown.map(|((_, cell), _)| heading(cell).0).collect();
        let near: Vec<&str> = titles
            .iter()
            .flat_map(|title| nearest(title, all.clone()))
            .collect();
        let near = match near.as_slice() {
            [] => String::new(),
            names => format!(" (nearest names: {})", names.join(", ")),
        };
        let Some(asked) = asked else {
            let message = "these columns are no measurement that is known".to_string();
            return (message, format!("{HEADS}{near}"));
        };
        let lacks = asked.needs().iter().filter(|c| !self.has(**c));
        let lacks: Vec<String> = lacks.map(|c| format!("`{}`", c.name())).collect();
        let found = self.named.iter().take(MOST_NAMED);
        let mut found: Vec<String> = found.map(|(_, cell)| format!("`{}`", cut(cell))).collect();
        if let Some(more) = self.named.len().checked_sub(MOST_NAMED).filter(|n| *n > 0) {
            found.push(format!("{more} more"));
        }
        let message = format!(
            "`{asked}` needs {}, and the columns are {}",
            lacks.join(" and "),
            found.join(", ")
        );
        let kinds = Kind::ALL.into_iter().filter(|kind| self.fits(*kind));
        let kinds: Vec<String> = kinds.map(|kind| format!("`{kind}`")).collect();
        let hint = match kinds.as_slice() {
            [] => format!("{HEADS}{near}"),
            kinds => format!("they fit --kind {}{near}", kinds.join(" or ")),
        };
        (message, hint)
    }
}

/// Reads row after row.
struct Reader<'h> {
    head: &'h Head<'h>,
    data: Data,
    /// Heights beside instants may be those along a track.
    instants: Vec<f64>,
    /// The last instant and the last bounce: both rise.
    last: [Option<f64>; 2],
    /// In columns that nobody knows.
    numbers: Numbers,
}

/// The numbers of a row by column, each with its rounding, SI units.
#[derive(Default)]
struct Row([Option<[f64; 2]>; KNOWN]);

impl Row {
    fn with_rounding(&self, column: Column) -> Option<[f64; 2]> {
        self.0.get(column as usize).copied().flatten()
    }

    fn at(&self, column: Column) -> Option<f64> {
        self.with_rounding(column).map(|[value, _]| value)
    }
}

impl<'h> Reader<'h> {
    fn new(head: &'h Head<'h>, kind: Kind) -> Self {
        let rated = kind == Kind::ForceIndentation && head.has(Column::Rate);
        let mut reader = Self {
            head,
            data: Data {
                kind,
                x: Vec::new(),
                y: Vec::new(),
                rate: rated.then(Vec::new),
                instants: (rated && head.has(Column::Time)).then(Vec::new),
                unused: Vec::new(),
            },
            instants: Vec::new(),
            last: [None; 2],
            numbers: Numbers {
                of: vec![0; head.columns.len()],
                rows: 0,
            },
        };
        for ((_, cell), column) in head.named.iter().zip(&head.columns) {
            if !column.as_ref().is_some_and(|c| reader.uses(c.column)) {
                reader.data.unused.push(cell.to_string());
            }
        }
        reader
    }

    fn uses(&self, column: Column) -> bool {
        let kind = self.data.kind;
        let beside = match column {
            Column::Rate | Column::Time => self.data.rate.is_some(),
            Column::Restitution => kind == Kind::Speeds,
            Column::Bounce => matches!(kind, Kind::Heights | Kind::Times),
            _ => false,
        };
        beside || kind.needs().contains(&column)
    }

    /// One row: a point of the data, if nothing is wrong with it.
    fn row(&mut self, sheet: &mut Sheet<'_>, start: usize, line: &str) {
        let head = self.head;
        let written = cells(start, line, head.separator);
        if written.len() != head.columns.len() {
            let message = format!(
                "{} cells, but the table has {} columns",
                written.len(),
                head.columns.len()
            );
            sheet.fault(start, line.trim_end().len(), message, "", CELLS.into());
            return;
        }
        self.numbers.rows += 1;
        for ((_, cell), count) in written.iter().zip(&mut self.numbers.of) {
            let cell = decimal(cell, head.separator);
            *count += usize::from(cell.parse::<f64>().is_ok());
        }
        let mut row = Row::default();
        let mut restitution = (start, 0);
        for ((at, cell), titled) in written.iter().zip(&head.columns) {
            let Some(titled) = titled else { continue };
            // A restitution beside the rebound speed is only compared with it.
            let beside = titled.column == Column::Restitution && head.has(Column::Rebound);
            if self.data.kind == Kind::Heights && titled.column == Column::Time {
                let cell = decimal(cell, head.separator);
                let instant = number(&cell, titled);
                self.instants.extend(instant);
            }
            if !self.uses(titled.column) || beside && cell.is_empty() {
                continue;
            }
            if beside {
                restitution = (*at, cell.len());
            }
            let cell = &sheet.decimal(*at, cell, head.separator);
            let Some(value) = measured(sheet, *at, cell, titled) else {
                continue;
            };
            self.rising(sheet, *at, cell, titled.column, value);
            if let Some(slot) = row.0.get_mut(titled.column as usize) {
                let half = number(&rounding(cell), titled).unwrap_or(0.0);
                *slot = Some([value, half]);
            }
        }
        compare(sheet, restitution, &row);
        self.take(&row);
    }

    /// Complains of instants and bounces that do not rise.
    fn rising(&mut self, sheet: &mut Sheet<'_>, at: usize, cell: &str, column: Column, value: f64) {
        let [instant, bounce] = &mut self.last;
        let (last, name, unit) = match column {
            Column::Time => (instant, "time", " s"),
            Column::Bounce => (bounce, "bounce", ""),
            _ => return,
        };
        if let Some(before) = last.filter(|before| !(value > *before)) {
            let message = format!("{name} = {value}{unit}, after {before}{unit}");
            let hint = match value == before {
                true => format!("keep one line for each {name}, or give it more digits"),
                false => format!("sort the lines by {name}"),
            };
            let allowed = format!("{name} rises from line to line");
            sheet.fault(at, cell.len(), message, &allowed, hint);
        }
        *last = Some(value);
    }

    /// Adds what a row tells.
    fn take(&mut self, row: &Row) {
        let at = |column: Column| row.at(column);
        let data = &mut self.data;
        let number = at(Column::Bounce).unwrap_or(data.y.len() as f64);
        let point = match data.kind {
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
        if let Some(rates) = &mut data.rate {
            rates.extend(at(Column::Rate));
        }
        if let Some(instants) = &mut data.instants {
            instants.extend(at(Column::Time));
        }
    }

    /// Why instants are not those of bounces, if a column of numbers stands beside them that nobody knows.
    fn beside_instants(&self) -> Option<String> {
        if self.data.kind != Kind::Times {
            return None;
        }
        let all = self.head.named.iter().zip(&self.head.columns);
        let mut unknown = all.zip(&self.numbers.of).filter(|((_, column), count)| {
            column.is_none() && self.numbers.rows > 0 && **count == self.numbers.rows
        });
        let (((_, cell), _), _) = unknown.next()?;
        Some(format!(
            "there are instants, and a column `{}` that means nothing here",
            cut(cell)
        ))
    }

    /// Complains of what is wrong with the table as a whole; `guessed` says that its columns alone tell its kind.
    fn judge(&self, sheet: &mut Sheet<'_>, guessed: bool) {
        if !sheet.sound() {
            return;
        }
        let data = &self.data;
        let mut wrong = |message: String, allowed: &str, hint: &str| {
            sheet.fault(
                self.head.start,
                self.head.whole,
                message,
                allowed,
                hint.into(),
            );
        };
        let count = data.y.len();
        let forces = !data.kind.is_restitution();
        let [least, most] = ends(&data.y);
        if forces && count > 0 && data.y.iter().all(|y| *y == 0.0) {
            wrong(
                "the force is 0 N at every point".into(),
                "a force that is somewhere not 0",
                "no law of contact shows in it: is it the right column, and the right part of the record?",
            );
        } else if forces && most < TURNED * -least {
            let [least, most] = [least, most].map(rounded);
            wrong(
                format!("the force is negative: {least} N to {most} N"),
                "compression is positive, as what pushes bodies apart",
                "the sign looks turned round: multiply the column by -1",
            );
        } else if let Some([least, most]) = turned(data) {
            wrong(
                format!(
                    "the indentation is negative, {} m to {} m, and the more so the larger the force is",
                    rounded(least),
                    rounded(most)
                ),
                "bodies that are pressed together harder have a larger indentation",
                "the sign looks turned round: multiply the column by -1",
            );
        } else if let Some(message) = self.beside_instants().filter(|_| guessed) {
            wrong(
                message,
                "instants of bounces stand alone, or with their numbers (`bounce`)",
                "a force is called `force [N]`, the heights of bounces `height [m]`; --kind times takes every row for a bounce; the motion of a model is fitted with --model",
            );
        } else if let Some(message) = track(&data.y, &self.instants).filter(|_| guessed) {
            wrong(
                message,
                "",
                "a track is fitted with a model: `time [s],ball.y [m]`, with the channel of the model as its name, and --model MODEL --free PATH=LOW..HIGH; of bounces keep one row each, its highest point; --kind heights takes every row for a bounce",
            );
        } else if !(data.kind.least()..=MOST_POINTS).contains(&count) {
            wrong(
                format!("the table has {count} points"),
                &format!("{} to {MOST_POINTS} of {}", data.kind.least(), data.kind),
                "a curve needs more points than unknowns; thin a record that is longer",
            );
        }
    }
}

/// The least and the largest, zero among them.
fn ends(all: &[f64]) -> [f64; 2] {
    [f64::min, f64::max].map(|f| all.iter().copied().fold(0.0, f))
}

/// The ends of an indentation whose sign is turned round: it is negative, and falls where the force grows.
fn turned(data: &Data) -> Option<[f64; 2]> {
    let [least, most] = ends(&data.x);
    if data.kind != Kind::ForceIndentation || !(most < TURNED * -least) {
        return None;
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (x, y) = (mean(&data.x), mean(&data.y));
    let pairs = data.x.iter().zip(&data.y);
    let together: f64 = pairs.map(|(a, b)| (a - x) * (b - y)).sum();
    (together < 0.0).then_some([least, most])
}

/// How many of the cells of each column are numbers, of so many.
#[derive(Default)]
struct Numbers {
    of: Vec<usize>,
    rows: usize,
}

/// A unit behind a number.
fn unit_of(unit: &str) -> String {
    match unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}

/// What stands in a cell, SI units, or what is wrong with it.
fn measured(sheet: &mut Sheet<'_>, at: usize, cell: &str, titled: &Titled) -> Option<f64> {
    let column = titled.column;
    let value = number(cell, titled);
    match value {
        Some(value) if !column.allows(value) => {
            let message = format!("{} = {}{}", column.name(), cut(cell), unit_of(&titled.unit));
            let hint = "take the line out if the measurement failed there".into();
            sheet.fault(at, cell.len(), message, column.allowed(), hint);
        }
        None => {
            let message = format!("`{}` is not a number", cut(cell));
            let hint =
                "units stand in the first line; take the line out if nothing was measured there"
                    .into();
            sheet.fault(at, cell.len(), message, "a finite decimal number", hint);
        }
        _ => {}
    }
    value.filter(|value| column.allows(*value))
}

/// Complains of a restitution, which stands there, that is not the rebound speed over the approach speed.
fn compare(sheet: &mut Sheet<'_>, (at, length): (usize, usize), row: &Row) {
    let [approach, rebound, restitution] =
        [Column::Approach, Column::Rebound, Column::Restitution].map(|c| row.with_rounding(c));
    let (Some(v), Some(out), Some(e)) = (approach, rebound, restitution) else {
        return;
    };
    if !agrees(v, out, e) {
        let message = format!(
            "restitution = {}, but {} m/s of {} m/s is {}",
            e[0],
            out[0],
            v[0],
            rounded(out[0] / v[0])
        );
        let allowed = "rebound speed over approach speed, but for rounding";
        let hint = "one of the three is wrong; leave the column out that is not to be used";
        sheet.fault(at, length, message, allowed, hint.into());
    }
}

/// Whether a restitution is the rebound speed over the approach speed, as far as rounding lets anybody tell; each with its rounding, SI units.
pub fn agrees(approach: [f64; 2], rebound: [f64; 2], restitution: [f64; 2]) -> bool {
    let ([v, dv], [out, d_out], [e, de]) = (approach, rebound, restitution);
    // A little for the roundings of this comparison itself.
    let room = d_out + de * (v.abs() + dv) + e.abs() * dv + 1e-9 * out.abs();
    (e * v - out).abs() <= room
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
fn number(cell: &str, titled: &Titled) -> Option<f64> {
    let plain: f64 = cell.parse().ok()?;
    let value = match titled.unit.as_str() {
        "" => plain,
        unit => units::parse(&format!("{cell} {unit}"), titled.dimension).ok()?,
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
    fn a_restitution_agrees_with_its_speeds_but_for_rounding() {
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
