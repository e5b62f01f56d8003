//! How does a text become a model?
//!
//! `units` is the only place where anything but SI is understood; `mechanism` is what a model is once it has been read, `channel` what can be written down about its motion; `starter` has the files that people start from.

pub mod channel;
pub mod mechanism;
pub mod starter;
pub mod units;

pub use channel::{Account, Channel, Effort, Motion, NoChannel};
pub use mechanism::{
    Analysis, BodyEntry, Control, DriverEntry, JointEntry, LoadEntry, Model, Point, Simulation,
};
