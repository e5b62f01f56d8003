//! Where may stops, contacts and joints with play of a model touch, and what is told of it when they have?

use crate::geometry::Track;
use crate::impulse::Side;
use crate::mechanics::{Contact, Episode, Limit, Opposite, Pose, Terms};
use crate::model::{ContactQuantity, Model};
use crate::system::course::Course;
use crate::system::episode::{Contacted, Place, Terms as Begun};
use crate::system::frame::Arrow;
use crate::system::mechanism::System;
use crate::system::saddle::Saddle;
use crate::system::touches::side_name;

use super::problem::{Pace, Party, Problem, Touch, Who, hairs, sticks};
use super::surface::coefficients;

/// The ends of the travel of a joint, or two bodies that may touch.
enum Kind {
    Stop(Box<Limit>),
    Contact(Box<Contact>),
}

struct Element {
    kind: Kind,
    name: String,
    /// Its place among the model's contacts.
    entry: Option<usize>,
    sites: std::ops::Range<usize>,
    coefficients: [f64; 2],
    /// What gaps are measured by, m (or rad).
    size: f64,
}

/// A place where an element may touch.
struct Site {
    element: usize,
    slot: usize,
    touch: Touch,
    open: Option<Open>,
    /// What it has turned into heat, along the normal and by friction, J.
    heat: [f64; 2],
}

/// An episode under way: steps in a row with an impulse.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: f64,
    end: f64,
    approach: f64,
    separation: f64,
    mass: f64,
    requested: Option<f64>,
    place: Option<Place>,
    course: Course,
}

/// A site as the bodies stand.
struct Stance {
    gap: f64,
    rate: f64,
    sides: [Side; 2],
    at: Option<Opposite>,
}

/// What is seen of a contact at an instant.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    gap: f64,
    rate: f64,
    force: f64,
    friction: f64,
    on_second: [f64; 2],
    moment: f64,
}

/// All places where elements of the model may touch.
pub(super) struct Sites {
    elements: Vec<Element>,
    sites: Vec<Site>,
    tracks: Vec<Track>,
    limits: usize,
    /// The length of the step, s: impulses are told as mean forces.
    pub step: f64,
    pub contacts: Vec<Contacted>,
    pub begun: u64,
}

impl Kind {
    fn terms(&self) -> &Terms {
        match self {
            Kind::Stop(limit) => limit.terms(),
            Kind::Contact(contact) => contact.terms(),
        }
    }

    #[inline]
    fn stance(&self, slot: usize, poses: &[Pose], track: &Track) -> Option<Stance> {
        let side = |body: Option<usize>, normal: [f64; 3], slip: [f64; 3]| Side {
            body: body.unwrap_or(usize::MAX),
            normal,
            slip,
        };
        match self {
            Kind::Stop(limit) => {
                let [lower, upper] = limit.gaps(poses);
                let gap = if slot == 0 { lower } else { upper };
                let [one, two] = limit.bodies();
                gap.value.is_finite().then(|| Stance {
                    gap: gap.value,
                    rate: gap.rate,
                    sides: [
                        side(one, gap.by[0], [0.0; 3]),
                        side(two, gap.by[1], [0.0; 3]),
                    ],
                    at: None,
                })
            }
            Kind::Contact(contact) => {
                let at = contact.opposite(slot, poses, track)?;
                let slips = contact.slip_by(&at, poses);
                let [one, two] = contact.bodies();
                Some(Stance {
                    gap: at.near.gap,
                    rate: at.rate,
                    sides: [side(one, at.by[0], slips[0]), side(two, at.by[1], slips[1])],
                    at: Some(at),
                })
            }
        }
    }
}

impl Element {
    /// Whether a gap whose rate was this before a step (m/s, or rad/s) closed faster than the chord of its surface does, and than any touch counts for.
    fn strikes(&self, site: &Site, rate: f64) -> bool {
        site.touch.turn - rate > self.kind.terms().slowest
    }
}

