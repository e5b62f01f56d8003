//! Which impact is asked for?

mod prepare;
mod selection;

pub use prepare::Prepared;
pub use selection::{selection, unknown_law};

use carom::card::{Fault, Range, Values, nearest};
use carom::contact::{self, Calibration, Card, Lack, Restitution, Surfaces};
use carom::impact::{Lab, TwoBodies};
use carom::model::units::{self, Dimension};
use clap::{Args, ValueEnum};

use super::Warning;
use super::read::{not_finite, pair, quantity, restitution, two_materials};

/// The inputs that `impact` and `compare` share.
#[derive(Args)]
pub struct CaseArguments {
    /// Stiffness K of K δ^n: a number (SI) or a quantity; `compare` takes several, for laws of different exponents
    #[arg(short = 'k', long, value_name = "K", allow_hyphen_values = true)]
    stiffness: Vec<String>,

    /// Exponent n of K δ^n; unless given, the law's own
    #[arg(short = 'n', long, value_name = "N", allow_hyphen_values = true)]
    exponent: Option<String>,

    /// Effective mass
    #[arg(short = 'm', long, value_name = "M", allow_hyphen_values = true)]
    mass: Option<String>,

    /// Approach speed
    #[arg(short = 'v', long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<String>,

    /// Masses of two bodies, in place of --mass; `inf` is a fixed body
    #[arg(long, value_name = "M1,M2", allow_hyphen_values = true)]
    masses: Option<String>,

    /// Speeds of two bodies, in place of --speed; positive from the first to the second
    #[arg(long, value_name = "V1,V2", allow_hyphen_values = true)]
    speeds: Option<String>,

    /// Coefficient of restitution: 0.7, or of the approach speed: 1-0.02*v, 0.1:0.9,1:0.8 (speed:restitution, straight lines between), table:FILE.csv, wang:S1,S2 (yield strengths)
    #[arg(short = 'e', long, value_name = "E", allow_hyphen_values = true)]
    restitution: Option<String>,

    /// How the damper follows from the restitution: by the law's own formula, or solved for so that exactly E comes back
    #[arg(long, value_enum, default_value = "published")]
    calibration: CalibrationWord,

    /// Any other parameter or choice of the law, with its unit: --param damping="20 N s/m"; `carom laws ID` lists them
    #[arg(
        short = 'p',
        long,
        value_name = "NAME=VALUE",
        allow_hyphen_values = true
    )]
    param: Vec<String>,

    /// Materials of two spheres, in place of --stiffness: names (`carom materials`) or young:poisson[:density[:yield]]
    #[arg(long, value_name = "A,B")]
    material: Option<String>,

    /// Radii of the two spheres; negative if concave, `inf` for a plane
    #[arg(long, value_name = "R1,R2", allow_hyphen_values = true)]
    radii: Option<String>,

    /// Length of the contact, for laws of cylinders and gears
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<String>,

    /// Relative tolerance of the integration
    #[arg(
        long,
        value_name = "TOL",
        default_value = "1e-12",
        allow_hyphen_values = true
    )]
    rtol: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum CalibrationWord {
    /// By the law's own formula (corrected where it was printed wrongly)
    Published,
    /// Solved for
    Exact,
}

/// A stiffness as it was given.
struct Stiff {
    text: String,
    value: f64,
    /// `None` for a plain number.
    dimension: Option<Dimension>,
}

/// One impact, read and checked as far as that can be done without a law.
pub struct Case {
    stiffness: Vec<Stiff>,
    exponent: Option<f64>,
    /// The exponent that belongs to a stiffness without a unit, where several laws are asked.
    plain_exponent: Option<f64>,
    params: Vec<(String, String)>,
    surfaces: Surfaces,
    /// Approach speed, m/s; NaN if it is wrong.
    pub speed: f64,
    /// Effective mass, kg; NaN if it is wrong.
    pub mass: f64,
    pub two_bodies: Option<TwoBodies>,
    pub restitution: Option<Restitution>,
    pub calibration: Calibration,
    pub rtol: f64,
    /// All that is wrong with it.
    pub faults: Vec<String>,
    /// Options whose text could not be read: what lacks them is not said again.
    broken: Vec<&'static str>,
}

fn out_of_range(name: &str, value: f64, unit: &'static str, hint: &str) -> String {
    Fault::OutOfRange {
        law: "impact",
        name: name.into(),
        value,
        unit,
        allowed: "finite and > 0".into(),
        hint: hint.into(),
    }
    .to_string()
}

