//! How does a text begin and end where it stands as a sentence?

/// With a capital letter, unless it begins with a symbol, such as `e`; the article is none.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second))
            if first.is_lowercase() && second.is_lowercase() || (first, second) == ('a', ' ') =>
        {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.into(),
    }
}

/// With a capital letter, unless it begins with the name of a law or a setting, which is written small wherever it stands, and with a full stop, unless it is a question. Nothing stays nothing.
pub fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() {
        return String::new();
    }
    let in_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let word = text.split(|c| !in_name(c)).next().unwrap_or_default();
    let begun = match word.contains(['-', '_']) {
        true => text.into(),
        false => capital(text),
    };
    match begun.ends_with('?') {
        true => begun,
        false => format!("{begun}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_large_and_end_with_a_stop() {
        for (text, told) in [
            ("the force jumps", "The force jumps."),
            (" a contact opens. ", "A contact opens."),
            ("is it so?", "Is it so?"),
            ("e is 0.7", "e is 0.7."),
            ("approach_speed_floor helps", "approach_speed_floor helps."),
            ("hunt-crossley loses more", "hunt-crossley loses more."),
            ("É", "É."),
            (" . ", ""),
        ] {
            assert_eq!(sentence(text), told);
        }
        assert_eq!(capital("time-stepping tracks"), "Time-stepping tracks");
        assert_eq!(capital("χ grows"), "χ grows");
        assert_eq!(capital(""), "");
    }
}
