//! What do the figures of Poursina and Nikravesh (2020) on linear damping, and on how well their formula returns a restitution, show?

use crate::card::{Citation, Values};
use crate::contact::{Calibration, Law, Separation, State, closed, find, poursina};
use crate::impact::{Lab, begin};
use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::{Claim, Figure, Reproduction, Trouble, errata, impact, law, unit_interval};

pub(super) const fn paper(figure: &'static str) -> Citation {
    Citation {
        authors: "Poursina, Nikravesh",
        year: 2020,
        title: "Optimal damping coefficient for a class of continuous contact models",
        journal: "Multibody Syst. Dyn.",
        equation: figure,
    }
}

pub(super) const OUTLINE: &[Figure] = &[Figure {
    id: "s3-fig2",
    paper: paper("Fig. 2"),
    shows: "force over indentation: Hertz's spring with a linear damper, and Hunt-Crossley",
    inputs: "none given",
    assumed: "m = 1 kg, approach speed 1 m/s, K = 1 N/m^1.5, n = 1.5, restitution 0.6 for both, the damper of Hunt-Crossley solved for; the motion beyond the separation is continued to no indentation",
    errata: &[errata::S3_ZERO],
    model: "",
    compute: figure_2,
}];

pub(super) const ACCURACY: &[Figure] = &[
    Figure {
        id: "s3-fig8",
        paper: paper("Fig. 8"),
        shows: "largest error of the restitution returned, of 300 random impacts for each restitution asked for (eq. 49)",
        inputs: "mass 1e-5 to 100 kg, K 1e5 to 1e10 N/m^n, approach speed 1e-3 to 100 m/s, n 1 to 2; restitution 1e-4 to 1",
        assumed: "mass, stiffness and speed spread evenly over powers of ten, n evenly; 60 restitutions spread over powers of ten and evenly",
        errata: &[errata::S3_FIT],
        model: "",
        compute: figure_8,
    },
    Figure {
        id: "s3-fig9",
        paper: paper("Fig. 9"),
        shows: "restitution that the formula for n = 1 (eq. 57) returns, and its error",
        inputs: "m = 1 kg, K = 1 N/m, approach speed 1 m/s, restitution 1e-4 to 1",
        assumed: "",
        errata: &[errata::S3_EXPONENT, errata::S3_FIT],
        model: "",
        compute: figure_9,
    },
];

/// The Poursina-Nikravesh law; n must lie between 1 and 2.
fn optimal(stiffness: f64, n: f64, e: f64) -> Result<Law, Trouble> {
    let values = Values::new()
        .number("stiffness", stiffness)
        .number("exponent", n)
        .number("restitution", e);
    Ok(Law::new(
        find("poursina-nikravesh")?,
        &values,
        None,
        Calibration::Published,
    )?)
}

