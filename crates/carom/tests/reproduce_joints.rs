//! What is the verdict on every claim about the figures of Flores et al. (2006) and of Poursina and Nikravesh (2020), and on the parameters of Xiong's law?
#![cfg(feature = "plot")]

use std::collections::BTreeMap;

use carom::study::reproduce::{Claim, figures, reproduce};

/// Figure, words of the claim, whether it holds, and numbers that are known, to three digits and more.
type Verdict = (
    &'static str,
    &'static str,
    bool,
    &'static [(&'static str, f64)],
);

/// Where the numbers come from: √0.9, K δ and the closed forms of Hertz and of Hunt and Crossley's class for m = 0.14 kg, 0.26 m/s; √(207e9/7850); s C = L² ΔR/(Rb Rj); Goldsmith's law solved with Lambert's function in
/// both units; 1 - e⁻³ and 1 mm/s + 9 mm/s tan 20°/0.4; dimensions for the powers of the damping; the rest was computed once by an independent program (mechanism, pendulums) or is this program's own, kept here so that a change is seen.
const VERDICTS: &[Verdict] = &[
    (
        "s2-fig1",
        "discontinuous",
        true,
        &[
            ("after over before", 0.9),
            ("deepest", 7.94312e-6),
            ("peak force", 1191.47),
        ],
    ),
    (
        "s2-fig1",
        "is the restitution coefficient",
        false,
        &[("restitution returned", 0.948683), ("energy lost", 10.0)],
    ),
    (
        "s2-fig2",
        "exactly restored",
        true,
        &[
            ("restitution returned", 1.0),
            ("deepest", 7.9685e-6),
            ("duration", 90.206e-6),
        ],
    ),
    (
        "s2-fig3",
        "lost in a loop",
        true,
        &[("energy lost", 16.611)],
    ),
    (
        "s2-fig3",
        "ce is the restitution coefficient",
        false,
        &[("restitution returned", 0.91318)],
    ),
    (
        "s2-fig3",
        "elastic waves",
        false,
        &[("√(E/ρ)", 5135.14), ("1e-5 √(E/ρ)", 0.0513514)],
    ),
    (
        "s2-fig4",
        "purely elastic",
        true,
        &[("restitution returned", 1.0)],
    ),
    (
        "s2-fig4",
        "at any indentation",
        false,
        &[("largest indentation with a force", 1.184211e-3)],
    ),
    (
        "s2-fig5",
        "purely elastic",
        true,
        &[("restitution returned", 1.0)],
    ),
    (
        "s2-fig5",
        "almost linear",
        true,
        &[("Goldsmith", 2.1612), ("Hertz", 14.8148)],
    ),
    (
        "s2-fig5",
        "consistency of the units",
        true,
        &[("in metres", 182.3), ("in millimetres", 1101.2)],
    ),
    (
        "s2-fig6",
        "purely elastic",
        true,
        &[("restitution returned", 1.0)],
    ),
    (
        "s2-fig6",
        "non-linear",
        true,
        &[("ESDU 78035", 4.1792), ("Dubowsky-Freudenstein", 4.4815)],
    ),
    (
        "s2-fig7",
        "reasonably close",
        false,
        &[("Hertz at 1 µm", 66.102), ("ESDU 78035 at 10 µm", 2024.0)],
    ),
    ("s2-fig7", "6.6e10", true, &[("K", 6.6101984e10)]),
    ("s2-fig8", "at once", true, &[("change", 20.0)]),
    ("s2-fig8", "any value", true, &[("limit", 10.0)]),
    ("s2-fig8", "against", true, &[]),
    (
        "s2-fig9",
        "eq. 15",
        false,
        &[
            ("as printed", 0.0950213),
            ("part of the full friction at vr", 0.950213),
        ],
    ),
    (
        "s2-fig9",
        "the smaller vr",
        true,
        &[("vr = 10 mm/s", 0.259182), ("vr = 1 mm/s", 0.950213)],
    ),
    ("s2-fig9", "keeps the force", true, &[]),
    ("s2-fig9", "adherence", true, &[("speed", 9.1893)]),
    (
        "s2-fig11",
        "on the whole",
        true,
        &[
            ("lankarani-nikravesh", 132.714),
            ("hertz", 173.575),
            ("dubowsky-freudenstein", 166.436),
            ("goldsmith", 158.994),
            ("esdu-78035", 165.378),
        ],
    ),
    (
        "s2-fig11",
        "its peaks",
        false,
        &[
            ("lankarani-nikravesh", 1103.3),
            ("hertz", 1390.96),
            ("dubowsky-freudenstein", 1123.79),
            ("goldsmith", 876.32),
            ("esdu-78035", 1144.52),
        ],
    ),
    (
        "s2-fig11",
        "the first blow",
        false,
        &[
            ("lankarani-nikravesh", 45870.024),
            ("hertz", 48246.16),
            ("goldsmith", 21471.06),
        ],
    ),
    (
        "s2-fig11",
        "eq. 9 is valid",
        false,
        &[("first impact", 4.385826514), ("limit", 0.05135)],
    ),
    (
        "s2-fig11",
        "whatever the law",
        true,
        &[("time", 2.272848801e-4), ("speed", 4.385826514)],
    ),
    (
        "s2-fig11",
        "closed form",
        true,
        &[
            ("largest", 138.624160),
            ("least", -138.419179),
            ("largest at", 34.969183),
            ("least at", 325.021766),
        ],
    ),
    ("s2-fig11", "balance", true, &[]),
    (
        "s2-fig12",
        "the first turn",
        false,
        &[("0", 1103.3), ("0.10", 1165.4)],
    ),
    (
        "s2-fig12",
        "from 0.03 on",
        true,
        &[
            ("0", 957.03),
            ("0.03", 847.65),
            ("0.05", 495.8),
            ("0.10", 330.97),
        ],
    ),
    ("s2-fig12", "at 0.01", false, &[("0", 957.03)]),
    ("s3-fig2", "force at touch is not zero", true, &[]),
    ("s3-fig2", "it would pull", true, &[]),
    ("s3-fig2", "(introduction)", false, &[]),
    ("s3-fig2", "nothing pulls", true, &[]),
    ("s3-fig3", "straight line", true, &[]),
    ("s3-fig3", "n/(n + 1)", true, &[]),
    ("s3-fig4", "straight line", true, &[]),
    ("s3-fig4", "(n - 1)/(n + 1)", true, &[]),
    ("s3-fig5", "straight line", true, &[]),
    ("s3-fig5", "1/(n + 1)", true, &[]),
    (
        "s3-fig6",
        "approximately follows",
        true,
        &[("largest departure", 0.26929)],
    ),
    (
        "s3-fig6",
        "between 0 and 1",
        true,
        &[("largest λ", 0.27086)],
    ),
    ("s3-fig6", "approaches 0", true, &[("at e = 1", 0.0)]),
    (
        "s3-fig7",
        "of the fit",
        false,
        &[
            ("largest difference of α", 0.74371),
            ("α fitted, n = 1.5", 1.75288),
            ("β fitted, n = 1.5", -0.33083),
        ],
    ),
    ("s3-fig7", "gives the damping", true, &[]),
    (
        "s3-fig7",
        "for n = 3/2",
        true,
        &[
            ("α(1.5)", 1.949569),
            ("β(1.5)", -0.299854),
            ("α(1)", 1.4181),
            ("β(1)", -0.44),
        ],
    ),
    ("s3-fig8", "accurately reproduces", true, &[]),
    ("s3-fig8", "down to", false, &[]),
    ("s3-fig9", "accurately captures", true, &[]),
    ("s3-fig9", "eq. 55", false, &[]),
    (
        "s3-fig11",
        "three impacts",
        true,
        &[
            ("impulses, A", 3.0),
            ("impulses, B", 3.0),
            ("flores, B", 3.0),
        ],
    ),
    (
        "s3-fig11",
        "more accurately",
        true,
        &[("Hunt-Crossley, eq. 16", 0.062836)],
    ),
    (
        "s3-fig11",
        "force that is less accurate",
        false,
        &[("e exact", 0.3002), ("e eq. 16 in a free impact", 0.2562)],
    ),
    (
        "s3-fig11",
        "until the first impact",
        true,
        &[("time", 1.142446), ("speed", 10.310490)],
    ),
    (
        "s3-fig12",
        "linear damper",
        true,
        &[("force at touch", 4893.79), ("indentation left", 600.59e-6)],
    ),
    ("s3-fig12", "Hunt-Crossley", true, &[("peak force", 7158.0)]),
    (
        "s4-xiong",
        "β1 determines",
        true,
        &[("the same, β1 = 0.4", 5.0)],
    ),
    (
        "s4-xiong",
        "roundedness",
        true,
        &[("β2 = 0", 0.23362), ("β2 = 0.4", 0.33985)],
    ),
    (
        "s4-xiong",
        "overall shape",
        true,
        &[
            ("part filled, γ = 1", 0.09692),
            ("part filled, γ = 100", 0.32498),
        ],
    ),
    (
        "s4-xiong",
        "β1 or β2 increases",
        true,
        &[
            ("β1 = 0", 0.86181),
            ("β1 = 0.8", 0.33451),
            ("β2 = 0", 0.73343),
            ("β2 = 0.8", 0.48152),
        ],
    ),
    (
        "s4-xiong",
        "as γ increases",
        true,
        &[
            ("γ = 0.1", 0.99758),
            ("γ = 1000", 0.64067),
            ("settled from γ", 50.119),
        ],
    ),
];

