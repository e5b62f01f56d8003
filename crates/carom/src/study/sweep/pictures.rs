//! How does a sweep look: heat maps, families of lines, bifurcation diagrams, Poincaré maps?
//!
//! The table is read some rows at a time and only what can be seen is kept: how much memory a picture takes depends on its size, not on the number of points.

use std::collections::BTreeMap;
use std::io;

use crate::card::short;
use crate::math;
use crate::report::plot::{Axis, Cells as Raster, Chart, Panel, Stack};

use super::fit::{Fitted, has_levels};
use super::parts::{Cells, Results};
use super::picture::{self, Picture, Shape};
use super::{Levels, Output, Shown, Study};

/// Bins of a parameter that has no levels, at most and at least, and points that one should have where there are few: along a line, and of a map.
const BINS: usize = 48;
const LEAST: f64 = 4.0;
const POINTS: [f64; 2] = [15.0, 5.0];
/// So many points can be told from each other, and are drawn beside their means.
const SEEN: u64 = 2000;
/// Panels, and lines, at most.
const PANELS: usize = 6;
const LINES: usize = 8;
/// Columns and rows of the raster that keeps dots.
const DOTS: [f64; 2] = [900.0, 400.0];
/// Levels are even if none is farther from its even place than this part of the way to the next.
const EVEN: f64 = 0.1;
/// Levels that are named along an axis, at most.
const NAMES: usize = 12;
/// The axis of a normal distribution reaches so many deviations from its mean.
const DEVIATIONS: f64 = 3.0;

/// A picture, or why there is none.
pub struct Drawn {
    /// The name of its files without their ending.
    pub name: String,
    /// Above it.
    pub title: String,
    /// What is left to say of it; may be empty.
    pub caption: String,
    /// What does not stand in it, because it would be too much; may be empty.
    pub left_out: String,
    /// Which points do not stand in it, because a parameter that is spread normally is beyond the end of its axis, or an output has no logarithm; may be empty.
    pub beyond: String,
    /// Where it is drawn, if a value of `at` is none of the levels, and what was asked for; else empty.
    pub moved: String,
    /// As SVG and as PNG.
    pub picture: Result<(String, Vec<u8>), String>,
}

/// All pictures of a study, and one of every fit over the values of a parameter.
pub fn draw(study: &Study, results: &Results<'_>, fits: &[Fitted]) -> io::Result<Vec<Drawn>> {
    let mut all = Vec::new();
    for picture in &study.pictures {
        all.push(one(study, results, picture)?);
    }
    for fitted in fits.iter().filter(|fitted| fitted.draws()) {
        let title = format!("{} = {}", fitted.fit.of, fitted.fit.formula);
        all.push(Drawn {
            name: picture::of_fit(&fitted.fit.name),
            picture: encoded(&of_fit(study, fitted, &title)),
            caption: fitted.told(),
            left_out: String::new(),
            beyond: String::new(),
            moved: String::new(),
            title,
        });
    }
    Ok(all)
}

fn encoded(chart: &Chart) -> Result<(String, Vec<u8>), String> {
    let svg = chart.svg().map_err(|error| error.to_string())?;
    let png = chart.png().map_err(|error| error.to_string())?;
    Ok((svg, png))
}

/// A parameter as an axis and in bins.
struct Ruler {
    index: usize,
    name: String,
    shown: Shown,
    logarithmic: bool,
    /// Middle of every bin.
    levels: Vec<f64>,
    words: Vec<String>,
    /// Bins without levels of their own: where the first begins and the last ends.
    range: Option<[f64; 2]>,
}

impl Ruler {
    fn new(study: &Study, name: &str) -> Option<Self> {
        Self::with(study, name, BINS)
    }

