//! What can be written down about a motion, and under which name?
//!
//! Names are `body.x`, `body.point.vx`, `driver.name.moment`, `joint.name.force_x`, `force.name.length`, `contact.name.gap`, `group.name.kinetic`, `grains.17.x`, `energy.kinetic`; the column's head is `name [unit]`.

use std::fmt;

use crate::card::nearest;
use crate::mechanics::{Driven, Joint};
use crate::model::group::Members;
use crate::model::mechanism::{ContactEntry, Model};

/// A number of the motion of a body or of one of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Position, m.
    X,
    /// Position, m.
    Y,
    /// Angle, rad.
    Angle,
    /// Velocity, m/s.
    Vx,
    /// Velocity, m/s.
    Vy,
    /// Angular velocity, rad/s.
    Omega,
    /// Acceleration, m/s².
    Ax,
    /// Acceleration, m/s².
    Ay,
    /// Angular acceleration, rad/s².
    Alpha,
}

impl Motion {
    /// All, with name and unit; those of a point are the ones that are no angles.
    pub const ALL: [(&str, &str, Motion); 9] = [
        ("x", "m", Motion::X),
        ("y", "m", Motion::Y),
        ("angle", "rad", Motion::Angle),
        ("vx", "m/s", Motion::Vx),
        ("vy", "m/s", Motion::Vy),
        ("omega", "rad/s", Motion::Omega),
        ("ax", "m/s^2", Motion::Ax),
        ("ay", "m/s^2", Motion::Ay),
        ("alpha", "rad/s^2", Motion::Alpha),
    ];

    /// Whether a point has it.
    pub fn of_points(self) -> bool {
        !matches!(self, Motion::Angle | Motion::Omega | Motion::Alpha)
    }

    /// Whether accelerations must be known for it.
    pub fn is_acceleration(self) -> bool {
        matches!(self, Motion::Ax | Motion::Ay | Motion::Alpha)
    }
}

/// A part of what a joint or a driver does to its second body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Force in x, N.
    ForceX,
    /// Force in y, N.
    ForceY,
    /// Moment about the joint's place, N m.
    Moment,
}

/// A number of a contact, or of a joint with play. Where it has several points of contact, gap and indentation are those of the point where the gap is least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactQuantity {
    /// The least gap, m; negative where the surfaces overlap, and NaN where no part of one surface is opposite the other.
    Gap,
    /// How deep they overlap at most, m; 0 where they are apart.
    Indentation,
    /// Its rate, m/s; 0 where they are apart.
    IndentationRate,
    /// The sum of the normal forces of all points, N, whichever way each pushes.
    Force,
    /// The sum of the friction forces of all points on the second body, N, each positive 90° counter-clockwise from its normal.
    Friction,
    /// Of a joint with play: the whole force on its second body in x, N.
    ForceX,
    /// The same in y, N.
    ForceY,
    /// Of a joint with play: the whole moment on its second body about the second place, N m.
    Moment,
    /// Of a joint with play: how far the second place stands from the first, m.
    Eccentricity,
    /// Of a joint with play: the direction from the first place to the second in ground axes, rad.
    EccentricityAngle,
}

impl ContactQuantity {
    /// All, with name and unit; the first five are those of every contact, the others of joints with play.
    pub const ALL: [(&str, &str, ContactQuantity); 10] = [
        ("gap", "m", ContactQuantity::Gap),
        ("indentation", "m", ContactQuantity::Indentation),
        ("indentation_rate", "m/s", ContactQuantity::IndentationRate),
        ("force", "N", ContactQuantity::Force),
        ("friction", "N", ContactQuantity::Friction),
        ("force_x", "N", ContactQuantity::ForceX),
        ("force_y", "N", ContactQuantity::ForceY),
        ("moment", "N m", ContactQuantity::Moment),
        ("eccentricity", "m", ContactQuantity::Eccentricity),
        (
            "eccentricity_angle",
            "rad",
            ContactQuantity::EccentricityAngle,
        ),
    ];

    /// Whether only a joint with play has it.
    pub fn of_joints(self) -> bool {
        use ContactQuantity::*;
        matches!(
            self,
            ForceX | ForceY | Moment | Eccentricity | EccentricityAngle
        )
    }

    /// Whether forces must be known for it.
    pub fn is_force(self) -> bool {
        use ContactQuantity::*;
        matches!(self, Force | Friction | ForceX | ForceY | Moment)
    }
}

/// A number of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupQuantity {
    /// Energy of motion of all its members, J.
    Kinetic,
    /// How many pairs touch: two members, or one and something else that they may touch.
    Contacts,
    /// Where the highest point of any member is, m: the largest y.
    Top,
    /// The deepest overlap at any of its contacts, m; 0 where nothing touches.
    Overlap,
    /// Where the mass centre of all members is, m.
    CentreX,
    /// Where the mass centre of all members is, m.
    CentreY,
}

