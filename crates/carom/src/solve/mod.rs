//! How is a flow integrated, and how is the instant of every event found?
//!
//! This room knows nothing of mechanics and uses no other room.

#[allow(dead_code)]
mod bdf;
mod flow;
mod jacobian;
mod linear;
#[allow(dead_code)]
mod method;
#[allow(dead_code)]
mod radau;
#[cfg(test)]
mod stiff_tests;

pub use flow::{Accepted, Action, Clock, Fired, Flow, Phase, Watch};
