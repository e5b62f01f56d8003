//! Does every law of friction keep what its card says?
//!
//! The first half runs over all cards and knows none of them; the second compares single laws with closed forms.

mod formula;
mod scaling;

use carom::card::{Fault, Need, Parameter, Values};
use carom::friction::{self, Card, Law, Quantity, Sliding, Tangential};
use formula::{Formula, Names};

/// Numbers that look random and are the same every time (splitmix64, Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        10_f64.powf(self.between(low, high))
    }

    fn signed(&mut self, low: f64, high: f64) -> f64 {
        let x = self.magnitude(low, high);
        if self.bits() & 1 == 0 { x } else { -x }
    }

    fn of(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

fn full() -> bool {
    std::env::var_os("CAROM_FULL").is_some_and(|v| v == "1")
}

/// Values that the card accepts: each number log-uniform over six decades, orders kept, every third default left alone, words at random.
fn good_values(card: &'static Card, dice: &mut Dice) -> Values {
    let mut values = Values::new();
    for p in card.parameters {
        if matches!(p.need, Need::Default(_)) && dice.of(3) == 0 {
            continue;
        }
        let mut x = dice.magnitude(-3.0, 3.0);
        // Exponents of a power, and coefficients, are not that large.
        if p.unit.is_empty() {
            x = dice.magnitude(-2.0, 0.5);
        }
        assert!(p.range.contains(x), "{}: {} = {x}", card.id, p.name);
        values.set_number(p.name, x);
    }
    for order in card.orders {
        if let (Some(low), Some(high)) = (values.get(order.low), values.get(order.high)) {
            values.set_number(order.low, low.min(high));
            values.set_number(order.high, low.max(high));
        }
    }
    for choice in card.choices {
        values.set_word(choice.name, choice.words[dice.of(choice.words.len())].0);
    }
    values
}

fn good_law(card: &'static Card, dice: &mut Dice) -> Law {
    Law::new(card, &good_values(card, dice)).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A moment of sliding whose state is one that an accepted step can have.
fn good_sliding(law: &Law, dice: &mut Dice) -> Sliding {
    let mut at = Sliding {
        speed: dice.signed(-5.0, 4.0),
        normal: dice.magnitude(-3.0, 5.0),
        state: 0.0,
    };
    if law.has_state() {
        let longest = law.accept_state(&Sliding { state: 1e300, ..at });
        // On the limit itself, too: that is where laws slip.
        let part = match dice.of(4) {
            0 => 1.0,
            1 => -1.0,
            _ => dice.between(-1.0, 1.0),
        };
        at.state = part * longest;
    }
    at
}

/// Calls `check` with every card and many random laws and moments.
fn everywhere(count: usize, mut check: impl FnMut(&Law, &Sliding)) {
    let count = if full() { 10 * count } else { count };
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(k as u64);
        for _ in 0..count / 10 {
            let law = good_law(card, &mut dice);
            for _ in 0..10 {
                check(&law, &good_sliding(&law, &mut dice));
            }
        }
    }
}

fn force(law: &Law, at: &Sliding) -> f64 {
    match law.force(at) {
        Tangential::Force(force) => force,
        Tangential::Stick { .. } => panic!("{} sticks at {at:?}", law.card().id),
    }
}

fn law(id: &str, numbers: &[(&str, f64)]) -> Law {
    let mut values = Values::new();
    for (name, value) in numbers {
        values.set_number(name, *value);
    }
    let card = friction::find(id).expect("the law is in the catalogue");
    Law::new(card, &values).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn sliding(speed: f64, normal: f64) -> Sliding {
    Sliding {
        speed,
        normal,
        state: 0.0,
    }
}

// ---- all cards ----

#[test]
fn every_friction_law_of_the_catalogue_has_a_card_and_every_name_one_meaning() {
    let ids: Vec<&str> = friction::cards().map(|card| card.id).collect();
    let mut expected = vec![
        "coulomb",
        "rooney-deravi",
        "threlfall",
        "ambrosio",
        "karnopp",
        "modified-karnopp",
        "reset-integrator",
        "linear",
        "tanh",
        "arctan",
        "stribeck",
        "brown-mcphee",
        "hollars",
        "dahl",
        "lugre",
        "tangential-spring",
        "rolling-resistance",
    ];
    let mut sorted = ids.clone();
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected);
    let mut names: Vec<&str> = friction::cards()
        .flat_map(|card| std::iter::once(card.id).chain(card.aliases.iter().copied()))
        .collect();
    let before = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), before, "a name stands for two laws");
    for card in friction::cards() {
        for name in std::iter::once(&card.id).chain(card.aliases) {
            assert_eq!(friction::find(name).map(|found| found.id), Ok(card.id));
        }
    }
}

