//! Do the laws with a variable of their own, with relaxation and with the volume of the overlap follow their equations, and differ from what is misprinted?

mod free_impact;

use carom::contact::{Calibration, Damper, Elastic, Overlap, State, Touch};
use free_impact::{Impact, law, run, touch};

const XIONG: [(&str, f64); 4] = [
    ("stiffness", 5.5e9),
    ("beta_1", 2e-6),
    ("beta_2", 100.0),
    ("gamma", 2e5),
];
const JIAN: [(&str, f64); 5] = [
    ("equilibrium_shear_modulus", 3e6),
    ("decaying_shear_modulus", 8e6),
    ("viscosity", 400.0),
    ("poisson", 0.45),
    ("effective_radius", 0.01),
];
const ROY: [(&str, f64); 6] = [
    ("radius_1", 0.02),
    ("radius_2", 0.03),
    ("young_1", 3e6),
    ("young_2", 5e6),
    ("damping_1", 400.0),
    ("damping_2", 700.0),
];

fn with<const N: usize>(
    mut values: [(&'static str, f64); N],
    name: &str,
    value: f64,
) -> [(&'static str, f64); N] {
    for slot in &mut values {
        if slot.0 == name {
            slot.1 = value;
        }
    }
    values
}

#[test]
fn the_volume_of_two_spheres_is_that_of_two_caps_and_its_rate_the_circle_between() {
    for (r1, r2) in [(0.02, 0.03), (1.0, 1.0), (1e-3, 0.5), (7.0, 2.0)] {
        let lens = Overlap::Spheres { r1, r2 };
        let end = lens.limit();
        for k in 1..=60 {
            let x = end * f64::from(k) / 61.0;
            // Each sphere is cut at the plane of the circle: two caps of heights h1 + h2 = δ.
            let apart = r1 + r2 - x;
            let h1 = x * (2.0 * r2 - x) / (2.0 * apart);
            let cap = |h: f64, r: f64| core::f64::consts::PI * h * h * (3.0 * r - h) / 3.0;
            let caps = cap(h1, r1) + cap(x - h1, r2);
            let scale = cap(2.0 * r1.min(r2), r1.min(r2));
            assert!(
                (lens.volume(x) - caps).abs() < 1e-12 * scale.max(caps),
                "{r1} {r2} {x}: {} {caps}",
                lens.volume(x)
            );
            let step = 1e-4 * x.min(end - x);
            let rate = (lens.volume(x + step) - lens.volume(x - step)) / (2.0 * step);
            assert!(
                (rate / lens.area(x) - 1.0).abs() < 1e-6,
                "{r1} {r2} {x}: {rate} {}",
                lens.area(x)
            );
        }
        // In the end the smaller sphere is inside.
        assert!(
            (lens.volume(end) / (4.0 / 3.0 * core::f64::consts::PI * r1.min(r2).powi(3)) - 1.0)
                .abs()
                < 1e-9
        );
        assert_eq!(lens.volume(2.0 * end), lens.volume(end));
    }
}

#[test]
fn the_work_of_a_volume_is_its_integral_down_to_the_smallest_overlap_and_the_depth_its_inverse() {
    for overlap in [
        Overlap::Spheres { r1: 0.02, r2: 0.03 },
        Overlap::Spheres { r1: 1.0, r2: 1.0 },
        Overlap::Spheres { r1: 1e-3, r2: 0.5 },
        Overlap::Cap { radius: 0.01 },
    ] {
        let end = overlap.limit();
        for k in 0..=60 {
            let x = end * 10.0_f64.powf(-0.2 * f64::from(k));
            // Simpson's rule on 2000 pieces of a smooth function.
            let pieces = 2000;
            let mut sum = 0.0;
            for i in 0..=pieces {
                let weight = match i {
                    0 => 1.0,
                    i if i == pieces => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                sum += weight * overlap.volume(x * f64::from(i) / f64::from(pieces));
            }
            let integral = sum * x / (3.0 * f64::from(pieces));
            let work = overlap.work(x);
            assert!(
                (work / integral - 1.0).abs() < 1e-9,
                "{overlap:?} {x}: {work:e} {integral:e}"
            );
            let back = overlap.depth(work);
            assert!((back / x - 1.0).abs() < 1e-12, "{overlap:?}: {back} {x}");
        }
        // V = πRδ² in the limit of small overlaps.
        let radius = match overlap {
            Overlap::Spheres { r1, r2 } => r1 * r2 / (r1 + r2),
            Overlap::Cap { radius } => radius,
        };
        let x = 1e-12 * radius;
        let small = core::f64::consts::PI * radius * x * x * x / 3.0;
        assert!((overlap.work(x) / small - 1.0).abs() < 1e-11);
    }
}

#[test]
fn roy_and_carreteros_force_does_not_depend_on_the_unit_of_time() {
    let state = State::new(1e-3, 0.4);
    let seconds = touch("roy-carretero", &ROY, 1.0, 0.05).force(&state);
    // With milliseconds as the unit of time: Pa = kg/(m s²) is 1e-6 of its number, Pa s 1e-3, a speed 1e-3, a force 1e-6.
    let mut values = ROY;
    for (name, value) in &mut values {
        *value *= match *name {
            "young_1" | "young_2" => 1e-6,
            "damping_1" | "damping_2" => 1e-3,
            _ => 1.0,
        };
    }
    let slow = State::new(1e-3, 0.4e-3);
    let milli = touch("roy-carretero", &values, 1e-3, 0.05).force(&slow);
    for (one, other) in [
        (seconds.elastic, milli.elastic),
        (seconds.dissipative, milli.dissipative),
    ] {
        assert!(
            one > 0.0 && (other / one / 1e-6 - 1.0).abs() < 1e-14,
            "{one} {other}"
        );
    }
    // As printed, D1 D2/(R2 E1 + R1 E2), the damper would be a thousand times another force.
    let printed = |v: &[(&str, f64); 6], rate: f64| {
        let [r1, r2, e1, e2, d1, d2] = v.map(|v| v.1);
        d1 * d2 / (r2 * e1 + r1 * e2) * Overlap::Spheres { r1, r2 }.area(1e-3) * rate
    };
    let ratio = printed(&values, 0.4e-3) / printed(&ROY, 0.4) / 1e-6;
    assert!((ratio - 1e3).abs() < 1e-9, "{ratio}");
}

#[test]
fn roy_and_carreteros_spheres_part_at_zero_force_and_return_less_with_more_damping() {
    let mut last = 1.0 + 1e-9;
    for factor in [1e-9, 0.1, 1.0, 10.0, 100.0] {
        let values = with(
            with(ROY, "damping_1", 400.0 * factor),
            "damping_2",
            700.0 * factor,
        );
        let Impact {
            restitution,
            left,
            force,
            ..
        } = run(touch("roy-carretero", &values, 1.0, 0.05));
        assert!(
            restitution > 0.0 && restitution < last,
            "{factor}: {restitution}"
        );
        assert!(left >= 0.0 && force.abs() < 1e-6);
        last = restitution;
        if factor < 1e-6 {
            assert!((restitution - 1.0).abs() < 1e-6, "{restitution}");
        } else {
            assert!(left > 0.0, "they are still indented");
        }
    }
    // Calibration moves the common factor 1/(R1/D1 + R2/D2).
    let free = [ROY[0], ROY[1], ROY[2], ROY[3], ("restitution", 0.5)];
    let mut calibrated = law("roy-carretero", &free, Calibration::Exact)
        .touch(1.0, 0.05)
        .expect("in range");
    assert_eq!(calibrated.coefficient(), Some(0.0));
    let series = 1.0 / (0.02 / 400.0 + 0.03 / 700.0);
    calibrated.set_coefficient(series);
    let given = touch("roy-carretero", &ROY, 1.0, 0.05);
    assert!((run(calibrated).restitution - run(given).restitution).abs() < 1e-12);
}

#[test]
fn xiongs_two_equations_agree_in_contact_and_out_of_it() {
    // Eq. 5.81, F = K a + K (1/γ + β1 + β2 a) ȧ, with the rate and the force of eq. 5.82, whose sign there is wrong: pushing apart is positive.
    let contact = touch("xiong", &XIONG, 0.3, 0.046);
    assert!(contact.has_own() && contact.own_scale() > 0.0);
    let [k, beta1, beta2, gamma] = XIONG.map(|v| v.1);
    let (mut pushing, mut free) = (0, 0);
    for i in 0..40 {
        for j in 0..40 {
            let (delta, own) = (1e-6 * f64::from(i), 3e-9 * f64::from(j));
            let state = State {
                delta,
                rate: 0.0,
                time: 0.0,
                own,
            };
            let force = contact.force(&state).total();
            let rate = contact.own_rate(&state);
            let other = k * own + k * (1.0 / gamma + beta1 + beta2 * own) * rate;
            assert!(
                (force - other).abs() <= 1e-12 * k * (own + delta.powf(1.5)),
                "{delta} {own}: {force} {other}"
            );
            let p = delta.powf(1.5);
            let printed = -k * (p + gamma * (beta1 + beta2 * own) * (p - own)).max(0.0);
            assert!(force >= 0.0 && printed <= 0.0);
            if force > 1e-9 {
                assert!(
                    (force + printed).abs() < 1e-9 * force,
                    "opposite in sign only"
                );
                assert!(contact.separation_guard(&state) > 0.0);
                pushing += 1;
            } else if own > 0.0 {
                assert!(contact.separation_guard(&state) <= 1e-9 * k);
                free += 1;
            }
        }
    }
    assert!(pushing > 300 && free > 50, "{pushing} {free}");
}

#[test]
fn xiongs_contact_ends_indented_and_returns_less_with_more_damping() {
    // Nothing to damp: Hertz's impact.
    let none = with(with(XIONG, "beta_1", 0.0), "beta_2", 0.0);
    let elastic = run(touch("xiong", &none, 0.3, 0.046));
    assert!((elastic.restitution - 1.0).abs() < 1e-9 && elastic.left.abs() < 1e-12);
    // With a variable that follows within a three-hundredth of the contact, down to almost nothing.
    let quick = with(with(XIONG, "beta_1", 0.0), "gamma", 2e6);
    let mut last = 1.0;
    for beta2 in [1.0, 1e2, 1e3, 1e4, 1e5, 1e6] {
        let mut contact = touch("xiong", &with(quick, "beta_2", beta2), 0.3, 0.046);
        assert_eq!(contact.coefficient(), Some(beta2));
        let impact = run(contact.clone());
        println!("β2 = {beta2}: {impact:?}");
        assert!(impact.restitution > 0.0 && impact.restitution < last);
        assert!(impact.left > 0.0 && impact.force.abs() < 1e-6);
        last = impact.restitution;
        contact.set_coefficient(0.0);
        assert!((run(contact).restitution - 1.0).abs() < 1e-9);
    }
    assert!(last < 0.01, "{last}");
}

#[test]
fn xiongs_law_gives_energy_away_where_its_variable_lags_far_behind() {
    // As its card says. A quick push to δ = d with a = 0 costs ½Kd² (λ = 1); after a rest, a = d/4 and w = γ β2 a = 10, a quick way back returns ½K(1 + w)(d − s)² with
    // s = w a/(1 + w), where the force is zero: 6.57 times as much.
    let d = 1e-5;
    let values = [
        ("stiffness", 1e6),
        ("exponent", 1.0),
        ("beta_2", 10.0 / (1e5 * 0.25 * d)),
        ("gamma", 1e5),
    ];
    let contact = touch("xiong", &values, 0.3, 0.046);
    let force = |delta: f64, own: f64| {
        let state = State {
            delta,
            rate: 0.0,
            time: 0.0,
            own,
        };
        contact.force(&state).total()
    };
    let end = 10.0 / 11.0 * 0.25 * d;
    assert!(force(end, 0.25 * d) < 1e-9 && force(1.001 * end, 0.25 * d) > 0.0);
    let (push, back) = (
        0.5 * d * force(d, 0.0),
        0.5 * (d - end) * force(d, 0.25 * d),
    );
    assert!(
        (back / push - 11.0 * (17.0_f64 / 22.0).powi(2)).abs() < 1e-9,
        "{back} {push}"
    );
    // So does a free impact if a takes a third of the contact to follow and β2 is large; β1 alone is a spring and a damper in a row, which cannot.
    let slow = with(with(XIONG, "beta_1", 0.0), "gamma", 2e4);
    let away = run(touch("xiong", &with(slow, "beta_2", 1e6), 0.3, 0.046));
    assert!((away.restitution - 1.394).abs() < 1e-3, "{away:?}");
    for beta1 in [1e-6, 1e-4, 1e-2, 1.0] {
        let values = with(with(slow, "beta_1", beta1), "beta_2", 0.0);
        let impact = run(touch("xiong", &values, 0.3, 0.046));
        assert!(impact.restitution < 1.0, "{beta1}: {impact:?}");
    }
}

#[test]
fn jians_force_is_his_closed_history_along_a_sine() {
    let values = with(JIAN, "viscosity", 8e3);
    let contact = touch("jian", &values, 1.0, 0.02);
    let [ge, gd, eta, nu, radius] = values.map(|v| v.1);
    let (deepest, tm): (f64, f64) = (1.3e-3, 2e-3);
    let (mut printed_wrong, pi) = (0, core::f64::consts::PI);
    for i in 1..40 {
        let t = 2.0 * tm * f64::from(i) / 41.0;
        let (sin, cos) = (pi / (2.0 * tm) * t).sin_cos();
        let state = State {
            delta: deepest * sin,
            rate: deepest * pi / (2.0 * tm) * cos,
            time: t,
            own: 0.0,
        };
        let force = contact.force(&state);
        // Eq. 5.90 and 5.91.
        let elastic = 4.0 * ge * radius.sqrt() / (3.0 * (1.0 - nu)) * (deepest * sin).powf(1.5);
        let history = pi * eta / (tm * (1.0 - nu)) * radius.sqrt() * deepest.powf(1.5);
        let dissipative = history * (1.0 - (-t * gd / eta).exp()) * sin.sqrt() * cos;
        assert!((force.elastic / elastic - 1.0).abs() < 1e-12);
        assert!((force.dissipative / dissipative - 1.0).abs() < 1e-9, "{t}");
        // Table 1 has exp(−1/T), which does not know the time.
        let printed = history * (1.0 - (-gd / eta).exp()) * sin.sqrt() * cos;
        printed_wrong += usize::from((printed / force.dissipative - 1.0).abs() > 1e-3);
    }
    assert!(printed_wrong == 39, "{printed_wrong}");
}

#[test]
fn jians_guard_is_positive_from_touch_on_and_the_contact_ends_at_zero_force() {
    // Relaxation far quicker than the contact, about as quick, far slower, and so slow that the damper never comes up.
    let mut last = 1.0;
    for viscosity in [0.4, 40.0, 400.0, 4e3, 4e8, 4e9] {
        let values = with(JIAN, "viscosity", viscosity);
        let contact: Touch = touch("jian", &values, 1.0, 0.02);
        let mut state = State::new(0.0, 1.0);
        assert!(contact.separation_guard(&state) > 0.0);
        for k in 0..200 {
            state.time = 1e-12 * 1.1_f64.powi(k);
            state.delta = state.time;
            assert!(contact.separation_guard(&state) > 0.0);
        }
        let impact = run(contact.clone());
        println!("η = {viscosity}: {impact:?}");
        assert!(impact.restitution > 0.0 && impact.restitution < last);
        assert!(impact.left >= 0.0 && impact.force.abs() < 1e-6);
        assert_eq!(contact.coefficient(), None);
        if viscosity > 1e9 {
            // (1 − e^(−t/T)) η is G' t by now, to t/2T of about 1e-4, whatever η: the least restitution that can be had.
            assert!(impact.restitution > last - 1e-5, "{last}: {impact:?}");
        }
        last = impact.restitution;
    }
}

#[test]
fn laws_that_solve_for_h_return_the_restitution_asked_for_whatever_the_elastic_part() {
    for e in [0.05, 0.2, 0.5, 0.9, 1.0] {
        let volumetric = [
            ("volume_stiffness", 3e11),
            ("effective_radius", 0.01),
            ("restitution", e),
        ];
        let polyhedra = [
            ("case_coefficient", 0.5),
            ("effective_modulus", 1e9),
            ("interference_area", 1e-4),
            ("shape_length", 0.02),
            ("restitution", e),
        ];
        for contact in [
            touch("gonthier-volumetric", &volumetric, 0.3, 0.046),
            touch("luo-nahon", &polyhedra, 0.3, 0.046),
        ] {
            let back = run(contact).restitution;
            assert!((back - e).abs() <= 1e-9, "{e}: {back}");
        }
        // γ π E* A'/τ'
        let line = touch("luo-nahon", &polyhedra, 0.3, 0.046);
        let force = line.force(&State::new(1e-5, 0.0)).total();
        assert!((force - 0.5 * core::f64::consts::PI * 1e9 * 1e-4 / 0.02 * 1e-5).abs() < 1e-9);
        // A cap of the sphere: π δ² (3R − δ)/3.
        let cap = touch("gonthier-volumetric", &volumetric, 0.3, 0.046);
        assert!(matches!(cap.damper(), Damper::Factor { .. }));
        let Elastic::Volume { overlap, .. } = cap.elastic() else {
            panic!("{cap:?}")
        };
        assert_eq!(overlap.limit(), 0.02);
        let volume = core::f64::consts::PI * 1e-6 * (0.03 - 1e-3) / 3.0;
        assert!((overlap.volume(1e-3) / volume - 1.0).abs() < 1e-15);
    }
}

#[test]
fn parameters_too_far_apart_for_the_arithmetic_are_refused() {
    // (R1 + R2)⁴ is beyond the largest number; so is γ β1 K P.
    let far = with(ROY, "radius_1", 1e110);
    let lagging = with(with(XIONG, "beta_1", 1e160), "gamma", 1e150);
    for (id, values) in [("roy-carretero", &far[..]), ("xiong", &lagging[..])] {
        let fault = law(id, values, Calibration::Published)
            .touch(0.3, 0.046)
            .expect_err("not finite");
        assert!(fault.to_string().contains("too far apart"), "{fault}");
    }
}
