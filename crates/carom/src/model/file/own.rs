//! How does a force that the file itself writes become a law of contact?

use std::cell::Cell;

use crate::card;
use crate::contact::{self, At, Own, Separation};
use crate::model::expression::{Expression, Scope, Symbol};
use crate::model::file::follows::Sides;
use crate::model::file::laws::is_override;
use crate::model::file::reader::Reader;
use crate::model::file::record::Record;
use crate::model::file::scope::{Names, Parameters};
use crate::model::file::tables::{FORCE, Laws};
use crate::model::file::words::join;
use crate::model::units;
use crate::model::units::Dimension;

/// What the force may be a function of, in the order of the variables.
const VARIABLES: [(&str, Dimension, &str); 6] = [
    ("delta", Dimension::LENGTH, "the indentation"),
    ("rate", Dimension::SPEED, "its rate"),
    ("v0", Dimension::SPEED, "the approach speed"),
    ("mass", Dimension::MASS, "the effective mass"),
    ("time", Dimension::TIME, "the time since touch"),
    ("e", Dimension::NONE, "the restitution asked for"),
];

/// The place of `e` among them.
const E: usize = 5;

/// The variables of a contact, and the parameters of the file.
struct OfContact<'a> {
    names: Names<'a>,
    parameters: &'a Parameters,
}

impl Scope for OfContact<'_> {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        let Some(index) = VARIABLES.iter().position(|known| known.0 == name) else {
            return self.names.look_up(name);
        };
        if self.parameters.contains_key(name) {
            return None;
        }
        let dimension = VARIABLES.get(index)?.1;
        Some(Symbol::Variable { index, dimension })
    }

    fn names(&self) -> Vec<String> {
        let own = VARIABLES.iter().map(|known| known.0.to_string());
        own.chain(self.names.names()).collect()
    }

    fn why_not(&self, name: &str) -> Option<String> {
        if let Some((_, _, what)) = VARIABLES.iter().find(|known| known.0 == name) {
            return Some(format!(
                "`{name}` is {what} here, and a parameter of this file as well: give the parameter another name"
            ));
        }
        match name {
            "t" => Some("time since touch is `time`; the force of a contact knows no other".into()),
            "v" | "delta_dot" | "velocity" => {
                Some("the rate of the indentation is `rate`, the approach speed `v0`".into())
            }
            "m" => Some("the effective mass is `mass`".into()),
            _ => self.names.why_not(name),
        }
    }
}

impl<'a> Reader<'a> {
    /// The law that `force` writes; `changed` says that it was chosen beside the file.
    pub fn own(
        &mut self,
        record: &Record<'a>,
        sides: &Sides,
        changed: bool,
    ) -> Option<contact::Law> {
        let mut separation = Separation::ZeroIndentation;
        let mut sound = !record.bad;
        for entry in &record.rest {
            let path = join(&record.path, &entry.key);
            if entry.key == "separation" {
                let both = [Separation::ZeroIndentation, Separation::ZeroForce];
                let words = both.map(|one| one.name());
                let word = self.word(&entry.node, &path, &words);
                sound &= word.is_some();
                let chosen = both.into_iter().find(|one| Some(one.name()) == word);
                separation = chosen.unwrap_or(separation);
            } else if changed && !is_override(entry) && Laws::Contact.any_takes(&entry.key) {
                self.passed_over(entry, &record.path, "own");
            } else {
                self.notes
                    .error(
                        &entry.key_at,
                        &path,
                        format!(
                            "`{}`, with a law of its own, takes no key `{}`",
                            record.path, entry.key
                        ),
                    )
                    .allowed("force, separation, restitution and the keys that are no law's")
                    .hint("numbers of the force stand in the force itself, or in [parameters]");
                sound = false;
            }
        }
        if record.word("calibration") == Some("exact") {
            self.notes
                .error(
                    &record.place("calibration"),
                    &record.path_of("calibration"),
                    "a law of one's own cannot be calibrated: it is not known which of its numbers is the damping",
                )
                .allowed("published")
                .hint("`e` in the force is the restitution asked for");
            sound = false;
        }
        let restitution = self.restitution(record, sides);
        let Some(node) = record.node("force") else {
            self.notes
                .error(&record.at, &record.path_of("force"), "`force` is missing")
                .allowed("a force [N] of delta, rate, v0, mass, time and e")
                .hint("law = \"own\" goes with a force such as \"K*delta^1.5*(1 + 0.4*rate/v0)\"");
            return None;
        };
        let path = record.path_of("force");
        let text = record.text("force")?;
        let scope = OfContact {
            names: Names::new(&self.parameters),
            parameters: &self.parameters,
        };
        let parsed = Expression::parse(text, &scope);
        let spoiled = Cell::take(&scope.names.spoiled);
        let expression = match parsed {
            _ if spoiled => return None,
            Ok(expression) => expression,
            Err(errors) => {
                self.blame(node, &path, &errors);
                return None;
            }
        };
        if let Err(error) = expression.fits(FORCE) {
            self.blame(node, &path, &[error]);
            return None;
        }
        let restitution = restitution.ok()?;
        if expression.uses(E) && restitution.is_none() {
            self.notes
                .error(
                    &record.at,
                    &record.path_of("restitution"),
                    "`restitution` is missing: the force uses `e`",
                )
                .allowed("0 ≤ x ≤ 1");
            return None;
        }
        if !sound {
            return None;
        }
        let own = Own::new(text, move |at: &At| {
            expression.value(&[at.delta, at.rate, at.v0, at.mass, at.time, at.restitution])
        });
        match contact::Law::own(own, separation, restitution) {
            Ok(law) => Some(law),
            Err(faults) => {
                for fault in faults {
                    self.own_fault(record, &fault);
                }
                None
            }
        }
    }

    /// What the generic checks find wrong, told at the force.
    fn own_fault(&mut self, record: &Record<'a>, fault: &card::Fault) {
        let (at, path) = (record.place("force"), record.path_of("force"));
        match fault {
            card::Fault::OutOfRange {
                name,
                value,
                unit,
                allowed,
                hint,
                ..
            } if name != "restitution" => {
                let value = units::pretty(*value, unit, 4);
                self.notes
                    .error(&at, &path, format!("{name} is {value}"))
                    .value(value)
                    .allowed(allowed.clone())
                    .hint(hint.clone());
            }
            card::Fault::OutOfRange { .. } => {
                self.law_fault(record, fault, &record.rest, Laws::Contact);
            }
            other => {
                let text = other.to_string();
                let (message, hint) = text.split_once(". Hint: ").unwrap_or((&text, ""));
                self.notes.error(&at, &path, message).hint(hint);
            }
        }
    }
}
