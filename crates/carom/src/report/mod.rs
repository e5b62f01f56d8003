//! How are results shown to a person?
//!
//! So far this room holds the drawing of charts, as pictures (behind the feature `plot`) and in the terminal, the charts of contact laws, and those of runs and their contacts; it does no physics.

#[cfg(all(feature = "plot", feature = "files"))]
pub mod animate;
#[cfg(feature = "plot")]
pub mod contacts;
#[cfg(feature = "plot")]
pub mod grains;
#[cfg(feature = "plot")]
pub mod laws;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "plot")]
pub mod run;
pub mod terminal;
