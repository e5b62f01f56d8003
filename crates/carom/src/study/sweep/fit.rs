//! Which constants of a formula come nearest to what a sweep has found?
//!
//! Least squares, all points weighed alike, by the damped steps of Levenberg (1944) and Marquardt (1963).

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use serde_json::{Value, json};

use crate::card::short;
use crate::math;
use crate::model::expression::Expression;
use crate::results::number;

use super::csv::quoted;
use super::file::Plain;
use super::parts::Results;
use super::picture::Fit;
use super::{Levels, Study};

/// Points of one fit, at most: more are left out, and that is said.
const MOST: usize = 2_000_000;
/// Steps of one search, at most.
const STEPS: usize = 200;
/// A search that ran out of steps had come to its end if the last one took away no more than this part of the squares, or if what is left is no more than this part of the largest number.
const FLAT: f64 = 1e-9;
const ROUNDING: f64 = 1e-12;
/// A constant is determined if more than this part of what it does is not done by the others. Slopes are known to about 1e-11.
const OWN: f64 = 1e-8;
/// Slopes are taken over a step that changes a constant, or what is fitted, by such a part.
const STEP: f64 = 1e-6;
const CHANGE: f64 = 1e-5;
/// Values that are named where something is told of them, at most.
const NAMED: usize = 5;

/// A formula that was fitted, once for each value of a parameter.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// What was asked for.
    pub fit: Fit,
    /// One for each value, in rising order.
    pub rows: Vec<Row>,
    /// Points that were left out because there are too many.
    pub left_out: u64,
}

/// One fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The value of `each`; NaN if there is one fit only.
    pub each: f64,
    /// What was found, in the order of `start`; NaN if there is no fit.
    pub found: Vec<f64>,
    /// Why there is no fit, if there is none.
    pub failure: Option<Unfit>,
    /// What it should be, in the order of `compare`.
    pub compared: Vec<f64>,
    /// The root of the mean square of what is left.
    pub rms: f64,
    /// The largest of what is left.
    pub worst: f64,
    /// The same of the formula with what should be found, where that is known of all.
    pub worst_compared: f64,
    /// The largest number that was fitted.
    pub largest: f64,
    /// How many points there were.
    pub points: usize,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// There are fewer points than constants.
    Few {
        /// How many points there are.
        points: usize,
        /// How many constants are sought.
        constants: usize,
    },
    /// Where the search begins the formula, or what it changes by, is no finite number.
    Start,
    /// The search did not come to an end.
    Lost,
    /// The points do not determine these constants: the formula does not change with them, or changes of one are made up for by others.
    Loose(Vec<String>),
}

impl Unfit {
    /// What can be done about it.
    fn hint(&self, fit: &Fit) -> String {
        match self {
            Unfit::Few { points: 0, .. } => {
                "why points failed, or have no number, stands in the table".into()
            }
            Unfit::Few { .. } => format!("more levels of {}, or fewer constants", fit.over),
            Unfit::Start | Unfit::Lost => "other values in `start`".into(),
            Unfit::Loose(_) => format!(
                "fewer constants, more levels of {}, or other values in `start`",
                fit.over
            ),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Few { points: 0, .. } => f.write_str("there is no number to fit"),
            Unfit::Few { points, constants } => {
                let plural = if *points == 1 { "" } else { "s" };
                write!(f, "{points} point{plural} for {constants} constants")
            }
            Unfit::Start => f.write_str(
                "the formula, or what it changes by, is no finite number where the search begins",
            ),
            Unfit::Lost => f.write_str("the search did not come to an end"),
            Unfit::Loose(names) => write!(f, "the points do not determine {}", names.join(", ")),
        }
    }
}

/// All fits of a study.
pub fn fitted(study: &Study, results: &Results<'_>) -> io::Result<Vec<Fitted>> {
    let mut all = Vec::new();
    for fit in &study.fits {
        all.push(one(study, results, fit)?);
    }
    Ok(all)
}

