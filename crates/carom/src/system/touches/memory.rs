//! How do contacts begin, turn and end, and what must the integrator do about it?

use crate::card::rounded;
use crate::mechanics::{Apart, Contacting, Episode, Happening, Meeting, Pose};
use crate::system::course::Course;
use crate::system::episode::{Contacted, Place, Terms as Begun};
use crate::system::note::Warning;

use super::{INDENTATION, Kind, Stance, Touches};

/// What changed at an event or at an accepted step.
#[derive(Clone, Debug, Default)]
pub(in crate::system) struct Changes {
    /// Whether the step under way is to be cut.
    pub cut: bool,
    /// Whether to start afresh.
    pub restart: bool,
    /// The least step that is asked for to do so, s.
    pub first_step: Option<f64>,
    /// Whether only friction changed its state.
    pub regripped: bool,
    /// Whether all that touched has parted.
    pub free: bool,
    /// Contacts that had ended and go on: element, point, and when they began (s).
    pub resumed: Vec<(String, usize, f64)>,
    /// Contacts that are over.
    pub ended: Vec<Contacted>,
    /// What was noticed.
    pub warnings: Vec<Warning>,
    /// Why it cannot go on.
    pub failed: Option<String>,
}

impl Changes {
    /// Surfaces that held let go, or others hold: forces jump or have a corner.
    pub fn regrip(&mut self) {
        self.cut = true;
        if !self.restart {
            self.restart = true;
            self.regripped = true;
        }
    }

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
pub(in crate::system) enum Step<'a> {
    /// A run begins, with these accelerations where nothing touches yet; gaps within the second number (m, rad) are none.
    Start(&'a [f64], f64),
    /// A step is done; whether the numbers in the state have come along with it, or are summed up beside it and will.
    Accept(bool),
    /// Guards fired: those that this says.
    Event(&'a dyn Fn(usize) -> bool),
}

/// An indentation that is not told from rounding, m (or rad).
const GHOST: f64 = 1e-14;

/// The part of its depth by which a gap must jump to be told from the errors of a step.
const JUMP: f64 = 1e-4;

/// The part of the smaller shape's size by which a touch may be seen late.
const DEEP: f64 = 0.02;

/// How much deeper than what is pressed beside it a place of contact may be where it comes into being, as a part.
const BORN: f64 = 1.1;

impl Touches {
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
            if fired[Contacting::TOUCHING] {
                self.claim(i, poses);
            }
            let site = self.sites[i];
            let Some(stance) = self.stance(i, poses) else {
                if self.memory[i].touch().is_some() {
                    // How deep it is now is integrated beside the motion.
                    let delta = extras.get(site.extra + INDENTATION).copied();
                    self.lose(i, t, delta.unwrap_or(0.0), &mut changes);
                }
                self.memory[i].forget();
                continue;
            };
            let at = stance.apart(self.own[i]);
            if matches!(step, Step::Accept(true)) {
                self.go_on(i, t, &at, extras, &mut changes);
            }
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
                    let second = second(kind, &stance, poses, accelerations);
                    memory.start(terms, t, &at, second, hair, meeting)
                }
                Step::Accept(_) => memory.accept(terms, t, &at, meeting),
                Step::Event(_) => memory.event(terms, t, &at, fired, meeting),
            };
            match happening {
                Ok(Happening::Nothing) => {}
                Ok(Happening::Kink) => changes.cut = true,
                Ok(Happening::Began { first_step }) => {
                    changes.restart(Some(first_step));
                    self.touching += 1;
                    self.strays[i] = [t, 0.0, at.rate];
                    let first = site.extra;
                    if let Some(own) = extras.get_mut(first..first + site.count()) {
                        own[INDENTATION] = self.memory[i].indentation(&at)[0];
                        if site.own {
                            own[site.own_at()] = 0.0;
                            self.own[i] = 0.0;
                        }
                        if site.bristle {
                            own[site.bristle_at()] = 0.0;
                            self.bristles[i] = 0.0;
                        }
                    }
                    let glance = self.glance(i, t, &stance, extras);
                    self.courses[i] = Course::begun(glance);
                    self.traces.begin(i, &glance, self.own[i]);
                    self.places[i] = self.place(i, &stance, poses);
                    if let Some(touch) = self.memory[i].touch() {
                        self.begun[i] = Begun::of(touch, &terms.follows);
                    }
                    if !matches!(step, Step::Start(..)) {
                        self.late(i, t, &mut changes);
                    }
                }
                Ok(Happening::Resumed { first_step }) => {
                    changes.restart(Some(first_step));
                    self.touching += 1;
                    self.strays[i] = [t, 0.0, at.rate];
                    if let Some(indentation) = extras.get_mut(site.extra + INDENTATION) {
                        *indentation = self.memory[i].indentation(&at)[0];
                    }
                    let glance = self.glance(i, t, &stance, extras);
                    self.courses[i].reopen(glance);
                    if let Some(episode) = self.memory[i].so_far(t, &at) {
                        let element = self.elements[site.element].name.clone();
                        changes.resumed.push((element, site.slot, episode.start));
                    }
                }
                Ok(Happening::Turned { first_step }) => changes.restart(Some(first_step)),
                Ok(Happening::Ended(episode)) => {
                    self.end(i, episode, &mut changes);
                }
                Ok(Happening::Beyond(depth)) => {
                    changes.failed = Some(format!(
                        "{} is {} {} deep at t = {} s, and the law {} has no force beyond. A larger clearance, a stiffer surface or a slower approach would keep it in range; `hertz` has no such limit",
                        self.site_name(&site),
                        rounded(depth),
                        kind.unit(),
                        rounded(t),
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
                        "{} touches at t = {} s, but no contact can begin there: {why}",
                        self.site_name(&site),
                        rounded(t),
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

    /// Where corners pass each other at an angle, or the nearest places of smooth outlines become one, the gap of what is pressed can jump, though nothing was moved: the indentation goes on as it was, so that
    /// nothing is stored that nobody has put in, and nothing is lost.
    fn go_on(&mut self, i: usize, t: f64, at: &Apart, extras: &[f64], changes: &mut Changes) {
        let Some(followed) = extras.get(self.sites[i].extra + INDENTATION) else {
            return;
        };
        let Some(depth) = self.memory[i].depth() else {
            return;
        };
        let site = &self.sites[i];
        let element = &self.elements[site.element];
        let [delta, rate] = self.memory[i].indentation(at);
        let now = [t, delta - followed, rate];
        let [before, strayed, was] = std::mem::replace(&mut self.strays[i], now);
        let by = delta - followed - strayed;
        // No motion explains it: steps follow a gap far more closely than by a tenth of its way.
        let way = rate.abs().max(was.abs()) * (t - before);
        if !(by.abs() > JUMP * depth.max(followed.abs()) && by.abs() > 0.1 * way) {
            return;
        }
        self.memory[i].jumped(by);
        self.strays[i][1] = strayed;
        changes.cut = true;
        changes.warnings.push(Warning {
            code: "contact-jumped",
            element: Some(element.name.clone()),
            time: Some(t),
            message: format!(
                "a gap that was pressed {followed:.3e} {unit} jumped by {by:.3e} {unit} where the shapes have no common depth. The indentation goes on as it was",
                unit = element.kind.unit(),
            ),
            hint: "round the corners more, or make the contact stiffer: what is less deep jumps less".into(),
        });
    }

    /// A contact is over. Where surfaces part or slide along each other rounding can make them touch for a moment: answers whether it was more than that.
    fn end(&mut self, i: usize, episode: Episode, changes: &mut Changes) -> bool {
        self.touching -= 1;
        self.courses[i].close();
        changes.restart(None);
        changes.free |= self.touching == 0;
        let real = self.courses[i].deepest[0] > GHOST;
        if real {
            changes.ended.push(self.contacted(i, episode, true));
        }
        self.traces.end(i);
        real
    }

    /// A point of contact is gone though it was pressed: it slid over an edge.
    fn lose(&mut self, i: usize, t: f64, delta: f64, changes: &mut Changes) {
        let last = *self.courses[i].last();
        let at = Apart {
            gap: -delta - self.memory[i].offset(),
            rate: self.acting[i].rate,
            own: self.own[i],
        };
        if let Happening::Ended(episode) = self.memory[i].lose(t, &at) {
            if !self.end(i, episode, changes) {
                return;
            }
            let site = &self.sites[i];
            let deepest = match &self.elements[site.element].kind {
                Kind::Contact(contact) => contact.deepest(site.slot),
                Kind::Limit(_) => f64::INFINITY,
            };
            if last.delta > 0.9 * deepest {
                changes.failed = Some(format!(
                    "{} was pressed {:.3e} m deep at t = {} s, and its shapes feel each other to {deepest:.3e} m only. A stiffer contact, a slower approach or a larger shape would keep it in range",
                    self.site_name(site),
                    last.delta,
                    rounded(t),
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

    /// A touch that was seen late: the surfaces stand in each other already. Its indentation counts from there; if they are so deep that they have as good as passed each other, the run ends.
    fn late(&self, i: usize, t: f64, changes: &mut Changes) {
        let memory = &self.memory[i];
        let Some(touch) = memory.touch() else {
            return;
        };
        let deep = memory.offset();
        let stored = touch.stored(deep);
        let brought = 0.5 * touch.mass() * touch.v0() * touch.v0();
        if stored <= 1e-3 * brought {
            return;
        }
        let site = &self.sites[i];
        let element = &self.elements[site.element];
        // Where bodies are pressed into each other, a place may come into being as deep as they are: nobody has missed it.
        let beside = element
            .sites
            .clone()
            .filter(|j| *j != i && self.touches(*j));
        let beside = beside.map(|j| self.courses[j].last().delta + self.memory[j].offset());
        let beside = beside.fold(0.0, f64::max);
        let lost = match &element.kind {
            // Unless that is more than the thinner one is thick: nobody can tell from which side it came.
            Kind::Contact(contact) => {
                deep > DEEP * contact.size() && (deep > BORN * beside || deep > contact.thickness())
            }
            Kind::Limit(_) => stored > brought,
        };
        let message = format!(
            "the touch was seen when the surfaces were {deep:.3e} {} inside each other already, which would store {stored:.3e} J, and the impact brings {brought:.3e} J",
            element.kind.unit(),
        );
        let hint = "a smaller max_step, or with a fixed step a shorter one";
        // Where bodies are pressed into each other by half of what they are thick, corners are no longer told from faces, and places come and go inside.
        let pressed = element.sites.clone().map(|j| self.courses[j].deepest[0]);
        let pressed = pressed.fold(0.0, f64::max);
        if lost {
            let name = self.site_name(site);
            changes.failed = Some(match &element.kind {
                Kind::Contact(contact) if pressed > 0.4 * contact.thickness() => format!(
                    "{name}: the bodies were pressed {pressed:.3e} m into each other, and the thinner is {:.3e} m thick: contacts are meant to be shallow, and so deep inside corners are not told from faces ({message}). Hint: a stiffer contact, a slower approach or a thicker body",
                    contact.thickness()
                ),
                _ => format!("{name}: {message}. Hint: {hint}"),
            });
        } else {
            changes.warnings.push(Warning {
                code: "late-touch",
                element: Some(element.name.clone()),
                time: Some(t),
                message: format!("{message}. The indentation counts from there"),
                hint: hint.into(),
            });
        }
    }

    pub(super) fn place(&self, i: usize, stance: &Stance, poses: &[Pose]) -> Option<Place> {
        let Stance::Opposite(at) = stance else {
            return None;
        };
        let kind = &self.elements[self.sites[i].element].kind;
        let extent = match kind {
            Kind::Contact(contact) => contact.size(),
            Kind::Limit(_) => f64::INFINITY,
        };
        Some(Place::of(at, kind.bodies(), extent, poses))
    }
}

/// The second time derivative of a gap, m/s² (or rad/s²), with these accelerations of all bodies.
pub(super) fn second(kind: &Kind, stance: &Stance, poses: &[Pose], accelerations: &[f64]) -> f64 {
    let (mut second, by) = match (kind, stance) {
        (Kind::Contact(contact), Stance::Opposite(at)) => (contact.bend(at, poses)[0], at.by),
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
