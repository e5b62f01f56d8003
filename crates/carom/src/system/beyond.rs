//! Was a spring ever longer, shorter or faster than its table knows?
//!
//! Beyond its ends a table goes on with its last piece, which soon is nobody's measurement. It is looked at wherever the motion is written down.

use crate::card::rounded;
use crate::mechanics::{Load, Outside, Pose};
use crate::model::LoadEntry;

use super::note::Warning;

/// For every load, when it was first beyond its table (s), and how it was farthest beyond.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    seen: Vec<Option<(f64, Outside)>>,
}

impl Beyond {
    /// Of so many loads, none of them yet seen beyond its table.
    pub fn none(loads: usize) -> Self {
        Self {
            seen: vec![None; loads],
        }
    }

    /// Looks at time `t` (s).
    pub fn look(&mut self, t: f64, loads: &[Load], poses: &[Pose]) {
        for (seen, load) in self.seen.iter_mut().zip(loads) {
            let Some(outside) = load.outside(poses) else {
                continue;
            };
            match seen {
                Some((_, worst)) if worst.by() >= outside.by() => {}
                Some((_, worst)) => *worst = outside,
                None => *seen = Some((t, outside)),
            }
        }
    }

    /// One warning for each load that was.
    pub fn warnings(&self, entries: &[LoadEntry]) -> impl Iterator<Item = Warning> {
        let seen = self.seen.iter().zip(entries);
        seen.filter_map(|(seen, entry)| {
            let (t, outside) = seen.as_ref()?;
            let [low, high] = outside.known;
            let unit = outside.unit;
            Some(Warning {
                code: "beyond-table",
                element: Some(format!("force.{}", entry.name)),
                time: Some(*t),
                message: format!(
                    "its table ends at {} and {} {unit}, and its {} comes to {} {unit} at the farthest: beyond, the last piece of the curve goes on, which nobody measured",
                    rounded(low),
                    rounded(high),
                    outside.what,
                    rounded(outside.value)
                ),
                hint: "give the table more lines at that end, or a formula in its place".into(),
            })
        })
    }
}
