//! Does `carom sweep` give the same results whatever happens to it, and does it say what is wrong with a study?

mod folder;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use folder::{Folder, carom_in, text};
use serde_json::Value;

/// Random impacts: many points that take no time.
const IMPACTS: &str = r#"
format = 1
[study]
block = 500
[impact]
law = "flores"
stiffness = "5.5e9 N/m^1.5"
[design]
type = "random"
count = 20000
seed = 3
[vary.m]
path = "impact.mass"
from = "1 g"
to = "1 kg"
spacing = "log"
[vary.speed]
path = "impact.speed"
mean = "0.3 m/s"
deviation = "0.1 m/s"
[vary.e]
path = "impact.restitution"
from = 0.1
to = 1
[output.returned]
of = "restitution"
[output.error]
of = "restitution - e"
[picture.error]
type = "lines"
x = "e"
y = "error"
[picture.map]
type = "heat-map"
x = "e"
y = "speed"
value = "returned"
"#;

/// A ball that bounces, a few runs.
const BALL: &str = r#"
format = 1
[study]
model = "ball.toml"
block = 1
[vary.law]
path = "contact.floor.law"
values = ["flores", "hunt-crossley"]
[vary.e]
path = "contact.floor.restitution"
from = 0.6
to = 1.1
count = 6
[output.bounces]
of = "contacts"
[output.hardest]
of = "contacts.peak_force"
take = "max"
element = "contact.floor"
[output.depth]
of = "-1*ball.y"
take = "max"
unit = "m"
[output.height]
of = "ball.y"
take = "last"
[picture.hardest]
type = "lines"
x = "e"
y = "hardest"
each = "law"
"#;

const MODEL: &str = r#"
format = 1
[simulation]
end = "1 s"
output_step = "1 ms"
gravity = [0, -9.81]
[ground]
shapes.floor = { type = "half-plane" }
[body.ball]
mass = "1 kg"
inertia = "0.1 kg m^2"
position = [0, "0.3 m"]
shapes.skin = { type = "circle", radius = "0.1 m" }
[contact.floor]
between = ["ground.floor", "ball.skin"]
law = "flores"
stiffness = "1.4e8 N/m^1.5"
restitution = 0.9
"#;

fn prepared(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (name, text) in [
        ("impacts.toml", IMPACTS),
        ("balls.toml", BALL),
        ("ball.toml", MODEL),
    ] {
        fs::write(folder.0.join(name), text).expect("it can be written");
    }
    folder
}

fn sweep(folder: &Folder, arguments: &[&str]) -> Value {
    let mut all = vec!["sweep", "--json", "--quiet"];
    all.extend(arguments);
    let out = carom_in(&folder.0, &all);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("one JSON value")
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.0.join(name)).expect("it is there")
}

