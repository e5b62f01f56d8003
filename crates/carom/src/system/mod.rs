//! What are the equations of a mechanism as numbers: coordinates, mass, right-hand side, guards, energy terms?
//!
//! [`System::assemble`] puts a [`crate::model::Model`] together (`assembly`, `closing`, `speeds`): joints closed, velocities consistent, degrees of freedom counted, redundant joints named. [`System::run`]
//! does what the model asks (`run`): `motion` integrates, `kinematic` follows drivers, `equilibrium` finds rest, `linearise` small vibrations. `equations` is the right-hand side, `works` and
//! `reading` keep the ledger of energy and the channels, `frame` what is seen at an instant, `touches` (with `course`, `trace`, `episode` and `remarks`) stops, contacts and joints with play, `rubbing` the friction in joints, `striking` what bodies without compliance do to each other, `stepping` the same by steps of fixed length.
//!
//! The linear algebra beneath: `structure` finds once in which order a mechanism's joints are eliminated, `saddle` solves the constrained equations of motion in that
//! order at every evaluation, `dense` takes over where constraints depend on each other, and `redundancy` says which do. `tangent` finds the free motions, `differences` derivatives
//! and `eigen` eigenvalues, for the analyses that need them.

mod assembly;
mod beyond;
mod closing;
mod course;
mod crowd;
mod dense;
mod differences;
mod directions;
mod eigen;
mod episode;
mod equations;
mod equilibrium;
mod frame;
mod holding;
mod kinematic;
mod linearise;
mod mechanism;
mod motion;
mod note;
mod reading;
mod redundancy;
mod remarks;
mod rubbing;
mod run;
mod saddle;
mod scene;
mod settle;
mod speeds;
mod stepping;
mod striking;
mod structure;
mod tangent;
mod touches;
mod trace;
mod works;

pub use course::Course;
pub use crowd::{Crowd, GrainTouch, Grouped, SETTLED, Snapshot};
pub use episode::{Contacted, Place as ContactPlace, Terms as ContactTerms};
pub use equilibrium::{Rest, Stability};
pub use frame::{Arrow, Balance, Frame, When};
pub use linearise::{Linearisation, Mode};
pub use mechanism::System;
pub use note::{Trouble, Warning};
pub use reading::Ledger;
pub use redundancy::{Dependence, Redundancy};
pub use remarks::{Remark, Returned};
pub use run::{HeldJoint, Observer, Outcome, Phase, Progress, Status};
pub use saddle::{Rank, Saddle, Statistics};
pub use structure::{Fault, Structure, Tie};
pub use trace::Sample as ContactSample;
