//! What is a grain, what is a wall, and which laws do they follow where they touch?

use crate::contact::{Damper, Elastic, Exponent, Law, Separation, Touch};
use crate::friction;
use crate::friction::Family;
use crate::geometry::Shape;
use crate::grains::Fault;
use crate::impact;
use crate::impact::Failed;
use crate::mechanics::Contact;
use crate::mechanics::Follows;

/// A disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// x, y (m) and the angle (rad).
    pub position: [f64; 3],
    /// Their rates, m/s and rad/s.
    pub velocity: [f64; 3],
    /// The radius, m.
    pub radius: f64,
    /// The mass, kg.
    pub mass: f64,
    /// The moment of inertia about the centre, kg m².
    pub inertia: f64,
}

impl Grain {
    /// A disc of this radius (m) and mass (kg): its inertia is m r²/2.
    pub fn disc(position: [f64; 3], velocity: [f64; 3], radius: f64, mass: f64) -> Self {
        Self {
            position,
            velocity,
            radius,
            mass,
            inertia: 0.5 * mass * radius * radius,
        }
    }

    /// A sphere that moves in the plane: its inertia is 2 m r²/5.
    pub fn sphere(position: [f64; 3], velocity: [f64; 3], radius: f64, mass: f64) -> Self {
        Self {
            inertia: 0.4 * mass * radius * radius,
            ..Self::disc(position, velocity, radius, mass)
        }
    }

    pub(super) fn check(&self, i: usize) -> Result<(), Fault> {
        let out = |name, value, unit, allowed: &str| {
            Err(Fault::OutOfRange {
                of: format!("grain {i}"),
                name,
                value,
                unit,
                allowed: allowed.into(),
                hint: "",
            })
        };
        for (name, value, unit) in [
            ("radius", self.radius, "m"),
            ("mass", self.mass, "kg"),
            ("inertia", self.inertia, "kg m²"),
        ] {
            // Their inverses are used.
            if !(value > 0.0 && value.is_finite() && (1.0 / value).is_finite()) {
                return out(
                    name,
                    value,
                    unit,
                    "> 0, and neither it nor its inverse too large",
                );
            }
        }
        for (names, values, unit) in [
            (["x", "y", "angle"], self.position, ["m", "m", "rad"]),
            (
                ["velocity along x", "velocity along y", "angular velocity"],
                self.velocity,
                ["m/s", "m/s", "rad/s"],
            ),
        ] {
            for k in 0..3 {
                if !values[k].is_finite() {
                    return out(names[k], values[k], unit[k], "a finite number");
                }
            }
        }
        Ok(())
    }
}

/// Something that grains touch and that does not feel them.
#[derive(Clone, Debug)]
pub struct Wall {
    /// Its outline, in the axes of its carrier.
    pub shape: Shape,
    /// `None`: it stands on the ground. Else it moves with this carrier's pose.
    pub carrier: Option<usize>,
    /// What happens where a grain touches it.
    pub rules: Rules,
}

/// What happens at a touch.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The law along the normal; one whose numbers follow from the radii is made at every touch. So is a coefficient that is solved for by simulation ([`crate::contact::Calibration::Exact`] of a law without a closed
    /// form): thousands of touches take their time then.
    pub follows: Follows,
    /// A touch slower than this (m/s) counts as this fast.
    pub slowest: f64,
    /// Friction: any law that is a function of speed, or that has a deflection of its own.
    pub friction: Option<friction::Law>,
    /// Resistance to rolling.
    pub rolling: Option<Rolling>,
}

/// Resistance to rolling.
#[derive(Clone, Debug)]
pub struct Rolling {
    /// The law.
    pub law: friction::Law,
    /// Whether the rolling radius is that of each touch, R1 R2/(R1 + R2): then the law is one of 1 m. Else it is the law's own.
    pub by_curvature: bool,
}

impl Rules {
    /// This law, without friction; touches slower than 1 mm/s count as that.
    pub fn new(follows: Follows) -> Self {
        Self {
            follows,
            slowest: Contact::SLOWEST,
            friction: None,
            rolling: None,
        }
    }

