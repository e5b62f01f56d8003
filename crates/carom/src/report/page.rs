//! What does a person see of a run: one page that opens in any browser, without a network and without anything beside it?
//!
//! The page is a template (`page/page.html`, its style and its scripts) and one JSON value that holds everything it shows (`data`); what to beware of stands at its top in plain words (`advice`).

pub mod advice;
pub mod data;

use std::fs;
use std::io::{self, BufReader};
use std::path::Path;

use serde_json::Value;

use crate::report::escaped;
use crate::results::manifest::Manifest;
use crate::results::{FILM, MANIFEST, SUMMARY, TRAJECTORY};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// In the order in which they build on each other.
const SCRIPTS: [&str; 13] = [
    include_str!("page/data.js"),
    include_str!("page/words.js"),
    include_str!("page/clock.js"),
    include_str!("page/look.js"),
    include_str!("page/scene.js"),
    include_str!("page/film.js"),
    include_str!("page/plot.js"),
    include_str!("page/portrait.js"),
    include_str!("page/table.js"),
    include_str!("page/sections.js"),
    include_str!("page/believed.js"),
    include_str!("page/instant.js"),
    include_str!("page/main.js"),
];

/// `report.html` from what a run has left: its film, its summary and its manifest.
pub fn report(film: &Value, summary: &Value, manifest: &Manifest) -> String {
    page(&data::data(film, summary, Some(manifest)))
}

/// The same from the files of a folder. A run that was killed has left no film: then its table is shown.
pub fn of_folder(folder: &Path) -> io::Result<String> {
    Ok(page(&data_of_folder(folder)?))
}

/// What the page of a folder shows, as JSON.
pub fn data_of_folder(folder: &Path) -> io::Result<Value> {
    let wrong = |name: &str, what: String| {
        let path = folder.join(name);
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{}: {what}", path.display()),
        )
    };
    let read = |name: &str| -> io::Result<Option<String>> {
        match fs::read_to_string(folder.join(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(name, error.to_string())),
        }
    };
    let json = |name: &str| -> io::Result<Option<Value>> {
        let text = read(name)?;
        let value = text.map(|text| serde_json::from_str(&text));
        value
            .transpose()
            .map_err(|error| wrong(name, error.to_string()))
    };
    let summary = json(SUMMARY)?;
    let summary = summary.ok_or_else(|| wrong(SUMMARY, "there is no such file".into()))?;
    let manifest = read(MANIFEST)?.map(|text| Manifest::parse(&text));
    let manifest = manifest.transpose();
    let manifest = manifest.map_err(|error| wrong(MANIFEST, error.to_string()))?;
    let film = match json(FILM)? {
        Some(film) => film,
        None => match fs::File::open(folder.join(TRAJECTORY)) {
            Ok(table) => data::of_table(BufReader::new(table))
                .map_err(|error| wrong(TRAJECTORY, error.to_string()))?,
            Err(_) => Value::Null,
        },
    };
    Ok(data::data(&film, &summary, manifest.as_ref()))
}

/// The page that shows this value.
pub fn page(data: &Value) -> String {
    let title = data.get("title").and_then(Value::as_str).unwrap_or("Carom");
    let filled = [
        ("title", escaped(title)),
        ("style", STYLE.into()),
        ("data", embedded(data)),
        ("script", SCRIPTS.join("\n")),
    ];
    // Place by place and from the front: what is put in is not searched again.
    let (mut page, mut rest) = (String::new(), PAGE);
    for (name, text) in filled {
        let place = format!("{{{{{name}}}}}");
        if let Some((before, after)) = rest.split_once(&place) {
            page.push_str(before);
            page.push_str(&text);
            rest = after;
        }
    }
    page + rest
}

/// JSON that may stand inside a script: no text in it can end the script or begin a comment.
fn embedded(value: &Value) -> String {
    let text = value.to_string();
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e");
    text.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_in_the_data_can_end_the_script_or_be_taken_for_a_place() {
        let title = "</script><!-- {{script}} {{data}} \u{2028} & \"x\"";
        let data = json!({ "title": title, "model": title });
        let page = page(&data);
        // As many scripts begin and end as in the template: the data and the code.
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<!--"));
        let from = page.find("id=\"data\">").expect("the data") + "id=\"data\">".len();
        let to = from + page[from..].find("</script>").expect("its end");
        let back: Value = serde_json::from_str(&page[from..to]).expect("JSON");
        assert_eq!(back, data);
        assert!(page.contains("<title>&lt;/script&gt;&lt;!-- {{script}}"));
        assert!(page.contains("function setUpFilm"));
    }

    #[test]
    fn the_page_asks_nobody_for_anything() {
        let page = page(&json!({ "title": "x" }));
        let foreign = [
            "src=\"http",
            "href=\"http",
            "@import",
            "fetch(",
            "XMLHttpRequest",
            "eval(",
            "import(",
        ];
        for word in foreign {
            assert!(!page.contains(word), "{word}");
        }
    }
}
