//! What does the program `carom` do with its command line?
//!
//! The program is a thin shell: every command is one call into the library. Exit codes: 0 done, 1 the work failed, 2 the input is wrong.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

/// Commands whose names are settled but which are not written yet, so that asking for one gets a straight answer.
const PLANNED: [&str; 17] = [
    "run",
    "check",
    "new",
    "schema",
    "laws",
    "impact",
    "compare",
    "stiffness",
    "materials",
    "plot",
    "animate",
    "view",
    "reproduce",
    "advise",
    "fit",
    "sweep",
    "verify",
];

/// Simulates mechanisms whose parts hit each other.
///
/// This is an early version. The integrator with located events is there as a library; models, contact laws and the commands that use them are not. What the
/// program can do today is write completions for your shell. To see the integrator at work, run the example `bouncing-ball` of the library.
#[derive(Parser)]
#[command(
    name = "carom",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Example:\n  carom completions bash > ~/.local/share/bash-completion/completions/carom\n\nExit codes: 0 done, 1 the work failed, 2 the input is wrong."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes a completion script for a shell to standard output
    #[command(
        after_help = "Example:\n  carom completions zsh > ~/.zfunc/_carom\n\nStart a new shell afterwards."
    )]
    Completions {
        /// The shell to write for
        shell: Shell,
    },
}

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => match arguments.command {
            Command::Completions { shell } => written(completions(shell)),
        },
        Err(error) => refuse(&error),
    }
}

/// The whole script is made first and written in one go: the generator itself panics when its reader goes away.
fn completions(shell: Shell) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    out.flush()
}

/// Help and version are answers (0); everything else the parser says is about wrong input (2).
fn refuse(error: &clap::Error) -> ExitCode {
    let printed = written(error.print().and_then(|()| io::stdout().flush()));
    if !error.use_stderr() {
        return printed;
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(name) = error.get(ContextKind::InvalidSubcommand)
    {
        let hint = hint(&name.to_string());
        // Nothing is left to try when standard error itself cannot be written.
        let _ = writeln!(io::stderr(), "\n{hint}");
    }
    ExitCode::from(2)
}

/// What to say of a command that does not exist.
fn hint(name: &str) -> String {
    if PLANNED.contains(&name) {
        return format!(
            "`{name}` is a command Carom will have; it is not written yet. Today there is `completions`."
        );
    }
    match nearest(name, &PLANNED) {
        Some(planned) => format!(
            "Nearest name: `{planned}`, which is planned and not written yet. Today there is `completions`."
        ),
        None => "Today there is `completions`; `carom --help` says more.".into(),
    }
}

/// The name at the smallest edit distance, if at most a third of the letters (and at least one) differ.
fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    // Longer than any name could be mistyped: not worth the table.
    if name.chars().count() > 32 {
        return None;
    }
    names
        .iter()
        .map(|candidate| (distance(name, candidate), *candidate))
        .filter(|(d, candidate)| *d <= (candidate.chars().count() / 3).max(1))
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, deleted or replaced (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A reader that goes away early (`carom --help | head -1`) has what it wanted; any other trouble in writing is a failure.
fn written(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: cannot write the output: {error}");
            ExitCode::from(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn distance_counts_single_letter_edits() {
        // Counted by hand.
        assert_eq!(distance("run", "run"), 0);
        assert_eq!(distance("rnu", "run"), 2);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "new"), 3);
    }

    #[test]
    fn a_far_name_has_no_nearest_one() {
        assert_eq!(nearest("sweeep", &PLANNED), Some("sweep"));
        assert_eq!(nearest("xyzzy", &PLANNED), None);
        assert_eq!(nearest(&"n".repeat(100_000), &PLANNED), None);
    }

    #[test]
    fn a_command_that_exists_is_not_listed_as_planned() {
        for command in Arguments::command().get_subcommands() {
            assert!(!PLANNED.contains(&command.get_name()));
        }
    }
}
