//! Which numbers of a law follow from the two surfaces that touch: from their materials, their radii and the length of the contact?
//!
//! No law is known here: a parameter is found by its name, its unit and its role on the card. What was given is never overwritten.
//!
//! ```
//! use carom::card::Values;
//! use carom::contact::{self, Calibration, Surfaces, materials};
//!
//! let steel = materials::find("steel")?.clone();
//! let pin = Surfaces {
//!     materials: Some([steel.clone(), steel]),
//!     radii: Some([9.5e-3, -10e-3]),                     // m; the bore is concave
//!     length: Some(15e-3),
//! };
//! let card = contact::find("flores")?;
//! let values = Values::new().number("restitution", 0.9);
//! let law = pin.law(card, &values, None, Calibration::Published).map_err(|mut faults| faults.remove(0))?;
//! assert!((law.values().get("stiffness") / 6.6101984e10 - 1.0).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use super::card::{Card, Family};
use super::law::{Calibration, Law};
use super::materials::Material;
use super::restitution::Restitution;
use super::stiffness::{self, Known, Stiffness, Warning, YieldOnset};
use crate::card::{Fault, Need, Parameter, Role, Values, short};

/// The exponent that goes with the stiffness of round bodies (Hertz).
const ROUND: f64 = 1.5;

/// What is known of two surfaces where they touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// Of both bodies.
    pub materials: Option<[Material; 2]>,
    /// Signed radii in m: a concave one is negative, that of a plane infinite.
    pub radii: Option<[f64; 2]>,
    /// Length of the contact in m, for laws of cylinders and gears.
    pub length: Option<f64>,
}

/// What a law is given, with what follows from the surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Supplied {
    /// All of it.
    pub values: Values,
    /// The parameters that follow from the surfaces, in the order of the card.
    pub derived: Vec<&'static str>,
    /// The parameters that could follow from surfaces and are still not known, and why; a law may do without some.
    pub lacks: Vec<(&'static str, Lack)>,
}

/// Why a number does not follow from what is known of the surfaces. [`fmt::Display`] says what would help.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Lack {
    /// The materials are not known.
    Materials,
    /// The radii are not known.
    Radii,
    /// Neither materials nor radii are known.
    MaterialsAndRadii,
    /// The length of the contact is not known.
    Length,
    /// No yield strength is known of a material that matters.
    YieldStrength,
    /// The law takes one material for both bodies, and they differ.
    OneMaterial,
    /// The law is for two convex bodies, and one is hollow or flat.
    Convex,
    /// The law is for a journal in a bearing, and the radii are not those of one.
    Joint,
    /// The stiffness of the law goes with this exponent, that of round bodies with 3/2.
    Exponent(f64),
    /// Materials and radii are known, and make no sense together.
    Wrong(Vec<Fault>),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Materials => "it follows from the materials of both bodies",
            Self::Radii => "it follows from the radii of both surfaces",
            Self::MaterialsAndRadii => "it follows from materials and radii of both bodies",
            Self::Length => "it is the length of the contact",
            Self::YieldStrength => "it follows from a yield strength, and the material has none",
            Self::OneMaterial => "it is one number for both bodies, and their materials differ",
            Self::Convex => "it is for two convex surfaces, with positive radii",
            Self::Joint => {
                "it is for a journal in a bearing: one radius concave, so negative, the other positive and smaller"
            }
            Self::Exponent(n) => {
                return write!(
                    f,
                    "materials and radii give a stiffness for the exponent {ROUND}, and here it is {n}"
                );
            }
            Self::Wrong(faults) => {
                for (i, fault) in faults.iter().enumerate() {
                    write!(f, "{}{fault}", if i == 0 { "" } else { "; " })?;
                }
                return Ok(());
            }
        })
    }
}

impl Supplied {
    /// Why this parameter does not follow from the surfaces; `None` if it does, if it was given, or if no surface tells it.
    pub fn lack(&self, name: &str) -> Option<&Lack> {
        self.lacks.iter().find(|l| l.0 == name).map(|l| &l.1)
    }
}

