//! Was a spring ever longer, shorter or faster than its table knows?
//!
//! Beyond its ends a table goes on with its last piece, which soon is nobody's measurement. It is looked at wherever the motion is written down.

use crate::card::rounded;
use crate::mechanics::{Load, Outside, Pose};
use crate::model::LoadEntry;

use super::note::Warning;

/// A length or a rate that was beyond its table: when first (s), and how it was farthest below and above.
#[derive(Clone, Copy, Debug)]
struct Seen {
    first: f64,
    sides: [Option<Outside>; 2],
}

/// For every load, its length and its rate.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    seen: Vec<[Option<Seen>; 2]>,
}

impl Beyond {
    /// Of so many loads, none of them yet seen beyond its table.
    pub fn none(loads: usize) -> Self {
        Self {
            seen: vec![[None; 2]; loads],
        }
    }

    /// Looks at time `t` (s).
    pub fn look(&mut self, t: f64, loads: &[Load], poses: &[Pose]) {
        for (seen, load) in self.seen.iter_mut().zip(loads) {
            for (seen, outside) in seen.iter_mut().zip(load.outside(poses)) {
                let Some(outside) = outside else { continue };
                let seen = seen.get_or_insert(Seen {
                    first: t,
                    sides: [None; 2],
                });
                let [below, above] = &mut seen.sides;
                let side = match outside.value < outside.known[0] {
                    true => below,
                    false => above,
                };
                if side.is_none_or(|worst| worst.by() < outside.by()) {
                    *side = Some(outside);
                }
            }
        }
    }

    /// One warning for each length or rate that was.
    pub fn warnings(&self, entries: &[LoadEntry]) -> impl Iterator<Item = Warning> {
        let seen = self.seen.iter().zip(entries);
        let each = seen.flat_map(|(seen, entry)| seen.iter().flatten().map(move |s| (s, entry)));
        each.filter_map(|(seen, entry)| {
            let sides: Vec<&Outside> = seen.sides.iter().flatten().collect();
            let one = sides.first()?;
            let [low, high] = one.known;
            let unit = one.unit;
            let far: Vec<String> = sides.iter().map(|side| rounded(side.value)).collect();
            let (ends, farthest) = match sides.len() {
                1 => ("that end", "at the farthest"),
                _ => ("both ends", "at the farthest on either side"),
            };
            Some(Warning {
                code: "beyond-table",
                element: Some(format!("force.{}", entry.name)),
                time: Some(seen.first),
                message: format!(
                    "its table ends at {} and {} {unit}, and its {} comes to {} {unit} {farthest}: beyond, the last piece of the curve goes on, which nobody measured",
                    rounded(low),
                    rounded(high),
                    one.what,
                    far.join(" and "),
                ),
                hint: format!("give the table more lines at {ends}, or a formula in its place"),
            })
        })
    }
}
