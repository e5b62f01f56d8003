//! Which published numbers hold, and which do not? Formulas as they are printed are computed here and shown to fail; the library has the mended ones.
//!
//! The papers: Flores et al. 2011, Machado et al. 2012, Corral et al. 2021. h is the factor of F = K δ^n (1 + h v/v0).

mod draw;
mod formula;
mod scaling;

use carom::card::Values;
use carom::contact::{self, Calibration, Damper, Law, Touch, closed, wang_factor};

/// The two spheres of Machado et al. 2012, section 4: N/m^1.5, kg, m/s.
const SPHERES: (f64, f64, f64) = (5.5e9, 0.046, 0.3);

fn touch(id: &str, values: Values, v0: f64) -> Touch {
    let card = contact::find(id).expect("a law");
    let law = Law::new(card, &values, None, Calibration::Published).expect("fine values");
    law.touch(v0, SPHERES.1).expect("a touch")
}

/// A law of the family on the two spheres.
fn spheres(id: &str, e: f64) -> Touch {
    let values = Values::new()
        .number("stiffness", SPHERES.0)
        .number("restitution", e);
    touch(id, values, SPHERES.2)
}

/// h as the library has it.
fn h(id: &str, e: f64) -> f64 {
    match spheres(id, e).damper() {
        Damper::Factor { per_speed } => per_speed * SPHERES.2,
        other => panic!("{id}: {other:?}"),
    }
}

/// What a law of the family returns.
fn returned(id: &str, e: f64) -> f64 {
    closed::restitution(h(id, e))
}

fn near(found: f64, expected: f64, within: f64, what: &str) {
    assert!(
        (found - expected).abs() <= within,
        "{what}: {found}, not {expected}"
    );
}

/// The root of a rising function between two numbers.
fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// What F = K δ^n (1 + h v/v0) returns, by bisection of its equation: independent of the library's way.
fn plainly(h: f64) -> f64 {
    root(
        |e| ((1.0 + h) / (1.0 - h * e)).ln() - h * (1.0 + e),
        1e-12,
        (1.0 / h).min(1.0) - 1e-15,
    )
}

// The closed forms themselves.

#[test]
fn the_closed_restitution_is_the_root_found_by_bisection() {
    for k in 1..=300 {
        let h = 0.1 * f64::from(k);
        near(closed::restitution(h), plainly(h), 1e-12, "e");
    }
}

#[test]
fn restitution_follows_its_series_for_little_damping() {
    // 1 − 2h/3 + 4h²/9 − 44h³/135: what is left is of the fourth order, with one coefficient for all small h.
    let rest = |h: f64| {
        let series = 1.0 - 2.0 * h / 3.0 + 4.0 * h * h / 9.0 - 44.0 * h.powi(3) / 135.0;
        (closed::restitution(h) - series) / h.powi(4)
    };
    let limit = 2.0 * rest(0.005) - rest(0.01);
    for h in [0.02, 0.01, 0.005] {
        near(rest(h), limit, 0.3 * h, "the rest over h⁴");
    }
    assert!(limit.abs() < 0.5, "{limit}");
}

#[test]
fn near_one_the_laws_return_the_slope_that_theory_gives() {
    for (id, slope) in [
        ("hunt-crossley", 1.0),
        ("herbert-mcwhannell", 1.0),
        ("lankarani-nikravesh", 1.0),
        ("zhiying-qishao", 1.0),
        ("hu-guo", 1.0),
        ("zhang", 1.0),
        ("carvalho-martins", 1.0),
        ("exact-restitution", 1.0),
        ("khatiwada", 1.0),
        ("flores", 16.0 / 15.0),
        ("gonthier", 4.0 / 3.0),
        ("safaeifar-farshidianfar", 5.0 / 6.0),
        ("lee-wang", 0.5),
        ("gharib-hurmuzlu", 0.25134),
    ] {
        // From one side only, twice, to leave an error of the second order.
        let s = 1e-4;
        let [a, b, c] = [1.0, 1.0 - s, 1.0 - 2.0 * s].map(|e| returned(id, e));
        let found = (3.0 * a - 4.0 * b + c) / (2.0 * s);
        // Zhang's 249/166 is 1.5 exactly; the printed 0.25134 has five figures.
        near(found, slope, 6e-6, id);
    }
}