impl Kind {
    /// How fast the rate of the gap grows because surfaces and bodies turn, m/s² (or rad/s²).
    fn bends(&self, slot: usize, stance: &Stance, poses: &[Pose]) -> f64 {
        let bends = match (self, &stance.at) {
            (Kind::Stop(limit), _) => {
                let [lower, upper] = limit.gaps(poses);
                if slot == 0 {
                    lower.second
                } else {
                    upper.second
                }
            }
            (Kind::Contact(contact), Some(at)) => contact.bend(at, poses)[0],
            (Kind::Contact(_), None) => 0.0,
        };
        if bends.is_finite() { bends } else { 0.0 }
    }
}

impl Sites {
    /// Of a model that is about `size` (m) large, for steps of this length, s.
    pub fn new(model: &Model, size: f64, step: f64) -> Self {
        let limits = model.limits.iter().map(|entry| {
            let name = format!("joint.{}.limits", entry.name);
            (Kind::Stop(Box::new(entry.limit.clone())), name, None, 2)
        });
        let contacts = model.contacts.iter().enumerate().map(|(i, entry)| {
            let contact = Box::new(entry.contact.clone());
            let slots = contact.slots();
            (Kind::Contact(contact), entry.element(), Some(i), slots)
        });
        let (mut elements, mut sites) = (Vec::new(), Vec::new());
        for (kind, name, entry, slots) in limits.chain(contacts) {
            let first = sites.len();
            sites.extend((0..slots).map(|slot| Site {
                element: elements.len(),
                slot,
                touch: Touch::default(),
                open: None,
                heat: [0.0; 2],
            }));
            let (coefficients, of) = match &kind {
                Kind::Stop(_) => ([0.0; 2], 1.0),
                // A tip that is tiny against everything stands for a point, and has no size.
                Kind::Contact(contact) => (
                    coefficients(contact.friction()),
                    contact.size().max(1e-3 * size),
                ),
            };
            elements.push(Element {
                kind,
                name,
                entry,
                sites: first..sites.len(),
                coefficients,
                size: of,
            });
        }
        Self {
            tracks: vec![Track::default(); sites.len()],
            limits: model.limits.len(),
            elements,
            sites,
            step,
            contacts: Vec::new(),
            begun: 0,
        }
    }

    /// Looks for points of contact anew, at the start of a step: what is found then is followed to its middle, so that a corner that comes in over an edge is seen from where it came.
    pub fn seek(&mut self, poses: &[Pose]) {
        for element in &self.elements {
            if let Kind::Contact(contact) = &element.kind
                && let Some(tracks) = self.tracks.get_mut(element.sites.clone())
                && let Some(sites) = self.sites.get(element.sites.clone())
            {
                for (track, site) in tracks.iter_mut().zip(sites) {
                    track.held = site.touch.met;
                }
                contact.seek(poses, tracks);
            }
        }
    }

    /// Puts all that touch, as the bodies stand half way, or may touch until its end into the problem of a step.
    pub fn gather(
        &mut self,
        poses: &[Pose],
        pace: &Pace<'_>,
        saddle: &mut Saddle,
        problem: &mut Problem,
        all: &mut Vec<[Side; 2]>,
    ) -> Result<(), String> {
        for (i, (site, track)) in self.sites.iter_mut().zip(&self.tracks).enumerate() {
            let Some(element) = self.elements.get(site.element) else {
                continue;
            };
            let Some(stance) = element.kind.stance(site.slot, poses, track) else {
                site.touch = Touch::default();
                continue;
            };
            let (gap, sides) = (stance.gap, &stance.sides);
            if !site.touch.joins(gap, element.size, sides, pace) {
                continue;
            }
            let [hair, _] = hairs(element.size);
            let bends = match site.touch.impulse[0] > 0.0 {
                true => element.kind.bends(site.slot, &stance, poses),
                false => 0.0,
            };
            let rubs = element.coefficients != [0.0; 2];
            let who = Who::Site(i);
            let place = problem.push(who, stance.sides, rubs, hair, saddle, pace.before);
            let place = place.map_err(|fault| format!("{}: {fault}", element.name))?;
            all.push(stance.sides);
            let party = Party {
                gap,
                place,
                hair,
                fastest: pace.fastest(sides),
                driven: pace.driven(sides),
                moving: pace.moving(sides),
                bends,
                terms: element.kind.terms(),
                curvatures: stance.at.map_or([0.0; 2], |at| at.near.curvatures),
                coefficients: element.coefficients,
            };
            let met = site.touch.meet(&party, problem, pace);
            met.map_err(|why| format!("{}: {why}", element.name))?;
        }
        Ok(())
    }

