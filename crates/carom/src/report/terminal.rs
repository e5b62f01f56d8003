//! How is a curve drawn in a terminal?
//!
//! In braille, eight dots to a character, with axes of box-drawing characters. Every character used is one column wide.

/// A frame to draw one curve in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<'a> {
    /// Columns, axis and its numbers included.
    pub width: usize,
    /// Rows of the drawing itself; the axis and the label need three more.
    pub height: usize,
    /// Ends of the horizontal axis.
    pub x: (f64, f64),
    /// Ends of the vertical axis.
    pub y: (f64, f64),
    /// What stands on the horizontal axis.
    pub x_label: &'a str,
    /// What stands on the vertical axis.
    pub y_label: &'a str,
    /// Whether to dot the line from the lower left to the upper right corner.
    pub diagonal: bool,
}

/// How many parts an axis has: a number stands at each end of each.
const PARTS: usize = 4;
/// The least drawing that can be read.
const LEAST: (usize, usize) = (8, 2);

impl Frame<'_> {
    /// The lines of the drawing. Points are joined in their order; one that is not finite breaks the line, and what lies outside the frame is not drawn.
    pub fn draw(&self, points: &[(f64, f64)]) -> Vec<String> {
        let numbers: Vec<String> = (0..=PARTS).map(|i| number(tick(self.y, i))).collect();
        let gutter = numbers.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        // A space and the axis stand between the numbers and the drawing.
        let columns = self.width.saturating_sub(gutter + 2).max(LEAST.0);
        let rows = self.height.max(LEAST.1);
        let mut canvas = Canvas::new(columns, rows);
        for pair in points.windows(2) {
            if let [a, b] = pair {
                canvas.line(self.place(*a, columns, rows), self.place(*b, columns, rows));
            }
        }
        let mut lines = vec![format!("{}{}", " ".repeat(gutter + 1), self.y_label)];
        for row in 0..rows {
            let marked = (0..=PARTS).find(|i| at(PARTS - i, rows) == row);
            let (text, axis) = match marked.and_then(|i| numbers.get(i)) {
                Some(text) => (text.as_str(), '┤'),
                None => ("", '│'),
            };
            let diagonal = |column| {
                self.diagonal && (rows - 1 - row) * (columns - 1) / (rows - 1).max(1) == column
            };
            let drawn: String = (0..columns)
                .map(|column| match canvas.cell(column, row) {
                    0 if diagonal(column) => '·',
                    0 => ' ',
                    dots => char::from_u32(0x2800 + u32::from(dots)).unwrap_or('?'),
                })
                .collect();
            lines.push(format!("{text:>gutter$} {axis}{}", drawn.trim_end()));
        }
        let tick_at = |column| (0..=PARTS).find(|i| at(*i, columns) == column);
        let axis: String = (0..columns)
            .map(|column| {
                if tick_at(column).is_some() {
                    '┬'
                } else {
                    '─'
                }
            })
            .collect();
        lines.push(format!("{} └{axis}", " ".repeat(gutter)));
        let mut under = " ".repeat(gutter + 2);
        for i in 0..=PARTS {
            let text = number(tick(self.x, i));
            let length = text.chars().count();
            // Centred under its tick, the last one flush with the end.
            let start = (gutter + 2 + at(i, columns)).saturating_sub(length / 2);
            let start = start.min((gutter + 2 + columns).saturating_sub(length));
            let used = under.chars().count();
            under.push_str(&" ".repeat(start.saturating_sub(used)));
            under.push_str(&text);
        }
        lines.push(under.trim_end().to_string());
        let label = self.x_label.chars().count();
        let indent = (gutter + 2 + columns).saturating_sub(label);
        lines.push(format!("{}{}", " ".repeat(indent), self.x_label));
        lines
    }

    /// A point in dots from the lower left corner; `None` if it is not finite.
    fn place(&self, (x, y): (f64, f64), columns: usize, rows: usize) -> Option<(f64, f64)> {
        let share = |v: f64, (low, high): (f64, f64)| (v - low) / (high - low);
        let dots = (
            share(x, self.x) * (2 * columns - 1) as f64,
            share(y, self.y) * (4 * rows - 1) as f64,
        );
        (dots.0.is_finite() && dots.1.is_finite()).then_some(dots)
    }
}

