//! What do contacts without compliance remember: who stays together, who sticks, who slides?
//!
//! A pair of surfaces is apart, or together: then a force that only pushes keeps the gap from closing further, and friction keeps the surfaces from sliding or opposes them. Forces are found by the mechanism
//! (`system/striking`), and so are the impulses where bodies meet.

use crate::card::{rounded, short};
use crate::contact::Force;
use crate::mechanics::{Contacting, Episode, Meeting, Pose};
use crate::model::{ContactMethod, Model};
use crate::system::course::Course;
use crate::system::episode::{Contacted, Place, Terms as Begun};
use crate::system::holding::Held;

use super::memory::Changes;
use super::{Acting, HEAT, IMPULSE, Kind, RUB_HEAT, RUB_IMPULSE, RUB_SLIDE, Stance, Touches};

/// How a pair of surfaces stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::system) enum Bond {
    /// Nothing holds it: the gap may open.
    #[default]
    Apart,
    /// Together, and kept from sliding.
    Sticks,
    /// Together, and the second surface slides over the first: 1 that way, −1 the other, 0 where there is no friction.
    Slides(f64),
}

/// What pairs of surfaces without compliance remember.
#[derive(Clone, Debug, Default)]
pub(in crate::system) struct Rigid {
    bonds: Vec<Bond>,
    /// What the gap of a pair that has just parted counts for more, m: it is zero but for rounding, which must not say that it closes.
    hair: Vec<f64>,
    /// Contacts under way.
    under_way: Vec<Option<Episode>>,
    /// The last contact that is over, of every site: one that begins anew at the same instant goes on.
    over: Vec<Option<(Episode, Course, Option<Place>)>>,
    /// Contacts that had ended and go on: element, point, and when they began (s).
    resumed: Vec<(String, usize, f64)>,
    /// For how long the last impact would have lasted with compliance, s: a flight that takes less is none.
    lasts: Vec<f64>,
    /// When surfaces last parted, s, how fast, m/s, and how often in a row no more slowly than the time before.
    left: Vec<(f64, f64, u32)>,
    /// What presses them and what friction bears, N, when it was last decided who bears what.
    bore: Vec<[f64; 2]>,
    /// Those that are together, in order.
    together: Vec<usize>,
    /// Whether friction that only sums decide is borne in proportion to what surfaces can bear; else as it was last decided.
    shares: bool,
    /// A step that is never too long for a flight to be seen, s: what parts without any speed has no flight that could be foreseen.
    pause: f64,
    /// A speed that is rounding, m/s.
    still: f64,
    /// When friction last changed, s, how often within moments, and until when the surfaces are held because of that, s.
    hurries: Vec<(f64, u32, f64)>,
}

/// A speed that is less than this part of the one before has fallen, and not by rounding.
const SLOWER: f64 = 0.999;
/// Who parts so often in a row no more slowly is kept up by rounding, where flights are that low.
const OFTEN: u32 = 16;

/// The guards of a pair, in the places of those with compliance.
pub(in crate::system) const TOUCHES: usize = 0;
pub(in crate::system) const PARTS: usize = 1;
pub(in crate::system) const SLIPS: usize = 2;
pub(in crate::system) const TURNS: usize = 4;

/// A pair that meets, rests or parts at an event.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct Pair {
    pub site: usize,
    /// The gap, m, and the two directions: the gap opens along the first, the second surface slides along the second.
    pub gap: f64,
    pub normal: Held,
    pub tangent: Held,
    pub curvatures: [f64; 2],
}

/// What an impulse did to a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::system) struct Blow {
    /// How fast the surfaces met, m/s, and the effective mass there, kg.
    pub approach: f64,
    pub mass: f64,
    /// Of compression and of restitution, N s.
    pub normal: [f64; 2],
    pub tangential: f64,
    /// The work of the impulses on the bodies, J: compression (negative), restitution, friction.
    pub work: [f64; 3],
}

impl Rigid {
    pub fn new(sites: usize) -> Self {
        Self {
            bonds: vec![Bond::Apart; sites],
            hair: vec![0.0; sites],
            under_way: vec![None; sites],
            over: vec![None; sites],
            resumed: Vec::new(),
            lasts: vec![0.0; sites],
            left: vec![(f64::NEG_INFINITY, f64::INFINITY, 0); sites],
            bore: vec![[0.0; 2]; sites],
            together: Vec::with_capacity(sites),
            shares: true,
            pause: 0.0,
            still: 0.0,
            hurries: vec![(f64::NEG_INFINITY, 0, f64::NEG_INFINITY); sites],
        }
    }