#[test]
fn an_unknown_law_is_refused_with_the_nearest_names() {
    match friction::find("ambrossio") {
        Err(Fault::UnknownLaw { id, nearest }) => {
            assert_eq!(id, "ambrossio");
            assert_eq!(nearest.first(), Some(&"ambrosio"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_card_is_complete() {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .map(String::from)
            .collect()
    };
    for card in friction::cards() {
        let id = card.id;
        for text in [
            card.citation.authors,
            card.citation.title,
            card.citation.journal,
            card.citation.equation,
            card.formula,
            card.memory,
            card.validity,
            card.notes,
        ] {
            assert!(
                !text.trim().is_empty() && !text.contains("  "),
                "{id}: `{text}`"
            );
        }
        assert!(card.citation.year > 1700, "{id}");
        assert_eq!(card.creep.is_empty(), card.holds_at_rest, "{id}");
        // Every symbol is used: in the formula, or in the words that say where it holds.
        let mut used = words(card.formula);
        assert!(used.contains(&"Ft".to_string()), "{id}");
        used.extend(words(card.validity));
        for p in card.parameters {
            assert!(used.contains(&p.symbol.to_string()), "{id}: {}", p.symbol);
            assert!(!p.about.is_empty(), "{id}: {}", p.name);
            scaling::exponents(p.unit, &|_| None).unwrap_or_else(|e| panic!("{id}: {e}"));
        }
        for name in ["zdot", "znew"] {
            assert_eq!(
                card.formula.contains(&format!("{name} = ")),
                card.state,
                "{id}"
            );
        }
        for choice in card.choices {
            for (word, about) in &choice.words[1..] {
                assert!(!about.is_empty());
                let has = |v: &&(&str, &str, &str)| v.0 == choice.name && v.1 == *word;
                assert!(card.variants.iter().any(|v| has(&v)), "{id}: {word}");
            }
        }
        for order in card.orders {
            for name in [order.low, order.high] {
                assert!(
                    card.parameters.iter().any(|p| p.name == name),
                    "{id}: {name}"
                );
            }
        }
    }
}

#[test]
fn the_formula_on_the_card_agrees_with_the_code() {
    let mut told = std::collections::BTreeMap::new();
    everywhere(2000, |law, at| {
        let id = law.card().id;
        let formula = Formula::read(law.formula()).unwrap_or_else(|wrong| panic!("{id}: {wrong}"));
        let mut names = Names::new();
        let mut set = |name: &str, value: f64| names.insert(name.into(), value);
        set("v", at.speed);
        set("Fn", at.normal);
        set("z", at.state);
        match law.force(at) {
            Tangential::Force(force) => set("Ft", force),
            Tangential::Stick { limit } => set("limit", limit),
        };
        if law.has_state() {
            set("zdot", law.state_rate(at));
            set("znew", law.accept_state(at));
        }
        for (p, value) in law.values().numbers() {
            set(p.symbol, value);
        }
        match formula.check(&names, &[], 1e-9) {
            Ok((_, checked)) => *told.entry(id).or_insert(0) += usize::from(checked.contains("Ft")),
            Err(wrong) => panic!("{id}: {wrong}\n{at:?}"),
        }
    });
    for card in friction::cards() {
        let told = told.get(card.id).copied().unwrap_or(0);
        assert!(told > 100, "{}: its force was told {told} times", card.id);
    }
}

#[test]
fn no_law_gives_back_more_energy_than_was_put_in() {
    let mut seen = 0;
    everywhere(10_000, |law, at| {
        let Tangential::Force(force) = law.force(at) else {
            return;
        };
        let put_in = -force * at.speed;
        let rate = law.state_rate(at);
        // The slope of the stored energy, exact for a parabola.
        let slope = if at.state == 0.0 {
            0.0
        } else {
            law.stored(2.0 * at.state) / (2.0 * at.state)
        };
        let stored = slope * rate;
        if law.has_state() {
            // Sums of terms that cancel: rounding of the largest.
            let parts = stored.abs() + slope.abs() * at.speed.abs() + put_in.abs();
            if law.is_passive() {
                seen += 1;
                assert!(
                    put_in - stored >= -1e-13 * parts,
                    "{}: {put_in} W in, {stored} W stored at {at:?} of {:?}",
                    law.card().id,
                    law.form()
                );
            }
        } else {
            seen += 1;
            assert!(put_in >= 0.0, "{}: {put_in} W at {at:?}", law.card().id);
        }
    });
    assert!(seen > 100_000);
}

#[test]
fn no_force_is_above_its_limit() {
    everywhere(10_000, |law, at| {
        let limit = law.limit(at);
        let size = match law.force(at) {
            Tangential::Force(force) => force.abs(),
            Tangential::Stick { limit } => limit,
        };
        assert!(
            size <= limit * (1.0 + 1e-14),
            "{}: {size} above {limit} at {at:?}",
            law.card().id
        );
        // What an accepted step leaves behind is not moved by another.
        let accepted = law.accept_state(at);
        let again = Sliding {
            state: accepted,
            ..*at
        };
        assert_eq!(law.accept_state(&again), accepted);
    });
}

#[test]
fn force_and_rate_turn_round_with_the_motion() {
    everywhere(3_000, |law, at| {
        let back = Sliding {
            speed: -at.speed,
            state: -at.state,
            ..*at
        };
        match (law.force(at), law.force(&back)) {
            (Tangential::Force(one), Tangential::Force(other)) => assert_eq!(one, -other),
            (one, other) => assert_eq!(one, other),
        }
        assert_eq!(law.state_rate(at), -law.state_rate(&back));
        assert_eq!(law.accept_state(at), -law.accept_state(&back));
    });
}

#[test]
fn laws_do_not_notice_other_units_of_length_mass_and_time() {
    // Powers of two, so that not one bit may differ.
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(1000 + k as u64);
        for _ in 0..300 {
            let new: [f64; 3] = std::array::from_fn(|_| 2_f64.powi(dice.of(21) as i32 - 10));
            let times = |unit: &str| {
                scaling::factor(unit, new, &|_| None).unwrap_or_else(|e| panic!("{e}"))
            };
            let values = good_values(card, &mut dice);
            let mut other = values.clone();
            for p in card.parameters {
                if let Some(value) = values.get(p.name) {
                    other.set_number(p.name, value * times(p.unit));
                }
            }
            let law = Law::new(card, &values).expect("the values are good");
            let scaled = Law::new(card, &other).expect("the values are good");
            let (unit, speed) = (card.quantity.unit(), card.quantity.speed_unit());
            for _ in 0..10 {
                let at = good_sliding(&law, &mut dice);
                let then = Sliding {
                    speed: at.speed * times(speed),
                    normal: at.normal * times("N"),
                    state: at.state * times("m"),
                };
                match (law.force(&at), scaled.force(&then)) {
                    (Tangential::Force(a), Tangential::Force(b)) => {
                        assert_eq!(a * times(unit), b, "{} {values:?} {at:?}", card.id);
                    }
                    (Tangential::Stick { limit: a }, Tangential::Stick { limit: b }) => {
                        assert_eq!(a * times(unit), b, "{}", card.id);
                    }
                    (a, b) => panic!("{}: {a:?} and {b:?}", card.id),
                }
                assert_eq!(law.limit(&at) * times(unit), scaled.limit(&then));
                assert_eq!(law.state_rate(&at) * times("m/s"), scaled.state_rate(&then));
                assert_eq!(law.stored(at.state) * times("J"), scaled.stored(then.state));
            }
            let fraction = dice.between(0.0, 1.1);
            assert_eq!(
                law.creep(fraction).map(|v| v * times(speed)),
                scaled.creep(fraction),
                "{}",
                card.id
            );
        }
    }
}

#[test]
fn a_law_that_holds_has_equilibrium_at_rest_and_one_that_does_not_has_no_force_there() {
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(2000 + k as u64);
        for _ in 0..100 {
            let law = good_law(card, &mut dice);
            let rest = sliding(0.0, dice.magnitude(-2.0, 4.0));
            let load = dice.between(0.0, 0.99) * law.limit(&rest);
            match law.force(&rest) {
                Tangential::Stick { limit } => {
                    assert!(card.holds_at_rest && load < limit, "{}", card.id);
                }
                Tangential::Force(force) if !card.holds_at_rest => {
                    assert!(force == 0.0, "{}: {force}", card.id);
                }
                Tangential::Force(_) => {
                    // Some deflection carries the load, and stays as it is.
                    let at = |state| Sliding { state, ..rest };
                    let (mut low, mut high) = (0.0, law.accept_state(&at(1e300)));
                    for _ in 0..200 {
                        let middle = 0.5 * (low + high);
                        if -force(&law, &at(middle)) < load {
                            low = middle;
                        } else {
                            high = middle;
                        }
                    }
                    let carried = -force(&law, &at(low));
                    assert!((carried - load).abs() <= 1e-12 * load, "{}", card.id);
                    assert_eq!(law.state_rate(&at(low)), 0.0, "{}", card.id);
                }
            }
        }
    }
}

#[test]
fn at_its_creep_speed_a_law_balances_the_load_and_at_no_lower_one() {
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(3000 + k as u64);
        let mut crept = 0;
        for _ in 0..300 {
            let law = good_law(card, &mut dice);
            let fraction = dice.between(0.01, 0.99);
            let normal = 7.0;
            let load = fraction * law.limit(&sliding(0.0, normal));
            match law.creep(fraction) {
                Some(speed) if !card.holds_at_rest => {
                    crept += 1;
                    let error = -force(&law, &sliding(speed, normal)) - load;
                    assert!(error.abs() <= 1e-12 * load, "{}: {error}", card.id);
                    for k in 0..100 {
                        let slower = sliding(speed * k as f64 / 100.0, normal);
                        assert!(-force(&law, &slower) < load, "{}", card.id);
                    }
                }
                Some(speed) => assert_eq!(speed, 0.0, "{}", card.id),
                None => {
                    // No speed does: looked for over 24 decades.
                    assert!(!card.holds_at_rest, "{}", card.id);
                    for k in 0..24_000 {
                        let speed = 10_f64.powf(-12.0 + k as f64 * 1e-3);
                        assert!(-force(&law, &sliding(speed, normal)) < load, "{}", card.id);
                    }
                }
            }
        }
        assert!(card.holds_at_rest || crept >= 100, "{}: {crept}", card.id);
    }
}

#[test]
fn no_speed_balances_more_than_the_limit() {
    everywhere(100, |law, _| {
        let viscous = law.values().get("viscous") > 0.0;
        if law.card().holds_at_rest || !viscous {
            assert_eq!(law.creep(1.01), None, "{}", law.card().id);
        }
        assert_eq!(law.creep(f64::NAN), None);
    });
}

/// Numbers outside the range of a parameter.
fn bad_numbers(p: &Parameter) -> Vec<f64> {
    [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        p.range.low,
        p.range.high,
        p.range.low - 1.0,
        p.range.high + 1.0,
    ]
    .into_iter()
    .filter(|x| !p.range.contains(*x))
    .collect()
}

#[test]
fn a_value_out_of_range_is_refused_with_its_name_itself_and_the_range() {
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(4000 + k as u64);
        for p in card.parameters {
            let bad = bad_numbers(p);
            assert!(bad.len() >= 3);
            for x in bad {
                let mut values = good_values(card, &mut dice);
                for p in card.parameters {
                    // Nothing else may be out of order with the bad value.
                    values.set_number(p.name, values.get(p.name).unwrap_or(1.0));
                }
                values.set_number(p.name, x);
                let faults = Law::new(card, &values).expect_err("the value is bad");
                let said = faults[0].to_string();
                let value = format!("{} = {x}", p.name);
                assert!(
                    said.contains(card.id)
                        && said.contains(&value)
                        && said.contains(&p.range.to_string()),
                    "{said}"
                );
            }
        }
    }
}

