//! How far are the corners of one shape from the faces of another?
//!
//! Shapes of straight edges touch with their corners: each corner of either shape has a slot of its own against the nearest place of the other, so that a box that stands has two contacts
//! and keeps both when it rocks. A corner on a corner belongs to the first shape's corner alone. Discs are corners with a radius; their one slot is all they need.
//!
//! Where a pressed corner passes a corner of the other shape (a box slides off a table) the contact goes over to the other's corner, which then stands on a face of the first: the slot goes
//! with it, so that nothing pressed vanishes in one slot and appears in another. Slots of corners that touch are held; a corner that a held one may hand over to is watched, and keeps silent there.
//!
//! A corner has one slot: a rounded corner in the valley of a profile feels the nearer flank only. Sharp corners that pass each other with their faces at an angle have no common depth;
//! their gap then jumps by a part of it.
//!
//! A thin thing that pierces another right through, with every corner outside, is not felt: contacts are shallow, and steps must be small enough to see them begin.

use crate::geometry::chain::{Chain, Foot};
use crate::geometry::frame::{Frame, along, dot, minus, norm, unit};
use crate::geometry::near::{Looked, Near, Track};
use crate::geometry::runs::keep_nearest;
use crate::geometry::shape::Outline;

/// A shape with more corners than this adds a few slots only, and all slots then go to the nearest corners.
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
    edge: Option<usize>,
    unique: bool,
}

/// A corner's contact, and the other's corner or edge it stands on.
struct Meeting {
    near: Near,
    corner: Option<usize>,
    edge: Option<usize>,
}

/// What the second number of a corner's track says.
#[derive(Clone, Copy, PartialEq)]
enum Hold {
    /// It does not touch.
    Free,
    /// It touches, and goes over to another corner when it must.
    Held,
    /// This corner of the other shape touches close by and may go over to it.
    Watched(usize),
}

impl Hold {
    #[inline]
    fn of(track: &Track) -> Self {
        let hold = track.s[1];
        if !track.on || !(hold != 0.0) {
            Hold::Free
        } else if hold > 0.0 {
            Hold::Held
        } else {
            Hold::Watched((-hold) as usize - 1)
        }
    }

    fn number(self) -> f64 {
        match self {
            Hold::Free => 0.0,
            Hold::Held => 1.0,
            Hold::Watched(corner) => -((corner + 1) as f64),
        }
    }
}

