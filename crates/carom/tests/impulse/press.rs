//! Are the forces of closed contacts those of statics and of Coulomb's law, and are the paradoxes of friction said?

use super::bodies::{Bodies, Dice, box_on};
use carom::impulse::{Closed, Forces, Holds, Pressing, Room, Trouble, press};

const G: f64 = 9.81;

fn pressed(bodies: &Bodies, free: &[f64], contacts: &[Closed]) -> Result<Forces, Trouble> {
    let pressing = Pressing {
        matrix: &bodies.w(),
        free: &bodies.rates(free),
        contacts,
        look_around: true,
    };
    press(&pressing, &mut Room::default()).cloned()
}

fn still(friction: f64, static_friction: f64) -> Closed {
    Closed {
        slip: 0.0,
        friction,
        static_friction,
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-8 * (1.0 + b.abs()), "{a} is not {b}");
}

#[test]
fn a_block_on_an_incline_holds_up_to_its_static_angle_and_slides_with_the_dynamic_coefficient() {
    // In axes of the incline: gravity (g sin α, −g cos α). A block of 2 kg, 1 m wide and 0.2 m high, on its two corners.
    let bodies = box_on(1.0, 0.2, 2.0, [0.0; 3], &[-0.5, 0.5]);
    for degrees in [5.0f64, 15.0, 20.0, 21.5, 22.5, 30.0] {
        let (s, c) = degrees.to_radians().sin_cos();
        let free = [G * s, -G * c, 0.0];
        let forces = pressed(&bodies, &free, &[still(0.3, 0.4); 2]).unwrap();
        let normal: f64 = forces.contacts.iter().map(|f| f.normal).sum();
        let along: f64 = forces.contacts.iter().map(|f| f.tangential).sum();
        near(normal, 2.0 * G * c);
        // atan 0.4 = 21.8°.
        if degrees < 21.8 {
            near(along, -2.0 * G * s);
            assert!(forces.contacts.iter().all(|f| f.holds == Holds::Sticks));
        } else {
            near(along, -0.3 * 2.0 * G * c);
            for f in &forces.contacts {
                assert_eq!(f.holds, Holds::SlidesForwards);
                near(f.after[1], G * (s - 0.3 * c));
            }
        }
        // Moments about the centre: the lower corner bears more, by T h/(2 · w/2).
        let share = forces.contacts[1].normal - forces.contacts[0].normal;
        near(share * 0.5, -along * 0.1);
        // A block that slides uphill is held back by the same friction from the other side.
        let up = Closed {
            slip: -1.0,
            ..still(0.3, 0.4)
        };
        let forces = pressed(&bodies, &free, &[up; 2]).unwrap();
        for f in &forces.contacts {
            assert_eq!(f.holds, Holds::SlidesBack);
            near(f.after[1], G * (s + 0.3 * c));
        }
    }
}

#[test]
fn a_box_on_many_points_shares_its_weight_and_a_pulled_one_opens() {
    let places = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let bodies = box_on(2.0, 1.0, 3.0, [0.0; 3], &places);
    let forces = pressed(&bodies, &[0.0, -G, 0.0], &[still(0.3, 0.4); 5]).unwrap();
    assert!(forces.shared);
    for f in &forces.contacts {
        assert!((f.normal - 3.0 * G / 5.0).abs() < 1e-6, "{f:?}");
        assert!(f.tangential.abs() < 1e-6);
        assert_eq!(f.holds, Holds::Sticks);
    }
    // Turned by a moment beyond its weight (N at the right corner only: W of 1 m arm): the left ones open.
    let forces = pressed(&bodies, &[0.0, -G, -40.0], &[still(0.0, 0.0); 5]).unwrap();
    for (f, x) in forces.contacts.iter().zip(places) {
        if x < 1.0 {
            assert_eq!(f.holds, Holds::Opens);
            assert!(f.after[0] > 0.1 && f.normal == 0.0);
        } else {
            assert!(f.normal > 0.0 && f.after[0].abs() < 1e-9);
        }
    }
    // Lifted: all open.
    let forces = pressed(&bodies, &[0.0, 1.0, 0.0], &[still(0.3, 0.4); 5]).unwrap();
    assert!(forces.contacts.iter().all(|f| f.holds == Holds::Opens));
}

