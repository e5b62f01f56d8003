//! Does `carom run --contact-method` run one model by several methods, and set them beside each other?

mod folder;

use std::fs;
use std::process::Output;

use folder::{Folder, carom_in, text};
use serde_json::Value;

const PENDULUMS: &str = include_str!("../../../models/two-pendulums.toml");

/// A ball that resists rolling, which impulses do not know.
const ROLLING: &str = "format = 1\n[simulation]\nend = 0.1\ngravity = [0, -9.81]\n[ground]\nshapes.floor = { type = \"half-plane\" }\n[body.ball]\nmass = 1\ninertia = 0.004\nposition = [0, 0.11]\nshapes.skin = { type = \"circle\", radius = 0.1 }\n[contact.floor]\nbetween = [\"ground.floor\", \"ball.skin\"]\nlaw = \"flores\"\nstiffness = 1e6\nrestitution = 0.5\nrolling = { law = \"rolling-resistance\", coefficient = 0.01, transition_speed = 0.01 }\n";

fn with(name: &str, model: &str) -> Folder {
    let folder = Folder::new(&format!("methods-{name}"));
    fs::write(folder.0.join("model.toml"), model).expect("it is written");
    folder
}

impl Folder {
    fn run(&self, arguments: &[&str]) -> Output {
        carom_in(&self.0, &[&["run"], arguments].concat())
    }

