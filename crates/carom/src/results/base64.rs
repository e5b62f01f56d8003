//! How do bytes become a text of 64 letters, and the text bytes again (RFC 4648, section 4)?

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of these bytes.
pub fn text(bytes: &[u8]) -> String {
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

/// The bytes of a text; `None` if it holds any other letter.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
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
            assert_eq!(text(plain.as_bytes()), coded);
            assert_eq!(bytes(coded).as_deref(), Some(plain.as_bytes()));
        }
    }
}