#[test]
fn every_claim_about_joints_damping_and_pendulums_has_its_known_verdict() {
    let mine = |id: &str| ["s2-", "s3-", "s4-xiong"].iter().any(|s| id.starts_with(s));
    let chosen: Vec<_> = figures().filter(|figure| mine(figure.id)).collect();
    let claims: BTreeMap<&str, Vec<Claim>> = reproduce(&chosen, |figure, result| {
        let result = result.unwrap_or_else(|error| panic!("{}: {error}", figure.id));
        (figure.id, result.claims)
    })
    .into_iter()
    .collect();
    let mut wrong = Vec::new();
    for (id, words, holds, numbers) in VERDICTS {
        let found = claims.get(id).unwrap_or_else(|| panic!("no figure {id}"));
        let of: Vec<&Claim> = found.iter().filter(|c| c.claim.contains(words)).collect();
        let [claim] = of.as_slice() else {
            panic!("{id} has {} claims about {words}", of.len());
        };
        if claim.holds != *holds {
            wrong.push(format!("{id}, {words}: holds is {}", claim.holds));
        }
        for (name, known) in *numbers {
            let found = claim.get(name).unwrap_or(f64::NAN);
            // Half a unit of the third digit of a number that begins with 9.
            if !((found - known).abs() <= 5e-4 * known.abs()) {
                wrong.push(format!("{id}, {words}: {name} is {found}, known {known}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // No claim without a verdict.
    let told: usize = claims.values().map(Vec::len).sum();
    assert_eq!(told, VERDICTS.len());
}
