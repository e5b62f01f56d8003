//! Are the stiffnesses those of the papers, and do the warnings come where they should?
//!
//! S0 … S4: Flores et al. (2011), Machado et al. (2012), Flores et al. (2006), Poursina and Nikravesh (2020), Corral et al. (2021).

use super::*;
use crate::contact::materials::find;
use proptest::prelude::*;

fn material(name: &str) -> &'static Material {
    find(name).unwrap_or_else(|e| panic!("{e}"))
}

fn steel() -> [&'static Material; 2] {
    [material("steel"); 2]
}

#[track_caller]
fn close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value / expected - 1.0).abs() <= tolerance,
        "{value:e} is not {expected:e}"
    );
}

#[test]
fn the_journal_in_its_bearing_has_the_stiffness_of_the_slider_crank_paper() {
    // S2 prints 6.6e10 for a pin of 9.5 mm in a bearing of 10 mm; more digits: 4·√0.19/(3·2·0.91/207e9).
    let k = sphere_sphere([-0.01, 0.0095], steel()).expect("a journal");
    close(k.stiffness, 6.6101984e10, 5e-9);
    close(k.effective_radius.expect("round"), 0.19, 1e-14);
    assert_eq!((k.exponent, k.unit), (1.5, "N/m^1.5"));
    assert_eq!(sphere_sphere([0.0095, -0.01], steel()), Ok(k));
    // S2 eq. 3 with unsigned radii, as it can be read, is six times too soft.
    let unsigned = sphere_sphere([0.01, 0.0095], steel()).expect("two spheres");
    close(unsigned.stiffness, 1.058e10, 5e-4);
}

#[test]
fn the_two_spheres_of_the_review_are_aluminium_and_their_stiffness_follows() {
    // S1 section 4 gives radius 20 mm, mass 0.092 kg and K = 5.5e9, but no material. The mass makes 2745 kg/m³: aluminium (2710).
    let aluminium = material("aluminium");
    let volume = 4.0 / 3.0 * PI * 0.02_f64.powi(3);
    close(aluminium.density.expect("known") * volume, 0.092, 0.02);
    let k = sphere_sphere([0.02, 0.02], [aluminium; 2]).expect("two spheres");
    assert_eq!(k.effective_radius, Some(0.01));
    close(k.stiffness, 5.5e9, 0.03);
    // Exactly 5.5e9 needs 73.3 GPa at the same Poisson's ratio: within the 69 to 79 GPa of aluminium alloys.
    let young = aluminium.young * 5.5e9 / k.stiffness;
    assert!((69e9..79e9).contains(&young), "{young:e}");
}

#[test]
fn the_bouncing_ball_is_of_ptfe_by_its_stiffness() {
    // S0 section 7: a PTFE ball of 0.1 m, K = 140e6. (By its mass it is not: 1 kg would make 239 kg/m³.)
    let ptfe = material("ptfe");
    let k = sphere_plane(0.1, [ptfe; 2]).expect("a ball on a plane");
    close(k.stiffness, 1.4e8, 0.1);
    // The modulus that gives it exactly lies in the range of the table's note.
    let young = ptfe.young * 1.4e8 / k.stiffness;
    assert!((0.40e9..0.55e9).contains(&young), "{young:e}");
}

#[test]
fn a_plane_is_a_sphere_of_infinite_radius() {
    let pair = [material("steel"), material("ptfe")];
    let plane = sphere_plane(0.1, pair).expect("a ball on a plane");
    for radii in [[0.1, f64::INFINITY], [f64::NEG_INFINITY, 0.1]] {
        let limit = sphere_sphere(radii, pair).expect("a ball on a plane");
        assert_eq!(limit.stiffness, plane.stiffness);
    }
    let large = sphere_sphere([0.1, 1e12], pair).expect("almost a plane");
    close(large.stiffness, plane.stiffness, 1e-12);
}

