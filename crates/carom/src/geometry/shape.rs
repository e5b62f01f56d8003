//! Which shapes can bodies have, and what is allowed of each?

use crate::geometry::chain::Chain;
use crate::geometry::curve::{Curve, Form, closed_spline};
use crate::geometry::fault::{Fault, angle, check, not_negative, place, positive};
use crate::geometry::frame::{along, cross, dot, minus, norm, plus, right, times, unit};
use crate::math;
use std::f64::consts::{PI, TAU};

/// On which side of a profile the solid lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Below the graph; on the right of a walk along the points.
    Below,
    /// Above the graph; on the left of a walk along the points.
    Above,
}

/// The outline of a body, in the body's axes, and the side of it that is solid. Immutable; every number is checked when it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub(crate) outline: Outline,
    kind: &'static str,
}

/// What shapes are inside.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    /// Solid inside.
    Disc { center: [f64; 2], radius: f64 },
    /// Solid outside.
    Bore { center: [f64; 2], radius: f64 },
    /// Solid behind the normal, which has length 1.
    Plane { point: [f64; 2], normal: [f64; 2] },
    /// Straight edges.
    Chain(Chain),
    /// Everything smooth.
    Curve(Curve),
}

impl Shape {
    /// A disc: `center` and `radius` > 0 in m.
    pub fn circle(center: [f64; 2], radius: f64) -> Result<Self, Fault> {
        const KIND: &str = "circle";
        place(KIND, "center", center)?;
        positive(KIND, "radius", radius)?;
        Ok(Self::of(KIND, Outline::Disc { center, radius }))
    }

    /// A round hole, solid outside (bearing, ring): `center` and `radius` > 0 in m.
    pub fn bore(center: [f64; 2], radius: f64) -> Result<Self, Fault> {
        const KIND: &str = "bore";
        place(KIND, "center", center)?;
        positive(KIND, "radius", radius)?;
        Ok(Self::of(KIND, Outline::Bore { center, radius }))
    }

    /// A part of a circle, counter-clockwise from the angle `from` to the angle `to` > `from` (rad, at most one turn): the round of a cam, or, `concave`, a cup whose solid lies outside
    /// the circle. Its ends count as points.
    pub fn arc(
        center: [f64; 2],
        radius: f64,
        from: f64,
        to: f64,
        concave: bool,
    ) -> Result<Self, Fault> {
        const KIND: &str = "arc";
        place(KIND, "center", center)?;
        positive(KIND, "radius", radius)?;
        angle(KIND, "from", from)?;
        check(
            KIND,
            "to",
            to,
            "rad",
            to > from && to - from <= TAU,
            "above `from`, by one turn at most",
            "angles rise counter-clockwise",
        )?;
        let side = if concave { -1.0 } else { 1.0 };
        let count = ((to - from) / TAU * 64.0).ceil().max(8.0) as usize;
        let form = Form::Arc { center, radius };
        Ok(Self::of(
            KIND,
            Outline::Curve(Curve::new(form, [from, to], false, side, count)),
        ))
    }

    /// Everything behind a straight line through `point` (m); `normal` points outward and may have any length but zero.
    pub fn half_plane(point: [f64; 2], normal: [f64; 2]) -> Result<Self, Fault> {
        const KIND: &str = "half-plane";
        place(KIND, "point", point)?;
        for value in normal {
            check(KIND, "normal", value, "", true, "any finite number", "")?;
        }
        let largest = normal[0].abs().max(normal[1].abs());
        check(
            KIND,
            "length of the normal",
            largest,
            "",
            largest > 0.0,
            "> 0",
            "the normal says which way is out",
        )?;
        let scaled = times(1.0 / largest, normal);
        let (normal, _) = unit(scaled, [0.0, 1.0]);
        Ok(Self::of(KIND, Outline::Plane { point, normal }))
    }

    /// A straight segment between two `ends` (m) with a layer of thickness `radius` ≥ 0 (m) all round: a capsule. With radius 0 it is a plain line, felt from both sides.
    pub fn segment(ends: [[f64; 2]; 2], radius: f64) -> Result<Self, Fault> {
        const KIND: &str = "segment";
        for end in ends {
            place(KIND, "end", end)?;
        }
        not_negative(KIND, "radius", radius)?;
        apart(KIND, &ends, false)?;
        Ok(Self::of(
            KIND,
            Outline::Chain(Chain::new(&ends, true, radius)),
        ))
    }

