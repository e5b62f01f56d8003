//! How do many numbers become a short text in JSON?
//!
//! `{"f64": "…"}` and `{"f32": "…"}`: little-endian numbers in base 64 (RFC 4648, section 4). A third longer than the numbers themselves, where decimal digits take two or three times as much.

use serde_json::{Value, json};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Numbers to the last bit.
pub fn f64s(values: impl IntoIterator<Item = f64>) -> Value {
    let bytes: Vec<u8> = values.into_iter().flat_map(f64::to_le_bytes).collect();
    json!({ "f64": base64(&bytes) })
}

/// Numbers to seven digits. What is too large to be written so is as large as can be, with its sign.
pub fn f32s(values: impl IntoIterator<Item = f64>) -> Value {
    let short = |value: f64| {
        let short = value as f32;
        match short.is_infinite() && value.is_finite() {
            true => f32::MAX.copysign(short),
            false => short,
        }
    };
    let bytes = values.into_iter().map(short).flat_map(f32::to_le_bytes);
    json!({ "f32": base64(&bytes.collect::<Vec<u8>>()) })
}

/// The numbers of a packed text; `None` if it is none.
pub fn numbers(packed: &Value) -> Option<Vec<f64>> {
    if let Some(text) = packed.get("f64").and_then(Value::as_str) {
        let bytes = bytes(text)?;
        let (chunks, []) = bytes.as_chunks::<8>() else {
            return None;
        };
        return Some(chunks.iter().map(|c| f64::from_le_bytes(*c)).collect());
    }
    let bytes = bytes(packed.get("f32").and_then(Value::as_str)?)?;
    let (chunks, []) = bytes.as_chunks::<4>() else {
        return None;
    };
    let numbers = chunks.iter().map(|c| f64::from(f32::from_le_bytes(*c)));
    Some(numbers.collect())
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * k) & 63) as usize);
            // What no byte stands behind is filled up.
            let letter = letter.filter(|_| k <= chunk.len());
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let letters = text.trim_end_matches('=').as_bytes();
    for chunk in letters.chunks(4) {
        let mut bits = 0_u32;
        for letter in chunk {
            let value = LETTERS.iter().position(|known| known == letter)?;
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        bits <<= 6 * (4 - chunk.len());
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].into_iter().take(chunk.len() * 6 / 8));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_everybody() {
        // RFC 4648, section 10.
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
            assert_eq!(bytes(coded).as_deref(), Some(plain.as_bytes()));
        }
    }

    #[test]
    fn numbers_come_back() {
        let values = [0.0, -1.5, 1.0 / 3.0, 1e300, f64::NEG_INFINITY, -0.0];
        assert_eq!(numbers(&f64s(values)).as_deref(), Some(&values[..]));
        let short = numbers(&f32s(values)).expect("they are numbers");
        assert_eq!(short[2], f64::from(1.0_f32 / 3.0));
        // No infinity where there was none.
        assert_eq!(short[3], f64::from(f32::MAX));
        assert_eq!(short[4], f64::NEG_INFINITY);
        assert!(numbers(&f32s([f64::NAN])).expect("one")[0].is_nan());
        for wrong in [json!({ "f64": "Zg==" }), json!({ "f32": "?" }), json!(7)] {
            assert_eq!(numbers(&wrong), None);
        }
    }
}
