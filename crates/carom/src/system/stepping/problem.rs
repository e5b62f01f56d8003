//! Which contacts take part in a step, and what does a unit of their impulses do to all that moves?
//!
//! Everything that moves has a place: the bodies of the model first, then the grains. A free body answers an impulse with its own masses. A body that hangs in joints answers with its whole mechanism, as the joints
//! pass the impulse on: they are eliminated exactly, and no sweep has to find their reactions.

use crate::card::short;
use crate::impulse::{Ask, Cone, Side};
use crate::math;
use crate::mechanics::{Meeting, Terms};
use crate::system::motion::mechanisms;
use crate::system::saddle::Saddle;
use crate::system::structure::Fault;

use super::surface::restitution;

/// Whose contact it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A place where an element of the model may touch.
    Site(usize),
    /// Two grains: the group, and their place in its list.
    Grains(usize, usize),
    /// A grain and a wall: the group, their place in its list, and which of their points.
    Wall(usize, usize, usize),
}

/// A contact in the problem of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meet {
    pub who: Who,
    /// How fast the gap opened and the surfaces slipped before the step, m/s (or rad/s).
    pub before: [f64; 2],
    /// So small a gap or overlap is none, m (or rad).
    pub hair: f64,
    /// Half way through the step, m (or rad).
    pub gap: f64,
    /// Drivers and joints hold all that meets there: no impulse moves it.
    pub held: bool,
    /// It does not close by itself in this step: nothing is asked of it unless others push it.
    asleep: bool,
    /// What part of its speed comes back if others push it together, where that is asked for.
    gives: f64,
    /// How fast it may close at most, m/s (or rad/s).
    fastest: f64,
    /// Who is pushed together no faster than this is pressed, not thrown, m/s (or rad/s).
    pressed: f64,
    /// It is to give back a part of its speed.
    blow: bool,
    /// It is so near that forces alone close it within two steps.
    near: bool,
    /// It touches, and parts.
    leaves: bool,
}

/// What is remembered of a possible contact from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touch {
    /// Whether it took part in the last step.
    pub met: bool,
    /// Of the last step, N s (or N m s).
    pub impulse: [f64; 2],
    /// Whether the surfaces stuck at its end.
    pub sticks: bool,
    /// What it gives back of the speed that it began with.
    pub restitution: f64,
    /// How far it may be closed at the end of the step, m (or rad), because the way from the middle of a step to the next is a chord.
    pub sag: f64,
    /// The rate of the gap that such a chord has where it meets the surface again, m/s (or rad/s): it is no blow.
    pub turn: f64,
}

/// How everything moves in a step: before it and as it would without contacts, and how long it is, s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace<'a> {
    pub before: &'a [[f64; 3]],
    pub free: &'a [[f64; 3]],
    pub step: f64,
    pub theta: f64,
}

impl Pace<'_> {
    /// How fast a gap may close in the step, m/s, whoever else is struck in it.
    #[inline]
    pub fn fastest(&self, sides: &[Side; 2]) -> f64 {
        let fast = |side: &Side| {
            let of = |all: &[[f64; 3]]| all.get(side.body).map_or(0.0, |v| side.opens(v).abs());
            of(self.before).max(of(self.free))
        };
        fast(&sides[0]) + fast(&sides[1])
    }

    /// How fast forces of the step make the two move along the normal, m/s.
    #[inline]
    pub fn driven(&self, sides: &[Side; 2]) -> f64 {
        let gains = |side: &Side| {
            let of = |all: &[[f64; 3]]| all.get(side.body).map_or(0.0, |v| side.opens(v));
            (of(self.free) - of(self.before)).abs()
        };
        gains(&sides[0]) + gains(&sides[1])
    }

    /// How fast the mass centres of both move before the step, m/s.
    pub fn moving(&self, sides: &[Side; 2]) -> f64 {
        let speed = |side: &Side| {
            let of = self.before.get(side.body);
            of.map_or(0.0, |[x, y, _]| math::sqrt(x * x + y * y))
        };
        speed(&sides[0]) + speed(&sides[1])
    }
}

