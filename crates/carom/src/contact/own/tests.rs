//! Is what is found by numbers what the closed forms say?

use super::*;

#[test]
fn the_work_of_powers_from_one_half_to_three_is_exact_to_1e_13() {
    // ∫ K s^n ds = K δ^(n+1)/(n+1), and sums of two.
    for n in [0.5, 1.0, 1.08, 1.25, 1.5, 1.77, 2.0, 2.345, 3.0] {
        for delta in [1e-9_f64, 1e-5, 0.02] {
            let exact = 3e8 * delta.powf(n + 1.0) / (n + 1.0);
            let found = area(&|s| 3e8 * s.powf(n), delta);
            assert!((found / exact - 1.0).abs() < 1e-13, "{n} {delta}: {found}");
            let both = area(&|s| 3e8 * s.powf(n) + 1e5 * s, delta);
            let exact = exact + 0.5e5 * delta * delta;
            assert!((both / exact - 1.0).abs() < 1e-13, "{n} {delta}: {both}");
        }
    }
}

#[test]
fn the_work_of_a_force_with_a_corner_is_exact_to_1e_10() {
    // A gap of 0.3 mm before a second spring: k δ²/2 + k₂ (δ − 0.3 mm)²/2.
    let force = |s: f64| 1e6 * s + 5e7 * (s - 3e-4).max(0.0);
    let exact = 0.5e6 * 1e-6 + 2.5e7 * 7e-4_f64.powi(2);
    assert!((area(&force, 1e-3) / exact - 1.0).abs() < 1e-10);
    assert_eq!(area(&force, 0.0), 0.0);
    assert_eq!(area(&force, -1.0), 0.0);
}

#[test]
fn the_depth_is_the_inverse_of_the_work() {
    for n in [0.7, 1.0, 1.08, 1.5, 3.0] {
        for energy in [1e-20, 1e-9, 2e-3, 5e4] {
            let exact = ((n + 1.0) * energy / 5.5e9_f64).powf(1.0 / (n + 1.0));
            let found = depth(&|s| 5.5e9 * s.powf(n), energy);
            assert!(
                (found / exact - 1.0).abs() < 1e-13,
                "{n} {energy}: {found} {exact}"
            );
        }
    }
    // A dead zone: nothing is taken up to 1 mm.
    let exact = 1e-3 + (2.0 * 4e-3 / 1e6_f64).sqrt();
    let found = depth(&|s| 1e6 * (s - 1e-3).max(0.0), 4e-3);
    assert!((found / exact - 1.0).abs() < 1e-9, "{found} {exact}");
}

#[test]
fn a_force_that_takes_up_too_little_has_no_depth_and_nothing_hangs() {
    assert_eq!(depth(&|_| 0.0, 1.0), f64::INFINITY);
    assert_eq!(depth(&|s| (-s * 1e3).exp() * s, 1.0), f64::INFINITY);
    assert!(!(depth(&|_| f64::NAN, 1.0) > 1e-200));
    assert!(depth(&|s| s, f64::NAN).is_nan());
    // Not a function that can be integrated: a number all the same.
    assert!(area(&|s| (1e9 / s).sin().abs(), 1.0) > 0.0);
}

#[test]
fn the_power_that_a_force_starts_with_is_seen() {
    for (n, seen) in [(1.0, 1.0), (0.25, 0.25), (1.5, 1.5), (1.08, 1.08)] {
        let found = start(&|s: f64| 3e7 * s.powf(n) * (1.0 + s), 1e-5);
        assert!(found.is_some_and(|p| (p - seen).abs() < 1e-9), "{found:?}");
    }
    assert_eq!(start(&|_| 7.0, 1e-5), Some(0.0));
    assert_eq!(start(&|_| 0.0, 1e-5), None);
}

#[test]
fn two_forces_are_equal_only_if_they_are_one() {
    let one = Own::new("delta", |at| at.delta);
    assert_eq!(one, one.clone());
    assert_ne!(one, Own::new("delta", |at| 2.0 * at.delta));
    assert!(format!("{one:?}").contains("\"delta\""));
}

#[test]
fn a_force_that_looks_at_the_clock_is_told_from_one_that_does_not() {
    assert!(!Own::new("", |at| at.delta + at.rate).reads_time());
    assert!(Own::new("", |at| at.delta * (2.0 - (at.time / 1e-7).tanh())).reads_time());
    assert!(Own::new("", |at| if at.time > 90.0 { 0.0 } else { at.delta }).reads_time());
    // Not a number at any time, without a restitution: asked again with one.
    assert!(Own::new("", |at| at.delta * at.restitution * (-at.time).exp()).reads_time());
}
