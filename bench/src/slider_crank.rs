//! How does a slider-crank strike a free block?
//!
//! The example of Machado, Moreira, Flores and Lankarani 2012, section 6, in two coordinates: y = [crank angle θ, block position x, θ′, x′]. The crank turns freely; the block is guided on the
//! slider's line. The rod's moment of inertia is the printed one (a uniform rod would have ten times as much).

use carom::math;
use carom::solve::{Action, Clock, Watch};

use crate::hybrid::{Base, flow_of_hybrid};
use crate::impact::{hertz_duration, hertz_indentation};
use crate::{Hybrid, Problem};

/// What one contact was like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Time of touch, s.
    pub start: f64,
    /// Time of separation, s; NaN while it lasts.
    pub end: f64,
    /// Slider speed at touch, m/s.
    pub slider_before: f64,
    /// Block speed at touch, m/s.
    pub block_before: f64,
    /// Slider speed at separation, m/s.
    pub slider_after: f64,
    /// Block speed at separation, m/s.
    pub block_after: f64,
    /// Indentation at the moment the touch was noticed: zero when it was located.
    pub first_penetration: f64,
    /// The deepest indentation, m; only with [`SliderCrank::watch_peaks`].
    pub deepest: f64,
    /// The largest force, N; only with [`SliderCrank::watch_peaks`].
    pub peak_force: f64,
}

/// The slider-crank and the free block.
///
/// Guard 0 is the gap: falling in flight, rising in contact. Guards 1 and 2 note the deepest point and the peak of the force, if asked for.
#[derive(Clone, Debug)]
pub struct SliderCrank {
    /// Crank length, m.
    pub crank: f64,
    /// Rod length, m.
    pub rod: f64,
    /// Masses of crank, rod, slider and block, kg.
    pub masses: [f64; 4],
    /// Moments of inertia of crank and rod about their centres, kg m².
    pub inertias: [f64; 2],
    /// Distance of the two centres at touch, m.
    pub reach: f64,
    /// Gravity along −y, m/s².
    pub gravity: f64,
    /// Stiffness K, N/m^1.5.
    pub stiffness: f64,
    /// The coefficient h of the force K δ^(3/2) (1 + h δ′/v₀).
    pub damping: f64,
    /// Whether the deepest point and the peak force of each contact are located and noted.
    pub watch_peaks: bool,
    /// Whether the force acts on any indentation, with the present speed for that of the touch until one is latched: how a program without located events does it.
    pub unlatched: bool,
    /// The integration variable in contact.
    pub contact_clock: Clock,
    /// What the contacts so far were like.
    pub contacts: Vec<Contact>,
    touch_speed: Option<f64>,
    base: Base,
}

/// The slider's place and what follows from it, all as functions of the crank angle.
struct Kinematics {
    slider: f64,
    slider_rate: f64,
    slider_curvature: f64,
    inertia: f64,
    inertia_rate: f64,
}

impl SliderCrank {
    /// First touch, s: the same for every law.
    pub const FIRST_TOUCH: f64 = 43.445490e-3;
    /// Slider speed at first touch, m/s.
    pub const FIRST_SLIDER_SPEED: f64 = 10.761204;
    /// With Lankarani and Nikravesh's law: slider and block speed after the first contact, m/s.
    pub const AFTER_FIRST: [f64; 2] = [-15.21559996, 5.27610659];
    /// With the same law: second touch, s.
    pub const SECOND_TOUCH: f64 = 66.392247125e-3;
    /// With the same law: block speed after the second contact, m/s.
    pub const AFTER_SECOND: f64 = 13.37358018;
    /// With the same law: deepest indentations of the two contacts, m.
    pub const DEEPEST: [f64; 2] = [508.320909e-6, 260.301986e-6];
    /// With the same law: peak forces of the two contacts, N.
    pub const PEAK_FORCE: [f64; 2] = [113.970969e3, 41.763357e3];

    /// The example with the damping coefficient `h`.
    pub fn with_damping(h: f64) -> Self {
        SliderCrank {
            crank: 0.153,
            rod: 0.306,
            masses: [0.038, 0.076, 0.038, 0.190],
            inertias: [7.4e-5, 5.9e-5],
            reach: 2.0 * 16.93e-3,
            gravity: 9.81,
            stiffness: 9.5e9,
            damping: h,
            watch_peaks: false,
            unlatched: false,
            contact_clock: Clock::Time,
            contacts: Vec::with_capacity(16),
            touch_speed: None,
            base: Base::default(),
        }
    }

