//! What was recorded of a mechanism: at which instants, and of which channels?
//!
//! A table with a column `time` and one a channel of the model, or an expression of channels: `time [ms],crank.angle [deg],rod.B.x [mm]`. A cell that is empty was not measured: records of different rates may stand in one table.

use crate::model::diagnostic::{Diagnostic, cut};
use crate::model::units::{self, Dimension};

use super::data::MOST_POINTS;
use super::sheet::{CELLS, Sheet, cells, lines, separator};

/// One column of a record, SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The channel, or an expression of channels.
    pub channel: String,
    /// What its unit measures; none if it was given without.
    pub dimension: Option<Dimension>,
    /// One a line; NaN where nothing was measured.
    pub y: Vec<f64>,
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Instants, s, rising: on the clock of the model, unless [`super::Setup::start`] or [`super::CLOCK`] says otherwise.
    pub times: Vec<f64>,
    /// What was measured at them.
    pub series: Vec<Series>,
}

impl Record {
    /// How many numbers were measured.
    pub fn count(&self) -> usize {
        let all = self.series.iter().flat_map(|series| &series.y);
        all.filter(|y| y.is_finite()).count()
    }
}

/// Reads a table; `name` is the file as messages show it. Everything that is wrong is told at once.
pub fn read_record(name: &str, text: &str) -> Result<Record, Vec<Diagnostic>> {
    let mut sheet = Sheet::new(name, text);
    let record = table(&mut sheet, text);
    sheet.done(record)
}