impl Case {
    /// Reads all options; what is wrong stands in `faults`.
    pub fn read(arguments: &CaseArguments) -> Case {
        let mut case = Case {
            stiffness: Vec::new(),
            exponent: None,
            plain_exponent: None,
            params: Vec::new(),
            surfaces: Surfaces::default(),
            speed: f64::NAN,
            mass: f64::NAN,
            two_bodies: None,
            restitution: None,
            calibration: match arguments.calibration {
                CalibrationWord::Published => Calibration::Published,
                CalibrationWord::Exact => Calibration::Exact,
            },
            rtol: 1e-12,
            faults: Vec::new(),
            broken: Vec::new(),
        };
        case.read_stiffness(arguments);
        case.read_materials(arguments);
        case.read_encounter(arguments);
        if let Some(text) = &arguments.restitution {
            match restitution(text) {
                Ok(restitution) => case.restitution = Some(restitution),
                Err(said) => {
                    case.faults.extend(said);
                    case.broken.push("restitution");
                }
            }
        }
        case.read_params(arguments);
        match quantity(&arguments.rtol, Dimension::NONE) {
            Ok(rtol) => {
                case.rtol = rtol;
                if let Err(fault) = Lab::new(rtol) {
                    case.faults.push(fault.to_string());
                }
            }
            Err(e) => case.faults.push(format!("--rtol: {e}")),
        }
        case
    }

    fn read_stiffness(&mut self, arguments: &CaseArguments) {
        for text in &arguments.stiffness {
            let read = match not_finite(text) {
                Some(value) => Ok((value, None)),
                None => units::parse_any(text),
            };
            match read {
                Ok((value, dimension)) => self.stiffness.push(Stiff {
                    text: text.clone(),
                    value,
                    dimension,
                }),
                Err(e) => {
                    self.faults.push(format!("--stiffness: {e}"));
                    self.broken.push("stiffness");
                }
            }
        }
        if let Some(text) = &arguments.exponent {
            match quantity(text, Dimension::NONE) {
                Ok(n) => self.exponent = Some(n),
                Err(e) => {
                    self.faults.push(format!("--exponent: {e}"));
                    self.broken.push("exponent");
                }
            }
        }
    }

    fn read_materials(&mut self, arguments: &CaseArguments) {
        let mut lone = |given: bool, option: &str| {
            if given && arguments.material.is_none() && option == "--radii" {
                self.faults.push(format!(
                    "{option} needs --material. Hint: `carom materials` lists them"
                ));
            }
        };
        lone(arguments.radii.is_some(), "--radii");
        let length =
            arguments
                .length
                .as_ref()
                .and_then(|text| match quantity(text, Dimension::LENGTH) {
                    Ok(length) => Some(length),
                    Err(e) => {
                        self.faults.push(format!("--length: {e}"));
                        self.broken.push("length");
                        None
                    }
                });
        let Some(text) = &arguments.material else {
            if let Some(length) = length {
                // Without materials it is just a parameter.
                self.params.push(("length".into(), length.to_string()));
            }
            return;
        };
        // A stiffness of another unit than that of spheres is for laws of other exponents.
        let other = |s: &Stiff| s.dimension.is_some_and(|d| !d.fits(per_length(1.5)));
        if !self.stiffness.iter().all(other) {
            self.faults
                .push("give --stiffness or --material, not both".into());
        }
        let materials = match two_materials(text) {
            Ok(materials) => materials,
            Err(said) => {
                self.faults.extend(said);
                self.broken.push("stiffness");
                return;
            }
        };
        let radii = match &arguments.radii {
            None => None,
            Some(text) => match pair(text, Dimension::LENGTH) {
                Ok(radii) => Some(radii),
                Err(e) => {
                    self.faults.push(format!("--radii: {e}"));
                    self.broken.push("stiffness");
                    None
                }
            },
        };
        self.surfaces = Surfaces {
            materials: Some(materials),
            radii,
            length,
        };
        match self.surfaces.spheres() {
            Ok(spheres) => {
                if let Some(n) = self.exponent
                    && (n - spheres.exponent).abs() > 1e-12
                {
                    self.faults.push(format!(
                        "exponent = {n}, but the contact of spheres has {}. Hint: leave --exponent out, or give --stiffness in place of --material and --radii",
                        spheres.exponent
                    ));
                }
            }
            Err(Lack::Wrong(faults)) => {
                self.faults.extend(faults.iter().map(ToString::to_string));
                self.broken.push("stiffness");
            }
            Err(_) => {}
        }
    }

