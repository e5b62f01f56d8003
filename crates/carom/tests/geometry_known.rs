//! Are gaps, normals and contact points those of closed forms, and do slots follow what moves?

use carom::geometry::{Frame, Near, Pair, Shape, Side, Track};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn pair(first: Shape, second: Shape) -> Pair {
    Pair::new(first, second).unwrap()
}

fn seek(pair: &Pair, a: &Frame, b: &Frame) -> Vec<Option<Near>> {
    let mut tracks = vec![Track::default(); pair.slots()];
    pair.seek([a, b], &mut tracks);
    (0..pair.slots())
        .map(|i| pair.near(i, [a, b], &tracks[i]))
        .collect()
}

/// The gaps there are, smallest first.
fn gaps(pair: &Pair, a: &Frame, b: &Frame) -> Vec<f64> {
    let mut gaps: Vec<f64> = seek(pair, a, b)
        .into_iter()
        .flatten()
        .map(|n| n.gap)
        .collect();
    gaps.sort_by(f64::total_cmp);
    gaps
}

fn at(x: f64, y: f64) -> Frame {
    Frame::new([x, y], 0.0)
}

fn near_to(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} and not {expected}"
    );
}

fn ground() -> Shape {
    Shape::half_plane([0.0, 0.0], [0.0, 2.0]).unwrap()
}

fn unit_box(rounding: f64) -> Shape {
    Shape::polygon(
        vec![[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]],
        rounding,
    )
    .unwrap()
}

#[test]
fn a_journal_in_its_bearing_bends_like_a_ball_of_190_mm_on_a_plane() {
    // ERRATA of Flores et al. 2006, eq. 3: the concave radius is negative, R = 190 mm.
    let joint = pair(
        Shape::circle([0.0, 0.0], 9.5e-3).unwrap(),
        Shape::bore([0.0, 0.0], 10e-3).unwrap(),
    );
    let [c1, c2] = joint.curvatures().unwrap();
    near_to(1.0 / (c1 + c2), 0.190, 1e-12);
    let near = seek(&joint, &at(3e-4, 4e-4), &Frame::GROUND)[0].unwrap();
    near_to(near.gap, 0.0, 1e-17);
    near_to(near.normal[0], 0.6, 1e-14);
    let still = seek(&joint, &Frame::GROUND, &Frame::GROUND)[0].unwrap();
    near_to(still.gap, 0.5e-3, 1e-18);
    assert!(!still.unique);
}

#[test]
fn two_discs_with_one_centre_have_a_gap_and_no_unique_normal() {
    let discs = pair(
        Shape::circle([0.0, 0.0], 1.0).unwrap(),
        Shape::circle([0.0, 0.0], 2.0).unwrap(),
    );
    let near = seek(&discs, &at(1.0, 2.0), &at(1.0, 2.0))[0].unwrap();
    assert_eq!((near.gap, near.unique), (-3.0, false));
}

#[test]
fn a_box_that_stands_has_two_contacts_and_keeps_both_when_it_rocks() {
    for rounding in [0.0, 0.1] {
        let pair = pair(ground(), unit_box(rounding));
        let found = gaps(&pair, &Frame::GROUND, &at(3.0, 0.5));
        assert_eq!(found.len(), 4);
        near_to(found[0], 0.0, 1e-15);
        near_to(found[1], 0.0, 1e-15);
        assert!(found[2] > 0.5);
        // Rocking by a small angle: one core corner goes down, the other up, by the sine times half the face.
        let angle = 0.01_f64;
        let found = gaps(&pair, &Frame::GROUND, &Frame::new([3.0, 0.5], angle));
        let half = 0.5 - rounding;
        near_to(
            found[0],
            0.5 - half * (angle.cos() + angle.sin()) - rounding,
            1e-14,
        );
        near_to(
            found[1],
            0.5 - half * (angle.cos() - angle.sin()) - rounding,
            1e-14,
        );
    }
}

#[test]
fn boxes_on_each_other_touch_at_two_places_however_they_lie() {
    for rounding in [0.0, 0.1] {
        let pair = pair(unit_box(rounding), unit_box(rounding));
        // Exactly above each other, where corner meets corner; shifted either way; a little pressed.
        for (x, y) in [
            (0.0, 1.0),
            (0.3, 1.0),
            (-0.3, 1.0),
            (0.0, 0.999),
            (0.3, 0.999),
        ] {
            let found = gaps(&pair, &Frame::GROUND, &at(x, y));
            let touching = found.iter().filter(|g| **g < 1e-9).count();
            assert_eq!(touching, 2, "{rounding} {x} {y}: {found:?}");
            near_to(found[0], y - 1.0, 1e-14);
            near_to(found[1], y - 1.0, 1e-14);
        }
    }
}

