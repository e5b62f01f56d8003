//! Which numbers within bounds make residuals least, if a few of them may be far off?
//!
//! Levenberg's and Marquardt's method on Huber's function of the residuals (Huber 1964): squares up to [`TURN`] scales, straight lines beyond, so that an outlier pulls no harder than a point at the turn. The scale is
//! found beside the parameters (Huber's proposal 2). Steps are cut off at the bounds; what sits at a bound and would leave is held there.

use crate::math;

/// Where squares turn into straight lines, in scales: 95 % of the efficiency of least squares if there are no outliers (Huber 1964).
pub(super) const TURN: f64 = 1.345;
/// The mean of min(z², TURN²) for a normal z.
const BETA: f64 = 0.710_164_548;
/// Steps of differences, in the scaled parameters: forward ones while searching, central ones for the answer.
const FORWARD: f64 = 1e-4;
const CENTRAL: f64 = 5e-4;
/// A search for the answer is at rest once a step gains less than this share of what is left.
pub(super) const CLOSE: f64 = 1e-10;
/// One that only tells starts apart is once two steps in a row gain less than this: along a valley in which numbers are hardly known it would creep on for most of its time.
pub(super) const ROUGH: f64 = 1e-4;

/// Residuals of scaled parameters; `false` where there are none.
pub(super) trait Residuals {
    /// How many residuals there are.
    fn count(&self) -> usize;
    /// Fills them in.
    fn at(&mut self, u: &[f64], r: &mut [f64]) -> bool;
}

/// The bounds of scaled parameters.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

impl Bounds {
    fn clamp(&self, u: &mut [f64]) {
        for ((u, low), high) in u.iter_mut().zip(&self.low).zip(&self.high) {
            *u = u.max(*low).min(*high);
        }
    }

    fn span(&self, j: usize) -> f64 {
        match (self.low.get(j), self.high.get(j)) {
            (Some(low), Some(high)) => high - low,
            _ => 0.0,
        }
    }
}

/// Where a search ended.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub u: Vec<f64>,
    pub r: Vec<f64>,
    pub cost: f64,
    /// Whether the last steps changed nothing any more.
    pub settled: bool,
}

/// Half a square up to the turn, a straight line beyond; an infinite scale has squares only.
pub(super) fn cost(r: &[f64], scale: f64) -> f64 {
    r.iter()
        .map(|r| {
            let turn = TURN * scale;
            if r.abs() <= turn {
                0.5 * r * r
            } else {
                turn * (r.abs() - 0.5 * turn)
            }
        })
        .sum()
}

/// What a residual weighs beside one that is no outlier.
pub(super) fn weight(r: f64, scale: f64) -> f64 {
    let turn = TURN * scale;
    if r.abs() <= turn { 1.0 } else { turn / r.abs() }
}

/// The derivatives, row by row; `false` if there are none.
fn differences(
    f: &mut dyn Residuals,
    bounds: &Bounds,
    u: &[f64],
    r: &[f64],
    central: bool,
    jacobian: &mut [Vec<f64>],
) -> bool {
    let mut moved = u.to_vec();
    let (mut ahead, mut behind) = (vec![0.0; r.len()], vec![0.0; r.len()]);
    for j in 0..u.len() {
        let step = if central { CENTRAL } else { FORWARD } * bounds.span(j).min(1.0);
        let (Some(high), Some(low)) = (bounds.high.get(j), bounds.low.get(j)) else {
            return false;
        };
        moved[j] = u[j] + step;
        let forth = moved[j] <= *high && f.at(&moved, &mut ahead);
        let mut back = false;
        if central || !forth {
            moved[j] = u[j] - step;
            back = moved[j] >= *low && f.at(&moved, &mut behind);
        }
        moved[j] = u[j];
        for i in 0..r.len() {
            jacobian[j][i] = match (forth, back) {
                (true, true) => (ahead[i] - behind[i]) / (2.0 * step),
                (true, false) => (ahead[i] - r[i]) / step,
                (false, true) => (r[i] - behind[i]) / step,
                (false, false) => return false,
            };
        }
    }
    true
}

/// The derivatives at the answer, one column a parameter.
pub(super) fn jacobian(
    f: &mut dyn Residuals,
    bounds: &Bounds,
    found: &Found,
) -> Option<Vec<Vec<f64>>> {
    let mut columns = vec![vec![0.0; found.r.len()]; found.u.len()];
    differences(f, bounds, &found.u, &found.r, true, &mut columns).then_some(columns)
}

