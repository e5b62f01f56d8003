//! What becomes of scenes that nobody thought of: random bodies, shapes, laws, frictions, joints and speeds?
//!
//! Every scene is a model file made from a seed (`scenes/generate`), read and run as anybody's would be, and judged by means of its own (`scenes/judge`, `scenes/overlap`): it ends, its numbers are finite, its
//! energy balances and never rises, nobody passes through anybody, and the same file gives the same bytes. What fails is made small (`scenes/shrink`) and kept in `scenes/kept`.
//!
//! `CAROM_FULL=1` runs ten thousand; `CAROM_SCENES=100..200` those seeds; with `CAROM_SHRINK=folder` what fails is made small and written there. `CAROM_METHOD=piecewise` runs them without compliance.

#[path = "scenes/generate.rs"]
mod generate;
#[path = "scenes/judge.rs"]
mod judge;
#[path = "scenes/laws.rs"]
mod laws;
#[path = "scenes/overlap.rs"]
mod overlap;
#[path = "scenes/random.rs"]
mod random;
#[path = "scenes/shrink.rs"]
mod shrink;
#[path = "scenes/solids.rs"]
mod solids;
#[path = "scenes/tree.rs"]
mod tree;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use carom::model::file::{Source, read};
use carom::system::System;
use judge::{Budget, Verdict, judge};

const BUDGET: Budget = Budget {
    steps: 20_000,
    seconds: 60,
};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes/kept")
}

/// Which seeds are run.
fn seeds() -> Range<u64> {
    if let Ok(text) = env::var("CAROM_SCENES")
        && let Some((from, to)) = text.split_once("..")
        && let (Ok(from), Ok(to)) = (from.parse(), to.parse())
    {
        return from..to;
    }
    if env::var("CAROM_FULL").is_ok() {
        0..10_000
    } else {
        0..100
    }
}

#[test]
fn random_scenes_end_balance_their_energy_and_let_nobody_through() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let all: Mutex<BTreeMap<u64, Verdict>> = Mutex::new(BTreeMap::new());
    let workers = thread::available_parallelism().map_or(1, |n| n.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let text = generate::scene(seed).to_string();
                    let mut verdict = judge(&text, BUDGET);
                    if verdict.fine() && seed.is_multiple_of(10) {
                        let again = judge(&text, BUDGET);
                        if again.fingerprint != verdict.fingerprint {
                            verdict.class = "not the same again".into();
                        }
                    }
                    if env::var("CAROM_LOUD").is_ok() || !verdict.fine() {
                        eprintln!(
                            "{seed}: {} | {} | {} steps, {} contacts, {:.2} s, residual {:e}",
                            verdict.class,
                            verdict.said,
                            verdict.steps,
                            verdict.contacts,
                            verdict.seconds,
                            verdict.residual
                        );
                    }
                    if let Ok(mut all) = all.lock() {
                        all.insert(seed, verdict);
                    }
                }
            });
        }
    });
    let all = all.into_inner().expect("nobody panicked with it");
    let mut classes: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (seed, verdict) in &all {
        classes.entry(&verdict.class).or_default().push(*seed);
    }
    let mut list: Vec<_> = classes.iter().collect();
    list.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    let contacts: usize = all.values().map(|v| v.contacts).sum();
    let seconds: f64 = all.values().map(|v| v.seconds).sum();
    eprintln!("{} scenes, {contacts} contacts, {seconds:.0} s", all.len());
    for (class, seeds) in &list {
        eprintln!(
            "{:6} {class} {:?}",
            seeds.len(),
            &seeds[..seeds.len().min(8)]
        );
    }
    if let Ok(folder) = env::var("CAROM_SHRINK") {
        for (class, seeds) in list.iter().filter(|(class, _)| **class != "fine") {
            let seed = seeds[0];
            let budget = Budget {
                steps: BUDGET.steps,
                seconds: 5,
            };
            let (small, verdict) = shrink::shrink(&generate::scene(seed), class, budget, 400);
            let text = format!(
                "# seed {seed}\n# {class}\n# {}\n{small}",
                verdict.said.replace('\n', "\n# ")
            );
            let _ = fs::write(Path::new(&folder).join(format!("{seed}.toml")), text);
        }
    }
    let slow = |v: &&Verdict| v.class.starts_with("too slow");
    let bad = all.values().filter(|v| !v.fine() && !slow(v)).count();
    assert_eq!(bad, 0, "of {} scenes", all.len());
    // Stiff contacts that lie and rattle take their time: few do.
    let slow = all.values().filter(slow).count();
    assert!(
        slow * 20 <= all.len() + 40,
        "{slow} of {} are too slow",
        all.len()
    );
}

#[test]
fn scenes_that_once_failed_run_to_their_end() {
    let mut seen = 0;
    let table = fs::read_to_string(kept().join("../kept.md")).expect("the table");
    for entry in fs::read_dir(kept()).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        seen += 1;
        let name = path.file_stem().map(|n| n.to_string_lossy());
        let name = name.expect("it has a name");
        assert!(
            table.contains(&format!("| `{name}` |")),
            "{name} is not in kept.md"
        );
        let text = fs::read_to_string(&path).expect("text");
        let verdict = judge(&text, BUDGET);
        assert!(
            verdict.fine(),
            "{}: {}: {}",
            path.display(),
            verdict.class,
            verdict.said
        );
    }
    assert!(seen >= 3, "{seen} scenes are kept");
}

#[test]
fn a_gap_that_jumps_while_it_is_pressed_is_warned_of_by_its_code_and_its_contact() {
    let path = kept().join("two-corners-become-one-place.toml");
    let source = Source::new("scene", fs::read_to_string(path).expect("text"));
    let parsed = read(&source, &[]).expect("a model");
    let mut system = System::assemble(&parsed.model).expect("a mechanism");
    let outcome = system.run(&mut ());
    let mut warnings = outcome.warnings.iter();
    let jumped = warnings.find(|warning| warning.code == "contact-jumped");
    let jumped = jumped.expect("it is told");
    assert_eq!(jumped.element.as_deref(), Some("contact.c15"));
    assert!(jumped.time.is_some_and(|t| (0.0..2.0).contains(&t)));
    assert!(!jumped.hint.is_empty());
}

/// A scene by its seed, or a file, looked at alone: `CAROM_ONE=18` or `CAROM_ONE=file.toml`.
#[test]
fn one_scene() {
    let Ok(one) = env::var("CAROM_ONE") else {
        return;
    };
    let text = match one.parse() {
        Ok(seed) => generate::scene(seed).to_string(),
        Err(_) => fs::read_to_string(&one).expect("a file"),
    };
    if env::var("CAROM_LOUD").is_ok() {
        eprintln!("{text}");
    }
    let verdict = judge(&text, BUDGET);
    eprintln!("{verdict:?}");
}
