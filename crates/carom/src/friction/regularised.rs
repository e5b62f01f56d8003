//! Which laws of friction are continuous functions of speed, and so have no force at rest?

use crate::card::Choice;
use crate::card::Citation;
use crate::card::Range;
use crate::friction::law::Card;
use crate::friction::law::Curve;
use crate::friction::law::Family;
use crate::friction::law::Form;
use crate::friction::law::Order;
use crate::friction::law::Peaked;
use crate::friction::law::Quantity;
use crate::friction::parts::COEFFICIENT;
use crate::friction::parts::KINETIC;
use crate::friction::parts::NO_MEMORY;
use crate::friction::parts::STATIC;
use crate::friction::parts::STRIBECK;
use crate::friction::parts::TRANSITION;
use crate::friction::parts::VISCOUS;
use crate::friction::parts::optional;
use crate::friction::parts::required;
use crate::math;

/// 1 − e⁻³, which Threlfall's curve reaches at vr.
const AT_VR: f64 = 0.950_212_931_632_136_1;
/// 2/π.
const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;

/// Straight up to 1.
pub(super) fn ramp(x: f64) -> f64 {
    // Not `min`, which would swallow what is not a number.
    if x >= 1.0 { 1.0 } else { x }
}

/// As Threlfall drew it.
fn threlfall(x: f64) -> f64 {
    -math::exp_m1(-3.0 * x)
}

/// Divided by its value at 1, and level from there on.
fn threlfall_normalised(x: f64) -> f64 {
    if x >= 1.0 { 1.0 } else { threlfall(x) / AT_VR }
}

