//! Does `carom run` leave what it promises, however it ends?

mod folder;

use std::fs;
use std::process::{Command, Output};

use carom::results::manifest::{sha256, sha256_of};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;

use folder::{Folder, carom_in, text};

const PENDULUM: &str = include_str!("../../../models/pendulum.toml");

/// A pendulum that nobody waits for: a day of it, a thousand samples a second.
const LONG: &[&str] = &[
    "--set",
    "simulation.end=86400",
    "--set",
    "simulation.output_step=0.001",
];

/// A folder with a pendulum in it.
fn with_pendulum(name: &str) -> Folder {
    let folder = Folder::new(&format!("run-{name}"));
    folder.write("pendulum.toml", PENDULUM);
    folder
}

impl Folder {
    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("it is written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| {
                let name = entry.expect("the entry is readable").file_name();
                name.into_string().expect("a plain name")
            })
            .collect();
        names.sort();
        names
    }

    fn run(&self, arguments: &[&str]) -> Output {
        carom_in(&self.0, &[&["run"], arguments].concat())
    }

    #[track_caller]
    fn runs(&self, arguments: &[&str]) -> Output {
        let out = self.run(arguments);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        out
    }

    #[track_caller]
    fn ends(&self, arguments: &[&str], code: i32, said: &[&str]) -> Output {
        let out = self.run(arguments);
        let stderr = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{stderr}");
        for said in said {
            assert!(stderr.contains(said), "`{said}` is not in\n{stderr}");
        }
        out
    }
}

/// The numbers of a table of whole lines; what is not one fails.
#[track_caller]
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    assert!(text.ends_with('\n'), "the last line is cut");
    let mut lines = text.lines();
    let heads: Vec<String> = lines
        .next()
        .expect("there is a head")
        .split(',')
        .map(String::from)
        .collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            let row: Vec<f64> = line
                .split(',')
                .map(|cell| cell.parse().unwrap_or_else(|_| panic!("`{cell}`")))
                .collect();
            assert_eq!(row.len(), heads.len(), "{line}");
            row
        })
        .collect();
    (heads, rows)
}

const FILES: [&str; 8] = [
    "contacts.csv",
    "film.json",
    "manifest.json",
    "report.html",
    "summary.json",
    "trajectory.csv",
    "trajectory.parquet",
    "trajectory.svg",
];

