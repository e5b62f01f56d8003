//! Do materials, radii and length give a law the numbers that the papers would?

use super::*;
use crate::contact;
use crate::contact::materials;

/// E* of steel on steel: E = 207 GPa, ν = 0.3 (Flores et al. 2006, Table 2).
const MODULUS: f64 = 207e9 / 1.82;

fn two(a: &str, b: &str) -> Option<[Material; 2]> {
    Some([a, b].map(|name| materials::find(name).expect("known").clone()))
}

fn steel(radii: [f64; 2]) -> Surfaces {
    Surfaces {
        materials: two("steel", "steel"),
        radii: Some(radii),
        length: None,
    }
}

/// The journal and the bearing of Flores et al. (2006).
fn pin() -> Surfaces {
    Surfaces {
        length: Some(15e-3),
        ..steel([9.5e-3, -10e-3])
    }
}

fn card(id: &str) -> &'static Card {
    contact::find(id).expect("known")
}

fn supplied(surfaces: &Surfaces, id: &str, values: Values) -> Supplied {
    surfaces.supply(card(id), &values, Calibration::Published)
}

fn close(got: Option<f64>, known: f64, tolerance: f64) {
    let got = got.expect("supplied");
    assert!((got / known - 1.0).abs() < tolerance, "{got} {known}");
}

#[test]
fn a_steel_pin_in_its_bore_is_as_stiff_as_flores_et_al_print() {
    // 6.6e10 in the paper; with unsigned radii it would be 1.058e10.
    for radii in [[9.5e-3, -10e-3], [-10e-3, 9.5e-3]] {
        let got = supplied(&steel(radii), "flores", Values::new());
        close(got.values.get("stiffness"), 6.6101984e10, 1e-8);
        assert_eq!(got.values.get("exponent"), Some(1.5));
        assert_eq!(got.derived, ["stiffness", "exponent"]);
        assert_eq!(got.lacks, []);
    }
}

#[test]
fn a_plane_is_an_infinite_radius_of_either_sign_on_either_side() {
    let known = 4.0 / 3.0 * MODULUS * 0.02_f64.sqrt();
    for plane in [f64::INFINITY, f64::NEG_INFINITY] {
        for radii in [[0.02, plane], [plane, 0.02]] {
            let got = supplied(&steel(radii), "hertz", Values::new());
            close(got.values.get("stiffness"), known, 1e-14);
            let got = supplied(&steel(radii), "thornton", Values::new());
            close(got.values.get("effective_radius"), 0.02, 1e-15);
        }
    }
}

#[test]
fn the_laws_of_a_journal_in_its_bearing_need_nothing_but_the_surfaces() {
    for (id, known) in [
        ("dubowsky-freudenstein", &JOURNAL[..]),
        ("goldsmith", &JOURNAL),
        ("esdu-78035", &JOURNAL),
        ("liu", &[("clearance", 0.5e-3), ("length", 15e-3)]),
        (
            "yang-sun",
            &[("young", 207e9), ("poisson", 0.3), ("length", 15e-3)],
        ),
    ] {
        for radii in [[9.5e-3, -10e-3], [-10e-3, 9.5e-3]] {
            let surfaces = Surfaces {
                radii: Some(radii),
                ..pin()
            };
            let got = supplied(&surfaces, id, Values::new());
            for (name, value) in known {
                close(got.values.get(name), *value, 1e-13);
            }
            let law = surfaces
                .law(card(id), &Values::new(), None, Calibration::Published)
                .unwrap_or_else(|faults| panic!("{id}: {faults:?}"));
            assert!(law.touch(0.3, 1.0).is_ok(), "{id}");
        }
    }
}

const JOURNAL: [(&str, f64); 4] = [
    ("effective_modulus", MODULUS),
    ("length", 15e-3),
    ("bearing_radius", 10e-3),
    ("journal_radius", 9.5e-3),
];

#[test]
fn where_yield_begins_follows_from_the_weaker_material() {
    let steel = materials::find("steel").expect("known");
    let soft = Material {
        yield_strength: Some(100e6),
        ..steel.clone()
    };
    let surfaces = Surfaces {
        materials: Some([steel.clone(), soft]),
        radii: Some([0.01, 0.01]),
        length: None,
    };
    let got = supplied(&surfaces, "thornton", Values::new());
    // 1.6 Y (Johnson 1985).
    close(got.values.get("limiting_pressure"), 160e6, 1e-14);
    let got = supplied(&surfaces, "yigit", Values::new());
    let slope = std::f64::consts::PI * 160e6 / (2.0 * MODULUS);
    close(
        got.values.get("yield_indentation"),
        0.005 * slope * slope,
        1e-13,
    );
}

