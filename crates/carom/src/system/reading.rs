//! What do the channels say at an instant?

use crate::geometry::Shape;
use crate::math;
use crate::mechanics::{Measure, Place, Pose, Row};
use crate::model::group::{Members, account};
use crate::model::{Account, BodyEntry, Channel, ContactQuantity, Effort, GroupQuantity, Motion};

use super::equations::largest;
use super::mechanism::System;
use super::note::Warning;

/// Energies and works, J.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Of motion.
    pub kinetic: f64,
    /// Of height; zero at the origin.
    pub gravitational: f64,
    /// In springs.
    pub elastic: f64,
    /// Brought in by drivers since the start.
    pub driver_work: f64,
    /// Brought in by forces since the start.
    pub load_work: f64,
    /// Turned into heat since the start, by element.
    pub dissipated: Vec<(String, f64)>,
    /// Energy now − energy at the start − works + heat: zero but for the errors of integration.
    pub residual: f64,
}

impl Ledger {
    /// What was turned over, J; `scale` is the largest kinetic energy seen, J.
    pub(super) fn throughput(&self, scale: f64) -> f64 {
        let heats = self.dissipated.iter().map(|d| d.1.abs());
        scale + self.driver_work.abs() + self.load_work.abs() + heats.sum::<f64>()
    }

    /// No difference of energies is known better than they can be written, J: where everything stands still that is all there is.
    fn rounding(&self) -> f64 {
        let sizes = self.kinetic.abs() + self.gravitational.abs() + self.elastic.abs();
        256.0 * f64::EPSILON * sizes
    }

    /// A warning for every contact and joint that has given back more than `part` of what was turned over beyond what it took, with why and what helps; `scale` as in [`Ledger::imbalance`].
    pub(super) fn gains(
        &self,
        t: f64,
        scale: f64,
        part: f64,
        [why, hint]: [&str; 2],
    ) -> impl Iterator<Item = Warning> {
        let least = (part * self.throughput(scale)).max(self.rounding());
        let touches = |name: &str| name.starts_with("contact.") || name.starts_with("joint.");
        let gained = self
            .dissipated
            .iter()
            .filter(move |d| -d.1 > least && touches(&d.0));
        gained.map(move |(element, heat)| Warning {
            code: "contact-gains-energy",
            element: Some(element.clone()),
            time: Some(t),
            message: format!(
                "{element} has given {:.3e} J more than it took: {why}",
                -heat
            ),
            hint: hint.into(),
        })
    }

    /// A warning if more than `part` of what was turned over is missing; `scale` is the largest kinetic energy seen, J.
    pub(super) fn imbalance(&self, t: f64, scale: f64, part: f64, hint: &str) -> Option<Warning> {
        let throughput = self.throughput(scale);
        if self.residual.abs() <= (part * throughput).max(self.rounding()) || !(throughput > 0.0) {
            return None;
        }
        if !self.residual.is_finite() {
            return Some(Warning {
                code: "energy-residual",
                element: None,
                time: Some(t),
                message: "the energy is too large to be written: whether it balances is not known"
                    .into(),
                hint: "velocities, masses or stiffnesses are many orders of magnitude off".into(),
            });
        }
        Some(Warning {
            code: "energy-residual",
            element: None,
            time: Some(t),
            message: format!(
                "the energy does not balance: {:.3e} J are missing or too many, of {throughput:.3e} J that were turned over",
                self.residual
            ),
            hint: hint.into(),
        })
    }
}

/// Kinetic, gravitational and elastic energy, J.
pub(super) type Energies = [f64; 3];

impl System {
    /// Kinetic, gravitational and elastic energy for the poses of the last evaluation.
    pub(super) fn energies(&self, t: f64, q: &[f64], v: &[f64]) -> Energies {
        [
            self.equations.kinetic(v),
            self.equations.gravitational(q),
            self.equations.elastic(t),
        ]
    }

