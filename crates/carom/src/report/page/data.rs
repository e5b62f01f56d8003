//! What does the page of a run show: its film and its summary, joined and kept small?

use std::io::{self, BufRead};

use serde_json::{Map, Value, json};

use super::advice::advice;
use crate::results::film::FINE;
use crate::results::manifest::Manifest;
use crate::results::packed::{f32s, f64s, numbers};
use crate::results::thin::{Slack, Thin};
use crate::results::trajectory::Reader;

/// Contacts told one by one, at most; all are in the tables.
const CONTACTS: usize = 450;
/// Contacts of which it is said how many digits are to be believed, at most.
const VERIFIED: usize = 100;
/// Up to so many contacts each has its hints beside its warnings.
const HINTS: usize = 120;
/// Panels, and lines of a panel, at most.
const PANELS: usize = 8;
const LINES: usize = 8;
/// Fewer channels than this were asked for one by one: all of them are shown.
const FEW: usize = 14;
/// Points of a curve of a table.
const POINTS: usize = 4000;

/// What the page shows, from `film.json` (or null), `summary.json` and, if there is one, the manifest.
pub fn data(film: &Value, summary: &Value, manifest: Option<&Manifest>) -> Value {
    let of = |key: &str| film.get(key).cloned().unwrap_or(Value::Null);
    let told = |key: &str| summary.get(key).cloned().unwrap_or(Value::Null);
    let name = manifest.map(|manifest| manifest.model.name.as_str());
    let title = summary.pointer("/model/title").and_then(Value::as_str);
    let title = title.filter(|title| !title.is_empty());
    let stem = name.map(|name| name.trim_end_matches(".toml"));
    let (contacts, places) = few_contacts(summary, film);
    let timeless = is_timeless(summary);
    let names = if timeless {
        Vec::new()
    } else {
        series_names(film)
    };
    let overrides = manifest.map_or(&[][..], |manifest| &manifest.overrides.0[..]);
    let pairs = overrides
        .iter()
        .map(|(path, value)| format!("{path}={value}"));
    let mut all = Map::new();
    let mut put = |key: &str, value: Value| {
        let _ = all.insert(key.into(), value);
    };
    put("format", json!(1));
    put("title", title.or(stem).unwrap_or("A run").into());
    put("version", told("version"));
    put("command", manifest.map(command).into());
    put("model_name", name.into());
    put(
        "model",
        manifest.map(|manifest| manifest.model.text.as_str()).into(),
    );
    put("overrides", pairs.collect::<Vec<_>>().into());
    // A run that was killed, or is still going on, has no end yet: it is shown as far as its table goes.
    let mut time = told("time");
    let unfinished = time.get("end").is_some_and(Value::is_null);
    if unfinished && let Some(time) = time.as_object_mut() {
        time.insert("end".into(), of("reached"));
    }
    put(
        "status",
        if unfinished {
            "unfinished".into()
        } else {
            told("status")
        },
    );
    put("reason", told("reason"));
    put("time", time);
    put("advice", advice(summary).into());
    put("summary", shortened(summary, contacts));
    for key in ["scene", "film", "series_left_out"] {
        put(key, of(key));
    }
    // Of an analysis without time there are numbers, and no curves.
    let curves = |key: &str| if timeless { Value::Null } else { of(key) };
    put("series", curves("series"));
    put("ledger", curves("ledger"));
    put(
        "instant",
        if timeless { instant(film) } else { Value::Null },
    );
    put("panels", panels(&names).into());
    put("loops", renumbered(film, &places).into());
    put("phase", phases(&names).into());
    put("section", of("section"));
    put("reactions", reactions(&names).into());
    for key in ["solver", "laws", "grains"] {
        put(key, of(key));
    }
    Value::Object(all)
}

/// What can be seen of a run that has left its table only.
pub fn of_table(table: impl BufRead) -> io::Result<Value> {
    let mut table = Reader::new(table)?;
    let columns = table.columns().to_vec();
    let mut curves: Vec<Thin> = columns
        .iter()
        .skip(1)
        .map(|_| Thin::new(vec![Slack::Part(FINE)], POINTS))
        .collect();
    let mut reached = f64::NAN;
    while let Some(row) = table.row()? {
        let (t, values) = row.split_first().unwrap_or((&f64::NAN, &[]));
        reached = *t;
        for (curve, value) in curves.iter_mut().zip(values) {
            curve.push(*t, &[*value], false, ());
        }
    }
    let series = curves.into_iter().zip(columns.iter().skip(1));
    let series = series.map(|(curve, column)| {
        let kept = curve.finish();
        json!({ "name": column.name, "unit": column.unit, "t": f64s(kept.t), "v": f32s(kept.rows) })
    });
    Ok(json!({ "series": series.collect::<Vec<_>>(), "reached": reached }))
}

