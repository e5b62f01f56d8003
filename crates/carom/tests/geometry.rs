//! Do all pairs of shapes keep the promises of `Near`: exact, signed, smooth, the same from both sides and in all axes?
//!
//! Most tests run over every pair of the table that a zoo of shapes makes; brute force means dense outlines, which share nothing with the code but the outline itself.

use carom::geometry::{Fault, Frame, Near, Pair, Shape, Side, Track};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Numbers in 0…1 that look like chance and are the same every time (Knuth's MMIX constants).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
    fn frame(&mut self, reach: f64) -> Frame {
        Frame::new(
            [self.between(-reach, reach), self.between(-reach, reach)],
            self.between(0.0, TAU),
        )
    }
}

/// A curve with a dent on either side.
fn peanut(concave: bool) -> Shape {
    let points = (0..24)
        .map(|i| {
            let a = TAU * i as f64 / 24.0;
            let r = 1.0 + 0.35 * (2.0 * a).cos();
            [r * a.cos(), r * a.sin()]
        })
        .collect();
    Shape::curve(points, concave).unwrap()
}

/// Whether what touched the end of an open profile has gone round it: it pressed from straight behind, where nothing is felt.
fn went_behind(pair: &Pair, name: &str, frames: &[Frame; 2], near: &Near) -> bool {
    let names: Vec<&str> = name.split('–').collect();
    (0..2).any(|i| {
        let kind = pair.shapes()[i].kind();
        if !["arc", "polynomial", "polyline"].contains(&kind) {
            return false;
        }
        let outline: Vec<[f64; 2]> = pair.shapes()[i]
            .outline(2000)
            .iter()
            .map(|p| frames[i].point(*p))
            .collect();
        let last = outline.len() - 1;
        let sign = if i == 0 { 1.0 } else { -1.0 };
        let toward = near.normal.map(|x| sign * x);
        // Solid on the right of polynomials and cups, on the left of the others.
        let side = if kind == "polynomial" || names[i] == "cup" {
            1.0
        } else {
            -1.0
        };
        [(0, 0), (last, last - 1)].iter().any(|(end, from)| {
            let off = minus(outline[*end], near.points[i]);
            let along = minus(outline[from + 1], outline[*from]);
            dot(off, off).sqrt() < 1e-9
                && side * cross(along, toward) < -0.999 * dot(along, along).sqrt()
        })
    })
}

/// Whether the outlines cut each other near a contact.
fn still_cut(pair: &Pair, frames: &[Frame; 2], near: &Near) -> bool {
    let close = |p: &[f64; 2]| {
        let d = minus(*p, near.points[0]);
        dot(d, d).sqrt() < 0.1
    };
    let [a, b] = [0, 1].map(|i| {
        let all: Vec<[f64; 2]> = pair.shapes()[i]
            .outline(4000)
            .iter()
            .map(|p| frames[i].point(*p))
            .collect();
        all.windows(2)
            .filter(|w| close(&w[0]) || close(&w[1]))
            .map(|w| [w[0], w[1]])
            .collect::<Vec<_>>()
    });
    a.iter().any(|p| b.iter().any(|q| cut(p, q)))
}

/// How many random cases of each kind: a few, or with `CAROM_FULL=1` all.
fn cases(few: usize, all: usize) -> usize {
    let full = std::env::var_os("CAROM_FULL").is_some();
    if full { all } else { few }
}