    /// The ledger for a state of the integrator, `first` being the energies at the start.
    pub(super) fn ledger(&mut self, t: f64, y: &[f64], first: Energies) -> Ledger {
        let n = self.q.len();
        let (q, rest) = y.split_at(n);
        let (v, rest) = rest.split_at(n);
        let (works, extras) = rest.split_at(self.works.count());
        self.equations.take(extras);
        if self.equations.rubbing.has_states() {
            // What bends in a joint is known by the force that presses it.
            let _ = self.equations.evaluate(t, q, v);
        } else {
            self.equations.rows(t, q, v);
        }
        let now = self.energies(t, q, v);
        let [kinetic, gravitational, elastic] = now;
        let (driver_work, load_work) = (self.works.drivers(works), self.works.loads(works));
        let equations = &self.equations;
        let beside = |rub: usize| equations.rubbing_heat(rub, extras);
        let mut dissipated = self.works.heats(&self.model, works, &beside);
        for (element, heat) in equations.touches.heats(&equations.poses, extras) {
            let name = account(&element);
            // The many touches of a group stand side by side: one account for all of them.
            let known = if name == element {
                None
            } else {
                dissipated.iter_mut().rev().find(|known| known.0 == name)
            };
            match known {
                Some((_, sum)) => *sum += heat,
                None => dissipated.push((name, heat)),
            }
        }
        let heat = dissipated.iter().map(|(_, heat)| heat).sum();
        Ledger {
            kinetic,
            gravitational,
            elastic,
            driver_work,
            load_work,
            dissipated,
            residual: residual(now, first, driver_work + load_work, heat),
        }
    }

    /// Whether any channel asks for accelerations or reactions.
    pub(super) fn asks_for_forces(&self) -> bool {
        self.channels.iter().any(|channel| match channel {
            Channel::Body(_, m) | Channel::Point(_, _, m) => m.is_acceleration(),
            Channel::Joint(..)
            | Channel::JointFriction(_)
            | Channel::Driver(..)
            | Channel::DriverPower(_) => true,
            Channel::Contact(_, quantity) => quantity.is_force(),
            _ => false,
        })
    }

    /// The values of the channels for a state of the integrator; accelerations and multipliers are those of the last evaluation, which must have been for this state if any channel asks for them.
    pub(super) fn read(&mut self, t: f64, y: &[f64], first: Energies, values: &mut [f64]) {
        let equations = &self.equations;
        self.beyond.look(t, &equations.loads, &equations.poses);
        let n = self.q.len();
        let (q, rest) = y.split_at(n);
        let (v, rest) = rest.split_at(n);
        let energies = self.energies(t, q, v);
        for (channel, value) in self.channels.iter().zip(values) {
            *value = if self.is_not_unique(channel) {
                f64::NAN
            } else {
                self.value(channel, t, energies, first, rest)
            };
        }
    }

