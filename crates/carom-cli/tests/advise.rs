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

/// A model of the folder `models`.
fn file(model: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    fs::read_to_string(models.join(model)).expect("a model")
}

/// A model of the folder `models` in which the table of a contact or a joint is another one.
fn with_block(model: &str, heading: &str, block: &str) -> String {
    let file = file(model);
    let (before, after) = file.split_once(heading).expect("its table");
    let after = after.find("\n[").map_or("", |i| &after[i..]);
    format!("{before}{block}{after}")
}

/// The block with the reader's own places.
fn between(block: &str, places: &str) -> String {
    let own = |line: &str| match line.starts_with("between") {
        true => format!("between = {places}\n"),
        false => format!("{line}\n"),
    };
    block.lines().map(own).collect()
}

/// Two balls and nothing else: what a block does not say is not there.
const TWO_BALLS: &str = r#"
format = 1
[simulation]
end = 0.1
gravity = [0, 0]
[body.left]
mass = 1
inertia = 1
velocity = [1, 0]
shapes.skin = { type = "circle", radius = "10 mm" }
[body.right]
mass = 1
inertia = 1
position = ["30 mm", 0]
shapes.skin = { type = "circle", radius = "10 mm" }
"#;

/// Whether `carom check` takes this text.
fn check(folder: &Folder, text: &str) -> Result<(), String> {
    fs::write(folder.0.join("m.toml"), text).expect("written");
    let out = carom_in(&folder.0, &["check", "m.toml"]);
    match out.status.code() {
        Some(0) => Ok(()),
        _ => Err(self::text(&out.stderr)),
    }
}

