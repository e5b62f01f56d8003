//! How does a text become a model?
//!
//! So far this room holds the units: the only place where anything but SI is understood.

pub mod units;
