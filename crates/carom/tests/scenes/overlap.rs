//! How deep does one outline stand in another, by means that share nothing with the gaps of the library: points on outlines, windings and distances?

use carom::geometry::Shape;

/// Where a body stands: x, y (m), angle (rad).
pub type Stand = [f64; 3];

enum Form {
    /// Inside of a circle, or outside.
    Round {
        center: [f64; 2],
        radius: f64,
        hole: bool,
    },
    Plane {
        point: [f64; 2],
        normal: [f64; 2],
    },
    /// A closed outline with a side that is solid.
    Closed {
        hole: bool,
    },
    /// A profile with ends, or a line: only passing through it can be told.
    Open {
        line: bool,
        left: bool,
    },
}

/// An outline as points in its body's axes.
pub struct Outline {
    form: Form,
    /// The outline, for windings and distances.
    walk: Vec<[f64; 2]>,
    /// Points on it, close together.
    points: Vec<[f64; 2]>,
    center: [f64; 2],
    reach: f64,
    /// How near it comes to its centre, m.
    inner: f64,
    /// How far the walk may be off the outline, m.
    sag: f64,
    /// About how thick it is, m; infinite without a far side.
    pub thickness: f64,
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn norm(a: [f64; 2]) -> f64 {
    a[0].hypot(a[1])
}

/// From a body's axes into the ground's.
pub fn placed(p: [f64; 2], [x, y, phi]: Stand) -> [f64; 2] {
    let (s, c) = phi.sin_cos();
    [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]]
}

/// From the ground's axes into a body's.
pub fn local(p: [f64; 2], [x, y, phi]: Stand) -> [f64; 2] {
    let (s, c) = phi.sin_cos();
    let [dx, dy] = [p[0] - x, p[1] - y];
    [c * dx + s * dy, c * dy - s * dx]
}

/// Distance from a piece of a walk.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (ab, ap) = (minus(b, a), minus(p, a));
    let s = (dot(ap, ab) / dot(ab, ab).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    norm([ap[0] - s * ab[0], ap[1] - s * ab[1]])
}

impl Outline {
    pub fn new(shape: &Shape) -> Self {
        let walk = shape.outline(360);
        let open = match shape.kind() {
            "arc" | "polynomial" | "polyline" => true,
            "segment" => walk.len() <= 3,
            _ => false,
        };
        let left = shape.solid_on_the_left();
        let n = walk.len() as f64;
        let mean = walk
            .iter()
            .fold([0.0; 2], |m, p| [m[0] + p[0] / n, m[1] + p[1] / n]);
        let mut center = mean;
        let mut sag = 0.0_f64;
        let form = match shape.kind() {
            "circle" | "bore" => {
                // The first point is repeated at the end: it counts once.
                let k = n - 1.0;
                center = walk
                    .iter()
                    .skip(1)
                    .fold([0.0; 2], |m, p| [m[0] + p[0] / k, m[1] + p[1] / k]);
                Form::Round {
                    center,
                    radius: norm(minus(walk[0], center)),
                    hole: !left,
                }
            }
            "half-plane" => {
                let d = minus(walk[1], walk[0]);
                let l = norm(d);
                let side = if left { 1.0 } else { -1.0 };
                Form::Plane {
                    point: mean,
                    normal: [side * d[1] / l, -side * d[0] / l],
                }
            }
            _ if open => Form::Open {
                line: shape.kind() == "segment",
                left,
            },
            _ => {
                let area: f64 = walk
                    .windows(2)
                    .map(|w| cross(minus(w[0], mean), minus(w[1], mean)))
                    .sum();
                Form::Closed {
                    hole: (area > 0.0) != left,
                }
            }
        };
        if shape.kind() == "curve" || shape.kind() == "ellipse" {
            for w in walk.windows(3) {
                sag = sag.max(0.5 * distance(w[1], w[0], w[2]));
            }
        }
        let reach = walk
            .iter()
            .fold(0.0_f64, |r, p| r.max(norm(minus(*p, center))));
        let perimeter: f64 = walk.windows(2).map(|w| norm(minus(w[1], w[0]))).sum();
        let mut points = Vec::new();
        if !matches!(form, Form::Plane { .. }) {
            for w in walk.windows(2) {
                let pieces = (norm(minus(w[1], w[0])) / (perimeter / 180.0))
                    .ceil()
                    .max(1.0);
                for i in 0..pieces as usize {
                    let s = i as f64 / pieces;
                    points.push([
                        w[0][0] + s * (w[1][0] - w[0][0]),
                        w[0][1] + s * (w[1][1] - w[0][1]),
                    ]);
                }
            }
            points.extend(walk.last());
        }
        let thickness = match &form {
            Form::Plane { .. } | Form::Round { hole: true, .. } | Form::Closed { hole: true } => {
                f64::INFINITY
            }
            Form::Round { radius, .. } => 2.0 * radius,
            // Twice the distance of the middle from the outline: wrong only where there is a deep dent.
            Form::Closed { .. } => {
                let near = walk
                    .windows(2)
                    .map(|w| distance(center, w[0], w[1]))
                    .fold(f64::INFINITY, f64::min);
                2.0 * near
            }
            Form::Open { .. } => 0.1 * reach,
        };
        let near = walk.windows(2).map(|w| distance(center, w[0], w[1]));
        Self {
            inner: near.fold(f64::INFINITY, f64::min),
            form,
            walk,
            points,
            center,
            reach,
            sag,
            thickness,
        }
    }

