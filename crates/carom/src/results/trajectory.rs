//! How does the table of a run come onto the disk while the run goes on, and back again?
//!
//! `trajectory.csv` has the heads `t [s],name [unit],…` and one line a sample. A run that is killed leaves a table of whole lines, and that takes some care: a system copies what it is
//! given into pages of 4096 bytes and may end a process between two of them, so that one large call is cut like several small ones. Every call therefore stays inside one page. Where the
//! next line would not, the last one before it is made to reach the end of its page by zeros behind its time (0.25 is written 0.25000), and the next line begins with the next page. Only
//! a line that is longer than a page (some 200 channels) may be cut; [`Reader`] leaves out a last line that has no end.
//!
//! Lines are handed over when their page is full, or after 0.2 s. The last line is always held back: its zeros are known when the next one comes.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::model::{Channel, Model};
use crate::results::number;
use crate::system::{Observer, Progress};

/// What a system copies in one go.
const PAGE: usize = 4096;
/// Lines do not wait for longer than this.
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
    /// Lines of the current page that are not handed over yet.
    waiting: Vec<u8>,
    /// Where in `waiting` the last line begins.
    last: usize,
    /// How much of the current page is handed over.
    filled: usize,
    line: Vec<u8>,
    handed_over: Instant,
    rows: u64,
    error: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    /// Writes the heads. `columns` has the time first.
    pub fn new(out: W, columns: &[Column]) -> Self {
        let heads: Vec<String> = columns.iter().map(Column::head).collect();
        let mut writer = Self {
            out,
            waiting: Vec::with_capacity(2 * PAGE),
            last: 0,
            filled: 0,
            line: Vec::with_capacity(32 * (columns.len() + 1)),
            handed_over: Instant::now(),
            rows: 0,
            error: None,
        };
        writer.waiting.extend_from_slice(heads.join(",").as_bytes());
        writer.waiting.push(b'\n');
        writer.hand_over(writer.waiting.len());
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
        self.line.clear();
        // Bytes in memory take everything.
        let _ = number::write(&mut self.line, t);
        for value in values {
            self.line.push(b',');
            let _ = number::write(&mut self.line, *value);
        }
        self.line.push(b'\n');
        self.rows += 1;
        let used = self.filled + self.waiting.len();
        // None is left where the lines that wait fill their page exactly.
        let room = used.max(1).next_multiple_of(PAGE) - used;
        if self.line.len() > room {
            // A line that is longer than a page crosses its end wherever it begins.
            if self.line.len() <= PAGE {
                stretch(&mut self.waiting, self.last, room);
            }
            self.hand_over(self.waiting.len());
        }
        self.last = self.waiting.len();
        self.waiting.extend_from_slice(&self.line);
        self.hand_over_if_old();
    }

    /// Hands over lines that have waited long enough.
    pub fn hand_over_if_old(&mut self) {
        if self.last > 0 && self.handed_over.elapsed() >= MOST_TIME {
            self.hand_over(self.last);
        }
    }

    /// So many bytes of whole lines in one call.
    fn hand_over(&mut self, bytes: usize) {
        let lines = self.waiting.get(..bytes).unwrap_or_default();
        if self.error.is_none()
            && let Err(error) = self.out.write_all(lines)
        {
            self.error = Some(error);
        }
        self.waiting.drain(..bytes.min(self.waiting.len()));
        self.last = 0;
        self.filled = (self.filled + bytes) % PAGE;
        self.handed_over = Instant::now();
    }

    /// Writes what is left; how many samples there are.
    pub fn finish(mut self) -> io::Result<u64> {
        self.hand_over(self.waiting.len());
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.rows),
        }
    }
}

