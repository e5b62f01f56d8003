//! What do the figures of Flores et al. (2006) on play in a joint show?

use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::study::many;

use super::journal::paper;
use super::motion::{File, Motion, thinned};
use super::{Claim, Figure, Reproduction, Trouble, errata};

const MODEL: File = (
    "slider-crank-clearance.toml",
    include_str!("../../../../../models/slider-crank-clearance.toml"),
);

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s2-fig11",
        paper: paper("Fig. 11"),
        shows: "a slider-crank with play in its wrist pin: the moment that drives it, for five laws",
        inputs: "crank 0.05 m, 0.30 kg, 1e-5 kg m²; rod 0.12 m, 0.21 kg, 2.5e-4 kg m²; slider 0.14 kg; 5000 rpm; journal 9.5 mm in a bearing of 10 mm, 15 mm long, steel; cr = 0.9",
        assumed: "mass centres at mid-length; gravity 9.81 in -y; the turns that are drawn: the first two; σ as printed; Goldsmith's law in metres. Without losses the motion is chaotic after about one turn: what is judged lies before",
        errata: &[
            errata::S1_SPEED,
            errata::S2_RADIUS,
            errata::S2_GOLDSMITH,
            errata::S2_SIGMA,
            errata::S2_TOUCH,
        ],
        model: MODEL.0,
        compute: figure_11,
    },
    Figure {
        id: "s2-fig12",
        paper: paper("Fig. 12"),
        shows: "a slider-crank with play in its wrist pin: the moment that drives it, for four coefficients of friction",
        inputs: "as in Fig. 11; Lankarani-Nikravesh, cr = 0.9; Ambrósio's friction, coefficients 0.01, 0.03, 0.05 and 0.10",
        assumed: "mass centres at mid-length; gravity 9.81 in -y; friction grows from 1 to 10 mm/s; it acts midway between the two surfaces; the turns that are drawn: the first three",
        errata: &[errata::S1_SPEED, errata::S2_RADIUS, errata::S2_TOUCH],
        model: MODEL.0,
        compute: figure_12,
    },
];

const LAWS: [(&str, &str); 5] = [
    ("(a) Hertz", "hertz"),
    ("(b) Lankarani-Nikravesh", "lankarani-nikravesh"),
    ("(c) Dubowsky-Freudenstein", "dubowsky-freudenstein"),
    ("(d) Goldsmith", "goldsmith"),
    ("(e) ESDU 78035", "esdu-78035"),
];

/// One turn, s.
const TURN: f64 = 0.012;
/// 1e-5 √(E/ρ) of steel of 207 GPa and 7850 kg/m³, m/s.
const LIMIT: f64 = 0.051_351;
const MOMENT: &str = "driver.motor.moment";
/// Stretches of a drawn line: of each the lowest and the highest moment are drawn.
const STRETCHES: usize = 600;

/// Time and moment.
struct Moments {
    curve: Vec<(f64, f64)>,
    motion: Motion,
}

impl Moments {
    /// The model with some numbers changed, for so many turns.
    fn with(changes: &[(&str, &str)], turns: u32) -> Result<Self, Trouble> {
        let end = format!("{} ms", 12 * turns);
        let channels = format!("[\"{MOMENT}\"]");
        let mut all = vec![
            ("simulation.end", end.as_str()),
            ("simulation.output_step", "0.5 us"),
            ("simulation.channels", channels.as_str()),
            ("solver.rtol", "1e-10"),
        ];
        all.extend_from_slice(changes);
        let motion = Motion::of(MODEL, &all)?;
        Ok(Self {
            curve: motion.curve(MOMENT)?,
            motion,
        })
    }

    /// The moments from one turn to another.
    fn within(&self, from: f64, to: f64) -> impl Iterator<Item = &(f64, f64)> {
        let within = move |p: &&(f64, f64)| p.0 >= from * TURN && p.0 <= to * TURN;
        self.curve.iter().filter(within)
    }

    /// The largest moment, either way, from one turn to another, N m.
    fn peak(&self, from: f64, to: f64) -> f64 {
        let sizes = self.within(from, to).map(|p| p.1.abs());
        sizes.fold(0.0, f64::max)
    }

    /// The root mean square of the moment from one turn to another, N m.
    fn level(&self, from: f64, to: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (_, moment) in self.within(from, to) {
            sum += moment * moment;
            count += 1.0;
        }
        math::sqrt(sum / count)
    }

    /// As many points as can be seen.
    fn drawn(&self) -> Vec<(f64, f64)> {
        thinned(&self.curve, STRETCHES)
    }
}