    /// The example with Lankarani and Nikravesh's law (1990), h = 3(1 − e²)/4.
    pub fn lankarani_nikravesh(e: f64) -> Self {
        Self::with_damping(0.75 * (1.0 - e * e))
    }

    fn kinematics(&self, theta: f64) -> Kinematics {
        let (r, l) = (self.crank, self.rod);
        let (s, c) = (math::sin(theta), math::cos(theta));
        // The rod's angle φ: r sin θ + l sin φ = 0. Primes are derivatives by θ.
        let sp = -r * s / l;
        let cp = math::sqrt(1.0 - sp * sp);
        let p1 = -r * c / (l * cp);
        let p2 = (r * s + l * sp * p1 * p1) / (l * cp);
        let slider = r * c + l * cp;
        let x1 = -r * s - l * sp * p1;
        let x2 = -r * c - l * (cp * p1 * p1 + sp * p2);
        // The rod's centre lies half way between the crank pin and the slider pin.
        let (gx1, gx2) = (
            -r * s - 0.5 * l * sp * p1,
            -r * c - 0.5 * l * (cp * p1 * p1 + sp * p2),
        );
        let (gy1, gy2) = (0.5 * r * c, -0.5 * r * s);
        let [crank, rod, block_side, _] = self.masses;
        let [crank_inertia, rod_inertia] = self.inertias;
        Kinematics {
            slider,
            slider_rate: x1,
            slider_curvature: x2,
            inertia: crank_inertia
                + 0.25 * crank * r * r
                + rod * (gx1 * gx1 + gy1 * gy1)
                + rod_inertia * p1 * p1
                + block_side * x1 * x1,
            inertia_rate: 2.0
                * (rod * (gx1 * gx2 + gy1 * gy2) + rod_inertia * p1 * p2 + block_side * x1 * x2),
        }
    }

    /// Slider position and speed.
    pub fn slider(&self, y: &[f64]) -> (f64, f64) {
        let k = self.kinematics(y[0]);
        (k.slider, k.slider_rate * y[2])
    }

    /// The gap between slider and block; negative is penetration.
    pub fn gap(&self, y: &[f64]) -> f64 {
        y[1] - self.kinematics(y[0]).slider - self.reach
    }

    /// The mass the contact feels: that of the mechanism along the slider's line, in series with the block's.
    pub fn effective_mass(&self, theta: f64) -> f64 {
        let k = self.kinematics(theta);
        1.0 / (k.slider_rate * k.slider_rate / k.inertia + 1.0 / self.masses[3])
    }

    /// Kinetic and gravitational energy, J.
    pub fn energy(&self, y: &[f64]) -> f64 {
        let k = self.kinematics(y[0]);
        let lift = 0.5 * (self.masses[0] + self.masses[1]) * self.crank * math::sin(y[0]);
        0.5 * k.inertia * y[2] * y[2] + 0.5 * self.masses[3] * y[3] * y[3] + self.gravity * lift
    }

    /// Force, indentation, its rate and its acceleration; with them the two accelerations.
    fn contact(&self, y: &[f64]) -> (f64, [f64; 3], [f64; 2]) {
        let k = self.kinematics(y[0]);
        let delta = k.slider + self.reach - y[1];
        let rate = k.slider_rate * y[2] - y[3];
        let present = (self.unlatched && rate > 0.0).then_some(rate);
        let force = match self.touch_speed.or(present) {
            Some(speed) if delta > 0.0 => {
                self.stiffness * delta * math::sqrt(delta) * (1.0 + self.damping * rate / speed)
            }
            _ => 0.0,
        };
        let weight =
            0.5 * (self.masses[0] + self.masses[1]) * self.gravity * self.crank * math::cos(y[0]);
        let crank =
            (-force * k.slider_rate - weight - 0.5 * k.inertia_rate * y[2] * y[2]) / k.inertia;
        let block = force / self.masses[3];
        let acceleration = k.slider_rate * crank + k.slider_curvature * y[2] * y[2] - block;
        (force, [delta, rate, acceleration], [crank, block])
    }

