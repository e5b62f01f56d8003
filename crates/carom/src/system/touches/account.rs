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
        let mut heats = Vec::new();
        self.each_heat(poses, extras, &mut |heat| heats.push(heat));
        self.heat_names().zip(heats).collect()
    }

    /// The names of [`Touches::each_heat`].
    pub fn heat_names(&self) -> impl Iterator<Item = String> + '_ {
        self.elements.iter().flat_map(|element| {
            let rubs = self.rubs(element);
            let friction = rubs.then(|| format!("{}.friction", element.name));
            std::iter::once(element.name.clone()).chain(friction)
        })
    }

    fn rubs(&self, element: &Element) -> bool {
        let mut sites = self.sites[element.sites.clone()].iter();
        sites.any(|site| site.rubs)
    }

    /// Hands over what each element has turned into heat since the start, J; friction by itself.
    pub fn each_heat(&self, poses: &[Pose], extras: &[f64], put: &mut dyn FnMut(f64)) {
        let at = |i: usize| extras.get(i).copied().unwrap_or(0.0);
        for element in &self.elements {
            let sites = || self.sites[element.sites.clone()].iter();
            let normal: f64 = sites().map(|site| at(site.extra + HEAT)).sum();
            let lost = self.lost_by(element, poses) - element.at_start;
            put(normal + lost);
            if self.rubs(element) {
                let taken: f64 = sites().map(|site| at(site.extra + RUB_HEAT)).sum();
                let bent: f64 = element.sites.clone().map(|i| self.bent(i)).sum();
                put(taken - bent);
            }
        }
    }
}
