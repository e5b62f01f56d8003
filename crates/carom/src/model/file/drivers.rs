//! How do the tables of drivers become rows that follow functions of time?

use std::collections::BTreeMap;

use crate::card::{Range, nearest};
use crate::mechanics::{Driven, Driver, Ends, Function, Joint, Measure, Place, Spline};
use crate::model::channel::Motion;
use crate::model::diagnostic::cut;
use crate::model::file::csv;
use crate::model::file::play::Kind;
use crate::model::file::probe;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::motion_named;
use crate::model::file::tables::Of;
use crate::model::file::tree::Node;
use crate::model::mechanism::{DriverEntry, JointEntry};
use crate::model::units::Dimension;

/// How far the curve through a table may leave its values, as a part of what they span, before it is said: beside a corner it swings by a few per cent.
const SWING: f64 = 0.1;

/// What is driven: one row, or two for a point.
struct Aim {
    rows: Vec<(Place, Place, Driven)>,
    /// Whether it is known where it stands at the start.
    sound: bool,
}

impl Aim {
    fn dimension(&self) -> Dimension {
        match self.rows.first() {
            Some((_, _, Driven::Turn)) => Dimension::ANGLE,
            _ => Dimension::LENGTH,
        }
    }
}

impl<'a> Reader<'a> {
    /// The drivers in the order of the file. `tables` are those of all joints, also of those that could not be made.
    pub fn read_drivers(
        &mut self,
        records: &[(&'a str, Record<'a>)],
        joints: &[JointEntry],
        tables: &[(&'a str, Record<'a>)],
    ) -> Vec<DriverEntry> {
        let by_name: BTreeMap<&str, &Joint> = joints
            .iter()
            .map(|entry| (entry.name.as_str(), &entry.joint))
            .collect();
        let mut drivers = Vec::new();
        for (name, record) in records {
            // What is driven is looked at in any case: what is wrong with it has nothing to do with the rest.
            let aim = self.aim(record, &by_name, tables);
            let (Some(aim), false) = (aim, record.bad) else {
                continue;
            };
            let Some(functions) = self.drives(record, &aim) else {
                continue;
            };
            let rows = aim.rows.iter().zip(functions);
            let rows: Vec<Option<Driver>> = rows
                .map(|((first, second, driven), function)| {
                    let driver = Driver::new(*first, *second, *driven, function);
                    self.sound(record, driver)
                })
                .collect();
            if let Some(rows) = rows.into_iter().collect() {
                drivers.push(DriverEntry {
                    name: (*name).into(),
                    rows,
                });
            }
        }
        drivers
    }

    fn aim(
        &mut self,
        record: &Record<'a>,
        joints: &BTreeMap<&str, &Joint>,
        tables: &[(&'a str, Record<'a>)],
    ) -> Option<Aim> {
        let x_axis = Place::ground([0.0; 2]);
        let y_axis = x_axis.facing(core::f64::consts::FRAC_PI_2);
        if let Some(name) = record.text("joint") {
            let node = record.node("joint")?;
            return self.joint_aim(node, &record.path_of("joint"), name, joints, tables);
        }
        if let Some(text) = record.text("coordinate") {
            let node = record.node("coordinate")?;
            let path = record.path_of("coordinate");
            let found = text.rsplit_once('.').and_then(|(front, motion)| {
                let motion = motion_named(motion)?;
                matches!(motion, Motion::X | Motion::Y | Motion::Angle).then_some((front, motion))
            });
            let Some((front, motion)) = found else {
                let (front, typed) = text.rsplit_once('.').unwrap_or((text, ""));
                let near: Vec<String> = nearest(typed, ["x", "y", "angle"].into_iter())
                    .iter()
                    .map(|motion| format!("{front}.{motion}"))
                    .collect();
                self.notes
                    .wrong(node, &path, format!("`{}` is no coordinate", cut(text)))
                    .allowed("\"body.x\", \"body.y\", \"body.angle\", \"body.point.x\" or \"body.point.y\"")
                    .nearest(&near);
                return None;
            };
            let shorter = Node {
                value: crate::model::file::tree::Value::Text(front.into()),
                at: node.at.clone(),
            };
            let site = self.site(&shorter, &path)?;
            if site.place.body().is_none() || motion == Motion::Angle && front.contains('.') {
                let message = if site.place.body().is_none() {
                    "the ground cannot be driven".into()
                } else {
                    format!("a point has no angle: `{}`", cut(text))
                };
                self.notes.wrong(node, &path, message);
                return None;
            }
            let row = match motion {
                Motion::X => (x_axis, site.place, Driven::Along),
                Motion::Y => (y_axis, site.place, Driven::Along),
                _ => (x_axis, site.place, Driven::Turn),
            };
            return Some(Aim {
                rows: vec![row],
                sound: site.sound,
            });
        }
        if let Some(site) = record.site("point") {
            if site.place.body().is_none() {
                self.notes.error(
                    &record.place("point"),
                    &record.path_of("point"),
                    "the ground cannot be driven",
                );
                return None;
            }
            return Some(Aim {
                rows: vec![
                    (x_axis, site.place, Driven::Along),
                    (y_axis, site.place, Driven::Along),
                ],
                sound: site.sound,
            });
        }
        record.sites("distance")?;
        let sites = self.apart(record, "distance", "driver")?;
        let [first, second] = sites.map(|site| site.place);
        Some(Aim {
            rows: vec![(first, second, Driven::Distance)],
            sound: sites.iter().all(|site| site.sound),
        })
    }

