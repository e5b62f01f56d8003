//! What becomes of two bodies that meet on one line?

use crate::card::Fault;

/// Two bodies before their impact. Positive speeds point from the first to the second; an infinite mass does not move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBodies {
    masses: [f64; 2],
    speeds: [f64; 2],
}

impl TwoBodies {
    /// Masses in kg (one may be infinite), speeds in m/s; every fault at once.
    pub fn new(masses: [f64; 2], speeds: [f64; 2]) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut fault = |name: &str, value, unit, allowed: &str, hint: &str| {
            faults.push(Fault::OutOfRange {
                law: "two bodies",
                name: name.into(),
                value,
                unit,
                allowed: allowed.into(),
                hint: hint.into(),
            });
        };
        for (mass, name) in masses.iter().zip(["mass 1", "mass 2"]) {
            if !(*mass > 0.0) {
                fault(name, *mass, "kg", "> 0 (inf for a fixed body)", "");
            }
        }
        if masses.iter().all(|m| m.is_infinite()) {
            fault("mass 1", masses[0], "kg", "finite, if mass 2 is not", "");
        }
        for (speed, name) in speeds.iter().zip(["speed 1", "speed 2"]) {
            if !speed.is_finite() {
                fault(name, *speed, "m/s", "a finite number", "");
            }
        }
        if speeds[0] <= speeds[1] {
            fault(
                "speed 1",
                speeds[0],
                "m/s",
                &format!("above speed 2, {}", speeds[1]),
                "the bodies must approach each other; speeds are positive from the first body to the second",
            );
        }
        if faults.is_empty() {
            Ok(Self { masses, speeds })
        } else {
            Err(faults)
        }
    }

    /// The masses, kg.
    pub fn masses(&self) -> [f64; 2] {
        self.masses
    }

    /// The speeds before, m/s.
    pub fn speeds(&self) -> [f64; 2] {
        self.speeds
    }

    /// m1 m2/(m1 + m2), kg (Flores et al. 2011, eq. 14).
    pub fn effective_mass(&self) -> f64 {
        let (light, ratio) = self.light();
        self.masses[light] / (1.0 + ratio)
    }

    /// Which body is the lighter one, and its mass over the other's: at most 1, and no special case where the other is fixed or either is tiny.
    fn light(&self) -> (usize, f64) {
        let light = usize::from(self.masses[1] < self.masses[0]);
        (light, self.masses[light] / self.masses[1 - light])
    }

    /// v1 − v2, m/s.
    pub fn approach_speed(&self) -> f64 {
        self.speeds[0] - self.speeds[1]
    }

    /// The speed of both at the deepest point, m/s: (m1 v1 + m2 v2)/(m1 + m2) (Flores et al. 2011, eq. 42).
    pub fn common_speed(&self) -> f64 {
        let (light, ratio) = self.light();
        let heavy = self.speeds[1 - light];
        heavy + (self.speeds[light] - heavy) * ratio / (1.0 + ratio)
    }

    /// The speeds after an impact of this restitution, m/s.
    pub fn speeds_after(&self, restitution: f64) -> [f64; 2] {
        let impulse = self.effective_mass() * self.approach_speed() * (1.0 + restitution);
        [
            self.speeds[0] - impulse / self.masses[0],
            self.speeds[1] + impulse / self.masses[1],
        ]
    }

    /// Momentum, kg m/s, of bodies with these speeds; `None` if one is fixed.
    pub fn momentum(&self, speeds: [f64; 2]) -> Option<f64> {
        let p = self.masses[0] * speeds[0] + self.masses[1] * speeds[1];
        self.masses.iter().all(|m| m.is_finite()).then_some(p)
    }

    /// Kinetic energy, J, of bodies with these speeds, of those that are not fixed.
    pub fn kinetic_energy(&self, speeds: [f64; 2]) -> f64 {
        (0..2)
            .filter(|&i| self.masses[i].is_finite())
            .map(|i| 0.5 * self.masses[i] * speeds[i] * speeds[i])
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_is_kept_and_the_energy_of_the_approach_is_lost() {
        let bodies = TwoBodies::new([2.0, 3.0], [1.5, -0.5]).expect("sound");
        let e = 0.6;
        let after = bodies.speeds_after(e);
        let lost = bodies.kinetic_energy(bodies.speeds()) - bodies.kinetic_energy(after);
        let v = bodies.approach_speed();
        // Flores et al. (2011), eq. 15–17: ½ m v0² (1 − e²).
        assert!((lost - 0.5 * bodies.effective_mass() * v * v * (1.0 - e * e)).abs() < 1e-14);
        let before = bodies.momentum(bodies.speeds()).expect("both move");
        assert!((bodies.momentum(after).expect("both move") - before).abs() < 1e-14);
        assert!((after[1] - after[0] - e * v).abs() < 1e-14);
        assert!((bodies.common_speed() * 5.0 - before).abs() < 1e-14);
    }

    #[test]
    fn a_fixed_body_stays_where_it_is() {
        let bodies = TwoBodies::new([2.0, f64::INFINITY], [1.5, 0.0]).expect("sound");
        assert_eq!(bodies.effective_mass(), 2.0);
        // Neither sum nor inverse of these is a float.
        for (masses, mass) in [([1e308, 1e308], 5e307), ([5e-324, 1.0], 5e-324)] {
            let extreme = TwoBodies::new(masses, [1.0, 0.0]).expect("sound");
            assert_eq!(extreme.effective_mass(), mass);
            assert!(extreme.common_speed().is_finite());
        }
        for bad in [[0.0, 1.0], [1.0, -1.0], [f64::NAN, 1.0], [f64::INFINITY; 2]] {
            assert!(TwoBodies::new(bad, [1.0, 0.0]).is_err(), "{bad:?}");
        }
        assert_eq!(bodies.speeds_after(0.5), [-0.75, 0.0]);
        assert_eq!(bodies.common_speed(), 0.0);
    }

    #[test]
    fn bodies_that_do_not_meet_are_refused_with_both_numbers() {
        let faults = TwoBodies::new([2.0, -1.0], [0.1, 0.2]).expect_err("two faults");
        assert_eq!(faults.len(), 2);
        assert!(
            faults[1].to_string().contains("above speed 2, 0.2"),
            "{}",
            faults[1]
        );
    }
}
