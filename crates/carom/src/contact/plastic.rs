//! Which laws leave a permanent indentation, and how do they come back from the deepest point?
//!
//! Loading goes along one curve, unloading along another that is fixed where the indentation turns. Reloading goes along the way back up to the deepest point and then loads on (the
//! papers do not say; any other rule would give energy away). The force depends on the indentation alone: what is lost is the area between the two curves.

use core::f64::consts::{FRAC_PI_2, PI};

use crate::card::{Choice, Citation, Need, Parameter, Range, Role};
use crate::math;

use super::card::{Card, EMPTY, Family, RestitutionError, Separation};
use super::closed;
use super::elastic::{EXPONENT, STIFFNESS};
use super::form::{Damper, Elastic, Exponent, Form};
use super::hysteresis::RESTITUTION;

/// A loading curve, K δ^n up to yield and a straight line beyond, and the way back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plastic {
    /// K, N/m^n.
    pub k: f64,
    /// n.
    pub n: Exponent,
    /// Indentation at yield, m; infinite if the curve has no straight part.
    pub yield_at: f64,
    /// Force at yield, N; zero if there is none.
    pub yield_force: f64,
    /// Slope beyond yield, N/m; zero if there is none.
    pub slope: f64,
    /// The way back.
    pub recovery: Recovery,
}

/// How a law with permanent indentation comes back from the deepest point δm, where the force is Fm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recovery {
    /// Fm ((δ − δp)/(δm − δp))^n, with a given permanent indentation.
    Residual {
        /// δp, m.
        permanent: f64,
    },
    /// The same, with δp = δm (1 − share): this part of the work of loading comes back.
    Share(f64),
    /// The same with the exponent 1 and Yigit's share 1 − (1 − √(critical/δm))^(2/3); all of it up to the critical depth.
    LossFactor {
        /// The depth from which on something is lost, m: 2.25 times the indentation at yield.
        critical: f64,
    },
    /// K δ^(3/2) less a constant: the curve of loading, moved down.
    Moved,
    /// Hertz's curve of the flattened surface (Thornton).
    Flattened {
        /// E*, Pa.
        modulus: f64,
        /// Limiting contact pressure, Pa.
        pressure: f64,
    },
}

/// A way back: k ((δ − shift)^n − offset), nothing below the permanent indentation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unloading {
    /// k, N/m^n.
    pub k: f64,
    /// n.
    pub n: Exponent,
    /// Where the power begins, m.
    pub shift: f64,
    /// What is taken off the power, m^n.
    pub offset: f64,
    /// Where the force is zero, m.
    pub permanent: f64,
}

impl Unloading {
    /// No force at all.
    pub const NONE: Unloading = Unloading {
        k: 0.0,
        n: Exponent::One,
        shift: 0.0,
        offset: 0.0,
        permanent: 0.0,
    };

    /// The force, N.
    #[inline]
    pub fn force(&self, delta: f64) -> f64 {
        if delta > self.permanent {
            self.k * (self.n.raise(delta - self.shift) - self.offset)
        } else {
            0.0
        }
    }

    /// What comes back from this indentation, J.
    pub fn work(&self, delta: f64) -> f64 {
        if delta <= self.permanent {
            return 0.0;
        }
        let area = |x: f64| x * (self.n.raise(x) / (self.n.value() + 1.0) - self.offset);
        let end = if self.offset == 0.0 {
            0.0
        } else {
            area(self.permanent - self.shift)
        };
        (self.k * (area(delta - self.shift) - end)).max(0.0)
    }
}

impl Plastic {
    /// K δ^n without a straight part.
    pub(super) fn power(k: f64, n: f64, recovery: Recovery) -> Self {
        Self {
            k,
            n: Exponent::new(n),
            yield_at: f64::INFINITY,
            yield_force: 0.0,
            slope: 0.0,
            recovery,
        }
    }

    /// K δ^(3/2) up to yield, then this slope.
    pub(super) fn yielding(k: f64, yield_at: f64, slope: f64, recovery: Recovery) -> Self {
        let n = Exponent::ThreeHalves;
        Self {
            k,
            n,
            yield_at,
            yield_force: k * n.raise(yield_at),
            slope,
            recovery,
        }
    }

    /// Elastic-perfectly plastic spheres (Thornton 1997) of this E* (Pa), effective radius (m) and limiting contact pressure (Pa).
    pub fn spheres(modulus: f64, radius: f64, pressure: f64) -> Self {
        let strain = FRAC_PI_2 * pressure / modulus;
        Self::yielding(
            4.0 / 3.0 * modulus * math::sqrt(radius),
            radius * strain * strain,
            PI * pressure * radius,
            Recovery::Flattened { modulus, pressure },
        )
    }

