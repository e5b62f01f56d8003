//! What does a run look like in the terminal: one channel over time?

use carom::report::terminal::Frame;
use carom::results::thin::{Slack, Thin};
use carom::results::trajectory::Column;
use carom::system::System;

/// The size of the drawing, in characters.
const WIDTH: usize = 76;
const HEIGHT: usize = 10;
/// Points kept: several to a column.
const POINTS: usize = 1200;

/// The channel that is drawn, as its samples come in.
pub struct Curve {
    column: Column,
    place: usize,
    points: Thin,
}

impl Curve {
    /// Of the force of the first contact, if that is among the channels, or else of the first channel; nothing if nobody looks.
    pub fn of(system: &System, looks: bool) -> Option<Self> {
        let columns = Column::of(system.model(), system.channels());
        // The time stands before them.
        let mut channels = columns.into_iter().skip(1).enumerate();
        let force = |name: &str| name.starts_with("contact.") && name.ends_with(".force");
        let found = channels.clone().find(|(_, column)| force(&column.name));
        let (place, column) = found.or_else(|| channels.next()).filter(|_| looks)?;
        Some(Self {
            column,
            place,
            points: Thin::new(vec![Slack::Part(1e-3)], POINTS),
        })
    }

    /// A sample.
    pub fn see(&mut self, t: f64, values: &[f64]) {
        let value = values.get(self.place).copied().unwrap_or(f64::NAN);
        self.points.push(t, &[value], false, ());
    }

    /// The drawing; nothing where there is no curve.
    pub fn told(self) -> String {
        let kept = self.points.finish();
        let points: Vec<(f64, f64)> = kept.t.iter().copied().zip(kept.rows).collect();
        let finite = || points.iter().filter(|point| point.1.is_finite());
        let fold = |pick: fn(f64, f64) -> f64| finite().map(|point| point.1).reduce(pick);
        let (Some(first), Some(last)) = (kept.t.first(), kept.t.last()) else {
            return String::new();
        };
        let (Some(low), Some(high)) = (fold(f64::min), fold(f64::max)) else {
            return String::new();
        };
        if !(last > first && high > low) {
            return String::new();
        }
        let frame = Frame {
            width: WIDTH,
            height: HEIGHT,
            x: (*first, *last),
            y: (low, high),
            x_label: "t [s]",
            y_label: &self.column.head(),
            diagonal: false,
        };
        format!("\n{}\n", frame.draw(&points).join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(value: fn(f64) -> f64) -> String {
        let column = Column {
            name: "rod.angle".into(),
            unit: "rad".into(),
        };
        let points = Thin::new(vec![Slack::Part(1e-3)], POINTS);
        let mut curve = Curve {
            column,
            place: 1,
            points,
        };
        for i in 0..5000 {
            let t = f64::from(i) * 1e-3;
            curve.see(t, &[7.0, value(t)]);
        }
        curve.told()
    }

    #[test]
    fn a_curve_fits_into_a_terminal_and_says_what_it_is() {
        let told = curve(f64::sin);
        assert!(
            told.contains("rod.angle [rad]") && told.contains("t [s]"),
            "{told}"
        );
        assert!(
            told.lines().all(|line| line.chars().count() <= 80),
            "{told}"
        );
        assert!(told.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)));
    }

    #[test]
    fn what_does_not_move_or_is_no_number_is_not_drawn() {
        assert_eq!(curve(|_| 1.0), "");
        assert_eq!(curve(|_| f64::NAN), "");
    }
}
