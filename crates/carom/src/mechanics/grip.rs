//! Do two surfaces that touch hold on to each other or slide, and when does that change?
//!
//! One pair of surfaces as numbers: a speed of sliding, a normal force, the law's own variable. No body and no solver is known here: contacts and joints are all this value with another measure of their sliding.
//! A law that is a smooth function of speed or of its bristle needs no memory. Two kinds of laws do:
//!
//! - Dry laws are set-valued at rest. While the surfaces hold, the force is whatever keeps them from sliding (only the whole mechanism knows it); they let go where that is more than the limit. While they
//!   slide, the force has one sign, and the instant at which the sliding stops is located. A law with a dead band has a third state: released, but not yet out of the band, where the force stays at its limit.
//! - Springs with a limit bend up to it and slip along with it. While they slip the elongation follows the limit, μ Fn/k; they bend again from where the surfaces move more slowly than the limit grows.
//!
//! The state moves at events and accepted steps only, never inside a trial step.

use crate::friction::Law;
use crate::friction::Sliding;
use crate::solve::Watch;

/// How two surfaces rub.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Grip {
    /// The law needs no memory, or the surfaces are apart.
    #[default]
    Plain,
    /// A dry law holds: the mechanism finds the force.
    Holds,
    /// A dry law with a dead band has let go, and the speed is not yet out of the band; the sign of the sliding.
    Breaks(f64),
    /// A dry law slides; the sign of the sliding.
    Slides(f64),
    /// A spring bends.
    Bends,
    /// A spring slips along at its limit; the sign of its elongation.
    Slips(f64),
}

/// What the mechanism adds to what is known of the sliding: it follows from all forces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// The force that holds, on the second surface along the sliding, N.
    pub hold: f64,
    /// How fast the normal force grows, N/s.
    pub normal_rate: f64,
    /// How long a contact of these surfaces takes, roughly, s: what is slow is measured by it.
    pub moment: f64,
}

/// What part of its longest elongation a spring at rest at its limit may be off, and by how much of it per contact time it may creep, before that is told from rest.
const HAIR: f64 = 1e-9;
/// By what part of it a spring that stops slipping is inside its limit.
const INSIDE: f64 = 1e-6;

impl Grip {
    /// How many guards it has.
    pub const GUARDS: usize = 2;
    /// How they are watched: what a guard does not look at is held away from zero.
    pub const WATCH: [Watch; Self::GUARDS] = [Watch::Falling; Self::GUARDS];

    /// Whether surfaces that follow this law need it.
    pub fn is_needed(law: &Law) -> bool {
        law.dry().is_some() || law.sprung().is_some()
    }

    /// Where surfaces begin to rub. At rest a dry law holds until the mechanism says that it cannot; speeds (m/s) within `still` are rest.
    pub fn begun(law: &Law, at: &Sliding, normal_rate: f64, still: f64) -> Grip {
        if let Some(dry) = law.dry() {
            return if at.speed.abs() <= dry.band.max(still) {
                Grip::Holds
            } else {
                Grip::Slides(at.speed.signum())
            };
        }
        let Some(spring) = law.sprung() else {
            return Grip::Plain;
        };
        let sign = at.speed.signum();
        // Where nothing presses yet the limit is nothing: they slip if they move faster than it grows.
        let outruns = at.speed.abs() * spring.stiffness > spring.coefficient * normal_rate;
        if at.normal <= 0.0 && at.speed != 0.0 && outruns {
            Grip::Slips(sign)
        } else {
            Grip::Bends
        }
    }

    /// Whether the mechanism must find the force.
    #[inline]
    pub fn holds(self) -> bool {
        self == Grip::Holds
    }

    /// Whether its guards need [`Found`].
    #[inline]
    pub fn asks(self) -> bool {
        matches!(self, Grip::Holds | Grip::Slips(_))
    }

    /// The law's own variable as the grip has it (m): where a spring slips it follows the limit.
    #[inline]
    pub fn state(self, law: &Law, at: &Sliding) -> f64 {
        match (self, law.sprung()) {
            (Grip::Slips(sign), Some(spring)) => sign * spring.longest(at.normal),
            _ => at.state,
        }
    }

    /// The force on the second surface along the sliding (N, against it); nothing where the mechanism must find it.
    #[inline]
    pub fn force(self, law: &Law, at: &Sliding) -> f64 {
        match self {
            Grip::Holds => 0.0,
            Grip::Breaks(sign) => -sign * law.most(at.normal),
            Grip::Slides(sign) => -sign * law.sliding_force(at, sign),
            Grip::Bends => law.bending_force(at),
            Grip::Plain | Grip::Slips(_) => {
                let at = Sliding {
                    state: self.state(law, at),
                    ..*at
                };
                law.force(&at).or_nothing()
            }
        }
    }

