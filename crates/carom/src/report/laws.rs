//! Which pictures show what contact laws do?
//!
//! Named impacts and named curves become [`Chart`]s. A few lines share one panel; more are put into panels of at most [`MOST`] lines, by the family of their law and in the order of
//! the restitution they return, so that neighbours in a panel are neighbours in the legend. A reference (usually the elastic impact) is drawn in grey in every panel.

use crate::contact::{Family, find};
use crate::impact::{Impact, Sample};
use crate::math;

use super::plot::{Axis, Chart, Panel, Stack};

/// An impact with its history, under the name it has in the legend.
pub type Named<'a> = (&'a str, &'a Impact);
/// A curve under the name it has in the legend.
pub type Curve = (String, Vec<(f64, f64)>);

/// Lines in one panel, at most.
pub const MOST: usize = 8;

/// Height of a panel that stands alone, and of one of many, in SVG pixels.
const TALL: f64 = 360.0;
const LOW: f64 = 230.0;

/// Powers of ten from which on speeds are drawn by them: over fewer an axis of powers has too few ticks.
const DECADES: f64 = 1.5;
/// What is shown below and above the restitutions of a picture, so that laws that agree do not look as if they differed.
const BESIDE: f64 = 0.05;

/// Force over indentation: the area inside a loop is the energy lost.
pub fn loops(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let points = |s: &Sample| (s.delta, s.force());
    of_impacts(title, impacts, reference, indentation(), force(), points)
}

/// Rate of indentation over indentation, from touch (above) to separation (below).
pub fn portraits(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let points = |s: &Sample| (s.delta, s.rate);
    of_impacts(title, impacts, reference, indentation(), rate(), points)
}

/// Force over time.
pub fn force_history(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let points = |s: &Sample| (s.time, s.force());
    of_impacts(title, impacts, reference, time(), force(), points)
}

/// Indentation over time.
pub fn indentation_history(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let points = |s: &Sample| (s.time, s.delta);
    of_impacts(title, impacts, reference, time(), indentation(), points)
}

/// Rate of indentation over time.
pub fn rate_history(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let points = |s: &Sample| (s.time, s.rate);
    of_impacts(title, impacts, reference, time(), rate(), points)
}

/// One impact or a few: indentation, rate and force over time above each other.
pub fn histories(title: &str, impacts: &[Named], reference: Option<Named>) -> Chart {
    let mut stack = Stack::new(time());
    let parts: [(Axis, Point); 3] = [
        (indentation(), |s| (s.time, s.delta)),
        (rate(), |s| (s.time, s.rate)),
        (force(), |s| (s.time, s.force())),
    ];
    for (axis, point) in parts {
        stack = stack.panel(panel(axis, impacts, reference, point));
    }
    Chart::new(title).stack(stack)
}

/// The damping factor h over the restitution asked for, by powers of ten: it grows without bound towards none.
pub fn damping_factors(title: &str, curves: &[Curve]) -> Chart {
    of_curves(
        title,
        curves,
        [None, None],
        Axis::new("restitution asked for", ""),
        Axis::new("damping factor h = χ v0/K", "").logarithmic(),
        &[],
    )
}

/// The restitution returned over the one asked for, with the diagonal on which both are the same.
pub fn returned_restitution(title: &str, curves: &[Curve]) -> Chart {
    let diagonal = ("as asked for".to_string(), vec![(0.0, 0.0), (1.0, 1.0)]);
    of_curves(
        title,
        curves,
        [Some(&diagonal), None],
        Axis::new("restitution asked for", ""),
        Axis::new("restitution returned", ""),
        &[0.0, 1.0],
    )
}

