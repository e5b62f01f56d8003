//! What is there to be drawn of a model: bodies, outlines, joints, springs, contacts?
//!
//! Body 0 is the ground, so that body i of the model is i + 1. Places are in the axes of their body, m.

use serde_json::{Map, Value, json};

use crate::geometry::{Outline, Shape};
use crate::math;
use crate::mechanics::{Driver, Joint, Load, Place};
use crate::model::{ContactEntry, Members, Model, Point, ShapeEntry};
use crate::results::section;

/// Points of an outline, about: a curve of so many straight pieces looks round on a screen.
const POINTS: usize = 72;
/// Contacts that are named, at most: groups of bodies have one for every two that may meet.
const CONTACTS: usize = 2000;

/// The scene as JSON. Drivers are looked at over the time of the simulation.
pub fn scene(model: &Model) -> Value {
    let mut held: Vec<Vec<[f64; 2]>> = vec![Vec::new(); model.bodies.len() + 1];
    let mut hold = |place: &Place| {
        if let Some(points) = held.get_mut(number(place.body())) {
            let at = place.at();
            if !points.contains(&at) {
                points.push(at);
            }
        }
    };
    for entry in &model.joints {
        entry.joint.places().iter().for_each(&mut hold);
    }
    let plays = model.contacts.iter().filter_map(|entry| entry.joint);
    plays.for_each(|places| places.iter().for_each(&mut hold));
    for entry in &model.loads {
        entry.load.places().iter().flatten().for_each(&mut hold);
    }
    let ground = json!({
        "name": "ground",
        "shapes": shapes(&model.ground_shapes),
        "points": points(&model.ground),
        "drawn": [],
    });
    let bodies = model.bodies.iter().zip(held.iter().skip(1));
    let bodies = bodies.map(|(entry, held)| {
        json!({
            "name": entry.name,
            "shapes": shapes(&entry.shapes),
            "points": points(&entry.points),
            "drawn": bars(&entry.shapes, held),
        })
    });
    let joints = model.joints.iter().map(|entry| {
        let [a, b] = entry.joint.places();
        let mut joint = pinned(&entry.name, entry.joint.kind(), &a, &b);
        if let (Joint::Gear(gear), Some(joint)) = (&entry.joint, joint.as_object_mut()) {
            joint.insert("radii".into(), json!(gear.radii()));
        }
        joint
    });
    let loose = model.contacts.iter().filter_map(with_play);
    let springs = model.loads.iter().filter_map(|entry| {
        let [Some(a), Some(b)] = entry.load.places() else {
            return None;
        };
        let kind = match entry.load {
            Load::Spring(_) => "spring",
            Load::RotationalSpring(_) => "rotational-spring",
            Load::Ligament(_) => "ligament",
            Load::Bushing(_) => "bushing",
            _ => return None,
        };
        Some(json!({ "name": format!("force.{}", entry.name), "kind": kind, "a": place(&a), "b": place(&b) }))
    });
    let contacts = model.contacts.iter().take(CONTACTS).map(|entry| {
        json!({
            "name": entry.element(),
            "bodies": entry.contact.bodies().map(number),
            "law": entry.contact.terms().follows.card().id,
        })
    });
    let groups = model.groups.iter().map(|group| {
        let bodies = match &group.members {
            Members::Bodies(bodies) => bodies.iter().map(|i| i + 1).collect(),
            Members::Grains(_) => Vec::new(),
        };
        json!({ "name": group.name, "count": group.count(), "bodies": bodies })
    });
    let drivers = model.drivers.iter().map(|entry| {
        json!({
            "name": format!("driver.{}", entry.name),
            "period": section::period(entry, &model.simulation),
            "places": entry.rows.first().map(driven),
        })
    });
    json!({
        "gravity": model.gravity,
        "bodies": std::iter::once(ground).chain(bodies).collect::<Vec<_>>(),
        "joints": joints.chain(loose).collect::<Vec<_>>(),
        "springs": springs.collect::<Vec<_>>(),
        "contacts": contacts.collect::<Vec<_>>(),
        "groups": groups.collect::<Vec<_>>(),
        "drivers": drivers.collect::<Vec<_>>(),
    })
}

/// The ground is 0.
fn number(body: Option<usize>) -> usize {
    body.map_or(0, |body| body + 1)
}

fn place(place: &Place) -> Value {
    json!({ "body": number(place.body()), "at": place.at() })
}

fn driven(row: &Driver) -> Value {
    let [a, b] = row.places;
    json!({ "a": place(&a), "b": place(&b) })
}

fn points(points: &[Point]) -> Vec<Value> {
    let one = |point: &Point| json!({ "name": point.name, "at": point.at });
    points.iter().map(one).collect()
}

