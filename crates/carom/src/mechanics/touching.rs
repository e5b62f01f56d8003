//! Do two surfaces touch, since when, and what must be remembered of it?
//!
//! One pair of surfaces as numbers: a gap, its rate, and at a touch the effective mass and the curvatures. No joint, no body and no solver is known here: stops of joints, contacts and joints with play are
//! all this value with another measure of their gap. What the pair follows ([`Terms`]) never changes; what it remembers ([`Contacting`]) moves in [`Contacting::event`] and [`Contacting::accept`] only, never inside a trial step.
//!
//! A law whose bodies part before the indentation is back at zero leaves a dent. Until the gap has opened the surfaces can meet in it again: then the same contact goes on, on its way back up to the deepest
//! point, or as soon as its force would push again. Once the gap has opened the dent is forgotten: the next touch is taken to be elsewhere. What was stored when the bodies parted has become heat, and is
//! taken back from it where they meet again.

use crate::card::{Fault, Values};
use crate::contact::{
    Calibration, Card, Force, Law, Restitution, Separation, State, Surfaces, Touch,
};
use crate::impact;
use crate::impact::Failed;
use crate::solve::Watch;

/// Where a pair is and how it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// How far the surfaces are apart, m (or rad); negative where they overlap.
    pub gap: f64,
    /// How fast they part, m/s (or rad/s).
    pub rate: f64,
    /// The law's own variable, if it has one.
    pub own: f64,
}

/// What a pair follows when it touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The force.
    pub follows: Follows,
    /// A touch slower than this (m/s, or rad/s) counts as this fast: laws that divide by the approach speed have no limit at zero.
    pub slowest: f64,
}

/// Where the force comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Follows {
    /// A law with all its numbers.
    Law(Law),
    /// A law whose numbers follow from the curvatures where the surfaces touch: it is made there.
    Curved(Box<Curved>),
}

/// A law that lacks nothing but what follows from the radii of the surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct Curved {
    /// The law.
    pub card: &'static Card,
    /// What was given.
    pub values: Values,
    /// The restitution asked for.
    pub restitution: Option<Restitution>,
    /// How the damper follows from it.
    pub calibration: Calibration,
    /// Materials and length; the radii are found at the touch.
    pub surfaces: Surfaces,
}

/// How two surfaces meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The effective mass, kg (or kg m²).
    pub mass: f64,
    /// The curvatures there, 1/m: convex positive, concave negative.
    pub curvatures: [f64; 2],
}