/// A contact in a step: who has what is asked of it.
pub(super) struct Party<'a> {
    /// Half way through the step, m (or rad).
    pub gap: f64,
    pub place: usize,
    pub hair: f64,
    /// m/s.
    pub fastest: f64,
    /// How fast forces of the step make the two move along the normal, m/s.
    pub driven: f64,
    /// How fast the mass centres move, m/s.
    pub moving: f64,
    pub terms: &'a Terms,
    pub curvatures: [f64; 2],
    pub coefficients: [f64; 2],
    /// How fast the rate of the gap grows because surfaces and bodies turn, m/s² (or rad/s²).
    pub bends: f64,
}

impl Touch {
    /// Whether it takes part in a step, with this gap half way through it: it is closed, or may close until the end. Who does not is forgotten.
    #[inline]
    pub fn joins(&mut self, gap: f64, size: f64, sides: &[Side; 2], pace: &Pace<'_>) -> bool {
        let [hair, kept] = hairs(size);
        let pressed = self.impulse[0] > 0.0;
        let closed = gap <= if pressed { kept } else { hair };
        let joins = closed || gap <= pace.step * pace.fastest(sides);
        if joins {
            self.met = closed || pressed;
        } else {
            *self = Touch::default();
        }
        joins
    }

    /// Says what is asked of it. A gap that is seen to close until the end of the step is struck now, so that nothing overlaps and has to be lifted out again; one that is only brought to the surface comes down in two
    /// steps: u = −g/h with g half way leaves none half way through the next. What was pressed before goes on along its surface: the middles of steps stand on it, and the way between them is a chord. Along a
    /// polygon of tangents instead, it would strike its surface at every step, and lose or be lifted each time.
    pub fn meet(
        &mut self,
        party: &Party<'_>,
        problem: &mut Problem,
        pace: &Pace<'_>,
    ) -> Result<(), String> {
        let (place, gap) = (party.place, party.gap);
        let [rate, slip] = problem.cone.speeds(place, pace.before);
        let [free, _] = problem.cone.speeds(place, pace.free);
        let turn = 0.5 * pace.step * self.bent(party, slip, pace);
        self.turn = turn;
        self.sag = turn.max(0.0) * pace.step * pace.theta * (1.0 - pace.theta);
        let closed = gap <= party.hair;
        let driven = PRESSED * party.driven;
        let parts = rate > PARTS * party.fastest + driven + 2.0 * turn.abs() && free > 0.0;
        let closes = !parts && (closed || gap + pace.theta * pace.step * free < 0.0);
        let near = !parts && gap <= pace.theta * pace.step * driven;
        // Held where he is, who parts and still touches would gain energy from others who push him. He may come back as fast as he would from a blow, and is struck then (Moreau).
        let leaves = parts && closed;
        let held = problem.meets.get(place).is_some_and(|meet| meet.held);
        let deep = -KEPT / HAIR * party.hair;
        if held && rate < 0.0 && gap + pace.theta * pace.step * free < deep {
            return Err(format!(
                "it closes at {} m/s, but drivers or joints hold all that meets there, and nothing can give way",
                short(-rate)
            ));
        }
        // Who comes no faster than forces bring him within two steps is pressed, not thrown.
        let pressed = -rate <= PRESSED * (rate - free);
        if pressed {
            self.restitution = 0.0;
        } else if closes && rate < 0.0 && !(self.impulse[0] > 0.0) {
            let meeting = Meeting {
                mass: 1.0 / problem.cone.yields(place),
                curvatures: party.curvatures,
            };
            let found = restitution(party.terms, -rate, &meeting);
            self.restitution = found.map_err(|why| {
                format!("what is given back at {} m/s is not known: {why}", -rate)
            })?;
        } else if !closed {
            self.restitution = 0.0;
        }
        let back = self.restitution * (turn - rate).max(0.0);
        let fast = party.fastest.max(party.terms.slowest);
        let gives = party.terms.follows.requested(fast).unwrap_or(0.0);
        let [held, sliding] = party.coefficients;
        let rests = self.sticks || slip == 0.0;
        let ask = Ask {
            least: match (closes, back > 0.0 || closed) {
                (false, _) if leaves => -gives * rate,
                (false, _) if near => -gap / pace.step,
                // Who sleeps is told what to heed when all are known.
                (false, _) => -party.fastest,
                (true, true) => back - turn,
                (true, false) => -gap / pace.step - turn,
            },
            friction: if rests { held } else { sliding },
            guess: if closes || near {
                self.impulse
            } else {
                [0.0; 2]
            },
        };
        problem.cone.ask(place, ask);
        if let Some(meet) = problem.meets.get_mut(place) {
            (meet.gap, meet.asleep) = (gap, !closes && !near && !leaves);
            meet.fastest = party.fastest;
            meet.pressed = driven;
            (meet.blow, meet.near, meet.leaves) = (closes && back > 0.0, !closes && near, leaves);
            meet.gives = if closes { self.restitution } else { gives };
        }
        Ok(())
    }
}

