//! How does a mechanism vibrate about its start, with which frequencies and damping, and which shapes?
//!
//! Small departures from the motion at the start are s along the free motions Z and u = ṡ; the matrix A of d(s, u)/dt = A (s, u) has the blocks 0 and 1 above, and below the derivatives
//! of the accelerations by s and u, from differences on the constraints themselves. At rest these are −K and −C, stiffness and damping against the masses.
//!
//! In a steady motion (a governor that spins) the departures are seen from axes that turn with each body's path, or A would describe no more than this instant: with Ω̂ the turning of these
//! axes, s̈ = Zᵀ M (δa + 2 Ω̂ δv + Ω̂² δq).

use std::f64::consts::TAU;

use crate::math;
use crate::solve::Statistics;

use super::differences::{Slope, slope};
use super::eigen;
use super::equations::largest;
use super::equilibrium::not_smooth;
use super::kinematic::{is_singular, singular_rest};
use super::mechanism::System;
use super::note::Warning;
use super::run::{Observer, Outcome, Status};
use super::saddle::Rank;
use super::tangent::{basis, expanded, extent, reduced};

/// A way to vibrate, or to creep back or away.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Real and imaginary part, 1/s. Of a conjugate pair only the one with the positive imaginary part is listed. A motion that nothing drives back has zero.
    pub eigenvalue: [f64; 2],
    /// At which it swings, Hz: Im λ/2π; zero where it does not.
    pub frequency: f64,
    /// At which it would swing without damping, Hz: |λ|/2π.
    pub natural_frequency: f64,
    /// −Re λ/|λ|: 0 without damping, 1 for a motion that dies out without swinging, below zero for one that grows.
    pub damping_ratio: f64,
    /// Real and imaginary part of the displacement of every body (m, m, rad); the largest of these numbers is 1 and real.
    pub shape: Vec<[[f64; 2]; 3]>,
}

/// The motion about the start as a linear system.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// How many free motions there are.
    pub degrees: usize,
    /// A of d(s, u)/dt = A (s, u), 2f × 2f, row by row; s in √kg m, time in s.
    pub matrix: Vec<f64>,
    /// The free motions: displacements of the bodies are Σ s_i basis_i; three numbers a body (m, m, rad per √kg m). Orthonormal against the masses.
    pub basis: Vec<Vec<f64>>,
    /// The modes, slowest first.
    pub modes: Vec<Mode>,
    /// What must be known about it.
    pub warnings: Vec<Warning>,
}

impl System {
    /// The motion about the start as a linear system; or why there is none.
    pub fn linearise(&mut self) -> Result<Linearisation, String> {
        let control = self.uncontrolled();
        let found = self.linearise_uncontrolled();
        self.equations.control = control;
        found
    }

    /// The modes about the start, with one sample of the start.
    pub(super) fn vibrate(&mut self, observer: &mut dyn Observer) -> Outcome {
        let found = self.linearise();
        let (t, y) = (self.start, self.state());
        let (q, v) = (self.q.clone(), self.v.clone());
        self.equations.rows(t, &q, &v);
        let singular = is_singular(&mut self.equations) == Some(true);
        let _ = self.equations.evaluate(t, &q, &v);
        if singular {
            self.equations.lambda.fill(f64::NAN);
        }
        let first = self.energies(t, &q, &v);
        let mut values = vec![0.0; self.channels.len()];
        self.read(t, &y, first, &mut values);
        observer.sample(t, &values);
        self.show_once(t, &y, first, &values, observer);
        let mut warnings = self.warnings.clone();
        warnings.extend(self.unbent());
        warnings.extend(singular.then(|| singular_rest(t)));
        let (status, reason, modes) = match found {
            Ok(found) => {
                warnings.extend(found.warnings);
                (Status::Completed, None, found.modes)
            }
            Err(reason) => (Status::Failed, Some(reason), Vec::new()),
        };
        let statistics = Statistics::default();
        let mut outcome = self.outcome(status, reason, t, &y, first, statistics, warnings);
        outcome.modes = modes;
        outcome
    }

