//! Which numbers come with the leader, and where do they leave what the laws are made for?

use crate::contact::Damper;
use crate::impact;
use crate::impact::Accuracy;
use crate::math;
use crate::study::static_curve;

use super::case::Case;
use super::{Caution, Judged, Numbers};

/// A contact time that is off by more than this factor is told.
const ON_TIME: f64 = 1.1;
/// What presses the bodies together is told where it does more than this part of the work of an impact.
const PRESSED: f64 = 0.1;

/// The numbers for the leader.
pub(super) fn numbers(case: &Case, leader: &Judged) -> Option<Numbers> {
    let impact = &leader.impact;
    let quick = Accuracy {
        rtol: 1e-9,
        samples: 0,
    };
    let fastest = case.fastest();
    let shortest = impact::simulate(&leader.law, fastest, case.mass, &quick)
        .map_or(impact.duration(), |i| i.duration().min(impact.duration()));
    let card = leader.card;
    let named = card
        .parameters
        .iter()
        .find(|p| p.name == card.calibrates)
        .map_or("", |p| p.unit);
    let damping = impact
        .coefficient
        .filter(|c| c.is_finite() && card.can_calibrate())
        .map(|c| (card.calibrates, named, c));
    let factor = impact::begin(&leader.law, impact.approach_speed, case.mass)
        .ok()
        .and_then(|touch| match touch.damper() {
            Damper::Factor { per_speed } => Some(per_speed * touch.v0()),
            _ => None,
        });
    Some(Numbers {
        speed: impact.approach_speed,
        mass: case.mass,
        restitution: case.middle().1,
        stiffness: card.stiffness().and_then(|p| leader.values.get(p.name)),
        exponent: card.exponent(&leader.values),
        damping,
        hysteresis_factor: factor,
        depth: impact.deepest.delta,
        peak_force: impact.peak.force,
        duration: impact.duration(),
        output_step: shortest / 50.0,
        at_rest: case
            .known
            .load
            .and_then(|load| Some((load, sunk(case, leader, load)?))),
    })
}

/// How deep a force (N) presses the elastic part of a law, m, by halving; nothing where it has none that bears it.
fn sunk(case: &Case, leader: &Judged, load: f64) -> Option<f64> {
    let speed = case.middle().0;
    let bears = |depth: f64| {
        let force = static_curve(&leader.law, speed, case.mass, &[depth]);
        let force = force.into_iter().next().and_then(|(_, force)| force.ok());
        force.map(|force| force >= load)
    };
    let mut high = leader.impact.deepest.delta.max(f64::MIN_POSITIVE);
    for _ in 0..1000 {
        if bears(high)? {
            break;
        }
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match bears(middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    bears(high)?.then_some(high)
}

/// Where the leader or the case leaves what the laws are made for.
pub(super) fn warn(case: &Case, leader: &Judged, numbers: &Numbers) -> Vec<Caution> {
    let quick = Accuracy {
        rtol: 1e-9,
        samples: 0,
    };
    let fastest = case.fastest();
    let depth = impact::simulate(&leader.law, fastest, case.mass, &quick)
        .map_or(numbers.depth, |i| i.deepest.delta);
    let mut found: Vec<Caution> = case
        .known
        .surfaces
        .warnings(&[leader.card], case.mass, fastest, Some(depth))
        .into_iter()
        .map(Caution::Surface)
        .collect();
    if case.regime.flows() {
        found.push(Caution::Flow {
            number: case.regime.number.unwrap_or(f64::NAN),
        });
    }
    let n = numbers.exponent.unwrap_or(case.spring.1);
    // What was fitted to the elastic impact is within rounding of it, and dampers make it shallower.
    if let Some(allowed) = case.known.allowed_depth
        && depth > allowed * 1.000_001
    {
        found.push(Caution::Deep {
            depth,
            allowed,
            factor: math::powf(depth / allowed, n + 1.0),
        });
    }
    if let Some((load, depth)) = numbers.at_rest {
        if let Some(allowed) = case.known.allowed_depth.filter(|a| depth > a * 1.000_001) {
            found.push(Caution::Sunk {
                depth,
                allowed,
                load,
                factor: math::powf(depth / allowed, n),
            });
        }
        let energy = 0.5 * case.mass * numbers.speed * numbers.speed;
        let part = load * numbers.depth / energy;
        if part > PRESSED {
            found.push(Caution::Pressed { load, part });
        }
    }
    if let Some(given) = case.known.contact_time {
        let ratio = numbers.duration / given;
        if !(1.0 / ON_TIME..=ON_TIME).contains(&ratio) {
            found.push(Caution::Time {
                duration: numbers.duration,
                given,
                factor: math::powf(ratio, n + 1.0),
            });
        }
    }
    found
}
