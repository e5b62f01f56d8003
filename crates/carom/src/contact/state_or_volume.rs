//! Which laws have a variable of their own, remember the time of touch, or see the volume of the overlap?

use core::f64::consts::PI;

use crate::card::{Citation, Need, Parameter, Range, Role};
use crate::math;

use super::card::{Card, EMPTY, Family, Given, RestitutionError, Separation, Tension};
use super::closed;
use super::elastic::STIFFNESS;
use super::form::{Damper, Elastic, Form, State};
use super::hysteresis::RESTITUTION;
use super::plastic::{MODULUS, RADIUS};

/// Two bodies whose overlap has a known volume. Beyond the limit one lies inside the other: the volume grows no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    /// Two spheres.
    Spheres {
        /// One radius, m.
        r1: f64,
        /// The other, m.
        r2: f64,
    },
    /// A sphere and a half-space.
    Cap {
        /// The radius, m.
        radius: f64,
    },
}

impl Overlap {
    /// The indentation at which the smaller body lies inside the other, m.
    #[inline]
    pub fn limit(&self) -> f64 {
        match *self {
            Self::Spheres { r1, r2 } => 2.0 * r1.min(r2),
            Self::Cap { radius } => 2.0 * radius,
        }
    }

    /// The volume V, m³.
    #[inline]
    pub fn volume(&self, delta: f64) -> f64 {
        let x = delta.clamp(0.0, self.limit());
        match *self {
            // πδ²(c² + 2c(R1+R2) − 3(R1−R2)²)/(12c) with c = R1 + R2 − δ, multiplied out so that no digits are lost at small δ.
            Self::Spheres { r1, r2 } => {
                let (sum, apart) = (r1 + r2, r1 + r2 - x);
                if apart > 0.0 {
                    PI * x * x * (12.0 * r1 * r2 - x * (4.0 * sum - x)) / (12.0 * apart)
                } else {
                    // Equal spheres, one upon the other.
                    PI * x * x * x / 6.0
                }
            }
            Self::Cap { radius } => PI * x * x * (3.0 * radius - x) / 3.0,
        }
    }

    /// dV/dδ, the area of the circle where the surfaces meet, m².
    #[inline]
    pub fn area(&self, delta: f64) -> f64 {
        let x = delta.clamp(0.0, self.limit());
        match *self {
            Self::Spheres { r1, r2 } => {
                let apart = r1 + r2 - x;
                // Equal spheres keep their great circle to the end.
                let shape = if apart > 0.0 {
                    (2.0 * r1 - x) * (2.0 * r2 - x) / (apart * apart)
                } else {
                    1.0
                };
                0.25 * PI * x * (2.0 * (r1 + r2) - x) * shape
            }
            Self::Cap { radius } => PI * x * (2.0 * radius - x),
        }
    }

    /// ∫V dδ from zero, m⁴.
    pub fn work(&self, delta: f64) -> f64 {
        let x = delta.clamp(0.0, self.limit());
        let inside = (delta - x).max(0.0) * self.volume(x);
        inside
            + match *self {
                // V = π S³ x²(α − 4x + x²)/(12(1 − x)) with S = R1 + R2, x = δ/S and α = 12 R1 R2/S²; the fraction divided out leaves a logarithm, of which only the series from
                // x⁵/5 on is needed.
                Self::Spheres { r1, r2 } => {
                    let sum = r1 + r2;
                    let (x, alpha) = (x / sum, 12.0 * r1 * r2 / (sum * sum));
                    let unequal = (r1 - r2) / sum;
                    // α − 3 = −3 ((R1 − R2)/S)²
                    let rest = -3.0 * unequal * unequal;
                    let tail = if rest == 0.0 { 0.0 } else { rest * tail(x) };
                    let poly = x * x * x * (alpha / 3.0 + x * (0.25 * alpha - 1.0));
                    PI / 12.0 * (sum * sum) * (sum * sum) * (poly + tail)
                }
                Self::Cap { radius } => PI * x * x * x * (4.0 * radius - x) / 12.0,
            }
    }

