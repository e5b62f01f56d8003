//! How stiff is a contact of these shapes and materials?

use carom::card::{Fault, Role};
use carom::contact;
use carom::contact::materials::Material;
use carom::contact::stiffness::{self, Cylinder, Known, Stiffness};
use carom::model::units::{Dimension, pretty};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::read::{pair, quantity, two_materials};
use super::{DIGITS, Warning, materials, pairs, print, print_json};
use crate::trouble::Trouble;

/// The arguments of `carom stiffness`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom stiffness sphere-sphere --radii -10mm,9.5mm --material steel,steel\n\nMore:\n  carom stiffness sphere-plane --radius \"20 mm\" --material glass,concrete --mass 0.08 --speed 1\n  carom stiffness flats --half-side \"5 mm\" --material steel\n  carom stiffness gear --length \"20 mm\" --material steel\n  carom stiffness cylinder --radii \"-10 mm,9.5 mm\" --length \"15 mm\" --material steel,bronze\n\nWith --speed and --mass it warns where the elastic theory ends: speed, yield, size of the contact."
)]
pub struct Arguments {
    /// The shapes that meet
    shape: Shape,

    /// Both materials: names (`carom materials`) or young:poisson[:density[:yield]]; one stands for both
    #[arg(long, value_name = "A,B")]
    material: String,

    /// Radii of two spheres, or of a bearing (negative) and its journal; negative if concave
    #[arg(long, value_name = "R1,R2", allow_hyphen_values = true)]
    radii: Option<String>,

    /// Radius of the sphere on a plane
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    radius: Option<String>,

    /// Half the side of a square flat
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    half_side: Option<String>,

    /// Width of the gears, length of the cylinders
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<String>,

    /// Effective mass, for the warnings
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    mass: Option<String>,

    /// Approach speed, for the warnings
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<String>,

