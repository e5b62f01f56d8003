//! In how many places does a smooth outline touch another shape, and which slot follows which?
//!
//! Two convex closed outlines have one nearest place. With dents, holes and open profiles there may be several local minima of the gap; up to four are followed, each in its slot. A minimum that
//! exists keeps its slot; a new one gets a free slot, or that of the farthest minimum that does not touch; where two have become one, the slot that came from farther (whose gap was the larger) is switched off.
//!
//! An overlap deeper than half the thickness of a solid is not told from a touch on its far side: such minima are taken only where there is no other, and their normal is said not to be unique.
//! Behind an open profile nothing is felt deeper than a tenth of its extent; a disc that is larger than that, until its centre is behind.

use crate::geometry::chain::{Chain, Corner};
use crate::geometry::curve::Curve;
use crate::geometry::frame::{Frame, dot, minus, norm, right};
use crate::geometry::near::{Looked, Near, Track};
use crate::geometry::points::depth;
use crate::geometry::shape::Outline;
use crate::geometry::smooth::{Against, FAR, Found, meet, opposite, scan, scan_both, scan_near};

/// How many minima are followed.
const SOME: usize = 4;
/// How many are looked at.
const MANY: usize = 16;

/// A smooth outline and whatever it may touch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Profiles {
    /// Which of the two is the smooth outline whose axes are used.
    which: usize,
    slots: usize,
    /// Below this gap a minimum lies on the far side of something.
    deepest: f64,
    /// One of the two is an open profile: nothing is felt below `deepest`.
    open: bool,
    /// The smaller of the two extents, m.
    size: f64,
}

/// The part of the smaller shape's size by which shapes in touch may move before everything is looked at anew. A slot is followed in every call; this is about places that come into being.
const AFRESH: f64 = 1e-3;

impl Profiles {
    pub fn new(first: &Outline, second: &Outline) -> Self {
        let which = usize::from(!matches!(first, Outline::Curve(_)));
        let (own, other) = if which == 0 {
            (first, second)
        } else {
            (second, first)
        };
        let convex = |outline: &Outline| match outline {
            Outline::Curve(curve) => curve.convex,
            Outline::Chain(chain) => chain.closed,
            Outline::Disc { .. } | Outline::Plane { .. } => true,
            Outline::Bore { .. } => false,
        };
        let open = |outline: &Outline| match outline {
            Outline::Curve(curve) => !curve.closed,
            Outline::Chain(chain) => !chain.closed,
            _ => false,
        };
        let limit = |outline: &Outline, against: &Outline| match outline {
            Outline::Curve(curve) if curve.closed => curve.inner,
            Outline::Curve(curve) => depth(curve.extent, against),
            Outline::Chain(chain) if chain.closed => 0.5 * chain.width() + chain.radius,
            Outline::Chain(chain) => depth(chain.extent, against),
            // A small disc is all behind an open profile before it is too deep.
            Outline::Disc { .. } if open(against) => f64::INFINITY,
            Outline::Disc { radius, .. } => *radius,
            Outline::Bore { .. } | Outline::Plane { .. } => f64::INFINITY,
        };
        let size = |outline: &Outline| match outline {
            Outline::Curve(curve) => curve.extent,
            Outline::Chain(chain) => chain.extent + 2.0 * chain.radius,
            Outline::Disc { radius, .. } | Outline::Bore { radius, .. } => 2.0 * radius,
            Outline::Plane { .. } => f64::INFINITY,
        };
        Self {
            size: size(own).min(size(other)),
            which,
            slots: if convex(own) && convex(other) {
                1
            } else {
                SOME
            },
            deepest: -limit(own, other).min(limit(other, own)),
            open: open(own) || open(other),
        }
    }

    /// How deep contacts are felt, m.
    pub fn deepest(&self) -> f64 {
        if self.open {
            -self.deepest
        } else {
            f64::INFINITY
        }
    }

    pub fn slots(&self) -> usize {
        self.slots
    }

    pub fn near(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
    ) -> Option<Near> {
        if slot >= self.slots || !track.on {
            return None;
        }
        let (w, o) = (self.which, 1 - self.which);
        let Outline::Curve(curve) = outlines[w] else {
            return None;
        };
        let seen = frames[o].seen_from(frames[w]);
        let found = self.local(curve, outlines[o], &seen, track.s)?;
        let near = Near {
            gap: found.gap,
            normal: frames[w].rotate(found.normal),
            points: [frames[w].point(found.at), frames[w].point(opposite(&found))],
            curvatures: found.curvatures,
            unique: found.unique && found.gap >= self.deepest,
        };
        Some(if w == 0 { near } else { near.exchanged() })
    }

