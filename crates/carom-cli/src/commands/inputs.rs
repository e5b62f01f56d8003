//! Which impact is asked for, and which numbers of it does a law take?
//!
//! Nothing here knows a single law: a parameter is found by its name, its unit and its role on the card.

use carom::card::{Fault, Need, Parameter, Range, Role, Values, nearest};
use carom::contact::materials::Material;
use carom::contact::stiffness::{self, Known, Stiffness};
use carom::contact::{self, Calibration, Card, Family, Restitution};
use carom::friction;
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

/// Numbers that follow from shapes and materials.
struct Derived {
    materials: [Material; 2],
    radii: Option<[f64; 2]>,
    spheres: Option<Stiffness>,
    /// By the names that cards use.
    numbers: Vec<(&'static str, f64)>,
}

/// One impact, read and checked as far as that can be done without a law.
pub struct Case {
    stiffness: Vec<Stiff>,
    exponent: Option<f64>,
    /// The exponent that belongs to a stiffness without a unit, where several laws are asked.
    plain_exponent: Option<f64>,
    params: Vec<(String, String)>,
    derived: Option<Derived>,
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

/// What one law is given.
pub struct Prepared {
    pub values: Values,
    /// What is wrong with it.
    pub faults: Vec<String>,
    /// Parameters whose text could not be read.
    broken: Vec<&'static str>,
    /// What is missing although something was given for it, by name and unit.
    pub lacks: Vec<String>,
    /// Parameters that follow from shapes and materials.
    pub derived: Vec<&'static str>,
    /// Where parameters that are still missing could come from.
    hints: Vec<(&'static str, &'static str)>,
}

impl Prepared {
    /// What of these faults of a law has not been said yet.
    pub fn more(&self, card: &'static Card, faults: Vec<Fault>) -> Vec<String> {
        let mut said = Vec::new();
        for fault in faults {
            let mut line = fault.to_string();
            if let Fault::Missing { name, .. } = fault {
                if self.broken.contains(&name) {
                    continue;
                }
                if let Some((_, hint)) = self.hints.iter().find(|h| h.0 == name) {
                    line.push_str(&format!(". Hint: {hint}"));
                }
                let damping = |p: &&Parameter| p.name == name && p.role == Role::Damping;
                if card.can_calibrate() && card.parameters.iter().any(|p| damping(&p)) {
                    line.push_str(
                        ". Hint: or have it solved for, with --restitution E --calibration exact",
                    );
                }
            }
            said.push(line);
        }
        said
    }
}

/// What to say of a name that is no law of contact: it may be one of friction.
pub fn unknown_law(id: &str, fault: &Fault) -> String {
    match friction::find(id) {
        Ok(card) => format!(
            "`{id}` is a law of friction, not of contact. Hint: `carom laws {}` shows it, `carom laws` lists the laws of contact",
            card.id
        ),
        Err(_) => fault.to_string(),
    }
}

/// The laws of a list: ids, aliases, families, or `all`.
pub fn selection(text: &str) -> Result<Vec<&'static Card>, Vec<String>> {
    let mut cards: Vec<&'static Card> = Vec::new();
    let mut said = Vec::new();
    let mut add = |card: &'static Card| {
        if !cards.contains(&card) {
            cards.push(card);
        }
    };
    for word in text.split(',').map(str::trim) {
        let family = Family::ALL.into_iter().find(|f| f.name() == word);
        if word == "all" {
            contact::cards().for_each(&mut add);
        } else if let Some(family) = family {
            contact::cards()
                .filter(|c| c.family == family)
                .for_each(&mut add);
        } else {
            match contact::find(word) {
                Ok(card) => add(card),
                Err(fault) if friction::find(word).is_ok() => {
                    said.push(format!("--laws: {}", unknown_law(word, &fault)));
                }
                Err(_) => {
                    let families = Family::ALL.map(Family::name);
                    let ids = contact::cards()
                        .flat_map(|card| card.aliases.iter().copied().chain([card.id]));
                    let near = nearest(word, ids.chain(families));
                    let near = if near.is_empty() {
                        String::new()
                    } else {
                        format!("; nearest: {}", near.join(", "))
                    };
                    said.push(format!(
                        "--laws: there is no law or family `{word}`{near}. Families are {}. Hint: `carom laws` lists all laws",
                        families.join(", ")
                    ));
                }
            }
        }
    }
    if said.is_empty() && cards.is_empty() {
        said.push(format!("--laws: there is no law in `{text}`"));
    }
    if said.is_empty() {
        Ok(cards)
    } else {
        Err(said)
    }
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
            derived: None,
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
        let mut derived = Derived {
            numbers: Vec::new(),
            radii,
            spheres: None,
            materials,
        };
        let both = [&derived.materials[0], &derived.materials[1]];
        if let Some(radii) = radii {
            match stiffness::sphere_sphere(radii, both) {
                Ok(spheres) => derived.spheres = Some(spheres),
                Err(faults) => {
                    self.faults.extend(faults.iter().map(ToString::to_string));
                    self.broken.push("stiffness");
                }
            }
        }
        if let (Some(n), Some(spheres)) = (self.exponent, &derived.spheres)
            && (n - spheres.exponent).abs() > 1e-12
        {
            self.faults.push(format!(
                "exponent = {n}, but the contact of spheres has {}. Hint: leave --exponent out, or give --stiffness in place of --material and --radii",
                spheres.exponent
            ));
        }
        derived.number_all(length);
        self.derived = Some(derived);
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
        for n in cards.iter().filter_map(|card| usual_exponent(card)) {
            if !exponents.contains(&n) {
                exponents.push(n);
            }
        }
        self.plain_exponent = self
            .exponent
            .or(exponents.iter().copied().find(|n| *n == 1.5))
            .or(exponents.first().copied());
    }

    /// What a law is given of this case. With `strict`, what it does not take is a fault; else it is passed over.
    pub fn prepare(&self, card: &'static Card, strict: bool) -> Prepared {
        let mut prepared = Prepared {
            values: Values::new(),
            faults: Vec::new(),
            broken: self.broken.clone(),
            lacks: Vec::new(),
            derived: Vec::new(),
            hints: Vec::new(),
        };
        let springs = card.parameters.iter().find(|p| p.role == Role::Stiffness);
        let powers = card.parameters.iter().find(|p| p.role == Role::Exponent);
        for (name, text) in &self.params {
            if name == "separation" || card.choices.iter().any(|c| c.name == name) {
                prepared.values.set_word(name, text);
            } else if strict && !takes(card, name) {
                prepared.unknown(card, name);
            }
        }
        self.check_exponent(card, strict, springs, powers, &mut prepared);
        if springs.is_none() && strict && !self.stiffness.is_empty() {
            prepared.unknown(card, "stiffness");
        }
        if strict && self.stiffness.len() > 1 {
            prepared
                .faults
                .push("--stiffness is given more than once; only `compare` takes several".into());
        }
        // Pure numbers first: they may stand in the exponents of units.
        let (pure, others): (Vec<&'static Parameter>, Vec<&'static Parameter>) =
            card.parameters.iter().partition(|p| p.unit.is_empty());
        let mut names: Vec<(&str, f64)> = Vec::new();
        for p in pure.into_iter().chain(others) {
            let dimension = Dimension::of(p.unit, &names).ok();
            let given = self.params.iter().find(|(name, _)| name == p.name);
            let first_spring = springs.is_some_and(|s| s.name == p.name);
            let first_power = powers.is_some_and(|s| s.name == p.name);
            let value = if let Some((_, text)) = given {
                match dimension {
                    Some(dimension) => quantity(text, dimension),
                    None => units::parse_any(text)
                        .map(|v| v.0)
                        .map_err(|e| e.to_string()),
                }
                .map(Some)
                .map_err(|e| format!("{}: {}: {e}", card.id, p.name))
            } else if first_spring {
                let value = self.stiffness_for(card, p, dimension);
                if value.is_err() {
                    let unit = dimension.map_or(p.unit.into(), Dimension::unit);
                    prepared.lacks.push(format!("{} [{unit}]", p.name));
                }
                value
            } else if first_power {
                Ok(self.exponent.or_else(|| self.sphere_exponent(card)))
            } else {
                Ok(self.derived_for(card, p))
            };
            match value {
                Ok(Some(value)) => {
                    prepared.values.set_number(p.name, value);
                    let spheres = first_spring && self.stiffness.is_empty();
                    let power = first_power && self.exponent.is_none();
                    if given.is_none() && (spheres || power || !(first_spring || first_power)) {
                        prepared.derived.push(p.name);
                    }
                }
                Ok(None) => {
                    if let Some(hint) = self.hint_for(p.name) {
                        prepared.hints.push((p.name, hint));
                    }
                }
                Err(said) => {
                    prepared.faults.push(said);
                    prepared.broken.push(p.name);
                }
            }
            let default = match p.need {
                Need::Default(value) => Some(value),
                _ => None,
            };
            if let Some(value) = prepared.values.get(p.name).or(default) {
                names.push((p.symbol, value));
                names.push((p.name, value));
            }
        }
        prepared
    }

    /// An exponent for a law that has none of its own choosing must be the one it has.
    fn check_exponent(
        &self,
        card: &'static Card,
        strict: bool,
        springs: Option<&Parameter>,
        powers: Option<&Parameter>,
        prepared: &mut Prepared,
    ) {
        let (Some(n), None) = (self.exponent, powers) else {
            return;
        };
        let Some(spring) = springs else {
            if strict {
                prepared.unknown(card, "exponent");
            }
            return;
        };
        // Where several laws are asked, the stiffness says whether it fits.
        let Some(fixed) = power_of(spring.unit) else {
            return;
        };
        if strict && (fixed - n).abs() > 1e-12 {
            prepared.faults.push(format!(
                "{}: exponent = {n}, but that of the law is {fixed}: its stiffness is in {}. Hint: leave --exponent out and give a stiffness in that unit, or take a law with an exponent (hertz, flores)",
                card.id, spring.unit
            ));
            prepared.broken.push(spring.name);
        }
    }

    /// The stiffness among those given that has the unit of this parameter.
    fn stiffness_for(
        &self,
        card: &'static Card,
        p: &Parameter,
        dimension: Option<Dimension>,
    ) -> Result<Option<f64>, String> {
        let Some(expected) = dimension else {
            return Ok(self.stiffness.first().map(|s| s.value));
        };
        let fits = |s: &&Stiff| s.dimension.is_some_and(|d| d.fits(expected));
        if let Some(stiff) = self.stiffness.iter().find(fits) {
            return Ok(Some(stiff.value));
        }
        let spheres = self.derived.as_ref().and_then(|d| d.spheres.as_ref());
        if let Some(spheres) = spheres
            && per_length(spheres.exponent).fits(expected)
        {
            return Ok(Some(spheres.stiffness));
        }
        let lacks = |given: String| {
            Err(format!(
                "{}: `{}` [{}] is missing; {given}",
                card.id,
                p.name,
                expected.unit()
            ))
        };
        if let Some(plain) = self.stiffness.iter().find(|s| s.dimension.is_none()) {
            return match self.plain_exponent.map(per_length) {
                Some(meant) if !meant.fits(expected) => {
                    lacks(format!("the one given is in {}", meant.unit()))
                }
                _ => Ok(Some(plain.value)),
            };
        }
        match (self.stiffness.as_slice(), spheres) {
            ([], None) if self.derived.is_some() && p.need == Need::Required => {
                lacks("materials alone do not give it. Hint: --radii R1,R2, or --stiffness".into())
            }
            ([], None) => Ok(None),
            ([], Some(spheres)) => lacks(format!("that of the two spheres is in {}", spheres.unit)),
            ([one], None) => quantity(&one.text, expected)
                .map(Some)
                .map_err(|e| format!("{}: {}: {e}", card.id, p.name)),
            (several, spheres) => {
                let units: Vec<String> = several
                    .iter()
                    .filter_map(|s| s.dimension.map(Dimension::unit))
                    .chain(spheres.map(|s| s.unit.to_string()))
                    .collect();
                lacks(format!("those given are in {}", units.join(" and ")))
            }
        }
    }

    /// How the options for shapes would give a parameter.
    fn hint_for(&self, name: &str) -> Option<&'static str> {
        let derived = self.derived.as_ref()?;
        let joint = matches!(name, "bearing_radius" | "journal_radius" | "clearance");
        match derived.radii {
            Some([a, b]) if joint && a > 0.0 && b > 0.0 => Some(
                "the radius of a bearing is concave, so it is negative, and the journal is smaller: --radii \"-10 mm,9.5 mm\"",
            ),
            None if joint => Some("--radii, the bearing's negative: \"-10 mm,9.5 mm\""),
            None if matches!(name, "effective_radius" | "radius_1" | "radius_2") => {
                Some("--radii R1,R2 gives it")
            }
            _ => None,
        }
    }

    fn sphere_exponent(&self, card: &'static Card) -> Option<f64> {
        let spring = card.parameters.iter().any(|p| p.role == Role::Stiffness);
        let spheres = self.derived.as_ref()?.spheres.as_ref()?;
        spring.then_some(spheres.exponent)
    }

    /// A number that follows from shapes and materials, unless something is given that stands in its place.
    fn derived_for(&self, card: &'static Card, p: &Parameter) -> Option<f64> {
        // A modulus that only serves a damper says nothing where the damper is solved for.
        let given = |q: &Parameter| self.params.iter().any(|(name, _)| name == q.name);
        let damping = |q: &&Parameter| q.role == Role::Damping;
        let solved = self.calibration == Calibration::Exact
            || self.restitution.is_some() && !card.parameters.iter().filter(damping).any(given);
        if p.role == Role::Damping && card.can_calibrate() && solved {
            return None;
        }
        if let Need::Unless(others) = p.need
            && others
                .iter()
                .any(|o| self.params.iter().any(|(name, _)| name == o))
        {
            return None;
        }
        let numbers = &self.derived.as_ref()?.numbers;
        numbers.iter().find(|n| n.0 == p.name).map(|n| n.1)
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
                let own = card.and_then(usual_exponent);
                let exponent = self.exponent.or(self.plain_exponent).or(own);
                exponent.map(per_length)
            });
            let unit = unit.map_or(String::new(), Dimension::unit);
            said.push(format!("K = {}", units::pretty(stiff.value, &unit, 4)));
        }
        if let Some(derived) = &self.derived {
            let [a, b] = &derived.materials;
            said.push(if a.name == b.name {
                a.name.to_string()
            } else {
                format!("{} on {}", a.name, b.name)
            });
            if let Some([r1, r2]) = derived.radii {
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
        let Some(derived) = &self.derived else {
            return Vec::new();
        };
        stiffness::warnings(&Known {
            materials: [&derived.materials[0], &derived.materials[1]],
            radii: derived.radii,
            mass: Some(self.mass),
            speed: Some(self.speed),
            indentation: depth,
        })
        .iter()
        .map(Warning::from)
        .filter(|warning| !cards.iter().all(|card| allows_for(card, warning.code)))
        .collect()
    }
}

