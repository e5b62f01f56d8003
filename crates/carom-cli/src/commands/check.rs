//! What does `carom check` do: read a model, put it together, and say what it is, without running it?

mod rubbing;

use std::fmt::Write;

use carom::model::diagnostic::{Diagnostic, listing};
use carom::model::units::pretty;
use carom::model::{Analysis, ContactEntry, ContactMethod, Model};
use carom::system::System;
use clap::Args;
use serde_json::{Map, Value, json};

use super::model::{Loaded, ModelArguments, load};
use super::text::{WIDTH, columns, pad, wrap};
use super::{errors_json, note, pairs, print, print_json, table};
use crate::trouble::Trouble;

/// Significant digits in what is printed.
const DIGITS: usize = 6;

/// The arguments of `carom check`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom check pendulum.toml\n\nMore:\n  carom check four-bar.toml --set parameters.crank=\"400 mm\"\n  carom check slider-crank.toml --json\n\n\
                  Nothing is run. Exit codes: 0 the model is sound, 2 it is not: every mistake is said at once."
)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// Prints one JSON value (SI units) in place of the text; also of what is wrong
    #[arg(long)]
    json: bool,
}

/// Checks a model.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let checked =
        load(&arguments.model).and_then(|loaded| loaded.assemble().map(|system| (loaded, system)));
    let (loaded, system) = match checked {
        Ok(sound) => sound,
        Err(trouble) if arguments.json => {
            let errors = errors_json(&trouble);
            let status = "failed";
            print_json(
                &json!({ "status": status, "sound": false, "errors": errors, "warnings": [] }),
            )?;
            return Err(match trouble {
                // All is said.
                Trouble::Model(_) | Trouble::Input(_) => Trouble::Input(Vec::new()),
                other => other,
            });
        }
        Err(trouble) => return Err(trouble),
    };
    let mut warnings = loaded.parsed.warnings.clone();
    warnings.extend(system.warnings().iter().map(|w| loaded.warning(w)));
    if arguments.json {
        return print_json(&described(&loaded, &system, &warnings));
    }
    if !warnings.is_empty() {
        note(&format!("{}\n", listing(&warnings)));
    }
    print(&told(&loaded, &system))
}

