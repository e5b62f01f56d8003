//! Which contact laws are there, and what is the force of one?
//!
//! A law is one [`Card`] in the table of its family. With parameters it becomes a [`Law`]; when bodies touch, the law becomes a [`Touch`], which gives the force until they part.
//!
//! ```
//! use carom::card::Values;
//! use carom::contact::{self, Calibration, Law, State};
//!
//! let card = contact::find("hunt-crossley")?;
//! let values = Values::new().number("stiffness", 5.5e9).number("restitution", 0.7);
//! let law = Law::new(card, &values, None, Calibration::Published).map_err(|mut faults| faults.remove(0))?;
//! let touch = law.touch(0.3, 0.046)?;                    // m/s, kg
//! let force = touch.force(&State::new(10e-6, 0.1));      // m, m/s
//! assert!((force.elastic - 5.5e9 * 10e-6_f64.powf(1.5)).abs() < 1e-9);
//! assert!((force.dissipative / force.elastic - 0.45 * 0.1 / 0.3).abs() < 1e-12);
//! # Ok::<(), carom::card::Fault>(())
//! ```
//!
//! Signs: indentation δ > 0 in contact, its rate v > 0 approaching, force F > 0 pushing apart. SI units.
//!
//! A force that stands in no catalogue becomes a law with [`Law::own`], if it keeps what every law keeps.
//!
//! A new law of a known family is one entry in its table; a new family is one file and one line in the list of families below. Checks that need no code for a single law run over the
//! whole list.

mod card;
pub mod closed;
mod cylinder;
mod elastic;
mod form;
mod hertz_damper;
mod hysteresis;
mod law;
mod linear;
pub mod materials;
mod own;
mod plastic;
pub mod poursina;
mod restitution;
mod state_or_volume;
pub mod stiffness;
mod supply;

pub use card::{Build, Card, Family, Given, OwnTerms, RestitutionError, Separation, Tension};
pub use cylinder::{Clearance, Cylinder};
pub use form::{Damper, Elastic, Exponent, Force, Form, Memory, State};
pub use law::{Calibration, Law, Touch};
pub use own::{Acting, At, Own};
pub use plastic::{Plastic, Recovery, Unloading};
pub use restitution::{Restitution, SpeedFunction, wang_factor};
pub use state_or_volume::{Lag, Overlap, Relaxing};
pub(crate) use supply::weaker;
pub use supply::{Lack, Supplied, Surfaces};

use crate::card::Fault;
use crate::card::nearest;

/// The tables of all families, in the order in which they are listed.
const FAMILIES: &[&[Card]] = &[
    elastic::CARDS,
    linear::CARDS,
    hysteresis::CARDS,
    hertz_damper::CARDS,
    plastic::CARDS,
    state_or_volume::CARDS,
];

/// All laws.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The law of this id or alias.
pub fn find(id: &str) -> Result<&'static Card, Fault> {
    cards()
        .find(|card| card.id == id || card.aliases.contains(&id))
        .ok_or_else(|| Fault::UnknownLaw {
            id: id.into(),
            nearest: nearest(
                id,
                cards().flat_map(|card| card.aliases.iter().copied().chain([card.id])),
            ),
        })
}
