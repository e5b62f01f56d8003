//! Which numbers of a law are unknown, within which bounds, and where does a search for them start?
//!
//! Numbers that may be any positive one are sought in their logarithm, those of a bounded range (an exponent, a restitution) as they are. How large a number may be is told by its unit: from the
//! force, the length and the time of the measurement.

use crate::card::{Need, Parameter, Range, Role, Values};
use crate::contact::Card;
use crate::math;
use crate::model::units::Dimension;

use super::least::Bounds;

/// How far from its scale a number is sought, in powers of ten.
const REACH: f64 = 14.0;

/// A number that is sought.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unknown {
    pub name: &'static str,
    pub unit: &'static str,
    pub symbol: &'static str,
    pub role: Role,
    /// Whether its logarithm is sought.
    pub log: bool,
    pub range: Range,
    /// A number that is not sought in its logarithm is this much and u times that.
    pub about: [f64; 2],
    /// Whether the data themselves say where it is.
    pub told: bool,
}

impl Unknown {
    pub fn of(p: &Parameter) -> Self {
        Self {
            name: p.name,
            unit: p.unit,
            symbol: p.symbol,
            role: p.role,
            log: !p.range.high.is_finite() && p.range.low >= 0.0,
            range: p.range,
            about: [0.0, 1.0],
            told: false,
        }
    }

    /// A positive number that belongs to no law: a mass, a speed, a height.
    pub fn positive(name: &'static str, unit: &'static str) -> Self {
        Self {
            name,
            unit,
            symbol: name,
            role: Role::Other,
            log: true,
            range: Range::POSITIVE,
            about: [0.0, 1.0],
            told: false,
        }
    }

    /// A number of any sign that belongs to no law, sought around `middle` in steps of `size`.
    pub fn around(name: &'static str, unit: &'static str, middle: f64, size: f64) -> Self {
        Self {
            log: false,
            range: Range::closed(-100.0, 100.0),
            about: [middle, size],
            told: true,
            ..Self::positive(name, unit)
        }
    }

    /// The number itself, from what is sought.
    pub fn value(&self, u: f64) -> f64 {
        let [middle, size] = self.about;
        if self.log {
            math::exp(u)
        } else {
            middle + size * u
        }
    }

    /// What is sought, from the number.
    pub fn scaled(&self, value: f64) -> f64 {
        let [middle, size] = self.about;
        if self.log {
            math::ln(value)
        } else {
            (value - middle) / size
        }
    }
}

/// The size of the measurement: what force, length and time it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scales {
    /// N.
    pub force: f64,
    /// m.
    pub length: f64,
    /// s.
    pub time: f64,
}

impl Scales {
    /// A number of this dimension, built of the three.
    pub fn of(&self, d: Dimension) -> f64 {
        let [l, t] = [math::ln(self.length), math::ln(self.time)];
        let m = math::ln(self.force) + 2.0 * t - l;
        math::exp(d.length * l + d.mass * m + d.time * t)
    }
}

/// Which parameters of a law are sought: all that it must be given and was not, its exponent and what `free` names. Of parameters that stand for one another the restitution is taken, else the first.
pub(super) fn unknowns(card: &Card, given: &Values, free: &[String]) -> Vec<Unknown> {
    let fixed = |p: &Parameter| given.get(p.name).is_some();
    let one_given = card
        .parameters
        .iter()
        .any(|p| matches!(p.need, Need::Unless(_)) && fixed(p));
    let damper = given.get_word("damper").is_some_and(|word| word != "none");
    let mut found: Vec<Unknown> = Vec::new();
    let mut taken = one_given;
    if !one_given
        && let Some(p) = card.restitution()
        && matches!(p.need, Need::Unless(_))
    {
        taken = true;
        found.push(Unknown::of(p));
    }
    for p in card.parameters {
        let asked = free.iter().any(|name| name == p.name);
        let wanted = match p.need {
            _ if fixed(p) => false,
            _ if asked => !found.iter().any(|f| f.name == p.name),
            Need::Required => true,
            Need::Default(_) => p.role == Role::Exponent,
            Need::Unless(_) => {
                let first = !taken && p.role == Role::Damping;
                taken |= first;
                first
            }
            Need::Sometimes => p.role == Role::Restitution && damper,
        };
        if wanted {
            found.push(Unknown::of(p));
        }
    }
    // In the order of the card.
    let place = |name: &str| card.parameters.iter().position(|p| p.name == name);
    found.sort_by_key(|f| place(f.name));
    found
}

/// The unit's size, with the exponents in it as they are.
fn size(unknown: &Unknown, scales: &Scales, names: &[(&str, f64)]) -> f64 {
    let size = Dimension::of(unknown.unit, names).map_or(1.0, |d| scales.of(d));
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}

/// The ends of a bounded range, away from an end that is not allowed.
fn ends(range: &Range) -> [f64; 2] {
    let low = if range.low.is_finite() {
        range.low
    } else {
        -1e12
    };
    let high = if range.high.is_finite() {
        range.high
    } else {
        1e12
    };
    let off = 0.01 * (high - low).min(1.0);
    [
        if range.low_allowed { low } else { low + off },
        if range.high_allowed { high } else { high - off },
    ]
}

