//! What do the figures of Flores et al. (2006) on the forces of spheres and cylinders show?

use crate::card::{Citation, Values};
use crate::contact::{Calibration, Law, State, find};
use crate::impact::{Impact, Sample};
use crate::math;
use crate::report::laws;
use crate::report::laws::Curve;
use crate::report::plot::{Axis, Chart, Panel, Stack};

use super::{Claim, Figure, Reproduction, Trouble, errata, impact, unit_interval};

pub(super) const fn paper(figure: &'static str) -> Citation {
    Citation {
        authors: "Flores, Ambrósio, Claro, Lankarani",
        year: 2006,
        title: "Influence of the contact-impact force model on the dynamic response of multi-body systems",
        journal: "Proc. Inst. Mech. Eng. K, J. Multi-body Dyn. 220, 21",
        equation: figure,
    }
}

/// What figures 1 to 6 leave open.
const ASSUMED: &str = "mass and speed, of which the paper gives none: 0.14 kg, the slider of its section 6, at 0.26 m/s, where the linear spring of Fig. 1 and Hertz's of Fig. 2 are pressed in equally deep";
const STEEL: &str = "journal of radius 9.5 mm and length 15 mm in a bearing of radius 10 mm, steel: E = 207 GPa, ν = 0.3; σ = (1 - ν²)/E as printed";

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s2-fig1",
        paper: paper("Fig. 1"),
        shows: "sphere in sphere, two linear springs, one for each way (eq. 1): indentation, force, loop",
        inputs: "K = 1.5e8 N/m, ce = 0.9",
        assumed: ASSUMED,
        errata: &[errata::S2_SWITCHED],
        model: "",
        compute: figure_1,
    },
    Figure {
        id: "s2-fig2",
        paper: paper("Fig. 2"),
        shows: "sphere in sphere, Hertz's law: indentation, force, loop",
        inputs: "K = 6.6e10 N/m^1.5, n = 1.5",
        assumed: ASSUMED,
        errata: &[errata::S2_RADIUS],
        model: "",
        compute: figure_2,
    },
    Figure {
        id: "s2-fig3",
        paper: paper("Fig. 3"),
        shows: "sphere in sphere, the law of Lankarani and Nikravesh: indentation, force, loop",
        inputs: "K = 6.6e10 N/m^1.5, n = 1.5",
        assumed: "the restitution, 0.9 as in Fig. 1 and Table 2; mass and speed, of which the paper gives none: 0.14 kg, the slider of its section 6, at 0.26 m/s as in Fig. 1 and 2; steel of 7850 kg/m³",
        errata: &[errata::S1_SPEED, errata::S2_RADIUS],
        model: "",
        compute: figure_3,
    },
    Figure {
        id: "s2-fig4",
        paper: paper("Fig. 4"),
        shows: "journal in bearing, the law of Dubowsky and Freudenstein: indentation, force, loop",
        inputs: STEEL,
        assumed: ASSUMED,
        errata: &[errata::S2_BRANCH, errata::S2_ORDER, errata::S2_SIGMA],
        model: "",
        compute: figure_4,
    },
    Figure {
        id: "s2-fig5",
        paper: paper("Fig. 5"),
        shows: "journal in bearing, Goldsmith's law: indentation, force, loop",
        inputs: STEEL,
        assumed: "computed in metres; mass and speed, of which the paper gives none: 0.14 kg at 0.26 m/s as in Fig. 1 and 2",
        errata: &[errata::S2_GOLDSMITH, errata::S2_ORDER, errata::S2_SIGMA],
        model: "",
        compute: figure_5,
    },
    Figure {
        id: "s2-fig6",
        paper: paper("Fig. 6"),
        shows: "journal in bearing, the formula of ESDU 78035: indentation, force, loop",
        inputs: STEEL,
        assumed: ASSUMED,
        errata: &[errata::S2_BRANCH, errata::S2_ORDER, errata::S2_SIGMA],
        model: "",
        compute: figure_6,
    },
    Figure {
        id: "s2-fig7",
        paper: paper("Fig. 7"),
        shows: "force over indentation of a sphere in a sphere and of three laws of cylinders, nothing moving",
        inputs: STEEL,
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
    },
];