#[test]
fn all_faults_are_said_at_once() {
    let card = friction::find("ambrosio").expect("the law is there");
    let values = Values::new()
        .number("v0", 0.01)
        .number("v1", 0.001)
        .number("viscosity", 1.0)
        .word("curve", "published");
    let faults = Law::new(card, &values).expect_err("four things are wrong");
    let said: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said[0].contains("no parameter `viscosity`"), "{said:?}");
    assert!(said[1].contains("no parameter `curve`"), "{said:?}");
    assert!(said[2].contains("`coefficient` is missing"), "{said:?}");
    assert!(
        said[3].contains("v1 = 0.001 [m/s], but must be > v0 = 0.01"),
        "{said:?}"
    );
}

#[test]
fn static_friction_below_kinetic_is_refused_and_equal_is_not() {
    let values = |held: f64| {
        Values::new()
            .number("static_coefficient", held)
            .number("kinetic_coefficient", 0.3)
    };
    let mut seen = 0;
    for card in friction::cards().filter(|card| {
        card.parameters
            .iter()
            .any(|p| p.name == "static_coefficient")
    }) {
        seen += 1;
        let fill = |mut values: Values| {
            for p in card.parameters {
                if p.need == Need::Required && values.get(p.name).is_none() {
                    values.set_number(p.name, 0.5);
                }
            }
            Law::new(card, &values)
        };
        assert!(fill(values(0.3)).is_ok(), "{}", card.id);
        let faults = fill(values(0.2)).expect_err("static is below kinetic");
        assert!(
            faults[0]
                .to_string()
                .contains("static_coefficient = 0.2, but must be ≥ kinetic_coefficient = 0.3"),
            "{}",
            faults[0]
        );
    }
    assert_eq!(seen, 7);
}

