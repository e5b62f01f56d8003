//! How is a flow integrated, and how is the instant of every event found?
//!
//! This room knows nothing of mechanics and uses no other room.

#[allow(dead_code)]
mod adams;
mod flow;
mod method;

pub use flow::{Accepted, Action, Clock, Fired, Flow, Phase, Watch};
