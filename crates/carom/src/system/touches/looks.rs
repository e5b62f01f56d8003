//! What is to be seen of contacts: in passing, at a sample, and once they are over?

use crate::friction::Sliding;
use crate::mechanics::{Apart, Episode, Grip, Opposite, Pose, pose_all};
use crate::solve::Inside;
use crate::system::course::Glance;
use crate::system::episode::Contacted;
use crate::system::frame::Arrow;

use super::{
    Acting, HEAT, IMPULSE, Kind, RUB_HEAT, RUB_IMPULSE, RUB_SLIDE, Stance, Touches, side_name,
};

/// How many times its longest elongation a spring may slip in the time of a contact for it to creep.
const CREEPS: f64 = 10.0;

/// See [`Touches::reading`].
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::system) struct Reading {
    pub gap: f64,
    pub indentation: f64,
    pub indentation_rate: f64,
    pub force: f64,
    pub friction: f64,
    pub on_second: [f64; 2],
    pub moment: f64,
}

impl Touches {
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
        if self.rigid.is_some() {
            return self.rigid_under_way(t);
        }
        let sites = 0..self.sites.len();
        let under_way = sites.filter_map(|i| {
            let stance = self.stance(i, poses)?;
            let episode = self.memory[i].so_far(t, &stance.apart(self.own[i]))?;
            Some(self.contacted(i, episode, false))
        });
        under_way.collect()
    }

    pub(super) fn contacted(&self, i: usize, episode: Episode, over: bool) -> Contacted {
        let site = &self.sites[i];
        let element = &self.elements[site.element];
        let terms = element.kind.terms();
        Contacted {
            element: element.name.clone(),
            entry: match element.kind {
                Kind::Limit(_) => None,
                Kind::Contact(_) => Some(site.element - self.limits),
            },
            side: matches!(element.kind, Kind::Limit(_)).then(|| side_name(site.slot == 1)),
            slot: site.slot,
            law: terms.follows.card().id,
            friction: element.kind.friction().map(|law| law.card().id),
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
    pub(super) fn glance(&self, i: usize, t: f64, stance: &Stance, extras: &[f64]) -> Glance {
        let (memory, site) = (&self.memory[i], &self.sites[i]);
        let at = |k: usize| extras.get(site.extra + k).copied().unwrap_or(0.0);
        let own = if site.own { at(site.own_at()) } else { 0.0 };
        let apart = stance.apart(own);
        let [delta, rate] = memory.indentation(&apart);
        let force = memory.force(t, &apart).total();
        let mut glance = Glance {
            t,
            delta,
            rate,
            force,
            stored: memory.stored(&apart),
            heat: at(HEAT) + memory.lost(&apart),
            impulse: at(IMPULSE),
            ..Glance::default()
        };
        let kind = &self.elements[site.element].kind;
        if let (true, Stance::Opposite(opposite)) = (site.rubs, stance) {
            glance.rub_heat = at(RUB_HEAT);
            glance.rub_impulse = at(RUB_IMPULSE);
            glance.slide = at(RUB_SLIDE);
            glance.slip = opposite.slip;
            if let Some(law) = kind.friction() {
                let bristle = if site.bristle {
                    at(site.bristle_at())
                } else {
                    0.0
                };
                let mut sliding = Sliding {
                    speed: opposite.slip,
                    normal: force.max(0.0),
                    state: bristle,
                };
                sliding.state = self.grips[i].state(law, &sliding);
                glance.rub_heat -= law.stored(sliding.state);
                glance.bend = sliding.state;
                glance.held = matches!(self.grips[i], Grip::Holds | Grip::Bends);
                let plain = matches!(self.grips[i], Grip::Plain | Grip::Yields);
                // A spring that lets go below its limit and slips on slowly, as far as it bends in the time of a few contacts, lets creep what it could hold.
                let slow = sliding.speed.abs() * memory.duration() < CREEPS * law.bend(force);
                let creeps = matches!(self.grips[i], Grip::Slips(_)) && slow;
                glance.rests = glance.held || (plain || creeps) && law.rests(&sliding);
            }
        }
        glance
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
        if self.touching == 0 || self.rigid.is_some() {
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
            let now = self.glance(i, t, &stance, &y[extras..]);
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
                        let there = kind.stance(site.slot, &poses, &self.tracks[i]);
                        let there = there.as_ref().unwrap_or(&stance);
                        self.glance(i, t, there, &state[extras..])
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

    /// The site of a contact that speaks for it: its contact entries are counted behind the limits.
    fn sites_of(&self, contact: usize) -> std::ops::Range<usize> {
        let element = self.elements.get(self.limits + contact);
        element.map_or(0..0, |element| element.sites.clone())
    }

    /// The forces at all points of contact in the last evaluation; stops have no points. There is room for all of them.
    pub fn arrows(&self, poses: &[Pose], arrows: &mut Vec<Arrow>) {
        arrows.clear();
        if self.touching == 0 {
            return;
        }
        for (i, site) in self.sites.iter().enumerate() {
            let touches = self.touches(i);
            let Some(contact) = site.element.checked_sub(self.limits).filter(|_| touches) else {
                continue;
            };
            let Some(Stance::Opposite(at)) = self.stance(i, poses) else {
                continue;
            };
            arrows.push(Arrow {
                contact,
                point: at.point,
                force: on_second(&at, &self.acting[i]),
            });
        }
    }

    /// At how many points bodies touch.
    pub fn touching(&self) -> usize {
        self.touching
    }

    /// Remembers what the last evaluation found.
    pub fn keep_acting(&mut self) {
        self.kept.copy_from_slice(&self.acting);
    }

    /// Puts it back.
    pub fn put_back_acting(&mut self) {
        self.acting.copy_from_slice(&self.kept);
    }

    /// What a contact does and how it stands: the least gap (m) over its points with the deepest indentation and its rate, the sum of the forces and frictions (N), and the force on the second body (N, N) and
    /// its moment about a point (N m); forces are those of the last evaluation.
    pub fn reading(&self, contact: usize, poses: &[Pose], about: [f64; 2]) -> Reading {
        let mut found = Reading {
            gap: f64::INFINITY,
            ..Reading::default()
        };
        let mut deepest = f64::NEG_INFINITY;
        for i in self.sites_of(contact) {
            let Some(Stance::Opposite(at)) = self.stance(i, poses) else {
                continue;
            };
            let [delta, rate] = self.memory[i].indentation(&at.apart(0.0));
            found.gap = found.gap.min(at.near.gap);
            if delta > deepest {
                deepest = delta;
                found.indentation = delta.max(0.0);
                found.indentation_rate = rate;
            }
            if !self.touches(i) {
                continue;
            }
            let acting = &self.acting[i];
            found.force += acting.force.total();
            found.friction += acting.rub;
            let [x, y] = on_second(&at, acting);
            found.on_second[0] += x;
            found.on_second[1] += y;
            let arm = [at.point[0] - about[0], at.point[1] - about[1]];
            found.moment += arm[0] * y - arm[1] * x + acting.roll;
        }
        found
    }
}

/// The force on the second body, N.
fn on_second(at: &Opposite, acting: &Acting) -> [f64; 2] {
    let ([nx, ny], total) = (at.near.normal, acting.force.total());
    [total * nx - acting.rub * ny, total * ny + acting.rub * nx]
}