    /// The force while loading, N.
    #[inline]
    pub fn loading(&self, delta: f64) -> f64 {
        if delta <= self.yield_at {
            self.k * self.n.raise(delta)
        } else {
            self.yield_force + self.slope * (delta - self.yield_at)
        }
    }

    /// The work of loading from zero, J.
    pub fn work(&self, delta: f64) -> f64 {
        let power = |x: f64| self.k * x * self.n.raise(x) / (self.n.value() + 1.0);
        if delta <= self.yield_at {
            return power(delta.max(0.0));
        }
        let beyond = delta - self.yield_at;
        power(self.yield_at) + beyond * (self.yield_force + 0.5 * self.slope * beyond)
    }

    /// The indentation at which loading has taken this energy (J), m.
    pub fn depth(&self, energy: f64) -> f64 {
        let n1 = self.n.value() + 1.0;
        if self.yield_at.is_finite() {
            let rest = energy - self.work(self.yield_at);
            if rest > 0.0 {
                let (force, slope) = (self.yield_force, self.slope);
                let root = math::sqrt(force * force + 2.0 * slope * rest);
                return self.yield_at + 2.0 * rest / (force + root);
            }
        }
        math::powf(n1 * energy / self.k, 1.0 / n1)
    }

    /// The way back from this deepest point (m).
    pub fn unloading(&self, deepest: f64) -> Unloading {
        let along_loading = Unloading {
            k: self.k,
            n: self.n,
            ..Unloading::NONE
        };
        match self.recovery {
            Recovery::Residual { permanent } => self.to(deepest, permanent.min(deepest)),
            Recovery::Share(share) => self.to(deepest, deepest - deepest * share),
            Recovery::LossFactor { critical } => {
                let share = closed::loss_factor(deepest / critical);
                self.to(deepest, deepest - deepest * share)
            }
            _ if deepest <= self.yield_at => along_loading,
            Recovery::Moved => {
                // δm^1.5 − δy^1.5 − 1.5 √δy (δm − δy), without loss of digits just beyond yield.
                let (x, y) = (math::sqrt(deepest), math::sqrt(self.yield_at));
                let beyond = (deepest - self.yield_at) / (x + y);
                let offset = beyond * beyond * (x + 0.5 * y);
                let root = math::cbrt(offset);
                Unloading {
                    offset,
                    permanent: root * root,
                    ..along_loading
                }
            }
            Recovery::Flattened { modulus, pressure } => {
                // With a² = (2P + Py)/(2πσ), Thornton's Rp = 4E*a³/(3P) and KH = (4/3) E* √Rp give δm − δp = (P/KH)^(2/3) = 3P/(4E*a).
                let force = self.loading(deepest);
                let radius = math::sqrt((2.0 * force + self.yield_force) / (2.0 * PI * pressure));
                let width = 0.75 * force / (modulus * radius);
                self.to(deepest, (deepest - width).max(0.0))
            }
        }
    }

    /// Back to this permanent indentation with the exponent of loading.
    fn to(&self, deepest: f64, permanent: f64) -> Unloading {
        let k = self.loading(deepest) / self.n.raise(deepest - permanent);
        // Nothing comes back, or less than the arithmetic can tell from nothing.
        if !(permanent < deepest && k.is_finite()) {
            return Unloading {
                shift: deepest,
                permanent: deepest,
                ..Unloading::NONE
            };
        }
        Unloading {
            k,
            n: self.n,
            shift: permanent,
            offset: 0.0,
            permanent,
        }
    }

    /// The part of the work of loading that comes back from this depth (m), where a calibration may move it.
    pub fn coefficient(&self, deepest: f64) -> Option<f64> {
        match self.recovery {
            Recovery::Residual { permanent } => Some((1.0 - permanent / deepest).max(0.0)),
            Recovery::Share(share) => Some(share),
            _ => None,
        }
    }

    /// Makes this part of the work of loading come back, from every depth.
    pub(crate) fn set_coefficient(&mut self, share: f64) {
        if let Recovery::Residual { .. } | Recovery::Share(_) = self.recovery {
            self.recovery = Recovery::Share(share);
        }
    }

