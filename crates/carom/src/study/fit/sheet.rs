//! Tables of numbers as programs write them: lines, cells, headings, decimals, and all that is wrong with them.

use crate::model::diagnostic::{Diagnostic, Lines, Severity, cut};

/// Faults that are told one by one; one of a kind repeats itself a thousand times.
const MOST_FAULTS: usize = 20;

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
pub(super) fn decimal(cell: &str, separator: char) -> String {
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