    /// Prints JSON (SI units)
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Shape {
    /// Two spheres, one of which may be a hollow one or a plane (Hertz): --radii
    SphereSphere,
    /// A sphere on a plane (Hertz): --radius
    SpherePlane,
    /// Two square flats (Lankarani): --half-side
    Flats,
    /// Teeth of spur gears (Yang and Sun): --length
    Gear,
    /// A journal in its bearing, for the laws of cylindrical joints: --radii, --length
    Cylinder,
}

impl Shape {
    /// The options it takes.
    fn takes(self) -> &'static [&'static str] {
        match self {
            Self::SphereSphere => &["radii"],
            Self::SpherePlane => &["radius"],
            Self::Flats => &["half-side"],
            Self::Gear => &["length"],
            Self::Cylinder => &["radii", "length"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::SphereSphere => "sphere-sphere",
            Self::SpherePlane => "sphere-plane",
            Self::Flats => "flats",
            Self::Gear => "gear",
            Self::Cylinder => "cylinder",
        }
    }
}

enum Found {
    Power(Stiffness),
    Cylinder(Cylinder),
}

/// Computes and prints.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut said = Vec::new();
    let shape = arguments.shape;
    let materials = two_materials(&arguments.material)
        .map_err(|e| said.extend(e))
        .ok();
    for (name, given) in [
        ("radii", &arguments.radii),
        ("radius", &arguments.radius),
        ("half-side", &arguments.half_side),
        ("length", &arguments.length),
    ] {
        let takes = shape.takes().contains(&name);
        if takes && given.is_none() {
            said.push(format!("{}: --{name} is missing", shape.name()));
        } else if !takes && given.is_some() {
            said.push(format!(
                "{} does not take --{name}; it takes --{}",
                shape.name(),
                shape.takes().join(" and --")
            ));
        }
    }
    let mut read = |option: &str, text: &Option<String>, kind| {
        let text = text.as_ref()?;
        quantity(text, kind)
            .map_err(|e| said.push(format!("--{option}: {e}")))
            .ok()
    };
    let radius = read("radius", &arguments.radius, Dimension::LENGTH);
    let half_side = read("half-side", &arguments.half_side, Dimension::LENGTH);
    let length = read("length", &arguments.length, Dimension::LENGTH);
    let mass = read("mass", &arguments.mass, Dimension::MASS);
    let speed = read("speed", &arguments.speed, Dimension::SPEED);
    let radii = arguments.radii.as_ref().and_then(|text| {
        pair(text, Dimension::LENGTH)
            .map_err(|e| said.push(format!("--radii: {e}")))
            .ok()
    });
    for (name, value, unit) in [("mass", mass, "kg"), ("speed", speed, "m/s")] {
        if let Some(value) = value
            && !(value > 0.0 && value.is_finite())
        {
            said.push(format!("{name} = {value} [{unit}], but must be > 0"));
        }
    }
    let Some([one, other]) = materials.filter(|_| said.is_empty()) else {
        return Err(Trouble::Input(said));
    };
    let both = [&one, &other];
    let lack = || -> Vec<Fault> { Vec::new() };
    let found = match (shape, radii, length) {
        (Shape::SphereSphere, Some(radii), _) => {
            stiffness::sphere_sphere(radii, both).map(Found::Power)
        }
        (Shape::SpherePlane, ..) => radius
            .ok_or_else(lack)
            .and_then(|r| stiffness::sphere_plane(r, both))
            .map(Found::Power),
        (Shape::Flats, ..) => half_side
            .ok_or_else(lack)
            .and_then(|a| stiffness::flats(a, both))
            .map(Found::Power),
        (Shape::Gear, _, Some(length)) => stiffness::gear(length, both).map(Found::Power),
        (Shape::Cylinder, Some([a, b]), Some(length)) => {
            // Signs as for spheres, or both positive: the larger is the bearing.
            let (bearing, journal) = if a.min(b) < 0.0 {
                (-a.min(b), a.max(b))
            } else {
                (a.max(b), a.min(b))
            };
            stiffness::cylinder(bearing, journal, length, both).map(Found::Cylinder)
        }
        _ => Err(lack()),
    }?;
    let known = Known {
        materials: both,
        radii: match (shape, radii, radius) {
            (Shape::SphereSphere, Some(radii), _) => Some(radii),
            (Shape::SpherePlane, _, Some(radius)) => Some([radius, f64::INFINITY]),
            _ => None,
        },
        mass,
        speed,
        indentation: None,
    };
    let warnings: Vec<Warning> = stiffness::warnings(&known)
        .iter()
        .map(Warning::from)
        .collect();
    super::warn(&warnings);
    if arguments.json {
        print_json(&summary(&found, both, &known, &warnings))
    } else {
        print(&text(&found, both, &known))
    }
}

/// The laws that take such a stiffness, or the numbers of a cylinder.
fn laws(found: &Found) -> Vec<&'static str> {
    let takes = |card: &&contact::Card| match found {
        Found::Power(s) => card.parameters.iter().any(|p| {
            p.role == Role::Stiffness
                && (p.unit == s.unit || Dimension::of(p.unit, &[]).is_err() && !p.unit.is_empty())
        }),
        Found::Cylinder(_) => card
            .parameters
            .iter()
            .any(|p| ["bearing_radius", "clearance"].contains(&p.name)),
    };
    contact::cards().filter(takes).map(|c| c.id).collect()
}

/// Where yielding begins, of the weaker material.
fn onset(found: &Found, both: [&Material; 2]) -> Option<stiffness::YieldOnset> {
    let Found::Power(s) = found else { return None };
    let strength = both
        .iter()
        .filter_map(|m| m.yield_strength)
        .min_by(f64::total_cmp)?;
    Some(stiffness::yield_onset(
        s.effective_modulus,
        s.effective_radius?,
        strength,
    ))
}

