//! What does one law do in one impact?

use std::time::Instant;

use carom::contact::{self, Calibration, Card, Law, Restitution};
use carom::impact::{self, Accuracy, Impact, TwoBodies};
use carom::model::units::{Dimension, pretty};
use carom::report::laws as charts;
use carom::study::compare::heeds_restitution;
use clap::Args;
use serde_json::{Map, Value, json};

use super::inputs::{self, Case};
use super::{DIGITS, File, Output, Warning, pairs, pictures, print, print_json};
use crate::trouble::Trouble;

/// Points of a history and of a loop.
pub const SAMPLES: usize = 400;

/// The arguments of `carom impact`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom impact --law flores --stiffness 5.5e9 --mass 0.046 --speed 0.3 --restitution 0.7\n\nMore:\n  carom impact --law flores -k \"5.5e9 N/m^1.5\" -m \"46 g\" -v \"300 mm/s\" -e 0.7 --out DIR\n  carom impact --law hunt-crossley -k 5.5e9 -m 0.046 -v 0.3 -e 0.7 --calibration exact\n  carom impact --law flores --material steel,bronze --radii \"20 mm,inf\" -m 2 -v 0.3 -e 0.6\n  carom impact --law hu-guo -k 5.5e9 --masses 1,2 --speeds 0.3,-0.1 -e 1-0.02*v --json\n  carom impact --law kelvin-voigt -k 1e6 -m 2 -v 0.5 -p damping=\"200 N s/m\"\n\nQuantities are numbers (SI) or have a unit: \"9.5 mm\", \"207 GPa\". `--out DIR` writes history.csv, summary.json and pictures (SVG and PNG): loop, portrait, history.\nExit codes: 0 done, 1 the impact could not be followed, 2 the input is wrong."
)]
pub struct Arguments {
    /// The law, by its id or another of its names; `carom laws` lists them
    #[arg(short, long, value_name = "ID")]
    law: String,

    #[command(flatten)]
    case: inputs::CaseArguments,

    #[command(flatten)]
    output: Output,
}

/// Runs one impact and says what came of it.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut case = Case::read(&arguments.case);
    let mut faults = std::mem::take(&mut case.faults);
    let card = match contact::find(&arguments.law) {
        Ok(card) => card,
        Err(fault) => {
            faults.insert(0, inputs::unknown_law(&arguments.law, &fault));
            return Err(Trouble::Input(faults));
        }
    };
    let prepared = case.prepare(card, true);
    faults.extend(prepared.faults.iter().cloned());
    let law = Law::new(
        card,
        &prepared.values,
        case.restitution.clone(),
        case.calibration,
    )
    .map_err(|more| faults.extend(prepared.more(card, more)))
    .ok();
    let Some(law) = law.filter(|_| faults.is_empty()) else {
        return Err(Trouble::Input(faults));
    };

    let accuracy = Accuracy {
        rtol: case.rtol,
        samples: if arguments.output.out.is_some() || !arguments.output.json {
            SAMPLES
        } else {
            0
        },
    };
    let clock = Instant::now();
    let impact = impact::simulate(&law, case.speed, case.mass, &accuracy).map_err(failed)?;
    let wall = clock.elapsed().as_secs_f64();

    let mut warnings = Vec::new();
    if let Some(restitution) = &case.restitution
        && law.calibration() == Calibration::Published
        && !heeds_restitution(card, &prepared.values, restitution, case.speed, case.mass)
    {
        warnings.push(not_used(card, &impact));
    }
    warnings.extend(judged(card, &impact));
    let shapes = case.warnings(Some(impact.deepest.delta), &[card]);
    warnings.extend(shapes.into_iter().map(|warning| Warning {
        element: Some(card.id),
        ..warning
    }));

    let summary = summary(
        &law,
        &impact,
        case.restitution.as_ref(),
        case.two_bodies.as_ref(),
        &warnings,
        wall,
    );
    super::warn(&warnings);
    let mut last = String::new();
    if let Some(dir) = &arguments.output.out {
        let title = |what: &str| format!("{what} of {}: {}", card.id, case.said(Some(card)));
        let mut files = vec![
            File::new("history.csv", pictures::csv(&impact)),
            File::new("summary.json", format!("{summary:#}\n")),
        ];
        let named = [(card.id, &impact)];
        for (name, chart) in [
            ("loop", charts::loops(&title("Loop"), &named, None)),
            (
                "portrait",
                charts::portraits(&title("Phase portrait"), &named, None),
            ),
            (
                "history",
                charts::histories(&title("History"), &named, None),
            ),
        ] {
            files.extend(pictures::files(name, &chart)?);
        }
        super::write_files(dir, &files, arguments.output.force)?;
        last = super::written(dir, &files);
    }
    if arguments.output.json {
        if !last.is_empty() {
            super::note(&last);
        }
        return print_json(&summary);
    }
    let mut text = text(&law, &impact, case.two_bodies.as_ref(), &prepared)?;
    if !last.is_empty() {
        text.push_str(&format!("\n{last}\n"));
    }
    print(&text)
}