#[test]
fn results_are_the_same_bytes_whatever_the_number_of_threads_and_parts() {
    let folder = prepared("sweep-same");
    sweep(&folder, &["impacts.toml", "--out", "one", "--threads", "1"]);
    let one = bytes(&folder, "one/results.parquet");
    sweep(
        &folder,
        &["impacts.toml", "--out", "four", "--threads", "4"],
    );
    assert!(one == bytes(&folder, "four/results.parquet"));
    for (part, out) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        let said = sweep(&folder, &["impacts.toml", "--out", out, "--shard", part]);
        assert_eq!(said["status"], "partial");
    }
    // Two of three are not all.
    let out = carom_in(&folder.0, &["sweep", "--merge", "a", "c", "--out", "two"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(
        said.contains("13 of 40 blocks of points are missing")
            && said.contains("500 to 999")
            && said.contains("--shard 2/3, then"),
        "{said}"
    );
    assert!(!folder.0.join("two").exists());
    sweep(&folder, &["--merge", "a", "b", "c", "--out", "three"]);
    assert!(one == bytes(&folder, "three/results.parquet"));
    assert!(bytes(&folder, "one/map.svg") == bytes(&folder, "three/map.svg"));
    // All parts in one directory: whoever comes last joins them.
    for part in ["1/2", "2/2"] {
        sweep(
            &folder,
            &["impacts.toml", "--out", "shared", "--shard", part],
        );
    }
    assert!(one == bytes(&folder, "shared/results.parquet"));
}

#[test]
fn a_sweep_that_is_killed_goes_on_where_it_was_and_ends_with_the_same_bytes() {
    let folder = prepared("sweep-killed");
    sweep(&folder, &["balls.toml", "--out", "whole"]);
    let whole = bytes(&folder, "whole/results.parquet");
    let start = |out: &str| -> Child {
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .args([
                "sweep",
                "balls.toml",
                "--threads",
                "1",
                "--quiet",
                "--out",
                out,
            ])
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    let parts = |out: &str| -> usize {
        let entries = fs::read_dir(folder.0.join(out).join("parts"));
        let whole = |path: &Path| path.extension().is_some_and(|end| end == "parquet");
        entries.map_or(0, |all| all.flatten().filter(|e| whole(&e.path())).count())
    };
    let mut cut_short = 0;
    for wanted in [1, 3, 6] {
        let out = format!("killed{wanted}");
        let mut child = start(&out);
        for _ in 0..2000 {
            if parts(&out) >= wanted || child.try_wait().expect("it can be asked").is_some() {
                break;
            }
            sleep(Duration::from_millis(2));
        }
        // No chance to tidy up.
        let _ = child.kill();
        child.wait().expect("it has ended");
        cut_short += usize::from(!folder.0.join(&out).join("results.parquet").exists());
        // A part that a machine left half-written when it lost its power.
        if let Some(part) = fs::read_dir(folder.0.join(&out).join("parts"))
            .into_iter()
            .flatten()
            .flatten()
            .next()
        {
            fs::write(part.path(), b"PAR1").expect("it can be written");
        }
        let said = sweep(&folder, &["balls.toml", "--out", &out]);
        assert_eq!(said["points"], 12);
        assert!(
            whole == bytes(&folder, &format!("{out}/results.parquet")),
            "{wanted}"
        );
        assert!(!folder.0.join(&out).join("parts").exists());
    }
    assert!(cut_short > 0, "no sweep was cut short: nothing was tested");
    // Once more: nothing is left to do.
    let said = sweep(&folder, &["balls.toml", "--out", "whole"]);
    assert_eq!(said["computed"], 0);
}

#[test]
fn a_changed_study_is_refused_in_words_but_other_pictures_are_not() {
    let folder = prepared("sweep-changed");
    sweep(&folder, &["balls.toml", "--out", "out"]);
    let refused = |arguments: &[&str], words: &str| {
        let out = carom_in(&folder.0, arguments);
        assert_eq!(out.status.code(), Some(2));
        let said = text(&out.stderr);
        assert!(said.contains(words) && said.contains("--force"), "{said}");
    };
    refused(
        &[
            "sweep",
            "balls.toml",
            "--out",
            "out",
            "--set",
            "vary.e.count=7",
        ],
        "it has 12 points, and the study now 14",
    );
    fs::write(
        folder.0.join("drawn.toml"),
        BALL.replace("y = \"hardest\"", "y = \"height\""),
    )
    .expect("it can be written");
    let said = sweep(&folder, &["drawn.toml", "--out", "out"]);
    assert_eq!(said["computed"], 0);
    fs::write(folder.0.join("ball.toml"), MODEL.replace("0.3 m", "0.4 m"))
        .expect("it can be written");
    refused(
        &["sweep", "balls.toml", "--out", "out"],
        "the model file has changed",
    );
    fs::create_dir(folder.0.join("mine")).expect("it can be made");
    fs::write(folder.0.join("mine/letter.txt"), "dear").expect("it can be written");
    refused(
        &["sweep", "balls.toml", "--out", "mine"],
        "letter.txt is there",
    );
    sweep(&folder, &["balls.toml", "--out", "out", "--force"]);
}

#[test]
fn a_point_that_fails_is_recorded_with_its_reason() {
    let folder = prepared("sweep-failed");
    // A restitution of 1.1 is none: two of twelve points.
    let said = sweep(&folder, &["balls.toml", "--out", "out", "--csv"]);
    assert_eq!(said["failed"], 2);
    let reason = said["failures"][0]["reason"]
        .as_str()
        .expect("there is one");
    // In its own words, with its numbers.
    assert!(
        reason.contains("restitution") && reason.contains("0 ≤ x ≤ 1"),
        "{reason}"
    );
    let csv = text(&bytes(&folder, "out/results.csv"));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "point,law,e,bounces,hardest [N],depth [m],height [m],failure,warnings"
    );
    assert_eq!(lines.len(), 13);
    assert!(
        lines[6].starts_with("5,flores,1.1,NaN,NaN,NaN,NaN,") && lines[6].contains("restitution"),
        "{}",
        lines[6]
    );
    // The ball falls 0.2 m: it hits with √(2 g h), and without losses the elastic law gives the force, K δ^1.5 with K δ^2.5/2.5 = m v²/2 + m g δ.
    let elastic: Vec<&str> = lines[5].split(',').collect();
    assert_eq!(&elastic[..3], ["4", "flores", "1"]);
    let (k, weight): (f64, f64) = (1.4e8, 9.81);
    let mut delta = 1e-4_f64;
    for _ in 0..50 {
        delta = (2.5 * (weight * 0.2 + weight * delta) / k).powf(0.4);
    }
    let force: f64 = elastic[4].parse().expect("a number");
    assert!(
        (force / (k * delta.powf(1.5)) - 1.0).abs() < 1e-6,
        "{force}"
    );
}

#[test]
fn samples_once_a_period_lie_where_the_period_says() {
    let folder = Folder::new("sweep-samples");
    let model = r#"
format = 1
[parameters]
omega = "10 rad/s"
[simulation]
end = "1 s"
output_step = "10 ms"
[body.wheel]
mass = 1
inertia = 1
angular_velocity = "omega"
[joint.axle]
type = "revolute"
between = ["ground", "wheel"]
[driver.motor]
joint = "axle"
speed = "omega"
"#;
    let study = r#"
format = 1
[study]
model = "wheel.toml"
[section]
period = "tau/omega"
skip = 2
count = 3
[vary.omega]
path = "parameters.omega"
values = ["3 rad/s", "60 rpm"]
[output.turns]
of = "wheel.angle/tau"
take = "samples"
[output.middle]
of = "wheel.angle"
take = "mean"
from = "4*tau/omega"
"#;
    fs::write(folder.0.join("wheel.toml"), model).expect("it can be written");
    fs::write(folder.0.join("study.toml"), study).expect("it can be written");
    sweep(&folder, &["study.toml", "--out", "out", "--csv"]);
    let csv = text(&bytes(&folder, "out/results.csv"));
    for line in csv.lines().skip(1) {
        let cells: Vec<f64> = line
            .split(',')
            .take(6)
            .map(|cell| cell.parse().expect("a number"))
            .collect();
        for (cell, turns) in cells[2..5].iter().zip([3.0, 4.0, 5.0]) {
            assert!((cell - turns).abs() < 1e-9, "{line}");
        }
        // From the fourth turn to the fifth, on the mean four and a half.
        assert!(
            (cells[5] / std::f64::consts::TAU - 4.5).abs() < 1e-2,
            "{line}"
        );
    }
    // The last sample is the end, whatever the last digits of both are.
    let last = study.replace("4*tau/omega", "tau/omega*5");
    fs::write(folder.0.join("last.toml"), last).expect("written");
    sweep(&folder, &["last.toml", "--out", "last", "--csv"]);
    for line in text(&bytes(&folder, "last/results.csv")).lines().skip(1) {
        let turns = line.split(',').nth(5).map(|cell| cell.parse::<f64>());
        let turns = turns.expect("it is there").expect("a number") / std::f64::consts::TAU;
        assert!((turns - 5.0).abs() < 1e-9, "{line}");
    }
    // The run ends with the last sample: an end set beside that would not be heard.
    let set = study.replace(
        "[section]",
        "set = { \"simulation.end\" = \"9 s\" }\n[section]",
    );
    let varied = study.replace(
        "[output.turns]",
        "[vary.end]\npath = \"simulation.end\"\nvalues = [8, 9]\n[output.turns]",
    );
    for (study, place) in [(set, "study.set"), (varied, "vary.end.path")] {
        fs::write(folder.0.join("end.toml"), study).expect("written");
        let out = carom_in(&folder.0, &["sweep", "end.toml", "--out", "end"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert_eq!(places(&said), [place], "{said}");
        assert!(
            said.contains("`simulation.end` follows from [section]"),
            "{said}"
        );
    }
    // After the end there is nothing to take.
    fs::write(folder.0.join("late.toml"), study.replace("4*tau", "6*tau")).expect("written");
    let late = carom_in(&folder.0, &["sweep", "late.toml", "--out", "late"]);
    assert_eq!(late.status.code(), Some(2));
    let said = text(&late.stderr);
    assert!(
        said.contains("(output.middle.from)") && said.contains("and the run ends at"),
        "{said}"
    );
}

#[test]
fn everything_wrong_with_a_study_is_said_at_once_with_its_line() {
    let folder = prepared("sweep-wrong");
    let study = r#"format = 1
[study]
titel = "x"
model = "ball.toml"
[vary.e]
path = "contact.floor.restitution"
from = "1 m"
to = 2
[vary.k]
path = "contact.floor.stiffness"
values = []
[output.a]
of = "contacts.peek_force"
take = "max"
[output.b]
of = "ball.y"
[picture.p]
type = "lines"
x = "ee"
y = "b"
"#;
    fs::write(folder.0.join("wrong.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    for words in [
        "wrong.toml:3:1  (study.titel)",
        "did you mean `title`?",
        "wrong.toml:8:6  (vary.e.to)",
        "wrong.toml:11:10  (vary.k.values)",
        "contacts have no `peek_force`",
        "did you mean `peak_force`",
        "`take` is missing",
        "`ee` is no parameter of numbers",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    assert!(!folder.0.join("out").exists());
    // What only the model knows is said at its place in the study, beside all else.
    let study = BALL
        .replace("-1*ball.y", "-1*bal.y")
        .replace("contact.floor.law", "contact.flor.law");
    fs::write(folder.0.join("wrong.toml"), &study).expect("it can be written");
    let said = text(&carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]).stderr);
    for words in [
        "(vary.law.path)",
        "contact.floor",
        "(output.depth.of)",
        "did you mean ball.y",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
}

/// Every place that is complained about, in the order of the complaints.
fn places(said: &str) -> Vec<&str> {
    let all = said.lines().filter_map(|line| line.split_once("  ("));
    all.filter_map(|(_, rest)| Some(rest.split_once(')')?.0))
        .collect()
}

#[test]
fn faults_of_every_kind_in_a_study_of_a_model_are_said_in_one_round() {
    let folder = prepared("sweep-all-of-a-model");
    let study = r#"format = 1
[study]
model = "ball.toml"
block = "many"
[design]
type = "gird"
[vary.e]
path = "contact.flor.restitution"
from = "0.1 mm/z"
to = 2
[vary.k]
path = "contact.flor.stiffness"
from = 1e6
to = 1e7
count = 3
[vary.mixed]
path = "simulation.output_step"
values = [0.1, "2 kg", 0, "3 s"]
[vary.odd]
path = "simulation.rtolerance"
from = 1
two = 2
[output.speed]
of = "ball.vy"
take = "max"
unit = "kg"
[output.nothing]
of = "bal.y"
take = "max"
[output.peak]
of = "contacts.peak_force"
take = "max"
element = "contact.flour"
[picture.p]
type = "lines"
x = "kk"
y = "speed"
[fit.f]
of = "sped"
over = "k"
formula = "a*kk"
start = { a = 1 }
"#;
    fs::write(folder.0.join("wrong.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert_eq!(
        places(&said),
        [
            "study.block",
            "design.type",
            "vary.e.path",
            "vary.e.from",
            "vary.k.path",
            "vary.mixed.values",
            "vary.mixed.values",
            "vary.odd.path",
            "vary.odd.two",
            "output.speed.unit",
            "output.nothing.of",
            "output.peak.element",
            "picture.p.x",
            "fit.f.of",
            "fit.f.formula",
        ],
        "{said}"
    );
    for words in ["did you mean ball.y", "did you mean `contact.floor`?"] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    // Where it is not known what is run, the rest is looked at none the less.
    for (from, to) in [
        ("model = \"ball.toml\"\n", ""),
        (
            "[design]",
            "[impact]\nlaw = \"hertz\"\nmass = 1\nspeed = 1\n[design]",
        ),
    ] {
        fs::write(folder.0.join("wrong.toml"), study.replace(from, to)).expect("written");
        let said = text(&carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]).stderr);
        for place in [
            "study.model",
            "design.type",
            "vary.e.from",
            "vary.odd.two",
            "picture.p.x",
            "fit.f.formula",
        ] {
            assert!(places(&said).contains(&place), "{place} is not in\n{said}");
        }
    }
}

#[test]
fn what_a_study_should_have_given_its_model_is_not_missed_in_it() {
    let folder = prepared("sweep-given-by-study");
    let model = text(&bytes(&folder, "ball.toml"));
    let without: Vec<&str> = model
        .lines()
        .filter(|line| !line.starts_with("stiffness"))
        .collect();
    assert!(without.len() < model.lines().count(), "{model}");
    fs::write(folder.0.join("ball.toml"), without.join("\n")).expect("it can be written");
    let study = "format = 1\n[study]\nmodel = \"ball.toml\"\n[vary.k]\npath = \"contact.floor.stiffness\"\nfrom = 1e6\nto = 1e7\ncount = 3\n[output.y]\nof = \"ball.y\"\ntake = \"max\"\n";
    let said = |study: String| {
        fs::write(folder.0.join("s.toml"), study).expect("it can be written");
        let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
        (out.status.code(), text(&out.stderr))
    };
    let (code, fine) = said(study.to_string());
    assert_eq!(code, Some(0), "{fine}");
    let (code, wrong) = said(study.replace("1e7", "\"1e7 N/z\""));
    assert_eq!(
        (code, places(&wrong)),
        (Some(2), vec!["vary.k.to"]),
        "{wrong}"
    );
}

#[test]
fn faults_of_every_kind_in_a_study_of_impacts_are_said_in_one_round() {
    let folder = prepared("sweep-all-of-an-impact");
    let study = r#"format = 1
[impact]
law = "florez"
mass = "1 m"
stifness = 1e9
rtol = 1
[design]
type = "halton"
[vary.v]
path = "impact.sped"
from = "0.1 m/s"
to = "1 kg"
[vary.n]
path = "impact.exponnt"
from = 1
to = 2
[vary.m]
path = "impact.restitution"
mean = 0.5
deviation = -1
[output.a]
of = "peak_forc"
[output.b]
of = "peak_force*v"
[output.c]
of = "restitution"
unit = "kg"
[output.d]
of = "peak_force + duration"
"#;
    fs::write(folder.0.join("wrong.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert_eq!(
        places(&said),
        [
            "impact.law",
            "impact.mass",
            "impact.stifness",
            "impact.rtol",
            "design.count",
            "vary.v.path",
            "vary.v.to",
            "vary.n.path",
            "vary.m.deviation",
            "output.a.of",
            "output.c.unit",
            "output.d.of",
        ],
        "{said}"
    );
    for words in [
        "did you mean `stiffness`",
        "did you mean `impact.speed`",
        "did you mean `impact.exponent`",
    ] {
        assert!(said.contains(words), "{words} is not in\n{said}");
    }
    // What one of the laws has, of which another is misspelt, may be that one's.
    let laws = "[vary.l]\npath = \"impact.law\"\nvalues = [\"flores\", \"thorntn\"]\n[output.a]";
    let several = study
        .replace("stifness", "limiting_pressure")
        .replace("florez", "flores")
        .replace("[output.a]", laws);
    fs::write(folder.0.join("wrong.toml"), several).expect("it can be written");
    let said = text(&carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]).stderr);
    assert!(said.contains("wrong.toml:23:21  (vary.l.values)"), "{said}");
    assert!(!said.contains("impact.limiting_pressure"), "{said}");
    // Of a law that is known its own names are told.
    fs::write(
        folder.0.join("wrong.toml"),
        study.replace("florez", "flores"),
    )
    .expect("it can be written");
    let said = text(&carom_in(&folder.0, &["sweep", "wrong.toml", "--out", "out"]).stderr);
    assert!(
        said.contains("`stifness` is nothing that `flores` has"),
        "{said}"
    );
}

#[test]
fn designs_beyond_all_patience_and_names_of_own_columns_are_refused_at_once() {
    let folder = prepared("sweep-huge");
    let study = "format = 1\n[impact]\nlaw = \"flores\"\nmass = 1\nspeed = 1\nstiffness = 1e9\n[vary.e]\npath = \"impact.restitution\"\nfrom = 0.1\nto = 0.9\ncount = 3\n[output.r]\nof = \"restitution\"\n";
    let said = |text_of: String| {
        fs::write(folder.0.join("s.toml"), text_of).expect("it can be written");
        let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
        assert_eq!(out.status.code(), Some(2));
        text(&out.stderr)
    };
    // Once it looked for as many files without a word.
    let huge = said(study.replace("count = 3", "count = 9223372036854775807"));
    assert!(huge.contains("100000000000 points"), "{huge}");
    let parts = said(study.replace("count = 3", "count = 100000000") + "[study]\nblock = 1\n");
    assert!(parts.contains("100000000 parts"), "{parts}");
    for name in ["point", "failure"] {
        let own = said(study.replace("output.r", &format!("output.{name}")));
        assert!(own.contains("a column of every table"), "{own}");
        let own = said(study.replace("vary.e", &format!("vary.{name}")));
        assert!(own.contains("a column of every table"), "{own}");
    }
    // Expressions would take the constant in its place, without a word.
    let taken = said(study.replace("vary.e", "vary.tau"));
    assert!(taken.contains("`tau` has a meaning of its own"), "{taken}");
    let fit = "[fit.line]\nof = \"r\"\nover = \"e\"\nformula = \"pi*e\"\nstart = { pi = 1 }\n";
    let taken = said(study.to_string() + fit);
    assert!(taken.contains("`pi` has a meaning of its own"), "{taken}");
    // Tables of models have one column more.
    fs::write(
        folder.0.join("b.toml"),
        BALL.replace("output.height", "output.warnings"),
    )
    .expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "b.toml", "--out", "out"]);
    let own = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{own}");
    assert!(
        own.contains("`warnings` is a column of every table"),
        "{own}"
    );
}

