//! How fast are mechanisms whose parts hit each other, and are their impacts the right ones?
//!
//! The journal in its bearing stands beside SciPy and Exudyn on the same mechanism, the ball beside a bare solver, Exudyn and numba; all are timed in the same run of this program.

#[path = "../solvers/mod.rs"]
mod solvers;

use std::hint::black_box;

use carom::geometry::{Frame, Pair, Shape, Track};
use carom::model::Model;
use carom::solve::Integrator;
use carom::system::{Observer, Outcome, Status, System};
use carom_bench::contacts::{Clearance, ball};
use carom_bench::impact::Ball;
use carom_bench::timing::{Said, assembled, microseconds, peer, processor, verdict};
use solvers::contenders::{Contender, Runner};

/// How many impacts of the journal must be right, and how right: relative, in time and in speed of approach.
const IMPACTS: usize = 20;
const RIGHT: f64 = 1e-4;

fn main() {
    for part in [journal, bounces, pieces] {
        if let Err(why) = part() {
            println!("{why}");
        }
        println!();
    }
}

/// Takes every sample and lets it go.
#[derive(Default)]
struct Last(Vec<f64>);

impl Observer for Last {
    fn sample(&mut self, _t: f64, values: &[f64]) {
        self.0.clear();
        self.0.extend_from_slice(values);
    }
}

/// Milliseconds: the least by the clock on the wall, and the processor's.
type Took = [f64; 2];

/// The same call over and over; the processor's time is the mean of all.
fn repeated(rounds: usize, mut f: impl FnMut()) -> Took {
    let (mut calls, before) = (0, processor());
    let least = microseconds(rounds, || {
        calls += 1;
        f();
    });
    let spent = processor().zip(before).map(|(now, before)| now - before);
    let mean = spent.map_or(f64::NAN, |spent| 1e3 * spent / f64::from(calls));
    [1e-3 * least, mean]
}

/// A completed run and what it took.
fn timed(name: &str, model: &Model, rounds: usize) -> Result<(Outcome, Took), String> {
    let mut system = assembled(model)?;
    let mut last = Last::default();
    let mut outcome = None;
    let took = repeated(rounds, || outcome = Some(system.run(&mut last)));
    match outcome {
        Some(outcome) if outcome.status == Status::Completed => Ok((outcome, took)),
        Some(outcome) => Err(format!("{name}: {:?}", outcome.reason)),
        None => Err(format!("{name}: the run did not end")),
    }
}

fn completed(model: &Model) -> Result<(System, Outcome), String> {
    let mut system = assembled(model)?;
    let outcome = system.run(&mut ());
    if outcome.status == Status::Completed {
        Ok((system, outcome))
    } else {
        Err(format!("{}: {:?}", model.title, outcome.reason))
    }
}

/// The same model with nothing written but its two ends.
fn ends_only(model: &Model) -> Model {
    let mut bare = model.clone();
    bare.simulation.output_step = Some(bare.simulation.end);
    bare
}

/// When and how fast (s, m/s).
type Hits = Vec<[f64; 2]>;

fn hits(outcome: &Outcome) -> Hits {
    let of = |episode: &carom::mechanics::Episode| [episode.start, episode.approach];
    outcome.contacts.iter().map(|c| of(&c.episode)).collect()
}

/// How many impacts are right from the first on, and the worst of time and of speed of approach among the first twenty (not a number if there are fewer).
fn compared(found: &Hits, known: &Hits) -> (usize, [f64; 2]) {
    let off = |a: f64, b: f64| (a / b - 1.0).abs();
    let each = || found.iter().zip(known);
    let errors = || each().map(|(a, b)| [off(a[0], b[0]), off(a[1], b[1])]);
    let right = errors().take_while(|e| e[0] <= RIGHT && e[1] <= RIGHT);
    let mut worst = [0.0, 0.0];
    for error in errors().take(IMPACTS) {
        for (worst, error) in worst.iter_mut().zip(error) {
            *worst = if error > *worst || error.is_nan() {
                error
            } else {
                *worst
            };
        }
    }
    if errors().count() < IMPACTS {
        worst = [f64::NAN; 2];
    }
    (right.count(), worst)
}

