//! What does the film of a run hold, and where is everything at a given time?
//!
//! A film is read from the file `film.json` of a results folder: the scene (bodies with their outlines, joints, springs, contacts) and the poses and contact forces of frames that lie as densely as the
//! motion asks for. Numbers stand there as JSON arrays or as base64 of little-endian floats.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::results::packed;

/// A point or a vector in the plane, m.
pub type Point = [f64; 2];

/// Why a film cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FilmError {
    /// The file cannot be read.
    Read {
        /// Where it should be.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not JSON.
    NotJson {
        /// The reader's words.
        reason: String,
    },
    /// Something in it is missing or does not fit.
    Wrong {
        /// The place, such as `film.poses`.
        place: String,
        /// What is wrong with it.
        what: String,
    },
}

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::NotJson { reason } => write!(f, "it is not JSON: {reason}"),
            Self::Wrong { place, what } => write!(f, "{place}: {what}"),
        }
    }
}

impl std::error::Error for FilmError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// What a shape of a body looks like, in the body's own axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A disc, or the bore around one if `hollow`.
    Circle {
        /// Its centre, m.
        center: Point,
        /// Its radius, m.
        radius: f64,
        /// Whether the material lies around it.
        hollow: bool,
    },
    /// A closed outline; `hollow` if the material lies around it.
    Outline {
        /// Its corners, m.
        points: Vec<Point>,
        /// Whether the material lies around it.
        hollow: bool,
    },
    /// A line that is not closed.
    Line {
        /// Its points, m.
        points: Vec<Point>,
        /// Whether there is material on its left.
        solid: bool,
    },
    /// Everything behind a straight line.
    HalfPlane {
        /// A point on the line, m.
        at: Point,
        /// Out of the material.
        normal: Point,
    },
}

/// A body; the first of a film is the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// What it looks like.
    pub shapes: Vec<Shape>,
    /// Bars between its joints, where it has no shapes.
    pub bars: Vec<[Point; 2]>,
}

/// A place on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Which body.
    pub body: usize,
    /// Where, in the body's own axes, m.
    pub at: Point,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its type, such as `revolute`.
    pub kind: String,
    /// On the first body; a journal stands here.
    pub a: Place,
    /// On the second body; a bearing stands here.
    pub b: Place,
    /// The direction of sliding in the axes of the first body, if it has one.
    pub axis: Option<Point>,
    /// Radii of bearing and journal, m, of a joint with play.
    pub play: Option<[f64; 2]>,
    /// The radius of a pin with play in its slot, m.
    pub pin: Option<f64>,
    /// The outline of a block with play in its guide, in the axes of the second body, m.
    pub block: Vec<Point>,
    /// Radii of the pitch circles of gears, m.
    pub radii: Option<Point>,
}

/// A spring or something like it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Its name.
    pub name: String,
    /// Its kind, such as `spring` or `ligament`.
    pub kind: String,
    /// One end.
    pub a: Place,
    /// The other.
    pub b: Place,
}

/// A force at a point of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Which contact.
    pub contact: usize,
    /// Where, m.
    pub at: Point,
    /// The force, N.
    pub force: Point,
}

impl Arrow {
    /// Squared size, N².
    fn square(&self) -> f64 {
        self.force[0] * self.force[0] + self.force[1] * self.force[1]
    }
}

/// Discs that are many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grains {
    times: Vec<f64>,
    /// Radii, m; all groups one after the other.
    pub radii: Vec<f64>,
    /// Which group each belongs to.
    pub groups: Vec<usize>,
    /// Frame by frame, grain by grain.
    places: Vec<Point>,
}

/// The film of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    /// What the model is called.
    pub title: String,
    /// The ground, then all others.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Names of the contacts.
    pub contacts: Vec<String>,
    /// Times of the frames, s, in order.
    times: Vec<f64>,
    /// x, y and angle of every body but the ground, frame by frame.
    poses: Vec<f64>,
    /// All arrows, frame by frame, and where those of each frame begin.
    arrows: Vec<Arrow>,
    starts: Vec<usize>,
    /// The largest force, N.
    pub peak: f64,
    /// Stretches of time around impacts, s.
    pub slow: Vec<[f64; 2]>,
    /// Grains, if there are any.
    pub grains: Option<Grains>,
}

