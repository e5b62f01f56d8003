//! How does the table of a run come onto the disk while the run goes on, and back again?
//!
//! `trajectory.csv` has the heads `t [s],name [unit],…` and one line a sample. Lines are gathered and handed to the system as a whole, in one call, at least every 64 kB and every
//! 0.2 s: a run that is killed leaves a table of whole lines. (A system that is stopped dead inside that one call may still cut it; [`Reader`] leaves out a last line that has no end.)

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::model::{Channel, Model};
use crate::results::number;
use crate::system::{Observer, Progress};

/// Lines are handed over when they are this many bytes …
const MOST_BYTES: usize = 64 * 1024;
/// … or this old.
const MOST_TIME: Duration = Duration::from_millis(200);

/// A column: name and SI unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, such as `slider.x`.
    pub name: String,
    /// Its unit, such as `m`.
    pub unit: String,
}

impl Column {
    /// Time and these channels.
    pub fn of(model: &Model, channels: &[Channel]) -> Vec<Column> {
        let time = Column {
            name: "t".into(),
            unit: "s".into(),
        };
        let others = channels.iter().map(|channel| Column {
            name: channel.name(model),
            unit: channel.unit(model).into(),
        });
        std::iter::once(time).chain(others).collect()
    }

    /// `name [unit]`.
    pub fn head(&self) -> String {
        format!("{} [{}]", self.name, self.unit)
    }

    /// The other way round; a head without a unit has the unit `""`.
    fn parse(head: &str) -> Column {
        let head = head.trim();
        let (name, unit) = head
            .strip_suffix(']')
            .and_then(|head| head.rsplit_once(" ["))
            .unwrap_or((head, ""));
        Column {
            name: name.into(),
            unit: unit.into(),
        }
    }
}

/// Writes the table, line by line.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    buffer: Vec<u8>,
    handed_over: Instant,
    rows: u64,
    error: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    /// Writes the heads. `columns` has the time first.
    pub fn new(out: W, columns: &[Column]) -> Self {
        let mut writer = Self {
            out,
            buffer: Vec::with_capacity(MOST_BYTES + 32 * (columns.len() + 1)),
            handed_over: Instant::now(),
            rows: 0,
            error: None,
        };
        let heads: Vec<String> = columns.iter().map(Column::head).collect();
        writer.buffer.extend_from_slice(heads.join(",").as_bytes());
        writer.buffer.push(b'\n');
        writer.hand_over();
        writer
    }

    /// Samples written.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether everything could be written so far. After a failure nothing more is.
    pub fn is_sound(&self) -> bool {
        self.error.is_none()
    }

    /// One line more.
    pub fn line(&mut self, t: f64, values: &[f64]) {
        if self.error.is_some() {
            return;
        }
        // Bytes in memory take everything.
        let _ = number::write(&mut self.buffer, t);
        for value in values {
            self.buffer.push(b',');
            let _ = number::write(&mut self.buffer, *value);
        }
        self.buffer.push(b'\n');
        self.rows += 1;
        if self.buffer.len() >= MOST_BYTES {
            self.hand_over();
        } else {
            self.hand_over_if_old();
        }
    }

    /// Hands over lines that have waited long enough.
    pub fn hand_over_if_old(&mut self) {
        if !self.buffer.is_empty() && self.handed_over.elapsed() >= MOST_TIME {
            self.hand_over();
        }
    }

    /// All lines gathered so far in one call.
    fn hand_over(&mut self) {
        if self.error.is_none()
            && let Err(error) = self.out.write_all(&self.buffer)
        {
            self.error = Some(error);
        }
        self.buffer.clear();
        self.handed_over = Instant::now();
    }

    /// Writes what is left; how many samples there are.
    pub fn finish(mut self) -> io::Result<u64> {
        self.hand_over();
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.rows),
        }
    }
}

impl<W: Write> Observer for Writer<W> {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.line(t, values);
    }

    /// A run whose table can no longer be written is ended.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        self.hand_over_if_old();
        if self.is_sound() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Reads a table, line by line. A last line without an end is left out.
