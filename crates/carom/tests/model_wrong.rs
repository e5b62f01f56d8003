//! Is every mistake in a model file told in words that help, and does no file, however broken, bring the program down?
//!
//! The files in `tests/wrong` have one mistake each (or one set that belongs together), and beside each stands what is said about it.
//! After a change of words: `CAROM_UPDATE=1 cargo test -p carom --test model_wrong`, and read the difference.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use carom::model::diagnostic::{Diagnostic, listing};
use carom::model::file::{self, Source};
use carom::system::{Observer, Progress, Status, System};

/// Tests run in the folder of the crate: messages that name a folder are the same on every machine.
fn wrong() -> PathBuf {
    PathBuf::from("tests/wrong")
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All files of this ending in a folder, by name.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .and_then(|name| name.to_str())
        .expect("a name")
        .to_string()
}

fn source(name: &str, text: String, folder: PathBuf) -> Source {
    Source {
        name: name.into(),
        text,
        folder,
    }
}

/// Hears of a run, looks at every number, and ends it after so many steps.
struct Watch {
    steps: u64,
    finite: bool,
    /// Reactions of redundant joints are left out, after a warning.
    left_out: bool,
}

impl Observer for Watch {
    fn sample(&mut self, t: f64, values: &[f64]) {
        let sound = |x: &f64| x.is_finite() || x.is_nan() && self.left_out;
        self.finite &= t.is_finite() && values.iter().all(sound);
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        if progress.steps < self.steps {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// What is said about a file when it is read, put together and run for so many steps; `Err` if there is nothing to say.
fn said(source: &Source, overrides: &[(String, String)], steps: u64) -> Result<String, Status> {
    let parsed = match file::read(source, overrides) {
        Ok(parsed) => parsed,
        Err(wrong) => {
            assert!(!wrong.is_empty(), "a refusal without a reason");
            return Ok(listing(&wrong));
        }
    };
    let mut system = match System::assemble(&parsed.model) {
        Ok(system) => system,
        Err(misfits) => {
            assert!(!misfits.is_empty(), "a refusal without a reason");
            let placed: Vec<Diagnostic> = misfits
                .iter()
                .map(|m| {
                    let element = m.element.as_deref().unwrap_or("");
                    Diagnostic::at(&parsed.spots, source, element, &m.message, &m.hint)
                })
                .collect();
            return Ok(listing(&placed));
        }
    };
    let mut watch = Watch {
        steps,
        finite: true,
        left_out: !system.warnings().is_empty(),
    };
    let outcome = system.run(&mut watch);
    match outcome.status {
        Status::Failed => {
            let reason = outcome.reason.expect("a failure has a reason");
            assert!(!reason.is_empty());
            Ok(format!("the run failed: {reason}"))
        }
        status => {
            assert!(watch.finite, "a number that is none, and nothing said");
            Err(status)
        }
    }
}

#[test]
fn every_mistake_is_told_in_the_words_that_are_written_beside_it() {
    let folder = wrong();
    let paths = files(&folder, "toml");
    assert!(paths.len() >= 45, "{}", paths.len());
    let mut differ = Vec::new();
    for path in &paths {
        let name = format!("{}.toml", stem(path));
        let text = fs::read_to_string(path).expect("it is there");
        let found = match said(&source(&name, text, folder.clone()), &[], 1_000_000) {
            Ok(found) => found + "\n",
            Err(status) => {
                differ.push(format!("{name}: no mistake was found, {status:?}"));
                continue;
            }
        };
        // Every complaint has a line, in the model or in its table; only what goes wrong on the way has none.
        let run = found.starts_with("the run failed");
        let table = format!("--> tables/{}.csv:", stem(path));
        let placed = found.contains(&format!("--> {name}:")) || found.contains(&table);
        if !run && !placed {
            differ.push(format!("{name}: no line\n{found}"));
        }
        let snapshot = path.with_extension("txt");
        if std::env::var_os("CAROM_UPDATE").is_some() {
            fs::write(&snapshot, &found).expect("it can be written");
        }
        let known = fs::read_to_string(&snapshot).unwrap_or_default();
        if known != found {
            differ.push(format!("{name}: said\n{found}\nknown\n{known}"));
        }
    }
    assert!(
        differ.is_empty(),
        "{}\n\nCAROM_UPDATE=1 cargo test -p carom --test model_wrong, and read the difference",
        differ.join("\n\n")
    );
    // Nothing is left of files that are gone.
    for path in files(&folder, "txt") {
        assert!(path.with_extension("toml").exists(), "{}", path.display());
    }
}

#[test]
fn the_models_that_people_start_from_have_no_mistake() {
    for path in files(&models(), "toml") {
        let name = format!("{}.toml", stem(&path));
        let text = fs::read_to_string(&path).expect("it is there");
        if let Ok(said) = said(&source(&name, text, models()), &[], 20) {
            panic!("{said}");
        }
    }
}

/// Runs in a thread of its own, so that a case that does not end is named.
fn in_time<T: Send + 'static>(
    what: &str,
    seconds: u64,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (send, receive) = mpsc::channel();
    let worker = thread::spawn(move || {
        // The other side may have given up.
        let _ = send.send(work());
    });
    match receive.recv_timeout(Duration::from_secs(seconds)) {
        Ok(value) => value,
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what}: no end after {seconds} s"),
        Err(mpsc::RecvTimeoutError::Disconnected) => match worker.join() {
            Err(panic) => {
                let words = panic.downcast_ref::<String>().cloned();
                let words = words.or(panic.downcast_ref::<&str>().map(|s| (*s).to_string()));
                panic!("{what}: {}", words.unwrap_or_default())
            }
            Ok(()) => panic!("{what}: no answer"),
        },
    }
}

/// A small generator of numbers that look random (Steele, Lea and Flood 2014, SplitMix): every case has its own, so that one can be repeated alone.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

#[test]
fn garbage_of_ten_megabytes_is_refused_in_time() {
    const SIZE: usize = 10_000_000;
    let mut dice = Dice(1);
    let mut noise = String::new();
    while noise.len() < SIZE {
        noise.push(char::from_u32(dice.next() as u32 % 0x2_0000).unwrap_or('\n'));
    }
    let letters: String = (0..SIZE)
        .map(|_| char::from(b' ' + dice.below(95) as u8))
        .collect();
    let lines = "mass = \"2 kg\"\n".repeat(SIZE / 14);
    let bodies: String = (0..SIZE / 100)
        .map(|i| format!("[body.b{i}]\nmass = -{i}\n"))
        .collect();
    let wide = format!("format = 1\n[body]\na = [{}0]\n", "0, ".repeat(SIZE / 3));
    let long = format!(
        "format = 1\n[parameters]\na = \"{}1\"\n",
        "1+".repeat(SIZE / 2)
    );
    for (what, text) in [
        ("any characters", noise),
        ("any letters", letters),
        ("one key for ever", lines),
        ("too many bodies, all wrong", bodies),
        ("a list without end", wide),
        ("a sum without end", long),
        ("zeros", "\0".repeat(SIZE)),
        ("brackets", "[".repeat(SIZE)),
        ("quotes", "\"".repeat(SIZE)),
        ("lines", "\n".repeat(SIZE)),
        ("equal signs", "=".repeat(SIZE)),
    ] {
        let said = in_time(what, 60, move || {
            said(&source("garbage.toml", text, PathBuf::new()), &[], 5)
        });
        let said = said.expect("it is refused");
        assert!(said.len() < 100_000, "{what}: {} bytes", said.len());
    }
}

#[test]
fn deep_nesting_is_refused_and_breaks_nothing() {
    for depth in [20, 100, 1000, 100_000] {
        let n = depth;
        let value = |text: String| format!("format = 1\n[parameters]\na = {text}\n");
        let quoted = |text: String| value(format!("\"{text}\""));
        for (what, text) in [
            ("lists", value("[".repeat(n) + &"]".repeat(n))),
            ("open lists", value("[".repeat(n))),
            ("tables", value("{ a = ".repeat(n) + "1" + &" }".repeat(n))),
            ("keys", format!("format = 1\n{}a = 1\n", "a.".repeat(n))),
            (
                "headers",
                format!("format = 1\n[{}a]\nb = 1\n", "a.".repeat(n)),
            ),
            ("parentheses", quoted("(".repeat(n) + "1" + &")".repeat(n))),
            ("open parentheses", quoted("(".repeat(n))),
            ("signs", quoted("-".repeat(n) + "1")),
            ("powers", quoted("2^".repeat(n) + "1")),
            ("functions", quoted("sin(".repeat(n) + "1" + &")".repeat(n))),
            ("sums", quoted("1+".repeat(n) + "1")),
            ("units", quoted("1 ".to_string() + &"m ".repeat(n))),
            ("divisions", quoted("1 m".to_string() + &"/m".repeat(n))),
        ] {
            let what = format!("{depth} {what}");
            // Whether twenty are too many is the reader's to say; there is no body, so that something is said in any case.
            let said = in_time(&what, 20, move || {
                said(&source("deep.toml", text, PathBuf::new()), &[], 5)
            });
            assert!(said.is_ok(), "{what}");
        }
    }
}

/// Numbers and words to put where others were.
const EXTREMES: [&str; 30] = [
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e16",
    "99999999999999999999",
    "-0.0",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"0 m\"",
    "\"1e300 kg\"",
    "\"1/0\"",
    "\"t\"",
    "\"rod.x\"",
    "\"ground\"",
    "[1, 2, 3]",
    "[\"1 m\", \"ground\"]",
    "\"sqrt(-1)\"",
    "\"1e-300 s\"",
    "\"90 deg\"",
    "1979-05-27",
    "\"5000 rpm\"",
];

const CHARACTERS: [&str; 24] = [
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\n",
    " ",
    "-",
    "+",
    "*",
    "/",
    "^",
    "(",
    ")",
    "0",
    "e",
    "µ",
    "\u{0}",
    "\u{1F3B1}",
];

/// A text with one to four things changed.
fn mutated(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut text = text.to_string();
    for _ in 0..=dice.below(4) {
        let mut lines: Vec<String> = text.lines().map(Into::into).collect();
        let (i, j) = (dice.below(lines.len()), dice.below(lines.len()));
        if lines.is_empty() {
            return text;
        }
        // A place that is not inside a character.
        let cut = |dice: &mut Dice, line: &str| {
            let places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
            places.get(dice.below(places.len())).copied().unwrap_or(0)
        };
        match dice.below(12) {
            0 => drop(lines.remove(i)),
            1 => lines.insert(j, lines[i].clone()),
            2 => lines.swap(i, j),
            3 => {
                let at = cut(dice, &lines[i]);
                lines[i].insert_str(at, dice.one_of(&CHARACTERS));
            }
            4 => {
                let at = cut(dice, &lines[i]);
                if !lines[i].is_empty() {
                    lines[i].remove(at);
                }
            }
            5 => {
                let at = cut(dice, &lines[i]);
                lines[i].truncate(at);
            }
            6 => {
                let at = cut(dice, &lines[i]);
                lines.truncate(i + 1);
                lines[i].truncate(at);
            }
            // A value is replaced.
            7 | 8 => {
                if let Some((key, _)) = lines[i].split_once('=') {
                    lines[i] = format!("{key}= {}", dice.one_of(&EXTREMES));
                }
            }
            // A number inside a value is replaced.
            9 => {
                let digit = |c: char| c.is_ascii_digit();
                if let Some(from) = lines[i].find(digit) {
                    let behind = lines[i][from..].find(|c: char| !digit(c) && c != '.');
                    let to = behind.map_or(lines[i].len(), |b| from + b);
                    let number = dice.one_of(&["0", "1e308", "1e-308", "-1", "1e9", "1e-9", "nan"]);
                    lines[i].replace_range(from..to, number);
                }
            }
            // Two words change places.
            10 => {
                let word = |line: &str, dice: &mut Dice| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.get(dice.below(words.len())).map(|w| (*w).to_string())
                };
                if let (Some(a), Some(b)) = (word(&lines[i], dice), word(&lines[j], dice)) {
                    lines[i] = lines[i].replacen(&a, &b, 1);
                    lines[j] = lines[j].replacen(&b, &a, 1);
                }
            }
            // A line of another model comes in.
            _ => {
                let others: Vec<&str> = other.lines().collect();
                lines.insert(i, others[dice.below(others.len())].into());
            }
        }
        text = lines.join("\n");
        text.push('\n');
    }
    text
}