impl Touch {
    /// How fast the rate of the gap grows by turning, m/s² (or rad/s²), where that can be foreseen: of what was pressed, on surfaces that do not turn away within the step.
    fn bent(&self, party: &Party<'_>, slip: f64, pace: &Pace<'_>) -> f64 {
        let seen = pace.step * party.bends.abs() <= SHARP * (party.moving + slip.abs());
        if self.impulse[0] > 0.0 && seen {
            party.bends
        } else {
            0.0
        }
    }
}

/// A normal that turns by more than this in a step, rad, tells nothing of the next: there is a corner.
const SHARP: f64 = 0.2;

/// What gives way by less than this part of what it would without joints and drivers does not give way.
const HELD: f64 = 1e-12;
/// An approach that is this many times what forces make of it within a step is a blow.
const PRESSED: f64 = 2.0;
/// Who parts no faster than by this part of what moves there is at rest but for what sweeps leave.
const PARTS: f64 = 1e-6;
/// Sets of contacts that gain more than this part of what their impulses turn over give nothing back.
const CALM: f64 = 1e-3;
/// Impulses that turn over so many times the kinetic energy there is press what is wedged.
const WEDGED: f64 = 1e3;
/// So many contacts are struck one after the other where they part and come back within a step. More are a heap, and there is no end to that.
pub(super) const FEW: usize = 64;
/// A blow that is so many times as fast as what is pressed goes on to who is near as a blow.
const BRISK: f64 = 10.0;
/// Nothing closes so many times as fast as anything moves in a step: who sleeps gets no impulse, however hard others are struck.
const ASLEEP: f64 = 1e3;

/// How far apart surfaces may be, in parts of their size, and still touch; and those that touched in the step before: what rounding opens stays closed, and nothing rattles at rest.
const HAIR: f64 = 1e-9;
const KEPT: f64 = 1e-6;
/// A slip that is less than this part of what all speeds are measured by is none.
const STILL: f64 = 1e-9;

/// How small a gap counts as none, m: first for surfaces that were apart, then for those that touched.
pub(super) fn hairs(size: f64) -> [f64; 2] {
    [HAIR * size, KEPT * size]
}

/// The contacts of a step, and the room to find what they do.
pub(super) struct Problem {
    pub cone: Cone,
    pub meets: Vec<Meet>,
    /// 1/kg, 1/kg, 1/(kg m²) of all that moves.
    pub inverse: Vec<[f64; 3]>,
    /// How many of these are bodies of the model.
    bodies: usize,
    /// Of every body, the mechanism that it hangs in; `None` if it is free.
    hangs: Vec<Option<usize>>,
    mechanisms: Vec<Vec<usize>>,
    force: Vec<f64>,
    gamma: Vec<f64>,
    lambda: Vec<f64>,
    answers: [Vec<f64>; 2],
    sides: Vec<Side>,
    /// Contacts that others have pushed together within the step.
    woken: Vec<usize>,
    /// What is asked of those who sleep in this step, m/s.
    asleep: f64,
    /// Which of all that moves is marked.
    marks: Vec<bool>,
    /// Of everything that moves, another that it is struck together with; of each such set what impulses bring in, how much they turn over and how much there is, J, and how many contacts they press.
    islands: Vec<usize>,
    works: Vec<([f64; 3], usize)>,
}