/// Within which bounds they are sought.
pub(super) fn bounds(unknowns: &[Unknown], scales: &Scales, names: &[(&str, f64)]) -> Bounds {
    let mut bounds = Bounds::default();
    for unknown in unknowns {
        let [low, high] = if unknown.log {
            let middle = math::ln(size(unknown, scales, names));
            let reach = REACH * core::f64::consts::LN_10;
            [middle - reach, middle + reach]
        } else {
            ends(&unknown.range)
        };
        bounds.low.push(low);
        bounds.high.push(high);
    }
    bounds
}

/// The digits of a whole number mirrored behind the point in this base (van der Corput): with a prime for every direction they fill a box evenly (Halton 1960).
fn mirrored(mut index: usize, base: usize) -> f64 {
    let (mut sum, mut part) = (0.0, 1.0);
    while index > 0 {
        part /= base as f64;
        sum += part * (index % base) as f64;
        index /= base;
    }
    sum
}

const PRIMES: [usize; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// A point between bounds; with one index after the other they fill them evenly.
pub(super) fn within(index: usize, bounds: &Bounds) -> Vec<f64> {
    let ends = bounds.low.iter().zip(&bounds.high).enumerate();
    ends.map(|(j, (low, high))| {
        let share = mirrored(index, PRIMES[j % PRIMES.len()]);
        low + share * (high - low)
    })
    .collect()
}

/// The start of a search: the first is what is likely, the others are spread around it.
pub(super) fn start(
    index: usize,
    unknowns: &[Unknown],
    scales: &Scales,
    names: &[(&'static str, f64)],
) -> Vec<f64> {
    let mut names: Vec<(&'static str, f64)> = names.to_vec();
    let mut u = vec![0.0; unknowns.len()];
    // Pure numbers first: they may stand in the exponents of units.
    for pass in 0..2 {
        for (j, unknown) in unknowns.iter().enumerate() {
            if unknown.unit.is_empty() != (pass == 0) {
                continue;
            }
            let share = match index {
                0 => 0.5,
                _ => mirrored(index, PRIMES[j % PRIMES.len()]),
            };
            if !unknown.log {
                u[j] = if unknown.told {
                    0.0
                } else {
                    let [low, high] = ends(&unknown.range);
                    let (low, high) = match unknown.role {
                        Role::Exponent => (1.0_f64.max(low), 2.0_f64.min(high)),
                        Role::Restitution => (0.3, 0.98),
                        _ => (low + 0.05 * (high - low), high - 0.05 * (high - low)),
                    };
                    low + share * (high - low)
                };
                names.push((unknown.symbol, u[j]));
                names.push((unknown.name, u[j]));
                continue;
            }
            let likely = match unknown.role {
                // Critical damping would be one.
                Role::Damping => 0.1,
                _ => 1.0,
            };
            let decades = match unknown.role {
                Role::Stiffness => 1.0,
                Role::Damping => 2.0,
                _ => 4.0,
            };
            let middle = math::ln(likely * size(unknown, scales, &names));
            u[j] = middle + (share - 0.5) * decades * core::f64::consts::LN_10;
        }
    }
    u
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact;

    fn names(id: &str, given: &Values, free: &[&str]) -> Vec<&'static str> {
        let free: Vec<String> = free.iter().map(|f| f.to_string()).collect();
        let card = contact::find(id).expect("known");
        unknowns(card, given, &free)
            .iter()
            .map(|u| u.name)
            .collect()
    }

    #[test]
    fn what_a_law_must_be_given_is_unknown_unless_it_is_given() {
        let none = Values::new();
        assert_eq!(
            names("flores", &none, &[]),
            ["stiffness", "exponent", "restitution"]
        );
        assert_eq!(names("kuwabara-kono", &none, &[]), ["stiffness", "damping"]);
        assert_eq!(names("tsuji", &none, &[]), ["stiffness", "restitution"]);
        assert_eq!(
            names("falcon", &none, &["gamma"]),
            ["stiffness", "damping", "gamma"]
        );
        let given = Values::new()
            .number("exponent", 1.5)
            .number("stiffness", 1e9);
        assert_eq!(names("flores", &given, &[]), ["restitution"]);
        let given = Values::new().number("alpha", 0.1);
        assert_eq!(names("tsuji", &given, &[]), ["stiffness"]);
    }

    #[test]
    fn scales_have_the_unit_of_what_they_stand_for() {
        let scales = Scales {
            force: 100.0,
            length: 1e-5,
            time: 1e-4,
        };
        let stiffness = Dimension::of("N/m^n", &[("n", 1.5)]).expect("a unit");
        assert!((scales.of(stiffness) / (100.0 / 1e-5_f64.powf(1.5)) - 1.0).abs() < 1e-12);
        let mass = scales.of(Dimension::MASS);
        assert!((mass / (100.0 * 1e-8 / 1e-5) - 1.0).abs() < 1e-12);
    }
}
