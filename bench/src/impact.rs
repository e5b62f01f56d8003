//! Which impacts with a Hunt–Crossley force are known to many digits?
//!
//! The force is F = K δ^(3/2) (1 + h δ′/v₀) with h = 3(1 − e)/2 (Hunt and Crossley 1975), v₀ the speed at touch. Without other forces the speed of return depends on h alone.

use carom::math;
use carom::solve::{Action, Clock, Watch};

use crate::hybrid::{Base, flow_of_hybrid};
use crate::{Hybrid, Problem};

/// The deepest indentation of Hertz's elastic impact, (5 m v₀² / 4K)^(2/5).
pub fn hertz_indentation(mass: f64, stiffness: f64, speed: f64) -> f64 {
    math::powf(1.25 * mass * speed * speed / stiffness, 0.4)
}

/// How long Hertz's elastic impact lasts: (4/5) B(2/5, 1/2) δ_max / v₀.
pub fn hertz_duration(mass: f64, stiffness: f64, speed: f64) -> f64 {
    2.943275 * hertz_indentation(mass, stiffness, speed) / speed
}

/// The restitution that the force F = K δⁿ (1 + h δ′/v₀) returns without other forces: the positive root of ln((1+h)/(1−he)) = h(1+e), whatever K, n, m and v₀ are.
pub fn restitution(h: f64) -> f64 {
    if h <= 0.0 {
        return 1.0;
    }
    // ln(1 + x) − x, by its series where the difference would lose its digits.
    let bend = |x: f64| {
        if x.abs() > 0.1 {
            return x.ln_1p() - x;
        }
        let (mut power, mut sum) = (x, 0.0);
        for k in 2..20 {
            power *= -x;
            sum += power / f64::from(k);
        }
        sum
    };
    let residual = |e: f64| bend(h) - bend(-h * e);
    // The residual falls from e = −1 (a root) to e = 0 and rises to infinity at e = 1/h.
    let (mut low, mut high) = (0.0, (1.0 / h).min(1.0));
    if residual(high) <= 0.0 {
        return high;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if residual(middle) > 0.0 {
            high = middle
        } else {
            low = middle
        }
    }
    0.5 * (low + high)
}

/// One free impact from touch until the indentation returns to zero; y = [δ, δ′].
#[derive(Clone, Debug)]
pub struct Impact {
    mass: f64,
    stiffness: f64,
    speed: f64,
    damping: f64,
    /// −K/m and h/v₀, so that the slope costs one root and no division.
    rate: f64,
    slowing: f64,
    /// The integration variable.
    pub clock: Clock,
    base: Base,
}

impl Impact {
    /// The time of separation of the default impact: the integral of dδ/δ′ at 40 digits (mpmath 1.3), s.
    pub const SEPARATION: f64 = 1.568_066_188_926_714_7e-4;
    /// The deepest indentation of the default impact, m; closed form.
    pub const DEEPEST: f64 = 1.396_587_693_004_057_8e-5;

    /// An impact of a mass (kg) on a stiffness K (N/m^1.5) at a speed (m/s), with the coefficient h of the damping term.
    pub fn new(mass: f64, stiffness: f64, speed: f64, damping: f64) -> Self {
        Impact {
            mass,
            stiffness,
            speed,
            damping,
            rate: -stiffness / mass,
            slowing: damping / speed,
            clock: Clock::Time,
            base: Base::default(),
        }
    }

    /// The speed at separation, negative: it moves away, m/s.
    pub fn exit_speed(&self) -> f64 {
        -restitution(self.damping) * self.speed
    }

    fn clock(&self) -> Clock {
        self.clock
    }
}

impl Default for Impact {
    /// Two spheres: m = 0.046 kg (the reduced mass), K = 5.5e9 N/m^1.5, v₀ = 0.3 m/s, e = 0.7.
    fn default() -> Self {
        Self::new(0.046, 5.5e9, 0.3, 1.5 * (1.0 - 0.7))
    }
}

impl Hybrid for Impact {
    fn size(&self) -> usize {
        2
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let delta = y[0];
        dydt[0] = y[1];
        dydt[1] = if delta > 0.0 {
            self.rate * delta * math::sqrt(delta) * (1.0 + self.slowing * y[1])
        } else {
            0.0
        };
    }
    fn guard_total(&self) -> usize {
        1
    }
    #[inline]
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }
    fn watched(&self, _i: usize) -> Watch {
        Watch::Falling
    }
    fn jump(&mut self, _t: f64, _y: &mut [f64], _i: usize) -> Action {
        Action::Stop
    }
    fn absolute(&self, rtol: f64, i: usize) -> Option<f64> {
        Some(
            rtol * if i == 0 {
                hertz_indentation(self.mass, self.stiffness, self.speed)
            } else {
                self.speed
            },
        )
    }
    fn first_step(&self) -> Option<f64> {
        Some(hertz_duration(self.mass, self.stiffness, self.speed) / 100.0)
    }
}

flow_of_hybrid!(Impact, ["indentation", "indentation rate"] : ["indentation", "velocity"], ["separation"]);

impl Problem for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }
    fn start(&self) -> Vec<f64> {
        vec![0.0, self.speed]
    }
    /// Later than the separation, which ends the run.
    fn end(&self) -> f64 {
        10.0 * hertz_duration(self.mass, self.stiffness, self.speed)
    }
    /// Known at touch and at the separation of the default impact.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        if t == 0.0 {
            Some(self.start())
        } else if t == Self::SEPARATION {
            Some(vec![0.0, self.exit_speed()])
        } else {
            None
        }
    }
}

