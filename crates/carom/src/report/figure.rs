//! What does a figure of chosen channels look like: over time or over one another, of one run or of several?
//!
//! Channels are named whole, by the beginning of their name up to a dot (`slider` is all of `slider.…`), or with `*` for any letters. What they are drawn in is sorted into panels by what they measure.

use std::fmt;
use std::io::{self, BufRead};

use crate::card::nearest;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::report::run;
use crate::results::trajectory::{Column, Reader};

/// Points of a curve that are held at most; it is thinned to half of them when there are more.
const MOST_POINTS: usize = 40_000;
/// Contacts that are marked at most: more would be a wall of lines.
const MOST_MARKS: usize = 40;

/// What is wrong with the channels asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct NoSuchChannel {
    /// What was asked for.
    pub asked: String,
    /// The names that are like it.
    pub nearest: Vec<String>,
}

impl fmt::Display for NoSuchChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no channel `{}`", self.asked)?;
        match self.nearest.as_slice() {
            [] => write!(f, ". Hint: --list names them all"),
            names => write!(
                f,
                "; nearest: {}. Hint: --list names them all",
                names.join(", ")
            ),
        }
    }
}

impl std::error::Error for NoSuchChannel {}

/// Which columns are meant, in the order asked for, each once; everything that is not there at once. The time, the first column, is meant only by its own name.
pub fn pick(asked: &[String], columns: &[Column]) -> Result<Vec<usize>, Vec<NoSuchChannel>> {
    let mut picked: Vec<usize> = Vec::new();
    let mut wrong = Vec::new();
    for pattern in asked {
        let found: Vec<usize> = columns
            .iter()
            .enumerate()
            .filter(|(i, column)| column.name == *pattern || *i > 0 && meant(pattern, &column.name))
            .map(|(i, _)| i)
            .collect();
        if found.is_empty() {
            let names = columns.iter().skip(1).map(|c| c.name.as_str());
            let near = nearest(pattern, names).into_iter().map(String::from);
            wrong.push(NoSuchChannel {
                asked: pattern.clone(),
                nearest: near.collect(),
            });
        }
        for i in found {
            if !picked.contains(&i) {
                picked.push(i);
            }
        }
    }
    if wrong.is_empty() {
        Ok(picked)
    } else {
        Err(wrong)
    }
}