impl Film {
    /// Reads a film from a file.
    pub fn open(path: &Path) -> Result<Self, FilmError> {
        let text = fs::read_to_string(path).map_err(|source| FilmError::Read {
            path: path.into(),
            source,
        })?;
        let value = serde_json::from_str(&text).map_err(|error| FilmError::NotJson {
            reason: error.to_string(),
        })?;
        Self::read(&value)
    }

    /// Reads a film from a JSON value.
    pub fn read(value: &Value) -> Result<Self, FilmError> {
        let scene = &value["scene"];
        let film = &value["film"];
        if !scene.is_object() {
            return Err(wrong("scene", "is missing"));
        }
        let bodies = each(&scene["bodies"], "scene.bodies", body)?;
        let count = bodies.len();
        let place = |v: &Value, at: &str| place(v, at, count);
        let joints = each(&scene["joints"], "scene.joints", |v, at| {
            let play = &v["clearance"];
            Ok(Joint {
                name: text(&v["name"]),
                kind: text(&v["type"]),
                a: place(&v["a"], at)?,
                b: place(&v["b"], at)?,
                axis: point(&v["axis"]),
                play: number(&play["bearing_radius"])
                    .zip(number(&play["journal_radius"]))
                    .map(|(bearing, journal)| [bearing, journal]),
                pin: number(&play["pin_radius"]),
                block: points(&play["block"]),
                radii: point(&v["radii"]),
            })
        })?;
        let mut springs = each(&scene["springs"], "scene.springs", |v, at| {
            Ok(Spring {
                name: text(&v["name"]),
                kind: text(&v["kind"]),
                a: place(&v["a"], at)?,
                b: place(&v["b"], at)?,
            })
        })?;
        // A link is a rod without mass between two points.
        let links = joints.iter().filter(|j| j.kind == "link");
        springs.extend(links.map(|j| Spring {
            name: j.name.clone(),
            kind: j.kind.clone(),
            a: j.a,
            b: j.b,
        }));
        let contacts = each(&scene["contacts"], "scene.contacts", |v, _| {
            Ok(text(&v["name"]))
        })?;
        let times = numbers(&film["t"], "film.t")?;
        let poses = numbers(&film["poses"], "film.poses")?;
        let moving = 3 * count.saturating_sub(1);
        if poses.len() != moving * times.len() {
            let what = format!(
                "{} numbers for {} frames of {} bodies",
                poses.len(),
                times.len(),
                count.saturating_sub(1)
            );
            return Err(wrong("film.poses", what));
        }
        if !times.is_sorted() || times.iter().any(|t| !t.is_finite()) {
            return Err(wrong("film.t", "the times are not in order"));
        }
        let (arrows, starts) = arrows(&film["forces"], times.len())?;
        let peak = arrows.iter().map(Arrow::square).fold(0.0, f64::max);
        let slow = film["slow"].as_array().into_iter().flatten();
        Ok(Self {
            title: text(&value["title"]),
            bodies,
            joints,
            springs,
            contacts,
            times,
            poses,
            arrows,
            starts,
            peak: crate::math::sqrt(peak),
            slow: slow.filter_map(point).collect(),
            grains: grains(&value["grains"])?,
        })
    }

    /// First and last time, s; `None` if there is no frame.
    pub fn span(&self) -> Option<(f64, f64)> {
        let of = |times: &[f64]| times.first().copied().zip(times.last().copied());
        of(&self.times).or_else(|| of(&self.grains.as_ref()?.times))
    }

    /// Times of the frames, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Where a body is, x, y and angle, at a time: straight between frames.
    pub fn pose(&self, body: usize, t: f64) -> [f64; 3] {
        let Some(body) = body.checked_sub(1) else {
            return [0.0; 3];
        };
        let (i, share) = between(&self.times, t);
        let row = 3 * self.bodies.len().saturating_sub(1);
        let of = |frame: usize, k: usize| {
            let at = frame * row + 3 * body + k;
            self.poses.get(at).copied()
        };
        let mut pose = [0.0; 3];
        for (k, p) in pose.iter_mut().enumerate() {
            let from = of(i, k).unwrap_or(0.0);
            // A jump at one instant has two frames of the same time; there is nothing between them.
            let to = of(i + 1, k).unwrap_or(from);
            *p = from + share * (to - from);
        }
        pose
    }