    /// The minimum near the parameters given.
    fn local(&self, curve: &Curve, other: &Outline, seen: &Frame, s: [f64; 2]) -> Option<Found> {
        let found = match other {
            Outline::Chain(chain) => walk(curve, chain, seen, s),
            Outline::Curve(second) => meet(curve, second, seen, s).or_else(|| {
                // Newton lost its way: the nearest of all, by parameter, without a trace.
                let mut best: Option<(f64, Found)> = None;
                let mut call = |found: Found| {
                    let far = curve.apart(found.s[0], s[0]) / curve.pitch()
                        + second.apart(found.s[1], s[1]) / second.pitch();
                    if best.is_none_or(|b| far < b.0) {
                        best = Some((far, found));
                    }
                };
                if self.slots == 1 {
                    self.all(curve, other, seen, call);
                    return best.map(|b| b.1);
                }
                scan_near(curve, second, seen, s, |start| {
                    if let Some(found) = meet(curve, second, seen, start) {
                        call(found);
                    }
                });
                best.filter(|b| b.0 < FAR as f64).map(|b| b.1)
            }),
            _ => against(other, seen)?.settle(curve, s[0]),
        }?;
        (!self.open || found.gap >= self.deepest && in_solid(curve, other, seen, &found))
            .then_some(found)
    }

    /// All minima there are, found from scratch; some may come twice.
    fn all(&self, curve: &Curve, other: &Outline, seen: &Frame, mut call: impl FnMut(Found)) {
        match other {
            Outline::Chain(chain) => {
                for code in 0..2 * chain.corners.len() {
                    let Some(feature) = feature(chain, seen, code) else {
                        continue;
                    };
                    scan(curve, &feature.against, |s| {
                        if let Some(found) = feature.against.settle(curve, s)
                            && feature.holds(seen, &found).0 == Hold::Here
                        {
                            call(Found {
                                s: [found.s[0], code as f64],
                                ..found
                            });
                        }
                    });
                }
            }
            Outline::Curve(second) => {
                scan_both(curve, second, seen, |start| {
                    if let Some(found) = meet(curve, second, seen, start) {
                        call(found);
                    }
                });
                // Ends of the one are points before the other.
                let ends = |curve: &Curve| (!curve.closed).then_some(curve.domain);
                for end in ends(curve).into_iter().flatten() {
                    let point = Against::Disc {
                        center: seen.inward(curve.at(end).at),
                        radius: 0.0,
                    };
                    scan(second, &point, |u| {
                        if let Some(found) = meet(curve, second, seen, [end, u]) {
                            call(found);
                        }
                    });
                }
                for end in ends(second).into_iter().flatten() {
                    let point = Against::Disc {
                        center: seen.point(second.at(end).at),
                        radius: 0.0,
                    };
                    scan(curve, &point, |s| {
                        if let Some(found) = meet(curve, second, seen, [s, end]) {
                            call(found);
                        }
                    });
                }
            }
            _ => {
                if let Some(against) = against(other, seen) {
                    scan(curve, &against, |s| {
                        if let Some(found) = against.settle(curve, s) {
                            call(found);
                        }
                    });
                }
            }
        }
    }

