//! What is a model once it has been read and checked?
//!
//! Names, SI numbers and the elements of [`crate::mechanics`], in the order of the file. A model can be written in Rust as well: every field is public, and `Model::default()` is empty.

use crate::contact::Surfaces;
use crate::contact::materials::Material;
use crate::geometry::Shape;
use crate::mechanics::{Body, Contact, Driver, Joint, JointFriction, Limit, Load, Place};
use crate::model::channel::Channel;
use crate::model::group::{GroupEntry, Members};
use crate::model::method::Method;
use crate::solve::Settings;

/// A mechanism, what happens to it, and what is asked about it. Immutable once it is handed on.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What it is called.
    pub title: String,
    /// Where its data come from.
    pub source: String,
    /// Anything else worth knowing.
    pub notes: String,
    /// Acceleration of gravity in x and y, m/s².
    pub gravity: [f64; 2],
    /// Points of the ground.
    pub ground: Vec<Point>,
    /// The bodies; an element's body i is the i-th of these.
    pub bodies: Vec<BodyEntry>,
    /// The joints, drivers left out.
    pub joints: Vec<JointEntry>,
    /// The drivers.
    pub drivers: Vec<DriverEntry>,
    /// The forces, weights left out: they follow from `gravity`.
    pub loads: Vec<LoadEntry>,
    /// Outlines of the ground.
    pub ground_shapes: Vec<ShapeEntry>,
    /// The stops of joints.
    pub limits: Vec<LimitEntry>,
    /// The contacts, and the joints with play.
    pub contacts: Vec<ContactEntry>,
    /// The groups; what their bodies may touch stands among the contacts.
    pub groups: Vec<GroupEntry>,
    /// The friction in joints.
    pub frictions: Vec<FrictionEntry>,
    /// What is asked.
    pub simulation: Simulation,
    /// Times, s, at which forces or drivers jump or have a corner, in any order: the integrator stops there and starts afresh, where it would step over a short pulse or search for a jump.
    /// What a function is at such a time is what it is afterwards.
    pub breaks: Vec<f64>,
    /// How it is integrated.
    pub solver: Settings,
    /// How the joints are kept closed.
    pub control: Control,
    /// How contacts are computed.
    pub method: Method,
}

/// A named point, m, in the axes of its body (from the mass centre) or of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is, m.
    pub at: [f64; 2],
}

/// A body with its name and its start.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyEntry {
    /// Its name.
    pub name: String,
    /// Mass and inertia.
    pub body: Body,
    /// Mass centre (m, m) and angle (rad) at the start, as well as they are known: assembly closes the joints.
    pub position: [f64; 3],
    /// Velocities at the start (m/s, m/s, rad/s), as well as they are known.
    pub velocity: [f64; 3],
    /// Its points.
    pub points: Vec<Point>,
    /// Its outlines.
    pub shapes: Vec<ShapeEntry>,
}

/// An outline that can touch others.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeEntry {
    /// Its name.
    pub name: String,
    /// The outline, in the axes of its body.
    pub shape: Shape,
    /// What it is made of.
    pub material: Option<Material>,
    /// How long it is out of the plane, m.
    pub length: Option<f64>,
}

/// A joint with its name.
#[derive(Clone, Debug)]
pub struct JointEntry {
    /// Its name.
    pub name: String,
    /// The joint.
    pub joint: Joint,
    /// A gear or a rack whose teeth mesh as the bodies stand at the start, whatever the offset.
    pub meshes: bool,
}

/// A driver with its name: one row, or two where a point follows a path.
#[derive(Clone, Debug)]
pub struct DriverEntry {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Driver>,
}

/// A force with its name.
#[derive(Clone, Debug)]
pub struct LoadEntry {
    /// Its name.
    pub name: String,
    /// The force.
    pub load: Load,
}

