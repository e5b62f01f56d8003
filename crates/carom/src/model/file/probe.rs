//! Is a function a finite number over a whole range, and if not, where?

/// How often a function is looked at over its range.
const TIMES: usize = 200;

/// How much larger than anywhere on the grid a value must be to count as a pole.
const HUGE: f64 = 1e7;

/// Where a function, or its first or second derivative, is no finite number between `start` and `end`: on a grid, and where it is largest or changes its sign between two points of the grid.
/// A pole narrower than the grid that leaves no trace on it is not found.
pub(crate) fn pole(function: &dyn Fn(f64) -> [f64; 3], start: f64, end: f64) -> Option<f64> {
    let at = |i: usize| start + (end - start) * i as f64 / TIMES as f64;
    let samples: Vec<[f64; 3]> = (0..=TIMES).map(|i| function(at(i))).collect();
    if let Some(i) = samples.iter().position(|values| !sound(values)) {
        return Some(at(i));
    }
    if !(end > start) {
        return None;
    }
    // The value alone: where it has a pole its derivatives have one too, and a kink of a derivative is nobody's fault.
    let value = |x: f64| function(x)[0];
    let largest = samples
        .iter()
        .fold(0.0_f64, |m, values| m.max(values[0].abs()));
    let limit = HUGE * largest.max(f64::MIN_POSITIVE);
    for i in 0..TIMES {
        let here = samples.get(i).map_or(0.0, |values| values[0]);
        let next = samples.get(i + 1).map_or(0.0, |values| values[0]);
        if here * next < 0.0
            && let Some(x) = crossing(&value, at(i), at(i + 1), limit)
        {
            return Some(x);
        }
    }
    for i in 0..=TIMES {
        let size = |i: usize| samples.get(i).map_or(0.0, |values| values[0].abs());
        let before = i.checked_sub(1).map_or(0.0, size);
        let peak = size(i) >= before && size(i) >= size(i + 1) && size(i) > 0.0;
        let flat = size(i) == before && size(i) == size(i + 1);
        if peak && !flat {
            let low = at(i.saturating_sub(1));
            let high = at((i + 1).min(TIMES));
            if let Some(x) = summit(&value, low, high, limit) {
                return Some(x);
            }
        }
    }
    None
}

fn sound(values: &[f64; 3]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Halves an interval in which the sign changes: at a zero the value fades, at a pole it grows.
fn crossing(value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64, limit: f64) -> Option<f64> {
    let sign = value(low) > 0.0;
    for _ in 0..80 {
        let middle = low + (high - low) / 2.0;
        let there = value(middle);
        if !(there.abs() <= limit) {
            return Some(middle);
        }
        if middle <= low || middle >= high {
            break;
        }
        if (there > 0.0) == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    None
}

/// Narrows an interval down to where the value is largest.
fn summit(value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64, limit: f64) -> Option<f64> {
    for _ in 0..80 {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        let (a, b) = (value(left), value(right));
        if !(a.abs() <= limit) {
            return Some(left);
        }
        if !(b.abs() <= limit) {
            return Some(right);
        }
        if !(left < right) {
            break;
        }
        if a.abs() < b.abs() {
            low = left;
        } else {
            high = right;
        }
    }
    None
}

/// Where a function is not above zero on the grid of its range.
pub(crate) fn not_above_zero(
    function: &dyn Fn(f64) -> f64,
    start: f64,
    end: f64,
) -> Option<(f64, f64)> {
    let at = |i: usize| start + (end - start) * i as f64 / TIMES as f64;
    let values = (0..=TIMES).map(|i| (at(i), function(at(i))));
    values.into_iter().find(|(_, value)| !(*value > 0.0))
}

/// A place as it stands in a message: six digits.
pub(crate) fn rounded(x: f64) -> f64 {
    let text = format!("{x:.5e}");
    text.parse().unwrap_or(x)
}
