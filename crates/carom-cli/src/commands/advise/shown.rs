//! How is advice shown: as text, as JSON, as a page with pictures?

use carom::contact::{Calibration, Family, Law};
use carom::model::units::pretty;
use carom::report::laws as charts;
use carom::study::advise::{Advice, Judged, Known, MISSED, Numbers, Paste, Reason, block};
use carom::study::choice::Met;
use carom::study::speed_curve;
use serde_json::{Value, json};

use super::mechanism::TriedOut;
use crate::commands::html;
use crate::commands::impact::{number, word};
use crate::commands::text::{WIDTH, wrap};
use crate::commands::{File, pairs, pictures, table};
use crate::trouble::Trouble;

/// What `--out` writes, besides the table of what was measured.
pub const FILES: [&str; 6] = [
    "advice.html",
    "advice.json",
    "speed.svg",
    "speed.png",
    "loops.svg",
    "loops.png",
];

/// The table of a measured restitution, beside the model file.
pub const TABLE: &str = "restitution.csv";

/// All that is told of a contact before anything is tried on a mechanism.
pub struct Told {
    pub advice: Advice,
    pub known: Known,
    /// The table of a model file that a law goes into.
    pub paste: Paste,
    /// How the surfaces met in the run of a model, if there is one.
    pub met: Option<Met>,
    /// Laws in the table.
    pub top: usize,
}

/// The first laws, and the best of every family that is not among them.
fn listed(advice: &Advice, top: usize) -> Vec<&Judged> {
    let mut list: Vec<&Judged> = advice.ranked.iter().take(top.max(1)).collect();
    for family in Family::ALL {
        if !list.iter().any(|j| j.card.family == family)
            && let Some(best) = advice.ranked.iter().find(|j| j.card.family == family)
        {
            list.push(best);
        }
    }
    list
}

/// Why a law is behind, in its own words.
fn behind(judged: &Judged) -> String {
    match judged.behind {
        None => "does the same here".into(),
        Some(reason) => judged
            .parts
            .iter()
            .find(|p| p.reason == reason)
            .map_or(reason.about().into(), |p| p.said.clone()),
    }
}

fn how(judged: &Judged) -> &'static str {
    match (judged.calibration, judged.card.restitution()) {
        (Calibration::Exact, _) => "calibrated",
        (Calibration::Published, Some(_)) => "published",
        (Calibration::Published, None) => "as it is",
    }
}

/// A positive number with two digits, and no larger than it is.
fn at_most(x: f64) -> f64 {
    let unit = 10_f64.powf(x.log10().floor() - 1.0);
    (x / unit * (1.0 + 1e-9)).floor() * unit
}

/// What comes back, where that is not what was asked for.
fn missed(numbers: &Numbers) -> Option<String> {
    let (back, asked) = (numbers.returned, numbers.restitution);
    ((back - asked).abs() > MISSED).then(|| {
        format!(
            "{} comes back of {}",
            pretty(back, "", 4),
            pretty(asked, "", 4)
        )
    })
}

/// A force of the run that is this many times that of the free impact, or less than its inverse, is told to be another matter.
const APART: f64 = 2.0;

/// How the numbers of a free impact stand to those of the run, where both are far apart.
fn beside_the_run(numbers: &Numbers, met: &Met) -> Option<String> {
    let times = met.peak / numbers.peak_force;
    (!(1.0 / APART..=APART).contains(&times)).then(|| {
        let why = match met.is_pressed() {
            true => "other forces press the surfaces while they touch",
            false => "what else acts there, its own law and the speeds of its other contacts are not in these numbers",
        };
        format!(
            "These are the numbers of a free impact, in which nothing but the mass and its approach acts. The largest force of the run is {} times as large: {why}. Take force and depth in the mechanism from the runs below.",
            pretty(times, "", 3)
        )
    })
}

/// Where the speed of the numbers stands among those asked for; nothing where they hardly differ.
fn among(numbers: &Numbers) -> String {
    let [slowest, fastest] = numbers.speeds;
    let ends = [slowest, fastest].map(|v| pretty(v, "m/s", 4));
    if ends[0] == ends[1] {
        return String::new();
    }
    // Of pairs that were measured it is one of theirs.
    let middle = (numbers.speed / (slowest * fastest).sqrt() - 1.0).abs() < 0.01;
    let what = match middle {
        true => "the middle of",
        false => "among those measured,",
    };
    format!(" ({what} {} to {})", ends[0], ends[1])
}

