//! What stands on the card of a law of friction, and what does a law with values answer?

use crate::card::Checked;
use crate::card::Choice;
use crate::card::Citation;
use crate::card::Fault;
use crate::card::Need;
use crate::card::Parameter;
use crate::card::Values;
use crate::friction::creep::first_crossing;
use crate::math;
use std::fmt;

/// Laws that share a way of meeting zero speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Really sticks: set-valued at rest, or in a band around it.
    Dry,
    /// A continuous function of speed: no force at rest.
    Regularised,
    /// Has a deflection of its own, which carries the load at rest.
    Bristle,
    /// A moment against rolling.
    Rolling,
}

impl Family {
    /// As it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Dry => "dry",
            Family::Regularised => "regularised",
            Family::Bristle => "bristle",
            Family::Rolling => "rolling",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a law takes as speed and gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A force (`N`) against a sliding speed (`m/s`).
    Force,
    /// A moment (`N m`) against a rolling speed (`rad/s`).
    Moment,
}

impl Quantity {
    /// The SI unit of what comes out.
    pub const fn unit(self) -> &'static str {
        match self {
            Quantity::Force => "N",
            Quantity::Moment => "N m",
        }
    }

    /// The SI unit of the speed that goes in.
    pub const fn speed_unit(self) -> &'static str {
        match self {
            Quantity::Force => "m/s",
            Quantity::Moment => "rad/s",
        }
    }
}

/// Two parameters of which one must not be larger than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The smaller one.
    pub low: &'static str,
    /// The larger one.
    pub high: &'static str,
    /// Whether they may be equal.
    pub equal: bool,
}

impl Order {
    /// Kinetic friction is at most as large as static friction.
    pub(super) const COEFFICIENTS: &'static [Order] = &[Order {
        low: "kinetic_coefficient",
        high: "static_coefficient",
        equal: true,
    }];
}

/// All that is known of one law.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// As it is typed.
    pub id: &'static str,
    /// Other names of the same law.
    pub aliases: &'static [&'static str],
    /// How it meets zero speed.
    pub family: Family,
    /// The class of Corral et al. 2021, Table 1, which sorts laws of contact only: 0 here.
    pub group: u8,
    /// Where it comes from.
    pub citation: Citation,
    /// Equations `name = expression`, separated by `; `, each using names defined before it. `v` is the speed, `Fn` the normal force, `z` the state; they define `Ft` (the force, or the
    /// moment), for laws that stick also `limit`, and for laws with a state `zdot` and the accepted state `znew`. For the first word of every choice; [`Card::variants`] has the others.
    pub formula: &'static str,
    /// `(choice, word, formula)` for words that are not the first.
    pub variants: &'static [(&'static str, &'static str, &'static str)],
    /// The numbers it takes.
    pub parameters: &'static [Parameter],
    /// Which parameter must not be larger than which.
    pub orders: &'static [Order],
    /// The words it takes.
    pub choices: &'static [Choice],
    /// What it remembers, in words.
    pub memory: &'static str,
    /// Whether it has a state, which is integrated along.
    pub state: bool,
    /// Whether a load below the limit is held without any motion in the long run.
    pub holds_at_rest: bool,
    /// The creep speed under `q` times the limit, in words; empty if it holds.
    pub creep: &'static str,
    /// Force against speed, or moment against rolling speed.
    pub quantity: Quantity,
    /// Where it is valid.
    pub validity: &'static str,
    /// When to use it and when not.
    pub notes: &'static str,
    /// What was wrong in print.
    pub erratum: Option<&'static str>,
    /// Turns checked values into numbers that are quick to work with.
    pub law: fn(&Checked) -> Form,
}

/// A moment of sliding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sliding {
    /// Tangential speed of the one surface over the other (`m/s`); for a law of rolling the rolling speed (`rad/s`).
    pub speed: f64,
    /// Normal force, compressive (`N`). At zero or below there is no contact.
    pub normal: f64,
    /// The law's own variable: deflection of the bristle or spring (`m`). Most laws have none and do not look at it.
    pub state: f64,
}

