//! Which laws have no damper of their own?
//!
//! Those of cylinders may be given the damper of a law of the hysteresis family. What F_el (1 + h v/v0) returns follows from h alone, whatever the elastic part is.

use crate::card::{Choice, Citation, Fault, Need, Parameter, Range, Role};

use super::card::{Card, EMPTY, Family, Given, RestitutionError};
use super::cylinder::{Clearance, Cylinder};
use super::form::{Damper, Elastic, Form};
use super::hysteresis;
use super::linear;

/// K of N/m^n with the exponent of the law.
pub(super) const STIFFNESS: Parameter = Parameter {
    name: "stiffness",
    symbol: "K",
    unit: "N/m^n",
    role: Role::Stiffness,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "from geometry and material: `carom stiffness`",
};

/// n = 3/2 unless given.
pub(super) const EXPONENT: Parameter = Parameter {
    name: "exponent",
    symbol: "n",
    unit: "",
    role: Role::Exponent,
    need: Need::Default(1.5),
    range: Range::closed(1.0, 3.0),
    about: "3/2 for circular and elliptic contacts (Hertz), 1 for flat ones",
};

/// What the cards of this family share.
const ELASTIC: Card = Card {
    family: Family::Elastic,
    law: |given| {
        Ok(Form {
            elastic: Elastic::power(given.get("stiffness"), given.get("exponent")),
            damper: Damper::None,
        })
    },
    ..EMPTY
};

const LENGTH: Parameter = Parameter {
    name: "length",
    symbol: "L",
    unit: "m",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "length of the line of contact: of the bearing, width of the gears",
};

const MODULUS: Parameter = Parameter {
    name: "effective_modulus",
    symbol: "Es",
    unit: "Pa",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "1/E* = (1 - ν²)/E of one body plus that of the other",
};

const BEARING: Parameter = Parameter {
    name: "bearing_radius",
    symbol: "Rb",
    unit: "m",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "radius of the hole, above that of the journal",
};

const JOURNAL: Parameter = Parameter {
    name: "journal_radius",
    symbol: "Rj",
    unit: "m",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "radius of the pin, below that of the bearing",
};

const RESTITUTION: Parameter = Parameter {
    need: Need::Sometimes,
    range: Range::UNIT,
    about: "speed after over speed before; needed with a damper",
    ..hysteresis::RESTITUTION
};

const DAMPER: Choice = Choice {
    name: "damper",
    words: &[
        ("none", "elastic: returns all energy"),
        ("hunt-crossley", "F_el (1 + h v/v0) with h of that law"),
        ("herbert-mcwhannell", "h of that law"),
        ("lee-wang", "h of that law"),
        ("lankarani-nikravesh", "h of that law"),
        ("gonthier", "h of that law"),
        (
            "exact-restitution",
            "h of that law: returns what is asked for",
        ),
        ("khatiwada", "h of that law"),
        ("yu", "h of that law"),
        ("zhiying-qishao", "h of that law"),
        ("flores", "h of that law"),
        ("hu-guo", "h of that law"),
        ("zhang", "h of that law"),
        ("safaeifar-farshidianfar", "h of that law"),
        ("gharib-hurmuzlu", "h of that law"),
        ("carvalho-martins", "h of that law"),
    ],
};

const SIGMA: Choice = Choice {
    name: "sigma",
    words: &[
        (
            "printed",
            "σ = (1 - ν²)/E, as Flores et al. (2006) print it",
        ),
        (
            "pi",
            "σ = (1 - ν²)/(π E), as these forms were first published: π times the force",
        ),
    ],
};

/// Said where the damper of a law is chosen from others.
const OF_DAMPER: RestitutionError = RestitutionError::Depends(
    "takes none without a damper; with one, that of the law of that name",
);