    /// Where a place on a body is, m.
    pub fn at(&self, place: Place, t: f64) -> Point {
        placed(self.pose(place.body, t), place.at)
    }

    /// The contact forces of a stretch of time up to `to`: of every contact those of the instant at which they were largest, so that a blow between two pictures is seen.
    pub fn arrows(&self, from: f64, to: f64) -> Vec<Arrow> {
        let last = self.times.partition_point(|t| *t <= to);
        let first = self.times.partition_point(|t| *t <= from);
        let first = first.min(last.saturating_sub(1));
        // Contact, size, frame.
        let mut largest: Vec<(usize, f64, usize)> = Vec::new();
        for frame in first..last {
            for arrow in self.arrows_of(frame) {
                let size = arrow.square();
                match largest.iter_mut().find(|l| l.0 == arrow.contact) {
                    Some(l) if l.1 >= size => {}
                    Some(l) => (l.1, l.2) = (size, frame),
                    None => largest.push((arrow.contact, size, frame)),
                }
            }
        }
        largest.sort_unstable_by_key(|l| l.0);
        let mut all = Vec::new();
        for (contact, _, frame) in largest {
            let own = self.arrows_of(frame).iter();
            all.extend(own.filter(|arrow| arrow.contact == contact));
        }
        all
    }

    /// Every place where this contact ever pressed, m.
    pub fn touched(&self, contact: usize) -> impl Iterator<Item = Point> + '_ {
        let own = self.arrows.iter().filter(move |a| a.contact == contact);
        own.map(|arrow| arrow.at)
    }

    fn arrows_of(&self, frame: usize) -> &[Arrow] {
        let ends = self.starts.get(frame).zip(self.starts.get(frame + 1));
        ends.and_then(|(from, to)| self.arrows.get(*from..*to))
            .unwrap_or_default()
    }
}

impl Grains {
    /// Where all grains are at a time, m: straight between frames.
    pub fn places(&self, t: f64) -> impl Iterator<Item = Point> + '_ {
        let (i, share) = between(&self.times, t);
        let n = self.radii.len();
        (0..n).filter_map(move |grain| {
            let from = self.places.get(i * n + grain)?;
            let to = self.places.get((i + 1) * n + grain).unwrap_or(from);
            Some([0, 1].map(|k| from[k] + share * (to[k] - from[k])))
        })
    }
}

/// A point of a body's axes in the world.
pub fn placed([x, y, angle]: [f64; 3], [u, v]: Point) -> Point {
    let (s, c) = crate::math::sin_cos(angle);
    [x + c * u - s * v, y + s * u + c * v]
}

/// The frame at or before a time, and how far it is to the next, 0 to 1.
fn between(times: &[f64], t: f64) -> (usize, f64) {
    let i = times.partition_point(|x| *x <= t).saturating_sub(1);
    let share = match (times.get(i), times.get(i + 1)) {
        (Some(a), Some(b)) if b > a => ((t - a) / (b - a)).clamp(0.0, 1.0),
        _ => 0.0,
    };
    (i, share)
}

fn wrong(place: &str, what: impl Into<String>) -> FilmError {
    FilmError::Wrong {
        place: place.into(),
        what: what.into(),
    }
}

/// Every entry of a list; no list is an empty one.
fn each<T>(
    value: &Value,
    place: &str,
    read: impl Fn(&Value, &str) -> Result<T, FilmError>,
) -> Result<Vec<T>, FilmError> {
    let entries = value.as_array().into_iter().flatten().enumerate();
    entries
        .map(|(i, v)| read(v, &format!("{place}[{i}]")))
        .collect()
}

fn body(value: &Value, place: &str) -> Result<Body, FilmError> {
    let bars = value["drawn"].as_array().into_iter().flatten();
    Ok(Body {
        name: text(&value["name"]),
        shapes: each(&value["shapes"], place, shape)?,
        bars: bars
            .filter_map(|bar| Some([point(&bar[0])?, point(&bar[1])?]))
            .collect(),
    })
}

