//! What does a run look like: its channels over time?

use std::io::{self, BufRead};

use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::results::trajectory::{Column, Reader};

/// Panels of a picture, and lines of a panel, at most: more can no longer be told apart.
const MOST_PANELS: usize = 6;
const MOST_LINES: usize = 12;
/// Of so many stretches of time the lowest and the highest value are kept: twice as many as a picture has pixels.
const STRETCHES: u64 = 2000;

/// What a panel shows: its unit, what stands on the axis, and which panels give way first where there are too many (the highest number).
const KINDS: [(&str, &str, u32); 9] = [
    ("m", "position", 0),
    ("rad", "angle", 1),
    ("m/s", "velocity", 2),
    ("rad/s", "angular velocity", 3),
    ("N", "force", 4),
    ("N m", "moment", 5),
    ("J", "energy", 6),
    ("m/s^2", "acceleration", 7),
    ("rad/s^2", "angular acceleration", 8),
];
/// The ends of the names of channels that tell how contacts and joints with play stand.
const CLEARANCES: [&str; 3] = [".gap", ".indentation", ".eccentricity"];
/// How far the joints are from closed has a panel of its own: beside positions it would be a line at zero.
const VIOLATION: &str = "constraint violation";

/// Columns that are drawn together.
struct Group {
    what: String,
    unit: String,
    gives_way: u32,
    columns: Vec<usize>,
}

/// The channels of a table over time, one panel a unit. `rows` is how many lines it has. `None` if there is nothing that can be drawn: fewer than two lines, or no channel with a number in it.
pub fn chart(title: &str, table: impl BufRead, rows: u64) -> io::Result<Option<Chart>> {
    let mut table = Reader::new(table)?;
    let columns = table.columns().to_vec();
    let mut outlines: Vec<Outline> = columns.iter().map(|_| Outline::default()).collect();
    let stretch = rows.div_ceil(STRETCHES).max(1);
    let mut count = 0;
    while let Some(values) = table.row()? {
        let t = values.first().copied().unwrap_or(f64::NAN);
        let ends = count % stretch == stretch - 1;
        for (outline, value) in outlines.iter_mut().zip(values) {
            outline.add(t, *value);
            if ends {
                outline.end();
            }
        }
        count += 1;
    }
    outlines.iter_mut().for_each(Outline::end);
    if count < 2 {
        return Ok(None);
    }
    let drawable = |i: usize| {
        let points = outlines.get(i).map(|outline| outline.points.iter());
        points.is_some_and(|mut points| points.any(|(t, v)| t.is_finite() && v.is_finite()))
    };
    let (groups, left_out) = chosen(&columns, drawable);
    if groups.is_empty() {
        return Ok(None);
    }
    let mut stack = Stack::new(Axis::new("time", "s"));
    for group in &groups {
        let mut panel = Panel::new(Axis::new(group.what.as_str(), group.unit.as_str()));
        for i in group.columns.iter().take(MOST_LINES) {
            if let (Some(column), Some(outline)) = (columns.get(*i), outlines.get(*i)) {
                panel = panel.line(column.name.as_str(), outline.points.iter().copied());
            }
        }
        if group.columns.len() > MOST_LINES {
            let more = group.columns.len() - MOST_LINES;
            panel = panel.heading(format!("the first {MOST_LINES}, {more} more in the table"));
        }
        stack = stack.panel(panel);
    }
    let title = match left_out.is_empty() {
        true => title.to_string(),
        false if title.is_empty() => {
            format!("in the table but not here: {}", left_out.join(", "))
        }
        false => format!(
            "{title}: in the table but not here: {}",
            left_out.join(", ")
        ),
    };
    Ok(Some(Chart::new(title).stack(stack)))
}

/// The groups that are drawn, in the order in which the table has them, and in words those that are not.
fn chosen(columns: &[Column], drawable: impl Fn(usize) -> bool) -> (Vec<Group>, Vec<String>) {
    let mut groups: Vec<Group> = Vec::new();
    for (i, column) in columns.iter().enumerate().skip(1) {
        if !drawable(i) {
            continue;
        }
        let (what, unit, gives_way) = kind(column);
        match groups.iter_mut().find(|g| g.what == what && g.unit == unit) {
            Some(group) => group.columns.push(i),
            None => groups.push(Group {
                what: what.into(),
                unit: unit.into(),
                gives_way,
                columns: vec![i],
            }),
        }
    }
    for group in &mut groups {
        let residual = |i: &usize| columns.get(*i).is_some_and(|c| c.name == "energy.residual");
        if group.columns.iter().all(residual) {
            // Beside other energies it says that they balance; alone it is noise.
            group.gives_way = 19;
        }
    }
    let mut left_out = Vec::new();
    while groups.len() > MOST_PANELS {
        let last = groups.iter().enumerate().max_by_key(|(_, g)| g.gives_way);
        let Some((i, _)) = last else { break };
        let group = groups.remove(i);
        left_out.push(group.what);
    }
    left_out.reverse();
    (groups, left_out)
}

