//! Which numbers come with the leader, and where do they leave what the laws are made for?

use crate::contact::Damper;
use crate::contact::closed;
use crate::impact;
use crate::impact::Accuracy;
use crate::math;

use super::case::Case;
use super::spring::of_time;
use super::{Caution, Judged, Numbers};

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
    })
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
    if let Some(given) = case.known.contact_time {
        let elastic = closed::elastic_duration(case.spring.0, case.spring.1, case.mass, fastest);
        let ratio = elastic / given;
        if !(0.5..=2.0).contains(&ratio) {
            found.push(Caution::Time {
                duration: elastic,
                given,
                stiffness: of_time(given, case.spring.1, case.mass, fastest),
            });
        }
    }
    found
}