/// Beyond this part of the smaller shape's size from a held corner another is not watched.
const CLOSE: f64 = 0.1;
/// The part of the smaller shape's size by which shapes may move before the nearest of many corners are sought anew.
const AFRESH: f64 = 1e-3;

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

    /// How deep its contacts are felt at least, m.
    pub fn deepest(&self) -> f64 {
        let of = |i: usize| match self.counts[i] {
            0 => f64::INFINITY,
            _ => -self.deepest[i],
        };
        of(0).min(of(1))
    }

    /// Whether every corner has a slot.
    #[inline]
    fn complete(&self) -> bool {
        self.counts[0] <= ALL && self.counts[1] <= ALL
    }

    /// The shape that a corner belongs to, and its place there, by its number among all.
    #[inline]
    fn corner(&self, number: usize) -> (usize, usize) {
        if number < self.counts[0] {
            (0, number)
        } else {
            (1, number - self.counts[0])
        }
    }

    /// The number among all of a corner.
    #[inline]
    fn number(&self, owner: usize, corner: usize) -> usize {
        if owner == 0 {
            corner
        } else {
            self.counts[0] + corner
        }
    }

    #[inline]
    pub fn near(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
    ) -> Option<Near> {
        self.seen(outlines, slot, frames, track, false)
    }

    /// The same for the search for a touch: two corners that meet are seen from both, whichever of them the contact belongs to. Within one step they may meet and one of them turn away, so that the other has it.
    #[inline]
    pub fn coming(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
    ) -> Option<Near> {
        self.seen(outlines, slot, frames, track, true)
    }

    #[inline]
    fn seen(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
        of_both: bool,
    ) -> Option<Near> {
        if slot >= self.slots() {
            return None;
        }
        let number = if track.on {
            track.s[0] as usize
        } else if self.complete() {
            slot
        } else {
            return None;
        };
        let (owner, corner) = self.corner(number);
        let (Outline::Chain(_), Outline::Chain(other)) = (outlines[owner], outlines[1 - owner])
        else {
            return self.meets(outlines, frames, owner, corner).map(|m| m.near);
        };
        match (Hold::of(track), self.meets(outlines, frames, owner, corner)) {
            (Hold::Held, Some(m)) => Some(m.near),
            (Hold::Held, None) => self.passed(outlines, frames, owner, corner).map(|p| p.0),
            (Hold::Free, Some(m)) => {
                (of_both || self.is_its_own(outlines, frames, owner, &m)).then_some(m.near)
            }
            (Hold::Watched(by), Some(m)) => {
                let by = *other.outer.get(by)?;
                let silent = match m.corner {
                    Some(corner) => corner == by || owner == 1,
                    None => m.edge.is_some() && other.beside(by).contains(&m.edge),
                };
                (!silent).then_some(m.near)
            }
            (_, None) => None,
        }
    }

    /// A corner touches: where it meets a corner of the other shape the contact is its own from now on, unless the other has it, and the other keeps silent.
    pub fn claim(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        tracks: &mut [Track],
    ) {
        let Some(track) = tracks.get(slot).filter(|track| track.on) else {
            return;
        };
        let (owner, corner) = self.corner(track.s[0] as usize);
        let (Hold::Free, Outline::Chain(other)) = (Hold::of(track), outlines[1 - owner]) else {
            return;
        };
        let met = self.meets(outlines, frames, owner, corner);
        let met = met.and_then(|m| m.corner);
        let Some(met) = met.and_then(|met| other.outer.iter().position(|k| *k == met)) else {
            return;
        };
        let number = self.number(1 - owner, met) as f64;
        let there = tracks.iter().position(|t| t.on && t.s[0] == number);
        if let Some(there) = there.filter(|there| Hold::of(&tracks[*there]) != Hold::Held) {
            tracks[there].s[1] = Hold::Watched(corner).number();
            tracks[slot].s[1] = Hold::Held.number();
        }
    }

    /// Whether a contact belongs to this corner: one of two corners belongs to the first shape's, unless that does not stand on the second's, as it may be with edges in line that are tilted a little.
    #[inline]
    fn is_its_own(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        owner: usize,
        meeting: &Meeting,
    ) -> bool {
        let (Some(corner), 1, Outline::Chain(first)) = (meeting.corner, owner, outlines[0]) else {
            return true;
        };
        let there = first.outer.iter().position(|k| *k == corner);
        there.is_none_or(|there| self.meets(outlines, frames, 0, there).is_none())
    }

    /// Where a corner stands on the other shape: on a face, or on a corner within its cone.
    #[inline]
    fn meets(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        owner: usize,
        corner: usize,
    ) -> Option<Meeting> {
        let target = 1 - owner;
        let seen = frames[owner].seen_from(frames[target]);
        let (center, radius, own) = match outlines[owner] {
            Outline::Disc { center, radius } => (*center, *radius, None),
            Outline::Chain(chain) => {
                let own = chain.corners.get(*chain.outer.get(corner)?)?;
                (own.at, chain.radius, Some(own))
            }
            _ => return None,
        };
        let c = seen.point(center);
        let place = match (own, outlines[target]) {
            (Some(own), Outline::Chain(other)) => {
                on_chain(other, other.probe_facing(c, own, &seen)?)
            }
            (_, outline) => probe(outline, c)?,
        };
        // Over a face, however near its end, a corner stands as over any other part of it.
        if place.corner.is_some()
            && place.edge.is_none()
            && let Some(own) = own
            && !own.faces(seen.unrotate([-place.normal[0], -place.normal[1]]))
        {
            return None;
        }
        if !(place.distance - radius >= self.deepest[owner]) {
            return None;
        }
        Some(Meeting {
            near: built(frames, owner, c, radius, &place),
            corner: place.corner,
            edge: place.edge,
        })
    }

    /// Where a held corner has passed the nearest corner of the other shape: the contact of that corner with a face beside the first, and its place. Sharp corners that are turned a little
    /// against each other have both passed for a way no longer than they are deep; there the face the first has left goes on being felt.
    #[cold]
    fn passed(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        owner: usize,
        corner: usize,
    ) -> Option<(Near, Option<usize>)> {
        let (Outline::Chain(chain), Outline::Chain(other)) = (outlines[owner], outlines[1 - owner])
        else {
            return None;
        };
        let place = *chain.outer.get(corner)?;
        let own = chain.corners.get(place)?;
        let seen = frames[owner].seen_from(frames[1 - owner]);
        let c = seen.point(own.at);
        let next = other.nearest_corner(c)?;
        // Edges that stand in line meet corner on corner, and a hair later the other's corner is over the face: no depth may be lost between the two.
        if let Some(m) = self.meets(outlines, frames, 1 - owner, next)
            && m.edge.is_some()
            && chain.beside(place).contains(&m.edge)
        {
            return Some((m.near, Some(next)));
        }
        let mut best: Option<(f64, Place)> = None;
        for edge in other.beside(*other.outer.get(next)?).into_iter().flatten() {
            let Some(face) = other.edges.get(edge) else {
                continue;
            };
            let w = minus(c, face.from);
            let (t, height) = (dot(face.along, w), dot(face.normal, w));
            let over = (-t).max(t - face.length);
            let [x, y] = face.normal;
            if over <= -height
                && own.looks(seen.unrotate([-x, -y]))
                && best.is_none_or(|b| over < b.0)
            {
                let place = Place {
                    distance: height - other.radius,
                    normal: face.normal,
                    curvature: 0.0,
                    corner: None,
                    edge: Some(edge),
                    unique: true,
                };
                best = Some((over, place));
            }
        }
        let (_, place) = best?;
        Some((built(frames, owner, c, chain.radius, &place), None))
    }

    /// Where all corners have slots they are always on; where there are fewer, those of the nearest corners are, and a touching one keeps its slot. Then who touches is held.
    pub fn seek(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        let Some(tracks) = tracks.get_mut(..self.slots()) else {
            return;
        };
        let (Outline::Chain(a), Outline::Chain(b)) = (outlines[0], outlines[1]) else {
            self.seat(outlines, frames, tracks);
            return;
        };
        let middles = [frames[0].point(a.middle), frames[1].point(b.middle)];
        let reaches = 0.5 * (a.extent + b.extent) + a.radius + b.radius;
        if norm(minus(middles[1], middles[0])) > reaches {
            for track in tracks.iter_mut() {
                track.s[1] = 0.0;
                track.on &= !self.complete();
            }
            self.seat(outlines, frames, tracks);
            return;
        }
        self.seat(outlines, frames, tracks);
        self.hold(outlines, frames, tracks);
    }

    /// Gives corners their slots.
    fn seat(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        if self.complete() {
            for (i, track) in tracks.iter_mut().enumerate() {
                if !track.on {
                    (track.s, track.on) = ([i as f64, 0.0], true);
                }
            }
            return;
        }
        // Half-planes and bores have no size: the motion is that of the other.
        let finite = |outline: &Outline| match outline {
            Outline::Chain(chain) => Some((
                norm(chain.middle) + 0.5 * chain.extent + chain.radius,
                chain.extent,
            )),
            Outline::Disc { center, radius } => Some((norm(*center) + radius, 2.0 * radius)),
            _ => None,
        };
        let one = usize::from(finite(outlines[0]).is_none());
        let stands = frames[one].seen_from(frames[1 - one]);
        let (reach, size) = finite(outlines[one]).unwrap_or_default();
        let Some(first) = tracks.first() else {
            return;
        };
        if first.looked.holds(&stands, reach) {
            return;
        }
        let gap = |number: usize| {
            let (owner, corner) = self.corner(number);
            self.distance(outlines, frames, owner, corner)
                .unwrap_or(f64::INFINITY)
        };
        let next = keep_nearest(self.counts[0] + self.counts[1], gap, tracks);
        let size = finite(outlines[1 - one]).map_or(size, |f| f.1.min(size));
        let room = (0.5 * next).max(AFRESH * size);
        if let Some(first) = tracks.first_mut() {
            first.looked = Looked::now(&stands, room);
        }
    }

    /// How far a corner is from the other shape, whether it faces it or not.
    fn distance(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        owner: usize,
        corner: usize,
    ) -> Option<f64> {
        let (center, radius) = match outlines[owner] {
            Outline::Disc { center, radius } => (*center, *radius),
            Outline::Chain(chain) => {
                let own = chain.corners.get(*chain.outer.get(corner)?)?;
                (own.at, chain.radius)
            }
            _ => return None,
        };
        let c = frames[owner].seen_from(frames[1 - owner]).point(center);
        let gap = probe(outlines[1 - owner], c)?.distance - radius;
        (gap >= self.deepest[owner]).then_some(gap)
    }

    /// Says of every slot whether it touches, and hands over.
    fn hold(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        for i in 0..tracks.len() {
            if Hold::of(&tracks[i]) != Hold::Held {
                tracks[i].s[1] = 0.0;
                continue;
            }
            let (owner, corner) = self.corner(tracks[i].s[0] as usize);
            let (near, next) = match self.meets(outlines, frames, owner, corner) {
                Some(m) => (Some(m.near), None),
                None => self
                    .passed(outlines, frames, owner, corner)
                    .map_or((None, None), |(near, next)| (Some(near), next)),
            };
            if !near.is_some_and(|near| near.gap <= 0.0) {
                tracks[i].s[1] = 0.0;
                continue;
            }
            let Some(next) = next else {
                continue;
            };
            let number = self.number(1 - owner, next) as f64;
            let there = tracks.iter().position(|t| t.on && t.s[0] == number);
            match there {
                // Both are pressed and leave together: each its own way.
                Some(j) if Hold::of(&tracks[j]) == Hold::Held => {}
                Some(j) => {
                    tracks[j].s[0] = tracks[i].s[0];
                    tracks[i].s[0] = number;
                }
                None => tracks[i].s[0] = number,
            }
        }
        // Twice, for those who come before the one that is found to touch.
        for _ in 0..2 {
            for i in 0..tracks.len() {
                if tracks[i].on && Hold::of(&tracks[i]) != Hold::Held {
                    let hold = self.free_or_watched(outlines, frames, tracks, i);
                    tracks[i].s[1] = hold.unwrap_or(Hold::Free).number();
                }
            }
        }
    }

    fn free_or_watched(
        &self,
        outlines: [&Outline; 2],
        frames: [&Frame; 2],
        tracks: &[Track],
        slot: usize,
    ) -> Option<Hold> {
        let (owner, corner) = self.corner(tracks.get(slot)?.s[0] as usize);
        let (Outline::Chain(chain), Outline::Chain(other)) = (outlines[owner], outlines[1 - owner])
        else {
            return None;
        };
        let own = chain.corners.get(*chain.outer.get(corner)?)?;
        let c = frames[owner].seen_from(frames[1 - owner]).point(own.at);
        let by = other.nearest_corner(c)?;
        let place = *other.outer.get(by)?;
        let meeting = self.meets(outlines, frames, owner, corner);
        let number = self.number(1 - owner, by) as f64;
        let held = |t: &Track| t.on && t.s[0] == number && Hold::of(t) == Hold::Held;
        if tracks.iter().any(held) {
            let apart = norm(minus(c, other.corners.get(place)?.at)) - chain.radius - other.radius;
            let one_place = match &meeting {
                None => apart < CLOSE * chain.extent.min(other.extent),
                Some(m) if m.corner.is_some() => m.corner == Some(place),
                // Both stand on faces, and no farther from each other than they are deep.
                Some(m) => other.beside(place).contains(&m.edge) && apart <= -1.5 * m.near.gap,
            };
            if one_place {
                return Some(Hold::Watched(by));
            }
        }
        let m = meeting?;
        let touches = m.near.gap <= 0.0 && self.is_its_own(outlines, frames, owner, &m);
        Some(if touches { Hold::Held } else { Hold::Free })
    }
}

