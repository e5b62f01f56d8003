//! How strongly is rolling resisted?

use crate::card::Choice;
use crate::card::Citation;
use crate::card::Range;
use crate::friction::law::Card;
use crate::friction::law::Curve;
use crate::friction::law::Family;
use crate::friction::law::Form;
use crate::friction::law::Quantity;
use crate::friction::parts::NO_MEMORY;
use crate::friction::parts::required;
use crate::friction::regularised::ramp;
use crate::math;

pub(super) static CARDS: &[Card] = &[Card {
    id: "rolling-resistance",
    aliases: &["rolling"],
    family: Family::Rolling,
    group: 0,
    citation: Citation {
        authors: "Ai, Chen, Rotter, Ooi",
        year: 2011,
        title: "Assessment of rolling resistance models in discrete element simulations",
        journal: "Powder Technol. 206, 269",
        equation: "the directional constant torque, regularised here",
    },
    formula: "Ft = -μr R Fn tanh(v/ωt)",
    variants: &[("curve", "linear", "Ft = -μr R Fn max(-1, min(1, v/ωt))")],
    parameters: &[
        required(
            "coefficient",
            "μr",
            "",
            Range::NOT_NEGATIVE,
            "coefficient of rolling resistance: offset of the normal force over the radius",
        ),
        required(
            "radius",
            "R",
            "m",
            Range::POSITIVE,
            "rolling radius; for two bodies R1 R2/(R1 + R2)",
        ),
        required(
            "transition_speed",
            "ωt",
            "rad/s",
            Range::POSITIVE,
            "rolling speed over which the moment rises from nothing",
        ),
    ],
    orders: &[],
    choices: &[Choice {
        name: "curve",
        words: &[
            ("tanh", "smooth: tanh(v/ωt)"),
            ("linear", "straight up to full resistance at ωt"),
        ],
    }],
    memory: NO_MEMORY,
    state: false,
    holds_at_rest: false,
    creep: "ωt artanh(q); linear: ωt q",
    quantity: Quantity::Moment,
    validity: "rolling well above ωt; v is the relative rolling speed [rad/s], Ft the moment [N m]",
    notes: "A ball that rolls comes to rest, instead of never. The published moment jumps at v = 0 and makes a resting ball tremble; regularised it does not, and creeps on a slope instead.",
    erratum: None,
    law: |c| {
        let linear = c.word("curve") == "linear";
        Form::Curve(Curve {
            coefficient: c.get("coefficient") * c.get("radius"),
            start: 0.0,
            width: c.get("transition_speed"),
            rise: if linear { ramp } else { math::tanh },
            inverse: if linear { |q| q } else { math::atanh },
        })
    },
}];