#[test]
fn memory_does_not_grow_with_the_number_of_points() {
    // Where the system tells the most a process ever had.
    if !Path::new("/proc/self/status").exists() {
        return;
    }
    let folder = prepared("sweep-memory");
    let most = |count: &str, out: &str| -> u64 {
        let set = format!("design.count={count}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args([
                "sweep",
                "impacts.toml",
                "--quiet",
                "--out",
                out,
                "--set",
                &set,
                "--set",
                "study.block=8192",
            ])
            .args(["--threads", "2", "--set", "impact.rtol=1e-6"])
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut most = 0;
        while child.try_wait().expect("it can be asked").is_none() {
            let status =
                fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes =
                line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
            most = most.max(kilobytes.unwrap_or(0));
            sleep(Duration::from_millis(5));
        }
        most
    };
    let (few, many) = (most("60000", "few"), most("300000", "many"));
    assert!(few > 0 && many < 200_000, "{few} kB, {many} kB");
    assert!(many < few + 60_000, "{few} kB, {many} kB");
}

#[test]
fn the_studies_that_come_with_the_program_do_what_they_say() {
    let folder = Folder::new("sweep-studies");
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut seen = Vec::new();
    for entry in fs::read_dir(&studies).expect("there are studies") {
        let path = entry.expect("it is readable").path();
        // Measured data lie beside them.
        if path.extension().is_none_or(|kind| kind != "toml") {
            continue;
        }
        let name = path
            .file_stem()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        let small: &[&str] = match name.as_str() {
            "impacts" => &["design.count=20000"],
            "clearance" => &[
                "vary.speed.count=2",
                "vary.play.count=2",
                "vary.friction.values=[0.05]",
                "section.count=2",
                // Its outputs begin after six turns.
                "section.skip=6",
            ],
            "damping-over-restitution" => &["vary.e.count=56", "vary.n.count=3"],
            "bouncing-ball" => &["vary.e.count=3"],
            _ => &["vary.n.count=3"],
        };
        let file = path.display().to_string();
        let mut arguments = vec![file.as_str(), "--out", name.as_str()];
        for set in small {
            arguments.extend(["--set", set]);
        }
        let said = sweep(&folder, &arguments);
        assert_eq!(said["failed"], 0, "{name}");
        for file in said["files"].as_array().expect("a list") {
            let file = folder.0.join(&name).join(file.as_str().expect("a name"));
            assert!(
                fs::metadata(&file).is_ok_and(|file| file.len() > 0),
                "{file:?}"
            );
        }
        match name.as_str() {
            // The error of the law stays below 0.046 everywhere, as its card says.
            "impacts" => {
                let error = &said["outputs"][1];
                let least = error["min"].as_f64().expect("a number");
                assert!((-0.046..-0.045).contains(&least), "{least}");
            }
            // α and β of the pattern at n = 1 and 2, by least squares over e from 0.45 to 1, and the printed polynomials; the pattern itself is near the damping with both.
            "damping-over-restitution" => {
                let rows = said["fits"][0]["rows"].as_array().expect("a list");
                let number = |value: &Value| value.as_f64().expect("a number");
                for (row, [a, b, printed_a, printed_b]) in rows.iter().step_by(2).zip([
                    [1.54, -0.414, 1.4181, -0.44],
                    [2.24, -0.250, 2.9796, -0.19124],
                ]) {
                    assert!((number(&row["found"][0]) - a).abs() < 0.02, "{row}");
                    assert!((number(&row["found"][1]) - b).abs() < 0.004, "{row}");
                    assert!(
                        (number(&row["compared"][0]) - printed_a).abs() < 1e-4,
                        "{row}"
                    );
                    assert!(
                        (number(&row["compared"][1]) - printed_b).abs() < 1e-4,
                        "{row}"
                    );
                    assert!(number(&row["worst"]) < number(&row["worst_compared"]));
                    assert!(number(&row["worst_compared"]) < 0.01 * 0.6, "{row}");
                }
            }
            // The slopes of eq. 35, known from dimensions.
            "damping-over-mass" | "damping-over-speed" | "damping-over-stiffness" => {
                for row in said["fits"][0]["rows"].as_array().expect("a list") {
                    let off = row["found"][1]
                        .as_f64()
                        .zip(row["compared"][0].as_f64())
                        .map(|(a, b)| (a - b).abs());
                    assert!(off.is_some_and(|off| off < 1e-9), "{row}");
                }
            }
            _ => {}
        }
        seen.push(name);
    }
    assert!(seen.len() >= 7, "{seen:?}");
}

#[test]
fn two_processes_do_not_write_into_one_directory() {
    let folder = prepared("sweep-locked");
    let many = [
        "sweep",
        "impacts.toml",
        "--set",
        "design.count=1e8",
        "--threads",
        "1",
        "--quiet",
        "--out",
        "out",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(many)
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let lock = folder.0.join("out/sweep.lock");
    for _ in 0..2000 {
        if folder.0.join("out/sweep.json").exists() {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    let out = carom_in(&folder.0, &many);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains(&format!("another process ({})", child.id())),
        "{said}"
    );
    // Not even by force.
    let out = carom_in(&folder.0, &[&many[..], &["--force"]].concat());
    assert_eq!(out.status.code(), Some(2));
    // One that was killed leaves its lock, and the next takes it over.
    let _ = child.kill();
    child.wait().expect("it has ended");
    assert!(lock.exists());
    let few = [
        "sweep",
        "impacts.toml",
        "--set",
        "design.count=1000",
        "--force",
        "--out",
        "out",
    ];
    let out = carom_in(&folder.0, &few);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("taken over"), "{said}");
    assert!(!lock.exists());
}

#[test]
fn what_the_runs_warn_of_is_counted_and_told() {
    let folder = prepared("sweep-warned");
    let said = sweep(&folder, &["balls.toml", "--out", "out", "--csv"]);
    let csv = text(&bytes(&folder, "out/results.csv"));
    // The last column of every line, code by code.
    let mut points = std::collections::BTreeMap::new();
    for line in csv.lines().skip(1) {
        let (_, warnings) = line.rsplit_once(',').expect("cells");
        for word in warnings.split_whitespace() {
            let code = word.split('×').next().expect("a code").to_string();
            *points.entry(code).or_insert(0_u64) += 1;
        }
    }
    assert!(!points.is_empty(), "{csv}");
    let told = said["warnings"].as_array().expect("a list");
    assert_eq!(told.len(), points.len(), "{told:?}");
    for one in told {
        let code = one["code"].as_str().expect("a code");
        assert_eq!(one["points"].as_u64(), points.get(code).copied(), "{code}");
        assert!(one["count"].as_u64() >= one["points"].as_u64());
        let page = text(&bytes(&folder, "out/index.html"));
        assert!(page.contains(code), "{code}");
    }
    // The same after parts of it were computed apart.
    for (part, out) in [("1/2", "a"), ("2/2", "b")] {
        sweep(&folder, &["balls.toml", "--shard", part, "--out", out]);
    }
    let joined = sweep(&folder, &["--merge", "a", "b", "--out", "c"]);
    assert_eq!(joined["warnings"], said["warnings"]);
}

/// The columns of `results.csv` by their heads, units and all.
fn columns(folder: &Folder, name: &str) -> std::collections::BTreeMap<String, Vec<f64>> {
    let csv = text(&bytes(folder, name));
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); heads.len()];
    for line in lines {
        for (column, cell) in columns.iter_mut().zip(line) {
            column.push(cell.parse().unwrap_or(f64::NAN));
        }
    }
    let heads = heads.into_iter().map(String::from);
    heads.zip(columns).collect()
}

#[test]
fn an_output_is_converted_to_the_unit_it_is_asked_for_in() {
    let folder = prepared("sweep-units");
    let study = r#"format = 1
[impact]
law = "hertz"
mass = "1 kg"
stiffness = "1e9 N/m^1.5"
[vary.v]
path = "impact.speed"
values = [0.1, 0.2]
[output.depth]
of = "max_indentation"
[output.deep]
of = "max_indentation"
unit = "um"
[output.energy]
of = "0.5*mass*approach_speed^2"
unit = "mJ"
[output.again]
of = "v"
unit = "mm/s"
[picture.p]
type = "lines"
x = "v"
y = "deep"
"#;
    fs::write(folder.0.join("u.toml"), study).expect("it can be written");
    let said = sweep(&folder, &["u.toml", "--out", "out", "--csv"]);
    let all = columns(&folder, "out/results.csv");
    for (i, v) in [0.1_f64, 0.2].into_iter().enumerate() {
        // Hertz without damping: m v²/2 = K δ^(5/2)/(5/2).
        let depth = (1.25 * v * v / 1e9).powf(0.4);
        for (column, value) in [
            ("v [m/s]", v),
            ("depth [m]", depth),
            ("deep [um]", depth * 1e6),
            ("energy [mJ]", 500.0 * v * v),
            ("again [mm/s]", 1000.0 * v),
        ] {
            let is = all[column][i];
            assert!((is / value - 1.0).abs() < 1e-6, "{column}: {is} {value}");
        }
    }
    assert_eq!(said["outputs"][1]["unit"], "um");
    let most = said["outputs"][1]["max"].as_f64().expect("a number");
    assert_eq!(most, all["deep [um]"][1]);
    // Parquet keeps its metadata as it is.
    let parquet = bytes(&folder, "out/results.parquet");
    let units = r#"{"v":"m/s","depth":"m","deep":"um","energy":"mJ","again":"mm/s"}"#;
    let there = parquet.windows(units.len()).any(|w| w == units.as_bytes());
    assert!(there, "{units}");
    let picture = text(&bytes(&folder, "out/p.svg"));
    assert!(picture.contains("deep [um]") && picture.contains("v [m/s]"));

    // Of a model, with a channel and contacts.
    let study = BALL
        .replace("[output.height]", "[output.higher]\nof = \"ball.y\"\ntake = \"last\"\nunit = \"mm\"\n[output.kilo]\nof = \"contacts.peak_force\"\ntake = \"max\"\nunit = \"kN\"\n[output.height]");
    fs::write(folder.0.join("b.toml"), study).expect("it can be written");
    sweep(&folder, &["b.toml", "--out", "balls", "--csv"]);
    let all = columns(&folder, "balls/results.csv");
    for (fine, coarse) in [("higher [mm]", "height [m]"), ("hardest [N]", "kilo [kN]")] {
        let pairs = all[fine].iter().zip(&all[coarse]);
        let sound = pairs.filter(|(a, _)| a.is_finite());
        let mut count = 0;
        for (a, b) in sound {
            assert!((a / b - 1000.0).abs() < 1e-9, "{fine}: {a} {b}");
            count += 1;
        }
        assert!(count > 5);
    }
}