#[test]
fn flats_and_gears_are_linear_and_scale_like_a_length() {
    // S4 eq. 5.6 stands beside n = 3/2, but a/(0.475(σi+σj)) has the unit N/m. With metres counted in millimetres every N/m is a thousandth, every N/m² a millionth: K must follow as N/m.
    let pair = [material("steel"), material("bronze")];
    let thousand = |m: &Material| {
        Material::given("mm", m.young * 1e-6, m.poisson, None, None).expect("scaled")
    };
    let scaled = pair.map(thousand);
    let scaled = [&scaled[0], &scaled[1]];
    for geometry in [flats, gear] {
        let metres = geometry(0.015, pair).expect("a linear contact");
        let millimetres = geometry(15.0, scaled).expect("a linear contact");
        close(millimetres.stiffness, metres.stiffness * 1e-3, 1e-15);
        assert_eq!((metres.exponent, metres.unit), (1.0, "N/m"));
    }
    // And a sphere as N/m^1.5.
    let metres = sphere_plane(0.015, pair).expect("a ball");
    let millimetres = sphere_plane(15.0, scaled).expect("a ball");
    close(
        millimetres.stiffness,
        metres.stiffness * 1e-3_f64.powf(1.5),
        1e-14,
    );
    // By hand: a = 10 mm, two steels: 0.01/(0.475·2·0.91/207e9).
    close(
        flats(0.01, steel()).expect("flats").stiffness,
        2.394448e9,
        1e-6,
    );
    // S1 eq. 24 as printed, L = 15 mm.
    let printed = PI * 207e9 * 0.015 / (4.0 * (1.0 - 0.09));
    close(
        gear(0.015, steel()).expect("gear").stiffness,
        printed,
        1e-15,
    );
}

#[test]
fn the_cylindrical_joint_gives_its_laws_what_they_take() {
    // For S2's joint, L²ΔR/(Rb·Rj) = 225·0.5/95 mm = 1.18421 mm, and 4ΔR = 2 mm.
    let joint = cylinder(0.01, 0.0095, 0.015, steel()).expect("a joint");
    close(joint.limit_dubowsky_freudenstein, 1.18421e-3, 3e-6);
    close(joint.limit_esdu, 2e-3, 1e-14);
    close(joint.clearance, 0.5e-3, 1e-14);
    close(joint.effective_modulus, 207e9 / 1.82, 1e-15);
    close(joint.sigma, 1.82 / 207e9, 1e-15);
    let faults = cylinder(0.0095, 0.01, -1.0, steel()).expect_err("journal too large");
    assert_eq!(faults.len(), 2);
    assert!(
        faults[1]
            .to_string()
            .contains("above the journal's, 0.01 m")
    );
    assert!(cylinder(f64::INFINITY, 0.01, 0.1, steel()).is_err());
    assert!(cylinder(f64::NAN, f64::NAN, 0.1, steel()).is_err());
}

#[test]
fn radii_that_do_not_touch_at_a_point_are_refused_with_the_reason() {
    let said = |a, b| match effective_radius([a, b]) {
        Ok(radius) => panic!("{a}, {b} gave {radius}"),
        Err(fault) => fault.to_string(),
    };
    assert!(
        said(-0.01, 0.02)
            .contains("-0.01 [m], but must be larger in magnitude than the convex radius, 0.02 m")
    );
    assert!(said(0.02, -0.01).contains("larger in magnitude"));
    assert!(said(-0.01, 0.01).contains("larger in magnitude than the convex radius, 0.01 m"));
    assert!(said(-0.01, -0.02).contains("positive where the first is negative"));
    assert!(said(-0.01, f64::INFINITY).contains("larger in magnitude"));
    assert!(said(f64::INFINITY, f64::NEG_INFINITY).contains("flats"));
    assert!(said(0.0, 1.0).contains("the first radius = 0"));
    assert!(said(1.0, f64::NAN).contains("the second radius = NaN"));
    let both = sphere_sphere(
        [0.0, 1.0],
        [
            &Material {
                young: -1.0,
                ..material("steel").clone()
            },
            material("steel"),
        ],
    );
    assert_eq!(both.expect_err("two faults").len(), 2);
    assert!(sphere_plane(-1.0, steel()).is_err() && flats(0.0, steel()).is_err());
    assert!(gear(f64::INFINITY, steel()).is_err());
}

