//! Does the laboratory (`impact`, `compare`, `stiffness`, `materials`) say what is true, and refuse what makes no sense?

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn carom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8")
}

/// The JSON that a command prints.
fn json(arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    let out = carom(&arguments);
    assert_eq!(
        out.status.code(),
        Some(0),
        "{arguments:?}: {}",
        text(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).expect("one JSON value on stdout")
}

fn number(value: &Value, path: &str) -> f64 {
    value
        .pointer(path)
        .and_then(Value::as_f64)
        .unwrap_or_else(|| panic!("no number at {path} in {value:#}"))
}

fn close(found: f64, known: f64, relative: f64, what: &str) {
    assert!(
        (found / known - 1.0).abs() <= relative,
        "{what}: {found}, known {known}"
    );
}

/// The two spheres of Machado et al. (2012): K = 5.5e9 N/m^1.5, m = 46 g, 0.3 m/s, cr = 0.7.
fn spheres<'a>(law: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "impact",
        "--law",
        law,
        "--stiffness",
        "5.5e9",
        "--mass",
        "0.046",
        "--speed",
        "0.3",
    ];
    if !more.contains(&"--restitution") {
        arguments.extend(["--restitution", "0.7"]);
    }
    arguments.extend(more);
    arguments
}

/// A message of exit code 2 with an empty stdout.
fn refused(arguments: &[&str]) -> String {
    let out = carom(arguments);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(out.stdout.is_empty(), "{arguments:?}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

/// A fresh directory of this test.
fn directory(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    dir
}

#[test]
fn impacts_agree_with_independent_values_to_ten_digits() {
    // δmax [m], peak force [N], duration [s], restitution; quadrature of the motion at high precision, independent of this code.
    let cases: [(&str, &[(&str, f64)]); 6] = [
        (
            "hertz",
            &[
                ("/max_indentation", 15.46746229e-6),
                ("/peak_force", 334.5733064),
                ("/duration", 151.7499931e-6),
            ],
        ),
        (
            "hunt-crossley",
            &[
                ("/max_indentation", 13.96587693e-6),
                ("/peak_force", 304.8039453),
                ("/duration", 156.8066189e-6),
                ("/restitution/newton", 0.7679997891),
            ],
        ),
        (
            "flores",
            &[
                ("/max_indentation", 13.37673325e-6),
                ("/peak_force", 302.2254949),
                ("/duration", 159.7513716e-6),
                ("/restitution/newton", 0.6831841997),
            ],
        ),
        ("lee-wang", &[("/restitution/newton", 0.8693431103)]),
        (
            "gharib-hurmuzlu",
            &[
                ("/max_indentation", 12.00257731e-6),
                ("/peak_force", 310.9659642),
                ("/restitution/newton", 0.5007793429),
            ],
        ),
        (
            "poursina-nikravesh",
            &[("/restitution/newton", 0.6995864206)],
        ),
    ];
    for (law, known) in cases {
        let found = json(&spheres(law, &["--exponent", "1.5"]));
        for (path, value) in known {
            close(number(&found, path), *value, 1e-9, law);
        }
    }
}

#[test]
fn the_json_of_an_impact_has_the_settled_keys() {
    let found = json(&spheres("flores", &[]));
    for path in [
        "/status",
        "/law",
        "/approach_speed",
        "/separation_speed",
        "/tangential_speed",
        "/effective_mass",
        "/restitution/requested",
        "/restitution/newton",
        "/restitution/poisson",
        "/restitution/stronge",
        "/restitution/hedrih",
        "/max_indentation",
        "/max_indentation_time",
        "/peak_force",
        "/peak_force_time",
        "/min_force",
        "/duration",
        "/start",
        "/end",
        "/impulse",
        "/stored_energy_max",
        "/dissipated_energy/normal",
        "/dissipated_energy/compression",
        "/dissipated_energy/restitution",
        "/dissipated_energy/friction",
        "/separation_indentation",
        "/impact_type",
        "/energy/residual",
        "/calibration",
        "/coefficient",
        "/parameters/stiffness",
        "/warnings",
        "/statistics/rhs_evaluations",
        "/statistics/steps_accepted",
        "/statistics/steps_rejected",
        "/statistics/jacobians",
        "/statistics/factorisations",
        "/statistics/events",
        "/statistics/wall_seconds",
    ] {
        assert!(found.pointer(path).is_some(), "{path}");
    }
    assert_eq!(found["impact_type"], "central, direct");
    assert!(number(&found, "/energy/residual").abs() < 1e-11 * 0.00207);
    // ½ m v² (1 − e²)
    let e = number(&found, "/restitution/newton");
    close(
        number(&found, "/dissipated_energy/normal"),
        0.00207 * (1.0 - e * e),
        1e-9,
        "loss",
    );
}

#[test]
fn quantities_with_units_give_the_same_bytes_as_si_numbers() {
    let mut plain = json(&spheres("flores", &[]));
    let mut with_units = json(&[
        "impact",
        "--law",
        "flores",
        "--stiffness",
        "5.5 GN/m^1.5",
        "--mass",
        "46 g",
        "--speed",
        "300 mm/s",
        "--restitution",
        "70 %",
    ]);
    for value in [&mut plain, &mut with_units] {
        value["statistics"]["wall_seconds"] = Value::Null;
    }
    assert_eq!(plain, with_units);
}

#[test]
fn exact_calibration_returns_what_was_asked_for() {
    for law in [
        "hunt-crossley",
        "lee-wang",
        "flores",
        "gharib-hurmuzlu",
        "schafer",
        "falcon",
    ] {
        for e in ["0.05", "0.5", "0.99", "1"] {
            let more = ["--calibration", "exact", "--restitution", e];
            let found = json(&spheres(law, &more));
            let off = number(&found, "/restitution/newton") - e.parse::<f64>().expect("number");
            assert!(off.abs() <= 1e-10, "{law} at {e}: {off:e}");
            assert_eq!(found["calibration"], "exact");
        }
    }
    let found = json(&[
        "impact",
        "--law",
        "kelvin-voigt",
        "--stiffness",
        "1e6 N/m",
        "--mass",
        "2",
        "--speed",
        "0.5",
        "--restitution",
        "0.6",
        "--calibration",
        "exact",
    ]);
    assert!((number(&found, "/restitution/newton") - 0.6).abs() <= 1e-10);
}

#[test]
fn restitution_may_be_a_function_of_the_approach_speed() {
    let dir = directory("restitution");
    fs::create_dir_all(&dir).expect("a directory");
    let file = dir.join("steel.csv");
    fs::write(
        &file,
        "# drop tests\nspeed [mm/s],restitution\n100,0.9\n500,0.7\n",
    )
    .expect("written");
    let table = format!("table:{}", file.display());
    for (given, requested) in [
        ("1-0.5*v", 0.85),
        ("0.1:0.9,0.5:0.7", 0.8),
        (table.as_str(), 0.8),
        // 1 − 0.26·0.3^(1/3)
        ("wang:250 MPa,250 MPa", 1.0 - 0.26 * 0.3_f64.cbrt()),
    ] {
        let found = json(&spheres("exact-restitution", &["--restitution", given]));
        assert!(
            (number(&found, "/restitution/requested") - requested).abs() < 1e-14,
            "{given}"
        );
        assert!(
            (number(&found, "/restitution/newton") - requested).abs() < 1e-10,
            "{given}"
        );
    }
    fs::write(&file, "0.1,0.9\n0.5,1.7\n0.4,0.6\n0.7,x\n").expect("written");
    let message = refused(&spheres("flores", &["--restitution", &table]));
    for word in [
        "steel.csv, line 2: restitution = 1.7, but must be 0 ≤ x ≤ 1",
        "steel.csv, line 3: speed = 0.4 [m/s], but must be above the one before it, 0.5",
        "steel.csv, line 4: `x` does not begin with a number",
    ] {
        assert!(message.contains(word), "{word}\n{message}");
    }
    let message = refused(&spheres("flores", &["--restitution", "1-4*v"]));
    assert!(message.contains("holds up to v0 = 0.25 m/s"), "{message}");
}

#[test]
fn two_bodies_keep_their_momentum_and_lose_what_the_contact_takes() {
    let found = json(&[
        "impact",
        "--law",
        "flores",
        "--stiffness",
        "5.5e9",
        "--masses",
        "1,2",
        "--speeds",
        "0.3,-0.1",
        "--restitution",
        "0.7",
    ]);
    let at = |path: &str| number(&found, &format!("/two_bodies{path}"));
    assert!((at("/momentum_after") - 0.1).abs() < 1e-15);
    // (1·0.3 − 2·0.1)/3
    close(at("/common_speed"), 0.1 / 3.0, 1e-14, "common speed");
    close(number(&found, "/effective_mass"), 2.0 / 3.0, 1e-15, "mass");
    close(
        at("/kinetic_energy_before") - at("/kinetic_energy_after"),
        number(&found, "/dissipated_energy/normal"),
        1e-9,
        "loss",
    );
    let e = number(&found, "/restitution/newton");
    close(
        at("/speeds_after/1") - at("/speeds_after/0"),
        0.4 * e,
        1e-12,
        "speeds",
    );
    let fixed = json(&[
        "impact",
        "--law",
        "flores",
        "--stiffness",
        "5.5e9",
        "--masses",
        "0.046,inf",
        "--speeds",
        "0.3,0",
        "--restitution",
        "0.7",
    ]);
    close(
        number(&fixed, "/max_indentation"),
        13.37673325e-6,
        1e-9,
        "a wall",
    );
    assert_eq!(fixed.pointer("/two_bodies/masses/1"), Some(&Value::Null));
}

#[test]
fn wrong_input_is_refused_with_its_name_its_value_and_the_range() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["--law", "flores", "-k", "-5"], &["stiffness = -5", "> 0"]),
        (
            &["--law", "flores", "-e", "1.2"],
            &["restitution = 1.2", "0 < x ≤ 1"],
        ),
        (
            &["--law", "flores", "-e", "-0.1"],
            &["restitution = -0.1", "0 < x ≤ 1"],
        ),
        (
            &["--law", "flores", "-e", "0"],
            &["restitution = 0", "0 < x ≤ 1"],
        ),
        (
            &["--law", "hertz", "-e", "1.2"],
            &["restitution = 1.2", "0 ≤ x ≤ 1"],
        ),
        (
            &[
                "--law",
                "hunt-crossley",
                "-e",
                "0",
                "--calibration",
                "exact",
            ],
            &["restitution = 0", "0 < x ≤ 1"],
        ),
        (
            &["--law", "flores", "-v", "0"],
            &["speed = 0 [m/s]", "> 0", "approach"],
        ),
        (
            &["--law", "flores", "-v", "-0.3"],
            &["speed = -0.3 [m/s]", "> 0"],
        ),
        (
            &["--law", "flores", "-v", "inf"],
            &["speed = inf", "finite"],
        ),
        (
            &["--law", "flores", "-m", "NaN"],
            &["mass = NaN [kg]", "> 0"],
        ),
        (
            &["--law", "flores", "-k", "nan"],
            &["stiffness = NaN", "> 0"],
        ),
        (&["--law", "flores", "-e", "NaN"], &["restitution = NaN"]),
        (
            &["--law", "flores", "-n", "7"],
            &["exponent = 7", "1 ≤ x ≤ 3"],
        ),
        (&["--law", "flores", "-k", ""], &["--stiffness", "missing"]),
        (
            &["--law", "flores", "-p", "damping=3"],
            &[
                "flores has no parameter `damping`",
                "stiffness, exponent, restitution",
            ],
        ),
        (&["--law", "flores", "-p", "damping"], &["name=value"]),
        (
            &["--law", "flores", "-k", "5.5e9 N/m"],
            &["a linear stiffness [N/m]", "N/m^1.5"],
        ),
        (
            &["--law", "flores", "-k", "5.5e9 N/furlong"],
            &["furlong", "not known"],
        ),
        (
            &["--law", "flores", "-v", "3 mm"],
            &["a length [m]", "a speed [m/s]"],
        ),
        (
            &["--law", "florse"],
            &["no law `florse`", "nearest: flores"],
        ),
        (
            &["--law", "kelvin-voigt"],
            &["`damping` [N s/m] is missing", "--calibration exact"],
        ),
        (
            &["--law", "kelvin-voigt", "-n", "1.5"],
            &["exponent = 1.5", "is 1", "N/m"],
        ),
        (
            &["--law", "brandlein", "-n", "1.5"],
            &["exponent = 1.5", "1.08"],
        ),
        (
            &["--law", "kelvin-voigt", "-p", "damping=3 N"],
            &["a force [N]", "a linear damping [N s/m]"],
        ),
        (
            &["--law", "liu"],
            &[
                "liu has no parameter `stiffness`",
                "`clearance` [m] is missing",
            ],
        ),
        (
            &["--law", "hertz", "--calibration", "exact"],
            &["hertz cannot be calibrated"],
        ),
        (
            &["--law", "goyal", "-p", "separation=never"],
            &["separation", "`never`", "zero-force"],
        ),
        (&["--law", "flores", "--rtol", "1"], &["rtol = 1", "1e-5"]),
        (
            &["--law", "flores", "--radii", "1,2"],
            &["--radii needs --material"],
        ),
        (
            &["--law", "flores", "--material", "steel"],
            &["--stiffness or --material, not both"],
        ),
        (
            &["--law", "flores", "-k", "1e9", "-k", "2e9"],
            &["more than once"],
        ),
        (
            &["--law", "flores", "--masses", "1,2"],
            &["--mass or --masses, not both"],
        ),
    ];
    for (given, words) in cases {
        let mut arguments = vec!["impact"];
        arguments.extend(*given);
        for (short, value) in [
            ("-k", "5.5e9"),
            ("-m", "0.046"),
            ("-v", "0.3"),
            ("-e", "0.7"),
        ] {
            if !given.contains(&short) {
                arguments.extend([short, value]);
            }
        }
        let message = refused(&arguments);
        for word in *words {
            assert!(
                message.contains(word),
                "{given:?}: no `{word}` in\n{message}"
            );
        }
        // The same under --json: nothing but the exit code and standard error.
        arguments.push("--json");
        refused(&arguments);
    }
}

