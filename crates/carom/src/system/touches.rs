//! What do stops, contacts and joints with play do to a mechanism, and what do they remember?
//!
//! The elements never change. Each has one or more sites, places where it may touch: the two ends of a joint's travel, the possible points of contact of two bodies. Beside each site stands its memory, which
//! moves at events and accepted steps only, and behind the works in the state of the integrator stand a few numbers of its own: the indentation (so that it is followed as closely as it asks for, though it
//! is a small difference of large coordinates), the heat and the impulse of its force, those of its friction, and the law's own variable, where there is one.

use crate::contact::Force;
use crate::geometry::Track;
use crate::mechanics::{
    Apart, Contact, Contacting, Happening, Limit, Measure, Meeting, Opposite, Pose, Terms, Travel,
    pose_all,
};
use crate::model::Model;
use crate::solve::{Inside, Watch};

use super::course::{Course, Glance};
use super::episode::{Contacted, Place, Terms as Begun};
use super::note::Warning;
use super::trace::Traces;

/// All that may touch in a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    elements: Vec<Element>,
    sites: Vec<Site>,
    memory: Vec<Contacting>,
    tracks: Vec<Track>,
    courses: Vec<Course>,
    places: Vec<Option<Place>>,
    begun: Vec<Begun>,
    traces: Traces,
    /// Of the last evaluation.
    acting: Vec<Acting>,
    /// The laws' own variables in the last evaluation.
    own: Vec<f64>,
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
    Limit(Limit),
    Contact(Contact),
}

#[derive(Clone, Copy, Debug)]
struct Site {
    element: usize,
    slot: usize,
    /// Where its numbers begin, behind those of the sites before.
    extra: usize,
    rubs: bool,
    own: bool,
}

/// The numbers of a site, in order.
const INDENTATION: usize = 0;
const HEAT: usize = 1;
const IMPULSE: usize = 2;
const RUB_HEAT: usize = 3;
const RUB_IMPULSE: usize = 4;

impl Site {
    fn own_at(&self) -> usize {
        if self.rubs { 5 } else { 3 }
    }