fn one(study: &Study, results: &Results<'_>, fit: &Fit) -> io::Result<Fitted> {
    let wrong = |what: &str| io::Error::other(format!("the fit `{}`: {what}", fit.name));
    let over = study
        .parameter(&fit.over)
        .ok_or_else(|| wrong("there is no such parameter"))?;
    let each = fit.each.as_ref().and_then(|name| study.parameter(name));
    let (of, _) = study
        .output(&fit.of)
        .ok_or_else(|| wrong("there is no such output"))?;
    // Numbers in their order: the bits of positive ones rise, those of negative ones fall.
    let order = |x: f64| {
        let bits = x.to_bits();
        if bits >> 63 == 0 {
            bits | 1 << 63
        } else {
            !bits
        }
    };
    let mut groups: BTreeMap<u64, (f64, Vec<(f64, f64)>)> = BTreeMap::new();
    let (mut count, mut left_out) = (0, 0);
    results.each(|cells| {
        for row in 0..cells.rows {
            let at = |columns: &[Vec<f64>], i: usize| {
                columns
                    .get(i)
                    .and_then(|c| c.get(row))
                    .copied()
                    .unwrap_or(f64::NAN)
            };
            let (x, y) = (at(&cells.varied, over), at(&cells.outputs, of));
            let value = each.map_or(0.0, |each| at(&cells.varied, each));
            let is_number = x.is_finite() && y.is_finite();
            if is_number && count >= MOST {
                left_out += 1;
                continue;
            }
            // A value of which no point has a number is told of, too; memory is bounded all the same.
            if !is_number && groups.len() >= MOST {
                continue;
            }
            let group = groups.entry(order(value));
            let (_, points) = group.or_insert_with(|| (value, Vec::new()));
            if is_number {
                count += 1;
                points.push((x, y));
            }
        }
        Ok(())
    })?;
    let mut names: Vec<&str> = fit.start.iter().map(|s| s.0.as_str()).collect();
    names.push(&fit.over);
    names.extend(fit.each.as_deref());
    let read = |text: &str, names: &[&str]| {
        Expression::parse(text, &Plain(names)).map_err(|_| wrong("the formula cannot be read"))
    };
    let formula = read(&fit.formula, &names)?;
    let alone: Vec<&str> = fit.each.as_deref().into_iter().collect();
    let mut compare = Vec::new();
    for (_, text) in &fit.compare {
        compare.push(read(text, &alone)?);
    }
    let given: Vec<f64> = fit.start.iter().map(|s| s.1).collect();
    let mut near = given.clone();
    let mut rows = Vec::new();
    for (value, points) in groups.into_values() {
        let mut problem = Problem {
            formula: &formula,
            points: &points,
            each: value,
            variables: vec![0.0; names.len()],
        };
        // The next one is near by; if nothing comes of that, it may still be found from where it was asked for.
        let mut ended = problem.found(&near);
        if ended.is_err() && near != given {
            ended = problem.found(&given);
        }
        let failure = ended.as_ref().err().map(|why| why.named(fit));
        let (rms, worst) = match &ended {
            Ok(found) => problem.left(found),
            Err(_) => (f64::NAN, f64::NAN),
        };
        let found = match ended {
            Ok(found) => {
                near.clone_from(&found);
                found
            }
            Err(_) => vec![f64::NAN; given.len()],
        };
        let compared: Vec<f64> = compare.iter().map(|c| c.value(&[value])).collect();
        let places = fit
            .start
            .iter()
            .map(|s| fit.compare.iter().position(|c| c.0 == s.0));
        let known: Option<Vec<f64>> = places.map(|place| compared.get(place?).copied()).collect();
        let worst_compared = known.map_or(f64::NAN, |known| problem.left(&known).1);
        rows.push(Row {
            each: if each.is_some() { value } else { f64::NAN },
            found,
            failure,
            compared,
            rms,
            worst,
            worst_compared,
            largest: points.iter().map(|p| p.1.abs()).fold(0.0, f64::max),
            points: points.len(),
        });
    }
    Ok(Fitted {
        fit: fit.clone(),
        rows,
        left_out,
    })
}

