//! What does a fit look like: the points with the curves of the best laws, and what is left over?

use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::data::Data;
use super::kind::Kind;
use super::motion::Moved;
use super::record::Record;
use super::{Fit, Outcome};

/// Curves that are drawn at most.
const MOST: usize = 4;

/// More points than these are dots: marks would hide the curves.
const FEW: usize = 60;

fn marks(panel: Panel, name: String, points: Vec<(f64, f64)>) -> Panel {
    match points.len() > FEW {
        true => panel.dots(name, points),
        false => panel.points(name, points),
    }
}

/// The best curves of which no two are the same.
fn leading(outcome: &Outcome) -> Vec<&Fit> {
    let mut shown: Vec<&Fit> = Vec::new();
    for fit in &outcome.fits {
        let drawn = shown.iter().any(|s| s.same_curve.contains(&fit.id));
        if !drawn && shown.len() < MOST {
            shown.push(fit);
        }
    }
    shown
}

/// A law with how many others have its curve.
fn named(fit: &Fit) -> String {
    match fit.same_curve.len() {
        0 => fit.id.into(),
        1 => format!("{} (and {})", fit.id, fit.same_curve.concat()),
        more => format!("{} (and {more} others)", fit.id),
    }
}

/// The data with the best curves, and below what is left over of the best one, in units of the noise. `None` if nothing was fitted.
pub fn chart(title: &str, data: &Data, outcome: &Outcome) -> Option<Chart> {
    let best = outcome.fits.first()?;
    let (x, x_unit) = data.kind.abscissa();
    let (y, y_unit) = data.kind.ordinate();
    let measured = data.x.iter().copied().zip(data.y.iter().copied());
    let mut panel = marks(
        Panel::new(Axis::new(y, y_unit)).height(300.0),
        "measured".into(),
        measured.collect(),
    );
    for fit in leading(outcome) {
        if fit
            .smooth
            .iter()
            .any(|p| p.0.is_finite() && p.1.is_finite())
        {
            panel = panel.line(named(fit), fit.smooth.iter().copied());
        }
    }
    let left = data.x.iter().copied().zip(best.residuals.iter().copied());
    let ends = [
        data.x.iter().copied().fold(f64::INFINITY, f64::min),
        data.x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ];
    let residuals = Panel::new(Axis::new("residual / noise", ""))
        .height(130.0)
        .covering([-3.0, 3.0])
        .reference("zero", ends.map(|x| (x, 0.0)));
    let residuals = marks(residuals, format!("of {}", best.id), left.collect());
    let stack = Stack::new(Axis::new(x, x_unit))
        .panel(panel)
        .panel(residuals);
    Some(Chart::new(title).stack(stack))
}

/// A record with the best motion, channel by channel, each above what is left over of it in units of its noise.
pub fn motion_chart(title: &str, record: &Record, moved: &Moved) -> Chart {
    let times = || record.times.iter().copied();
    let ends = [times().next(), times().last()].map(|t| t.unwrap_or(0.0));
    let mut stack = Stack::new(Axis::new("time", "s"));
    for (i, series) in record.series.iter().enumerate().take(MOST) {
        let unit = moved.units.get(i).map_or("", String::as_str);
        let known = |y: &[f64]| -> Vec<(f64, f64)> {
            let pairs = times().zip(y.iter().copied());
            pairs.filter(|(_, y)| y.is_finite()).collect()
        };
        let smooth = moved.smooth.get(i).map_or(&[][..], Vec::as_slice);
        let left = moved.residuals.get(i).map_or(&[][..], Vec::as_slice);
        let panel = Panel::new(Axis::new(&series.channel, unit)).height(220.0);
        let panel = marks(panel, "measured".into(), known(&series.y))
            .line("fitted", smooth.iter().copied());
        let residuals = Panel::new(Axis::new("residual / noise", ""))
            .height(130.0)
            .covering([-3.0, 3.0])
            .reference("zero", ends.map(|t| (t, 0.0)));
        let residuals = marks(residuals, format!("of {}", series.channel), known(left));
        stack = stack.panel(panel).panel(residuals);
    }
    Chart::new(title).stack(stack)
}

/// Restitution over approach speed, of the data and of the best curves. `None` where the data show more than restitution.
pub fn restitution_chart(
    title: &str,
    data: &Data,
    outcome: &Outcome,
    gravity: f64,
) -> Option<Chart> {
    let measured = data.restitutions(gravity);
    if measured.is_empty() {
        return None;
    }
    let mut panel = marks(
        Panel::new(Axis::new("restitution", "")).height(300.0),
        "measured".into(),
        measured,
    );
    for fit in leading(outcome) {
        if !fit.restitution.is_empty() {
            panel = panel.line(named(fit), fit.restitution.iter().copied());
        }
    }
    let stack = Stack::new(Axis::new("approach speed", "m/s")).panel(panel);
    Some(Chart::new(title).stack(stack))
}

impl Data {
    /// Pairs of approach speed (m/s) and restitution as they stand in the data; empty where forces were measured. `gravity` in m/s².
    pub fn restitutions(&self, gravity: f64) -> Vec<(f64, f64)> {
        use crate::math::sqrt;
        match self.kind {
            Kind::Speeds => {
                let pairs = self.x.iter().zip(&self.y);
                pairs.map(|(v, out)| (*v, out / v)).collect()
            }
            Kind::Heights => {
                let pairs = self.following(2);
                let point = |w: &[f64]| (sqrt(2.0 * gravity * w[0]), sqrt(w[1] / w[0]));
                pairs.map(point).collect()
            }
            Kind::Times => {
                let three = self.following(3);
                let point = |w: &[f64]| {
                    let (before, after) = (w[1] - w[0], w[2] - w[1]);
                    (0.5 * gravity * before, after / before)
                };
                three.map(point).collect()
            }
            _ => Vec::new(),
        }
    }
}