    /// The rate of the law's own variable, m/s; none where it follows the limit.
    #[inline]
    pub fn state_rate(self, law: &Law, at: &Sliding) -> f64 {
        match self {
            Grip::Plain => law.state_rate(at),
            Grip::Bends => at.speed,
            _ => 0.0,
        }
    }

    /// The law's own variable after an accepted step, m.
    pub fn accepted(self, law: &Law, at: &Sliding) -> f64 {
        match self {
            Grip::Plain => law.accept_state(at),
            _ => self.state(law, at),
        }
    }

    /// The law's own variable (m) where the next state begins. A spring that stops slipping is a hair inside its limit from then on: where the force jumps, or feeds back into the normal force, it would else slip again at
    /// once, without end.
    pub fn handed(self, next: Grip, law: &Law, at: &Sliding) -> f64 {
        let state = self.state(law, at);
        match (self, next) {
            (Grip::Slips(_), Grip::Bends) => state * (1.0 - INSIDE),
            _ => state,
        }
    }

    /// The guards: both fall through zero where the state ends.
    #[inline]
    pub fn guards(self, law: &Law, at: &Sliding, found: &Found, g: &mut [f64; Self::GUARDS]) {
        *g = [1.0; Self::GUARDS];
        match self {
            Grip::Plain => {}
            Grip::Holds => g[0] = law.most(at.normal) - found.hold.abs(),
            Grip::Slides(sign) => g[0] = sign * at.speed - law.band(),
            Grip::Breaks(sign) => {
                g[0] = sign * at.speed;
                g[1] = law.band() - sign * at.speed;
            }
            Grip::Bends => {
                if let Some(spring) = law.sprung() {
                    g[0] = (1.0 + HAIR) * spring.longest(at.normal) - at.state.abs();
                }
            }
            Grip::Slips(sign) => {
                if let Some(spring) = law.sprung() {
                    let growth = spring.coefficient * found.normal_rate / spring.stiffness;
                    let creep = HAIR * spring.longest(at.normal) / found.moment;
                    g[0] = sign * at.speed - growth + if creep.is_finite() { creep } else { 0.0 };
                }
            }
        }
    }

    /// What becomes of it where its guards have fired. Sliding that has stopped holds, until the mechanism says that it cannot.
    pub fn event(
        self,
        law: &Law,
        at: &Sliding,
        found: &Found,
        fired: [bool; Self::GUARDS],
    ) -> Grip {
        match self {
            Grip::Plain => self,
            Grip::Holds if fired[0] => Grip::released(law, found.hold),
            Grip::Slides(_) | Grip::Breaks(_) if fired[0] => Grip::Holds,
            Grip::Breaks(sign) if fired[1] => Grip::Slides(sign),
            Grip::Bends if fired[0] => Grip::Slips(at.state.signum()),
            Grip::Slips(_) if fired[0] => Grip::Bends,
            other => other,
        }
    }

    /// What lets go of surfaces that took the force `hold` to keep: they slide against it.
    pub fn released(law: &Law, hold: f64) -> Grip {
        let sign = -hold.signum();
        if law.band() > 0.0 {
            Grip::Breaks(sign)
        } else {
            Grip::Slides(sign)
        }
    }