    /// With so many bins, if it has no levels.
    fn with(study: &Study, name: &str, bins: usize) -> Option<Self> {
        let index = study.parameter(name)?;
        let varied = study.varied.get(index)?;
        let levels = study.design.levels().get(index)?;
        let mut ruler = Self {
            index,
            name: varied.name.clone(),
            shown: study.shown.get(index)?.clone(),
            logarithmic: matches!(
                levels,
                Levels::Span {
                    logarithmic: true,
                    ..
                }
            ),
            levels: Vec::new(),
            words: levels.words().map_or_else(Vec::new, <[String]>::to_vec),
            range: None,
        };
        if has_levels(study, index) {
            /// More than can be seen are put together.
            const MOST: u64 = 1000;
            if levels.count() <= MOST {
                ruler.levels = (0..levels.count()).map(|i| levels.at(i)).collect();
                ruler.levels.sort_by(f64::total_cmp);
                ruler.levels.dedup();
                if !ruler.is_even() && ruler.levels.first().is_some_and(|level| *level > 0.0) {
                    // A list of equal ratios is a span of them.
                    ruler.logarithmic = true;
                    ruler.logarithmic = ruler.is_even();
                }
                return Some(ruler);
            }
        }
        let [from, to] = match levels {
            Levels::Span { from, to, .. } => [from.min(*to), from.max(*to)],
            Levels::Normal { mean, deviation } => {
                [-DEVIATIONS, DEVIATIONS].map(|times| mean + times * deviation)
            }
            Levels::Numbers(all) => [
                all.iter().copied().fold(f64::INFINITY, f64::min),
                all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ],
            Levels::Words(_) => return None,
        };
        ruler.range = Some([from, to]);
        let middle = |i: usize| ruler.at([from, to], (i as f64 + 0.5) / bins as f64);
        ruler.levels = (0..bins).map(middle).collect();
        Some(ruler)
    }

    fn at(&self, [from, to]: [f64; 2], part: f64) -> f64 {
        match self.logarithmic {
            true => from * math::powf(to / from, part),
            false => from + part * (to - from),
        }
    }

    fn part(&self, [from, to]: [f64; 2], value: f64) -> f64 {
        match self.logarithmic {
            true => math::ln(value / from) / math::ln(to / from),
            false => (value - from) / (to - from),
        }
    }

    /// The bin of a value, or the nearest one.
    fn nearest(&self, value: f64) -> usize {
        if let Some(bin) = self.bin(value) {
            return bin;
        }
        let off = |bin: &usize| {
            self.levels
                .get(*bin)
                .map_or(f64::INFINITY, |level| (level - value).abs())
        };
        (0..self.levels.len())
            .min_by(|a, b| off(a).total_cmp(&off(b)))
            .unwrap_or(0)
    }

    /// The bin of a value.
    fn bin(&self, value: f64) -> Option<usize> {
        match self.range {
            Some(range) => {
                let place = self.part(range, value) * self.levels.len() as f64;
                (place >= 0.0 && place <= self.levels.len() as f64)
                    .then(|| (place as usize).min(self.levels.len() - 1))
            }
            None => self
                .levels
                .binary_search_by(|level| level.total_cmp(&value))
                .ok(),
        }
    }

    fn axis(&self) -> Axis {
        let axis = Axis::new(self.name.as_str(), self.shown.unit.as_str());
        if self.logarithmic {
            axis.logarithmic()
        } else {
            axis
        }
    }

    /// What the lines or panels of a bin are called.
    fn label(&self, bin: usize) -> String {
        let value = self.levels.get(bin).copied().unwrap_or(f64::NAN);
        if let Some(word) = self
            .words
            .get(value as usize)
            .filter(|_| !self.words.is_empty())
        {
            return format!("{} = {word}", self.name);
        }
        match self.range {
            Some(range) => {
                let edge =
                    |i: usize| self.brief(self.at(range, i as f64 / self.levels.len() as f64));
                format!("{}: {} to {}", self.name, edge(bin), edge(bin + 1))
            }
            None => format!("{} = {}", self.name, self.brief(value)),
        }
    }

    /// A value in a few digits, with its unit.
    fn brief(&self, x: f64) -> String {
        match self.shown.unit.as_str() {
            "" => brief(x),
            _ => self.shown.brief(x, 4),
        }
    }

    /// Where a value is on the axis.
    fn on(&self, x: f64) -> f64 {
        x / self.shown.one
    }

    /// Whether a bin has this value: is it, but for rounding, or reaches over it.
    fn has(&self, bin: usize, value: f64) -> bool {
        let level = self.levels.get(bin).copied().unwrap_or(f64::NAN);
        match self.range {
            Some(_) => self.bin(value) == Some(bin),
            None => (level - value).abs() <= 1e-9 * value.abs(),
        }
    }

