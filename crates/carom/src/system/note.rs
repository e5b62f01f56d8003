//! What is said about a mechanism that is sound but peculiar, and about one that cannot be put together?

use std::fmt;

/// Something that stands in the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// A short name for programs.
    pub code: &'static str,
    /// The element it is about, such as `joint.pin`.
    pub element: Option<String>,
    /// When, s.
    pub time: Option<f64>,
    /// What is the matter.
    pub message: String,
    /// What can be done about it.
    pub hint: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(element) = &self.element {
            write!(f, "{element}: ")?;
        }
        write!(f, "{}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, ". Hint: {}", self.hint)?;
        }
        Ok(())
    }
}

/// Why a mechanism cannot be put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// A short name for programs.
    pub code: &'static str,
    /// The element it is about, such as `joint.pin`.
    pub element: Option<String>,
    /// What is wrong, with its numbers.
    pub message: String,
    /// What can be done about it.
    pub hint: String,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(element) = &self.element {
            write!(f, "{element}: ")?;
        }
        write!(f, "{}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, ". Hint: {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Trouble {}
