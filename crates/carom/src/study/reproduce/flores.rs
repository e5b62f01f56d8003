//! What do the figures of Flores et al. (2011) on a bouncing ball show?

use crate::card::Citation;
use crate::contact::closed;
use crate::impact::Impact;
use crate::math;
use crate::report::laws;
use crate::report::laws::Named;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::study::many;

use super::machado::damping_factor;
use super::motion::{BALL_ON_TABLE, BOUNCING_BALL, Motion};
use super::{Claim, Figure, Reproduction, Trouble, errata, impact, law, unit_interval};

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
        id: "s0-fig5",
        paper: paper("Fig. 5"),
        shows: "a ball that falls on the ground and bounces: height and velocity of its centre",
        inputs: "ball of 1 kg, 0.1 kg m² and radius 0.1 m, K = 1.4e8 N/m^1.5, n = 1.5, dropped from 1 m on a rigid ground; the paper's law, cr = 0.9",
        assumed: "1 m is the height of the centre, so that the ball arrives at 4.2021 m/s; g = 9.81 m/s²; the time that is drawn",
        errata: &[errata::SIGN, errata::S0_INERTIA],
        model: "bouncing-ball.toml",
        compute: figure_5,
    },
    Figure {
        id: "s0-fig6",
        paper: paper("Fig. 6"),
        shows: "first contact of a ball with the ground, the paper's law with five restitutions: indentation, rate and force over time, force over indentation",
        inputs: "ball of 1 kg and radius 0.1 m, K = 1.4e8 N/m^1.5, n = 1.5, dropped from 1 m; cr = 1, 0.8, 0.6, 0.4, 0.2",
        assumed: "1 m is the height of the centre, so that the ball arrives at 4.2021 m/s (g = 9.81 m/s²); the weight, a thousandth of the peak force, is left out during the contact",
        errata: &[
            errata::S0_ENERGY,
            errata::SIGN,
            errata::S0_INTEGRAL,
            errata::S0_PEAK,
        ],
        model: "",
        compute: figure_6,
    },
    Figure {
        id: "s0-fig7",
        paper: paper("Fig. 7"),
        shows: "restitution returned over the restitution asked for, three laws",
        inputs: "as for Fig. 6",
        assumed: "the weight is left out during the contact: what is returned then depends on nothing but the law and the restitution asked for",
        errata: &[errata::S0_ENERGY, errata::S0_SQUARE, errata::S0_CLOSE],
        model: "",
        compute: figure_7,
    },
    Figure {
        id: "s0-fig8",
        paper: paper("Fig. 8"),
        shows: "height of a ball over a table that moves up and down, Hertz's law",
        inputs: "ball as for Fig. 6; table of 1 kg, y = 0.5 + 0.1 sin 7.5 t",
        assumed: "the table moves as prescribed, so that its mass does not matter; 1 m is the height of the centre; g = 9.81 m/s²; the time that is drawn. Without losses a motion like this keeps no memory of its start for long: after some impacts a curve of other digits looks otherwise, and only what every impact does is a fair check",
        errata: &[errata::SIGN],
        model: "ball-on-table.toml",
        compute: figure_8,
    },
    Figure {
        id: "s0-fig9",
        paper: paper("Fig. 9"),
        shows: "height of a ball over a table that moves up and down, three laws, three restitutions",
        inputs: "ball as for Fig. 6; table y = 0.5 + 0.1 sin 7.5 t; cr = 0.9, 0.6, 0.3",
        assumed: "the table moves as prescribed, so that the effective mass is the ball's; 1 m is the height of the centre (drawn) or of the lowest point of the ball; g = 9.81 m/s²; no speed is too small for the law, and it never pulls",
        errata: &[errata::SIGN, errata::S0_REST],
        model: "ball-on-table.toml",
        compute: figure_9,
    },
    Figure {
        id: "s0-appendix",
        paper: paper("appendix"),
        shows: "the integral of the appendix, by the trapezoidal rule over the number of intervals: its distance from the exact value",
        inputs: "x^1.5 √(1 - x²) from 0 to 1; the program printed there has 1000 intervals",
        assumed: "",
        errata: &[errata::S0_INTEGRAL],
        model: "",
        compute: appendix,
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
        )
        .telling(&["at 1", "at 0.2"]),
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
        .number("least, at cr", least.1, "")
        .telling(&["least", "at 0.2"]),
        with(
            Claim::new(
                "with falling cr the contact lasts longer",
                "it does at every step",
                rises(&durations),
            ),
            &durations,
            "s",
        )
        .telling(&["at 1", "at 0.2"]),
        with(
            Claim::new(
                "with falling cr the loop grows; at cr = 1 there is none",
                "energy lost over ½ m v0²",
                rises(&lost) && lost.first().is_some_and(|l| l.abs() < 1e-9),
            ),
            &lost,
            "",
        )
        .telling(&["at 0.8", "at 0.2"]),
    ];
    Ok(Reproduction::new(chart, claims))
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
    Ok(Reproduction::new(chart, claims))
}