#[test]
fn all_faults_are_listed_at_once() {
    let message = refused(&[
        "impact", "--law", "flores", "-k", "-5", "-m", "0", "-v", "nan", "-e", "1.2", "-p",
        "foo=3", "-n", "7", "--rtol", "x",
    ]);
    assert_eq!(message.lines().count(), 7, "{message}");
    let message = refused(&["impact", "--law", "flores"]);
    for name in ["mass", "speed", "stiffness", "restitution"] {
        assert!(message.contains(&format!("`{name}`")), "{message}");
    }
    // What cannot be read is not said to be missing as well.
    let message = refused(&[
        "impact",
        "--law",
        "flores",
        "-k",
        "5 N/m^1.5x",
        "-m",
        "1",
        "-v",
        "1",
        "-e",
        "much",
    ]);
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn an_indentation_beyond_the_domain_of_a_law_is_refused() {
    // Steel on steel, 9.5 mm in 10 mm, 15 mm long (Flores et al. 2006, Table 1): dubowsky-freudenstein has a force up to 1.18 mm.
    let joint = |speed: &'static str| {
        vec![
            "impact",
            "--law",
            "dubowsky-freudenstein",
            "--material",
            "steel,steel",
            "--radii",
            "-10 mm,9.5 mm",
            "--length",
            "15 mm",
            "--mass",
            "10",
            "--speed",
            speed,
        ]
    };
    let found = json(&joint("1"));
    assert!(number(&found, "/max_indentation") < 1.1842e-3);
    let message = refused(&joint("50"));
    assert!(
        message.contains("1.184") && message.contains("largest") && message.contains("Hint"),
        "{message}"
    );
}

