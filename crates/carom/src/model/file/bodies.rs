//! How do the tables of bodies and of the ground become bodies that places can name?

use crate::card::Range;
use crate::mechanics::{Body, Pose};
use crate::model::diagnostic::cut;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::{Known, Standing};
use crate::model::file::tables::Sheet;
use crate::model::file::tree::{Entry, Node, Table};
use crate::model::file::words::join;
use crate::model::mechanism::{Analysis, BodyEntry, Point, ShapeEntry};
use crate::model::units::Dimension;

/// A body's name is the first word of its channels: these are first words of others.
pub(crate) const RESERVED: [&str; 11] = [
    "ground",
    "t",
    "pi",
    "tau",
    "energy",
    "joint",
    "driver",
    "force",
    "contact",
    "group",
    "constraints",
];

impl<'a> Reader<'a> {
    /// The named tables in a table, each read by the sheet, in the order of the file. `of` is what has these names.
    pub fn named(
        &mut self,
        table: Option<&'a Table>,
        path: &str,
        sheet: &'static Sheet,
        of: &str,
    ) -> Vec<(&'a str, Record<'a>)> {
        let mut all = Vec::new();
        for entry in table.map_or(&[] as &[Entry], |table| &table.entries) {
            let path = join(path, &entry.key);
            let named = self.name(entry, &path, of);
            let Some(inner) = entry.node.table() else {
                self.notes
                    .wrong(
                        &entry.node,
                        &path,
                        format!("`{path}` must be a table, not {}", entry.node.kind()),
                    )
                    .hint(if of == "a shape" {
                        "write it as { type = \"circle\", radius = \"10 mm\" }".into()
                    } else {
                        format!("write [{path}], and its keys below")
                    });
                continue;
            };
            let mut record = self.sheet(inner, &entry.key_at, &path, sheet);
            record.bad |= !named;
            all.push((entry.key.as_str(), record));
        }
        all
    }

    /// Whether a name can be one.
    fn name(&mut self, entry: &Entry, path: &str, of: &str) -> bool {
        let name = entry.key.as_str();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let sound = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(word);
        if !sound {
            self.notes
                .error(
                    &entry.key_at,
                    path,
                    format!("`{}` cannot be the name of {of}", cut(name)),
                )
                .allowed("letters, digits, `_` and `-`, beginning with a letter");
        }
        sound
    }

    /// Named points; a point whose coordinates cannot be read still has its name.
    fn points(&mut self, node: Option<&Node>, path: &str, standing: &mut Standing) -> Vec<Point> {
        let mut points = Vec::new();
        for entry in node
            .and_then(Node::table)
            .map_or(&[] as &[Entry], |table| &table.entries)
        {
            let path = join(path, &entry.key);
            self.name(entry, &path, "a point");
            let length = Dimension::LENGTH;
            let at = self.list(&entry.node, &path, &[length, length], Range::ANY);
            let at: Option<[f64; 2]> = at.and_then(|at| at.try_into().ok());
            let known = Known {
                at: at.unwrap_or_default(),
                sound: at.is_some(),
            };
            points.push(Point {
                name: entry.key.clone(),
                at: known.at,
            });
            standing.points.insert(entry.key.clone(), known);
        }
        points
    }

    /// The points and the outlines of the ground.
    pub fn read_ground(&mut self, record: Option<&Record<'a>>) -> (Vec<Point>, Vec<ShapeEntry>) {
        let mut ground = Standing {
            name: "ground".into(),
            sound: true,
            ..Standing::default()
        };
        let node = record.and_then(|record| record.node("points"));
        let points = self.points(node, "ground.points", &mut ground);
        let shapes = match record {
            Some(record) => self.read_shapes(record, &mut ground),
            None => Vec::new(),
        };
        self.world.ground = ground;
        (points, shapes)
    }

    /// The bodies. Every body that has a name is there, sound or not, so that nothing that names it is complained about.
    pub fn read_bodies(
        &mut self,
        records: &[(&'a str, Record<'a>)],
        analysis: Analysis,
    ) -> Vec<BodyEntry> {
        let mut bodies = Vec::new();
        for (name, record) in records {
            if RESERVED.contains(name) {
                self.notes
                    .error(
                        &record.at,
                        &record.path,
                        format!("a body cannot be called `{name}`: the name has another meaning"),
                    )
                    .allowed(format!("any name but {}", RESERVED.join(", ")));
            }
            let start = ["position", "angle", "velocity", "angular_velocity"];
            let sound = start.iter().all(|key| {
                !record.given(key)
                    || record.number(key).is_some()
                    || record.numbers::<2>(key).is_some()
            });
            let mut standing = Standing {
                name: (*name).into(),
                sound,
                ..Standing::default()
            };
            let points = self.points(
                record.node("points"),
                &record.path_of("points"),
                &mut standing,
            );
            let shapes = self.read_shapes(record, &mut standing);
            let [x, y] = record.numbers("position").unwrap_or_default();
            let [vx, vy] = record.numbers("velocity").unwrap_or_default();
            let position = [x, y, record.number("angle").unwrap_or(0.0)];
            let velocity = [vx, vy, record.number("angular_velocity").unwrap_or(0.0)];
            let body = self.read_body(record, analysis);
            self.world.by_name.insert((*name).into(), bodies.len());
            self.world.bodies.push(standing);
            self.world.poses.push(Pose::new(position, velocity));
            if let Some(body) = body.or_else(|| Body::new(1.0, 1.0).ok()) {
                bodies.push(BodyEntry {
                    name: (*name).into(),
                    body,
                    position,
                    velocity,
                    points,
                    shapes,
                });
            }
        }
        bodies
    }

