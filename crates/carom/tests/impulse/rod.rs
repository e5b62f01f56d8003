//! Does an eccentric strike with friction tell Newton's, Poisson's and Stronge's restitution apart, as Kane and Levinson (1985) and Stronge (1990) say?

use super::bodies::Bodies;
use super::routh::{ALL, one, rough};
use carom::impulse::{Hypothesis, Struck};

/// A uniform rod of 1 kg and 1 m that strikes rough ground with its lower end at 45°, the end behind its centre: W = (2.5, −1.5, 2.5), 1/kg.
fn rod() -> [f64; 3] {
    let mut bodies = Bodies::default();
    let one = bodies.add(1.0, 1.0 / 12.0, [0.0; 3]);
    let arm = -0.5 * std::f64::consts::FRAC_1_SQRT_2;
    bodies.touch(None, Some((one, [arm, arm])), [0.0, 1.0]);
    let w = bodies.w();
    [w[0], w[1], w[3]]
}

/// Two equal uniform rods (1 kg, 1 m) hinged to each other and to the ceiling, at 20° and 60° from the vertical, the free end of which strikes the ground: Kane and Levinson's example, with angles of our own.
fn double_pendulum() -> [f64; 3] {
    let (a, b) = (20f64.to_radians(), 60f64.to_radians());
    // T = (4/3 ω₁² + 2 · ½ cos(a − b) ω₁ ω₂ + 1/3 ω₂²)/2; the end is at (sin a + sin b, −cos a − cos b).
    let (m11, m12, m22) = (4.0 / 3.0, 0.5 * (a - b).cos(), 1.0 / 3.0);
    let det = m11 * m22 - m12 * m12;
    let dot = |x: [f64; 2], y: [f64; 2]| {
        (m22 * x[0] * y[0] - m12 * (x[0] * y[1] + x[1] * y[0]) + m11 * x[1] * y[1]) / det
    };
    let (n, t) = ([a.sin(), b.sin()], [a.cos(), b.cos()]);
    [dot(n, n), dot(n, t), dot(t, t)]
}

fn struck(w: [f64; 3], slip: f64, e: f64, mu: f64) -> [Struck; 3] {
    ALL.map(|hypothesis| one(w, [-1.0, slip], rough(e, mu), hypothesis).expect("it has an answer"))
}

#[test]
fn the_rod_has_the_matrix_of_its_closed_form() {
    for (x, exact) in rod().into_iter().zip([2.5, -1.5, 2.5]) {
        assert!((x - exact).abs() < 1e-15);
    }
}

#[test]
fn newtons_restitution_gains_energy_in_the_range_of_the_closed_form_and_the_others_never() {
    // With μ = 0.7 the end sticks (1.5/2.5 = 0.6 < 0.7). Newton's end is (e, 0), whose energy is e²/(2 · 1.6); before, with a slip v, it was (2.5 − 3 v + 2.5 v²)/8. So the rod gains for
    // v = (3 ± √(9 − 10 (2.5 − 2.5 e²)))/5 between the two roots: none below e = 0.8, and 0.18769 … 1.01231 m/s for e = 0.9.
    let w = rod();
    let mu = 0.7;
    for e in [0.0, 0.3, 0.5, 0.79, 0.81, 0.9, 1.0] {
        let root = 9.0 - 10.0 * (2.5 - 2.5 * e * e);
        let mut gains = 0;
        for k in 0..1000 {
            let v = -2.0 + 0.0041 * f64::from(k);
            let [newton, poisson, stronge] = struck(w, v, e, mu);
            let inside = root > 0.0 && (v - 0.6).abs() < root.sqrt() / 5.0;
            assert_eq!(newton.work() > 0.0, inside, "e {e}, slip {v}");
            gains += usize::from(inside);
            assert!(poisson.work() < 1e-15 && stronge.work() < 1e-15);
            if inside {
                let exact = e * e / 3.2 - (2.5 - 3.0 * v + 2.5 * v * v) / 8.0;
                assert!((newton.work() - exact).abs() < 1e-14);
            }
        }
        assert_eq!(gains > 0, e > 0.8, "e {e}");
    }
    // The largest gain at e = 1 is at v = 0.6: 0.3125 − 0.2 J of 0.2 J.
    let [newton, poisson, stronge] = struck(w, 0.6, 1.0, mu);
    assert!((newton.work() - 0.1125).abs() < 1e-15);
    // There the slip ends at p₁ = 0.6/3.25 with u_n = −1 + 3.55 p₁; p_c follows with 1.6. Poisson at e = 1 doubles the impulse and loses more than the work of friction; Stronge loses just that.
    let p1 = 0.6 / 3.25;
    let p_c = p1 + (1.0 - 3.55 * p1) / 1.6;
    assert!((poisson.compression - p_c).abs() < 1e-15);
    assert!((poisson.work() + 0.072).abs() < 1e-14);
    assert!(poisson.work() < poisson.friction_work - 0.03);
    assert!((stronge.work() - stronge.friction_work).abs() < 1e-15);
    assert!((stronge.friction_work + 0.7 * p1 * 0.3).abs() < 1e-15);
}

