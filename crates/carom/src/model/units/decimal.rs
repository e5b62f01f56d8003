//! Which decimal number does a text begin with?

/// A decimal as it was written: nothing is rounded yet.
pub(super) struct Decimal {
    /// Below zero.
    pub negative: bool,
    /// All digits, the point left out.
    pub digits: String,
    /// Power of ten of the last digit.
    pub exponent: i64,
}

/// Larger than any exponent that can matter, small enough to add to.
const HUGE: i64 = i64::MAX / 8;

fn is_sign(c: char) -> bool {
    matches!(c, '+' | '-' | '−')
}

/// Splits off the leading decimal digits.
fn digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

/// Splits off a sign, if there is one, and says whether it was a minus.
fn sign(text: &str) -> (bool, &str) {
    match text.chars().next() {
        Some(c) if is_sign(c) => (c != '+', text.get(c.len_utf8()..).unwrap_or("")),
        _ => (false, text),
    }
}

/// A signed whole number and what follows; held within ±`HUGE`.
fn whole(text: &str) -> Option<(i64, &str)> {
    let (negative, rest) = sign(text);
    let (number, rest) = digits(rest);
    if number.is_empty() {
        return None;
    }
    let size = number.parse::<i64>().unwrap_or(HUGE).min(HUGE);
    Some((if negative { -size } else { size }, rest))
}

impl Decimal {
    /// The number a text begins with, and the rest: `-1.5e3`, `.5`, `2.`, also `5.5×10^9`.
    pub fn read(text: &str) -> Option<(Decimal, &str)> {
        let (negative, rest) = sign(text);
        let (before, mut rest) = digits(rest);
        let mut after = "";
        if let Some(fraction) = rest.strip_prefix('.') {
            (after, rest) = digits(fraction);
        }
        if before.is_empty() && after.is_empty() {
            return None;
        }
        let mut exponent = 0;
        // An `e` without digits is left for the unit.
        if let Some((power, left)) = rest.strip_prefix(['e', 'E']).and_then(whole) {
            (exponent, rest) = (power, left);
        } else if let Some((power, left)) = rest
            .trim_start()
            .strip_prefix(['×', 'x', '·', '*'])
            .and_then(|r| r.trim_start().strip_prefix("10^"))
            .and_then(whole)
        {
            (exponent, rest) = (power, left);
        }
        let places = i64::try_from(after.len()).unwrap_or(HUGE);
        let number = Decimal {
            negative,
            digits: format!("{before}{after}"),
            exponent: exponent.saturating_sub(places),
        };
        Some((number, rest))
    }

    pub fn is_zero(&self) -> bool {
        self.digits.bytes().all(|d| d == b'0')
    }
}
