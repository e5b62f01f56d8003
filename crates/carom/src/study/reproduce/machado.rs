//! What do the figures of Machado et al. (2012) on two colliding spheres show?

use crate::card::Citation;
use crate::contact::closed;
use crate::impact::Impact;
use crate::report::laws;
use crate::report::laws::Named;
use crate::report::plot::Chart;

use super::{Claim, Figure, Reproduction, Trouble, errata, impact, law, unit_interval};

const fn paper(figure: &'static str) -> Citation {
    Citation {
        authors: "Machado, Moreira, Flores, Lankarani",
        year: 2012,
        title: "Compliant contact force models in multibody dynamics: evolution of the Hertz contact theory",
        journal: "Mech. Mach. Theory 53, 99",
        equation: figure,
    }
}

const ELASTIC: &str = "two equal spheres, 0.092 kg each (effective mass 0.046 kg), meeting at 0.15 m/s each (0.3 m/s); K = 5.5e9 N/m^1.5, n = 1.5";
const SPHERES: &str = "two equal spheres, 0.092 kg each (effective mass 0.046 kg), meeting at 0.15 m/s each (0.3 m/s); K = 5.5e9 N/m^1.5, n = 1.5; cr = 0.7";

pub(super) const FIGURES: &[Figure] = &[
    Figure {
        id: "s1-fig3",
        paper: paper("Fig. 3"),
        shows: "two spheres, Hertz: force and indentation over time, force over indentation, phase portrait",
        inputs: ELASTIC,
        assumed: "",
        errata: &[errata::S1_SPEED],
        model: "",
        compute: figure_3,
    },
    Figure {
        id: "s1-fig4",
        paper: paper("Fig. 4"),
        shows: "two spheres, Hertz and Hunt-Crossley: force and indentation over time, force over indentation, phase portrait",
        inputs: SPHERES,
        assumed: "",
        errata: &[],
        model: "",
        compute: figure_4,
    },
    Figure {
        id: "s1-fig5",
        paper: paper("Fig. 5"),
        shows: "two spheres, four laws: force over indentation, phase portrait",
        inputs: SPHERES,
        assumed: "the restitution of the figure is that of the text before it, 0.7",
        errata: &[errata::LOOPS],
        model: "",
        compute: figure_5,
    },
    Figure {
        id: "s1-fig6",
        paper: paper("Fig. 6"),
        shows: "two spheres, six laws: force over indentation, phase portrait",
        inputs: SPHERES,
        assumed: "the restitution of the figure is that of the text before, 0.7",
        errata: &[errata::S0_ENERGY, errata::S1_GONTHIER],
        model: "",
        compute: figure_6,
    },
    Figure {
        id: "s1-fig7",
        paper: paper("Fig. 7"),
        shows: "the damping factor of seven laws over the restitution",
        inputs: "K = 1, approach speed 1",
        assumed: "the range of the vertical axis: restitution from 0.1 on",
        errata: &[errata::S1_GONTHIER],
        model: "",
        compute: figure_7,
    },
];

/// The impact of the two spheres.
fn spheres(id: &str) -> Result<Impact, Trouble> {
    let e = if id == "hertz" { f64::NAN } else { 0.7 };
    impact(&law(id, 5.5e9, e)?, 0.3, 0.046)
}

/// The part of the energy that is lost: the area of the loop over ½ m v0².
fn lost(impact: &Impact) -> f64 {
    1.0 - impact.restitution * impact.restitution
}

/// How much larger the one is than the other, as a part of the other.
fn excess(one: f64, other: f64) -> f64 {
    one / other - 1.0
}

fn loops_and_portraits(title: &str, impacts: &[Named], hertz: &Impact) -> Chart {
    let hertz = Some(("Hertz", hertz));
    laws::loops(title, impacts, hertz).and(laws::portraits("", impacts, hertz))
}

