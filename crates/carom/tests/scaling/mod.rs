//! How does a number change when metre, kilogram and second do?
//!
//! The text of a unit is an expression of units and, in exponents, of other parameters: `N/m^n`, `Pa s`, `N s^nl/m^(1+nl)`. Evaluated with other sizes of metre, kilogram and second
//! for the units in it, it is the factor by which the number grows.
#![allow(dead_code)]

use crate::formula::{Expression, Names};

/// How many new metres, kilograms and seconds make an old one.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub metre: f64,
    pub kilogram: f64,
    pub second: f64,
}

impl Sizes {
    /// The units that may stand in a text.
    fn units(&self) -> [(&'static str, f64); 10] {
        let (l, m, t) = (self.metre, self.kilogram, self.second);
        let newton = m * l / (t * t);
        [
            ("m", l),
            ("kg", m),
            ("s", t),
            ("N", newton),
            ("J", newton * l),
            ("W", newton * l / t),
            ("Pa", newton / (l * l)),
            ("Hz", 1.0 / t),
            ("rad", 1.0),
            ("K", f64::NAN), // no law knows a temperature
        ]
    }

    /// The factor of a unit; `symbols` are the other parameters, by symbol. Units come before symbols of the same name.
    pub fn factor(&self, unit: &str, symbols: &Names) -> Result<f64, String> {
        if unit.is_empty() {
            return Ok(1.0);
        }
        let mut names = symbols.clone();
        names.extend(self.units().map(|(name, size)| (name.into(), size)));
        let read = Expression::read(unit).map_err(|wrong| wrong.to_string())?;
        if !read
            .names()
            .iter()
            .any(|name| self.units().iter().any(|(unit, _)| unit == name))
        {
            return Err(format!("no unit in `{unit}`"));
        }
        let value = read.value(&names).map_err(|wrong| wrong.to_string())?;
        if value.is_finite() && value > 0.0 {
            Ok(value)
        } else {
            Err(format!("`{unit}` is {value}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_scale_as_the_quantities_they_stand_for() {
        let sizes = Sizes {
            metre: 1000.0,
            kilogram: 10.0,
            second: 100.0,
        };
        let symbols: Names = [("n".to_string(), 1.5), ("nl".to_string(), 2.0)].into();
        // A newton is 10·1000/100² = 1 new one; by hand from there.
        for (unit, factor) in [
            ("", 1.0),
            ("N", 1.0),
            ("N/m^n", 1000.0_f64.powf(-1.5)),
            ("Pa s", 1e-4),
            ("1/s", 0.01),
            ("s/m", 0.1),
            ("N s^nl/m^(1+nl)", 1e-5),
            ("N/m^3", 1e-9),
            ("s/m^n", 100.0 * 1000.0_f64.powf(-1.5)),
        ] {
            let found = sizes.factor(unit, &symbols).unwrap();
            assert!(
                (found / factor - 1.0).abs() < 1e-12,
                "{unit}: {found} not {factor}"
            );
        }
        assert!(sizes.factor("N/m^q", &symbols).is_err());
        assert!(sizes.factor("n", &symbols).is_err());
    }
}