    /// The inverse of [`Overlap::work`], m; not beyond the limit.
    pub fn depth(&self, work: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.limit());
        if work >= self.work(high) {
            return high;
        }
        let radius = match *self {
            Self::Spheres { r1, r2 } => r1 * r2 / (r1 + r2),
            Self::Cap { radius } => radius,
        };
        // V = πRδ² at small δ; from there Newton's method inside an interval that shrinks.
        let mut x = math::cbrt(3.0 * work / (PI * radius)).min(0.5 * high);
        for _ in 0..200 {
            let miss = self.work(x) - work;
            if miss > 0.0 {
                high = x;
            } else {
                low = x;
            }
            let mut next = x - miss / self.volume(x);
            if !(next > low && next < high) {
                next = 0.5 * (low + high);
            }
            let moved = (next - x).abs();
            x = next;
            if moved <= 2e-16 * x {
                break;
            }
        }
        x
    }
}

/// −ln(1 − x) − x − x²/2 − x³/3 − x⁴/4 for 0 ≤ x < 1.
fn tail(x: f64) -> f64 {
    if x < 0.25 {
        // x⁵/5 + x⁶/6 + …
        let mut sum = 0.0;
        for k in (5..=32).rev() {
            sum = 1.0 / f64::from(k) + x * sum;
        }
        return math::powi(x, 5) * sum;
    }
    -math::ln_1p(-x) - x * (1.0 + x * (0.5 + x * (1.0 / 3.0 + 0.25 * x)))
}

/// A variable a that follows P = δ^λ behind time and bears a force of its own (Xiong et al., in Corral et al. 2021, eq. 5.82): the whole force is K max(0, P + γ(β1 + β2 a)(P − a)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lag {
    /// K, N/m^λ: the elastic force over it is P.
    pub k: f64,
    /// γ, 1/s.
    pub gamma: f64,
    /// β1, s.
    pub beta1: f64,
    /// β2, s/m^λ.
    pub beta2: f64,
}

impl Lag {
    /// The force beside the elastic one, N.
    #[inline]
    pub fn force(&self, elastic: f64, own: f64) -> f64 {
        let weight = self.gamma * (self.beta1 + self.beta2 * own);
        (weight * (elastic - self.k * own)).max(-elastic)
    }

    /// The rate of the variable, m^λ/s. The two branches meet where the force is zero: in contact it is γ(P − a).
    #[inline]
    pub fn rate(&self, elastic: f64, own: f64) -> f64 {
        let weight = self.gamma * (self.beta1 + self.beta2 * own);
        let free = -self.gamma * own / (1.0 + weight);
        free.max(self.gamma * (elastic / self.k - own))
    }

    /// The force before it is cut off, over P: K (1 + γ(β1 + β2 a)(1 − a/P)).
    pub(super) fn leading_force(&self, elastic: f64, own: f64) -> f64 {
        let weight = self.gamma * (self.beta1 + self.beta2 * own);
        if weight == 0.0 {
            self.k
        } else if elastic > 0.0 {
            self.k * (1.0 + weight * (1.0 - self.k * own / elastic))
        } else if own > 0.0 && weight > 0.0 {
            -self.k
        } else {
            self.k * (1.0 + weight)
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        [self.k, self.gamma, self.beta1, self.beta2]
            .iter()
            .all(|x| x.is_finite())
    }
}

/// A damper that comes up as the material relaxes: c (1 − e^(−t/T)) √δ v, t since touch (Jian et al., in Corral et al. 2021, eq. 5.84).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxing {
    /// c, N s/m^1.5.
    pub c: f64,
    /// T, s.
    pub relaxation: f64,
}

impl Relaxing {
    #[inline]
    fn risen(&self, time: f64) -> f64 {
        // Nothing has risen before touch.
        -math::exp_m1(-time.max(0.0) / self.relaxation)
    }

    /// The force, N.
    #[inline]
    pub fn force(&self, s: &State) -> f64 {
        self.c * self.risen(s.time) * math::sqrt(s.delta.max(0.0)) * s.rate
    }

