//! Is every joint and every load consistent in itself: derivatives with differences, reactions with each other, forces with energies?

mod mechanism;

use std::sync::Arc;

use carom::card::Values;
use carom::mechanics::*;
use mechanism::{Dice, poses, rows};

/// Functions of every kind.
fn functions(dice: &mut Dice) -> Vec<Function> {
    let [a, b, c, d] = dice.rolls();
    let table: [f64; 7] = dice.rolls();
    let x = [-9.0, -2.0, -0.7, 0.1, 0.6, 1.9, 9.0];
    vec![
        Function::Constant(a),
        Function::Linear { start: a, speed: b },
        Function::Polynomial(vec![a, b, c, d]),
        Function::Harmonic {
            mean: a,
            amplitude: b,
            omega: 2.0 * c,
            phase: d,
        },
        Function::Spline(Spline::new(&x, &table, Ends::NotAKnot).expect("sound")),
        Function::Other(Arc::new(move |t: f64| {
            let e = (a * t).exp();
            [b * e, a * b * e, a * a * b * e]
        })),
    ]
}

/// Two random places: body and body, ground and body, body and ground.
fn places(dice: &mut Dice) -> Vec<[Place; 2]> {
    [(Some(0), Some(1)), (None, Some(1)), (Some(2), None)]
        .map(|(a, b)| {
            let [ax, ay, aa, bx, by, ba] = dice.rolls();
            [Place::new(a, [ax, ay], aa), Place::new(b, [bx, by], ba)]
        })
        .to_vec()
}

/// Every joint with random numbers, on random places.
fn joints(dice: &mut Dice) -> Vec<(&'static str, Joint)> {
    let mut all: Vec<(&str, Joint)> = Vec::new();
    let closed = |y: f64| {
        let tau = core::f64::consts::TAU;
        let x = [0.0, 0.17, 0.42, 0.8, 1.0].map(|s| tau * (s - 0.5));
        let y = [1.0, 1.3, 0.8 + 0.2 * y, 1.1, 1.0];
        Function::Spline(Spline::new(&x, &y, Ends::Periodic).expect("sound"))
    };
    for [a, b] in places(dice) {
        let [x, y, z] = dice.rolls();
        all.extend([
            ("revolute", Revolute::new(a, b).expect("sound").into()),
            (
                "translational",
                Translational::new(a, b).expect("sound").into(),
            ),
            ("rigid", Rigid::new(a, b).expect("sound").into()),
            ("pin in slot", PinSlot::new(a, b).expect("sound").into()),
            ("link", Link::new(a, b, 1.5 + x).expect("sound").into()),
            (
                "gear",
                Gear::new(a, b, [1.1 + x, 1.2 + y], z)
                    .expect("sound")
                    .into(),
            ),
            (
                "ring",
                Gear::new(a, b, [-3.0 + x, 1.2 + y], z)
                    .expect("sound")
                    .into(),
            ),
            ("rack", Rack::new(a, b, 1.5 * x, y).expect("sound").into()),
        ]);
        let mut curves: Vec<Curve> = functions(dice).into_iter().map(Curve::Graph).collect();
        curves.push(Curve::Polar(Function::Constant(1.0 + x)));
        curves.push(Curve::Polar(closed(y)));
        for curve in curves {
            all.push((
                "curve",
                PointOnCurve::new(a, b, curve).expect("sound").into(),
            ));
        }
        for function in functions(dice) {
            for driven in [Driven::Turn, Driven::Along, Driven::Distance] {
                let driver = Driver::new(a, b, driven, function.clone()).expect("sound");
                all.push(("driver", driver.into()));
            }
        }
    }
    all
}