#[test]
fn any_input_at_all_gives_a_finite_answer_or_a_fault() {
    const ODD: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        f64::MAX,
        f64::MIN,
        1e-300,
        1e300,
    ];
    let count = if full() { 100_000 } else { 10_000 };
    let any = |dice: &mut Dice| match dice.of(4) {
        0 => ODD[dice.of(ODD.len())],
        1 => f64::from_bits(dice.bits()),
        _ => dice.signed(-9.0, 9.0),
    };
    for (k, card) in friction::cards().enumerate() {
        let mut dice = Dice(5000 + k as u64);
        let (mut refused, mut answered, mut faulty) = (0, 0, 0);
        for _ in 0..count {
            let mut values = good_values(card, &mut dice);
            for p in card.parameters {
                match dice.of(8) {
                    0 => values.set_number(p.name, any(&mut dice)),
                    1 => values.set_number(p.name, dice.magnitude(-300.0, 300.0)),
                    _ => {}
                }
            }
            let at = Sliding {
                speed: any(&mut dice),
                normal: any(&mut dice),
                state: any(&mut dice),
            };
            let Ok(law) = Law::new(card, &values) else {
                refused += 1;
                continue;
            };
            match law.try_force(&at) {
                Ok(Tangential::Force(x) | Tangential::Stick { limit: x }) => {
                    assert!(x.is_finite());
                    answered += 1;
                }
                Err(_) => {
                    // A fault needs a cause: a bad number in, or numbers that overflow.
                    let bad = |x: f64| !(x.abs() < 1e100);
                    assert!(
                        bad(at.speed)
                            || at.normal.is_sign_negative()
                            || bad(at.normal)
                            || bad(at.state)
                            || law
                                .values()
                                .numbers()
                                .any(|(_, x)| x != 0.0 && !(1e-60..1e60).contains(&x)),
                        "{at:?} {values:?}"
                    );
                    faulty += 1;
                }
            }
            // None of these may panic.
            let _ = (
                law.state_rate(&at),
                law.accept_state(&at),
                law.stored(at.state),
                law.limit(&at),
                law.is_passive(),
            );
            if answered % 16 == 0 {
                let _ = law.creep(any(&mut dice));
            }
        }
        assert!(
            refused > count / 50 && answered > count / 10 && faulty > count / 10,
            "{}: {refused} {answered} {faulty}",
            card.id
        );
    }
}

#[test]
fn what_is_not_a_number_is_not_swallowed() {
    everywhere(50, |law, at| {
        for bad in [
            Sliding {
                speed: f64::NAN,
                ..*at
            },
            Sliding {
                normal: f64::NAN,
                ..*at
            },
        ] {
            let (Tangential::Force(x) | Tangential::Stick { limit: x }) = law.force(&bad);
            let unbraked = law.card().id == "ambrosio"
                && at.speed.abs() <= law.values().get("v0")
                && bad.normal.is_nan();
            assert!(x.is_nan() || unbraked, "{}: {x} at {bad:?}", law.card().id);
        }
    });
}

