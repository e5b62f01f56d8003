//! `carom laws`: which laws are there, and what is known of one?

mod entry;
mod json;
mod list;
mod page;
mod table1;

use std::io::{self, Write};

use carom::card::{Fault, nearest};
use clap::Args;
use serde_json::Value;

use crate::trouble::Trouble;
use entry::{Entry, Kind};

/// What `carom laws` is asked.
#[derive(Args)]
pub struct Arguments {
    /// A law by its id or another of its names: prints the whole card, with the curve of the restitution it really returns
    id: Option<String>,

    /// Only laws of this kind: contact or friction
    #[arg(long, conflicts_with = "id")]
    kind: Option<String>,

    /// Only laws of this family, such as hysteresis or dry
    #[arg(long, conflicts_with = "id")]
    family: Option<String>,

    /// Only laws of contact in this group of Corral et al. 2021, 0 to 5
    #[arg(long, conflicts_with = "id", value_name = "N")]
    group: Option<u8>,

    /// Only laws in whose names, authors, title, year, formula or notes all these words occur
    #[arg(long, conflicts_with = "id", value_name = "WORD", num_args = 1..)]
    search: Vec<String>,

    /// Prints Table 1 of Corral et al. 2021 from the cards
    #[arg(long, conflicts_with_all = ["id", "kind", "family", "group", "search", "json"])]
    table1: bool,

    /// Prints Markdown in place of text: the README's table of laws, or Table 1
    #[arg(long, conflicts_with_all = ["id", "json"])]
    markdown: bool,

    /// Prints the cards as a JSON array
    #[arg(long)]
    json: bool,
}

/// Examples and what to know, under the help.
pub const AFTER_HELP: &str = "\
Example:
  carom laws flores
  carom laws --family hysteresis
  carom laws --search granular
  carom laws --kind friction --json

Every law is one card: formula, parameters with unit and range, when the bodies part, how far the
restitution returned is from the one asked for, source, and when to use it.";

/// Does it.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let out = answer(arguments)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(out.as_bytes())?;
    Ok(stdout.flush()?)
}

fn answer(arguments: &Arguments) -> Result<String, Trouble> {
    let all = entry::all();
    if arguments.table1 {
        return Ok(if arguments.markdown {
            table1::markdown(&all)
        } else {
            table1::terminal(&all)
        });
    }
    if let Some(id) = &arguments.id {
        let found = find(&all, id)?;
        if arguments.json {
            return json(&[found]);
        }
        let said = match found.id {
            own if own == id => String::new(),
            own => format!("`{id}` is another name of `{own}`.\n\n"),
        };
        return Ok(said + &page::page(&found));
    }
    let found = filtered(&all, arguments)?;
    if arguments.json {
        return json(&found);
    }
    if found.is_empty() {
        return Ok("No law is like that. All of them: carom laws\n".into());
    }
    Ok(if arguments.markdown {
        list::markdown(&found)
    } else {
        list::terminal(&found)
    })
}

/// The law of this id or alias, of whichever kind.
fn find(all: &[Entry], id: &str) -> Result<Entry, Fault> {
    all.iter()
        .find(|entry| entry.names().any(|name| name == id))
        .copied()
        .ok_or_else(|| Fault::UnknownLaw {
            id: id.into(),
            nearest: nearest(id, all.iter().flat_map(Entry::names)),
        })
}

/// The laws that pass every filter; all that is wrong with the filters at once.
fn filtered(all: &[Entry], arguments: &Arguments) -> Result<Vec<Entry>, Trouble> {
    let mut wrong = Vec::new();
    if let Some(kind) = &arguments.kind {
        let names = Kind::ALL.map(Kind::name);
        wrong.extend(unknown("kind", kind, &names));
    }
    if let Some(family) = &arguments.family {
        let names = list::families(&all.iter().collect::<Vec<_>>());
        wrong.extend(unknown("family", family, &names));
    }
    if let Some(group @ 6..) = arguments.group {
        wrong.push(format!("there is no group {group}; there are 0 to 5"));
    }
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let words: Vec<String> = arguments
        .search
        .iter()
        .flat_map(|words| words.split_whitespace())
        .map(str::to_lowercase)
        .collect();
    let same = |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|w| w == name);
    let passes = |entry: &&Entry| {
        // The groups sort laws of contact only.
        let group = |n| entry.kind == Kind::Contact && entry.group == n;
        same(&arguments.kind, entry.kind.name())
            && same(&arguments.family, entry.family)
            && arguments.group.is_none_or(group)
            && entry.mentions(&words)
    };
    Ok(all.iter().filter(passes).copied().collect())
}

/// What is wrong with a name that is none of these.
fn unknown(what: &str, given: &str, names: &[&str]) -> Option<String> {
    (!names.contains(&given)).then(|| {
        format!(
            "there is no {what} `{given}`; there are {}",
            names.join(", ")
        )
    })
}

fn json(entries: &[Entry]) -> Result<String, Trouble> {
    let cards: Vec<Value> = entries.iter().map(json::card).collect();
    serde_json::to_string_pretty(&cards)
        .map(|text| text + "\n")
        .map_err(|error| Trouble::Failed(error.to_string()))
}