    /// The whole force over (1 − e^(−t/T)) √δ, which both vanish at touch: there the damper's c v is left, before the elastic part joins it.
    pub(super) fn leading_force(&self, elastic: f64, s: &State) -> f64 {
        let damper = self.c * s.rate;
        let scale = self.risen(s.time) * math::sqrt(s.delta.max(0.0));
        if scale > 0.0 {
            elastic / scale + damper
        } else if elastic > 0.0 {
            f64::INFINITY
        } else {
            damper
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.c.is_finite() && self.relaxation.is_finite() && self.relaxation > 0.0
    }
}

/// k V (1 + h v/v0) or k δ (1 + h v/v0) with the h that returns the restitution asked for.
fn exact(given: &Given, elastic: Elastic) -> Form {
    Form {
        elastic,
        damper: Damper::Factor {
            per_speed: closed::exact_hysteresis(given.restitution) / given.v0,
        },
    }
}

/// A positive number.
const fn positive(
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    role: Role,
    about: &'static str,
) -> Parameter {
    Parameter {
        name,
        symbol,
        unit,
        role,
        need: Need::Required,
        range: Range::POSITIVE,
        about,
    }
}

/// What the cards of this family share.
const STATE_OR_VOLUME: Card = Card {
    family: Family::StateOrVolume,
    group: 5,
    separations: &[Separation::ZeroForce],
    tension: Tension::EndsContact,
    law: |given| {
        Ok(Form {
            elastic: Elastic::power(given.get("stiffness"), f64::NAN),
            damper: Damper::None,
        })
    },
    ..EMPTY
};

/// The table.
pub(super) const CARDS: &[Card] = &[
    Card {
        id: "xiong",
        citation: Citation {
            authors: "Xiong, Kikuuwe, Yamamoto",
            year: 2014,
            title: "A contact force model with nonlinear compliance and residual indentation",
            journal: "J. Appl. Mech.",
            equation: "Corral et al. 2021, eq. 5.81-5.82",
        },
        formula: "F = K max(0, P + γ (β1 + β2 a) (P - a)); P = δ^λ; adot = max(-(γ a)/(1 + γ (β1 + β2 a)), γ (P - a))",
        parameters: &[
            Parameter {
                unit: "N/m^λ",
                ..STIFFNESS
            },
            Parameter {
                name: "exponent",
                symbol: "λ",
                unit: "",
                role: Role::Exponent,
                need: Need::Default(1.5),
                range: Range::closed(1.0, 3.0),
                about: "3/2 for circular and elliptic contacts (Hertz), 1 for flat ones",
            },
            Parameter {
                name: "beta_1",
                symbol: "β1",
                unit: "s",
                role: Role::Other,
                need: Need::Default(0.0),
                range: Range::NOT_NEGATIVE,
                about: "damping that acts from touch on: residual indentation, steepness at touch",
            },
            Parameter {
                name: "beta_2",
                symbol: "β2",
                unit: "s/m^λ",
                role: Role::Damping,
                need: Need::Required,
                range: Range::NOT_NEGATIVE,
                about: "damping that grows with the indentation: roundness of the loop",
            },
            positive(
                "gamma",
                "γ",
                "1/s",
                Role::Other,
                "how fast the variable a follows; well above one over the duration of contact",
            ),
        ],
        memory: "a variable a, m^λ, with a differential equation of its own; zero at touch",
        // Force that is cut off may come up again while a relaxes: at high damping a contact that ended at its first zero would jump to another restitution.
        separations: &[Separation::ZeroIndentation, Separation::ZeroForce],
        tension: Tension::CutOff,
        validity: "β1, β2 ≥ 0, λ ≥ 1, γ some hundred times one over the duration of contact. Where a lags behind, β2 makes the spring stiffer while it is pressed: with γ three times one over the duration and large β2 more comes back than went in (1.9 was seen)",
        calibrates: "β2",
        notes: "For soft things that part while still indented: the force is continuous at touch, shaped like Hertz's, and zero before the indentation is. At high damping it can be zero for a while and come up again; by default the contact is followed until the indentation is zero, `separation = zero-force` ends it at the first zero of the force. What is left of a relaxes after parting; here every touch begins with a = 0, right if the pause is long against 1/γ. The restitution follows from all parameters and the speed; over β2 it falls to a least one (0.82, 0.12 and 0.005 for γ 3, 30 and 300 times one over the duration, β1 = 0) and rises again: calibrated, β2 is sought before that. F - K P is called the damper's force; at times it gives back a little of what it took.",
        erratum: "Corral et al. (2021) print the force with a minus sign (eq. 5.82, Table 1), which pulls the bodies together in the convention of all other laws and contradicts eq. 5.81. γ ≥ 0 there must be γ > 0: eq. 5.81 divides by it.",
        law: |given| {
            let k = given.get("stiffness");
            Ok(Form {
                elastic: Elastic::power(k, given.get("exponent")),
                damper: Damper::Lag(Lag {
                    k,
                    gamma: given.get("gamma"),
                    beta1: given.get("beta_1"),
                    beta2: given.get("beta_2"),
                }),
            })
        },
        ..STATE_OR_VOLUME
    },
    Card {
        id: "jian",
        citation: Citation {
            authors: "Jian, Hu, Fang, Zhou, Xia",
            year: 2019,
            title: "A normal contact force approach for viscoelastic spheres of the same material",
            journal: "Powder Technol.",
            equation: "Corral et al. 2021, eq. 5.83-5.91",
        },
        formula: "F = (4 Ge sqrt(R)/(3 (1 - ν))) δ^1.5 + (2 η/(1 - ν)) (1 - exp(-t/T)) sqrt(R δ) v; T = η/Gd",
        parameters: &[
            positive(
                "equilibrium_shear_modulus",
                "Ge",
                "Pa",
                Role::Other,
                "what is left of the shear modulus after a long time",
            ),
            positive(
                "decaying_shear_modulus",
                "Gd",
                "Pa",
                Role::Other,
                "the part of the shear modulus that relaxes, G' of G(t) = Ge + G' exp(-t/T)",
            ),
            positive(
                "viscosity",
                "η",
                "Pa s",
                Role::Other,
                "shear viscosity; the relaxation time is T = η/G'",
            ),
            Parameter {
                name: "poisson",
                symbol: "ν",
                unit: "",
                role: Role::Other,
                need: Need::Required,
                range: Range::closed(0.0, 0.5),
                about: "Poisson's ratio, taken as constant in time",
            },
            RADIUS,
        ],
        memory: "time of touch",
        validity: "spheres of one viscoelastic material that relaxes quickly: T small against the time to the deepest point",
        notes: "For rubber-like spheres with measured relaxation. Nothing to calibrate: η sets the damper and its relaxation time together, so that with more viscosity the damper comes later as well as stronger, and the restitution never falls below a least one that G' sets. It reads the time since touch: a contact that lasts ends up as a plain damper.",
        erratum: "Table 1 of Corral et al. (2021) prints exp(-1/T), which has a unit in the exponent and never changes with time; the text has exp(-t/T) (eq. 5.84).",
        law: |given| {
            let rest = 1.0 - given.get("poisson");
            let root = math::sqrt(given.get("effective_radius"));
            let viscosity = given.get("viscosity");
            let k = 4.0 * given.get("equilibrium_shear_modulus") * root / (3.0 * rest);
            Ok(Form {
                elastic: Elastic::power(k, 1.5),
                damper: Damper::Relaxing(Relaxing {
                    c: 2.0 * viscosity * root / rest,
                    relaxation: viscosity / given.get("decaying_shear_modulus"),
                }),
            })
        },
        ..STATE_OR_VOLUME
    },
    Card {
        id: "roy-carretero",
        citation: Citation {
            authors: "Roy, Carretero",
            year: 2012,
            title: "A damping term based on material properties for the volume-based contact dynamics model",
            journal: "Int. J. Non-Linear Mech.",
            equation: "Corral et al. 2021, eq. 5.80",
        },
        formula: "F = (E1 E2/(R2 E1 + R1 E2)) V + (D1 D2/(R2 D1 + R1 D2)) Vdot; c = R1 + R2 - δ; V = π δ^2 (c^2 + 2 c (R1 + R2) - 3 (R1 - R2)^2)/(12 c); Vdot = π asq v; asq = (c + R1 + R2) (R1 + R2 - c) (c + R1 - R2) (c - R1 + R2)/(4 c^2)",
        parameters: &[
            positive("radius_1", "R1", "m", Role::Other, "radius of one sphere"),
            positive(
                "radius_2",
                "R2",
                "m",
                Role::Other,
                "radius of the other sphere",
            ),
            positive(
                "young_1",
                "E1",
                "Pa",
                Role::Other,
                "Young's modulus of one sphere",
            ),
            positive(
                "young_2",
                "E2",
                "Pa",
                Role::Other,
                "Young's modulus of the other sphere",
            ),
            positive(
                "damping_1",
                "D1",
                "Pa s",
                Role::Damping,
                "damping constant of the material of one sphere",
            ),
            positive(
                "damping_2",
                "D2",
                "Pa s",
                Role::Damping,
                "damping constant of the material of the other sphere",
            ),
        ],
        validity: "two spheres, δ up to the smaller diameter; constants D that do not depend on the speed",
        calibrates: "D",
        // The same for both bodies.
        own_terms: |c, given, _| c * (given.get("radius_1") + given.get("radius_2")),
        notes: "A volume-based contact whose damper comes from the material instead of a restitution. The stiffness is that of two springs in series, not Hertz's: the force starts as δ². A plane (infinite radius) has no stiffness in it: take gonthier-volumetric. Calibrated, the common factor of the damper is solved for.",
        erratum: "Corral et al. (2021) print D1 D2/(R2 E1 + R1 E2) for the damper (eq. 5.80, Table 1): with that the force depends on the unit of time. It is D1 D2/(R2 D1 + R1 D2), like the elastic part.",
        law: |given| {
            let (r1, r2) = (given.get("radius_1"), given.get("radius_2"));
            // Two springs, or two dampers, in series.
            let series = |one: f64, other: f64| 1.0 / (r1 / one + r2 / other);
            let overlap = Overlap::Spheres { r1, r2 };
            Ok(Form {
                elastic: Elastic::Volume {
                    k: series(given.get("young_1"), given.get("young_2")),
                    overlap,
                },
                damper: Damper::Volume {
                    c: series(given.get("damping_1"), given.get("damping_2")),
                    overlap,
                },
            })
        },
        ..STATE_OR_VOLUME
    },
    Card {
        id: "gonthier-volumetric",
        group: 2,
        citation: Citation {
            authors: "Gonthier, McPhee, Lange, Piedbœuf",
            year: 2004,
            title: "A regularized contact model with asymmetric damping and dwell-time dependent friction",
            journal: "Multibody Syst. Dyn. 11, 209",
            equation: "Machado et al. 2012, text after eq. 42",
        },
        formula: "F = kV V (1 + h v/v0); V = π δ^2 (3 R - δ)/3; h (1 + cr) = ln((1 + h)/(1 - h cr))",
        parameters: &[
            positive(
                "volume_stiffness",
                "kV",
                "N/m^3",
                Role::Stiffness,
                "force per volume of overlap; not to be had from the papers: measure it, or the modulus over the depth of an elastic layer",
            ),
            RADIUS,
            RESTITUTION,
        ],
        memory: "approach speed v0",
        separations: &[Separation::ZeroIndentation],
        tension: Tension::Never,
        validity: "0 < cr ≤ 1, without other forces; a sphere on a plane, δ up to its diameter. Two spheres as one of their effective radius: right to first order in δ/R",
        restitution_error: RestitutionError::Exact,
        calibrates: "h",
        own_terms: |c, given, _| c * given.v0,
        notes: "For soft layers and conformal contacts, where force goes with the volume of overlap. The law takes any shape; what stands here is the cap of a sphere on a plane. Exact as exact-restitution is: the shape of the elastic part does not matter to the restitution.",
        law: |given| {
            Ok(exact(
                given,
                Elastic::Volume {
                    k: given.get("volume_stiffness"),
                    overlap: Overlap::Cap {
                        radius: given.get("effective_radius"),
                    },
                },
            ))
        },
        ..STATE_OR_VOLUME
    },
    Card {
        id: "luo-nahon",
        group: 2,
        citation: Citation {
            authors: "Luo, Nahon",
            year: 2006,
            title: "A compliant contact model including interference geometry for polyhedral objects",
            journal: "J. Comput. Nonlinear Dyn.",
            equation: "Corral et al. 2021, eq. 5.27-5.30",
        },
        formula: "F = γ π Es (A/τ) δ (1 + h v/v0); h (1 + cr) = ln((1 + h)/(1 - h cr))",
        parameters: &[
            positive(
                "case_coefficient",
                "γ",
                "",
                Role::Other,
                "of the contact case: pressure distribution, true against overlapping geometry",
            ),
            MODULUS,
            positive(
                "interference_area",
                "A",
                "m^2",
                Role::Other,
                "contact area A' of the overlapping geometry",
            ),
            positive(
                "shape_length",
                "τ",
                "m",
                Role::Other,
                "shape coefficient τ' of the overlapping geometry",
            ),
            RESTITUTION,
        ],
        memory: "approach speed v0",
        separations: &[Separation::ZeroIndentation],
        tension: Tension::Never,
        validity: "0 < cr ≤ 1, without other forces; faces and edges of polyhedra with constant A' and τ'",
        restitution_error: RestitutionError::Exact,
        calibrates: "h",
        own_terms: |c, given, _| c * given.v0,
        notes: "For flat faces. γ, A' and τ' follow from the geometry of the two bodies by the authors' method, which the reviews do not give: here they are numbers, constant through the contact, so that the force is linear in δ.",
        law: |given| {
            let area = given.get("interference_area") / given.get("shape_length");
            let k = given.get("case_coefficient") * PI * given.get("effective_modulus") * area;
            Ok(exact(given, Elastic::power(k, 1.0)))
        },
        ..STATE_OR_VOLUME
    },
];