/// `none`, `1 body`, `2 bodies`.
fn count(n: usize, one: &str, many: &str) -> String {
    match n {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}

/// How many coordinates and constraints there are.
fn constraints(model: &Model) -> usize {
    let joints: usize = model.joints.iter().map(|entry| entry.joint.count()).sum();
    let drivers: usize = model.drivers.iter().map(|entry| entry.rows.len()).sum();
    joints + drivers
}

/// A contact, or a joint with play, and the law it follows.
fn touching(entry: &ContactEntry) -> String {
    let law = entry.contact.terms().follows.card().id;
    if entry.joint.is_some() {
        format!("{} with play ({law})", entry.element())
    } else {
        format!("{} ({law})", entry.name)
    }
}

fn told(loaded: &Loaded, system: &System) -> String {
    let model = &loaded.parsed.model;
    let mut text = String::new();
    let title = if model.title.is_empty() {
        &loaded.source.name
    } else {
        &model.title
    };
    // A `String` takes all that is written to it.
    let _ = writeln!(text, "{title}: sound");
    let degrees = system.degrees_of_freedom();
    let mut rows = vec![
        (
            "degrees of freedom",
            format!(
                "{degrees} ({} coordinates, {} constraints){}",
                3 * model.bodies.len(),
                constraints(model),
                match model.of_grains().map(|group| group.count()).sum::<usize>() {
                    0 => String::new(),
                    grains => format!(", and three of each of {grains} grains"),
                }
            ),
        ),
        ("analysis", analysis(model)),
        (
            "gravity",
            format!("({}, {}) m/s^2", model.gravity[0], model.gravity[1]),
        ),
    ];
    if !model.drivers.is_empty() {
        let names: Vec<&str> = model.drivers.iter().map(|d| d.name.as_str()).collect();
        rows.push(("drivers", names.join(", ")));
    }
    if !model.loads.is_empty() {
        let names: Vec<&str> = model.loads.iter().map(|l| l.name.as_str()).collect();
        rows.push(("forces", few(&names)));
    }
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &model.joints {
        let kind = entry.joint.kind();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(&entry.name),
            None => kinds.push((kind, vec![&entry.name])),
        }
    }
    let joints: Vec<String> = kinds
        .iter()
        .map(|(kind, names)| format!("{} {kind}: {}", names.len(), few(names)))
        .collect();
    if !joints.is_empty() {
        rows.push(("joints", joints.join("; ")));
    }
    let contacts = model.contacts.iter().filter(|entry| !entry.is_of_group());
    let contacts: Vec<String> = contacts.map(touching).collect();
    if !contacts.is_empty() {
        let names: Vec<&str> = contacts.iter().map(String::as_str).collect();
        rows.push(("contacts", format!("{}: {}", names.len(), few(&names))));
    }
    if model.method.contact != ContactMethod::Compliant {
        rows.push(("contact method", model.method.words()));
    }
    for (i, group) in rubbing::groups(model).into_iter().enumerate() {
        rows.push((if i == 0 { "groups" } else { "" }, group));
    }
    let frictions = rubbing::told(model);
    /// More are not read by anybody.
    const MOST: usize = 20;
    let more = frictions.len().saturating_sub(MOST);
    for (i, friction) in frictions.into_iter().take(MOST).enumerate() {
        rows.push((if i == 0 { "friction" } else { "" }, friction));
    }
    if more > 0 {
        rows.push(("", format!("… and {more} more")));
    }
    text += &wrapped(&rows);
    if !loaded.parsed.parameters.is_empty() {
        text.push_str("\nparameters\n");
        let rows: Vec<(&str, String)> = loaded
            .parsed
            .parameters
            .iter()
            .map(|p| {
                let value = match p.unit.as_str() {
                    "" => p.value.to_string(),
                    "rad" => format!("{} deg", decimal(p.value.to_degrees())),
                    unit => pretty(p.value, unit, DIGITS),
                };
                (p.name.as_str(), value)
            })
            .collect();
        text += &pairs(&rows);
    }
    let start = match moved(model, system) {
        None => "placed at the start as given".into(),
        Some((far, turned)) => format!(
            "moved by up to {} and turned by up to {} deg to close the joints",
            pretty(far, "m", 3),
            decimal(turned.to_degrees())
        ),
    };
    let _ = writeln!(
        text,
        "\n{}; {start}",
        count(model.bodies.len(), "body", "bodies")
    );
    text += &bodies(model, system);
    let channels: Vec<String> = system.channels().iter().map(|c| c.name(model)).collect();
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    let _ = writeln!(text, "\n{}", count(channels.len(), "channel", "channels"));
    for line in wrap(&few(&channels), WIDTH - 2) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// Like [`pairs`], with what is too long for a line broken.
fn wrapped(rows: &[(&str, String)]) -> String {
    let widest = rows.iter().map(|r| columns(r.0)).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in rows {
        for (i, line) in wrap(value, WIDTH - widest - 4).iter().enumerate() {
            let name = if i == 0 { name } else { "" };
            text += &format!("  {}  {line}\n", pad(name, widest));
        }
    }
    text
}

/// A number with six decimals at most.
fn decimal(x: f64) -> String {
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".into(),
        text => text.into(),
    }
}

/// As many names as fit a few lines.
fn few(names: &[&str]) -> String {
    const MOST: usize = 24;
    let mut shown = names
        .iter()
        .take(MOST)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        shown += &format!(", … and {} more", names.len() - MOST);
    }
    shown
}

fn analysis(model: &Model) -> String {
    let simulation = &model.simulation;
    let name = simulation.analysis.name();
    match simulation.analysis {
        Analysis::Static | Analysis::Modes => name.into(),
        _ => format!(
            "{name}, from {} to {}, a sample every {}",
            seconds(simulation.start),
            seconds(simulation.end),
            seconds(model.output_step())
        ),
    }
}

fn seconds(t: f64) -> String {
    if t == 0.0 {
        "0 s".into()
    } else {
        pretty(t, "s", DIGITS)
    }
}

/// How far bodies were moved (m) and turned (rad) to close the joints, if it is more than rounding.
fn moved(model: &Model, system: &System) -> Option<(f64, f64)> {
    let (_, q, _) = system.start();
    let (mut far, mut turned): (f64, f64) = (0.0, 0.0);
    let mut size: f64 = 0.0;
    for (body, now) in model.bodies.iter().zip(q.chunks_exact(3)) {
        let [x, y, angle] = body.position;
        far = far.max((now[0] - x).hypot(now[1] - y));
        turned = turned.max((now[2] - angle).abs());
        size = size.max(x.abs()).max(y.abs());
    }
    (far > 1e-9 * size || turned > 1e-9).then_some((far, turned))
}

