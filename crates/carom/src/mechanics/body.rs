//! What does a rigid body weigh, and how hard is it to turn?

use crate::mechanics::fault::{Fault, positive};
use crate::mechanics::frame::Pose;

/// A rigid body: its mass and its moment of inertia about the mass centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    mass: f64,
    inertia: f64,
}

impl Body {
    /// Mass in kg and moment of inertia about the mass centre in kg m²; every fault at once.
    pub fn new(mass: f64, inertia: f64) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        faults.extend(positive("body", "mass", mass, "kg").err());
        if !(inertia > 0.0 && inertia < f64::INFINITY) {
            faults.push(Fault::OutOfRange {
                element: "body",
                name: "inertia",
                value: inertia,
                unit: "kg m²",
                allowed: "> 0",
                hint: "a body that never turns may have any",
            });
        }
        if faults.is_empty() {
            Ok(Self { mass, inertia })
        } else {
            Err(faults)
        }
    }

    /// A thin uniform rod of this mass (kg) and length (m): m L²/12.
    pub fn rod(mass: f64, length: f64) -> Result<Self, Vec<Fault>> {
        Self::shaped(mass, &[("length", length)], length * length / 12.0)
    }

    /// A uniform disc of this mass (kg) and radius (m): m r²/2.
    pub fn disc(mass: f64, radius: f64) -> Result<Self, Vec<Fault>> {
        Self::shaped(mass, &[("radius", radius)], radius * radius / 2.0)
    }

    /// A uniform rectangle of this mass (kg) and these sides (m): m (a² + b²)/12.
    pub fn rectangle(mass: f64, sides: [f64; 2]) -> Result<Self, Vec<Fault>> {
        let [a, b] = sides;
        Self::shaped(mass, &[("width", a), ("height", b)], (a * a + b * b) / 12.0)
    }

    /// A body of a shape: the shape's own lengths are checked, not only the inertia that follows from them.
    fn shaped(
        mass: f64,
        lengths: &[(&'static str, f64)],
        gyration_squared: f64,
    ) -> Result<Self, Vec<Fault>> {
        let mut faults: Vec<Fault> = positive("body", "mass", mass, "kg")
            .err()
            .into_iter()
            .collect();
        for &(name, length) in lengths {
            faults.extend(positive("body", name, length, "m").err());
        }
        if faults.is_empty() {
            // A product of sound numbers may still overflow or vanish.
            Self::new(mass, mass * gyration_squared)
        } else {
            Err(faults)
        }
    }

    /// The mass, kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The moment of inertia about the mass centre, kg m².
    pub fn inertia(&self) -> f64 {
        self.inertia
    }

    /// The diagonal of the mass matrix: kg, kg, kg m².
    #[inline]
    pub fn diagonal(&self) -> [f64; 3] {
        [self.mass, self.mass, self.inertia]
    }

    /// The kinetic energy in this motion, J.
    #[inline]
    pub fn kinetic_energy(&self, pose: &Pose) -> f64 {
        let [vx, vy] = pose.velocity;
        0.5 * (self.mass * (vx * vx + vy * vy) + self.inertia * pose.omega * pose.omega)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_shapes_have_their_textbook_inertia() {
        // Machado et al. (2012), table 1: the crank of 0.038 kg and 0.153 m has 7.4e-5 kg m², a uniform rod to the digits printed.
        let crank = Body::rod(0.038, 0.153).expect("sound");
        assert!((crank.inertia() - 7.4e-5).abs() < 0.05e-5);
        assert_eq!(Body::disc(2.0, 3.0).expect("sound").inertia(), 9.0);
        // A square of side a is twice a rod of length a.
        let square = Body::rectangle(1.5, [0.2, 0.2]).expect("sound").inertia();
        assert!((square - 2.0 * Body::rod(1.5, 0.2).expect("sound").inertia()).abs() < 1e-16);
    }

    #[test]
    fn unsound_bodies_are_refused_with_every_fault_at_once() {
        let faults = Body::new(-1.0, f64::NAN).expect_err("two faults");
        assert_eq!(faults.len(), 2);
        assert_eq!(faults[0].to_string(), "body: mass is -1 kg; allowed: > 0");
        assert!(faults[1].to_string().contains("inertia is NaN kg m²"));
        assert_eq!(
            Body::rectangle(0.0, [-1.0, f64::INFINITY])
                .expect_err("three")
                .len(),
            3
        );
        // 1e-200 m squared is zero in a float: no inertia is left.
        assert!(Body::rod(1.0, 1e-200).is_err());
        assert!(Body::new(1.0, 1.0).is_ok());
    }
}