/// Which exit code a failure has.
pub fn failed(failed: impact::Failed) -> Trouble {
    if failed.is_input() {
        Trouble::input(failed)
    } else {
        Trouble::Failed(failed.to_string())
    }
}

/// What to say of a restitution that has no effect.
fn not_used(card: &'static Card, impact: &Impact) -> Warning {
    Warning {
        code: "restitution-not-used",
        element: Some(card.id),
        message: format!(
            "{} does not use the restitution{}",
            card.id,
            impact
                .requested
                .map_or(String::new(), |e| format!(" {e} that was asked for"))
        ),
        hint: if card.choices.iter().any(|c| c.name == "damper") {
            "`--param damper=ID` gives it a damper that does, such as damper=flores".into()
        } else if card.can_calibrate() {
            "`--calibration exact` solves for the damping that returns it".into()
        } else {
            "take a law with a damper, such as flores or exact-restitution".into()
        },
    }
}

/// A balance or a restitution beyond the elastic one by more than this is a gain.
const GAIN: f64 = 1e-9;

/// What must be said of a law whenever it is used, and of a result that no contact can have.
pub fn judged(card: &'static Card, impact: &Impact) -> Vec<Warning> {
    let mut found = Vec::new();
    if let Some(said) = card.notes.strip_prefix("Warning:") {
        let first = said.trim().split(". ").next().unwrap_or_default();
        found.push(Warning {
            code: "law",
            element: Some(card.id),
            message: format!("{}: {}", card.id, first.trim_end_matches('.')),
            hint: format!("`carom laws {}` says more", card.id),
        });
    }
    let lost = impact.dissipated() / kinetic(impact);
    if impact.restitution > 1.0 + GAIN || lost < -GAIN {
        let gamma = card.parameters.iter().any(|p| p.name == "gamma");
        found.push(Warning {
            code: "energy-gain",
            element: Some(card.id),
            message: format!(
                "{} gains energy: it returns a restitution of {:.10} and {} % more energy than came in",
                card.id,
                impact.restitution,
                pretty(-100.0 * lost, "", 4)
            ),
            hint: if gamma {
                "a larger `--param gamma=VALUE` makes the contact lose energy".into()
            } else {
                "these parameters are outside what the law is for; `carom laws ID` says where it is valid"
                    .into()
            },
        });
    }
    found
}

/// A number, or null where it is not finite.
pub fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

/// How a calibration is typed.
pub fn word(calibration: Calibration) -> &'static str {
    match calibration {
        Calibration::Published => "published",
        Calibration::Exact => "exact",
    }
}

/// The statistics of a run, as everywhere.
pub fn statistics(impact: &Impact, wall: f64) -> Value {
    let s = &impact.statistics;
    json!({
        "rhs_evaluations": s.rhs_evaluations,
        "steps_accepted": s.steps_accepted,
        "steps_rejected": s.steps_rejected,
        "jacobians": s.jacobians,
        "factorisations": s.factorisations,
        "events": s.events,
        "wall_seconds": wall,
    })
}

/// The parameters as the law took them.
fn parameters(law: &Law, requested: Option<f64>) -> Value {
    let mut map = Map::new();
    let restitution = law.card().restitution().map(|p| p.name);
    for (p, value) in law.values().numbers() {
        let value = if Some(p.name) == restitution {
            requested.unwrap_or(value)
        } else {
            value
        };
        map.insert(p.name.into(), number(value));
    }
    for (name, word) in law.values().words() {
        map.insert(name.into(), word.into());
    }
    map.insert("separation".into(), law.separation().name().into());
    Value::Object(map)
}