/// Name and value of every number of the leader; with a model, beside what its run has.
fn rows(
    numbers: &Numbers,
    leader: Option<&Judged>,
    met: Option<&Met>,
) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    let predicts = leader.is_some_and(|l| l.predicts);
    let restitution = match (numbers.assumed, predicts) {
        (true, true) => format!("{} by itself", pretty(numbers.returned, "", 4)),
        (assumed, _) => format!(
            "{}{}",
            missed(numbers).unwrap_or_else(|| pretty(numbers.restitution, "", 4)),
            if assumed { ", assumed" } else { "" }
        ),
    };
    let [slowest, fastest] = numbers.speeds;
    let at = format!(
        "{} at {}{}, restitution {restitution}",
        pretty(numbers.mass, "kg", 4),
        pretty(numbers.speed, "m/s", 4),
        among(numbers)
    );
    rows.push((
        if met.is_some() {
            "free impact"
        } else {
            "impact"
        },
        at,
    ));
    if predicts && slowest != fastest {
        rows.push(("restitution", numbers.course()));
    }
    if let Some((depth, force)) = numbers.at_fastest {
        rows.push((
            "fastest",
            format!(
                "{}: {} deep, up to {}",
                pretty(fastest, "m/s", 4),
                pretty(depth, "m", 4),
                pretty(force, "N", 4)
            ),
        ));
    }
    if let (Some(k), Some(n)) = (numbers.stiffness, numbers.exponent) {
        // A law with a curve of its own has K and n at one place only.
        let (n, place) = match numbers.local_at {
            Some(depth) => (
                pretty(n, "", 4),
                format!(", touching its curve at {}", pretty(depth, "m", 3)),
            ),
            None => (n.to_string(), String::new()),
        };
        rows.push(("stiffness K", format!("{k:.5e} N/m^{n}{place}")));
        rows.push(("exponent n", n));
    }
    if let Some((name, unit, value)) = numbers.damping.as_ref().filter(|d| d.0 != "h") {
        rows.push((
            "damping",
            format!("{name} = {value:.5e} {unit}").trim_end().into(),
        ));
    }
    if let Some(h) = numbers.hysteresis_factor {
        rows.push((
            "damping factor h",
            format!("{h:.5}, of F = F_el (1 + h v/v0)"),
        ));
    }
    rows.push(("depth", pretty(numbers.depth, "m", 4)));
    rows.push(("peak force", pretty(numbers.peak_force, "N", 4)));
    rows.push(("duration", pretty(numbers.duration, "s", 4)));
    if let Some(rest) = numbers.at_rest {
        rows.push((
            "at rest",
            format!(
                "{} presses it {} deep",
                pretty(rest.load, "N", 4),
                pretty(rest.depth, "m", 4)
            ),
        ));
    }
    rows.push((
        "output step",
        format!(
            "{} or less: fifty samples in the shortest contact, and one within 1 % of its largest force",
            pretty(at_most(numbers.output_step), "s", 2)
        ),
    ));
    if let Some(met) = met {
        rows.push((
            "in the run",
            format!(
                "up to {} and {} deep, with {}, the law of the model",
                pretty(met.peak, "N", 4),
                pretty(met.deepest, "m", 4),
                met.law
            ),
        ));
    }
    rows
}

const HEAD: [&str; 6] = [
    "law",
    "family",
    "damping",
    "error of e",
    "cost",
    "why it is behind",
];

/// An error of restitution, with its sign.
pub fn signed(error: f64) -> String {
    if error.abs() < 5e-7 {
        "0".into()
    } else if error.abs() < 5e-5 {
        format!("{error:+.0e}")
    } else {
        format!("{error:+.4}")
    }
}

fn line(judged: &Judged, leads: bool) -> Vec<String> {
    vec![
        judged.card.id.into(),
        judged.card.family.to_string(),
        how(judged).into(),
        match judged.predicts {
            true => "not asked".into(),
            false => signed(judged.error),
        },
        format!("{:.4}", judged.cost),
        if leads {
            "leads".into()
        } else {
            behind(judged)
        },
    ]
}

/// Lines of at most a hundred columns, indented.
fn indented(text: &str) -> String {
    wrap(text, WIDTH - 2)
        .iter()
        .map(|line| format!("  {line}\n"))
        .collect()
}

