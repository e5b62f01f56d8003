//! Does friction in a joint with play do what the papers say and what two coordinates, written down apart, do?

mod built;

use std::f64::consts::PI;

use built::contacts::{law, slider_crank_clearance};
use built::run_system;
use carom::model::channel::Channel;
use carom::system::Status;

/// Flores et al. 2006, section 6, in two coordinates: the angle of the rod and the place of the slider; the crank turns as prescribed. Fixed steps, touch located by bisection. Friction acts midway
/// between the two surfaces, as everywhere in this program.
struct Wrist {
    coefficient: f64,
    /// The approach speed while it touches.
    touching: Option<f64>,
}

const TURN: f64 = 0.012;
const OMEGA: f64 = 2.0 * PI / TURN;

/// What an evaluation finds.
struct Found {
    rates: [f64; 4],
    /// How deep the journal is in its bearing, and its rate.
    delta: f64,
    rate: f64,
    /// What the motor gives, N m.
    moment: f64,
}

impl Wrist {
    /// y: angle, place, and their rates.
    fn look(&self, t: f64, y: &[f64; 4]) -> Found {
        let (r, l, rod, slider) = (0.05, 0.12, 0.21, 0.14);
        let (weight, journal, clearance) = (9.81, 9.5e-3, 0.5e-3);
        let (sin, cos) = (OMEGA * t).sin_cos();
        let pin = [r * cos, r * sin];
        let turns = -OMEGA * OMEGA;
        let pin_acceleration = [turns * pin[0], turns * pin[1]];
        let along = [l * y[0].cos(), l * y[0].sin()];
        let tip = [pin[0] + along[0] - y[1], pin[1] + along[1]];
        let speed = [
            -OMEGA * pin[1] - y[2] * along[1] - y[3],
            OMEGA * pin[0] + y[2] * along[0],
        ];
        let off = tip[0].hypot(tip[1]);
        let delta = off - clearance;
        let n = if off > 0.0 {
            [tip[0] / off, tip[1] / off]
        } else {
            [1.0, 0.0]
        };
        let rate = speed[0] * n[0] + speed[1] * n[1];
        let (mut force, mut moment_on_rod) = ([0.0; 2], 0.0);
        if let (Some(approach), true) = (self.touching, delta > 0.0) {
            let damping = 0.75 * (1.0 - 0.9 * 0.9) / approach;
            let normal = 6.6101984e10 * delta.powf(1.5) * (1.0 + damping * rate);
            let arm = journal - 0.5 * delta;
            let slip = speed[1] * n[0] - speed[0] * n[1] + y[2] * arm;
            let share = ((slip.abs() - 1e-3) / 9e-3).clamp(0.0, 1.0);
            let rub = -self.coefficient * share * slip.signum() * normal;
            force = [-normal * n[0] - rub * n[1], -normal * n[1] + rub * n[0]];
            moment_on_rod = rub * arm;
        }
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        // About the crank pin, which is accelerated.
        let inertia = 2.5e-4 + 0.25 * rod * l * l;
        let alpha = (cross(along, force) + moment_on_rod
            - 0.5 * rod * cross(along, pin_acceleration)
            - 0.5 * rod * weight * along[0])
            / inertia;
        let centre = [
            pin_acceleration[0] - 0.5 * (alpha * along[1] + y[2] * y[2] * along[0]),
            pin_acceleration[1] + 0.5 * (alpha * along[0] - y[2] * y[2] * along[1]),
        ];
        let on_rod = [
            rod * centre[0] - force[0],
            rod * (centre[1] + weight) - force[1],
        ];
        Found {
            rates: [y[2], y[3], alpha, -force[0] / slider],
            delta,
            rate,
            moment: cross(pin, on_rod) + 0.5 * 0.30 * weight * pin[0],
        }
    }

