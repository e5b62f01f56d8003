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

fn figure_11() -> Result<Reproduction, Trouble> {
    let ideal = Moments::with(&[("joint.pin.clearance", "0")], 2)?;
    let runs = many::each(&LAWS, |(_, id)| {
        Moments::with(&[("joint.pin.law", *id)], 2)
    });
    let runs: Vec<Moments> = runs.into_iter().collect::<Result<_, _>>()?;
    let mut stack = Stack::new(Axis::new("time", "s"));
    let mut early = Panel::new(Axis::new("moment", "N m")).height(380.0);
    let short = |m: &Moments| m.within(0.0, 0.12).copied().collect::<Vec<_>>();
    early = early.reference("joint without play", short(&ideal));
    for ((name, _), moments) in LAWS.iter().zip(&runs) {
        stack = stack.panel(
            Panel::new(Axis::new("moment", "N m"))
                .heading(*name)
                .height(150.0)
                .covering([-1500.0, 1500.0])
                .reference("joint without play", ideal.drawn())
                .line("crank moment", moments.drawn()),
        );
        early = early.line(*name, short(moments));
    }
    let chart = Chart::new("Slider-crank with play, the first blows (Flores et al. 2006, Fig. 11)")
        .stack(Stack::new(Axis::new("time", "s")).panel(early));
    let turns = Chart::new("Slider-crank with play, two turns (Flores et al. 2006, Fig. 11)")
        .stack(stack);
    for ((name, _), m) in LAWS.iter().zip(&runs) {
        eprintln!("{name}: peaks {:?} levels {:?} contacts {} first {:?} residual {}",
            [0.1,0.25,0.5,1.0,2.0].map(|t| m.peak(0.0,t)), [0.1,0.25,0.5,1.0,2.0].map(|t| m.level(0.0,t)), m.motion.contacts().len(), m.motion.contacts().first().map(|c| (c.episode.start, c.episode.approach, c.course.peak[0], c.episode.separation)), m.motion.outcome.ledger.residual);
    }
    Ok(Reproduction::new(chart, vec![]).and("turns", "Each law by itself, as the paper draws them.", turns))
}

fn figure_12() -> Result<Reproduction, Trouble> {
    let ideal = Moments::with(&[("joint.pin.clearance", "0")], 3)?;
    const COEFFICIENTS: [&str; 5] = ["0", "0.01", "0.03", "0.05", "0.10"];
    let runs = many::each(&COEFFICIENTS, |mu| {
        Moments::with(&[("joint.pin.friction.coefficient", *mu)], 3)
    });
    let runs: Vec<Moments> = runs.into_iter().collect::<Result<_, _>>()?;
    let mut stack = Stack::new(Axis::new("time", "s"));
    let draw = |words: String, moments: &Moments| {
        Panel::new(Axis::new("moment", "N m"))
            .heading(words)
            .height(150.0)
            .covering([-1400.0, 1250.0])
            .reference("joint without play", ideal.drawn())
            .line("crank moment", moments.drawn())
    };
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
        let words = match *mu {
            "0" => "no friction".into(),
            mu => format!("coefficient {mu}"),
        };
        stack = stack.panel(draw(words, moments));
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
    let title = "Slider-crank with play and friction (Flores et al. 2006, Fig. 12)";
    Ok(Reproduction::new(
        Chart::new(title).stack(stack),
        vec![whole, from_3, at_1],
    ))
}
