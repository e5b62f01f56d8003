//! What is learnt by running many impacts or systems?
//!
//! So far: which law suits what is known of a contact; several laws on one impact, side by side; the curves of contact laws (what a law returns over what it was asked for, or over the approach speed; its hysteresis factor; its
//! force at rest); which laws and which numbers fit what was measured; many points of a parameter space; the figures of the papers, computed again; and how many digits of a model's numbers are to be believed.

pub mod advise;
pub mod choice;
pub mod compare;
mod curves;
pub mod fit;
mod many;
#[cfg(feature = "plot")]
pub mod reproduce;
pub mod sweep;
pub mod verify;

pub use curves::{
    Curve, Inputs, has_restitution_curve, hysteresis_curve, restitution_curve, speed_curve,
    static_curve,
};
