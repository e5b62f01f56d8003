//! Which numbers of a model fit a record of its motion?

use std::path::Path;

use carom::model::units::{Dimension, behind, parse_any, pretty};
use carom::study::fit::{self, Free, Loss, Misfit, Moved, Record, Setup, Subject};
use serde_json::{Value, json};

use carom::study::verify::Step;

use super::super::counting::Counting;
use super::super::run::stop_on_signals;
use super::super::{File, model, pairs, pictures};
use super::{
    Arguments, LossWord, doubt, finite, finites, in_si, line, may_be_written, products_json,
    push_wrapped, report, shown, start_of, strong, table_text, tell,
};
use crate::commands::html;
use crate::trouble::Trouble;

/// Everything that was asked for, read.
struct Asked {
    data: String,
    model: String,
    record: Record,
    subject: Subject,
    free: Vec<Free>,
    /// The unit in which the bounds of each were given, and what one of it is in SI units.
    units: Vec<Option<(String, f64)>>,
    setup: Setup,
}

/// Fits and tells; `said` is set once there is an answer.
pub fn run(arguments: &Arguments, path: &Path, said: &mut bool) -> Result<(), Trouble> {
    let asked = read(arguments, path)?;
    may_be_written(arguments)?;
    let stop = stop_on_signals();
    let counting = Counting::new("fitting", arguments.quiet, &stop).counting("trials");
    let moved = fit::fit_motion_with(
        &asked.subject,
        &asked.record,
        &asked.free,
        &asked.setup,
        &|done, of| counting.hear(Step::counted(done, of)),
    )
    .map_err(|misfit| match misfit {
        Misfit::Model(all) => Trouble::Model(all),
        Misfit::Input(all) => Trouble::Input(all),
        Misfit::Failed(why) => Trouble::Failed(why),
    })?;
    drop(counting);
    let mut value = json_of(&asked, &moved);
    if let (true, Some(all)) = (moved.stopped, value.as_object_mut()) {
        all.insert("status".into(), "stopped".into());
    }
    let files = || files(&asked, &moved, &value);
    tell(arguments, said, &value, || text(&asked, &moved), files)?;
    match moved.stopped {
        true => Err(Trouble::Failed(
            "it was stopped: what is said rests on searches that were cut short".into(),
        )),
        false => Ok(()),
    }
}

fn read(arguments: &Arguments, path: &Path) -> Result<Asked, Trouble> {
    let mut said = Vec::new();
    if !(1..=1000).contains(&arguments.starts) {
        said.push(format!(
            "starts = {}, but must be 1 to 1000",
            arguments.starts
        ));
    }
    let (mut free, mut units) = (Vec::new(), Vec::new());
    for text in &arguments.free {
        match sought(text) {
            Ok((one, unit)) => {
                free.push(one);
                units.push(unit);
            }
            Err(why) => said.push(why),
        }
    }
    let mut start = 0.0;
    if let Some(text) = &arguments.start {
        match start_of(text, Dimension::TIME) {
            Ok(value) => start = value,
            Err(why) => said.push(why),
        }
        if free.iter().any(|one: &Free| one.path == fit::CLOCK) {
            said.push("give --start or --free start, not both".into());
        }
    }
    if arguments.free.is_empty() {
        said.push("nothing is sought. Hint: --free PATH=LOW..HIGH, such as --free \"force.spring.stiffness=100..10000 N/m\"; paths are those of --set".into());
    }
    let table = table_text(&arguments.data)
        .map_err(|e| said.push(e))
        .unwrap_or_default();
    if !said.is_empty() {
        return Err(Trouble::Input(said));
    }
    let set = model::overrides(&arguments.set)?;
    let source = model::source(path)?;
    let data = arguments.data.display().to_string();
    let record = fit::read_record(&data, &table).map_err(Trouble::Model)?;
    let short = |path: &Path| match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    };
    Ok(Asked {
        data: short(&arguments.data),
        model: short(path),
        record,
        subject: Subject { source, set },
        free,
        units,
        setup: Setup {
            loss: match arguments.loss {
                LossWord::Huber => Loss::Huber,
                LossWord::Squares => Loss::Squares,
            },
            starts: arguments.starts,
            start,
            ..Setup::default()
        },
    })
}