/// All laws or coefficients in one panel, while they can still be told apart: up to this part of the first turn.
const EARLY: f64 = 0.12;

fn overlaid(ideal: &Moments, named: &[(String, &Moments)]) -> Stack {
    let early = |m: &Moments| m.within(0.0, EARLY).copied().collect::<Vec<_>>();
    let mut panel = Panel::new(Axis::new("moment", "N m"))
        .height(380.0)
        .reference("joint without play", early(ideal));
    for (name, moments) in named {
        panel = panel.line(name.as_str(), early(moments));
    }
    Stack::new(Axis::new("time", "s")).panel(panel)
}

/// A panel for each.
fn apart(ideal: &Moments, named: &[(String, &Moments)], covering: [f64; 2]) -> Stack {
    let mut stack = Stack::new(Axis::new("time", "s"));
    for (name, moments) in named {
        stack = stack.panel(
            Panel::new(Axis::new("moment", "N m"))
                .heading(name.as_str())
                .height(150.0)
                .covering(covering)
                .reference("joint without play", ideal.drawn())
                .line("crank moment", moments.drawn()),
        );
    }
    stack
}

fn figure_11() -> Result<Reproduction, Trouble> {
    let ideal = Moments::with(&[("joint.pin.clearance", "0")], 2)?;
    let runs = many::each(&LAWS, |(_, id)| Moments::with(&[("joint.pin.law", *id)], 2));
    let runs: Vec<Moments> = runs.into_iter().collect::<Result<_, _>>()?;
    let named = LAWS.iter().zip(&runs);
    let named: Vec<(String, &Moments)> = named.map(|(law, m)| (law.0.into(), m)).collect();
    let chart = Chart::new("Slider-crank with play, the first blows (Flores et al. 2006, Fig. 11)")
        .stack(overlaid(&ideal, &named));
    let turns = Chart::new("Slider-crank with play, two turns (Flores et al. 2006, Fig. 11)")
        .stack(apart(&ideal, &named, [-1200.0, 1450.0]));
    let mut claims = Vec::new();
    for (claim, judged_by, unit, measure) in MEASURES {
        let of = |id: &str| {
            let found = LAWS.iter().zip(&runs).find(|(law, _)| law.1 == id);
            found.map_or(f64::NAN, |(_, moments)| measure(moments))
        };
        let lossy = of(LOSSY);
        let mut claim = Claim::new(claim, judged_by, true).number(LOSSY, lossy, unit);
        for (_, id) in LAWS.iter().filter(|law| law.1 != LOSSY) {
            claim.holds &= of(id) > lossy;
            claim = claim.number(*id, of(id), unit);
        }
        claims.push(claim.telling(&[LOSSY, "goldsmith"]));
    }
    claims.extend(beside(&ideal, &runs));
    Ok(Reproduction::new(chart, claims).and(
        "turns",
        "Each law by itself, as the paper draws them.",
        turns,
    ))
}

/// Claim, how it is judged, unit, and what is measured.
type Measure = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Moments) -> f64,
);

/// The one law that loses energy.
const LOSSY: &str = "lankarani-nikravesh";
/// In how many ways the paper's sentence can be read.
const MEASURES: [Measure; 3] = [
    (
        "for all elastic laws the level of the crank moment is higher than for Lankarani-Nikravesh: on the whole",
        "root mean square of the moment over the first turn, each of the four above that of Lankarani-Nikravesh",
        "N m",
        |moments| moments.level(0.0, 1.0),
    ),
    (
        "for all elastic laws the level of the crank moment is higher than for Lankarani-Nikravesh: its peaks",
        "largest moment either way in the first turn, each of the four above that of Lankarani-Nikravesh",
        "N m",
        |moments| moments.peak(0.0, 1.0),
    ),
    (
        "for all elastic laws the level is higher than for Lankarani-Nikravesh: the first blow",
        "largest force in the joint in the first impact, which finds all laws in the same place and at the same speed",
        "N",
        |moments| {
            let first = moments.motion.contacts().first();
            first.map_or(f64::NAN, |c| c.course.peak[0])
        },
    ),
];