#[test]
fn without_a_change_of_slip_the_three_agree_on_the_rod_too() {
    // Slides on: a slip the other way grows (W_nt < 0), from −0.1.
    let [newton, poisson, stronge] = struck(rod(), -0.1, 0.9, 0.3);
    for other in [poisson, stronge] {
        assert!((newton.normal() - other.normal()).abs() < 1e-14);
        assert!((newton.after[1] - other.after[1]).abs() < 1e-14);
        assert!(newton.work() < 0.0);
    }
}

#[test]
fn the_double_pendulum_gains_by_newton_and_loses_by_stronge_and_poisson() {
    // The same reckoning: with v the slip at which W⁻¹ (−1, v) has the least energy, v* = −W_nt/W_nn, the energy before is 1/(2 W_nn) and after it is e²/(2 (W_nn − W_nt²/W_tt)): more, if e² > 1 − W_nt²/(W_nn W_tt).
    let [a, b, c] = double_pendulum();
    let least = (1.0 - b * b / (a * c)).sqrt();
    let (v, mu) = (-b / a, 1.2 * b.abs() / c);
    for (e, gains) in [(least - 0.01, false), (least + 0.01, true), (1.0, true)] {
        let [newton, poisson, stronge] = struck([a, b, c], v, e, mu);
        assert_eq!(newton.work() > 0.0, gains, "e {e}");
        assert!(poisson.work() < 0.0 && stronge.work() < 0.0);
        let exact = e * e / (a - b * b / c) / 2.0 - 1.0 / a / 2.0;
        assert!((newton.work() - exact).abs() < 1e-12);
    }
    assert!(least < 0.99, "{least}");
}

#[test]
fn poissons_and_stronges_ends_differ_where_the_slip_changes() {
    let [newton, poisson, stronge] = struck(rod(), 0.6, 0.9, 0.7);
    // The speeds of separation: 0.9 by definition; (e p_c) 1.6; from the parabola.
    let p1 = 0.6 / 3.25;
    let u1 = -1.0 + 3.55 * p1;
    let p_c = p1 - u1 / 1.6;
    let taken = p1 * (1.0 - u1) / 2.0 + u1 * u1 / 1.6 / 2.0;
    assert_eq!(newton.after[0], 0.9);
    assert!((poisson.after[0] - 0.9 * p_c * 1.6).abs() < 1e-14);
    assert!((stronge.after[0] - 0.9 * (2.0 * 1.6 * taken).sqrt()).abs() < 1e-14);
    assert!(newton.after[0] > stronge.after[0] && stronge.after[0] > poisson.after[0]);
    assert_eq!(Hypothesis::default(), Hypothesis::Stronge);
}