#[test]
fn a_contact_that_never_ends_is_a_failure_of_the_run() {
    // ζ = 5: the spring creeps back to zero indentation and never gets there.
    let out = carom(&[
        "impact",
        "--law",
        "kelvin-voigt",
        "-k",
        "1e6",
        "-m",
        "1",
        "-v",
        "1",
        "-p",
        "damping=1e4",
        "-p",
        "separation=zero-indentation",
    ]);
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{message}");
    assert!(out.stdout.is_empty());
    assert!(
        message.contains("does not end") && message.contains("Hint"),
        "{message}"
    );
}

#[test]
fn a_restitution_that_a_law_does_not_use_is_warned_of() {
    let out = carom(&spheres("hertz", &["--json"]));
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stderr).contains("hertz does not use the restitution 0.7"));
    let found: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(found["warnings"][0]["code"], "restitution-not-used");
    let out = carom(&spheres("flores", &["--json"]));
    assert!(out.stderr.is_empty());
}

#[test]
fn materials_and_radii_stand_for_the_stiffness() {
    // Flores et al. (2006): K = 6.61e10 N/m^1.5 of a steel journal of 9.5 mm in a steel bearing of 10 mm.
    let pair = ["--material", "steel,steel", "--radii", "-10 mm,9.5 mm"];
    let mut arguments = vec!["stiffness", "sphere-sphere"];
    arguments.extend(pair);
    let found = json(&arguments);
    close(number(&found, "/stiffness"), 6.6101984e10, 1e-8, "K");
    assert_eq!(found["unit"], "N/m^1.5");
    assert_eq!(number(&found, "/exponent"), 1.5);
    let mut arguments = vec![
        "impact",
        "--law",
        "flores",
        "--mass",
        "1",
        "--speed",
        "0.3",
        "--restitution",
        "0.7",
    ];
    arguments.extend(pair);
    let found = json(&arguments);
    close(
        number(&found, "/parameters/stiffness"),
        6.6101984e10,
        1e-8,
        "K",
    );
    let codes: Vec<&str> = found["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(
        codes.contains(&"validity-speed") && codes.contains(&"conformal"),
        "{codes:?}"
    );
    let mut arguments = vec![
        "impact", "--law", "liu", "--mass", "1", "--speed", "0.3", "--length", "15 mm",
    ];
    arguments.extend(pair);
    let found = json(&arguments);
    close(
        number(&found, "/parameters/clearance"),
        0.5e-3,
        1e-12,
        "clearance",
    );
    close(
        number(&found, "/parameters/effective_modulus"),
        207e9 / 1.82,
        1e-12,
        "E*",
    );
}