/// Blocks of all laws that were judged, whether they lead or not.
fn blocks(value: &Value) -> Vec<(String, String)> {
    let ranked = value["ranked"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let one = |law: &Value| (text(&law["law"]), text(&law["model_file"]));
    ranked.iter().map(one).collect()
}

#[test]
fn every_block_for_a_model_file_is_one_that_check_accepts() {
    let folder = Folder::new("advise-blocks");
    fs::write(
        folder.0.join("pairs.csv"),
        "v_in [m/s],e\n0.1,0.85\n0.5,0.8\n2,0.72\n",
    )
    .expect("written");
    let balls = ["--material", "steel", "--radii", "0.01,0.01"];
    let mut laws = Vec::new();
    for more in [
        &["--speed", "0.3", "--restitution", "0.8"][..],
        &["--speed", "0.1:1", "--restitution", "1-0.2*v"],
        &["--speed", "0.3", "--restitution", "0.1:0.9,1:0.8"],
        &["--speed", "0.3", "--restitution", "wang:250 MPa,300 MPa"],
        &["--speed", "0.3", "--restitution", "1"],
        &["--speed", "0.3", "--restitution", "0"],
        &["--speed", "0.2:5", "--measured", "pairs.csv"],
        &["--speed", "25", "--for", "rest", "--load", "3 N"],
        &["--shape", "gear", "--length", "20 mm", "--mass", "1"],
        &["--shape", "flat", "--contact-time", "5 ms", "--for", "many"],
    ] {
        let value = json(&run(
            &folder,
            &[&["advise", "--json"][..], &balls, more].concat(),
            &[],
        ));
        for (law, block) in blocks(&value) {
            let own = between(&block, "[\"left.skin\", \"right.skin\"]");
            if let Err(said) = check(&folder, &format!("{TWO_BALLS}{own}")) {
                panic!("{law} {more:?}:\n{block}\n{said}");
            }
            if !laws.contains(&law) {
                laws.push(law);
            }
        }
    }
    assert!(laws.len() > 35, "{laws:?}");
}

#[test]
fn the_block_of_a_joint_is_a_joint() {
    let folder = Folder::new("advise-joint");
    let value = json(&run(&folder, PIN, &["--json"]));
    assert_eq!(value["leader"], "liu");
    assert_eq!(value["geometry"], "conformal");
    assert_eq!(value["reason"]["code"], "conformal");
    // What follows from the material and the clearance is not frozen.
    let leader = value["ranked"][0]["model_file"].as_str().expect("a text");
    assert!(leader.contains("material = \"steel\""), "{leader}");
    assert!(!leader.contains("effective_modulus"), "{leader}");
    let mut count = 0;
    for (law, block) in blocks(&value) {
        assert!(block.starts_with("[joint.pin]"), "{block}");
        let own = between(&block, "[\"rod.B\", \"slider\"]");
        let model = with_block("slider-crank-clearance.toml", "[joint.pin]", &own);
        if let Err(said) = check(&folder, &model) {
            panic!("{law}:\n{block}\n{said}");
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_stiffness_that_a_law_has_no_place_for_is_told_under_the_table() {
    let folder = Folder::new("advise-given");
    let out = run(&folder, PIN, &["--stiffness", "1e9"]);
    let said = text(&out.stdout);
    assert!(said.starts_with("exact-restitution"), "{said}");
    // Wherever the lines are cut.
    let words: Vec<&str> = said.split_whitespace().collect();
    let said = words.join(" ");
    let (_, names) = said
        .split_once("No place for the stiffness given, so that they cannot lead: ")
        .expect("it is told");
    assert!(
        names.split('.').next().is_some_and(|n| n.contains("liu")),
        "{names}"
    );
    assert!(said.contains("stiffness = 1e9"), "{said}");
    let value = json(&run(&folder, PIN, &["--stiffness", "1e9", "--json"]));
    let ranked = value["ranked"].as_array().expect("a list");
    let liu = ranked
        .iter()
        .find(|law| law["law"] == "liu")
        .expect("judged");
    assert_eq!(liu["behind"], "stiffness");
}

#[test]
fn a_free_impact_is_told_from_the_run_and_dampers_are_tried_at_a_speed_of_the_case() {
    let folder = Folder::new("advise-pressed");
    model(&folder, "hammer-drill.toml");
    let drill = [
        "advise",
        "hammer-drill.toml",
        "--set",
        "simulation.end=0.12",
        "--laws",
        "2",
        "--quantities",
        "size force.cushion.force,max contacts.peak_force",
    ];
    let said = text(&run(&folder, &drill, &[]).stdout);
    for words in [
        "free impact  250 g",
        "in the run   up to 47.7 kN",
        "These are the numbers of a free impact",
        "exact-restitution is tried with approach_speed_floor =",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let value = json(&run(&folder, &drill, &["--json"]));
    let run = &value["numbers"]["in_the_run"];
    assert_eq!(run["law"], "simbody-hunt-crossley");
    let met = &value["mechanism"]["met"][0];
    assert_eq!(run["peak_force"], met["peak_force"]);
    // At the floor of 1 mm/s a touch at no speed had a damper 600 times as strong, and the air a hundred times the force.
    let cushion = &value["mechanism"]["choice"]["quantities"][0];
    let number = |key: &str| cushion[key].as_f64().expect("a number");
    assert!(number("largest") / number("least") < 2.0, "{cushion}");
    // Its own law is asked for no restitution.
    let laws = &value["mechanism"]["choice"]["laws"];
    assert_eq!(laws[0]["restitution_error"], Value::Null);
    assert!(laws[1]["restitution_error"].is_number(), "{laws}");
    // Tables have the floor where it was tried, and only there.
    let floor = value["mechanism"]["approach_speed_floor"]
        .as_f64()
        .expect("a number");
    assert_eq!(Some(floor), met["approach_speed"]["middle"].as_f64());
    for (law, block) in blocks(&value) {
        let by_speed = ["exact-restitution", "flores", "brandlein"].contains(&law.as_str());
        let constant = ["tsuji", "simbody-hunt-crossley"].contains(&law.as_str());
        assert!(
            !by_speed || block.contains("approach_speed_floor = 0.607"),
            "{block}"
        );
        assert!(
            !constant || !block.contains("approach_speed_floor"),
            "{block}"
        );
    }
}

#[test]
fn the_block_for_a_model_takes_the_place_of_its_own_table() {
    let folder = Folder::new("advise-own");
    for (name, heading, set, keeps) in [
        (
            "slider-crank-clearance.toml",
            "[joint.pin]",
            "simulation.end=2e-3",
            &[
                "between = [\"rod.B\", \"slider\"]",
                "clearance = \"0.5 mm\"",
                "friction = { law = \"ambrosio\"",
            ][..],
        ),
        (
            "bouncing-ball.toml",
            "[contact.floor]",
            "simulation.end=0.6",
            &["between = [\"ground.floor\", \"ball.skin\"]"],
        ),
    ] {
        model(&folder, name);
        let asked = ["advise", name, "--set", set, "--laws", "1", "--json"];
        let value = json(&run(&folder, &asked, &[]));
        for (law, block) in blocks(&value) {
            assert!(block.starts_with(heading), "{block}");
            for kept in keeps {
                assert!(block.contains(kept), "{kept}:\n{block}");
            }
            assert_eq!(
                block.matches("law = ").count(),
                block.matches("friction").count() + 1
            );
            if let Err(said) = check(&folder, &with_block(name, heading, &block)) {
                panic!("{law}:\n{block}\n{said}");
            }
        }
    }
}

/// The joint of the slider-crank, its first blows alone.
const CRANK: [&str; 9] = [
    "advise",
    "slider-crank-clearance.toml",
    "--set",
    "simulation.end=2e-3",
    "--quantities",
    "count contacts,max contacts.peak_force",
    "--laws",
    "1",
    "--json",
];

#[test]
fn the_block_for_a_model_carries_what_was_asked_for_and_gives_the_run_that_was_tried() {
    let folder = Folder::new("advise-carried");
    model(&folder, "slider-crank-clearance.toml");
    let plain = json(&run(&folder, &CRANK, &[]));
    assert_eq!(
        plain["model_file_with"],
        serde_json::json!(["simulation.end=2e-3"])
    );
    for (more, keys) in [
        (&["--length", "60 mm"][..], &["length = 0.06"][..]),
        (
            &["--set", "joint.pin.clearance=\"0.05 mm\""],
            &["clearance = \"0.05 mm\""],
        ),
        (&["--material", "bronze"], &["material = \"bronze\""]),
        (
            &["--set", "joint.pin.friction.coefficient=0.03"],
            &["coefficient = 0.03"],
        ),
    ] {
        let value = json(&run(&folder, &CRANK, more));
        let table = value["ranked"][0]["model_file"].as_str().expect("a text");
        for key in keys {
            assert_eq!(table.matches(key).count(), 1, "{key}:\n{table}");
        }
        assert_eq!(value["model_file_with"], plain["model_file_with"]);
        let tried = &value["mechanism"]["choice"]["laws"][1];
        assert_eq!(tried["law"], value["leader"], "{more:?}");
        // Nobody else has these numbers.
        let others = &plain["mechanism"]["choice"]["laws"][1]["values"];
        assert_ne!(&tried["values"], others, "{more:?}");
        let text = with_block("slider-crank-clearance.toml", "[joint.pin]", table);
        fs::write(folder.0.join("pasted.toml"), text).expect("written");
        let mut again = CRANK;
        again[1] = "pasted.toml";
        let now = json(&run(&folder, &again, &[]));
        let now = &now["mechanism"]["choice"]["laws"][0]["values"];
        for i in 0..2 {
            let (a, b) = (tried["values"][i].as_f64(), now[i].as_f64());
            let (a, b) = (a.expect("a number"), b.expect("a number"));
            assert!((a / b - 1.0).abs() < 1e-6, "{more:?}: {tried} {now}");
        }
    }
    // Where a joint lies is a matter of the model, and of its motion.
    let wrong = run(
        &folder,
        &CRANK,
        &["--clearance", "50 um", "--journal-radius", "9.5 mm"],
    );
    assert_eq!(wrong.status.code(), Some(2));
    let said = text(&wrong.stdout);
    assert!(said.contains("--set joint.pin.clearance="), "{said}");
}

#[test]
fn another_material_has_another_stiffness_also_in_a_model() {
    let folder = Folder::new("advise-material");
    model(&folder, "slider-crank-clearance.toml");
    let stiffness = |more: &[&str]| {
        let value = json(&run(&folder, &CRANK, more));
        let laws = value["ranked"].as_array().expect("a list");
        let law = laws.iter().find(|law| law["law"] == "exact-restitution");
        let k = law.expect("judged")["parameters"]["stiffness"].as_f64();
        (k.expect("a number"), value)
    };
    let (option, value) = stiffness(&["--material", "bronze"]);
    let (set, _) = stiffness(&["--set", "joint.pin.material=\"bronze\""]);
    assert!((option / set - 1.0).abs() < 1e-9, "{option} {set}");
    assert!(option < 4e10, "{option}");
    assert!(!value.to_string().contains("stiffness given"), "{value}");
    // Its own law has it too.
    let said = value["mechanism"]["other_numbers"].to_string();
    assert!(said.contains("is run at these too"), "{said}");
}

#[test]
fn measured_pairs_are_judged_at_the_speeds_asked_for() {
    let folder = Folder::new("advise-measured");
    fs::write(
        folder.0.join("pairs.csv"),
        "speed [m/s],restitution\n0.1,0.85\n0.5,0.8\n2,0.72\n",
    )
    .expect("written");
    let asked = |speed: &[&str]| {
        let rubber = [
            "advise",
            "--material",
            "rubber,steel",
            "--radii",
            "20 mm,inf",
        ];
        let more = ["--measured", "pairs.csv", "--json"];
        let value = json(&run(&folder, &[&rubber[..], &more, speed].concat(), &[]));
        let points: Vec<(f64, f64)> = value["asked"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|a| {
                (
                    a["speed"].as_f64().expect("v"),
                    a["restitution"].as_f64().expect("e"),
                )
            })
            .collect();
        let codes: Vec<String> = value["warnings"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|w| w["code"].to_string())
            .collect();
        (points, codes.concat().contains("not-measured"))
    };
    // Without speeds those that were measured.
    assert_eq!(
        asked(&[]),
        (vec![(0.1, 0.85), (0.5, 0.8), (2.0, 0.72)], false)
    );
    let (points, beyond) = asked(&["--speed", "0.5:1.25"]);
    assert!(!beyond && points.len() > 2, "{points:?}");
    assert!((points[0].0 - 0.5).abs() < 1e-12 && (points[0].1 - 0.8).abs() < 1e-12);
    // Half way between 0.8 and 0.72.
    let last = points[points.len() - 1];
    assert!(
        (last.0 - 1.25).abs() < 1e-12 && (last.1 - 0.76).abs() < 1e-12,
        "{last:?}"
    );
    // Outside of what was measured nothing is known, and that is said.
    assert_eq!(asked(&["--speed", "5"]), (vec![(5.0, 0.72)], true));
    assert_eq!(asked(&["--speed", "10 mm/s"]), (vec![(0.01, 0.85)], true));
}

#[test]
fn columns_of_a_table_are_found_by_their_names_and_units() {
    let folder = Folder::new("advise-columns");
    let asked = |table: &str| {
        fs::write(folder.0.join("t.csv"), table).expect("written");
        run(&folder, &["advise", "--measured", "t.csv", "--json"], &[])
    };
    for table in [
        "0.1,0.85\n0.5,0.8\n",
        "0.1 m/s,0.85\n500 mm/s,0.8\n",
        "# by hand\nspeed [m/s],restitution\n0.1,0.85\n0.5,0.8\n",
        "e,v_in [mm/s]\n0.85,100\n0.8,500\n",
        "v_in (mm/s);e\n100;0,85\n500;0,8\n",
        "\u{feff}Restitution\tApproach-Speed (cm/s)\n0,85\t10\n0,8\t50\n",
        "\"run\",\"v0 [m/s]\",\"COR [-]\"\n1,0.1,0.85\n2,0.5,0.8\n",
        "v_in [m/s],v_out [mm/s]\n0.1,85\n0.5,400\n",
        "v,\te\n0.1,\t0.85\n0.5,\t0.8\n",
    ] {
        let out = asked(table);
        let found = json(&out)["asked"].clone();
        let at = |i: usize, key: &str| found[i][key].as_f64().expect("a number");
        for (i, v, e) in [(0, 0.1, 0.85), (1, 0.5, 0.8)] {
            assert!((at(i, "speed") - v).abs() < 1e-12, "{table}: {found}");
            assert!((at(i, "restitution") - e).abs() < 1e-12, "{table}: {found}");
        }
    }
    for (table, says) in [
        (
            "vel,rest\n0.1,0.85\n",
            "t.csv, line 1: the columns `vel`, `rest`",
        ),
        ("v_in [N],e\n0.1,0.85\n", "t.csv, line 1: column `v_in [N]`"),
        ("v_in,v_in\n0.1,0.85\n", "is there twice"),
        ("v_in,mass\n0.1,0.85\n", "no restitution"),
        ("e,mass\n0.1,0.85\n", "no approach speed"),
        ("v_in,e\n0,1,0,85\n", "semicolons or tabs"),
        ("0,1,0,85\n", "4 columns"),
        ("0.1 0.85\n", "separated by commas"),
        ("v_in;e\n0,1;0.85\n", "decimal points"),
        ("0.85,100\n0.8,500\n", "the other way round"),
        ("v_in,e\n-0.1,0.85\n", "t.csv, line 2: speed = -0.1"),
        ("v_in,v_out\n0.1,0.2\n", "restitution = 2"),
        ("v_in,e\n0.1,nan\n", "restitution = NaN"),
        ("v_in,e\n0.1,\n", "t.csv, line 2"),
        ("v_in,e\n", "0 points"),
        ("", "the table is empty"),
    ] {
        let out = asked(table);
        assert_eq!(out.status.code(), Some(2), "{table}");
        let said = text(&out.stderr);
        assert!(said.contains(says), "{table}: {said}");
        assert!(
            said.contains("Hint") || says.contains("N]"),
            "{table}: {said}"
        );
    }
    for (path, says) in [
        ("none.csv", "cannot read none.csv"),
        (".", "not a regular file"),
    ] {
        let out = run(&folder, &["advise", "--measured", path], &[]);
        assert_eq!(out.status.code(), Some(2));
        assert!(text(&out.stderr).contains(says), "{}", text(&out.stderr));
    }
}

#[test]
fn a_contact_time_is_met_with_the_damping_and_a_depth_at_the_fastest() {
    let folder = Folder::new("advise-time");
    let ball = [
        "advise",
        "--mass",
        "57 g",
        "--restitution",
        "0.75",
        "--json",
    ];
    for more in [
        &["--contact-time", "5 ms", "--speed", "20"][..],
        &["--contact-time", "5 ms", "--speed", "2:20"],
        &[
            "--contact-time",
            "5 ms",
            "--speed",
            "20",
            "--shape",
            "flat",
            "--for",
            "many",
        ],
    ] {
        let value = json(&run(&folder, &ball, more));
        let lasts = value["numbers"]["duration"].as_f64().expect("a number");
        assert!((lasts / 5e-3 - 1.0).abs() < 2e-6, "{more:?}: {lasts}");
        assert!(!value["warnings"].to_string().contains("contact-time"));
    }
    let more = ["--allowed-depth", "0.1 mm", "--speed", "0.05:5"];
    let value = json(&run(&folder, &ball, &more));
    assert!(
        !value["warnings"].to_string().contains("allowed-depth"),
        "{}",
        value["warnings"]
    );
    // ½ m v² = K δ^(n+1)/(n+1) at 5 m/s.
    let n = value["numbers"]["exponent"].as_f64().expect("a number");
    let k = 0.5 * (n + 1.0) * 0.057 * 25.0 / 1e-4_f64.powf(n + 1.0);
    let found = value["numbers"]["stiffness"].as_f64().expect("a number");
    assert!((found / k - 1.0).abs() < 1e-9, "{found} {k}");
    // What the surfaces are cannot be changed: then it is said.
    let steel = [
        "--material",
        "steel",
        "--radii",
        "0.01,0.01",
        "--speed",
        "0.3",
        "--contact-time",
        "1 ms",
    ];
    let value = json(&run(&folder, &ball, &steel));
    assert!(value["warnings"].to_string().contains("contact-time"));
}

#[test]
fn what_presses_at_rest_is_borne() {
    let folder = Folder::new("advise-load");
    let flat = [
        "advise", "--shape", "flat", "--mass", "2", "--speed", "1 mm/s", "--json", "--for", "rest",
    ];
    let more = [
        "--load",
        "20 N",
        "--allowed-depth",
        "0.1 mm",
        "--restitution",
        "0.5",
    ];
    let value = json(&run(&folder, &flat, &more));
    let rest = &value["numbers"]["at_rest"];
    // A linear spring that 20 N press 0.1 mm deep: the impact alone, √(m/K) v = 3.2 µm, would allow a softer one.
    let found = rest["indentation"].as_f64().expect("a number");
    assert_eq!(rest["load"].as_f64(), Some(20.0));
    assert!(
        value["numbers"]["exponent"] != 1.0 || (found / 1e-4 - 1.0).abs() < 1e-9,
        "{found}"
    );
    assert!(
        value["warnings"].to_string().contains("\"load\""),
        "{}",
        value["warnings"]
    );
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
    // What a restitution is at the speeds is told beside the rest, and infinite is not `> 0`.
    let out = run(
        &folder,
        &[
            "advise",
            "--speed",
            "1",
            "--restitution",
            "1-2*v",
            "--mass",
            "0",
        ],
        &["--length", "inf"],
    );
    let said = text(&out.stderr);
    for part in [
        "--mass = 0",
        "at v0 = 1 m/s = -1",
        "--length = inf",
        "> 0 and finite",
    ] {
        assert!(said.contains(part), "{part}:\n{said}");
    }
    let out = run(&folder, &["advise", "--speed", "inf"], &[]);
    assert!(text(&out.stderr).contains("> 0 and finite"));
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
fn with_another_restitution_the_model_s_own_law_is_compared_at_that_too() {
    let folder = Folder::new("advise-own-numbers");
    model(&folder, "bouncing-ball.toml");
    let ball = [
        "advise",
        "bouncing-ball.toml",
        "--set",
        "simulation.end=0.6",
        "--laws",
        "1",
        "--quantities",
        "sum contacts.dissipated_energy",
    ];
    let typed = ["--restitution", "0.5", "--json"];
    let value = json(&run(&folder, &ball, &typed));
    let mechanism = &value["mechanism"];
    let own = &mechanism["choice"]["laws"][0];
    assert_eq!(own["law"], "flores (own)");
    let said = mechanism["other_numbers"].to_string();
    assert!(said.contains("restitution 0.5 in place of 0.9"), "{said}");
    // As if it stood in the file.
    let set = ["--set", "contact.floor.restitution=0.5", "--json"];
    let file = json(&run(&folder, &ball, &set));
    let there = &file["mechanism"]["choice"]["laws"][0];
    assert_eq!(there["law"], "flores (now)");
    assert_eq!(own["values"], there["values"]);
    assert_eq!(
        file["mechanism"]["other_numbers"].as_array().map(Vec::len),
        Some(0)
    );
    // Every law comes with its errors: of the computation, and of the restitution.
    for law in mechanism["choice"]["laws"].as_array().expect("a list") {
        assert!(law["errors"][0].as_f64().is_some_and(|e| e < 1e-3), "{law}");
        let off = law["restitution_error"].as_f64().expect("computed");
        assert!(off.abs() < 0.2, "{law}");
    }
    let out = text(&run(&folder, &ball, &["--restitution", "0.5"]).stdout);
    for words in ["in place of 0.9", "flores (own)", "error of e"] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn a_law_that_leads_already_is_tried_once() {
    let folder = Folder::new("advise-once");
    model(&folder, "bouncing-ball.toml");
    let ball = [
        "advise",
        "bouncing-ball.toml",
        "--set",
        "simulation.end=0.6",
        "--set",
        "contact.floor.law=hertz",
        "--json",
    ];
    let value = json(&run(&folder, &ball, &[]));
    let laws = value["mechanism"]["choice"]["laws"]
        .as_array()
        .expect("a list");
    let names: Vec<&str> = laws.iter().filter_map(|law| law["law"].as_str()).collect();
    let hertz = names
        .iter()
        .filter(|name| name.starts_with("hertz"))
        .count();
    assert_eq!(hertz, 1, "{names:?}");
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

#[test]
fn outlines_in_a_hollow_are_no_journal_in_a_bearing() {
    let folder = Folder::new("advise-knee");
    model(&folder, "knee.toml");
    let knee = [
        "advise",
        "knee.toml",
        "--set",
        "simulation.end=0.2",
        "--laws",
        "1",
        "--json",
    ];
    let value = json(&run(&folder, &knee, &[]));
    assert_eq!(value["geometry"], "hollow");
    let block = value["ranked"][0]["model_file"].as_str().expect("a block");
    assert!(
        block.starts_with("[contact.joint]\nbetween = [\"ground.femur\", \"tibia.plateau\"]"),
        "{block}"
    );
    assert!(!value.to_string().contains("bearing over"));
}

#[cfg(unix)]
#[test]
fn the_advice_comes_before_the_trials_and_ctrl_c_keeps_it() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = Folder::new("advise-stopped");
    // Many laws on many rattles: there is time enough to stop it.
    let long = [
        "advise",
        "slider-crank-clearance.toml",
        "--set",
        "simulation.end=0.05",
        "--laws",
        "8",
    ];
    model(&folder, "slider-crank-clearance.toml");
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(long)
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("For a model file") {
        line.clear();
        assert!(
            out.read_line(&mut line).expect("text") > 0,
            "it ended too early"
        );
    }
    let told = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(told.expect("a signal").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let status = child.wait().expect("it ends");
    let mut said = String::new();
    child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(status.code(), Some(1), "{rest}\n{said}");
    assert!(
        rest.contains("[joint.pin]") && rest.contains("It was stopped"),
        "{rest}"
    );
    assert!(said.contains("it was stopped"), "{said}");
}

#[test]
fn what_the_runs_warn_of_is_told_with_the_law() {
    let folder = Folder::new("advise-warned");
    model(&folder, "bouncing-ball.toml");
    let ball = [
        "advise",
        "bouncing-ball.toml",
        "--set",
        "simulation.end=0.6",
        "--laws",
        "2",
    ];
    let value = json(&run(&folder, &ball, &["--json"]));
    let laws = value["mechanism"]["choice"]["laws"]
        .as_array()
        .expect("a list")
        .clone();
    let mut codes: Vec<String> = laws
        .iter()
        .flat_map(|law| law["warnings"].as_array().expect("a list").clone())
        .filter_map(|w| w["code"].as_str().map(String::from))
        .collect();
    codes.dedup();
    let out = text(&run(&folder, &ball, &[]).stdout);
    for code in &codes {
        assert!(out.contains(&format!("Warning ({code},")), "{code}: {out}");
    }
    assert_eq!(out.contains("Warning ("), !codes.is_empty());
    // What is the error of the computation is nothing that a law could matter for.
    assert!(!out.contains("energy.residual"), "{out}");
}

#[test]
fn the_page_says_what_the_terminal_says() {
    let folder = Folder::new("advise-page");
    let out = text(&run(&folder, BALLS, &["--out", "told"]).stdout);
    let page = fs::read_to_string(folder.0.join("told/advice.html")).expect("a page");
    let plain = page
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let plain = plain.replace("&amp;", "&");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = words(&plain);
    let mut count = 0;
    for line in out.lines().filter(|line| !line.starts_with("written")) {
        // Cells of tables stand in tags of their own.
        for cell in line.split("  ").map(words) {
            let known = cell.split("# ").all(|part| page.contains(part.trim()));
            assert!(known, "{cell}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_restitution_that_contradicts_the_speeds_beside_it_is_refused() {
    let folder = Folder::new("advise-contradiction");
    let said = |table: &str| {
        fs::write(folder.0.join("t.csv"), table).expect("written");
        let out = run(&folder, &["advise", "--measured", "t.csv"], &[]);
        (out.status.code(), text(&out.stderr))
    };
    let (code, words) = said("v;v_out;e\n1;0,5;0,5\n2;1,0;0,9\n");
    assert_eq!(code, Some(2), "{words}");
    assert!(
        words.contains("line 3") && words.contains("but 1 m/s of 2 m/s is 0.5"),
        "{words}"
    );
    let (_, words) = said("v;v_out [mm/s];e\n1;500;0,5\n2;1336;0,67\n3;;0,6\n");
    assert!(!words.contains("m/s is"), "{words}");
}

#[test]
fn numbers_have_their_units_and_one_fault_is_told_once() {
    let folder = Folder::new("advise-units");
    // No law predicts a restitution of 0.5 at this speed, so that it is told, and its dent is a length.
    let fast = [
        "advise",
        "--material",
        "steel",
        "--radii",
        "10 mm,10 mm",
        "--speed",
        "25",
        "--restitution",
        "0.5",
    ];
    let value = json(&run(&folder, &fast, &["--json"]));
    assert_eq!(value["leader"], "lankarani-nikravesh-plastic");
    assert_eq!(value["numbers"]["damping"]["unit"], "m");
    for (law, block) in blocks(&value) {
        assert!(!block.contains("m^ms"), "{law}: {block}");
    }
    fs::write(folder.0.join("one.csv"), "v [m/s],e\n0.3,0.8\n").expect("written");
    let bounce = [
        "advise",
        "--material",
        "steel",
        "--radii",
        "10 mm,10 mm",
        "--measured",
        "one.csv",
    ];
    let out = run(&folder, &bounce, &[]);
    let said = text(&out.stdout);
    assert!(said.contains("one measured pair"), "{said}");
    assert!(said.starts_with("exact-restitution"), "{said}");
    let out = run(&folder, &["advise", "--speed", "1e5"], &[]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert_eq!(said.matches("100000").count(), 1, "{said}");
}

#[test]
fn the_speed_of_the_numbers_is_called_the_middle_only_where_it_is() {
    let folder = Folder::new("advise-middle");
    fs::write(folder.0.join("two.csv"), "v,e\n0.1,0.9\n1,0.8\n").expect("written");
    let balls = ["advise", "--material", "steel", "--radii", "10 mm,inf"];
    let out = run(&folder, &balls, &["--measured", "two.csv"]);
    let said = text(&out.stdout);
    assert!(
        said.contains("1 m/s (among those measured, 100 mm/s to 1 m/s)"),
        "{said}"
    );
    assert!(!said.contains("the middle of"), "{said}");
    let out = run(&folder, &balls, &["--speed", "0.1:10"]);
    let said = text(&out.stdout);
    assert!(said.contains("the middle of 100 mm/s to 10 m/s"), "{said}");
    assert!(
        said.contains("fastest ") && said.contains("deep, up to"),
        "{said}"
    );
    // Speeds that hardly differ are one.
    let out = run(&folder, &balls, &["--speed", "1:1.0000001"]);
    assert!(!text(&out.stdout).contains("1 m/s to 1 m/s"));
}

#[test]
fn what_came_back_in_a_run_is_not_called_given() {
    let folder = Folder::new("advise-returned");
    model(&folder, "geneva-wheel.toml");
    let asked = ["advise", "geneva-wheel.toml", "--quiet", "--laws", "1"];
    let out = run(&folder, &asked, &[]);
    let said = text(&out.stdout).replace("\n  ", " ");
    assert!(said.contains("which came back in the run"), "{said}");
    assert!(!said.contains("must come back"), "{said}");
    assert!(!said.contains("restitution given"), "{said}");
    let value = json(&run(&folder, &asked, &["--json", "--restitution", "0.8"]));
    assert_eq!(value["numbers"]["restitution_from"], "given");
}

#[test]
fn an_old_table_in_the_folder_is_told_and_none_is_overwritten_late() {
    let folder = Folder::new("advise-old-table");
    fs::write(folder.0.join("pairs.csv"), "v,e\n0.1,0.9\n1,0.8\n").expect("written");
    fs::create_dir(folder.0.join("told")).expect("made");
    fs::write(folder.0.join("told/restitution.csv"), "mine").expect("written");
    let out = run(&folder, BALLS, &["--out", "told"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert!(
        said.contains("restitution.csv there is of earlier pairs"),
        "{said}"
    );
    let other = [
        "advise",
        "--material",
        "steel",
        "--radii",
        "0.01,0.01",
        "--measured",
        "pairs.csv",
        "--out",
        "told",
    ];
    let _ = fs::remove_file(folder.0.join("told/advice.html"));
    let out = run(&folder, &other, &[]);
    assert_eq!(out.status.code(), Some(2));
    // It is refused before anything is computed.
    assert!(out.stdout.is_empty(), "{}", text(&out.stdout));
    assert!(text(&out.stderr).contains("restitution.csv is there already"));
    assert_eq!(
        fs::read_to_string(folder.0.join("told/restitution.csv")).expect("there"),
        "mine"
    );
}

#[test]
fn what_is_wrong_with_a_model_hides_nothing_and_is_an_error_once() {
    let folder = Folder::new("advise-wrong-both");
    model(&folder, "bouncing-ball.toml");
    let out = run(
        &folder,
        &[
            "advise",
            "bouncing-ball.toml",
            "--laws",
            "0",
            "--set",
            "a=b",
        ],
        &[],
    );
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(
        said.contains("--laws = 0") && said.contains("`a`"),
        "{said}"
    );
    assert!(!said.contains("error: error:"), "{said}");
}

#[test]
fn a_load_at_rest_lies_on_the_curve_of_the_surfaces() {
    let folder = Folder::new("advise-at-rest");
    let ball = [
        "advise",
        "--load",
        "20 N",
        "--material",
        "steel",
        "--radii",
        "10mm,inf",
        "--mass",
        "2",
        "--restitution",
        "0.5",
    ];
    let said = run(&folder, &ball, &["--speed", "1"]);
    let said = text(&said.stdout);
    assert!(said.contains("20 N presses it 1.203 µm deep"), "{said}");
    // What to do stands first, why after the numbers.
    let place = |words: &str| said.find(words).unwrap_or(usize::MAX);
    assert!(place("Use lankarani-nikravesh-plastic: the surfaces yield") < place("impact  "));
    assert!(place("impact  ") < place("[Johnson (1985)") && place("[Johnson") < usize::MAX);
    let deep = [
        "--speed",
        "0.1:0.5",
        "--for",
        "rest",
        "--allowed-depth",
        "1 um",
        "--json",
    ];
    let value = json(&run(&folder, &ball, &deep));
    let told = value["warnings"].to_string();
    assert!(
        told.contains("at rest 20 N presses the bodies 1.203 µm"),
        "{told}"
    );
    assert_eq!(value["numbers"]["at_rest"]["load"], 20.0);
}

#[test]
fn what_the_parser_refuses_is_one_json_value_too() {
    let folder = Folder::new("advise-parser");
    for (arguments, word) in [
        (
            &["--top", "abc", "--speed", "1"][..],
            "whole number, 1 or more",
        ),
        (&["--shape", "foo"], "flat"),
        (&["--quantities", "x", "--speed", "1"], "MODEL"),
        (&["--nonsense"], "--nonsense"),
    ] {
        let out = run(&folder, &["advise", "--json"], arguments);
        assert_eq!(out.status.code(), Some(2));
        let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
        assert_eq!(value["status"], "failed");
        let said = value["errors"][0]["message"].as_str().expect("words");
        assert!(said.contains(word) && !said.contains("Usage"), "{said}");
        assert!(!text(&out.stderr).is_empty());
    }
    // Who did not ask for it gets words alone.
    let out = run(&folder, &["advise", "--top", "abc"], &[]);
    assert!(out.stdout.is_empty() && out.status.code() == Some(2));
}

#[test]
fn a_model_with_rigid_contacts_is_told_that_its_laws_are_compared_with_compliant_ones() {
    let folder = Folder::new("advise-method");
    model(&folder, "bouncing-ball.toml");
    for method in ["time-stepping", "piecewise"] {
        let set = format!("method.contact={method}");
        let asked = [
            "advise",
            "bouncing-ball.toml",
            "-q",
            "--set",
            &set,
            "--set",
            "simulation.end=0.6",
            "--laws",
            "1",
            "--json",
        ];
        let out = run(&folder, &asked, &[]);
        assert!(
            text(&out.stderr).contains("in place of that"),
            "{}",
            text(&out.stderr)
        );
        let value = json(&out);
        let warning = &value["warnings"][0];
        assert_eq!(warning["code"], "contact-method");
        assert!(warning["message"].to_string().contains(method));
        let own = &value["mechanism"]["choice"]["laws"][0]["law"];
        assert_eq!(own, "flores (compliant)");
        let said = text(&run(&folder, &asked[..asked.len() - 1], &[]).stdout);
        assert!(
            said.contains("compliant contacts in place") && !said.contains("(now)"),
            "{said}"
        );
    }
}

#[test]
fn trials_warn_of_no_close_fit_where_the_advice_says_that_the_joint_is_loose() {
    let folder = Folder::new("advise-loose-trials");
    model(&folder, "slider-crank-clearance.toml");
    let asked = [
        "advise",
        "slider-crank-clearance.toml",
        "-q",
        "--laws",
        "2",
        "--set",
        "simulation.end=0.02",
        "--json",
    ];
    let value = json(&run(&folder, &asked, &[]));
    assert_eq!(value["geometry"], "loose-joint");
    let said = value["mechanism"]["choice"]["says"].to_string();
    for words in [
        "take a law for cylindrical joints",
        "volumetric law",
        "(conformal",
    ] {
        assert!(!said.contains(words), "{words}: {said}");
    }
    assert!(said.contains("Warning ("), "{said}");
}

#[test]
fn what_is_wrong_names_the_option_it_was_typed_with() {
    let folder = Folder::new("advise-options");
    for (arguments, word) in [
        (
            &["--exponent", "99", "--stiffness", "1e9"][..],
            "--exponent = 99",
        ),
        (&["--contact-time", "1e-300"], "--contact-time = 1e-300"),
        (&["--allowed-depth", "1e300"], "--allowed-depth = 1e300"),
        (&["--masses", "inf,inf"], "--masses: "),
        (&["--restitution", "wang:1"], "MPa"),
    ] {
        let out = run(&folder, &["advise", "--speed", "1"], arguments);
        assert_eq!(out.status.code(), Some(2), "{word}");
        assert!(text(&out.stderr).contains(word), "{}", text(&out.stderr));
    }
}

#[test]
fn a_leader_that_is_off_is_not_said_to_return_what_is_asked_for() {
    let folder = Folder::new("advise-off");
    let verdict = |restitution: &str| {
        let known = ["--material", "steel", "--radii", "10mm,inf", "--speed", "1"];
        let more = ["--restitution", restitution, "--json"];
        let value = json(&run(&folder, &[&["advise"][..], &known].concat(), &more));
        value["verdict"].as_str().unwrap_or_default().to_string()
    };
    let none = verdict("0");
    assert!(none.contains("comes close to what is asked for"), "{none}");
    let folder = Folder::new("advise-not-off");
    let exact = json(&run(&folder, BALLS, &["--json"]))["verdict"].to_string();
    assert!(exact.contains("it returns what is asked for"), "{exact}");
}