    /// The same with friction.
    pub fn with_friction(mut self, law: friction::Law) -> Self {
        self.friction = Some(law);
        self
    }

    /// The same with resistance to rolling.
    pub fn with_rolling(mut self, law: friction::Law, by_curvature: bool) -> Self {
        self.rolling = Some(Rolling { law, by_curvature });
        self
    }

    /// The same with another least approach speed, m/s.
    pub fn with_slowest(mut self, speed: f64) -> Self {
        self.slowest = speed;
        self
    }
}

/// How a damper hangs on the indentation, in the forms that are built into the loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quick {
    /// K δ^n (1 + c v); without a damper c = 0.
    Factor { n: Exponent },
    /// K δ^n + c δ^p v.
    Power { n: Exponent, p: Exponent },
}

impl Quick {
    fn of(touch: &Touch) -> Option<Self> {
        let &Elastic::Power { n, .. } = touch.elastic() else {
            return None;
        };
        match *touch.damper() {
            Damper::None | Damper::Factor { .. } => Some(Quick::Factor { n }),
            Damper::Power { p, .. } => Some(Quick::Power { n, p }),
            _ => None,
        }
    }

    /// K and c of a contact of this form; `None` if it has another.
    pub fn numbers(self, touch: &Touch) -> Option<[f64; 2]> {
        let &Elastic::Power { k, n } = touch.elastic() else {
            return None;
        };
        match (self, *touch.damper()) {
            (Quick::Factor { n: m } | Quick::Power { n: m, .. }, _) if m != n => None,
            (_, Damper::None) => Some([k, 0.0]),
            (Quick::Factor { .. }, Damper::Factor { per_speed }) => Some([k, per_speed]),
            (Quick::Power { p: q, .. }, Damper::Power { c, p }) if p == q => Some([k, c]),
            _ => None,
        }
    }

    /// The elastic and the dissipative force, N: digit by digit what [`Touch::force`] says.
    #[inline(always)]
    pub fn force(self, [k, c]: [f64; 2], delta: f64, rate: f64) -> [f64; 2] {
        match self {
            Quick::Factor { n } => {
                let elastic = k * n.raise(delta);
                [elastic, elastic * (c * rate)]
            }
            Quick::Power { n, p } => {
                let elastic = k * n.raise(delta);
                [elastic, c * p.raise(delta) * rate]
            }
        }
    }

    /// The stiffness at an indentation, N/m.
    pub fn slope(self, law: [f64; 2], delta: f64) -> f64 {
        let (Quick::Factor { n } | Quick::Power { n, .. }) = self;
        let [elastic, _] = self.force(law, delta, 0.0);
        n.value() * elastic / delta
    }

    /// What is stored, J.
    pub fn stored(self, k: f64, delta: f64) -> f64 {
        let (Quick::Factor { n } | Quick::Power { n, .. }) = self;
        let delta = delta.max(0.0);
        k * delta * n.raise(delta) / (n.value() + 1.0)
    }
}

/// Rules, looked through for what a loop wants to know.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// Whose rules they are: 0 between grains, else the wall's number plus 1.
    pub whose: usize,
    pub follows: Follows,
    pub slowest: f64,
    /// The form of the force, if it is one of the quick ones.
    pub quick: Option<Quick>,
    /// The force is not below this, N: 0 where the bodies part when it vanishes, else minus infinity.
    pub floor: f64,
    pub rub: Rub,
    pub rolling: Option<Rolling>,
}

/// Friction in a loop.
#[derive(Clone, Debug)]
pub(super) enum Rub {
    None,
    Spring(Spring),
    /// A function of speed.
    Speed(friction::Law),
    /// With a deflection of its own.
    Bristle(friction::Law),
}

/// A spring and a damper, limited together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    pub coefficient: f64,
    pub stiffness: f64,
    pub compliance: f64,
    pub damping: f64,
}

