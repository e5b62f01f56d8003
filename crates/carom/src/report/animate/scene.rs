//! What is drawn of a film, and where on the picture: shapes, symbols, camera?
//!
//! Everything here is in pixels, y downwards, and knows nothing of how a picture is made. A [`Layer`] belongs to a body and moves with it; its parts are in pixels from the body's origin, so that a layer
//! is made once and only placed anew from picture to picture.

use std::fmt;

use crate::card::nearest;
use crate::math;
use crate::model::units::pretty;
use crate::report::animate::clock::{Clock, nice};
use crate::report::animate::film::{Body, Film, Joint, Place, Point, Shape};

/// Red, green, blue.
pub type Ink = [u8; 3];

/// Paper, and the letters on it.
pub const WHITE: Ink = [255; 3];
const TEXT: Ink = [34; 3];
const QUIET: Ink = [105; 3];
/// Forces: a red that no body has.
pub const FORCE: Ink = [0xd1, 0x1f, 0x2a];
/// The ground: inside, hatching and edge.
const GROUND: [Ink; 3] = [[0xf3, 0xf1, 0xec], [0xb5, 0xae, 0xa0], [0x6b, 0x66, 0x5c]];
/// Pins of joints.
const PIN: Ink = [0x33; 3];
/// Lines of sliding, and springs.
const GUIDE: Ink = [0xa0; 3];
const SPRING: Ink = [0x5b, 0x5b, 0x6e];
/// Bodies, inside and edge: the colours of Okabe and Ito (2008), pale and dark, without the one that is like that of forces.
const BODIES: [[Ink; 2]; 6] = [
    [[0xcf, 0xe3, 0xf1], [0x00, 0x66, 0xa0]],
    [[0xfb, 0xe8, 0xc0], [0xa0, 0x6e, 0x00]],
    [[0xcd, 0xea, 0xdf], [0x00, 0x79, 0x5a]],
    [[0xf0, 0xdb, 0xe7], [0xa3, 0x55, 0x80]],
    [[0xdb, 0xee, 0xf9], [0x2f, 0x82, 0xb3]],
    [[0xe4, 0xe4, 0xe4], [0x55, 0x55, 0x55]],
];

/// The picture is no lower and no higher than this part of its width.
const LOWEST: f64 = 0.3;
const HIGHEST: f64 = 1.1;
/// Frames looked at to find out how much room the motion takes.
const LOOKS: usize = 600;
/// The longest arrow, as a part of the shorter side of the scene.
const LONGEST: f64 = 0.45;
/// Arrows shorter than this are not seen, pixels.
const SHORTEST: f64 = 2.5;
/// Grains with an outline of their own.
const OUTLINED: f64 = 3.0;

/// What a part looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Closed outlines; what lies in an even number of them is a hole.
    Area(Vec<Vec<Point>>),
    /// A line with round ends.
    Line(Vec<Point>),
    /// A disc.
    Disc {
        /// Its centre.
        center: Point,
        /// Its radius.
        radius: f64,
    },
}

/// Something drawn with one look.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its outline.
    pub form: Form,
    /// Its inside; a line has none.
    pub fill: Option<Ink>,
    /// The lines that are drawn across its inside.
    pub hatch: Option<Ink>,
    /// Its edge, or the line itself, and how wide.
    pub edge: Option<(Ink, f64)>,
}

/// Parts that move with a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The body.
    pub body: usize,
    /// What is drawn, in this order.
    pub parts: Vec<Part>,
}

/// Where a letter's line begins, stands in the middle, or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A few words.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where, on the line the letters stand on.
    pub at: Point,
    /// Height of the letters.
    pub size: f64,
    /// Which end is there.
    pub anchor: Anchor,
    /// Colour.
    pub ink: Ink,
    /// The words.
    pub text: String,
}

/// What the camera looks at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Width of the picture, pixels.
    pub width: f64,
    /// The name of a joint or a contact to look at closely.
    pub zoom: Option<String>,
}

/// Why a film cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// There is nothing with a finite place in it.
    Empty,
    /// There is no joint and no contact of this name.
    NoSuchName {
        /// The name.
        name: String,
        /// Those that are like it, or all.
        nearest: Vec<String>,
    },
    /// This contact never pressed: nobody knows where to look.
    NeverTouched {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there is nothing in the film that could be drawn"),
            Self::NoSuchName { name, nearest } => {
                write!(f, "there is no joint and no contact `{name}`")?;
                match nearest.is_empty() {
                    true => write!(f, "; the model has none at all"),
                    false => write!(f, ". Hint: there is {}", nearest.join(", ")),
                }
            }
            Self::NeverTouched { name } => write!(
                f,
                "`{name}` never touched: there is no place to look at. Hint: leave --zoom out"
            ),
        }
    }
}

impl std::error::Error for SceneError {}

/// A film with a camera before it.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    film: &'a Film,
    /// Size of the picture, pixels.
    pub size: Point,
    /// The part of it in which the scene is: upper left and lower right corner.
    pub stage: [Point; 2],
    /// Everything that moves with bodies, from the back to the front.
    pub layers: Vec<Layer>,
    /// Pixels a metre.
    scale: f64,
    /// What stays in the middle of the stage.
    looks_at: Target,
    /// Pixels a newton.
    per_newton: f64,
    /// How large letters and symbols are; 1 for a picture of 640 pixels.
    unit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Point(Point),
    Place(Place),
}

/// Where a layer is put: the origin of its body and how far it is turned, radians, clockwise as seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The origin, pixels.
    pub at: Point,
    /// The turn, rad.
    pub turn: f64,
}