    fn element(&self, site: usize) -> Option<&Element> {
        self.elements.get(self.sites.get(site)?.element)
    }

    /// The element of a site.
    pub fn name(&self, site: usize) -> &str {
        self.element(site)
            .map_or("a contact", |element| &element.name)
    }

    /// Whether there is friction at a site.
    pub fn rubs(&self, site: usize) -> bool {
        self.element(site)
            .is_some_and(|element| element.coefficients != [0.0; 2])
    }

    /// Whether a gap whose rate was this before a step (m/s, or rad/s) was struck in it, and not only pressed.
    pub fn strikes(&self, site: usize, rate: f64) -> bool {
        self.sites.get(site).is_some_and(|site| {
            let element = self.elements.get(site.element);
            element.is_some_and(|element| element.strikes(site, rate))
        })
    }

    /// Takes note of what a step from `t` to `next` (s) did to a site.
    pub fn note(
        &mut self,
        site: usize,
        [t, next]: [f64; 2],
        before: [f64; 2],
        after: [f64; 2],
        impulse: [f64; 2],
        [friction, mass, scale]: [f64; 3],
        poses: &[Pose],
    ) {
        let (Some(track), Some(site)) = (self.tracks.get(site), self.sites.get_mut(site)) else {
            return;
        };
        let Some(element) = self.elements.get(site.element) else {
            return;
        };
        let struck = element.strikes(site, before[0]);
        site.touch.impulse = impulse;
        site.touch.sticks = sticks(impulse, friction, after[1], scale);
        let [normal, along] = impulse;
        if !(normal > 0.0) {
            return;
        }
        let h = next - t;
        let heat = [0, 1].map(|k| -0.5 * impulse[k] * (before[k] + after[k]));
        site.heat[0] += heat[0];
        site.heat[1] += heat[1];
        let begun = &mut self.begun;
        let open = site.open.get_or_insert_with(|| {
            *begun += 1;
            let bodies = match &element.kind {
                Kind::Stop(limit) => limit.bodies(),
                Kind::Contact(contact) => contact.bodies(),
            };
            let stance = element.kind.stance(site.slot, poses, track);
            let place = stance.and_then(|stance| stance.at).map(|at| Place {
                slip: before[1],
                ..Place::of(&at, bodies, element.size, poses)
            });
            // What only comes down to rest was not struck.
            let approach = (-before[0]).max(0.0);
            Open {
                start: t,
                end: next,
                approach,
                separation: f64::NAN,
                mass,
                requested: element.kind.terms().follows.requested(approach),
                place,
                course: Course::rigid(),
            }
        });
        open.end = next;
        open.separation = after[0];
        let course = &mut open.course;
        // All impulses of a step taken to grow together: compression ends where this gap stops closing.
        let change = after[0] - before[0];
        let part = if change > 0.0 && before[0] < 0.0 {
            (-before[0] / change).min(1.0)
        } else if before[0] < 0.0 {
            1.0
        } else {
            0.0
        };
        if struck {
            course.impulse[0] += part * normal;
            course.impulse[1] += (1.0 - part) * normal;
        } else {
            course.pressed += normal;
        }
        course.work[0] -= 0.5 * part * normal * before[0].min(0.0);
        course.work[1] += 0.5 * (1.0 - part) * normal * after[0].max(0.0);
        // What is not given back.
        course.heat[1] += heat[0];
        course.rub_impulse += along;
        course.rub_heat += heat[1];
        course.slide += 0.5 * h * (before[1].abs() + after[1].abs());
        if site.touch.sticks {
            course.rest += h;
        }
    }

