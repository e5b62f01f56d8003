//! Do the parameters of Xiong et al.'s law act as Corral et al. (2021) say?

use crate::card::{Citation, Values};
use crate::contact::{Calibration, Law, find};
use crate::impact::Impact;
use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::{Claim, Figure, Reproduction, Trouble, errata, impact, unit_interval};

pub(super) const FIGURES: &[Figure] = &[Figure {
    id: "s4-xiong",
    paper: Citation {
        authors: "Corral, Gismeros Moreno, Gómez García, Castejón",
        year: 2021,
        title: "Nonlinear phenomena of contact in multibody systems dynamics: a review",
        journal: "Nonlinear Dyn.",
        equation: "eq. 5.82",
    },
    shows: "the law of Xiong et al. (2014): force over indentation and restitution as β1, β2 and γ are changed",
    inputs: "none given; the text names five effects",
    assumed: "m = 1 kg, approach speed 1 m/s, K = 1 N/m^1.5, λ = 1.5; β1 = 0.2 s, β2 = 0.2 s/m^1.5 and γ = 10 1/s where they are not changed",
    errata: &[errata::S4_SIGN],
    model: "",
    compute: effects,
}];

#[derive(Clone, Copy)]
struct Set {
    beta1: f64,
    beta2: f64,
    gamma: f64,
}

const USUAL: Set = Set {
    beta1: 0.2,
    beta2: 0.2,
    gamma: 10.0,
};
const LAMBDA: f64 = 1.5;

impl Set {
    /// Followed until no indentation is left: force that has gone to zero may come up again.
    fn impact(self) -> Result<Impact, Trouble> {
        self.until("zero-indentation")
    }

    /// The indentation at which the force is first zero again, m.
    fn left(self) -> Result<f64, Trouble> {
        Ok(self.until("zero-force")?.end.delta)
    }

    fn until(self, separation: &str) -> Result<Impact, Trouble> {
        let values = Values::new()
            .number("stiffness", 1.0)
            .number("exponent", LAMBDA)
            .number("beta_1", self.beta1)
            .number("beta_2", self.beta2)
            .number("gamma", self.gamma)
            .word("separation", separation);
        let law = Law::new(find("xiong")?, &values, None, Calibration::Published)?;
        impact(&law, 1.0, 1.0)
    }
}

/// How steep the force begins: the first force that is sampled over that of the spring alone.
fn start(one: &Impact) -> f64 {
    let first = one.history.iter().find(|s| s.delta > 0.0);
    first.map_or(f64::NAN, |s| s.force() / math::powf(s.delta, LAMBDA))
}

/// The part of the rectangle around a loop that it fills: the larger, the rounder.
fn filled(one: &Impact) -> f64 {
    let lost = 0.5 * (1.0 - one.restitution * one.restitution);
    lost / (one.peak.force * one.deepest.delta)
}

/// Whether each number is larger than the one before by more than rounding.
fn grows(values: &[f64]) -> bool {
    values
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if *b > a + 1e-9))
}

fn falls(values: &[f64]) -> bool {
    let turned: Vec<f64> = values.iter().map(|x| -x).collect();
    grows(&turned)
}

