//! Does every contact law keep what its card says? No check here knows a law: all run over the whole list, with inputs made from the cards.

mod draw;
mod formula;
mod scaling;

use std::collections::BTreeMap;

use carom::card::{Fault, Need, Range, Role, Values};
use carom::contact::{
    self, Calibration, Card, Damper, Elastic, Law, RestitutionError, Separation, State, Tension,
    Touch, closed,
};

use draw::{Drawn, Random, Sizes, combinations, drawn, impact};
use formula::{Formula, Names};

/// Every law the papers name, and the few that the wider literature adds.
const IDS: &[&str] = &[
    "hooke",
    "hertz",
    "brandlein",
    "yang-sun",
    "liu",
    "dubowsky-freudenstein",
    "goldsmith",
    "esdu-78035",
    //
    "kelvin-voigt",
    "kelvin-voigt-switched",
    "anagnostopoulos",
    "goyal",
    //
    "hunt-crossley",
    "herbert-mcwhannell",
    "lee-wang",
    "lankarani-nikravesh",
    "gonthier",
    "exact-restitution",
    "khatiwada",
    "yu",
    "zhiying-qishao",
    "flores",
    "hu-guo",
    "zhang",
    "safaeifar-farshidianfar",
    "gharib-hurmuzlu",
    "wang",
    "profile",
    "carvalho-martins",
    //
    "poursina-nikravesh",
    "tsuji",
    "jankowski",
    "kuwabara-kono",
    "brilliantov-1996",
    "brilliantov-2015",
    "zheng",
    "ristow",
    "schafer",
    "falcon",
    "bordbar-hyppanen",
    "alizadeh",
    "choi",
    "log-damped",
    "simbody-hunt-crossley",
    //
    "goldsmith-plastic",
    "lankarani-nikravesh-plastic",
    "thornton",
    "yigit",
    "yigit-linear",
    "walton-braun",
    //
    "xiong",
    "jian",
    "roy-carretero",
    "gonthier-volumetric",
    "luo-nahon",
];

/// Other names, with the law they must find.
const ALIASES: &[(&str, &str)] = &[
    ("butcher-segalman", "goyal"),
    ("marhefka-orin", "hunt-crossley"),
    ("gonthier-exact", "exact-restitution"),
    ("zhang-sharf", "exact-restitution"),
    ("ye", "flores"),
    ("lee-hermann", "ristow"),
];

/// Laws that hide a unit in a number, with the words in which their card must say so.
const HIDDEN_UNITS: &[(&str, &str)] = &[("goldsmith", "unit of length"), ("wang", "(m/s)^(1/3)")];

/// Laws that are not elastic at restitution 1, with the words in which their card must say so.
const NOT_ELASTIC_AT_ONE: &[(&str, &str)] = &[("gharib-hurmuzlu", "at cr = 1")];

/// All that a card says in sentences.
fn prose(card: &Card) -> String {
    [card.validity, card.notes, card.erratum, card.memory].join(" ")
}

/// Collects what is wrong over all laws, so that one law does not hide another.
struct Wrongs(Vec<String>);

impl Wrongs {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn check(&mut self, right: bool, what: impl FnOnce() -> String) {
        if !right && self.0.len() < 60 {
            self.0.push(what());
        }
    }

    fn end(self) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}

/// Whether a test that comes in two lengths runs the long one.
fn full() -> bool {
    std::env::var_os("CAROM_FULL").is_some_and(|v| v == "1")
}

/// Runs a check for every card; a panic inside counts as a wrong of that card.
fn for_every_card(
    check: impl Fn(&'static Card, &mut Random, &mut Wrongs) + std::panic::RefUnwindSafe,
) {
    let mut wrongs = Wrongs::new();
    for card in contact::cards() {
        let found = std::panic::catch_unwind(|| {
            let mut wrongs = Wrongs::new();
            check(card, &mut Random::new(card.id), &mut wrongs);
            wrongs.0
        });
        match found {
            Ok(found) => wrongs.0.extend(found.into_iter().take(3)),
            Err(panic) => {
                let said = panic
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).into()));
                wrongs
                    .0
                    .push(format!("{}: {}", card.id, said.unwrap_or_default()));
            }
        }
    }
    wrongs.end();
}

#[test]
fn every_law_of_the_catalogue_is_there_once() {
    let mut wrongs = Wrongs::new();
    let mut seen = BTreeMap::new();
    for card in contact::cards() {
        for name in card.aliases.iter().chain([&card.id]) {
            wrongs.check(seen.insert(*name, card.id).is_none(), || {
                format!("{}: the name {name} is there twice", card.id)
            });
            let typed = !name.is_empty()
                && !name.starts_with('-')
                && !name.ends_with('-')
                && !name.contains("--")
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            wrongs.check(typed, || format!("{}: the name {name:?}", card.id));
        }
        wrongs.check(IDS.contains(&card.id), || {
            format!("{} is not in the list of this test", card.id)
        });
    }
    for id in IDS {
        wrongs.check(contact::find(id).is_ok_and(|c| c.id == *id), || {
            format!("{id} is missing")
        });
    }
    for (alias, id) in ALIASES {
        wrongs.check(contact::find(alias).is_ok_and(|c| c.id == *id), || {
            format!("{alias} does not find {id}")
        });
    }
    wrongs.end();
}

