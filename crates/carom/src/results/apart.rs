//! How far do two runs of one model lie apart, channel by channel?
//!
//! Tables are read line by line, at the instants that both have. What is a lot and what is little is told by how far a channel goes in any of the runs: its range.

use core::f64::consts::TAU;
use std::io::{self, BufRead};

use crate::math;
use crate::results::trajectory::{Column, Reader};

/// The part of its range by which a channel may differ and still agree.
pub const AGREES: f64 = 0.01;
/// A range below this part of the largest of its unit is rounding, and so is an angle below this, rad.
const ROUNDING: f64 = 1e-6;
/// Instants are the same if they differ by no more than this part.
const SAME: f64 = 1e-9;
/// Points of a course that are held at most.
const MOST_POINTS: usize = 8000;

/// A channel and what it is measured by.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranged {
    /// Which.
    pub column: Column,
    /// From its least value to its greatest in the run where these are furthest apart, in its unit.
    pub range: f64,
    /// Whether it says how near two methods are: it moves, and has a number also where bodies strike each other at an instant.
    pub judged: bool,
}

/// The channels of the first table, without its time, and how far each goes in any of them.
pub fn ranges<R: BufRead>(tables: impl IntoIterator<Item = R>) -> io::Result<Vec<Ranged>> {
    let mut all: Vec<Ranged> = Vec::new();
    let mut span = 0.0_f64;
    for (i, table) in tables.into_iter().enumerate() {
        let mut table = Reader::new(table)?;
        let columns = table.columns().to_vec();
        let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY); columns.len()];
        while let Some(row) = table.row()? {
            for (ends, value) in ends.iter_mut().zip(row) {
                if value.is_finite() {
                    *ends = (ends.0.min(*value), ends.1.max(*value));
                }
            }
        }
        if let Some((low, high)) = ends.first() {
            span = span.max(high - low);
        }
        for (column, (low, high)) in columns.into_iter().zip(ends).skip(1) {
            let range = if high > low { high - low } else { 0.0 };
            match all.iter_mut().find(|known| known.column == column) {
                Some(known) => known.range = known.range.max(range),
                None if i == 0 => all.push(Ranged {
                    judged: is_judged(&column),
                    column,
                    range,
                }),
                None => {}
            }
        }
    }
    let of_unit = |unit: &str| {
        let same = all.iter().filter(|one| one.column.unit == unit);
        same.map(|one| one.range).fold(0.0, f64::max)
    };
    // A speed that would not go far in the whole run is rounding, like what it would go.
    let largest = |unit: &str| match unit {
        "rad" => of_unit(unit).max(1.0),
        "rad/s" if span > 0.0 => of_unit(unit).max(1.0 / span),
        "m/s" if span > 0.0 => of_unit(unit).max(of_unit("m") / span),
        _ => of_unit(unit),
    };
    let moves: Vec<bool> = all
        .iter()
        .map(|one| one.range > ROUNDING * largest(&one.column.unit))
        .collect();
    for (one, moves) in all.iter_mut().zip(moves) {
        one.judged &= moves;
    }
    Ok(all)
}

/// Forces, accelerations and indentations have no number in a blow that takes no time; what should be zero is noise.
fn is_judged(column: &Column) -> bool {
    let jumps = ["N", "N m", "m/s^2", "rad/s^2"].contains(&column.unit.as_str());
    let name = column.name.as_str();
    let noise = name == "energy.residual" || name.starts_with("constraints.");
    let pressed = name == "energy.elastic" || name.ends_with(".indentation");
    !(jumps || noise || pressed)
}

/// How a channel differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The channel, and by what it is measured.
    pub of: Ranged,
    /// Root mean square, in its unit.
    pub rms: f64,
    /// The largest difference, in its unit, and when, s.
    pub largest: (f64, f64),
    /// From when on it differs by more than [`AGREES`] of its range, s; one sample alone may have fallen between the same blow in both runs, and does not count. `None` if it agrees to the end.
    pub parts: Option<f64>,
}

