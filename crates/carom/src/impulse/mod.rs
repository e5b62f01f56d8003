//! What do bodies without compliance do to each other: in the instant in which they strike, and while they stay in touch?
//!
//! Numbers only. A contact has two directions: its gap opens along n (rate u_n, negative while the bodies approach) and its surfaces slip along t (rate u_t). Impulses p_n ≥ 0 push the gap open, p_t acts on the
//! second body along the slip. With all contacts in the order n₀, t₀, n₁, t₁, … the rates after are u⁺ = u⁻ + W p: W, symmetric and semi-definite, is the inverse mass of the mechanism as its contacts see it
//! (Delassus' matrix), 1/kg. It has no inverse as soon as there are more directions than the mechanism has freedoms, which is usual: a box on two corners.
//!
//! - [`resolve`]: the impulses of a strike. One contact alone goes by Routh's process (`routh`), several as a set or in turns (`set`), phase by phase (`cluster`).
//! - [`press`](fn@press): the forces of contacts that are closed, by the same matrix and the accelerations without them; or why there are none, or several (Painlevé).
//! - [`Cone`]: the impulses of many contacts at once, by sweeps.
//! - [`lemke`]: the linear complementarity problem behind both.
//!
//! ```
//! use carom::impulse::{Hypothesis, Order, Room, Set, Surface, resolve};
//!
//! // A ball of 2 kg comes down at 3 m/s and slides at 1 m/s (a ball without inertia of turning: W is the inverse mass in both directions).
//! let mut room = Room::default();
//! let struck = resolve(
//!     &Set {
//!         matrix: &[0.5, 0.0, 0.0, 0.5],
//!         before: &[-3.0, 1.0],
//!         surfaces: &[Surface { restitution: 0.5, friction: 0.1, ratio: None }],
//!         hypothesis: Hypothesis::Stronge,
//!         order: Order::Together,
//!         from_rest: false,
//!     },
//!     &mut room,
//! )
//! .expect("one contact with a regular matrix always has an answer");
//! assert!((struck.contacts[0].after[0] - 1.5).abs() < 1e-15);
//! // (1 + e) m v = 9 N s along the normal, a tenth of it along the surface.
//! assert!((struck.contacts[0].tangential + 0.9).abs() < 1e-15);
//! ```

mod cluster;
mod cone;
mod lcp;
mod press;
mod routh;
mod set;

pub use cone::{Ask, Cone, Patience, Side, Swept, alone};
pub use press::{Closed, Forces, Holds, Modes, Pressed, Pressing, press};
pub use set::resolve;

/// The surfaces of one contact, as far as a strike asks for them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// The coefficient of restitution e, 0 … 1, in the sense of the [`Hypothesis`].
    pub restitution: f64,
    /// Coulomb's coefficient μ; 0 is a smooth surface.
    pub friction: f64,
    /// Brach's ratio of impulses as an input: p_t = −ratio · sgn(slip) · p_n, and not more than what ends the slip. It takes the place of Coulomb's law.
    pub ratio: Option<f64>,
}

/// What the coefficient of restitution is a ratio of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hypothesis {
    /// Of speeds: u_n⁺ = −e u_n⁻. With friction it can gain energy.
    Newton,
    /// Of impulses: that of restitution is e times that of compression.
    Poisson,
    /// Of energies: the normal work given back is e² times that of compression (Stronge 1990).
    #[default]
    Stronge,
}

/// How contacts that strike in the same instant follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// All at once.
    #[default]
    Together,
    /// One after the other, the one that closes fastest first, until none approaches.
    InTurns,
}

/// Contacts that are closed in the instant of a strike.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    /// W, 1/kg: 2n × 2n, row by row.
    pub matrix: &'a [f64],
    /// The rates before, m/s: 2n.
    pub before: &'a [f64],
    /// The n surfaces.
    pub surfaces: &'a [Surface],
    /// What the coefficients of restitution mean.
    pub hypothesis: Hypothesis,
    /// All at once, or in turns.
    pub order: Order,
    /// Whether a contact that slides and does not approach may strike by friction alone: the way out where no force keeps the bodies apart (Painlevé). Else it takes part only beside one that approaches.
    pub from_rest: bool,
}

/// A part of a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Up to the greatest compression.
    Compression,
    /// From there to the end.
    Restitution,
}

/// How a strike went along the surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// Nothing acted along them: the contact took no part, or is smooth.
    #[default]
    Free,
    /// They slid all the time, one way.
    Slides,
    /// They slid, and then stuck; the phase in which the slip ended.
    SlidesThenSticks(Phase),
    /// They slid, and then slid the other way; the phase in which the slip ended.
    Reverses(Phase),
    /// They never slid.
    Sticks,
}

/// What a strike was for one contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Struck {
    /// Whether there was an impulse in it.
    pub took_part: bool,
    /// The normal impulse of compression, N s.
    pub compression: f64,
    /// The normal impulse of restitution, N s.
    pub restitution: f64,
    /// The impulse along the surface, on the second body along the slip, N s.
    pub tangential: f64,
    /// The rates after (u_n, u_t), m/s.
    pub after: [f64; 2],
    /// The work of the normal impulse in compression, J: negative, for it is taken from the motion.
    pub compression_work: f64,
    /// The work of the normal impulse in restitution, J: what is given back.
    pub restitution_work: f64,
    /// The work of the impulse along the surface, J: negative where friction takes energy.
    pub friction_work: f64,
    /// How it went along the surfaces.
    pub along: Along,
    /// Why the bodies part slower than was asked for: they stuck where that leaves them no freedom, so that no impulse moves them apart.
    pub wedged: bool,
}

