//! Do several contacts strike together as sets are known to, and in turns?

use super::bodies::{Bodies, Dice, box_on};
use super::routh::{ALL, rough};
use carom::impulse::{Along, Hypothesis, Order, Resolved, Room, Set, Surface, Trouble, resolve};

fn strike(
    bodies: &Bodies,
    surfaces: &[Surface],
    hypothesis: Hypothesis,
    order: Order,
) -> Result<Resolved, Trouble> {
    let set = Set {
        matrix: &bodies.w(),
        before: &bodies.rates(&bodies.velocity),
        surfaces,
        hypothesis,
        order,
        from_rest: false,
    };
    resolve(&set, &mut Room::default()).cloned()
}

fn impulses(resolved: &Resolved) -> Vec<f64> {
    resolved
        .contacts
        .iter()
        .flat_map(|c| [c.normal(), c.tangential])
        .collect()
}

/// What holds of every strike: nothing enters, impulses push and lie in their cones, rates and energy are those of the bodies.
fn sound(bodies: &Bodies, surfaces: &[Surface], resolved: &Resolved) {
    let after = bodies.pushed(&impulses(resolved));
    let rates = bodies.rates(&after);
    let size = bodies
        .rates(&bodies.velocity)
        .iter()
        .fold(0.0, |m: f64, u| m.max(u.abs()));
    for (i, c) in resolved.contacts.iter().enumerate() {
        assert!(c.compression >= 0.0 && c.restitution >= 0.0, "{c:?}");
        assert!(c.after[0] > -1e-9 * size, "{c:?}");
        let bound = surfaces[i].friction * c.normal();
        assert!(c.tangential.abs() <= bound * (1.0 + 1e-12), "{c:?}");
        for a in 0..2 {
            assert!((c.after[a] - rates[2 * i + a]).abs() < 1e-9 * size, "{c:?}");
        }
    }
    let before = bodies.energy(&bodies.velocity);
    let change = bodies.energy(&after) - before;
    assert!(
        (resolved.energy - change).abs() < 1e-10 * before,
        "{} {change}",
        resolved.energy
    );
    if change < -1e-10 * before {
        assert_eq!(resolved.gained, 0.0);
    }
    if change > 1e-10 * before {
        assert!(resolved.gained > 0.0);
    }
}

#[test]
fn a_box_that_falls_flat_on_two_corners_shares_its_impulse_and_does_not_turn() {
    for e in [0.0, 0.4, 1.0] {
        for hypothesis in ALL {
            let bodies = box_on(2.0, 1.0, 3.0, [0.0, -2.0, 0.0], &[-1.0, 1.0]);
            let surfaces = [rough(e, 0.5); 2];
            let resolved = strike(&bodies, &surfaces, hypothesis, Order::Together).unwrap();
            sound(&bodies, &surfaces, &resolved);
            // Newton's and Poisson's agree here. So does Stronge's: both corners do the same.
            for c in &resolved.contacts {
                assert!((c.normal() - (1.0 + e) * 3.0).abs() < 1e-9, "{c:?}");
                assert!((c.after[0] - 2.0 * e).abs() < 1e-9);
                assert!(c.tangential.abs() < 1e-9);
            }
            assert!((resolved.energy + 6.0 * (1.0 - e * e)).abs() < 1e-9);
            assert_eq!(resolved.missed, 0.0);
        }
    }
}

#[test]
fn a_box_on_more_points_than_it_needs_shares_its_impulse_evenly_and_says_that_it_is_shared() {
    let places = [-1.0, -1.0 / 3.0, 1.0 / 3.0, 1.0];
    for friction in [0.0, 0.3] {
        for hypothesis in ALL {
            let bodies = box_on(2.0, 1.0, 3.0, [1.0, -2.0, 0.0], &places);
            let surfaces = [rough(0.5, friction); 4];
            let resolved = strike(&bodies, &surfaces, hypothesis, Order::Together).unwrap();
            sound(&bodies, &surfaces, &resolved);
            assert!(resolved.shared);
            let sum: f64 = resolved.contacts.iter().map(|c| c.normal()).sum();
            if friction == 0.0 {
                assert!((sum - 9.0).abs() < 1e-9);
                for c in &resolved.contacts {
                    assert!(
                        (c.normal() - 9.0 / 4.0).abs() < 1e-7,
                        "{hypothesis:?} {c:?}"
                    );
                }
            }
        }
    }
    // Two corners of a box are no more than it needs, without friction.
    let bodies = box_on(2.0, 1.0, 3.0, [0.0, -2.0, 0.0], &[-1.0, 1.0]);
    let two = strike(
        &bodies,
        &[rough(0.5, 0.0); 2],
        Hypothesis::Poisson,
        Order::Together,
    );
    assert!(!two.unwrap().shared);
}