    #[inline]
    pub fn is_together(&self, i: usize) -> bool {
        self.bonds[i] != Bond::Apart
    }

    pub fn bonds(&self, sites: std::ops::Range<usize>) -> &[Bond] {
        &self.bonds[sites]
    }

    fn reset(&mut self) {
        let pause = self.pause;
        *self = Self::new(self.bonds.len());
        self.pause = pause;
    }
}

/// Whether the contacts of a model have no compliance.
pub(super) fn asked(model: &Model) -> bool {
    model.method.contact == ContactMethod::Piecewise
}

impl Touches {
    /// Whether nothing here has compliance.
    #[inline]
    pub fn is_rigid(&self) -> bool {
        self.rigid.is_some()
    }

    pub(super) fn reset_rigid(&mut self) {
        if let Some(rigid) = &mut self.rigid {
            rigid.reset();
        }
    }

    /// A step that is short enough for every flight, s; zero with compliance.
    pub(super) fn pause(&self) -> f64 {
        self.rigid.as_ref().map_or(0.0, |rigid| rigid.pause)
    }

    pub fn set_pause(&mut self, pause: f64) {
        if let Some(rigid) = &mut self.rigid {
            rigid.pause = pause;
        }
    }

    /// Friction of a site changes at time `t` (s): whether it has done so over and over, each time within `moment` (s) of the last. Then it is held for some moments.
    pub fn hurries(&mut self, i: usize, t: f64, moment: f64) -> bool {
        let Some(rigid) = &mut self.rigid else {
            return false;
        };
        let (last, count, until) = rigid.hurries[i];
        let count = if t - last <= moment { count + 1 } else { 0 };
        let hurried = count > HURRIED;
        let until = if hurried {
            t + PATIENCE * moment
        } else {
            until
        };
        rigid.hurries[i] = (t, count, until);
        hurried
    }

    /// Whether a site is held at time `t` (s) because its friction could not be decided.
    pub fn is_held(&self, i: usize, t: f64) -> bool {
        self.rigid
            .as_ref()
            .is_some_and(|rigid| t < rigid.hurries[i].2)
    }

    /// A speed that is rounding, m/s.
    pub fn set_still(&mut self, still: f64) {
        if let Some(rigid) = &mut self.rigid {
            rigid.still = still;
        }
    }

    /// The sites that are together.
    pub fn together(&self) -> &[usize] {
        self.rigid.as_ref().map_or(&[], |rigid| &rigid.together)
    }

    /// How a site stands.
    pub fn bond(&self, i: usize) -> Bond {
        let rigid = self.rigid.as_ref();
        rigid.map_or(Bond::Apart, |rigid| rigid.bonds[i])
    }

    /// The coefficients of friction at rest and sliding.
    pub fn coefficients(&self, i: usize) -> [f64; 2] {
        let kind = &self.elements[self.sites[i].element].kind;
        let law = kind.friction();
        law.and_then(|law| law.coefficients()).unwrap_or_default()
    }

    /// A touch slower than this counts as this fast, m/s.
    pub fn slowest(&self, i: usize) -> f64 {
        self.elements[self.sites[i].element].kind.terms().slowest
    }

    /// Brach's ratio of impulses, if it is given instead of friction.
    pub fn ratio(&self, i: usize) -> Option<f64> {
        match &self.elements[self.sites[i].element].kind {
            Kind::Contact(contact) => contact.impulse_ratio(),
            Kind::Limit(_) => None,
        }
    }

    /// What a length or an angle of a site is small against.
    fn extent(&self, i: usize) -> f64 {
        match &self.elements[self.sites[i].element].kind {
            Kind::Contact(contact) => contact.play().unwrap_or(contact.size()),
            Kind::Limit(_) => 1.0,
        }
    }

