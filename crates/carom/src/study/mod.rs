//! What do many runs say together?

pub mod compare;