fn bodies(model: &Model, system: &System) -> String {
    /// More are not read by anybody.
    const MOST: usize = 20;
    let (_, q, v) = system.start();
    let states = q.chunks_exact(3).zip(v.chunks_exact(3));
    let rows: Vec<Vec<String>> = model
        .bodies
        .iter()
        .zip(states)
        .take(MOST)
        .map(|(body, (q, v))| {
            vec![
                format!("  {}", body.name),
                pretty(body.body.mass(), "kg", DIGITS),
                format!("{:.3e}", body.body.inertia()),
                decimal(q[0]),
                decimal(q[1]),
                decimal(q[2].to_degrees()),
                decimal(v[0]),
                decimal(v[1]),
                decimal(v[2]),
            ]
        })
        .collect();
    let head = [
        "  body",
        "mass",
        "J [kg m^2]",
        "x [m]",
        "y [m]",
        "angle [deg]",
        "vx [m/s]",
        "vy [m/s]",
        "omega [rad/s]",
    ];
    let mut text = table(&head, &rows, &[]);
    if model.bodies.len() > MOST {
        text += &format!("  … and {} more\n", model.bodies.len() - MOST);
    }
    text
}

/// A diagnostic for programs.
pub fn diagnostic_json(d: &Diagnostic) -> Value {
    let place = |n: usize| if n == 0 { Value::Null } else { n.into() };
    json!({
        "file": d.file,
        "line": place(d.line),
        "column": place(d.column),
        "path": d.path,
        "value": d.value,
        "message": d.message,
        "allowed": d.allowed,
        "hint": d.hint,
        "nearest": d.nearest,
    })
}

fn described(loaded: &Loaded, system: &System, warnings: &[Diagnostic]) -> Value {
    let model = &loaded.parsed.model;
    let (_, q, v) = system.start();
    let states = q.chunks_exact(3).zip(v.chunks_exact(3));
    let bodies: Vec<Value> = model
        .bodies
        .iter()
        .zip(states)
        .map(|(body, (q, v))| {
            json!({
                "name": body.name,
                "mass": body.body.mass(),
                "inertia": body.body.inertia(),
                "position": [q[0], q[1]],
                "angle": q[2],
                "velocity": [v[0], v[1]],
                "angular_velocity": v[2],
                "given": { "position": [body.position[0], body.position[1]], "angle": body.position[2] },
            })
        })
        .collect();
    let joints: Vec<Value> = model
        .joints
        .iter()
        .map(|entry| json!({ "name": entry.name, "type": entry.joint.kind(), "constraints": entry.joint.count() }))
        .collect();
    let drivers: Vec<Value> = model
        .drivers
        .iter()
        .map(|entry| json!({ "name": entry.name, "constraints": entry.rows.len() }))
        .collect();
    let contacts: Vec<Value> = model
        .contacts
        .iter()
        .filter(|entry| !entry.is_of_group())
        .map(|entry| {
            let contact = &entry.contact;
            let friction = contact.friction().map(|law| law.card().id);
            let law = contact.terms().follows.card().id;
            let rolling = contact.rolling().map(|law| law.card().id);
            json!({ "element": entry.element(), "law": law, "friction": friction, "rolling": rolling, "points": contact.slots() })
        })
        .collect();
    let forces: Vec<&str> = model.loads.iter().map(|l| l.name.as_str()).collect();
    let parameters: Map<String, Value> = loaded
        .parsed
        .parameters
        .iter()
        .map(|p| (p.name.clone(), json!({ "value": p.value, "unit": p.unit })))
        .collect();
    let channels: Vec<Value> = system
        .channels()
        .iter()
        .map(|c| json!({ "name": c.name(model), "unit": c.unit(model) }))
        .collect();
    let (far, turned) = moved(model, system).unwrap_or((0.0, 0.0));
    json!({
        "sound": true,
        "model": { "title": model.title, "source": model.source },
        "degrees_of_freedom": system.degrees_of_freedom(),
        "coordinates": 3 * model.bodies.len(),
        "constraints": constraints(model),
        "analysis": model.simulation.analysis.name(),
        "time": { "start": model.simulation.start, "end": model.simulation.end, "output_step": model.output_step() },
        "gravity": model.gravity,
        "parameters": parameters,
        "bodies": bodies,
        "moved": { "distance": far, "angle": turned },
        "joints": joints,
        "contacts": contacts,
        "contact_method": model.method.contact.name(),
        "groups": rubbing::groups_json(model),
        "frictions": rubbing::json(model),
        "drivers": drivers,
        "forces": forces,
        "channels": channels,
        "errors": [],
        "warnings": warnings.iter().map(diagnostic_json).collect::<Vec<Value>>(),
    })
}
