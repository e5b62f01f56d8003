//! Does the report of a run hold what it should, stay small, and say what to beware of?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use carom::report::page;
use carom::results::packed::numbers;
use serde_json::Value;

mod folder;
use folder::Folder;

fn model(name: &str) -> PathBuf {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(format!("{name}.toml"))
}

/// Runs a model with values set in place of those in its file; the folder of the results.
fn run(folder: &Folder, name: &str, out: &str, set: &[&str]) -> PathBuf {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command
        .arg("run")
        .arg(model(name))
        .args(["--quiet", "--out", out]);
    for value in set {
        command.args(["--set", value]);
    }
    let ended = command.current_dir(&folder.0).output().expect("it runs");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{said}");
    folder.0.join(out)
}

/// What a report shows.
fn data(out: &Path) -> Value {
    let page = fs::read_to_string(out.join("report.html")).expect("there is a report");
    let (_, rest) = page.split_once("id=\"data\">").expect("there are data");
    let (data, _) = rest.split_once("</script>").expect("they end");
    serde_json::from_str(data).expect("they are JSON")
}

fn of(data: &Value, path: &str) -> Vec<f64> {
    let packed = data.pointer(path).unwrap_or_else(|| panic!("{path}"));
    numbers(packed).unwrap_or_else(|| panic!("{path}: {packed}"))
}

#[test]
fn ten_seconds_and_a_hundred_thousand_steps_stay_below_three_megabytes() {
    let folder = Folder::new("report-size");
    let set = [
        "simulation.end=10 s",
        "simulation.output_step=1 ms",
        "parameters.omega=150 rpm",
    ];
    let out = run(&folder, "slider-crank-clearance", "long", &set);
    let data = data(&out);
    let steps = data["summary"]["statistics"]["steps_accepted"].as_u64();
    assert!(steps.is_some_and(|steps| steps > 100_000), "{steps:?}");
    for name in ["report.html", "film.json"] {
        let size = fs::metadata(out.join(name)).expect("it is there").len();
        assert!(size < 3_000_000, "{name}: {size}");
    }
    // Once a turn of the motor: 25 turns and the start.
    assert_eq!(data["section"]["driver"], "driver.motor");
    assert_eq!(of(&data, "/section/points/0/x").len(), 26);
}

#[test]
fn a_report_shows_the_run_from_its_start_to_its_end_with_its_peaks() {
    let folder = Folder::new("report-shows");
    let out = run(&folder, "bouncing-ball", "out", &[]);
    let data = data(&out);
    assert_eq!(data["title"], "Bouncing ball");
    assert_eq!(
        data["command"],
        "carom run bouncing-ball.toml --out bouncing-ball"
    );
    assert_eq!(
        data["model"],
        fs::read_to_string(model("bouncing-ball")).expect("it is read")
    );
    assert_eq!(data["summary"]["statistics"].get("wall_seconds"), None);
    // The film: the ball is at 1 m at the start, and a circle of 0.1 m.
    let (t, poses) = (of(&data, "/film/t"), of(&data, "/film/poses"));
    assert_eq!(poses.len(), 3 * t.len());
    assert_eq!((t[0], poses[1]), (0.0, 1.0));
    assert_eq!(t.last(), Some(&9.0));
    let ball = &data["scene"]["bodies"][1];
    assert_eq!(ball["name"], "ball");
    assert_eq!(ball["shapes"][0]["kind"], "circle");
    assert_eq!(ball["shapes"][0]["radius"], 0.1);
    // Between two frames it falls by the curve: within a two-thousandth of the way, wherever one looks.
    for pair in t.windows(2).zip(poses.chunks(3).zip(poses[3..].chunks(3))) {
        let ([a, b], (from, to)) = (pair.0, pair.1) else {
            continue;
        };
        if *b < 0.428 {
            let (middle, height) = (0.5 * (a + b), 0.5 * (from[1] + to[1]));
            let falls = 1.0 - 0.5 * 9.81 * middle * middle;
            assert!((height - falls).abs() < 1e-3, "{middle}: {height} {falls}");
        }
    }
    // All forces point up: they are those on the ball.
    let forces = of(&data, "/film/forces/fy");
    assert!(!forces.is_empty() && forces.iter().all(|f| *f >= 0.0));
    // Of the first impact the summary knows the largest force; the loop comes close to it.
    let peak = data["summary"]["contacts"][0]["peak_force"]
        .as_f64()
        .expect("a force");
    assert_eq!(data["loops"][0]["episode"], 0);
    let highest = of(&data, "/loops/0/force").into_iter().fold(0.0, f64::max);
    assert!((highest / peak - 1.0).abs() < 0.01, "{highest} {peak}");
    // The ledger balances at every point of it, to the seven digits in which it stands there.
    let sum = |i: usize| -> f64 {
        let parts = data["ledger"]["parts"].as_array().expect("parts");
        parts
            .iter()
            .map(|part| numbers(&part["v"]).expect("numbers")[i])
            .sum()
    };
    for i in 0..of(&data, "/ledger/t").len() {
        assert!((sum(i) - sum(0)).abs() < 1e-5, "{i}: {} {}", sum(i), sum(0));
    }
    let slow = data["film"]["slow"].as_array().expect("stretches");
    assert!(!slow.is_empty());
}