fn table(sheet: &mut Sheet<'_>, text: &str) -> Option<Record> {
    let heads = "the first line names the columns: `time [ms]` and channels of the model with their units, `time [ms],crank.angle [deg]`";
    let mut rows = lines(text);
    let Some((start, head)) = rows.next() else {
        sheet.fault(0, 0, "the table is empty".into(), "", heads.into());
        return None;
    };
    let separator = separator(head);
    let whole = head.trim_end().len();
    let mut clock: Option<usize> = None;
    let mut units: Vec<(String, Option<Dimension>)> = Vec::new();
    let mut series: Vec<(usize, Series)> = Vec::new();
    for (place, (at, cell)) in cells(start, head, separator).iter().enumerate() {
        // Of several brackets the last is the unit.
        let (title, unit) = match cell.rsplit_once('[') {
            Some((title, rest)) => (title.trim(), rest.trim_end_matches(']').trim()),
            None => (*cell, ""),
        };
        let mut said = |message: String, hint: &str| {
            sheet.fault(*at, cell.len(), message, "", hint.into());
        };
        let mut dimension = None;
        if !unit.is_empty() {
            match units::parse_any(&format!("1 {unit}")) {
                Ok((_, found)) => dimension = found,
                Err(error) => said(error.to_string(), ""),
            }
        }
        units.push((unit.into(), dimension));
        if title.is_empty() || title.parse::<f64>().is_ok() {
            said(format!("`{}` names no channel", cut(cell)), heads);
        } else if ["time", "t"].contains(&title.to_lowercase().as_str()) {
            if clock.replace(place).is_some() {
                said("the column `time` is there twice".into(), "leave one out");
            }
            if dimension.is_some_and(|d| !d.fits(Dimension::TIME)) {
                said(format!("`{unit}` is no unit of time"), "s, ms, us");
            }
        } else if series.iter().any(|s| s.1.channel == title) {
            said(
                format!("the column `{}` is there twice", cut(title)),
                "leave one out",
            );
        } else {
            let channel = title.to_string();
            let y = Vec::new();
            series.push((
                place,
                Series {
                    channel,
                    dimension,
                    y,
                },
            ));
        }
    }
    let Some(clock) = clock else {
        let message = "there is no column `time`".into();
        sheet.fault(start, whole, message, "", heads.into());
        return None;
    };
    if series.is_empty() && sheet.sound() {
        let message = "there is no column beside `time`".into();
        sheet.fault(start, whole, message, "", heads.into());
    }
    let mut times: Vec<f64> = Vec::new();
    for (start, line) in rows {
        let row = cells(start, line, separator);
        if row.len() != units.len() {
            let message = format!(
                "{} cells, but the table has {} columns",
                row.len(),
                units.len()
            );
            sheet.fault(start, line.trim_end().len(), message, "", CELLS.into());
            continue;
        }
        let mut number = |place: usize| -> Option<f64> {
            let (at, cell) = *row.get(place)?;
            let (unit, _) = units.get(place)?;
            if cell.is_empty() && place != clock {
                return Some(f64::NAN);
            }
            let cell = sheet.decimal(at, cell, separator);
            let plain = cell.parse::<f64>().ok().filter(|x| x.is_finite());
            let value = plain.and_then(|plain| match unit.as_str() {
                "" => Some(plain),
                unit => units::parse_any(&format!("{cell} {unit}"))
                    .ok()
                    .map(|v| v.0),
            });
            if value.is_none_or(|value| !value.is_finite()) {
                let message = format!("`{}` is not a number", cut(&cell));
                let hint = "leave the cell empty if nothing was measured there".into();
                sheet.fault(at, cell.len(), message, "a finite decimal number", hint);
            }
            value.filter(|value| value.is_finite())
        };
        let t = number(clock);
        let values: Vec<Option<f64>> = series.iter().map(|s| number(s.0)).collect();
        let Some(t) = t else { continue };
        if let Some(before) = times.last().filter(|before| !(t > **before)) {
            let message = format!("time = {t} s, after {before} s");
            let allowed = "time rises from line to line";
            sheet.fault(
                start,
                line.trim_end().len(),
                message,
                allowed,
                "sort the lines by time".into(),
            );
        }
        times.push(t);
        for ((_, series), value) in series.iter_mut().zip(values) {
            series.y.push(value.unwrap_or(f64::NAN));
        }
    }
    sheet.mixed();
    let series: Vec<Series> = series.into_iter().map(|s| s.1).collect();
    let record = Record { times, series };
    let count = record.count();
    if sheet.sound() && !(3..=MOST_POINTS).contains(&count) {
        let message = format!("the table has {count} measured numbers");
        let hint = "there must be more than unknowns; thin a record that is longer".into();
        let allowed = format!("3 to {MOST_POINTS}");
        sheet.fault(start, whole, message, &allowed, hint);
    }
    if let (true, Some(empty)) = (
        sheet.sound(),
        record
            .series
            .iter()
            .find(|s| s.y.iter().all(|y| y.is_nan())),
    ) {
        let message = format!("the column `{}` is empty", cut(&empty.channel));
        sheet.fault(start, whole, message, "", "leave it out".into());
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_in_si_units_and_empty_cells_were_not_measured() {
        let text = "# a remark\ntime [ms],bob.angle [deg], bob.x [mm]\n0,90,1\n10,,2\n\n20,-45,3\n";
        let record = read_record("r.csv", text).expect("sound");
        assert_eq!(record.times, [0.0, 0.01, 0.02]);
        assert_eq!(record.series[1].y, [0.001, 0.002, 0.003]);
        let angle = &record.series[0];
        assert!((angle.y[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-15 && angle.y[1].is_nan());
        assert_eq!(record.count(), 5);
    }

    #[test]
    fn everything_wrong_with_a_record_is_told_at_once_with_its_line() {
        let wrong = [
            ("", "the table is empty"),
            ("a.x\n1\n2\n3\n", "there is no column `time`"),
            ("time\n1\n2\n3\n", "no column beside"),
            ("time,a.x,a.x\n1,2,3\n", "there twice"),
            ("time,a.x\n0,1\n1,nan\n2,inf\n", "`nan` is not a number"),
            ("time,a.x\n0,1\n0,2\n1,3\n", "after 0 s"),
            ("time [kg],a.x\n0,1\n1,2\n2,3\n", "no unit of time"),
            ("time,a.x\n0,1\n1\n", "1 cells"),
            ("time,a.x\n0,1\n", "1 measured numbers"),
            ("time,a.x,b.y\n0,1,\n1,1,\n2,1,\n", "`b.y` is empty"),
            ("time,a.x [quux]\n0,1\n", "quux"),
        ];
        for (text, words) in wrong {
            let faults = read_record("r.csv", text).expect_err(text);
            let said: Vec<String> = faults.iter().map(|f| f.message.clone()).collect();
            assert!(said.iter().any(|m| m.contains(words)), "{text}: {said:?}");
        }
        let many = read_record("r.csv", "time,a.x\n0,nan\n1,inf\n2,x\n").expect_err("wrong");
        assert_eq!(many.iter().map(|f| f.line).collect::<Vec<_>>(), [2, 3, 4]);
    }
}