impl Prepared {
    pub fn new(whose: usize, rules: &Rules) -> Result<Self, Fault> {
        if !(rules.slowest > 0.0 && rules.slowest.is_finite()) {
            return Err(Fault::OutOfRange {
                of: "rules".into(),
                name: "slowest approach speed",
                value: rules.slowest,
                unit: "m/s",
                allowed: "> 0".into(),
                hint: "",
            });
        }
        let rub = match &rules.friction {
            None => Rub::None,
            Some(law) => match (law.card().family, *law.form()) {
                (Family::Dry, _) => {
                    return Err(Fault::Law {
                        law: law.card().id,
                        reason: "sticks by itself, which takes a solution of all contacts together"
                            .into(),
                        hint: "with a fixed step take `tangential-spring`, which holds by a spring",
                    });
                }
                (Family::Rolling, _) => {
                    return Err(Fault::Law {
                        law: law.card().id,
                        reason: "is a law of rolling, and stands where friction is asked for"
                            .into(),
                        hint: "give it as resistance to rolling",
                    });
                }
                (
                    _,
                    friction::Form::Spring {
                        coefficient,
                        stiffness,
                        damping,
                    },
                ) => Rub::Spring(Spring {
                    coefficient,
                    stiffness,
                    compliance: 1.0 / stiffness,
                    damping,
                }),
                _ if law.has_state() => Rub::Bristle(law.clone()),
                _ => Rub::Speed(law.clone()),
            },
        };
        if let Some(rolling) = &rules.rolling
            && rolling.law.card().family != Family::Rolling
        {
            return Err(Fault::Law {
                law: rolling.law.card().id,
                reason: "is no law of rolling".into(),
                hint: "take `rolling-resistance`",
            });
        }
        let quick = quick(&rules.follows);
        let separation = match &rules.follows {
            Follows::Law(law) => Some(law.separation()),
            Follows::Curved(curved) => curved
                .law([1.0, 1.0])
                .ok()
                .map(|law| law.separation())
                .or(curved.card.separations.first().copied()),
        };
        // A damper that is a factor of the elastic force vanishes with it, and has no other zero that ends a contact.
        let powered = matches!(quick, Some(Quick::Power { .. }));
        Ok(Self {
            whose,
            follows: rules.follows.clone(),
            slowest: rules.slowest,
            floor: if powered && separation == Some(Separation::ZeroForce) {
                0.0
            } else {
                f64::NEG_INFINITY
            },
            quick,
            rub,
            rolling: rules.rolling.clone(),
        })
    }

    /// Whether friction has a deflection of its own that is no plain spring.
    pub fn has_bristle(&self) -> bool {
        matches!(self.rub, Rub::Bristle(_))
    }

    /// Begins a contact. `kept` keeps the last laws that were made from radii.
    pub fn begin(
        &self,
        rate: f64,
        mass: f64,
        curvatures: [f64; 2],
        kept: &mut Kept,
    ) -> Result<Touch, Failed> {
        let speed = if rate > self.slowest {
            rate
        } else {
            self.slowest
        };
        match &self.follows {
            Follows::Law(law) => impact::begin(law, speed, mass),
            Follows::Curved(curved) => {
                // Other rules have another material, and another law for the same radii.
                let key = (self.whose, curvatures.map(f64::to_bits));
                if let Some((_, law)) = kept.laws.iter().find(|(k, _)| *k == key) {
                    return impact::begin(law, speed, mass);
                }
                let law = curved.law(curvatures)?;
                let touch = impact::begin(&law, speed, mass);
                if kept.laws.len() < Kept::MOST {
                    kept.laws.push((key, law));
                } else if let Some(oldest) = kept.laws.get_mut(kept.next) {
                    *oldest = (key, law);
                    kept.next = (kept.next + 1) % Kept::MOST;
                }
                touch
            }
        }
    }
}

/// Laws that were made from radii, by whose rules they follow and both curvatures.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    laws: Vec<((usize, [u64; 2]), Law)>,
    next: usize,
}

