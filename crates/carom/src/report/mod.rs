//! How are results shown to a person?
//!
//! So far this room holds the drawing of charts; it does no physics and reads no files.

pub mod plot;
