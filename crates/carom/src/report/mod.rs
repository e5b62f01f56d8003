//! How are results shown to a person?
//!
//! So far this room holds the drawing of charts, as pictures (behind the feature `plot`) and in the terminal, the charts of contact laws, those of runs and their contacts, and the page on which figures of papers stand; it does no physics.

#[cfg(feature = "plot")]
pub mod contacts;
pub mod gallery;
#[cfg(feature = "plot")]
pub mod grains;
#[cfg(feature = "plot")]
pub mod laws;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "plot")]
pub mod run;
#[cfg(feature = "plot")]
pub mod sketch;
pub mod terminal;
