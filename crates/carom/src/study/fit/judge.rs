//! How surely are fitted numbers known, and which of them cannot be known at all?
//!
//! Standard errors from JᵀJ in the scaled parameters, times Student's t. Directions in which nothing changes are found as eigenvalues of JᵀJ, with columns of length one, that are zero to rounding; what they mean is said in words.

use crate::math;

/// An eigenvalue below this is a direction in which the curve does not change: differences of simulated curves are good to some 1e-6, and this is a square.
const SINGULAR: f64 = 1e-9;
/// Who knows a number to a larger factor knows nothing.
const FACTOR: f64 = 1e4;
/// Standard errors of a logarithm above this: the number is hardly known to a factor of seven.
const VAGUE: f64 = 1.0;

/// A number that is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought<'a> {
    pub name: &'a str,
    /// Whether its logarithm was sought.
    pub log: bool,
}

/// What is known of the parameters.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    /// Standard errors of the scaled parameters; `None` where a number cannot be known.
    pub errors: Vec<Option<f64>>,
    /// Whether a number that is known is hardly known.
    pub vague: Vec<bool>,
    /// Correlations; NaN where there are none.
    pub correlation: Vec<Vec<f64>>,
    /// How many directions are known.
    pub rank: usize,
    /// Largest over smallest singular value of the columns, each of length one.
    pub condition: f64,
    /// The logarithm of the determinant of JᵀJ, of the directions that are known.
    pub information: f64,
    /// What cannot be known, in words.
    pub words: Vec<String>,
    /// What is known of numbers that are not known by themselves.
    pub powers: Vec<Powers>,
}

/// A product of powers of numbers.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    /// Which numbers, and to which power each.
    pub parts: Vec<(usize, f64)>,
    /// The standard error of its logarithm.
    pub error: f64,
}

/// How many directions are known.
pub(super) fn rank(columns: &[Vec<f64>]) -> usize {
    judge(columns, 1.0, &[]).rank
}