#[test]
fn a_run_writes_files_that_open_and_agree_with_each_other() {
    let folder = with_pendulum("files");
    let out = folder.runs(&["pendulum.toml", "--out", "swing"]);
    let said = text(&out.stdout);
    for words in [
        "completed",
        "10 s of 10 s",
        "degrees of freedom  1",
        "residual",
        "written to swing: trajectory.csv",
    ] {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }
    assert!(out.stderr.is_empty(), "{}", text(&out.stderr));
    assert_eq!(folder.names("swing"), FILES);

    let (heads, rows) = table(&folder.read("swing/trajectory.csv"));
    assert_eq!(
        heads[..3],
        ["t [s]", "rod.angle [rad]", "rod.omega [rad/s]"]
    );
    // 10 s, a sample every 10 ms, the start among them.
    assert_eq!(rows.len(), 1001);
    assert_eq!(rows[1000][0], 10.0);

    let file = fs::File::open(folder.0.join("swing/trajectory.parquet")).expect("it is there");
    let parquet = SerializedFileReader::new(file).expect("it opens");
    let schema = parquet.metadata().file_metadata().schema_descr();
    let names: Vec<&str> = (0..schema.num_columns())
        .map(|i| schema.root_schema().get_fields()[i].name())
        .collect();
    let plain: Vec<&str> = heads
        .iter()
        .map(|head| head.split(" [").next().expect("a name"))
        .collect();
    assert_eq!(names, plain);
    for (row, numbers) in parquet.get_row_iter(None).expect("rows").zip(&rows) {
        let row = row.expect("the row is readable");
        for (i, number) in numbers.iter().enumerate() {
            assert_eq!(row.get_double(i).expect("a number"), *number);
        }
    }

    let summary = folder.json("swing/summary.json");
    assert_eq!(summary["status"], "completed");
    assert_eq!(summary["reason"], Value::Null);
    assert_eq!(summary["model"]["title"], "Pendulum");
    assert_eq!(summary["degrees_of_freedom"], 1);
    assert_eq!(summary["time"]["end"], 10.0);
    assert_eq!(summary["contacts"], Value::Array(Vec::new()));
    for key in [
        "rhs_evaluations",
        "steps_accepted",
        "steps_rejected",
        "jacobians",
        "factorisations",
        "events",
        "wall_seconds",
    ] {
        assert!(summary["statistics"][key].is_number(), "{key}");
    }
    for key in [
        "kinetic",
        "gravitational",
        "elastic",
        "driver_work",
        "load_work",
        "residual",
    ] {
        assert!(summary["energy"][key].is_number(), "{key}");
    }
    // Nothing drives it and nothing rubs: what it has at the end it had at the start, −m g L/2 cos 60°.
    let energy = |key: &str| summary["energy"][key].as_f64().expect("a number");
    let all = energy("kinetic") + energy("gravitational");
    assert!((all + 2.0 * 9.81 * 0.5 * 0.5).abs() < 1e-6, "{all}");
    assert_eq!(folder.read("swing/contacts.csv").lines().count(), 1);
    assert!(folder.read("swing/trajectory.svg").starts_with("<svg"));

    let manifest = folder.json("swing/manifest.json");
    assert_eq!(manifest["model"]["name"], "pendulum.toml");
    assert_eq!(manifest["model"]["text"], folder.read("pendulum.toml"));
    for name in FILES.iter().filter(|name| **name != "manifest.json") {
        let hash = sha256_of(&folder.0.join("swing").join(name)).expect("it is readable");
        assert_eq!(manifest["files"][name], hash, "{name}");
    }
}

#[test]
fn every_file_is_the_same_wherever_and_whenever_it_is_written() {
    let (here, there) = (with_pendulum("here"), with_pendulum("there"));
    here.runs(&["pendulum.toml", "--out", "a"]);
    let model = there.0.join("pendulum.toml");
    let model = model.to_str().expect("a plain path");
    let out = there.0.join("deep/b");
    here.runs(&[model, "--out", out.to_str().expect("a plain path")]);
    for name in FILES.iter().filter(|name| **name != "summary.json") {
        let (a, b) = (format!("a/{name}"), format!("deep/b/{name}"));
        assert!(here.bytes(&a) == there.bytes(&b), "{name}");
    }
    let of = |folder: &Folder, name: &str| sha256_of(&folder.0.join(name)).expect("readable");
    assert_eq!(
        of(&here, "a/summary.json"),
        of(&there, "deep/b/summary.json")
    );
    let manifest = here.read("a/manifest.json");
    for path in [&here.0, &there.0] {
        let path = path.to_str().expect("a plain path");
        assert!(!manifest.contains(path), "a path of this machine");
    }
}

#[test]
fn a_manifest_is_all_it_takes_to_run_again() {
    let folder = with_pendulum("repeat");
    folder.runs(&[
        "pendulum.toml",
        "--out",
        "first",
        "--set",
        "simulation.end=3 s",
        "--set",
        "body.rod.mass=4",
    ]);
    // Not even the model is needed.
    fs::remove_file(folder.0.join("pendulum.toml")).expect("it is removed");
    let out = folder.runs(&["--repeat", "first/manifest.json", "--out", "second"]);
    let said = text(&out.stdout);
    assert!(said.contains("the same as before, byte for byte"), "{said}");
    assert_eq!(folder.names("second"), FILES);
    assert!(folder.bytes("first/manifest.json") == folder.bytes("second/manifest.json"));

    // Also without what was written then.
    fs::create_dir(folder.0.join("alone")).expect("it is made");
    fs::rename(
        folder.0.join("first/manifest.json"),
        folder.0.join("alone/manifest.json"),
    )
    .expect("it is moved");
    folder.runs(&["--repeat", "alone/manifest.json", "--out", "third"]);
}