fn summary(found: &Found, both: [&Material; 2], known: &Known, warnings: &[Warning]) -> Value {
    let mut value = match found {
        Found::Power(s) => json!({
            "geometry": s.geometry,
            "stiffness": s.stiffness,
            "unit": s.unit,
            "exponent": s.exponent,
            "effective_modulus": s.effective_modulus,
            "effective_radius": s.effective_radius,
            "formula": s.formula,
            "source": s.source,
        }),
        Found::Cylinder(c) => json!({
            "geometry": "cylinder",
            "effective_modulus": c.effective_modulus,
            "sigma": c.sigma,
            "length": c.length,
            "clearance": c.clearance,
            "bearing_radius": c.bearing_radius,
            "journal_radius": c.journal_radius,
            "limit_dubowsky_freudenstein": c.limit_dubowsky_freudenstein,
            "limit_esdu": c.limit_esdu,
        }),
    };
    if let Some(map) = value.as_object_mut() {
        map.insert("laws".into(), laws(found).into());
        map.insert(
            "materials".into(),
            both.map(materials::json).to_vec().into(),
        );
        map.insert(
            "validity_speed".into(),
            stiffness::validity_speed(both).map_or(Value::Null, Value::from),
        );
        map.insert(
            "yield_onset".into(),
            onset(found, both).map_or(Value::Null, |y| {
                json!({
                    "pressure": y.pressure,
                    "indentation": y.indentation,
                    "load": y.load,
                    "energy": y.energy,
                    "speed": known.mass.map(|m| y.speed(m)),
                })
            }),
        );
        map.insert(
            "warnings".into(),
            warnings.iter().map(Warning::json).collect(),
        );
    }
    value
}

fn text(found: &Found, both: [&Material; 2], known: &Known) -> String {
    let show = |x: f64, unit: &str| pretty(x, unit, DIGITS);
    let mut rows: Vec<(&str, String)> = Vec::new();
    let head = match found {
        Found::Power(s) => {
            rows.push((
                "stiffness K",
                format!(
                    "{} = {:e} {}",
                    show(s.stiffness, s.unit),
                    s.stiffness,
                    s.unit
                ),
            ));
            rows.push(("exponent n", s.exponent.to_string()));
            rows.push(("effective modulus E*", show(s.effective_modulus, "Pa")));
            if let Some(r) = s.effective_radius {
                rows.push(("effective radius R", show(r, "m")));
            }
            rows.push(("formula", s.formula.into()));
            rows.push(("source", s.source.into()));
            s.geometry
        }
        Found::Cylinder(c) => {
            rows.push(("effective modulus E*", show(c.effective_modulus, "Pa")));
            rows.push(("σi + σj", format!("{:e} 1/Pa", c.sigma)));
            rows.push(("length", show(c.length, "m")));
            rows.push(("bearing radius", show(c.bearing_radius, "m")));
            rows.push(("journal radius", show(c.journal_radius, "m")));
            rows.push(("radial clearance", show(c.clearance, "m")));
            rows.push((
                "deepest with a force",
                format!(
                    "dubowsky-freudenstein {}, esdu-78035 {}",
                    show(c.limit_dubowsky_freudenstein, "m"),
                    show(c.limit_esdu, "m")
                ),
            ));
            "cylinder"
        }
    };
    let names = laws(found);
    if !names.is_empty() && matches!(found, Found::Cylinder(_)) {
        rows.push(("laws that use it", names.join(", ")));
    }
    if let Some(v) = stiffness::validity_speed(both) {
        rows.push((
            "slow enough below",
            format!("{}, 1e-5 √(E/ρ)", pretty(v, "m/s", 4)),
        ));
    }
    if let Some(y) = onset(found, both) {
        let speed = known.mass.map_or(String::new(), |m| {
            format!(", speed {}", pretty(y.speed(m), "m/s", 4))
        });
        rows.push((
            "yield begins at",
            format!(
                "indentation {}, force {}{speed}",
                pretty(y.indentation, "m", 4),
                pretty(y.load, "N", 4)
            ),
        ));
    }
    let [a, b] = both;
    format!("{head}, {} on {}\n{}", a.name, b.name, pairs(&rows))
}