    /// Whether every coefficient is a finite number.
    pub(crate) fn is_finite(&self) -> bool {
        let recovery = match self.recovery {
            Recovery::Residual { permanent: x }
            | Recovery::Share(x)
            | Recovery::LossFactor { critical: x } => x.is_finite(),
            Recovery::Moved => true,
            Recovery::Flattened { modulus, pressure } => {
                modulus.is_finite() && pressure.is_finite()
            }
        };
        let numbers = [self.k, self.n.value(), self.yield_force, self.slope];
        recovery && numbers.iter().all(|x| x.is_finite()) && !self.yield_at.is_nan()
    }
}

fn form(plastic: Plastic) -> Form {
    Form {
        elastic: Elastic::Plastic(plastic),
        damper: Damper::None,
    }
}

/// E* of both bodies.
pub(super) const MODULUS: Parameter = Parameter {
    name: "effective_modulus",
    symbol: "Es",
    unit: "Pa",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "E* = 1/((1 - ν1²)/E1 + (1 - ν2²)/E2)",
};

/// R of both bodies.
pub(super) const RADIUS: Parameter = Parameter {
    name: "effective_radius",
    symbol: "R",
    unit: "m",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "R1 R2/(R1 + R2); of a sphere on a plane its radius",
};

/// K of spheres.
const HERTZ: Parameter = Parameter {
    unit: "N/m^1.5",
    ..STIFFNESS
};

/// δy.
const YIELD: Parameter = Parameter {
    name: "yield_indentation",
    symbol: "δy",
    unit: "m",
    role: Role::Other,
    need: Need::Required,
    range: Range::POSITIVE,
    about: "indentation at which the material begins to yield",
};

/// What the cards of this family share.
const PLASTIC: Card = Card {
    family: Family::Plastic,
    group: 5,
    memory: "deepest indentation and, from it, the way back; reloading goes along the way back up to the deepest point, then loads on",
    separations: &[Separation::PermanentIndentation],
    law: |given| {
        let (k, n) = (given.get("stiffness"), given.get("exponent"));
        Ok(form(Plastic::power(k, n, Recovery::Share(f64::NAN))))
    },
    ..EMPTY
};