/// A smooth path of three bodies: coordinates, velocities, accelerations at t.
fn path(coefficients: &[[f64; 4]; 9], t: f64) -> [Vec<f64>; 3] {
    let wave = |k: i32| {
        move |[a, b, c, d]: &[f64; 4]| match k {
            0 => a + b * t + c * (2.0 * t + d).sin(),
            1 => b + 2.0 * c * (2.0 * t + d).cos(),
            _ => -4.0 * c * (2.0 * t + d).sin(),
        }
    };
    [0, 1, 2].map(|k| coefficients.iter().map(wave(k)).collect())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Fourth-order central difference.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

#[test]
fn jacobian_time_derivatives_and_gamma_of_every_joint_agree_with_differences() {
    let mut dice = Dice(7);
    let mut worst = [0.0_f64; 4];
    let mut checked = 0;
    for round in 0..20 {
        let coefficients = [(); 9].map(|()| dice.rolls());
        let t = 0.3 * dice.roll();
        let [q, v, a] = path(&coefficients, t);
        for (name, joint) in joints(&mut dice) {
            let here = rows(&joint, t, &q, &v);
            assert_eq!(here.len(), joint.count());
            for (k, row) in here.iter().enumerate() {
                // Splines have a third derivative that jumps: differences across a knot are no better than first order, and points near the pole of a bearing are too curved for the step.
                let size = 1.0 + row.by.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
                if !(size < 8.0) {
                    continue;
                }
                let (mut of_v, mut of_a) = (0.0, 0.0);
                for (side, body) in joint.bodies().into_iter().enumerate() {
                    let Some(body) = body else { continue };
                    for i in 0..3 {
                        let difference = slope(|h| {
                            let mut q = q.clone();
                            q[3 * body + i] += h;
                            rows(&joint, t, &q, &v)[k].value
                        });
                        let error = (row.by[side][i] - difference).abs() / size;
                        worst[0] = worst[0].max(error);
                        assert!(
                            error < 1e-6,
                            "{name} {round} Φ_q: {} {difference}",
                            row.by[side][i]
                        );
                    }
                    of_v += dot(&row.by[side], &v[3 * body..3 * body + 3]);
                    of_a += dot(&row.by[side], &a[3 * body..3 * body + 3]);
                }
                let time = slope(|h| rows(&joint, t + h, &q, &v)[k].value);
                worst[1] = worst[1].max((row.time - time).abs());
                assert!(
                    (row.time - time).abs() < 1e-6,
                    "{name} Φ_t: {} {time}",
                    row.time
                );
                let rate = (row.rate - of_v - row.time).abs() / size;
                worst[2] = worst[2].max(rate);
                assert!(rate < 1e-13, "{name} rate: {rate}");
                // Φ̈ = Φ_q a − γ along the path.
                let second = slope(|h| {
                    let [q, v, _] = path(&coefficients, t + h);
                    rows(&joint, t + h, &q, &v)[k].rate
                });
                let size = size * size + row.gamma.abs();
                let error = (of_a - row.gamma - second).abs() / size;
                worst[3] = worst[3].max(error);
                assert!(
                    error < 1e-6,
                    "{name} {round} γ: {} {second}",
                    of_a - row.gamma
                );
                checked += 1;
            }
        }
    }
    println!(
        "{checked} rows: Φ_q {:.1e}, Φ_t {:.1e}, Φ̇ {:.1e}, γ {:.1e}",
        worst[0], worst[1], worst[2], worst[3]
    );
    assert!(checked > 1500, "{checked}");
}

#[test]
fn a_joints_two_reactions_cancel_in_force_and_in_moment_about_any_point() {
    let mut dice = Dice(11);
    for _ in 0..20 {
        for (name, joint) in joints(&mut dice) {
            let (mut q, v): ([f64; 9], [f64; 9]) = (dice.rolls(), dice.rolls());
            if matches!(joint, Joint::Revolute(_) | Joint::Rigid(_)) {
                // Between points that are apart, a pin's pair of forces has a moment: close it first.
                let open = rows(&joint, 0.2, &q, &v);
                let (body, sign) = match joint.bodies() {
                    [_, Some(second)] => (second, -1.0),
                    [first, _] => (first.expect("not both the ground"), 1.0),
                };
                q[3 * body] += sign * open[0].value;
                q[3 * body + 1] += sign * open[1].value;
            }
            let poses = poses(&q, &v);
            let rows = rows(&joint, 0.2, &q, &v);
            let lambda: [f64; 3] = dice.rolls();
            let [px, py] = dice.rolls();
            let reactions = joint.reactions(&poses, &rows, &lambda);
            let mut net = [0.0; 3];
            let mut size = 1.0_f64;
            for (place, reaction) in joint.places().iter().zip(reactions) {
                let [x, y] = place.spot(&poses).position;
                let [fx, fy] = reaction.force;
                net[0] += fx;
                net[1] += fy;
                net[2] += reaction.moment + (x - px) * fy - (y - py) * fx;
                size = size.max(fx.abs()).max(fy.abs()).max(reaction.moment.abs());
                let carried = joint.carries();
                let named =
                    |name: &str, value: f64| carried.contains(&name) || value.abs() < 1e-13 * size;
                assert!(named("force_x", fx) && named("force_y", fy), "{name}");
                assert!(
                    named("moment", reaction.moment),
                    "{name} {}",
                    reaction.moment
                );
            }
            for part in net {
                assert!(part.abs() < 1e-13 * size, "{name}: {net:?}");
            }
        }
    }
}

#[test]
fn whole_turns_do_not_open_a_guide_a_weld_or_a_gear() {
    let tau = core::f64::consts::TAU;
    let (a, b) = (Place::on(0, [0.1, 0.2]), Place::on(1, [-0.3, 0.4]));
    let q = [0.5, 0.6, 0.1, 1.5, 1.7, 0.3];
    let turned = [0.5, 0.6, 0.1 + tau, 1.5, 1.7, 0.3 - 2.0 * tau];
    for joint in [
        Joint::from(Translational::new(a, b).expect("sound")),
        Rigid::new(a, b).expect("sound").into(),
    ] {
        let [one, two] = [q, turned].map(|q| rows(&joint, 0.0, &q, &[0.0; 6]));
        for (one, two) in one.iter().zip(two) {
            assert!((one.value - two.value).abs() < 1e-14, "{joint:?}");
        }
    }
    // A carrier that goes round and round never opens its gear: the sun stands, the planet of the same radius turns twice as fast as the carrier.
    let gear = Gear::new(
        Place::ground([0.0, 0.0]),
        Place::on(0, [0.0, 0.0]),
        [0.5, 0.5],
        0.0,
    )
    .expect("sound")
    .meshed(&poses(&[1.0, 0.0, 0.2], &[0.0; 3]));
    for k in -40..40 {
        let carrier = 0.37 * f64::from(k);
        let q = [carrier.cos(), carrier.sin(), 0.2 + 2.0 * carrier];
        let v = [-carrier.sin(), carrier.cos(), 2.0];
        let row = rows(&gear.clone().into(), 0.0, &q, &v)[0];
        assert!(
            row.value.abs() < 1e-13 && row.rate.abs() < 1e-14,
            "{k}: {row:?}"
        );
    }
}

/// Every load with random numbers, on random places.
fn loads(dice: &mut Dice) -> Vec<(&'static str, Load)> {
    let mut all: Vec<(&str, Load)> = Vec::new();
    for [a, b] in places(dice) {
        let k: [f64; 3] = dice.rolls();
        let k = k.map(f64::abs);
        let c: [f64; 3] = dice.rolls();
        let c = c.map(f64::abs);
        let function = || Function::Harmonic {
            mean: 0.3,
            amplitude: 0.8,
            omega: 2.0,
            phase: 0.1,
        };
        for axes in [Axes::Ground, Axes::Place] {
            let on = if a.body().is_some() { a } else { b };
            let force = PointForce::new(on, axes, [function(), 0.7.into()]);
            all.push(("point force", force.expect("sound").into()));
        }
        let moment = Moment::new(a.body(), b.body(), function()).expect("sound");
        let spring = Spring::new(a, b, k[0], c[0], k[1], function()).expect("sound");
        let turning = RotationalSpring::new(a, b, k[0], c[0], k[1], function()).expect("sound");
        // Forces of the motion, and springs whose force and damping are curves of every kind.
        let follows = || {
            Input::motion(|t, poses| {
                0.3 + 0.8 * (2.0 * t + 0.1).sin() - 0.4 * Pose::of(Some(1), poses).omega
            })
        };
        let tangent = Function::Other(Arc::new(|x: f64| [x + x * x * x, 0.0, 0.0]));
        let wavy = Function::Other(Arc::new(|x: f64| [0.3 * x.sinh() - 0.2, 0.0, 0.0]));
        for curve in functions(dice).into_iter().chain([wavy]) {
            let pulls = Spring::with_force(a, b, curve.clone(), k[1], tangent.clone(), follows());
            let turns = RotationalSpring::with_moment(a, b, curve, k[1], c[0], function());
            all.push(("spring by its force", pulls.expect("sound").into()));
            all.push(("spring by its moment", turns.expect("sound").into()));
        }
        let moved = Moment::new(a.body(), b.body(), follows()).expect("sound");
        all.push(("moment of the motion", moved.into()));
        let band = Ligament::new(a, b, k[0], 0.4, None).expect("sound");
        let long = Ligament::new(a, b, k[0], 0.1, Some(0.05)).expect("sound");
        let rubber = Bushing::new(a, b, k, c).expect("sound");
        all.extend([
            ("moment", Load::from(moment)),
            ("spring", spring.into()),
            ("rotational spring", turning.into()),
            ("ligament", band.into()),
            ("ligament past its toe", long.into()),
            ("bushing", rubber.into()),
        ]);
    }
    all
}

#[test]
fn the_power_of_every_load_is_what_comes_in_less_what_is_stored_and_wasted() {
    let mut dice = Dice(23);
    for _ in 0..50 {
        let (q, v): ([f64; 9], [f64; 9]) = (dice.rolls(), dice.rolls());
        let t = dice.roll();
        for (name, load) in loads(&mut dice) {
            let mut forces = [0.0; 9];
            load.apply(t, &poses(&q, &v), &mut forces);
            let powers = load.powers(t, &poses(&q, &v));
            assert!(powers.dissipated >= 0.0);
            let stored = slope(|h| {
                let q: Vec<f64> = q.iter().zip(v).map(|(q, v)| q + h * v).collect();
                load.powers(t, &poses(&q, &v)).potential
            });
            let balance = dot(&forces, &v) - (powers.outside - powers.dissipated - stored);
            assert!(balance.abs() < 1e-8, "{name}: {balance}");
            assert_eq!(
                [powers.dissipated, powers.outside],
                load.rates(t, &poses(&q, &v))
            );
            assert!(load.wastes() || powers.dissipated == 0.0, "{name}");
            assert!(load.brings() || powers.outside == 0.0, "{name}");
        }
    }
}

#[test]
fn forces_at_rest_are_the_gradient_of_the_potential() {
    let mut dice = Dice(29);
    for _ in 0..30 {
        let q: [f64; 9] = dice.rolls();
        // Where the actuators' swing is at its zero: 0.3 + 0.8 sin(2t + 0.1) = 0.
        let t = ((-0.375_f64).asin() - 0.1) / 2.0;
        for (name, load) in loads(&mut dice) {
            if matches!(load, Load::PointForce(_)) {
                continue;
            }
            let mut forces = [0.0; 9];
            load.apply(t, &poses(&q, &[0.0; 9]), &mut forces);
            for i in 0..9 {
                let gradient = slope(|h| {
                    let mut q = q;
                    q[i] += h;
                    load.powers(t, &poses(&q, &[0.0; 9])).potential
                });
                assert!(
                    (forces[i] + gradient).abs() < 1e-8,
                    "{name} {i}: {} {gradient}",
                    forces[i]
                );
            }
        }
    }
}

#[test]
fn stops_push_along_their_gap_and_friction_of_joints_takes_the_power_it_says() {
    let mut dice = Dice(31);
    let values = Values::new().number("stiffness", 10.0);
    let law = carom::contact::Law::new(
        carom::contact::find("hooke").expect("known"),
        &values,
        None,
        carom::contact::Calibration::Published,
    )
    .expect("sound");
    let values = Values::new()
        .number("coefficient", 0.3)
        .number("v0", 1e-3)
        .number("v1", 1e-2);
    let ambrosio = carom::friction::find("ambrosio").expect("known");
    let rubs = carom::friction::Law::new(ambrosio, &values).expect("sound");
    for _ in 0..50 {
        let (q, v): ([f64; 9], [f64; 9]) = (dice.rolls(), dice.rolls());
        let (here, lambda) = (poses(&q, &v), dice.rolls::<2>());
        for [a, b] in places(&mut dice) {
            let pin: Joint = Revolute::new(a, b).expect("sound").into();
            let guide: Joint = Translational::new(a, b).expect("sound").into();
            for joint in [&pin, &guide] {
                let limit = Limit::new(joint, [-0.3, 0.4], law.clone()).expect("sound");
                let gaps = limit.gaps(&here);
                assert!((gaps[0].value + gaps[1].value - 0.7).abs() < 1e-13);
                for (side, gap) in gaps.iter().enumerate() {
                    // The rate is the derivative of the gap, and so is the direction of the force.
                    let mut forces = [0.0; 9];
                    limit.push(gap, 2.5, &mut forces);
                    assert!((dot(&forces, &v) - 2.5 * gap.rate).abs() < 1e-13);
                    let rate = slope(|h| {
                        let q: Vec<f64> = q.iter().zip(v).map(|(q, v)| q + h * v).collect();
                        limit.gaps(&poses(&q, &v))[side].value
                    });
                    assert!((rate - gap.rate).abs() < 1e-9, "{rate} {}", gap.rate);
                }
            }
            let radius = 0.5 + 0.4 * dice.roll();
            for friction in [
                JointFriction::revolute(&pin, radius, rubs.clone()),
                JointFriction::translational(&guide, None, rubs.clone()),
                JointFriction::translational(&guide, Some(radius), rubs.clone()),
            ] {
                let friction = friction.expect("sound");
                assert!(friction.normal(&lambda) > 0.0);
                // The speed of sliding is what its derivatives make of the bodies' velocities, so that friction does its work on them.
                let slide = friction.slide(&here);
                let mut by = [0.0; 9];
                for (body, own) in friction.bodies().into_iter().zip(slide.by) {
                    if let Some(body) = body {
                        (0..3).for_each(|k| by[3 * body + k] += own[k]);
                    }
                }
                assert!((dot(&by, &v) - slide.rate).abs() < 1e-13);
                let rate = slope(|h| {
                    let q: Vec<f64> = q.iter().zip(v).map(|(q, v)| q + h * v).collect();
                    friction.slide(&poses(&q, &v)).value
                });
                assert!((rate - slide.rate).abs() < 1e-9);
            }
            // Two pads: |P/2 + M/L| + |P/2 − M/L|.
            let long = JointFriction::translational(&guide, Some(radius), rubs.clone());
            let pads = [1.0, -1.0].map(|s| (0.5 * lambda[0] + s * lambda[1] / radius).abs());
            let normal = long.expect("sound").normal(&lambda);
            assert!((normal - pads[0] - pads[1]).abs() < 1e-14);
        }
    }
}

#[test]
fn a_spring_of_no_length_pulls_nowhere_and_its_damper_the_way_the_points_part() {
    let (a, b) = (Place::on(0, [0.0, 0.0]), Place::on(1, [0.0, 0.0]));
    let spring = Load::from(Spring::new(a, b, 5.0, 2.0, 0.0, Function::ZERO).expect("sound"));
    let mut forces = [0.0; 6];
    spring.apply(0.0, &poses(&[0.3; 6], &[0.1; 6]), &mut forces);
    assert_eq!(forces, [0.0; 6]);
    spring.apply(
        0.0,
        &poses(&[0.3; 6], &[0.0, 0.0, 0.0, 3.0, 4.0, 0.0]),
        &mut forces,
    );
    for (found, known) in forces.iter().zip([6.0, 8.0, 0.0, -6.0, -8.0, 0.0]) {
        assert!((found - known).abs() < 1e-14);
    }
}

#[test]
fn a_spring_by_a_table_stores_the_area_under_it_from_where_it_is_told_to() {
    let (a, b) = (Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.0]));
    // The points lie on 200 (l − 0.1)³, which a spline meets exactly; its integral is 50 (l − 0.1)⁴.
    let l = [0.0, 0.05, 0.12, 0.2, 0.31];
    let table = Spline::new(&l, &l.map(|l| 200.0 * (l - 0.1).powi(3)), Ends::NotAKnot);
    let curve = Function::Spline(table.expect("sound"));
    let spring = Spring::with_force(a, b, curve, 0.1, 0.0, 0.0).expect("sound");
    let spring = Load::from(spring);
    assert!(!spring.wastes() && !spring.brings() && spring.has_length() && !spring.turns());
    for k in 1..8 {
        let x = 0.05 * f64::from(k);
        let poses = poses(&[x, 0.0, 0.0], &[0.0; 3]);
        let [tension, length] = spring.reading(0.0, &poses).expect("it has a length");
        assert!((tension - 200.0 * (x - 0.1).powi(3)).abs() < 1e-12 && length == x);
        let stored = spring.powers(0.0, &poses).potential;
        assert!(
            (stored - 50.0 * (x - 0.1).powi(4)).abs() < 1e-13,
            "{x}: {stored}"
        );
    }
}

