//! Which numbers come with the leader, and where do they leave what the laws are made for?

use crate::contact::stiffness::Warning;
use crate::contact::{Damper, Family};
use crate::impact;
use crate::impact::{Accuracy, Impact, Sample};
use crate::math;
use crate::study::{speed_curve, static_curve};

use super::case::{Case, yields_itself};
use super::rest::at_rest;
use super::{Advice, AtRest, Caution, Geometry, Judged, Known, Numbers, Regime, Shape};

/// Samples in an impact, at least.
const SAMPLES: f64 = 50.0;
/// The part of the largest force by which the largest of the samples may be off.
const MISSED: f64 = 0.01;
/// Points of the history by which that is found.
const FINE: usize = 10_000;
/// A contact time that is off by more than this factor is told.
const ON_TIME: f64 = 1.1;
/// What presses the bodies together is told where it does more than this part of the work of an impact.
const PRESSED: f64 = 0.1;

/// A depth at rest of the law itself that is this many times that of the surfaces, or less than its inverse, is told.
const AT_REST: f64 = 1.25;

/// A law that costs less than this more than the leader is as good, and is told where its largest force or its depth differs by more than the factor.
const CLOSE: f64 = 0.02;
const APART: f64 = 1.1;
/// A force that is this many times that of the spring alone is the damper's; restitutions this close are the same.
const DAMPED: f64 = 1.5;
const SAME: f64 = 0.02;
/// A restitution that is short of 1 by less is 1.
const WHOLE: f64 = 1e-6;
/// Close enough for a depth and a force.
const QUICK: Accuracy = Accuracy {
    rtol: 1e-9,
    samples: 0,
};

/// The numbers for the leader.
pub(super) fn numbers(case: &Case, leader: &Judged) -> Option<Numbers> {
    let impact = &leader.impact;
    let fine = Accuracy {
        rtol: 1e-9,
        samples: FINE,
    };
    let finely = |speed: f64| impact::simulate(&leader.law, speed, case.mass, &fine).ok();
    // Which contact is the shortest hangs on the law and on how restitution goes with speed.
    let output_step = case
        .all_speeds()
        .filter_map(finely)
        .map(|impact| output_step(&impact))
        .fold(impact.duration() / SAMPLES, f64::min);
    let card = leader.card;
    let damping = impact
        .coefficient
        .filter(|c| c.is_finite() && card.can_calibrate())
        .map(|c| (card.calibrates, card.calibrates_unit(&leader.values), c));
    let factor = impact::begin(&leader.law, impact.approach_speed, case.mass)
        .ok()
        .and_then(|touch| match touch.damper() {
            Damper::Factor { per_speed } => Some(per_speed * touch.v0()),
            _ => None,
        });
    let taken = card.stiffness().and_then(|p| leader.values.get(p.name));
    let (stiffness, exponent, local_at) = match taken {
        Some(k) => (Some(k), card.exponent(&leader.values), None),
        None => match local_spring(case, leader) {
            Some((k, n, local_at)) => (Some(k), Some(n), local_at),
            None => (None, None, None),
        },
    };
    Some(Numbers {
        speed: impact.approach_speed,
        speeds: case.speeds,
        mass: case.mass,
        restitution: case.middle().1,
        assumed: case.assumes(),
        returned: impact.restitution,
        returned_over: case.speeds.map(|v| returned(case, leader, v)),
        lossless_below: lossless_below(case, leader),
        loss_power: loss_power(case, leader),
        at_fastest: at_fastest(case, leader),
        stiffness,
        exponent,
        local_at,
        damping,
        hysteresis_factor: factor,
        depth: impact.deepest.delta,
        peak_force: impact.peak.force,
        duration: impact.duration(),
        output_step,
        at_rest: case.known.load.and_then(|load| at_rest(case, leader, load)),
    })
}

/// What comes back with a law at this approach (m/s); NaN where that cannot be computed.
fn returned(case: &Case, law: &Judged, speed: f64) -> f64 {
    // What is told the restitution is told it at every speed.
    let curve = speed_curve(&law.law, case.mass, speed, &[speed]);
    let back = curve.into_iter().next().and_then(|(_, e)| e.ok());
    back.unwrap_or(f64::NAN)
}

