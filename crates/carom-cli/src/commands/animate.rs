//! What does `carom animate` do: make a moving picture of a run?

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use carom::report::animate::film::{Film, FilmError};
use carom::report::animate::scene::View;
use carom::report::animate::{AnimateError, Movie, Options};
use carom::results::FILM;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use super::results::{Results, ending, free, instant, write};
use super::{note, print, print_json};
use crate::trouble::Trouble;

/// The arguments of `carom animate`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  carom animate turns --out movie.gif\n\nMore:\n  carom animate turns --out movie.svg --speed 1:500\n  carom animate turns --out impact.gif --from \"0.2 ms\" --to \"0.5 ms\" --zoom pin\n  carom animate turns --out slow.gif --slow-motion --width 960\n\n\
                  A GIF plays everywhere; an SVG is sharp at any size and plays in browsers, as an image too. Forces of contacts are arrows, as long as they are strong; of blows between two pictures the largest force is shown.\n\
                  Exit codes: 0 done, 1 the work failed, 2 the input is wrong."
)]
pub struct Arguments {
    /// The folder of results, as `carom run --out DIR` writes it
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Writes the movie to this file: .gif or .svg
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// How fast it goes: seconds of the run in a second of the movie (0.005 or 1:200); chosen unless given
    #[arg(long, value_name = "X")]
    speed: Option<String>,

    /// Pictures a second
    #[arg(long, value_name = "N", default_value_t = 25.0)]
    fps: f64,

    /// From this time on, such as "2 ms"
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,

    /// Up to this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,

    /// Width of the picture, pixels
    #[arg(long, value_name = "PX", default_value_t = 640)]
    width: u32,

    /// Goes slowly around impacts, and says by how much
    #[arg(long)]
    slow_motion: bool,

    /// Looks closely at a joint or a contact of this name; a joint is followed
    #[arg(long, value_name = "NAME")]
    zoom: Option<String>,

    /// Overwrites a file that is there already
    #[arg(long)]
    force: bool,

    /// Shows no progress and prints nothing
    #[arg(short, long)]
    quiet: bool,

    /// Prints one JSON value in place of the text
    #[arg(long)]
    json: bool,
}

/// Makes a moving picture.
pub fn run(arguments: &Arguments) -> Result<(), Trouble> {
    let mut wrong = Vec::new();
    let results = Results::open(&arguments.folder);
    if let Err(said) = &results {
        wrong.push(said.clone());
    }
    let out = &arguments.out;
    let kind = ending(out, &["gif", "svg"]);
    let kind = kind.and_then(|kind| free(out, arguments.force).map(|()| kind));
    let mut keep = |result: Result<Option<f64>, String>| {
        result.unwrap_or_else(|said| {
            wrong.push(said);
            None
        })
    };
    let from = keep(instant("--from", arguments.from.as_deref()));
    let to = keep(instant("--to", arguments.to.as_deref()));
    let speed = keep(arguments.speed.as_deref().map(speed).transpose());
    let kind = kind.unwrap_or_else(|said| {
        wrong.push(said);
        ""
    });
    if !wrong.is_empty() {
        return Err(Trouble::Input(wrong));
    }
    let path = arguments.folder.join(FILM);
    let mut film = Film::open(&path).map_err(|error| match &error {
        FilmError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Trouble::input(format!(
                "{} is not there. Hint: run the model again without --no-report; grains and mechanisms have a film, rest and modes have none",
                path.display()
            ))
        }
        _ => Trouble::input(format!("{}: {error}", path.display())),
    })?;
    if let (true, Ok(results)) = (film.title.is_empty(), &results) {
        film.title = results.title()?;
    }
    let options = Options {
        speed,
        rate: arguments.fps,
        from,
        to,
        slow_motion: arguments.slow_motion,
        view: View {
            width: f64::from(arguments.width),
            zoom: arguments.zoom.clone(),
        },
    };
    let movie = Movie::new(&film, &options).map_err(refused)?;
    if arguments.slow_motion && !movie.slows() {
        note(match film.slow.is_empty() {
            true => "there is no impact: nothing goes slowly",
            false => {
                "there are impacts all the time: slow motion would be slow everywhere. Hint: --speed, or a part of the time with --from and --to"
            }
        });
    }
    let bytes = match kind {
        "svg" => movie.svg().map(String::into_bytes),
        _ => {
            let bar = bar(arguments.quiet, movie.pictures());
            let bytes = movie.gif(&mut |done| {
                if let Some(bar) = &bar {
                    bar.set_position(done as u64);
                }
            });
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
            bytes
        }
    };
    let bytes = bytes.map_err(refused)?;
    write(out, &bytes)?;
    let [width, height] = movie.size();
    if arguments.json {
        return print_json(&json!({
            "file": out.display().to_string(),
            "bytes": bytes.len(),
            "width": width,
            "height": height,
            "pictures": movie.pictures(),
            "seconds": movie.seconds(),
            "speed": movie.says(),
        }));
    }
    if arguments.quiet {
        return Ok(());
    }
    print(&format!(
        "written to {}: {} pictures of {width} × {height}, {:.1} s, {}, {} kB\n",
        out.display(),
        movie.pictures(),
        movie.seconds(),
        movie.says(),
        bytes.len().div_ceil(1000)
    ))
}

/// `0.005`, or `1:200`.
fn speed(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let read = match text.split_once(':') {
        Some((movie, run)) => number(movie).zip(number(run)).map(|(a, b)| a / b),
        None => number(text),
    };
    match read {
        Some(speed) if speed > 0.0 && speed.is_finite() => Ok(speed),
        _ => Err(format!(
            "--speed {text}: must be a number above 0 or a ratio, such as 0.005 or 1:200"
        )),
    }
}

/// Options and names are input; an encoder that fails is not.
fn refused(error: AnimateError) -> Trouble {
    match error {
        AnimateError::Encode { .. } => Trouble::Failed(error.to_string()),
        _ => Trouble::input(error),
    }
}

/// The progress bar; none where nobody looks.
fn bar(quiet: bool, pictures: usize) -> Option<ProgressBar> {
    let shown = !quiet && io::stderr().is_terminal();
    shown.then(|| {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(pictures as u64), target);
        match ProgressStyle::with_template("[{bar:12}] {pos} of {len} pictures") {
            Ok(style) => bar.with_style(style.progress_chars("=> ")),
            Err(_) => bar,
        }
    })
}