/// Of the impacts, kg and m/s.
const MASS: f64 = 0.14;
const SPEED: f64 = 0.26;
/// As printed, N/m^1.5 and N/m.
const SPHERES: f64 = 6.6e10;
const SPRING: f64 = 1.5e8;
/// Of steel, Pa and kg/m³.
const YOUNG: f64 = 207e9;
const DENSITY: f64 = 7850.0;
/// Bearing, journal and their length, m.
const BEARING: f64 = 10e-3;
const JOURNAL: f64 = 9.5e-3;
const LENGTH: f64 = 15e-3;

const LAWS: [(&str, &str); 3] = [
    ("Dubowsky-Freudenstein", "dubowsky-freudenstein"),
    ("ESDU 78035", "esdu-78035"),
    ("Goldsmith, in metres", "goldsmith"),
];

/// Half of E/(1 - ν²), Pa: both bodies yield.
fn modulus() -> f64 {
    0.5 * YOUNG / (1.0 - 0.3 * 0.3)
}

/// A law of cylinders; lengths counted in this unit (m).
fn cylinder(id: &str, unit: f64) -> Result<Law, Trouble> {
    let values = Values::new()
        .number("effective_modulus", modulus() * unit * unit)
        .number("length", LENGTH / unit)
        .number("bearing_radius", BEARING / unit)
        .number("journal_radius", JOURNAL / unit);
    Ok(Law::new(find(id)?, &values, None, Calibration::Published)?)
}

/// Force at rest, N.
fn at_rest(law: &Law, delta: f64) -> Result<f64, Trouble> {
    // Approach speed and mass do not matter to a law without a damper.
    Ok(law.touch(1.0, 1.0)?.force(&State::new(delta, 0.0)).total())
}

/// Indentation and force over time, and the loop, beside Hertz's.
fn drawn(title: &str, name: &str, one: &Impact) -> Result<Chart, Trouble> {
    let hertz = match one.law {
        "hertz" => None,
        _ => Some(impact(
            &super::law("hertz", SPHERES, f64::NAN)?,
            SPEED,
            MASS,
        )?),
    };
    let panel = |y: Axis, point: fn(&Sample) -> (f64, f64)| {
        let mut panel = Panel::new(y);
        if let Some(hertz) = &hertz {
            panel = panel.reference("Hertz (Fig. 2)", hertz.history.iter().map(point));
        }
        panel.line(name, one.history.iter().map(point))
    };
    let (indentation, force) = (Axis::new("indentation", "m"), Axis::new("force", "N"));
    let over_time = Stack::new(Axis::new("time", "s"))
        .panel(panel(indentation.clone(), |s| (s.time, s.delta)).height(170.0))
        .panel(panel(force.clone(), |s| (s.time, s.force())).height(170.0));
    let loops = Stack::new(indentation).panel(panel(force, |s| (s.delta, s.force())).height(230.0));
    Ok(Chart::new(title).stack(over_time).stack(loops))
}

/// Depth, force and duration beside what is claimed.
fn measures(claim: Claim, one: &Impact) -> Claim {
    claim
        .number("deepest", one.deepest.delta, "m")
        .number("peak force", one.peak.force, "N")
        .number("duration", one.duration(), "s")
}

/// The part of the kinetic energy that is lost.
fn lost(one: &Impact) -> f64 {
    1.0 - one.restitution * one.restitution
}

/// That an impact gives back all it took.
fn lossless(claim: &'static str, one: &Impact) -> Claim {
    let holds = lost(one).abs() < 1e-8;
    let claim = Claim::new(
        claim,
        "the restitution returned is 1 to eight digits",
        holds,
    )
    .number("restitution returned", one.restitution, "");
    measures(claim, one)
}

