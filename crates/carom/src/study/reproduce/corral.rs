//! What do the table of laws and the figure of impacts in the review of Corral et al. (2021) show?

use crate::card::{Citation, Values};
use crate::contact::{Calibration, Card, Law, Restitution, Separation, cards, closed, find};
use crate::impact::{Accuracy, simulate};
use crate::math;
use crate::report::gallery::Table;
use crate::report::laws;
use crate::report::laws::Named;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::report::sketch::{Cell, Sketch, Tone};
use crate::study::compare::{Case, Row, compare};
use crate::study::curves::{Inputs, restitution_curve};
use crate::study::many;

use super::machado::damping_factor;
use super::motion::{IMPACT_TYPES, Motion};
use super::{Claim, Figure, Reproduction, SAMPLES, Trouble, errata, unit_interval};

const fn paper(figure: &'static str) -> Citation {
    Citation {
        authors: "Corral, Gismeros Moreno, Gómez García, Castejón",
        year: 2021,
        title: "Nonlinear phenomena of contact in multibody systems dynamics: a review",
        journal: "Nonlinear Dyn.",
        equation: figure,
    }
}

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s4-fig1",
        paper: paper("Fig. 1"),
        shows: "five kinds of impact, each drawn from a run: central, eccentric, direct, oblique, tangential",
        inputs: "the definitions of Gilardi and Sharf (2002) as the text gives them",
        assumed: "a ball of 1 kg and a free bar of 2 kg and 0.6 m, no friction, no gravity; 1 m/s or so; the law of Flores et al., K = 1e8 N/m^1.5, cr = 0.7",
        errata: &[errata::S4_NORMAL],
        model: "impact-types.toml",
        compute: figure_1,
    },
    Figure {
        id: "s4-table1",
        paper: paper("Table 1"),
        shows: "every law of the table on one impact: restitution returned, and force over indentation",
        inputs: "the laws of the table, misprints corrected",
        assumed: "the two spheres of Machado et al. (2012): 0.046 kg, 0.3 m/s, K = 5.5e9 N/m^1.5 (or what is indented as deep where the force grows otherwise), cr = 0.7; laws whose damper is a measured coefficient are calibrated to that restitution; other inputs are chosen so that the elastic part is indented as deep (Luo-Nahon, Roy-Carretero) and that metals yield (Thornton, Yigit, Wang)",
        errata: &[
            errata::S4_GOYAL,
            errata::S4_YIGIT,
            errata::S4_WANG,
            errata::S4_ROY,
            errata::S4_SIGN,
            errata::S4_KUWABARA,
            errata::S4_ZHENG,
            errata::S4_CHOI,
            errata::S4_JIAN,
            errata::S1_GONTHIER,
            errata::S4_YU,
            errata::S4_ROOT,
        ],
        model: "",
        compute: table_1,
    },
];

/// As citations name the paper, and what they add where a law stands in its text but not in its table.
const PAPER: &str = "Corral et al. 2021";
/// Laws in Table 1.
const PRINTED: usize = 37;
const NOT_THERE: &str = "not in its Table 1";

/// The headings of the groups.
const GROUPS: [&str; 6] = [
    "Without a group: no damping by restitution",
    "Group 1: experimental tests",
    "Group 2: an exact equation for the hysteresis factor",
    "Group 3: a simple assumption",
    "Group 4: a relation between indentation and rate",
    "Group 5: alternative approaches",
];

/// The same over a legend.
const SHORT: [&str; 6] = [
    "no group",
    "group 1: experimental",
    "group 2: exact equation",
    "group 3: assumption",
    "group 4: relation",
    "group 5: alternative",
];

/// The laws of a group of the table.
fn group(number: usize) -> impl Iterator<Item = &'static Card> {
    cards().filter(move |card| {
        let mut parts = card.citation.equation.split("; ");
        usize::from(card.group) == number
            && parts.any(|part| part.starts_with(PAPER) && !part.contains(NOT_THERE))
    })
}