fn zoo() -> Vec<(&'static str, Shape)> {
    let egg = (0..16)
        .map(|i| {
            let a = TAU * i as f64 / 16.0;
            [(0.8 + 0.1 * a.sin()) * a.cos(), 0.5 * a.sin() + 0.1]
        })
        .collect();
    let hole = (0..24)
        .map(|i| {
            let a = TAU * i as f64 / 24.0;
            let r = 4.0 + 0.3 * (3.0 * a).cos();
            [r * a.cos(), r * a.sin()]
        })
        .collect();
    let many = (0..=30)
        .map(|i| [i as f64 / 5.0 - 3.0, 0.2 * (i as f64).sin()])
        .collect();
    let wheel = (0..12)
        .map(|i| {
            let a = TAU * i as f64 / 12.0;
            [a.cos(), a.sin()]
        })
        .collect();
    vec![
        ("circle", Shape::circle([0.2, -0.1], 0.5).unwrap()),
        ("bore", Shape::bore([0.1, 0.0], 4.0).unwrap()),
        ("arc", Shape::arc([0.0, 0.0], 0.7, 0.3, 2.5, false).unwrap()),
        (
            "cup",
            Shape::arc([0.0, 0.5], 1.5, PI + 0.3, TAU - 0.3, true).unwrap(),
        ),
        (
            "half-plane",
            Shape::half_plane([0.0, -0.3], [0.2, 1.0]).unwrap(),
        ),
        (
            "capsule",
            Shape::segment([[-0.6, 0.1], [0.7, 0.0]], 0.2).unwrap(),
        ),
        (
            "line",
            Shape::segment([[-0.6, 0.1], [0.7, 0.0]], 0.0).unwrap(),
        ),
        (
            "ellipse",
            Shape::ellipse([0.1, 0.0], [1.0, 0.4], 0.3, 2.0).unwrap(),
        ),
        (
            "superellipse",
            Shape::ellipse([0.0, 0.1], [0.9, 0.6], -0.2, 4.0).unwrap(),
        ),
        (
            "triangle",
            Shape::polygon(vec![[0.0, 0.0], [0.2, 1.1], [1.0, 0.1]], 0.0).unwrap(),
        ),
        (
            "box",
            Shape::polygon(
                vec![[-0.7, -0.4], [0.7, -0.4], [0.7, 0.4], [-0.7, 0.4]],
                0.1,
            )
            .unwrap(),
        ),
        ("wheel", Shape::polygon(wheel, 0.05).unwrap()),
        ("egg", Shape::curve(egg, false).unwrap()),
        ("peanut", peanut(false)),
        ("hole", Shape::curve(hole, true).unwrap()),
        (
            "polynomial",
            Shape::polynomial(
                vec![0.0, 0.1, -0.6, 0.0, 0.3],
                [-1.4, 1.4],
                [0.0, 0.1],
                0.2,
                Side::Below,
            )
            .unwrap(),
        ),
        (
            "polyline",
            Shape::polyline(
                vec![
                    [-1.5, 0.4],
                    [-0.5, -0.1],
                    [0.2, 0.1],
                    [0.9, -0.2],
                    [1.5, -0.8],
                ],
                Side::Below,
            )
            .unwrap(),
        ),
        ("sawtooth", Shape::polyline(many, Side::Below).unwrap()),
    ]
}

/// Every pair of the zoo that is accepted.
fn pairs() -> Vec<(String, Pair)> {
    let zoo = zoo();
    let mut all = Vec::new();
    for (a, first) in &zoo {
        for (b, second) in &zoo {
            if let Ok(pair) = Pair::new(first.clone(), second.clone()) {
                all.push((format!("{a}–{b}"), pair));
            }
        }
    }
    assert!(all.len() > 250, "{} pairs", all.len());
    all
}

fn sought(pair: &Pair, frames: [&Frame; 2]) -> Vec<Track> {
    let mut tracks = vec![Track::default(); pair.slots()];
    pair.seek(frames, &mut tracks);
    tracks
}