    /// The pair of a site with its directions; `None` if there is no such place now.
    pub fn pair(&self, i: usize, poses: &[Pose]) -> Option<Pair> {
        let site = self.sites[i];
        let kind = &self.elements[site.element].kind;
        let stance = self.stance(i, poses)?;
        let bodies = kind.bodies();
        Some(match (kind, &stance) {
            (Kind::Contact(contact), Stance::Opposite(at)) => {
                let [opens, slips] = contact.bend(at, poses);
                let held = |by, bias| Held {
                    who: i,
                    bodies,
                    by,
                    bias,
                    limit: 0.0,
                };
                Pair {
                    site: i,
                    gap: at.near.gap,
                    normal: held(at.by, opens),
                    tangent: held(contact.slip_by(at, poses), slips),
                    curvatures: at.near.curvatures,
                }
            }
            (_, Stance::Travel(gap)) => Pair {
                site: i,
                gap: gap.value,
                normal: Held {
                    who: i,
                    bodies,
                    by: gap.by,
                    bias: gap.second,
                    limit: 0.0,
                },
                tangent: Held::default(),
                curvatures: [0.0; 2],
            },
            _ => return None,
        })
    }

    /// All pairs that touch as the bodies stand: those that are together, those whose touch is told by `fired`, and those as near as makes no difference.
    pub fn near_pairs(&self, poses: &[Pose], fired: &dyn Fn(usize) -> bool, pairs: &mut Vec<Pair>) {
        pairs.clear();
        let hair = rounding(poses);
        for i in 0..self.sites.len() {
            let together = self.bond(i) != Bond::Apart;
            let told = fired(Contacting::GUARDS * i + TOUCHES);
            let Some(pair) = self.pair(i, poses) else {
                continue;
            };
            let close = pair.gap <= hair.max(NEAR * self.extent(i)) && !self.is_deep(i, pair.gap);
            if together || told || close {
                pairs.push(pair);
            }
        }
    }

    /// At how many points bodies without compliance touch as they stand.
    pub fn crowd(&mut self, poses: &[Pose]) -> usize {
        let mut pairs = Vec::new();
        if self.is_rigid() {
            self.seek(poses);
            self.near_pairs(poses, &|_| false, &mut pairs);
        }
        pairs.len()
    }

    /// What restitution a pair has that meets at this speed (m/s) with this effective mass (kg); why there is none.
    pub fn restitution(&mut self, pair: &Pair, speed: f64, mass: f64) -> Result<f64, String> {
        let i = pair.site;
        let kind = &self.elements[self.sites[i].element].kind;
        let terms = kind.terms();
        let meeting = Meeting {
            mass,
            curvatures: pair.curvatures,
        };
        let speed = speed.max(terms.slowest);
        let found = terms.follows.returned(speed, &meeting);
        let [found, lasts] = found.map_err(|failed| {
            let name = self.site_name(&self.sites[i]);
            format!("{name} has no restitution: {failed}. Give it one (`restitution`), or take a law that has one")
        })?;
        // What is simulated is right to a few parts in 1e9.
        if !(-1e-6..=1.0 + 1e-6).contains(&found) {
            return Err(format!(
                "{} returns {} of its approach speed at {} m/s by the law `{}`, and bodies without compliance return 0 to 1. Give it a restitution (`restitution`), or take another law",
                self.site_name(&self.sites[i]),
                short(found),
                short(speed),
                kind.terms().follows.card().id
            ));
        }
        let found = found.clamp(0.0, 1.0);
        if let Some(rigid) = &mut self.rigid {
            rigid.lasts[i] = lasts;
        }
        Ok(found)
    }

    /// For how long the last impact of a site would have lasted with compliance, s; zero if its restitution is the same at all speeds.
    pub fn lasts(&self, i: usize) -> f64 {
        self.rigid.as_ref().map_or(0.0, |rigid| rigid.lasts[i])
    }

    /// Whether the surfaces of a site, which part at `t` (s) at this rate (m/s), part more slowly from time to time.
    pub fn decays(&mut self, i: usize, t: f64, rate: f64) -> bool {
        let Some(rigid) = &mut self.rigid else {
            return true;
        };
        let (when, before, kept) = &mut rigid.left[i];
        if t > *when {
            *kept = if rate < SLOWER * *before {
                0
            } else {
                *kept + 1
            };
            (*when, *before) = (t, rate);
        }
        *kept < OFTEN
    }

    /// What pressed a site and what its friction bore, N, when that was last decided.
    pub fn bore(&self, i: usize) -> [f64; 2] {
        self.rigid.as_ref().map_or([0.0; 2], |rigid| rigid.bore[i])
    }

