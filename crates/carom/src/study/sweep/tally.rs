//! What came of a sweep in all: how many points failed and why, what was warned of, and how far the numbers reach?

use std::collections::BTreeMap;
use std::io;

use super::Study;
use super::output::Of;
use super::parts::{Cells, Results};

/// What came of a sweep, column by column.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Points in all.
    pub points: u64,
    /// Points without results.
    pub failed: u64,
    /// Why, and how often; the most frequent first. Reasons that differ in their numbers only are one, in the words of the first point. Of more than a hundred the rest is counted under an empty one.
    pub reasons: Vec<(String, u64)>,
    /// The first point that failed for each of these reasons.
    pub examples: Vec<u64>,
    /// What runs warned of, by its code: at how many points, and how often in all; the most frequent first.
    pub warnings: Vec<(String, u64, u64)>,
    /// One an output: least, mean and largest of all numbers in it, and how many there are.
    pub outputs: Vec<[f64; 4]>,
    /// One an output: at how many points that did not fail it has no number, or one that is infinite; of samples, at how many one of them is such.
    pub missing: Vec<u64>,
}

impl Tally {
    /// Reads all rows once.
    pub fn of(study: &Study, results: &Results<'_>) -> io::Result<Tally> {
        /// More reasons than anybody reads.
        const MOST: usize = 100;
        let mut tally = Tally {
            outputs: vec![[f64::INFINITY, 0.0, f64::NEG_INFINITY, 0.0]; study.outputs.len()],
            missing: vec![0; study.outputs.len()],
            ..Tally::default()
        };
        let mut reasons: BTreeMap<String, (u64, u64, String)> = BTreeMap::new();
        let mut warned: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        results.each(|cells: &Cells| {
            tally.points += cells.rows as u64;
            for (i, failure) in cells
                .failures
                .iter()
                .enumerate()
                .filter(|(_, why)| !why.is_empty())
            {
                tally.failed += 1;
                let kind = kind_of(failure);
                let full = reasons.len() >= MOST && !reasons.contains_key(&kind);
                let (kind, own) = match full {
                    true => (String::new(), String::new()),
                    false => (kind, failure.clone()),
                };
                let first = || (0, cells.first + i as u64, own);
                reasons.entry(kind).or_insert_with(first).0 += 1;
            }
            for word in cells.warnings.iter().flat_map(|w| w.split(' ')) {
                let (code, count) = word.split_once('×').unwrap_or((word, "1"));
                if code.is_empty() {
                    continue;
                }
                let entry = warned.entry(code.to_string()).or_insert((0, 0));
                entry.0 += 1;
                entry.1 += count.parse::<u64>().unwrap_or(1);
            }
            let mut place = 0;
            let tallies = tally.outputs.iter_mut().zip(&mut tally.missing);
            for (output, (tally, missing)) in study.outputs.iter().zip(tallies) {
                let own = || cells.outputs.iter().skip(place).take(output.width);
                for column in own() {
                    for value in column.iter().filter(|value| value.is_finite()) {
                        let [low, sum, high, count] = tally;
                        *low = low.min(*value);
                        *high = high.max(*value);
                        *sum += value;
                        *count += 1.0;
                    }
                }
                let is_there =
                    |row: usize| own().all(|c| c.get(row).is_some_and(|value| value.is_finite()));
                let ran = |row: &usize| cells.failures.get(*row).is_none_or(String::is_empty);
                let rows = (0..cells.rows).filter(ran);
                *missing += rows.filter(|row| !is_there(*row)).count() as u64;
                place += output.width;
            }
            Ok(())
        })?;
        for [low, sum, high, count] in &mut tally.outputs {
            if *count > 0.0 {
                *sum /= *count;
            } else {
                [*low, *sum, *high] = [f64::NAN; 3];
            }
        }
        let warned = warned.into_iter();
        tally.warnings = warned.map(|(code, (at, all))| (code, at, all)).collect();
        tally.warnings.sort_by_key(|w| std::cmp::Reverse(w.1));
        let mut all: Vec<(u64, u64, String)> = reasons.into_values().collect();
        all.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
        tally.examples = all.iter().map(|(_, point, _)| *point).collect();
        tally.reasons = all
            .into_iter()
            .map(|(count, _, own)| (own, count))
            .collect();
        Ok(tally)
    }

    /// What is to be said of outputs that have no number at points that did not fail; whether they have none at all goes before.
    pub fn without_numbers(&self, study: &Study) -> Vec<(bool, String)> {
        let ran = self.points - self.failed;
        let which = match self.failed {
            0 => "points",
            _ => "points that did not fail",
        };
        let counts = self.outputs.iter().zip(&self.missing);
        let outputs = study.outputs.iter().zip(counts);
        let all = outputs.filter(|(_, (_, missing))| **missing > 0);
        all.map(|(output, (found, missing))| {
            let none = found[3] == 0.0;
            let at = match none {
                true => format!("any of {ran} {which}"),
                false => format!("{missing} of {ran} {which}"),
            };
            let why = match output.of {
                Of::Contacts(_) => "no contact there has one".into(),
                _ => format!("`{}` is infinite or not defined there", output.text),
            };
            let words = format!("output `{}` has no number at {at} ({why})", output.name);
            (none, words)
        })
        .collect()
    }
}

/// A reason without its numbers: failures that differ by their numbers only are alike.
fn kind_of(failure: &str) -> String {
    let mut kind = String::new();
    for word in failure.split_inclusive(' ') {
        let bare = word.trim_matches([' ', ',', ';', ':', '.', '(', ')']);
        match bare.parse::<f64>() {
            Ok(_) if !bare.is_empty() => kind += &word.replace(bare, "…"),
            _ => kind += word,
        }
    }
    kind
}