    /// Mass and inertia: given, or from a shape.
    fn read_body(&mut self, record: &Record<'a>, analysis: Analysis) -> Option<Body> {
        let path = &record.path;
        let given = |key: &str| record.given(key);
        if given("mass") && given("density") {
            self.notes
                .error(
                    &record.place("density"),
                    &record.path_of("density"),
                    "`mass` and `density` stand together, but each of them says all",
                )
                .hint("remove one of them");
            return None;
        }
        if given("shape") && given("inertia") {
            self.notes
                .error(
                    &record.place("inertia"),
                    &record.path_of("inertia"),
                    "`shape` and `inertia` stand together, but the inertia follows from the shape",
                )
                .hint("remove one of them");
            return None;
        }
        for (key, with) in [
            ("density", "shape"),
            ("thickness", "density"),
            ("area", "density"),
        ] {
            if given(key) && !given(with) {
                self.notes
                    .error(
                        &record.place(key),
                        &record.path_of(key),
                        format!("`{key}` says nothing without `{with}`"),
                    )
                    .hint(format!("add `{with}`, or remove `{key}`"));
                return None;
            }
        }
        if !given("mass") && !given("density") {
            if analysis == Analysis::Kinematic && !given("inertia") && !given("shape") {
                self.notes
                    .warning(&record.at, path, format!("`{path}` has no mass: 1 kg and 1 kg m^2 are taken, which a kinematic analysis does not need"))
                    .hint("energies in the results mean nothing for it");
                return Body::new(1.0, 1.0).ok();
            }
            if !record.bad {
                self.notes
                    .error(&record.at, &record.path_of("mass"), "`mass` is missing")
                    .allowed("a mass [kg], > 0")
                    .hint("give mass and inertia, mass and shape, or shape and density");
            }
            return None;
        }
        if !given("shape") && !given("inertia") {
            if !record.bad {
                self.notes
                    .error(&record.at, &record.path_of("inertia"), "`inertia` is missing")
                    .allowed("a moment of inertia [kg m^2], > 0")
                    .hint("a body that never turns may have any; or give a shape = { type = \"rod\", length = … }");
            }
            return None;
        }
        if given("inertia") {
            return self.sound_body(
                record,
                Body::new(record.number("mass")?, record.number("inertia")?),
            );
        }
        let shape = record.record("shape")?;
        let mass = if given("density") {
            let (section, other) = if shape.kind == "rod" {
                ("area", "thickness")
            } else {
                ("thickness", "area")
            };
            if given(other) {
                let message = format!("`{other}` says nothing of a {}", shape.kind);
                self.notes
                    .error(&record.place(other), &record.path_of(other), message)
                    .hint(format!("give `{section}` in its place"));
                return None;
            }
            if !given(section) {
                self.notes
                    .error(
                        &record.at,
                        &record.path_of(section),
                        format!("`{section}` is missing"),
                    )
                    .hint(format!(
                        "the mass of a {} follows from its density and its {section}",
                        shape.kind
                    ));
                return None;
            }
            let size = match shape.kind {
                "rod" => shape.number("length")?,
                "disc" => {
                    let radius = shape.number("radius")?;
                    core::f64::consts::PI * radius * radius
                }
                _ => shape.number("width")? * shape.number("height")?,
            };
            record.number("density")? * size * record.number(section)?
        } else {
            record.number("mass")?
        };
        let body = match shape.kind {
            "rod" => Body::rod(mass, shape.number("length")?),
            "disc" => Body::disc(mass, shape.number("radius")?),
            _ => Body::rectangle(mass, [shape.number("width")?, shape.number("height")?]),
        };
        self.sound_body(record, body)
    }

    /// What is left: products of sound numbers that vanish or overflow.
    pub fn sound_body(
        &mut self,
        record: &Record<'_>,
        body: Result<Body, Vec<crate::mechanics::Fault>>,
    ) -> Option<Body> {
        match body {
            Ok(body) => Some(body),
            Err(faults) => {
                for fault in faults {
                    self.notes
                        .error(&record.at, &record.path, fault.to_string());
                }
                None
            }
        }
    }
}
