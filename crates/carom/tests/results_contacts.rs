//! Do the results of a run say all that there is to say about its contacts?
//!
//! A steel ball of 1 kg and 100 mm falls from 1 m (its centre) under Lankarani–Nikravesh, K = 1.4e8 N/m^1.5, a restitution of 0.7 asked for: S0's ball (Flores et al. 2011) with another law.
#![cfg(all(feature = "files", feature = "plot"))]

mod built;

use built::{body, run_system};
use carom::card::Values;
use carom::contact::{self, Calibration, Law, Surfaces, closed, materials};
use carom::geometry::{Pair, Shape};
use carom::mechanics::{Body, Contact, Follows};
use carom::model::{ContactEntry, Model};
use carom::report::contacts::chart;
use carom::results::manifest::Overrides;
use carom::results::summary::{About, contacts_table, ended};
use carom::system::Outcome;
use serde_json::Value;

const STIFFNESS: f64 = 1.4e8;

/// An elastic impact of 1 kg at 4.2 m/s is (5 m v²/(4 K))^(2/5) = 1.9 mm deep: √(Rδ) = 14 mm is more than a tenth of the radius of 100 mm.
const CODES: [&str; 4] = [
    "validity-speed",
    "yield",
    "large-contact",
    "restitution-differs",
];

fn ball(calibration: Calibration, end: f64) -> Model {
    let values = Values::new()
        .number("stiffness", STIFFNESS)
        .number("restitution", 0.7);
    let card = contact::find("lankarani-nikravesh").expect("known");
    let law = Law::new(card, &values, None, calibration).expect("sound");
    let floor = Shape::half_plane([0.0, 0.0], [0.0, 1.0]).expect("sound");
    let round = Shape::circle([0.0, 0.0], 0.1).expect("sound");
    let pair = Pair::new(floor, round).expect("they can touch");
    let contact = Contact::new([None, Some(0)], vec![pair], Follows::Law(law)).expect("sound");
    let steel = materials::find("steel").expect("known").clone();
    let mut model = Model {
        gravity: [0.0, -9.81],
        ..Model::default()
    };
    model.bodies = vec![body(
        "ball",
        Body::new(1.0, 4e-3).expect("sound"),
        [0.0, 1.0, 0.0],
        [0.0; 3],
    )];
    model.contacts = vec![ContactEntry {
        name: "floor".into(),
        joint: None,
        contact,
        surfaces: Surfaces {
            materials: Some([steel.clone(), steel]),
            radii: None,
            length: None,
        },
    }];
    model.simulation.end = end;
    model.solver.rtol = 1e-9;
    model
}

fn summary(model: &Model) -> (Outcome, Value) {
    let (outcome, _, system) = run_system(model);
    let overrides = Overrides(Vec::new());
    let about = About {
        hash: "",
        overrides: &overrides,
        warnings: &[],
    };
    let summary = ended(&system, &about, &outcome, 0.0);
    (outcome, summary)
}

/// sqrt(2 g (1 m − R)), m/s; after sqrt(2 (1 m − R)/g) = 428.353 ms.
fn impact_speed() -> f64 {
    (2.0 * 9.81 * 0.9_f64).sqrt()
}

/// What the law returns where no other force acts: h = 3 (1 − e²)/4.
fn free() -> f64 {
    closed::restitution(0.75 * (1.0 - 0.49))
}