fn journal() -> Result<(), String> {
    let known = Clearance::default();
    let mut model = known.model(2.0)?;
    model.solver.rtol = 1e-8;
    let followed = |rtol: f64| {
        let mut close = ends_only(&model);
        close.solver.rtol = rtol;
        completed(&close).map(|(_, outcome)| hits(&outcome))
    };
    let (exact, closer) = (followed(1e-12)?, followed(1e-13)?);
    println!(
        "Two turns of the slider-crank with 0.5 mm of play, 5000 turns a minute, Lankarani and Nikravesh's law, rtol 1e-8. `right`: impacts from the first on whose time and speed of approach are within {RIGHT:e} of Carom's at rtol 1e-12, which itself agrees with rtol 1e-13 for the first {} of {}; errors are the worst of the first {IMPACTS}.\n",
        compared(&exact, &closer).0,
        exact.len(),
    );
    println!(
        "{:<52} {:>9} {:>10} {:>12} {:>7} {:>8} {:>6} {:>9} {:>9} {:>12}",
        "who",
        "ms",
        "processor",
        "evaluations",
        "steps",
        "impacts",
        "right",
        "time",
        "speed",
        "residual, J"
    );
    let row = |who: &str, took: Took, work: [&str; 2], found: &Hits, residual: f64, goal: bool| {
        let (right, worst) = compared(found, &exact);
        let [evaluations, steps] = work;
        let residual = if residual.is_nan() {
            "-".to_owned()
        } else {
            format!("{residual:.1e}")
        };
        let note = if goal {
            let fine = took[0] <= 5.0 && right >= IMPACTS;
            format!("within 5 ms, {IMPACTS} right: {}", verdict(fine))
        } else {
            String::new()
        };
        println!(
            "{who:<52} {:>9.3} {:>10.3} {evaluations:>12} {steps:>7} {:>8} {right:>6} {:>9.1e} {:>9.1e} {residual:>12}  {note}",
            took[0],
            took[1],
            found.len(),
            worst[0],
            worst[1],
        );
    };
    for (name, model) in [
        ("Carom, 501 samples of all channels", model.clone()),
        ("Carom, the two ends only", ends_only(&model)),
    ] {
        let (outcome, took) = timed(name, &model, 100)?;
        let work = outcome.statistics;
        let evaluations = format!("{}+{}", work.rhs_evaluations, work.output_evaluations);
        let steps = work.steps_accepted.to_string();
        let residual = outcome.ledger.residual;
        row(
            name,
            took,
            [&evaluations, &steps],
            &hits(&outcome),
            residual,
            true,
        );
    }
    // They print lines `# name | milliseconds | of the processor | evaluations | steps | residual`, and after each its impacts: time, speed.
    for (name, script) in [("SciPy", "clearance.py"), ("Exudyn", "clearance_exudyn.py")] {
        match peer(name, script) {
            Err(why) => println!("{why}"),
            Ok(said) => {
                for Said { head, rows } in said {
                    let [who, ms, cpu, evaluations, steps, residual] = &head[..] else {
                        println!("{name}: its script says something else");
                        break;
                    };
                    let found = rows
                        .iter()
                        .filter_map(|row| <[f64; 2]>::try_from(&row[..]).ok());
                    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
                    let work = [&evaluations[..], &steps[..]];
                    row(
                        who,
                        [number(ms), number(cpu)],
                        work,
                        &found.collect(),
                        number(residual),
                        false,
                    );
                }
            }
        }
    }
    Ok(())
}