    fn read_encounter(&mut self, arguments: &CaseArguments) {
        let CaseArguments {
            mass,
            speed,
            masses,
            speeds,
            ..
        } = arguments;
        for (one, two, name) in [(mass, masses, "mass"), (speed, speeds, "speed")] {
            if one.is_some() && two.is_some() {
                let plural = if name == "mass" { "masses" } else { "speeds" };
                self.faults
                    .push(format!("give --{name} or --{plural}, not both"));
                return;
            }
        }
        if masses.is_some() || speeds.is_some() {
            let mut read = |text: &Option<String>, option: &str, kind| match text {
                None => {
                    self.faults.push(format!(
                        "`{option}` is missing: two bodies need --masses and --speeds. Hint: --{option} {}",
                        if option == "masses" { "2,inf" } else { "0.3,0" }
                    ));
                    None
                }
                Some(text) => pair(text, kind)
                    .map_err(|e| self.faults.push(format!("--{option}: {e}")))
                    .ok(),
            };
            let masses = read(masses, "masses", Dimension::MASS);
            let speeds = read(speeds, "speeds", Dimension::SPEED);
            if let (Some(masses), Some(speeds)) = (masses, speeds) {
                match TwoBodies::new(masses, speeds) {
                    Ok(bodies) => {
                        self.speed = bodies.approach_speed();
                        self.mass = bodies.effective_mass();
                        self.two_bodies = Some(bodies);
                    }
                    Err(faults) => self.faults.extend(faults.iter().map(ToString::to_string)),
                }
            }
            return;
        }
        for (text, name, unit, kind, hint) in [
            (
                mass,
                "mass",
                "kg",
                Dimension::MASS,
                "the effective mass m1 m2/(m1 + m2); against a fixed body, the mass",
            ),
            (
                speed,
                "speed",
                "m/s",
                Dimension::SPEED,
                "the bodies must approach each other",
            ),
        ] {
            let value = match text {
                None => {
                    self.faults.push(format!(
                        "`{name}` [{unit}] is missing: give --mass and --speed, or --masses and --speeds"
                    ));
                    continue;
                }
                Some(text) => match quantity(text, kind) {
                    Ok(value) => value,
                    Err(e) => {
                        self.faults.push(format!("--{name}: {e}"));
                        continue;
                    }
                },
            };
            if !Range::POSITIVE.contains(value) {
                self.faults.push(out_of_range(name, value, unit, hint));
            } else if name == "mass" {
                self.mass = value;
            } else {
                self.speed = value;
            }
        }
    }

    fn read_params(&mut self, arguments: &CaseArguments) {
        for text in &arguments.param {
            let Some((name, value)) = text.split_once('=') else {
                self.faults.push(format!(
                    "--param: `{text}` must be name=value, such as damping=20"
                ));
                continue;
            };
            let (name, value) = (name.trim().replace('-', "_"), value.trim().to_string());
            if self.params.iter().any(|p| p.0 == name) {
                self.faults
                    .push(format!("--param: `{name}` is given twice"));
                continue;
            }
            let twin = match name.as_str() {
                "stiffness" => !arguments.stiffness.is_empty(),
                "exponent" => arguments.exponent.is_some(),
                "restitution" => arguments.restitution.is_some(),
                _ => false,
            };
            if twin {
                self.faults
                    .push(format!("give --{name} or --param {name}, not both"));
            } else if name == "restitution" {
                match restitution(&value) {
                    Ok(restitution) => self.restitution = Some(restitution),
                    Err(said) => {
                        self.faults.extend(said);
                        self.broken.push("restitution");
                    }
                }
            } else {
                self.params.push((name, value));
            }
        }
    }

