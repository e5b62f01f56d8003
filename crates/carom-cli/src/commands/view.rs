//! What does `carom view` do: open the report of a run in the browser?

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use super::print;
use super::results::Results;
use crate::trouble::Trouble;

/// The page.
const REPORT: &str = "report.html";

/// The arguments of `carom view`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom view turns\n\nMore:\n  carom view turns --print\n\nExit codes: 0 done, 1 there is no browser to open it with, 2 the input is wrong."
)]
pub struct Arguments {
    /// The folder of results, as `carom run --out DIR` writes it
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Prints where the report is and opens nothing
    #[arg(long)]
    print: bool,
}

/// Opens a report.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let folder = &arguments.folder;
    // The page itself is good enough for those who have it and nothing else.
    let page = match folder.extension().is_some_and(|e| e == "html") && folder.is_file() {
        true => folder.clone(),
        false => {
            let results = Results::open(folder).map_err(Trouble::input)?;
            results.path.join(REPORT)
        }
    };
    if !page.is_file() {
        return Err(Trouble::input(format!(
            "{} is not there. Hint: run the model again without --no-report",
            page.display()
        )));
    }
    let page = page.canonicalize().unwrap_or(page);
    print(&format!("{}\n", page.display()))?;
    if arguments.print {
        return Ok(());
    }
    open(&page)
}

/// Hands a page to the system; what opens it is the person's choice.
fn open(page: &Path) -> Result<(), Trouble> {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let status = Command::new(program)
        .args(before)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let said = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => format!("{program} ended with {status}"),
        Err(error) => format!("{program} cannot be started: {error}"),
    };
    Err(Trouble::Failed(format!(
        "{said}. Hint: open {} in a browser yourself",
        page.display()
    )))
}