    fn count(&self) -> usize {
        self.own_at() + usize::from(self.own)
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
    /// Of a contact: on the second body, N, N, and about the middle between the surfaces.
    on_second: [f64; 2],
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

/// What changed at an event or at an accepted step.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Whether the step under way is to be cut.
    pub cut: bool,
    /// Whether to start afresh.
    pub restart: bool,
    /// The least step that is asked for to do so, s.
    pub first_step: Option<f64>,
    /// Whether all that touched has parted.
    pub free: bool,
    /// Contacts that had ended and go on: element and point.
    pub resumed: Vec<(String, usize)>,
    /// Contacts that are over.
    pub ended: Vec<Contacted>,
    /// What was noticed.
    pub warnings: Vec<Warning>,
    /// Why it cannot go on.
    pub failed: Option<String>,
}

impl Changes {
    fn restart(&mut self, first_step: Option<f64>) {
        self.cut = true;
        self.restart = true;
        self.first_step = match (self.first_step, first_step) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// Why memory moves.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// A run begins, with these accelerations where nothing touches yet; gaps within the second number (m, rad) are none.
    Start(&'a [f64], f64),
    /// A step is done.
    Accept,
    /// Guards fired: those that this says.
    Event(&'a dyn Fn(usize) -> bool),
}

impl Touches {
    pub fn new(model: &Model) -> Self {
        let limits = model.limits.iter().map(|entry| {
            let name = format!("joint.{}.limits", entry.name);
            (Kind::Limit(entry.limit.clone()), name, 2)
        });
        let contacts = model.contacts.iter().map(|entry| {
            let contact = entry.contact.clone();
            let slots = contact.slots();
            (Kind::Contact(contact), entry.element(), slots)
        });
        let (mut elements, mut sites) = (Vec::new(), Vec::new());
        let mut extras = 0;
        for (kind, name, slots) in limits.chain(contacts) {
            let rubs = matches!(&kind, Kind::Contact(contact) if contact.friction().is_some());
            let own = kind.terms().follows.has_own();
            let first = sites.len();
            for slot in 0..slots {
                let site = Site {
                    element: elements.len(),
                    slot,
                    extra: extras,
                    rubs,
                    own,
                };
                extras += site.count();
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
            can_pass,
            elements,
            memory: vec![Contacting::OPEN; n],
            tracks: vec![Track::default(); n],
            courses: vec![Course::default(); n],
            places: vec![None; n],
            begun: vec![Begun::default(); n],
            traces: Traces::new(n),
            acting: vec![Acting::default(); n],
            own: vec![0.0; n],
            sites,
            touching: 0,
            direction: vec![0.0; 3 * model.bodies.len()],
            extras,
            poses: vec![Pose::GROUND; model.bodies.len()],
            state: Vec::new(),
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
        self.touching = 0;
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
        for (site, own) in self.sites.iter().zip(&mut self.own) {
            if site.own {
                *own = extras
                    .get(site.extra + site.own_at())
                    .copied()
                    .unwrap_or(0.0);
            }
        }
    }

    /// Adds their forces.
    #[inline]
    pub fn apply(&mut self, t: f64, poses: &[Pose], forces: &mut [f64]) {
        if self.touching == 0 {
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
                        acting.slip = at.slip;
                        acting.rub = contact.rub(at.slip, total);
                    }
                    let n = at.near.normal;
                    acting.on_second = [
                        total * n[0] - acting.rub * n[1],
                        total * n[1] + acting.rub * n[0],
                    ];
                    contact.push(at, total, acting.rub, poses, forces);
                }
                _ => {}
            }
        }
    }

    /// Whether there are bodies that could pass through each other between two looks at them.
    #[inline]
    pub fn can_pass(&self) -> bool {
        self.can_pass
    }

    /// How far a step may go from these positions and velocities, s, before bodies could have passed through each other; `accelerations` are as good as they are known.
    pub fn longest_step(&mut self, q: &[f64], v: &[f64], accelerations: &[f64]) -> f64 {
        let mut poses = std::mem::take(&mut self.poses);
        pose_all(q, v, &mut poses);
        let mut longest = f64::INFINITY;
        for element in &self.elements {
            let Kind::Contact(contact) = &element.kind else {
                continue;
            };
            if !contact.bounds_steps() {
                continue;
            }
            let gaps = element.sites.clone().filter_map(|i| self.stance(i, &poses));
            let gap = gaps.map(|s| s.apart(0.0).gap).fold(f64::INFINITY, f64::min);
            longest = longest.min(contact.longest_step(gap, &poses, accelerations));
        }
        self.poses = poses;
        longest
    }

    /// The slopes of their numbers in the state, for the last evaluation.
    #[inline]
    pub fn slopes(&self, slopes: &mut [f64]) {
        if self.touching == 0 {
            slopes.fill(0.0);
            return;
        }
        for ((site, memory), acting) in self.sites.iter().zip(&self.memory).zip(&self.acting) {
            let Some(own) = slopes.get_mut(site.extra..site.extra + site.count()) else {
                return;
            };
            if memory.touch().is_none() {
                own.fill(0.0);
                continue;
            }
            own[INDENTATION] = -acting.rate;
            own[HEAT] = -acting.force.dissipative * acting.rate;
            own[IMPULSE] = acting.force.total();
            if site.rubs {
                own[RUB_HEAT] = -acting.rub * acting.slip;
                own[RUB_IMPULSE] = acting.rub;
            }
            if site.own {
                own[site.own_at()] = acting.own_rate;
            }
        }
    }

    /// What is stored in all of them, J.
    pub fn stored(&self, poses: &[Pose]) -> f64 {
        self.over(poses, Contacting::stored)
    }

    /// A sum over all sites that touch.
    fn over(&self, poses: &[Pose], what: impl Fn(&Contacting, &Apart) -> f64) -> f64 {
        if self.touching == 0 {
            return 0.0;
        }
        let touching = (0..self.sites.len()).filter(|&i| self.memory[i].touch().is_some());
        let of = |i: usize| {
            let stance = self.stance(i, poses)?;
            Some(what(&self.memory[i], &stance.apart(self.own[i])))
        };
        touching.filter_map(of).sum()
    }

    /// What each element has lost in all beside the power of dampers, J.
    fn lost_by(&self, element: &Element, poses: &[Pose]) -> f64 {
        let of = |i: usize| {
            let memory = &self.memory[i];
            let stance = match memory.touch() {
                Some(_) => self.stance(i, poses),
                None => None,
            };
            let apart = stance.map_or(Apart::default(), |stance| stance.apart(self.own[i]));
            memory.lost(&apart)
        };
        element.sites.clone().map(of).sum()
    }

    /// What all have turned into heat since the start, J, from their numbers in the state.
    pub fn heat(&self, poses: &[Pose], extras: &[f64]) -> f64 {
        let mut sum = 0.0;
        for site in &self.sites {
            sum += extras[site.extra + HEAT];
            if site.rubs {
                sum += extras[site.extra + RUB_HEAT];
            }
        }
        let lost = |element: &Element| self.lost_by(element, poses) - element.at_start;
        sum + self.elements.iter().map(lost).sum::<f64>()
    }

    /// The same by element; friction by itself.
    pub fn heats(&self, poses: &[Pose], extras: &[f64]) -> Vec<(String, f64)> {
        let mut found = Vec::new();
        for element in &self.elements {
            let sites = || self.sites[element.sites.clone()].iter();
            let normal: f64 = sites().map(|site| extras[site.extra + HEAT]).sum();
            let lost = self.lost_by(element, poses) - element.at_start;
            found.push((element.name.clone(), normal + lost));
            let rubs = || sites().filter(|site| site.rubs);
            if rubs().next().is_some() {
                let heat = rubs().map(|site| extras[site.extra + RUB_HEAT]).sum();
                found.push((format!("{}.friction", element.name), heat));
            }
        }
        found
    }

    pub fn guard_count(&self) -> usize {
        Contacting::GUARDS * self.sites.len()
    }

    #[inline]
    pub fn guards(&self, t: f64, poses: &[Pose], g: &mut [f64]) {
        let places = g.as_chunks_mut::<{ Contacting::GUARDS }>().0;
        for (i, g) in (0..self.sites.len()).zip(places) {
            match self.stance(i, poses) {
                Some(stance) => self.memory[i].guards(t, &stance.apart(self.own[i]), g),
                None => *g = [1.0; Contacting::GUARDS],
            }
        }
    }

    /// How the guards are watched: an end without a stop not at all.
    pub fn watch(&self, watch: &mut [Watch]) {
        let places = watch.as_chunks_mut::<{ Contacting::GUARDS }>().0;
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
    }

    pub fn guard_name(&self, guard: usize) -> String {
        let what = ["touch", "separation", "turn", "corner", "limit of the law"];
        let site = self.sites.get(guard / Contacting::GUARDS);
        let name = site.map_or_else(String::new, |site| self.site_name(site));
        format!("{name}: {}", what[guard % Contacting::GUARDS])
    }

    fn site_name(&self, site: &Site) -> String {
        let element = &self.elements[site.element];
        format!("{}{}", element.name, element.kind.site(site.slot))
    }

    /// The name of a number in the state, for messages.
    pub fn extra_name(&self, extra: usize) -> String {
        let what = [
            "indentation",
            "heat",
            "impulse",
            "friction heat",
            "friction impulse",
        ];
        let last = self.sites.iter().rev().find(|site| site.extra <= extra);
        last.map_or_else(String::new, |site| {
            let k = extra - site.extra;
            let what = if k == site.own_at() {
                "own variable"
            } else {
                what[k.min(4)]
            };
            format!("{what} of {}", self.site_name(site))
        })
    }

    /// Whether a number in the state feeds back into forces: only the law's own variable does.
    pub fn feeds_back(&self, extra: usize) -> bool {
        let last = self.sites.iter().rev().find(|site| site.extra <= extra);
        last.is_some_and(|site| site.own && extra == site.extra + site.own_at())
    }

    /// The name of any element whose law has a variable of its own.
    pub fn with_own(&self) -> Option<&str> {
        let site = self.sites.iter().find(|site| site.own)?;
        Some(&self.elements[site.element].name)
    }

    /// How closely the numbers and the coordinates of bodies are to be followed: `rtol` and `atol` come in as the settings say, of all components; `extras` is where the numbers begin.
    pub fn tolerances(
        &self,
        y: &[f64],
        extras: usize,
        energy: Option<f64>,
        rtol: &mut [f64],
        atol: &mut [f64],
    ) {
        // A body in many places must not be followed the more closely the more there are.
        let asked = rtol.to_vec();
        for (site, memory) in self.sites.iter().zip(&self.memory) {
            let first = extras + site.extra;
            let kind = &self.elements[site.element].kind;
            let depth = memory.depth();
            // What an indentation is measured by: its depth, or the play of a joint.
            let at = first + INDENTATION;
            if let Some(depth) = depth {
                rtol[at] *= INDENTED;
                atol[at] = rtol[at] * depth;
            }
            // Impulses follow from the motion and nothing follows from them.
            atol[first + IMPULSE] = UNCONTROLLED;
            if site.rubs {
                atol[first + RUB_IMPULSE] = UNCONTROLLED;
            }
            if let Some(energy) = energy {
                let heats = [Some(first + HEAT), site.rubs.then_some(first + RUB_HEAT)];
                for at in heats.into_iter().flatten() {
                    atol[at] = atol[at].max(rtol[at] * energy);
                }
            }
            if site.own
                && let Some(touch) = memory.touch()
            {
                let at = first + site.own_at();
                atol[at] = rtol[at] * touch.own_scale();
            }
            let (coordinates, scale) = match kind {
                Kind::Limit(limit) => match (limit.travel(), depth) {
                    (Travel::Turn, Some(depth)) => (2..3, depth),
                    (Travel::Along, Some(depth)) => (0..2, depth),
                    _ => continue,
                },
                Kind::Contact(contact) => match contact.play() {
                    Some(play) => (0..2, play),
                    None => continue,
                },
            };
            for body in kind.bodies().into_iter().flatten() {
                for i in coordinates.clone().map(|k| 3 * body + k) {
                    let finest = asked[i] * scale;
                    let size = y[i].abs();
                    atol[i] = atol[i].min(finest);
                    if size > scale {
                        rtol[i] = rtol[i].min(finest / size);
                    }
                }
            }
        }
    }

    /// The stop or contact that is deepest inside, whether it is felt or not: its name and site, depth and unit.
    pub fn passed_by(&mut self, poses: &[Pose]) -> Option<(String, f64, &'static str)> {
        self.seek(poses);
        let mut deepest: Option<(usize, f64)> = None;
        for i in 0..self.sites.len() {
            let Some(stance) = self.stance(i, poses) else {
                continue;
            };
            let depth = -stance.apart(0.0).gap;
            if depth > 0.0 && deepest.is_none_or(|(_, most)| depth > most) {
                deepest = Some((i, depth));
            }
        }
        let (i, depth) = deepest?;
        let site = &self.sites[i];
        let unit = self.elements[site.element].kind.unit();
        Some((self.site_name(site), depth, unit))
    }

    /// All contacts that overlap: element, site, depth (m), and whether the normal there is unique.
    pub fn overlaps(&mut self, poses: &[Pose]) -> Vec<(String, String, f64, bool)> {
        self.seek(poses);
        let contacts = (0..self.sites.len())
            .filter(|&i| matches!(self.elements[self.sites[i].element].kind, Kind::Contact(_)));
        let deep = contacts.filter_map(|i| {
            let stance = self.stance(i, poses)?;
            let depth = -stance.apart(0.0).gap;
            let unique = !matches!(&stance, Stance::Opposite(at) if !at.near.unique);
            let site = &self.sites[i];
            let element = self.elements[site.element].name.clone();
            (depth > 0.0).then(|| (element, self.site_name(site), depth, unique))
        });
        deep.collect()
    }

    /// The contacts under way, at the time and with the poses of the last accepted step.
    pub fn under_way(&self, t: f64, poses: &[Pose]) -> Vec<Contacted> {
        let sites = 0..self.sites.len();
        let under_way = sites.filter_map(|i| {
            let stance = self.stance(i, poses)?;
            let episode = self.memory[i].so_far(t, &stance.apart(self.own[i]))?;
            Some(self.contacted(i, episode, false))
        });
        under_way.collect()
    }

    fn contacted(&self, i: usize, episode: crate::mechanics::Episode, over: bool) -> Contacted {
        let site = &self.sites[i];
        let element = &self.elements[site.element];
        let terms = element.kind.terms();
        Contacted {
            element: element.name.clone(),
            entry: match element.kind {
                Kind::Limit(_) => None,
                Kind::Contact(_) => {
                    let limits = self.elements.iter();
                    let limits = limits.filter(|e| matches!(e.kind, Kind::Limit(_))).count();
                    Some(site.element - limits)
                }
            },
            side: matches!(element.kind, Kind::Limit(_)).then(|| side_name(site.slot == 1)),
            slot: site.slot,
            law: terms.follows.card().id,
            requested: terms.follows.requested(episode.counted),
            unit: element.kind.unit(),
            place: self.places[i],
            begun: self.begun[i],
            course: self.courses[i],
            samples: self.traces.of(i),
            remarks: Vec::new(),
            over,
            episode,
        }
    }

    /// What is seen of a site at an instant.
    fn glance(&self, i: usize, t: f64, apart: &Apart, extras: &[f64]) -> Glance {
        let memory = &self.memory[i];
        let [delta, rate] = memory.indentation(apart);
        let first = self.sites[i].extra;
        let at = |k: usize| extras.get(first + k).copied().unwrap_or(0.0);
        let rubs = |k: usize| if self.sites[i].rubs { at(k) } else { 0.0 };
        Glance {
            t,
            delta,
            rate,
            force: memory.force(t, apart).total(),
            stored: memory.stored(apart),
            heat: at(HEAT) + memory.lost(apart),
            impulse: at(IMPULSE),
            rub_heat: rubs(RUB_HEAT),
            rub_impulse: rubs(RUB_IMPULSE),
        }
    }

    /// Takes notes of the stretch up to time `t`: positions and velocities are the first 2 `n` of the state `y`, the numbers begin at `extras`. Whether a closer look would tell more.
    pub fn passed(
        &mut self,
        t: f64,
        y: &[f64],
        n: usize,
        extras: usize,
        inside: Option<Inside<'_>>,
    ) -> bool {
        if self.touching == 0 {
            return false;
        }
        let mut poses = std::mem::take(&mut self.poses);
        let mut state = std::mem::take(&mut self.state);
        state.resize(y.len(), 0.0);
        self.take(&y[extras..]);
        pose_all(&y[..n], &y[n..2 * n], &mut poses);
        let mut curious = false;
        for i in 0..self.sites.len() {
            if self.memory[i].touch().is_none() {
                continue;
            }
            let Some(stance) = self.stance(i, &poses) else {
                continue;
            };
            let site = self.sites[i];
            let now = self.glance(i, t, &stance.apart(self.own[i]), &y[extras..]);
            let own = self.own[i];
            let mut course = self.courses[i];
            let from = *course.last();
            let memory = &self.memory[i];
            let datum = -now.delta - stance.apart(own).gap;
            let force_with = |delta: f64, rate: f64, t: f64, own: f64| {
                let apart = Apart {
                    gap: -delta - datum,
                    rate: -rate,
                    own,
                };
                memory.force(t, &apart).total()
            };
            let force = |delta: f64, rate: f64, t: f64| force_with(delta, rate, t, own);
            let energy = |delta: f64| {
                let apart = Apart {
                    gap: -delta - datum,
                    rate: 0.0,
                    own,
                };
                [memory.stored(&apart), memory.lost(&apart)]
            };
            let more = match inside {
                None => course.go(now, force, energy, None),
                Some(inside) => {
                    let mut look = |t: f64| {
                        inside(t, &mut state);
                        pose_all(&state[..n], &state[n..2 * n], &mut poses);
                        let kind = &self.elements[site.element].kind;
                        let stance = kind.stance(site.slot, &poses, &self.tracks[i]);
                        let own = if site.own {
                            state[extras + site.extra + site.own_at()]
                        } else {
                            0.0
                        };
                        let apart = stance.map_or(Apart::default(), |stance| stance.apart(own));
                        self.glance(i, t, &apart, &state[extras..])
                    };
                    course.go(now, force, energy, Some(&mut look))
                }
            };
            if !more {
                self.traces.go(i, &from, &now, own, force_with);
            }
            curious |= more;
            self.courses[i] = course;
            if inside.is_some() {
                pose_all(&y[..n], &y[n..2 * n], &mut poses);
            }
        }
        self.poses = poses;
        self.state = state;
        curious
    }

    /// Moves the memory for the poses given. `effective` answers the effective mass (kg, or kg m²) along a direction of all coordinates; `extras` are their numbers in the state, which a touch sets anew.
    pub fn move_memory(
        &mut self,
        t: f64,
        poses: &[Pose],
        effective: &mut dyn FnMut(&[f64]) -> f64,
        extras: &mut [f64],
        step: Step<'_>,
    ) -> Changes {
        let mut changes = Changes::default();
        self.take(extras);
        if !matches!(step, Step::Event(_)) {
            self.seek(poses);
        }
        for i in 0..self.sites.len() {
            let mut fired = [false; Contacting::GUARDS];
            if let Step::Event(all) = step {
                for (k, fired) in fired.iter_mut().enumerate() {
                    *fired = all(Contacting::GUARDS * i + k);
                }
                if fired == [false; Contacting::GUARDS] {
                    continue;
                }
            }
            let site = self.sites[i];
            let Some(stance) = self.stance(i, poses) else {
                if self.memory[i].touch().is_some() {
                    // How deep it is now is integrated beside the motion.
                    let delta = extras.get(site.extra + INDENTATION).copied();
                    self.lose(i, t, delta.unwrap_or(0.0), &mut changes);
                }
                continue;
            };
            let at = stance.apart(self.own[i]);
            let kind = &self.elements[site.element].kind;
            let direction = &mut self.direction;
            let mut mass = 0.0;
            let meeting = || {
                kind.direction(&stance, poses, direction);
                mass = effective(direction);
                Meeting {
                    mass,
                    curvatures: match &stance {
                        Stance::Travel(_) => [0.0; 2],
                        Stance::Opposite(at) => at.near.curvatures,
                    },
                }
            };
            let (terms, memory) = (kind.terms(), &mut self.memory[i]);
            let happening = match step {
                Step::Start(accelerations, hair) => {
                    let second =
                        second(kind, &site, &stance, poses, &self.tracks[i], accelerations);
                    memory.start(terms, t, &at, second, hair, meeting)
                }
                Step::Accept => memory.accept(terms, t, &at, meeting),
                Step::Event(_) => memory.event(terms, t, &at, fired, meeting),
            };
            match happening {
                Ok(Happening::Nothing) => {}
                Ok(Happening::Kink) => changes.cut = true,
                Ok(Happening::Began { first_step }) => {
                    changes.restart(Some(first_step));
                    self.touching += 1;
                    let first = site.extra;
                    if let Some(own) = extras.get_mut(first..first + site.count()) {
                        own[INDENTATION] = self.memory[i].indentation(&at)[0];
                        if site.own {
                            own[site.own_at()] = 0.0;
                            self.own[i] = 0.0;
                        }
                    }
                    let at = stance.apart(self.own[i]);
                    let glance = self.glance(i, t, &at, extras);
                    self.courses[i] = Course::begun(glance);
                    self.traces.begin(i, &glance, self.own[i]);
                    self.places[i] = self.place(i, &stance, poses);
                    if let Some(touch) = self.memory[i].touch() {
                        self.begun[i] = Begun::of(touch, &terms.follows);
                    }
                    if !matches!(step, Step::Start(..)) {
                        match self.late(i, t, &at) {
                            Some((warning, true)) => {
                                changes.failed = Some(format!(
                                    "{}: {}. Hint: {}",
                                    self.site_name(&site),
                                    warning.message,
                                    warning.hint
                                ));
                            }
                            late => changes.warnings.extend(late.map(|(warning, _)| warning)),
                        }
                    }
                }
                Ok(Happening::Resumed { first_step }) => {
                    changes.restart(Some(first_step));
                    self.touching += 1;
                    if let Some(indentation) = extras.get_mut(site.extra + INDENTATION) {
                        *indentation = self.memory[i].indentation(&at)[0];
                    }
                    let glance = self.glance(i, t, &at, extras);
                    self.courses[i].reopen(glance);
                    let element = self.elements[site.element].name.clone();
                    changes.resumed.push((element, site.slot));
                }
                Ok(Happening::Turned { first_step }) => changes.restart(Some(first_step)),
                Ok(Happening::Ended(episode)) => {
                    self.touching -= 1;
                    self.courses[i].close();
                    changes.restart(None);
                    changes.free |= self.touching == 0;
                    // Where surfaces part or slide along each other rounding can make them touch for a moment: that is no contact.
                    if self.courses[i].deepest[0] > GHOST {
                        changes.ended.push(self.contacted(i, episode, true));
                    }
                }
                Ok(Happening::Beyond(depth)) => {
                    changes.failed = Some(format!(
                        "{} is {depth} {} deep at t = {t} s, and the law {} has no force beyond. A larger clearance, a stiffer surface or a slower approach would keep it in range; `hertz` has no such limit",
                        self.site_name(&site),
                        kind.unit(),
                        terms.follows.card().id,
                    ));
                }
                Err(failed) => {
                    let why = if mass.is_infinite() {
                        "drivers move all that meets there, and nothing can give way".into()
                    } else {
                        failed.to_string()
                    };
                    changes.failed = Some(format!(
                        "{} touches at t = {t} s, but no contact can begin there: {why}",
                        self.site_name(&site),
                    ));
                }
            }
        }
        if matches!(step, Step::Start(..)) {
            for e in 0..self.elements.len() {
                self.elements[e].at_start = self.lost_by(&self.elements[e], poses);
            }
        }
        changes
    }

    /// A point of contact is gone though it was pressed: it slid over an edge.
    fn lose(&mut self, i: usize, t: f64, delta: f64, changes: &mut Changes) {
        let last = *self.courses[i].last();
        let at = Apart {
            gap: -delta,
            rate: self.acting[i].rate,
            own: self.own[i],
        };
        if let Happening::Ended(episode) = self.memory[i].lose(t, &at) {
            self.touching -= 1;
            self.courses[i].close();
            changes.restart(None);
            changes.free |= self.touching == 0;
            if self.courses[i].deepest[0] <= GHOST {
                return;
            }
            changes.ended.push(self.contacted(i, episode, true));
            let site = &self.sites[i];
            let deepest = match &self.elements[site.element].kind {
                Kind::Contact(contact) => contact.deepest(site.slot),
                Kind::Limit(_) => f64::INFINITY,
            };
            if last.delta > 0.9 * deepest {
                changes.failed = Some(format!(
                    "{} was pressed {:.3e} m deep at t = {t} s, and its shapes feel each other to {deepest:.3e} m only. A stiffer contact, a slower approach or a larger shape would keep it in range",
                    self.site_name(site),
                    last.delta
                ));
                return;
            }
            changes.warnings.push(Warning {
                code: "contact-lost",
                element: Some(self.elements[self.sites[i].element].name.clone()),
                time: Some(t),
                message: format!(
                    "a point of contact that was {:.3e} m deep is no longer there: it slid over an edge, or two points became one. What was stored in it became heat",
                    last.delta
                ),
                hint: "round the edge, or make the surface longer".into(),
            });
        }
    }

    /// A touch that was seen late: the surfaces are inside each other already, and what that stores came from nowhere. With it whether that is more than the impact brings, so that nothing after it would mean anything.
    fn late(&self, i: usize, t: f64, at: &Apart) -> Option<(Warning, bool)> {
        let memory = &self.memory[i];
        let touch = memory.touch()?;
        let stored = memory.stored(at);
        let brought = 0.5 * touch.mass() * touch.v0() * touch.v0();
        if stored <= 1e-3 * brought {
            return None;
        }
        let element = &self.elements[self.sites[i].element];
        let warning = Warning {
            code: "late-touch",
            element: Some(element.name.clone()),
            time: Some(t),
            message: format!(
                "the touch was seen when the surfaces were {:.3e} {} inside each other already: that stores {stored:.3e} J, which came from nowhere, and the impact brings {brought:.3e} J",
                memory.indentation(at)[0],
                element.kind.unit(),
            ),
            hint: "a smaller max_step, or with a fixed step a shorter one".into(),
        };
        Some((warning, stored > brought))
    }

    fn place(&self, i: usize, stance: &Stance, poses: &[Pose]) -> Option<Place> {
        let Stance::Opposite(at) = stance else {
            return None;
        };
        let kind = &self.elements[self.sites[i].element].kind;
        Some(Place::of(at, kind.bodies(), poses))
    }

    /// The site of a contact that speaks for it: its contact entries are counted behind the limits.
    fn sites_of(&self, contact: usize) -> std::ops::Range<usize> {
        let limits = self.elements.iter();
        let limits = limits.filter(|e| matches!(e.kind, Kind::Limit(_))).count();
        let element = self.elements.get(limits + contact);
        element.map_or(0..0, |element| element.sites.clone())
    }

    /// What a contact does and how it stands: the least gap (m) over its points with the deepest indentation and its rate, the sum of the forces and frictions (N), and the force on the second body (N, N) and
    /// its moment about a point (N m); forces are those of the last evaluation.
    pub fn reading(&self, contact: usize, poses: &[Pose], about: [f64; 2]) -> Reading {
        let mut found = Reading {
            gap: f64::INFINITY,
            ..Reading::default()
        };
        for i in self.sites_of(contact) {
            let Some(Stance::Opposite(at)) = self.stance(i, poses) else {
                continue;
            };
            let [delta, rate] = self.memory[i].indentation(&at.apart(0.0));
            if at.near.gap < found.gap {
                found.gap = at.near.gap;
                found.indentation = delta.max(0.0);
                found.indentation_rate = rate;
            }
            if self.memory[i].touch().is_none() {
                continue;
            }
            let acting = &self.acting[i];
            found.force += acting.force.total();
            found.friction += acting.rub;
            let [x, y] = acting.on_second;
            found.on_second[0] += x;
            found.on_second[1] += y;
            let arm = [at.point[0] - about[0], at.point[1] - about[1]];
            found.moment += arm[0] * y - arm[1] * x;
        }
        found
    }
}

/// See [`Touches::reading`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    pub gap: f64,
    pub indentation: f64,
    pub indentation_rate: f64,
    pub force: f64,
    pub friction: f64,
    pub on_second: [f64; 2],
    pub moment: f64,
}

/// How many times the relative tolerance an indentation may be off: positions and velocities of the bodies have theirs, and an error of the indentation does not grow, as one of theirs does.
const INDENTED: f64 = 10.0;

/// An indentation that is not told from rounding, m (or rad).
const GHOST: f64 = 1e-14;

/// An absolute tolerance that never binds.
const UNCONTROLLED: f64 = 1e200;

/// The second time derivative of a gap, m/s² (or rad/s²), with these accelerations of all bodies.
fn second(
    kind: &Kind,
    site: &Site,
    stance: &Stance,
    poses: &[Pose],
    track: &Track,
    accelerations: &[f64],
) -> f64 {
    let (mut second, by) = match (kind, stance) {
        (Kind::Contact(contact), Stance::Opposite(at)) => {
            (contact.bend(site.slot, poses, track), at.by)
        }
        (_, Stance::Travel(gap)) => (gap.second, gap.by),
        _ => return f64::NAN,
    };
    for (body, by) in kind.bodies().into_iter().zip(by) {
        let own = body.and_then(|b| accelerations.as_chunks::<3>().0.get(b));
        let own = own.into_iter().flatten().zip(by);
        second += own.map(|(a, by)| a * by).sum::<f64>();
    }
    second
}

pub(super) fn side_name(upper: bool) -> &'static str {
    if upper { "upper" } else { "lower" }
}
