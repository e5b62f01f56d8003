//! Does every text give its number to the last bit, or an error that helps?

use super::*;
use proptest::prelude::*;

fn of(unit: &str) -> Dimension {
    Dimension::of(unit, &[]).unwrap_or_else(|e| panic!("{unit}: {e}"))
}

fn si(text: &str) -> f64 {
    parse_any(text).unwrap_or_else(|e| panic!("{e}")).0
}

fn said(text: &str, unit: &str) -> String {
    match parse(text, of(unit)) {
        Ok(value) => panic!("{text} was read as {value}"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn quantities_as_people_write_them_are_read_to_the_last_bit() {
    for (text, unit, value) in [
        ("0.3 m/s", "m/s", 0.3),
        ("9.5 mm", "m", 0.0095),
        ("-10 mm", "m", -0.01),
        ("−10 mm", "m", -0.01),
        ("0.1 mm", "m", 1e-4),
        ("207 GPa", "Pa", 207e9),
        ("207GPa", "Pa", 207e9),
        ("5.5e9 N/m^1.5", "N/m^(3/2)", 5.5e9),
        ("5.5×10^9 N/m^1.5", "N/m^(3/2)", 5.5e9),
        ("5.5 GN/m^(3/2)", "N/m^1.5", 5.5e9),
        ("2 N s/m", "N s/m", 2.0),
        ("2 N·s/m", "kg/s", 2.0),
        ("2 N*s/m", "kg/s", 2.0),
        ("2 N s m^-1", "kg/s", 2.0),
        ("2 N s/(m^2)", "Pa s", 2.0),
        ("2 mPa s", "Pa s", 0.002),
        ("7850 kg/m^3", "kg/m^3", 7850.0),
        ("7.85 g/cm³", "kg/m^3", 7850.0),
        ("7.85 t/m3", "kg/m^3", 7850.0),
        ("46 g", "kg", 0.046),
        ("150 us", "s", 150e-6),
        ("150 µs", "s", 150e-6), // the micro sign
        ("150 μs", "s", 150e-6), // the Greek letter
        ("1e-3in", "m", 2.54e-5),
        ("1 in", "m", 0.0254),
        ("12 ft", "m", 3.6576),
        ("1 lb", "kg", 0.45359237),
        ("1 lbf", "N", 4.4482216152605),
        ("2 bar", "Pa", 2e5),
        ("3 t", "kg", 3000.0),
        ("1.5 min", "s", 90.0),
        ("2 h", "s", 7200.0),
        ("50 %", "", 0.5),
        ("36 km/h", "m/s", 10.0),
        ("1 N/mm^1.5", "N/m^1.5", 1e4 * 10_f64.sqrt()),
        ("9.81 m s⁻²", "m/s^2", 9.81),
        ("9.81 m s-2", "m/s**2", 9.81),
        ("3 (mm)^2", "m^2", 3e-6),
        ("3 (N/mm)^2/N", "N/m^2", 3e6),
        ("100 1/s", "1/s", 100.0),
        ("100/s", "Hz", 100.0),
        ("1 rad", "rad", 1.0),
        (".5 m", "m", 0.5),
        ("2. m", "m", 2.0),
        ("+2 m", "m", 2.0),
        ("0 mm", "m", 0.0),
        ("1", "m", 1.0),
        ("  6.6101984e10 ", "N/m^1.5", 6.6101984e10),
    ] {
        let read = parse(text, of(unit));
        assert_eq!(read, Ok(value), "{text}");
    }
}

#[test]
fn angles_and_quotients_are_read_within_two_roundings() {
    use std::f64::consts::PI;
    // 1 psi = 6894.757293168361… Pa (lbf and inch are exact).
    for (text, unit, value) in [
        ("5000 rpm", "rad/s", 5000.0 * PI / 30.0),
        ("35.21 deg", "rad", 35.21_f64.to_radians()),
        ("35.21°", "rad", 35.21_f64.to_radians()),
        ("1 rev/min", "rad/s", PI / 30.0),
        ("180 deg/s", "rad/s", PI),
        ("1 psi", "Pa", 6894.757293168361),
        ("30 ksi", "Pa", 3e4 * 6894.757293168361),
        ("1 lbf/in^2", "Pa", 6894.757293168361),
        ("1 N m/deg", "N m/rad", 180.0 / PI),
    ] {
        let read = parse(text, of(unit)).unwrap_or_else(|e| panic!("{e}"));
        assert!((read / value - 1.0).abs() < 4e-16, "{text}: {read}");
    }
}

#[test]
fn a_decimal_with_a_prefix_is_the_nearest_double_where_multiplying_is_not() {
    // SplitMix64; the reference is the standard library's reading of the shifted decimal, which is correctly rounded.
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let units = [
        ("mm", -3),
        ("um", -6),
        ("cm", -2),
        ("km", 3),
        ("GPa", 9),
        ("MN", 6),
        ("g", -3),
        ("mm^2", -6),
        ("g/cm^3", 3),
        ("N/mm^3", 9),
        ("kN/mm", 6),
    ];
    let mut multiplying_missed = 0;
    for _ in 0..20_000 {
        let (unit, tens) = units[(random() % units.len() as u64) as usize];
        let whole = random() % 10_u64.pow(1 + (random() % 6) as u32);
        let places = (random() % 8) as usize;
        let fraction = random() % 10_u64.pow(places as u32);
        let number = format!("{whole}.{fraction:0places$}");
        let exact: f64 = format!("{number}e{tens}").parse().expect("a decimal");
        assert_eq!(si(&format!("{number} {unit}")), exact, "{number} {unit}");
        let factor: f64 = format!("1e{tens}").parse().expect("a power of ten");
        let multiplied = number.parse::<f64>().expect("a decimal") * factor;
        multiplying_missed += usize::from(multiplied != exact);
    }
    assert!(multiplying_missed > 2_000, "{multiplying_missed}");
    // Forty digits do not fit the integer arithmetic; they are still read.
    assert_eq!(si("0.1000000000000000000000000000000000000000 mm"), 1e-4);
}

#[test]
fn the_units_of_the_cards_have_the_dimensions_of_their_formulas() {
    let with = |unit, names: &[(&str, f64)]| {
        Dimension::of(unit, names).unwrap_or_else(|e| panic!("{unit}: {e}"))
    };
    assert_eq!(with("", &[]), Dimension::NONE);
    // K δ^n and χ δ^γ v are forces.
    for n in [1.0, 1.08, 1.5, 2.0] {
        let force = with("N/m^n", &[("n", n)]).times(Dimension::LENGTH, n);
        assert!(force.fits(of("N")), "{n}");
        let force = with("N s/m^(1+γ)", &[("γ", n)])
            .times(Dimension::LENGTH, n)
            .times(Dimension::SPEED, 1.0);
        assert!(force.fits(of("N")), "{n}");
        // 4πμ δ |v|^nl (Corral et al. 2021, eq. 5.17).
        let force = with("N s^nl/m^(1+nl)", &[("nl", n)])
            .times(Dimension::LENGTH, 1.0)
            .times(Dimension::SPEED, n);
        assert!(force.fits(of("N")), "{n}");
    }
    assert_eq!(
        with("s/m^λ", &[("λ", 1.5)]),
        Dimension::new(-1.5, 0.0, 1.0, 0.0)
    );
    assert_eq!(of("Pa s"), Dimension::new(-1.0, 1.0, -1.0, 0.0));
    assert_eq!(of("1/s"), Dimension::new(0.0, 0.0, -1.0, 0.0));
    assert!(matches!(
        Dimension::of("N/m^q", &[("n", 1.5)]),
        Err(QuantityError::Malformed { why: Malformed::UnknownName(name), .. }) if name == "q"
    ));
    assert!(Dimension::of("N/m^n", &[("n", f64::NAN)]).is_err());
}

#[test]
fn the_unit_of_a_dimension_can_be_read_back() {
    for unit in [
        "1",
        "m",
        "m/s",
        "N/m",
        "N/m^1.5",
        "N s/m",
        "kg/m^3",
        "Pa",
        "rad/s",
        "N m/rad",
        "m^2.5",
        "N s/m^1.25",
        "kg m^-0.5 s^-1",
        "s/m^1.5",
    ] {
        let dimension = of(unit);
        assert!(
            of(&dimension.unit()).fits(dimension),
            "{unit}: {}",
            dimension.unit()
        );
    }
    assert_eq!(of("N/m^1.5").to_string(), "a contact stiffness [N/m^1.5]");
}

#[test]
fn errors_name_the_text_both_kinds_and_a_way_out() {
    assert_eq!(
        said("9.5 mm", "m/s"),
        "`9.5 mm` is a length [m], but a speed [m/s] is expected. Hint: give it in m/s, or as a plain number, which is taken as SI"
    );
    assert!(
        said("5.5e9 N/m", "N/m^1.5")
            .contains("a linear stiffness [N/m], but a contact stiffness [N/m^1.5]")
    );
    assert!(said("50 Hz", "rad/s").contains("angles must be named"));
    assert!(said("50 rpm", "1/s").contains("angles must be named"));
    assert!(said("207 gpa", "Pa").contains("`gpa` is not known. Hint: did you mean GPa"));
    assert!(said("3 mms", "m").contains("did you mean"));
    assert!(said("3 furlong", "m").contains("`furlong` is not known. Hint: m, g, s"));
    assert!(said("1,5 mm", "m").contains("the decimal sign is a point"));
    assert!(said("1 000 mm", "m").contains("second number"));
    assert!(said("1 kg/m s", "Pa s").contains("write kg/(m s) or kg s/m"));
    assert!(said("1 N/m^3/2", "N/m^1.5").contains("^(3/2)"));
    assert!(said("1 N/(m", "N/m").contains("add `)`"));
    assert!(said("1 m^", "m").contains("breaks off"));
    assert!(said("1 m^(1/0)", "m").contains("between -64 and 64"));
    assert!(said("1 m^n", "m").contains("write the number"));
    assert!(said("mm", "m").contains("does not begin with a number"));
    assert!(said("  ", "m").contains("missing"));
}

#[test]
fn nothing_infinite_or_not_a_number_comes_out() {
    for text in [
        "nan",
        "NaN",
        "inf",
        "-inf",
        "infinity",
        "1e999",
        "-1e999",
        "1e309",
        "1e308 km",
        "1e-400",
        "1e-330 m",
        "1e99999999999999999999999 m",
        "1e-99999999999999999999999",
        "1 km^64 km^64",
    ] {
        let e = parse_any(text);
        assert!(
            matches!(
                e,
                Err(QuantityError::NotANumber { .. } | QuantityError::OutOfReach { .. })
            ),
            "{text}: {e:?}"
        );
    }
    assert_eq!(si("0e99999999999999999999999 km"), 0.0);
    assert_eq!(si("1e-310 km"), 1e-307);
}

#[test]
fn deep_and_long_texts_are_refused_or_read_quickly() {
    for text in [
        format!("1 {}", "(".repeat(100_000)),
        format!("1 m^{}", "(".repeat(100_000)),
        format!("1 m^{}1", "-".repeat(100_000)),
        format!("1 {}m{}", "(".repeat(16), ")^2".repeat(16)),
        "1".repeat(100_000),
        "m".repeat(100_000),
        format!("1 {}", "m".repeat(100_000)),
    ] {
        match parse_any(&text) {
            Ok((value, _)) => assert!(value.is_finite()),
            Err(e) => assert!(e.to_string().chars().count() < 400),
        }
    }
    let (value, dimension) =
        parse_any(&format!("1 {}", "mm ".repeat(50_000))).unwrap_or((0.0, None));
    assert!(value == 0.0 && dimension.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_at_all_is_a_finite_number_or_an_error(text in "\\PC*") {
        if let Ok((value, _)) = parse_any(&text) {
            prop_assert!(value.is_finite());
        }
        let _ = Dimension::of(&text, &[("n", 1.5)]);
    }

    #[test]
    fn any_text_of_the_right_letters_is_a_finite_number_or_an_error(text in "[-+0-9.eE]{0,6} ?[mgsNPakMGµ1rd°%/*^()·²³⁻ .0-9n+-]{0,16}") {
        if let Ok((value, _)) = parse_any(&text) {
            prop_assert!(value.is_finite());
        }
        if let Err(e) = Dimension::of(&text, &[("n", 1.5)]) {
            prop_assert!(!e.to_string().is_empty());
        }
    }
}

#[test]
fn numbers_are_shown_with_the_prefix_a_person_would_choose() {
    for (value, unit, digits, shown) in [
        (1.396e-5, "m", 4, "13.96 µm"),
        (334.5733064, "N", 6, "334.573 N"),
        (151.7499931e-6, "s", 5, "151.75 µs"),
        (6.6101984e10, "N/m^1.5", 8, "66.101984 GN/m^1.5"),
        (5.5e9, "N/m^1.5", 4, "5.5 GN/m^1.5"),
        (0.3, "m/s", 3, "300 mm/s"),
        (-0.01, "m", 3, "-10 mm"),
        (0.046, "kg", 3, "46 g"),
        (5e-5, "kg", 3, "50 mg"),
        (1234.5, "kg", 3, "1230 kg"),
        (7850.0, "kg/m^3", 4, "7850 kg/m^3"),
        (207e9, "Pa", 3, "207 GPa"),
        (999.96e-6, "m", 4, "1 mm"),
        (7200.0, "s", 3, "7200 s"),
        (0.0, "m", 3, "0 m"),
        (0.7679997891, "", 4, "0.768"),
        (1.5e-7, "", 3, "1.5e-7"),
        (3e-6, "m^2", 3, "3e-6 m^2"),
        (1.5e-20, "m", 3, "1.5e-20 m"),
        (f64::INFINITY, "m", 3, "∞ m"),
        (f64::NAN, "", 3, "NaN"),
        (5e-324, "m", 3, "4.94e-324 m"),
        (100.0, "1/s", 3, "100 1/s"),
    ] {
        assert_eq!(pretty(value, unit, digits), shown);
    }
}

#[test]
fn what_is_shown_can_be_read_back() {
    let mut x = 1.234567e-11_f64;
    while x < 1e14 {
        for unit in ["m", "N/m^1.5", "kg", "Pa", "kg/m^3"] {
            let shown = pretty(x, unit, 17);
            assert_eq!(parse(&shown, of(unit)), Ok(x), "{shown}");
        }
        x *= 7.3;
    }
}

#[test]
fn newton_metres_are_read_as_engineers_write_them() {
    for (text, value) in [
        ("3 Nm", 3.0),
        ("3 kNm", 3e3),
        ("3 Nmm", 3e-3),
        ("3 mNm", 3e-3),
        ("3 Ncm", 3e-2),
    ] {
        assert_eq!(parse(text, of("N m")), Ok(value), "{text}");
    }
}

#[test]
fn units_that_are_written_out_are_told_their_symbols() {
    for (unit, symbol) in [("degrees", "deg"), ("turn", "rev"), ("turns", "rev")] {
        let said = parse_any(&format!("1 {unit}")).expect_err("no symbol");
        let said = said.to_string();
        assert!(said.ends_with(&format!("did you mean {symbol}?")), "{said}");
    }
}
