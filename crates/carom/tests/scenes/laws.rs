//! Which law may a contact of a scene follow, with numbers that suit its bodies?

use std::f64::consts::PI;
use std::sync::OnceLock;

use carom::card::{Need, Role};
use carom::contact;
use carom::friction;
use carom::model::file::{Source, read};

use super::random::{Random, round};
use super::tree::{Table, Value};

/// The size of an impact, from which numbers of laws follow: Hertz's law has this depth (m) there.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub depth: f64,
    /// m, kg, m/s.
    pub radius: f64,
    pub mass: f64,
    pub speed: f64,
}

impl Size {
    pub fn stiffness(&self) -> f64 {
        1.25 * self.mass * self.speed * self.speed / self.depth.powf(2.5)
    }

    fn force(&self) -> f64 {
        self.stiffness() * self.depth.powf(1.5)
    }

    /// How long Hertz's impact takes, s.
    pub fn duration(&self) -> f64 {
        2.943_28 * self.depth / self.speed
    }
}

/// Restitutions from nearly none to all.
pub fn restitution(random: &mut Random) -> f64 {
    match random.count(0, 9) {
        0 => 1.0,
        1 => random.between(0.05, 0.2),
        _ => random.between(0.2, 1.0),
    }
}

/// The keys of any law of the catalogue. `materials`: what follows from them is left out.
pub fn contact(
    table: &mut Vec<(String, Value)>,
    size: &Size,
    materials: bool,
    random: &mut Random,
) {
    let mut set = |key: &str, value: Value| table.push((key.into(), value));
    if random.chance(0.03) {
        // A force of the user's own.
        let (k, e) = (round(size.stiffness()), restitution(random));
        let c = round((1.0 - e) / size.speed);
        set("law", "own".into());
        set("force", format!("{k:?}*delta^1.5*(1 + {c:?}*rate)").into());
        return;
    }
    // Wang's restitution falls with the speed, to below zero.
    let cards: Vec<_> = contact::cards()
        .filter(|card| card.id != "wang" || size.speed < 10.0)
        .collect();
    let card = random.pick(&cards);
    set("law", card.id.into());
    let e = restitution(random);
    let takes = card.restitution().is_some();
    let given = card.id == "xiong";
    let exact = card.can_calibrate() && !given && (!takes || random.chance(0.3));
    let mut damper = "none";
    for choice in card.choices {
        let words: Vec<&str> = choice.words.iter().map(|w| w.0).collect();
        let mut word = random.pick(&words);
        if choice.name == "shallow" {
            word = "elastic";
        }
        if choice.name == "damper" {
            damper = word;
        }
        if word != words[0] {
            set(choice.name, word.into());
        }
    }
    let separations: Vec<&str> = card.separations.iter().map(|s| s.name()).collect();
    let separation = random.pick(&separations);
    if separation != separations[0] {
        set("separation", separation.into());
    }
    let elastic = takes && card.choices.iter().any(|c| c.name == "damper") && damper == "none";
    let restitutes = (takes && !elastic) || exact;
    if restitutes {
        set("restitution", e.into());
    }
    if exact && !elastic {
        set("calibration", "exact".into());
    }
    let (depth, force, k, radius) = (size.depth, size.force(), size.stiffness(), size.radius);
    let modulus = 0.75 * k / radius.sqrt();
    let mut exponent = 1.5;
    for p in card.parameters {
        // A variant of Poursina's knows two exponents only.
        let free = card.id != "poursina-nikravesh";
        if p.role == Role::Exponent && free && !materials && random.chance(0.3) {
            exponent = random.between(p.range.low.max(1.0), p.range.high.min(2.5));
            set(p.name, exponent.into());
        }
    }
    let unit_exponent = |unit: &str| match unit {
        "N/m" => 1.0,
        "N/m^1.08" => 1.08,
        "N/m^1.5" => 1.5,
        _ => exponent,
    };
    for p in card.parameters {
        if p.role == Role::Exponent || p.name == "restitution" {
            continue;
        }
        if p.role == Role::Damping && restitutes {
            continue;
        }
        if matches!(p.need, Need::Default(_)) {
            continue;
        }
        // Where several ways lead to a damper, the first one is taken.
        if let Need::Unless(others) = p.need
            && !["damping", "unloading_stiffness", "alpha"].contains(&p.name)
            && !others.is_empty()
        {
            continue;
        }
        if p.need == Need::Sometimes {
            continue;
        }
        if materials
            && p.role == Role::Stiffness
            && p.name == "stiffness"
            && unit_exponent(p.unit) == 1.5
        {
            continue;
        }
        let value = match p.name {
            "stiffness" => force / depth.powf(unit_exponent(p.unit)),
            "unloading_stiffness" => force / depth * random.between(1.0, 5.0),
            "damping" | "alpha" => 0.0,
            "effective_modulus" => modulus,
            "young" | "young_1" | "young_2" => 1.82 * modulus,
            "poisson" => 0.3,
            "length" => 2.0 * radius,
            "clearance" => 0.05 * radius,
            "journal_radius" => radius,
            "bearing_radius" => 1.05 * radius,
            "effective_radius" => radius,
            "radius_1" | "radius_2" => 2.0 * radius,
            "yield_strength_1" | "yield_strength_2" => 400e6,
            "yield_indentation" | "permanent_indentation" => 0.25 * depth,
            "unloading_factor" => e,
            "limiting_pressure" => 2.0 * modulus * (0.25 * depth / radius).sqrt() / PI,
            "beta_2" => 0.2 * size.duration() / depth.powf(1.5),
            // Some hundred times one over the duration, as its card says: below, it gives back more than it takes.
            "gamma" => 300.0 / size.duration(),
            "equilibrium_shear_modulus" => 0.7 * modulus,
            "decaying_shear_modulus" => 0.2 * modulus,
            "viscosity" => 0.02 * modulus * size.duration(),
            "damping_1" | "damping_2" => 0.1 * modulus * size.duration(),
            "volume_stiffness" => force / (PI * radius * depth * depth),
            "case_coefficient" => 1.0,
            "interference_area" => force / (PI * modulus * depth) * radius,
            "shape_length" => radius,
            other => panic!("{}: no number for {other} [{}]", card.id, p.unit),
        };
        set(p.name, round(value).into());
    }
}