pub(super) static CARDS: &[Card] = &[
    Card {
        id: "threlfall",
        aliases: &[],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Threlfall",
            year: 1978,
            title: "The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM",
            journal: "Mech. Mach. Theory 13, 475",
            equation: "Flores et al. 2006, eq. 15, corrected",
        },
        formula: "Ft = -μ Fn sgn(v) (1 - exp(-3 abs(v)/vr))",
        variants: &[(
            "curve",
            "normalised",
            "Ft = -μ Fn sgn(v) min(1, (1 - exp(-3 abs(v)/vr))/(1 - exp(-3)))",
        )],
        parameters: &[
            COEFFICIENT,
            required(
                "transition_speed",
                "vr",
                "m/s",
                Range::POSITIVE,
                "small characteristic speed: at it, 95 % of full friction (all of it if normalised)",
            ),
        ],
        orders: &[],
        choices: &[Choice {
            name: "curve",
            words: &[
                (
                    "published",
                    "1 - exp(-3 abs(v)/vr): full friction only far above vr",
                ),
                (
                    "normalised",
                    "divided by 1 - exp(-3), and full friction from vr on",
                ),
            ],
        }],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "-vr ln(1 - q)/3; normalised: -vr ln(1 - q(1 - e^-3))/3",
        quantity: Quantity::Force,
        validity: "sliding well above vr",
        notes: "One speed, one curve, a finite slope 3 μ Fn/vr at rest. For joints that keep moving; a load at rest creeps. The normalised curve has a kink at vr, the published one never quite \
                reaches Coulomb.",
        erratum: Some(
            "Eq. 15 of Flores et al. 2006 is printed without the minus sign: that force has positive power and drives the motion. Read with v, not abs(v), in the exponent it grows without bound for \
             negative speed. Corrected here.",
        ),
        law: |c| {
            let normalised = c.word("curve") == "normalised";
            Form::Curve(Curve {
                coefficient: c.get("coefficient"),
                start: 0.0,
                width: c.get("transition_speed"),
                rise: if normalised {
                    threlfall_normalised
                } else {
                    threlfall
                },
                inverse: if normalised {
                    |q| {
                        if q >= 1.0 {
                            1.0
                        } else {
                            math::ln_1p(-q * AT_VR) / -3.0
                        }
                    }
                } else {
                    |q| math::ln_1p(-q) / -3.0
                },
            })
        },
    },
    Card {
        id: "ambrosio",
        aliases: &[],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Ambrósio",
            year: 2002,
            title: "Impact of rigid and flexible multi-body systems: deformation description and contact models",
            journal: "Virtual non-linear multi-body systems, NATO Advanced Study Institute, Prague, vol. 2, 15",
            equation: "Flores et al. 2006, eq. 16-17",
        },
        formula: "cd = if(abs(v) <= v0, 0, if(abs(v) >= v1, 1, (abs(v)-v0)/(v1-v0))); Ft = -μ cd Fn sgn(v)",
        variants: &[],
        parameters: &[
            COEFFICIENT,
            required(
                "v0",
                "v0",
                "m/s",
                Range::NOT_NEGATIVE,
                "speed up to which there is no friction at all",
            ),
            required(
                "v1",
                "v1",
                "m/s",
                Range::POSITIVE,
                "speed from which there is full friction; above v0",
            ),
        ],
        orders: &[Order {
            low: "v0",
            high: "v1",
            equal: false,
        }],
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "v0 + (v1 - v0) q",
        quantity: Quantity::Force,
        validity: "sliding well above v1",
        notes: "Kind to the integrator, because friction is switched off where its direction is about to change. For the same reason nothing is braked below v0: a body that comes to rest keeps \
                drifting with up to v0, and under a load it creeps between v0 and v1.",
        erratum: None,
        law: |c| {
            Form::Curve(Curve {
                coefficient: c.get("coefficient"),
                start: c.get("v0"),
                width: c.get("v1") - c.get("v0"),
                rise: ramp,
                inverse: |q| q,
            })
        },
    },
    Card {
        id: "linear",
        aliases: &["ramp"],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Marques, Flores, Claro, Lankarani",
            year: 2016,
            title: "A survey and comparison of several friction force models for dynamic analysis of multibody mechanical systems",
            journal: "Nonlinear Dyn. 86, 1407",
            equation: "Coulomb's law with a linear transition",
        },
        formula: "Ft = -μ Fn sgn(v) min(abs(v)/vt, 1)",
        variants: &[],
        parameters: &[COEFFICIENT, TRANSITION],
        orders: &[],
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "vt q",
        quantity: Quantity::Force,
        validity: "sliding well above vt",
        notes: "The simplest law without a jump, and the one whose creep is easiest to foresee. Its kinks at ±vt cost a high-order method a few small steps.",
        erratum: None,
        law: |c| {
            Form::Curve(Curve {
                coefficient: c.get("coefficient"),
                start: 0.0,
                width: c.get("transition_speed"),
                rise: ramp,
                inverse: |q| q,
            })
        },
    },
    Card {
        id: "tanh",
        aliases: &[],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Mostaghel, Davis",
            year: 1997,
            title: "Representations of Coulomb friction for dynamic analysis",
            journal: "Earthquake Eng. Struct. Dyn. 26, 541",
            equation: "the hyperbolic tangent among the representations",
        },
        formula: "Ft = -μ Fn tanh(v/vt)",
        variants: &[],
        parameters: &[COEFFICIENT, TRANSITION],
        orders: &[],
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "vt artanh(q)",
        quantity: Quantity::Force,
        validity: "sliding well above vt: 76 % of full friction at vt, 99.5 % at 3 vt",
        notes: "Smooth everywhere and close to Coulomb soon after vt: the usual choice with high-order and implicit methods. Creeps under a load at rest.",
        erratum: None,
        law: |c| {
            Form::Curve(Curve {
                coefficient: c.get("coefficient"),
                start: 0.0,
                width: c.get("transition_speed"),
                rise: math::tanh,
                inverse: math::atanh,
            })
        },
    },
    Card {
        id: "arctan",
        aliases: &["atan"],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Mostaghel, Davis",
            year: 1997,
            title: "Representations of Coulomb friction for dynamic analysis",
            journal: "Earthquake Eng. Struct. Dyn. 26, 541",
            equation: "the inverse tangent among the representations",
        },
        // 2/π, in digits.
        formula: "Ft = -(2/π) μ Fn atan(v/vt)",
        variants: &[],
        parameters: &[COEFFICIENT, TRANSITION],
        orders: &[],
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "vt tan(π q/2)",
        quantity: Quantity::Force,
        validity: "sliding far above vt: half of full friction at vt, 99 % only at 64 vt",
        notes: "Found in many older programs. Smooth, but it comes near Coulomb so slowly that vt must be some twenty times smaller than for tanh: prefer tanh.",
        erratum: None,
        law: |c| {
            Form::Curve(Curve {
                coefficient: c.get("coefficient"),
                start: 0.0,
                width: c.get("transition_speed"),
                rise: |x| TWO_OVER_PI * math::atan(x),
                // The tangent of the double nearest π/2 is large but finite.
                inverse: |q| {
                    if q >= 1.0 {
                        f64::INFINITY
                    } else {
                        math::tan(q / TWO_OVER_PI)
                    }
                },
            })
        },
    },
    Card {
        id: "stribeck",
        aliases: &["bo-pavelescu"],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Bo, Pavelescu",
            year: 1982,
            title: "The friction-speed relation and its influence on the critical velocity of stick-slip motion",
            journal: "Wear 82, 277",
            equation: "the exponential of a power; the transition by tanh as in Andersson, Söderberg, Björklund 2007, Tribol. Int. 40, 580",
        },
        formula: "Ft = -Fn ((μd + (μs-μd) exp(-((abs(v)/vs)^p))) tanh(v/vt) + μv v)",
        variants: &[],
        parameters: &[
            STATIC,
            KINETIC,
            STRIBECK,
            optional(
                2.0,
                required(
                    "exponent",
                    "p",
                    "",
                    Range::POSITIVE,
                    "shape of the fall from static to kinetic: 2 is a Gaussian, 1 an exponential; 0.5 to 2 are in use",
                ),
            ),
            TRANSITION,
            VISCOUS,
        ],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "the lowest v with friction = q μs Fn; near vt artanh(q) if vt is far below vs; none above the peak, which is lower than μs",
        quantity: Quantity::Force,
        validity: "vt well below vs, or the peak stays below μs: with p = 2 and μs = 5/3 μd it is 0.963 μs for vs = 10 vt, 0.999 μs for vs = 100 vt",
        notes: "Falling friction at rising speed, which drives stick-slip and squeal, with a shape to fit. The peak is somewhat below μs and lies between vt and vs. At rest it creeps: for \
                true stick-slip take karnopp or lugre.",
        erratum: None,
        law: |c| {
            Form::Peaked(Peaked {
                held: c.get("static_coefficient"),
                sliding: c.get("kinetic_coefficient"),
                rise: c.get("transition_speed"),
                fall: c.get("stribeck_speed"),
                power: c.get("exponent"),
                viscous: c.get("viscous"),
                curve: |p, v| {
                    let fallen = math::exp(-math::powf(v / p.fall, p.power));
                    (p.sliding + (p.held - p.sliding) * fallen) * math::tanh(v / p.rise)
                        + p.viscous * v
                },
            })
        },
    },
    Card {
        id: "brown-mcphee",
        aliases: &[],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Brown, McPhee",
            year: 2016,
            title: "A continuous velocity-based friction model for dynamics and control with physically meaningful parameters",
            journal: "J. Comput. Nonlinear Dyn. 11, 054502",
            equation: "the friction law; its viscous part here per normal force",
        },
        formula: "x = v/vt; Ft = -Fn (μd tanh(4 x) + (μs-μd) x/((0.25 x^2 + 0.75)^2) + μv v)",
        variants: &[],
        parameters: &[STATIC, KINETIC, TRANSITION, VISCOUS],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "the lowest v with friction = q μs Fn, below vt for q up to 1 - 0.00067 μd/μs",
        quantity: Quantity::Force,
        validity: "vt is the speed of the peak, where the coefficient is μs - 0.00067 μd; within 2 % of the way to μd from 10 vt on",
        notes: "Smooth in every derivative, quick, and every number can be read off a measured curve: the peak stands at vt. One speed for rise and fall: take stribeck where they differ. At rest it creeps.",
        erratum: None,
        law: |c| {
            Form::Peaked(Peaked {
                held: c.get("static_coefficient"),
                sliding: c.get("kinetic_coefficient"),
                rise: c.get("transition_speed"),
                fall: c.get("transition_speed"),
                power: 1.0,
                viscous: c.get("viscous"),
                curve: |p, v| {
                    let x = v / p.rise;
                    let flat = 0.25 * x * x + 0.75;
                    // Divided twice, because the square may overflow where the quotient is merely small.
                    p.sliding * math::tanh(4.0 * x)
                        + (p.held - p.sliding) * (x / flat / flat)
                        + p.viscous * v
                },
            })
        },
    },
    Card {
        id: "hollars",
        aliases: &[],
        family: Family::Regularised,
        group: 0,
        citation: Citation {
            authors: "Sherman, Seth, Delp",
            year: 2011,
            title: "Simbody: multibody dynamics for biomedical research",
            journal: "Procedia IUTAM 2, 241",
            equation: "the friction law of its compliant contact, named after Hollars",
        },
        formula: "x = abs(v)/vt; Ft = -Fn sgn(v) (min(x, 1) (μd + 2 (μs-μd)/(1 + x^2)) + μv abs(v))",
        variants: &[],
        parameters: &[STATIC, KINETIC, TRANSITION, VISCOUS],
        orders: Order::COEFFICIENTS,
        choices: &[],
        memory: NO_MEMORY,
        state: false,
        holds_at_rest: false,
        creep: "the lowest v with friction = q μs Fn, not above vt",
        quantity: Quantity::Force,
        validity: "exactly μs at vt without a viscous part; falls slowly: within 1 % of the way to μd only at 14 vt",
        notes: "To carry over models of biomechanics. Cheap: no exponential. It has a kink at vt, and its tail of static friction is long. At rest it creeps.",
        erratum: None,
        law: |c| {
            Form::Peaked(Peaked {
                held: c.get("static_coefficient"),
                sliding: c.get("kinetic_coefficient"),
                rise: c.get("transition_speed"),
                fall: c.get("transition_speed"),
                power: 1.0,
                viscous: c.get("viscous"),
                curve: |p, v| {
                    let x = v / p.rise;
                    ramp(x) * (p.sliding + 2.0 * (p.held - p.sliding) / (1.0 + x * x))
                        + p.viscous * v
                },
            })
        },
    },
];