/// A ball bouncing on the floor for ten seconds until it stays there; y = [height of its lowest point, velocity].
///
/// In flight the guard falls at touch; in contact it rises at separation. The speed at touch is latched at every touch. Tolerances in contact follow the contact's own depth and speed.
#[derive(Clone, Debug)]
pub struct Ball {
    mass: f64,
    stiffness: f64,
    damping: f64,
    gravity: f64,
    height: f64,
    /// The integration variable in contact.
    pub contact_clock: Clock,
    /// The times of the touches so far.
    pub touches: Vec<f64>,
    contact: Option<Latched>,
    base: Base,
}

/// What is kept from a touch on: its speed v₀, and K/m and h/v₀, so that the slope costs one root and no division.
#[derive(Clone, Copy, Debug)]
struct Latched {
    speed: f64,
    rate: f64,
    slowing: f64,
}

impl Ball {
    /// How many touches the default ball makes in ten seconds; the last one lasts.
    pub const TOUCHES: usize = 50;
    /// The time of its fortieth touch, s: SciPy 1.17 DOP853 with √(t − t₀) as the variable in each contact and closed flights; rtol 1e-13 and 3e-14 agree to 5e-12.
    pub const FORTIETH: f64 = 9.245_961_801_37;

    /// A ball of a mass (kg) with a contact stiffness K (N/m^1.5) and the coefficient h of the damping term, under gravity (m/s²), released from a height (m).
    pub fn new(mass: f64, stiffness: f64, damping: f64, gravity: f64, height: f64) -> Self {
        Ball {
            mass,
            stiffness,
            damping,
            gravity,
            height,
            contact_clock: Clock::Time,
            touches: Vec::with_capacity(128),
            contact: None,
            base: Base::default(),
        }
    }

    /// Whether the ball is in contact.
    pub fn in_contact(&self) -> bool {
        self.contact.is_some()
    }

    /// The speed at the touch under way, if there is one.
    pub fn touch_speed(&self) -> Option<f64> {
        self.contact.map(|latched| latched.speed)
    }

    /// The height at which the ball rests: K δ^(3/2) = m g.
    pub fn resting_height(&self) -> f64 {
        -(self.mass * self.gravity / self.stiffness).powf(2.0 / 3.0)
    }

    fn clock(&self) -> Clock {
        if self.contact.is_some() {
            self.contact_clock
        } else {
            Clock::Time
        }
    }
}

impl Default for Ball {
    fn default() -> Self {
        Self::new(1.0, 1.4e8, 1.5 * (1.0 - 0.9), 9.81, 1.0)
    }
}

impl Hybrid for Ball {
    fn size(&self) -> usize {
        2
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = -self.gravity;
        if let Some(latched) = self.contact {
            let delta = -y[0];
            if delta > 0.0 {
                dydt[1] +=
                    latched.rate * delta * math::sqrt(delta) * (1.0 - latched.slowing * y[1]);
            }
        }
    }
    fn guard_total(&self) -> usize {
        1
    }
    #[inline]
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        g[0] = y[0];
    }
    fn watched(&self, _i: usize) -> Watch {
        if self.contact.is_some() {
            Watch::Rising
        } else {
            Watch::Falling
        }
    }
    fn jump(&mut self, t: f64, y: &mut [f64], _i: usize) -> Action {
        if self.contact.is_some() {
            self.contact = None;
            // The flight's own time scale: its rise takes v/g.
            Action::Restart {
                first_step: Some(y[1] / self.gravity),
            }
        } else {
            let speed = -y[1];
            self.contact = Some(Latched {
                speed,
                rate: self.stiffness / self.mass,
                slowing: self.damping / speed,
            });
            self.touches.push(t);
            Action::Restart {
                first_step: Some(hertz_duration(self.mass, self.stiffness, speed) / 100.0),
            }
        }
    }
    fn absolute(&self, rtol: f64, i: usize) -> Option<f64> {
        self.touch_speed().map(|speed| {
            rtol * if i == 0 {
                hertz_indentation(self.mass, self.stiffness, speed)
            } else {
                speed
            }
        })
    }
}

flow_of_hybrid!(Ball, ["height", "velocity"] : ["indentation", "velocity"], ["floor"]);

impl Problem for Ball {
    fn name(&self) -> &'static str {
        "bouncing ball, Hunt-Crossley"
    }
    fn start(&self) -> Vec<f64> {
        vec![self.height, 0.0]
    }
    fn end(&self) -> f64 {
        10.0
    }
    /// Known until the first touch, and at the end, where the ball rests.
    fn reference(&self, t: f64) -> Option<Vec<f64>> {
        let first = (2.0 * self.height / self.gravity).sqrt();
        if t <= first {
            Some(vec![
                self.height - 0.5 * self.gravity * t * t,
                -self.gravity * t,
            ])
        } else if t == 10.0 {
            Some(vec![self.resting_height(), 0.0])
        } else {
            None
        }
    }
    fn reset(&mut self) {
        self.touches.clear();
        self.contact = None;
        self.base = Base::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lambert's W at 40 digits (mpmath 1.3): e = (1 + W(−(1+h) e^(−(1+h)))) / h.
    #[test]
    fn restitution_agrees_with_lamberts_function() {
        assert!((restitution(0.45) - 0.767_999_789_078_475_7).abs() < 1e-15);
        assert!((Impact::default().exit_speed() + 0.230_399_936_723_542_7).abs() < 1e-15);
        // 1 − 2h/3 + 4h²/9 − 44h³/135 + …: small damping keeps its digits.
        let h: f64 = 1e-3;
        assert!(
            (restitution(h) - (1.0 - 2.0 * h / 3.0 + 4.0 * h * h / 9.0 - 44.0 * h * h * h / 135.0))
                .abs()
                < 1e-12
        );
        assert_eq!(restitution(0.0), 1.0);
    }
}