#[test]
fn without_normal_force_there_is_no_friction() {
    everywhere(200, |law, at| {
        for normal in [0.0, -1.0] {
            let at = Sliding { normal, ..*at };
            let (Tangential::Force(x) | Tangential::Stick { limit: x }) = law.force(&at);
            assert!(x == 0.0, "{}: {x}", law.card().id);
            assert_eq!(law.limit(&at), 0.0, "{}", law.card().id);
            assert!(law.accept_state(&at) == 0.0, "{}", law.card().id);
        }
    });
}

#[test]
fn a_law_asked_in_a_loop_allocates_nothing() {
    everywhere(50, |law, at| {
        let used = allocation_counter::measure(|| {
            std::hint::black_box((
                law.force(at),
                law.state_rate(at),
                law.accept_state(at),
                law.stored(at.state),
                law.limit(at),
            ));
        });
        assert_eq!(used.count_total, 0, "{}", law.card().id);
    });
}

// ---- closed forms ----

#[test]
fn threlfall_brakes_where_the_printed_formula_drives() {
    let law = law(
        "threlfall",
        &[("coefficient", 0.5), ("transition_speed", 0.1)],
    );
    // Flores et al. 2006, eq. 15, as printed; `inside` is the speed in the exponent.
    let printed = |v: f64, inside: f64| 0.5 * v.signum() * (1.0 - (-3.0 * inside / 0.1).exp());
    for v in [0.1, 0.01, 2.0, -0.1, -0.05] {
        let ours = force(&law, &sliding(v, 1.0));
        assert!(ours * v < 0.0);
        assert!(
            printed(v, v.abs()) * v > 0.0,
            "the printed law drives the motion"
        );
    }
    // At vr: μ(1 − e⁻³) = 0.475106 N, and not 0.5 N.
    assert!((force(&law, &sliding(0.1, 1.0)) + 0.475_106_465_816).abs() < 1e-12);
    // With a signed speed in the exponent it has no bound, and is another law backwards than forwards.
    assert!(printed(-1.0, -1.0) > 1e12);
    assert_eq!(force(&law, &sliding(-1.0, 1.0)), 0.5 * -(-30_f64).exp_m1());
    assert!(law.card().erratum.is_some());
}

#[test]
fn threlfall_normalised_is_full_friction_from_its_speed_on() {
    let card = friction::find("threlfall").expect("the law is there");
    let values = Values::new()
        .number("coefficient", 0.5)
        .number("transition_speed", 0.1)
        .word("curve", "normalised");
    let law = Law::new(card, &values).expect("the values are good");
    assert_eq!(force(&law, &sliding(0.1, 2.0)), -1.0);
    assert_eq!(force(&law, &sliding(3.0, 2.0)), -1.0);
    let half = (1.0 - (-1.5_f64).exp()) / (1.0 - (-3_f64).exp());
    assert!((force(&law, &sliding(0.05, 2.0)) + half).abs() < 1e-15);
    assert!(law.formula().contains("exp(-3))"));
    assert!((law.creep(1.0).unwrap_or(0.0) - 0.1).abs() < 1e-16);
}

#[test]
fn creep_speeds_are_the_inverse_curves() {
    let q = 0.9_f64;
    let two = |id| law(id, &[("coefficient", 0.3), ("transition_speed", 2e-3)]);
    let creep = |law: &Law| law.creep(q).expect("it creeps");
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-14, "{a} {b}");
    near(creep(&two("linear")), 2e-3 * q);
    // artanh 0.9 = ½ ln 19.
    near(creep(&two("tanh")), 2e-3 * 0.5 * 19_f64.ln());
    near(
        creep(&two("arctan")),
        2e-3 * (0.45 * std::f64::consts::PI).tan(),
    );
    near(creep(&two("threlfall")), 2e-3 * 10_f64.ln() / 3.0);
    for id in ["tanh", "arctan", "threlfall"] {
        assert_eq!(
            two(id).creep(1.0),
            None,
            "{id} reaches full friction nowhere"
        );
    }
    // A block on a slope of 20° with μ = 0.4, v0 = 1 mm/s, v1 = 10 mm/s: 9.19 mm/s.
    let ambrosio = law(
        "ambrosio",
        &[("coefficient", 0.4), ("v0", 1e-3), ("v1", 1e-2)],
    );
    let slope = 20_f64.to_radians();
    let speed = ambrosio.creep(slope.tan() / 0.4).expect("it creeps");
    near(speed, 1e-3 + 9e-3 * slope.tan() / 0.4);
    assert!((speed - 9.19e-3).abs() < 5e-6);
    // And the block, let go at rest, gets there: 1 kg, small steps of Euler's method.
    let mut v = 0.0;
    for _ in 0..200_000 {
        let friction = force(&ambrosio, &sliding(v, 9.81 * slope.cos()));
        v += 1e-5 * (9.81 * slope.sin() + friction);
    }
    // A step of h moves v by h·μFn/(v1 − v0) = 4e-3 of its distance: half a unit in the last place is reached at 1.4e-14 of v.
    assert!((v / speed - 1.0).abs() < 1e-13, "{v} {speed}");
}