fn figure_3() -> Result<Reproduction, Trouble> {
    let hertz = spheres("hertz")?;
    let all = [("Hertz", &hertz)];
    let chart = laws::histories(
        "Two spheres, Hertz (Machado et al. 2012, Fig. 3)",
        &all,
        None,
    )
    .and(laws::loops("", &all, None))
    .and(laws::portraits("", &all, None));
    let claims = vec![
        Claim::new(
            "the force starts from zero, returns to zero and is always compressive",
            "force at touch and at separation, least force: none below -1e-9 of the peak",
            hertz.min_force >= -1e-9 * hertz.peak.force
                && hertz.end.force.abs() < 1e-9 * hertz.peak.force,
        )
        .number("peak force", hertz.peak.force, "N")
        .number("least force", hertz.min_force, "N")
        .number("deepest", hertz.deepest.delta, "m")
        .number("duration", hertz.duration(), "s"),
        Claim::new(
            "the impact ends with a relative speed of -0.3 m/s at no indentation",
            "restitution within 1e-9 of 1",
            (hertz.restitution - 1.0).abs() < 1e-9,
        )
        .number("rate at separation", hertz.end.rate, "m/s")
        .number("restitution", hertz.restitution, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}

fn figure_4() -> Result<Reproduction, Trouble> {
    let (hertz, hunt) = (spheres("hertz")?, spheres("hunt-crossley")?);
    let reference = Some(("Hertz", &hertz));
    let all = [("Hunt-Crossley", &hunt)];
    let chart = laws::histories(
        "Two spheres, Hertz and Hunt-Crossley, cr = 0.7 (Machado et al. 2012, Fig. 4)",
        &all,
        reference,
    )
    .and(laws::loops("", &all, reference))
    .and(laws::portraits("", &all, reference));
    let (down, up) = (hunt.deepest.time, hunt.duration() - hunt.deepest.time);
    let claims = vec![
        Claim::new(
            "compression and restitution are not equal",
            "the restitution lasts longer, and less is lost in it, by more than a twentieth each",
            up > 1.05 * down && hunt.dissipated_compression > 1.05 * hunt.dissipated_restitution,
        )
        .number("compression lasts", down, "s")
        .number("restitution lasts", up, "s")
        .number("lost in compression", hunt.dissipated_compression, "J")
        .number("lost in restitution", hunt.dissipated_restitution, "J"),
        Claim::new(
            "the force builds up from zero, returns to zero and is always positive",
            "least force, force at separation: none below -1e-9 of the peak",
            hunt.min_force >= -1e-9 * hunt.peak.force
                && hunt.end.force.abs() < 1e-9 * hunt.peak.force,
        )
        .number("peak force", hunt.peak.force, "N")
        .number("least force", hunt.min_force, "N"),
        Claim::new(
            "the impact has a restitution of 0.7",
            "returned within 0.01",
            (hunt.restitution - 0.7).abs() < 0.01,
        )
        .number("restitution returned", hunt.restitution, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}

fn figure_5() -> Result<Reproduction, Trouble> {
    let hertz = spheres("hertz")?;
    let hunt = spheres("hunt-crossley")?;
    let herbert = spheres("herbert-mcwhannell")?;
    let lee = spheres("lee-wang")?;
    let chart = loops_and_portraits(
        "Two spheres, cr = 0.7 (Machado et al. 2012, Fig. 5)",
        &[
            ("Lee-Wang", &lee),
            ("Hunt-Crossley", &hunt),
            ("Herbert-McWhannell", &herbert),
        ],
        &hertz,
    );
    let between = lee.peak.force > hunt.peak.force && hunt.peak.force > herbert.peak.force;
    let loop_of = |id: &str, e: f64| -> Result<f64, Trouble> {
        let e = closed::restitution(damping_factor(id, e)?);
        Ok(1.0 - e * e)
    };
    let difference = |e: f64| -> Result<f64, Trouble> {
        Ok(excess(
            loop_of("herbert-mcwhannell", e)?,
            loop_of("hunt-crossley", e)?,
        ))
    };
    // Falls to nothing at 1: where is it 1.5 %?
    let (mut low, mut high) = (0.7, 0.9999);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if difference(middle)? > 0.015 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let claims = vec![
        Claim::new(
            "Hunt-Crossley lies between the other two; the force of Lee-Wang is the larger",
            "peak forces",
            between,
        )
        .number("peak Lee-Wang", lee.peak.force, "N")
        .number("peak Hunt-Crossley", hunt.peak.force, "N")
        .number("peak Herbert-McWhannell", herbert.peak.force, "N"),
        Claim::new(
            "Herbert-McWhannell loses the most energy, Lee-Wang the least",
            "restitution returned",
            herbert.restitution < hunt.restitution && hunt.restitution < lee.restitution,
        )
        .number("e Herbert-McWhannell", herbert.restitution, "")
        .number("e Hunt-Crossley", hunt.restitution, "")
        .number("e Lee-Wang", lee.restitution, ""),
        Claim::new(
            "the loops of Hunt-Crossley and Herbert-McWhannell differ by 1.5 percent",
            "excess of the loop area at cr = 0.7, 0.9, 0.95, and the cr where it is 1.5 %",
            (excess(lost(&herbert), lost(&hunt)) - 0.015).abs() < 0.005,
        )
        .number("at 0.7", 100.0 * excess(lost(&herbert), lost(&hunt)), "%")
        .number("at 0.9", 100.0 * difference(0.9)?, "%")
        .number("at 0.95", 100.0 * difference(0.95)?, "%")
        .number("1.5 % at cr", low, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}

fn figure_6() -> Result<Reproduction, Trouble> {
    let hertz = spheres("hertz")?;
    let hunt = spheres("hunt-crossley")?;
    let lankarani = spheres("lankarani-nikravesh")?;
    let gonthier = spheres("gonthier")?;
    let zhiying = spheres("zhiying-qishao")?;
    let flores = spheres("flores")?;
    let chart = loops_and_portraits(
        "Two spheres, cr = 0.7 (Machado et al. 2012, Fig. 6)",
        &[
            ("Lankarani-Nikravesh", &lankarani),
            ("Hunt-Crossley", &hunt),
            ("Flores et al.", &flores),
            ("Zhiying-Qishao", &zhiying),
            ("Gonthier et al.", &gonthier),
        ],
        &hertz,
    );
    let three = [&gonthier, &zhiying, &flores].map(lost);
    let spread = excess(
        three.into_iter().fold(0.0, f64::max),
        three.into_iter().fold(f64::INFINITY, f64::min),
    );
    let claims = vec![
        Claim::new(
            "Hunt-Crossley and Lankarani-Nikravesh do not differ significantly",
            "peak forces and loop areas within a tenth",
            excess(lankarani.peak.force, hunt.peak.force).abs() < 0.1
                && excess(lost(&hunt), lost(&lankarani)).abs() < 0.1,
        )
        .number(
            "peak differs by",
            100.0 * excess(lankarani.peak.force, hunt.peak.force),
            "%",
        )
        .number(
            "loop differs by",
            100.0 * excess(lost(&hunt), lost(&lankarani)),
            "%",
        )
        .number("e Hunt-Crossley", hunt.restitution, "")
        .number("e Lankarani-Nikravesh", lankarani.restitution, ""),
        Claim::new(
            "Gonthier, Zhiying-Qishao and Flores evolve quite closely",
            "loop areas within a twentieth of each other",
            spread < 0.05,
        )
        .number("e Gonthier", gonthier.restitution, "")
        .number("e Zhiying-Qishao", zhiying.restitution, "")
        .number("e Flores", flores.restitution, "")
        .number("loops within", 100.0 * spread, "%"),
    ];
    Ok(Reproduction::new(chart, claims))
}

const SEVEN: [(&str, &str); 7] = [
    ("Gonthier et al.", "gonthier"),
    ("Flores et al.", "flores"),
    ("Zhiying-Qishao", "zhiying-qishao"),
    ("Herbert-McWhannell", "herbert-mcwhannell"),
    ("Hunt-Crossley", "hunt-crossley"),
    ("Lankarani-Nikravesh", "lankarani-nikravesh"),
    ("Lee-Wang", "lee-wang"),
];

/// h of a law at a restitution, from its card.
pub(super) fn damping_factor(id: &str, e: f64) -> Result<f64, Trouble> {
    let law = law(id, 1.0, e)?;
    let touch = law.touch(1.0, 1.0)?;
    Ok(law.own_coefficient(&touch).unwrap_or(f64::NAN))
}

fn figure_7() -> Result<Reproduction, Trouble> {
    let mut curves = Vec::new();
    for (name, id) in SEVEN {
        let points: Result<Vec<_>, Trouble> = unit_interval(180)
            .map(|x| 0.1 + 0.9 * x)
            .map(|e| Ok((e, damping_factor(id, e)?)))
            .collect();
        curves.push((name.to_string(), points?));
    }
    let chart = laws::damping_factors(
        "Damping factor of seven laws (Machado et al. 2012, Fig. 7)",
        &curves,
    );
    let range = |ids: &[&str], e: f64| -> Result<(f64, f64), Trouble> {
        let mut range = (f64::INFINITY, 0.0_f64);
        for id in ids {
            let h = damping_factor(id, e)?;
            range = (range.0.min(h), range.1.max(h));
        }
        Ok(range)
    };
    let three = ["gonthier", "zhiying-qishao", "flores"];
    let mut least = true;
    for e in unit_interval(99).map(|x| 0.01 + 0.98 * x) {
        let lee = damping_factor("lee-wang", e)?;
        for (_, id) in SEVEN {
            least &= damping_factor(id, e)? >= lee;
        }
    }
    let at = |e: f64| range(&three, e).map(|(low, high)| excess(high, low));
    let (all_low, all_high) = range(&SEVEN.map(|(_, id)| id), 0.95)?;
    let returned = |id: &str, e: f64| damping_factor(id, e).map(closed::restitution);
    let claims = vec![
        Claim::new(
            "all laws behave similarly for high restitution",
            "the largest h at cr = 0.95 is not above one and a half times the least",
            all_high < 1.5 * all_low,
        )
        .number("least h at 0.95", all_low, "")
        .number("largest h at 0.95", all_high, ""),
        Claim::new(
            "Lee-Wang loses the least energy",
            "its h is the least from cr = 0.01 to 0.99",
            least,
        ),
        Claim::new(
            "Hunt-Crossley, Herbert-McWhannell, Lee-Wang and Lankarani-Nikravesh do not work for low restitution",
            "restitution returned where none is asked for",
            returned("hunt-crossley", 0.0)? > 0.1 && returned("lee-wang", 0.0)? > 0.1,
        )
        .number("Hunt-Crossley", returned("hunt-crossley", 0.0)?, "")
        .number("Herbert-McWhannell", returned("herbert-mcwhannell", 0.0)?, "")
        .number("Lee-Wang", returned("lee-wang", 0.0)?, "")
        .number("Lankarani-Nikravesh", returned("lankarani-nikravesh", 0.0)?, "")
        .number("Zhiying-Qishao", returned("zhiying-qishao", 0.0)?, ""),
        Claim::new(
            "h of Gonthier and Flores grows without bound as the restitution falls",
            "h at 0.001 is above 100",
            damping_factor("gonthier", 1e-3)? > 100.0 && damping_factor("flores", 1e-3)? > 100.0,
        )
        .number("Gonthier", damping_factor("gonthier", 1e-3)?, "")
        .number("Flores", damping_factor("flores", 1e-3)?, ""),
        Claim::new(
            "Gonthier, Zhiying-Qishao and Flores are very close above 0.5",
            "h within a tenth of each other from 0.5 to 0.9",
            at(0.5)? < 0.1 && at(0.7)? < 0.1 && at(0.9)? < 0.1,
        )
        .number("spread at 0.5", 100.0 * at(0.5)?, "%")
        .number("spread at 0.7", 100.0 * at(0.7)?, "%")
        .number("spread at 0.9", 100.0 * at(0.9)?, "%")
        .number("h Gonthier at 0.9", damping_factor("gonthier", 0.9)?, "")
        .number("h Zhiying-Qishao at 0.9", damping_factor("zhiying-qishao", 0.9)?, "")
        .number("h Flores at 0.9", damping_factor("flores", 0.9)?, ""),
    ];
    Ok(Reproduction::new(chart, claims))
}