    /// Velocities and accelerations at a departure (s, u) from the start.
    fn departed(&mut self, z: &[Vec<f64>], s: &[f64], u: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let start = self.q.clone();
        let q = self.displaced(&start, z, s)?;
        let mut v = expanded(z, u, q.len());
        v.iter_mut().zip(&self.v).for_each(|(x, v)| *x += v);
        let (t, equations) = (self.start, &mut self.equations);
        equations.rows(t, &q, &v);
        if equations.saddle.factor(&equations.jacobian) == Ok(Rank::NotFinite) {
            return None;
        }
        let mut change = vec![0.0; v.len()];
        equations
            .saddle
            .project(&equations.rates, &mut change)
            .ok()?;
        v.iter_mut().zip(&change).for_each(|(v, c)| *v += c);
        let rank = equations.evaluate(t, &q, &v).ok()?;
        let a = equations.accelerations.clone();
        (rank != Rank::NotFinite && a.iter().all(|a| a.is_finite())).then_some((v, a))
    }

    fn linearise_uncontrolled(&mut self) -> Result<Linearisation, String> {
        let (t, q, v) = (self.start, self.q.clone(), self.v.clone());
        let n = q.len();
        let cannot = || {
            "the motion about the start cannot be linearised: joints do not stay closed beside it, or a force is not finite"
                .to_string()
        };
        let _ = self
            .equations
            .evaluate(t, &q, &v)
            .map_err(|fault| fault.to_string())?;
        let z = basis(&self.equations);
        let (f, size) = (z.len(), self.extent());
        let mut found = Linearisation {
            degrees: f,
            matrix: vec![0.0; 4 * f * f],
            basis: z.clone(),
            modes: Vec::new(),
            warnings: Vec::new(),
        };
        if f == 0 {
            return Ok(found);
        }
        let masses = self.equations.masses.clone();
        let zero = vec![0.0; f];
        let (v0, a0) = self.departed(&z, &zero, &zero).ok_or_else(cannot)?;
        let turning = turning(&v0, &a0, size);
        let seen = |v: &[f64], a: &[f64]| {
            let turned = turn(&turning, v);
            let sum: Vec<f64> = a.iter().zip(&turned).map(|(a, t)| a + 2.0 * t).collect();
            reduced(&z, &masses, &sum)
        };
        let at_zero = seen(&v0, &a0);
        let (mut k_error, mut c_error) = (0.0_f64, 0.0_f64);
        let (mut k_kink, mut c_kink) = (0.0_f64, 0.0_f64);
        let mut by_s = Vec::new();
        for i in 0..f {
            let mut s = zero.clone();
            let step = 0.01 / extent(&z[i], size);
            let found = slope(step, &at_zero, |h| {
                s[i] = h;
                let (v, a) = self.departed(&z, &s, &zero)?;
                Some(seen(&v, &a))
            });
            let Slope {
                slope,
                error,
                kink: bent,
            } = found.ok_or_else(cannot)?;
            k_error = k_error.max(error);
            k_kink = k_kink.max(bent);
            by_s.push(slope);
        }
        // Velocities of about what the stiffness makes of the displacements tried.
        let stiffest = by_s.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        found.warnings.extend(self.passed_stop(t));
        if let Some(warning) = self.not_steady(&v0, &a0, &turning, size, stiffest) {
            found.warnings.push(warning);
        }
        let spin = v0
            .iter()
            .skip(2)
            .step_by(3)
            .fold(0.0_f64, |m, w| m.max(w.abs()));
        let rate = math::sqrt(stiffest).max(spin);
        let rate = if rate > 0.0 { rate } else { 1.0 };
        let at_zero = reduced(&z, &masses, &a0);
        let mut by_u = Vec::new();
        for i in 0..f {
            let mut u = zero.clone();
            let step = 0.01 * rate / extent(&z[i], size);
            let found = slope(step, &at_zero, |h| {
                u[i] = h;
                let (_, a) = self.departed(&z, &zero, &u)?;
                Some(reduced(&z, &masses, &a))
            });
            let Slope {
                slope,
                error,
                kink: bent,
            } = found.ok_or_else(cannot)?;
            c_error = c_error.max(error);
            c_kink = c_kink.max(bent);
            by_u.push(slope);
        }
        if k_kink > 1e-6 * stiffest || c_kink > 1e-6 * rate {
            found.warnings.push(not_smooth(t));
        }
        // G = ZᵀMΩ̂Z; below, s̈ = (W_s − W_u G) s + W_u ṡ with W_u = 2G + ∂a/∂u and W_s = ZᵀMΩ̂²Z + ∂(a + 2Ω̂v)/∂s.
        let columns = |x: &dyn Fn(&Vec<f64>) -> Vec<f64>| -> Vec<Vec<f64>> {
            z.iter().map(|z_i| reduced(&z, &masses, &x(z_i))).collect()
        };
        let g = columns(&|z| turn(&turning, z));
        let gg = columns(&|z| turn(&turning, &turn(&turning, z)));
        let c_noise = 10.0 * c_error + 1e-12 * rate;
        let mut damped = false;
        let w = 2 * f;
        for row in 0..f {
            found.matrix[row * w + f + row] = 1.0;
            for column in 0..f {
                let c = 2.0 * g[column][row] + by_u[column][row];
                damped |= c.abs() > c_noise;
                found.matrix[(f + row) * w + f + column] = c;
            }
        }
        if !damped {
            for row in 0..f {
                found.matrix[(f + row) * w + f..][..f].fill(0.0);
            }
        }
        for row in 0..f {
            for column in 0..f {
                let mixed: f64 = (0..f)
                    .map(|k| found.matrix[(f + row) * w + f + k] * g[column][k])
                    .sum();
                found.matrix[(f + row) * w + column] = gg[column][row] + by_s[column][row] - mixed;
            }
        }
        let noise = 10.0 * k_error + 1e-13 * stiffest;
        found.modes = modes(&found, !damped, noise, n).ok_or_else(|| {
            "the eigenvalues cannot be computed: the iteration does not end".to_string()
        })?;
        Ok(found)
    }

