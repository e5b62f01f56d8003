//! Which approach, and how stiff a contact, would keep the depth that is allowed?
//!
//! What is asked again at another speed is another case: other laws lead, other surfaces yield. So the answer is found by asking, and not by the power of one curve.

use crate::math;

use super::case::{Case, SLOWEST};
use super::numbers::deepest;
use super::{Advice, Caution, Known, settled};

/// What was fitted to the elastic impact is within rounding of it, and dampers make it shallower.
const WITHIN: f64 = 1.000_001;
/// The power of the curve is taken where the depth there is the allowed one but for this part.
const AS_FITTED: f64 = 1e-6;
/// Steps of halving, between neighbours that are this factor apart at most.
const HALVINGS: u32 = 14;
const APART: f64 = 4.0;
/// So many steps away from the power of the curve are gone, for speeds and for stiffnesses.
const STEPS: u32 = 12;

/// That the leader goes deeper at the fastest approach than is allowed, and what would not.
pub(super) fn deep(case: &Case, advice: &Advice) -> Option<Caution> {
    let allowed = case.known.allowed_depth?;
    let (leader, numbers) = (advice.leader()?, advice.numbers.as_ref()?);
    let depth = deepest(case, leader).unwrap_or(numbers.depth);
    if depth <= allowed * WITHIN {
        return None;
    }
    let n = numbers.exponent.unwrap_or(case.spring.1);
    let fastest = case.fastest();
    // Depths over the allowed one; slower and stiffer are shallower.
    let over = |known: Known| {
        let (case, advice) = settled(&known).ok()?;
        Some(deepest(&case, advice.leader()?)? / allowed)
    };
    let slower = |times: f64| over(slower(case, fastest / times));
    let stiffer = |times: f64| over(stiffer(case, times));
    let least = fastest / SLOWEST;
    let guess = math::powf(depth / allowed, 0.5 * (n + 1.0));
    Some(Caution::Deep {
        depth,
        allowed,
        factor: times(math::powf(depth / allowed, n + 1.0), f64::INFINITY, stiffer),
        speed: fastest / times(guess, least, slower),
    })
}

/// The least factor, at most `most`, from which on what falls with it is 1 or less; infinite if none is found. `guess` is where it would be by the power of the curve.
fn times(guess: f64, most: f64, over: impl Fn(f64) -> Option<f64>) -> f64 {
    let keeps = |times: f64| over(times).map(|over| over <= WITHIN);
    if guess <= most && over(guess).is_some_and(|over| (over - 1.0).abs() < AS_FITTED) {
        return guess;
    }
    let (mut low, mut high) = (1.0, guess.min(most));
    for _ in 0..STEPS {
        match keeps(high) {
            None => return f64::INFINITY,
            Some(true) => break,
            Some(false) if high >= most => return f64::INFINITY,
            Some(false) => (low, high) = (high, (APART * high).min(most)),
        }
    }
    if keeps(high) != Some(true) {
        return f64::INFINITY;
    }
    // From a guess that is too far the way back is short: it is no more than a few powers of the curve off.
    while high / low > APART && keeps(high / APART) == Some(true) {
        high /= APART;
    }
    low = f64::max(low, high / APART);
    for _ in 0..HALVINGS {
        let middle = math::sqrt(low * high);
        match keeps(middle) {
            Some(true) => high = middle,
            _ => low = middle,
        }
    }
    high
}

/// The same case, no faster than this (m/s).
fn slower(case: &Case, fastest: f64) -> Known {
    Known {
        speeds: Some([case.speeds[0].min(fastest), fastest]),
        ..case.known.clone()
    }
}

/// The same case with surfaces so many times as stiff: of materials with that modulus, or on that spring.
fn stiffer(case: &Case, times: f64) -> Known {
    let mut known = case.known.clone();
    if let Some(materials) = &mut known.surfaces.materials {
        for material in materials {
            material.young *= times;
        }
    }
    let (k, n) = case.spring;
    if known.stiffness.is_some() || !case.of_surfaces() {
        known.stiffness = Some((k * times, n));
    }
    known
}
