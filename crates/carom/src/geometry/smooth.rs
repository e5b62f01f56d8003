//! Where is a smooth outline nearest to a point, to a line or to another smooth outline?
//!
//! Nearest points obey collinearity: both normals and the line between the points are parallel (Machado et al. 2012, eq. 12–13). Written with the tangent, t₁ · d = 0 and n₁ · t₂ = 0, the
//! conditions stay regular where the gap d goes through zero. They are solved by Newton's method down to rounding; a minimum is told from other stationary points by curvatures.

use crate::geometry::curve::{Curve, Spot};
use crate::geometry::frame::{Frame, along, cross, dot, minus, norm, unit};

/// What a smooth outline is held against, in the outline's axes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Against {
    /// A disc, or a corner with its rounding.
    Disc { center: [f64; 2], radius: f64 },
    /// A round hole around it.
    Hole { center: [f64; 2], radius: f64 },
    /// A line: a point of it, and its outward normal; the layer on it is `radius` thick.
    Line {
        from: [f64; 2],
        normal: [f64; 2],
        radius: f64,
    },
}

/// A nearest place, in the axes of the smooth outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub s: [f64; 2],
    pub gap: f64,
    /// Outward of the smooth outline.
    pub normal: [f64; 2],
    /// On the smooth outline.
    pub at: [f64; 2],
    pub curvatures: [f64; 2],
    pub unique: bool,
}

/// Steps of Newton's method; far more than it takes from a warm start.
const STEPS: usize = 80;

impl Against {
    /// Half the derivative of what is least at the nearest place, and the next derivative.
    #[inline]
    pub fn slope(&self, spot: &Spot) -> [f64; 2] {
        match self {
            Against::Disc { center, .. } => {
                let w = minus(spot.at, *center);
                [dot(spot.d1, w), dot(spot.d1, spot.d1) + dot(spot.d2, w)]
            }
            Against::Hole { center, .. } => {
                let w = minus(spot.at, *center);
                [-dot(spot.d1, w), -dot(spot.d1, spot.d1) - dot(spot.d2, w)]
            }
            Against::Line { normal, .. } => [dot(spot.d1, *normal), dot(spot.d2, *normal)],
        }
    }

    /// The first of these alone, for a sample.
    #[inline]
    pub fn first_slope(&self, at: [f64; 2], d1: [f64; 2]) -> f64 {
        match self {
            Against::Disc { center, .. } => dot(d1, minus(at, *center)),
            Against::Hole { center, .. } => -dot(d1, minus(at, *center)),
            Against::Line { normal, .. } => dot(d1, *normal),
        }
    }

    /// What is known of the place with parameter s, if it is one where the solids face each other.
    #[inline]
    fn found(&self, curve: &Curve, spot: &Spot, s: f64, end: bool) -> Option<Found> {
        let outward = curve.normal(spot);
        let bend = if end {
            f64::INFINITY
        } else {
            curve.curvature(spot)
        };
        let found = match *self {
            Against::Disc { center, radius } => {
                let w = minus(center, spot.at);
                let (normal, distance) = if end {
                    unit(w, outward)
                } else {
                    (outward, dot(outward, w))
                };
                Found {
                    s: [s, 0.0],
                    gap: distance - radius,
                    normal,
                    at: spot.at,
                    curvatures: [bend, 1.0 / radius],
                    unique: distance != 0.0 || !end,
                }
            }
            Against::Hole { center, radius } => {
                let (normal, distance) = unit(minus(spot.at, center), outward);
                if !end && dot(normal, outward) < 0.0 {
                    return None;
                }
                Found {
                    s: [s, 0.0],
                    gap: radius - distance,
                    normal,
                    at: spot.at,
                    curvatures: [bend, -1.0 / radius],
                    unique: distance > 0.0,
                }
            }
            Against::Line {
                from,
                normal: [x, y],
                radius,
            } => {
                if !end && dot([x, y], outward) > 0.0 {
                    return None;
                }
                Found {
                    s: [s, 0.0],
                    gap: dot([x, y], minus(spot.at, from)) - radius,
                    normal: [-x, -y],
                    at: spot.at,
                    curvatures: [bend, 0.0],
                    unique: true,
                }
            }
        };
        found.gap.is_finite().then_some(found)
    }

