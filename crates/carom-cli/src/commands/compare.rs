//! How do several laws answer one impact?

use std::time::Instant;

use carom::card::{Fault, Parameter, Role, Values};
use carom::contact::{Calibration, Card, Family, Law, Restitution};
use carom::impact::{Accuracy, Failed};
use carom::model::units::pretty;
use carom::report::laws as charts;
use carom::report::plot::Chart;
use carom::study::compare::{Case as Study, Comparison, Row, Without, compare, heeds_restitution};
use carom::study::{self, Inputs};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::impact::{SAMPLES, contact_json, judged, kinetic, number, percent, statistics, word};
use super::inputs::{self, Case, Prepared};
use super::{File, Output, Warning, pictures, print, print_json, table};
use crate::trouble::Trouble;

/// The arguments of `carom compare`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom compare --laws hertz,hunt-crossley,flores -k 5.5e9 -m 0.046 -v 0.3 -e 0.7\n\nMore:\n  carom compare --laws all -k \"5.5e9 N/m^1.5\" -k \"2e7 N/m\" -m 0.046 -v 0.3 -e 0.7 --out DIR\n  carom compare --laws hysteresis -k 5.5e9 -m 0.046 -v 0.3 -e 0.7 --calibration exact --sort peak\n  carom compare --laws all --material steel --radii \"20 mm,inf\" -m 0.26 -v 0.1 -e 0.7\n\nLaws that take a damping in place of a restitution, and are given none, are calibrated to it. Laws that lack an input are listed under the table.\n`--out DIR` writes compare.csv, a history of each law, and pictures: loops, portraits, force, indentation, ranking, and with their numbers as CSV restitution (returned over asked for), damping, speed (restitution over approach speed), static (elastic force).\nExit codes: 0 done (also if some laws gave no result), 1 no impact could be followed, 2 the input is wrong."
)]
pub struct Arguments {
    /// `all`, a family (elastic, linear, hysteresis, hertz-damper, plastic, state-or-volume), ids, or a list of these
    #[arg(short, long, value_name = "LAWS")]
    laws: String,

    /// What the table is sorted by; unless given, as the laws are listed
    #[arg(long, value_enum)]
    sort: Option<Sort>,

    #[command(flatten)]
    case: inputs::CaseArguments,

    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    /// Restitution returned
    E,
    /// Peak force
    Peak,
    /// Deepest indentation
    Depth,
    /// Duration
    Duration,
    /// Name of the law
    Id,
}

/// A law without a result.
struct Reason {
    card: &'static Card,
    /// Why, in whole sentences.
    why: Vec<String>,
    /// What it lacks, by name and unit.
    lacks: Vec<String>,
    /// Whether what it lacks says it all.
    plain: bool,
}

impl Reason {
    /// What was given does not fit; all else that is missing is said as well.
    fn unfit(card: &'static Card, prepared: &Prepared, case: &Case) -> Self {
        let mut lacks = prepared.lacks.clone();
        let mut why = prepared.faults.clone();
        let law = Law::new(
            card,
            &prepared.values,
            case.restitution.clone(),
            case.calibration,
        );
        let faults = law.err().unwrap_or_default();
        // A damping that is missing is solved for, once there is a restitution.
        let solved = |fault: &Fault| {
            let damping = |p: &&Parameter| p.role == Role::Damping;
            case.restitution.is_some()
                && card.can_calibrate()
                && card
                    .parameters
                    .iter()
                    .filter(damping)
                    .any(|p| matches!(fault, Fault::Missing { name, .. } if *name == p.name))
        };
        for fault in faults.iter().filter(|fault| !solved(fault)) {
            if let Some(name) = missing(fault)
                && let said = prepared.more(card, vec![fault.clone()])
                && !said.is_empty()
            {
                lacks.push(name);
                why.extend(said);
            }
        }
        Self {
            card,
            why,
            lacks,
            plain: false,
        }
    }

    fn of(without: &Without, prepared: Option<&Prepared>) -> Self {
        let mut lacks = Vec::new();
        let mut why = Vec::new();
        for failed in &without.why {
            match (failed, prepared) {
                (Failed::Input(fault), Some(prepared)) => {
                    why.extend(prepared.more(without.card, vec![fault.clone()]));
                }
                _ => why.push(failed.to_string()),
            }
            if let Failed::Input(fault) = failed {
                lacks.extend(missing(fault));
            }
        }
        Self {
            card: without.card,
            plain: lacks.len() == without.why.len(),
            why,
            lacks,
        }
    }

