//! What is said of grains that cannot be moved, with the names of the model?

use crate::friction;
use crate::grains;
use crate::grains::Who;
use crate::model::units::pretty;
use crate::model::{GroupEntry, Model};
use crate::system::note::Trouble;

/// A wall as it is named in files: `ground.floor`, `drum.skin`.
fn wall_name(model: &Model, group: &GroupEntry, wall: usize) -> String {
    let named = || {
        let wall = group.walls.get(wall)?;
        let (body, shapes) = match wall.body {
            Some(body) => {
                let entry = model.bodies.get(body)?;
                (entry.name.as_str(), &entry.shapes)
            }
            None => ("ground", &model.ground_shapes),
        };
        Some(format!("{body}.{}", shapes.get(wall.shape)?.name))
    };
    named().unwrap_or_else(|| format!("wall {}", wall + 1))
}

/// What is wrong with a group, with the names of the model.
pub(super) fn trouble(model: &Model, group: &GroupEntry, fault: &grains::Fault) -> Trouble {
    let (element, message, hint) = match fault {
        grains::Fault::Law { law, reason, hint } => {
            let of = |of: Option<&friction::Law>| of.is_some_and(|l| l.card().id == *law);
            let key = if of(group.friction.as_ref()) {
                ".friction"
            } else if of(group.rolling.as_ref().map(|r| &r.law)) {
                ".rolling"
            } else {
                ""
            };
            let element = format!("{}{key}", group.element());
            (element, format!("`{law}` {reason}"), (*hint).to_string())
        }
        grains::Fault::Shape { wall, grain, fault } => (
            group.element(),
            format!(
                "{} cannot touch {}.{}: {fault}",
                wall_name(model, group, *wall),
                group.name,
                grain + 1
            ),
            "leave it out of `touches`".into(),
        ),
        grains::Fault::Start(trouble) => {
            let (message, hint) = stuck(model, group, trouble);
            (group.element(), message, hint)
        }
        other => (group.element(), other.to_string(), String::new()),
    };
    Trouble {
        code: "grains",
        element: Some(element),
        message,
        hint,
    }
}

/// What ended the motion of grains, with the names of the model, and what may help.
pub(super) fn stuck(
    model: &Model,
    group: &GroupEntry,
    trouble: &grains::Trouble,
) -> (String, String) {
    let name = |grain: usize| format!("{}.{}", group.name, grain + 1);
    let other = |who: &Who| match who {
        Who::Grain(grain) => name(*grain),
        Who::Wall(wall) => wall_name(model, group, *wall),
    };
    match trouble {
        grains::Trouble::Begin {
            time,
            grain,
            other: who,
            reason,
        } => (
            format!(
                "at t = {} the contact of {} with {} cannot begin: {reason}",
                pretty(*time, "s", 6),
                name(*grain),
                other(who)
            ),
            "another law, or other numbers for it".into(),
        ),
        grains::Trouble::Deep {
            time,
            grain,
            other: who,
            overlap,
            allowed,
        } => (
            format!(
                "at t = {} {} and {} are {} deep in each other, and more than {} cannot be meant",
                pretty(*time, "s", 6),
                name(*grain),
                other(who),
                pretty(*overlap, "m", 3),
                pretty(*allowed, "m", 3)
            ),
            "a start without overlap, a stiffer law, or a shorter step".into(),
        ),
        grains::Trouble::Fast {
            time,
            grain,
            speed,
            step,
            allowed,
        } => (
            format!(
                "at t = {} {} moves at {}, by {} in a step of {}, and more than {} could take it through a wall",
                pretty(*time, "s", 6),
                name(*grain),
                pretty(*speed, "m/s", 3),
                pretty(speed * step, "m", 3),
                pretty(*step, "s", 3),
                pretty(*allowed, "m", 3)
            ),
            format!("step = \"{}\"", pretty(0.5 * allowed / speed, "s", 2)),
        ),
        grains::Trouble::NotFinite { time, grain } => (
            format!(
                "at t = {} the motion of {} is no finite number any more",
                pretty(*time, "s", 6),
                name(*grain)
            ),
            "a shorter step".into(),
        ),
        other => (other.to_string(), String::new()),
    }
}
