//! What do the figures of Flores et al. (2011) on a bouncing ball show?

use crate::card::Citation;
use crate::contact::closed;
use crate::impact::Impact;
use crate::math;
use crate::report::laws;
use crate::report::laws::Named;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::bounce::{Mechanism, Meeting, Run, follow};
use super::machado::damping_factor;
use super::{Claim, Figure, Reproduction, Trouble, impact, law, unit_interval};

const fn paper(figure: &'static str) -> Citation {
    Citation {
        authors: "Flores, Machado, Silva, Martins",
        year: 2011,
        title: "On the continuous contact force models for soft materials in multibody dynamics",
        journal: "Multibody Syst. Dyn. 25, 357",
        equation: figure,
    }
}

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s0-fig6",
        paper: paper("Fig. 6"),
        shows: "first contact of a ball with the ground, the paper's law with five restitutions: indentation, rate and force over time, force over indentation",
        inputs: "ball of 1 kg and radius 0.1 m, K = 1.4e8 N/m^1.5, n = 1.5, dropped from 1 m; cr = 1, 0.8, 0.6, 0.4, 0.2",
        assumed: "1 m is the height of the centre, so that the ball arrives at 4.2021 m/s (g = 9.81 m/s²); the weight, a thousandth of the peak force, is left out during the contact",
        compute: figure_6,
    },
    Figure {
        id: "s0-fig7",
        paper: paper("Fig. 7"),
        shows: "restitution returned over the restitution asked for, three laws",
        inputs: "as for Fig. 6",
        assumed: "the weight is left out during the contact: what is returned then depends on nothing but the law and the restitution asked for",
        compute: figure_7,
    },
    Figure {
        id: "s0-fig9",
        paper: paper("Fig. 9"),
        shows: "height of a ball over a table that moves up and down, three laws, three restitutions",
        inputs: "ball as for Fig. 6; table y = 0.5 + 0.1 sin 7.5 t; cr = 0.9, 0.6, 0.3",
        assumed: "the table moves as prescribed, so that the effective mass is the ball's; 1 m is the height of the centre (drawn) or of the lowest point of the ball; g = 9.81 m/s²; no speed is too small for the law, and it never pulls",
        compute: figure_9,
    },
];

/// m/s² downwards.
const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1.4e8;
const RADIUS: f64 = 0.1;

const ASKED: [f64; 5] = [1.0, 0.8, 0.6, 0.4, 0.2];

fn figure_6() -> Result<Reproduction, Trouble> {
    let speed = math::sqrt(2.0 * GRAVITY * (1.0 - RADIUS));
    let mut impacts: Vec<Impact> = Vec::new();
    for e in ASKED {
        impacts.push(impact(&law("flores", STIFFNESS, e)?, speed, 1.0)?);
    }
    let names: Vec<String> = ASKED.iter().map(|e| format!("cr = {e}")).collect();
    let all: Vec<Named> = names.iter().map(String::as_str).zip(&impacts).collect();
    let elastic = all.first().copied();
    let damped = all.get(1..).unwrap_or_default();
    let chart = laws::histories(
        "First contact of a bouncing ball (Flores et al. 2011, Fig. 6)",
        damped,
        elastic,
    )
    .and(laws::loops("", damped, elastic));
    let peaks: Vec<f64> = impacts.iter().map(|i| i.peak.force).collect();
    let hertz = peaks.first().copied().unwrap_or(f64::NAN);
    let depths: Vec<f64> = impacts.iter().map(|i| i.deepest.delta).collect();
    let durations: Vec<f64> = impacts.iter().map(Impact::duration).collect();
    let lost: Vec<f64> = impacts
        .iter()
        .map(|i| 1.0 - i.restitution * i.restitution)
        .collect();
    let rises = |values: &[f64]| values.is_sorted_by(|a, b| a < b);
    let falls = |values: &[f64]| values.is_sorted_by(|a, b| a > b);
    let with = |mut claim: Claim, values: &[f64], unit: &'static str| {
        for (e, value) in ASKED.iter().zip(values) {
            claim = claim.number(format!("at {e}"), *value, unit);
        }
        claim
    };
    let ratios: Vec<f64> = peaks.iter().map(|peak| peak / hertz).collect();
    // The least peak, by closed form: where does it lie?
    let mut least = (f64::INFINITY, 0.0);
    for e in unit_interval(1000).map(|x| 0.1 + 0.9 * x) {
        let h = damping_factor("flores", e)?;
        let peak = closed::peak(STIFFNESS, 1.5, 1.0, speed, h).0 / hertz;
        if peak < least.0 {
            least = (peak, e);
        }
    }
    let claims = vec![
        with(
            Claim::new(
                "with falling cr the deepest indentation falls",
                "it does at every step",
                falls(&depths),
            ),
            &depths,
            "m",
        ),
        with(
            Claim::new(
                "with falling cr the largest force falls",
                "it does at every step; given over the elastic force",
                falls(&peaks),
            ),
            &ratios,
            "",
        )
        .number("least", least.0, "")
        .number("least, at cr", least.1, ""),
        with(
            Claim::new(
                "with falling cr the contact lasts longer",
                "it does at every step",
                rises(&durations),
            ),
            &durations,
            "s",
        ),
        with(
            Claim::new(
                "with falling cr the loop grows; at cr = 1 there is none",
                "energy lost over ½ m v0²",
                rises(&lost) && lost.first().is_some_and(|l| l.abs() < 1e-9),
            ),
            &lost,
            "",
        ),
    ];
    Ok(Reproduction { chart, claims })
}