/// Eigenvalues and eigenvectors (rows) of a small symmetric matrix, by Jacobi's rotations.
fn eigen(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut v: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for _ in 0..60 {
        let mut off = 0.0;
        for p in 0..n {
            for q in p + 1..n {
                off += a[p][q] * a[p][q];
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + math::sqrt(theta * theta + 1.0));
                let c = 1.0 / math::sqrt(t * t + 1.0);
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k][p], a[k][q]);
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (a[p][k], a[q][k]);
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
                for k in 0..n {
                    let (x, y) = (v[p][k], v[q][k]);
                    v[p][k] = c * x - s * y;
                    v[q][k] = s * x + c * y;
                }
            }
        }
        if off < 1e-40 {
            break;
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

/// Judges the columns of the Jacobian at the answer; `variance` is that of a residual.
pub(super) fn judge(columns: &[Vec<f64>], variance: f64, unknowns: &[Sought<'_>]) -> Judged {
    let p = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths: Vec<f64> = columns.iter().map(|c| math::sqrt(dot(c, c))).collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let dead = |j: usize| !(lengths[j] > 1e-9 * longest);
    let scaled: Vec<Vec<f64>> = (0..p)
        .map(|i| {
            (0..p)
                .map(|j| match (i == j, dead(i) || dead(j)) {
                    (true, false) => 1.0,
                    (_, true) => 0.0,
                    _ => dot(&columns[i], &columns[j]) / (lengths[i] * lengths[j]),
                })
                .collect()
        })
        .collect();
    let (values, vectors) = eigen(scaled);
    let mut covariance = vec![vec![0.0; p]; p];
    let mut lost: Vec<Vec<f64>> = Vec::new();
    let live = (0..p).filter(|j| !dead(*j));
    let mut information: f64 = live.map(|j| 2.0 * math::ln(lengths[j])).sum();
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for (value, vector) in values.iter().zip(&vectors) {
        least = least.min(value.max(0.0));
        most = most.max(*value);
        let real: Vec<f64> = (0..p)
            .map(|j| vector[j] / if dead(j) { 1.0 } else { lengths[j] })
            .collect();
        if *value < SINGULAR {
            let largest = real.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            lost.push(real.iter().map(|x| x / largest).collect());
            continue;
        }
        information += math::ln(*value);
        for i in 0..p {
            for j in 0..p {
                covariance[i][j] += variance * real[i] * real[j] / value;
            }
        }
    }
    let rank = p - lost.len();
    let lost = reduced(lost);
    let touched = |j: usize| lost.iter().any(|d| d[j].abs() > 1e-3);
    let errors: Vec<Option<f64>> = (0..p)
        .map(|j| (!touched(j)).then(|| math::sqrt(covariance[j][j])))
        .collect();
    let correlation = (0..p)
        .map(|i| {
            (0..p)
                .map(|j| {
                    let size = math::sqrt(covariance[i][i] * covariance[j][j]);
                    if size > 0.0 && !touched(i) && !touched(j) {
                        covariance[i][j] / size
                    } else {
                        f64::NAN
                    }
                })
                .collect()
        })
        .collect();
    let (mut words, kept) = lost_words(&lost, unknowns);
    // No lost direction is in it, so that any of the inverses of JᵀJ tells its variance.
    let error = |parts: &[(usize, f64)]| {
        let row = |(i, a): &(usize, f64)| -> f64 {
            parts.iter().map(|(j, b)| a * b * covariance[*i][*j]).sum()
        };
        math::sqrt(parts.iter().map(row).sum::<f64>().max(0.0))
    };
    let powers = kept.into_iter().map(|parts| Powers {
        error: error(&parts),
        parts,
    });
    let powers = powers.collect();
    let mut vague = vec![false; p];
    for ((error, unknown), vague) in errors.iter().zip(unknowns).zip(&mut vague) {
        if let Some(error) = error
            && unknown.log
            && *error > VAGUE
        {
            *vague = true;
            let factor = math::exp(1.96 * error);
            words.push(match factor < FACTOR {
                true => format!(
                    "`{}` is hardly known: within a factor of {factor:.0} either way",
                    unknown.name
                ),
                false => format!("`{}` is hardly known: not even its size", unknown.name),
            });
        }
    }
    Judged {
        errors,
        vague,
        correlation,
        rank,
        condition: math::sqrt(most / least),
        information,
        words,
        powers,
    }
}

/// Directions made as sparse as possible: of each one number moves, by one, that moves in no other.
fn reduced(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut pivots: Vec<usize> = Vec::new();
    for i in 0..rows.len() {
        let free = (0..width).filter(|j| !pivots.contains(j));
        let Some(pivot) = free.max_by(|a, b| rows[i][*a].abs().total_cmp(&rows[i][*b].abs()))
        else {
            break;
        };
        let by = rows[i][pivot];
        if by == 0.0 {
            continue;
        }
        rows[i].iter_mut().for_each(|x| *x /= by);
        let row = rows[i].clone();
        for (k, other) in rows.iter_mut().enumerate() {
            let factor = other[pivot];
            if k != i {
                other
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(x, y)| *x -= factor * y);
            }
        }
        pivots.push(pivot);
    }
    rows
}

/// A power without the errors of differences: the simple fraction that it is all but equal to, else with four decimals.
fn fraction(power: f64) -> f64 {
    let near = (1..=6).map(|q| (power * f64::from(q)).round() / f64::from(q));
    let mut near = near.filter(|x| (x - power).abs() < 1e-3);
    near.next().unwrap_or((power * 1e4).round() / 1e4)
}

/// A power as people write it.
fn power(name: &str, exponent: f64) -> String {
    let whole = |by: f64| (exponent * by - (exponent * by).round()).abs() < 1e-9;
    match exponent {
        1.0 => format!("`{name}`"),
        x if whole(1e4) => format!("`{name}`^{x}"),
        x if whole(3.0) => format!("`{name}`^({}/3)", (3.0 * x).round()),
        x => format!("`{name}`^({}/6)", (6.0 * x).round()),
    }
}

/// A product of powers, in words.
pub(super) fn product(parts: &[(String, f64)]) -> String {
    match parts {
        [(a, 1.0), (b, 1.0)] => format!("the product of `{a}` and `{b}`"),
        [(a, 1.0), (b, -1.0)] => format!("the ratio of `{a}` to `{b}`"),
        several => {
            let powers: Vec<String> = several.iter().map(|(name, x)| power(name, *x)).collect();
            powers.join(" · ")
        }
    }
}

/// What directions in which nothing changes mean, in words, and which products of powers are left that are known. The directions are reduced ones.
fn lost_words(lost: &[Vec<f64>], unknowns: &[Sought<'_>]) -> (Vec<String>, Vec<Vec<(usize, f64)>>) {
    let moves = |d: &f64| d.abs() > 1e-3;
    let (mut words, mut kept) = (Vec::new(), Vec::new());
    // Of each direction the number that moves in no other.
    let mut pivots: Vec<usize> = Vec::new();
    for direction in lost {
        let own = (0..direction.len()).find(|&j| {
            (direction[j] - 1.0).abs() < 1e-9
                && lost.iter().filter(|d| d[j].abs() > 1e-9).count() == 1
        });
        let moved: Vec<usize> = (0..direction.len())
            .filter(|&j| moves(&direction[j]))
            .collect();
        if let [one] = moved.as_slice()
            && let Some(unknown) = unknowns.get(*one)
        {
            words.push(format!("`{}` changes nothing in these data", unknown.name));
        } else if moved
            .iter()
            .any(|&j| unknowns.get(j).is_some_and(|u| !u.log))
        {
            let parts: Vec<String> = moved
                .iter()
                .filter_map(|&j| Some((unknowns.get(j)?, direction[j])))
                .map(|(unknown, d)| match unknown.log {
                    true => format!("`{}` × {:.3}", unknown.name, math::exp(0.1 * d)),
                    false => format!("`{}` {:+.3}", unknown.name, 0.1 * d),
                })
                .collect();
            words.push(format!(
                "only combinations are known: {} together change nothing",
                parts.join(", ")
            ));
        }
        pivots.push(own.unwrap_or(usize::MAX));
    }
    // What stays is a product of powers whose exponents are at right angles to all directions: one for each number that is no direction's own.
    for (free, first) in unknowns.iter().enumerate() {
        let touched = lost.iter().any(|d| moves(&d[free]));
        if pivots.contains(&free) || !touched || !first.log {
            continue;
        }
        let mut parts = vec![(free, 1.0)];
        for (direction, pivot) in lost.iter().zip(&pivots) {
            if unknowns.get(*pivot).is_some() && moves(&direction[free]) {
                parts.push((*pivot, fraction(-direction[free])));
            }
        }
        // In the order in which they were named, behind the one that has the power one.
        if let Some((_, others)) = parts.split_first_mut() {
            others.sort_by_key(|part| part.0);
        }
        let all_log = |(j, _): &(usize, f64)| unknowns.get(*j).is_some_and(|u| u.log);
        if parts.iter().all(all_log) {
            kept.push(parts);
        }
    }
    (words, kept)
}

/// The share of Student's distribution of so many degrees of freedom within ±t (Abramowitz and Stegun 26.7.3 and 26.7.4: finite sums).
fn student_within(t: f64, freedom: usize) -> f64 {
    let theta = math::atan(t / math::sqrt(freedom as f64));
    let (sin, cos) = math::sin_cos(theta);
    let odd = freedom % 2 == 1;
    if freedom == 1 {
        return 2.0 * theta / core::f64::consts::PI;
    }
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = term;
    let mut k = if odd { 2 } else { 1 };
    while k < freedom - 2 {
        term *= cos * cos * k as f64 / (k + 1) as f64;
        sum += term;
        k += 2;
    }
    if odd {
        2.0 / core::f64::consts::PI * (theta + sin * sum)
    } else {
        sin * sum
    }
}

/// The t within ± of which 95 % of Student's distribution lie.
pub(super) fn student95(freedom: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    if freedom > 300 {
        // Abramowitz and Stegun 26.7.5.
        return Z + (Z * Z * Z + Z) / (4.0 * freedom as f64);
    }
    let (mut low, mut high) = (Z, 13.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if student_within(middle, freedom.max(1)) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.10, and z for very many.
        for (freedom, t) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
            (301, 1.968),
            (1_000_000, 1.960),
        ] {
            assert!(
                (student95(freedom) - t).abs() < 6e-4,
                "{freedom}: {}",
                student95(freedom)
            );
        }
    }

    #[test]
    fn a_product_that_alone_is_known_is_named() {
        let unknowns = [
            Sought {
                name: "stiffness",
                log: true,
            },
            Sought {
                name: "length",
                log: true,
            },
            Sought {
                name: "mass",
                log: true,
            },
        ];
        // y depends on ln a + ln b and on ln c.
        let a = vec![1.0, 2.0, 3.0, 4.0];
        let c = vec![1.0, -1.0, 1.0, -1.0];
        let judged = judge(&[a.clone(), a, c], 0.01, &unknowns);
        assert_eq!(judged.rank, 2);
        assert!(judged.words.is_empty(), "{:?}", judged.words);
        assert!(judged.errors[0].is_none() && judged.errors[2].is_some());
        // The column has the product −2 with the other, whose square is 30: 0.01/(4 − 4/30), and of the other 0.01/(30 − 4/4).
        let error = judged.errors[2].expect("known");
        assert!((error * error - 0.01 / (4.0 - 4.0 / 30.0)).abs() < 1e-9);
        let [both] = judged.powers.as_slice() else {
            panic!("{:?}", judged.powers);
        };
        let names = both.parts.iter().map(|(j, x)| (unknowns[*j].name, *x));
        let names: Vec<(String, f64)> = names.map(|(name, x)| (name.into(), x)).collect();
        assert!(product(&names).starts_with("the product of `"), "{names:?}");
        assert!((both.error * both.error - 0.01 / 29.0).abs() < 1e-9);
    }

    #[test]
    fn powers_are_written_as_fractions_where_they_are_some() {
        let written = |x: f64| power("m", fraction(x));
        assert_eq!(written(1.0004), "`m`");
        assert_eq!(written(-0.40002), "`m`^-0.4");
        assert_eq!(written(0.33334), "`m`^(1/3)");
        assert_eq!(written(-0.83331), "`m`^(-5/6)");
        assert_eq!(written(0.41237), "`m`^0.4124");
    }
}
