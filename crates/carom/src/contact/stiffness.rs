//! How stiff is a contact, from the shapes and materials that meet, and where does that answer stop being true?
//!
//! S1 … S4 are Machado et al. (2012), Flores et al. (2006), Poursina and Nikravesh (2020) and Corral et al. (2021). Radii are positive for convex and negative for concave surfaces (S2 after
//! eq. 5); a plane has an infinite one. The stiffness K goes with the exponent n of its own geometry: F = K δ^n.

mod lines;

use std::f64::consts::PI;
use std::fmt;

use super::materials::Material;
use crate::card::{Fault, Range};
use crate::math;

pub use lines::{
    LINE_YIELD, WIDE, joint_angle, joint_force, joint_stiffness, joint_work, joint_yield_onset,
    line_compression, line_yield_onset,
};

/// The stiffness of a contact and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffness {
    /// Which geometry: `sphere-sphere`, `sphere-plane`, `flats` or `gear`.
    pub geometry: &'static str,
    /// K in N/m^n.
    pub stiffness: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The exponent n of F = K δ^n.
    pub exponent: f64,
    /// E* = 1/(σi+σj) in Pa.
    pub effective_modulus: f64,
    /// Effective radius R in m, for round bodies.
    pub effective_radius: Option<f64>,
    /// The formula.
    pub formula: &'static str,
    /// Where it stands.
    pub source: &'static str,
}

/// σ = (1−ν²)/E of one body in 1/Pa (S2 eq. 4).
pub fn sigma(young: f64, poisson: f64) -> f64 {
    (1.0 - poisson * poisson) / young
}

/// E* = 1/(σi+σj) in Pa.
pub fn effective_modulus(materials: [&Material; 2]) -> f64 {
    1.0 / (materials[0].sigma() + materials[1].sigma())
}

