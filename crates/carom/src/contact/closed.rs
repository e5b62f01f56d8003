//! What is known of a free impact without integrating it?
//!
//! A mass m meets a force at speed v0 and no other force acts. For the hysteresis family, F = K δ^n (1 + h v/v0), and for springs and dampers that a change of variable turns into a
//! linear oscillator, restitution, deepest point and peak force follow from a formula or one equation.

use crate::math;

use super::card::Separation;

/// x − ln(1 + x) for x > −1, without loss of digits near zero.
#[inline]
fn gap(x: f64) -> f64 {
    if x.abs() < 0.4 {
        // With z = x/(2+x): ln(1+x) = 2(z + z³/3 + z⁵/5 + …), and x − 2z = x z.
        let z = x / (2.0 + x);
        let q = z * z;
        const SERIES: [f64; 10] = [
            2.0 / 21.0,
            2.0 / 19.0,
            2.0 / 17.0,
            2.0 / 15.0,
            2.0 / 13.0,
            2.0 / 11.0,
            2.0 / 9.0,
            2.0 / 7.0,
            2.0 / 5.0,
            2.0 / 3.0,
        ];
        z * (x - q * SERIES.iter().fold(0.0, |sum, a| sum * q + a))
    } else {
        x - math::ln(1.0 + x)
    }
}

/// w − (1 − e^−w) for w ≥ 0, without loss of digits near zero.
#[inline]
fn lag(w: f64) -> f64 {
    if w < 0.4 {
        // w²/2 (1 − w/3 (1 − w/4 (1 − …)))
        const SERIES: [f64; 12] = [
            1.0 / 14.0,
            1.0 / 13.0,
            1.0 / 12.0,
            1.0 / 11.0,
            1.0 / 10.0,
            1.0 / 9.0,
            1.0 / 8.0,
            1.0 / 7.0,
            1.0 / 6.0,
            1.0 / 5.0,
            1.0 / 4.0,
            1.0 / 3.0,
        ];
        0.5 * w * w * SERIES.iter().fold(1.0, |sum, a| 1.0 - w * a * sum)
    } else {
        w - (1.0 - math::exp(-w))
    }
}

/// The restitution that F = K δ^n (1 + h v/v0) returns: the root of ln((1+h)/(1−h e)) = h (1+e), whatever K, n, m and v0. The other way of writing it is
/// e = (1 + W₀(−(1+h) e^−(1+h)))/h with Lambert's function, which loses its digits near h = 0.
///
/// For h from 0 to the largest float; NaN below zero.
#[inline]
pub fn restitution(h: f64) -> f64 {
    if !(h > 0.0) {
        return if h == 0.0 { 1.0 } else { f64::NAN };
    }
    // With u = h e = 1 − e^−w: w − u = g = h − ln(1+h).
    let g = gap(h);
    let s = math::sqrt(2.0 * g);
    let w = if s < 1.6 {
        // The series of the inverse at its branch point: s²/2 + 1 − λ with λ − 1 − ln λ = s²/2 (the coefficients of Stirling's series; Corless et al. 1996, eq. 4.22).
        const SERIES: [f64; 9] = [
            281.0 / 1_515_591_000.0,
            -571.0 / 2_351_462_400.0,
            -1.0 / 204_120.0,
            -139.0 / 5_443_200.0,
            -1.0 / 17_010.0,
            1.0 / 4320.0,
            1.0 / 270.0,
            1.0 / 36.0,
            1.0 / 6.0,
        ];
        s * (1.0 + s * SERIES.iter().fold(0.0, |sum, a| sum * s + a))
    } else {
        // w = g + 1 + W₀(−x), with the series of W₀ at zero.
        let x = math::exp(-g - 1.0);
        let tree = 1.0 + x * (1.5 + x * (8.0 / 3.0 + x * (125.0 / 24.0 + x * 10.8)));
        g + 1.0 - x * (1.0 + x * tree)
    };
    // Halley's step triples the digits; the start has at least five.
    let lag = lag(w);
    let u = w - lag;
    let f = lag - g;
    let step = f / (u - 0.5 * f * (1.0 - u) / u);
    ((u - (1.0 - u) * step * (1.0 + 0.5 * step)) / h).min(1.0)
}