impl GroupQuantity {
    /// All, with name and unit.
    pub const ALL: [(&str, &str, GroupQuantity); 6] = [
        ("kinetic", "J", GroupQuantity::Kinetic),
        ("contacts", "1", GroupQuantity::Contacts),
        ("top", "m", GroupQuantity::Top),
        ("overlap", "m", GroupQuantity::Overlap),
        ("centre_x", "m", GroupQuantity::CentreX),
        ("centre_y", "m", GroupQuantity::CentreY),
    ];
}

/// An account of the energy ledger, J.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Account {
    /// Of motion.
    Kinetic,
    /// Of height.
    Gravitational,
    /// In springs and stops.
    Elastic,
    /// Brought in by drivers since the start.
    DriverWork,
    /// Brought in by forces since the start.
    LoadWork,
    /// Turned into heat since the start.
    Dissipated,
    /// What the account lacks: zero but for the errors of integration.
    Residual,
}

impl Account {
    /// All, as they are typed.
    pub const ALL: [(&str, Account); 7] = [
        ("kinetic", Account::Kinetic),
        ("gravitational", Account::Gravitational),
        ("elastic", Account::Elastic),
        ("driver_work", Account::DriverWork),
        ("load_work", Account::LoadWork),
        ("dissipated", Account::Dissipated),
        ("residual", Account::Residual),
    ];
}

/// One column of results; numbers are places in the lists of the [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Of a body's mass centre and angle.
    Body(usize, Motion),
    /// Of a point (body, point; x, y, vx, vy, ax, ay).
    Point(usize, usize, Motion),
    /// What a joint does to its second body.
    Joint(usize, Effort),
    /// The joint's own coordinate: the angle (rad) or distance along (m) of the second place from the first.
    JointTravel(usize),
    /// The friction in a joint (moment of a pin, N m; force of a slider, N) on its second body, positive with its travel, by its place in [`Model::frictions`].
    JointFriction(usize),
    /// The moment (N m) or force (N) with which a driver's row drives: (driver, row).
    Driver(usize, usize),
    /// The power of a driver, W.
    DriverPower(usize),
    /// The tension of a spring or ligament, N, or the moment of a rotational spring, N m; positive where it pulls the two together.
    Load(usize),
    /// The length (m) or angle (rad) of a spring.
    LoadLength(usize),
    /// Of a contact or of a joint with play, by its place in [`Model::contacts`].
    Contact(usize, ContactQuantity),
    /// Of a group, by its place in [`Model::groups`].
    Group(usize, GroupQuantity),
    /// Of a grain of a group (group, grain; no accelerations), where the grains are no bodies of the model.
    Grain(usize, usize, Motion),
    /// The energy ledger.
    Energy(Account),
    /// The largest violation of any constraint: of positions (m or rad).
    Violation,
    /// The largest violation of any constraint: of velocities (m/s or rad/s).
    ViolationRate,
}

/// Why there is no such channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoChannel {
    /// What was asked for.
    pub name: String,
    /// What comes nearest, best first; may be empty.
    pub nearest: Vec<String>,
}

impl fmt::Display for NoChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no channel `{}`", self.name)
    }
}

impl std::error::Error for NoChannel {}

impl Channel {
    /// Whether it cannot be below zero.
    pub fn is_never_negative(&self) -> bool {
        match self {
            Channel::Energy(account) => *account == Account::Kinetic,
            Channel::Contact(_, quantity) => matches!(
                quantity,
                ContactQuantity::Indentation | ContactQuantity::Eccentricity
            ),
            Channel::Group(_, quantity) => matches!(
                quantity,
                GroupQuantity::Kinetic | GroupQuantity::Contacts | GroupQuantity::Overlap
            ),
            _ => false,
        }
    }

