//! Does arithmetic with quantities mean what the page says?

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

#[test]
fn a_sum_of_a_parameter_and_a_quantity_is_rounded_as_its_parts_are() {
    let sum = read("r/2 + 3 mm");
    assert_eq!(sum.constant(), Some(0.025 + 0.003));
    assert_eq!(sum.fits(Dimension::LENGTH), Ok(()));
    assert_eq!(read("A*sin(omega*t)").value(&[0.01]), 0.005 * 1.0_f64.sin());
}
