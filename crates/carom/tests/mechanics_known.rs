//! Do elements put together give the motion and the reactions that are known in closed form or published?

mod mechanism;

use carom::mechanics::*;
use mechanism::{Mechanism, poses, rows};

fn near(found: f64, known: f64, tolerance: f64, what: &str) {
    assert!(
        (found - known).abs() <= tolerance * (1.0 + known.abs()),
        "{what}: {found}, known {known}"
    );
}

/// The weight of a body, N, at its mass centre.
fn weight(body: usize, weight: f64) -> Load {
    let down = [Function::ZERO, Function::Constant(-weight)];
    let force = PointForce::new(Place::on(body, [0.0; 2]), Axes::Ground, down);
    force.expect("sound").into()
}

/// A rod of this length whose one end stands at `from`, at this angle: its mass centre and angle.
fn rod(from: [f64; 2], length: f64, angle: f64) -> [f64; 3] {
    let half = 0.5 * length;
    [
        from[0] + half * angle.cos(),
        from[1] + half * angle.sin(),
        angle,
    ]
}

#[test]
fn a_pendulum_swings_and_pulls_at_its_pin_as_in_the_textbook() {
    // A uniform rod pinned at one end, φ from the downward vertical: φ̈ = −3g/(2L) sin φ; the pin pulls inward with mg cos φ + mω²L/2 and across with mg sin φ/4.
    let (m, l, g) = (3.0, 0.8, 9.81);
    let pendulum = Mechanism {
        bodies: vec![Body::rod(m, l).expect("sound")],
        joints: vec![
            Revolute::new(Place::ground([0.2, 0.1]), Place::on(0, [-0.5 * l, 0.0]))
                .expect("sound")
                .into(),
        ],
        loads: vec![weight(0, m * g)],
    };
    for (phi, omega) in [(0.3, 0.0), (1.1, -4.0), (-2.5, 2.0)] {
        let angle: f64 = phi - core::f64::consts::FRAC_PI_2;
        let q = rod([0.2, 0.1], l, angle);
        let (c, s) = (angle.cos(), angle.sin());
        let v = [-0.5 * l * omega * s, 0.5 * l * omega * c, omega];
        let (a, lambda) = pendulum.accelerations(0.0, &q, &v);
        near(a[2], -1.5 * g / l * phi.sin(), 1e-13, "φ̈");
        let pin = &pendulum.joints[0];
        let rows = rows(pin, 0.0, &q, &v);
        let [on_ground, on_rod] = pin.reactions(&poses(&q, &v), &rows, &lambda[0]);
        let [fx, fy] = on_rod.force;
        near(
            -(fx * c + fy * s),
            m * g * phi.cos() + 0.5 * m * omega * omega * l,
            1e-13,
            "inward",
        );
        near(-fx * s + fy * c, 0.25 * m * g * phi.sin(), 1e-13, "across");
        near(on_ground.force[0] + fx, 0.0, 1e-15, "opposite");
        near(on_rod.moment, 0.0, 1e-13, "no moment");
    }
}

/// The slider-crank of Flores et al. (2006, section 6) with ideal joints and a motor; `theta` the crank's angle. Mass centres at mid-length, gravity 9.81 in −y.
fn slider_crank(omega: f64, slider_inertia: f64) -> Mechanism {
    let (r, l) = (0.05, 0.12);
    let pin = |a, b| Joint::from(Revolute::new(a, b).expect("sound"));
    let masses = [(0.30, 1e-5), (0.21, 2.5e-4), (0.14, slider_inertia)];
    Mechanism {
        bodies: masses
            .map(|(m, j)| Body::new(m, j).expect("sound"))
            .to_vec(),
        joints: vec![
            pin(Place::ground([0.0, 0.0]), Place::on(0, [-0.5 * r, 0.0])),
            pin(Place::on(0, [0.5 * r, 0.0]), Place::on(1, [-0.5 * l, 0.0])),
            pin(Place::on(1, [0.5 * l, 0.0]), Place::on(2, [0.0, 0.0])),
            Translational::new(Place::ground([0.0, 0.0]), Place::on(2, [0.0, 0.0]))
                .expect("sound")
                .into(),
            Driver::new(
                Place::ground([0.0, 0.0]),
                Place::on(0, [0.0, 0.0]),
                Driven::Turn,
                Function::Linear {
                    start: 0.0,
                    speed: omega,
                },
            )
            .expect("sound")
            .into(),
        ],
        loads: masses
            .iter()
            .enumerate()
            .map(|(i, (m, _))| weight(i, *m * 9.81))
            .collect(),
    }
}