fn bounces() -> Result<(), String> {
    println!(
        "Ten seconds of the bouncing ball, {} touches, Hunt and Crossley's law, rtol 1e-8.\n",
        Ball::TOUCHES
    );
    println!(
        "{:<52} {:>9} {:>10} {:>12} {:>7} {:>8} {:>11} {:>12}",
        "who", "ms", "processor", "evaluations", "steps", "touches", "40th touch", "rest height"
    );
    let rest = Ball::default().resting_height();
    let row = |who: &str, took: Took, work: [&str; 2], touches: &[f64], height: f64, note: &str| {
        let fortieth = touches
            .get(39)
            .map_or(f64::NAN, |t| (t / Ball::FORTIETH - 1.0).abs());
        let [evaluations, steps] = work;
        println!(
            "{who:<52} {:>9.3} {:>10.3} {evaluations:>12} {steps:>7} {:>8} {fortieth:>11.1e} {:>12.1e}  {note}",
            took[0],
            took[1],
            touches.len(),
            (height / rest - 1.0).abs()
        );
    };
    let model = ball()?;
    for (name, model) in [
        ("Carom, a model, 501 samples of all channels", model.clone()),
        ("Carom, a model, the two ends only", ends_only(&model)),
    ] {
        let (outcome, took) = timed(name, &model, 300)?;
        let work = outcome.statistics;
        let evaluations = format!("{}+{}", work.rhs_evaluations, work.output_evaluations);
        let steps = work.steps_accepted.to_string();
        let touches: Vec<f64> = outcome.contacts.iter().map(|c| c.episode.start).collect();
        let height = outcome.positions.get(1).copied().unwrap_or(f64::NAN) - 0.1;
        let fine = took[0] <= 0.5 && touches.len() == Ball::TOUCHES;
        let note = format!("within 0.5 ms: {}", verdict(fine));
        row(name, took, [&evaluations, &steps], &touches, height, &note);
    }
    let mut runner = Runner::<Ball>::new(Contender::Carom(Integrator::Dop853))?;
    let mut outcome = Err(String::new());
    let took = repeated(300, || outcome = black_box(runner.run()));
    let outcome = outcome?;
    let work = [outcome.evaluations.to_string(), outcome.steps.to_string()];
    row(
        "Carom, two equations and a bare solver (dop853)",
        took,
        [&work[0], &work[1]],
        &runner.problem.touches,
        runner.y[0],
        "",
    );
    // They print lines `# name | milliseconds | of the processor | evaluations | steps | height at the end`, and after each the times of its touches.
    for (name, script) in [("Exudyn", "ball_exudyn.py"), ("numba", "ball_numba.py")] {
        match peer(name, script) {
            Err(why) => println!("{why}"),
            Ok(said) => {
                for Said { head, rows } in said {
                    let [who, ms, cpu, evaluations, steps, height] = &head[..] else {
                        println!("{name}: its script says something else");
                        break;
                    };
                    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
                    let touches: Vec<f64> = rows.into_iter().flatten().collect();
                    let work = [&evaluations[..], &steps[..]];
                    row(
                        who,
                        [number(ms), number(cpu)],
                        work,
                        &touches,
                        number(height),
                        "",
                    );
                }
            }
        }
    }
    Ok(())
}

/// Nearest points, right-hand sides and allocations.
fn pieces() -> Result<(), String> {
    println!("Nearest points of two shapes, their bodies in 64 positions; least of 300 rounds.\n");
    println!("{:<40} {:>9} {:>12}", "pair", "ns each", "allocations");
    let made = |shape: Result<Shape, carom::geometry::Fault>| shape.map_err(|f| f.to_string());
    let circle = made(Shape::circle([0.02, 0.01], 0.1))?;
    let small = made(Shape::circle([0.0, 0.0], 0.05))?;
    let bore = made(Shape::bore([0.0, 0.0], 0.15))?;
    let plane = made(Shape::half_plane([0.0, -0.1], [0.0, 1.0]))?;
    let capsule = made(Shape::segment([[-0.2, 0.0], [0.2, 0.0]], 0.02))?;
    let ellipse = made(Shape::ellipse([0.0, 0.0], [0.2, 0.1], 0.3, 2.0))?;
    for (first, second) in [
        (&circle, &small),
        (&circle, &bore),
        (&plane, &circle),
        (&capsule, &circle),
        (&capsule, &plane),
        (&plane, &ellipse),
        (&ellipse, &circle),
    ] {
        nearest(first, second)?;
    }
    println!("\nRight-hand sides of the slider-crank with play, 64 states; least of 300 rounds.\n");
    println!("{:<40} {:>9} {:>12}", "where", "µs each", "allocations");
    let mut model = ends_only(&Clearance::default().model(2.0)?);
    model.solver.rtol = 1e-8;
    let (_, outcome) = completed(&model)?;
    let Some(one) = outcome.contacts.first() else {
        return Err("the journal touches nothing".into());
    };
    let (touch, deepest, parting) = (one.episode.start, one.course.deepest[1], one.episode.end);
    let until = |t: f64| {
        let mut part = model.clone();
        part.simulation.end = t;
        ends_only(&part)
    };
    for (name, t, pressed) in [
        ("in flight", 0.5 * touch, false),
        ("in contact, where it is deepest", deepest, true),
    ] {
        right_hand_side(name, &until(t), pressed)?;
    }
    println!(
        "\nAllocations of the steps between an early and a late end in the same stretch, no samples between; rtol 1e-11, steps of a hundredth of the first flight at most.\n"
    );
    println!(
        "{:<40} {:>9} {:>12} {:>12}",
        "where", "steps", "allocations", "a step"
    );
    for (name, ends) in [
        ("in flight", [0.2 * touch, 0.99 * touch]),
        (
            "in contact",
            [
                touch + 0.1 * (parting - touch),
                touch + 0.9 * (parting - touch),
            ],
        ),
    ] {
        let mut counted = [(0, 0); 2];
        for (counted, end) in counted.iter_mut().zip(ends) {
            let mut model = until(end);
            model.solver.rtol = 1e-11;
            model.solver.max_step = 0.01 * touch;
            let mut system = assembled(&model)?;
            let mut outcome = system.run(&mut ());
            let found = allocation_counter::measure(|| outcome = system.run(&mut ()));
            *counted = (outcome.statistics.steps_accepted, found.count_total);
        }
        let [early, late] = counted;
        let (steps, more) = (late.0 - early.0, late.1 as i64 - early.1 as i64);
        println!(
            "{name:<40} {steps:>9} {more:>12} {:>12.2}  none: {}",
            more as f64 / steps as f64,
            verdict(more == 0 && steps > 0)
        );
    }
    let mut system = assembled(&model)?;
    let mut outcome = system.run(&mut ());
    let found = allocation_counter::measure(|| outcome = system.run(&mut ()));
    let (steps, all) = (outcome.statistics.steps_accepted, found.count_total);
    println!(
        "{:<40} {steps:>9} {all:>12} {:>12.2}",
        "two turns, events, start and end too",
        all as f64 / steps as f64
    );
    Ok(())
}

