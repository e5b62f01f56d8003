//! Where does an axis begin and end, in which unit is it drawn, and where are its ticks?

use super::{Axis, AxisKind};
use crate::math;

/// Room between the outermost values and the frame, as a part of their range: a marker on the edge is whole.
const ROOM: f64 = 0.04;

/// An axis ready to be drawn: which power of ten its numbers are shown in, where it ends and where its ticks are.
#[derive(Debug)]
pub(super) struct Scale {
    exponent: i32,
    log: bool,
    pub low: f64,
    pub high: f64,
    pub step: f64,
    pub decimals: usize,
    pub label: String,
}

impl Scale {
    /// An axis around the values, with about so many ticks.
    pub fn new(axis: &Axis, ticks: f64, values: impl Iterator<Item = f64>) -> Self {
        match &axis.kind {
            AxisKind::Linear => {}
            AxisKind::Log => return Self::log(axis, ticks, values),
            AxisKind::List(names) => {
                return Self {
                    exponent: 0,
                    log: false,
                    low: 0.4 - names.len().max(1) as f64,
                    high: 0.6,
                    step: 1.0,
                    decimals: 0,
                    label: axis.name.clone(),
                };
            }
        }
        // A panel of verticals alone has no ordinate: any range will do.
        let (low, high) = values
            .map(|v| (v, v))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or((0.0, 1.0));
        let largest = low.abs().max(high.abs());
        let exponent = match largest {
            0.0 => 0,
            m if (0.1..1e4).contains(&m) => 0,
            m => decade(m).div_euclid(3) * 3,
        };
        let (low, high) = (scaled(low, exponent), scaled(high, exponent));
        let largest = low.abs().max(high.abs());
        // One value alone gets a tenth of itself as room; values that agree to nine digits get the room that nine digits need.
        let room = if high > low {
            (ROOM * (high - low)).max(1e-9 * largest)
        } else if largest > 0.0 {
            0.1 * largest
        } else {
            1.0
        };
        let step = nice_step((high - low + 2.0 * room) / ticks);
        Self {
            exponent,
            log: false,
            low: low - room,
            high: high + room,
            step,
            decimals: usize::try_from(-decade(step)).unwrap_or(0),
            label: label(axis, exponent),
        }
    }

    /// An axis of the logarithms of positive values; its ticks are whole powers of ten.
    fn log(axis: &Axis, ticks: f64, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .map(math::log10)
            .map(|v| (v, v))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or((0.0, 1.0));
        // At least two ticks: up to the powers of ten around the values where they lie within one.
        let (low, high) = if high - low < 1.5 {
            (low.floor().min(high.ceil() - 1.0), high.ceil())
        } else {
            (low, high)
        };
        let room = ROOM * (high - low);
        Self {
            exponent: 0,
            log: true,
            low: low - room,
            high: high + room,
            step: ((high - low) / ticks).ceil().max(1.0),
            decimals: 0,
            label: label(axis, 0),
        }
    }

    /// Where a value lies on the axis.
    pub fn of(&self, value: f64) -> f64 {
        if self.log {
            return math::log10(value);
        }
        scaled(value, self.exponent)
    }
}

/// Divides by a power of ten; by way of an exact power of ten wherever there is one.
fn scaled(value: f64, exponent: i32) -> f64 {
    // In two halves: 10^330 is no float, and the smallest float needs it.
    let (half, rest) = (exponent / 2, exponent - exponent / 2);
    if !(-22..=22).contains(&exponent) {
        value * math::powi(10.0, -half) * math::powi(10.0, -rest)
    } else if exponent < 0 {
        value * math::powi(10.0, -exponent)
    } else {
        value / math::powi(10.0, exponent)
    }
}