/// This elastic part with the damper that was chosen.
fn damped(given: &Given, elastic: Elastic) -> Result<Form, Fault> {
    let Some(h) = hysteresis::factor(given.word("damper")) else {
        return Ok(Form {
            elastic,
            damper: Damper::None,
        });
    };
    let e = given.restitution;
    if e.is_nan() {
        return Err(Fault::Missing {
            law: given.id,
            name: RESTITUTION.name,
            unit: RESTITUTION.unit,
            about: RESTITUTION.about,
            instead: &[],
        });
    }
    let h = h(e);
    if !h.is_finite() {
        return Err(given.out_of_range(
            RESTITUTION.name,
            e,
            RESTITUTION.unit,
            Range::UNIT_ABOVE_ZERO.to_string(),
            "this damper divides by it",
        ));
    }
    Ok(Form {
        elastic,
        damper: Damper::Factor {
            per_speed: h / given.v0,
        },
    })
}

/// C of length, bearing radius, journal radius and S.
type Scale = fn(f64, f64, f64, f64) -> f64;

/// The journal in its bearing, δ = F s (ln(C/F) + 1), with this C.
fn journal(given: &Given, scale: Scale) -> Result<Form, Fault> {
    let (length, bearing, journal) = (
        given.get("length"),
        given.get("bearing_radius"),
        given.get("journal_radius"),
    );
    if bearing <= journal {
        return Err(given.out_of_range(
            BEARING.name,
            bearing,
            BEARING.unit,
            format!("above journal_radius = {journal} m"),
            "the journal stands inside the bearing",
        ));
    }
    let printed = 1.0 / given.get("effective_modulus");
    let sum = if given.word("sigma") == "pi" {
        printed / core::f64::consts::PI
    } else {
        printed
    };
    damped(
        given,
        Elastic::Cylinder(Cylinder::new(
            sum / length,
            scale(length, bearing, journal, sum),
        )),
    )
}

/// What the cards of cylinders share.
const CYLINDERS: Card = Card {
    choices: &[DAMPER],
    memory: "approach speed v0, if there is a damper",
    restitution_error: OF_DAMPER,
    calibrates: "h",
    own_terms: |c, given, _| c * given.v0,
    ..ELASTIC
};

/// What the cards of a journal in its bearing share.
const BEARINGS: Card = Card {
    parameters: &[MODULUS, LENGTH, BEARING, JOURNAL, RESTITUTION],
    choices: &[DAMPER, SIGMA],
    ..CYLINDERS
};