#[test]
fn at_zero_asked_for_the_laws_return_their_intercepts() {
    for (id, e) in [
        ("hunt-crossley", 0.487741),
        ("herbert-mcwhannell", 0.487741),
        ("lankarani-nikravesh", 0.662962),
        ("lee-wang", 0.662962),
        ("zhiying-qishao", 0.178729),
        ("zhang", 0.024096),
    ] {
        near(returned(id, 0.0), e, 6e-7, id);
    }
    near(returned("flores", 1e-6), 0.0, 1e-6, "flores");
}

#[test]
fn the_peak_is_the_largest_force_on_the_way() {
    let (k, m, v) = SPHERES;
    for n in [1.0, 1.5, 2.0] {
        for h in [0.0, 0.3, 1.0, 6.4] {
            let (force, delta, rate) = closed::peak(k, n, m, v, h);
            let share = |u: f64| {
                if h == 0.0 {
                    0.5 * (1.0 - u * u)
                } else {
                    ((h - h.ln_1p()) - (h * u - (h * u).ln_1p())) / (h * h)
                }
            };
            let on_the_way = |u: f64| {
                let delta = ((n + 1.0) * m * v * v / k * share(u)).powf(1.0 / (n + 1.0));
                k * delta.powf(n) * (1.0 + h * u)
            };
            let largest = (0..=100_000)
                .map(|i| on_the_way(f64::from(i) * 1e-5))
                .fold(0.0, f64::max);
            assert!(
                (force / largest - 1.0).abs() < 1e-8 && force > largest * (1.0 - 1e-12),
                "n {n}, h {h}: {force} {largest}"
            );
            near(
                k * delta.powf(n) * (1.0 + h * rate),
                force,
                1e-9 * force,
                "at its place",
            );
        }
    }
}

#[test]
fn two_spheres_have_the_published_indentation_force_and_duration() {
    // Machado et al. 2012, figures 3 to 6, and the exact values behind them.
    let (k, m, v) = SPHERES;
    near(closed::deepest(k, 1.5, m, v, 0.0) * 1e6, 15.467, 5e-4, "µm");
    near(closed::peak(k, 1.5, m, v, 0.0).0, 334.573, 5e-4, "N");
    near(
        closed::elastic_duration(k, 1.5, m, v) * 1e6,
        151.75,
        5e-3,
        "µs",
    );
    near(
        closed::elastic_duration(k, 1.5, m, v) * v / closed::deepest(k, 1.5, m, v, 0.0),
        2.94328,
        5e-6,
        "Hertz's number",
    );
    for (id, e, peak) in [
        ("lee-wang", 0.8693, 313.63),
        ("hunt-crossley", 0.7680, 304.80),
        ("herbert-mcwhannell", 0.7227, 302.90),
    ] {
        near(returned(id, 0.7), e, 5e-5, id);
        near(closed::peak(k, 1.5, m, v, h(id, 0.7)).0, peak, 5e-3, id);
    }
    for (id, e) in [
        ("gonthier", 0.6696),
        ("zhiying-qishao", 0.6796),
        ("flores", 0.6832),
    ] {
        near(returned(id, 0.7), e, 5e-5, id);
    }
}

#[test]
fn three_laws_that_should_agree_above_one_half_are_a_fifth_apart_near_one() {
    // Machado et al. 2012, figure 7.
    for (id, half, nine) in [
        ("gonthier", 1.5, 0.211),
        ("zhiying-qishao", 1.529, 0.174),
        ("flores", 1.6, 0.178),
    ] {
        near(h(id, 0.5), half, 5e-4, id);
        near(h(id, 0.9), nine, 5e-4, id);
    }
    assert!(h("gonthier", 0.9) / h("flores", 0.9) > 1.18);
    assert!(h("gonthier", 0.9) / h("zhiying-qishao", 0.9) > 1.2);
}

