//! How fast do thousands of discs fall, hit, rub and settle, and what do they lose on the way?
//!
//! Beside Carom stands LAMMPS on the same discs with the same law, in the same run of this program; where LAMMPS is not installed, that is said and Carom runs alone.

use std::time::Instant;

use carom::grains::{BroadPhase, Settings, World};
use carom_bench::grains::{Matter, Moving, Scene, state};
use carom_bench::lammps::{self, Plan, Style};
use carom_bench::timing::{processor, verdict};

/// How much longer than LAMMPS Carom may take on one core.
const GOAL: f64 = 1.5;

fn main() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("");
    if !load.is_empty() {
        println!("Processes that wanted to run during the last minute: {load}.\n");
    }
    let peer = present();
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let parts: [(&str, Part); 5] = [
        ("agreement", agreement),
        ("one-core", one_core),
        ("two-cores", two_cores),
        ("errors", errors),
        ("growth", growth),
    ];
    let named = |name: &str| asked.iter().any(|word| word == name);
    // Cargo adds `--bench` of its own; whoever names no part gets all.
    let all = !parts.iter().any(|(name, _)| named(name));
    for (name, part) in parts {
        if !(all || named(name)) {
            continue;
        }
        if let Err(why) = part(peer) {
            println!("{why}");
        }
        println!();
    }
}

/// A table; told whether LAMMPS is there.
type Part = fn(bool) -> Result<(), String>;

/// Whether LAMMPS is there; its version or what is missing is printed.
fn present() -> bool {
    let scene = Scene::falling(10, 3, Matter::soft());
    let plan = Plan {
        style: Style::Same,
        cores: 1,
        stretches: 1,
        stretch: 1,
        states: false,
    };
    match lammps::run(&scene, &scene.start, &plan) {
        Ok(ran) => println!("LAMMPS {}.\n", ran.version),
        Err(why) => {
            println!("{why}\n");
            return false;
        }
    }
    true
}

/// Who runs.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Carom { law: &'static str, threads: usize },
    Lammps { style: Style, cores: usize },
}

impl Who {
    fn name(self) -> String {
        match self {
            Who::Carom { law, .. } => format!("Carom, {law}"),
            Who::Lammps { style, .. } => match style {
                Style::Same => "LAMMPS, granular (tsuji)".into(),
                Style::Lean => "LAMMPS, gran/hertz/history".into(),
                Style::Elastic => "LAMMPS, granular (hertz)".into(),
            },
        }
    }
}

/// A run cut into stretches.
#[derive(Clone, Copy)]
struct Cut {
    stretches: usize,
    stretch: usize,
    states: bool,
}

/// What a run took and where it came.
#[derive(Default)]
struct Took {
    /// Seconds of every stretch: by the clock on the wall, and of the processor (not a number where there are several threads).
    wall: Vec<f64>,
    processor: Vec<f64>,
    /// Start and end of every stretch, if they were asked for.
    states: Vec<Vec<Moving>>,
    /// The state at the end, what the ledger lacks there (J), contacts a disc, lists made. Carom's only.
    end: Vec<Moving>,
    lacks: f64,
    warnings: Vec<String>,
    contacts: f64,
    lists: u64,
}

fn run(scene: &Scene, from: &[Moving], who: Who, cut: Cut) -> Result<Took, String> {
    match who {
        Who::Lammps { style, cores } => {
            let plan = Plan {
                style,
                cores,
                stretches: cut.stretches,
                stretch: cut.stretch,
                states: cut.states,
            };
            let ran = lammps::run(scene, from, &plan)?;
            Ok(Took {
                wall: ran.wall,
                processor: ran.processor,
                states: ran.states,
                ..Took::default()
            })
        }
        Who::Carom { law, threads } => {
            let settings = Settings {
                threads,
                ..Settings::default()
            };
            carom(scene.world(from, law, &settings)?, cut)
        }
    }
}