    /// Every channel that a model has, in the order of its lists, but for those of single grains: there may be hundreds of thousands.
    pub fn all(model: &Model) -> Vec<Channel> {
        let mut all = Vec::new();
        for (i, body) in model.bodies.iter().enumerate() {
            all.extend(Motion::ALL.map(|(_, _, motion)| Channel::Body(i, motion)));
            for p in 0..body.points.len() {
                let motions = Motion::ALL.into_iter().filter(|(_, _, m)| m.of_points());
                all.extend(motions.map(|(_, _, motion)| Channel::Point(i, p, motion)));
            }
        }
        for (i, driver) in model.drivers.iter().enumerate() {
            all.extend((0..driver.rows.len()).map(|row| Channel::Driver(i, row)));
            all.push(Channel::DriverPower(i));
        }
        for (i, entry) in model.joints.iter().enumerate() {
            for name in entry.joint.carries() {
                all.push(Channel::Joint(
                    i,
                    match *name {
                        "force_x" => Effort::ForceX,
                        "force_y" => Effort::ForceY,
                        _ => Effort::Moment,
                    },
                ));
            }
            if matches!(entry.joint, Joint::Revolute(_) | Joint::Translational(_)) {
                all.push(Channel::JointTravel(i));
            }
        }
        all.extend((0..model.frictions.len()).map(Channel::JointFriction));
        for (i, entry) in model.loads.iter().enumerate() {
            if entry.load.has_length() {
                all.extend([Channel::Load(i), Channel::LoadLength(i)]);
            }
        }
        for (i, entry) in model.contacts.iter().enumerate() {
            let quantities = ContactQuantity::ALL.into_iter();
            let quantities = quantities.filter(|q| entry.joint.is_some() || !q.2.of_joints());
            all.extend(quantities.map(|(_, _, quantity)| Channel::Contact(i, quantity)));
        }
        for i in 0..model.groups.len() {
            all.extend(GroupQuantity::ALL.map(|(_, _, quantity)| Channel::Group(i, quantity)));
        }
        all.extend(Account::ALL.map(|(_, account)| Channel::Energy(account)));
        all.extend([Channel::Violation, Channel::ViolationRate]);
        all
    }

    /// What is written where nothing was asked for: all but the points' motion, the single contacts of groups, and what only an expert asks for.
    pub fn usual(model: &Model) -> Vec<Channel> {
        let mut all = Channel::all(model);
        all.retain(|channel| match *channel {
            Channel::Point(..) | Channel::DriverPower(_) | Channel::ViolationRate => false,
            Channel::Contact(i, _) if model.contacts.get(i).is_none_or(|e| e.is_of_group()) => {
                false
            }
            Channel::Contact(i, ContactQuantity::Friction | ContactQuantity::Moment) => {
                let entry = model.contacts.get(i);
                entry.is_some_and(|entry| entry.contact.friction().is_some())
            }
            Channel::Contact(_, ContactQuantity::IndentationRate) => false,
            _ => true,
        });
        all
    }