    /// The sign of the sliding of a dry law that slides.
    pub fn sliding(self) -> Option<f64> {
        match self {
            Grip::Breaks(sign) | Grip::Slides(sign) => Some(sign),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Values;
    use crate::friction;

    fn law(id: &str, values: &[(&str, f64)]) -> Law {
        let values = values
            .iter()
            .fold(Values::new(), |all, (name, value)| all.number(name, *value));
        Law::new(friction::find(id).expect("known"), &values).expect("sound")
    }

    fn at(speed: f64, normal: f64, state: f64) -> Sliding {
        Sliding {
            speed,
            normal,
            state,
        }
    }

    #[test]
    fn coulomb_holds_until_the_load_is_more_than_its_limit_and_then_slides_against_the_hold() {
        let law = law("coulomb", &[("coefficient", 0.5)]);
        let grip = Grip::begun(&law, &at(0.0, 10.0, 0.0), 0.0, 0.0);
        assert_eq!(grip, Grip::Holds);
        let mut g = [0.0; 2];
        let found = |hold| Found {
            hold,
            ..Found::default()
        };
        grip.guards(&law, &at(0.0, 10.0, 0.0), &found(-3.0), &mut g);
        assert_eq!(g, [2.0, 1.0]);
        let slides = grip.event(&law, &at(0.0, 10.0, 0.0), &found(-5.0), [true, false]);
        // It was held back: it slides forwards, and friction is backwards.
        assert_eq!(slides, Grip::Slides(1.0));
        assert_eq!(slides.force(&law, &at(1e-3, 10.0, 0.0)), -5.0);
        // At rest and a little beyond too: the sign is that of the sliding, not of rounding.
        assert_eq!(slides.force(&law, &at(-1e-18, 10.0, 0.0)), -5.0);
        slides.guards(&law, &at(1e-3, 10.0, 0.0), &found(0.0), &mut g);
        assert_eq!(g, [1e-3, 1.0]);
        assert_eq!(
            slides.event(&law, &at(0.0, 10.0, 0.0), &found(0.0), [true, false]),
            Grip::Holds
        );
    }

    #[test]
    fn karnopp_stays_at_its_static_limit_until_it_is_out_of_its_band() {
        let law = law(
            "karnopp",
            &[
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.4),
                ("dead_band", 1e-3),
            ],
        );
        let grip = Grip::released(&law, 6.0);
        assert_eq!(grip, Grip::Breaks(-1.0));
        assert_eq!(grip.force(&law, &at(-5e-4, 10.0, 0.0)), 6.0);
        let mut g = [0.0; 2];
        grip.guards(&law, &at(-4e-4, 10.0, 0.0), &Found::default(), &mut g);
        assert!(
            (g[0] - 4e-4).abs() < 1e-18 && (g[1] - 6e-4).abs() < 1e-18,
            "{g:?}"
        );
        let grip = grip.event(
            &law,
            &at(-1e-3, 10.0, 0.0),
            &Found::default(),
            [false, true],
        );
        assert_eq!(grip, Grip::Slides(-1.0));
        assert_eq!(grip.force(&law, &at(-2e-3, 10.0, 0.0)), 4.0);
        grip.guards(&law, &at(-3e-3, 10.0, 0.0), &Found::default(), &mut g);
        assert_eq!(g, [2e-3, 1.0]);
    }

    #[test]
    fn a_spring_slips_along_with_its_limit_and_bends_again_where_the_limit_outruns_it() {
        let law = law(
            "tangential-spring",
            &[("coefficient", 0.5), ("stiffness", 1e3)],
        );
        // Nothing presses yet: it slips where it moves faster than the limit grows.
        let slow = Grip::begun(&law, &at(0.1, 0.0, 0.0), 300.0, 0.0);
        let fast = Grip::begun(&law, &at(0.1, 0.0, 0.0), 100.0, 0.0);
        assert_eq!([slow, fast], [Grip::Bends, Grip::Slips(1.0)]);
        // μ Fn/k = 5 mm, whatever stood in the state before.
        assert_eq!(fast.state(&law, &at(0.1, 10.0, 3.0)), 5e-3);
        assert_eq!(fast.force(&law, &at(0.1, 10.0, 3.0)), -5.0);
        assert_eq!(fast.state_rate(&law, &at(0.1, 10.0, 3.0)), 0.0);
        let mut g = [0.0; 2];
        let found = Found {
            normal_rate: 100.0,
            ..Found::default()
        };
        fast.guards(&law, &at(0.1, 10.0, 5e-3), &found, &mut g);
        assert!((g[0] - 0.05).abs() < 1e-15, "{g:?}");
        let bends = fast.event(&law, &at(0.1, 10.0, 5e-3), &found, [true, false]);
        assert_eq!(bends, Grip::Bends);
        bends.guards(&law, &at(-0.1, 10.0, -4e-3), &found, &mut g);
        assert!((g[0] - 1e-3).abs() < 1e-11, "{g:?}");
        assert_eq!(
            bends.event(&law, &at(-0.1, 10.0, -5e-3), &found, [true, false]),
            Grip::Slips(-1.0)
        );
    }

    #[test]
    fn smooth_laws_need_no_grip() {
        for id in ["ambrosio", "lugre", "dahl"] {
            let card = friction::find(id).expect("known");
            let values = card.parameters.iter().fold(Values::new(), |all, p| {
                let value = if p.name == "v1" { 2.0 } else { 1.0 };
                all.number(p.name, value)
            });
            let law = Law::new(card, &values).expect("sound");
            assert!(!Grip::is_needed(&law), "{id}");
            assert_eq!(Grip::begun(&law, &at(1.0, 1.0, 0.0), 0.0, 0.0), Grip::Plain);
        }
    }
}
