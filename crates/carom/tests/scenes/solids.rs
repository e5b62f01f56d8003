//! Which outlines may a body have, and how large is it then?

use super::random::{Random, round};
use super::tree::Value;

/// An outline as the file has it, with what the rest of a scene must know of it.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: String,
    pub kind: &'static str,
    /// Corners without a radius, or no thickness at all.
    pub sharp: bool,
    /// A line that has no inside.
    pub line: bool,
    /// Solid outside.
    pub hole: bool,
    pub value: Vec<(String, Value)>,
}

impl Shape {
    fn new(name: &str, kind: &'static str) -> Self {
        Self {
            name: name.into(),
            kind,
            sharp: false,
            line: false,
            hole: false,
            value: vec![("type".into(), kind.into())],
        }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.value.push((key.into(), value.into()));
        self
    }

    /// Whether the reader takes these two for a pair.
    pub fn can_meet(&self, other: &Shape) -> bool {
        let plane = |s: &Shape| s.kind == "half-plane";
        let never = |a: &Shape, b: &Shape| {
            plane(a) && (plane(b) || b.hole) || a.hole && b.hole || a.line && b.sharp
        };
        !never(self, other) && !never(other, self)
    }
}

/// A body's outlines.
#[derive(Clone, Debug)]
pub struct Solid {
    pub shapes: Vec<Shape>,
    /// How far they reach from the mass centre, m.
    pub reach: f64,
    /// How thick the thinnest is, m.
    pub thickness: f64,
    /// m².
    pub area: f64,
}

impl Solid {
    fn of(shape: Shape, reach: f64, thickness: f64, area: f64) -> Self {
        Self {
            shapes: vec![shape],
            reach,
            thickness,
            area,
        }
    }
}

fn pair(x: f64, y: f64) -> [f64; 2] {
    [round(x), round(y)]
}

pub fn circle(name: &str, center: [f64; 2], radius: f64) -> Shape {
    let shape = Shape::new(name, "circle");
    let shape = if center == [0.0; 2] {
        shape
    } else {
        shape.with("center", center)
    };
    shape.with("radius", radius)
}

pub fn bore(name: &str, radius: f64) -> Shape {
    let mut shape = Shape::new(name, "bore").with("radius", radius);
    shape.hole = true;
    shape
}

pub fn half_plane(name: &str, point: [f64; 2], normal: f64) -> Shape {
    Shape::new(name, "half-plane")
        .with("point", point)
        .with("normal", normal)
}

pub fn segment(name: &str, from: [f64; 2], to: [f64; 2], radius: f64) -> Shape {
    let mut shape = Shape::new(name, "segment")
        .with("from", from)
        .with("to", to);
    if radius > 0.0 {
        shape = shape.with("radius", radius);
    } else {
        shape.sharp = true;
        shape.line = true;
    }
    shape
}

pub fn arc(name: &str, center: [f64; 2], radius: f64, ends: [f64; 2], concave: bool) -> Shape {
    Shape::new(name, "arc")
        .with("center", center)
        .with("radius", radius)
        .with("from", ends[0])
        .with("to", ends[1])
        .with("concave", concave)
}

pub fn polynomial(
    name: &str,
    coefficients: Vec<f64>,
    reach: f64,
    place: [f64; 2],
    solid: &str,
) -> Shape {
    Shape::new(name, "polynomial")
        .with("coefficients", coefficients)
        .with("interval", [-reach, reach])
        .with("place", place)
        .with("solid", solid)
}

pub fn polyline(name: &str, points: Vec<[f64; 2]>, solid: &str) -> Shape {
    let mut shape = Shape::new(name, "polyline")
        .with("points", points)
        .with("solid", solid);
    shape.sharp = true;
    shape
}

/// A smooth closed curve of so many waves about a circle, clockwise or not.
pub fn blob(
    name: &str,
    radius: f64,
    wave: f64,
    waves: usize,
    hole: bool,
    random: &mut Random,
) -> Shape {
    let count = random.count(5 * waves, 9 * waves).max(10);
    let (turn, way) = (random.angle(), if random.chance(0.5) { 1.0 } else { -1.0 });
    let points: Vec<[f64; 2]> = (0..count)
        .map(|i| {
            let phi = way * std::f64::consts::TAU * i as f64 / count as f64;
            let r = radius * (1.0 + wave * (waves as f64 * phi + turn).cos());
            pair(r * phi.cos(), r * phi.sin())
        })
        .collect();
    let shape = Shape::new(name, "curve").with("points", points);
    let mut shape = if hole {
        shape.with("concave", true)
    } else {
        shape
    };
    shape.hole = hole;
    shape
}