    /// At most so many bins, evenly chosen.
    fn chosen(&self, most: usize) -> Vec<usize> {
        let count = self.levels.len();
        if count <= most {
            return (0..count).collect();
        }
        (0..most)
            .map(|i| (i * (count - 1)).div_ceil(most - 1))
            .collect()
    }

    /// Whether every bin has the room of every other on the axis.
    fn is_even(&self) -> bool {
        let (Some(first), Some(last)) = (self.levels.first(), self.levels.last()) else {
            return true;
        };
        let step = 1.0 / self.levels.len().saturating_sub(1).max(1) as f64;
        let mut levels = self.levels.iter().enumerate();
        self.levels.len() < 3
            || levels.all(|(i, level)| {
                (self.part([*first, *last], *level) - i as f64 * step).abs() <= EVEN * step
            })
    }

    /// The axis of a map, and where its cells, one a bin, begin and end on it.
    fn cells(&self) -> (Axis, [f64; 2]) {
        let count = self.levels.len();
        if let Some(range) = self.range {
            return (self.axis(), range.map(|x| self.on(x)));
        }
        let (first, last) = (
            self.levels.first().copied().unwrap_or(0.0),
            self.levels.last().copied().unwrap_or(1.0),
        );
        if count < 2 {
            let room = 0.05 * first.abs().max(1e-300);
            let range = [first - room, first + room];
            return (self.axis(), range.map(|x| self.on(x)));
        }
        if !self.is_even() {
            return self.named();
        }
        let (ends, step) = ([first, last], 1.0 / (count - 1) as f64);
        let range = [self.at(ends, -0.5 * step), self.at(ends, 1.0 + 0.5 * step)];
        (self.axis(), range.map(|x| self.on(x)))
    }

    /// The same of levels that are not even: each is named at its cell, and all cells are equally wide, so that none is too narrow to be seen.
    fn named(&self) -> (Axis, [f64; 2]) {
        let (count, shown) = (self.levels.len(), self.chosen(NAMES));
        let name = |i: usize| match (shown.contains(&i), self.levels.get(i)) {
            (true, Some(level)) => brief(self.on(*level)),
            _ => String::new(),
        };
        let title = match self.shown.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        };
        // Such an axis counts down from its last name, which stands at 0.
        let axis = Axis::list(title, (0..count).rev().map(name));
        (axis, [0.5 - count as f64, 0.5])
    }
}

/// A number in a few digits.
fn brief(x: f64) -> String {
    let rounded = format!("{x:.3e}").parse();
    rounded.map_or_else(|_| x.to_string(), short)
}

fn output_axis(output: &Output, logarithmic: bool) -> Axis {
    let axis = Axis::new(
        if output.title.is_empty() {
            output.name.as_str()
        } else {
            output.title.as_str()
        },
        output.unit.as_str(),
    );
    if logarithmic {
        axis.logarithmic()
    } else {
        axis
    }
}

/// A number of a row.
fn at(columns: &[Vec<f64>], i: usize, row: usize) -> f64 {
    columns
        .get(i)
        .and_then(|column| column.get(row))
        .copied()
        .unwrap_or(f64::NAN)
}