#[test]
fn a_stack_of_three_boxes_bears_its_weight_layer_by_layer() {
    let mut bodies = Bodies::default();
    for _ in 0..3 {
        bodies.add(2.0, 2.0 / 6.0, [0.0; 3]);
    }
    for i in 0..3usize {
        for x in [-0.5, 0.5] {
            let below = i.checked_sub(1).map(|b| (b, [x, 0.5]));
            bodies.touch(below, Some((i, [x, -0.5])), [0.0, 1.0]);
        }
    }
    let free = [0.0, -G, 0.0, 0.0, -G, 0.0, 0.0, -G, 0.0];
    let forces = pressed(&bodies, &free, &[still(0.3, 0.4); 6]).unwrap();
    for (k, f) in forces.contacts.iter().enumerate() {
        let carried = 2.0 * G * (3 - k / 2) as f64 / 2.0;
        assert!((f.normal - carried).abs() < 1e-7, "{f:?} {carried}");
        assert_eq!(f.holds, Holds::Sticks);
    }
}

/// Painlevé's rod: uniform, 1 kg and 1 m, its lower end on the ground, at an angle φ to it; W = (1 + 3 cos²φ, −3 sin φ cos φ …, 1 + 3 sin²φ). The end slides with the slip given, the rod turns at ω, m/s and rad/s.
fn painleve(angle: f64, spin: f64) -> ([f64; 4], [f64; 2]) {
    let (s, c) = angle.sin_cos();
    let (x, y) = (-0.5 * c, -0.5 * s);
    let w = [
        1.0 + 12.0 * x * x,
        -12.0 * x * y,
        -12.0 * x * y,
        1.0 + 12.0 * y * y,
    ];
    // The end is accelerated by gravity and towards the centre: a = g + ω² (−arm).
    (w, [-G - spin * spin * y, -spin * spin * x])
}

