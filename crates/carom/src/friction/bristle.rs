//! Which laws of friction carry a load at rest by a deflection of their own?

use crate::card::Citation;
use crate::card::Parameter;
use crate::card::Range;
use crate::friction::law::Bristle;
use crate::friction::law::Card;
use crate::friction::law::Family;
use crate::friction::law::Form;
use crate::friction::law::Order;
use crate::friction::law::Quantity;
use crate::friction::parts::COEFFICIENT;
use crate::friction::parts::KINETIC_ABOVE_ZERO;
use crate::friction::parts::STATIC;
use crate::friction::parts::STRIBECK;
use crate::friction::parts::optional;
use crate::friction::parts::required;

const fn stiffness(symbol: &'static str) -> Parameter {
    required(
        "stiffness",
        symbol,
        "N/m",
        Range::POSITIVE,
        "tangential stiffness of the contact before it slides",
    )
}

const fn damping(symbol: &'static str, about: &'static str) -> Parameter {
    optional(
        0.0,
        required("damping", symbol, "N s/m", Range::NOT_NEGATIVE, about),
    )
}

pub(super) static CARDS: &[Card] = &[
    Card {
        id: "reset-integrator",
        aliases: &["haessig-friedland"],
        family: Family::Bristle,
        group: 0,
        citation: Citation {
            authors: "Haessig, Friedland",
            year: 1991,
            title: "On the modelling and simulation of friction",
            journal: "J. Dyn. Syst. Meas. Control 113, 354",
            equation: "named by Flores et al. 2006, section 4, reference 42",
        },
        formula: "z0 = μd Fn/σ0; zc = max(-z0, min(z0, z)); a = if(abs(zc) < z0, μs/μd - 1, 0); \
                  zdot = if(v > 0 and z >= z0, 0, if(v < 0 and z <= -z0, 0, v)); \
                  Ft = -((1 + a) σ0 zc + σ1 zdot); znew = zc",
        variants: &[],
        parameters: &[
            STATIC,
            KINETIC_ABOVE_ZERO,
            stiffness("σ0"),
            damping(
                "σ1",
                "damping while it bends: keeps it from ringing at rest",
            ),
        ],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: "deflection z [m]",
        state: true,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "slips where abs(z) reaches z0 = μd Fn/σ0; where the normal force drops, z is brought back to z0 at the end of the step",
        notes: "Sticks as a spring of stiffness σ0 μs/μd, so the force reaches μs Fn and falls to μd Fn when it slips; no search for zero speed. The force jumps there and at every reversal, and the \
                damper acts only while it bends. Give σ1 near 2 sqrt(m σ0) to keep a mass m from ringing. \
                Where μs > μd and the load bends it to its limit it hunts: it slips and catches without end, and creeps; with μs = μd it holds.",
        erratum: None,
        law: |c| Form::Reset {
            held: c.get("static_coefficient"),
            sliding: c.get("kinetic_coefficient"),
            stiffness: c.get("stiffness"),
            damping: c.get("damping"),
        },
    },
    Card {
        id: "dahl",
        aliases: &[],
        family: Family::Bristle,
        group: 0,
        citation: Citation {
            authors: "Dahl",
            year: 1968,
            title: "A solid friction model",
            journal: "The Aerospace Corporation, El Segundo",
            equation: "with exponent 1",
        },
        formula: "zc = max(-μ Fn/σ0, min(μ Fn/σ0, z)); zdot = v - σ0 abs(v) zc/(μ Fn); Ft = -σ0 zc; znew = zc",
        variants: &[],
        parameters: &[COEFFICIENT, stiffness("σ0")],
        orders: &[],
        choices: &[],
        memory: "deflection z [m]",
        state: true,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "Fn > 0 (no force without contact); small motions and reversals before sliding",
        notes: "Hysteresis before sliding with one stiffness, no break-away peak. Depends on the path, not on speed. It holds a constant load, but a load that shakes makes it drift a little with every cycle, \
                as real sticking surfaces do not: take tangential-spring where that matters.",
        erratum: None,
        law: |c| {
            Form::Bristle(Bristle {
                held: c.get("coefficient"),
                sliding: c.get("coefficient"),
                fall: f64::INFINITY,
                stiffness: c.get("stiffness"),
                damping: 0.0,
                viscous: 0.0,
            })
        },
    },
    Card {
        id: "lugre",
        aliases: &["canudas-de-wit"],
        family: Family::Bristle,
        group: 0,
        citation: Citation {
            authors: "Canudas de Wit, Olsson, Åström, Lischinsky",
            year: 1995,
            title: "A new model for control of systems with friction",
            journal: "IEEE Trans. Autom. Control 40, 419",
            equation: "the bristle model with a Gaussian Stribeck curve",
        },
        formula: "zc = max(-μs Fn/σ0, min(μs Fn/σ0, z)); g = Fn (μd + (μs-μd) exp(-((v/vs)^2))); zdot = v - σ0 abs(v) zc/g; \
                  Ft = -(σ0 zc + σ1 zdot + σ2 v); znew = zc",
        variants: &[],
        parameters: &[
            STATIC,
            KINETIC_ABOVE_ZERO,
            STRIBECK,
            stiffness("σ0"),
            damping("σ1", "damping of the bristle"),
            optional(
                0.0,
                required(
                    "viscous",
                    "σ2",
                    "N s/m",
                    Range::NOT_NEGATIVE,
                    "viscous friction, whatever the normal force",
                ),
            ),
        ],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: "deflection z [m]",
        state: true,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "Fn > 0 (no force without contact). Certain to be passive where σ2 ≥ σ1 (μs/μd - 1) or while σ1 abs(v) ≤ 4 g (Barabanov and Ortega 2000, IEEE Trans. Autom. Control 45, on the former); \
                   elsewhere it can hand out energy for a moment",
        notes: "Break-away, falling friction and hysteresis before sliding in one smooth law. In steady sliding the force is g sgn(v) + σ2 v. Stiff: the bristle's own time is g/(σ0 abs(v)). Like dahl, it drifts under a \
                load that shakes. With the published σ1 and fast sliding the bristle damper is the part that breaks passivity: give σ2, or a σ1 no larger than needed.",
        erratum: None,
        law: |c| {
            Form::Bristle(Bristle {
                held: c.get("static_coefficient"),
                sliding: c.get("kinetic_coefficient"),
                fall: c.get("stribeck_speed"),
                stiffness: c.get("stiffness"),
                damping: c.get("damping"),
                viscous: c.get("viscous"),
            })
        },
    },
    Card {
        id: "tangential-spring",
        aliases: &["cundall-strack"],
        family: Family::Bristle,
        group: 0,
        citation: Citation {
            authors: "Cundall, Strack",
            year: 1979,
            title: "A discrete numerical model for granular assemblies",
            journal: "Géotechnique 29, 47",
            equation: "Corral et al. 2021, fig. 2; Dt = Dn: Tsuji, Tanaka, Ishida 1992, there after eq. 5.46",
        },
        formula: "Ft = -max(-μ Fn, min(μ Fn, kt z + Dt v)); zdot = v; znew = max(-μ Fn/kt, min(μ Fn/kt, z))",
        variants: &[],
        parameters: &[
            COEFFICIENT,
            stiffness("kt"),
            damping(
                "Dt",
                "tangential damping; Tsuji et al. take the normal damper's coefficient",
            ),
        ],
        orders: &[],
        choices: &[],
        memory: "elongation z of the spring [m]",
        state: true,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "any; where the limit is reached the surfaces slide, and the elongation is brought back to μ Fn/kt at the end of the step",
        notes: "Holds a load at rest without drift, also one that shakes: the usual choice for grains, feet and anything that must stand. The spring alone is cut to the limit, not spring and damper together as some \
                discrete-element codes do: so it never returns energy that it did not take up. Rings at rest unless Dt is given.",
        erratum: None,
        law: |c| Form::Spring {
            coefficient: c.get("coefficient"),
            stiffness: c.get("stiffness"),
            damping: c.get("damping"),
        },
    },
];
