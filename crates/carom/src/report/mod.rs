//! How are results shown to a person?
//!
//! So far this room holds the drawing of charts, as pictures (behind the feature `plot`) and in the terminal, and the charts of contact laws; it does no physics and reads no files.

#[cfg(feature = "plot")]
pub mod laws;
#[cfg(feature = "plot")]
pub mod plot;
pub mod terminal;