#[test]
fn painleves_rod_has_one_answer_none_or_two_where_the_closed_form_says_so() {
    let mut dice = Dice::new(31);
    let (mut one, mut none, mut two) = (0, 0, 0);
    for _ in 0..5000 {
        let angle = dice.between(0.1, 1.5);
        let spin = dice.between(0.0, 9.0);
        let mu = dice.between(0.2, 3.0);
        let slip = dice.between(-1.0, 1.0);
        let (matrix, free) = painleve(angle, spin);
        let pressing = Pressing {
            matrix: &matrix,
            free: &free,
            contacts: &[Closed {
                slip,
                friction: mu,
                static_friction: mu,
            }],
            look_around: false,
        };
        // For the rod: W_nn − μ s W_nt = 1 + 3 cos²φ + 3 μ s sin φ cos φ, s = sgn(slip): the end trails the centre where it is negative.
        let (s, c) = angle.sin_cos();
        let exact = 1.0 + 3.0 * c * c + 3.0 * mu * slip.signum() * s * c;
        let mut room = Room::default();
        match press(&pressing, &mut room) {
            Ok(forces) => {
                one += 1;
                assert!(exact > 0.0);
                near(forces.contacts[0].normal, (-free[0] / exact).max(0.0));
            }
            Err(Trouble::NoForce {
                contact: 0,
                free: b,
                factor,
                friction,
                critical,
            }) => {
                none += 1;
                assert!(exact <= 0.0 && b < 0.0 && b == free[0]);
                near(factor, exact);
                assert!(friction == mu && critical <= mu);
                near(critical, (1.0 + 3.0 * c * c) / (3.0 * s * c));
            }
            Err(Trouble::SeveralForces {
                factor,
                force,
                free: b,
                ..
            }) => {
                two += 1;
                assert!(exact < 0.0 && b > 0.0);
                near(force, -b / factor);
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(one > 3000 && none > 100 && two > 100, "{one} {none} {two}");
    // μ = 4/3 is the least coefficient for which a rod knows the paradox, at tan φ = 2.
    let (w, _) = painleve(2f64.atan(), 0.0);
    near(w[0] / w[1].abs(), 4.0 / 3.0);
}

#[test]
fn a_rod_that_leans_and_does_not_slip_can_be_wedged_though_it_may_also_lift() {
    // The rod at tan φ = 2, μ = 2, spinning so that its end would lift slowly and run under it: to stay wedged is a second answer.
    let (matrix, _) = painleve(2f64.atan(), 0.0);
    // W⁻¹ (−b) = (N, T) with N > 0 in the cone and b_n > 0: b = −W (1, t), b_n = −W_nn − W_nt t.
    let (a, b, c) = (matrix[0], matrix[1], matrix[3]);
    let t = -1.9 * b.signum();
    let free = [-a - b * t, -b - c * t];
    assert!(free[0] > 0.0);
    let contact = still(2.0, 2.0);
    let pressing = Pressing {
        matrix: &matrix,
        free: &free,
        contacts: &[contact],
        look_around: false,
    };
    match press(&pressing, &mut Room::default()) {
        Err(Trouble::SeveralForces { force, .. }) => near(force, 1.0),
        // Sliding under the edge of the cone may be a third one.
        Err(Trouble::SeveralOfSet { count, modes, .. }) => {
            assert!(count >= 2 && modes[0][0] == Holds::Opens, "{modes:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_set_without_an_answer_or_with_several_is_said_with_numbers() {
    // Painlevé's rod, and a far-off weight that is tied to it loosely by a second contact of its own: the set is two contacts, the paradox is the first's.
    let (own, _) = painleve(2f64.atan(), 0.0);
    let small = 1e-3;
    #[rustfmt::skip]
    let matrix = [
        own[0], own[1], small, 0.0,
        own[2], own[3], 0.0, 0.0,
        small, 0.0, 1.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
    ];
    let contacts = [
        Closed {
            slip: -own[1].signum() * -1.0,
            friction: 2.0,
            static_friction: 2.0,
        },
        still(0.3, 0.3),
    ];
    // s W_nt > 0 is what wedges.
    let sign = own[1].signum();
    let contacts = [
        Closed {
            slip: sign,
            ..contacts[0]
        },
        contacts[1],
    ];
    let ask = |bn: f64| {
        let free = [bn, 0.0, -G, 0.0];
        let pressing = Pressing {
            matrix: &matrix,
            free: &free,
            contacts: &contacts,
            look_around: true,
        };
        press(&pressing, &mut Room::default()).cloned()
    };
    match ask(-5.0) {
        Err(Trouble::NoForces {
            contact: 0,
            factor,
            critical,
            ..
        }) => {
            near(factor, own[0] - 2.0 * own[1].abs());
            near(critical, 4.0 / 3.0);
        }
        other => panic!("{other:?}"),
    }
    match ask(5.0) {
        Err(Trouble::SeveralOfSet {
            count: 2,
            modes,
            contact: 0,
        }) => {
            assert_eq!(modes[0][0], Holds::Opens);
            assert_eq!(modes[0][1], Holds::Sticks);
            assert_ne!(modes[1][0], Holds::Opens);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_boxes_on_random_points_obey_coulomb_and_do_not_enter() {
    let mut dice = Dice::new(32);
    for round in 0..500 {
        let count = 1 + dice.below(5);
        let places: Vec<f64> = (0..count).map(|_| dice.between(-1.0, 1.0)).collect();
        let mass = 10f64.powf(dice.between(-3.0, 3.0));
        let bodies = box_on(2.0, dice.between(0.2, 1.0), mass, [0.0; 3], &places);
        let slip = if dice.one() < 0.5 {
            0.0
        } else {
            dice.between(-1.0, 1.0)
        };
        // Below the critical coefficient of any of these boxes (W_nn/|W_nt| > 1): one answer.
        let contacts: Vec<Closed> = (0..count)
            .map(|_| {
                let friction = dice.between(0.0, 0.4);
                Closed {
                    slip,
                    friction,
                    static_friction: friction,
                }
            })
            .collect();
        let free = [
            dice.between(-5.0, 5.0),
            dice.between(-10.0, 3.0),
            dice.between(-5.0, 5.0),
        ];
        let forces = pressed(&bodies, &free, &contacts)
            .unwrap_or_else(|t| panic!("{round}: {t:?} {places:?} {contacts:?} {free:?}"));
        for (f, c) in forces.contacts.iter().zip(&contacts) {
            assert!(f.normal >= 0.0 && f.after[0] > -1e-8);
            assert!(f.normal / mass * f.after[0] < 1e-8, "{f:?}");
            assert!(f.tangential.abs() <= c.friction * f.normal + 1e-8 * mass);
            // On the edge of the cone against the slip, or against the slip that begins.
            let moving = if slip == 0.0 { f.after[1] } else { slip };
            if moving.abs() > 1e-7 {
                let edge = -moving.signum() * c.friction * f.normal;
                assert!((f.tangential - edge).abs() < 1e-7 * mass, "{f:?} {c:?}");
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let pressing = Pressing {
        matrix: &[1.0],
        free: &[0.0, 0.0],
        contacts: &[still(0.1, 0.1)],
        look_around: false,
    };
    assert_eq!(
        press(&pressing, &mut Room::default()).cloned(),
        Err(Trouble::Sizes)
    );
    let pressing = Pressing {
        matrix: &[1.0, 0.0, 0.0, 1.0],
        contacts: &[still(0.2, 0.1)],
        ..pressing
    };
    assert_eq!(
        press(&pressing, &mut Room::default()).cloned(),
        Err(Trouble::Input { contact: 0 })
    );
}