/// How a run lies apart from another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Apart {
    /// Channels that both have.
    pub channels: Vec<Difference>,
    /// Instants that both have.
    pub samples: u64,
    /// The last of them, s.
    pub end: f64,
    /// Time, s, and the largest difference then of all channels that are judged, as a part of their ranges; thinned so that peaks stay.
    pub course: Vec<(f64, f64)>,
}

impl Apart {
    /// Root mean square over all channels that are judged and all samples, as a part of their ranges.
    pub fn part(&self) -> Option<f64> {
        let judged = || self.channels.iter().filter(|c| c.of.judged);
        let squares = judged().map(|c| c.rms / c.of.range).map(|part| part * part);
        let count = judged().count();
        (count > 0).then(|| math::sqrt(squares.sum::<f64>() / count as f64))
    }

    /// The channel that parts first, and when, s.
    pub fn first(&self) -> Option<(&Difference, f64)> {
        let judged = self.channels.iter().filter(|c| c.of.judged);
        let parting = judged.filter_map(|c| Some((c, c.parts?)));
        parting.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// A channel on the way.
struct Tally {
    of: Ranged,
    /// A direction, told from minus to plus half a turn.
    turns: bool,
    here: usize,
    there: usize,
    squares: f64,
    count: u64,
    largest: (f64, f64),
    /// Since when it has been off.
    off: Option<(f64, u64)>,
    parts: Option<f64>,
}

/// Sets a table beside another; `ranges` are what they are measured by.
pub fn apart(ranges: &[Ranged], reference: impl BufRead, other: impl BufRead) -> io::Result<Apart> {
    let (mut reference, mut other) = (Reader::new(reference)?, Reader::new(other)?);
    let place = |columns: &[Column], name: &str| columns.iter().position(|c| c.name == name);
    let mut tallies: Vec<Tally> = Vec::new();
    for of in ranges {
        let here = place(reference.columns(), &of.column.name);
        let there = place(other.columns(), &of.column.name);
        if let (Some(here), Some(there)) = (here, there) {
            tallies.push(Tally {
                turns: of.column.name.ends_with(".eccentricity_angle"),
                of: of.clone(),
                here,
                there,
                squares: 0.0,
                count: 0,
                largest: (0.0, f64::NAN),
                off: None,
                parts: None,
            });
        }
    }
    let mut found = Apart::default();
    let (mut a, mut b) = (row(&mut reference)?, row(&mut other)?);
    while let (Some(here), Some(there)) = (&a, &b) {
        let (t, u) = (time(here), time(there));
        if (t - u).abs() > SAME * t.abs().max(u.abs()) {
            if t < u {
                a = row(&mut reference)?;
            } else {
                b = row(&mut other)?;
            }
            continue;
        }
        found.samples += 1;
        found.end = t;
        let mut most = 0.0_f64;
        for tally in &mut tallies {
            let value = |row: &[f64], i: usize| row.get(i).copied().unwrap_or(f64::NAN);
            let mut off = (value(there, tally.there) - value(here, tally.here)).abs();
            if tally.turns {
                // Just below half a turn and just above it are neighbours.
                off = off.min((TAU - off).abs());
            }
            if !off.is_finite() {
                continue;
            }
            tally.squares += off * off;
            tally.count += 1;
            if off > tally.largest.0 {
                tally.largest = (off, t);
            }
            if !tally.of.judged {
                continue;
            }
            most = most.max(off / tally.of.range);
            if off > AGREES * tally.of.range {
                let (since, count) = tally.off.unwrap_or((t, 0));
                tally.off = Some((since, count + 1));
                if count > 0 && tally.parts.is_none() {
                    tally.parts = Some(since);
                }
            } else {
                tally.off = None;
            }
        }
        found.course.push((t, most));
        if found.course.len() > MOST_POINTS {
            found.course = halved(&found.course);
        }
        a = row(&mut reference)?;
        b = row(&mut other)?;
    }
    found.channels = tallies
        .into_iter()
        .filter(|tally| tally.count > 0)
        .map(|tally| Difference {
            rms: math::sqrt(tally.squares / tally.count as f64),
            largest: tally.largest,
            parts: tally.parts,
            of: tally.of,
        })
        .collect();
    Ok(found)
}

fn row<R: BufRead>(table: &mut Reader<R>) -> io::Result<Option<Vec<f64>>> {
    Ok(table.row()?.map(<[f64]>::to_vec))
}

fn time(row: &[f64]) -> f64 {
    // A line without a number is taken for the last one.
    row.first().copied().unwrap_or(f64::INFINITY)
}

/// Of every two points the higher.
fn halved(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let higher = |two: &[(f64, f64)]| {
        two.iter()
            .copied()
            .reduce(|a, b| if b.1 > a.1 { b } else { a })
    };
    points.chunks(2).filter_map(higher).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines, x = t and x = t + 0.02 from t = 6 on, one sample at t = 3 alone far off; every second instant is missing in the other.
    #[test]
    fn differences_are_those_of_two_lines_and_one_sample_alone_does_not_part_them() {
        let (mut one, mut two) = (
            String::from("t [s],x [m],contact.a.force [N],still [m]\n"),
            String::from("t [s],still [m],x [m]\n"),
        );
        for i in 0..=1000 {
            let t = f64::from(i) / 100.0;
            one += &format!("{t},{t},5,1\n");
            if i % 2 == 0 {
                let off = if i == 300 {
                    1.0
                } else if i >= 600 {
                    0.2
                } else {
                    0.0
                };
                two += &format!("{t},1,{}\n", t + off);
            }
        }
        let ranges = ranges([one.as_bytes()]).expect("it is read");
        assert_eq!(
            ranges.iter().map(|r| r.judged).collect::<Vec<_>>(),
            [true, false, false]
        );
        let found = apart(&ranges, one.as_bytes(), two.as_bytes()).expect("it is read");
        assert_eq!(found.samples, 501);
        assert_eq!(found.channels.len(), 2, "the force is in one table only");
        let x = &found.channels[0];
        // 201 samples of 0.2 and one of 1, of 501.
        let rms = ((201.0 * 0.04 + 1.0) / 501.0_f64).sqrt();
        assert!((x.rms - rms).abs() < 1e-12, "{} {rms}", x.rms);
        assert!((x.largest.0 - 1.0).abs() < 1e-12 && x.largest.1 == 3.0);
        assert_eq!(x.parts, Some(6.0));
        assert!((found.part().expect("one") - rms / 10.0).abs() < 1e-12);
        assert_eq!(found.first().map(|f| f.1), Some(6.0));
        assert!(found.course.contains(&(3.0, 0.1)));
    }

    /// A spin of 1e-20 rad/s is rounding though no other channel turns; one of 0.1 rad/s is not.
    #[test]
    fn a_spin_that_turns_nothing_is_not_judged() {
        let table = |spin: f64| format!("t [s],x [m],block.omega [rad/s]\n0,0,0\n1,1,{spin}\n");
        for (spin, judged) in [(1e-20, false), (0.1, true)] {
            let found = ranges([table(spin).as_bytes()]).expect("it is read");
            assert_eq!(found[1].judged, judged, "{spin}");
        }
    }

    /// A channel that only the other run moves is measured by that run, and a direction goes the shorter way round.
    #[test]
    fn ranges_are_those_of_the_wilder_run_and_directions_wrap() {
        let head = "t [s],x [m],y [m],joint.pin.eccentricity_angle [rad]\n";
        let one = format!("{head}0,0,0,-3\n1,1e-14,1,3.1\n2,0,0,3\n");
        let two = format!("{head}0,0,0,3\n1,2,1,-3.1\n2,4,0,3\n");
        let alone = ranges([one.as_bytes()]).expect("it is read");
        assert!(!alone[0].judged && alone[1].judged, "{alone:?}");
        let both = ranges([one.as_bytes(), two.as_bytes()]).expect("it is read");
        assert!(both[0].judged && both[0].range == 4.0, "{both:?}");
        let found = apart(&both, one.as_bytes(), two.as_bytes()).expect("it is read");
        let turned = &found.channels[2];
        assert!((turned.largest.0 - (TAU - 6.0)).abs() < 1e-12, "{turned:?}");
        assert_eq!(turned.largest.1, 0.0);
    }
}