    /// Runge and Kutta's step.
    fn step(&self, t: f64, h: f64, y: &[f64; 4]) -> [f64; 4] {
        let ahead = |k: &[f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let a = self.look(t, y).rates;
        let b = self.look(t + 0.5 * h, &ahead(&a, 0.5 * h)).rates;
        let c = self.look(t + 0.5 * h, &ahead(&b, 0.5 * h)).rates;
        let d = self.look(t + h, &ahead(&c, h)).rates;
        std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]))
    }

    /// The largest moment, either way, in each of three turns.
    fn peaks(coefficient: f64) -> [f64; 3] {
        let mut wrist = Wrist {
            coefficient,
            touching: None,
        };
        let mut y = [0.0, 0.17, -OMEGA * 0.05 / 0.12, 0.0];
        let steps = 400_000;
        let h = TURN / f64::from(steps);
        let mut peaks = [0.0_f64; 3];
        for (turn, peak) in peaks.iter_mut().enumerate() {
            for i in 0..steps {
                let t = TURN * (turn as f64 + f64::from(i) / f64::from(steps));
                let mut next = wrist.step(t, h, &y);
                let mut found = wrist.look(t + h, &next);
                if wrist.touching.is_none() && found.delta > 0.0 {
                    let (mut low, mut high) = (0.0, h);
                    for _ in 0..40 {
                        let middle = 0.5 * (low + high);
                        let there = wrist.step(t, middle, &y);
                        if wrist.look(t + middle, &there).delta > 0.0 {
                            high = middle;
                        } else {
                            low = middle;
                        }
                    }
                    let there = wrist.step(t, high, &y);
                    wrist.touching = Some(wrist.look(t + high, &there).rate);
                    next = wrist.step(t + high, h - high, &there);
                    found = wrist.look(t + h, &next);
                } else if found.delta <= 0.0 {
                    wrist.touching = None;
                }
                y = next;
                *peak = peak.max(found.moment.abs());
            }
        }
        peaks
    }
}

/// The same of this program.
fn peaks(coefficient: f64, rtol: f64) -> [f64; 3] {
    let law = law("lankarani-nikravesh", 6.6101984e10, Some(0.9));
    let mut model = slider_crank_clearance(law, Some(coefficient));
    model.solver.rtol = rtol;
    model.simulation.end = 3.0 * TURN;
    model.simulation.output_step = Some(0.5e-6);
    model.simulation.channels = vec![Channel::Driver(0, 0)];
    let (outcome, samples, _) = run_system(&model);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    let residual = outcome.ledger.residual;
    assert!(residual.abs() < 1e-5, "{coefficient}: {residual:e}");
    let mut peaks = [0.0_f64; 3];
    for (t, values) in samples {
        let turn = ((t / TURN) as usize).min(2);
        peaks[turn] = peaks[turn].max(values[0].abs());
    }
    peaks
}

/// Flores et al. 2006, figure 12. The motion is regular enough for three turns, and then no longer: without friction, what two tolerances say of the fourth turn differs by a part in twenty. With 0.01 that begins
/// a turn earlier: its hardest blow, 1368 N·m in the second turn, is the same in both computations, but 1045 N·m if friction acts on the journal's surface, a few micrometres off the middle between the two. Such
/// a number cannot be compared with a paper; from 0.03 on they can.
#[test]
fn moments_with_friction_in_the_play_are_those_of_two_coordinates_and_fall_from_0_03_on() {
    let mut late = Vec::new();
    for (coefficient, turns) in [(0.0, 3), (0.01, 2), (0.03, 3), (0.05, 3), (0.10, 3)] {
        let known = Wrist::peaks(coefficient);
        for rtol in [1e-9, 1e-11] {
            let found = peaks(coefficient, rtol);
            println!("{coefficient} {rtol:e}: {found:.2?}, apart {known:.2?}");
            for (found, known) in found.iter().zip(known).take(turns) {
                assert!(
                    (found / known - 1.0).abs() < 2e-3,
                    "{coefficient} {rtol:e}: {found} N m, {known} N m apart"
                );
            }
            if rtol == 1e-11 {
                late.push(found[1].max(found[2]));
            }
        }
    }
    let [none, hundredth, rest @ ..] = &late[..] else {
        panic!("{late:?}");
    };
    assert!(hundredth > none, "{late:?}");
    assert!(rest[0] < *none, "{late:?}");
    assert!(rest.is_sorted_by(|a, b| a > b), "{late:?}");
}