#[test]
fn what_was_given_is_never_overwritten_and_nothing_is_supplied_twice() {
    for card in contact::cards() {
        for p in card.parameters {
            let given = Values::new().number(p.name, 0.123);
            let got = pin().supply(card, &given, Calibration::Published);
            assert_eq!(
                got.values.get(p.name),
                Some(0.123),
                "{} {}",
                card.id,
                p.name
            );
            assert!(!got.derived.contains(&p.name), "{} {}", card.id, p.name);
            let again = pin().supply(card, &got.values, Calibration::Published);
            assert_eq!(again.values, got.values, "{} {}", card.id, p.name);
            assert!(again.derived.is_empty(), "{} {}", card.id, p.name);
        }
    }
}

#[test]
fn what_is_not_known_is_named_with_what_would_tell_it() {
    let materials_only = Surfaces {
        radii: None,
        ..steel([1.0, 1.0])
    };
    let radii_only = Surfaces {
        materials: None,
        ..pin()
    };
    let mixed = Surfaces {
        materials: two("steel", "aluminium"),
        ..pin()
    };
    let brittle = Surfaces {
        materials: two("glass", "glass"),
        ..steel([0.01, 0.01])
    };
    let short = Surfaces {
        length: None,
        ..pin()
    };
    for (surfaces, id, name, lack) in [
        (
            Surfaces::default(),
            "flores",
            "stiffness",
            Lack::MaterialsAndRadii,
        ),
        (materials_only.clone(), "flores", "stiffness", Lack::Radii),
        (radii_only.clone(), "flores", "stiffness", Lack::Materials),
        (radii_only, "liu", "effective_modulus", Lack::Materials),
        (materials_only, "liu", "clearance", Lack::Radii),
        (steel([0.01, 0.01]), "liu", "clearance", Lack::Joint),
        (steel([0.01, -0.01]), "liu", "clearance", Lack::Joint),
        (short, "goldsmith", "length", Lack::Length),
        (mixed, "yang-sun", "young", Lack::OneMaterial),
        (
            brittle,
            "thornton",
            "limiting_pressure",
            Lack::YieldStrength,
        ),
        (pin(), "hooke", "stiffness", Lack::Exponent(1.0)),
        (pin(), "brandlein", "stiffness", Lack::Exponent(1.08)),
    ] {
        let got = supplied(&surfaces, id, Values::new());
        assert_eq!(got.lack(name), Some(&lack), "{id} {name}");
        assert_eq!(got.values.get(name), None, "{id} {name}");
        assert!(!lack.to_string().is_empty());
        let faults = surfaces
            .law(card(id), &Values::new(), None, Calibration::Published)
            .expect_err("something is missing");
        let named = |fault: &Fault| matches!(fault, Fault::Missing { name: n, .. } if *n == name);
        assert!(faults.iter().any(named), "{id} {name}: {faults:?}");
    }
    // No surface tells a viscosity.
    let got = supplied(&pin(), "brilliantov-1996", Values::new());
    assert_eq!(got.lack("bulk_viscosity"), None);
}

#[test]
fn another_exponent_takes_no_stiffness_of_spheres() {
    let given = Values::new().number("exponent", 1.2);
    let got = supplied(&pin(), "flores", given);
    assert_eq!(got.lack("stiffness"), Some(&Lack::Exponent(1.2)));
    assert_eq!(got.values.get("stiffness"), None);
}

#[test]
fn radii_that_make_no_sense_are_the_reason_given_once() {
    let given = Values::new().number("restitution", 0.7);
    let law = |radii, id, values: &Values| {
        steel(radii).law(card(id), values, None, Calibration::Published)
    };
    // Equal and opposite; a sharp corner; two planes.
    for radii in [
        [0.01, -0.01],
        [0.0, f64::INFINITY],
        [f64::INFINITY, f64::INFINITY],
    ] {
        for (id, values) in [("flores", &given), ("thornton", &Values::new())] {
            let faults = law(radii, id, values).expect_err("no such spheres");
            assert_eq!(faults.len(), 1, "{id} {radii:?}: {faults:?}");
            assert!(
                matches!(&faults[0], Fault::OutOfRange { law, .. } if *law == "effective radius"),
                "{id} {radii:?}: {faults:?}"
            );
        }
        // With a stiffness they do not matter.
        let stiff = given.clone().number("stiffness", 1e9);
        assert!(law(radii, "flores", &stiff).is_ok());
    }
}

