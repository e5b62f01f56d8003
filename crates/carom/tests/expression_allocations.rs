//! An expression is computed without allocating, whatever stands in it.

use carom::model::expression::{Expression, Scope, Symbol};
use carom::model::units::Dimension;

struct Two;

impl Scope for Two {
    fn look_up(&self, name: &str) -> Option<Symbol> {
        let index = ["t", "slider.vx"].iter().position(|n| *n == name)?;
        let dimension = [Dimension::TIME, Dimension::SPEED][index];
        Some(Symbol::Variable { index, dimension })
    }
    fn names(&self) -> Vec<String> {
        vec!["t".into(), "slider.vx".into()]
    }
}

#[test]
fn an_expression_is_computed_without_allocating() {
    let mut sum = 0.0;
    let mut expressions = Vec::new();
    let reading = allocation_counter::measure(|| {
        for text in [
            "5 mm*sin(100 rad/s * t)",
            "-200 N s/m * slider.vx + 3 N",
            "min(t, 2, 3)^2.5 + smoothstep(t, 0, 1)*atan2(t, 2) - exp(-t)/cbrt(1 + t^2)",
            "t+(t+(t+(t+(t+(t+(t+(t+(t+(t+(t+(t+(t+(t+t)))))))))))))",
        ] {
            expressions.push(Expression::parse(text, &Two).expect("a sound text"));
        }
    });
    assert!(reading.count_total > 0, "the counter works");
    let computing = allocation_counter::measure(|| {
        for k in 0..1000 {
            let t = f64::from(k) * 1e-3;
            for e in &expressions {
                sum += e.value(&[t, 2.0]) + e.jet(t)[2];
            }
            // Where a variable is missing nothing is made either.
            sum += expressions[0].value(&[]);
        }
    });
    assert_eq!(computing.count_total, 0);
    assert!(sum.is_nan());
}
