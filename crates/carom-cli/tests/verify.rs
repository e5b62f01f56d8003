//! Does `carom verify` say what is to be believed, and does `carom run --verify` write it down?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

mod folder;
use folder::Folder;

fn model(name: &str) -> PathBuf {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(format!("{name}.toml"))
}

fn carom(command: &str, name: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg(command)
        .arg(model(name))
        .args(arguments)
        .output()
        .expect("it runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON value")
}

#[test]
fn every_number_has_its_digits_and_how_they_were_found() {
    let ended = carom(
        "verify",
        "pendulum",
        &[
            "--json",
            "--rtol",
            "1e-12",
            "--channels",
            "rod.angle,rod.omega",
            "--set",
            "simulation.end=2 s",
        ],
    );
    assert_eq!(ended.status.code(), Some(0));
    let value = json(&ended);
    assert_eq!(value["status"], "completed");
    assert_eq!(value["rtol"], 1e-12);
    let numbers = value["numbers"].as_array().expect("numbers");
    let names: Vec<&str> = numbers.iter().filter_map(|n| n["name"].as_str()).collect();
    for name in [
        "energy.kinetic",
        "energy.gravitational",
        "rod.angle",
        "rod.omega",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(!names.contains(&"joint.pin.force_x"));
    for number in numbers {
        assert!(
            number["digits"].as_u64().is_some_and(|n| n >= 10),
            "{number}"
        );
    }
    let runs = value["runs"].as_array().expect("runs");
    let roles: Vec<&str> = runs.iter().filter_map(|r| r["role"].as_str()).collect();
    assert_eq!(roles[0], "as asked");
    for role in ["tighter", "second method", "start moved"] {
        assert!(roles.contains(&role), "{roles:?}");
    }
    assert_eq!(value["horizon"]["lost"], Value::Null);
}

#[test]
fn the_table_says_it_to_people_and_files_hold_it() {
    let folder = Folder::new("verify-table");
    let out = folder.0.join("digits");
    let out = out.to_str().expect("a name");
    let set = ["--set", "simulation.end=3 ms", "--out", out];
    let ended = carom("verify", "slider-crank-clearance", &set);
    let said = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(0), "{said}");
    for word in [
        "how far to believe it at rtol 1e-9",
        "that number is to be believed",
        "auto",
        "adams",
        "digits",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let text = fs::read_to_string(Path::new(out).join("verified.txt")).expect("a text");
    assert!(said.starts_with(&text));
    let value = fs::read_to_string(Path::new(out).join("verified.json")).expect("a value");
    let value: Value = serde_json::from_str(&value).expect("JSON");
    assert_eq!(value["contacts"]["trustworthy"], true);
    // What is there is not overwritten unless that is asked for.
    let again = carom("verify", "slider-crank-clearance", &set);
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn a_run_that_is_verified_says_so_in_its_report_and_repeats() {
    let folder = Folder::new("verify-run");
    let out = folder.0.join("elastic");
    let name = out.to_str().expect("a name");
    let ended = carom(
        "run",
        "slider-crank-clearance",
        &[
            "--verify",
            "--quiet",
            "--out",
            name,
            "--set",
            "joint.pin.law=hertz",
            "--set",
            "simulation.output_step=50 us",
        ],
    );
    assert_eq!(ended.status.code(), Some(0));
    let summary = fs::read_to_string(out.join("summary.json")).expect("a summary");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["verified"]["contacts"]["trustworthy"], false);
    let lost = summary["verified"]["horizon"]["lost"].as_f64();
    assert!(
        lost.is_some_and(|t| (0.006..0.018).contains(&t)),
        "{lost:?}"
    );
    let warnings = summary["warnings"].as_array().expect("warnings");
    assert!(warnings.iter().any(|w| w["code"] == "beyond-horizon"));
    let page = fs::read_to_string(out.join("report.html")).expect("a report");
    assert!(page.contains("How far to believe it") && page.contains("The motion is chaotic"));
    let manifest = out.join("manifest.json");
    let again = folder.0.join("again");
    let ended = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["run", "--quiet", "--repeat"])
        .arg(&manifest)
        .arg("--out")
        .arg(&again)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{said}");
}

#[test]
fn what_is_wrong_is_said_with_exit_code_2_and_a_run_that_fails_with_1() {
    let wrong = carom(
        "verify",
        "pendulum",
        &["--channels", "rod.angel", "--rtol", "3"],
    );
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(
        said.contains("rod.angle") && said.contains("--rtol 3"),
        "{said}"
    );
    let still = carom(
        "verify",
        "pendulum",
        &["--json", "--set", "simulation.analysis=static"],
    );
    assert_eq!(still.status.code(), Some(2));
    assert!(
        json(&still)["errors"][0]["message"]
            .as_str()
            .is_some_and(|m| m.contains("static"))
    );
    let short = carom(
        "verify",
        "pendulum",
        &["--json", "--set", "solver.max_steps=10"],
    );
    assert_eq!(short.status.code(), Some(1));
    assert_eq!(json(&short)["status"], "failed");
}

#[test]
fn of_fixed_steps_the_step_is_named_and_a_tolerance_is_passed_over() {
    let set = [
        "--quick",
        "--set",
        "solver.integrator=rk4",
        "--set",
        "solver.step=10 ms",
        "--set",
        "simulation.end=0.5 s",
    ];
    let ended = carom(
        "verify",
        "pendulum",
        &[&set[..], &["--rtol", "1e-12"]].concat(),
    );
    let said = String::from_utf8_lossy(&ended.stdout);
    let warned = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{warned}");
    assert!(
        said.contains("how far to believe it at a step of 10 ms\n"),
        "{said}"
    );
    assert!(
        !said.contains("rtol 1e-12") && said.contains("odd step"),
        "{said}"
    );
    assert!(warned.contains("--rtol is passed over"), "{warned}");
    let ended = carom("verify", "pendulum", &[&set[..], &["--json"]].concat());
    assert_eq!(ended.status.code(), Some(0));
    let value = json(&ended);
    assert_eq!(
        (&value["rtol"], &value["step"]),
        (&Value::Null, &Value::from(0.01))
    );
    let runs = value["runs"].as_array().expect("runs");
    for run in runs {
        assert_ne!(run["rtol"].is_null(), run["step"].is_null(), "{run}");
    }
    assert!(
        value["trust"]
            .as_str()
            .is_some_and(|s| s.starts_with("Trust "))
    );
}

#[test]
fn of_a_channel_that_is_none_it_is_said_which_are_near_and_who_lists_them() {
    for (name, hint) in [
        ("rod.angel", "Hint: rod.angle"),
        ("nothing.like.it", "Hint: carom check lists them"),
    ] {
        let ended = carom("verify", "pendulum", &["--channels", name]);
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(hint), "{hint}: {said}");
        assert!(said.contains("carom check lists them"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn who_stops_the_first_run_hears_where_it_was_and_that_its_steps_creep() {
    let folder = Folder::new("verify-creeps");
    let model = folder.0.join("creeps.toml");
    let text = "format = 1\n[simulation]\nend = 10\ngravity = [0, 0]\n[body.ball]\nmass = 1\ninertia = 1\nposition = [1, 0]\n\
        [force.f]\ntype = \"point\"\nat = \"ball\"\nforce = [\"-sign(ball.vx)*0.3 - ball.x\", 0]\n";
    fs::write(&model, text).expect("it can be written");
    let child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["verify", "--quiet"])
        .arg(&model)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let told = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(told.expect("a signal").success());
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("during the first run, at t = "), "{said}");
    assert!(said.contains("the steps have become very short"), "{said}");
}
