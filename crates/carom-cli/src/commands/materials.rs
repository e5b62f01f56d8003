//! Which materials are built in, and where do their numbers come from?

use carom::contact::materials::{self, Material};
use carom::model::units::pretty;
use clap::Args;
use serde_json::{Value, json};

use super::{DIGITS, pairs, print, print_json, table};
use crate::trouble::Trouble;

/// The arguments of `carom materials`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom materials steel\n\nMore:\n  carom materials\n  carom materials --json\n\nThe numbers are typical ones, for rough work; the sources stand with them."
)]
pub struct Arguments {
    /// One of them, with its source and what to beware of
    name: Option<String>,

    /// Prints JSON (SI units): an array, or one object if a name is given
    #[arg(long)]
    json: bool,
}

/// Prints one material, or all.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let Some(name) = &arguments.name else {
        return if arguments.json {
            print_json(&materials::all().iter().map(json).collect())
        } else {
            print(&list())
        };
    };
    let material = materials::find(name).map_err(Trouble::input)?;
    if arguments.json {
        print_json(&json(material))
    } else {
        print(&one(material))
    }
}

/// A material with SI numbers.
pub fn json(m: &Material) -> Value {
    json!({
        "id": m.id,
        "aliases": m.aliases,
        "name": m.name,
        "young": m.young,
        "poisson": m.poisson,
        "density": m.density,
        "yield_strength": m.yield_strength,
        "wave_speed": m.wave_speed(),
        "source": m.source,
        "note": m.note,
    })
}

fn optional(value: Option<f64>, unit: &str) -> String {
    value.map_or("-".into(), |x| pretty(x, unit, DIGITS))
}

fn one(m: &Material) -> String {
    let mut rows = vec![
        ("Young's modulus", pretty(m.young, "Pa", DIGITS)),
        ("Poisson's ratio", m.poisson.to_string()),
        ("density", optional(m.density, "kg/m^3")),
        ("yield strength", optional(m.yield_strength, "Pa")),
        (
            "wave speed √(E/ρ)",
            m.wave_speed().map_or("-".into(), |x| pretty(x, "m/s", 4)),
        ),
        ("source", m.source.to_string()),
    ];
    if !m.note.is_empty() {
        rows.push(("note", m.note.to_string()));
    }
    if !m.aliases.is_empty() {
        rows.push(("also", m.aliases.join(", ")));
    }
    format!("{}: {}\n{}", m.id, m.name, pairs(&rows))
}

fn list() -> String {
    let mut sources: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for m in materials::all() {
        let place = sources.iter().position(|s| *s == m.source);
        let place = place.unwrap_or_else(|| {
            sources.push(&m.source);
            sources.len() - 1
        });
        rows.push(vec![
            m.id.to_string(),
            pretty(m.young, "Pa", DIGITS),
            m.poisson.to_string(),
            optional(m.density, "kg/m^3"),
            optional(m.yield_strength, "Pa"),
            format!("[{}]", place + 1),
            m.name.to_string(),
        ]);
    }
    let head = [
        "material", "modulus", "Poisson", "density", "yield", "source", "name",
    ];
    let mut text = table(&head, &rows, &[6]);
    text.push('\n');
    for (i, source) in sources.iter().enumerate() {
        text.push_str(&format!("[{}] {source}\n", i + 1));
    }
    text.push_str(
        "\nTypical numbers, for rough work; `carom materials NAME` says what to beware of.\n",
    );
    text
}