fn carom(mut world: World, cut: Cut) -> Result<Took, String> {
    let mut took = Took::default();
    let before = world.energies().balance();
    if cut.states {
        took.states.push(state(&world));
    }
    for _ in 0..cut.stretches {
        let (begin, spent) = (Instant::now(), processor());
        for _ in 0..cut.stretch {
            world.step(&[]).map_err(|trouble| format!("{trouble:?}"))?;
        }
        took.wall.push(begin.elapsed().as_secs_f64());
        let spent = processor().zip(spent).map(|(now, then)| now - then);
        let alone = spent.filter(|_| world.threads() == 1);
        took.processor.push(alone.unwrap_or(f64::NAN));
        if cut.states {
            took.states.push(state(&world));
        }
    }
    took.lacks = world.energies().balance() - before;
    took.warnings = world.warnings();
    took.end = state(&world);
    took.contacts = world.contacts() as f64 / world.len() as f64;
    took.lists = world.statistics().rebuilds;
    Ok(took)
}

/// Of several runs of the same the mean of every stretch. The processor's clock moves by the milliseconds in which the system deals it out: the least of it would be too little.
fn mean(runs: &[Took], of: impl Fn(&Took) -> &[f64]) -> Vec<f64> {
    let count = runs.iter().map(|run| of(run).len()).min().unwrap_or(0);
    (0..count)
        .map(|i| {
            let sum: f64 = runs.iter().filter_map(|run| of(run).get(i)).sum();
            sum / runs.len() as f64
        })
        .collect()
}

/// Of several runs of the same the least of every stretch: every stretch is the same work in all of them.
fn least(runs: &[Took], of: impl Fn(&Took) -> &[f64]) -> Vec<f64> {
    let count = runs.iter().map(|run| of(run).len()).min().unwrap_or(0);
    let less = |a: f64, b: f64| if b < a || b.is_nan() { b } else { a };
    (0..count)
        .map(|i| {
            let each = runs.iter().filter_map(|run| of(run).get(i).copied());
            each.fold(f64::INFINITY, less)
        })
        .collect()
}

/// Do both programs move the same discs the same way, before chance takes over?
fn agreement(peer: bool) -> Result<(), String> {
    if !peer {
        return Ok(());
    }
    let scene = Scene::falling(1000, 32, Matter::soft());
    let cut = Cut {
        stretches: 10,
        stretch: 2000,
        states: true,
    };
    let [ours, theirs] = [
        Who::Carom {
            law: "tsuji",
            threads: 1,
        },
        Who::Lammps {
            style: Style::Same,
            cores: 1,
        },
    ]
    .map(|who| run(&scene, &scene.start, who, cut));
    let (ours, theirs) = (ours?.states, theirs?.states);
    println!(
        "1000 discs of 4 to 6 mm radius fall from a lattice. How far the same disc is from itself in the other program: half of them closer than, and the farthest, mm:\n"
    );
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        let mut apart: Vec<f64> = a
            .iter()
            .zip(b)
            .map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]))
            .collect();
        apart.sort_by(f64::total_cmp);
        let half = apart.get(apart.len() / 2).copied().unwrap_or(f64::NAN);
        let most = apart.last().copied().unwrap_or(f64::NAN);
        println!(
            "after {:.2} s  {:>9.1e} {:>9.1e}   touches {:>4} and {:>4}, centre of mass at {:.2} and {:.2} mm, kinetic energy {:.2e} and {:.2e} J",
            (i * cut.stretch) as f64 * scene.step,
            1e3 * half,
            1e3 * most,
            scene.touches(a),
            scene.touches(b),
            1e3 * scene.centre(a),
            1e3 * scene.centre(b),
            scene.kinetic(a),
            scene.kinetic(b),
        );
    }
    Ok(())
}