    /// In one line where only things are missing.
    fn lines(&self) -> Vec<String> {
        if self.plain {
            vec![format!("{}: {}", self.card.id, self.lacks.join(", "))]
        } else {
            self.why.clone()
        }
    }
}

/// The name and unit of what is missing.
fn missing(fault: &Fault) -> Option<String> {
    match fault {
        Fault::Missing { name, unit: "", .. } => Some(name.to_string()),
        Fault::Missing { name, unit, .. } => Some(format!("{name} [{unit}]")),
        _ => None,
    }
}

/// Runs all laws and prints the table.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut case = Case::read(&arguments.case);
    let cards = match inputs::selection(&arguments.laws) {
        Ok(cards) => {
            case.for_several(&cards);
            cards
        }
        Err(said) => {
            case.faults.splice(0..0, said);
            Vec::new()
        }
    };
    if let Some(restitution) = &case.restitution {
        let faults = restitution.faults("compare");
        case.faults.extend(faults.iter().map(ToString::to_string));
        if let (true, Err(fault)) = (faults.is_empty(), restitution.at(case.speed, "compare"))
            && case.speed.is_finite()
        {
            case.faults.push(fault.to_string());
        }
    }
    if !case.faults.is_empty() {
        return Err(Trouble::Input(std::mem::take(&mut case.faults)));
    }

    let mut missing: Vec<Reason> = Vec::new();
    let mut ready: Vec<(&'static Card, Values)> = Vec::new();
    let mut given: Vec<(&'static Card, Prepared)> = Vec::new();
    for card in cards {
        let prepared = case.prepare(card, false);
        if prepared.faults.is_empty() {
            ready.push((card, prepared.values.clone()));
            given.push((card, prepared));
        } else {
            missing.push(Reason::unfit(card, &prepared, &case));
        }
    }
    let study = Study {
        speed: case.speed,
        mass: case.mass,
        restitution: case.restitution.clone(),
        calibration: case.calibration,
        accuracy: Accuracy {
            rtol: case.rtol,
            samples: if arguments.output.out.is_some() {
                SAMPLES
            } else {
                0
            },
        },
    };
    let clock = Instant::now();
    let mut result = compare(&ready, &study);
    let wall = clock.elapsed().as_secs_f64();
    if let Some(by) = arguments.sort {
        sort(&mut result.rows, by);
    }
    let reason = |without: &Without| {
        let prepared = given.iter().find(|g| g.0 == without.card);
        Reason::of(without, prepared.map(|g| &g.1))
    };
    missing.extend(result.missing.iter().map(reason));
    let failed: Vec<Reason> = result.failed.iter().map(reason).collect();

    if result.rows.is_empty() {
        return Err(nothing(&missing, &failed, &result));
    }
    let run: Vec<&'static Card> = result.rows.iter().map(|row| row.card).collect();
    let mut warnings = case.warnings(None, &run);
    let judged = |row: &Row| judged(row.card, &row.impact);
    warnings.extend(result.rows.iter().flat_map(judged));
    super::warn(&warnings);

    let mut last = String::new();
    if let Some(dir) = &arguments.output.out
        && !result.rows.is_empty()
    {
        let files = files(&result.rows, &case)?;
        super::write_files(dir, &files, arguments.output.force)?;
        last = super::written(dir, &files);
    }
    if arguments.output.json {
        if !last.is_empty() {
            super::note(&last);
        }
        print_json(&summary(&case, &result, &missing, &failed, &warnings, wall))
    } else {
        print(&text(&case, &result, &missing, &failed, &last))
    }
}

/// What to say if no law gave a result: wrong input, unless a run failed for another reason.
fn nothing(missing: &[Reason], failed: &[Reason], result: &Comparison) -> Trouble {
    let all = missing.iter().chain(failed);
    let mut said: Vec<String> = all.flat_map(|r| r.why.iter().cloned()).collect();
    said.push(format!(
        "none of the {} laws gave a result",
        missing.len() + failed.len()
    ));
    let input = result
        .failed
        .iter()
        .all(|w| w.why.iter().all(Failed::is_input));
    if input {
        Trouble::Input(said)
    } else {
        Trouble::Failed(said.join("\nerror: "))
    }
}

fn sort(rows: &mut [Row], by: Sort) {
    let key = |row: &Row| match by {
        Sort::E => row.impact.restitution,
        Sort::Peak => row.impact.peak.force,
        Sort::Depth => row.impact.deepest.delta,
        Sort::Duration => row.impact.duration(),
        Sort::Id => 0.0,
    };
    rows.sort_by(|a, b| {
        key(a)
            .total_cmp(&key(b))
            .then_with(|| a.card.id.cmp(b.card.id))
    });
}

/// How the law came to its damper.
fn how(row: &Row) -> &'static str {
    match (row.takes_restitution, row.calibration) {
        (true, Calibration::Exact) => "calibrated",
        (true, Calibration::Published) => "published",
        (false, _) => "as it is",
    }
}