fn figure_1() -> Result<Reproduction, Trouble> {
    let values = Values::new()
        .number("stiffness", SPRING)
        .number("unloading_factor", 0.9);
    let law = Law::new(
        find("kelvin-voigt-switched")?,
        &values,
        None,
        Calibration::Published,
    )?;
    let one = impact(&law, SPEED, MASS)?;
    // Where the force falls most from one sample to the next, in proportion, while it is large.
    let large = one
        .history
        .iter()
        .filter(|s| s.force() > 0.5 * one.peak.force);
    let forces: Vec<f64> = large.map(Sample::force).collect();
    let falls = forces.windows(2).map(|pair| match pair {
        [before, after] => after / before,
        _ => 1.0,
    });
    let jump = falls.fold(1.0, f64::min);
    let jumps = Claim::new(
        "the force is discontinuous where the indentation is largest",
        "the force after the deepest point over that before it is below 0.95",
        jump < 0.95,
    )
    .number("after over before", jump, "");
    let claims = vec![
        measures(jumps, &one),
        Claim::new(
            "the factor ce of the force on the way back is the restitution coefficient",
            "the restitution returned is 0.9 to a hundredth",
            (one.restitution - 0.9).abs() < 0.01,
        )
        .number("restitution returned", one.restitution, "")
        .number("√ce", math::sqrt(0.9), "")
        .number("energy lost", 100.0 * lost(&one), "%"),
    ];
    let title = "Two linear springs, one for each way (Flores et al. 2006, Fig. 1)";
    Ok(Reproduction::new(
        drawn(title, "Kelvin-Voigt, switched (eq. 1)", &one)?,
        claims,
    ))
}

fn figure_2() -> Result<Reproduction, Trouble> {
    let one = impact(&super::law("hertz", SPHERES, f64::NAN)?, SPEED, MASS)?;
    let words = "the energy stored while loading is exactly restored while unloading";
    let title = "Sphere in sphere, Hertz (Flores et al. 2006, Fig. 2)";
    Ok(Reproduction::new(
        drawn(title, "Hertz (eq. 2)", &one)?,
        vec![lossless(words, &one)],
    ))
}

fn figure_3() -> Result<Reproduction, Trouble> {
    let law = super::law("lankarani-nikravesh", SPHERES, 0.9)?;
    let one = impact(&law, SPEED, MASS)?;
    let loops = Claim::new(
        "energy is lost in a loop; force and indentation begin and end at zero",
        "some of the energy is lost, and the force at separation is below a millionth of the peak",
        lost(&one) > 0.01 && one.end.force.abs() < 1e-6 * one.peak.force,
    )
    .number("energy lost", 100.0 * lost(&one), "%");
    let wave = math::sqrt(YOUNG / DENSITY);
    let claims = vec![
        measures(loops, &one),
        Claim::new(
            "ce is the restitution coefficient",
            "the restitution returned is 0.9 to a hundredth",
            (one.restitution - 0.9).abs() < 0.01,
        )
        .number("restitution returned", one.restitution, ""),
        Claim::new(
            "valid below the propagation velocity of elastic waves, that is up to 1e-5 √(E/ρ)",
            "the second is no less than a tenth of the first",
            1e-5 * wave > 0.1 * wave,
        )
        .number("√(E/ρ)", wave, "m/s")
        .number("1e-5 √(E/ρ)", 1e-5 * wave, "m/s"),
    ];
    let title = "Sphere in sphere, Lankarani and Nikravesh (Flores et al. 2006, Fig. 3)";
    Ok(Reproduction::new(
        drawn(title, "Lankarani-Nikravesh (eq. 9)", &one)?,
        claims,
    ))
}

/// The largest departure of a loading curve from the straight line to its end, over the force there.
fn bent(law: &Law, deepest: f64) -> Result<f64, Trouble> {
    let end = at_rest(law, deepest)?;
    let mut most = 0.0_f64;
    for x in unit_interval(200) {
        most = most.max((at_rest(law, x * deepest)? / end - x).abs());
    }
    Ok(most)
}

/// A figure of a law of cylinders.
fn of_cylinder(
    id: &str,
    name: &str,
    title: &str,
    more: impl Fn(&Law, &Impact) -> Result<Vec<Claim>, Trouble>,
) -> Result<Reproduction, Trouble> {
    let law = cylinder(id, 1.0)?;
    let one = impact(&law, SPEED, MASS)?;
    let mut claims = vec![lossless(
        "the laws of cylinders are purely elastic: none explains the loss of energy in an impact",
        &one,
    )];
    claims.extend(more(&law, &one)?);
    Ok(Reproduction::new(drawn(title, name, &one)?, claims))
}

