//! What is felt behind open profiles, at sharp places and where nothing says which way to part?

mod built;

use std::path::PathBuf;

use built::contacts::{law, meets};
use built::{body, run_system};
use carom::geometry::{Frame, Pair, Shape, Side, Track};
use carom::mechanics::{Body, Contact, Follows, Pose};
use carom::model::diagnostic::listing;
use carom::model::{Model, Parsed, Source, read};
use carom::system::Status;

/// 2 cm wide, level, solid below.
fn ledge() -> Shape {
    Shape::polyline(vec![[-0.01, 0.0], [0.01, 0.0]], Side::Below).expect("sound")
}

fn disc(radius: f64) -> Shape {
    Shape::circle([0.0; 2], radius).expect("sound")
}

/// A ball of 1 kg strikes a profile through the origin straight from above, so that Hertz's impact is just so deep: k = 1.25 m v²/δ^2.5. It leaves as fast as it came.
#[track_caller]
fn strikes(profile: Shape, radius: f64, speed: f64, depth: f64) {
    let mut model = Model::default();
    let solid = Body::new(1.0, 1e-3).expect("sound");
    let from = [0.0, radius + 0.01, 0.0];
    model.bodies = vec![body("ball", solid, from, [0.0, -speed, 0.0])];
    let hertz = law("hertz", 1.25 * speed.powi(2) / depth.powf(2.5), None);
    let shapes = [profile, disc(radius)];
    model.contacts = vec![meets("touch", [None, Some(0)], shapes, hertz)];
    model.simulation.end = 0.01 / speed + 10.0 * depth / speed;
    model.solver.rtol = 1e-10;
    let (outcome, _, _) = run_system(&model);
    let what = format!("{radius} m, {depth} m deep: {:?}", outcome.warnings);
    assert_eq!(outcome.status, Status::Completed, "{:?}", outcome.reason);
    assert_eq!(outcome.contacts.len(), 1, "{what}");
    let deepest = outcome.contacts[0].course.deepest[0];
    assert!((deepest / depth - 1.0).abs() < 1e-6, "{what}: {deepest}");
    let leaves = outcome.velocities[1];
    assert!((leaves / speed - 1.0).abs() < 1e-6, "{what}: {leaves}");
    let evaluations = outcome.statistics.rhs_evaluations;
    assert!(evaluations < 20_000, "{what}: {evaluations} evaluations");
}

#[test]
fn a_ball_does_not_fall_through_a_short_profile_at_a_tenth_of_its_length() {
    strikes(ledge(), 0.1, 2.0, 6e-3);
    let bump = Shape::polynomial(
        vec![0.0, 0.0, -5.0],
        [-0.01, 0.01],
        [0.0; 2],
        0.0,
        Side::Below,
    );
    strikes(bump.expect("sound"), 0.1, 2.0, 6e-3);
}

#[test]
fn a_speck_is_felt_behind_an_open_profile_when_it_is_deeper_than_it_is_large() {
    strikes(ledge(), 1e-6, 1.0, 1e-3);
    let bump = Shape::polynomial(
        vec![0.0, 0.0, -5.0],
        [-0.01, 0.01],
        [0.0; 2],
        0.0,
        Side::Below,
    );
    strikes(bump.expect("sound"), 1e-6, 1.0, 1e-3);
}

#[test]
fn a_pair_says_how_deep_it_is_felt_and_feels_just_that() {
    for radius in [0.1, 1e-6] {
        let pair = Pair::new(ledge(), disc(radius)).expect("they can touch");
        // A tenth of 2 cm, or the radius.
        let known = radius.max(2e-3);
        assert_eq!(pair.deepest(), known);
        let gap = |part: f64| {
            let level = Frame::new([0.0; 2], 0.0);
            let at = Frame::new([0.003, radius - part * known], 0.0);
            let mut tracks = vec![Track::default(); pair.slots()];
            pair.seek([&level, &at], &mut tracks);
            pair.near(0, [&level, &at], &tracks[0]).map(|near| near.gap)
        };
        let found = gap(0.999).expect("still felt");
        assert!((found + 0.999 * known).abs() < 1e-12, "{found}");
        assert_eq!(gap(1.001), None);
        let contact = Contact::new(
            [None, Some(0)],
            vec![pair.clone()],
            Follows::Law(law("hertz", 1e8, None)),
        );
        assert_eq!(contact.expect("sound").deepest(0), known);
    }
    let discs = Pair::new(disc(0.1), disc(0.2)).expect("they can touch");
    assert_eq!(discs.deepest(), f64::INFINITY);
}

