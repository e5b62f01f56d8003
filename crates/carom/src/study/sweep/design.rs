//! Which values do the parameters have at a point of a sweep?
//!
//! A point is a number, counted from 0, and its values follow from that number and the seed alone: no point needs the one before it, so that any part of a sweep can be computed anywhere, in any order.

use crate::math;

use super::normal;

/// What a varied parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Levels {
    /// From one number to another, SI; with equal ratios in place of equal differences if `logarithmic`.
    Span {
        /// The first.
        from: f64,
        /// The last.
        to: f64,
        /// Whether equal ratios are meant.
        logarithmic: bool,
        /// How many there are in a grid.
        count: u64,
    },
    /// These numbers, SI.
    Numbers(Vec<f64>),
    /// These words.
    Words(Vec<String>),
    /// A normal distribution, SI.
    Normal {
        /// Its middle.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
    },
}

impl Levels {
    /// How many there are in a grid or a list; 0 of a distribution.
    pub fn count(&self) -> u64 {
        match self {
            Levels::Span { count, .. } => *count,
            Levels::Numbers(all) => all.len() as u64,
            Levels::Words(all) => all.len() as u64,
            Levels::Normal { .. } => 0,
        }
    }

    /// The words, if it takes words: a value is then the place of one.
    pub fn words(&self) -> Option<&[String]> {
        match self {
            Levels::Words(words) => Some(words),
            _ => None,
        }
    }

    /// The i-th of a grid or a list.
    pub fn at(&self, i: u64) -> f64 {
        match self {
            Levels::Span {
                from,
                to,
                logarithmic,
                count,
            } => {
                let last = count.saturating_sub(1);
                if i == 0 {
                    *from
                } else if i >= last {
                    *to
                } else {
                    between(*from, *to, *logarithmic, i as f64 / last as f64)
                }
            }
            Levels::Numbers(all) => place(i)
                .and_then(|i| all.get(i))
                .copied()
                .unwrap_or(f64::NAN),
            Levels::Words(_) => i as f64,
            Levels::Normal { mean, .. } => *mean,
        }
    }

    /// The value to which this part of all lies below, for a part between 0 and 1.
    fn quantile(&self, part: f64) -> f64 {
        match self {
            Levels::Span {
                from,
                to,
                logarithmic,
                ..
            } => between(*from, *to, *logarithmic, part),
            Levels::Normal { mean, deviation } => mean + deviation * normal::quantile(part),
            Levels::Numbers(_) | Levels::Words(_) => {
                let count = self.count();
                let i = (part * count as f64) as u64;
                self.at(i.min(count.saturating_sub(1)))
            }
        }
    }
}

fn place(i: u64) -> Option<usize> {
    usize::try_from(i).ok()
}

fn between(from: f64, to: f64, logarithmic: bool, part: f64) -> f64 {
    if logarithmic {
        from * math::exp(part * math::ln(to / from))
    } else {
        from + part * (to - from)
    }
}

/// How points are spread over what the parameters may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every level of one with every level of the others; the last parameter changes fastest.
    Grid,
    /// The first levels of all together, then the second ones, …
    List,
    /// Independent random numbers.
    Random,
    /// Halton's sequence (1960), shifted by the seed.
    Halton,
    /// Sobol's sequence (1967) with the direction numbers of Joe and Kuo (2008), shifted by the seed.
    Sobol,
}

impl Kind {
    /// As they are typed.
    pub const WORDS: [&'static str; 5] = ["grid", "list", "random", "halton", "sobol"];

    /// Of such a word.
    pub fn of(word: &str) -> Option<Kind> {
        let all = [
            Kind::Grid,
            Kind::List,
            Kind::Random,
            Kind::Halton,
            Kind::Sobol,
        ];
        let place = Self::WORDS.iter().position(|known| *known == word)?;
        all.get(place).copied()
    }

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Grid => "grid",
            Kind::List => "list",
            Kind::Random => "random",
            Kind::Halton => "halton",
            Kind::Sobol => "sobol",
        }
    }

    /// Whether points are drawn: then their number is free, and distributions make sense.
    pub fn draws(self) -> bool {
        matches!(self, Kind::Random | Kind::Halton | Kind::Sobol)
    }

    /// How many parameters it can vary at most.
    pub fn most(self) -> usize {
        match self {
            Kind::Halton => PRIMES.len(),
            Kind::Sobol => SOBOL.len() + 1,
            _ => usize::MAX,
        }
    }
}

/// All points of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    kind: Kind,
    seed: u64,
    points: u64,
    levels: Vec<Levels>,
    /// Of Sobol's sequence: the direction numbers of every parameter.
    directions: Vec<[u64; BITS]>,
}

