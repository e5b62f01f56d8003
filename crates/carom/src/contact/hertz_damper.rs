//! Which laws put another damper beside Hertz's spring?
//!
//! F = K δ^1.5 + c δ^p v, mostly. With p = 1/4 a change of variable makes a linear oscillator of it, and the restitution is known ([`closed::oscillator_restitution`]); with other
//! powers it depends on the approach speed. Nearly all of these forces would pull just before the indentation is zero, so that the rule of separation is part of the law.

use crate::card::{Choice, Citation, Fault, Need, Parameter, Range, Role};
use crate::math;

use super::card::{Card, EMPTY, Family, Given, RestitutionError, Separation, Tension};
use super::closed;
use super::elastic::{EXPONENT, STIFFNESS};
use super::form::{Damper, Elastic, Exponent, Form};
use super::hysteresis::RESTITUTION;
use super::poursina;

/// K of N/m^1.5: n is 3/2.
const HERTZ: Parameter = Parameter {
    unit: "N/m^1.5",
    ..STIFFNESS
};

/// A coefficient found by experiment; every law has its own unit.
const DAMPING: Parameter = Parameter {
    name: "damping",
    symbol: "χ",
    unit: "",
    role: Role::Damping,
    need: Need::Required,
    range: Range::NOT_NEGATIVE,
    about: "found by experiment, or calibrated to a restitution",
};

// What stands only in the damper is a coefficient of it: calibrated, none of it is needed.
const BULK: Parameter = Parameter {
    name: "bulk_viscosity",
    symbol: "ξ",
    unit: "Pa s",
    role: Role::Damping,
    need: Need::Unless(&["damping"]),
    range: Range::NOT_NEGATIVE,
    about: "resistance to a change of volume",
};
const SHEAR: Parameter = Parameter {
    name: "shear_viscosity",
    symbol: "η",
    about: "resistance to a change of shape",
    ..BULK
};
const YOUNG: Parameter = Parameter {
    name: "young",
    symbol: "E",
    unit: "Pa",
    range: Range::POSITIVE,
    about: "Young's modulus",
    ..BULK
};
const POISSON: Parameter = Parameter {
    name: "poisson",
    symbol: "ν",
    unit: "",
    range: Range {
        low: -1.0,
        low_allowed: false,
        high: 0.5,
        high_allowed: true,
    },
    about: "Poisson's ratio",
    ..BULK
};
const RADIUS: Parameter = Parameter {
    name: "effective_radius",
    symbol: "R",
    unit: "m",
    range: Range::POSITIVE,
    about: "R1 R2/(R1 + R2); on a plane the radius of the sphere",
    ..BULK
};

/// Far below 1 the force would jump where the bodies are at rest.
const RATE_EXPONENT: Parameter = Parameter {
    name: "rate_exponent",
    symbol: "",
    unit: "",
    role: Role::Other,
    need: Need::Default(1.0),
    range: Range::closed(0.1, 3.0),
    about: "exponent of the rate; 1 is a Newtonian liquid",
};

/// Brilliantov's A.
const TIME: Parameter = Parameter {
    symbol: "A",
    unit: "s",
    need: Need::Unless(&["bulk_viscosity", "shear_viscosity", "young", "poisson"]),
    about: "dissipative constant, a time: fitted, or calibrated to a restitution",
    ..DAMPING
};

/// Hertz's spring with this damper.
fn with(given: &Given, damper: Damper) -> Result<Form, Fault> {
    Ok(Form {
        elastic: Elastic::power(given.get("stiffness"), 1.5),
        damper,
    })
}

/// `damping` if it was given, else what is computed in its place.
fn damping_or(given: &Given, instead: impl Fn() -> f64) -> f64 {
    let damping = given.get("damping");
    if damping.is_nan() { instead() } else { damping }
}

/// One body's part of Kuwabara and Kono's D′: (1−ν²)/E with the viscosities in the places of the bulk and the shear modulus. The fraction
/// (4(3ξ+η)² − (3ξ−2η)²)/(36(3ξ+η)ξη), divided by 9ξ above and below, so that nothing cancels.
fn internal_friction(bulk: f64, shear: f64) -> f64 {
    (3.0 * bulk + 4.0 * shear) / (4.0 * shear * (3.0 * bulk + shear))
}