#[test]
fn stiffness_of_other_shapes_and_what_is_wrong_with_a_question() {
    // E* = 207e9/1.82; K = a E*/0.475, π E* L/2, (4/3) E* √R.
    let modulus = 207e9 / 1.82;
    for (arguments, known, unit) in [
        (
            ["flats", "--half-side", "5 mm"],
            5e-3 / 0.475 * modulus,
            "N/m",
        ),
        (
            ["gear", "--length", "20 mm"],
            std::f64::consts::PI * modulus * 0.01,
            "N/m",
        ),
        (
            ["sphere-plane", "--radius", "20 mm"],
            4.0 / 3.0 * modulus * 0.02_f64.sqrt(),
            "N/m^1.5",
        ),
    ] {
        let mut all = vec!["stiffness"];
        all.extend(arguments);
        all.extend(["--material", "steel"]);
        let found = json(&all);
        close(number(&found, "/stiffness"), known, 1e-12, arguments[0]);
        assert_eq!(found["unit"], unit);
    }
    let own = json(&[
        "stiffness",
        "sphere-plane",
        "--radius",
        "0.02",
        "--material",
        "207 GPa:0.3",
    ]);
    close(
        number(&own, "/stiffness"),
        4.0 / 3.0 * modulus * 0.02_f64.sqrt(),
        1e-12,
        "own",
    );
    let joint = json(&[
        "stiffness",
        "cylinder",
        "--radii",
        "-10 mm,9.5 mm",
        "--length",
        "15 mm",
        "--material",
        "steel",
    ]);
    for law in ["liu", "dubowsky-freudenstein", "goldsmith", "esdu-78035"] {
        assert!(
            joint["laws"]
                .as_array()
                .expect("a list")
                .contains(&law.into()),
            "{law}"
        );
    }
    for (arguments, words) in [
        (
            &["flats", "--radius", "3", "--material", "stel"][..],
            &[
                "nearest: steel",
                "does not take --radius",
                "--half-side is missing",
            ][..],
        ),
        (
            &[
                "sphere-sphere",
                "--radii",
                "-9 mm,9.5 mm",
                "--material",
                "steel",
            ],
            &["larger in magnitude"],
        ),
        (
            &["sphere-plane", "--radius", "0", "--material", "steel"],
            &["radius = 0", "> 0"],
        ),
        (
            &["sphere-plane", "--radius", "2 kg", "--material", "steel"],
            &["a mass [kg]", "a length [m]"],
        ),
        (
            &["sphere-plane", "--radius", "1", "--material", "steel:0.3"],
            &["does not begin with a number"],
        ),
        (
            &["sphere-plane", "--radius", "1", "--material", "2e11:0.7"],
            &["poisson = 0.7", "≤ 0.5"],
        ),
    ] {
        let mut all = vec!["stiffness"];
        all.extend(arguments);
        let message = refused(&all);
        for word in words {
            assert!(
                message.contains(word),
                "{arguments:?}: no `{word}` in\n{message}"
            );
        }
    }
}

