//! What is learnt by asking many impacts the same question?
//!
//! So far this room holds the curves of contact laws: what a law returns over what it was asked for, or over the approach speed; its hysteresis factor; its force at rest.

mod curves;

pub use curves::{
    Curve, Inputs, closed_restitution, has_restitution_curve, hysteresis_curve, restitution_curve,
    speed_curve, static_curve,
};
