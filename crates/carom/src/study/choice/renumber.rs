//! What is the law of an element at other numbers than those of the model file?
//!
//! Laws are compared at the same numbers. Where some are given in place of those of the model, its own law gets them too: else the difference of the numbers would be taken for one of the laws.

use crate::card::{Fault, Role, Values};
use crate::contact::{Calibration, Card, Law, Restitution, Surfaces};
use crate::impact::{self, Failed};
use crate::mechanics::{Curved, Follows};
use crate::model::Model;
use crate::study::advise::{Advice, Judged, Known};
use crate::study::speed_curve;

use super::{Met, definition};

/// A model whose own law has the numbers that the others are compared at.
#[derive(Clone, Debug)]
pub struct Renumbered {
    /// The model.
    pub model: Model,
    /// Whether its law is another one than that of the model file.
    pub changed: bool,
    /// Which numbers are others than those of the model file, and what its own law makes of them, in plain words; empty where all are the model's.
    pub said: Vec<String>,
}

/// Which numbers are others than those of the run.
struct Others<'a> {
    restitution: Option<&'a Restitution>,
    stiffness: bool,
    surfaces: bool,
    /// Whether the stiffness in the model follows from its surfaces.
    follows: bool,
    /// The effective mass that laws are run on, kg.
    mass: f64,
}

/// The law of one element (`met`) at what is known, as the laws of the advice are: everything that is not known otherwise stays as it is in the model. A law that cannot be had at these numbers stays as it is, which is said.
pub fn renumber(model: &Model, met: &Met, known: &Known, advice: &Advice) -> Renumbered {
    let run = met.known();
    let told = known.restitution != run.restitution || !known.measured.is_empty();
    let others = Others {
        restitution: told.then_some(&advice.restitution),
        stiffness: known.given_stiffness() != run.given_stiffness(),
        surfaces: known.surfaces != run.surfaces,
        follows: run.given_stiffness().is_none(),
        mass: advice.numbers.as_ref().map_or(f64::NAN, |n| n.mass),
    };
    let differ = others.in_words(met, &run, known);
    if differ.is_empty() {
        return Renumbered {
            model: model.clone(),
            changed: false,
            said: Vec::new(),
        };
    }
    let law = met.law;
    // A force that the user wrote is no law of the catalogue, and has no such numbers.
    let put = match advice.law(law) {
        Some(judged) => others.put_into_model(model, &met.definition, judged),
        None => Err(Vec::new()),
    };
    let (model, changed, own) = match put {
        Ok((new, true)) => (
            new,
            true,
            format!(
                "Its own law, {law}, is run at these too, so that the laws are compared and not the numbers: the model file as it stands may give something else."
            ),
        ),
        Ok((same, false)) => (
            same,
            false,
            format!("Its own law, {law}, takes none of them and is run as it stands."),
        ),
        Err(faults) => {
            let why: Vec<String> = faults.iter().map(|fault| format!(": {fault}")).collect();
            (
                model.clone(),
                false,
                format!(
                    "Its own law, {law}, cannot be had at these and is run as it stands, so that what it differs by is partly a matter of the numbers{}.",
                    why.concat().trim_end_matches('.')
                ),
            )
        }
    };
    Renumbered {
        model,
        changed,
        said: vec![format!(
            "Laws are compared at other numbers than those of the model file: {}. {own}",
            differ.join(", ")
        )],
    }
}

/// The law of an element.
pub fn own_law<'a>(model: &'a Model, at: &str) -> Option<&'a Follows> {
    let mut contacts = model.contacts.iter();
    let mut limits = model.limits.iter();
    let contact = contacts.find(|entry| definition(&entry.element()) == at);
    let limit = limits.find(|entry| format!("joint.{}.limits", entry.name) == at);
    match (contact, limit) {
        (Some(entry), _) => Some(&entry.contact.terms().follows),
        (None, Some(entry)) => Some(&entry.limit.terms().follows),
        (None, None) => None,
    }
}