impl Spot {
    /// A point of the layer on the picture.
    pub fn of(&self, [u, v]: Point) -> Point {
        let (s, c) = math::sin_cos(self.turn);
        [self.at[0] + c * u - s * v, self.at[1] + s * u + c * v]
    }
}

impl<'a> Scene<'a> {
    /// Puts the camera before a film, between two times of the run, s.
    pub fn new(film: &'a Film, view: &View, from: f64, to: f64) -> Result<Self, SceneError> {
        let all = extent(film, from, to).ok_or(SceneError::Empty)?;
        let (looks_at, frame) = match &view.zoom {
            Some(name) => close(film, name, &all)?,
            None => (Target::Point(all.middle()), all.size()),
        };
        let width = view.width;
        let unit = (width / 640.0).clamp(0.6, 3.0);
        let head = if film.title.is_empty() { 6.0 } else { 30.0 } * unit;
        let foot = 34.0 * unit;
        let margin = 26.0 * unit;
        let room = width - 2.0 * margin;
        let height = (room * frame[1] / frame[0] + 2.0 * margin)
            .clamp(LOWEST * width, HIGHEST * width)
            .round();
        let scale = (room / frame[0]).min((height - 2.0 * margin) / frame[1]);
        let stage = [[0.0, head.round()], [width, head.round() + height]];
        let mut scene = Self {
            film,
            size: [width, (head.round() + height + foot).round()],
            stage,
            layers: Vec::new(),
            scale,
            looks_at,
            per_newton: 0.0,
            unit,
        };
        if film.peak > 0.0 && film.peak.is_finite() {
            scene.per_newton = LONGEST * width.min(height) / film.peak;
        }
        scene.layers = scene.drawn(&all);
        Ok(scene)
    }

    /// Whether the camera stands still.
    pub fn is_still(&self) -> bool {
        matches!(self.looks_at, Target::Point(_))
    }

    /// A point of the world on the picture.
    fn seen(&self, [x, y]: Point, t: f64) -> Point {
        let [cx, cy] = match self.looks_at {
            Target::Point(p) => p,
            Target::Place(place) => self.film.at(place, t),
        };
        let [[left, top], [right, bottom]] = self.stage;
        [
            0.5 * (left + right) + (x - cx) * self.scale,
            0.5 * (top + bottom) - (y - cy) * self.scale,
        ]
    }

    /// Where a body's layers are at a time.
    pub fn spot(&self, body: usize, t: f64) -> Spot {
        let [x, y, angle] = self.film.pose(body, t);
        Spot {
            at: self.seen([x, y], t),
            turn: -angle,
        }
    }

    /// Metres in a body's axes to pixels of its layer.
    fn local(&self, [x, y]: Point) -> Point {
        [x * self.scale, -y * self.scale]
    }

