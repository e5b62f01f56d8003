//! Which units are known, and what are they in SI?
//!
//! Definitions: Bureau International des Poids et Mesures, The International System of Units, 9th edition (2019); the inch, foot and pound are exact by the
//! international agreement of 1959, and the pound-force takes the standard acceleration of 9.80665 m/s².

use super::dimension::Dimension;

/// A unit is `numerator / denominator · 10^tens · π^turns` in SI.
pub(super) struct Unit {
    pub symbol: &'static str,
    /// Whether prefixes go with it.
    pub prefixed: bool,
    pub numerator: u64,
    pub denominator: u64,
    pub tens: i32,
    /// Power of π.
    pub turns: i32,
    pub dimension: Dimension,
}

const fn si(symbol: &'static str, tens: i32, dimension: [f64; 4]) -> Unit {
    let [length, mass, time, angle] = dimension;
    Unit {
        symbol,
        prefixed: true,
        numerator: 1,
        denominator: 1,
        tens,
        turns: 0,
        dimension: Dimension::new(length, mass, time, angle),
    }
}

const fn other(
    symbol: &'static str,
    numerator: u64,
    denominator: u64,
    tens: i32,
    dimension: [f64; 4],
) -> Unit {
    Unit {
        prefixed: false,
        numerator,
        denominator,
        ..si(symbol, tens, dimension)
    }
}

/// Angles are multiples of π.
const fn turn(symbol: &'static str, numerator: u64, denominator: u64, time: f64) -> Unit {
    Unit {
        turns: 1,
        ..other(symbol, numerator, denominator, 0, [0.0, 0.0, time, 1.0])
    }
}

const NUMBER: [f64; 4] = [0.0, 0.0, 0.0, 0.0];
const LENGTH: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const MASS: [f64; 4] = [0.0, 1.0, 0.0, 0.0];
const TIME: [f64; 4] = [0.0, 0.0, 1.0, 0.0];
const FORCE: [f64; 4] = [1.0, 1.0, -2.0, 0.0];
const PRESSURE: [f64; 4] = [-1.0, 1.0, -2.0, 0.0];

/// 1 lbf = 0.45359237 · 9.80665 N, exactly.
const LBF: u64 = 44_482_216_152_605;
/// One square inch in 1e-8 m².
const INCH2: u64 = 254 * 254;

const UNITS: [Unit; 39] = [
    si("m", 0, LENGTH),
    si("g", -3, MASS),
    si("s", 0, TIME),
    si("N", 0, FORCE),
    si("Pa", 0, PRESSURE),
    si("J", 0, [2.0, 1.0, -2.0, 0.0]),
    // A moment as engineers write it, without the blank.
    si("Nm", 0, [2.0, 1.0, -2.0, 0.0]),
    si("Ncm", -2, [2.0, 1.0, -2.0, 0.0]),
    si("Nmm", -3, [2.0, 1.0, -2.0, 0.0]),
    si("W", 0, [2.0, 1.0, -3.0, 0.0]),
    si("Hz", 0, [0.0, 0.0, -1.0, 0.0]),
    si("rad", 0, [0.0, 0.0, 0.0, 1.0]),
    si("bar", 5, PRESSURE),
    other("in", 254, 1, -4, LENGTH),
    other("inch", 254, 1, -4, LENGTH),
    other("ft", 3048, 1, -4, LENGTH),
    other("t", 1, 1, 3, MASS),
    other("lb", 45_359_237, 1, -8, MASS),
    other("lbm", 45_359_237, 1, -8, MASS),
    other("lbf", LBF, 1, -13, FORCE),
    other("kgf", 980_665, 1, -5, FORCE),
    other("psi", LBF, INCH2, -5, PRESSURE),
    other("ksi", LBF, INCH2, -2, PRESSURE),
    other("kpsi", LBF, INCH2, -2, PRESSURE),
    other("Mpsi", LBF, INCH2, 1, PRESSURE),
    other("atm", 101_325, 1, 0, PRESSURE),
    other("sec", 1, 1, 0, TIME),
    other("min", 60, 1, 0, TIME),
    other("h", 3600, 1, 0, TIME),
    turn("deg", 1, 180, 0.0),
    turn("°", 1, 180, 0.0),
    turn("rev", 2, 1, 0.0),
    turn("rpm", 1, 30, -1.0),
    other("mph", 44_704, 1, -5, [1.0, 0.0, -1.0, 0.0]),
    other("mil", 254, 1, -7, LENGTH),
    other("kip", LBF, 1, -10, FORCE),
    other("oz", 45_359_237, 16, -8, MASS),
    other("%", 1, 1, -2, NUMBER),
    other("1", 1, 1, 0, NUMBER),
];

/// The micro sign and the Greek letter look alike; both are typed.
const PREFIXES: [(char, i32); 12] = [
    ('p', -12),
    ('n', -9),
    ('u', -6),
    ('µ', -6),
    ('μ', -6),
    ('m', -3),
    ('c', -2),
    ('d', -1),
    ('k', 3),
    ('M', 6),
    ('G', 9),
    ('T', 12),
];

/// Units with prefixes that are often meant when something else was typed.
const EVERYDAY: [&str; 26] = [
    "mm", "cm", "µm", "nm", "km", "kg", "mg", "µg", "ms", "µs", "ns", "kN", "MN", "mN", "kPa",
    "MPa", "GPa", "kJ", "mJ", "kW", "mW", "kHz", "MHz", "mrad", "mbar", "MJ",
];

/// A unit by its symbol, and the power of ten of its prefix.
pub(super) fn find(symbol: &str) -> Option<(&'static Unit, i32)> {
    let whole = |s: &str| UNITS.iter().find(|u| u.symbol == s);
    // Whole symbols first: `min` is no milli-inch, `ft` no femto-tonne.
    if let Some(unit) = whole(symbol) {
        return Some((unit, 0));
    }
    let first = symbol.chars().next()?;
    let tens = PREFIXES.iter().find(|p| p.0 == first)?.1;
    let unit = whole(symbol.get(first.len_utf8()..)?)?;
    unit.prefixed.then_some((unit, tens))
}

/// The symbol of a unit that was written out, one or many of it.
pub(super) fn written_out(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    Some(match word.strip_suffix('s').unwrap_or(&word) {
        "degree" => "deg",
        "turn" | "revolution" | "rotation" | "cycle" => "rev",
        "radian" => "rad",
        "metre" | "meter" => "m",
        "millimetre" | "millimeter" => "mm",
        "second" => "s",
        "minute" => "min",
        "hour" => "h",
        "gram" => "g",
        "kilogram" => "kg",
        "newton" => "N",
        "pascal" => "Pa",
        "joule" => "J",
        "watt" => "W",
        "pound" => "lb",
        "percent" => "%",
        _ => return None,
    })
}

/// Names worth suggesting.
pub(super) fn everyday() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|u| u.symbol).chain(EVERYDAY)
}