#[test]
fn numbers_in_the_sentences_of_cards_are_true() {
    for (id, e, words) in [
        ("lankarani-nikravesh", 0.5, "for 0.5 it returns "),
        ("lee-wang", 0.7, "It returns "),
        ("hunt-crossley", 0.0, "at cr = 0 it still returns "),
        ("herbert-mcwhannell", 0.0, "at cr = 0 it still returns "),
        ("zhiying-qishao", 0.0, "at cr = 0 it still returns "),
        ("zhang", 0.0, "returns "),
        ("carvalho-martins", 0.0, "returns "),
        ("gharib-hurmuzlu", 1.0, "at cr = 1 it returns "),
    ] {
        let card = contact::find(id).expect("a law");
        let sentence = format!("{words}{:.3}", returned(id, e));
        let said = [card.validity, card.notes].join(" ");
        assert!(
            said.contains(&sentence),
            "{id}: `{sentence}` is not in: {said}"
        );
    }
    let within = |id: &str, from: f64| {
        (0..=1000)
            .map(|k| from + (1.0 - from) * f64::from(k) * 1e-3)
            .map(|e| (returned(id, e) - e).abs())
            .fold(0.0, f64::max)
    };
    // carvalho-martins: within 0.0011 above 0.4; zhang: the closest that takes zero, of those that do.
    assert!((0.00105..0.0011).contains(&within("carvalho-martins", 0.4)));
    for id in [
        "hunt-crossley",
        "herbert-mcwhannell",
        "lee-wang",
        "lankarani-nikravesh",
        "zhiying-qishao",
        "carvalho-martins",
    ] {
        assert!(within(id, 0.0) > within("zhang", 0.0), "{id}");
    }
}

// Claims that do not hold.

#[test]
fn loops_of_hunt_crossley_and_herbert_mcwhannell_differ_by_a_sixth_not_by_a_hundredth() {
    // Machado et al. 2012 say 1.5 %. The area of a loop is 1 − e² of the kinetic energy.
    let apart = |e: f64| {
        let area = |id| 1.0 - returned(id, e).powi(2);
        area("herbert-mcwhannell") / area("hunt-crossley") - 1.0
    };
    near(apart(0.7), 0.165, 5e-4, "at 0.7");
    near(apart(0.9), 0.085, 5e-4, "at 0.9");
    near(apart(0.95), 0.046, 5e-4, "at 0.95");
    // Where the claim is true.
    near(apart(0.985), 0.015, 5e-4, "at 0.985");
}

#[test]
fn the_peak_force_does_not_fall_with_restitution_all_the_way() {
    // Flores et al. 2011, figure 6, says that it does.
    let (k, m, v) = SPHERES;
    let hertz = closed::peak(k, 1.5, m, v, 0.0).0;
    let relative = |e: f64| closed::peak(k, 1.5, m, v, h("flores", e)).0 / hertz;
    for (e, expected) in [
        (1.0, 1.0),
        (0.8, 0.9148),
        (0.6, 0.9113),
        (0.4, 0.9933),
        (0.2, 1.2479),
    ] {
        near(relative(e), expected, 5e-5, "F_max over Hertz's");
    }
    let least = (20..100)
        .map(|i| f64::from(i) * 0.01)
        .min_by(|a, b| relative(*a).total_cmp(&relative(*b)))
        .expect("some");
    assert!((0.66..=0.74).contains(&least), "the least is at {least}");
    near(relative(least), 0.903, 1e-3, "the least");
    // What does hold: the indentation falls and the contact lasts longer.
    let mut before = draw::impact(&spheres("flores", 1.0), 1e-9);
    for e in [0.8, 0.6, 0.4, 0.2] {
        let now = draw::impact(&spheres("flores", e), 1e-9);
        assert!(
            now.deepest < before.deepest && now.duration > before.duration,
            "{e}"
        );
        before = now;
    }
}

#[test]
fn flores_is_off_by_up_to_0_045_and_others_are_closer() {
    // Flores et al. 2011, figure 7: "a close approximation for the entire interval".
    let worst = |id: &str| {
        (1..=1000)
            .map(|k| f64::from(k) * 1e-3)
            .map(|e| ((returned(id, e) - e).abs(), e))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .expect("some")
    };
    let (error, at) = worst("flores");
    near(error, 0.045, 5e-4, "largest error");
    assert!((0.2..=0.25).contains(&at), "at {at}");
    for closer in ["hu-guo", "zhang", "exact-restitution"] {
        assert!(worst(closer).0 < error, "{closer}");
    }
}