    /// The springs at a time: both ends, and whether it is drawn as a zigzag.
    pub fn springs(&self, t: f64) -> impl Iterator<Item = ([Point; 2], bool)> + '_ {
        self.film.springs.iter().map(move |spring| {
            let ends = [spring.a, spring.b].map(|end| self.seen(self.film.at(end, t), t));
            (ends, spring.kind != "ligament" && spring.kind != "link")
        })
    }

    /// The line of a spring from one end to the other.
    pub fn spring(&self, [a, b]: [Point; 2], zigzag: bool) -> Part {
        let width = 1.6 * self.unit;
        let mut points = vec![a];
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = math::sqrt(dx * dx + dy * dy);
        if zigzag && length > 0.0 {
            let swing = 6.0 * self.unit / length;
            const TEETH: usize = 12;
            for i in 0..TEETH {
                let along = 0.15 + 0.7 * (i as f64 + 0.5) / TEETH as f64;
                let side = if i % 2 == 0 { swing } else { -swing };
                if i == 0 {
                    points.push([a[0] + 0.15 * dx, a[1] + 0.15 * dy]);
                }
                points.push([a[0] + along * dx - side * dy, a[1] + along * dy + side * dx]);
            }
            points.push([a[0] + 0.85 * dx, a[1] + 0.85 * dy]);
        }
        points.push(b);
        line(points, SPRING, width)
    }

    /// The forces of the contacts between two times, each from its point of contact to its tip; those too small to be seen are left out.
    pub fn arrows(&self, from: f64, to: f64) -> Vec<(usize, [Point; 2])> {
        let arrows = self.film.arrows(from, to).into_iter();
        arrows
            .filter_map(|arrow| {
                let [x, y] = self.seen(arrow.at, to);
                let [fx, fy] = arrow.force.map(|f| f * self.per_newton);
                let seen = math::sqrt(fx * fx + fy * fy) >= SHORTEST;
                (seen && x.is_finite() && y.is_finite())
                    .then_some((arrow.contact, [[x, y], [x + fx, y - fy]]))
            })
            .collect()
    }

    /// An arrow: its shaft and its head.
    pub fn arrow(&self, [from, to]: [Point; 2]) -> [Part; 2] {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = math::sqrt(dx * dx + dy * dy);
        let (ux, uy) = if length > 0.0 {
            (dx / length, dy / length)
        } else {
            (1.0, 0.0)
        };
        let head = (9.0 * self.unit).min(0.6 * length.max(3.0));
        let neck = [to[0] - head * ux, to[1] - head * uy];
        let half = 0.42 * head;
        let corner = |side: f64| [neck[0] - side * half * uy, neck[1] + side * half * ux];
        [
            line(vec![from, neck], FORCE, 2.4 * self.unit),
            area(vec![vec![to, corner(1.0), corner(-1.0)]], Some(FORCE), None),
        ]
    }

    /// The grains at a time: colour of the inside, of the edge (none where it would be all that is seen), centre, radius.
    pub fn grains(&self, t: f64) -> Vec<Part> {
        let Some(grains) = &self.film.grains else {
            return Vec::new();
        };
        let kinds = grains.radii.iter().zip(&grains.groups);
        let all = grains.places(t).zip(kinds);
        all.map(|(place, (radius, group))| {
            let [fill, edge] = colours(*group);
            let radius = radius * self.scale;
            Part {
                form: Form::Disc {
                    center: self.seen(place, t),
                    radius,
                },
                fill: Some(fill),
                hatch: None,
                edge: (radius >= OUTLINED).then_some((edge, 0.8)),
            }
        })
        .collect()
    }

    /// What stays the same: the title, the length scale and the scale of forces.
    pub fn legend(&self) -> (Vec<Part>, Vec<Label>) {
        let unit = self.unit;
        let base = self.size[1] - 12.0 * unit;
        let label = |at: Point, anchor, text: String| Label {
            at,
            size: 12.0 * unit,
            anchor,
            ink: QUIET,
            text,
        };
        let mut parts = Vec::new();
        let mut labels = Vec::new();
        if !self.film.title.is_empty() {
            // As many letters as fit, at two thirds of their height each.
            let fit = (self.size[0] / (14.0 * unit * 0.62)) as usize;
            let mut title: String = self.film.title.chars().take(fit).collect();
            if title.len() < self.film.title.len() {
                title = title.chars().take(fit.saturating_sub(1)).collect();
                title.push('…');
            }
            labels.push(Label {
                size: 14.0 * unit,
                ink: TEXT,
                ..label([12.0 * unit, 21.0 * unit], Anchor::Start, title)
            });
        }
        // About a sixth of the width, a round number of metres.
        let metres = nice(self.size[0] / 6.0 / self.scale, false);
        let right = self.size[0] - 14.0 * unit;
        let left = right - metres * self.scale;
        let tick = 4.0 * unit;
        let y = base - 4.0 * unit;
        let bar = vec![[left, y - tick], [left, y], [right, y], [right, y - tick]];
        parts.push(line(bar, TEXT, 1.4 * unit));
        let words = length(metres);
        labels.push(label([left - 7.0 * unit, base], Anchor::End, words.clone()));
        if self.per_newton > 0.0 {
            let newton = nice(0.5 * self.film.peak, false);
            // Left of the words of the length scale, which are so wide at most.
            let right = left - (7.0 + 8.0 * words.chars().count() as f64 + 22.0) * unit;
            let left = right - newton * self.per_newton;
            let words = pretty(newton, "N", 3);
            // Where the picture is too narrow for both, the words about speed stay.
            if left - 8.0 * words.chars().count() as f64 * unit < 300.0 * unit {
                return (parts, labels);
            }
            parts.extend(self.arrow([[left, y], [right, y]]));
            labels.push(label([left - 7.0 * unit, base], Anchor::End, words));
        }
        (parts, labels)
    }

    /// What changes from picture to picture: the time, and how fast it goes. `step` is from one picture to the next, s of the run.
    pub fn captions(&self, clock: &Clock, t: f64, slow: bool, step: f64) -> [Label; 2] {
        let unit = self.unit;
        let base = self.size[1] - 12.0 * unit;
        let end = self.film.span().map_or(1.0, |s| s.0.abs().max(s.1.abs()));
        let speed = Label {
            at: [126.0 * unit, base],
            size: 12.0 * unit,
            anchor: Anchor::Start,
            ink: if slow { FORCE } else { QUIET },
            text: match self.size[0] < 280.0 {
                true => String::new(),
                false => clock.says(slow),
            },
        };
        let time = Label {
            at: [12.0 * unit, base],
            size: 14.0 * unit,
            anchor: Anchor::Start,
            ink: TEXT,
            text: stamp(t, end, step),
        };
        [time, speed]
    }

    /// Every layer, from the back to the front.
    fn drawn(&self, all: &Bounds) -> Vec<Layer> {
        let mut layers = Vec::new();
        let film = self.film;
        let guides = film
            .joints
            .iter()
            .filter_map(|joint| self.guide(joint, all));
        layers.extend(guides);
        // The ground, then what has bearings, then what may move in them.
        let bearing = |i: usize| {
            film.joints
                .iter()
                .any(|j| j.play.is_some() && j.b.body == i)
        };
        let mut order: Vec<usize> = (0..film.bodies.len()).collect();
        order.sort_by_key(|i| *i > 0 && !bearing(*i));
        for (i, body) in order
            .iter()
            .filter_map(|i| Some((*i, film.bodies.get(*i)?)))
        {
            let mut parts = Vec::new();
            let [fill, edge] = match i {
                0 => [GROUND[0], GROUND[2]],
                _ => colours(i - 1),
            };
            let wheel = |j: &Joint| j.radii.is_some() && (j.a.body == i || j.b.body == i);
            let own = |j: &Joint| j.b.body == i && !j.block.is_empty() || wheel(j);
            let bare = body.shapes.is_empty() && !film.joints.iter().any(own);
            if i > 0 && bare && body.bars.is_empty() {
                parts.extend(self.block(i, fill, edge));
            }
            for [a, b] in body.bars.iter().copied().chain(self.stays(i, body, all)) {
                self.bar(&mut parts, [a, b], fill, edge);
            }
            for shape in &body.shapes {
                self.shape(&mut parts, shape, i == 0, fill, edge, all);
            }
            self.plays(&mut parts, i, fill, edge);
            layers.push(Layer { body: i, parts });
        }
        for joint in &film.joints {
            layers.extend(self.symbol(joint));
        }
        layers
    }

    /// What a bar is drawn as: a capsule with an edge.
    fn bar(&self, parts: &mut Vec<Part>, ends: [Point; 2], fill: Ink, edge: Ink) {
        let ends = ends.map(|p| self.local(p)).to_vec();
        parts.push(line(ends.clone(), edge, 10.0 * self.unit));
        parts.push(line(ends, fill, 7.0 * self.unit));
    }

    /// A body is held together: from every joint outside of its shapes to the nearest, and from its bars to every shape they do not reach.
    fn stays(&self, i: usize, body: &Body, all: &Bounds) -> Vec<[Point; 2]> {
        let boxes: Vec<Bounds> = body.shapes.iter().filter_map(bounds).collect();
        if i == 0 || boxes.is_empty() {
            return Vec::new();
        }
        let far = |[x, y]: Point, [u, v]: Point| (x - u) * (x - u) + (y - v) * (y - v);
        if !body.bars.is_empty() {
            let ends = || body.bars.iter().flatten().copied();
            // A box of no size, the foot of a face, is reached by what ends near it.
            let near = 1e-6 * all.size()[0].max(all.size()[1]);
            let lost = boxes.iter().filter(|b| {
                let reached = |p: Point| b.holds(p) || far(p, b.middle()) < near * near;
                !ends().any(reached)
            });
            return lost
                .filter_map(|b| {
                    let to = b.middle();
                    let from = ends().min_by(|p, q| far(*p, to).total_cmp(&far(*q, to)))?;
                    Some([from, to])
                })
                .collect();
        }
        let joints = self.film.joints.iter();
        let places = joints.filter(|j| j.axis.is_none()).flat_map(|j| [j.a, j.b]);
        places
            .filter(|place| place.body == i)
            .filter_map(|place| {
                let inside = boxes.iter().any(|b| b.holds(place.at));
                let to = |b: &Bounds| far(b.middle(), place.at);
                let near = boxes.iter().min_by(|a, b| to(a).total_cmp(&to(b)))?;
                (!inside).then_some([place.at, near.middle()])
            })
            .collect()
    }

    /// A body that nobody gave a shape: a block along its guide, or a disc with a cross.
    fn block(&self, i: usize, fill: Ink, edge: Ink) -> Vec<Part> {
        let joints = || self.film.joints.iter();
        let guide = joints().find_map(|j| {
            let axis = j.axis.filter(|_| j.kind == "translational")?;
            // The axis is in the first body's axes; the two turn together.
            (j.a.body == i || j.b.body == i).then_some((axis, j))
        });
        let bearing = joints().filter(|j| j.a.body == i || j.b.body == i);
        let bearing = bearing.filter_map(|j| j.play).map(|p| p[0]);
        let least = bearing.fold(0.0, f64::max) * self.scale;
        if let Some((axis, joint)) = guide {
            let half = [
                (22.0 * self.unit).max(2.1 * least),
                (13.0 * self.unit).max(1.45 * least),
            ];
            let at = if joint.b.body == i {
                joint.b.at
            } else {
                joint.a.at
            };
            let turn = match (self.film.times().first(), joint.b.body == i) {
                // From the first body's axes into its own.
                (Some(t), true) => {
                    let [a, b] = [joint.a, joint.b].map(|p| self.film.pose(p.body, *t)[2]);
                    a - b
                }
                _ => 0.0,
            };
            let angle = -(math::atan2(axis[1], axis[0]) + turn);
            let spot = Spot {
                at: self.local(at),
                turn: angle,
            };
            let corner = |u: f64, v: f64| spot.of([u * half[0], v * half[1]]);
            let corners = vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ];
            return vec![area(vec![corners], Some(fill), Some((edge, self.edge())))];
        }
        let r = (9.0 * self.unit).max(1.4 * least);
        let mut parts = vec![disc([0.0; 2], r, Some(fill), Some((edge, self.edge())))];
        for end in [[r, 0.0], [0.0, r]] {
            let ends = vec![[-end[0], -end[1]], end];
            parts.push(line(ends, edge, 0.8 * self.unit));
        }
        parts
    }

    fn edge(&self) -> f64 {
        1.5 * self.unit
    }

    fn shape(
        &self,
        parts: &mut Vec<Part>,
        shape: &Shape,
        ground: bool,
        fill: Ink,
        edge: Ink,
        all: &Bounds,
    ) {
        let hatch = ground.then_some(GROUND[1]);
        let rim = Some((edge, self.edge()));
        match shape {
            Shape::Circle {
                center,
                radius,
                hollow,
            } => {
                let center = self.local(*center);
                let radius = radius * self.scale;
                if *hollow {
                    parts.push(self.ring(center, radius, fill, hatch, edge));
                    return;
                }
                parts.push(Part {
                    hatch,
                    ..disc(center, radius, Some(fill), rim)
                });
                if !ground {
                    // A line from the centre shows how it is turned.
                    let end = [center[0] + radius, center[1]];
                    parts.push(line(vec![center, end], edge, 0.8 * self.unit));
                }
            }
            Shape::Outline { points, hollow } => {
                let mut points: Vec<Point> = points.iter().map(|p| self.local(*p)).collect();
                if *hollow {
                    points.extend(points.first().copied());
                    parts.push(line(points.clone(), fill, 12.0 * self.unit));
                    parts.push(line(points, edge, self.edge()));
                } else {
                    parts.push(Part {
                        hatch,
                        ..area(vec![points], Some(fill), rim)
                    });
                }
            }
            Shape::Line { points, solid } => {
                let points: Vec<Point> = points.iter().map(|p| self.local(*p)).collect();
                if *solid && points.len() > 1 {
                    let mut strip = points.clone();
                    strip.extend(beside(&points, 13.0 * self.unit).into_iter().rev());
                    parts.push(Part {
                        hatch,
                        ..area(vec![strip], Some(fill), None)
                    });
                }
                parts.push(line(points, edge, 2.2 * self.unit));
            }
            Shape::HalfPlane { at, normal } => {
                let length = math::sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
                if !(length > 0.0) {
                    return;
                }
                let [nx, ny] = [normal[0] / length, normal[1] / length];
                // As long as all that can be seen of it, beside what the camera looks at.
                let size = all.size();
                let view = (self.size[0] + self.size[1]) / self.scale;
                // The face of a body ends somewhere; the ground does not.
                let (reach, middle) = match ground {
                    true => (2.0 * view + size[0] + size[1], all.middle()),
                    false => (0.07 * size[0].max(size[1]), *at),
                };
                let along = (middle[0] - at[0]) * ny - (middle[1] - at[1]) * nx;
                let on = |s: f64| [at[0] + s * ny, at[1] - s * nx];
                let ends = [on(along - reach), on(along + reach)].map(|p| self.local(p));
                let depth = 13.0 * self.unit;
                let under = ends.map(|p| [p[0] - depth * nx, p[1] + depth * ny]);
                let strip = vec![ends[0], ends[1], under[1], under[0]];
                parts.push(Part {
                    hatch: Some(GROUND[1]),
                    ..area(vec![strip], Some(fill), None)
                });
                parts.push(line(ends.to_vec(), edge, 2.0 * self.unit));
            }
        }
    }

    /// What lies around a bore.
    fn ring(&self, center: Point, radius: f64, fill: Ink, hatch: Option<Ink>, edge: Ink) -> Part {
        let outer = (1.3 * radius).clamp(radius + 4.0 * self.unit, radius + 30.0 * self.unit);
        Part {
            hatch,
            ..area(
                vec![circle(center, outer), circle(center, radius)],
                Some(fill),
                Some((edge, self.edge())),
            )
        }
    }

    /// Journals and bearings of joints with play.
    fn plays(&self, parts: &mut Vec<Part>, i: usize, fill: Ink, edge: Ink) {
        let rim = Some((edge, self.edge()));
        for joint in &self.film.joints {
            if joint.b.body == i && joint.block.len() > 2 {
                let outline = joint.block.iter().map(|p| self.local(*p)).collect();
                parts.push(area(vec![outline], Some(fill), rim));
            }
            if let (Some(radius), true) = (joint.pin, joint.b.body == i) {
                let center = self.local(joint.b.at);
                parts.push(disc(center, radius * self.scale, Some(fill), rim));
            }
            for (place, k) in [(joint.a, 0), (joint.b, 1)] {
                if let (Some(radii), true) = (joint.radii, place.body == i) {
                    let center = self.local(place.at);
                    let radius = radii[k].abs() * self.scale;
                    // A wheel inside another: only the rim of the outer one is drawn.
                    let inside = (radii[k] > 0.0).then_some(fill);
                    parts.push(disc(center, radius, inside, rim));
                    let end = [center[0] + radius, center[1]];
                    parts.push(line(vec![center, end], edge, 0.8 * self.unit));
                }
            }
            let Some([bearing, journal]) = joint.play else {
                continue;
            };
            if joint.b.body == i {
                let center = self.local(joint.b.at);
                let hatch = (i == 0).then_some(GROUND[1]);
                // Blank inside, whatever lies behind: that is where the journal moves.
                parts.push(disc(center, bearing * self.scale, Some(WHITE), None));
                parts.push(self.ring(center, bearing * self.scale, fill, hatch, edge));
            }
            if joint.a.body == i {
                let center = self.local(joint.a.at);
                parts.push(disc(center, journal * self.scale, Some(fill), rim));
            }
        }
    }

    /// The line along which something slides on the ground.
    fn guide(&self, joint: &Joint, all: &Bounds) -> Option<Layer> {
        let axis = joint.axis.filter(|_| joint.kind == "translational")?;
        let (rail, on) = match (joint.a.body, joint.b.body) {
            (0, body) => (joint.a, body),
            (body, 0) => (joint.b, body),
            _ => return None,
        };
        let length = math::sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
        if !(length > 0.0) {
            return None;
        }
        let [ux, uy] = [axis[0] / length, axis[1] / length];
        // As far as it slides, and a little on.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for t in looks(self.film.times()) {
            let [x, y, _] = self.film.pose(on, t);
            let s = (x - rail.at[0]) * ux + (y - rail.at[1]) * uy;
            (low, high) = (low.min(s), high.max(s));
        }
        if !(high >= low) {
            return None;
        }
        let more = 40.0 * self.unit / self.scale;
        let most = 2.0 * (all.size()[0] + all.size()[1]);
        let at = |s: f64| {
            let s = s.clamp(-most, most);
            self.local([rail.at[0] + s * ux, rail.at[1] + s * uy])
        };
        let ends = vec![at(low - more), at(high + more)];
        Some(Layer {
            body: 0,
            parts: vec![line(ends, GUIDE, 1.2 * self.unit)],
        })
    }

    /// How a joint is drawn; it moves with its second body, or with the first if that is the ground.
    fn symbol(&self, joint: &Joint) -> Vec<Layer> {
        let unit = self.unit;
        let mut layers = Vec::new();
        let pin = |place: Place, parts: &mut Vec<Part>| {
            let at = self.local(place.at);
            parts.push(disc(at, 3.6 * unit, Some(WHITE), Some((PIN, 1.5 * unit))));
        };
        match joint.kind.as_str() {
            "revolute" if joint.play.is_none() => {
                let grounded = [joint.a, joint.b].into_iter().find(|p| p.body == 0);
                let place = grounded.unwrap_or(joint.b);
                let mut parts = Vec::new();
                if let Some(place) = grounded {
                    self.stand(self.local(place.at), &mut parts);
                }
                pin(place, &mut parts);
                layers.push(Layer {
                    body: place.body,
                    parts,
                });
            }
            "pin-slot" | "point-on-curve" | "link" => {
                for place in [joint.a, joint.b] {
                    let mut parts = Vec::new();
                    if joint.kind == "link" || place == joint.b {
                        pin(place, &mut parts);
                    }
                    layers.push(Layer {
                        body: place.body,
                        parts,
                    });
                }
            }
            _ => {}
        }
        layers
    }

    /// The foot of a pin that is fixed to the ground.
    fn stand(&self, [x, y]: Point, parts: &mut Vec<Part>) {
        let u = self.unit;
        let (half, down) = (9.0 * u, 15.0 * u);
        let corners = vec![[x, y], [x + half, y + down], [x - half, y + down]];
        let strip = vec![
            [x - 1.6 * half, y + down],
            [x + 1.6 * half, y + down],
            [x + 1.6 * half, y + down + 6.0 * u],
            [x - 1.6 * half, y + down + 6.0 * u],
        ];
        parts.push(Part {
            hatch: Some(GROUND[2]),
            ..area(vec![strip], Some(WHITE), None)
        });
        let rim = Some((GROUND[2], 1.3 * u));
        parts.push(area(vec![corners], Some(GROUND[0]), rim));
        let base = vec![[x - 1.6 * half, y + down], [x + 1.6 * half, y + down]];
        parts.push(line(base, GROUND[2], 1.5 * u));
    }
}

