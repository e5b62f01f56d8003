//! Which smooth problems have a solution known in closed form?

use std::f64::consts::TAU;

use carom::math;
use carom::solve::Flow;

use crate::{Problem, elliptic};

/// The harmonic oscillator x″ = −ω² x from (1, 0); y = [x, v].
#[derive(Clone, Debug)]
pub struct Oscillator {
    /// Angular frequency ω, rad/s.
    pub omega: f64,
}

impl Default for Oscillator {
    fn default() -> Self {
        Oscillator { omega: 1.0 }
    }
}

impl Flow for Oscillator {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.omega * self.omega * y[0];
    }
}

impl Problem for Oscillator {
    fn name(&self) -> &'static str {
        "harmonic oscillator"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0, 0.0]
    }
    fn end(&self) -> f64 {
        10.0 / self.omega
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let (s, c) = (self.omega * t).sin_cos();
        Some(vec![c, -self.omega * s])
    }
}

/// Growth or decay y′ = λ y from 1.
#[derive(Clone, Debug)]
pub struct Exponential {
    /// The rate λ, 1/s.
    pub rate: f64,
}

impl Default for Exponential {
    fn default() -> Self {
        Exponential { rate: -1.0 }
    }
}

impl Flow for Exponential {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = self.rate * y[0];
    }
}

impl Problem for Exponential {
    fn name(&self) -> &'static str {
        "exponential"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0]
    }
    fn end(&self) -> f64 {
        2.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        Some(vec![(self.rate * t).exp()])
    }
}

/// A slope that depends on time: y′ = y cos t from 1, so y = e^(sin t).
#[derive(Clone, Debug, Default)]
pub struct Breathing;

impl Flow for Breathing {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[0] * math::cos(t);
    }
}

impl Problem for Breathing {
    fn name(&self) -> &'static str {
        "y' = y cos t"
    }
    fn start(&self) -> Vec<f64> {
        vec![1.0]
    }
    fn end(&self) -> f64 {
        6.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        Some(vec![t.sin().exp()])
    }
}

/// A damped oscillator under a harmonic force, x″ + 2ζω x′ + ω² x = cos Ωt from rest; y = [x, v].
#[derive(Clone, Debug)]
pub struct Forced {
    /// Natural frequency ω, rad/s.
    pub omega: f64,
    /// Damping ratio ζ < 1.
    pub zeta: f64,
    /// Forcing frequency Ω, rad/s.
    pub drive: f64,
}

impl Default for Forced {
    fn default() -> Self {
        Forced {
            omega: 2.0,
            zeta: 0.1,
            drive: 1.5,
        }
    }
}

impl Flow for Forced {
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = math::cos(self.drive * t)
            - 2.0 * self.zeta * self.omega * y[1]
            - self.omega * self.omega * y[0];
    }
}

impl Problem for Forced {
    fn name(&self) -> &'static str {
        "forced oscillator"
    }
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.0]
    }
    fn end(&self) -> f64 {
        10.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let (w, z, d) = (self.omega, self.zeta, self.drive);
        // The steady part a cos Ωt + b sin Ωt, and a decaying free part that cancels it at the start.
        let (p, q) = (w * w - d * d, 2.0 * z * w * d);
        let norm = p * p + q * q;
        let (a, b) = (p / norm, q / norm);
        let damped = w * (1.0 - z * z).sqrt();
        let (ca, cb) = (-a, (-b * d - z * w * a) / damped);
        let (s, c) = (d * t).sin_cos();
        let (fs, fc) = (damped * t).sin_cos();
        let fade = (-z * w * t).exp();
        let free = fade * (ca * fc + cb * fs);
        let free_rate = -z * w * free + fade * damped * (cb * fc - ca * fs);
        Some(vec![a * c + b * s + free, d * (b * c - a * s) + free_rate])
    }
}

/// The Kepler problem r″ = −r/|r|³ from perihelion, semi-major axis 1, period 2π; y = [x, y, vx, vy].
#[derive(Clone, Debug)]
pub struct Kepler {
    /// Eccentricity, 0 ≤ e < 1.
    pub eccentricity: f64,
}

impl Default for Kepler {
    fn default() -> Self {
        Kepler { eccentricity: 0.5 }
    }
}