    fn joint_aim(
        &mut self,
        node: &Node,
        path: &str,
        name: &str,
        joints: &BTreeMap<&str, &Joint>,
        tables: &[(&'a str, Record<'a>)],
    ) -> Option<Aim> {
        let Some(joint) = joints.get(name) else {
            let names = || tables.iter().map(|(name, _)| *name);
            let table = tables.iter().find(|(known, _)| *known == name);
            match table.map(|(_, record)| self.play_of(record)) {
                None => {
                    let few: Vec<&str> = names().take(20).collect();
                    self.notes
                        .wrong(node, path, format!("there is no joint `{}`", cut(name)))
                        .allowed(few.join(", "))
                        .nearest(&nearest(name, names()));
                }
                Some(Kind::Play(_)) => {
                    self.notes
                        .wrong(
                            node,
                            path,
                            format!("the joint `{}` has play: it holds neither an angle nor a distance that could be driven", cut(name)),
                        )
                        .allowed("a joint without clearance")
                        .hint("drive a coordinate of a body, such as coordinate = \"crank.angle\"");
                }
                // A joint that was complained about already is not complained about again.
                Some(Kind::Ideal | Kind::Unknown) => {}
            }
            return None;
        };
        let driven = match joint {
            Joint::Revolute(_) => Driven::Turn,
            Joint::Translational(_) => Driven::Along,
            _ => {
                self.notes
                    .wrong(
                        node,
                        path,
                        format!(
                            "the joint `{}` has no angle or distance of its own to drive",
                            cut(name)
                        ),
                    )
                    .allowed("a revolute or a translational joint")
                    .hint("drive a coordinate, a point or a distance");
                return None;
            }
        };
        let [first, second] = joint.places();
        let known = |place: Place| match place.body() {
            Some(index) => self.world.bodies.get(index).is_some_and(|body| body.sound),
            None => true,
        };
        Some(Aim {
            rows: vec![(first, second, driven)],
            sound: known(first) && known(second),
        })
    }

    /// One function a row.
    fn drives(&mut self, record: &Record<'a>, aim: &Aim) -> Option<Vec<Function>> {
        if record.given("start") && !record.given("speed") {
            self.notes
                .error(
                    &record.place("start"),
                    &record.path_of("start"),
                    "`start` says nothing without `speed`",
                )
                .hint("a function or a table begins where it begins");
            return None;
        }
        if record.flag("periodic") && !record.given("table") {
            self.notes.error(
                &record.place("periodic"),
                &record.path_of("periodic"),
                "`periodic` says nothing without `table`",
            );
            return None;
        }
        let functions = if record.given("speed") {
            self.constant_speed(record, aim)?
        } else if record.given("position") {
            let path = record.path_of("position");
            let node = record.node("position")?;
            let nodes = self.one_a_row(node, &path, aim, "two functions, [\"x(t)\", \"y(t)\"]")?;
            let functions = nodes
                .into_iter()
                .map(|node| self.function(node, &path, Of::Time, aim.dimension()));
            let functions: Vec<Option<Function>> = functions.collect();
            functions.into_iter().collect::<Option<Vec<Function>>>()?
        } else {
            let dimension = aim.dimension();
            let asked: &[csv::Asked] = match aim.rows.len() {
                2 => &[
                    ("t", Dimension::TIME),
                    ("x", Dimension::LENGTH),
                    ("y", Dimension::LENGTH),
                ],
                _ => &[("t", Dimension::TIME), ("value", dimension)],
            };
            let periodic = record.flag("periodic");
            let splines = self.splines(record, "table", asked, periodic)?;
            self.covers(record, &splines)?;
            splines.into_iter().map(Function::Spline).collect()
        };
        if let (Some((_, _, Driven::Distance)), Some(function), Some([start, end])) =
            (aim.rows.first(), functions.first(), self.times)
            && let Some((t, value)) = probe::not_above_zero(&|t| function.value(t), start, end)
        {
            let key = ["position", "table", "speed"]
                .into_iter()
                .find(|key| record.given(key))
                .unwrap_or("");
            let found = self.notes.error(
                &record.place(key),
                &record.path_of(key),
                format!(
                    "the distance is {} m at t = {} s",
                    probe::rounded(value),
                    probe::rounded(t)
                ),
            );
            found.allowed("> 0 m at all times");
            return None;
        }
        Some(functions)
    }

