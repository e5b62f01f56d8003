//! How are results shown to a person?
//!
//! This room holds the drawing of charts, as pictures (behind the feature `plot`) and in the terminal, the charts of contact laws, of runs and their contacts, figures of chosen channels, moving pictures, the page that
//! shows a run (behind the feature `files`) or one model run by several methods, and the page on which figures of papers stand; it does no physics.

#[cfg(all(feature = "plot", feature = "files"))]
pub mod animate;
#[cfg(feature = "plot")]
pub mod contacts;
#[cfg(feature = "plot")]
pub mod figure;
pub mod gallery;
#[cfg(feature = "plot")]
pub mod grains;
#[cfg(feature = "plot")]
pub mod laws;
#[cfg(all(feature = "plot", feature = "files"))]
pub mod loops;
#[cfg(all(feature = "plot", feature = "files"))]
pub mod methods;
#[cfg(feature = "files")]
pub mod page;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "plot")]
pub mod run;
#[cfg(feature = "plot")]
pub mod sketch;
pub mod terminal;
mod words;

pub use words::{capital, sentence};

/// A text as it may stand in SVG and HTML, between tags and in quotes.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