/// The coefficient h with which F = K δ^n (1 + h v/v0) returns exactly e, 0 < e ≤ 1; the inverse of [`restitution`]. NaN outside.
///
/// h = d/e with d = 1 − e^−w, w the root of ln(1 + d/e) + w = d (1 + 1/e) that is not zero (Gonthier et al. 2004, in Corral et al. 2021, eq. 5.23). Solved in w: for e below about
/// 0.025 d itself rounds to 1.
pub fn exact_hysteresis(e: f64) -> f64 {
    if !(e > 0.0 && e <= 1.0) {
        return f64::NAN;
    }
    let away = 1.0 - e;
    if away < 1e-7 {
        // The inverse of e = 1 − 2h/3 + 4h²/9 − …
        return 1.5 * away * (1.0 + away);
    }
    let mut w = if e < 0.2 {
        let far = 1.0 + 1.0 / e;
        far - math::ln(far)
    } else {
        // Carvalho and Martins (2019): within 0.0011 of the restitution asked for.
        -math::ln_1p(-(e * 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e)).min(0.999))
    };
    for _ in 0..20 {
        let u = -math::exp_m1(-w);
        let h = u / e;
        let f = gap(h) - lag(w);
        let slope = h / (1.0 + h) * (1.0 - u) / e - u;
        let step = f / slope;
        w -= step;
        if step.abs() <= 1e-15 * w {
            break;
        }
    }
    -math::exp_m1(-w) / e
}

/// The deepest indentation of F = K δ^n (1 + h v/v0), m: ((n+1)(m v0²/K)(h − ln(1+h))/h²)^(1/(n+1)).
pub fn deepest(stiffness: f64, n: f64, mass: f64, v0: f64, h: f64) -> f64 {
    let share = stored_share(h);
    math::powf(
        0.5 * (n + 1.0) * mass * v0 * v0 / stiffness * share,
        1.0 / (n + 1.0),
    )
}

/// The part of ½ m v0² that is stored at the deepest point: U = 2(h − ln(1+h))/h². The compression takes 1 − U, the restitution U − e².
pub fn stored_share(h: f64) -> f64 {
    if h.abs() < 1e-8 {
        1.0 - 2.0 / 3.0 * h
    } else {
        2.0 * (gap(h) / h) / h
    }
}

/// The peak of F = K δ^n (1 + h v/v0): the force in N, the indentation in m and the rate over v0 where it stands. It is where n u = h (n+1) G(u) with
/// G(u) = (gap(h) − gap(h u))/h², u = v/v0 and gap(x) = x − ln(1+x): before the deepest point.
pub fn peak(stiffness: f64, n: f64, mass: f64, v0: f64, h: f64) -> (f64, f64, f64) {
    let share = |u: f64| {
        if h == 0.0 {
            0.5 * (1.0 - u * u)
        } else {
            (gap(h) - gap(h * u)) / (h * h)
        }
    };
    // The left side of the condition rises with u, the right side falls.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let u = 0.5 * (low + high);
        if u <= low || u >= high {
            break;
        }
        if n * u > h * (n + 1.0) * share(u) {
            high = u;
        } else {
            low = u;
        }
    }
    let u = 0.5 * (low + high);
    let delta = math::powf(
        (n + 1.0) * mass * v0 * v0 / stiffness * share(u),
        1.0 / (n + 1.0),
    );
    (stiffness * math::powf(delta, n) * (1.0 + h * u), delta, u)
}

/// How long an elastic impact on K δ^n lasts, s: (2/(n+1)) B(1/(n+1), 1/2) δ_max/v0; for n = 3/2 that is 2.94328 δ_max/v0 (Hertz).
pub fn elastic_duration(stiffness: f64, n: f64, mass: f64, v0: f64) -> f64 {
    let delta = deepest(stiffness, n, mass, v0, 0.0);
    let p = 1.0 / (n + 1.0);
    2.0 * p * math::beta(p, 0.5) * delta / v0
}

/// The restitution of the linear-oscillator class, F = K δ^n + c δ^((n−1)/2) v with ζ = c/√(2(n+1) K m): exp(−πζ/√(1−ζ²)) where the contact ends at zero indentation (zero from ζ = 1
/// on: it never ends), and exp(−2ζ arccos ζ/√(1−ζ²)) where it ends at zero force (arccosh above ζ = 1, e⁻² at 1).
pub fn oscillator_restitution(zeta: f64, separation: Separation) -> f64 {
    match separation {
        Separation::ZeroForce => math::exp(-2.0 * zeta * arc(zeta)),
        _ if zeta >= 1.0 => 0.0,
        _ => math::exp(-core::f64::consts::PI * zeta / math::sqrt(1.0 - zeta * zeta)),
    }
}

/// The restitution where the damper of the linear-oscillator class acts in approach only (Jankowski): exp(−ζ arccos ζ/√(1−ζ²)).
pub fn approach_restitution(zeta: f64) -> f64 {
    math::exp(-zeta * arc(zeta))
}

/// arccos ζ/√(1−ζ²), continued as arccosh ζ/√(ζ²−1) above 1.
fn arc(zeta: f64) -> f64 {
    let away = 1.0 - zeta;
    if away.abs() < 1e-4 {
        // The series in 1 − ζ, where both quotients lose their digits.
        1.0 + away / 3.0 * (1.0 + away * 2.0 / 5.0 * (1.0 + away * 3.0 / 7.0))
    } else if zeta < 1.0 {
        math::acos(zeta) / math::sqrt((1.0 - zeta) * (1.0 + zeta))
    } else {
        math::acosh(zeta) / math::sqrt((zeta - 1.0) * (zeta + 1.0))
    }
}

