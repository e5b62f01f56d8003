//! How is a number written into a table?

use std::io::{self, Write};

/// Writes the shortest decimal number that reads back as the same one: without an exponent from 0.001 up to 1e16, with one elsewhere, so that no number takes more than 24 letters.
///
/// Numbers that are none are `NaN`, `inf` and `-inf`, as spreadsheets' importers, Python, R and Rust read them.
pub fn write(out: &mut impl Write, value: f64) -> io::Result<()> {
    if is_plain(value) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    }
}

/// The same as a text.
pub fn text(value: f64) -> String {
    if is_plain(value) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Whether a number is short without an exponent.
fn is_plain(value: f64) -> bool {
    value == 0.0 || (1e-3..1e16).contains(&value.abs()) || !value.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, value).expect("a vector takes everything");
        String::from_utf8(bytes).expect("numbers are ASCII")
    }

    #[test]
    fn numbers_are_short_and_plain() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (0.001, "0.001"),
            (0.000_999, "9.99e-4"),
            (-1.5e-7, "-1.5e-7"),
            (123456.75, "123456.75"),
            (1e15, "1000000000000000"),
            (1e16, "1e16"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(written(value), text);
        }
    }

    #[test]
    fn every_number_reads_back_as_itself_and_takes_at_most_24_letters() {
        // A walk over all exponents and signs with mantissas that need all their digits.
        let mut bits: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..20_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let value = f64::from_bits(bits);
            let text = written(value);
            assert!(text.len() <= 24, "{text}");
            let back: f64 = text.parse().expect("it reads back");
            assert!(back.to_bits() == value.to_bits() || back.is_nan() && value.is_nan());
        }
    }
}
