//! How does a vector change with a number, where only its values can be had?
//!
//! Central differences over steps that are halved, extrapolated to zero (Ridders 1982): the answer is the one of the table whose neighbours agree best, and by how much they disagree is its
//! error. A kink exactly there is told from a smooth function: the one-sided slopes then differ however small the step, while those of a curve come together in proportion to it.

/// A derivative with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slope {
    pub slope: Vec<f64>,
    /// How far it may be off, entry by entry at most.
    pub error: f64,
    /// Whether the slopes of both sides differ: half their difference, largest entry.
    pub kink: f64,
}

/// How often the step is halved.
const LEVELS: usize = 10;

/// The derivative of f at zero, from steps of `step` and below; `None` where f cannot be had anywhere near. `at_zero` is f(0).
pub(super) fn slope(
    step: f64,
    at_zero: &[f64],
    mut f: impl FnMut(f64) -> Option<Vec<f64>>,
) -> Option<Slope> {
    let mut best: Option<Slope> = None;
    let mut before: Vec<Vec<f64>> = Vec::new();
    let mut h = step;
    let mut kink = f64::INFINITY;
    let mut bent_before: Option<Vec<f64>> = None;
    let size = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for _ in 0..LEVELS {
        let (Some(ahead), Some(behind)) = (f(h), f(-h)) else {
            // Too far: the joints cannot be closed there.
            before.clear();
            bent_before = None;
            h *= 0.5;
            continue;
        };
        let pairs = ahead.iter().zip(&behind);
        let mut table = vec![
            pairs
                .clone()
                .map(|(a, b)| (a - b) / (2.0 * h))
                .collect::<Vec<f64>>(),
        ];
        let bent: Vec<f64> = pairs
            .zip(at_zero)
            .map(|((a, b), zero)| (a - 2.0 * zero + b) / (2.0 * h))
            .collect();
        if let Some(older) = bent_before {
            // Half the difference of the slopes is K + c h with a cubic error in h: c is curvature, and K what is left of it at zero.
            let pairs = bent.iter().zip(&older);
            let left: Vec<f64> = pairs.map(|(new, old)| 2.0 * new - old).collect();
            let whole = size(&ahead).max(size(&behind)).max(size(at_zero));
            let rounding = 64.0 * f64::EPSILON * whole / h;
            kink = kink.min((size(&left) - rounding).max(0.0));
        }
        bent_before = Some(bent);
        let mut factor = 1.0;
        for older in &before {
            factor *= 4.0;
            let Some(newer) = table.last() else { break };
            let pairs = newer.iter().zip(older);
            let next: Vec<f64> = pairs.map(|(n, o)| n + (n - o) / (factor - 1.0)).collect();
            let apart = |other: &[f64]| {
                let pairs = next.iter().zip(other);
                pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
            };
            let error = apart(newer).max(apart(older));
            if error.is_finite() && best.as_ref().is_none_or(|best| error < best.error) {
                best = Some(Slope {
                    slope: next.clone(),
                    error,
                    kink: 0.0,
                });
            }
            table.push(next);
        }
        before = table;
        h *= 0.5;
    }
    best.map(|best| Slope {
        // What bends less than it leans, over the smallest steps, is smooth.
        kink: if kink.is_finite() && kink > 0.05 * size(&best.slope) + 10.0 * best.error {
            kink
        } else {
            0.0
        },
        ..best
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_functions_have_their_slopes_almost_to_rounding() {
        let f = |x: f64| Some(vec![(3.0 * x).sin(), (x + 0.5).exp(), 7.0]);
        let zero = f(0.0).expect("it is there");
        let found = slope(0.1, &zero, f).expect("it is there");
        for (found, known) in found.slope.iter().zip([3.0, 0.5_f64.exp(), 0.0]) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
        assert!(found.error < 1e-11 && found.kink == 0.0);
    }

    #[test]
    fn a_function_that_ends_nearby_still_has_a_slope() {
        let f = |x: f64| (x.abs() < 0.02).then(|| vec![(1.0 + x).ln()]);
        let found = slope(0.1, &[0.0], f).expect("it is there");
        assert!((found.slope[0] - 1.0).abs() < 1e-9);
        assert_eq!(slope(0.1, &[0.0], |_| None), None);
    }

    #[test]
    fn a_kink_is_told() {
        let f = |x: f64| Some(vec![x + x.max(0.0)]);
        let found = slope(0.1, &[0.0], f).expect("it is there");
        assert!((found.kink - 0.5).abs() < 1e-6, "{found:?}");
        let f = |x: f64| Some(vec![x + 50.0 * x * x]);
        assert_eq!(slope(0.1, &[0.0], f).expect("it is there").kink, 0.0);
        // No slope at all, but curved: what bends is no kink.
        for g in [|x: f64| x.cos(), |x: f64| 1.0 - x * x, |x: f64| x.exp() - x] {
            let found = slope(0.1, &[1.0], |x| Some(vec![g(x)])).expect("it is there");
            assert_eq!(found.kink, 0.0, "{found:?}");
        }
    }
}