/// Heading and lines of the parts that say what is not known, and what to beware of.
fn notes(advice: &Advice) -> Vec<(&'static str, Vec<String>)> {
    let gaps = |list: &[carom::study::advise::Gap]| -> Vec<String> {
        list.iter()
            .map(|g| format!("{}: {}", g.what, g.said))
            .collect()
    };
    let cautions = advice
        .cautions
        .iter()
        .map(|c| format!("{c}. Hint: {}", c.hint()))
        .collect();
    vec![
        ("Assumed", gaps(&advice.assumed)),
        ("Missing", gaps(&advice.missing)),
        ("Beware", cautions),
    ]
}

/// What leads, in a line.
fn heading(leader: &Judged, advice: &Advice, known: &Known) -> String {
    format!(
        "{} ({} family), {}; {}",
        leader.card.id,
        advice.family,
        match (leader.values.get_word("damper"), leader.calibration) {
            (Some(damper), _) => format!("with the damper of {damper}"),
            (None, Calibration::Published) => "with its own formula".into(),
            (None, Calibration::Exact) => "calibrated".into(),
        },
        match advice.numbers.as_ref().and_then(missed) {
            Some(missed) if known.restitution.is_some() => format!("restitution: {missed}"),
            _ => super::asked(known),
        }
    )
}

/// How many laws are not in the table, and what its costs are.
fn below_table(advice: &Advice, listed: usize) -> String {
    let mut text = format!(
        "{} more were judged; {} could not be set up from what is known. Costs are errors of restitution that the faults would be worth.",
        advice.ranked.len().saturating_sub(listed),
        advice.aside.len()
    );
    let unheeding = |judged: &&Judged| judged.parts.iter().any(|p| p.reason == Reason::Stiffness);
    let names: Vec<&str> = (advice.ranked.iter().filter(unheeding))
        .map(|judged| judged.card.id)
        .collect();
    if !names.is_empty() {
        text.push_str(&format!(
            " No place for the stiffness given, so that they cannot lead: {}.",
            names.join(", ")
        ));
    }
    text
}

/// What was set beside the model file and is not in the table, if anything.
fn with_what(paste: &Paste) -> Option<String> {
    let set = paste.elsewhere.iter();
    let set: Vec<String> = set
        .map(|(path, value)| format!("{path} = {value}"))
        .collect();
    (!set.is_empty()).then(|| {
        format!(
            "The runs had these too, which are no part of this table: {}.",
            set.join(", ")
        )
    })
}

/// The answer for a person.
fn text(told: &Told) -> String {
    let Told {
        advice,
        known,
        top,
        paste,
        met,
    } = told;
    let Some(leader) = advice.leader() else {
        return String::new();
    };
    let mut text = format!("{}\n\n", heading(leader, advice, known));
    text.push_str(&indented(&advice.verdict()));
    if let Some(numbers) = &advice.numbers {
        text.push('\n');
        text.push_str(&pairs(&rows(numbers, Some(leader), met.as_ref())));
        if let Some(said) = met.as_ref().and_then(|met| beside_the_run(numbers, met)) {
            text.push_str(&format!("\n{}", indented(&said)));
        }
    }
    text.push_str(&format!("\nWhy\n{}", indented(&advice.why())));
    text.push('\n');
    let list = listed(advice, *top);
    let rows: Vec<Vec<String>> = list
        .iter()
        .enumerate()
        .map(|(i, j)| line(j, i == 0))
        .collect();
    text.push_str(&table(&HEAD, &rows, &[1, 2, 5]));
    for line in wrap(&below_table(advice, list.len()), WIDTH) {
        text.push_str(&format!("{line}\n"));
    }
    for (heading, lines) in notes(advice) {
        if lines.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{heading}\n"));
        for line in lines {
            text.push_str(&indented(&line));
        }
    }
    text.push_str("\nFor a model file\n\n");
    if let Some(said) = with_what(paste) {
        text.push_str(&format!("{}\n", indented(&said)));
    }
    text.push_str(&block(advice, leader, paste));
    text
}

