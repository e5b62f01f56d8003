//! Which commands does the program have? One file each.

pub mod laws;
pub mod reproduce;
mod text;