/// The table.
pub(super) const CARDS: &[Card] = &[
    Card {
        id: "goldsmith-plastic",
        group: 0,
        citation: Citation {
            authors: "Goldsmith",
            year: 1960,
            title: "Impact: the theory and physical behaviour of colliding solids",
            journal: "Edward Arnold, London",
            equation: "Machado et al. 2012, eq. 22; Corral et al. 2021, eq. 5.7 (not in its Table 1)",
        },
        formula: "F = if(loading > 0, K δ^n, if(δ > δp, K δm^n ((δ - δp)/(δm - δp))^n, 0))",
        parameters: &[
            STIFFNESS,
            EXPONENT,
            Parameter {
                name: "permanent_indentation",
                symbol: "δp",
                unit: "m",
                role: Role::Damping,
                need: Need::Required,
                range: Range::NOT_NEGATIVE,
                about: "indentation that is left when the bodies part",
            },
        ],
        validity: "δp below the deepest indentation δm: it returns √(1 - δp/δm). With δp ≥ δm nothing comes back: it returns 0 and the bodies stay together",
        calibrates: "δp",
        own_terms: |share, _, touch| touch.elastic_depth() * (1.0 - share),
        notes: "Where the indentation that is left was measured. The same δp counts for every impact, soft or hard: for impacts of different speeds take lankarani-nikravesh-plastic or thornton. Calibrated, δp is in proportion to the deepest indentation.",
        law: |given| {
            let permanent = given.get("permanent_indentation");
            // Not given where it is calibrated: then in proportion to the deepest indentation.
            let recovery = if permanent.is_nan() {
                Recovery::Share(given.restitution * given.restitution)
            } else {
                Recovery::Residual { permanent }
            };
            let (k, n) = (given.get("stiffness"), given.get("exponent"));
            Ok(form(Plastic::power(k, n, recovery)))
        },
        ..PLASTIC
    },
    Card {
        id: "lankarani-nikravesh-plastic",
        group: 3,
        citation: Citation {
            authors: "Lankarani, Nikravesh",
            year: 1994,
            title: "Continuous contact force models for impact analysis in multibody systems",
            journal: "Nonlinear Dyn. 5, 193",
            equation: "named by Machado et al. 2012 and Corral et al. 2021; δp follows from the energies: the way back has the exponent of loading, so that it returns 1 - δp/δm of the work",
        },
        formula: "F = if(loading > 0, K δ^n, if(δ > δp, K δm^n ((δ - δp)/(δm - δp))^n, 0)); δp = δm (1 - cr^2)",
        parameters: &[STIFFNESS, EXPONENT, RESTITUTION],
        validity: "0 < cr ≤ 1, any n; the way back is cr² of the depth: below cr = 1e-5 its rounding shows, below 1e-7 nothing returns",
        restitution_error: RestitutionError::Exact,
        calibrates: "δp",
        own_terms: |share, _, touch| touch.elastic_depth() * (1.0 - share),
        notes: "Exact at every speed, whatever K, n and m; all of the loss is permanent indentation. For metals above their yield. It does not damp what happens below the deepest point: a body that stays in contact swings on for ever.",
        law: |given| {
            let (k, n) = (given.get("stiffness"), given.get("exponent"));
            let share = given.restitution * given.restitution;
            Ok(form(Plastic::power(k, n, Recovery::Share(share))))
        },
        ..PLASTIC
    },
    Card {
        id: "thornton",
        citation: Citation {
            authors: "Thornton",
            year: 1997,
            title: "Coefficient of restitution for collinear collisions of elastic-perfectly plastic spheres",
            journal: "J. Appl. Mech. 64, 383",
            equation: "Corral et al. 2021, eq. 5.67-5.71",
        },
        formula: "F = if(loading > 0, if(δ <= δy, KL δ^1.5, Py + π σy R (δ - δy)), if(δm <= δy, KL δ^1.5, if(δ > δp, KH (δ - δp)^1.5, 0))); KL = (4/3) Es sqrt(R); δy = R (π σy/(2 Es))^2; Py = (π^3 R^2 σy^3)/(6 Es^2); P = Py + π σy R max(0, δm - δy); Rp = (4 Es/(3 P)) ((2 P + Py)/(2 π σy))^1.5; KH = (4/3) Es sqrt(Rp); δp = δm - (P/KH)^(2/3)",
        parameters: &[
            MODULUS,
            RADIUS,
            Parameter {
                name: "limiting_pressure",
                symbol: "σy",
                unit: "Pa",
                role: Role::Other,
                need: Need::Required,
                range: Range::POSITIVE,
                about: "largest contact pressure, about 1.6 times the yield strength in tension at first yield, up to 2.8 times when fully plastic",
            },
        ],
        validity: "elastic-perfectly plastic spheres, moderate speeds; elastic (returns 1) while the deepest indentation stays below yield",
        notes: "For spheres of known modulus and strength: the restitution falls with the speed as v^(-1/4), as it does for metals. No free coefficient, so nothing to calibrate: the restitution follows from E*, R, σy, mass and speed. σy is the limiting contact pressure, not the yield strength of a tension test.",
        law: |given| {
            let (modulus, radius) = (
                given.get("effective_modulus"),
                given.get("effective_radius"),
            );
            let pressure = given.get("limiting_pressure");
            Ok(form(Plastic::spheres(modulus, radius, pressure)))
        },
        ..PLASTIC
    },
    Card {
        id: "yigit",
        citation: Citation {
            authors: "Yigit, Christoforou, Majeed",
            year: 2011,
            title: "A nonlinear visco-elastoplastic impact model and the coefficient of restitution",
            journal: "Nonlinear Dyn. 66, 509",
            equation: "Corral et al. 2021, eq. 5.75-5.76",
        },
        formula: "F = if(loading > 0, if(δ <= δy, K δ^1.5, K δy^1.5 + Ky (δ - δy)), if(δm <= δy, K δ^1.5, max(0, K (δ^1.5 - δm^1.5 + δy^1.5) + Ky (δm - δy)))); Ky = 1.5 K sqrt(δy)",
        parameters: &[HERTZ, YIELD],
        validity: "elastic (returns 1) while the deepest indentation stays below δy; the viscous part of the original is not in it",
        notes: "Elastic, then elastoplastic compression and an elastic way back with the stiffness of loading. For compact bodies that dent a softer one at low and medium speed. No free coefficient: the restitution follows from how far the deepest indentation is beyond δy.",
        erratum: "Corral et al. (2021) print K δy^1.5, a constant, for the first part (eq. 5.75), and in Table 1 K δ^1.5 + Ky(δ - δy) for the second and +δ^1.5 in place of +δy^1.5 for the third: at δ = 2 δy, with K = δy = 1, that is 4.328 in place of 2.5. The force here is continuous, with its slope, at δy.",
        law: |given| {
            let (k, yield_at) = (given.get("stiffness"), given.get("yield_indentation"));
            let slope = 1.5 * k * math::sqrt(yield_at);
            Ok(form(Plastic::yielding(k, yield_at, slope, Recovery::Moved)))
        },
        ..PLASTIC
    },
    Card {
        id: "yigit-linear",
        citation: Citation {
            authors: "Yigit, Christoforou, Majeed",
            year: 2011,
            title: "A nonlinear visco-elastoplastic impact model and the coefficient of restitution",
            journal: "Nonlinear Dyn. 66, 509",
            equation: "Corral et al. 2021, eq. 5.77-5.79 (not in its Table 1)",
        },
        formula: "F = if(loading > 0, Ky δ, max(0, (Ky/γ) (δ - δf))); Ky = 1.5 K sqrt(δy); δf = δm max(0, 1 - Ky/(K sqrt(δm)))^(2/3); γ = 1 - δf/δm",
        parameters: &[HERTZ, YIELD],
        choices: &[Choice {
            name: "shallow",
            words: &[
                (
                    "refuse",
                    "a free impact that turns before 2.25 δy is refused",
                ),
                (
                    "elastic",
                    "it comes back along the line of loading and loses nothing",
                ),
            ],
        }],
        validity: "deepest indentation above 2.25 δy. A free impact that turns before is refused, or elastic if `shallow` says so; where other forces make a contact turn before, it comes back along the line of loading",
        notes: "The line through yigit's elastoplastic part, for quick estimates of impacts far beyond yield; it returns √γ. It drops half of δy^1.5 from the indentation that is left: near 2.25 δy take yigit.",
        erratum: "Corral et al. (2021) print Ky/γ² for the way back (eq. 5.77): the force would jump by 1/γ at the turn and the loop would have no area. Their δf (eq. 5.78) is the power 2/3 of a negative number below 2.25 δy.",
        law: |given| {
            let (k, yield_at) = (given.get("stiffness"), given.get("yield_indentation"));
            let slope = 1.5 * k * math::sqrt(yield_at);
            let critical = 2.25 * yield_at;
            let plastic = Plastic::power(slope, 1.0, Recovery::LossFactor { critical });
            let depth = plastic.depth(0.5 * given.mass * given.v0 * given.v0);
            if depth <= critical && given.word("shallow") != "elastic" {
                return Err(given.out_of_range(
                    "deepest indentation of a free impact",
                    depth,
                    "m",
                    format!("above 2.25 yield_indentation = {critical}"),
                    "take yigit, or shallow = elastic",
                ));
            }
            Ok(form(plastic))
        },
        ..PLASTIC
    },
    Card {
        id: "walton-braun",
        citation: Citation {
            authors: "Walton, Braun",
            year: 1986,
            title: "Viscosity, granular-temperature, and stress calculations for shearing assemblies of inelastic, frictional disks",
            journal: "J. Rheol. 30, 949",
            equation: "from the wider literature, not in the reviews",
        },
        formula: "F = if(loading > 0, k1 δ, max(0, k2 (δ - δp))); δp = δm (1 - k1/k2); k2 = k1/cr^2",
        parameters: &[
            Parameter {
                name: "stiffness",
                symbol: "k1",
                unit: "N/m",
                about: "stiffness of loading",
                ..STIFFNESS
            },
            Parameter {
                name: "unloading_stiffness",
                symbol: "k2",
                unit: "N/m",
                role: Role::Damping,
                need: Need::Unless(&["restitution"]),
                range: Range::POSITIVE,
                about: "stiffness of the way back, not below that of loading",
            },
            Parameter {
                need: Need::Unless(&["unloading_stiffness"]),
                ..RESTITUTION
            },
        ],
        validity: "0 < cr ≤ 1, k2 ≥ k1; below cr = 1e-7 the way back is too short for the arithmetic and nothing returns",
        restitution_error: RestitutionError::Exact,
        calibrates: "k2",
        own_terms: |share, given, _| given.get("stiffness") / share,
        notes: "Two straight lines: the cheapest law with a memory, usual in granular flow. It returns √(k1/k2) at every speed. The stiffness is not that of Hertz's law: duration and force are no more than estimates.",
        law: |given| {
            let (k1, k2) = (given.get("stiffness"), given.get("unloading_stiffness"));
            let share = if k2.is_nan() {
                given.restitution * given.restitution
            } else {
                k1 / k2
            };
            if share > 1.0 {
                return Err(given.out_of_range(
                    "unloading_stiffness",
                    k2,
                    "N/m",
                    format!("not below stiffness = {k1}"),
                    "a way back softer than loading would give energy away",
                ));
            }
            Ok(form(Plastic::power(k1, 1.0, Recovery::Share(share))))
        },
        ..PLASTIC
    },
];