fn judged_json(judged: &Judged, advice: &Advice, paste: &Paste) -> Value {
    let impact = &judged.impact;
    json!({
        "law": judged.card.id,
        "family": judged.card.family.name(),
        "citation": judged.card.citation.to_string(),
        "calibration": word(judged.calibration),
        "error": number(judged.error),
        "published_error": judged.published_error,
        "exact_error": judged.exact_error,
        "cost": number(judged.cost),
        "predicts": judged.predicts,
        "behind": judged.behind.map(Reason::code),
        "parts": judged.parts.iter().map(|p| json!({
            "reason": p.reason.code(),
            "computed": number(p.computed),
            "cost": number(p.cost),
            "said": p.said,
        })).collect::<Value>(),
        "parameters": judged.values.numbers().map(|(name, value)| (name.to_string(), number(value))).collect::<serde_json::Map<String, Value>>(),
        "choices": judged.values.words().map(|(name, value)| (name.to_string(), Value::from(value))).collect::<serde_json::Map<String, Value>>(),
        "restitution": number(impact.restitution),
        "max_indentation": number(impact.deepest.delta),
        "peak_force": number(impact.peak.force),
        "min_force": number(impact.min_force),
        "duration": number(impact.duration()),
        "rhs_evaluations": impact.statistics.rhs_evaluations,
        "model_file": block(advice, judged, paste),
    })
}

/// Everything, for programs.
fn json(told: &Told) -> Value {
    let Told {
        advice,
        known,
        paste,
        met,
        ..
    } = told;
    let gaps = |list: &[carom::study::advise::Gap]| -> Value {
        list.iter()
            .map(|g| json!({ "what": g.what, "message": g.said }))
            .collect()
    };
    let regime = &advice.regime;
    let numbers = advice.numbers.as_ref().map(|n| {
        json!({
            "speed": number(n.speed),
            "mass": number(n.mass),
            "speeds": n.speeds.map(number),
            "restitution": number(n.restitution),
            "restitution_assumed": n.assumed,
            "restitution_from": advice.origin.name(),
            "returned_restitution": number(n.returned),
            "returned_over": n.returned_over.map(number),
            "lossless_below": n.lossless_below,
            "loss_power": n.loss_power,
            "at_fastest": n.at_fastest.map(|(depth, force)| json!({ "max_indentation": number(depth), "peak_force": number(force) })),
            "stiffness": n.stiffness,
            "exponent": n.exponent,
            "local_at": n.local_at,
            "damping": n.damping.as_ref().map(|(name, unit, value)| json!({ "name": name, "unit": unit, "value": number(*value) })),
            "hysteresis_factor": n.hysteresis_factor,
            "max_indentation": number(n.depth),
            "peak_force": number(n.peak_force),
            "duration": number(n.duration),
            "output_step": number(n.output_step),
            "in_the_run": met.as_ref().map(|met| json!({ "law": met.law, "peak_force": number(met.peak), "max_indentation": number(met.deepest), "pressed": number(met.pressed) })),
            "at_rest": n.at_rest.map(|rest| json!({ "load": number(rest.load), "indentation": number(rest.depth), "indentation_of_law": rest.of_law })),
        })
    });
    let why = advice.reason;
    json!({
        "status": "completed",
        "leader": advice.leader().map(|j| j.card.id),
        "family": advice.family.name(),
        "reason": {
            "code": why.code(),
            "about": advice.about(),
            "source": advice.source(),
            "otherwise": advice.otherwise,
        },
        "verdict": advice.verdict(),
        "why": advice.why(),
        "geometry": advice.geometry.name(),
        "purpose": known.purpose.name(),
        "regime": {
            "name": regime.name(),
            "speed": number(regime.speed),
            "yield_speed": regime.yield_speed,
            "number": regime.number,
            "wave_limit": regime.wave_limit,
            "plastic_share": regime.plastic_share,
            "thornton_restitution": regime.thornton,
        },
        "asked": advice.asked.iter().map(|(v, e)| json!({ "speed": number(*v), "restitution": number(*e) })).collect::<Value>(),
        "numbers": numbers,
        "ranked": advice.ranked.iter().map(|j| judged_json(j, advice, paste)).collect::<Value>(),
        "model_file_with": paste.elsewhere.iter().map(|(path, value)| format!("{path}={value}")).collect::<Value>(),
        "aside": advice.aside.iter().map(|a| json!({
            "law": a.card.id,
            "reasons": a.why.iter().map(ToString::to_string).collect::<Vec<String>>(),
        })).collect::<Value>(),
        "assumed": gaps(&advice.assumed),
        "missing": gaps(&advice.missing),
        "warnings": super::warnings(advice).iter().map(crate::commands::Warning::json).collect::<Value>(),
    })
}

