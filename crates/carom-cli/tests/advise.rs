//! Does `carom advise` answer in words, numbers and a block that a model file takes?

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

mod folder;
use folder::{Folder, carom_in, text};

const BALLS: &[&str] = &[
    "advise",
    "--material",
    "steel,steel",
    "--radii",
    "0.01,0.01",
    "--speed",
    "0.3",
    "--restitution",
    "0.8",
];

const PIN: &[&str] = &[
    "advise",
    "--material",
    "steel",
    "--journal-radius",
    "9.5 mm",
    "--clearance",
    "5 um",
    "--length",
    "15 mm",
    "--mass",
    "0.2",
    "--speed",
    "0.3",
    "--restitution",
    "0.9",
];

fn run(folder: &Folder, arguments: &[&str], more: &[&str]) -> Output {
    let all: Vec<&str> = arguments.iter().chain(more).copied().collect();
    carom_in(&folder.0, &all)
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON value")
}

#[test]
fn the_leader_comes_first_and_the_rest_follows_in_order() {
    let folder = Folder::new("advise-text");
    let out = run(&folder, BALLS, &[]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert!(
        said.starts_with("exact-restitution (hysteresis family)"),
        "{said}"
    );
    let mut from = 0;
    for part in [
        "stiffness K",
        "depth",
        "peak force",
        "output step",
        "why it is behind",
        "Assumed",
        "Beware",
        "For a model file",
        "[contact.impact]",
    ] {
        let at = said[from..].find(part);
        from += at.unwrap_or_else(|| panic!("{part} after {from}:\n{said}"));
    }
    assert!(said.contains("Machado, Moreira"), "{said}");
}

#[test]
fn json_has_everything_and_nothing_else_is_printed() {
    let folder = Folder::new("advise-json");
    let value = json(&run(&folder, BALLS, &["--json"]));
    assert_eq!(value["leader"], "exact-restitution");
    assert_eq!(value["family"], "hysteresis");
    assert_eq!(value["geometry"], "point");
    assert_eq!(value["regime"]["name"], "yields");
    assert!(
        value["numbers"]["stiffness"]
            .as_f64()
            .is_some_and(|k| k > 1e10)
    );
    let ranked = value["ranked"].as_array().expect("a list");
    let aside = value["aside"].as_array().expect("a list");
    // Every law of the catalogue stands in one of the two.
    let laws = json(&run(&folder, &["laws", "--kind", "contact", "--json"], &[]));
    assert_eq!(
        ranked.len() + aside.len(),
        laws.as_array().expect("cards").len()
    );
    for law in ranked {
        let parts = law["parts"].as_array().expect("parts");
        let sum: f64 = parts.iter().filter_map(|p| p["cost"].as_f64()).sum();
        let cost = law["cost"].as_f64().expect("a cost");
        assert!((sum - cost).abs() < 1e-12, "{law}");
    }
    assert!(aside.iter().all(|a| {
        let why = a["reasons"].as_array();
        why.is_some_and(|w| !w.is_empty())
    }));
    let codes: Vec<&str> = value["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(codes.contains(&"validity-speed"), "{codes:?}");
}

/// A model of the folder `models` in which the table of a contact or a joint is another one.
fn with_block(model: &str, heading: &str, block: &str, between: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let file = fs::read_to_string(models.join(model)).expect("a model");
    let (before, after) = file.split_once(heading).expect("its table");
    let after = after.find("\n[").map_or("", |i| &after[i..]);
    let own: String = block
        .lines()
        .map(|line| {
            if line.starts_with("between") {
                format!("between = {between}\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    format!("{before}{own}{after}")
}

#[test]
fn every_block_for_a_model_file_is_one_that_check_accepts() {
    let folder = Folder::new("advise-blocks");
    let value = json(&run(&folder, BALLS, &["--json"]));
    let ranked = value["ranked"].as_array().expect("a list");
    let mut count = 0;
    for law in ranked {
        let block = law["model_file"].as_str().expect("a block");
        let model = with_block(
            "two-spheres.toml",
            "[contact.impact]",
            block,
            "[\"left.skin\", \"right.skin\"]",
        );
        fs::write(folder.0.join("m.toml"), &model).expect("written");
        let out = carom_in(&folder.0, &["check", "m.toml"]);
        assert_eq!(
            out.status.code(),
            Some(0),
            "{}:\n{block}\n{}",
            law["law"],
            text(&out.stderr)
        );
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn the_block_of_a_joint_is_a_joint() {
    let folder = Folder::new("advise-joint");
    let value = json(&run(&folder, PIN, &["--json"]));
    assert_eq!(value["leader"], "liu");
    assert_eq!(value["geometry"], "conformal");
    assert_eq!(value["reason"]["code"], "conformal");
    let ranked = value["ranked"].as_array().expect("a list");
    for law in ranked.iter().take(3) {
        let block = law["model_file"].as_str().expect("a block");
        assert!(block.starts_with("[joint.pin]"), "{block}");
        let model = with_block(
            "slider-crank-clearance.toml",
            "[joint.pin]",
            block,
            "[\"rod.B\", \"slider\"]",
        );
        fs::write(folder.0.join("m.toml"), &model).expect("written");
        let out = carom_in(&folder.0, &["check", "m.toml"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{block}\n{said}");
    }
}

#[test]
fn a_folder_gets_the_page_the_numbers_and_the_pictures() {
    let folder = Folder::new("advise-out");
    fs::write(
        folder.0.join("pairs.csv"),
        "speed [m/s],restitution\n0.5,0.8\n0.1,0.86\n2,0.72\n0.1,0.84\n",
    )
    .expect("written");
    let asked = &[
        "advise",
        "--material",
        "rubber,steel",
        "--radii",
        "20 mm,inf",
        "--measured",
        "pairs.csv",
        "--out",
        "told",
    ];
    let out = run(&folder, asked, &[]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    for name in [
        "advice.html",
        "advice.json",
        "speed.svg",
        "speed.png",
        "loops.svg",
        "loops.png",
        "restitution.csv",
    ] {
        assert!(folder.0.join("told").join(name).is_file(), "{name}");
    }
    let table = fs::read_to_string(folder.0.join("told/restitution.csv")).expect("a table");
    assert_eq!(
        table,
        "speed [m/s],restitution\n0.1,0.85\n0.5,0.8\n2,0.72\n"
    );
    let page = fs::read_to_string(folder.0.join("told/advice.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("Kuwabara") && !page.contains("NaN"));
    // Nothing is overwritten unless asked for.
    let again = run(&folder, asked, &[]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(run(&folder, asked, &["--force"]).status.code(), Some(0));
}

#[test]
fn everything_wrong_is_said_at_once_with_option_value_and_hint() {
    let folder = Folder::new("advise-wrong");
    let out = run(
        &folder,
        &[
            "advise",
            "--material",
            "stel",
            "--clearance",
            "5 um",
            "--mass",
            "-1",
            "--speed",
            "2:1",
            "--restitution",
            "1.5",
            "--stiffness",
            "3 kg",
            "--contact-time",
            "3 mm",
            "--top",
            "0",
        ],
        &[],
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(out.stdout.is_empty());
    let said = text(&out.stderr);
    for part in [
        "nearest: steel",
        "--clearance needs --journal-radius",
        "--mass = -1",
        "--speed: the fastest, 1 m/s, is below the slowest, 2 m/s",
        "restitution = 1.5",
        "--stiffness",
        "--contact-time",
        "--top",
    ] {
        assert!(said.contains(part), "{part}:\n{said}");
    }
    assert!(said.lines().count() >= 8, "{said}");
    let both = run(&folder, BALLS, &["--measured", "none.csv"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(text(&both.stderr).contains("not both"));
}

fn model(folder: &Folder, name: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../models")
        .join(name);
    fs::copy(from, folder.0.join(name)).expect("the model is there");
}

#[test]
fn a_model_says_what_is_known_and_the_leading_laws_are_tried_on_it() {
    let folder = Folder::new("advise-model");
    model(&folder, "bouncing-ball.toml");
    let ball = [
        "advise",
        "bouncing-ball.toml",
        "--set",
        "simulation.end=1.5",
    ];
    let asked = [
        "--quantities",
        "first contacts.start,sum contacts.dissipated_energy",
    ];
    let out = run(&folder, &ball, &asked);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    for words in [
        "contact.floor met",
        "4.202 m/s",
        "restitution 0.9",
        "How much the law of contact.floor matters",
        "flores (now)",
        "The law matters for sum contacts.dissipated_energy",
        "It hardly matters for first contacts.start",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let more = [
        asked[0], asked[1], "--json", "--out", "advice", "--laws", "2",
    ];
    let value = json(&run(&folder, &ball, &more));
    let choice = &value["mechanism"]["choice"];
    assert_eq!(choice["laws"].as_array().map(Vec::len), Some(3), "{choice}");
    // A fall of 0.9 m: √(2·0.9/9.81) s, whatever the law.
    let start = choice["quantities"][0]["least"].as_f64().expect("a number");
    assert!((start - (1.8 / 9.81_f64).sqrt()).abs() < 1e-9, "{start}");
    assert_eq!(choice["quantities"][0]["matters"], "no");
    assert_eq!(choice["quantities"][1]["matters"], "yes");
    let page = fs::read_to_string(folder.0.join("advice/advice.html")).expect("written");
    assert!(page.contains("How much the law of contact.floor matters"));
    // What is typed takes the place of what the run says.
    let value = json(&run(
        &folder,
        &ball,
        &["--restitution", "0.5", "--json", "--laws", "1"],
    ));
    assert_eq!(
        value["restitution"]["asked"]
            .as_f64()
            .or(value["numbers"]["restitution"].as_f64()),
        Some(0.5)
    );
}

#[test]
fn what_is_wrong_with_a_question_about_a_model_is_said_at_once() {
    let folder = Folder::new("advise-model-wrong");
    model(&folder, "bouncing-ball.toml");
    let out = run(
        &folder,
        &[
            "advise",
            "bouncing-ball.toml",
            "--contact",
            "contact.wall",
            "--quantities",
            "most ball.y",
            "--laws",
            "0",
        ],
        &[],
    );
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    for words in ["contact.floor", "none of max", "--laws"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Before it has fallen nothing touches.
    let early = [
        "advise",
        "bouncing-ball.toml",
        "--set",
        "simulation.end=0.1",
        "--json",
    ];
    let out = run(&folder, &early, &[]);
    assert_eq!(out.status.code(), Some(2));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    assert_eq!(value["status"], "failed");
    let out = run(&folder, &["advise", "--laws", "3"], &[]);
    assert_eq!(out.status.code(), Some(2));
}
