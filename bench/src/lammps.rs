//! What does LAMMPS make of the same discs, and how long does it take?
//!
//! The script is `peers/grains.lammps`; the program is `lmp`, or what the variable `LAMMPS` names, on two cores under `mpirun`. Where it is missing, that is what is said.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::grains::{GRAVITY, Matter, Moving, Scene};

/// Which of its pair styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `granular`: Hertz with the damper of Tsuji et al. and a linear tangential spring, number by number the law that Carom is given.
    Same,
    /// `gran/hertz/history`: older and leaner; damper and tangential spring both grow as √δ.
    Lean,
    /// `granular` with Hertz's force alone.
    Elastic,
}

/// Beyond the radii, how far the list of neighbours reaches, m.
const SKIN: f64 = 1e-3;

/// A run in stretches of as many steps each.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Which forces.
    pub style: Style,
    /// One or more.
    pub cores: usize,
    /// How many stretches.
    pub stretches: usize,
    /// Steps of each.
    pub stretch: usize,
    /// Whether the state at the end of every stretch is wanted.
    pub states: bool,
}

/// What a run said.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    /// Its version.
    pub version: String,
    /// Seconds by the clock on the wall, of every stretch.
    pub wall: Vec<f64>,
    /// Seconds of one core's work, of every stretch; while one core waits for another it counts as working.
    pub processor: Vec<f64>,
    /// Start and end of every stretch, if they were asked for.
    pub states: Vec<Vec<Moving>>,
}

/// Style, law of the pairs and law of the walls in LAMMPS' words.
fn words(style: Style, matter: &Matter) -> [String; 3] {
    let (kn, kt, mu) = (matter.hertz(), matter.tangential, matter.friction);
    match style {
        Style::Same => {
            // The last three: stiffness, tangential damper as a multiple of the normal one, friction.
            let law = format!(
                "hertz {kn:e} {} damping tsuji tangential linear_history {kt:e} 1.0 {mu}",
                Matter::ASKED
            );
            ["granular".into(), law.clone(), format!("granular {law}")]
        }
        Style::Lean => {
            // Dampers of both directions as strong as those of `Same` where a disc carries ten others.
            let gamma = 2e6;
            let law = format!("{kn:e} {kn:e} {gamma:e} {gamma:e} {mu} 1");
            [
                format!("gran/hertz/history {law}"),
                String::new(),
                format!("hertz/history {law}"),
            ]
        }
        Style::Elastic => {
            let law = format!("hertz {kn:e} 0 damping velocity tangential linear_nohistory 0 0");
            ["granular".into(), law.clone(), format!("granular {law}")]
        }
    }
}

/// Positions, speeds and densities as `read_data` wants them. LAMMPS takes discs for spheres when it makes masses of densities.
fn data(scene: &Scene, state: &[Moving]) -> String {
    let [w, h] = scene.size;
    // High enough for what bounces.
    let (low, wide, high) = if scene.boxed {
        (0.0, w, 4.0 * h)
    } else {
        (-0.1 * w, 1.1 * w, 1.1 * h)
    };
    let mut text = format!(
        "discs\n\n{} atoms\n1 atom types\n\n{low} {wide} xlo xhi\n{low} {high} ylo yhi\n-0.01 0.01 zlo zhi\n\nAtoms # sphere\n\n",
        state.len()
    );
    for (i, (disc, at)) in scene.discs.iter().zip(state).enumerate() {
        let r = disc.radius;
        let density = disc.mass / (4.0 / 3.0 * std::f64::consts::PI * r * r * r);
        let [x, y, ..] = at;
        let _ = writeln!(text, "{} 1 {:e} {density:e} {x:e} {y:e} 0", i + 1, 2.0 * r);
    }
    text.push_str("\nVelocities\n\n");
    for (i, [_, _, vx, vy, spin]) in state.iter().enumerate() {
        let _ = writeln!(text, "{} {vx:e} {vy:e} 0 0 0 {spin:e}", i + 1);
    }
    text
}