#[test]
fn no_field_of_a_card_is_left_out() {
    for_every_card(|card, _, wrongs| {
        let cite = &card.citation;
        for (field, text) in [
            ("id", card.id),
            ("authors", cite.authors),
            ("title", cite.title),
            ("journal", cite.journal),
            ("equation", cite.equation),
            ("formula", card.formula),
            ("memory", card.memory),
            ("validity", card.validity),
            ("notes", card.notes),
        ] {
            wrongs.check(!text.trim().is_empty(), || {
                format!("{}: no {field}", card.id)
            });
        }
        wrongs.check((1600..2100).contains(&cite.year), || {
            format!("{}: year {}", card.id, cite.year)
        });
        wrongs.check(card.group <= 5, || {
            format!("{}: group {}", card.id, card.group)
        });
        wrongs.check(!card.separations.is_empty(), || {
            format!("{}: when do the bodies part?", card.id)
        });
        // Whoever takes a restitution says how far off it is; whoever takes none says that.
        let takes = card.restitution().is_some();
        let none = card.restitution_error == RestitutionError::TakesNone;
        let sometimes = card
            .restitution()
            .is_some_and(|p| p.need == Need::Sometimes);
        wrongs.check(takes != none || sometimes, || {
            format!(
                "{}: takes a restitution: {takes}, says: {}",
                card.id, card.restitution_error
            )
        });
        for (i, p) in card.parameters.iter().enumerate() {
            let rest = &card.parameters[i + 1..];
            wrongs.check(!rest.iter().any(|q| q.name == p.name), || {
                format!("{}: two parameters {}", card.id, p.name)
            });
            wrongs.check(!rest.iter().any(|q| q.symbol == p.symbol), || {
                format!("{}: two symbols {}", card.id, p.symbol)
            });
            let typed = !p.name.is_empty()
                && p.name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            wrongs.check(typed, || format!("{}: parameter {:?}", card.id, p.name));
            wrongs.check(!p.symbol.is_empty() && !p.about.is_empty(), || {
                format!("{}: {} is not documented", card.id, p.name)
            });
            let default_fits = match p.need {
                Need::Default(value) => p.range.contains(value),
                Need::Unless(others) => others
                    .iter()
                    .all(|o| card.parameters.iter().any(|q| q.name == *o)),
                _ => true,
            };
            wrongs.check(default_fits, || {
                format!("{}: {} needs {:?}", card.id, p.name, p.need)
            });
            let stands = Formula::read(card.formula).is_ok_and(|f| f.names().contains(p.symbol));
            wrongs.check(stands || p.need == Need::Sometimes, || {
                format!("{}: {} does not stand in the formula", card.id, p.symbol)
            });
        }
        for choice in card.choices {
            wrongs.check(choice.words.len() > 1, || {
                format!("{}: {} leaves no choice", card.id, choice.name)
            });
            for (word, about) in choice.words {
                wrongs.check(!word.is_empty() && !about.is_empty(), || {
                    format!("{}: {} {word:?} is not documented", card.id, choice.name)
                });
            }
        }
    });
}

#[test]
fn units_of_all_parameters_can_be_read() {
    for_every_card(|card, random, wrongs| {
        let values = drawn(card, &combinations(card)[0], &[], false, random).values;
        let mut symbols = draw::symbols(card, &values);
        // An exponent that was not given still has its place in a unit.
        for p in card.parameters.iter().filter(|p| p.unit.is_empty()) {
            symbols.entry(p.symbol.into()).or_insert(1.0);
        }
        for p in card.parameters {
            if let Err(wrong) = draw::CONTACT.factor(p.unit, &symbols) {
                wrongs.check(false, || format!("{}: {}: {wrong}", card.id, p.name));
            }
        }
    });
}

