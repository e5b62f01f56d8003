//! What does a mechanism look like at an instant, for those who film it?
//!
//! A frame is taken at every sample, every accepted step and on both sides of every event, and only if somebody watches. All room is there before the run begins. A look leaves no trace: the evaluation that it takes
//! is put back to what it was, so that a run is the same whether or not it is watched.

use crate::mechanics::Pose;
use crate::model::Model;
use crate::model::group::account;

use super::equations::Equations;
use super::mechanism::System;
use super::reading::Energies;
use super::run::Observer;
use super::works::Works;

/// Why a frame is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A sample is due.
    Sample,
    /// A step is done.
    Step,
    /// Something is about to happen: two bodies touch or part, surfaces begin to hold or let go.
    Before,
    /// It has happened.
    After,
}

/// The force at a point of contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arrow {
    /// Where the contact stands among the model's contacts.
    pub contact: usize,
    /// Where, ground axes, m.
    pub point: [f64; 2],
    /// On the second body, friction and all, N.
    pub force: [f64; 2],
}

/// The energies at an instant, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance<'a> {
    /// Of motion.
    pub kinetic: f64,
    /// Of height.
    pub gravitational: f64,
    /// In springs and contacts.
    pub elastic: f64,
    /// Brought in by drivers since the start.
    pub driver_work: f64,
    /// Brought in by forces since the start.
    pub load_work: f64,
    /// Turned into heat since the start, in the order of [`System::accounts`].
    pub heats: &'a [f64],
    /// What the account lacks.
    pub residual: f64,
}

/// A mechanism at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// s.
    pub t: f64,
    /// Why it is taken.
    pub moment: When,
    /// The last step, s; 0 where there was none yet.
    pub step: f64,
    /// At how many points bodies touch.
    pub touching: usize,
    /// Where the bodies are, in the order of the model.
    pub poses: &'a [Pose],
    /// The values of [`System::channels`].
    pub values: &'a [f64],
    /// The forces at all points of contact.
    pub arrows: &'a [Arrow],
    /// The energies.
    pub balance: Balance<'a>,
}

/// Room for a frame, and for what an evaluation changes.
pub(super) struct Look {
    arrows: Vec<Arrow>,
    heats: Vec<f64>,
    /// What grains turned into heat, J: the last of the heats.
    pub of_grains: Vec<f64>,
    /// Which account each heat of an element belongs to.
    accounts: Vec<usize>,
    accelerations: Vec<f64>,
    lambda: Vec<f64>,
    forces: Vec<f64>,
}

impl Look {
    pub fn new(system: &System) -> Self {
        let (_, accounts) = accounts(&system.model, &system.works, &system.equations);
        let equations = &system.equations;
        Self {
            arrows: Vec::with_capacity(equations.touches.site_count()),
            heats: vec![0.0; system.accounts().len()],
            of_grains: Vec::new(),
            accounts,
            accelerations: equations.accelerations.clone(),
            lambda: equations.lambda.clone(),
            forces: equations.forces.clone(),
        }
    }

    /// Remembers what an evaluation changes.
    pub fn keep(&mut self, equations: &mut Equations) {
        self.accelerations.copy_from_slice(&equations.accelerations);
        self.lambda.copy_from_slice(&equations.lambda);
        self.forces.copy_from_slice(&equations.forces);
        equations.touches.keep_acting();
    }

    /// Puts it back.
    pub fn put_back(&self, equations: &mut Equations) {
        equations.accelerations.copy_from_slice(&self.accelerations);
        equations.lambda.copy_from_slice(&self.lambda);
        equations.forces.copy_from_slice(&self.forces);
        equations.touches.put_back_acting();
    }

    /// The frame of a state `y` that was just evaluated and read.
    pub fn frame<'a>(
        &'a mut self,
        system: &'a System,
        [t, step]: [f64; 2],
        moment: When,
        y: &[f64],
        first: Energies,
        values: &'a [f64],
    ) -> Frame<'a> {
        let n = system.q.len();
        let equations = &system.equations;
        let (q, rest) = y.split_at(n.min(y.len()));
        let (v, rest) = rest.split_at(n.min(rest.len()));
        let (works, extras) = rest.split_at(system.works.count().min(rest.len()));
        let now = system.energies(t, q, v);
        self.heats.fill(0.0);
        let (heats, accounts) = (&mut self.heats, &self.accounts);
        let mut next = accounts.iter();
        let mut add = |heat: f64| {
            if let Some(sum) = next.next().and_then(|&i| heats.get_mut(i)) {
                *sum += heat;
            }
        };
        let beside = |rub: usize| equations.rubbing_heat(rub, extras);
        system.works.each_heat(works, &beside, &mut add);
        equations
            .touches
            .each_heat(&equations.poses, extras, &mut add);
        let last = self.heats.iter_mut().rev();
        for (heat, of_grains) in last.zip(self.of_grains.iter().rev()) {
            *heat = *of_grains;
        }
        let heat: f64 = self.heats.iter().sum();
        let (driver_work, load_work) = (system.works.drivers(works), system.works.loads(works));
        equations.touches.arrows(&equations.poses, &mut self.arrows);
        let gained: f64 = now.iter().zip(first).map(|(now, first)| now - first).sum();
        Frame {
            t,
            moment,
            step,
            touching: equations.touches.touching(),
            poses: &equations.poses,
            values,
            arrows: &self.arrows,
            balance: Balance {
                kinetic: now[0],
                gravitational: now[1],
                elastic: now[2],
                driver_work,
                load_work,
                heats: &self.heats,
                residual: gained - driver_work - load_work + heat,
            },
        }
    }
}

/// The accounts of heat, and for every heat of an element the place of its account.
fn accounts(model: &Model, works: &Works, equations: &Equations) -> (Vec<String>, Vec<usize>) {
    let own = works.heat_names(model);
    let names = own.chain(equations.touches.heat_names());
    let (mut accounts, mut places) = (Vec::<String>::new(), Vec::new());
    for name in names {
        let name = account(&name);
        let place = accounts.iter().rposition(|known| *known == name);
        places.push(place.unwrap_or(accounts.len()));
        if place.is_none() {
            accounts.push(name);
        }
    }
    (accounts, places)
}

impl System {
    /// The one frame of an analysis without time.
    pub(super) fn show_once(
        &self,
        t: f64,
        y: &[f64],
        first: Energies,
        values: &[f64],
        observer: &mut dyn Observer,
    ) {
        if observer.watches() {
            let mut look = Look::new(self);
            observer.frame(&look.frame(self, [t, 0.0], When::Sample, y, first, values));
        }
    }

    /// The elements that may turn energy into heat, as [`Balance::heats`] has them; of every group of grains there are three more behind them: contact, friction and rolling.
    pub fn accounts(&self) -> Vec<String> {
        let (mut names, _) = accounts(&self.model, &self.works, &self.equations);
        for group in self.model.of_grains() {
            let parts = ["", ".friction", ".rolling"];
            names.extend(parts.map(|part| format!("{}{part}", group.element())));
        }
        names
    }
}