/// A folder of its own, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("carom-lammps-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)
            .map_err(|error| format!("LAMMPS: {}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the discs from this state on; where LAMMPS does not run, why.
pub fn run(scene: &Scene, from: &[Moving], plan: &Plan) -> Result<Ran, String> {
    let folder = Folder::new()?;
    let (start, dump) = (folder.0.join("start.data"), folder.0.join("states"));
    std::fs::write(&start, data(scene, from)).map_err(|error| format!("LAMMPS: {error}"))?;
    let [style, law, wall] = words(plan.style, &scene.matter);
    let shown = |path: &Path| path.display().to_string();
    let variables = [
        ("data", shown(&start)),
        ("edges", if scene.boxed { "f" } else { "s" }.into()),
        ("skin", format!("{SKIN:e}")),
        ("style", style),
        ("law", law),
        ("wall", wall),
        ("walls", u8::from(scene.boxed).to_string()),
        ("width", format!("{:e}", scene.size[0])),
        (
            "gravity",
            if scene.boxed { GRAVITY } else { 0.0 }.to_string(),
        ),
        ("step", format!("{:e}", scene.step)),
        ("stretches", plan.stretches.to_string()),
        ("stretch", plan.stretch.to_string()),
        ("states", u8::from(plan.states).to_string()),
        ("dump", shown(&dump)),
    ];
    let program = std::env::var("LAMMPS").unwrap_or_else(|_| "lmp".into());
    let mut command = if plan.cores > 1 {
        let mut command = Command::new("mpirun");
        command.args(["-np", &plan.cores.to_string(), &program]);
        // Open MPI asks the administrator, who may well be the only user of a container, to confirm; and it does not know how many cores a container has.
        for name in ["", "_CONFIRM"] {
            command.env(format!("OMPI_ALLOW_RUN_AS_ROOT{name}"), "1");
        }
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command
    } else {
        Command::new(&program)
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/grains.lammps");
    command
        .args(["-in", script, "-log", "none"])
        .current_dir(&folder.0);
    for (name, value) in &variables {
        command.args(["-var", name, value]);
    }
    let output = command.output().map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let name = command.get_program().to_string_lossy();
        if missing {
            format!("LAMMPS: not installed (no {name})")
        } else {
            format!("LAMMPS: {name} does not start ({error})")
        }
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut ran = read(&text);
    if !output.status.success() || ran.wall.len() != plan.stretches {
        let why = text.lines().find(|line| line.contains("ERROR"));
        return Err(format!("LAMMPS: {}", why.unwrap_or("its script failed")));
    }
    if plan.states {
        let text = std::fs::read_to_string(&dump).map_err(|error| format!("LAMMPS: {error}"))?;
        ran.states = states(&text);
    }
    Ok(ran)
}

/// Version and times of what LAMMPS prints.
fn read(text: &str) -> Ran {
    let mut ran = Ran::default();
    let mut loop_time = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["LAMMPS", version @ ..] => ran.version = version.join(" "),
            // The first run has no steps: it only prepares.
            ["Loop", "time", "of", seconds, _, _, _, _, steps, ..] if *steps != "0" => {
                loop_time = seconds.parse::<f64>().ok();
                ran.wall.extend(loop_time);
            }
            [share, "CPU", "use", ..] => {
                let share: Option<f64> = share.trim_end_matches('%').parse().ok();
                if let Some((wall, share)) = loop_time.take().zip(share) {
                    ran.processor.push(0.01 * share * wall);
                }
            }
            _ => {}
        }
    }
    ran
}

/// The states of a dump: discs in the order of their numbers.
fn states(text: &str) -> Vec<Vec<Moving>> {
    let frames = text.split("ITEM: ATOMS").skip(1);
    let disc = |line: &str| {
        let numbers: Vec<f64> = line
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        <[f64; 6]>::try_from(numbers)
            .ok()
            .map(|[_, x, y, vx, vy, spin]| [x, y, vx, vy, spin])
    };
    frames
        .map(|frame| {
            let lines = frame.lines().skip(1);
            lines
                .take_while(|line| !line.starts_with("ITEM"))
                .filter_map(disc)
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As LAMMPS of 29 September 2021 prints them.
    #[test]
    fn times_are_read_off_what_lammps_prints() {
        let ran = read(
            "LAMMPS (29 Sep 2021 - Update 2)\nLoop time of 1.1e-06 on 1 procs for 0 steps with 1000 atoms\n\
             Loop time of 0.25 on 2 procs for 500 steps with 1000 atoms\n\n98.0% CPU use with 2 MPI tasks x no OpenMP threads\n\
             Loop time of 0.5 on 2 procs for 500 steps with 1000 atoms\n\n50.0% CPU use with 2 MPI tasks x no OpenMP threads\n",
        );
        assert_eq!(ran.version, "(29 Sep 2021 - Update 2)");
        assert_eq!(ran.wall, [0.25, 0.5]);
        assert_eq!(ran.processor, [0.245, 0.25]);
    }

    #[test]
    fn states_are_read_in_the_order_of_their_numbers() {
        let read = states(
            "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff pp\n0 1\n0 1\n-1 1\nITEM: ATOMS id x y vx vy omegaz\n1 0.1 0.2 0.3 0.4 0.5 \n2 1 2 3 4 5 \n\
             ITEM: TIMESTEP\n10\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff pp\n0 1\n0 1\n-1 1\nITEM: ATOMS id x y vx vy omegaz\n1 0 0 0 0 0 \n2 1 1 1 1 1e-3 \n",
        );
        assert_eq!(
            read,
            [
                vec![[0.1, 0.2, 0.3, 0.4, 0.5], [1.0, 2.0, 3.0, 4.0, 5.0]],
                vec![[0.0; 5], [1.0, 1.0, 1.0, 1.0, 1e-3]],
            ]
        );
    }
}
