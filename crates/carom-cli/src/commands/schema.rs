//! What does `carom schema` do: print the JSON schema of the model file or of the study file, or the page about models?

use std::path::PathBuf;

use carom::model::file;
use carom::study::sweep;
use clap::Args;

use super::new::write_new;
use super::{note, print};
use crate::trouble::Trouble;

/// The arguments of `carom schema`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom schema\n\nMore:\n  carom schema --out carom.schema.json\n  carom schema --study --out study.schema.json\n  carom schema --markdown\n\n\
                  Editors complete and check model files (and study files) from it. With Taplo or \"Even Better TOML\", write at the top of the model:\n  #:schema ./carom.schema.json"
)]
pub struct Arguments {
    /// Prints the schema of study files, which `carom sweep` reads
    #[arg(long, conflicts_with = "markdown")]
    study: bool,

    /// Prints the page about the model file in Markdown instead
    #[arg(long)]
    markdown: bool,

    /// Writes it to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Overwrites a file that is there already
    #[arg(long, requires = "out")]
    force: bool,
}

/// Prints the schema, or writes it.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let text = if arguments.markdown {
        file::reference()
    } else if arguments.study {
        sweep::schema()
    } else {
        file::schema()
    };
    let Some(path) = &arguments.out else {
        return print(&text);
    };
    write_new(path, text.as_bytes(), arguments.force)?;
    note(&format!("written: {}", path.display()));
    Ok(())
}