#[test]
fn radii_are_needed_only_where_they_are_not_given_in_other_words() {
    let needs =
        |id, values: &Values, calibration| Surfaces::needs_radii(card(id), values, calibration);
    let none = Values::new();
    for (id, values, needed) in [
        ("flores", none.clone(), true),
        ("flores", none.clone().number("stiffness", 1e9), false),
        ("flores", none.clone().number("exponent", 1.0), false),
        ("hooke", none.clone(), false),
        ("liu", none.clone(), true),
        ("liu", none.clone().number("clearance", 1e-4), false),
        ("yang-sun", none.clone(), false),
        ("thornton", none.clone(), true),
    ] {
        assert_eq!(
            needs(id, &values, Calibration::Published),
            needed,
            "{id} {values:?}"
        );
    }
    // Where the radius serves the damper alone, a calibration makes it needless.
    let damper = |card: &&Card| {
        card.can_calibrate()
            && card
                .parameters
                .iter()
                .any(|p| p.name == "effective_radius" && p.role == Role::Damping)
    };
    let mut seen = 0;
    for card in contact::cards().filter(damper) {
        let given = none.clone().number("stiffness", 1e9);
        assert!(
            needs(card.id, &given, Calibration::Published),
            "{}",
            card.id
        );
        assert!(!needs(card.id, &given, Calibration::Exact), "{}", card.id);
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn surfaces_never_contradict_a_calibration() {
    for card in contact::cards() {
        for calibration in [Calibration::Published, Calibration::Exact] {
            for surfaces in [pin(), steel([0.01, 0.02])] {
                let given = Values::new().number("restitution", 0.7);
                let faults = surfaces.law(card, &given, None, calibration).err();
                let conflict = |fault: &Fault| matches!(fault, Fault::Conflict { .. });
                assert!(
                    !faults.iter().flatten().any(conflict),
                    "{}: {faults:?}",
                    card.id
                );
            }
        }
    }
}

#[test]
fn every_stiffness_has_an_exponent_and_every_number_from_surfaces_a_law_that_takes_it() {
    let none = Values::new();
    for card in contact::cards().filter(|card| card.stiffness().is_some()) {
        assert!(card.exponent(&none).is_some(), "{}", card.id);
        let springs = card.parameters.iter().filter(|p| p.role == Role::Stiffness);
        assert_eq!(springs.count(), 1, "{}", card.id);
    }
    assert_eq!(card("hooke").exponent(&none), Some(1.0));
    assert_eq!(card("choi").exponent(&none), Some(1.5));
    assert_eq!(
        card("xiong").exponent(&none.number("exponent", 2.0)),
        Some(2.0)
    );
    assert_eq!(card("thornton").exponent(&Values::new()), None);
    let mut names: Vec<&str> = contact::cards()
        .flat_map(|card| card.parameters)
        .map(|p| p.name)
        .filter(|name| pin().number(name).is_some())
        .collect();
    names.sort();
    names.dedup();
    let known = [
        "bearing_radius",
        "clearance",
        "effective_modulus",
        "effective_radius",
        "journal_radius",
        "length",
        "limiting_pressure",
        "poisson",
        "radius_1",
        "radius_2",
        "yield_indentation",
        "yield_strength_1",
        "yield_strength_2",
        "young",
        "young_1",
        "young_2",
    ];
    assert_eq!(names, known);
}

#[test]
fn a_law_made_for_it_is_not_warned_of_it() {
    let codes = |id: &str, speed| -> Vec<&str> {
        pin()
            .warnings(&[card(id)], 1.0, speed, None)
            .iter()
            .map(Warning::code)
            .collect()
    };
    // 1e-5 √(207e9/7850) is 0.05 m/s; 9.5 mm are 0.95 of 10 mm.
    assert_eq!(codes("flores", 0.04), ["conformal"]);
    assert!(codes("flores", 0.06).contains(&"validity-speed"));
    assert!(codes("liu", 0.04).is_empty());
    // One law that does not allow for it is enough.
    assert_eq!(
        pin()
            .warnings(&[card("liu"), card("flores")], 1.0, 0.04, None)
            .len(),
        1
    );
    // Deep enough to yield.
    assert!(
        pin()
            .warnings(&[card("flores")], 1.0, 0.04, Some(1e-3))
            .iter()
            .any(|w| w.code() == "yield")
    );
    assert!(Surfaces::default().warnings(&[], 1.0, 9.0, None).is_empty());
}