/// What anybody can type to get the same run; nothing in it depends on the machine or the directory.
fn command(manifest: &Manifest) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
        match !text.is_empty() && text.chars().all(plain) {
            true => text.to_string(),
            false => format!("'{}'", text.replace('\'', "'\\''")),
        }
    };
    let name = &manifest.model.name;
    let stem = name.trim_end_matches(".toml");
    let mut text = format!("carom run {}", quoted(name));
    for (path, value) in &manifest.overrides.0 {
        text += &format!(" --set {}", quoted(&format!("{path}={value}")));
    }
    text + &format!(" --out {}", quoted(stem))
}

/// The contacts that are told one by one, in order of time, and their places in the summary: those with a loop, the first and the hardest.
fn few_contacts(summary: &Value, film: &Value) -> (Vec<Value>, Vec<usize>) {
    let all = summary.get("contacts").and_then(Value::as_array);
    let all = all.map_or(&[][..], Vec::as_slice);
    let mut places: Vec<usize> = (0..all.len()).collect();
    if all.len() > CONTACTS {
        let force = |i: &usize| {
            // A blow without compliance has an impulse only.
            let of = |key: &str| all.get(*i).and_then(|c| c.get(key)?.as_f64());
            of("peak_force").or_else(|| of("impulse")).unwrap_or(0.0)
        };
        let mut kept = loop_places(film);
        kept.retain(|i| *i < all.len());
        let mut hardest = places.clone();
        hardest.sort_by(|a, b| force(b).total_cmp(&force(a)).then(a.cmp(b)));
        let half = (CONTACTS - kept.len().min(CONTACTS)) / 2;
        kept.extend(hardest.into_iter().take(half));
        kept.extend(places.iter().take(half));
        kept.sort_unstable();
        kept.dedup();
        places = kept;
    }
    let contacts = places.iter().filter_map(|i| all.get(*i)).map(rounded);
    let mut contacts: Vec<Value> = contacts.collect();
    if contacts.len() > HINTS {
        // Hundreds of times the same: they stand in the advice.
        let warnings = contacts.iter_mut().filter_map(|c| c.get_mut("warnings"));
        let warnings = warnings.filter_map(Value::as_array_mut).flatten();
        for warning in warnings.filter_map(Value::as_object_mut) {
            warning.remove("hint");
        }
    }
    (contacts, places)
}

fn loops(film: &Value) -> &[Value] {
    let all = film.get("loops").and_then(Value::as_array);
    all.map_or(&[], Vec::as_slice)
}

fn loop_places(film: &Value) -> Vec<usize> {
    let episode = |one: &Value| usize::try_from(one.get("episode")?.as_u64()?).ok();
    loops(film).iter().filter_map(episode).collect()
}

/// Loops with the places of their contacts among those that are told.
fn renumbered(film: &Value, places: &[usize]) -> Vec<Value> {
    let both = loops(film).iter().zip(loop_places(film));
    let told = both.filter_map(|(one, place)| {
        let place = places.binary_search(&place).ok()?;
        let mut one = one.clone();
        *one.get_mut("episode")? = place.into();
        Some(one)
    });
    told.collect()
}

/// The summary with fewer contacts, and without what no two runs share.
fn shortened(summary: &Value, contacts: Vec<Value>) -> Value {
    let mut short = Map::new();
    for (key, value) in summary.as_object().into_iter().flatten() {
        let value = match key.as_str() {
            "contacts" => {
                let all = value.as_array().map_or(0, Vec::len);
                let left_out = all - contacts.len().min(all);
                short.insert("contacts_total".into(), all.into());
                short.insert("contacts_left_out".into(), left_out.into());
                contacts.clone().into()
            }
            "verified" => {
                let mut value = value.clone();
                if let Some(Value::Array(list)) = value.pointer_mut("/contacts/list") {
                    list.truncate(VERIFIED);
                }
                value
            }
            "statistics" => {
                let mut value = value.clone();
                if let Some(statistics) = value.as_object_mut() {
                    statistics.remove("wall_seconds");
                }
                value
            }
            _ => value.clone(),
        };
        short.insert(key.clone(), value);
    }
    Value::Object(short)
}

/// Numbers with eight digits: more than anybody reads on a page.
fn rounded(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().map(|x| format!("{x:.7e}").parse::<f64>());
            short.and_then(Result::ok).into()
        }
        Value::Array(all) => all.iter().map(rounded).collect(),
        Value::Object(all) => {
            let all = all.iter().map(|(key, value)| (key.clone(), rounded(value)));
            Value::Object(all.collect())
        }
        _ => value.clone(),
    }
}

