//! How far are the corners of one shape from the faces of another?
//!
//! Shapes of straight edges touch with their corners: each corner of either shape has a slot of its own against the nearest place of the other, so that a box that stands has two contacts
//! and keeps both when it rocks. A corner on a corner belongs to the first shape's corner alone. Discs are corners with a radius; their one slot is all they need.
//!
//! A thin thing that pierces another right through, with every corner outside, is not felt: contacts are shallow, and steps must be small enough to see them begin.

use crate::geometry::chain::{Chain, Foot};
use crate::geometry::frame::{Frame, along, dot, minus, unit};
use crate::geometry::near::{Near, Track};
use crate::geometry::runs::keep_nearest;
use crate::geometry::shape::Outline;

/// With more corners than this a shape gets slots for the nearest ones only.
const ALL: usize = 8;
/// So many then.
const SOME: usize = 4;

/// The nearest place of an outline, on its surface, in its own axes.
#[derive(Clone, Copy, Debug)]
struct Place {
    distance: f64,
    normal: [f64; 2],
    curvature: f64,
    corner: Option<usize>,
    unique: bool,
}

/// The corners of both shapes as slots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Corners {
    /// How many corners of each shape are looked at.
    counts: [usize; 2],
    /// Below this gap nothing is felt: the corner lies behind an open profile, not in it.
    deepest: [f64; 2],
}

impl Corners {
    pub fn new(first: &Outline, second: &Outline) -> Self {
        let both = [first, second];
        let disc = both.map(|o| matches!(o, Outline::Disc { .. }));
        let mut counts = [0; 2];
        let mut deepest = [f64::NEG_INFINITY; 2];
        for i in 0..2 {
            counts[i] = match both[i] {
                Outline::Disc { .. } => 1,
                // A disc's own slot sees every corner of the other.
                Outline::Chain(chain) if !disc[1 - i] => chain.outer.len(),
                _ => 0,
            };
            deepest[i] = match both[1 - i] {
                Outline::Chain(target) if !target.closed => -depth(target.extent, both[i]),
                _ => f64::NEG_INFINITY,
            };
        }
        if disc[0] && disc[1] {
            counts[1] = 0;
        }
        Self { counts, deepest }
    }

    fn slots_of(&self, i: usize) -> usize {
        if self.counts[i] <= ALL {
            self.counts[i]
        } else {
            SOME
        }
    }

    pub fn slots(&self) -> usize {
        self.slots_of(0) + self.slots_of(1)
    }

    /// The shape a slot's corner belongs to, and the corner, if the slot has one.
    #[inline]
    fn corner(&self, slot: usize, track: &Track) -> Option<(usize, usize)> {
        let first = self.slots_of(0);
        let (owner, local) = if slot < first {
            (0, slot)
        } else {
            (1, slot - first)
        };
        if local >= self.slots_of(owner) {
            return None;
        }
        if self.counts[owner] <= ALL {
            return Some((owner, local));
        }
        (track.on && track.s[0] >= 0.0).then_some((owner, track.s[0] as usize))
    }

    #[inline]
    pub fn near(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
    ) -> Option<Near> {
        let (owner, corner) = self.corner(slot, track)?;
        self.near_corner(outlines, frames, owner, corner)
    }

