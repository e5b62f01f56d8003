//! Which velocities at the start are meant, and which only follow?
//!
//! A velocity that is given and not zero is meant: it is held if the joints allow it at all. A body of which nothing is given is wished to rest, but moves along if it must; what is left at zero of a
//! body that has another velocity given follows from that one.

use crate::model::Model;

use super::equations::Equations;
use super::note::Warning;
use super::saddle::Saddle;
use super::structure::Fault;

/// How much heavier than its mass a velocity that is meant counts, and how much lighter one that follows.
const HOLD: f64 = 1e4;
/// Each pass brings what is held nearer by about the same factor: to the last digit.
const PASSES: usize = 6;

/// Velocities near to those given that hold what is meant.
pub(super) fn hold(
    equations: &mut Equations,
    t: f64,
    q: &[f64],
    v: &mut [f64],
) -> Result<(), Fault> {
    if v.iter().all(|v| *v == 0.0) || equations.values.is_empty() {
        return Ok(());
    }
    let given = v.to_vec();
    let meant = |body: usize| given[3 * body..3 * body + 3].iter().any(|v| *v != 0.0);
    let inverse: Vec<f64> = (0..v.len())
        .map(|i| {
            let weight = match (given[i] != 0.0, meant(i / 3)) {
                (true, _) => HOLD,
                (false, true) => 1.0 / HOLD,
                (false, false) => 1.0,
            };
            1.0 / (weight * equations.masses[i])
        })
        .collect();
    equations.rows(t, q, v);
    let left_out: Vec<usize> = (0..equations.values.len())
        .filter(|&row| equations.saddle.is_redundant(row))
        .collect();
    let mut saddle = Saddle::new(equations.saddle.structure().clone(), &inverse)?;
    saddle.leave_out(&left_out);
    let _ = saddle.factor(&equations.jacobian)?;
    let mut change = vec![0.0; v.len()];
    let mut held = given.clone();
    for pass in 0..2 * PASSES {
        // First rest counts as given, which is right where it can be had; where it cannot, only what is meant is asked for.
        for i in 0..v.len() {
            if given[i] != 0.0 || pass < PASSES && !meant(i / 3) {
                held[i] = given[i];
            }
        }
        equations.rows(t, q, &held);
        saddle.project(&equations.rates, &mut change)?;
        for (held, change) in held.iter_mut().zip(&change) {
            *held += change;
        }
    }
    if held.iter().all(|v| v.is_finite()) {
        v.copy_from_slice(&held);
    }
    Ok(())
}

/// What is said of velocities that were given and could not be held.
pub(super) fn changed(model: &Model, v: &[f64]) -> Vec<Warning> {
    let fastest = v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let names = [
        ("velocity in x", "m/s"),
        ("velocity in y", "m/s"),
        ("angular velocity", "rad/s"),
    ];
    let mut warnings = Vec::new();
    for (entry, used) in model.bodies.iter().zip(v.as_chunks::<3>().0) {
        let parts = entry.velocity.iter().zip(used).zip(names);
        let changes: Vec<String> = parts
            .filter(|((given, used), _)| {
                **given != 0.0 && (*given - *used).abs() > 1e-6 * fastest.max(given.abs())
            })
            .map(|((given, used), (name, unit))| {
                format!("{name}: {given} {unit} was given, {used:.6} {unit} is taken")
            })
            .collect();
        if !changes.is_empty() {
            warnings.push(Warning {
                code: "velocity-changed",
                element: Some(format!("body.{}", entry.name)),
                time: Some(model.simulation.start),
                message: format!(
                    "the joints and drivers do not allow the velocities given for the start. {}",
                    changes.join("; ")
                ),
                hint: "give only the velocities that are free; the others follow from the joints"
                    .into(),
            });
        }
    }
    warnings
}