#[test]
fn a_unit_of_another_kind_is_refused_at_its_line() {
    let folder = prepared("sweep-other-units");
    let said = |study: &str| {
        fs::write(folder.0.join("w.toml"), study).expect("it can be written");
        let out = carom_in(&folder.0, &["sweep", "w.toml", "--out", "out"]);
        assert_eq!(out.status.code(), Some(2), "{study}");
        text(&out.stderr)
    };
    let impact = "format = 1\n[impact]\nlaw = \"flores\"\nmass = 1\nstiffness = 1e9\nrestitution = 0.7\n[vary.v]\npath = \"impact.speed\"\nvalues = [0.1, 0.2]\n[output.a]\nof = \"peak_force\"\nunit = \"mm\"\n";
    for (from, to, words) in [
        (
            "",
            "",
            "`mm` is a unit of a length [m], but `peak_force` is a force [N]",
        ),
        ("mm", "kg m", "but `peak_force` is a force"),
        ("mm", "Newton", "the unit `Newton` is not known"),
        ("\"peak_force\"", "\"peak_force*2 m/s\"", "is a power"),
        ("\"peak_force\"", "\"restitution\"", "is a pure number"),
        ("\"peak_force\"", "\"v\"", "but `v` is a speed"),
    ] {
        let said = said(&impact.replacen(from, to, usize::from(!from.is_empty())));
        assert!(
            said.contains("w.toml:12:8  (output.a.unit)") && said.contains(words),
            "{said}"
        );
    }
    let ball = BALL.replace("take = \"last\"", "take = \"last\"\nunit = \"deg\"");
    let said_of = said(&ball);
    assert!(
        said_of.contains("`deg` is a unit of an angle [rad], but `ball.y` is a length"),
        "{said_of}"
    );
    let ball = BALL.replace("of = \"contacts\"", "of = \"contacts\"\nunit = \"N\"");
    let said_of = said(&ball);
    assert!(
        said_of.contains("but `contacts` is a pure number"),
        "{said_of}"
    );
    // Parameters of the law, given or varied.
    let said_of = said(
        &impact
            .replace("1e9", "\"5 mm\"")
            .replace("unit = \"mm\"\n", ""),
    );
    assert!(
        said_of.contains("w.toml:5:13  (impact.stiffness)") && said_of.contains("N/m^1.5"),
        "{said_of}"
    );
    let said_of = said(
        &impact
            .replace("[0.1, 0.2]", "[\"1 kg\", \"2 kg\"]")
            .replace("unit = \"mm\"\n", ""),
    );
    assert!(
        said_of.contains("this is a mass [kg], but `impact.speed` is a speed"),
        "{said_of}"
    );
}

#[test]
fn the_unit_of_an_expression_follows_from_its_channels_and_another_one_is_refused() {
    let folder = prepared("sweep-derived-units");
    let model = MODEL.replace(
        "[ground]",
        "[parameters]\nk = 2\nlong = \"10 mm\"\n[ground]",
    );
    fs::write(folder.0.join("ball.toml"), model).expect("it can be written");
    let with = |of: &str, unit: &str| {
        let unit = match unit {
            "" => String::new(),
            unit => format!("unit = \"{unit}\"\n"),
        };
        let output = format!("[output.new]\nof = \"{of}\"\ntake = \"max\"\n{unit}[output.height]");
        let study = BALL
            .replace("[output.height]", &output)
            .replace("count = 6", "count = 2");
        fs::write(folder.0.join("w.toml"), study).expect("it can be written");
        carom_in(
            &folder.0,
            &[
                "sweep",
                "w.toml",
                "--out",
                "out",
                "--csv",
                "--force",
                "--no-pictures",
            ],
        )
    };
    // A force times a speed is a power, not an energy.
    for (of, unit, words) in [
        (
            "contact.floor.force*ball.vy",
            "J",
            "`J` is a unit of an energy or a moment [N m], but `contact.floor.force*ball.vy` is a power [W]",
        ),
        (
            "contact.floor.force/ball.y^2",
            "N",
            "is a pressure or a modulus [Pa]",
        ),
        ("2*sqrt(ball.y)", "m", "is a quantity [m^0.5]"),
        ("ball.vy^2/(2*9.81)", "m", "is a quantity [m^2 s^-2]"),
        ("max(ball.y, 0.1)", "s", "is a length [m]"),
        (
            "ball.y",
            "1",
            "`1` is a unit of a pure number, but `ball.y` is a length [m]",
        ),
    ] {
        let out = with(of, unit);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{of} {said}");
        assert!(
            said.contains("w.toml:27:8  (output.new.unit)") && said.contains(words),
            "{of}: {said}"
        );
    }
    for (of, words) in [
        (
            "ball.y + ball.vy",
            "`ball.y` is a length [m], but `ball.vy` is a speed [m/s]: they cannot be added",
        ),
        (
            "max(ball.y, ball.vy)",
            "`ball.y` is a length [m], but `ball.vy` is a speed [m/s]: they cannot be compared",
        ),
        ("2^ball.y", "the exponent `ball.y` is a length [m]"),
    ] {
        let out = with(of, "");
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{of} {said}");
        assert!(
            said.contains("(output.new.of)") && said.contains("w.toml:25:") && said.contains(words),
            "{of}: {said}"
        );
    }
    // What fits is converted, and what is not asked for in a unit gets its own.
    for (of, unit, head) in [
        ("contact.floor.force*ball.vy", "kW", "new [kW]"),
        ("contact.floor.force*ball.vy", "", "new [W]"),
        ("abs(ball.y - 0.1)", "mm", "new [mm]"),
        ("ball.vy^2/(2*9.81 m/s^2)", "", "new [m]"),
        ("ball.angle/tau", "1", "new"),
        ("ball.vy/ball.y", "Hz", "new [Hz]"),
    ] {
        let out = with(of, unit);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{of} {said}");
        assert!(!said.contains("warning"), "{of} {said}");
        let all = columns(&folder, "out/results.csv");
        assert!(all.contains_key(head), "{of}: {:?}", all.keys());
    }
    // What nobody knows is taken on trust, and that is said.
    for (of, why) in [
        ("k*ball.y", "`k` has no unit"),
        ("ball.y^k", "its exponent `k` is not written as a number"),
        (
            "log10(ball.y)",
            "log10 is taken of `ball.y`, which is a length [m]",
        ),
    ] {
        let out = with(of, "N");
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{of} {said}");
        assert!(
            said.contains("cannot be derived")
                && said.contains(why)
                && said.contains("w.toml:27:8"),
            "{of}: {said}"
        );
        let out = with(of, "");
        assert!(!text(&out.stderr).contains("cannot be derived"), "{of}");
    }
}

#[test]
fn of_impacts_too_the_unit_of_an_expression_follows_from_its_parts() {
    let folder = prepared("sweep-derived-impacts");
    let study = "format = 1\n[impact]\nlaw = \"flores\"\nmass = 1\nstiffness = 1e9\nrestitution = 0.7\n[vary.v]\npath = \"impact.speed\"\nvalues = [0.1, 0.2]\n[output.a]\nof = \"peak_force*v\"\nunit = \"J\"\n";
    let with = |of: &str, unit: &str| {
        let study = study
            .replace("peak_force*v", of)
            .replace("\"J\"", &format!("\"{unit}\""));
        fs::write(folder.0.join("w.toml"), study).expect("it can be written");
        let out = carom_in(&folder.0, &["sweep", "w.toml", "--out", "out", "--force"]);
        (out.status.code(), text(&out.stderr))
    };
    // The speed is given as plain numbers; that it is one follows from what they set.
    let (code, said) = with("peak_force*v", "J");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("w.toml:12:8  (output.a.unit)")
            && said.contains("`peak_force*v` is a power [W]"),
        "{said}"
    );
    let (code, said) = with("peak_force + v", "N");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("they cannot be added"), "{said}");
    let (code, said) = with("peak_force*v", "mW");
    assert_eq!((code, said.contains("warning")), (Some(0), false), "{said}");
    let (code, said) = with("coefficient*v", "N");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("`coefficient` has no unit"), "{said}");
}

#[test]
fn points_beyond_three_deviations_are_counted_in_the_picture_that_has_no_room_for_them() {
    let folder = prepared("sweep-deviations");
    let said = carom_in(
        &folder.0,
        &["sweep", "impacts.toml", "--out", "out", "--csv"],
    );
    let said = text(&said.stderr);
    let speeds = &columns(&folder, "out/results.csv")["speed [m/s]"];
    let beyond = speeds.iter().filter(|v| (*v - 0.3).abs() > 0.3).count();
    assert!(beyond > 20, "{beyond}");
    let words = format!("{beyond} of 20000 points more than 3 deviations from the mean of speed");
    // A long title stands in lines.
    let svg = text(&bytes(&folder, "out/map.svg"));
    for line in ["(mean over ", &format!("(without {beyond} of 20000 points")] {
        assert!(svg.contains(line), "{line}");
    }
    assert!(text(&bytes(&folder, "out/index.html")).contains(&format!("Not drawn: {words}.")));
    assert!(said.contains(&words), "{said}");
    // The other picture has all of them.
    assert!(!text(&bytes(&folder, "out/error.svg")).contains("deviations"));
}