#[test]
fn elements_that_hold_nothing_or_have_unsound_numbers_are_refused() {
    let (a, b) = (Place::on(0, [0.0, 0.0]), Place::on(1, [0.0, 0.0]));
    let ground = Place::ground([1.0, 0.0]);
    let same = Revolute::new(a, Place::on(0, [1.0, 0.0])).expect_err("one body");
    assert!(
        same.to_string().contains("both ends are on body 0"),
        "{same}"
    );
    let fixed = Rigid::new(ground, ground).expect_err("ground");
    assert!(
        fixed.to_string().contains("both ends are on the ground"),
        "{fixed}"
    );
    let short = Link::new(a, b, -0.5).expect_err("negative").to_string();
    assert_eq!(short, "link: length is -0.5 m; allowed: > 0");
    assert!(Gear::new(a, b, [1.0, 0.0], 0.0).is_err());
    assert!(Gear::new(a, b, [1.0, -1.0], 0.0).is_err());
    assert!(Rack::new(a, b, f64::NAN, 0.0).is_err());
    assert!(PinSlot::new(Place::on(0, [f64::INFINITY, 0.0]), b).is_err());
    assert!(Spring::new(a, b, 1.0, -1.0, 0.0, Function::ZERO).is_err());
    let pushes = Function::Polynomial(vec![0.0, 1.0, -0.5]);
    let drives = Spring::new(a, b, 1.0, pushes, 0.0, 0.0).expect_err("beyond 2 m/s");
    assert!(
        matches!(drives, Fault::Drives { rate, .. } if rate > 2.0 && rate < 2.5),
        "{drives}"
    );
    assert!(
        drives.to_string().contains("of the rate's sign"),
        "{drives}"
    );
    let offset = Function::Polynomial(vec![1e-6, 1.0]);
    assert!(RotationalSpring::new(a, b, 1.0, offset, 0.0, 0.0).is_err());
    let nowhere = Function::Other(Arc::new(|x: f64| [1.0 / x, 0.0, 0.0]));
    assert!(Spring::with_force(a, b, nowhere, 0.0, 0.0, 0.0).is_err());
    assert!(Bushing::new(a, b, [1.0, -1.0, 0.0], [0.0; 3]).is_err());
    assert!(Ligament::new(a, b, 1.0, 1.0, Some(0.0)).is_err());
    assert!(Moment::new(None, None, Function::ZERO).is_err());
    assert!(PointForce::new(ground, Axes::Ground, [Function::ZERO, Function::ZERO]).is_err());
}

