//! Where does a smooth outline run, and how does it bend there?

use crate::geometry::chain::extent;
use crate::geometry::frame::{along, cross, dot, minus, norm, right, times, unit};
use crate::math;

/// The formula of a smooth outline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// |x/a|^p + |y/b|^p = 1, by the polar angle of (x/a, y/b): a parameter that is regular at flat and at round places alike.
    Ellipse {
        center: [f64; 2],
        axes: [f64; 2],
        turn: [f64; 2],
        p: f64,
    },
    /// A circle's part, by angle.
    Arc { center: [f64; 2], radius: f64 },
    /// y = c0 + c1 x + …, by x.
    Polynomial {
        coefficients: Vec<f64>,
        place: [f64; 2],
        turn: [f64; 2],
    },
    /// A cubic spline, by the length of its chords: places, then value and second derivative at each.
    Spline {
        knots: Vec<f64>,
        nodes: Vec<[[f64; 2]; 2]>,
    },
}

/// One point of an outline that is kept for global searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    pub s: f64,
    pub at: [f64; 2],
    /// Derivative by s.
    pub slope: [f64; 2],
}

/// A smooth outline, closed or open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub form: Form,
    /// Where its parameter begins and ends.
    pub domain: [f64; 2],
    pub closed: bool,
    /// 1 if the solid is on the left of the walk, −1 if on the right.
    pub side: f64,
    /// Closed, and bent one way everywhere with the solid inside.
    pub convex: bool,
    /// Closed, with the solid outside.
    pub hole: bool,
    /// In the order of the walk; a closed curve's first point is not repeated.
    pub samples: Vec<Sample>,
    /// Diagonal of its box, m.
    pub extent: f64,
    /// How far from its body's origin it reaches, m.
    pub reach: f64,
    /// Half the thickness of the solid where it is thinnest, m; infinite around a hole.
    pub inner: f64,
}

/// A place of an outline in the axes of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub at: [f64; 2],
    /// First and second derivative by the parameter.
    pub d1: [f64; 2],
    pub d2: [f64; 2],
}

impl Curve {
    pub fn new(form: Form, domain: [f64; 2], closed: bool, side: f64, count: usize) -> Self {
        let mut curve = Self {
            form,
            domain,
            closed,
            side,
            convex: closed,
            hole: false,
            samples: Vec::with_capacity(count + 1),
            extent: 0.0,
            reach: 0.0,
            inner: f64::INFINITY,
        };
        let last = if closed { count } else { count + 1 };
        let mut points = Vec::with_capacity(last);
        for i in 0..last {
            let s = domain[0] + (domain[1] - domain[0]) * (i as f64 / count as f64);
            let spot = curve.at(s);
            curve.samples.push(Sample {
                s,
                at: spot.at,
                slope: spot.d1,
            });
            points.push(spot.at);
        }
        curve.extent = extent(&points);
        curve.reach = points.iter().map(|p| norm(*p)).fold(0.0, f64::max);
        // A little bending the other way is rounding of the numbers given, not a dent.
        curve.convex = closed
            && curve
                .samples
                .iter()
                .all(|sample| curve.curvature(&curve.at(sample.s)) * curve.extent >= -1e-9);
        curve.inner = 0.5 * curve.thickness();
        curve
    }

    /// The least way through the solid of a closed curve, along the inward normals of its samples, to a face that looks the other way; m.
    fn thickness(&self) -> f64 {
        let n = self.samples.len();
        let mut least = f64::INFINITY;
        if !self.closed {
            return least;
        }
        for sample in &self.samples {
            let inward = times(-self.side / norm(sample.slope), right(sample.slope));
            for k in 0..n {
                let (a, b) = (&self.samples[k], &self.samples[(k + 1) % n]);
                let (p, q) = (minus(a.at, sample.at), minus(b.at, sample.at));
                let (cp, cq) = (cross(inward, p), cross(inward, q));
                if cp * cq > 0.0 || cp == cq {
                    continue;
                }
                let t = cp / (cp - cq);
                let way = dot(inward, along(p, t, minus(q, p)));
                // The neighbourhood of the sample itself is no far side.
                if way > 1e-6 * self.extent && dot(a.slope, sample.slope) < 0.0 {
                    least = least.min(way);
                }
            }
        }
        least
    }