/// Equal balls on a line, each touching the next; velocities along it.
fn row(velocities: &[f64]) -> Bodies {
    let mut bodies = Bodies::default();
    for v in velocities {
        bodies.add(1.0, 1.0, [*v, 0.0, 0.0]);
    }
    for i in 1..velocities.len() {
        bodies.touch(Some((i - 1, [0.0; 2])), Some((i, [0.0; 2])), [1.0, 0.0]);
    }
    bodies
}

fn speeds(bodies: &Bodies, resolved: &Resolved) -> Vec<f64> {
    bodies
        .pushed(&impulses(resolved))
        .chunks(3)
        .map(|v| v[0])
        .collect()
}

fn close(found: &[f64], exact: &[f64]) {
    for (a, b) in found.iter().zip(exact) {
        assert!((a - b).abs() < 1e-9, "{found:?} is not {exact:?}");
    }
}

#[test]
fn three_balls_in_a_row_are_what_sets_and_turns_are_known_for() {
    // Moreau's rule at e = 1: u⁺ ≥ −u⁻ at both contacts, (−1, 0) → (1, 0): p₁ = 4/3, p₂ = 2/3 and speeds (−1/3, 2/3, 2/3). Energy is kept, but it is not what a cradle does.
    let bodies = row(&[1.0, 0.0, 0.0]);
    let surfaces = [rough(1.0, 0.0); 2];
    let newton = strike(&bodies, &surfaces, Hypothesis::Newton, Order::Together).unwrap();
    close(
        &speeds(&bodies, &newton),
        &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
    );
    assert!(newton.energy.abs() < 1e-12);
    // Poisson: compression to one speed of 1/3 (p = 2/3, 1/3), and the same impulses again.
    let poisson = strike(&bodies, &surfaces, Hypothesis::Poisson, Order::Together).unwrap();
    close(
        &speeds(&bodies, &poisson),
        &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
    );
    close(
        &[
            poisson.contacts[0].compression,
            poisson.contacts[1].compression,
        ],
        &[2.0 / 3.0, 1.0 / 3.0],
    );
    // In turns the last ball takes it all.
    for hypothesis in ALL {
        let turns = strike(&bodies, &surfaces, hypothesis, Order::InTurns).unwrap();
        close(&speeds(&bodies, &turns), &[0.0, 0.0, 1.0]);
        assert_eq!(turns.turns, 2);
    }
}