#[test]
fn materials_are_listed_with_their_sources() {
    let all = json(&["materials"]);
    let all = all.as_array().expect("an array");
    assert!(all.len() >= 15);
    for material in all {
        assert!(material["source"].as_str().is_some_and(|s| s.len() > 20));
    }
    let steel = json(&["materials", "Steel"]);
    assert_eq!(number(&steel, "/young"), 207e9);
    assert!(text(&carom(&["materials"]).stdout).contains("[1]"));
    assert!(refused(&["materials", "aluminim"]).contains("nearest: aluminium"));
}

/// `compare` on the two spheres.
fn comparison<'a>(laws: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "compare",
        "--laws",
        laws,
        "--mass",
        "0.046",
        "--speed",
        "0.3",
        "--restitution",
        "0.7",
    ];
    arguments.extend(more);
    arguments
}

#[test]
fn compare_runs_calibrates_and_says_what_is_missing() {
    let found = json(&comparison("all", &["--stiffness", "5.5e9"]));
    let list = |key: &str| found[key].as_array().expect("a list").clone();
    assert!(list("failed").is_empty(), "{:#}", found["failed"]);
    let row = |law: &str| {
        list("rows")
            .into_iter()
            .find(|row| row["law"] == law)
            .unwrap_or_else(|| panic!("no row {law}"))
    };
    close(
        number(&row("flores"), "/restitution/newton"),
        0.6831841997,
        1e-9,
        "flores",
    );
    assert_eq!(row("hertz")["takes_restitution"], false);
    let schafer = row("schafer");
    assert_eq!(schafer["calibration"], "exact");
    assert!((number(&schafer, "/restitution/newton") - 0.7).abs() < 1e-10);
    let lacks = |law: &str| {
        let entry = list("missing").into_iter().find(|m| m["law"] == law);
        entry.unwrap_or_else(|| panic!("{law} is not missing anything"))["reasons"].to_string()
    };
    assert!(lacks("wang").contains("yield_strength_1"));
    assert!(
        lacks("kelvin-voigt").contains("N/m^1.5"),
        "{}",
        lacks("kelvin-voigt")
    );
    // Each law takes the stiffness that has its unit; that of the materials is one more.
    for first in [
        &["-k", "5.5e9 N/m^1.5"][..],
        &["--material", "steel", "--radii", "20 mm,20 mm"],
    ] {
        let more = [first, &["-k", "2e7 N/m"]].concat();
        let both = json(&comparison(
            "hertz,kelvin-voigt,hooke,brilliantov-2015",
            &more,
        ));
        let rows = both["rows"].as_array().expect("a list");
        assert_eq!(rows.len(), 4, "{both:#}");
        for (row, e) in rows.iter().zip([1.0, 0.7, 1.0, 0.7]) {
            let found = number(row, "/restitution/newton");
            assert!((found - e).abs() < 1e-10, "{}: {found}", row["law"]);
        }
    }
}

