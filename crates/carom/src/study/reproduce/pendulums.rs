//! What do the figures of Poursina and Nikravesh (2020) on two pendulums show?
//!
//! Four laws of contact run the model file; beside them it runs with impulses that turn the speed round at once while nothing moves: the piecewise method.

use crate::contact::closed;
use crate::math;
use crate::report::plot::{Axis, Chart, Panel, Stack};
use crate::study::many;
use crate::system::Contacted;

use super::motion::{File, Motion};
use super::poursina::paper;
use super::{Claim, Figure, Reproduction, Trouble, errata};

const MODEL: File = (
    "two-pendulums.toml",
    include_str!("../../../../../models/two-pendulums.toml"),
);

const INPUTS: &str = "thin rods of 1 kg and 6 m, 0.2 kg and 4 m, pivots 2 m apart; released at π/12 and -π/2; e = 0.3, K = 1e8 N/m^1.5, n = 1.5; 8 s";

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s3-fig11",
        paper: paper("Fig. 11"),
        shows: "angular velocities of two pendulums that strike each other: impulses, eq. 50, and Hunt-Crossley with three dampers",
        inputs: INPUTS,
        assumed: "the figure of the rig is not in the text: pivot 2 stands 2 m to the left of pivot 1 at the same height, the tip of rod 2 strikes the side of rod 1, g = 9.81 m/s²; angles from the downward vertical, positive to the right (A), or from the horizontal (B): both are drawn. The piecewise solution is the same model file with method.contact = \"piecewise\"",
        errata: &[errata::S3_CAUSE],
        model: MODEL.0,
        compute: figure_11,
    },
    Figure {
        id: "s3-fig12",
        paper: paper("Fig. 12"),
        shows: "force over indentation in the first contact of the two pendulums: eq. 50 and Hunt-Crossley with its dampers",
        inputs: INPUTS,
        assumed: "geometry A of Fig. 11",
        errata: &[errata::S3_ZERO, errata::S3_CAUSE],
        model: MODEL.0,
        compute: figure_12,
    },
];

/// The laws: what they are called, and their ids. The first three are the paper's; the last has the factor that Hunt and Crossley gave their force in 1975, h = 3(1 - e)/2.
const LAWS: [(&str, &str); 4] = [
    ("linear damper (eq. 50)", "poursina-nikravesh"),
    ("Hunt-Crossley (eq. 16)", "flores"),
    ("Hunt-Crossley, exact (eq. 19)", "exact-restitution"),
    ("Hunt-Crossley, own factor (1975)", "hunt-crossley"),
];
/// The one that is not in the paper's figure.
const OWN: &str = "hunt-crossley";

/// A reading of the paper's geometry: the angles at release, as the model file has them.
struct Geometry {
    changes: [(&'static str, &'static str); 2],
}

const A: Geometry = Geometry {
    changes: [
        ("parameters.release1", "15 deg"),
        ("parameters.release2", "-90 deg"),
    ],
};
const B: Geometry = Geometry {
    changes: [
        ("parameters.release1", "105 deg"),
        ("parameters.release2", "0 deg"),
    ],
};

impl Geometry {
    /// The model file with a law.
    fn run(&self, law: &str) -> Result<Motion, Trouble> {
        let mut changes = self.changes.to_vec();
        changes.push(("contact.tip.law", law));
        Motion::of(MODEL, &changes)
    }

    /// All laws.
    fn laws(&self) -> Result<Vec<Motion>, Trouble> {
        many::each(&LAWS, |(_, id)| self.run(id))
            .into_iter()
            .collect()
    }

    /// The same without compliance.
    fn impulses(&self) -> Result<Motion, Trouble> {
        let mut changes = self.changes.to_vec();
        changes.push(("method.contact", "piecewise"));
        Motion::of(MODEL, &changes)
    }
}