/// A line to the left of another, as far off as said: left as one walks along it where y points up.
fn beside(points: &[Point], far: f64) -> Vec<Point> {
    let count = points.len();
    let shifted = points.iter().enumerate().map(|(i, p)| {
        let before = points.get(i.saturating_sub(1)).unwrap_or(p);
        let after = points.get((i + 1).min(count - 1)).unwrap_or(p);
        let (dx, dy) = (after[0] - before[0], after[1] - before[1]);
        let length = math::sqrt(dx * dx + dy * dy).max(1e-9);
        [p[0] + far * dy / length, p[1] - far * dx / length]
    });
    shifted.collect()
}

/// A polygon that looks like a circle.
pub fn circle(center: Point, radius: f64) -> Vec<Point> {
    let count = (24.0 + 0.5 * radius.abs()).clamp(24.0, 180.0) as usize;
    (0..count)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / count as f64;
            let (s, c) = math::sin_cos(angle);
            [center[0] + radius * c, center[1] + radius * s]
        })
        .collect()
}

fn colours(i: usize) -> [Ink; 2] {
    BODIES.get(i % BODIES.len()).copied().unwrap_or([TEXT; 2])
}

fn line(points: Vec<Point>, ink: Ink, width: f64) -> Part {
    Part {
        form: Form::Line(points),
        fill: None,
        hatch: None,
        edge: Some((ink, width)),
    }
}