/// Its coordinates at a crank angle, in closed form.
fn slider_crank_at(theta: f64) -> [f64; 9] {
    let (r, l) = (0.05, 0.12);
    let rod_angle = -(r * theta.sin() / l).asin();
    let a = rod([0.0, 0.0], r, theta);
    let b = rod([r * theta.cos(), r * theta.sin()], l, rod_angle);
    let x = r * theta.cos() + l * rod_angle.cos();
    [a[0], a[1], a[2], b[0], b[1], b[2], x, 0.0, 0.0]
}

#[test]
fn the_driven_slider_crank_closes_and_moves_by_its_closed_form() {
    let omega = 523.598_775_6;
    let mechanism = slider_crank(omega, 1.0);
    let (r, l) = (0.05_f64, 0.12_f64);
    for k in 0..36 {
        let theta = 0.17 * f64::from(k);
        let t = theta / omega;
        let q = slider_crank_at(theta);
        for (joint, row) in mechanism.rows(t, &q, &[0.0; 9]) {
            assert!(row.value.abs() < 1e-14, "joint {joint}: {}", row.value);
        }
        let v = mechanism.velocities(t, &q);
        let (s, c) = theta.sin_cos();
        // sin β = r sin θ / l: rod speed and slider speed by differentiation, slider acceleration by once more.
        let cos_b = (1.0 - (r * s / l).powi(2)).sqrt();
        let rod_speed = -omega * r * c / (l * cos_b);
        near(v[5], rod_speed, 1e-12, "rod");
        let slider = -omega * r * s - omega * r * r * s * c / (l * cos_b);
        near(v[6], slider, 1e-12, "slider");
        let (a, lambda) = mechanism.accelerations(t, &q, &v);
        let rod_acceleration =
            (omega * omega * r * s / l - rod_speed * rod_speed * r * s / l) / cos_b;
        near(a[5], rod_acceleration, 1e-12, "rod turning");
        let slider = -omega * omega * r * c
            - l * (rod_speed * rod_speed * cos_b - rod_acceleration * r * s / l);
        near(a[6], slider, 1e-11, "slider acceleration");
        for (joint, row) in mechanism.rows(t, &q, &v) {
            assert!(row.rate.abs() < 1e-11, "joint {joint}: {}", row.rate);
        }
        // The power of the motor is its moment times its speed, and no other joint has any.
        for (i, joint) in mechanism.joints.iter().enumerate() {
            let rows = rows(joint, t, &q, &v);
            let moment = joint.reactions(&poses(&q, &v), &rows, &lambda[i])[1].moment;
            let power = if i == 4 { moment * omega } else { 0.0 };
            let rows = rows.iter().zip(&lambda[i]);
            let found: f64 = rows.map(|(row, lambda)| lambda * row.time).sum();
            near(found, power, 1e-12, "power");
        }
    }
}

#[test]
fn the_motor_of_the_slider_crank_needs_its_known_extreme_moments() {
    // Greatest and least moment over a turn and the crank angles where they stand: the closed form of the driven mechanism, evaluated to nine digits. The slider's inertia must not matter.
    let omega = 5000.0 * core::f64::consts::TAU / 60.0;
    for inertia in [1e-6, 1.0] {
        let mechanism = slider_crank(omega, inertia);
        let moment = |degrees: f64| {
            let theta = degrees.to_radians();
            let (t, q) = (theta / omega, slider_crank_at(theta));
            let v = mechanism.velocities(t, &q);
            let (_, lambda) = mechanism.accelerations(t, &q, &v);
            let motor = &mechanism.joints[4];
            motor.reactions(&poses(&q, &v), &rows(motor, t, &q, &v), &lambda[4])[1].moment
        };
        for (degrees, known) in [(34.969_183, 138.624_160), (325.021_766, -138.419_179)] {
            let found = moment(degrees);
            assert!((found - known).abs() < 1e-6, "{found} {known}");
            for aside in [-0.5, 0.5] {
                assert!(moment(degrees + aside).abs() < found.abs());
            }
        }
    }
}