    fn near_corner(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        owner: usize,
        corner: usize,
    ) -> Option<Near> {
        let target = 1 - owner;
        let seen = frames[owner].seen_from(frames[target]);
        let (center, radius) = match outlines[owner] {
            Outline::Disc { center, radius } => (*center, *radius),
            Outline::Chain(chain) => {
                let k = *chain.outer.get(corner)?;
                (chain.corners.get(k)?.at, chain.radius)
            }
            _ => return None,
        };
        let c = seen.point(center);
        let place = match (outlines[owner], outlines[target]) {
            (Outline::Chain(own), Outline::Chain(other)) if other.closed => {
                let k = *own.outer.get(corner)?;
                on_chain(other, other.probe_facing(c, own.corners.get(k)?, &seen)?)
            }
            (_, outline) => probe(outline, c)?,
        };
        if place.corner.is_some()
            && let Outline::Chain(chain) = outlines[owner]
        {
            let toward = seen.unrotate([-place.normal[0], -place.normal[1]]);
            let k = *chain.outer.get(corner)?;
            if owner == 1 || !chain.corners.get(k)?.faces(toward) {
                return None;
            }
        }
        let gap = place.distance - radius;
        if !(gap >= self.deepest[owner]) {
            return None;
        }
        let near = Near {
            gap,
            normal: frames[target].rotate(place.normal),
            points: [
                frames[target].point(along(c, -place.distance, place.normal)),
                frames[target].point(along(c, -radius, place.normal)),
            ],
            curvatures: [place.curvature, 1.0 / radius],
            unique: place.unique,
        };
        Some(if target == 0 { near } else { near.exchanged() })
    }

    /// Slots for all corners are always on; where there are fewer, those of the nearest corners are, and a touching one keeps its slot.
    pub fn seek(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        let first = self.slots_of(0);
        for owner in 0..2 {
            let (from, count) = (if owner == 0 { 0 } else { first }, self.slots_of(owner));
            let Some(tracks) = tracks.get_mut(from..from + count) else {
                continue;
            };
            if self.counts[owner] <= ALL {
                for (i, track) in tracks.iter_mut().enumerate() {
                    (track.s, track.on) = ([i as f64, 0.0], true);
                }
                continue;
            }
            let gap = |corner: usize| {
                self.near_corner(outlines, frames, owner, corner)
                    .map_or(f64::INFINITY, |near| near.gap)
            };
            keep_nearest::<SOME>(self.counts[owner], gap, tracks);
        }
    }
}

/// How deep in an open profile of this extent another shape is still felt, m: a tenth of the profile, and never so deep that a disc's centre is behind it.
pub(crate) fn depth(extent: f64, other: &Outline) -> f64 {
    let size = match other {
        Outline::Disc { radius, .. } => *radius,
        Outline::Chain(chain) => 0.25 * chain.extent + chain.radius,
        Outline::Curve(curve) => 0.25 * curve.extent,
        Outline::Bore { .. } | Outline::Plane { .. } => f64::INFINITY,
    };
    (0.1 * extent).min(size)
}

/// The place of an outline that is nearest to a point, both in the outline's axes. Smooth outlines have several and are not asked here.
fn probe(outline: &Outline, c: [f64; 2]) -> Option<Place> {
    match outline {
        Outline::Disc { center, radius } => {
            let (normal, distance) = unit(minus(c, *center), [1.0, 0.0]);
            Some(Place {
                distance: distance - radius,
                normal,
                curvature: 1.0 / radius,
                corner: None,
                unique: distance > 0.0,
            })
        }
        Outline::Bore { center, radius } => {
            let ([x, y], distance) = unit(minus(c, *center), [1.0, 0.0]);
            Some(Place {
                distance: radius - distance,
                normal: [-x, -y],
                curvature: -1.0 / radius,
                corner: None,
                unique: distance > 0.0,
            })
        }
        Outline::Plane { point, normal } => Some(Place {
            distance: dot(*normal, minus(c, *point)),
            normal: *normal,
            curvature: 0.0,
            corner: None,
            unique: true,
        }),
        Outline::Chain(chain) => Some(on_chain(chain, chain.probe(c)?)),
        Outline::Curve(_) => None,
    }
}

/// From the core of a chain to its surface.
fn on_chain(chain: &Chain, foot: Foot) -> Place {
    Place {
        distance: foot.distance - chain.radius,
        normal: foot.normal,
        curvature: chain.curvature(&foot),
        corner: foot.corner,
        unique: foot.unique,
    }
}
