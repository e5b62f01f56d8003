//! Which numbers of an impact does a law take?
//!
//! Nothing here knows a single law: what was given is found by the name, the unit and the role of a parameter on the card; what follows from shapes and materials, the library knows.

use carom::card::{Fault, Need, Parameter, Role, Values};
use carom::contact::{Calibration, Card, Lack, Supplied};
use carom::model::units::{self, Dimension};

use super::{Case, Stiff, per_length, takes};
use crate::commands::read::quantity;

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

impl Case {
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
        for (name, text) in &self.params {
            if name == "separation" || card.choices.iter().any(|c| c.name == name) {
                prepared.values.set_word(name, text);
            } else if strict && !takes(card, name) {
                prepared.unknown(card, name);
            }
        }
        self.check_exponent(card, strict, &mut prepared);
        if card.stiffness().is_none() && strict && !self.stiffness.is_empty() {
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
        for p in &pure {
            self.give(card, p, Some(Dimension::NONE), &mut prepared);
        }
        let known = self.supply(card, &prepared.values).values;
        let mut names: Vec<(&str, f64)> = Vec::new();
        for p in pure {
            let default = match p.need {
                Need::Default(value) => Some(value),
                _ => None,
            };
            if let Some(value) = known.get(p.name).or(default) {
                names.push((p.symbol, value));
                names.push((p.name, value));
            }
        }
        for p in others {
            let dimension = Dimension::of(p.unit, &names).ok();
            self.give(card, p, dimension, &mut prepared);
        }
        // A damper's parameters are hinted at as well: once one of them is given, nothing is solved for.
        let all = self
            .surfaces
            .supply(card, &prepared.values, Calibration::Published);
        let hint = |(name, lack): &(&'static str, Lack)| Some((*name, self.hint_for(name, lack)?));
        prepared.hints = all.lacks.iter().filter_map(hint).collect();
        let supplied = self.supply(card, &prepared.values);
        prepared.values = supplied.values;
        prepared.derived = supplied.derived;
        // With a stiffness of another unit beside it, that of the spheres is not marked.
        if !self.stiffness.is_empty() {
            let spring = card.stiffness().map(|p| p.name);
            prepared.derived.retain(|name| Some(*name) != spring);
        }
        prepared
    }

    /// What follows from shapes and materials. A damper that no parameter tells is solved for, given a restitution.
    fn supply(&self, card: &'static Card, values: &Values) -> Supplied {
        let given = |p: &Parameter| self.params.iter().any(|(name, _)| name == p.name);
        let damping = |p: &&Parameter| p.role == Role::Damping;
        let solved =
            self.restitution.is_some() && !card.parameters.iter().filter(damping).any(given);
        let calibration = if solved {
            Calibration::Exact
        } else {
            self.calibration
        };
        self.surfaces.supply(card, values, calibration)
    }

    /// Gives a law what an option says of this parameter.
    fn give(
        &self,
        card: &'static Card,
        p: &'static Parameter,
        dimension: Option<Dimension>,
        prepared: &mut Prepared,
    ) {
        let value = if let Some((_, text)) = self.params.iter().find(|(name, _)| name == p.name) {
            match dimension {
                Some(dimension) => quantity(text, dimension),
                None => units::parse_any(text)
                    .map(|v| v.0)
                    .map_err(|e| e.to_string()),
            }
            .map(Some)
            .map_err(|e| format!("{}: {}: {e}", card.id, p.name))
        } else if p.role == Role::Stiffness {
            let value = self.stiffness_for(card, p, dimension);
            if value.is_err() {
                let unit = dimension.map_or(p.unit.into(), Dimension::unit);
                prepared.lacks.push(format!("{} [{unit}]", p.name));
            }
            value
        } else if p.role == Role::Exponent {
            Ok(self.exponent)
        } else {
            Ok(None)
        };
        match value {
            Ok(Some(value)) => prepared.values.set_number(p.name, value),
            Ok(None) => {}
            Err(said) => {
                prepared.faults.push(said);
                prepared.broken.push(p.name);
            }
        }
    }

    /// An exponent for a law that has none of its own choosing must be the one it has.
    fn check_exponent(&self, card: &'static Card, strict: bool, prepared: &mut Prepared) {
        let takes_one = card.parameters.iter().any(|p| p.role == Role::Exponent);
        let (Some(n), false) = (self.exponent, takes_one) else {
            return;
        };
        let (Some(spring), Some(fixed)) = (card.stiffness(), card.exponent(&Values::new())) else {
            if strict {
                prepared.unknown(card, "exponent");
            }
            return;
        };
        // Where several laws are asked, the stiffness says whether it fits.
        if strict && (fixed - n).abs() > 1e-12 {
            prepared.faults.push(format!(
                "{}: exponent = {n}, but that of the law is {fixed}: its stiffness is in {}. Hint: leave --exponent out and give a stiffness in that unit, or take a law with an exponent (hertz, flores)",
                card.id, spring.unit
            ));
            prepared.broken.push(spring.name);
        }
    }

    /// The stiffness among those given that has the unit of this parameter; none where that of the spheres will do.
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
        let spheres = self.surfaces.spheres().ok();
        if let Some(spheres) = &spheres
            && per_length(spheres.exponent).fits(expected)
        {
            return Ok(None);
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
            ([], None) if self.surfaces.materials.is_some() && p.need == Need::Required => {
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
    fn hint_for(&self, name: &str, lack: &Lack) -> Option<&'static str> {
        self.surfaces.materials.as_ref()?;
        let joint = matches!(name, "bearing_radius" | "journal_radius" | "clearance");
        match lack {
            Lack::Joint if self.surfaces.radii.is_some_and(|[a, b]| a > 0.0 && b > 0.0) => Some(
                "the radius of a bearing is concave, so it is negative, and the journal is smaller: --radii \"-10 mm,9.5 mm\"",
            ),
            Lack::Radii if joint => Some("--radii, the bearing's negative: \"-10 mm,9.5 mm\""),
            Lack::Radii if matches!(name, "effective_radius" | "radius_1" | "radius_2") => {
                Some("--radii R1,R2 gives it")
            }
            _ => None,
        }
    }
}
