//! Does `carom fit` tell what fits, write it down, and refuse what is wrong, all at once?

mod folder;

use std::fs;
use std::path::Path;
use std::process::Output;

use folder::{Folder, carom_in, text};
use serde_json::Value;

/// Runs the program where the examples stand.
fn carom(arguments: &[&str]) -> Output {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    carom_in(&top, arguments)
}

#[test]
fn the_example_of_bounces_gives_restitution_over_speed_and_says_what_is_not_known() {
    let out = carom(&[
        "fit",
        "studies/ball-bounces.csv",
        "--laws",
        "flores,kuwabara-kono",
        "--json",
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    // The file says how it was made: 1 − 0.04 v.
    assert_eq!(
        value["best"], "e-falling",
        "{:#}",
        value["indistinguishable"]
    );
    let alpha = &value["fits"][0]["parameters"][0];
    let [low, high] = [0, 1].map(|i| alpha["interval"][i].as_f64().expect("known"));
    assert!(low < 0.04 && 0.04 < high, "{alpha}");
    let fits = value["fits"].as_array().expect("a list");
    let flores = fits.iter().find(|f| f["law"] == "flores").expect("fitted");
    let said = flores["unidentifiable"].to_string();
    assert!(
        said.contains("stiffness") && said.contains("mass"),
        "{said}"
    );
}

#[test]
fn the_example_of_a_force_gives_the_numbers_it_was_made_with_and_pictures() {
    let folder = Folder::new("fit");
    let dir = folder.0.join("out");
    let dir = dir.to_str().expect("a plain path");
    let arguments = [
        "fit",
        "studies/steel-ball-force.csv",
        "--laws",
        "flores,hertz,kelvin-voigt",
        "--mass",
        "46 g",
        "--speed",
        "0.3 m/s",
        "--out",
        dir,
    ];
    let out = carom(&arguments);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert!(said.contains("flores fits best"), "{said}");
    let value: Value =
        serde_json::from_slice(&fs::read(format!("{dir}/fit.json")).expect("written"))
            .expect("JSON");
    for p in value["fits"][0]["parameters"].as_array().expect("a list") {
        let truth = match p["name"].as_str() {
            Some("stiffness") => 5.5e9,
            Some("exponent") => 1.5,
            _ => 0.7,
        };
        let [low, high] = [0, 1].map(|i| p["interval"][i].as_f64().expect("known"));
        assert!(low < truth && truth < high, "{p}");
    }
    for name in [
        "report.html",
        "fit.svg",
        "fit.png",
        "fit.csv",
        "parameters.csv",
    ] {
        assert!(
            fs::metadata(format!("{dir}/{name}")).is_ok_and(|m| m.len() > 200),
            "{name}"
        );
    }
    // Nothing is overwritten unasked.
    assert_eq!(carom(&arguments).status.code(), Some(2));
}

#[test]
fn everything_wrong_with_options_and_data_is_told_at_once_with_its_place() {
    let out = carom(&[
        "fit",
        "/no/such.csv",
        "--laws",
        "florse",
        "--mass",
        "-1",
        "--speed",
        "3 kg",
        "--starts",
        "0",
    ]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    for part in [
        "/no/such.csv",
        "florse",
        "mass = -1",
        "--speed",
        "starts = 0",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let folder = Folder::new("fit-wrong");
    let path = folder.0.join("bad.csv");
    fs::write(&path, "time [ms],force [N]\n0,1\n1,x\n0.5,2\n").expect("written");
    let out = carom(&["fit", path.to_str().expect("plain"), "--laws", "hertz"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(
        said.contains("`x` is not a number") && said.contains("time = 0.0005 s, after 0.001 s"),
        "{said}"
    );
}

/// The example of a record of motion.
const SWINGS: [&str; 8] = [
    "fit",
    "studies/pendulum-swings.csv",
    "--model",
    "models/pendulum.toml",
    "--free",
    "parameters.L=0.3..3 m",
    "--free",
    "parameters.release=10..120 deg",
];

#[test]
fn the_example_of_a_motion_gives_the_length_it_was_made_with_and_a_page() {
    let folder = Folder::new("fit-motion");
    let dir = folder.0.join("out");
    let dir = dir.to_str().expect("text");
    let out = carom(&[&SWINGS[..], &["--starts", "4", "--json", "--out", dir]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    // The file says how it was made: 0.8 m, 50 degrees, noise of 1 degree.
    for (i, truth) in [0.8, 50_f64.to_radians()].iter().enumerate() {
        let number = &value["numbers"][i];
        let [low, high] = [0, 1].map(|k| number["interval"][k].as_f64().expect("known"));
        assert!(low < *truth && *truth < high, "{number}");
    }
    let noise = value["series"][0]["noise"].as_f64().expect("a number");
    assert!((noise / 1_f64.to_radians() - 1.0).abs() < 0.15, "{noise}");
    for name in [
        "report.html",
        "fit.json",
        "fit.svg",
        "parameters.csv",
        "fitted.csv",
    ] {
        let bytes = fs::read(Path::new(dir).join(name)).expect(name);
        assert!(bytes.len() > 100, "{name}");
    }
    let fitted = fs::read_to_string(Path::new(dir).join("fitted.csv")).expect("there");
    assert_eq!(fitted.lines().count(), 202);
}

#[test]
fn what_is_wrong_with_a_fit_of_a_motion_is_said_with_code_2() {
    let folder = Folder::new("fit-motion-wrong");
    let write = |name: &str, what: &str| {
        let path = folder.0.join(name);
        fs::write(&path, what).expect("written");
        path.to_str().expect("text").to_string()
    };
    let nan = write("nan.csv", "time,rod.angle\n0,1\n1,nan\n2,3\n3,4\n");
    let empty = write("empty.csv", "");
    let twice = write("twice.csv", "time,rod.angle,rod.angle\n0,1,1\n");
    let other = write("other.csv", "time,stick.angle\n0,1\n1,2\n2,3\n3,4\n");
    let good = "studies/pendulum-swings.csv";
    let length = "parameters.L=0.3..3 m";
    for (data, free, said) in [
        (good, "", "nothing is sought"),
        (good, "parameters.L", "bounds are missing"),
        (good, "parameters.L=1 m", "no `..`"),
        (good, "parameters.L=3..1 m", "below the second"),
        (good, "parameters.L=1 kg..3 m", "different kinds"),
        (good, "parameters.M=1..3 m", "parameters.M"),
        (good, "parameters.L=1..3 kg", "L"),
        (&nan, length, "`nan` is not a number"),
        (&empty, length, "empty"),
        (&twice, length, "twice"),
        (&other, length, "stick.angle"),
        ("no-such.csv", length, "cannot read"),
    ] {
        let mut arguments = vec!["fit", data, "--model", "models/pendulum.toml"];
        if !free.is_empty() {
            arguments.extend(["--free", free]);
        }
        let out = carom(&arguments);
        let message = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{data} {free}: {message}");
        assert!(message.contains(said), "{data} {free}: {message}");
        assert!(out.stdout.is_empty(), "{data} {free}");
    }
    let both = [&SWINGS[..], &["--laws", "hertz"]].concat();
    assert_eq!(carom(&both).status.code(), Some(2));
}

#[test]
fn the_page_of_a_fit_has_the_numbers_of_every_law() {
    let folder = Folder::new("fit-page");
    let dir = folder.0.join("out");
    let dir = dir.to_str().expect("text");
    let laws = [
        "--laws",
        "hysteresis",
        "--out",
        dir,
        "--starts",
        "2",
        "--json",
    ];
    let out = carom(&[&["fit", "studies/ball-bounces.csv"], &laws[..]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let page = fs::read_to_string(Path::new(dir).join("report.html")).expect("there");
    let fits = value["fits"].as_array().expect("a list");
    assert!(fits.len() > 10);
    let open = fits.iter().filter(|fit| {
        page.contains(&format!(
            "<h2>{}</h2>",
            fit["law"].as_str().expect("a name")
        ))
    });
    let folded = fits.iter().filter(|fit| {
        page.contains(&format!(
            "<summary>{}</summary>",
            fit["law"].as_str().expect("a name")
        ))
    });
    assert_eq!((open.count(), folded.count()), (6, fits.len() - 6));
}
