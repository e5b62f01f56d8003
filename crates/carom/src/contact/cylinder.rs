//! How large is the elastic force between a journal and its bearing, two cylinders one in the other?
//!
//! Three laws give the indentation of a force, δ = F s (ln(C/F) + 1), and the force is a root of that; one gives the force. For all of them the work and the depth that takes up
//! an energy are at hand without integrating.

use crate::math;

/// The root F ≤ C of δ = F s (ln(C/F) + 1).
///
/// δ(F) rises to s C at F = C and falls beyond: below that limit there are two roots, of which this is the one that starts from zero; above there is none. With
/// F = C e^(1−w) the equation is δ/(s C) = w e^(1−w), so that w = −W₋₁(−δ/(e s C)) and ln(C/F) = w − 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    s: f64,
    c: f64,
    limit: f64,
}

impl Cylinder {
    /// From s in m/N and C in N.
    pub fn new(s: f64, c: f64) -> Self {
        Self { s, c, limit: s * c }
    }

    /// The largest indentation that has a force, m: s C.
    #[inline]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// The force, N; beyond the limit it stays what it is there, so that a step that tries too much is still a number.
    #[inline]
    pub fn force(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        let part = delta / self.limit;
        if part >= 1.0 {
            return self.c;
        }
        self.c * part / math::lambert_wm1_log(-math::ln(part))
    }

    /// The work of loading to this indentation, J: s F² (ln(C/F)/2 + 1/4).
    pub fn work(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        let part = delta / self.limit;
        if part >= 1.0 {
            return self.c * (0.25 * self.limit + (delta - self.limit));
        }
        if part == 0.0 {
            return 0.0;
        }
        let w = math::lambert_wm1_log(-math::ln(part));
        let force = self.c * part / w;
        0.25 * (2.0 * w - 1.0) * self.s * force * force
    }

    /// The indentation at which loading has taken this energy (J), m; not beyond the limit. With q = 2w − 1 the work is s C² q e^(1−q)/4: the same equation again.
    pub fn depth(&self, energy: f64) -> f64 {
        if energy <= 0.0 {
            return 0.0;
        }
        let part = 4.0 * energy / self.limit / self.c;
        if part >= 1.0 {
            return self.limit;
        }
        if part == 0.0 {
            return 0.0;
        }
        let q = math::lambert_wm1_log(-math::ln(part));
        let force = 2.0 * math::sqrt(energy / self.s / q);
        (self.s * force * 0.5 * (q + 1.0)).min(self.limit)
    }

    /// Whether its numbers can be computed with.
    pub(crate) fn is_finite(&self) -> bool {
        [self.s, self.c, self.limit].iter().all(|x| x.is_normal())
    }
}

/// F = a δ √(δ/(c + δ)): like δ^1.5 where the indentation is small against the clearance, like δ where it is large (Liu et al. 2005).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    a: f64,
    c: f64,
}

impl Clearance {
    /// From a in N/m and the radial clearance c in m.
    pub fn new(a: f64, c: f64) -> Self {
        Self { a, c }
    }

    /// The force, N.
    #[inline]
    pub fn force(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        self.a * delta * math::sqrt(delta / (self.c + delta))
    }

    /// The work of loading to this indentation, J: a (√(δ(c+δ)) (δ/2 − 3c/4) + ¾ c² arsinh √(δ/c)), by δ = c sinh².
    pub fn work(&self, delta: f64) -> f64 {
        if delta <= 0.0 {
            return 0.0;
        }
        let (a, c) = (self.a, self.c);
        let r = delta / c;
        if r < 0.25 {
            // The terms above cancel here: δ^2.5/√c Σ (−½ over k) r^k/(k + 5/2).
            let (mut sum, mut term) = (0.0, 1.0);
            for k in 0..28 {
                let k = f64::from(k);
                sum += term / (k + 2.5);
                term *= -r * (k + 0.5) / (k + 1.0);
            }
            return a * delta * delta * math::sqrt(r) * sum;
        }
        let root = math::sqrt(delta) * math::sqrt(c + delta);
        let area = math::asinh(math::sqrt(r.min(f64::MAX)));
        a * (root * (0.5 * delta - 0.75 * c) + 0.75 * c * c * area)
    }

