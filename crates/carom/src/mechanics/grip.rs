//! Do two surfaces that touch hold on to each other or slide, and when does that change?
//!
//! One pair of surfaces as numbers: a speed of sliding, a normal force, the law's own variable. No body and no solver is known here: contacts and joints are all this value with another measure of their sliding.
//! A law that is a smooth function of speed needs no memory. Three kinds of laws do:
//!
//! - Dry laws are set-valued at rest. While the surfaces hold, the force is whatever keeps them from sliding (only the whole mechanism knows it); they let go where that is more than the limit. While they
//!   slide, the force has one sign, and the instant at which the sliding stops is located. A law with a dead band has a third state: released, but not yet out of the band, where the force stays at its limit.
//! - Springs with a limit bend up to it and slip along with it. While they slip the elongation follows the limit, μ Fn/k; they bend again from where the surfaces move more slowly than the limit grows.
//! - Bristles that bend and slip at once settle over a way of g/σ0, which vanishes with the normal force: where a contact begins while the surfaces slide they settle at once beside all else that happens. There they
//!   trail behind their steady deflection, which is known, and are integrated from where their own time is no longer short beside that of the contact. They trail again where the normal force is about to vanish.
//!
//! The state moves at events and accepted steps only, never inside a trial step.

use crate::friction::Form;
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
    /// Bristles bend and slip by their own equation.
    Yields,
    /// Bristles trail behind their steady deflection; the sign of the sliding.
    Trails(f64),
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
    /// The part of the normal force that rounding may make up.
    pub blur: f64,
}

/// What part of its longest elongation a spring at rest at its limit may be off, and by how much of it per contact time it may creep, before that is told from rest.
const HAIR: f64 = 1e-9;
/// By what part of it a spring that stops slipping is inside its limit; not by less than some roundings of the limit, by which it would be beyond it again at once, and not by more than the last.
const INSIDE: f64 = 1e-6;
const ROUNDINGS: f64 = 16.0;
/// The part of a contact for which it stays inside at the least, where its force jumps with its slip: what it does while it slips may set it free, and what it does while it bends may let it slip, at one instant.
const DWELLS: f64 = 1e-4;
const FAR_INSIDE: f64 = 1e-2;
/// A spring that surfaces which have just met would bend to its limit in this part of a contact slips from the start.
const AT_ONCE: f64 = 1e-6;
/// How far sliding that has just begun may go back before it is told from rounding, m/s.
const QUIET: f64 = 1e-11;
/// Bristles trail from the touch on while their own time is less than this part of a contact.
const TRAILING: f64 = 1e-3;
/// They trail again where that time is less than this part of it, less by a margin than where they cease to trail, and the normal force, at the rate at which it falls, vanishes within [`SOON`] contacts.
const TRAILING_AGAIN: f64 = 0.3 * TRAILING;
const SOON: f64 = 0.3;
/// With less than this part of a contact they trail there at any speed, also where friction falls with it.
const VANISHING: f64 = 1e-5;

impl Grip {
    /// How many guards it has.
    pub const GUARDS: usize = 2;
    /// How they are watched: what a guard does not look at is held away from zero.
    pub const WATCH: [Watch; Self::GUARDS] = [Watch::Falling; Self::GUARDS];

    /// Whether surfaces that follow this law need it.
    pub fn is_needed(law: &Law) -> bool {
        law.dry().is_some() || law.sprung().is_some()
    }

    /// Whether surfaces that follow this law need it where their normal force begins and ends at nothing.
    pub fn is_needed_at_touch(law: &Law) -> bool {
        Self::is_needed(law) || law.settles_at(&Sliding::default(), 1.0).is_some()
    }

