//! Which courses of contacts did a run keep: force over indentation?
//!
//! They stand in the data of the report, of which `film.json` is a part.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use crate::report::animate::film::{FilmError, numbers};

/// The course of one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Which entry of `contacts` in the summary it belongs to, from 0.
    pub episode: usize,
    /// Indentation, m or rad, and force, N or N m.
    pub points: Vec<(f64, f64)>,
}

/// Reads the courses that are kept in a folder of results.
pub fn open(folder: &Path) -> Result<Vec<Loop>, FilmError> {
    let path = folder.join("film.json");
    let film = fs::read_to_string(&path);
    let value = match &film {
        Ok(text) => parsed(text)?,
        Err(_) => Value::Null,
    };
    if value["loops"].is_array() {
        return read(&value);
    }
    let page = fs::read_to_string(folder.join("report.html")).unwrap_or_default();
    let data = page.split_once(r#"id="data">"#).map(|p| p.1);
    match data.and_then(|data| data.split_once("</script>")) {
        Some((data, _)) => read(&parsed(data)?),
        None => {
            let missing = || io::Error::from(io::ErrorKind::NotFound);
            let source = film.err().unwrap_or_else(missing);
            Err(FilmError::Read { path, source })
        }
    }
}

fn parsed(text: &str) -> Result<Value, FilmError> {
    serde_json::from_str(text).map_err(|error| FilmError::NotJson {
        reason: error.to_string(),
    })
}

/// Reads the courses of a JSON value.
pub fn read(value: &Value) -> Result<Vec<Loop>, FilmError> {
    let mut loops = Vec::new();
    for (i, entry) in value["loops"].as_array().into_iter().flatten().enumerate() {
        let of = |name: &str| numbers(&entry[name], &format!("loops[{i}].{name}"));
        let episode = entry["episode"]
            .as_u64()
            .and_then(|e| usize::try_from(e).ok());
        let Some(episode) = episode else {
            return Err(FilmError::Wrong {
                place: format!("loops[{i}].episode"),
                what: "is no number of a contact".into(),
            });
        };
        loops.push(Loop {
            episode,
            points: of("delta")?.into_iter().zip(of("force")?).collect(),
        });
    }
    Ok(loops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn courses_are_read_and_a_wrong_one_is_named() {
        let value = json!({ "loops": [ { "episode": 3, "delta": [0, 1e-5], "force": [0, 70] } ] });
        let loops = read(&value).expect("they are read");
        assert_eq!(loops[0].episode, 3);
        assert_eq!(loops[0].points, [(0.0, 0.0), (1e-5, 70.0)]);
        let error = read(&json!({ "loops": [ {} ] })).expect_err("it is wrong");
        assert!(error.to_string().starts_with("loops[0].episode"));
    }
}
