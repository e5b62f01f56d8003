//! Below which number does a given part of a standard normal distribution lie?

use crate::math;

/// √(2π).
const ROOT_TAU: f64 = 2.506_628_274_631_000_7;

/// The part of the standard normal distribution above x ≥ 0: by the series of the part between 0 and x where that is not small, else by Laplace's continued fraction.
fn above(x: f64) -> f64 {
    let density = math::exp(-0.5 * x * x) / ROOT_TAU;
    if x < 3.0 {
        let (mut term, mut sum, mut k) = (x, x, 1.0);
        while term > 1e-18 * sum {
            k += 2.0;
            term *= x * x / k;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let mut fraction = x;
    for k in (1..=80).rev() {
        fraction = x + f64::from(k) / fraction;
    }
    density / fraction
}

/// The quantile of a part between 0 and 1: Hastings' rational start (Abramowitz and Stegun 1964, eq. 26.2.23), put right by two steps of Halley's method.
pub(super) fn quantile(part: f64) -> f64 {
    let tail = part.min(1.0 - part);
    if !(tail > 0.0) {
        return if part > 0.5 {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
    }
    let t = math::sqrt(-2.0 * math::ln(tail));
    let above_line = 2.515517 + t * (0.802853 + t * 0.010328);
    let below_line = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut x = (t - above_line / below_line).max(0.0);
    for _ in 0..2 {
        let slope = math::exp(-0.5 * x * x) / ROOT_TAU;
        let off = (above(x) - tail) / slope;
        x += off / (1.0 - 0.5 * x * off);
    }
    if part < 0.5 { -x } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Twelve digits, as tables of the normal distribution have them.
        for (part, known) in [
            (0.5, 0.0),
            (0.841_344_746_068_542_9, 1.0),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_901),
            (0.999, 3.090_232_306_167_814),
            (1e-9, -5.997_807_015_007_686),
        ] {
            let found = quantile(part);
            assert!(
                (found - known).abs() < 3e-12 * (1.0 + known.abs()),
                "{part}: {found}"
            );
            if part < 0.5 {
                continue;
            }
            assert!((quantile(1.0 - part) + known).abs() < 1e-11);
        }
    }
}