    /// The indentation at which loading has taken this energy (J), m.
    pub fn depth(&self, energy: f64) -> f64 {
        if energy <= 0.0 {
            return 0.0;
        }
        // Both limits of the force are above it, so that either alone is not deep enough.
        let linear = math::sqrt(2.0 * energy / self.a);
        let hertz = math::powf(2.5 * energy / self.a * math::sqrt(self.c), 0.4);
        let mut delta = linear.max(hertz);
        // Newton's method in logarithms: there the slope, δF/work, lies between 2 and 2.5 and changes slowly.
        for _ in 0..20 {
            let work = self.work(delta);
            let step = math::ln(energy / work) * work / (delta * self.force(delta));
            if !step.is_finite() {
                break;
            }
            delta *= math::exp(step);
            if step.abs() < 1e-15 {
                break;
            }
        }
        delta
    }

    /// Whether its numbers can be computed with.
    pub(super) fn is_finite(&self) -> bool {
        self.a.is_normal() && self.c.is_normal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Elastic;

    /// Steel on steel, 9.5 mm in 10 mm, 15 mm long (Flores et al. 2006, Table 1), and cases far from it.
    fn curves() -> Vec<Elastic> {
        let mut all = Vec::new();
        for (s, c) in [(5.86e-10, 2.02e6), (1.0, 1.0), (3e-4, 1e12), (7.0, 1e-9)] {
            all.push(Elastic::Cylinder(Cylinder::new(s, c)));
        }
        for (a, c) in [(1.9e9, 5e-4), (1.0, 1.0), (1e12, 1e-9), (1e-3, 1e3)] {
            all.push(Elastic::Clearance(Clearance::new(a, c)));
        }
        all
    }

    #[test]
    fn the_force_of_a_journal_in_its_bearing_obeys_the_printed_equation() {
        for (s, c) in [(5.86e-10, 2.02e6), (1.0, 1.0), (3e-4, 1e12)] {
            let cylinder = Cylinder::new(s, c);
            let mut part = 1e-18;
            while part < 1.0 {
                let delta = part * s * c;
                let force = cylinder.force(delta);
                let back = force * s * ((c / force).ln() + 1.0);
                assert!(
                    force < c && (back / delta - 1.0).abs() < 1e-15,
                    "{part}: {back}"
                );
                part *= 1.01;
            }
            assert_eq!(cylinder.force(s * c), c);
            assert_eq!(cylinder.force(2.0 * s * c), c);
            assert_eq!((cylinder.force(0.0), cylinder.force(-1.0)), (0.0, 0.0));
        }
    }

    #[test]
    fn the_force_between_cylinders_is_the_derivative_of_its_work() {
        for curve in curves() {
            let scale = match curve {
                Elastic::Clearance(clearance) => clearance.c,
                _ => curve.limit(),
            };
            // Not nearer to the limit: the force ends there like a square root, and the quotient is no better than (step/distance)⁴.
            for part in [
                1e-8, 1e-5, 1e-3, 0.1, 0.2499, 0.2501, 0.4, 0.8, 0.95, 1.5, 30.0,
            ] {
                let (delta, step) = (part * scale, 1e-4 * part * scale);
                // Five points: the error is that of step⁴, and of the rounding of the work over 1e-4.
                let w = |k: f64| curve.work(delta + k * step);
                let slope = (w(-2.0) - 8.0 * w(-1.0) + 8.0 * w(1.0) - w(2.0)) / (12.0 * step);
                let error = slope / curve.loading(delta) - 1.0;
                assert!(error.abs() < 3e-11, "{curve:?} at {part}: {error:e}");
            }
        }
    }

    #[test]
    fn the_depth_between_cylinders_is_the_inverse_of_the_work() {
        for curve in curves() {
            let scale = match curve {
                Elastic::Clearance(clearance) => clearance.c,
                _ => curve.limit(),
            };
            for k in -300..=60 {
                let delta = scale * 10.0_f64.powf(f64::from(k) / 20.0);
                let depth = curve.depth(curve.work(delta));
                if delta < curve.limit() {
                    assert!(
                        (depth / delta - 1.0).abs() < 4e-15,
                        "{curve:?} {delta}: {depth}"
                    );
                } else {
                    assert_eq!(depth, curve.limit());
                }
            }
            assert_eq!((curve.depth(0.0), curve.work(0.0)), (0.0, 0.0));
            // Nothing but a number at the ends of the floats.
            for x in [5e-324, 1e-300, 1e150, f64::MAX] {
                let all = [curve.loading(x), curve.work(x), curve.depth(x)];
                assert!(all.iter().all(|y| *y >= 0.0), "{curve:?} {x}: {all:?}");
            }
        }
    }
}
