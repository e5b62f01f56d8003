//! How well does a record tell the instants at which a force jumps, or sets in steeply?
//!
//! Slopes of such a curve beside touch and end hold for a hair: the one sample that stands there seems to tell the instant to any digit, or not at all. What samples do tell is between which two of them it was. So the samples on both
//! sides of such an edge do not count for errors, and instead the instant counts as known to one sample either way.

use super::data::Data;
use super::forward::Forward;
use super::judge;
use super::kind::Kind;

/// An edge is steep if the force one sample inside is more than this many times the noise.
const STEEP: f64 = 3.0;
/// The standard error of an instant in samples: 95 % lie within one of them either way.
const WITHIN: f64 = 0.5;
/// The step of differences, in the scaled parameters.
const STEP: f64 = 5e-4;

/// The usual time between samples of a record of force, s.
pub(super) fn step(data: &Data) -> Option<f64> {
    let mut gaps: Vec<f64> = data.x.windows(2).map(|w| w[1] - w[0]).collect();
    gaps.sort_by(f64::total_cmp);
    let step = gaps.get(gaps.len() / 2).copied();
    step.filter(|step| *step > 0.0 && data.kind == Kind::TimeForce)
}

/// The columns of slopes without the samples beside steep edges, and with a row for each such edge. `noise` is that of a residual. As they are where that would leave less to be known, or there are no such edges.
pub(super) fn blunted(
    forward: &mut Forward<'_>,
    u: &[f64],
    columns: Vec<Vec<f64>>,
    noise: f64,
) -> Vec<Vec<f64>> {
    let Some((step, instants)) = step(forward.data()).zip(forward.instants(u)) else {
        return columns;
    };
    let times = &forward.data().x;
    let mut blunt = columns.clone();
    let mut any = false;
    for (edge, inside) in [step, -step].into_iter().enumerate() {
        let at = instants[edge];
        let force = forward.forces(u, &[at + inside]);
        if !force.is_some_and(|f| f.iter().any(|f| f.abs() > STEEP * noise)) {
            continue;
        }
        any = true;
        for column in &mut blunt {
            let beside = column.iter_mut().zip(times);
            let beside = beside.filter(|(_, t)| (*t - at).abs() <= step);
            beside.for_each(|(slope, _)| *slope = 0.0);
        }
        let mut moved = u.to_vec();
        for (j, column) in blunt.iter_mut().enumerate() {
            let mut at = |by: f64| {
                moved[j] = u[j] + by;
                forward.instants(&moved).map(|instants| instants[edge])
            };
            let (ahead, behind) = (at(STEP), at(-STEP));
            moved[j] = u[j];
            let slope = ahead.zip(behind).map(|(a, b)| (a - b) / (2.0 * STEP));
            column.push(slope.unwrap_or(0.0) * noise / (WITHIN * step));
        }
    }
    match any && judge::rank(&blunt) >= judge::rank(&columns) {
        true => blunt,
        false => columns,
    }
}