#[test]
fn a_speck_beside_a_notched_tooth_is_not_felt_through_it() {
    // A tooth 1 cm thick with a notch in its right flank, on a long base: the flank below the notch is a run of its own, and the speck is behind that but before the left flank.
    let points = vec![
        [-1.0, 0.0],
        [-0.005, 0.0],
        [-0.005, 0.1],
        [0.005, 0.1],
        [0.005, 0.06],
        [0.003, 0.05],
        [0.005, 0.04],
        [0.005, 0.0],
        [1.0, 0.0],
    ];
    let comb = Shape::polyline(points, Side::Below).expect("sound");
    let pair = Pair::new(comb, disc(1e-4)).expect("they can touch");
    let level = Frame::new([0.0; 2], 0.0);
    let at = Frame::new([-0.006, 0.02], 0.0);
    let mut tracks = vec![Track::default(); pair.slots()];
    pair.seek([&level, &at], &mut tracks);
    let gaps = (0..pair.slots()).filter_map(|k| pair.near(k, [&level, &at], &tracks[k]));
    let least = gaps.map(|near| near.gap).fold(f64::INFINITY, f64::min);
    assert!((least - 9e-4).abs() < 1e-12, "{least}");
}

/// The codes of what is said of two shapes whose bodies start so far apart.
fn said(shapes: [Shape; 2], apart: f64) -> Vec<&'static str> {
    let mut model = Model::default();
    let solid = || Body::new(1.0, 1e-3).expect("sound");
    model.bodies = vec![
        body("one", solid(), [0.0; 3], [0.0; 3]),
        body("two", solid(), [apart, 0.0, 0.0], [0.0; 3]),
    ];
    let hertz = law("hertz", 1e6, None);
    model.contacts = vec![meets("touch", [Some(0), Some(1)], shapes, hertz)];
    model.simulation.end = 1e-6;
    let (outcome, _, _) = run_system(&model);
    outcome
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect()
}

#[test]
fn discs_that_start_centre_in_centre_are_warned_of_for_their_normal_is_not_unique() {
    let code = "normal-not-unique";
    assert!(said([disc(0.05), disc(0.04)], 0.0).contains(&code));
    let beside = said([disc(0.05), disc(0.04)], 0.08);
    assert!(beside.contains(&"starts-overlapping"), "{beside:?}");
    assert!(!beside.contains(&code), "{beside:?}");
    let bore = Shape::bore([0.0; 2], 0.05).expect("sound");
    let journal = said([bore, disc(0.04)], 0.0);
    assert!(!journal.contains(&code), "{journal:?}");
}

/// A steel ball and a steel outline of the ground, with a stiffness from the materials.
fn steel(outline: &str) -> Result<Parsed, String> {
    let text = format!(
        r#"
format = 1
[simulation]
end = "1 s"
[ground]
shapes.edge = {{ {outline}, material = "steel" }}
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
position = [0, "1 m"]
shapes.rim = {{ type = "circle", radius = "50 mm", material = "steel" }}
[contact.touch]
between = ["ball.rim", "ground.edge"]
law = "hertz"
"#
    );
    let source = Source {
        name: "test.toml".into(),
        text,
        folder: PathBuf::new(),
    };
    read(&source, &[]).map_err(|errors| listing(&errors))
}