impl Follows {
    /// Its card.
    pub fn card(&self) -> &'static Card {
        match self {
            Follows::Law(law) => law.card(),
            Follows::Curved(curved) => curved.card,
        }
    }

    /// The restitution asked for at this approach speed (m/s), if any.
    pub fn requested(&self, speed: f64) -> Option<f64> {
        match self {
            Follows::Law(law) => law.requested(speed).ok().flatten(),
            Follows::Curved(curved) => {
                let asked = curved.restitution.as_ref()?;
                asked.at(speed, curved.card.id).ok()
            }
        }
    }

    /// How the damper follows from the restitution asked for.
    pub fn calibration(&self) -> Calibration {
        match self {
            Follows::Law(law) => law.calibration(),
            // A law that can be had both ways says so by a word.
            Follows::Curved(curved) if curved.values.get_word("variant") == Some("exact") => {
                Calibration::Exact
            }
            Follows::Curved(curved) => curved.calibration,
        }
    }

    /// Whether the law has a variable of its own, which is integrated beside the motion.
    pub fn has_own(&self) -> bool {
        let has = |law: &Law| law.touch(1.0, 1.0).is_ok_and(|touch| touch.has_own());
        match self {
            // Whether it has one does not depend on speed, mass and radii.
            Follows::Law(law) => has(law),
            Follows::Curved(curved) => curved.law([1.0, 1.0]).is_ok_and(|law| has(&law)),
        }
    }

    /// What comes back where bodies strike each other at an instant with this approach speed (m/s): the restitution asked for, or else what the law returns by itself to the mass that it meets; and for how long
    /// such an impact would last, s. That is zero where one restitution is asked for at all speeds.
    ///
    /// A law that returns the more the slower bodies meet would let them bounce for ever: a flight that takes less time than the impact before it is none.
    pub fn returned(&self, speed: f64, meeting: &Meeting) -> Result<[f64; 2], Failed> {
        let asked = self.requested(speed);
        if let Some(asked) = asked.filter(|asked| self.requested(0.5 * speed) == Some(*asked)) {
            return Ok([asked, 0.0]);
        }
        let touch = self.begin(speed, meeting)?;
        let (_, lasts) = impact::scales(&touch);
        let returned = match asked.or_else(|| impact::restitution(&touch)) {
            Some(known) => known,
            None => {
                let mut lab = impact::Lab::new(1e-9).map_err(Failed::Input)?;
                lab.free(self.card().id, &touch)?.restitution
            }
        };
        Ok([returned, lasts])
    }

    fn begin(&self, speed: f64, meeting: &Meeting) -> Result<Touch, Failed> {
        match self {
            Follows::Law(law) => impact::begin(law, speed, meeting.mass),
            Follows::Curved(curved) => {
                let law = curved.law(meeting.curvatures)?;
                impact::begin(&law, speed, meeting.mass)
            }
        }
    }

    /// Whether the force of a contact would be another one if the surfaces had met at another speed.
    fn heeds_speed(&self, touch: &Touch, meeting: &Meeting) -> bool {
        let heeds = |law: &Law| {
            let faster = law.touch(2.0 * touch.v0(), touch.mass());
            law.calibration() == Calibration::Exact
                || !faster.is_ok_and(|faster| {
                    faster.elastic() == touch.elastic() && faster.damper() == touch.damper()
                })
        };
        match self {
            Follows::Law(law) => heeds(law),
            Follows::Curved(curved) => {
                let law = curved.law(meeting.curvatures);
                law.is_ok_and(|law| heeds(&law))
            }
        }
    }
}

impl Curved {
    /// The law where the surfaces have these curvatures, 1/m.
    pub fn law(&self, curvatures: [f64; 2]) -> Result<Law, Failed> {
        let mut surfaces = self.surfaces.clone();
        surfaces.radii = Some(curvatures.map(|c| 1.0 / c));
        let law = surfaces.law(
            self.card,
            &self.values,
            self.restitution.clone(),
            self.calibration,
        );
        let nothing = || Fault::NoCalibration {
            law: self.card.id,
            reason: "its numbers do not follow from the radii there".into(),
        };
        law.map_err(|faults| Failed::Input(faults.into_iter().next().unwrap_or_else(nothing)))
    }
}

/// What [`Contacting::event`] found; what an integrator has to do about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// Nothing that matters.
    Nothing,
    /// The force has a corner here, or a guard starts to look at something else: the step is best cut.
    Kink,
    /// The surfaces touch: start afresh with this step, s.
    Began {
        /// A fiftieth of the time that the contact will take, s.
        first_step: f64,
    },
    /// They meet again in the dent that they left, before the gap had opened: the contact that had ended goes on, with this step, s.
    Resumed {
        /// A fiftieth of the time that the contact will take, s.
        first_step: f64,
    },
    /// The law changed its phase: start afresh with this step, s.
    Turned {
        /// A twentieth of the time that the contact will take, s.
        first_step: f64,
    },
    /// The surfaces have parted: start afresh.
    Ended(Episode),
    /// The indentation is as deep as the law has a force for, m (or rad).
    Beyond(f64),
}

/// One contact, from touch to separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// When the surfaces touched, s.
    pub start: f64,
    /// When they parted, s.
    pub end: f64,
    /// How fast they met, m/s (or rad/s).
    pub approach: f64,
    /// How fast they parted.
    pub separation: f64,
    /// The effective mass at touch, kg (or kg m²).
    pub mass: f64,
    /// Whether it was slower than [`Terms::slowest`], and the law heeds that.
    pub slow: bool,
    /// The approach speed that the law was given: not below [`Terms::slowest`].
    pub counted: f64,
    /// The indentation at the end, m (or rad).
    pub left: f64,
}

