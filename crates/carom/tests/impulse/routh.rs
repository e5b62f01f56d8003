//! Does one contact strike as Routh's process says: by closed forms, by small steps, in any units?

use super::bodies::Dice;
use carom::impulse::{
    Along, Hypothesis, Order, Phase, Room, Set, Struck, Surface, Trouble, resolve,
};

pub const ALL: [Hypothesis; 3] = [Hypothesis::Newton, Hypothesis::Poisson, Hypothesis::Stronge];

/// One contact by W = (nn, nt, tt).
pub fn one(
    w: [f64; 3],
    before: [f64; 2],
    surface: Surface,
    hypothesis: Hypothesis,
) -> Result<Struck, Trouble> {
    let mut room = Room::default();
    let set = Set {
        matrix: &[w[0], w[1], w[1], w[2]],
        before: &before,
        surfaces: &[surface],
        hypothesis,
        order: Order::Together,
        from_rest: true,
    };
    resolve(&set, &mut room).map(|resolved| resolved.contacts[0])
}

pub fn rough(restitution: f64, friction: f64) -> Surface {
    Surface {
        restitution,
        friction,
        ratio: None,
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
}

/// ½ uᵀ W⁻¹ u: the kinetic energy of the motion that the contact can change.
fn energy(w: [f64; 3], u: [f64; 2]) -> f64 {
    let [a, b, c] = w;
    (c * u[0] * u[0] - 2.0 * b * u[0] * u[1] + a * u[1] * u[1]) / (a * c - b * b) / 2.0
}

#[test]
fn without_friction_or_for_central_strikes_the_three_hypotheses_agree() {
    for hypothesis in ALL {
        // Smooth: u_n⁺ = −e u_n⁻, p = (1 + e) u/W_nn, and W_nt turns the slip.
        let smooth = one([2.0, 0.7, 1.5], [-3.0, 0.4], rough(0.6, 0.0), hypothesis).unwrap();
        near(smooth.after[0], 1.8);
        near(smooth.normal(), 2.4);
        near(smooth.after[1], 0.4 + 0.7 * 2.4);
        assert_eq!(smooth.along, Along::Free);
        // Central (W_nt = 0): what friction does leaves the normal alone. It sticks once μ p = u_t/W_tt: p₁ = 0.4/(0.3 · 1.5).
        let central = one([2.0, 0.0, 1.5], [-3.0, 0.4], rough(0.6, 0.3), hypothesis).unwrap();
        near(central.after[0], 1.8);
        near(central.normal(), 2.4);
        assert_eq!(central.after[1], 0.0);
        near(central.tangential, -0.4 / 1.5);
        assert_eq!(central.along, Along::SlidesThenSticks(Phase::Compression));
    }
}

#[test]
fn a_strike_that_slides_or_sticks_throughout_is_straight_and_the_three_agree() {
    for hypothesis in ALL {
        // Slides: p = −(1 + e) u_n/(W_nn − μ s W_nt).
        let slides = one([2.0, 0.5, 1.0], [-1.0, 9.0], rough(0.5, 0.2), hypothesis).unwrap();
        assert_eq!(slides.along, Along::Slides);
        near(slides.normal(), 1.5 / 1.9);
        near(slides.tangential, -0.2 * 1.5 / 1.9);
        near(slides.after[1], 9.0 + (0.5 - 0.2) * 1.5 / 1.9);
        near(slides.compression, 1.0 / 1.9);
        // Sticks from the start (|W_nt| ≤ μ W_tt): the mass is that of a pinned body, 1/(W_nn − W_nt²/W_tt).
        let sticks = one([2.0, 0.5, 1.0], [-1.0, 0.0], rough(0.5, 0.6), hypothesis).unwrap();
        assert_eq!(sticks.along, Along::Sticks);
        near(sticks.normal(), 1.5 / 1.75);
        near(sticks.tangential, -0.5 * 1.5 / 1.75);
        near(sticks.after[0], 0.5);
        assert_eq!(sticks.after[1], 0.0);
        // At rest along the surface, but friction cannot hold it: slides the way W_nt drives it.
        let begins = one([2.0, 0.5, 1.0], [-1.0, 0.0], rough(0.5, 0.2), hypothesis).unwrap();
        assert_eq!(begins.along, Along::Slides);
        near(begins.normal(), 1.5 / 1.9);
        near(begins.after[1], (0.5 - 0.2) * 1.5 / 1.9);
    }
}

#[test]
fn a_slip_that_ends_in_compression_and_sticks_has_three_ends_in_closed_form() {
    // W = (2, 0.5, 1), μ = 1, s = 1. Slides: du_n = 2 − 0.5 = 1.5, du_t = 0.5 − 1 = −0.5, so the slip of 0.1 ends at p₁ = 0.2 with u_n = −1 + 0.3 = −0.7.
    // Sticks: du_n = 2 − 0.25 = 1.75: compression ends at p_c = 0.2 + 0.4 = 0.6. Work of compression: −0.2 · 0.85 − 0.4 · 0.35 = −0.31.
    let (w, before, surface) = ([2.0, 0.5, 1.0], [-1.0, 0.1], rough(0.5, 1.0));
    let ends = [
        0.5 / 1.75,                          // u_n = 0.5
        0.5 * 0.6,                           // half the impulse
        0.5 * (2.0f64 * 0.31 / 1.75).sqrt(), // 1.75 p²/2 = 0.25 · 0.31
    ];
    for (hypothesis, back) in ALL.into_iter().zip(ends) {
        let struck = one(w, before, surface, hypothesis).unwrap();
        assert_eq!(struck.along, Along::SlidesThenSticks(Phase::Compression));
        near(struck.compression, 0.6);
        near(struck.compression_work, -0.31);
        near(struck.restitution, back);
        near(struck.after[0], 1.75 * back);
        assert_eq!(struck.after[1], 0.0);
        // −μ p₁ while it slides, −W_nt/W_tt of the rest while it sticks.
        near(struck.tangential, -0.2 - 0.5 * (0.4 + back));
        near(struck.restitution_work, 1.75 * back * back / 2.0);
        // Friction works while it slides only.
        near(struck.friction_work, -0.2 * 0.05);
    }
}

#[test]
fn a_slip_that_is_turned_back_has_closed_forms_in_either_phase() {
    // W = (2, 1, 1), μ = 0.5, slip −0.3 (s = −1). Slides: du_n = 2 + 0.5 = 2.5, du_t = 1 + 0.5 = 1.5: ends at p₁ = 0.2. |W_nt| = 1 > μ W_tt: it turns, s = +1: du_n = 1.5, du_t = 0.5.
    let w = [2.0, 1.0, 1.0];
    // Closing at 1: u_n = −0.5 at p₁, p_c = 0.2 + 1/3.
    let early = one(w, [-1.0, -0.3], rough(0.5, 0.5), Hypothesis::Poisson).unwrap();
    assert_eq!(early.along, Along::Reverses(Phase::Compression));
    let p_c = 0.2 + 0.5 / 1.5;
    near(early.compression, p_c);
    near(early.normal(), 1.5 * p_c);
    near(early.after[0], 1.5 * 0.5 * p_c);
    near(early.after[1], 0.5 * (1.5 * p_c - 0.2));
    near(early.tangential, 0.5 * 0.2 - 0.5 * (1.5 * p_c - 0.2));
    // Closing at 0.4: p_c = 0.16 < p₁. Work of compression −0.4 · 0.16/2 = −0.032. Stronge with e = 0.9 wants 0.02592 back: 2.5 · 0.04²/2 = 0.002 of it before the slip ends at u_n = 0.1,
    // then 0.1 x + 0.75 x² = 0.02392.
    let late = one(w, [-0.4, -0.3], rough(0.9, 0.5), Hypothesis::Stronge).unwrap();
    assert_eq!(late.along, Along::Reverses(Phase::Restitution));
    let x = (-0.1 + (0.01f64 + 4.0 * 0.75 * 0.02392).sqrt()) / 1.5;
    near(late.compression, 0.16);
    near(late.restitution, 0.04 + x);
    near(late.after[0], 0.1 + 1.5 * x);
    near(late.after[1], 0.5 * x);
    near(late.restitution_work, 0.81 * 0.032);
}

#[test]
fn a_contact_that_slides_without_approach_strikes_by_friction_alone_beyond_the_critical_coefficient()
 {
    // W = (1, 0.8, 1), μ = 2 > W_nn/W_nt = 1.25, slip 1. Slides: du_n = 1 − 1.6 = −0.6, du_t = 0.8 − 2 = −1.2: ends at p₁ = 5/6 with u_n = −0.5. Sticks: du_n = 0.36, so p_c = p₁ + 0.5/0.36.
    let (w, before) = ([1.0, 0.8, 1.0], [0.0, 1.0]);
    let struck = one(w, before, rough(0.0, 2.0), Hypothesis::Stronge).unwrap();
    assert_eq!(struck.along, Along::SlidesThenSticks(Phase::Compression));
    near(struck.compression, 5.0 / 6.0 + 0.5 / 0.36);
    assert_eq!(struck.after, [0.0, 0.0]);
    // All the energy that sticking leaves no freedom for is gone.
    near(struck.work(), -energy(w, before));
    // Below the critical coefficient there is nothing to do.
    let idle = one(w, before, rough(0.5, 1.2), Hypothesis::Stronge).unwrap();
    assert!(!idle.took_part && idle.after == before);
    // Poisson and Stronge give some back; Newton has no speed of approach to multiply.
    let [newton, poisson, stronge] =
        ALL.map(|h| one(w, before, rough(0.5, 2.0), h).unwrap().after[0]);
    assert_eq!(newton, 0.0);
    assert!(poisson > 0.1 && stronge > 0.1);
}

#[test]
fn a_strike_in_the_regime_of_painleve_falls_deeper_before_it_comes_back() {
    // As above, closing at 0.1 as well: u_n reaches −0.6 where the slip ends.
    let struck = one(
        [1.0, 0.8, 1.0],
        [-0.1, 1.0],
        rough(0.5, 2.0),
        Hypothesis::Poisson,
    )
    .unwrap();
    let p_c = 5.0 / 6.0 + 0.6 / 0.36;
    near(struck.compression, p_c);
    near(struck.after[0], 0.36 * 0.5 * p_c);
    assert!(struck.work() < 0.0);
}

#[test]
fn a_mechanism_of_one_freedom_ends_its_slip_where_its_gap_stops_closing() {
    // W = g gᵀ with g = (1, 0.5): u_n and u_t stop together. Rates of q̇ = −2: (−2, −1), s = −1. Slides: du_n = 1 + μ/2.
    let w = [1.0, 0.5, 0.25];
    for hypothesis in ALL {
        // |W_nt| > μ W_tt up to μ = 2: it turns back, with du_n = 1 − μ/2.
        let turns = one(w, [-2.0, -1.0], rough(0.5, 0.4), hypothesis).unwrap();
        let p_c = 2.0 / 1.2;
        near(turns.compression, p_c);
        let back = match hypothesis {
            Hypothesis::Newton => 1.0 / 0.8,
            Hypothesis::Poisson => 0.5 * p_c,
            // 0.8 p²/2 = 0.25 · p_c
            Hypothesis::Stronge => (0.25f64 * p_c / 0.4).sqrt(),
        };
        near(turns.restitution, back);
        near(turns.after[1], turns.after[0] / 2.0);
        // Beyond, it is wedged: nothing that friction could hold comes back.
        let wedged = one(w, [-2.0, -1.0], rough(0.5, 3.0), hypothesis).unwrap();
        assert!(wedged.wedged, "{hypothesis:?}");
        near(wedged.compression, 2.0 / 2.5);
        near(wedged.after[0], 0.0);
        near(wedged.after[1], 0.0);
        // The same with rounding in W and in the rates.
        let off = [w[0] * (1.0 + 3e-16), w[1], w[2] * (1.0 + 1e-15)];
        let noisy = one(
            off,
            [-2.0 * (1.0 + 1e-15), -1.0],
            rough(0.5, 3.0),
            hypothesis,
        )
        .unwrap();
        assert!((noisy.compression - 0.8).abs() < 1e-9, "{noisy:?}");
    }
    // A driver that moves the surfaces does not stop: then no impulse ends the approach.
    assert!(matches!(
        one(w, [-2.0, -0.1], rough(0.5, 3.0), Hypothesis::Stronge),
        Err(Trouble::Jammed { contact: 0, .. })
    ));
    assert_eq!(
        one(
            [0.0, 0.0, 1.0],
            [-2.0, 0.0],
            rough(0.5, 0.1),
            Hypothesis::Stronge
        ),
        Err(Trouble::Fixed {
            contact: 0,
            closing: -2.0,
            mobility: 0.0
        })
    );
}

#[test]
fn brachs_ratio_is_taken_as_given_and_never_more_than_what_ends_the_slip() {
    let surface = |ratio| Surface {
        restitution: 0.5,
        friction: 0.0,
        ratio: Some(ratio),
    };
    for hypothesis in ALL {
        // p = 1.5/(2 − 0.5 r), p_t = −r p.
        let slides = one([2.0, 0.5, 1.0], [-1.0, 2.0], surface(0.3), hypothesis).unwrap();
        near(slides.normal(), 1.5 / 1.85);
        near(slides.tangential, -0.3 * 1.5 / 1.85);
        near(slides.after[0], 0.5);
        // Both rates after are known, (0.5, 0): W p = (1.5, −0.2).
        let sticks = one([2.0, 0.5, 1.0], [-1.0, 0.2], surface(3.0), hypothesis).unwrap();
        near(sticks.normal(), (1.5 + 0.1) / 1.75);
        near(sticks.tangential, -(0.4 + 0.75) / 1.75);
        assert_eq!(sticks.after, [0.5, 0.0]);
        assert!(sticks.tangential.abs() < 3.0 * sticks.normal());
        for struck in [slides, sticks] {
            let w = [2.0, 0.5, 1.0];
            let slip = if struck.after[1] == 0.0 { 0.2 } else { 2.0 };
            near(
                struck.work(),
                energy(w, struck.after) - energy(w, [-1.0, slip]),
            );
        }
    }
}

/// The process by small steps of the normal impulse, knowing nothing but Coulomb's law at every step.
fn stepped(
    w: [f64; 3],
    before: [f64; 2],
    surface: Surface,
    hypothesis: Hypothesis,
    step: f64,
) -> [f64; 4] {
    let [a, b, c] = w;
    let (e, mu) = (surface.restitution, surface.friction);
    let (mut u, mut v) = (before[0], before[1]);
    let (mut p, mut q, mut work) = (0.0, 0.0, 0.0);
    let mut compressed: Option<(f64, f64)> = None;
    while p < 1e6 * step {
        match compressed {
            None if u >= 0.0 && p > 0.0 => compressed = Some((p, work)),
            Some((p_c, taken)) => {
                let done = match hypothesis {
                    Hypothesis::Newton => u >= -e * before[0],
                    Hypothesis::Poisson => p >= (1.0 + e) * p_c,
                    Hypothesis::Stronge => work - taken >= -e * e * taken,
                };
                if done {
                    break;
                }
            }
            None => {}
        }
        // What would hold the surfaces, cut down to what friction can do.
        let holds = -(v + b * step) / c;
        let dq = holds.clamp(-mu * step, mu * step);
        let du = a * step + b * dq;
        work += step * (u + du / 2.0);
        u += du;
        v += b * step + c * dq;
        p += step;
        q += dq;
    }
    [p, q, u, v]
}

/// A random contact: W from a body, rates, surface.
fn random(dice: &mut Dice) -> ([f64; 3], [f64; 2], Surface) {
    let (a, c) = (dice.between(0.5, 2.0), dice.between(0.5, 2.0));
    let b = dice.between(-0.95, 0.95) * (a * c).sqrt();
    let w = [a, b, c];
    let before = [
        -dice.between(0.2, 2.0),
        if dice.one() < 0.1 {
            0.0
        } else {
            dice.between(-1.0, 1.0)
        },
    ];
    (w, before, rough(dice.one(), dice.between(0.0, 1.5)))
}

#[test]
fn small_steps_of_coulombs_law_come_to_the_same_end() {
    let mut dice = Dice::new(11);
    for _ in 0..150 {
        let (w, before, surface) = random(&mut dice);
        for hypothesis in ALL {
            let struck = one(w, before, surface, hypothesis).unwrap();
            let steps = 20_000.0;
            let [p, q, u, v] = stepped(w, before, surface, hypothesis, struck.normal() / steps);
            let size = struck.normal();
            // First order in the step, with the stiffness of both rates in front.
            let tolerance = 20.0 / steps * size;
            assert!(
                (p - struck.normal()).abs() < tolerance,
                "{w:?} {before:?} {surface:?} {hypothesis:?}"
            );
            assert!((q - struck.tangential).abs() < tolerance);
            assert!((u - struck.after[0]).abs() < 2.0 * tolerance);
            assert!((v - struck.after[1]).abs() < 2.0 * tolerance);
        }
    }
}

#[test]
fn the_works_are_the_change_of_energy_and_restitution_is_what_each_hypothesis_says() {
    let mut dice = Dice::new(12);
    let mut kinds = Vec::new();
    for _ in 0..5000 {
        let (w, before, surface) = random(&mut dice);
        for hypothesis in ALL {
            let struck = one(w, before, surface, hypothesis).unwrap();
            let change = energy(w, struck.after) - energy(w, before);
            assert!(
                (struck.work() - change).abs() < 1e-12 * energy(w, before),
                "{struck:?} {change}"
            );
            let e = surface.restitution;
            match hypothesis {
                Hypothesis::Newton => near(struck.after[0], -e * before[0]),
                Hypothesis::Poisson => near(struck.restitution, e * struck.compression),
                Hypothesis::Stronge => {
                    near(struck.restitution_work, -e * e * struck.compression_work);
                }
            }
            // Friction never gives, along the path; Poisson and Stronge never gain.
            assert!(struck.friction_work <= 0.0);
            assert!(hypothesis == Hypothesis::Newton || struck.work() <= 1e-13);
            // Impulses lie in the cone, and on its edge against the slip after.
            let bound = surface.friction * struck.normal();
            assert!(struck.tangential.abs() <= bound * (1.0 + 1e-12));
            if !kinds.contains(&struck.along) {
                kinds.push(struck.along);
            }
        }
    }
    // Sliding; sticking or reversal, in either phase; and without a slip before, sticking. (Sliding from rest is `Slides` too.)
    assert_eq!(kinds.len(), 6, "{kinds:?}");
}

#[test]
fn a_strike_is_the_same_in_any_units() {
    let mut dice = Dice::new(13);
    for _ in 0..1000 {
        let (w, before, surface) = random(&mut dice);
        let (speed, mass) = (
            10f64.powf(dice.between(-6.0, 6.0)),
            10f64.powf(dice.between(-6.0, 6.0)),
        );
        for hypothesis in ALL {
            let plain = one(w, before, surface, hypothesis).unwrap();
            let scaled = one(
                w.map(|x| x / mass),
                before.map(|u| u * speed),
                surface,
                hypothesis,
            )
            .unwrap();
            assert_eq!(plain.along, scaled.along);
            near(scaled.normal() / (mass * speed), plain.normal());
            near(scaled.tangential / (mass * speed), plain.tangential);
            near(scaled.after[0] / speed, plain.after[0]);
            near(scaled.work() / (mass * speed * speed), plain.work());
        }
    }
}

#[test]
fn what_does_not_approach_or_does_not_fit_is_said() {
    let idle = one(
        [1.0, 0.0, 1.0],
        [1.0, 1.0],
        rough(0.5, 0.5),
        Hypothesis::Newton,
    )
    .unwrap();
    assert!(!idle.took_part && idle.after == [1.0, 1.0]);
    for (w, before, surface) in [
        ([1.0, 0.0, 1.0], [-1.0, 0.0], rough(1.5, 0.0)),
        ([1.0, 0.0, 1.0], [-1.0, 0.0], rough(0.5, -0.1)),
        ([1.0, f64::NAN, 1.0], [-1.0, 0.0], rough(0.5, 0.1)),
        ([1.0, 0.0, 1.0], [-1.0, f64::INFINITY], rough(0.5, 0.1)),
    ] {
        assert_eq!(
            one(w, before, surface, Hypothesis::Poisson),
            Err(Trouble::Input { contact: 0 })
        );
    }
}