    pub fn set_bore(&mut self, i: usize, bore: [f64; 2]) {
        if let Some(rigid) = &mut self.rigid {
            rigid.bore[i] = bore;
        }
    }

    /// Notes a blow: a contact begins with it, or goes on.
    pub fn strike(&mut self, t: f64, pair: &Pair, blow: &Blow, poses: &[Pose], extras: &mut [f64]) {
        let i = pair.site;
        self.begin(t, pair, blow, poses, extras);
        let site = self.sites[i];
        let [compression, restitution, friction] = blow.work;
        if let Some(own) = extras.get_mut(site.extra..site.extra + site.count()) {
            own[HEAT] -= compression + restitution;
            own[IMPULSE] += blow.normal[0] + blow.normal[1];
            if site.rubs {
                own[RUB_HEAT] -= friction;
                own[RUB_IMPULSE] += blow.tangential;
            } else {
                own[HEAT] -= friction;
            }
        }
        let course = &mut self.courses[i];
        course.impulse[0] += blow.normal[0];
        course.impulse[1] += blow.normal[1];
        course.rub_impulse += blow.tangential;
        course.work[0] -= compression;
        course.work[1] += restitution;
        // All that restitution does not give back is lost in compression.
        course.heat[0] -= compression + restitution;
        course.rub_heat -= friction;
        let now = self.integrals(i, extras);
        self.courses[i].sync(t, now);
    }

    /// A contact begins, if it has not yet.
    fn begin(&mut self, t: f64, pair: &Pair, blow: &Blow, poses: &[Pose], extras: &[f64]) {
        let i = pair.site;
        let slowest = self.slowest(i);
        let Some(rigid) = &mut self.rigid else { return };
        if rigid.under_way[i].is_some() {
            return;
        }
        let goes_on = |episode: &Episode| {
            let still = !(episode.separation > slowest) && blow.approach <= slowest;
            still && t - episode.end <= MOMENT * (1.0 + t.abs())
        };
        if let Some((episode, course, place)) = rigid.over[i].take()
            && goes_on(&episode)
        {
            // It never came off: forces changed hands at an instant.
            rigid.under_way[i] = Some(episode);
            let who = (self.element_of(i), self.sites[i].slot, episode.start);
            self.courses[i] = course;
            self.places[i] = place;
            let now = self.integrals(i, extras);
            self.courses[i].sync(t, now);
            if let Some(rigid) = &mut self.rigid {
                rigid.resumed.push(who);
            }
            return;
        }
        rigid.under_way[i] = Some(Episode {
            start: t,
            end: t,
            approach: blow.approach,
            separation: f64::NAN,
            mass: blow.mass,
            slow: false,
            counted: blow.approach,
            left: 0.0,
        });
        let mut course = Course::default();
        course.deepest = [f64::NAN; 2];
        course.peak = [f64::NAN; 2];
        course.least = f64::NAN;
        course.stored = f64::NAN;
        course.sync(t, self.integrals(i, extras));
        self.courses[i] = course;
        let stance = self.stance(i, poses);
        self.places[i] = stance.and_then(|stance| self.place(i, &stance, poses));
        self.begun[i] = Begun::default();
    }

    /// Sets how a pair stands from now on, with the rate of its gap (m/s) and the effective mass there (kg): what parts is over. `hair` is what positions are rounded by, m.
    pub fn set_bond(
        &mut self,
        t: f64,
        pair: &Pair,
        [rate, mass]: [f64; 2],
        hair: f64,
        now: Bond,
        poses: &[Pose],
        extras: &[f64],
        changes: &mut Changes,
    ) {
        let i = pair.site;
        let apart = now == Bond::Apart;
        if !apart {
            let blow = Blow {
                mass,
                ..Blow::default()
            };
            self.begin(t, pair, &blow, poses, extras);
        }
        let Some(rigid) = &mut self.rigid else { return };
        let was = std::mem::replace(&mut rigid.bonds[i], now);
        if apart {
            // It is open from here on, whatever rounding says of it.
            rigid.hair[i] = (-pair.gap).max(0.0) + hair;
        }
        if was != now {
            changes.regrip();
        }
        let over = apart.then(|| rigid.under_way[i].take()).flatten();
        self.acting[i] = Acting::default();
        if let Some(mut episode) = over {
            episode.end = t;
            episode.separation = rate;
            self.parted(i, episode, changes);
        }
        self.count_together();
    }