const THREE: [(&str, &str); 3] = [
    ("Hunt-Crossley", "hunt-crossley"),
    ("Lankarani-Nikravesh", "lankarani-nikravesh"),
    ("Flores et al.", "flores"),
];

/// What a law of the hysteresis family returns. The laws that divide by the restitution return nothing where nothing is asked for.
fn returned(id: &str, e: f64) -> Result<f64, Trouble> {
    if e == 0.0 && id == "flores" {
        return Ok(0.0);
    }
    Ok(closed::restitution(damping_factor(id, e)?))
}

/// The largest error from 0.001 to 1, and where it is.
fn worst(id: &str) -> Result<(f64, f64), Trouble> {
    let mut worst = (0.0_f64, 0.0);
    for e in unit_interval(999).map(|x| 0.001 + 0.999 * x) {
        let error = (returned(id, e)? - e).abs();
        if error > worst.0 {
            worst = (error, e);
        }
    }
    Ok(worst)
}

fn figure_7() -> Result<Reproduction, Trouble> {
    let mut curves = Vec::new();
    for (name, id) in THREE {
        let points: Result<Vec<_>, Trouble> = unit_interval(200)
            .map(|e| Ok((e, returned(id, e)?)))
            .collect();
        curves.push((name.to_string(), points?));
    }
    let chart = laws::returned_restitution(
        "Restitution returned over restitution asked for (Flores et al. 2011, Fig. 7)",
        &curves,
    );
    let high = |id: &str| returned(id, 0.9).map(|e| (e - 0.9).abs());
    let flores = worst("flores")?;
    let step = 1e-6;
    let slope = (1.0 - returned("flores", 1.0 - step)?) / step;
    let claims = vec![
        Claim::new(
            "Hunt-Crossley and Lankarani-Nikravesh are valid for high restitution",
            "error at cr = 0.9 below 0.02",
            high("hunt-crossley")? < 0.02 && high("lankarani-nikravesh")? < 0.02,
        )
        .number("Hunt-Crossley", high("hunt-crossley")?, "")
        .number("Lankarani-Nikravesh", high("lankarani-nikravesh")?, ""),
        Claim::new(
            "with cr = 0 these two give no perfectly plastic impact",
            "restitution returned at 0",
            returned("hunt-crossley", 0.0)? > 0.0 && returned("lankarani-nikravesh", 0.0)? > 0.0,
        )
        .number("Hunt-Crossley", returned("hunt-crossley", 0.0)?, "")
        .number(
            "Lankarani-Nikravesh",
            returned("lankarani-nikravesh", 0.0)?,
            "",
        ),
        Claim::new(
            "the paper's law is a close approximation for the entire interval",
            "error below 0.02 everywhere; other laws of the same shape for comparison",
            flores.0 < 0.02,
        )
        .number("largest error", flores.0, "")
        .number("at cr", flores.1, "")
        .number("slope at 1", slope, "")
        .number("Hu-Guo's largest error", worst("hu-guo")?.0, "")
        .number("Zhang's", worst("zhang")?.0, "")
        .number("exact-restitution's", worst("exact-restitution")?.0, ""),
    ];
    Ok(Reproduction { chart, claims })
}