#[test]
fn a_table_of_the_model_that_has_changed_is_named_and_put_back_the_sweep_goes_on() {
    let folder = prepared("sweep-table");
    let model = "format = 1\n[simulation]\nend = \"1 s\"\n[body.rod]\nmass = 1\ninertia = 1\n[joint.pin]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\n[driver.motor]\njoint = \"pin\"\ntable = \"turn.csv\"\n";
    let study = "format = 1\n[study]\nmodel = \"rod.toml\"\n[vary.m]\npath = \"body.rod.mass\"\nvalues = [1, 2]\n[output.last]\nof = \"rod.angle\"\ntake = \"last\"\n";
    let table = "t [s], value [rad]\n0, 0\n0.25, 0.1\n0.5, 0.2\n0.75, 0.6\n1, 1\n";
    for (name, text) in [("rod.toml", model), ("s.toml", study), ("turn.csv", table)] {
        fs::write(folder.0.join(name), text).expect("it can be written");
    }
    sweep(&folder, &["s.toml", "--out", "out"]);
    let change = |to: &str| {
        fs::write(folder.0.join("turn.csv"), table.replace("0.2", to)).expect("it can be written");
        carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"])
    };
    let out = change("0.3");
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("a table of the model has changed since it was begun (turn.csv); with that as it was, it goes on"),
        "{said}"
    );
    assert_eq!(change("0.2").status.code(), Some(0));
}

#[test]
fn stops_that_turn_are_told_in_angles_and_moments() {
    let folder = prepared("sweep-turning");
    let model = r#"format = 1
[simulation]
end = "0.3 s"
gravity = [0, -9.81]
[body.rod]
mass = 1
inertia = 0.1
position = [0.5, 0]
points.end = [-0.5, 0]
[joint.pin]
type = "revolute"
between = ["ground", "rod.end"]
limits = { lower = "-10 deg", law = "kelvin-voigt", stiffness = "1e4 N m/rad", damping = "1 N m s/rad" }
"#;
    fs::write(folder.0.join("rod.toml"), model).expect("it can be written");
    let study = r#"format = 1
[study]
model = "rod.toml"
[vary.m]
path = "body.rod.mass"
values = ["1 kg", "2 kg"]
[output.blow]
of = "contacts.peak_force"
take = "max"
[output.dent]
of = "contacts.max_indentation"
take = "max"
[output.dents]
of = "contacts.max_indentation"
take = "max"
unit = "deg"
"#;
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    sweep(&folder, &["s.toml", "--out", "out", "--csv"]);
    let all = columns(&folder, "out/results.csv");
    assert!(all["blow [N m]"][0] > 0.0);
    let (rad, deg) = (all["dent [rad]"][1], all["dents [deg]"][1]);
    assert!((deg - rad.to_degrees()).abs() < 1e-12 * deg, "{rad} {deg}");
    fs::write(folder.0.join("s.toml"), study.replace("\"deg\"", "\"mm\""))
        .expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "mm"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("is an angle"),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn one_fault_of_a_parameter_or_an_output_is_one_error() {
    let folder = prepared("sweep-one-fault");
    let study = r#"format = 1
[impact]
law = "flores"
mass = "1 kg"
stiffness = 1e9
restitution = 0.7
[vary.v]
path = "impact.speed"
from = "0.1 m/s"
to = "1 m/s"
count = 3
[output.a]
of = "peak_force/v"
[output.b]
of = "restitution"
[picture.p]
type = "lines"
x = "v"
y = "b"
at = { v = 0.1 }
[fit.f]
of = "b"
over = "v"
formula = "a*v"
start = { a = 1 }
"#;
    for (from, to, words) in [
        ("from = \"0.1 m/s\"", "from = \"0.1 mm/z\"", "(vary.v.from)"),
        ("from = \"0.1 m/s\"", "from = \"0.1 kg\"", "(vary.v.to)"),
        (
            "from = \"0.1 m/s\"",
            "values = [1]\nfrom = 2",
            "(vary.v.values)",
        ),
        ("from = \"0.1 m/s\"\n", "", "(vary.v)"),
        ("to = \"1 m/s\"\n", "", "(vary.v.to)"),
        ("count = 3", "count = 0", "(vary.v.count)"),
        ("count = 3", "count = \"three\"", "(vary.v.count)"),
        ("count = 3\n", "", "(vary.v.count)"),
        ("path = \"impact.speed\"", "path = 3", "(vary.v.path)"),
        ("path = \"impact.speed\"\n", "", "(vary.v.path)"),
        ("of = \"restitution\"", "of = 3", "(output.b.of)"),
        (
            "of = \"restitution\"",
            "of = \"restitution\"\ntake = \"max\"",
            "(output.b.take)",
        ),
        (
            "of = \"restitution\"",
            "of = \"restitution\"\nunit = \"foo\"",
            "(output.b.unit)",
        ),
    ] {
        fs::write(folder.0.join("w.toml"), study.replace(from, to)).expect("it can be written");
        let out = carom_in(&folder.0, &["sweep", "w.toml", "--out", "out"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{from} → {to}\n{said}");
        let errors = said.matches("error: ").count();
        assert!(
            errors == 1 && said.contains(words),
            "{from} → {to}: {errors}\n{said}"
        );
    }
}

#[test]
fn a_study_that_is_not_there_names_those_that_are_and_a_model_is_no_study() {
    let folder = prepared("sweep-missing");
    let said = |name: &str| {
        let out = carom_in(&folder.0, &["sweep", name, "--out", "out"]);
        assert_eq!(out.status.code(), Some(2));
        text(&out.stderr)
    };
    let missing = said("impact.toml");
    assert!(
        missing.contains("studies here: balls.toml, impacts.toml"),
        "{missing}"
    );
    let model = said("ball.toml");
    assert!(
        model.contains("this is a model") && model.matches("error: ").count() == 1,
        "{model}"
    );
}

#[test]
fn lines_that_are_left_out_of_a_picture_are_told() {
    let folder = prepared("sweep-many-lines");
    let study = "format = 1\n[impact]\nlaw = \"hertz\"\nmass = 1\n[vary.v]\npath = \"impact.speed\"\nfrom = 0.1\nto = 1\ncount = 4\n[vary.k]\npath = \"impact.stiffness\"\nfrom = 1e8\nto = 1e9\ncount = 11\n[output.f]\nof = \"peak_force\"\n[picture.p]\ntype = \"lines\"\nx = \"v\"\ny = \"f\"\neach = \"k\"\n";
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("`p` shows 8 of 11 values of k"), "{said}");
    for name in ["out/p.svg", "out/index.html"] {
        let shown = text(&bytes(&folder, name));
        assert!(shown.contains("8 of 11 values of k"), "{name}");
    }
    // Where points are drawn the range is cut into as many parts: nothing is left out.
    let drawn = study
        .replace("count = 4\n", "")
        .replace("count = 11\n", "[design]\ntype = \"halton\"\ncount = 500\n");
    fs::write(folder.0.join("s.toml"), drawn).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "drawn"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(!said.contains("values of k"), "{said}");
}

#[test]
fn a_picture_says_which_level_is_drawn_not_which_was_asked_for() {
    let folder = prepared("sweep-nearest-level");
    let study = "format = 1\n[impact]\nlaw = \"flores\"\nmass = 1\nstiffness = 1e9\n[vary.v]\npath = \"impact.speed\"\nfrom = 0.1\nto = 1\ncount = 4\n[vary.e]\npath = \"impact.restitution\"\nvalues = [0.5, 0.8, 1]\n[output.f]\nof = \"peak_force\"\n[picture.p]\ntype = \"lines\"\nx = \"v\"\ny = \"f\"\nat = { e = 0.94 }\n";
    let told = |study: &str, out: &str| {
        fs::write(folder.0.join("s.toml"), study).expect("it can be written");
        let done = carom_in(&folder.0, &["sweep", "s.toml", "--out", out]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{said}");
        let page = text(&bytes(&folder, &format!("{out}/index.html")));
        let caption = page.split("<figcaption>").nth(1).unwrap_or_default();
        let caption = caption.split("<a ").next().unwrap_or_default().to_string();
        let picture = text(&bytes(&folder, &format!("{out}/p.svg")));
        (said, caption, picture)
    };
    let (said, caption, picture) = told(study, "nearest");
    assert_eq!(caption.trim(), "At e = 1 (the nearest to e = 0.94).");
    assert!(
        said.contains("`p` is drawn at e = 1, the nearest to e = 0.94"),
        "{said}"
    );
    assert!(picture.contains("(at e = 1)"), "{picture}");

    let (said, caption, _) = told(&study.replace("0.94", "0.8"), "exact");
    assert_eq!(caption.trim(), "At e = 0.8.");
    assert!(!said.contains("nearest"), "{said}");

    // Where points are drawn: 500 over two axes, five to a part, are ten parts of each; from 0.04 to 1 they are 0.096 wide.
    let drawn = study
        .replace("count = 4\n", "")
        .replace("0.94", "0.95")
        .replace("values = [0.5, 0.8, 1]\n", "from = 0.04\nto = 1\n")
        .replace(
            "[output.f]",
            "[design]\ntype = \"sobol\"\ncount = 500\n[output.f]",
        );
    let (said, caption, picture) = told(&drawn, "drawn");
    assert_eq!(caption.trim(), "At e: 0.904 to 1.");
    assert!(!said.contains("nearest"), "{said}");
    assert!(picture.contains("(at e: 0.904 to 1)"), "{picture}");
    assert!(picture.contains("points") && picture.contains("means"));
    let page = text(&bytes(&folder, "drawn/index.html"));
    assert!(page.contains("spread as a Sobol sequence"), "{page}");
}

#[test]
fn a_first_point_that_cannot_be_run_is_recorded_as_any_other() {
    let folder = prepared("sweep-first-point");
    let study = "format = 1\n[study]\nmodel = \"ball.toml\"\n[vary.e]\npath = \"contact.floor.restitution\"\nvalues = [-0.5, 0.5, -0.25]\n[output.bounces]\nof = \"contacts\"\n";
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    let found = sweep(&folder, &["s.toml", "--out", "some"]);
    assert_eq!(found["points"], 3, "{found}");
    assert_eq!(found["failed"], 2, "{found}");
    assert_eq!(found["outputs"][0]["numbers"], 1, "{found}");
    let reason = found["failures"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("restitution"), "{reason}");

    // If none can be run there is nothing to compute.
    let none = study.replace("[-0.5, 0.5, -0.25]", "[-0.5, -0.25]");
    fs::write(folder.0.join("s.toml"), none).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "none"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("none of the 2 points that were tried can be run"),
        "{said}"
    );
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

#[test]
fn outputs_without_numbers_are_told() {
    let folder = prepared("sweep-no-number");
    // The ball falls 0.2 m before it touches, which takes sqrt(2·0.2/9.81) s: 0.2 s.
    let study = "format = 1\n[study]\nmodel = \"ball.toml\"\n[vary.end]\npath = \"simulation.end\"\nvalues = [\"1 s\", \"0.1 s\"]\n[output.never]\nof = \"ball.vy/0\"\ntake = \"max\"\n[output.hardest]\nof = \"contacts.peak_force\"\ntake = \"max\"\n[output.height]\nof = \"ball.y\"\ntake = \"max\"\n";
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    let page = text(&bytes(&folder, "out/index.html"));
    for words in [
        "output `never` has no number at any of 2 points (`ball.vy/0` is infinite or not defined there)",
        "output `hardest` has no number at 1 of 2 points (no contact there has one)",
    ] {
        assert!(said.contains(words), "{said}");
        assert!(page.contains(words), "{page}");
    }
    assert!(said.contains("warning: output `never`"), "{said}");
    assert!(said.contains("note: output `hardest`"), "{said}");
    assert!(!said.contains("`height`"), "{said}");
}

#[test]
fn a_picture_set_beside_a_study_without_any_is_refused_in_words_about_the_study() {
    let folder = prepared("sweep-set-picture");
    let study = BALL.split("[picture").next().unwrap_or_default();
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    let set = "picture.h={type=\"lines\",x=\"e\",y=\"hardest\"}";
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "o", "--set", set]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("there is no table `picture` in the file"),
        "{said}"
    );
    assert!(said.contains("must have a table [picture.…]"), "{said}");
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn a_part_of_few_impacts_is_a_part() {
    let folder = prepared("sweep-few");
    let study = IMPACTS.replace("block = 500\n", "");
    fs::write(folder.0.join("few.toml"), study).expect("it can be written");
    let few = ["few.toml", "--set", "design.count=2000"];
    sweep(&folder, &[&few[..], &["--out", "whole"]].concat());
    let mut computed = Vec::new();
    for (part, out) in [("1/2", "one"), ("2/2", "two")] {
        let more = ["--out", out, "--shard", part, "--json"];
        let out = carom_in(&folder.0, &[&["sweep"], &few[..], &more].concat());
        let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
        assert_eq!(value["status"], "partial", "{value:#}");
        computed.push(value["computed"].as_u64().expect("a number"));
    }
    // Each has half of them, but for the last block.
    assert_eq!(computed.iter().sum::<u64>(), 2000);
    assert!(
        computed.iter().all(|n| (900..=1100).contains(n)),
        "{computed:?}"
    );
    sweep(&folder, &["--merge", "one", "two", "--out", "joined"]);
    let table = |dir: &str| bytes(&folder, &format!("{dir}/results.parquet"));
    assert_eq!(table("joined"), table("whole"));
}

#[test]
fn impacts_of_which_none_can_be_computed_are_refused_and_a_first_one_that_fails_is_recorded() {
    let folder = prepared("sweep-impacts-fail");
    let study = |speeds: &str| {
        format!(
            "format = 1\n[impact]\nlaw = \"flores\"\nstiffness = 1e9\nmass = 1\nrestitution = 0.5\n[vary.speed]\npath = \"impact.speed\"\nvalues = {speeds}\n[output.e]\nof = \"restitution\"\n"
        )
    };
    let run = |speeds: &str, out: &str| {
        fs::write(folder.0.join("s.toml"), study(speeds)).expect("it can be written");
        carom_in(&folder.0, &["sweep", "s.toml", "--out", out, "--json"])
    };
    let out = run("[-1, -2, -3]", "none");
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("none of the 3 points that were tried can be run"),
        "{said}"
    );
    assert!(said.contains("s.toml:2:"), "{said}");
    let out = run("[-1, 2, 3]", "some");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let value: Value = serde_json::from_slice(&out.stdout).expect("one JSON value");
    assert_eq!(
        (&value["failed"], &value["points"]),
        (&Value::from(1), &Value::from(3))
    );
}

#[test]
fn a_fit_that_found_nothing_is_told_with_its_reason_and_not_folded_into_the_others() {
    let folder = prepared("sweep-unfit");
    // Hertz: the force rises as the speed to 6/5, and a point fails at every mass below zero.
    let study = r#"format = 1
[impact]
law = "hertz"
stiffness = "1e9 N/m^1.5"
[vary.speed]
path = "impact.speed"
from = 0.5
to = 5
count = 6
[vary.mass]
path = "impact.mass"
values = [-1, 0.1, 0.4, 3]
[output.F]
of = "peak_force"
[fit.some]
of = "F"
over = "speed"
each = "mass"
formula = "a*speed^b + 0*ln(1 - mass)"
start = { a = 1, b = 1 }
[fit.loose]
of = "F"
over = "speed"
each = "mass"
formula = "a*speed^1.2 + c*speed^1.2"
start = { a = 1, c = 5 }
[fit.few]
of = "F"
over = "mass"
each = "speed"
formula = "a + b*mass + c*mass^2 + d*mass^3"
start = { a = 1, b = 3, c = 0, d = 0 }
[fit.none]
of = "F"
over = "speed"
formula = "a*ln(speed - b)"
start = { a = 1, b = 3 }
"#;
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
    let (told, warned) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(0), "{warned}");
    let page = text(&bytes(&folder, "out/index.html"));
    for words in [
        "b from 1.2 to 1.2 over 2 of 4 values of mass",
        "no fit at 1 of 4 values of mass (-1): there is no number to fit",
        "no fit at 1 of 4 values of mass (3): the formula, or what it changes by, is no finite number where the search begins",
        "no fit at 3 of 4 values of mass (0.1, 0.4, 3): the points do not determine a, c",
        "no fit at 6 of 6 values of speed (0.5, 1.4, 2.3, 3.2, 4.1, …): 3 points for 4 constants",
        "no fit: the formula, or what it changes by",
    ] {
        assert!(told.contains(words), "{words} is not in\n{told}");
        assert!(page.contains(words), "{words} is not in\n{page}");
    }
    for none in ["inf", "NaN", "nan"] {
        let alone = |word: &str| word.trim_matches(['-', ',', ';']) == none;
        assert!(!told.split_whitespace().any(alone), "{told}");
    }
    // Of fits that found nothing no departure is told.
    assert_eq!(told.matches("largest departure").count(), 1, "{told}");
    for words in [
        "warning: fit `some`: no fit at 1 of 4",
        "warning: fit `loose`: no fit at 3 of 4",
        "warning: fit `none`: no fit: ",
        "Hint: other values in `start`",
        "Hint: fewer constants, more levels of speed",
    ] {
        assert!(warned.contains(words), "{words} is not in\n{warned}");
    }
    let csv = text(&bytes(&folder, "out/fits.csv"));
    assert!(csv.contains("\nsome,3,a,,,,,,6,\"the formula"), "{csv}");
    assert!(
        csv.contains("\nloose,0.4,c,,,,,,6,\"the points do not determine a, c\"\n"),
        "{csv}"
    );
    assert!(!csv.contains("NaN") && !csv.contains("inf"), "{csv}");
    let said: Value =
        serde_json::from_slice(&bytes(&folder, "out/summary.json")).expect("it is JSON");
    let failed: Vec<u64> = said["fits"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|fit| fit["failed"].as_u64().expect("a count"))
        .collect();
    assert_eq!(failed, [2, 4, 6, 1]);
    let row = &said["fits"][0]["rows"][3];
    assert!(
        row["found"][0].is_null() && row["failure"].is_string(),
        "{row}"
    );
    assert!(said["fits"][0]["rows"][1]["failure"].is_null());
    // Nothing is drawn of what found nothing, and that is no fault of the picture.
    assert!(!warned.contains("could not be drawn"), "{warned}");
    assert!(!folder.0.join("out/fit-loose.svg").exists());
}

