//! What did the contacts of a run look like: force over time, and over indentation?

use crate::model::units::pretty;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::system::{ContactSample, Contacted};

/// Contacts in one picture, at most.
pub const MOST: usize = 6;
/// Height of a panel, in SVG pixels.
const HEIGHT: f64 = 250.0;

/// What depths and forces are measured in: of a length, and of an angle.
const UNITS: [(&str, &str, &str); 2] = [("m", "N", "force"), ("rad", "N m", "moment")];

/// The force of the first contacts over the time from touch on, and over the indentation: the area inside a loop is the energy lost. The legend says when each began, and the restitution asked for and got; a mark
/// stands at the largest force. Contacts that turn have panels of their own. `None` if no contact was kept.
pub fn chart(title: &str, contacts: &[Contacted]) -> Option<Chart> {
    let kept = |c: &&Contacted| c.samples.iter().filter(drawable).count() > 1;
    let drawn: Vec<&Contacted> = contacts.iter().filter(kept).take(MOST).collect();
    if drawn.is_empty() {
        return None;
    }
    let title = match (title.is_empty(), contacts.len() - drawn.len()) {
        (true, 0) => "contacts".into(),
        (false, 0) => format!("{title}: contacts"),
        (true, more) => format!("the first {} contacts ({more} more)", drawn.len()),
        (false, more) => format!("{title}: the first {} contacts ({more} more)", drawn.len()),
    };
    let mut chart = Chart::new(title);
    for (unit, newton, what) in UNITS {
        let own: Vec<&Contacted> = drawn.iter().copied().filter(|c| c.unit == unit).collect();
        if own.is_empty() {
            continue;
        }
        let axis = || Axis::new(what, newton);
        let mut over_time = Panel::new(axis()).height(HEIGHT).covering([0.0]);
        let mut over_depth = Panel::new(axis()).height(HEIGHT).covering([0.0]);
        let mut times = Vec::new();
        let mut loops = Vec::new();
        for contacted in &own {
            let samples = || contacted.samples.iter().filter(drawable);
            let start = contacted.episode.start;
            let name = name(contacted);
            over_time = over_time.line(&name, samples().map(|s| (s.t - start, s.force)));
            over_depth = over_depth.line(
                restitution(contacted),
                samples().map(|s| (s.delta, s.force)),
            );
            let highest = samples().max_by(|a, b| a.force.total_cmp(&b.force));
            if let Some(highest) = highest {
                times.push((highest.t - start, highest.force));
                loops.push((highest.delta, highest.force));
            }
        }
        over_time = over_time.points("largest", times).heading("touch, speed");
        over_depth = over_depth.points("largest", loops).heading("restitution");
        chart = chart
            .stack(Stack::new(Axis::new("time from touch", "s")).panel(over_time))
            .stack(Stack::new(Axis::new("indentation", unit)).panel(over_depth));
    }
    Some(chart)
}

fn drawable(sample: &&ContactSample) -> bool {
    [sample.t, sample.delta, sample.force]
        .iter()
        .all(|x| x.is_finite())
}

/// When it touched, how fast and which: the same words never stand for two contacts.
fn name(contacted: &Contacted) -> String {
    let speed = if contacted.unit == "rad" {
        "rad/s"
    } else {
        "m/s"
    };
    let mut name = format!(
        "{}, {}",
        pretty(contacted.episode.start, "s", 5),
        pretty(contacted.episode.approach, speed, 3)
    );
    name += &format!(" {}", contacted.element);
    if let Some(side) = contacted.side {
        name += &format!(" {side}");
    } else if contacted.slot > 0 {
        name += &format!(" point {}", contacted.slot + 1);
    }
    name
}

/// The restitution got and the one asked for: short enough for a line of the legend.
fn restitution(contacted: &Contacted) -> String {
    let when = pretty(contacted.episode.start, "s", 5);
    let got = contacted.newton();
    let none = if contacted.over { "none" } else { "not over" };
    let got = got.map_or(none.into(), |got| format!("{got:.3}"));
    match contacted.requested {
        Some(requested) => format!("{when}: {got} (asked {})", pretty(requested, "", 3)),
        None => format!("{when}: {got}"),
    }
}