struct Problem<'a> {
    formula: &'a Expression,
    points: &'a [(f64, f64)],
    each: f64,
    variables: Vec<f64>,
}

impl Problem<'_> {
    /// What the formula misses at a point.
    fn miss(&mut self, p: &[f64], (x, y): (f64, f64)) -> f64 {
        for (to, from) in self
            .variables
            .iter_mut()
            .zip(p.iter().chain(&[x, self.each]))
        {
            *to = *from;
        }
        self.formula.value(&self.variables) - y
    }

    fn squares(&mut self, p: &[f64]) -> f64 {
        let points = self.points;
        points
            .iter()
            .map(|point| self.miss(p, *point))
            .map(|r| r * r)
            .sum()
    }

    fn left(&mut self, p: &[f64]) -> (f64, f64) {
        let points = self.points;
        let worst = points
            .iter()
            .map(|point| self.miss(p, *point).abs())
            .fold(0.0, |w: f64, r| if r > w || r.is_nan() { r } else { w });
        (
            math::sqrt(self.squares(p) / points.len().max(1) as f64),
            worst,
        )
    }

    /// How the formula changes with a constant at a point, by a step to both sides.
    fn slope(&mut self, p: &mut [f64], i: usize, h: f64, point: (f64, f64)) -> f64 {
        let Some(at) = p.get(i).copied() else {
            return f64::NAN;
        };
        let mut beside = |x: f64| {
            if let Some(slot) = p.get_mut(i) {
                *slot = x;
            }
            self.miss(p, point)
        };
        let slope = (beside(at + h) - beside(at - h)) / (2.0 * h);
        if let Some(slot) = p.get_mut(i) {
            *slot = at;
        }
        slope
    }

    /// The constants, or why there are none that could be relied upon.
    fn found(&mut self, start: &[f64]) -> Result<Vec<f64>, Ended> {
        if self.points.len() < start.len() {
            return Err(Ended::Few(self.points.len(), start.len()));
        }
        let (found, ended) = self.solve(start);
        if ended == Some(Ended::Start) {
            return Err(Ended::Start);
        }
        // Before whether it came to an end: where nothing holds the constants it goes on for ever.
        let loose = self.loose(&found);
        if !loose.is_empty() {
            return Err(Ended::Loose(loose));
        }
        ended.map_or(Ok(found), Err)
    }

    /// Where the search ends, and what is wrong with that end, if anything.
    fn solve(&mut self, start: &[f64]) -> (Vec<f64>, Option<Ended>) {
        let n = start.len();
        let mut p = start.to_vec();
        let mut squares = self.squares(&p);
        if !squares.is_finite() {
            return (p, Some(Ended::Start));
        }
        let mut damping = 1e-3;
        let points = self.points;
        let mut gained = f64::INFINITY;
        for step in 0..STEPS {
            let mut normal = vec![vec![0.0; n + 1]; n];
            let mut slopes = vec![0.0; n];
            for point in points {
                let miss = self.miss(&p, *point);
                for (i, slope) in slopes.iter_mut().enumerate() {
                    let h = STEP * p.get(i).map_or(0.0, |x| x.abs()).max(1e-3);
                    *slope = self.slope(&mut p, i, h, *point);
                }
                for (row, a) in normal.iter_mut().zip(&slopes) {
                    for (cell, b) in row.iter_mut().zip(slopes.iter().chain(&[-miss])) {
                        *cell += a * b;
                    }
                }
            }
            if !normal.iter().flatten().all(|cell| cell.is_finite()) {
                let ended = if step == 0 { Ended::Start } else { Ended::Lost };
                return (p, Some(ended));
            }
            let mut better = false;
            for _ in 0..30 {
                let Some(step) = damped(&normal, damping) else {
                    damping *= 10.0;
                    continue;
                };
                let tried: Vec<f64> = p.iter().zip(&step).map(|(p, s)| p + s).collect();
                let new = self.squares(&tried);
                if new < squares {
                    let small = tried
                        .iter()
                        .zip(&step)
                        .all(|(p, s)| s.abs() <= 1e-12 * p.abs());
                    gained = (squares - new) / squares;
                    (p, squares, better) = (tried, new, !small);
                    damping = (damping * 0.1).max(1e-15);
                    break;
                }
                damping *= 10.0;
            }
            if !better {
                return (p, None);
            }
        }
        let largest = points.iter().map(|p| p.1.abs()).fold(0.0, f64::max);
        let left = math::sqrt(squares / points.len().max(1) as f64);
        let came_to_an_end = gained <= FLAT || left <= ROUNDING * largest;
        (p, (!came_to_an_end).then_some(Ended::Lost))
    }

    /// The constants that the points do not determine: what such a one does to the formula is nothing, or is done by the others, too.
    fn loose(&mut self, found: &[f64]) -> Vec<usize> {
        let (n, points) = (found.len(), self.points);
        let mut p = found.to_vec();
        let mut steps: Vec<f64> = found.iter().map(|x| STEP * x.abs().max(1e-3)).collect();
        let mut size: f64 = 0.0;
        let mut slopes = vec![0.0_f64; n];
        for point in points {
            let value = self.miss(&p, *point) + point.1;
            size = hypot(size, value);
            for (i, (slope, h)) in slopes.iter_mut().zip(&steps).enumerate() {
                *slope = hypot(*slope, self.slope(&mut p, i, *h, *point));
            }
        }
        // A constant that does little beside the others needs a longer step: what it changes drowns in rounding otherwise.
        let longer: Vec<f64> = slopes.iter().map(|slope| CHANGE * size / slope).collect();
        for (i, (h, longer)) in steps.iter_mut().zip(longer).enumerate() {
            let holds = |point: &(f64, f64)| self.slope(&mut p, i, longer, *point).is_finite();
            if longer > 0.0 && longer.is_finite() && points.iter().all(holds) {
                *h = longer;
            }
        }
        let mut all = Triangle::new(n);
        let mut row = vec![0.0; n];
        for point in points {
            for (i, (cell, h)) in row.iter_mut().zip(&steps).enumerate() {
                *cell = self.slope(&mut p, i, *h, *point);
            }
            all.add(&row);
        }
        (0..n).filter(|i| !(all.own(*i) > OWN)).collect()
    }
}

