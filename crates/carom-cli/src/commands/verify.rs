//! What does `carom verify` do: say how many digits of a model's numbers are to be believed?

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::model::units::pretty;
use carom::model::{Channel, ContactMethod, Model};
use carom::results::summary;
use carom::solve::Integrator;
use carom::study::verify::{self, Effort, Number, Ran, Refused, Underway, Verified};
use carom::system::Warning;
use clap::Args;
use serde_json::json;

use super::counting::Counting;
use super::model::{self, ModelArguments};
use super::run::{as_warning, creeping, stop_on_signals, tell};
use super::{File, errors_json, note, print, print_json, table, write_files, written};
use crate::trouble::Trouble;

pub use carom::study::verify::{json, warning};

/// Digits of the times of contacts.
const DIGITS: usize = 7;
/// Contacts shown one by one at most.
const CONTACTS: usize = 12;
/// What is written.
const JSON: &str = "verified.json";
const TEXT: &str = "verified.txt";

/// The arguments of `carom verify`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom verify pendulum.toml --rtol 1e-13\n\nMore:\n  carom verify slider-crank-clearance.toml --set joint.pin.law=hertz\n  carom verify slider-crank.toml --channels slider.x,driver.motor.moment --json\n  carom run slider-crank-clearance.toml --out play --verify\n\n\
                  The model is run as it stands, with tolerances 10 to 10 000 times as tight, with a second method, and with its start moved by a hair, all on all cores. A fixed step is halved, and one run more takes an odd step, which fits into no halving: a force of time may keep step with all of these, not with that. A digit is believed if all runs agree on it; a run that takes more than ten times the work of the first is cut off. Where the second method parts from runs that agree among themselves before it is cut off, nothing of that is believed; of a fixed step no number has more digits than the stretch that both share shows. How fast the moved runs part gives the horizon: the time beyond which nobody can compute the motion. What lies beyond it is believed only as far as all runs agree at every instant. Where a channel is zero all the time, something makes no heat or does no work, or a force or a driver may act for an instant only, one run more takes short steps, as tight as the tightest: what is otherwise there was stepped over and is not believed, and it is said how short a pulse every run would have stepped over.\n\
                  Numbers are shown with one digit more than is believed. `least` and `largest` are those of the motion, between its samples too; `over time` is a channel at its worst sample; `order` is the power of the tolerance (or of the fixed step) with which differences fall, as seen; `best` is what is to be believed of the tightest run.\n\
                  Ctrl-C or SIGTERM ends it and says what is known so far.\n\
                  Exit codes: 0 done, 1 a run failed or was stopped, 2 the input is wrong."
)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// These channels in place of those that the model asks for, such as slider.x,driver.motor.moment
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    channels: Vec<String>,

    /// The relative tolerance whose digits are asked about, in place of the model's: 1e-14 to 0.1; where it is tighter, so are absolute tolerances
    #[arg(long, value_name = "R")]
    rtol: Option<f64>,

    /// Fewer runs: two tighter ones, a second method, one start moved by a hair, which says less about the horizon
    #[arg(long)]
    quick: bool,

    /// Writes verified.json and verified.txt into this directory; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Overwrites files that are there already
    #[arg(long, requires = "out")]
    force: bool,

    /// Shows no progress and prints no table
    #[arg(short, long)]
    quiet: bool,

    /// Prints one JSON value (SI units, full precision) in place of the text
    #[arg(long)]
    json: bool,
}

/// Verifies a model. With `--json` whatever happens is one JSON value.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut said = false;
    let done = carry_out(arguments, &mut said);
    if let Err(trouble) = &done
        && arguments.json
        && !said
        && !matches!(trouble, Trouble::Output(_))
    {
        print_json(&json!({ "status": "failed", "errors": errors_json(trouble) }))?;
    }
    done
}