impl Kept {
    const MOST: usize = 16;
}

/// The quick form of a law, if it has the same one whatever speed, mass and radii.
fn quick(follows: &Follows) -> Option<Quick> {
    let mut found: Option<Quick> = None;
    let mut laws = Vec::new();
    match follows {
        Follows::Law(law) => laws.push(law.clone()),
        Follows::Curved(curved) => {
            for radius in [1e-4, 1e-2, 1.0] {
                laws.push(curved.law([1.0 / radius; 2]).ok()?);
            }
        }
    }
    for law in &laws {
        for speed in [1e-3, 0.03, 1.0] {
            for mass in [1e-6, 1e-3, 1.0] {
                // What cannot begin there may begin elsewhere, and is told when it does not. A coefficient that is solved for does not change the form.
                let Ok(touch) = law.touch(speed, mass) else {
                    continue;
                };
                let form = Quick::of(&touch)?;
                found = match (found, form) {
                    // Full restitution leaves no damper, which fits all.
                    (Some(was), _) if was.numbers(&touch).is_some() => Some(was),
                    (None, form) => Some(form),
                    (Some(Quick::Factor { n }), Quick::Power { n: m, p }) if n == m => {
                        let undamped = matches!(touch.damper(), Damper::None);
                        if undamped {
                            Some(Quick::Factor { n })
                        } else {
                            Some(Quick::Power { n: m, p })
                        }
                    }
                    _ => return None,
                };
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Values;
    use crate::contact;
    use crate::contact::{Calibration, State};

    #[test]
    fn quick_forces_are_those_of_the_law_digit_by_digit() {
        let stiff = Values::new().number("stiffness", 3e7);
        let damped = |id: &str| {
            let values = stiff.clone().number("restitution", 0.6);
            (id.to_string(), values)
        };
        let laws = [
            ("hertz".to_string(), stiff.clone()),
            ("hooke".to_string(), stiff.clone()),
            ("hertz".to_string(), stiff.clone().number("exponent", 1.3)),
            damped("hunt-crossley"),
            damped("flores"),
            damped("tsuji"),
            damped("anagnostopoulos"),
            (
                "kelvin-voigt".to_string(),
                stiff.clone().number("damping", 7.0),
            ),
        ];
        let mut tried = 0;
        for (id, values) in laws {
            let card = contact::find(&id).expect("a law of the catalogue");
            let Ok(law) = Law::new(card, &values, None, Calibration::Published) else {
                continue;
            };
            tried += 1;
            let follows = Follows::Law(law.clone());
            let quick = quick(&follows).unwrap_or_else(|| panic!("{id} is quick"));
            for (speed, mass) in [(0.1, 1e-3), (3.0, 2.0)] {
                let touch = impact::begin(&law, speed, mass).expect("begins");
                let numbers = quick.numbers(&touch).expect("its form");
                for delta in [1e-9, 3.7e-6, 2e-4] {
                    for rate in [-0.7 * speed, 0.0, 0.9 * speed] {
                        let known = touch.force(&State::new(delta, rate));
                        let found = quick.force(numbers, delta, rate);
                        assert_eq!(found[0].to_bits(), known.elastic.to_bits(), "{id}");
                        assert_eq!(found[1] + 0.0, known.dissipative + 0.0, "{id}");
                        let stored = quick.stored(numbers[0], delta);
                        assert!((stored / touch.stored(delta) - 1.0).abs() < 1e-15, "{id}");
                    }
                }
            }
        }
        assert!(tried >= 7, "{tried} laws");
    }

    #[test]
    fn laws_with_phases_or_permanent_indentations_are_not_quick() {
        let values = Values::new()
            .number("stiffness", 1e7)
            .number("restitution", 0.6);
        let card = contact::find("lankarani-nikravesh-plastic").expect("a law");
        let law = Law::new(card, &values, None, Calibration::Published).expect("sound");
        assert_eq!(quick(&Follows::Law(law)), None);
    }
}
