//! What happens when a mass meets a contact law and no other force acts?
//!
//! One free central impact: two bodies that meet along the line of their centres are one effective mass m on one indentation δ with m δ″ = −F. [`simulate`] integrates it from
//! touch to separation and accounts for its energy; [`begin`] solves for the damping that returns the restitution asked for, where that calibration is wanted; [`TwoBodies`] turns the
//! result back into two speeds.
//!
//! ```
//! use carom::card::Values;
//! use carom::contact::{self, Calibration, Law};
//! use carom::impact::{self, Accuracy};
//!
//! let values = Values::new().number("stiffness", 5.5e9).number("restitution", 0.7);
//! let law = Law::new(contact::find("flores")?, &values, None, Calibration::Published).map_err(|mut f| f.remove(0))?;
//! let impact = impact::simulate(&law, 0.3, 0.046, &Accuracy::default())?;      // m/s, kg
//! assert!((impact.restitution - 0.6831841997).abs() < 1e-9);                   // asked for 0.7
//! assert!((impact.deepest.delta - 13.37673325e-6).abs() < 1e-13);              // m
//! # Ok::<(), carom::impact::Failed>(())
//! ```

mod bodies;
mod exact;
mod known;
mod lab;
mod motion;
mod quick;

pub use bodies::TwoBodies;
pub use exact::begin;
pub(crate) use exact::keeping;
pub use known::{Known, known, restitution};
pub use lab::{Accuracy, Failed, Free, Impact, Lab, Moment, Sample, simulate};

pub(crate) use motion::scales;
