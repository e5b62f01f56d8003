//! What do contacts store, and what have they turned into heat?

use crate::mechanics::{Apart, Contacting, Pose};

use super::{Element, HEAT, RUB_HEAT, Touches};

impl Touches {
    /// What is stored in all of them, J.
    pub fn stored(&self, poses: &[Pose]) -> f64 {
        let bent: f64 = (0..self.sites.len()).map(|i| self.bent(i)).sum();
        self.over(poses, Contacting::stored) + bent
    }

    /// What is stored in the bristles or the spring of its friction, J.
    pub(super) fn bent(&self, i: usize) -> f64 {
        if !self.sites[i].bristle || self.memory[i].touch().is_none() {
            return 0.0;
        }
        let kind = &self.elements[self.sites[i].element].kind;
        kind.friction()
            .map_or(0.0, |law| law.stored(self.bristles[i]))
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
    pub(super) fn lost_by(&self, element: &Element, poses: &[Pose]) -> f64 {
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
        for (i, site) in self.sites.iter().enumerate() {
            sum += extras[site.extra + HEAT];
            if site.rubs {
                // What friction took is heat but for what its bristles store.
                sum += extras[site.extra + RUB_HEAT] - self.bent(i);
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
            if sites().any(|site| site.rubs) {
                let taken: f64 = sites().map(|site| extras[site.extra + RUB_HEAT]).sum();
                let bent: f64 = element.sites.clone().map(|i| self.bent(i)).sum();
                let heat = taken - bent;
                found.push((format!("{}.friction", element.name), heat));
            }
        }
        found
    }
}
