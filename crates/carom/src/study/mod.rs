//! What is learnt by running many impacts or systems?

#[cfg(feature = "plot")]
pub mod reproduce;