/// Whether a law is made for what a warning is about.
fn allows_for(card: &'static Card, code: &str) -> bool {
    let joint = |p: &Parameter| matches!(p.name, "bearing_radius" | "clearance");
    match code {
        "yield" => card.family == Family::Plastic,
        "conformal" | "large-contact" => card.parameters.iter().any(joint),
        _ => false,
    }
}

impl Prepared {
    fn unknown(&mut self, card: &'static Card, name: &str) {
        let words = card.choices.iter().map(|c| c.name);
        let fault = Fault::UnknownParameter {
            law: card.id,
            name: name.into(),
            takes: card
                .parameters
                .iter()
                .map(|p| p.name)
                .chain(words)
                .collect(),
        };
        self.faults.push(fault.to_string());
    }
}

impl Derived {
    /// Every number a card may ask for by name.
    fn number_all(&mut self, length: Option<f64>) {
        let [a, b] = &self.materials;
        let mut numbers = vec![
            ("effective_modulus", stiffness::effective_modulus([a, b])),
            ("young_1", a.young),
            ("young_2", b.young),
            ("poisson_1", a.poisson),
            ("poisson_2", b.poisson),
        ];
        // One modulus for both bodies is theirs only if they share it.
        if (a.young, a.poisson) == (b.young, b.poisson) {
            numbers.push(("young", a.young));
            numbers.push(("poisson", a.poisson));
        }
        for (name, strength) in [
            ("yield_strength_1", a.yield_strength),
            ("yield_strength_2", b.yield_strength),
        ] {
            numbers.extend(strength.map(|s| (name, s)));
        }
        numbers.extend(length.map(|l| ("length", l)));
        if let Some(spheres) = &self.spheres
            && let Some(radius) = spheres.effective_radius
        {
            numbers.push(("effective_radius", radius));
            let weaker = [a, b]
                .iter()
                .filter_map(|m| m.yield_strength)
                .min_by(f64::total_cmp);
            if let Some(strength) = weaker {
                let onset = stiffness::yield_onset(spheres.effective_modulus, radius, strength);
                numbers.push(("yield_indentation", onset.indentation));
                numbers.push(("limiting_pressure", onset.pressure));
            }
        }
        if let Some([r1, r2]) = self.radii {
            if r1.is_finite() && r1 > 0.0 && r2.is_finite() && r2 > 0.0 {
                numbers.push(("radius_1", r1));
                numbers.push(("radius_2", r2));
            }
            let (low, high) = (r1.min(r2), r1.max(r2));
            if low < 0.0 && high > 0.0 && high < -low {
                numbers.push(("bearing_radius", -low));
                numbers.push(("journal_radius", high));
                numbers.push(("clearance", -low - high));
            }
        }
        self.numbers = numbers;
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

/// The n of a unit N/m^n with a number for n.
fn power_of(unit: &str) -> Option<f64> {
    let dimension = Dimension::of(unit, &[]).ok()?;
    let n = 1.0 - dimension.length;
    dimension.fits(per_length(n)).then_some(n)
}

/// The exponent a law has, or takes unless another is given.
fn usual_exponent(card: &'static Card) -> Option<f64> {
    let spring = card.parameters.iter().find(|p| p.role == Role::Stiffness)?;
    let power = card.parameters.iter().find(|p| p.role == Role::Exponent);
    match power.map(|p| p.need) {
        Some(Need::Default(n)) => Some(n),
        Some(_) => None,
        None => power_of(spring.unit),
    }
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

    #[test]
    fn laws_are_selected_by_id_alias_family_or_all_and_none_twice() {
        let ids = |text| selection(text).map(|cards| cards.len());
        assert_eq!(ids("flores,ye,flores"), Ok(1));
        assert_eq!(ids("all"), Ok(contact::cards().count()));
        assert!(selection("hysteresis,hertz").expect("both").len() > 15);
        assert!(selection("florse").expect_err("mistyped")[0].contains("nearest: flores"));
    }

    #[test]
    fn the_exponent_of_a_unit_is_read() {
        assert_eq!(power_of("N/m^1.5"), Some(1.5));
        assert_eq!(power_of("N/m"), Some(1.0));
        assert_eq!(power_of("N/m^n"), None);
        assert_eq!(power_of("N s/m"), None);
    }
}
