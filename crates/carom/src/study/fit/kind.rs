//! Which kinds of measurement are there, and which columns does each need?

use std::fmt;

use crate::model::units::Dimension;

use super::data::MOST_POINTS;

const FORCE: Dimension = Dimension::new(1.0, 1.0, -2.0, 0.0);

/// What kind of measurement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The force of one impact over time.
    TimeForce,
    /// The force over the indentation, with its rate or without.
    ForceIndentation,
    /// The heights of successive bounces, the first the one it was dropped from.
    Heights,
    /// The instants at which a bouncing body strikes.
    Times,
    /// Pairs of approach and rebound speed.
    Speeds,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [
        Kind::TimeForce,
        Kind::ForceIndentation,
        Kind::Heights,
        Kind::Times,
        Kind::Speeds,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Kind::TimeForce => "time-force",
            Kind::ForceIndentation => "force-indentation",
            Kind::Heights => "heights",
            Kind::Times => "times",
            Kind::Speeds => "speeds",
        }
    }

    /// The columns that it needs.
    pub(super) fn needs(self) -> &'static [Column] {
        match self {
            Kind::TimeForce => &[Column::Time, Column::Force],
            Kind::ForceIndentation => &[Column::Indentation, Column::Force],
            Kind::Heights => &[Column::Height],
            Kind::Times => &[Column::Time],
            Kind::Speeds => &[Column::Approach, Column::Rebound],
        }
    }

    /// Points with which the least that could be sought is found: restitution, what a series begins with, and the noise.
    pub(super) fn least(self) -> usize {
        match self {
            Kind::TimeForce | Kind::ForceIndentation | Kind::Speeds => 3,
            Kind::Heights => 4,
            Kind::Times => 5,
        }
    }

    /// What stands on the horizontal axis, with its unit.
    pub fn abscissa(self) -> (&'static str, &'static str) {
        match self {
            Kind::TimeForce => ("time", "s"),
            Kind::ForceIndentation => ("indentation", "m"),
            Kind::Heights | Kind::Times => ("bounce", ""),
            Kind::Speeds => ("approach speed", "m/s"),
        }
    }

    /// What is compared, with its unit.
    pub fn ordinate(self) -> (&'static str, &'static str) {
        match self {
            Kind::TimeForce | Kind::ForceIndentation => ("force", "N"),
            Kind::Heights => ("height", "m"),
            Kind::Times => ("time", "s"),
            Kind::Speeds => ("rebound speed", "m/s"),
        }
    }

    /// What `start` measures: the instant of touch on the clock of a record of force, or what an indentation shows at touch; `None` where there is no such number.
    pub fn start(self) -> Option<Dimension> {
        match self {
            Kind::TimeForce => Some(Dimension::TIME),
            Kind::ForceIndentation => Some(Dimension::LENGTH),
            Kind::Heights | Kind::Times | Kind::Speeds => None,
        }
    }

    /// Whether only what comes back of a speed is seen.
    pub fn is_restitution(self) -> bool {
        matches!(self, Kind::Heights | Kind::Times | Kind::Speeds)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Time,
    Force,
    Indentation,
    Rate,
    Height,
    Approach,
    Rebound,
    Restitution,
    Bounce,
}

/// How many kinds of columns there are.
pub(super) const KNOWN: usize = 9;

/// What a column of approach speeds may be called; underlines, hyphens and blanks are the same.
pub const APPROACH: &[&str] = &[
    "approach speed",
    "approach velocity",
    "approach",
    "impact speed",
    "impact velocity",
    "speed",
    "velocity",
    "v",
    "v0",
    "v in",
    "vin",
    "v impact",
];
/// The same of rebound speeds.
pub const REBOUND: &[&str] = &[
    "rebound speed",
    "rebound velocity",
    "rebound",
    "separation speed",
    "separation velocity",
    "v1",
    "v out",
    "vout",
    "v rebound",
];
/// The same of coefficients of restitution.
pub const RESTITUTION: &[&str] = &[
    "restitution",
    "e",
    "cr",
    "cor",
    "coefficient of restitution",
    "restitution coefficient",
];

/// Columns by their names.
pub(super) const COLUMNS: [(Column, Dimension, &[&str]); KNOWN] = [
    (Column::Time, Dimension::TIME, &["time", "t"]),
    (Column::Force, FORCE, &["force", "f", "contact force"]),
    (
        Column::Indentation,
        Dimension::LENGTH,
        &[
            "indentation",
            "depth",
            "delta",
            "penetration",
            "displacement",
        ],
    ),
    (
        Column::Rate,
        Dimension::SPEED,
        &["rate", "indentation rate", "velocity", "speed", "v"],
    ),
    (
        Column::Height,
        Dimension::LENGTH,
        &["height", "h", "bounce height"],
    ),
    (Column::Approach, Dimension::SPEED, APPROACH),
    (Column::Rebound, Dimension::SPEED, REBOUND),
    (Column::Restitution, Dimension::NONE, RESTITUTION),
    (
        Column::Bounce,
        Dimension::NONE,
        &["bounce", "bounce number", "strike", "number", "n"],
    ),
];

/// Which column a name means. A speed beside an indentation is its rate, else that of an approach.
pub(super) fn column_of(title: &str, indented: bool) -> Option<(Column, Dimension)> {
    let other = if indented {
        Column::Approach
    } else {
        Column::Rate
    };
    let all = COLUMNS.iter().filter(|c| c.2.contains(&title));
    let fits = all
        .clone()
        .find(|c| c.0 != other)
        .or(all.into_iter().next());
    fits.map(|c| (c.0, c.1))
}

impl Column {
    /// As it is shown.
    pub(super) fn name(self) -> &'static str {
        COLUMNS
            .iter()
            .find(|c| c.0 == self)
            .and_then(|c| c.2.first())
            .copied()
            .unwrap_or_default()
    }

    /// What a measurement can be, in words.
    pub(super) fn allowed(self) -> &'static str {
        match self {
            Column::Height | Column::Approach => "> 0",
            Column::Rebound => "≥ 0, a speed without a sign",
            Column::Restitution => "≥ 0",
            Column::Bounce => "a whole number of at most 1e5",
            _ => "any finite number",
        }
    }

    /// Whether a measurement can be this number.
    pub(super) fn allows(self, value: f64) -> bool {
        match self {
            Column::Height | Column::Approach => value > 0.0,
            Column::Rebound | Column::Restitution => value >= 0.0,
            Column::Bounce => value.fract() == 0.0 && (0.0..=MOST_POINTS as f64).contains(&value),
            _ => true,
        }
    }
}