    fn clock(&self) -> Clock {
        if self.touch_speed.is_some() {
            self.contact_clock
        } else {
            Clock::Time
        }
    }
}

impl Default for SliderCrank {
    fn default() -> Self {
        Self::lankarani_nikravesh(0.7)
    }
}

impl Hybrid for SliderCrank {
    fn size(&self) -> usize {
        4
    }
    #[inline]
    fn slope(&self, _t: f64, y: &[f64], dydt: &mut [f64]) {
        let (_, _, [crank, block]) = self.contact(y);
        dydt[0] = y[2];
        dydt[1] = y[3];
        dydt[2] = crank;
        dydt[3] = block;
    }
    fn guard_total(&self) -> usize {
        if self.watch_peaks { 3 } else { 1 }
    }
    fn guard_values(&self, _t: f64, y: &[f64], g: &mut [f64]) {
        if !self.watch_peaks {
            g[0] = self.gap(y);
            return;
        }
        let (_, [delta, rate, acceleration], _) = self.contact(y);
        g[0] = -delta;
        g[1] = rate;
        // The rate of the force, divided by what is always positive: K √δ.
        let speed = self.touch_speed.unwrap_or(1.0);
        g[2] = 1.5 * rate * (1.0 + self.damping * rate / speed)
            + self.damping * delta * acceleration / speed;
    }
    fn watched(&self, i: usize) -> Watch {
        match (i, self.touch_speed.is_some()) {
            (0, true) => Watch::Rising,
            (0, false) => Watch::Falling,
            (_, true) => Watch::Falling,
            (_, false) => Watch::Off,
        }
    }
    fn jump(&mut self, t: f64, y: &mut [f64], i: usize) -> Action {
        let (_, slider) = self.slider(y);
        let (force, [delta, rate, _], _) = self.contact(y);
        match (i, self.touch_speed.is_some()) {
            (0, false) => {
                self.contacts.push(Contact {
                    start: t,
                    end: f64::NAN,
                    slider_before: slider,
                    block_before: y[3],
                    first_penetration: delta.max(0.0),
                    ..Contact::default()
                });
                self.touch_speed = Some(rate);
                Action::Restart {
                    first_step: Some(
                        hertz_duration(self.effective_mass(y[0]), self.stiffness, rate) / 100.0,
                    ),
                }
            }
            (0, true) => {
                if let Some(contact) = self.contacts.last_mut() {
                    contact.end = t;
                    contact.slider_after = slider;
                    contact.block_after = y[3];
                }
                self.touch_speed = None;
                // A hundredth of a turn.
                Action::Restart {
                    first_step: Some(0.01 * std::f64::consts::TAU / y[2].abs().max(1.0)),
                }
            }
            (_, true) => {
                if let Some(contact) = self.contacts.last_mut() {
                    if i == 1 {
                        contact.deepest = delta
                    } else {
                        contact.peak_force = force
                    }
                }
                Action::Continue
            }
            (_, false) => Action::Continue,
        }
    }
    /// In contact positions follow the indentation, not the coordinates, and speeds the touch speed.
    fn absolute(&self, rtol: f64, i: usize) -> Option<f64> {
        let speed = self.touch_speed?;
        // The mass of the block alone bounds the effective mass from above; the depth hardly depends on it.
        let depth = hertz_indentation(self.masses[3], self.stiffness, speed);
        Some(match i {
            0 => rtol * depth / self.crank,
            1 => rtol * depth,
            2 => rtol * speed / self.crank,
            _ => rtol * speed,
        })
    }
}

flow_of_hybrid!(
    SliderCrank,
    ["crank angle", "block position", "crank rate", "block velocity"] : ["angle", "position", "angular velocity", "velocity"],
    ["gap", "deepest", "peak force"]
);

impl Problem for SliderCrank {
    fn name(&self) -> &'static str {
        "slider-crank and block"
    }
    fn start(&self) -> Vec<f64> {
        vec![0.0, 0.914, 150.0, -15.0]
    }
    fn end(&self) -> f64 {
        0.1
    }
    /// No closed form; what is known is in the constants.
    fn reference(&self, _t: f64) -> Option<Vec<f64>> {
        None
    }
    fn reset(&mut self) {
        self.contacts.clear();
        self.touch_speed = None;
        self.base = Base::default();
    }
}