#[test]
fn the_validity_speed_of_steel_is_a_walk_of_five_centimetres_a_second() {
    // S2 after eq. 9, worked out: 1e-5·√(207e9/7850) is about 0.051 m/s, not the speed of waves.
    let limit = validity_speed(steel()).expect("known densities");
    close(limit, 0.051, 0.01);
    // The larger of the two bodies.
    assert_eq!(
        validity_speed([material("steel"), material("ptfe")]),
        Some(limit)
    );
    assert_eq!(
        validity_speed([material("steel"), material("cartilage")]),
        None
    );
}

#[test]
fn yield_begins_where_johnson_says() {
    // Johnson (1985), section 11.5: ½mV² ≈ 53 R³Y⁵/E*⁴.
    let (modulus, radius, strength) = (1.137e11, 0.01, 370e6);
    let onset = yield_onset(modulus, radius, strength);
    let by_johnson = radius.powi(3) * strength.powi(5) / modulus.powi(4);
    close(onset.energy / by_johnson, 53.5, 1e-3);
    // Peak pressure of Hertz at that load, p0 = (6PE*²/(π³R²))^(1/3): an independent formula (Johnson eq. 4.24).
    let p0 = (6.0 * onset.load * modulus.powi(2) / (PI.powi(3) * radius.powi(2))).cbrt();
    close(p0, 1.6 * strength, 1e-14);
    // And the load is Hertz's at that indentation.
    close(
        onset.load,
        4.0 / 3.0 * modulus * radius.sqrt() * onset.indentation.powf(1.5),
        1e-14,
    );
    close(0.5 * 0.2 * onset.speed(0.2).powi(2), onset.energy, 1e-14);
}

fn codes(known: &Known) -> Vec<&'static str> {
    let found = warnings(known);
    for warning in &found {
        assert!(!warning.to_string().is_empty() && !warning.hint().is_empty());
    }
    found.iter().map(Warning::code).collect()
}