impl Problem {
    /// For a mechanism and grains with these inverse masses behind its bodies.
    pub fn new(saddle: &Saddle, grains: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let bodies = saddle.structure().bodies;
        // The ground stands behind the bodies, and does not move.
        let mut inverse: Vec<[f64; 3]> = saddle.inverse_masses().to_vec();
        inverse.truncate(bodies);
        inverse.extend(grains);
        let rows = &saddle.structure().row_bodies;
        let mechanisms = mechanisms(bodies, rows);
        let mut hangs = vec![None; bodies];
        for (i, mechanism) in mechanisms.iter().enumerate() {
            let tied = |body: &usize| rows.iter().any(|row| row.contains(body));
            if mechanism.iter().any(tied) {
                for &body in mechanism {
                    if let Some(place) = hangs.get_mut(body) {
                        *place = Some(i);
                    }
                }
            }
        }
        let (n, m) = (3 * bodies, saddle.structure().rows());
        Self {
            cone: Cone::default(),
            meets: Vec::new(),
            inverse,
            bodies,
            hangs,
            mechanisms,
            force: vec![0.0; n],
            gamma: vec![0.0; m],
            lambda: vec![0.0; m],
            answers: [vec![0.0; n], vec![0.0; n]],
            sides: Vec::new(),
            woken: Vec::new(),
            asleep: 0.0,
            marks: Vec::new(),
            islands: Vec::new(),
            works: Vec::new(),
        }
    }

    /// No contacts.
    pub fn clear(&mut self) {
        self.cone.clear();
        self.meets.clear();
        self.woken.clear();
    }

    /// One more contact, with the mechanism as it was last factored; its place. What is asked of it follows.
    pub fn push(
        &mut self,
        who: Who,
        sides: [Side; 2],
        rubs: bool,
        hair: f64,
        saddle: &mut Saddle,
        velocities: &[[f64; 3]],
    ) -> Result<usize, Fault> {
        let hangs = |side: &Side| self.hangs.get(side.body).copied().flatten();
        let hung = sides.map(|side| hangs(&side));
        let place = self.cone.len();
        self.sides.clear();
        for (side, hung) in sides.iter().zip(hung) {
            if let (None, Some(&inverse)) = (hung, self.inverse.get(side.body)) {
                self.sides.push(side.answered(inverse));
            }
        }
        if hung != [None; 2] {
            for along in 0..1 + usize::from(rubs) {
                self.force.fill(0.0);
                for side in &sides {
                    if let Some(force) = self.force.as_chunks_mut::<3>().0.get_mut(side.body) {
                        let by = if along == 0 { side.normal } else { side.slip };
                        force.iter_mut().zip(by).for_each(|(f, by)| *f += by);
                    }
                }
                let [normal, slip] = &mut self.answers;
                let answer = if along == 0 { normal } else { slip };
                saddle.solve(&self.force, &self.gamma, answer, &mut self.lambda)?;
            }
            if !rubs {
                self.answers[1].fill(0.0);
            }
            let [one, two] = hung;
            let others = two.filter(|_| two != one);
            for mechanism in one.into_iter().chain(others) {
                for &body in self.mechanisms.get(mechanism).into_iter().flatten() {
                    let [normal, slip] = &self.answers;
                    let of = |all: &[f64]| all.as_chunks::<3>().0.get(body).copied();
                    self.sides.push(Side {
                        body,
                        normal: of(normal).unwrap_or_default(),
                        slip: of(slip).unwrap_or_default(),
                    });
                }
            }
        }
        self.cone
            .push(sides, self.sides.iter().copied(), Ask::default());
        let before = self.cone.speeds(place, velocities);
        // As it would give way without joints and drivers.
        let gives = |side: &Side| {
            let inverse = self.inverse.get(side.body).copied().unwrap_or_default();
            side.opens(&side.answered(inverse).normal)
        };
        let loose = gives(&sides[0]) + gives(&sides[1]);
        self.meets.push(Meet {
            who,
            before,
            hair,
            held: self.cone.yields(place) <= HELD * loose,
            gap: f64::INFINITY,
            asleep: false,
            gives: 0.0,
            fastest: 0.0,
            pressed: 0.0,
            blow: false,
            near: false,
            leaves: false,
        });
        Ok(place)
    }