#[test]
fn hollars_creeps_at_the_root_of_its_cubic() {
    // Below vt without viscosity x(μd(1+x²) + 2Δ) = qμs(1+x²): with μd = 0, qμs = 0.8Δ: x² − 2.5x + 1 = 0, x = 1/2.
    let law = law(
        "hollars",
        &[
            ("static_coefficient", 0.6),
            ("kinetic_coefficient", 0.0),
            ("transition_speed", 0.04),
        ],
    );
    let speed = law.creep(0.8).expect("it creeps");
    assert!((speed / 0.02 - 1.0).abs() < 1e-14, "{speed}");
    // The peak is exactly μs at vt.
    assert_eq!(force(&law, &sliding(0.04, 1.0)), -0.6);
}

#[test]
fn brown_mcphee_has_its_static_peak_at_the_transition_speed() {
    // x/(x²/4 + 3/4)² has its only maximum, 1, at x = 1: its derivative is ¾(1 − x²)/(x²/4 + 3/4)³. There the law is μd·tanh 4 + μs − μd.
    let (held, kinetic, vt) = (0.5, 0.3, 2e-3);
    let law = law(
        "brown-mcphee",
        &[
            ("static_coefficient", held),
            ("kinetic_coefficient", kinetic),
            ("transition_speed", vt),
        ],
    );
    let at = |v: f64| -force(&law, &sliding(v, 1.0));
    assert!((at(vt) - (held - kinetic * (1.0 - 4_f64.tanh()))).abs() < 1e-15);
    let (peak, place) = (1..40_000)
        .map(|k| (at(k as f64 * 1e-4 * vt), k as f64 * 1e-4))
        .fold(
            (0.0, 0.0),
            |best, here| if here.0 > best.0 { here } else { best },
        );
    // Of the two parts' slopes near 1, −3Δ(x − 1)/2 and 4μd·sech²4: the top stands at 1 + 8μd·sech²4/(3Δ) = 1.0054 to first order.
    assert!((place - 1.0054).abs() < 5e-4, "{place}");
    assert!((peak - held).abs() < 2.1e-4 && peak < held, "{peak}");
    // Far away only kinetic friction is left.
    assert!((at(100.0 * vt) / kinetic - 1.0).abs() < 2e-5);
}

#[test]
fn stribeck_goes_from_nothing_over_static_to_kinetic_and_viscous() {
    let given = [
        ("static_coefficient", 0.5),
        ("kinetic_coefficient", 0.3),
        ("stribeck_speed", 1e-1),
        ("transition_speed", 1e-5),
        ("viscous", 0.02),
    ];
    let law_of = |p: f64| {
        let mut numbers = given.to_vec();
        numbers.push(("exponent", p));
        law("stribeck", &numbers)
    };
    let at = |v: f64, p: f64| -force(&law_of(p), &sliding(v, 1.0));
    for p in [0.5, 1.0, 2.0] {
        // At vs one e-th of the difference is left, whatever p.
        let left = 0.3 + 0.2 * (-1_f64).exp() + 0.02 * 0.1;
        assert!((at(0.1, p) - left).abs() < 1e-15);
        assert!((at(50.0, p) - (0.3 + 0.02 * 50.0)).abs() < 1e-9, "{p}");
        // Slope at rest: μs/vt, the viscous part aside.
        assert!((at(1e-12, 2.0) / (0.5 * 1e-12 / 1e-5) - 1.0).abs() < 1e-6);
    }
    // Between vt and vs, static friction: 1 − (1e-3/1e-1)² of the difference.
    assert!((at(1e-3, 2.0) - 0.5).abs() < 5e-5);
    // The peak, as the card says it: found on a grid.
    let peak = |ratio: f64| {
        let law = law(
            "stribeck",
            &[
                ("static_coefficient", 0.5),
                ("kinetic_coefficient", 0.3),
                ("stribeck_speed", ratio),
                ("transition_speed", 1.0),
            ],
        );
        (1..10_000).fold(0.0, |best: f64, k| {
            best.max(-force(&law, &sliding(k as f64 * 1e-3, 2.0)))
        })
    };
    assert!((peak(10.0) - 0.963).abs() < 5e-4 && (peak(100.0) - 0.999).abs() < 5e-4);
    // The Gaussian is what is taken if no exponent is given.
    assert_eq!(
        force(&law("stribeck", &given), &sliding(0.07, 1.0)),
        -at(0.07, 2.0)
    );
    // With vt far below vs, creep is that of tanh: artanh(q)·vt.
    let creep = law("stribeck", &given).creep(0.5).expect("it creeps");
    assert!((creep / (1e-5 * 0.5_f64.atanh()) - 1.0).abs() < 1e-5);
}