/// The approach (m/s) below which a law that takes its restitution from the strength of the material loses nothing, where that is within the speeds: by halving.
fn lossless_below(case: &Case, law: &Judged) -> Option<f64> {
    let whole = |speed: f64| returned(case, law, speed) > 1.0 - WHOLE;
    let [mut low, mut high] = case.speeds;
    if !law.predicts || !whole(low) || whole(high) {
        return None;
    }
    for _ in 0..30 {
        let middle = math::sqrt(low * high);
        match whole(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(low)
}

/// The power of the speed that 1 - e of a law goes with over the speeds: the straight line through the logarithms that is off by the least squares. None of one speed, and where nothing is lost or all is.
fn loss_power(case: &Case, law: &Judged) -> Option<f64> {
    let mut points = Vec::new();
    for speed in case.all_speeds() {
        let lost = 1.0 - returned(case, law, speed);
        if !(lost > WHOLE && lost < 1.0) {
            return None;
        }
        points.push((math::ln(speed), math::ln(lost)));
    }
    let count = points.len() as f64;
    let x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let over = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>();
    let power = over / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>();
    power.is_finite().then_some(power)
}

/// Deepest indentation (m) and largest force (N) at the fastest approach: there a law that yields is another than in the middle.
fn at_fastest(case: &Case, law: &Judged) -> Option<(f64, f64)> {
    let [slowest, fastest] = case.speeds;
    if !law.predicts || slowest == fastest {
        return None;
    }
    let impact = impact::simulate(&law.law, fastest, case.mass, &QUICK).ok()?;
    Some((impact.deepest.delta, impact.peak.force))
}

/// A fiftieth of an impact, or less: as long as its force stays within `MISSED` of the largest, so that a sample falls there whenever the impact begins, s.
fn output_step(impact: &Impact) -> f64 {
    let peak = impact.peak;
    let least = (1.0 - MISSED) * peak.force;
    // Where the force falls to that, between neighbours on a straight line: the curve lies above it beside a peak.
    let until = |sides: &mut dyn Iterator<Item = &Sample>| {
        let mut last = (peak.time, peak.force);
        for sample in sides {
            let now = (sample.time, sample.force());
            if now.1 < least {
                return last.0 + (now.0 - last.0) * (last.1 - least) / (last.1 - now.1);
            }
            last = now;
        }
        last.0
    };
    let after = until(&mut impact.history.iter().filter(|s| s.time > peak.time));
    let before = until(&mut impact.history.iter().rev().filter(|s| s.time < peak.time));
    (after - before).min(impact.duration() / SAMPLES)
}

/// K and n of the K δ^n that touches the curve of a law at half of the deepest indentation of the middle impact, n = d ln F/d ln δ there, and that indentation (m) unless the curve is this power everywhere.
fn local_spring(case: &Case, leader: &Judged) -> Option<(f64, f64, Option<f64>)> {
    const BESIDE: f64 = 1e-4;
    let impact = &leader.impact;
    let depth = 0.5 * impact.deepest.delta;
    let depths = [
        0.5 * depth,
        depth * (1.0 - BESIDE),
        depth,
        depth * (1.0 + BESIDE),
    ];
    let curve = static_curve(&leader.law, impact.approach_speed, case.mass, &depths);
    let [(_, Ok(half)), (_, Ok(low)), (_, Ok(force)), (_, Ok(high))] = curve.as_slice() else {
        return None;
    };
    let n = math::ln(high / low) / math::ln((1.0 + BESIDE) / (1.0 - BESIDE));
    // A linear law is linear, and Hertz's power is 3/2, whatever the rounding.
    let halves = (2.0 * n).round() / 2.0;
    let n = if (n - halves).abs() < 1e-9 { halves } else { n };
    let k = force / math::powf(depth, n);
    let everywhere = (half / (k * math::powf(0.5 * depth, n)) - 1.0).abs() < 1e-9;
    (k.is_finite() && k > 0.0 && n.is_finite()).then_some((k, n, (!everywhere).then_some(depth)))
}

/// The law that hardly costs more than the leader and whose largest force or depth differs most from its own, where that is much.
pub(super) fn close_call(ranked: &[Judged]) -> Option<Caution> {
    let (leader, others) = ranked.split_first()?;
    let force = |law: &Judged| law.impact.peak.force;
    let depth = |law: &Judged| law.impact.deepest.delta;
    let apart = |law: &Judged| {
        let factors = [force(law) / force(leader), depth(law) / depth(leader)];
        factors
            .map(|x| math::ln(x).abs())
            .into_iter()
            .fold(0.0, f64::max)
    };
    let other = others
        .iter()
        .filter(|law| law.cost - leader.cost < CLOSE)
        .max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
    (apart(other) > math::ln(APART)).then(|| Caution::CloseCall {
        law: other.card.id,
        behind: other.cost - leader.cost,
        forces: [force(other), force(leader)],
        depths: [depth(other), depth(leader)],
    })
}

/// A damper that makes the force much larger than the spring alone would, with what other laws have that return as much.
pub(super) fn damped(case: &Case, ranked: &[Judged]) -> Option<Caution> {
    let leader = ranked.first()?;
    let depth = case.reference_depth(leader.card);
    let elastic = case.reference(leader.card, depth);
    let force = |law: &Judged| law.impact.peak.force;
    if force(leader) < DAMPED * elastic {
        return None;
    }
    let returns = |law: &&Judged| (law.impact.restitution - leader.impact.restitution).abs() < SAME;
    let alike = || ranked.iter().filter(returns);
    let named = |law: &Judged| (law.card.id, force(law));
    let least = alike().min_by(|a, b| force(a).total_cmp(&force(b)))?;
    let most = alike().max_by(|a, b| force(a).total_cmp(&force(b)))?;
    Some(Caution::Damped {
        force: force(leader),
        elastic,
        returned: leader.impact.restitution,
        others: (force(most) > force(least)).then(|| [named(least), named(most)]),
    })
}

/// Whether a warning about surfaces, by its code, says what the ranking does. Those of a run know neither the geometry that was found nor that a stiffness was given.
fn holds(code: &str, geometry: Geometry, known: &Known, regime: &Regime) -> bool {
    let given = known.given_stiffness().is_some();
    match code {
        // Where bodies do not touch at a point the pressure is another one, and on another spring the depth: judged by itself.
        "yield" => regime.pressure_ratio.is_some() && !given,
        // How closely a journal fits is judged by the angle over which it lies in its bearing: the same that ranks the laws.
        // It says how far the surfaces are from Hertz's form: a stiffness that was given need not be that.
        "conformal" => matches!(geometry, Geometry::Conformal | Geometry::Hollow) && !given,
        "large-contact" => !matches!(geometry, Geometry::Loose | Geometry::Conformal) && !given,
        _ => true,
    }
}

impl Advice {
    /// Whether a warning about surfaces, by its code, goes with this advice on what is `known`: one of a run of the model knows less of how they meet.
    pub fn agrees(&self, code: &str, known: &Known) -> bool {
        holds(code, self.geometry, known, &self.regime)
    }
}

/// Deepest indentation of a law at the fastest approach, m.
pub(super) fn deepest(case: &Case, law: &Judged) -> Option<f64> {
    let impact = impact::simulate(&law.law, case.fastest(), case.mass, &QUICK).ok()?;
    Some(impact.deepest.delta)
}

/// Where the leader or the case leaves what the laws are made for.
pub(super) fn warn(case: &Case, leader: &Judged, numbers: &Numbers) -> Vec<Caution> {
    let fastest = case.fastest();
    let depth = deepest(case, leader).unwrap_or(numbers.depth);
    let of_surfaces =
        case.regime.pressure_ratio.is_some() && case.known.given_stiffness().is_none();
    let materials = case.known.surfaces.materials.iter().flatten();
    let strong = materials.into_iter().any(|m| m.yield_strength.is_some());
    let mut found: Vec<Caution> = case
        .known
        .surfaces
        .warnings(&[leader.card], case.mass, fastest, Some(depth))
        .into_iter()
        .filter(|warning| holds(warning.code(), case.geometry, case.known, &case.regime))
        .map(|warning| match warning {
            Warning::Speed { .. } if !strong => Caution::Waves { warning },
            warning => Caution::Surface(warning),
        })
        .collect();
    if let Some(begins) = case.regime.yield_speed
        && case.regime.yields()
        && !of_surfaces
        && leader.card.family != Family::Plastic
    {
        found.push(Caution::Yields {
            begins,
            speed: fastest,
        });
    }
    if let Some(begins) = case.regime.yield_speed
        && case.regime.yields()
        && case.yielding.is_none()
        && leader.card.family == Family::Plastic
        && !yields_itself(leader.card)
    {
        found.push(Caution::ElasticLoading {
            law: leader.card.id,
            begins,
            speed: fastest,
        });
    }
    if case.regime.flows() {
        found.push(Caution::Flow {
            number: case.regime.number.unwrap_or(f64::NAN),
        });
    }
    let n = numbers.exponent.unwrap_or(case.spring.1);
    if let Some(radius) = case.smaller_radius()
        && depth > radius
    {
        found.push(Caution::Impossible {
            depth,
            radius,
            load: None,
        });
    }
    if case.known.shape == Shape::Gear
        && case.geometry == Geometry::Line
        && case.known.given_stiffness().is_none()
        && let (Some(_), Some(length)) =
            (&case.known.surfaces.materials, case.known.surfaces.length)
    {
        found.push(Caution::Bending {
            contact: case.spring.0 / length,
        });
    }
    if let Some(below) = numbers.lossless_below {
        found.push(Caution::Lossless {
            law: leader.card.id,
            below,
            yields: case.regime.yield_speed,
            pressure_ratio: case.regime.pressure_ratio,
            fastest,
        });
    }
    if let Some(AtRest {
        load,
        depth,
        of_law,
        stiffer,
        yields_at,
    }) = numbers.at_rest
    {
        if let Some(radius) = case.smaller_radius().filter(|radius| depth > *radius) {
            found.push(Caution::Impossible {
                depth,
                radius,
                load: Some(load),
            });
        }
        if let Some(allowed) = case.known.allowed_depth.filter(|a| depth > a * 1.000_001) {
            found.push(Caution::Sunk {
                depth,
                allowed,
                load,
                factor: stiffer.unwrap_or(f64::NAN),
            });
        }
        if let Some(own) = of_law.filter(|own| math::ln(own / depth).abs() > math::ln(AT_REST)) {
            found.push(Caution::Rests {
                law: leader.card.id,
                load,
                own,
                depth,
                speed: numbers.speed,
            });
        }
        if let Some(begins) = yields_at {
            found.push(Caution::RestYields { load, begins });
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