/// The benchmark proper.
fn one_core(peer: bool) -> Result<(), String> {
    println!(
        "Discs settle in a box as wide as the lattice they fall from, 1000 for 0.4 s, 10 000 for 1 s, in steps of 20 µs: Hertz, damper, friction by a tangential spring. µs a disc and step; `settling`: all of it, `pile`: the last fifth. The least of several runs, stretch by stretch, by the clock on the wall; in brackets what the processor spent, the mean of all. At the end: `touches` a disc, `moving`: kinetic energy, and `ledger`: what Carom's energies lack, both in parts of what became heat.\n"
    );
    settling(
        peer,
        1,
        &[(1000, 32, 20_000, 5, 200), (10_000, 100, 50_000, 2, 50)],
    )
}

/// The same by two.
fn two_cores(peer: bool) -> Result<(), String> {
    println!(
        "The same on two cores, by the clock on the wall alone: only a machine with nothing else to do tells.\n"
    );
    settling(
        peer,
        2,
        &[(1000, 32, 20_000, 3, 200), (10_000, 100, 50_000, 2, 50)],
    )
}

/// Number of discs, how many of them one above the other, steps, rounds, steps of a stretch. A higher pile rebounds for longer.
type Size = (usize, usize, usize, usize, usize);

fn settling(peer: bool, cores: usize, sizes: &[Size]) -> Result<(), String> {
    println!(
        "{:>6} {:<28} {:>9} {:>8} {:>9} {:>8} {:>8} {:>6} {:>8} {:>8}",
        "discs", "who", "settling", "", "pile", "", "touches", "lists", "moving", "ledger"
    );
    for &(number, rows, steps, rounds, stretch) in sizes {
        let scene = Scene::falling(number, rows, Matter::soft());
        let cut = Cut {
            stretches: steps / stretch,
            stretch,
            states: false,
        };
        let ours = |law| Who::Carom {
            law,
            threads: cores,
        };
        let theirs = |style| Who::Lammps { style, cores };
        let mut all = vec![ours("tsuji"), ours("flores")];
        if peer {
            all.extend([theirs(Style::Same), theirs(Style::Lean)]);
        }
        let mut runs: Vec<Vec<Took>> = all.iter().map(|_| Vec::new()).collect();
        for _ in 0..rounds {
            for (who, runs) in all.iter().zip(&mut runs) {
                match run(&scene, &scene.start, *who, cut) {
                    Ok(took) => runs.push(took),
                    Err(why) => println!("{number:>6} {:<28} {why}", who.name()),
                }
            }
        }
        // All of it and its last fifth, µs a disc and step.
        let sum = |times: Vec<f64>| {
            let steps = (number * steps) as f64;
            let late = times.len() - times.len() / 5;
            let all: f64 = times.iter().sum();
            let pile: f64 = times.iter().skip(late).sum();
            [1e6 * all / steps, 5e6 * pile / steps]
        };
        let mut found = Vec::new();
        for (who, runs) in all.iter().zip(&runs) {
            let Some(last) = runs.last() else { continue };
            let wall = sum(least(runs, |run| &run.wall));
            let cpu = sum(mean(runs, |run| &run.processor));
            let spent = |x: f64| {
                if cores > 1 {
                    String::new()
                } else {
                    format!("({x:.4})")
                }
            };
            let own = if let Who::Carom { .. } = who {
                let heat = scene.energy(&scene.start) - scene.energy(&last.end);
                format!(
                    "{:>8.2} {:>6} {:>8.1e} {:>8.1e}",
                    last.contacts,
                    last.lists,
                    scene.kinetic(&last.end) / heat,
                    last.lacks / heat
                )
            } else {
                String::new()
            };
            println!(
                "{number:>6} {:<28} {:>9.4} {:>8} {:>9.4} {:>8} {own}",
                who.name(),
                wall[0],
                spent(cpu[0]),
                wall[1],
                spent(cpu[1]),
            );
            for warning in &last.warnings {
                println!("       {warning}");
            }
            found.push((*who, wall, cpu));
        }
        let of = |wanted: Who| found.iter().find(|(who, ..)| *who == wanted);
        for style in [Style::Same, Style::Lean] {
            let Some(((_, a, x), (who, b, y))) = of(ours("tsuji")).zip(of(theirs(style))) else {
                continue;
            };
            let name = who.name();
            print!(
                "       Carom (tsuji) over {name}: {:.2}, {:.2}",
                a[0] / b[0],
                a[1] / b[1]
            );
            if cores > 1 {
                println!();
            } else {
                let (all, pile) = (x[0] / y[0], x[1] / y[1]);
                let fine = verdict(all.max(pile) <= GOAL);
                println!("; of the processor's time {all:.2}, {pile:.2}; within {GOAL}: {fine}");
            }
        }
    }
    Ok(())
}