fn area(outlines: Vec<Vec<Point>>, fill: Option<Ink>, edge: Option<(Ink, f64)>) -> Part {
    Part {
        form: Form::Area(outlines),
        fill,
        hatch: None,
        edge,
    }
}

fn disc(center: Point, radius: f64, fill: Option<Ink>, edge: Option<(Ink, f64)>) -> Part {
    Part {
        form: Form::Disc { center, radius },
        fill,
        hatch: None,
        edge,
    }
}

/// A round length in words.
fn length(metres: f64) -> String {
    match metres {
        m if m >= 1.0 => format!("{m:.0} m"),
        m if m >= 0.01 * (1.0 - 1e-9) => format!("{:.0} mm", 1e3 * m),
        m => pretty(m, "m", 3),
    }
}

/// A time with as many decimals as the pictures are apart, in a unit that suits the end of the run.
fn stamp(t: f64, end: f64, step: f64) -> String {
    let (unit, name) = match end {
        e if e >= 1.0 => (1.0, "s"),
        e if e >= 1e-3 => (1e-3, "ms"),
        e if e >= 1e-6 => (1e-6, "µs"),
        _ => (1e-9, "ns"),
    };
    let decimals = (-math::log10((step / unit).max(1e-6)))
        .ceil()
        .clamp(0.0, 4.0);
    format!("t = {:.*} {name}", decimals as usize, t / unit)
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    low: Point,
    high: Point,
}

