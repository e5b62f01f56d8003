//! Where inside a bracket does a function leave its side of zero?
//!
//! A guard is on its side while `side · g ≥ 0` and has crossed where `side · g < 0`: an exact zero is still on the old side, so that a guard that only touches zero never crosses.

/// Narrows the bracket from `left` (not crossed) to `right` (crossed) until it is no wider than `width`: inverse quadratic interpolation guarded by bisection
/// (Chandrupatla 1997, Adv. Eng. Softw. 28, 145). `value` is `side · g`, and `at_left` ≥ 0 > `at_right` its values at the ends.
/// Gives the end that has crossed.
pub(crate) fn crossing(
    (left, at_left): (f64, f64),
    (right, at_right): (f64, f64),
    width: f64,
    mut value: impl FnMut(f64) -> f64,
) -> f64 {
    // The newest point, the end opposite to it, and the point before.
    let (mut new, mut opposite) = ((right, at_right), (left, at_left));
    // The straight line between the ends to begin with, where it says anything.
    let mut fraction = if at_left > 0.0 {
        (at_right / (at_right - at_left)).clamp(0.05, 0.95)
    } else {
        0.5
    };
    // Bisection alone needs at most 64 halvings of a bracket in [0, 1]; twice that is a bound, not an expectation.
    for _ in 0..128 {
        let gap = opposite.0 - new.0;
        if gap.abs() <= width {
            break;
        }
        let x = new.0 + fraction * gap;
        if x == new.0 || x == opposite.0 {
            break;
        }
        let found = (x, value(x));
        let crossed = |p: (f64, f64)| p.1 < 0.0;
        let before;
        if crossed(found) == crossed(new) {
            before = new;
        } else {
            before = opposite;
            opposite = new;
        }
        new = found;
        let least = (0.5 * width / (opposite.0 - new.0).abs()).min(0.5);
        let xi = (new.0 - opposite.0) / (before.0 - opposite.0);
        let phi = (new.1 - opposite.1) / (before.1 - opposite.1);
        fraction = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            let a = new.1 / (opposite.1 - new.1) * before.1 / (opposite.1 - before.1);
            let b = (before.0 - new.0) / (opposite.0 - new.0) * new.1 / (before.1 - new.1)
                * opposite.1
                / (before.1 - opposite.1);
            let t = a + b;
            if t.is_finite() { t } else { 0.5 }
        } else {
            0.5
        }
        .clamp(least, 1.0 - least);
    }
    if new.1 < 0.0 { new.0 } else { opposite.0 }
}

/// Looks for a point between `left` and `right` where `value` is negative, by closing in on its minimum from the inner point `middle` (golden section with parabolic steps,
/// Brent 1973, chapter 5). Gives the point, or `None` if the minimum is not negative.
pub(crate) fn dip(
    left: f64,
    (middle, at_middle): (f64, f64),
    right: f64,
    mut value: impl FnMut(f64) -> f64,
) -> Option<f64> {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    let (mut a, mut b) = (left, right);
    let mut best = (middle, at_middle);
    let (mut second, mut third) = (best, best);
    let (mut step, mut last_step) = (0.0_f64, 0.0_f64);
    let narrow = 1e-9 * (right - left);
    for _ in 0..60 {
        if best.1 < 0.0 {
            return Some(best.0);
        }
        let centre = 0.5 * (a + b);
        if (best.0 - centre).abs() <= 2.0 * narrow - 0.5 * (b - a) {
            break;
        }
        let mut golden = true;
        if last_step.abs() > narrow {
            let r = (best.0 - second.0) * (best.1 - third.1);
            let mut q = (best.0 - third.0) * (best.1 - second.1);
            let mut p = (best.0 - third.0) * q - (best.0 - second.0) * r;
            q = 2.0 * (q - r);
            if q > 0.0 {
                p = -p;
            }
            q = q.abs();
            let before = last_step;
            last_step = step;
            if p.abs() < (0.5 * q * before).abs() && p > q * (a - best.0) && p < q * (b - best.0) {
                step = p / q;
                golden = false;
            }
        }
        if golden {
            last_step = if best.0 < centre {
                b - best.0
            } else {
                a - best.0
            };
            step = GOLDEN * last_step;
        }
        let x = if step.abs() >= narrow {
            best.0 + step
        } else {
            best.0 + narrow.copysign(step)
        };
        let found = (x, value(x));
        if found.1 <= best.1 {
            if x >= best.0 {
                a = best.0;
            } else {
                b = best.0;
            }
            third = second;
            second = best;
            best = found;
        } else {
            if x < best.0 {
                a = x;
            } else {
                b = x;
            }
            if found.1 <= second.1 || second.0 == best.0 {
                third = second;
                second = found;
            } else if found.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = found;
            }
        }
    }
    (best.1 < 0.0).then_some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_found_to_the_last_bits_and_lies_on_the_far_side() {
        let f = |x: f64| 2.0 - x * x * x;
        let root = 2.0_f64.cbrt() / 2.0;
        let g = |x: f64| f(2.0 * x);
        let mut calls = 0;
        let found = crossing((0.0, g(0.0)), (1.0, g(1.0)), 4.0 * f64::EPSILON, |x| {
            calls += 1;
            g(x)
        });
        assert!(g(found) < 0.0);
        assert!((found - root).abs() <= 4.0 * f64::EPSILON);
        assert!(calls <= 12, "{calls} evaluations");
    }

    #[test]
    fn steep_flat_and_jumping_functions_are_no_trap() {
        type Case = (&'static str, fn(f64) -> f64, f64);
        let nasty: [Case; 4] = [
            ("flat", |x| -(x - 0.3_f64).powi(9), 0.3),
            ("jump", |x| if x <= 0.7 { 1e300 } else { -1e-300 }, 0.7),
            ("steep", |x| 1e-12 - x, 1e-12),
            ("zero plateau", |x| if x <= 0.5 { 0.0 } else { -1.0 }, 0.5),
        ];
        for (name, f, root) in nasty {
            let mut calls = 0;
            let found = crossing((0.0, f(0.0)), (1.0, f(1.0)), 1e-15, |x| {
                calls += 1;
                f(x)
            });
            assert!((found - root).abs() <= 2e-15, "{name}: {}", found);
            assert!(calls <= 128, "{name}: {calls}");
        }
    }

    #[test]
    fn a_dip_of_any_depth_is_seen_and_a_mere_touch_is_not() {
        for depth in [1e-2, 1e-6, 1e-12] {
            let f = |x: f64| (x - 0.37_f64).powi(2) - depth;
            let found = dip(0.0, (0.5, f(0.5)), 1.0, f);
            assert!(found.is_some_and(|x| f(x) < 0.0), "depth {depth}");
        }
        let touch = |x: f64| (x - 0.37_f64).powi(2);
        assert_eq!(dip(0.0, (0.5, touch(0.5)), 1.0, touch), None);
    }
}