/// `said` is whether its answer stands on standard output already.
fn carry_out(arguments: &Arguments, said: &mut bool) -> Result<(), Trouble> {
    let loaded = model::load(&arguments.model)?;
    let asked = asked(&loaded.parsed.model, arguments)?;
    if let Some(out) = &arguments.out {
        super::may_write(out, [JSON, TEXT], arguments.force)?;
    }
    // What is wrong with it is said with its place in the file.
    let _ = loaded.assemble()?;
    let stop = stop_on_signals();
    let effort = match arguments.quick {
        true => Effort::Quick,
        false => Effort::Usual,
    };
    let verified = with(&asked, effort, arguments.quiet, &stop)?.map_err(|stopped| {
        Trouble::Failed(match stopped {
            None => "it was stopped".into(),
            Some(first) => {
                let [t, end] = [first.t, first.end].map(|t| pretty(t, "s", 7));
                let why = match first.creeps {
                    Some(step) => format!("; {}", creeping(step)),
                    None => String::new(),
                };
                format!("it was stopped during the first run, at t = {t} of {end}{why}")
            }
        })
    })?;
    let read = &loaded.parsed.warnings;
    let told_of = verified.warnings.iter().map(|w| loaded.warning(w));
    tell(&read.iter().cloned().chain(told_of).collect::<Vec<_>>());
    let mut value = verify::json(&verified);
    if let Some(all) = value.as_object_mut() {
        let read: Vec<Warning> = read.iter().map(as_warning).collect();
        let warnings = read.iter().chain(&verified.warnings);
        all.insert("warnings".into(), warnings.map(summary::warning).collect());
        let status = if verified.stopped {
            "stopped"
        } else {
            "completed"
        };
        all.insert("status".into(), status.into());
    }
    let text = told(&verified);
    let mut notes = String::new();
    if let Some(out) = &arguments.out {
        let files = [
            File::new(JSON, format!("{value:#}\n")),
            File::new(TEXT, text.clone()),
        ];
        write_files(out, &files, arguments.force)?;
        notes = format!("\n{}\n", written(out, &files));
    }
    if arguments.json {
        *said = true;
        print_json(&value)?;
    } else if !arguments.quiet {
        print(&format!("{text}{notes}"))?;
    }
    match verified.stopped {
        true => Err(Trouble::Failed(
            "it was stopped: what is said rests on the runs that were done".into(),
        )),
        false => Ok(()),
    }
}

/// Whether its steps are of fixed length.
fn is_fixed(model: &Model) -> bool {
    let method = matches!(
        model.solver.integrator,
        Integrator::Rk4 { .. } | Integrator::Verlet { .. }
    );
    method || model.method.contact == ContactMethod::TimeStepping
}

/// The model with what the command line puts in its place.
fn asked(model: &Model, arguments: &Arguments) -> Result<Model, Trouble> {
    let mut wrong = Vec::new();
    let mut model = model.clone();
    if let Some(rtol) = arguments.rtol {
        if is_fixed(&model) {
            note(
                "warning: --rtol is passed over: the steps of this model are of fixed length. Hint: --set solver.step=…, or method.step",
            );
        } else {
            model = verify::at(&model, rtol);
        }
        if !(1e-14..=0.1).contains(&rtol) {
            wrong.push(format!(
                "--rtol {rtol:e}: it is between 1e-14 and 0.1. Hint: such as --rtol 1e-10"
            ));
        }
    }
    let mut channels = Vec::new();
    for name in arguments.channels.iter().map(|name| name.trim()) {
        match Channel::parse(name, &model) {
            Ok(channel) => channels.push(channel),
            Err(none) => {
                let near = match none.nearest.is_empty() {
                    true => String::new(),
                    false => format!("{}? ", none.nearest.join(", ")),
                };
                wrong.push(format!(
                    "--channels: {none}. Hint: {near}carom check lists them"
                ));
            }
        }
    }
    if !channels.is_empty() {
        model.simulation.channels = channels;
    }
    match wrong.is_empty() {
        true => Ok(model),
        false => Err(Trouble::Input(wrong)),
    }
}

/// Verifies a model and shows how far it is; nothing if it was stopped before anything is known.
pub fn of(model: &Model, quiet: bool, stop: &Arc<AtomicBool>) -> Result<Option<Verified>, Trouble> {
    Ok(with(model, Effort::Usual, quiet, stop)?.ok())
}

/// What is known; or, if it was stopped before anything is, where the first run was.
type Known = Result<Verified, Option<Underway>>;