/// All that a formula may name: the state, what the code makes of it, and the parameters, which come before the others where they share a symbol.
fn names(drawn: &Drawn, touch: &Touch, s: &State) -> Names {
    let mut names = Names::new();
    let mut set = |name: &str, value: f64| names.insert(name.into(), value);
    set("δ", s.delta);
    set("v", s.rate);
    set("v0", drawn.v0);
    set("m", drawn.mass);
    set("t", s.time);
    set("F", touch.force(s).total());
    if let Ok(Some(e)) = drawn.law.requested(drawn.v0) {
        set("cr", e);
    }
    if touch.has_own() {
        set("a", s.own);
        set("adot", touch.own_rate(s));
    }
    if touch.switch_guard(s).is_some() {
        let memory = touch.memory();
        set("loading", f64::from(memory.loading));
        set(
            "δm",
            memory
                .deepest
                .max(if memory.loading { s.delta } else { 0.0 }),
        );
    }
    match *touch.damper() {
        Damper::Factor { per_speed } => {
            set("h", per_speed * drawn.v0);
        }
        Damper::Power { c, .. } | Damper::Approach { c, .. } | Damper::Signed { c, .. } => {
            set("c", c);
        }
        _ => {}
    }
    for (p, value) in drawn.law.values().numbers() {
        names.insert(p.symbol.into(), value);
    }
    names
}

#[test]
fn the_formula_on_the_card_agrees_with_the_code() {
    // With the default words; with others too if the formula names the choice, which then counts 0, 1, … in the order of its words.
    for_every_card(|card, random, wrongs| {
        let formula = match Formula::read(card.formula) {
            Ok(formula) => formula,
            Err(wrong) => return wrongs.check(false, || format!("{}: {wrong}", card.id)),
        };
        let spoken = formula.names();
        for words in combinations(card) {
            let described = words.iter().all(|(name, word)| {
                card.choices
                    .iter()
                    .all(|c| c.name != *name || c.words[0].0 == *word || spoken.contains(c.name))
            });
            if !described {
                continue;
            }
            let mut told = [0, 0];
            for _ in 0..60 {
                let drawn = drawn(card, &words, &[], false, random);
                if drawn.law.calibration() == Calibration::Exact {
                    continue; // its coefficient comes from a simulated impact
                }
                let absent: Vec<&str> = card
                    .parameters
                    .iter()
                    .filter(|p| drawn.law.values().get(p.name).is_nan())
                    .map(|p| p.symbol)
                    .collect();
                for _ in 0..10 {
                    let (touch, s) = drawn.state(random);
                    let mut names = names(&drawn, &touch, &s);
                    for choice in card.choices {
                        let word = drawn.law.values().word(choice.name);
                        let place = choice.words.iter().position(|w| w.0 == word);
                        names.insert(choice.name.into(), place.unwrap_or(0) as f64);
                    }
                    match formula.check(&names, &absent, 1e-9) {
                        Err(wrong) => {
                            return wrongs.check(false, || {
                                format!("{}: {wrong}\n  {words:?} {s:?} {touch:?}", card.id)
                            });
                        }
                        Ok((_, checked)) => told[usize::from(checked.contains("F"))] += 1,
                    }
                }
            }
            // What was not given may leave the formula without a word now and then, not as a rule.
            wrongs.check(told[1] > 0 && 4 * told[1] >= told[0], || {
                format!("{}: F was told {} times of {told:?}", card.id, told[1])
            });
        }
    });
}

#[test]
fn force_never_pulls_beyond_the_stated_policy() {
    for_every_card(|card, random, wrongs| {
        for words in combinations(card) {
            for _ in 0..12 {
                let drawn = drawn(card, &words, &[], false, random);
                if drawn.touch.elastic_depth() >= drawn.touch.limit() {
                    continue; // the impact would go deeper than the law does
                }
                let seen = impact(&drawn.touch, 1e-9);
                let none = -1e-8 * seen.peak;
                // A force that approaches never pulls; one that parts may where the card keeps tension, or the word for separation gives up the card's own end.
                let may = match card.tension {
                    Tension::Never | Tension::CutOff => false,
                    Tension::EndsContact | Tension::Kept => {
                        drawn.law.separation() == Separation::ZeroIndentation
                    }
                };
                let [approaching, parting] = seen.least;
                wrongs.check(approaching >= none && (may || parting >= none), || {
                    format!(
                        "{}: tension {}, but the force falls to {approaching:e} N approaching and {parting:e} N parting, peak {:e} N: {words:?} {:?}",
                        card.id, card.tension.name(), seen.peak, drawn.touch
                    )
                });
            }
        }
    });
}

#[test]
fn a_stated_tension_is_really_there() {
    // The other side of the check before: a card that keeps tension or ends with it has some to keep, in at least one of many impacts.
    for_every_card(|card, random, wrongs| {
        if matches!(card.tension, Tension::Never | Tension::CutOff) {
            return;
        }
        let mut pulled = false;
        for words in combinations(card) {
            let to_zero = words.contains(&("separation", Separation::ZeroIndentation.name()));
            for _ in 0..10 {
                let drawn = drawn(card, &words, &[], false, random);
                let seen = impact(&drawn.touch, 1e-8);
                let [_, parting] = seen.least;
                pulled |= to_zero && parting < -1e-6 * seen.peak;
                // At the end at zero force the bodies still overlap: beyond it the force would pull.
                let beyond = drawn.touch.force(&State {
                    time: 10.0 * drawn.depth() / drawn.v0,
                    ..State::new(1e-4 * drawn.depth(), -1e-2 * drawn.v0)
                });
                pulled |= !to_zero && beyond.total() < 0.0;
            }
        }
        wrongs.check(pulled, || {
            format!(
                "{}: tension {} but none was seen",
                card.id,
                card.tension.name()
            )
        });
    });
}