    /// |x/a|^p + |y/b|^p ≤ 1 about `center` (m): `semi_axes` a, b > 0 in m, turned by `angle` (rad). `exponent` p = 2 is the ellipse, larger ones are superellipses; 2 ≤ p ≤ 20: below 2 the
    /// outline bends without bound where it crosses its axes, above 20 it is a rectangle for all purposes (take a polygon with rounded corners).
    pub fn ellipse(
        center: [f64; 2],
        semi_axes: [f64; 2],
        angle: f64,
        exponent: f64,
    ) -> Result<Self, Fault> {
        const KIND: &str = "ellipse";
        place(KIND, "center", center)?;
        for axis in semi_axes {
            positive(KIND, "semi-axis", axis)?;
        }
        crate::geometry::fault::angle(KIND, "angle", angle)?;
        check(
            KIND,
            "exponent",
            exponent,
            "",
            (2.0..=20.0).contains(&exponent),
            "2 to 20",
            "2 is the ellipse; take a polygon with rounded corners for a rectangle",
        )?;
        let (sin, cos) = math::sin_cos(angle);
        let form = Form::Ellipse {
            center,
            axes: semi_axes,
            turn: [cos, sin],
            p: exponent,
        };
        let count = if exponent == 2.0 { 64 } else { 160 };
        let mut curve = Curve::new(form, [0.0, TAU], true, 1.0, count);
        curve.convex = true;
        Ok(Self::of(KIND, Outline::Curve(curve)))
    }

    /// A convex polygon through `corners` (m; either way round), its corners rounded off by `rounding` ≥ 0 (m): the faces stay where they are.
    pub fn polygon(corners: Vec<[f64; 2]>, rounding: f64) -> Result<Self, Fault> {
        const KIND: &str = "polygon";
        count(KIND, "corners", corners.len(), 3)?;
        for corner in &corners {
            place(KIND, "corner", *corner)?;
        }
        not_negative(KIND, "rounding", rounding)?;
        apart(KIND, &corners, true)?;
        let mut points = corners;
        let n = points.len();
        let side = |points: &[[f64; 2]], i: usize| {
            let n = points.len();
            let (e, f) = (
                minus(points[(i + 1) % n], points[i]),
                minus(points[(i + 2) % n], points[(i + 1) % n]),
            );
            (cross(e, f) / (norm(e) * norm(f)), dot(e, f))
        };
        let turning: f64 = (0..n)
            .map(|i| {
                let (sin, cos) = side(&points, i);
                math::atan2(sin, cos.signum() * math::sqrt((1.0 - sin * sin).max(0.0)))
            })
            .sum();
        if turning < 0.0 {
            points.reverse();
        }
        for i in 0..n {
            let (sin, cos) = side(&points, i);
            if sin < -1e-12 || (sin <= 1e-12 && cos < 0.0) {
                return Err(Fault::Outline {
                    shape: KIND,
                    index: (i + 1) % n,
                    reason: "it bends inwards",
                    hint: "polygons are convex; take a curve or a polyline, or several polygons",
                });
            }
        }
        if !((turning.abs() - TAU).abs() < 1e-6) {
            return Err(Fault::Outline {
                shape: KIND,
                index: 0,
                reason: "it goes round more than once",
                hint: "give the corners in their order, once round",
            });
        }
        // A corner on the straight line between its neighbours is none.
        let kept: Vec<[f64; 2]> = (0..n)
            .filter(|i| side(&points, (i + n - 1) % n).0 > 1e-12)
            .map(|i| points[i])
            .collect();
        let core = shrunk(KIND, &kept, rounding)?;
        Ok(Self::of(
            KIND,
            Outline::Chain(Chain::new(&core, true, rounding)),
        ))
    }

    /// A smooth closed curve: the periodic cubic spline through `points` (m; at least three, either way round), in the parameter of their chords. It may have dents. `concave`: the solid
    /// lies outside (a cam's groove, a hole).
    pub fn curve(points: Vec<[f64; 2]>, concave: bool) -> Result<Self, Fault> {
        const KIND: &str = "curve";
        let mut points = points;
        // The first point repeated at the end says "closed", which it is anyway.
        if points.len() > 3 && points.first() == points.last() {
            points.pop();
        }
        count(KIND, "points", points.len(), 3)?;
        for point in &points {
            place(KIND, "point", *point)?;
        }
        apart(KIND, &points, true)?;
        let samples = (4 * points.len()).clamp(64, 400);
        let form = closed_spline(&points);
        let length = match &form {
            Form::Spline { knots, .. } => knots.last().copied().unwrap_or(1.0),
            _ => 1.0,
        };
        let mut curve = Curve::new(form, [0.0, length], true, 1.0, samples);
        let walk: Vec<[f64; 2]> = curve.samples.iter().map(|sample| sample.at).collect();
        crossing(KIND, &walk, true)?;
        let about = walk.first().copied().unwrap_or([0.0; 2]);
        let area: f64 = (0..walk.len())
            .map(|i| {
                cross(
                    minus(walk[i], about),
                    minus(walk[(i + 1) % walk.len()], about),
                )
            })
            .sum();
        if (area < 0.0) != concave {
            let (form, domain) = (curve.form, curve.domain);
            curve = Curve::new(form, domain, true, -1.0, samples);
        }
        curve.hole = concave;
        Ok(Self::of(KIND, Outline::Curve(curve)))
    }