/// What a pair remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacting {
    touch: Option<Touch>,
    /// When it began, s.
    since: f64,
    /// How fast it really began: `touch` may count it as faster; and whether that made a difference.
    approach: f64,
    slow: bool,
    /// Whether the surfaces have parted in a dent, and the gap has not opened yet: `touch` may go on. And when they did, s.
    parted: bool,
    ended: f64,
    /// How deep they were when they did, m (or rad).
    left: f64,
    /// How deep they stood in each other when they were first seen to, m (or rad): the indentation counts from there, so that nothing is stored that nobody has put in.
    offset: f64,
    /// What a gap that has just opened counts for more, m (or rad): at the opening it is zero but for rounding, which must not say that it is closed.
    hair: f64,
    /// What contacts that are over have turned into heat beside the power of their dampers, J.
    lost: f64,
    /// How long the contact takes, roughly, s.
    duration: f64,
    /// Whether a corner of the force has been met in this contact.
    cornered: bool,
}

/// The part of an impact's energy that may be stored where its touch is seen: beyond it the touch was seen late.
const LATE: f64 = 1e-9;

/// The part of a contact's duration for which surfaces that have parted in a dent stay apart. Where something else pulls them back as soon as they are free, contact and no contact would take turns without an end.
const MOMENT: f64 = 1e-4;

/// Rounding of a gap, m (or rad).
const HAIR: f64 = 1e-14;

/// The guards of a pair, in order: touch or return; separation or recovery; turn; corner; limit of the law.
const RETURN: usize = 0;
const PARTING: usize = 1;
const TURN: usize = 2;
const CORNER: usize = 3;
const LIMIT: usize = 4;

impl Default for Contacting {
    fn default() -> Self {
        Self::OPEN
    }
}

impl Contacting {
    /// Apart, and never touched before.
    pub const OPEN: Contacting = Contacting {
        touch: None,
        since: 0.0,
        approach: 0.0,
        slow: false,
        parted: false,
        ended: 0.0,
        left: 0.0,
        offset: 0.0,
        hair: 0.0,
        lost: 0.0,
        duration: 0.0,
        cornered: false,
    };
    /// How many guards it has.
    pub const GUARDS: usize = 5;
    /// Which of them finds the touch, and the end at zero indentation.
    pub const TOUCHING: usize = RETURN;
    /// Which of them finds the end by the law's own rule, and the opening of the gap after it.
    pub const PARTING: usize = PARTING;
    /// Which of them finds the turn from compression to restitution, or back.
    pub const TURNING: usize = TURN;
    /// How they are watched, whether it touches or not: what a guard does not look at is held away from zero.
    pub const WATCH: [Watch; Self::GUARDS] = [
        Watch::Falling,
        Watch::Falling,
        Watch::Falling,
        Watch::Any,
        Watch::Falling,
    ];

    /// The contact, if there is one.
    #[inline]
    pub fn touch(&self) -> Option<&Touch> {
        match self.parted {
            true => None,
            false => self.touch.as_ref(),
        }
    }

