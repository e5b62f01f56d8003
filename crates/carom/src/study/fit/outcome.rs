//! What came of a fit: numbers with their intervals, laws with their rank, and what none of them describes.

use crate::card::Values;
use crate::math;
use crate::model::units::{Dimension, pretty};

use super::Noise;
use super::curve::Candidate;
use super::data::Data;
use super::judge;
use super::kind::Kind;
use super::notes::unlike_noise;

/// Of two curves those whose corrected criteria are within this are not to be told apart (Burnham and Anderson 2002); of more see [`Outcome::margin`].
pub const ALIKE: f64 = 2.0;

/// Of forces: a law that explains less than this of their variation does not describe them.
pub(super) const FAIR: f64 = 0.5;
/// Of speeds, heights and instants: so much of them may be missed, by the root of the mean square, before nothing is said to describe them.
const MISSED: f64 = 0.3;
/// What is left over of nothing is no more than this, in units of the data.
const NOTHING: f64 = 1e-6;

/// So many points, at least, tell whether what is left over is noise.
const TELLING: usize = 12;

/// An interval is told to be wider if it is so many times as wide.
const WIDER: f64 = 1.05;

/// Points off the curve that are so many in a row, on one side, are no slips: there the curve goes elsewhere than the data. Nor are any, if they are more than this share of all.
const IN_A_ROW: usize = 3;
const MANY: f64 = 0.25;

/// A number that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// As it is typed.
    pub name: &'static str,
    /// SI unit.
    pub unit: String,
    /// The number.
    pub value: f64,
    /// Its 95 % interval; `None` if these data do not tell it. Where heights or speeds do not tell how noise grows it holds that of either way.
    pub interval: Option<[f64; 2]>,
    /// Whether it sits at an end of its range.
    pub at_bound: bool,
}

/// A product of powers of numbers, of which it alone is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// The numbers, as they are typed, with the power of each.
    pub powers: Vec<(String, f64)>,
    /// SI unit; empty for a pure number, and where a number was given without a unit.
    pub unit: String,
    /// The product.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

impl Product {
    /// Those that are known; `t` is Student's, `number` tells name, value and unit of a number that was sought.
    pub(super) fn all<'a>(
        powers: &[judge::Powers],
        t: f64,
        number: impl Fn(usize) -> Option<(&'a str, f64, Option<Dimension>)>,
    ) -> Vec<Self> {
        let one = |powers: &judge::Powers| {
            let (mut named, mut logarithm) = (Vec::new(), 0.0);
            let mut unit = Some(Dimension::NONE);
            for (j, power) in &powers.parts {
                let (name, value, of) = number(*j)?;
                named.push((name.to_string(), *power));
                logarithm += power * math::ln(value);
                unit = unit.zip(of).map(|(unit, of)| unit.times(of, *power));
            }
            let far = t * powers.error;
            let tidy = |x: f64| (x * 1e4).round() / 1e4;
            let unit = unit
                .map(|d| Dimension::new(tidy(d.length), tidy(d.mass), tidy(d.time), tidy(d.angle)));
            Some(Self {
                powers: named,
                unit: unit
                    .map(Dimension::unit)
                    .filter(|u| u != "1")
                    .unwrap_or_default(),
                value: math::exp(logarithm),
                interval: [logarithm - far, logarithm + far].map(math::exp),
            })
        };
        powers.iter().filter_map(one).collect()
    }

    /// As it is written: powers of names.
    pub fn formula(&self) -> String {
        judge::product(&self.powers)
    }

    pub(super) fn words(&self) -> String {
        let [value, low, high] =
            [self.value, self.interval[0], self.interval[1]].map(|x| pretty(x, &self.unit, 5));
        format!(
            "only {} is known: {value} (95 %: {low} to {high})",
            self.formula()
        )
    }
}