/// How a search ended that found nothing; constants by their places.
#[derive(Clone, Debug, PartialEq)]
enum Ended {
    Few(usize, usize),
    Start,
    Lost,
    Loose(Vec<usize>),
}

impl Ended {
    fn named(&self, fit: &Fit) -> Unfit {
        match self {
            Ended::Few(points, constants) => Unfit::Few {
                points: *points,
                constants: *constants,
            },
            Ended::Start => Unfit::Start,
            Ended::Lost => Unfit::Lost,
            Ended::Loose(places) => {
                let names = places.iter().filter_map(|i| fit.start.get(*i));
                Unfit::Loose(names.map(|s| s.0.clone()).collect())
            }
        }
    }
}

fn hypot(a: f64, b: f64) -> f64 {
    math::sqrt(a * a + b * b)
}

/// Rows of any number, turned into a triangle with the same lengths and angles between columns: by rotations after Givens (1958), which keep what squares would lose.
struct Triangle(Vec<Vec<f64>>);

impl Triangle {
    fn new(n: usize) -> Self {
        Self(vec![vec![0.0; n]; n])
    }

    fn add(&mut self, row: &[f64]) {
        let mut row = row.to_vec();
        for (k, upper) in self.0.iter_mut().enumerate() {
            let (Some(a), Some(b)) = (upper.get(k).copied(), row.get(k).copied()) else {
                return;
            };
            let length = hypot(a, b);
            if length == 0.0 {
                continue;
            }
            let (c, s) = (a / length, b / length);
            for (x, y) in upper.iter_mut().zip(&mut row) {
                (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
            }
        }
    }

    /// Which part of a column is not made up of the others; NaN if it is nothing.
    fn own(&self, i: usize) -> f64 {
        let n = self.0.len();
        let mut turned = Triangle::new(n);
        let mut length: f64 = 0.0;
        for row in &self.0 {
            // The column comes last: what is left of it there is its own.
            let last = row.get(i).copied();
            let others = row.iter().enumerate().filter(|(k, _)| *k != i);
            let moved: Vec<f64> = others.map(|(_, x)| *x).chain(last).collect();
            turned.add(&moved);
            length = hypot(length, last.unwrap_or(f64::NAN));
        }
        let own = turned.0.last().and_then(|row| row.last()).copied();
        own.unwrap_or(f64::NAN).abs() / length
    }
}

/// The solution of the normal equations with their diagonal raised; by elimination with pivots.
fn damped(normal: &[Vec<f64>], damping: f64) -> Option<Vec<f64>> {
    let n = normal.len();
    let mut a = normal.to_vec();
    for (i, row) in a.iter_mut().enumerate() {
        let cell = row.get_mut(i)?;
        *cell += damping * cell.abs().max(1e-300);
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| {
            let size = |i: usize| {
                a.get(i)
                    .and_then(|row| row.get(k))
                    .map_or(0.0, |x: &f64| x.abs())
            };
            size(*i).total_cmp(&size(*j))
        })?;
        a.swap(k, pivot);
        let lead = a.get(k)?.clone();
        let head = *lead.get(k)?;
        if !(head.abs() > 0.0 && head.is_finite()) {
            return None;
        }
        for (i, row) in a.iter_mut().enumerate() {
            if i == k {
                continue;
            }
            let factor = *row.get(k)? / head;
            for (cell, above) in row.iter_mut().zip(&lead) {
                *cell -= factor * above;
            }
        }
    }
    (0..n)
        .map(|i| Some(a.get(i)?.last()? / a.get(i)?.get(i)?))
        .collect()
}