fn drawn(title: &str, piecewise: &Motion, laws: &[Motion]) -> Result<Chart, Trouble> {
    let mut stack = Stack::new(Axis::new("time", "s"));
    for (channel, name) in [
        ("rod1.omega", "angular velocity of rod 1"),
        ("rod2.omega", "angular velocity of rod 2"),
    ] {
        let line = piecewise.curve(channel)?;
        let mut panel = Panel::new(Axis::new(name, "rad/s"))
            .height(220.0)
            .reference("impulses (piecewise)", line);
        for ((name, _), motion) in LAWS.iter().zip(laws) {
            panel = panel.line(*name, motion.curve(channel)?);
        }
        stack = stack.panel(panel);
    }
    // Where the lines above cannot be told apart.
    let mut panel = Panel::new(Axis::new("distance from the impulses", "rad").logarithmic());
    for ((name, _), motion) in LAWS.iter().zip(laws) {
        let far = distances(piecewise, motion)?;
        // Before the first impact there is nothing but rounding.
        panel = panel.line(*name, far.into_iter().filter(|p| p.1 > 1e-7));
    }
    Ok(Chart::new(title).stack(stack.panel(panel)))
}

/// How far the two angles are from the piecewise ones, as the hypotenuse of both, at all times that both have, rad. Rates would be judged by how a sample falls into a jump.
fn distances(piecewise: &Motion, motion: &Motion) -> Result<Vec<(f64, f64)>, Trouble> {
    let angles = |of: &Motion| -> Result<Vec<(f64, [f64; 2])>, Trouble> {
        let (one, two) = (of.curve("rod1.angle")?, of.column("rod2.angle")?);
        let both = one.into_iter().zip(two);
        Ok(both.map(|((t, one), two)| (t, [one, *two])).collect())
    };
    let known = angles(piecewise)?;
    let mut others = known.iter();
    let mut far = Vec::new();
    for (t, [one, two]) in angles(motion)? {
        if let Some((_, known)) = others.find(|state| (state.0 - t).abs() < 1e-6) {
            let off = [one - known[0], two - known[1]];
            far.push((t, math::sqrt(off[0] * off[0] + off[1] * off[1])));
        }
    }
    Ok(far)
}

/// The root mean square over both angles and all times, rad.
fn away(piecewise: &Motion, motion: &Motion) -> Result<f64, Trouble> {
    let far = distances(piecewise, motion)?;
    let sum: f64 = far.iter().map(|p| p.1 * p.1).sum();
    Ok(math::sqrt(sum / (2.0 * far.len() as f64)))
}

fn restitution(contact: Option<&Contacted>) -> f64 {
    contact.map_or(f64::NAN, |c| c.episode.separation / c.episode.approach)
}

fn figure_11() -> Result<Reproduction, Trouble> {
    let (piecewise, laws) = (A.impulses()?, A.laws()?);
    let (piecewise_b, laws_b) = (B.impulses()?, B.laws()?);
    let chart = drawn(
        "Two pendulums, angles from the vertical (Poursina and Nikravesh 2020, Fig. 11)",
        &piecewise,
        &laws,
    )?;
    let other = drawn(
        "Two pendulums, angles from the horizontal (Poursina and Nikravesh 2020, Fig. 11)",
        &piecewise_b,
        &laws_b,
    )?;
    let mut three = Claim::new(
        "the system experiences three impacts in 8 s",
        "contacts counted, every method of the figure, both readings of the geometry",
        piecewise.contacts().len() == 3 && piecewise_b.contacts().len() == 3,
    )
    .number("impulses, A", piecewise.contacts().len() as f64, "")
    .number("impulses, B", piecewise_b.contacts().len() as f64, "");
    for (reading, laws) in [("A", &laws), ("B", &laws_b)] {
        for ((_, id), motion) in LAWS.iter().zip(laws) {
            let count = motion.contacts().len();
            three.holds &= count == 3 || *id == OWN;
            three = three.number(format!("{id}, {reading}"), count as f64, "");
        }
    }
    let mut off = [0.0; 4];
    let mut off_b = [0.0; 4];
    let mut returned = [0.0; 4];
    for (i, (motion, motion_b)) in laws.iter().zip(&laws_b).enumerate() {
        off[i] = away(&piecewise, motion)?;
        off_b[i] = away(&piecewise_b, motion_b)?;
        returned[i] = restitution(motion.contacts().first());
    }
    let first = piecewise.contacts().first().map(|c| c.episode);
    let meets = |motion: &Motion| {
        let contact = motion.contacts().first().map(|c| c.episode);
        contact.zip(first).is_some_and(|(c, f)| {
            (c.start - f.start).abs() < 1e-5 && (c.approach - f.approach).abs() < 1e-5
        })
    };
    let claims = vec![
        three,
        Claim::new(
            "the linear damper (eq. 50) captures the motion more accurately than Hunt-Crossley with eq. 16",
            "root mean square of both angles from the piecewise ones over 8 s, both readings of the geometry",
            off[0] < off[1] && off_b[0] < off_b[1],
        )
        .number("eq. 50", off[0], "rad")
        .number("Hunt-Crossley, eq. 16", off[1], "rad")
        .number("eq. 50, B", off_b[0], "rad")
        .number("Hunt-Crossley, eq. 16, B", off_b[1], "rad"),
        Claim::new(
            "it is Hunt-Crossley's force that is less accurate",
            "the same with the exact damper (eq. 19) in Hunt-Crossley's force: the claim holds if that is not ten times closer; restitution in the first impact beside it, and the factor of 1975, which returns too much",
            off[2] > 0.1 * off[1],
        )
        .number("Hunt-Crossley, exact", off[2], "rad")
        .number("Hunt-Crossley, eq. 16", off[1], "rad")
        .number("Hunt-Crossley, own factor", off[3], "rad")
        .number("e eq. 50", returned[0], "")
        .number("e eq. 16", returned[1], "")
        .number("e exact", returned[2], "")
        .number("e own factor", returned[3], "")
        .number("e eq. 16 in a free impact", closed::restitution(1.6 * 0.7 / 0.3), "")
        .number("e own factor in a free impact", closed::restitution(1.5 * 0.7), ""),
        Claim::new(
            "until the first impact nothing depends on the method",
            "its time and speed with every law and by impulses agree to 1e-5 s and m/s",
            laws.iter().all(meets),
        )
        .number("time", first.map_or(f64::NAN, |f| f.start), "s")
        .number("speed", first.map_or(f64::NAN, |f| f.approach), "m/s"),
    ];
    Ok(Reproduction::new(chart, claims).and(
        "b",
        "The other reading: angles from the horizontal, so that rod 1 starts above it and rod 2 hangs at rest.",
        other,
    ))
}

