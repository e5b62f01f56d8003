//! How closely is the integrator to follow contacts, and how far may it step?

use crate::mechanics::{Contacting, Travel, pose_all};

use super::{
    Bond, HEAT, IMPULSE, INDENTATION, Kind, RUB_HEAT, RUB_IMPULSE, RUB_SLIDE, Stance, Touches,
};

/// How many times the relative tolerance an indentation may be off: positions and velocities of the bodies have theirs, and an error of the indentation does not grow, as one of theirs does.
const INDENTED: f64 = 10.0;

/// An absolute tolerance that never binds.
const UNCONTROLLED: f64 = 1e200;

impl Touches {
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
            let mut gap = f64::INFINITY;
            for i in element.sites.clone() {
                let Some(Stance::Opposite(at)) = self.stance(i, &poses) else {
                    continue;
                };
                gap = gap.min(at.near.gap);
                if !self.touches(i) {
                    let returns = contact.returns(&at, &poses, accelerations);
                    longest = longest.min(returns.max(self.pause()));
                }
            }
            longest = longest.min(contact.longest_step(gap, &poses, accelerations));
        }
        self.poses = poses;
        longest
    }

    /// Looks for points of contact where a step is going to end: one that came into being on the way is then followed all along it, and its touch is seen in time. What touches is left alone.
    pub fn look_ahead(&mut self, q: &[f64], v: &[f64]) {
        let mut poses = std::mem::take(&mut self.poses);
        pose_all(q, v, &mut poses);
        for element in &self.elements {
            let Kind::Contact(contact) = &element.kind else {
                continue;
            };
            let sites = element.sites.clone();
            let (Some(tracks), Some(memory)) = (
                self.tracks.get_mut(sites.clone()),
                self.memory.get(sites.clone()),
            ) else {
                continue;
            };
            let rigid = self.rigid.as_ref().map(|rigid| rigid.bonds(sites));
            let together = |slot: usize| rigid.is_some_and(|bonds| bonds[slot] != Bond::Apart);
            if !(0..contact.slots()).any(|slot| contact.appears(slot)) {
                continue;
            }
            for (slot, (track, memory)) in tracks.iter_mut().zip(memory).enumerate() {
                track.held = memory.touch().is_some() || together(slot);
            }
            self.glimpse.clear();
            self.glimpse.extend_from_slice(tracks);
            contact.seek(&poses, &mut self.glimpse);
            let open = |slot: usize, memory: &Contacting| memory.is_open() && !together(slot);
            let mut all = tracks.iter().zip(&self.glimpse).zip(memory).enumerate();
            // A place that touches and has become one with another is told apart when the step is done.
            if all.any(|(slot, ((old, new), memory))| !open(slot, memory) && old.on != new.on) {
                continue;
            }
            let both = tracks.iter_mut().zip(&self.glimpse).zip(memory);
            for (slot, ((old, new), memory)) in both.enumerate() {
                if open(slot, memory) && contact.appears(slot) {
                    *old = *new;
                }
            }
        }
        self.poses = poses;
    }

    /// The name of a number in the state, for messages.
    pub fn extra_name(&self, extra: usize) -> String {
        let what = [
            "indentation",
            "heat",
            "impulse",
            "friction work",
            "friction impulse",
            "slip distance",
        ];
        let last = self.sites.iter().rev().find(|site| site.extra <= extra);
        last.map_or_else(String::new, |site| {
            let k = extra - site.extra;
            let what = if site.own && k == site.own_at() {
                "own variable"
            } else if site.bristle && k == site.bristle_at() {
                "bristle"
            } else {
                what[k.min(5)]
            };
            format!("{what} of {}", self.site_name(site))
        })
    }

    /// Whether a number in the state feeds back into forces: only the variables of laws do.
    pub fn feeds_back(&self, extra: usize) -> bool {
        let last = self.sites.iter().rev().find(|site| site.extra <= extra);
        last.is_some_and(|site| {
            site.own && extra == site.extra + site.own_at()
                || site.bristle && extra == site.extra + site.bristle_at()
        })
    }

    /// The name of any element whose law has a variable of its own.
    pub fn with_own(&self) -> Option<&str> {
        let site = self.sites.iter().find(|site| site.own || site.bristle)?;
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
                atol[first + RUB_SLIDE] = UNCONTROLLED;
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
            if site.bristle
                && let (Some(peak), Some(law)) = (memory.peak(), kind.friction())
            {
                let at = first + site.bristle_at();
                atol[at] = rtol[at] * law.bend(peak);
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
                    let size = y[i].abs();
                    // No coordinate is known better than it can be written.
                    let finest = (asked[i] * scale).max(4.0 * f64::EPSILON * size);
                    atol[i] = atol[i].min(finest);
                    if size > scale {
                        rtol[i] = rtol[i].min(finest / size);
                    }
                }
            }
        }
    }
}
