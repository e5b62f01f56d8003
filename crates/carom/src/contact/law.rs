//! How does a card become a force: parameters checked, restitution asked for, contact begun?

use crate::card::{Checked, Fault, Range, Role, Values};

use super::card::{Card, Given, Separation};
use super::form::{Damper, Elastic, Force, Form, Memory, State};
use super::restitution::Restitution;

/// How the damper follows from the restitution asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calibration {
    /// By the law's own formula, as published (and corrected).
    #[default]
    Published,
    /// Solved for, so that a free central impact returns what was asked for.
    Exact,
}

/// A law with its parameters, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    card: &'static Card,
    values: Checked,
    restitution: Option<Restitution>,
    calibration: Calibration,
    separation: Separation,
}

impl Law {
    /// Checks all that is given; every fault at once.
    ///
    /// The restitution is not among the values: it may depend on the approach speed. A law that takes none ignores it here (the laboratory says so); under
    /// [`Calibration::Exact`] every law needs one.
    pub fn new(
        card: &'static Card,
        values: &Values,
        restitution: Option<Restitution>,
        calibration: Calibration,
    ) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let restitution =
            restitution.or_else(|| values.get("restitution").map(Restitution::Number));
        let mut rest = Values::new();
        for (name, value) in values.numbers() {
            if name != "restitution" {
                rest.set_number(name, value);
            }
        }
        match &restitution {
            Some(Restitution::Number(e)) if card.restitution().is_some() => {
                rest.set_number("restitution", *e);
            }
            Some(Restitution::Number(e)) if !Range::UNIT.contains(*e) => {
                faults.push(out_of_range(card.id, *e, &Range::UNIT));
            }
            Some(function) => {
                faults.extend(function.faults(card.id));
                if card.restitution().is_some() {
                    // Its value is known at touch, and checked there; here it counts as given.
                    rest.set_number("restitution", 0.5);
                }
            }
            None => {}
        }
        // `separation` is a choice of every law that has two.
        let mut separation = card.separations.first().copied();
        for (name, value) in values.words() {
            if name != "separation" {
                rest.set_word(name, value);
                continue;
            }
            separation = card.separations.iter().copied().find(|s| s.name() == value);
            if separation.is_none() {
                faults.push(Fault::UnknownWord {
                    law: card.id,
                    name: name.into(),
                    value: value.into(),
                    words: card.separations.iter().map(|s| s.name()).collect(),
                });
            }
        }
        let exact = calibration == Calibration::Exact || rest.get_word("variant") == Some("exact");
        let free: &[Role] = if exact {
            &[Role::Damping, Role::Restitution]
        } else {
            &[]
        };
        let values = Checked::new(card.id, card.parameters, card.choices, &rest, free)
            .map_err(|mut more| faults.append(&mut more))
            .ok();
        if exact {
            if card.calibrates.is_empty() {
                faults.push(Fault::NoCalibration {
                    law: card.id,
                    reason: "it has no damping coefficient to solve for".into(),
                });
            }
            // The elastic laws of cylinders have a damper only where one is chosen.
            if values.as_ref().is_some_and(|v| v.word("damper") == "none") {
                faults.push(Fault::NoCalibration {
                    law: card.id,
                    reason: "it has no damper; choose one with `damper = …`".into(),
                });
            }
            match restitution {
                None => faults.push(Fault::Missing {
                    law: card.id,
                    name: "restitution",
                    unit: "",
                    about: "the coefficient of restitution to calibrate to",
                    instead: &[],
                }),
                Some(Restitution::Number(e)) if e == 0.0 => {
                    faults.push(out_of_range(card.id, e, &Range::UNIT_ABOVE_ZERO));
                }
                _ => {}
            }
        }
        match (values, separation) {
            (Some(values), Some(separation)) if faults.is_empty() => Ok(Self {
                card,
                values,
                restitution,
                calibration: if exact {
                    Calibration::Exact
                } else {
                    Calibration::Published
                },
                separation,
            }),
            _ => Err(faults),
        }
    }

    /// Its card.
    pub fn card(&self) -> &'static Card {
        self.card
    }

    /// Its parameters.
    pub fn values(&self) -> &Checked {
        &self.values
    }

    /// How the damper follows from the restitution.
    pub fn calibration(&self) -> Calibration {
        self.calibration
    }

    /// When the bodies part.
    pub fn separation(&self) -> Separation {
        self.separation
    }

    /// The restitution asked for at this approach speed in m/s, if one was.
    pub fn requested(&self, v0: f64) -> Result<Option<f64>, Fault> {
        self.restitution
            .as_ref()
            .map(|r| r.at(v0, self.card.id))
            .transpose()
    }

    /// Begins a contact at this approach speed (m/s) and effective mass (kg), with the coefficient of the law's own formula. Under [`Calibration::Exact`] the coefficient is a
    /// placeholder until [`Touch::set_coefficient`] (see `impact`).
    pub fn touch(&self, v0: f64, mass: f64) -> Result<Touch, Fault> {
        for (name, value, unit) in [("speed", v0, "m/s"), ("mass", mass, "kg")] {
            if !Range::POSITIVE.contains(value) {
                return Err(Fault::OutOfRange {
                    law: self.card.id,
                    name: name.into(),
                    value,
                    unit,
                    allowed: Range::POSITIVE.to_string(),
                    hint: if name == "speed" {
                        "the bodies must approach each other".into()
                    } else {
                        String::new()
                    },
                });
            }
        }
        let restitution = self.requested(v0)?;
        let exact = self.calibration == Calibration::Exact;
        if let (Some(e), false) = (restitution, exact)
            && let Some(parameter) = self.card.restitution()
            && !parameter.range.contains(e)
        {
            return Err(out_of_range(self.card.id, e, &parameter.range));
        }
        if let (Some(e), true) = (restitution, exact)
            && !Range::UNIT_ABOVE_ZERO.contains(e)
        {
            return Err(out_of_range(self.card.id, e, &Range::UNIT_ABOVE_ZERO));
        }
        let given = Given {
            id: self.card.id,
            values: &self.values,
            restitution: restitution.unwrap_or(f64::NAN),
            v0,
            mass,
        };
        let mut form = (self.card.law)(&given)?;
        if exact {
            form.damper = form.damper.with_coefficient(0.0);
        }
        if !form.is_finite() {
            return Err(Fault::OutOfRange {
                law: self.card.id,
                name: "a coefficient of the force".into(),
                value: form.damper.coefficient().unwrap_or(f64::NAN),
                unit: "",
                allowed: "a finite number".into(),
                hint: "the parameters are each in range, but too far apart for the arithmetic"
                    .into(),
            });
        }
        Ok(Touch {
            form,
            separation: self.separation,
            v0,
            mass,
            memory: Memory {
                loading: true,
                deepest: 0.0,
            },
        })
    }
}

