//! What do two surfaces that do not yield give back, and how do they rub?
//!
//! Restitution is what the contact asks for; a law that is asked for none gives back what it returns by itself in a free impact at that speed and effective mass. Friction is Coulomb's, with the coefficients of the
//! law: the static one holds what was at rest, the kinetic one brakes what slides.

use crate::friction;
use crate::friction::Form;
use crate::impact;
use crate::impact::{Accuracy, Failed};
use crate::mechanics::{Follows, Meeting, Terms};

/// The coefficients at rest and in motion; zero without a law.
pub(super) fn coefficients(law: Option<&friction::Law>) -> [f64; 2] {
    match law.map(friction::Law::form) {
        None => [0.0; 2],
        Some(Form::Dry { held, sliding, .. } | Form::Reset { held, sliding, .. }) => {
            [*held, *sliding]
        }
        Some(Form::Curve(curve)) => [curve.coefficient; 2],
        Some(Form::Peaked(peaked)) => [peaked.held, peaked.sliding],
        Some(Form::Bristle(bristle)) => [bristle.held, bristle.sliding],
        Some(Form::Spring { coefficient, .. }) => [*coefficient; 2],
    }
}

/// What part of the speed comes back where surfaces meet at this speed (m/s, or rad/s).
pub(super) fn restitution(terms: &Terms, speed: f64, meeting: &Meeting) -> Result<f64, Failed> {
    let speed = speed.max(terms.slowest);
    if let Some(asked) = terms.follows.requested(speed) {
        return Ok(asked);
    }
    let made;
    let law = match &terms.follows {
        Follows::Law(law) => law,
        Follows::Curved(curved) => {
            made = curved.law(meeting.curvatures)?;
            &made
        }
    };
    let touch = impact::begin(law, speed, meeting.mass)?;
    let found = match impact::restitution(&touch) {
        Some(found) => found,
        None => impact::simulate(law, speed, meeting.mass, &Accuracy::default())?.restitution,
    };
    // A free impact gives nothing back that was not there.
    Ok(found.clamp(0.0, 1.0))
}