/// The restitution returned over the approach speed in m/s, with pairs that were measured. Speeds that span more than one and a half powers of ten are drawn by powers; restitutions fill the picture, but for a little on either side.
pub fn restitution_over_speed(title: &str, curves: &[Curve], measured: Option<&Curve>) -> Chart {
    let points = || curves.iter().chain(measured).flat_map(|curve| &curve.1);
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let all = points().map(of).filter(|x| x.is_finite());
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            [low.min(x), high.max(x)]
        })
    };
    let ([slow, fast], [least, most]) = (ends(|p| p.0), ends(|p| p.1));
    let speed = Axis::new("approach speed", "m/s");
    let wide = slow > 0.0 && math::log10(fast / slow) > DECADES;
    let covers = [(least - BESIDE).max(0.0), (most + BESIDE).min(1.0)];
    let restitution = Axis::new("restitution returned", "");
    let speed = if wide { speed.logarithmic() } else { speed };
    let covers = if least <= most { &covers[..] } else { &[] };
    of_curves(title, curves, [None, measured], speed, restitution, covers)
}

/// The force of different laws over the indentation, nothing moving; with logarithmic axes a power law is a straight line.
pub fn static_forces(title: &str, curves: &[Curve], reference: Option<&Curve>, log: bool) -> Chart {
    let (x, y) = (indentation(), force());
    let (x, y) = if log {
        (x.logarithmic(), y.logarithmic())
    } else {
        (x, y)
    };
    of_curves(title, curves, [reference, None], x, y, &[])
}

/// What every law returns, law by law, the largest on top, beside what was asked for: the overview over many laws.
pub fn ranking(title: &str, impacts: &[Named]) -> Chart {
    ranking_of_kinds(title, &[("returned", impacts)])
}

/// The same with a mark of its own for each kind of laws (by its name in the legend): what comes of a formula is not what was solved for.
pub fn ranking_of_kinds(title: &str, kinds: &[(&str, &[Named])]) -> Chart {
    let mut ranked: Vec<(usize, Named)> = Vec::new();
    for (kind, (_, impacts)) in kinds.iter().enumerate() {
        ranked.extend(impacts.iter().map(|named| (kind, *named)));
    }
    ranked.sort_by(|a, b| b.1.1.restitution.total_cmp(&a.1.1.restitution));
    let place = |i: usize| -(i as f64);
    let names = ranked.iter().map(|(_, (name, _))| name.to_string());
    let mut panel = Panel::new(Axis::list("", names));
    for (kind, (name, impacts)) in kinds.iter().enumerate() {
        if impacts.is_empty() {
            continue;
        }
        let members = ranked.iter().enumerate().filter(|(_, r)| r.0 == kind);
        panel = panel.points(
            *name,
            members.map(|(i, (_, (_, impact)))| (impact.restitution, place(i))),
        );
    }
    let asked: Vec<f64> = distinct(
        ranked
            .iter()
            .filter_map(|(_, (_, impact))| impact.requested),
    );
    if !asked.is_empty() {
        panel = panel.verticals("asked for", asked);
    }
    Chart::new(title).stack(Stack::new(Axis::new("restitution", "")).panel(panel))
}

/// Values in rising order, each once.
fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// What of a sample is drawn.
type Point = fn(&Sample) -> (f64, f64);

fn time() -> Axis {
    Axis::new("time", "s")
}

fn indentation() -> Axis {
    Axis::new("indentation", "m")
}

fn rate() -> Axis {
    Axis::new("rate of indentation", "m/s")
}

fn force() -> Axis {
    Axis::new("force", "N")
}

/// One panel a group; all share their horizontal axis.
fn of_impacts(
    title: &str,
    impacts: &[Named],
    reference: Option<Named>,
    x: Axis,
    y: Axis,
    point: Point,
) -> Chart {
    let groups = groups(impacts);
    let height = if groups.len() > 1 { LOW } else { TALL };
    let mut stack = Stack::new(x);
    for (heading, members) in groups {
        let panel = panel(y.clone(), &members, reference, point);
        stack = stack.panel(panel.heading(heading).height(height));
    }
    Chart::new(title).stack(stack)
}

fn panel(y: Axis, impacts: &[Named], reference: Option<Named>, point: Point) -> Panel {
    let mut panel = Panel::new(y);
    if let Some((name, impact)) = reference {
        panel = panel.reference(name, impact.history.iter().map(point));
    }
    // The reference among the impacts would be drawn twice.
    let twice = |impact: &Impact| reference.is_some_and(|(_, other)| std::ptr::eq(other, impact));
    for (name, impact) in impacts.iter().filter(|(_, impact)| !twice(impact)) {
        panel = panel.line(*name, impact.history.iter().map(point));
    }
    panel
}

