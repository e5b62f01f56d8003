//! What does the program `carom` do with its command line?
//!
//! The program is a thin shell: every command is one call into the library. Exit codes: 0 done, 1 the work failed, 2 the input is wrong.

mod commands;
mod trouble;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use trouble::Trouble;

/// Simulates mechanisms whose parts hit each other.
///
/// This is an early version. It has the laws of contact and friction, and the laboratory: one impact under any law, alone or beside others, the stiffness of a contact from shapes
/// and materials, the figures of the papers; and it runs planar mechanisms from model files.
#[derive(Parser)]
#[command(
    name = "carom",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Example:\n  carom impact --law flores --stiffness 5.5e9 --mass 0.046 --speed 0.3 --restitution 0.7\n  carom laws flores\n  carom new slider-crank\n  carom run slider-crank.toml --out turns\n\nExit codes: 0 done, 1 the work failed, 2 the input is wrong."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the laws of contact and friction, or prints the card of one
    #[command(after_help = commands::laws::AFTER_HELP)]
    Laws(commands::laws::Arguments),
    /// Simulates one free impact under a law and says how deep, how hard, how long and what is lost
    Impact(Box<commands::impact::Arguments>),
    /// Puts several laws to one impact and sets them side by side
    Compare(Box<commands::compare::Arguments>),
    /// Says which law suits a contact, with which numbers, and why
    Advise(Box<commands::advise::Arguments>),
    /// Finds the numbers of laws, and the law, that fit what was measured
    Fit(Box<commands::fit::Arguments>),
    /// Computes the stiffness of a contact from shapes and materials
    Stiffness(Box<commands::stiffness::Arguments>),
    /// Lists the built-in materials with their sources
    Materials(commands::materials::Arguments),
    /// Runs a model and writes down what came of it
    Run(Box<commands::run::Arguments>),
    /// Says how many digits of a model's numbers are to be believed, and for how long it can be computed at all
    Verify(commands::verify::Arguments),
    /// Opens the report of a run in the browser
    View(commands::view::Arguments),
    /// Draws chosen channels of results: a figure for print, or a drawing in the terminal
    Plot(commands::plot::Arguments),
    /// Makes a moving picture of a run: GIF or SVG
    Animate(commands::animate::Arguments),
    /// Reads a model and puts it together without running it: what it is, and what is wrong with it
    Check(commands::check::Arguments),
    /// Writes a commented model file to start from
    New(commands::new::Arguments),
    /// Prints the JSON schema of the model file, from which editors complete
    Schema(commands::schema::Arguments),
    /// Writes a completion script for a shell to standard output
    #[command(
        after_help = "Example:\n  carom completions zsh > ~/.zfunc/_carom\n\nStart a new shell afterwards."
    )]
    Completions {
        /// The shell to write for
        shell: Shell,
    },
    /// Varies parameters of a model or of an impact: all points of a study, on all cores
    Sweep(Box<commands::sweep::Arguments>),
    /// Computes figures of the papers again and checks what is said about them
    Reproduce(commands::reproduce::Arguments),
}

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => ended(match arguments.command {
            Command::Laws(arguments) => commands::laws::run(&arguments),
            Command::Impact(arguments) => commands::impact::run(&arguments),
            Command::Compare(arguments) => commands::compare::run(&arguments),
            Command::Advise(arguments) => commands::advise::run(&arguments),
            Command::Fit(arguments) => commands::fit::run(&arguments),
            Command::Stiffness(arguments) => commands::stiffness::run(&arguments),
            Command::Materials(arguments) => commands::materials::run(&arguments),
            Command::Run(arguments) => commands::run::run(&arguments),
            Command::Verify(arguments) => commands::verify::run(&arguments),
            Command::View(arguments) => commands::view::run(&arguments),
            Command::Plot(arguments) => commands::plot::run(&arguments),
            Command::Animate(arguments) => commands::animate::run(&arguments),
            Command::Check(arguments) => commands::check::run(&arguments),
            Command::Schema(arguments) => commands::schema::run(&arguments),
            Command::New(arguments) => commands::new::run(&arguments),
            Command::Sweep(arguments) => commands::sweep::run(&arguments),
            Command::Reproduce(arguments) => commands::reproduce::run(&arguments),
            Command::Completions { shell } => completions(shell).map_err(Trouble::from),
        }),
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

/// Help and version are answers (0); everything else the parser says is about wrong input (2). Who asked for JSON gets it also of that, on standard output.
fn refuse(error: &clap::Error) -> ExitCode {
    let printed = written(error.print().and_then(|()| io::stdout().flush()));
    if !error.use_stderr() {
        return printed;
    }
    let mut typed = std::env::args_os().skip(1).take_while(|word| word != "--");
    if typed.any(|word| word == "--json") {
        let trouble = Trouble::Input(vec![in_a_line(&error.render().to_string())]);
        // Nothing is left to try when standard output cannot be written: the exit code says that it is wrong.
        let _ = commands::print_failed(&trouble);
    }
    if error.kind() == ErrorKind::InvalidSubcommand {
        // Nothing is left to try when standard error itself cannot be written.
        let _ = writeln!(io::stderr(), "\n{}", hint());
    }
    ExitCode::from(2)
}

/// What the parser says, without how to go on: `error: invalid value …` and what is below it, up to the usage.
fn in_a_line(said: &str) -> String {
    let lines = said.lines().map(str::trim);
    let about = lines.take_while(|line| {
        !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    let about: Vec<&str> = about.filter(|line| !line.is_empty()).collect();
    let about = about.join(" ");
    about.strip_prefix("error: ").unwrap_or(&about).into()
}

/// Says what went wrong, every fault on its own line, and which exit code that is.
fn ended(result: Result<(), Trouble>) -> ExitCode {
    let (messages, code) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Trouble::Output(error)) => return written(Err(error)),
        Err(Trouble::Input(messages)) => (messages, 2),
        Err(Trouble::Model(wrong)) => {
            let _ = write!(io::stderr(), "{}", commands::model::told(&wrong));
            return ExitCode::from(2);
        }
        Err(Trouble::Failed(message)) => (vec![message], 1),
    };
    for message in messages {
        // Nothing is left to try when standard error itself cannot be written.
        let _ = writeln!(io::stderr(), "error: {message}");
    }
    ExitCode::from(code)
}

/// What to say of a command that does not exist.
fn hint() -> String {
    let program = Arguments::command();
    let there: Vec<String> = program
        .get_subcommands()
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    format!("There are {}. `carom --help` says more.", there.join(", "))
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
}
