//! Where is a model closest to a record, and what does that tell of its numbers?

use crate::card::rounded;
use crate::math;
use crate::model::units::Dimension;

use super::runs::{
    AT_LEAST, Course, Differences, PATIENCE, Runs, Work, all_bounds, middle, prepared,
};
use super::{Found, Free, Misfit, Moved, Subject};
use crate::study::fit::judge::{self, Sought};
use crate::study::fit::least::{self, Bounds, Residuals};
use crate::study::fit::notes::unlike_noise;
use crate::study::fit::outcome::Product;
use crate::study::fit::record::Record;
use crate::study::fit::{Loss, Setup};
use crate::study::many;

/// Points that are looked at before searching, for each number that is sought; and at most.
const LOOKED: usize = 40;
const MOST_LOOKED: usize = 240;

/// Steps of a search from one of the best of these points, and of the one for the answer.
const ROUGHLY: usize = 30;
const CLOSELY: usize = 60;

/// No noise is told to be less than this share of what is measured.
const LEAST_NOISE: f64 = 1e-9;

/// Chi square of one degree: whoever is no less likely lies within an interval of 95 %.
const LIKELY: f64 = 3.84;

/// How many points are looked at before searching.
pub(super) fn wanted(free: &[Free], setup: &Setup) -> usize {
    (LOOKED * free.len()).min(MOST_LOOKED).max(setup.starts)
}

/// Looked at from everywhere, searched from the best of those, and closely from the best of these.
pub(super) fn search(
    subject: &Subject,
    record: &Record,
    free: &[Free],
    setup: &Setup,
    work: &Work<'_>,
) -> Result<Moved, Misfit> {
    let mut runs = prepared(subject, record, free, setup.start, work)?;
    let (n, p) = (record.count(), free.len());
    if n <= p + 1 {
        let words = format!("{n} measured numbers for {p} unknowns and the noise");
        return Err(Misfit::Input(vec![words]));
    }
    let bounds = all_bounds(free);
    if let Ok(course) = runs.course(&middle(&bounds)) {
        runs.most_steps = AT_LEAST + PATIENCE * course.steps;
    }
    let search = Search {
        runs: &runs,
        setup,
        bounds,
        sizes: record.series.iter().map(|s| size(&s.y)).collect(),
    };
    let points = search.looked(wanted(free, setup))?;
    let ends = search.ends(&points.best)?;
    let answer = search.closest(&ends, points.best.len());
    search.told(answer, &points)
}

/// A search among runs.
struct Search<'a> {
    runs: &'a Runs<'a>,
    setup: &'a Setup,
    bounds: Bounds,
    /// What is large for each series.
    sizes: Vec<f64>,
}

/// Points that were looked at.
struct Points {
    wanted: usize,
    /// How many could be run.
    ran: usize,
    /// The best of them.
    best: Vec<Vec<f64>>,
}

/// Where the model is closest.
struct Closest {
    found: least::Found,
    /// Where it was when the best of the ends was taken.
    from: Vec<f64>,
    /// Ends that are no less likely than what an interval holds.
    rivals: Vec<Vec<f64>>,
    /// What one unit of a residual is, for each series.
    units: Vec<f64>,
    /// The scale of residuals that are no outliers; infinite with squares alone.
    scale: f64,
    /// From how many starts the same answer came, and from how many it was sought.
    agreeing: [usize; 2],
    /// Whether it was ended before it came to rest.
    stopped: bool,
}

