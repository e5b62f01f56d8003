//! Which unit do the data leave open, and which numbers go with it without a change of any curve?
//!
//! Laws hold in all units. A record of force over time knows newtons and seconds but no metres: with a metre that is any times as long all of stiffness, mass and speed are others, and the force at every instant is the same. So it is with
//! bounces and speeds, which know nothing of kilograms. Where nothing that was given fixes the open unit, the mass is held while the others are sought, and what it would do follows from what they do, exactly: differences of curves tell a
//! direction in which nothing changes only as well as they tell slopes, which is badly where a force sets in or ends steeply.

use crate::model::units::Dimension;

use super::forward::Forward;
use super::kind::Kind;
use super::least::Residuals;
use super::unknowns::Unknown;

/// How far along the direction it is tried whether nothing changes, and which difference of residuals is none.
const TRIED: [f64; 2] = [0.7, -1.3];
const NOTHING: f64 = 1e-6;
/// From how many starts.
const LOOKED: usize = 3;

/// The power of the open unit in a unit.
fn power(kind: Kind, unit: Dimension) -> f64 {
    match kind {
        // Newtons and seconds stay: a kilogram is N s²/m.
        Kind::TimeForce => unit.length - unit.mass,
        // Newtons and metres.
        Kind::ForceIndentation => unit.time + 2.0 * unit.mass,
        // Metres and seconds.
        Kind::Heights | Kind::Times | Kind::Speeds => unit.mass,
    }
}

/// How the numbers that are sought, which are `u`, change with the open unit; `names` are the exponents that were given. `None` if a number that is not sought in its logarithm would.
pub(super) fn direction(
    kind: Kind,
    unknowns: &[Unknown],
    u: &[f64],
    names: &[(&'static str, f64)],
) -> Option<Vec<f64>> {
    let mut names = names.to_vec();
    for (unknown, u) in unknowns.iter().zip(u) {
        if unknown.unit.is_empty() {
            let value = unknown.value(*u);
            names.extend([(unknown.symbol, value), (unknown.name, value)]);
        }
    }
    let one = |unknown: &Unknown| {
        let unit = Dimension::of(unknown.unit, &names).ok()?;
        let power = power(kind, unit);
        (unknown.log || power == 0.0).then_some(power)
    };
    unknowns.iter().map(one).collect()
}

/// Which of the numbers to hold: the mass, if curves are the same wherever the open unit takes all numbers. That is tried, since a number that was given, or has a default, may fix the unit.
pub(super) fn held(
    kind: Kind,
    forward: &mut Forward<'_>,
    starts: &[Vec<f64>],
    dead: &[bool],
    names: &[(&'static str, f64)],
) -> Option<usize> {
    let mass = forward.unknowns.iter().position(|u| u.name == "mass")?;
    if dead.get(mass) != Some(&false) {
        return None;
    }
    let n = forward.count();
    let (mut here, mut there) = (vec![0.0; n], vec![0.0; n]);
    let mut looked = 0;
    for start in starts {
        if looked == LOOKED {
            break;
        }
        if !forward.at(start, &mut here) {
            continue;
        }
        looked += 1;
        let along = direction(kind, &forward.unknowns, start, names)?;
        for by in TRIED {
            let moved: Vec<f64> = start.iter().zip(&along).map(|(u, d)| u + by * d).collect();
            let same = |(a, b): (&f64, &f64)| (a - b).abs() <= NOTHING * (1.0 + a.abs());
            if !forward.at(&moved, &mut there) || !here.iter().zip(&there).all(same) {
                return None;
            }
        }
    }
    (looked > 0).then_some(mass)
}