    pub fn seek(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        let (w, o) = (self.which, 1 - self.which);
        let Outline::Curve(curve) = outlines[w] else {
            return;
        };
        let other = outlines[o];
        let seen = frames[o].seen_from(frames[w]);
        let Some(tracks) = tracks.get_mut(..self.slots) else {
            return;
        };
        // What was followed is followed on.
        let mut gaps = [f64::INFINITY; SOME];
        // Where two outlines nearly follow each other a small way changes much: the sum of their curvatures tells.
        let mut bend = f64::INFINITY;
        let mut lost = false;
        let mut ways = [0.0; SOME];
        for ((track, gap), way) in tracks.iter_mut().zip(&mut gaps).zip(&mut ways) {
            if !track.on {
                continue;
            }
            match self.local(curve, other, &seen, track.s) {
                Some(found) => {
                    *way = curve.apart(found.s[0], track.s[0]);
                    (track.s, *gap) = (found.s, found.gap);
                    bend = bend.min((found.curvatures[0] + found.curvatures[1]).abs());
                }
                None => (track.on, lost) = (false, true),
            }
        }
        for i in 1..tracks.len() {
            for j in 0..i {
                if tracks[i].on && tracks[j].on && self.same(curve, other, tracks[i].s, tracks[j].s)
                {
                    // What is pressed stays; or the one that came from farther has lost its own.
                    let off = match (tracks[i].held, tracks[j].held) {
                        (true, false) => j,
                        (false, true) => i,
                        _ if ways[i] >= ways[j] => i,
                        _ => j,
                    };
                    (tracks[off].on, gaps[off]) = (false, f64::INFINITY);
                }
            }
        }
        // One nearest place of two convex shapes that are apart, or hardly overlap, is the only one.
        if self.slots == 1 && tracks[0].on && gaps[0] >= 0.1 * self.deepest {
            return;
        }
        // From the other's side: a half-plane has no reach, the smooth outline has.
        let stands = frames[w].seen_from(frames[o]);
        if !lost && tracks[0].looked.holds(&stands, curve.reach) {
            return;
        }
        let mut least = f64::INFINITY;
        let mut best: [Option<Found>; MANY] = [None; MANY];
        self.all(curve, other, &seen, |found| {
            least = least.min(found.gap);
            bend = bend.min((found.curvatures[0] + found.curvatures[1]).abs());
            let known = |s: [f64; 2]| self.same(curve, other, found.s, s);
            if tracks.iter().any(|track| track.on && known(track.s))
                || best.iter().flatten().any(|old| known(old.s))
                || (self.open
                    && !(found.gap >= self.deepest && in_solid(curve, other, &seen, &found)))
            {
                return;
            }
            let mut new = Some(found);
            for old in &mut best {
                if let Some(n) = new
                    && old.is_none_or(|o| n.gap.abs() < o.gap.abs())
                {
                    std::mem::swap(old, &mut new);
                }
            }
        });
        let any = tracks.iter().any(|track| track.on);
        for (place, found) in best.iter().flatten().enumerate() {
            // The far side of a solid, unless there is nothing nearer.
            if found.gap < self.deepest && (any || place > 0) {
                continue;
            }
            let free = (0..tracks.len()).find(|i| !tracks[*i].on).or_else(|| {
                let far = (0..tracks.len()).max_by(|i, j| gaps[*i].total_cmp(&gaps[*j]))?;
                (gaps[far] > 0.0 && gaps[far] > found.gap).then_some(far)
            });
            if let Some(i) = free {
                (tracks[i].s, tracks[i].on) = (found.s, true);
                gaps[i] = found.gap;
            }
        }
        // Apart, nothing can touch before half the least gap is gone; no gap at all tells nothing.
        least = gaps.iter().copied().fold(least, f64::min);
        let apart = if least < f64::INFINITY {
            0.5 * least
        } else {
            0.0
        };
        let near = AFRESH * self.size * (5.0 * bend * self.size).min(1.0);
        tracks[0].looked = Looked::now(&stands, near.max(apart));
    }

    /// Whether two pairs of parameters are the same place.
    fn same(&self, curve: &Curve, other: &Outline, p: [f64; 2], q: [f64; 2]) -> bool {
        let close = |curve: &Curve, a: f64, b: f64| curve.apart(a, b) < 1e-3 * curve.pitch();
        close(curve, p[0], q[0])
            && match other {
                Outline::Curve(second) => close(second, p[1], q[1]),
                // An edge and its corner, where the place passes from one to the other.
                Outline::Chain(_) => (p[1] - q[1]).abs() <= 1.0,
                _ => true,
            }
    }
}

/// Whether a disc with its centre behind an open profile is in the solid there: not if another part of the profile is nearer, before which it may lie.
#[inline]
fn in_solid(curve: &Curve, other: &Outline, seen: &Frame, found: &Found) -> bool {
    let Outline::Disc { center, radius } = other else {
        return true;
    };
    let behind = -(found.gap + radius);
    if !(behind > 0.0) {
        return true;
    }
    let c = seen.point(*center);
    let nearer = |at: [f64; 2]| norm(minus(at, c)) < behind * (1.0 - 1e-9);
    !curve.samples.iter().any(|sample| nearer(sample.at))
}

