//! What can be wrong with a heap of grains, before it moves and while it does?

use std::fmt;

use crate::geometry;

/// What is wrong with what was given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// A number is outside its range, or not finite.
    OutOfRange {
        /// Whose number: `grain 7`, `settings` …
        of: String,
        /// The number.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its SI unit; empty for a pure number.
        unit: &'static str,
        /// What is allowed.
        allowed: String,
        /// What to do about it; may be empty.
        hint: &'static str,
    },
    /// A law that does not do here.
    Law {
        /// The law.
        law: &'static str,
        /// What keeps it from doing, after its name.
        reason: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A wall stands on a carrier that there is none of.
    Carrier {
        /// The wall.
        wall: usize,
        /// The carrier asked for.
        carrier: usize,
        /// How many there are.
        count: usize,
    },
    /// A shape that grains cannot touch.
    Shape {
        /// The wall.
        wall: usize,
        /// The grain.
        grain: usize,
        /// What is wrong.
        fault: geometry::Fault,
    },
    /// More than can be counted.
    TooMany {
        /// How many.
        count: usize,
        /// The most there can be.
        most: usize,
    },
    /// The threads could not be started.
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system says.
        reason: String,
    },
    /// The first look at the scene found what must not be.
    Start(Box<Trouble>),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfRange {
                of,
                name,
                value,
                unit,
                allowed,
                hint,
            } => {
                let space = if unit.is_empty() { "" } else { " " };
                write!(
                    f,
                    "{of}: {name} is {value}{space}{unit}; allowed: {allowed}"
                )?;
                if hint.is_empty() {
                    Ok(())
                } else {
                    write!(f, " ({hint})")
                }
            }
            Fault::Law { law, reason, hint } => write!(f, "grains: `{law}` {reason} ({hint})"),
            Fault::Carrier {
                wall,
                carrier,
                count,
            } => write!(
                f,
                "wall {wall}: it stands on carrier {carrier}, and there are {count} (carriers are counted from 0)"
            ),
            Fault::Shape { wall, grain, fault } => {
                write!(f, "wall {wall} and grain {grain}: {fault}")
            }
            Fault::TooMany { count, most } => {
                write!(f, "grains: {count} of them; allowed: at most {most}")
            }
            Fault::Threads { count, reason } => {
                write!(f, "grains: {count} threads could not be started: {reason}")
            }
            Fault::Start(trouble) => write!(f, "{trouble}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Whom a grain touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// Another grain, by its number.
    Grain(usize),
    /// A wall, by its number.
    Wall(usize),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Grain(i) => write!(f, "grain {i}"),
            Who::Wall(i) => write!(f, "wall {i}"),
        }
    }
}

/// What ends a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trouble {
    /// A contact could not begin.
    Begin {
        /// When, s.
        time: f64,
        /// The grain.
        grain: usize,
        /// What it touches.
        other: Who,
        /// Why, in words.
        reason: String,
    },
    /// Two surfaces are deeper in each other than can be true.
    Deep {
        /// When, s.
        time: f64,
        /// The grain.
        grain: usize,
        /// What it touches.
        other: Who,
        /// How deep, m.
        overlap: f64,
        /// The deepest allowed, m.
        allowed: f64,
    },
    /// A grain moves in one step by more than its contacts can be seen with.
    Fast {
        /// When, s.
        time: f64,
        /// The grain.
        grain: usize,
        /// Its speed, m/s.
        speed: f64,
        /// The step, s.
        step: f64,
        /// The longest way allowed in a step, m.
        allowed: f64,
    },
    /// A number is not finite any more.
    NotFinite {
        /// When, s.
        time: f64,
        /// The grain.
        grain: usize,
    },
    /// Not as many carriers as walls stand on.
    Carriers {
        /// How many there were at the start.
        needed: usize,
        /// How many there are now.
        given: usize,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Begin {
                time,
                grain,
                other,
                reason,
            } => write!(
                f,
                "at {time} s the contact of grain {grain} with {other} cannot begin: {reason}"
            ),
            Trouble::Deep {
                time,
                grain,
                other,
                overlap,
                allowed,
            } => write!(
                f,
                "at {time} s grain {grain} and {other} overlap by {overlap} m; allowed: {allowed} m (a stiffer law, a shorter step, or a start without overlap)"
            ),
            Trouble::Fast {
                time,
                grain,
                speed,
                step,
                allowed,
            } => write!(
                f,
                "at {time} s grain {grain} moves at {speed} m/s, by {} m in a step of {step} s; allowed: {allowed} m (take a step of {} s or less)",
                speed * step,
                allowed / speed
            ),
            Trouble::NotFinite { time, grain } => write!(
                f,
                "at {time} s the motion of grain {grain} is no finite number (take a shorter step)"
            ),
            Trouble::Carriers { needed, given } => write!(
                f,
                "{given} carriers are given; there were {needed} at the start, and walls stand on them"
            ),
        }
    }
}

impl std::error::Error for Trouble {}