impl Design {
    /// `count` is how many points are drawn; a grid and a list know that themselves. `None` if there are more points than can be counted, or more parameters than the sequence has.
    pub fn new(kind: Kind, seed: u64, count: u64, levels: Vec<Levels>) -> Option<Self> {
        if levels.len() > kind.most() {
            return None;
        }
        let points = match kind {
            Kind::Grid => levels
                .iter()
                .map(Levels::count)
                .try_fold(1_u64, u64::checked_mul)?,
            Kind::List => levels.iter().map(Levels::count).min().unwrap_or(0),
            _ => count,
        };
        // A point is kept as a signed number in tables.
        if points > i64::MAX as u64 {
            return None;
        }
        let directions = match kind {
            Kind::Sobol => (0..levels.len()).map(directions).collect(),
            _ => Vec::new(),
        };
        Some(Self {
            kind,
            seed,
            points,
            levels,
            directions,
        })
    }

    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// How they are spread.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What every parameter may be.
    pub fn levels(&self) -> &[Levels] {
        &self.levels
    }

    /// The values at a point, one a parameter; of words the place of the word. Allocates nothing.
    pub fn at(&self, point: u64, values: &mut [f64]) {
        match self.kind {
            Kind::Grid => {
                let mut rest = point;
                for (value, levels) in values.iter_mut().zip(&self.levels).rev() {
                    let count = levels.count().max(1);
                    *value = levels.at(rest % count);
                    rest /= count;
                }
            }
            Kind::List => {
                for (value, levels) in values.iter_mut().zip(&self.levels) {
                    *value = levels.at(point);
                }
            }
            Kind::Random => self.drawn(values, |i| open(mixed(self.seed, i, point))),
            Kind::Halton => self.drawn(values, |i| {
                let base = PRIMES.get(i).copied().unwrap_or(2);
                let shift = open(mixed(self.seed, i, u64::MAX));
                let sum = inverse(base, point + 1) + shift;
                inside(if sum >= 1.0 { sum - 1.0 } else { sum })
            }),
            Kind::Sobol => self.drawn(values, |i| {
                // Exclusive or keeps every stratum of the sequence.
                let shift = mixed(self.seed, i, u64::MAX);
                let directions = self.directions.get(i);
                open(directions.map_or(0, |d| sobol(d, point)) ^ shift)
            }),
        }
    }

    fn drawn(&self, values: &mut [f64], part: impl Fn(usize) -> f64) {
        for (i, (value, levels)) in values.iter_mut().zip(&self.levels).enumerate() {
            *value = levels.quantile(part(i));
        }
    }
}

/// A number that follows from three others and looks like chance: the finaliser of SplitMix64 (Steele, Lea and Flood 2014), once for each of them.
fn mixed(seed: u64, parameter: usize, point: u64) -> u64 {
    let finish = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let start = finish(seed.wrapping_add(GOLDEN));
    let stream = finish(start.wrapping_add(GOLDEN.wrapping_mul(1 + parameter as u64)));
    finish(stream.wrapping_add(GOLDEN.wrapping_mul(point.wrapping_add(1))))
}

/// Between 0 and 1, neither of them: the middle of one of 2^53 equal parts, but for the last bit.
fn open(bits: u64) -> f64 {
    const PARTS: f64 = (1_u64 << 52) as f64;
    ((bits >> 12) as f64 + 0.5) / PARTS
}

fn inside(x: f64) -> f64 {
    x.clamp(f64::EPSILON * 0.5, 1.0 - f64::EPSILON * 0.5)
}

/// The bases of Halton's sequence.
const PRIMES: [u64; 32] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131,
];

/// The digits of a number behind the point, in reverse.
fn inverse(base: u64, mut number: u64) -> f64 {
    let (mut value, mut part) = (0.0, 1.0);
    let step = 1.0 / base as f64;
    while number > 0 {
        part *= step;
        value += (number % base) as f64 * part;
        number /= base;
    }
    value
}

/// Bits of a direction number: more points than anybody computes.
const BITS: usize = 48;

/// Degree and inner coefficients of a primitive polynomial, and the first numbers m, of the second parameter and those after it (Joe and Kuo 2008).
const SOBOL: [(u32, u64, &[u64]); 9] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
];

/// v_k = m_k/2^k in units of 2^-64, by the recurrence of Bratley and Fox (1988).
fn directions(parameter: usize) -> [u64; BITS] {
    let mut v = [0_u64; BITS];
    let Some((degree, inner, first)) = parameter.checked_sub(1).and_then(|i| SOBOL.get(i)) else {
        // The first parameter: m = 1 throughout, van der Corput's sequence.
        for (k, v) in v.iter_mut().enumerate() {
            *v = 1 << (63 - k);
        }
        return v;
    };
    let degree = *degree as usize;
    for k in 0..BITS {
        let next = if k < degree {
            first.get(k).copied().unwrap_or(1) << (63 - k)
        } else {
            let before = v.get(k - degree).copied().unwrap_or(0);
            let mut next = before ^ (before >> degree);
            for j in 1..degree {
                if inner >> (degree - 1 - j) & 1 == 1 {
                    next ^= v.get(k - j).copied().unwrap_or(0);
                }
            }
            next
        };
        if let Some(v) = v.get_mut(k) {
            *v = next;
        }
    }
    v
}

