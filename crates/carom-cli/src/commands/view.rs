//! What does `carom view` do: open the report of a run in the browser?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use carom::report::page;
use carom::results::{FILM, METHODS, REPORT, SUMMARY};
use clap::Args;

use super::results::{Results, write};
use super::{note, print};
use crate::trouble::Trouble;

/// The files of a run are written one after the other, all within this time.
const AT_ONCE: Duration = Duration::from_secs(10);

/// The arguments of `carom view`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom view turns\n\nMore:\n  carom view turns --print\n\n\
                  A report that is missing, or older than the results beside it, is made anew from them; nothing is run.\nExit codes: 0 done, 1 there is no browser to open it with, 2 the input is wrong."
)]
pub struct Arguments {
    /// The folder of results, as `carom run --out DIR` writes it, by one method or by several
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
    let [methods, ..] = METHODS.map(|name| folder.join(name));
    let page = if folder.extension().is_some_and(|e| e == "html") && folder.is_file() {
        folder.clone()
    } else if methods.is_file() {
        methods
    } else {
        let results = Results::open(folder).map_err(Trouble::input)?;
        results.path.join(REPORT)
    };
    if page.file_name().is_some_and(|name| name == REPORT) && is_stale(&page) {
        let folder = page.parent().unwrap_or(Path::new("."));
        let made = page::of_folder(folder);
        let made = made.map_err(|error| Trouble::Failed(format!("no report: {error}")))?;
        write(&page, made.as_bytes())?;
        note("the report is made anew");
    }
    let page = page.canonicalize().unwrap_or(page);
    print(&format!("{}\n", page.display()))?;
    if arguments.print {
        return Ok(());
    }
    open(&page)
}

/// Whether a page is not there, or older than what it is made of.
fn is_stale(page: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
    let Some(made) = changed(page) else {
        return true;
    };
    let sources = [FILM, SUMMARY];
    let mut sources = sources
        .iter()
        .filter_map(|name| changed(&page.with_file_name(name)));
    sources.any(|source| source > made + AT_ONCE)
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