#[test]
fn warnings_come_where_they_should_and_nowhere_else() {
    let aluminium = [material("aluminium-6061"); 2];
    let spheres = Known {
        materials: aluminium,
        radii: Some([0.02, 0.02]),
        mass: Some(0.046),
        speed: Some(0.3),
        indentation: None,
    };
    // S1's own example is beyond the bound on the speed that the papers give, and 6061 yields at it.
    assert_eq!(codes(&spheres), ["validity-speed", "yield"]);
    let Some(Warning::Yield {
        speed: Some(onset),
        indentation,
        ..
    }) = warnings(&spheres).pop()
    else {
        panic!("a yield warning with its speed");
    };
    // δmax of S1's Hertz spheres is 15.467 µm at K = 5.5e9; here K is 5.16e9.
    close(
        indentation,
        15.467e-6 * (5.5e9_f64 / 5.162e9).powf(0.4),
        1e-3,
    );
    assert_eq!(
        warnings(&spheres)[0].to_string(),
        "the approach speed 0.3 m/s is above 0.0506 m/s, 1e-5·√(E/ρ) of the body with the faster waves (Flores et al. 2006, after eq. 9)"
    );
    let slow = |factor: f64| Known {
        speed: Some(onset * factor),
        ..spheres
    };
    assert!(codes(&slow(1.001)).contains(&"yield"));
    assert!(!codes(&slow(0.999)).contains(&"yield"));
    assert!(
        codes(&Known {
            speed: Some(1e-3),
            ..spheres
        })
        .is_empty()
    );
    // A journal: conformal, whatever else is known.
    let journal = Known {
        materials: steel(),
        radii: Some([-0.01, 0.0095]),
        mass: None,
        speed: None,
        indentation: None,
    };
    assert_eq!(codes(&journal), ["conformal"]);
    assert!(
        warnings(&journal)[0]
            .to_string()
            .contains("differ by 0.05 of")
            && warnings(&journal)[0].to_string().contains("25 %")
    );
    assert!(
        codes(&Known {
            radii: Some([-0.05, 0.0095]),
            ..journal
        })
        .is_empty()
    );
    // a = √(190 mm · 1 µm) = 0.44 mm is small against 190 mm, and 5 % of the journal; at 10 µm it is 15 %.
    let deep = |indentation| Known {
        materials: [material("alumina"); 2],
        indentation: Some(indentation),
        ..journal
    };
    assert_eq!(codes(&deep(1e-6)), ["conformal"]);
    assert_eq!(codes(&deep(10e-6)), ["large-contact", "conformal"]);
    // A rubber ball of 10 mm pressed 0.2 mm.
    let ball = Known {
        materials: [material("rubber"), material("steel")],
        radii: Some([0.01, f64::INFINITY]),
        mass: None,
        speed: None,
        indentation: Some(2e-4),
    };
    assert_eq!(
        codes(&Known {
            indentation: Some(5e-5),
            ..ball
        }),
        Vec::<&str>::new()
    );
    assert!(codes(&ball).contains(&"large-contact"));
    // Two rubber balls of 10 mm: √(5 mm · δ) is a tenth of a ball, not of the effective radius, at 0.2 mm.
    let two = |indentation| Known {
        radii: Some([0.01, 0.01]),
        indentation: Some(indentation),
        ..ball
    };
    assert!(!codes(&two(1.99e-4)).contains(&"large-contact"));
    let Some(Warning::LargeContact { radius, .. }) = warnings(&two(2.01e-4)).pop() else {
        panic!("a large contact");
    };
    assert_eq!(radius, 0.01);
    // Without a density the speed cannot be judged, and that is said.
    let knee = Known {
        materials: [material("cartilage"); 2],
        radii: None,
        mass: None,
        speed: Some(0.01),
        indentation: None,
    };
    assert_eq!(codes(&knee), ["validity-speed-unknown"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_numbers_give_a_positive_stiffness_or_a_fault(a in any::<f64>(), b in any::<f64>(), e in any::<f64>(), nu in -1.2..0.7, m in any::<f64>(), v in any::<f64>()) {
        let other = Material { young: e, poisson: nu, density: Some(m), yield_strength: Some(v), ..material("steel").clone() };
        let pair = [&other, material("steel")];
        for result in [sphere_sphere([a, b], pair), sphere_plane(a, pair), flats(a, pair), gear(b, pair)] {
            match result {
                Ok(k) => prop_assert!(k.stiffness > 0.0 && k.stiffness.is_finite()),
                Err(faults) => prop_assert!(!faults.is_empty()),
            }
        }
        let _ = cylinder(a, b, m, pair);
        for w in warnings(&Known { materials: pair, radii: Some([a, b]), mass: Some(m), speed: Some(v), indentation: None }) {
            prop_assert!(!w.to_string().is_empty());
        }
    }

    #[test]
    fn the_effective_radius_is_the_inverse_of_the_sum_of_curvatures(a in 1e-3_f64..1e3, ratio in 1.001_f64..1e4, hollow in any::<bool>()) {
        let b = if hollow { -a * ratio } else { a * ratio };
        let radius = effective_radius([a, b]).expect("they touch at a point");
        prop_assert!((radius * (1.0 / a + 1.0 / b) - 1.0).abs() < 1e-12 * (1.0 + 1.0 / (ratio - 1.0)));
    }
}