#[test]
fn the_table_for_people_is_replaced_whole_or_not_at_all() {
    let folder = prepared("sweep-whole-csv");
    let few = [
        "impacts.toml",
        "--set",
        "design.count=500",
        "--out",
        "out",
        "--csv",
    ];
    sweep(&folder, &few);
    let whole = bytes(&folder, "out/results.csv");
    // Another name of the same file sees whatever is written into it.
    fs::hard_link(folder.0.join("out/results.csv"), folder.0.join("same")).expect("a link");
    fs::write(folder.0.join("same"), "half").expect("it can be written");
    sweep(&folder, &few);
    assert!(whole == bytes(&folder, "out/results.csv"));
    assert_eq!(text(&bytes(&folder, "same")), "half");
}

#[test]
fn a_sweep_that_was_stopped_at_its_first_write_goes_on_and_one_that_begins_is_not_taken_for_anything_else()
 {
    let folder = prepared("sweep-first-write");
    let few = [
        "sweep",
        "impacts.toml",
        "--set",
        "design.count=500",
        "--out",
        "out",
    ];
    fs::create_dir_all(folder.0.join("out/parts")).expect("it can be made");
    fs::write(folder.0.join("out/sweep.json.4711.part"), "{").expect("it can be written");
    // Another process that has just begun, and not written a word.
    let lock = fs::File::create(folder.0.join("out/sweep.lock")).expect("it can be made");
    lock.lock().expect("it can be locked");
    let out = carom_in(&folder.0, &few);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("another process is computing"), "{said}");
    drop(lock);
    let out = carom_in(&folder.0, &few);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let left = |name: &str| folder.0.join("out").join(name).exists();
    assert!(!left("parts") && !left("sweep.json.4711.part"));
    // Parts without a sweep are somebody's.
    fs::create_dir_all(folder.0.join("theirs/parts")).expect("it can be made");
    fs::write(folder.0.join("theirs/parts/housing.parquet"), "theirs").expect("it can be written");
    let out = carom_in(&folder.0, &[&few[..5], &["theirs"]].concat());
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("is not empty: parts is there"), "{said}");
    assert!(!folder.0.join("theirs/sweep.lock").exists());
}