/// The largest error of restitution of a free impact with the law of an element, over the impacts that all laws were put to: returned less asked for. None where it cannot be run there.
pub fn restitution_error(own: &Follows, advice: &Advice) -> Option<f64> {
    let law = match own {
        Follows::Law(law) => law,
        // Its numbers follow from the radii of each touch; those of the advice are the ones where it met fastest.
        Follows::Curved(curved) => {
            let judged = advice.law(curved.card.id)?;
            return match own.calibration() {
                Calibration::Exact => judged.exact_error,
                Calibration::Published => judged.published_error,
            };
        }
    };
    let mass = advice.numbers.as_ref()?.mass;
    let mut worst = 0.0_f64;
    for &(speed, asked) in &advice.asked {
        let (_, returned) = speed_curve(law, mass, speed, &[speed]).pop()?;
        let error = returned.ok()? - asked;
        if error.abs() > worst.abs() {
            worst = error;
        }
    }
    Some(worst).filter(|error| error.is_finite())
}

/// Whether a law gives the force that an element has already. What it is asked for counts only where it takes it.
pub fn same_law(own: &Follows, law: &Law) -> bool {
    let Follows::Law(own) = own else {
        return false;
    };
    let card = own.card();
    let takes = card.restitution().is_some() || own.calibration() == Calibration::Exact;
    card == law.card()
        && own.as_own() == law.as_own()
        && own.values() == law.values()
        && own.calibration() == law.calibration()
        && (own.asked() == law.asked() || !takes)
}