#[derive(Debug)]
pub struct Reader<R: BufRead> {
    from: R,
    columns: Vec<Column>,
    line: String,
    values: Vec<f64>,
    number: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the heads.
    pub fn new(mut from: R) -> io::Result<Self> {
        let mut line = String::new();
        from.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Err(wrong(1, "there is no line of heads"));
        }
        let columns: Vec<Column> = line.split(',').map(Column::parse).collect();
        Ok(Self {
            from,
            values: Vec::with_capacity(columns.len()),
            columns,
            line,
            number: 1,
        })
    }

    /// Time first.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The next line; `None` at the end.
    pub fn row(&mut self) -> io::Result<Option<&[f64]>> {
        self.line.clear();
        self.from.read_line(&mut self.line)?;
        if !self.line.ends_with('\n') {
            return Ok(None);
        }
        self.number += 1;
        self.values.clear();
        for cell in self.line.trim_end().split(',') {
            match cell.parse::<f64>() {
                Ok(value) => self.values.push(value),
                Err(_) => return Err(wrong(self.number, &format!("`{cell}` is not a number"))),
            }
        }
        let (is, should) = (self.values.len(), self.columns.len());
        if is != should {
            let what = format!("{is} numbers in {should} columns");
            return Err(wrong(self.number, &what));
        }
        Ok(Some(&self.values))
    }
}

fn wrong(line: u64, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("line {line}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        [("t", "s"), ("rod.x", "m"), ("joint.pin.moment", "N m")]
            .map(|(name, unit)| Column {
                name: name.into(),
                unit: unit.into(),
            })
            .to_vec()
    }

    /// Remembers what came in every single call.
    #[derive(Default)]
    struct Calls(Vec<Vec<u8>>);

    impl Write for Calls {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_call_hands_over_whole_lines_and_not_too_many() {
        let mut calls = Calls::default();
        let mut writer = Writer::new(&mut calls, &columns());
        for i in 0..20_000 {
            let t = f64::from(i) * 1e-3;
            writer.line(t, &[t.sin(), 1.0 / 3.0]);
        }
        assert_eq!(writer.finish().expect("it is written"), 20_000);
        assert!(calls.0.len() > 5, "{} calls", calls.0.len());
        for call in calls.0.iter().filter(|call| !call.is_empty()) {
            assert_eq!(call.last(), Some(&b'\n'));
            assert!(call.len() < MOST_BYTES + 100);
        }
    }

    #[test]
    fn lines_do_not_wait_longer_than_a_fifth_of_a_second() {
        let mut calls = Calls::default();
        let mut writer = Writer::new(&mut calls, &columns());
        writer.line(0.0, &[1.0, 2.0]);
        std::thread::sleep(MOST_TIME);
        let progress = Progress {
            t: 0.0,
            start: 0.0,
            end: 1.0,
            step: 0.1,
            steps: 1,
            events: 0,
        };
        assert_eq!(writer.progress(&progress), ControlFlow::Continue(()));
        drop(writer);
        assert_eq!(calls.0[1], b"0,1,2\n");
    }

    #[test]
    fn what_was_written_is_read_back_to_the_last_bit() {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &columns());
        let lines = [
            [0.0, 1.0 / 3.0, -1e-300],
            [0.1, f64::NAN, 1e22],
            [0.2, f64::INFINITY, -0.0],
        ];
        for [t, a, b] in lines {
            writer.line(t, &[a, b]);
        }
        writer.finish().expect("it is written");
        bytes.extend_from_slice(b"0.3,0.5");
        let mut reader = Reader::new(bytes.as_slice()).expect("it has heads");
        assert_eq!(reader.columns(), columns());
        let mut back = Vec::new();
        while let Some(values) = reader.row().expect("it is read") {
            back.extend_from_slice(values);
        }
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        // The line without an end is left out.
        assert_eq!(bits(&back), bits(lines.as_flattened()));
    }

    #[test]
    fn a_table_that_is_none_is_refused_with_its_line() {
        let said = |text: &str| {
            let all = |mut reader: Reader<&[u8]>| {
                while reader.row()?.is_some() {}
                Ok(())
            };
            let result = Reader::new(text.as_bytes()).and_then(all);
            result.expect_err("it is wrong").to_string()
        };
        assert_eq!(said(""), "line 1: there is no line of heads");
        assert_eq!(said("t,x\n0,1\n0,a\n"), "line 3: `a` is not a number");
        assert_eq!(said("t,x\n0,1,2\n"), "line 2: 3 numbers in 2 columns");
    }

    #[test]
    fn a_full_disk_ends_the_run_and_is_told() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::new(io::ErrorKind::StorageFull, "no room"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut writer = Writer::new(Full, &columns());
        writer.line(0.0, &[1.0, 2.0]);
        assert!(!writer.is_sound());
        assert_eq!(writer.finish().expect_err("full").to_string(), "no room");
    }
}