/// Makes the number that begins at `start` longer by so many letters, without changing it: by zeros behind its decimals.
fn stretch(text: &mut Vec<u8>, start: usize, by: usize) {
    let number = text.get(start..).unwrap_or_default();
    let length = number.iter().position(|c| b",\n".contains(c));
    // Nothing is waiting, or it is no number: the line after it will cross the page.
    let Some(length) = length.filter(|_| number.iter().any(u8::is_ascii_digit)) else {
        return;
    };
    let number = number.get(..length).unwrap_or_default();
    let mantissa = number.iter().position(|c| *c == b'e').unwrap_or(length);
    let zeros = std::iter::repeat_n(b'0', by);
    if number.contains(&b'.') {
        text.splice(start + mantissa..start + mantissa, zeros);
    } else if by > 1 {
        let point = std::iter::once(b'.').chain(zeros.skip(1));
        text.splice(start + mantissa..start + mantissa, point);
    } else {
        let sign = usize::from(number.starts_with(b"-"));
        text.splice(start + sign..start + sign, zeros);
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

    const PROGRESS: Progress = Progress {
        t: 0.0,
        start: 0.0,
        end: 1.0,
        step: 0.1,
        steps: 1,
        events: 0,
        crowd: None,
    };

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
    fn every_call_hands_over_whole_lines_of_one_page() {
        let mut calls = Calls::default();
        let mut writer = Writer::new(&mut calls, &columns());
        let rows = 20_000;
        let value = |i: i32| {
            [
                f64::from(i) * 1e-4,
                f64::from(i).sin(),
                1.0 / f64::from(i + 1),
            ]
        };
        for i in 0..rows {
            let [t, a, b] = value(i);
            writer.line(t, &[a, b]);
            if i % 77 == 0 {
                // As if time had passed.
                writer.handed_over -= MOST_TIME;
            }
        }
        assert_eq!(writer.finish().expect("it is written"), rows as u64);
        assert!(calls.0.len() > 200, "{} calls", calls.0.len());
        let mut at = 0;
        for call in calls.0.iter().filter(|call| !call.is_empty()) {
            assert_eq!(call.last(), Some(&b'\n'));
            assert_eq!(at / PAGE, (at + call.len() - 1) / PAGE, "at {at}");
            at += call.len();
        }
        // Zeros do not change a number.
        let all = calls.0.concat();
        let mut reader = Reader::new(all.as_slice()).expect("it has heads");
        for i in 0..rows {
            assert_eq!(reader.row().expect("it is read"), Some(&value(i)[..]));
        }
    }

    #[test]
    fn the_table_does_not_depend_on_when_its_lines_were_handed_over() {
        let written = |pause: usize| {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes, &columns());
            for i in 0..2000 {
                if i % pause == 0 {
                    writer.handed_over -= MOST_TIME;
                }
                writer.line(i as f64, &[1.0 / (i + 1) as f64, 0.0]);
            }
            writer.finish().expect("it is written");
            bytes
        };
        let once = written(usize::MAX);
        for pause in [1, 2, 7, 100] {
            assert!(written(pause) == once, "every {pause} lines");
        }
    }

    #[test]
    fn a_stretched_number_is_the_same_number() {
        for (number, by, stretched) in [
            ("0.25", 1, "0.250"),
            ("0.25", 4, "0.250000"),
            ("-1.5e-7", 2, "-1.500e-7"),
            ("3", 1, "03"),
            ("-3", 1, "-03"),
            ("3", 2, "3.0"),
            ("1e-4", 1, "01e-4"),
            ("1e-4", 3, "1.00e-4"),
        ] {
            let mut text = format!("0,1\n{number},7\n").into_bytes();
            stretch(&mut text, 4, by);
            let text = String::from_utf8(text).expect("ASCII");
            assert_eq!(text, format!("0,1\n{stretched},7\n"));
            assert_eq!(stretched.len(), number.len() + by);
            assert_eq!(stretched.parse::<f64>(), number.parse::<f64>());
        }
    }

    #[test]
    fn lines_longer_than_a_page_are_written_too() {
        let values = vec![1.0 / 3.0; 500];
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &columns());
        for i in 0..10 {
            writer.line(f64::from(i), &values);
        }
        writer.finish().expect("it is written");
        let text = String::from_utf8(bytes).expect("ASCII");
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.split(',').count() == 501)
        );
    }

    #[test]
    fn lines_but_the_last_do_not_wait_longer_than_a_fifth_of_a_second() {
        let mut calls = Calls::default();
        let mut writer = Writer::new(&mut calls, &columns());
        writer.line(0.0, &[1.0, 2.0]);
        writer.line(0.5, &[1.0, 2.0]);
        std::thread::sleep(MOST_TIME);
        assert_eq!(writer.progress(&PROGRESS), ControlFlow::Continue(()));
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
        assert_eq!(writer.progress(&PROGRESS), ControlFlow::Break(()));
        assert_eq!(writer.finish().expect_err("full").to_string(), "no room");
    }
}
