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
    assert!(said.contains("best of 3 curves ahead"), "{said}");
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
    // How well it fits and what is known is said in words.
    assert_eq!(value["describes"], true);
    let page = fs::read_to_string(Path::new(dir).join("report.html")).expect("there");
    for words in [
        "The model follows the record to its noise",
        "All numbers that were sought are known",
    ] {
        assert!(value["verdict"].to_string().contains(words), "{value:#}");
        assert!(page.contains(words), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn a_fit_of_a_motion_that_is_stopped_tells_what_is_known_by_then() {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args([&SWINGS[..], &["--starts", "1000", "--json"]].concat())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Long after it has begun to listen, and long before a thousand searches are done.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let told = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(told.expect("a signal").success());
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("it was stopped"));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let status = value["status"].as_str().expect("a word");
    // The searches may not have begun.
    assert!(["stopped", "failed"].contains(&status), "{status}");
}

#[test]
fn pictures_of_another_kind_of_fit_do_not_stand_beside_a_page_without_a_word() {
    let folder = Folder::new("fit-twice");
    let dir = folder.0.join("out");
    let dir = dir.to_str().expect("text");
    let bounces = [
        "fit",
        "studies/ball-bounces.csv",
        "--laws",
        "flores",
        "--out",
        dir,
    ];
    assert_eq!(carom(&bounces).status.code(), Some(0));
    let force = [
        "fit",
        "studies/steel-ball-force.csv",
        "--laws",
        "flores",
        "--mass",
        "46 g",
    ];
    let force = [
        &force[..],
        &["--speed", "0.3 m/s", "--starts", "1", "--out", dir],
    ]
    .concat();
    let out = carom(&force);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("restitution.svg is there already"));
    let out = carom(&[&force[..], &["--force"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    let old = "restitution.svg, restitution.png, restitution.csv there are of an earlier fit";
    assert!(said.contains(old), "{said}");
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
        (good, "start=0..1 kg", "`start` is an instant"),
        (good, "start=0..1 s", "before the model does"),
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

/// What a table is answered with, by laws of forces or of speeds.
fn asked(folder: &Folder, table: &str, more: &[&str]) -> Output {
    fs::write(folder.0.join("t.csv"), table).expect("written");
    let arguments = [&["fit", "t.csv", "--laws", "hertz,flores"][..], more].concat();
    carom_in(&folder.0, &arguments)
}

#[test]
fn a_restitution_that_contradicts_the_speeds_beside_it_is_refused_with_its_line() {
    let folder = Folder::new("fit-contradiction");
    let table = "v_in [m/s],v_out [m/s],e\n1,0.5,0.5\n2,1.0,0.9\n3,1.5,0.5\n4,2,0.5\n5,2.5,0.1\n";
    let out = asked(&folder, table, &[]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    for words in [
        "t.csv:3:7",
        "restitution = 0.9, but 1 m/s of 2 m/s is 0.5",
        "t.csv:6:7",
        "2 errors",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // What rounding explains is no contradiction, and a restitution that was left out is none.
    let table = "v_in [mm/s];v_out [mm/s];e\n1000;664;0,66\n2030;1310;0,65\n3,0e3;1980;0.7\n4000;2600;\n5000;3260;0,65\n";
    let out = asked(&folder, &table.replace("0.7", "0,7"), &["--mass", "1"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    // Points and commas in one table may mean anything.
    let out = asked(&folder, table, &[]);
    let said = text(&out.stderr);
    assert!(
        out.status.code() == Some(2) && said.contains("decimal comma"),
        "{said}"
    );
    // Commas cannot be both.
    let out = asked(&folder, "height [m]\n1,0\n0,64\n0,41\n0,26\n", &[]);
    let said = text(&out.stderr);
    assert!(
        out.status.code() == Some(2) && said.contains("semicolons"),
        "{said}"
    );
}

#[test]
fn data_that_no_law_describes_are_said_to_be_so() {
    let folder = Folder::new("fit-misfit");
    let value = |out: &Output| -> Value {
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        serde_json::from_slice(&out.stdout).expect("one JSON value")
    };
    // A force that flies to and fro from sample to sample is none of a contact: no smooth curve follows it.
    let mut table = String::from("time [us],force [N]\n");
    for i in 0..40 {
        table.push_str(&format!(
            "{},{}\n",
            5 * i,
            if i % 2 == 0 { 10 } else { -10 }
        ));
    }
    let known = ["--mass", "46 g", "--speed", "0.3 m/s"];
    let out = asked(&folder, &table, &[&known[..], &["--json"]].concat());
    let said = value(&out);
    assert_eq!(said["describes"], false, "{said:#}");
    let explained = said["fits"][0]["explained"].as_f64().expect("a number");
    assert!(explained < 0.5, "{explained}");
    let words = "none of these laws describes";
    assert!(
        said["verdict"][0]
            .as_str()
            .is_some_and(|s| s.contains(words))
    );
    let out = asked(&folder, &table, &[&known[..], &["--out", "page"]].concat());
    assert!(text(&out.stdout).contains(words), "{}", text(&out.stdout));
    let page = fs::read_to_string(folder.0.join("page/report.html")).expect("written");
    assert!(page.contains(words));
    // Rebounds that have nothing to do with the approach.
    let table = "v_in,v_out\n1,0.1\n2,1.9\n3,0.2\n4,3.8\n5,0.3\n6,5.5\n7,0.5\n8,7.6\n";
    let said = value(&asked(&folder, table, &["--mass", "1", "--json"]));
    assert_eq!(said["describes"], false, "{said:#}");
    // One that was made with a law is described by it.
    let out = carom(&[
        "fit",
        "studies/steel-ball-force.csv",
        "--laws",
        "flores",
        "--mass",
        "46 g",
        "--speed",
        "0.3 m/s",
        "--json",
    ]);
    let said = value(&out);
    assert_eq!(said["describes"], true);
    assert!(
        said["fits"][0]["explained"]
            .as_f64()
            .is_some_and(|x| x > 0.95)
    );
    // Nothing at all was measured.
    let zero = "time [us],force [N]\n0,0\n5,0\n10,0\n15,0\n20,0\n25,0\n";
    let out = asked(&folder, zero, &known);
    let said = text(&out.stderr);
    assert!(
        out.status.code() == Some(2) && said.contains("the force is 0 N at every point"),
        "{said}"
    );
}

#[test]
fn the_page_doubts_an_answer_that_came_from_one_start_as_the_text_does() {
    let folder = Folder::new("fit-doubt");
    let table = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/steel-ball-force.csv"),
    );
    fs::write(folder.0.join("t.csv"), table.expect("there")).expect("written");
    let arguments =
        "fit t.csv --laws plastic,linear --mass 0.046 --speed 0.3 --starts 3 --out page";
    let arguments: Vec<&str> = arguments.split(' ').chain(["--json"]).collect();
    let out = carom_in(&folder.0, &arguments);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    let doubtful = value["fits"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|fit| {
            let alone = fit["starts"]["agreeing"].as_u64().is_some_and(|n| n < 2);
            alone || fit["settled"] == false
        });
    let doubtful = doubtful.count();
    assert!(doubtful > 0, "nothing to see: {value:#}");
    let page = fs::read_to_string(folder.0.join("page/report.html")).expect("written");
    assert_eq!(page.matches("Beware: found from ").count(), doubtful);
}

#[test]
fn numbers_that_no_law_takes_are_wrong_input_and_a_law_is_named_once() {
    let folder = Folder::new("fit-wrong-number");
    let rows = "time [ms],force [N]\n0,0\n1,30\n2,60\n3,80\n4,90\n5,80\n6,60\n7,30\n8,5\n9,0\n";
    fs::write(folder.0.join("t.csv"), rows).expect("written");
    let fit = |laws: &str| {
        let given = ["fit", "t.csv", "--laws", laws, "--param", "exponent=99"];
        carom_in(&folder.0, &given)
    };
    // No law can be fitted, whatever the data are.
    let out = fit("flores,hunt-crossley");
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("exponent = 99"));
    // One that has no exponent can.
    let out = fit("flores,tsuji");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    assert_eq!(said.matches("flores: ").count(), 1, "{said}");
}

#[test]
fn headings_that_advise_reads_are_read_by_fit_too() {
    let folder = Folder::new("fit-headings");
    for table in [
        "v,e\n1,0.5\n2,0.5\n3,0.5\n4,0.51\n",
        "speed [m/s],COR\n1,0.5\n2,0.5\n3,0.5\n4,0.51\n",
        "approach speed (m/s);rebound speed (m/s)\n1;0,5\n2;1\n3;1,5\n4;2,04\n",
    ] {
        let out = asked(&folder, table, &["--mass", "1", "--json"]);
        assert_eq!(out.status.code(), Some(0), "{table}{}", text(&out.stderr));
        let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
        assert_eq!(value["data"]["kind"], "speeds", "{table}");
        let advised = [
            "advise",
            "--measured",
            "t.csv",
            "--material",
            "steel,steel",
            "--radii",
            "0.01,0.01",
        ];
        let out = carom_in(&folder.0, &advised);
        assert_eq!(out.status.code(), Some(0), "{table}{}", text(&out.stderr));
    }
}

#[test]
fn a_force_with_its_sign_turned_and_a_record_that_begins_late_are_pointed_out() {
    let folder = Folder::new("fit-sign");
    let half_sine = |from: u32, sign: f64| {
        let mut table = String::from("time [us],force [N]\n");
        for i in 0..40 - from {
            let phase = std::f64::consts::PI * f64::from(i + from) / 40.0;
            table.push_str(&format!("{},{}\n", 5 * i, sign * 100.0 * phase.sin()));
        }
        table
    };
    let known = ["--mass", "46 g", "--speed", "0.3 m/s"];
    let out = asked(&folder, &half_sine(0, -1.0), &known);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the sign looks turned round") && said.contains("compression is positive"),
        "{said}"
    );
    // Half a sine is no law's force; but a record of all of it does not begin late.
    for (from, late) in [(0, false), (8, true)] {
        let out = asked(&folder, &half_sine(from, 1.0), &known);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let said = text(&out.stdout);
        let begun = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let begun = begun.contains("as if contact had begun before");
        assert_eq!(begun, late, "{from}: {said}");
    }
}

/// A slow test of Hertz's law, 5.5e9 N/m^1.5, whose indentation shows 1 µm at touch; the force is off by 2 N to either side in turns of five.
fn pressed() -> String {
    let mut table = String::from("indentation [um],force [N]\n");
    for i in 0..60 {
        let delta = 0.25 * f64::from(i);
        let off = [2.0, -2.0, -2.0, 2.0, 0.0][i as usize % 5];
        let force = 5.5e9 * (1e-6 * delta).powf(1.5) + off;
        table.push_str(&format!("{},{force}\n", delta + 1.0));
    }
    table
}

#[test]
fn the_zero_of_an_indentation_is_sought_or_given_as_the_help_says() {
    let folder = Folder::new("fit-zero");
    let exponent = |more: &[&str]| {
        let out = asked(&folder, &pressed(), &[&["--json"][..], more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let all = value["fits"][0]["parameters"].as_array().expect("a list");
        let interval = |name: &str| {
            let one = all.iter().find(|p| p["name"] == name);
            one.map(|p| [0, 1].map(|i| p["interval"][i].as_f64().expect("known")))
        };
        let [low, high] = interval("exponent").expect("sought");
        let notes = value["notes"].to_string();
        (low < 1.5 && 1.5 < high, interval("start"), notes)
    };
    let (right, start, notes) = exponent(&[]);
    assert!(!right && start.is_none() && notes.contains("fits better"));
    let (right, start, notes) = exponent(&["--free", "start"]);
    let [low, high] = start.expect("sought");
    assert!(right && low < 1e-6 && 1e-6 < high && !notes.contains("--free start"));
    let (right, start, notes) = exponent(&["--start", "1 um"]);
    assert!(right && start.is_none() && notes.contains("intervals suppose"));
}

#[test]
fn a_start_is_refused_where_there_is_none() {
    let folder = Folder::new("fit-no-start");
    let heights = "height [m]\n1.0\n0.641\n0.409\n0.263\n0.168\n";
    let pairs = "approach speed [m/s],rebound speed [m/s]\n1,0.8\n2,1.6\n3,2.4\n4,3.2\n5,4\n";
    let press = pressed();
    let instants = "time [s]\n0\n0.72\n1.29\n1.75\n2.12\n";
    for (table, more, words) in [
        (heights, ["--free", "start"], "heights have no start"),
        (pairs, ["--start", "1 s"], "speeds have no start"),
        (instants, ["--free", "start"], "sought as `first_time`"),
        (press.as_str(), ["--start", "1 s"], "--start"),
        (press.as_str(), ["--start", "inf"], "start = inf"),
    ] {
        let out = asked(&folder, table, &more);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{more:?}: {said}");
        assert!(said.contains(words), "{said}");
    }
    let both = ["--start", "1 um", "--free", "start"];
    let out = asked(&folder, &press, &both);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("not both"));
}

#[test]
fn a_number_of_a_model_that_is_hardly_known_or_at_its_bound_is_not_called_known() {
    let folder = Folder::new("fit-hardly");
    // A rod of 0.8 m begins to fall from 50 degrees: the angle is that of the first instants, 3 g sin(50 deg) t^2 / (4 L) less, with an error that has nothing of t^2 in it.
    let record = |step: f64, noise: f64| {
        let mut table = String::from("time [s],rod.angle [rad]\n");
        let squares: Vec<f64> = (0..8).map(|i| (step * f64::from(i)).powi(2)).collect();
        let signs = [1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0];
        let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let share = product(&signs, &squares) / product(&squares, &squares);
        let release = 50_f64.to_radians();
        for (i, (sign, square)) in signs.iter().zip(&squares).enumerate() {
            let fallen = 0.75 * 9.81 / 0.8 * release.sin() * square;
            let angle = release - std::f64::consts::FRAC_PI_2 - fallen;
            let off = noise * (sign - share * square);
            table.push_str(&format!("{},{}\n", step * i as f64, angle + off));
        }
        fs::write(folder.0.join("swing.csv"), table).expect("written");
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/pendulum.toml");
    let root = root.to_str().expect("text");
    let verdict = |range: &str| {
        let free = format!("parameters.L={range}");
        let out = carom_in(
            &folder.0,
            &[
                "fit",
                "swing.csv",
                "--model",
                root,
                "--set",
                "parameters.release=50 deg",
                "--free",
                &free,
                "--json",
            ],
        );
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        value["verdict"].to_string()
    };
    // One degree of noise, where the rod falls by half of one.
    record(0.005, 0.0175);
    let said = verdict("0.05..15 m");
    assert!(said.contains("`parameters.L` is hardly known"), "{said}");
    record(0.02, 0.0002);
    let said = verdict("0.05..15 m");
    assert!(said.contains("`parameters.L` is known"), "{said}");
    let said = verdict("1..15 m");
    assert!(
        said.contains("is held at its bound and not known"),
        "{said}"
    );
}

#[test]
fn a_number_is_answered_in_the_unit_in_which_its_bounds_were_asked() {
    let arguments = [&SWINGS[..], &["--starts", "2"]].concat();
    let out = carom(&arguments);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let line = |name: &str| said.lines().find(|line| line.contains(name));
    let release = line("parameters.release").expect("told");
    let degrees: Vec<&str> = release.split_whitespace().collect();
    let value: f64 = degrees[1].parse().expect("a number");
    // The file says that it was let go at 50 degrees.
    assert!(
        (value - 50.0).abs() < 1.0 && degrees[2] == "deg",
        "{release}"
    );
    assert!(!said.contains("mrad   95"), "{said}");
    assert!(
        line("parameters.L").is_some_and(|l| l.contains(" m ")),
        "{said}"
    );
}

#[test]
fn notes_of_the_page_are_whole_sentences() {
    let folder = Folder::new("fit-sentences");
    let out = asked(&folder, &pressed(), &["--out", "page"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let page = fs::read_to_string(folder.0.join("page/report.html")).expect("written");
    assert!(page.contains("<p>Without a rate the points are taken"));
    assert!(
        page.contains("<p>The best law (flores) fits better"),
        "{page}"
    );
    assert!(text(&out.stdout).contains("note: without a rate"));
}

#[test]
fn a_track_of_a_ball_is_pointed_to_a_model() {
    let folder = Folder::new("fit-track");
    let mut table = String::from("time [s],height [m]\n");
    for i in 0..20 {
        let t = 0.02 * f64::from(i);
        table.push_str(&format!("{t},{}\n", 1.0 - 0.5 * 9.81 * t * t));
    }
    let out = asked(&folder, &table, &[]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("t.csv:1:1") && said.contains("--model MODEL"),
        "{said}"
    );
    // As asked for they are heights of bounces.
    let out = asked(&folder, &table, &["--kind", "heights"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn an_offset_is_sought_where_there_is_a_force_and_refused_elsewhere() {
    let folder = Folder::new("fit-offset");
    let heights = "height [m]\n1.0\n0.641\n0.409\n0.263\n0.168\n";
    let out = asked(&folder, heights, &["--free", "offset"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("heights have no offset"), "{said}");
    let out = asked(&folder, &pressed(), &["--free", "offset", "--json"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let sought = value["fits"][0]["parameters"].as_array().expect("a list");
    assert!(
        sought
            .iter()
            .any(|p| p["name"] == "offset" && p["unit"] == "N"),
        "{value:#}"
    );
}

#[test]
fn a_record_on_a_clock_of_its_own_is_fitted_with_the_start_given_or_sought() {
    let folder = Folder::new("fit-clock");
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let swings = fs::read_to_string(top.join("studies/pendulum-swings.csv")).expect("there");
    // The same record on a clock that showed 12.3 s when the pendulum was let go.
    let later = |line: &str| match line.split_once(',') {
        Some((t, rest)) if t.parse::<f64>().is_ok() => {
            let t: f64 = t.parse().expect("a number");
            format!("{},{rest}\n", t + 12_300.0)
        }
        _ => format!("{line}\n"),
    };
    let table: String = swings.lines().map(later).collect();
    fs::write(folder.0.join("late.csv"), table).expect("written");
    let model = top.join("models/pendulum.toml");
    let model = model.to_str().expect("text");
    let fitted = |more: &[&str]| {
        let asked = ["fit", "late.csv", "--model", model, "--json"];
        let length = ["--free", "parameters.L=0.3..3 m"];
        let release = ["--free", "parameters.release=10..120 deg"];
        let out = carom_in(&folder.0, &[&asked[..], &length, &release, more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        value
    };
    let plain: Value =
        serde_json::from_slice(&carom(&[&SWINGS[..], &["--json"]].concat()).stdout).expect("JSON");
    let number = |value: &Value, i: usize| value["numbers"][i]["value"].as_f64().expect("found");
    let given = fitted(&["--start", "12.3 s"]);
    assert!((number(&given, 0) / number(&plain, 0) - 1.0).abs() < 1e-6);
    let rows: Vec<&str> = swings.lines().collect();
    let data = rows
        .iter()
        .position(|line| line.starts_with("time"))
        .expect("a head");
    // Without its first ten rows it may have begun a little later too.
    let fewer = rows
        .iter()
        .enumerate()
        .filter(|(i, _)| *i <= data || *i > data + 10);
    let fewer: String = fewer.map(|(_, line)| later(line)).collect();
    fs::write(folder.0.join("late.csv"), fewer).expect("written");
    let sought = fitted(&["--free", "start=12..12.31 s"]);
    let [low, high] = [0, 1].map(|i| sought["numbers"][2]["interval"][i].as_f64().expect("known"));
    // One interval of twenty misses what it is about, but hardly one by its own width.
    let width = high - low;
    assert!(
        low - width < 12.3 && 12.3 < high + width && width < 0.01,
        "{low} {high}"
    );
}

/// Two balls for a contact that is pasted.
const TWO_BALLS: &str = r#"
format = 1
[simulation]
end = "20 ms"
output_step = "1 ms"
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

#[test]
fn the_table_for_a_model_file_is_one_that_check_accepts_whichever_law_it_is() {
    let folder = Folder::new("fit-paste");
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let study = |name: &str| {
        let path = top.join("studies").join(name);
        path.to_str().expect("text").to_string()
    };
    let known = ["--mass", "46 g", "--speed", "0.3 m/s", "--starts", "1"];
    let few = ["--starts", "1"];
    for (table, laws, more) in [
        ("steel-ball-force.csv", "all", &known[..]),
        ("ball-bounces.csv", "flores,kuwabara-kono,hertz", &few),
    ] {
        let table = study(table);
        let asked = [&["fit", &table, "--laws", laws, "-q"][..], more].concat();
        let out = carom_in(&folder.0, &[&asked[..], &["--json"]].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let value: Value = serde_json::from_slice(&out.stdout).expect("JSON");
        let fits = value["fits"].as_array().expect("a list");
        for fit in fits.iter().filter(|fit| fit["kind"] == "law") {
            let block = fit["model_file"].as_str().expect("a table");
            let own = block.replace("one.skin", "left.skin");
            let own = own.replace("other.skin", "right.skin");
            fs::write(folder.0.join("m.toml"), format!("{TWO_BALLS}{own}")).expect("written");
            let out = carom_in(&folder.0, &["check", "m.toml"]);
            let said = text(&out.stderr);
            assert_eq!(
                out.status.code(),
                Some(0),
                "{}:\n{block}\n{said}",
                fit["law"]
            );
        }
    }
    // In the text and on the page stands that of the law that leads.
    let force = study("steel-ball-force.csv");
    let asked = [
        &["fit", &force, "--laws", "flores,hertz", "--out", "o"][..],
        &known,
    ];
    let out = carom_in(&folder.0, &asked.concat());
    let page = fs::read_to_string(folder.0.join("o/report.html")).expect("written");
    for place in [text(&out.stdout), page] {
        assert!(place.contains("For a model file (flores)"), "{place}");
        assert!(place.contains("[contact.impact]"), "{place}");
    }
    // What bounces do not tell is marked, and what they tell of it together has its value.
    let bounces = study("ball-bounces.csv");
    let out = carom_in(&folder.0, &["fit", &bounces, "--laws", "kuwabara-kono"]);
    let said = text(&out.stdout);
    assert!(said.contains("not known by itself"), "{said}");
    assert!(said.contains("found with an effective mass of"), "{said}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("`mass`^-0.4 is known: "), "{words}");
}

#[test]
fn what_was_found_is_told_also_where_files_cannot_be_written() {
    let folder = Folder::new("fit-no-room");
    let table = "height [m]\n1\n0.64\n0.41\n0.262\n0.168\n0.107\n";
    fs::write(folder.0.join("taken"), "").expect("written");
    // What is seen beforehand is said at once.
    let out = asked(&folder, table, &["--out", "taken/of/it"]);
    let said = text(&out.stderr);
    assert_eq!(
        (out.status.code(), text(&out.stdout).len()),
        (Some(2), 0),
        "{said}"
    );
    assert!(said.contains("taken is a file"), "{said}");
    // No file system has such a name.
    let long = "x".repeat(5000);
    for more in [&[][..], &["--json"]] {
        let out = asked(&folder, table, &[&["--out", &long][..], more].concat());
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains("cannot write"));
        assert!(text(&out.stdout).contains("e-constant"));
    }
}

#[test]
fn a_table_in_another_encoding_is_refused_with_its_line() {
    let folder = Folder::new("fit-latin");
    let table = folder.0.join("t.csv");
    fs::write(&table, b"# measured\nindentation [\xb5m],force [N]\n1,2\n").expect("written");
    let out = carom_in(&folder.0, &["fit", "t.csv", "--laws", "hertz"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("line 2 is not text in UTF-8") && said.contains("Hint"),
        "{said}"
    );
}

#[test]
fn points_that_cannot_be_ranked_have_no_distance() {
    let folder = Folder::new("fit-unranked");
    let out = asked(&folder, "height [m]\n1\n0.8\n0.6\n0.5\n", &["--json"]);
    let value: serde_json::Value = serde_json::from_slice(&out.stdout).expect("one value");
    assert!(value["best"].is_null(), "{value:#}");
    assert!(
        value["verdict"][0]
            .as_str()
            .expect("words")
            .contains("too few")
    );
    let fits = value["fits"].as_array().expect("fits");
    let constant = fits
        .iter()
        .find(|f| f["law"] == "e-constant")
        .expect("there");
    assert!(constant["delta_aicc"].is_null() && constant["weight"].is_null());
}
