//! What does the figure of Flores et al. (2006) on friction in a joint with play show?

use std::path::PathBuf;

use crate::card::Citation;
use crate::model::file::{Source, read};
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::system::{Observer, Status, System};

use super::{Claim, Figure, Reproduction, Trouble, errata};

pub(super) const FIGURES: &[Figure] = &[Figure {
    id: "s2-fig12",
    paper: Citation {
        authors: "Flores, Ambrósio, Claro, Lankarani",
        year: 2006,
        title: "Influence of the contact-impact force model on the dynamic response of multi-body systems",
        journal: "Proc. Inst. Mech. Eng. K, J. Multi-body Dyn. 220, 21",
        equation: "Fig. 12",
    },
    shows: "a slider-crank with play in its wrist pin: the moment that drives it, for four coefficients of friction",
    inputs: "crank 0.05 m, 0.30 kg, 1e-5 kg m²; rod 0.12 m, 0.21 kg, 2.5e-4 kg m²; slider 0.14 kg; 5000 rpm; journal 9.5 mm in a bearing of 10 mm, steel, Lankarani-Nikravesh, cr = 0.9; Ambrósio's friction",
    assumed: "mass centres at mid-length; gravity 9.81 in -y; friction grows from 1 to 10 mm/s; it acts midway between the two surfaces; the turns that are drawn: the first three",
    errata: &[errata::S1_SPEED, errata::S2_RADIUS],
    model: "",
    compute: figure_12,
}];

const MODEL: &str = r#"
format = 1
[parameters]
r = "50 mm"
l = "120 mm"
omega = "5000 rpm"
[simulation]
end = "36 ms"
gravity = [0, -9.81]
output_step = "0.5 us"
channels = ["driver.motor.moment"]
[solver]
rtol = 1e-10
[body.crank]
mass = "0.30 kg"
inertia = "1e-5 kg m^2"
position = ["r/2", 0]
velocity = [0, "omega*r/2"]
angular_velocity = "omega"
points = { O = ["-r/2", 0], A = ["r/2", 0] }
[body.rod]
mass = "0.21 kg"
inertia = "2.5e-4 kg m^2"
position = ["r + l/2", 0]
velocity = [0, "omega*r/2"]
angular_velocity = "-omega*r/l"
points = { A = ["-l/2", 0], B = ["l/2", 0] }
[body.slider]
mass = "0.14 kg"
inertia = "1e-4 kg m^2"
position = ["r + l", 0]
[joint.main]
type = "revolute"
between = ["ground", "crank.O"]
[joint.crank-pin]
type = "revolute"
between = ["crank.A", "rod.A"]
[joint.pin]
type = "revolute"
between = ["rod.B", "slider"]
clearance = "0.5 mm"
journal_radius = "9.5 mm"
length = "15 mm"
material = "steel"
law = "lankarani-nikravesh"
restitution = 0.9
friction = { law = "ambrosio", coefficient = 0, v0 = "1 mm/s", v1 = "10 mm/s" }
[joint.guide]
type = "translational"
between = ["ground", "slider"]
[driver.motor]
joint = "main"
speed = "omega"
"#;

/// One turn, s.
const TURN: f64 = 0.012;
/// Of so many samples the lowest and the highest are drawn: peaks stay what they are.
const STRETCH: usize = 120;

/// Time and moment.
#[derive(Default)]
struct Moments(Vec<(f64, f64)>);

impl Observer for Moments {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.0
            .push((t, values.first().copied().unwrap_or(f64::NAN)));
    }
}

impl Moments {
    /// The moment over time, with some numbers of the model changed.
    fn with(changes: &[(&str, &str)]) -> Result<Self, Trouble> {
        let source = Source {
            name: "s2-fig12".into(),
            text: MODEL.into(),
            folder: PathBuf::new(),
        };
        let changes: Vec<(String, String)> = changes
            .iter()
            .map(|(path, value)| (path.to_string(), value.to_string()))
            .collect();
        let model = match read(&source, &changes) {
            Ok(parsed) => parsed.model,
            Err(faults) => return Err(refused(&faults)),
        };
        let mut system = System::assemble(&model).map_err(|faults| refused(&faults))?;
        let mut moments = Self::default();
        let outcome = system.run(&mut moments);
        match outcome.status {
            Status::Completed => Ok(moments),
            _ => Err(Trouble::Refused(format!("{:?}", outcome.reason))),
        }
    }

    /// The largest moment, either way, from one turn to another, N m.
    fn peak(&self, from: f64, to: f64) -> f64 {
        let within = |t: f64| t >= from * TURN && t <= to * TURN;
        let these = self.0.iter().filter(|(t, _)| within(*t));
        these.fold(0.0, |peak: f64, (_, moment)| peak.max(moment.abs()))
    }

    /// As many points as can be seen.
    fn drawn(&self) -> Vec<(f64, f64)> {
        let mut drawn = Vec::new();
        for stretch in self.0.chunks(STRETCH) {
            let by_moment = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let low = stretch.iter().min_by(by_moment);
            let high = stretch.iter().max_by(by_moment);
            if let (Some(low), Some(high)) = (low, high) {
                let (first, last) = if low.0 <= high.0 {
                    (low, high)
                } else {
                    (high, low)
                };
                drawn.push(*first);
                if first.0 < last.0 {
                    drawn.push(*last);
                }
            }
        }
        drawn
    }
}

fn refused<T: std::fmt::Display>(faults: &[T]) -> Trouble {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Trouble::Refused(faults.join("; "))
}

fn figure_12() -> Result<Reproduction, Trouble> {
    let ideal = Moments::with(&[("joint.pin.clearance", "0")])?;
    let rubbed = |mu: &str| Moments::with(&[("joint.pin.friction.coefficient", mu)]);
    let smooth = rubbed("0")?;
    let mut stack = Stack::new(Axis::new("time", "s"));
    let draw = |words: String, moments: &Moments| {
        Panel::new(Axis::new("moment", "N m"))
            .heading(words)
            .height(150.0)
            .covering([-1400.0, 1250.0])
            .reference("joint without play", ideal.drawn())
            .line("crank moment", moments.drawn())
    };
    stack = stack.panel(draw("no friction".into(), &smooth));
    let start = smooth.peak(0.0, 1.0);
    let later = smooth.peak(1.0, 3.0);
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
    for mu in ["0.01", "0.03", "0.05", "0.10"] {
        let moments = rubbed(mu)?;
        stack = stack.panel(draw(format!("coefficient {mu}"), &moments));
        let (early, late) = (moments.peak(0.0, 1.0), moments.peak(1.0, 3.0));
        whole.holds &= early < start;
        whole = whole.number(mu, early, "N m");
        if mu == "0.01" {
            at_1.holds = late < later;
            at_1 = at_1.number(mu, late, "N m").number("0", later, "N m");
        } else {
            from_3.holds &= late < last;
            from_3 = from_3.number(mu, late, "N m");
            last = late;
        }
    }
    let title = "Slider-crank with play and friction (Flores et al. 2006, Fig. 12)";
    Ok(Reproduction::new(
        Chart::new(title).stack(stack),
        vec![whole, from_3, at_1],
    ))
}