// Formulas as printed.

#[test]
fn the_loss_of_flores_needs_one_plus_restitution() {
    // Flores et al. 2011, eq. 40–43: with D = δ_max^(5/2) and all over K D, the compression says ½mv0² = 2/5 + h/4 and the whole loss (1 − e²)½mv0² = ¼ h (1 ± e).
    let solve = |e: f64, sign: f64| {
        // (2/5 + h/4)(1 − e²) = ¼ h (1 ± e), linear in h.
        let all = 1.0 - e * e;
        0.4 * all / (0.25 * (1.0 + sign * e) - 0.25 * all)
    };
    near(
        solve(0.6, 1.0),
        h("flores", 0.6),
        1e-14,
        "with the plus sign",
    );
    near(solve(0.6, 1.0), 1.0667, 5e-5, "with the plus sign");
    near(
        solve(0.6, -1.0),
        -4.2667,
        5e-5,
        "as printed: a damper that drives",
    );
    for k in 1..100 {
        let e = f64::from(k) * 0.01;
        near(solve(e, 1.0) / h("flores", e), 1.0, 1e-12, "eq. 43");
        assert!(solve(e, -1.0) < 0.0);
    }
}

#[test]
fn the_energy_at_the_deepest_point_needs_the_square_of_the_common_speed() {
    // Flores et al. 2011, eq. 41: what is left of the kinetic energy at the common speed; the difference must be ½ m v0² with the effective mass, in any unit of speed.
    let (mi, mj, vi, vj): (f64, f64, f64, f64) = (1.3, 0.7, 2.0, -0.5);
    let common = (mi * vi + mj * vj) / (mi + mj);
    let before = 0.5 * mi * vi * vi + 0.5 * mj * vj * vj;
    let expected = 0.5 * mi * mj / (mi + mj) * (vi - vj).powi(2);
    near(
        before - 0.5 * (mi + mj) * common * common,
        expected,
        1e-14,
        "with the square",
    );
    assert!((before - 0.5 * (mi + mj) * common - expected).abs() > 0.1);
    // In mm/s the first is 10⁶ times as large, the printed one is not.
    let printed = |unit: f64| 0.5 * (mi + mj) * common * unit;
    assert!((printed(1e3) / printed(1.0) - 1e6).abs() > 1e5);
}

#[test]
fn the_integral_of_flores_has_a_closed_form() {
    // Flores et al. 2011, eq. 38 and the program of the appendix: the trapezoidal rule with 1001 points.
    let f = |x: f64| x.powf(1.5) * (1.0 - x * x).max(0.0).sqrt();
    let step = 1.0 / 1000.0;
    let mut area = 0.5 * step * (f(0.0) + f(1.0));
    for i in 1..1000 {
        area += step * f(f64::from(i) * step);
    }
    near(area, 0.24971047130972, 1e-14, "as published");
    let exact = 0.5 * carom::math::beta(1.25, 1.5);
    near(exact, 0.249719767075440, 1e-14, "½B(5/4, 3/2)");
    near(exact - area, 9.3e-6, 5e-8, "the published one is low by");
    // With it the coefficient 8/5 is 1.6018: the law `profile` with β = γ = 2.
    near(0.4 / exact, 1.60179550, 5e-9, "in place of 8/5");
    let values = Values::new()
        .number("stiffness", SPHERES.0)
        .number("restitution", 0.5);
    let Damper::Factor { per_speed } = *touch("profile", values, SPHERES.2).damper() else {
        panic!("not a factor");
    };
    near(
        per_speed * SPHERES.2,
        0.4 / exact,
        1e-13,
        "profile at one half",
    );
}