#[test]
fn force_throws_away_what_a_sweep_has_written_and_nothing_else() {
    let folder = prepared("sweep-force");
    let force = |out: &str| {
        let few = [
            "sweep",
            "impacts.toml",
            "--set",
            "design.count=500",
            "--out",
            out,
            "--force",
        ];
        let done = carom_in(&folder.0, &few);
        (done.status.code(), text(&done.stderr))
    };
    // A folder of somebody else's: what a sweep would overwrite is named, and all of it stays.
    let write = |name: &str| {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, "theirs").expect("it can be written");
    };
    let theirs = [
        "run/summary.json",
        "run/results.csv",
        "run/sweep.json",
        "run/map.svg",
        "run/parts/housing.parquet",
        "run/letter.txt",
    ];
    theirs.into_iter().for_each(write);
    let (code, said) = force("run");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains(
            "map.svg, parts, results.csv, summary.json, sweep.json. Hint: another directory"
        ),
        "{said}"
    );
    for name in theirs {
        assert_eq!(text(&bytes(&folder, name)), "theirs", "{name}");
    }
    // Beside other things it is written.
    write("desk/letter.txt");
    let (code, said) = force("desk");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(text(&bytes(&folder, "desk/letter.txt")), "theirs");
    // Of an earlier sweep pictures go that it no longer has, whenever they were asked for, and what was left half-written.
    let renamed = IMPACTS.replace("[picture.map]", "[picture.chart]");
    fs::write(folder.0.join("renamed.toml"), renamed).expect("it can be written");
    sweep(
        &folder,
        &["renamed.toml", "--set", "design.count=500", "--out", "desk"],
    );
    assert!(folder.0.join("desk/chart.svg").exists() && folder.0.join("desk/map.svg").exists());
    write("desk/results.parquet.4711.part");
    write("desk/parts/00000000.parquet.4711.part");
    write("desk/parts/housing.parquet");
    let plain = IMPACTS.split("[picture.error]").next().unwrap_or_default();
    fs::write(folder.0.join("impacts.toml"), plain).expect("it can be written");
    let (code, said) = force("desk");
    assert_eq!(code, Some(0), "{said}");
    for gone in [
        "chart.svg",
        "chart.png",
        "map.svg",
        "error.png",
        "results.parquet.4711.part",
        "parts/00000000.parquet.4711.part",
    ] {
        assert!(!folder.0.join("desk").join(gone).exists(), "{gone}");
    }
    for stays in ["letter.txt", "parts/housing.parquet"] {
        assert_eq!(
            text(&bytes(&folder, &format!("desk/{stays}"))),
            "theirs",
            "{stays}"
        );
    }
}

#[test]
fn what_a_process_left_half_written_that_was_killed_is_removed_by_the_next() {
    let folder = prepared("sweep-leftovers");
    let few = ["impacts.toml", "--set", "design.count=500", "--out", "out"];
    sweep(&folder, &few);
    let left = [
        "results.parquet.4711.part",
        "map.svg.4711.part",
        "results.csv.4711.part",
    ];
    for name in left.iter().chain(&["letter.part", "letter.4711.part"]) {
        fs::write(folder.0.join("out").join(name), "half").expect("it can be written");
    }
    sweep(&folder, &few);
    for name in left {
        assert!(!folder.0.join("out").join(name).exists(), "{name}");
    }
    assert!(folder.0.join("out/letter.part").exists());
    assert!(folder.0.join("out/letter.4711.part").exists());
}

#[test]
fn a_map_over_a_list_of_unequal_levels_shows_every_one_of_them() {
    let folder = prepared("sweep-unequal");
    let study = "format = 1\n[impact]\nlaw = \"flores\"\nmass = 1\nstiffness = 1e9\n[vary.v]\npath = \"impact.speed\"\nvalues = [LEVELS]\n[vary.e]\npath = \"impact.restitution\"\nvalues = [0.5, 0.75, 1]\n[output.f]\nof = \"peak_force\"\n[picture.p]\ntype = \"heat-map\"\nx = \"v\"\ny = \"e\"\nvalue = \"f\"\nlog = true\n";
    let words = |levels: &str, out: &str| -> Vec<String> {
        fs::write(folder.0.join("s.toml"), study.replace("LEVELS", levels)).expect("written");
        sweep(&folder, &["s.toml", "--out", out]);
        let picture = text(&bytes(&folder, &format!("{out}/p.svg")));
        let texts = picture.split("<text").skip(1);
        let inner = texts.filter_map(|t| t.split_once('>')?.1.split_once('<'));
        inner.map(|(word, _)| word.to_string()).collect()
    };
    let has = |words: &[String], all: &[&str]| {
        for word in all {
            assert!(
                words.iter().any(|w| w == word),
                "{word} is not in {words:?}"
            );
        }
    };
    // Neither differences nor ratios are even: each level stands at its column.
    let named = words("1e-4, 3e-3, 1, 1.5, 10", "named");
    has(
        &named,
        &["0.0001", "0.003", "1", "1.5", "10", "0.5", "1.0", "v [m/s]"],
    );
    // Even ratios are drawn as such.
    let ratios = words("1e-4, 1e-3, 1e-2, 1e-1, 1, 10", "ratios");
    has(&ratios, &["10⁻⁴", "0.001", "0.01", "0.1", "1", "10"]);
    // Even differences stay as they are.
    let even = words("1, 2, 3", "even");
    has(&even, &["1.0", "2.0", "3.0"]);
    // Of many levels some are named, and all are there.
    let many: Vec<String> = (1..=30).map(|i| (i * i * i).to_string()).collect();
    let some = words(&many.join(", "), "many");
    has(&some, &["1", "27000"]);
    assert!(!some.iter().any(|w| w == "8"), "{some:?}");
}

#[test]
fn a_picture_with_the_name_of_that_of_a_fit_is_refused() {
    let folder = prepared("sweep-same-name");
    let study = "format = 1\n[impact]\nlaw = \"hertz\"\nmass = 1\nstiffness = 1e9\n[vary.v]\npath = \"impact.speed\"\nvalues = [1, 2, 3]\n[vary.m]\npath = \"impact.mass\"\nvalues = [1, 2]\n[output.f]\nof = \"peak_force\"\n[picture.fit-q]\ntype = \"lines\"\nx = \"v\"\ny = \"f\"\n[fit.q]\nof = \"f\"\nover = \"v\"\neach = \"m\"\nformula = \"a*v^b\"\nstart = { a = 1, b = 1 }\n"
        .replace("mass = 1\n", "");
    fs::write(folder.0.join("s.toml"), &study).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "s.toml", "--out", "out"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("s.toml:13:10  (picture.fit-q)")
            && said.contains("the picture of [fit.q], too"),
        "{said}"
    );
    // A fit of all points has no picture.
    fs::write(folder.0.join("s.toml"), study.replace("each = \"m\"\n", "")).expect("written");
    sweep(&folder, &["s.toml", "--out", "out"]);
}

#[test]
fn a_file_in_place_of_a_directory_and_a_damaged_table_are_told_with_what_helps() {
    let folder = prepared("sweep-damaged");
    fs::write(folder.0.join("afile"), "theirs").expect("it can be written");
    for force in [&[][..], &["--force"]] {
        let arguments = [&["sweep", "impacts.toml", "--out", "afile"], force].concat();
        let out = carom_in(&folder.0, &arguments);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("is a file. Hint: name a directory"), "{said}");
        assert!(!said.contains("--force"), "{said}");
    }
    let few = [
        "sweep",
        "impacts.toml",
        "--set",
        "design.count=500",
        "--out",
        "out",
    ];
    assert_eq!(carom_in(&folder.0, &few).status.code(), Some(0));
    let whole = bytes(&folder, "out/results.parquet");
    fs::write(folder.0.join("out/results.parquet"), "half of it").expect("it can be written");
    let out = carom_in(&folder.0, &few);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("results.parquet: the table is damaged") && said.contains("--force"),
        "{said}"
    );
    sweep(&folder, &[&few[1..], &["--force"]].concat());
    assert!(whole == bytes(&folder, "out/results.parquet"));
}

#[test]
fn a_part_that_was_damaged_is_computed_again_and_named_where_parts_are_joined() {
    let folder = prepared("sweep-part");
    let few = ["--set", "design.count=2000"];
    let compute = |out: &str, more: &[&str]| {
        let all = [&["impacts.toml", "--out", out], &few[..], more].concat();
        sweep(&folder, &all)
    };
    compute("whole", &[]);
    compute("one", &["--shard", "1/2"]);
    compute("two", &["--shard", "2/2"]);
    let table = bytes(&folder, "whole/results.parquet");
    // A bit turns somewhere: in a number, which nothing else of the file shows, or where nobody looks (what is varied follows from the number of the point).
    let part = folder.0.join("one/parts/00000002.parquet");
    let sound = fs::read(&part).expect("it is there");
    let mut refused = 0;
    for place in (1..16).map(|k| sound.len() * k / 16) {
        let mut damaged = sound.clone();
        damaged[place] ^= 4;
        fs::write(&part, damaged).expect("it can be written");
        let join = ["sweep", "--merge", "one", "two", "--out", "joined"];
        let out = carom_in(&folder.0, &join);
        let said = text(&out.stderr);
        if out.status.code() == Some(0) {
            assert!(bytes(&folder, "joined/results.parquet") == table, "{place}");
            fs::remove_dir_all(folder.0.join("joined")).expect("it is there");
            continue;
        }
        refused += 1;
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("1 of 4 blocks"), "{said}");
        assert!(said.contains("00000002.parquet is damaged"), "{said}");
        assert!(!folder.0.join("joined").exists());
        let again = compute("one", &["--shard", "1/2"]);
        assert_eq!(again["computed"], 500, "{again}");
        assert!(fs::read(&part).expect("it is there") == sound);
    }
    assert!(refused >= 5, "{refused} of 15");
    fs::write(&part, sound).expect("it can be written");
    sweep(&folder, &["--merge", "one", "two", "--out", "joined"]);
    assert!(bytes(&folder, "joined/results.parquet") == table);
    // Of the joined table, too, and then nothing is shown of it.
    let mut damaged = table.clone();
    damaged[table.len() * 3 / 4] ^= 4;
    fs::write(folder.0.join("whole/results.parquet"), damaged).expect("it can be written");
    let all = [&["sweep", "impacts.toml", "--out", "whole"], &few[..]].concat();
    let out = carom_in(&folder.0, &all);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("the table is damaged"), "{said}");
}

#[test]
fn numbers_that_a_law_does_not_look_at_are_told_once() {
    let folder = prepared("sweep-deaf");
    let said = |study: &str, sets: &[&str]| {
        let mut all = vec!["sweep", study, "--out", "out", "--force"];
        all.extend(sets.iter().flat_map(|set| ["--set", set]));
        let out = carom_in(&folder.0, &all);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{said}");
        said
    };
    let few = "design.count=50";
    let ignored = "hertz does not use the restitution";
    assert!(said("impacts.toml", &[few, "impact.law=hertz"]).contains(ignored));
    assert!(!said("impacts.toml", &[few]).contains("does not use"));
    // A coefficient that is solved for hears it all the same.
    let exact = [few, "impact.law=kuwabara-kono", "impact.calibration=exact"];
    assert!(!said("impacts.toml", &exact).contains("does not use"));
    let model = said(
        "balls.toml",
        &["vary.law.values=[\"hertz\"]", "vary.e.count=2"],
    );
    let told = model.matches("restitution").count();
    assert!(model.contains("hertz") && (1..4).contains(&told), "{model}");
}