/// A law that was fitted.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Its name.
    pub id: &'static str,
    /// The law or the curve.
    pub candidate: Candidate,
    /// What it was given, by name: those that were not sought.
    pub given: Values,
    /// What was sought, and found.
    pub parameters: Vec<Estimate>,
    /// Correlations of the parameters, in their order; NaN where one is not known.
    pub correlation: Vec<Vec<f64>>,
    /// What cannot be known from these data, in words.
    pub unknowable: Vec<String>,
    /// What is known of numbers that are not known by themselves.
    pub products: Vec<Product>,
    /// Largest over smallest singular value of the sensitivities, each of length one.
    pub condition: f64,
    /// How many independent combinations of the parameters are known.
    pub rank: usize,
    /// How many numbers it is charged with in the ranking: combinations that could be known with these data, also where the best curve lies at an end (no damping, say) at which one of them fades.
    pub charged: usize,
    /// Points less what is known.
    pub freedom: usize,
    /// The standard deviation of the noise: in the unit of the data, or as a share of the value where noise is relative.
    pub noise: f64,
    /// The same of the indentation, in m or as a share, where points are put to the loop of an impact: both columns are noisy then.
    pub depth_noise: Option<f64>,
    /// Corrected criterion of Akaike; only differences mean something. Infinite where there are too few points for as many numbers: it has no rank then.
    pub aicc: f64,
    /// How far it is from the best; NaN without a rank.
    pub delta: f64,
    /// The weight of evidence among all that have a rank; NaN without.
    pub weight: f64,
    /// The curve at the points of the data; of a loop its force where it is nearest to them.
    pub fitted: Vec<f64>,
    /// How much of the data it explains, 1 at best: one less the squares of what is left over, over those of forces about their mean, or of all that was measured of heights, speeds and flights. Outliers
    /// that stand alone do not count.
    pub explained: f64,
    /// Measured less fitted, in units of the noise.
    pub residuals: Vec<f64>,
    /// Points that are more than four times the noise off.
    pub outliers: Vec<usize>,
    /// A curve to draw.
    pub smooth: Vec<(f64, f64)>,
    /// Restitution over approach speed (m/s), where it is what was measured.
    pub restitution: Vec<(f64, f64)>,
    /// From how many starts the same answer was found, and from how many it was sought.
    pub agreeing: [usize; 2],
    /// Whether the search came to rest.
    pub settled: bool,
    /// Laws with the very same curve: only their numbers differ.
    pub same_curve: Vec<&'static str>,
    /// Fitted less measured, in units of what is measured, at the points that are compared.
    pub(super) left: Vec<f64>,
    /// The logarithm of the determinant of JᵀJ, of directions that are known.
    pub(super) information: f64,
}

/// A curve without a rank is told to be closer if what it leaves over is less than this part.
const CLOSER: f64 = 0.5;

/// The least interval that holds both.
fn hull(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0].min(other[0]), one[1].max(other[1])]
}

impl Fit {
    /// Whether there are points enough to weigh it against others.
    pub fn is_ranked(&self) -> bool {
        self.aicc.is_finite()
    }

    /// Makes intervals wide enough for what the same law says with noise that grows otherwise. Whether one of them is clearly wider now.
    pub(super) fn widen(&mut self, other: &Fit) -> bool {
        let mut wider = false;
        let mut both = |own: &mut [f64; 2], other: [f64; 2]| {
            let before = own[1] - own[0];
            *own = hull(*own, other);
            wider |= own[1] - own[0] > WIDER * before;
        };
        for own in &mut self.parameters {
            let named = other.parameters.iter().find(|p| p.name == own.name);
            if let (Some(own), Some(other)) = (&mut own.interval, named.and_then(|p| p.interval)) {
                both(own, other);
            }
        }
        for (own, words) in self.products.iter_mut().zip(&mut self.unknowable) {
            // What is known of products stands first.
            if let Some(other) = other.products.iter().find(|p| p.powers == own.powers) {
                both(&mut own.interval, other.interval);
                *words = own.words();
            }
        }
        wider
    }

    /// Tells instants on the clock of the data, from those since `clock`, s.
    pub(super) fn put_back(&mut self, kind: Kind, clock: f64) {
        let instants = self.parameters.iter_mut().filter(|p| match kind {
            Kind::TimeForce => p.name == "start",
            Kind::Times => p.name == "first_time",
            _ => false,
        });
        for p in instants {
            p.value += clock;
            let ends = p.interval.iter_mut().flatten();
            ends.for_each(|end| *end += clock);
        }
        match kind {
            Kind::TimeForce => self.smooth.iter_mut().for_each(|p| p.0 += clock),
            Kind::Times => {
                self.fitted.iter_mut().for_each(|y| *y += clock);
                self.smooth.iter_mut().for_each(|p| p.1 += clock);
            }
            _ => {}
        }
    }
}

/// A law that could not be fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Without {
    /// Its name.
    pub id: &'static str,
    /// Why, in whole sentences.
    pub why: Vec<String>,
    /// Whether what it was given is wrong, so that no data could be fitted.
    pub wrong_input: bool,
}