/// A number with so many digits.
fn short(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// What a row of the table says of a law.
fn cells(row: &Row) -> Vec<String> {
    let impact = &row.impact;
    let asked = match (row.calibration, row.takes_restitution) {
        (Calibration::Exact, _) => "calibrated",
        (_, true) => "0.7",
        _ => "–",
    };
    vec![
        row.card.id.into(),
        asked.into(),
        short(impact.restitution, 4),
        short(1e6 * impact.deepest.delta, 3),
        short(impact.peak.force, 1),
        short(1e6 * impact.duration(), 1),
        short(100.0 * (1.0 - impact.restitution * impact.restitution), 1),
    ]
}

/// The inputs of the comparison. Where `plausible` has no stiffness to choose, the elastic part is made to be indented as deep as the spheres are (15.47 µm), to three digits; and the metal of Thornton's law yields.
fn inputs(card: &'static Card) -> Values {
    let mut values = Inputs::plausible(card).values;
    match card.id {
        // k = γ π E A/τ = m v²/δ².
        "luo-nahon" => values.set_number("interference_area", 1.34e-6),
        // E π δ³/12 = m v²/2, of two equal spheres.
        "roy-carretero" => {
            values.set_number("young_1", 2.14e12);
            values.set_number("young_2", 2.14e12);
        }
        "thornton" => values.set_number("limiting_pressure", 4.5e8),
        _ => {}
    }
    values
}

/// Force over indentation, group by group, at most [`laws::MOST`] lines a panel.
fn loops(rows: &[&Row], hertz: Option<&Row>) -> Chart {
    let points = |row: &Row| -> Vec<(f64, f64)> {
        let history = row.impact.history.iter();
        history.map(|s| (s.delta, s.force())).collect()
    };
    let mut chart =
        Chart::new("Force over indentation, group by group (Corral et al. 2021, Table 1)");
    for (number, name) in SHORT.iter().enumerate() {
        let members: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| usize::from(row.card.group) == number && row.card.id != "hertz")
            .collect();
        let count = members.len().div_ceil(laws::MOST).max(1);
        let most = members.len().div_ceil(count).max(1);
        let mut stack = Stack::new(Axis::new("indentation", "m"));
        for piece in members.chunks(most) {
            let mut panel = Panel::new(Axis::new("force", "N"))
                .heading(*name)
                .height(250.0);
            if let Some(hertz) = hertz {
                panel = panel.reference("hertz", points(hertz));
            }
            for row in piece {
                panel = panel.line(row.card.id, points(row));
            }
            stack = stack.panel(panel);
        }
        chart = chart.stack(stack);
    }
    chart
}

/// The largest error of what a law returns between two restitutions, and where it is.
fn worst(card: &'static Card, from: f64, to: f64) -> Result<(f64, f64), Trouble> {
    let points: Vec<f64> = unit_interval(180).map(|x| from + (to - from) * x).collect();
    let mut worst = (0.0_f64, from);
    for (e, returned) in restitution_curve(card, &Inputs::plausible(card), &points) {
        let error = (returned? - e).abs();
        if error > worst.0 {
            worst = (error, e);
        }
    }
    Ok(worst)
}

/// The residual of eq. 5.32 with the cubics of eq. 5.34.
fn residual(e: f64) -> Result<f64, Trouble> {
    let d = e * damping_factor("yu", e)?;
    Ok(((1.0 + d / e) / (1.0 - d) - math::exp(d * (1.0 + 1.0 / e))).abs())
}

