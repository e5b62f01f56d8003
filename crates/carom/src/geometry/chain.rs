//! How far is a point from an outline of straight edges, and which part of it is nearest?
//!
//! A chain is walked with the solid on its left. Closed chains are convex (a segment is one with two corners and two edges, back to back); open ones are profiles. Around everything lies a
//! layer of thickness `radius`: the chain is the core of a rounded shape.

use crate::geometry::frame::{Frame, cross, dot, minus, norm, plus, right, unit};

/// A part of an edge's length from its end that counts as the corner: two aligned edges meet corner on corner, and that is one contact, not two.
const AT_CORNER: f64 = 1e-9;
/// How far from its cone, as a sine, a direction still belongs to a corner; the same purpose.
const IN_CONE: f64 = 1e-9;

/// By how much, as a sine, a face may be turned from a corner that still meets it: 45°.
const LOOKS_AWAY: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// One straight edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub from: [f64; 2],
    /// Of length 1.
    pub along: [f64; 2],
    pub length: f64,
    /// Of length 1, away from the solid.
    pub normal: [f64; 2],
}

/// Where two edges meet, or an open chain ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub at: [f64; 2],
    /// Direction of the edge that ends here.
    pub before: Option<[f64; 2]>,
    /// Direction of the edge that begins here.
    pub after: Option<[f64; 2]>,
    /// A valley of a profile: nothing from outside touches it.
    pub reflex: bool,
}

impl Corner {
    /// Whether the corner is nearest to what lies in this direction (of length 1).
    #[inline]
    pub fn faces(&self, direction: [f64; 2]) -> bool {
        self.before.is_none_or(|b| dot(b, direction) >= -IN_CONE)
            && self.after.is_none_or(|a| dot(a, direction) <= IN_CONE)
    }

    /// Whether a face in this direction (of length 1) can be meant: at most 45° out of the cone.
    #[inline]
    pub fn looks(&self, direction: [f64; 2]) -> bool {
        self.before.is_none_or(|b| dot(b, direction) > -LOOKS_AWAY)
            && self.after.is_none_or(|a| dot(a, direction) < LOOKS_AWAY)
    }

    /// Whether a point seen from here at `w` lies beyond both edges; no slack.
    #[inline]
    fn owns(&self, w: [f64; 2]) -> bool {
        self.before.is_none_or(|b| dot(b, w) >= 0.0) && self.after.is_none_or(|a| dot(a, w) <= 0.0)
    }

    /// Whether a point seen from here at `w` lies behind the line of one of the edges.
    #[inline]
    pub fn behind(&self, w: [f64; 2]) -> bool {
        let behind = |along: [f64; 2]| dot(right(along), w) < 0.0;
        self.before.is_some_and(behind) || self.after.is_some_and(behind)
    }

    /// The middle of the cone: a normal where no other can be told.
    fn middle(&self) -> [f64; 2] {
        let normals = plus(
            right(self.before.unwrap_or([0.0; 2])),
            right(self.after.unwrap_or([0.0; 2])),
        );
        let outward = self
            .before
            .map_or([0.0; 2], |b| self.after.map_or([0.0; 2], |a| minus(b, a)));
        unit(plus(normals, outward), [0.0, 1.0]).0
    }
}

/// The point of a chain that is nearest to another point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// Signed: negative behind the chain.
    pub distance: f64,
    /// Outward, of length 1.
    pub normal: [f64; 2],
    /// The corner, if it is one.
    pub corner: Option<usize>,
    /// The edge, if it lies on one.
    pub edge: Option<usize>,
    /// Whether the foot lies on a corner's rounding and not on a face.
    pub round: bool,
    pub unique: bool,
}

/// An outline of straight edges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub edges: Vec<Edge>,
    pub corners: Vec<Corner>,
    /// Corners that can touch something, by number.
    pub outer: Vec<usize>,
    /// Stretches of edges between valleys: first, and one after the last.
    pub runs: Vec<[usize; 2]>,
    pub closed: bool,
    /// Thickness of the layer around it, m.
    pub radius: f64,
    /// Diagonal of its box, m.
    pub extent: f64,
    /// The middle of its box.
    pub middle: [f64; 2],
}