/// The keys of a law of friction, as an inline table.
fn friction_of(card: &friction::Card, size: &Size, random: &mut Random) -> Value {
    let kinetic = random.log(0.01, 1.0);
    let slow = size.speed * random.log(1e-4, 3e-2);
    let stiffness = size.force() / size.depth * random.log(0.1, 2.0);
    let mut keys: Vec<(String, Value)> = vec![("law".into(), card.id.into())];
    for p in card.parameters {
        if matches!(p.need, Need::Default(_)) && random.chance(0.7) {
            continue;
        }
        let value = match p.name {
            "coefficient" | "kinetic_coefficient" => kinetic,
            "static_coefficient" => kinetic * random.between(1.0, 1.6),
            "v0" => 0.1 * slow,
            "v1" | "transition_speed" | "dead_band" | "stribeck_speed" => slow,
            "stiffness" => stiffness,
            "damping" => random.between(0.05, 1.0) * (stiffness * size.mass).sqrt(),
            "viscous" if p.unit == "s/m" => 0.01 / size.speed,
            "viscous" => 0.01 * size.force() / size.speed,
            "exponent" => random.between(0.5, 2.0),
            "radius" => size.radius,
            other => panic!("{}: no number for {other} [{}]", card.id, p.unit),
        };
        keys.push((p.name.into(), round(value).into()));
    }
    Value::Table(keys)
}

/// The laws of friction that a key of a small model takes today.
fn taken(key: &str, head: &str) -> Vec<&'static friction::Card> {
    let size = Size {
        depth: 1e-4,
        radius: 0.1,
        mass: 1.0,
        speed: 1.0,
    };
    let mut random = Random::new(0);
    let takes = |card: &&friction::Card| {
        let mut table = Table::new("");
        table.set(key, friction_of(card, &size, &mut random));
        let text = format!(
            "format = 1\n[simulation]\nend = 1\n[ground]\nshapes.s = {{ type = \"half-plane\" }}\n[body.a]\nmass = 1\ninertia = 1\nposition = [0, 1]\nshapes.s = {{ type = \"circle\", radius = 1 }}\n{head}\n{key} = {}\n",
            table.keys[0].1
        );
        read(&Source::new("probe", text), &[]).is_ok()
    };
    friction::cards().filter(takes).collect()
}

/// A law of friction for a contact, any of those that contacts take.
pub fn friction(size: &Size, random: &mut Random) -> Option<Value> {
    static TAKEN: OnceLock<Vec<&'static friction::Card>> = OnceLock::new();
    let cards = TAKEN.get_or_init(|| {
        taken(
            "friction",
            "[contact.c]\nbetween = [\"a\", \"ground\"]\nstiffness = 1e6\nrestitution = 0.5",
        )
    });
    (!cards.is_empty()).then(|| friction_of(random.pick(cards), size, random))
}

/// A law of rolling resistance, once contacts take one.
pub fn rolling(size: &Size, random: &mut Random) -> Option<Value> {
    static TAKEN: OnceLock<Vec<&'static friction::Card>> = OnceLock::new();
    let cards = TAKEN.get_or_init(|| {
        taken(
            "rolling",
            "[contact.c]\nbetween = [\"a\", \"ground\"]\nstiffness = 1e6\nrestitution = 0.5",
        )
    });
    let mut size = *size;
    // Its transition speed is an angular one.
    size.speed /= size.radius;
    (!cards.is_empty()).then(|| friction_of(random.pick(cards), &size, random))
}

/// A law of friction for a guide.
pub fn guide_friction(size: &Size, random: &mut Random) -> Option<Value> {
    static TAKEN: OnceLock<Vec<&'static friction::Card>> = OnceLock::new();
    let cards = TAKEN.get_or_init(|| {
        taken(
            "friction",
            "[joint.j]\ntype = \"translational\"\nbetween = [\"ground\", \"a\"]\ndirection = 0",
        )
    });
    (!cards.is_empty()).then(|| friction_of(random.pick(cards), size, random))
}

/// A law of friction for a pin of this radius (m).
pub fn joint_friction(size: &Size, radius: f64, random: &mut Random) -> Option<Value> {
    static TAKEN: OnceLock<Vec<&'static friction::Card>> = OnceLock::new();
    let cards = TAKEN.get_or_init(|| {
        taken(
            "friction",
            "[joint.j]\ntype = \"revolute\"\nbetween = [\"a\", \"ground\"]\njournal_radius = 0.1",
        )
    });
    if cards.is_empty() {
        return None;
    }
    let Value::Table(mut keys) = friction_of(random.pick(cards), size, random) else {
        return None;
    };
    keys.push(("radius".into(), radius.into()));
    Some(Value::Table(keys))
}
