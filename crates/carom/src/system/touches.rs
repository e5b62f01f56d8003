//! What do stops, contacts and joints with play do to a mechanism, and what do they remember?
//!
//! The elements never change. Each has one or more sites, places where it may touch: the two ends of a joint's travel, the possible points of contact of two bodies. Beside each site stands its memory, which
//! moves at events and accepted steps only, and behind the works in the state of the integrator stand a few numbers of its own: the indentation (so that it is followed as closely as it asks for, though it
//! is a small difference of large coordinates), the heat and the impulse of its force, those of its friction, and the law's own variable, where there is one.
//!
//! Here they are put together, and push; `memory` moves what they remember, `account` keeps their energies, `looks` notes and reads, `accuracy` tells the integrator how closely to follow.

use crate::contact::Force;
use crate::friction;
use crate::friction::Sliding;
use crate::geometry::Track;
use crate::mechanics::{Apart, Contact, Contacting, Grip, Limit, Measure, Opposite, Pose, Terms};
use crate::model::Model;
use crate::solve::Watch;

use super::course::Course;
use super::episode::{Place, Terms as Begun};
use super::holding::{Held, Holding};
use super::trace::Traces;

mod account;
mod accuracy;
mod gripping;
mod looks;
mod memory;
mod rigid;

pub(super) use gripping::Gripping;
pub(super) use memory::{Changes, Step};
pub(super) use rigid::{Blow, Bond, PARTS, Pair, Rigid, SLIPS, TURNS};

/// All that may touch in a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    /// Stops first, then contacts.
    elements: Vec<Element>,
    /// How many of them are stops.
    limits: usize,
    sites: Vec<Site>,
    memory: Vec<Contacting>,
    tracks: Vec<Track>,
    courses: Vec<Course>,
    places: Vec<Option<Place>>,
    begun: Vec<Begun>,
    /// When each was looked at last (s), by how much its gap and what is integrated of it were apart there (m, rad), and how fast it moved.
    strays: Vec<[f64; 3]>,
    traces: Traces,
    /// Of the last evaluation.
    acting: Vec<Acting>,
    /// The same of an evaluation before, which a look puts back.
    kept: Vec<Acting>,
    /// The laws' own variables in the last evaluation; those of the laws of friction.
    own: Vec<f64>,
    bristles: Vec<f64>,
    /// How surfaces rub.
    grips: Vec<Grip>,
    /// The sites whose friction needs that.
    gripping: Vec<usize>,
    /// What holds, in the last evaluation.
    holds: Vec<Held>,
    /// How many sites touch.
    touching: usize,
    direction: Vec<f64>,
    /// How many numbers all sites have in the state.
    extras: usize,
    /// Whether any bodies could pass through each other in a long step.
    can_pass: bool,
    /// A copy of poses, and a state, to look about without a trace.
    poses: Vec<Pose>,
    state: Vec<f64>,
    /// Tracks of one element at the end of a step.
    glimpse: Vec<Track>,
    /// What they remember where nothing has compliance.
    rigid: Option<Rigid>,
}

#[derive(Clone, Debug)]
struct Element {
    kind: Kind,
    /// `contact.impact`, `joint.pin`, `joint.pin.limits`.
    name: String,
    sites: std::ops::Range<usize>,
    /// What it had lost when the run began, J: a start deep in a plastic contact finds it dented already.
    at_start: f64,
}

#[derive(Clone, Debug)]
enum Kind {
    Limit(Box<Limit>),
    Contact(Box<Contact>),
}

#[derive(Clone, Copy, Debug)]
struct Site {
    element: usize,
    slot: usize,
    /// Where its numbers begin, behind those of the sites before.
    extra: usize,
    /// Whether it has friction, or resists rolling.
    rubs: bool,
    own: bool,
    /// Whether its law of friction has a variable of its own.
    bristle: bool,
}

/// The numbers of a site, in order.
const INDENTATION: usize = 0;
const HEAT: usize = 1;
const IMPULSE: usize = 2;
const RUB_HEAT: usize = 3;
const RUB_IMPULSE: usize = 4;
/// How far the surfaces have slid, to and fro.
const RUB_SLIDE: usize = 5;

impl Site {
    fn own_at(&self) -> usize {
        if self.rubs { 6 } else { 3 }
    }

