//! Carom: multibody dynamics for mechanisms whose parts hit each other.
//!
//! The library is a row of rooms; `ARCHITECTURE.md` draws them and says which may use which.
//! SI units inside, everywhere.

pub mod card;
pub mod contact;
pub mod friction;
pub mod geometry;
pub mod grains;
pub mod impact;
pub mod impulse;
pub mod math;
pub mod mechanics;
pub mod model;
pub mod report;
pub mod results;
pub mod solve;
pub mod study;
pub mod system;