/// What friction answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangential {
    /// This force (`N`), along the speed: negative for positive speed. For a law of rolling, a moment (`N m`).
    Force(f64),
    /// The surfaces stick together for as long as that takes a force no larger than `limit`.
    Stick {
        /// The largest force that sticking can bear (`N`).
        limit: f64,
    },
}

impl Tangential {
    /// The force; nothing where the surfaces stick, for there it follows from all other forces.
    #[inline]
    pub fn or_nothing(self) -> f64 {
        match self {
            Tangential::Force(force) => force,
            Tangential::Stick { .. } => 0.0,
        }
    }
}

/// A dry law: set-valued at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dry {
    /// Coefficient that bounds sticking.
    pub held: f64,
    /// Sticks while abs(speed) is below this (`m/s`), and at rest.
    pub band: f64,
}

/// A spring that cannot be longer than friction can stretch it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprung {
    /// What bounds its elongation, times the normal force and over the stiffness.
    pub coefficient: f64,
    /// N/m.
    pub stiffness: f64,
}

impl Sprung {
    /// The longest elongation under a normal force (N), m.
    #[inline]
    pub fn longest(&self, normal: f64) -> f64 {
        self.coefficient * pressed(normal) / self.stiffness
    }
}

/// A curve that rises from nothing to full friction: force = −coefficient·normal·rise(x) against the speed, x = (abs(speed) − start)/width, nothing below `start`.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// What multiplies the normal force: a pure number, or a length (`m`) for a moment.
    pub coefficient: f64,
    /// Up to this speed there is no friction (`m/s`).
    pub start: f64,
    /// The unit of speed of the curve (`m/s`).
    pub width: f64,
    /// The curve: 0 at 0, never falling, at most 1.
    pub rise: fn(f64) -> f64,
    /// Where the curve reaches a fraction between 0 and 1; infinite if it only comes near.
    pub inverse: fn(f64) -> f64,
}

/// A curve of the coefficient of friction over speed with a peak near the static one.
#[derive(Clone, Copy, Debug)]
pub struct Peaked {
    /// Static coefficient.
    pub held: f64,
    /// Kinetic coefficient.
    pub sliding: f64,
    /// Speed over which friction rises from nothing (`m/s`).
    pub rise: f64,
    /// Speed over which it falls from static to kinetic (`m/s`).
    pub fall: f64,
    /// Shape of the fall.
    pub power: f64,
    /// Viscous part per normal force (`s/m`).
    pub viscous: f64,
    /// The coefficient at a speed that is not negative (`m/s`).
    pub curve: fn(&Peaked, f64) -> f64,
}

/// A bristle that bends and slips at once.
#[derive(Clone, Copy, Debug)]
pub struct Bristle {
    /// Static coefficient.
    pub held: f64,
    /// Kinetic coefficient.
    pub sliding: f64,
    /// Speed over which the one becomes the other (`m/s`).
    pub fall: f64,
    /// Stiffness σ0 (`N/m`).
    pub stiffness: f64,
    /// Damping of the bristle σ1 (`N s/m`).
    pub damping: f64,
    /// Viscous friction σ2 (`N s/m`).
    pub viscous: f64,
}

impl Bristle {
    /// The force of steady sliding at this speed, N.
    #[inline]
    fn steady(&self, speed: f64, normal: f64) -> f64 {
        let mut coefficient = self.sliding;
        if self.held != self.sliding {
            let x = speed / self.fall;
            coefficient += (self.held - self.sliding) * math::exp(-(x * x));
        }
        normal * coefficient
    }

    /// Rate of the deflection, already limited to what friction can bend.
    #[inline]
    fn rate(&self, speed: f64, normal: f64, z: f64) -> f64 {
        let steady = self.steady(speed, normal);
        if steady == 0.0 {
            return 0.0;
        }
        speed - speed.abs() * (self.stiffness * z / steady)
    }
}

/// At so many times its Stribeck speed a law has fallen to its kinetic coefficient: exp(−5²) is 1e-11.
const FALLEN: f64 = 5.0;

