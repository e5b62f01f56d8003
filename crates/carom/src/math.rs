//! Which elementary functions does Carom use, and what is promised of them?
//!
//! Every transcendental function of the library goes through this module, so that "the same input gives the same bytes" has one place to be checked:
//! - `sqrt` is correctly rounded by IEEE 754: the same bits on every platform.
//! - `powf`, `powi`, `exp`, `ln`, `sin`, `cos` … are those of the platform's mathematical library: the same bits on the same platform and toolchain (whatever the number
//!   of threads), and within about one unit in the last place between platforms.
//! - `rough_log2` and `rough_exp2` are plain arithmetic and the same bits on every platform: rough, but quick, for the choice of a step, which needs no more.

/// The square root, correctly rounded.
#[inline]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `x` raised to the real power `p`.
#[inline]
pub fn powf(x: f64, p: f64) -> f64 {
    x.powf(p)
}

/// `x` raised to the whole power `n`.
#[inline]
pub fn powi(x: f64, n: i32) -> f64 {
    x.powi(n)
}

/// The exponential function.
#[inline]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// The natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    x.ln()
}

/// The logarithm to base 10.
#[inline]
pub fn log10(x: f64) -> f64 {
    x.log10()
}

/// The sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// The cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    x.cos()
}

/// Sine and cosine of an angle in radians: the same two numbers as [`sin`] and [`cos`].
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    (x.sin(), x.cos())
}

/// The tangent of an angle in radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    x.tan()
}

/// The angle, in radians, whose tangent is `x`.
#[inline]
pub fn atan(x: f64) -> f64 {
    x.atan()
}

/// The angle, −π…π in radians, of the point (`x`, `y`) seen from the origin; 0 at the origin itself.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

/// The hyperbolic sine.
#[inline]
pub fn sinh(x: f64) -> f64 {
    x.sinh()
}

/// The hyperbolic cosine.
#[inline]
pub fn cosh(x: f64) -> f64 {
    x.cosh()
}

/// The hyperbolic tangent.
#[inline]
pub fn tanh(x: f64) -> f64 {
    x.tanh()
}

/// The number whose hyperbolic tangent is `x`; infinite at 1.
#[inline]
pub fn atanh(x: f64) -> f64 {
    x.atanh()
}

/// exp(x) − 1, exact for small x.
#[inline]
pub fn exp_m1(x: f64) -> f64 {
    x.exp_m1()
}

/// ln(1 + x), exact for small x.
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    x.ln_1p()
}

/// The angle in −π/2…π/2 whose sine is x; NaN beyond −1…1.
#[inline]
pub fn asin(x: f64) -> f64 {
    x.asin()
}

/// The angle in 0…π whose cosine is x; NaN beyond −1…1.
#[inline]
pub fn acos(x: f64) -> f64 {
    x.acos()
}

/// The area whose hyperbolic cosine is x; NaN below 1.
#[inline]
pub fn acosh(x: f64) -> f64 {
    x.acosh()
}

/// The area whose hyperbolic sine is x.
#[inline]
pub fn asinh(x: f64) -> f64 {
    x.asinh()
}

/// The cube root.
#[inline]
pub fn cbrt(x: f64) -> f64 {
    x.cbrt()
}

/// The lower branch W₋₁ of Lambert's function, −1/e ≤ x < 0: the w ≤ −1 with w e^w = x; NaN outside.
///
/// At −1/e, which no float is, the branch begins like a square root: the distance from there is taken with 1/e in two parts, so that no digit is lost.
pub fn lambert_wm1(x: f64) -> f64 {
    const INVERSE_E: [f64; 2] = [0.367_879_441_171_442_33, -1.242_875_367_278_836_3e-17];
    if x.is_nan() || x >= 0.0 {
        return f64::NAN;
    }
    if x > -0.2 {
        return -lambert_wm1_log(-1.0 - ln(-x));
    }
    // The first sum is exact for x between −1/e and half of it.
    let away = (x + INVERSE_E[0]) + INVERSE_E[1];
    -lambert_wm1_log(-ln_1p(-core::f64::consts::E * away))
}

/// The w ≥ 1 with w − 1 − ln w = l for l ≥ 0, which is −W₋₁(−e^(−1−l)); NaN for negative l. Where l is known better than its exponential, this loses nothing.
#[inline]
pub fn lambert_wm1_log(l: f64) -> f64 {
    if !(l > 0.0 && l < f64::INFINITY) {
        return if l == 0.0 {
            1.0
        } else if l > 0.0 {
            l
        } else {
            f64::NAN
        };
    }
    let w = if l < 2.0 {
        // The series at the branch point, from y y′ = s (1 + y) for y = w − 1 and s = √(2 l); it converges for s < √(4π).
        const SERIES: [f64; 9] = [
            -571.0 / 2_351_462_400.0,
            1.0 / 204_120.0,
            -139.0 / 5_443_200.0,
            1.0 / 17_010.0,
            1.0 / 4320.0,
            -1.0 / 270.0,
            1.0 / 36.0,
            1.0 / 3.0,
            1.0,
        ];
        let s = sqrt(2.0 * l);
        let w = 1.0 + s * SERIES.iter().fold(0.0, |sum, term| sum * s + term);
        if s < 0.02 {
            return w;
        }
        w
    } else {
        // Halley's step from 1 + l + ln(1 + l), where −ln(1 + r) is left of the equation; r is at most 1/e, and a quotient does for the logarithm.
        let a = 1.0 + l;
        let first = ln(a);
        let r = first / a;
        let left = r * (6.0 + r) / (6.0 + 4.0 * r);
        let w = a + first;
        if l > 1e18 {
            return w;
        }
        let slope = w - 1.0;
        w + left * w * slope / (slope * slope + 0.5 * left)
    };
    // One step of fourth order (Fritsch, Shafer, Crowley 1973) from three to eight right digits. Near 1 the difference w − 1 is exact.
    let y = w - 1.0;
    let z = y - ln(w) - l;
    let q = 2.0 * y * (y - z * (2.0 / 3.0));
    w - w * z * (q - z) / (y * (q - 2.0 * z))
}

