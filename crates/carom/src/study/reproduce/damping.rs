//! What do the figures of Poursina and Nikravesh (2020) on the best damping coefficient show?
//!
//! The paper finds, for many impacts, the linear damper with which a restitution of 0.7 comes out (eq. 23), and reads from straight lines how it depends on mass, speed and stiffness. So is it done here, with the root
//! that [`begin`] finds.

use crate::card::Values;
use crate::contact::{Calibration, Law, find, poursina};
use crate::impact::begin;
use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::poursina::paper;
use super::{Claim, Figure, Reproduction, Trouble, errata, unit_interval};

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s3-fig3",
        paper: paper("Fig. 3"),
        shows: "the damping that returns 0.7, over the mass, and the slope of its logarithm over the exponent n",
        inputs: "speed 1 m/s, K = 1 N/m^n, e = 0.7; mass 1e-5 to 50 kg, n from 1 to 2",
        assumed: "masses spread evenly over powers of ten in place of evenly; 41 masses and 21 exponents",
        errata: &[],
        model: "",
        compute: figure_3,
    },
    Figure {
        id: "s3-fig4",
        paper: paper("Fig. 4"),
        shows: "the damping that returns 0.7, over the approach speed, and the slope of its logarithm over n",
        inputs: "mass 1 kg, K = 1 N/m^n, e = 0.7; speed 0.01 to 50 m/s, n from 1 to 2",
        assumed: "speeds spread evenly over powers of ten in place of evenly; 41 speeds and 21 exponents",
        errata: &[],
        model: "",
        compute: figure_4,
    },
    Figure {
        id: "s3-fig5",
        paper: paper("Fig. 5"),
        shows: "the damping that returns 0.7, over the stiffness, and the slope of its logarithm over n",
        inputs: "mass 1 kg, speed 1 m/s, e = 0.7; K from 1e5 to 1e10 N/m^n, n from 1 to 2",
        assumed: "stiffnesses spread evenly over powers of ten; 41 of them and 21 exponents",
        errata: &[],
        model: "",
        compute: figure_5,
    },
    Figure {
        id: "s3-fig6",
        paper: paper("Fig. 6"),
        shows: "the damping that returns a restitution, over that restitution, for five exponents n",
        inputs: "mass 1 kg, speed 1 m/s, K = 1 N/m^n; e from 0.45 to 1",
        assumed: "111 restitutions in place of 600",
        errata: &[errata::S3_FIT],
        model: "",
        compute: figure_6,
    },
    Figure {
        id: "s3-fig7",
        paper: paper("Fig. 7"),
        shows: "α and β of the pattern α (e^β - 1) that is fitted to the damping, over n",
        inputs: "mass 1 kg, speed 1 m/s, K = 1 N/m^n; e from 0.45 to 1, n from 1 to 2",
        assumed: "least squares over 111 restitutions in place of 600, for 21 exponents in place of 100",
        errata: &[errata::S3_FIT],
        model: "",
        compute: figure_7,
    },
];

/// Drawn.
const EXPONENTS: [f64; 5] = [1.0, 1.25, 1.5, 1.75, 2.0];

/// The damping coefficient that returns e, N s/m.
fn best(stiffness: f64, n: f64, mass: f64, speed: f64, e: f64) -> Result<f64, Trouble> {
    let values = Values::new()
        .number("stiffness", stiffness)
        .number("exponent", n)
        .number("restitution", e);
    let card = find("poursina-nikravesh")?;
    let law = Law::new(card, &values, None, Calibration::Exact)?;
    let touch = begin(&law, speed, mass)?;
    touch
        .coefficient()
        .ok_or_else(|| Trouble::Refused("the law has no coefficient".into()))
}

/// So many numbers from one to another, evenly over powers of ten.
fn spread(from: f64, to: f64, steps: u32) -> Vec<f64> {
    let part = |x: f64| math::exp(math::ln(from) + x * math::ln(to / from));
    unit_interval(steps).map(part).collect()
}