#[test]
fn a_body_that_does_not_exist_gives_no_number_and_no_panic() {
    let mut dice = Dice(5);
    for (name, joint) in joints(&mut dice) {
        let rows = rows(&joint, 0.0, &[], &[]);
        assert!(rows.iter().all(|row| row.value.is_nan()), "{name}");
        joint.reactions(&[], &rows, &[]);
    }
    for (_, load) in loads(&mut dice) {
        load.apply(0.0, &[], &mut []);
        load.powers(0.0, &[]);
    }
}

#[test]
fn an_evaluation_allocates_nothing() {
    let mut dice = Dice(3);
    let (joints, loads) = (joints(&mut dice), loads(&mut dice));
    let (q, v): ([f64; 9], [f64; 9]) = (dice.rolls(), dice.rolls());
    let mut poses = [Pose::GROUND; 3];
    let mut sum = 0.0;
    let made = allocation_counter::measure(|| {
        let mut rows = [Row::default(); 3];
        let mut forces = [0.0; 9];
        pose_all(&q, &v, &mut poses);
        for (_, joint) in &joints {
            let count = joint.evaluate(0.1, &poses, &mut rows);
            sum += joint.reactions(&poses, &rows[..count], &[1.0; 3])[0].moment;
        }
        for (_, load) in &loads {
            load.apply(0.1, &poses, &mut forces);
            sum += load.powers(0.1, &poses).potential;
        }
        sum += forces[0];
    });
    assert_eq!(made.count_total, 0, "{sum}");
}
