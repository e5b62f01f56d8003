//! Which problems with instantaneous rebounds have known times of impact?

use carom::math;
use carom::solve::{Action, Clock, Watch};

use crate::hybrid::{Base, flow_of_hybrid};
use crate::{Hybrid, Problem, elliptic};

/// A ball dropped on the floor that keeps the fraction e of its speed at each rebound; y = [height, velocity].
///
/// The times of the rebounds are a geometric series: infinitely many before [`Bounce::zeno`].
#[derive(Clone, Debug)]
pub struct Bounce {
    /// Restitution e, 0 < e ≤ 1.
    pub restitution: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// The height of release, m.
    pub height: f64,
    /// The end of the run, s.
    pub until: f64,
    /// The times of the rebounds so far.
    pub touches: Vec<f64>,
    base: Base,
}

impl Bounce {
    /// The time of rebound `k` (from 1).
    pub fn touch(&self, k: usize) -> f64 {
        let fall = (2.0 * self.height / self.gravity).sqrt();
        let e = self.restitution;
        if e == 1.0 {
            return fall * (2.0 * k as f64 - 1.0);
        }
        // fall + 2 fall (e + e² + … + e^(k−1))
        fall * (1.0 + 2.0 * e * (1.0 - e.powi(k as i32 - 1)) / (1.0 - e))
    }

    /// The time at which infinitely many rebounds are over.
    pub fn zeno(&self) -> f64 {
        let e = self.restitution;
        (2.0 * self.height / self.gravity).sqrt() * (1.0 + e) / (1.0 - e)
    }

    fn clock(&self) -> Clock {
        Clock::Time
    }
}

impl Default for Bounce {
    /// e = 0.8 from 1 m until 3.5 s: nine rebounds; the infinitely many would be over at 4.064 s.
    fn default() -> Self {
        Bounce {
            restitution: 0.8,
            gravity: 9.81,
            height: 1.0,
            until: 3.5,
            touches: Vec::with_capacity(1024),
            base: Base::default(),
        }
    }
}

impl Hybrid for Bounce {
    fn size(&self) -> usize {
        2
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.gravity;
    }
    fn guard_total(&self) -> usize {
        1
    }
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }
    fn watched(&self, _i: usize) -> Watch {
        Watch::Falling
    }
    fn jump(&mut self, t: f64, y: &mut [f64], _i: usize) -> Action {
        y[0] = 0.0;
        y[1] *= -self.restitution;
        self.touches.push(t);
        Action::Restart {
            first_step: Some(y[1].abs() / self.gravity),
        }
    }
}

flow_of_hybrid!(Bounce, ["height", "velocity"] : ["position", "velocity"], ["floor"]);

impl Problem for Bounce {
    fn name(&self) -> &'static str {
        "bouncing ball, restitution"
    }
    fn start(&self) -> Vec<f64> {
        vec![self.height, 0.0]
    }
    fn end(&self) -> f64 {
        self.until
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let g = self.gravity;
        if t <= self.touch(1) {
            return Some(vec![self.height - 0.5 * g * t * t, -g * t]);
        }
        if self.restitution < 1.0 && t >= self.zeno() {
            return Some(vec![0.0, 0.0]);
        }
        let mut k = 1;
        while self.touch(k + 1) < t {
            k += 1;
        }
        let v = (2.0 * g * self.height).sqrt() * self.restitution.powi(k as i32);
        let s = t - self.touch(k);
        Some(vec![v * s - 0.5 * g * s * s, v - g * s])
    }
    fn reset(&mut self) {
        self.touches.clear();
        self.base = Base::default();
    }
}

/// A ball on a table that shakes up and down, s = A sin Ωt, with restitution e in the relative speed; y = [height, velocity].
#[derive(Clone, Debug)]
pub struct Table {
    /// Amplitude A, m.
    pub amplitude: f64,
    /// Frequency Ω, rad/s.
    pub omega: f64,
    /// Restitution e.
    pub restitution: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// The times of the rebounds so far.
    pub touches: Vec<f64>,
    base: Base,
}

