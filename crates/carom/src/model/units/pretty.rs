//! How is a number with its unit written for a person?

/// Prefixes in steps of a thousand.
const STEPS: [(i32, &str); 9] = [
    (-12, "p"),
    (-9, "n"),
    (-6, "µ"),
    (-3, "m"),
    (0, ""),
    (3, "k"),
    (6, "M"),
    (9, "G"),
    (12, "T"),
];

/// Units that take a prefix where they stand first.
const PREFIXED: [&str; 9] = ["m", "g", "s", "N", "Pa", "J", "W", "Hz", "rad"];

/// An SI value with a prefix to its unit: `pretty(1.396e-5, "m", 4)` is `13.96 µm`. `digits` are significant ones; zeros at the end of a fraction are left out.
///
/// The prefix goes to the first unit of the text, if that takes one and stands to the power of one. Masses below a kilogram are given in grams, those above stay.
pub fn pretty(value: f64, unit: &str, digits: usize) -> String {
    let digits = digits.clamp(1, 17);
    let unit = unit.trim();
    let with = |number: String, unit: &str| {
        if unit.is_empty() {
            number
        } else {
            format!("{number} {unit}")
        }
    };
    if !value.is_finite() {
        let word = if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "∞"
        } else {
            "−∞"
        };
        return with(word.into(), unit);
    }
    if value == 0.0 {
        return with("0".into(), unit);
    }
    // Rounded first: 999.96 µm to four digits is 1 mm.
    let scientific = format!("{value:.*e}", digits - 1);
    let Some((mantissa, Ok(exponent))) = scientific
        .split_once('e')
        .map(|(m, e)| (m, e.parse::<i32>()))
    else {
        return with(scientific, unit);
    };
    if unit == "kg" && exponent < 0 {
        return step(mantissa, exponent + 3, "g").unwrap_or_else(|| with(scientific, unit));
    }
    let end = unit
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(unit.len());
    let (first, after) = unit.split_at(end);
    let powered = after.starts_with(|c: char| !matches!(c, ' ' | '/' | '*' | '·'));
    // Nobody reads kiloseconds.
    let long = first == "s" && exponent > 2;
    if PREFIXED.contains(&first)
        && !powered
        && !long
        && let Some(text) = step(mantissa, exponent, unit)
    {
        return text;
    }
    if (-4..=5).contains(&exponent) {
        return with(moved(mantissa, exponent), unit);
    }
    with(format!("{}e{exponent}", moved(mantissa, 0)), unit)
}

/// With the prefix that leaves one to three digits before the point.
fn step(mantissa: &str, exponent: i32, unit: &str) -> Option<String> {
    let tens = exponent.div_euclid(3) * 3;
    let (_, prefix) = STEPS.iter().find(|s| s.0 == tens)?;
    Some(format!(
        "{} {prefix}{unit}",
        moved(mantissa, exponent - tens)
    ))
}

/// A mantissa `d.ddd` with its point moved; zeros at the end of a fraction are left out.
fn moved(mantissa: &str, places: i32) -> String {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let before = places + 1;
    let (whole, fraction) = if before <= 0 {
        let zeros = "0".repeat(before.unsigned_abs() as usize);
        ("0".to_string(), format!("{zeros}{digits}"))
    } else {
        let before = before as usize;
        let padded = format!("{digits:0<before$}");
        let (whole, fraction) = padded.split_at(before);
        (whole.to_string(), fraction.to_string())
    };
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}
