//! Which constants of a formula come nearest to what a sweep has found?
//!
//! Least squares, all points weighed alike, by the damped steps of Levenberg (1944) and Marquardt (1963).

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json};

use crate::card::short;
use crate::math;
use crate::model::expression::Expression;
use crate::results::number;

use super::file::Plain;
use super::parts::Results;
use super::picture::Fit;
use super::{Levels, Study};

/// Points of one fit, at most: more are left out, and that is said.
const MOST: usize = 2_000_000;

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
    /// What was found, in the order of `start`.
    pub found: Vec<f64>,
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
            if !x.is_finite() || !y.is_finite() {
                continue;
            }
            if count >= MOST {
                left_out += 1;
                continue;
            }
            count += 1;
            let value = each.map_or(0.0, |each| at(&cells.varied, each));
            groups
                .entry(order(value))
                .or_insert_with(|| (value, Vec::new()))
                .1
                .push((x, y));
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
    let mut start: Vec<f64> = fit.start.iter().map(|s| s.1).collect();
    let mut rows = Vec::new();
    for (value, points) in groups.into_values() {
        let mut problem = Problem {
            formula: &formula,
            points: &points,
            each: value,
            variables: vec![0.0; names.len()],
        };
        let found = problem.solve(&start);
        let (rms, worst) = problem.left(&found);
        let compared: Vec<f64> = compare.iter().map(|c| c.value(&[value])).collect();
        let places = fit
            .start
            .iter()
            .map(|s| fit.compare.iter().position(|c| c.0 == s.0));
        let known: Option<Vec<f64>> = places.map(|place| compared.get(place?).copied()).collect();
        let worst_compared = known.map_or(f64::NAN, |known| problem.left(&known).1);
        if found.iter().all(|x| x.is_finite()) {
            // The next one is near by.
            start.clone_from(&found);
        }
        rows.push(Row {
            each: if each.is_some() { value } else { f64::NAN },
            found,
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

    fn solve(&mut self, start: &[f64]) -> Vec<f64> {
        let n = start.len();
        let mut p = start.to_vec();
        let mut squares = self.squares(&p);
        let mut damping = 1e-3;
        let points = self.points;
        for _ in 0..200 {
            let mut normal = vec![vec![0.0; n + 1]; n];
            let mut slopes = vec![0.0; n];
            for point in points {
                let miss = self.miss(&p, *point);
                for (i, slope) in slopes.iter_mut().enumerate() {
                    let Some(at) = p.get(i).copied() else {
                        continue;
                    };
                    let h = 1e-6 * at.abs().max(1e-3);
                    let mut beside = |x: f64| {
                        if let Some(slot) = p.get_mut(i) {
                            *slot = x;
                        }
                        self.miss(&p, *point)
                    };
                    *slope = (beside(at + h) - beside(at - h)) / (2.0 * h);
                    beside(at);
                }
                for (row, a) in normal.iter_mut().zip(&slopes) {
                    for (cell, b) in row.iter_mut().zip(slopes.iter().chain(&[-miss])) {
                        *cell += a * b;
                    }
                }
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
                    (p, squares, better) = (tried, new, !small);
                    damping = (damping * 0.1).max(1e-15);
                    break;
                }
                damping *= 10.0;
            }
            if !better {
                break;
            }
        }
        if squares.is_finite() {
            p
        } else {
            vec![f64::NAN; n]
        }
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

impl Fitted {
    /// All fits as comma-separated values, one line a fit.
    pub fn csv(all: &[Fitted]) -> String {
        let mut text =
            String::from("fit,each,name,found,compared,rms,worst,worst_compared,points\n");
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
                    let [each, found, compared, rms, worst, off] = cells.map(number::text);
                    text += &format!(
                        "{},{each},{name},{found},{compared},{rms},{worst},{off},{}\n",
                        fitted.fit.name, row.points
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
        self.rows
            .iter()
            .filter_map(of)
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// In a few lines.
    pub fn told(&self) -> String {
        let brief = |x: f64| {
            format!("{x:.5e}")
                .parse()
                .map_or_else(|_| x.to_string(), short)
        };
        let fit = &self.fit;
        let mut text = format!("fit {}: {} = {}\n", fit.name, fit.of, fit.formula);
        for (i, (name, _)) in fit.start.iter().enumerate() {
            let of = |row: &Row| row.found.get(i).copied().unwrap_or(f64::NAN);
            match self.rows.as_slice() {
                [row] => text += &format!("  {name} = {}", brief(of(row))),
                rows => {
                    let low = rows.iter().map(of).fold(f64::INFINITY, f64::min);
                    let high = rows.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
                    let each = fit.each.as_deref().unwrap_or("");
                    text += &format!(
                        "  {name} from {} to {} over {} values of {each}",
                        brief(low),
                        brief(high),
                        rows.len()
                    );
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
        let part = |worst: f64, row: &Row| 100.0 * worst / row.largest;
        let worst = self
            .rows
            .iter()
            .map(|row| part(row.worst, row))
            .fold(0.0, f64::max);
        text += &format!("  largest departure {worst:.3} % of the largest {}", fit.of);
        let compared = self
            .rows
            .iter()
            .map(|row| part(row.worst_compared, row))
            .fold(0.0, f64::max);
        if self.rows.iter().all(|row| row.worst_compared.is_finite()) && !self.rows.is_empty() {
            text += &format!("; with what it is compared with {compared:.3} %");
        }
        if self.left_out > 0 {
            text += &format!(
                "; {} points were left out, there are too many",
                self.left_out
            );
        }
        text + "\n"
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
            let found = problem.solve(&start);
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
        let found = problem.solve(&[0.0, 0.0]);
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
        let found = line(&formula, &points).solve(&[1.0, -1.0]);
        assert!(found.iter().all(|x| x.is_nan()), "{found:?}");
    }

    #[test]
    fn equations_without_an_answer_have_none_and_damping_gives_them_one() {
        let twice = [vec![1.0, 1.0, 2.0], vec![1.0, 1.0, 2.0]];
        assert_eq!(damped(&twice, 0.0), None);
        let step = damped(&twice, 1.0).expect("raised");
        // 2a + b = 2 and a + 2b = 2.
        assert!(step.iter().all(|x| (x - 2.0 / 3.0).abs() < 1e-15));
    }
}