impl Chain {
    /// Through points that no two neighbours share. A closed chain must be convex and walked counter-clockwise.
    pub fn new(points: &[[f64; 2]], closed: bool, radius: f64) -> Self {
        let n = points.len();
        let mut edges = Vec::with_capacity(n);
        let last = if closed { n } else { n.saturating_sub(1) };
        for (i, from) in points.iter().enumerate().take(last) {
            let to = points[(i + 1) % n];
            let (along, length) = unit(minus(to, *from), [1.0, 0.0]);
            edges.push(Edge {
                from: *from,
                along,
                length,
                normal: right(along),
            });
        }
        let mut corners = Vec::with_capacity(n);
        for (i, at) in points.iter().enumerate() {
            let direction = |k: usize| edges.get(k).map(|e: &Edge| e.along);
            let before = if i > 0 {
                direction(i - 1)
            } else if closed {
                direction(n - 1)
            } else {
                None
            };
            let after = direction(i);
            let reflex = match (before, after) {
                (Some(b), Some(a)) => !closed && cross(b, a) < 0.0,
                _ => false,
            };
            corners.push(Corner {
                at: *at,
                before,
                after,
                reflex,
            });
        }
        // A corner where the direction does not change belongs to its edges.
        let straight = |c: &Corner| match (c.before, c.after) {
            (Some(b), Some(a)) => cross(b, a) == 0.0 && dot(b, a) > 0.0,
            _ => false,
        };
        let outer = (0..n)
            .filter(|k| !corners[*k].reflex && !straight(&corners[*k]))
            .collect();
        let mut runs = Vec::new();
        let mut from = 0;
        for k in 1..=edges.len() {
            if k == edges.len() || corners.get(k).is_some_and(|c| c.reflex) {
                runs.push([from, k]);
                from = k;
            }
        }
        Self {
            edges,
            corners,
            outer,
            runs,
            closed,
            radius,
            extent: extent(points),
            middle: middle(points),
        }
    }

    /// The nearest point of the whole chain.
    #[inline]
    pub fn probe(&self, c: [f64; 2]) -> Option<Foot> {
        if self.closed {
            self.probe_convex(c)
        } else {
            self.probe_run([0, self.edges.len()], c)
        }
    }

    /// The nearest point of a closed chain; behind all edges the one that is least deep.
    fn probe_convex(&self, c: [f64; 2]) -> Option<Foot> {
        let n = self.edges.len();
        let (mut highest, mut second, mut which) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
        let mut best: Option<Foot> = None;
        for (k, edge) in self.edges.iter().enumerate() {
            let w = minus(c, edge.from);
            let height = dot(edge.normal, w);
            if height > highest {
                second = highest;
                (highest, which) = (height, k);
            } else if height > second {
                second = height;
            }
            if !(height >= 0.0) {
                continue;
            }
            let foot = self.on_edge(k, edge, w, height, n);
            if best.is_none_or(|b| foot.distance < b.distance) {
                best = Some(foot);
            }
        }
        if best.is_some() {
            return best;
        }
        Some(Foot {
            distance: highest,
            normal: self.edges.get(which)?.normal,
            corner: None,
            edge: Some(which),
            round: false,
            unique: highest - second > -0.1 * highest,
        })
    }

    /// The foot on an edge seen from its front, or on the corner beyond it.
    #[inline]
    fn on_edge(&self, k: usize, edge: &Edge, w: [f64; 2], height: f64, n: usize) -> Foot {
        let t = dot(edge.along, w);
        let near_start = t <= AT_CORNER * edge.length;
        let near_end = t >= (1.0 - AT_CORNER) * edge.length;
        let corner = if near_start {
            Some(k)
        } else if near_end {
            Some(if self.closed { (k + 1) % n } else { k + 1 })
        } else {
            None
        };
        if t >= 0.0 && t <= edge.length {
            return Foot {
                distance: height,
                normal: edge.normal,
                corner,
                edge: Some(k),
                round: false,
                unique: height > 0.0 || self.edges.len() > 2,
            };
        }
        let v = if t < 0.0 {
            w
        } else {
            [
                w[0] - edge.length * edge.along[0],
                w[1] - edge.length * edge.along[1],
            ]
        };
        let (normal, distance) = unit(v, edge.normal);
        Foot {
            distance,
            normal,
            corner,
            edge: None,
            round: true,
            unique: distance > 0.0,
        }
    }

    /// The nearest point to a corner of another chain, which is seen from here like that: faces that the corner looks away from do not count, so that a corner pressed into a face does not
    /// slip to the side near the face's end.
    pub fn probe_facing(&self, c: [f64; 2], other: &Corner, seen: &Frame) -> Option<Foot> {
        let facing = |[x, y]: [f64; 2]| other.looks(seen.unrotate([-x, -y]));
        if !self.closed {
            return self.probe_among([0, self.edges.len()], c, facing);
        }
        let n = self.edges.len();
        let slack = AT_CORNER * self.extent;
        let (mut out, mut deep): (Option<Foot>, Option<Foot>) = (None, None);
        let (mut inside, mut second) = (true, f64::NEG_INFINITY);
        for (k, edge) in self.edges.iter().enumerate() {
            let w = minus(c, edge.from);
            let height = dot(edge.normal, w);
            inside &= height <= slack;
            let t = dot(edge.along, w);
            // Where edges stand in line a corner is as little beyond the face's end as numbers are coarse; without the face only those at the far side would be left.
            let between = t >= -slack && t <= edge.length + slack;
            if between && !facing(edge.normal) {
                continue;
            }
            let foot = self.on_edge(k, edge, w, height, n);
            if height >= 0.0 && out.is_none_or(|o| foot.distance < o.distance) {
                out = Some(foot);
            }
            if between {
                if deep.is_none_or(|d| height > d.distance) {
                    second = deep.map_or(second, |d| d.distance);
                    deep = Some(Foot {
                        distance: height,
                        normal: edge.normal,
                        edge: Some(k),
                        round: false,
                        ..foot
                    });
                } else {
                    second = second.max(height);
                }
            }
        }
        if inside && deep.is_some() {
            return deep.map(|d| Foot {
                unique: d.distance - second > -0.1 * d.distance,
                ..d
            });
        }
        out
    }