fn figure_4() -> Result<Reproduction, Trouble> {
    let title = "Journal in bearing, Dubowsky and Freudenstein (Flores et al. 2006, Fig. 4)";
    let name = "Dubowsky-Freudenstein (eq. 10, b = 3)";
    of_cylinder("dubowsky-freudenstein", name, title, |law, one| {
        // The force of eq. 10 put back into it must give the indentation.
        let sigma = 1.0 / modulus();
        let f = one.peak.force;
        let inside =
            LENGTH * LENGTH * LENGTH * (BEARING - JOURNAL) / (f * BEARING * JOURNAL * sigma);
        let printed = f * sigma / LENGTH * (math::ln(inside) + 1.0);
        let limit = LENGTH * LENGTH * (BEARING - JOURNAL) / (BEARING * JOURNAL);
        let above = law.touch(1.0, 1.0)?.limit();
        Ok(vec![
            Claim::new(
                "eq. 10 can be solved for the force at any indentation, by iteration",
                "there is a force for an indentation of 2 mm; the indentation that eq. 10 gives for the peak force stands beside the one it was found for",
                above > 2e-3,
            )
            .number("largest indentation with a force", above, "m")
            .number("L² ΔR/(Ri Rj)", limit, "m")
            .number("by eq. 10", printed, "m")
            .number("found for", one.deepest.delta, "m"),
        ])
    })
}

fn figure_5() -> Result<Reproduction, Trouble> {
    let title = "Journal in bearing, Goldsmith (Flores et al. 2006, Fig. 5)";
    of_cylinder(
        "goldsmith",
        "Goldsmith (eq. 10, b = 1)",
        title,
        |law, one| {
            let deepest = one.deepest.delta;
            let departure = bent(law, deepest)?;
            let mut straight = Claim::new(
            "the force over the indentation is almost linear",
            "the curve departs from the straight line to its end by less than a twentieth of the force there; the other laws, to the same depth, beside it",
            departure < 0.05,
        )
        .number("Goldsmith", 100.0 * departure, "%");
            for (name, other) in [
                (
                    "Dubowsky-Freudenstein",
                    cylinder("dubowsky-freudenstein", 1.0)?,
                ),
                ("ESDU 78035", cylinder("esdu-78035", 1.0)?),
                ("Hertz", super::law("hertz", SPHERES, f64::NAN)?),
            ] {
                straight = straight.number(name, 100.0 * bent(&other, deepest)?, "%");
            }
            let metres = at_rest(law, 2e-6)?;
            let millimetres = at_rest(&cylinder("goldsmith", 1e-3)?, 2e-3)?;
            Ok(vec![
                straight,
                Claim::new(
                    "b = 1 leads to a problem of consistency of the units",
                    "the force at 2 µm is not the same computed in metres and in millimetres",
                    (millimetres / metres - 1.0).abs() > 0.01,
                )
                .number("in metres", metres, "N")
                .number("in millimetres", millimetres, "N"),
            ])
        },
    )
}

fn figure_6() -> Result<Reproduction, Trouble> {
    let title = "Journal in bearing, ESDU 78035 (Flores et al. 2006, Fig. 6)";
    of_cylinder("esdu-78035", "ESDU 78035 (eq. 11)", title, |law, one| {
        let deepest = one.deepest.delta;
        let other = cylinder("dubowsky-freudenstein", 1.0)?;
        let (here, there) = (bent(law, deepest)?, bent(&other, deepest)?);
        Ok(vec![
            Claim::new(
                "the models of cylinders are non-linear",
                "to the depth of this impact the curves of ESDU 78035 and of Dubowsky and Freudenstein depart from the straight line to their ends by more than a hundredth of the force there",
                here.min(there) > 0.01,
            )
            .number("ESDU 78035", 100.0 * here, "%")
            .number("Dubowsky-Freudenstein", 100.0 * there, "%"),
        ])
    })
}

fn figure_7() -> Result<Reproduction, Trouble> {
    // A hole counts as a negative radius (Flores et al. 2006, eq. 3).
    let radius = BEARING * JOURNAL / (BEARING - JOURNAL);
    let stiffness = 4.0 / 3.0 * modulus() * math::sqrt(radius);
    let hertz = super::law("hertz", stiffness, f64::NAN)?;
    let mut cylinders = Vec::new();
    for (name, id) in LAWS {
        cylinders.push((name, cylinder(id, 1.0)?));
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