fn one(study: &Study, results: &Results<'_>, picture: &Picture) -> io::Result<Drawn> {
    let groups = Groups::new(study, picture);
    let mut caption = String::new();
    let used = [picture.x.as_str(), picture.y.as_str()]
        .into_iter()
        .chain(picture.each.as_deref());
    let used: Vec<&str> = used
        .chain(picture.at.iter().map(|at| at.0.as_str()))
        .collect();
    let others: Vec<&str> = study
        .varied
        .iter()
        .map(|v| v.name.as_str())
        .filter(|name| !used.contains(name))
        .collect();
    if !others.is_empty() {
        let how = match picture.shape {
            Shape::HeatMap | Shape::Lines => "The mean over",
            Shape::Bifurcation | Shape::Poincare => "For all values of",
        };
        caption = format!("{how} {}.", others.join(", "));
    }
    let (drawn_at, nearest) = (groups.drawn_at(), groups.not_asked_for());
    if !drawn_at.is_empty() {
        let mut words = drawn_at.clone();
        if !nearest.is_empty() {
            words += &format!(" (the nearest to {nearest})");
        }
        caption = format!("At {words}. {caption}").trim_end().into();
    }
    let named = |name: &str| {
        study
            .output(name)
            .map(|(_, output)| output)
            .filter(|o| !o.title.is_empty())
            .map_or(name.to_string(), |o| o.title.clone())
    };
    let left_out = groups.left_out();
    if !left_out.is_empty() {
        caption = format!("{caption} Drawn are {left_out}, evenly chosen.")
            .trim_start()
            .into();
    }
    let title = match (picture.title.is_empty(), picture.shape) {
        (false, _) => picture.title.clone(),
        (true, Shape::HeatMap) => format!(
            "{} over {} and {}",
            named(&picture.value),
            picture.x,
            picture.y
        ),
        (true, Shape::Poincare) => format!(
            "{} over {}, once a period",
            named(&picture.y),
            named(&picture.x)
        ),
        (true, _) => format!("{} over {}", named(&picture.y), picture.x),
    };
    let without = [
        beyond(study, results, picture, &groups)?,
        not_above_zero(study, results, picture, &groups)?,
    ];
    let without = without.into_iter().filter(|words| !words.is_empty());
    let beyond = without.collect::<Vec<_>>().join(", and without ");
    if !beyond.is_empty() {
        caption = format!("{caption} Not drawn: {beyond}.")
            .trim_start()
            .into();
    }
    // Who sees the picture alone must know it, too.
    let mut above = title.clone();
    if !drawn_at.is_empty() {
        above += &format!(" (at {drawn_at})");
    }
    if !others.is_empty() && matches!(picture.shape, Shape::HeatMap | Shape::Lines) {
        above += &format!(" (mean over {})", others.join(", "));
    }
    if !left_out.is_empty() {
        above += &format!(" ({left_out})");
    }
    if !beyond.is_empty() {
        above += &format!(" (without {beyond})");
    }
    let chart = match picture.shape {
        Shape::HeatMap => heat_map(study, results, picture, &groups, &above)?,
        Shape::Lines => lines(study, results, picture, &groups, &above)?,
        Shape::Bifurcation | Shape::Poincare => {
            scattered(study, results, picture, &groups, &above)?
        }
    };
    let without = |why: String| match beyond.is_empty() {
        true => why,
        false => format!("{why} (without {beyond})"),
    };
    let chart = chart.map_err(without);
    let moved = match nearest.is_empty() {
        true => String::new(),
        false => format!("{drawn_at}, the nearest to {nearest}"),
    };
    Ok(Drawn {
        left_out,
        beyond,
        moved,
        name: picture.name.clone(),
        title,
        caption,
        picture: chart.and_then(|chart| encoded(&chart)),
    })
}

/// How many points a picture has no room for, because a parameter is spread normally and its axis has ends; empty if there are none.
fn beyond(
    study: &Study,
    results: &Results<'_>,
    picture: &Picture,
    groups: &Groups,
) -> io::Result<String> {
    // Diagrams of dots reach as far as the dots do.
    let axes: &[&String] = match picture.shape {
        Shape::HeatMap => &[&picture.x, &picture.y],
        Shape::Lines => &[&picture.x],
        Shape::Bifurcation | Shape::Poincare => &[],
    };
    let names = axes.iter().copied().chain(&picture.each);
    let rulers: Vec<Ruler> = names
        .filter_map(|name| Ruler::new(study, name))
        .filter(|ruler| {
            let levels = study.design.levels().get(ruler.index);
            matches!(levels, Some(Levels::Normal { .. }))
        })
        .collect();
    if rulers.is_empty() {
        return Ok(String::new());
    }
    let mut count = 0_u64;
    results.each(|cells| {
        let out = |row: usize| {
            let off = |ruler: &Ruler| {
                ruler
                    .bin(self::at(&cells.varied, ruler.index, row))
                    .is_none()
            };
            groups.belongs(cells, row) && rulers.iter().any(off)
        };
        count += (0..cells.rows).filter(|row| out(*row)).count() as u64;
        Ok(())
    })?;
    let names: Vec<&str> = rulers.iter().map(|ruler| ruler.name.as_str()).collect();
    Ok(match count {
        0 => String::new(),
        count => format!(
            "{count} of {} points more than {DEVIATIONS} deviations from the mean of {}",
            study.points(),
            names.join(" or ")
        ),
    })
}

