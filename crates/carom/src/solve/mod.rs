//! How is a flow integrated, and how is the instant of every event found?
//!
//! A [`Flow`] says what is integrated, [`Settings`] how; [`Solver::run`] does it and [`Ended`] says how it went. This room knows nothing of mechanics and uses no other room.
//!
//! ```
//! use carom::solve::{Action, Fired, Flow, Settings, Solver, Status};
//!
//! /// A ball thrown upwards, until it is back.
//! struct Throw;
//!
//! impl Flow for Throw {
//!     fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
//!         dydt[0] = y[1];
//!         dydt[1] = -9.81;
//!     }
//!     fn guard_count(&self) -> usize {
//!         1
//!     }
//!     fn guards(&mut self, _t: f64, y: &[f64], g: &mut [f64]) {
//!         g[0] = y[0];
//!     }
//!     fn event(&mut self, _t: f64, _y: &mut [f64], _fired: &Fired<'_>) -> Action {
//!         Action::Stop
//!     }
//! }
//!
//! let mut solver = Solver::new(Settings::default()).expect("the defaults are sound");
//! let mut y = [0.0, 9.81];
//! let ended = solver.run(&mut Throw, 0.0, 10.0, &mut y);
//! assert_eq!(ended.status, Status::Stopped);
//! assert!((ended.t - 2.0).abs() < 1e-14);
//! ```

mod adams;
mod bdf;
mod clock;
mod control;
mod dop853;
mod drive;
mod fixed;
mod flow;
mod jacobian;
mod linear;
mod method;
mod one_step;
mod outcome;
mod output;
mod radau;
mod roots;
mod settings;
mod solver;
#[cfg(test)]
mod stiff_tests;
mod switching;
mod tsit5;
mod watch;

pub use flow::{Accepted, Action, Clock, Fired, Flow, Inside, Phase, Watch};
pub use outcome::{Ended, Failure, Invalid, Statistics, Status};
pub use output::Output;
pub use settings::{Integrator, KindTolerance, Settings, Touch, Zeno};
pub use solver::Solver;