impl Table {
    /// The first rebounds of the default table: time, velocity before, velocity after. The parabola and the table intersected at 60 digits (mpmath 1.3), printed to 17.
    #[allow(clippy::excessive_precision)]
    pub const REBOUNDS: [(f64, f64, f64); 14] = [
        (0.24799476925896470, -2.4328286864304437, 2.8431410498658538),
        (0.81993538307219059, -2.7675963716418922, 2.1439192513395199),
        (1.2644005160104596, -2.2162837027848989, 2.6561288251012426),
        (1.8008316564619863, -2.6062606627282349, 2.5417749446570176),
        (2.3180528950424835, -2.5321654058176597, 2.1763478295222328),
        (2.7695435626890255, -2.2527756200903440, 2.6953600819702331),
        (3.3131428927988158, -2.6373493464068100, 2.4798469834963821),
        (3.8185103739544998, -2.4778080066408775, 2.2957667314291789),
        (4.2908403942628641, -2.3377907677958750, 2.6779306267809698),
        (4.8326622251729553, -2.6373415344470256, 2.2307918372687536),
        (5.2929746704831508, -2.2848732512242634, 2.6645369212368741),
        (5.8317418059091150, -2.6207686772918350, 2.3544145423099641),
        (6.3139631746853963, -2.3761770853853553, 2.5474078342395167),
        (6.8316206722116141, -2.5308122164926801, 2.3967899961669146),
    ];

    fn clock(&self) -> Clock {
        Clock::Time
    }
}

impl Default for Table {
    /// A = 20 mm, Ω = 25 rad/s, e = 0.8, released 0.3 m up.
    fn default() -> Self {
        Table {
            amplitude: 0.02,
            omega: 25.0,
            restitution: 0.8,
            gravity: 9.81,
            touches: Vec::with_capacity(128),
            base: Base::default(),
        }
    }
}

impl Hybrid for Table {
    fn size(&self) -> usize {
        2
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.gravity;
    }
    fn guard_total(&self) -> usize {
        1
    }
    fn guard_values(&self, t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0] - self.amplitude * math::sin(self.omega * t);
    }
    fn watched(&self, _i: usize) -> Watch {
        Watch::Falling
    }
    fn jump(&mut self, t: f64, y: &mut [f64], _i: usize) -> Action {
        let table = self.amplitude * self.omega * math::cos(self.omega * t);
        y[0] = self.amplitude * math::sin(self.omega * t);
        y[1] = table - self.restitution * (y[1] - table);
        self.touches.push(t);
        // A twentieth of the table's period: the table moves on while the ball flies.
        Action::Restart {
            first_step: Some(0.05 * std::f64::consts::TAU / self.omega),
        }
    }
}

flow_of_hybrid!(Table, ["height", "velocity"] : ["position", "velocity"], ["table"]);

impl Problem for Table {
    fn name(&self) -> &'static str {
        "ball on a shaking table"
    }
    fn start(&self) -> Vec<f64> {
        vec![0.3, 0.0]
    }
    /// Between the fourteenth rebound and the fifteenth.
    fn end(&self) -> f64 {
        7.0
    }
    /// Known for the default table until the fifteenth rebound.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let g = self.gravity;
        if t > 7.1 {
            return None;
        }
        match Self::REBOUNDS.iter().rev().find(|rebound| rebound.0 <= t) {
            None => Some(vec![0.3 - 0.5 * g * t * t, -g * t]),
            Some(&(touch, _, v)) => {
                let s = t - touch;
                Some(vec![
                    self.amplitude * (self.omega * touch).sin() + v * s - 0.5 * g * s * s,
                    v - g * s,
                ])
            }
        }
    }
    fn reset(&mut self) {
        self.touches.clear();
        self.base = Base::default();
    }
}

/// A pendulum released at rest that strikes a wall at a fixed angle and keeps the fraction e of its rate; y = [θ, θ′], θ″ = −ω² sin θ.
#[derive(Clone, Debug)]
pub struct WallPendulum {
    /// Frequency of small swings ω, rad/s.
    pub omega: f64,
    /// The angle of release, above the wall's, rad.
    pub amplitude: f64,
    /// The angle of the wall, −π/2 … π/2, rad.
    pub wall: f64,
    /// Restitution e.
    pub restitution: f64,
    /// The times of the strikes so far.
    pub touches: Vec<f64>,
    base: Base,
}

