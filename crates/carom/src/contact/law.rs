//! How does a card become a force: parameters checked, restitution asked for, contact begun?

use crate::card::{Checked, Fault, Range, Role, Values};

use super::card::{Card, Given, Separation};
use super::form::{Damper, Elastic, Force, Form, Memory, State};
use super::own::Own;
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
    /// The force, if the user wrote it.
    own: Option<Own>,
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
        Self::checked(card, values, restitution, calibration, false)
    }

    /// As [`Law::new`], for bodies that strike each other at an instant: the restitution asked for is what they return, and no formula of the law is made of it. So it may be any from 0 to 1, also where the law divides
    /// by it.
    pub fn for_impulses(
        card: &'static Card,
        values: &Values,
        restitution: Option<Restitution>,
        calibration: Calibration,
    ) -> Result<Self, Vec<Fault>> {
        Self::checked(card, values, restitution, calibration, true)
    }

    fn checked(
        card: &'static Card,
        values: &Values,
        restitution: Option<Restitution>,
        calibration: Calibration,
        at_once: bool,
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
            Some(Restitution::Number(e)) if card.restitution().is_some() && !at_once => {
                rest.set_number("restitution", *e);
            }
            Some(Restitution::Number(e)) if !Range::UNIT.contains(*e) => {
                faults.push(out_of_range(card.id, *e, &Range::UNIT));
            }
            Some(function) => {
                faults.extend(function.faults(card.id));
                if card.restitution().is_some() {
                    // Its value is known at touch, and checked there, or is not put into the formula; here it counts as given.
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
            // What is solved for cannot be given as well.
            for p in card.parameters {
                if p.role == Role::Damping && rest.get(p.name).is_some() {
                    faults.push(Fault::Conflict {
                        law: card.id,
                        name: p.name,
                        other: "calibration = exact",
                    });
                }
            }
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
                // Where the parameter itself excludes zero that was said above.
                Some(Restitution::Number(e))
                    if e == 0.0
                        && !at_once
                        && card.restitution().is_none_or(|p| p.range.contains(0.0)) =>
                {
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
                own: None,
            }),
            _ => Err(faults),
        }
    }

    /// A force that the user wrote, checked at a grid of places for what every law keeps: finite, zero at touch, never pulling while the bodies approach, no energy given away. Every
    /// promise that is broken is a fault, with the place and the number.
    ///
    /// ```
    /// use carom::contact::{Law, Own, Separation};
    ///
    /// let own = Own::new("K*delta^1.5*(1 + 0.4*rate/v0)", |at| 5.5e9 * at.delta.powf(1.5) * (1.0 + 0.4 * at.rate / at.v0));
    /// assert!(Law::own(own, Separation::ZeroForce, None).is_ok());
    /// let wrong = Own::new("K*delta - c*rate", |at| 1e6 * at.delta - 10.0 * at.rate);
    /// assert!(Law::own(wrong, Separation::ZeroForce, None).is_err());
    /// ```
    pub fn own(
        own: Own,
        separation: Separation,
        restitution: Option<Restitution>,
    ) -> Result<Self, Vec<Fault>> {
        let card = Own::card();
        let mut faults = own.faults(restitution.as_ref());
        if !card.separations.contains(&separation) {
            faults.push(Fault::UnknownWord {
                law: card.id,
                name: "separation".into(),
                value: separation.name().into(),
                words: card.separations.iter().map(|s| s.name()).collect(),
            });
        }
        let mut given = Values::new();
        if let Some(Restitution::Number(e)) = restitution
            && Range::UNIT.contains(e)
        {
            given.set_number("restitution", e);
        }
        let values = Checked::new(card.id, card.parameters, card.choices, &given, &[])
            .map_err(|mut more| faults.append(&mut more))
            .ok();
        match values {
            Some(values) if faults.is_empty() => Ok(Self {
                card,
                values,
                restitution,
                calibration: Calibration::Published,
                separation,
                own: Some(own),
            }),
            _ => Err(faults),
        }
    }

    /// The force, if the user wrote it.
    pub fn as_own(&self) -> Option<&Own> {
        self.own.as_ref()
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

    /// The restitution asked for, at whatever speed, if one was.
    pub fn asked(&self) -> Option<&Restitution> {
        self.restitution.as_ref()
    }

    /// The restitution asked for at this approach speed in m/s, if one was.
    pub fn requested(&self, v0: f64) -> Result<Option<f64>, Fault> {
        self.restitution
            .as_ref()
            .map(|r| r.at(v0, self.card.id))
            .transpose()
    }

    /// The coefficient of a contact of this law as its card names it: h, α, a permanent indentation …; `None` if it has none.
    pub fn own_coefficient(&self, touch: &Touch) -> Option<f64> {
        let coefficient = touch.coefficient()?;
        let given = self.given(f64::NAN, touch.v0, touch.mass);
        Some((self.card.own_terms)(coefficient, &given, touch))
    }

    fn given(&self, restitution: f64, v0: f64, mass: f64) -> Given<'_> {
        Given {
            id: self.card.id,
            values: &self.values,
            restitution,
            v0,
            mass,
        }
    }

    /// Begins a contact at this approach speed (m/s) and effective mass (kg), with the coefficient of the law's own formula. Under [`Calibration::Exact`] the coefficient is a
    /// placeholder until [`Touch::set_coefficient`] (see `impact`).
    pub fn touch(&self, v0: f64, mass: f64) -> Result<Touch, Fault> {
        self.bounded(self.begin(v0, mass)?)
    }

    /// The contact, if its force is one that floats can hold.
    pub(crate) fn bounded(&self, touch: Touch) -> Result<Touch, Fault> {
        if let Elastic::Own(acting) = touch.elastic() {
            return acting.fault().map_or(Ok(touch), Err);
        }
        if touch.is_bounded() {
            return Ok(touch);
        }
        Err(Fault::OutOfRange {
            law: self.card.id,
            name: "the depth or the duration of the impact, or the force up to 1 m and 10 km/s"
                .into(),
            value: touch.elastic_depth(),
            unit: "",
            allowed: "finite, and depth and duration above zero".into(),
            hint: "the parameters are each in range, but too far apart for the arithmetic".into(),
        })
    }

    /// As [`Law::touch`]; the force may still be too large for a float.
    fn begin(&self, v0: f64, mass: f64) -> Result<Touch, Fault> {
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
        let given = self.given(restitution.unwrap_or(f64::NAN), v0, mass);
        let mut form = match &self.own {
            Some(own) => own.form(given.restitution, v0, mass),
            None => (self.card.law)(&given)?,
        };
        if exact {
            form.damper = form.damper.with_coefficient(0.0);
        }
        if !form.is_finite() {
            return Err(Fault::OutOfRange {
                law: self.card.id,
                name: "a coefficient of the force".into(),
                value: form.damper.coefficient().unwrap_or(f64::NAN),
                unit: "",
                allowed: "a finite number that gives finite forces".into(),
                hint: "the parameters are each in range, but too far apart for the arithmetic"
                    .into(),
            });
        }
        Ok(Touch {
            form,
            separation: self.separation,
            v0,
            mass,
            memory: Memory::START,
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
#[derive(Clone, Debug, PartialEq)]
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

    /// Whether the depth of the impact is a number, and the force is finite wherever a contact can be: to 1 m deep (or as deep as the law goes), at 10 km/s either way. Forces rise
    /// with both, so that the corners tell.
    fn is_bounded(&self) -> bool {
        let depth = self.elastic_depth();
        // Time is divided into steps: below that there is nothing left to divide.
        if !Range::POSITIVE.contains(depth) || !(depth / self.v0 > 1e-280) {
            return false;
        }
        let far = self.limit().min(1.0);
        let owns: &[f64] = if self.has_own() {
            &[-1.0, -0.5, 0.0, 0.5, 1.0]
        } else {
            &[0.0]
        };
        let finite = |touch: &Touch| {
            [0.0, far].into_iter().all(|delta| {
                [-1e4, 1e4].into_iter().all(|rate| {
                    owns.iter().all(|&own| {
                        let state = State {
                            delta,
                            rate,
                            time: 1e4,
                            own,
                        };
                        let rate = touch.own_rate(&state);
                        // The variable itself is never negative.
                        touch.force(&state).total().is_finite() && (own < 0.0 || rate.is_finite())
                    })
                })
            })
        };
        if self.switch_guard(&State::default()).is_none() {
            return finite(self);
        }
        let mut turned = self.clone();
        turned.switch(&State::new(far, 0.0));
        finite(self) && finite(&turned)
    }

    /// The energy that would come back if the indentation were taken off from here without damping, J.
    pub fn stored(&self, delta: f64) -> f64 {
        self.form.elastic.stored(delta, &self.memory)
    }

    /// Falls through zero where the contact ends. A contact also ends, at the latest, where the indentation is back at zero.
    #[inline]
    pub fn separation_guard(&self, s: &State) -> f64 {
        match self.separation {
            Separation::ZeroIndentation => s.delta,
            Separation::ZeroForce => self.form.leading_force(s, &self.memory),
            Separation::PermanentIndentation => self.form.elastic.left(s.delta, &self.memory),
        }
    }

    /// Falls through zero where the law switches between its phases ([`Touch::switch`]); `None` if it has none.
    #[inline]
    pub fn switch_guard(&self, s: &State) -> Option<f64> {
        let plastic = matches!(self.form.elastic, Elastic::Plastic(_));
        if plastic || matches!(self.form.damper, Damper::Parting { .. }) {
            // Back at the deepest point it loads on; before, it goes to and fro on the way back. A force that jumped at every turn would have no motion that follows it where a weight is between both.
            return Some(if self.memory.loading {
                s.rate
            } else {
                self.memory.deepest - s.delta
            });
        }
        if !self.form.has_phases() {
            return None;
        }
        Some(if self.memory.loading { s.rate } else { -s.rate })
    }

    /// Changes its sign where the force has a corner that no phase explains (it is cut off): an integrator does well to cut its step there. `None` if the law has none.
    #[inline]
    pub fn corner_guard(&self, s: &State) -> Option<f64> {
        self.form.corner(s, &self.memory)
    }

    /// Goes from loading to unloading, or back. A law with permanent indentation fixes its way back here; where nothing comes back at all, [`Touch::separation_guard`] is zero
    /// from here on: the bodies stay where they are.
    pub fn switch(&mut self, s: &State) {
        if self.memory.loading {
            self.memory.deepest = self.memory.deepest.max(s.delta);
            if let Elastic::Plastic(plastic) = &self.form.elastic {
                self.memory.unloading = plastic.unloading(self.memory.deepest);
            }
        }
        self.memory.loading = !self.memory.loading;
    }

    /// The work that the elastic part has taken since touch on the way to this indentation, J, if there was one turn at most. Of a law with permanent indentation it is more than
    /// what is stored.
    pub fn elastic_work(&self, delta: f64) -> f64 {
        let elastic = &self.form.elastic;
        match elastic {
            Elastic::Plastic(_) if !self.memory.loading => {
                let deepest = self.memory.deepest;
                elastic.work(deepest) - self.stored(deepest) + self.stored(delta)
            }
            _ => elastic.work(delta),
        }
    }

    /// The indentation at which the bodies part, m, where the law says it beforehand: the permanent one, or none.
    pub fn residual(&self) -> f64 {
        match self.form.elastic {
            Elastic::Plastic(_) if !self.memory.loading => self.memory.unloading.permanent,
            _ => 0.0,
        }
    }

    /// The rate of the law's own variable; zero if it has none.
    #[inline]
    pub fn own_rate(&self, s: &State) -> f64 {
        match &self.form.damper {
            Damper::Lag(lag) => lag.rate(self.form.elastic.loading(s.delta), s.own),
            _ => 0.0,
        }
    }

    /// Whether the force depends on the time since touch.
    pub fn reads_time(&self) -> bool {
        match &self.form.elastic {
            Elastic::Own(acting) => acting.own().reads_time(),
            _ => matches!(self.form.damper, Damper::Relaxing(_)),
        }
    }

    /// Whether the law has a variable of its own, which must be integrated beside the motion.
    pub fn has_own(&self) -> bool {
        matches!(self.form.damper, Damper::Lag(_))
    }

    /// How large the law's own variable becomes, in its unit: the scale of its tolerance. One if the law has none.
    pub fn own_scale(&self) -> f64 {
        match &self.form.damper {
            Damper::Lag(lag) => self.form.elastic.loading(self.elastic_depth()) / lag.k,
            _ => 1.0,
        }
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

    /// The coefficient that a calibration may move: of a law with permanent indentation the part of the work that comes back (the square of the restitution), else that of the
    /// damper. `None` if there is none.
    pub fn coefficient(&self) -> Option<f64> {
        match &self.form.elastic {
            Elastic::Plastic(plastic) => plastic.coefficient(self.elastic_depth()),
            _ => self.form.damper.coefficient(),
        }
    }

    /// Puts another coefficient into the law: the part of the work that comes back, or h/v0, c or the factor of the damper.
    pub fn set_coefficient(&mut self, value: f64) {
        match &mut self.form.elastic {
            Elastic::Plastic(plastic) => plastic.set_coefficient(value),
            _ => self.form.damper = self.form.damper.with_coefficient(value),
        }
    }

    /// How deep the indentation would be without damping and other forces, m: where the elastic part has taken up the kinetic energy; not beyond [`Touch::limit`].
    pub fn elastic_depth(&self) -> f64 {
        let energy = 0.5 * self.mass * self.v0 * self.v0;
        self.form.elastic.depth(energy)
    }
}
