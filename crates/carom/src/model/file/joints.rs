//! How do the tables of joints become joints?

use crate::card::short;
use crate::contact;
use crate::friction;
use crate::mechanics::{
    Curve, Fault, Function, Gear, Joint, JointFriction, Limit, Link, Measure, PinSlot, Place,
    PointOnCurve, Pose, Rack, Revolute, Rigid, Translational,
};
use crate::model::diagnostic::cut;
use crate::model::file::laws::Read;
use crate::model::file::play::Kind;
use crate::model::file::probe;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::mechanism::{FrictionEntry, JointEntry, LimitEntry, Model};
use crate::model::units::Dimension;

impl<'a> Reader<'a> {
    /// The joints in the order of the file, with their stops and their friction; those that cannot be made are left out after a complaint.
    pub fn read_joints(&mut self, records: &[(&'a str, Record<'a>)], model: &mut Model) {
        for (name, record) in records {
            // Stops and friction of these are worth a look whatever else is wrong.
            let simple = matches!(record.kind, "revolute" | "translational");
            let played = matches!(self.play_of(record), Kind::Play(_));
            if record.bad && !((simple || played) && record.sites("between").is_some()) {
                // Two ends on one body are worth a word even if something else is wrong.
                if record.sites("between").is_some() {
                    self.apart(record, "between", "joint");
                }
                match self.play_of(record) {
                    Kind::Play(_) => self.law_of_play(record),
                    Kind::Ideal => {
                        self.without_play(record);
                    }
                    Kind::Unknown => self.strange_keys(record),
                }
                continue;
            }
            match self.play_of(record) {
                Kind::Ideal => {}
                Kind::Play(clearance) => {
                    let places = self.places(record);
                    let entry =
                        places.and_then(|places| self.with_play(name, record, places, clearance));
                    model.contacts.extend(entry);
                    continue;
                }
                Kind::Unknown => {
                    self.apart(record, "between", "joint");
                    self.strange_keys(record);
                    continue;
                }
            }
            let ideal = self.without_play(record);
            let Some((joint, meshes)) = self.joint(record).filter(|_| ideal) else {
                continue;
            };
            let index = model.joints.len();
            if let Some((stops, Read::Contact(law))) = record.law("limits")
                && let Some(limit) = self.limit(stops, &joint, law)
            {
                model.limits.push(LimitEntry {
                    name: (*name).into(),
                    joint: index,
                    limit,
                });
            }
            if let Some((rubbing, Read::Friction(law))) = record.law("friction")
                && let Some(friction) = self.friction(record, rubbing, &joint, law)
            {
                model.frictions.push(FrictionEntry {
                    name: (*name).into(),
                    joint: index,
                    friction,
                });
            }
            model.joints.push(JointEntry {
                name: (*name).into(),
                joint,
                meshes,
            });
        }
    }

    fn limit(&mut self, record: &Record<'_>, joint: &Joint, law: &contact::Law) -> Option<Limit> {
        let lower = record.number("lower").unwrap_or(f64::NEG_INFINITY);
        let upper = record.number("upper").unwrap_or(f64::INFINITY);
        if !record.given("lower") && !record.given("upper") {
            self.notes
                .error(
                    &record.at,
                    &record.path,
                    "`lower` and `upper` are both missing: there is no stop",
                )
                .hint("give one of them, or both");
            return None;
        }
        if upper <= lower {
            let shown = |key: &str| record.node(key).map_or(String::new(), |node| node.shown());
            self.notes
                .error(
                    &record.place("upper"),
                    &record.path_of("upper"),
                    "`upper` must be above `lower`",
                )
                .value(shown("upper"))
                .allowed(format!("> {}", cut(&shown("lower"))));
            return None;
        }
        let mut limit = Limit::new(joint, [lower, upper], law.clone());
        if let Some(speed) = record.number("approach_speed_floor") {
            limit = limit.and_then(|limit| limit.with_slowest(speed));
        }
        self.sound(record, limit)
    }