/// What the cards of this family share.
const HERTZ_DAMPER: Card = Card {
    family: Family::HertzDamper,
    group: 3,
    separations: &[Separation::ZeroForce, Separation::ZeroIndentation],
    tension: Tension::EndsContact,
    calibrates: "χ",
    law: |given| with(given, Damper::None),
    ..EMPTY
};

/// The table.
pub(super) const CARDS: &[Card] = &[
    Card {
        id: "poursina-nikravesh",
        group: 2,
        citation: Citation {
            authors: "Poursina, Nikravesh",
            year: 2020,
            title: "Optimal damping coefficient for a class of continuous contact models",
            journal: "Multibody Syst. Dyn. 50, 169",
            equation: "eq. 7, 20-57",
        },
        formula: "F = K δ^n + c v; c = α (cr^β - 1) (K v0^(n - 1) m^n)^(1/(n + 1)); α = 0.3331 n^4 - 1.48 n^3 + 3.077 n^2 - 2.306 n + 1.794; β = 1.285 n^0.2553 - 1.725",
        parameters: &[
            STIFFNESS,
            Parameter {
                range: Range::closed(1.0, 2.0),
                about: "3/2 for circular and elliptic contacts (Hertz), 1 for flat ones; the fit ends at 2",
                ..EXPONENT
            },
            RESTITUTION,
        ],
        choices: &[Choice {
            name: "variant",
            words: &[
                ("general", "the fit for any n (eq. 49)"),
                (
                    "rounded",
                    "the fit with rounded constants, for n = 1.5 (eq. 52) and n = 1 (eq. 57)",
                ),
                (
                    "exact",
                    "solved for, so that a free impact returns what was asked for (eq. 23)",
                ),
            ],
        }],
        memory: "approach speed v0",
        separations: &[Separation::ZeroForce],
        validity: "0 < cr ≤ 1, fitted on 0.45 … 1; n from 1 to 2; the force jumps to c v0 at touch",
        restitution_error: RestitutionError::Worst {
            error: -0.0015,
            at: 0.88,
        },
        calibrates: "c",
        notes: "For bodies that part with some indentation left, over the whole range of restitution; the error given is that of n = 1.5, for n = 1 and n = 2 it is twice that. Not where the force at touch matters: it starts at c v0 and is largest there for a low restitution.",
        erratum: "The fit is said to hold from cr = 1e-4. Its error stays small in absolute terms (3.4e-3 at most), but at 1e-4 it returns 55 % too much for n = 1, 122 % for n = 1.5 and 234 % for n = 2: the coefficient rises like cr^(-1/(n+1)) there, the fit like cr^β with β = -0.44, -0.30, -0.19. The introduction speaks of a force at separation that is not zero; by eq. 20 the force is zero and the indentation is not.",
        law: |given| {
            let (k, n, e) = (
                given.get("stiffness"),
                given.get("exponent"),
                given.restitution,
            );
            let c = if given.word("variant") == "rounded" {
                let (alpha, beta) = match n {
                    1.0 => (1.4181, -0.44),
                    1.5 => (1.95, -0.3),
                    _ => {
                        return Err(given.out_of_range(
                            "exponent",
                            n,
                            "",
                            "1 or 1.5 with the variant `rounded`",
                            "the variant `general` takes every exponent from 1 to 2",
                        ));
                    }
                };
                poursina::fit(alpha, beta, e) * poursina::scale(k, n, given.mass, given.v0)
            } else {
                poursina::damping(k, n, given.mass, given.v0, e)
            };
            Ok(Form {
                elastic: Elastic::power(k, n),
                damper: Damper::power(c, 0.0),
            })
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "tsuji",
        citation: Citation {
            authors: "Tsuji, Tanaka, Ishida",
            year: 1992,
            title: "Lagrangian numerical simulation of plug flow of cohesionless particles in a horizontal pipe",
            journal: "Powder Technol. 71, 239",
            equation: "Corral et al. 2021, eq. 5.45-5.46",
        },
        formula: "F = K δ^1.5 + α sqrt(m K) δ^0.25 v; α = -sqrt(5) ln(cr)/sqrt(π^2 + (ln(cr))^2)",
        parameters: &[
            HERTZ,
            Parameter {
                name: "alpha",
                symbol: "α",
                unit: "",
                role: Role::Damping,
                need: Need::Unless(&["restitution"]),
                range: Range::NOT_NEGATIVE,
                about: "the empirical constant, where no restitution is given; √5 and above never part at zero indentation",
            },
            Parameter {
                need: Need::Unless(&["alpha"]),
                about: "speed after over speed before; its logarithm is taken",
                ..RESTITUTION
            },
        ],
        separations: &[Separation::ZeroIndentation, Separation::ZeroForce],
        tension: Tension::Kept,
        validity: "0 < cr ≤ 1, exact where the contact ends at zero indentation and no other force acts",
        restitution_error: RestitutionError::Exact,
        calibrates: "α",
        own_terms: |c, given, _| c / math::sqrt(given.get("stiffness") * given.mass),
        notes: "The usual damper of granular flow: the restitution is the same at every speed. It pulls just before the bodies part; a program that cuts the pull off must not use this α (0.5 becomes 0.550, 0.1 becomes 0.253): with `separation = zero-force` calibrate it.",
        law: |given| {
            let alpha = given.get("alpha");
            let alpha = if alpha.is_nan() {
                math::sqrt(5.0) * damping_ratio(given.restitution)
            } else {
                alpha
            };
            let c = alpha * math::sqrt(given.mass * given.get("stiffness"));
            with(given, Damper::power(c, 0.25))
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "jankowski",
        citation: Citation {
            authors: "Jankowski",
            year: 2005,
            title: "Non-linear viscoelastic modelling of earthquake-induced structural pounding",
            journal: "Earthq. Eng. Struct. Dyn. 34, 595; the damping ratio: 35, 517 (2006)",
            equation: "Corral et al. 2021, eq. 5.52-5.55",
        },
        formula: "F = K δ^1.5 + if(v > 0, 2 ξ sqrt(K m) δ^0.25 v, 0); ξ = 9 sqrt(5) (1 - cr^2)/(2 cr (cr (9 π - 16) + 16))",
        parameters: &[HERTZ, RESTITUTION],
        choices: &[Choice {
            name: "variant",
            words: &[
                ("5.55", "the later, closer formula of the damping ratio"),
                (
                    "5.54",
                    "the first one, √5 (1 - cr²)/(2π cr): returns up to 0.077 too much",
                ),
            ],
        }],
        memory: "whether the bodies approach or part",
        separations: &[Separation::ZeroIndentation],
        tension: Tension::Never,
        validity: "0 < cr ≤ 1",
        restitution_error: RestitutionError::Worst {
            error: -0.0086,
            at: 0.23,
        },
        calibrates: "ξ",
        own_terms: |c, given, _| 0.5 * c / math::sqrt(given.get("stiffness") * given.mass),
        notes: "Made for the pounding of buildings: damped while approaching, elastic while parting, so that it never pulls. All the loss is in the approach; where the shape of the rebound matters take a law that is damped throughout.",
        law: |given| {
            let e = given.restitution;
            let ratio = if given.word("variant") == "5.54" {
                math::sqrt(5.0) * (1.0 - e * e) / (2.0 * core::f64::consts::PI * e)
            } else {
                let slope = 9.0 * core::f64::consts::PI - 16.0;
                9.0 * math::sqrt(5.0) * (1.0 - e * e) / (2.0 * e * (e * slope + 16.0))
            };
            let c = 2.0 * ratio * math::sqrt(given.get("stiffness") * given.mass);
            with(
                given,
                Damper::Approach {
                    c,
                    p: Exponent::Quarter,
                },
            )
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "kuwabara-kono",
        citation: Citation {
            authors: "Kuwabara, Kono",
            year: 1987,
            title: "Restitution coefficient in a collision between two spheres",
            journal: "Jpn. J. Appl. Phys. 26, 1230",
            equation: "Corral et al. 2021, eq. 5.36-5.38",
        },
        formula: "F = K δ^1.5 + χ sqrt(δ) v; χ = 2 sqrt(R)/(D1 + D2); D1 = (3 ξ1 + 4 η1)/(4 η1 (3 ξ1 + η1)); D2 = (3 ξ2 + 4 η2)/(4 η2 (3 ξ2 + η2))",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "N s/m^1.5",
                need: Need::Unless(&["bulk_viscosity_1", "shear_viscosity_1", "effective_radius"]),
                ..DAMPING
            },
            Parameter {
                name: "bulk_viscosity_1",
                symbol: "ξ1",
                range: Range::POSITIVE,
                about: "resistance of one body to a change of volume",
                ..BULK
            },
            Parameter {
                name: "shear_viscosity_1",
                symbol: "η1",
                range: Range::POSITIVE,
                about: "resistance of one body to a change of shape",
                ..SHEAR
            },
            Parameter {
                name: "bulk_viscosity_2",
                symbol: "ξ2",
                need: Need::Sometimes,
                range: Range::POSITIVE,
                about: "that of the other body; the same if not given",
                ..BULK
            },
            Parameter {
                name: "shear_viscosity_2",
                symbol: "η2",
                need: Need::Sometimes,
                range: Range::POSITIVE,
                about: "that of the other body; the same if not given",
                ..SHEAR
            },
            RADIUS,
        ],
        validity: "viscoelastic spheres, slow against the waves in them and against their relaxation",
        notes: "For spheres of a viscous material: what is missing from a restitution of 1 grows with the fifth root of the speed. The viscosities are hard to come by; mostly χ is fitted to a measured restitution.",
        erratum: "Corral et al. (2021), eq. 5.38, print 9(ξ - η)² where the analogue of (1 - ν²)/E has (3ξ - 2η)²; with the printed term D′ is negative, and the damper drives, for η above about 9 ξ. The whole fraction, (4(3ξ + η)² - (3ξ - 2η)²)/(36(3ξ + η) ξ η), is (3ξ + 4η)/(4η(3ξ + η)) once 9ξ is cancelled. The original was not at hand.",
        law: |given| {
            for other in ["bulk_viscosity_2", "shear_viscosity_2"] {
                if !given.get("damping").is_nan() && !given.get(other).is_nan() {
                    return Err(Fault::Conflict {
                        law: given.id,
                        name: "damping",
                        other,
                    });
                }
            }
            let chi = damping_or(given, || {
                let or = |name: &str, instead: f64| {
                    let value = given.get(name);
                    if value.is_nan() { instead } else { value }
                };
                let bulk = given.get("bulk_viscosity_1");
                let shear = given.get("shear_viscosity_1");
                let both = internal_friction(bulk, shear)
                    + internal_friction(
                        or("bulk_viscosity_2", bulk),
                        or("shear_viscosity_2", shear),
                    );
                2.0 * math::sqrt(given.get("effective_radius")) / both
            });
            with(given, Damper::power(chi, 0.5))
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "brilliantov-1996",
        citation: Citation {
            authors: "Brilliantov, Spahn, Hertzsch, Pöschel",
            year: 1996,
            title: "The collision of particles in granular systems",
            journal: "Physica A 231, 417",
            equation: "Corral et al. 2021, eq. 5.47-5.48",
        },
        formula: "F = K δ^1.5 + 1.5 K A sqrt(δ) v; A = (3 ξ - η)^2 (1 - ν^2) (1 - 2 ν)/(3 (3 ξ + 2 η) E ν^2)",
        parameters: &[
            HERTZ,
            TIME,
            BULK,
            SHEAR,
            YOUNG,
            Parameter {
                range: Range {
                    low: 0.0,
                    ..POISSON.range
                },
                about: "Poisson's ratio; the formula divides by it",
                ..POISSON
            },
        ],
        validity: "superseded where A comes from viscosities; a fitted A is as good as any",
        calibrates: "A",
        own_terms: |c, given, _| c / (1.5 * given.get("stiffness")),
        notes: "To repeat published work, or with a fitted A: the force is that of kuwabara-kono. From viscosities take brilliantov-2015.",
        erratum: "A is as it was published then, but not physical: it grows without end as ν goes to 0 and vanishes at η = 3 ξ. The formula of 2015 does neither.",
        law: |given| {
            let a = damping_or(given, || {
                let (bulk, shear) = (given.get("bulk_viscosity"), given.get("shear_viscosity"));
                let (young, nu) = (given.get("young"), given.get("poisson"));
                let difference = 3.0 * bulk - shear;
                difference * difference * (1.0 - nu * nu) * (1.0 - 2.0 * nu)
                    / (3.0 * (3.0 * bulk + 2.0 * shear) * young * nu * nu)
            });
            relaxing(given, a)
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "brilliantov-2015",
        citation: Citation {
            authors: "Brilliantov, Pimenova, Goldobin",
            year: 2015,
            title: "A dissipative force between colliding viscoelastic bodies: rigorous approach",
            journal: "EPL 109, 14005",
            equation: "Corral et al. 2021, eq. 5.47, 5.51",
        },
        formula: "F = K δ^1.5 + 1.5 K A sqrt(δ) v; A = (1 + ν) (4 η (1 - ν + ν^2)/3 + ξ (1 - 2 ν)^2)/(E (1 - ν))",
        parameters: &[HERTZ, TIME, BULK, SHEAR, YOUNG, POISSON],
        validity: "viscoelastic bodies of one material, quasi-static: slow against the waves in them and against their relaxation",
        calibrates: "A",
        own_terms: |c, given, _| c / (1.5 * given.get("stiffness")),
        notes: "The one to take where viscosities are known: A is η over the shear modulus for an incompressible material. What is missing from a restitution of 1 grows with the fifth root of the speed.",
        law: |given| {
            let a = damping_or(given, || {
                let (bulk, shear) = (given.get("bulk_viscosity"), given.get("shear_viscosity"));
                let (young, nu) = (given.get("young"), given.get("poisson"));
                let volume = (1.0 - 2.0 * nu) * (1.0 - 2.0 * nu);
                (1.0 + nu) * (4.0 * shear * (1.0 - nu + nu * nu) / 3.0 + bulk * volume)
                    / (young * (1.0 - nu))
            });
            relaxing(given, a)
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "zheng",
        citation: Citation {
            authors: "Zheng, Zhu, Yu",
            year: 2012,
            title: "Finite element analysis of the contact forces between a viscoelastic sphere and rigid plane",
            journal: "Powder Technol.",
            equation: "Corral et al. 2021, eq. 5.36, 5.49-5.50",
        },
        formula: "F = K δ^1.5 + χ sqrt(δ) v; χ = 2 (1 - 2 ν) (2 ξ + η/3) sqrt(R)/(1 - ν)",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "N s/m^1.5",
                need: Need::Unless(&[
                    "bulk_viscosity",
                    "shear_viscosity",
                    "poisson",
                    "effective_radius",
                ]),
                ..DAMPING
            },
            BULK,
            SHEAR,
            POISSON,
            RADIUS,
        ],
        validity: "a viscoelastic sphere on a rigid plane; not for ν near 1/2, where its damping vanishes",
        notes: "From finite elements, for a sphere on a rigid plane. In χ = 2 A E √R/(1 - ν²) with A = (1 - 2ν)(1 + ν)(2ξ + η/3)/E Young's modulus cancels and is not asked for. Not to be mixed with Brilliantov's A: at ν = 1/2 this one is zero, that one η/G.",
        erratum: "Corral et al. (2021) set χ = 2 A E √R/(1 - ν²), eq. 5.50, beside χ = 1.5 K A, eq. 5.47: the two are the same only with the K of a sphere on a rigid plane. For two equal spheres eq. 5.50 is twice the other. ζ in the text of eq. 5.49 is the bulk viscosity ξ of Table 1.",
        law: |given| {
            let chi = damping_or(given, || {
                let (bulk, shear) = (given.get("bulk_viscosity"), given.get("shear_viscosity"));
                let nu = given.get("poisson");
                let root = math::sqrt(given.get("effective_radius"));
                2.0 * (1.0 - 2.0 * nu) * (2.0 * bulk + shear / 3.0) * root / (1.0 - nu)
            });
            with(given, Damper::power(chi, 0.5))
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "ristow",
        aliases: &["lee-hermann", "lee-herrmann"],
        group: 1,
        citation: Citation {
            authors: "Ristow",
            year: 1992,
            title: "Simulating granular flow with molecular dynamics",
            journal: "J. Phys. I 2, 649",
            equation: "Corral et al. 2021, eq. 5.13",
        },
        formula: "F = K δ^1.5 + χ m v",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "1/s",
                ..DAMPING
            },
        ],
        validity: "empirical, for grains; the force jumps to χ m v0 at touch",
        notes: "For granular flow, with χ fitted to an experiment. Faster impacts return more, which is the wrong way round for real materials, and the force jumps at touch: tsuji or kuwabara-kono do neither. Lee and Herrmann (1993) use the same force.",
        own_terms: |c, given, _| c / given.mass,
        law: |given| with(given, Damper::power(given.get("damping") * given.mass, 0.0)),
        ..HERTZ_DAMPER
    },
    Card {
        id: "schafer",
        group: 1,
        citation: Citation {
            authors: "Schäfer, Dippel, Wolf",
            year: 1996,
            title: "Force schemes in simulations of granular materials",
            journal: "J. Phys. I 6, 5",
            equation: "Corral et al. 2021, Table 1",
        },
        formula: "F = K δ^1.5 + χ v",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "N s/m",
                ..DAMPING
            },
        ],
        validity: "empirical, for grains; the force jumps to χ v0 at touch",
        notes: "ristow without the mass in the damper, and with the same faults: the restitution rises with speed and the force jumps at touch. For χ from a restitution take poursina-nikravesh, which has this force.",
        law: |given| with(given, Damper::power(given.get("damping"), 0.0)),
        ..HERTZ_DAMPER
    },
    Card {
        id: "falcon",
        group: 1,
        citation: Citation {
            authors: "Falcon, Laroche, Fauve, Coste",
            year: 1998,
            title: "Behavior of one inelastic ball bouncing repeatedly off the ground",
            journal: "Eur. Phys. J. B 3, 45",
            equation: "Corral et al. 2021, eq. 5.15",
        },
        formula: "F = K δ^1.5 + χ δ^γ v",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "N s/m^(1+γ)",
                ..DAMPING
            },
            Parameter {
                name: "gamma",
                symbol: "γ",
                unit: "",
                role: Role::Other,
                need: Need::Default(0.25),
                range: Range {
                    low: 0.0,
                    low_allowed: true,
                    high: 1.5,
                    high_allowed: false,
                },
                about: "exponent of the indentation in the damper; with 1/4 the restitution is the same at every speed",
            },
        ],
        validity: "empirical; for γ below 1/4 the restitution rises with speed, above it falls",
        notes: "For a ball whose restitution was measured over speed: γ follows the trend, χ the level. With γ = 1/4 it is tsuji's force, with 1/2 that of kuwabara-kono, with 0 that of schafer; the unit of χ changes with γ.",
        law: |given| {
            with(
                given,
                Damper::power(given.get("damping"), given.get("gamma")),
            )
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "bordbar-hyppanen",
        group: 1,
        citation: Citation {
            authors: "Bordbar, Hyppänen",
            year: 2007,
            title: "Modeling of binary collision between multisize viscoelastic spheres",
            journal: "J. Numer. Anal. Ind. Appl. Math.",
            equation: "Corral et al. 2021, eq. 5.16",
        },
        formula: "F = K δ^1.5 + χ δ^0.65 v",
        parameters: &[
            HERTZ,
            Parameter {
                unit: "N s/m^1.65",
                ..DAMPING
            },
        ],
        validity: "empirical; the exponent is from impacts of ice",
        notes: "The exponent 0.65 follows measured impacts of ice particles (Saturn's rings). For another material fit the exponent too: falcon.",
        law: |given| with(given, Damper::power(given.get("damping"), 0.65)),
        ..HERTZ_DAMPER
    },
    Card {
        id: "alizadeh",
        group: 1,
        citation: Citation {
            authors: "Alizadeh, Bertrand, Chaouki",
            year: 2013,
            title: "Development of a granular normal contact force model based on a non-Newtonian liquid filled dashpot",
            journal: "Powder Technol.",
            equation: "Corral et al. 2021, eq. 5.17",
        },
        formula: "F = K δ^1.5 + 4 π μ δ sgn(v) abs(v)^nl",
        parameters: &[
            HERTZ,
            Parameter {
                symbol: "μ",
                unit: "N s^nl/m^(1+nl)",
                about: "consistency of the liquid in the dashpot, found by experiment, or calibrated to a restitution",
                ..DAMPING
            },
            Parameter {
                symbol: "nl",
                ..RATE_EXPONENT
            },
        ],
        validity: "empirical: μ and nl for each material and pair of shapes",
        calibrates: "μ",
        own_terms: |c, _, _| c / (4.0 * core::f64::consts::PI),
        notes: "A dashpot with a liquid that thins (nl below 1) or thickens (above 1) with the rate, for grains whose μ and nl were measured. Without measurements there is no reason to prefer it to tsuji.",
        erratum: "Eq. 5.17 of Corral et al. (2021) has the power of the rate itself, which is no number while the bodies part unless nl is whole, and loses nothing over a cycle for even nl: the power is that of abs(v), with the sign of v. The unit of μ depends on nl.",
        law: |given| {
            with(
                given,
                Damper::Signed {
                    c: 4.0 * core::f64::consts::PI * given.get("damping"),
                    p: Exponent::One,
                    q: Exponent::new(given.get("rate_exponent")),
                    floor: f64::NEG_INFINITY,
                },
            )
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "choi",
        group: 5,
        citation: Citation {
            authors: "Choi, Ryu, Kim, Choi",
            year: 2010,
            title: "An efficient and robust contact algorithm for a compliant contact force model between bodies of complex geometry",
            journal: "Multibody Syst. Dyn. 23, 99",
            equation: "Corral et al. 2021, eq. 5.72-5.74",
        },
        formula: "F = max(K δ^ms + D sgn(v) abs(v)^md δ^mi, Rc K δ^ms)",
        parameters: &[
            Parameter {
                unit: "N/m^ms",
                ..STIFFNESS
            },
            Parameter {
                symbol: "ms",
                ..EXPONENT
            },
            Parameter {
                symbol: "D",
                unit: "N s^md/m^(mi+md)",
                ..DAMPING
            },
            Parameter {
                name: "indentation_exponent",
                symbol: "mi",
                unit: "",
                role: Role::Other,
                need: Need::Default(1.5),
                range: Range::closed(0.0, 3.0),
                about: "exponent of the indentation in the damper; 0 lets the force jump at touch",
            },
            Parameter {
                symbol: "md",
                about: "exponent of the rate",
                ..RATE_EXPONENT
            },
            Parameter {
                name: "force_floor",
                symbol: "Rc",
                unit: "",
                role: Role::Other,
                need: Need::Default(0.0),
                range: Range::UNIT,
                about: "the least part of the elastic force that is left while parting",
            },
        ],
        separations: &[Separation::ZeroIndentation],
        tension: Tension::CutOff,
        validity: "empirical: D and the exponents are fitted; with Rc near 1 nearly nothing is lost while parting",
        calibrates: "D",
        notes: "A spring and a damper with exponents of their own, made for surfaces of triangles in a multibody program: to carry such models over, or to fit more than a restitution. The floor keeps it from pulling, at the price of a kink in the force; the restitution depends on the speed unless the exponents balance, and a high floor limits how low it can be.",
        erratum: "Table 1 of Corral et al. (2021) prints Kδ^mi, and abs(δ)^md/abs(δ) in the hysteresis factor; by eq. 5.72-5.73 it is Kδ^ms and the powers are of the rate. Their quotient abs(v)^md/abs(v) times v is 0/0 at rest; here it is sgn(v) abs(v)^md.",
        law: |given| {
            Ok(Form {
                elastic: Elastic::power(given.get("stiffness"), given.get("exponent")),
                damper: Damper::Signed {
                    c: given.get("damping"),
                    p: Exponent::new(given.get("indentation_exponent")),
                    q: Exponent::new(given.get("rate_exponent")),
                    floor: given.get("force_floor"),
                },
            })
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "log-damped",
        citation: Citation {
            authors: "Antypov, Elliott",
            year: 2011,
            title: "On an analytical solution for the damped Hertzian spring",
            journal: "EPL 94, 50004",
            equation: "from the wider literature, not in the reviews",
        },
        formula: "F = K δ^1.5 + 2 sqrt(5/6) ζ sqrt(Sn m) v; K = 4 Es sqrt(R)/3; Sn = 2 Es sqrt(R δ); ζ = -ln(cr)/sqrt(π^2 + (ln(cr))^2)",
        parameters: &[
            Parameter {
                name: "effective_modulus",
                symbol: "Es",
                unit: "Pa",
                role: Role::Other,
                need: Need::Required,
                range: Range::POSITIVE,
                about: "E* = 1/((1-ν1²)/E1 + (1-ν2²)/E2)",
            },
            Parameter {
                role: Role::Other,
                need: Need::Required,
                ..RADIUS
            },
            Parameter {
                about: "speed after over speed before; its logarithm is taken",
                ..RESTITUTION
            },
        ],
        separations: &[Separation::ZeroIndentation, Separation::ZeroForce],
        tension: Tension::Kept,
        validity: "0 < cr ≤ 1, exact where the contact ends at zero indentation and no other force acts",
        restitution_error: RestitutionError::Exact,
        calibrates: "ζ",
        own_terms: |c, given, _| {
            let sn =
                2.0 * given.get("effective_modulus") * math::sqrt(given.get("effective_radius"));
            c / (2.0 * math::sqrt(5.0 / 6.0 * sn * given.mass))
        },
        notes: "What discrete-element programs call Hertz with damping: tsuji's force, written with the tangent stiffness Sn. Where such a program cuts the pull off at the end, the restitution returned is not the one asked for (0.5 becomes 0.550); `separation = zero-force` shows that, and calibration mends it.",
        law: |given| {
            let (modulus, radius) = (
                given.get("effective_modulus"),
                given.get("effective_radius"),
            );
            let root = math::sqrt(radius);
            // Sn = 2 E* √R √δ: the root of √δ is the quarter power.
            let c = 2.0
                * math::sqrt(5.0 / 6.0)
                * damping_ratio(given.restitution)
                * math::sqrt(2.0 * modulus * root * given.mass);
            Ok(Form {
                elastic: Elastic::power(4.0 / 3.0 * modulus * root, 1.5),
                damper: Damper::power(c, 0.25),
            })
        },
        ..HERTZ_DAMPER
    },
    Card {
        id: "simbody-hunt-crossley",
        citation: Citation {
            authors: "Sherman, Seth, Delp",
            year: 2011,
            title: "Simbody: multibody dynamics for biomedical research",
            journal: "Procedia IUTAM 2, 241",
            equation: "from the wider literature, not in the reviews",
        },
        formula: "F = K δ^1.5 (1 + 1.5 c v)",
        parameters: &[
            HERTZ,
            Parameter {
                symbol: "c",
                unit: "s/m",
                about: "dissipation: the slope with which the restitution of slow impacts falls from 1",
                ..DAMPING
            },
        ],
        separations: &[Separation::ZeroIndentation],
        tension: Tension::Never,
        validity: "slow impacts, where the restitution is 1 - c v0",
        calibrates: "c",
        own_terms: |c, _, _| c / 1.5,
        notes: "To carry models of Simbody and OpenSim over: hunt-crossley with c in place of (1 - cr)/v0. The restitution falls with speed by itself; h is 1.5 c v0.",
        law: |given| {
            with(
                given,
                Damper::Factor {
                    per_speed: 1.5 * given.get("damping"),
                },
            )
        },
        ..HERTZ_DAMPER
    },
];

/// ζ with which the linear oscillator returns e at zero indentation: −ln e/√(π² + ln² e).
fn damping_ratio(e: f64) -> f64 {
    // Plain zero for e = 1, where −ln e is −0.
    closed::oscillator_damping(e, Separation::ZeroIndentation).abs()
}

/// Brilliantov's force with A in s.
fn relaxing(given: &Given, a: f64) -> Result<Form, Fault> {
    with(given, Damper::power(1.5 * given.get("stiffness") * a, 0.5))
}