fn first(values: &[f64]) -> f64 {
    values.first().copied().unwrap_or(f64::NAN)
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

/// From the least to the largest.
fn range(values: &[f64]) -> f64 {
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    values.iter().copied().fold(f64::MIN, f64::max) - least
}

fn effects() -> Result<Reproduction, Trouble> {
    let betas = [0.0, 0.1, 0.2, 0.4];
    let gammas = [1.0, 3.0, 10.0, 100.0];
    let of = |sets: Vec<Set>| -> Result<Vec<Impact>, Trouble> {
        sets.into_iter().map(Set::impact).collect()
    };
    let by_beta1 = of(betas.map(|beta1| Set { beta1, ..USUAL }).to_vec())?;
    let by_beta2 = of(betas.map(|beta2| Set { beta2, ..USUAL }).to_vec())?;
    let by_gamma = of(gammas.map(|gamma| Set { gamma, ..USUAL }).to_vec())?;
    let mut stack = Stack::new(Axis::new("indentation", "m"));
    for (heading, values, impacts) in [
        ("β1 [s]", betas, &by_beta1),
        ("β2 [s/m^1.5]", betas, &by_beta2),
        ("γ [1/s]", gammas, &by_gamma),
    ] {
        let mut panel = Panel::new(Axis::new("force", "N")).heading(heading);
        for (value, one) in values.iter().zip(impacts) {
            let points = one.history.iter().map(|s| (s.delta, s.force()));
            panel = panel.line(value.to_string(), points);
        }
        stack = stack.panel(panel);
    }
    let title = "Three parameters of Xiong's law (Corral et al. 2021, eq. 5.82)";
    let loops = Chart::new(title).stack(stack);

    // The restitution over each of the three.
    let swept = |set: &dyn Fn(f64) -> Set, values: &[f64]| -> Result<Vec<(f64, f64)>, Trouble> {
        let one = |x: &f64| Ok((*x, set(*x).impact()?.restitution));
        values.iter().map(one).collect()
    };
    let even: Vec<f64> = unit_interval(40).map(|x| 0.8 * x).collect();
    let decades: Vec<f64> = unit_interval(40)
        .map(|x| math::powf(10.0, -1.0 + 4.0 * x))
        .collect();
    let over_beta1 = swept(&|beta1| Set { beta1, ..USUAL }, &even)?;
    let over_beta2 = swept(&|beta2| Set { beta2, ..USUAL }, &even)?;
    let over_gamma = swept(&|gamma| Set { gamma, ..USUAL }, &decades)?;
    let returned = || Axis::new("restitution returned", "");
    let restitutions = Chart::new("Restitution of Xiong's law (Corral et al. 2021, eq. 5.82)")
        .stack(
            Stack::new(Axis::new("β1 [s] or β2 [s/m^1.5]", "")).panel(
                Panel::new(returned())
                    .line("over β1", over_beta1.iter().copied())
                    .line("over β2", over_beta2.iter().copied()),
            ),
        )
        .stack(
            Stack::new(Axis::new("γ", "1/s").logarithmic())
                .panel(Panel::new(returned()).line("over γ", over_gamma.iter().copied())),
        );

    let map =
        |impacts: &[Impact], f: fn(&Impact) -> f64| -> Vec<f64> { impacts.iter().map(f).collect() };
    let left = |sets: [Set; 4]| {
        sets.into_iter()
            .map(Set::left)
            .collect::<Result<Vec<_>, _>>()
    };
    let left_1 = left(betas.map(|beta1| Set { beta1, ..USUAL }))?;
    let left_2 = left(betas.map(|beta2| Set { beta2, ..USUAL }))?;
    let (start_1, start_2) = (map(&by_beta1, start), map(&by_beta2, start));
    let round_2 = map(&by_beta2, filled);
    let round_3 = map(&by_gamma, filled);
    let peaks = map(&by_gamma, |one| one.peak.force);
    let residual = Claim::new(
        "β1 determines the residual indentation and the rate of change of the force at the beginning",
        "both grow with β1 from 0 to 0.4 s, and by more than they change with β2 from 0 to 0.4 s/m^1.5",
        grows(&left_1)
            && grows(&start_1)
            && range(&left_1) > range(&left_2)
            && range(&start_1) > range(&start_2),
    )
    .number("indentation left, β1 = 0", first(&left_1), "m")
    .number("indentation left, β1 = 0.4", last(&left_1), "m")
    .number("change of that with β2", range(&left_2), "m")
    .number("force at first over the spring's, β1 = 0", first(&start_1), "")
    .number("the same, β1 = 0.4", last(&start_1), "")
    .number("change of that ratio with β2", range(&start_2), "");
    let round = Claim::new(
        "β2 affects the roundedness of the curves",
        "the part of the rectangle around it that a loop fills grows with β2, by more than 0.05 in all",
        grows(&round_2) && range(&round_2) > 0.05,
    )
    .number("β2 = 0", first(&round_2), "")
    .number("β2 = 0.4", last(&round_2), "");
    let shape = Claim::new(
        "γ influences the overall shape of the curves",
        "the part of the rectangle that a loop fills, and the peak force, change by more than a tenth from γ = 1 to 100 1/s",
        range(&round_3) > 0.1 * last(&round_3)
            && range(&peaks) > 0.1 * first(&peaks),
    )
    .number("part filled, γ = 1", first(&round_3), "")
    .number("part filled, γ = 100", last(&round_3), "")
    .number("peak force, γ = 1", first(&peaks), "N")
    .number("peak force, γ = 100", last(&peaks), "N");
    let second = |points: &[(f64, f64)]| -> Vec<f64> { points.iter().map(|p| p.1).collect() };
    let (e_1, e_2, e_3) = (
        second(&over_beta1),
        second(&over_beta2),
        second(&over_gamma),
    );
    let damped = Claim::new(
        "if β1 or β2 increases, the restitution decreases",
        "it falls at each of 40 steps from 0 to 0.8",
        falls(&e_1) && falls(&e_2),
    )
    .number("β1 = 0", first(&e_1), "")
    .number("β1 = 0.8", last(&e_1), "")
    .number("β2 = 0", first(&e_2), "")
    .number("β2 = 0.8", last(&e_2), "");
    let limit = last(&e_3);
    let from = over_gamma
        .iter()
        .rev()
        .take_while(|p| (p.1 - limit).abs() < 1e-3)
        .last();
    let least = e_3.iter().copied().fold(f64::MAX, f64::min);
    let settled = Claim::new(
        "the restitution decreases as γ increases, until a value from which it does not depend on γ",
        "it falls at each of 40 steps from γ = 0.1 to 1000 1/s until it stays within 0.001 of its last value",
        {
            let before: Vec<f64> = over_gamma
                .iter()
                .take_while(|p| from.is_some_and(|f| p.0 <= f.0))
                .map(|p| p.1)
                .collect();
            falls(&before) && before.len() < over_gamma.len()
        },
    )
    .number("γ = 0.1", first(&e_3), "")
    .number("γ = 1000", limit, "")
    .number("least", least, "")
    .number("settled from γ", from.map_or(f64::NAN, |p| p.0), "1/s");
    Ok(
        Reproduction::new(loops, vec![residual, round, shape, damped, settled]).and(
            "restitution",
            "The restitution returned, one parameter changed at a time.",
            restitutions,
        ),
    )
}
