//! How do the tables of shapes become outlines that can touch each other?

use crate::card::{Range, nearest, short};
use crate::geometry::Fault;
use crate::geometry::Shape;
use crate::geometry::Side;
use crate::math;
use crate::model::diagnostic::cut;
use crate::model::file::csv::Rule;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::{Outline, Standing};
use crate::model::file::tables::OUTLINE;
use crate::model::file::tree::{Node, Origin};
use crate::model::mechanism::ShapeEntry;
use crate::model::units::Dimension;

impl<'a> Reader<'a> {
    /// The outlines of a body or of the ground; one that cannot be read still has its name, so that nothing that names it is complained about.
    pub fn read_shapes(&mut self, record: &Record<'a>, standing: &mut Standing) -> Vec<ShapeEntry> {
        let table = record.node("shapes").and_then(Node::table);
        let path = record.path_of("shapes");
        let records = self.named(table, &path, &OUTLINE, "a shape");
        for (name, record) in records {
            let shape = self.shape(&record, standing);
            let material = match record.node("material") {
                Some(node) => self.material(node, &record.path_of("material")).map(Some),
                None => Some(None),
            };
            let entry = match (shape, material, record.bad) {
                (Some(shape), Some(material), false) => Some(ShapeEntry {
                    name: name.into(),
                    shape,
                    material,
                    length: record.number("length"),
                }),
                _ => None,
            };
            standing.shapes.push(Outline {
                name: name.into(),
                entry,
            });
        }
        let sound = standing.shapes.iter();
        sound.filter_map(|shape| shape.entry.clone()).collect()
    }

    fn shape(&mut self, record: &Record<'a>, standing: &Standing) -> Option<Shape> {
        // Every point is looked at, whatever else is wrong.
        let center = self.spot_of(record, "center", standing);
        let angle = record.number("angle").unwrap_or(0.0);
        let rounding = record.number("rounding").unwrap_or(0.0);
        let concave = record.flag("concave");
        let solid = match record.word("solid") {
            Some("above") => Side::Above,
            _ => Side::Below,
        };
        let mut corners = Vec::new();
        let made = match record.kind {
            "circle" => Shape::circle(center?, record.number("radius")?),
            "bore" => Shape::bore(center?, record.number("radius")?),
            "arc" => Shape::arc(
                center?,
                record.number("radius")?,
                record.number("from")?,
                record.number("to")?,
                concave,
            ),
            "half-plane" => {
                let point = self.spot_of(record, "point", standing)?;
                let normal = match record.given("normal") {
                    true => record.numbers("normal")?,
                    false => [0.0, 1.0],
                };
                Shape::half_plane(point, normal)
            }
            "segment" => {
                let ends = ["from", "to"].map(|key| self.spot_of(record, key, standing));
                let [Some(from), Some(to)] = ends else {
                    return None;
                };
                let radius = record.number("radius").unwrap_or(0.0);
                if record.given("from") && record.given("to") && !record.bad {
                    Shape::segment([from, to], radius)
                } else {
                    return None;
                }
            }
            "ellipse" => {
                let exponent = record.number("exponent").unwrap_or(2.0);
                Shape::ellipse(center?, record.numbers("semi_axes")?, angle, exponent)
            }
            "polygon" => {
                corners = self.spots(record, "corners", standing)?;
                Shape::polygon(corners.clone(), rounding)
            }
            "rectangle" => {
                let half = [
                    record.number("width")? / 2.0,
                    record.number("height")? / 2.0,
                ];
                Shape::polygon(rectangle(center?, half, angle), rounding)
            }
            "curve" => Shape::curve(self.points_of(record, standing)?, concave),
            "polynomial" => {
                let place = self.spot_of(record, "place", standing)?;
                let coefficients = record.list("coefficients")?.to_vec();
                let interval = record.numbers("interval")?;
                Shape::polynomial(coefficients, interval, place, angle, solid)
            }
            "polyline" => Shape::polyline(self.points_of(record, standing)?, solid),
            _ => return None,
        };
        if record.bad {
            return None;
        }
        match made {
            Ok(shape) => Some(shape),
            Err(fault) => {
                self.shape_fault(record, &fault, &corners);
                None
            }
        }
    }