    #[track_caller]
    fn ends(&self, arguments: &[&str], code: i32) -> Output {
        let out = self.run(arguments);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{said}");
        out
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

fn near(what: &str, found: &Value, known: f64, off: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!((found - known).abs() <= off, "{what}: {found} {known}");
}

/// The instants are those of the piecewise solution computed apart, in minimal coordinates (tests/system_piecewise.rs of the library).
#[test]
fn two_methods_leave_their_folders_and_one_page() {
    let folder = with("two", PENDULUMS);
    let out = folder.ends(
        &[
            "model.toml",
            "--contact-method",
            "compliant,piecewise",
            "--out",
            "both",
        ],
        0,
    );
    for name in ["compliant", "piecewise"] {
        for file in [
            "summary.json",
            "trajectory.csv",
            "report.html",
            "manifest.json",
            "contacts.csv",
        ] {
            assert!(
                folder.0.join("both").join(name).join(file).exists(),
                "{name}/{file}"
            );
        }
        let settings = &folder.json(&format!("both/{name}/summary.json"))["settings"];
        assert_eq!(settings["method"]["contact"], name);
        let manifest = folder.json(&format!("both/{name}/manifest.json"));
        assert!(manifest["overrides"].to_string().contains(name));
    }
    let summary = folder.json("both/piecewise/summary.json");
    assert_eq!(summary["settings"]["method"]["restitution"], "stronge");
    assert_eq!(summary["settings"]["method"]["simultaneous"], "together");
    let contacts = summary["contacts"].as_array().expect("contacts");
    assert_eq!(contacts.len(), 3);
    for (contact, known) in contacts.iter().zip([1.142445818, 3.763188760, 6.694251411]) {
        near("instant", &contact["start"], known, 1e-6);
        near("restitution", &contact["restitution"]["newton"], 0.3, 1e-12);
        assert!(contact["peak_force"].is_null() && contact["max_indentation"].is_null());
        assert!(contact["impulse"].as_f64().is_some_and(|p| p > 0.0));
    }
    // What a blow has not is an empty cell.
    let table = folder.read("both/piecewise/contacts.csv");
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().expect("heads");
    let first = lines.next().expect("a contact");
    assert_eq!(heads.len(), first.len());
    let cell = |name: &str| {
        let at = heads
            .iter()
            .position(|h| h.starts_with(name))
            .expect("a head");
        first[at]
    };
    assert_eq!((cell("peak_force"), cell("max_indentation")), ("", ""));
    assert!(!table.contains("NaN"));
    assert!(cell("impulse").parse::<f64>().is_ok_and(|p| p > 0.0));

    let together = folder.json("both/methods.json");
    assert_eq!(together["reference"], "piecewise");
    let compliant = &together["differences"][0];
    assert_eq!(compliant["method"], "compliant");
    assert_eq!(compliant["samples"], 801);
    // The law was made for this restitution: its angles stay within a few thousandths of a radian for three impacts.
    let channels = compliant["channels"].as_array().expect("channels");
    let angle = channels
        .iter()
        .find(|c| c["channel"] == "rod2.angle")
        .expect("it");
    let rms = angle["rms"].as_f64().expect("a number");
    assert!(rms > 1e-6 && rms < 0.01, "{rms}");
    // Computed anew from the two tables.
    let column = |name: &str| -> Vec<f64> {
        let text = folder.read(&format!("both/{name}/trajectory.csv"));
        let at = text
            .lines()
            .next()
            .expect("heads")
            .split(',')
            .position(|h| h.starts_with("rod2.angle"))
            .expect("it");
        let value = |line: &str| {
            line.split(',')
                .nth(at)
                .and_then(|c| c.parse::<f64>().ok())
                .expect("a number")
        };
        text.lines().skip(1).map(value).collect()
    };
    let (one, two) = (column("compliant"), column("piecewise"));
    let squares: f64 = one.iter().zip(&two).map(|(a, b)| (a - b) * (a - b)).sum();
    near(
        "root mean square",
        &angle["rms"],
        (squares / one.len() as f64).sqrt(),
        1e-12,
    );

    let page = folder.read("both/methods.html");
    for part in [
        "Two pendulums that strike each other",
        "compliant/report.html",
        "piecewise/report.html",
        "1.142445818 s",
        "data:image/svg+xml;base64,",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for network in ["http://", "https://", "src=\"//"] {
        assert!(!page.contains(network), "{network}");
    }
    assert!(folder.read("both/methods.svg").starts_with("<svg"));
    let told = text(&out.stdout);
    assert!(
        told.contains("compliant agrees with piecewise to 1 %"),
        "{told}"
    );
    assert!(told.contains("restitution of energies (Stronge)"), "{told}");

    // Each can be repeated as usual, and looked at.
    let again = folder.ends(
        &["--repeat", "both/piecewise/manifest.json", "--out", "again"],
        0,
    );
    assert!(text(&again.stdout).contains("byte for byte"));
    let plot = carom_in(&folder.0, &["plot", "both/piecewise", "--contact", "1"]);
    assert_eq!(plot.status.code(), Some(2));
    assert!(
        text(&plot.stderr).contains("strike at an instant"),
        "{}",
        text(&plot.stderr)
    );
    let check = carom_in(
        &folder.0,
        &["check", "model.toml", "--set", "method.contact=piecewise"],
    );
    assert!(
        text(&check.stdout).contains("contact method"),
        "{}",
        text(&check.stdout)
    );
}

/// The folder of several methods is looked at as a whole where that means something: `view` opens its page, `plot` lays the runs over each other; a film shows one.
#[test]
fn a_folder_of_several_methods_is_looked_at_as_a_whole() {
    let folder = with("whole", PENDULUMS);
    let methods = ["--contact-method", "compliant,piecewise"];
    let short = ["--set", "simulation.end=1.2", "--out", "both"];
    folder.ends(&[&["model.toml"][..], &methods, &short].concat(), 0);
    let page = carom_in(&folder.0, &["view", "both", "--print"]);
    assert!(text(&page.stdout).trim_end().ends_with("methods.html"));
    let out = carom_in(&folder.0, &["plot", "both", "--out", "both.svg"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let drawn = folder.read("both.svg");
    assert!(drawn.contains("compliant") && drawn.contains("piecewise"));
    let film = carom_in(&folder.0, &["animate", "both", "--out", "both.svg"]);
    assert_eq!(film.status.code(), Some(2));
    let said = text(&film.stderr);
    assert!(said.contains("both/compliant"), "{said}");
}

#[test]
fn one_method_is_the_same_as_setting_it() {
    let folder = with("one", PENDULUMS);
    let end = ["--set", "simulation.end=1.2"];
    folder.ends(
        &[
            &["model.toml", "--contact-method", "piecewise", "--out", "a"][..],
            &end,
        ]
        .concat(),
        0,
    );
    folder.ends(
        &[
            &["model.toml", "--out", "b"][..],
            &end,
            &["--set", "method.contact=piecewise"],
        ]
        .concat(),
        0,
    );
    assert_eq!(
        folder.read("a/trajectory.csv"),
        folder.read("b/trajectory.csv")
    );
    assert_eq!(folder.read("a/report.html"), folder.read("b/report.html"));
    assert!(!folder.0.join("a/methods.html").exists());
    let both = folder.ends(
        &[
            "model.toml",
            "--contact-method",
            "piecewise",
            "--set",
            "method.contact=compliant",
        ],
        2,
    );
    assert!(text(&both.stderr).contains("not both"));
    let unknown = folder.ends(&["model.toml", "--contact-method", "piecewize"], 2);
    assert!(
        text(&unknown.stderr).contains("nearest is piecewise"),
        "{}",
        text(&unknown.stderr)
    );
}

#[test]
fn a_method_that_refuses_is_told_and_the_others_go_on() {
    let folder = with("refused", ROLLING);
    let out = folder.ends(
        &[
            "model.toml",
            "--contact-method",
            "piecewise,compliant",
            "--out",
            "both",
            "--json",
        ],
        0,
    );
    assert!(
        text(&out.stderr).contains("piecewise refuses this model"),
        "{}",
        text(&out.stderr)
    );
    let value: Value = serde_json::from_str(&text(&out.stdout)).expect("one JSON value");
    assert_eq!(value["methods"]["compliant"]["status"], "completed");
    assert_eq!(value["methods"]["piecewise"]["status"], "refused");
    assert!(
        value["methods"]["piecewise"]["errors"][0]["message"]
            .as_str()
            .is_some_and(|m| m.contains("rolling"))
    );
    assert_eq!(value["reference"], "compliant");
    assert!(!folder.0.join("both/piecewise").exists());
    assert!(
        folder
            .read("both/methods.html")
            .contains("piecewise refuses this model")
    );

    fs::write(
        folder.0.join("model.toml"),
        format!("{ROLLING}nonsense = 1\n"),
    )
    .expect("it is written");
    let out = folder.ends(
        &["model.toml", "--contact-method", "piecewise,compliant"],
        2,
    );
    assert!(
        text(&out.stderr).contains("no method takes this model"),
        "{}",
        text(&out.stderr)
    );
}

/// A slab that a driver brings down onto a block on the floor: from 0.4 s on only what yields can go on.
const SQUEEZE: &str = "format = 1\n[simulation]\nend = 0.41\ngravity = [0, -9.81]\nchannels = [\"block.y\", \"block.vy\", \"slab.y\"]\n[ground.shapes.floor]\ntype = \"half-plane\"\n[body.block]\nmass = 1\nshape = { type = \"rectangle\", width = 0.2, height = 0.1 }\nposition = [0, 0.05]\nshapes.outline = { type = \"rectangle\", width = 0.2, height = 0.1 }\n[body.slab]\nmass = 5\nshape = { type = \"rectangle\", width = 0.4, height = 0.05 }\nposition = [0, 0.325]\nshapes.outline = { type = \"rectangle\", width = 0.4, height = 0.05 }\n[joint.guide]\ntype = \"translational\"\nbetween = [\"ground\", \"slab\"]\ndirection = \"90 deg\"\n[driver.down]\njoint = \"guide\"\nposition = \"0.325 m - 0.5 m/s*t\"\n[contact.floor]\nbetween = [\"ground.floor\", \"block\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0.3\n[contact.press]\nbetween = [\"slab\", \"block\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0.3\n";

/// A ball that bounces, with fewer steps than compliant contact takes and more than impulses do.
const BOUNCE: &str = "format = 1\n[simulation]\nend = 1\ngravity = [0, -10]\noutput_step = 0.01\nchannels = [\"ball.y\", \"ball.vy\"]\n[solver]\nmax_steps = 40\n[ground.shapes.floor]\ntype = \"half-plane\"\n[body.ball]\nmass = 1\ninertia = 0.004\nposition = [0, 0.2]\nshapes.rim = { type = \"circle\", radius = 0.1 }\n[contact.floor]\nbetween = [\"ground.floor\", \"ball\"]\nlaw = \"flores\"\nstiffness = 1e8\nrestitution = 0.9\n";

/// Who fails is compared until then, by the ranges of who does not, and never tracks best.
#[test]
fn a_method_that_fails_is_compared_until_then() {
    let folder = with("squeeze", SQUEEZE);
    let all = "compliant,piecewise,time-stepping";
    let out = folder.ends(
        &["model.toml", "--contact-method", all, "--out", "three"],
        1,
    );
    let said = text(&out.stdout);
    let together = folder.json("three/methods.json");
    assert_eq!(together["reference"], "compliant");
    assert!(!said.contains("best"), "{said}");
    for one in together["differences"].as_array().expect("two") {
        let name = one["method"].as_str().expect("a name");
        assert_eq!(one["sound"], false, "{name}");
        near(name, &one["until"], 0.4, 2e-3);
        // Before the squeeze all are alike: the block rests on the floor, with compliance a little deep in it.
        let off = one["rms_of_range"].as_f64().expect("a number");
        assert!(off < 0.05, "{name}: {off}");
        let sentence = format!("{name} is compared with compliant until ");
        let sentence = said.lines().find(|line| line.starts_with(&sentence));
        let sentence = sentence.unwrap_or_else(|| panic!("{said}"));
        assert!(sentence.contains("ms, where it failed: "), "{sentence}");
    }

    let folder = with("bounce", BOUNCE);
    let out = folder.ends(
        &[
            "model.toml",
            "--contact-method",
            "compliant,piecewise",
            "--out",
            "two",
        ],
        1,
    );
    let together = folder.json("two/methods.json");
    assert_eq!(together["reference"], "piecewise");
    let compliant = &together["differences"][0];
    let until = compliant["until"].as_f64().expect("a time");
    assert!(
        compliant["sound"] == false && until > 0.14 && until < 0.9,
        "{until}"
    );
    let said = text(&out.stdout);
    assert!(
        said.contains("compliant is compared with piecewise until"),
        "{said}"
    );
    // The ball goes 0.1 m: that is what differences are measured by.
    let channels = compliant["channels"].as_array().expect("channels");
    near("range", &channels[0]["range"], 0.1, 2e-3);
}