    fn friction(
        &mut self,
        table: &Record<'_>,
        record: &Record<'_>,
        joint: &Joint,
        law: &friction::Law,
    ) -> Option<JointFriction> {
        let friction = match joint {
            Joint::Revolute(_) => {
                let radius = record.number("radius").or(table.number("journal_radius"));
                if radius.is_none() && !record.given("radius") && !table.given("journal_radius") {
                    self.notes
                        .error(&record.at, &record.path_of("radius"), "`radius` is missing")
                        .allowed("a length [m], > 0")
                        .hint("radius of the pin");
                }
                JointFriction::revolute(joint, radius?, law.clone())
            }
            _ => {
                let length = record.number("length").or(table.number("length"));
                JointFriction::translational(joint, length, law.clone())
            }
        };
        self.sound(record, friction)
    }

    /// The places of a joint with play.
    fn places(&mut self, record: &Record<'a>) -> Option<[Place; 2]> {
        let [first, second] = self
            .apart(record, "between", "joint")?
            .map(|site| site.place);
        let direction = record.number("direction").unwrap_or(0.0);
        Some(match record.kind {
            "revolute" => [first, second],
            "translational" => {
                let angle = |place: Place| Pose::of(place.body(), &self.world.poses).angle;
                let held = angle(first) + direction - angle(second);
                [first.facing(direction), second.facing(held)]
            }
            _ => [first.facing(direction), second],
        })
    }

    fn joint(&mut self, record: &Record<'a>) -> Option<(Joint, bool)> {
        let sites = self.apart(record, "between", "joint")?;
        let sound = sites.iter().all(|site| site.sound);
        let [first, second] = sites.map(|site| site.place);
        let direction = record.number("direction").unwrap_or(0.0);
        let line = first.facing(direction);
        let angle = |place: Place| Pose::of(place.body(), &self.world.poses).angle;
        let mut meshes = false;
        let joint = match record.kind {
            "revolute" => Revolute::new(first, second).map(Joint::from),
            "translational" => {
                let held = angle(first) + direction - angle(second);
                Translational::new(line, second.facing(held)).map(Joint::from)
            }
            "rigid" => {
                Rigid::new(welded(first, second, &self.world.poses), second).map(Joint::from)
            }
            "pin-slot" => PinSlot::new(line, second).map(Joint::from),
            "link" => {
                let length = match record.number("length") {
                    Some(length) => length,
                    None if !sound => return None,
                    None => self.start_distance(record, first, second, "link")?,
                };
                Link::new(first, second, length).map(Joint::from)
            }
            "gear" => {
                meshes = !record.given("offset");
                let radii = record.numbers("radii")?;
                Gear::new(first, second, radii, record.number("offset").unwrap_or(0.0))
                    .map(Joint::from)
            }
            "rack" => {
                meshes = !record.given("offset");
                let radius = record.number("radius")?;
                Rack::new(line, second, radius, record.number("offset").unwrap_or(0.0))
                    .map(Joint::from)
            }
            "point-on-curve" => {
                let curve = self.curve(record)?;
                PointOnCurve::new(line, second, curve).map(Joint::from)
            }
            _ => return None,
        };
        Some((self.sound(record, joint)?, meshes))
    }

    /// A fault that the element itself found becomes a complaint at its table.
    pub fn sound<T>(&mut self, record: &Record<'_>, element: Result<T, Fault>) -> Option<T> {
        match element {
            Ok(element) => Some(element),
            Err(fault) => {
                // The number that is out of range, if it is one of the keys.
                let key = match &fault {
                    Fault::OutOfRange { name, .. } if record.given(name) => name,
                    Fault::OutOfRange { name, .. }
                        if name.contains("radi") && record.given("radii") =>
                    {
                        "radii"
                    }
                    _ => "",
                };
                let path = if key.is_empty() {
                    record.path.clone()
                } else {
                    record.path_of(key)
                };
                match &fault {
                    Fault::OutOfRange {
                        name,
                        value,
                        unit,
                        allowed,
                        hint,
                        ..
                    } => {
                        self.notes
                            .error(
                                &record.place(key),
                                &path,
                                format!("the {name} cannot be {} {unit}", short(*value)),
                            )
                            .value(format!("{} {unit}", short(*value)))
                            .allowed(*allowed)
                            .hint(*hint);
                    }
                    Fault::Law {
                        law,
                        reason,
                        instead,
                        ..
                    } => {
                        self.notes
                            .error(
                                &record.place("law"),
                                &record.path_of("law"),
                                format!("`{law}` {reason}"),
                            )
                            .value(*law)
                            .allowed(instead.join(", "));
                    }
                    _ => {
                        self.notes
                            .error(&record.place(key), &path, fault.to_string());
                    }
                }
                None
            }
        }
    }