fn figure_2() -> Result<Reproduction, Trouble> {
    let linear_law = optimal(1.0, 1.5, 0.6)?;
    let linear = impact(&linear_law, 1.0, 1.0)?;
    let hunt = impact(&law("exact-restitution", 1.0, 0.6)?, 1.0, 1.0)?;
    let points = |i: &crate::impact::Impact| -> Vec<(f64, f64)> {
        i.history.iter().map(|s| (s.delta, s.force())).collect()
    };
    // Beyond C: the same force goes on, and pulls. From the separation to no indentation, in small steps of the classical method.
    let touch = begin(&linear_law, 1.0, 1.0)?;
    let force = |s: (f64, f64)| touch.force(&State::new(s.0, s.1)).total();
    let (mut s, step) = ((linear.end.delta, linear.end.rate), 1e-3);
    let mut beyond = vec![(s.0, force(s))];
    while s.0 > 0.0 && beyond.len() < 100_000 {
        let rate = |s: (f64, f64)| (s.1, -force(s));
        let ahead = |h: f64, r: (f64, f64)| (s.0 + h * r.0, s.1 + h * r.1);
        let one = rate(s);
        let two = rate(ahead(0.5 * step, one));
        let three = rate(ahead(0.5 * step, two));
        let four = rate(ahead(step, three));
        s = (
            s.0 + step / 6.0 * (one.0 + 2.0 * (two.0 + three.0) + four.0),
            s.1 + step / 6.0 * (one.1 + 2.0 * (two.1 + three.1) + four.1),
        );
        beyond.push((s.0.max(0.0), force(s)));
    }
    let pull = beyond.iter().map(|p| p.1).fold(0.0, f64::min);
    let mut panel = Panel::new(Axis::new("force", "N"))
        .height(360.0)
        .line("linear damper (eq. 8)", points(&linear))
        .line("Hunt-Crossley (eq. 10)", points(&hunt))
        .line("linear damper, if the bodies did not part at C", beyond);
    // A mark of its own for each point the paper names.
    if let Some(touch) = linear.history.first() {
        panel = panel.points("A: touch", [(touch.delta, touch.force())]);
    }
    panel = panel.points(
        "B: deepest point",
        [(linear.deepest.delta, linear.deepest.force)],
    );
    panel = panel.points("C: separation", [(linear.end.delta, linear.end.force)]);
    let chart = Chart::new(
        "Linear damper and Hunt-Crossley, e = 0.6 (Poursina and Nikravesh 2020, Fig. 2)",
    )
    .stack(Stack::new(Axis::new("indentation", "m")).panel(panel));
    let at_touch = linear.history.first().map_or(f64::NAN, |s| s.force());
    let claims = vec![
        Claim::new(
            "with the linear damper the force at touch is not zero",
            "force at touch over the peak",
            at_touch > 0.01 * linear.peak.force,
        )
        .number("force at touch", at_touch, "N")
        .number("peak force", linear.peak.force, "N"),
        Claim::new(
            "beyond the separation at zero force it would pull",
            "least force on the way back to no indentation",
            pull < 0.0,
        )
        .number("least force", pull, "N"),
        Claim::new(
            "(introduction) the contact force at separation is not zero",
            "force and indentation at separation; eq. 20 of the paper says the force is zero",
            linear.end.force.abs() > 1e-6 * linear.peak.force,
        )
        .number("force", linear.end.force, "N")
        .number("indentation", linear.end.delta, "m"),
        Claim::new(
            "with Hunt-Crossley force and indentation are zero at both ends, and nothing pulls",
            "least force and force at separation",
            hunt.min_force >= -1e-9 && hunt.end.force.abs() < 1e-9,
        )
        .number("least force", hunt.min_force, "N")
        .number("force at separation", hunt.end.force, "N"),
    ];
    Ok(Reproduction::new(chart, claims))
}

/// Marsaglia's xorshift (2003) with the shifts 13, 7, 17: the same numbers on every machine.
struct Random(u64);

impl Random {
    /// Evenly from 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Evenly over powers of ten.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        math::powf(10.0, self.between(low, high))
    }
}

fn figure_8() -> Result<Reproduction, Trouble> {
    let mut asked: Vec<f64> = unit_interval(29)
        .map(|x| math::powf(10.0, -4.0 + 3.0 * x))
        .collect();
    asked.extend(unit_interval(30).skip(1).map(|x| 0.1 + 0.9 * x));
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut lab = Lab::new(1e-10)?;
    let (mut absolute, mut relative) = (Vec::new(), Vec::new());
    let mut worst = (0.0_f64, 0.0, 0.0);
    let mut lowest = (f64::INFINITY, 0.0_f64);
    for (i, &e) in asked.iter().enumerate() {
        let (mut most, mut part) = (0.0_f64, 0.0_f64);
        for _ in 0..300 {
            let mass = random.decades(-5.0, 2.0);
            let stiffness = random.decades(5.0, 10.0);
            let speed = random.decades(-3.0, 2.0);
            let n = random.between(1.0, 2.0);
            let law = optimal(stiffness, n, e)?;
            let free = lab.free("poursina-nikravesh", &begin(&law, speed, mass)?)?;
            let error = free.restitution - e;
            if error.abs() > worst.0 {
                worst = (error.abs(), e, n);
            }
            most = most.max(error.abs());
            part = part.max((error / e).abs());
            if i == 0 {
                lowest = (lowest.0.min(error / e), lowest.1.max(error / e));
            }
        }
        absolute.push((e, most));
        relative.push((e, part));
    }
    // At 1 nothing is left but rounding, which would stretch the axis.
    let below_one = |p: &(f64, f64)| p.0 < 1.0;
    let asked = Axis::new("restitution asked for", "");
    let chart = Chart::new("Error of the fitted damping (Poursina and Nikravesh 2020, Fig. 8)")
        .stack(Stack::new(asked.clone()).panel(
            Panel::new(Axis::new("largest absolute error", "")).line("absolute", absolute.clone()),
        ))
        .stack(
            Stack::new(asked.logarithmic()).panel(
                Panel::new(Axis::new("largest error", "").logarithmic())
                    .line("absolute", absolute.iter().copied().filter(below_one))
                    .line(
                        "relative to what is asked for",
                        relative.iter().copied().filter(below_one),
                    ),
            ),
        );
    let claims = vec![
        Claim::new(
            "the formula (eq. 49) accurately reproduces the restitution asked for",
            "absolute error below 0.005 everywhere",
            worst.0 < 5e-3,
        )
        .number("largest error", worst.0, "")
        .number("at e", worst.1, "")
        .number("with n", worst.2, ""),
        Claim::new(
            "it does so down to e = 1e-4",
            "relative error at 1e-4 below a tenth",
            lowest.1 < 0.1,
        )
        .number("least relative error at 1e-4", 100.0 * lowest.0, "%")
        .number("largest", 100.0 * lowest.1, "%"),
    ];
    Ok(Reproduction::new(chart, claims))
}