/// Solves a symmetric positive system in place; `false` if it is not one.
fn cholesky(a: &mut [Vec<f64>], b: &mut [f64]) -> bool {
    let n = b.len();
    for j in 0..n {
        for k in 0..j {
            let l = a[j][k];
            for i in j..n {
                a[i][j] -= a[i][k] * l;
            }
        }
        if !(a[j][j] > 0.0) {
            return false;
        }
        let root = math::sqrt(a[j][j]);
        for i in j..n {
            a[i][j] /= root;
        }
    }
    for i in 0..n {
        for k in 0..i {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            b[i] -= a[k][i] * b[k];
        }
        b[i] /= a[i][i];
    }
    b.iter().all(|x| x.is_finite())
}

/// Searches from one start, with a known scale, in so many steps at most, until two of them gain less than a share of what is left; `None` if there are no residuals at the start.
pub(super) fn search(
    f: &mut dyn Residuals,
    bounds: &Bounds,
    start: &[f64],
    scale: f64,
    (most, rest): (usize, f64),
) -> Option<Found> {
    let (n, p) = (f.count(), start.len());
    let mut u = start.to_vec();
    bounds.clamp(&mut u);
    let mut r = vec![0.0; n];
    if !f.at(&u, &mut r) {
        return None;
    }
    let mut least = cost(&r, scale);
    let mut columns = vec![vec![0.0; n]; p];
    let (mut trial, mut there) = (u.clone(), r.clone());
    let mut damping = 1e-3;
    let mut settled = p == 0;
    let mut slow = false;
    for _ in 0..most {
        if settled || !differences(f, bounds, &u, &r, false, &mut columns) {
            break;
        }
        let w: Vec<f64> = r.iter().map(|r| weight(*r, scale)).collect();
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(&w).map(|((a, b), w)| w * a * b).sum()
        };
        let gradient: Vec<f64> = columns.iter().map(|c| dot(c, &r)).collect();
        // Held: at a bound that the way down leads beyond.
        let free: Vec<usize> = (0..p)
            .filter(|&j| {
                let out = u[j] <= bounds.low[j] && gradient[j] > 0.0
                    || u[j] >= bounds.high[j] && gradient[j] < 0.0;
                !out
            })
            .collect();
        let normal: Vec<Vec<f64>> = free
            .iter()
            .map(|&i| {
                free.iter()
                    .map(|&j| dot(&columns[i], &columns[j]))
                    .collect()
            })
            .collect();
        let largest = (0..free.len()).map(|i| normal[i][i]).fold(0.0, f64::max);
        if !(largest > 0.0) {
            settled = true;
            break;
        }
        let mut better = false;
        for _ in 0..24 {
            let mut a = normal.clone();
            for i in 0..free.len() {
                a[i][i] += damping * normal[i][i].max(1e-12 * largest);
            }
            let mut step: Vec<f64> = free.iter().map(|&j| -gradient[j]).collect();
            if !cholesky(&mut a, &mut step) {
                damping = (damping * 10.0).max(1e-9);
                continue;
            }
            trial.copy_from_slice(&u);
            for (&j, s) in free.iter().zip(&step) {
                // A step that is long against the box leads anywhere.
                let most = (0.3 * bounds.span(j)).min(2.0);
                trial[j] += s.clamp(-most, most);
            }
            bounds.clamp(&mut trial);
            let ok = f.at(&trial, &mut there);
            let now = if ok {
                cost(&there, scale)
            } else {
                f64::INFINITY
            };
            if now < least {
                let moved = u
                    .iter()
                    .zip(&trial)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max);
                let gain = least - now;
                settled = gain <= CLOSE * now || moved < 1e-9 || slow && gain <= rest * now;
                slow = gain <= rest * now;
                least = now;
                u.copy_from_slice(&trial);
                r.copy_from_slice(&there);
                damping = (damping * 0.2).max(1e-12);
                better = true;
                break;
            }
            damping *= 5.0;
            if damping > 1e10 {
                break;
            }
        }
        if !better {
            settled = true;
        }
    }
    Some(Found {
        u,
        r,
        cost: least,
        settled,
    })
}