/// The table.
pub(super) const CARDS: &[Card] = &[
    Card {
        id: "hooke",
        citation: Citation {
            authors: "Hooke",
            year: 1678,
            title: "Lectures de Potentia Restitutiva, or of Spring",
            journal: "London",
            equation: "Corral et al. 2021, eq. 5.1",
        },
        formula: "F = k δ",
        parameters: &[linear::STIFFNESS],
        validity: "elastic; flat faces, or springs and buffers that are linear themselves",
        notes: "For flat faces and for buffers of known stiffness, and as the linear reference: the contact lasts π √(m/k) whatever the speed. Between round bodies the stiffness grows with the load: take hertz.",
        erratum: "Corral et al. (2021), eq. 5.6, list the stiffness of flat square faces, K = a/(0.475(σ1 + σ2)), among those for n = 3/2. Its unit is N/m: it belongs to this law.",
        law: |given| {
            Ok(Form {
                elastic: Elastic::power(given.get("stiffness"), 1.0),
                damper: Damper::None,
            })
        },
        ..ELASTIC
    },
    Card {
        id: "hertz",
        citation: Citation {
            authors: "Hertz",
            year: 1882,
            title: "Ueber die Berührung fester elastischer Körper",
            journal: "J. reine angew. Math. 92, 156",
            equation: "Corral et al. 2021, eq. 5.2; Machado et al. 2012, eq. 17",
        },
        formula: "F = K δ^n",
        parameters: &[STIFFNESS, EXPONENT],
        validity: "elastic, frictionless, contact radius small against the bodies, slow against the waves in them",
        notes: "The elastic reference of every other law: use it where nothing is lost, or to see what damping does. It returns all energy; a real impact never does.",
        ..ELASTIC
    },
    Card {
        id: "brandlein",
        citation: Citation {
            authors: "Brändlein, Eschmann, Hasbargen, Weigand",
            year: 1998,
            title: "Die Wälzlagerpraxis. Handbuch für die Berechnung und Gestaltung von Lagerungen",
            journal: "Vereinigte Fachverlage, Mainz",
            equation: "Machado et al. 2012, eq. 21",
        },
        formula: "F = K δ^1.08",
        parameters: &[
            Parameter {
                unit: "N/m^1.08",
                about: "depends on the material and the length of contact, not on the radii",
                ..STIFFNESS
            },
            RESTITUTION,
        ],
        validity: "parallel cylinders, rollers of bearings; empirical",
        notes: "For rollers and other parallel cylinders whose stiffness was measured or is tabulated for this exponent. Close to linear: for a journal in a bearing with little clearance take liu.",
        erratum: "Corral et al. (2021) say that K depends on the duration of the contact; it depends on its length (Machado et al. 2012, after eq. 21).",
        law: |given| damped(given, Elastic::power(given.get("stiffness"), 1.08)),
        ..CYLINDERS
    },
    Card {
        id: "yang-sun",
        citation: Citation {
            authors: "Yang, Sun",
            year: 1985,
            title: "A rotary model for spur gear dynamics",
            journal: "J. Mech. Transm. Autom. Des. 107, 529",
            equation: "Machado et al. 2012, eq. 23-24",
        },
        formula: "F = K δ; K = π E L/(4 (1 - ν^2))",
        parameters: &[
            Parameter {
                name: "young",
                symbol: "E",
                unit: "Pa",
                role: Role::Other,
                need: Need::Required,
                range: Range::POSITIVE,
                about: "Young's modulus, the same for both gears",
            },
            Parameter {
                name: "poisson",
                symbol: "ν",
                unit: "",
                role: Role::Other,
                need: Need::Required,
                range: Range {
                    low: -1.0,
                    low_allowed: false,
                    high: 0.5,
                    high_allowed: true,
                },
                about: "Poisson's ratio, the same for both gears",
            },
            LENGTH,
            RESTITUTION,
        ],
        validity: "teeth of spur gears of one material, in contact along their whole width",
        notes: "A constant stiffness for meshing teeth; neither the radii nor the load enter, which is good enough for backlash and rattle. Not for the stress in a tooth, nor for other line contacts.",
        law: |given| {
            let nu = given.get("poisson");
            let stiffness = core::f64::consts::PI * given.get("young") * given.get("length")
                / (4.0 * (1.0 - nu * nu));
            damped(given, Elastic::power(stiffness, 1.0))
        },
        ..CYLINDERS
    },
    Card {
        id: "liu",
        citation: Citation {
            authors: "Liu, Zhang, Yang",
            year: 2005,
            title: "The compliance contact model of cylindrical joints with clearances",
            journal: "Acta Mech. Sin. 21, 451",
            equation: "Machado et al. 2012, eq. 25-26",
        },
        formula: "F = (π/2) Es L δ sqrt(δ/(2(c + δ)))",
        parameters: &[
            MODULUS,
            LENGTH,
            Parameter {
                name: "clearance",
                symbol: "c",
                unit: "m",
                role: Role::Other,
                need: Need::Required,
                range: Range::POSITIVE,
                about: "radial clearance: radius of the bearing less that of the journal",
            },
            RESTITUTION,
        ],
        validity: "a journal in its bearing, also where they conform; every indentation, checked against finite elements by its authors (Liu et al. 2007)",
        notes: "The choice for revolute joints with clearance: explicit, without the limit of the logarithmic forms, and right where the clearance is small. Both bodies are taken as equally long.",
        law: |given| {
            let stiffness = core::f64::consts::PI / (2.0 * core::f64::consts::SQRT_2)
                * given.get("effective_modulus")
                * given.get("length");
            damped(
                given,
                Elastic::Clearance(Clearance::new(stiffness, given.get("clearance"))),
            )
        },
        ..CYLINDERS
    },
    Card {
        id: "dubowsky-freudenstein",
        citation: Citation {
            authors: "Dubowsky, Freudenstein",
            year: 1971,
            title: "Dynamic analysis of mechanical systems with clearances, part 1: formulation of dynamic model",
            journal: "J. Eng. Ind. 93, 305",
            equation: "Flores et al. 2006, eq. 10 with b = 3",
        },
        formula: "δ = F s (ln(C/F) + 1); s = S/L; C = L^3 (Rb - Rj)/(Rb Rj S); S = 1/Es",
        validity: "a journal in its bearing, Rb > Rj, up to the indentation s C = L² (Rb - Rj)/(Rb Rj), where the force would have to fall",
        notes: "Nearly linear over the load, for lightly loaded joints with clearance, and to repeat published work. Near its limit it is soft without end, beyond it there is no force: liu has no such limit.",
        erratum: "Flores et al. (2006) leave the order of the radii open (bearing first, or the logarithm has no value) and have the force found by Newton's method. The equation has two roots below the limit and \
                none above; the one that starts from zero is meant, F = -δ/(s W₋₁(-δ/(e s C))). Their σ lacks the π with which the forms for cylinders were published; sigma = pi has it.",
        law: |given| journal(given, |l, rb, rj, s| l * l * l * (rb - rj) / (rb * rj * s)),
        ..BEARINGS
    },
    Card {
        id: "goldsmith",
        citation: Citation {
            authors: "Goldsmith",
            year: 1960,
            title: "Impact: the theory and physical behaviour of colliding solids",
            journal: "Edward Arnold, London",
            equation: "Flores et al. 2006, eq. 10 with b = 1",
        },
        formula: "δ = F s (ln(C/F) + 1); s = S/L; C = L (Rb - Rj)/(Rb Rj S); S = 1/Es",
        validity: "lengths in metres only: the number under the logarithm has the unit 1/m², so that the force depends on the unit of length",
        notes: "Warning: not a law of physics as it stands. At 2 µm in a 10 mm bearing it gives 182 N computed in metres and 1101 N in millimetres. It is here to repeat published work, in metres; for anything else \
                take liu, esdu-78035 or dubowsky-freudenstein.",
        erratum: "Flores et al. (2006) note the inconsistent units and use it all the same. With L³ in place of L it is dubowsky-freudenstein. In millimetres it has no force above 5.26 µm in that bearing, in metres \
                none above (Rb - Rj)/(Rb Rj). Order of the radii, choice of the root and σ as there.",
        law: |given| journal(given, |l, rb, rj, s| l * (rb - rj) / (rb * rj * s)),
        ..BEARINGS
    },
    Card {
        id: "esdu-78035",
        citation: Citation {
            authors: "ESDU",
            year: 1978,
            title: "Contact phenomena I: stresses, deflections and contact dimensions for normally loaded unlubricated elastic components",
            journal: "ESDU 78035 Tribology Series, Engineering Sciences Data Unit, London",
            equation: "Flores et al. 2006, eq. 11",
        },
        formula: "δ = F s (ln(C/F) + 1); s = S/L; C = 4 L (Rb - Rj)/S; S = 1/Es",
        validity: "a journal in its bearing, Rb > Rj, up to the indentation s C = 4 (Rb - Rj), where the force would have to fall",
        notes: "An engineer's formula for pins in holes: near dubowsky-freudenstein for the usual proportions, but only the clearance enters, not the radii. Four clearances deep it ends; joints do not come near that.",
        erratum: "Flores et al. (2006) leave the order of the radii open (bearing first) and have the force found by Newton's method, although there are two roots below the limit and none above; the one that starts \
                from zero is meant. Their σ lacks the π with which the forms for cylinders were published: 2024 N at 10 µm in their bearing, 6358 N with sigma = pi.",
        law: |given| journal(given, |l, rb, rj, s| 4.0 * l * (rb - rj) / s),
        ..BEARINGS
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hysteresis_factor_can_damp_a_cylinder() {
        let factors: Vec<&str> = hysteresis::CARDS
            .iter()
            .map(|card| card.id)
            .filter(|id| hysteresis::factor(id).is_some())
            .collect();
        let words: Vec<&str> = DAMPER.words.iter().map(|word| word.0).collect();
        assert_eq!(words.first(), Some(&"none"));
        assert_eq!(words[1..], factors[..]);
    }
}