    /// Where surfaces begin to rub. At rest a dry law holds until the mechanism says that it cannot; speeds (m/s) within `still` are rest. What moves within its dead band is brought to rest by the limit: where
    /// surfaces meet nothing presses yet, and to stop them at once would strike bodies that may part from it again.
    pub fn begun(law: &Law, at: &Sliding, found: &Found, still: f64) -> Grip {
        let sign = at.speed.signum();
        if let Some(dry) = law.dry() {
            return if at.speed.abs() <= still {
                Grip::Holds
            } else if at.speed.abs() <= dry.band {
                Grip::Breaks(sign)
            } else {
                Grip::Slides(sign)
            };
        }
        let Some(spring) = law.sprung() else {
            let vanishes = law.settles_falling(at, VANISHING * found.moment);
            return match law.settles_at(at, TRAILING * found.moment) {
                Some(settles) if found.moment > 0.0 => {
                    if at.speed.abs() > settles.min(vanishes.unwrap_or(f64::INFINITY)) {
                        Grip::Trails(sign)
                    } else {
                        Grip::Yields
                    }
                }
                _ => Grip::Plain,
            };
        };
        // Where nothing presses yet, but for rounding, the limit is nothing: they slip if they move faster than it grows.
        let outruns = at.speed.abs() * spring.stiffness > spring.coefficient * found.normal_rate;
        // A spring that slips with less force than it bends with stores more than it was given while its limit grows: it bends first.
        let at_once = match law.form() {
            Form::Spring { .. } => AT_ONCE * found.moment * at.speed.abs(),
            _ => 0.0,
        };
        if spring.longest(at.normal) <= at_once && at.speed != 0.0 && outruns {
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
        matches!(self, Grip::Holds | Grip::Slips(_) | Grip::Yields)
    }

    /// The law's own variable as the grip has it (m): where a spring slips it follows the limit.
    #[inline]
    pub fn state(self, law: &Law, at: &Sliding) -> f64 {
        match (self, law.sprung()) {
            (Grip::Slips(sign), Some(spring)) => sign * spring.longest(at.normal),
            (Grip::Trails(_), _) => law.trailing(at, 0.0).map_or(at.state, |[state, _]| state),
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
            Grip::Trails(_) => law.trailing(at, 0.0).map_or(0.0, |[_, force]| force),
            Grip::Plain | Grip::Slips(_) | Grip::Yields => {
                let at = Sliding {
                    state: self.state(law, at),
                    ..*at
                };
                law.force(&at).or_nothing()
            }
        }
    }

    /// The same where the normal force grows at `normal_rate` (N/s), which bristles that trail feel.
    #[inline]
    pub fn force_along(self, law: &Law, at: &Sliding, normal_rate: impl FnOnce() -> f64) -> f64 {
        match self {
            Grip::Trails(_) => law
                .trailing(at, normal_rate())
                .map_or(0.0, |[_, force]| force),
            _ => self.force(law, at),
        }
    }

    /// The rate of the law's own variable, m/s; none where it follows the limit.
    #[inline]
    pub fn state_rate(self, law: &Law, at: &Sliding) -> f64 {
        match self {
            Grip::Plain | Grip::Yields => law.state_rate(at),
            Grip::Bends => at.speed,
            _ => 0.0,
        }
    }

    /// The law's own variable after an accepted step, m.
    pub fn accepted(self, law: &Law, at: &Sliding) -> f64 {
        match self {
            Grip::Plain | Grip::Yields => law.accept_state(at),
            _ => self.state(law, at),
        }
    }

    /// The law's own variable (m) where the next state begins. A spring that stops slipping is a hair inside its limit from then on: where the force jumps, or feeds back into the normal force, it would else slip again at
    /// once, without end.
    pub fn handed(self, next: Grip, law: &Law, at: &Sliding, found: &Found) -> f64 {
        let state = self.state(law, at);
        match (self, next) {
            (Grip::Trails(_), _) => law
                .trailing(at, found.normal_rate)
                .map_or(state, |[state, _]| state),
            (Grip::Slips(_), Grip::Bends) => {
                let dwells = match law.form() {
                    Form::Reset { held, sliding, .. } if held != sliding => {
                        DWELLS * found.moment * (at.speed / state).abs()
                    }
                    _ => 0.0,
                };
                let inside = dwells.max(ROUNDINGS * found.blur);
                state * (1.0 - inside.clamp(INSIDE, FAR_INSIDE))
            }
            _ => state,
        }
    }

    /// The guards: both fall through zero where the state ends.
    #[inline]
    pub fn guards(self, law: &Law, at: &Sliding, found: &Found, g: &mut [f64; Self::GUARDS]) {
        *g = [1.0; Self::GUARDS];
        match self {
            Grip::Plain => {}
            Grip::Yields => {
                let settles = law.settles_at(at, TRAILING_AGAIN * found.moment);
                let vanishes = law.settles_falling(at, VANISHING * found.moment);
                let settles = settles.unwrap_or(f64::INFINITY);
                let settles = settles.min(vanishes.unwrap_or(f64::INFINITY)) - at.speed.abs();
                let lasts = at.normal + SOON * found.moment * found.normal_rate;
                // Both are of their own kind: signs decide, and parts of what they are measured by keep them comparable.
                let speed = at.speed.abs();
                let (settles, lasts) = (settles / speed, lasts / at.normal);
                g[0] = if speed > 0.0 && at.normal > 0.0 {
                    settles.max(lasts)
                } else {
                    1.0
                };
            }
            Grip::Holds => g[0] = law.most(at.normal) - found.hold.abs(),
            Grip::Slides(sign) => g[0] = sign * at.speed - law.band(),
            Grip::Breaks(sign) => {
                g[0] = sign * at.speed + QUIET;
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
            Grip::Trails(sign) => {
                let settles = law.settles_at(at, TRAILING * found.moment);
                g[0] = sign * at.speed - settles.unwrap_or(0.0);
                // Where they trail though friction falls: as the surfaces come to rest.
                let settles = law.settles_falling(at, TRAILING * found.moment);
                g[1] = sign * at.speed - settles.unwrap_or(0.0);
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
            Grip::Yields if fired[0] => Grip::Trails(at.speed.signum()),
            Grip::Holds if fired[0] => Grip::released(law, found.hold),
            Grip::Slides(_) | Grip::Breaks(_) if fired[0] => Grip::Holds,
            Grip::Breaks(sign) if fired[1] => Grip::Slides(sign),
            Grip::Bends if fired[0] => Grip::slipped(law, at, found),
            Grip::Slips(_) if fired[0] => Grip::Bends,
            Grip::Trails(_) if fired[0] || fired[1] => Grip::Yields,
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

    /// What a spring beyond its limit becomes: it slips along with it. Where the force that presses is about to vanish, the surfaces go from one limit to the other at once: there it slips the way they move, and rounding of what
    /// presses cannot take it off its limit again.
    pub fn slipped(law: &Law, at: &Sliding, found: &Found) -> Grip {
        let longest = law.sprung().map_or(0.0, |s| s.longest(at.normal));
        let at_once = longest <= AT_ONCE * found.moment * at.speed.abs();
        if at_once && found.normal_rate < 0.0 && at.speed != 0.0 {
            Grip::Slips(at.speed.signum())
        } else {
            Grip::Slips(at.state.signum())
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
        let grip = Grip::begun(&law, &at(0.0, 10.0, 0.0), &Found::default(), 0.0);
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
            (g[0] - 4e-4 - QUIET).abs() < 1e-18 && (g[1] - 6e-4).abs() < 1e-18,
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
    fn surfaces_that_meet_within_a_dead_band_are_brought_to_rest_by_friction_and_not_at_once() {
        let law = law(
            "karnopp",
            &[
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.4),
                ("dead_band", 1e-3),
            ],
        );
        let begun = |speed: f64| Grip::begun(&law, &at(speed, 0.0, 0.0), &Found::default(), 1e-11);
        assert_eq!(begun(-5e-4), Grip::Breaks(-1.0));
        assert_eq!(begun(2e-3), Grip::Slides(1.0));
        assert_eq!(begun(1e-12), Grip::Holds);
    }

    #[test]
    fn a_spring_that_stops_slipping_is_inside_its_limit_by_more_than_rounding_and_for_a_moment_where_its_force_jumps()
     {
        let spring = law(
            "tangential-spring",
            &[("coefficient", 0.5), ("stiffness", 1e3)],
        );
        let reset = law(
            "reset-integrator",
            &[
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.5),
                ("stiffness", 1e3),
            ],
        );
        // The limit is 0.5 * 10 N / 1e3 N/m = 5 mm.
        let inside = |law: &Law, speed: f64, blur: f64| {
            let found = Found {
                moment: 1e-2,
                blur,
                ..Found::default()
            };
            let at = at(speed, 10.0, 5e-3);
            1.0 - Grip::Slips(1.0).handed(Grip::Bends, law, &at, &found) / 5e-3
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(inside(&spring, 1.0, 0.0), 1e-6));
        assert!(near(inside(&spring, 1.0, 1e-6), 16e-6));
        // 1e-4 of 10 ms at 1 m/s are 1 um, 2e-4 of the limit; fast ones are inside by a hundredth at most.
        assert!(near(inside(&reset, 1.0, 0.0), 2e-4));
        assert!(near(inside(&reset, 1e3, 0.0), 1e-2));
    }

    #[test]
    fn a_spring_under_a_force_that_vanishes_slips_the_way_its_surfaces_move() {
        let law = law(
            "tangential-spring",
            &[("coefficient", 0.5), ("stiffness", 1e3)],
        );
        let found = |normal_rate: f64| Found {
            normal_rate,
            moment: 1e-3,
            ..Found::default()
        };
        // In a millionth of the contact they go 1e-10 m; the limit is 5e-13 m with 1 nN, and 5 um with 10 mN.
        let [next_to_none, more] = [1e-9, 1e-2].map(|n| at(0.1, n, -0.5 * n / 1e3));
        let slips = |at: &Sliding, rate: f64| Grip::slipped(&law, at, &found(rate));
        assert_eq!(slips(&next_to_none, -10.0), Grip::Slips(1.0));
        assert_eq!(slips(&next_to_none, 10.0), Grip::Slips(-1.0));
        assert_eq!(slips(&more, -10.0), Grip::Slips(-1.0));
    }

    #[test]
    fn a_spring_slips_along_with_its_limit_and_bends_again_where_the_limit_outruns_it() {
        let law = law(
            "tangential-spring",
            &[("coefficient", 0.5), ("stiffness", 1e3)],
        );
        // Nothing presses yet: it slips where it moves faster than the limit grows.
        let begun = |normal: f64, normal_rate: f64| {
            let found = Found {
                normal_rate,
                moment: 1e-3,
                ..Found::default()
            };
            Grip::begun(&law, &at(0.1, normal, 0.0), &found, 0.0)
        };
        let (slow, fast) = (begun(0.0, 300.0), begun(0.0, 100.0));
        assert_eq!([slow, fast], [Grip::Bends, Grip::Slips(1.0)]);
        // Rounding presses with next to nothing, which is bent through at once; ten newtons are not.
        assert_eq!(begun(1e-20, 100.0), Grip::Slips(1.0));
        assert_eq!(begun(10.0, 100.0), Grip::Bends);
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
            let begun = Grip::begun(&law, &at(1.0, 1.0, 0.0), &Found::default(), 0.0);
            assert_eq!(begun, Grip::Plain);
        }
    }

    #[test]
    fn bristles_trail_where_next_to_nothing_presses_and_yield_where_they_need_time() {
        let law = law("dahl", &[("coefficient", 0.5), ("stiffness", 1e6)]);
        let found = Found {
            normal_rate: 1e3,
            moment: 1e-3,
            ..Found::default()
        };
        // Their own time is μ Fn/(σ0 v): 0.5 s/N times the force; a thousandth of the contact is 1 μs.
        let begun = |normal: f64| Grip::begun(&law, &at(1e-6, normal, 0.0), &found, 0.0);
        assert_eq!(begun(1e-6), Grip::Trails(1.0));
        assert_eq!(begun(1e-5), Grip::Yields);
        // Where friction falls with speed they trail only while their time is next to nothing: 0.6 s/N times the force, against 10 ns.
        let falls = self::law(
            "lugre",
            &[
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.4),
                ("stribeck_speed", 1e-3),
                ("stiffness", 1e6),
            ],
        );
        let begun = |normal: f64| Grip::begun(&falls, &at(1e-6, normal, 0.0), &found, 0.0);
        assert_eq!(begun(1e-9), Grip::Trails(1.0));
        assert_eq!(begun(1e-6), Grip::Yields);
        // Where the limit grows in proportion to time, z = a t, the deflection is a t/(1 + a/v), which solves ż = v − v z/(a t).
        let (a, v, t) = (0.5 * 1e3 / 1e6, 1e-3, 0.01);
        let grip = Grip::Trails(1.0);
        let sliding = at(v, 1e3 * t, 0.0);
        let exact = a * t / (1.0 + a / v);
        let state = grip.handed(Grip::Yields, &law, &sliding, &found);
        assert!((state / exact - 1.0).abs() < 1e-12, "{state} {exact}");
        let force = grip.force_along(&law, &sliding, || 1e3);
        assert!((force / (-1e6 * exact) - 1.0).abs() < 1e-12, "{force}");
        let mut g = [0.0; 2];
        grip.guards(&law, &at(1e-6, 1.9e-6, 0.0), &found, &mut g);
        assert!(g[0] > 0.0, "{g:?}");
        grip.guards(&law, &at(1e-6, 2.1e-6, 0.0), &found, &mut g);
        assert!(g[0] < 0.0, "{g:?}");
    }
}