fn nearest(first: &Shape, second: &Shape) -> Result<(), String> {
    let name = format!("{} and {}", first.kind(), second.kind());
    let pair = Pair::new(first.clone(), second.clone()).map_err(|fault| fault.to_string())?;
    let mut places = Vec::new();
    for k in 0..64 {
        let s = 0.1 * f64::from(k);
        let frames = [
            Frame::new([0.0, 0.0], 0.01 * s),
            Frame::new([0.01 * s.cos(), 0.01 * s.sin()], s),
        ];
        let mut tracks = vec![Track::default(); pair.slots()];
        pair.seek([&frames[0], &frames[1]], &mut tracks);
        let on = tracks.iter().position(|track| track.on);
        let slot = on.ok_or_else(|| format!("{name}: no nearest point"))?;
        places.push((frames, slot, tracks[slot]));
    }
    let all = || {
        for (frames, slot, track) in &places {
            let [one, two] = black_box(frames);
            black_box(pair.near(*slot, [one, two], track));
        }
    };
    let allocations = allocation_counter::measure(all).count_total;
    let took = 1e3 * microseconds(300, all) / places.len() as f64;
    println!(
        "{name:<40} {took:>9.1} {allocations:>12}  no allocation: {}",
        verdict(allocations == 0)
    );
    Ok(())
}

/// A run to a time leaves its contacts as they are there: states about that one are evaluated.
fn right_hand_side(name: &str, model: &Model, pressed: bool) -> Result<(), String> {
    let (mut system, outcome) = completed(model)?;
    let length = system.state().len();
    let mut start = outcome.positions.clone();
    start.extend(&outcome.velocities);
    start.resize(length, 0.0);
    // The slider is moved a little along its guide, which no joint minds.
    let states: Vec<Vec<f64>> = (0..64)
        .map(|k| {
            let mut y = start.clone();
            y[6] += 1e-9 * f64::from(k);
            y
        })
        .collect();
    let mut slope = vec![0.0; length];
    for y in &states {
        system.right_hand_side(outcome.t, y, &mut slope);
        let push = system.forces()[6].abs();
        if !(push.is_finite() && (push > 1e3) == pressed) {
            return Err(format!("{name}: the slider is pushed by {push} N"));
        }
    }
    let mut all = || {
        for y in &states {
            system.right_hand_side(outcome.t, black_box(y), &mut slope);
            black_box(&slope);
        }
    };
    let allocations = allocation_counter::measure(&mut all).count_total;
    let took = microseconds(300, all) / states.len() as f64;
    println!(
        "{name:<40} {took:>9.3} {allocations:>12}  no allocation: {}",
        verdict(allocations == 0)
    );
    Ok(())
}
