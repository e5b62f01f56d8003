//! What does `carom check` say of groups, and of every friction: does it hold at rest, or how fast does it creep?

use carom::friction::{Law, Quantity};
use carom::model::group::{GroupEntry, Members};
use carom::model::units::pretty;
use carom::model::{Model, ShapeEntry};
use serde_json::{Value, json};

/// The loads for which a creep is told: parts of the largest that friction can bear.
const HALF: f64 = 0.5;
const MOST: f64 = 0.9;

/// A friction or a resistance to rolling, and where it acts.
struct Rub<'m> {
    element: String,
    law: &'m Law,
}

/// All of the model; of a group one for all its touches.
fn all(model: &Model) -> Vec<Rub<'_>> {
    let mut found = Vec::new();
    for entry in &model.frictions {
        found.push(Rub {
            element: format!("joint.{}.friction", entry.name),
            law: entry.friction.law(),
        });
    }
    let mut add = |element: String, friction: Option<_>, rolling: Option<_>| {
        for (part, law) in [("friction", friction), ("rolling", rolling)] {
            found.extend(law.map(|law| Rub {
                element: format!("{element}.{part}"),
                law,
            }));
        }
    };
    for entry in model.contacts.iter().filter(|entry| !entry.is_of_group()) {
        let contact = &entry.contact;
        add(entry.element(), contact.friction(), contact.rolling());
    }
    for group in &model.groups {
        let rolling = group.rolling.as_ref().map(|rolling| &rolling.law);
        add(group.element(), group.friction.as_ref(), rolling);
    }
    found
}

/// Of each friction whether it can hold a load at rest.
pub fn told(model: &Model) -> Vec<String> {
    all(model)
        .iter()
        .map(|rub| format!("{}: {}, {}", rub.element, rub.law.card().id, rest(rub.law)))
        .collect()
}

/// `holds at rest`, or how fast it creeps.
fn rest(law: &Law) -> String {
    if law.card().holds_at_rest {
        return "holds at rest".into();
    }
    let turns = law.card().quantity == Quantity::Moment;
    let speed = |part: f64| {
        let creep = law.creep(part)?;
        Some(if turns {
            format!("{} rad/s", carom::card::short(rounded(creep)))
        } else if creep == 0.0 {
            "0 m/s".into()
        } else {
            pretty(creep, "m/s", 3)
        })
    };
    match (speed(HALF), speed(MOST)) {
        (Some(half), Some(most)) => format!(
            "never holds: it creeps at {half} under half the load that it can bear, at {most} under nine tenths"
        ),
        _ => "never holds".into(),
    }
}

/// To three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The same for programs.
pub fn json(model: &Model) -> Vec<Value> {
    all(model)
        .iter()
        .map(|rub| {
            let law = rub.law;
            json!({
                "element": rub.element,
                "law": law.card().id,
                "holds_at_rest": law.card().holds_at_rest,
                "creep": { "unit": law.card().quantity.speed_unit(), "half": law.creep(HALF), "nine_tenths": law.creep(MOST) },
            })
        })
        .collect()
}

/// The outlines that a group may touch, by their full names.
fn walls(model: &Model, group: &GroupEntry) -> Vec<String> {
    let name = |body: Option<usize>, shape: usize| {
        let (body, shapes): (&str, &[ShapeEntry]) = match body.map(|body| model.bodies.get(body)) {
            Some(Some(body)) => (&body.name, &body.shapes),
            Some(None) => ("?", &[]),
            None => ("ground", &model.ground_shapes),
        };
        format!("{body}.{}", shapes.get(shape).map_or("?", |s| &s.name))
    };
    let walls = group.walls.iter();
    walls.map(|wall| name(wall.body, wall.shape)).collect()
}

/// Radii (m, the least and the largest) and mass (kg) of all members, as far as they are discs.
fn sizes(model: &Model, group: &GroupEntry) -> (Option<[f64; 2]>, f64) {
    let (radii, masses): (Vec<Option<f64>>, Vec<f64>) = match &group.members {
        Members::Grains(grains) => grains.iter().map(|g| (Some(g.radius), g.mass)).unzip(),
        Members::Bodies(bodies) => {
            let bodies = bodies.iter().filter_map(|body| model.bodies.get(*body));
            let radius = |shapes: &[ShapeEntry]| match shapes {
                [one] => one.shape.as_circle().map(|(_, radius)| radius),
                _ => None,
            };
            bodies.map(|b| (radius(&b.shapes), b.body.mass())).unzip()
        }
    };
    let radii: Option<Vec<f64>> = radii.into_iter().collect();
    let span = radii.map(|radii| {
        let span = [f64::INFINITY, 0.0_f64];
        let wider = |[low, high]: [f64; 2], r: f64| [low.min(r), high.max(r)];
        radii.into_iter().fold(span, wider)
    });
    (span, masses.iter().sum())
}

/// Of each group who is in it, what it weighs and what it may touch.
pub fn groups(model: &Model) -> Vec<String> {
    let each = model.groups.iter().map(|group| {
        let (radii, mass) = sizes(model, group);
        let radii = match radii {
            Some([low, high]) if low == high => format!(" of radius {}", pretty(low, "m", 4)),
            Some([low, high]) => format!(
                " of radius {} to {}",
                pretty(low, "m", 4),
                pretty(high, "m", 4)
            ),
            None => String::new(),
        };
        let what = match &group.members {
            Members::Grains(_) => "grains",
            Members::Bodies(_) => "bodies",
        };
        let walls = walls(model, group);
        let walls = match walls.as_slice() {
            [] => "each other only".into(),
            walls => format!("each other, {}", walls.join(", ")),
        };
        format!(
            "{}: {} {what}{radii}, {} in all; they may touch {walls} ({})",
            group.name,
            group.count(),
            pretty(mass, "kg", 4),
            group.terms.follows.card().id,
        )
    });
    each.collect()
}

/// The same for programs.
pub fn groups_json(model: &Model) -> Vec<Value> {
    let each = model.groups.iter().map(|group| {
        let (radii, mass) = sizes(model, group);
        let made = matches!(group.members, Members::Grains(_));
        json!({
            "element": group.element(),
            "members": if made { "grains" } else { "bodies" },
            "count": group.count(),
            "radius": radii,
            "mass": mass,
            "touches": walls(model, group),
            "law": group.terms.follows.card().id,
            "friction": group.friction.as_ref().map(|law| law.card().id),
            "rolling": group.rolling.as_ref().map(|rolling| rolling.law.card().id),
            "contacts": group.contacts.len(),
        })
    });
    each.collect()
}