/// How many points have no place on a logarithmic axis of their output; empty if there are none.
fn not_above_zero(
    study: &Study,
    results: &Results<'_>,
    picture: &Picture,
    groups: &Groups,
) -> io::Result<String> {
    let name = match picture.shape {
        Shape::HeatMap => &picture.value,
        _ => &picture.y,
    };
    let Some((first, output)) = study.output(name).filter(|_| picture.logarithmic) else {
        return Ok(String::new());
    };
    let mut count = 0_u64;
    results.each(|cells| {
        let out = |row: usize| {
            let mut values = (first..first + output.width).map(|k| at(&cells.outputs, k, row));
            groups.belongs(cells, row) && values.any(|value| value.is_finite() && value <= 0.0)
        };
        count += (0..cells.rows).filter(|row| out(*row)).count() as u64;
        Ok(())
    })?;
    Ok(match count {
        0 => String::new(),
        count => format!(
            "{count} of {} points where `{name}` is 0 or less, which a logarithm has no place for",
            study.points()
        ),
    })
}

/// Means of bins.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        if value.is_finite() {
            self.sum += value;
            self.count += 1;
        }
    }

    fn value(self) -> f64 {
        self.sum / self.count as f64
    }
}

/// Which rows belong to a picture, and to which of its lines or panels.
struct Groups {
    each: Option<Ruler>,
    /// Lines or panels, at most.
    most: usize,
    /// Of a parameter that has no levels.
    bins: usize,
    /// Only these bins, and the value that was asked for.
    only: Vec<(Ruler, usize, f64)>,
}

impl Groups {
    fn new(study: &Study, picture: &Picture) -> Self {
        let most = match picture.shape {
            Shape::Lines => LINES,
            _ => PANELS,
        };
        let each = picture.each.as_ref();
        let each = each.and_then(|name| Ruler::with(study, name, most));
        let bins = bins(study, picture, each.as_ref());
        let only = picture.at.iter().filter_map(|(name, value)| {
            let ruler = Ruler::with(study, name, bins)?;
            let bin = ruler.nearest(*value);
            Some((ruler, bin, *value))
        });
        Self {
            only: only.collect(),
            bins,
            each,
            most,
        }
    }

    /// The bins of `each` that are drawn.
    fn drawn(&self) -> Vec<usize> {
        let each = self.each.as_ref();
        each.map_or_else(|| vec![0], |each| each.chosen(self.most))
    }

    /// The levels, or the bounds of the parts, to which the picture is kept by `at`.
    fn drawn_at(&self) -> String {
        let only = self.only.iter();
        let words: Vec<String> = only.map(|(ruler, bin, _)| ruler.label(*bin)).collect();
        words.join(", ")
    }

    /// The values of `at` in whose place a neighbour is drawn.
    fn not_asked_for(&self) -> String {
        let only = self.only.iter();
        let off = only.filter(|(ruler, bin, value)| !ruler.has(*bin, *value));
        let words: Vec<String> = off
            .map(|(ruler, _, value)| format!("{} = {}", ruler.name, ruler.brief(*value)))
            .collect();
        words.join(", ")
    }

    /// How many values have a line or a panel, if not all have; else empty.
    fn left_out(&self) -> String {
        match &self.each {
            Some(each) if each.levels.len() > self.most => {
                let all = each.levels.len();
                format!("{} of {all} values of {}", self.most, each.name)
            }
            _ => String::new(),
        }
    }

    /// Whether a row is of the levels, or parts, to which the picture is kept by `at`.
    fn belongs(&self, cells: &Cells, row: usize) -> bool {
        let bin = |ruler: &Ruler| ruler.bin(at(&cells.varied, ruler.index, row));
        let mut only = self.only.iter();
        only.all(|(ruler, only, _)| bin(ruler) == Some(*only))
    }