    /// Marks nothing.
    fn unmark(&mut self) {
        self.marks.clear();
        self.marks.resize(self.inverse.len(), false);
    }

    /// Marks all that an impulse on these moves.
    fn mark(&mut self, sides: &[Side; 2]) {
        for side in sides {
            let hung = self.hangs.get(side.body).copied().flatten();
            let own = hung.and_then(|mechanism| self.mechanisms.get(mechanism));
            for body in own.into_iter().flatten().chain([&side.body]) {
                if let Some(mark) = self.marks.get_mut(*body) {
                    *mark = true;
                }
            }
        }
    }

    fn marked(&self, sides: &[Side; 2]) -> bool {
        let mut all = sides.iter();
        all.any(|side| self.marks.get(side.body) == Some(&true))
    }

    /// Before the first blow of a step: those sleep who are only near and whose bodies are struck hard, and where there are few those who part, since what is passed on to them is a blow of its own; and nothing is asked of anyone who
    /// sleeps.
    pub fn keep_apart(&mut self, sides: &[[Side; 2]], free: &[[f64; 3]]) {
        self.unmark();
        let mut fastest = self.cone.scale(free);
        for (i, both) in sides.iter().enumerate().take(self.meets.len()) {
            fastest = fastest.max(self.meets[i].fastest);
            let meet = &self.meets[i];
            if meet.blow && -meet.before[0] > BRISK * meet.pressed {
                self.mark(both);
            }
        }
        self.asleep = -ASLEEP * fastest;
        let few = self.meets.len() <= FEW;
        for (i, both) in sides.iter().enumerate().take(self.meets.len()) {
            let meet = &self.meets[i];
            let sleeps = meet.near && self.marked(both) || meet.leaves && few;
            self.meets[i].asleep |= sleeps;
            if self.meets[i].asleep {
                self.begin(i, self.asleep);
            }
        }
    }

    /// Lets nobody give anything back in sets of contacts that gain energy by it: several at once may ask each other for more than came in, and where friction wedges them for much more. Whether there are any; all is asked from no
    /// impulses on then. `free` are the velocities without impulses, `velocities` those with them.
    pub fn calm(
        &mut self,
        free: &[[f64; 3]],
        velocities: &[[f64; 3]],
        step: f64,
        sides: &[[Side; 2]],
    ) -> bool {
        if !self.meets.iter().any(|meet| meet.blow) {
            return false;
        }
        let n = self.inverse.len();
        self.islands.clear();
        self.islands.extend(0..n);
        // Mechanisms are one.
        for mechanism in &self.mechanisms {
            for pair in mechanism.windows(2) {
                if self.hangs.get(pair[0]).copied().flatten().is_some() {
                    join(&mut self.islands, pair[0], pair[1]);
                }
            }
        }
        for (i, [one, two]) in sides.iter().enumerate().take(self.meets.len()) {
            if self.cone.impulse(i)[0] > 0.0 && one.body < n && two.body < n {
                join(&mut self.islands, one.body, two.body);
            }
        }
        self.works.clear();
        self.works.resize(n, ([0.0; 3], 0));
        for (body, (v, inverse)) in free.iter().zip(&self.inverse).enumerate() {
            let set = root(&mut self.islands, body);
            self.works[set].0[2] += kinetic(v, inverse);
        }
        for (i, both) in sides.iter().enumerate().take(self.meets.len()) {
            let impulse = self.cone.impulse(i);
            let (before, after) = (self.cone.speeds(i, free), self.cone.speeds(i, velocities));
            let work = [0, 1].map(|k| 0.5 * impulse[k] * (before[k] + after[k]));
            if let Some(island) = island(&mut self.islands, both) {
                let ([brought, moved, _], pressed) = &mut self.works[island];
                *brought += work[0] + work[1];
                *moved += turned(impulse, before, after);
                *pressed += usize::from(impulse[0] > 0.0);
            }
        }
        let mut any = false;
        for (i, both) in sides.iter().enumerate().take(self.meets.len()) {
            let Some(island) = island(&mut self.islands, both) else {
                continue;
            };
            let ([brought, moved, there], pressed) = self.works[island];
            let gains = brought > CALM * moved || moved > WEDGED * there;
            // One contact alone gains what Newton's law says.
            if self.meets[i].blow && pressed > 1 && gains {
                self.meets[i].blow = false;
                self.begin(i, -self.meets[i].gap.max(0.0) / step);
                any = true;
            }
        }
        if any {
            for i in 0..self.meets.len() {
                let [least, _] = self.cone.asked(i);
                self.begin(i, least);
            }
        }
        any
    }