fn shape(value: &Value, place: &str) -> Result<Shape, FilmError> {
    let kind = text(&value["kind"]);
    let hollow = value["inside"].as_bool().unwrap_or(false) || kind == "hollow-circle";
    let circle = point(&value["center"]).zip(number(&value["radius"]));
    let points = points(&value["outline"]);
    let open = value["closed"].as_bool() == Some(false);
    match (kind.as_str(), circle) {
        ("circle" | "hollow-circle", Some((center, radius))) => {
            return Ok(Shape::Circle {
                center,
                radius,
                hollow,
            });
        }
        ("half-plane", _) => {
            if let Some((at, normal)) = point(&value["center"]).zip(point(&value["normal"])) {
                return Ok(Shape::HalfPlane { at, normal });
            }
            // By two points of its line: the material lies to the right of the way from one to the other.
            if let [a, b, ..] = points.as_slice() {
                let normal = [a[1] - b[1], b[0] - a[0]];
                return Ok(Shape::HalfPlane { at: *a, normal });
            }
        }
        _ if open && points.len() > 1 => {
            let solid = kind != "segment";
            return Ok(Shape::Line { points, solid });
        }
        _ if points.len() > 2 => return Ok(Shape::Outline { points, hollow }),
        _ if points.len() == 2 => {
            let solid = false;
            return Ok(Shape::Line { points, solid });
        }
        _ => {}
    }
    Err(wrong(
        place,
        format!("a shape `{kind}` without what it takes to draw it"),
    ))
}

fn place(value: &Value, at: &str, bodies: usize) -> Result<Place, FilmError> {
    let body = value["body"].as_u64().and_then(|b| usize::try_from(b).ok());
    let body = body.filter(|b| *b < bodies);
    let body = body.ok_or_else(|| wrong(at, "names a body that is not there"))?;
    Ok(Place {
        body,
        at: point(&value["at"]).unwrap_or_default(),
    })
}

/// The arrows of all frames, and where those of each frame begin.
fn arrows(value: &Value, frames: usize) -> Result<(Vec<Arrow>, Vec<usize>), FilmError> {
    if !value.is_object() {
        return Ok((Vec::new(), vec![0; frames + 1]));
    }
    let of = |name: &str| numbers(&value[name], &format!("film.forces.{name}"));
    let starts: Vec<usize> = of("start")?.iter().map(|s| *s as usize).collect();
    let columns = [of("contact")?, of("x")?, of("y")?, of("fx")?, of("fy")?];
    let count = columns[0].len();
    if columns.iter().any(|c| c.len() != count) {
        return Err(wrong("film.forces", "columns of different lengths"));
    }
    let fits = starts.is_sorted() && starts.last().is_none_or(|last| *last == count);
    if starts.len() != frames + 1 || !fits {
        return Err(wrong("film.forces.start", "does not fit the frames"));
    }
    let arrows = (0..count)
        .filter_map(|i| {
            let of = |k: usize| columns.get(k)?.get(i).copied();
            Some(Arrow {
                contact: of(0)? as usize,
                at: [of(1)?, of(2)?],
                force: [of(3)?, of(4)?],
            })
        })
        .collect();
    Ok((arrows, starts))
}

fn grains(value: &Value) -> Result<Option<Grains>, FilmError> {
    if !value.is_object() {
        return Ok(None);
    }
    let times = numbers(&value["t"], "grains.t")?;
    let mut grains = Grains::default();
    let mut groups = Vec::new();
    for (i, group) in value["groups"].as_array().into_iter().flatten().enumerate() {
        let place = format!("grains.groups[{i}]");
        let xy = numbers(&group["xy"], &format!("{place}.xy"))?;
        let frames = times.len().max(1);
        if !xy.len().is_multiple_of(2 * frames) {
            return Err(wrong(&place, "its places do not fit the frames"));
        }
        let count = xy.len() / (2 * frames);
        let radii = match number(&group["radius"]) {
            Some(radius) => vec![radius; count],
            None => numbers(&group["radius"], &format!("{place}.radius"))?,
        };
        if radii.len() != count {
            return Err(wrong(&place, "as many radii as grains are needed"));
        }
        grains.radii.extend(radii);
        grains.groups.extend(std::iter::repeat_n(i, count));
        groups.push((count, xy));
    }
    for frame in 0..times.len() {
        for (count, xy) in &groups {
            let own = xy.chunks_exact(2).skip(frame * count).take(*count);
            grains
                .places
                .extend(own.filter_map(|p| <Point>::try_from(p).ok()));
        }
    }
    grains.times = times;
    Ok((!grains.radii.is_empty()).then_some(grains))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().filter(|x| x.is_finite())
}