impl<'a> Search<'a> {
    fn differences(&self, units: &[f64]) -> Differences<'a> {
        Differences {
            runs: self.runs,
            units: units.to_vec(),
        }
    }

    /// A search with squares from there.
    fn from(&self, units: &[f64], start: &[f64], steps: usize) -> Option<least::Found> {
        let mut differences = self.differences(units);
        let rest = (steps, least::CLOSE);
        least::search(&mut differences, &self.bounds, start, f64::INFINITY, rest)
    }

    /// The best of points that are spread over all that the bounds allow.
    fn looked(&self, wanted: usize) -> Result<Points, Misfit> {
        let work = self.runs.work;
        let points: Vec<Vec<f64>> = (0..wanted).map(|i| spread(i, &self.bounds)).collect();
        let look = |u: &Vec<f64>| {
            let mut r = vec![0.0; self.runs.record.count()];
            let there = self.differences(&self.sizes).at(u, &mut r);
            work.one_more();
            // Those that are far off count by how many, not by how far.
            there.then(|| r.iter().map(|r| r.abs().min(1.0)).sum::<f64>())
        };
        let costs = many::each(&points, look);
        let mut ran: Vec<(f64, Vec<f64>)> = costs
            .into_iter()
            .zip(points)
            .filter_map(|(cost, u)| Some((cost?, u)))
            .collect();
        if work.stopped() {
            return Err(in_vain());
        }
        if ran.is_empty() {
            let why = self.runs.course(&middle(&self.bounds)).err();
            return Err(Misfit::Failed(format!(
                "no run from any of {wanted} points within the bounds: {}",
                why.unwrap_or_else(|| "its channels are no numbers".into())
            )));
        }
        ran.sort_by(|a, b| a.0.total_cmp(&b.0));
        let best = ran.iter().take(self.setup.starts.max(1));
        Ok(Points {
            wanted,
            ran: ran.len(),
            best: best.map(|(_, u)| u.clone()).collect(),
        })
    }

    /// Where searches from these points end, the best first; there is at least one.
    fn ends(&self, points: &[Vec<f64>]) -> Result<Vec<least::Found>, Misfit> {
        let work = self.runs.work;
        let search = |u: &Vec<f64>| {
            let end = self.from(&self.sizes, u, ROUGHLY);
            work.one_more();
            end
        };
        let ends = many::each(points, search).into_iter();
        let mut ends: Vec<least::Found> = ends.flatten().collect();
        ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        match ends.is_empty() {
            false => Ok(ends),
            true if work.stopped() => Err(in_vain()),
            true => Err(Misfit::Failed("no search came to an end".into())),
        }
    }

    /// Closely from the best of the ends, past outliers.
    fn closest(&self, ends: &[least::Found], starts: usize) -> Closest {
        let (runs, work) = (self.runs, self.runs.work);
        let n = runs.record.count() as f64;
        let best = &ends[0];
        let agree = |f: &&least::Found| f.cost <= best.cost * 1.001 + 1e-18 * n;
        let as_well = |f: &&least::Found| n * math::ln(f.cost / best.cost) < LIKELY;
        let rivals: Vec<Vec<f64>> = ends.iter().filter(as_well).map(|f| f.u.clone()).collect();
        let mut units = self.sizes.clone();
        let mut found = best.clone();
        if units.len() > 1 && !work.stopped() {
            // Series of different noise are weighed by it.
            let mut left = found.r.iter();
            for (series, unit) in runs.record.series.iter().zip(&mut units) {
                let measured = series.y.iter().filter(|y| y.is_finite());
                let own: Vec<f64> = measured.filter_map(|_| left.next().copied()).collect();
                *unit *= least::median_scale(&own).max(LEAST_NOISE);
            }
            found = self.from(&units, &found.u, ROUGHLY).unwrap_or(found);
        }
        let mut scale = f64::INFINITY;
        match self.setup.loss {
            Loss::Squares => found = self.from(&units, &found.u, CLOSELY).unwrap_or(found),
            Loss::Huber if work.stopped() => {
                scale = least::median_scale(&found.r).max(LEAST_NOISE);
            }
            Loss::Huber => {
                let mut weighed = self.differences(&units);
                let columns = least::jacobian(&mut weighed, &self.bounds, &found);
                let known = columns.map_or(found.u.len(), |columns| judge::rank(&columns));
                (found, scale) = least::robust(
                    &mut weighed,
                    &self.bounds,
                    found,
                    known,
                    LEAST_NOISE,
                    CLOSELY,
                );
            }
        }
        Closest {
            found,
            from: best.u.clone(),
            rivals,
            units,
            scale,
            agreeing: [ends.iter().filter(agree).count(), starts],
            stopped: work.stopped(),
        }
    }

    /// What is known there, as it is told.
    fn told(&self, closest: Closest, points: &Points) -> Result<Moved, Misfit> {
        let (runs, free, record) = (self.runs, self.runs.free, self.runs.record);
        runs.work.tell();
        let Closest {
            found,
            units,
            stopped,
            ..
        } = &closest;
        let mut weighed = self.differences(units);
        let Some(columns) = least::jacobian(&mut weighed, &self.bounds, found) else {
            return Err(Misfit::Failed(
                "there are no runs beside the best one found. Hint: closer bounds".into(),
            ));
        };
        let variance = least::variance(&found.r, closest.scale, judge::rank(&columns));
        let sought: Vec<Sought<'_>> = free
            .iter()
            .map(|one| Sought {
                name: &one.path,
                log: one.in_logarithms(),
            })
            .collect();
        let judged = judge::judge(&columns, variance, &sought);
        let freedom = record.count().saturating_sub(judged.rank).max(1);
        let t = judge::student95(freedom);
        let noise = match self.setup.loss {
            Loss::Squares => math::sqrt(variance),
            Loss::Huber => closest.scale,
        };
        let (numbers, torn) = self.numbers(&closest, &judged, t);
        let number = |j: usize| {
            let one = numbers.get(j)?;
            // One that was given without a unit may have any.
            let unit = Dimension::of(&one.unit, &[])
                .ok()
                .filter(|_| !one.unit.is_empty());
            Some((one.path.as_str(), one.value, unit))
        };
        let products = Product::all(&judged.powers, t, number);
        let mut unknowable: Vec<String> = products.iter().map(Product::words).collect();
        unknowable.extend(judged.words);
        let course = runs.course(&found.u).map_err(Misfit::Failed)?;
        let fitted = runs.at_times(&course, &found.u);
        let noises: Vec<f64> = units.iter().map(|unit| noise * unit).collect();
        let together = || record.series.iter().zip(&fitted);
        let residuals: Vec<Vec<f64>> = together()
            .zip(noises.iter().zip(units))
            .map(|((series, fitted), (noise, unit))| {
                let one = if *noise > 0.0 { noise } else { unit };
                let pairs = series.y.iter().zip(fitted);
                pairs.map(|(y, f)| (y - f) / one).collect()
            })
            .collect();
        let explained = together()
            .zip(&residuals)
            .map(|((series, fitted), residuals)| explained(&series.y, fitted, residuals))
            .collect();
        let mut moved = Moved {
            numbers,
            correlation: judged.correlation,
            unknowable,
            products,
            condition: judged.condition,
            rank: judged.rank,
            freedom,
            units: runs.series_units(&found.u),
            noise: noises,
            fitted,
            residuals,
            explained,
            smooth: self.smooth(&course, &found.u),
            agreeing: closest.agreeing,
            settled: found.settled && !stopped,
            contacts: course.contacts,
            notes: Vec::new(),
            stopped: *stopped,
        };
        moved.notes = notes(&moved, record, points);
        moved.notes.extend(torn);
        Ok(moved)
    }

    /// The numbers with their intervals (`t` is Student's), and words on those for which starts disagree.
    fn numbers(
        &self,
        closest: &Closest,
        judged: &judge::Judged,
        t: f64,
    ) -> (Vec<Found>, Vec<String>) {
        let Closest {
            found,
            agreeing: [same, all],
            ..
        } = closest;
        let alone = closest.stopped || !found.settled || *same < 2 && *all > 1;
        let mut torn = Vec::new();
        let mut numbers = Vec::new();
        for (j, (one, u)) in self.runs.free.iter().zip(&found.u).enumerate() {
            let (error, vague) = (judged.errors[j], judged.vague[j]);
            let [low, high] = one.bounds();
            // Searches stop a little beside: half an interval more is left to them. What outliers move when they lose their weight moves from all starts alike.
            let from = closest.from.get(j).copied().unwrap_or(*u);
            let far = |other: &&f64| error.is_some_and(|e| (**other - from).abs() > 1.5 * t * e);
            let mut rivals = closest.rivals.iter().filter_map(|rival| rival.get(j));
            let elsewhere = rivals.find(far);
            torn.extend(elsewhere.map(|other| {
                format!(
                    "another start fits as well with `{}` = {}: closer bounds, or more starts, may tell which it is",
                    one.path,
                    rounded(one.value(*other))
                )
            }));
            let near = 1e-6 * (high - low).min(1.0);
            numbers.push(Found {
                path: one.path.clone(),
                unit: one.unit.clone(),
                value: one.value(*u),
                interval: error.map(|error| [one.value(u - t * error), one.value(u + t * error)]),
                vague: vague || error.is_some_and(|error| 2.0 * t * error > high - low),
                at_bound: u - low < near || high - u < near,
                sure: !alone && elsewhere.is_none(),
            });
        }
        (numbers, torn)
    }

    /// Curves to draw, on the clock of the record.
    fn smooth(&self, course: &Course, u: &[f64]) -> Vec<Vec<(f64, f64)>> {
        let clock = self.runs.clock(u);
        let time = |k: usize| clock + self.runs.start + self.runs.step * k as f64;
        let one = |samples: &Vec<f64>| {
            let every = samples.len().div_ceil(4000).max(1);
            let points = samples.iter().enumerate().step_by(every);
            points.map(|(k, y)| (time(k), *y)).collect()
        };
        course.sampled.iter().map(one).collect()
    }
}

