//! Which linear damper beside Hertz's spring returns a restitution, where the bodies part at zero force?
//!
//! F = k δ^n + c v. Poursina and Nikravesh (2020) solve for c numerically and fit a formula to it; the equation numbers here are theirs. With δ and t in units of
//! (m v0²/k)^(1/(n+1)) and that over v0, the motion is x″ + ĉ x′ + x^n = 0 from x = 0, x′ = 1, so that c is ĉ times [`scale`] and ĉ depends on n and the restitution alone.

use crate::math;

/// α of the fit: ĉ ≈ α (e^β − 1), for n from 1 to 2 (eq. 49).
pub fn alpha(n: f64) -> f64 {
    (((0.3331 * n - 1.48) * n + 3.077) * n - 2.306) * n + 1.794
}

/// β of the fit, below zero, for n from 1 to 2 (eq. 49).
pub fn beta(n: f64) -> f64 {
    1.285 * math::powf(n, 0.2553) - 1.725
}

/// What a damping coefficient is measured by, N s/m: (k v0^(n−1) m^n)^(1/(n+1)), with k in N/m^n, m in kg, v0 in m/s.
pub fn scale(stiffness: f64, n: f64, mass: f64, v0: f64) -> f64 {
    // Each power by itself: the product may leave the range of floats where the result does not.
    let p = 1.0 / (n + 1.0);
    math::powf(stiffness, p) * math::powf(v0, (n - 1.0) * p) * math::powf(mass, n * p)
}

/// The damping coefficient of the fit, N s/m (eq. 49), for n from 1 to 2 and 0 < e ≤ 1.
pub fn damping(stiffness: f64, n: f64, mass: f64, v0: f64, e: f64) -> f64 {
    fit(alpha(n), beta(n), e) * scale(stiffness, n, mass, v0)
}

/// α (e^β − 1).
pub(super) fn fit(alpha: f64, beta: f64, e: f64) -> f64 {
    // Plain zero for e = 1, where β ln e is −0.
    alpha * (math::exp_m1(beta * math::ln(e)) + 0.0)
}

/// The indentation at which the bodies part, m: (v0 c e/k)^(1/n), where the force is zero while they part at e v0 (eq. 51). Right with the c that does return e.
pub fn residual(stiffness: f64, n: f64, v0: f64, c: f64, e: f64) -> f64 {
    math::powf(v0 * c * e / stiffness, 1.0 / n)
}

/// What no damping coefficient that returns e can exceed, N s/m (eq. 33): they part no deeper than an elastic impact would go. ((n+1)/2)^(n/(n+1))/e times [`scale`].
pub fn bound(stiffness: f64, n: f64, mass: f64, v0: f64, e: f64) -> f64 {
    math::powf(0.5 * (n + 1.0), n / (n + 1.0)) / e * scale(stiffness, n, mass, v0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Separation;
    use crate::contact::closed;

    #[test]
    fn the_fit_has_its_published_constants() {
        // Eq. 52 and 57, and the fit at six digits.
        for (found, known) in [
            (alpha(1.5), 1.949569),
            (beta(1.5), -0.299854),
            (alpha(1.0), 1.4181),
            (beta(1.0), -0.44),
        ] {
            assert!((found - known).abs() < 5e-7, "{found} {known}");
        }
    }

    #[test]
    fn the_exact_coefficient_of_a_linear_spring_stays_below_the_bound_and_parts_at_the_residual() {
        // n = 1: c = 2ζ√(km) with the ζ of the linear oscillator.
        let (k, m, v0) = (3e4_f64, 0.2, 1.7);
        for i in 1..=100 {
            let e = f64::from(i) * 0.01;
            let zeta = closed::oscillator_damping(e, Separation::ZeroForce);
            let c = 2.0 * zeta * (k * m).sqrt();
            assert!(c < bound(k, 1.0, m, v0, e), "{e}");
            // The deepest point of an elastic impact, v0√(m/k), bounds where they part.
            let parted = residual(k, 1.0, v0, c, e);
            assert!(parted < v0 * (m / k).sqrt(), "{e}: {parted}");
            assert!((k * parted - c * e * v0).abs() < 1e-12 * (1.0 + k * parted));
        }
    }

    #[test]
    fn the_fit_misses_a_small_restitution_by_half_and_more() {
        // The fit is said to hold from 1e-4 (section 5.1). For n = 1 the closed form tells: 1.55e-4 is returned for 1e-4, and 3.4e-3 too much at 0.65.
        let returned = |e: f64| {
            let zeta = 0.5 * damping(1.0, 1.0, 1.0, 1.0, e);
            closed::oscillator_restitution(zeta, Separation::ZeroForce)
        };
        assert!((returned(1e-4) / 1e-4 - 1.551541).abs() < 1e-6);
        assert!((returned(0.65) - 0.65 - 3.3673e-3).abs() < 1e-7);
        // The exact coefficient goes like e^(−1/2) there, not like e^(−0.44).
        let exact = |e: f64| closed::oscillator_damping(e, Separation::ZeroForce);
        let slope = (exact(1e-9) / exact(1e-8)).log10();
        assert!((slope - 0.5).abs() < 1e-3, "{slope}");
    }
}