/// Share of the energy of approach that is lost in compression.
fn compression(row: &Row) -> f64 {
    row.impact.dissipated_compression / kinetic(&row.impact)
}

fn text(
    case: &Case,
    result: &Comparison,
    missing: &[Reason],
    failed: &[Reason],
    last: &str,
) -> String {
    let mut text = format!(
        "{} at {}",
        pretty(case.mass, "kg", 6),
        pretty(case.speed, "m/s", 6)
    );
    if let Some(e) = result.rows.iter().find_map(|row| row.impact.requested) {
        text.push_str(&format!(", restitution {e}"));
    }
    text.push_str("\n\n");
    let rows: Vec<Vec<String>> = result
        .rows
        .iter()
        .map(|row| {
            let i = &row.impact;
            let asked = i.requested.filter(|_| row.takes_restitution);
            vec![
                row.card.id.into(),
                how(row).into(),
                asked.map_or("-".into(), |e| format!("{e:.4}")),
                format!("{:.6}", i.restitution),
                pretty(i.deepest.delta, "m", 6),
                pretty(i.peak.force, "N", 6),
                pretty(i.duration(), "s", 6),
                percent(compression(row)),
                i.statistics.rhs_evaluations.to_string(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        text.push_str(&table(
            &[
                "law",
                "damping",
                "e asked",
                "e returned",
                "deepest",
                "peak force",
                "duration",
                "lost in compression %",
                "evaluations",
            ],
            &rows,
            &[1],
        ));
    }
    for group in &result.coincident {
        text.push_str(&format!(
            "\nThese coincide to nine digits: {}.\n",
            group.join(", ")
        ));
    }
    for (title, list) in [
        ("Not run, for want of an input", missing),
        ("Without a result", failed),
    ] {
        if list.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{title}:\n"));
        for line in list.iter().flat_map(Reason::lines) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if !missing.is_empty() {
        text.push_str(
            "  Hint: --param NAME=VALUE gives a parameter, --material and --radii many at once; --stiffness may stand several times, each with its unit\n",
        );
    }
    if !last.is_empty() {
        text.push_str(&format!("\n{last}\n"));
    }
    text
}

fn summary(
    case: &Case,
    result: &Comparison,
    missing: &[Reason],
    failed: &[Reason],
    warnings: &[Warning],
    wall: f64,
) -> Value {
    let reasons = |list: &[Reason]| -> Value {
        list.iter()
            .map(|r| json!({ "law": r.card.id, "lacks": r.lacks, "reasons": r.why }))
            .collect()
    };
    let rows: Value = result
        .rows
        .iter()
        .map(|row| {
            let mut map = serde_json::Map::new();
            map.insert("law".into(), row.card.id.into());
            map.insert("family".into(), row.card.family.name().into());
            map.insert("calibration".into(), word(row.calibration).into());
            map.insert("takes_restitution".into(), row.takes_restitution.into());
            map.append(&mut contact_json(&row.impact));
            if !row.takes_restitution
                && let Some(e) = map.get_mut("restitution")
            {
                e["requested"] = Value::Null;
            }
            let warnings = judged(row.card, &row.impact);
            map.insert(
                "warnings".into(),
                warnings.iter().map(Warning::json).collect(),
            );
            map.insert(
                "coefficient".into(),
                row.impact.coefficient.map_or(Value::Null, number),
            );
            map.insert(
                "energy".into(),
                json!({ "residual": number(row.impact.energy_residual) }),
            );
            let mut statistics = statistics(&row.impact, 0.0);
            if let Some(map) = statistics.as_object_mut() {
                map.remove("wall_seconds");
            }
            map.insert("statistics".into(), statistics);
            Value::Object(map)
        })
        .collect();
    json!({
        "status": if result.rows.is_empty() { "failed" } else { "completed" },
        "case": {
            "speed": number(case.speed),
            "mass": number(case.mass),
            "restitution": result.rows.iter().find_map(|r| r.impact.requested),
            "calibration": word(case.calibration),
        },
        "rows": rows,
        "missing": reasons(missing),
        "failed": reasons(failed),
        "coincident": result.coincident,
        "warnings": warnings.iter().map(Warning::json).collect::<Value>(),
        "wall_seconds": wall,
    })
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "law,family,damping,restitution asked,restitution returned,deepest indentation [m],deepest indentation time [s],peak force [N],peak force time [s],least force [N],duration [s],impulse [N s],stored energy [J],lost in compression [J],lost in restitution [J],evaluations\n",
    );
    for row in rows {
        let i = &row.impact;
        let asked = i.requested.filter(|_| row.takes_restitution);
        text.push_str(&format!(
            "{},{},{},{},{},{:e},{:e},{:e},{:e},{:e},{:e},{:e},{:e},{:e},{:e},{}\n",
            row.card.id,
            row.card.family,
            how(row),
            asked.map_or(String::new(), |e| e.to_string()),
            i.restitution,
            i.deepest.delta,
            i.deepest.time,
            i.peak.force,
            i.peak.time,
            i.min_force,
            i.duration(),
            i.impulse,
            i.stored_energy_max,
            i.dissipated_compression,
            i.dissipated_restitution,
            i.statistics.rhs_evaluations
        ));
    }
    text
}

/// The table, the histories and the pictures.
fn files(rows: &[Row], case: &Case) -> Result<Vec<File>, Trouble> {
    let mut files = vec![File::new("compare.csv", csv(rows))];
    for row in rows {
        files.push(File::new(
            format!("{}.csv", row.card.id),
            pictures::csv(&row.impact),
        ));
    }
    let what = case.said(None);
    // The elastic impact stands in every panel, where it is asked for.
    let elastic = |row: &&Row| row.card.family == Family::Elastic && row.impact.restitution > 0.999;
    let hertz = rows
        .iter()
        .filter(elastic)
        .find(|row| row.card.parameters.iter().any(|p| p.role == Role::Exponent));
    let reference = hertz.map(|row| (row.card.id, &row.impact));
    let named: Vec<charts::Named> = rows
        .iter()
        .filter(|row| rows.len() == 1 || hertz.is_none_or(|h| h.card != row.card))
        .map(|row| (row.card.id, &row.impact))
        .collect();
    let reference = reference.filter(|_| rows.len() > 1);
    type Draw = for<'a> fn(&str, &[charts::Named<'a>], Option<charts::Named<'a>>) -> Chart;
    let kinds: [(&str, &str, Draw); 4] = [
        ("loops", "Force over indentation", charts::loops),
        ("portraits", "Phase portraits", charts::portraits),
        ("force", "Force over time", charts::force_history),
        (
            "indentation",
            "Indentation over time",
            charts::indentation_history,
        ),
    ];
    for (name, kind, draw) in kinds {
        let chart = draw(&format!("{kind}: {what}"), &named, reference);
        files.extend(pictures::files(name, &chart)?);
    }
    let of = |calibration: Calibration| -> Vec<charts::Named> {
        rows.iter()
            .filter(|row| row.calibration == calibration)
            .map(|row| (row.card.id, &row.impact))
            .collect()
    };
    let ranking = charts::ranking_of_kinds(
        &format!("Restitution returned: {what}"),
        &[
            ("published formula", &of(Calibration::Published)),
            ("calibrated", &of(Calibration::Exact)),
        ],
    );
    files.extend(pictures::files("ranking", &ranking)?);
    files.extend(curves(rows, case, &what)?);
    Ok(files)
}

/// Points of a curve over the restitution, over the speed, over the indentation.
const POINTS: (u32, u32, u32) = (60, 48, 100);

/// What of a curve can be drawn: gaps stay gaps, a curve without any point is left out.
fn drawn(name: String, curve: study::Curve) -> Option<charts::Curve> {
    let points: Vec<(f64, f64)> = curve
        .into_iter()
        .map(|(x, y)| (x, y.unwrap_or(f64::NAN)))
        .collect();
    points
        .iter()
        .any(|p| p.1.is_finite())
        .then_some((name, points))
}

/// Curves that lie on each other as one, under the name of the first: many laws share their spring.
fn merged(curves: &[charts::Curve]) -> Vec<charts::Curve> {
    let same = |a: &charts::Curve, b: &charts::Curve| {
        let close = |p: f64, q: f64| (p - q).abs() <= 1e-9 * p.abs().max(q.abs());
        a.1.iter()
            .zip(&b.1)
            .all(|(p, q)| close(p.1, q.1) || (p.1.is_nan() && q.1.is_nan()))
    };
    let mut kinds: Vec<(&charts::Curve, usize)> = Vec::new();
    for curve in curves {
        match kinds.iter_mut().find(|kind| same(kind.0, curve)) {
            Some(kind) => kind.1 += 1,
            None => kinds.push((curve, 0)),
        }
    }
    kinds
        .into_iter()
        .map(|((name, points), others)| {
            let name = match others {
                0 => name.clone(),
                n => format!("{name} (and {n} more)"),
            };
            (name, points.clone())
        })
        .collect()
}

/// Numbers from 0 to 1 in so many equal steps.
fn steps(count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |i| f64::from(i) / f64::from(count))
}

/// The laws beyond this one impact: over the restitution asked for, over the speed, and without their dampers.
fn curves(rows: &[Row], case: &Case, what: &str) -> Result<Vec<File>, Trouble> {
    let mut files = Vec::new();
    let asked: Vec<f64> = steps(POINTS.0).collect();
    let takes = |row: &&Row| {
        let e = Restitution::Number(0.7);
        heeds_restitution(row.card, &row.values, &e, case.speed, case.mass)
    };
    let inputs = |row: &Row| Inputs {
        values: row.values.clone(),
        mass: case.mass,
        speed: case.speed,
    };
    let returned: Vec<charts::Curve> = rows
        .iter()
        .filter(takes)
        .filter_map(|row| {
            let curve = study::restitution_curve(row.card, &inputs(row), &asked);
            drawn(row.card.id.into(), curve)
        })
        .collect();
    if !returned.is_empty() {
        let title = format!(
            "Restitution of the formulas: {}",
            case.said_without_restitution(None)
        );
        let chart = charts::returned_restitution(&title, &returned);
        files.extend(pictures::curves("restitution", &chart)?);
    }
    let damping: Vec<charts::Curve> = rows
        .iter()
        .filter(|row| row.card.family == Family::Hysteresis)
        .filter(takes)
        .filter_map(|row| {
            let curve = study::hysteresis_curve(row.card, &inputs(row), &asked)?;
            drawn(row.card.id.into(), curve)
        })
        .collect();
    if !damping.is_empty() {
        let title = format!(
            "Damping of the formulas: {}",
            case.said_without_restitution(None)
        );
        let chart = charts::damping_factors(&title, &damping);
        files.extend(pictures::curves("damping", &chart)?);
    }
    let speeds: Vec<f64> = steps(POINTS.1)
        .map(|x| case.speed * 10.0_f64.powf(4.0 * x - 3.0))
        .collect();
    let over_speed: Vec<charts::Curve> = rows
        .iter()
        .filter_map(|row| {
            let name = match row.calibration {
                Calibration::Published => row.card.id.to_string(),
                Calibration::Exact => format!("{} (calibrated)", row.card.id),
            };
            drawn(
                name,
                study::speed_curve(&row.law, case.mass, case.speed, &speeds),
            )
        })
        .collect();
    if !over_speed.is_empty() {
        let title = format!("Restitution over speed: {what}");
        let chart = charts::restitution_over_speed(&title, &over_speed, None);
        files.extend(pictures::curves("speed", &chart)?);
    }
    let deepest = rows
        .iter()
        .map(|row| row.impact.deepest.delta)
        .fold(0.0, f64::max);
    let depths: Vec<f64> = steps(POINTS.2).map(|x| x * deepest).collect();
    let forces: Vec<charts::Curve> = rows
        .iter()
        .filter_map(|row| {
            let curve = study::static_curve(&row.law, case.speed, case.mass, &depths);
            drawn(row.card.id.into(), curve)
        })
        .collect();
    if !forces.is_empty() {
        let title = format!("Elastic force: {}", case.said_without_restitution(None));
        let draw = |curves: &[charts::Curve]| charts::static_forces(&title, curves, None, false);
        files.extend(pictures::files("static", &draw(&merged(&forces)))?);
        files.push(File::new("static.csv", draw(&forces).csv()));
    }
    Ok(files)
}