impl Surfaces {
    /// The values, and with them what follows from the surfaces. Where the calibration is exact, what serves the damper alone is solved for, not supplied.
    ///
    /// The exponent of round bodies, 3/2, and their stiffness go together: where another exponent is given, so must be the stiffness.
    pub fn supply(
        &self,
        card: &'static Card,
        values: &Values,
        calibration: Calibration,
    ) -> Supplied {
        let mut supplied = Supplied {
            values: values.clone(),
            derived: Vec::new(),
            lacks: Vec::new(),
        };
        let solved = calibration == Calibration::Exact && card.can_calibrate();
        for p in card.parameters {
            let instead = match p.need {
                Need::Unless(others) => others.iter().any(|o| values.get(o).is_some()),
                _ => false,
            };
            if values.get(p.name).is_some() || instead || solved && p.role == Role::Damping {
                continue;
            }
            let found = match p.role {
                Role::Stiffness => self.stiffness(card, values),
                // Without surfaces the law has an exponent of its own.
                Role::Exponent => self.spheres().ok().map(|spheres| Ok(spheres.exponent)),
                _ => self.number(p.name),
            };
            match found {
                Some(Ok(value)) => {
                    supplied.values.set_number(p.name, value);
                    supplied.derived.push(p.name);
                }
                Some(Err(lack)) => supplied.lacks.push((p.name, lack)),
                None => {}
            }
        }
        supplied
    }

    /// The law with what follows from the surfaces; every fault at once. Where a number is missing because materials and radii make no sense, that is said in its place.
    ///
    /// For contacts whose radii are known only when they touch; it allocates, so it belongs to the event and not to the steps.
    pub fn law(
        &self,
        card: &'static Card,
        values: &Values,
        restitution: Option<Restitution>,
        calibration: Calibration,
    ) -> Result<Law, Vec<Fault>> {
        let supplied = self.supply(card, values, calibration);
        Law::new(card, &supplied.values, restitution, calibration).map_err(|faults| {
            let mut said: Vec<Fault> = Vec::new();
            for fault in faults {
                let lack = match fault {
                    Fault::Missing { name, .. } => supplied.lack(name),
                    _ => None,
                };
                let better = match lack {
                    Some(Lack::Wrong(reasons)) => reasons.clone(),
                    _ => vec![fault],
                };
                for fault in better {
                    if !said.contains(&fault) {
                        said.push(fault);
                    }
                }
            }
            said
        })
    }

    /// Whether a law with these values takes anything from the radii: then they must be known before there is a law.
    pub fn needs_radii(card: &'static Card, values: &Values, calibration: Calibration) -> bool {
        let unknown = Surfaces::default().supply(card, values, calibration);
        unknown
            .lacks
            .iter()
            .any(|(_, lack)| matches!(lack, Lack::Radii | Lack::MaterialsAndRadii))
    }

    /// The surfaces as those of two spheres, or of a sphere and a plane.
    pub fn spheres(&self) -> Result<Stiffness, Lack> {
        match (&self.materials, self.radii) {
            (Some([a, b]), Some(radii)) => {
                stiffness::sphere_sphere(radii, [a, b]).map_err(Lack::Wrong)
            }
            (None, Some(_)) => Err(Lack::Materials),
            (Some(_), None) => Err(Lack::Radii),
            (None, None) => Err(Lack::MaterialsAndRadii),
        }
    }