/// A shape with one face, as a smooth outline sees it.
fn against(other: &Outline, seen: &Frame) -> Option<Against> {
    match other {
        Outline::Disc { center, radius } => Some(Against::Disc {
            center: seen.point(*center),
            radius: *radius,
        }),
        Outline::Bore { center, radius } => Some(Against::Hole {
            center: seen.point(*center),
            radius: *radius,
        }),
        Outline::Plane { point, normal } => Some(Against::Line {
            from: seen.point(*point),
            normal: seen.rotate(*normal),
            radius: 0.0,
        }),
        Outline::Chain(_) | Outline::Curve(_) => None,
    }
}

/// A corner (even code) or an edge (odd code) of a chain.
struct Feature<'a> {
    against: Against,
    corner: Option<&'a Corner>,
    /// Direction and length of an edge, and where it begins, in the smooth outline's axes.
    edge: ([f64; 2], [f64; 2], f64),
}

/// Whether a minimum lies on the feature it was sought on, or before or after it on the walk.
#[derive(Clone, Copy, PartialEq)]
enum Hold {
    Here,
    Before,
    After,
}

fn feature<'a>(chain: &'a Chain, seen: &Frame, code: usize) -> Option<Feature<'a>> {
    if code.is_multiple_of(2) {
        let corner = chain.corners.get(code / 2)?;
        return (!corner.reflex).then(|| Feature {
            against: Against::Disc {
                center: seen.point(corner.at),
                radius: chain.radius,
            },
            corner: Some(corner),
            edge: ([0.0; 2], [0.0; 2], 0.0),
        });
    }
    let edge = chain.edges.get(code / 2)?;
    let from = seen.point(edge.from);
    Some(Feature {
        against: Against::Line {
            from,
            normal: seen.rotate(edge.normal),
            radius: chain.radius,
        },
        corner: None,
        edge: (seen.rotate(edge.along), from, edge.length),
    })
}

impl Feature<'_> {
    /// Where the minimum lies, and by how much (a sine, or a part of the edge) it misses the feature.
    fn holds(&self, seen: &Frame, found: &Found) -> (Hold, f64) {
        match self.corner {
            Some(corner) => corner.side(seen.unrotate([-found.normal[0], -found.normal[1]])),
            None => {
                let (direction, from, length) = self.edge;
                let t = dot(direction, minus(found.at, from)) / length;
                if t < 0.0 {
                    (Hold::Before, -t)
                } else if t > 1.0 {
                    (Hold::After, t - 1.0)
                } else {
                    (Hold::Here, 0.0)
                }
            }
        }
    }
}

impl Corner {
    /// Whether the corner, the edge before it or the edge after it is nearest in this direction.
    fn side(&self, direction: [f64; 2]) -> (Hold, f64) {
        let before = self.before.map_or(0.0, |b| -dot(b, direction));
        let after = self.after.map_or(0.0, |a| dot(a, direction));
        if !(before > 0.0 || after > 0.0) {
            return (Hold::Here, 0.0);
        }
        // Away from a corner both edges lie: the one that looks there more.
        let looks = |edge: Option<[f64; 2]>| edge.map_or(-1.0, |e| dot(right(e), direction));
        if after > 0.0 && (before <= 0.0 || looks(self.after) > looks(self.before)) {
            (Hold::After, after)
        } else {
            (Hold::Before, before)
        }
    }
}

/// From feature to feature of a chain, until the minimum lies on the one it was sought on.
fn walk(curve: &Curve, chain: &Chain, seen: &Frame, [s, code]: [f64; 2]) -> Option<Found> {
    let count = 2 * chain.corners.len();
    let mut code = code as usize;
    let mut came = usize::MAX;
    let mut s = s;
    for _ in 0..count + 4 {
        let feature = feature(chain, seen, code)?;
        let found = feature.against.settle(curve, s)?;
        let here = |found: Found| Found {
            s: [found.s[0], code as f64],
            ..found
        };
        let (hold, miss) = feature.holds(seen, &found);
        let next = match hold {
            Hold::Here => return Some(here(found)),
            Hold::Before if code > 0 => code - 1,
            Hold::Before if chain.closed => count - 1,
            Hold::After if code + 1 < count => code + 1,
            Hold::After if chain.closed => 0,
            _ => return None,
        };
        // To and fro over a boundary: both sides are the same place, to rounding; or one pierces the other, and there is no such place.
        if next == came {
            return (miss < 1e-6).then_some(here(found));
        }
        came = code;
        code = next;
        s = found.s[0];
    }
    None
}