#[test]
fn work_over_a_closed_cycle_of_indentation_is_never_negative() {
    // Rates stay within v0: the assumption of the hysteresis family, which otherwise pulls. (The work would still not be negative, but such a cycle belongs to no contact.)
    for_every_card(|card, random, wrongs| {
        for words in combinations(card) {
            for _ in 0..6 {
                let drawn = drawn(card, &words, &[], false, random);
                let depth =
                    (drawn.depth() * random.between(0.2, 1.0)).min(0.9 * drawn.touch.limit());
                let wave = [1.0, 2.0, 3.0].map(|k| {
                    let size = random.between(-0.3, 0.3);
                    (std::f64::consts::TAU * k, size, random.between(0.0, 6.3))
                });
                // δ = depth sin²(πx) (1 + waves)/2, x from 0 to 1, and its derivative by x.
                let shape = |x: f64| {
                    let (s, c) = (std::f64::consts::PI * x).sin_cos();
                    let mut sum = (1.0, 0.0);
                    for (k, size, phase) in wave {
                        sum.0 += size * (k * x + phase).sin();
                        sum.1 += size * k * (k * x + phase).cos();
                    }
                    (
                        0.5 * depth * s * s * sum.0,
                        0.5 * depth * (2.0 * std::f64::consts::PI * s * c * sum.0 + s * s * sum.1),
                    )
                };
                let count = 20_000;
                let step = 1.0 / f64::from(count);
                let fastest = (0..count)
                    .map(|i| shape(f64::from(i) * step).1.abs())
                    .fold(0.0, f64::max);
                let period = fastest / (drawn.v0 * random.log(0.05, 1.0));
                let mut touch = drawn.touch.clone();
                if let Damper::Lag(lag) = touch.damper()
                    && lag.gamma * period < 300.0
                {
                    // Outside the validity that the card states: such a law can give energy away.
                    assert!(
                        card.validity.contains("γ some hundred times"),
                        "{}",
                        card.id
                    );
                    continue;
                }
                let (mut work, mut stored, mut own) = (0.0, 0.0_f64, 0.0);
                let at = |i: i32, own: f64| {
                    let (delta, slope) = shape(f64::from(i) * step);
                    State {
                        delta,
                        rate: slope / period,
                        time: f64::from(i) * step * period,
                        own,
                    }
                };
                for i in 0..=count {
                    let s = at(i, own);
                    // Memory moves at the turns.
                    if touch.switch_guard(&s).is_some_and(|g| g < 0.0) {
                        touch.switch(&s);
                    }
                    work += touch.force(&s).total() * s.rate * period * step;
                    stored = stored.max(drawn.touch.stored(s.delta));
                    if touch.has_own() {
                        // Heun's rule.
                        let first = touch.own_rate(&s);
                        let second = touch.own_rate(&at(i + 1, own + first * period * step));
                        own += 0.5 * (first + second) * period * step;
                    }
                }
                wrongs.check(work >= -1e-9 * stored, || {
                    format!(
                        "{}: a cycle gives {:e} J, {:.1e} of the {stored:e} J stored: {words:?} {:?}",
                        card.id, -work, -work / stored, drawn.touch
                    )
                });
            }
        }
    });
}