    fn value(
        &self,
        channel: &Channel,
        t: f64,
        energies: Energies,
        first: Energies,
        rest: &[f64],
    ) -> f64 {
        let (works, extras) = rest.split_at(self.works.count());
        let equations = &self.equations;
        let poses = &equations.poses;
        let acceleration = |body: usize, k: usize| equations.accelerations[3 * body + k];
        match *channel {
            Channel::Body(i, motion) => {
                let pose = &poses[i];
                match motion {
                    Motion::X => pose.position[0],
                    Motion::Y => pose.position[1],
                    Motion::Angle => pose.angle,
                    Motion::Vx => pose.velocity[0],
                    Motion::Vy => pose.velocity[1],
                    Motion::Omega => pose.omega,
                    Motion::Ax => acceleration(i, 0),
                    Motion::Ay => acceleration(i, 1),
                    Motion::Alpha => acceleration(i, 2),
                }
            }
            Channel::Point(i, p, motion) => {
                let at = self.model.bodies[i].points[p].at;
                let spot = Place::on(i, at).spot(poses);
                let along = |k: usize, u: [f64; 2]| {
                    let a = spot.by(u);
                    let own: f64 = (0..3).map(|k| a[k] * acceleration(i, k)).sum();
                    own + spot.centripetal()[k]
                };
                match motion {
                    Motion::X => spot.position[0],
                    Motion::Y => spot.position[1],
                    Motion::Vx => spot.velocity[0],
                    Motion::Vy => spot.velocity[1],
                    Motion::Ax => along(0, [1.0, 0.0]),
                    Motion::Ay => along(1, [0.0, 1.0]),
                    Motion::Angle => spot.angle,
                    Motion::Omega => spot.omega,
                    Motion::Alpha => acceleration(i, 2),
                }
            }
            Channel::Joint(i, effort) => {
                let rows = equations.saddle.structure().rows_of(i);
                let mut lines = [Row::default(); 3];
                for (line, by) in lines.iter_mut().zip(&equations.jacobian[rows.clone()]) {
                    let [a, b, c, d, e, f] = *by;
                    line.by = [[a, b, c], [d, e, f]];
                }
                let joint = &equations.joints[i];
                let on = joint.reaction(1, poses, &lines, &equations.lambda[rows]);
                match effort {
                    Effort::ForceX => on.force[0],
                    Effort::ForceY => on.force[1],
                    Effort::Moment => on.moment,
                }
            }
            Channel::JointTravel(i) => {
                let [one, two] = equations.joints[i].places();
                let (a, b) = (one.spot(poses), two.spot(poses));
                match channel.unit(&self.model) {
                    "rad" => Measure::turn(&a, &b).value,
                    _ => Measure::along(&a, &b).value,
                }
            }
            Channel::JointFriction(i) => equations.rubbing.effort(i),
            Channel::Driver(driver, row) => {
                let row = self.row_of(driver, row);
                -equations.lambda[row]
            }
            Channel::DriverPower(driver) => {
                let rows = self.model.drivers[driver].rows.len();
                let first = self.row_of(driver, 0);
                let power = |row: usize| equations.lambda[row] * equations.times[row];
                (first..first + rows).map(power).sum()
            }
            Channel::Load(i) => equations.loads[i].reading(t, poses).map_or(0.0, |r| r[0]),
            Channel::LoadLength(i) => equations.loads[i].reading(t, poses).map_or(0.0, |r| r[1]),
            Channel::Contact(i, quantity) => self.contact(i, quantity),
            Channel::Group(i, quantity) => self.group(i, quantity),
            // They are no bodies of a system.
            Channel::Grain(..) => f64::NAN,
            Channel::Energy(account) => {
                let (driver, load) = (self.works.drivers(works), self.works.loads(works));
                let heat = self.works.heat(works)
                    + equations.rubbing_heats(extras)
                    + equations.touches.heat(poses, extras);
                match account {
                    Account::Kinetic => energies[0],
                    Account::Gravitational => energies[1],
                    Account::Elastic => energies[2],
                    Account::DriverWork => driver,
                    Account::LoadWork => load,
                    Account::Dissipated => heat,
                    Account::Residual => residual(energies, first, driver + load, heat),
                }
            }
            Channel::Violation => largest(&equations.values[..self.joint_rows()]),
            Channel::ViolationRate => largest(&equations.rates[..self.joint_rows()]),
        }
    }