    /// A contact is over, unless it begins anew at this instant.
    fn parted(&mut self, i: usize, episode: Episode, changes: &mut Changes) {
        changes.ended.push(self.contacted(i, episode, true));
        let told = (episode, self.courses[i], self.places[i]);
        if let Some(rigid) = &mut self.rigid {
            rigid.over[i] = Some(told);
        }
    }

    /// The contacts that had ended and go on, since this was last asked.
    pub fn take_resumed(&mut self) -> Vec<(String, usize, f64)> {
        let rigid = self.rigid.as_mut();
        rigid.map_or_else(Vec::new, |rigid| std::mem::take(&mut rigid.resumed))
    }

    fn count_together(&mut self) {
        let Some(rigid) = &mut self.rigid else { return };
        rigid.together.clear();
        let all = rigid.bonds.iter().enumerate();
        let together = all.filter(|(_, bond)| **bond != Bond::Apart);
        rigid.together.extend(together.map(|(i, _)| i));
        self.touching = rigid.together.len();
    }

    /// Whether friction that only sums decide is shared in proportion to what surfaces can bear.
    pub fn shares(&self) -> bool {
        self.rigid.as_ref().is_some_and(|rigid| rigid.shares)
    }

    pub fn set_shares(&mut self, shares: bool) {
        if let Some(rigid) = &mut self.rigid {
            rigid.shares = shares;
        }
    }

    /// Lets all go for a moment, to see what would happen; `back` puts them together again.
    pub fn let_go(&mut self) {
        if let Some(rigid) = &mut self.rigid {
            rigid.together.clear();
        }
        self.touching = 0;
    }

    pub fn back(&mut self) {
        self.count_together();
    }

    /// A site was pressed by this force, N, and rubbed by that.
    pub fn press(&mut self, i: usize, [normal, rub]: [f64; 2], [rate, slip]: [f64; 2]) {
        self.acting[i] = Acting {
            force: Force {
                elastic: normal,
                dissipative: 0.0,
            },
            rate,
            slip,
            rub,
            ..Acting::default()
        };
    }

    /// The force that presses a site, and its friction, N, in the last evaluation.
    pub fn pressing(&self, i: usize) -> [f64; 2] {
        [self.acting[i].force.total(), self.acting[i].rub]
    }

    /// How fast its gap opens, and how fast it slides, m/s.
    pub fn moving(&self, i: usize) -> [f64; 2] {
        [self.acting[i].rate, self.acting[i].slip]
    }

    /// The element of a site, and its name with the point of contact.
    pub fn element_of(&self, i: usize) -> String {
        self.elements[self.sites[i].element].name.clone()
    }

    pub fn name_of(&self, i: usize) -> String {
        self.site_name(&self.sites[i])
    }

    /// Looks for points of contact anew; what was together and is no longer there is over.
    pub fn look_around(&mut self, t: f64, poses: &[Pose], changes: &mut Changes) {
        self.seek(poses);
        for i in 0..self.sites.len() {
            if self.bond(i) == Bond::Apart || self.stance(i, poses).is_some() {
                continue;
            }
            let Some(rigid) = &mut self.rigid else { return };
            rigid.bonds[i] = Bond::Apart;
            let over = rigid.under_way[i].take();
            changes.regrip();
            if let Some(mut episode) = over {
                episode.end = t;
                episode.separation = f64::NAN;
                self.parted(i, episode, changes);
            }
        }
        self.count_together();
    }

    /// Whether a gap (m) is so far below zero that its touch must have been missed.
    fn is_deep(&self, i: usize, gap: f64) -> bool {
        match &self.elements[self.sites[i].element].kind {
            Kind::Contact(contact) => {
                -gap > DEEP * contact.size().max(contact.play().unwrap_or(0.0))
            }
            Kind::Limit(_) => false,
        }
    }