#[test]
fn andrews_squeezer_closes_and_starts_with_its_published_accelerations() {
    // Seven bodies; data, consistent angles and accelerations: Hairer and Wanner (1996), section VII.7 (the test set for IVP solvers prints the same).
    let (rr, ra, d, da) = (7e-3, 92e-5, 28e-3, 115e-4);
    let (ss, sa, sb, sc, sd) = (35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2);
    let (e, ea, zt, ta, tb) = (2e-2, 1421e-5, 4e-2, 2308e-5, 916e-5);
    let (zf, fa, u, ua, ub) = (2e-2, 1421e-5, 4e-2, 1228e-5, 449e-5);
    let [a, b, c] = [[-6934e-5, -227e-5], [-3635e-5, 3273e-5], [14e-3, 72e-3]];
    let beta: f64 = -0.061_713_890_014_276_449_6;
    let theta = 0.0;
    let gamma: f64 = 0.455_279_819_163_070_38;
    let phi = 0.222_668_390_165_885_884;
    let delta: f64 = 0.487_364_979_543_842_551;
    let omega = -0.222_668_390_165_885_884;
    let epsilon: f64 = 1.230_547_444_549_821_19;
    let (k2, k4, k6) = (beta + theta, phi + delta, omega + epsilon);
    // Mass centres and angles.
    let q = [
        ra * beta.cos(),
        ra * beta.sin(),
        beta,
        rr * beta.cos() - da * k2.cos(),
        rr * beta.sin() - da * k2.sin(),
        k2,
        b[0] + sa * gamma.sin() + sb * gamma.cos(),
        b[1] - sa * gamma.cos() + sb * gamma.sin(),
        gamma,
        a[0] + zt * delta.cos() + (e - ea) * k4.sin(),
        a[1] + zt * delta.sin() - (e - ea) * k4.cos(),
        k4,
        a[0] + ta * delta.cos() - tb * delta.sin(),
        a[1] + ta * delta.sin() + tb * delta.cos(),
        delta,
        a[0] + u * epsilon.sin() + (zf - fa) * k6.cos(),
        a[1] - u * epsilon.cos() + (zf - fa) * k6.sin(),
        k6,
        a[0] + ua * epsilon.sin() - ub * epsilon.cos(),
        a[1] - ua * epsilon.cos() - ub * epsilon.sin(),
        epsilon,
    ];
    let data = [
        (0.04325, 2.194e-6),
        (0.00365, 4.410e-7),
        (0.02373, 5.255e-6),
        (0.00706, 5.667e-7),
        (0.07050, 1.169e-5),
        (0.00706, 5.667e-7),
        (0.05498, 1.912e-5),
    ];
    let pin = |a, b| Joint::from(Revolute::new(a, b).expect("sound"));
    // The end of body 2 at which bodies 2, 3, 4 and 6 meet.
    let meet = Place::on(1, [da - d, 0.0]);
    let mechanism = Mechanism {
        bodies: data.map(|(m, j)| Body::new(m, j).expect("sound")).to_vec(),
        joints: vec![
            pin(Place::ground([0.0, 0.0]), Place::on(0, [-ra, 0.0])),
            pin(Place::on(0, [rr - ra, 0.0]), Place::on(1, [da, 0.0])),
            pin(Place::ground(b), Place::on(2, [-sb, sa])),
            pin(meet, Place::on(2, [-sb, sa - ss])),
            pin(Place::on(3, [0.0, e - ea]), Place::on(4, [zt - ta, -tb])),
            pin(Place::ground(a), Place::on(4, [-ta, -tb])),
            pin(meet, Place::on(3, [0.0, -ea])),
            pin(Place::on(5, [fa - zf, 0.0]), Place::on(6, [ub, ua - u])),
            pin(Place::ground(a), Place::on(6, [ub, ua])),
            pin(meet, Place::on(5, [fa, 0.0])),
        ],
        loads: vec![
            Moment::new(Some(0), None, 0.033).expect("sound").into(),
            Spring::new(
                Place::ground(c),
                Place::on(2, [sd - sb, sa - sc]),
                4530.0,
                0.0,
                0.07785,
                Function::ZERO,
            )
            .expect("sound")
            .into(),
        ],
    };
    for (joint, row) in mechanism.rows(0.0, &q, &[0.0; 21]) {
        assert!(row.value.abs() < 1e-15, "joint {joint}: {}", row.value);
    }
    let (found, _) = mechanism.accelerations(0.0, &q, &[0.0; 21]);
    near(found[2], 14_222.443_919_954_113_87, 1e-10, "β̈");
    near(found[5] - found[2], -10_666.832_939_965_585_4, 1e-10, "Θ̈");
    // The others start without acceleration.
    for i in [8, 11, 14, 17, 20] {
        assert!(found[i].abs() < 1e-6, "{i}: {}", found[i]);
    }
}

