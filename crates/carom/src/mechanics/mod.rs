//! Which elements is a planar mechanism made of, and what is each as numbers?
//!
//! Coordinates are Cartesian: three a body, the mass centre x, y (m) and the angle φ (rad, counter-clockwise), body i at 3i…3i + 3 of one slice q; velocities likewise. The ground has none:
//! it is the body `None`. From q and v every evaluation starts with one [`Pose`] a body ([`pose_all`]): sines and cosines are taken once, not once an element.
//!
//! - A [`Joint`] (drivers included) answers with [`Row`]s of Φ(q, t) = 0: value, Jacobian, Φ_t and γ, so that Φ_q a = γ (Nikravesh 1988; Machado et al. 2012, eq. 1–2).
//! - A [`Load`] adds its forces to g and says what it stores, wastes and brings in.
//! - [`Body`] has mass and inertia, the diagonal of M.
//!
//! The equations of motion are M a + Φ_qᵀ λ = g, Φ_q a = γ (Machado et al. 2012, eq. 4), and the reactions −Φ_qᵀ λ (eq. 5). Who solves them is not asked here: no element knows of another,
//! of a file or of an integrator. Nothing allocates in an evaluation. A body that does not exist gives NaN, never a panic; [`Joint::bodies`] and [`Load::bodies`] let the caller check beforehand.
//!
//! ```
//! use carom::mechanics::{Body, Joint, Place, Pose, Revolute, Row};
//!
//! // A rod of 1 m that hangs from the origin, its mass centre half a metre below, swinging at 2 rad/s.
//! let rod = Body::rod(3.0, 1.0).map_err(|mut faults| faults.remove(0))?;
//! let pin = Joint::from(Revolute::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.5]))?);
//! let poses = [Pose::new([0.0, -0.5, 0.0], [1.0, 0.0, 2.0])];
//! let mut rows = [Row::default(); 3];
//! assert_eq!(pin.evaluate(0.0, &poses, &mut rows), 2);
//! assert_eq!((rows[0].value, rows[1].value), (0.0, 0.0));
//! // The pin stands still while the mass centre is drawn upwards by ω² L/2.
//! assert_eq!((rows[0].rate, rows[1].gamma), (0.0, 4.0 * 0.5));
//! assert_eq!(rod.inertia(), 0.25);
//! # Ok::<(), carom::mechanics::Fault>(())
//! ```
//!
//! Two elements belong to a joint: [`Limit`], a stop at each end of its travel, and [`JointFriction`]. A [`Contact`] belongs to two bodies and their shapes; a joint with play is one ([`play`]).
//! Stops and contacts touch and part: what they remember of that is a [`Contacting`] for every possible point of contact, a value beside the element, which moves at events and accepted steps only. Friction follows from the joint's own multipliers, which follow from friction: who solves for the one must iterate over the other.

mod body;
mod characteristic;
mod contact;
mod fault;
mod frame;
mod function;
mod grip;
mod input;
mod integral;
mod joint;
mod joint_friction;
mod limit;
mod load;
mod measure;
pub mod play;
mod spline;
mod touching;

pub use body::Body;
pub use characteristic::Damping;
pub use contact::{Contact, Opposite, Passable};
pub use fault::Fault;
pub use frame::{Place, Pose, Spot, pose_all};
pub use function::Function;
pub use grip::{Found, Grip};
pub use input::Input;
pub use joint::curve::{Curve, PointOnCurve};
pub use joint::driver::{Driven, Driver};
pub use joint::gear::Gear;
pub use joint::link::Link;
pub use joint::pin_slot::PinSlot;
pub use joint::rack::Rack;
pub use joint::revolute::Revolute;
pub use joint::rigid::Rigid;
pub use joint::translational::Translational;
pub use joint::{Joint, Reaction, Row};
pub use joint_friction::JointFriction;
pub use limit::{Limit, Travel};
pub use load::bushing::Bushing;
pub use load::force::{Axes, PointForce};
pub use load::ligament::Ligament;
pub use load::moment::Moment;
pub use load::rotational_spring::RotationalSpring;
pub use load::spring::Spring;
pub use load::{Load, Outside, Powers};
pub use measure::Measure;
pub use spline::{Ends, Spline};
pub use touching::{Apart, Contacting, Curved, Episode, Follows, Happening, Meeting, Terms};