/// Euler's beta function B(a, b) for positive a and b.
pub fn beta(a: f64, b: f64) -> f64 {
    exp(ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b))
}

/// The logarithm of the gamma function of a positive number, NaN for others: Stirling's series after shifting the argument above 12.
pub fn ln_gamma(x: f64) -> f64 {
    if !(x > 0.0) {
        return f64::NAN;
    }
    let mut shift = 1.0;
    let mut x = x;
    while x < 12.0 {
        shift *= x;
        x += 1.0;
    }
    // Bernoulli numbers B_2k / (2k (2k − 1)).
    const TERMS: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let inverse = 1.0 / (x * x);
    let series = TERMS
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum * inverse + term)
        / x;
    (x - 0.5) * ln(x) - x + 0.5 * ln(2.0 * core::f64::consts::PI) + series - ln(shift)
}

/// The logarithm to base 2 of a positive normal number, within 0.09: the number's own exponent and mantissa, read as one.
#[inline]
pub fn rough_log2(x: f64) -> f64 {
    const UNIT: f64 = 1.0 / (1_u64 << 52) as f64;
    (x.to_bits() as i64 - 1.0_f64.to_bits() as i64) as f64 * UNIT
}

/// 2 to the power of `x`, within a relative 4e-3 for −1000 ≤ x ≤ 1000; beyond, nothing is promised.
#[inline]
pub fn rough_exp2(x: f64) -> f64 {
    // Shifted so that cutting off is rounding down.
    let shifted = x + 1023.0;
    let whole = shifted as i64;
    let f = shifted - whole as f64;
    // The parabola that is exact at both ends and closest in between.
    f64::from_bits((whole as u64) << 52) * (1.0 + f * (0.6565 + 0.3435 * f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beta_function_has_its_known_values() {
        // B(1/2, 1/2) = π, B(1, b) = 1/b; ½ B(5/4, 3/2) = 0.249719767075440 (Flores et al. 2011, eq. 38, at 15 digits).
        // Three logarithms of about 20 are added: some 1e-14 of rounding.
        for (found, known) in [
            (beta(0.5, 0.5), core::f64::consts::PI),
            (beta(1.0, 7.3), 1.0 / 7.3),
            (0.5 * beta(1.25, 1.5), 0.249_719_767_075_440),
        ] {
            assert!((found / known - 1.0).abs() < 3e-14, "{found} {known}");
        }
    }

    #[test]
    fn the_lower_branch_of_lamberts_function_obeys_its_equation() {
        // In logarithms, where the equation is well conditioned: w − 1 − ln w = l, over all l that a float x can give and beyond.
        let mut l = 1e-30;
        while l < 1e4 {
            let w = lambert_wm1_log(l);
            let y = w - 1.0;
            // dl = dw (w − 1)/w: what one rounding of w, and of the terms added, may do.
            let rounding = 2.3e-16 * (y + y.ln_1p() + l);
            assert!((y - y.ln_1p() - l).abs() < 2.0 * rounding, "l = {l}: {w}");
            l *= 1.003;
        }
        assert_eq!(
            (lambert_wm1_log(0.0), lambert_wm1_log(f64::INFINITY)),
            (1.0, f64::INFINITY)
        );
        assert!(lambert_wm1_log(-1e-300).is_nan() && lambert_wm1_log(f64::NAN).is_nan());
    }

    #[test]
    fn the_lower_branch_of_lamberts_function_has_its_known_values() {
        // By 50-digit arithmetic; the first is the float next above −1/e.
        for (x, w) in [
            (-0.3678794411714423, -1.0000000153042542846),
            (-0.36787944117144217, -1.0000000289447754813),
            (-0.3678794411, -1.0000197080169009276),
            (-0.36787, -1.0071814889510783854),
            (-0.36, -1.2227701339785061563),
            (-0.3, -1.7813370234216276963),
            (-0.2, -2.5426413577735263328),
            (-0.19, -2.6263116568780299705),
            (-0.1, -3.5771520639572971414),
            (-0.05, -4.4997552885234874646),
            (-0.01, -6.4727751243940046701),
            (-1e-05, -14.163600815810182921),
            (-1e-100, -235.72115887568531364),
            (-5e-324, -751.0615595398790806),
        ] {
            let found = lambert_wm1(x);
            assert!((found / w - 1.0).abs() < 4.5e-16, "{x}: {found} {w}");
        }
        for x in [-0.4, 0.0, 1.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(lambert_wm1(x).is_nan(), "{x}");
        }
    }

    #[test]
    fn rough_functions_are_as_good_as_they_say() {
        let mut worst = (0.0_f64, 0.0_f64);
        for k in 0..200_000 {
            let x = -40.0 + k as f64 * 4e-4;
            let power = x.exp2();
            worst.0 = worst.0.max((rough_log2(power) - x).abs());
            worst.1 = worst.1.max((rough_exp2(x) / power - 1.0).abs());
        }
        assert!(worst.0 < 0.09 && worst.1 < 4e-3, "{worst:?}");
        assert_eq!((rough_log2(1.0), rough_exp2(0.0)), (0.0, 1.0));
    }
}