/// The damping ratio of the linear-oscillator class that returns e, 0 < e ≤ 1; the inverse of [`oscillator_restitution`].
pub fn oscillator_damping(e: f64, separation: Separation) -> f64 {
    match separation {
        // 2ζ arc(ζ) = −ln e
        Separation::ZeroForce => solve_arc(-0.5 * math::ln(e)),
        _ => {
            let l = -math::ln(e);
            let pi = core::f64::consts::PI;
            l / math::sqrt(pi * pi + l * l)
        }
    }
}

/// The inverse of [`approach_restitution`].
pub fn approach_damping(e: f64) -> f64 {
    solve_arc(-math::ln(e))
}

/// The ζ with ζ arc(ζ) = l, l ≥ 0: the left side rises from 0 (like πζ/2) without end (like ln 2ζ).
fn solve_arc(l: f64) -> f64 {
    if !(l > 0.0) {
        return if l == 0.0 { 0.0 } else { f64::NAN };
    }
    // Newton's method in ln ζ from below; the left side is concave there, so that it never overshoots after the first step.
    let mut x = if l < 1.0 {
        math::ln(l * 2.0 / core::f64::consts::PI)
    } else {
        l - core::f64::consts::LN_2
    };
    for _ in 0..60 {
        let zeta = math::exp(x);
        let a = arc(zeta);
        // d arc/dζ = (ζ arc − 1)/(1 − ζ²); at 1 it is −1/3.
        let away = 1.0 - zeta;
        let slope = if away.abs() < 1e-4 {
            -1.0 / 3.0 - away * 4.0 / 15.0
        } else {
            (zeta * a - 1.0) / (away * (1.0 + zeta))
        };
        let step = (zeta * a - l) / (zeta * (a + zeta * slope));
        x -= step;
        if step.abs() <= 4e-16 * (1.0 + x.abs()) {
            break;
        }
    }
    math::exp(x)
}

/// The restitution of Thornton's law for spheres, from the ratio of the speed at which they begin to yield to the approach speed: √(6√3/5) √(1 − r²/6) (r/(r + 2√(6/5 − r²/5)))^(1/4);
/// 1 from r = 1 on (Thornton 1997).
pub fn thornton_restitution(ratio: f64) -> f64 {
    if ratio >= 1.0 {
        return 1.0;
    }
    let r2 = ratio * ratio;
    let rest = ratio / (ratio + 2.0 * math::sqrt(1.2 - 0.2 * r2));
    math::sqrt(1.2 * math::sqrt(3.0) * (1.0 - r2 / 6.0)) * math::powf(rest, 0.25)
}

/// The approach speed from which on Thornton's spheres yield, m/s: where (8/15) E* R³ (πp/(2E*))⁵ is ½ m v². E* and the limiting pressure p in Pa, R in m, m in kg.
pub fn thornton_yield_speed(modulus: f64, radius: f64, pressure: f64, mass: f64) -> f64 {
    let strain = core::f64::consts::FRAC_PI_2 * pressure / modulus;
    math::sqrt(16.0 / 15.0 * modulus * math::powi(radius, 3) * math::powi(strain, 5) / mass)
}

/// The restitution of a way back with the exponent of the loading curve, δp the permanent and δm the deepest indentation: √(1 − δp/δm), zero if δp is the larger (Goldsmith;
/// Lankarani and Nikravesh).
pub fn permanent_restitution(permanent: f64, deepest: f64) -> f64 {
    math::sqrt((1.0 - permanent / deepest).max(0.0))
}

/// The restitution of Yigit's law from the deepest indentation over the one at yield: the root of what comes back over the work of loading; 1 up to yield.
pub fn yigit_restitution(depth: f64) -> f64 {
    if depth <= 1.0 {
        return 1.0;
    }
    // With x the depth and t = (1.5 x − 0.5)/x^1.5, the part of the force at the deepest point that is lost on the way back, what comes back is
    // x^2.5 (0.4 (1 − (1−t)^(5/3)) − (1−t)(1 − (1−t)^(2/3))); for small t that is t²/3 + t³/27 + …
    let root = math::sqrt(depth);
    let t = (1.5 - 0.5 / depth) / root;
    let back = if t < 1e-4 {
        t * t / 3.0 * (1.0 + t / 9.0)
    } else {
        let l = math::ln_1p(-t);
        0.4 * -math::exp_m1(5.0 / 3.0 * l) + (1.0 - t) * math::exp_m1(2.0 / 3.0 * l)
    };
    let beyond = 1.0 - 1.0 / depth;
    let work = 0.4 / depth / depth + beyond / depth + 0.75 * beyond * beyond;
    math::sqrt(root * back / work)
}

