//! Where does a disc touch a profile of straight edges?
//!
//! Valleys cut a profile into runs that bend outward only. A disc has one nearest place on each: it rolls over the corners of a run in one slot, with a gap that is smooth, and in a valley
//! it touches two runs at once. Where a run ends in a valley its last corner goes on being felt, so that a disc that leaves a run does so gently.

use crate::geometry::chain::Chain;
use crate::geometry::frame::{Frame, along, minus, norm};
use crate::geometry::near::{Looked, Near, Track};
use crate::geometry::points::depth;
use crate::geometry::shape::Outline;

/// With more runs than this the nearest ones are tracked.
const SOME: usize = 4;
/// The part of the disc's radius by which it may move before the nearest runs are sought anew.
const AFRESH: f64 = 1e-3;

/// A disc and an open chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Runs {
    count: usize,
    deepest: f64,
    disc_first: bool,
}

impl Runs {
    pub fn new(first: &Outline, second: &Outline) -> Self {
        let disc_first = matches!(first, Outline::Disc { .. });
        let (disc, profile) = if disc_first {
            (first, second)
        } else {
            (second, first)
        };
        let (count, extent) = match profile {
            Outline::Chain(chain) => (chain.runs.len(), chain.extent),
            _ => (0, 0.0),
        };
        Self {
            count,
            deepest: -depth(extent, disc),
            disc_first,
        }
    }

    /// How deep the disc is felt, m.
    pub fn deepest(&self) -> f64 {
        -self.deepest
    }

    pub fn slots(&self) -> usize {
        self.count.min(SOME)
    }

    pub fn near(
        &self,
        outlines: [&Outline; 2],
        slot: usize,
        frames: [&Frame; 2],
        track: &Track,
    ) -> Option<Near> {
        if slot >= self.slots() {
            return None;
        }
        if self.count <= SOME {
            return self.near_run(outlines, frames, slot);
        }
        (track.on && track.s[0] >= 0.0)
            .then(|| self.near_run(outlines, frames, track.s[0] as usize))?
    }

    fn near_run(&self, outlines: [&Outline; 2], frames: [&Frame; 2], run: usize) -> Option<Near> {
        let (disc, profile) = if self.disc_first { (0, 1) } else { (1, 0) };
        let (Outline::Disc { center, radius }, Outline::Chain(chain)) =
            (outlines[disc], outlines[profile])
        else {
            return None;
        };
        let c = frames[disc].seen_from(frames[profile]).point(*center);
        let mut foot = chain.probe_run(*chain.runs.get(run)?, c)?;
        let corner = foot.corner.and_then(|k| chain.corners.get(k));
        let behind = corner.is_some_and(|k| k.reflex && k.behind(minus(c, k.at)));
        if foot.distance < 0.0 || behind {
            // A centre behind this run may lie before the nearest one: then it is not in the solid.
            let inside = chain.probe(c)?.distance < 0.0;
            if foot.distance < 0.0 && !inside {
                return None;
            }
            // Seen from within the solid, the end of a run in a valley is behind like its faces.
            if foot.distance > 0.0 && inside {
                let [x, y] = foot.normal;
                (foot.distance, foot.normal) = (-foot.distance, [-x, -y]);
            }
        }
        let gap = foot.distance - radius;
        if !(gap >= self.deepest) {
            return None;
        }
        let near = Near {
            gap,
            normal: frames[profile].rotate(foot.normal),
            points: [
                frames[profile].point(along(c, -foot.distance, foot.normal)),
                frames[profile].point(along(c, -radius, foot.normal)),
            ],
            curvatures: [Chain::curvature(chain, &foot), 1.0 / radius],
            unique: foot.unique,
        };
        Some(if self.disc_first {
            near.exchanged()
        } else {
            near
        })
    }

    /// The nearest runs have slots; one that is touched keeps its own.
    pub fn seek(&self, outlines: [&Outline; 2], frames: [&Frame; 2], tracks: &mut [Track]) {
        if self.count <= SOME {
            for (i, track) in tracks.iter_mut().take(self.count).enumerate() {
                (track.s, track.on) = ([i as f64, 0.0], true);
            }
            return;
        }
        let gap = |run: usize| {
            self.near_run(outlines, frames, run)
                .map_or(f64::INFINITY, |near| near.gap)
        };
        let disc = usize::from(!self.disc_first);
        let (Outline::Disc { center, radius }, Some(tracks)) =
            (outlines[disc], tracks.get_mut(..self.slots()))
        else {
            return;
        };
        let stands = frames[disc].seen_from(frames[1 - disc]);
        if tracks[0].looked.holds(&stands, norm(*center)) {
            return;
        }
        let next = keep_nearest(self.count, gap, tracks);
        tracks[0].looked = Looked::now(&stands, (0.5 * next).max(AFRESH * radius));
    }
}

/// The most slots that the nearest of many things share.
const MOST: usize = 16;

/// Gives the slots to the nearest of `count` things; a thing that is touched keeps its slot, and so does one that is still among the nearest. Returns the gap of the nearest one that has none.
pub(crate) fn keep_nearest(count: usize, gap: impl Fn(usize) -> f64, tracks: &mut [Track]) -> f64 {
    const NONE: (f64, usize) = (f64::INFINITY, usize::MAX);
    let mut all = [NONE; MOST];
    let slots = tracks.len().min(MOST);
    let (best, tracks) = (&mut all[..slots], &mut tracks[..slots]);
    let mut next = f64::INFINITY;
    for thing in 0..count {
        let mut new = (gap(thing), thing);
        for old in best.iter_mut() {
            if new.0 < old.0 {
                std::mem::swap(old, &mut new);
            }
        }
        next = next.min(new.0);
    }
    for track in tracks.iter_mut() {
        let thing = track.s[0] as usize;
        match best.iter_mut().find(|b| b.1 == thing) {
            Some(found) if track.on => *found = NONE,
            _ => track.on = track.on && gap(thing) <= 0.0,
        }
    }
    for (distance, thing) in best.iter().copied() {
        if distance < f64::INFINITY {
            match tracks.iter_mut().find(|track| !track.on) {
                Some(free) => (free.s, free.on) = ([thing as f64, 0.0], true),
                None => next = next.min(distance),
            }
        }
    }
    next
}