/// Whether a pattern means a name: with `*`, letter by letter; without, as its beginning.
fn meant(pattern: &str, name: &str) -> bool {
    if !pattern.contains('*') {
        let rest = name.strip_prefix(pattern.trim_end_matches('.'));
        return rest.is_some_and(|rest| rest.starts_with('.'));
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut last = "";
    for part in parts {
        last = part;
        // The first place where it fits; the last part is looked at from the end below.
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    last.is_empty() || name.ends_with(last)
}

/// A column of a run against time or against another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The run it is of; empty if there is only one.
    pub run: String,
    /// What it shows.
    pub column: Column,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// What is to be drawn of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Which columns.
    pub columns: Vec<usize>,
    /// Over which: 0 is the time.
    pub over: usize,
    /// From when to when, s.
    pub span: (f64, f64),
}

/// Reads curves from a table.
pub fn curves(run: &str, table: impl BufRead, asked: &Asked) -> io::Result<Vec<Curve>> {
    let mut table = Reader::new(table)?;
    let mut curves: Vec<Curve> = asked
        .columns
        .iter()
        .filter_map(|i| table.columns().get(*i))
        .map(|column| Curve {
            run: run.into(),
            column: column.clone(),
            points: Vec::new(),
        })
        .collect();
    // Of how many lines one is taken, where curves run over one another.
    let mut stride = 1_u64;
    let mut line = 0_u64;
    while let Some(values) = table.row()? {
        let t = values.first().copied().unwrap_or(f64::NAN);
        if !(asked.span.0 <= t && t <= asked.span.1) {
            continue;
        }
        line += 1;
        if asked.over > 0 && !line.is_multiple_of(stride) {
            continue;
        }
        let x = values.get(asked.over).copied().unwrap_or(f64::NAN);
        for (curve, i) in curves.iter_mut().zip(&asked.columns) {
            let y = values.get(*i).copied().unwrap_or(f64::NAN);
            curve.points.push((x, y));
        }
        if curves.first().is_some_and(|c| c.points.len() > MOST_POINTS) {
            for curve in &mut curves {
                curve.points = match asked.over {
                    0 => outlined(&curve.points),
                    _ => curve.points.iter().step_by(2).copied().collect(),
                };
            }
            stride *= 2;
        }
    }
    Ok(curves)
}

/// Of every four points the lowest and the highest, in their order: half as many, and no peak is lost. A gap stays a gap.
fn outlined(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = Vec::with_capacity(points.len() / 2 + 2);
    for four in points.chunks(4) {
        let finite = || four.iter().filter(|p| p.1.is_finite());
        let low = finite().min_by(|a, b| a.1.total_cmp(&b.1));
        let high = finite().max_by(|a, b| a.1.total_cmp(&b.1));
        if let (Some(low), Some(high)) = (low, high) {
            let (first, second) = if low.0 <= high.0 {
                (low, high)
            } else {
                (high, low)
            };
            kept.push(*first);
            if second.0 != first.0 {
                kept.push(*second);
            }
        }
        kept.extend(four.iter().find(|p| !p.1.is_finite()));
    }
    kept
}

/// An instant to be marked, s, and how strong what happened there was.
pub type Mark = (f64, f64);

/// The figure: a panel for everything that is measured in one way. `over` is what stands on the horizontal axis. Instants are marked over time only, the strongest of them if there are many.
pub fn chart(title: &str, over: &Column, curves: &[Curve], marks: &[Mark]) -> Chart {
    let time = over.name == "t";
    let axis = match time {
        true => Axis::new("time", "s"),
        false => Axis::new(over.name.as_str(), over.unit.as_str()),
    };
    let mut groups: Vec<(&str, &str, Vec<&Curve>)> = Vec::new();
    for curve in curves {
        let (what, unit, _) = run::kind(&curve.column);
        match groups.iter_mut().find(|g| (g.0, g.1) == (what, unit)) {
            Some(group) => group.2.push(curve),
            None => groups.push((what, unit, vec![curve])),
        }
    }
    let inside = |t: f64| {
        let mut times = curves
            .iter()
            .flat_map(|c| [c.points.first(), c.points.last()]);
        let (mut before, mut after) = (false, false);
        times.by_ref().flatten().for_each(|p| {
            before |= p.0 <= t;
            after |= p.0 >= t;
        });
        before && after
    };
    let mut marks: Vec<Mark> = marks.iter().copied().filter(|m| inside(m.0)).collect();
    let count = marks.len();
    marks.sort_by(|a, b| b.1.total_cmp(&a.1));
    marks.truncate(MOST_MARKS);
    let marked = match count > MOST_MARKS {
        true => format!("the {MOST_MARKS} hardest of {count} contacts begin"),
        false => "a contact begins".into(),
    };
    let mut stack = Stack::new(axis);
    for (what, unit, curves) in groups {
        let mut names: Vec<&str> = curves.iter().map(|c| c.column.name.as_str()).collect();
        names.dedup();
        names.sort_unstable();
        names.dedup();
        let one = match names.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let unit = match (one, unit) {
            // The unit alone was the name of the axis.
            (Some(_), "") => curves.first().map_or("", |c| c.column.unit.as_str()),
            _ => unit,
        };
        let mut panel = Panel::new(Axis::new(one.unwrap_or(what), unit));
        if curves.len() == 1 {
            panel = panel.unnamed();
        }
        for curve in curves {
            let name = match (curve.run.as_str(), one) {
                ("", _) => curve.column.name.clone(),
                (run, Some(_)) => run.into(),
                (run, None) => format!("{run}: {}", curve.column.name),
            };
            panel = panel.line(name, curve.points.iter().copied());
        }
        if time && !marks.is_empty() {
            panel = panel.verticals(marked.as_str(), marks.iter().map(|m| m.0));
        }
        stack = stack.panel(panel);
    }
    Chart::new(title).stack(stack)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        [
            ("t", "s"),
            ("slider.x", "m"),
            ("slider.vx", "m/s"),
            ("rod.x", "m"),
            ("rod.B.x", "m"),
        ]
        .map(|(name, unit)| Column {
            name: name.into(),
            unit: unit.into(),
        })
        .to_vec()
    }

    fn picked(asked: &[&str]) -> Result<Vec<usize>, Vec<NoSuchChannel>> {
        let asked: Vec<String> = asked.iter().map(|a| a.to_string()).collect();
        pick(&asked, &columns())
    }

    #[test]
    fn channels_are_named_whole_by_their_beginning_or_with_stars() {
        for (asked, found) in [
            (&["rod.x"][..], &[3][..]),
            (&["slider"], &[1, 2]),
            (&["slider."], &[1, 2]),
            (&["rod.*"], &[3, 4]),
            (&["*.x"], &[1, 3, 4]),
            (&["rod*x", "slider.x"], &[3, 4, 1]),
            (&["*"], &[1, 2, 3, 4]),
            (&["t"], &[0]),
            (&["*.x", "rod.x"], &[1, 3, 4]),
        ] {
            assert_eq!(picked(asked).as_deref(), Ok(found), "{asked:?}");
        }
    }

    #[test]
    fn all_that_is_not_there_is_said_at_once_with_what_is_like_it() {
        let wrong = picked(&["slider.y", "rod.x", "sli", "*.q"]).expect_err("not there");
        assert_eq!(wrong.len(), 3);
        assert!(wrong[0].to_string().contains("slider.x"), "{}", wrong[0]);
    }

    #[test]
    fn a_long_table_keeps_its_peak_and_its_gaps_and_a_part_of_it_is_only_that() {
        let mut text = String::from("t [s],a [m],b [m]\n");
        for i in 0..200_000 {
            let a = if i == 123_456 { 7.0 } else { 0.5 };
            let b = if i == 777 {
                "NaN".into()
            } else {
                (2 * i).to_string()
            };
            text += &format!("{i},{a},{b}\n");
        }
        let asked = Asked {
            columns: vec![1, 2],
            over: 0,
            span: (f64::NEG_INFINITY, f64::INFINITY),
        };
        let all = curves("", text.as_bytes(), &asked).expect("it is read");
        assert!(all[0].points.len() <= MOST_POINTS + 1);
        assert!(all[0].points.contains(&(123_456.0, 7.0)));
        assert!(all[1].points.iter().any(|p| p.0 == 777.0 && p.1.is_nan()));
        let asked = Asked {
            columns: vec![2],
            over: 1,
            span: (1000.0, 1002.0),
        };
        let part = curves("", text.as_bytes(), &asked).expect("it is read");
        assert_eq!(
            part[0].points,
            [(0.5, 2000.0), (0.5, 2002.0), (0.5, 2004.0)]
        );
    }

    #[test]
    fn runs_are_told_apart_and_the_hardest_contacts_are_marked() {
        let curve = |run: &str| Curve {
            run: run.into(),
            column: columns()[1].clone(),
            points: vec![(0.0, 1.0), (1.0, 2.0)],
        };
        let marks: Vec<Mark> = (0..60)
            .map(|i| (f64::from(i) / 50.0, f64::from(i)))
            .collect();
        let chart = chart("two", &columns()[0], &[curve("a"), curve("b")], &marks);
        let csv = chart.csv();
        assert!(
            csv.contains("\"a\",0,1") && csv.contains("\"b\",1,2"),
            "{csv}"
        );
        // Of those inside the time drawn, 0 to 1, forty.
        assert!(csv.contains("the 40 hardest of 51 contacts begin"), "{csv}");
        assert!(csv.contains(",1,\n") && !csv.contains(",0.2,\n"), "{csv}");
    }
}