    /// Ends the episodes of all that took no part in the last step, or got no impulse in it.
    pub fn close(&mut self) {
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get_mut(i) else {
                return;
            };
            if site.touch.impulse[0] > 0.0 {
                continue;
            }
            if let Some(open) = site.open.take() {
                let told = self.contacted(i, &open, true);
                self.contacts.extend(told);
            }
        }
    }

    /// All episodes in order, those that go on among them.
    pub fn told(&mut self) -> Vec<Contacted> {
        let mut contacts = std::mem::take(&mut self.contacts);
        for i in 0..self.sites.len() {
            let open = self.sites.get(i).and_then(|site| site.open);
            contacts.extend(open.and_then(|open| self.contacted(i, &open, false)));
        }
        contacts.sort_by(|a, b| a.episode.start.total_cmp(&b.episode.start));
        contacts
    }

    fn contacted(&self, i: usize, open: &Open, over: bool) -> Option<Contacted> {
        let site = self.sites.get(i)?;
        let element = self.elements.get(site.element)?;
        let terms = element.kind.terms();
        let stop = match &element.kind {
            Kind::Stop(limit) => Some(limit),
            Kind::Contact(_) => None,
        };
        let friction = match &element.kind {
            Kind::Stop(_) => None,
            Kind::Contact(contact) => contact.friction(),
        };
        Some(Contacted {
            element: element.name.clone(),
            entry: element.entry,
            side: stop.map(|_| side_name(site.slot == 1)),
            slot: site.slot,
            episode: Episode {
                start: open.start,
                end: open.end,
                approach: open.approach,
                separation: open.separation,
                mass: open.mass,
                slow: false,
                counted: open.approach,
                left: f64::NAN,
            },
            over,
            law: terms.follows.card().id,
            friction: friction.map(|law| law.card().id),
            requested: open.requested,
            unit: stop.map_or("m", |limit| limit.travel().unit()),
            place: open.place,
            begun: Begun {
                calibration: terms.follows.calibration(),
                ..Begun::default()
            },
            course: open.course,
            samples: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// The gap of a site as the bodies stand at the end of a step, m (or rad), from where the chord of its way is there.
    pub fn gap(&self, site: usize, poses: &[Pose]) -> Option<f64> {
        let (found, track) = (self.sites.get(site)?, self.tracks.get(site)?);
        let element = self.elements.get(found.element)?;
        Some(element.kind.stance(found.slot, poses, track)?.gap + found.touch.sag)
    }

    /// Puts all whose gaps are at most `reach` (m, or rad), as the bodies stand, into the problem of pushing them apart, with their gaps.
    pub fn crowd(
        &self,
        reach: f64,
        poses: &[Pose],
        velocities: &[[f64; 3]],
        saddle: &mut Saddle,
        problem: &mut Problem,
        gaps: &mut Vec<f64>,
    ) -> Result<(), String> {
        for (i, (site, track)) in self.sites.iter().zip(&self.tracks).enumerate() {
            let Some(element) = self.elements.get(site.element) else {
                continue;
            };
            let stance = element.kind.stance(site.slot, poses, track);
            let Some(stance) = stance.filter(|stance| stance.gap <= reach) else {
                continue;
            };
            let [hair, _] = hairs(element.size);
            let who = Who::Site(i);
            let place = problem.push(who, stance.sides, false, hair, saddle, velocities);
            place.map_err(|fault| format!("{}: {fault}", element.name))?;
            gaps.push(stance.gap + site.touch.sag);
        }
        Ok(())
    }

    /// Takes energy (J) that pushing apart brought in from what a site has turned into heat: it fell too far before, and that became heat.
    pub fn give_back(&mut self, site: usize, energy: f64) {
        if let Some(site) = self.sites.get_mut(site) {
            site.heat[0] -= energy;
            if let Some(open) = &mut site.open {
                open.course.heat[1] -= energy;
            }
        }
    }

    /// How many sites got an impulse in the last step.
    pub fn touching(&self) -> usize {
        let pressed = |site: &&Site| site.touch.impulse[0] > 0.0;
        self.sites.iter().filter(pressed).count()
    }

    /// Writes the heats into the numbers of contacts in a state of the system.
    pub fn tell_heats(&self, system: &System, extras: &mut [f64]) {
        for (i, site) in self.sites.iter().enumerate() {
            let places = system.equations.touches.heats_at(i);
            for (place, heat) in places.into_iter().zip(site.heat) {
                if let Some(place) = place.and_then(|at| extras.get_mut(at)) {
                    *place = heat;
                }
            }
        }
    }

    /// The mean forces of the last step at all points of contact.
    pub fn arrows(&self, poses: &[Pose], arrows: &mut Vec<Arrow>) {
        arrows.clear();
        for (site, track) in self.sites.iter().zip(&self.tracks) {
            let Some(contact) = site.element.checked_sub(self.limits) else {
                continue;
            };
            let Some(element) = self.elements.get(site.element) else {
                continue;
            };
            if !(site.touch.impulse[0] > 0.0) {
                continue;
            }
            let stance = element.kind.stance(site.slot, poses, track);
            if let Some(at) = stance.and_then(|stance| stance.at) {
                arrows.push(Arrow {
                    contact,
                    point: at.point,
                    force: on_second(&at, site.touch.impulse.map(|p| p / self.step)),
                });
            }
        }
    }

    /// What a channel of a contact says.
    pub fn channel(
        &self,
        model: &Model,
        contact: usize,
        quantity: ContactQuantity,
        poses: &[Pose],
    ) -> Option<f64> {
        let places = model.contacts.get(contact)?.joint;
        let about = places.map_or([0.0; 2], |[_, second]| second.spot(poses).position);
        let reading = self.reading(contact, poses, about)?;
        Some(match quantity {
            ContactQuantity::Gap if reading.gap.is_infinite() => f64::NAN,
            ContactQuantity::Gap => reading.gap,
            ContactQuantity::Indentation => (-reading.gap).max(0.0),
            ContactQuantity::IndentationRate => -reading.rate,
            ContactQuantity::Force => reading.force,
            ContactQuantity::Friction => reading.friction,
            ContactQuantity::ForceX => reading.on_second[0],
            ContactQuantity::ForceY => reading.on_second[1],
            ContactQuantity::Moment => reading.moment,
            ContactQuantity::Eccentricity | ContactQuantity::EccentricityAngle => return None,
        })
    }

    fn reading(&self, contact: usize, poses: &[Pose], about: [f64; 2]) -> Option<Reading> {
        let element = self.elements.get(self.limits + contact)?;
        let mut found = Reading {
            gap: f64::INFINITY,
            ..Reading::default()
        };
        let sites = self.sites.get(element.sites.clone())?;
        let tracks = self.tracks.get(element.sites.clone())?;
        for (site, track) in sites.iter().zip(tracks) {
            let Some(stance) = element.kind.stance(site.slot, poses, track) else {
                continue;
            };
            if stance.gap < found.gap {
                (found.gap, found.rate) = (stance.gap, stance.rate);
            }
            let [force, friction] = site.touch.impulse.map(|p| p / self.step);
            if let (true, Some(at)) = (force > 0.0, stance.at) {
                found.force += force;
                found.friction += friction;
                let [x, y] = on_second(&at, [force, friction]);
                found.on_second[0] += x;
                found.on_second[1] += y;
                let arm = [at.point[0] - about[0], at.point[1] - about[1]];
                found.moment += arm[0] * y - arm[1] * x;
            }
        }
        Some(found)
    }
}

/// The force on the second body, N.
fn on_second(at: &Opposite, [force, friction]: [f64; 2]) -> [f64; 2] {
    let [nx, ny] = at.near.normal;
    [force * nx - friction * ny, force * ny + friction * nx]
}