/// A corner before a place of the other shape, both in the other's axes.
#[inline]
fn built(frames: [&Frame; 2], owner: usize, c: [f64; 2], radius: f64, place: &Place) -> Near {
    let target = 1 - owner;
    let near = Near {
        gap: place.distance - radius,
        normal: frames[target].rotate(place.normal),
        points: [
            frames[target].point(along(c, -place.distance, place.normal)),
            frames[target].point(along(c, -radius, place.normal)),
        ],
        curvatures: [place.curvature, 1.0 / radius],
        unique: place.unique,
    };
    if target == 0 { near } else { near.exchanged() }
}

/// How deep in an open profile of this extent another shape is still felt, m: a tenth of the profile at most. A disc is felt until its centre is behind the profile, and a small one, which is
/// all behind it after little, for a tenth of the profile.
pub(crate) fn depth(extent: f64, other: &Outline) -> f64 {
    let size = match other {
        Outline::Disc { radius, .. } => return radius.max(0.1 * extent),
        Outline::Chain(chain) => 0.25 * chain.extent + chain.radius,
        Outline::Curve(curve) => 0.25 * curve.extent,
        Outline::Bore { .. } | Outline::Plane { .. } => f64::INFINITY,
    };
    (0.1 * extent).min(size)
}

/// The place of an outline that is nearest to a point, both in the outline's axes. Smooth outlines have several and are not asked here.
#[inline]
fn probe(outline: &Outline, c: [f64; 2]) -> Option<Place> {
    match outline {
        Outline::Disc { center, radius } => {
            let (normal, distance) = unit(minus(c, *center), [1.0, 0.0]);
            Some(Place {
                distance: distance - radius,
                normal,
                curvature: 1.0 / radius,
                corner: None,
                edge: None,
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
                edge: None,
                unique: distance > 0.0,
            })
        }
        Outline::Plane { point, normal } => Some(Place {
            distance: dot(*normal, minus(c, *point)),
            normal: *normal,
            curvature: 0.0,
            corner: None,
            edge: None,
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
        edge: foot.edge,
        unique: foot.unique,
    }
}