#[test]
fn laws_that_stick_do_so_in_their_band_only() {
    let coulomb = law("coulomb", &[("coefficient", 0.3)]);
    assert_eq!(
        coulomb.force(&sliding(0.0, 10.0)),
        Tangential::Stick { limit: 3.0 }
    );
    assert_eq!(
        coulomb.force(&sliding(-0.0, 10.0)),
        Tangential::Stick { limit: 3.0 }
    );
    assert_eq!(
        coulomb.force(&sliding(1e-300, 10.0)),
        Tangential::Force(-3.0)
    );
    let rooney = law(
        "rooney-deravi",
        &[("coefficient", 0.3), ("dead_band", 0.01)],
    );
    assert_eq!(
        rooney.force(&sliding(-0.0099, 10.0)),
        Tangential::Stick { limit: 3.0 }
    );
    assert_eq!(rooney.force(&sliding(-0.01, 10.0)), Tangential::Force(3.0));
    let two = [
        ("static_coefficient", 0.5),
        ("kinetic_coefficient", 0.25),
        ("dead_band", 0.01),
    ];
    let karnopp = law("karnopp", &two);
    assert_eq!(
        karnopp.force(&sliding(0.0099, 10.0)),
        Tangential::Stick { limit: 5.0 }
    );
    assert_eq!(karnopp.force(&sliding(0.01, 10.0)), Tangential::Force(-2.5));
    // Modified: the limit and the sliding force meet at the edge of the band; one e-th of the difference is left vs further on.
    let smooth = law(
        "modified-karnopp",
        &[&two[..], &[("stribeck_speed", 0.1)]].concat(),
    );
    assert_eq!(smooth.force(&sliding(0.01, 10.0)), Tangential::Force(-5.0));
    let later = force(&smooth, &sliding(0.11, 10.0));
    assert!((later + 2.5 + 2.5 * (-1_f64).exp()).abs() < 1e-14);
}

/// Moves a law at constant speed until its state is steady or the time is over; returns the moment at the end. Heun's method.
fn drag(law: &Law, mut at: Sliding, time: f64, steps: usize) -> Sliding {
    let h = time / steps as f64;
    for _ in 0..steps {
        let first = law.state_rate(&at);
        let second = law.state_rate(&Sliding {
            state: at.state + h * first,
            ..at
        });
        at.state += 0.5 * h * (first + second);
        at.state = law.accept_state(&at);
    }
    at
}

#[test]
fn lugre_slides_steadily_with_its_stribeck_curve() {
    // Canudas de Wit et al. 1995: σ0 = 1e5 N/m, σ1 = √1e5, σ2 = 0.4 N s/m, Fc = 1 N, Fs = 1.5 N, vs = 1 mm/s.
    let law = law(
        "lugre",
        &[
            ("static_coefficient", 1.5),
            ("kinetic_coefficient", 1.0),
            ("stribeck_speed", 1e-3),
            ("stiffness", 1e5),
            ("damping", 1e5_f64.sqrt()),
            ("viscous", 0.4),
        ],
    );
    for v in [1e-4, 5e-4, 1e-3, 3e-3, -2e-3] {
        let g = 1.0 + 0.5 * (-(v / 1e-3_f64).powi(2)).exp();
        // Forty times the bristle's own time g/(σ0·v).
        let end = drag(&law, sliding(v, 1.0), 40.0 * g / (1e5 * v.abs()), 40_000);
        assert!((end.state - v.signum() * g / 1e5).abs() < 1e-15);
        assert!((force(&law, &end) + v.signum() * g + 0.4 * v).abs() < 1e-9);
    }
    // At rest in the middle it is a spring of stiffness σ0.
    let bent = Sliding {
        speed: 0.0,
        normal: 1.0,
        state: 1e-7,
    };
    assert!((force(&law, &bent) + 0.01).abs() < 1e-17);
}

#[test]
fn dahl_follows_its_exponential_whatever_the_speed() {
    // dz/dx = 1 − σ0·z/Fc from z = 0: F = Fc(1 − exp(−σ0·x/Fc)), a function of the path alone.
    let law = law("dahl", &[("coefficient", 0.4), ("stiffness", 1e4)]);
    for speed in [1e-3, 1.0, 50.0] {
        let path = 6e-4;
        let end = drag(&law, sliding(speed, 10.0), path / speed, 20_000);
        let exact = 4.0 * -(-1e4 * path / 4.0_f64).exp_m1();
        assert!((force(&law, &end) + exact).abs() < 1e-8, "{speed}");
    }
}

#[test]
fn lugre_can_hand_out_energy_and_says_so() {
    let given = [
        ("static_coefficient", 0.5),
        ("kinetic_coefficient", 0.25),
        ("stribeck_speed", 1e-3),
        ("stiffness", 1e5),
        ("damping", 100.0),
    ];
    // A bristle bent to μsFn is overrun at a speed at which it bears only μdFn: it springs back at −v, and its damper pushes forwards with σ1·v.
    let at = Sliding {
        speed: 1.0,
        normal: 10.0,
        state: 5.0 / 1e5,
    };
    let without = law("lugre", &given);
    assert!(!without.is_passive());
    let dissipated = |law: &Law| -force(law, &at) * at.speed - 1e5 * at.state * law.state_rate(&at);
    // σ0·z·(v − ż) + σ1·ż·v = 5·2 − 100·1·1 = −90 W.
    assert!((dissipated(&without) + 90.0).abs() < 1e-9);
    // With σ2 = σ1(μs/μd − 1) = σ1 it no longer does: −90 + 100 = 10 W.
    let with = law("lugre", &[&given[..], &[("viscous", 100.0)]].concat());
    assert!(with.is_passive());
    assert!((dissipated(&with) - 10.0).abs() < 1e-9);
}

