//! Which surfaces hold on to each other and which slide, as the guards and the search for holding forces see it?

use crate::friction::{Law, Sliding};
use crate::mechanics::{Contacting, Found, Grip, Pose};
use crate::system::holding::Held;

use super::{Acting, Kind, RUB_HEAT, RUB_IMPULSE, Stance, Touches, held, memory::second};

/// One pair of surfaces whose friction has a state.
pub(in crate::system) struct Gripping<'a> {
    pub grip: Grip,
    pub law: &'a Law,
    pub at: Sliding,
    pub found: Found,
    /// The direction of sliding.
    pub along: Held,
}

impl Touches {
    /// How many pairs of surfaces have a grip.
    pub fn grip_count(&self) -> usize {
        self.gripping.len()
    }

    /// The element that one of them belongs to.
    pub fn grip_element(&self, k: usize) -> String {
        let site = self.gripping.get(k).and_then(|&i| self.sites.get(i));
        site.map_or_else(String::new, |site| self.elements[site.element].name.clone())
    }

    /// Where their guards begin, behind those of the sites.
    pub fn first_grip(&self) -> usize {
        Contacting::GUARDS * self.sites.len()
    }

    /// Whether any surfaces hold on to each other.
    #[inline]
    pub fn holds(&self) -> bool {
        self.touching > 0 && self.gripping.iter().any(|&i| self.grips[i].holds())
    }

    /// Whether guards need an evaluation of all forces.
    #[inline]
    pub fn asks(&self) -> bool {
        self.touching > 0 && self.gripping.iter().any(|&i| self.grips[i].asks())
    }

    /// One of them, for the forces of the last evaluation and these accelerations; `None` while it does not touch.
    pub fn gripping(
        &self,
        k: usize,
        t: f64,
        poses: &[Pose],
        accelerations: &[f64],
    ) -> Option<Gripping<'_>> {
        let &i = self.gripping.get(k)?;
        self.memory[i].touch()?;
        let kind = &self.elements[self.sites[i].element].kind;
        let Kind::Contact(contact) = kind else {
            return None;
        };
        let law = contact.friction()?;
        let stance = self.stance(i, poses)?;
        let apart = stance.apart(self.own[i]);
        let Stance::Opposite(opposite) = &stance else {
            return None;
        };
        let Acting { rub, own_rate, .. } = self.acting[i];
        let opens = second(kind, &stance, poses, accelerations);
        let normal = self.memory[i].force(t, &apart).total().max(0.0);
        // A depth is the difference of places that are known to a rounding each, and the force grows with about its 1.5th power.
        let [x, y] = opposite.point;
        let [depth, _] = self.memory[i].indentation(&apart);
        let blur = 2.0 * f64::EPSILON * (x.abs() + y.abs()) / depth;
        Some(Gripping {
            grip: self.grips[i],
            law,
            at: Sliding {
                speed: opposite.slip,
                normal,
                state: self.bristles[i],
            },
            found: Found {
                hold: rub,
                normal_rate: self.memory[i].force_rate(t, &apart, opens, own_rate),
                moment: self.memory[i].duration(),
                blur: if blur > 0.0 { blur } else { 0.0 },
            },
            along: held(i, contact, opposite, law.most(normal), poses),
        })
    }

    /// The state of one from now on; a spring that slipped bends from where it is.
    pub fn set_grip(&mut self, k: usize, grip: Grip, state: f64, extras: &mut [f64]) {
        let Some(&i) = self.gripping.get(k) else {
            return;
        };
        self.grips[i] = grip;
        self.set_bristle(i, state, extras);
    }

    fn set_bristle(&mut self, i: usize, state: f64, extras: &mut [f64]) {
        let site = &self.sites[i];
        if site.bristle {
            self.bristles[i] = state;
            if let Some(own) = extras.get_mut(site.extra + site.bristle_at()) {
                *own = state;
            }
        }
    }

    /// Books what stopping a slow slide at once took: an impulse (N s) and heat (J).
    pub fn stopped(&self, site: usize, impulse: f64, heat: f64, extras: &mut [f64]) {
        let Some(site) = self.sites.get(site) else {
            return;
        };
        if let Some(own) = extras.get_mut(site.extra..site.extra + site.count()) {
            own[RUB_IMPULSE] += impulse;
            own[RUB_HEAT] += heat;
        }
    }

    /// After an accepted step: what is longer than friction can stretch has slipped. Whether anything moved.
    pub fn accept_bristles(&mut self, t: f64, poses: &[Pose], extras: &mut [f64]) -> bool {
        let mut moved = false;
        for i in 0..self.sites.len() {
            if !self.sites[i].bristle {
                continue;
            }
            let state = self.accepted_bristle(i, t, poses);
            if state != self.bristles[i] {
                self.set_bristle(i, state, extras);
                moved = true;
            }
        }
        moved
    }

    fn accepted_bristle(&self, i: usize, t: f64, poses: &[Pose]) -> f64 {
        let kind = &self.elements[self.sites[i].element].kind;
        let touch = self.memory[i].touch();
        let (Some(law), Some(stance), Some(_)) = (kind.friction(), self.stance(i, poses), touch)
        else {
            return 0.0;
        };
        let Stance::Opposite(at) = &stance else {
            return 0.0;
        };
        let sliding = Sliding {
            speed: at.slip,
            normal: self.memory[i].force(t, &stance.apart(self.own[i])).total(),
            state: self.bristles[i],
        };
        self.grips[i].accepted(law, &sliding)
    }

    pub(super) fn grip_guards(&self, t: f64, poses: &[Pose], accelerations: &[f64], g: &mut [f64]) {
        for (k, g) in g
            .as_chunks_mut::<{ Grip::GUARDS }>()
            .0
            .iter_mut()
            .enumerate()
        {
            *g = [1.0; Grip::GUARDS];
            if self.touching == 0 || self.grips[self.gripping[k]] == Grip::Plain {
                continue;
            }
            if let Some(one) = self.gripping(k, t, poses, accelerations) {
                one.grip.guards(one.law, &one.at, &one.found, g);
            }
        }
    }
}