#[test]
fn under_exact_calibration_compare_says_which_laws_coincide() {
    let more = [
        "--stiffness",
        "5.5e9",
        "--calibration",
        "exact",
        "--sort",
        "peak",
    ];
    let out = carom(&comparison("hysteresis,hertz", &more));
    let table = text(&out.stdout);
    assert!(
        table.contains("coincide to nine digits: hunt-crossley,"),
        "{table}"
    );
    let found = json(&comparison("hysteresis,hertz", &more));
    let peaks: Vec<f64> = found["rows"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| number(row, "/peak_force"))
        .collect();
    assert!(peaks.windows(2).all(|p| p[0] <= p[1]), "{peaks:?}");
}

#[test]
fn compare_refuses_what_no_law_can_take() {
    for (arguments, words) in [
        (
            comparison("all", &["-k", "5.5e9", "-p", "damppng=3"]),
            &["none of the laws has a parameter `damppng`", "damping"][..],
        ),
        (
            comparison("florse,hertzz", &["-k", "5.5e9"]),
            &["nearest: flores", "nearest: hertz"],
        ),
        (
            comparison("kelvin-voigt,hooke", &["-k", "5.5e9", "-n", "1.5"]),
            &["[N/m] is missing", "none of the 2 laws"],
        ),
        (
            vec![
                "compare", "--laws", "all", "-k", "1", "-m", "1", "-v", "1", "-e", "1.2",
            ],
            &["restitution = 1.2"],
        ),
        (
            vec![
                "compare", "--laws", "all", "-k", "1", "-m", "1", "-v", "2", "-e", "1-1*v",
            ],
            &["up to v0 = 1 m/s"],
        ),
    ] {
        let message = refused(&arguments);
        for word in words {
            assert!(
                message.contains(word),
                "{arguments:?}: no `{word}` in\n{message}"
            );
        }
    }
}

#[test]
fn results_are_written_and_never_overwritten_unasked() {
    let dir = directory("impact-out");
    let out = dir.to_str().expect("UTF-8");
    let arguments = spheres("flores", &["--out", out]);
    assert_eq!(carom(&arguments).status.code(), Some(0));
    for name in ["history.csv", "summary.json", "loop.svg", "loop.png"] {
        assert!(
            fs::metadata(dir.join(name)).is_ok_and(|m| m.len() > 100),
            "{name}"
        );
    }
    let history = fs::read_to_string(dir.join("history.csv")).expect("written");
    let mut lines = history.lines();
    assert!(
        lines
            .next()
            .is_some_and(|head| head.starts_with("time [s],indentation [m],rate [m/s]"))
    );
    let last: Vec<f64> = lines
        .last()
        .expect("rows")
        .split(',')
        .map(|cell| cell.parse().expect("numbers"))
        .collect();
    close(last[0], 159.7513716e-6, 1e-9, "end");
    close(-last[2], 0.3 * 0.6831841997, 1e-9, "separation speed");
    let summary = fs::read_to_string(dir.join("summary.json")).expect("written");
    assert!(serde_json::from_str::<Value>(&summary).is_ok());

    let message = refused(&arguments);
    assert!(
        message.contains("history.csv") && message.contains("--force"),
        "{message}"
    );
    let mut forced = arguments.clone();
    forced.push("--force");
    assert_eq!(carom(&forced).status.code(), Some(0));

    let dir = directory("compare-out");
    let out = dir.to_str().expect("UTF-8");
    let many = comparison("hertz,hysteresis", &["-k", "5.5e9", "--out", out]);
    assert_eq!(carom(&many).status.code(), Some(0));
    for name in ["compare.csv", "flores.csv"] {
        assert!(dir.join(name).exists(), "{name}");
    }
    let pictures = fs::read_dir(&dir).expect("a directory").filter(|entry| {
        entry
            .as_ref()
            .is_ok_and(|e| e.path().extension().is_some_and(|x| x == "svg"))
    });
    assert!(pictures.count() >= 3);
}