    fn bristle_at(&self) -> usize {
        self.own_at() + usize::from(self.own)
    }

    fn count(&self) -> usize {
        self.bristle_at() + usize::from(self.bristle)
    }
}

/// What one site does at an instant.
#[derive(Clone, Copy, Debug, Default)]
struct Acting {
    force: Force,
    /// How fast the gap opens, m/s (or rad/s).
    rate: f64,
    slip: f64,
    /// On the second body along the slip, N.
    rub: f64,
    own_rate: f64,
    bristle_rate: f64,
    /// The moment against rolling on the second body, N m, and how fast it turns relative to the first, rad/s.
    roll: f64,
    turns: f64,
}

/// How a site stands.
enum Stance {
    Travel(Measure),
    Opposite(Opposite),
}

impl Stance {
    #[inline]
    fn apart(&self, own: f64) -> Apart {
        match self {
            Stance::Travel(gap) => Apart {
                gap: gap.value,
                rate: gap.rate,
                own,
            },
            Stance::Opposite(opposite) => opposite.apart(own),
        }
    }
}

impl Kind {
    #[inline]
    fn stance(&self, slot: usize, poses: &[Pose], track: &Track) -> Option<Stance> {
        match self {
            Kind::Limit(limit) => {
                let gap = limit.gaps(poses)[slot.min(1)];
                gap.value.is_finite().then_some(Stance::Travel(gap))
            }
            Kind::Contact(contact) => contact.opposite(slot, poses, track).map(Stance::Opposite),
        }
    }

    fn terms(&self) -> &Terms {
        match self {
            Kind::Limit(limit) => limit.terms(),
            Kind::Contact(contact) => contact.terms(),
        }
    }

    fn bodies(&self) -> [Option<usize>; 2] {
        match self {
            Kind::Limit(limit) => limit.bodies(),
            Kind::Contact(contact) => contact.bodies(),
        }
    }

    fn friction(&self) -> Option<&friction::Law> {
        match self {
            Kind::Limit(_) => None,
            Kind::Contact(contact) => contact.friction(),
        }
    }

    fn unit(&self) -> &'static str {
        match self {
            Kind::Limit(limit) => limit.travel().unit(),
            Kind::Contact(_) => "m",
        }
    }

    /// A site in words, after the element's name.
    fn site(&self, slot: usize) -> String {
        match self {
            Kind::Limit(_) => format!(", {} stop", side_name(slot == 1)),
            Kind::Contact(contact) if contact.slots() > 1 => format!(", point {}", slot + 1),
            Kind::Contact(_) => String::new(),
        }
    }

    /// The gap by all coordinates: `direction` is filled with it.
    fn direction(&self, stance: &Stance, poses: &[Pose], direction: &mut [f64]) {
        direction.fill(0.0);
        match (self, stance) {
            (Kind::Limit(limit), Stance::Travel(gap)) => limit.push(gap, 1.0, direction),
            (Kind::Contact(contact), Stance::Opposite(at)) => {
                contact.push(at, 1.0, 0.0, poses, direction);
            }
            _ => {}
        }
    }
}