/// A ball of 1 kg over a table that moves as prescribed: height and speed of its centre.
struct Table;

impl Table {
    fn height(t: f64) -> f64 {
        0.5 + 0.1 * math::sin(7.5 * t)
    }
}

impl Mechanism for Table {
    fn rates(&self, _t: f64, y: &[f64], force: f64, dydt: &mut [f64]) {
        dydt[0] = y[1];
        dydt[1] = force - GRAVITY;
    }

    fn indentation(&self, t: f64, y: &[f64]) -> (f64, f64) {
        (
            RADIUS + Table::height(t) - y[0],
            0.75 * math::cos(7.5 * t) - y[1],
        )
    }

    fn mass(&self, _y: &[f64]) -> f64 {
        1.0
    }
}

/// How long the ball is followed, and for how long it is drawn, s.
const END: f64 = 12.0;
const DRAWN: f64 = 7.0;

/// When the contact began that does not end any more, s; NaN if there is none.
fn permanent(run: &Run) -> f64 {
    run.episodes
        .last()
        .filter(|episode| episode.separation.is_none())
        .map_or(f64::NAN, |episode| episode.start)
}

fn figure_9() -> Result<Reproduction, Trouble> {
    let asked = [0.9, 0.6, 0.3];
    let mut stack = Stack::new(Axis::new("time", "s"));
    // Start, restitution, law: when it comes to rest, and after how many impacts.
    let mut times = Vec::new();
    for (start, height) in [("centre", 1.0), ("bottom", 1.0 + RADIUS)] {
        for e in asked {
            let table = (0..=600).map(|i| DRAWN * f64::from(i) / 600.0);
            let mut panel = Panel::new(Axis::new("height of the centre", "m"))
                .heading(format!("cr = {e}"))
                .reference(
                    "table, one radius higher",
                    table.map(|t| (t, Table::height(t) + RADIUS)),
                );
            for (name, id) in THREE {
                let law = law(id, STIFFNESS, e)?;
                let run = follow(&Table, Meeting::Law(&law), &[height, 0.0], END, 2400)?;
                times.push((start, e, id, permanent(&run), run.episodes.len()));
                panel = panel.line(
                    name,
                    run.states
                        .iter()
                        .take_while(|(t, _)| *t <= DRAWN)
                        .filter_map(|(t, y)| Some((*t, *y.first()?))),
                );
            }
            if start == "centre" {
                stack = stack.panel(panel);
            }
        }
    }
    let chart = Chart::new(
        "A ball over a moving table, centre dropped from 1 m (Flores et al. 2011, Fig. 9)",
    )
    .stack(stack);
    let find = |start: &str, e: f64, id: &str| {
        times
            .iter()
            .find(|run| run.0 == start && run.1 == e && run.2 == id)
            .map_or((f64::NAN, 0), |run| (run.3, run.4))
    };
    let first = |start: &str, e: f64| {
        let flores = find(start, e, "flores").0;
        flores < find(start, e, "lankarani-nikravesh").0
            && flores < find(start, e, "hunt-crossley").0
    };
    let finite = times.iter().filter(|run| run.3.is_finite()).count();
    let most = times.iter().map(|run| run.4).max().unwrap_or(0);
    let mut faster = Vec::new();
    for (start, words) in [
        (
            "centre",
            "the permanent contact is reached faster with the paper's law (centre dropped from 1 m)",
        ),
        (
            "bottom",
            "the permanent contact is reached faster with the paper's law (lowest point dropped from 1 m)",
        ),
    ] {
        let mut claim = Claim::new(
            words,
            "start of the contact that does not end, for each cr",
            asked.iter().all(|e| first(start, *e)),
        );
        for e in asked {
            for (name, id) in THREE {
                claim = claim.number(format!("{name} at {e}"), find(start, e, id).0, "s");
            }
        }
        faster.push(claim);
    }
    let mut claims = vec![
        Claim::new(
            "after a finite number of impacts the ball stays on the table, with every dissipative law",
            "3 laws, 3 restitutions and both starts: runs that end in contact within 12 s",
            finite == times.len(),
        )
        .number("runs", times.len() as f64, "")
        .number("that end in contact", finite as f64, "")
        .number("most impacts", most as f64, ""),
    ];
    claims.append(&mut faster);
    Ok(Reproduction { chart, claims })
}