    /// What speaks against an impact of this effective mass (kg) and approach speed (m/s), down to this depth (m); unless given, that of an elastic one. What all these laws
    /// allow for is no warning.
    pub fn warnings(
        &self,
        cards: &[&'static Card],
        mass: f64,
        speed: f64,
        depth: Option<f64>,
    ) -> Vec<Warning> {
        let Some([a, b]) = &self.materials else {
            return Vec::new();
        };
        let mut warnings = stiffness::warnings(&Known {
            materials: [a, b],
            radii: self.radii,
            mass: Some(mass),
            speed: Some(speed),
            indentation: depth,
        });
        if let Some((onset, material)) = self.onset_along_a_line() {
            warnings.retain(|warning| !matches!(warning, Warning::Yield { .. }));
            let begins = onset.speed(mass);
            // An elastic depth goes with the speed along a line, and nearly so in a joint.
            let indentation = depth.unwrap_or(onset.indentation * speed / begins);
            if indentation > onset.indentation {
                warnings.push(Warning::Yield {
                    material: material.name.to_string(),
                    onset,
                    indentation,
                    speed: Some(begins),
                });
            }
        }
        warnings.retain(|warning| !cards.iter().all(|card| allows_for(card, warning)));
        warnings
    }

    /// Where the weaker body begins to yield, and which it is, if they touch along a line or as a journal in its bearing: then the length of the contact is known.
    pub fn onset_along_a_line(&self) -> Option<(YieldOnset, &Material)> {
        let length = self.length?;
        let [a, b] = self.materials.as_ref()?;
        let radii = self.radii?;
        let (strength, material) = weaker([a, b])?;
        let modulus = stiffness::effective_modulus([a, b]);
        let onset = match self.joint() {
            Ok((bearing, journal)) if bearing - journal <= stiffness::WIDE * journal => {
                stiffness::joint_yield_onset(modulus, [journal, bearing], length, strength)
            }
            _ => {
                let radius = stiffness::effective_radius(radii).ok()?;
                stiffness::line_yield_onset(modulus, radius, length, strength)
            }
        };
        Some((onset, material))
    }

    /// The stiffness of round bodies, where the law takes one of their exponent.
    fn stiffness(&self, card: &'static Card, values: &Values) -> Option<Result<f64, Lack>> {
        let n = card.exponent(values)?;
        if (n - ROUND).abs() > 1e-12 {
            return Some(Err(Lack::Exponent(n)));
        }
        Some(self.spheres().map(|spheres| spheres.stiffness))
    }

    /// A number by the name that cards use; `None` if no surface tells it.
    fn number(&self, name: &str) -> Option<Result<f64, Lack>> {
        Some(match name {
            "effective_modulus" => self
                .both()
                .map(|[a, b]| stiffness::effective_modulus([a, b])),
            "young_1" => self.both().map(|[a, _]| a.young),
            "young_2" => self.both().map(|[_, b]| b.young),
            "young" => self.one().map(|m| m.young),
            "poisson" => self.one().map(|m| m.poisson),
            "yield_strength_1" => self.both().and_then(|[a, _]| strength(a)),
            "yield_strength_2" => self.both().and_then(|[_, b]| strength(b)),
            "length" => self.length.ok_or(Lack::Length),
            "effective_radius" => self.both_radii().and_then(|radii| {
                stiffness::effective_radius(radii).map_err(|fault| Lack::Wrong(vec![fault]))
            }),
            "yield_indentation" => self.onset().map(|onset| onset.indentation),
            "limiting_pressure" => self.onset().map(|onset| onset.pressure),
            "radius_1" => self.convex().map(|[a, _]| a),
            "radius_2" => self.convex().map(|[_, b]| b),
            "bearing_radius" => self.joint().map(|(bearing, _)| bearing),
            "journal_radius" => self.joint().map(|(_, journal)| journal),
            "clearance" => self.joint().map(|(bearing, journal)| bearing - journal),
            _ => return None,
        })
    }

    fn both(&self) -> Result<&[Material; 2], Lack> {
        self.materials.as_ref().ok_or(Lack::Materials)
    }

    fn both_radii(&self) -> Result<[f64; 2], Lack> {
        self.radii.ok_or(Lack::Radii)
    }

    /// The elastic material that both bodies are of.
    fn one(&self) -> Result<&Material, Lack> {
        let [a, b] = self.both()?;
        if (a.young, a.poisson) == (b.young, b.poisson) {
            Ok(a)
        } else {
            Err(Lack::OneMaterial)
        }
    }

    /// Where the weaker of the two bodies begins to yield.
    fn onset(&self) -> Result<YieldOnset, Lack> {
        let spheres = self.spheres()?;
        let [a, b] = self.both()?;
        let (strength, _) = weaker([a, b]).ok_or(Lack::YieldStrength)?;
        let radius = spheres.effective_radius.ok_or(Lack::Radii)?;
        Ok(stiffness::yield_onset(
            spheres.effective_modulus,
            radius,
            strength,
        ))
    }

    fn convex(&self) -> Result<[f64; 2], Lack> {
        let radii = self.both_radii()?;
        if radii.iter().all(|r| r.is_finite() && *r > 0.0) {
            Ok(radii)
        } else {
            Err(Lack::Convex)
        }
    }

    /// The radii of a bearing and of the journal in it.
    fn joint(&self) -> Result<(f64, f64), Lack> {
        let [a, b] = self.both_radii()?;
        let (bearing, journal) = (-a.min(b), a.max(b));
        if bearing.is_finite() && journal > 0.0 && journal < bearing {
            Ok((bearing, journal))
        } else {
            Err(Lack::Joint)
        }
    }
}

/// The weaker of two materials and its yield strength, Pa; one of which none is known is not compared.
pub(crate) fn weaker([a, b]: [&Material; 2]) -> Option<(f64, &Material)> {
    [a, b]
        .into_iter()
        .filter_map(|m| Some((m.yield_strength?, m)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

fn strength(material: &Material) -> Result<f64, Lack> {
    material.yield_strength.ok_or(Lack::YieldStrength)
}

/// Whether a law is made for what a warning is about.
fn allows_for(card: &Card, warning: &Warning) -> bool {
    match warning {
        Warning::Yield { .. } => card.family == Family::Plastic,
        Warning::Conformal { .. } | Warning::LargeContact { .. } => card
            .parameters
            .iter()
            .any(|p| matches!(p.name, "bearing_radius" | "clearance")),
        _ => false,
    }
}

impl Card {
    /// The unit of a parameter as it is with these values: `N/m^n` is `N/m^1.5` where n is.
    pub fn unit_of(&self, parameter: &Parameter, values: &Values) -> String {
        let mut unit = String::new();
        let mut word = String::new();
        let mut raised = false;
        // The last character ends the last word.
        for c in parameter.unit.chars().chain([' ']) {
            if c.is_alphanumeric() || c == '.' {
                word.push(c);
                continue;
            }
            match self
                .power(&word, values)
                .filter(|_| raised && !word.is_empty())
            {
                Some(value) => unit.push_str(&short(value)),
                None => unit.push_str(&word),
            }
            word.clear();
            raised = c == '^' || raised && matches!(c, '(' | '+' | ')');
            unit.push(c);
        }
        unit.trim_end().into()
    }

    /// A power by its symbol: given, or the law's own.
    fn power(&self, symbol: &str, values: &Values) -> Option<f64> {
        let pure = |p: &&Parameter| p.symbol == symbol && p.unit.is_empty();
        let p = self.parameters.iter().find(pure)?;
        values.get(p.name).or(match p.need {
            Need::Default(value) => Some(value),
            _ => None,
        })
    }

    /// The unit of the coefficient that the calibration `exact` solves for, with these values; empty if it is a number.
    pub fn calibrates_unit(&self, values: &Values) -> String {
        let own = self.parameters.iter().find(|p| p.symbol == self.calibrates);
        match (own, self.calibrates) {
            (Some(parameter), _) => self.unit_of(parameter, values),
            // No input where the restitution is one.
            (None, "δp") => "m".into(),
            (None, "c") => "N s/m".into(),
            (None, "D") => "Pa s".into(),
            (None, _) => String::new(),
        }
    }

    /// The parameter that is the stiffness of the elastic part, if the law takes one.
    pub fn stiffness(&self) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.role == Role::Stiffness)
    }

    /// The exponent n that goes with the stiffness, in N/m^n: the law's own, or the one given, or its default. `None` if the law takes no stiffness.
    pub fn exponent(&self, values: &Values) -> Option<f64> {
        let rest = self.stiffness()?.unit.strip_prefix("N/m")?;
        let Some(text) = rest.strip_prefix('^') else {
            return rest.is_empty().then_some(1.0);
        };
        text.parse().ok().or_else(|| {
            let named = |p: &&Parameter| p.role == Role::Exponent && p.symbol == text;
            let p = self.parameters.iter().find(named)?;
            values.get(p.name).or(match p.need {
                Need::Default(n) => Some(n),
                _ => None,
            })
        })
    }
}

#[cfg(test)]
mod tests;
