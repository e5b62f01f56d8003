//! Which laws of friction really stick?

use crate::card::Citation;
use crate::card::Parameter;
use crate::card::Range;
use crate::friction::law::Card;
use crate::friction::law::Family;
use crate::friction::law::Form;
use crate::friction::law::Order;
use crate::friction::law::Quantity;
use crate::friction::parts::COEFFICIENT;
use crate::friction::parts::KINETIC;
use crate::friction::parts::STATIC;
use crate::friction::parts::STRIBECK;
use crate::friction::parts::required;

/// Sticking is a state of the mechanism, not of the law.
const STICKS: &str =
    "none; whether the surfaces stick or slide is known to the equations of motion";

const fn dead_band(symbol: &'static str) -> Parameter {
    required(
        "dead_band",
        symbol,
        "m/s",
        Range::POSITIVE,
        "speed below which the surfaces count as sticking",
    )
}

pub(super) static CARDS: &[Card] = &[
    Card {
        id: "coulomb",
        aliases: &["amontons-coulomb"],
        family: Family::Dry,
        group: 0,
        citation: Citation {
            authors: "Coulomb",
            year: 1785,
            title: "Théorie des machines simples",
            journal: "Mémoires de Mathématique et de Physique, Paris",
            equation: "Flores et al. 2006, eq. 12-13, there after Dubowsky 1974",
        },
        formula: "limit = μ Fn; Ft = -μ Fn sgn(v)",
        variants: &[],
        parameters: &[COEFFICIENT],
        orders: &[],
        choices: &[],
        memory: STICKS,
        state: false,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "dry surfaces; set-valued at v = 0, where it bears any force up to the limit",
        notes: "The reference: exact sticking and sliding, one number. The force jumps at v = 0, so the equations of motion must switch between sticking and sliding at located \
                events. Take a regularised law where a small creep does no harm, a spring or bristle where many contacts stick at once.",
        erratum: None,
        law: |c| Form::Dry {
            held: c.get("coefficient"),
            sliding: c.get("coefficient"),
            band: 0.0,
            decay: 0.0,
        },
    },
    Card {
        id: "rooney-deravi",
        aliases: &[],
        family: Family::Dry,
        group: 0,
        citation: Citation {
            authors: "Rooney, Deravi",
            year: 1982,
            title: "Coulomb friction in mechanism sliding joints",
            journal: "Mech. Mach. Theory 17, 207",
            equation: "Flores et al. 2006, eq. 13-14",
        },
        formula: "limit = μ Fn; Ft = -μ Fn sgn(v)",
        variants: &[],
        parameters: &[COEFFICIENT, dead_band("vtol")],
        orders: &[],
        choices: &[],
        memory: STICKS,
        state: false,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "slides where abs(v) ≥ vtol; inside, the force that holds, up to the limit",
        notes: "Coulomb with a band in place of the point v = 0, so that rest is found without locating it. Inside the band the relative speed is to be kept from changing; what is left of it, \
                up to vtol, must be taken out or it stays as drift.",
        erratum: None,
        law: |c| Form::Dry {
            held: c.get("coefficient"),
            sliding: c.get("coefficient"),
            band: c.get("dead_band"),
            decay: 0.0,
        },
    },
    Card {
        id: "karnopp",
        aliases: &[],
        family: Family::Dry,
        group: 0,
        citation: Citation {
            authors: "Karnopp",
            year: 1985,
            title: "Computer simulation of stick-slip friction in mechanical dynamic systems",
            journal: "J. Dyn. Syst. Meas. Control 107, 100",
            equation: "named by Flores et al. 2006, section 4, reference 40",
        },
        formula: "limit = μs Fn; Ft = -μd Fn sgn(v)",
        variants: &[],
        parameters: &[STATIC, KINETIC, dead_band("DV")],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: STICKS,
        state: false,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "slides where abs(v) ≥ DV; inside, v is held constant by the force that takes, released when that force passes μs Fn",
        notes: "Stick-slip with two coefficients and no search for v = 0. It needs the sum of the other forces on the contact, which a mechanism must provide, and the force jumps from \
                μs Fn to μd Fn when it lets go. A DV that is too large swallows slow sliding.",
        erratum: None,
        law: |c| Form::Dry {
            held: c.get("static_coefficient"),
            sliding: c.get("kinetic_coefficient"),
            band: c.get("dead_band"),
            decay: 0.0,
        },
    },
    Card {
        id: "modified-karnopp",
        aliases: &[],
        family: Family::Dry,
        group: 0,
        citation: Citation {
            authors: "Centea, Rahnejat, Menday",
            year: 2001,
            title: "Nonlinear multi-body dynamic analysis for the study of clutch torsional vibrations (judder)",
            journal: "Appl. Math. Model. 25, 177",
            equation: "named by Flores et al. 2006, section 4, reference 41; the exponential is this catalogue's",
        },
        formula: "limit = μs Fn; Ft = -Fn sgn(v) (μd + (μs-μd) exp(-(abs(v)-DV)/vs))",
        variants: &[],
        parameters: &[STATIC, KINETIC, dead_band("DV"), STRIBECK],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: STICKS,
        state: false,
        holds_at_rest: true,
        creep: "",
        quantity: Quantity::Force,
        validity: "as karnopp, but the force leaves the band at μs Fn and falls smoothly to μd Fn over vs",
        notes: "Karnopp's law without its jump at the edge of the band, which spares the integrator a restart. The papers read only name the modification; the smooth transition is \
                made here with an exponential, and tends to karnopp as vs tends to zero.",
        erratum: None,
        law: |c| Form::Dry {
            held: c.get("static_coefficient"),
            sliding: c.get("kinetic_coefficient"),
            band: c.get("dead_band"),
            decay: c.get("stribeck_speed"),
        },
    },
];
