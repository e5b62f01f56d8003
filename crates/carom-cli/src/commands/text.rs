//! How does text fit into a terminal of a hundred columns?

/// The width that everything is fitted into.
pub const WIDTH: usize = 100;

/// How many columns a text takes: one a character, as for all that is written here.
pub fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Breaks text between words into lines of at most `width` columns; a word that is longer is cut.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + word.len() > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        while word.len() > width {
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        used += word.len();
        line.extend(word);
    }
    if used > 0 || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// As much as fits into so many lines, with `…` where words are left out.
pub fn shorten(text: &str, width: usize, lines: usize) -> String {
    let wrapped = wrap(text, width);
    if wrapped.len() <= lines {
        return text.into();
    }
    let mut kept = wrapped;
    kept.truncate(lines);
    // The mark needs room on the last line.
    if let Some(last) = kept.last_mut()
        && columns(last) + 2 > width
    {
        *last = wrap(last, width.saturating_sub(2)).swap_remove(0);
    }
    kept.join(" ") + " …"
}

/// Pads to a width.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

/// Columns of text, two spaces between them, the last one wrapped into what is left of [`WIDTH`]; `indent` spaces before each line. The first row is the heading.
pub fn table(rows: &[Vec<String>], indent: usize) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i));
        cells.map(|cell| columns(cell)).max().unwrap_or(0)
    };
    let fixed: Vec<usize> = (0..count.saturating_sub(1)).map(width).collect();
    let before = indent + fixed.iter().map(|w| w + 2).sum::<usize>();
    let mut lines = Vec::new();
    for row in rows {
        let mut line = " ".repeat(indent);
        for (cell, width) in row.iter().zip(&fixed) {
            line.push_str(&pad(cell, width + 2));
        }
        let last = row.get(fixed.len()).map_or("", String::as_str);
        for (i, part) in wrap(last, WIDTH.saturating_sub(before)).iter().enumerate() {
            let start = if i == 0 {
                line.clone()
            } else {
                " ".repeat(before)
            };
            lines.push(format!("{start}{part}").trim_end().to_string());
        }
    }
    lines
}

/// One row of several columns of these widths, each wrapped, two spaces between them.
pub fn row(cells: &[(String, usize)]) -> Vec<String> {
    let wrapped: Vec<Vec<String>> = cells.iter().map(|(text, w)| wrap(text, *w)).collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    (0..height)
        .map(|i| {
            let parts = wrapped.iter().zip(cells).map(|(lines, (_, width))| {
                let part = lines.get(i).map_or("", String::as_str);
                pad(part, width + 2)
            });
            parts.collect::<String>().trim_end().to_string()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_keeps_every_word_and_its_width() {
        let text = "Körper und µ: one very-very-long-word, and δ^n";
        for width in 1..60 {
            let lines = wrap(text, width);
            assert!(lines.iter().all(|line| columns(line) <= width), "{width}");
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(shorten("one two three", 9, 1), "one two …");
        assert_eq!(shorten("one two three", 8, 1), "one …");
        assert_eq!(shorten("one two three", 9, 2), "one two three");
    }
}
