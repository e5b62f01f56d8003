//! What do measured pairs of speed and restitution say at any speed?

use super::paste::typed;
use crate::card::rounded;
use crate::contact::{Restitution, SpeedFunction};
use crate::math;
use crate::model::units::pretty;

/// Points that a law is told, at most: more of them are noise, and nobody reads a longer formula.
const MOST: usize = 12;
/// Impacts that a law is put to, at most.
const ASKED: usize = 7;
/// A pair is off where it is farther from its neighbours than the first, and than so many times the usual distance; at the ends, where they say less, twice as far.
const OFF: (f64, f64) = (0.05, 5.0);
/// Neighbours on each side that say so (at an end, twice as many on one), and pairs that it takes at least.
const BESIDE: usize = 4;
const LEAST: usize = 6;
/// Pairs that are named, at most.
const NAMED: usize = 5;
/// The standard deviation of a normal distribution over the median of its magnitudes.
const NORMAL: f64 = 1.4826;

/// Restitution over speed, joined by straight lines; beyond its ends it stays as it is there.
pub(super) struct Curve {
    /// Speed (m/s, rising) and restitution.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Through the means of pairs at one speed; of neighbours, where there are too many. Nothing, if nothing was measured.
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let single = averaged(&near(pairs));
        if single.is_empty() {
            return None;
        }
        let size = single.len().div_ceil(MOST);
        let points = single.chunks(size).map(|group| {
            let count: f64 = group.iter().map(|at| at.pairs).sum();
            let mean = |part: fn(&At) -> f64| {
                let sum: f64 = group.iter().map(|at| at.pairs * part(at)).sum();
                six(sum / count)
            };
            (mean(|at| at.speed), mean(|at| at.mean))
        });
        Some(Self {
            points: points.collect(),
        })
    }

    /// What was done to so many pairs, if anything.
    pub fn gathered(&self, pairs: &[(f64, f64)]) -> Option<String> {
        let far = |pair: &(f64, f64)| (pair.1 - self.at(pair.0)).abs();
        let farthest = pairs.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
        let together = match self.points.len() {
            1 => "as one of their mean speed, with their mean".into(),
            n => format!("in {n} groups of neighbouring speeds, means joined by straight lines"),
        };
        (averaged(pairs).len() > self.points.len()).then(|| {
            format!(
                "{} measured pairs are taken together {together}; pairs lie up to {} off {} ({} at {})",
                pairs.len(),
                pretty(far(farthest), "", 2),
                if self.points.len() == 1 { "it" } else { "these" },
                farthest.1,
                pretty(farthest.0, "m/s", 4)
            )
        })
    }

    /// At this speed, m/s.
    pub fn at(&self, speed: f64) -> f64 {
        let first = self.points.first().map_or(f64::NAN, |p| p.1);
        self.points.windows(2).fold(first, |e, pair| {
            let ((v1, e1), (v2, e2)) = (pair[0], pair[1]);
            e + (e2 - e1) / (v2 - v1) * (speed.clamp(v1, v2) - v1)
        })
    }

    /// Some of its points, the first and the last among them.
    pub fn some(&self) -> Vec<(f64, f64)> {
        if self.points.len() <= ASKED {
            return self.points.clone();
        }
        let last = self.points.len() - 1;
        (0..ASKED)
            .filter_map(|i| self.points.get(i * last / (ASKED - 1)).copied())
            .collect()
    }
}

/// Points of speed (m/s) and restitution as a model file takes them: the first restitution, and for every piece its rise times the part of it that lies below v; rounding must not lead out of 0 to 1.
pub(super) fn formula(points: &[(f64, f64)]) -> String {
    let mut text = points.first().map_or("0".into(), |p| typed(p.1));
    for pair in points.windows(2) {
        let ((v1, e1), (v2, e2)) = (pair[0], pair[1]);
        if e1 == e2 {
            continue;
        }
        let (low, high) = (typed(v1), typed(v2));
        let sign = if e2 < e1 { '-' } else { '+' };
        let rise = typed((e2 - e1).abs());
        text.push_str(&format!(
            " {sign} {rise}*(min(max(v, {low} m/s), {high} m/s) - {low} m/s)/({high} m/s - {low} m/s)"
        ));
    }
    format!("min(1, max(0, {text}))")
}

/// As laws are told it: a number, if only one speed was measured, or the same came back at all.
pub(super) fn joined(curve: &Curve) -> Restitution {
    if let Some(((_, e), more)) = curve.points.split_first()
        && more.iter().all(|p| p.1 == *e)
    {
        return Restitution::Number(*e);
    }
    let own = Curve {
        points: curve.points.clone(),
    };
    Restitution::Function(SpeedFunction::new(&formula(&curve.points), move |v| {
        own.at(v).clamp(0.0, 1.0)
    }))
}

