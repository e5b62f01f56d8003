//! How is a page written that needs no network and no other file?

/// A text as it may stand between tags.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A table of texts.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |cells: &mut dyn Iterator<Item = &str>, tag: &str| {
        let all: String = cells
            .map(|c| format!("<{tag}>{}</{tag}>", escaped(c)))
            .collect();
        format!("<tr>{all}</tr>\n")
    };
    let mut text = String::from("<div class=wide><table>\n");
    text.push_str(&cells(&mut head.iter().copied(), "th"));
    for row in rows {
        text.push_str(&cells(&mut row.iter().map(String::as_str), "td"));
    }
    text.push_str("</table></div>\n");
    text
}

/// Lines, each a paragraph.
pub fn paragraphs(lines: impl IntoIterator<Item = String>) -> String {
    lines
        .into_iter()
        .map(|line| format!("<p>{}</p>\n", escaped(&line)))
        .collect()
}

/// A picture (SVG) that shrinks with the page: without a view box it would be cut off.
fn figure(picture: &str) -> String {
    let of = |name: &str| {
        let (_, rest) = picture.split_once(&format!(" {name}=\""))?;
        rest.split_once('"')
            .map(|(value, _)| value.trim_end_matches("px"))
    };
    let head = picture.split('>').next().unwrap_or_default();
    let shrinking = match (of("width"), of("height")) {
        (Some(width), Some(height)) if !head.contains("viewBox") => {
            let with = format!("<svg viewBox=\"0 0 {width} {height}\"");
            picture.replacen("<svg", &with, 1)
        }
        _ => picture.into(),
    };
    format!("<figure>{shrinking}</figure>\n")
}

/// Pictures, one below the other.
pub fn figures(pictures: &[String]) -> String {
    pictures.iter().map(|picture| figure(picture)).collect()
}

/// The whole page around its body.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n<title>{0}</title>\n<style>\nbody {{ font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }}\nfigure {{ margin: 1rem 0 }}\nsvg {{ max-width: 100%; height: auto }}\n.wide {{ overflow-x: auto }}\npre {{ overflow-x: auto; background: #f4f6f8; padding: .8rem }}\ntable {{ border-collapse: collapse; margin: 1rem 0 }}\nth, td {{ text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #d5d9de; vertical-align: top }}\nth {{ font-weight: 600 }}\ndetails {{ margin: .4rem 0 }}\nsummary {{ cursor: pointer; font-weight: 600 }}\n</style>\n<h1>{0}</h1>\n{body}</html>\n",
        escaped(title)
    )
}