#[test]
fn the_knees_ligaments_are_almost_slack_in_the_published_pose() {
    // Machado et al. (2012), tables 2 and 3. With the femur's axes along the ground's the four lengths are the unstrained ones to 0.05 mm; only MC pulls, with 5 mN.
    let tibia = [-0.2016, -0.1749, 35.21_f64.to_radians()];
    let poses = poses(&tibia, &[0.0; 3]);
    let mut forces = [0.0; 3];
    for (femur, on_tibia, free, k, length, force) in [
        (
            [-0.033, -0.017],
            [0.213, -0.009],
            0.0438,
            35e6,
            43.751e-3,
            0.0,
        ),
        (
            [-0.019, -0.014],
            [0.210, 0.035],
            0.0332,
            30e6,
            33.158e-3,
            0.0,
        ),
        (
            [-0.023, -0.014],
            [0.163, 0.008],
            0.0784,
            15e6,
            78.418e-3,
            0.0050,
        ),
        (
            [-0.025, -0.019],
            [0.178, 0.025],
            0.0562,
            15e6,
            56.181e-3,
            0.0,
        ),
    ] {
        let (a, b) = (Place::ground(femur), Place::on(0, on_tibia));
        let [p, r] = [a, b].map(|place| place.spot(&poses).position);
        let l = (r[0] - p[0]).hypot(r[1] - p[1]);
        assert!((l - length).abs() < 0.5e-6, "{l} {length}");
        let ligament = Ligament::new(a, b, k, free, None).expect("sound");
        assert!((ligament.tension(l)[0] - force).abs() < 0.5e-4);
        Load::from(ligament).apply(0.0, &poses, &mut forces);
    }
    // The tibia is drawn towards the femur by no more than that.
    assert!((forces[0].hypot(forces[1]) - 0.0050).abs() < 0.5e-4);
    let ligament = Ligament::new(
        Place::ground([0.0; 2]),
        Place::on(0, [0.0; 2]),
        35e6,
        0.04,
        Some(1e-3),
    )
    .expect("sound");
    // Quadratic to 1 mm, 35 N, then straight on at 70 N/mm.
    near(ligament.tension(0.041)[0], 35.0, 1e-12, "toe");
    near(ligament.tension(0.043)[0], 35.0 + 140.0, 1e-12, "beyond");
}