/// `force.spring.stiffness=100..10000 N/m`: a unit that stands behind the second number is that of both, and of the answer.
fn sought(text: &str) -> Result<(Free, Option<(String, f64)>), String> {
    let wrong = |why: &str| {
        format!(
            "--free: `{text}`: {why}. Hint: PATH=LOW..HIGH, such as \"force.spring.stiffness=100..10000 N/m\""
        )
    };
    let (path, range) = text
        .split_once('=')
        .ok_or_else(|| wrong("bounds are missing"))?;
    let (low, high) = range
        .split_once("..")
        .ok_or_else(|| wrong("there is no `..` between two bounds"))?;
    let number = |text: &str| parse_any(text).map_err(|error| wrong(&error.to_string()));
    let ((mut least, of), (most, with)) = (number(low)?, number(high)?);
    let shown = behind(high);
    let dimension: Option<Dimension> = match (of, with) {
        (Some(of), Some(with)) if of.fits(with) => Some(with),
        (None, Some(with)) => {
            let unit = shown.as_ref().map_or("", |(unit, _)| unit);
            least = number(&format!("{low} {unit}"))?.0;
            Some(with)
        }
        (None, None) => None,
        _ => return Err(wrong("the bounds are of different kinds")),
    };
    if !(least < most) {
        return Err(wrong("the first bound must be below the second"));
    }
    let path = path.trim();
    let clock = path == fit::CLOCK;
    if clock && dimension.is_some_and(|d| !d.fits(Dimension::TIME)) {
        return Err(wrong("`start` is an instant"));
    }
    let dimension = dimension.or(clock.then_some(Dimension::TIME));
    let unit = dimension.map(|d| d.unit()).filter(|unit| unit != "1");
    let free = Free {
        path: path.into(),
        unit: unit.unwrap_or_default(),
        low: least,
        high: most,
    };
    Ok((free, shown))
}

/// Names, whether they are known, and what is shown of them.
fn rows<'a>(asked: &Asked, moved: &'a Moved) -> Vec<(&'a str, bool, [String; 3])> {
    let all = moved.numbers.iter().zip(&asked.units);
    all.map(|(n, unit)| {
        let show = |x: f64, digits: usize| match unit {
            Some((unit, one)) => format!("{} {unit}", pretty(x / one, "", digits)),
            None => in_si(x, &n.unit, digits),
        };
        let words = shown(n.value, n.interval, n.at_bound, show);
        (n.path.as_str(), n.interval.is_some(), words)
    })
    .collect()
}

fn noise(asked: &Asked, moved: &Moved) -> Vec<(String, String)> {
    let all = asked
        .record
        .series
        .iter()
        .zip(&moved.noise)
        .zip(&moved.units);
    all.map(|((series, noise), unit)| (series.channel.clone(), pretty(*noise, unit, 3)))
        .collect()
}

fn words(moved: &Moved) -> Vec<String> {
    let names: Vec<&str> = moved.numbers.iter().map(|n| n.path.as_str()).collect();
    strong(&names, &moved.correlation)
}

/// What cannot be known, or may have been missed.
fn doubts(moved: &Moved) -> impl Iterator<Item = String> {
    let missed = doubt(moved.settled, moved.agreeing);
    let missed = missed.map(|line| format!("{line}, or closer bounds"));
    moved.unknowable.iter().cloned().chain(missed)
}

fn text(asked: &Asked, moved: &Moved) -> String {
    let mut text = format!(
        "{} in {}: {} measured numbers of {}\n\n",
        asked.model,
        asked.data,
        asked.record.count(),
        match asked.record.series.len() {
            1 => "one channel".to_string(),
            several => format!("{several} channels"),
        }
    );
    let rows = rows(asked, moved);
    let lines: Vec<(&str, String)> = rows
        .iter()
        .map(|(name, known, shown)| (*name, line(*known, shown.clone())))
        .collect();
    text.push_str(&pairs(&lines));
    for sentence in words(moved).into_iter().chain(doubts(moved)) {
        push_wrapped(&mut text, &format!("  {sentence}"));
    }
    text.push_str("\nnoise\n");
    let all = noise(asked, moved);
    let lines: Vec<(&str, String)> = all
        .iter()
        .map(|(name, noise)| (name.as_str(), noise.clone()))
        .collect();
    text.push_str(&pairs(&lines));
    text.push('\n');
    for sentence in moved.verdict(&asked.record) {
        push_wrapped(&mut text, &sentence);
    }
    if !moved.notes.is_empty() {
        text.push('\n');
        for note in &moved.notes {
            push_wrapped(&mut text, &format!("note: {note}"));
        }
    }
    text
}