    fn one_a_row(
        &mut self,
        node: &'a Node,
        path: &str,
        aim: &Aim,
        wanted: &str,
    ) -> Option<Vec<&'a Node>> {
        match aim.rows.len() {
            2 => self.pair(node, path, wanted).map(Vec::from),
            _ => Some(vec![node]),
        }
    }

    fn constant_speed(&mut self, record: &Record<'a>, aim: &Aim) -> Option<Vec<Function>> {
        let per_second = |dimension: Dimension| Dimension {
            time: dimension.time - 1.0,
            ..dimension
        };
        let (speed, start) = (record.path_of("speed"), record.path_of("start"));
        let nodes = self.one_a_row(record.node("speed")?, &speed, aim, "two speeds, [vx, vy]")?;
        let speeds: Vec<Option<f64>> = nodes
            .into_iter()
            .map(|node| self.number(node, &speed, per_second(aim.dimension()), Range::ANY))
            .collect();
        let starts: Vec<Option<f64>> = match record.node("start") {
            Some(node) => {
                let nodes = self.one_a_row(node, &start, aim, "two positions, [x, y]")?;
                let starts = nodes
                    .into_iter()
                    .map(|node| self.number(node, &start, aim.dimension(), Range::ANY));
                starts.collect()
            }
            // As the bodies stand.
            None => {
                let poses = &self.world.poses;
                let values = aim.rows.iter().map(|(first, second, driven)| {
                    let (a, b) = (first.spot(poses), second.spot(poses));
                    let measure = match driven {
                        Driven::Turn => Measure::turn(&a, &b),
                        Driven::Along => Measure::along(&a, &b),
                        Driven::Distance => Measure::distance(&a, &b),
                    };
                    aim.sound.then_some(measure.value)
                });
                values.collect()
            }
        };
        let from = self.times.map_or(0.0, |times| times[0]);
        let functions = speeds.into_iter().zip(starts).map(|(speed, start)| {
            let speed = speed?;
            Some(Function::Linear {
                start: start? - speed * from,
                speed,
            })
        });
        functions.collect()
    }

    /// The columns of a table, each but the first as a curve over the first.
    pub fn splines(
        &mut self,
        record: &Record<'a>,
        key: &str,
        asked: &[csv::Asked],
        periodic: bool,
    ) -> Option<Vec<Spline>> {
        let path = record.path_of(key);
        let columns = self.table(record.node(key)?, &path, asked, csv::Rule::CURVE)?;
        let (places, rest) = columns.split_first()?;
        let ends = if periodic {
            Ends::Periodic
        } else {
            Ends::NotAKnot
        };
        let mut splines = Vec::new();
        for values in rest {
            match Spline::new(places, values, ends) {
                Ok(spline) => {
                    self.swings(record, key, &spline);
                    splines.push(spline);
                }
                Err(fault) => {
                    self.notes
                        .error(&record.place(key), &record.path_of(key), fault.to_string());
                    return None;
                }
            }
        }
        Some(splines)
    }

    /// Warns where the smooth curve through a table leaves it by far.
    fn swings(&mut self, record: &Record<'a>, key: &str, spline: &Spline) {
        let Some((x, beyond)) = spline.overshoot().filter(|o| o.1 > SWING) else {
            return;
        };
        let value = spline.at(x)[0];
        let message = format!(
            "the smooth curve through this table swings beyond its values by {:.0} % of what they span: {value:.4} at {x:.6}",
            100.0 * beyond
        );
        self.notes
            .warning(&record.place(key), &record.path_of(key), message)
            .hint("more lines where the values are steep, above all before and after a peak or a corner, keep the curve at them; or give a formula");
    }

    /// A table of time must cover the whole run.
    fn covers(&mut self, record: &Record<'_>, splines: &[Spline]) -> Option<()> {
        let (Some([start, end]), Some(spline)) = (self.times, splines.first()) else {
            return Some(());
        };
        let [low, high] = spline.domain();
        // A last line that is a rounding short of the end is no fault.
        let slack = 1e-9 * (end - start).abs();
        if spline.is_periodic() || low <= start + slack && high >= end - slack {
            return Some(());
        }
        let found = self.notes.error(
            &record.place("table"),
            &record.path_of("table"),
            format!(
                "the table runs from t = {low} to {high} s, the simulation from {start} to {end} s"
            ),
        );
        found
            .allowed("a table that covers the whole simulation")
            .hint("give more lines, shorten the simulation, or say `periodic = true`");
        None
    }
}