/// That speeds were measured more than once, if any was, and how far apart such pairs are.
pub(super) fn means(pairs: &[(f64, f64)]) -> Option<String> {
    let speeds = averaged(pairs);
    let apart = |speed: f64| {
        let there = pairs.iter().filter(|p| p.0 == speed).map(|p| p.1);
        let (low, high) = there.fold((f64::INFINITY, 0.0_f64), |(l, h), e| (l.min(e), h.max(e)));
        (speed, low, high)
    };
    let widest = speeds.iter().map(|at| apart(at.speed));
    let (speed, low, high) = widest.max_by(|a, b| (a.2 - a.1).total_cmp(&(b.2 - b.1)))?;
    (speeds.len() < pairs.len()).then(|| {
        let which = match speeds.len() {
            1 => "all of one speed".into(),
            n => format!("of {n} speeds"),
        };
        let scatter = match low == high {
            true => "they are the same".into(),
            false => format!("they are up to {} apart ({low} and {high} at {})", pretty(high - low, "", 3), pretty(speed, "m/s", 4)),
        };
        format!("{} measured pairs are {which}: where there are several at one, their mean counts; {scatter}", pairs.len())
    })
}

/// The pairs that lie far off what their neighbours say, by their numbers in the order given, if any does.
pub(super) fn off(pairs: &[(f64, f64)]) -> Option<String> {
    if pairs.len() < LEAST {
        return None;
    }
    let mut order: Vec<(usize, f64, f64)> = (1..)
        .zip(pairs)
        .map(|(number, (v, e))| (number, math::ln(*v), *e))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let expected: Vec<f64> = (0..order.len()).map(|i| by_neighbours(&order, i)).collect();
    let distances = || order.iter().zip(&expected).map(|(p, e)| (p.2 - e).abs());
    let usual = NORMAL * median(distances().collect());
    let bound = OFF.0.max(OFF.1 * usual);
    let last = order.len() - 1;
    let mut found: Vec<(usize, f64)> = Vec::new();
    for (i, (distance, (pair, expected))) in
        distances().zip(order.iter().zip(&expected)).enumerate()
    {
        let at_an_end = i == 0 || i == last;
        if distance > if at_an_end { 2.0 * bound } else { bound } {
            found.push((pair.0, *expected));
        }
    }
    found.sort_by_key(|pair| pair.0);
    let named: Vec<String> = found
        .iter()
        .take(NAMED)
        .filter_map(|(number, expected)| {
            let (v, e) = pairs.get(number - 1)?;
            let place = pretty(*v, "m/s", 4);
            Some(format!(
                "pair {number}, {e} at {place}, where they say {}",
                pretty(*expected, "", 3)
            ))
        })
        .collect();
    let more = match found.len() - named.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!found.is_empty()).then(|| {
        format!(
            "{} of {} measured pairs {} far off the neighbours: {}{more}. Such pairs count like the others: leave out what is a slip",
            found.len(),
            pairs.len(),
            if found.len() == 1 { "is" } else { "are" },
            named.join("; ")
        )
    })
}

/// What the neighbours of a pair say in its place: the median of the lines through any two of them over the logarithm of the speed (after Theil 1950), which a few that are off do not move.
fn by_neighbours(order: &[(usize, f64, f64)], i: usize) -> f64 {
    // At an end there are as many, all on one side.
    let all = 2 * BESIDE + 1;
    let from = i
        .saturating_sub(BESIDE)
        .min(order.len().saturating_sub(all));
    let near: Vec<(usize, &(usize, f64, f64))> = order
        .iter()
        .enumerate()
        .skip(from)
        .take(all)
        .filter(|(k, _)| *k != i)
        .collect();
    let at = order.get(i).map_or(f64::NAN, |p| p.1);
    let mut lines = Vec::new();
    for (k, (_, one)) in near.iter().enumerate() {
        for (_, other) in near.iter().skip(k + 1) {
            let apart = other.1 - one.1;
            lines.push(match apart > 0.0 {
                true => one.2 + (other.2 - one.2) / apart * (at - one.1),
                false => 0.5 * (one.2 + other.2),
            });
        }
    }
    median(lines)
}

/// The middle one, or the mean of both; NaN of none.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match (
        values.get(half),
        half.checked_sub(1).and_then(|i| values.get(i)),
    ) {
        (Some(upper), Some(lower)) if values.len().is_multiple_of(2) => 0.5 * (lower + upper),
        (Some(middle), _) => *middle,
        _ => f64::NAN,
    }
}

/// Six digits.
fn six(x: f64) -> f64 {
    rounded(x).parse().unwrap_or(x)
}

/// Pairs in order of speed. The function must be the one that the model file gets, digit by digit: speeds that are the same to six digits are one.
fn near(pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    // From the slowest of them on, so that no digit that turns over parts them.
    let mut slowest = f64::NAN;
    for pair in &mut sorted {
        if !(pair.0 <= slowest * (1.0 + 1e-5)) {
            slowest = pair.0;
        }
        pair.0 = six(slowest);
    }
    sorted
}

/// What was measured at one speed.
struct At {
    /// m/s
    speed: f64,
    /// The mean of the restitution.
    mean: f64,
    /// Of so many pairs.
    pairs: f64,
}

