//! Who stays together after the blows, who sticks, who slides, and who parts?

use crate::card::rounded;
use crate::impulse;
use crate::impulse::{Closed, Holds, Pressing, Set, Trouble};
use crate::system::assembly::size;
use crate::system::equations::Equations;
use crate::system::touches::{Blow, Bond, Changes, PARTS, SLIPS, TURNS};

use super::{Instant, push, told, words};

/// Room for the pairs that rest on each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// Of every pair: whether it may stay together, and what it will do.
    rests: Vec<Rest>,
    bonds: Vec<Bond>,
    /// Of every pair: whether its friction changes over and over.
    hurried: Vec<bool>,
    /// The pairs that may.
    resting: Vec<usize>,
    matrix: Vec<f64>,
    free: Vec<f64>,
    closed: Vec<Closed>,
    accelerations: Vec<f64>,
}

/// Whether a pair that touches may stay together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rest {
    /// It does not part.
    Yes,
    /// The force between the surfaces has just come to its end.
    Ends,
    /// It parts, or has two answers and takes the one in which it does.
    No,
}

/// How often who rests may change at one instant before it is given up.
const CHANGES: usize = 128;

/// A flight must rise so many times higher than positions are rounded, or it could not be seen to end.
const LOW: f64 = 100.0;

/// The same of a flight that is no lower than those before it, so that rounding gives back what restitution takes.
const KEPT_UP: f64 = 1e4;

/// What a force must do at least, as a part of the largest acceleration.
const UNLOADED: f64 = 1e-11;

/// What friction bears for some moments where it cannot be decided what it does, as a multiple of what it may.
const HELD: f64 = 1e3;

/// What of an acceleration is not told from zero where a force ends, as a part of those that make it up.
const HARDLY: f64 = 1e-6;