impl Without {
    /// The law and why, with its name once.
    pub fn words(&self) -> String {
        let name = format!("{}: ", self.id);
        let why = self.why.iter();
        let why: Vec<&str> = why.map(|w| w.strip_prefix(&name).unwrap_or(w)).collect();
        format!("{name}{}", why.join("; "))
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The fits, best first.
    pub fits: Vec<Fit>,
    /// Laws without one.
    pub without: Vec<Without>,
    /// How noise was taken to grow: as it was asked for, or as the data tell.
    pub noise: Noise,
    /// What should be known of the data.
    pub notes: Vec<String>,
    /// Whether it was ended before all laws were fitted.
    pub stopped: bool,
}

impl Outcome {
    /// How many different curves were put to the data: laws with the very same one count once.
    pub fn curves(&self) -> usize {
        let mut counted: Vec<&Fit> = Vec::new();
        for fit in &self.fits {
            if !counted.iter().any(|c| c.same_curve.contains(&fit.id)) {
                counted.push(fit);
            }
        }
        counted.len()
    }

    /// How far behind the best, in the corrected criterion, a curve must be to be told from it. The chance that one wrong curve beats the right one by a factor of likelihood is at most the inverse of that factor (Royall 2000), and of
    /// several that one of them does is at most the sum: each of as many rivals needs a factor that is as many times larger, which is twice its logarithm here. For two curves it is [`ALIKE`].
    pub fn margin(&self) -> f64 {
        let rivals = self.curves().saturating_sub(1).max(1);
        ALIKE + 2.0 * math::ln(rivals as f64)
    }

    /// Whether a law is not to be told apart from the best.
    pub fn is_alike(&self, fit: &Fit) -> bool {
        fit.delta <= self.margin()
    }

    /// The law or curve that is ranked first, if there are points enough to rank any.
    pub fn best(&self, data: &Data) -> Option<&Fit> {
        let first = self.fits.first();
        first.filter(|_| self.too_few(data).is_none())
    }

    /// Why these points are too few to choose among what was fitted, if so, in one sentence.
    pub fn too_few(&self, data: &Data) -> Option<String> {
        if self.fits.len() < 2 {
            return None;
        }
        let leader = self.fits.first().filter(|fit| fit.is_ranked());
        let closer: Vec<&str> = self
            .fits
            .iter()
            .filter(|fit| !fit.is_ranked())
            .filter(|fit| leader.is_none_or(|leader| fit.noise < CLOSER * leader.noise))
            .map(|fit| fit.id)
            .collect();
        let points = data.y.len();
        Some(match (closer.as_slice(), leader) {
            ([], _) => return None,
            (_, None) => format!(
                "{points} points are too few to rank what was fitted: each has about as many numbers as there are points."
            ),
            (closer, Some(leader)) => format!(
                "{points} points are too few to choose: {} {} far closer to them than {}, but {} about as many numbers as there are points, so that no criterion can weigh {}.",
                closer.join(", "),
                if closer.len() == 1 { "comes" } else { "come" },
                leader.id,
                if closer.len() == 1 { "has" } else { "have" },
                if closer.len() == 1 { "it" } else { "them" },
            ),
        })
    }

    /// Those that are not to be told apart from the best, the best first.
    pub fn alike(&self) -> Vec<&'static str> {
        let margin = self.margin();
        let near = self.fits.iter().filter(|f| f.delta <= margin);
        near.map(|f| f.id).collect()
    }

    /// The law that is ranked first, with its table for a model file; `None` if there is none, or none describes the data.
    pub fn model_file(&self, data: &Data) -> Option<(&Fit, String)> {
        if self.misfit(data).is_some() || self.too_few(data).is_some() {
            return None;
        }
        let mut tables = self.fits.iter().map(|fit| (fit, fit.model_file()));
        tables.find_map(|(fit, table)| Some((fit, table?)))
    }

    /// How close the one that is ranked first comes to the data, in one sentence; `None` if it does not describe them, or nothing is ranked.
    pub fn closeness(&self, data: &Data) -> Option<String> {
        let best = self.best(data).filter(|_| self.misfit(data).is_none())?;
        let how = match unlike_noise(&best.residuals) {
            _ if best.residuals.len() < TELLING => "follows the data",
            None => "follows the data to their noise",
            Some(_) => {
                "follows the data, but not to their noise, so that its intervals are too narrow"
            }
        };
        let (what, _) = data.kind.ordinate();
        let share = match data.kind.is_restitution() {
            true => format!(
                "misses {:.2} % of what was measured",
                100.0 * math::sqrt((1.0 - best.explained).max(0.0))
            ),
            false => {
                let percent = (1e4 * best.explained.clamp(0.0, 1.0)).floor() / 100.0;
                format!("explains {percent} % of the variation of the {what}")
            }
        };
        Some(format!("{} {how}: it {share}.", best.id))
    }