fn with(
    model: &Model,
    effort: Effort,
    quiet: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Known, Trouble> {
    let counting = Counting::new("verifying", quiet, stop);
    let verified = verify::verify_with(model, effort, &|step| counting.hear(step));
    let first = counting.underway();
    drop(counting);
    match verified {
        Ok(verified) => Ok(Ok(verified)),
        Err(Refused::Stopped) => Ok(Err(first)),
        Err(refused @ Refused::Failed(_)) => Err(Trouble::Failed(refused.to_string())),
        Err(refused) => Err(Trouble::input(refused.to_string())),
    }
}

/// A few lines under the table of a run.
pub fn brief(verified: &Verified) -> String {
    let said = verify::sentences(verified);
    format!("\nhow far to believe it\n{}", lines(&said))
}

/// Sentences, each on its own line.
fn lines(said: &[String]) -> String {
    said.iter().map(|line| format!("  {line}\n")).collect()
}

/// All that is said in a terminal.
fn told(of: &Verified) -> String {
    let title = match of.title.is_empty() {
        true => "model",
        false => &of.title,
    };
    let step = of.runs.first().and_then(|run| run.step);
    let at = match step {
        Some(step) => format!("a step of {}", pretty(step, "s", 3)),
        None => format!("rtol {:e}", of.rtol),
    };
    let mut text = format!("{title}: how far to believe it at {at}\n");
    text += &lines(&verify::sentences(of));
    text += "\nruns\n";
    let head = [
        "  run",
        "method",
        "rtol",
        "contacts",
        "steps",
        "evaluations",
        "energy residual",
        "ended",
    ];
    let rows: Vec<Vec<String>> = of.runs.iter().map(run_row).collect();
    text += &table(&head, &rows, &[1, 7]);
    text += "\nnumbers\n";
    let head = [
        "  name", "what", "value", "error", "believed", "best", "order",
    ];
    let rows: Vec<Vec<String>> = of.numbers.iter().map(number_row).collect();
    text += &table(&head, &rows, &[1]);
    if of.contacts.count > 0 {
        text += "\ncontacts\n";
        let mut head = vec!["  contact", "starts", "error"];
        if of.period.is_some() {
            head.push("of a turn");
        }
        head.extend(["start", "peak force", "impulse", "restitution"]);
        let rows: Vec<Vec<String>> = of
            .contacts
            .list
            .iter()
            .take(CONTACTS)
            .map(|contact| {
                let find = |name: &str| contact.numbers.iter().find(|n| n.0 == name);
                let believed = |name: &str| match find(name) {
                    Some(n) => n.4.name(),
                    None => "-".into(),
                };
                let start = find("start");
                let error = |e: f64| match e.is_finite() {
                    true => format!("{e:.1e}"),
                    false => "-".into(),
                };
                let mut row = vec![
                    format!("  {}", contact.element),
                    start.map_or_else(String::new, |n| {
                        let digits = n.4.digits().map_or(2, |d| d as usize + 1);
                        pretty(n.2, "s", digits.clamp(2, DIGITS))
                    }),
                    start.map_or_else(String::new, |n| format!("{} s", error(n.3))),
                ];
                if of.period.is_some() {
                    row.push(contact.late_turns.map_or_else(|| "-".into(), error));
                }
                row.extend(["start", "peak_force", "impulse", "restitution"].map(believed));
                row
            })
            .collect();
        text += &table(&head, &rows, &[]);
        if of.contacts.count > CONTACTS {
            text += &format!("  and {} more\n", of.contacts.count - CONTACTS);
        }
    }
    text
}

fn run_row(run: &Ran) -> Vec<String> {
    vec![
        format!("  {}", run.role.name()),
        match run.step {
            Some(step) => format!("{}, step {}", run.method, pretty(step, "s", 3)),
            None => run.method.into(),
        },
        match run.step {
            // It decides nothing there.
            Some(_) => "-".into(),
            None => format!("{:.0e}", run.rtol),
        },
        run.contacts.to_string(),
        run.steps.to_string(),
        run.evaluations.to_string(),
        format!("{:.1e} J", run.residual),
        run.status.name().into(),
    ]
}

fn number_row(number: &Number) -> Vec<String> {
    let unit = &number.unit;
    vec![
        format!("  {}", number.name),
        number.what.into(),
        pretty(number.told(), unit, number.shown()),
        format!("{:.1e}", number.error),
        number.believed(),
        number
            .best
            .map_or_else(|| "-".into(), |(_, verdict)| verdict.name()),
        number
            .order
            .map_or_else(|| "-".into(), |order| format!("{order:.2}")),
    ]
}