/// Height and velocity of the bouncing ball.
fn figure_5() -> Result<Reproduction, Trouble> {
    let motion = Motion::of(
        BOUNCING_BALL,
        &[
            ("simulation.channels", r#"["ball.y", "ball.vy"]"#),
            ("simulation.output_step", "2 ms"),
        ],
    )?;
    let chart = Chart::new("A bouncing ball, cr = 0.9 (Flores et al. 2011, Fig. 5)").stack(
        Stack::new(Axis::new("time", "s"))
            .panel(
                Panel::new(Axis::new("height of the centre", "m"))
                    .height(240.0)
                    .covering([0.0, 1.0])
                    .line("Flores et al.", motion.curve("ball.y")?),
            )
            .panel(
                Panel::new(Axis::new("velocity", "m/s"))
                    .height(240.0)
                    .line("Flores et al.", motion.curve("ball.vy")?),
            ),
    );
    let contacts = motion.contacts();
    let speeds: Vec<f64> = contacts.iter().map(|c| c.episode.separation).collect();
    let bounced = speeds
        .get(..contacts.len().saturating_sub(1))
        .unwrap_or(&[]);
    let rise = |v: Option<&f64>| v.map_or(f64::NAN, |v| 0.5 * v * v / GRAVITY);
    let apart: Vec<f64> = contacts
        .windows(2)
        .filter_map(|two| Some(two.get(1)?.episode.start - two.first()?.episode.start))
        .collect();
    let last = contacts.last();
    let stays = last.is_some_and(|contact| !contact.over);
    let claims = vec![
        Claim::new(
            "the ball jumps less high after each contact",
            "the speeds after all contacts but the last; height by which it rises from the ground",
            bounced.is_sorted_by(|a, b| a > b),
        )
        .number("first rise", rise(bounced.first()), "m")
        .number("second", rise(bounced.get(1)), "m")
        .number("tenth", rise(bounced.get(9)), "m"),
        Claim::new(
            "the time between contacts tends to zero",
            "from each touch to the next it is shorter than before",
            apart.is_sorted_by(|a, b| a > b),
        )
        .number("first", apart.first().copied().unwrap_or(f64::NAN), "s")
        .number("last", apart.last().copied().unwrap_or(f64::NAN), "s"),
        Claim::new(
            "in the end the ball remains on the ground",
            "the last contact does not end before 9 s",
            stays,
        )
        .number("contacts", contacts.len() as f64, "")
        .number(
            "the last begins at",
            last.map_or(f64::NAN, |c| c.episode.start),
            "s",
        ),
    ];
    Ok(Reproduction::new(chart, claims))
}

/// The table of eq. 47, m, and how fast it rises, m/s.
fn table(t: f64) -> (f64, f64) {
    (0.5 + 0.1 * math::sin(7.5 * t), 0.75 * math::cos(7.5 * t))
}

/// How long the ball is followed, and for how long it is drawn, s.
const END: f64 = 12.0;
const DRAWN: f64 = 7.0;

/// The ball over the table, for so long (s).
fn over_table(law: &str, e: f64, height: f64, end: f64) -> Result<Motion, Trouble> {
    let e = e.to_string();
    let position = format!("[0, {height}]");
    let end = format!("{end} s");
    let mut changes = vec![
        ("contact.table.law", law),
        ("body.ball.position", position.as_str()),
        ("simulation.end", end.as_str()),
        ("simulation.channels", r#"["ball.y", "ball.vy"]"#),
        ("simulation.output_step", "2 ms"),
    ];
    if law != "hertz" {
        changes.push(("contact.table.restitution", e.as_str()));
    }
    Motion::of(BALL_ON_TABLE, &changes)
}

/// Up to the end of what is drawn, and the table one radius higher.
fn drawn(motion: &Motion) -> Result<Vec<(f64, f64)>, Trouble> {
    let mut curve = motion.curve("ball.y")?;
    curve.retain(|(t, _)| *t <= DRAWN);
    Ok(curve)
}

fn table_line() -> impl Iterator<Item = (f64, f64)> {
    unit_interval(700).map(|x| (DRAWN * x, table(DRAWN * x).0 + RADIUS))
}

/// Of every impact that lies between two flights: the speed of the table (m/s), and what the ball of 1 kg gained (J).
fn gains(motion: &Motion) -> Result<Vec<(f64, f64)>, Trouble> {
    let contacts = motion.contacts();
    let (y, v) = (motion.curve("ball.y")?, motion.column("ball.vy")?);
    // In flight the energy is constant: any sample will do.
    let between = |from: f64, to: f64| {
        let i = y.iter().position(|(t, _)| *t > from)?;
        let ((t, y), v) = (y.get(i)?, v.get(i)?);
        (*t < to).then(|| 0.5 * v * v + GRAVITY * y)
    };
    let mut gains = Vec::new();
    for (i, contact) in contacts.iter().enumerate().filter(|(_, c)| c.over) {
        let before = i.checked_sub(1).and_then(|i| contacts.get(i));
        let from = before.map_or(-1.0, |before| before.episode.end);
        let to = contacts
            .get(i + 1)
            .map_or(f64::INFINITY, |c| c.episode.start);
        let (start, end) = (contact.episode.start, contact.episode.end);
        if let (Some(before), Some(after)) = (between(from, start), between(end, to)) {
            gains.push((table(start).1, after - before));
        }
    }
    Ok(gains)
}

fn figure_8() -> Result<Reproduction, Trouble> {
    let motion = over_table("hertz", 1.0, 1.0, END)?;
    let chart = Chart::new("A ball over a moving table, Hertz (Flores et al. 2011, Fig. 8)").stack(
        Stack::new(Axis::new("time", "s")).panel(
            Panel::new(Axis::new("height of the centre", "m"))
                .height(320.0)
                .reference("table, one radius higher", table_line())
                .line("Hertz", drawn(&motion)?),
        ),
    );
    let contacts = motion.contacts();
    let gains = gains(&motion)?;
    let count = |rising: bool, gained: bool| {
        let these = gains
            .iter()
            .filter(|(speed, gain)| (*speed > 0.0) == rising && (*gain > 0.0) == gained);
        these.count() as f64
    };
    let most = gains.iter().map(|g| g.1).fold(0.0, f64::max);
    let over = contacts.iter().filter(|contact| contact.over).count();
    let claims = vec![
        Claim::new(
            "when the table rises at the impact, the ball gains energy and reaches a higher position than before",
            "energy of the ball in flight before and after every impact of 12 s on the rising table",
            count(true, false) == 0.0 && count(true, true) > 0.0,
        )
        .number("impacts on the rising table", count(true, true) + count(true, false), "")
        .number("of these, gains", count(true, true), "")
        .number("impacts on the falling table", count(false, true) + count(false, false), "")
        .number("gains on the falling table", count(false, true), "")
        .number("largest gain", most, "J")
        .telling(&["of these, gains", "impacts on the rising table", "largest gain"]),
        Claim::new(
            "the ball rebounds after each impact with the table",
            "contacts of 12 s that are over, of all",
            over == contacts.len(),
        )
        .number("contacts", contacts.len() as f64, "")
        .number("that are over", over as f64, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}

/// When the contact began that does not end any more, s; NaN if there is none.
fn permanent(motion: &Motion) -> f64 {
    motion
        .contacts()
        .last()
        .filter(|contact| !contact.over)
        .map_or(f64::NAN, |contact| contact.episode.start)
}

/// A run of Fig. 9.
struct Ride {
    start: &'static str,
    e: f64,
    id: &'static str,
    motion: Motion,
}

fn figure_9() -> Result<Reproduction, Trouble> {
    let asked = [0.9, 0.6, 0.3];
    let mut cases = Vec::new();
    for (start, height) in [("centre", 1.0), ("bottom", 1.0 + RADIUS)] {
        for e in asked {
            for (_, id) in THREE {
                cases.push((start, height, e, id));
            }
        }
    }
    let rides = many::each(&cases, |&(start, height, e, id)| {
        let motion = over_table(id, e, height, END)?;
        Ok(Ride {
            start,
            e,
            id,
            motion,
        })
    });
    let rides = rides.into_iter().collect::<Result<Vec<Ride>, Trouble>>()?;
    let find = |start: &str, e: f64, id: &str| {
        let of = |ride: &&Ride| ride.start == start && ride.e == e && ride.id == id;
        rides
            .iter()
            .find(of)
            .ok_or_else(|| Trouble::Refused(format!("no run of {id} at {e}")))
    };
    let mut stack = Stack::new(Axis::new("time", "s"));
    for e in asked {
        let mut panel = Panel::new(Axis::new("height of the centre", "m"))
            .heading(format!("cr = {e}"))
            .reference("table, one radius higher", table_line());
        for (name, id) in THREE {
            panel = panel.line(name, drawn(&find("centre", e, id)?.motion)?);
        }
        stack = stack.panel(panel);
    }
    let chart = Chart::new(
        "A ball over a moving table, centre dropped from 1 m (Flores et al. 2011, Fig. 9)",
    )
    .stack(stack);
    let rest = |start: &str, e: f64, id: &str| find(start, e, id).map(|r| permanent(&r.motion));
    let times: Vec<f64> = rides.iter().map(|ride| permanent(&ride.motion)).collect();
    let finite = times.iter().filter(|t| t.is_finite()).count();
    let most = rides.iter().map(|ride| ride.motion.contacts().len()).max();
    let (mut impacts, mut gained) = (0, 0);
    for ride in rides.iter().filter(|ride| ride.start == "centre") {
        let all = gains(&ride.motion)?;
        impacts += all.len();
        gained += all.iter().filter(|(_, gain)| *gain > 0.0).count();
    }
    let mut claims = vec![
        Claim::new(
            "after a finite number of impacts the ball stays on the table, with every dissipative law",
            "3 laws, 3 restitutions and both starts: runs that end in contact within 12 s",
            finite == times.len(),
        )
        .number("runs", times.len() as f64, "")
        .number("that end in contact", finite as f64, "")
        .number("most impacts", most.unwrap_or(0) as f64, ""),
        Claim::new(
            "the ball loses energy in each impact with the table",
            "energy of the ball in flight before and after the impacts, 9 runs with the centre dropped from 1 m",
            gained == 0,
        )
        .number("impacts", impacts as f64, "")
        .number("in which it gains", gained as f64, ""),
    ];
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
            true,
        );
        for e in asked {
            let flores = rest(start, e, "flores")?;
            claim.holds &= flores < rest(start, e, "lankarani-nikravesh")?
                && flores < rest(start, e, "hunt-crossley")?;
            for (name, id) in THREE {
                claim = claim.number(format!("{name} at {e}"), rest(start, e, id)?, "s");
            }
        }
        claims.push(claim.telling(&["Hunt-Crossley at 0.9", "Flores et al. at 0.9"]));
    }
    let part = |e: f64| -> Result<f64, Trouble> {
        Ok(rest("centre", e, "flores")? / rest("centre", e, "lankarani-nikravesh")?)
    };
    let (high, low) = (part(0.9)?, part(0.3)?);
    let apart = rest("centre", 0.9, "hunt-crossley")? / rest("centre", 0.9, "lankarani-nikravesh")?;
    claims.push(
        Claim::new(
            "that effect is more evident for lower restitution",
            "time to the permanent contact, the paper's law over Lankarani-Nikravesh: at 0.3 below that at 0.9",
            low < high,
        )
        .number("at 0.9", high, "")
        .number("at 0.6", part(0.6)?, "")
        .number("at 0.3", low, "")
        .telling(&["at 0.9", "at 0.3"]),
    );
    claims.push(
        Claim::new(
            "for high restitution Hunt-Crossley and Lankarani-Nikravesh respond similarly",
            "times to the permanent contact at 0.9 within a twentieth",
            (apart - 1.0).abs() < 0.05,
        )
        .number("Hunt-Crossley over Lankarani-Nikravesh", apart, ""),
    );
    Ok(Reproduction::new(chart, claims))
}

/// The trapezoidal rule of eq. A.8, summed as the printed program does.
fn trapezoids(intervals: u32) -> f64 {
    let step = 1.0 / f64::from(intervals);
    let f = |i: u32| {
        let x = f64::from(i) * step;
        math::powf(x, 1.5) * math::sqrt((1.0 - x * x).max(0.0))
    };
    let mut area = 0.5 * step * (f(0) + f(intervals));
    for i in 1..intervals {
        area += 0.5 * step * 2.0 * f(i);
    }
    area
}

fn appendix() -> Result<Reproduction, Trouble> {
    let exact = 0.5 * math::beta(1.25, 1.5);
    let counts = (0..=60).map(|i| math::powf(10.0, 1.0 + f64::from(i) / 15.0).round() as u32);
    let error = |n: u32| exact - trapezoids(n);
    let chart = Chart::new("The integral of the damping (Flores et al. 2011, appendix)").stack(
        Stack::new(Axis::new("intervals", "").logarithmic()).panel(
            Panel::new(Axis::new("exact less the rule", "").logarithmic())
                .height(260.0)
                .line("trapezoidal rule", counts.map(|n| (f64::from(n), error(n))))
                .points("as printed: 1000 intervals", [(1000.0, error(1000))]),
        ),
    );
    let printed = 0.249_710_471_309_72;
    let found = trapezoids(1000);
    let claims = vec![
        Claim::new(
            "the program printed yields 0.24971047130972",
            "the same sum, within a unit of the last digit printed",
            (found - printed).abs() <= 1e-14,
        )
        .number("found less printed", found - printed, ""),
        Claim::new(
            "the integral can only be evaluated numerically",
            "B(5/4, 3/2)/2, Euler's beta function, agrees with the rule as it is refined: the difference falls as a power of the number of intervals",
            !(error(10_000).abs() < 0.1 * error(1000).abs()),
        )
        .number("exact", exact, "")
        .number("at 1000 intervals", error(1000), "")
        .number("at 10 000", error(10_000), ""),
        Claim::new(
            "the integral is 1/4, near enough",
            "the factor 8/5 of the law would be 2/(5 I): within a hundredth",
            (0.4 / exact - 1.6).abs() < 0.01,
        )
        .number("2/(5 I)", 0.4 / exact, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}