    /// Wakes those who slept and would overlap at the end of the step with these velocities, since others have been struck; whether there are any. They are brought to the surface like all that only lands.
    pub fn wake(
        &mut self,
        velocities: &[[f64; 3]],
        step: f64,
        theta: f64,
        sides: &[[Side; 2]],
    ) -> bool {
        self.woken.clear();
        for (i, meet) in self.meets.iter_mut().enumerate() {
            let [rate, _] = self.cone.speeds(i, velocities);
            // What overlaps already is no blow's doing, and is pushed apart later.
            if meet.asleep && meet.gap.max(0.0) + theta * step * rate < -meet.hair {
                meet.asleep = false;
                self.woken.push(i);
            }
        }
        if self.woken.is_empty() {
            return false;
        }
        self.unmark();
        for k in 0..self.woken.len() {
            if let Some(both) = sides.get(self.woken[k]) {
                self.mark(both);
            }
        }
        self.land(step);
        true
    }

    /// Asks for this rate (m/s) at least, from no impulse on.
    fn begin(&mut self, place: usize, least: f64) {
        let [_, friction] = self.cone.asked(place);
        let ask = Ask {
            least,
            friction,
            guess: [0.0; 2],
        };
        self.cone.ask(place, ask);
    }

    /// Brings those who have just been woken to the surface, and no further.
    pub fn land(&mut self, step: f64) {
        for k in 0..self.woken.len() {
            let i = self.woken[k];
            self.begin(i, -self.meets[i].gap.max(0.0) / step);
        }
    }

    /// Whether those who have just been woken were reached by somebody who was struck: theirs is a blow of its own then, after the first.
    pub fn follows_a_blow(&self, sides: &[[Side; 2]], velocities: &[[f64; 3]]) -> bool {
        let thrown = |i: &usize| -self.cone.speeds(*i, velocities)[0] > self.meets[*i].pressed;
        if !self.woken.iter().any(thrown) {
            return false;
        }
        let mut all = sides.iter().enumerate().take(self.meets.len());
        all.any(|(i, both)| self.cone.asked(i)[0] > 0.0 && self.marked(both))
    }

    /// Asks for what follows the blows that have been solved, with the velocities after them: those who have just been woken give back their part of the speed at which they are pushed together. Of who parts nothing is
    /// asked: he would be pushed, and energy would come from nowhere; whoever comes back within the step is woken again.
    pub fn follow(&mut self, velocities: &[[f64; 3]]) {
        for i in 0..self.meets.len() {
            let [rate, _] = self.cone.speeds(i, velocities);
            let [least, _] = self.cone.asked(i);
            let meet = &mut self.meets[i];
            let parts = rate > PARTS * meet.fastest + meet.pressed;
            meet.asleep |= parts;
            meet.blow = false;
            let least = match (parts, least > 0.0) {
                (true, _) => self.asleep,
                (false, true) => 0.0,
                (false, false) => least,
            };
            self.begin(i, least);
        }
        for k in 0..self.woken.len() {
            let i = self.woken[k];
            let [rate, _] = self.cone.speeds(i, velocities);
            let back = self.meets[i].gives * (-rate).max(0.0);
            if back > 0.0 && -rate > self.meets[i].pressed {
                self.meets[i].blow = true;
                self.begin(i, back);
            }
        }
    }

