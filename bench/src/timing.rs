//! How is time taken, and how do other programs get their say?

use std::process::Command;
use std::time::Instant;

use carom::model::Model;
use carom::system::System;

/// Microseconds a call, the least of many rounds that take some milliseconds each: on a machine with other work to do, the least is what the work costs.
pub fn microseconds(rounds: usize, mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    let once = start.elapsed().as_secs_f64().max(1e-8);
    let calls = ((2e-3 / once) as usize).clamp(1, 100_000);
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..calls {
            f();
        }
        least = least.min(start.elapsed().as_secs_f64() / calls as f64);
    }
    least * 1e6
}

/// Seconds that the processor has spent on this thread, where the system says so (Linux): of many runs the mean tells what each would take if there were nothing else to do.
pub fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

/// Whether what was promised is so.
pub fn verdict(fine: bool) -> &'static str {
    if fine { "holds" } else { "DOES NOT HOLD" }
}

/// The system of a model, or why there is none.
pub fn assembled(model: &Model) -> Result<System, String> {
    System::assemble(model).map_err(|troubles| format!("{}: {troubles:?}", model.title))
}

/// One run of another program: what it says of it, and the numbers that follow.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The parts of its line `# name | milliseconds | …`.
    pub head: Vec<String>,
    /// The lines below it.
    pub rows: Vec<Vec<f64>>,
}

/// Runs a script of `peers` in `python3`, or in what the variable `PYTHON` names; where it does not run, why.
pub fn peer(name: &str, script: &str) -> Result<Vec<Said>, String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let path = format!("{}/peers/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python)
        .arg(path)
        .output()
        .map_err(|error| format!("{name}: {python} does not start ({error})"))?;
    if !output.status.success() {
        let missing = String::from_utf8_lossy(&output.stderr).contains("ModuleNotFoundError");
        let why = if missing {
            "not installed"
        } else {
            "its script failed"
        };
        return Err(format!("{name}: {why}"));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let said = text.split("# ").skip(1).map(|part| {
        let mut lines = part.lines();
        let head = lines.next().unwrap_or("").split('|');
        let numbers = |line: &str| line.split(' ').filter_map(|x| x.parse().ok()).collect();
        Said {
            head: head.map(|word| word.trim().to_owned()).collect(),
            rows: lines.map(numbers).collect(),
        }
    });
    Ok(said.collect())
}
