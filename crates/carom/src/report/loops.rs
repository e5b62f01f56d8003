//! Which courses of contacts did a run keep: force over indentation?
//!
//! They stand in `film.json`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::report::animate::film::{FilmError, numbers};
use crate::results::FILM;

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
    let path = folder.join(FILM);
    let text = fs::read_to_string(&path).map_err(|source| FilmError::Read { path, source })?;
    let value = serde_json::from_str(&text).map_err(|error| FilmError::NotJson {
        reason: error.to_string(),
    })?;
    read(&value)
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