/// The result with the keys of a contact in the summary of a run.
pub fn contact_json(impact: &Impact) -> Map<String, Value> {
    let e = number(impact.restitution);
    let value = json!({
        "contact": "impact",
        // Two bodies on a line: no place and no direction is asked for, and nothing slides.
        "point": null,
        "normal": null,
        "tangential_impulse": 0.0,
        "impulse_ratio": 0.0,
        "stick_time": 0.0,
        "approach_speed": number(impact.approach_speed),
        "separation_speed": number(impact.separation_speed()),
        "tangential_speed": 0.0,
        "effective_mass": number(impact.mass),
        "impact_type": "central, direct",
        // In a free central impact the three are one number.
        "restitution": {
            "requested": impact.requested.map_or(Value::Null, number),
            "newton": e, "poisson": e, "stronge": e, "hedrih": null,
        },
        "max_indentation": number(impact.deepest.delta),
        "max_indentation_time": number(impact.deepest.time),
        "peak_force": number(impact.peak.force),
        "peak_force_time": number(impact.peak.time),
        "min_force": number(impact.min_force),
        "duration": number(impact.duration()),
        "start": 0.0,
        "end": number(impact.end.time),
        "impulse": number(impact.impulse),
        "stored_energy_max": number(impact.stored_energy_max),
        "dissipated_energy": {
            "normal": number(impact.dissipated()),
            "compression": number(impact.dissipated_compression),
            "restitution": number(impact.dissipated_restitution),
            "friction": 0.0,
        },
        "separation_indentation": number(impact.end.delta),
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn summary(
    law: &Law,
    impact: &Impact,
    restitution: Option<&Restitution>,
    bodies: Option<&TwoBodies>,
    warnings: &[Warning],
    wall: f64,
) -> Value {
    let mut map = Map::new();
    map.insert("status".into(), "completed".into());
    map.insert("version".into(), env!("CARGO_PKG_VERSION").into());
    map.insert("law".into(), impact.law.into());
    map.append(&mut contact_json(impact));
    map.insert(
        "energy".into(),
        json!({
            "kinetic": number(kinetic(impact)),
            "residual": number(impact.energy_residual),
        }),
    );
    map.insert("calibration".into(), word(law.calibration()).into());
    map.insert(
        "coefficient".into(),
        impact.coefficient.map_or(Value::Null, number),
    );
    if impact.coefficient.is_some() {
        map.insert("coefficient_name".into(), law.card().calibrates.into());
    }
    let requested = restitution.and(impact.requested);
    map.insert("parameters".into(), parameters(law, requested));
    if let Some(bodies) = bodies {
        map.insert("two_bodies".into(), bodies_json(bodies, impact));
    }
    map.insert(
        "warnings".into(),
        warnings.iter().map(Warning::json).collect(),
    );
    map.insert("statistics".into(), statistics(impact, wall));
    Value::Object(map)
}

/// A share in per cent; what is lost in rounding has no sign.
pub fn percent(share: f64) -> String {
    let text = format!("{:.2}", 100.0 * share);
    if text == "-0.00" { "0.00".into() } else { text }
}

/// Kinetic energy of the approach, J.
pub fn kinetic(impact: &Impact) -> f64 {
    0.5 * impact.mass * impact.approach_speed * impact.approach_speed
}

/// Masses, speeds before and after; a fixed body has the mass null.
fn bodies_json(bodies: &TwoBodies, impact: &Impact) -> Value {
    let after = bodies.speeds_after(impact.restitution);
    let before = bodies.speeds();
    let option = |x: Option<f64>| x.map_or(Value::Null, number);
    json!({
        "masses": bodies.masses().map(number),
        "speeds_before": before.map(number),
        "speeds_after": after.map(number),
        "common_speed": number(bodies.common_speed()),
        "momentum_before": option(bodies.momentum(before)),
        "momentum_after": option(bodies.momentum(after)),
        "kinetic_energy_before": number(bodies.kinetic_energy(before)),
        "kinetic_energy_after": number(bodies.kinetic_energy(after)),
    })
}

fn text(
    law: &Law,
    impact: &Impact,
    bodies: Option<&TwoBodies>,
    given: &inputs::Prepared,
) -> Result<String, Trouble> {
    let card = law.card();
    let show = |x: f64, unit: &str| pretty(x, unit, DIGITS);
    let mut text = format!("{}: {}\n  {}\n", card.id, card.formula, card.citation);

    let mut asked = vec![
        ("mass", show(impact.mass, "kg")),
        ("speed", show(impact.approach_speed, "m/s")),
    ];
    let names: Vec<(&str, f64)> = law
        .values()
        .numbers()
        .flat_map(|(p, value)| [(p.symbol, value), (p.name, value)])
        .collect();
    let restitution = card.restitution().map(|p| p.name);
    for (p, value) in law.values().numbers() {
        if Some(p.name) == restitution {
            continue;
        }
        let unit = if p.unit.is_empty() {
            String::new()
        } else {
            Dimension::of(p.unit, &names).map_or(p.unit.into(), Dimension::unit)
        };
        let note = if given.derived.contains(&p.name) {
            match p.name {
                "length" => "",
                name if name.contains("radius") || name == "clearance" => " (from the radii)",
                _ => " (from the material)",
            }
        } else if given.values.get(p.name).is_none() {
            " (default)"
        } else {
            ""
        };
        asked.push((p.name, format!("{}{note}", show(value, &unit))));
    }
    for (name, word) in law.values().words() {
        asked.push((name, word.into()));
    }
    asked.push(("separation", law.separation().name().into()));
    if let Some(e) = impact.requested {
        asked.push(("restitution", format!("{e}")));
        asked.push(("calibration", word(law.calibration()).into()));
    }
    text.push_str("\nasked\n");
    text.push_str(&pairs(&asked));

    let at = |x: f64, unit: &str, time: f64| format!("{} at {}", show(x, unit), show(time, "s"));
    let energy = kinetic(impact);
    let share = |x: f64| format!("{} ({} %)", show(x, "J"), percent(x / energy));
    let mut rows = vec![
        (
            "deepest indentation",
            at(impact.deepest.delta, "m", impact.deepest.time),
        ),
        ("peak force", at(impact.peak.force, "N", impact.peak.time)),
        ("least force", show(impact.min_force, "N")),
        ("duration", show(impact.duration(), "s")),
        ("separation speed", show(impact.separation_speed(), "m/s")),
        ("restitution returned", returned(impact)),
        ("impulse", show(impact.impulse, "N s")),
        ("energy of approach", show(energy, "J")),
        ("stored at most", share(impact.stored_energy_max)),
        ("lost in compression", share(impact.dissipated_compression)),
        ("lost in restitution", share(impact.dissipated_restitution)),
        ("error of the balance", show(impact.energy_residual, "J")),
    ];
    if impact.end.delta != 0.0 {
        rows.insert(4, ("indentation left", show(impact.end.delta, "m")));
    }
    if let Some(c) = impact.coefficient {
        rows.push((
            "coefficient",
            if card.calibrates.is_empty() {
                show(c, "")
            } else {
                format!("{} = {}", card.calibrates, show(c, ""))
            },
        ));
    }
    text.push_str("\nresult\n");
    text.push_str(&pairs(&rows));
    if let Some(line) = closed_form(law, impact) {
        text.push_str(&format!("  {line}\n"));
    }
    if let Some(bodies) = bodies {
        text.push_str(&bodies_text(bodies, impact));
    }
    text.push('\n');
    text.push_str(&pictures::drawing(impact));
    let s = &impact.statistics;
    text.push_str(&format!(
        "\n{} steps, {} rejected, {} evaluations of the force, {} events\n",
        s.steps_accepted, s.steps_rejected, s.rhs_evaluations, s.events
    ));
    Ok(text)
}

fn returned(impact: &Impact) -> String {
    let e = impact.restitution;
    match impact.requested {
        Some(asked) if (e - asked).abs() > 1e-9 => {
            let off = e - asked;
            let off = if off.abs() < 1e-3 {
                format!("{off:+.1e}")
            } else {
                format!("{off:+.4}")
            };
            format!("{e:.10} ({off} against what was asked)")
        }
        _ => format!("{e:.10}"),
    }
}

/// How far the simulation is from the formula, where there is one.
fn closed_form(law: &Law, impact: &Impact) -> Option<String> {
    let touch = impact::begin(law, impact.approach_speed, impact.mass).ok()?;
    let known = impact::known(&touch);
    let mut worst = None;
    for (formula, found) in [
        (known.restitution, impact.restitution),
        (known.deepest, impact.deepest.delta),
        (known.peak_force, impact.peak.force),
        (known.duration, impact.duration()),
    ] {
        let Some(formula) = formula.filter(|f| f.is_finite() && *f != 0.0) else {
            continue;
        };
        let off = (found / formula - 1.0).abs();
        worst = Some(worst.map_or(off, |w: f64| w.max(off)));
    }
    worst.map(|off| format!("closed form agrees to {:.0e}", off.max(1e-16)))
}

fn bodies_text(bodies: &TwoBodies, impact: &Impact) -> String {
    let show = |x: f64, unit: &str| pretty(x, unit, DIGITS);
    let after = bodies.speeds_after(impact.restitution);
    let before = bodies.speeds();
    let both = |x: [f64; 2], unit: &str| format!("{}, {}", show(x[0], unit), show(x[1], unit));
    let change = |a: String, b: String| format!("{a} before, {b} after");
    let mut rows = vec![
        ("masses", both(bodies.masses(), "kg")),
        ("speeds before", both(before, "m/s")),
        ("speeds after", both(after, "m/s")),
        ("common speed", show(bodies.common_speed(), "m/s")),
    ];
    if let (Some(a), Some(b)) = (bodies.momentum(before), bodies.momentum(after)) {
        rows.push(("momentum", change(show(a, "kg m/s"), show(b, "kg m/s"))));
    }
    let (a, b) = (bodies.kinetic_energy(before), bodies.kinetic_energy(after));
    rows.push(("kinetic energy", change(show(a, "J"), show(b, "J"))));
    // The energy of the motion together is not the contact's to take; with a fixed body that moves, its drive pays for it.
    if bodies.momentum(before).is_some() {
        rows.push((
            "lost by both",
            format!(
                "{}, against {} lost in the contact",
                show(a - b, "J"),
                show(impact.dissipated(), "J")
            ),
        ));
    }
    format!("\ntwo bodies\n{}", pairs(&rows))
}
