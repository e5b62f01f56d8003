//! How strongly do two surfaces that are pressed together resist sliding?
//!
//! # What a law is
//!
//! A law of friction is one [`Card`]: everything that a person or the program knows of it stands there and nowhere else. Its id and citation, its formula as text,
//! its parameters with unit, range and default, what it remembers, whether it can hold a load at rest, how fast it creeps where it cannot, where it is valid, what was
//! wrong with it in print, and the function that turns checked values into a [`Form`]. A card with values is a [`Law`], and a law answers five questions, none of which
//! allocates or keeps anything behind the caller's back:
//!
//! - [`Law::force`]: the tangential force at this sliding speed, under this normal force and with this state. It opposes the speed, so it is negative where the speed is
//!   positive. A law that really sticks answers [`Tangential::Stick`] with the largest force it can bear; finding the force that holds is the work of whoever knows the
//!   other forces.
//! - [`Law::state_rate`]: how fast the law's own variable moves (the deflection of a bristle or a spring, in metres), for laws that have one ([`Law::has_state`]).
//! - [`Law::accept_state`]: that variable after an accepted step. Where the surface slides, or the normal force has dropped, a spring cannot stay longer than friction can
//!   stretch it. This is for accepted steps only; a trial step leaves no trace.
//! - [`Law::stored`]: the energy in that spring. What is put in and not stored is dissipated.
//! - [`Law::creep`]: the steady speed under a load that is a given fraction of the limit. A law that is a continuous function of speed has no force at rest, so a body on
//!   a slope that Coulomb would hold creeps downhill; this says how fast, before anybody has to find out.
//!
//! ```
//! use carom::card::Values;
//! use carom::friction::{self, Law, Sliding, Tangential};
//!
//! let values = Values::new().number("coefficient", 0.4).number("v0", 1e-3).number("v1", 1e-2);
//! let law = Law::new(friction::find("ambrosio")?, &values).map_err(|faults| faults[0].clone())?;
//! let sliding = Sliding { speed: 0.5, normal: 10.0, state: 0.0 };
//! assert_eq!(law.force(&sliding), Tangential::Force(-4.0));
//! // A block on a slope of 20°: the load is tan 20°/0.4 of the limit, and the block creeps at 9.19 mm/s.
//! let creep = law.creep(20_f64.to_radians().tan() / 0.4);
//! assert!((creep.unwrap_or(0.0) - 9.19e-3).abs() < 1e-5);
//! # Ok::<(), carom::card::Fault>(())
//! ```
//!
//! # Which one?
//!
//! To hold a load at rest: `coulomb` or `karnopp` where the equations of motion can switch between sticking and sliding, else `tangential-spring` (one stiffness to choose) or
//! `lugre` (also break-away and rising friction at falling speed). To dissipate in joints that move: any regularised law, with a transition speed well below the speeds of interest
//! and as large as its creep can be borne, because the smaller it is the stiffer the equations become. No law has a hidden regularisation speed: each is a parameter
//! with a unit, and none has a default.
//!
//! # Decisions that hold for the whole room
//!
//! - Where a law has a static and a kinetic coefficient, both must be given and the static one must not be the smaller. A program that guesses the ratio hides what decides stick–slip.
//! - Viscous parts are zero unless given. In laws that are functions of speed `viscous` multiplies the normal force (`s/m`); in `lugre` it is the paper's σ2 (`N s/m`).
//! - The normal force is compressive. At zero or below there is no contact and no friction.
//! - Not a number in, not a number out: a solver throws such a trial step away. [`Law::try_force`] says in words what was wrong.
//!
//! # How to add a law
//!
//! One entry in the table of its family: `dry` (sticks), `regularised` (a function of speed), `bristle` (has a state), `rolling`. If it is a rising curve or a curve with a peak, its
//! function is a closure in the entry; otherwise add a variant to [`Form`], and the compiler shows the places that must know it. The tests in `tests/friction.rs` run over
//! every card without knowing any: dissipation, limit, symmetry, scaling with the units, refusal of values out of range, random input, the formula text.

mod bristle;
mod creep;
mod dry;
mod law;
mod parts;
mod regularised;
mod rolling;

pub use law::{
    Bristle, Card, Curve, Dry, Family, Form, Law, Order, Peaked, Quantity, Sliding, Sprung,
    Tangential,
};

use crate::card::Fault;
use crate::card::nearest;

/// Every law of friction, in the order of the catalogue.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    [
        dry::CARDS,
        regularised::CARDS,
        bristle::CARDS,
        rolling::CARDS,
    ]
    .into_iter()
    .flatten()
}

/// The card with this id or alias, or [`Fault::UnknownLaw`] with the nearest names.
pub fn find(id: &str) -> Result<&'static Card, Fault> {
    let names = |card: &'static Card| std::iter::once(card.id).chain(card.aliases.iter().copied());
    cards()
        .find(|card| names(card).any(|name| name == id))
        .ok_or_else(|| Fault::UnknownLaw {
            id: id.into(),
            nearest: nearest(id, cards().flat_map(names)),
        })
}