fn all_near(pair: &Pair, frames: [&Frame; 2]) -> Vec<(usize, Track, Near)> {
    sought(pair, frames)
        .into_iter()
        .enumerate()
        .filter_map(|(i, t)| Some((i, t, pair.near(i, frames, &t)?)))
        .collect()
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// A pose of the second of a pair: for holes the other must be inside.
fn poses(chance: &mut Chance) -> [Frame; 2] {
    [chance.frame(2.0), chance.frame(2.0)]
}

fn holds(near: &Near, what: &str) {
    let n = near.normal;
    assert!((dot(n, n) - 1.0).abs() < 1e-12, "{what}: {near:?}");
    let size = 1.0
        + near
            .points
            .iter()
            .flatten()
            .map(|x| x.abs())
            .fold(0.0, f64::max);
    let along = dot(n, minus(near.points[1], near.points[0]));
    assert!(
        (along - near.gap).abs() < 1e-14 * size * 8.0,
        "{what}: {along} {near:?}"
    );
    assert!(
        near.curvatures.iter().all(|c| !c.is_nan()),
        "{what}: {near:?}"
    );
}

#[test]
fn the_gap_is_the_normal_times_the_way_between_two_points_of_the_outlines() {
    let mut chance = Chance(1);
    for (name, pair) in pairs() {
        let outlines = pair.shapes().map(|s| s.outline(2000));
        for _ in 0..cases(3, 20) {
            let frames = poses(&mut chance);
            let all = all_near(&pair, [&frames[0], &frames[1]]);
            let least = all.iter().map(|n| n.2.gap).fold(f64::INFINITY, f64::min);
            let pierced = pierced(&pair, &frames);
            for (slot, _, near) in all {
                let what = format!("{name} slot {slot}");
                holds(&near, &what);
                // A corner that stands higher than another looks away from the face below: its foot may lie under its own face by a part of its rounding.
                if !near.unique || near.gap > least || least < 0.0 || pierced {
                    continue;
                }
                for i in 0..2 {
                    let body = frames[i].unrotate(minus(near.points[i], frames[i].at));
                    let off = distance_to(&outlines[i], body);
                    assert!(
                        off < 2e-3,
                        "{what}: point {i} is {off} m beside its outline, {near:?}"
                    );
                }
            }
        }
    }
}

fn distance_to(outline: &[[f64; 2]], p: [f64; 2]) -> f64 {
    outline
        .windows(2)
        .map(|w| to_segment(w[0], w[1], p).0)
        .fold(f64::INFINITY, f64::min)
}

fn to_segment(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> (f64, [f64; 2]) {
    let e = minus(b, a);
    let l2 = dot(e, e);
    let t = if l2 > 0.0 {
        (dot(e, minus(p, a)) / l2).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let q = [a[0] + t * e[0], a[1] + t * e[1]];
    let d = minus(p, q);
    (dot(d, d).sqrt(), q)
}

#[test]
fn exchanging_the_shapes_exchanges_the_points_and_turns_the_normal() {
    let mut chance = Chance(2);
    let mut count = 0;
    for (name, pair) in pairs() {
        let [a, b] = pair.shapes();
        let turned = Pair::new(b.clone(), a.clone()).unwrap();
        for _ in 0..cases(5, 20) {
            let frames = poses(&mut chance);
            let key = |near: &Near| near.gap;
            let mut here: Vec<Near> = all_near(&pair, [&frames[0], &frames[1]])
                .into_iter()
                .map(|n| n.2)
                .collect();
            let mut there: Vec<Near> = all_near(&turned, [&frames[1], &frames[0]])
                .into_iter()
                .map(|n| n.2)
                .collect();
            here.sort_by(|p, q| key(p).total_cmp(&key(q)));
            there.sort_by(|p, q| key(p).total_cmp(&key(q)));
            // What touches, or nearly, must be the same set; slots given to the farthest minima may differ.
            let limit = if name.contains("wheel") || name.contains("sawtooth") {
                0.0
            } else {
                0.3
            };
            let close = |set: &[Near]| set.iter().filter(|n| n.gap < limit).count();
            if here.iter().chain(&there).any(|n| n.gap < -0.05) {
                continue;
            }
            assert_eq!(
                close(&here),
                close(&there),
                "{name}: {here:?}\n{there:?}\n{frames:?}"
            );
            for (p, q) in here.iter().zip(&there).take(close(&here)) {
                count += 1;
                assert!((p.gap - q.gap).abs() < 1e-12, "{name}: {p:?} {q:?}");
                assert!(
                    (p.normal[0] + q.normal[0]).abs() + (p.normal[1] + q.normal[1]).abs() < 1e-6,
                    "{name}: {p:?} {q:?}"
                );
            }
        }
    }
    assert!(count > cases(125, 500), "{count}");
}

#[test]
fn a_common_motion_of_both_frames_changes_nothing() {
    let mut chance = Chance(3);
    for (name, pair) in pairs() {
        for _ in 0..cases(5, 20) {
            let frames = poses(&mut chance);
            let mover = chance.frame(3.0);
            let moved = frames.map(|f| Frame {
                at: mover.point(f.at),
                cos: mover.cos * f.cos - mover.sin * f.sin,
                sin: mover.sin * f.cos + mover.cos * f.sin,
            });
            for (slot, track, near) in all_near(&pair, [&frames[0], &frames[1]]) {
                let Some(other) = pair.near(slot, [&moved[0], &moved[1]], &track) else {
                    panic!("{name} slot {slot}: gone after a common motion, {near:?}");
                };
                assert!(
                    (near.gap - other.gap).abs() < 1e-13,
                    "{name}: {near:?} {other:?}"
                );
                if near.unique && near.gap.abs() > 1e-3 {
                    let n = mover.rotate(near.normal);
                    assert!(
                        minus(n, other.normal).iter().all(|x| x.abs() < 1e-10),
                        "{name}: {near:?} {other:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_rate_of_the_gap_is_the_normal_times_the_relative_velocity_of_the_two_points() {
    let mut chance = Chance(4);
    let mut count = 0;
    for (name, pair) in pairs() {
        for _ in 0..cases(5, 20) {
            let angle = [chance.between(0.0, TAU), chance.between(0.0, TAU)];
            let at = [0, 1].map(|_| [chance.between(-2.0, 2.0), chance.between(-2.0, 2.0)]);
            let v = [0, 1].map(|_| [chance.between(-1.0, 1.0), chance.between(-1.0, 1.0)]);
            let w = [chance.between(-1.0, 1.0), chance.between(-1.0, 1.0)];
            let frames = |t: f64| {
                [0, 1].map(|i| {
                    Frame::new(
                        [at[i][0] + t * v[i][0], at[i][1] + t * v[i][1]],
                        angle[i] + t * w[i],
                    )
                })
            };
            let now = frames(0.0);
            for (slot, track, near) in all_near(&pair, [&now[0], &now[1]]) {
                if !near.unique {
                    continue;
                }
                let gap = |t: f64| {
                    let f = frames(t);
                    pair.near(slot, [&f[0], &f[1]], &track).map(|n| n.gap)
                };
                let velocity = |i: usize| {
                    let arm = minus(near.points[i], at[i]);
                    [v[i][0] - w[i] * arm[1], v[i][1] + w[i] * arm[0]]
                };
                let rate = dot(near.normal, minus(velocity(1), velocity(0)));
                let h = 1e-6;
                let (Some(after), Some(before)) = (gap(h), gap(-h)) else {
                    continue;
                };
                let slope = (after - before) / (2.0 * h);
                count += 1;
                assert!(
                    (slope - rate).abs() < 2e-6,
                    "{name} slot {slot}: {slope} {rate} {near:?} {track:?}"
                );
            }
        }
    }
    assert!(count > cases(1250, 5000), "{count}");
}

/// Whether the outlines cut each other in this pose: a thin thing right through another, which no corner feels.
fn pierced(pair: &Pair, frames: &[Frame; 2]) -> bool {
    let [a, b] = [0, 1].map(|i| {
        let outline = pair.shapes()[i].outline(60);
        outline
            .iter()
            .map(|p| frames[i].point(*p))
            .collect::<Vec<_>>()
    });
    cut(&a, &b)
}

/// Whether the outlines cut each other.
fn cut(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    a.windows(2).any(|p| {
        let e = minus(p[1], p[0]);
        b.windows(2).any(|q| {
            let f = minus(q[1], q[0]);
            cross(e, minus(q[0], p[0])) * cross(e, minus(q[1], p[0])) <= 0.0
                && cross(f, minus(p[0], q[0])) * cross(f, minus(p[1], q[0])) <= 0.0
        })
    })
}

/// Whether a point lies in the solid, as far as the shape has an inside.
fn solid(shape: &Shape, name: &str, outline: &[[f64; 2]], p: [f64; 2]) -> bool {
    if shape.kind() == "half-plane" {
        return cross(minus(outline[1], outline[0]), minus(p, outline[0])) > 0.0;
    }
    if outline.first() != outline.last()
        && minus(outline[0], outline[outline.len() - 1])
            .iter()
            .any(|x| x.abs() > 1e-9)
    {
        return false;
    }
    let mut inside = false;
    for w in outline.windows(2) {
        let ([x0, y0], [x1, y1]) = (w[0], w[1]);
        if (y0 > p[1]) != (y1 > p[1]) && p[0] < x0 + (p[1] - y0) / (y1 - y0) * (x1 - x0) {
            inside = !inside;
        }
    }
    inside != (name == "bore" || name == "hole")
}

#[test]
fn the_smallest_gap_is_that_of_brute_force() {
    let mut chance = Chance(5);
    let mut count = 0;
    for (name, pair) in pairs() {
        let (a, b) = name.split_once('–').unwrap();
        let names = [a, b];
        let local = pair.shapes().map(|s| s.outline(200));
        for _ in 0..cases(3, 30) {
            let frames = poses(&mut chance);
            let outlines = [0, 1].map(|i| {
                local[i]
                    .iter()
                    .map(|p| frames[i].point(*p))
                    .collect::<Vec<_>>()
            });
            let within = (0..2).any(|i| {
                outlines[i].iter().any(|p| {
                    let q = frames[1 - i].unrotate(minus(*p, frames[1 - i].at));
                    solid(pair.shapes()[1 - i], names[1 - i], &local[1 - i], q)
                })
            });
            if within || cut(&outlines[0], &outlines[1]) {
                continue;
            }
            let mut best = (f64::INFINITY, [[0.0; 2]; 2], [0.0; 2]);
            for i in 0..2 {
                for p in &outlines[i] {
                    for w in outlines[1 - i].windows(2) {
                        let (d, q) = to_segment(w[0], w[1], *p);
                        if d < best.0 {
                            best = if i == 0 {
                                (d, [*p, q], [0.0; 2])
                            } else {
                                (d, [q, *p], [0.0; 2])
                            };
                        }
                    }
                }
            }
            // Open profiles feel nothing from behind: the nearest point must lie before them.
            let behind = (0..2).any(|i| {
                let kind = pair.shapes()[i].kind();
                if !["arc", "polynomial", "polyline"].contains(&kind) {
                    return false;
                }
                let way = minus(best.1[1 - i], best.1[i]);
                let k = (0..outlines[i].len() - 1)
                    .min_by(|j, k| {
                        let d =
                            |j: usize| to_segment(outlines[i][j], outlines[i][j + 1], best.1[i]).0;
                        d(*j).total_cmp(&d(*k))
                    })
                    .unwrap();
                let tangent = minus(outlines[i][k + 1], outlines[i][k]);
                // Solid on the right of polynomials and cups, on the left of arcs; a polyline's walk is kept with its solid on the left.
                let side = if kind == "polynomial" || names[i] == "cup" {
                    1.0
                } else {
                    -1.0
                };
                side * cross(tangent, way) < 0.1 * (dot(tangent, tangent) * dot(way, way)).sqrt()
            });
            if behind {
                continue;
            }
            count += 1;
            let near = all_near(&pair, [&frames[0], &frames[1]]);
            let gap = near.iter().map(|n| n.2.gap).fold(f64::INFINITY, f64::min);
            assert!(
                (gap - best.0).abs() < 2e-3,
                "{name}: gap {gap}, brute force {best:?}\n{near:?}\n{frames:?}"
            );
        }
    }
    assert!(count > cases(100, 1000), "{count}");
}

#[test]
fn hostile_poses_give_no_nan_and_no_panic() {
    let mut chance = Chance(6);
    for (name, pair) in pairs() {
        let mut frames = vec![
            [Frame::GROUND, Frame::GROUND],
            [Frame::GROUND, Frame::new([1e6, -1e6], 1.0)],
            [
                Frame::new([1e6, 1e6], 0.5),
                Frame::new([1e6 + 1.0, 1e6], 2.0),
            ],
            [Frame::GROUND, Frame::new([0.0, 0.0], PI)],
            [Frame::GROUND, Frame::new([0.0, 0.0], FRAC_PI_2)],
            [Frame::new([0.2, -0.1], 0.0), Frame::new([0.2, -0.1], 0.0)],
        ];
        for _ in 0..cases(8, 30) {
            frames.push([chance.frame(0.3), chance.frame(0.3)]);
        }
        for [a, b] in &frames {
            for (slot, _, near) in all_near(&pair, [a, b]) {
                let sound = near.gap.is_finite()
                    && near
                        .normal
                        .iter()
                        .chain(near.points.iter().flatten())
                        .all(|x| x.is_finite())
                    && near.curvatures.iter().all(|x| !x.is_nan());
                assert!(sound, "{name} slot {slot}: {near:?} at {a:?} {b:?}");
                assert!((dot(near.normal, near.normal) - 1.0).abs() < 1e-9);
            }
        }
        let nowhere = Frame {
            at: [f64::NAN; 2],
            cos: f64::NAN,
            sin: f64::NAN,
        };
        let mut tracks = vec![Track::default(); pair.slots()];
        pair.seek([&nowhere, &Frame::GROUND], &mut tracks);
        for slot in 0..pair.slots() + 2 {
            let mut wild = Track::default();
            (wild.s, wild.on) = ([f64::NAN, 1e300], true);
            pair.near(slot, [&nowhere, &Frame::GROUND], &wild);
            pair.near(slot, [&Frame::GROUND, &Frame::GROUND], &wild);
        }
        pair.seek([&Frame::GROUND, &Frame::GROUND], &mut []);
    }
}

#[test]
fn a_wrong_shape_is_refused_in_words() {
    let said = |r: Result<Shape, Fault>, words: &[&str]| {
        let text = r.expect_err("refused").to_string();
        for word in words {
            assert!(text.contains(word), "`{text}` lacks `{word}`");
        }
    };
    said(
        Shape::circle([0.0, 0.0], 0.0),
        &["circle", "radius is 0 m", "> 0"],
    );
    said(Shape::circle([f64::NAN, 0.0], 1.0), &["center is NaN m"]);
    said(Shape::bore([0.0, 0.0], -1.0), &["bore", "radius is -1 m"]);
    said(
        Shape::arc([0.0; 2], 1.0, 1.0, 1.0, false),
        &["arc", "to is 1 rad"],
    );
    said(Shape::arc([0.0; 2], 1.0, 0.0, 7.0, false), &["one turn"]);
    said(Shape::half_plane([0.0; 2], [0.0; 2]), &["normal"]);
    said(
        Shape::segment([[1.0, 1.0], [1.0, 1.0]], 0.1),
        &["segment", "(1 m, 1 m)"],
    );
    said(
        Shape::segment([[1.0, 1.0], [2.0, 1.0]], f64::INFINITY),
        &["radius is inf m"],
    );
    said(
        Shape::ellipse([0.0; 2], [1.0, 0.0], 0.0, 2.0),
        &["semi-axis is 0 m"],
    );
    said(
        Shape::ellipse([0.0; 2], [1.0, 1.0], 0.0, 1.5),
        &["exponent is 1.5", "2 to 20"],
    );
    said(
        Shape::polygon(vec![[0.0, 0.0], [1.0, 0.0]], 0.0),
        &["2 corners", "at least 3"],
    );
    said(
        Shape::polygon(vec![[0.0, 0.0], [1.0, 0.0], [0.3, 0.1], [0.0, 1.0]], 0.0),
        &["bends inwards"],
    );
    said(
        Shape::polygon(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 0.5),
        &["rounding is 0.5 m"],
    );
    said(
        Shape::polygon(vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 0.0),
        &["bends inwards"],
    );
    let star = (0..5)
        .map(|i| 2.0 * TAU * i as f64 / 5.0)
        .map(|a| [a.cos(), a.sin()])
        .collect();
    said(Shape::polygon(star, 0.0), &["more than once"]);
    said(
        Shape::curve(vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], false),
        &["crosses itself"],
    );
    said(
        Shape::curve(vec![[0.0, 0.0], [1.0, 1.0]], false),
        &["2 points"],
    );
    said(
        Shape::polynomial(vec![], [0.0, 1.0], [0.0; 2], 0.0, Side::Above),
        &["0 coefficients"],
    );
    said(
        Shape::polynomial(vec![1.0], [1.0, 1.0], [0.0; 2], 0.0, Side::Above),
        &["end is 1 m"],
    );
    said(
        Shape::polynomial(vec![0.0, 1e200], [0.0, 1.0], [0.0; 2], 0.0, Side::Above),
        &["value on the interval"],
    );
    said(
        Shape::polyline(vec![[0.0, 0.0], [0.0, 0.0]], Side::Above),
        &["polyline", "same place", "point 1"].map(|w| {
            if w == "same place" {
                "where the point before it stands"
            } else {
                w
            }
        }),
    );
    said(
        Shape::polyline(
            vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
            Side::Above,
        ),
        &["crosses itself"],
    );
}

#[test]
fn a_pair_that_makes_no_sense_is_refused_in_words() {
    let plane = || Shape::half_plane([0.0; 2], [0.0, 1.0]).unwrap();
    let bore = || Shape::bore([0.0; 2], 1.0).unwrap();
    let line = || Shape::segment([[0.0; 2], [1.0, 0.0]], 0.0).unwrap();
    let hole = || peanut(true);
    for (a, b, words) in [
        (plane(), plane(), "half-plane and half-plane"),
        (bore(), bore(), "holes do not touch"),
        (bore(), hole(), "holes do not touch"),
        (hole(), hole(), "holes do not touch"),
        (plane(), bore(), "overlap everywhere"),
        (hole(), plane(), "overlap everywhere"),
        (line(), line(), "give the segment a radius"),
        (
            Shape::circle([0.0; 2], 1.0).unwrap(),
            bore(),
            "1 m, the bore 1 m",
        ),
    ] {
        let text = Pair::new(a, b).expect_err("refused").to_string();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_touching_slot_is_followed_smoothly_as_the_bodies_move() {
    let mut chance = Chance(7);
    let (mut followed, mut handed, mut parted, mut lost) = (0, 0, 0, Vec::new());
    let dt = 1e-3;
    for (name, pair) in pairs() {
        for round in 0..cases(1, 6) {
            let angle = [chance.between(0.0, TAU), chance.between(0.0, TAU)];
            let at = [0, 1].map(|_| [chance.between(-1.5, 1.5), chance.between(-1.5, 1.5)]);
            let v = [0, 1].map(|_| [chance.between(-2.0, 2.0), chance.between(-2.0, 2.0)]);
            let w = [chance.between(-2.0, 2.0), chance.between(-2.0, 2.0)];
            let mut tracks = vec![Track::default(); pair.slots()];
            let mut before: Vec<Option<(Near, f64)>> = vec![None; pair.slots()];
            for k in 0..800 {
                let t = f64::from(k) * dt;
                let place = |i: usize| [at[i][0] + t * v[i][0], at[i][1] + t * v[i][1]];
                let then = |t: f64, i: usize| {
                    let at = [at[i][0] + t * v[i][0], at[i][1] + t * v[i][1]];
                    Frame::new(at, angle[i] + t * w[i])
                };
                let frames = [0, 1].map(|i| then(t, i));
                let earlier = [0, 1].map(|i| then(t - dt, i));
                let both = [&frames[0], &frames[1]];
                pair.seek(both, &mut tracks);
                let now: Vec<Option<(Near, f64)>> = (0..pair.slots())
                    .map(|slot| {
                        let near = pair.near(slot, both, &tracks[slot])?;
                        let velocity = |i: usize| {
                            let arm = minus(near.points[i], place(i));
                            [v[i][0] - w[i] * arm[1], v[i][1] + w[i] * arm[0]]
                        };
                        Some((near, dot(near.normal, minus(velocity(1), velocity(0)))))
                    })
                    .collect();
                let shallow = before.iter().flatten().all(|(n, _)| n.gap > -0.03);
                for (slot, old) in before.iter().enumerate() {
                    let Some((old, rate)) = old else { continue };
                    // Sharp on sharp has no inside.
                    if !shallow || old.gap > 0.0 || old.curvatures == [f64::INFINITY; 2] {
                        continue;
                    }
                    let expected = old.gap + rate * dt;
                    match now[slot] {
                        Some((new, _)) if (new.gap - expected).abs() < 1e-3 => followed += 1,
                        // From one shape's corner to the other's: the same place in another slot.
                        // Apart, slots may go where they are needed.
                        _ if expected > 0.0 => parted += 1,
                        _ if now
                            .iter()
                            .flatten()
                            .any(|(new, _)| (new.gap - expected).abs() < 1e-3) =>
                        {
                            handed += 1;
                        }
                        // Corners slipped off each other: brute force sees no overlap there any more.
                        _ if !still_cut(&pair, &frames, old) => parted += 1,
                        _ if went_behind(&pair, &name, &earlier, old) => parted += 1,
                        other => lost.push(format!(
                            "{name} round {round} step {k} slot {slot}: {expected} became {:?}; all {:?}, was {old:?}",
                            other.map(|n| n.0.gap),
                            now.iter().map(|n| n.map(|n| n.0.gap)).collect::<Vec<_>>()
                        )),
                    }
                }
                before = now;
            }
        }
    }
    for line in &lost {
        println!("{line}");
    }
    println!(
        "{followed} followed, {handed} handed over, {parted} parted, {} lost",
        lost.len()
    );
    // Closed shapes, half-planes and bores never lose a touching place, nor does one pass from slot to slot. Against saw teeth and cups a few are lost as yet, of those that are pressed by
    // centimetres: sharp corners that pass each other with faces at an angle have no common depth, and a rounded corner in a valley, which has one slot, feels one flank only.
    let open = ["arc", "cup", "polynomial", "polyline", "sawtooth"];
    let closed = lost.iter().find(|line: &&String| {
        let names = line.split(' ').next().unwrap_or("");
        !names.split('–').any(|name| open.contains(&name))
    });
    assert_eq!(closed, None);
    assert!(
        followed > cases(1_500, 10_000) && handed <= 1 && lost.len() <= cases(1, 8),
        "{followed} followed, {handed} handed over, {} lost",
        lost.len()
    );
}