#[test]
fn a_contact_in_the_summary_has_every_key_and_says_what_to_beware_of() {
    let (outcome, summary) = summary(&ball(Calibration::Published, 1.2));
    let contacts = summary["contacts"].as_array().expect("a list");
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    for key in [
        "contact",
        "start",
        "end",
        "law",
        "approach_speed",
        "separation_speed",
        "tangential_speed",
        "effective_mass",
        "point",
        "normal",
        "impact_type",
        "restitution",
        "max_indentation",
        "max_indentation_time",
        "peak_force",
        "peak_force_time",
        "min_force",
        "duration",
        "impulse",
        "tangential_impulse",
        "impulse_ratio",
        "stored_energy_max",
        "dissipated_energy",
        "stick_time",
        "separation_indentation",
        "warnings",
    ] {
        assert!(!contacts[0][key].is_null(), "{key}");
    }
    let one = &contacts[0];
    let number = |value: &Value| value.as_f64().expect("a number");
    assert_eq!(one["contact"], "contact.floor");
    assert_eq!(one["impact_type"], "central, direct");
    assert!((number(&one["approach_speed"]) - impact_speed()).abs() < 1e-7);
    assert!((number(&one["effective_mass"]) - 1.0).abs() < 1e-12);
    let restitution = &one["restitution"];
    assert_eq!(number(&restitution["requested"]), 0.7);
    assert!((number(&restitution["free"]) - free()).abs() < 1e-12);
    // Gravity acts for the millisecond of contact: 10 mm/s of 4.2 m/s.
    assert!((number(&restitution["newton"]) - free()).abs() < 5e-3);
    // What went in is what came out, what was lost, and the weight's work, which is nothing from touch to parting.
    let (v, u) = (
        number(&one["approach_speed"]),
        number(&one["separation_speed"]),
    );
    let lost = number(&one["dissipated_energy"]["normal"]);
    assert!((lost - 0.5 * (v * v - u * u)).abs() < 1e-6, "{lost}");
    let duration = number(&one["duration"]);
    assert!((number(&one["impulse"]) - (v + u + 9.81 * duration)).abs() < 1e-6);
    let codes: Vec<&str> = one["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|w| w["code"].as_str().expect("a word"))
        .collect();
    assert_eq!(codes, CODES);

    // Once for the element, with how often and the worst.
    let warnings = summary["warnings"].as_array().expect("a list");
    let codes: Vec<&str> = warnings
        .iter()
        .map(|w| w["code"].as_str().expect("a word"))
        .collect();
    assert_eq!(codes, CODES);
    let speed = &warnings[0];
    assert_eq!(speed["element"], "contact.floor");
    assert_eq!(speed["time"], one["start"]);
    let message = speed["message"].as_str().expect("words");
    assert!(
        message.starts_with("in all 2 contacts, the worst at t = 428.35 ms"),
        "{message}"
    );
    assert!(message.contains("4.2 m/s"), "{message}");
    let differs = warnings[3]["message"].as_str().expect("words");
    assert!(differs.contains("asked for 0.7, got 0.79"), "{differs}");
    assert!(
        warnings[3]["hint"]
            .as_str()
            .expect("words")
            .contains("calibration = \"exact\"")
    );
    assert_eq!(outcome.warnings.len(), CODES.len());
}

#[test]
fn an_exact_calibration_gets_what_is_asked_for_but_for_gravity() {
    let (outcome, summary) = summary(&ball(Calibration::Exact, 0.5));
    let newton = summary["contacts"][0]["restitution"]["newton"]
        .as_f64()
        .expect("over");
    assert!((newton - 0.7).abs() < 2e-3, "{newton}");
    assert!(
        outcome
            .warnings
            .iter()
            .all(|w| w.code != "restitution-differs")
    );
    let returned = carom::system::Returned::of(&outcome.contacts[0]).expect("over");
    let why = returned.why();
    assert!(
        why.starts_with("weight, joints and other forces acted"),
        "{why}"
    );
}

#[test]
fn the_table_of_contacts_has_a_cell_for_every_column() {
    let (outcome, _) = summary(&ball(Calibration::Published, 1.2));
    let table = contacts_table(&outcome);
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines.iter().all(|line| line.len() == lines[0].len()),
        "{table}"
    );
    let cell = |name: &str| {
        let i = lines[0]
            .iter()
            .position(|head| head.split(" [").next() == Some(name));
        lines[1][i.unwrap_or_else(|| panic!("{name}"))]
    };
    assert_eq!(cell("contact"), "contact.floor");
    assert_eq!(cell("impact_type"), "central direct");
    assert_eq!(cell("warnings"), CODES.join(" "));
    assert_eq!(cell("restitution_requested"), "0.7");
    let number = |name: &str| cell(name).parse::<f64>().expect("a number");
    let parts = number("impulse_compression") + number("impulse_restitution");
    assert!((number("impulse") - parts).abs() < 1e-12);
    let parts = number("dissipated_compression") + number("dissipated_restitution");
    assert!((number("dissipated_energy") - parts).abs() < 1e-12);
    assert!((number("y")).abs() < 1e-3);
}

#[test]
fn the_first_contacts_are_kept_point_by_point_and_drawn() {
    let (outcome, _) = summary(&ball(Calibration::Published, 1.2));
    let h = 0.75 * (1.0 - 0.49);
    for contacted in &outcome.contacts {
        let samples = &contacted.samples;
        assert!(samples.len() > 20, "{}", samples.len());
        for s in samples {
            let v0 = contacted.episode.approach;
            let force = STIFFNESS * s.delta.max(0.0).powf(1.5) * (1.0 + h * s.rate / v0);
            assert!(
                (s.force - force).abs() < 1e-6 * contacted.course.peak[0],
                "{s:?} {force}"
            );
        }
        assert_eq!(samples[0].t, contacted.episode.start);
        let last = samples[samples.len() - 1];
        assert!((last.t - contacted.episode.end).abs() < 1e-12);
        let most = samples.iter().map(|s| s.force).fold(0.0, f64::max);
        let peak = contacted.course.peak[0];
        assert!(
            most <= peak * (1.0 + 1e-6) && most > 0.98 * peak,
            "{most} {peak}"
        );
        // The area inside the loop is what was lost.
        let area: f64 = samples
            .windows(2)
            .map(|p| 0.5 * (p[0].force + p[1].force) * (p[1].delta - p[0].delta))
            .sum();
        let lost = contacted.normal_heat();
        assert!((area / lost - 1.0).abs() < 0.02, "{area} {lost}");
    }
    let drawn = chart("Ball", &outcome.contacts).expect("there are contacts");
    let csv = drawn.csv();
    let got = outcome.contacts[0].newton().expect("over");
    let restitution = format!("428.35 ms: {got:.3} (asked 0.7)");
    for words in [
        restitution.as_str(),
        "428.35 ms, 4.2 m/s contact.floor",
        "largest",
    ] {
        assert!(csv.contains(words), "{words}");
    }
    let svg = drawn.svg().expect("it is drawn");
    assert!(svg.starts_with("<svg"));
    if let Some(folder) = std::env::var_os("CAROM_PICTURES") {
        let path = std::path::Path::new(&folder).join("contacts.svg");
        std::fs::write(path, svg).expect("it is written");
    }
    assert!(chart("none", &[]).is_none());
}