/// What is lost that must be kept.
fn errors(peer: bool) -> Result<(), String> {
    println!(
        "What must be kept. `energy`: 1000 elastic discs without friction bounce in the box for 0.4 s; the largest error at forty instants, in parts of the total. `momentum`: a cloud of 1000 discs with damper and friction flies together and apart for 0.4 s, no walls; the largest of three parts, in parts of what moves. All from positions and speeds alone.\n"
    );
    println!(
        "{:<28} {:>10} {:>10} {:>10}",
        "who", "step, s", "energy", "momentum"
    );
    for halved in [1, 2, 4] {
        let mut pile = Scene::falling(1000, 32, Matter::elastic());
        let mut cloud = Scene::cloud(1000, Matter::soft());
        for scene in [&mut pile, &mut cloud] {
            scene.step /= f64::from(halved);
        }
        let cut = Cut {
            stretches: 40,
            stretch: 500 * halved as usize,
            states: true,
        };
        for ours in [true, false] {
            if !(ours || peer) {
                continue;
            }
            let who = |law, style| {
                if ours {
                    Who::Carom { law, threads: 1 }
                } else {
                    Who::Lammps { style, cores: 1 }
                }
            };
            let bounced = run(&pile, &pile.start, who("hertz", Style::Elastic), cut)?;
            let total = pile.energy(&pile.start);
            let energy = bounced
                .states
                .iter()
                .map(|state| (pile.energy(state) / total - 1.0).abs())
                .fold(0.0, f64::max);
            let flown = run(&cloud, &cloud.start, who("tsuji", Style::Same), cut)?;
            let momentum = flown
                .states
                .iter()
                .map(|state| cloud.momentum_error(&cloud.start, state))
                .fold(0.0, f64::max);
            println!(
                "{:<28} {:>10.1e} {energy:>10.1e} {momentum:>10.1e}",
                if ours { "Carom" } else { "LAMMPS" },
                pile.step
            );
        }
    }
    Ok(())
}

