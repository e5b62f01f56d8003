//! How are impacts shown: as files of a picture, as a table of numbers, as a drawing in the terminal?

use carom::impact::Impact;
use carom::report::plot::{Chart, PlotError};
use carom::report::terminal::Frame;

use super::File;
use crate::trouble::Trouble;

/// A chart as an SVG and a PNG file.
pub fn files(name: &str, chart: &Chart) -> Result<[File; 2], Trouble> {
    let failed = |e: PlotError| Trouble::Failed(format!("{name}: {e}"));
    Ok([
        File::new(format!("{name}.svg"), chart.svg().map_err(failed)?),
        File::new(format!("{name}.png"), chart.png().map_err(failed)?),
    ])
}

/// A chart of curves as an SVG, a PNG and a CSV file.
pub fn curves(name: &str, chart: &Chart) -> Result<Vec<File>, Trouble> {
    let mut all = Vec::from(files(name, chart)?);
    all.push(File::new(format!("{name}.csv"), chart.csv()));
    Ok(all)
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

/// The loop of force over indentation, drawn with letters.
pub fn drawing(impact: &Impact) -> String {
    let (delta, x) = prefix(impact.deepest.delta);
    let (force, y) = prefix(impact.peak.force);
    let points: Vec<(f64, f64)> = impact
        .history
        .iter()
        .map(|s| (s.delta / delta, s.force() / force))
        .collect();
    let frame = Frame {
        width: 64,
        height: 12,
        x: (0.0, impact.deepest.delta / delta),
        y: (impact.min_force.min(0.0) / force, impact.peak.force / force),
        x_label: &format!("indentation [{x}m]"),
        y_label: &format!("force [{y}N]"),
        diagonal: false,
    };
    let lines = frame.draw(&points);
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// The power of a thousand for a number, and its name.
fn prefix(x: f64) -> (f64, &'static str) {
    [
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "µ"),
    ]
    .into_iter()
    .find(|p| x.abs() >= p.0)
    .unwrap_or((1e-9, "n"))
}