/// What stands on the axis of the panel a column is drawn in, its unit, and how soon the panel gives way.
pub(super) fn kind(column: &Column) -> (&str, &str, u32) {
    let kind = KINDS.iter().find(|kind| kind.0 == column.unit);
    let small = CLEARANCES.iter().any(|end| column.name.ends_with(end));
    match kind {
        _ if column.name.starts_with("constraints.") => (VIOLATION, &column.unit, 20),
        // So small that beside positions they would be lines at zero, too.
        Some(("m", ..)) if small => ("clearance", &column.unit, 4),
        Some((_, what, gives_way)) => (what, &column.unit, *gives_way),
        // Two channels of a unit nobody thought of share a panel under the unit alone.
        None => (&column.unit, "", 10),
    }
}

/// A line thinned to what can be seen: of every stretch of time its lowest and its highest value.
#[derive(Default)]
struct Outline {
    points: Vec<(f64, f64)>,
    low: Option<(f64, f64)>,
    high: Option<(f64, f64)>,
    gap: Option<f64>,
}

impl Outline {
    fn add(&mut self, t: f64, value: f64) {
        if !value.is_finite() {
            self.gap = Some(t);
            return;
        }
        if self.low.is_none_or(|low| value < low.1) {
            self.low = Some((t, value));
        }
        if self.high.is_none_or(|high| value > high.1) {
            self.high = Some((t, value));
        }
    }

    fn end(&mut self) {
        let (low, high) = (self.low.take(), self.high.take());
        if let (Some(low), Some(high)) = (low, high) {
            let (first, second) = if low.0 <= high.0 {
                (low, high)
            } else {
                (high, low)
            };
            self.points.push(first);
            if second.0 != first.0 {
                self.points.push(second);
            }
        }
        // A gap is seen, whatever lies beside it.
        if let Some(t) = self.gap.take() {
            self.points.push((t, f64::NAN));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, unit: &str) -> Column {
        Column {
            name: name.into(),
            unit: unit.into(),
        }
    }

    #[test]
    fn a_panel_a_unit_and_what_is_too_much_is_named() {
        let units = [
            "s", "m", "rad", "m/s", "rad/s", "m/s^2", "rad/s^2", "N", "N m", "J",
        ];
        let mut columns: Vec<Column> = units.map(|unit| column(unit, unit)).to_vec();
        columns.push(column("rod.y", "m"));
        columns.push(column("constraints.violation", "m"));
        let (groups, left_out) = chosen(&columns, |_| true);
        let drawn: Vec<&str> = groups.iter().map(|g| g.what.as_str()).collect();
        assert_eq!(
            drawn,
            [
                "position",
                "angle",
                "velocity",
                "angular velocity",
                "force",
                "moment"
            ]
        );
        assert_eq!(groups[0].columns, [1, 10]);
        assert_eq!(
            left_out,
            ["energy", "acceleration", "angular acceleration", VIOLATION]
        );
    }

    #[test]
    fn a_long_table_keeps_its_peaks() {
        let mut text = String::from("t [s],rod.x [m],rod.y [m]\n");
        let rows = 50_000;
        for i in 0..rows {
            // One sample in fifty thousand is a peak.
            let peak = if i == 33_333 { 7.0 } else { 0.5 };
            text += &format!("{i},{peak},NaN\n");
        }
        let chart = chart("peak", text.as_bytes(), rows).expect("it is read");
        let csv = chart.expect("there is a chart").csv();
        assert!(csv.contains(",33333,7\n"));
        assert!(csv.lines().count() < 3 * STRETCHES as usize);
        // A channel without any number is not drawn.
        assert!(!csv.contains("rod.y"));
    }

    #[test]
    fn nothing_to_draw_is_no_picture_and_no_failure() {
        for text in [
            "t [s],rod.x [m]\n",
            "t [s],rod.x [m]\n0,1\n",
            "t [s]\n0\n1\n",
        ] {
            assert!(
                chart("none", text.as_bytes(), 2)
                    .expect("it is read")
                    .is_none()
            );
        }
    }
}