#[test]
fn tables_that_a_model_refers_to_are_in_its_manifest() {
    let folder = with_pendulum("tables");
    fs::create_dir(folder.0.join("data")).expect("it is made");
    folder.write(
        "data/turn.csv",
        "t [s], value [deg]\n0, 0\n1, 30\n2, 10\n3, 0\n4, -20\n",
    );
    folder.write(
        "driven.toml",
        r#"format = 1
[simulation]
end = 4
[body.rod]
mass = 1
inertia = 1
[joint.pin]
type = "revolute"
between = ["ground", "rod"]
[driver.motor]
joint = "pin"
table = "data/turn.csv"
"#,
    );
    folder.runs(&["driven.toml", "--out", "first"]);
    fs::remove_file(folder.0.join("data/turn.csv")).expect("it is removed");
    fs::remove_file(folder.0.join("driven.toml")).expect("it is removed");
    folder.runs(&["--repeat", "first/manifest.json", "--out", "second"]);
}

#[test]
fn a_repetition_that_differs_is_told_with_file_and_line() {
    let folder = with_pendulum("differs");
    let short = ["--set", "simulation.end=1 s"];
    folder.runs(&[&["pendulum.toml", "--out", "first"], &short[..]].concat());
    // As if another machine had written another number into line 5, and its manifest knew.
    let csv = folder.read("first/trajectory.csv");
    let line = csv.lines().nth(4).expect("there is a line 5").to_string();
    let other = csv.replacen(&line, &line.replacen("0.03,", "0.03,1", 1), 1);
    let manifest = folder.read("first/manifest.json");
    let manifest = manifest.replace(&sha256(csv.as_bytes()), &sha256(other.as_bytes()));
    folder.write("first/trajectory.csv", &other);
    folder.write("first/manifest.json", &manifest);
    folder.ends(
        &["--repeat", "first/manifest.json", "--out", "second"],
        1,
        &["trajectory.csv differs, first in line 5", "before: 0.03,1"],
    );
    // Without the first table there is no line to name.
    fs::remove_file(folder.0.join("first/trajectory.csv")).expect("it is removed");
    folder.ends(
        &["--repeat", "first/manifest.json", "--out", "third"],
        1,
        &["trajectory.csv differs; which line is not known"],
    );
    // A manifest that was changed by hand is none.
    folder.write("first/manifest.json", manifest.replace("2 kg", "3 kg"));
    folder.ends(
        &["--repeat", "first/manifest.json", "--out", "fourth"],
        2,
        &["the text of pendulum.toml in it was changed"],
    );
    folder.ends(
        &[
            "--repeat",
            "first/manifest.json",
            "--out",
            "first",
            "--force",
        ],
        2,
        &["was changed"],
    );
    assert!(!folder.0.join("fourth").exists());
}

#[test]
fn a_repetition_never_replaces_its_first_run() {
    let folder = with_pendulum("itself");
    folder.runs(&["pendulum.toml", "--out", "first"]);
    folder.ends(
        &[
            "--repeat",
            "first/manifest.json",
            "--out",
            "first",
            "--force",
        ],
        2,
        &["the first run would be lost"],
    );
    assert_eq!(folder.names("first"), FILES);
    folder.ends(
        &["--repeat", "first", "--out", "second"],
        2,
        &["Hint: --repeat first/manifest.json"],
    );
}

