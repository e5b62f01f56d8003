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