#[test]
fn wang_has_the_square_of_the_text_not_the_cube_of_the_table() {
    // Corral et al. 2021, eq. 5.60 against Table 1.
    let printed = |c: f64, power: i32| 0.75 * (1.0 - c.powi(power)) * (2.0 * (1.0 - c)).exp();
    let v0 = (0.3_f64 / 0.26).powi(3);
    let values = Values::new()
        .number("stiffness", SPHERES.0)
        .number("yield_strength_1", 3e8)
        .number("yield_strength_2", 3e8);
    let Damper::Factor { per_speed } = *touch("wang", values, v0).damper() else {
        panic!("not a factor");
    };
    let found = closed::restitution(per_speed * v0);
    near(found, 0.6796, 5e-5, "c* = 0.7");
    near(found, plainly(printed(0.7, 2)), 1e-12, "the text");
    near(plainly(printed(0.7, 3)), 0.6203, 5e-5, "the table");
    // Near 1 only the square loses what is asked for.
    let slope = |power| (1.0 - closed::restitution(printed(1.0 - 1e-5, power))) / 1e-5;
    near(slope(2), 1.0, 1e-4, "slope of the text");
    near(slope(3), 1.5, 1e-4, "slope of the table");
}

#[test]
fn wang_says_what_the_papers_leave_open() {
    // Corral et al. 2021, eq. 5.59 against Table 1: the third case; the order of the strengths; the range of speeds.
    near(wang_factor(3.0, 2.0, false), 0.6, 1e-15, "text");
    near(wang_factor(3.0, 2.0, true), 0.4, 1e-15, "table");
    assert_eq!(wang_factor(2.0, 3.0, false), wang_factor(3.0, 2.0, false));
    // K* jumps 1 → 0.5 where the strengths part, and 0.67 → 2 where one is twice the other.
    near(wang_factor(1.0, 1.0, false), 1.0, 1e-15, "equal");
    near(
        wang_factor(1.002, 1.0, false),
        0.5005,
        1e-4,
        "just not equal",
    );
    near(
        wang_factor(1.999, 1.0, false),
        0.6666,
        1e-4,
        "just not twice",
    );
    near(wang_factor(2.0, 1.0, false), 2.0, 1e-15, "twice");
    let card = contact::find("wang").expect("a law");
    let values = Values::new()
        .number("stiffness", SPHERES.0)
        .number("yield_strength_1", 3e8)
        .number("yield_strength_2", 3e8);
    let law = Law::new(card, &values, None, Calibration::Published).expect("fine values");
    assert!(law.touch(56.8, 1.0).is_ok());
    let fault = law
        .touch(57.0, 1.0)
        .expect_err("beyond the range")
        .to_string();
    assert!(fault.contains("56.8958"), "{fault}");
}

#[test]
fn the_absolute_value_of_khatiwada_adds_a_wrong_root() {
    // Corral et al. 2021, eq. 5.31.
    let e = 0.7;
    near(h("khatiwada", e), 0.634828, 5e-7, "the root below 1/e");
    let printed = |h: f64| h * (1.0 + e) - ((1.0 + h) / (1.0 - h * e)).abs().ln();
    near(printed(h("khatiwada", e)), 0.0, 1e-14, "it is a root");
    let wrong = root(printed, 1.0 / e + 1e-9, 3.0);
    near(wrong, 1.655863, 5e-7, "the root above 1/e");
    near(plainly(wrong), 0.461, 5e-4, "and what it returns");
    // Every e has one; below 0.04 it is nearer to 1/e than floats can tell.
    for k in 4..100 {
        let e = f64::from(k) * 0.01;
        let printed = |h: f64| h * (1.0 + e) - ((1.0 + h) / (1.0 - h * e)).abs().ln();
        assert!(
            printed((1.0 + 1e-14) / e) < 0.0 && printed(1e3 / e) > 0.0,
            "{e}"
        );
        assert!(h("khatiwada", e) * e <= 1.0);
    }
}

#[test]
fn the_exact_root_exists_for_every_restitution() {
    // Corral et al. 2021, eq. 5.23, "cannot be solved" for low restitution; Yu takes d = 1 below 0.25.
    let residual = |d: f64, e: f64| (1.0 + d / e).ln() - (1.0 - d).ln() - d * (1.0 + 1.0 / e);
    for e in [0.02, 0.1, 0.25, 0.5, 0.9] {
        assert_eq!(
            residual(0.0, e),
            0.0,
            "d = 0 is always a root, and never the one"
        );
    }
    for e in [0.06, 0.1, 0.15, 0.2, 0.24] {
        let h = h("exact-restitution", e);
        let left = 1.0 - h * e;
        assert!(left > 0.0 && left < 0.05, "{e}: 1 − d = {left:e}");
        near(residual(h * e, e), 0.0, 1e-15 / left, "eq. 5.23");
        near(plainly(h), e, 1e-9, "returned");
        // 1 − d ≈ (1 + 1/e) exp(−(1 + 1/e)), and its own next term.
        let far = 1.0 + 1.0 / e;
        if e <= 0.1 {
            let next = 1.0 + left * (far - 1.0 / (1.0 + e));
            near(left / (far * (-far).exp()) / next, 1.0, 1e-5, "the far end");
        }
    }
    // Below about 0.025 d rounds to 1 and the equation in d has no solution in floats; h still has.
    let e = 0.02;
    let far = 1.0_f64 + 1.0 / e;
    assert_eq!(1.0 - far * (-far).exp(), 1.0);
    near(returned("exact-restitution", e), e, 1e-15, "e = 0.02");
}