/// The shapes that laws have, with their numbers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Form {
    /// Sticks at rest and inside a band of speed, slides outside.
    Dry {
        /// Coefficient that bounds sticking.
        held: f64,
        /// Coefficient of fast sliding.
        sliding: f64,
        /// Sticks while abs(speed) is below this (`m/s`), and at rest.
        band: f64,
        /// Speed over which the one coefficient becomes the other outside the band (`m/s`); zero: at once.
        decay: f64,
    },
    /// A rising curve.
    Curve(Curve),
    /// A curve with a peak.
    Peaked(Peaked),
    /// A bristle that bends and slips at once.
    Bristle(Bristle),
    /// A spring that bends up to a limit, and slips there with less force.
    Reset {
        /// Static coefficient.
        held: f64,
        /// Kinetic coefficient.
        sliding: f64,
        /// Stiffness σ0 (`N/m`).
        stiffness: f64,
        /// Damping while it bends σ1 (`N s/m`).
        damping: f64,
    },
    /// A spring and a damper side by side, limited together.
    Spring {
        /// Coefficient of friction.
        coefficient: f64,
        /// Stiffness kt (`N/m`).
        stiffness: f64,
        /// Damping Dt (`N s/m`).
        damping: f64,
    },
}

/// A card with values: ready to be asked.
#[derive(Clone, Debug)]
pub struct Law {
    card: &'static Card,
    values: Checked,
    form: Form,
}

/// `x`, brought back to between −limit and limit. What is not a number stays so.
#[inline]
fn limited(x: f64, limit: f64) -> f64 {
    if x.abs() <= limit {
        x
    } else {
        limit * x.signum()
    }
}

/// Nothing presses at zero or below; what is not a number stays so.
#[inline]
fn pressed(normal: f64) -> f64 {
    if normal <= 0.0 { 0.0 } else { normal }
}

impl Law {
    /// Checks the values against the card; all faults at once.
    pub fn new(card: &'static Card, values: &Values) -> Result<Self, Vec<Fault>> {
        let checked = Checked::new(card.id, card.parameters, card.choices, values, &[]);
        let mut faults = Vec::new();
        for order in card.orders {
            let parameter = |name| card.parameters.iter().find(|p| p.name == name);
            let value = |name| {
                values.get(name).or(match parameter(name)?.need {
                    Need::Default(value) => Some(value),
                    _ => None,
                })
            };
            if let (Some(low), Some(high), Some(of)) =
                (value(order.low), value(order.high), parameter(order.high))
                && (low > high || low == high && !order.equal)
            {
                let sign = if order.equal { "≥" } else { ">" };
                faults.push(Fault::OutOfRange {
                    law: card.id,
                    name: order.high.into(),
                    value: high,
                    unit: of.unit,
                    allowed: format!("{sign} {} = {low}", order.low),
                    hint: of.about.into(),
                });
            }
        }
        match checked {
            Ok(values) if faults.is_empty() => Ok(Self {
                card,
                form: (card.law)(&values),
                values,
            }),
            Ok(_) => Err(faults),
            Err(mut first) => {
                first.append(&mut faults);
                Err(first)
            }
        }
    }