fn out_of_range(
    law: &'static str,
    name: &str,
    (value, unit): (f64, &'static str),
    allowed: impl Into<String>,
    hint: &str,
) -> Fault {
    Fault::OutOfRange {
        law,
        name: name.into(),
        value,
        unit,
        allowed: allowed.into(),
        hint: hint.into(),
    }
}

/// R = Ri·Rj/(Ri+Rj) of signed radii, all in m; an infinite radius is a plane.
pub fn effective_radius(radii: [f64; 2]) -> Result<f64, Fault> {
    const LAW: &str = "effective radius";
    for (name, radius) in ["the first radius", "the second radius"].iter().zip(radii) {
        if radius.is_nan() || radius == 0.0 {
            return Err(out_of_range(
                LAW,
                name,
                (radius, "m"),
                "other than 0",
                "positive for a convex surface, negative for a concave one, inf for a plane",
            ));
        }
    }
    // A plane is as much the one as the other.
    let [a, b] = radii.map(|r| if r.is_infinite() { f64::INFINITY } else { r });
    let (small, large) = if a.abs() <= b.abs() { (a, b) } else { (b, a) };
    if small < 0.0 {
        let hint =
            "a concave surface is touched at one point only by a convex one of smaller radius";
        return Err(if large < 0.0 {
            out_of_range(
                LAW,
                "the second radius",
                (b, "m"),
                "positive where the first is negative",
                hint,
            )
        } else {
            out_of_range(
                LAW,
                "the concave radius",
                (small, "m"),
                format!("larger in magnitude than the convex radius, {large} m"),
                hint,
            )
        });
    }
    if large == -small {
        return Err(out_of_range(
            LAW,
            "the concave radius",
            (large, "m"),
            format!("larger in magnitude than the convex radius, {small} m"),
            "with equal radii the bodies touch over a whole surface; give the clearance to a law for cylinders",
        ));
    }
    // Divided before multiplied, so that nothing overflows; the sum of nearly opposite numbers is exact (Sterbenz 1974).
    let radius = if large.is_infinite() {
        small
    } else {
        small * (large / (small + large))
    };
    if radius.is_finite() && radius > 0.0 {
        Ok(radius)
    } else {
        Err(out_of_range(
            LAW,
            "R",
            (radius, "m"),
            "finite and above 0",
            "two planes do not touch at a point: `flats` is the geometry for them",
        ))
    }
}

/// Faults of both materials, and of a length that must be positive.
fn checked(
    law: &'static str,
    materials: [&Material; 2],
    length: Option<(&'static str, f64)>,
) -> Result<f64, Vec<Fault>> {
    let mut faults = materials[0].faults();
    if materials[1] != materials[0] {
        faults.extend(materials[1].faults());
    }
    if let Some((name, value)) = length
        && !Range::POSITIVE.contains(value)
    {
        faults.push(out_of_range(
            law,
            name,
            (value, "m"),
            Range::POSITIVE.to_string(),
            "a length in metres",
        ));
    }
    if faults.is_empty() {
        Ok(effective_modulus(materials))
    } else {
        Err(faults)
    }
}

fn finite(result: Stiffness) -> Result<Stiffness, Vec<Fault>> {
    if Range::POSITIVE.contains(result.stiffness) {
        return Ok(result);
    }
    Err(vec![out_of_range(
        result.geometry,
        "K",
        (result.stiffness, result.unit),
        Range::POSITIVE.to_string(),
        "moduli and lengths of this size leave the range of numbers",
    )])
}

/// Two spheres, one of which may be hollow (negative radius) or a plane (infinite): K = 4√R/(3(σi+σj)), n = 3/2.
pub fn sphere_sphere(radii: [f64; 2], materials: [&Material; 2]) -> Result<Stiffness, Vec<Fault>> {
    let modulus = checked("sphere-sphere", materials, None);
    let radius = effective_radius(radii).map_err(|fault| vec![fault]);
    let (modulus, radius) = match (modulus, radius) {
        (Ok(modulus), Ok(radius)) => (modulus, radius),
        (modulus, radius) => {
            let mut faults = modulus.err().unwrap_or_default();
            faults.extend(radius.err().unwrap_or_default());
            return Err(faults);
        }
    };
    finite(Stiffness {
        geometry: "sphere-sphere",
        stiffness: 4.0 / 3.0 * modulus * math::sqrt(radius),
        unit: "N/m^1.5",
        exponent: 1.5,
        effective_modulus: modulus,
        effective_radius: Some(radius),
        formula: "K = 4/(3(σi+σj)) √(Ri Rj/(Ri+Rj)), σ = (1−ν²)/E, concave radii negative",
        source: "Goldsmith (1960); Flores et al. (2006) eq. 3, Machado et al. (2012) eq. 18, Corral et al. (2021) eq. 5.3",
    })
}

/// A sphere on a plane: K = 4√R/(3(σi+σj)), n = 3/2.
pub fn sphere_plane(radius: f64, materials: [&Material; 2]) -> Result<Stiffness, Vec<Fault>> {
    let modulus = checked("sphere-plane", materials, Some(("radius", radius)))?;
    finite(Stiffness {
        geometry: "sphere-plane",
        stiffness: 4.0 / 3.0 * modulus * math::sqrt(radius),
        unit: "N/m^1.5",
        exponent: 1.5,
        effective_modulus: modulus,
        effective_radius: Some(radius),
        formula: "K = 4/(3(σi+σj)) √R, σ = (1−ν²)/E",
        source: "Goldsmith (1960); Flores et al. (2006) eq. 5, Machado et al. (2012) eq. 20, Corral et al. (2021) eq. 5.5",
    })
}

/// Two square flats of side 2a, a being `half_side` in m: K = a/(0.475(σi+σj)), n = 1.
///
/// S4 lists it beside n = 3/2, but its unit is N/m: it belongs to a linear law (S3 after eq. 6).
pub fn flats(half_side: f64, materials: [&Material; 2]) -> Result<Stiffness, Vec<Fault>> {
    let modulus = checked("flats", materials, Some(("half_side", half_side)))?;
    finite(Stiffness {
        geometry: "flats",
        stiffness: half_side / 0.475 * modulus,
        unit: "N/m",
        exponent: 1.0,
        effective_modulus: modulus,
        effective_radius: None,
        formula: "K = a/(0.475(σi+σj)), side 2a",
        source: "Lankarani (1988); Corral et al. (2021) eq. 5.6, with n = 1 (Poursina, Nikravesh 2020, after eq. 6)",
    })
}

/// Teeth of spur gears of face width `thickness` in m: K = πEL/(4(1−ν²)), n = 1. Printed for equal materials, for which E/(1−ν²) = 2E*; so written, it takes two.
pub fn gear(thickness: f64, materials: [&Material; 2]) -> Result<Stiffness, Vec<Fault>> {
    let modulus = checked("gear", materials, Some(("length", thickness)))?;
    finite(Stiffness {
        geometry: "gear",
        stiffness: PI / 2.0 * modulus * thickness,
        unit: "N/m",
        exponent: 1.0,
        effective_modulus: modulus,
        effective_radius: None,
        formula: "K = π E L/(4(1−ν²)) = π E* L/2",
        source: "Yang, Sun (1985); Machado et al. (2012) eq. 24",
    })
}

/// What the laws for a journal in a bearing take, and what follows from it. Their force is no power of δ, so there is no K.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    /// E* in Pa: for `liu`.
    pub effective_modulus: f64,
    /// S = σi+σj in 1/Pa: for `dubowsky-freudenstein`, `goldsmith`, `esdu-78035`.
    pub sigma: f64,
    /// Contact length L in m: for all four.
    pub length: f64,
    /// Radial clearance c = Rb−Rj in m: for `liu`.
    pub clearance: f64,
    /// Bearing radius Rb in m: for the three implicit laws.
    pub bearing_radius: f64,
    /// Journal radius Rj in m: likewise.
    pub journal_radius: f64,
    /// Deepest δ at which `dubowsky-freudenstein` has a force, L²(Rb−Rj)/(Rb·Rj) in m.
    pub limit_dubowsky_freudenstein: f64,
    /// Deepest δ at which `esdu-78035` has a force, 4(Rb−Rj) in m.
    pub limit_esdu: f64,
}

/// The numbers that the laws for a cylindrical joint take. `Rb > Rj > 0`.
pub fn cylinder(
    bearing_radius: f64,
    journal_radius: f64,
    length: f64,
    materials: [&Material; 2],
) -> Result<Cylinder, Vec<Fault>> {
    let (modulus, mut faults) = match checked("cylinder", materials, Some(("length", length))) {
        Ok(modulus) => (modulus, Vec::new()),
        Err(faults) => (f64::NAN, faults),
    };
    if !Range::POSITIVE.contains(journal_radius) {
        faults.push(out_of_range(
            "cylinder",
            "journal_radius",
            (journal_radius, "m"),
            Range::POSITIVE.to_string(),
            "radii of a journal and its bearing are both given as positive numbers",
        ));
    }
    if !(bearing_radius > journal_radius && bearing_radius.is_finite()) {
        faults.push(out_of_range(
            "cylinder",
            "bearing_radius",
            (bearing_radius, "m"),
            format!("above the journal's, {journal_radius} m"),
            "the difference is the radial clearance",
        ));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let clearance = bearing_radius - journal_radius;
    Ok(Cylinder {
        effective_modulus: modulus,
        sigma: 1.0 / modulus,
        length,
        clearance,
        bearing_radius,
        journal_radius,
        limit_dubowsky_freudenstein: (length / bearing_radius)
            * (length / journal_radius)
            * clearance,
        limit_esdu: 4.0 * clearance,
    })
}

/// Where elastic bodies begin to yield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct YieldOnset {
    /// Pressure in the middle of the contact over the yield strength Y: 1.6 at a point, 1.79 along a line.
    pub ratio: f64,
    /// That pressure p in Pa.
    pub pressure: f64,
    /// Indentation in m; of spheres δy = R(πp/(2E*))².
    pub indentation: f64,
    /// Load in N; of spheres Py = π³R²p³/(6E*²).
    pub load: f64,
    /// Work done to get there in J; of spheres (2/5)·Py·δy = π⁵R³p⁵/(60E*⁴).
    pub energy: f64,
}

/// Yield begins below the surface where the peak pressure reaches 1.60 times the yield strength in simple tension, for ν = 0.3 (Johnson, Contact Mechanics, 1985,
/// sections 6.1 and 11.5). With the pressure p in the place of Thornton's σy these are S4 eq. 5.70, 5.71 (Thornton 1997).
pub fn yield_onset(effective_modulus: f64, radius: f64, yield_strength: f64) -> YieldOnset {
    const RATIO: f64 = 1.6;
    let pressure = RATIO * yield_strength;
    let slope = PI * pressure / (2.0 * effective_modulus);
    let indentation = radius * slope * slope;
    // (4/3)E*√R δy^(3/2), with √δy = √R·slope.
    let load = 4.0 / 3.0 * effective_modulus * radius * slope * indentation;
    YieldOnset {
        ratio: RATIO,
        pressure,
        indentation,
        load,
        energy: 0.4 * load * indentation,
    }
}

impl YieldOnset {
    /// Approach speed in m/s at which an effective mass in kg just begins to yield: ½m·V² is the elastic work up to there.
    pub fn speed(&self, mass: f64) -> f64 {
        math::sqrt(2.0 * self.energy / mass)
    }
}

/// The fastest approach for which a law with internal damping alone is meant: 1e-5·√(E/ρ), the larger of the two bodies (S2 after eq. 9, S4 eq. 5.44). `None` if a
/// density is missing.
pub fn validity_speed(materials: [&Material; 2]) -> Option<f64> {
    let [a, b] = materials.map(Material::wave_speed);
    Some(1e-5 * a?.max(b?))
}

/// Contact radius √(Rδ) over the radius of the smaller body above which [`warnings`] speaks. Hertz takes the contact to be small against the bodies (Johnson 1985,
/// section 4.1); a tenth is the bound set here.
pub const LARGE_CONTACT: f64 = 0.1;

/// Convex over concave radius above which [`warnings`] calls a contact conformal: the bound set here. S2's journal has 0.95.
pub const CONFORMAL: f64 = 0.9;

/// What is known of a contact between round bodies, for [`warnings`].
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Of both bodies.
    pub materials: [&'a Material; 2],
    /// Signed radii in m; an infinite one is a plane.
    pub radii: Option<[f64; 2]>,
    /// Effective mass in kg.
    pub mass: Option<f64>,
    /// Approach speed in m/s.
    pub speed: Option<f64>,
    /// Deepest indentation in m; without it, that of an elastic impact is taken, where mass and speed are known.
    pub indentation: Option<f64>,
}

/// Why a computed stiffness may not hold. [`fmt::Display`] says what, [`Warning::hint`] what to do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Faster than the laws are meant for.
    Speed {
        /// Approach speed in m/s.
        speed: f64,
        /// The bound in m/s.
        limit: f64,
    },
    /// The bound on the speed cannot be told.
    SpeedNotJudged {
        /// The material without a density.
        material: String,
    },
    /// The material yields.
    Yield {
        /// The weaker material.
        material: String,
        /// Where it begins.
        onset: YieldOnset,
        /// The indentation that is reached, in m.
        indentation: f64,
        /// Approach speed in m/s at which it begins, if the mass is known.
        speed: Option<f64>,
    },
    /// The contact is not small against the bodies.
    LargeContact {
        /// Contact radius √(Rδ) in m.
        contact_radius: f64,
        /// Radius of the smaller body, in m.
        radius: f64,
    },
    /// The bodies fit each other closely.
    Conformal {
        /// Convex over concave radius.
        ratio: f64,
    },
}