/// The stops of a joint.
#[derive(Clone, Debug)]
pub struct LimitEntry {
    /// The joint's name.
    pub name: String,
    /// Where the joint stands in the list.
    pub joint: usize,
    /// The stops.
    pub limit: Limit,
}

/// A contact, or a joint with play.
#[derive(Clone, Debug)]
pub struct ContactEntry {
    /// Its name; of a contact of a group it begins with the group: `group.grains.3+7`, `group.stack.lower+ground.floor`.
    pub name: String,
    /// Of a joint with play: its two places.
    pub joint: Option<[Place; 2]>,
    /// The contact.
    pub contact: Contact,
    /// What is known of the surfaces.
    pub surfaces: Surfaces,
}

impl ContactEntry {
    /// The element as it is named in files and results: `contact.impact`, `joint.pin`, `group.grains.3+7`.
    pub fn element(&self) -> String {
        if self.is_of_group() {
            return self.name.clone();
        }
        let kind = if self.joint.is_some() {
            "joint"
        } else {
            "contact"
        };
        format!("{kind}.{}", self.name)
    }

    /// Whether it is one of the many contacts of a group.
    pub fn is_of_group(&self) -> bool {
        // No other name has a dot in it.
        self.name.starts_with("group.")
    }
}

/// The friction in a joint.
#[derive(Clone, Debug)]
pub struct FrictionEntry {
    /// The joint's name.
    pub name: String,
    /// Where the joint stands in the list.
    pub joint: usize,
    /// The friction.
    pub friction: JointFriction,
}

/// What is asked about a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Analysis {
    /// The motion from the start on.
    #[default]
    Dynamic,
    /// The motion that drivers prescribe, every degree of freedom driven; no forces.
    Kinematic,
    /// The same with the forces that it takes.
    InverseDynamics,
    /// A position of rest.
    Static,
    /// Small vibrations about the start: eigenvalues and eigenfrequencies.
    Modes,
}

impl Analysis {
    /// All, as they are typed.
    pub const ALL: [(&str, Analysis); 5] = [
        ("dynamic", Analysis::Dynamic),
        ("kinematic", Analysis::Kinematic),
        ("inverse-dynamics", Analysis::InverseDynamics),
        ("static", Analysis::Static),
        ("modes", Analysis::Modes),
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        let of = |entry: &&(&'static str, Analysis)| entry.1 == self;
        Self::ALL.iter().find(of).map_or("", |entry| entry.0)
    }
}

/// What is asked, over which time, and what is written down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    /// What is asked.
    pub analysis: Analysis,
    /// Where time begins, s.
    pub start: f64,
    /// Where it ends, s.
    pub end: f64,
    /// From one sample to the next, s; `None`: a five-hundredth of the whole.
    pub output_step: Option<f64>,
    /// From one picture of all grains to the next, s; `None`: only the last is written.
    pub snapshot_step: Option<f64>,
    /// What is written; empty: all there is.
    pub channels: Vec<Channel>,
}

/// How the joints are kept closed while accelerations are integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Control {
    /// Positions and velocities are put back onto the constraints after every step.
    #[default]
    Projection,
    /// γ − 2α dΦ/dt − β² Φ in place of γ (Baumgarte 1972).
    Baumgarte {
        /// Of the velocities, 1/s.
        alpha: f64,
        /// Of the positions, 1/s.
        beta: f64,
    },
    /// Not at all: they drift apart.
    None,
}

impl Model {
    /// Where a body of this name stands in the list.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }

    /// The groups whose members are grains, not bodies: with any of them the model is moved with a fixed step.
    pub fn of_grains(&self) -> impl Iterator<Item = &GroupEntry> {
        let grains = |group: &&GroupEntry| matches!(group.members, Members::Grains(_));
        self.groups.iter().filter(grains)
    }

    /// A sample for every this many seconds.
    pub fn output_step(&self) -> f64 {
        let span = self.simulation.end - self.simulation.start;
        self.simulation.output_step.unwrap_or(span / 500.0)
    }
}