/// From a thousand to a hundred thousand.
fn growth(peer: bool) -> Result<(), String> {
    const ROWS: usize = 32;
    println!(
        "How it grows, one core: discs {ROWS} high and ever more side by side fall for 0.16 s in 8000 steps (tsuji). µs a disc and step; `list`: the list of neighbours made anew, µs a disc, by cells and by sweeping; `bytes`: Carom's memory, a disc.\n"
    );
    println!(
        "{:>7} {:>9} {:>11} {:>9} {:>11} {:>7} {:>9} {:>9} {:>7}",
        "discs",
        "Carom",
        "(processor)",
        "LAMMPS",
        "(processor)",
        "ratio",
        "cells",
        "sweep",
        "bytes"
    );
    let (mut points, mut beside_points) = (Vec::new(), Vec::new());
    for number in [1000, 3162, 10_000, 31_623, 100_000] {
        let scene = Scene::falling(number, ROWS, Matter::soft());
        let cut = Cut {
            stretches: 80,
            stretch: 100,
            states: false,
        };
        let rounds = (20_000 / number).clamp(1, 5);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let who = Who::Carom {
                law: "tsuji",
                threads: 1,
            };
            ours.push(run(&scene, &scene.start, who, cut)?);
            if peer {
                let who = Who::Lammps {
                    style: Style::Same,
                    cores: 1,
                };
                theirs.push(run(&scene, &scene.start, who, cut)?);
            }
        }
        let took = |runs: &[Took]| {
            let sum = |times: Vec<f64>| 1e6 * times.iter().sum::<f64>() / (8000 * number) as f64;
            let wall = sum(least(runs, |run| &run.wall));
            [wall, sum(mean(runs, |run| &run.processor))]
        };
        let end = ours.last().map_or(&[][..], |run| &run.end);
        let (cells, bytes) = listing(&scene, end, BroadPhase::Cells)?;
        let (sweep, _) = listing(&scene, end, BroadPhase::Sweep)?;
        let [wall, cpu] = took(&ours);
        let beside = if peer {
            let [other, spent] = took(&theirs);
            beside_points.push(point(number, spent));
            format!(
                "{other:>9.4} {:>11} {:>7.2}",
                format!("({spent:.4})"),
                cpu / spent
            )
        } else {
            format!("{:>9} {:>11} {:>7}", "-", "-", "-")
        };
        println!(
            "{number:>7} {wall:>9.4} {:>11} {beside} {cells:>9.4} {sweep:>9.4} {bytes:>7.0}",
            format!("({cpu:.4})")
        );
        points.push(point(number, cpu));
    }
    let grows = slope(&points);
    println!(
        "\nThe processor's time of Carom grows as the number of discs to the power {grows:.3}; at most 1.1: {}",
        verdict(grows <= 1.1)
    );
    if peer {
        println!("That of LAMMPS: {:.3}", slope(&beside_points));
    }
    Ok(())
}

/// Logarithms of the number and of the time of a step.
fn point(number: usize, each: f64) -> [f64; 2] {
    let n = number as f64;
    [n.ln(), (each * n).ln()]
}

/// Of the straight line nearest to all points.
fn slope(points: &[[f64; 2]]) -> f64 {
    let n = points.len() as f64;
    let mean = |i: usize| points.iter().map(|p| p[i]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(1));
    let top: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    top / points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum::<f64>()
}

/// What one list of neighbours takes, µs a disc, and the memory of the whole, bytes a disc: the pile flies sideways as one, without walls, so fast that a thin skin is used up by every step.
fn listing(scene: &Scene, pile: &[Moving], broad_phase: BroadPhase) -> Result<(f64, f64), String> {
    let flying: Vec<Moving> = pile
        .iter()
        .map(|at| [at[0], at[1], 2.0, 0.0, 0.0])
        .collect();
    let mut free = scene.clone();
    free.boxed = false;
    let mut took = [0.0; 2];
    let mut lists = [0; 2];
    let mut bytes = 0.0;
    let steps = (400_000 / pile.len()).clamp(10, 200);
    for (i, skin) in [0.01, 0.25].into_iter().enumerate() {
        let settings = Settings {
            skin,
            broad_phase,
            ..Settings::default()
        };
        let mut mean = 0.0;
        for _ in 0..3 {
            let mut world = free.world(&flying, "tsuji", &settings)?;
            let begin = (processor(), world.statistics().rebuilds);
            for _ in 0..steps {
                world.step(&[]).map_err(|trouble| format!("{trouble:?}"))?;
            }
            let spent = processor().zip(begin.0).map(|(now, then)| now - then);
            mean += spent.unwrap_or(f64::NAN) / 3.0;
            lists[i] = world.statistics().rebuilds - begin.1;
            bytes = world.statistics().bytes as f64 / world.len() as f64;
        }
        took[i] = mean;
    }
    let more = lists[0].saturating_sub(lists[1]).max(1) as f64;
    Ok((1e6 * (took[0] - took[1]) / more / pile.len() as f64, bytes))
}
