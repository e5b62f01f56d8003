//! How fast are the equations of a mechanism evaluated, and a whole run done?
//!
//! The run stands beside SciPy and Exudyn on the same mechanism, timed in the same run of this program, and all of them beside the closed form.

use std::hint::black_box;

use carom::model::{Channel, Model, Motion};
use carom::system::{Observer, Outcome, Status};
use carom_bench::mechanisms::{Chain, DrivenSliderCrank};
use carom_bench::timing::{assembled, microseconds, peer, verdict};

fn main() {
    println!(
        "Right-hand sides: accelerations, multipliers and powers for one state; least of 300 rounds.\n"
    );
    println!(
        "{:<22} {:>7} {:>6} {:>8} {:>11} {:>12} {:>7}",
        "mechanism", "bodies", "rows", "states", "µs each", "allocations", "goal"
    );
    if let Err(why) = right_hand_sides() {
        println!("{why}");
    }
    if let Err(why) = runs() {
        println!("{why}");
    }
}

fn right_hand_sides() -> Result<(), String> {
    let known = DrivenSliderCrank::default();
    let model = known.model(2.0).map_err(|faults| format!("{faults:?}"))?;
    let states: Vec<(f64, Vec<f64>, Vec<f64>)> = (0..64)
        .map(|k| {
            let t = 1.87e-4 * f64::from(k);
            (t, known.positions(t).to_vec(), known.velocities(t).to_vec())
        })
        .collect();
    right_hand_side("slider-crank, driven", &model, &states, 0.5)?;
    for (links, goal) in [(100, 10.0), (1000, 150.0)] {
        let chain = Chain { links };
        let model = chain.model().map_err(|faults| format!("{faults:?}"))?;
        let states: Vec<_> = (0..8)
            .map(|k| {
                let (q, v) = chain.state(0.7 * f64::from(k));
                (0.0, q, v)
            })
            .collect();
        right_hand_side(&format!("chain of {links}"), &model, &states, goal)?;
    }
    Ok(())
}

fn right_hand_side(
    name: &str,
    model: &Model,
    states: &[(f64, Vec<f64>, Vec<f64>)],
    goal: f64,
) -> Result<(), String> {
    let mut system = assembled(model)?;
    let length = system.state().len();
    let states: Vec<(f64, Vec<f64>)> = states
        .iter()
        .map(|(t, q, v)| {
            let mut y = q.clone();
            y.extend(v);
            y.resize(length, 0.0);
            (*t, y)
        })
        .collect();
    let mut slope = vec![0.0; length];
    for (t, y) in &states {
        system.right_hand_side(*t, y, &mut slope);
        if slope.iter().any(|x| !x.is_finite()) {
            return Err(format!("{name}: a right-hand side is not finite"));
        }
    }
    let mut all = || {
        for (t, y) in &states {
            system.right_hand_side(*t, black_box(y), &mut slope);
            black_box(&slope);
        }
    };
    let allocations = allocation_counter::measure(&mut all).count_total;
    let took = microseconds(300, all) / states.len() as f64;
    let rows = system.multipliers().len();
    println!(
        "{name:<22} {:>7} {rows:>6} {:>8} {took:>11.3} {allocations:>12} {goal:>7}  {}",
        model.bodies.len(),
        states.len(),
        verdict(took <= goal && allocations == 0)
    );
    Ok(())
}

/// Keeps every sample, in room made before.
#[derive(Default)]
struct Record {
    times: Vec<f64>,
    values: Vec<f64>,
}

impl Observer for Record {
    fn sample(&mut self, t: f64, values: &[f64]) {
        self.times.push(t);
        self.values.extend_from_slice(values);
    }
}

/// How far the slider (m) and the motor's moment (N m) were off the closed form, at worst.
#[derive(Clone, Copy, Default)]
struct Errors {
    slider: f64,
    moment: f64,
}

impl Errors {
    fn add(&mut self, known: &DrivenSliderCrank, t: f64, slider: f64, moment: f64) {
        let worse = |worst: f64, off: f64| if off.is_nan() { off } else { worst.max(off) };
        self.slider = worse(self.slider, (slider - known.positions(t)[6]).abs());
        self.moment = worse(self.moment, (moment - known.moment(t)).abs());
    }
}