    /// The bin of `each` in a row, 0 if there is none; nothing for a row that does not belong.
    fn of(&self, cells: &Cells, row: usize) -> Option<usize> {
        match &self.each {
            _ if !self.belongs(cells, row) => None,
            Some(ruler) => ruler.bin(at(&cells.varied, ruler.index, row)),
            None => Some(0),
        }
    }
}

/// Into how many parts a picture cuts parameters that have no levels, so that there are some points in most of them.
fn bins(study: &Study, picture: &Picture, each: Option<&Ruler>) -> usize {
    let axes = match picture.shape {
        Shape::HeatMap => [Some(&picture.x), Some(&picture.y)],
        Shape::Lines => [Some(&picture.x), None],
        Shape::Bifurcation | Shape::Poincare => [None, None],
    };
    let at = picture.at.iter().map(|at| &at.0);
    let rulers = axes.into_iter().flatten().chain(at);
    let cut = rulers.filter_map(|name| Ruler::new(study, name));
    let cut = cut.filter(|ruler| ruler.range.is_some()).count();
    let groups = each.map_or(1, |each| each.levels.len());
    let points = study.points() as f64 / groups as f64;
    let bins = match (cut, POINTS) {
        (0 | 1, [line, _]) => points / line,
        (cut, [_, map]) => math::powf(points / map, 1.0 / cut as f64),
    };
    bins.floor().clamp(LEAST, BINS as f64) as usize
}

type Charted = Result<Chart, String>;

fn gone<T>(found: Option<T>, name: &str) -> io::Result<T> {
    found.ok_or_else(|| io::Error::other(format!("there is no column `{name}`")))
}

fn heat_map(
    study: &Study,
    results: &Results<'_>,
    picture: &Picture,
    groups: &Groups,
    title: &str,
) -> io::Result<Charted> {
    let each = groups.each.as_ref();
    let x = gone(Ruler::with(study, &picture.x, groups.bins), &picture.x)?;
    let y = gone(Ruler::with(study, &picture.y, groups.bins), &picture.y)?;
    let (of, output) = gone(study.output(&picture.value), &picture.value)?;
    let panels = groups.drawn();
    let (columns, rows) = (x.levels.len(), y.levels.len());
    let mut means: BTreeMap<usize, Vec<Mean>> = panels
        .iter()
        .map(|bin| (*bin, vec![Mean::default(); columns * rows]))
        .collect();
    let fine = |v: &f64| v.is_finite() && (!picture.logarithmic || *v > 0.0);
    results.each(|cells| {
        for row in 0..cells.rows {
            let bins = (
                groups.of(cells, row),
                x.bin(at(&cells.varied, x.index, row)),
                y.bin(at(&cells.varied, y.index, row)),
            );
            let (Some(panel), Some(i), Some(j)) = bins else {
                continue;
            };
            let value = at(&cells.outputs, of, row);
            let mean = means
                .get_mut(&panel)
                .and_then(|all| all.get_mut(j * columns + i));
            if let Some(mean) = mean.filter(|_| fine(&value)) {
                mean.add(value);
            }
        }
        Ok(())
    })?;
    let values = || {
        means
            .values()
            .flatten()
            .map(|mean| mean.value())
            .filter(fine)
    };
    let range = values().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
        [low.min(v), high.max(v)]
    });
    if !(range[0] <= range[1]) {
        return Ok(Err("there is no number to draw".into()));
    }
    let ((x_axis, across), (y_axis, up)) = (x.cells(), y.cells());
    let mut chart = Chart::new(title);
    let mut stack = Stack::new(x_axis);
    let height = if panels.len() > 1 { 240.0 } else { 420.0 };
    for (panel, means) in &means {
        let values = means
            .iter()
            .map(|mean| mean.value())
            .map(|v| if fine(&v) { v } else { f64::NAN });
        let raster = Raster {
            x: across,
            y: up,
            columns,
            values: values.collect(),
            range,
            logarithmic: picture.logarithmic,
            unit: output.unit.clone(),
        };
        let name = if output.title.is_empty() {
            &output.name
        } else {
            &output.title
        };
        let heading = each.map_or_else(
            || name.clone(),
            |each| format!("{name}, {}", each.label(*panel)),
        );
        stack = stack.panel(
            Panel::new(y_axis.clone())
                .height(height)
                .heading(heading)
                .cells(raster),
        );
    }
    chart = chart.stack(stack);
    Ok(Ok(chart))
}