impl Touches {
    pub fn new(model: &Model) -> Self {
        let limits = model.limits.iter().map(|entry| {
            let name = format!("joint.{}.limits", entry.name);
            (Kind::Limit(Box::new(entry.limit.clone())), name, 2)
        });
        let contacts = model.contacts.iter().map(|entry| {
            let contact = entry.contact.clone();
            let slots = contact.slots();
            (Kind::Contact(Box::new(contact)), entry.element(), slots)
        });
        let (mut elements, mut sites) = (Vec::new(), Vec::new());
        let mut gripping = Vec::new();
        let mut extras = 0;
        let rigid = rigid::asked(model);
        for (kind, name, slots) in limits.chain(contacts) {
            let friction = kind.friction();
            let rubs =
                matches!(&kind, Kind::Contact(c) if friction.is_some() || c.rolling().is_some());
            // Without compliance laws have no variables: restitution and coefficients of friction are all that is left of them.
            let bristle = !rigid && friction.is_some_and(friction::Law::has_state);
            let grips = !rigid && friction.is_some_and(Grip::is_needed_at_touch);
            let own = !rigid && kind.terms().follows.has_own();
            let first = sites.len();
            for slot in 0..slots {
                let site = Site {
                    element: elements.len(),
                    slot,
                    extra: extras,
                    rubs,
                    own,
                    bristle,
                };
                extras += site.count();
                if grips {
                    gripping.push(sites.len());
                }
                sites.push(site);
            }
            elements.push(Element {
                kind,
                name,
                sites: first..sites.len(),
                at_start: 0.0,
            });
        }
        let n = sites.len();
        let can_pass = elements.iter().any(|element: &Element| {
            matches!(&element.kind, Kind::Contact(contact) if contact.bounds_steps())
        });
        Self {
            limits: model.limits.len(),
            can_pass,
            elements,
            memory: vec![Contacting::OPEN; n],
            tracks: vec![Track::default(); n],
            courses: vec![Course::default(); n],
            places: vec![None; n],
            begun: vec![Begun::default(); n],
            strays: vec![[0.0; 3]; n],
            traces: Traces::new(n),
            acting: vec![Acting::default(); n],
            kept: vec![Acting::default(); n],
            own: vec![0.0; n],
            bristles: vec![0.0; n],
            grips: vec![Grip::Plain; n],
            holds: Vec::with_capacity(gripping.len()),
            gripping,
            sites,
            touching: 0,
            direction: vec![0.0; 3 * model.bodies.len()],
            extras,
            poses: vec![Pose::GROUND; model.bodies.len()],
            state: Vec::new(),
            glimpse: Vec::with_capacity(n),
            rigid: rigid.then(|| Rigid::new(n)),
        }
    }

