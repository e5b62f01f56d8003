//! What does a quantity measure, and what is that called?

use std::fmt;

/// Exponents of the base quantities. Not always whole: the stiffness of a contact has the unit N/m^1.5.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dimension {
    /// Of length in m.
    pub length: f64,
    /// Of mass in kg.
    pub mass: f64,
    /// Of time in s.
    pub time: f64,
    /// Of angle in rad.
    pub angle: f64,
}

/// Exponents, the name, and the unit in which people expect it.
type Named = (Dimension, &'static str, &'static str);

const fn named(exponents: [f64; 4], name: &'static str, unit: &'static str) -> Named {
    let [length, mass, time, angle] = exponents;
    (
        Dimension {
            length,
            mass,
            time,
            angle,
        },
        name,
        unit,
    )
}

/// Length, mass, time, angle.
const NAMED: [Named; 30] = [
    named([0.0, 0.0, 0.0, 0.0], "a pure number", ""),
    named([1.0, 0.0, 0.0, 0.0], "a length", "m"),
    named([2.0, 0.0, 0.0, 0.0], "an area", "m^2"),
    named([3.0, 0.0, 0.0, 0.0], "a volume", "m^3"),
    named([-1.0, 0.0, 0.0, 0.0], "a curvature", "1/m"),
    named([0.0, 1.0, 0.0, 0.0], "a mass", "kg"),
    named([0.0, 0.0, 1.0, 0.0], "a time", "s"),
    named([0.0, 0.0, 0.0, 1.0], "an angle", "rad"),
    named([0.0, 0.0, -1.0, 0.0], "a frequency", "1/s"),
    named([1.0, 0.0, -1.0, 0.0], "a speed", "m/s"),
    named([-1.0, 0.0, 1.0, 0.0], "an inverse speed", "s/m"),
    named([1.0, 0.0, -2.0, 0.0], "an acceleration", "m/s^2"),
    named([0.0, 0.0, -1.0, 1.0], "an angular speed", "rad/s"),
    named([0.0, 0.0, -2.0, 1.0], "an angular acceleration", "rad/s^2"),
    named([1.0, 1.0, -2.0, 0.0], "a force", "N"),
    named([2.0, 1.0, -2.0, 0.0], "an energy or a moment", "N m"),
    named([2.0, 1.0, -3.0, 0.0], "a power", "W"),
    named([1.0, 1.0, -1.0, 0.0], "an impulse", "N s"),
    named([-1.0, 1.0, -2.0, 0.0], "a pressure or a modulus", "Pa"),
    named([0.0, 1.0, -2.0, 0.0], "a linear stiffness", "N/m"),
    named([0.0, 1.0, -1.0, 0.0], "a linear damping", "N s/m"),
    named([-1.0, 1.0, -1.0, 0.0], "a viscosity", "Pa s"),
    named([-3.0, 1.0, 0.0, 0.0], "a density", "kg/m^3"),
    named([-2.0, 1.0, 0.0, 0.0], "a mass per area", "kg/m^2"),
    named([-1.0, 1.0, 0.0, 0.0], "a mass per length", "kg/m"),
    named([2.0, 1.0, 0.0, 0.0], "a moment of inertia", "kg m^2"),
    named([2.0, 1.0, -1.0, 0.0], "an angular momentum", "kg m^2/s"),
    named([2.0, 1.0, -2.0, -1.0], "a rotational stiffness", "N m/rad"),
    named([2.0, 1.0, -1.0, -1.0], "a rotational damping", "N m s/rad"),
    named([-2.0, 1.0, -2.0, 0.0], "a stiffness per volume", "N/m^3"),
];

impl Dimension {
    /// A pure number.
    pub const NONE: Dimension = Dimension::new(0.0, 0.0, 0.0, 0.0);
    /// Metres.
    pub const LENGTH: Dimension = Dimension::new(1.0, 0.0, 0.0, 0.0);
    /// Kilograms.
    pub const MASS: Dimension = Dimension::new(0.0, 1.0, 0.0, 0.0);
    /// Seconds.
    pub const TIME: Dimension = Dimension::new(0.0, 0.0, 1.0, 0.0);
    /// Radians.
    pub const ANGLE: Dimension = Dimension::new(0.0, 0.0, 0.0, 1.0);
    /// Metres a second.
    pub const SPEED: Dimension = Dimension::new(1.0, 0.0, -1.0, 0.0);
    /// Pascals.
    pub const PRESSURE: Dimension = Dimension::new(-1.0, 1.0, -2.0, 0.0);
    /// Kilograms a cubic metre.
    pub const DENSITY: Dimension = Dimension::new(-3.0, 1.0, 0.0, 0.0);

    /// From the exponents of metre, kilogram, second and radian.
    pub const fn new(length: f64, mass: f64, time: f64, angle: f64) -> Dimension {
        Dimension {
            length,
            mass,
            time,
            angle,
        }
    }

    /// Whether both are the same; exponents that differ by less than 1e-9 are equal, since they may have been computed.
    pub fn fits(self, other: Dimension) -> bool {
        let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
        same(self.length, other.length)
            && same(self.mass, other.mass)
            && same(self.time, other.time)
            && same(self.angle, other.angle)
    }

    /// The same with the angle left out, as strict SI has it.
    pub fn without_angle(self) -> Dimension {
        Dimension { angle: 0.0, ..self }
    }

    /// This times a power of another.
    pub fn times(self, other: Dimension, power: f64) -> Dimension {
        Dimension {
            length: self.length + other.length * power,
            mass: self.mass + other.mass * power,
            time: self.time + other.time * power,
            angle: self.angle + other.angle * power,
        }
    }

    /// The SI unit as a text that can be read back, such as `N/m^1.5`; `1` for a pure number.
    pub fn unit(self) -> String {
        match NAMED.iter().find(|n| n.0.fits(self)) {
            Some((_, _, "")) => "1".into(),
            Some((_, _, unit)) => (*unit).into(),
            None => match self.hertzian() {
                Some(n) => format!("N/m^{n}"),
                None => self.base_units(),
            },
        }
    }

    /// The exponent n, if this is a force per length to the power of n.
    fn hertzian(self) -> Option<f64> {
        let n = tidy(1.0 - self.length);
        let force = Dimension::new(1.0 - n, 1.0, -2.0, 0.0);
        (self.fits(force) && n > 0.0).then_some(n)
    }

    fn base_units(self) -> String {
        let parts: Vec<String> = [
            ("kg", self.mass),
            ("m", self.length),
            ("s", self.time),
            ("rad", self.angle),
        ]
        .into_iter()
        .map(|(unit, power)| (unit, tidy(power)))
        .filter(|(_, power)| *power != 0.0)
        .map(|(unit, power)| {
            if power == 1.0 {
                unit.into()
            } else {
                format!("{unit}^{power}")
            }
        })
        .collect();
        parts.join(" ")
    }
}

/// Without the dust of rounding: nine decimals of an exponent.
fn tidy(power: f64) -> f64 {
    (power * 1e9).round() / 1e9 + 0.0
}

/// With its article and unit: `a speed [m/s]`.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMED.iter().find(|n| n.0.fits(*self)) {
            Some((_, name, "")) => write!(f, "{name}"),
            Some((_, name, unit)) => write!(f, "{name} [{unit}]"),
            None if self.hertzian().is_some() => write!(f, "a contact stiffness [{}]", self.unit()),
            None => write!(f, "a quantity [{}]", self.unit()),
        }
    }
}