/// The exact restitution of a linear spring and damper (Butcher and Segalman 2000) as eq. 55 prints it; above ξ = 1 its exponent is wrong.
fn as_printed(xi: f64) -> f64 {
    if xi <= 1.0 {
        return closed::oscillator_restitution(xi, Separation::ZeroForce);
    }
    let root = math::sqrt(xi * xi - 1.0);
    math::powf(
        (xi - root) / (xi + root),
        2.0 * xi * root / (2.0 * xi * xi - 1.0),
    )
}

fn figure_9() -> Result<Reproduction, Trouble> {
    // K = m = 1: ξ = c/2.
    let damping = |e: f64| 0.5 * poursina::damping(1.0, 1.0, 1.0, 1.0, e);
    let mut asked: Vec<f64> = unit_interval(60)
        .map(|x| math::powf(10.0, -4.0 + 3.0 * x))
        .collect();
    asked.extend(unit_interval(180).skip(1).map(|x| 0.1 + 0.9 * x));
    let exact = |e: f64| closed::oscillator_restitution(damping(e), Separation::ZeroForce);
    let error = |e: f64| (exact(e) - e).abs();
    let worst = asked
        .iter()
        .map(|e| (error(*e), *e))
        .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
    let x = Axis::new("restitution asked for", "");
    let curve =
        |f: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> { asked.iter().map(|e| (*e, f(*e))).collect() };
    let printed = |e: f64| as_printed(damping(e));
    let chart =
        Chart::new("Linear spring and damper, eq. 57 (Poursina and Nikravesh 2020, Fig. 9)").stack(
            Stack::new(x)
                .panel(
                    Panel::new(Axis::new("restitution returned", ""))
                        .height(300.0)
                        .reference("as asked for", [(0.0, 0.0), (1.0, 1.0)])
                        .line("eq. 57, by eq. 55 mended", curve(&exact))
                        .line(
                            "eq. 57, by eq. 55 as printed, ξ > 1",
                            asked
                                .iter()
                                .filter(|e| damping(**e) > 1.0)
                                .map(|e| (*e, printed(*e))),
                        ),
                )
                .panel(
                    Panel::new(Axis::new("absolute error", ""))
                        .line("of eq. 57, by eq. 55 mended", curve(&error)),
                ),
        );
    let at = 0.05;
    let claims = vec![
        Claim::new(
            "the formula (eq. 57) accurately captures the damping of the linear system",
            "absolute error below 0.005 everywhere",
            worst.0 < 5e-3,
        )
        .number("largest error", worst.0, "")
        .number("at e", worst.1, ""),
        Claim::new(
            "eq. 55 gives the exact restitution for ξ > 1",
            "what is returned for e = 0.05, with eq. 55 and with the exponent ξ/√(ξ²-1) that the motion has",
            (printed(at) - exact(at)).abs() < 1e-6,
        )
        .number("ξ", damping(at), "")
        .number("as printed", printed(at), "")
        .number("mended", exact(at), ""),
    ];
    Ok(Reproduction::new(chart, claims))
}