    /// Lets nobody give anything back, where there is no room to: all that is awake only must not come nearer than it may.
    pub fn crowd(&mut self, step: f64) {
        for i in 0..self.meets.len() {
            let [least, _] = self.cone.asked(i);
            let gap = self.meets[i].gap.max(0.0);
            self.begin(i, if least > 0.0 { -gap / step } else { least });
        }
        self.land(step);
    }

    /// What all impulses together do to the bodies of the model, N s, N s, N m s each.
    pub fn push_together(&self, sides: &[[Side; 2]], together: &mut [f64]) {
        together.fill(0.0);
        for (i, sides) in sides.iter().enumerate() {
            let [normal, along] = self.cone.impulse(i);
            for side in sides {
                if let Some(force) = together.as_chunks_mut::<3>().0.get_mut(side.body) {
                    for (k, force) in force.iter_mut().enumerate() {
                        *force += side.normal[k] * normal + side.slip[k] * along;
                    }
                }
            }
        }
    }

    /// What joints and drivers take of these impulses (N s, N s, N m s a body): the multiplier of every row; `answer` is filled with what the bodies do.
    pub fn shared(
        &mut self,
        impulses: &[f64],
        saddle: &mut Saddle,
        answer: &mut [f64],
    ) -> Result<&[f64], Fault> {
        saddle.solve(impulses, &self.gamma, answer, &mut self.lambda)?;
        Ok(&self.lambda)
    }

    /// The kinetic energy of all that moves with these velocities, J.
    pub fn kinetic(&self, velocities: &[[f64; 3]]) -> f64 {
        let all = velocities.iter().zip(&self.inverse);
        all.map(|(v, inverse)| kinetic(v, inverse)).sum()
    }

    /// How many bodies of the model there are.
    pub fn bodies(&self) -> usize {
        self.bodies
    }
}

/// What an impulse (N s) takes and gives at these speeds (m/s) before and after it, both counted, J.
pub(super) fn turned(impulse: [f64; 2], before: [f64; 2], after: [f64; 2]) -> f64 {
    let of = |k: usize| 0.5 * impulse[k].abs() * (before[k].abs() + after[k].abs());
    of(0) + of(1)
}

/// The kinetic energy of a body with these inverse masses, J; what does not move has none.
fn kinetic(velocity: &[f64; 3], inverse: &[f64; 3]) -> f64 {
    let each = velocity.iter().zip(inverse);
    let moving = each.filter(|(_, inverse)| **inverse > 0.0);
    moving.map(|(v, inverse)| 0.5 * v * v / inverse).sum()
}

/// The one that stands for the set of this one.
fn root(islands: &mut [usize], mut of: usize) -> usize {
    while islands[of] != of {
        islands[of] = islands[islands[of]];
        of = islands[of];
    }
    of
}

fn join(islands: &mut [usize], one: usize, two: usize) {
    let (one, two) = (root(islands, one), root(islands, two));
    islands[one.max(two)] = one.min(two);
}

/// The set that a contact belongs to; `None` where nothing of it moves.
fn island(islands: &mut [usize], sides: &[Side; 2]) -> Option<usize> {
    let moves = sides.iter().find(|side| side.body < islands.len())?.body;
    Some(root(islands, moves))
}

/// Friction within this part of its bounds is at them but for rounding.
const BOUND: f64 = 1e-9;

/// Whether surfaces that slip at this speed (m/s) stick, where an impulse presses them and friction is within its cone.
pub(super) fn sticks([normal, along]: [f64; 2], friction: f64, slip: f64, scale: f64) -> bool {
    friction > 0.0
        && normal > 0.0
        && (along.abs() < friction * normal * (1.0 - BOUND) || slip.abs() <= STILL * scale)
}