/// What must be so whatever the law.
fn beside(ideal: &Moments, runs: &[Moments]) -> Vec<Claim> {
    let firsts = runs.iter().filter_map(|m| m.motion.contacts().first());
    let firsts: Vec<(f64, f64)> = firsts
        .map(|c| (c.episode.start, c.episode.approach))
        .collect();
    let (time, speed) = firsts.first().copied().unwrap_or((f64::NAN, f64::NAN));
    let same = |p: &(f64, f64)| (p.0 - time).abs() < 1e-12 && (p.1 - speed).abs() < 1e-8;
    let residual = |m: &Moments| m.motion.outcome.ledger.residual.abs();
    let worst = runs.iter().map(residual).fold(0.0, f64::max);
    let by_moment = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let nothing = (f64::NAN, f64::NAN);
    let first_turn = || ideal.within(0.0, 1.0);
    let most = first_turn().max_by(by_moment).copied().unwrap_or(nothing);
    let least = first_turn().min_by(by_moment).copied().unwrap_or(nothing);
    vec![
        Claim::new(
            "eq. 9 is valid for impact velocities up to 1e-5 √(E/ρ), and is used here",
            "approach speed of the first impact, which is not above that limit if so",
            speed <= LIMIT,
        )
        .number("first impact", speed, "m/s")
        .number("limit", LIMIT, "m/s"),
        Claim::new(
            "the journal first strikes at the same instant and speed whatever the law",
            "first impacts of all five laws agree to 1e-12 s and 1e-8 m/s",
            firsts.len() == LAWS.len() && firsts.iter().all(same),
        )
        .number("time", time, "s")
        .number("speed", speed, "m/s"),
        Claim::new(
            "with ideal joints the moment is that of the closed form",
            "largest and least moment of the first turn are 138.624160 and -138.419179 N m to 1e-4",
            (most.1 - 138.624_160).abs() < 1e-4 && (least.1 + 138.419_179).abs() < 1e-4,
        )
        .number("largest", most.1, "N m")
        .number("least", least.1, "N m")
        .number("largest at", 360.0 * most.0 / TURN, "degrees")
        .number("least at", 360.0 * least.0 / TURN, "degrees"),
        Claim::new(
            "work of the motor, energy and heat balance, chaotic or not",
            "largest residual of five laws over two turns below 1e-5 J",
            worst < 1e-5,
        )
        .number("largest residual", worst, "J"),
    ]
}

fn figure_12() -> Result<Reproduction, Trouble> {
    let ideal = Moments::with(&[("joint.pin.clearance", "0")], 3)?;
    const COEFFICIENTS: [&str; 5] = ["0", "0.01", "0.03", "0.05", "0.10"];
    let runs = many::each(&COEFFICIENTS, |mu| {
        Moments::with(&[("joint.pin.friction.coefficient", *mu)], 3)
    });
    let runs: Vec<Moments> = runs.into_iter().collect::<Result<_, _>>()?;
    let words = |mu: &str| match mu {
        "0" => "no friction".to_string(),
        mu => format!("coefficient {mu}"),
    };
    let named = COEFFICIENTS.iter().zip(&runs);
    let named: Vec<(String, &Moments)> = named.map(|(mu, m)| (words(mu), m)).collect();
    let of = |i: usize, from: f64, to: f64| runs.get(i).map_or(f64::NAN, |m| m.peak(from, to));
    let (start, later) = (of(0, 0.0, 1.0), of(0, 1.0, 3.0));
    let mut whole = Claim::new(
        "friction reduces the peaks of the moment: the first turn",
        "the largest moment either way in the first turn is below that without friction for all four",
        true,
    )
    .number("0", start, "N m");
    let mut from_3 = Claim::new(
        "friction reduces the peaks of the moment, from 0.03 on: the second and third turn",
        "the largest moment either way in these turns is below that without friction, and falls from each coefficient to the next",
        true,
    )
    .number("0", later, "N m");
    let mut at_1 = Claim::new(
        "friction reduces the peaks of the moment, at 0.01: the second and third turn",
        "the largest moment either way in these turns is below that without friction",
        false,
    );
    let mut last = later;
    for (mu, moments) in COEFFICIENTS.iter().zip(&runs) {
        let (early, late) = (moments.peak(0.0, 1.0), moments.peak(1.0, 3.0));
        match *mu {
            "0" => continue,
            "0.01" => {
                at_1.holds = late < later;
                at_1 = at_1.number(*mu, late, "N m").number("0", later, "N m");
            }
            _ => {
                from_3.holds &= late < last;
                from_3 = from_3.number(*mu, late, "N m");
                last = late;
            }
        }
        whole.holds &= early < start;
        whole = whole.number(*mu, early, "N m");
    }
    let turns = Chart::new("Slider-crank with play and friction (Flores et al. 2006, Fig. 12)")
        .stack(apart(&ideal, &named, [-1400.0, 1250.0]));
    let early = Chart::new("Play and friction, the first blows (Flores et al. 2006, Fig. 12)")
        .stack(overlaid(&ideal, &named));
    Ok(Reproduction::new(early, vec![whole, from_3, at_1]).and(
        "turns",
        "Each coefficient by itself, as the paper draws them.",
        turns,
    ))
}
