//! Which laws have a linear spring, and a damper to go with it?
//!
//! All but one are the linear oscillator k δ + c v: what it returns follows from the damping ratio ζ = c/(2√(k m)) and from when the bodies part ([`closed::oscillator_restitution`]).

use crate::card::{Citation, Fault, Need, Parameter, Range, Role};
use crate::math;

use super::card::{Card, EMPTY, Family, Given, RestitutionError, Separation, Tension};
use super::closed;
use super::form::{Damper, Elastic, Form};
use super::hysteresis::RESTITUTION;

/// k of N/m.
pub(super) const STIFFNESS: Parameter = Parameter {
    name: "stiffness",
    symbol: "k",
    unit: "N/m",
    role: Role::Stiffness,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "of a linear spring: measured, from finite elements, or of flat faces",
};

const DAMPING: Parameter = Parameter {
    name: "damping",
    symbol: "D",
    unit: "N s/m",
    role: Role::Damping,
    need: Need::Required,
    range: Range::NOT_NEGATIVE,
    about: "force of the damper over the rate of indentation; measured, or calibrated to a restitution",
};

const UNLOADING: Parameter = Parameter {
    name: "unloading_factor",
    symbol: "ce",
    unit: "",
    role: Role::Damping,
    need: Need::Required,
    range: Range::UNIT_ABOVE_ZERO,
    about: "what is left of the force while parting; the square of the restitution returned",
};

/// The oscillator with the damping ratio that returns the restitution asked for if the bodies part so.
fn oscillator(given: &Given, parting: Separation) -> Result<Form, Fault> {
    let stiffness = given.get("stiffness");
    let ratio = closed::oscillator_damping(given.restitution, parting);
    // Adding zero turns the −0 that ln 1 leaves into 0.
    let damping = 2.0 * ratio * math::sqrt(stiffness) * math::sqrt(given.mass) + 0.0;
    Ok(Form {
        elastic: Elastic::power(stiffness, 1.0),
        damper: Damper::power(damping, 0.0),
    })
}

/// What the cards of this family share.
const LINEAR: Card = Card {
    family: Family::Linear,
    parameters: &[STIFFNESS, RESTITUTION],
    separations: &[Separation::ZeroForce, Separation::ZeroIndentation],
    tension: Tension::EndsContact,
    calibrates: "D",
    law: |given| oscillator(given, Separation::ZeroForce),
    ..EMPTY
};

