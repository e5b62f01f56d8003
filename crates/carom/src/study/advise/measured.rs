//! What do measured pairs of speed and restitution say at any speed?

use crate::card::{rounded, short};
use crate::contact::{Restitution, SpeedFunction};
use crate::model::units::pretty;

/// Points that a law is told, at most: more of them are noise, and nobody reads a longer formula.
const MOST: usize = 12;
/// Impacts that a law is put to, at most.
const ASKED: usize = 7;

/// Restitution over speed, joined by straight lines; beyond its ends it stays as it is there.
pub(super) struct Curve {
    /// Speed (m/s, rising) and restitution.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Through the means of pairs at one speed; of neighbours, where there are too many. Nothing, if nothing was measured.
    pub fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let single = averaged(pairs);
        if single.is_empty() {
            return None;
        }
        let size = single.len().div_ceil(MOST);
        // The function must be the one that the model file gets, digit by digit.
        let points = single.chunks(size).map(|group| {
            let count = group.len() as f64;
            let mean = |part: fn(&(f64, f64)) -> f64| group.iter().map(part).sum::<f64>() / count;
            (six(mean(|p| p.0)), six(mean(|p| p.1)))
        });
        let mut points: Vec<(f64, f64)> = points.collect();
        points.dedup_by(|a, b| a.0 == b.0);
        Some(Self { points })
    }

    /// What was done to so many pairs, if anything.
    pub fn gathered(&self, pairs: &[(f64, f64)]) -> Option<String> {
        (averaged(pairs).len() > self.points.len()).then(|| {
            format!(
                "{} measured pairs are taken together in {} groups of neighbouring speeds, joined by straight lines",
                pairs.len(),
                self.points.len()
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
fn formula(points: &[(f64, f64)]) -> String {
    let mut text = points.first().map_or("0".into(), |p| short(p.1));
    for pair in points.windows(2) {
        let ((v1, e1), (v2, e2)) = (pair[0], pair[1]);
        let (low, high) = (short(v1), short(v2));
        let sign = if e2 < e1 { '-' } else { '+' };
        let rise = rounded((e2 - e1).abs());
        text.push_str(&format!(
            " {sign} {rise}*(min(max(v, {low} m/s), {high} m/s) - {low} m/s)/({high} m/s - {low} m/s)"
        ));
    }
    format!("min(1, max(0, {text}))")
}

/// The same of any points.
pub(super) fn formula_of(points: &[(f64, f64)]) -> String {
    Curve::of(points).map_or("1".into(), |curve| formula(&curve.points))
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
    let widest = speeds.iter().map(|p| apart(p.0));
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

/// Six digits.
fn six(x: f64) -> f64 {
    rounded(x).parse().unwrap_or(x)
}

/// Pairs in order of speed, with the mean of those at one speed.
fn averaged(pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut points: Vec<(f64, f64, f64)> = Vec::new();
    for (v, e) in sorted {
        match points.last_mut() {
            Some(last) if last.0 == v => {
                last.1 += e;
                last.2 += 1.0;
            }
            _ => points.push((v, e, 1.0)),
        }
    }
    points.into_iter().map(|(v, e, n)| (v, e / n)).collect()
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