#[test]
fn newtons_cradle_in_turns_keeps_momentum_and_energy_and_sends_out_as_many_as_came() {
    let bodies = row(&[1.0, 1.0, 0.0, 0.0, 0.0]);
    let surfaces = [rough(1.0, 0.0); 4];
    let resolved = strike(&bodies, &surfaces, Hypothesis::Stronge, Order::InTurns).unwrap();
    sound(&bodies, &surfaces, &resolved);
    close(&speeds(&bodies, &resolved), &[0.0, 0.0, 0.0, 1.0, 1.0]);
    assert!(resolved.energy.abs() < 1e-14);
    // With e = 0.8 in turns: the first blow leaves 0.1 and 0.9, and so on down the row; momentum stays.
    let soft = [rough(0.8, 0.0); 4];
    let one = row(&[1.0, 0.0, 0.0, 0.0, 0.0]);
    let resolved = strike(&one, &soft, Hypothesis::Stronge, Order::InTurns).unwrap();
    sound(&one, &soft, &resolved);
    let v = speeds(&one, &resolved);
    assert!((v.iter().sum::<f64>() - 1.0).abs() < 1e-13);
    assert!((v[4] - 0.9f64.powi(4)).abs() < 1e-13);
    assert!(v.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
}

#[test]
fn turns_that_would_never_end_come_to_an_end_without_approach() {
    // A box that falls flat on two corners in turns rocks from one to the other: with e = 0.3 infinitely often, ever more slowly.
    let bodies = box_on(2.0, 1.0, 3.0, [0.1, -2.0, 0.0], &[-1.0, 1.0]);
    for hypothesis in ALL {
        let surfaces = [rough(0.3, 0.4); 2];
        let resolved = strike(&bodies, &surfaces, hypothesis, Order::InTurns).unwrap();
        sound(&bodies, &surfaces, &resolved);
        assert!(resolved.energy < 0.0);
    }
    // A ball between two walls that both close is never out of it.
    let set = Set {
        matrix: &[
            1.0, 0.0, -1.0, 0.0, //
            0.0, 1.0, 0.0, -1.0, //
            -1.0, 0.0, 1.0, 0.0, //
            0.0, -1.0, 0.0, 1.0,
        ],
        before: &[-1.0, 0.0, -1.0, 0.0],
        surfaces: &[rough(0.5, 0.0); 2],
        hypothesis: Hypothesis::Newton,
        order: Order::InTurns,
        from_rest: false,
    };
    assert!(matches!(
        resolve(&set, &mut Room::default()),
        Err(Trouble::Endless { .. })
    ));
    let together = Set {
        order: Order::Together,
        ..set
    };
    assert!(matches!(
        resolve(&together, &mut Room::default()),
        Err(Trouble::Stuck(_))
    ));
}

#[test]
fn a_stack_of_three_boxes_struck_from_above_passes_the_blow_to_the_ground() {
    // Boxes of 1 × 1 m and 2 kg on each other, the uppermost comes down at 1 m/s; two corners each.
    for hypothesis in ALL {
        let mut bodies = Bodies::default();
        for v in [0.0, 0.0, -1.0] {
            bodies.add(2.0, 2.0 / 6.0, [0.0, v, 0.0]);
        }
        for i in 0..3usize {
            for x in [-0.5, 0.5] {
                let below = i.checked_sub(1).map(|b| (b, [x, 0.5]));
                bodies.touch(below, Some((i, [x, -0.5])), [0.0, 1.0]);
            }
        }
        let surfaces = [rough(0.0, 0.5); 6];
        let resolved = strike(&bodies, &surfaces, hypothesis, Order::Together).unwrap();
        sound(&bodies, &surfaces, &resolved);
        for c in &resolved.contacts {
            assert!((c.normal() - 1.0).abs() < 1e-8, "{c:?}");
            assert!(c.after[0].abs() < 1e-9);
        }
        assert!((resolved.energy + 1.0).abs() < 1e-9);
    }
}

#[test]
fn contacts_that_do_not_act_on_each_other_go_by_themselves() {
    // Two separate boxes, one corner each: the answer is that of two strikes, digit by digit.
    let mut bodies = Bodies::default();
    let a = bodies.add(1.0, 0.1, [0.3, -1.0, 0.2]);
    let b = bodies.add(5.0, 0.4, [-0.7, -2.0, 1.0]);
    bodies.touch(None, Some((a, [0.3, -0.4])), [0.0, 1.0]);
    bodies.touch(None, Some((b, [-0.2, -0.5])), [0.0, 1.0]);
    let surfaces = [rough(0.5, 0.3), rough(0.7, 0.2)];
    for hypothesis in ALL {
        let both = strike(&bodies, &surfaces, hypothesis, Order::Together).unwrap();
        sound(&bodies, &surfaces, &both);
        let (w, u) = (bodies.w(), bodies.rates(&bodies.velocity));
        for i in 0..2 {
            let own = [
                w[(2 * i) * 4 + 2 * i],
                w[(2 * i) * 4 + 2 * i + 1],
                w[(2 * i + 1) * 4 + 2 * i + 1],
            ];
            let alone = super::routh::one(own, [u[2 * i], u[2 * i + 1]], surfaces[i], hypothesis);
            assert_eq!(both.contacts[i], alone.unwrap());
        }
    }
}

#[test]
fn random_boxes_with_friction_on_random_points_are_sound_and_never_gain_by_poisson_without_friction()
 {
    let mut dice = Dice::new(21);
    let mut shared = 0;
    for round in 0..600 {
        let count = 2 + dice.below(4);
        let places: Vec<f64> = (0..count).map(|_| dice.between(-1.0, 1.0)).collect();
        let mass = 10f64.powf(dice.between(-3.0, 3.0));
        let velocity = [
            dice.between(-1.0, 1.0),
            -dice.between(0.1, 1.0),
            dice.between(-1.0, 1.0),
        ];
        let bodies = box_on(2.0, dice.between(0.5, 4.0), mass, velocity, &places);
        let smooth = dice.one() < 0.3;
        let surfaces: Vec<Surface> = (0..count)
            .map(|_| {
                rough(
                    dice.one(),
                    if smooth { 0.0 } else { dice.between(0.0, 1.0) },
                )
            })
            .collect();
        for hypothesis in ALL {
            let resolved = strike(&bodies, &surfaces, hypothesis, Order::Together)
                .unwrap_or_else(|t| panic!("{round} {hypothesis:?} {t:?} {places:?}"));
            sound(&bodies, &surfaces, &resolved);
            shared += usize::from(resolved.shared);
            if hypothesis == Hypothesis::Poisson && smooth {
                assert_eq!(resolved.gained, 0.0);
            }
            // Compression loses always; restitution gives back at most e² of it, if Stronge's works are met.
            if hypothesis == Hypothesis::Stronge && resolved.missed == 0.0 {
                for (c, s) in resolved.contacts.iter().zip(&surfaces) {
                    let wanted = s.restitution * s.restitution * (-c.compression_work).max(0.0);
                    assert!(
                        (c.restitution_work - wanted).abs()
                            < 1e-9 * bodies.energy(&bodies.velocity)
                    );
                }
            }
        }
    }
    assert!(shared > 50);
}

#[test]
fn a_set_is_the_same_in_any_units() {
    let mut dice = Dice::new(22);
    for _ in 0..100 {
        let velocity = [
            dice.between(-1.0, 1.0),
            -dice.between(0.1, 1.0),
            dice.between(-1.0, 1.0),
        ];
        let bodies = box_on(2.0, 1.0, 1.0, velocity, &[-1.0, 0.2, 1.0]);
        let surfaces = [rough(dice.one(), dice.one()); 3];
        let (speed, mass) = (
            10f64.powf(dice.between(-6.0, 6.0)),
            10f64.powf(dice.between(-6.0, 6.0)),
        );
        for hypothesis in ALL {
            let plain = strike(&bodies, &surfaces, hypothesis, Order::Together).unwrap();
            let matrix: Vec<f64> = bodies.w().iter().map(|w| w / mass).collect();
            let before: Vec<f64> = bodies
                .rates(&bodies.velocity)
                .iter()
                .map(|u| u * speed)
                .collect();
            let set = Set {
                matrix: &matrix,
                before: &before,
                surfaces: &surfaces,
                hypothesis,
                order: Order::Together,
                from_rest: false,
            };
            let mut room = Room::default();
            let scaled = resolve(&set, &mut room).unwrap();
            for (a, b) in plain.contacts.iter().zip(&scaled.contacts) {
                assert!(
                    (a.normal() - b.normal() / (mass * speed)).abs() < 1e-7,
                    "{hypothesis:?} {plain:#?} {scaled:#?} {surfaces:?}"
                );
                assert!((a.after[0] - b.after[0] / speed).abs() < 1e-8);
                assert!((a.after[1] - b.after[1] / speed).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn energy_that_newtons_rule_brings_into_a_set_is_said() {
    // The rod of `rod` with e = 1 and a slip of 0.6, and a second point on it that is closed and does not move: the set gains too, and says how much.
    let mut bodies = Bodies::default();
    let arm = -0.5 * std::f64::consts::FRAC_1_SQRT_2;
    let one = bodies.add(1.0, 1.0 / 12.0, [0.0; 3]);
    bodies.touch(None, Some((one, [arm, arm])), [0.0, 1.0]);
    bodies.touch(None, Some((one, [arm, arm])), [0.0, 1.0]);
    // The least energy for rates (−1, 0.6): all of it is the contact's.
    let w = bodies.w();
    let det = w[0] * w[5] - w[1] * w[1];
    let p = [
        (-w[5] - w[1] * 0.6) / det,
        (w[0] * 0.6 + w[1]) / det,
        0.0,
        0.0,
    ];
    bodies.velocity = bodies.pushed(&p);
    let surfaces = [rough(1.0, 0.7); 2];
    let resolved = strike(&bodies, &surfaces, Hypothesis::Newton, Order::Together).unwrap();
    sound(&bodies, &surfaces, &resolved);
    // As for one contact: 0.1125 J, by the closed form of `rod`.
    assert!((resolved.gained - 0.1125).abs() < 1e-8, "{resolved:?}");
    assert!(
        resolved
            .contacts
            .iter()
            .all(|c| matches!(c.along, Along::SlidesThenSticks(_)))
    );
    let poisson = strike(&bodies, &surfaces, Hypothesis::Poisson, Order::Together).unwrap();
    assert_eq!(poisson.gained, 0.0);
}

#[test]
fn a_set_that_no_force_keeps_apart_strikes_by_friction_alone() {
    // A contact beyond its critical coefficient (as in `routh`: W = (1, 0.8, 1), μ = 2), at rest but for rounding, and a second that is moved a little by it.
    #[rustfmt::skip]
    let matrix = [
        1.0, 0.8, -0.1, 0.0,
        0.8, 1.0, 0.0, 0.0,
        -0.1, 0.0, 1.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
    ];
    let set = Set {
        matrix: &matrix,
        before: &[1e-16, 1.0, 0.0, 0.0],
        surfaces: &[rough(0.0, 2.0), rough(0.0, 0.1)],
        hypothesis: Hypothesis::Stronge,
        order: Order::Together,
        from_rest: true,
    };
    let mut room = Room::default();
    let struck = resolve(&set, &mut room).unwrap();
    assert!(struck.contacts[0].compression > 5.0 / 6.0 + 0.5 / 0.36 - 1e-12);
    // The first drives the second together, which pushes back, and so on.
    assert!(struck.contacts[1].took_part);
    for c in &struck.contacts {
        assert!(c.after[0] > -1e-12, "{c:?}");
    }
    assert!(struck.energy < 0.0);
    let idle = Set {
        from_rest: false,
        ..set
    };
    let rest = resolve(&idle, &mut room).unwrap();
    assert!(rest.contacts.iter().all(|c| !c.took_part));
}