#[test]
fn no_change_of_a_model_brings_the_program_down() {
    // Read, put together and set going for five steps: a clean complaint, or finite numbers; never a panic, never without end.
    let full = std::env::var_os("CAROM_FULL").is_some();
    let cases: u64 = if full { 20_000 } else { 300 };
    let only: Option<u64> = std::env::var("CAROM_CASE")
        .ok()
        .and_then(|c| c.parse().ok());
    // Two in three are changes of sound models, the third of one that is wrong already: those have elements of every kind.
    let (sound, wrong_ones) = (files(&models(), "toml"), files(&wrong(), "toml"));
    let repeat = 2 * wrong_ones.len() / sound.len().max(1);
    let texts: Vec<(String, String)> = sound
        .iter()
        .cycle()
        .take(sound.len() * repeat)
        .chain(&wrong_ones)
        .map(|path| (stem(path), fs::read_to_string(path).expect("it is there")))
        .collect();
    let (mut refused, mut ran) = (0, 0);
    for case in 0..cases {
        if only.is_some_and(|only| only != case) {
            continue;
        }
        let mut dice = Dice(case.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (name, text) = &texts[dice.below(texts.len())];
        let (_, other) = &texts[dice.below(texts.len())];
        let text = mutated(text, other, &mut dice);
        if only.is_some() {
            println!("{text}");
        }
        let what = format!("case {case}, {name} (CAROM_CASE={case} shows it)");
        let end = in_time(&what, 30, move || {
            said(&source("model.toml", text, wrong()), &[], 5)
        });
        if only.is_some() {
            println!("{end:?}");
        }
        match end {
            Ok(_) => refused += 1,
            Err(_) => ran += 1,
        }
    }
    // Both must happen, or the changes are not worth much.
    if only.is_none() {
        assert!(refused > cases / 5 && ran > cases / 20, "{refused} {ran}");
    }
}

#[test]
fn what_is_set_beside_the_file_is_complained_of_by_its_own_words() {
    let text = fs::read_to_string(models().join("slider-crank.toml")).expect("it is there");
    let source = source("slider-crank.toml", text, models());
    let set = |path: &str, value: &str| said(&source, &[(path.into(), value.into())], 5);
    for (path, value, words) in [
        ("parameters.r", "50 kgs", "--set parameters.r=50 kgs"),
        ("parameters.rr", "50 mm", "parameters.rr"),
        ("driver.moter.speed", "50 rpm", "motor"),
        ("body.rod.mass", "-1", "--set body.rod.mass=-1"),
        ("solver.rtol", "", "--set solver.rtol="),
        ("", "1", "--set"),
        (
            "simulation.channels",
            "[\"crank.x\", 3]",
            "--set simulation.channels",
        ),
        ("simulation", "3", "--set simulation=3"),
    ] {
        let said = set(path, value).expect("it is refused");
        assert!(said.contains(words), "{path}={value}: {said}");
    }
    for (path, value) in [
        ("parameters.r", "60 mm"),
        ("driver.motor.speed", "600"),
        ("simulation.gravity", "[0, 0]"),
        ("constraints.control", "none"),
        ("solver.rtol", "1e-6"),
        ("body.rod.points.B", "[\"l/2\", 0]"),
    ] {
        if let Ok(said) = set(path, value) {
            panic!("{path}={value}: {said}");
        }
    }
}