/// A few curves share a panel. More are grouped by the family of the law they are named after, in the order given. A reference and measured points stand in every panel.
fn of_curves(
    title: &str,
    curves: &[Curve],
    [reference, measured]: [Option<&Curve>; 2],
    x: Axis,
    y: Axis,
    covers: &[f64],
) -> Chart {
    let mut stack = Stack::new(x);
    let all: Vec<&Curve> = curves.iter().collect();
    // A word in brackets after the name is not part of it.
    let family = |curve: &&Curve| {
        let id = curve.0.split(" (").next().unwrap_or_default();
        find(id).map(|card| card.family).ok()
    };
    let groups = by_family(&all, family);
    let height = if groups.len() > 1 { LOW } else { TALL };
    for (heading, piece) in groups {
        let mut panel = Panel::new(y.clone())
            .heading(heading)
            .height(height)
            .covering(covers.iter().copied());
        if let Some((name, points)) = reference {
            panel = panel.reference(name, points.iter().copied());
        }
        if let Some((name, points)) = measured {
            panel = panel.points(name, points.iter().copied());
        }
        for (name, points) in piece {
            panel = panel.line(name, points.iter().copied());
        }
        stack = stack.panel(panel);
    }
    Chart::new(title).stack(stack)
}

/// A few impacts stay together in the order given. More are grouped by family, the largest restitution first, at most [`MOST`] a group.
fn groups<'a>(impacts: &[Named<'a>]) -> Vec<(String, Vec<Named<'a>>)> {
    let mut impacts = impacts.to_vec();
    if impacts.len() > MOST {
        impacts.sort_by(|a, b| b.1.restitution.total_cmp(&a.1.restitution));
    }
    by_family(&impacts, |(_, impact)| {
        find(impact.law).map(|card| card.family).ok()
    })
}

/// Up to [`MOST`] stay together without a heading; more are grouped by family, in the order given, at most [`MOST`] a group.
fn by_family<T: Copy>(all: &[T], family: impl Fn(&T) -> Option<Family>) -> Vec<(String, Vec<T>)> {
    if all.len() <= MOST {
        return vec![(String::new(), all.to_vec())];
    }
    let mut groups = Vec::new();
    let known = all.iter().any(|one| family(one).is_some());
    for wanted in Family::ALL.map(Some).into_iter().chain([None]) {
        let members: Vec<T> = all
            .iter()
            .copied()
            .filter(|one| family(one) == wanted)
            .collect();
        // Where no name is that of a law, the headings would say nothing.
        let name = match wanted {
            Some(family) => family.name(),
            None if known => "other",
            None => "",
        };
        let pieces = pieces(&members);
        let count = pieces.len();
        for (i, piece) in pieces.into_iter().enumerate() {
            let heading = if count > 1 && !name.is_empty() {
                format!("{name}, {} of {count}", i + 1)
            } else {
                name.to_string()
            };
            groups.push((heading, piece.to_vec()));
        }
    }
    groups
}

/// Cut into pieces of nearly equal length, at most [`MOST`].
fn pieces<T>(all: &[T]) -> Vec<&[T]> {
    let count = all.len().div_ceil(MOST);
    let mut rest = all;
    let mut pieces = Vec::new();
    for left in (1..=count).rev() {
        let (piece, after) = rest.split_at(rest.len().div_ceil(left));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_nearly_equal_and_none_is_lost() {
        for n in 0..60_usize {
            let all: Vec<usize> = (0..n).collect();
            let pieces = pieces(&all);
            assert_eq!(pieces.concat(), all);
            let lengths = || pieces.iter().map(|piece| piece.len());
            assert!(lengths().all(|length| (1..=MOST).contains(&length)), "{n}");
            let spread = lengths().max().unwrap_or(0) - lengths().min().unwrap_or(0);
            assert!(spread <= 1, "{n}");
        }
    }
}
