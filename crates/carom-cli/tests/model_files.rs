//! Do `carom new`, `carom check` and `carom schema` do what they say with model files?

mod folder;

use std::fs;
use std::path::{Path, PathBuf};

use carom::model::starter;
use serde_json::Value;

use folder::{Folder, carom_in, text};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

#[test]
fn a_new_file_is_the_one_in_the_folder_of_models() {
    let folder = Folder::new("new");
    let mut there = 0;
    for kind in starter::ALL {
        let out = carom_in(&folder.0, &["new", kind.name]);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let name = format!("{}.toml", kind.name);
        let written = fs::read_to_string(folder.0.join(&name)).expect("it is there");
        let model = models().join(&name);
        if kind.count().is_some() && std::env::var_os("CAROM_UPDATE").is_some() && model.exists() {
            fs::write(&model, &written).expect("it can be written");
        }
        if let Ok(known) = fs::read_to_string(&model) {
            assert!(
                known == written,
                "models/{name} is not what `carom new` writes: CAROM_UPDATE=1 cargo test -p carom-cli --test model_files"
            );
            there += 1;
        }
        let out = carom_in(&folder.0, &["new", kind.name, "-"]);
        assert_eq!(text(&out.stdout), written);
    }
    assert_eq!(
        there,
        starter::ALL.len() - 2,
        "all but the chain and the grains, whose file has a longer name"
    );
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = Folder::new("new-again");
    let path = folder.0.join("mine.toml");
    fs::write(&path, "precious").expect("it can be written");
    let out = carom_in(&folder.0, &["new", "pendulum", "mine.toml"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
    let out = carom_in(&folder.0, &["new", "pendulum", "mine.toml", "--force"]);
    assert_eq!(out.status.code(), Some(0));
    assert!(
        fs::read_to_string(&path)
            .expect("there")
            .contains("Pendulum")
    );
    // A folder that is not there is a failure, not a wrong input.
    let out = carom_in(&folder.0, &["new", "pendulum", "no/where.toml"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("where.toml"));
}

#[test]
fn a_count_is_for_those_that_count() {
    let folder = Folder::new("count");
    let out = carom_in(&folder.0, &["new", "chain", "-", "--count", "3"]);
    let chain = text(&out.stdout);
    assert!(
        chain.contains("link3 =") && !chain.contains("link4"),
        "{chain}"
    );
    for (arguments, said) in [
        (&["new", "pendulum", "--count", "3"][..], "nothing to count"),
        (&["new", "chain", "--count", "0"], "1 to 10000"),
        (&["new", "chain", "--count", "10001"], "1 to 10000"),
        (&["new", "pendulem"], "pendulum"),
        (&["new"], "KIND"),
    ] {
        let out = carom_in(&folder.0, arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        let message = text(&out.stderr);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    assert_eq!(fs::read_dir(&folder.0).expect("there").count(), 0);
}

fn json(arguments: &[&str]) -> (Option<i32>, Value) {
    let out = carom_in(&models(), arguments);
    let value = serde_json::from_slice(&out.stdout);
    let value = value.unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{}", text(&out.stderr)));
    (out.status.code(), value)
}

#[test]
fn every_model_is_sound_and_has_the_degrees_of_freedom_that_can_be_counted() {
    // Three coordinates a body, two constraints a pin and a guide, one a motor.
    let known = [
        ("andrews-squeezer", 1),
        ("ball-on-table", 3),
        ("bouncing-ball", 3),
        ("box-stack", 30),
        ("cam-follower", 1),
        ("carom-shot", 9),
        ("clock-escapement", 2),
        ("dominoes", 24),
        ("door-latch", 2),
        ("double-pendulum", 2),
        ("ellipse", 3),
        ("four-bar", 0),
        ("geneva-wheel", 1),
        // Each grain has three of its own.
        ("grains-in-a-box", 900),
        ("hammer-drill", 2),
        ("hopper", 6000),
        ("impact-damper", 2),
        ("impact-types", 6),
        ("knee", 3),
        ("lantern-gear", 1),
        ("n-four-bar", 1),
        ("newtons-cradle", 10),
        ("pendulum", 1),
        ("pyramid", 165),
        ("ratchet-and-pawl", 2),
        ("rotating-drum", 360),
        ("slider-crank", 0),
        ("slider-crank-block", 2),
        ("slider-crank-clearance", 2),
        ("slider-in-guide", 2),
        ("thrown-die", 3),
        ("trip-hammer", 1),
        ("two-pendulums", 2),
        ("two-spheres", 6),
        ("valve-train", 1),
        ("vibrating-sieve", 240),
        ("woodpecker-toy", 3),
    ];
    let mut found: Vec<String> = fs::read_dir(models())
        .expect("there")
        .map(|entry| entry.expect("listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| path.file_stem().expect("a name").display().to_string())
        .collect();
    found.sort();
    assert_eq!(found, known.map(|entry| entry.0));
    for (name, degrees) in known {
        let (code, value) = json(&["check", &format!("{name}.toml"), "--json"]);
        assert_eq!(code, Some(0), "{name}");
        assert_eq!(value["sound"], true, "{name}");
        assert_eq!(value["degrees_of_freedom"], degrees, "{name}");
        // No pin of these is one too many. The profiles of the knee have ends, and nothing follows from materials there.
        let ends = name == "knee";
        let all = value["warnings"].as_array().expect("a list");
        let told = |w: &Value| ends && w["path"] == "contact.joint.stiffness";
        assert!(all.iter().all(told), "{name}: {all:?}");
    }
}

#[test]
fn check_lists_contacts_beside_joints() {
    let (_, cradle) = json(&["check", "newtons-cradle.toml", "--json"]);
    let contacts = cradle["contacts"].as_array().expect("a list");
    assert_eq!(contacts.len(), 4);
    assert_eq!(contacts[0]["element"], "contact.c12");
    assert_eq!(contacts[0]["law"], "hertz");
    let (_, play) = json(&["check", "slider-crank-clearance.toml", "--json"]);
    assert_eq!(play["contacts"][0]["element"], "joint.pin");
    assert_eq!(play["contacts"][0]["friction"], "ambrosio");
    let out = carom_in(&models(), &["check", "slider-crank-clearance.toml"]);
    let page = text(&out.stdout);
    assert!(
        page.contains("1: joint.pin with play (lankarani-nikravesh)"),
        "{page}"
    );
}

#[test]
fn check_shows_what_there_is_and_how_far_the_start_was_moved() {
    let out = carom_in(&models(), &["check", "four-bar.toml"]);
    assert_eq!(out.status.code(), Some(0));
    let page = text(&out.stdout);
    for part in [
        "Four-bar linkage: sound",
        "degrees of freedom",
        "dynamic, from 0 s to 2 s",
        "motor",
        "rocker",
        "crank",
        "100 mm",
        "7850 kg/m^3",
        "to close the joints",
        "4 revolute: O, A, B, D",
        "driver.motor.moment",
    ] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    // Where the circles about the crank's end and the rocker's pin meet: the coupler's B at (203.386479, 284.017302) mm.
    let (_, value) = json(&["check", "four-bar.toml", "--json"]);
    let rocker = &value["bodies"][2];
    let [x, y] = [0, 1].map(|i| rocker["position"][i].as_f64().expect("a number"));
    assert!(
        (x - (0.3 + 0.203_386_479_329_407_68) / 2.0).abs() < 1e-12,
        "{x}"
    );
    assert!((y - 0.284_017_301_627_265_35 / 2.0).abs() < 1e-12, "{y}");
    assert!(value["moved"]["distance"].as_f64().expect("a number") > 1e-3);
    // The slider-crank stands as it is given, and its velocities follow from the motor.
    let (_, value) = json(&["check", "slider-crank.toml", "--json"]);
    assert_eq!(value["moved"]["distance"], 0.0);
    let omega = value["bodies"][1]["angular_velocity"]
        .as_f64()
        .expect("a number");
    assert!((omega + 218.166_156_499).abs() < 1e-8, "{omega}");
}

#[test]
fn check_refuses_with_2_and_says_all_at_once() {
    let wrong = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom/tests/wrong");
    let out = carom_in(&wrong, &["check", "many-at-once.toml"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(out.stdout.is_empty());
    let said = text(&out.stderr);
    let errors = said.lines().filter(|l| l.starts_with("error: ")).count();
    assert!(errors >= 8, "{said}");
    assert!(said.contains("many-at-once.toml:4:"), "{said}");
    let out = carom_in(&wrong, &["check", "many-at-once.toml", "--json"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(out.stderr.is_empty());
    let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(value["sound"], false);
    assert_eq!(value["errors"].as_array().expect("a list").len(), errors);
    assert_eq!(value["errors"][0]["line"], 4);
    // What only a run can find out is not looked for.
    let out = carom_in(&wrong, &["check", "drivers-that-part-later.toml"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn check_says_why_a_file_cannot_be_read() {
    let folder = Folder::new("check");
    fs::write(folder.0.join("latin.toml"), b"format = 1\n# K\xf6rper\n").expect("written");
    for (arguments, said) in [
        (&["check", "nothing.toml"][..], "nothing.toml"),
        (&["check", "."], "directory"),
        (&["check", "latin.toml"], "line 2"),
        (&["check", "latin.toml", "--set", "end"], "PATH=VALUE"),
        (&["check"], "MODEL"),
    ] {
        let out = carom_in(&folder.0, arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        let message = text(&out.stderr);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}

#[test]
fn the_schema_is_json_and_names_every_table() {
    let (code, value) = json(&["schema"]);
    assert_eq!(code, Some(0));
    for table in [
        "format",
        "simulation",
        "solver",
        "body",
        "joint",
        "driver",
        "force",
    ] {
        assert!(value["properties"][table].is_object(), "{table}");
    }
    let (code, studies) = json(&["schema", "--study"]);
    assert_eq!(code, Some(0));
    for table in ["format", "study", "impact", "design", "vary", "output"] {
        assert!(studies["properties"][table].is_object(), "{table}");
    }
    // One table a parameter, each with its keys.
    let vary = studies["properties"]["vary"]["patternProperties"].as_object();
    let vary = vary
        .and_then(|tables| tables.values().next())
        .expect("named tables");
    assert!(vary["properties"]["path"].is_object(), "{vary}");
    let folder = Folder::new("schema");
    let write = |more: &[&str]| {
        let arguments = [&["schema", "--out", "s.json"], more].concat();
        carom_in(&folder.0, &arguments).status.code()
    };
    assert_eq!(write(&[]), Some(0));
    assert_eq!(write(&[]), Some(2));
    assert_eq!(write(&["--force"]), Some(0));
    let written = fs::read(folder.0.join("s.json")).expect("there");
    let written: Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(written, value);
}

#[test]
fn the_page_about_the_model_file_is_what_the_description_says() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model-file.md");
    let page = text(&carom_in(&models(), &["schema", "--markdown"]).stdout);
    if std::env::var_os("CAROM_UPDATE").is_some() {
        std::fs::write(&path, page).expect("it can be written");
        return;
    }
    let known = std::fs::read_to_string(&path).expect("it is there");
    assert!(
        known == page,
        "docs/model-file.md is not what `carom schema --markdown` prints; to write it anew:\n  \
         CAROM_UPDATE=1 cargo test -p carom-cli --test model_files page"
    );
}