fn figure_12() -> Result<Reproduction, Trouble> {
    let mut panel = Panel::new(Axis::new("force", "N")).height(340.0);
    let mut firsts = Vec::new();
    for (name, id) in LAWS {
        let first = A.run(id)?.contacts().first().cloned();
        let first = first.ok_or_else(|| Trouble::Refused("the rods do not meet".into()))?;
        panel = panel.line(name, first.samples.iter().map(|s| (s.delta, s.force)));
        firsts.push(first);
    }
    let title = "The first contact of the two pendulums (Poursina and Nikravesh 2020, Fig. 12)";
    let chart = Chart::new(title).stack(Stack::new(Axis::new("indentation", "m")).panel(panel));
    let [linear, hunt, ..] = firsts.as_slice() else {
        return Err(Trouble::Refused("three laws were run".into()));
    };
    let ends = |c: &Contacted| {
        let at = |s: Option<&crate::system::ContactSample>| s.map_or(f64::NAN, |s| s.force);
        (at(c.samples.first()), at(c.samples.last()))
    };
    let ((touch, part), (hunt_touch, hunt_part)) = (ends(linear), ends(hunt));
    let (peak, hunt_peak) = (linear.course.peak[0], hunt.course.peak[0]);
    let claims = vec![
        Claim::new(
            "with the linear damper the force is not zero at touch, and zero at separation, where some indentation is left",
            "force at touch above a hundredth of the peak, at separation below a thousandth; indentation left beside it",
            touch > 0.01 * peak && part.abs() < 1e-3 * peak && linear.episode.left > 0.0,
        )
        .number("force at touch", touch, "N")
        .number("indentation left", linear.episode.left, "m")
        .number("peak force", peak, "N")
        .number("deepest", linear.course.deepest[0], "m"),
        Claim::new(
            "with Hunt-Crossley's force both are zero at both ends",
            "forces below a thousandth of the peak, indentation left below a thousandth of the deepest",
            hunt_touch.abs() < 1e-3 * hunt_peak
                && hunt_part.abs() < 1e-3 * hunt_peak
                && hunt.episode.left.abs() < 1e-3 * hunt.course.deepest[0],
        )
        .number("peak force", hunt_peak, "N")
        .number("deepest", hunt.course.deepest[0], "m")
        .number("force at separation", hunt_part, "N"),
    ];
    Ok(Reproduction::new(chart, claims))
}
