//! At which lowest speed does a curve that starts at zero first reach a value?

/// Steps of the search: each speed is so many times the one before.
const RATIO: f64 = 1.02;
/// More than the doubles there are between the smallest and the largest number.
const MOST: usize = 80_000;

/// The lowest `v` > 0 with `curve(v) = target`, if there is one up to `far`. The curve is zero at zero, rises up to `near` at least, and has features no narrower than a fiftieth of their speed.
pub(super) fn first_crossing(
    curve: impl Fn(f64) -> f64,
    target: f64,
    near: f64,
    far: f64,
) -> Option<f64> {
    if target <= 0.0 {
        return Some(0.0);
    }
    let (mut before, mut low, mut v) = (0.0, 0.0, near);
    for _ in 0..MOST {
        let here = curve(v);
        if here >= target {
            return Some(bisect(&curve, target, low, v));
        }
        // A top between two points may reach what they do not.
        if curve(low) > here && low > before {
            let top = highest(&curve, before, v);
            if curve(top) >= target {
                return Some(bisect(&curve, target, before, top));
            }
        }
        if !(v < far) {
            return None;
        }
        (before, low, v) = (low, v, v * RATIO);
    }
    None
}

/// Halves until the doubles run out; `curve(low) < target <= curve(high)`.
fn bisect(curve: &impl Fn(f64) -> f64, target: f64, mut low: f64, mut high: f64) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            return high;
        }
        if curve(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The place of the one top between two ends, by golden section.
fn highest(curve: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..60 {
        let left = high - GOLDEN * (high - low);
        let right = low + GOLDEN * (high - low);
        if curve(left) < curve(right) {
            low = left;
        } else {
            high = right;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_crossings_is_found() {
        // v(2 − v) reaches 3/4 at 1/2 and at 3/2.
        let found = first_crossing(|v| v * (2.0 - v), 0.75, 1e-3, 10.0);
        assert!((found.unwrap_or(0.0) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_top_between_two_points_of_the_search_is_not_missed() {
        // 1 − 1e-9 is reached only within 3.2e-5 of the top at 1.
        let found = first_crossing(|v| v * (2.0 - v), 1.0 - 1e-9, 1e-3, 10.0);
        assert!((found.unwrap_or(0.0) - (1.0 - 1e-9_f64.sqrt())).abs() < 1e-7);
        assert_eq!(
            first_crossing(|v| v * (2.0 - v), 1.0 + 1e-9, 1e-3, 10.0),
            None
        );
    }

    #[test]
    fn small_values_are_found_to_their_own_last_digits() {
        let found = first_crossing(|v| v, 1e-200, 1e-3, 10.0);
        assert_eq!(found, Some(1e-200));
    }
}