impl Warning {
    /// A short name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Speed { .. } => "validity-speed",
            Self::SpeedNotJudged { .. } => "validity-speed-unknown",
            Self::Yield { .. } => "yield",
            Self::LargeContact { .. } => "large-contact",
            Self::Conformal { .. } => "conformal",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Speed { .. } => {
                "waves and local yielding begin to take energy as well: prefer a measured restitution, or a plastic law; many published examples go beyond this bound"
            }
            Self::SpeedNotJudged { .. } => "give the density",
            Self::Yield { .. } => {
                "take a plastic law (thornton, yigit), or a restitution measured at this speed"
            }
            Self::LargeContact { .. } => {
                "Hertz takes the contact to be small against both bodies: treat the force as rough, or take a volumetric law"
            }
            Self::Conformal { .. } => {
                "take a law for cylindrical joints (liu, esdu-78035), or a measured stiffness"
            }
        }
    }
}

/// Three significant digits, for a sentence; with an exponent where zeros would make it long.
fn rough(x: f64) -> String {
    let three = format!("{x:.2e}");
    let value = three.parse().unwrap_or(x);
    match value == 0.0 || (1e-6..1e9).contains(&value.abs()) {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Speed { speed, limit } => write!(
                f,
                "the approach speed {} m/s is above {} m/s, 1e-5·√(E/ρ) of the body with the faster waves (Flores et al. 2006, after eq. 9)",
                rough(*speed),
                rough(*limit)
            ),
            Self::SpeedNotJudged { material } => write!(
                f,
                "whether the approach is slow enough for the law is not known: {material} has no density"
            ),
            Self::Yield {
                material,
                onset,
                indentation,
                speed,
            } => {
                write!(
                    f,
                    "{material} yields: the indentation is {} µm, and yield begins at {} µm and {} N",
                    rough(indentation * 1e6),
                    rough(onset.indentation * 1e6),
                    rough(onset.load)
                )?;
                if let Some(speed) = speed {
                    write!(f, ", with an approach of {} m/s", rough(*speed))?;
                }
                write!(f, " (peak pressure {} Y; Johnson 1985)", onset.ratio)
            }
            Self::LargeContact {
                contact_radius,
                radius,
            } => write!(
                f,
                "the contact radius of {} mm is {} of the smaller body's radius, {} mm; above {LARGE_CONTACT} Hertz's theory of small contacts is stretched (Johnson 1985)",
                rough(contact_radius * 1e3),
                rough(contact_radius / radius),
                rough(radius * 1e3)
            ),
            Self::Conformal { ratio } => write!(
                f,
                "the radii differ by {} of the concave one only: such conformal contacts are up to 25 % stiffer than Hertz (Goodman, Keer 1965, cited by Machado et al. 2012)",
                rough(1.0 - ratio)
            ),
        }
    }
}