    /// Whether surfaces that nobody keeps apart stand in each other and close faster than `still` (m/s); why it cannot go on, if they are deep in each other.
    pub fn overlooked(&self, t: f64, poses: &[Pose], still: f64) -> Result<bool, String> {
        let hair = rounding(poses);
        let mut any = false;
        for i in 0..self.sites.len() {
            if self.bond(i) != Bond::Apart {
                continue;
            }
            let Some(apart) = self.stance(i, poses).map(|stance| stance.apart(0.0)) else {
                continue;
            };
            if apart.rate >= -still || apart.gap >= -hair.max(NEAR * self.extent(i)) {
                continue;
            }
            if self.is_deep(i, apart.gap) {
                return Err(format!(
                    "{}: the touch was seen when the surfaces were {:.3e} {} inside each other already, at t = {} s. Hint: a smaller max_step; bodies that start inside each other are put side by side only where they are less than a fiftieth of the smaller shape deep; a profile that is open has no back to be touched from",
                    self.name_of(i),
                    -apart.gap,
                    self.elements[self.sites[i].element].kind.unit(),
                    rounded(t),
                ));
            }
            any = true;
        }
        Ok(any)
    }

    /// The contacts under way.
    pub(super) fn rigid_under_way(&self, t: f64) -> Vec<Contacted> {
        let Some(rigid) = &self.rigid else {
            return Vec::new();
        };
        let under_way = rigid.under_way.iter().enumerate();
        let under_way = under_way.filter_map(|(i, episode)| {
            let mut episode = (*episode)?;
            episode.end = t;
            episode.separation = 0.0;
            Some(self.contacted(i, episode, false))
        });
        under_way.collect()
    }

    /// The guards; forces are those of the last evaluation.
    pub(super) fn rigid_guards(&self, poses: &[Pose], g: &mut [f64]) {
        let Some(rigid) = &self.rigid else { return };
        let places = g.as_chunks_mut::<{ Contacting::GUARDS }>().0;
        for (i, g) in (0..self.sites.len()).zip(places) {
            *g = [1.0; Contacting::GUARDS];
            let acting = &self.acting[i];
            let normal = acting.force.total();
            match rigid.bonds[i] {
                Bond::Apart => {
                    if let Some(stance) = self.stance(i, poses) {
                        g[TOUCHES] = stance.apart(0.0).gap + rigid.hair[i];
                    }
                }
                Bond::Sticks => {
                    g[PARTS] = normal;
                    let [held, _] = self.coefficients(i);
                    g[SLIPS] = held * normal - acting.rub.abs();
                }
                Bond::Slides(way) => {
                    g[PARTS] = normal;
                    if way != 0.0 {
                        // One that has just begun is not over because rounding says so.
                        g[TURNS] = way * acting.slip + rigid.still;
                    }
                }
            }
        }
    }

    /// Takes notes of a stretch up to time `t` (s): how hard pairs were pressed in the last evaluation, how far they slid.
    pub fn follow(&mut self, t: f64, extras: &[f64]) {
        let Some(rigid) = &self.rigid else { return };
        for &i in &rigid.together {
            let now = self.integrals(i, extras);
            let force = self.acting[i].force.total();
            let course = &mut self.courses[i];
            if !(course.peak[0] >= force) {
                course.peak = [force, t];
            }
            // Where a surface ends the force that would hold them together jumps below zero, and they part there.
            course.least = course.least.min(force.max(0.0));
            course.follow(t, now, rigid.bonds[i] == Bond::Sticks);
        }
    }

    /// What has been integrated of a site: its impulse (N s), the heat (J), the impulse (N s) and the way (m) of friction.
    fn integrals(&self, i: usize, extras: &[f64]) -> [f64; 4] {
        let site = &self.sites[i];
        let at = |k: usize| extras.get(site.extra + k).copied().unwrap_or(0.0);
        let rubs = |k: usize| if site.rubs { at(k) } else { 0.0 };
        [
            at(IMPULSE),
            rubs(RUB_HEAT),
            rubs(RUB_IMPULSE),
            rubs(RUB_SLIDE),
        ]
    }
}

/// What gaps are rounded by, m.
fn rounding(poses: &[Pose]) -> f64 {
    let far = |m: f64, pose: &Pose| m.max(pose.position[0].abs()).max(pose.position[1].abs());
    16.0 * f64::EPSILON * poses.iter().fold(1e-3, far)
}

/// Within this part of a second (or of the time reached) a contact that parts without speed and touches again has not been apart.
const MOMENT: f64 = 1e-9;

/// How often friction may change within moments before the surfaces are held, and for how many moments.
const HURRIED: u32 = 6;
const PATIENCE: f64 = 100.0;

/// The part of the smaller shape's size by which a touch may be seen late.
const DEEP: f64 = 0.02;

/// A gap that is none, as a part of what is small.
const NEAR: f64 = 1e-10;