    /// A warning if the start is neither rest in balance nor a motion that goes on as it is.
    fn not_steady(
        &mut self,
        v: &[f64],
        a: &[f64],
        turning: &[f64],
        size: f64,
        stiffest: f64,
    ) -> Option<Warning> {
        // Seen from the turning axes a steady motion has no acceleration.
        let mut left: Vec<f64> = turn(turning, v).iter().zip(a).map(|(t, a)| a + t).collect();
        left.iter_mut().skip(2).step_by(3).for_each(|x| *x *= size);
        let left = largest(&left);
        let (t, q) = (self.start, self.q.clone());
        self.equations.rows(t, &q, v);
        // What balance takes away is measured against what is to be balanced; and no position is known better than its rounding.
        let whole = self.equations.hardest(t, size).max(largest(a));
        if left <= 1e-5 * whole + 1e-11 * stiffest * size {
            return None;
        }
        let worst = (0..a.len() / 3)
            .max_by(|&i, &j| {
                let of = |i: usize| {
                    let part = a.get(3 * i..3 * i + 3).unwrap_or(&[]);
                    let t = turn(turning, v);
                    let part: Vec<f64> = part.iter().zip(&t[3 * i..]).map(|(a, t)| a + t).collect();
                    extent(&part, 1.0)
                };
                of(i).total_cmp(&of(j))
            })
            .and_then(|i| self.model.bodies.get(i))
            .map_or("?", |body| &body.name);
        Some(Warning {
            code: "not-in-balance",
            element: Some(format!("body.{worst}")),
            time: Some(self.start),
            message: format!(
                "the start is neither at rest in balance nor a steady motion: bodies are accelerated by up to {left:.3e} m/s² (body.{worst} most). The eigenvalues describe this instant only"
            ),
            hint: "find a position of rest first with analysis = \"static\", and start there"
                .into(),
        })
    }
}

/// How fast each body's path turns, rad/s: v × a/v².
fn turning(v: &[f64], a: &[f64], size: f64) -> Vec<f64> {
    let fastest = extent(v, size) * size;
    let bodies = v.as_chunks::<3>().0.iter().zip(a.as_chunks::<3>().0);
    bodies
        .map(|([vx, vy, _], [ax, ay, _])| {
            let square = vx * vx + vy * vy;
            if square > 1e-18 * fastest * fastest {
                (vx * ay - vy * ax) / square
            } else {
                0.0
            }
        })
        .collect()
}