#[test]
fn force_scales_exactly_with_metre_kilogram_and_second() {
    for_every_card(|card, random, wrongs| {
        let hidden = HIDDEN_UNITS.iter().find(|h| h.0 == card.id);
        if let Some((_, words)) = hidden {
            wrongs.check(prose(card).contains(words), || {
                format!("{}: the card does not say `{words}`", card.id)
            });
        }
        let mut worst = 0.0_f64;
        for words in combinations(card) {
            for _ in 0..40 {
                let old = drawn(card, &words, &[], false, random);
                let sizes = Sizes {
                    metre: random.log(1e-3, 1e3),
                    kilogram: random.log(1e-3, 1e3),
                    second: random.log(1e-3, 1e3),
                };
                let symbols: Names = old
                    .law
                    .values()
                    .numbers()
                    .map(|(p, value)| (p.symbol.into(), value))
                    .collect();
                let factor = |unit: &str| match sizes.factor(unit, &symbols) {
                    Ok(factor) => factor,
                    Err(wrong) => panic!("{}: {wrong}", card.id),
                };
                let mut values = Values::new();
                for (name, word) in old.values.words() {
                    values.set_word(name, word);
                }
                for (p, value) in old.law.values().numbers() {
                    // Defaults with a unit are numbers of the old metre too.
                    if old.values.get(p.name).is_some() || !p.unit.is_empty() {
                        values.set_number(p.name, value * factor(p.unit));
                    }
                }
                let speed = sizes.metre / sizes.second;
                let touch = Law::new(card, &values, None, Calibration::Published).and_then(|law| {
                    law.touch(old.v0 * speed, old.mass * sizes.kilogram)
                        .map_err(|fault| vec![fault])
                });
                let mut new = match touch {
                    Ok(touch) => touch,
                    Err(_) if hidden.is_some() => {
                        worst = f64::INFINITY;
                        continue;
                    }
                    Err(faults) => {
                        return wrongs.check(false, || {
                            format!("{}: refused in other units: {}", card.id, faults[0])
                        });
                    }
                };
                let (mut touch, mut s) = old.state(random);
                let other = |s: &State, own: f64| State {
                    delta: s.delta * sizes.metre,
                    rate: s.rate * speed,
                    time: s.time * sizes.second,
                    own,
                };
                // The same memory: unloading from the same depth.
                if touch.switch_guard(&s).is_some()
                    && touch.memory().loading != new.memory().loading
                {
                    let turn = State::new(touch.memory().deepest, 0.0);
                    touch = old.touch.clone();
                    touch.switch(&turn);
                    new.switch(&other(&turn, 0.0));
                }
                // The unit of a variable of its own follows from its rate where it is zero.
                let mut own = 0.0;
                if touch.has_own() {
                    let at_zero = State { own: 0.0, ..s };
                    let rates = (
                        touch.own_rate(&at_zero),
                        new.own_rate(&other(&at_zero, 0.0)),
                    );
                    own = s.own * rates.1 / rates.0 * sizes.second;
                    let rate = new.own_rate(&other(&s, own));
                    let expected = touch.own_rate(&s) * rates.1 / rates.0;
                    wrongs.check((rate / expected - 1.0).abs() < 1e-9, || {
                        format!(
                            "{}: its variable's rate is {rate:e}, not {expected:e}",
                            card.id
                        )
                    });
                } else {
                    s.own = 0.0;
                }
                let (a, b) = (touch.force(&s), new.force(&other(&s, own)));
                let newton = factor("N");
                let size = (a.elastic.abs() + a.dissipative.abs()) * newton;
                let apart = (b.elastic - a.elastic * newton)
                    .abs()
                    .max((b.dissipative - a.dissipative * newton).abs())
                    / size;
                if hidden.is_none() {
                    wrongs.check(apart < 1e-11 || size == 0.0, || {
                        format!(
                            "{}: off by {apart:.1e} in other units: {words:?} {:?}",
                            card.id, old.touch
                        )
                    });
                }
                worst = worst.max(apart);
            }
        }
        wrongs.check(hidden.is_none() || worst > 1e-3, || {
            format!("{} scales exactly: it hides no unit", card.id)
        });
    });
}

#[test]
fn restitution_one_gives_the_elastic_law_unless_the_card_says_otherwise() {
    for_every_card(|card, random, wrongs| {
        let Some(parameter) = card.restitution() else {
            return;
        };
        let excepted = NOT_ELASTIC_AT_ONE.iter().find(|e| e.0 == card.id);
        if let Some((_, words)) = excepted {
            wrongs.check(prose(card).contains(words), || {
                format!("{}: the card does not say `{words}`", card.id)
            });
        }
        for words in combinations(card) {
            for _ in 0..20 {
                // With some words a restitution may be of no use: then the law does not ask for it.
                let must: &[&str] = match parameter.need {
                    Need::Sometimes => &[],
                    _ => &[parameter.name],
                };
                let first = drawn(card, &words, must, false, random);
                if first.law.calibration() == Calibration::Exact
                    || first.values.get(parameter.name).is_none()
                {
                    continue;
                }
                let values = first.values.clone().number(parameter.name, 1.0);
                let law = Law::new(card, &values, None, Calibration::Published);
                let touch = match law.as_ref().map(|law| law.touch(first.v0, first.mass)) {
                    Ok(Ok(touch)) => touch,
                    other => return wrongs.check(false, || format!("{}: {other:?}", card.id)),
                };
                let drawn = Drawn { touch, ..first };
                for _ in 0..10 {
                    let (touch, s) = drawn.state(random);
                    let force = touch.force(&s);
                    // What unloads does so along the curve that loaded.
                    let loading = touch.elastic().loading(s.delta);
                    let elastic = force.dissipative == 0.0
                        && (force.elastic - loading).abs() <= 1e-12 * loading;
                    // The damper may be chosen by the name of such a law.
                    let named = |w: &(&str, &str)| NOT_ELASTIC_AT_ONE.iter().any(|e| e.0 == w.1);
                    let not = excepted.is_some() || words.iter().any(named);
                    wrongs.check(elastic != not || not && s.rate == 0.0, || {
                        format!("{}: {force:?} at restitution 1, {loading:e} N loading: {words:?} {s:?} {touch:?}", card.id)
                    });
                }
            }
        }
    });
}