impl Bounds {
    const NONE: Self = Self {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
    };

    fn add(&mut self, p: Point) {
        if p.iter().all(|x| x.is_finite() && x.abs() < 1e12) {
            for k in 0..2 {
                self.low[k] = self.low[k].min(p[k]);
                self.high[k] = self.high[k].max(p[k]);
            }
        }
    }

    fn is_some(&self) -> bool {
        self.low[0] <= self.high[0] && self.low[1] <= self.high[1]
    }

    fn middle(&self) -> Point {
        [0, 1].map(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    fn size(&self) -> Point {
        [0, 1].map(|k| self.high[k] - self.low[k])
    }

    fn holds(&self, p: Point) -> bool {
        (0..2).all(|k| self.low[k] <= p[k] && p[k] <= self.high[k])
    }

    fn corners(&self) -> [Point; 4] {
        let [l, h] = [self.low, self.high];
        [l, [h[0], l[1]], h, [l[0], h[1]]]
    }
}

/// The box around a shape, in its body's axes; of a half-plane the point that is given.
fn bounds(shape: &Shape) -> Option<Bounds> {
    let mut all = Bounds::NONE;
    match shape {
        Shape::Circle {
            center,
            radius,
            hollow,
        } => {
            let r = if *hollow { 1.3 * radius } else { *radius };
            all.add([center[0] - r, center[1] - r]);
            all.add([center[0] + r, center[1] + r]);
        }
        Shape::Outline { points, .. } | Shape::Line { points, .. } => {
            points.iter().for_each(|p| all.add(*p));
        }
        // The foot of a face; it reaches on beyond.
        Shape::HalfPlane { at, .. } => all.add(*at),
    }
    all.is_some().then_some(all)
}

/// A few of the frames, the first and the last among them.
fn looks(times: &[f64]) -> impl Iterator<Item = f64> + '_ {
    let stride = times.len().div_ceil(LOOKS).max(1);
    times.iter().step_by(stride).chain(times.last()).copied()
}

/// All that moves, over the whole time, and as much of the ground as is near.
fn extent(film: &Film, from: f64, to: f64) -> Option<Bounds> {
    let mut moving = Bounds::NONE;
    let boxes: Vec<Vec<Bounds>> = film
        .bodies
        .iter()
        .enumerate()
        .map(|(i, body)| {
            // Ground without end is looked at below.
            let endless = |s: &&Shape| i == 0 && matches!(s, Shape::HalfPlane { .. });
            let shapes = body.shapes.iter().filter(|s| !endless(s));
            shapes.filter_map(bounds).collect()
        })
        .collect();
    let places = || {
        let joints = film.joints.iter().flat_map(|j| [j.a, j.b]);
        joints.chain(film.springs.iter().flat_map(|s| [s.a, s.b]))
    };
    let inside = looks(film.times()).filter(|t| (from..=to).contains(t));
    for t in inside.chain([from, to]) {
        for (i, body) in film.bodies.iter().enumerate().skip(1) {
            let pose = film.pose(i, t);
            let at = |p: Point| super::film::placed(pose, p);
            if body.shapes.is_empty() {
                moving.add([pose[0], pose[1]]);
            }
            for b in boxes.get(i).into_iter().flatten() {
                // A disc is as wide whichever way it is turned; corners of its box are not.
                b.corners().iter().for_each(|p| moving.add(at(*p)));
            }
            body.bars.iter().flatten().for_each(|p| moving.add(at(*p)));
        }
        for place in places() {
            moving.add(film.at(place, t));
        }
        for joint in &film.joints {
            for p in &joint.block {
                let at = Place { at: *p, ..joint.b };
                moving.add(film.at(at, t));
            }
            // Around a bearing there is a block.
            let around = joint.play.map_or(0.0, |p| 2.1 * p[0]);
            let wheels = joint.radii.unwrap_or([around; 2]);
            for (place, r) in [joint.a, joint.b].into_iter().zip(wheels) {
                let r = r.abs();
                let [x, y] = film.at(place, t);
                moving.add([x - r, y - r]);
                moving.add([x + r, y + r]);
            }
        }
        if let Some(grains) = &film.grains {
            for (p, r) in grains.places(t).zip(&grains.radii) {
                moving.add([p[0] - r, p[1] - r]);
                moving.add([p[0] + r, p[1] + r]);
            }
        }
    }
    let mut all = moving;
    let size = all.size();
    let reach = if all.is_some() {
        0.5 * size[0].max(size[1])
    } else {
        f64::INFINITY
    };
    for b in boxes.first().into_iter().flatten() {
        let near = |k: usize, x: f64| x.clamp(moving.low[k] - reach, moving.high[k] + reach);
        for p in b.corners() {
            all.add(match reach.is_finite() {
                true => [near(0, p[0]), near(1, p[1])],
                false => p,
            });
        }
    }
    for shape in film.bodies.first().map_or(&[][..], |b| &b.shapes) {
        // As much of a plane as is below what moves.
        if let (Shape::HalfPlane { at, normal }, true) = (shape, moving.is_some()) {
            let n2 = normal[0] * normal[0] + normal[1] * normal[1];
            let m = moving.middle();
            let off = ((m[0] - at[0]) * normal[0] + (m[1] - at[1]) * normal[1]) / n2;
            let foot = [m[0] - off * normal[0], m[1] - off * normal[1]];
            let near = |k: usize, x: f64| x.clamp(moving.low[k] - reach, moving.high[k] + reach);
            all.add([near(0, foot[0]), near(1, foot[1])]);
        }
    }
    if !all.is_some() {
        return None;
    }
    // Something that has no size is seen with a metre around it; something flat with a tenth of its length.
    let size = all.size();
    let largest = size[0].max(size[1]);
    let least = if largest > 0.0 { 0.1 * largest } else { 1.0 };
    for k in 0..2 {
        if size[k] < least {
            let middle = 0.5 * (all.low[k] + all.high[k]);
            (all.low[k], all.high[k]) = (middle - 0.5 * least, middle + 0.5 * least);
        }
    }
    Some(all)
}

/// What to look at closely, and how much of it, m.
fn close(film: &Film, name: &str, all: &Bounds) -> Result<(Target, Point), SceneError> {
    let called = |full: &str| full == name || full.rsplit_once('.').is_some_and(|p| p.1 == name);
    let joint = film
        .joints
        .iter()
        .find(|j| called(&j.name) || format!("joint.{}", j.name) == name);
    let whole = all.size()[0].max(all.size()[1]);
    if let Some(joint) = joint {
        let side = match joint.play {
            Some([bearing, _]) => 3.2 * bearing,
            None => 0.25 * whole,
        };
        return Ok((Target::Place(joint.b), [side, 0.75 * side]));
    }
    let Some(contact) = film.contacts.iter().position(|c| called(c)) else {
        let joints = film.joints.iter().map(|j| j.name.as_str());
        let names = || {
            joints
                .clone()
                .chain(film.contacts.iter().map(String::as_str))
        };
        let near = nearest(name, names());
        let shown: Vec<String> = match near.is_empty() {
            true => names().take(12).map(String::from).collect(),
            false => near.into_iter().map(String::from).collect(),
        };
        return Err(SceneError::NoSuchName {
            name: name.into(),
            nearest: shown,
        });
    };
    let mut touched = Bounds::NONE;
    film.touched(contact).for_each(|p| touched.add(p));
    if !touched.is_some() {
        return Err(SceneError::NeverTouched { name: name.into() });
    }
    let size = touched.size();
    let side = (1.4 * size[0].max(size[1])).max(0.12 * whole);
    Ok((Target::Point(touched.middle()), [side, 0.75 * side]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn film() -> Film {
        let value = json!({
            "title": "A block on a floor",
            "scene": {
                "bodies": [
                    { "name": "ground", "shapes": [ { "kind": "half-plane", "center": [0, 0], "normal": [0, 1] } ] },
                    { "name": "block", "shapes": [ { "kind": "polygon", "outline": [[-1, -1], [1, -1], [1, 1], [-1, 1]] } ] },
                ],
                "joints": [ { "name": "joint.pin", "type": "revolute", "a": { "body": 1, "at": [0, 0] }, "b": { "body": 0, "at": [0, 9] }, "clearance": { "bearing_radius": 0.5, "journal_radius": 0.4 } } ],
                "contacts": [ { "name": "contact.floor" }, { "name": "contact.wall" } ],
            },
            "film": {
                "t": [0, 1],
                "poses": [0, 5, 0,  4, 1, 0],
                "forces": { "start": [0, 0, 1], "contact": [0], "x": [4], "y": [0], "fx": [0], "fy": [10] },
            },
        });
        Film::read(&value).expect("it is a film")
    }

    fn view(zoom: Option<&str>) -> View {
        View {
            width: 640.0,
            zoom: zoom.map(String::from),
        }
    }

    #[test]
    fn the_camera_sees_everything_all_the_time_and_to_scale() {
        let film = film();
        let scene = Scene::new(&film, &view(None), 0.0, 1.0).expect("it is drawn");
        let [[left, top], [right, bottom]] = scene.stage;
        for t in [0.0, 0.3, 1.0] {
            let spot = scene.spot(1, t);
            for p in [[-1.0, -1.0], [1.0, 1.0]] {
                let [x, y] = spot.of(scene.local(p));
                assert!(left < x && x < right && top < y && y < bottom, "{x} {y}");
            }
        }
        // Four metres to the right and four down.
        let [a, b] = [0.0, 1.0].map(|t| scene.spot(1, t).at);
        assert!((b[0] - a[0] - 4.0 * scene.scale).abs() < 1e-9);
        assert!((b[1] - a[1] - 4.0 * scene.scale).abs() < 1e-9);
        // The length scale is a round number of metres and says which.
        let (parts, labels) = scene.legend();
        let Form::Line(bar) = &parts[0].form else {
            panic!("{parts:?}")
        };
        let metres = (bar[2][0] - bar[1][0]) / scene.scale;
        assert_eq!(labels[1].text, format!("{metres:.0} m"));
    }

    #[test]
    fn an_arrow_begins_where_bodies_touch_and_is_as_long_as_its_force() {
        let film = film();
        let scene = Scene::new(&film, &view(None), 0.0, 1.0).expect("it is drawn");
        let arrows = scene.arrows(0.5, 1.0);
        assert_eq!(arrows.len(), 1);
        let [from, to] = arrows[0].1;
        let under = scene.spot(1, 1.0).of(scene.local([0.0, -1.0]));
        assert!((from[0] - under[0]).abs() < 1e-9 && (from[1] - under[1]).abs() < 1e-9);
        let side = (scene.stage[1][1] - scene.stage[0][1]).min(640.0);
        assert!((from[1] - to[1] - LONGEST * side).abs() < 1e-9);
        assert!(scene.arrows(0.1, 0.5).is_empty());
    }

    #[test]
    fn a_joint_with_play_is_looked_at_closely_and_followed() {
        let film = film();
        for name in ["joint.pin", "pin"] {
            let scene = Scene::new(&film, &view(Some(name)), 0.0, 1.0).expect("it is drawn");
            assert!(!scene.is_still());
            let [[left, _], [right, _]] = scene.stage;
            // 3.2 radii of half a metre between the margins.
            assert!(((right - left - 52.0) / scene.scale - 1.6).abs() < 1e-9);
        }
        let scene = Scene::new(&film, &view(Some("contact.floor")), 0.0, 1.0);
        assert!(scene.expect("it is drawn").is_still());
    }

    #[test]
    fn a_name_that_is_not_there_is_answered_with_those_that_are() {
        let film = film();
        let said = |name: &str| {
            let error = Scene::new(&film, &view(Some(name)), 0.0, 1.0).expect_err("no such name");
            error.to_string()
        };
        assert!(said("contact.flor").contains("contact.floor"));
        assert!(said("xyz").contains("joint.pin, contact.floor, contact.wall"));
        assert!(said("contact.wall").contains("never touched"));
    }

    #[test]
    fn times_have_as_many_decimals_as_pictures_are_apart() {
        assert_eq!(stamp(0.0123, 0.024, 2e-4), "t = 12.3 ms");
        assert_eq!(stamp(3.0, 10.0, 0.04), "t = 3.00 s");
        assert_eq!(stamp(0.0, 1e-5, 1e-7), "t = 0.0 µs");
    }
}
