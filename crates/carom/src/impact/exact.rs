//! With which damping does a free impact really return the restitution asked for?
//!
//! In closed form for the hysteresis family, for the linear-oscillator class, for switched and for permanent laws; else by a root of the simulated restitution over the coefficient.

use crate::card::{Fault, Parameter, Role, Values};
use crate::contact::closed;
use crate::contact::{Calibration, Damper, Elastic, Law, Separation, Touch};
use crate::math;

use super::known::damping_ratio;
use super::lab::{Failed, Lab};
use super::motion::scales;

/// How closely the simulated restitution is solved for, and the tolerance of the simulations.
const SOLVED: f64 = 1e-12;
const RTOL: f64 = 1e-13;
/// The least restitution that is solved for.
const LEAST: f64 = 1e-6;
/// How far the restitution returned may be from the one asked for.
const REACHED: f64 = 5e-11;
/// Coefficients that are this close are one, but for the rounding of their units.
const ONE: f64 = 1e-12;

/// Begins a contact at an approach speed (m/s) on an effective mass (kg), with the law's own coefficient or, under [`Calibration::Exact`], with the one that returns the
/// restitution asked for.
pub fn begin(law: &Law, v0: f64, mass: f64) -> Result<Touch, Failed> {
    let mut touch = law.touch(v0, mass)?;
    if law.calibration() == Calibration::Published {
        return Ok(touch);
    }
    let e = law.requested(v0)?.unwrap_or(f64::NAN);
    let coefficient = match closed_form(&touch, e) {
        Some(coefficient) => coefficient,
        None if e < LEAST => {
            return Err(Failed::Input(Fault::OutOfRange {
                law: law.card().id,
                name: "restitution".into(),
                value: e,
                unit: "",
                allowed: format!("≥ {LEAST:e} where the coefficient is solved for by simulation"),
                hint: "below that the rest of an impact drowns in rounding".into(),
            }));
        }
        None => solve(law.card().id, &touch, e)?,
    };
    touch.set_coefficient(coefficient);
    Ok(law.bounded(touch)?)
}

/// The law and these values of it with the coefficient that it has at one approach speed (m/s) on one effective mass (kg), as a number that is kept at all others. `None` where its card has no place for such a number: of
/// a law that is told the restitution at every touch, and of a dent in proportion to the deepest indentation.
pub(crate) fn keeping(
    law: &Law,
    values: &Values,
    v0: f64,
    mass: f64,
) -> Result<Option<(Law, Values)>, Failed> {
    let card = law.card();
    if law.calibration() == Calibration::Published || card.restitution().is_some() {
        return Ok(None);
    }
    let touch = begin(law, v0, mass)?;
    let Some(own) = law.own_coefficient(&touch) else {
        return Ok(None);
    };
    // One coefficient may stand on the card for each body: D1 and D2 of D.
    let names = |p: &&Parameter| {
        let both = p.symbol.trim_end_matches(|c: char| c.is_ascii_digit());
        p.role == Role::Damping && [p.symbol, both].contains(&card.calibrates)
    };
    let mut values = values.clone();
    for parameter in card.parameters.iter().filter(names) {
        values.set_number(parameter.name, own);
    }
    let Ok(kept) = Law::new(card, &values, None, Calibration::Published) else {
        return Ok(None);
    };
    // It must be the same damper, and stay so when bodies meet faster.
    let solved = touch.coefficient().unwrap_or(f64::NAN);
    for speed in [v0, 2.0 * v0] {
        let there = kept.touch(speed, mass)?.coefficient().unwrap_or(f64::NAN);
        if !((there - solved).abs() <= ONE * solved.abs()) {
            return Ok(None);
        }
    }
    Ok(Some((kept, values)))
}

/// The coefficient in closed form, where there is one.
fn closed_form(touch: &Touch, e: f64) -> Option<f64> {
    if let Elastic::Plastic(_) = touch.elastic() {
        return Some(e * e);
    }
    match (touch.elastic(), touch.damper()) {
        (_, Damper::Parting { .. }) => Some(e * e),
        _ if e == 1.0 => Some(0.0),
        (_, Damper::Factor { .. }) => Some(closed::exact_hysteresis(e) / touch.v0()),
        (Elastic::Power { k, n }, Damper::Power { .. } | Damper::Approach { .. })
            if damping_ratio(touch).is_some() =>
        {
            let zeta = match touch.damper() {
                Damper::Approach { .. } => closed::approach_damping(e),
                _ => closed::oscillator_damping(e, touch.separation()),
            };
            Some(zeta * math::sqrt(2.0 * (n.value() + 1.0) * k * touch.mass()))
        }
        _ => None,
    }
}