    /// How deep a point (in the body's axes) stands in the solid, m; zero outside.
    fn depth(&self, p: [f64; 2]) -> f64 {
        let depth = match self.form {
            Form::Round {
                center,
                radius,
                hole,
            } => {
                let d = radius - norm(minus(p, center));
                if hole { -d } else { d }
            }
            Form::Plane { point, normal } => -dot(normal, minus(p, point)),
            Form::Open { .. } => 0.0,
            Form::Closed { hole: true } if norm(minus(p, self.center)) < self.inner => 0.0,
            Form::Closed { hole } => {
                let mut winding = 0;
                for w in self.walk.windows(2) {
                    let [a, b] = [minus(w[0], p), minus(w[1], p)];
                    if (a[1] <= 0.0) != (b[1] <= 0.0) {
                        let left = cross(a, b) > 0.0;
                        if b[1] > 0.0 && left {
                            winding += 1;
                        } else if b[1] <= 0.0 && !left {
                            winding -= 1;
                        }
                    }
                }
                if (winding != 0) == hole {
                    0.0
                } else {
                    self.walk
                        .windows(2)
                        .map(|w| distance(p, w[0], w[1]))
                        .fold(f64::INFINITY, f64::min)
                }
            }
        };
        depth.max(0.0)
    }

    /// A profile with ends, or a line.
    pub fn is_open(&self) -> bool {
        matches!(self.form, Form::Open { line: false, .. })
    }

    fn far_side(&self) -> bool {
        !matches!(
            self.form,
            Form::Plane { .. } | Form::Round { hole: true, .. } | Form::Closed { hole: true }
        )
    }
}

/// How deep two outlines overlap, m, and how far that may be wrong.
pub fn overlap(outlines: [&Outline; 2], stands: [Stand; 2]) -> (f64, f64) {
    let [one, two] = outlines;
    let off = 3.0 * one.sag.max(two.sag);
    if one.far_side() && two.far_side() {
        let apart = norm(minus(
            placed(one.center, stands[0]),
            placed(two.center, stands[1]),
        ));
        if apart > one.reach + two.reach {
            return (0.0, off);
        }
    }
    // All that is inside stays clear of the walls around it.
    for (hole, at, other, stand) in [
        (one, stands[0], two, stands[1]),
        (two, stands[1], one, stands[0]),
    ] {
        if matches!(hole.form, Form::Closed { hole: true })
            && !matches!(other.form, Form::Plane { .. })
        {
            let apart = norm(minus(placed(hole.center, at), placed(other.center, stand)));
            if apart + other.reach < hole.inner {
                return (0.0, off);
            }
        }
    }
    let deepest = |inner: &Outline, at: Stand, outer: &Outline, around: Stand| {
        let mut most = 0.0_f64;
        for p in &inner.points {
            let q = local(placed(*p, at), around);
            if outer.far_side() && norm(minus(q, outer.center)) > outer.reach {
                continue;
            }
            most = most.max(outer.depth(q));
        }
        most
    };
    let a = deepest(one, stands[0], two, stands[1]);
    let b = deepest(two, stands[1], one, stands[0]);
    let depth = if a > 0.0 && b > 0.0 {
        a.min(b)
    } else {
        a.max(b)
    };
    (depth, off)
}

/// Whether the middle of one went through the line or the open profile that the other is, from the side where it is not solid.
pub fn passed(outlines: [&Outline; 2], before: [Stand; 2], now: [Stand; 2]) -> bool {
    let through = |wall: &Outline, who: &Outline, from: [Stand; 2], to: [Stand; 2]| {
        let Form::Open { line, left } = wall.form else {
            return false;
        };
        if !who.far_side() || matches!(who.form, Form::Open { .. }) {
            return false;
        }
        let p = local(placed(who.center, from[1]), from[0]);
        let q = local(placed(who.center, to[1]), to[0]);
        wall.walk.windows(2).any(|w| {
            let (d, e) = (minus(w[1], w[0]), minus(q, p));
            let [a, b] = [cross(d, minus(p, w[0])), cross(d, minus(q, w[0]))];
            let [c, f] = [cross(e, minus(w[0], p)), cross(e, minus(w[1], p))];
            let into = if left {
                a < 0.0 && b > 0.0
            } else {
                a > 0.0 && b < 0.0
            };
            (into || line && a * b < 0.0) && c * f < 0.0
        })
    };
    through(outlines[0], outlines[1], before, now)
        || through(
            outlines[1],
            outlines[0],
            [before[1], before[0]],
            [now[1], now[0]],
        )
}