/// The restitution by a closed form, if there is one for this touch, with the tolerance of the form.
#[allow(unreachable_patterns, irrefutable_let_patterns)]
fn by_closed_form(card: &Card, touch: &Touch) -> Option<f64> {
    let zeta = |c: f64, p: f64| {
        let Elastic::Power { k, n } = *touch.elastic() else {
            return None;
        };
        let n = n.value();
        (p == 0.5 * (n - 1.0)).then(|| c / (2.0 * (n + 1.0) * k * touch.mass()).sqrt())
    };
    match *touch.damper() {
        // Whatever the elastic part is.
        Damper::Factor { per_speed } => Some(closed::restitution(per_speed * touch.v0())),
        Damper::Power { c, p } => {
            zeta(c, p.value()).map(|zeta| closed::oscillator_restitution(zeta, touch.separation()))
        }
        Damper::Approach { c, p } => zeta(c, p.value()).map(closed::approach_restitution),
        Damper::Parting { factor } => Some(factor.sqrt()),
        Damper::None if card.family == contact::Family::Elastic => Some(1.0),
        _ => None,
    }
}

#[test]
fn simulated_restitution_equals_the_closed_form() {
    for_every_card(|card, random, wrongs| {
        for words in combinations(card) {
            let mut count = 0;
            for _ in 0..60 {
                let drawn = drawn(card, &words, &[], false, random);
                let Some(expected) = by_closed_form(card, &drawn.touch) else {
                    continue;
                };
                if drawn.touch.elastic_depth() >= drawn.touch.limit() || count >= 12 {
                    continue;
                }
                count += 1;
                let found = impact(&drawn.touch, 1e-12).restitution;
                // A spring that is overdamped never lets go at zero indentation.
                let apart = (found.unwrap_or(0.0) - expected).abs();
                wrongs.check(apart < 1e-9, || {
                    format!("{}: {found:?} simulated, {expected} by the formula, {apart:.1e} apart: {words:?} {:?}", card.id, drawn.touch)
                });
            }
        }
    });
}

#[test]
fn the_restitution_error_on_the_card_is_true() {
    for_every_card(|card, random, wrongs| {
        let Some(parameter) = card.restitution() else {
            return;
        };
        let exact = card.restitution_error == RestitutionError::Exact;
        let worst = matches!(card.restitution_error, RestitutionError::Worst { .. });
        if !exact && !worst {
            return;
        }
        let words = combinations(card).remove(0);
        let base = drawn(card, &words, &[parameter.name], true, random);
        let mut found = (0.0_f64, 0.0);
        for i in 1..=100 {
            let e = f64::from(i) / 100.0;
            if !parameter.range.contains(e) {
                continue;
            }
            let values = base.values.clone().number(parameter.name, e);
            let touch = Law::new(card, &values, None, Calibration::Published)
                .and_then(|law| law.touch(base.v0, base.mass).map_err(|f| vec![f]));
            let touch = match touch {
                Ok(touch) => touch,
                Err(faults) => {
                    return wrongs.check(false, || format!("{} at {e}: {}", card.id, faults[0]));
                }
            };
            let by_form = by_closed_form(card, &touch);
            let returned = by_form
                .or_else(|| impact(&touch, 1e-11).restitution)
                .unwrap_or(0.0);
            let error = returned - e;
            if error.abs() > found.0.abs() {
                found = (error, e);
            }
            let limit = if by_form.is_some() { 1e-10 } else { 1e-8 };
            wrongs.check(!exact || error.abs() <= limit, || {
                format!("{}: exact, but {returned} for {e}", card.id)
            });
        }
        if let RestitutionError::Worst { error, at } = card.restitution_error {
            let right = (found.0 - error).abs() <= 2e-4 && (found.1 - at).abs() <= 0.011;
            wrongs.check(right, || {
                format!(
                    "{}: the card says {error:+} at {at}, it is {:+.4} at {}",
                    card.id, found.0, found.1
                )
            });
        }
    });
}

/// Whether one of the faults names all of these.
fn says(faults: &[Fault], parts: &[&str]) -> bool {
    faults.iter().any(|fault| {
        let said = fault.to_string();
        parts.iter().all(|part| said.contains(part))
    })
}