/// The exponent of the leading decimal digit of a positive number, read from its shortest decimal form: no logarithm, no rounding doubt.
fn decade(value: f64) -> i32 {
    format!("{value:e}")
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `raw`.
fn nice_step(raw: f64) -> f64 {
    let decade = decade(raw);
    [(1, decade), (2, decade), (5, decade), (1, decade + 1)]
        .into_iter()
        // Read as decimal text: 2e-3 is then the float nearest to 0.002.
        .filter_map(|(digit, decade)| format!("{digit}e{decade}").parse().ok())
        .find(|&step: &f64| step >= raw)
        .unwrap_or(raw)
}

/// `name [unit]`, with the power of ten as a prefix of the unit where that is usual.
fn label(axis: &Axis, exponent: i32) -> String {
    const PREFIXABLE: [&str; 15] = [
        "m", "s", "N", "J", "W", "Pa", "Hz", "rad", "m/s", "m/s²", "N/m", "N·m", "N·s", "rad/s",
        "rad/s²",
    ];
    let Axis { name, unit, .. } = axis;
    let prefix = match exponent {
        -12 => Some("p"),
        -9 => Some("n"),
        -6 => Some("µ"),
        -3 => Some("m"),
        // Nobody reads kiloseconds.
        3.. if unit.starts_with('s') => None,
        3 => Some("k"),
        6 => Some("M"),
        9 => Some("G"),
        12 => Some("T"),
        _ => None,
    };
    match (exponent, prefix) {
        (0, _) if unit.is_empty() => name.clone(),
        (0, _) => format!("{name} [{unit}]"),
        (_, Some(prefix)) if PREFIXABLE.contains(&unit.as_str()) => {
            format!("{name} [{prefix}{unit}]")
        }
        _ if unit.is_empty() => format!("{name} [10{}]", superscript(exponent)),
        _ => format!("{name} [10{} {unit}]", superscript(exponent)),
    }
}

/// The power of ten of an exponent, written out where that is short.
pub(super) fn power_of_ten(exponent: f64) -> String {
    match exponent.round() as i32 {
        n @ -3..=-1 => format!("{:.*}", n.unsigned_abs() as usize, math::powi(10.0, n)),
        n @ 0..=4 => format!("{:.0}", math::powi(10.0, n)),
        n => format!("10{}", superscript(n)),
    }
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number
        .to_string()
        .chars()
        .map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(unit: &str, values: &[f64]) -> Scale {
        Scale::new(&Axis::new("q", unit), 6.0, values.iter().copied())
    }

    #[test]
    fn numbers_are_drawn_in_the_power_of_a_thousand_that_suits_them() {
        for (values, unit, label) in [
            (&[0.0, 9.99][..], "s", "q [s]"),
            (&[0.0, 1.5e-4], "s", "q [µs]"),
            (&[0.0, 0.05], "m", "q [mm]"),
            (&[-33e3, 10.0], "N", "q [kN]"),
            (&[0.0, 2e5], "s", "q [10³ s]"),
            (&[0.0, 1.4e8], "N/m^1.5", "q [10⁶ N/m^1.5]"),
            (&[0.0, 3e-15], "", "q [10⁻¹⁵]"),
            (&[0.0, 0.5], "", "q"),
            (&[0.0, 0.0], "J", "q [J]"),
        ] {
            assert_eq!(scale(unit, values).label, label, "{values:?}");
        }
        assert_eq!(scale("s", &[0.0, 1.5e-4]).of(1.5e-4), 150.0);
    }

    #[test]
    fn steps_are_one_two_or_five_times_a_power_of_ten_and_never_below_what_is_asked() {
        for (raw, step) in [
            (0.11, 0.2),
            (0.2, 0.2),
            (0.21, 0.5),
            (51.0, 100.0),
            (1e-7, 1e-7),
        ] {
            assert_eq!(nice_step(raw), step);
        }
    }

    #[test]
    fn every_range_of_finite_numbers_gives_a_usable_axis() {
        let hard = [
            0.0,
            5e-324,
            1e-300,
            1e-12,
            1.0,
            1.0 + f64::EPSILON,
            9.24596180,
            1e9,
            1e9 + 1e-6,
            1e300,
            f64::MAX,
        ];
        for a in hard {
            for b in hard {
                for (a, b) in [(a, b), (-a, b), (-a, -b)] {
                    let s = scale("m", &[a, b]);
                    let said = format!("{a:e} {b:e} {s:?}");
                    assert!(s.low.is_finite() && s.high.is_finite(), "{said}");
                    assert!(s.low < s.of(a) && s.of(b) < s.high, "{said}");
                    assert!(s.low < s.of(b) && s.of(a) < s.high, "{said}");
                    let ticks = (s.high - s.low) / s.step;
                    assert!((2.0..=6.5).contains(&ticks), "{ticks} {said}");
                    assert!(s.decimals <= 12, "{said}");
                }
            }
        }
    }
}
