//! What does the figure of Flores et al. (2006) on spheres and cylinders show?

use crate::card::{Citation, Values};
use crate::contact::{Calibration, Law, State, find};
use crate::math;
use crate::report::laws;
use crate::report::laws::Curve;

use super::{Claim, Figure, Reproduction, Trouble, errata, unit_interval};

pub(super) const FIGURES: &[Figure] = &[Figure {
    id: "s2-fig7",
    paper: Citation {
        authors: "Flores, Ambrósio, Claro, Lankarani",
        year: 2006,
        title: "Influence of the contact-impact force model on the dynamic response of multi-body systems",
        journal: "Proc. Inst. Mech. Eng. K, J. Multi-body Dyn. 220, 21",
        equation: "Fig. 7",
    },
    shows: "force over indentation of a sphere in a sphere and of three laws of cylinders, nothing moving",
    inputs: "journal of radius 9.5 mm and length 15 mm in a bearing of radius 10 mm, steel: E = 207 GPa, ν = 0.3; σ = (1 - ν²)/E as printed",
    assumed: "Goldsmith's law, whose value depends on the unit of length, in metres; the sphere's stiffness from the same radii, 6.61e10 N/m^1.5; the range of the axes",
    errata: &[
        errata::S2_GOLDSMITH,
        errata::S2_BRANCH,
        errata::S2_RADIUS,
        errata::S2_SIGMA,
        errata::S2_CLOSE,
    ],
    model: "",
    compute: figure_7,
}];

const LAWS: [(&str, &str); 3] = [
    ("Dubowsky-Freudenstein", "dubowsky-freudenstein"),
    ("ESDU 78035", "esdu-78035"),
    ("Goldsmith, in metres", "goldsmith"),
];

/// Force at rest, N.
fn at_rest(law: &Law, delta: f64) -> Result<f64, Trouble> {
    // Approach speed and mass do not matter to a law without a damper.
    Ok(law.touch(1.0, 1.0)?.force(&State::new(delta, 0.0)).total())
}

fn figure_7() -> Result<Reproduction, Trouble> {
    let (bearing, journal) = (10e-3, 9.5e-3);
    let modulus = 0.5 * 207e9 / (1.0 - 0.3 * 0.3);
    // A hole counts as a negative radius (Flores et al. 2006, eq. 3).
    let radius = bearing * journal / (bearing - journal);
    let stiffness = 4.0 / 3.0 * modulus * math::sqrt(radius);
    let hertz = super::law("hertz", stiffness, f64::NAN)?;
    let values = Values::new()
        .number("effective_modulus", modulus)
        .number("length", 15e-3)
        .number("bearing_radius", bearing)
        .number("journal_radius", journal);
    let mut cylinders = Vec::new();
    for (name, id) in LAWS {
        let law = Law::new(find(id)?, &values, None, Calibration::Published)?;
        cylinders.push((name, law));
    }
    let curve = |law: &Law, points: &[f64]| -> Result<Vec<(f64, f64)>, Trouble> {
        points
            .iter()
            .map(|delta| Ok((*delta, at_rest(law, *delta)?)))
            .collect()
    };
    let linear: Vec<f64> = unit_interval(200).map(|x| 20e-6 * x).collect();
    let wide: Vec<f64> = unit_interval(200)
        .map(|x| 1e-7 * math::powf(10.0, 3.3 * x))
        .collect();
    let draw = |points: &[f64], title: &str, log: bool| {
        let mut curves: Vec<Curve> = Vec::new();
        for (name, law) in &cylinders {
            curves.push((name.to_string(), curve(law, points)?));
        }
        let sphere = (
            "sphere in sphere (Hertz)".to_string(),
            curve(&hertz, points)?,
        );
        Ok::<_, Trouble>(laws::static_forces(title, &curves, Some(&sphere), log))
    };
    let title = "Journal in a bearing, spheres and cylinders (Flores et al. 2006, Fig. 7)";
    let chart = draw(&linear, title, false)?.and(draw(&wide, "", true)?);
    let mut claim = Claim::new(
        "the relations of spheres and cylinders are reasonably close",
        "at 1, 10 and 100 µm, Dubowsky-Freudenstein and ESDU within a fifth of Hertz",
        true,
    );
    for (delta, words) in [(1e-6, "1 µm"), (10e-6, "10 µm"), (100e-6, "100 µm")] {
        let sphere = at_rest(&hertz, delta)?;
        claim = claim.number(format!("Hertz at {words}"), sphere, "N");
        for (name, law) in &cylinders {
            let force = at_rest(law, delta)?;
            if *name != "Goldsmith, in metres" {
                claim.holds &= (force / sphere - 1.0).abs() < 0.2;
            }
            claim = claim.number(format!("{name} at {words}"), force, "N");
        }
    }
    let stiffness = Claim::new(
        "the stiffness of a sphere of 9.5 mm in one of 10 mm, steel, is 6.6e10 N/m^1.5",
        "within the digits printed",
        (stiffness / 6.6e10 - 1.0).abs() < 0.01,
    )
    .number("K", stiffness, "N/m^1.5");
    Ok(Reproduction::new(chart, vec![claim, stiffness]))
}