#[test]
fn values_out_of_range_are_refused_by_name_value_and_range() {
    for_every_card(|card, random, wrongs| {
        let words = combinations(card).remove(0);
        for p in card.parameters {
            let base = draw::values(card, &words, &[p.name], false, random);
            let Range {
                low,
                low_allowed,
                high,
                high_allowed,
            } = p.range;
            let mut bad = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            if low.is_finite() {
                bad.push(if low_allowed { low.next_down() } else { low });
                bad.push(low - 1.0);
            }
            if high.is_finite() {
                bad.push(if high_allowed { high.next_up() } else { high });
                bad.push(high + 1.0);
            }
            for x in bad {
                let values = base.clone().number(p.name, x);
                match Law::new(card, &values, None, Calibration::Published) {
                    Ok(_) => wrongs.check(false, || format!("{}: takes {} = {x}", card.id, p.name)),
                    Err(faults) => {
                        let said = [x.to_string(), format!("{x:e}")].iter().any(|value| {
                            says(&faults, &[card.id, p.name, value, &p.range.to_string()])
                        });
                        wrongs.check(said, || {
                            format!("{}: {} = {x}: {}", card.id, p.name, faults[0])
                        });
                    }
                }
            }
            // The ends themselves are allowed where the card says so.
            for (end, allowed) in [(low, low_allowed), (high, high_allowed)] {
                let values = base.clone().number(p.name, end);
                if !allowed {
                    continue;
                }
                if let Err(faults) = Law::new(card, &values, None, Calibration::Published) {
                    wrongs.check(!says(&faults, &[p.name, &end.to_string()]), || {
                        format!("{}: {} = {end}: {}", card.id, p.name, faults[0])
                    });
                }
            }
        }
        for (v0, mass) in [
            (0.0, 1.0),
            (-1.0, 1.0),
            (f64::NAN, 1.0),
            (f64::INFINITY, 1.0),
            (1.0, 0.0),
            (1.0, f64::NAN),
        ] {
            let law = drawn(card, &words, &[], false, random).law;
            let (name, x) = if v0 == 1.0 {
                ("mass", mass)
            } else {
                ("speed", v0)
            };
            let refused = law
                .touch(v0, mass)
                .is_err_and(|fault| says(&[fault], &[card.id, name, &x.to_string(), "> 0"]));
            wrongs.check(refused, || format!("{}: {name} = {x}", card.id));
        }
    });
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    let all: Vec<&'static str> = contact::cards()
        .flat_map(|card| card.parameters.iter().map(|p| p.name))
        .collect();
    for_every_card(move |card, random, wrongs| {
        let words = combinations(card).remove(0);
        for p in card.parameters {
            let base = draw::values(card, &words, &[p.name], false, random);
            let mut without = Values::new();
            let others: &[&str] = match p.need {
                Need::Unless(others) => others,
                _ => &[],
            };
            for (name, x) in base.numbers() {
                if name != p.name && !others.contains(&name) {
                    without.set_number(name, x);
                }
            }
            if matches!(p.need, Need::Required | Need::Unless(_)) {
                match Law::new(card, &without, None, Calibration::Published) {
                    Ok(_) => {
                        wrongs.check(false, || format!("{}: does without {}", card.id, p.name))
                    }
                    Err(faults) => wrongs
                        .check(says(&faults, &[card.id, p.name, "missing"]), || {
                            format!("{}: without {}: {}", card.id, p.name, faults[0])
                        }),
                }
            }
            // Two ways at once are one too many.
            if !others.is_empty() {
                let mut both = base.clone();
                for other in others {
                    if let Some(q) = card.parameters.iter().find(|q| q.name == *other) {
                        let x = draw::value(card, q, &both, random);
                        both.set_number(other, x);
                    }
                }
                let refused =
                    Law::new(card, &both, None, Calibration::Published).is_err_and(|faults| {
                        let mut named = others.iter().chain([&p.name]);
                        named.any(|name| says(&faults, &[name, "not both"]))
                    });
                wrongs.check(refused, || {
                    format!("{}: {} and {others:?}", card.id, p.name)
                });
            }
        }
        let base = drawn(card, &words, &[], false, random).values;
        let own = |name: &str| card.parameters.iter().any(|p| p.name == name);
        let strange = all
            .iter()
            // A restitution may be asked of every law: what cannot use it leaves it be.
            .filter(|name| !own(name) && **name != "restitution")
            .chain([&"nonsense", &"Stiffness", &""]);
        for name in strange {
            let values = base.clone().number(name, 1.0);
            let refused = Law::new(card, &values, None, Calibration::Published)
                .is_err_and(|faults| says(&faults, &[card.id, &format!("no parameter `{name}`")]));
            wrongs.check(refused, || format!("{}: takes {name}", card.id));
        }
        for choice in card.choices.iter().map(|c| c.name).chain(["separation"]) {
            let values = base.clone().word(choice, "nonsense");
            let refused = Law::new(card, &values, None, Calibration::Published)
                .is_err_and(|faults| says(&faults, &[card.id, choice, "nonsense"]));
            wrongs.check(refused, || {
                format!("{}: takes {choice} = nonsense", card.id)
            });
        }
    });
}