    /// The local minimum that is reached downhill from s. Open curves may have it at an end.
    pub fn settle(&self, curve: &Curve, start: f64) -> Option<Found> {
        let mut s = curve.clamp(start);
        if !s.is_finite() {
            return None;
        }
        if let Against::Line {
            from,
            normal,
            radius,
        } = *self
            && let Some(found) = on_line(curve, from, normal, radius)
        {
            return Some(found);
        }
        let pitch = curve.pitch();
        let [low, high] = curve.domain;
        let span = high - low;
        // The minimum lies between a place where it goes down and one where it goes up.
        let (mut down, mut up) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..STEPS {
            let spot = curve.at(s);
            let [f, df] = self.slope(&spot);
            if !f.is_finite() {
                return None;
            }
            if !curve.closed && (s == low && f >= 0.0 || s == high && f <= 0.0) {
                return self.found(curve, &spot, s, f != 0.0);
            }
            if f <= 0.0 {
                down = down.max(s);
            }
            if f >= 0.0 {
                up = up.min(s);
            }
            let newton = -f / df;
            if df > 0.0 && newton.abs() <= 1e-11 * span {
                // Newton's steps shrink quadratically: this is the last that matters.
                s = if curve.closed {
                    s + newton
                } else {
                    (s + newton).clamp(low, high)
                };
                break;
            }
            let mut next = if df > 0.0 {
                s + newton.clamp(-4.0 * pitch, 4.0 * pitch)
            } else if f < 0.0 {
                s + pitch
            } else if f > 0.0 {
                s - pitch
            } else {
                // A maximum: either side goes down.
                s + 0.1 * pitch
            };
            if down.is_finite() && up.is_finite() && !(next > down && next < up) {
                next = 0.5 * (down + up);
            }
            if !curve.closed {
                next = next.clamp(low, high);
            }
            if next == s {
                break;
            }
            s = next;
        }
        let spot = curve.at(s);
        let [f, df] = self.slope(&spot);
        if !curve.closed && (s == low && f >= 0.0 || s == high && f <= 0.0) {
            return self.found(curve, &spot, s, f != 0.0);
        }
        // At a touch the distance is no measure of rounding: the outline itself is.
        let size = norm(spot.d1) * (curve.extent + norm(spot.at));
        if !(f.abs() <= 1e-12 * size && df * span >= -1e-9 * size) {
            return None;
        }
        self.found(curve, &spot, curve.wrap(s), false)
    }
}

/// An ellipse before a line, by its support function.
#[inline]
fn on_line(curve: &Curve, from: [f64; 2], [x, y]: [f64; 2], radius: f64) -> Option<Found> {
    let (spot, s) = curve.farthest([-x, -y])?;
    let gap = dot([x, y], minus(spot.at, from)) - radius;
    gap.is_finite().then(|| Found {
        s: [curve.wrap(s), 0.0],
        gap,
        normal: [-x, -y],
        at: spot.at,
        curvatures: [curve.curvature(&spot), 0.0],
        unique: true,
    })
}

/// A place of a curve seen from other axes.
#[inline]
pub(crate) fn placed(curve: &Curve, seen: &Frame, s: f64) -> Spot {
    let spot = curve.at(s);
    Spot {
        at: seen.point(spot.at),
        d1: seen.rotate(spot.d1),
        d2: seen.rotate(spot.d2),
    }
}

/// The nearest places of two smooth outlines near the parameters given; `seen` is where the second stands in the first's axes.
pub(crate) fn meet(a: &Curve, b: &Curve, seen: &Frame, start: [f64; 2]) -> Option<Found> {
    let at_end =
        |curve: &Curve, s: f64| !curve.closed && (s <= curve.domain[0] || s >= curve.domain[1]);
    // From the end of an open outline it may go on inwards, or stay.
    if (at_end(a, start[0]) || at_end(b, start[1]))
        && let Some(found) = meet_ends(a, b, seen, start)
    {
        return Some(found);
    }
    let [s, u] = newton(a, b, seen, start)?;
    if at_end(a, s) || at_end(b, u) {
        return meet_ends(a, b, seen, [a.clamp(s), b.clamp(u)]);
    }
    interior(a, b, seen, [s, u])
}

