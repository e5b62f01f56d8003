//! Does `carom run` leave what it promises of grains, whatever the number of threads?

mod folder;

use std::fs;

use folder::{Folder, carom_in, text};
use serde_json::Value;

const MODEL: &str = r#"
    format = 1
    [model]
    title = "A box"
    [simulation]
    end = "40 ms"
    gravity = [0, -9.81]
    output_step = "1 ms"
    snapshot_step = "20 ms"
    [solver]
    integrator = "verlet"
    step = "10 us"
    [ground]
    shapes.floor = { type = "half-plane" }
    shapes.left = { type = "half-plane", normal = [1, 0] }
    shapes.right = { type = "half-plane", point = ["0.1 m", 0], normal = [-1, 0] }
    [group.grains]
    count = 60
    radius = ["4 mm", "6 mm"]
    density = "2500 kg/m^3"
    profile = "sphere"
    region = [["1 mm", "1 mm"], ["99 mm", "0.12 m"]]
    velocity = ["0.3 m/s", "-1 m/s"]
    law = "tsuji"
    stiffness = "1e6 N/m^1.5"
    restitution = 0.5
    friction = { law = "tangential-spring", coefficient = 0.4, stiffness = "1e4 N/m" }
"#;

fn with_box(name: &str, text: &str) -> Folder {
    let folder = Folder::new(&format!("grains-{name}"));
    fs::write(folder.0.join("box.toml"), text).expect("it is written");
    folder
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

const FILES: [&str; 12] = [
    "contacts.csv",
    "film.json",
    "grains.csv",
    "grains.svg",
    "manifest.json",
    "report.html",
    "snapshots.csv",
    "snapshots.parquet",
    "summary.json",
    "trajectory.csv",
    "trajectory.parquet",
    "trajectory.svg",
];

#[test]
fn a_run_with_grains_writes_where_they_are_and_what_they_look_like() {
    let folder = with_box("files", MODEL);
    let out = carom_in(&folder.0, &["run", "box.toml", "--out", "out"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(out.stderr.is_empty(), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    for words in [
        "completed",
        "µs a body-step",
        "grains at the end",
        "grains.csv",
    ] {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }
    let mut names: Vec<String> = fs::read_dir(folder.0.join("out"))
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("plain")
        })
        .collect();
    names.sort();
    assert_eq!(names, FILES);

    let grains = read(&folder, "out/grains.csv");
    let mut lines = grains.lines();
    assert_eq!(
        lines.next(),
        Some("id [1],x [m],y [m],angle [rad],vx [m/s],vy [m/s],omega [rad/s],radius [m],group [1]")
    );
    let last: Vec<&str> = lines.collect();
    assert_eq!(last.len(), 60);
    assert!(
        last[59].starts_with("60,") && last[59].ends_with(",1"),
        "{}",
        last[59]
    );

    // At the start, on the way and at the end, which is that of grains.csv. Numbers may have zeros behind them.
    let snapshots = read(&folder, "out/snapshots.csv");
    let rows: Vec<Vec<f64>> = snapshots
        .lines()
        .skip(1)
        .map(|line| {
            line.split(',')
                .map(|c| c.parse().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 3 * 60);
    assert_eq!([rows[0][0], rows[60][0], rows[120][0]], [0.0, 0.02, 0.04]);
    for (row, line) in rows[120..].iter().zip(&last) {
        let line: Vec<f64> = line
            .split(',')
            .map(|c| c.parse().expect("a number"))
            .collect();
        assert_eq!(row[1..], line);
    }

    let summary: Value = serde_json::from_str(&read(&folder, "out/summary.json")).expect("JSON");
    let group = &summary["groups"]["grains"];
    assert_eq!(group["count"], 60);
    assert_eq!(group["settled"], Value::Null);
    for key in [
        "contacts",
        "coordination",
        "max_overlap",
        "max_force",
        "kinetic",
        "kinetic_peak",
        "contact_time",
    ] {
        assert!(
            group[key].as_f64().is_some_and(|x| x > 0.0),
            "{key}: {group}"
        );
    }
    assert_eq!(summary["statistics"]["steps_accepted"], 4000);
    assert_eq!(summary["degrees_of_freedom"], 180);
    assert!(summary["energy"]["dissipated"]["group.grains"].as_f64() > Some(0.0));
    assert!(summary["energy"]["dissipated"]["group.grains.friction"].is_number());
    let picture = read(&folder, "out/grains.svg");
    assert!(picture.contains("A box") && picture.contains("60 grains"));
}

#[test]
fn the_number_of_threads_changes_no_byte_and_a_manifest_repeats_it() {
    // Threads that share a core take turns at every step: few steps will do.
    let short = MODEL.replace("40 ms", "5 ms").replace("20 ms", "2 ms");
    let folder = with_box("threads", &short);
    for threads in ["1", "2", "3"] {
        let out = carom_in(
            &folder.0,
            &[
                "run",
                "box.toml",
                "--out",
                threads,
                "--threads",
                threads,
                "--quiet",
            ],
        );
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    }
    for name in FILES.iter().filter(|name| **name != "summary.json") {
        let one = fs::read(folder.0.join("1").join(name)).expect("it is there");
        for threads in ["2", "3"] {
            let other = fs::read(folder.0.join(threads).join(name)).expect("it is there");
            assert!(one == other, "{name} with {threads} threads");
        }
    }
    let out = carom_in(
        &folder.0,
        &[
            "run",
            "--repeat",
            "1/manifest.json",
            "--out",
            "again",
            "--threads",
            "2",
        ],
    );
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(
        text(&out.stdout).contains("the same as before, byte for byte: 9 files"),
        "{}",
        text(&out.stdout)
    );
    let out = carom_in(&folder.0, &["run", "box.toml", "--threads", "0"]);
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn what_is_wrong_with_grains_is_said_with_numbers() {
    for (name, from, to, code, words) in [
        (
            "dry",
            r#"law = "tangential-spring", coefficient = 0.4, stiffness = "1e4 N/m""#,
            r#"law = "coulomb", coefficient = 0.4"#,
            2,
            &["coulomb", "tangential-spring"][..],
        ),
        (
            "step",
            "    step = \"10 us\"\n",
            "",
            2,
            &["`step` is missing", "step = \""][..],
        ),
        (
            "long",
            "step = \"10 us\"",
            "step = \"40 us\"",
            0,
            &[
                "the shortest contact of group.grains takes about",
                "steps of 40 µs",
                "hint: step = ",
            ][..],
        ),
        (
            "fast",
            "velocity = [\"0.3 m/s\", \"-1 m/s\"]",
            "velocity = [0, \"-300 m/s\"]",
            1,
            &["moves at", "in a step of", "step = "][..],
        ),
    ] {
        assert!(MODEL.contains(from), "{from}");
        let folder = with_box(name, &MODEL.replace(from, to));
        let out = carom_in(&folder.0, &["run", "box.toml", "--quiet"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{name}: {said}");
        for words in words {
            assert!(said.contains(words), "`{words}` is not in\n{said}");
        }
    }
}

#[test]
fn a_step_too_long_for_the_contacts_is_warned_of_before_anything_runs() {
    let long = MODEL.replace("step = \"10 us\"", "step = \"100 us\"");
    let long = long.replace("snapshot_step = \"20 ms\"", "snapshot_step = \"50 us\"");
    let folder = with_box("long-step", &long);
    let out = carom_in(&folder.0, &["check", "box.toml"]);
    let said = text(&out.stderr);
    assert!(out.status.success(), "{said}");
    for words in [
        "steps through a contact",
        "would take fifty",
        "`snapshot_step` is 5e-5 s",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let folder = with_box("short-step", MODEL);
    let out = carom_in(&folder.0, &["check", "box.toml"]);
    assert!(
        !text(&out.stderr).contains("warning"),
        "{}",
        text(&out.stderr)
    );
}