#[test]
fn every_help_of_the_laboratory_has_an_example_that_runs() {
    for command in ["impact", "compare", "stiffness", "materials"] {
        let help = text(&carom(&[command, "--help"]).stdout);
        let example = help
            .lines()
            .skip_while(|line| !line.starts_with("Example:"))
            .nth(1)
            .unwrap_or_else(|| panic!("no example in {command}:\n{help}"));
        let words: Vec<&str> = example.split_whitespace().skip(1).collect();
        assert_eq!(carom(&words).status.code(), Some(0), "{example}");
    }
}

#[test]
fn results_have_all_settled_keys_and_say_what_a_law_lacks() {
    let found = json(&spheres("flores", &[]));
    assert_eq!(found["contact"], "impact");
    for key in ["point", "normal"] {
        assert!(found.as_object().expect("an object").contains_key(key));
        assert!(found[key].is_null(), "{key}");
    }
    for key in ["tangential_impulse", "impulse_ratio", "stick_time"] {
        assert_eq!(found[key], 0.0, "{key}");
    }
    let found = json(&comparison(
        "hooke,kelvin-voigt,hertz,flores",
        &["--stiffness", "5.5e9"],
    ));
    for missing in found["missing"].as_array().expect("a list") {
        assert_eq!(missing["lacks"], serde_json::json!(["stiffness [N/m]"]));
    }
    assert_eq!(found["missing"].as_array().map(Vec::len), Some(2));
    assert!(found["rows"][0]["restitution"]["requested"].is_null());
    assert_eq!(found["rows"][1]["restitution"]["requested"], 0.7);
    assert_eq!(found["rows"][1]["contact"], "impact");
}

#[test]
fn warnings_name_their_law_and_fit_it() {
    let codes = |value: &Value| -> Vec<String> {
        let list = value["warnings"].as_array().expect("a list");
        list.iter()
            .map(|w| w["code"].as_str().expect("a word").to_string())
            .collect()
    };
    let joint = |law| {
        json(&[
            "impact",
            "--law",
            law,
            "--material",
            "steel",
            "--radii",
            "-10 mm,9.9 mm",
            "--length",
            "10 mm",
            "-m",
            "1",
            "-v",
            "0.01",
            "-e",
            "0.7",
        ])
    };
    let found = joint("goldsmith");
    assert_eq!(codes(&found), ["restitution-not-used", "law"]);
    assert_eq!(found["warnings"][1]["element"], "goldsmith");
    assert!(found["warnings"][1]["time"].is_null());
    let hint = found["warnings"][0]["hint"].as_str().expect("a hint");
    assert!(hint.contains("--param damper="), "{hint}");
    // Spheres in a socket of nearly their radius are conformal; a law for joints is made for it.
    assert!(!codes(&joint("liu")).contains(&"conformal".into()));
    // A steel ball on steel yields at this speed: a plastic law knows, an elastic one does not.
    let ball = |law: &str, more: &[&str]| {
        let mut all = vec![
            "impact",
            "--law",
            law,
            "--material",
            "steel",
            "--radii",
            "10 mm,inf",
            "-m",
            "1",
            "-v",
            "0.5",
        ];
        all.extend(more);
        codes(&json(&all))
    };
    assert!(ball("hertz", &[]).contains(&"yield".into()));
    assert!(!ball("thornton", &[]).contains(&"yield".into()));
}

#[test]
fn messages_say_where_to_look() {
    for (arguments, words) in [
        (comparison("flores,hertz", &["-p", "alpha=3"]), "tsuji"),
        (comparison("hysterisis", &[]), "nearest: hysteresis"),
        (spheres("coulomb", &[]), "`carom laws coulomb`"),
        (
            vec![
                "impact",
                "--law",
                "flores",
                "--material",
                "steel",
                "-m",
                "1",
                "-v",
                "1",
                "-e",
                "0.7",
            ],
            "--radii",
        ),
        (
            vec![
                "impact",
                "--law",
                "liu",
                "--material",
                "steel",
                "--radii",
                "10 mm,9.5 mm",
                "--length",
                "10 mm",
                "-m",
                "1",
                "-v",
                "0.01",
            ],
            "negative",
        ),
        (
            spheres("flores", &["--out", env!("CARGO_BIN_EXE_carom")]),
            "is a file",
        ),
        (
            spheres(
                "flores",
                &[
                    "--restitution",
                    concat!("table:", env!("CARGO_TARGET_TMPDIR")),
                ],
            ),
            "not a regular file",
        ),
    ] {
        let message = refused(&arguments);
        assert!(message.contains(words), "{message}");
    }
    let out = carom(&[
        "impact",
        "--law",
        "thornton",
        "--material",
        "steel",
        "--radii",
        "10 mm,inf",
        "-m",
        "1",
        "-v",
        "0.01",
    ]);
    let said = text(&out.stdout);
    let line = said.lines().find(|line| line.contains("limiting_pressure"));
    assert!(
        line.is_some_and(|line| line.contains("(from the material)")),
        "{said}"
    );
}

