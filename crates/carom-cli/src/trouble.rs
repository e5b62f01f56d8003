//! What can go wrong in a command, and which exit code says so?

use std::fmt;
use std::io;

use carom::card::Fault;
use carom::model::diagnostic::Diagnostic;

/// Why a command did not finish.
#[derive(Debug)]
pub enum Trouble {
    /// The input is wrong, in one or several ways: exit code 2.
    Input(Vec<String>),
    /// The model file is wrong: exit code 2.
    Model(Vec<Diagnostic>),
    /// The work failed: exit code 1.
    Failed(String),
    /// The output could not be written; a reader that went away is no trouble.
    Output(io::Error),
}

impl Trouble {
    /// One thing wrong with the input.
    pub fn input(message: impl fmt::Display) -> Self {
        Self::Input(vec![message.to_string()])
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::input(fault)
    }
}

impl From<Vec<Fault>> for Trouble {
    fn from(faults: Vec<Fault>) -> Self {
        Self::Input(faults.iter().map(ToString::to_string).collect())
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
