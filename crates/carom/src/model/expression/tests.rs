//! Does arithmetic with quantities mean what the page says?

use proptest::prelude::*;

use super::*;

/// Names for the tests: some constants with dimension, some plain, three variables.
struct Names;

const TABLE: [(&str, Symbol); 16] = {
    const fn quantity(value: f64, dimension: Dimension) -> Symbol {
        Symbol::Constant {
            value,
            dimension: Some(dimension),
        }
    }
    const fn variable(index: usize, dimension: Dimension) -> Symbol {
        Symbol::Variable { index, dimension }
    }
    const TURNING: Dimension = Dimension::new(0.0, 0.0, -1.0, 1.0);
    [
        ("r", quantity(0.05, Dimension::LENGTH)),
        ("A", quantity(0.005, Dimension::LENGTH)),
        ("m", quantity(2.0, Dimension::MASS)),
        ("v", quantity(3.0, Dimension::SPEED)),
        ("omega", quantity(100.0, TURNING)),
        ("theta", quantity(0.5, Dimension::ANGLE)),
        ("ratio", quantity(0.5, Dimension::NONE)),
        (
            "rim",
            Symbol::Computed {
                value: 5.0,
                dimension: Dimension::new(1.0, 0.0, -1.0, 1.0),
            },
        ),
        (
            "n",
            Symbol::Constant {
                value: 3.0,
                dimension: None,
            },
        ),
        (
            "a",
            Symbol::Constant {
                value: 7.0,
                dimension: None,
            },
        ),
        (
            "b",
            Symbol::Constant {
                value: 5.0,
                dimension: None,
            },
        ),
        (
            "a-b",
            Symbol::Constant {
                value: 1000.0,
                dimension: None,
            },
        ),
        ("t", variable(0, Dimension::TIME)),
        ("slider.vx", variable(1, Dimension::SPEED)),
        ("left-arm.B.x", variable(2, Dimension::LENGTH)),
        ("left-arm.angle", variable(3, Dimension::ANGLE)),
    ]
};

impl Scope for Names {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        TABLE.iter().find(|e| e.0 == name).map(|e| e.1)
    }
    fn names(&self) -> Vec<String> {
        TABLE.iter().map(|e| e.0.to_string()).collect()
    }
}