fn line(name: &str, milliseconds: f64, evaluations: &str, steps: &str, errors: Errors, note: &str) {
    println!(
        "{name:<44} {milliseconds:>9.3} {evaluations:>12} {steps:>7} {:>11.1e} {:>13.1e}  {note}",
        errors.slider, errors.moment
    );
}

fn runs() -> Result<(), String> {
    let known = DrivenSliderCrank::default();
    println!(
        "\nTwo turns of the slider-crank, its motor at 5000 turns a minute, rtol 1e-8; errors are the largest of all samples against the closed form (the moment reaches 138.6 N m).\n"
    );
    println!(
        "{:<44} {:>9} {:>12} {:>7} {:>11} {:>13}",
        "who", "ms", "evaluations", "steps", "slider, m", "moment, N m"
    );
    let usual = known.model(2.0).map_err(|faults| format!("{faults:?}"))?;
    let mut narrow = usual.clone();
    narrow.simulation.channels = vec![Channel::Body(2, Motion::X), Channel::Driver(0, 0)];
    let mut bare = narrow.clone();
    bare.simulation.output_step = Some(usual.simulation.end);
    let cases = [
        ("Carom, 501 samples of all channels", &usual, Some(1.0)),
        ("Carom, 501 samples of two channels", &narrow, None),
        ("Carom, the two ends only", &bare, None),
    ];
    for (name, model, goal) in cases {
        run(name, model, &known, goal)?;
    }
    peers(&known);
    println!(
        "\nNot measured by this program but elsewhere, on two cores: MuJoCo 6.7 ms, Simbody 13 ms, Exudyn 39 ms."
    );
    Ok(())
}

fn run(
    name: &str,
    model: &Model,
    known: &DrivenSliderCrank,
    goal: Option<f64>,
) -> Result<(), String> {
    let mut system = assembled(model)?;
    let place = |channel: Channel| {
        let found = system.channels().iter().position(|c| *c == channel);
        found.ok_or_else(|| format!("{name}: {} is missing", channel.name(model)))
    };
    let slider = place(Channel::Body(2, Motion::X))?;
    let moment = place(Channel::Driver(0, 0))?;
    let width = system.channels().len();
    let mut record = Record::default();
    let mut outcome: Option<Outcome> = None;
    let took = microseconds(400, || {
        record.times.clear();
        record.values.clear();
        outcome = Some(system.run(&mut record));
    });
    let outcome = outcome.filter(|outcome| outcome.status == Status::Completed);
    let Some(outcome) = outcome else {
        return Err(format!("{name}: the run did not end"));
    };
    let mut errors = Errors::default();
    for (t, values) in record.times.iter().zip(record.values.chunks_exact(width)) {
        errors.add(known, *t, values[slider], values[moment]);
    }
    let work = outcome.statistics;
    let note = goal.map_or_else(String::new, |goal| {
        format!("within {goal} ms: {}", verdict(took <= 1e3 * goal))
    });
    let evaluations = format!("{}+{}", work.rhs_evaluations, work.output_evaluations);
    let steps = work.steps_accepted.to_string();
    line(name, took / 1e3, &evaluations, &steps, errors, &note);
    Ok(())
}

/// Other programs on the same mechanism. Each script prints lines `# name | milliseconds | evaluations | steps`, and after each its samples: time, slider position, moment.
fn peers(known: &DrivenSliderCrank) {
    for (name, script) in [
        ("SciPy", "slider_crank.py"),
        ("Exudyn", "slider_crank_exudyn.py"),
    ] {
        let said = match peer(name, script) {
            Ok(said) => said,
            Err(why) => {
                println!("{why}");
                continue;
            }
        };
        for part in said {
            let [who, milliseconds, evaluations, steps] = &part.head[..] else {
                println!("{name}: its script says something else");
                break;
            };
            let mut errors = Errors::default();
            for sample in &part.rows {
                if let [t, slider, moment] = sample[..] {
                    errors.add(known, t, slider, moment);
                }
            }
            let milliseconds = milliseconds.parse().unwrap_or(f64::NAN);
            line(who, milliseconds, evaluations, steps, errors, "");
        }
    }
}
