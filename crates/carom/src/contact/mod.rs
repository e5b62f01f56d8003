//! What happens where two bodies touch?

pub mod materials;
pub mod stiffness;