/// Pairs in order of speed, those at one speed together.
fn averaged(pairs: &[(f64, f64)]) -> Vec<At> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let same = sorted.chunk_by(|a, b| a.0 == b.0);
    let all = same.filter_map(|same| {
        let pairs = same.len() as f64;
        Some(At {
            speed: same.first()?.0,
            mean: same.iter().map(|pair| pair.1).sum::<f64>() / pairs,
            pairs,
        })
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::file::{Source, read};

    #[test]
    fn between_points_it_is_straight_and_beyond_them_it_stays() {
        let curve = Curve::of(&[(2.0, 0.5), (1.0, 0.9), (1.0, 0.7), (4.0, 0.6)]).expect("some");
        assert_eq!(curve.points, [(1.0, 0.8), (2.0, 0.5), (4.0, 0.6)]);
        for (v, e) in [
            (0.1, 0.8),
            (1.0, 0.8),
            (1.5, 0.65),
            (2.0, 0.5),
            (3.0, 0.55),
            (9.0, 0.6),
        ] {
            assert!((curve.at(v) - e).abs() < 1e-15, "{v}: {}", curve.at(v));
        }
        assert!(Curve::of(&[]).is_none());
    }

    #[test]
    fn many_points_become_a_few() {
        let pairs: Vec<(f64, f64)> = (1..=1000)
            .map(|i| (f64::from(i) * 1e-3, 0.9 - 1e-4 * f64::from(i)))
            .collect();
        let curve = Curve::of(&pairs).expect("some");
        assert!(curve.points.len() <= MOST && curve.some().len() == ASKED);
        assert!(curve.gathered(&pairs).is_some_and(|s| s.contains("1000")));
        // On a straight line the means are on it: e = 0.9 − 0.1 v.
        assert!((curve.at(0.5) - 0.85).abs() < 1e-5);
    }

    #[test]
    fn a_pair_far_off_its_neighbours_is_told_by_its_number_and_scatter_is_not() {
        // 0.79 and a scatter of ±0.02 that repeats after seven.
        let scatter = |i: u32| 0.79 + 0.01 * f64::from((i * 3) % 5) - 0.02;
        let sound: Vec<(f64, f64)> = (1..=60).map(|i| (0.1 * f64::from(i), scatter(i))).collect();
        assert_eq!(off(&sound), None);
        for wrong in [0, 1, 8, 30, 58, 59] {
            let mut pairs = sound.clone();
            pairs[wrong].1 = 0.15;
            let said = off(&pairs).expect("told");
            assert!(
                said.starts_with("1 of 60") && said.contains(&format!("pair {},", wrong + 1)),
                "{wrong}: {said}"
            );
            // In a group its mean hides it: how far it is off the curve is told.
            let curve = Curve::of(&pairs).expect("some");
            let said = curve.gathered(&pairs).expect("taken together");
            assert!(said.contains("(0.15 at "), "{said}");
        }
        // A curve is none, however steep and however few pairs have it.
        for n in [6_u32, 9, 25] {
            let part = |i: u32| f64::from(i) / f64::from(n - 1);
            let falling = |i: u32| (10_f64.powf(2.0 * part(i) - 2.0), 0.95 - 0.6 * part(i));
            let viscous = |i: u32| {
                let v = 10_f64.powf(2.0 * part(i) - 2.0);
                (v, 1.0 - 0.3 * v.powf(0.2))
            };
            assert_eq!(off(&(0..n).map(falling).collect::<Vec<_>>()), None);
            assert_eq!(off(&(0..n).map(viscous).collect::<Vec<_>>()), None);
        }
    }

    #[test]
    fn the_formula_is_the_same_function_in_a_model_file() {
        let curve = Curve::of(&[(0.1, 0.85), (0.5, 0.8), (2.0, 0.72)]).expect("some");
        let Restitution::Function(own) = joined(&curve) else {
            panic!("a function");
        };
        let text = format!(
            "format = 1\n[simulation]\nend = 1\n[ground]\nshapes.floor = {{ type = \"half-plane\" }}\n[body.ball]\nmass = 1\ninertia = 1\nposition = [0, 1]\nshapes.rim = {{ type = \"circle\", radius = 0.1 }}\n[contact.floor]\nbetween = [\"ground.floor\", \"ball.rim\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = \"{}\"\n",
            own.text()
        );
        let model = read(&Source::new("m.toml", text), &[])
            .expect("sound")
            .model;
        let terms = model.contacts[0].contact.terms();
        let crate::mechanics::Follows::Law(law) = &terms.follows else {
            panic!("a law");
        };
        let asked = law.asked().expect("a restitution");
        for v in [0.01, 0.1, 0.3, 0.5, 1.0, 2.0, 7.0] {
            let read = asked.at(v, "flores").expect("in range");
            assert!(
                (read - own.at(v)).abs() < 1e-12,
                "{v}: {read} {}",
                own.at(v)
            );
        }
    }
}
