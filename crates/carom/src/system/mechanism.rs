//! What is a mechanism that is put together and ready to move?

use crate::model::{Analysis, Channel, Model};

use super::beyond::Beyond;
use super::equations::Equations;
use super::note::Warning;
use super::saddle::Rank;
use super::structure::Fault;

use super::works::Works;

/// A mechanism as numbers: consistent at its start, with everything that evaluations need.
#[derive(Clone, Debug)]
pub struct System {
    pub(super) model: Model,
    pub(super) equations: Equations,
    /// `joint.pin`, `driver.motor`: of every joint and row of a driver.
    pub(super) names: Vec<String>,
    pub(super) works: Works,
    pub(super) beyond: Beyond,
    pub(super) channels: Vec<Channel>,
    pub(super) start: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    degrees: usize,
    /// Joints (and rows of drivers) whose reactions are not unique.
    pub(super) not_unique: Vec<usize>,
    pub(super) warnings: Vec<Warning>,
    /// On how many threads grains are moved; 0: as many as the machine has.
    pub(super) threads: usize,
    /// Whether steps of time are of uneven lengths.
    pub(super) uneven: bool,
}

impl System {
    pub(super) fn new(
        model: &Model,
        equations: Equations,
        names: Vec<String>,
        start: f64,
        q: Vec<f64>,
        v: Vec<f64>,
        degrees: usize,
        not_unique: Vec<usize>,
        warnings: Vec<Warning>,
    ) -> Self {
        let mut system = Self {
            works: Works::new(model),
            beyond: Beyond::default(),
            model: model.clone(),
            equations,
            names,
            channels: model.simulation.channels.clone(),
            start,
            q,
            v,
            degrees,
            not_unique,
            warnings,
            threads: 1,
            uneven: false,
        };
        if system.channels.is_empty() {
            let mut usual = Channel::usual(model);
            usual.retain(|channel| !system.is_not_unique(channel));
            if model.simulation.analysis == Analysis::Kinematic {
                // Nobody asked for forces, nor need there be masses.
                usual.retain(|channel| {
                    !matches!(
                        channel,
                        Channel::Joint(..)
                            | Channel::JointFriction(_)
                            | Channel::Driver(..)
                            | Channel::DriverPower(_)
                            | Channel::Energy(_)
                            | Channel::Contact(..)
                    )
                });
            }
            system.channels = usual;
        }
        system
    }

    /// Whether a channel is a reaction of a redundant set, which no number can be given for.
    pub(super) fn is_not_unique(&self, channel: &Channel) -> bool {
        if self.not_unique.is_empty() {
            return false;
        }
        let element = match *channel {
            Channel::Joint(joint, _) => Some(joint),
            Channel::JointFriction(i) => self.model.frictions.get(i).map(|entry| entry.joint),
            Channel::Driver(driver, row) => Some(self.driver_element(driver, row)),
            Channel::DriverPower(driver) => {
                let rows = self.model.drivers.get(driver).map_or(0, |d| d.rows.len());
                let first = self.driver_element(driver, 0);
                return (first..first + rows).any(|e| self.not_unique.contains(&e));
            }
            _ => None,
        };
        element.is_some_and(|element| self.not_unique.contains(&element))
    }

    /// Where a row of a driver stands among the joints.
    pub(super) fn driver_element(&self, driver: usize, row: usize) -> usize {
        let before = self.model.drivers.iter().take(driver);
        self.model.joints.len() + before.map(|d| d.rows.len()).sum::<usize>() + row
    }

    /// On how many threads grains are moved; 0: as many as the machine has, where there are thousands. Unless it is said there is one. The results are the same, byte for byte, whatever their number.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Steps of time are of uneven lengths from now on: each about as long as was asked for, and the samples where they were. A force of time that keeps step with equal ones does not with these.
    pub fn set_uneven_steps(&mut self) {
        self.uneven = true;
    }

    /// The model it was made from.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// In how many ways it can move.
    pub fn degrees_of_freedom(&self) -> usize {
        self.degrees
    }