impl Flow for Kepler {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let r2 = y[0] * y[0] + y[1] * y[1];
        let r3 = r2 * math::sqrt(r2);
        dydt[0] = y[2];
        dydt[1] = y[3];
        dydt[2] = -y[0] / r3;
        dydt[3] = -y[1] / r3;
    }
}

impl Problem for Kepler {
    fn name(&self) -> &'static str {
        "Kepler"
    }
    fn start(&self) -> Vec<f64> {
        let e = self.eccentricity;
        vec![1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()]
    }
    fn end(&self) -> f64 {
        TAU
    }
    /// Through Kepler's equation t = E − e sin E, by Newton's method from a start that always converges (Danby 1988, eq. 6.6.21).
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let e = self.eccentricity;
        let mean = (t + std::f64::consts::PI).rem_euclid(TAU) - std::f64::consts::PI;
        let mut anomaly = mean + 0.85 * e * mean.signum();
        for _ in 0..50 {
            let step = (anomaly - e * anomaly.sin() - mean) / (1.0 - e * anomaly.cos());
            anomaly -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        let (s, c) = anomaly.sin_cos();
        let minor = (1.0 - e * e).sqrt();
        let rate = 1.0 / (1.0 - e * c);
        Some(vec![c - e, minor * s, -s * rate, minor * c * rate])
    }
}

/// The Arenstorf orbit of the restricted three-body problem, which closes after [`Arenstorf::PERIOD`]; y = [x, y, vx, vy].
///
/// Data as in Hairer, Nørsett and Wanner 1993, II.0, eq. (0.1)–(0.2). A neighbouring orbit leaves it quickly: an error made early comes out about 1e5 times larger.
#[derive(Clone, Debug, Default)]
pub struct Arenstorf;

impl Arenstorf {
    /// The time after which the orbit closes.
    #[allow(clippy::excessive_precision)]
    pub const PERIOD: f64 = 17.0652165601579625588917206249;
}

impl Flow for Arenstorf {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        const MOON: f64 = 0.012277471;
        const EARTH: f64 = 1.0 - MOON;
        let (to_earth, to_moon) = (y[0] + MOON, y[0] - EARTH);
        let d1 = to_earth * to_earth + y[1] * y[1];
        let d2 = to_moon * to_moon + y[1] * y[1];
        let (d1, d2) = (d1 * math::sqrt(d1), d2 * math::sqrt(d2));
        dydt[0] = y[2];
        dydt[1] = y[3];
        dydt[2] = y[0] + 2.0 * y[3] - EARTH * to_earth / d1 - MOON * to_moon / d2;
        dydt[3] = y[1] - 2.0 * y[2] - EARTH * y[1] / d1 - MOON * y[1] / d2;
    }
}

impl Problem for Arenstorf {
    fn name(&self) -> &'static str {
        "Arenstorf orbit"
    }
    #[allow(clippy::excessive_precision)]
    fn start(&self) -> Vec<f64> {
        vec![0.994, 0.0, 0.0, -2.00158510637908252240537862224]
    }
    fn end(&self) -> f64 {
        Self::PERIOD
    }
    /// Known at the start and after one period, where it is the start again.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        (t == 0.0 || t == Self::PERIOD).then(|| self.start())
    }
}

/// The pendulum θ″ = −ω² sin θ released at rest; y = [θ, θ′]. Its motion is sin(θ/2) = k cd(ωt), k = sin(θ₀/2).
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// Frequency of small swings ω, rad/s.
    pub omega: f64,
    /// The angle of release θ₀, |θ₀| < π, rad.
    pub amplitude: f64,
}

impl Default for Pendulum {
    fn default() -> Self {
        Pendulum {
            omega: 1.0,
            amplitude: 2.0,
        }
    }
}

impl Flow for Pendulum {
    fn rhs(&mut self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.omega * self.omega * math::sin(y[0]);
    }
}

impl Problem for Pendulum {
    fn name(&self) -> &'static str {
        "pendulum"
    }
    fn start(&self) -> Vec<f64> {
        vec![self.amplitude, 0.0]
    }
    fn end(&self) -> f64 {
        10.0 / self.omega
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let k = (0.5 * self.amplitude).sin();
        let (sn, cn, dn) = elliptic::jacobi(self.omega * t, k * k);
        let other = (0.5 * self.amplitude).cos();
        Some(vec![
            2.0 * (k * cn / dn).asin(),
            -2.0 * k * other * self.omega * sn / dn,
        ])
    }
}