impl Others<'_> {
    /// What is other than in the model, and what stands there.
    fn in_words(&self, met: &Met, run: &Known, known: &Known) -> Vec<String> {
        let restitution = |restitution: Option<&Restitution>| match restitution {
            Some(Restitution::Number(e)) => e.to_string(),
            Some(_) => "one that depends on the speed".into(),
            None => "none".into(),
        };
        let spring = |spring: Option<(f64, f64)>| match spring {
            Some((k, n)) => format!("{k:.4e} N/m^{n}"),
            None => "that of the surfaces".into(),
        };
        let mut said = Vec::new();
        if let Some(new) = self.restitution {
            said.push(format!(
                "restitution {} in place of {}",
                restitution(Some(new)),
                restitution(met.restitution.as_ref())
            ));
        }
        if self.stiffness {
            said.push(format!(
                "stiffness {} in place of {}",
                spring(known.given_stiffness()),
                spring(run.stiffness)
            ));
        }
        if self.surfaces {
            said.push("materials, radii or length that are not those of its surfaces".into());
        }
        said
    }

    /// The model with these numbers in the law of one element, and whether any is another one.
    fn put_into_model(
        &self,
        model: &Model,
        at: &str,
        judged: &Judged,
    ) -> Result<(Model, bool), Vec<Failed>> {
        let mut model = model.clone();
        let mut changed = false;
        for entry in &mut model.contacts {
            if definition(&entry.element()) == at {
                let old = &entry.contact.terms().follows;
                let new = self.put_into(old, judged)?;
                changed |= new != *old;
                entry.contact = entry.contact.clone().with_law(new);
            }
        }
        for entry in &mut model.limits {
            if format!("joint.{}.limits", entry.name) == at {
                let old = &entry.limit.terms().follows;
                let new = self.put_into(old, judged)?;
                changed |= new != *old;
                if let Follows::Law(new) = new {
                    entry.limit = entry.limit.clone().with_law(new);
                }
            }
        }
        Ok((model, changed))
    }

    /// A law with these numbers in place of its own, where it takes them. A coefficient that is solved for is found as those of the advice are: at its speed, and kept.
    fn put_into(&self, follows: &Follows, judged: &Judged) -> Result<Follows, Vec<Failed>> {
        let (card, mut values, asked) = match follows {
            Follows::Law(law) if law.as_own().is_some() => return Ok(follows.clone()),
            Follows::Law(law) => (law.card(), given(law), law.asked().cloned()),
            Follows::Curved(curved) => (
                curved.card,
                curved.values.clone(),
                curved.restitution.clone(),
            ),
        };
        let mut calibration = match follows {
            Follows::Law(law) => law.calibration(),
            Follows::Curved(curved) => curved.calibration,
        };
        for p in card.parameters {
            let spring = matches!(p.role, Role::Stiffness | Role::Exponent);
            // What follows from the surfaces stands there as the old ones had it; a stiffness that was typed is none of it.
            let wanted = match spring {
                true => self.stiffness || self.surfaces && self.follows,
                false => self.surfaces && follows_from_surfaces(card, p.name),
            };
            if let Some(value) = judged.values.get(p.name).filter(|_| wanted) {
                values.set_number(p.name, value);
            }
        }
        let mut restitution = asked;
        let mut solved = false;
        if let Some(new) = self.restitution {
            let takes = restitution.is_some() || card.restitution().is_some();
            if takes || card.can_calibrate() {
                let replaced = match takes {
                    true => Role::Restitution,
                    // Its coefficient is the one that returns this.
                    false => Role::Damping,
                };
                values = without(card, &values, replaced);
                restitution = Some(new.clone());
                if !takes {
                    calibration = Calibration::Exact;
                    solved = true;
                }
            }
        }
        // Solved for at the speed that the others are, and kept as theirs is.
        let wrong = |faults: Vec<Fault>| faults.into_iter().map(Failed::Input).collect::<Vec<_>>();
        let speed = judged.impact.approach_speed;
        if solved && judged.keeps() {
            if let Follows::Curved(_) = follows {
                let damping = card.parameters.iter().filter(|p| p.role == Role::Damping);
                for p in damping {
                    if let Some(value) = judged.values.get(p.name) {
                        values.set_number(p.name, value);
                    }
                }
                (restitution, calibration) = (None, Calibration::Published);
            } else {
                let there = restitution.as_ref().map(|r| r.at(speed, card.id));
                let there = there.transpose().map_err(|fault| wrong(vec![fault]))?;
                let law = Law::new(card, &values, there.map(Restitution::Number), calibration)
                    .map_err(wrong)?;
                let kept = impact::keeping(&law, &values, speed, self.mass);
                if let Some((law, _)) = kept.map_err(|why| vec![why])? {
                    return Ok(Follows::Law(law));
                }
            }
        }
        Ok(match follows {
            Follows::Law(_) => {
                Follows::Law(Law::new(card, &values, restitution, calibration).map_err(wrong)?)
            }
            Follows::Curved(curved) => Follows::Curved(Box::new(Curved {
                values,
                restitution,
                calibration,
                ..(**curved).clone()
            })),
        })
    }
}

/// What a law was given, its words too.
fn given(law: &Law) -> Values {
    let mut values = Values::new();
    for (parameter, value) in law.values().numbers() {
        values.set_number(parameter.name, value);
    }
    for (name, word) in law.values().words() {
        values.set_word(name, word);
    }
    values
}

/// The same without the numbers of one role.
fn without(card: &Card, values: &Values, role: Role) -> Values {
    let of_role = |name: &str| {
        let mut parameters = card.parameters.iter();
        parameters.any(|p| p.name == name && p.role == role)
    };
    let mut left = Values::new();
    for (name, value) in values.numbers().filter(|(name, _)| !of_role(name)) {
        left.set_number(name, value);
    }
    for (name, word) in values.words() {
        left.set_word(name, word);
    }
    left
}

/// Whether a number of this name follows from surfaces, on whichever card it stands.
fn follows_from_surfaces(card: &'static Card, name: &str) -> bool {
    let lacks = Surfaces::default().supply(card, &Values::new(), Calibration::Published);
    lacks.lack(name).is_some()
}