fn table_1() -> Result<Reproduction, Trouble> {
    let all: Vec<&'static Card> = (0..GROUPS.len()).flat_map(group).collect();
    let case = Case {
        speed: Inputs::SPEED,
        mass: Inputs::MASS,
        restitution: Some(Restitution::Number(0.7)),
        calibration: Calibration::Published,
        accuracy: Accuracy {
            samples: SAMPLES,
            ..Accuracy::default()
        },
    };
    // One by one, so that they share the processors.
    let results = many::each(&all, |card| compare(&[(*card, inputs(card))], &case));
    let rows: Vec<&Row> = results.iter().flat_map(|result| &result.rows).collect();
    let named = |choose: &dyn Fn(&Row) -> bool| -> Vec<Named<'_>> {
        rows.iter()
            .filter(|row| choose(row))
            .map(|row| (row.card.id, &row.impact))
            .collect()
    };
    let calibrated = named(&|row| row.calibration == Calibration::Exact);
    let formula = named(&|row| row.calibration != Calibration::Exact && row.takes_restitution);
    let own = named(&|row| row.calibration != Calibration::Exact && !row.takes_restitution);
    let ranking = laws::ranking_of_kinds(
        "Every law of the table on one impact (Corral et al. 2021, Table 1)",
        &[
            ("by its formula", &formula),
            ("damper calibrated", &calibrated),
            ("has no restitution to ask for", &own),
        ],
    );
    let hertz = rows.iter().copied().find(|row| row.card.id == "hertz");
    let loops = loops(&rows, hertz);
    let mut table = Table {
        title: "One impact, all laws of the table: 0.046 kg, 0.3 m/s, cr = 0.7".into(),
        head: [
            "law",
            "asked for",
            "e returned",
            "deepest [µm]",
            "peak [N]",
            "duration [µs]",
            "lost [%]",
        ]
        .map(String::from)
        .to_vec(),
        rows: Vec::new(),
    };
    let mut ran = 0;
    for (number, heading) in GROUPS.iter().enumerate() {
        table.rows.push(vec![heading.to_string()]);
        for card in group(number) {
            match rows.iter().find(|row| row.card.id == card.id) {
                Some(row) => {
                    ran += 1;
                    table.rows.push(cells(row));
                }
                None => table.rows.push(vec![
                    card.id.into(),
                    "no result".into(),
                    String::new(),
                    String::new(),
                    String::new(),
                    String::new(),
                    String::new(),
                ]),
            }
        }
    }
    let takes = |card: &&'static Card| card.restitution().is_some();
    // With how many laws of the group are within 0.05, and of how many.
    let errors = |number: usize, claim: Claim| -> Result<(Claim, usize, usize), Trouble> {
        let mut worst_of = Vec::new();
        for card in group(number).filter(takes) {
            worst_of.push((card.id, worst(card, 0.05, 1.0)?));
        }
        let good = worst_of.iter().filter(|(_, (error, _))| *error < 0.05);
        let (good, count) = (good.count(), worst_of.len());
        let mut claim =
            claim
                .number("laws within 0.05", good as f64, "")
                .number("of", count as f64, "");
        for (id, (error, at)) in worst_of {
            claim = claim.number(format!("{id}, at {at:.2}"), error, "");
        }
        Ok((claim, good, count))
    };
    let of = |id: &str, from: f64, to: f64| -> Result<f64, Trouble> {
        Ok(worst(find(id)?, from, to)?.0)
    };
    let zhang = of("zhang", 0.05, 0.5)?;
    let others = [
        ("Flores et al.", of("flores", 0.05, 0.5)?),
        ("Hu-Guo", of("hu-guo", 0.05, 0.5)?),
    ];
    let mut low = Claim::new(
        "Zhang et al. is more accurate than Flores et al. and Hu-Guo, above all where the restitution is low",
        "largest error of the restitution returned, from 0.05 to 0.5",
        others.iter().all(|other| zhang < other.1),
    )
    .number("Zhang et al.", zhang, "");
    for (name, error) in others {
        low = low.number(name, error, "");
    }
    let mut largest = (0.0_f64, 0.0);
    // From where on every residual is within the claim.
    let mut from = 0.25;
    for e in unit_interval(1490).map(|x| 0.251 + 0.745 * x) {
        let y = residual(e)?;
        if y > largest.0 {
            largest = (y, e);
        }
        if y > 6e-5 {
            from = e;
        }
    }
    let (mut second, good, count) = errors(
        2,
        Claim::new(
            "most models of group 2 can be applied to any impact and give reasonably accurate results",
            "largest error of the restitution returned, from 0.05 to 1: below 0.05 for more than half of the laws of the group that take one",
            false,
        ),
    )?;
    second.holds = 2 * good > count;
    let (mut fourth, good, count) = errors(
        4,
        Claim::new(
            "the models of group 4 can be applied to any impact and give consistent results",
            "largest error of the restitution returned, from 0.05 to 1: below 0.05 for all",
            false,
        ),
    )?;
    fourth.holds = good == count;
    let root = |e: f64| closed::restitution(closed::exact_hysteresis(e));
    let gharib = of("gharib-hurmuzlu", 0.02, 0.2)?;
    let claims = vec![
        Claim::new(
            "these are the models of the table, each with a force that can be computed",
            "laws of the catalogue that ran on the impact, of the 37 that the table prints",
            ran == PRINTED && all.len() == PRINTED,
        )
        .number("ran", ran as f64, "")
        .number("laws", all.len() as f64, ""),
        second,
        fourth,
        low,
        Claim::new(
            "Gharib-Hurmuzlu is consistent where the restitution is low",
            "largest error of the restitution returned from 0.02 to 0.2: below 0.02; at 0.7 beside it",
            gharib < 0.02,
        )
        .number("to 0.2", gharib, "")
        .number("at 0.7", (returned("gharib-hurmuzlu", 0.7)? - 0.7).abs(), ""),
        Claim::new(
            "with Yu's cubics the residual y1 of eq. 5.32 is below 6e-5 for cr > 0.25",
            "the printed cubics, cr from 0.251 to 0.996",
            largest.0 <= 6e-5,
        )
        .number("largest", largest.0, "")
        .number("at cr", largest.1, "")
        .number("below 6e-5 from cr", from, ""),
        Claim::new(
            "eq. 5.23 cannot be solved for low restitution",
            "the restitution that its root returns, asked for 0.05 and 0.01: not what was asked for within 1e-9",
            (root(0.05) - 0.05).abs() > 1e-9 || (root(0.01) - 0.01).abs() > 1e-9,
        )
        .number("for 0.05", root(0.05), "")
        .number("for 0.01", root(0.01), ""),
        kelvin_voigt()?,
    ];
    Ok(Reproduction::new(ranking, claims)
        .and("loops", "", loops)
        .table(table))
}

