//! What may be put to the data: a law of the catalogue, or a plain curve of restitution over speed.

use crate::card::{Range, Role};
use crate::contact::Card;
use crate::math;

use super::unknowns::Unknown;

/// A plain curve of restitution over approach speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// The same at every speed.
    Constant,
    /// 1 − α v.
    Falling,
    /// 1 − c v^(1/5): the first term for viscoelastic spheres (Kuwabara and Kono 1987).
    FifthRoot,
    /// c v^(−b), at most 1: b = 1/4 for plastic spheres (Johnson 1985).
    Power,
}

impl Curve {
    /// All of them.
    pub const ALL: [Curve; 4] = [
        Curve::Constant,
        Curve::Falling,
        Curve::FifthRoot,
        Curve::Power,
    ];

    /// As it is named beside the laws.
    pub fn id(self) -> &'static str {
        match self {
            Curve::Constant => "e-constant",
            Curve::Falling => "e-falling",
            Curve::FifthRoot => "e-fifth-root",
            Curve::Power => "e-power",
        }
    }

    /// As it is written.
    pub fn formula(self) -> &'static str {
        match self {
            Curve::Constant => "e",
            Curve::Falling => "1 − alpha v",
            Curve::FifthRoot => "1 − factor v^(1/5)",
            Curve::Power => "at_1_m_s v^(−power), at most 1",
        }
    }

    pub(super) fn unknowns(self) -> Vec<Unknown> {
        let within = |name, low, high| Unknown {
            log: false,
            range: Range::closed(low, high),
            ..Unknown::positive(name, "")
        };
        // A loss is small beside one, as a damper is.
        let loss = |name, unit| Unknown {
            role: Role::Damping,
            ..Unknown::positive(name, unit)
        };
        match self {
            Curve::Constant => vec![within("e", 0.0, 1.0)],
            Curve::Falling => vec![loss("alpha", "s/m")],
            Curve::FifthRoot => vec![loss("factor", "s^0.2/m^0.2")],
            Curve::Power => vec![Unknown::positive("at_1_m_s", ""), within("power", 0.0, 2.0)],
        }
    }

    pub(super) fn at(self, p: &[f64], v: f64) -> f64 {
        let get = |i: usize| p.get(i).copied().unwrap_or(f64::NAN);
        match self {
            Curve::Constant => get(0),
            Curve::Falling => 1.0 - get(0) * v,
            Curve::FifthRoot => 1.0 - get(0) * math::powf(v, 0.2),
            Curve::Power => (get(0) * math::powf(v, -get(1))).min(1.0),
        }
        .max(1e-9)
    }
}

/// What is put to the data.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
    /// A law of the catalogue.
    Law(&'static Card),
    /// A plain curve of restitution.
    Curve(Curve),
}

impl Candidate {
    /// Its name.
    pub fn id(&self) -> &'static str {
        match self {
            Candidate::Law(card) => card.id,
            Candidate::Curve(curve) => curve.id(),
        }
    }
}