/// The coefficient by Brent's method (1973) on the simulated restitution, which falls from 1 without damping.
fn solve(law: &'static str, touch: &Touch, e: f64) -> Result<f64, Failed> {
    let mut lab = Lab::new(RTOL)?;
    let mut returned = |coefficient: f64| {
        let mut trial = touch.clone();
        trial.set_coefficient(coefficient);
        match lab.free(law, &trial) {
            Ok(free) => Ok(free.restitution),
            // A contact that creeps back for ever returns nothing.
            Err(Failed::NoSeparation { .. }) => Ok(0.0),
            Err(other) => Err(other),
        }
    };
    // A first guess: the coefficient whose force at touch speed and half depth is what an oscillator of this restitution would have.
    let zeta = closed::oscillator_damping(e, Separation::ZeroForce);
    let (depth, _) = scales(touch);
    let unit = {
        let mut trial = touch.clone();
        trial.set_coefficient(1.0);
        let middle = crate::contact::State {
            delta: 0.5 * depth,
            rate: touch.v0(),
            time: depth / touch.v0(),
            own: 0.0,
        };
        let force = trial.force(&middle);
        (force.elastic / force.dissipative).abs()
    };
    let guess = if unit.is_finite() && unit > 0.0 {
        2.0 * zeta * unit
    } else {
        zeta
    };
    // Brackets the root between too little damping and too much. With a variable of its own a law may return more again when its coefficient grows on: the first crossing is meant.
    let (guess, growth) = if touch.has_own() {
        (0.02 * guess, 1.2)
    } else {
        (guess, 2.0)
    };
    let (mut low, mut at_low) = (0.0, 1.0 - e);
    let mut high = guess;
    let mut at_high = returned(high)? - e;
    let mut least = at_high + e;
    for _ in 0..200 {
        if at_high <= 0.0 || touch.has_own() && at_high > at_low {
            break;
        }
        (low, at_low) = (high, at_high);
        high *= growth;
        if !high.is_finite() {
            break;
        }
        at_high = returned(high)? - e;
        least = least.min(at_high + e);
    }
    if !(at_high <= 0.0) {
        return Err(Failed::Unreachable {
            law,
            requested: e,
            nearest: [least, least],
        });
    }
    let root = brent(&mut returned, e, (low, at_low), (high, at_high))?;
    let found = returned(root)?;
    if (found - e).abs() <= REACHED {
        return Ok(root);
    }
    // The restitution jumps over what was asked for: both sides are told.
    let beside = returned(root * (1.0 + if found > e { 1e-9 } else { -1e-9 }))?;
    Err(Failed::Unreachable {
        law,
        requested: e,
        nearest: [found.min(beside), found.max(beside)],
    })
}

/// The root of returned(x) = e between two points of opposite sign.
fn brent(
    returned: &mut impl FnMut(f64) -> Result<f64, Failed>,
    e: f64,
    low: (f64, f64),
    high: (f64, f64),
) -> Result<f64, Failed> {
    let (mut a, mut fa) = low;
    let (mut b, mut fb) = high;
    let (mut c, mut fc) = (a, fa);
    let (mut step, mut before) = (b - a, b - a);
    for _ in 0..100 {
        if fc.abs() < fb.abs() {
            (a, fa) = (b, fb);
            (b, fb) = (c, fc);
            (c, fc) = (a, fa);
        }
        let half = 0.5 * (c - b);
        let resolution = 2.0 * f64::EPSILON * b.abs();
        if fb.abs() <= SOLVED || half.abs() <= resolution {
            break;
        }
        if before.abs() < resolution || fa.abs() <= fb.abs() {
            (step, before) = (half, half);
        } else {
            let s = fb / fa;
            let (mut p, mut q) = if a == c {
                (2.0 * half * s, 1.0 - s)
            } else {
                let (r, t) = (fb / fc, fa / fc);
                (
                    s * (2.0 * half * t * (t - r) - (b - a) * (r - 1.0)),
                    (t - 1.0) * (r - 1.0) * (s - 1.0),
                )
            };
            if p > 0.0 {
                q = -q;
            }
            p = p.abs();
            if 2.0 * p < (3.0 * half * q - (resolution * q).abs()).min((before * q).abs()) {
                before = step;
                step = p / q;
            } else {
                (step, before) = (half, half);
            }
        }
        (a, fa) = (b, fb);
        b += if step.abs() > resolution {
            step
        } else {
            resolution * if half > 0.0 { 1.0 } else { -1.0 }
        };
        fb = returned(b)? - e;
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            (step, before) = (b - a, b - a);
        }
    }
    Ok(b)
}