/// The laws worth a line in a picture: those that do not do the same, of every family one.
fn drawn(advice: &Advice) -> Vec<&Judged> {
    const MOST: usize = 6;
    let mut list: Vec<&Judged> = Vec::new();
    for judged in advice.leader().into_iter().chain(
        Family::ALL
            .into_iter()
            .filter_map(|f| advice.ranked.iter().find(|j| j.card.family == f)),
    ) {
        if list.len() < MOST && !list.iter().any(|j| j.card == judged.card) {
            list.push(judged);
        }
    }
    list
}

/// What the laws return over the speed, beside what is asked for.
fn over_speed(advice: &Advice, known: &Known) -> Vec<charts::Curve> {
    const POINTS: u32 = 48;
    // Laws that are looked at, and lines that are drawn, at most: those that differ.
    const CONSIDERED: usize = 40;
    const LINES: usize = 8;
    // All speeds that were asked for, also where laws are judged at one of them.
    let ends = advice.numbers.as_ref().map(|n| n.speeds);
    let speeds = advice
        .asked
        .iter()
        .map(|a| a.0)
        .chain(ends.into_iter().flatten());
    let low = speeds.clone().fold(f64::INFINITY, f64::min);
    let high = speeds.fold(0.0, f64::max);
    let (low, high) = if low == high {
        (low / 10.0, high * 10.0)
    } else {
        (low, high)
    };
    let speeds: Vec<f64> = (0..=POINTS)
        .map(|i| low * (high / low).powf(f64::from(i) / f64::from(POINTS)))
        .collect();
    let mass = advice.numbers.as_ref().map_or(f64::NAN, |n| n.mass);
    let mut curves: Vec<charts::Curve> = Vec::new();
    let mut asked: Vec<(f64, f64)> = if known.measured.is_empty() {
        advice.asked.clone()
    } else {
        known.measured.clone()
    };
    asked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let what = match (known.measured.is_empty(), &known.restitution) {
        (false, _) => "measured",
        (true, Some(_)) if known.restitution_returned => "in the run",
        (true, Some(_)) => "asked for",
        (true, None) => "assumed",
    };
    if asked.len() > 1 && asked.first().map(|a| a.0) != asked.last().map(|a| a.0) {
        curves.push((what.into(), asked));
    } else if let Some(&(_, e)) = asked.first().filter(|_| asked.len() == 1) {
        curves.push((what.into(), speeds.iter().map(|v| (*v, e)).collect()));
    }
    for judged in advice.ranked.iter().take(CONSIDERED) {
        // Its own formula, where it has one: what calibration mends is what can be seen.
        let own = judged.published_error.and_then(|_| {
            let asked = Some(advice.restitution.clone());
            Law::new(judged.card, &judged.values, asked, Calibration::Published).ok()
        });
        let law = own.as_ref().unwrap_or(&judged.law);
        let points: Vec<(f64, f64)> = speeds
            .iter()
            .map(|&v| {
                // What is told the restitution is told it at every speed.
                let e = speed_curve(law, mass, v, &[v]);
                let e = e.into_iter().next().and_then(|(_, e)| e.ok());
                (v, e.unwrap_or(f64::NAN))
            })
            .collect();
        let differs = |curve: &charts::Curve| {
            curve.1.len() != points.len()
                || (curve.1.iter().zip(&points)).any(|(a, b)| !((a.1 - b.1).abs() < 0.01))
        };
        let shown = points.iter().any(|p| p.1.is_finite());
        if curves.len() < LINES && shown && curves.iter().skip(1).all(differs) {
            curves.push((judged.card.id.into(), points));
        }
    }
    curves
}

impl Told {
    /// For a person.
    pub fn text(&self) -> String {
        text(self)
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json(self)
    }

    /// The page, the numbers and the pictures; `value` is what stands in the JSON file.
    pub fn files(&self, value: &Value, tried: Option<&TriedOut>) -> Result<Vec<File>, Trouble> {
        files(self, value, tried)
    }
}