/// The middle of absolute values over that of a normal noise of scale one.
pub(super) fn median_scale(r: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = r.iter().map(|r| r.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    1.482_6 * sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// Searches on with a scale of its own until both agree. `known` is how many numbers the residuals tell: those of which they say nothing take none of their freedom. `least` is a scale below which nothing is noise. What is answered is
/// the end and its scale.
pub(super) fn robust(
    f: &mut dyn Residuals,
    bounds: &Bounds,
    from: Found,
    known: usize,
    least: f64,
    most: usize,
) -> (Found, f64) {
    let left = from.r.len().saturating_sub(known).max(1) as f64;
    let mut found = from;
    let mut scale = median_scale(&found.r).max(least);
    for _ in 0..20 {
        for _ in 0..50 {
            let turn = TURN * scale;
            let sum: f64 = found.r.iter().map(|r| (r * r).min(turn * turn)).sum();
            let next = math::sqrt(sum / (left * BETA)).max(least);
            let same = (next / scale - 1.0).abs() < 1e-9;
            scale = next;
            if same {
                break;
            }
        }
        let Some(next) = search(f, bounds, &found.u, scale, (most, CLOSE)) else {
            break;
        };
        let moved = next.u.iter().zip(&found.u).map(|(a, b)| (a - b).abs());
        let moved = moved.fold(0.0, f64::max);
        found = next;
        if moved < 1e-8 {
            break;
        }
    }
    (found, scale)
}

/// The variance of M-estimates over that of (JᵀJ)⁻¹: Σψ²/(n − p)/(mean ψ′)², with the correction for few points (Huber 1981, section 7.6); p is how many numbers are known.
pub(super) fn variance(r: &[f64], scale: f64, known: usize) -> f64 {
    let n = r.len() as f64;
    let left = (n - known as f64).max(1.0);
    if scale.is_infinite() {
        return r.iter().map(|r| r * r).sum::<f64>() / left;
    }
    let turn = TURN * scale;
    let inside = r.iter().filter(|r| r.abs() <= turn).count() as f64 / n;
    if inside == 0.0 {
        return f64::INFINITY;
    }
    let sum: f64 = r.iter().map(|r| (r * r).min(turn * turn)).sum();
    let few = 1.0 + known as f64 / n * (1.0 - inside) / inside;
    few * few * sum / left / (inside * inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a + b x against points on 1 + 2 x.
    struct Line {
        off: f64,
    }

    impl Residuals for Line {
        fn count(&self) -> usize {
            10
        }
        fn at(&mut self, u: &[f64], r: &mut [f64]) -> bool {
            for (i, r) in r.iter_mut().enumerate() {
                let x = i as f64;
                let wiggle = if i % 2 == 0 { 0.01 } else { -0.01 };
                let y = 1.0 + 2.0 * x + wiggle + if i == 7 { self.off } else { 0.0 };
                *r = u[0] + u[1] * x - y;
            }
            true
        }
    }

    #[test]
    fn an_outlier_moves_a_line_by_less_than_its_noise() {
        let bounds = Bounds {
            low: vec![-10.0, -10.0],
            high: vec![10.0, 10.0],
        };
        let squares = search(
            &mut Line { off: 5.0 },
            &bounds,
            &[0.0, 0.0],
            f64::INFINITY,
            (50, CLOSE),
        );
        let squares = squares.expect("there are residuals");
        // Least squares by hand: the outlier moves the slope by 5·(7 − 4.5)/82.5.
        assert!(
            (squares.u[1] - 2.0 - 5.0 * 2.5 / 82.5).abs() < 2e-3,
            "{:?}",
            squares.u
        );
        let (robust, scale) = robust(&mut Line { off: 5.0 }, &bounds, squares, 2, 1e-12, 50);
        assert!((robust.u[1] - 2.0).abs() < 0.01, "{:?} {scale}", robust.u);
        assert!(scale < 0.05, "{scale}");
    }

    #[test]
    fn what_the_bounds_forbid_stays_at_the_bound_and_the_rest_is_least_there() {
        let bounds = Bounds {
            low: vec![2.0, -10.0],
            high: vec![10.0, 10.0],
        };
        let found = search(
            &mut Line { off: 0.0 },
            &bounds,
            &[5.0, 0.0],
            f64::INFINITY,
            (50, CLOSE),
        );
        let found = found.expect("there are residuals");
        // With a = 2: b = Σx(y − 2)/Σx² = (2·285 − 45 + Σ x·wiggle)/285, Σ x·wiggle = −0.05.
        assert_eq!(found.u[0], 2.0);
        assert!((found.u[1] - (570.0 - 45.0 - 0.05) / 285.0).abs() < 1e-6);
    }
}
