//! Which impulses make contacts open, stick or slide, as numbers only?

mod cone;

pub use cone::{Ask, Cone, Patience, Side, Swept, alone};