    /// How far two places are apart at the start.
    pub fn start_distance(
        &mut self,
        record: &Record<'_>,
        first: Place,
        second: Place,
        what: &str,
    ) -> Option<f64> {
        let [a, b] = [first, second].map(|place| place.spot(&self.world.poses));
        let distance = Measure::distance(&a, &b).value;
        if distance > 0.0 && distance.is_finite() {
            return Some(distance);
        }
        self.notes
            .error(
                &record.at,
                &record.path_of("length"),
                format!("`length` is missing, and the ends of this {what} coincide at the start"),
            )
            .hint("give its length, or start positions with the ends apart");
        None
    }

    fn curve(&mut self, record: &Record<'a>) -> Option<Curve> {
        let (length, angle) = (Dimension::LENGTH, Dimension::ANGLE);
        if record.flag("periodic") && !record.given("table") {
            self.notes.error(
                &record.place("periodic"),
                &record.path_of("periodic"),
                "`periodic` says nothing without `table`",
            );
            return None;
        }
        if record.given("curve") {
            return record.function("curve").map(Curve::Graph);
        }
        if record.given("table") {
            let periodic = record.flag("periodic");
            let mut splines =
                self.splines(record, "table", &[("x", length), ("y", length)], periodic)?;
            return splines
                .pop()
                .map(|spline| Curve::Graph(Function::Spline(spline)));
        }
        let turn = core::f64::consts::TAU;
        if record.given("polar_table") {
            let mut splines = self.splines(
                record,
                "polar_table",
                &[("theta", angle), ("r", length)],
                true,
            )?;
            let spline = splines.pop()?;
            let [low, high] = spline.domain();
            if (high - low - turn).abs() > 1e-6 * turn {
                self.notes
                    .error(
                        &record.place("polar_table"),
                        &record.path_of("polar_table"),
                        format!("theta runs from {low} to {high} rad"),
                    )
                    .allowed("one whole turn, 2 pi rad or 360 deg");
                return None;
            }
            return Some(Curve::Polar(Function::Spline(spline)));
        }
        let function = record.function("polar")?;
        let half = core::f64::consts::PI;
        let (path, place) = (record.path_of("polar"), record.place("polar"));
        if let Some(pole) = probe::pole(&|theta| function.at(theta), -half, half) {
            self.notes
                .error(
                    &place,
                    &path,
                    format!(
                        "the radius is not a finite number at theta = {} rad",
                        probe::rounded(pole.at)
                    ),
                )
                .allowed("a finite number, with two finite derivatives, all the way round");
            return None;
        }
        if let Some((theta, radius)) =
            probe::not_above_zero(&|theta| function.value(theta), -half, half)
        {
            self.notes
                .error(
                    &place,
                    &path,
                    format!(
                        "the radius is {radius} m at theta = {} rad",
                        probe::rounded(theta)
                    ),
                )
                .allowed("> 0 m all the way round");
            return None;
        }
        let ([from, slope_from, _], [to, slope_to, _]) = (function.at(-half), function.at(half));
        if (from - to).abs() + (slope_from - slope_to).abs() > 1e-6 * from.abs() {
            self.notes
                .error(&place, &path, "the curve does not close on itself")
                .value(format!("r = {from} m at theta = -pi, {to} m at pi"))
                .allowed("the same radius and slope at theta = -pi and theta = pi")
                .hint("use sin and cos of theta and of its multiples");
            return None;
        }
        Some(Curve::Polar(function))
    }
}

/// The place of the first body that stands where the second's does, with the same direction.
fn welded(first: Place, second: Place, poses: &[Pose]) -> Place {
    let pose = Pose::of(first.body(), poses);
    let spot = second.spot(poses);
    let [x, y] = [
        spot.position[0] - pose.position[0],
        spot.position[1] - pose.position[1],
    ];
    let at = [pose.cos * x + pose.sin * y, pose.cos * y - pose.sin * x];
    Place::new(first.body(), at, spot.angle - pose.angle)
}
