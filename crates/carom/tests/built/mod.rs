//! Models built in Rust, and what became of them: for tests of the system.
#![allow(dead_code)]

pub mod contacts;
pub mod files;

use carom::mechanics::{Body, Joint, Place, Revolute};
use carom::model::{BodyEntry, JointEntry, Model};
use carom::system::{Observer, Outcome, System};

/// Times with the values of all channels.
pub type Samples = Vec<(f64, Vec<f64>)>;

/// Samples, kept.
#[derive(Default)]
pub struct Kept(pub Samples);

impl Observer for Kept {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.0.push((t, values.to_vec()));
    }
}

/// Puts a model together and runs it.
#[track_caller]
pub fn run_system(model: &Model) -> (Outcome, Samples, System) {
    let mut system = System::assemble(model).expect("it can be put together");
    let mut kept = Kept::default();
    let outcome = system.run(&mut kept);
    (outcome, kept.0, system)
}

pub fn body(name: &str, body: Body, position: [f64; 3], velocity: [f64; 3]) -> BodyEntry {
    BodyEntry {
        name: name.into(),
        body,
        position,
        velocity,
        points: Vec::new(),
        shapes: Vec::new(),
    }
}

pub fn joint(name: &str, joint: impl Into<Joint>) -> JointEntry {
    JointEntry {
        name: name.into(),
        joint: joint.into(),
        meshes: false,
    }
}

pub fn pin(name: &str, a: Place, b: Place) -> JointEntry {
    joint(name, Revolute::new(a, b).expect("sound"))
}