    /// What was noticed when it was put together.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What a run hands over for every sample.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Time (s), positions and velocities at the start, three numbers a body; they obey all joints.
    pub fn start(&self) -> (f64, &[f64], &[f64]) {
        (self.start, &self.q, &self.v)
    }

    /// Starts with other velocities (m/s, m/s, rad/s a body): the nearest to these that obey all joints and drivers.
    pub fn start_with(&mut self, velocities: &[f64]) -> Result<(), Fault> {
        let mut v = self.v.clone();
        for (v, given) in v.iter_mut().zip(velocities) {
            *v = *given;
        }
        let mut q = self.q.clone();
        self.equations.project(self.start, &mut q, &mut v)?;
        self.v = v;
        Ok(())
    }

    /// Accelerations and multipliers at time `t` (s) for these positions and velocities.
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<Rank, Fault> {
        self.equations.evaluate(t, q, v)
    }

    /// Accelerations of the last evaluation, m/s², m/s², rad/s² a body.
    pub fn accelerations(&self) -> &[f64] {
        &self.equations.accelerations
    }

    /// Multipliers of the last evaluation, one a row.
    pub fn multipliers(&self) -> &[f64] {
        &self.equations.lambda
    }

    /// Applied forces of the last evaluation, weights and loads: N, N, N m a body.
    pub fn forces(&self) -> &[f64] {
        &self.equations.forces
    }

    /// Puts positions and velocities onto the constraints at time `t` (s); the violation of positions that is left.
    pub fn project(&mut self, t: f64, q: &mut [f64], v: &mut [f64]) -> Result<f64, Fault> {
        self.equations.project(t, q, v)
    }

    /// Right-hand side for a state [q, v, works] of the integrator: what it costs is the cost of a run. `dydt` is as long as the state.
    #[inline]
    pub fn right_hand_side(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let n = self.q.len();
        let (Some((q, rest)), true) = (y.split_at_checked(n), dydt.len() == y.len()) else {
            dydt.fill(f64::NAN);
            return;
        };
        // Works and the numbers of contacts may be left out together: fixed steps sum them up by themselves.
        let sound = y.len() == 2 * n || y.len() >= self.extras_at();
        let (Some((v, _)), true) = (rest.split_at_checked(n), sound) else {
            dydt.fill(f64::NAN);
            return;
        };
        if let Some(extras) = y.get(self.extras_at()..) {
            self.equations.take(extras);
        }
        match self.equations.evaluate(t, q, v) {
            Ok(Rank::Full | Rank::Deficient(_)) => {
                let (dq, rest) = dydt.split_at_mut(n);
                let (dv, powers) = rest.split_at_mut(n);
                dq.copy_from_slice(v);
                dv.copy_from_slice(&self.equations.accelerations);
                if !powers.is_empty() {
                    self.powers(t, powers);
                }
            }
            _ => dydt.fill(f64::NAN),
        }
    }

    /// The slopes of all that stands behind positions and velocities in the state, for the last evaluation.
    #[inline]
    pub(super) fn powers(&self, t: f64, powers: &mut [f64]) {
        let (works, extras) = powers.split_at_mut(self.works.count());
        self.works.powers(t, &self.equations, works);
        let touches = &self.equations.touches;
        let (contacts, joints) = extras.split_at_mut(touches.extras().min(extras.len()));
        touches.slopes(contacts);
        self.equations.rubbing.slopes(joints);
    }

    /// Where the numbers of stops and contacts begin in the state: behind positions, velocities and works.
    #[inline]
    pub(super) fn extras_at(&self) -> usize {
        2 * self.q.len() + self.works.count()
    }

    /// The state at the start, as the integrator has it: positions, velocities, the works done and the numbers of contacts, all zero.
    pub fn state(&self) -> Vec<f64> {
        let mut y = self.q.clone();
        y.extend(&self.v);
        let Equations {
            touches, rubbing, ..
        } = &self.equations;
        y.resize(self.extras_at() + touches.extras() + rubbing.extras(), 0.0);
        y
    }
}