#[test]
fn sharp_corners_that_can_be_touched_are_refused_when_the_stiffness_is_to_follow_from_materials() {
    for sharp in [
        r#"type = "polyline", points = [["-1 m", 0], [0, "0.1 m"], ["1 m", 0]]"#,
        r#"type = "rectangle", width = "1 m", height = "0.1 m""#,
    ] {
        let errors = steel(sharp)
            .err()
            .unwrap_or_else(|| panic!("{sharp} is let in"));
        assert!(
            errors.contains("`ground.edge` has sharp corners"),
            "{errors}"
        );
        assert!(errors.contains("give stiffness"), "{errors}");
    }
    // Valleys and rounded corners are not sharp; ends are, and worth a warning.
    for (outline, warned) in [
        (
            r#"type = "polyline", points = [["-1 m", "0.1 m"], [0, 0], ["1 m", "0.1 m"]]"#,
            true,
        ),
        (
            r#"type = "arc", radius = "1 m", from = "0 deg", to = "90 deg""#,
            true,
        ),
        (
            r#"type = "rectangle", width = "1 m", height = "0.1 m", rounding = "1 mm""#,
            false,
        ),
        (r#"type = "half-plane""#, false),
    ] {
        let parsed = steel(outline).unwrap_or_else(|errors| panic!("{outline}: {errors}"));
        let ends = |w: &carom::model::Diagnostic| w.message.contains("ends without a radius");
        assert_eq!(parsed.warnings.iter().any(ends), warned, "{outline}");
    }
}

#[test]
fn the_bend_of_gap_and_slip_is_that_of_the_closed_form_and_of_small_steps() {
    let contact = |shapes: [Shape; 2]| {
        let [one, two] = shapes;
        let pair = Pair::new(one, two).expect("they can touch");
        let follows = Follows::Law(law("hertz", 1e8, None));
        Contact::new([Some(0), Some(1)], vec![pair], follows).expect("sound")
    };
    let opposite = |contact: &Contact, q: [[f64; 3]; 2], v: [[f64; 3]; 2]| {
        let poses = [Pose::new(q[0], v[0]), Pose::new(q[1], v[1])];
        let mut tracks = vec![Track::default(); contact.slots()];
        contact.seek(&poses, &mut tracks);
        let slot = (0..contact.slots())
            .filter(|&k| contact.opposite(k, &poses, &tracks[k]).is_some())
            .min_by(|&a, &b| {
                let gap = |k: usize| {
                    contact
                        .opposite(k, &poses, &tracks[k])
                        .expect("there")
                        .near
                        .gap
                };
                gap(a).total_cmp(&gap(b))
            })
            .expect("a point");
        let at = contact
            .opposite(slot, &poses, &tracks[slot])
            .expect("there");
        (at, contact.bend(&at, &poses))
    };
    let still = [0.0; 3];
    // A disc that passes another at v, centres L apart: v²/L.
    let small = contact([disc(2e-6), disc(1e-6)]);
    let (_, found) = opposite(&small, [still, [0.0, 3e-6, 0.0]], [still, [0.5, 0.0, 0.0]]);
    let known = 0.25 / 3e-6;
    assert!((found[0] / known - 1.0).abs() < 1e-12, "{found:?} {known}");
    // At the depth where the profile ends a straight way has no bend, though the next place has no point opposite.
    let open = contact([ledge(), disc(0.1)]);
    let (_, found) = opposite(&open, [still, [0.0, 1e-12, 0.0]], [still, [0.0, -2.0, 0.0]]);
    assert!(found[0].abs() < 1e-6, "{found:?}");
    // All kinds of curvature, bodies that turn, move and slide: rates of gap and slip a little before and after.
    let ellipse = || Shape::ellipse([0.01, -0.02], [0.3, 0.2], 0.3, 2.0).expect("sound");
    let plane = || Shape::half_plane([0.0, 0.02], [0.1, 1.0]).expect("sound");
    let bore = || Shape::bore([0.02, 0.01], 1.0).expect("sound");
    let cases = [
        (
            "discs",
            contact([disc(0.2), disc(0.1)]),
            [[0.1, 0.0, 0.3], [0.2, 0.27, 0.1]],
        ),
        (
            "plane",
            contact([plane(), disc(0.1)]),
            [[0.1, 0.0, 0.3], [0.2, 0.2, 0.1]],
        ),
        (
            "on plane",
            contact([disc(0.1), plane()]),
            [[0.1, 0.6, 0.3], [0.2, 0.2, 3.1]],
        ),
        (
            "bore",
            contact([bore(), disc(0.1)]),
            [[0.1, 0.0, 0.3], [0.6, 0.7, 0.1]],
        ),
        (
            "ellipse",
            contact([ellipse(), disc(0.1)]),
            [[0.1, 0.0, 0.3], [0.3, 0.35, 0.1]],
        ),
        (
            "ellipses",
            contact([ellipse(), ellipse()]),
            [[0.1, 0.0, 0.3], [0.4, 0.45, 1.0]],
        ),
        (
            "ellipse on plane",
            contact([plane(), ellipse()]),
            [[0.1, 0.0, 0.3], [0.4, 0.5, 1.0]],
        ),
    ];
    let v = [[0.3, -0.2, 0.7], [-0.4, 0.5, -1.1]];
    for (name, contact, q) in &cases {
        let moved = |h: f64| {
            let then = [0, 1].map(|b| [0, 1, 2].map(|k| q[b][k] + h * v[b][k]));
            let (at, _) = opposite(contact, then, v);
            [at.rate, at.slip]
        };
        let (_, found) = opposite(contact, *q, v);
        let h = 1e-5;
        let (before, after) = (moved(-h), moved(h));
        for k in 0..2 {
            let known = (after[k] - before[k]) / (2.0 * h);
            assert!(
                (found[k] - known).abs() < 1e-7,
                "{name}: {} {known}",
                found[k]
            );
        }
    }
}
