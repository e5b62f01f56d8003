//! How are results shown to a person?
//!
//! So far this room holds the drawing of charts, and the charts of contact laws; it does no physics and reads no files.

pub mod laws;
pub mod plot;
