//! Can a model be stepped through, and what is left out if it is?

use crate::friction::Family;
use crate::friction::Form;
use crate::model::{Analysis, ContactMethod};
use crate::system::mechanism::System;
use crate::system::note::{Trouble, Warning};

impl System {
    /// Whether time stepping, if the model asks for it, can move this mechanism.
    pub(in crate::system) fn check_stepping(&mut self) -> Result<(), Vec<Trouble>> {
        let model = &self.model;
        if model.method.contact != ContactMethod::TimeStepping {
            return Ok(());
        }
        let wrong = |element: String, message: String, hint: &str| Trouble {
            code: "time-stepping",
            element: Some(element),
            message,
            hint: hint.into(),
        };
        let mut troubles = Vec::new();
        if model.simulation.analysis != Analysis::Dynamic {
            troubles.push(wrong(
                "method.contact".into(),
                format!(
                    "time stepping follows a motion, and the analysis `{}` is none",
                    model.simulation.analysis.name()
                ),
                "analysis = \"dynamic\"; or leave [method] out",
            ));
        }
        for entry in &model.frictions {
            let law = entry.friction.law();
            if law.card().family != Family::Dry && !law.has_state() {
                continue;
            }
            troubles.push(wrong(
                format!("joint.{}.friction", entry.name),
                format!(
                    "`{}` holds a joint by itself, which time stepping does not solve for: its joints are exact, and only contacts stick",
                    law.card().id
                ),
                "a law that is a function of speed, such as `tanh` or `brown-mcphee`; or contact = \"compliant\"",
            ));
        }
        if !troubles.is_empty() {
            return Err(troubles);
        }
        let contacts = model.contacts.iter().map(|entry| {
            let contact = &entry.contact;
            (entry.element(), contact.friction(), contact.rolling())
        });
        let groups = model.of_grains().map(|group| {
            let rolling = group.rolling.as_ref().map(|rolling| &rolling.law);
            (group.element(), group.friction.as_ref(), rolling)
        });
        let mut warnings: Vec<Warning> = Vec::new();
        for (element, friction, rolling) in contacts.chain(groups) {
            let viscous = match friction.map(|law| law.form()) {
                Some(Form::Peaked(peaked)) => peaked.viscous > 0.0,
                Some(Form::Bristle(bristle)) => bristle.viscous > 0.0,
                _ => false,
            };
            let left = [
                (rolling.is_some(), "its resistance to rolling"),
                (viscous, "the viscous part of its friction"),
            ];
            for (_, what) in left.into_iter().filter(|(is, _)| *is) {
                warnings.push(Warning {
                    code: "left-out",
                    element: Some(element.clone()),
                    time: None,
                    message: format!(
                        "{what} is left out: time stepping knows restitution and Coulomb's friction"
                    ),
                    hint: "contact = \"compliant\" has it".into(),
                });
            }
        }
        self.warnings.extend(warnings);
        self.choose_step();
        Ok(())
    }
}