#[test]
fn the_cubics_of_yu_are_as_exact_as_claimed_only_from_0_66() {
    // Corral et al. 2021, eq. 5.32–5.34: y1 ≤ 6e-5 is claimed above 0.25.
    let y1 = |e: f64| {
        let d = h("yu", e) * e;
        ((1.0 + d / e) / (1.0 - d) - (d * (1.0 + 1.0 / e)).exp()).abs()
    };
    near(y1(0.25 + 1e-9), 0.12, 5e-4, "just above 0.25");
    near(y1(0.3), 0.023, 5e-4, "at 0.3");
    for k in 251..1000 {
        let e = f64::from(k) * 1e-3;
        assert_eq!(y1(e) <= 6e-5, e > 0.6595, "{e}: {}", y1(e));
    }
    // d jumps from 1 to 0.96025 at 0.25, where it should be 0.960202; 0.0087 is lost there.
    assert_eq!(h("yu", 0.25) * 0.25, 1.0);
    near(h("yu", 0.25 + 1e-9) * 0.25, 0.96025, 5e-6, "above");
    near(h("exact-restitution", 0.25) * 0.25, 0.960202, 5e-7, "exact");
    near(returned("yu", 0.25), 0.25 - 0.0087, 5e-5, "returned");
}

#[test]
fn zhang_and_sharf_have_the_exact_root_not_the_approximate_one() {
    // Corral et al. 2021, Table 1, gives both Gonthier's approximation: d = 1 − e² is a third too large near 1.
    let card = contact::find("zhang-sharf").expect("an alias");
    assert_eq!(card.id, "exact-restitution");
    near(returned("zhang-sharf", 0.9), 0.9, 1e-14, "exact");
    near(returned("gonthier", 0.9), 0.8764, 5e-5, "as printed");
    let e = 1.0 - 1e-5;
    near(
        h("gonthier", e) / h("exact-restitution", e),
        4.0 / 3.0,
        1e-4,
        "near 1",
    );
}

#[test]
fn the_profile_stated_for_safaeifar_gives_another_coefficient() {
    // Corral et al. 2021, eq. 5.65–5.66: β = 1.5, γ = 5.5 should give 5/4.
    let values = Values::new()
        .number("stiffness", SPHERES.0)
        .number("restitution", 0.5)
        .number("beta", 1.5)
        .number("gamma", 5.5);
    let Damper::Factor { per_speed } = *touch("profile", values, SPHERES.2).damper() else {
        panic!("not a factor");
    };
    near(per_speed * SPHERES.2, 1.257787, 5e-7, "the integral");
    near(
        h("safaeifar-farshidianfar", 0.5),
        1.25,
        1e-15,
        "as published",
    );
    let e = 1.0 - 1e-5;
    near(
        (1.0 - returned("safaeifar-farshidianfar", e)) / 1e-5,
        5.0 / 6.0,
        1e-4,
        "slope",
    );
}

#[test]
fn gharib_and_hurmuzlu_are_not_elastic_at_one() {
    // Corral et al. 2021, eq. 5.57.
    near(returned("gharib-hurmuzlu", 1.0), 0.593624, 5e-7, "at 1");
    for k in 1..=20 {
        let e = f64::from(k) * 0.01;
        near(returned("gharib-hurmuzlu", e), e, 0.0031, "up to 0.2");
    }
    assert!(returned("gharib-hurmuzlu", 0.5) < 0.42);
}
