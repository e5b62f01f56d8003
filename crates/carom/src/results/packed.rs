//! How do many numbers become a short text in JSON?
//!
//! `{"f64": "…"}` and `{"f32": "…"}`: little-endian numbers in base 64 (RFC 4648, section 4). A third longer than the numbers themselves, where decimal digits take two or three times as much.

use serde_json::{Value, json};

use crate::results::base64;

/// Numbers to the last bit.
pub fn f64s(values: impl IntoIterator<Item = f64>) -> Value {
    let bytes: Vec<u8> = values.into_iter().flat_map(f64::to_le_bytes).collect();
    json!({ "f64": base64::text(&bytes) })
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
    json!({ "f32": base64::text(&bytes.collect::<Vec<u8>>()) })
}

/// The numbers of a packed text; `None` if it is none.
pub fn numbers(packed: &Value) -> Option<Vec<f64>> {
    if let Some(text) = packed.get("f64").and_then(Value::as_str) {
        let bytes = base64::bytes(text)?;
        let (chunks, []) = bytes.as_chunks::<8>() else {
            return None;
        };
        return Some(chunks.iter().map(|c| f64::from_le_bytes(*c)).collect());
    }
    let bytes = base64::bytes(packed.get("f32").and_then(Value::as_str)?)?;
    let (chunks, []) = bytes.as_chunks::<4>() else {
        return None;
    };
    let numbers = chunks.iter().map(|c| f64::from(f32::from_le_bytes(*c)));
    Some(numbers.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