fn out_of_range(law: &'static str, e: f64, range: &Range) -> Fault {
    Fault::OutOfRange {
        law,
        name: "restitution".into(),
        value: e,
        unit: "",
        allowed: range.to_string(),
        hint: "a coefficient of restitution is the speed after over the speed before".into(),
    }
}

/// One contact from touch to separation: the force, and what it remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    form: Form,
    separation: Separation,
    v0: f64,
    mass: f64,
    memory: Memory,
}

impl Touch {
    /// The force. Beyond separation it is continued smoothly: the contact's life decides when it ends.
    #[inline]
    pub fn force(&self, s: &State) -> Force {
        self.form.force(s, &self.memory)
    }

    /// The energy that would come back if the indentation were taken off from here without damping, J.
    pub fn stored(&self, delta: f64) -> f64 {
        self.form.elastic.work(delta)
    }

    /// Falls through zero where the contact ends. A contact also ends, at the latest, where the indentation is back at zero.
    #[inline]
    pub fn separation_guard(&self, s: &State) -> f64 {
        match self.separation {
            Separation::ZeroIndentation => s.delta,
            Separation::ZeroForce => self.form.leading_force(s, &self.memory),
            Separation::PermanentIndentation => s.delta,
        }
    }

    /// Falls through zero where the law switches between its phases ([`Touch::switch`]); `None` if it has none.
    #[inline]
    pub fn switch_guard(&self, s: &State) -> Option<f64> {
        if !self.form.damper.has_phases() {
            return None;
        }
        Some(if self.memory.loading { s.rate } else { -s.rate })
    }

    /// Goes from loading to unloading, or back.
    pub fn switch(&mut self, s: &State) {
        if self.memory.loading {
            self.memory.deepest = self.memory.deepest.max(s.delta);
        }
        self.memory.loading = !self.memory.loading;
    }

    /// The work that the elastic part has taken since touch on the way to this indentation (no unloading before the last turn), J.
    pub fn elastic_work(&self, delta: f64) -> f64 {
        self.form.elastic.work(delta)
    }

    /// The indentation that stays when the contact has ended in the way of its law, m.
    pub fn residual(&self) -> f64 {
        0.0
    }

    /// How large the law's own variable becomes in a contact of this depth (m).
    pub fn own_scale(&self, _depth: f64) -> f64 {
        1.0
    }

    /// The coefficient of the damper as people write it: h = χ v0/K for the hysteresis family, else the coefficient itself.
    pub fn coefficient_for_people(&self) -> Option<f64> {
        match self.form.damper {
            Damper::Factor { per_speed } => Some(per_speed * self.v0),
            damper => damper.coefficient(),
        }
    }

    /// The rate of the law's own variable; zero if it has none.
    #[inline]
    pub fn own_rate(&self, _s: &State) -> f64 {
        0.0
    }

    /// Whether the law has a variable of its own, which must be integrated beside the motion.
    pub fn has_own(&self) -> bool {
        false
    }

    /// The largest indentation for which the law has a force, m.
    pub fn limit(&self) -> f64 {
        self.form.elastic.limit()
    }

    /// The approach speed, m/s.
    pub fn v0(&self) -> f64 {
        self.v0
    }

    /// The effective mass, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// When the bodies part.
    pub fn separation(&self) -> Separation {
        self.separation
    }

    /// What it remembers.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The elastic part.
    pub fn elastic(&self) -> &Elastic {
        &self.form.elastic
    }

    /// The damper.
    pub fn damper(&self) -> &Damper {
        &self.form.damper
    }

    /// Puts another coefficient into the damper: h/v0, c or the factor.
    pub fn set_coefficient(&mut self, value: f64) {
        self.form.damper = self.form.damper.with_coefficient(value);
    }

    /// How deep the indentation would be without damping and other forces, m: where the elastic part has taken up the kinetic energy; not beyond [`Touch::limit`].
    pub fn elastic_depth(&self) -> f64 {
        let energy = 0.5 * self.mass * self.v0 * self.v0;
        self.form.elastic.depth(energy)
    }
}