#[test]
fn channels_whose_names_are_no_words_can_be_asked_for_alone() {
    let folder = prepared("sweep-names");
    let grains = "format = 1\n[study]\nmodel = \"grains.toml\"\n[vary.r]\npath = \"group.grains.restitution\"\nvalues = [\"50 %\", 0.8]\n[output.high]\nof = \"grains.1.y\"\ntake = \"max\"\n[output.many]\nof = \"group.grains.contacts\"\ntake = \"max\"\n";
    let model = r#"format = 1
[simulation]
end = "50 ms"
output_step = "5 ms"
[solver]
integrator = "verlet"
step = "20 us"
[ground.shapes]
floor = { type = "half-plane" }
left = { type = "half-plane", normal = "0 deg" }
right = { type = "half-plane", point = ["50 mm", 0], normal = "180 deg" }
[group.grains]
count = 12
radius = ["4 mm", "6 mm"]
density = "2500 kg/m^3"
thickness = "10 mm"
region = [[0, 0], ["50 mm", "60 mm"]]
seed = 1
law = "tsuji"
stiffness = "1e6 N/m^1.5"
restitution = 0.5
friction = { law = "tangential-spring", coefficient = 0.5, stiffness = "2e4 N/m", damping = "2 N s/m" }
"#;
    fs::write(folder.0.join("grains.toml"), model).expect("it can be written");
    fs::write(folder.0.join("g.toml"), grains).expect("it can be written");
    let found = sweep(&folder, &["g.toml", "--out", "out"]);
    assert_eq!(found["outputs"][0]["numbers"], 2, "{found}");
    assert_eq!(found["outputs"][0]["unit"], "m");
    assert_eq!(found["outputs"][1]["unit"], "");
    // Their touches are no contacts that are told one by one: a 0 would be taken for their number.
    let counted = grains.replace(
        "of = \"group.grains.contacts\"\ntake = \"max\"",
        "of = \"contacts\"",
    );
    fs::write(folder.0.join("g.toml"), counted).expect("it can be written");
    let out = carom_in(&folder.0, &["sweep", "g.toml", "--out", "other"]);
    let told = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{told}");
    assert!(told.contains("group.grains.contacts"), "{told}");
}

#[test]
fn what_has_no_logarithm_is_told_beside_the_picture_that_has_no_place_for_it() {
    let folder = prepared("sweep-logarithm");
    let said = |set: &str| {
        let few = ["sweep", "impacts.toml", "--set", "design.count=300"];
        let log = ["--set", "picture.error.log=true", "--set", set];
        let all = [&few[..], &log, &["--out", "out", "--force"]].concat();
        let out = carom_in(&folder.0, &all);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{said}");
        said
    };
    let some = said("output.error.of=restitution - e + 0.03");
    assert!(
        some.contains("points where `error` is 0 or less") && !some.contains("could not be drawn"),
        "{some}"
    );
    // Of all of them, no picture is left, and it is told why.
    let none = said("output.error.of=e - 1.5");
    assert!(
        none.contains("could not be drawn: there is no number to draw (without 300 of 300 points where `error` is 0 or less"),
        "{none}"
    );
}

#[test]
fn pictures_show_what_is_varied_in_the_unit_it_was_written_in() {
    let folder = prepared("sweep-written-unit");
    let study = "format = 1\n[impact]\nlaw = \"flores\"\nstiffness = 1e9\nmass = 1\nrestitution = 0.5\n[vary.v]\npath = \"impact.speed\"\nfrom = \"200 mm/s\"\nto = \"1 m/s\"\ncount = 5\n[vary.m]\npath = \"impact.mass\"\nvalues = [\"30 g\", 0.07]\n[output.f]\nof = \"peak_force\"\n[picture.p]\ntype = \"lines\"\nx = \"v\"\ny = \"f\"\neach = \"m\"\n";
    let study = study.replace("0.07", "\"0.07 kg\"");
    fs::write(folder.0.join("s.toml"), study).expect("it can be written");
    sweep(&folder, &["s.toml", "--out", "out", "--csv"]);
    let picture = text(&bytes(&folder, "out/p.svg"));
    for words in ["v [mm/s]", "m = 30 g", "m = 70 g"] {
        assert!(picture.contains(words), "{words} is not in\n{picture}");
    }
    let page = text(&bytes(&folder, "out/index.html"));
    assert!(page.contains("200 to 1000 mm/s, 5 values"), "{page}");
    assert!(page.contains("30, 70 g"), "{page}");
    // Tables have SI units.
    let csv = text(&bytes(&folder, "out/results.csv"));
    let first = csv.lines().next().unwrap_or_default();
    assert!(
        first.contains("v [m/s]") && first.contains("m [kg]"),
        "{csv}"
    );
}

#[test]
fn a_part_of_another_seed_study_or_place_is_computed_again_and_named_where_parts_are_joined() {
    let folder = prepared("sweep-foreign");
    let few = ["--set", "design.count=2000"];
    let compute = |out: &str, more: &[&str]| {
        let all = [&["impacts.toml", "--out", out], &few[..], more].concat();
        sweep(&folder, &all)
    };
    compute("whole", &[]);
    compute("two", &["--shard", "2/2"]);
    let table = bytes(&folder, "whole/results.parquet");
    // Another seed, another law, and the part of another place: all of them whole, and of the same size and columns.
    compute("seed", &["--shard", "1/2", "--set", "design.seed=99"]);
    compute(
        "law",
        &["--shard", "1/2", "--set", "impact.law=hunt-crossley"],
    );
    for (from, number) in [("seed", 2), ("law", 2), ("one", 0)] {
        let one = folder.0.join("one");
        if one.exists() {
            fs::remove_dir_all(&one).expect("it is there");
        }
        compute("one", &["--shard", "1/2"]);
        let foreign = folder.0.join(format!("{from}/parts/{number:08}.parquet"));
        let own = one.join("parts/00000002.parquet");
        let sound = fs::read(&own).expect("it is there");
        fs::copy(foreign, &own).expect("it can be written");
        let join = ["sweep", "--merge", "one", "two", "--out", "joined"];
        let out = carom_in(&folder.0, &join);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{from}: {said}");
        for words in [
            "00000002.parquet",
            "of another study, model or seed",
            "1 of 4 blocks",
        ] {
            assert!(said.contains(words), "{from} {words}: {said}");
        }
        assert!(!folder.0.join("joined").exists());
        let again = compute("one", &["--shard", "1/2"]);
        assert_eq!(again["computed"], 500, "{from}: {again}");
        assert!(fs::read(&own).expect("it is there") == sound, "{from}");
        // Where all of it is gone on with, too.
        fs::copy(
            folder.0.join(format!("{from}/parts/{number:08}.parquet")),
            &own,
        )
        .expect("it can be written");
        let whole = compute("one", &[]);
        assert_eq!(whole["computed"], 1500, "{from}: {whole}");
        assert!(bytes(&folder, "one/results.parquet") == table, "{from}");
        // Its parts are gone: the place needs them.
    }
}

#[test]
fn what_the_command_line_has_set_stands_on_the_page_and_in_the_summary() {
    let folder = prepared("sweep-set");
    let own = "block = 1\nset = { \"contact.floor.stiffness\" = 1e8 }\n";
    let study = BALL.replace("block = 1\n", own);
    fs::write(folder.0.join("balls.toml"), study).expect("it can be written");
    let set = "study.set.\"contact.floor.stiffness\"=2e8";
    let said = sweep(&folder, &["balls.toml", "--out", "out", "--set", set]);
    let pairs = serde_json::json!([["study.set.\"contact.floor.stiffness\"", "2e8"]]);
    assert_eq!(said["set"], pairs);
    let summary = fs::read_to_string(folder.0.join("out/summary.json")).expect("it is there");
    let summary: Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["set"], pairs);
    let page = fs::read_to_string(folder.0.join("out/index.html")).expect("it is there");
    let (before, study) = page.rsplit_once("<h2>The study</h2>").expect("the study");
    assert!(
        study.contains("contact.floor.stiffness") && study.contains("<td class=\"words\">2e8</td>")
    );
    assert!(!before.contains("2e8"));
    // Nothing was set: nothing is said.
    sweep(&folder, &["balls.toml", "--out", "plain"]);
    let page = fs::read_to_string(folder.0.join("plain/index.html")).expect("it is there");
    assert!(!page.contains("The command line has set"));
}

#[test]
fn a_varied_number_that_a_law_passes_over_is_counted_among_the_warnings_of_its_points() {
    let folder = prepared("sweep-passed-over");
    let study = BALL
        .replace("\"hunt-crossley\"", "\"hertz\"")
        .replace("to = 1.1", "to = 1.0");
    fs::write(folder.0.join("deaf.toml"), study).expect("it can be written");
    let said = sweep(
        &folder,
        &["deaf.toml", "--out", "out", "--csv", "--no-pictures"],
    );
    let warnings = said["warnings"].as_array().expect("a list");
    let read = warnings.iter().find(|w| w["code"] == "model-file");
    assert_eq!(
        read.map(|w| w["points"].clone()),
        Some(Value::from(6)),
        "{said}"
    );
    let csv = fs::read_to_string(folder.0.join("out/results.csv")).expect("it is there");
    let mut rows = 0;
    for line in csv.lines().skip(1) {
        let (_, words) = line.rsplit_once(',').expect("cells");
        assert_eq!(
            words.contains("model-file"),
            line.contains(",hertz,"),
            "{line}"
        );
        rows += 1;
    }
    assert_eq!(rows, 12);
}

#[test]
fn a_list_without_values_and_too_many_drawn_points_are_told_as_what_they_are() {
    let folder = prepared("sweep-too-many");
    let empty = BALL.replace("[\"flores\", \"hunt-crossley\"]", "[]");
    fs::write(folder.0.join("empty.toml"), empty).expect("it can be written");
    let said = |arguments: &[&str]| {
        let out = carom_in(&folder.0, &[&["sweep", "--out", "out"], arguments].concat());
        assert_eq!(out.status.code(), Some(2));
        text(&out.stderr)
    };
    let none = said(&["empty.toml"]);
    assert!(
        none.contains("`values` is empty") && none.contains("at least one value"),
        "{none}"
    );
    let many = said(&["impacts.toml", "--set", "design.count=1000000000000000"]);
    assert!(
        many.contains("design.count") && many.contains("fewer points"),
        "{many}"
    );
    assert!(!many.contains("fewer levels"), "{many}");
}
