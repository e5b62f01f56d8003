//! Is a function a finite number over a whole range, and if not, where?

/// How often a function is looked at over its range.
const TIMES: usize = 200;

/// How much a value must have grown over the second half of a search that closes in on it, to be on its way to infinity.
const GROWTH: f64 = 100.0;

/// Where a function is no finite number.
pub(crate) struct Pole {
    pub at: f64,
    /// Whether it is the derivatives that are not, and the value is.
    pub derivatives: bool,
}

/// Where a function, or its first or second derivative, is no finite number between `start` and `end`: on a grid, and where it is largest or changes its sign between two points of the grid.
/// A pole narrower than the grid that leaves no trace on it is not found.
pub(crate) fn pole(function: &dyn Fn(f64) -> [f64; 3], start: f64, end: f64) -> Option<Pole> {
    let pole = |at: f64| Pole {
        at,
        derivatives: false,
    };
    let at = |i: usize| start + (end - start) * i as f64 / TIMES as f64;
    let samples: Vec<[f64; 3]> = (0..=TIMES).map(|i| function(at(i))).collect();
    if let Some(i) = samples.iter().position(|values| !sound(values)) {
        let value = samples.get(i).map_or(f64::NAN, |values| values[0]);
        return Some(Pole {
            at: at(i),
            derivatives: value.is_finite(),
        });
    }
    if !(end > start) {
        return None;
    }
    // The value alone: where it has a pole its derivatives have one too, and a kink of a derivative is nobody's fault.
    let value = |x: f64| function(x)[0];
    for i in 0..TIMES {
        let here = samples.get(i).map_or(0.0, |values| values[0]);
        let next = samples.get(i + 1).map_or(0.0, |values| values[0]);
        if here * next < 0.0
            && let Some(x) = crossing(&value, at(i), at(i + 1))
        {
            return Some(pole(x));
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
            if let Some(x) = summit(&value, low, high) {
                return Some(pole(x));
            }
        }
    }
    None
}

fn sound(values: &[f64; 3]) -> bool {
    values.iter().all(|value| value.is_finite())
}

/// Halves an interval in which the sign changes: at a zero the value fades, at a pole it grows without end.
fn crossing(value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> Option<f64> {
    let sign = value(low) > 0.0;
    let mut sizes = Vec::new();
    for _ in 0..60 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let there = value(middle);
        if !there.is_finite() {
            return Some(middle);
        }
        sizes.push(there.abs());
        if (there > 0.0) == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    grows(&sizes).then_some(low)
}

/// Narrows an interval down to where the value is largest.
fn summit(value: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> Option<f64> {
    let mut sizes = Vec::new();
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        if !(low < left && left < right && right < high) {
            break;
        }
        let (a, b) = (value(left), value(right));
        if !a.is_finite() {
            return Some(left);
        }
        if !b.is_finite() {
            return Some(right);
        }
        sizes.push(a.abs().max(b.abs()));
        if a.abs() < b.abs() {
            low = left;
        } else {
            high = right;
        }
    }
    grows(&sizes).then_some(low)
}

/// Whether values on the way to a point run off: those of a smooth function settle.
fn grows(sizes: &[f64]) -> bool {
    match (sizes.get(sizes.len() / 2), sizes.last()) {
        (Some(middle), Some(last)) => *last > GROWTH * *middle && *middle > 0.0,
        _ => false,
    }
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

/// Where short peaks of a function begin and end that an integrator could step over: at most a sixteenth of the range long, with little happening around. `breaks`, rising, are known already:
/// what stands out because of one of them is no peak.
pub(crate) fn peaks(
    function: &dyn Fn(f64) -> f64,
    start: f64,
    end: f64,
    breaks: &[f64],
) -> Vec<f64> {
    /// How often it is looked at.
    const FINE: usize = 2000;
    /// Bends (second differences) below this part of the whole rise are no event …
    const FLAT: f64 = 1e-3;
    /// … and a peak has one that is larger by this: a sine that bends as much bends nearly everywhere.
    const SHARP: f64 = 4.0;
    /// Peaks of one function.
    const MOST: usize = 1000;
    let at = |i: usize| start + (end - start) * i.min(FINE) as f64 / FINE as f64;
    let values: Vec<f64> = (0..=FINE).map(|i| function(at(i))).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let rise = high - low;
    if !(rise > 0.0 && rise.is_finite() && end > start) {
        return Vec::new();
    }
    // Runs of bends: first, last and the sharpest. A gap no longer than the run before it is part of it.
    let mut runs: Vec<(usize, usize, f64)> = Vec::new();
    for (i, three) in values.windows(3).enumerate() {
        let &[a, b, c] = three else { continue };
        let bend = ((c - b) - (b - a)).abs() / rise;
        if bend <= FLAT {
            continue;
        }
        match runs.last_mut() {
            Some((first, last, sharpest)) if i - *last <= (*last - *first).max(2) + 1 => {
                *last = i;
                *sharpest = sharpest.max(bend);
            }
            _ => runs.push((i, i, bend)),
        }
    }
    let mut found = Vec::new();
    for (first, last, sharpest) in runs {
        // The bend i is about the places i to i + 2; a quarter more on both sides for the feet.
        let margin = 1 + (last - first) / 4;
        let ends = [at(first.saturating_sub(margin)), at(last + 2 + margin)];
        let known = breaks.partition_point(|x| *x < ends[0]);
        let explained = breaks.get(known).is_some_and(|x| *x <= ends[1]);
        if sharpest >= SHARP * FLAT && last - first <= FINE / 16 && !explained {
            found.extend(ends);
        }
        if found.len() > 2 * MOST {
            return Vec::new();
        }
    }
    found
}

/// A place as it stands in a message: six digits.
pub(crate) fn rounded(x: f64) -> f64 {
    let text = format!("{x:.5e}");
    text.parse().unwrap_or(x)
}