/// Whether a run was a search for rest, or for vibrations.
fn is_timeless(summary: &Value) -> bool {
    let analysis = summary.pointer("/settings/simulation/analysis");
    matches!(analysis.and_then(Value::as_str), Some("static" | "modes"))
}

/// The values of the channels at the one instant there is.
fn instant(film: &Value) -> Value {
    let series = film.get("series").and_then(Value::as_array);
    let value = |one: &Value| {
        let value = numbers(one.get("v")?)?.last().copied()?;
        Some(json!({ "name": one.get("name")?, "unit": one.get("unit")?, "value": value }))
    };
    series.into_iter().flatten().filter_map(value).collect()
}

/// Names and units of the curves.
fn series_names(film: &Value) -> Vec<(String, String)> {
    let series = film.get("series").and_then(Value::as_array);
    let of = |one: &Value, key: &str| one.get(key).and_then(Value::as_str).map(String::from);
    let named = |one: &Value| Some((of(one, "name")?, of(one, "unit").unwrap_or_default()));
    series.into_iter().flatten().filter_map(named).collect()
}

/// What a panel is called, by the unit of its curves, in the order in which panels are shown.
const KINDS: [(&str, &str); 10] = [
    ("m", "Position"),
    ("rad", "Angle"),
    ("m/s", "Velocity"),
    ("rad/s", "Angular velocity"),
    ("N", "Force"),
    ("N m", "Moment"),
    ("W", "Power"),
    ("J", "Energy"),
    ("m/s^2", "Acceleration"),
    ("rad/s^2", "Angular acceleration"),
];

/// Curves of a unit share a panel; so small ones as gaps and indentations have one of their own. Where nothing was asked for by name, what other sections show is left out.
fn panels(names: &[(String, String)]) -> Vec<Value> {
    let all = names.len() <= FEW;
    let mut found: Vec<(usize, &str, &str, Vec<&str>)> = Vec::new();
    for (name, unit) in names {
        let last = name.rsplit('.').next().unwrap_or_default();
        let small = matches!(last, "gap" | "indentation" | "eccentricity");
        let contact = name.starts_with("contact.") || name.starts_with("group.");
        let joint = name.starts_with("joint.") && !small;
        let elsewhere = name.starts_with("energy.") || name.starts_with("constraints.") || joint;
        if elsewhere && !all {
            continue;
        }
        let (rank, title) = match KINDS.iter().position(|kind| kind.0 == unit) {
            _ if name.starts_with("constraints.") => (30, "Constraint violation"),
            Some(_) if small => (5, "Gap, indentation and eccentricity"),
            Some(_) if last == "indentation_rate" => (6, "Indentation rate"),
            Some(4) if contact => (4, "Contact force"),
            Some(i) => (
                if i < 4 { i } else { i + 4 },
                KINDS.get(i).map_or("", |kind| kind.1),
            ),
            None => (20, "Others"),
        };
        match found
            .iter_mut()
            .find(|panel| panel.1 == title && panel.2 == unit)
        {
            Some(panel) => panel.3.push(name),
            None => found.push((rank, title, unit, vec![name])),
        }
    }
    found.sort_by_key(|panel| panel.0);
    let panels = found
        .into_iter()
        .take(PANELS)
        .map(|(_, title, unit, mut lines)| {
            let more = lines.len().saturating_sub(LINES);
            lines.truncate(LINES);
            let title = match more {
                0 => title.to_string(),
                more => format!("{title} (the first {LINES}, {more} more)"),
            };
            json!({ "title": title, "unit": unit, "channels": lines })
        });
    panels.collect()
}

/// Pairs of a position and its velocity.
fn phases(names: &[(String, String)]) -> Vec<Value> {
    let known = |name: &str| names.iter().any(|(known, _)| known == name);
    let pair = |(name, _): &(String, String)| {
        let (front, last) = name.rsplit_once('.')?;
        let rate = match last {
            "x" => "vx",
            "y" => "vy",
            "angle" => "omega",
            "indentation" => "indentation_rate",
            _ => return None,
        };
        let rate = format!("{front}.{rate}");
        known(&rate).then(|| json!({ "name": name, "x": name, "v": rate }))
    };
    names.iter().filter_map(pair).collect()
}

/// The forces and moments of joints and drivers.
fn reactions(names: &[(String, String)]) -> Vec<&str> {
    let reaction = |(name, unit): &&(String, String)| {
        let element = name.starts_with("joint.") || name.starts_with("driver.");
        element && matches!(unit.as_str(), "N" | "N m")
    };
    let found = names.iter().filter(reaction);
    found.map(|(name, _)| name.as_str()).collect()
}