#[test]
fn a_directory_that_is_not_empty_is_left_alone_unless_forced() {
    let folder = with_pendulum("force");
    fs::create_dir(folder.0.join("out")).expect("it is made");
    // An empty one is fine.
    folder.runs(&["pendulum.toml", "--out", "out"]);
    let before = folder.bytes("out/trajectory.csv");
    folder.ends(
        &[
            "pendulum.toml",
            "--out",
            "out",
            "--set",
            "simulation.end=1 s",
        ],
        2,
        &["out is not empty: contacts.csv is there", "--force"],
    );
    assert!(before == folder.bytes("out/trajectory.csv"));

    folder.write("out/notes.txt", "mine");
    folder.runs(&[
        "pendulum.toml",
        "--out",
        "out",
        "--force",
        "--no-report",
        "--set",
        "simulation.end=1 s",
    ]);
    assert_eq!(folder.read("out/notes.txt"), "mine");
    let (_, rows) = table(&folder.read("out/trajectory.csv"));
    assert_eq!(rows.len(), 101);
    // The picture of the first run would be taken for one of the second.
    assert!(!folder.0.join("out/trajectory.svg").exists());

    // Wrong input touches nothing, not even with --force.
    let before = folder.names("out");
    let wrong = ["--set", "body.rod.mass=-1"];
    let out = folder.run(&[&["pendulum.toml", "--out", "out", "--force"], &wrong[..]].concat());
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(folder.names("out"), before);
}

#[test]
fn a_directory_that_cannot_be_is_told() {
    let folder = with_pendulum("disk");
    folder.ends(
        &["pendulum.toml", "--out", "pendulum.toml"],
        2,
        &["pendulum.toml is not a directory"],
    );
    folder.ends(
        &["pendulum.toml", "--out", "pendulum.toml/deep"],
        1,
        &["cannot make pendulum.toml/deep"],
    );
    folder.ends(
        &["nowhere.toml", "--out", "out"],
        2,
        &["nowhere.toml: cannot be read"],
    );
    assert!(!folder.0.join("out").exists());
}

#[test]
fn json_is_the_summary_and_nothing_else_and_without_out_nothing_is_written() {
    let folder = with_pendulum("json");
    let out = folder.runs(&["pendulum.toml", "--json"]);
    let summary: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    assert_eq!(summary["status"], "completed");
    assert_eq!(folder.names("."), ["pendulum.toml"]);
    let out = folder.runs(&["pendulum.toml"]);
    assert!(text(&out.stdout).contains("nothing is written; --out DIR"));
    assert_eq!(folder.names("."), ["pendulum.toml"]);
    let out = folder.runs(&["pendulum.toml", "--quiet", "--out", "out"]);
    assert!(out.stdout.is_empty() && out.stderr.is_empty());
    let out = folder.runs(&["pendulum.toml", "--json", "--out", "again"]);
    assert_eq!(text(&out.stdout), folder.read("again/summary.json"));
}

#[test]
fn the_example_of_the_help_runs() {
    let folder = with_pendulum("help");
    let help = text(&folder.runs(&["--help"]).stdout);
    let example = help
        .lines()
        .skip_while(|line| !line.starts_with("Example:"))
        .nth(1)
        .expect("there is an example");
    let words: Vec<&str> = example.split_whitespace().skip(2).collect();
    folder.runs(&words);
}

/// A rod that is driven the faster the faster it turns, until a square root has no value any more.
const RUNAWAY: &str = r#"format = 1
[simulation]
end = 10
gravity = [0, 0]
channels = ["rod.angle", "rod.omega"]
[body.rod]
mass = 1
inertia = 1
[joint.pin]
type = "revolute"
between = ["ground", "rod"]
[force.push]
type = "moment"
on = "rod"
moment = "1 + 0*sqrt(2 - rod.omega)"
"#;