/// Newton's method on t₁ · d = 0 and n₁ · t₂ = 0.
fn newton(a: &Curve, b: &Curve, seen: &Frame, start: [f64; 2]) -> Option<[f64; 2]> {
    let (pitch_a, pitch_b) = (4.0 * a.pitch(), 4.0 * b.pitch());
    let spans = [a.domain[1] - a.domain[0], b.domain[1] - b.domain[0]];
    let [mut s, mut u] = start;
    let mut done = false;
    for _ in 0..STEPS {
        let (p, q) = (a.at(s), placed(b, seen, u));
        let d = minus(q.at, p.at);
        let n = a.normal(&p);
        let f1 = dot(p.d1, d);
        let f2 = dot(n, q.d1);
        let j11 = dot(p.d2, d) - dot(p.d1, p.d1);
        let j12 = dot(p.d1, q.d1);
        let j21 = a.curvature(&p) * j12;
        let j22 = dot(n, q.d2);
        let det = j11 * j22 - j12 * j21;
        let (ds, du) = ((f2 * j12 - f1 * j22) / det, (f1 * j21 - f2 * j11) / det);
        if !(ds.is_finite() && du.is_finite()) {
            return None;
        }
        let shrink = (pitch_a / ds.abs()).min(pitch_b / du.abs()).min(1.0);
        s += shrink * ds;
        u += shrink * du;
        // Beyond its ends an open outline goes on for a while, no longer.
        for (curve, x) in [(a, &mut s), (b, &mut u)] {
            if !curve.closed {
                let margin = 0.05 * (curve.domain[1] - curve.domain[0]);
                *x = x.clamp(curve.domain[0] - margin, curve.domain[1] + margin);
            }
        }
        if done {
            return Some([a.wrap(s), b.wrap(u)]);
        }
        done = ds.abs() <= 1e-11 * spans[0] && du.abs() <= 1e-11 * spans[1];
    }
    // It may hang at a margin: then the ends are asked.
    let out = |curve: &Curve, x: f64| !curve.closed && (x < curve.domain[0] || x > curve.domain[1]);
    (out(a, s) || out(b, u)).then_some([s, u])
}

/// The place as found, if it is a minimum of the gap with the solids facing each other.
fn interior(a: &Curve, b: &Curve, seen: &Frame, [s, u]: [f64; 2]) -> Option<Found> {
    let (p, q) = (a.at(s), placed(b, seen, u));
    let (n, m) = (a.normal(&p), b.normal(&q));
    let (k1, k2) = (a.curvature(&p), b.curvature(&q));
    let gap = dot(n, minus(q.at, p.at));
    // Apart, neither centre of curvature may lie between the points; overlapping, the two radii together must reach farther than the overlap.
    let minimum = dot(n, m) < 0.0
        && (gap <= 0.0 || 1.0 + k1 * gap > 0.0 && 1.0 + k2 * gap > 0.0)
        && k1 + k2 + k1 * k2 * gap > 0.0;
    (minimum && gap.is_finite()).then_some(Found {
        s: [s, u],
        gap,
        normal: n,
        at: p.at,
        curvatures: [k1, k2],
        unique: true,
    })
}