/// A number in six digits.
fn brief(x: f64) -> String {
    format!("{x:.5e}")
        .parse()
        .map_or_else(|_| x.to_string(), short)
}

impl Row {
    /// Why there is no fit; empty if there is one.
    fn why(&self) -> String {
        self.failure
            .as_ref()
            .map(Unfit::to_string)
            .unwrap_or_default()
    }
}

impl Fitted {
    /// All fits as comma-separated values, one line a constant. What is not known is empty; the last cell says why there is no fit.
    pub fn csv(all: &[Fitted]) -> String {
        let mut text =
            String::from("fit,each,name,found,compared,rms,worst,worst_compared,points,failure\n");
        let known = |x: f64| match x.is_finite() {
            true => number::text(x),
            false => String::new(),
        };
        for fitted in all {
            for row in &fitted.rows {
                for ((name, _), found) in fitted.fit.start.iter().zip(&row.found) {
                    let place = fitted.fit.compare.iter().position(|c| c.0 == *name);
                    let compared = place.and_then(|i| row.compared.get(i)).copied();
                    let cells = [
                        row.each,
                        *found,
                        compared.unwrap_or(f64::NAN),
                        row.rms,
                        row.worst,
                        row.worst_compared,
                    ];
                    let [each, found, compared, rms, worst, off] = cells.map(known);
                    text += &format!(
                        "{},{each},{name},{found},{compared},{rms},{worst},{off},{},{}\n",
                        fitted.fit.name,
                        row.points,
                        quoted(&row.why())
                    );
                }
            }
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let number = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
        let rows = self.rows.iter().map(|row| {
            json!({
                "each": number(row.each),
                "found": row.found.iter().map(|x| number(*x)).collect::<Vec<_>>(),
                "compared": row.compared.iter().map(|x| number(*x)).collect::<Vec<_>>(),
                "rms": number(row.rms),
                "worst": number(row.worst),
                "worst_compared": number(row.worst_compared),
                "points": row.points,
                "failure": row.failure.as_ref().map(Unfit::to_string),
            })
        });
        json!({
            "name": self.fit.name,
            "formula": self.fit.formula,
            "of": self.fit.of,
            "over": self.fit.over,
            "each": self.fit.each,
            "names": self.fit.start.iter().map(|s| s.0.clone()).collect::<Vec<_>>(),
            "compare": self.fit.compare.iter().map(|c| json!([c.0, c.1])).collect::<Vec<_>>(),
            "left_out": self.left_out,
            "failed": self.rows.len() - self.fine().count(),
            "rows": rows.collect::<Vec<_>>(),
        })
    }

    /// The largest difference of what was found of this name from what it should be, and where; `None` if nothing is known of it.
    pub fn difference(&self, name: &str) -> Option<(f64, f64)> {
        let (i, j) = (
            self.fit.start.iter().position(|s| s.0 == name)?,
            self.fit.compare.iter().position(|c| c.0 == name)?,
        );
        let of = |row: &Row| Some(((row.found.get(i)? - row.compared.get(j)?).abs(), row.each));
        self.fine()
            .filter_map(of)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The fits that there are.
    pub fn fine(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.failure.is_none())
    }

    /// Whether there is something to draw: fits over the values of a parameter.
    pub fn draws(&self) -> bool {
        self.rows.len() > 1 && self.fine().next().is_some()
    }

    /// Why there is no fit, for how many values and for which: every reason once, with what can be done about it.
    pub fn without(&self) -> Vec<(String, String)> {
        let mut reasons: Vec<(&Unfit, Vec<f64>)> = Vec::new();
        for row in &self.rows {
            let Some(why) = &row.failure else {
                continue;
            };
            match reasons.iter_mut().find(|reason| reason.0 == why) {
                Some((_, values)) => values.push(row.each),
                None => reasons.push((why, vec![row.each])),
            }
        }
        let words = |(why, values): (&Unfit, Vec<f64>)| {
            let words = match &self.fit.each {
                Some(each) => {
                    let named = values.iter().take(NAMED).map(|x| brief(*x));
                    let mut named = named.collect::<Vec<_>>().join(", ");
                    if values.len() > NAMED {
                        named += ", …";
                    }
                    let (some, all) = (values.len(), self.rows.len());
                    format!("no fit at {some} of {all} values of {each} ({named}): {why}")
                }
                None => format!("no fit: {why}"),
            };
            (words, why.hint(&self.fit))
        };
        let mut all: Vec<(String, String)> = reasons.into_iter().map(words).collect();
        if self.rows.is_empty() {
            all.push(("no fit: there is no point".into(), "more points".into()));
        }
        all
    }

    /// In a few lines.
    pub fn told(&self) -> String {
        let fit = &self.fit;
        let mut text = format!("fit {}: {} = {}\n", fit.name, fit.of, fit.formula);
        let fine: Vec<&Row> = self.fine().collect();
        for (i, (name, _)) in fit.start.iter().enumerate() {
            let of = |row: &&Row| row.found.get(i).copied().unwrap_or(f64::NAN);
            match (fine.as_slice(), self.rows.len()) {
                ([], _) => continue,
                ([row], 1) => text += &format!("  {name} = {}", brief(of(row))),
                (rows, all) => {
                    let low = rows.iter().map(of).fold(f64::INFINITY, f64::min);
                    let high = rows.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
                    let each = fit.each.as_deref().unwrap_or("");
                    let (low, high) = (brief(low), brief(high));
                    let over = match rows.len() {
                        some if some == all => all.to_string(),
                        some => format!("{some} of {all}"),
                    };
                    text += &format!("  {name} from {low} to {high} over {over} values of {each}");
                }
            }
            if let Some((off, at)) = self.difference(name) {
                text += &format!("; at most {} from what it is compared with", brief(off));
                if let (true, Some(each)) = (at.is_finite(), &fit.each) {
                    text += &format!(" ({each} = {})", brief(at));
                }
            }
            text += "\n";
        }
        let part = |worst: f64, row: &&Row| match worst {
            // Of nothing, nothing is missed.
            0.0 => 0.0,
            worst => 100.0 * worst / row.largest,
        };
        let most = |worst: fn(&Row) -> f64| {
            let parts = fine.iter().map(|row| part(worst(row), row));
            parts.max_by(f64::total_cmp)
        };
        if let Some(worst) = most(|row| row.worst) {
            text += &format!("  largest departure {worst:.3} % of the largest {}", fit.of);
            if let Some(compared) = most(|row| row.worst_compared).filter(|x| !x.is_nan()) {
                text += &format!("; with what it is compared with {compared:.3} %");
            }
            text += "\n";
        }
        for (words, _) in self.without() {
            text += &format!("  {words}\n");
        }
        if self.left_out > 0 {
            let left_out = self.left_out;
            text += &format!("  {left_out} points were left out, there are too many\n");
        }
        text
    }
}

/// Whether a parameter has levels of its own: then each of them can have a line.
pub(super) fn has_levels(study: &Study, parameter: usize) -> bool {
    let levels = study.design.levels().get(parameter);
    match levels {
        Some(Levels::Numbers(_) | Levels::Words(_)) => true,
        Some(Levels::Span { .. }) => !study.design.kind().draws(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_with_two_constants_is_found_from_afar() {
        let formula =
            Expression::parse("a*(x^b - 1)", &Plain(&["a", "b", "x"])).expect("it can be read");
        let points: Vec<(f64, f64)> = (0..200)
            .map(|i| 0.45 + 0.55 * f64::from(i) / 199.0)
            .map(|x| (x, 1.95 * (x.powf(-0.3) - 1.0)))
            .collect();
        for start in [[1.0, -1.0], [5.0, -0.05], [0.1, -2.0]] {
            let mut problem = Problem {
                formula: &formula,
                points: &points,
                each: 0.0,
                variables: vec![0.0; 3],
            };
            let found = problem.found(&start).expect("it is found");
            assert!(
                (found[0] - 1.95).abs() < 1e-7 && (found[1] + 0.3).abs() < 1e-7,
                "{found:?}"
            );
        }
    }

    fn line<'a>(formula: &'a Expression, points: &'a [(f64, f64)]) -> Problem<'a> {
        Problem {
            formula,
            points,
            each: 0.0,
            variables: vec![0.0; 3],
        }
    }

    #[test]
    fn a_straight_line_is_that_of_the_normal_equations_and_what_is_left_is_told() {
        let formula = Expression::parse("a + b*x", &Plain(&["a", "b", "x"])).expect("read");
        // By hand: mean of x 1.5, of y 1.75; b = Σ(x − 1.5)(y − 1.75)/5 = 3.5/5, a = 1.75 − 1.5 b.
        let points = [(0.0, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)];
        let mut problem = line(&formula, &points);
        let found = problem.found(&[0.0, 0.0]).expect("it is found");
        assert!((found[1] - 0.7).abs() < 1e-9, "{found:?}");
        assert!((found[0] - 0.7).abs() < 1e-9, "{found:?}");
        // Left over: 0.3, −0.4, −0.1, 0.2.
        let (rms, worst) = problem.left(&found);
        assert!((rms - (0.30_f64 / 4.0).sqrt()).abs() < 1e-9, "{rms}");
        assert!((worst - 0.4).abs() < 1e-9, "{worst}");
    }

    #[test]
    fn a_formula_that_is_no_number_anywhere_finds_none() {
        let formula = Expression::parse("a + ln(b)*x", &Plain(&["a", "b", "x"])).expect("read");
        let points = [(1.0, 1.0), (2.0, 2.0), (3.0, 1.0)];
        let found = line(&formula, &points).found(&[1.0, -1.0]);
        assert_eq!(found, Err(Ended::Start));
    }

    #[test]
    fn equations_without_an_answer_have_none_and_damping_gives_them_one() {
        let twice = [vec![1.0, 1.0, 2.0], vec![1.0, 1.0, 2.0]];
        assert_eq!(damped(&twice, 0.0), None);
        let step = damped(&twice, 1.0).expect("raised");
        // 2a + b = 2 and a + 2b = 2.
        assert!(step.iter().all(|x| (x - 2.0 / 3.0).abs() < 1e-15));
    }

    /// What comes of a formula of a, b and x from these starts.
    fn ended(formula: &str, points: &[(f64, f64)], start: [f64; 2]) -> Result<Vec<f64>, Ended> {
        let formula = Expression::parse(formula, &Plain(&["a", "b", "x"])).expect("read");
        line(&formula, points).found(&start)
    }

    fn curve(f: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let x = (1..=20).map(|i| 0.25 * f64::from(i));
        x.map(|x| (x, f(x))).collect()
    }

    #[test]
    fn constants_that_make_up_for_each_other_are_not_found_wherever_the_search_begins() {
        let points = curve(|x| 7e6 * x.powf(1.2));
        for formula in [
            "a*x^1.2 + b*x^1.2",
            "a*b*x^1.2",
            "(a + b)*x^1.2",
            "a*exp(b + ln(x)*1.2)",
            "a*x^1.2 + b*x^1.2*(1 + 1e-12*x)",
        ] {
            for start in [[1.0, 5.0], [3e6, 1e-3], [1e6, 2.0]] {
                let found = ended(formula, &points, start);
                assert_eq!(found, Err(Ended::Loose(vec![0, 1])), "{formula} {start:?}");
            }
        }
        // One that does nothing there, and what lies at one place.
        let nothing = ended("a*x^1.2 + max(b, 0)", &points, [1.0, -5.0]);
        assert_eq!(nothing, Err(Ended::Loose(vec![1])));
        let one_place = ended("a + b*x", &[(2.0, 1.0), (2.0, 1.5), (2.0, 2.0)], [0.0, 0.0]);
        assert_eq!(one_place, Err(Ended::Loose(vec![0, 1])));
        let few = ended("a + b*x", &[(2.0, 1.0)], [0.0, 0.0]);
        assert_eq!(few, Err(Ended::Few(1, 2)));
    }

    #[test]
    fn constants_that_are_hardly_but_determined_are_found() {
        // A line far from zero; one through zero; a small one beside a large one; an exponent beside its factor.
        let far: Vec<(f64, f64)> = (0..20)
            .map(|i| 1000.0 + f64::from(i) / 20.0)
            .map(|x| (x, 3.0 + 2.0 * x))
            .collect();
        for (formula, points, start, wanted, within) in [
            ("a + b*x", far, [0.0, 0.0], [3.0, 2.0], 1e-6),
            ("a + b*x", curve(|x| 2.0 * x), [1.0, 1.0], [0.0, 2.0], 1e-9),
            (
                "a*x + b*sin(x)",
                curve(|x| 1e6 * x + 1e-2 * x.sin()),
                [1.0, 1.0],
                [1e6, 1e-2],
                1e-6,
            ),
            (
                "a*x^b",
                curve(|x| 1e-9 * x.powf(-0.2)),
                [1.0, 1.0],
                [1e-9, -0.2],
                1e-6,
            ),
            (
                "a*x^b",
                curve(|x| 7e6 * x.powf(1.2)),
                [0.0, 0.0],
                [7e6, 1.2],
                1e-6,
            ),
        ] {
            let found = ended(formula, &points, start);
            let near = |found: &Vec<f64>| {
                let pairs = found.iter().zip(&wanted);
                pairs.fold(true, |near, (x, y)| {
                    near && (x - y).abs() <= within * if *y == 0.0 { 1.0 } else { y.abs() }
                })
            };
            assert!(found.as_ref().is_ok_and(near), "{formula}: {found:?}");
        }
    }

    #[test]
    fn a_search_without_an_end_or_a_beginning_finds_nothing() {
        let points = curve(|x| 1.0 + x);
        for (formula, start) in [
            // No number; no slope; too large for one.
            ("a*ln(x - b)", [1.0, 3.0]),
            ("a + sqrt(b)*x", [1.0, 0.0]),
            ("a*exp(b*x)", [1.0, 200.0]),
        ] {
            let found = ended(formula, &points, start);
            assert_eq!(found, Err(Ended::Start), "{formula}");
        }
    }
}