#[test]
fn a_run_that_fails_writes_what_it_has_and_says_when_and_why() {
    let folder = with_pendulum("fails");
    folder.write("runaway.toml", RUNAWAY);
    let out = folder.ends(
        &["runaway.toml", "--out", "out"],
        1,
        &["the run failed at t = ", "Hint"],
    );
    assert!(text(&out.stdout).contains("failed"));
    // Six digits of the time, not all there are.
    let said = text(&out.stderr);
    let (_, when) = said.split_once("the run failed at t = ").expect("a time");
    let (t, _) = when.split_once(" s: ").expect("a time in s");
    let digits = t.chars().filter(char::is_ascii_digit).count();
    assert!(digits <= 6, "{t}");
    assert_eq!(folder.names("out"), FILES);
    let summary = folder.json("out/summary.json");
    assert_eq!(summary["status"], "failed");
    assert!(summary["reason"].is_string());
    // The moment is 1 N m until the rod, of 1 kg m², turns with 2 rad/s: 2 s.
    let end = summary["time"]["end"].as_f64().expect("a number");
    assert!((end - 2.0).abs() < 1e-3, "{end}");
    let (_, rows) = table(&folder.read("out/trajectory.csv"));
    assert!(rows.len() >= 100, "{} samples", rows.len());
    for row in rows {
        assert!((row[2] - row[0]).abs() < 1e-6, "omega is t: {row:?}");
    }
    // A failure can be repeated as well.
    folder.runs(&["--repeat", "out/manifest.json", "--out", "again"]);
}