    /// The card.
    pub fn card(&self) -> &'static Card {
        self.card
    }

    /// The values, with defaults filled in.
    pub fn values(&self) -> &Checked {
        &self.values
    }

    /// The shape with its numbers.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The formula text for the words that were chosen.
    pub fn formula(&self) -> &'static str {
        self.card
            .variants
            .iter()
            .find(|(choice, word, _)| self.values.word(choice) == *word)
            .map_or(self.card.formula, |variant| variant.2)
    }

    /// The tangential force (`N`; moment, `N m`, for a law of rolling), or that the surfaces stick. Without normal force there is no friction.
    #[inline]
    pub fn force(&self, at: &Sliding) -> Tangential {
        let v = at.speed;
        let normal = pressed(at.normal);
        match self.form {
            Form::Dry { held, band, .. } => {
                if v.abs() < band || v == 0.0 {
                    return Tangential::Stick {
                        limit: held * normal,
                    };
                }
                let sign = v.signum();
                Tangential::Force(-sign * self.sliding_force(at, sign))
            }
            Form::Curve(curve) => {
                let fast = v.abs();
                if fast <= curve.start {
                    return Tangential::Force(0.0);
                }
                let rise = (curve.rise)((fast - curve.start) / curve.width);
                Tangential::Force(-curve.coefficient * normal * rise * v.signum())
            }
            Form::Peaked(peaked) => {
                if v == 0.0 {
                    return Tangential::Force(0.0);
                }
                let coefficient = (peaked.curve)(&peaked, v.abs());
                Tangential::Force(-normal * coefficient * v.signum())
            }
            Form::Bristle(bristle) => {
                if normal == 0.0 {
                    return Tangential::Force(0.0);
                }
                let z = limited(at.state, bristle.held * normal / bristle.stiffness);
                let rate = bristle.rate(v, normal, z);
                Tangential::Force(
                    -(bristle.stiffness * z + bristle.damping * rate + bristle.viscous * v),
                )
            }
            Form::Reset {
                held,
                sliding,
                stiffness,
                damping,
            } => {
                let full = sliding * normal / stiffness;
                let z = limited(at.state, full);
                if z.abs() < full {
                    let stiffer = stiffness * (held / sliding);
                    return Tangential::Force(-(stiffer * z + damping * v));
                }
                let onwards = z > 0.0 && v > 0.0 || z < 0.0 && v < 0.0;
                let rate = if onwards || full == 0.0 { 0.0 } else { v };
                Tangential::Force(-(stiffness * z + damping * rate))
            }
            Form::Spring {
                coefficient,
                stiffness,
                damping,
            } => Tangential::Force(-limited(
                stiffness * at.state + damping * v,
                coefficient * normal,
            )),
        }
    }

    /// The force (N) of a spring that bends, also where a trial step bends it beyond what it can bear: there it goes on as it was, so that the instant at which it slips can be located.
    #[inline]
    pub fn bending_force(&self, at: &Sliding) -> f64 {
        match self.form {
            Form::Reset {
                held,
                sliding,
                stiffness,
                damping,
            } => -(stiffness * (held / sliding) * at.state + damping * at.speed),
            _ => self.force(at).or_nothing(),
        }
    }

    /// As [`Law::force`], but refuses what is not finite or pulls instead of presses, and says so where the answer overflows.
    pub fn try_force(&self, at: &Sliding) -> Result<Tangential, Fault> {
        let out = |name: &str, value, unit, allowed: &str, hint: &str| {
            Err(Fault::OutOfRange {
                law: self.card.id,
                name: name.into(),
                value,
                unit,
                allowed: allowed.into(),
                hint: hint.into(),
            })
        };
        let quantity = self.card.quantity;
        let finite = "a finite number";
        if !at.speed.is_finite() {
            return out("speed", at.speed, quantity.speed_unit(), finite, "");
        }
        if !(at.normal.is_finite() && at.normal >= 0.0) {
            let hint = "the normal force is compressive; without contact it is zero";
            return out("normal", at.normal, "N", "≥ 0", hint);
        }
        if self.has_state() && !at.state.is_finite() {
            return out("state", at.state, "m", finite, "");
        }
        let answer = self.force(at);
        let (Tangential::Force(value) | Tangential::Stick { limit: value }) = answer;
        if value.is_finite() {
            Ok(answer)
        } else {
            let hint = "the numbers given are too large to be multiplied";
            out("force", value, quantity.unit(), finite, hint)
        }
    }

    /// The coefficients of rest and of fast sliding: all that is left of a law where bodies strike each other at an instant. `None` for a law of rolling.
    pub fn coefficients(&self) -> Option<[f64; 2]> {
        if self.card.family == Family::Rolling {
            return None;
        }
        Some(match self.form {
            Form::Dry { held, sliding, .. } | Form::Reset { held, sliding, .. } => [held, sliding],
            Form::Bristle(bristle) => [bristle.held, bristle.sliding],
            Form::Curve(Curve { coefficient, .. }) | Form::Spring { coefficient, .. } => {
                [coefficient; 2]
            }
            Form::Peaked(peaked) => [peaked.held, peaked.sliding],
        })
    }

    /// What makes it a dry law; `None` if it is none.
    #[inline]
    pub fn dry(&self) -> Option<Dry> {
        match self.form {
            Form::Dry { held, band, .. } => Some(Dry { held, band }),
            _ => None,
        }
    }

    /// The dead band of a dry law, m/s; zero if there is none.
    #[inline]
    pub fn band(&self) -> f64 {
        self.dry().map_or(0.0, |dry| dry.band)
    }

    /// The largest force (N) that a dry law bears at rest under a normal force (N).
    #[inline]
    pub fn most(&self, normal: f64) -> f64 {
        self.dry().map_or(0.0, |dry| dry.held * pressed(normal))
    }

    /// The damping of bristles that bend and slip at once, N s/m: it does not vanish with the normal force. `None` where there is none.
    pub fn damping(&self) -> Option<f64> {
        match self.form {
            Form::Bristle(bristle) if bristle.damping > 0.0 => Some(bristle.damping),
            _ => None,
        }
    }

    /// What bounds the spring of a law that has one; `None` if it has none, or a bristle that bends and slips at once.
    #[inline]
    pub fn sprung(&self) -> Option<Sprung> {
        match self.form {
            Form::Reset {
                sliding, stiffness, ..
            } => Some(Sprung {
                coefficient: sliding,
                stiffness,
            }),
            Form::Spring {
                coefficient,
                stiffness,
                ..
            } => Some(Sprung {
                coefficient,
                stiffness,
            }),
            _ => None,
        }
    }

    /// What a bristle that bends and slips at once does where it has long settled at this speed and follows the normal force, which grows at `normal_rate` (N/s): its deflection (m) and the force (N). `None` for other laws.
    ///
    /// The deflection lags behind the steady one, z∞ = g/σ0, by the bristle's own time z∞/abs(v): with r = ż∞/abs(v) it is z∞/(1 + r), exact where z∞ grows in proportion to time, and right to the square of that time elsewhere.
    #[inline]
    pub fn trailing(&self, at: &Sliding, normal_rate: f64) -> Option<[f64; 2]> {
        let Form::Bristle(bristle) = self.form else {
            return None;
        };
        let (normal, v) = (pressed(at.normal), at.speed);
        let bend = bristle.steady(v, normal) / bristle.stiffness;
        let growth = bristle.steady(v, normal_rate) / bristle.stiffness;
        let lag = if v == 0.0 { 0.0 } else { growth / v.abs() };
        let most = bristle.held * normal / bristle.stiffness;
        // Of what falls the bristle is longer than it will be, up to what friction can bend.
        let (z, rate) = if lag >= 0.0 {
            (bend / (1.0 + lag), lag / (1.0 + lag))
        } else {
            let z = limited(bend * (1.0 - lag), most);
            (z, if bend > 0.0 { 1.0 - z / bend } else { 0.0 })
        };
        let sign = if v == 0.0 { 0.0 } else { v.signum() };
        let force = bristle.stiffness * sign * z + bristle.damping * v * rate + bristle.viscous * v;
        Some([sign * z, if normal == 0.0 { 0.0 } else { -force }])
    }

    /// How fast surfaces must slide (m/s) for a bristle's own time to be no longer than `time` (s), and friction to be no longer falling with speed. `None` for other laws.
    #[inline]
    pub fn settles_at(&self, at: &Sliding, time: f64) -> Option<f64> {
        let Form::Bristle(bristle) = self.form else {
            return None;
        };
        let falls = if bristle.held == bristle.sliding {
            0.0
        } else {
            FALLEN * bristle.fall
        };
        Some(self.settles_falling(at, time)?.max(falls))
    }

    /// The same, whether friction falls with speed or not.
    #[inline]
    pub fn settles_falling(&self, at: &Sliding, time: f64) -> Option<f64> {
        let Form::Bristle(bristle) = self.form else {
            return None;
        };
        Some(bristle.steady(at.speed, pressed(at.normal)) / bristle.stiffness / time)
    }

    /// How far bristles or the spring bend under a normal force (N) before all of it slides, m; zero for laws that have none.
    pub fn bend(&self, normal: f64) -> f64 {
        match self.form {
            Form::Bristle(bristle) => bristle.held * pressed(normal) / bristle.stiffness,
            _ => self.sprung().map_or(0.0, |spring| spring.longest(normal)),
        }
    }

    /// The size of the friction (N) of a dry law that slides this way, also where rounding or a trial step says that it stands or slides the other way.
    #[inline]
    pub fn sliding_force(&self, at: &Sliding, sign: f64) -> f64 {
        let Form::Dry {
            held,
            sliding,
            band,
            decay,
        } = self.form
        else {
            return 0.0;
        };
        let along = sign * at.speed;
        let fast = if along < band { band } else { along };
        let mut coefficient = sliding;
        if decay > 0.0 {
            coefficient += (held - sliding) * math::exp((band - fast) / decay);
        }
        coefficient * pressed(at.normal)
    }

    /// Whether the law has a variable of its own, which is to be integrated along.
    #[inline]
    pub fn has_state(&self) -> bool {
        self.card.state
    }

    /// Rate of the law's own variable (`m/s`); zero if it has none.
    #[inline]
    pub fn state_rate(&self, at: &Sliding) -> f64 {
        let v = at.speed;
        let normal = pressed(at.normal);
        match self.form {
            Form::Dry { .. } | Form::Curve(_) | Form::Peaked(_) => 0.0,
            Form::Bristle(bristle) => {
                let z = limited(at.state, bristle.held * normal / bristle.stiffness);
                bristle.rate(v, normal, z)
            }
            Form::Reset {
                sliding, stiffness, ..
            } => {
                let full = sliding * normal / stiffness;
                let stopped = v > 0.0 && at.state >= full || v < 0.0 && at.state <= -full;
                if stopped { 0.0 } else { v }
            }
            Form::Spring { .. } => v,
        }
    }

    /// The law's own variable after an accepted step (`m`): what is longer than friction can stretch has slipped. Never to be used in a trial step.
    #[inline]
    pub fn accept_state(&self, at: &Sliding) -> f64 {
        let normal = pressed(at.normal);
        match self.form {
            Form::Dry { .. } | Form::Curve(_) | Form::Peaked(_) => 0.0,
            Form::Bristle(bristle) => limited(at.state, bristle.held * normal / bristle.stiffness),
            Form::Reset {
                sliding, stiffness, ..
            } => limited(at.state, sliding * normal / stiffness),
            Form::Spring {
                coefficient,
                stiffness,
                ..
            } => limited(at.state, coefficient * normal / stiffness),
        }
    }

    /// The law's own variable (`m`) after a time (`s`) at this speed and normal force: the exact solution, whatever the time. A bristle relaxes to its steady deflection over a way g/σ0, which vanishes with the normal force.
    #[inline]
    pub fn state_after(&self, at: &Sliding, time: f64) -> f64 {
        match self.form {
            Form::Bristle(bristle) => {
                let z = self.accept_state(at);
                let normal = pressed(at.normal);
                let bend = bristle.steady(at.speed, normal) / bristle.stiffness;
                if bend == 0.0 {
                    return z;
                }
                let steady = bend * at.speed.signum();
                z + (z - steady) * math::exp_m1(-at.speed.abs() * time / bend)
            }
            Form::Reset { .. } | Form::Spring { .. } => self.accept_state(&Sliding {
                state: at.state + at.speed * time,
                ..*at
            }),
            Form::Dry { .. } | Form::Curve(_) | Form::Peaked(_) => 0.0,
        }
    }

    /// Elastic energy in the bristle or spring (`J`).
    #[inline]
    pub fn stored(&self, state: f64) -> f64 {
        let stiffness = match self.form {
            Form::Dry { .. } | Form::Curve(_) | Form::Peaked(_) => return 0.0,
            Form::Bristle(bristle) => bristle.stiffness,
            Form::Reset {
                held,
                sliding,
                stiffness,
                ..
            } => stiffness * (held / sliding),
            Form::Spring { stiffness, .. } => stiffness,
        };
        0.5 * stiffness * state * state
    }

    /// The largest force (`N`; moment, `N m`) that the law can answer at this speed and normal force, whatever its state.
    pub fn limit(&self, at: &Sliding) -> f64 {
        let fast = at.speed.abs();
        let normal = pressed(at.normal);
        match self.form {
            Form::Dry { held, .. } => held * normal,
            Form::Curve(curve) => curve.coefficient * normal,
            Form::Peaked(peaked) => (peaked.held + peaked.viscous * fast) * normal,
            Form::Bristle(_) if normal == 0.0 => 0.0,
            Form::Bristle(bristle) => {
                // The bristle's rate is at most v(1 + σ0·z/g), with σ0·z ≤ μs·Fn and g ≥ μd·Fn.
                let most = if bristle.damping > 0.0 {
                    bristle.damping * (1.0 + bristle.held / bristle.sliding)
                } else {
                    0.0
                };
                bristle.held * normal + (most + bristle.viscous) * fast
            }
            Form::Reset { .. } if normal == 0.0 => 0.0,
            Form::Reset { held, damping, .. } => held * normal + damping * fast,
            Form::Spring { coefficient, .. } => coefficient * normal,
        }
    }

    /// Whether the load that friction balances here is less than what it could bear at rest: such surfaces should stick, whether this law lets them or not. Full friction, to a thousandth, is sliding.
    pub fn rests(&self, at: &Sliding) -> bool {
        match self.force(at) {
            Tangential::Stick { .. } => true,
            Tangential::Force(force) => {
                let bound = match self.form {
                    Form::Dry { .. } => 0.0,
                    Form::Curve(curve) => curve.coefficient,
                    // Beyond its peak such a law slides though its force is less.
                    Form::Peaked(peaked) if at.speed.abs() > peaked.rise => 0.0,
                    Form::Peaked(peaked) => peaked.held,
                    Form::Bristle(bristle) => bristle.sliding,
                    Form::Reset { held, .. } => held,
                    Form::Spring { coefficient, .. } => coefficient,
                };
                force.abs() < 0.999 * bound * pressed(at.normal)
            }
        }
    }

    /// Whether the law can never give back more energy than was put in, whatever the motion. Every law but `lugre` is so for all values; its card has the condition.
    pub fn is_passive(&self) -> bool {
        match self.form {
            Form::Bristle(b) if b.damping > 0.0 => {
                b.viscous >= b.damping * (b.held / b.sliding - 1.0)
            }
            _ => true,
        }
    }

    /// The steady speed (`m/s`; `rad/s` for a law of rolling) under a constant tangential load of `fraction` times coefficient times normal force, where the coefficient is the static one if
    /// there are two. Zero where the law holds; the lowest such speed where there are several; none where the load is more than friction can balance at any finite speed.
    /// Exact for rising curves; for curves with a peak solved to the last digits. At no load this is the speed up to which a body is not braked at all.
    pub fn creep(&self, fraction: f64) -> Option<f64> {
        let load = fraction.abs();
        if load.is_nan() {
            return None;
        }
        match self.form {
            Form::Dry { .. } | Form::Bristle(_) | Form::Reset { .. } | Form::Spring { .. } => {
                (load <= 1.0).then_some(0.0)
            }
            Form::Curve(curve) => {
                let x = (load <= 1.0).then(|| (curve.inverse)(load))?;
                let speed = curve.start + curve.width * x;
                speed.is_finite().then_some(speed)
            }
            Form::Peaked(peaked) => {
                let target = load * peaked.held;
                let coefficient = |v: f64| (peaked.curve)(&peaked, v);
                // Beyond the fall nothing but the viscous part rises.
                let mut far = 50.0 * peaked.rise.max(peaked.fall);
                if peaked.viscous > 0.0 {
                    far = far.max(target / peaked.viscous);
                }
                first_crossing(coefficient, target, 1e-3 * peaked.rise, far)
            }
        }
    }
}
