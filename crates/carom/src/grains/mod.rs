//! How do thousands of discs move, hit, rub and settle, with a fixed step?
//!
//! A [`World`] is a heap of discs ([`Grain`]) that may all touch each other, and walls ([`Wall`]: any shape of [`crate::geometry`], on the ground or on a body that somebody else moves). Contacts follow the
//! very laws of the catalogue ([`crate::contact`], [`crate::friction`]); a contact begins at the first step that finds the surfaces inside each other, which latches approach speed and effective mass,
//! and ends by the law's own rule.
//!
//! The integrator is velocity Verlet with velocities foreseen for the forces (v + h a): of second order also where forces depend on speed. Where a force begins with the power p of the indentation the error
//! of one impact falls like the step to the power 1 + p, at most 2: a damper that acts at once (p = 0, Kelvin–Voigt) is known to a part of a step only.
//!
//! Grains are numbered as they were given. Inside they stand in the order of their cells, anew whenever the list of neighbours is made, and so does the memory of their contacts. They are worked on in fixed
//! blocks, whose size depends on the number of grains alone: so the same scene gives the same bytes whatever the number of threads.
//!
//! ```
//! use carom::card::Values;
//! use carom::contact::{self, Calibration, Law};
//! use carom::grains::{Grain, Rules, Settings, Wall, World};
//! use carom::mechanics::Follows;
//! use carom::geometry::Shape;
//!
//! let values = Values::new().number("stiffness", 1e7).number("restitution", 0.5);
//! let law = Law::new(contact::find("tsuji")?, &values, None, Calibration::Published).map_err(|mut faults| faults.remove(0))?;
//! let rules = Rules::new(Follows::Law(law));
//! let grains = [Grain::disc([0.0, 0.02, 0.0], [0.0; 3], 5e-3, 1e-3)];
//! let floor = Wall { shape: Shape::half_plane([0.0, 0.0], [0.0, 1.0])?, carrier: None, rules: rules.clone() };
//! let settings = Settings { step: 1e-5, gravity: [0.0, -9.81], ..Settings::default() };
//! let mut world = World::new(&grains, vec![floor], rules, &settings, &[])?;
//! for _ in 0..100_000 {
//!     world.step(&[])?;
//! }
//! let rest = world.grain(0).ok_or("no such grain")?;
//! assert!((rest.position[1] - 5e-3).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod fault;
mod lasting;
mod neighbours;
mod pairs;
mod rules;
mod threads;
mod walls;
mod world;

pub use fault::{Fault, Trouble, Who};
pub use neighbours::BroadPhase;
pub use rules::{Grain, Rolling, Rules, Wall};
pub use world::{Caution, Energies, Meet, Settings, Statistics, World, suggested_step};