    /// The graph y = c0 + c1 x + c2 x² + … over `interval` (m), in axes that stand at `place` (m) turned by `angle` (rad). Its ends count as points.
    pub fn polynomial(
        coefficients: Vec<f64>,
        interval: [f64; 2],
        place: [f64; 2],
        angle: f64,
        solid: Side,
    ) -> Result<Self, Fault> {
        const KIND: &str = "polynomial";
        count(KIND, "coefficients", coefficients.len(), 1)?;
        for c in &coefficients {
            check(KIND, "coefficient", *c, "", true, "any finite number", "")?;
        }
        check(
            KIND,
            "start",
            interval[0],
            "m",
            true,
            "any finite number",
            "",
        )?;
        check(
            KIND,
            "end",
            interval[1],
            "m",
            interval[1] > interval[0],
            "above the start of the interval",
            "",
        )?;
        crate::geometry::fault::place(KIND, "place", place)?;
        crate::geometry::fault::angle(KIND, "angle", angle)?;
        let (sin, cos) = math::sin_cos(angle);
        let side = match solid {
            Side::Below => -1.0,
            Side::Above => 1.0,
        };
        let form = Form::Polynomial {
            coefficients,
            place,
            turn: [cos, sin],
        };
        let curve = Curve::new(form, interval, false, side, 96);
        for sample in &curve.samples {
            for value in sample.at.into_iter().chain(sample.slope) {
                check(
                    KIND,
                    "value on the interval",
                    value,
                    "m",
                    value.abs() < 1e100,
                    "finite numbers",
                    "a shorter interval, or smaller coefficients",
                )?;
            }
        }
        Ok(Self::of(KIND, Outline::Curve(curve)))
    }

    /// An open profile of straight pieces through `points` (m). Its ends count as points.
    pub fn polyline(points: Vec<[f64; 2]>, solid: Side) -> Result<Self, Fault> {
        const KIND: &str = "polyline";
        count(KIND, "points", points.len(), 2)?;
        for point in &points {
            place(KIND, "point", *point)?;
        }
        apart(KIND, &points, false)?;
        crossing(KIND, &points, false)?;
        let mut points = points;
        // Chains are walked with the solid on the left.
        if solid == Side::Below {
            points.reverse();
        }
        Ok(Self::of(
            KIND,
            Outline::Chain(Chain::new(&points, false, 0.0)),
        ))
    }

    fn of(kind: &'static str, outline: Outline) -> Self {
        Self { outline, kind }
    }

    /// The word for it: circle, bore, arc, half-plane, segment, ellipse, polygon, curve, polynomial or polyline.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Whether it has corners without a radius.
    pub fn is_sharp(&self) -> bool {
        match &self.outline {
            Outline::Chain(chain) if chain.radius > 0.0 => false,
            Outline::Chain(chain) if chain.closed => true,
            Outline::Chain(chain) => {
                let last = chain.corners.len().saturating_sub(1);
                chain.outer.iter().any(|&k| k > 0 && k < last)
            }
            _ => false,
        }
    }

    /// Whether it is an open profile: its ends are points without a radius.
    pub fn is_open(&self) -> bool {
        match &self.outline {
            Outline::Chain(chain) => !chain.closed,
            Outline::Curve(curve) => !curve.closed,
            _ => false,
        }
    }

    /// Centre and radius (m) of a circle.
    pub fn as_circle(&self) -> Option<([f64; 2], f64)> {
        match self.outline {
            Outline::Disc { center, radius } => Some((center, radius)),
            _ => None,
        }
    }

    /// Whether the solid lies on the left of a walk along [`Shape::outline`]; on the right, if not.
    pub fn solid_on_the_left(&self) -> bool {
        match &self.outline {
            Outline::Bore { .. } => false,
            Outline::Curve(curve) => curve.side > 0.0,
            Outline::Disc { .. } | Outline::Plane { .. } | Outline::Chain(_) => true,
        }
    }