    /// Apart, all of them, as if nothing had ever touched.
    pub fn reset(&mut self) {
        self.memory.fill(Contacting::OPEN);
        self.tracks.fill(Track::default());
        self.courses.fill(Course::default());
        self.places.fill(None);
        self.traces.reset();
        self.acting.fill(Acting::default());
        self.own.fill(0.0);
        self.bristles.fill(0.0);
        self.grips.fill(Grip::Plain);
        self.holds.clear();
        self.touching = 0;
        self.reset_rigid();
        for element in &mut self.elements {
            element.at_start = 0.0;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Whether nothing touches.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.touching == 0
    }

    /// How many numbers they have in the state.
    pub fn extras(&self) -> usize {
        self.extras
    }

    /// Looks for points of contact anew.
    fn seek(&mut self, poses: &[Pose]) {
        for element in &self.elements {
            if let Kind::Contact(contact) = &element.kind
                && let Some(tracks) = self.tracks.get_mut(element.sites.clone())
            {
                for (track, i) in tracks.iter_mut().zip(element.sites.clone()) {
                    track.held = match &self.rigid {
                        Some(rigid) => rigid.is_together(i),
                        None => self.memory[i].touch().is_some(),
                    };
                }
                contact.seek(poses, tracks);
            }
        }
    }

    #[inline]
    fn stance(&self, i: usize, poses: &[Pose]) -> Option<Stance> {
        let site = self.sites.get(i)?;
        let element = self.elements.get(site.element)?;
        element.kind.stance(site.slot, poses, self.tracks.get(i)?)
    }

    /// Takes the laws' own variables from the numbers behind the works.
    #[inline]
    pub fn take(&mut self, extras: &[f64]) {
        let at = |i: usize| extras.get(i).copied().unwrap_or(0.0);
        for (i, site) in self.sites.iter().enumerate() {
            if site.own {
                self.own[i] = at(site.extra + site.own_at());
            }
            if site.bristle {
                self.bristles[i] = at(site.extra + site.bristle_at());
            }
        }
    }

    /// Whether a site touches.
    #[inline]
    fn touches(&self, i: usize) -> bool {
        match &self.rigid {
            Some(rigid) => rigid.is_together(i),
            None => self.memory[i].touch().is_some(),
        }
    }

    /// Adds their forces; those without compliance are found by the mechanism.
    #[inline]
    pub fn apply(&mut self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        self.holds.clear();
        if self.touching == 0 || self.rigid.is_some() {
            return;
        }
        for (i, site) in self.sites.iter().enumerate() {
            let memory = &self.memory[i];
            if memory.touch().is_none() {
                continue;
            }
            let acting = &mut self.acting[i];
            *acting = Acting::default();
            let kind = &self.elements[site.element].kind;
            let Some(stance) = kind.stance(site.slot, poses, &self.tracks[i]) else {
                continue;
            };
            let apart = stance.apart(self.own[i]);
            acting.force = memory.force(t, &apart);
            acting.rate = apart.rate;
            let total = acting.force.total();
            if site.own {
                acting.own_rate = memory.own_rate(t, &apart);
            }
            match (kind, &stance) {
                (Kind::Limit(limit), Stance::Travel(gap)) => limit.push(gap, total, forces),
                (Kind::Contact(contact), Stance::Opposite(at)) => {
                    if site.rubs {
                        let grip = self.grips[i];
                        let sliding = Sliding {
                            speed: at.slip,
                            normal: total.max(0.0),
                            state: self.bristles[i],
                        };
                        acting.slip = at.slip;
                        let own_rate = acting.own_rate;
                        // What accelerations do to it is of higher order where little presses.
                        acting.rub = contact.rub(grip, &sliding, || {
                            memory.force_rate(t, &apart, 0.0, own_rate)
                        });
                        if let (true, Some(law)) = (site.bristle, contact.friction()) {
                            acting.bristle_rate = grip.state_rate(law, &sliding);
                        }
                        if grip.holds() {
                            let limit = contact.friction().map_or(0.0, |l| l.most(total));
                            self.holds.push(held(i, contact, at, limit, poses));
                        }
                        if contact.rolling().is_some() {
                            acting.turns = contact.turns(poses);
                            acting.roll = contact.roll(at, acting.turns, sliding.normal);
                            contact.twist(acting.roll, forces);
                        }
                    }
                    contact.push(at, total, acting.rub, poses, forces);
                }
                _ => {}
            }
        }
    }

    /// Names all directions in which surfaces hold on to each other.
    #[inline]
    pub fn hold(&self, holding: &mut Holding) {
        for held in &self.holds {
            holding.hold(*held);
        }
    }

    /// A site that holds took this force (N) on the second body along the slip.
    #[inline]
    pub fn held(&mut self, site: usize, force: f64) {
        if let Some(acting) = self.acting.get_mut(site) {
            acting.rub = force;
        }
    }

    /// The slopes of their numbers in the state, for the last evaluation.
    #[inline]
    pub fn slopes(&self, slopes: &mut [f64]) {
        if self.touching == 0 {
            slopes.fill(0.0);
            return;
        }
        for (i, (site, acting)) in self.sites.iter().zip(&self.acting).enumerate() {
            let Some(own) = slopes.get_mut(site.extra..site.extra + site.count()) else {
                return;
            };
            if !self.touches(i) {
                own.fill(0.0);
                continue;
            }
            own[INDENTATION] = -acting.rate;
            own[HEAT] = -acting.force.dissipative * acting.rate;
            own[IMPULSE] = acting.force.total();
            if site.rubs {
                own[RUB_HEAT] = -acting.rub * acting.slip - acting.roll * acting.turns;
                own[RUB_IMPULSE] = acting.rub;
                own[RUB_SLIDE] = acting.slip.abs();
            }
            if site.own {
                own[site.own_at()] = acting.own_rate;
            }
            if site.bristle {
                own[site.bristle_at()] = acting.bristle_rate;
            }
        }
    }

    /// Where the heats of a site stand among the numbers of all: along the normal, and that of friction, if it has any.
    pub fn heats_at(&self, site: usize) -> [Option<usize>; 2] {
        let site = self.sites.get(site);
        let rubs = site.filter(|site| site.rubs);
        [
            site.map(|site| site.extra + HEAT),
            rubs.map(|site| site.extra + RUB_HEAT),
        ]
    }

    pub fn site_count(&self) -> usize {
        self.sites.len()
    }

    pub fn guard_count(&self) -> usize {
        Contacting::GUARDS * self.sites.len() + Grip::GUARDS * self.gripping.len()
    }

    /// The guards; `accelerations` are those at this instant, if [`Touches::asks`].
    #[inline]
    pub fn guards(&self, t: f64, poses: &[Pose], accelerations: &[f64], g: &mut [f64]) {
        if self.rigid.is_some() {
            self.rigid_guards(poses, g);
            return;
        }
        let (places, rest) = g.split_at_mut(Contacting::GUARDS * self.sites.len());
        let places = places.as_chunks_mut::<{ Contacting::GUARDS }>().0;
        for (i, g) in (0..self.sites.len()).zip(places) {
            match self.stance(i, poses) {
                Some(stance) => self.memory[i].guards(t, &stance.apart(self.own[i]), g),
                None => self.coming(i, t, poses, g),
            }
        }
        self.grip_guards(t, poses, accelerations, rest);
    }

    /// The guards of a site at which there is nothing to touch, but perhaps before the step is done.
    fn coming(&self, i: usize, t: f64, poses: &[Pose], g: &mut [f64; Contacting::GUARDS]) {
        *g = [1.0; Contacting::GUARDS];
        let (site, memory) = (&self.sites[i], &self.memory[i]);
        if let (Kind::Contact(contact), true) =
            (&self.elements[site.element].kind, memory.is_open())
            && let Some(gap) = contact.coming(site.slot, poses, &self.tracks[i])
        {
            let apart = Apart {
                gap,
                ..Apart::default()
            };
            memory.guards(t, &apart, g);
        }
    }

    /// A site touches: others that would see the same place keep silent.
    fn claim(&mut self, i: usize, poses: &[Pose]) {
        let site = &self.sites[i];
        let element = &self.elements[site.element];
        if let (Kind::Contact(contact), true) = (&element.kind, self.memory[i].is_open())
            && let Some(tracks) = self.tracks.get_mut(element.sites.clone())
        {
            contact.claim(site.slot, poses, tracks);
        }
    }

    /// How the guards are watched: an end without a stop not at all.
    pub fn watch(&self, watch: &mut [Watch]) {
        let (places, grips) = watch.split_at_mut(Contacting::GUARDS * self.sites.len());
        let places = places.as_chunks_mut::<{ Contacting::GUARDS }>().0;
        for (site, watch) in self.sites.iter().zip(places) {
            let felt = match &self.elements[site.element].kind {
                Kind::Limit(limit) => limit.ends()[site.slot.min(1)].is_finite(),
                Kind::Contact(_) => true,
            };
            *watch = if felt {
                Contacting::WATCH
            } else {
                [Watch::Off; Contacting::GUARDS]
            };
        }
        grips
            .as_chunks_mut::<{ Grip::GUARDS }>()
            .0
            .fill(Grip::WATCH);
    }

    /// Whether a guard of a site may fire several times at one instant: where surfaces that are all but at rest turn, and turn again, where rounding says that what has just touched does not, or where it parts in a dent that is next to none.
    pub fn repeats(&self, guard: usize) -> bool {
        let site = guard / Contacting::GUARDS;
        if self.rigid.is_some() {
            return site < self.sites.len();
        }
        let Some(memory) = self.memory.get(site) else {
            return false;
        };
        match guard % Contacting::GUARDS {
            Contacting::TOUCHING | Contacting::TURNING => self.touches(site),
            // What leaves next to no dent parts, and its gap opens, at one instant.
            Contacting::PARTING => memory.is_open(),
            _ => false,
        }
    }

    pub fn guard_name(&self, guard: usize) -> String {
        let what = match self.rigid {
            Some(_) => ["touch", "separation", "slip", "", "turn of the slip"],
            None => ["touch", "separation", "turn", "corner", "limit of the law"],
        };
        let contacts = Contacting::GUARDS * self.sites.len();
        if let Some(grip) = guard.checked_sub(contacts) {
            let site = self.gripping.get(grip / Grip::GUARDS);
            let site = site.and_then(|&i| self.sites.get(i));
            let name = site.map_or_else(String::new, |site| self.site_name(site));
            return format!("{name}: friction");
        }
        let site = self.sites.get(guard / Contacting::GUARDS);
        let name = site.map_or_else(String::new, |site| self.site_name(site));
        format!("{name}: {}", what[guard % Contacting::GUARDS])
    }

    fn site_name(&self, site: &Site) -> String {
        let element = &self.elements[site.element];
        format!("{}{}", element.name, element.kind.site(site.slot))
    }
}

/// The direction in which a contact holds.
fn held(who: usize, contact: &Contact, at: &Opposite, limit: f64, poses: &[Pose]) -> Held {
    Held {
        who,
        bodies: contact.bodies(),
        by: contact.slip_by(at, poses),
        bias: contact.bend(at, poses)[1],
        limit,
    }
}

pub(super) fn side_name(upper: bool) -> &'static str {
    if upper { "upper" } else { "lower" }
}