/// The number at the i-th mark of an axis.
fn tick((low, high): (f64, f64), i: usize) -> f64 {
    low + (high - low) * i as f64 / PARTS as f64
}

/// The place of the i-th mark on an axis of so many characters.
fn at(i: usize, characters: usize) -> usize {
    ((characters - 1) * i + PARTS / 2) / PARTS
}

/// Four digits at most, no zeros behind.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    if value != 0.0 && !(1e-3..1e4).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Dots, two by four to a character.
struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<u8>,
}

impl Canvas {
    fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            cells: vec![0; columns * rows],
        }
    }

    /// The dots of a character.
    fn cell(&self, column: usize, row: usize) -> u8 {
        self.cells
            .get(row * self.columns + column)
            .copied()
            .unwrap_or(0)
    }

    /// Sets the dot nearest to a place from the lower left corner, if it is inside.
    fn dot(&mut self, x: f64, y: f64) {
        let (x, y) = (x.round(), y.round());
        let inside = |v: f64, end: usize| v >= 0.0 && v < end as f64;
        if !inside(x, 2 * self.columns) || !inside(y, 4 * self.rows) {
            return;
        }
        let (x, y) = (x as usize, 4 * self.rows - 1 - y as usize);
        // The bits of Unicode's braille patterns: three rows of two, then the fourth.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        if let Some(cell) = self.cells.get_mut(y / 4 * self.columns + x / 2) {
            *cell |= BITS[y % 4][x % 2];
        }
    }

    /// Joins two places. A line much longer than the frame is cut to a bounded number of dots.
    fn line(&mut self, a: Option<(f64, f64)>, b: Option<(f64, f64)>) {
        let (Some(a), Some(b)) = (a, b) else {
            return;
        };
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let steps = dx.abs().max(dy.abs()).ceil().clamp(1.0, 10_000.0);
        for i in 0..=steps as usize {
            let share = i as f64 / steps;
            self.dot(a.0 + share * dx, a.1 + share * dy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Frame = Frame {
        width: 60,
        height: 17,
        x: (0.0, 1.0),
        y: (0.0, 1.0),
        x_label: "x",
        y_label: "y",
        diagonal: false,
    };

    #[test]
    fn a_drawing_is_as_wide_and_as_high_as_it_was_asked_to_be() {
        let lines = UNIT.draw(&[(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(lines.len(), 17 + 4);
        let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
        assert_eq!(widths.iter().max(), Some(&60), "{widths:?}");
    }

    #[test]
    fn a_line_from_corner_to_corner_ends_in_the_corners() {
        let lines = UNIT.draw(&[(0.0, 0.0), (1.0, 1.0)]);
        // The first character of the last row has its lower left dot, the last of the first row its upper right one.
        let lowest = lines[17].split('┤').nth(1).and_then(|s| s.chars().next());
        let dots = |c: Option<char>| c.map_or(0, |c| c as u32 - 0x2800);
        assert_eq!(dots(lowest) & 0x40, 0x40, "{lines:#?}");
        assert_eq!(dots(lines[1].chars().last()) & 0x08, 0x08, "{lines:#?}");
    }

    #[test]
    fn a_gap_is_not_drawn_and_nothing_panics() {
        let gap = UNIT.draw(&[(0.2, 0.2), (f64::NAN, 0.5), (0.8, 0.8)]);
        assert!(gap.iter().all(|l| l.chars().all(|c| c < '\u{2801}')));
        let wild = [(-1e300, 5.0), (1e300, f64::INFINITY), (0.5, -1e9)];
        for frame in [
            UNIT,
            Frame {
                width: 0,
                height: 0,
                x: (1.0, 1.0),
                diagonal: true,
                ..UNIT
            },
        ] {
            assert!(!frame.draw(&wild).is_empty());
        }
    }

    #[test]
    fn numbers_on_an_axis_are_short() {
        for (value, text) in [(0.0, "0"), (0.75, "0.75"), (1.0, "1"), (2.5e-6, "2.5e-6")] {
            assert_eq!(number(value), text);
        }
    }
}