fn files(told: &Told, value: &Value, tried: Option<&TriedOut>) -> Result<Vec<File>, Trouble> {
    let Told { advice, known, .. } = told;
    let what = advice.numbers.as_ref().map_or(String::new(), |n| {
        format!(
            "{} at {}",
            pretty(n.mass, "kg", 4),
            pretty(n.speed, "m/s", 4)
        )
    });
    let mut curves = over_speed(advice, known);
    let measured = (!known.measured.is_empty()).then(|| {
        // What was measured is drawn as it is, point by point.
        curves.retain(|curve| curve.0 != "measured");
        ("measured".to_string(), known.measured.clone())
    });
    let speed = charts::restitution_over_speed(
        &format!(
            "Restitution of the formulas over speed: {}",
            pretty_mass(advice)
        ),
        &curves,
        measured.as_ref(),
    );
    let named: Vec<charts::Named> = drawn(advice)
        .into_iter()
        .map(|j| (j.card.id, &j.impact))
        .collect();
    let loops = charts::loops(&format!("Force over indentation: {what}"), &named, None);
    let mut files = Vec::new();
    let mut figures = Vec::new();
    for (name, chart) in [("speed", &speed), ("loops", &loops)] {
        let failed = |e| Trouble::Failed(format!("{name}: {e}"));
        figures.push(chart.svg().map_err(failed)?);
        files.extend(pictures::files(name, chart)?);
    }
    files.insert(0, File::new("advice.html", page(told, &figures, tried)));
    files.insert(1, File::new("advice.json", format!("{value:#}\n")));
    if !advice.measured.is_empty() {
        let mut text = String::from("speed [m/s],restitution\n");
        for (v, e) in &advice.measured {
            text.push_str(&format!("{v},{e}\n"));
        }
        files.push(File::new(TABLE, text));
    }
    Ok(files)
}

fn pretty_mass(advice: &Advice) -> String {
    advice
        .numbers
        .as_ref()
        .map_or(String::new(), |n| pretty(n.mass, "kg", 4))
}

fn page(told: &Told, figures: &[String], tried: Option<&TriedOut>) -> String {
    let Told {
        advice,
        known,
        top,
        paste,
        met,
    } = told;
    let Some(leader) = advice.leader() else {
        return html::page("Advice", "");
    };
    let title = format!("Advice: {}", leader.card.id);
    let mut body = html::paragraphs([heading(leader, advice, known), advice.verdict()]);
    if let Some(numbers) = &advice.numbers {
        let rows: Vec<Vec<String>> = rows(numbers, Some(leader), met.as_ref())
            .into_iter()
            .map(|(name, value)| vec![name.into(), value])
            .collect();
        body.push_str(&html::table(&["number", "value"], &rows));
        let said = met.as_ref().and_then(|met| beside_the_run(numbers, met));
        body.push_str(&html::paragraphs(said));
    }
    body.push_str("<h2>Why</h2>\n");
    body.push_str(&html::paragraphs([advice.why()]));
    body.push_str(&html::figures(figures));
    if let Some(tried) = tried {
        body.push_str(&tried.page());
    }
    body.push_str("<h2>Ranking</h2>\n");
    let list = listed(advice, *top);
    let rows: Vec<Vec<String>> = list
        .iter()
        .enumerate()
        .map(|(i, j)| line(j, i == 0))
        .collect();
    body.push_str(&html::table(&HEAD, &rows));
    body.push_str(&html::paragraphs([below_table(advice, list.len())]));
    body.push_str("<h2>What counted</h2>\n");
    let mut counted: Vec<Vec<String>> = Vec::new();
    for judged in &list {
        for part in &judged.parts {
            counted.push(vec![
                judged.card.id.into(),
                part.reason.to_string(),
                format!("{:.4}", part.cost),
                part.said.clone(),
            ]);
        }
    }
    body.push_str(&html::table(&["law", "reason", "cost", "found"], &counted));
    for (heading, lines) in notes(advice) {
        if !lines.is_empty() {
            body.push_str(&format!("<h2>{heading}</h2>\n"));
            body.push_str(&html::paragraphs(lines));
        }
    }
    body.push_str(&format!(
        "<h2>For a model file</h2>\n{}<pre>{}</pre>\n<h2>Sources</h2>\n",
        html::paragraphs(with_what(paste)),
        html::escaped(&block(advice, leader, paste))
    ));
    let sources: Vec<Vec<String>> = Reason::ALL
        .into_iter()
        .filter(|r| list.iter().any(|j| j.parts.iter().any(|p| p.reason == *r)))
        .map(|r| vec![r.to_string(), r.about().into(), r.source().into()])
        .collect();
    body.push_str(&html::table(&["reason", "about", "source"], &sources));
    html::page(&title, &body)
}