    /// A point by its name or its coordinates; the origin if the key is not there.
    fn spot_of(&mut self, record: &Record<'a>, key: &str, standing: &Standing) -> Option<[f64; 2]> {
        match record.node(key) {
            Some(node) => self.spot(node, &record.path_of(key), standing),
            None => Some([0.0; 2]),
        }
    }

    fn spot(&mut self, node: &Node, path: &str, standing: &Standing) -> Option<[f64; 2]> {
        let Some(text) = node.text() else {
            let length = Dimension::LENGTH;
            if node.list().is_none() {
                self.wrong_type(node, path, "the name of a point, or [x, y]");
                return None;
            }
            let at = self.list(node, path, &[length, length], Range::ANY)?;
            return at.try_into().ok();
        };
        let body = standing.name.as_str();
        // "rod.A" is "A" where rod is the body itself.
        let own = text.strip_prefix(body).and_then(|t| t.strip_prefix('.'));
        let name = own.unwrap_or(text);
        if let Some(known) = standing.points.get(name) {
            return known.sound.then_some(known.at);
        }
        let close = nearest(name, standing.points.keys().map(String::as_str));
        let close: Vec<String> = close.into_iter().map(String::from).collect();
        let points = standing.points.keys().map(String::as_str).take(20);
        let points: Vec<&str> = points.collect();
        let allowed = if points.is_empty() {
            format!("`{body}` has no points: only [x, y]")
        } else {
            format!("its points {}, or [x, y]", points.join(", "))
        };
        self.notes
            .wrong(node, path, format!("`{body}` has no point `{}`", cut(name)))
            .allowed(allowed)
            .hint("a shape stands on points of its own body")
            .nearest(&close);
        None
    }

    fn spots(
        &mut self,
        record: &Record<'a>,
        key: &str,
        standing: &Standing,
    ) -> Option<Vec<[f64; 2]>> {
        let node = record.node(key)?;
        let path = record.path_of(key);
        let Some(list) = node.list() else {
            self.wrong_type(node, &path, "a list of points, [[x, y], [x, y], …]");
            return None;
        };
        let spots: Vec<Option<[f64; 2]>> = list
            .iter()
            .map(|node| self.spot(node, &path, standing))
            .collect();
        spots.into_iter().collect()
    }

    /// The points of a curve: listed, or in a table.
    fn points_of(&mut self, record: &Record<'a>, standing: &Standing) -> Option<Vec<[f64; 2]>> {
        if record.given("points") {
            return self.spots(record, "points", standing);
        }
        let (node, path) = (record.node("table")?, record.path_of("table"));
        let length = Dimension::LENGTH;
        let columns = self.table(node, &path, &[("x", length), ("y", length)], Rule::POINTS)?;
        let [x, y] = columns.try_into().ok()?;
        Some(x.into_iter().zip(y).map(<[f64; 2]>::from).collect())
    }

