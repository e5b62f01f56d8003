//! Joints with play: which surfaces do journal and bearing, pin and slot, slider and guide offer each other?
//!
//! A joint with play holds nothing by itself: its bodies are free of each other until they touch. Its two places say where the surfaces stand, as they do for the ideal joint.

use crate::geometry::Pair;
use crate::geometry::Shape;
use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::{Place, turned};

const ELEMENT: &str = "joint with play";

/// A journal about the first place in a bearing about the second (Flores et al. 2006): the bearing's radius is the journal's and the clearance, m.
pub fn revolute(
    [journal, bearing]: [Place; 2],
    journal_radius: f64,
    clearance: f64,
) -> Result<Vec<Pair>, Fault> {
    positive(ELEMENT, "journal radius", journal_radius, "m")?;
    positive(ELEMENT, "clearance", clearance, "m")?;
    let pin = Shape::circle(journal.at(), journal_radius)?;
    let hole = Shape::bore(bearing.at(), journal_radius + clearance)?;
    Ok(vec![Pair::new(pin, hole)?])
}

/// A pin about the second place in a straight slot through the first, along its direction: on each side of the pin there is the clearance, m.
pub fn pin_slot(
    [slot, pin]: [Place; 2],
    pin_radius: f64,
    clearance: f64,
) -> Result<Vec<Pair>, Fault> {
    positive(ELEMENT, "pin radius", pin_radius, "m")?;
    positive(ELEMENT, "clearance", clearance, "m")?;
    let round = Shape::circle(pin.at(), pin_radius)?;
    let walls = walls(&slot, pin_radius + clearance)?;
    let pairs = walls.into_iter().map(|wall| Pair::new(wall, round.clone()));
    Ok(pairs.collect::<Result<_, _>>()?)
}

/// A rectangular slider about the second place, along that place's direction, in a straight guide through the first, along its direction: on each side of the slider there is the clearance, m.
/// Its corners are rounded off by `corner_radius`, m.
pub fn translational(
    [guide, slider]: [Place; 2],
    length: f64,
    height: f64,
    corner_radius: f64,
    clearance: f64,
) -> Result<Vec<Pair>, Fault> {
    positive(ELEMENT, "length", length, "m")?;
    positive(ELEMENT, "height", height, "m")?;
    positive(ELEMENT, "clearance", clearance, "m")?;
    let (along, across) = (slider.along(), turned(slider.along()));
    let corner = |s: f64, h: f64| {
        let [x, y] = slider.at();
        [
            x + s * along[0] + h * across[0],
            y + s * along[1] + h * across[1],
        ]
    };
    let (l, h) = (0.5 * length, 0.5 * height);
    let corners = vec![corner(-l, -h), corner(l, -h), corner(l, h), corner(-l, h)];
    let block = Shape::polygon(corners, corner_radius)?;
    let walls = walls(&guide, h + clearance)?;
    let pairs = walls.into_iter().map(|wall| Pair::new(wall, block.clone()));
    Ok(pairs.collect::<Result<_, _>>()?)
}

/// The two walls of a slot or guide at this distance to either side of its middle, m.
fn walls(place: &Place, half: f64) -> Result<[Shape; 2], Fault> {
    let across = turned(place.along());
    let [x, y] = place.at();
    let wall = |side: f64| {
        let point = [x + side * half * across[0], y + side * half * across[1]];
        Shape::half_plane(point, [-side * across[0], -side * across[1]])
    };
    Ok([wall(1.0)?, wall(-1.0)?])
}
