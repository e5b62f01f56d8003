//! How far are two shapes apart, where are they nearest, and which way lies the normal?
//!
//! This room knows shapes and the two frames they stand in; it knows no bodies, no laws and no time. A [`Shape`] is an outline with a solid side, a [`Pair`] two shapes that may touch in one or
//! more places, its slots. [`Pair::seek`] looks everywhere, [`Pair::near`] follows one slot.
//!
//! The gap is signed and smooth through touch, and the normal is fixed outward of the first shape: Machado et al. (2012, eq. 14) print the length of the distance vector, which is
//! never negative, and with it the normal would flip at touch. Both points are stationary, so that the rate of the gap is the normal times the velocity of the second body's point
//! minus that of the first's (eq. 16 with the sign that follows from the fixed normal): how the points wander on their outlines does not enter.
//!
//! ```
//! use carom::geometry::{Frame, Pair, Shape, Track};
//!
//! // A journal of 9.5 mm that has moved by 0.3 mm in its bearing of 10 mm.
//! let pair = Pair::new(Shape::circle([0.0, 0.0], 9.5e-3)?, Shape::bore([0.0, 0.0], 10e-3)?)?;
//! let journal = Frame::new([0.3e-3, 0.0], 0.0);
//! let mut tracks = vec![Track::default(); pair.slots()];
//! pair.seek([&journal, &Frame::GROUND], &mut tracks);
//! let near = pair.near(0, [&journal, &Frame::GROUND], &tracks[0]).unwrap();
//! assert!((near.gap - 0.2e-3).abs() < 1e-18);
//! assert_eq!(near.normal, [1.0, 0.0]);
//! // Convex positive, concave negative: together they bend like a ball of 190 mm on a plane.
//! let [journal, bearing] = near.curvatures;
//! assert!((1.0 / (journal + bearing) - 0.190).abs() < 1e-12);
//! # Ok::<(), carom::geometry::Fault>(())
//! ```

mod chain;
mod circles;
mod curve;
mod fault;
mod frame;
mod near;
mod pair;
mod points;
mod profiles;
mod runs;
mod shape;
mod smooth;

pub use fault::Fault;
pub use frame::Frame;
pub use near::{Near, Track};
pub use pair::Pair;
pub use shape::{Shape, Side};

pub(crate) use shape::Outline;