/// The nearest places with an end of one outline, or of both, taking part.
fn meet_ends(a: &Curve, b: &Curve, seen: &Frame, [s, u]: [f64; 2]) -> Option<Found> {
    let end = |curve: &Curve, s: f64| {
        if curve.closed {
            None
        } else if s <= curve.domain[0] {
            Some((curve.domain[0], 1.0))
        } else if s >= curve.domain[1] {
            Some((curve.domain[1], -1.0))
        } else {
            None
        }
    };
    if let Some((s, inward)) = end(a, s) {
        // The end of the first is a point before the second.
        let p = a.at(s);
        let here = Against::Disc {
            center: seen.inward(p.at),
            radius: 0.0,
        };
        if let Some(found) = here.settle(b, u) {
            let normal = seen.rotate(found.normal);
            // Inwards from a nearest end the gap grows.
            if inward * dot(normal, p.d1) >= 0.0 {
                return Some(Found {
                    s: [s, found.s[0]],
                    gap: found.gap,
                    normal: [-normal[0], -normal[1]],
                    at: p.at,
                    curvatures: [f64::INFINITY, found.curvatures[0]],
                    unique: found.unique,
                });
            }
        }
    }
    let (u, inward) = end(b, u)?;
    let q = placed(b, seen, u);
    let here = Against::Disc {
        center: q.at,
        radius: 0.0,
    };
    let found = here.settle(a, s)?;
    // An end on an end was asked for above.
    if inward * dot(found.normal, q.d1) < 0.0 {
        return None;
    }
    Some(Found {
        s: [found.s[0], u],
        curvatures: [found.curvatures[0], f64::INFINITY],
        ..found
    })
}

/// Calls for every place where a minimum of one outline against a disc, a hole or a line may be: between samples where the slope turns from down to up, and at ends.
pub(crate) fn scan(curve: &Curve, against: &Against, mut call: impl FnMut(f64)) {
    let samples = &curve.samples;
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return;
    };
    let slope = |k: usize| against.first_slope(samples[k].at, samples[k].slope);
    let mut before = slope(0);
    if !curve.closed && before >= 0.0 {
        call(first.s);
    }
    let pitch = curve.pitch();
    let count = samples.len();
    for k in 1..=count {
        if k == count && !curve.closed {
            break;
        }
        let here = slope(k % count);
        if before < 0.0 && here >= 0.0 {
            call(samples[k - 1].s + pitch * before / (before - here));
        }
        before = here;
    }
    if !curve.closed && before <= 0.0 {
        call(last.s);
    }
}

/// Calls for every pair of parameters near which two outlines may be nearest: cells of the two rows of samples over which both conditions change their signs.
pub(crate) fn scan_both(a: &Curve, b: &Curve, seen: &Frame, mut call: impl FnMut([f64; 2])) {
    const MOST: usize = 128;
    // The second outline's samples in the first's axes: at, slope.
    let mut row = [([0.0; 2], [0.0; 2]); MOST + 1];
    let thin = |curve: &Curve| curve.samples.len().div_ceil(MOST);
    let (step_a, step_b) = (thin(a), thin(b));
    let pick = |curve: &Curve, step: usize, k: usize| {
        let count = curve.samples.len();
        let k = k * step;
        if curve.closed {
            k % count.max(1)
        } else {
            k.min(count.saturating_sub(1))
        }
    };
    let cells = |curve: &Curve, step: usize| {
        let n = curve.samples.len();
        let steps = if curve.closed { n } else { n.saturating_sub(1) };
        steps.div_ceil(step)
    };
    // A closed row that the step does not divide is a little short at its end: the last cell closes it.
    let (cells_a, cells_b) = (cells(a, step_a), cells(b, step_b).min(MOST));
    let index = |curve: &Curve, step: usize, cells: usize, k: usize| {
        if k == cells && curve.closed {
            0
        } else {
            pick(curve, step, k)
        }
    };
    for (k, slot) in row.iter_mut().enumerate().take(cells_b + 1) {
        let sample = &b.samples[index(b, step_b, cells_b, k)];
        *slot = (seen.point(sample.at), seen.rotate(sample.slope));
    }
    let conditions = |i: usize, j: usize| {
        let sample = &a.samples[i];
        let (at, slope) = row[j];
        (
            dot(sample.slope, minus(at, sample.at)) >= 0.0,
            cross(sample.slope, slope) >= 0.0,
            dot(sample.slope, slope) * a.side * b.side < 0.0,
        )
    };
    let mut last = [(false, false, false); MOST + 1];
    for (j, slot) in last.iter_mut().enumerate().take(cells_b + 1) {
        *slot = conditions(index(a, step_a, cells_a, 0), j);
    }
    for k in 1..=cells_a {
        let i = index(a, step_a, cells_a, k);
        let mut corner = (last[0], conditions(i, 0));
        last[0] = corner.1;
        for j in 1..=cells_b {
            let new = (last[j], conditions(i, j));
            let four = [corner.0, corner.1, new.0, new.1];
            let mixed = |f: fn(&(bool, bool, bool)) -> bool| {
                let first = f(&four[0]);
                four.iter().any(|c| f(c) != first)
            };
            if mixed(|c| c.0) && mixed(|c| c.1) && four.iter().any(|c| c.2) {
                call([
                    a.domain[0] + a.pitch() * (step_a as f64) * (k as f64 - 0.5),
                    b.domain[0] + b.pitch() * (step_b as f64) * (j as f64 - 0.5),
                ]);
            }
            last[j] = new.1;
            corner = new;
        }
    }
}