    /// Whether nothing touches, and no dent is remembered.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.touch.is_none()
    }

    /// As the law sees it.
    #[inline]
    fn state(&self, t: f64, at: &Apart) -> State {
        State {
            delta: -at.gap - self.offset,
            rate: -at.rate,
            time: t - self.since,
            own: at.own,
        }
    }

    /// The indentation and its rate: m, m/s (or rad, rad/s). Negative while the surfaces are apart.
    pub fn indentation(&self, at: &Apart) -> [f64; 2] {
        [-at.gap - self.offset, -at.rate]
    }

    /// The force that pushes the surfaces apart, N (or N m); nothing while they are apart.
    #[inline]
    pub fn force(&self, t: f64, at: &Apart) -> Force {
        match self.touch() {
            None => Force::default(),
            Some(touch) => touch.force(&self.state(t, at)),
        }
    }

    /// How long the contact takes, roughly, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// How fast the force grows, N/s, where the gap is accelerated by `second` (m/s²) and the law's own variable changes at `own_rate`; by a small step.
    pub fn force_rate(&self, t: f64, at: &Apart, second: f64, own_rate: f64) -> f64 {
        let h = 1e-7 * self.duration;
        let then = Apart {
            gap: at.gap + h * at.rate,
            rate: at.rate + h * second,
            own: at.own + h * own_rate,
        };
        (self.force(t + h, &then).total() - self.force(t, at).total()) / h
    }

    /// A contact under way, as if it ended now; `None` while the surfaces are apart.
    pub fn so_far(&self, t: f64, at: &Apart) -> Option<Episode> {
        let touch = self.touch()?;
        Some(self.episode(touch, t, at))
    }

    fn episode(&self, touch: &Touch, t: f64, at: &Apart) -> Episode {
        Episode {
            start: self.since,
            end: t,
            approach: self.approach,
            separation: at.rate,
            mass: touch.mass(),
            slow: self.slow,
            counted: touch.v0(),
            left: self.indentation(at)[0].max(0.0),
        }
    }

    /// How deep the contact will be, roughly, m (or rad): what its accuracy is measured by. `None` while the surfaces are apart.
    pub fn depth(&self) -> Option<f64> {
        self.touch().map(|touch| impact::scales(touch).0)
    }

    /// The elastic force at that depth, N (or N m).
    pub fn peak(&self) -> Option<f64> {
        let (touch, delta) = (self.touch()?, self.depth()?);
        let deepest = State {
            delta,
            ..State::default()
        };
        Some(touch.force(&deepest).elastic)
    }

    /// The rate of the law's own variable; zero if it has none.
    #[inline]
    pub fn own_rate(&self, t: f64, at: &Apart) -> f64 {
        match self.touch() {
            None => 0.0,
            Some(touch) => touch.own_rate(&self.state(t, at)),
        }
    }

    /// What is stored in the indentation, J.
    pub fn stored(&self, at: &Apart) -> f64 {
        let [delta, _] = self.indentation(at);
        let touch = self.touch();
        touch.map_or(0.0, |touch| touch.stored(delta.max(0.0)))
    }

    /// What has become heat since the first touch beside the integral of the dissipative force over the indentation, J: in permanent indentation, and in what was left in the surfaces when they parted.
    pub fn lost(&self, at: &Apart) -> f64 {
        let [delta, _] = self.indentation(at);
        let taken = self.touch().map_or(0.0, |touch| {
            touch.elastic_work(delta.max(0.0)) - touch.stored(delta.max(0.0))
        });
        self.lost + taken
    }

    /// The guards. Only those that the state of the pair gives a meaning to come near zero.
    #[inline]
    pub fn guards(&self, t: f64, at: &Apart, g: &mut [f64; Self::GUARDS]) {
        *g = [1.0; Self::GUARDS];
        let Some(touch) = &self.touch else {
            g[RETURN] = at.gap + self.hair;
            return;
        };
        let s = self.state(t, at);
        if self.parted {
            g[RETURN] = -touch.separation_guard(&s);
            g[PARTING] = s.delta;
            return;
        }
        g[RETURN] = s.delta;
        if touch.separation() != Separation::ZeroIndentation {
            g[PARTING] = touch.separation_guard(&s);
        }
        if let Some(turn) = touch.switch_guard(&s) {
            g[TURN] = turn;
        }
        if let (Some(corner), false) = (touch.corner_guard(&s), self.cornered) {
            g[CORNER] = corner;
        }
        let limit = touch.limit();
        if limit.is_finite() {
            g[LIMIT] = limit - s.delta;
        }
    }

    /// Puts a pair that overlaps at the start of a run, or just touches and is going to overlap, into contact. `acceleration` is that of the gap without contact, m/s² (or rad/s²): it decides for a pair at rest.
    /// A gap within `hair` is none.
    pub fn start(
        &mut self,
        terms: &Terms,
        t: f64,
        at: &Apart,
        acceleration: f64,
        hair: f64,
        meeting: impl FnOnce() -> Meeting,
    ) -> Result<Happening, Failed> {
        *self = Self::OPEN;
        let closes = at.rate < 0.0 || at.rate == 0.0 && acceleration < 0.0;
        if at.gap < -hair || at.gap <= hair && closes {
            return self.begin(terms, t, at, &meeting(), true);
        }
        Ok(Happening::Nothing)
    }

    /// What happens where guards have fired (`fired[i]`: guard i did). The effective mass (kg, or kg m²) is asked for at a touch only.
    pub fn event(
        &mut self,
        terms: &Terms,
        t: f64,
        at: &Apart,
        fired: [bool; Self::GUARDS],
        meeting: impl FnOnce() -> Meeting,
    ) -> Result<Happening, Failed> {
        let s = self.state(t, at);
        let parted = self.parted;
        let Some(touch) = &mut self.touch else {
            // Surfaces that part do not touch: rounding can say so just after they have parted.
            if fired[RETURN] && at.rate < 0.0 {
                return self.begin(terms, t, at, &meeting(), false);
            }
            return Ok(Happening::Nothing);
        };
        if parted {
            // Where the gap is open nothing is pressed again, whatever a force that is zero says.
            if fired[PARTING] || s.delta < 0.0 {
                return Ok(self.open());
            }
            // Where they have just parted, rounding can say that they are pressed again.
            if fired[RETURN] && t > self.ended + MOMENT * self.duration {
                return Ok(self.go_on(at));
            }
            return Ok(Happening::Nothing);
        }
        if fired[LIMIT] {
            return Ok(Happening::Beyond(touch.limit()));
        }
        // Surfaces that approach do not part: rounding can say so just after they have touched.
        if (fired[RETURN] || fired[PARTING]) && s.rate < 0.0 {
            return Ok(self.end(t, at));
        }
        if fired[TURN] {
            // What goes to and fro on the way back comes to the deepest point with no speed left: it does not load on there.
            let memory = touch.memory();
            let back = !memory.loading && s.delta >= memory.deepest * (1.0 - 1e-9);
            if back && s.rate <= 1e-6 * touch.v0() {
                return Ok(Happening::Nothing);
            }
            touch.switch(&s);
            // Nothing comes back: the surfaces stay where they are.
            if touch.separation() == Separation::PermanentIndentation
                && touch.separation_guard(&s) <= 0.0
            {
                return Ok(self.end(t, at));
            }
            return Ok(Happening::Turned {
                first_step: self.duration / 20.0,
            });
        }
        if fired[CORNER] {
            self.cornered = true;
            return Ok(Happening::Kink);
        }
        Ok(Happening::Nothing)
    }

    /// At the end of an accepted step: a pair that stood exactly at touch when it was last seen may have gone the other way than was thought, without a change of sign.
    pub fn accept(
        &mut self,
        terms: &Terms,
        t: f64,
        at: &Apart,
        meeting: impl FnOnce() -> Meeting,
    ) -> Result<Happening, Failed> {
        let [delta, rate] = self.indentation(at);
        let s = self.state(t, at);
        let Some(touch) = &mut self.touch else {
            if delta > 0.0 && rate > 0.0 {
                return self.begin(terms, t, at, &meeting(), false);
            }
            return Ok(Happening::Nothing);
        };
        if self.parted {
            if delta < 0.0 {
                return Ok(self.open());
            }
            // Pressed, and not seen to come back.
            let late = t > self.ended + MOMENT * self.duration;
            if late && touch.separation_guard(&s) > 0.0 {
                return Ok(self.go_on(at));
            }
            return Ok(Happening::Nothing);
        }
        if delta < 0.0 && rate < 0.0 {
            return Ok(self.end(t, at));
        }
        // Back at the deepest point too slowly to be taken for a turn, and deeper now: it loads on.
        let memory = touch.memory();
        if rate > 0.0
            && !memory.loading
            && delta > memory.deepest * (1.0 + 1e-6)
            && touch.switch_guard(&s).is_some_and(|turn| turn < 0.0)
        {
            touch.switch(&s);
            return Ok(Happening::Turned {
                first_step: self.duration / 20.0,
            });
        }
        Ok(Happening::Nothing)
    }

    /// The gap has opened: the dent is forgotten.
    fn open(&mut self) -> Happening {
        self.forget();
        self.hair = HAIR;
        Happening::Kink
    }

    /// The surfaces meet in the dent that they left: the same contact goes on.
    fn go_on(&mut self, at: &Apart) -> Happening {
        self.parted = false;
        // Seen late, they are deeper than they were: that is nothing that they have been pressed.
        let [delta, _] = self.indentation(at);
        self.offset += (delta - self.left).max(0.0);
        let [delta, _] = self.indentation(at);
        if let Some(touch) = &self.touch {
            self.lost -= touch.elastic_work(delta.max(0.0));
        }
        Happening::Resumed {
            first_step: self.duration / 50.0,
        }
    }

    /// The surfaces are no longer opposite each other: the contact is over where it was last seen, and leaves no dent.
    pub fn lose(&mut self, t: f64, last: &Apart) -> Happening {
        let happening = self.end(t, last);
        self.parted = true;
        self.forget();
        happening
    }

    /// Nothing of one surface is opposite the other any more: a dent that was left there is forgotten. What comes opposite next is another place.
    pub fn forget(&mut self) {
        if self.parted {
            self.touch = None;
            self.parted = false;
            self.offset = 0.0;
        }
    }

    /// How deep the surfaces stood in each other when their touch was seen, m (or rad), if it was seen late: the indentation counts from there.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The gap has jumped by this much (m, or rad; positive: deeper), and nobody was pressed: the indentation goes on as it was.
    pub fn jumped(&mut self, by: f64) {
        self.offset += by;
    }

    fn begin(
        &mut self,
        terms: &Terms,
        t: f64,
        at: &Apart,
        meeting: &Meeting,
        starts: bool,
    ) -> Result<Happening, Failed> {
        let approach = -at.rate;
        let counted = approach.max(terms.slowest);
        let touch = terms.follows.begin(counted, meeting)?;
        // What a start in each other stores is meant; what a touch stores that is seen too late is not.
        let deep = (-at.gap).max(0.0);
        let brought = 0.5 * touch.mass() * touch.v0() * touch.v0();
        let late = !starts && touch.stored(deep) > LATE * brought;
        self.offset = if late { deep } else { 0.0 };
        self.hair = 0.0;
        if deep - self.offset > touch.limit() {
            return Ok(Happening::Beyond(touch.limit()));
        }
        let (_, duration) = impact::scales(&touch);
        let slow = approach < terms.slowest && terms.follows.heeds_speed(&touch, meeting);
        self.touch = Some(touch);
        self.since = t;
        self.approach = approach;
        self.slow = slow;
        self.duration = duration;
        self.cornered = false;
        Ok(Happening::Began {
            first_step: duration / 50.0,
        })
    }

    fn end(&mut self, t: f64, at: &Apart) -> Happening {
        let [delta, _] = self.indentation(at);
        let Some(touch) = self.touch.take() else {
            return Happening::Nothing;
        };
        self.lost += touch.elastic_work(delta.max(0.0));
        let episode = self.episode(&touch, t, at);
        // Rounding leaves a contact that ends at zero indentation a little beside it; and a dent that is gone in a moment is none.
        let dent = delta > 1e-9 * self.duration * touch.v0();
        if touch.separation() != Separation::ZeroIndentation && dent {
            self.left = delta;
            self.touch = Some(touch);
            self.parted = true;
            self.ended = t;
        } else {
            self.offset = 0.0;
        }
        Happening::Ended(episode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact;

    fn terms(id: &str, values: &Values) -> Terms {
        let card = contact::find(id).expect("known");
        Terms {
            follows: Follows::Law(
                Law::new(card, values, None, Calibration::Published).expect("sound"),
            ),
            slowest: 1e-6,
        }
    }

    fn met(mass: f64) -> Meeting {
        Meeting {
            mass,
            curvatures: [0.0; 2],
        }
    }

    /// A mass thrown at a wall by small steps of the midpoint rule: what comes back, and the account.
    fn thrown(terms: &Terms, speed: f64, mass: f64, h: f64) -> (Episode, Contacting, f64, Apart) {
        let mut pair = Contacting::OPEN;
        let mut at = Apart {
            gap: 0.0,
            rate: -speed,
            own: 0.0,
        };
        let (mut t, mut heat) = (0.0, 0.0);
        let none = [false; Contacting::GUARDS];
        let mut begun = none;
        begun[RETURN] = true;
        pair.event(terms, t, &at, begun, || met(mass))
            .expect("touches");
        let mut before = [1.0; Contacting::GUARDS];
        loop {
            let force = |at: &Apart, t: f64| pair.force(t, at);
            let half = Apart {
                gap: at.gap + 0.5 * h * at.rate,
                rate: at.rate + 0.5 * h * force(&at, t).total() / mass,
                own: 0.0,
            };
            let middle = force(&half, t + 0.5 * h);
            at.gap += h * half.rate;
            at.rate += h * middle.total() / mass;
            t += h;
            heat += h * middle.dissipative * -half.rate;
            let mut now = none.map(|_| 1.0);
            pair.guards(t, &at, &mut now);
            let mut fired = none;
            for i in 0..Contacting::GUARDS {
                fired[i] = before[i] > 0.0 && now[i] <= 0.0;
            }
            before = now;
            match pair
                .event(terms, t, &at, fired, || met(mass))
                .expect("sound")
            {
                Happening::Ended(episode) => return (episode, pair, heat, at),
                Happening::Turned { .. } => pair.guards(t, &at, &mut before),
                Happening::Beyond(_) => panic!("too deep"),
                _ => {}
            }
        }
    }

    #[test]
    fn a_pair_returns_what_the_law_returns_in_a_free_impact_and_its_account_closes() {
        // Laws that part at zero indentation, at zero force, and at a permanent indentation.
        let stiff = Values::new().number("stiffness", 1e6);
        for (id, values) in [
            ("flores", stiff.clone().number("restitution", 0.6)),
            ("kelvin-voigt", stiff.clone().number("damping", 100.0)),
            (
                "lankarani-nikravesh-plastic",
                stiff.clone().number("restitution", 0.5),
            ),
        ] {
            let terms = terms(id, &values);
            let (speed, mass) = (0.4, 0.3);
            let Follows::Law(law) = &terms.follows else {
                panic!("a law");
            };
            let free = impact::simulate(law, speed, mass, &impact::Accuracy::default());
            let free = free.expect("returns");
            let (episode, pair, heat, at) = thrown(&terms, speed, mass, free.duration() / 2e5);
            let e = episode.separation / episode.approach;
            assert!(
                (e - free.restitution).abs() < 1e-4,
                "{id}: {e} {}",
                free.restitution
            );
            assert!(
                (episode.end - free.duration()).abs() < 1e-4 * free.duration(),
                "{id}"
            );
            let lost = 0.5 * mass * speed * speed * (1.0 - e * e);
            let account = heat + pair.lost(&at);
            assert!(
                (account - lost).abs() < 1e-4 * lost,
                "{id}: {account} {lost}"
            );
            assert_eq!(pair.stored(&at), 0.0);
            assert_eq!(pair.force(episode.end, &at), Force::default());
            // Until the gap has opened they are where the contact would go on, to the step of this integration.
            let mut g = [0.0; Contacting::GUARDS];
            pair.guards(episode.end, &at, &mut g);
            assert!(g[RETURN].abs() < 1e-6, "{id}: {g:?}");
        }
    }

    #[test]
    fn a_dent_goes_on_where_it_is_met_again_and_is_forgotten_once_the_gap_has_opened() {
        let stiff = Values::new().number("stiffness", 1e6);
        for (id, values) in [
            ("kelvin-voigt", stiff.clone().number("damping", 100.0)),
            (
                "lankarani-nikravesh-plastic",
                stiff.clone().number("restitution", 0.5),
            ),
        ] {
            let terms = terms(id, &values);
            let (_, mut pair, _, at) = thrown(&terms, 0.4, 0.3, 1e-7);
            let fired = |guard: usize| {
                let mut fired = [false; Contacting::GUARDS];
                fired[guard] = true;
                fired
            };
            assert!(pair.touch().is_none() && at.gap < 0.0, "{id}");
            // Pressed in again: the force is that of the way back, at the same depth as before.
            let deeper = Apart {
                gap: 1.2 * at.gap,
                rate: -1e-3,
                own: 0.0,
            };
            let mut back = pair.clone();
            let before = back.lost(&at) + back.stored(&at);
            let happening = back.event(&terms, 1.0, &at, fired(RETURN), || met(0.3));
            assert!(matches!(happening, Ok(Happening::Resumed { .. })), "{id}");
            let after = back.lost(&at) + back.stored(&at);
            assert!((after - before).abs() <= 1e-12 * before.abs(), "{id}");
            let force = back.force(1.0, &deeper).elastic;
            let virgin = 1e6 * (-deeper.gap).powf(if id == "kelvin-voigt" { 1.0 } else { 1.5 });
            match id {
                "kelvin-voigt" => assert!((force / virgin - 1.0).abs() < 1e-12, "{force}"),
                // On the steep way back it is less than on the way in, and far more than a new dent at the bottom would give.
                _ => assert!(force < virgin && force > 0.2 * virgin, "{force} {virgin}"),
            }
            // Opened: as new.
            let open = Apart {
                gap: 1e-9,
                rate: 0.1,
                own: 0.0,
            };
            let happening = pair.event(&terms, 1.0, &open, fired(PARTING), || met(0.3));
            assert_eq!(happening.expect("sound"), Happening::Kink);
            let mut g = [0.0; Contacting::GUARDS];
            pair.guards(1.0, &open, &mut g);
            assert_eq!(g[RETURN], open.gap + HAIR, "{id}");
        }
    }

    #[test]
    fn a_start_deeper_than_the_law_goes_is_refused() {
        let values = Values::new()
            .number("journal_radius", 9.5e-3)
            .number("bearing_radius", 10e-3)
            .number("length", 15e-3)
            .number("effective_modulus", 1.137e11)
            .number("young", 207e9)
            .number("poisson", 0.3);
        let card = contact::find("esdu-78035").expect("known");
        let mut given = Values::new();
        for parameter in card.parameters {
            if let Some(value) = values.get(parameter.name) {
                given.set_number(parameter.name, value);
            }
        }
        let terms = terms("esdu-78035", &given);
        let deep = Apart {
            gap: -2.1e-3,
            rate: 0.0,
            own: 0.0,
        };
        let mut pair = Contacting::OPEN;
        let happening = pair.start(&terms, 0.0, &deep, 0.0, 0.0, || met(0.3));
        assert!(
            matches!(happening, Ok(Happening::Beyond(_))),
            "{happening:?}"
        );
    }

    #[test]
    fn a_touch_too_slow_to_divide_by_counts_as_the_slowest_and_says_so() {
        let values = Values::new()
            .number("stiffness", 1e6)
            .number("restitution", 0.6);
        let terms = terms("flores", &values);
        let mut pair = Contacting::OPEN;
        let still = Apart::default();
        let began = pair
            .start(&terms, 0.0, &still, -9.81, 0.0, || met(0.3))
            .expect("sound");
        assert!(matches!(began, Happening::Began { first_step } if first_step > 0.0));
        assert!(pair.so_far(0.0, &still).is_some_and(|episode| episode.slow));
        assert_eq!(pair.touch().map(Touch::v0), Some(1e-6));
        // It went away without ever having been inside: seen at the next step.
        let gone = Apart {
            gap: 1e-5,
            rate: 0.1,
            own: 0.0,
        };
        assert!(matches!(
            pair.accept(&terms, 0.1, &gone, || met(0.3)),
            Ok(Happening::Ended(_))
        ));
        assert!(pair.touch().is_none());
        // No mass at all to be stopped: the law says so.
        assert!(
            pair.start(&terms, 0.0, &still, -9.81, 0.0, || met(f64::INFINITY))
                .is_err()
        );
        // At rest, and drawn apart: no contact begins.
        let apart = pair.start(&terms, 0.0, &still, 9.81, 0.0, || met(0.3));
        assert_eq!(apart.expect("sound"), Happening::Nothing);
    }
}