fn in_vain() -> Misfit {
    Misfit::Failed("it was stopped before anything was known".into())
}

/// What is large for a series.
fn size(y: &[f64]) -> f64 {
    let known = y.iter().filter(|y| y.is_finite());
    let largest = known.fold(0.0_f64, |m, y| m.max(y.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

/// Those that were measured.
pub(super) fn known(y: &[f64]) -> Vec<f64> {
    y.iter().copied().filter(|y| y.is_finite()).collect()
}

/// How much of the variation about the mean is explained; outliers, more than four times the noise off, do not count.
fn explained(y: &[f64], fitted: &[f64], residuals: &[f64]) -> f64 {
    let all = y.iter().zip(fitted).zip(residuals);
    let pairs: Vec<(f64, f64)> = all
        .filter(|(_, left)| left.abs() <= 4.0)
        .map(|((y, fitted), _)| (*y, *fitted))
        .collect();
    let mean = pairs.iter().map(|p| p.0).sum::<f64>() / pairs.len().max(1) as f64;
    let left: f64 = pairs.iter().map(|(y, f)| (y - f) * (y - f)).sum();
    let whole: f64 = pairs.iter().map(|(y, _)| (y - mean) * (y - mean)).sum();
    match (left, whole) {
        (0.0, _) => 1.0,
        (left, whole) if whole > 0.0 => 1.0 - left / whole,
        _ => 0.0,
    }
}

/// Points spread evenly over the box, the middle first (an additive recurrence with the generalised golden ratio).
fn spread(nth: usize, bounds: &Bounds) -> Vec<f64> {
    let d = bounds.low.len() as f64;
    let mut golden = 2.0;
    for _ in 0..60 {
        golden = math::powf(1.0 + golden, 1.0 / (d + 1.0));
    }
    let pairs = bounds.low.iter().zip(&bounds.high).enumerate();
    pairs
        .map(|(j, (low, high))| {
            let along = 0.5 + nth as f64 * math::powf(golden, -(j as f64 + 1.0));
            low + (along - along.floor()) * (high - low)
        })
        .collect()
}

/// What should be known of the answer.
fn notes(moved: &Moved, record: &Record, points: &Points) -> Vec<String> {
    let mut notes = Vec::new();
    let Points { wanted, ran, .. } = points;
    if ran < wanted {
        notes.push(format!(
            "{} of {wanted} points within the bounds could not be run: closer bounds may help",
            wanted - ran
        ));
    }
    if moved.contacts > 0 {
        let [same, all] = moved.agreeing;
        notes.push(format!(
            "{} contacts in the best run: impacts make the differences rough, so that a search may end beside the best ({same} of {all} starts agree), and intervals hold only as long as the order of impacts stays",
            moved.contacts
        ));
    }
    let bound: Vec<&str> = moved
        .numbers
        .iter()
        .filter(|one| one.at_bound && one.interval.is_some())
        .map(|one| one.path.as_str())
        .collect();
    if !bound.is_empty() {
        notes.push(format!(
            "at an end of its bounds: {}. Its interval means little; wider bounds may fit better",
            bound.join(", ")
        ));
    }
    for (series, residuals) in record.series.iter().zip(&moved.residuals) {
        let known = known(residuals);
        let off = known.iter().filter(|r| r.abs() > 4.0).count();
        if off > 0 {
            notes.push(format!(
                "{off} of {} numbers of `{}` are more than four times the noise off",
                known.len(),
                series.channel
            ));
        }
        if let Some(unlike) = unlike_noise(&known) {
            notes.push(format!(
                "the residuals of `{}` {unlike}: the model does not follow the record to its noise, so that intervals are too narrow",
                series.channel
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_search_begin_in_the_middle_and_fill_the_box() {
        let bounds = Bounds {
            low: vec![0.0, -1.0],
            high: vec![1.0, 1.0],
        };
        assert_eq!(spread(0, &bounds), [0.5, 0.0]);
        // In each of sixteen parts of the box at least one of forty points.
        let mut seen = [false; 16];
        for i in 0..40 {
            let u = spread(i, &bounds);
            seen[4 * (u[0] * 4.0) as usize + ((u[1] + 1.0) * 2.0) as usize] = true;
        }
        assert!(seen.iter().all(|seen| *seen));
    }
}