/// How many samples to either side a place that is lost is sought.
pub(crate) const FAR: usize = 16;

/// As [`scan_both`], among the nearest samples of the two outlines alone.
pub(crate) fn scan_near(
    a: &Curve,
    b: &Curve,
    seen: &Frame,
    [s, u]: [f64; 2],
    mut call: impl FnMut([f64; 2]),
) {
    /// The samples around a parameter: from which, and how many cells.
    fn window(curve: &Curve, s: f64) -> (usize, usize) {
        let n = curve.samples.len();
        let at = ((curve.clamp(s) - curve.domain[0]) / curve.pitch()).round();
        let at = if at > 0.0 { (at as usize).min(n) } else { 0 };
        if curve.closed {
            let cells = (2 * FAR).min(n);
            ((at + n - (cells / 2).min(n)) % n.max(1), cells)
        } else {
            let from = at.saturating_sub(FAR);
            (from, (at + FAR).min(n.saturating_sub(1)) - from.min(n))
        }
    }
    let ((from_a, cells_a), (from_b, cells_b)) = (window(a, s), window(b, u));
    if a.samples.is_empty() || b.samples.is_empty() {
        return;
    }
    let mut row = [([0.0; 2], [0.0; 2]); 2 * FAR + 1];
    for (k, slot) in row.iter_mut().enumerate().take(cells_b + 1) {
        let sample = &b.samples[(from_b + k) % b.samples.len()];
        *slot = (seen.point(sample.at), seen.rotate(sample.slope));
    }
    let conditions = |k: usize, j: usize| {
        let sample = &a.samples[(from_a + k) % a.samples.len()];
        let (at, slope) = row[j];
        (
            dot(sample.slope, minus(at, sample.at)) >= 0.0,
            cross(sample.slope, slope) >= 0.0,
            dot(sample.slope, slope) * a.side * b.side < 0.0,
        )
    };
    let mut last = [(false, false, false); 2 * FAR + 1];
    for (j, slot) in last.iter_mut().enumerate().take(cells_b + 1) {
        *slot = conditions(0, j);
    }
    for k in 1..=cells_a {
        let mut corner = (last[0], conditions(k, 0));
        last[0] = corner.1;
        for j in 1..=cells_b {
            let new = (last[j], conditions(k, j));
            let four = [corner.0, corner.1, new.0, new.1];
            let mixed = |f: fn(&(bool, bool, bool)) -> bool| {
                let first = f(&four[0]);
                four.iter().any(|c| f(c) != first)
            };
            if mixed(|c| c.0) && mixed(|c| c.1) && four.iter().any(|c| c.2) {
                call([
                    a.wrap(a.domain[0] + a.pitch() * ((from_a + k) as f64 - 0.5)),
                    b.wrap(b.domain[0] + b.pitch() * ((from_b + j) as f64 - 0.5)),
                ]);
            }
            last[j] = new.1;
            corner = new;
        }
    }
}

/// The point of the second surface, in the first's axes.
#[inline]
pub(crate) fn opposite(found: &Found) -> [f64; 2] {
    along(found.at, found.gap, found.normal)
}