    /// The place with this parameter, which a closed curve wraps and an open one goes on beyond its ends.
    #[inline]
    pub fn at(&self, s: f64) -> Spot {
        match &self.form {
            Form::Ellipse {
                center,
                axes,
                turn,
                p,
            } => {
                let (sin, cos) = math::sin_cos(s);
                on_ellipse(center, axes, turn, *p, [cos, sin])
            }
            Form::Arc { center, radius } => {
                let (sin, cos) = math::sin_cos(s);
                Spot {
                    at: along(*center, *radius, [cos, sin]),
                    d1: [-radius * sin, radius * cos],
                    d2: [-radius * cos, -radius * sin],
                }
            }
            Form::Polynomial {
                coefficients,
                place,
                turn,
            } => {
                let (mut y, mut dy, mut ddy) = (0.0, 0.0, 0.0);
                for c in coefficients.iter().rev() {
                    ddy = ddy * s + 2.0 * dy;
                    dy = dy * s + y;
                    y = y * s + c;
                }
                let turned = |v: [f64; 2]| {
                    [
                        turn[0] * v[0] - turn[1] * v[1],
                        turn[1] * v[0] + turn[0] * v[1],
                    ]
                };
                Spot {
                    at: along(*place, 1.0, turned([s, y])),
                    d1: turned([1.0, dy]),
                    d2: turned([0.0, ddy]),
                }
            }
            Form::Spline { knots, nodes } => spline(knots, nodes, self.wrap(s)),
        }
    }

    /// The place of an ellipse that reaches farthest in this direction, and its parameter: where (x/a, y/b) is parallel to (|a d₁|^(q−1), |b d₂|^(q−1)) with 1/p + 1/q = 1. Other outlines
    /// have no such closed form.
    #[inline]
    pub fn farthest(&self, direction: [f64; 2]) -> Option<(Spot, f64)> {
        let Form::Ellipse {
            center,
            axes,
            turn,
            p,
        } = &self.form
        else {
            return None;
        };
        let x = axes[0] * (turn[0] * direction[0] + turn[1] * direction[1]);
        let y = axes[1] * (turn[0] * direction[1] - turn[1] * direction[0]);
        let toward = if *p == 2.0 {
            [x, y]
        } else {
            let largest = x.abs().max(y.abs());
            let power = |x: f64| math::powf(x.abs() / largest, 1.0 / (p - 1.0)).copysign(x);
            [power(x), power(y)]
        };
        let ([cos, sin], _) = unit(toward, [1.0, 0.0]);
        let spot = on_ellipse(center, axes, turn, *p, [cos, sin]);
        Some((spot, math::atan2(sin, cos)))
    }

    /// A closed curve's parameter brought into its domain.
    #[inline]
    pub fn wrap(&self, s: f64) -> f64 {
        if !self.closed {
            return s;
        }
        let period = self.domain[1] - self.domain[0];
        let wrapped = s - period * ((s - self.domain[0]) / period).floor();
        if wrapped.is_finite() {
            wrapped
        } else {
            self.domain[0]
        }
    }

    /// The parameter kept between the ends of an open curve.
    #[inline]
    pub fn clamp(&self, s: f64) -> f64 {
        if self.closed {
            self.wrap(s)
        } else {
            s.max(self.domain[0]).min(self.domain[1])
        }
    }

    /// How far two parameters are from each other, the short way round.
    #[inline]
    pub fn apart(&self, a: f64, b: f64) -> f64 {
        if !self.closed {
            return (a - b).abs();
        }
        let period = self.domain[1] - self.domain[0];
        let d = (self.wrap(a) - self.wrap(b)).abs();
        d.min(period - d)
    }

    /// The parameter between two samples.
    pub fn pitch(&self) -> f64 {
        let steps = self.samples.len().saturating_sub(usize::from(!self.closed));
        (self.domain[1] - self.domain[0]) / steps.max(1) as f64
    }

    /// The outward normal, of length 1.
    #[inline]
    pub fn normal(&self, spot: &Spot) -> [f64; 2] {
        times(self.side / norm(spot.d1), right(spot.d1))
    }

    /// 1/m, convex positive.
    #[inline]
    pub fn curvature(&self, spot: &Spot) -> f64 {
        let speed2 = dot(spot.d1, spot.d1);
        self.side * cross(spot.d1, spot.d2) / (speed2 * math::sqrt(speed2))
    }
}

/// A place of an ellipse by the cosine and sine of its parameter.
#[inline]
fn on_ellipse(
    center: &[f64; 2],
    axes: &[f64; 2],
    turn: &[f64; 2],
    p: f64,
    direction: [f64; 2],
) -> Spot {
    let [u, du, ddu] = superellipse(direction, p);
    let place = |v: [f64; 2]| {
        let (x, y) = (axes[0] * v[0], axes[1] * v[1]);
        [turn[0] * x - turn[1] * y, turn[1] * x + turn[0] * y]
    };
    Spot {
        at: along(*center, 1.0, place(u)),
        d1: place(du),
        d2: place(ddu),
    }
}