#[test]
fn faults_found_at_assembly_are_shown_with_their_line() {
    let folder = with_pendulum("assembly");
    // A link of 1 m between two points of the ground that are 3 m apart, by way of a rod of 1 m.
    folder.write(
        "open.toml",
        r#"format = 1
[simulation]
end = 1
[ground]
points.P = [3, 0]
[body.rod]
mass = 1
inertia = 1
position = [0.5, 0]
points.A = [-0.5, 0]
points.B = [0.5, 0]
[joint.pin]
type = "revolute"
between = ["ground", "rod.A"]
[joint.far]
type = "revolute"
between = ["rod.B", "ground.P"]
"#,
    );
    let out = folder.ends(
        &["open.toml", "--out", "out"],
        2,
        &["--> open.toml:", "[joint."],
    );
    assert!(out.stdout.is_empty());
    assert!(!folder.0.join("out").exists());
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::process::{Child, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    fn begun(folder: &Folder, out: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["run", "pendulum.toml", "--out", out])
            .args(LONG)
            .current_dir(&folder.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }

    fn send(signal: &str, child: &Child) {
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("there is a `kill`");
        assert!(sent.success());
    }

    /// Waits until the run has begun to write: before that there is nothing to cut.
    fn wait_for(folder: &Folder, name: &str) {
        for _ in 0..500 {
            let there = fs::metadata(folder.0.join(name));
            if there.is_ok_and(|there| there.len() > 0) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{name} did not appear within 5 s");
    }

    #[test]
    fn a_run_that_is_killed_at_any_time_leaves_files_that_open() {
        let folder = with_pendulum("killed");
        let mut longest = 0;
        for (i, wait) in [0, 7, 20, 50, 90, 150, 230, 300, 410, 500]
            .into_iter()
            .enumerate()
        {
            let out = format!("out{i}");
            let mut child = begun(&folder, &out);
            wait_for(&folder, &format!("{out}/trajectory.csv"));
            sleep(Duration::from_millis(wait));
            send("-KILL", &child);
            let status = child.wait().expect("it has ended");
            assert_eq!(status.code(), None, "killed after {wait} ms");
            let (heads, rows) = table(&folder.read(&format!("{out}/trajectory.csv")));
            assert_eq!(heads[0], "t [s]");
            longest = longest.max(rows.len());
            let summary = folder.json(&format!("{out}/summary.json"));
            assert_eq!(summary["status"], "failed");
            assert_eq!(
                summary["reason"],
                "the run did not end by itself: it is still going on, or it was killed"
            );
            // What is not complete is not there under its name.
            for name in ["trajectory.parquet", "trajectory.svg", "manifest.json"] {
                assert!(!folder.0.join(&out).join(name).exists(), "{name}");
            }
        }
        assert!(
            longest > 1000,
            "there was something to cut: {longest} lines"
        );
    }

    #[test]
    fn a_run_that_is_interrupted_ends_cleanly_with_all_its_files() {
        let folder = with_pendulum("interrupted");
        let cases = [
            ("-INT", 0),
            ("-INT", 50),
            ("-TERM", 120),
            ("-INT", 300),
            ("-INT", 500),
        ];
        for (i, (signal, wait)) in cases.into_iter().enumerate() {
            let out = format!("out{i}");
            let child = begun(&folder, &out);
            wait_for(&folder, &format!("{out}/trajectory.csv"));
            sleep(Duration::from_millis(wait));
            send(signal, &child);
            let ended = child.wait_with_output().expect("it has ended");
            let said = text(&ended.stderr);
            assert_eq!(ended.status.code(), Some(1), "{said}");
            assert!(said.contains("error: the run was stopped"), "{said}");
            assert!(said.contains(&format!("written to {out}")), "{said}");
            assert!(text(&ended.stdout).contains("stopped"));
            assert_eq!(folder.names(&out), FILES);
            let summary = folder.json(&format!("{out}/summary.json"));
            assert_eq!(summary["status"], "stopped");
            let (_, rows) = table(&folder.read(&format!("{out}/trajectory.csv")));
            let last = rows.last().expect("there is a sample")[0];
            let end = summary["time"]["end"].as_f64().expect("a number");
            assert!(last <= end && end - last < 0.5, "{last} of {end}");
        }
        // Where a run was stopped is in its manifest: the repetition ends there too.
        folder.runs(&["--repeat", "out1/manifest.json", "--out", "again"]);
    }
}

/// Two equal sliders that reach their upper stops at one time, 1 m/s fast after 0.1 s.
const TWO_STOPS: &str = r#"
format = 1
[simulation]
end = "0.2 s"
gravity = [0, 0]
[body.one]
mass = 1
inertia = 1
velocity = [1, 0]
[body.two]
mass = 1
inertia = 1
position = [0, 1]
velocity = [1, 0]
[joint.a]
type = "translational"
between = ["ground", "one"]
limits = { upper = 0.1, law = "hertz", stiffness = 1e4 }
[joint.b]
type = "translational"
between = ["ground", "two"]
limits = { upper = 0.1, law = "hertz", stiffness = 1e4 }
"#;

#[test]
fn contacts_with_stops_stand_in_the_summary_and_in_their_table_also_two_at_once() {
    let folder = with_pendulum("stops");
    folder.write("two.toml", TWO_STOPS);
    let out = folder.runs(&["two.toml", "--out", "out"]);
    let said = text(&out.stdout);
    for words in [
        "2 contacts\n",
        "joint.a.limits upper",
        "largest force",
        "contacts by element",
        "contacts.svg",
    ] {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }
    assert!(folder.read("out/contacts.svg").starts_with("<svg"));
    let summary = folder.json("out/summary.json");
    let contacts = summary["contacts"].as_array().expect("a list");
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value / expected - 1.0).abs() < 1e-4, "{value} {expected}");
    };
    for (contact, name) in contacts.iter().zip(["joint.a.limits", "joint.b.limits"]) {
        assert_eq!(contact["contact"], name);
        assert_eq!(contact["side"], "upper");
        assert_eq!(contact["law"], "hertz");
        // A linear spring of 10 kN/m and a mass of 1 kg: half a period of 2 pi/100 s.
        near(&contact["start"], 0.1);
        near(&contact["duration"], std::f64::consts::PI / 100.0);
        near(&contact["approach_speed"], 1.0);
        near(&contact["separation_speed"], 1.0);
        near(&contact["effective_mass"], 1.0);
        near(&contact["restitution"]["newton"], 1.0);
        near(&contact["max_indentation"], 0.01);
        near(&contact["peak_force"], 100.0);
        near(&contact["impulse"], 2.0);
    }
    let table = folder.read("out/contacts.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    let heads = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == heads));
    assert!(lines[1].starts_with("joint.a.limits,upper,0."), "{table}");

    // Not over at the end: what is known is said, and the end is left open.
    let out = folder.runs(&["two.toml", "--out", "half", "--set", "simulation.end=0.12"]);
    assert!(text(&out.stdout).contains("2 of them not over at the end"));
    let summary = folder.json("half/summary.json");
    let contacts = summary["contacts"].as_array().expect("a list");
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    for contact in contacts {
        near(&contact["start"], 0.1);
        assert_eq!(contact["end"], Value::Null);
        assert_eq!(contact["duration"], Value::Null);
        near(&contact["max_indentation"], 0.01);
    }
    assert_eq!(folder.read("half/contacts.csv").lines().count(), 3);
}