fn json_of(asked: &Asked, moved: &Moved) -> Value {
    let numbers: Vec<Value> = moved
        .numbers
        .iter()
        .map(|n| {
            json!({
                "path": n.path,
                "unit": n.unit,
                "value": finite(n.value),
                "interval": n.interval.map(|i| i.map(finite)),
                "identified": n.interval.is_some(),
                "hardly_known": n.vague,
                "sure": n.sure,
                "at_bound": n.at_bound,
            })
        })
        .collect();
    let series = asked.record.series.iter().enumerate().map(|(i, s)| {
        json!({
            "channel": s.channel,
            "unit": moved.units.get(i),
            "noise": moved.noise.get(i).copied().map(finite),
            "explained": moved.explained.get(i).copied().map(finite),
            "measured": finites(&s.y),
            "fitted": moved.fitted.get(i).map(|y| finites(y)),
            "residuals": moved.residuals.get(i).map(|y| finites(y)),
        })
    });
    json!({
        "data": { "name": asked.data, "points": asked.record.count(), "time": asked.record.times },
        "model": asked.model,
        "start": asked.setup.start,
        "describes": moved.missed(&asked.record).is_empty(),
        "verdict": moved.verdict(&asked.record),
        "numbers": numbers,
        "correlation": moved.correlation.iter().map(|row| finites(row)).collect::<Vec<_>>(),
        "unidentifiable": moved.unknowable,
        "products": products_json(&moved.products),
        "condition": finite(moved.condition),
        "rank": moved.rank,
        "degrees_of_freedom": moved.freedom,
        "series": series.collect::<Vec<_>>(),
        "starts": { "agreeing": moved.agreeing[0], "tried": moved.agreeing[1] },
        "settled": moved.settled,
        "contacts": moved.contacts,
        "notes": moved.notes,
    })
}

fn files(asked: &Asked, moved: &Moved, value: &Value) -> Result<Vec<File>, Trouble> {
    let title = format!("{}: measured, and as {} moves", asked.data, asked.model);
    let chart = fit::motion_chart(&title, &asked.record, moved);
    let drawn: Vec<String> = chart.svg().ok().into_iter().collect();
    let mut csv = String::from("path,unit,value,low,high\n");
    for n in &moved.numbers {
        let [low, high] = match n.interval {
            Some(ends) => ends.map(|x| format!("{x:e}")),
            None => [String::new(), String::new()],
        };
        csv.push_str(&format!(
            "{},{},{:e},{low},{high}\n",
            n.path, n.unit, n.value
        ));
    }
    let mut fitted = String::from("time [s]");
    for (series, unit) in asked.record.series.iter().zip(&moved.units) {
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" [{unit}]")
        };
        fitted.push_str(&format!(",{0}{unit},fitted {0}{unit}", series.channel));
    }
    fitted.push('\n');
    let cell = |y: Option<&f64>| match y {
        Some(y) if y.is_finite() => format!("{y:e}"),
        _ => String::new(),
    };
    for (k, t) in asked.record.times.iter().enumerate() {
        fitted.push_str(&format!("{t:e}"));
        for (series, curve) in asked.record.series.iter().zip(&moved.fitted) {
            fitted.push_str(&format!(
                ",{},{}",
                cell(series.y.get(k)),
                cell(curve.get(k))
            ));
        }
        fitted.push('\n');
    }
    let mut files = vec![File::new("report.html", page(asked, moved, &drawn))];
    files.extend(pictures::curves("fit", &chart)?);
    files.push(File::new("parameters.csv", csv));
    files.push(File::new("fitted.csv", fitted));
    files.push(File::new("fit.json", format!("{value:#}\n")));
    Ok(files)
}

fn page(asked: &Asked, moved: &Moved, drawn: &[String]) -> String {
    let mut text = html::paragraphs(moved.verdict(&asked.record));
    let rows = rows(asked, moved);
    text.push_str(&report::numbers(&rows));
    text.push_str(&html::paragraphs(words(moved)));
    text.push_str(&report::beware(doubts(moved)));
    text.push_str(&report::correlations(&rows, &moved.correlation));
    text.push_str(&report::sentences(&moved.notes));
    text.push_str(&html::figures(drawn));
    let noise: Vec<Vec<String>> = noise(asked, moved)
        .into_iter()
        .map(|(channel, noise)| vec![channel, noise])
        .collect();
    text.push_str(&html::table(
        &["channel", "noise (standard deviation)"],
        &noise,
    ));
    text.push_str("<p>Intervals are 95 %, from the sensitivities in scaled parameters and Student's t; they hold if the model does.</p>\n");
    html::page(&format!("Fit: {} in {}", asked.model, asked.data), &text)
}