    /// Why none of the laws describes the data, if that is so, in one sentence.
    pub fn misfit(&self, data: &Data) -> Option<String> {
        // Of those that are as close the one that is ranked first.
        let thousandths = |fit: &&Fit| (1000.0 * fit.explained).round();
        let ranked = self.fits.iter().rev();
        let best = ranked.max_by(|a, b| thousandths(a).total_cmp(&thousandths(b)))?;
        let (what, _) = data.kind.ordinate();
        let share = 100.0 * best.explained.clamp(0.0, 1.0);
        let describes = match data.kind.is_restitution() {
            true => best.explained >= 1.0 - MISSED * MISSED,
            false => best.explained >= FAIR,
        };
        let all = match self.fits.len() {
            1 => format!("{} does not describe the data", best.id),
            _ => "none of these laws describes the data".into(),
        };
        if describes {
            return None;
        }
        Some(match data.kind.is_restitution() {
            true => {
                let missed = 100.0 * math::sqrt(1.0 - best.explained);
                format!(
                    "The closest, {}, misses what was measured by {missed:.0} %: {all}.",
                    best.id
                )
            }
            false => format!(
                "The closest, {}, explains {share:.0} % of the variation of the {what}: {all}.",
                best.id
            ),
        })
    }
}

/// How much of the data a curve explains: see [`Fit::explained`].
pub(super) fn explained(
    data: &Data,
    weights: &[f64],
    left_over: &[f64],
    outliers: &[usize],
) -> f64 {
    let count = data.y.len();
    let slips = slips(left_over, outliers);
    let kept = |i: &usize| !slips.get(*i).is_some_and(|slip| *slip);
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(f64::NAN);
    let mean = (0..count).filter(kept).map(|i| at(&data.y, i)).sum::<f64>()
        / (0..count).filter(kept).count().max(1) as f64;
    let last = count.saturating_sub(1).max(1) as f64;
    let (mut left, mut all) = (0.0, 0.0);
    for i in (0..count).filter(kept) {
        let (y, w) = (at(&data.y, i), at(weights, i));
        // Of instants: the mean flight.
        let size = match data.kind {
            Kind::TimeForce | Kind::ForceIndentation => y - mean,
            Kind::Times => (at(&data.y, count - 1) - at(&data.y, 0)) / last,
            Kind::Heights | Kind::Speeds => y,
        };
        let off = at(left_over, i);
        left += off * off;
        all += (size / w) * (size / w);
    }
    match (left, all) {
        // Where nothing comes back a curve that says so is right.
        (left, all) if left <= NOTHING * NOTHING * count as f64 && all == 0.0 => 1.0,
        (left, all) if all > 0.0 => 1.0 - left / all,
        _ => 0.0,
    }
}

/// Which points went wrong by themselves, of those that are far off.
fn slips(left_over: &[f64], outliers: &[usize]) -> Vec<bool> {
    let mut off = vec![false; left_over.len()];
    for i in outliers {
        if let Some(off) = off.get_mut(*i) {
            *off = true;
        }
    }
    if outliers.len() as f64 > MANY * left_over.len() as f64 {
        return vec![false; left_over.len()];
    }
    let mut begin = 0;
    while begin < off.len() {
        let side = |i: usize| {
            off.get(i)
                .copied()
                .unwrap_or(false)
                .then(|| left_over[i] > 0.0)
        };
        let first = side(begin);
        let mut end = begin + 1;
        while end < off.len() && side(end) == first {
            end += 1;
        }
        if end - begin >= IN_A_ROW {
            off.iter_mut()
                .take(end)
                .skip(begin)
                .for_each(|off| *off = false);
        }
        begin = end;
    }
    off
}

/// Numbers of points as ranges: `3, 17–21`. Points count from 1.
pub(super) fn ranges(points: &[usize]) -> String {
    let mut all: Vec<[usize; 2]> = Vec::new();
    for point in points.iter().map(|i| i + 1) {
        match all.last_mut() {
            Some([_, last]) if *last + 1 == point => *last = point,
            _ => all.push([point, point]),
        }
    }
    let one = |[first, last]: &[usize; 2]| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    };
    let words: Vec<String> = all.iter().map(one).collect();
    words.join(", ")
}