#[test]
fn whatever_is_typed_gives_a_finite_force_or_a_fault() {
    let count = if full() { 100_000 } else { 2_000 };
    for_every_card(move |card, random, wrongs| {
        let all = combinations(card);
        let mut touched = 0;
        for _ in 0..count {
            let words = &all[random.next() as usize % all.len()];
            let mut values = draw::values(card, words, &[], false, random);
            // From one absurd value among sensible ones to nothing but absurd ones.
            let share = random.pick(&[0.0, 0.2, 0.5, 1.0]);
            for p in card.parameters {
                let asked = values.get(p.name).is_some() || random.unit() < 0.1;
                if asked && random.unit() < share {
                    let x = random.wild();
                    values.set_number(p.name, x);
                }
            }
            let mut input = |sensible: f64| {
                if random.unit() < share {
                    random.wild()
                } else {
                    sensible
                }
            };
            let (v0, mass) = (input(0.3), input(0.05));
            let calibration = if random.unit() < 0.2 {
                Calibration::Exact
            } else {
                Calibration::Published
            };
            let Ok(law) = Law::new(card, &values, None, calibration) else {
                continue;
            };
            let Ok(mut touch) = law.touch(v0, mass) else {
                continue;
            };
            touched += 1;
            for _ in 0..8 {
                let mut number = |most: f64| loop {
                    let x = random.wild();
                    if x.abs() <= most {
                        return x;
                    }
                };
                let s = State {
                    delta: number(1.0),
                    rate: number(1e4),
                    time: number(1e4).abs(),
                    own: if touch.has_own() { number(1.0) } else { 0.0 },
                };
                let force = touch.force(&s);
                let fine = force.elastic.is_finite()
                    && force.dissipative.is_finite()
                    && force.total().is_finite();
                wrongs.check(fine, || {
                    format!("{}: {force:?} at {s:?} of {touch:?}", card.id)
                });
                let guards = [
                    touch.separation_guard(&s),
                    touch.switch_guard(&s).unwrap_or(0.0),
                    touch.own_rate(&s),
                    touch.limit(),
                    touch.elastic_depth(),
                ];
                wrongs.check(!guards.iter().any(|g| g.is_nan()), || {
                    format!("{}: guards {guards:?} at {s:?} of {touch:?}", card.id)
                });
                if touch.switch_guard(&s).is_some_and(|g| g <= 0.0) {
                    touch.switch(&s);
                }
            }
        }
        // The check is about forces, not only about refusals.
        wrongs.check(touched > count / 20, || {
            format!("{}: only {touched} of {count} came to a force", card.id)
        });
    });
}

#[test]
fn drawing_reaches_every_parameter_of_every_card() {
    for_every_card(|card, random, wrongs| {
        let mut seen = BTreeMap::new();
        for words in combinations(card) {
            for _ in 0..60 {
                for (p, _) in drawn(card, &words, &[], false, random).values.numbers() {
                    seen.insert(p.to_string(), ());
                }
            }
        }
        for p in card.parameters {
            // What the exact calibration solves for is not needed where there is one.
            let reached = seen.contains_key(p.name) || p.role == Role::Damping;
            wrongs.check(reached, || {
                format!("{}: {} was never drawn", card.id, p.name)
            });
        }
    });
}

#[test]
fn a_contact_that_no_float_can_hold_is_refused_at_touch() {
    // Each of these is in its range alone. Before, the force was infinite or, at zero indentation, not a number.
    for (stiffness, v0, mass) in [
        (4.7e9, 2.2e-308, 0.05),
        (1.7e308, 0.3, 0.05),
        (4.7e9, 1e200, 0.05),
        (4.7e9, 1e-200, 0.05),
        (4.7e9, 0.3, f64::MAX),
    ] {
        let card = contact::find("hunt-crossley").expect("a law");
        let values = Values::new()
            .number("stiffness", stiffness)
            .number("restitution", 0.5);
        let law = Law::new(card, &values, None, Calibration::Published).expect("in range");
        match law.touch(v0, mass) {
            Err(fault) => {
                let said = fault.to_string();
                assert!(said.contains("too far apart for the arithmetic"), "{said}");
            }
            Ok(touch) => {
                // The largest mass is still a contact.
                assert_eq!(mass, f64::MAX, "{touch:?}");
                assert!(touch.force(&State::new(0.0, 1e4)).total() == 0.0);
            }
        }
    }
}