/// A stack of equal boxes: the edges stand in line but for rounding errors, and a corner is now over the other's face and now beyond its end.
#[test]
fn boxes_whose_edges_stand_in_line_keep_both_contacts_in_their_slots() {
    for rounding in [0.0, 0.02] {
        let pair = pair(unit_box(rounding), unit_box(rounding));
        let pressed = |near: &Option<Near>| near.is_some_and(|near| near.gap < 0.0);
        for depth in [1e-6, 1e-4] {
            let mut tracks = vec![Track::default(); pair.slots()];
            pair.seek([&Frame::GROUND, &at(0.0, 1.0 - depth)], &mut tracks);
            let mut slots: Option<Vec<usize>> = None;
            // To and fro, by more every time.
            for i in 0..240 {
                let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                let shift = sign * 10_f64.powf(-17.0 + 0.05 * f64::from(i));
                // By little, or by much more than they are shifted, either way.
                let tilt = match i / 2 % 4 {
                    0 => 1e-3 * shift,
                    1 => 1e-7,
                    2 => -1e-7,
                    _ => -1e3 * shift.clamp(-1e-10, 1e-10),
                };
                let frame = Frame::new([shift, 1.0 - depth], tilt);
                let frames = [&Frame::GROUND, &frame];
                // Both as they were followed and as they are sought anew.
                for sought in [false, true] {
                    if sought {
                        pair.seek(frames, &mut tracks);
                    }
                    let found: Vec<Option<Near>> = (0..pair.slots())
                        .map(|k| pair.near(k, frames, &tracks[k]))
                        .collect();
                    let touching: Vec<usize> =
                        (0..found.len()).filter(|k| pressed(&found[*k])).collect();
                    let what = format!("{rounding} {depth:e} {shift:e} {sought}: {found:?}");
                    assert_eq!(touching.len(), 2, "{what}");
                    assert_eq!(*slots.get_or_insert(touching.clone()), touching, "{what}");
                    for near in touching.iter().filter_map(|k| found[*k]) {
                        assert!(
                            (near.gap + depth).abs() < 1e-6 * depth + tilt.abs(),
                            "{what}"
                        );
                        assert!(near.normal[0].abs() < 1e-6, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn parallel_capsules_touch_at_two_places_crossing_ones_at_one() {
    let rod = || Shape::segment([[-1.0, 0.0], [1.0, 0.0]], 0.1).unwrap();
    let pair = pair(rod(), rod());
    let found = gaps(&pair, &Frame::GROUND, &at(0.5, 0.2));
    assert_eq!(
        found.iter().filter(|g| g.abs() < 1e-14).count(),
        2,
        "{found:?}"
    );
    // The tip of the second stands on the first.
    let found = gaps(&pair, &Frame::GROUND, &Frame::new([0.3, 1.2], FRAC_PI_2));
    near_to(found[0], 0.0, 1e-14);
    assert!(found.get(1).is_none_or(|g| *g > 0.3), "{found:?}");
    // End on end.
    let found = gaps(&pair, &Frame::GROUND, &at(2.3, 0.0));
    near_to(found[0], 0.1, 1e-14);
    assert_eq!(found.iter().filter(|g| **g < 0.2).count(), 1, "{found:?}");
}

#[test]
fn an_ellipse_over_a_plane_obeys_its_support_function() {
    let (a, b) = (0.7, 0.2);
    let pair = pair(
        Shape::ellipse([0.0, 0.0], [a, b], 0.0, 2.0).unwrap(),
        ground(),
    );
    for i in 0..40 {
        let angle = 0.17 * i as f64;
        let near = seek(&pair, &Frame::new([0.3, 0.5], angle), &Frame::GROUND)[0].unwrap();
        let support = ((a * angle.sin()).powi(2) + (b * angle.cos()).powi(2)).sqrt();
        near_to(near.gap, 0.5 - support, 2e-16 * 4.0);
        near_to(near.normal[1], -1.0, 1e-15);
        // Radius of curvature a² b² / h³, and the foot's offset −dh/dφ.
        near_to(
            1.0 / near.curvatures[0],
            (a * b).powi(2) / support.powi(3),
            1e-13,
        );
        let foot = -(a * a - b * b) * angle.sin() * angle.cos() / support;
        near_to(near.points[0][0] - 0.3, foot, 1e-14);
    }
}

#[test]
fn a_superellipse_over_a_plane_obeys_the_dual_norm() {
    for p in [2.5, 4.0, 10.0, 20.0] {
        let (a, b) = (0.7, 0.4);
        let pair = pair(
            Shape::ellipse([0.0, 0.0], [a, b], 0.0, p).unwrap(),
            ground(),
        );
        let q = p / (p - 1.0);
        for i in 0..60 {
            let angle = 0.1 * i as f64;
            let near = seek(&pair, &Frame::new([0.3, 0.5], angle), &Frame::GROUND)[0]
                .unwrap_or_else(|| panic!("{p} {angle}"));
            let support =
                ((a * angle.sin()).abs().powf(q) + (b * angle.cos()).abs().powf(q)).powf(1.0 / q);
            near_to(near.gap, 0.5 - support, 1e-15 * 4.0);
        }
    }
}

#[test]
fn the_distance_from_a_point_to_an_ellipse_is_that_of_bisection() {
    // Independent route: a² b² form of the foot, (a p/(t+a²))² + (b q/(t+b²))² = 1, by bisection in t.
    let (a, b) = (1.0_f64, 0.4_f64);
    let r = 1e-3;
    let pair = pair(
        Shape::ellipse([0.0, 0.0], [a, b], 0.0, 2.0).unwrap(),
        Shape::circle([0.0, 0.0], r).unwrap(),
    );
    for i in 0..200 {
        let (x, y) = (1.7 * (0.9 * i as f64).sin(), 1.1 * (1.7 * i as f64).cos());
        if (x / a).powi(2) + (y / b).powi(2) < 1.05 {
            continue;
        }
        let f = |t: f64| (a * x / (t + a * a)).powi(2) + (b * y / (t + b * b)).powi(2) - 1.0;
        let (mut low, mut high) = (0.0, 10.0);
        for _ in 0..200 {
            let mid = 0.5 * (low + high);
            if f(mid) > 0.0 { low = mid } else { high = mid }
        }
        let t = 0.5 * (low + high);
        let foot = [a * a * x / (t + a * a), b * b * y / (t + b * b)];
        let distance = ((x - foot[0]).powi(2) + (y - foot[1]).powi(2)).sqrt();
        let near = seek(&pair, &Frame::GROUND, &at(x, y))[0].unwrap();
        near_to(near.gap, distance - r, 1e-14);
        near_to(near.points[0][0], foot[0], 1e-13);
    }
}

#[test]
fn an_ellipse_that_is_a_circle_is_a_circle() {
    let round = || Shape::ellipse([0.1, 0.2], [0.5, 0.5], 0.4, 2.0).unwrap();
    let disc = || Shape::circle([0.1, 0.2], 0.5).unwrap();
    for (i, other) in [round(), disc()].into_iter().enumerate() {
        let smooth = pair(round(), other);
        let plain = pair(disc(), disc());
        for k in 0..50 {
            let (a, b) = (
                Frame::new([0.3, 0.1], 0.1 * k as f64),
                Frame::new(
                    [(0.7 * k as f64).sin(), (1.3 * k as f64).cos()],
                    0.2 * k as f64,
                ),
            );
            let p = seek(&plain, &a, &b)[0].unwrap();
            let s = seek(&smooth, &a, &b)[0].unwrap_or_else(|| panic!("{i} {k}: {p:?}"));
            near_to(s.gap, p.gap, 1e-14);
            near_to(s.normal[0], p.normal[0], 1e-12 / (p.gap + 1.0));
            near_to(s.curvatures[0], 2.0, 1e-13);
        }
    }
}

#[test]
fn a_disc_in_a_valley_touches_both_slopes_and_over_a_ridge_one() {
    let profile = Shape::polyline(
        vec![[-2.0, 2.0], [0.0, 0.0], [2.0, 2.0], [4.0, 0.0]],
        Side::Below,
    )
    .unwrap();
    let pair = pair(profile, Shape::circle([0.0, 0.0], 0.3).unwrap());
    let found = gaps(&pair, &Frame::GROUND, &at(0.0, 0.3 * 2.0_f64.sqrt()));
    near_to(found[0], 0.0, 1e-15);
    near_to(found[1], 0.0, 1e-15);
    let near: Vec<Near> = seek(&pair, &Frame::GROUND, &at(2.0, 2.3))
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(near.iter().filter(|n| n.gap < 0.1).count(), 1, "{near:?}");
}

#[test]
fn a_disc_rolls_over_a_ridge_in_one_slot_with_a_smooth_gap() {
    let profile = Shape::polyline(vec![[-2.0, 0.0], [0.0, 1.0], [2.0, 0.0]], Side::Below).unwrap();
    let pair = pair(profile, Shape::circle([0.0, 0.0], 0.3).unwrap());
    assert_eq!(pair.slots(), 1);
    let step = 1e-3;
    let mut last: Option<(f64, f64)> = None;
    for i in -900..900 {
        let x = i as f64 * step;
        let near = pair
            .near(0, [&Frame::GROUND, &at(x, 1.29)], &Track::default())
            .unwrap();
        if let Some((gap, slope)) = last {
            // The slope changes by no more than the curvature 1/0.29 allows.
            assert!(
                ((near.gap - gap) / step - slope).abs() < 2.0 * step / 0.28,
                "{x}"
            );
        }
        last = Some((near.gap, near.normal[0]));
    }
}

#[test]
fn an_ellipse_in_a_bore_touches_at_both_ends() {
    let pair = pair(
        Shape::ellipse([0.0, 0.0], [0.9, 0.5], 0.0, 2.0).unwrap(),
        Shape::bore([0.0, 0.0], 1.0).unwrap(),
    );
    let found = gaps(&pair, &at(0.02, 0.0), &Frame::GROUND);
    assert_eq!(found.len(), 2, "{found:?}");
    near_to(found[0], 0.08, 1e-14);
    near_to(found[1], 0.12, 1e-14);
}

#[test]
fn a_dented_curve_lies_on_two_humps() {
    let points = (0..24)
        .map(|i| TAU * i as f64 / 24.0)
        .map(|a| (1.0 + 0.35 * (2.0 * a).cos(), a))
        .map(|(r, a)| [r * a.cos(), r * a.sin()])
        .collect();
    let peanut = Shape::curve(points, false).unwrap();
    for other in [
        ground(),
        Shape::circle([0.0, -30.0], 30.0).unwrap(),
        Shape::polygon(
            vec![[-3.0, 0.0], [3.0, 0.0], [3.0, -1.0], [-3.0, -1.0]],
            0.1,
        )
        .unwrap(),
        Shape::ellipse([0.0, -1.0], [5.0, 1.0], 0.0, 8.0).unwrap(),
    ] {
        let kind = other.kind();
        let pair = pair(peanut.clone(), other);
        let found = gaps(&pair, &at(0.0, 0.8), &Frame::GROUND);
        assert!(found.len() >= 2, "{kind}: {found:?}");
        near_to(found[0], found[1], 1e-9);
        assert!(
            found[0].abs() < 0.1 && found.get(2).is_none_or(|g| *g > 0.3),
            "{kind}: {found:?}"
        );
    }
}

#[test]
fn a_minimum_keeps_its_slot_and_two_that_merge_become_one() {
    // A small disc over the dent of the peanut sees two humps; drawn away upwards, the whole is one minimum.
    let points = (0..24)
        .map(|i| TAU * i as f64 / 24.0)
        .map(|a| (1.0 + 0.35 * (2.0 * a).cos(), a))
        .map(|(r, a)| [r * a.cos(), r * a.sin()])
        .collect();
    let pair = pair(
        Shape::curve(points, false).unwrap(),
        Shape::circle([0.0, 0.0], 0.1).unwrap(),
    );
    let mut tracks = vec![Track::default(); pair.slots()];
    let mut held: Vec<Option<f64>> = vec![None; pair.slots()];
    let mut most = 0;
    for i in 0..2000 {
        // Round and round, in and out.
        let t = i as f64 * 5e-3;
        let r = 1.6 + 0.5 * (0.7 * t).sin();
        let disc = at(r * t.cos(), r * t.sin());
        pair.seek([&Frame::GROUND, &disc], &mut tracks);
        let near: Vec<Option<Near>> = (0..pair.slots())
            .map(|k| pair.near(k, [&Frame::GROUND, &disc], &tracks[k]))
            .collect();
        most = most.max(near.iter().flatten().count());
        for (k, n) in near.iter().enumerate() {
            if let (Some(n), Some(before)) = (n, held[k]) {
                assert!(
                    (n.gap - before).abs() < 0.02,
                    "slot {k} jumps from {before} to {}",
                    n.gap
                );
            }
            held[k] = n.map(|n| n.gap);
        }
        for i in 0..near.len() {
            for j in 0..i {
                if let (Some(a), Some(b)) = (near[i], near[j]) {
                    assert!(
                        (a.points[0][0] - b.points[0][0]).abs()
                            + (a.points[0][1] - b.points[0][1]).abs()
                            > 1e-6,
                        "twice the same"
                    );
                }
            }
        }
        // The nearest minimum of all is always held.
        let least = gaps(&pair, &Frame::GROUND, &disc)[0];
        assert!(
            near.iter().flatten().any(|n| (n.gap - least).abs() < 1e-12),
            "{t}: {least} {near:?}"
        );
    }
    assert!(most >= 2, "{most}");
}

#[test]
fn a_disc_in_a_cup_and_on_a_cap_has_the_gap_of_circles_and_leaves_over_the_end() {
    let cup = pair(
        Shape::arc([0.0, 0.0], 1.0, PI, TAU, true).unwrap(),
        Shape::circle([0.0, 0.0], 0.3).unwrap(),
    );
    let near = seek(&cup, &Frame::GROUND, &at(0.3, -0.4))[0].unwrap();
    near_to(near.gap, 0.2, 1e-15);
    near_to(near.curvatures[0], -1.0, 1e-14);
    let cap = pair(
        Shape::arc([0.0, 0.0], 1.0, FRAC_PI_2 - 0.5, FRAC_PI_2 + 0.5, false).unwrap(),
        Shape::circle([0.0, 0.0], 0.3).unwrap(),
    );
    let found = gaps(&cap, &Frame::GROUND, &at(0.0, 1.31));
    near_to(found[0], 0.01, 1e-15);
    // Beyond the end it is a point.
    let end = [0.5_f64.sin(), 0.5_f64.cos()];
    let near = seek(&cap, &Frame::GROUND, &at(end[0] + 0.3, end[1] + 0.05))
        .into_iter()
        .flatten()
        .next()
        .unwrap();
    near_to(near.gap, (0.09_f64 + 0.0025).sqrt() - 0.3, 1e-15);
    assert_eq!(near.curvatures[0], f64::INFINITY);
    // Behind it there is nothing.
    assert_eq!(gaps(&cap, &Frame::GROUND, &at(0.0, 0.6)), Vec::<f64>::new());
}

#[test]
fn femur_and_tibia_are_65_micrometres_apart() {
    // Machado et al. 2012, Table 2 (femur angle 0, see the notes on that table); profiles after Moeinzadeh et al. 1983, second hand. The tibia's is ξ(η): its axes are turned by −90°.
    let femur = Shape::polynomial(
        vec![-0.04014, 0.247621, 6.889185, 270.4456, 8589.942],
        [-0.055, 0.03],
        [0.0, 0.0],
        0.0,
        Side::Above,
    )
    .unwrap();
    let tibia = Shape::polynomial(
        vec![0.213373, 0.0456051, 1.073446],
        [-0.05, 0.03],
        [0.0, 0.0],
        -FRAC_PI_2,
        Side::Below,
    )
    .unwrap();
    let knee = pair(femur, tibia);
    let frame = Frame::new([-0.2016, -0.1749], 35.21_f64.to_radians());
    let near = seek(&knee, &Frame::GROUND, &frame)
        .into_iter()
        .flatten()
        .min_by(|a, b| a.gap.total_cmp(&b.gap))
        .unwrap();
    // The femur is solid above its graph, the tibia below its own (towards its shaft, smaller ξ): so they are apart, and from the femur the tibia lies towards its own origin.
    near_to(near.gap, 65e-6, 0.5e-6);
    let [x, y] = near.normal;
    assert!(x * (frame.at[0] - near.points[0][0]) + y * (frame.at[1] - near.points[0][1]) > 0.0);
    let local = frame.unrotate([
        near.points[1][0] - frame.at[0],
        near.points[1][1] - frame.at[1],
    ]);
    near_to(local[0], 0.2129, 1e-4);
    near_to(local[1], 0.0249, 1e-4);
    near_to(1.0 / near.curvatures[0], 42.4e-3, 0.1e-3);
    near_to(1.0 / near.curvatures[1], -466e-3, 1e-3);
}

#[test]
fn moved_along_the_normal_the_gap_falls_by_the_way_and_goes_through_zero() {
    let shapes = || {
        let points: Vec<[f64; 2]> = (0..16)
            .map(|i| TAU * i as f64 / 16.0)
            .map(|a| [0.8 * a.cos(), 0.5 * a.sin() + 0.1 * a.cos()])
            .collect();
        vec![
            Shape::circle([0.1, 0.0], 0.4).unwrap(),
            Shape::segment([[-0.5, 0.0], [0.5, 0.1]], 0.15).unwrap(),
            unit_box(0.1),
            Shape::polygon(vec![[0.0, 0.0], [1.0, 0.1], [0.3, 0.9]], 0.0).unwrap(),
            Shape::ellipse([0.0, 0.1], [0.8, 0.4], 0.3, 2.0).unwrap(),
            Shape::ellipse([0.0, 0.1], [0.8, 0.4], 0.3, 5.0).unwrap(),
            Shape::curve(points, false).unwrap(),
            Shape::arc([0.0, 0.0], 0.8, 0.0, 2.5, false).unwrap(),
            Shape::polynomial(
                vec![0.0, 0.1, -0.3],
                [-1.0, 1.0],
                [0.0, 0.0],
                0.1,
                Side::Below,
            )
            .unwrap(),
            Shape::polyline(
                vec![[-1.0, 0.0], [-0.2, 0.3], [0.4, 0.2], [1.0, 0.4]],
                Side::Below,
            )
            .unwrap(),
            ground(),
            Shape::bore([0.0, 0.0], 2.5).unwrap(),
        ]
    };
    let mut count = 0;
    for first in shapes() {
        for second in shapes() {
            let kinds = format!("{}–{}", first.kind(), second.kind());
            let Ok(pair) = Pair::new(first.clone(), second) else {
                continue;
            };
            for k in 0..40 {
                let (x, y) = (1.6 * (0.37 * k as f64).sin(), 1.6 * (0.91 * k as f64).cos());
                let (a, b) = (
                    Frame::new([0.1, -0.2], 0.3 * k as f64),
                    Frame::new([x, y], 1.1 * k as f64),
                );
                let mut tracks = vec![Track::default(); pair.slots()];
                pair.seek([&a, &b], &mut tracks);
                let nears: Vec<Option<Near>> = (0..pair.slots())
                    .map(|i| pair.near(i, [&a, &b], &tracks[i]))
                    .collect();
                let Some(slot) = (0..pair.slots())
                    .filter(|i| nears[*i].is_some())
                    .min_by(|i, j| nears[*i].unwrap().gap.total_cmp(&nears[*j].unwrap().gap))
                else {
                    continue;
                };
                let near = nears[slot].unwrap();
                // Two sharp corners meet at a point that has no inside; what overlaps or is far is another test's.
                if near.gap < 0.0 || near.curvatures == [f64::INFINITY; 2] || !near.unique {
                    continue;
                }
                let mut track = tracks.clone();
                for part in [0.5, 0.9, 1.0, 1.0 + 1e-3 / near.gap] {
                    let way = part * near.gap;
                    let moved = Frame {
                        at: [
                            b.at[0] - way * near.normal[0],
                            b.at[1] - way * near.normal[1],
                        ],
                        ..b
                    };
                    pair.seek([&a, &moved], &mut track);
                    let Some(now) = pair.near(slot, [&a, &moved], &track[slot]) else {
                        panic!("{kinds} {k} {part}: lost {near:?}");
                    };
                    count += 1;
                    assert!(
                        (now.gap - (near.gap - way)).abs() < 1e-13,
                        "{kinds} {k} {part}: {now:?} {near:?}"
                    );
                    assert!(
                        (now.normal[0] - near.normal[0]).abs()
                            + (now.normal[1] - near.normal[1]).abs()
                            < 1e-9,
                        "{kinds} {k} {part}: {now:?} {near:?}"
                    );
                }
            }
        }
    }
    assert!(count > 5000, "{count}");
}