impl Equations {
    /// Settles who stays together, for the speeds that the last blow left; `still` (m/s) is a speed that is rounding.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn decide(
        &mut self,
        at: Instant,
        q: &[f64],
        v: &mut [f64],
        work: &mut f64,
        extras: &mut [f64],
        fired: &dyn Fn(usize) -> bool,
        still: f64,
        changes: &mut Changes,
    ) -> Result<(), String> {
        let [t, inside] = at;
        self.striking.deciding.rests.clear();
        for c in 0..self.striking.pairs.len() {
            let s = &mut self.striking;
            let site = s.pairs[c].site;
            s.deciding.rests.push(if s.rates[2 * c] > still {
                Rest::No
            } else if told(fired, site, PARTS) && self.touches.hurries(site, t, s.brief) {
                // Again and again: it parts, and may touch anew.
                Rest::No
            } else if told(fired, site, PARTS) {
                Rest::Ends
            } else {
                Rest::Yes
            });
        }
        self.hurry(t, fired, changes);
        for _ in 0..CHANGES {
            // What everything would do if nothing were together.
            self.touches.let_go();
            let evaluated = self.evaluate(inside, q, v);
            self.touches.back();
            let _ = evaluated.map_err(|fault| format!("at t = {} s: {fault}", rounded(inside)))?;
            self.meet(inside, q, v, fired)?;
            match self.rest(fired, still) {
                Ok(()) => {}
                Err(trouble) => {
                    self.answer(at, v, work, extras, trouble, changes)?;
                    continue;
                }
            }
            if self.ends_anew() || self.come_to_rest(at, q, v, work, extras, still) {
                continue;
            }
            self.bind(t, q, extras, changes);
            return Ok(());
        }
        Err(format!(
            "at t = {} s it cannot be decided who stays together: every answer contradicts itself. A smaller coefficient of friction, or compliant contact, would have one",
            rounded(t)
        ))
    }

    /// Notes whose friction changes, and whose does so over and over: each answer contradicts the motion that follows from it, and they are held for some moments.
    fn hurry(&mut self, t: f64, fired: &dyn Fn(usize) -> bool, changes: &mut Changes) {
        let s = &mut self.striking;
        s.deciding.hurried.clear();
        for pair in &s.pairs {
            let moves = told(fired, pair.site, TURNS) || told(fired, pair.site, SLIPS);
            let hurried = moves && self.touches.hurries(pair.site, t, s.brief);
            let held = hurried || self.touches.is_held(pair.site, t);
            s.deciding.hurried.push(held);
            if hurried {
                // As short as the steps have become they would not lead out of it.
                changes.first_step = Some(10.0 * s.brief);
                self.undecided.push((self.touches.element_of(pair.site), t));
            }
        }
    }

    /// The forces of all that rest, and the accelerations with them.
    fn rest(&mut self, fired: &dyn Fn(usize) -> bool, still: f64) -> Result<(), Trouble> {
        let (s, touches) = (&mut self.striking, &self.touches);
        let d = &mut s.deciding;
        let (n, k) = (s.pairs.len(), 2 * s.pairs.len());
        d.resting.clear();
        d.resting
            .extend((0..n).filter(|&c| d.rests[c] == Rest::Yes));
        d.bonds.clear();
        d.bonds.resize(n, Bond::Apart);
        d.matrix.clear();
        d.free.clear();
        d.closed.clear();
        d.accelerations.clear();
        d.accelerations.extend_from_slice(&self.accelerations);
        let w = s.directions.matrix();
        for &c in &d.resting {
            for row in [2 * c, 2 * c + 1] {
                for &other in &d.resting {
                    let at = row * k + 2 * other;
                    d.matrix.extend([w[at], w[at + 1]]);
                }
            }
            let pair = &s.pairs[c];
            for held in [&pair.normal, &pair.tangent] {
                d.free.push(held.along(&self.accelerations) + held.bias);
            }
            let [held, sliding] = touches.coefficients(pair.site);
            let slip = s.rates[2 * c + 1];
            let holds = slip.abs() <= 2.0 * still
                || told(fired, pair.site, TURNS)
                || touches.bond(pair.site) == Bond::Sticks && slip.abs() <= 1e3 * still;
            let turns = told(fired, pair.site, TURNS);
            let slides = matches!(touches.bond(pair.site), Bond::Slides(_)) && !turns;
            // What has just come to its limit slips, whatever rounding says; what slides holds again only where less than that would do.
            let limit = if d.hurried[c] {
                HELD * held
            } else if told(fired, pair.site, SLIPS) {
                sliding * (1.0 - HARDLY)
            } else if slides {
                sliding
            } else {
                held
            };
            d.closed.push(Closed {
                slip: if holds { 0.0 } else { slip },
                friction: sliding.min(limit),
                static_friction: limit,
            });
        }
        s.pushes.clear();
        s.pushes.resize(k, 0.0);
        if d.resting.is_empty() {
            return Ok(());
        }
        let pressing = Pressing {
            matrix: &d.matrix,
            free: &d.free,
            contacts: &d.closed,
            look_around: false,
        };
        let forces = impulse::press(&pressing, &mut s.room)?;
        let bodies = self.accelerations.as_chunks::<3>().0.iter();
        let hardest = bodies.fold(0.0_f64, |most, [x, y, _]| most.max(x.abs()).max(y.abs()));
        for (&c, pressed) in d.resting.iter().zip(&forces.contacts) {
            // What touches without any load has nothing that keeps it together, and would part and meet by rounding.
            if pressed.normal * w[2 * c * (k + 1)] <= UNLOADED * hardest {
                continue;
            }
            s.pushes[2 * c] = pressed.normal;
            s.pushes[2 * c + 1] = pressed.tangential;
            let smooth = touches.coefficients(s.pairs[c].site)[1] == 0.0;
            d.bonds[c] = match pressed.holds {
                Holds::Opens => Bond::Apart,
                _ if smooth => Bond::Slides(0.0),
                Holds::Sticks => Bond::Sticks,
                Holds::SlidesForwards => Bond::Slides(1.0),
                Holds::SlidesBack => Bond::Slides(-1.0),
            };
        }
        s.directions.act(&s.pushes, &mut d.accelerations);
        Ok(())
    }

    /// Puts back what was to part because its force had ended, and would close at once. Whether there was any.
    fn ends_anew(&mut self) -> bool {
        let s = &mut self.striking;
        let d = &mut s.deciding;
        let mut any = false;
        for (c, pair) in s.pairs.iter().enumerate() {
            if d.rests[c] != Rest::Ends {
                continue;
            }
            let free = pair.normal.along(&self.accelerations);
            let second = pair.normal.along(&d.accelerations) + pair.normal.bias;
            if second < -HARDLY * (free.abs() + pair.normal.bias.abs()) {
                d.rests[c] = Rest::Yes;
                any = true;
            }
        }
        any
    }

    /// Ends the flights that are over before they have begun: bodies come to rest. What they had left is heat. Whether there were any.
    fn come_to_rest(
        &mut self,
        [t, _]: Instant,
        q: &[f64],
        v: &mut [f64],
        work: &mut f64,
        extras: &mut [f64],
        still: f64,
    ) -> bool {
        let s = &mut self.striking;
        let brief = s.brief;
        let rounding = f64::EPSILON * size(q);
        let mut any = false;
        s.clear_unknowns();
        for c in 0..s.pairs.len() {
            let pair = &s.pairs[c];
            let second = pair.normal.along(&s.deciding.accelerations) + pair.normal.bias;
            let rate = s.rates[2 * c];
            // As high as rate²/(2 second), for 2 rate/second.
            let brief = brief.max(self.touches.lasts(pair.site));
            let rises = rate > still && second < 0.0;
            let kept_up = rises && !self.touches.decays(pair.site, t, rate);
            let low = rounding * if kept_up { KEPT_UP } else { LOW };
            let short = 2.0 * rate < brief * -second || rate * rate < -2.0 * second * low;
            let ends = rises && short;
            if ends {
                s.deciding.rests[c] = Rest::Yes;
                any = true;
            }
            if ends || s.deciding.rests[c] == Rest::Yes {
                s.ask(2 * c, -rate);
            }
        }
        if !any {
            return false;
        }
        s.rubs.clear();
        s.rubs.resize(s.pairs.len(), 0.0);
        s.share();
        let pushes = (&s.directions, &s.pushes[..], &mut s.lambda[..]);
        push(pushes, v, &self.times, work);
        for (c, pair) in s.pairs.iter().enumerate() {
            let push = s.pushes[2 * c];
            if push == 0.0 {
                continue;
            }
            // Along a straight way of impulses the work is that of the mean speed; all of it ends at rest.
            let blow = Blow {
                mass: 1.0 / s.directions.matrix()[2 * c * (2 * s.pairs.len() + 1)],
                normal: [push, 0.0],
                work: [0.5 * push * s.rates[2 * c], 0.0, 0.0],
                ..Blow::default()
            };
            self.touches.strike(t, pair, &blow, &self.poses, extras);
        }
        true
    }

    /// Everybody stands as was decided.
    fn bind(&mut self, t: f64, q: &[f64], extras: &[f64], changes: &mut Changes) {
        let s = &self.striking;
        let n = s.pairs.len();
        let hair = 4.0 * f64::EPSILON * size(q);
        for (c, pair) in s.pairs.iter().enumerate() {
            let mass = 1.0 / s.directions.matrix()[2 * c * (2 * n + 1)];
            let motion = [s.rates[2 * c], mass];
            let bond = s.deciding.bonds[c];
            let bore = [s.pushes[2 * c], s.pushes[2 * c + 1]];
            self.touches.set_bore(pair.site, bore);
            let second = pair.normal.along(&s.deciding.accelerations) + pair.normal.bias;
            let flight = -2.0 * motion[0] / second;
            // Where nothing brings them back, or rounding alone, there is no flight to be missed.
            if bond == Bond::Apart && flight > 0.0 && flight.is_finite() {
                // A first step beyond the end of a flight could miss it.
                changes.first_step = Some(
                    changes
                        .first_step
                        .unwrap_or(f64::INFINITY)
                        .min(0.25 * flight),
                );
            }
            self.touches
                .set_bond(t, pair, motion, hair, bond, &self.poses, extras, changes);
        }
    }

    /// Where friction leaves no force or several: surfaces that no force keeps apart strike each other though they do not approach; of two answers the one is taken in which they part. Both are told.
    fn answer(
        &mut self,
        [t, _]: Instant,
        v: &mut [f64],
        work: &mut f64,
        extras: &mut [f64],
        trouble: Trouble,
        changes: &mut Changes,
    ) -> Result<(), String> {
        let place = |contact: usize| self.striking.deciding.resting.get(contact).copied();
        match trouble {
            Trouble::SeveralForces { contact, .. } | Trouble::SeveralOfSet { contact, .. } => {
                let Some(c) = place(contact) else {
                    return Err(format!("at t = {} s: {trouble:?}", rounded(t)));
                };
                let pair = self.striking.pairs[c];
                self.striking.deciding.rests[c] = Rest::No;
                let element = self.touches.element_of(pair.site);
                changes.warnings.push(words::several(t, element, &trouble));
                Ok(())
            }
            Trouble::NoForce { contact, .. } | Trouble::NoForces { contact, .. } => {
                let Some(c) = place(contact) else {
                    return Err(format!("at t = {} s: {trouble:?}", rounded(t)));
                };
                let pair = self.striking.pairs[c];
                let element = self.touches.element_of(pair.site);
                changes
                    .warnings
                    .push(words::none(t, element.clone(), &trouble));
                self.strike_from_rest(t, v, work, extras)
                    .map_err(|why| format!("{element}: {why}"))?;
                changes.regrip();
                Ok(())
            }
            _ => Err(self
                .touches
                .strike_trouble(t, &self.striking.pairs, trouble)),
        }
    }

    /// Surfaces that slide and that no force keeps apart strike by friction alone (Lecornu 1905; Génot and Brogliato 1999).
    fn strike_from_rest(
        &mut self,
        t: f64,
        v: &mut [f64],
        work: &mut f64,
        extras: &mut [f64],
    ) -> Result<(), String> {
        let s = &mut self.striking;
        s.surfaces.clear();
        let n = s.pairs.len();
        for c in 0..n {
            let pair = s.pairs[c];
            let mobility = s.directions.matrix()[2 * c * (2 * n + 1)];
            s.surfaces.push(impulse::Surface {
                restitution: self.touches.restitution(&pair, 0.0, 1.0 / mobility)?,
                friction: self.touches.coefficients(pair.site)[1],
                ratio: self.touches.ratio(pair.site),
            });
        }
        let set = Set {
            matrix: s.directions.matrix(),
            before: &s.rates,
            surfaces: &s.surfaces,
            hypothesis: s.method.hypothesis,
            order: s.method.order,
            from_rest: true,
        };
        let found = impulse::resolve(&set, &mut s.room);
        let resolved =
            found.map_err(|trouble| self.touches.strike_trouble(t, &s.pairs, trouble))?;
        if resolved.contacts.iter().all(|struck| !struck.took_part) {
            return Err("no force keeps the bodies apart, nor does a blow".into());
        }
        s.pushes.clear();
        for struck in &resolved.contacts {
            s.pushes.extend([struck.normal(), struck.tangential]);
        }
        let pushes = (&s.directions, &s.pushes[..], &mut s.lambda[..]);
        push(pushes, v, &self.times, work);
        for (c, struck) in resolved.contacts.iter().enumerate() {
            if struck.took_part {
                let mass = 1.0 / s.directions.matrix()[2 * c * (2 * n + 1)];
                let blow = super::blow(struck, 0.0, mass);
                self.touches
                    .strike(t, &s.pairs[c], &blow, &self.poses, extras);
            }
        }
        for c in 0..n {
            let parts = resolved.contacts[c].after[0] > 0.0;
            s.deciding.rests[c] = if parts { Rest::No } else { s.deciding.rests[c] };
        }
        Ok(())
    }
}