/// A joint; the axis is that of its first place, in the axes of the first body.
fn pinned(name: &str, kind: &str, a: &Place, b: &Place) -> Value {
    let along = matches!(
        kind,
        "translational" | "pin-slot" | "rack" | "point-on-curve"
    );
    json!({
        "name": format!("joint.{name}"),
        "type": kind,
        "a": place(a),
        "b": place(b),
        "axis": along.then(|| a.along()),
        "clearance": null,
    })
}

/// A joint with play, with the radii of its journal and its bearing if it has them.
fn with_play(entry: &ContactEntry) -> Option<Value> {
    let [a, b] = entry.joint?;
    let shapes = entry.contact.pairs().first()?.shapes();
    let outlines = shapes.map(|shape| &shape.outline);
    let (kind, clearance) = match outlines {
        [
            Outline::Disc {
                radius: journal, ..
            },
            Outline::Bore {
                radius: bearing, ..
            },
        ] => (
            "revolute",
            json!({ "bearing_radius": bearing, "journal_radius": journal }),
        ),
        [Outline::Plane { .. }, Outline::Disc { radius, .. }] => {
            let play = entry.contact.play();
            ("pin-slot", json!({ "pin_radius": radius, "play": play }))
        }
        _ => {
            let block = shapes.get(1).map(|block| block.outline(POINTS));
            let play = entry.contact.play();
            ("translational", json!({ "block": block, "play": play }))
        }
    };
    let mut joint = pinned(&entry.name, kind, &a, &b);
    if let Some(joint) = joint.as_object_mut() {
        joint.insert("clearance".into(), clearance);
    }
    Some(joint)
}

fn shapes(shapes: &[ShapeEntry]) -> Vec<Value> {
    shapes.iter().map(shape).collect()
}

/// An outline: its points with the material on the left of a walk along them.
fn shape(entry: &ShapeEntry) -> Value {
    let shape = &entry.shape;
    let mut outline = shape.outline(POINTS);
    if !shape.solid_on_the_left() {
        outline.reverse();
    }
    let closed = !shape.is_open() && !matches!(shape.outline, Outline::Plane { .. });
    if closed && outline.len() > 1 {
        // A closed outline begins again by itself.
        outline.pop();
    }
    let mut value = Map::new();
    value.insert("name".into(), entry.name.as_str().into());
    value.insert(
        "material".into(),
        entry.material.as_ref().map(|m| m.name.to_string()).into(),
    );
    let (kind, extra): (&str, Value) = match &shape.outline {
        Outline::Disc { center, radius } => {
            ("circle", json!({ "center": center, "radius": radius }))
        }
        Outline::Bore { center, radius } => (
            "hollow-circle",
            json!({ "center": center, "radius": radius }),
        ),
        Outline::Plane { point, normal } => {
            ("half-plane", json!({ "center": point, "normal": normal }))
        }
        Outline::Chain(_) if shape.kind() == "segment" => {
            ("segment", json!({ "radius": thickness(shape) }))
        }
        Outline::Chain(_) if closed => ("polygon", json!({})),
        Outline::Chain(_) | Outline::Curve(_) => ("outline", json!({})),
    };
    value.insert("kind".into(), kind.into());
    if let Value::Object(extra) = extra {
        value.extend(extra);
    }
    value.insert("closed".into(), closed.into());
    // Of a closed curve the material may be all around: a cup, a ring.
    let inside = matches!(shape.outline, Outline::Bore { .. }) || closed && area(&outline) < 0.0;
    value.insert("inside".into(), inside.into());
    value.insert("outline".into(), json!(outline));
    Value::Object(value)
}

fn thickness(shape: &Shape) -> f64 {
    match &shape.outline {
        Outline::Chain(chain) => chain.radius,
        _ => 0.0,
    }
}

/// Twice the area inside a closed walk, m²: positive counter-clockwise.
fn area(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    let cross = outline
        .iter()
        .zip(next)
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0]);
    cross.sum()
}

/// What is drawn of a body that has no outline of its own, or round ones only: bars between the points where joints and springs hold it.
fn bars(shapes: &[ShapeEntry], held: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    let round = |entry: &ShapeEntry| {
        matches!(
            entry.shape.outline,
            Outline::Disc { .. } | Outline::Bore { .. }
        )
    };
    if !shapes.iter().all(round) {
        return Vec::new();
    }
    match held {
        [] => Vec::new(),
        // A body that hangs at one point: a bar to its mass centre.
        [one] if *one == [0.0; 2] => Vec::new(),
        [one] => vec![[*one, [0.0; 2]]],
        [one, two] => vec![[*one, *two]],
        many => {
            let n = many.len() as f64;
            let sum = many
                .iter()
                .fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
            let middle = sum.map(|x| x / n);
            let mut ring = many.to_vec();
            let angle = |p: &[f64; 2]| math::atan2(p[1] - middle[1], p[0] - middle[0]);
            ring.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(a, b)| [*a, *b]).collect()
        }
    }
}