/// Slope and largest departure of the straight line of least squares through the logarithms.
fn straight(points: &[(f64, f64)]) -> (f64, f64) {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|p| (math::ln(p.0), math::ln(p.1)))
        .collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let (mut above, mut below) = (0.0, 0.0);
    for p in &logs {
        above += (p.0 - x) * (p.1 - y);
        below += (p.0 - x) * (p.0 - x);
    }
    let slope = above / below;
    let off = |p: &(f64, f64)| (p.1 - y - slope * (p.0 - x)).abs();
    (slope, logs.iter().map(off).fold(0.0, f64::max))
}

/// What figures 3 to 5 share: one quantity is swept, and the slope compared with a power known from dimensions (eq. 35).
struct Sweep {
    quantity: Axis,
    over: Vec<f64>,
    /// Exponent and quantity to the damping.
    best: fn(f64, f64) -> Result<f64, Trouble>,
    power: fn(f64) -> f64,
    named: &'static str,
    title: &'static str,
    claim: &'static str,
}

fn swept(sweep: &Sweep) -> Result<Reproduction, Trouble> {
    let mut lines = Panel::new(Axis::new("damping that returns 0.7", "N s/m").logarithmic())
        .height(260.0)
        .heading("exponent");
    let (mut slopes, mut departure, mut bend) = (Vec::new(), 0.0_f64, 0.0_f64);
    for n in unit_interval(20).map(|x| 1.0 + x) {
        let mut points = Vec::new();
        for &x in &sweep.over {
            points.push((x, (sweep.best)(n, x)?));
        }
        let (slope, off) = straight(&points);
        departure = departure.max((slope - (sweep.power)(n)).abs());
        bend = bend.max(off);
        slopes.push((n, slope));
        if EXPONENTS.iter().any(|drawn| (drawn - n).abs() < 1e-9) {
            lines = lines.line(format!("n = {n}"), points);
        }
    }
    let known: Vec<(f64, f64)> = unit_interval(60)
        .map(|x| (1.0 + x, (sweep.power)(1.0 + x)))
        .collect();
    let chart = Chart::new(sweep.title)
        .stack(Stack::new(sweep.quantity.clone().logarithmic()).panel(lines))
        .stack(
            Stack::new(Axis::new("exponent n", "")).panel(
                Panel::new(Axis::new("slope of the logarithms", ""))
                    .reference(sweep.named, known)
                    .points("solved for", slopes),
            ),
        );
    let claims = vec![
        Claim::new(
            "the logarithm of the damping is a straight line over that of the quantity",
            "largest departure of its natural logarithm from the line of least squares, every n: below 1e-6",
            bend < 1e-6,
        )
        .number("largest departure", bend, ""),
        Claim::new(
            sweep.claim,
            "largest difference of the slope, 21 exponents from 1 to 2: below 1e-6",
            departure < 1e-6,
        )
        .number("largest difference", departure, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}

fn figure_3() -> Result<Reproduction, Trouble> {
    swept(&Sweep {
        quantity: Axis::new("mass", "kg"),
        over: spread(1e-5, 50.0, 40),
        best: |n, mass| best(1.0, n, mass, 1.0, 0.7),
        power: |n| n / (n + 1.0),
        named: "n/(n + 1)",
        title: "Best damping over the mass (Poursina and Nikravesh 2020, Fig. 3)",
        claim: "its slope over the mass is n/(n + 1): λ does not depend on the mass",
    })
}

fn figure_4() -> Result<Reproduction, Trouble> {
    swept(&Sweep {
        quantity: Axis::new("approach speed", "m/s"),
        over: spread(0.01, 50.0, 40),
        best: |n, speed| best(1.0, n, 1.0, speed, 0.7),
        power: |n| (n - 1.0) / (n + 1.0),
        named: "(n - 1)/(n + 1)",
        title: "Best damping over the approach speed (Poursina and Nikravesh 2020, Fig. 4)",
        claim: "its slope over the speed is (n - 1)/(n + 1): λ does not depend on the speed",
    })
}

fn figure_5() -> Result<Reproduction, Trouble> {
    swept(&Sweep {
        quantity: Axis::new("stiffness", "N/m^n"),
        over: spread(1e5, 1e10, 40),
        best: |n, stiffness| best(stiffness, n, 1.0, 1.0, 0.7),
        power: |n| 1.0 / (n + 1.0),
        named: "1/(n + 1)",
        title: "Best damping over the stiffness (Poursina and Nikravesh 2020, Fig. 5)",
        claim: "its slope over the stiffness is 1/(n + 1): λ does not depend on the stiffness",
    })
}

/// Restitution and the damping that returns it, from 0.45 to 1, where everything else is 1.
fn over_restitution(n: f64) -> Result<Vec<(f64, f64)>, Trouble> {
    let mut points = Vec::new();
    for x in unit_interval(110) {
        let e = 0.45 + 0.55 * x;
        points.push((e, best(1.0, n, 1.0, 1.0, e)?));
    }
    Ok(points)
}

/// α and β of least squares: α follows from β, and β by golden section.
fn fitted(points: &[(f64, f64)]) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let shape = |beta: f64, e: f64| math::exp_m1(beta * math::ln(e));
    let alpha = |beta: f64| {
        let (mut above, mut below) = (0.0, 0.0);
        for (e, c) in points {
            let g = shape(beta, *e);
            above += g * c;
            below += g * g;
        }
        above / below
    };
    let miss = |beta: f64| {
        let a = alpha(beta);
        let off = |p: &(f64, f64)| a * shape(beta, p.0) - p.1;
        points.iter().map(|p| off(p) * off(p)).sum::<f64>()
    };
    let (mut low, mut high) = (-1.5, -0.01);
    for _ in 0..60 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if miss(left) < miss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    let beta = 0.5 * (low + high);
    (alpha(beta), beta)
}

fn figure_6() -> Result<Reproduction, Trouble> {
    let mut panel = Panel::new(Axis::new("damping", "N s/m"))
        .height(320.0)
        .heading("exponent");
    let (mut off, mut last, mut share) = (0.0_f64, 0.0_f64, (f64::MAX, 0.0_f64));
    for n in EXPONENTS {
        let points = over_restitution(n)?;
        let (alpha, beta) = fitted(&points);
        let largest = points.first().map_or(f64::NAN, |p| p.1);
        for (e, c) in &points {
            let fit = alpha * math::exp_m1(beta * math::ln(*e));
            off = off.max((fit - c).abs() / largest);
            if *e < 1.0 {
                let lambda = c / poursina::bound(1.0, n, 1.0, 1.0, *e);
                share = (share.0.min(lambda), share.1.max(lambda));
            }
        }
        last = last.max(points.last().map_or(f64::NAN, |p| p.1.abs()));
        panel = panel.line(format!("n = {n}"), points);
    }
    let marks = EXPONENTS.iter().flat_map(|n| {
        let fit = |x: f64| {
            let e = 0.45 + 0.55 * x;
            (e, poursina::damping(1.0, *n, 1.0, 1.0, e))
        };
        unit_interval(11).map(fit)
    });
    panel = panel.points("eq. 45 to 47", marks);
    let title = "Best damping over the restitution (Poursina and Nikravesh 2020, Fig. 6)";
    let chart =
        Chart::new(title).stack(Stack::new(Axis::new("restitution asked for", "")).panel(panel));
    let claims = vec![
        Claim::new(
            "the damping approximately follows α (e^β - 1)",
            "largest departure from the pattern of least squares, over the damping at 0.45: below a hundredth",
            off < 0.01,
        )
        .number("largest departure", 100.0 * off, "%"),
        Claim::new(
            "λ lies between 0 and 1: the damping is below the bound of eq. 33",
            "least and largest λ of all five exponents, e from 0.45 to below 1",
            share.0 > 0.0 && share.1 < 1.0,
        )
        .number("least λ", share.0, "")
        .number("largest λ", share.1, ""),
        Claim::new(
            "the damping approaches 0 as e approaches 1",
            "damping at e = 1, every exponent",
            last == 0.0,
        )
        .number("at e = 1", last, "N s/m"),
    ];
    Ok(Reproduction::new(chart, claims))
}

fn figure_7() -> Result<Reproduction, Trouble> {
    let (mut alphas, mut betas) = (Vec::new(), Vec::new());
    let (mut off_alpha, mut off_beta, mut off) = (0.0_f64, 0.0_f64, 0.0_f64);
    for n in unit_interval(20).map(|x| 1.0 + x) {
        let points = over_restitution(n)?;
        let (alpha, beta) = fitted(&points);
        off_alpha = off_alpha.max((alpha - poursina::alpha(n)).abs());
        off_beta = off_beta.max((beta - poursina::beta(n)).abs());
        alphas.push((n, alpha));
        betas.push((n, beta));
        let largest = points.first().map_or(f64::NAN, |p| p.1);
        for (e, c) in points {
            let fit = poursina::damping(1.0, n, 1.0, 1.0, e);
            off = off.max((fit - c).abs() / largest);
        }
    }
    let at = |points: &[(f64, f64)], n: f64| {
        let found = points.iter().find(|p| (p.0 - n).abs() < 1e-9);
        found.map_or(f64::NAN, |p| p.1)
    };
    let (alpha, beta) = (poursina::alpha, poursina::beta);
    let claims = vec![
        Claim::new(
            "α and β of the fit are those of eq. 46 and 47",
            "least squares over the same restitutions, all weighed alike: no α and no β is off by more than 0.05. Small changes of the damping move both a long way along each other",
            off_alpha < 0.05 && off_beta < 0.05,
        )
        .number("largest difference of α", off_alpha, "")
        .number("largest difference of β", off_beta, "")
        .number("α fitted, n = 1.5", at(&alphas, 1.5), "")
        .number("β fitted, n = 1.5", at(&betas, 1.5), ""),
        Claim::new(
            "the pattern with eq. 46 and 47 gives the damping",
            "largest departure from what was solved for, e from 0.45 on, over the damping at 0.45: below a fiftieth",
            off < 0.02,
        )
        .number("largest departure", 100.0 * off, "%"),
        Claim::new(
            "for n = 3/2 the constants are 1.95 and -0.3 (eq. 52), for n = 1 they are 1.4181 and -0.44 (eq. 57)",
            "eq. 46 and 47 to the digits printed there",
            (alpha(1.5) - 1.95).abs() < 5e-3
                && (beta(1.5) + 0.3).abs() < 5e-2
                && (alpha(1.0) - 1.4181).abs() < 5e-5
                && (beta(1.0) + 0.44).abs() < 5e-3,
        )
        .number("α(1.5)", alpha(1.5), "")
        .number("β(1.5)", beta(1.5), "")
        .number("α(1)", alpha(1.0), "")
        .number("β(1)", beta(1.0), ""),
    ];
    let over = |f: fn(f64) -> f64| -> Vec<(f64, f64)> {
        unit_interval(60).map(|x| (1.0 + x, f(1.0 + x))).collect()
    };
    let chart = Chart::new("The pattern's constants (Poursina and Nikravesh 2020, Fig. 7)").stack(
        Stack::new(Axis::new("exponent n", ""))
            .panel(
                Panel::new(Axis::new("α", ""))
                    .reference("eq. 46", over(poursina::alpha))
                    .points("least squares", alphas),
            )
            .panel(
                Panel::new(Axis::new("β", ""))
                    .reference("eq. 47", over(poursina::beta))
                    .points("least squares", betas),
            ),
    );
    Ok(Reproduction::new(chart, claims))
}
