//! How do impacts look: loops, phase portraits, histories?

use carom::impact::{Impact, Sample};
use carom::report::plot::{Axis, Chart, Panel, PlotError, Stack};

use super::File;
use crate::trouble::Trouble;

/// As many lines in one panel as there are colours.
pub const LINES: usize = 7;

/// A line with its name.
pub struct Drawn<'a> {
    pub name: String,
    pub impact: &'a Impact,
}

type Coordinate = fn(&Sample) -> f64;

fn panel(drawn: &[Drawn], y: Axis, x: Coordinate, f: Coordinate) -> Panel {
    drawn.iter().fold(Panel::new(y), |panel, d| {
        panel.line(
            d.name.as_str(),
            d.impact.history.iter().map(|s| (x(s), f(s))),
        )
    })
}

fn indentation() -> Axis {
    Axis::new("indentation", "m")
}

fn force() -> Axis {
    Axis::new("force", "N")
}

/// Force over indentation.
pub fn loops(title: &str, drawn: &[Drawn]) -> Chart {
    Chart::new(title).stack(Stack::new(indentation()).panel(panel(
        drawn,
        force(),
        |s| s.delta,
        Sample::force,
    )))
}

/// Rate of indentation over indentation.
pub fn phases(title: &str, drawn: &[Drawn]) -> Chart {
    let rate = Axis::new("rate", "m/s");
    Chart::new(title).stack(Stack::new(indentation()).panel(panel(
        drawn,
        rate,
        |s| s.delta,
        |s| s.rate,
    )))
}

/// Indentation and force over time.
pub fn histories(title: &str, drawn: &[Drawn]) -> Chart {
    Chart::new(title).stack(
        Stack::new(Axis::new("time", "s"))
            .panel(panel(drawn, indentation(), |s| s.time, |s| s.delta))
            .panel(panel(drawn, force(), |s| s.time, Sample::force)),
    )
}

/// A chart as an SVG and a PNG file.
pub fn files(name: &str, chart: &Chart) -> Result<[File; 2], Trouble> {
    let failed = |e: PlotError| Trouble::Failed(format!("{name}: {e}"));
    Ok([
        File::new(format!("{name}.svg"), chart.svg().map_err(failed)?),
        File::new(format!("{name}.png"), chart.png().map_err(failed)?),
    ])
}

/// The history as a table.
pub fn csv(impact: &Impact) -> String {
    let mut text = String::from(
        "time [s],indentation [m],rate [m/s],elastic force [N],dissipative force [N],force [N]\n",
    );
    for s in &impact.history {
        text.push_str(&format!(
            "{:e},{:e},{:e},{:e},{:e},{:e}\n",
            s.time,
            s.delta,
            s.rate,
            s.elastic,
            s.dissipative,
            s.force()
        ));
    }
    text
}