/// The unit superellipse |u|^p + |v|^p = 1 and its two derivatives by the polar angle, whose cosine and sine are given.
#[inline]
fn superellipse([cos, sin]: [f64; 2], p: f64) -> [[f64; 2]; 3] {
    if p == 2.0 {
        return [[cos, sin], [-sin, cos], [-cos, -sin]];
    }
    // u = ρ cos s, v = ρ sin s, ρ = w^(−1/p), w = |cos s|^p + |sin s|^p.
    let (c2, s2) = (
        math::powf(cos.abs(), p - 2.0),
        math::powf(sin.abs(), p - 2.0),
    );
    let w = c2 * cos * cos + s2 * sin * sin;
    let dw = p * cos * sin * (s2 - c2);
    let ddw = p * ((p - 1.0) * (c2 * sin * sin + s2 * cos * cos) - w);
    let rho = math::powf(w, -1.0 / p);
    let slope = dw / w;
    let drho = -rho * slope / p;
    let ddrho = -((ddw / w - slope * slope) * rho + slope * drho) / p;
    [
        [rho * cos, rho * sin],
        [drho * cos - rho * sin, drho * sin + rho * cos],
        [
            (ddrho - rho) * cos - 2.0 * drho * sin,
            (ddrho - rho) * sin + 2.0 * drho * cos,
        ],
    ]
}

/// The cubic between two nodes (de Boor 1978, chapter IV).
#[inline]
fn spline(knots: &[f64], nodes: &[[[f64; 2]; 2]], s: f64) -> Spot {
    let after = knots.partition_point(|knot| *knot <= s);
    let i = after.clamp(1, knots.len().saturating_sub(1).max(1));
    let (Some(&[s0, s1]), Some(&[[y0, m0], [y1, m1]])) = (
        knots.get(i - 1..=i).and_then(|pair| pair.first_chunk()),
        nodes.get(i - 1..=i).and_then(|pair| pair.first_chunk()),
    ) else {
        // Three points at least are promised by the constructor.
        let nan = [f64::NAN; 2];
        return Spot {
            at: nan,
            d1: nan,
            d2: nan,
        };
    };
    let h = s1 - s0;
    let x = s - s0;
    let mut spot = Spot {
        at: [0.0; 2],
        d1: [0.0; 2],
        d2: [0.0; 2],
    };
    for k in 0..2 {
        let slope = (y1[k] - y0[k]) / h - h * (2.0 * m0[k] + m1[k]) / 6.0;
        let third = (m1[k] - m0[k]) / h;
        spot.at[k] = y0[k] + x * (slope + x * (0.5 * m0[k] + x * third / 6.0));
        spot.d1[k] = slope + x * (m0[k] + 0.5 * x * third);
        spot.d2[k] = m0[k] + x * third;
    }
    spot
}

/// The closed spline through points: knots by chord length, second derivatives that make it smooth all the way round.
pub(crate) fn closed_spline(points: &[[f64; 2]]) -> Form {
    let n = points.len();
    let mut knots = Vec::with_capacity(n + 1);
    let mut s = 0.0;
    knots.push(0.0);
    for i in 0..n {
        s += norm(minus(points[(i + 1) % n], points[i]));
        knots.push(s);
    }
    let h = |i: usize| knots[i % n + 1] - knots[i % n];
    // h(i−1) m(i−1) + 2 (h(i−1) + h(i)) m(i) + h(i) m(i+1) = 6 (slope(i) − slope(i−1)), round and round: Gauss–Seidel halves the error each time at least (the diagonal is twice its row).
    let mut bends = vec![[0.0; 2]; n];
    for _ in 0..200 {
        let mut change: f64 = 0.0;
        let mut size: f64 = 0.0;
        for i in 0..n {
            let (before, next) = ((i + n - 1) % n, (i + 1) % n);
            let (h0, h1) = (h(before), h(i));
            for k in 0..2 {
                let slopes =
                    (points[next][k] - points[i][k]) / h1 - (points[i][k] - points[before][k]) / h0;
                let new = (6.0 * slopes - h0 * bends[before][k] - h1 * bends[next][k])
                    / (2.0 * (h0 + h1));
                change = change.max((new - bends[i][k]).abs());
                size = size.max(new.abs());
                bends[i][k] = new;
            }
        }
        if change <= 1e-16 * size {
            break;
        }
    }
    let nodes = (0..=n).map(|i| [points[i % n], bends[i % n]]).collect();
    Form::Spline { knots, nodes }
}
