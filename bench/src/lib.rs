//! Which problems with known solutions do all methods share?
//!
//! One file a family. Every problem is a [`Flow`] that says where it starts, how far it goes and what is known of its solution; the tests of the library measure its
//! methods on them, and this package sets Carom beside its peers on the same ones.
//!
//! A problem with events is a [`Hybrid`]: the physics of one phase and what happens between two, written without any integrator in mind, so that every solver runs the same code.

// Reference values stand as they were printed, with all their digits.
#![allow(clippy::excessive_precision)]

pub mod contacts;
pub mod elliptic;
pub mod grains;
pub mod impact;
pub mod lammps;
pub mod mechanisms;
pub mod restitution;
pub mod slider_crank;
pub mod smooth;
pub mod stiff;
pub mod switching;
pub mod timing;

mod hybrid;

pub use hybrid::Hybrid;

use carom::solve::Flow;

/// A flow with a start, an end and a known solution.
pub trait Problem: Flow {
    /// What to call it in a table.
    fn name(&self) -> &'static str;

    /// The state at time zero. Every problem starts there.
    fn start(&self) -> Vec<f64>;

    /// The time at which the problem ends.
    fn end(&self) -> f64;

    /// The solution at time `t`, where it is known: everywhere if there is a closed form, otherwise at the times the problem's page names.
    fn reference(&self, t: f64) -> Option<Vec<f64>>;

    /// Forgets what the last run left behind (latched speeds, recorded times). The numbers that define the problem stay.
    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The central difference of the reference is the slope at the reference, and the reference starts where the problem does.
    fn obeys(mut problem: impl Problem, times: &[f64], tolerance: f64) {
        let name = problem.name();
        let n = problem.start().len();
        let at = |problem: &dyn Problem, t: f64| {
            problem
                .reference(t)
                .unwrap_or_else(|| panic!("{name} has no reference at {t}"))
        };
        for (a, b) in at(&problem, 0.0).iter().zip(problem.start()) {
            assert!(
                (a - b).abs() < 1e-14,
                "{name} starts at {b}, its reference at {a}"
            );
        }
        let h = 1e-5;
        let mut slope = vec![0.0; n];
        for &t in times {
            let (before, here, after) = (at(&problem, t - h), at(&problem, t), at(&problem, t + h));
            problem.rhs(t, &here, &mut slope);
            for i in 0..n {
                let rate = (after[i] - before[i]) / (2.0 * h);
                assert!(
                    (rate - slope[i]).abs() < tolerance * slope[i].abs().max(1.0),
                    "{name} at {t}, component {i}: {rate} against {}",
                    slope[i]
                );
            }
        }
    }

    /// Central differences at h = 1e-5 of functions with third derivatives of order one to a hundred: 1e-9 … 1e-8, and rounding 1e-11.
    #[test]
    fn closed_forms_obey_their_equations() {
        let times = [0.1, 0.7, 1.3, 1.9];
        obeys(smooth::Oscillator { omega: 1.7 }, &times, 1e-9);
        obeys(smooth::Exponential::default(), &times, 1e-9);
        obeys(smooth::Breathing, &times, 1e-9);
        obeys(smooth::Forced::default(), &times, 1e-8);
        for eccentricity in [0.0, 0.3, 0.6, 0.9] {
            obeys(
                smooth::Kepler { eccentricity },
                &[0.5, 2.0, 3.0, 4.0, 6.0, 13.0],
                1e-7,
            );
        }
        for amplitude in [0.1, 1.0, 2.0, 3.0] {
            obeys(
                smooth::Pendulum {
                    omega: 1.3,
                    amplitude,
                },
                &[0.1, 1.0, 3.0, 9.0, 20.0],
                1e-8,
            );
        }
        obeys(stiff::TwoRates, &[0.1, 0.5, 1.0], 1e-9);
        obeys(stiff::Ringing, &times, 1e-7);
        obeys(restitution::Bounce::default(), &[0.2, 0.6, 1.5, 3.2], 1e-8);
        obeys(restitution::Table::default(), &[0.2, 0.6, 3.0, 7.0], 1e-8);
        obeys(
            restitution::WallPendulum::default(),
            &[0.2, 1.0, 2.9, 7.3],
            1e-7,
        );
        obeys(switching::Thermostat::default(), &[0.2, 3.0], 1e-8);
    }

    /// At a rebound the reference before and after must meet: the same place, and speeds in the ratio of the restitution.
    #[test]
    fn rebounds_join_the_pieces_of_the_closed_forms() {
        let tiny = 1e-9;
        let ball = restitution::Bounce::default();
        let pendulum = restitution::WallPendulum::default();
        for k in 1..8 {
            for (t, problem, e) in [
                (ball.touch(k), &ball as &dyn Problem, 0.8),
                (pendulum.strike(k).0, &pendulum, 0.85),
            ] {
                let before = problem.reference(t - tiny).unwrap_or_default();
                let after = problem.reference(t + tiny).unwrap_or_default();
                assert!(
                    (before[0] - after[0]).abs() < 1e-7,
                    "{} {k}: {before:?} {after:?}",
                    problem.name()
                );
                assert!(
                    (after[1] + e * before[1]).abs() < 1e-6,
                    "{} {k}: {before:?} {after:?}",
                    problem.name()
                );
            }
        }
    }

    /// In free flight the mechanism loses nothing: d/dt of its energy along its own slope is zero.
    #[test]
    fn slider_crank_keeps_its_energy_between_contacts() {
        let mechanism = slider_crank::SliderCrank::default();
        let mut slope = [0.0; 4];
        for theta in [0.0, 0.4, 1.3, 2.2, 3.0, 4.7] {
            let y = [theta, 2.0, 140.0, -15.0];
            mechanism.slope(0.0, &y, &mut slope);
            let h = 1e-7;
            let shifted = |s: f64| std::array::from_fn::<f64, 4, _>(|i| y[i] + s * slope[i]);
            let rate = (mechanism.energy(&shifted(h)) - mechanism.energy(&shifted(-h))) / (2.0 * h);
            // The kinetic energy, 40 J, turns over at 140 rad/s: 5600 W go back and forth.
            assert!(rate.abs() < 5600.0 * 1e-7, "at {theta} rad: {rate} W");
        }
    }
}