/// The point of this number, in Gray's order (Antonov and Saleev 1979), in units of 2^-64.
fn sobol(directions: &[u64; BITS], point: u64) -> u64 {
    let gray = point ^ (point >> 1);
    let set = directions
        .iter()
        .enumerate()
        .filter(|(k, _)| gray >> k & 1 == 1);
    set.fold(0, |sum, (_, v)| sum ^ v)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(count: u64) -> Levels {
        Levels::Span {
            from: 0.0,
            to: 1.0,
            logarithmic: false,
            count,
        }
    }

    fn all(design: &Design) -> Vec<Vec<f64>> {
        (0..design.points())
            .map(|point| {
                let mut values = vec![0.0; design.levels().len()];
                design.at(point, &mut values);
                values
            })
            .collect()
    }

    #[test]
    fn a_grid_has_every_pair_once_and_its_ends_to_the_last_bit() {
        let log = Levels::Span {
            from: 1e5,
            to: 1e10,
            logarithmic: true,
            count: 6,
        };
        let design =
            Design::new(Kind::Grid, 0, 0, vec![log, Levels::Numbers(vec![0.3, 0.7])]).expect("few");
        let points = all(&design);
        assert_eq!(points.len(), 12);
        assert_eq!(points[0], [1e5, 0.3]);
        assert_eq!(points[1], [1e5, 0.7]);
        assert_eq!(points[11], [1e10, 0.7]);
        for i in 0..6 {
            let known = 10_f64.powi(5 + i);
            assert!((points[2 * i as usize][0] / known - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_grid_beyond_all_counting_is_refused() {
        let many = Levels::Span {
            from: 0.0,
            to: 1.0,
            logarithmic: false,
            count: 1 << 40,
        };
        assert_eq!(
            Design::new(Kind::Grid, 0, 0, vec![many.clone(), many]),
            None
        );
    }

    #[test]
    fn random_numbers_are_even_independent_and_those_of_the_seed() {
        let levels = vec![span(0), span(0)];
        let drawn =
            |seed| all(&Design::new(Kind::Random, seed, 20_000, levels.clone()).expect("few"));
        let points = drawn(1);
        assert_eq!(points, drawn(1));
        assert_ne!(points[0], drawn(2)[0]);
        let n = points.len() as f64;
        let mean = |f: &dyn Fn(&Vec<f64>) -> f64| points.iter().map(f).sum::<f64>() / n;
        // Of so many even numbers the mean strays by 0.002, and so does the mean of products of what is centred by 0.0006 (one standard deviation each).
        for i in 0..2 {
            assert!((mean(&|p| p[i]) - 0.5).abs() < 0.008);
            assert!((mean(&|p| (p[i] - 0.5) * (p[i] - 0.5)) - 1.0 / 12.0).abs() < 0.003);
        }
        assert!(mean(&|p| (p[0] - 0.5) * (p[1] - 0.5)).abs() < 0.0025);
        // One after the other is as good as one beside the other.
        let pairs: f64 = points
            .windows(2)
            .map(|p| (p[0][0] - 0.5) * (p[1][0] - 0.5))
            .sum();
        assert!((pairs / n).abs() < 0.0025);
    }

    #[test]
    fn sobol_has_one_point_in_every_stratum_whatever_the_seed() {
        // Property A of a digital sequence in every parameter: of the first 2^k points one lies in each of 2^k equal parts.
        for seed in [0, 7] {
            let design = Design::new(Kind::Sobol, seed, 1024, vec![span(0); 10]).expect("ten");
            let points = all(&design);
            for i in 0..10 {
                for k in [4, 10] {
                    let mut seen = vec![0; 1 << k];
                    for p in points.iter().take(1 << k) {
                        seen[(p[i] * f64::from(1 << k)) as usize] += 1;
                    }
                    assert!(seen.iter().all(|n| *n == 1), "{i} {k}");
                }
            }
        }
        assert_eq!(Design::new(Kind::Sobol, 0, 8, vec![span(0); 11]), None);
    }

    #[test]
    fn the_first_points_of_sobol_are_the_published_ones() {
        // The well-known beginning of the sequence in three parameters, in Gray's order: Bratley and Fox (1988), table of the first points.
        let known = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
        ];
        for (point, known) in known.iter().enumerate() {
            for (i, known) in known.iter().enumerate() {
                let value = sobol(&directions(i), point as u64) as f64 / 2_f64.powi(64);
                assert_eq!(value, *known, "point {point}, parameter {i}");
            }
        }
    }

    #[test]
    fn low_discrepancy_integrates_better_than_chance() {
        // The mean of a product of six, each with mean 1: the error of chance at 4096 points is about 0.02.
        let mean = |kind| {
            let design = Design::new(kind, 3, 4096, vec![span(0); 6]).expect("six");
            let f = |p: &Vec<f64>| p.iter().map(|x| 0.5 + x).product::<f64>();
            all(&design).iter().map(f).sum::<f64>() / 4096.0
        };
        for kind in [Kind::Halton, Kind::Sobol] {
            assert!((mean(kind) - 1.0).abs() < 0.002, "{kind:?}: {}", mean(kind));
        }
    }

    #[test]
    fn the_radical_inverse_mirrors_the_digits() {
        assert_eq!(inverse(2, 6), 0.375);
        assert!((inverse(3, 5) - 7.0 / 9.0).abs() < 1e-15);
    }
}
