//! What are the equations of a mechanism as numbers: coordinates, mass, right-hand side, guards, energy terms?
//!
//! The linear algebra stands first: `structure` finds once in which order a mechanism's joints are eliminated, `saddle` solves the constrained equations of motion in that
//! order at every evaluation, `dense` takes over where constraints depend on each other, and `redundancy` says which do.

mod dense;
mod eigen;
mod redundancy;
mod saddle;
mod structure;

pub use redundancy::{Dependence, Redundancy};
pub use saddle::{Rank, Saddle, Statistics};
pub use structure::{Fault, Structure, Tie};