#[test]
fn a_table_of_more_than_ten_megabytes_is_refused() {
    let dir = directory("large-table");
    fs::create_dir_all(&dir).expect("a directory");
    let path = dir.join("large.csv");
    // A hole of that length: nothing is written, and nothing may be read.
    let file = fs::File::create(&path).expect("a file");
    file.set_len(10_000_001).expect("a length");
    let table = format!("table:{}", path.display());
    let message = refused(&spheres("flores", &["--restitution", &table]));
    assert!(message.contains("10000000 at most"), "{message}");
}

#[test]
fn the_speed_in_a_restitution_may_be_called_v0() {
    let with = |e| json(&spheres("flores", &["--restitution", e]))["restitution"].clone();
    assert_eq!(with("1-0.02*v0"), with("1-0.02*v"));
}

#[test]
fn reproduced_figures_are_never_overwritten_unasked() {
    let dir = directory("figures");
    let place = dir.to_str().expect("a path");
    let arguments = ["reproduce", "s1-fig3", "--out", place];
    assert_eq!(carom(&arguments).status.code(), Some(0));
    assert!(refused(&arguments).contains("--force"));
    let mut forced = arguments.to_vec();
    forced.push("--force");
    assert_eq!(carom(&forced).status.code(), Some(0));
}

#[test]
fn the_gallery_is_the_same_whatever_the_number_of_processors() {
    let ids = ["s1-fig9", "s0-fig7", "s4-fig1"];
    let made = |threads: &str| {
        let dir = directory(&format!("gallery-{threads}"));
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_carom"))
            .arg("reproduce")
            .args(ids)
            .args(["--json", "--quiet", "--out"])
            .arg(&dir)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .expect("it runs");
        assert!(status.stderr.is_empty(), "{status:?}");
        let told: Value = serde_json::from_slice(&status.stdout).expect("one JSON value");
        assert!(told[0]["errata"][0]["words"].is_string());
        assert_eq!(told[0]["model"], "slider-crank-block.toml");
        let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(&dir)
            .expect("the folder")
            .map(|entry| entry.expect("an entry"))
            .map(|entry| {
                let bytes = std::fs::read(entry.path()).expect("a file");
                (entry.file_name().to_string_lossy().into_owned(), bytes)
            })
            .collect();
        files.sort();
        files
    };
    let (one, many) = (made("1"), made("4"));
    assert_eq!(one.len(), 3 * ids.len() + 1);
    assert!(one.iter().any(|(name, _)| name == "index.html"));
    assert!(one == many);
}

#[test]
fn a_contact_that_gains_energy_is_warned_of() {
    // The variable a of xiong follows too slowly: γ is below one over the duration of some 150 µs.
    let slow = ["-p", "beta_2=1e5", "-p", "gamma=5e3"];
    let one = json(&spheres("xiong", &slow));
    assert!(number(&one, "/restitution/newton") > 1.1);
    let mut more = vec!["--stiffness", "5.5e9"];
    more.extend(slow);
    for found in [one, json(&comparison("xiong,hertz", &more))] {
        let list = found["warnings"].as_array().expect("a list");
        let gains: Vec<&Value> = list.iter().filter(|w| w["code"] == "energy-gain").collect();
        assert_eq!(gains.len(), 1, "{list:?}");
        assert_eq!(gains[0]["element"], "xiong");
        let hint = gains[0]["hint"].as_str().expect("a hint");
        assert!(hint.contains("gamma"), "{hint}");
    }
}

#[test]
fn curves_of_the_laws_are_written_where_laws_have_them() {
    let dir = directory("curves");
    let place = dir.to_str().expect("a path");
    let all = comparison("hertz,flores", &["--stiffness", "5.5e9", "--out", place]);
    assert_eq!(carom(&all).status.code(), Some(0));
    for name in ["restitution", "damping", "speed", "static"] {
        for ending in ["svg", "png", "csv"] {
            assert!(
                dir.join(format!("{name}.{ending}")).is_file(),
                "{name}.{ending}"
            );
        }
    }
    let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
    // Hertz takes no restitution; both have a spring.
    assert!(!read("restitution.csv").contains("\"hertz\""));
    assert!(read("static.csv").contains("\"hertz\"") && read("static.csv").contains("\"flores\""));
    // h = 8(1 - e)/(5e) at e = 1/2.
    let half = read("damping.csv");
    let half = half
        .lines()
        .find(|line| line.contains(",0.5,"))
        .expect("a line");
    assert!(half.ends_with(",1.6"), "{half}");
    let dir = directory("curves-elastic");
    let place = dir.to_str().expect("a path");
    let all = comparison("hertz", &["--stiffness", "5.5e9", "--out", place]);
    assert_eq!(carom(&all).status.code(), Some(0));
    assert!(!dir.join("damping.svg").exists() && dir.join("static.svg").is_file());
}