#[test]
fn a_run_is_the_same_whether_or_not_it_is_watched() {
    let folder = Folder::new("report-watched");
    for name in ["slider-crank-clearance", "two-pendulums", "bouncing-ball"] {
        let watched = run(&folder, name, name, &[]);
        let out = folder.0.join(format!("{name}-unseen"));
        let ended = Command::new(env!("CARGO_BIN_EXE_carom"))
            .arg("run")
            .arg(model(name))
            .args(["--quiet", "--no-report", "--out"])
            .arg(&out)
            .output()
            .expect("it runs");
        assert!(ended.status.success());
        for file in ["trajectory.csv", "contacts.csv"] {
            let [a, b] = [&watched, &out].map(|of| fs::read(of.join(file)).expect("readable"));
            assert!(a == b, "{name}: {file}");
        }
        for file in ["film.json", "report.html", "trajectory.svg"] {
            assert!(!out.join(file).exists(), "{file}");
        }
    }
}

#[test]
fn a_report_is_made_anew_from_its_folder_with_the_same_bytes_and_from_a_table_if_nothing_else_is_left()
 {
    let folder = Folder::new("report-anew");
    let out = run(&folder, "two-pendulums", "out", &[]);
    let before = fs::read_to_string(out.join("report.html")).expect("it is there");
    assert!(page::of_folder(&out).expect("it is made") == before);
    // As a run that was killed leaves it.
    for name in ["film.json", "manifest.json", "report.html"] {
        fs::remove_file(out.join(name)).expect("it is removed");
    }
    let data = page::data_of_folder(&out).expect("it is made");
    let angle = &data["series"][0];
    assert_eq!(angle["name"], "rod1.angle");
    assert!(numbers(&angle["v"]).expect("numbers").len() > 50);
    assert_eq!(data["model"], Value::Null);
    fs::remove_file(out.join("summary.json")).expect("it is removed");
    let error = page::of_folder(&out).expect_err("there is nothing to tell");
    assert!(
        error
            .to_string()
            .contains("summary.json: there is no such file"),
        "{error}"
    );
}

#[test]
fn what_physics_forbids_stands_at_the_top_in_plain_words_with_what_to_do() {
    let folder = Folder::new("report-advice");
    let steel = [
        "ground.shapes.floor={ type = \"half-plane\", material = \"steel\" }",
        "body.ball.shapes.skin={ type = \"circle\", radius = \"R\", material = \"steel\" }",
        // 26 m/s, and the law is meant for 0.05 m/s.
        "body.ball.velocity=[0, -26]",
        "simulation.end=0.1 s",
    ];
    let cases: [(&str, &[&str], &str, &str); 3] = [
        (
            "outside",
            &[
                "contact.floor.law=\"lankarani-nikravesh\"",
                "contact.floor.restitution=0.05",
            ],
            "restitution-range",
            "cannot return the restitution asked for",
        ),
        ("fast", &steel, "validity-speed", "hundreds of times faster"),
        (
            "deep",
            // δ = (5/4 m v²/K)^(2/5) of an elastic blow: 0.085 m, and the ball has 0.1 m.
            &["contact.floor.stiffness=1.1e4", "simulation.end=1 s"],
            "indentation-deep",
            "pressed deep into each other",
        ),
    ];
    for (name, set, code, words) in cases {
        let out = run(&folder, "bouncing-ball", name, set);
        let data = data(&out);
        let first = &data["advice"][0];
        assert_eq!(first["code"], code, "{name}: {}", data["advice"]);
        assert_eq!(first["level"], "grave", "{name}: {first}");
        let headline = first["headline"].as_str().expect("words");
        assert!(headline.contains(words), "{headline}");
        let what = first["what_to_do"].as_str().expect("words");
        assert!(what.contains("What to do: "), "{what}");
        assert_eq!(first["element"], "contact.floor");
    }
    // A sound one has nothing grave to say.
    let out = run(&folder, "bouncing-ball", "sound", &[]);
    let sound = data(&out);
    let advice = sound["advice"].as_array().expect("a list");
    assert!(
        advice.iter().all(|one| one["level"] != "grave"),
        "{advice:?}"
    );
}

#[test]
fn an_analysis_without_time_has_numbers_and_no_curves() {
    let folder = Folder::new("report-timeless");
    for analysis in ["static", "modes"] {
        let set = format!("simulation.analysis=\"{analysis}\"");
        let out = run(&folder, "pendulum", analysis, &[&set]);
        let data = data(&out);
        assert_eq!(data["series"], Value::Null);
        assert_eq!(data["panels"], Value::Array(Vec::new()));
        let angle = &data["instant"][0];
        assert_eq!(angle["name"], "rod.angle");
        assert!(angle["value"].is_number(), "{angle}");
        assert_eq!(of(&data, "/film/t").len(), 1);
    }
}
