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

/// The cube root.
#[inline]
pub fn cbrt(x: f64) -> f64 {
    x.cbrt()
}

/// Euler's beta function B(a, b) for positive a and b.
pub fn beta(a: f64, b: f64) -> f64 {
    exp(ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b))
}

/// The logarithm of the gamma function of a positive number: Stirling's series after shifting the argument above 12.
pub fn ln_gamma(x: f64) -> f64 {
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