/// What a law of the hysteresis family returns.
fn returned(id: &str, e: f64) -> Result<f64, Trouble> {
    Ok(closed::restitution(damping_factor(id, e)?))
}

fn kelvin_voigt() -> Result<Claim, Trouble> {
    let card = find("kelvin-voigt")?;
    let values = Inputs::plausible(card)
        .values
        .word("separation", Separation::ZeroIndentation.name());
    let restitution = Some(Restitution::Number(0.7));
    let law = Law::new(card, &values, restitution, Calibration::Exact)?;
    let accuracy = Accuracy {
        samples: SAMPLES,
        ..Accuracy::default()
    };
    let impact = simulate(&law, Inputs::SPEED, Inputs::MASS, &accuracy)?;
    let first = impact.history.first().map_or(f64::NAN, |s| s.force());
    let last = impact.history.last().map_or(f64::NAN, |s| s.force());
    Ok(Claim::new(
        "with Kelvin-Voigt the force is not zero at touch, and pulls at the end",
        "force at touch and where the indentation is back at zero, over the peak; calibrated to 0.7",
        first > 0.01 * impact.peak.force && last < -0.01 * impact.peak.force,
    )
    .number("at touch", first / impact.peak.force, "")
    .number("at the end", last / impact.peak.force, ""))
}

/// Sizes of the model, m: ball, half the bar, half its thickness.
const BALL: f64 = 0.06;
const BAR: f64 = 0.3;
const HALF: f64 = 0.03;
/// Metres an arrow is long for a metre a second, and the time that is shown after the touch, s.
const ARROW: f64 = 0.13;
const LATER: f64 = 0.15;