    /// What a stiffness without a unit and parameters mean where several laws are asked: an exponent for the one, and that some law must have the other.
    pub fn for_several(&mut self, cards: &[&'static Card]) {
        for (name, _) in &self.params {
            if cards.iter().any(|card| takes(card, name)) {
                continue;
            }
            let owners: Vec<&str> = contact::cards()
                .filter(|card| takes(card, name))
                .map(|card| card.id)
                .collect();
            if !owners.is_empty() {
                self.faults.push(format!(
                    "--param: none of the laws asked for has a parameter `{name}`; it is one of {}",
                    owners.join(", ")
                ));
                continue;
            }
            let all = || {
                contact::cards().flat_map(|c| {
                    let words = c.choices.iter().map(|choice| choice.name);
                    c.parameters.iter().map(|p| p.name).chain(words)
                })
            };
            let near = nearest(name, all());
            let near = if near.is_empty() {
                String::new()
            } else {
                format!("; nearest: {}", near.join(", "))
            };
            self.faults.push(format!(
                "--param: none of the laws has a parameter `{name}`{near}. Hint: `carom laws ID` lists what a law takes"
            ));
        }
        let mut exponents: Vec<f64> = Vec::new();
        for n in cards
            .iter()
            .filter_map(|card| card.exponent(&Values::new()))
        {
            if !exponents.contains(&n) {
                exponents.push(n);
            }
        }
        self.plain_exponent = self
            .exponent
            .or(exponents.iter().copied().find(|n| *n == 1.5))
            .or(exponents.first().copied());
    }

    /// The case in a few words, for titles: mass, speed, stiffness, restitution. With a law, only what it takes.
    pub fn said(&self, card: Option<&'static Card>) -> String {
        let mut said = self.said_without_restitution(card);
        if let Some(e) = &self.restitution
            && let Ok(e) = e.at(self.speed, "impact")
        {
            said.push_str(&format!(", e = {}", units::pretty(e, "", 4)));
        }
        said
    }

    /// The same for a picture over all restitutions.
    pub fn said_without_restitution(&self, card: Option<&'static Card>) -> String {
        let mut said = vec![format!(
            "{} at {}",
            units::pretty(self.mass, "kg", 4),
            units::pretty(self.speed, "m/s", 4)
        )];
        for stiff in &self.stiffness {
            let unit = stiff.dimension.or_else(|| {
                let own = card.and_then(|card| card.exponent(&Values::new()));
                let exponent = self.exponent.or(self.plain_exponent).or(own);
                exponent.map(per_length)
            });
            let unit = unit.map_or(String::new(), Dimension::unit);
            said.push(format!("K = {}", units::pretty(stiff.value, &unit, 4)));
        }
        if let Some([a, b]) = &self.surfaces.materials {
            said.push(if a.name == b.name {
                a.name.to_string()
            } else {
                format!("{} on {}", a.name, b.name)
            });
            if let Some([r1, r2]) = self.surfaces.radii {
                let radius = |r: f64| {
                    if r.is_finite() {
                        units::pretty(r, "m", 4)
                    } else {
                        "plane".into()
                    }
                };
                said.push(format!("radii {} and {}", radius(r1), radius(r2)));
            }
        }
        said.join(", ")
    }

    /// What the shapes and materials say of an impact of this depth (m); unless given, of an elastic one. What all these laws allow for is no warning.
    pub fn warnings(&self, depth: Option<f64>, cards: &[&'static Card]) -> Vec<Warning> {
        self.surfaces
            .warnings(cards, self.mass, self.speed, depth)
            .iter()
            .map(Warning::from)
            .collect()
    }
}

/// Whether a law takes a number or a word of this name.
fn takes(card: &'static Card, name: &str) -> bool {
    name == "separation"
        || card.parameters.iter().any(|p| p.name == name)
        || card.choices.iter().any(|c| c.name == name)
}

/// A force over a length to the power of n.
fn per_length(n: f64) -> Dimension {
    Dimension::new(1.0 - n, 1.0, -2.0, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restitution_is_read_in_all_its_forms() {
        for (text, value) in [
            ("0.7", Restitution::Number(0.7)),
            ("70 %", Restitution::Number(0.7)),
            ("1-0.02*v", Restitution::Falling { alpha: 0.02 }),
            ("1 - 0.02 s/m * v", Restitution::Falling { alpha: 0.02 }),
            ("1-v", Restitution::Falling { alpha: 1.0 }),
            ("1-0.02*v0", Restitution::Falling { alpha: 0.02 }),
            (
                "100 mm/s:0.9,1:0.8",
                Restitution::Table(vec![(0.1, 0.9), (1.0, 0.8)]),
            ),
            ("wang:250 MPa,250e6", Restitution::Wang { factor: 1.0 }),
        ] {
            assert_eq!(restitution(text), Ok(value), "{text}");
        }
        for text in [
            "",
            "high",
            "1-2kg*v",
            "0.1:",
            "wang:1",
            "wang:-1,2",
            "table:/no/such/file",
        ] {
            assert!(restitution(text).is_err(), "{text}");
        }
        assert!(matches!(restitution("NaN"), Ok(Restitution::Number(e)) if e.is_nan()));
    }
}