/// Corners on an ellipse: always convex.
fn corners(size: f64, random: &mut Random) -> (Vec<[f64; 2]>, f64) {
    let n = random.count(3, 7);
    let flat = random.between(0.4, 1.0);
    let turn = random.angle();
    let points = (0..n).map(|i| {
        let phi = turn + std::f64::consts::TAU * (i as f64 + 0.3 * random.unit()) / n as f64;
        pair(size * phi.cos(), flat * size * phi.sin())
    });
    // The inscribed circle of a triangle on a circle is half as large.
    (points.collect(), 0.3 * flat * size)
}

/// Any solid of this size, m: about half its extent. `blunt`: without sharp corners, for stiffnesses that follow from materials.
pub fn any(size: f64, blunt: bool, random: &mut Random) -> Solid {
    use std::f64::consts::PI;
    loop {
        let name = "s";
        return match random.count(0, 99) {
            0..25 => Solid::of(
                circle(name, [0.0; 2], size),
                size,
                2.0 * size,
                PI * size * size,
            ),
            25..37 => {
                let other = round(size * random.between(0.3, 1.0));
                let axes = if random.chance(0.5) {
                    [size, other]
                } else {
                    [other, size]
                };
                let mut shape = Shape::new(name, "ellipse").with("semi_axes", axes);
                if random.chance(0.3) {
                    shape = shape.with("angle", random.angle());
                }
                if random.chance(0.4) {
                    shape = shape.with("exponent", random.between(2.0, 8.0));
                }
                Solid::of(shape, 1.42 * size, 2.0 * other, PI * size * other)
            }
            37..52 => {
                let (points, inner) = corners(size, random);
                let mut shape = Shape::new(name, "polygon").with("corners", points);
                if blunt || random.chance(0.5) {
                    shape = shape.with("rounding", random.log(0.02, 0.3) * inner);
                } else {
                    shape.sharp = true;
                }
                Solid::of(shape, size, 2.0 * inner, 2.0 * size * inner)
            }
            52..60 => {
                let other = round(size * random.between(0.2, 1.0));
                let mut shape = Shape::new(name, "rectangle")
                    .with("width", 2.0 * size)
                    .with("height", 2.0 * other);
                if blunt || random.chance(0.5) {
                    shape = shape.with("rounding", random.log(0.02, 0.5) * other);
                } else {
                    shape.sharp = true;
                }
                Solid::of(shape, size.hypot(other), 2.0 * other, 4.0 * size * other)
            }
            60..70 => {
                let radius = round(size * random.log(0.05, 0.5));
                let half = round(size - radius);
                let shape = segment(name, [-half, 0.0], [half, 0.0], radius);
                Solid::of(shape, size, 2.0 * radius, 4.0 * size * radius)
            }
            70..74 if !blunt => {
                let shape = segment(name, [-size, 0.0], [size, 0.0], 0.0);
                Solid::of(shape, size, 0.1 * size, 0.1 * size * size)
            }
            74..82 => {
                let waves = random.count(2, 5);
                let wave = random.between(0.02, 0.5 / waves as f64);
                let shape = blob(name, size, wave, waves, false, random);
                let inner = size * (1.0 - wave);
                Solid::of(
                    shape,
                    1.05 * size * (1.0 + wave),
                    2.0 * inner,
                    PI * size * size,
                )
            }
            82..90 => {
                let radius = round(size * random.between(0.2, 0.5));
                let half = round(size - radius);
                Solid {
                    shapes: vec![
                        circle("left", [-half, 0.0], radius),
                        circle("right", [half, 0.0], radius),
                        segment("bar", [-half, 0.0], [half, 0.0], round(0.5 * radius)),
                    ],
                    reach: size,
                    thickness: radius,
                    area: 4.0 * size * radius,
                }
            }
            90..94 if !blunt => {
                let width = random.between(0.5, 2.5);
                let shape = arc(name, [0.0; 2], size, [-width, width], false);
                Solid::of(shape, size, 0.1 * size, size * size)
            }
            94..97 if !blunt => {
                let bend = random.between(-0.5, 0.5) / size;
                let shape = polynomial(name, vec![0.0, 0.0, round(bend)], size, [0.0; 2], "below");
                Solid::of(shape, 1.2 * size, 0.1 * size, 0.2 * size * size)
            }
            97..100 if !blunt => {
                let points = vec![
                    pair(-size, 0.0),
                    pair(-0.3 * size, random.between(-0.2, 0.2) * size),
                    pair(0.4 * size, random.between(-0.2, 0.2) * size),
                    pair(size, 0.0),
                ];
                let shape = polyline(name, points, "below");
                Solid::of(shape, 1.1 * size, 0.1 * size, 0.2 * size * size)
            }
            _ => continue,
        };
    }
}