    /// The channel of this name, or the names nearest to it.
    pub fn parse(name: &str, model: &Model) -> Result<Channel, NoChannel> {
        if let Some(channel) = Channel::of_grain(name, model) {
            return Ok(channel);
        }
        let all = Channel::all(model);
        let found = all.iter().find(|channel| channel.name(model) == name);
        found.copied().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|channel| channel.name(model)).collect();
            let close = nearest(name, names.iter().map(String::as_str));
            NoChannel {
                name: name.into(),
                nearest: close.into_iter().map(Into::into).collect(),
            }
        })
    }

    /// `grains.17.x`: of a grain that is no body of the model. They count from 1.
    pub fn of_grain(name: &str, model: &Model) -> Option<Channel> {
        let (front, motion) = name.rsplit_once('.')?;
        let (group, number) = front.rsplit_once('.')?;
        let motion = Motion::ALL.iter().find(|entry| entry.0 == motion)?.2;
        let index = model.groups.iter().position(|entry| entry.name == group)?;
        // `017` is another name than `17`.
        let grain = number.parse::<usize>().ok()?.checked_sub(1)?;
        let canonical = number == (grain + 1).to_string();
        match &model.groups.get(index)?.members {
            Members::Grains(grains) if canonical && !motion.is_acceleration() => {
                (grain < grains.len()).then_some(Channel::Grain(index, grain, motion))
            }
            _ => None,
        }
    }

    /// Its name.
    pub fn name(&self, model: &Model) -> String {
        let body = |i: usize| model.bodies.get(i).map_or("?", |body| &body.name);
        let joint = |i: usize| model.joints.get(i).map_or("?", |joint| &joint.name);
        let driver = |i: usize| model.drivers.get(i).map_or("?", |driver| &driver.name);
        let load = |i: usize| model.loads.get(i).map_or("?", |load| &load.name);
        let group = |i: usize| model.groups.get(i).map_or("?", |group| &group.name);
        let motion = |m: Motion| {
            let entry = Motion::ALL.iter().find(|entry| entry.2 == m);
            entry.map_or("?", |entry| entry.0)
        };
        match *self {
            Channel::Contact(i, quantity) => {
                let element = model.contacts.get(i).map(ContactEntry::element);
                let entry = ContactQuantity::ALL.iter().find(|q| q.2 == quantity);
                let name = entry.map_or("?", |entry| entry.0);
                format!("{}.{name}", element.unwrap_or_else(|| "contact.?".into()))
            }
            Channel::Group(i, quantity) => {
                let entry = GroupQuantity::ALL.iter().find(|q| q.2 == quantity);
                let name = entry.map_or("?", |entry| entry.0);
                format!("group.{}.{name}", group(i))
            }
            Channel::Grain(i, grain, m) => format!("{}.{}.{}", group(i), grain + 1, motion(m)),
            Channel::Body(i, m) => format!("{}.{}", body(i), motion(m)),
            Channel::Point(i, p, m) => {
                let points = model.bodies.get(i).map(|body| &body.points);
                let point = points.and_then(|points| points.get(p));
                let point = point.map_or("?", |point| &point.name);
                format!("{}.{point}.{}", body(i), motion(m))
            }
            Channel::Joint(i, effort) => {
                let effort = match effort {
                    Effort::ForceX => "force_x",
                    Effort::ForceY => "force_y",
                    Effort::Moment => "moment",
                };
                format!("joint.{}.{effort}", joint(i))
            }
            Channel::JointTravel(i) => match self.unit(model) {
                "rad" => format!("joint.{}.angle", joint(i)),
                _ => format!("joint.{}.distance", joint(i)),
            },
            Channel::JointFriction(i) => {
                let name = model.frictions.get(i).map_or("?", |entry| &entry.name);
                format!("joint.{name}.friction")
            }
            Channel::Driver(i, row) => {
                let what = match self.unit(model) {
                    "N m" => "moment",
                    _ => "force",
                };
                let rows = model.drivers.get(i).map_or(0, |driver| driver.rows.len());
                let axis = match (rows, row) {
                    (2, 0) => "_x",
                    (2, _) => "_y",
                    _ => "",
                };
                format!("driver.{}.{what}{axis}", driver(i))
            }
            Channel::DriverPower(i) => format!("driver.{}.power", driver(i)),
            Channel::Load(i) => match self.unit(model) {
                "N m" => format!("force.{}.moment", load(i)),
                _ => format!("force.{}.force", load(i)),
            },
            Channel::LoadLength(i) => match self.unit(model) {
                "rad" => format!("force.{}.angle", load(i)),
                _ => format!("force.{}.length", load(i)),
            },
            Channel::Energy(account) => {
                let entry = Account::ALL.iter().find(|entry| entry.1 == account);
                format!("energy.{}", entry.map_or("?", |entry| entry.0))
            }
            Channel::Violation => "constraints.violation".into(),
            Channel::ViolationRate => "constraints.violation_rate".into(),
        }
    }

    /// Its SI unit.
    pub fn unit(&self, model: &Model) -> &'static str {
        let turns = |load: usize| {
            let entry = model.loads.get(load);
            entry.is_some_and(|entry| entry.load.turns())
        };
        match *self {
            Channel::Group(_, quantity) => {
                let entry = GroupQuantity::ALL.iter().find(|q| q.2 == quantity);
                entry.map_or("", |entry| entry.1)
            }
            Channel::Body(_, m) | Channel::Point(_, _, m) | Channel::Grain(_, _, m) => {
                let entry = Motion::ALL.iter().find(|entry| entry.2 == m);
                entry.map_or("", |entry| entry.1)
            }
            Channel::Joint(_, Effort::Moment) => "N m",
            Channel::Joint(..) => "N",
            Channel::JointTravel(i) => match model.joints.get(i).map(|entry| &entry.joint) {
                Some(Joint::Revolute(_)) => "rad",
                _ => "m",
            },
            Channel::JointFriction(i) => {
                let joint = model.frictions.get(i).map(|entry| entry.joint);
                match joint
                    .and_then(|i| model.joints.get(i))
                    .map(|entry| &entry.joint)
                {
                    Some(Joint::Revolute(_)) => "N m",
                    _ => "N",
                }
            }
            Channel::Driver(i, row) => {
                let rows = model.drivers.get(i).map(|driver| &driver.rows);
                match rows.and_then(|rows| rows.get(row)).map(|row| row.driven()) {
                    Some(Driven::Turn) => "N m",
                    _ => "N",
                }
            }
            Channel::DriverPower(_) => "W",
            Channel::Load(i) if turns(i) => "N m",
            Channel::Load(_) => "N",
            Channel::LoadLength(i) if turns(i) => "rad",
            Channel::LoadLength(_) => "m",
            Channel::Contact(_, quantity) => {
                let entry = ContactQuantity::ALL.iter().find(|q| q.2 == quantity);
                entry.map_or("", |entry| entry.1)
            }
            Channel::Energy(_) => "J",
            Channel::Violation => "m",
            Channel::ViolationRate => "m/s",
        }
    }

    /// The head of its column: `name [unit]`.
    pub fn head(&self, model: &Model) -> String {
        format!("{} [{}]", self.name(model), self.unit(model))
    }
}
