//! What does time stepping cost: how long for one contact in one sweep, on a pyramid that stands and in a hopper that runs?
//!
//! A sweep goes once over all contacts of a step; what is counted is every contact of every sweep. The time is what the processor spent on the whole run, with everything around the sweeps: geometry, neighbours, joints, energies.

use std::path::Path;
use std::time::Instant;

use carom::model::Model;
use carom::model::file::{Source, read};
use carom::system::{Outcome, Status, System};
use carom_bench::timing::processor;

fn main() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(load) = load.split(' ').next().filter(|load| !load.is_empty()) {
        println!("Processes that wanted to run during the last minute: {load}.\n");
    }
    println!(
        "| model | steps | sweeps a step | contacts a sweep | ms a step | ns a contact and sweep |"
    );
    println!("|---|---|---|---|---|---|");
    let cases: [(&str, &[(&str, &str)]); 4] = [
        ("pyramid", &[("simulation.end", "5 s")]),
        (
            "pyramid",
            &[("parameters.drop", "5 mm"), ("simulation.end", "1 s")],
        ),
        ("hopper", &[("simulation.end", "0.6 s")]),
        (
            "box-stack",
            &[
                ("method.contact", "time-stepping"),
                ("method.step", "1 ms"),
                ("simulation.end", "2 s"),
            ],
        ),
    ];
    for (name, overrides) in cases {
        match measured(name, overrides) {
            Ok(line) => println!("{line}"),
            Err(why) => println!("{name}: {why}"),
        }
    }
}

/// A line of the table: the fastest of three runs.
fn measured(name: &str, overrides: &[(&str, &str)]) -> Result<String, String> {
    let model = model(name, overrides)?;
    let mut best: Option<(f64, Outcome)> = None;
    for _ in 0..3 {
        let mut system = System::assemble(&model).map_err(|troubles| format!("{}", troubles[0]))?;
        let (clock, before) = (Instant::now(), processor());
        let outcome = system.run(&mut ());
        let spent = before.and_then(|before| Some(processor()? - before));
        let seconds = spent.unwrap_or_else(|| clock.elapsed().as_secs_f64());
        if outcome.status != Status::Completed {
            return Err(outcome.reason.unwrap_or_default());
        }
        if best.as_ref().is_none_or(|(least, _)| seconds < *least) {
            best = Some((seconds, outcome));
        }
    }
    let (seconds, outcome) = best.ok_or("nothing ran")?;
    let sweeps = outcome.work.iter().find(|part| part.name == "sweeps");
    let sweeps = sweeps.ok_or("it was not stepped through")?;
    let steps = outcome.statistics.steps_accepted as f64;
    let what: Vec<String> = overrides
        .iter()
        .filter(|(path, _)| path.starts_with("parameters"))
        .map(|(path, value)| format!(", {} {value}", path.trim_start_matches("parameters.")))
        .collect();
    Ok(format!(
        "| {name}{} | {steps} | {:.1} | {:.0} | {:.3} | {:.0} |",
        what.concat(),
        sweeps.steps as f64 / steps,
        sweeps.evaluations as f64 / sweeps.steps.max(1) as f64,
        1e3 * seconds / steps,
        1e9 * seconds / sweeps.evaluations.max(1) as f64
    ))
}

fn model(name: &str, overrides: &[(&str, &str)]) -> Result<Model, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let name = format!("{name}.toml");
    let text = std::fs::read_to_string(folder.join(&name)).map_err(|why| why.to_string())?;
    let source = Source { name, text, folder };
    let overrides: Vec<(String, String)> = overrides
        .iter()
        .map(|(path, value)| ((*path).into(), (*value).into()))
        .collect();
    match read(&source, &overrides) {
        Ok(parsed) => Ok(parsed.model),
        Err(faults) => Err(faults.first().map(ToString::to_string).unwrap_or_default()),
    }
}