    /// About `n` points of the outline (m, in the body's axes), for pictures. Closed outlines repeat their first point; half-planes give two points a kilometre apart.
    pub fn outline(&self, n: usize) -> Vec<[f64; 2]> {
        let n = n.max(2);
        match &self.outline {
            Outline::Disc { center, radius } | Outline::Bore { center, radius } => {
                round(*center, *radius, 0.0, TAU, n)
            }
            Outline::Plane { point, normal } => [500.0, -500.0]
                .map(|k| along(*point, k, right(*normal)))
                .to_vec(),
            Outline::Chain(chain) if !chain.closed => {
                chain.corners.iter().map(|corner| corner.at).collect()
            }
            Outline::Chain(chain) => {
                let mut points = Vec::new();
                let each = n / chain.edges.len().max(1);
                for (k, edge) in chain.edges.iter().enumerate() {
                    let before = &chain.edges[(k + chain.edges.len() - 1) % chain.edges.len()];
                    if chain.radius > 0.0 {
                        let from = math::atan2(before.normal[1], before.normal[0]);
                        let turn = match chain.edges.len() {
                            2 => PI,
                            _ => math::atan2(
                                cross(before.normal, edge.normal),
                                dot(before.normal, edge.normal),
                            ),
                        };
                        points.extend(round(edge.from, chain.radius, from, from + turn, each));
                    } else {
                        points.push(edge.from);
                    }
                }
                points.extend(points.first().copied());
                points
            }
            Outline::Curve(curve) => {
                let [from, to] = curve.domain;
                (0..=n)
                    .map(|i| curve.at(from + (to - from) * (i as f64 / n as f64)).at)
                    .collect()
            }
        }
    }
}

/// Points of a circle's part.
fn round(center: [f64; 2], radius: f64, from: f64, to: f64, n: usize) -> Vec<[f64; 2]> {
    let n = n.max(2);
    (0..=n)
        .map(|i| {
            let (sin, cos) = math::sin_cos(from + (to - from) * (i as f64 / n as f64));
            along(center, radius, [cos, sin])
        })
        .collect()
}

/// A fault if there are fewer than `least`.
fn count(shape: &'static str, name: &'static str, count: usize, least: usize) -> Result<(), Fault> {
    if count >= least {
        return Ok(());
    }
    Err(Fault::TooFew {
        shape,
        name,
        count,
        least,
    })
}

/// A fault if neighbours stand at the same place, to rounding.
fn apart(shape: &'static str, points: &[[f64; 2]], closed: bool) -> Result<(), Fault> {
    let n = points.len();
    let size = crate::geometry::chain::extent(points);
    let last = if closed { n } else { n.saturating_sub(1) };
    for i in 0..last {
        let index = (i + 1) % n;
        if !(norm(minus(points[index], points[i])) > 1e-12 * size) {
            return Err(Fault::SamePlace {
                shape,
                index,
                place: points[index],
            });
        }
    }
    Ok(())
}

/// A fault if a walk crosses itself.
fn crossing(shape: &'static str, walk: &[[f64; 2]], closed: bool) -> Result<(), Fault> {
    let n = walk.len();
    let last = if closed { n } else { n.saturating_sub(1) };
    for i in 0..last {
        let (a, b) = (walk[i], walk[(i + 1) % n]);
        for j in i + 2..last {
            if closed && i == 0 && j + 1 == last {
                continue;
            }
            let (c, d) = (walk[j], walk[(j + 1) % n]);
            let apart = |p: [f64; 2], q: [f64; 2], u: [f64; 2], v: [f64; 2]| {
                let line = minus(q, p);
                cross(line, minus(u, p)) * cross(line, minus(v, p)) < 0.0
            };
            if apart(a, b, c, d) && apart(c, d, a, b) {
                return Err(Fault::Outline {
                    shape,
                    index: j,
                    reason: "it crosses itself",
                    hint: "an outline has one inside; give the points in their order",
                });
            }
        }
    }
    Ok(())
}

/// The core of a polygon whose corners are rounded off: every face moved inwards by the rounding.
fn shrunk(
    shape: &'static str,
    corners: &[[f64; 2]],
    rounding: f64,
) -> Result<Vec<[f64; 2]>, Fault> {
    let n = corners.len();
    let direction = |i: usize| unit(minus(corners[(i + 1) % n], corners[i % n]), [1.0, 0.0]).0;
    let core: Vec<[f64; 2]> = (0..n)
        .map(|i| {
            let (m1, m2) = (right(direction(i + n - 1)), right(direction(i)));
            along(corners[i], -rounding / (1.0 + dot(m1, m2)), plus(m1, m2))
        })
        .collect();
    for i in 0..n {
        let edge = minus(corners[(i + 1) % n], corners[i]);
        let left = dot(minus(core[(i + 1) % n], core[i]), direction(i));
        if !(left > 1e-9 * norm(edge)) {
            return Err(Fault::OutOfRange {
                shape,
                name: "rounding",
                value: rounding,
                unit: "m",
                allowed: "small enough to leave a straight piece of every face",
                hint: "take a circle, a capsule or an ellipse for what is all round",
            });
        }
    }
    Ok(core)
}