#[test]
fn lugre_is_passive_while_it_is_slow_without_any_viscous_part() {
    // σ0·a·z² + σ1·ż² + σ1·a·z·ż with a = σ0·abs(v)/g is a form that cannot be negative where σ1·a ≤ 4σ0, that is σ1·abs(v) ≤ 4g.
    let card = friction::find("lugre").expect("the law is there");
    let mut dice = Dice(77);
    let mut seen = 0;
    for _ in 0..20_000 {
        let mut values = good_values(card, &mut dice);
        values.set_number("viscous", 0.0);
        let law = Law::new(card, &values).expect("the values are good");
        let at = good_sliding(&law, &mut dice);
        let get = |name| law.values().get(name);
        let x = at.speed / get("stribeck_speed");
        let (held, kinetic) = (get("static_coefficient"), get("kinetic_coefficient"));
        let g = at.normal * (kinetic + (held - kinetic) * (-x * x).exp());
        if get("damping") * at.speed.abs() > 4.0 * g {
            continue;
        }
        seen += 1;
        let put_in = -force(&law, &at) * at.speed;
        let stored = get("stiffness") * at.state * law.state_rate(&at);
        let parts = put_in.abs() + stored.abs() + get("stiffness") * (at.state * at.speed).abs();
        assert!(
            put_in - stored >= -1e-12 * parts,
            "{put_in} {stored} {at:?}"
        );
    }
    assert!(seen > 5_000, "{seen}");
}

#[test]
fn the_reset_integrator_sticks_stiffer_and_slips_at_kinetic_friction() {
    let law = law(
        "reset-integrator",
        &[
            ("static_coefficient", 0.6),
            ("kinetic_coefficient", 0.4),
            ("stiffness", 1e4),
            ("damping", 5.0),
        ],
    );
    let (normal, z0) = (10.0, 0.4 * 10.0 / 1e4);
    let at = |speed, state| Sliding {
        speed,
        normal,
        state,
    };
    // Sticking: slope (μs/μd)σ0, up to μsFn.
    let slope = (force(&law, &at(0.0, 0.5 * z0)) - force(&law, &at(0.0, 0.25 * z0))) / (0.25 * z0);
    assert!((slope + 1.5e4).abs() < 1e-8);
    assert!((force(&law, &at(0.0, z0 * (1.0 - 1e-12))) + 6.0).abs() < 1e-10);
    assert!((force(&law, &at(0.2, 0.0)) + 5.0 * 0.2).abs() < 1e-15);
    // Slipping: μdFn, no damper, and the deflection stays.
    assert_eq!(force(&law, &at(0.2, z0)), -4.0);
    assert_eq!(law.state_rate(&at(0.2, z0)), 0.0);
    // Turning back bends again.
    assert_eq!(law.state_rate(&at(-0.2, z0)), -0.2);
    let end = drag(&law, at(-0.2, 0.0), 1.0, 100_000);
    assert_eq!((end.state, force(&law, &end)), (-z0, 4.0));
}

#[test]
fn the_tangential_spring_slips_at_its_limit_and_keeps_its_place_under_a_shaking_load() {
    let law = law(
        "tangential-spring",
        &[("coefficient", 0.5), ("stiffness", 1e4), ("damping", 20.0)],
    );
    let at = |speed, state| Sliding {
        speed,
        normal: 10.0,
        state,
    };
    assert_eq!(force(&law, &at(0.0, 1e-4)), -1.0);
    assert_eq!(force(&law, &at(0.1, 1e-4)), -3.0);
    assert_eq!(force(&law, &at(9.0, 1e-4)), -5.0);
    assert_eq!(law.accept_state(&at(9.0, 1.0)), 5e-4);
    assert_eq!(law.accept_state(&at(9.0, -1.0)), -5e-4);
    // 1 kg under 2 ± 2 N, below the limit of 5 N, for 2000 cycles, against Dahl's bristle of the same stiffness. Symplectic Euler.
    let drift = |law: &Law| {
        let (mut x, mut v, mut z) = (0.0, 0.0, 0.0);
        let h = 1e-4;
        let mut after_first = 0.0;
        for k in 0..4_000_000 {
            let t = k as f64 * h;
            let now = at(v, z);
            v += h
                * (2.0 + 2.0 * (10.0 * std::f64::consts::PI * t).sin() + force(law, &now)
                    - 20.0 * v);
            z += h * law.state_rate(&at(v, z));
            z = law.accept_state(&at(v, z));
            x += h * v;
            if k + 1 == 400_000 {
                after_first = x;
            }
        }
        x - after_first
    };
    let kept = drift(&law);
    assert!(kept.abs() < 1e-12, "{kept}");
    let dahl = self::law("dahl", &[("coefficient", 0.5), ("stiffness", 1e4)]);
    let walked = drift(&dahl);
    assert!(walked > 1e-3, "{walked}");
}

#[test]
fn rolling_resistance_is_a_moment() {
    let given = [
        ("coefficient", 0.01),
        ("radius", 0.2),
        ("transition_speed", 0.5),
    ];
    let law_of = |curve: &str| {
        let mut values = Values::new().word("curve", curve);
        for (name, x) in given {
            values.set_number(name, x);
        }
        let card = friction::find("rolling-resistance").expect("the law is there");
        Law::new(card, &values).expect("the values are good")
    };
    let smooth = law_of("tanh");
    assert_eq!(smooth.card().quantity, Quantity::Moment);
    let moment = force(&smooth, &sliding(0.5, 100.0));
    assert!((moment + 0.01 * 0.2 * 100.0 * 1_f64.tanh()).abs() < 1e-16);
    let straight = law_of("linear");
    assert!((force(&straight, &sliding(0.25, 100.0)) + 0.1).abs() < 1e-16);
    assert!((force(&straight, &sliding(-9.0, 100.0)) - 0.2).abs() < 1e-16);
    assert_eq!(straight.creep(0.5), Some(0.25));
}