/// Ω̂ x: the change of a vector of the ground seen from turning axes.
fn turn(turning: &[f64], x: &[f64]) -> Vec<f64> {
    let bodies = x.as_chunks::<3>().0.iter().zip(turning);
    bodies
        .flat_map(|([x, y, _], omega)| [omega * y, -omega * x, 0.0])
        .collect()
}

/// The modes of a linear system; `None` if the eigenvalues cannot be found. `noise` is what a stiffness may be off.
fn modes(system: &Linearisation, undamped: bool, noise: f64, n: usize) -> Option<Vec<Mode>> {
    let f = system.degrees;
    let stiffness: Vec<f64> = (0..f * f)
        .map(|i| -system.matrix[(f + i / f) * 2 * f + i % f])
        .collect();
    let most = stiffness.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let lopsided = (0..f * f).any(|i| {
        let apart = stiffness[i] - stiffness[i % f * f + i / f];
        apart.abs() > 1e-9 * most + noise
    });
    let pairs = eigen::symmetric(&stiffness, f)?;
    let mut modes = Vec::new();
    let mut add = |value: [f64; 2], s: &[[f64; 2]]| {
        let parts = [0, 1].map(|part| {
            let s: Vec<f64> = s.iter().map(|s| s[part]).collect();
            expanded(&system.basis, &s, n)
        });
        modes.push(Mode::new(value, &parts));
    };
    if undamped && !lopsided {
        for (square, vector) in &pairs {
            let s: Vec<[f64; 2]> = vector.iter().map(|x| [*x, 0.0]).collect();
            if square.abs() <= noise {
                add([0.0; 2], &s);
            } else if *square > 0.0 {
                add([0.0, math::sqrt(*square)], &s);
            } else {
                let rate = math::sqrt(-square);
                add([rate, 0.0], &s);
                add([-rate, 0.0], &s);
            }
        }
    } else {
        let mut all = eigen::general(&system.matrix, 2 * f)?;
        all.sort_by(|a, b| magnitude(a.value).total_cmp(&magnitude(b.value)));
        // A motion that nothing drives back has the eigenvalue zero, up to twice: what differences make of it is the root of their noise.
        let free = pairs.iter().filter(|pair| pair.0.abs() <= noise).count();
        let nothing = math::sqrt(noise);
        for (i, pair) in all.iter().enumerate() {
            let value = if i < 2 * free && magnitude(pair.value) <= nothing {
                [0.0; 2]
            } else {
                pair.value
            };
            if pair.value[1] < 0.0 && value[1] < 0.0 {
                continue;
            }
            add(value, &pair.vector[..f]);
        }
    }
    modes.sort_by(|a, b| {
        let key = |mode: &Mode| (magnitude(mode.eigenvalue), mode.eigenvalue[0]);
        let ((a, b), (c, d)) = (key(a), key(b));
        a.total_cmp(&c).then(b.total_cmp(&d))
    });
    Some(modes)
}

fn magnitude([re, im]: [f64; 2]) -> f64 {
    // Squares of eigenvalues of mechanisms neither overflow nor vanish.
    math::sqrt(re * re + im * im)
}

impl Mode {
    fn new(eigenvalue: [f64; 2], [re, im]: &[Vec<f64>; 2]) -> Self {
        let whole = magnitude(eigenvalue);
        // Of equals the first.
        let parts = re.iter().zip(im);
        let (_, largest) = parts.fold((0.0_f64, [1.0, 0.0]), |best, (re, im)| {
            let length = magnitude([*re, *im]);
            if length > (1.0 + 1e-9) * best.0 {
                (length, [*re, *im])
            } else {
                best
            }
        });
        let entry = |i: usize| {
            let at = |x: &[f64]| x.get(i).copied().unwrap_or(0.0);
            eigen::over([at(re), at(im)], largest)
        };
        Self {
            eigenvalue,
            frequency: eigenvalue[1].abs() / TAU,
            natural_frequency: whole / TAU,
            damping_ratio: if whole > 0.0 {
                -eigenvalue[0] / whole
            } else {
                0.0
            },
            shape: (0..re.len() / 3)
                .map(|body| [0, 1, 2].map(|k| entry(3 * body + k)))
                .collect(),
        }
    }
}