#[test]
fn a_wheel_rolls_down_a_rack_and_a_gear_shares_the_moment_by_its_ratio() {
    // A disc that rolls down a slope α: a = (2/3) g sin α, the rack holds it with a third of its weight's part along the slope.
    let (m, r, g, alpha) = (2.0, 0.3, 9.81, 0.4_f64);
    let slope = Place::ground([0.0, 0.0]).facing(-alpha);
    let wheel = Place::on(0, [0.0, 0.0]);
    let q = [r * alpha.sin(), r * alpha.cos(), 0.0];
    let rolling = Mechanism {
        bodies: vec![Body::disc(m, r).expect("sound")],
        joints: vec![
            Rack::new(slope, wheel, r, 0.0)
                .expect("sound")
                .meshed(&poses(&q, &[0.0; 3]))
                .into(),
            // Another place across the slope holds the wheel at its radius.
            PinSlot::new(
                Place::ground([r * alpha.sin(), r * alpha.cos()]).facing(-alpha),
                wheel,
            )
            .expect("sound")
            .into(),
        ],
        loads: vec![weight(0, m * g)],
    };
    for (_, row) in rolling.rows(0.0, &q, &[0.0; 3]) {
        assert!(row.value.abs() < 1e-15);
    }
    let (a, lambda) = rolling.accelerations(0.0, &q, &[0.0; 3]);
    near(a[0].hypot(a[1]), 2.0 / 3.0 * g * alpha.sin(), 1e-13, "down");
    near(a[2], -2.0 / 3.0 * g * alpha.sin() / r, 1e-13, "turning");
    near(
        lambda[0][0].abs(),
        m * g * alpha.sin() / 3.0,
        1e-13,
        "teeth",
    );

    // Two wheels about fixed centres, a moment on the first: α₁ = M/(J₁ + J₂ (R₁/R₂)²), α₂ = −α₁ R₁/R₂; the teeth press with J₂ |α₂|/R₂.
    let (r1, r2, j1, j2, moment) = (0.1, 0.25, 0.02, 0.3, 5.0);
    let pin =
        |at, body| Revolute::new(Place::ground(at), Place::on(body, [0.0, 0.0])).expect("sound");
    let q = [0.0, 0.0, 0.7, 0.35 * 0.6, 0.35 * 0.8, -0.2];
    let gear = Gear::new(
        Place::on(0, [0.0; 2]),
        Place::on(1, [0.0; 2]),
        [r1, r2],
        0.0,
    )
    .expect("sound")
    .meshed(&poses(&q, &[0.0; 6]));
    let train = Mechanism {
        bodies: vec![
            Body::new(1.0, j1).expect("sound"),
            Body::new(4.0, j2).expect("sound"),
        ],
        joints: vec![
            pin([0.0, 0.0], 0).into(),
            pin([0.35 * 0.6, 0.35 * 0.8], 1).into(),
            gear.into(),
        ],
        loads: vec![Moment::new(Some(0), None, moment).expect("sound").into()],
    };
    let (a, lambda) = train.accelerations(0.0, &q, &[0.0; 6]);
    let first = moment / (j1 + j2 * (r1 / r2) * (r1 / r2));
    near(a[2], first, 1e-13, "first wheel");
    near(a[5], -first * r1 / r2, 1e-13, "second wheel");
    near(
        lambda[2][0].abs(),
        j2 * first * r1 / (r2 * r2),
        1e-13,
        "teeth",
    );
    // The bearing of the second wheel holds against its teeth.
    let bearing = lambda[1][0].hypot(lambda[1][1]);
    near(bearing, j2 * first * r1 / (r2 * r2), 1e-13, "bearing");
}

#[test]
fn a_bead_on_a_parabola_falls_as_in_the_textbook() {
    // y = x²/2: (1 + x²) ẍ + x ẋ² + g x = 0.
    let g = 9.81;
    let curve = Curve::Graph(Function::Polynomial(vec![0.0, 0.0, 0.5]));
    let bead = Mechanism {
        bodies: vec![Body::new(0.7, 1.0).expect("sound")],
        joints: vec![
            PointOnCurve::new(Place::ground([0.0, 0.0]), Place::on(0, [0.0, 0.0]), curve)
                .expect("sound")
                .into(),
        ],
        loads: vec![weight(0, 0.7 * g)],
    };
    for (x, speed) in [(0.5, 0.0), (-1.2, 3.0), (2.0, -0.4)] {
        let (q, v) = ([x, 0.5 * x * x, 0.3], [speed, x * speed, 0.0]);
        let row = bead.rows(0.0, &q, &v)[0].1;
        assert!(row.value.abs() < 1e-15 && row.rate.abs() < 1e-15);
        let (a, _) = bead.accelerations(0.0, &q, &v);
        near(
            a[0],
            -(x * speed * speed + g * x) / (1.0 + x * x),
            1e-13,
            "ẍ",
        );
    }
}
