//! How does a text become a model?
//!
//! `units` is the only place where anything but SI is understood; `expression` is the arithmetic with such quantities; `file` reads a model file and says what is wrong with one (`diagnostic`);
//! `mechanism` is what a model is once it has been read (with `group`, a set of bodies or grains in it, and `method`, how its contacts are computed), `channel` what can be written down about its motion; `starter` has the files that people start from.

pub mod channel;
pub mod diagnostic;
pub mod expression;
pub mod file;
pub mod group;
pub mod mechanism;
pub mod method;
pub mod starter;
pub mod units;

pub use channel::{Account, Channel, ContactQuantity, Effort, GroupQuantity, Motion, NoChannel};
pub use diagnostic::{Diagnostic, Severity, Spot, Spots};
pub use expression::{Expression, ExpressionError, Scope, Symbol};
pub use file::{Parsed, Source, read, schema};
pub use group::{Grain, GroupEntry, GroupWall, Members, Rolling};
pub use mechanism::{
    Analysis, BodyEntry, ContactEntry, Control, DriverEntry, FrictionEntry, JointEntry, LimitEntry,
    LoadEntry, Model, Point, ShapeEntry, Simulation,
};
pub use method::{ContactMethod, Method, StepSolver};
