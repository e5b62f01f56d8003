//! Does a law that the user wrote behave like one of the catalogue, and is a wrong one refused with its numbers?

use carom::card::{Fault, Values};
use carom::contact::{
    self, At, Calibration, Family, Law, Own, Restitution, Separation, State, closed,
};
use carom::impact::{self, Accuracy, Failed, Impact, Lab};

const K: f64 = 5.5e9;
const V0: f64 = 0.3;
const MASS: f64 = 0.046;

fn own(force: impl Fn(&At) -> f64 + Send + Sync + 'static) -> Own {
    Own::new("as in the test", force)
}

fn law(separation: Separation, force: impl Fn(&At) -> f64 + Send + Sync + 'static) -> Law {
    Law::own(own(force), separation, None).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn catalogue(id: &str, values: &Values) -> Law {
    let card = contact::find(id).expect("known");
    Law::new(card, values, None, Calibration::Published).expect("sound")
}

fn run(law: &Law) -> Impact {
    impact::simulate(law, V0, MASS, &Accuracy::default()).unwrap_or_else(|f| panic!("{f}"))
}

/// All that an impact tells, beside each other.
fn assert_same(name: &str, mine: &Impact, theirs: &Impact, tolerance: f64) {
    for (what, a, b) in [
        ("restitution", mine.restitution, theirs.restitution),
        ("depth", mine.deepest.delta, theirs.deepest.delta),
        ("duration", mine.duration(), theirs.duration()),
        ("peak", mine.peak.force, theirs.peak.force),
        ("stored", mine.stored_energy_max, theirs.stored_energy_max),
    ] {
        assert!(
            (a - b).abs() <= tolerance * b.abs(),
            "{name}: {what} {a:e} {b:e}, apart by {:e}",
            a / b - 1.0
        );
    }
    let energy = 0.5 * MASS * V0 * V0;
    assert!((mine.dissipated() - theirs.dissipated()).abs() < tolerance * energy);
    assert!((mine.end.delta - theirs.end.delta).abs() <= tolerance * mine.deepest.delta);
    assert!((mine.min_force - theirs.min_force).abs() <= tolerance * mine.peak.force);
    assert!(mine.energy_residual.abs() < 1e-9 * energy, "{name}");
}

fn hertz(at: &At) -> f64 {
    K * at.delta * at.delta.sqrt()
}

#[test]
fn a_copy_of_a_law_goes_like_the_law() {
    use Separation::{ZeroForce, ZeroIndentation};
    let stiff = Values::new().number("stiffness", K);
    let asked = stiff.clone().number("restitution", 0.7);
    let soft = Values::new().number("stiffness", 1e6);
    let h = 1.6 * (1.0 - 0.7) / 0.7;
    let alpha = {
        let l = 0.7_f64.ln();
        -(5.0_f64).sqrt() * l / (std::f64::consts::PI.powi(2) + l * l).sqrt()
    };
    let ratio = 9.0 * 5.0_f64.sqrt() * (1.0 - 0.49)
        / (1.4 * (0.7 * (9.0 * std::f64::consts::PI - 16.0) + 16.0));
    let word = |values: &Values, word: Separation| values.clone().word("separation", word.name());
    let pairs = [
        ("hertz", stiff.clone(), law(ZeroForce, hertz)),
        (
            "flores",
            asked.clone(),
            law(ZeroForce, move |at| hertz(at) * (1.0 + h * at.rate / at.v0)),
        ),
        (
            "flores",
            asked.clone(),
            law(ZeroIndentation, move |at| {
                hertz(at) * (1.0 + h * at.rate / at.v0)
            }),
        ),
        (
            "hunt-crossley",
            asked.clone().number("exponent", 1.3),
            law(ZeroForce, |at| {
                K * at.delta.powf(1.3) * (1.0 + 0.45 * at.rate / at.v0)
            }),
        ),
        (
            "kelvin-voigt",
            word(&soft.clone().number("damping", 100.0), ZeroForce),
            law(ZeroForce, |at| 1e6 * at.delta + 100.0 * at.rate),
        ),
        (
            "kelvin-voigt",
            word(&soft.clone().number("damping", 100.0), ZeroIndentation),
            law(ZeroIndentation, |at| 1e6 * at.delta + 100.0 * at.rate),
        ),
        (
            "kelvin-voigt",
            word(&soft.clone().number("damping", 1000.0), ZeroForce),
            law(ZeroForce, |at| 1e6 * at.delta + 1000.0 * at.rate),
        ),
        (
            "tsuji",
            word(&asked, ZeroIndentation),
            law(ZeroIndentation, move |at| {
                hertz(at) + alpha * (at.mass * K).sqrt() * at.delta.powf(0.25) * at.rate
            }),
        ),
        (
            "tsuji",
            word(&asked, ZeroForce),
            law(ZeroForce, move |at| {
                hertz(at) + alpha * (at.mass * K).sqrt() * at.delta.powf(0.25) * at.rate
            }),
        ),
        // A corner at rate zero, and a jump.
        (
            "jankowski",
            asked.clone(),
            law(ZeroIndentation, move |at| {
                hertz(at)
                    + 2.0 * ratio * (at.mass * K).sqrt() * at.delta.powf(0.25) * at.rate.max(0.0)
            }),
        ),
        (
            "kelvin-voigt-switched",
            soft.clone().number("unloading_factor", 0.49),
            law(ZeroIndentation, |at| {
                at.delta * if at.rate >= 0.0 { 1e6 } else { 0.49e6 }
            }),
        ),
    ];
    for (id, values, mine) in pairs {
        let theirs = catalogue(id, &values);
        let name = format!("{id} {:?}", mine.separation());
        assert_same(&name, &run(&mine), &run(&theirs), 1e-9);
        // The quick way, too.
        let touch = mine.touch(V0, MASS).expect("begins");
        let free = Lab::new(1e-12).expect("sound").free("own", &touch);
        let e = free.expect("parts").restitution;
        assert!((e - run(&theirs).restitution).abs() < 1e-9, "{name}: {e}");
    }
}

#[test]
fn both_parts_of_the_force_are_those_of_the_catalogue() {
    let values = Values::new()
        .number("stiffness", K)
        .number("restitution", 0.7);
    let theirs = catalogue("hunt-crossley", &values)
        .touch(V0, MASS)
        .expect("begins");
    let mine = law(Separation::ZeroForce, |at| {
        hertz(at) * (1.0 + 0.45 * at.rate / at.v0)
    });
    let mine = mine.touch(V0, MASS).expect("begins");
    for (delta, rate) in [(1e-6, 0.2), (1e-5, 0.0), (7e-6, -0.2), (0.0, 0.3)] {
        let s = State::new(delta, rate);
        let (a, b) = (mine.force(&s), theirs.force(&s));
        assert!((a.elastic - b.elastic).abs() <= 1e-14 * b.elastic, "{s:?}");
        assert!((a.dissipative - b.dissipative).abs() <= 1e-14 * b.elastic);
        assert!((mine.stored(delta) - theirs.stored(delta)).abs() <= 1e-13 * theirs.stored(delta));
    }
    // Beyond separation the force goes on as at touch: a number.
    assert_eq!(mine.force(&State::new(-1e-6, -0.2)).total(), 0.0);
    assert!((mine.elastic_depth() / theirs.elastic_depth() - 1.0).abs() < 1e-13);
    assert_eq!(mine.coefficient(), None);
    assert_eq!(mine.limit(), f64::INFINITY);
    assert!(!mine.reads_time() && !mine.has_own());
}

#[test]
fn the_restitution_asked_for_reaches_the_force_at_every_speed() {
    let force = |at: &At| {
        let h = closed::exact_hysteresis(at.restitution);
        hertz(at) * (1.0 + h * at.rate / at.v0)
    };
    let table = Restitution::Table(vec![(0.1, 0.9), (0.5, 0.5)]);
    let law = Law::own(own(force), Separation::ZeroForce, Some(table)).expect("sound");
    let run = run(&law);
    assert!(run.requested.is_some_and(|e| (e - 0.7).abs() < 1e-15));
    assert!((run.restitution - 0.7).abs() < 1e-9, "{}", run.restitution);
    assert!(law.touch(0.6, MASS).is_err());
    // Without one the force is no number: that is said as what it is.
    let faults = Law::own(own(force), Separation::ZeroForce, None).expect_err("needs one");
    assert!(
        matches!(
            &faults[..],
            [Fault::Missing {
                name: "restitution",
                ..
            }]
        ),
        "{faults:?}"
    );
    let hidden = own(|at| hertz(at) * (1.0 + at.restitution.max(0.1) * at.rate / at.v0));
    assert!(Law::own(hidden, Separation::ZeroForce, None).is_err());
}

#[test]
fn a_law_that_relaxes_is_followed_in_time_and_its_account_closes() {
    // As jian: c (1 − e^(−t/T)) √δ v beside Hertz.
    let slow = law(Separation::ZeroForce, |at| {
        hertz(at) + 3e4 * (1.0 - (-at.time / 2e-5).exp()) * at.delta.sqrt() * at.rate
    });
    let touch = slow.touch(V0, MASS).expect("begins");
    assert!(touch.reads_time());
    let full = run(&slow);
    let free = Lab::new(1e-12).expect("sound").free("own", &touch);
    let e = free.expect("parts").restitution;
    assert!(
        (full.restitution - e).abs() < 1e-9,
        "{} {e}",
        full.restitution
    );
    assert!(e > 0.5 && e < 0.999, "{e}");
    // A spring that softens while it is held: what it loses shows as heat.
    let soft = law(Separation::ZeroForce, |at| {
        hertz(at) * (0.6 + 0.4 * (-at.time / 5e-5).exp())
    });
    let soft = run(&soft);
    assert!(soft.restitution < 0.99, "{}", soft.restitution);
    assert!(soft.energy_residual.abs() < 1e-9 * 0.5 * MASS * V0 * V0);
}

#[test]
fn what_no_law_may_do_is_refused_with_the_place_and_the_number() {
    let refused: [(&str, fn(&At) -> f64); 9] = [
        ("a finite number", |at| (at.delta - 1e-3).sqrt()),
        ("a finite number", |at| 1e6 * at.delta / (at.delta - 0.1)),
        ("0 where neither", |at| 5.0 + 1e6 * at.delta),
        ("≥ 0 from 1 nm", |at| {
            1e6 * at.delta * (1.0 - 50.0 * at.delta)
        }),
        ("≥ 0 while the bodies approach", |at| {
            1e6 * at.delta - 100.0 * at.rate
        }),
        ("≤ 0 while they part", |at| {
            1e6 * at.delta * (1.0 + at.rate.abs() / at.v0)
        }),
        ("≤ 0 while they part", |at| {
            1e6 * at.delta * if at.rate < 0.0 { 1.1 } else { 1.0 }
        }),
        ("never growing", |at| 1e6 * at.delta * (1.0 + at.time)),
        ("> 0", |at| 1e3 * at.delta * at.rate),
    ];
    for (words, force) in refused {
        let faults = Law::own(own(force), Separation::ZeroForce, None).expect_err(words);
        let said: Vec<String> = faults.iter().map(Fault::to_string).collect();
        let said = said.join("\n");
        assert!(said.contains(words), "{words}: {said}");
        assert!(
            said.contains("own: the ") && said.contains("Hint: "),
            "{said}"
        );
        // One fault a promise.
        assert!(faults.len() <= 4, "{said}");
    }
    // The whole sentence, once.
    let wrong = own(|at| 1e6 * at.delta - 4.0 * at.rate);
    let faults = Law::own(wrong, Separation::ZeroForce, None).expect_err("pulls");
    assert_eq!(
        faults[0].to_string(),
        "own: the force at delta = 0 m, rate = 0.001 m/s (v0 = 1 m/s, mass = 1 kg) = -0.004 [N], but must be ≥ 0 while the bodies approach. \
         Hint: a force that pulls while the bodies approach draws them in; is the sign of a term in `rate` right (> 0 approaching)?"
    );
}

#[test]
fn what_is_only_peculiar_is_no_fault() {
    let peculiar: [fn(&At) -> f64; 5] = [
        // It pulls while the bodies part.
        |at| hertz(at) + 1e5 * at.delta.sqrt() * at.rate,
        // Tension is cut off.
        |at| (1e6 * at.delta + 100.0 * at.rate).max(0.0),
        // A dead zone, and a spring that softens with depth.
        |at| 1e6 * (at.delta - 1e-4).max(0.0),
        |at| 1e3 * (at.delta * 1e3).tanh(),
        // Friction of its own.
        |at| 1e6 * at.delta * (1.0 + 0.2 * (at.rate / 1e-3).tanh()),
    ];
    for (i, force) in peculiar.into_iter().enumerate() {
        for separation in [Separation::ZeroForce, Separation::ZeroIndentation] {
            let law =
                Law::own(own(force), separation, None).unwrap_or_else(|f| panic!("{i}: {f:?}"));
            let run = run(&law);
            assert!(
                run.restitution > 0.1 && run.restitution <= 1.0 + 1e-9,
                "{i}"
            );
            assert!(
                run.energy_residual.abs() < 1e-7 * 0.5 * MASS * V0 * V0,
                "{i}: {run:?}"
            );
        }
    }
}

#[test]
fn a_law_of_ones_own_has_a_card_that_is_none_of_the_catalogue() {
    let law = law(Separation::ZeroIndentation, hertz);
    let card = law.card();
    assert_eq!((card.id, card.family), ("own", Family::Own));
    assert!(contact::cards().all(|c| c.id != "own") && contact::find("own").is_err());
    assert_eq!(contact::cards().count(), 55);
    assert!(!Family::ALL.contains(&Family::Own));
    assert!(!card.can_calibrate() && !card.validity.is_empty() && !card.notes.is_empty());
    assert!(
        !card.citation.to_string().contains('0'),
        "{}",
        card.citation
    );
    assert_eq!(law.as_own().map(Own::text), Some("as in the test"));
    assert_eq!(law, law.clone());
    let touch = law.touch(V0, MASS).expect("begins");
    assert_eq!(touch, touch.clone());
    // It is made with its force only.
    let bare = Law::new(card, &Values::new(), None, Calibration::Published).expect("sound");
    assert!(
        bare.touch(V0, MASS)
            .expect_err("no force")
            .to_string()
            .contains("Law::own")
    );
}

#[test]
fn what_cannot_be_asked_of_it_is_refused_in_words() {
    let fault = Own::check_calibration(Calibration::Exact).expect_err("cannot");
    assert!(fault.to_string().starts_with("own cannot be calibrated: "));
    assert!(Own::check_calibration(Calibration::Published).is_ok());
    let faults = Law::own(own(hertz), Separation::PermanentIndentation, None).expect_err("cannot");
    assert!(
        faults[0]
            .to_string()
            .contains("zero-force, zero-indentation")
    );
    let wrong = Law::own(
        own(hertz),
        Separation::ZeroForce,
        Some(Restitution::Number(1.2)),
    );
    assert!(wrong.expect_err("above 1")[0].to_string().contains("1.2"));
    // A force too weak for the mass: no depth.
    let weak = law(Separation::ZeroForce, |at| {
        at.delta * (-at.delta * 1e3).exp()
    });
    let failed = impact::simulate(&weak, 1.0, 1.0, &Accuracy::default()).expect_err("goes through");
    assert!(
        failed.is_input() && failed.to_string().contains("depth"),
        "{failed}"
    );
    // A damper that creeps back for ever.
    let slow = law(Separation::ZeroIndentation, |at| {
        1e6 * at.delta + 1e4 * at.rate
    });
    let failed = impact::simulate(&slow, 1.0, 1.0, &Accuracy::default());
    assert!(
        matches!(failed, Err(Failed::NoSeparation { .. })),
        "{failed:?}"
    );
}

#[test]
fn beginning_a_contact_and_asking_it_allocates_nothing() {
    let law = law(Separation::ZeroForce, |at| {
        hertz(at) * (1.0 + 0.4 * at.rate / at.v0)
    });
    let mut sum = 0.0;
    let counted = allocation_counter::measure(|| {
        let touch = law.touch(V0, MASS).expect("begins");
        let s = State::new(5e-6, -0.1);
        sum = touch.force(&s).total() + touch.separation_guard(&s) + touch.stored(s.delta);
    });
    assert!(sum.is_finite());
    assert_eq!(counted.count_total, 0);
}
