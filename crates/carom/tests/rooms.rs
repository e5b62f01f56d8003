//! Does every source file use only the rooms it may use, and is `math` the only caller of transcendental functions?
//!
//! The order is read from the table of ARCHITECTURE.md: the page and the code cannot drift apart.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms that use no other room at all.
const ALONE: [&str; 4] = ["contact", "friction", "solve", "impulse"];
/// Used by every room; neither uses anything.
const CELLAR: [&str; 2] = ["math", "card"];
/// Methods of floats that `math` wraps. Both `x.sin()` and `f64::sin(x)` count; `abs`, `floor` … are exact.
const TRANSCENDENTAL: [&str; 28] = [
    "sqrt", "cbrt", "hypot", "powf", "powi", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2",
    "log10", "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "gamma",
];

/// What is wrong with a source text of `room`, in words; `root` if it is the room's own file, in which `super` is the whole library; `tests` if all of it is tests.
fn violations(
    room: &str,
    source: &str,
    root: bool,
    mut tests: bool,
    rooms: &[String],
) -> Vec<String> {
    let mut found = Vec::new();
    let mut attribute = false;
    let own = rooms.iter().position(|r| r == room);
    for (number, line) in source.lines().enumerate() {
        // A test may compare with the platform's functions directly. A module of tests is the last thing in its file.
        tests |= attribute && line.starts_with("mod ") && line.ends_with('{');
        attribute = line == "#[cfg(test)]";
        // Comments may talk of any room.
        let mut code = line.split("//").next().unwrap_or("").to_string();
        for (spaced, tight) in [
            (" ::", "::"),
            (":: ", "::"),
            (" .", "."),
            (". ", "."),
            (" (", "("),
        ] {
            code = code.replace(spaced, tight);
        }
        let mut say = |what: String| found.push(format!("line {}: {what}", number + 1));
        if ["crate::{", "crate::*", "super::super::"]
            .iter()
            .any(|vague| code.contains(vague))
        {
            say("name the room: `use crate::room::…`, one room a line".into());
        }
        if code.trim_end().ends_with("crate::") || code.trim_end().ends_with("super::") {
            say("keep the path of a room on one line".into());
        }
        let mut used_rooms = names_after(&code, "crate::");
        if root && !tests {
            used_rooms.extend(names_after(&code, "super::"));
        }
        for used in used_rooms {
            let place = rooms.iter().position(|r| *r == used);
            let cellar = |name: &str| CELLAR.contains(&name);
            let allowed = cellar(&used) && !cellar(room)
                || used == room
                || !ALONE.contains(&room) && !cellar(room) && place.is_some() && place < own;
            if !allowed {
                say(format!("`{room}` may not use `{used}`"));
            }
        }
        if room != "math" && !tests {
            for method in TRANSCENDENTAL {
                if code.contains(&format!(".{method}(")) || code.contains(&format!("f64::{method}"))
                {
                    say(format!("`{method}` belongs to `math`"));
                }
            }
        }
    }
    found
}

/// The names that follow a prefix; `pub(crate)` has no `::` and is left alone.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(prefix)
        .filter(|(i, _)| !code[..*i].ends_with(word))
        .map(|(i, _)| {
            code[i + prefix.len()..]
                .chars()
                .take_while(|c| word(*c))
                .collect()
        })
        .filter(|name: &String| !name.is_empty())
        .collect()
}

/// The rooms in the order of the table, and whether each is said to be planned.
fn rooms() -> Vec<(String, bool)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    fs::read_to_string(page)
        .expect("ARCHITECTURE.md stands at the top of the repository")
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.strip_prefix("| `")?.split_once("` |")?;
            Some((name.to_string(), rest.contains("| planned |")))
        })
        .collect()
}

/// Every source file with the room it stands in; lib.rs is the door and belongs to none.
fn sources() -> Vec<(String, PathBuf)> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|end| end == "rs") {
                // What runs in a browser has its own rules.
                files.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&src, &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(&src).ok()?;
            let room = Path::new(inside.iter().next()?)
                .file_stem()?
                .to_str()?
                .to_string();
            (room != "lib").then_some((room, path))
        })
        .collect()
}

#[test]
fn the_rooms_are_the_thirteen_of_the_plan_in_their_order() {
    let names: Vec<String> = rooms().into_iter().map(|room| room.0).collect();
    assert_eq!(
        names.join(" "),
        "contact friction solve impulse impact geometry mechanics grains model system results report study"
    );
}

#[test]
fn every_file_stands_in_a_room_that_is_said_to_be_open() {
    let rooms = rooms();
    for (room, path) in sources() {
        let open = CELLAR.contains(&room.as_str()) || rooms.contains(&(room.clone(), false));
        assert!(
            open,
            "{}: `{room}` is not an open room of ARCHITECTURE.md",
            path.display()
        );
    }
    for (room, planned) in rooms {
        let exists = sources().iter().any(|(r, _)| *r == room);
        assert!(
            exists || planned,
            "`{room}` is said to be open, and has no file"
        );
    }
}

#[test]
fn every_file_uses_only_rooms_above_its_own() {
    let names: Vec<String> = rooms().into_iter().map(|room| room.0).collect();
    let mut all = Vec::new();
    for (room, path) in sources() {
        let source = fs::read_to_string(&path).expect("the source is readable");
        // Files of tests are told by their names: `tests.rs`, `…_tests.rs`.
        let tests = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .is_some_and(|stem| stem == "tests" || stem.ends_with("_tests"));
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let root = [
            src.join(format!("{room}.rs")),
            src.join(&room).join("mod.rs"),
        ]
        .contains(&path);
        for what in violations(&room, &source, root, tests, &names) {
            all.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn the_checker_catches_what_it_is_there_for() {
    let names: Vec<String> = rooms().into_iter().map(|room| room.0).collect();
    let caught = |room: &str, source: &str| violations(room, source, true, false, &names).len();
    for (room, source) in [
        ("solve", "use crate::contact::Law;"),
        ("solve", "let x = crate :: report::plot::Chart::new();"),
        ("contact", "use crate::friction::Law;"),
        ("impact", "use crate::system::System;"),
        ("math", "use crate::solve::Flow;"),
        ("card", "use crate::math::sqrt;"),
        ("report", "use crate::nowhere::Thing;"),
        ("impact", "use crate::{solve, study};"),
        ("solve", "use super::super::math;"),
        ("solve", "let y = x . sin ();"),
        ("solve", "let y = xs.map(f64::sqrt);"),
        (
            "solve",
            "#[cfg(test)]\nmod tests {\nuse crate::system::System;\n}",
        ),
        ("solve", "#[cfg(test)]\nmod tests;\nlet y = x.sin();"),
        ("impact", "use crate::*;"),
        ("solve", "use super::report::plot as _;"),
        ("solve", "use crate::\n    report::plot;"),
        ("solve", "pub(crate) fn powi(x: f64) -> f64 { x.powi(2) }"),
    ] {
        assert!(caught(room, source) >= 1, "{room}: {source}");
    }
    for (room, source) in [
        ("solve", "use crate::math::sin;"),
        ("solve", "use crate::solve::flow::Flow;"),
        (
            "solve",
            "// unlike crate::system, and x.sin(), this is a comment",
        ),
        ("impact", "use crate::contact::Law; use crate::solve::Flow;"),
        ("study", "use crate::report::plot::Chart;"),
        ("math", "x.sin()"),
        (
            "solve",
            "#[cfg(test)]\nmod tests {\nlet exact = t.sin();\n}",
        ),
    ] {
        assert_eq!(caught(room, source), 0, "{room}: {source}");
    }
}