/// A kind of impact: its name, what is said of it, and the parameters of its run.
type Type = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const TYPES: [Type; 5] = [
    (
        "central",
        "central: the mass centres of both bodies lie on the line of impact",
        &[],
    ),
    (
        "eccentric",
        "eccentric: a mass centre is not on the line of impact",
        &[("parameters.aside", "0.2 m")],
    ),
    (
        "direct",
        "direct: both bodies move along the line of impact",
        &[("parameters.up", "0.6 m/s")],
    ),
    (
        "oblique",
        "oblique: a body does not move along the line of impact",
        &[("parameters.along", "0.8 m/s")],
    ),
    (
        "tangential",
        "tangential: no body has a velocity along the line of impact",
        &[
            ("parameters.along", "1 m/s"),
            ("parameters.down", "0 m/s"),
            ("parameters.lead", "0 s"),
            ("parameters.into", "1e-12 m"),
        ],
    ),
];

/// Where a body is: mass centre, m, and angle, rad.
type Place = ([f64; 2], f64);

fn moved(([x, y], angle): Place, points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let (sin, cos) = math::sin_cos(angle);
    let turn = |[u, v]: [f64; 2]| [x + cos * u - sin * v, y + sin * u + cos * v];
    points.into_iter().map(turn).collect()
}

fn arc(centre: [f64; 2], radius: f64, from: f64, to: f64) -> Vec<[f64; 2]> {
    let at = |x: f64| {
        let (sin, cos) = math::sin_cos(from + (to - from) * x);
        [centre[0] + radius * cos, centre[1] + radius * sin]
    };
    unit_interval(24).map(at).collect()
}

fn ball() -> Vec<[f64; 2]> {
    let turn = 2.0 * core::f64::consts::PI;
    [
        arc([0.0; 2], BALL, 0.0, 0.5 * turn),
        arc([0.0; 2], BALL, 0.5 * turn, turn),
    ]
    .concat()
}

fn bar() -> Vec<[f64; 2]> {
    let quarter = core::f64::consts::FRAC_PI_2;
    [
        arc([BAR, 0.0], HALF, -quarter, quarter),
        arc([-BAR, 0.0], HALF, quarter, 3.0 * quarter),
    ]
    .concat()
}

/// The state of a body at the sample nearest to a time: place and velocity.
fn state(motion: &Motion, body: &str, t: f64) -> Result<(Place, [f64; 2]), Trouble> {
    let at = |channel: &str| -> Result<f64, Trouble> {
        let curve = motion.curve(&format!("{body}.{channel}"))?;
        let near = |a: &&(f64, f64), b: &&(f64, f64)| (a.0 - t).abs().total_cmp(&(b.0 - t).abs());
        Ok(curve.iter().min_by(near).map_or(f64::NAN, |point| point.1))
    };
    Ok((([at("x")?, at("y")?], at("angle")?), [at("vx")?, at("vy")?]))
}

/// What is nothing but rounding is nothing.
fn rounded(x: f64) -> f64 {
    if x.abs() < 1e-9 { 0.0 } else { x }
}