    /// Of a group of bodies.
    fn group(&self, i: usize, quantity: GroupQuantity) -> f64 {
        let poses = &self.equations.poses;
        let Some(group) = self.model.groups.get(i) else {
            return f64::NAN;
        };
        let Members::Bodies(members) = &group.members else {
            return f64::NAN;
        };
        let bodies = || {
            let both = |&i: &usize| Some((self.model.bodies.get(i)?, poses.get(i)?));
            members.iter().filter_map(both)
        };
        let depths = || {
            let touches = &self.equations.touches;
            let depth = |i: usize| touches.reading(i, poses, [0.0; 2]).indentation;
            group.contacts.clone().map(depth)
        };
        let centre = |k: usize| {
            let [mass, moment] = bodies().fold([0.0; 2], |[mass, moment], (entry, pose)| {
                let m = entry.body.mass();
                [mass + m, moment + m * pose.position[k]]
            });
            moment / mass
        };
        match quantity {
            GroupQuantity::Kinetic => bodies()
                .map(|(entry, pose)| entry.body.kinetic_energy(pose))
                .sum(),
            GroupQuantity::Contacts => depths().filter(|depth| *depth > 0.0).count() as f64,
            GroupQuantity::Overlap => depths().fold(0.0, f64::max),
            GroupQuantity::CentreX => centre(0),
            GroupQuantity::CentreY => centre(1),
            GroupQuantity::Top => bodies()
                .map(|(entry, pose)| top(entry, pose))
                .fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn contact(&self, i: usize, quantity: ContactQuantity) -> f64 {
        let poses = &self.equations.poses;
        let places = self.model.contacts.get(i).and_then(|entry| entry.joint);
        let spots = places.map(|places| places.map(|place| place.spot(poses).position));
        let [first, second] = spots.unwrap_or_default();
        let reading = self.equations.touches.reading(i, poses, second);
        let [x, y] = [second[0] - first[0], second[1] - first[1]];
        match quantity {
            // Tables and pictures leave out what is no number; an infinite one would spoil their scales.
            ContactQuantity::Gap if reading.gap.is_infinite() => f64::NAN,
            ContactQuantity::Gap => reading.gap,
            ContactQuantity::Indentation => reading.indentation,
            ContactQuantity::IndentationRate => reading.indentation_rate,
            ContactQuantity::Force => reading.force,
            ContactQuantity::Friction => reading.friction,
            ContactQuantity::ForceX => reading.on_second[0],
            ContactQuantity::ForceY => reading.on_second[1],
            ContactQuantity::Moment => reading.moment,
            ContactQuantity::Eccentricity => math::sqrt(x * x + y * y),
            ContactQuantity::EccentricityAngle => math::atan2(y, x),
        }
    }

    /// The rows of joints, which stand before those of drivers. A driver's angle counts turns, and with them its rounding: it is no measure of how well the joints are closed.
    pub(super) fn joint_rows(&self) -> usize {
        let structure = self.equations.saddle.structure();
        let joints = self.model.joints.len();
        joints
            .checked_sub(1)
            .map_or(0, |last| structure.rows_of(last).end)
    }

    fn row_of(&self, driver: usize, row: usize) -> usize {
        let element = self.driver_element(driver, row);
        self.equations.saddle.structure().rows_of(element).start
    }
}

/// The largest y of a body's outlines, m; of its mass centre if it has none that ends.
fn top(entry: &BodyEntry, pose: &Pose) -> f64 {
    let height = |[x, y]: [f64; 2]| pose.position[1] + pose.sin * x + pose.cos * y;
    let of = |shape: &Shape| match (shape.as_circle(), shape.kind()) {
        (Some((center, radius)), _) => height(center) + radius,
        (None, "half-plane" | "bore") => f64::NEG_INFINITY,
        _ => {
            let points = shape.outline(64).into_iter().map(height);
            points.fold(f64::NEG_INFINITY, f64::max)
        }
    };
    let shapes = entry.shapes.iter().map(|entry| of(&entry.shape));
    shapes.fold(pose.position[1], f64::max)
}

/// What is left of the balance.
fn residual(now: Energies, first: Energies, work: f64, heat: f64) -> f64 {
    let gained: f64 = now.iter().zip(first).map(|(now, first)| now - first).sum();
    gained - work + heat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_that_does_not_balance_says_by_how_much() {
        let mut ledger = Ledger {
            driver_work: -2.0,
            load_work: 1.0,
            dissipated: vec![("force.d".into(), 3.0)],
            residual: 9e-5,
            ..Ledger::default()
        };
        // 4 + 2 + 1 + 3 J were turned over.
        assert_eq!(ledger.imbalance(1.0, 4.0, 1e-5, ""), None);
        ledger.residual = -1.1e-4;
        let warning = ledger.imbalance(1.0, 4.0, 1e-5, "").expect("it is said");
        assert!(warning.message.contains("-1.100e-4 J"), "{warning:?}");
        ledger.residual = f64::NAN;
        assert!(ledger.imbalance(1.0, 4.0, 1e-5, "").is_some());
        // Where nothing moves nothing is missing.
        assert_eq!(Ledger::default().imbalance(0.0, 0.0, 1e-5, ""), None);
    }

    #[test]
    fn a_contact_that_gives_more_than_it_took_is_told() {
        let ledger = Ledger {
            dissipated: vec![
                ("contact.a".into(), 3.0),
                ("contact.b".into(), -2e-2),
                ("joint.c".into(), -5e-3),
                ("force.motor".into(), -2.0),
            ],
            ..Ledger::default()
        };
        // A little more than 9 J were turned over. A force may bring energy in, a contact may not.
        let told: Vec<_> = ledger.gains(1.0, 4.0, 1e-3, ["why", "hint"]).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].element.as_deref(), Some("contact.b"));
        assert!(told[0].message.contains("2.000e-2 J"), "{told:?}");
    }
}