    /// The nearest point of a stretch of edges; its two ends count as points, felt on the side that lies beyond them.
    pub fn probe_run(&self, run: [usize; 2], c: [f64; 2]) -> Option<Foot> {
        self.probe_among(run, c, |_| true)
    }

    /// The same among faces whose normal is wanted.
    #[inline]
    fn probe_among(
        &self,
        [from, to]: [usize; 2],
        c: [f64; 2],
        wanted: impl Fn([f64; 2]) -> bool,
    ) -> Option<Foot> {
        let mut best: Option<Foot> = None;
        let mut offer = |foot: Foot| {
            if best.is_none_or(|b| foot.distance.abs() < b.distance.abs()) {
                best = Some(foot);
            }
        };
        for (k, edge) in self.edges.get(from..to)?.iter().enumerate() {
            let w = minus(c, edge.from);
            let t = dot(edge.along, w);
            if t >= 0.0 && t <= edge.length && wanted(edge.normal) {
                offer(Foot {
                    distance: dot(edge.normal, w),
                    normal: edge.normal,
                    corner: None,
                    edge: Some(from + k),
                    round: false,
                    unique: true,
                });
            }
        }
        for (k, corner) in self.corners.iter().enumerate().take(to + 1).skip(from) {
            let w = minus(c, corner.at);
            let owns = if k == from {
                corner.after.is_some_and(|a| dot(a, w) <= 0.0)
            } else if k == to {
                corner.before.is_some_and(|b| dot(b, w) >= 0.0)
            } else {
                corner.owns(w)
            };
            if !owns {
                continue;
            }
            let (toward, distance) = unit(w, corner.middle());
            // A valley is nearest only to what lies behind it, in the solid.
            let sign = if corner.reflex && k != from && k != to {
                -1.0
            } else {
                1.0
            };
            offer(Foot {
                distance: sign * distance,
                normal: [sign * toward[0], sign * toward[1]],
                corner: Some(k),
                edge: None,
                round: true,
                unique: distance > 0.0,
            });
        }
        best
    }

    /// The edges that end and begin at a corner.
    #[inline]
    pub fn beside(&self, corner: usize) -> [Option<usize>; 2] {
        let n = self.edges.len();
        let before = match corner.checked_sub(1) {
            None if self.closed => n.checked_sub(1),
            before => before,
        };
        [before, (corner < n).then_some(corner)]
    }

    /// The corner that can touch something and lies nearest to a point, by its place among those.
    pub fn nearest_corner(&self, c: [f64; 2]) -> Option<usize> {
        let far = |k: &usize| {
            let w = minus(self.corners.get(*k).map_or([f64::INFINITY; 2], |k| k.at), c);
            dot(w, w)
        };
        let mut best: Option<(usize, f64)> = None;
        for (i, k) in self.outer.iter().enumerate() {
            let d = far(k);
            if best.is_none_or(|b| d < b.1) {
                best = Some((i, d));
            }
        }
        best.map(|b| b.0)
    }

    /// How wide the core of a closed chain is where it is narrowest, m.
    pub fn width(&self) -> f64 {
        let across = |edge: &Edge| {
            self.corners
                .iter()
                .map(|corner| -dot(edge.normal, minus(corner.at, edge.from)))
                .fold(0.0, f64::max)
        };
        self.edges.iter().map(across).fold(f64::INFINITY, f64::min)
    }

    /// 1/m at a foot: faces are flat, corners as round as the layer.
    #[inline]
    pub fn curvature(&self, foot: &Foot) -> f64 {
        if foot.round { 1.0 / self.radius } else { 0.0 }
    }
}

/// The diagonal of the box around points, m.
pub(crate) fn extent(points: &[[f64; 2]]) -> f64 {
    let (low, high) = corners_of_box(points);
    norm(minus(high, low))
}

/// The middle of the box around points.
fn middle(points: &[[f64; 2]]) -> [f64; 2] {
    let (low, high) = corners_of_box(points);
    [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])]
}

fn corners_of_box(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in points {
        for i in 0..2 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    }
    (low, high)
}