impl Struck {
    /// The whole normal impulse, N s.
    #[inline]
    pub fn normal(&self) -> f64 {
        self.compression + self.restitution
    }

    /// The work of all impulses of the contact, J.
    #[inline]
    pub fn work(&self) -> f64 {
        self.compression_work + self.restitution_work + self.friction_work
    }

    /// How much energy they moved, to and fro, J.
    pub fn moved(&self) -> f64 {
        self.compression_work.abs() + self.restitution_work.abs() + self.friction_work.abs()
    }
}

/// What a strike was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// One for each contact of the set, in its order.
    pub contacts: Vec<Struck>,
    /// The change of kinetic energy, J: the sum of the works.
    pub energy: f64,
    /// What parts of the set gained, J: positive where the hypothesis and friction together bring energy in, which no contact can. Else 0.
    pub gained: f64,
    /// The work that friction brought in where its sum over a contact is positive, J; else 0.
    pub friction_gained: f64,
    /// Whether only sums of some normal impulses are known (a box on three points of one side): what is given is the least of all that would do.
    pub shared: bool,
    /// How far Stronge's works were missed in a set for which no factors were found that meet them, J; else 0.
    pub missed: f64,
    /// How many strikes of one contact it took, if in turns.
    pub turns: usize,
}

/// Why a linear complementarity problem was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stuck {
    /// The path left for infinity: there is no solution, or the method cannot find it for a matrix of this kind.
    Ray,
    /// The path did not end within so many pivots.
    Pivots(usize),
    /// An input, or a number on the way, is not finite.
    NotFinite,
    /// The lengths of matrix, vector and solution do not fit.
    Sizes,
    /// What the path ended at is no solution: by so much, as a part of the largest term, it is missed.
    Inexact(f64),
}

/// Why there is no strike, or no force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trouble {
    /// The lengths of the inputs do not fit each other.
    Sizes,
    /// An input of this contact is not finite, or out of its range (e in 0 … 1, coefficients not negative).
    Input {
        /// The contact.
        contact: usize,
    },
    /// The contact closes, and no impulse moves the bodies apart: drivers or joints hold them.
    Fixed {
        /// The contact.
        contact: usize,
        /// Its rate before, m/s.
        closing: f64,
        /// What a unit of impulse does to it, 1/kg.
        mobility: f64,
    },
    /// The surfaces stick while the gap still closes, and no impulse ends that.
    Jammed {
        /// The contact.
        contact: usize,
        /// The rate at which the gap still closes, m/s.
        closing: f64,
        /// Coulomb's coefficient.
        friction: f64,
    },
    /// Painlevé: no force keeps the bodies of a sliding contact apart: the more it presses, the more friction drives them into each other.
    NoForce {
        /// The contact.
        contact: usize,
        /// The acceleration of the gap without a force, m/s²: negative.
        free: f64,
        /// What a unit of normal force with its friction does to that, W_nn − μ s W_nt, 1/kg: not positive.
        factor: f64,
        /// Coulomb's coefficient.
        friction: f64,
        /// The coefficient from which on this can be, W_nn/|W_nt|.
        critical: f64,
    },
    /// Painlevé: the contact may open, and may as well stay closed under a force.
    SeveralForces {
        /// The contact.
        contact: usize,
        /// The acceleration of the gap without a force, m/s²: positive, so that it may open.
        free: f64,
        /// What a unit of normal force with its friction does to that, 1/kg.
        factor: f64,
        /// Coulomb's coefficient.
        friction: f64,
        /// The coefficient from which on this can be, W_nn/|W_nt|.
        critical: f64,
        /// The normal force of the second answer, N.
        force: f64,
    },
    /// Painlevé in a set: no forces agree with friction and with contacts that do not enter each other. The contact is the one whose own factor is least.
    NoForces {
        /// The contact with the least W_nn − μ s W_nt.
        contact: usize,
        /// The acceleration of its gap without any force, m/s².
        free: f64,
        /// That factor, 1/kg.
        factor: f64,
        /// Its coefficient.
        friction: f64,
        /// The coefficient from which on its own factor is not positive.
        critical: f64,
    },
    /// Painlevé in a set: more than one answer. The first two, by what every contact does (as many as fit).
    SeveralOfSet {
        /// How many answers with different accelerations there are.
        count: usize,
        /// What the contacts do in two of them.
        modes: [Modes; 2],
        /// A contact that does something else in the two.
        contact: usize,
    },
    /// The complementarity problem of the set was not solved.
    Stuck(Stuck),
    /// Contacts that strike in turns did not come to an end.
    Endless {
        /// After so many turns.
        turns: usize,
        /// The largest rate of approach that was left, m/s.
        closing: f64,
    },
}

/// The buffers of this room. They grow to the largest set seen and are not given back: nothing is allocated from then on.
#[derive(Clone, Debug, Default)]
pub struct Room {
    tableau: lcp::Tableau,
    set: set::Buffers,
    press: press::Buffers,
}

/// Solves w = M z + q with w ≥ 0, z ≥ 0 and w · z = 0 for z by Lemke's method (Cottle, Pang and Stone 1992, chapter 4), with a lexicographic choice where pivots tie, and checks the answer.
///
/// `matrix` is n × n, row by row. Rows and columns may have any units that make sense together: they are scaled here.
///
/// # Errors
/// [`Stuck`], and the solution is then not to be used.
pub fn lemke(
    matrix: &[f64],
    vector: &[f64],
    solution: &mut [f64],
    room: &mut Room,
) -> Result<(), Stuck> {
    room.tableau.solve(matrix, vector, solution)
}