/// The table.
pub(super) const CARDS: &[Card] = &[
    Card {
        id: "kelvin-voigt",
        citation: Citation {
            authors: "Voigt",
            year: 1892,
            title: "Ueber innere Reibung fester Körper, insbesondere der Metalle",
            journal: "Ann. Phys. 283 (after Kelvin 1865, Proc. R. Soc. Lond.)",
            equation: "Machado et al. 2012, eq. 27; Flores et al. 2011, eq. 4; Corral et al. 2021, eq. 5.8",
        },
        formula: "F = k δ + D v",
        parameters: &[STIFFNESS, DAMPING],
        validity: "small, slow impacts of flat or soft parts; the force jumps to D v0 at touch and would pull before the indentation is back at zero",
        notes: "The simplest law that loses energy, and the one whose constants a vibration test gives. The restitution does not depend on speed, and the jump at touch is not physical: for colliding \
                solids take a law of the hysteresis family. By default the contact ends where the force is back at zero; with separation = zero-indentation it pulls at the end.",
        erratum: "Corral et al. (2021), eq. 5.8, is printed without the dot, D δ in place of D δ': that would be a second spring and lose nothing.",
        law: |given| {
            Ok(Form {
                elastic: Elastic::power(given.get("stiffness"), 1.0),
                damper: Damper::power(given.get("damping"), 0.0),
            })
        },
        ..LINEAR
    },
    Card {
        id: "kelvin-voigt-switched",
        citation: Citation {
            authors: "Flores, Ambrósio, Claro, Lankarani",
            year: 2006,
            title: "Influence of the contact-impact force model on the dynamic response of multi-body systems",
            journal: "Proc. Inst. Mech. Eng. K 220, 21",
            equation: "eq. 1",
        },
        formula: "F = if(loading > 0, k δ, ce k δ)",
        parameters: &[STIFFNESS, UNLOADING],
        memory: "phase: loading, or on the way back from the deepest indentation",
        separations: &[Separation::ZeroIndentation],
        tension: Tension::Never,
        validity: "0 < ce ≤ 1; the force jumps at the deepest point",
        calibrates: "ce",
        notes: "Two springs, one for each direction: the energy lost is exactly 1 - ce whatever speed and mass, with no tension. Use it to repeat published work or where a given loss is all that \
                counts. Not where forces are read off (they jump at the deepest point) or contacts rest: at rate zero, where the paper leaves it open, the loading value is taken, and \
                pressed anew on the way back it follows the softer spring until it is as deep as before, where a force that jumped at every turn could carry no weight.",
        erratum: "Flores et al. (2006) call ce the restitution coefficient. The law returns √ce (0.837 for 0.7): for a restitution e give ce = e², or calibrate.",
        law: |given| {
            Ok(Form {
                elastic: Elastic::power(given.get("stiffness"), 1.0),
                damper: Damper::Parting {
                    factor: given.get("unloading_factor"),
                },
            })
        },
        ..LINEAR
    },
    Card {
        id: "anagnostopoulos",
        group: 3,
        citation: Citation {
            authors: "Anagnostopoulos",
            year: 1988,
            title: "Pounding of buildings in series during earthquakes",
            journal: "Earthq. Eng. Struct. Dyn. 16, 443",
            equation: "Corral et al. 2021, eq. 5.39-5.40",
        },
        formula: "F = k δ + c v; c = 2 ζ sqrt(k m); ζ = l/sqrt(π^2 + l^2); l = ln(1/cr)",
        separations: &[Separation::ZeroIndentation, Separation::ZeroForce],
        tension: Tension::Kept,
        validity: "0 < cr ≤ 1, exact where the contact ends at zero indentation; as cr falls to 0, ζ rises to 1 and the contact never ends",
        restitution_error: RestitutionError::Exact,
        notes: "Exact and simple, for the pounding of buildings and flat faces, as long as the pull at the end of the contact is let be. Where bodies cannot pull each other take goyal, which is exact \
                for a contact that ends at zero force.",
        calibrates: "c",
        erratum: "Given without the rule by which the bodies part. It is exact only if they part at zero indentation, with tension before: parting at zero force it returns 0.718 for 0.7 and 0.325 \
                for 0.2.",
        law: |given| oscillator(given, Separation::ZeroIndentation),
        ..LINEAR
    },
    Card {
        id: "goyal",
        aliases: &["butcher-segalman"],
        group: 2,
        citation: Citation {
            authors: "Goyal, Pinson, Sinden",
            year: 1994,
            title: "Simulation of dynamics of interacting rigid bodies including friction I: general problem and contact model",
            journal: "Eng. Comput. 10",
            equation: "Corral et al. 2021, eq. 5.20-5.22; Poursina and Nikravesh 2020, eq. 55 (Butcher and Segalman 2000)",
        },
        formula: "F = k δ + c v; ζ = c/(2 sqrt(k m)); ln(1/cr) = if(ζ < 1, 2 ζ arccos(ζ)/sqrt(1 - ζ^2), 2 ζ arccosh(ζ)/sqrt(ζ^2 - 1))",
        separations: &[Separation::ZeroForce],
        validity: "0 < cr ≤ 1, exact where the contact ends at zero force; above critical damping for cr < 0.135",
        restitution_error: RestitutionError::Exact,
        notes: "The linear spring and damper that returns what is asked for and never pulls: the default of this family. The force still jumps at touch, and for low cr it is largest there; where that \
                matters take exact-restitution.",
        calibrates: "c",
        erratum: "Corral et al. (2021), eq. 5.20, print D = ζ/(2 m ω), which has the unit s/kg; it is D = 2 ζ m ω. Their eq. 5.22 has the factor 4 in the exponent, which gives the ratio of energies \
                (0.203 at ζ = 0.3); the restitution, with 2, is its root (0.451). Poursina and Nikravesh (2020), eq. 55, print a wrong exponent above critical damping: 0.992 at ζ = 1.001, where the motion \
                gives 0.135.",
        ..LINEAR
    },
];