#[test]
fn the_restitution_asked_for_and_got_is_told_with_the_reason() {
    let folder = with_pendulum("restitution");
    let damped = TWO_STOPS.replace(
        "law = \"hertz\", stiffness = 1e4",
        "law = \"lankarani-nikravesh\", stiffness = 1e6, restitution = 0.5",
    );
    folder.write("two.toml", &damped);
    let out = folder.runs(&["two.toml"]);
    let said = text(&out.stdout);
    // h = 3(1 − 0.5²)/4 = 0.5625: ln((1+h)/(1−h e)) = h (1+e) has the root 0.7252.
    let line = "joint.a.limits: asked for 0.5, got 0.7252: by its published formula lankarani-nikravesh returns 0.7252 where no other force acts; calibration = \"exact\" gives 0.5";
    assert!(said.contains(line), "{said}");
    let warned = text(&out.stderr);
    for words in [
        "outside the range of lankarani-nikravesh",
        "asked for 0.5, got 0.7252",
    ] {
        assert!(warned.contains(words), "`{words}` is not in\n{warned}");
    }
    let exact = damped.replace(
        "restitution = 0.5",
        "restitution = 0.5, calibration = \"exact\"",
    );
    folder.write("exact.toml", &exact);
    let out = folder.runs(&["exact.toml"]);
    let said = text(&out.stdout);
    assert!(
        said.contains("joint.a.limits: asked for 0.5, got 0.5\n"),
        "{said}"
    );
    assert!(out.stderr.is_empty(), "{}", text(&out.stderr));
}

#[test]
fn with_json_whatever_is_wrong_is_one_json_value_too() {
    let folder = with_pendulum("json-errors");
    folder.write("wrong.toml", PENDULUM.replace("[body.", "[bodi."));
    folder.write("latin.toml", b"# \xe9\n");
    folder.write("manifest.json", "{}");
    folder.write("file", "");
    folder.write(
        "open.toml",
        TWO_STOPS.replace("upper = 0.1", "upper = -0.1"),
    );
    for (arguments, said) in [
        (&["run", "wrong.toml", "--json"][..], "bodi"),
        (&["run", "missing.toml", "--json"], "cannot be read"),
        (&["run", "latin.toml", "--json"], "UTF-8"),
        (&["run", "open.toml", "--json"], "beyond its upper stop"),
        (
            &["run", "pendulum.toml", "--json", "--set", "nothing"],
            "PATH=VALUE",
        ),
        (
            &["run", "--repeat", "manifest.json", "--out", "o", "--json"],
            "not a manifest",
        ),
        (
            &["run", "pendulum.toml", "--out", "file", "--json"],
            "not a directory",
        ),
        (&["check", "wrong.toml", "--json"], "bodi"),
        (&["check", "missing.toml", "--json"], "cannot be read"),
        (&["check", "latin.toml", "--json"], "UTF-8"),
        (&["check", "open.toml", "--json"], "beyond its upper stop"),
    ] {
        let out = carom_in(&folder.0, arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let value: Value = serde_json::from_slice(&out.stdout)
            .unwrap_or_else(|e| panic!("{arguments:?}: {e}: {}", text(&out.stdout)));
        assert_eq!(value["status"], "failed", "{arguments:?}");
        let errors = value["errors"].as_array().expect("a list");
        let told = |error: &Value| error["message"].as_str().is_some_and(|m| m.contains(said));
        assert!(errors.iter().any(told), "{arguments:?}: {errors:?}");
    }
}