impl WallPendulum {
    /// Time and rate just after strike `k` (from 1), by elliptic integrals; 0 is the release.
    ///
    /// From the wall to the turning point and back the clock runs through 2 (K(m) − u)/ω, where m = sin²(amplitude/2) and √m sn(u) = sin(wall/2).
    pub fn strike(&self, k: usize) -> (f64, f64) {
        if k == 0 {
            return (0.0, 0.0);
        }
        let half = (0.5 * self.wall).sin();
        let mut m = (0.5 * self.amplitude).sin().powi(2);
        let mut t = self.quarter(m) / self.omega;
        // θ′² = 4ω² (m − sin²(θ/2))
        let mut rate = self.restitution * 2.0 * self.omega * (m - half * half).sqrt();
        for _ in 1..k {
            m = half * half + (0.5 * rate / self.omega).powi(2);
            t += 2.0 * self.quarter(m) / self.omega;
            rate *= self.restitution;
        }
        (t, rate)
    }

    /// The time ω t between the turning point and the wall at the energy that belongs to `m`.
    fn quarter(&self, m: f64) -> f64 {
        elliptic::complete(m) - self.phase_at_wall(m)
    }

    /// u with √m sn(u) = sin(wall/2) on the rising branch.
    fn phase_at_wall(&self, m: f64) -> f64 {
        elliptic::incomplete(
            ((0.5 * self.wall).sin() / m.sqrt()).clamp(-1.0, 1.0).asin(),
            m,
        )
    }

    fn clock(&self) -> Clock {
        Clock::Time
    }
}

impl Default for WallPendulum {
    /// ω = 3 rad/s, released at 2 rad, wall at −0.3 rad, e = 0.85.
    fn default() -> Self {
        WallPendulum {
            omega: 3.0,
            amplitude: 2.0,
            wall: -0.3,
            restitution: 0.85,
            touches: Vec::with_capacity(128),
            base: Base::default(),
        }
    }
}

impl Hybrid for WallPendulum {
    fn size(&self) -> usize {
        2
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.omega * self.omega * math::sin(y[0]);
    }
    fn guard_total(&self) -> usize {
        1
    }
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0] - self.wall;
    }
    fn watched(&self, _i: usize) -> Watch {
        Watch::Falling
    }
    fn jump(&mut self, t: f64, y: &mut [f64], _i: usize) -> Action {
        y[0] = self.wall;
        y[1] *= -self.restitution;
        self.touches.push(t);
        Action::Restart {
            first_step: Some(0.05 / self.omega),
        }
    }
}

flow_of_hybrid!(WallPendulum, ["angle", "rate"] : ["angle", "angular velocity"], ["wall"]);

impl Problem for WallPendulum {
    fn name(&self) -> &'static str {
        "pendulum at a wall"
    }
    fn start(&self) -> Vec<f64> {
        vec![self.amplitude, 0.0]
    }
    fn end(&self) -> f64 {
        10.0
    }
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let mut k = 0;
        while k < 1000 && self.strike(k + 1).0 <= t {
            k += 1;
        }
        let (since, rate) = self.strike(k);
        let half = (0.5 * self.wall).sin();
        let (m, u) = if k == 0 {
            let m = (0.5 * self.amplitude).sin().powi(2);
            (m, elliptic::complete(m) + self.omega * t)
        } else {
            let m = half * half + (0.5 * rate / self.omega).powi(2);
            (m, self.phase_at_wall(m) + self.omega * (t - since))
        };
        let (sn, cn, _) = elliptic::jacobi(u, m);
        Some(vec![
            2.0 * (m.sqrt() * sn).asin(),
            2.0 * m.sqrt() * self.omega * cn,
        ])
    }
    fn reset(&mut self) {
        self.touches.clear();
        self.base = Base::default();
    }
}