fn read(text: &str) -> Expression {
    Expression::parse(text, &Names).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn of(unit: &str) -> Dimension {
    Dimension::of(unit, &[]).unwrap_or_else(|e| panic!("{unit}: {e}"))
}

fn value(text: &str) -> f64 {
    read(text)
        .constant()
        .unwrap_or_else(|| panic!("{text} is constant"))
}

/// All that is said of a text.
fn said(text: &str) -> String {
    match Expression::parse(text, &Names) {
        Ok(e) => panic!("{text} is {e:?}"),
        Err(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            all.join(" | ")
        }
    }
}

fn misfit(text: &str, unit: &str) -> String {
    match read(text).fits(of(unit)) {
        Ok(()) => panic!("{text} fits {unit}"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn operators_bind_as_on_paper() {
    for (text, known) in [
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2^-2^2", 0.0625),
        ("-2^-2", -0.25),
        ("8/4/2", 1.0),
        ("8-4-2", 2.0),
        ("8 - -2", 10.0),
        ("2*-3", -6.0),
        ("1+2*3^2", 19.0),
        ("6/2*3", 9.0),
        ("+5", 5.0),
        ("2−3", -1.0),
        ("2×3·4", 24.0),
        ("max(1, 5, 3) + min(4, 2)", 7.0),
        ("abs(-3) + sign(-7) + sign(0)", 2.0),
        ("step(-1) + step(0)", 1.0),
        ("smoothstep(0.25, 0, 1)", 0.15625),
        ("smoothstep(3, 0, 1) + smoothstep(-3, 0, 1)", 1.0),
        ("smoothstep(2, 4, 0)", 0.5),
        ("smoothstep(2, 2, 2)", 1.0),
        ("floor(-1.5)", -2.0),
        ("log10(1000)", 3.0),
        ("cbrt(-27)", -3.0),
        ("atan2(1, -1)", 0.75 * std::f64::consts::PI),
        ("cos(tau)", 1.0),
        ("1e-3*2.5E2", 0.25),
        ("5.5×10^3", 5500.0),
        (".5 + 2.", 2.5),
        ("-0.0", -0.0),
    ] {
        assert_eq!(value(text).to_bits(), f64::to_bits(known), "{text}");
    }
}

#[test]
fn a_quantity_inside_an_expression_is_rounded_once() {
    // 9.5 times a rounded 0.001 is not the number nearest to 0.0095.
    assert_eq!(value("9.5 mm"), 0.0095);
    assert_eq!(value("-9.5mm"), -0.0095);
    assert_eq!(value("r/2 + 3 mm"), 0.025 + 0.003);
    assert_eq!(value("2*pi*50 Hz"), 2.0 * std::f64::consts::PI * 50.0);
    assert_eq!(value("5.5×10^9 N/m^1.5"), 5.5e9);
}

#[test]
fn a_unit_goes_on_by_blanks_and_by_tight_signs() {
    for (text, unit, known) in [
        ("10 N m", "N m", 10.0),
        ("10 N·m", "N m", 10.0),
        ("5 kg m^2", "kg m^2", 5.0),
        ("5 kg m²", "kg m^2", 5.0),
        ("7850 kg/m3", "kg/m^3", 7850.0),
        ("10 N/m", "N/m", 10.0),
        ("10 N/m^(3/2)", "N/m^1.5", 10.0),
        ("10 m / s", "m/s", 10.0),
        ("10 m /s^2", "m/s^2", 10.0),
        ("50 1/s", "1/s", 50.0),
        ("3 kg/(mm s)", "kg/(m s)", 3000.0),
        ("3 kg / (mm s)", "kg/(m s)", 3000.0),
        ("50 %", "1", 0.5),
        ("180°", "rad", std::f64::consts::PI),
        ("6 mm/2 s", "m/s", 0.003),
        ("4 mm/(2 s)", "m/s", 0.002),
        ("5 mm-2 mm", "m", 0.003),
        ("2 N m*3", "N m", 6.0),
    ] {
        let read = read(text);
        assert_eq!(read.fits(of(unit)), Ok(()), "{text}");
        assert!(
            (read.constant().unwrap_or(f64::NAN) / known - 1.0).abs() < 4e-16,
            "{text}: {read:?}"
        );
    }
}

#[test]
fn between_a_unit_and_a_name_blanks_decide() {
    // There is a parameter m of 2 kg and a variable t.
    for (text, unit, known) in [
        ("10 N/m", "N/m", 10.0),
        ("10 N / m", "N/kg", 5.0),
        ("10 N /m", "N/kg", 5.0),
        ("10 N/(m s)", "N/(m s)", 10.0),
        ("10 N / (m)", "N/kg", 5.0),
        ("10 N*m", "N kg", 20.0),
        ("10*m", "kg", 20.0),
        ("10/m", "1/kg", 5.0),
        ("10 m", "m", 10.0),
        ("2 t", "kg", 2000.0),
        ("10 mm/r", "1", 0.01 / 0.05),
        ("10 mm / r", "1", 0.01 / 0.05),
    ] {
        let read = read(text);
        assert_eq!(read.constant(), Some(known), "{text}");
        assert_eq!(read.fits(of(unit)), Ok(()), "{text}");
    }
    let speed = read("10 m / t");
    assert_eq!((speed.value(&[2.0]), speed.fits(of("m/s"))), (5.0, Ok(())));
}

#[test]
fn names_may_have_a_dash_where_nothing_else_can_be_meant() {
    let state = [1.0, 20.0, 300.0, 4000.0];
    assert_eq!(read("left-arm.B.x-1").value(&state), 299.0);
    assert_eq!(read("left-arm.B.x-left-arm.angle").value(&state), -3700.0);
    assert_eq!(read("slider.vx-t").value(&state), 19.0);
    assert_eq!(value("a - b"), 2.0);
    assert_eq!(
        said("a-b"),
        "`a-b` is a name, and a difference of names as well. Hint: for the difference write `a - b`; for the name, give one of them another"
    );
}

#[test]
fn a_single_quantity_keeps_its_radian_and_arithmetic_counts_it_as_one() {
    for (text, unit) in [
        ("2*pi*50 Hz", "rad/s"),
        ("r*omega", "m/s"),
        ("v/r", "rad/s"),
        ("rim", "m/s"),
        ("-rim", "m/s"),
        ("theta/2", "rad"),
        ("2*theta", "1"),
        ("omega + 5 Hz", "rad/s"),
        ("atan2(r, 3 mm)", "rad"),
        ("theta + 2", "rad"),
        ("omega", "rad/s"),
        ("(-omega)", "rad/s"),
        ("5000 rpm", "rad/s"),
        ("m*r^2*omega^2", "J"),
    ] {
        assert_eq!(read(text).fits(of(unit)), Ok(()), "{text}");
    }
    for (text, unit) in [
        ("50 Hz", "rad/s"),
        ("-50 Hz", "rad/s"),
        ("(50 Hz)", "rad/s"),
        ("omega", "1/s"),
        ("50 rpm", "1/s"),
    ] {
        assert!(
            misfit(text, unit).contains("angles must be named"),
            "{text}"
        );
    }
    // A constant keeps this under its own name.
    assert!(matches!(
        read("2*pi*50 Hz").symbol(),
        Some(Symbol::Computed { .. })
    ));
    assert_eq!(
        read("50 Hz").symbol(),
        Some(Symbol::Constant {
            value: 50.0,
            dimension: Some(of("1/s"))
        })
    );
    assert_eq!(
        read("tau/4").symbol(),
        Some(Symbol::Constant {
            value: std::f64::consts::FRAC_PI_2,
            dimension: None
        })
    );
    assert_eq!(read("t").symbol(), None);
}

#[test]
fn without_unit_or_dimensional_name_everything_is_plain_si() {
    for text in [
        "5",
        "t",
        "100*t",
        "5*sin(100*t) + t^2",
        "-200*slider.vx",
        "n + t + slider.vx",
        "2^t",
        "exp(-t)",
        "ratio*100*t",
        "pi",
        "0",
    ] {
        let plain = read(text);
        assert_eq!(plain.dimension(), None, "{text}");
        assert_eq!(plain.fits(of("N/m^1.5")), Ok(()), "{text}");
    }
    // The variable's dimension counts as soon as one unit stands beside it.
    assert_eq!(read("5 mm/s * t").dimension(), Some(Dimension::LENGTH));
    assert_eq!(read("-200 N s/m * slider.vx").fits(of("N")), Ok(()));
    assert!(misfit("-200*slider.vx + 0 m/s", "N").contains("is a speed [m/s], but a force [N]"));
    assert_eq!(
        read("max(0, r - 3 mm) + 0").dimension(),
        Some(Dimension::LENGTH)
    );
    assert_eq!(read("sqrt(r^2 + A^2)").dimension(), Some(Dimension::LENGTH));
    assert_eq!(read("(r^3)^(1/3)").fits(Dimension::LENGTH), Ok(()));
    assert_eq!(read("r^n").fits(of("m^3")), Ok(()));
    assert_eq!(read("ratio^(t/1 s) * 1 m").fits(Dimension::LENGTH), Ok(()));
}

#[test]
fn constants_and_variables_are_told_apart() {
    let e = read("A*sin(omega*t)");
    assert_eq!((e.constant(), e.uses(0), e.uses(1)), (None, true, false));
    assert_eq!(e.value(&[0.01]), 0.005 * 1.0_f64.sin());
    let e = read(" slider.vx - left-arm.B.x/(1 s) ");
    assert_eq!((e.uses(0), e.uses(1), e.uses(2)), (false, true, true));
    assert_eq!(e.variables(), [1, 2]);
    assert_eq!(e.value(&[9.0, 5.0, 3.0]), 2.0);
    assert!(e.value(&[9.0]).is_nan() && e.value(&[]).is_nan());
    assert_eq!(e.to_string(), "slider.vx - left-arm.B.x/(1 s)");
    let e = read("r*3 + omega*r*1 s");
    assert_eq!(e.constant(), Some(0.05 * 3.0 + 100.0 * 0.05 * 1.0));
    assert_eq!(e.value(&[]), e.constant().unwrap_or(f64::NAN));
}

#[test]
fn what_is_not_a_number_stays_so() {
    for text in [
        "min(t, 1)",
        "max(t, 1)",
        "min(1, t)",
        "max(1, t)",
        "step(t)",
        "sign(t)",
        "abs(t)",
        "smoothstep(t, 0, 1)",
        "smoothstep(0, t, 1)",
        "floor(t)",
        "min(1, 2, t)",
    ] {
        assert!(read(text).value(&[f64::NAN]).is_nan(), "{text}");
        assert!(read(text).jet(f64::NAN)[0].is_nan(), "{text}");
    }
    assert!(read("sqrt(t)").value(&[-1.0]).is_nan());
    assert_eq!(read("1/t").value(&[0.0]), f64::INFINITY);
}

#[test]
fn mistakes_are_told_with_both_sides_and_a_way_out() {
    for (text, sentence) in [
        (
            "",
            "an expression is missing. Hint: write a number, a number with its unit, or arithmetic such as `r/2 + 3 mm`",
        ),
        (
            "2 r",
            "an operator is missing between `2` and `r`. Hint: write `2 * r` if a product is meant",
        ),
        (
            "2pi",
            "an operator is missing between `2` and `pi`. Hint: write `2 * pi` if a product is meant",
        ),
        (
            "1 000",
            "an operator is missing between `1` and `000`. Hint: write `1 * 000` if a product is meant; digits are written without blanks",
        ),
        (
            "207 gpa",
            "`207 gpa`: the unit `gpa` is not known. Hint: did you mean GPa, MPa, Pa, kPa?",
        ),
        (
            "2*",
            "the expression breaks off after `*`. Hint: a number, a name or `(` must follow",
        ),
        ("3*(1+2", "the parenthesis is not closed. Hint: add `)`"),
        (
            "1+2)",
            "`)` closes nothing. Hint: leave it out, or open it with `(`",
        ),
        (
            "1,5",
            "`,` only stands between the arguments of a function. Hint: the decimal sign is a point",
        ),
        (
            "*3",
            "`*` stands where a number, a name or `(` is expected. Hint: something is missing before it",
        ),
        (
            "atan2(1)",
            "atan2 takes 2 arguments, but has 1. Hint: write atan2(y, x)",
        ),
        (
            "sine(1)",
            "there is no function `sine`. Hint: did you mean sin, sinh?",
        ),
        (
            "log(2)",
            "there is no function `log`. Hint: did you mean ln (base e) or log10?",
        ),
        (
            "omga*t",
            "the name `omga` is not known. Hint: did you mean omega?",
        ),
        (
            "slider.v",
            "the name `slider.v` is not known. Hint: did you mean slider.vx?",
        ),
        (
            "10/mm",
            "the name `mm` is not known. Hint: it is a unit: write it behind a number, as in `1 mm`; units go on by blanks, as in `N m`",
        ),
        (
            "2*sin",
            "the name `sin` is not known. Hint: it is a function: write `sin(…)`",
        ),
        (
            "3 $",
            "`$` cannot be read. Hint: an expression is made of numbers with units, names, + - * / ^ ( ) and functions",
        ),
        ("a**2", "`**` cannot be read. Hint: a power is written x^2"),
        (
            "r + 3 s",
            "`r` is a length [m], but `3 s` is a time [s]: they cannot be added. Hint: both must be of one kind; check units and factors",
        ),
        (
            "r - 3",
            "`r` is a length [m], but `3` is a pure number: they cannot be subtracted. Hint: beside quantities a number needs its unit: `3 m`",
        ),
        (
            "n + 3 mm",
            "`n` is a pure number, but `3 mm` is a length [m]: they cannot be added. Hint: beside quantities a number needs its unit: n = \"3 m\"",
        ),
        (
            "max(r, omega)",
            "`r` is a length [m], but `omega` is an angular speed [rad/s]: they cannot be compared. Hint: both must be of one kind; check units and factors",
        ),
        (
            "A*sin(100*t)",
            "the argument of sin, `100*t`, is a time [s], but an angle or a pure number is expected. Hint: multiply the time by a rate with its unit, such as `100 rad/s * t`",
        ),
        (
            "exp(r)",
            "the argument of exp, `r`, is a length [m], but an angle or a pure number is expected. Hint: divide it by a quantity of its kind, such as 1 m",
        ),
        (
            "5*10^9 N/m",
            "the exponent `9 N/m` is a linear stiffness [N/m], but a pure number is expected. Hint: a unit belongs to the number right before it; write a power of ten as 1e9, or set parentheses",
        ),
        (
            "r^(t*omega)",
            "`r` is a length [m], and its exponent `(t*omega)` is not a constant. Hint: only a pure number can have a variable exponent; divide by 1 m",
        ),
        (
            "10 m^n",
            "the power of a unit is a number, written without blanks. Hint: write `m^2` for a unit, or `(10 m)^…` for the whole quantity",
        ),
        (
            "50 s-1",
            "`50 s` is a time [s], but `1` is a pure number: they cannot be subtracted. Hint: a power is written `50 s^-1`; in a difference both need a unit",
        ),
        (
            "10 N/m + 3 N",
            "`10 N/m` is a linear stiffness [N/m], but `3 N` is a force [N]: they cannot be added. Hint: `m` in `10 N/m` is read as the unit; if the name is meant, write `* m` or ` / m` with blanks",
        ),
        (
            "3 + 1/0",
            "`1/0` is not a finite number. Hint: the divisor is 0",
        ),
        (
            "t*sqrt(-r)",
            "`sqrt(-r)` is not a finite number. Hint: it has no real value; check the sign of its parts",
        ),
        (
            "exp(1000)",
            "`exp(1000)` is not a finite number. Hint: it is too large to compute with; check the sizes of its parts",
        ),
        // All at once, and nothing about what they are parts of.
        (
            "1 + omga + (3 foot + r)*sni(2)",
            "the name `omga` is not known. Hint: did you mean omega? | `3 foot`: the unit `foot` is not known. Hint: m, g, s, N, Pa, J, W, Hz, rad with prefixes, and in, ft, lb, lbf, psi, ksi, bar, t, min, h, deg, rev, rpm, % | there is no function `sni`. Hint: did you mean sin?",
        ),
    ] {
        assert_eq!(said(text), sentence, "{text}");
    }
    for (text, unit, sentence) in [
        (
            "50 Hz",
            "rad/s",
            "`50 Hz` is a frequency [1/s], but an angular speed [rad/s] is expected. Hint: angles must be named here: 1 rev = 360 deg = 6.283 rad, and 1 rpm = 0.1047 rad/s",
        ),
        (
            "r",
            "m/s",
            "`r` is a length [m], but a speed [m/s] is expected. Hint: give it in m/s, or as a plain number, which is taken as SI",
        ),
        (
            "r/2",
            "m/s",
            "`r/2` is a length [m], but a speed [m/s] is expected. Hint: check units and factors, or write plain SI numbers throughout",
        ),
        (
            "2 t",
            "s",
            "`2 t` is a mass [kg], but a time [s] is expected. Hint: `t` in `2 t` is read as the unit; if the name is meant, write `* t` or ` / t` with blanks",
        ),
    ] {
        assert_eq!(misfit(text, unit), sentence);
    }
}

#[test]
fn the_span_of_an_error_is_the_part_it_talks_of() {
    for (text, part) in [
        ("1 + (r + 3 s)*2", "(r + 3 s)"),
        ("  2*omga ", "omga"),
        ("t + 1/0", "1/0"),
        ("µ + (2 furlong)*1", "µ"),
        ("A*sin(100*t)", "100*t"),
        ("3*(1+2", "("),
    ] {
        let e = &Expression::parse(text, &Names).expect_err(text)[0];
        assert_eq!(&text[e.span.clone()], part, "{text}: {e}");
    }
    let e = read("  r/2 ").fits(Dimension::TIME).expect_err("a length");
    assert_eq!(e.span, 2..5);
}

#[test]
fn deep_and_long_texts_are_refused_or_read_quickly() {
    let deep = "the expression is too deep";
    for (text, sentence) in [
        ("(".repeat(9_000), deep),
        ("-".repeat(9_000), deep),
        ("2^".repeat(4_500), deep),
        ("sin(".repeat(2_000), deep),
        (format!("{}t{}", "t+(".repeat(60), ")".repeat(60)), deep),
        ("1".repeat(20_000), "20000 bytes"),
        ("x ".repeat(4_000), "missing"),
        ("foo*".repeat(2_000), "breaks off"),
        ("3 foo+".repeat(1_500), "breaks off"),
    ] {
        let found = said(&text);
        assert!(found.contains(sentence), "{found}");
        assert!(found.len() < 20_000);
    }
    // Sums of any length are no deeper than one sum.
    assert_eq!(value(&format!("1{}", "+1".repeat(4_999))), 5000.0);
    assert_eq!(
        read(&format!("t{}", "+t".repeat(4_999))).value(&[1.0]),
        5000.0
    );
    assert_eq!(
        read(&format!("{}t{}", "t+(".repeat(31), ")".repeat(31))).value(&[1.0]),
        32.0
    );
    assert_eq!(
        value(&format!("{}1{}", "(".repeat(64), ")".repeat(64))),
        1.0
    );
}

#[test]
fn derivatives_have_their_known_values() {
    // At corners as the page of `jet` says; elsewhere by hand.
    for (text, x, known) in [
        ("5", 1.0, [5.0, 0.0, 0.0]),
        ("t", 2.0, [2.0, 1.0, 0.0]),
        ("t^3", 2.0, [8.0, 12.0, 12.0]),
        ("t^2", 0.0, [0.0, 0.0, 2.0]),
        ("t^1", 0.0, [0.0, 1.0, 0.0]),
        ("t^0", 0.0, [1.0, 0.0, 0.0]),
        ("1/t", 2.0, [0.5, -0.25, 0.25]),
        ("t^-1", 2.0, [0.5, -0.25, 0.25]),
        ("sqrt(t)", 4.0, [2.0, 0.25, -1.0 / 32.0]),
        ("t^0.5", 4.0, [2.0, 0.25, -1.0 / 32.0]),
        ("t^1.5", 4.0, [8.0, 3.0, 0.375]),
        ("t^t", 1.0, [1.0, 1.0, 2.0]),
        ("exp(2*t)", 0.0, [1.0, 2.0, 4.0]),
        ("abs(t)", 0.0, [0.0, 1.0, 0.0]),
        ("abs(t)", -3.0, [3.0, -1.0, 0.0]),
        ("max(t, 0)", 0.0, [0.0, 1.0, 0.0]),
        ("max(0, t)", 0.0, [0.0, 0.0, 0.0]),
        ("min(t^2, 9)", 2.0, [4.0, 4.0, 2.0]),
        ("step(t)", 0.0, [1.0, 0.0, 0.0]),
        ("sign(t)*t^2", -1.0, [-1.0, 2.0, -2.0]),
        ("floor(t)", 2.0, [2.0, 0.0, 0.0]),
        ("smoothstep(t, 0, 2)", 1.0, [0.5, 0.75, 0.0]),
        ("smoothstep(t, 0, 2)", 0.0, [0.0, 0.0, 0.0]),
        ("smoothstep(t, 0, 2)", 5.0, [1.0, 0.0, 0.0]),
        ("sqrt(0*t)", 3.0, [0.0, 0.0, 0.0]),
        ("atan2(t, 1)", 0.0, [0.0, 1.0, 0.0]),
    ] {
        let jet = read(text).jet(x);
        for (found, known) in jet.iter().zip(known) {
            assert!((found - known).abs() < 1e-15, "{text} at {x}: {jet:?}");
        }
    }
    assert_eq!(read("sqrt(t)").jet(0.0)[1], f64::INFINITY);
    assert!(read("slider.vx").jet(1.0)[0].is_nan());
}

/// A tree that prints itself and knows its value by other means.
#[derive(Clone, Debug)]
enum Tree {
    Number(f64),
    Time,
    Negative(Box<Tree>),
    Binary(char, Box<Tree>, Box<Tree>),
    Whole(Box<Tree>, i32),
    Broken(Box<Tree>, f64),
    Call(&'static str, Box<Tree>),
    Pair(&'static str, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// With as few parentheses as can be; `tight` is how closely the surroundings bind.
    fn text(&self, tight: u8) -> String {
        let (own, text) = match self {
            Tree::Number(x) => (9, format!("{x}")),
            Tree::Time => (9, "t".into()),
            Tree::Negative(a) => (3, format!("-{}", a.text(3))),
            Tree::Binary(sign, a, b) => {
                let own = if matches!(sign, '+' | '-') { 1 } else { 2 };
                (own, format!("{}{sign}{}", a.text(own), b.text(own + 1)))
            }
            Tree::Whole(a, n) => (4, format!("{}^{n}", a.text(5))),
            Tree::Broken(a, p) => (4, format!("{}^{p}", a.text(5))),
            Tree::Call(name, a) => (9, format!("{name}({})", a.text(0))),
            Tree::Pair(name, a, b) => (9, format!("{name}({}, {})", a.text(0), b.text(0))),
        };
        if own < tight {
            format!("({text})")
        } else {
            text
        }
    }

    fn value(&self, t: f64) -> f64 {
        match self {
            Tree::Number(x) => *x,
            Tree::Time => t,
            Tree::Negative(a) => -a.value(t),
            Tree::Binary('+', a, b) => a.value(t) + b.value(t),
            Tree::Binary('-', a, b) => a.value(t) - b.value(t),
            Tree::Binary('*', a, b) => a.value(t) * b.value(t),
            Tree::Binary(_, a, b) => a.value(t) / b.value(t),
            Tree::Whole(a, n) => a.value(t).powi(*n),
            Tree::Broken(a, p) => a.value(t).powf(*p),
            Tree::Call(name, a) => {
                let x = a.value(t);
                match *name {
                    "sin" => x.sin(),
                    "cos" => x.cos(),
                    "tan" => x.tan(),
                    "asin" => x.asin(),
                    "acos" => x.acos(),
                    "atan" => x.atan(),
                    "sinh" => x.sinh(),
                    "cosh" => x.cosh(),
                    "tanh" => x.tanh(),
                    "exp" => x.exp(),
                    "ln" => x.ln(),
                    "log10" => x.log10(),
                    "sqrt" => x.sqrt(),
                    "cbrt" => x.cbrt(),
                    "abs" => x.abs(),
                    "floor" => x.floor(),
                    other => panic!("{other}"),
                }
            }
            Tree::Pair(name, a, b) => {
                let (a, b) = (a.value(t), b.value(t));
                match *name {
                    _ if a.is_nan() || b.is_nan() => f64::NAN,
                    "atan2" => a.atan2(b),
                    "min" if a == b => a,
                    "max" if a == b => a,
                    "min" => a.min(b),
                    "max" => a.max(b),
                    other => panic!("{other}"),
                }
            }
        }
    }
}

/// Value and a bound of its rounding error, for smooth trees: every operation rounds once, and passes on the errors of its parts times its slope.
fn rounded(tree: &Tree, t: f64) -> (f64, f64) {
    let value = tree.value(t);
    let passed = match tree {
        Tree::Number(_) | Tree::Time => 0.0,
        Tree::Negative(a) => rounded(a, t).1,
        Tree::Binary(sign, a, b) => {
            let ((a, e), (b, d)) = (rounded(a, t), rounded(b, t));
            match sign {
                '+' | '-' => e + d,
                '*' => e * b.abs() + d * a.abs(),
                _ => (e + d * (a / b).abs()) / b.abs(),
            }
        }
        Tree::Whole(a, n) => {
            let (a, e) = rounded(a, t);
            f64::from(*n) * (a.abs() + e).powi((*n - 1).max(0)) * e
        }
        Tree::Broken(a, p) => {
            let (a, e) = rounded(a, t);
            (p * a.powf(p - 1.0)).abs() * e
        }
        // On the arguments that smooth trees have, the steepest is tan(sin(…)) with 1/cos²(1) < 4.
        Tree::Call(_, a) => 4.0 * rounded(a, t).1,
        Tree::Pair(_, a, b) => rounded(a, t).1 + rounded(b, t).1,
    };
    // Powers are a few products.
    (value, passed + 4.0 * f64::EPSILON * value.abs())
}

/// Trees; those for derivatives have only functions that are smooth everywhere.
fn trees(smooth: bool) -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        2 => Just(Tree::Time),
        // Small ones for derivatives: differences must not step over whole waves.
        1 => (0_u32..if smooth { 30 } else { 1000 }, if smooth { -1..0 } else { -3..3_i32 })
            .prop_map(|(n, e)| Tree::Number(f64::from(n) * 10_f64.powi(e))),
    ];
    let names: &'static [&'static str] = if smooth {
        &[
            "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln",
            "log10", "sqrt", "cbrt",
        ]
    } else {
        &[
            "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln",
            "log10", "sqrt", "cbrt", "abs", "floor",
        ]
    };
    let signs: &'static [char] = if smooth {
        &['+', '-', '*']
    } else {
        &['+', '-', '*', '/']
    };
    let positive = |a: Box<Tree>| {
        Box::new(Tree::Binary(
            '+',
            Box::new(Tree::Number(1.0)),
            Box::new(Tree::Whole(a, 2)),
        ))
    };
    // An argument at which the function is smooth and not steep.
    let tamed = move |name: &str, a: Box<Tree>| match name {
        "ln" | "log10" | "sqrt" | "cbrt" => positive(a),
        "tan" | "exp" | "sinh" | "cosh" => Box::new(Tree::Call("sin", a)),
        "asin" | "acos" => Box::new(Tree::Binary(
            '*',
            Box::new(Tree::Number(0.5)),
            Box::new(Tree::Call("sin", a)),
        )),
        _ => a,
    };
    leaf.prop_recursive(5, 24, 2, move |inner| {
        let boxed = inner.prop_map(Box::new).boxed();
        prop_oneof![
            boxed.clone().prop_map(Tree::Negative),
            (
                proptest::sample::select(signs),
                boxed.clone(),
                boxed.clone()
            )
                .prop_map(|(sign, a, b)| Tree::Binary(sign, a, b)),
            (boxed.clone(), if smooth { 0..4 } else { -4..5_i32 })
                .prop_map(|(a, n)| Tree::Whole(a, n)),
            (boxed.clone(), -2.5_f64..2.5)
                .prop_map(move |(a, p)| { Tree::Broken(if smooth { positive(a) } else { a }, p) }),
            (proptest::sample::select(names), boxed.clone()).prop_map(move |(name, a)| Tree::Call(
                name,
                if smooth { tamed(name, a) } else { a }
            )),
            (
                proptest::sample::select(if smooth {
                    &["/", "atan2"][..]
                } else {
                    &["atan2", "min", "max"][..]
                }),
                boxed.clone(),
                boxed
            )
                .prop_map(move |(name, a, b)| match name {
                    "/" => Tree::Binary('/', a, positive(b)),
                    name => Tree::Pair(name, a, if smooth { positive(b) } else { b }),
                }),
        ]
    })
}

fn sound(text: &str) -> Result<(), TestCaseError> {
    match Expression::parse(text, &Names) {
        Ok(e) => {
            prop_assert!(e.constant().is_none_or(f64::is_finite));
            if let Some(constant) = e.constant() {
                prop_assert_eq!(e.value(&[]).to_bits(), constant.to_bits());
            }
            let _ = (
                e.value(&[0.5, -1.0, 2.0, 3.0]),
                e.jet(0.5),
                e.fits(Dimension::ANGLE),
            );
        }
        Err(all) => {
            prop_assert!(!all.is_empty());
            for e in all {
                prop_assert!(text.get(e.span.clone()).is_some(), "{:?} {}", e.span, e);
                prop_assert!(!e.message.is_empty() && e.to_string().chars().count() < 600);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_expression_is_read_with_the_same_value(tree in trees(false), t in -3.0_f64..3.0) {
        let text = tree.text(0);
        match Expression::parse(&text, &Names) {
            Ok(e) => {
                let (found, known) = (e.value(&[t]), tree.value(t));
                prop_assert!(found.to_bits() == known.to_bits() || found.is_nan() && known.is_nan(), "{}: {} {}", text, found, known);
                let jet = e.jet(t)[0];
                prop_assert!(jet.to_bits() == known.to_bits() || jet.is_nan() && known.is_nan(), "{}: {} {}", text, jet, known);
            }
            Err(all) => for e in all {
                prop_assert!(e.message.ends_with("is not a finite number"), "{}: {}", text, e);
            },
        }
    }

    #[test]
    fn derivatives_agree_with_differences_of_five_points(tree in trees(true), t in -1.5_f64..1.5) {
        let text = tree.text(0);
        let e = match Expression::parse(&text, &Names) {
            Ok(e) => e,
            Err(_) => return Err(TestCaseError::reject("a constant part is too large")),
        };
        let f = |x: f64| e.value(&[x]);
        let first = |h: f64| (f(t - 2.0 * h) - 8.0 * f(t - h) + 8.0 * f(t + h) - f(t + 2.0 * h)) / (12.0 * h);
        let second = |h: f64| (-f(t - 2.0 * h) + 16.0 * f(t - h) - 30.0 * f(t) + 16.0 * f(t + h) - f(t + 2.0 * h)) / (12.0 * h * h);
        let h = 1e-3;
        let [_, d1, d2] = e.jet(t);
        let noise = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| rounded(&tree, t + k * h).1).into_iter().fold(0.0, f64::max);
        // The formulas lose h^4: what halving h changes is fifteen times what is left, where it is small at all. The weights of the second sum up to 64/12.
        let left = [(first(h) - first(0.5 * h)).abs(), (second(h) - second(0.5 * h)).abs()];
        let rounding = [2.0 * noise / (0.5 * h), 6.0 * noise / (0.25 * h * h)];
        prop_assume!(left[0] < 1e-4 * (1.0 + first(h).abs()) && left[1] < 1e-4 * (1.0 + second(h).abs()));
        prop_assert!((first(0.5 * h) - d1).abs() <= left[0] + rounding[0], "{} at {}: {} {}", text, t, first(0.5 * h), d1);
        prop_assert!((second(0.5 * h) - d2).abs() <= left[1] + rounding[1], "{} at {}: {} {}", text, t, second(0.5 * h), d2);
    }

    #[test]
    fn any_text_at_all_is_an_expression_or_an_error(text in "\\PC*") {
        sound(&text)?;
    }

    #[test]
    fn any_row_of_words_is_an_expression_or_an_error(words in proptest::collection::vec(proptest::sample::select(&[
        "1", "2.5", "0", "1e300", "3e", " ", " ", "+", "-", "*", "/", "^", "(", ")", ",", "·", "−", "²", "m", "mm", "N", "rad/s", "s", "1/s", "%", "°", "t", "r", "n", "omega", "a-b",
        "left-arm.angle", "slider.vx", "sin(", "min(", "atan2(", "smoothstep(", "pi", "foo", ".", "_", "µ", "é", "\t", "×10^", "$",
    ][..]), 0..24)) {
        sound(&words.concat())?;
    }
}

#[test]
fn breaks_are_the_first_numbers_behind_jumps_and_corners() {
    let breaks = |text: &str, start: f64, end: f64| read(text).breaks(start, end);
    let two = |text: &str| breaks(text, 0.0, 2.0).expect("not many");
    assert_eq!(two("sin(t) + exp(-t)"), [0.0; 0]);
    assert_eq!(two("step(t - 0.5 s)"), [0.5]);
    assert_eq!(two("step(0.5 s - t)"), [0.5_f64.next_up()]);
    assert_eq!(two("sign(t - 0.3 s)"), [0.3, 0.3_f64.next_up()]);
    assert_eq!(two("abs(t - 1 s) + max(t, 0.7 s, 0.2 s)"), [0.7, 1.0]);
    assert_eq!(two("min(0.7 s, t)"), [0.7]);
    assert_eq!(two("min(t, 0.7 s)"), [0.7_f64.next_up()]);
    assert_eq!(
        two("floor(4*t/(1 s))"),
        [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]
    );
    assert_eq!(
        two("smoothstep(t, 0.25 s, 0.5 s)"),
        [0.25_f64.next_up(), 0.5]
    );
    assert_eq!(two("smoothstep(t, 0.25 s, 0.25 s)"), [0.25]);
    // Constant, or of nothing that moves.
    assert_eq!(two("step(3)*t + floor(2.5)"), [0.0; 0]);
    // A pulse of 20 µs every 0.5 s: the inner floor shows where to look.
    let narrow = two("step(0.00004 - (2*t/(1 s) - floor(2*t/(1 s))))");
    assert_eq!(narrow.len(), 8);
    // Above 1 − 1e-9 for 28 µs, found by its turning point.
    let tip = two("step(sin(2*pi*1 Hz*t) - (1 - 1e-9))");
    assert_eq!(tip.len(), 4);
    assert!((tip[1] - tip[0] - 2.0 * 2e-9_f64.sqrt() / std::f64::consts::TAU).abs() < 1e-9);
    // A wave of 2.2 kHz needs the finer grids, one of 1 MHz is beyond them, and one that a grid of whole steps would not see.
    assert_eq!(two("step(sin(2*pi*2200 Hz*t + 0.3))").len(), 8800);
    for fast in [1e6, 131_072.0 * 8.0, 2048.0 * 64.0] {
        let text = format!("step(sin(2*pi*{fast} Hz*t))");
        assert_eq!(breaks(&text, 0.0, 1.0), None);
    }
    // No span, and what is no number on one side.
    assert_eq!(breaks("step(t - 1 s)", 1.0, 1.0), Some(vec![]));
    assert_eq!(two("abs(sqrt(t/(1 s) - 1))"), [1.0]);
}

#[test]
fn an_hour_where_h_is_a_name_is_refused_and_a_bare_h_is_told_to_be_one() {
    struct Tall;
    impl Scope for Tall {
        fn look_up(&self, name: &str) -> Option<Symbol> {
            (name == "h").then_some(Symbol::Constant {
                value: 0.1,
                dimension: Some(Dimension::LENGTH),
            })
        }
        fn names(&self) -> Vec<String> {
            vec!["h".into()]
        }
    }
    for text in ["2 h", "1 s + 0.5 h", "3h"] {
        let wrong = Expression::parse(text, &Tall).expect_err("it may mean two things");
        let said: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert!(
            said.iter()
                .any(|s| s.contains("is an hour, and a name as well") && s.contains("`* h`")),
            "{text}: {said:?}"
        );
    }
    // A speed is a speed, and the name is the name.
    for (text, value) in [("36 km/h", 10.0), ("2*h", 0.2), ("2 / h", 20.0)] {
        let read = Expression::parse(text, &Tall).map(|e| e.constant());
        assert_eq!(read, Ok(Some(value)), "{text}");
    }
    let hour = Expression::parse("2 h", &Names).map(|e| e.constant());
    assert_eq!(hour, Ok(Some(7200.0)));
    let wrong = Expression::parse("2*h", &Names).expect_err("no such name");
    assert!(wrong[0].hint.contains("the unit of an hour"), "{wrong:?}");
}

#[test]
fn what_variables_make_is_derived_though_no_unit_is_written() {
    /// A time, a length and a number without a unit.
    struct Few;
    impl Scope for Few {
        fn look_up(&self, name: &str) -> Option<Symbol> {
            let variable = |index, dimension| Symbol::Variable { index, dimension };
            Some(match name {
                "t" => variable(0, Dimension::TIME),
                "x" => variable(1, Dimension::LENGTH),
                "n" => Symbol::Constant {
                    value: 3.0,
                    dimension: None,
                },
                _ => return None,
            })
        }
        fn names(&self) -> Vec<String> {
            ["t", "x", "n"].map(String::from).to_vec()
        }
    }
    let derived = |text: &str| {
        let read = Expression::parse(text, &Few).expect("it can be read");
        read.derived().clone()
    };
    let speed = Dimension::SPEED;
    for (text, dimension) in [
        ("x/t", speed),
        ("2*x/t + 3", speed),
        ("-(x - 0.5)/t", speed),
        ("sqrt(x^2)/t", speed),
        ("max(x, 0, 1)/t", speed),
        ("sin(2)*x/t", speed),
        ("step(t - 1)*x/t", speed),
        ("x^1.5", Dimension::new(1.5, 0.0, 0.0, 0.0)),
        ("atan2(x, 2*x)", Dimension::ANGLE),
        ("exp(x/x)", Dimension::NONE),
    ] {
        assert_eq!(derived(text), Derived::Known(dimension), "{text}");
    }
    assert_eq!(derived("2*3 + pi"), Derived::Plain);
    for text in ["n*x", "x^n", "ln(x)", "x/(n + 1)"] {
        assert!(matches!(derived(text), Derived::Unknown(_)), "{text}");
    }
    // Beside a length a number without a unit is one.
    assert_eq!(derived("x + n"), Derived::Known(Dimension::LENGTH));
    for text in ["x + t", "min(x, t)", "2^x", "x*t - x", "atan2(x, t)"] {
        assert!(matches!(derived(text), Derived::Misfit(_)), "{text}");
    }
}
