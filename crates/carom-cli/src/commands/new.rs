//! What does `carom new` do: write a commented model file to start from?

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use carom::model::starter::{self, MOST, Starter};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{note, print};
use crate::trouble::Trouble;

/// The arguments of `carom new`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom new pendulum -\n\nMore:\n  carom new pendulum\n  carom new slider-crank engine.toml\n  carom new chain --count 100 long.toml\n  carom new grains --count 2000 heap.toml\n\n\
                  The file says what to try with it. One that is there already is left alone, unless --force."
)]
pub struct Arguments {
    /// What to start from
    #[arg(value_name = "KIND", value_parser = kinds())]
    kind: String,

    /// Where to write it; `-` is standard output [default: KIND.toml]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// How many links, linkages or grains (chain, n-four-bar, grains)
    #[arg(long, value_name = "N")]
    count: Option<usize>,

    /// Overwrites a file that is there already
    #[arg(long)]
    force: bool,
}

/// The kinds with what they are.
fn kinds() -> PossibleValuesParser {
    let described =
        |starter: &Starter| clap::builder::PossibleValue::new(starter.name).help(starter.about);
    PossibleValuesParser::new(starter::ALL.iter().map(described))
}

/// Writes the file.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    // The command line lets through no other kind.
    let kind = &arguments.kind;
    let starter = starter::find(kind)
        .ok_or_else(|| Trouble::input(format!("there is no starter `{kind}`")))?;
    match (starter.count(), arguments.count) {
        (None, Some(_)) => {
            return Err(Trouble::input(format!(
                "--count: `{kind}` has nothing to count. Hint: chain, n-four-bar and grains do"
            )));
        }
        (Some((what, _)), Some(n)) if !(1..=MOST).contains(&n) => {
            return Err(Trouble::input(format!(
                "--count: {n} {what}; allowed: 1 to {MOST}"
            )));
        }
        _ => {}
    }
    let text = starter.text(arguments.count);
    let path = arguments.file.clone();
    let path = path.unwrap_or_else(|| PathBuf::from(format!("{kind}.toml")));
    if path.as_os_str() == "-" {
        return print(&text);
    }
    write_new(&path, text.as_bytes(), arguments.force)?;
    note(&format!(
        "written: {}. Next: carom check {0}",
        path.display()
    ));
    Ok(())
}

/// Writes a file; one that is there already only with `force`.
pub fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Trouble> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        // Asked of the system in one go: nobody can put a file there in between.
        options.create_new(true);
    }
    let written = options.open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.flush()
    });
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Trouble::input(format!(
            "{} is there already. Hint: another name, or --force to overwrite",
            path.display()
        )),
        _ => Trouble::Failed(format!("cannot write {}: {error}", path.display())),
    })
}