    /// What the shape itself finds wrong, told at the key that it is about.
    fn shape_fault(&mut self, record: &Record<'a>, fault: &Fault, corners: &[[f64; 2]]) {
        let walked_back = record.kind == "polygon" && turns_right(corners);
        let key_of = |name: &'static str| {
            let key = match name {
                "start" | "end" | "value on the interval" => "interval",
                "semi-axis" => "semi_axes",
                "coefficient" | "coefficients" => "coefficients",
                "length of the normal" => "normal",
                "corner" | "corners" | "point" | "points" => "corners",
                name => name,
            };
            let keys = [key, "points", "table", "to"];
            keys.into_iter().find(|key| record.given(key)).unwrap_or("")
        };
        let kind = record.kind;
        match fault {
            Fault::OutOfRange {
                name,
                value,
                unit,
                allowed,
                hint,
                ..
            } => {
                let key = key_of(name);
                let shown = format!("{} {unit}", short(*value));
                let name = if key == *name {
                    format!("`{name}`")
                } else {
                    format!("the {name}")
                };
                self.notes
                    .error(
                        &record.place(key),
                        &path_of(record, key),
                        format!("{name} of this {kind} cannot be {}", shown.trim_end()),
                    )
                    .value(shown.trim_end())
                    .allowed(*allowed)
                    .hint(*hint);
            }
            Fault::TooFew {
                name, count, least, ..
            } => {
                let key = key_of(name);
                let what = if *count == 0 { "no" } else { "too few" };
                self.notes
                    .error(
                        &record.place(key),
                        &path_of(record, key),
                        format!("this {kind} has {what} {name}"),
                    )
                    .value(count.to_string())
                    .allowed(format!("at least {least}"));
            }
            Fault::SamePlace { index, place, .. } => {
                let key = key_of("points");
                let [x, y] = place;
                let (message, hint) = if kind == "segment" {
                    (
                        "both ends of this segment stand at the same place".into(),
                        "a circle is round about one point",
                    )
                } else {
                    (
                        format!("two neighbouring points of this {kind} stand at the same place"),
                        "leave one of them out; the last and the first of a closed outline are neighbours too",
                    )
                };
                let at = match kind {
                    "segment" => record.place(key),
                    _ => item(record, key, *index),
                };
                self.notes
                    .error(&at, &path_of(record, key), message)
                    .value(format!("[{}, {}] m", short(*x), short(*y)))
                    .allowed("neighbours apart from each other")
                    .hint(hint);
            }
            Fault::Outline {
                index,
                reason,
                hint,
                ..
            } => {
                // Polygons are walked counter-clockwise, however they are given.
                let seen = if walked_back {
                    corners.len().saturating_sub(index + 1)
                } else {
                    *index
                };
                let key = key_of("points");
                // Of a curve it is counted along the curve, not by the points.
                let point = nth(record, key, seen).filter(|_| kind != "curve");
                let at = point.map_or(record.place(key), |node| node.at.clone());
                let message = format!("this {kind} is no outline: {reason}");
                let found = self.notes.error(&at, &path_of(record, key), message);
                found.hint(*hint);
                if let Some(node) = point {
                    found.value(node.shown());
                }
            }
            other => {
                self.notes
                    .error(&record.at, &record.path, other.to_string());
            }
        }
    }
}

fn path_of(record: &Record<'_>, key: &str) -> String {
    if key.is_empty() {
        record.path.clone()
    } else {
        record.path_of(key)
    }
}

/// The n-th value of a list.
fn nth<'a>(record: &Record<'a>, key: &str, index: usize) -> Option<&'a Node> {
    record.node(key)?.list()?.get(index)
}

/// Where it stands, or the whole list.
fn item(record: &Record<'_>, key: &str, index: usize) -> Origin {
    match nth(record, key, index) {
        Some(node) => node.at.clone(),
        None => record.place(key),
    }
}

/// Whether a closed walk goes round clockwise.
fn turns_right(corners: &[[f64; 2]]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let twice: f64 = corners
        .iter()
        .zip(next)
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum();
    twice < 0.0
}

/// The corners of a rectangle with these half sides.
fn rectangle(center: [f64; 2], [a, b]: [f64; 2], angle: f64) -> Vec<[f64; 2]> {
    let (sin, cos) = math::sin_cos(angle);
    let corner = |x: f64, y: f64| [center[0] + cos * x - sin * y, center[1] + sin * x + cos * y];
    vec![corner(-a, -b), corner(a, -b), corner(a, b), corner(-a, b)]
}