fn lines(
    study: &Study,
    results: &Results<'_>,
    picture: &Picture,
    groups: &Groups,
    title: &str,
) -> io::Result<Charted> {
    let each = groups.each.as_ref();
    let x = gone(Ruler::with(study, &picture.x, groups.bins), &picture.x)?;
    let (of, output) = gone(study.output(&picture.y), &picture.y)?;
    let drawn = groups.drawn();
    // Of every part of the axis, where its points are on the mean, and what they have.
    let mut means: BTreeMap<usize, Vec<[Mean; 2]>> = drawn
        .iter()
        .map(|bin| (*bin, vec![[Mean::default(); 2]; x.levels.len()]))
        .collect();
    // Lines of means hide how far points are from them.
    let shows = x.range.is_some() && each.is_none() && study.points() <= SEEN;
    let mut dots: Vec<(f64, f64)> = Vec::new();
    let fine = |v: f64| v.is_finite() && (!picture.logarithmic || v > 0.0);
    results.each(|cells| {
        for row in 0..cells.rows {
            let place = at(&cells.varied, x.index, row);
            let (Some(line), Some(i)) = (groups.of(cells, row), x.bin(place)) else {
                continue;
            };
            let value = at(&cells.outputs, of, row);
            if shows && fine(value) {
                dots.push((x.on(place), value));
            }
            let mean = means.get_mut(&line).and_then(|all| all.get_mut(i));
            if let Some([across, up]) = mean.filter(|_| fine(value)) {
                across.add(x.range.map_or(place, |range| x.part(range, place)));
                up.add(value);
            }
        }
        Ok(())
    })?;
    let mut panel = Panel::new(output_axis(output, picture.logarithmic)).height(360.0);
    if each.is_none() && !shows {
        panel = panel.unnamed();
    }
    if shows {
        panel = panel.dots("points", dots);
    }
    let mut any = false;
    for (line, means) in &means {
        let points: Vec<(f64, f64)> = x
            .levels
            .iter()
            .zip(means)
            .map(|(level, [across, up])| match x.range {
                Some(range) if across.count > 0 => (x.at(range, across.value()), up.value()),
                _ => (*level, up.value()),
            })
            .map(|(level, value)| (x.on(level), value))
            .collect();
        // A line without any point is left out, and its name with it.
        if points.iter().any(|p| fine(p.1)) {
            any = true;
            panel = panel.line(
                match each {
                    Some(each) => each.label(*line),
                    None if shows => "means".into(),
                    None => output.name.clone(),
                },
                points,
            );
        }
    }
    if !any {
        return Ok(Err("there is no number to draw".into()));
    }
    Ok(Ok(
        Chart::new(title).stack(Stack::new(x.axis()).panel(panel))
    ))
}

/// Dots by their spot: of those on the same one the first is kept.
type Dots = BTreeMap<(u32, u32), (f64, f64)>;

/// The dots of all panels, and where they reach.
struct Spots {
    low: [f64; 2],
    high: [f64; 2],
    panels: BTreeMap<usize, Dots>,
}