fn figure_1() -> Result<Reproduction, Trouble> {
    let mut sketch = Sketch::new(
        "Five kinds of impact, each from a run (Corral et al. 2021, Fig. 1)",
        [[-0.42, -0.31], [0.42, 0.35]],
    )
    .says("ball and its velocity at touch", Tone::Second)
    .says("bar", Tone::First)
    .says("0.15 s later, and the velocities then", Tone::Ghost)
    .says("line of impact", Tone::Guide);
    let mut claims = Vec::new();
    for ((name, words, changes), letter) in TYPES.into_iter().zip('a'..) {
        let motion = Motion::of(IMPACT_TYPES, changes)?;
        let contact = motion.contacts().first();
        let contact = contact.ok_or_else(|| Trouble::Refused(format!("{name}: no contact")))?;
        let place = contact.place;
        let place = place.ok_or_else(|| Trouble::Refused(format!("{name}: no place")))?;
        let kind = contact.impact_type().unwrap_or_default();
        let (touch, approach) = (contact.episode.start, contact.episode.approach.abs());
        // The sample before the touch.
        let before = (touch - 1e-3).max(0.0);
        let (ball_now, ball_speed) = state(&motion, "ball", before)?;
        let (bar_now, bar_speed) = state(&motion, "bar", before)?;
        let (ball_later, ball_after) = state(&motion, "ball", touch + LATER)?;
        let (bar_later, bar_after) = state(&motion, "bar", touch + LATER)?;
        let mut cell = Cell::new(
            format!("{letter}  {name}"),
            [
                kind.clone(),
                format!(
                    "approach {approach:.2} m/s, sliding {:.2} m/s",
                    place.slip.abs()
                ),
            ],
        );
        let [nx, ny] = place.normal;
        let along = |k: f64| [place.point[0] + k * nx, place.point[1] + k * ny];
        cell = cell
            .path(
                "line of impact",
                vec![along(-0.2), along(0.22)],
                Tone::Guide,
            )
            .outline("bar later", moved(bar_later, bar()), Tone::Ghost)
            .outline("ball later", moved(ball_later, ball()), Tone::Ghost)
            .path(
                "way of the ball",
                vec![ball_now.0, ball_later.0],
                Tone::Ghost,
            )
            .outline("bar", moved(bar_now, bar()), Tone::First)
            .outline("ball", moved(ball_now, ball()), Tone::Second)
            .dot("centre of the bar", bar_now.0, Tone::First)
            .dot("centre of the ball", ball_now.0, Tone::Second);
        for (what, at, [vx, vy], tone) in [
            ("velocity of the ball", ball_now.0, ball_speed, Tone::Second),
            ("velocity of the bar", bar_now.0, bar_speed, Tone::First),
            (
                "velocity of the ball later",
                ball_later.0,
                ball_after,
                Tone::Ghost,
            ),
            (
                "velocity of the bar later",
                bar_later.0,
                bar_after,
                Tone::Ghost,
            ),
        ] {
            // Into the touch: an arrow ends where the body is; a later one begins there.
            let step = [ARROW * vx, ARROW * vy];
            let ahead = [at[0] + step[0], at[1] + step[1]];
            let behind = [at[0] - step[0], at[1] - step[1]];
            cell = match tone {
                Tone::Ghost => cell.arrow(what, at, ahead, tone),
                _ => cell.arrow(what, behind, at, tone),
            };
        }
        sketch = sketch.cell(cell);
        // How far the mass centre of the bar is from the line of impact.
        let [x, y] = [bar_now.0[0] - place.point[0], bar_now.0[1] - place.point[1]];
        let turning = motion.column("bar.omega")?.last().copied();
        let off = rounded((x * ny - y * nx).abs());
        let turning = rounded(turning.unwrap_or(f64::NAN));
        let slip = place.slip.abs();
        let shown = match name {
            "central" => off == 0.0 && turning == 0.0,
            "eccentric" => off > 0.0 && turning != 0.0,
            "direct" => approach > 0.0 && slip < 1e-9 * approach,
            "oblique" => approach > 0.0 && slip > 0.1 * approach,
            _ => slip > 0.0 && approach < 1e-9 * slip,
        };
        let told = kind.split(", ").any(|word| word == name);
        claims.push(
            Claim::new(
                words,
                "the numbers below, and the class that the run gives its contact: off the line the blow turns the bar; along the line nothing slides; tangential is sliding without approach",
                shown && told,
            )
            .number("bar off the line", off, "m")
            .number("approach", approach, "m/s")
            .number("sliding", slip, "m/s")
            .number("the bar then turns", turning, "rad/s"),
        );
    }
    Ok(Reproduction::drawn(sketch, claims))
}