/// The restitution of Yigit's linear law from the deepest indentation over the one at yield, x: √γ with γ = 1 − (1 − 1.5/√x)^(2/3); 1 up to x = 2.25.
pub fn yigit_linear_restitution(depth: f64) -> f64 {
    math::sqrt(loss_factor(depth / 2.25))
}

/// Yigit's plastic loss factor γ from the deepest indentation over the one from which on something is lost: 1 − (1 − x^(−1/2))^(2/3); 1 up to there.
pub(super) fn loss_factor(x: f64) -> f64 {
    if x <= 1.0 {
        return 1.0;
    }
    -math::exp_m1(2.0 / 3.0 * math::ln_1p(-1.0 / math::sqrt(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restitution_of_the_hysteresis_family_obeys_its_equation() {
        // The equation itself, with logarithms of a different grouping, over seven decades.
        for k in 0..=1400 {
            let h = 10.0_f64.powf(-5.0 + k as f64 * 0.005);
            let e = restitution(h);
            let u = h * e;
            if h > 0.05 && u < 0.999 {
                let residual = ((1.0 + h) / (1.0 - u)).ln() - h * (1.0 + e);
                assert!(
                    residual.abs() < 1e-13 * (1.0 + h) / (1.0 - u),
                    "h = {h}: {residual:e}"
                );
            }
            if h < 0.05 {
                let series = 1.0 - 2.0 * h / 3.0 + 4.0 * h * h / 9.0 - 44.0 * h.powi(3) / 135.0;
                assert!(
                    (e - series).abs() < 0.3 * h.powi(4) + 1e-15,
                    "h = {h}: {e} against {series}"
                );
            }
        }
    }

    #[test]
    fn restitution_has_the_values_of_the_literature() {
        // Hunt–Crossley 0.7, its intercept at zero, Lankarani–Nikravesh's, Zhiying–Qishao's; by quadrature of the motion at 30 digits.
        for (h, e) in [
            (0.45, 0.7679997891),
            (1.5, 0.487741),
            (0.75, 0.662962),
            (0.75 * 2.0_f64.exp(), 0.178729),
            (249.0 / 6.0, 0.024096),
            (1.0, 0.593624),
        ] {
            let found = restitution(h);
            assert!((found - e).abs() < 6e-7, "h = {h}: {found}");
        }
    }

    #[test]
    fn the_exact_coefficient_returns_what_was_asked_for() {
        for k in 1..=100_000 {
            let e = k as f64 * 1e-5;
            let h = exact_hysteresis(e);
            let back = restitution(h);
            // Rounding of 1 + h over h: about 1e-16/0.05 where the series take over.
            assert!((back - e).abs() < 2e-14, "e = {e}: h = {h} returns {back}");
        }
        // Below 0.025 the printed unknown d rounds to 1 and the equation in d cannot be solved.
        for e in [1e-3, 1e-6, 1e-12, 1e-100] {
            let h = exact_hysteresis(e);
            assert!(
                (h * e - 1.0).abs() < 1e-12 && restitution(h) > 0.0,
                "{e}: {h}"
            );
        }
    }

    #[test]
    fn yigits_restitution_keeps_its_digits_at_any_depth() {
        // Just beyond a series: x^2.5 t²/3 over 0.75 x² with t = 1.5/√x gives e² → 1/√x.
        for depth in [1e8_f64, 1e14, 1e100, 1e300] {
            let far = yigit_restitution(depth) * depth.powf(0.25);
            assert!(
                (far - 1.0).abs() < 2.0 / depth.sqrt() + 1e-12,
                "{depth:e}: {far}"
            );
        }
        assert_eq!(yigit_restitution(1.0), 1.0);
        assert!((yigit_restitution(1.0 + 1e-9) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn the_damping_of_the_oscillator_class_is_the_inverse_of_its_restitution() {
        for k in 1..=2000 {
            let e = k as f64 * 5e-4;
            for separation in [Separation::ZeroIndentation, Separation::ZeroForce] {
                let zeta = oscillator_damping(e, separation);
                let back = oscillator_restitution(zeta, separation);
                assert!(
                    (back - e).abs() < 3e-15,
                    "{separation:?} {e}: {zeta} {back}"
                );
            }
            let back = approach_restitution(approach_damping(e));
            assert!((back - e).abs() < 3e-15, "approach {e}: {back}");
        }
        // Integrated motion (two-body problem of a spring and a damper, separation at zero force).
        for (zeta, e) in [(0.3, 0.450975), (1.001, 0.135155), (1.5, 0.075588)] {
            let found = oscillator_restitution(zeta, Separation::ZeroForce);
            assert!((found - e).abs() < 6e-7, "{zeta}: {found}");
        }
    }
}