fn points(value: &Value) -> Vec<Point> {
    let list = value.as_array().into_iter().flatten();
    list.filter_map(point).collect()
}

fn point(value: &Value) -> Option<Point> {
    Some([number(value.get(0)?)?, number(value.get(1)?)?])
}

/// Numbers as an array, or as base64 of little-endian floats.
pub(crate) fn numbers(value: &Value, place: &str) -> Result<Vec<f64>, FilmError> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    if let Some(array) = value.as_array() {
        return Ok(array
            .iter()
            .map(|v| v.as_f64().unwrap_or(f64::NAN))
            .collect());
    }
    packed::numbers(value).ok_or_else(|| wrong(place, "is not a list of numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn film() -> Value {
        json!({
            "title": "two bodies",
            "scene": {
                "bodies": [ { "name": "ground" }, { "name": "a" }, { "name": "b" } ],
                "contacts": [ { "name": "contact.x" } ],
            },
            "film": {
                "t": [0.0, 1.0, 1.0, 3.0],
                "poses": [0, 0, 0, 9, 9, 9,  1, 0, 0, 9, 9, 9,  2, 0, 0, 9, 9, 9,  4, 2, 1, 9, 9, 9],
                "forces": { "start": [0, 0, 1, 2, 2], "contact": [0, 0], "x": [5, 6], "y": [0, 0], "fx": [0, 0], "fy": [3, -4] },
                "slow": [[0.9, 1.1]],
            },
        })
    }

    #[test]
    fn poses_lie_straight_between_frames_and_jump_where_two_have_one_time() {
        let film = Film::read(&film()).expect("it is a film");
        for (t, x) in [(-1.0, 0.0), (0.5, 0.5), (1.0, 2.0), (2.0, 3.0), (9.0, 4.0)] {
            assert_eq!(film.pose(1, t)[0], x, "{t}");
        }
        assert_eq!(film.pose(0, 2.0), [0.0; 3]);
        assert_eq!(film.pose(2, 2.0), [9.0; 3]);
        assert_eq!(film.span(), Some((0.0, 3.0)));
        assert_eq!(film.slow, [[0.9, 1.1]]);
    }

    #[test]
    fn a_blow_between_two_pictures_is_shown_at_its_largest() {
        let film = Film::read(&film()).expect("it is a film");
        let shown = film.arrows(0.5, 2.5);
        assert_eq!(shown.len(), 1);
        assert_eq!((shown[0].at, shown[0].force), ([6.0, 0.0], [0.0, -4.0]));
        assert_eq!(film.peak, 4.0);
        assert!(film.arrows(0.1, 0.2).is_empty());
        // The frame before lasts until the next one.
        assert_eq!(film.arrows(2.0, 2.5).len(), 1);
    }

    #[test]
    fn numbers_come_as_arrays_or_as_base64() {
        // 1.0 and -2.5 as the bytes 00 00 80 3f 00 00 20 c0, in base64 by hand.
        let value = json!({ "f32": "AACAPwAAIMA=" });
        assert_eq!(numbers(&value, "x").expect("numbers"), [1.0, -2.5]);
        // 1.0 as 00 00 00 00 00 00 f0 3f.
        let value = json!({ "f64": "AAAAAAAA8D8=" });
        assert_eq!(numbers(&value, "x").expect("numbers"), [1.0]);
        for bad in [
            json!({ "f32": "*" }),
            json!({ "f64": "AACAPw==" }),
            json!("1"),
        ] {
            assert!(numbers(&bad, "x").is_err(), "{bad}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused_with_its_place() {
        for (change, value, said) in [
            ("/film/poses", json!([1.0]), "film.poses"),
            ("/film/t", json!([0, 2, 1, 3]), "film.t"),
            ("/film/forces/start", json!([0, 1]), "film.forces.start"),
            ("/film/forces/fx", json!([0]), "film.forces"),
            ("/scene", json!(null), "scene"),
        ] {
            let mut film = film();
            *film.pointer_mut(change).expect("it is there") = value;
            let error = Film::read(&film).expect_err("it is wrong").to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
