//! Which commands are there? One file each.

pub mod reproduce;