/// The warnings that apply to what is known. What is not known, or makes no sense, is not judged here: the functions above refuse it.
pub fn warnings(known: &Known) -> Vec<Warning> {
    let mut found = Vec::new();
    let positive = |x: &f64| Range::POSITIVE.contains(*x);
    let speed = known.speed.filter(positive);
    if let Some(speed) = speed {
        match validity_speed(known.materials) {
            Some(limit) if speed > limit => found.push(Warning::Speed { speed, limit }),
            Some(_) => {}
            None => {
                if let Some(material) = known.materials.iter().find(|m| m.density.is_none()) {
                    found.push(Warning::SpeedNotJudged {
                        material: material.name.to_string(),
                    });
                }
            }
        }
    }
    let Some(radii) = known.radii else {
        return found;
    };
    let Ok(hertz) = sphere_sphere(radii, known.materials) else {
        return found;
    };
    let Some(radius) = hertz.effective_radius else {
        return found;
    };
    let mass = known.mass.filter(positive);
    let elastic = || {
        let (mass, speed) = (mass?, speed?);
        // ½mv² = (2/5)Kδ^(5/2).
        Some(math::powf(
            1.25 * mass * speed * speed / hertz.stiffness,
            0.4,
        ))
    };
    if let Some(indentation) = known.indentation.filter(positive).or_else(elastic) {
        if let Some((strength, material)) = super::weaker(known.materials) {
            let onset = yield_onset(hertz.effective_modulus, radius, strength);
            if indentation > onset.indentation {
                found.push(Warning::Yield {
                    material: material.name.to_string(),
                    onset,
                    indentation,
                    speed: mass.map(|m| onset.speed(m)),
                });
            }
        }
        // Of the bodies themselves: the effective radius of two equal balls is half of theirs.
        let smaller = radii[0].abs().min(radii[1].abs());
        let contact_radius = math::sqrt(radius * indentation);
        if contact_radius > LARGE_CONTACT * smaller {
            found.push(Warning::LargeContact {
                contact_radius,
                radius: smaller,
            });
        }
    }
    let (low, high) = (radii[0].min(radii[1]), radii[0].max(radii[1]));
    if low < 0.0 && high.is_finite() {
        let ratio = high / -low;
        if ratio > CONFORMAL {
            found.push(Warning::Conformal { ratio });
        }
    }
    found
}

#[cfg(test)]
mod tests;