fn scattered(
    study: &Study,
    results: &Results<'_>,
    picture: &Picture,
    groups: &Groups,
    title: &str,
) -> io::Result<Charted> {
    let each = groups.each.as_ref();
    let ruler = (picture.shape == Shape::Bifurcation)
        .then(|| Ruler::new(study, &picture.x))
        .flatten();
    let along = match picture.shape {
        Shape::Bifurcation => None,
        _ => Some(gone(study.output(&picture.x), &picture.x)?),
    };
    let (first, output) = gone(study.output(&picture.y), &picture.y)?;
    let panels = groups.drawn();
    let y_log = picture.logarithmic;
    let x_log = ruler.as_ref().is_some_and(|ruler| ruler.logarithmic);
    let size = |v: f64, log: bool| if log { math::log10(v) } else { v };
    let point = |cells: &Cells, row: usize, k: usize| {
        let x = match (&ruler, along) {
            (Some(ruler), _) => ruler.on(at(&cells.varied, ruler.index, row)),
            (None, Some((place, _))) => at(&cells.outputs, place + k, row),
            (None, None) => f64::NAN,
        };
        (x, at(&cells.outputs, first + k, row))
    };
    let fine = |p: &(f64, f64)| size(p.0, x_log).is_finite() && size(p.1, y_log).is_finite();
    let mut spots = Spots {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
        panels: panels.iter().map(|bin| (*bin, BTreeMap::new())).collect(),
    };
    // Twice: first for the ends of the axes, then for the dots.
    for measured in [false, true] {
        results.each(|cells| {
            for row in 0..cells.rows {
                let Some(panel) = groups.of(cells, row) else {
                    continue;
                };
                let Some(kept) = spots.panels.get_mut(&panel) else {
                    continue;
                };
                for p in (0..output.width).map(|k| point(cells, row, k)).filter(fine) {
                    let at = [size(p.0, x_log), size(p.1, y_log)];
                    let mut spot = [0; 2];
                    for (i, at) in at.into_iter().enumerate() {
                        let (Some(low), Some(high), Some(spot), Some(parts)) = (
                            spots.low.get_mut(i),
                            spots.high.get_mut(i),
                            spot.get_mut(i),
                            DOTS.get(i),
                        ) else {
                            continue;
                        };
                        if measured {
                            *spot = (parts * (at - *low) / (*high - *low).max(f64::MIN_POSITIVE))
                                .clamp(0.0, *parts) as u32;
                        } else {
                            *low = low.min(at);
                            *high = high.max(at);
                        }
                    }
                    if measured {
                        kept.entry((spot[0], spot[1])).or_insert(p);
                    }
                }
            }
            Ok(())
        })?;
    }
    if spots.panels.values().all(BTreeMap::is_empty) {
        return Ok(Err("there is no number to draw".into()));
    }
    let x_axis = match (&ruler, along) {
        (Some(ruler), _) => ruler.axis(),
        (None, Some((_, output))) => output_axis(output, false),
        (None, None) => Axis::new("", ""),
    };
    let mut stack = Stack::new(x_axis);
    let count = spots
        .panels
        .values()
        .filter(|dots| !dots.is_empty())
        .count();
    let ends = [spots.low[1], spots.high[1]].map(|v| if y_log { math::powf(10.0, v) } else { v });
    for (panel, dots) in spots.panels.iter().filter(|(_, dots)| !dots.is_empty()) {
        let mut drawn =
            Panel::new(output_axis(output, y_log)).height(if count > 1 { 240.0 } else { 420.0 });
        let name = each.map_or_else(String::new, |each| each.label(*panel));
        if each.is_some() {
            drawn = drawn.covering(ends);
        }
        stack = stack.panel(drawn.dots(name, dots.values().copied()));
    }
    Ok(Ok(Chart::new(title).stack(stack)))
}

/// What was found over what it was found for.
fn of_fit(study: &Study, fitted: &Fitted, title: &str) -> Chart {
    let fit = &fitted.fit;
    let ruler = fit.each.as_ref().and_then(|name| Ruler::new(study, name));
    let axis = ruler.as_ref();
    let axis = axis.map_or_else(|| Axis::new("", ""), Ruler::axis);
    let on = |each: f64| ruler.as_ref().map_or(each, |ruler| ruler.on(each));
    let mut stack = Stack::new(axis);
    for (i, (name, _)) in fit.start.iter().enumerate() {
        let found = fitted
            .rows
            .iter()
            .map(|row| (on(row.each), row.found.get(i).copied().unwrap_or(f64::NAN)));
        let mut panel = Panel::new(Axis::new(name.as_str(), "")).height(240.0);
        if let Some(j) = fit.compare.iter().position(|c| c.0 == *name) {
            let known = fitted.rows.iter().map(|row| {
                (
                    on(row.each),
                    row.compared.get(j).copied().unwrap_or(f64::NAN),
                )
            });
            panel = panel.reference("compared with", known);
        }
        stack = stack.panel(panel.line("found", found));
    }
    Chart::new(title).stack(stack)
}
