//! Where does energy come from and where does it go, apart from motion, height and springs?
//!
//! The works of drivers and loads and the heat of every element that makes any are integrated beside the motion, each a component of the state: they are as exact as the motion itself. Those of stops and
//! contacts follow behind them (`touches`).

use crate::model::Model;

use super::equations::Equations;

/// Which works there are.
#[derive(Clone, Debug)]
pub(super) struct Works {
    /// The first row of drivers; the end of rows if there are none.
    first_driver: usize,
    drives: bool,
    /// Loads that bring energy in.
    bring: Vec<usize>,
    /// Loads that waste energy.
    waste: Vec<usize>,
    /// How many joints have friction.
    rubs: usize,
}

impl Works {
    pub fn new(model: &Model) -> Self {
        let loads = model.loads.iter().map(|entry| &entry.load);
        let loads: Vec<_> = loads.enumerate().collect();
        let of = |takes: &dyn Fn(usize) -> bool| (0..loads.len()).filter(|&i| takes(i)).collect();
        Self {
            first_driver: model.joints.iter().map(|entry| entry.joint.count()).sum(),
            drives: !model.drivers.is_empty(),
            bring: of(&|i| loads[i].1.brings()),
            waste: of(&|i| loads[i].1.wastes()),
            rubs: model.frictions.len(),
        }
    }

    /// How many components of the state.
    pub fn count(&self) -> usize {
        self.first_heat() + self.waste.len() + self.rubs
    }

    /// Where the heats begin, behind the works of drivers and loads.
    fn first_heat(&self) -> usize {
        usize::from(self.drives) + usize::from(!self.bring.is_empty())
    }

    /// The powers, W, of the last evaluation.
    #[inline]
    pub fn powers(&self, t: f64, equations: &Equations, powers: &mut [f64]) {
        let mut powers = powers.iter_mut();
        if self.drives
            && let Some(power) = powers.next()
        {
            // What a driver brings in is λ Φ_t, as Φ_q v = −Φ_t.
            let rows = self.first_driver..;
            let terms = equations.lambda[rows.clone()]
                .iter()
                .zip(&equations.times[rows]);
            *power = terms.map(|(lambda, time)| lambda * time).sum();
        }
        if !self.bring.is_empty()
            && let Some(power) = powers.next()
        {
            let loads = self.bring.iter().map(|&i| &equations.loads[i]);
            *power = loads.map(|load| load.rates(t, &equations.poses)[1]).sum();
        }
        for (&load, power) in self.waste.iter().zip(&mut powers) {
            *power = equations.loads[load].rates(t, &equations.poses)[0];
        }
        for (rub, power) in (0..self.rubs).zip(powers) {
            *power = equations.rubbing.power(rub);
        }
    }

    /// The work of drivers, J, from the works in a state.
    pub fn drivers(&self, works: &[f64]) -> f64 {
        if self.drives {
            works.first().copied().unwrap_or(0.0)
        } else {
            0.0
        }
    }

    /// The work of loads, J.
    pub fn loads(&self, works: &[f64]) -> f64 {
        let at = usize::from(self.drives);
        if self.bring.is_empty() {
            0.0
        } else {
            works.get(at).copied().unwrap_or(0.0)
        }
    }

    /// What each element turned into heat, J, with its name; `beside` answers what of the heat of a joint's friction is not in its work.
    pub fn heats(
        &self,
        model: &Model,
        works: &[f64],
        beside: &dyn Fn(usize) -> f64,
    ) -> Vec<(String, f64)> {
        let mut heats = Vec::new();
        self.each_heat(works, beside, &mut |heat| heats.push(heat));
        self.heat_names(model).zip(heats).collect()
    }

    /// The names of the elements that turn energy into heat.
    pub fn heat_names<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = String> + 'a {
        (0..self.waste.len() + self.rubs).map(|i| self.heat_name(model, i))
    }

    /// Hands over what each of them turned into heat, J; `beside` answers what of the heat of a joint's friction is not in its work.
    pub fn each_heat(
        &self,
        works: &[f64],
        beside: &dyn Fn(usize) -> f64,
        put: &mut dyn FnMut(f64),
    ) {
        for (i, heat) in works.iter().skip(self.first_heat()).enumerate() {
            put(match i.checked_sub(self.waste.len()) {
                Some(rub) => heat + beside(rub),
                None => *heat,
            });
        }
    }

    /// The element that the i-th heat belongs to.
    fn heat_name(&self, model: &Model, i: usize) -> String {
        if let Some(&load) = self.waste.get(i) {
            let entry = model.loads.get(load);
            return entry.map_or_else(String::new, |entry| format!("force.{}", entry.name));
        }
        let entry = model.frictions.get(i.saturating_sub(self.waste.len()));
        entry.map_or_else(String::new, |e| format!("joint.{}.friction", e.name))
    }

    /// The sum of all heats, J, but for what of the heat of joints is not in their works.
    pub fn heat(&self, works: &[f64]) -> f64 {
        works.iter().skip(self.first_heat()).sum()
    }

    /// The name of a work, for messages.
    pub fn name(&self, model: &Model, work: usize) -> String {
        if self.drives && work == 0 {
            return "work of drivers".into();
        }
        let heats = self.first_heat();
        if work < heats {
            return "work of forces".into();
        }
        format!("heat of {}", self.heat_name(model, work - heats))
    }
}
